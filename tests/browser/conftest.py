"""A browser that may speak to this machine only, and a reader who uses it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from tools import chromium as browsers

# To intercept requests in Python would slow each, and leave the browser without cache.
AT_HOME = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"

PATIENCE = 300_000  # milliseconds; a busy machine is not a bug
expect.set_options(timeout=PATIENCE)

# Without the first, axe fetches style sheets by itself, from a wrong address; without
# the second it also describes each node that is as it should be.
AXE = {"preload": False, "resultTypes": ["violations"]}


def violations(page: Page, context: Any = None, **options: Any) -> list[Any]:
    """What axe-core finds that keeps some readers out: each rule, with the places."""
    found = Axe().run(page, context=context, options=AXE | options).response
    return [
        (rule["id"], node["html"])
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


@dataclass
class Reader:
    """One visitor of the site, who writes down all that goes wrong."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE)
        self.page.on("request", self._stay_at_home)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._hear)

    def open(self, name: str) -> Page:
        """Go to a page of the site."""
        self.page.goto(self.address + name)
        return self.page

    def _stay_at_home(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.complaints.append(f"external request: {request.url}")

    def _hear(self, message: Any) -> None:
        self.complaints.append(f"{message.text} ({message.location['url']})")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's path; without one, skip, or fail where nobody is watching."""
    if path := browsers.find():
        return path
    reason = f"no Chromium: {browsers.ADVICE}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def address(site: Path, root: Path) -> Iterator[str]:
    """Where the site is served, by the server that `make serve` uses."""
    command = [sys.executable, "tools/serve.py", str(site), "--port", "0"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as job:
        assert job.stdout is not None
        found = re.search(r"http://\S+", job.stdout.readline())
        assert found is not None, "the server printed no address"
        yield found.group()
        job.terminate()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=[*browsers.FLAGS, AT_HOME]
        )
        yield browser
        browser.close()


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Reader]:
    """A fresh visitor, who must have had nothing to complain of."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    reader = Reader(context.new_page(), address)
    yield reader
    context.close()
    assert not reader.complaints
