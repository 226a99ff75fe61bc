"""What comes out of a problem: a solution, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array
from kernellab.certificates import Certificate
from kernellab.optim.conditions import KKT, Multipliers


class Infeasible(ValueError):
    """No point satisfies all the constraints: the value of the problem is +∞."""


class Unbounded(ValueError):
    """The objective falls without end on the admissible region: the value is −∞."""


@dataclass(frozen=True, eq=False)
class Solution:
    """A solution of the primal, with multipliers that explain it if there are any.

    Attributes
    ----------
    w : (d,) array.
    value : f(w).
    multipliers : α, β, how well they satisfy ∇_w L = 0, and whether others do, too.
    kkt : the four residuals at (w, α, β).
    certificate : f(w), θ_D(α, β) and their gap.
    """

    w: Array
    value: float
    multipliers: Multipliers
    kkt: KKT
    certificate: Certificate

    @property
    def alpha(self) -> Array:
        """Multipliers of the inequalities."""
        return self.multipliers.alpha

    @property
    def beta(self) -> Array:
        """Multipliers of the equalities."""
        return self.multipliers.beta

    def __repr__(self) -> str:
        return (
            f"value {self.value:.6g} at w = {_rounded(self.w)}\n{self.multipliers}\n"
            f"{self.kkt}"
        )


@dataclass(frozen=True, eq=False)
class DualSolution:
    """The best bound found: θ_D(α, β), at multipliers α and β.

    Attributes
    ----------
    value : θ_D(α, β), a lower bound of the primal value.
    upper : a number that no θ_D exceeds, as far as the minima over Ω are right.
    alpha, beta : the multipliers.
    w : where the Lagrangian is least for them; need not be admissible.
    """

    value: float
    upper: float
    alpha: Array
    beta: Array
    w: Array

    def __repr__(self) -> str:
        return (
            f"dual value {self.value:.6g} at alpha = {_rounded(self.alpha)}, "
            f"beta = {_rounded(self.beta)}"
        )


def _rounded(values: Array) -> str:
    return str(np.round(values, 6) + 0.0)
