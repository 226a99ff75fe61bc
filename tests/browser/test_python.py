"""Python in the page: a small page of its own, the real scripts, the real runtime.

In the archive of kernellab, the registry of the figures is replaced by a probe: what it
computes in the browser is compared with what it computes here.
"""

import os
import shutil
import threading
from pathlib import Path

import pytest

from tools import python_pages, python_runtime
from tools.serve import listen

PATIENCE = 180_000  # milliseconds; a busy machine is not a bug
PROBE = """
import numpy as np
from kernellab import SVC, GaussianProcess, KernelRidge
from kernellab import kernels as kl
from kernellab.errors import InputError


def numbers(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 2))
    t = np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=40)
    y = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
    k = 1.5 * kl.Gaussian(sigma=0.8) + (kl.Linear() + 1) ** 2
    process = GaussianProcess(k, noise=0.1).fit(X, t, optimize=False)
    value, gradient = process.log_marginal_likelihood(process.theta, gradient=True)
    machine = SVC(k, C=2.0, tol=1e-10).fit(X, y)
    return {
        "ridge": KernelRidge(k, lam=0.3).fit(X, t).a_.tolist(),
        "machine": machine.decision_function(X).tolist(),
        "gap": machine.certificate_.gap < 1e-6,
        "likelihood": float(value),
        "gradient": gradient.tolist(),
        "verdict": str(k.verdict()),
    }


def compute(name, values):
    if name == "endless":
        while True:
            pass
    if name == "wrong":
        raise InputError("expected points, got <b>none</b>")
    if name == "infinite":
        return [1.0, float("nan"), {"x": float("-inf")}]
    return numbers(**values)
"""
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="_static/live/live.css">
<main><h1>A page</h1><div class="kl-python" data-kernellab-python></div>
<div class="kl-python" data-kernellab-python></div></main>
<script defer src="_static/python/manifest.js"></script>
<script defer src="_static/live/python.js"></script>
"""
CALL = """async ([name, args]) => {
  try { return {result: await kernellabPython.call(name, args)} }
  catch (error) { return {message: error.message, details: error.details} }
}"""


@pytest.fixture(scope="module")
def folder(root, tmp_path_factory) -> Path:
    """A site of one page; without a runtime, skip, or fail where nobody is watching."""
    try:
        python_runtime.ensure()
    except python_runtime.NotAvailable as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(f"no Python for the pages: {reason}")
        pytest.skip(f"no Python for the pages: {reason}")
    folder = tmp_path_factory.mktemp("python")
    library = {
        **python_pages.sources(),
        "kernellab/figures/live/__init__.py": PROBE.encode(),
    }
    python_pages.install(folder / "_static" / "python", library=library)
    shutil.copytree(root / "_live/_static/live", folder / "_static" / "live")
    (folder / "index.html").write_text(PAGE)
    return folder


@pytest.fixture(scope="module")
def home(folder):
    with listen(folder, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def page(browser, home):
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def running(browser, home):
    """A page in which Python runs, and all that it asked for."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(home)
    assert not [url for url in asked if "pyodide" in url]  # before the button, nothing
    page.evaluate("""() => {
      window.seen = [];
      document.addEventListener("kernellab-python", (e) => window.seen.push(e.detail));
    }""")
    page.get_by_role("button", name="Run Python here").first.click()
    page.get_by_role("button", name="Stop Python").first.wait_for()
    yield page, asked
    page.close()
    assert not errors
    assert not [url for url in asked if not url.startswith((home, "blob:", "data:"))]


def call(page, name, *args):
    return page.evaluate(CALL, [name, list(args)])


def test_loading_is_shown_in_megabytes(running):
    page, asked = running
    seen = page.evaluate("window.seen")
    assert {event["state"] for event in seen} == {"loading", "ready"}
    loaded = [event["loaded"] for event in seen]
    assert loaded == sorted(loaded)
    assert loaded[-1] == seen[-1]["total"] > 30e6
    assert len(set(loaded)) > 3  # the bar moved
    names = [url.rpartition("/")[2] for url in asked]
    assert sum(name.startswith("kernellab-") for name in names) == 1
    assert page.locator(".kl-python [role=status]").first.inner_text() == (
        "Python is running"
    )


def test_versions(running):
    page, _ = running
    told = call(page, "versions")["result"]
    assert told["kernellab"] == page.evaluate("kernellabRuntime.kernellab.version")
    text = page.locator(".kl-python-text").first.inner_text()
    for name, version in told.items():
        assert f"{name} {version}".lower() in text.lower()
    assert page.evaluate("kernellabRuntime.kernellab.hash") in text


def test_the_numbers_are_those_of_this_machine(running):
    page, _ = running
    space = {}
    exec(PROBE, space)
    here = space["compute"]("numbers", {"seed": 3})
    there = call(page, "figure", "numbers", {"seed": 3})["result"]
    assert there.pop("verdict") == here.pop("verdict") == "PROVEN"
    assert there.keys() == here.keys()
    for name, value in here.items():
        assert there[name] == pytest.approx(value, rel=1e-10, abs=1e-10), name
    named = page.evaluate(CALL, ["figure", {"name": "numbers", "values": {"seed": 3}}])
    assert named["result"]["ridge"] == there["ridge"]


def test_what_is_not_finite_is_null(running):
    assert call(running[0], "figure", "infinite", {})["result"] == [
        1,
        None,
        {"x": None},
    ]


def test_an_error_is_told_in_words(running):
    page, _ = running
    found = call(page, "figure", "wrong", {})
    assert found["message"].endswith("InputError: expected points, got <b>none</b>")
    assert "Traceback" in found["details"]
    page.evaluate("""async () => {
      await kernellabPython.call("figure", ["wrong", {}]).catch((error) =>
        document.querySelector("main").append(kernellabPython.errorElement(error)))
    }""")
    alert = page.get_by_role("alert")
    assert "got <b>none</b>" in alert.locator("p").inner_text()
    alert.locator("summary").click()
    assert "line" in alert.locator("pre").inner_text()


def test_only_what_is_listed_can_be_called(running):
    assert "no function" in call(running[0], "eval", "1")["message"]
    assert "no function" in call(running[0], "toString")["message"]


def test_later_calls_supersede_those_that_wait(running):
    found = running[0].evaluate("""async () => {
      const calls = [1, 2, 3, 4].map((seed) =>
        kernellabPython.call("figure", ["numbers", { seed }]));
      return (await Promise.all(calls)).map((result) => result.likelihood);
    }""")
    assert found[1] == found[2] == found[3] != found[0]


def test_an_endless_call_is_stopped_and_python_comes_back(running):
    page, _ = running
    page.evaluate("kernellabPython.patience = 1500")
    endless, after = page.evaluate(
        """async () => {
      const calls = [
        kernellabPython.call("figure", ["endless", {}]),
        kernellabPython.call("versions", []),
      ];
      const late = await calls[0].catch((error) => error.message);
      kernellabPython.patience = 180000;
      return [late, await calls[1]];
    }""",
    )
    assert endless == "it took longer than 1.5 seconds and was stopped"
    assert after["kernellab"] == page.evaluate("kernellabRuntime.kernellab.version")
    page.get_by_role("button", name="Stop Python").first.click()
    assert "not running" in call(page, "versions")["message"]
    assert page.evaluate("kernellabPython.state") == "idle"


def spoil(route):
    """Let a file come with one bit turned over, in its middle."""
    answer = route.fetch()
    body = bytearray(answer.body())
    body[len(body) // 2] ^= 1
    route.fulfill(response=answer, body=bytes(body))


@pytest.mark.parametrize("name", ["kernellab-", "numpy-", "pyodide.asm.mjs"])
def test_a_damaged_file_is_refused(page, home, name):
    page.route(f"**/{name}*", spoil)
    page.goto(home)
    page.get_by_role("button", name="Run Python here").first.click()
    again = page.get_by_role("button", name="Try again").first
    again.wait_for(timeout=PATIENCE)
    text = page.locator(".kl-python-text").first.inner_text()
    assert f"could not be started: {name}" in text
    assert "damaged" in text


def test_a_missing_file_is_named(page, home):
    page.route("**/scipy-*", lambda route: route.fulfill(status=404))
    page.goto(home)
    page.get_by_role("button", name="Run Python here").first.click()
    page.get_by_role("button", name="Try again").first.wait_for(timeout=PATIENCE)
    text = page.locator(".kl-python-text").first.inner_text()
    assert "scipy-" in text
    assert "could not be loaded" in text


def test_without_a_runtime_the_page_says_so(page, home, tmp_path):
    python_pages.install(tmp_path, cache=tmp_path / "nowhere")
    page.route("**/manifest.js", lambda r: r.fulfill(path=tmp_path / "manifest.js"))
    page.goto(home)
    assert page.get_by_role("button").count() == 0
    assert "built without Python" in page.locator("main").inner_text()
    assert not page.evaluate("kernellabPython.available")
    assert "built without" in page.evaluate("kernellabPython.start().catch(String)")


def test_from_a_file_the_page_says_how(page, folder):
    page.goto((folder / "index.html").as_uri())
    assert page.get_by_role("button").count() == 0
    assert "make serve" in page.locator("main").inner_text()
    assert not page.evaluate("kernellabPython.available")


def test_without_javascript_nothing_is_shown(browser, home):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(home)
    assert page.locator("main").inner_text().strip() == "A page"
    context.close()
