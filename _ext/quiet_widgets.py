"""Spare a page the widgets' scripts (3.6 MB) when it shows no widget.

A notebook keeps the state of its widgets, and that alone makes a page load the scripts.
Where every cell with a widget is tagged `remove-output`, the state is left out.
"""

import json

from sphinx.application import Sphinx

VIEW = "application/vnd.jupyter.widget-view+json"


def leave_out_state(app: Sphinx, docname: str, source: list[str]) -> None:
    """Drop the state of widgets that the page does not show."""
    if not app.env.doc2path(docname).endswith(".ipynb"):
        return
    notebook = json.loads(source[0])
    if not any(shows_widget(cell) for cell in notebook["cells"]):
        notebook["metadata"].pop("widgets", None)
        source[0] = json.dumps(notebook)


def shows_widget(cell: dict) -> bool:
    """Whether a cell has a widget among the outputs that the page keeps."""
    views = [VIEW in output.get("data", {}) for output in cell.get("outputs", [])]
    return any(views) and "remove-output" not in cell["metadata"].get("tags", [])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", leave_out_state)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
