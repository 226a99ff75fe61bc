"""Measure what a page costs its reader: bytes, requests, blocking, shifts, nodes.

    python -m benchmarks.page_weight                     every page of _build/html
    python -m benchmarks.page_weight index.html --repeat 3
    python -m benchmarks.page_weight --json FILE         store the figures as well

Each page is loaded into an empty cache, from a server on this machine. Bytes are those
of the files, uncompressed. Blocking is the CPU time of the main thread in tasks beyond
50 ms each (the least of the repeats), layout shift that of the Web Vitals (the most).
Beside them stand the figures of the site before its mathematics was typeset at build
time (`page_weight_before.json`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tools import chromium
from tools.serve import listen

BEFORE = Path(__file__).with_name("page_weight_before.json")
TASK_MAX_MS = 50.0
"""A longer task is felt: what is beyond it counts as blocking."""

TIMELINE = "disabled-by-default-devtools.timeline"
"""What tells which process has a page."""

COLUMNS = {"kB": 0, "requests": 0, "blocking": 0, "shift": 3, "nodes": 0}
"""What is measured (blocking in milliseconds), and its decimals."""

LISTEN = """window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""
READ = """async () => {
  await window.MathJax?.startup?.promise;
  await document.fonts.ready;
  await new Promise((done) => requestIdleCallback(done));
  const kinds = ["navigation", "resource"];
  const files = kinds.flatMap((kind) => performance.getEntriesByType(kind));
  return {
    kB: files.reduce((sum, file) => sum + file.decodedBodySize, 0) / 1000,
    requests: files.length,
    shift: window.shift,
    nodes: document.querySelectorAll("*").length,
  };
}"""

Figures = dict[str, float]


def blocking(trace: bytes, address: str) -> float:
    """Return the milliseconds by which tasks of the page's thread were too long."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    # The browser has pages of its own, in other processes.
    own = {
        event["args"]["data"]["processId"]
        for event in events
        if event["name"] == "FrameCommittedInBrowser"
        and event["args"]["data"].get("url") == address
    }
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name"
        and event["args"]["name"] == "CrRendererMain"
        and event["pid"] in own
    }
    tasks = (
        event.get("tdur", 0.0) / 1000  # one that is not over has none
        for event in events
        if event["name"] == "ThreadControllerImpl::RunTask"
        and (event["pid"], event["tid"]) in main
    )
    return sum(max(0.0, task - TASK_MAX_MS) for task in tasks)


def measure(browser: Browser, address: str) -> Figures:
    """Load a page once."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.add_init_script(LISTEN)
    browser.start_tracing(page=page, categories=["toplevel", TIMELINE])
    page.goto(address, wait_until="networkidle")
    figures: Figures = page.evaluate(READ)
    figures["blocking"] = blocking(browser.stop_tracing(), address)
    context.close()
    return {name: round(figures[name], places) for name, places in COLUMNS.items()}


def best(runs: Iterable[Figures]) -> Figures:
    """Return the least blocking and the largest of all else."""
    runs = list(runs)
    worst = {name: max(run[name] for run in runs) for name in COLUMNS}
    return worst | {"blocking": min(run["blocking"] for run in runs)}


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder while it is measured; its address."""
    with listen(site, 0) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def pages(site: Path) -> list[str]:
    """Return the pages of a site."""
    found = (path.relative_to(site) for path in site.rglob("*.html"))
    return sorted(path.as_posix() for path in found if path.parts[0] != "_static")


def row(page: str, figures: Figures, before: Figures | None) -> str:
    """Return a line of the table: before → now, of each figure."""
    cells = []
    for name, places in COLUMNS.items():
        now = f"{figures[name]:,.{places}f}"
        then = "" if before is None else f"{before[name]:,.{places}f} → "
        cells.append(f"{then + now:>18}")
    return f"{page:42}{''.join(cells)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pages", nargs="*", help="such as index.html; all by default")
    parser.add_argument("--site", type=Path, default=Path("_build/html"))
    parser.add_argument("--repeat", type=int, default=2, help="loads of each page")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    options = parser.parse_args()
    path = chromium.find()
    if path is None:
        sys.exit(f"No browser to measure with: {chromium.ADVICE}.")
    before = json.loads(BEFORE.read_text()) if BEFORE.exists() else {}
    found = {}
    print(f"{'page':42}{''.join(f'{name:>18}' for name in COLUMNS)}")
    with served(options.site) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
        for page in options.pages or pages(options.site):
            runs = [measure(browser, address + page) for _ in range(options.repeat)]
            found[page] = best(runs)
            print(row(page, found[page], before.get(page)), flush=True)
        browser.close()
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
