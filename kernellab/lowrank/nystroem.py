"""Nyström's method: project on the features of a few points.

Landmarks z_1, …, z_r span a subspace of the feature space. The orthogonal projection of
φ(x) on it is Pφ(x) = Σ_j c_j φ(z_j), where the normal equations K_zz c = k(Z, x) say
that the rest is orthogonal to every φ(z_j). So

    ⟨Pφ(x), Pφ(x')⟩ = cᵀK_zz c' = k(x, Z) K_zz⁻¹ k(Z, x'),

and for n points K̂ = K_nr K_rr⁻¹ K_rn, in O(nr²). With K_zz = LLᵀ it is the Gram
matrix of

    φ̂(x) = L⁻¹ k(Z, x) ∈ ℝʳ.

K̂ ⪯ K, and K̂ is K in the rows and columns of landmarks. Another
projection is not meant: QQᵀK, where the columns of Q are an orthonormal basis of the
chosen columns of K in ℝⁿ, is not symmetric and not cheap, since it reads all n² entries
and costs O(n²r).

**Dependent landmarks.** If φ(z_j) lies in the span of the others (a point twice, more
points than features, a smooth kernel in few dimensions) it adds nothing, and K_zz is
singular. Such landmarks are dropped, not cured by jitter: K_zz is factorised with
pivoting, the farthest landmark first, until all that are left are closer to the span
of those taken than √ε (relatively), with ε = DEPENDENCE_TOLERANCE. What is dropped
changes k̂ by at most ε·max k(z, z) at the landmarks. The projection stays one, so all
that follows from K̂ ⪯ K stays true. Along the way the landmarks are put in order: the
first j columns of φ̂ are the map of the first j landmarks. (If k(z, z) = 0 for
all of them, one is kept: φ̂ = 0.)

Legend: n points X; r landmarks Z; K_zz (r×r); L lower triangular, LLᵀ = K_zz.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from kernellab.arrays import Array, RandomState, generator, whole
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.estimator import Inputs
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.kernels.proving.advice import advice
from kernellab.linalg import JITTERS
from kernellab.lowrank.base import LowRank
from kernellab.lowrank.data_blocks import DataBlocks
from kernellab.lowrank.landmarks import choose
from kernellab.threads import limited

DEPENDENCE_TOLERANCE = 1e-12
"""A landmark whose squared distance to the span of the others is below this, in units
of the largest k(z, z), is dropped."""


@dataclass(eq=False)
class Nystroem(LowRank):
    """φ̂(x) = L⁻¹k(Z, x) with LLᵀ = k(Z, Z): projection on r landmarks Z.

    Parameters
    ----------
    kernel : Kernel, on vectors or objects.
    rank : number r of landmarks. Fewer are used if there are fewer points, or if some
        depend on others.
    landmarks : how to choose them: "random-pivoted", which is never far from the best
        of the four, "pivoted", "leverage" or "uniform"
        (`kernellab.lowrank.landmarks`); or the points themselves, an array or a list of
        objects: then `rank`, `candidates` and `random_state` do not matter.
    candidates : all rules but "uniform" choose among this many points, drawn at random;
        None for all of them while candidates·rank ≤ 2²², and no more than that.
    random_state : seed of whatever is drawn, or a generator. The same points and seed
        give the same landmarks, in memory, in a memory map or in a Dask array.

    Attributes
    ----------
    landmarks_ : the landmarks, an (r, d) array or a tuple of objects.
    indices_ : (r,) array, their places in X; None if they were given.
    dropped_ : how many were dropped since they depend on others.
    rank_ : r.

    Notes
    -----
    `fit` looks at the candidates only: with m of them, mr values of k and mr²
    operations. `transform` costs r values of k and r²/2 multiplications per point.

    Where landmarks are nearly dependent, the rounding of k(Z, Z) moves the subspace a
    little. In the worst cases tried φ̂ was off by 10⁻⁴ and R by 10⁻⁵ for points far from
    all landmarks (by 10⁻¹² where the condition number is moderate); 0 ⪯ K̂ ⪯ K holds to
    the last digits all the same.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> model = Nystroem(kl.Gaussian(sigma=2.0), rank=30).fit(X)
    >>> model.transform(X).shape
    (1000, 30)
    >>> model.error(X)
    1000 points: tr(K − K̂) = 0.0...

    With all the points as landmarks K̂ is K; here a point comes twice:

    >>> words = ["abab", "baba", "abba", "abab"]
    >>> k = kl.Spectrum(2)
    >>> model = Nystroem(k, rank=4).fit(words)
    >>> model.rank_, bool(np.allclose(model.approximate(words), k(words)))
    (3, True)
    """

    kernel: Kernel
    rank: int = 100
    landmarks: Any = "random-pivoted"
    candidates: int | None = None
    random_state: RandomState = 0

    def _learn(self, kernel: Kernel, rows: DataBlocks) -> int:
        points, index = self._choose(kernel, rows)
        K = Inputs(kernel, points, len(points)).gram()
        self._L, kept = independent(K, kernel)
        if not len(kept):  # φ(z) = 0 for all of them: one column of zeros
            self._L, kept = np.eye(1), np.arange(1)
        self._Z = points.take(kept)
        self.landmarks_ = self._Z.items
        self.indices_ = None if index is None else index[kept]
        self.dropped_ = len(points) - len(kept)
        return len(kept)

    def _choose(
        self, kernel: Kernel, rows: DataBlocks
    ) -> tuple[Points, NDArray[np.intp] | None]:
        rank, how = whole(self.rank, "rank", 1), self.landmarks
        rng = generator(self.random_state)
        if isinstance(how, str):
            index = choose(how, kernel, rows, rank, self.candidates, rng)
            return rows.take(index), index
        given = kernel.read_points(how, "landmarks")
        if len(given) == 0 or given.width != rows.width:
            raise InputError(
                f"landmarks must be one point or more with {rows.width or 'no'} "
                f"columns, as X; got {len(given)} with {given.width or 'no'} columns"
            )
        return given, None

    def _columns(self, points: Points) -> Array:
        return self._whiten(self._raw(points).T).T

    def _raw(self, points: Points) -> Array:
        """Return k(X, Z), without the triangular system, which is over half of the
        work.

        W = L⁻¹ makes of the rounding errors of CᵀC, of the size ε‖CᵀC‖, errors of Φ̂ᵀΦ̂
        that are larger by up to the condition number of K_zz: at 10¹⁶ nothing need be
        left. Where φ̂ is computed point by point it is the square root of that.
        """
        return self._kernel(points, self._Z)

    def _whiten(self, B: Array) -> Array:
        # The transpose of a C array is in Fortran order, and solved in its own memory.
        with limited(B.shape[1]):
            return np.asarray(blas.dtrsm(1.0, self._L, B, lower=1, overwrite_b=1))


def independent(K: Array, kernel: Kernel | None) -> tuple[Array, NDArray[np.intp]]:
    """Return L and the independent rows of K, the farthest first: LLᵀ = K[kept, kept].

    Cholesky's method with pivoting, by LAPACK; r³/3 operations.

    Raises
    ------
    NotPositiveDefinite
        If what is left of the other rows is not small.

    Examples
    --------
    >>> K = np.array([[4.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]])
    >>> independent(K, None)
    (array([[2., 0.],
           [0., 1.]]), array([0, 1]))
    """
    scale = float(np.abs(K.diagonal()).max())
    with limited(len(K)):
        L, order, r, _ = lapack.dpstrf(K.T, tol=DEPENDENCE_TOLERANCE * scale, lower=1)
    order = order.astype(np.intp) - 1
    kept, rest = order[:r], order[r:]
    left = K[np.ix_(rest, rest)] - L[r:, :r] @ L[r:, :r].T
    if np.abs(left).max(initial=0.0) > JITTERS[-1] * scale:
        raise NotPositiveDefinite(
            "the Gram matrix of the landmarks is not positive semi-definite: after "
            f"{r} steps of Cholesky's method an entry of {np.abs(left).max():.3g} is "
            "left, and none on the diagonal. " + advice(kernel)
        )
    return np.asfortranarray(np.tril(L[:r, :r])), kept
