"""Settings: what holds in every instance of a derivation at one line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import ZERO, Expr
from kernellab.grading.symbols import Symbol

Free = Mapping[str, str]  # free index → the size in which it runs
Equation = tuple[Expr, Expr, Free]
Bound = tuple[Expr, str, Expr, Free]


@dataclass
class Drawn:
    """Instances by what they were drawn for, and when to give up drawing."""

    instances: dict[Any, Any] = field(default_factory=dict)
    until: float = math.inf


@dataclass(frozen=True, eq=False)
class Setting:
    """What holds in every instance: symbols with their definitions, and equations.

    Parameters
    ----------
    symbols : the problem's and the student's own.
    regimes : the sizes to try.
    tangents : symbol → the symbol of its derivative along θ.
    covariances : pairs of random variables → their covariance.
    conditional : the symbols of a conditional "mean" and "variance", "of" a random
        number "given" a random vector; the first two get their true values.
    object, variables : the function that is optimised, and by what.
    equations : to be imposed: givens, stationarity, a sufficient condition.
    bounds : inequalities among the givens; only instances in which they hold count.
    unknowns : what the equations are solved for, in this order.
    invertible : assumed to be; only instances in which they are count.
    """

    symbols: Mapping[str, Symbol]
    regimes: tuple[Mapping[str, int], ...] = ({},)
    tangents: Mapping[str, str] = field(default_factory=dict)
    covariances: Mapping[tuple[str, str], Expr] = field(default_factory=dict)
    conditional: Mapping[str, str] = field(default_factory=dict)
    object: str | None = None
    variables: tuple[str, ...] = ()
    equations: tuple[Equation, ...] = ()
    bounds: tuple[Bound, ...] = ()
    unknowns: tuple[str, ...] = ()
    invertible: tuple[Expr, ...] = ()

    @cached_property
    def drawn(self) -> Drawn:
        """The instances that were drawn so far; later lines use them again."""
        return Drawn()

    @cached_property
    def definitions(self) -> dict[str, Expr]:
        """What each symbol stands for, conditional moments included."""
        own = {n: s.definition for n, s in self.symbols.items() if s.definition}
        return {**own, **self._moments()}

    def _moments(self) -> dict[str, Expr]:
        """Return the conditional mean m = Gy and variance s₂ = cov(f,f) − G cov(y,f).

        The gain is G = cov(f,y) cov(y,y)⁻¹.
        """
        if not self.conditional:
            return {}
        f, y = (self.symbol(self.conditional[role]) for role in ("of", "given"))
        inverse = Expr("inv", (_cov(y, y),), shape=_cov(y, y).shape)
        gain = _product(_cov(f, y), inverse)
        explained = _product(gain, _cov(y, f))
        return {
            self.conditional["mean"]: _product(gain, y),
            self.conditional["variance"]: Expr(
                "sub", (_cov(f, f), explained), shape=NUMBER
            ),
        }

    def symbol(self, name: str) -> Expr:
        """Return a symbol as an expression."""
        return Expr("sym", data=name, shape=self.symbols[name].shape)

    @cached_property
    def random_variables(self) -> tuple[str, ...]:
        """The random variables that have no definition."""
        symbols = self.symbols.items()
        return tuple(
            n for n, s in symbols if s.kind == "random" and n not in self.definitions
        )

    def reach(self, names: Iterable[str]) -> set[str]:
        """Return these names, and all that they are defined through."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                if name in self.definitions:
                    waiting += self.definitions[name].symbols()
        return found

    def expressions(self, sides: Iterable[Expr]) -> list[Expr]:
        """Return these sides, the equations, and all definitions behind them."""
        found = [*sides, *(side for e in self.equations for side in e[:2])]
        names = set().union(*(side.symbols() for side in found))
        reached = self.reach(names)
        return found + [self.definitions[n] for n in reached if n in self.definitions]

    def stationarity(self) -> tuple[Equation, ...]:
        """Return grad(J, v) = 0 for each variable v of the object J."""
        if self.object is None:
            return ()
        J = self.symbol(self.object)
        found: list[Equation] = []
        for variable in map(self.symbol, self.variables):
            gradient = Expr("grad", (J, variable), shape=variable.shape)
            found.append((gradient, replace(ZERO, shape=variable.shape), {}))
        return tuple(found)


def _cov(one: Expr, two: Expr) -> Expr:
    assert one.shape is not None
    assert two.shape is not None
    return Expr("call", (one, two), "cov", (one.shape[0], two.shape[0]))


def _product(one: Expr, two: Expr) -> Expr:
    assert one.shape is not None
    assert two.shape is not None
    return Expr("mul", (one, two), "@", (one.shape[0], two.shape[1]))
