"""The problem with its data checked, and what a solution says of itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, number, reals
from kernellab.errors import InputError
from kernellab.linalg import EPS
from kernellab.svm.smo.rows import VariableRows
from kernellab.svm.smo.step import extremes

SUM_TOLERANCE = 1e-9
"""By how much, in units of the numbers that are added, a sum may miss `total`."""


class BoxProblem:
    """minimise ½βᵀKβ − sᵀβ subject to Σβ = total and lower ≤ β ≤ upper.

    Parameters
    ----------
    rows : K, as `VariableRows`.
    s : (m,) array, or one number for all variables.
    lower, upper : (m,) arrays or numbers; −∞ and ∞ mean that there is no bound.
    total : number.

    Examples
    --------
    The points −1 and 1 on the line, separated with C = 1:

    >>> from kernellab import kernels as kl
    >>> from kernellab.estimator import Inputs
    >>> from kernellab.svm.smo import VariableRows, solve
    >>> rows = VariableRows.of(Inputs.read(kl.Linear(), [[-1.0], [1.0]]))
    >>> found = solve(BoxProblem(rows, s=[-1, 1], lower=[-1, 0], upper=[0, 1]))
    >>> found.beta, found.bias, found.objective
    (array([-0.5,  0.5]), 0.0, -0.5)
    """

    def __init__(
        self,
        rows: VariableRows,
        s: ArrayLike,
        lower: ArrayLike,
        upper: ArrayLike,
        total: float = 0.0,
    ) -> None:
        self.rows = rows
        self.s = _finite(_vector(s, len(rows), "s"), "s")
        self.lower = _vector(lower, len(rows), "lower")
        self.upper = _vector(upper, len(rows), "upper")
        self.total = number(total, "total")
        self._norms = np.sqrt(np.abs(rows.diagonal))
        self._largest = float(self._norms.max()), float(np.abs(self.s).max())
        _require_box(self.lower, self.upper)

    def start(self) -> Array:
        """Return a feasible β: as near to 0 as the box allows, then filled up in
        order.
        """
        beta: Array = np.clip(0.0, self.lower, self.upper)
        rest = self.total - float(beta.sum())
        if not rest:
            return beta
        bound = self.upper if rest > 0 else self.lower
        room = np.abs(bound - beta)
        filled = np.concatenate([[0.0], np.cumsum(room)[:-1]])
        beta += np.sign(rest) * np.clip(abs(rest) - filled, 0.0, room)
        self._require_sum(beta, "no β in the box has the sum asked for")
        return beta

    def feasible(self, start: ArrayLike) -> Array:
        """Return a given start, checked and put exactly inside the box."""
        beta = _finite(_vector(start, len(self.s), "start"), "start")
        inside = np.clip(beta, self.lower, self.upper)
        size = 1.0 + np.abs(beta).max(initial=0.0)
        if np.abs(beta - inside).max(initial=0.0) > SUM_TOLERANCE * size:
            v = int(np.abs(beta - inside).argmax())
            raise InputError(
                f"start must be inside the bounds; start[{v}] = {beta[v]:.6g} is not "
                f"in [{self.lower[v]:.6g}, {self.upper[v]:.6g}]"
            )
        self._require_sum(inside, "start must have the sum asked for")
        return inside

    def _require_sum(self, beta: Array, what: str) -> None:
        size = float(np.abs(beta).sum()) + abs(self.total)
        if abs(beta.sum() - self.total) > SUM_TOLERANCE * size:
            raise InputError(
                f"{what}: Σβ must be {self.total:.6g}, and comes to {beta.sum():.6g}; "
                f"the bounds allow {self.lower.sum():.6g} to {self.upper.sum():.6g}"
            )

    def noise(self, beta: Array) -> float:
        """Return how far rounding alone can move an entry of Kβ − s.

        |K_ij| ≤ √K_ii √K_jj for a kernel, so Σ_j |K_ij β_j| ≤ √K_ii Σ_j √K_jj |β_j|.
        """
        norm, s = self._largest
        return EPS * (norm * float(self._norms @ np.abs(beta)) + s)


@dataclass(frozen=True, eq=False)
class BoxSolution:
    """A feasible β, and how good it is: all from one gradient, computed at the end.

    Attributes
    ----------
    beta : (m,) array, inside the box exactly, with Σβ = total up to rounding.
    gradient : (m,) array Kβ − s, in float64, from scratch.
    bias : b, the mean of −g over the free variables; without any, the middle of
        `bias_interval`, or its finite end.
    bias_interval : (m(β), M(β)). Where β is optimal, these are the b that satisfy the
        conditions of Karush, Kuhn and Tucker; before that, m(β) > M(β).
    violation : m(β) − M(β) if that is positive, else 0.
    noise : how far rounding alone can move an entry of the gradient.
    objective : W(β).
    iterations : steps of SMO, and Newton steps.
    converged : whether the violation is at most `tol`, or so small that it may be the
        rounding of the gradient alone.
    unbounded : whether W has no minimum on the feasible set.
    direction : then a δ along which W falls for ever: no bound is in its way, Σδ = 0,
        Σ|δ| = 1, δᵀKδ is 0 up to rounding (or negative, which no kernel allows), and
        sᵀδ > 0. Else None.
    """

    beta: Array
    gradient: Array
    bias: float
    bias_interval: tuple[float, float]
    violation: float
    noise: float
    objective: float
    iterations: int
    converged: bool
    unbounded: bool = False
    direction: Array | None = None


def measured(
    problem: BoxProblem,
    beta: Array,
    iterations: int,
    tol: float,
    direction: Array | None = None,
) -> BoxSolution:
    """Return what β is worth. O(n) values of the kernel for each β_v ≠ 0."""
    g = problem.rows.product(beta) - problem.s
    up, low = beta < problem.upper, beta > problem.lower
    m, M = extremes(-g, up, low)
    violation, noise = max(0.0, m - M), problem.noise(beta)
    return BoxSolution(
        beta,
        g,
        bias=_bias(g[up & low], m, M),
        bias_interval=(m, M),
        violation=violation,
        noise=noise,
        objective=0.5 * float(beta @ (g - problem.s)),
        iterations=iterations,
        converged=direction is None and violation <= max(tol, noise),
        unbounded=direction is not None,
        direction=direction,
    )


def _bias(free: Array, m: float, M: float) -> float:
    if free.size:
        return 0.0 - float(free.sum()) / free.size  # not −0.0
    ends = [end for end in (m, M) if np.isfinite(end)]
    return sum(ends) / len(ends) if ends else 0.0


def _vector(values: ArrayLike, m: int, name: str) -> Array:
    array = reals(values, f"{name} must be a number or an array of numbers")
    if array.shape not in ((), (m,)):
        raise InputError(
            f"{name} must be a number or have shape ({m},), one for each variable; "
            f"got {array.shape}"
        )
    return array.copy() if array.shape else np.full(m, float(array))


def _finite(array: Array, name: str) -> Array:
    if not np.isfinite(array).all():
        v = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError(f"{name} must be finite; {name}[{v}] is {array[v]}")
    return array


def _require_box(lower: Array, upper: Array) -> None:
    right = (lower <= upper) & (lower < np.inf) & (upper > -np.inf)
    if not right.all():
        v = int(right.argmin())
        raise InputError(
            "lower must not exceed upper, and neither may be NaN; for variable "
            f"{v} they are {lower[v]} and {upper[v]}"
        )
