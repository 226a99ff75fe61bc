"""The grader in a page: an answer goes in as text, plain data comes out.

The page calls `judge` through Python in the browser. It needs no notebook, no file but
the sheets, no thread and no signal; the judge's own clock bounds its time.
"""

from __future__ import annotations

from typing import Any

from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.classroom.marking import mark, to_json
from kernellab.grading.classroom.notebook_files import valid
from kernellab.grading.language.steps import MAX_STEPS

NOT_HERE = "code"  # programs run in a sandbox of processes, which a browser has not


def judge(question_id: str, text: str) -> dict[str, Any]:
    """Judge an answer to a question.

    Parameters
    ----------
    question_id : the question's id, as in ``%%answer id``.
    text : the answer, whatever it is.

    Returns
    -------
    dict
        ``status``, ``points``, ``out_of``, ``summary``, ``html`` (the report, typeset);
        for a derivation also ``first_bad``, ``missing``, and ``lines``, each with its
        number and verdict and the ``row`` of the text, from 0, in which it stands.

    Examples
    --------
    >>> found = judge("push-through", "# first\\nA = A | algebra\\nA = A.T | algebra")
    >>> found["first_bad"], [(line["row"], line["status"]) for line in found["lines"]]
    (2, [(1, 'ok'), (2, 'wrong')])
    """
    question = open_bank().question(question_id)
    if question.kind == NOT_HERE:
        raise ValueError(f"{question.id} asks for a program: answer it in the notebook")
    answer = valid(text)
    found = to_json(mark(question, answer, exam=False, seed=0))
    details = found.pop("data")
    lines = details.get("lines", [])[:MAX_STEPS]
    places = zip(rows(answer), lines, strict=False)
    return {
        **found,
        "first_bad": details.get("first_bad"),
        "missing": details.get("missing", []),
        "lines": [{"row": row, **line} for row, line in places],
    }


def rows(text: str) -> list[int]:
    """The rows of a text, counted from 0, that hold a step of a derivation.

    >>> rows("a = b | given\\n\\n# so\\n= c | use 1")
    [0, 3]
    """
    found = []
    for number, row in enumerate(text.split("\n")):
        # What an editor shows as one row may be several lines to Python.
        steps = (line.strip() for line in row.splitlines())
        found += [number for step in steps if step and not step.startswith("#")]
    return found
