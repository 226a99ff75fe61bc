"""Leave widgets off the pages: without a kernel behind them, their sliders do nothing.

A cell with a widget is tagged `remove-output`, and a figure stands beside it. What the
notebook keeps of the widgets' state is left out of the page, and with it the scripts
that would draw them. A widget that is not tagged is a warning: it fails the build.
"""

import json

from sphinx.application import Sphinx
from sphinx.util import logging

VIEW = "application/vnd.jupyter.widget-view+json"


def leave_out_state(app: Sphinx, docname: str, source: list[str]) -> None:
    """Drop the state of a notebook's widgets."""
    if not app.env.doc2path(docname).endswith(".ipynb"):
        return
    notebook = json.loads(source[0])
    for cell in filter(shows_widget, notebook["cells"]):
        message = "cell %s shows a widget: tag it remove-output, and add a figure"
        logging.getLogger(__name__).warning(message, cell["id"], location=docname)
    if notebook["metadata"].pop("widgets", None):
        source[0] = json.dumps(notebook)


def shows_widget(cell: dict) -> bool:
    """Whether a cell has a widget among the outputs that the page keeps."""
    views = [VIEW in output.get("data", {}) for output in cell.get("outputs", [])]
    return any(views) and "remove-output" not in cell["metadata"].get("tags", [])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", leave_out_state)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
