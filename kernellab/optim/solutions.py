"""What comes out of a problem: primal and dual solutions, or the reason for none."""

from __future__ import annotations

from dataclasses import dataclass

from kernellab.arrays import Array
from kernellab.optim.conditions import KKT, Multipliers, rounded
from kernellab.optim.infimum import CERTIFIED_GAP, Infimum


class Infeasible(ValueError):
    """No point satisfies all the constraints: the value of the problem is +∞."""


class Unbounded(ValueError):
    """The objective falls without end on the admissible region: the value is −∞."""


@dataclass(frozen=True, eq=False)
class PrimalSolution:
    """A solution of the primal, with multipliers that explain it if there are any.

    Attributes
    ----------
    w : (d,) array.
    value : f(w).
    multipliers : α, β, how well they satisfy ∇_w L = 0, and whether others do, too.
    kkt : the four residuals at (w, α, β).
    """

    w: Array
    value: float
    multipliers: Multipliers
    kkt: KKT

    @property
    def alpha(self) -> Array:
        """Multipliers of the inequalities."""
        return self.multipliers.alpha

    @property
    def beta(self) -> Array:
        """Multipliers of the equalities."""
        return self.multipliers.beta

    def __repr__(self) -> str:
        at = f"value {self.value:.6g} at w = {rounded(self.w)}"
        return f"{at}\n{self.multipliers}\n{self.kkt}"


@dataclass(frozen=True, eq=False)
class DualSolution:
    """The best multipliers found, with θ_D(α, β): a proved bound if certified."""

    value: Infimum
    alpha: Array
    beta: Array

    def __repr__(self) -> str:
        at = f"alpha = {rounded(self.alpha)}, beta = {rounded(self.beta)}"
        doubt = "" if self.value.certified else ", not certified"
        return f"dual value {self.value:.6g} at {at}{doubt}"


@dataclass(frozen=True)
class WeakDuality:
    """The largest θ_D and the least f among random multipliers and admissible points.

    >>> WeakDuality(10, Infimum(3.0), 1.0)
    10 trials: largest theta_D 3, not certified (an upper bound); the least f is 1
    """

    trials: int
    best_dual: Infimum
    best_primal: float

    @property
    def holds(self) -> bool | None:
        """Whether every θ_D ≤ every f, up to the error of θ_D; None if undecided."""
        tol = 2 * CERTIFIED_GAP * (1 + abs(self.best_primal))
        if self.best_dual <= self.best_primal + tol:
            return True
        return False if self.best_dual.certified else None

    def __repr__(self) -> str:
        start = f"{self.trials} trials: largest theta_D {self.best_dual:.6g}"
        least = f"{self.best_primal:.6g}"
        if self.holds is None:
            return f"{start}, not certified (an upper bound); the least f is {least}"
        return f"{start} {'≤' if self.holds else '> (violated)'} {least}, the least f"
