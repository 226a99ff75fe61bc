"""Python in the page: two small pages of their own, the real scripts, the real runtime.

In the archive of kernellab, the registry of the figures is replaced by a probe: what it
computes in the browser is compared with what it computes here. What a shared worker
asks for no page hears of, so the server writes it down, and damages it where asked.
"""

import os
import shutil
import threading
from contextlib import suppress
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from playwright.sync_api import Error

from _ext.live_python import SCRIPTS
from tests.browser.conftest import PATIENCE
from tests.sampling import always_if
from tools import python_pages, python_runtime
from tools.archives import pack, unpack
from tools.serve import Handler

REGISTRY = "kernellab/figures/live/__init__.py"
PROBE = """
import sys
import time


def numbers(seed):
    import numpy as np
    from kernellab import SVC, GaussianProcess, KernelRidge
    from kernellab import kernels as kl

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
    if name == "hungry":
        eaten = []
        while True:
            eaten.append(bytes(10**7))
    if name == "slow":
        end = time.monotonic() + values["seconds"]
        while time.monotonic() < end:
            pass
        return "done"
    if name == "modules":
        return [name for name in ("numpy", "scipy") if name in sys.modules]
    if name == "wrong":
        from kernellab.errors import InputError

        raise InputError("expected points, got <b>none</b>")
    if name == "infinite":
        return [1.0, float("nan"), {"x": float("-inf")}]
    return numbers(**values)
"""
TAGS = "\n".join(f'<script defer src="_static/{name}"></script>' for name in SCRIPTS)
PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="_static/live/live.css">
<main><h1>A page</h1><div class="kl-python" data-kernellab-python></div>
<div class="kl-python" data-kernellab-python></div></main>
<script defer src="_static/python/manifest.js"></script>
{TAGS}
"""
CALL = """async ([name, args]) => {
  try { return {result: await kernellabPython.call(name, args)} }
  catch (error) { return {message: error.message, details: error.details} }
}"""
RUN = """async ([name, args, options, stopAfter]) => {
  const run = kernellabPython.run(name, args, options);
  if (stopAfter) setTimeout(run.stop, stopAfter);
  try { return {result: await run.promise} }
  catch (error) { return {message: error.message} }
}"""
PATIENT = f"kernellabPython.patience = {PATIENCE}"
STATE = "(state) => kernellabPython.state === state"


class Server(Handler):
    """Write down what is asked for; withhold or damage the files that a test names."""

    asked: ClassVar[list[str]] = []
    missing = damaged = "nothing"

    def send_head(self):
        name = self.path.rpartition("/")[2]
        if self.command == "GET":
            self.asked.append(name)
        if name.startswith(self.missing):
            self.send_error(404)
            return None
        return super().send_head()

    def copyfile(self, source, outputfile):
        data = bytearray(source.read())
        if self.path.rpartition("/")[2].startswith(self.damaged):
            data[len(data) // 2] ^= 1
        outputfile.write(data)


@pytest.fixture(scope="module")
def folder(root, tmp_path_factory) -> Path:
    """Two pages; without a runtime, skip, or fail where nobody is watching."""
    try:
        python_runtime.ensure()
    except python_runtime.NotAvailable as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(f"no Python for the pages: {reason}")
        pytest.skip(f"no Python for the pages: {reason}")
    folder = tmp_path_factory.mktemp("python")
    static = folder / "_static" / "python"
    told = python_pages.install(static)  # which was compiled for the site
    library = unpack((static / told["archives"]["kernellab"]).read_bytes())
    library.pop(f"{REGISTRY}c", None)
    replace(static, told, "kernellab", {**library, REGISTRY: PROBE.encode()})
    shutil.copytree(root / "_live/_static/live", folder / "_static" / "live")
    for name in ("index.html", "other.html"):
        (folder / name).write_text(PAGE)
    return folder


def replace(static, told, part, files):
    """Put another archive into the place of one of the manifest."""
    name, data = f"{part}-other.pack", pack(files)
    (static / name).write_bytes(data)
    before = told["files"].pop(told["archives"][part])["bytes"]
    told["files"][name] = {"bytes": len(data), "sha256": python_runtime.sha256(data)}
    told["archives"][part] = name
    told["bytes"] += len(data) - before
    python_pages.write_manifest(static, told)


@pytest.fixture(scope="module")
def home(folder):
    handler = partial(Server, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def page(browser, home):
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


@pytest.fixture(scope="module")
def context(browser, home):
    """A visitor; all complaints of the pages come at the end."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    errors = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context
    context.close()
    assert not errors


@pytest.fixture(scope="module")
def running(context, home):
    """A page in which Python runs."""
    Server.asked.clear()
    page = context.new_page()
    page.goto(home)
    page.evaluate(PATIENT)
    page.evaluate("""() => {
      window.seen = [];
      document.addEventListener("kernellab-python", (e) => window.seen.push(e.detail));
    }""")
    assert not [name for name in Server.asked if "pyodide" in name]  # not before asked
    page.get_by_role("button", name="Run Python here").first.click()
    page.wait_for_function("['ready', 'failed'].includes(kernellabPython.state)")
    assert page.evaluate("kernellabPython.reason") == ""
    return page


@pytest.fixture
def ready(running):
    """The same page, and whatever a test did to it, Python runs."""
    running.evaluate("kernellabPython.start()")
    return running


@pytest.fixture
def other(context, home, ready):
    """Another tab of the same visitor."""
    tab = context.new_page()
    tab.goto(home + "other.html")
    tab.evaluate(PATIENT)
    tab.wait_for_function(STATE, arg="ready")
    yield tab
    tab.close()


def call(page, name, *args):
    return page.evaluate(CALL, [name, list(args)])


def kill_workers(browser):
    """End all shared workers, as a browser does that runs out of memory."""
    session = browser.new_browser_cdp_session()
    found = session.send("Target.getTargets")["targetInfos"]
    for target in [t for t in found if t["type"] == "shared_worker"]:
        with suppress(Error):  # it has just ended by itself
            session.send("Target.closeTarget", {"targetId": target["targetId"]})
    session.detach()


def test_loading_is_shown_in_megabytes(running):
    seen = running.evaluate("window.seen")
    assert {event["state"] for event in seen} == {"loading", "ready"}
    loaded = [event["loaded"] for event in seen]
    assert loaded == sorted(loaded)
    assert loaded[-1] == seen[-1]["total"] == running.evaluate("kernellabRuntime.bytes")
    assert len(set(loaded)) > 3  # the bar moved
    for name in ("kernellab-", "snapshot-", "pyodide.asm.wasm"):
        assert sum(asked.startswith(name) for asked in Server.asked) == 1
    assert not [name for name in Server.asked if name.startswith(("numpy-", "scipy-"))]
    status = running.locator(".kl-python [role=status]").first
    assert status.inner_text() == "Python is running"


def test_versions(running):
    told = call(running, "versions")["result"]
    assert told["kernellab"] == running.evaluate("kernellabRuntime.kernellab.version")
    text = running.locator(".kl-python-text").first.inner_text()
    for name, version in told.items():
        assert f"{name} {version}".lower() in text.lower()
    assert running.evaluate("kernellabRuntime.kernellab.hash") in text


ANSWER = "A@(A.T@A + I) = (A@A.T + I)@A"


def test_it_begins_with_what_was_imported_when_the_site_was_built(running):
    assert running.evaluate("kernellabPython.restored")
    assert call(running, "figure", "modules", {})["result"] == ["numpy"]
    assert call(running, "judge", "push-through", ANSWER)["result"]["lines"]
    assert not [name for name in Server.asked if name.startswith("numpy-")]


@pytest.mark.parametrize("harm", ["missing", "damaged"])
def test_without_that_memory_it_starts_from_nothing(page, home, monkeypatch, harm):
    monkeypatch.setattr(Server, harm, "snapshot-")
    page.goto(home)
    page.evaluate(PATIENT)
    assert call(page, "figure", "modules", {})["result"] == []  # nothing for nothing
    assert not page.evaluate("kernellabPython.restored")
    assert call(page, "judge", "push-through", ANSWER)["result"]["lines"]
    assert call(page, "figure", "modules", {})["result"] == ["numpy"]


def test_a_memory_that_does_not_work_is_left_aside(page, folder, home):
    static = folder / "_static" / "python"
    page.goto(home)
    told, before = (
        page.evaluate("kernellabRuntime"),
        (static / "manifest.js").read_text(),
    )
    replace(static, told, "snapshot", {"memory": bytes(2**20)})
    page.goto(home)
    (static / "manifest.js").write_text(before)
    page.evaluate(PATIENT)
    assert call(page, "judge", "push-through", ANSWER)["result"]["lines"]
    assert not page.evaluate("kernellabPython.restored")


def test_packages_come_when_they_are_imported(running):
    Server.missing = "scipy-"
    try:
        found = call(running, "figure", "numbers", {"seed": 3})
    finally:
        Server.missing = "nothing"
    assert found["message"].startswith("scipy-")
    assert "could not be loaded" in found["message"]
    assert running.evaluate("kernellabPython.state") == "ready"
    assert "result" in call(running, "figure", "numbers", {"seed": 3})
    assert call(running, "figure", "modules", {})["result"] == ["numpy", "scipy"]


def test_the_numbers_are_those_of_this_machine(ready):
    space = {}
    exec(PROBE, space)
    here = space["compute"]("numbers", {"seed": 3})
    there = call(ready, "figure", "numbers", {"seed": 3})["result"]
    assert there.pop("verdict") == here.pop("verdict") == "PROVEN"
    assert there.keys() == here.keys()
    for name, value in here.items():
        assert there[name] == pytest.approx(value, rel=1e-10, abs=1e-10), name
    named = ready.evaluate(CALL, ["figure", {"name": "numbers", "values": {"seed": 3}}])
    assert named["result"]["ridge"] == there["ridge"]


def test_what_is_not_finite_is_null(ready):
    found = call(ready, "figure", "infinite", {})["result"]
    assert found == [1, None, {"x": None}]


def test_an_error_is_told_in_words(ready):
    found = call(ready, "figure", "wrong", {})
    assert found["message"].endswith("InputError: expected points, got <b>none</b>")
    assert "Traceback" in found["details"]
    ready.evaluate("""async () => {
      await kernellabPython.call("figure", ["wrong", {}]).catch((error) =>
        document.querySelector("main").append(kernellabPython.errorElement(error)))
    }""")
    alert = ready.get_by_role("alert")
    assert "got <b>none</b>" in alert.locator("p").inner_text()
    alert.locator("summary").click()
    assert "line" in alert.locator("pre").inner_text()


def test_only_what_is_listed_can_be_called(ready):
    for name in ("eval", "toString", "page._x", "page.judge.__call__"):
        assert "no function" in call(ready, name, "1")["message"]
    assert "no function" in call(ready, "page.open_bank")["message"]  # not its own
    assert call(ready, "page.judge", "push-through", "")["result"]["points"] == 0


def test_later_calls_supersede_those_that_wait(ready):
    found = ready.evaluate("""async () => {
      const calls = [1, 2, 3, 4].map((seed) =>
        kernellabPython.call("figure", ["numbers", { seed }]));
      return (await Promise.all(calls)).map((result) => result.likelihood);
    }""")
    assert found[1] == found[2] == found[3] != found[0]
    found = ready.evaluate("""async () => {
      const calls = ["A = A", "B = B", "C = C"].map((text, i) =>
        kernellabPython.call("page.judge", ["push-through", text], i && "key"));
      return (await Promise.all(calls)).map((result) => result.html);
    }""")
    assert found[1] == found[2] != found[0]


def test_a_call_that_is_given_up_leaves_the_others_alone(ready):
    found = ready.evaluate("""async () => {
      const slow = kernellabPython.call("figure", ["slow", { seconds: 0.5 }]);
      const after = kernellabPython.call("versions");
      kernellabPython.cancel();
      return [await slow.catch((error) => error.message), await after];
    }""")
    assert found[0] == "it was stopped"
    assert found[1] == ready.evaluate("kernellabPython.versions")


def test_the_next_page_goes_on_with_it(ready, home):
    call(ready, "judge", "push-through", "A = A")
    imported = call(ready, "figure", "modules", {})
    Server.asked.clear()
    ready.goto(home + "other.html")
    ready.evaluate(PATIENT)
    ready.wait_for_function(STATE, arg="ready")  # without a click
    assert call(ready, "figure", "modules", {}) == imported
    assert "numpy" in imported["result"]
    assert not [name for name in Server.asked if name.endswith((".pack", ".wasm"))]


def test_two_tabs_share_it(ready, other):
    Server.asked.clear()
    assert "result" in call(other, "figure", "numbers", {"seed": 1})
    assert not [name for name in Server.asked if name.endswith((".pack", ".wasm"))]


def test_without_a_network_it_goes_on(ready, context):
    context.set_offline(True)
    try:
        assert call(ready, "judge", "push-through", "A = A")["result"]["lines"]
    finally:
        context.set_offline(False)


def test_a_killed_worker_is_replaced_and_every_call_answered(ready, other, browser):
    slow = """() => { window.slow = Promise.all([
      kernellabPython.call("figure", ["slow", { seconds: 1.5 }]),
      kernellabPython.call("versions")]) }"""
    ready.evaluate(slow)
    other.evaluate("() => { window.later = kernellabPython.call('versions') }")
    Server.asked.clear()
    kill_workers(browser)
    assert ready.evaluate("window.slow")[0] == "done"
    assert other.evaluate("window.later") == ready.evaluate("kernellabPython.versions")
    assert Server.asked.count("pyodide.asm.wasm") == 1  # both tabs share the new one


def test_a_worker_that_hangs_is_left_behind(ready, other, browser):
    ready.evaluate("""() => {
      kernellabPython.patience = 1500;
      window.endless = kernellabPython.call("figure", ["endless", {}]);
      window.after = kernellabPython.call("versions");
      window.endless.catch(() => {}).then(() => { kernellabPython.patience = 180000; });
    }""")
    other.evaluate("() => { window.later = kernellabPython.call('versions') }")
    message = ready.evaluate("window.endless.catch((error) => error.message)")
    assert message == "it took longer than 1.5 seconds and was stopped"
    versions = ready.evaluate("window.after")
    assert other.evaluate("window.later") == versions


def test_stopped_in_one_tab_it_ends_in_all_and_a_call_starts_it(ready, other):
    ready.get_by_role("button", name="Stop Python").first.click()
    assert ready.evaluate("kernellabPython.state") == "idle"
    other.wait_for_function(STATE, arg="idle")
    assert "result" in call(other, "versions")
    assert other.evaluate("kernellabPython.state") == "ready"
    assert ready.evaluate("kernellabPython.state") == "idle"


def test_programs_run_apart_with_a_limit_and_a_button(ready):
    def run(seconds, stop_after=0, limit=600):
        values = ["slow", {"seconds": seconds}]
        options = {"seconds": limit}
        return ready.evaluate(RUN, ["figure", values, options, stop_after])

    assert run(0.1) == {"result": "done"}
    Server.asked.clear()
    assert run(0.1) == {"result": "done"}
    assert not Server.asked  # the worker was kept
    late = "it took longer than 0.5 seconds and was stopped"
    assert run(1000, limit=0.5) == {"message": late}
    assert run(1000, stop_after=100) == {"message": "it was stopped"}
    assert ready.evaluate("kernellabPython.state") == "ready"
    assert "result" in call(ready, "versions")


def test_a_program_that_takes_all_memory_is_stopped_and_python_replaced(ready):
    eat = ["figure", ["hungry", {}], {"seconds": 600}, 0]
    found = ready.evaluate(RUN, eat)
    assert found["message"] == (
        "it needed more memory than the 1 GiB that it has, and was stopped"
    )
    modest = ["figure", ["slow", {"seconds": 0.1}], {"seconds": 600}, 0]
    assert ready.evaluate(RUN, modest) == {"result": "done"}


def test_without_shared_workers_a_page_has_its_own(page, home):
    page.add_init_script("delete window.SharedWorker")
    page.goto(home)
    page.evaluate("""() => { window.seen = [];
      document.addEventListener("kernellab-python", (e) => seen.push(e.detail.state));
    }""")
    assert call(page, "figure", "infinite", {})["result"] == [1, None, {"x": None}]
    assert list(dict.fromkeys(page.evaluate("seen"))) == ["loading", "ready"]
    page.evaluate("kernellabPython.stop()")
    assert page.evaluate("kernellabPython.state") == "idle"


FAILING = ("kernellab-", "python_stdlib-", "pyodide.asm.mjs")


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        always_if((i + j) % 2 == 0, name, harm)
        for i, name in enumerate(FAILING)
        for j, harm in enumerate(["missing", "damaged"])
    ],
)
def test_a_file_that_fails_is_named(page, home, monkeypatch, name, harm):
    monkeypatch.setattr(Server, harm, name)
    page.goto(home)
    page.get_by_role("button", name="Run Python here").first.click()
    page.get_by_role("button", name="Try again").first.wait_for()
    text = page.locator(".kl-python-text").first.inner_text()
    assert f"could not be started: {name}" in text
    assert {"missing": "could not be loaded", "damaged": "is damaged"}[harm] in text
    assert f"started: {name}" in call(page, "versions")["message"]


def test_without_a_runtime_the_page_says_so(page, home, tmp_path):
    python_pages.install(tmp_path, cache=tmp_path / "nowhere")
    page.route("**/manifest.js", lambda r: r.fulfill(path=tmp_path / "manifest.js"))
    page.goto(home)
    assert page.get_by_role("button").count() == 0
    assert "built without Python" in page.locator("main").inner_text()
    assert not page.evaluate("kernellabPython.available")
    for start in ("start()", "call('versions')", "run('versions').promise"):
        assert "built without" in page.evaluate(
            f"kernellabPython.{start}.catch(String)"
        )


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
