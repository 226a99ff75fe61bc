"""Questions whose answer is a function, run in a sandbox on fresh inputs.

The student's text goes to a child process (`kernellab.grading.sandbox`) with the inputs
of all cases. The reference and the comparison stay here: the child never sees what is
expected.
"""

from __future__ import annotations

import ast
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from kernellab.grading.questions.base import Question
from kernellab.grading.questions.code_comparison import (
    Numbers,
    difference,
    end_in_words,
    has_nan,
    show,
    trouble_in_words,
)
from kernellab.grading.questions.feedback import Finding, report
from kernellab.grading.questions.outcome import Outcome
from kernellab.grading.safe_text import presentable
from kernellab.grading.sandbox import Isolation, Limits, ProgramRun, run

Inputs = Callable[[np.random.Generator, int], tuple[Any, ...]]

HALF = 0.5
"""The most that an answer earns if one kind of case fails."""

CHANGES = "the function changes the arrays that it is given: work on a copy"
NAN_IN_A_BROWSER = (
    "nan came: in a browser NumPy returns it for a matrix that is singular, or not "
    "positive definite, where elsewhere it stops with LinAlgError"
)

MOST_OUTPUT = 600


@dataclass(frozen=True)
class Cases:
    """One kind of input.

    Parameters
    ----------
    name : what is special about it: "singular K", "one point".
    inputs : from a generator and a size, the arguments of one call: arrays, numbers,
        strings. Small sizes come first, and the first failing case is shown; small
        integers are easiest to read.
    count : how many cases, of sizes smallest, smallest + 1, ….
    weight : its part of the points, relative to the other kinds.
    smallest : the first size.
    """

    name: str
    inputs: Inputs
    count: int = 3
    weight: float = 1.0
    smallest: int = 2


@dataclass(frozen=True)
class _Case:
    """One call: what goes to the student, and what should come back."""

    group: int
    arguments: tuple[Any, ...]
    expected: tuple[Numbers, ...]
    outputs: int | None


@dataclass(frozen=True, kw_only=True)
class CodeQuestion(Question):
    """A function to write.

    All cases right earns all points. Otherwise nothing if the regular cases fail; and
    if they do not, the weights of the kinds of case that are right as a whole, but at
    most half. At most half, too, earns a function that changes the arrays it is given,
    where the statement asks to leave them as they are; elsewhere it is told so.

    Parameters
    ----------
    function : its name.
    signature : its first line, which the starter shows: "def ridge(K, t, lam):".
    reference : the right function; a tuple means several values.
    inputs : the regular inputs, as in `Cases`.
    cases : how many regular cases.
    smallest : the smallest size of them.
    edge_cases : other kinds of input.
    rtol, atol : a number may be off by atol + rtol·(largest entry of its array).
    limits : what the program may use.
    keep_arrays : whether the statement asks to leave the arrays as they are.

    Examples
    --------
    >>> from kernellab.grading.questions.base import Reference
    >>> question = CodeQuestion(
    ...     id="twice",
    ...     title="Twice",
    ...     statement="Return $2x$.",
    ...     points=2,
    ...     references=(Reference("def twice(x): return 2 * x"),),
    ...     function="twice",
    ...     signature="def twice(x):",
    ...     reference=lambda x: 2 * x,
    ...     inputs=lambda rng, size: (rng.integers(1, 9, size),),
    ... )
    >>> print(question.grade("def twice(x):\\n    return x + x"))
    Twice: right, 2 of 2 points
      ✓ regular: 8 of 8 cases right
    """

    kind: ClassVar[str] = "code"

    function: str
    signature: str
    reference: Callable[..., Any] = field(repr=False)
    inputs: Inputs = field(repr=False)
    cases: int = 8
    smallest: int = 2
    edge_cases: tuple[Cases, ...] = ()
    rtol: float = 1e-6
    atol: float = 1e-9
    limits: Limits = field(default_factory=Limits)
    keep_arrays: bool = False

    def __post_init__(self) -> None:
        """Let the starter show the signature, unless it says more itself."""
        if _signature(self.signature).name != self.function:
            raise ValueError(f"{self.signature!r} does not define {self.function}")
        if not self.starter:
            text = f"import numpy as np\n\n\n{self.signature}\n    ...\n"
            object.__setattr__(self, "starter", text)

    @property
    def groups(self) -> tuple[Cases, ...]:
        """All kinds of input, the regular ones first."""
        regular = Cases("regular", self.inputs, self.cases, smallest=self.smallest)
        return (regular, *self.edge_cases)

    def judge(self, answer: str, *, exam: bool = False, seed: int = 0) -> Outcome:
        """Run the answer on fresh inputs, and compare what it returns."""
        if len(answer) > self.limits.source:
            most = f"at most {self.limits.source} characters can be judged"
            words = Finding(False, f"the answer has {len(answer)} characters, {most}")
            return report(self, 0.0, [words], exam=exam)
        try:
            return self._judge(answer, exam, seed)
        except Exception as error:
            return self._failure(f"{type(error).__name__}: {error}")

    def _judge(self, answer: str, exam: bool, seed: int) -> Outcome:
        drawn = self._draw(seed)
        result = run(
            answer,
            self.function,
            [case.arguments for case in drawn],
            outputs=[case.outputs for case in drawn],
            limits=self.limits,
        )
        if result.end == "start":
            return self._failure(f"the sandbox did not start: {result.output[-600:]}")
        wrong = self._compare(drawn, result, answer)
        findings = self._findings(drawn, wrong, result, answer)
        share = self._share(drawn, wrong)
        if any(returned.changed for returned in result.returned):
            findings.append(Finding(False if self.keep_arrays else None, CHANGES))
            share = min(share, HALF) if self.keep_arrays else share
        findings += _remarks(result)
        return report(self, share, findings, exam=exam, data=_data(result))

    def _draw(self, seed: int) -> list[_Case]:
        """Return fresh cases, the same for the same seed; the reference's values with
        them.
        """
        root = [seed % 2**64, zlib.crc32(self.id.encode())]
        drawn = []
        for number, group in enumerate(self.groups):
            for index in range(group.count):
                rng = np.random.default_rng([*root, number, index])
                arguments = tuple(group.inputs(rng, group.smallest + index))
                drawn.append(self._case(number, arguments))
        return drawn

    def _case(self, group: int, arguments: tuple[Any, ...]) -> _Case:
        value = self.reference(*(_copy(argument) for argument in arguments))
        values = value if isinstance(value, tuple) else (value,)
        expected = tuple(np.asarray(item) for item in values)
        outputs = len(values) if isinstance(value, tuple) else None
        return _Case(group, arguments, expected, outputs)

    def _compare(
        self, drawn: list[_Case], result: ProgramRun, answer: str
    ) -> list[str]:
        """Return what is wrong with each case, in words; "" for a right one."""
        words = []
        for index, case in enumerate(drawn):
            if index >= len(result.returned):
                text = end_in_words(result, self.limits)
            elif trouble := result.returned[index].trouble:
                text = trouble_in_words(trouble, answer, self.limits)
            else:
                came = result.returned[index]
                text = difference(case.expected, came, self.rtol, self.atol)
            words.append(text)
        return words

    def _share(self, drawn: list[_Case], wrong: list[str]) -> float:
        failed = {c.group for c, text in zip(drawn, wrong, strict=True) if text}
        if not failed:
            return 1.0
        if 0 in failed:
            return 0.0
        weights = [group.weight for group in self.groups]
        kept = sum(w for number, w in enumerate(weights) if number not in failed)
        return min(HALF, kept / sum(weights))

    def _findings(
        self, drawn: list[_Case], wrong: list[str], result: ProgramRun, answer: str
    ) -> list[Finding]:
        if result.failed is not None:
            words = trouble_in_words(result.failed, answer, self.limits)
            return [Finding(False, f"the code does not run: {words}")]
        if not result.loaded:
            words = end_in_words(result, self.limits)
            return [Finding(False, f"the code does not run: {words}")]
        return [
            self._verdict(number, group, drawn, wrong)
            for number, group in enumerate(self.groups)
        ]

    def _verdict(
        self, number: int, group: Cases, drawn: list[_Case], wrong: list[str]
    ) -> Finding:
        """Return how many cases of a kind are right, and the first that is not."""
        mine = [(c, w) for c, w in zip(drawn, wrong, strict=True) if c.group == number]
        bad = [(case, words) for case, words in mine if words]
        text = f"{group.name}: {len(mine) - len(bad)} of {len(mine)} cases right"
        if not bad:
            return Finding(True, text)
        case, words = bad[0]
        return Finding(False, f"{text}\n{self._call(case.arguments)}\n{words}")

    def _call(self, arguments: tuple[Any, ...]) -> str:
        """Return the call that failed: "for K = [[1, 0], [0, 1]], lam = 0.5"."""
        declared = _signature(self.signature).args
        names = [argument.arg for argument in declared.posonlyargs + declared.args]
        names += [f"argument {n + 1}" for n in range(len(names), len(arguments))]
        pairs = zip(names, arguments, strict=False)
        return "for " + ", ".join(f"`{name} = {show(value)}`" for name, value in pairs)

    def _failure(self, why: str) -> Outcome:
        """Our own failure: the answer has to be looked at by a person."""
        summary = f"{self.title}: the grader could not judge this answer"
        text = f"{summary}\n  {why}"
        return Outcome(self.id, 0.0, self.points, "error", summary, text)


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _signature(text: str) -> ast.FunctionDef:
    tree = ast.parse(f"{text}\n    ...").body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise ValueError(f"{text!r} is not the first line of a function")
    return tree


def _remarks(result: ProgramRun) -> list[Finding]:
    remarks = []
    if printed := presentable(result.output):
        more = " …" if len(printed) > MOST_OUTPUT else ""
        remarks.append(Finding(None, f"printed: {printed[:MOST_OUTPUT]}{more}"))
    if result.isolation is Isolation.BROWSER:
        text = "it ran in your browser, where only the page limits its time"
        remarks.append(Finding(None, text))
        if any(map(has_nan, result.returned)):
            remarks.append(Finding(None, NAN_IN_A_BROWSER))
    return remarks


def _data(result: ProgramRun) -> dict[str, Any]:
    """Return how the program was kept apart, and how it ended."""
    return {"isolation": result.isolation.value, "end": result.end}
