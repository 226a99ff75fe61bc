"""Questions on kernels: build one by the rules, bring one down, or decide which."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

from kernellab.grading.questions.answers import Line, split_lines
from kernellab.grading.questions.base import Question
from kernellab.grading.questions.constructions import Construction
from kernellab.grading.questions.exact import Real
from kernellab.grading.questions.feedback import Finding, report
from kernellab.grading.questions.outcome import Outcome
from kernellab.grading.questions.refutations import Refutation
from kernellab.kernels import FromFunction, Kernel
from kernellab.syntax import Unreadable

SAYS_VALID = ("valid", "kernel", "yes", "true", "prove", "proof")
SAYS_INVALID = ("invalid", "not valid", "not a kernel", "no", "false", "refute")


@dataclass(frozen=True, kw_only=True)
class KernelProof(Construction, Question):
    """Build the target from kernels and rules, so that it proves itself.

    Examples
    --------
    >>> from kernellab.grading.questions.base import Reference
    >>> question = KernelProof(
    ...     id="square",
    ...     title="A square",
    ...     statement="Build $(k_1 + k_2)^2$.",
    ...     points=2,
    ...     references=(Reference("k = k1*k1 + 2*k1*k2 + k2*k2"),),
    ...     target="(k1 + k2)**2",
    ...     given=("k1", "k2"),
    ...     forbid=("Power",),
    ... )
    >>> question.grade("s = k1 + k2; k = s*s").status
    'right'
    >>> question.grade("k = k1*k1 + k2*k2").status
    'wrong'
    """

    kind: ClassVar[str] = "kernel proof"

    def judge(self, answer: str, *, exam: bool = False, seed: int = 0) -> Outcome:
        """Read the expression, let it prove itself, compare its values."""
        try:
            share, findings = self.examine(split_lines(answer), seed)
        except Unreadable as error:
            share, findings = 0.0, [Finding(False, str(error))]
        return report(self, share, findings, exam=exam)


@dataclass(frozen=True, kw_only=True)
class KernelRefutation(Refutation, Question):
    """Give points and a vector c with cᵀKc < 0.

    Examples
    --------
    >>> from kernellab.grading.questions.base import Reference
    >>> question = KernelRefutation(
    ...     id="parabola",
    ...     title="A parabola",
    ...     statement="…",
    ...     points=1,
    ...     references=(Reference("points = [0, 2]; c = [1, 1]"),),
    ...     formula=lambda x, z: 1 - (x[0] - z[0]) ** 2,
    ... )
    >>> print(question.grade("points = [0, 2]; c = [1, 1]"))
    A parabola: right, 1 of 1 points
      ✓ cᵀKc = -4 < 0 at the points [[0], [2]]
    """

    kind: ClassVar[str] = "refutation"

    def judge(self, answer: str, *, exam: bool = False, seed: int = 0) -> Outcome:
        """Compute cᵀKc so that its sign is certain."""
        try:
            share, findings = self.examine(split_lines(answer))
        except Unreadable as error:
            share, findings = 0.0, [Finding(False, str(error))]
        return report(self, share, findings, exam=exam)


@dataclass(frozen=True, kw_only=True)
class KernelClaim(Refutation, Question):
    """Prove or refute: `valid` with an expression, or `invalid` with a witness.

    Parameters
    ----------
    valid : whether the claim is true.
    formula : the function in question; it is the target of a proof, too.
    rules : what may be used in a proof; its target and domain are those above.

    Examples
    --------
    >>> from kernellab.grading.questions.base import Reference
    >>> question = KernelClaim(
    ...     id="claim",
    ...     title="A claim",
    ...     statement="Is $1 + xx'$ a kernel on the line?",
    ...     points=2,
    ...     references=(Reference("valid; k = 1 + Linear()"),),
    ...     formula=lambda x, z: 1 + x[0] * z[0],
    ...     valid=True,
    ... )
    >>> question.grade("valid; k = 1 + Linear()").status
    'right'
    """

    kind: ClassVar[str] = "prove or refute"

    valid: bool
    rules: Construction = field(default_factory=Construction)

    def judge(self, answer: str, *, exam: bool = False, seed: int = 0) -> Outcome:
        """Judge the rest of the answer by the side that its first line takes."""
        try:
            side, rest = _take_side(answer)
            share, findings = self._examine_side(side, rest, seed)
        except Unreadable as error:
            side, share, findings = None, 0.0, [Finding(False, str(error))]
        return report(self, share, findings, exam=exam, data={"side": side})

    def _examine_side(
        self, side: bool, lines: list[Line], seed: int
    ) -> tuple[float, list[Finding]]:
        if not lines:
            wanted = "the expression `k = …`" if side else "`points` and `c`"
            raise Unreadable(f"say why: after the first line write {wanted}")
        if side:
            target = FromFunction(self._float_formula, "k")
            proof = replace(self.rules, target=target, domain=self.domain)
            share, findings = proof.examine(lines, seed)
        else:
            share, findings = self.examine(lines)
        if share and side != self.valid:
            # Equal values at the points that were tried do not make a claim true.
            findings.append(Finding(False, "but they differ at other points"))
        return (share if side == self.valid else 0.0), findings

    def read(self, answer: str) -> Kernel:
        """Return the kernel that an answer writes down after the word `valid`."""
        side, rest = _take_side(answer)
        if not side:
            raise Unreadable("a refutation has no kernel to show")
        return replace(self.rules, domain=self.domain).read_lines(rest)

    def _float_formula(self, x: Any, z: Any) -> float:
        return float(self.formula(_exactly(x), _exactly(z)))


def _exactly(x: Any) -> tuple[Real, ...]:
    return tuple(Real(Fraction(float(value))) for value in x)


def _take_side(answer: str) -> tuple[bool, list[Line]]:
    """Return whether the first line says valid or invalid, and the lines after it."""
    lines = split_lines(answer)
    first = lines[0] if lines else Line(0, "", "", "")
    word = " ".join(first.body.lower().strip("\"'`.!").split())
    if word not in SAYS_VALID + SAYS_INVALID:
        raise Unreadable("the first line says `valid` or `invalid`; then say why")
    return word in SAYS_VALID, lines[1:]
