"""What low-rank approximations leave out, against the rank, and the least possible.

Legend: n points X; K their Gram matrix with eigenvalues μ₁ ≥ μ₂ ≥ …; r rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array
from kernellab.kernels.base import Kernel
from kernellab.lowrank.base import LowRank
from kernellab.lowrank.nystroem import Nystroem

LANDMARKS = ("uniform", "leverage", "pivoted", "random-pivoted")
"""The ways in which `Nystroem` chooses."""


# --- spectra ------------------------------------------------------------------------


def spectra(kernels: Mapping[str, Kernel], X: ArrayLike) -> dict[str, Array]:
    """Return the eigenvalues of each Gram matrix as shares of its trace, largest first.

    O(n³) each. Rounding leaves nothing below about 1e-16; there they are cut off.

    Parameters
    ----------
    kernels : kernels by name.
    X : (n, d) array of points.

    Examples
    --------
    >>> from kernellab.kernels import Gaussian
    >>> shares = spectra({"wide": Gaussian(sigma=9.0)}, [[0.0], [1.0], [2.0]])
    >>> shares["wide"].round(4)
    array([0.9919, 0.0081, 0.    ])
    """
    found = {}
    for name, k in kernels.items():
        K = k(X)
        found[name] = np.maximum(np.linalg.eigvalsh(K)[::-1] / np.trace(K), 1e-17)
    return found


def tails(shares: ArrayLike) -> Array:
    """Compute Σ_{j>r} μ_j for r = 0, …, n: the least error of any rank-r projection.

    Examples
    --------
    >>> tails([0.5, 0.25, 0.25])
    array([1.  , 0.5 , 0.25, 0.  ])
    """
    mu = np.asarray(shares, dtype=float)
    return np.append(np.cumsum(mu[::-1])[::-1], 0.0)


# --- errors against the rank --------------------------------------------------------


def landmark_errors(
    kernel: Kernel,
    X: ArrayLike,
    ranks: Sequence[int],
    landmarks: str = "pivoted",
    seeds: Sequence[int] = (0,),
) -> Array:
    """Compute tr(K − K̂)/tr K of Nyström's method per seed (row) and rank (column).

    Parameters
    ----------
    kernel, X : of the Gram matrix.
    ranks : numbers of landmarks, at most n.
    landmarks : how they are chosen, one of `LANDMARKS`.
    seeds : of the random choices.

    Examples
    --------
    >>> X = np.linspace(0, 1, 50)[:, None]
    >>> from kernellab.kernels import Gaussian
    >>> landmark_errors(Gaussian(sigma=0.5), X, [1, 2, 4]).round(3)
    array([[0.558, 0.174, 0.001]])
    """
    return np.array(
        [
            [
                Nystroem(kernel, rank=r, landmarks=landmarks, random_state=seed)
                .fit(X)
                .error(X)
                .relative
                for r in ranks
            ]
            for seed in seeds
        ]
    )


def frobenius_errors(K: ArrayLike, X: ArrayLike, maps: Sequence[LowRank]) -> Array:
    """Fit several maps and compute ‖K − K̂‖_F/‖K‖_F, in O(n²r) operations each.

    Examples
    --------
    >>> X = np.linspace(0, 1, 50)[:, None]
    >>> from kernellab.kernels import Gaussian
    >>> k = Gaussian(sigma=0.5)
    >>> maps = [Nystroem(k, rank=r, landmarks="pivoted") for r in (2, 4)]
    >>> frobenius_errors(k(X), X, maps).round(4)
    array([0.2082, 0.0014])
    """
    K = np.asarray(K)
    gaps = [np.linalg.norm(K - m.fit(X).approximate(X)) for m in maps]
    return np.asarray(np.array(gaps) / np.linalg.norm(K))
