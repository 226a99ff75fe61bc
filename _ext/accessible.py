"""Mend what the theme and the theorem boxes leave inaccessible."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def name_each_proof(app: Sphinx, doctree: nodes.document) -> None:
    """Number the ids of proofs and of theorems' bodies, which all come alike."""
    for number, node in enumerate(doctree.findall(nodes.Element)):
        if node["ids"] in (["proof"], ["proof-content"]):
            node["ids"] = [f"{node['ids'][0]}-{number}"]


def list_the_citations(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Make the entries of the bibliography the items of the list that they are in."""
    body = context.get("body", "")
    context["body"] = body.replace('role="doc-biblioentry"', 'role="listitem"')


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("doctree-read", name_each_proof)
    app.connect("html-page-context", list_the_citations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
