"""Stochastic gradients: one example at a time (Bottou; Shalev-Shwartz et al.: Pegasos).

Write the problem as f(w) = (λ/2)‖w‖² + (1/n) Σ_i s_i ℓ(z_i·w), with λ = 1/(nC) and
C_i = C s_i. A random example i gives λw − s_i h z_i, an unbiased estimate of a
subgradient; h = −ℓ'(m_i) is 1 for the hinge and 2(1−m_i) for the squared hinge if
m_i < 1, else 0. With the step 1/(λτ), τ = t₀ + t, at the t-th example,

    w ← w − (1/(λτ)) (λw − s_i h z_i) = (1 − 1/τ) w + (n/τ) C_i h z_i.

Multiply by τ: the shrinking telescopes. If g is the sum of all C_i h z_i so far, then

    w = n g / τ,                                                                (1)

so an example costs as much as it has non-zeros, whatever the dimension: add to g, and
count. (Bottou's svmsgd keeps w as a number times a vector for the same reason.)

By (1) the method carries its own dual point. It is w = Zᵀα with

    α_i = (n/τ) · C_i · (sum of h over the visits to i).                        (2)

Each pass visits every example once, in random order. For the hinge and t₀ = 0, after
k passes α_i is C_i times the share of its k visits at which the margin was violated:
0 ≤ α_i ≤ C_i, a point of the box, and P(w) − D(α) is an honest certificate. A t₀ > 0
only makes α smaller, and so does Pegasos's projection of w onto a ball around 0 that
contains the solution.

f(w) falls like 1/(λτ), and w never settles: each example moves it by n C_i‖z_i‖/τ.
Averages do better. With weights proportional to τ (Lacoste-Julien, Schmidt and Bach
2012), Σ τw = n Σ g, and one more vector keeps the sum of all g so far:

    g_1 + … + g_t = (t+1) g_t − Σ_r r·(what step r added).                      (3)

The same average of (2), clipped to the box, certifies it.

Legend: as in `problem`; t examples seen, τ = t₀ + t; h slope of the loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.linear_svm.gap_monitor import GapMonitor
from kernellab.linear_svm.problem import LinearProblem, Rows, whole_number

MIN_SCALE = 1e-9
"""A scale below this is multiplied out, before it underflows."""


@dataclass(frozen=True)
class SGD:
    """Stochastic gradient descent with steps 1/(λτ).

    Parameters
    ----------
    average : whether to return the average of the iterates, with weights τ.
    start : t₀; None for (nC‖z‖²)^(3/4) as in Bottou's svmsgd, which makes the first
        steps neither wild nor timid. For the squared hinge t₀ is at least
        2n·max C_i‖z_i‖²: longer steps would overshoot, each more than the last.
    batch : examples in a step; the gradient is their mean.
    project : whether to keep w in the smallest ball that is known to contain the
        solution, ‖w‖² ≤ Σ C_i (half of it for the squared hinge).
    max_passes : passes over the data after which to stop.

    Notes
    -----
    A pass costs O(nnz) operations and, with `batch=1`, n turns of a Python loop.
    """

    average: bool = False
    start: float | None = None
    batch: int = 1
    project: bool = False
    max_passes: int = 100

    def __post_init__(self) -> None:
        if self.average and self.project:
            raise InputError(
                "average=True and project=True do not go together: the sums that make "
                "averaging cheap do not hold after a projection"
            )
        whole_number(self.batch, "batch")
        if self.start is not None and self.start < 0:
            raise InputError(f"start must not be negative, got {self.start!r}")

    def solve(
        self, problem: LinearProblem, watch: GapMonitor, rng: np.random.Generator
    ) -> None:
        """Run until `watch` says stop."""
        start = first_step(problem, self.start)
        sums = _Sums(problem, start, self.average, self.project)
        passes = 0
        while True:
            order = rng.permutation(problem.n)
            if self.batch == 1:
                sums.visit_one_by_one(order)
            else:
                for i in range(0, problem.n, self.batch):
                    sums.visit(order[i : i + self.batch])
            passes += 1
            if watch.see(passes, sums.w(), problem.clip(sums.alpha())):
                return


def Pegasos(project: bool = True, batch: int = 1, max_passes: int = 100) -> SGD:
    """Pegasos: `SGD` with t₀ = 0, and a projection that tames the first steps.

    Examples
    --------
    >>> Pegasos()
    SGD(average=False, start=0.0, batch=1, project=True, max_passes=100)
    """
    return SGD(start=0.0, batch=batch, project=project, max_passes=max_passes)


def first_step(problem: LinearProblem, wanted: float | None = None) -> float:
    """Return t₀, so that the first step 1/(λt₀) suits the data."""
    if problem.squared:
        stable = float(2 * problem.n * (problem.cost * square_norms(problem)).max())
        return max(stable, wanted or 0.0)
    if wanted is not None:
        return wanted
    return float((problem.cost.sum() * problem.mean_square) ** 0.75)


class _Sums:
    """g, what its average needs, and the visits; projections change the scale alone.

    Attributes
    ----------
    g : (d+1,) sum of C_i h z_i.
    later : (d+1,) the same with each step times its number t; for averages only.
    visits, late_visits : (n,) the same in the coordinates of α.
    """

    def __init__(
        self, problem: LinearProblem, start: float, average: bool, project: bool
    ) -> None:
        self.problem, self.start = problem, start
        self.average, self.project = average, project
        self.t, self.scale, self.square = 0, 1.0, 0.0
        self.g, self.later = np.zeros(problem.d), np.zeros(problem.d)
        self.visits, self.late_visits = np.zeros(problem.n), np.zeros(problem.n)
        self.row = _row_access(problem.X)
        half = 0.5 if problem.squared else 1.0
        self.radius = math.sqrt(half * float(problem.cost.sum()))

    def w(self) -> Array:
        """Equation (1), or the average of it by (3)."""
        return self._mean(self.g, self.later)

    def alpha(self) -> Array:
        """Equation (2), or the average of it."""
        return self._mean(self.visits, self.late_visits)

    def _mean(self, now: Array, later: Array) -> Array:
        n, t = self.problem.n, self.t
        if not self.average:
            return n * self.scale / (self.start + t) * now
        weights = t * self.start + t * (t + 1) / 2
        return n / weights * ((t + 1) * now - later)

    def visit(self, rows: NDArray[Any]) -> None:
        """Take one step with several examples."""
        part = self.problem.take(rows)
        tau = self.start + self.t
        m = part.margins(self.g) * (self.problem.n * self.scale / max(tau, 1))
        self.t += len(rows)
        c = part.cost * _slopes(m, part.squared)
        added = part.combine(c)
        self.g += added / self.scale
        self.visits[rows] += c / self.scale
        if self.average:  # as if made at the end of the batch
            self.later += self.t * added
            self.late_visits[rows] += self.t * c
        if self.project:
            self.square = self.scale**2 * float(self.g @ self.g)
            self._project()

    def visit_one_by_one(self, order: NDArray[Any]) -> None:
        """Make a whole pass, one example per step: the loop of Bottou's svmsgd."""
        p, row = self.problem, self.row
        n, bias = p.n, p.bias
        for i, y, cost in zip(
            order.tolist(), p.y[order].tolist(), p.cost[order].tolist(), strict=True
        ):
            x, at = row(i)
            tau = self.start + self.t
            product = x.dot(self.g[at]) + bias * self.g[-1]
            m = y * product * n * self.scale / tau if tau > 0 else 0.0
            self.t += 1
            if m >= 1:
                continue
            c = cost * (2 * (1 - m) if p.squared else 1.0)
            self._add(x, at, y, c, i)
            if self.project:
                before = self.scale * y * product  # g·z_i
                self.square += c * (2 * before + c * (x.dot(x) + bias**2))
                # Where the terms cancel, rounding can leave a square below 0.
                self.square = max(0.0, self.square)
                self._project()

    def _add(self, x: Array, at: Any, y: float, c: float, i: int) -> None:
        """g += c z_i, and the same for what the average needs."""
        step = y * c / self.scale
        self.g[at] += step * x
        self.g[-1] += step * self.problem.bias
        self.visits[i] += c / self.scale
        if self.average:
            self.later[at] += (step * self.t) * x
            self.later[-1] += step * self.t * self.problem.bias
            self.late_visits[i] += c * self.t

    def _project(self) -> None:
        """Pull w back into the ball, by the scale alone."""
        length = self.problem.n * math.sqrt(self.square) / (self.start + self.t)
        if length > self.radius:
            factor = self.radius / length
            self.scale *= factor
            self.square *= factor**2
        if self.scale < MIN_SCALE:
            self.g *= self.scale
            self.visits *= self.scale
            self.scale = 1.0


def _slopes(m: Array, squared: bool) -> Array:
    """Return h = −ℓ'(m)."""
    u = np.maximum(1 - m, 0)
    return 2 * u if squared else (u > 0).astype(np.float64)


Row = Callable[[int], tuple[Array, Any]]


def _row_access(X: Rows) -> Row:
    """Return the function i ↦ non-zeros of x_i, and where they are."""
    if isinstance(X, np.ndarray):
        everywhere = slice(0, X.shape[1])
        return lambda i: (X[i], everywhere)
    data, ends = X.data, X.indptr.tolist()
    columns = X.indices.astype(np.intp)  # others are converted at every use

    def row(i: int) -> tuple[Array, NDArray[np.intp]]:
        start, end = ends[i], ends[i + 1]
        return data[start:end], columns[start:end]

    return row


def square_norms(problem: LinearProblem) -> Array:
    """Return ‖z_i‖² for each row."""
    X: Any = problem.X
    if isinstance(X, np.ndarray):
        return np.asarray(np.einsum("ij,ij->i", X, X)) + problem.bias**2
    squares: Any = sparse.csr_array((X.data**2, X.indices, X.indptr), shape=X.shape)
    return np.asarray(squares @ np.ones(X.shape[1])) + problem.bias**2
