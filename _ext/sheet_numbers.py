"""Leave exercise sheets unnumbered, though they stand under their numbered chapters.

Sphinx numbers all that is below a numbered chapter: the sheet of chapter 1 would be
section 1.21, and its questions 1.21.1.3. A sheet has questions with names instead.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

SHEETS = "exercises/"
BEFORE_NUMBERING, AFTER_NUMBERING = 100, 900


def put_numbers_back(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Show Sphinx the numbers that it gave, or it takes those that it gives for new."""
    env.toc_secnumbers.update(getattr(env, "sheet_numbers", {}))
    return []


def take_numbers_away(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Remove the numbers that the sheets were given, but remember them."""
    given = {n: s for n, s in env.toc_secnumbers.items() if n.startswith(SHEETS)}
    env.sheet_numbers = given
    for name in given:
        env.toc_secnumbers[name] = {}
        env.titles[name].attributes.pop("secnumber", None)
        for link in env.tocs[name].findall(nodes.reference):
            link.attributes.pop("secnumber", None)
    return []


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("env-get-updated", put_numbers_back, priority=BEFORE_NUMBERING)
    app.connect("env-get-updated", take_numbers_away, priority=AFTER_NUMBERING)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
