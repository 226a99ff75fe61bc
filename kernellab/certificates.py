"""Certificates: a fit proves itself.

Any dual feasible point bounds the primal optimum from below (weak duality), so that

    primal − optimum ≤ primal − dual = gap,

whatever algorithm produced the two. A small gap is a proof that the fit is as good
as it can be; nobody has to trust the solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Certificate:
    """How far a fit can be from the optimum, from quantities anyone can recompute.

    Parameters
    ----------
    primal : value of the objective that is minimised, at the fit.
    dual : value of the dual objective that is maximised, at the fit.
    gradient_norm : norm of the gradient of the primal, where it has one.
    jitter : what was added to the diagonal after a failed factorisation; 0 if nothing.
    kkt : size of the residual of each condition of Karush, Kuhn and Tucker.

    Notes
    -----
    Source: S1 §4 (strong duality); E0-22 for ridge regression.

    Examples
    --------
    >>> c = Certificate(primal=2.5, dual=2.0, gradient_norm=1e-3)
    >>> c
    primal 2.5, dual 2, gap 0.5 (relative 0.2), gradient norm 0.001
    >>> c.gap, c.relative_gap
    (0.5, 0.2)
    """

    primal: float
    dual: float
    gradient_norm: float | None = None
    jitter: float = 0.0
    kkt: Mapping[str, float] | None = None

    @property
    def gap(self) -> float:
        """primal − dual ≥ 0; below zero only by rounding."""
        return self.primal - self.dual

    @property
    def relative_gap(self) -> float:
        """The gap in units of the larger of |primal| and |dual|; 0 if both are 0."""
        scale = max(abs(self.primal), abs(self.dual))
        return self.gap / scale if scale else 0.0

    def __str__(self) -> str:
        parts = [
            f"primal {self.primal:.6g}, dual {self.dual:.6g}, "
            f"gap {self.gap:.2g} (relative {self.relative_gap:.2g})"
        ]
        if self.gradient_norm is not None:
            parts.append(f"gradient norm {self.gradient_norm:.2g}")
        if self.kkt:
            parts += [f"{name} {value:.2g}" for name, value in self.kkt.items()]
        if self.jitter:
            parts.append(f"jitter {self.jitter:.2g}")
        return ", ".join(parts)

    __repr__ = __str__
