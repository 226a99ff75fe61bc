"""Settings: what holds in every instance of a derivation at one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kernellab.grading.language.tree import Expr, cov, num, sym
from kernellab.grading.problem import Problem
from kernellab.grading.symbols import Symbol, below
from kernellab.grading.work import Work

Free = Mapping[str, str]  # free index → the size in which it runs
Equation = tuple[Expr, Expr, Free]
Bound = tuple[Expr, str, Expr, Free]
SIGNED = ("psd", "pd", "positive", "nonneg")  # what is checked where there is an order


@dataclass(frozen=True, eq=False)
class Setting:
    """What holds in every instance: symbols with their definitions, and equations.

    Parameters
    ----------
    problem : its sizes, variables, unknowns, tangents and covariances.
    symbols : the problem's and the student's own.
    equations : to be imposed: givens, stationarity, a sufficient condition.
    bounds : inequalities among the givens; only instances in which they hold count.
    invertible : assumed to be; only instances in which they are count.
    work : counts what is computed.
    drawn : the instances that were drawn so far; later lines use them again.
    """

    problem: Problem
    symbols: Mapping[str, Symbol]
    equations: tuple[Equation, ...] = ()
    bounds: tuple[Bound, ...] = ()
    invertible: tuple[Expr, ...] = ()
    work: Work = field(default_factory=Work)
    drawn: dict[Any, Any] = field(default_factory=dict, init=False)

    @cached_property
    def definitions(self) -> dict[str, Expr]:
        """What each symbol stands for, conditional moments included."""
        own = {n: s.definition for n, s in self.symbols.items() if s.definition}
        return {**own, **self._moments()}

    def _moments(self) -> dict[str, Expr]:
        """Return the conditional mean m = Gy and variance s₂ = cov(f,f) − G cov(y,f).

        The gain is G = cov(f,y) cov(y,y)⁻¹.
        """
        names = self.problem.conditional
        if not names:
            return {}
        f, y = (self.symbol(names[role]) for role in ("of", "given"))
        gain = cov(f, y) @ Expr("inv", (cov(y, y),), shape=cov(y, y).shape)
        variance = cov(f, f) - gain @ cov(y, f)
        return {names["mean"]: gain @ y, names["variance"]: variance}

    def symbol(self, name: str) -> Expr:
        """Return a symbol as an expression."""
        return sym(name, self.symbols[name].shape)

    @cached_property
    def transcendental(self) -> bool:
        """Whether something that is declared, such as positive, has no exact value."""
        signed = (s.definition for s in self.symbols.values() if s.kind in SIGNED)
        nodes = (node for side in signed if side is not None for node in side.walk())
        return any(node.data in ("exp", "log", "sqrt", "pi") for node in nodes)

    @cached_property
    def random_variables(self) -> tuple[str, ...]:
        """The random variables that have no definition."""
        symbols = self.symbols.items()
        return tuple(
            n for n, s in symbols if s.kind == "random" and n not in self.definitions
        )

    def reach(self, names: Iterable[str]) -> set[str]:
        """Return these names, and all that they are defined through."""
        found = set(names)
        return found.union(*(below(name, self.definitions.get) for name in found))

    def expressions(self, sides: Iterable[Expr]) -> list[Expr]:
        """Return these sides, the equations, and all definitions behind them."""
        found = [*sides, *(side for e in self.equations for side in e[:2])]
        names = set().union(*(side.symbols() for side in found))
        reached = self.reach(names)
        return found + [self.definitions[n] for n in reached if n in self.definitions]


def stationarity(problem: Problem, names: Iterable[str]) -> tuple[Equation, ...]:
    """Return grad(J, v) = 0 for some variables v of the object J."""
    gradients = map(problem.gradient, names if problem.object else ())
    return tuple((gradient, num(0, gradient.shape), {}) for gradient in gradients)
