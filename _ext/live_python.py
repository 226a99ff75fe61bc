"""Python in the pages: ship it with the site, and load its scripts where they are used.

An element with the attribute `data-kernellab-python` becomes the button that starts it
(`_live/_static/live/python.js`). A page without one loads nothing of this. The runtime
comes from the cache that `tools/python_runtime.py` fills; without it the site is built
all the same, and the pages say that they cannot run Python.
"""

import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import python_pages

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


def ship(app: Sphinx, exception: Exception | None) -> None:
    """Copy the runtime and kernellab into the built site."""
    if exception or app.builder.format != "html":
        return
    told = python_pages.install(Path(app.outdir) / "_static" / "python")
    logging.getLogger(__name__).info(python_pages.summary(told))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", load_scripts)
    app.connect("build-finished", ship)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
