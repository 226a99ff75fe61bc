"""Questions as authors write them: one text file each, in Python only for programs.

A file ``half.md`` declares the question ``half``::

    ---
    kind: values
    title: A half
    points: 2
    proofs: own
    ---

    What is $1/2$?

    ```values
    h = 1/2
    ```

    ```hints
    Cut it in two.

    How many of them make one?
    ```

    ```reference
    h = 1/2
    ```

    ```mistake at_most=0 says="not the value"
    # turned over
    h = 2
    ```

A question that needs a function is a Python file: its docstring is such a text, and
``QUESTION = question(__file__, __doc__, check=…)`` adds the function.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from kernellab.grading.authoring import kinds
from kernellab.grading.authoring.drawing import (
    BLOCK,
    Numbers,
    draws,
    with_numbers,
    without_answers,
)
from kernellab.grading.authoring.source import (
    Fenced,
    Source,
    SourceError,
    read_source,
)
from kernellab.grading.questions.base import Mistake, Question, Reference
from kernellab.grading.questions.values import Values

__all__ = ["SourceError", "question"]

_QUESTIONS = "kernellab.grading.questions."
CLASSES = {
    "derivation": ("derivations", "Derivation"),
    "values": ("values", "Values"),
    "puzzle": ("puzzles", "Puzzle"),
    "kernel proof": ("kernel_questions", "KernelProof"),
    "refutation": ("kernel_questions", "KernelRefutation"),
    "prove or refute": ("kernel_questions", "KernelClaim"),
    "code": ("code_questions", "CodeQuestion"),
}
FIELDS = ("kind", "title", "points", "proofs")


def question(file: str | Path, text: str | None, **python: Any) -> Question:
    """Read a question.

    Parameters
    ----------
    file : its file; the name without the ending is the question's id.
    text : what the author wrote.
    python : fields that only Python can say, such as the `check` of values.

    Raises
    ------
    SourceError
        If the text is not a question: the file, the line, and what was expected.

    Examples
    --------
    >>> text = "---\\nkind: values\\ntitle: Half\\npoints: 2\\n---\\n\\n1/2?\\n"
    >>> half = question("half.md", text + "\\n```values\\nh = 1/2\\n```\\n")
    >>> half.id, half.grade("h = 0.5").points
    ('half', 2.0)
    """
    source = read_source(Path(file), text or "")
    drawn = draws(source)
    if not drawn:
        return _made(source, python)
    if python:
        words = f"numbers are drawn for a text alone, not beside {', '.join(python)}"
        raise source.error(source.one(BLOCK).line, words)
    others = tuple(partial(_another, source, n, drawn[n]) for n in range(1, len(drawn)))
    return _made(with_numbers(source, drawn[0]), {"others": others})


def _another(source: Source, number: int, numbers: Numbers) -> Question:
    """Read the question with other numbers, whose reference are its values."""
    found = _made(without_answers(with_numbers(source, numbers)), {})
    assert isinstance(found, Values)
    answer = "\n".join(f"{value.name} = {value.shown}" for value in found.values)
    name = f"{found.id}/{number}"
    return replace(found, id=name, references=(Reference(answer),))


def _made(source: Source, python: dict[str, Any]) -> Question:
    line = source.line_of.get("kind", 1)
    kind = source.known(source.needed("kind"), line, CLASSES, "a kind of question")
    module, name = CLASSES[kind]
    said = kinds.READERS.get(kind, kinds.nothing_more)(source, FIELDS)
    made = getattr(import_module(_QUESTIONS + module), name)
    shared = common(source)
    try:
        found: Question = made(**shared, **said, **python)
    except (TypeError, ValueError) as error:
        raise source.error(1, str(error)) from error
    return found


def common(source: Source) -> dict[str, Any]:
    """Return the fields that all kinds of question share."""
    points, line = source.needed("points"), source.line_of.get("points", 1)
    if not points.isdecimal():
        raise source.error(line, f"points is a whole number, not “{points}”")
    references = tuple(map(_reference, source.of("reference")))
    known = {reference.name: reference.answer for reference in references}
    return {
        "id": source.path.stem,
        "title": source.needed("title"),
        "statement": source.statement,
        "points": int(points),
        "proofs": kinds.listed(source.fields.get("proofs", "")),
        "hints": tuple(p for block in source.of("hints") for p in block.paragraphs),
        "starter": "\n".join(block.text for block in source.of("starter")),
        "references": references,
        "mistakes": tuple(_mistake(source, b, known) for b in source.of("mistake")),
    }


def _reference(block: Fenced) -> Reference:
    answer = block.text.strip("\n")
    return Reference(answer, block.rest) if block.rest else Reference(answer)


def _mistake(source: Source, block: Fenced, references: dict[str, str]) -> Mistake:
    said = source.attributes(block, ("on", "first_bad", "at_most", "says"))
    why, answer = block.remark()
    if "on" in said:
        name = source.known(said["on"], block.line, references, "a reference")
        answer = _changed(source, block.line, references[name], answer)
    if not why:
        words = "a mistake begins with a line “# …” that says what is wrong with it"
        raise source.error(block.line, words)
    share = source.number(said.get("at_most", "0.9"), block.line, "at_most")
    bad = said.get("first_bad")
    first = int(source.number(bad, block.line, "first_bad")) if bad else None
    return Mistake(answer, why, first, said.get("says", ""), share)


def _changed(source: Source, line: int, reference: str, changes: str) -> str:
    """Return a reference with some lines replaced, left out if empty, or added."""
    lines = dict(enumerate(reference.splitlines(), 1))
    for change in changes.splitlines():
        number, colon, text = change.partition(":")
        if not (number.isdecimal() and colon):
            words = f"expected “number: the line instead”, found “{change}”"
            raise source.error(line, words)
        lines[int(number)] = text.strip()
    return "\n".join(lines[number] for number in sorted(lines) if lines[number])
