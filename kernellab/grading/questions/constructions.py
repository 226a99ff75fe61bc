"""Is this expression a proof that the target is a kernel? Verdict, then values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernellab.arrays import Array
from kernellab.grading.questions.agreement import Sample, first_difference, is_target
from kernellab.grading.questions.answers import Line, split_lines
from kernellab.grading.questions.feedback import Finding
from kernellab.grading.questions.given_kernels import GivenKernel, some_kernel
from kernellab.grading.questions.kernel_reader import KernelReader
from kernellab.kernels import Domain, FromFeatures, Kernel, Map, Reals
from kernellab.kernels.powers import Power
from kernellab.kernels.printing import ATOM, enclose
from kernellab.kernels.proving.verdict import Verdict, decide
from kernellab.kernels.reader import LEAVES
from kernellab.syntax import Unreadable
from kernellab.validity.domains import Box, FiniteSet

Target = str | Kernel | Callable[..., Kernel]

ROUNDS = 2
"""How often the given kernels are drawn."""

MOST_FACTORS = 6
"""The longest product that is written out in place of a power."""

SPOKEN = {
    "PolynomialOf": "polynomial",
    "Exp": "exp",
    "Normalized": "normalize",
    "Weighted": "weighted",
    "Pullback": "pullback",
    "OnColumns": "on",
}
"""How students write the nodes that have no name of their own in an answer."""


@dataclass(frozen=True, kw_only=True)
class Construction:
    """What is asked of an expression.

    Parameters
    ----------
    target : the kernel to build: an expression in the language of the answers, a
        kernel, or a function of the given kernels that returns one.
    domain : the set on which it must be proven.
    given : names of kernels by assumption; "k1+" if also k1(x, x) > 0 is given.
    functions : functions of a point that are given, by name.
    leaves : the kernels that may be named; by default all on vectors.
    forbid : classes of kernels that may not occur: "Gaussian", "PolynomialOf".
    require : names of rules that the proof must use: "product".
    may_name : whether a single kernel that equals the target may be used.
    dimensions : the dimensions in which values are compared.
    """

    target: Target = ""
    domain: Domain = field(default_factory=Reals)
    given: tuple[str, ...] = ()
    functions: Mapping[str, Map] = field(default_factory=dict)
    leaves: tuple[str, ...] = tuple(LEAVES)
    forbid: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    may_name: bool = False
    dimensions: tuple[int, ...] = ()

    def examine(self, lines: list[Line], seed: int) -> tuple[float, list[Finding]]:
        """Return the share of the points for the lines of an answer, and why."""
        rng = np.random.default_rng([seed, 2024])
        for _ in range(ROUNDS if self.given else 1):
            names = self._draw(rng)
            try:
                kernel = self._read(lines, names)
                banned = self._banned(kernel, any("^" in line.body for line in lines))
                if banned:
                    return 0.0, [Finding(False, banned)]
                findings = self._compare(kernel, names, rng)
            except Unreadable as error:
                return 0.0, [Finding(False, str(error))]
            if any(finding.ok is False for finding in findings):
                return 0.0, findings
        return self._rules(decide(kernel, self.domain), findings)

    # --- reading --------------------------------------------------------------------

    def read(self, answer: str) -> Kernel:
        """Return the kernel that an answer writes down, before any judgement."""
        return self.read_lines(split_lines(answer))

    def read_lines(self, lines: list[Line]) -> Kernel:
        """Return the kernel of an answer that has been split into its lines."""
        return self._read(lines, self._draw(np.random.default_rng(0)))

    def _draw(self, rng: np.random.Generator) -> dict[str, Kernel | Map]:
        """Return the names of the question, with kernels drawn for those that are
        given.
        """
        names: dict[str, Kernel | Map] = dict(self.functions)
        for text in self.given:
            positive = text.endswith("+")
            name = text.rstrip("+")
            instance = some_kernel(rng, positive=positive)
            names[name] = GivenKernel(name, instance, positive)
        return names

    def _read(self, lines: list[Line], names: Mapping[str, Kernel | Map]) -> Kernel:
        leaves = {name: LEAVES[name] for name in self.leaves}
        return KernelReader(leaves, names).read(lines)

    def _target(self, names: Mapping[str, Kernel | Map]) -> Kernel:
        if isinstance(self.target, str):
            return KernelReader(names=names).read(split_lines(self.target))
        if isinstance(self.target, Kernel):
            return self.target
        given = {name: k for name, k in names.items() if isinstance(k, Kernel)}
        return self.target(**given)

    # --- judging --------------------------------------------------------------------

    def _compare(
        self,
        kernel: Kernel,
        names: Mapping[str, Kernel | Map],
        rng: np.random.Generator,
    ) -> list[Finding]:
        """Return whether it is proven, and has the right values."""
        try:
            verdict = decide(kernel, self.domain)
            target, items = self._target(names), self._samples(rng)
            samples = [Sample.of(target, some) for some in items]
            difference = first_difference(kernel, samples)
        except (ValueError, ArithmeticError, TypeError, LookupError) as error:
            return [Finding(False, f"`{kernel!r}`: {_first_line(error)}")]
        return self._findings(kernel, verdict, difference, samples, names)

    def _findings(
        self,
        kernel: Kernel,
        verdict: Verdict,
        difference: str,
        samples: Sequence[Sample],
        names: Mapping[str, Kernel | Map],
    ) -> list[Finding]:
        # A witness against the target itself would be the answer to a refutation.
        said = _say(verdict, kernel, hide_witness=not difference)
        values = difference or "its values are those of the target"
        found = [Finding(bool(verdict), said), Finding(not difference, values)]
        if verdict and not difference:
            found += self._named(kernel, samples)
        if difference or verdict.witness:
            found += self._instances(names)
        return found

    def _banned(self, kernel: Kernel, hats: bool) -> str:
        """Return what may not be used, as it was typed, and what to do instead."""
        for node in kernel.nodes():
            name = type(node).__name__
            if name in self.forbid and isinstance(node, Power):
                return _power_in_words(node, hats)
            if name in self.forbid:
                spoken = SPOKEN.get(name, name)
                return f"`{spoken}` may not be used here: build it from other rules"
        return ""

    def _named(self, kernel: Kernel, samples: Sequence[Sample]) -> list[Finding]:
        """Return a complaint if a single leaf is the target: that would prove
        nothing.
        """
        if self.may_name:
            return []
        for node in kernel.nodes():
            plain = not node.children and not isinstance(node, FromFeatures)
            if plain and is_target(node, samples):
                text = f"`{node!r}` is the target by its name: build it from others"
                return [Finding(False, text)]
        return []

    def _rules(
        self, verdict: Verdict, findings: list[Finding]
    ) -> tuple[float, list[Finding]]:
        """Full marks if the proof uses the rules that are asked for, else half."""
        assert verdict.proof is not None
        used = {step.rule.name for step in verdict.proof.steps()}
        missing = [name for name in self.require if name not in used]
        if not missing:
            return 1.0, findings
        text = f"the proof should use the rule: {', '.join(missing)}"
        return 0.5, [*findings, Finding(False, text)]

    def _instances(self, names: Mapping[str, Kernel | Map]) -> list[Finding]:
        given = {n: k.instance for n, k in names.items() if isinstance(k, GivenKernel)}
        if not given:
            return []
        text = ", ".join(f"{name} = {k!r}" for name, k in given.items())
        return [Finding(None, f"the numbers above are for example with `{text}`")]

    def _samples(self, rng: np.random.Generator) -> list[Any]:
        """Return points of the domain: simple ones first, then random ones."""
        if isinstance(self.domain, FiniteSet):
            return [self.domain.items]
        own = self.domain.dimension if isinstance(self.domain, Box) else None
        dimensions = self.dimensions or ((own,) if own else (1, 2, 3))
        return [_points(self.domain, d, rng) for d in dimensions]


def _points(domain: Domain, d: int, rng: np.random.Generator) -> Array:
    low, high = -3.0, 3.0
    if isinstance(domain, Box):
        low, high = max(low, domain.low), min(high, domain.high)
    plain = np.array([0.0, 1.0, -1.0, 2.0, 0.5])
    steps = [np.roll(plain, -c) for c in range(d)]
    spread = low + (high - low) * rng.random((9, d))
    X = np.vstack([np.column_stack(steps), spread])
    return X[[domain.contains(x) for x in X]]


def _say(verdict: Verdict, kernel: Kernel, *, hide_witness: bool) -> str:
    """Return the verdict with its evidence, in a few lines."""
    if verdict.proof is not None:
        steps = verdict.proof.steps()
        used = "\n".join(
            f"{i}. `{s.kernel!r}`: {s.rule.name}" for i, s in enumerate(steps, 1)
        )
        return f"`{kernel!r}` is PROVEN on {verdict.domain}:\n{used}"
    if verdict.witness is not None and hide_witness:
        return f"REFUTED on {verdict.domain}: there are points that show it"
    if verdict.witness is not None:
        return f"REFUTED on {verdict.domain}: {verdict.witness}"
    return f"UNKNOWN: {verdict.gap}"


def _power_in_words(node: Power, hats: bool) -> str:
    """Return why k1**3 may not be used, and the product that may."""
    typed = _typed(f"{node!r}").replace(" ** ", "^" if hats else "**")
    if node.exponent == 0.5:
        typed = _typed(f"sqrt({node.kernel!r})")
    text = f"`{typed}`: powers may not be used here"
    if node.exponent not in range(2, MOST_FACTORS + 1):
        return f"{text}: build it from other rules"
    factor = _typed(enclose(node.kernel.format_source(), ATOM))
    return f"{text}; write the product `{'*'.join([factor] * int(node.exponent))}`"


def _typed(text: str) -> str:
    """Return the text of a kernel with whole numbers as a person types them."""
    return re.sub(r"(\d)\.0\b", r"\1", text)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:400]
