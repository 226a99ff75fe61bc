"""Python in the pages: ship it with the site, and load its scripts where they are used.

An element with the attribute `data-kernellab-python` becomes the button that starts it
(`_live/_static/live/python.js`). A page without one loads nothing of this. The runtime
comes from the cache that `tools/python_runtime.py` fills; without it the site is built
all the same, and the pages say that they cannot run Python. To compile it takes half a
minute, so another process does that while Sphinx reads.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

PROGRAM = Path(__file__).resolve().parent.parent / "tools" / "python_pages.py"
MARK = "data-kernellab-python"
SCRIPTS = ("live/workers.js", "live/python.js", "live/python_button.js")


def load_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Add the scripts to a page that has a place for the button, before all others."""
    if MARK in context.get("body", ""):
        app.add_css_file("live/live.css")
        app.add_js_file("python/manifest.js", priority=300, loading_method="defer")
        for script in SCRIPTS:
            app.add_js_file(script, priority=310, loading_method="defer")


def ship(app: Sphinx) -> None:
    """Put the runtime and kernellab into the site, beside all else that is done."""
    if app.builder.format != "html":
        return
    command = [sys.executable, PROGRAM, Path(app.outdir) / "_static" / "python"]
    shipping = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    app.connect("env-updated", lambda app, env: finish(shipping))
    app.connect("build-finished", lambda app, error: shipping.kill())


def finish(shipping: subprocess.Popen[str]) -> None:
    """Let the process end: pages name its list of files by a hash of it."""
    told, _ = shipping.communicate()
    if shipping.returncode:
        raise ExtensionError(f"{PROGRAM.name} failed: its message stands above.")
    logging.getLogger(__name__).info(told.strip())


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", load_scripts)
    app.connect("builder-inited", ship)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
