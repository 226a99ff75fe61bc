"""Proofs: the rules used at each node of an expression, composed into a tree.

As in disciplined convex programming, each node knows one rule and checks its own
side conditions; this file only walks the tree. A proof that is found is right. One
that is not found proves nothing: the `Gap` names the innermost node that no rule
covers, and the premise that is missing there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernellab.errors import InputError, NotProven
from kernellab.kernels.expression import Expression, Justification
from kernellab.text import escape_markdown, tex_text
from kernellab.validity.domains import Box, Domain, FiniteSet, Objects, PositiveDiagonal
from kernellab.validity.rules import IDENTITY, Condition, Rule


@dataclass(frozen=True)
class Proof:
    """A proof that `kernel` is positive definite on `domain`.

    Attributes
    ----------
    kernel, domain : what is proved.
    rule : the last rule used.
    conditions : its side conditions, with the values met.
    premises : the proofs that it rests on.
    note : how the rule applies here.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> print((3 * kl.Linear()).proof())
    3.0 * Linear() is a kernel on ℝᵈ for every d:
      1. Linear(): linear kernel
      2. 3.0 * Linear(): scaling, from 1; c = 3 ≥ 0
    """

    kernel: Expression
    domain: Domain
    rule: Rule
    conditions: tuple[Condition, ...] = ()
    premises: tuple[Proof, ...] = ()
    note: str = ""

    def steps(self) -> list[Proof]:
        """Return every step once, each after the steps that it rests on."""
        found: dict[tuple[Expression, Domain, str], Proof] = {}
        for step in self._walk():
            found.setdefault(step._key, step)
        return list(found.values())

    @property
    def _key(self) -> tuple[Expression, Domain, str]:
        return self.kernel, self.domain, repr(self.kernel)

    def _walk(self) -> Iterator[Proof]:
        for premise in self.premises:
            yield from premise._walk()
        yield self

    def _numbers(self) -> dict[tuple[Expression, Domain, str], int]:
        return {step._key: i for i, step in enumerate(self.steps(), 1)}

    def __str__(self) -> str:
        numbers = self._numbers()
        lines = [f"{self.kernel!r} is a kernel on {self.domain}:"]
        lines += [
            f"  {numbers[step._key]}. {step.kernel!r}: {step._reason(numbers)}"
            for step in self.steps()
        ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def _reason(self, numbers: dict[tuple[Expression, Domain, str], int]) -> str:
        """Say rule, premises, conditions and note in words."""
        origin = ", ".join(str(numbers[premise._key]) for premise in self.premises)
        text = self.rule.name + (f", from {origin}" if origin else "")
        for remark in [c.text for c in self.conditions] + [self.note]:
            text += f"; {remark}" if remark else ""
        return text

    @property
    def latex(self) -> str:
        """The derivation k₁ = …, k₂ = … k₁ …, one step per line, as LaTeX."""
        numbers = self._numbers()
        lines = [
            rf"k_{{{numbers[step._key]}}}(x, x') &= {step._formula(numbers)} "
            rf"&& \text{{{tex_text(step._short_reason(numbers))}}}"
            for step in self.steps()
        ]
        body = " \\\\\n".join(lines)
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def _short_reason(self, numbers: dict[tuple[Expression, Domain, str], int]) -> str:
        origin = ", ".join(str(numbers[premise._key]) for premise in self.premises)
        conditions = "".join(f", {c.text}" for c in self.conditions)
        return self.rule.name + (f" ({origin})" if origin else "") + conditions

    def _formula(self, numbers: dict[tuple[Expression, Domain, str], int]) -> str:
        """Return this kernel in terms of the numbered ones before it."""
        if self.rule == IDENTITY:
            return (
                f"{self.kernel.latex} = k_{{{numbers[self.premises[0]._key]}}}(x, x')"
            )
        children = self.kernel.children
        if not children or [p.kernel for p in self.premises] != list(children):
            return self.kernel.latex
        names = [f"k_{{{numbers[p._key]}}}" for p in self.premises]
        return self.kernel.latex_with(names)

    def _repr_markdown_(self) -> str:
        """Return the derivation for a notebook: each step with its rule."""
        numbers = self._numbers()
        name = escape_markdown(repr(self.kernel))
        lines = [f"**{name}** is a kernel on {self.domain}:", ""]
        for step in self.steps():
            number = numbers[step._key]
            reason = escape_markdown(step._reason(numbers))
            formula = f"$k_{{{number}}}(x, x') = {step._formula(numbers)}$"
            lines.append(f"{number}. {formula} — {reason}")
        return "\n".join([*lines, "", *self._rules_used()])

    def _rules_used(self) -> list[str]:
        """Return each rule of the proof with its own proof, folded away."""
        rules = dict.fromkeys(step.rule for step in self.steps())
        texts = [f"- *{r.name}*: {r.statement} {r.proof}" for r in rules]
        summary = "<details><summary>The rules, and why they hold</summary>"
        return [summary, "", *texts, "", "</details>"]


@dataclass(frozen=True)
class Gap:
    """Where a proof stops: the innermost node, and the premise that is missing.

    Attributes
    ----------
    kernel : the node.
    domain : the set on which it would have to be a kernel.
    rule : the rule that would apply.
    missing : the side condition that does not hold, or is not known to.
    """

    kernel: Expression
    domain: Domain
    rule: Rule
    missing: Condition

    def __str__(self) -> str:
        remedy = f" To mend it: {self.missing.remedy}." if self.missing.remedy else ""
        return (
            f"no rule proves {self.kernel!r} on {self.domain}; missing: "
            f"{self.missing.text}.{remedy}"
        )


def prove(kernel: Expression, domain: Domain | None = None) -> Proof | Gap:
    """Return a proof that `kernel` is a kernel on `domain`, or the gap in it."""
    domain = kernel.natural_domain() if domain is None else domain
    require_fit(kernel, domain)
    return _prove(kernel, domain)


def prove_or_raise(kernel: Expression, domain: Domain | None = None) -> Proof:
    """Return a proof, or the error that names its gap."""
    result = prove(kernel, domain)
    if isinstance(result, Gap):
        raise NotProven(f"{result} k.refute() looks for a counterexample.")
    return result


def require_fit(kernel: Expression, domain: Domain) -> None:
    """Raise an error unless the domain has points of the kind that the kernel takes."""
    if isinstance(domain, PositiveDiagonal):
        return require_fit(kernel, domain.base)
    if isinstance(domain, FiniteSet):
        kernel.read_points(domain.items, "the finite set")
        return None
    kind = domain.kind if isinstance(domain, Objects) else "vectors"
    complaint = None
    if isinstance(domain, Box) and domain.dimension is not None:
        complaint = kernel.dimension_error(domain.dimension)
    if kernel.space.name not in (kind, "anything"):
        complaint = f"{kernel!r} compares {kernel.space.name}"
    if complaint:
        raise InputError(f"{complaint}; the domain was {domain}")
    return None


def _prove(kernel: Expression, domain: Domain) -> Proof | Gap:
    how: Justification = kernel.justify(domain)
    premises: list[Proof] = []
    for child, child_domain in how.premises:
        result = _prove(child, child_domain)
        if isinstance(result, Gap):
            return result
        premises.append(result)
    for condition in how.conditions:
        if not condition.holds:
            return Gap(kernel, domain, how.rule, condition)
    if not _lives_on(kernel, domain):
        natural = kernel.natural_domain()
        text = f"{domain} lies in {natural}, the domain of {kernel!r}"
        return Gap(kernel, domain, how.rule, Condition(text, False))
    return Proof(kernel, domain, how.rule, how.conditions, tuple(premises), how.note)


def _lives_on(kernel: Expression, domain: Domain) -> bool:
    """Return whether a leaf is asked for on a part of its own domain.

    Other nodes ask it of their parts. A leaf that refuses points of other dimensions
    need not fear them in "ℝᵈ for every d".
    """
    natural = kernel.natural_domain()
    if kernel.children or not isinstance(natural, Box):
        return True
    base = domain.base if isinstance(domain, PositiveDiagonal) else domain
    if isinstance(base, Box) and base.dimension is None and natural.dimension:
        refuses = kernel.dimension_error(natural.dimension + 1) is not None
        base = base.of_dimension(natural.dimension) if refuses else base
    return base.within(natural)
