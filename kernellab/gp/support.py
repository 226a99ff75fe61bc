"""Where a Gaussian vector lives: roots of a covariance, and the support they span.

A covariance may be singular. Then the vector stays on an affine subspace, its support.
Ranks are decided after each coordinate was divided by its standard deviation, so that
units do not matter.
"""

from __future__ import annotations

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import NotPositiveDefinite
from kernellab.linalg import EPS, JITTERS

RANK_TOLERANCE = 1e-9
"""Singular values of a root with unit rows below this are rounding errors."""

CANCELLATION = 1e-12
"""A difference this small beside its two parts is a rounding error."""

SUPPORT_TOLERANCE = 1e-6
"""How far, in standard deviations, rounding may carry a point off the support."""


def root_of(
    S: Array, scale: Array | None = None, what: str = "the covariance"
) -> Array:
    """Return R = D·ρ^½ with RRᵀ = S, where ρ is the correlation matrix, S = DρD. O(n³).

    The symmetric root of ρ does not depend on the signs of eigenvectors, so that the
    same random numbers give the same draws on every machine, and nearly the same
    ones for nearly the same S. Eigenvalues that are rounding errors are set to 0;
    they are those of ρ, so that units do not matter.

    Parameters
    ----------
    S : (n, n) symmetric array.
    scale : (n,) variances that S was computed from by subtraction, if it was: rounding
        errors have their size. The diagonal of S by default.
    what : its name in an error message.
    """
    sizes = np.abs(S.diagonal())
    units = np.sqrt(sizes if scale is None else np.maximum(scale, sizes))
    safe = np.where(units > 0, units, 1.0)
    s, U = np.linalg.eigh(S / safe / safe[:, None])
    largest = float(max(s.max(initial=0.0), (units > 0).any()))
    if s[0] < -JITTERS[-1] * max(largest, 1.0):
        raise NotPositiveDefinite(
            f"{what} is not positive semi-definite: measured in standard deviations "
            f"it has the eigenvalue {s[0]:.3g}. No random vector has it: some linear "
            "combination would have a negative variance."
        )
    keep = s > 10 * len(s) * EPS * largest
    root: Array = safe[:, None] * ((U[:, keep] * np.sqrt(s[keep])) @ U[:, keep].T)
    return root


def settle(root: Array, sizes: Array) -> Array:
    """Set those rows of a root to 0 that are nothing but rounding.

    `sizes` are the lengths of what was subtracted to obtain each row.
    """
    lengths = np.linalg.norm(root, axis=1)
    result: Array = np.where(lengths > CANCELLATION * sizes, root.T, 0.0).T
    return result


class CovarianceRange:
    """Where μ + Rz lives: Q = UsVᵀ, with Q the root with its rows made length 1."""

    def __init__(self, mean: Array, root: Array) -> None:
        lengths = np.linalg.norm(root, axis=1)
        self.mean, self.root, self.fixed = mean, root, lengths == 0
        self.units = np.where(self.fixed, 1.0, lengths)
        U, s, Vt = np.linalg.svd(root / self.units[:, None], full_matrices=False)
        keep = s > RANK_TOLERANCE * max(s.max(initial=0.0), 1e-300)
        self.U, self.s, self.V = U[:, keep], s[keep], Vt[keep].T

    def locate(self, rows: Array) -> tuple[Array, Array]:
        """Return z with x = μ + RVz, and how far x is off the support.

        The distance is relative to the length of x − μ, in standard deviations.
        """
        moved = (rows - self.mean) / self.units
        coordinates = moved @ self.U
        rest = moved - coordinates @ self.U.T
        length = np.abs(moved).max(axis=1, initial=1.0)
        size = np.where(self.fixed, np.abs(self.mean) + 1.0, 1.0)
        distance = (np.abs(rest) / size).max(axis=1, initial=0.0) / length
        return coordinates / self.s, distance

    def logdet(self) -> float:
        """Return the sum of the logs of the eigenvalues of Σ that are not 0."""
        n, r = len(self.mean), len(self.s)
        if r == n:
            return 2 * float(np.log(self.s).sum() + np.log(self.units).sum())
        s = np.linalg.svd(self.root, compute_uv=False)[:r]
        return 2 * float(np.log(s).sum())
