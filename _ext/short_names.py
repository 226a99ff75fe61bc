"""Link a class that an annotation names without its module.

The library imports some names for its annotations only, to keep its modules from
importing each other in circles; Sphinx then sees the bare name.
"""

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode


def find_by_short_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.TextElement
) -> nodes.reference | None:
    """Link to the documented object of that last name, if there is exactly one."""
    if node.get("refdomain") != "py":
        return None
    objects = env.get_domain("py").data["objects"]
    named = {
        (entry.docname, entry.node_id)
        for name, entry in objects.items()
        if name.rpartition(".")[2] == node["reftarget"] and not entry.aliased
    }
    if len(named) != 1:
        return None
    page, anchor = named.pop()
    return make_refnode(app.builder, node["refdoc"], page, anchor, text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("missing-reference", find_by_short_name)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
