"""Pivoted Cholesky: the low-rank factor of a Gram matrix, one column at a time.

The Cholesky factor of K is found column by column. Stop after r of them, and take at
each step a column that still matters (a *pivot*): then K ≈ LLᵀ with an n×r factor L,
from r columns of K and its diagonal. Let d_i = k(x_i, x_i) at the start, and repeat

    choose a pivot p,  e = k(X, x_p) − L L_pᵀ,  l = e/√d_p,  L ← [L, l],  d ← d − l².

This is the method of Gram and Schmidt in the feature space: l_i is the component of
φ(x_i) along the part of φ(x_p) that is orthogonal to all earlier pivots. So after r
steps row i of L holds the coordinates of the projection of φ(x_i) on
span{φ(x_p) : p a pivot}, in an orthonormal basis of it, and

- LLᵀ = K_nr K_rr⁻¹ K_rn: the Nyström approximation whose landmarks are the pivots;
- d_i is the squared distance of φ(x_i) to that space, and tr(K − LLᵀ) = Σ d_i is the
  nuclear norm of the error (`kernellab.lowrank.base`). It is known at every step,
  exactly, and free.

This is an orthogonal projection in the feature space, in O(nr²). To project the columns
of K in ℝⁿ, QQᵀK, is another thing: not symmetric, and O(n²r), since it reads all of K.
The first r columns are a poor choice if points come in order, or twice. Two rules
choose better:

greedy
    the largest d_i: the worst point is the next to become exact;
random
    p with probability d_p/Σd (RPCholesky; Chen, Epperly, Tropp and Webber 2025). Greedy
    pivots go to outliers first; random ones go where much of the trace is left. After
    r ≥ s/ε + s·log(1/(εη)) steps the expected error is at most 1 + ε times that of the
    best approximation of rank s, if that one has the relative error η.

Legend: n points; r columns; L (n×r); d (n) residual diagonal; p pivot.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.arrays import Array, RandomState, generator, number, whole
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.kernels import gram
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.kernels.proving.advice import advice
from kernellab.linalg import JITTERS, PivotedFactor, symmetric
from kernellab.linalg.pivoted import ROOM
from kernellab.lowrank.base import read_kernel

RANK_TOLERANCE = 1e-13
"""d_i below RANK_TOLERANCE·max k(x,x) is rounding: no column is left that matters."""


@dataclass(frozen=True, eq=False, repr=False)
class PivotedCholesky:
    """K ≈ LLᵀ. Made by `pivoted_cholesky`.

    Attributes
    ----------
    L : (n, r) array. Row i is the projection of φ(x_i); L[pivots] is lower triangular.
    pivots : (r,) indices of the points, in the order in which they were chosen.
    errors : (r + 1,) array, tr(K − L_j L_jᵀ) for the first j = 0, …, r columns.
    residuals : (n,) array, the diagonal of K − LLᵀ.
    """

    L: Array
    pivots: NDArray[np.intp]
    errors: Array
    residuals: Array

    @property
    def rank(self) -> int:
        """The number of columns r."""
        return len(self.pivots)

    @property
    def relative(self) -> float:
        """tr(K − LLᵀ)/tr K."""
        return float(self.errors[-1] / self.errors[0]) if self.errors[0] else 0.0

    def __repr__(self) -> str:
        return (
            f"Pivoted Cholesky factor of {len(self.L)} points: {self.rank} columns, "
            f"tr(K − LLᵀ) = {self.errors[-1]:.3g}, {self.relative:.2g} of tr K"
        )


def pivoted_cholesky(
    kernel: Kernel,
    X: Any,
    rank: int | None = None,
    tol: float | None = None,
    random: bool = False,
    random_state: RandomState = 0,
) -> PivotedCholesky:
    """Return K ≈ LLᵀ from a few columns of K.

    Parameters
    ----------
    kernel : Kernel.
    X : (n, d) array, or n objects.
    rank : the most columns to compute; None for as many as `tol` needs.
    tol : stop when tr(K − LLᵀ) ≤ tol·tr K; None to go on to `rank`. Without both, until
        nothing is left but rounding: LLᵀ = K.
    random : choose a pivot with probability d_p/Σd, rather than the largest d_p.
    random_state : seed of that choice.

    Returns
    -------
    PivotedCholesky. It has fewer columns than `rank` if nothing is left: K has at most
    as many independent columns as there are distinct points.

    Raises
    ------
    NotPositiveDefinite
        If some d_i becomes negative by more than rounding: then k is not a kernel.

    Notes
    -----
    nr values of k and nr² multiplications, nr numbers of memory. Column j costs one
    product of the j earlier ones with a vector.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X = np.linspace(0, 1, 200)[:, None]
    >>> factor = pivoted_cholesky(kl.Gaussian(sigma=0.5), X, tol=1e-6)
    >>> factor.rank, factor.pivots[:3]
    (7, array([  0, 199,  99]))
    >>> K = kl.Gaussian(sigma=0.5)(X)
    >>> nuclear = np.linalg.svd(K - factor.L @ factor.L.T, compute_uv=False).sum()
    >>> bool(np.isclose(nuclear, factor.errors[-1]))
    True
    """
    kernel = read_kernel(kernel)
    points = kernel.read_points(X, "X")
    n = len(points)
    if n == 0:
        raise InputError("X must have one point or more, got none")
    most = n if rank is None else min(n, whole(rank, "rank", 1))
    rng = generator(random_state)
    run = _Factoring(kernel, points, most, ROOM if rank is None else most)
    run.go(_read_tol(tol), _weighted(rng) if random else _largest)
    if not kernel.symmetric and run.factor.pivots:
        symmetric(kernel(points.take(np.array(run.factor.pivots))), "the Gram matrix")
    return run.result()


Choice = Callable[[Array], int]
"""From the residual diagonal to the next pivot."""


class _Factoring:
    """The method on the rows of a kernel; what is no kernel is refused."""

    def __init__(
        self, kernel: Kernel, points: Points, most: int, room: int = ROOM
    ) -> None:
        self.kernel, self.points = kernel, points
        self.factor = PivotedFactor(kernel.diag(points), most, room)
        d = self.factor.d
        self.scale = float(np.abs(d).max())
        if self.scale * len(d) > sys.float_info.max:
            raise InputError(
                f"tr K is too large for a float: k(x, x) is up to {self.scale:.2g}; "
                "scale the kernel down, k / c"
            )
        self._require_no_negative()
        self.errors = [float(d.sum())]

    def go(self, tol: float, choose: Choice) -> None:
        factor, d, errors = self.factor, self.factor.d, self.errors
        noise = RANK_TOLERANCE * self.scale
        while len(factor.pivots) < factor.most and errors[-1] > tol * errors[0]:
            if d.max() <= noise:
                break
            p = choose(np.where(d > noise, d, 0.0))
            factor.append(p, self._remainder(p))
            self._require_no_negative()
            errors.append(float(d.sum()))
        if d.max() <= noise and len(factor.pivots) < len(d):
            self._require_nothing_left()

    def result(self) -> PivotedCholesky:
        pivots = np.array(self.factor.pivots, dtype=np.intp)
        errors = np.array(self.errors)
        return PivotedCholesky(self.factor.Lt.T, pivots, errors, self.factor.d)

    def _remainder(self, p: int) -> Array:
        """Column p of K − LLᵀ."""
        # A slice shares what is remembered of all points, such as common words.
        row = gram.row(self.kernel, self.points[p : p + 1], self.points)
        return self.factor.remainder(p, row)

    def _require_no_negative(self) -> None:
        d = self.factor.d
        worst = int(np.argmin(d))
        if d[worst] < -JITTERS[-1] * self.scale:
            self._complain(f"entry {worst} of the diagonal is {d[worst]:.3g}")
        np.maximum(d, 0.0, out=d)

    def _require_nothing_left(self) -> None:
        """If the diagonal of K − LLᵀ is 0, so is a column, unless k is not a kernel."""
        d = self.factor.d
        left = np.setdiff1d(np.arange(len(d)), self.factor.pivots)[0]
        largest = float(np.abs(self._remainder(int(left))).max())
        if largest > JITTERS[-1] * self.scale:
            self._complain(f"the diagonal is 0, but column {left} has {largest:.3g}")

    def _complain(self, what: str) -> None:
        raise NotPositiveDefinite(
            "the Gram matrix is not positive semi-definite: of what is left after "
            f"{len(self.factor.pivots)} steps of Cholesky's method, {what}. "
            + advice(self.kernel)
        )


def _largest(d: Array) -> int:
    return int(np.argmax(d))


def _weighted(rng: np.random.Generator) -> Choice:
    def choose(d: Array) -> int:
        heights = np.cumsum(d)
        return int(np.searchsorted(heights, rng.random() * heights[-1], side="right"))

    return choose


def _read_tol(tol: object) -> float:
    if tol is None:
        return 0.0
    value = number(tol, "tol")
    if not 0 <= value < 1:
        raise InputError(
            f"tol must be a share of tr K, from 0 to below 1 (1e-3, say); got {tol!r}"
        )
    return value
