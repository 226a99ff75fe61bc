"""Read |x| and a_ in a docstring as they are written on paper and in code.

To reStructuredText they name a substitution and a link, which no docstring uses.
"""

import re

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from sphinx.application import Sphinx

Parsed = tuple[str, list[nodes.Node], str, list[nodes.system_message]]


def plain_text(inliner: Inliner, match: re.Match[str], line: int) -> Parsed:
    """Leave what was matched in the text that precedes it, and parse on."""
    return match.string[: match.end()], [], match.string[match.end() :], []


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    Inliner.dispatch.update({"|": plain_text, "_": plain_text, "__": plain_text})
    return {"parallel_read_safe": True, "parallel_write_safe": True}
