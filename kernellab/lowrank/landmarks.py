"""Landmarks: which points to project on.

All rules look at some *candidates*, drawn at random (or at all points, if there are
not too many), and choose r of them:

uniform
    r points at random. Costs nothing; misses small groups of points.
leverage
    at random, with probability in proportion to the ridge leverage score
    ℓ_i = (K(K + λI)⁻¹)_ii: how much of the fit at x_i is due to its own target. Small
    where many points are alike, up to 1 for a point that stands alone. λ is such that
    they add up to r/4.
pivoted
    the pivots of Cholesky's method (`kernellab.lowrank.pivoted`): each is the candidate
    that is farthest, in the feature space, from the span of those before.
random-pivoted
    the same with random pivots, a candidate's chance being its squared distance.

Greedy pivots go to the border of the data and to outliers: they usually leave the
smallest largest entry of K − K̂, and often a large trace. Random pivots usually leave
the smallest trace or nearly, and are the safest choice for regression.

**Leverage scores.** In the feature space, with Σ = Σ_i φ(x_i)φ(x_i)ᵀ, push-through
gives ℓ_i = φ(x_i)ᵀ(Σ + λ)⁻¹φ(x_i). Exact scores need all of K. A uniform sample S of s
points estimates Σ by Σ̂ = (n/s) Σ_{j∈S} φ(x_j)φ(x_j)ᵀ, and then

    ℓ̃_i = φ(x_i)ᵀ(Σ̂ + λ)⁻¹φ(x_i) = (k(x_i,x_i) − k_iS (K_SS + λs/n I)⁻¹ k_Si)/λ

(Woodbury) needs n·s values of k and ns² operations. With S all points it is exact.

Legend: n points; m candidates; r landmarks; s sample; ℓ leverage scores.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from kernellab.arrays import Array, RandomState, generator, whole
from kernellab.errors import InputError
from kernellab.estimator import positive_penalty
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.kernels.proving.advice import advice_on
from kernellab.linalg import cholesky
from kernellab.lowrank.base import read_kernel
from kernellab.lowrank.data_blocks import MAX_BLOCK_ROWS, DataBlocks
from kernellab.lowrank.pivoted import pivoted_cholesky

MIN_RELATIVE_LAMBDA = 1e-10
"""The smallest λ for leverage scores, relative to tr K."""

MAX_CANDIDATE_ENTRIES = 2**22
"""Candidates times landmarks, at most (32 MB): so memory does not grow with n."""

Index = NDArray[np.intp]


def choose(
    how: str,
    kernel: Kernel,
    rows: DataBlocks,
    rank: int,
    candidates: int | None,
    rng: np.random.Generator,
) -> Index:
    """Return the indices of `rank` landmarks, or of all points if there are fewer.

    They depend on the points, their number and the generator alone: not on where the
    points are kept.
    """
    if how not in RULES:
        raise InputError(
            f"landmarks must be one of {', '.join(map(repr, RULES))}, or the points "
            f"themselves; got {how!r}"
        )
    few = how_many(candidates, rows.n, rank) if how != "uniform" else min(rank, rows.n)
    index = np.sort(rng.choice(rows.n, few, replace=False))
    if few <= rank:
        return index
    places = RULES[how](kernel, rows.take(index), rank, rng)
    return index[places] if len(places) else index[:1]  # k = 0: any point will do


def how_many(candidates: int | None, n: int, rank: int) -> int:
    """Return the number of candidates: as asked for, or as many as there is room
    for.
    """
    if candidates is None:
        return min(n, max(rank, MAX_CANDIDATE_ENTRIES // rank))
    wanted = whole(candidates, "candidates", 1)
    if wanted < rank:
        raise InputError(
            f"there must be at least as many candidates as landmarks, {rank}; got "
            f"candidates={wanted}"
        )
    return min(n, wanted)


# --- the rules ----------------------------------------------------------------------


def _uniform(kernel: Kernel, points: Points, rank: int, rng: Any) -> Index:
    return np.arange(min(rank, len(points)))  # the candidates are drawn uniformly


def _pivoted(kernel: Kernel, points: Points, rank: int, rng: Any) -> Index:
    return pivoted_cholesky(kernel, points, rank).pivots


def _random_pivoted(kernel: Kernel, points: Points, rank: int, rng: Any) -> Index:
    seed = int(rng.integers(2**32))
    return pivoted_cholesky(kernel, points, rank, random=True, random_state=seed).pivots


def _leverage(kernel: Kernel, points: Points, rank: int, rng: Any) -> Index:
    """Return points at random, with chances in proportion to the scores, none twice."""
    some = rng.permutation(len(points))[: 2 * rank]
    sample = points.take(np.sort(some))
    lam = penalty_for(rank / 4, kernel(sample), len(points))
    chances = _scores(kernel, points, sample, lam)
    # The first of independent exponential clocks to ring is i with chance ~ ℓ_i.
    with np.errstate(divide="ignore"):
        times = rng.exponential(size=len(points)) / chances
    return np.argsort(times, kind="stable")[: min(rank, np.count_nonzero(chances))]


RULES: dict[str, Callable[[Kernel, Points, int, Any], Index]] = {
    "uniform": _uniform,
    "leverage": _leverage,
    "pivoted": _pivoted,
    "random-pivoted": _random_pivoted,
}
"""From candidates to the places of the landmarks among them."""


# --- leverage scores ----------------------------------------------------------------


def leverage_scores(
    kernel: Kernel,
    X: Any,
    lam: float,
    sample: int | None = None,
    random_state: RandomState = 0,
) -> Array:
    """Ridge leverage scores ℓ_i = (K(K + λI)⁻¹)_ii, exact or from a sample.

    They lie between 0 and 1, and add up to the effective dimension, the degrees of
    freedom of ridge regression with this λ.

    Parameters
    ----------
    kernel : Kernel.
    X : (n, d) array, or n objects.
    lam : number λ > 0.
    sample : number s of points from which the second moment of the features is
        estimated; None for all, which is exact.
    random_state : seed of the choice of the sample.

    Returns
    -------
    (n,) array. ns values of k and ns² operations.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X = [[0.0], [0.1], [0.2], [5.0]]  # three alike, and one alone
    >>> leverage_scores(kl.Gaussian(), X, lam=0.1).round(2)
    array([0.4 , 0.32, 0.4 , 0.91])
    """
    kernel = read_kernel(kernel)
    points = kernel.read_points(X, "X")
    n = len(points)
    if n == 0:
        raise InputError("X must have one point or more, got none")
    rng = generator(random_state)
    s = n if sample is None else min(n, whole(sample, "sample", 1))
    some = points if s == n else points.take(np.sort(rng.permutation(n)[:s]))
    return _scores(kernel, points, some, positive_penalty(lam, "lam"))


def _scores(kernel: Kernel, points: Points, sample: Points, lam: float) -> Array:
    share, own = len(sample) / len(points), kernel.diag(points)
    factor = cholesky(
        kernel(sample), ridge=lam * share, advice=advice_on(kernel), overwrite=True
    )
    scores = own.copy()
    for start in range(0, len(points), MAX_BLOCK_ROWS):
        part = slice(start, start + MAX_BLOCK_ROWS)
        half = solve_triangular(
            factor.packed, kernel(points[part], sample).T, lower=True, overwrite_b=True
        )
        scores[part] -= np.einsum("si,si->i", half, half)
    scores /= lam
    # ℓ̃ ≥ k(x,x)/(‖Σ̂‖ + λ): so no score is lost to rounding, however small λ is.
    least = own / (factor.diagonal.sum() / share + lam)
    return np.asarray(np.clip(scores, least, 1.0))


def penalty_for(dimension: float, K: Array, n: int) -> float:
    """Return λ for which the effective dimension Σ μ/(μ + λ) of n points is as given.

    The eigenvalues μ of their Gram matrix are estimated by n/s times those of the
    Gram matrix K of s of them. At least MIN_RELATIVE_LAMBDA·Σμ.
    """
    mu = np.maximum(np.linalg.eigvalsh(K), 0.0) * (n / len(K))
    total = float(mu.sum())

    def excess(log_lam: float) -> float:
        return float((mu / (mu + np.exp(log_lam))).sum()) - dimension

    if total == 0:
        return 1.0
    low = np.log(MIN_RELATIVE_LAMBDA * total)
    if excess(low) <= 0:
        return MIN_RELATIVE_LAMBDA * total
    # At λ = Σμ/dimension the sum is at most the dimension.
    return float(
        np.exp(scipy.optimize.brentq(excess, low, np.log(total / dimension), rtol=1e-6))
    )
