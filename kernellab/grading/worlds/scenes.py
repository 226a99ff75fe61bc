"""Scenes: the symbols of a derivation, and what its reasons have opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kernellab.grading.language.tree import Expr
from kernellab.grading.symbols import Symbol


@dataclass(frozen=True)
class Opened:
    """What the reasons of a line have opened.

    Parameters
    ----------
    definitions : name → the expression that replaces it.
    inverses : the matrices whose inverse is the true one; None opens all of them.
    gradient, derivative, covariance : whether grad, d and cov are computed.
    stationary : variables by which the gradient of the object is zero.
    results : an expression, as text → what a cited line puts in its place.
    """

    definitions: Mapping[str, Expr] = field(default_factory=dict)
    inverses: tuple[Expr, ...] | None = ()
    gradient: bool = False
    derivative: bool = False
    covariance: bool = False
    stationary: frozenset[str] = frozenset()
    results: Mapping[str, Expr] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """What all worlds of a derivation share at one line.

    Parameters
    ----------
    symbols : the problem's and the student's.
    tangents : name → its derivative along θ: C → dC.
    covariances : pairs of random variables → their covariance: (y, f) → k.
    object : the function that is optimised, if any.
    variables : by which it is optimised.
    """

    symbols: Mapping[str, Symbol]
    tangents: Mapping[str, str] = field(default_factory=dict)
    covariances: Mapping[tuple[str, str], Expr] = field(default_factory=dict)
    object: str | None = None
    variables: tuple[str, ...] = ()

    def depends(self, name: str, on: str) -> bool:
        """Whether a symbol is defined, at any depth, through another."""
        definition = self.symbols[name].definition if name in self.symbols else None
        if definition is None:
            return False
        below = definition.symbols()
        return on in below or any(self.depends(b, on) for b in below - {name})
