"""Leave exercise sheets unnumbered, though they stand under their numbered chapters.

Sphinx numbers all that is below a numbered chapter: the sheet of chapter 1 would be
section 1.21, and its questions 1.21.1.3. A sheet has questions with names instead.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

SHEETS = "exercises/"
AFTER_NUMBERING = 900


def take_numbers_away(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Remove the numbers that the sheets were given; return the pages that had some."""
    sheets = [name for name in env.toc_secnumbers if name.startswith(SHEETS)]
    for name in sheets:
        env.toc_secnumbers[name] = {}
        env.titles[name].attributes.pop("secnumber", None)
        for link in env.tocs[name].findall(nodes.reference):
            link.attributes.pop("secnumber", None)
    return sheets


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("env-get-updated", take_numbers_away, priority=AFTER_NUMBERING)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
