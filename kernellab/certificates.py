"""Certificates: a fit proves itself.

Any dual feasible point bounds the primal optimum from below (weak duality), so that

    primal − optimum ≤ primal − dual = gap,

whatever algorithm produced the two. A small gap is a proof that the fit is as good
as it can be; nobody has to trust the solver.

In floating point the two values agree at the optimum only up to rounding, and which
of them is larger depends on the order in which a processor adds. So a certificate
knows how far rounding may have moved primal − dual, and its gap is 0 within that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from kernellab.linalg import EPS

LAST_DIGITS = 8 * EPS
"""What two values that were computed in a few operations have not in common."""


def rounding_error(n: int, *sizes: float) -> float:
    """Return how far rounding may move a sum of inner products of n terms each.

    It is √n·ε·Σ|terms|, whatever the order of summation: the errors of n operations
    have changing signs, so they grow like √n.

    Parameters
    ----------
    n : the number of terms of the longest inner product.
    sizes : the sums Σ|terms|, term by term in absolute value, before anything cancels.

    Examples
    --------
    >>> rounding_error(4, 1.0, 2.0) == 6 * EPS
    True
    """
    return math.sqrt(n) * EPS * sum(sizes)


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
    rounding : how far rounding may have moved primal − dual; see `rounding_error`.
    assumes : what it takes for granted, in words; empty if nothing.

    Examples
    --------
    >>> c = Certificate(primal=2.5, dual=2.0, gradient_norm=1e-3)
    >>> c
    primal 2.5, dual 2, gap 0.5 (relative 0.2), gradient norm 0.001
    >>> c.gap, c.relative_gap
    (0.5, 0.2)
    >>> Certificate(primal=2.5, dual=2.5 + 1e-15, rounding=1e-14).gap
    0.0
    """

    primal: float
    dual: float
    gradient_norm: float | None = None
    jitter: float = 0.0
    kkt: Mapping[str, float] | None = None
    rounding: float = 0.0
    assumes: str = ""

    @property
    def gap(self) -> float:
        """primal − dual ≥ 0; exactly 0 if rounding explains what is left.

        So primal − optimum ≤ gap + rounding. Where rounding takes more than half of
        the digits nothing is hidden, and a negative gap says that nothing is proven.
        """
        difference, scale = self.primal - self.dual, self._scale
        noise = max(self.rounding, LAST_DIGITS * scale)
        explained = abs(difference) <= noise <= math.sqrt(EPS) * scale < math.inf
        return 0.0 if explained else difference

    @property
    def relative_gap(self) -> float:
        """The gap in units of the larger of |primal| and |dual|; 0 if both are 0."""
        return self.gap / self._scale if self._scale else 0.0

    @property
    def _scale(self) -> float:
        return max(abs(self.primal), abs(self.dual))

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
        if self.assumes:
            parts.append(f"if {self.assumes}")
        return ", ".join(parts)

    __repr__ = __str__
