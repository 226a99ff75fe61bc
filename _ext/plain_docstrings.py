"""Read docstrings as they are meant.

To reStructuredText |x| and a_ name a substitution and a link, which no docstring uses.
Indented formulas are quotations to it, whose lines it joins; here they stay lines.
And numpydoc takes what follows "name :" for a type, and sets it apart from the lines
below it; here it is the beginning of a sentence that goes on there.
"""

import re

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from sphinx.application import Sphinx

SECTIONS = ("Parameters", "Attributes", "Other Parameters")
ENTRY = re.compile(r"(?P<names>[*\w][\w, .*]*) : (?P<text>.+)")
Parsed = tuple[str, list[nodes.Node], str, list[nodes.system_message]]


def plain_text(inliner: Inliner, match: re.Match[str], line: int) -> Parsed:
    """Leave what was matched in the text that precedes it, and parse on."""
    return match.string[: match.end()], [], match.string[match.end() :], []


def join_sentences(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Put what is said of a parameter below its name, in one piece."""
    for i in reversed(range(len(lines))):
        entry = ENTRY.match(lines[i])
        if entry and section_of(lines, i) in SECTIONS:
            lines[i : i + 1] = [entry["names"], f"    {entry['text']}"]


def keep_formulas(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Set indented paragraphs outside the sections line by line, like code."""
    for i in reversed(range(2, len(lines))):
        indented = lines[i].startswith("    ") and not lines[i - 1].strip()
        before = next((line for line in reversed(lines[:i]) if line.strip()), " ")
        plain = not before.startswith((" ", "..", "- ", "* "))
        if indented and plain and not section_of(lines, i):
            lines[i:i] = [".. code-block:: text", ""]


def section_of(lines: list[str], place: int) -> str:
    """Return the heading above a line; numpydoc underlines them."""
    for i in range(place, 0, -1):
        if lines[i] and set(lines[i]) == {"-"}:
            return lines[i - 1].strip()
    return ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("autodoc-process-docstring", join_sentences, priority=400)
    app.connect("autodoc-process-docstring", keep_formulas, priority=400)
    Inliner.dispatch.update({"|": plain_text, "_": plain_text, "__": plain_text})
    return {"parallel_read_safe": True, "parallel_write_safe": True}
