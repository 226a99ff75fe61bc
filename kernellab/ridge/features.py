"""Ridge regression on explicit features, by the smaller of two linear systems.

    minimise  J(w) = ‖t − Φw‖² + λ‖w‖²,                                    λ > 0.

The minimiser is w = (ΦᵀΦ + λI)⁻¹Φᵀt = Φᵀ(ΦΦᵀ + λI)⁻¹t = Φᵀa (push-through identity).

Legend: n points; t (n×m) targets, one column per output; Φ (n×p) features; a (n×m)
coefficients of the points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from numpy.typing import ArrayLike

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.estimator import positive_penalty, read_targets
from kernellab.kernels.points import vectors
from kernellab.linalg import cholesky


@dataclass(frozen=True, eq=False)
class RidgeWeights:
    """The result of `ridge`.

    Attributes
    ----------
    w : weights of the features, w = Φᵀa.
    a : coefficients of the points, a = (t − Φw)/λ.
    side : the system that was solved, "primal" (p×p) or "dual" (n×n).
    """

    w: Array
    a: Array
    side: Literal["primal", "dual"]


def primal_ridge(Phi: ArrayLike, t: ArrayLike, lam: float) -> Array:
    """Return w = (ΦᵀΦ + λI)⁻¹Φᵀt, which minimises ‖t − Φw‖² + λ‖w‖².

    A p×p system: np² + p³/3 operations. All of w is
    penalised, the weight of a constant feature too.

    Parameters
    ----------
    Phi : (n, p) array of features, a row for each point.
    t : (n,) array of targets, or (n, m) for m outputs.
    lam : number λ > 0.

    Returns
    -------
    (p,) or (p, m) array.

    Examples
    --------
    >>> primal_ridge([[1.0], [2.0]], [1.0, 2.0], lam=5.0)  # 5/(5 + 5)
    array([0.5])
    """
    Phi, T, lam = _read_features(Phi, t, lam)
    return cholesky(Phi.T @ Phi, ridge=lam, overwrite=True).solve(Phi.T @ T)


def dual_ridge(Phi: ArrayLike, t: ArrayLike, lam: float) -> Array:
    """Return a = (ΦΦᵀ + λI)⁻¹t, "version alpha": the same w is Φᵀa.

    An n×n system: n²p + n³/3 operations. If K = ΦΦᵀ is singular, other
    a minimise J(a) as well, and all of them give this w; this is the one that also
    maximises the dual.

    Parameters
    ----------
    Phi : (n, p) array of features, a row for each point.
    t : (n,) array of targets, or (n, m) for m outputs.
    lam : number λ > 0.

    Returns
    -------
    (n,) or (n, m) array.

    Examples
    --------
    >>> import numpy as np
    >>> Phi, t = np.array([[1.0], [2.0]]), [1.0, 2.0]
    >>> a = dual_ridge(Phi, t, lam=5.0)
    >>> a, Phi.T @ a
    (array([0.1, 0.2]), array([0.5]))
    """
    Phi, T, lam = _read_features(Phi, t, lam)
    return cholesky(Phi @ Phi.T, ridge=lam, overwrite=True).solve(T)


def ridge(Phi: ArrayLike, t: ArrayLike, lam: float) -> RidgeWeights:
    """Ridge regression on features, by the smaller of the two systems.

    The primal costs np² + p³/3 operations, the dual n²p + n³/3: the primal is cheaper
    exactly if p < n. The other unknown then follows in O(np), from w = Φᵀa or
    from a = (t − Φw)/λ.

    Parameters
    ----------
    Phi : (n, p) array of features, a row for each point.
    t : (n,) array of targets, or (n, m) for m outputs.
    lam : number λ > 0.

    Examples
    --------
    >>> fit = ridge([[1.0], [2.0]], [1.0, 2.0], lam=5.0)
    >>> fit.side, fit.w, fit.a
    ('primal', array([0.5]), array([0.1, 0.2]))
    """
    Phi, T, lam = _read_features(Phi, t, lam)
    n, p = Phi.shape
    if n > p:
        w = primal_ridge(Phi, T, lam)
        return RidgeWeights(w, (T - Phi @ w) / lam, "primal")
    a = dual_ridge(Phi, T, lam)
    return RidgeWeights(Phi.T @ a, a, "dual")


def _read_features(
    Phi: ArrayLike, t: ArrayLike, lam: float
) -> tuple[Array, Array, float]:
    F = vectors(Phi, "Phi").X
    if not len(F):
        raise InputError("Phi must have one row or more, got none")
    return F, read_targets(t, len(F), "t"), positive_penalty(lam, "lam")
