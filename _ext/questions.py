"""The directive `question`: a question that is answered and graded where it stands.

    :::{question} ridge-dual
    :::

shows what is asked, and a place for the scripts in `_live/_static/live/questions`,
which add the fields to answer in and ask the grader. `question-sheet` is the line above
the questions of a sheet: its points, and what can be done with all answers. Hints and
other things that few readers open are written into files of their own, one per
question: `_static/questions/ID.json`, and its solution beside it.
"""

import json
import re
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.statemachine import StringList
from plain_markdown import with_roles
from question_fields import given, setup_of
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from kernellab.grading import Derivation, Puzzle, Question, Sheet
from kernellab.grading.classroom.bank import Bank, open_bank
from kernellab.grading.classroom.sheets import shown

MARK = 'class="kl-question"'
FOLDER = Path("_static") / "questions"
MOST_OTHERS = 9
"""Of the questions with other numbers, so many are offered in the page."""

NO_SCRIPT = (
    "To answer here, the page needs JavaScript, and has to come from a server "
    "(<code>make serve</code> starts one). The notebook of the sheet does without: "
    "<code>make lab</code>."
)
HEIGHTS = {"derivation": 19.0, "puzzle": 8.0, "kernel proof": 15.0}
"""Rem that the scripts will need, roughly, so that the page does not jump."""
FIELD, LINE, BUTTONS, FEWEST_LINES = 3.2, 1.5, 6.0, 8
_SIBLING = re.compile(r"\]\((?=\w+\.ipynb)")


class Aside(nodes.General, nodes.Element):
    """A part of a question that goes into its own file instead of the page."""


class QuestionDirective(SphinxDirective):
    """One question: what is asked, and the place to answer."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        bank = course_bank(self)
        question = bank.question(self.arguments[0])
        self.env.note_dependency(str(bank.files[question.id]))
        sheet = bank.sheet_of(question.id)
        home = sheet is not None and self.env.docname == f"exercises/{sheet.name}"
        return [
            html(opening(question, sheet)),
            *([] if home or sheet is None else [self.title(question)]),
            *self.asked(question, home),
            html(f"{place(question)}</div>"),
            *(self.asides(question) if home else []),
        ]

    def asked(self, question: Question, home: bool) -> list[nodes.Node]:
        """Return the statement, and the blocks of a puzzle in a box of their own."""
        text = question.statement
        if not home:  # links between sheets, seen from a chapter
            text = _SIBLING.sub("](../exercises/", text)
        statement = self.parsed(text)
        if not isinstance(question, Puzzle):
            return statement
        blocks = question.prompt.removeprefix(question.statement.rstrip())
        box = html('<div class="kl-blocks">')
        return [*statement, box, *self.parsed(blocks), html("</div>")]

    def title(self, question: Question) -> nodes.paragraph:
        """Return the title, a link to the question on its sheet."""
        words = nodes.inline("", question.title)
        link = pending_xref("", words, refdomain="std", reftype="ref")
        link["reftarget"], link["refdoc"] = f"ex-{question.id}", self.env.docname
        link["refexplicit"], link["refwarn"] = True, True
        return nodes.paragraph("", "", link, classes=["kl-question-title"])

    def asides(self, question: Question) -> list[nodes.Node]:
        """Return hints and questions like this one, each for the question's file."""
        parts = [("hints", hint) for hint in question.hints]
        others = (make().statement for make in question.others[:MOST_OTHERS])
        parts += [("others", statement) for statement in others]
        first = Aside("", question=question.id, part="", about=about(question))
        return [first] + [
            Aside("", *self.parsed(text), question=question.id, part=part)
            for part, text in parts
        ]

    def parsed(self, markdown: str) -> list[nodes.Node]:
        """Return Markdown of a sheet as part of this page."""
        box = nodes.Element()
        lines = with_roles(markdown).strip().splitlines()
        source = StringList(lines, self.get_source_info()[0])
        self.state.nested_parse(source, self.content_offset, box)
        return box.children


class SheetDirective(SphinxDirective):
    """The line above the questions of a sheet."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        name = escape(self.arguments[0])
        return [html(f'<div class="kl-sheet" data-sheet="{name}"></div>')]


def course_bank(directive: SphinxDirective) -> Bank:
    return open_bank(Path(directive.env.srcdir) / "exercises")


def html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def opening(question: Question, sheet: Sheet | None) -> str:
    """Return the start of a question, with what the scripts have to know of it."""
    data = {
        "question": question.id,
        "kind": question.kind,
        "title": question.title,
        "points": str(question.points),
        "sheet": sheet.name if sheet else "",
        "hints": str(len(question.hints)),
        "others": str(min(len(question.others), MOST_OTHERS)),
        "setup": json.dumps(setup_of(question), ensure_ascii=False),
    }
    told = " ".join(f'data-{name}="{escape(value)}"' for name, value in data.items())
    return f"<div {MARK} {told}>"


def place(question: Question) -> str:
    """Return the place where the scripts build the fields, as high as they will be."""
    return (
        f'<div class="kl-work" style="min-height:{height(question):g}rem">'
        f'<p class="kl-no-script">{NO_SCRIPT}</p></div>'
        "<span data-kernellab-python hidden></span>"
    )


def height(question: Question) -> float:
    """Return how much room the fields of a question take, in rem."""
    told = setup_of(question)
    if "starter" in told:
        lines = told["starter"].rstrip().count("\n") + 2
        return BUTTONS + LINE * max(lines, FEWEST_LINES)
    rows = -(-len(told.get("fields", "ab")) // 2)  # two fields stand in a row
    return HEIGHTS.get(question.kind, BUTTONS + FIELD * rows)


def about(question: Question) -> dict[str, Any]:
    """Return what the files of a question begin with."""
    table = given(question.problem) if isinstance(question, Derivation) else ""
    solution = shown(question, question.references[0]) if question.references else ""
    return {"given": table, "solution": solution}


# --- the files of the questions -------------------------------------------------------


def visit_aside(translator: HTML5Translator, node: Aside) -> None:
    node["start"] = len(translator.body)


def depart_aside(translator: HTML5Translator, node: Aside) -> None:
    """Move what was written since the start of this node into the question's file."""
    text = "".join(translator.body[node["start"] :])
    del translator.body[node["start"] :]
    folder = Path(translator.builder.outdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{node['question']}.json"
    if node["part"]:
        content = json.loads(path.read_text(encoding="utf-8"))
        content[node["part"]].append(text)
    else:
        content = {"given": node["about"]["given"], "hints": [], "others": []}
        solution = {"text": node["about"]["solution"]}
        _write(path.with_suffix(".solution.json"), solution)
    _write(path, content)


def skip(translator: object, node: Aside) -> None:
    raise nodes.SkipNode


def write_course(app: Sphinx, exception: Exception | None) -> None:
    """Write what the pages show of the progress: the sheets and their questions."""
    if exception or app.builder.format != "html":
        return
    folder = Path(app.outdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    bank = open_bank(Path(app.srcdir) / "exercises")
    pages = app.env.all_docs
    listed = [summary(s) for s in bank.sheets if f"exercises/{s.name}" in pages]
    _write(folder / "course.json", {"sheets": listed})


def summary(sheet: Sheet) -> dict[str, Any]:
    """Return a sheet's title, its page, and the points of its questions."""
    return {
        "name": sheet.name,
        "title": sheet.title.partition(": ")[2].capitalize() or sheet.title,
        "page": f"exercises/{sheet.name}.html",
        "notebook": f"_sources/exercises/{sheet.name}.ipynb",
        "questions": [[q.id, q.title, q.points] for q in sheet.questions],
    }


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


# --- registering ----------------------------------------------------------------------


def load_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Add the scripts: progress to every page, questions where there are any."""
    app.add_css_file("live/questions/progress.css")
    app.add_js_file("live/questions/progress.js", type="module")
    body = context.get("body", "")
    if MARK in body or 'class="kl-sheet"' in body:
        app.add_css_file("live/questions/questions.css", priority=810)  # after live.css
        failed = "document.documentElement.classList.add('kl-no-modules')"
        app.add_js_file("live/questions/main.js", type="module", onerror=failed)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.setup_extension("question_places")
    app.add_directive("question", QuestionDirective)
    app.add_directive("question-sheet", SheetDirective)
    others = {name: (skip, None) for name in ("latex", "text", "man", "texinfo")}
    app.add_node(Aside, html=(visit_aside, depart_aside), **others)
    app.connect("html-page-context", load_scripts)
    app.connect("build-finished", write_course)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
