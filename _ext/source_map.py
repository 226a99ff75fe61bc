"""The directive `source-map`: which row of the documents is taught where.

    ```{source-map} S0
    ```

makes a table of the rows of `reference/sources.csv` whose id starts with S0 (or with P,
for the proofs that the documents leave open), each with a link to where it is taught,
or to the questions that ask for it.
"""

import csv
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

DATA = "reference/sources.csv"
HEADINGS = ("row", "lines", "what it says", "where")
WIDTHS = (10, 12, 58, 20)


class SourceMap(SphinxDirective):
    """One table, for one document."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        path = Path(self.env.srcdir) / DATA
        self.env.note_dependency(str(path))
        with path.open(encoding="utf-8", newline="") as file:
            rows = [r for r in csv.DictReader(file) if r["id"].startswith(self.prefix)]
        return [self.table(rows)]

    @property
    def prefix(self) -> str:
        return f"{self.arguments[0]}-"

    def table(self, rows: list[dict[str, str]]) -> nodes.table:
        group = nodes.tgroup(cols=len(WIDTHS))
        group += [nodes.colspec(colwidth=width) for width in WIDTHS]
        head = nodes.row("", *(entry(nodes.Text(text)) for text in HEADINGS))
        body = nodes.tbody("", *(self.row(row) for row in rows))
        group += [nodes.thead("", head), body]
        return nodes.table("", group, classes=["kl-sources"])

    def row(self, row: dict[str, str]) -> nodes.row:
        texts = (row["id"], row["lines"], row["about"])
        cells = [entry(nodes.Text(text)) for text in texts]
        if self.prefix == "P-":  # whose lines are of several documents, some with words
            cells[1]["classes"].append("text-wrap")
        return nodes.row("", *cells, entry(*self.place(row)))

    def place(self, row: dict[str, str]) -> list[nodes.Node]:
        """A link to where it is taught, or to the questions that ask for it."""
        if row["status"] == "exercise":
            return self.questions(row["anchor"].split())
        chapter = place_name(row["page"])
        uri = self.env.app.builder.get_relative_uri(self.env.docname, row["page"])
        reference = nodes.reference("", chapter, internal=True)
        reference["refuri"] = f"{uri}#{identifier(row['anchor'])}"
        return [reference]

    def questions(self, labels: list[str]) -> list[nodes.Node]:
        """Links to questions, each under its own heading."""
        found: list[nodes.Node] = [nodes.Text("exercise: ")]
        for label in labels:
            found += [self.titled(label), nodes.Text("; ")]
        return found[:-1]

    def titled(self, label: str) -> pending_xref:
        """What the role `ref` makes: Sphinx puts the heading in, or warns."""
        link = pending_xref(label, nodes.inline(label, label), refdomain="std")
        link["reftype"], link["reftarget"] = "ref", label
        link["refexplicit"], link["refwarn"] = False, True
        link["refdoc"] = self.env.docname
        return link


def place_name(page: str) -> str:
    """chapter 1 for chapters/01_duality."""
    number = page.split("/")[-1][:2]
    return f"chapter {int(number)}" if number.isdigit() else "above"


def identifier(anchor: str) -> str:
    """The id that Sphinx gives a label in the page."""
    return f"equation-{anchor}" if anchor.startswith("eq-") else anchor


def entry(*content: nodes.Node) -> nodes.entry:
    """A cell of a table."""
    return nodes.entry("", nodes.paragraph("", "", *content))


def load_filter(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Give the page with the tables a field that searches them."""
    tables = [] if doctree is None else doctree.findall(nodes.table)
    if any("kl-sources" in table["classes"] for table in tables):
        app.add_js_file("live/filter.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("source-map", SourceMap)
    app.connect("html-page-context", load_filter)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
