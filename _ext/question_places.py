"""Put questions where they are asked: on their sheet, and inside a chapter.

The notebook of a sheet asks a question in one cell and takes its answer in the next,
``%%answer ID``. A chapter names a question in an admonition, which every viewer shows:

    :::{admonition} Your turn
    :class: question
    [The dual of ridge regression](../exercises/01_duality.ipynb#ex-ridge-dual)
    :::

Before Sphinx parses either, both become the directive ``question`` (`questions.py`).
"""

import json
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

Cell = dict[str, Any]

PLACED = re.compile(
    r"^(?P<fence>:{3,})\{admonition\}[^\n]*\n:class: question\n"
    r"(?P<body>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
LABEL = re.compile(r"#ex-([a-z0-9-]+)\)")
HOW = re.compile(r"^Each answer goes into the cell.*?\n?(?=\n|\Z)", re.MULTILINE)
HERE = (
    "Answer each question where it stands: the page grades it, as often as you like, "
    "with the same program as the notebook."
)
BEFORE_PARSING = 400  # earlier than the links become roles (plain_markdown)


def with_components(text: str) -> str:
    """Return the Markdown of a chapter with its questions as directives."""
    return PLACED.sub(_component, text)


def _component(match: re.Match[str]) -> str:
    label = LABEL.search(match["body"])
    if label is None:
        raise ValueError(
            "an admonition of the class “question” holds a link to a question of a "
            f"sheet, …ipynb#ex-ID; found {match['body'].strip()!r}"
        )
    return directive("question", label[1])


def directive(name: str, argument: str) -> str:
    return f":::{{{name}}} {argument}\n:::"


def sheet_page(cells: list[Cell], name: str) -> list[Cell]:
    """Return the cells of a sheet as the page shows them, with places to answer."""
    shown = (_shown(cell, name) for cell in cells)
    return [cell for cell in shown if cell is not None]


def _shown(cell: Cell, name: str) -> Cell | None:
    identity, source = cell.get("id", ""), "".join(cell["source"])
    if identity == "setup":
        return _markdown(identity, directive("question-sheet", name))
    if identity == "score" or source.startswith("%%answer"):
        return None
    if identity == "intro":
        return _markdown(identity, HOW.sub(HERE, source))
    if identity.startswith("q-"):
        heading = source.partition("\n\n")[0]
        question = directive("question", identity.removeprefix("q-"))
        return _markdown(identity, f"{heading}\n\n{question}")
    return cell


def _markdown(identity: str, source: str) -> Cell:
    return {
        "cell_type": "markdown",
        "id": identity,
        "metadata": {},
        "source": source,
    }


def place_questions(app: Sphinx, docname: str, source: list[str]) -> None:
    """Rewrite a page that Sphinx is about to parse."""
    path = Path(app.env.doc2path(docname))
    if path.suffix != ".ipynb":
        source[0] = with_components(source[0])
        return
    notebook = json.loads(source[0])
    if (path.with_suffix("") / "sheet.md").is_file():
        notebook["cells"] = sheet_page(notebook["cells"], path.stem)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = with_components("".join(cell["source"]))
    source[0] = json.dumps(notebook)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", place_questions, priority=BEFORE_PARSING)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
