"""How long a reader waits for Python in the page, and what it costs the machine.

    python -m benchmarks.page_python [--runs 3] [--site _build/html --pages ONE TWO]

Each run opens a fresh browser, asks for the grade of one derivation, goes on to another
page and asks again. Without a site, two bare pages are served, so that nothing else
is measured. CPU is that of the browser's renderer processes, from the moment that its
own start is over; the table has the medians.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from _ext.live_python import SCRIPTS
from tools import chromium, python_pages
from tools.serve import listen

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_MS = 180_000
REST_SECONDS = 0.5  # without work, after which a browser has started
QUESTION = "push-through"
ANSWER = """A@(A.T@A + I) = (A@A.T + I)@A
A = (A@A.T + I)@A@inv(A.T@A + I)
inv(A@A.T + I)@A = A@inv(A.T@A + I)"""
JUDGE = "([id, text]) => kernellabPython.call('judge', [id, text])"
STEPS = {"cold": "first page, cold", "next": "next page"}


def bare_page() -> str:
    """Return a page with Python and nothing else."""
    sources = ("python/manifest.js", *SCRIPTS)
    scripts = "\n".join(f'<script defer src="_static/{s}"></script>' for s in sources)
    return f'<!doctype html><meta charset="utf-8"><title>A page</title>\n{scripts}\n'


def make_site(folder: Path) -> None:
    """Write two bare pages, with the runtime and the scripts of the course."""
    told = python_pages.install(folder / "_static" / "python")
    print(python_pages.summary(told), flush=True)
    if not told["available"]:
        raise SystemExit("There is nothing to measure; `make runtime` gets it.")
    shutil.copytree(python_pages.SCRIPTS, folder / "_static" / "live")
    for name in ("index.html", "other.html"):
        (folder / name).write_text(bare_page(), encoding="utf-8")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; yield its address."""
    with listen(folder, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def renderer_seconds(session: CDPSession) -> float:
    """Return the CPU time of all renderer processes of a browser so far."""
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(p["cpuTime"] for p in processes if p["type"] == "renderer")


def wait_for_rest(session: CDPSession) -> None:
    """Wait until a browser has drawn its own windows, which are renderers, too."""
    before = -1.0
    while (now := renderer_seconds(session)) != before:
        before = now
        time.sleep(REST_SECONDS)


def measure(browser: Browser, addresses: list[str]) -> dict[str, tuple[float, float]]:
    """Return CPU and wall seconds to a graded answer, on each page in turn."""
    session = browser.new_browser_cdp_session()
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    wait_for_rest(session)
    found = {}
    for step, address in zip(STEPS, addresses, strict=True):
        cpu, wall = renderer_seconds(session), time.perf_counter()
        points = graded(page, address)
        assert points["points"] == points["out_of"], points["summary"]
        passed = time.perf_counter() - wall
        found[step] = (renderer_seconds(session) - cpu, passed)
    return found


def graded(page: Page, address: str) -> dict[str, Any]:
    """Open a page and return the judgement on the answer."""
    page.goto(address, wait_until="commit")
    page.wait_for_function("window.kernellabPython")
    result: dict[str, Any] = page.evaluate(JUDGE, [QUESTION, ANSWER])
    return result


def repeat(addresses: list[str], runs: int) -> None:
    """Measure several times, each time in a fresh browser, and print the medians."""
    path = chromium.find()
    if path is None:
        raise SystemExit(f"There is no Chromium: {chromium.ADVICE}.")
    results = []
    with sync_playwright() as playwright:
        for _ in range(runs):
            with playwright.chromium.launch(
                executable_path=path, args=chromium.FLAGS
            ) as browser:
                results.append(measure(browser, addresses))
    print(
        f"{'to a graded answer':20} {'CPU s':>7} {'wall s':>7}   least of {runs} runs"
    )
    for step, words in STEPS.items():
        cpu = [result[step][0] for result in results]
        wall = [result[step][1] for result in results]
        print(
            f"{words:20} {statistics.median(cpu):7.2f} {statistics.median(wall):7.2f}"
            f"   {min(cpu):.2f}, {min(wall):.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--site", type=Path, help="a built site, instead of bare pages")
    parser.add_argument("--pages", nargs=2, default=["index.html", "other.html"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = options.site or Path(name)
        if options.site is None:
            make_site(folder)
        with served(folder) as home:
            repeat([home + page for page in options.pages], options.runs)


if __name__ == "__main__":
    main()
