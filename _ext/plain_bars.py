"""Read |x| in a docstring as an absolute value, not as the name of a substitution."""

import re

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from sphinx.application import Sphinx

Parsed = tuple[str, list[nodes.Node], str, list[nodes.system_message]]


def plain_bar(inliner: Inliner, match: re.Match[str], line: int) -> Parsed:
    """Leave the bar in the text that precedes it, and parse on."""
    end = match.end("start")
    return match.string[:end], [], match.string[end:], []


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    Inliner.dispatch["|"] = plain_bar
    return {"parallel_read_safe": True, "parallel_write_safe": True}
