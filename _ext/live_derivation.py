"""The directive `derivation`: an exercise that is answered and graded in the page.

    ```{derivation} ridge-dual
    :menu:
    ```

shows the question of that id with its givens, its hints and what must be said; the
script `derivation.js` adds the place to write, and asks the grader, which runs in the
page. With `:menu:`, all derivations of all sheets can be chosen, that one first.
"""

from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from kernellab.grading import Derivation, Problem
from kernellab.grading.classroom.bank import Bank, open_bank
from kernellab.grading.language.letters import Letters
from kernellab.grading.language.mathml import relation_mathml
from kernellab.grading.language.said import MUST_BE_SAID
from kernellab.grading.language.tree import Expr, Relation
from kernellab.grading.symbols import Symbol

MARK = "kl-exercise"
KINDS = {
    "symmetric": "symmetric",
    "psd": "positive semidefinite",
    "pd": "positive definite",
    "positive": "positive",
    "nonneg": "not negative",
    "random": "random",
}
NO_SCRIPT = "Being graded here needs JavaScript. The notebook of the sheet does not."


class DerivationDirective(SphinxDirective):
    """One exercise, or a menu of all of them."""

    required_arguments: ClassVar[int] = 1
    option_spec: ClassVar[dict[str, Any]] = {"menu": directives.flag}

    def run(self) -> list[nodes.Node]:
        folder = Path(self.env.srcdir) / "exercises"
        bank = open_bank(folder)
        for path in [*folder.glob("*/sheet.md"), *bank.files.values()]:
            self.env.note_dependency(str(path))
        first = bank.question(self.arguments[0])
        if not isinstance(first, Derivation):
            raise self.error(f"{first.id} is not a derivation: {first.kind}")
        others = derivations(bank) if "menu" in self.options else []
        questions = [first, *(q for q in others if q.id != first.id)]
        tasks = [node for q in questions for node in self.task(bank, q)]
        return [html(f'<div class="{MARK}">'), *tasks, html(ending())]

    def task(self, bank: Bank, question: Derivation) -> list[nodes.Node]:
        """What is asked, what is given, and hints, each closed at first."""
        hints = []
        for number, hint in enumerate(question.hints, 1):
            head = f'<details class="kl-hint"><summary>Hint {number}</summary>'
            hints += [html(head), *self.parsed(hint), html("</details>")]
        return [
            html(opening(bank, question)),
            self.title(bank, question),
            *self.parsed(question.statement),
            html(givens(question.problem)),
            *hints,
            html("</div>"),
        ]

    def title(self, bank: Bank, question: Derivation) -> nodes.paragraph:
        """The title and the points, with a link to the sheet if the book has it."""
        unit = "point" if question.points == 1 else "points"
        line = nodes.paragraph("", "", classes=["kl-task-title"])
        line += nodes.strong("", question.title)
        line += nodes.Text(f" · {question.points} {unit}")
        sheet = bank.sheet_of(question.id)
        if sheet and f"exercises/{sheet.name}" in self.env.found_docs:
            words = nodes.inline("", "in its sheet")
            link = pending_xref("", words, refdomain="std", reftype="ref")
            link["reftarget"], link["refdoc"] = f"ex-{question.id}", self.env.docname
            link["refexplicit"], link["refwarn"] = True, True
            line += [nodes.Text(" · "), link]
        return line

    def parsed(self, markdown: str) -> list[nodes.Node]:
        """Markdown of a sheet as part of this page."""
        box = nodes.Element()
        lines = StringList(markdown.strip().splitlines(), self.get_source_info()[0])
        self.state.nested_parse(lines, self.content_offset, box)
        return box.children


def derivations(bank: Bank) -> list[Derivation]:
    """All derivations of the sheets, in their order."""
    return [q for q in bank.questions.values() if isinstance(q, Derivation)]


def html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def opening(bank: Bank, question: Derivation) -> str:
    """The start of a task, with what the script has to know of it."""
    sheet = bank.sheet_of(question.id)
    data = {
        "question": question.id,
        "title": question.title,
        "points": str(question.points),
        "sheet": sheet.title if sheet else "",
    }
    told = " ".join(f'data-{name}="{escape(value)}"' for name, value in data.items())
    return f'<div class="kl-task" id="try-{question.id}" {told}>'


def ending() -> str:
    """What must be said, the place for Python's button, and the end of the exercise."""
    rows = "".join(
        f"<li><code>{escape(name)}</code> <span>{escape(words)}</span></li>"
        for name, words in MUST_BE_SAID.items()
    )
    return (
        '<details class="kl-reasons"><summary>What must be said</summary>'
        f"<ul>{rows}</ul></details>"
        '<div class="kl-python" data-kernellab-python></div>'
        f"<noscript><p>{NO_SCRIPT}</p></noscript></div>"
    )


def givens(problem: Problem) -> str:
    """The symbols of a problem as a table: how to write them, what they are."""
    rows = [*symbols(problem), *equations(problem)]
    body = "".join(f"<tr><td>{one}</td><td>{two}</td></tr>" for one, two in rows)
    head = '<tr><th scope="col">write</th><th scope="col">for</th></tr>'
    return (
        '<details class="kl-givens" open><summary>What is given</summary>'
        f'<div class="kl-wide" tabindex="0" role="group" aria-label="What is given">'
        f"<table><thead>{head}</thead><tbody>{body}</tbody></table></div></details>"
    )


def symbols(problem: Problem) -> list[tuple[str, str]]:
    """The declared symbols, with their definitions."""
    letters, found = Letters.of(problem), []
    rows = {matrix: row for row, matrix in problem.rows.items()}
    for line in filter(str.strip, problem.symbols.splitlines()):
        declared, _, text = line.partition("=")
        name = declared.partition(":")[0].strip()
        symbol = problem.table[name]
        left = Expr("sym", data=name, shape=symbol.shape)
        sides = (left,) if symbol.definition is None else (left, symbol.definition)
        shown = relation_mathml(Relation(sides, ("=",) * (len(sides) - 1)), letters)
        written = f"{name} = {text.strip()}" if text else name
        found.append((code(written), f"{shown}, {described(symbol)}"))
        if name in rows:
            matrix = relation_mathml(Relation((left,), ()), letters)
            row = f"row n of {matrix}, as a column"
            found.append((code(f"{rows[name]}[n]"), row))
    return found


def described(symbol: Symbol) -> str:
    """In words: a positive number; N × N, symmetric."""
    kind = KINDS.get(symbol.kind, "")
    if symbol.shape == ("1", "1"):
        return f"a {kind} number" if kind else "a number"
    size = f"{symbol.shape[0]} × {symbol.shape[1]}"
    return f"{size}, {kind}" if kind else size


def equations(problem: Problem) -> list[tuple[str, str]]:
    """What the reasons `given` and `def cov` open, and the derivatives."""
    texts = list(problem.givens)
    for pair, value in problem.covariances.items():
        one, _, two = value.partition(" - ")
        zero = one == two  # a difference, so that it has a shape
        texts.append(f"cov({pair.replace(' ', ',')}) = {0 if zero else value}")
    texts += [f"{tangent} = d({name})" for name, tangent in problem.tangents.items()]
    letters = Letters.of(problem)
    return [
        (code(text), relation_mathml(problem.parse(text), letters)) for text in texts
    ]


def code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def load_script(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Add the script to a page with an exercise."""
    if f'class="{MARK}"' in context.get("body", ""):
        # Its rules look far around (:has): slow on the large pages of chapters.
        app.add_css_file("live/exercise.css", priority=810)  # after live.css
        app.add_js_file("live/derivation.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("derivation", DerivationDirective)
    app.connect("html-page-context", load_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
