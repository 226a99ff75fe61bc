"""The grader in a page: an answer goes in as text, plain data comes out.

The page calls these functions through Python in the browser. They need no notebook, no
file but the sheets, no thread, no signal and no clock: the judge counts its work. A
program that a reader wrote runs in the same interpreter: the page calls `judge` for it
in a worker of its own, which it can end.
"""

from __future__ import annotations

from typing import Any

from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.classroom.marking import mark, to_json
from kernellab.grading.classroom.notebook_files import valid
from kernellab.grading.language.steps import MAX_STEPS


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
        number and verdict and the ``row`` of the text, from 0, in which it stands;
        for values ``marks``: by name, whether each is right.

    Examples
    --------
    >>> found = judge("push-through", "# first\\nA = A | algebra\\nA = A.T | algebra")
    >>> found["first_bad"], [(line["row"], line["status"]) for line in found["lines"]]
    (2, [(1, 'ok'), (2, 'wrong')])
    """
    question = open_bank().question(question_id)
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
        "marks": details if question.kind == "values" else {},
    }


def preview(question_id: str, text: str) -> dict[str, str]:
    """Show a kernel while it is being written: typeset, and what can be said of it.

    Parameters
    ----------
    question_id : a question that asks for a kernel.
    text : the answer so far, whatever it is.

    Returns
    -------
    dict
        ``mathml``, the formula, and ``verdict``: PROVEN, REFUTED or UNKNOWN and on
        which set; or ``message``, why the text is not a kernel yet.

    Examples
    --------
    >>> preview("days-of-the-year", "k = Linear() + 1")["verdict"]
    'PROVEN on ℝ'
    """
    # Here, because they bring NumPy with them, which derivations start without.
    from kernellab.grading.questions.kernel_formulas import formula_mathml
    from kernellab.kernels.proving.verdict import decide

    question: Any = open_bank().question(question_id)
    try:
        kernel = question.read(valid(text))
        verdict = decide(kernel, question.domain)
    except (ValueError, ArithmeticError, TypeError, LookupError) as error:
        return {"mathml": "", "verdict": "", "message": str(error)}
    shown = formula_mathml(f"k(x, x') = {kernel.latex}")
    return {"mathml": shown, "verdict": f"{verdict} on {verdict.domain}", "message": ""}


def ready() -> bool:
    """Return whether the judge works: it accepts a right line and refuses a wrong one.

    A page asks this where it has restored Python's memory. What is asked before that
    memory is written down is the same, so that it holds all that a judgement imports.

    Examples
    --------
    >>> ready()
    True
    """
    from kernellab.grading.problem import Milestone, Problem, Route
    from kernellab.grading.questions.derivations import Derivation

    route = Route((Milestone("the square", "S = A@A + 2*A + I"),))
    problem = Problem("ready", "A : N x N\nS : N x N = (A + I)@(A + I)", (route,))
    question = Derivation(
        id="ready", title="", statement="", points=1, references=(), problem=problem
    )
    right, wrong = (
        question.judge(f"S = A@A {sign} 2*A + I | def S", exam=True) for sign in "+-"
    )
    return right.status == "right" and wrong.status == "wrong"


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
