"""The browser that tests the pages and prints the book."""

import os
import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ADVICE = "install Chromium, or set CHROMIUM to its path"


def find() -> str | None:
    """The browser's path; CHROMIUM in the environment comes first. None without one."""
    chosen = os.environ.get("CHROMIUM")
    return next(filter(None, map(shutil.which, filter(None, (chosen, *NAMES)))), None)
