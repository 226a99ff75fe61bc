"""Low-rank approximations drawn: landmarks, what they leave out, and the best possible.

`nystroem_picture` maps parameters to plain data, `draw_nystroem` draws them; the other
functions are the numbers behind the chapter's curves.

Legend: n points X; K their Gram matrix with eigenvalues μ₁ ≥ μ₂ ≥ …; r rank; R(x) the
squared distance k(x, x) − k̂(x, x) of φ(x) from the span of the landmarks' images.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array
from kernellab.data import moons
from kernellab.errors import InputError
from kernellab.figures.style import PALETTE
from kernellab.kernels import Exponential, Gaussian, Matern
from kernellab.kernels.base import Kernel
from kernellab.lowrank.base import LowRank
from kernellab.lowrank.nystroem import Nystroem

if TYPE_CHECKING:
    import matplotlib.axes

KERNELS: dict[str, Callable[[float], Kernel]] = {
    "Gaussian": lambda sigma: Gaussian(sigma=sigma),
    "Matérn 3/2": lambda sigma: Matern(sigma=sigma, nu=1.5),
    "exponential": lambda sigma: Exponential(sigma=sigma),
}
"""Kernels of one width, from smooth to rough."""

LANDMARKS = ("uniform", "leverage", "pivoted", "random-pivoted")
"""The ways in which `Nystroem` chooses."""


# --- spectra ------------------------------------------------------------------------


def spectra(kernels: Mapping[str, Kernel], X: ArrayLike) -> dict[str, Array]:
    """The eigenvalues of each Gram matrix as shares of its trace, from the largest.

    O(n³) each. Rounding leaves nothing below about 1e-16; there they are cut off.

    Parameters
    ----------
    kernels : kernels by name.
    X : (n, d) array of points.

    Examples
    --------
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
    """Σ_{j>r} μ_j for r = 0, …, n: the least trace error of any rank-r projection.

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
    """tr(K − K̂)/tr K of Nyström's method, for each seed (row) and rank (column).

    Parameters
    ----------
    kernel, X : of the Gram matrix.
    ranks : numbers of landmarks, at most n.
    landmarks : how they are chosen, one of `LANDMARKS`.
    seeds : of the random choices.

    Examples
    --------
    >>> X = np.linspace(0, 1, 50)[:, None]
    >>> landmark_errors(Gaussian(sigma=0.5), X, [1, 2, 4]).round(3)
    array([[0.558, 0.174, 0.001]])
    """
    return np.array(
        [
            [
                Nystroem(kernel, rank=r, landmarks=landmarks, seed=seed)
                .fit(X)
                .error(X)
                .relative
                for r in ranks
            ]
            for seed in seeds
        ]
    )


def frobenius_errors(K: ArrayLike, X: ArrayLike, maps: Sequence[LowRank]) -> Array:
    """‖K − K̂‖_F/‖K‖_F of several maps, each fitted here. For small n: O(n²r) each.

    Examples
    --------
    >>> X = np.linspace(0, 1, 50)[:, None]
    >>> k = Gaussian(sigma=0.5)
    >>> maps = [Nystroem(k, rank=r, landmarks="pivoted") for r in (2, 4)]
    >>> frobenius_errors(k(X), X, maps).round(4)
    array([0.2082, 0.0014])
    """
    K = np.asarray(K)
    gaps = [np.linalg.norm(K - m.fit(X).approximate(X)) for m in maps]
    return np.asarray(np.array(gaps) / np.linalg.norm(K))


# --- the picture --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NystroemPicture:
    """Points in the plane, r landmarks among them, and the error that they leave.

    Attributes
    ----------
    X : (n, 2) points.
    landmarks : (r', 2) those that are used, r' ≤ rank.
    across, up : (w,) and (h,) grid of places.
    rest : (h, w) R(x) on the grid: 0 at the landmarks, k(x, x) = 1 far from them.
    ranks : (m,) ranks of the curve.
    errors : (m,) tr(K − K̂)/tr K with so many landmarks chosen in this way.
    best : (m,) the eigenvalue tail Σ_{j>r} μ_j/tr K, which nothing can beat.
    rank, error : of the approximation that is shown.
    title : in words.
    """

    X: Array
    landmarks: Array
    across: Array
    up: Array
    rest: Array
    ranks: Array
    errors: Array
    best: Array
    rank: int
    error: float
    title: str


def nystroem_picture(
    rank: int = 12,
    sigma: float = 0.5,
    landmarks: str = "pivoted",
    kernel: str = "Gaussian",
    n: int = 300,
    resolution: int = 41,
    seed: int = 0,
) -> NystroemPicture:
    """Nyström's approximation of a Gram matrix of two moons, with r landmarks.

    Parameters
    ----------
    rank : number of landmarks r, from 1 to n.
    sigma : width of the kernel.
    landmarks : how they are chosen, one of `LANDMARKS`.
    kernel : one of `KERNELS`.
    n : number of points.
    resolution : of the grid, in each direction.
    seed : of the points and of the random choices.

    Examples
    --------
    >>> picture = nystroem_picture(rank=10, sigma=0.5, n=100, resolution=11)
    >>> picture.landmarks.shape, picture.rest.shape
    ((10, 2), (11, 11))
    >>> bool(picture.error >= picture.best[picture.ranks == 10][0])
    True
    """
    _require(kernel, KERNELS, "kernel")
    _require(landmarks, LANDMARKS, "landmarks")
    if not 1 <= rank <= n:
        raise InputError(f"rank must be between 1 and n = {n}, got {rank!r}")
    k = KERNELS[kernel](sigma)
    X, _ = moons(n, noise=0.12, rng=seed)
    fitted = Nystroem(k, rank=rank, landmarks=landmarks, seed=seed).fit(X)
    across, up = np.linspace(-1.7, 2.7, resolution), np.linspace(-1.3, 1.8, resolution)
    places = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    rest = k.diag(places) - (fitted.transform(places) ** 2).sum(axis=1)
    curve = _ranks(rank, n)
    errors = landmark_errors(k, X, curve, landmarks, [seed])[0]
    tail = tails(spectra({"k": k}, X)["k"])[curve]
    error = float(errors[list(curve).index(rank)])
    title = f"{rank} of {n} points leave {error:.2g} of the trace"
    return NystroemPicture(
        X=X,
        landmarks=np.asarray(fitted.landmarks_, dtype=float),
        across=across,
        up=up,
        rest=np.maximum(rest, 0.0).reshape(resolution, resolution),
        ranks=np.array(curve),
        errors=errors,
        best=tail,
        rank=rank,
        error=error,
        title=title,
    )


def draw_nystroem(
    left: matplotlib.axes.Axes, right: matplotlib.axes.Axes, picture: NystroemPicture
) -> None:
    """Draw the landmarks and what they leave out, and the error against the rank."""
    levels = np.linspace(0, 1, 11)
    left.contourf(picture.across, picture.up, picture.rest, levels, cmap="cividis")
    ink, paper = PALETTE["ink"], PALETTE["paper"]
    left.plot(*picture.X.T, ".", color=paper, markersize=3)
    style = {"markeredgecolor": ink, "markeredgewidth": 1.0, "markersize": 7}
    left.plot(*picture.landmarks.T, "o", color=PALETTE["vermillion"], **style)  # type: ignore[arg-type]
    left.set(xticks=[], yticks=[])
    left.set_title(picture.title, fontsize=10, fontweight="normal")
    floor = 1e-12
    right.semilogy(picture.ranks, np.maximum(picture.errors, floor), label="landmarks")
    right.semilogy(picture.ranks, np.maximum(picture.best, floor), label="eigenvectors")
    right.plot(picture.rank, max(picture.error, floor), "o", color=ink)
    right.set(xlabel="rank $r$", ylim=(floor, 1.5))
    right.legend(loc="lower left")


def _ranks(rank: int, n: int) -> list[int]:
    """Up to a dozen ranks between 1 and max(2·rank, 40), the chosen one among them."""
    top = min(n, max(2 * rank, 40))
    return sorted({int(r) for r in np.linspace(1, top, 11).round()} | {rank})


def _require(name: str, known: Sequence[str] | Mapping[str, object], what: str) -> None:
    if name not in known:
        raise InputError(f"no {what} {name!r}; there are {', '.join(known)}")
