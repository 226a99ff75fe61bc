"""What comes out of a problem: primal and dual solutions, or the reason for none."""

from __future__ import annotations

from dataclasses import dataclass

from kernellab.arrays import Array
from kernellab.optim.conditions import KKT, Multipliers, rounded
from kernellab.optim.infimum import Infimum


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
    dual : θ_D(α, β), certified or not.
    """

    w: Array
    value: float
    multipliers: Multipliers
    kkt: KKT
    dual: Infimum

    @property
    def alpha(self) -> Array:
        """Multipliers of the inequalities."""
        return self.multipliers.alpha

    @property
    def beta(self) -> Array:
        """Multipliers of the equalities."""
        return self.multipliers.beta

    @property
    def gap(self) -> float:
        """f(w) minus what is proved of θ_D: no admissible point is better by more."""
        return self.value - self.dual.lower

    def __repr__(self) -> str:
        at = f"value {self.value:.6g} at w = {rounded(self.w)}"
        return f"{at}\n{self.multipliers}\n{self.kkt}"


@dataclass(frozen=True, eq=False)
class DualSolution:
    """The best multipliers found, with θ_D(α, β): a proved bound if `certified`."""

    value: float
    alpha: Array
    beta: Array
    certified: bool = True

    def __repr__(self) -> str:
        at = f"alpha = {rounded(self.alpha)}, beta = {rounded(self.beta)}"
        doubt = "" if self.certified else ", not certified"
        return f"dual value {self.value:.6g} at {at}{doubt}"


@dataclass(frozen=True)
class WeakDuality:
    """The largest θ_D and the least f among random multipliers and admissible points.

    `best_dual` is the largest θ_D as found (each is an upper bound), `proved_dual` the
    largest that is proved.

    Examples
    --------
    >>> WeakDuality(10, best_dual=3.0, proved_dual=-9.0, best_primal=1.0)
    10 trials: largest theta_D 3, not certified (an upper bound); the least f is 1
    """

    trials: int
    best_dual: float
    proved_dual: float
    best_primal: float

    @property
    def holds(self) -> bool | None:
        """Whether every θ_D ≤ every f, up to rounding; None if this is not decided."""
        most = self.best_primal + 1e-9 * (1 + abs(self.best_primal))
        if self.best_dual <= most:
            return True
        return False if self.proved_dual > most else None

    def __repr__(self) -> str:
        start = f"{self.trials} trials: largest theta_D {self.best_dual:.6g}"
        if self.holds is None:
            rest = f"the least f is {self.best_primal:.6g}"
            return f"{start}, not certified (an upper bound); {rest}"
        sign = "≤" if self.holds else "> (violated)"
        return f"{start} {sign} {self.best_primal:.6g}, the least f"
