"""Ridge regression three ways: primal, dual ("version alpha"), and with a kernel.

The problem, in the course's notation (S0; reference/notation translates):

    minimise  J(w) = ‖t − Φw‖² + λ‖w‖²,                                    λ > 0.

Its minimiser is w = (ΦᵀΦ + λI)⁻¹Φᵀt = Φᵀ(ΦΦᵀ + λI)⁻¹t = Φᵀa (push-through), so only
K = ΦΦᵀ is needed, that is, only a kernel:

    a = (K + λI)⁻¹t,    f(x) = Σ_i a_i k(x, x_i),    J(a) = ‖t − Ka‖² + λaᵀKa.

With weights s_i and an intercept b that is not penalised,

    minimise  Σ_i s_i (t_i − f(x_i))² + λaᵀKa,       f(x) = Σ_i a_i k(x, x_i) + b,

the conditions are (K + D)a + b1 = t and 1ᵀa = 0, with D = λ diag(1/s_i): one
Cholesky factor of K + D solves them. The Lagrange dual is

    maximise  λ(2aᵀt − aᵀKa − aᵀDa)    subject to 1ᵀa = 0 (if there is a b),

and both values agree at the solution (E0-22). The solution is a = Pt, where
P = M − M11ᵀM/(1ᵀM1) with M = (K + D)⁻¹, or P = M without intercept. The residual is
Da, so the hat matrix is H = I − DP, and leaving out a point needs no refit:

    t_i − f₋ᵢ(x_i) = (t_i − f(x_i)) / (1 − H_ii) = a_i / P_ii.

Legend: n points; t (n×m) targets, one column an output; Φ (n×p) features; K (n×n)
Gram matrix; s weights; a (n×m) coefficients; b (m) intercepts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.certificates import Certificate
from kernellab.errors import InputError
from kernellab.estimators import (
    Data,
    Estimator,
    columns_of,
    positive_penalty,
    r_squared,
    read_targets,
    read_weights,
)
from kernellab.kernels.base import Kernel
from kernellab.kernels.parameters import reals
from kernellab.kernels.points import Array, vectors
from kernellab.linalg import cholesky
from kernellab.ridge_fit import Fit
from kernellab.ridge_path import Eigensystem, RidgePath, intercept_of


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
    """w = (ΦᵀΦ + λI)⁻¹Φᵀt, which minimises ‖t − Φw‖² + λ‖w‖².

    A p×p system: np² + p³/3 operations (S0 l. 147–175; E0-11). All of w is
    penalised, the weight of a constant feature too (E0-04).

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
    """a = (ΦΦᵀ + λI)⁻¹t, "version alpha": the same w is Φᵀa.

    An n×n system: n²p + n³/3 operations (S0 l. 193–303). If K = ΦΦᵀ is singular, other
    a minimise J(a) as well, and all of them give this w; this is the one that also
    maximises the dual (E0-10, E1-25).

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
    exactly if p < n (E0-11). The other unknown then follows in O(np), from w = Φᵀa or
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


@dataclass(eq=False)
class KernelRidge(Estimator):
    """Kernel ridge regression: minimise Σ s_i (t_i − f(x_i))² + λ‖f‖².

    Parameters
    ----------
    kernel : Kernel, or "precomputed": then X is the Gram matrix k(X, X) in `fit`, and
        k(Z, X) in `predict`.
    lam : number λ > 0. The loss is a sum here; where it is a mean, the same fit has
        another λ, smaller by a factor n or n/2 (N1–N3 of the notation).
    intercept : whether to add a constant b that is not penalised (E0-04).

    Attributes
    ----------
    a_ : (n,) or (n, m) array of coefficients.
    intercept_ : b, a number or an (m,) array; 0 without intercept.
    certificate_ : J, its Lagrange dual, their gap, ‖∇J‖ and the jitter.
    loo_residuals_, dof_ : computed when first asked for.

    Notes
    -----
    S0 l. 289–327 and 516–526. `fit` costs n²/2 values of k and n³/3 operations, in one
    n×n array. It is kept, as the factor, until `loo_residuals_` or `dof_` has used it
    up. `predict` costs n values of k a point, in a bounded amount of memory.

    K must be positive semi-definite, as that of a PROVEN kernel is: otherwise J has
    no minimum.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X, t = [[0.0], [1.0], [2.0]], [0.0, 1.0, 0.0]
    >>> model = KernelRidge(kl.Gaussian(sigma=1.0), lam=0.1).fit(X, t)
    >>> model.predict([[1.0], [1.5]]).round(3)
    array([0.802, 0.575])
    >>> model.loo_residuals_.round(3)
    array([-0.695,  1.   , -0.695])
    >>> model.certificate_.gap < 1e-12
    True
    """

    kernel: Kernel | str
    lam: float = 1.0
    intercept: bool = False

    def fit(self, X: Any, t: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Solve (K + D)a + b1 = t, 1ᵀa = 0, with D = λ diag(1/s_i).

        Parameters
        ----------
        X : (n, d) array, or n objects; the (n, n) Gram matrix if it is precomputed.
        t : (n,) array of targets, or (n, m) for m outputs.
        sample_weight : (n,) array s ≥ 0; all 1 if it is not given. A point of
            weight 0 has no influence, and a_i = 0.

        Returns
        -------
        The estimator itself.
        """
        data = Data.read(self.kernel, X, t, sample_weight)
        lam = positive_penalty(self.lam, "lam")
        self._forget()
        fit = Fit.of(data, lam, self.intercept)
        self._inputs, self._fit = data.inputs.stored(), fit
        self.a_: Array = np.where(data.s > 0, fit.a.T, 0.0).T.reshape(data.shape)
        self.intercept_: float | Array = intercept_of(fit.b, data.shape)
        self.certificate_: Certificate = fit.certificate
        return self

    def predict(self, X: Any) -> Array:
        """f(x) = Σ_i a_i k(x, x_i) + b for every row of X.

        Parameters
        ----------
        X : (q, d) array, or q objects; the (q, n) matrix k(X, training points) if it
            is precomputed.

        Returns
        -------
        (q,) or (q, m) array.
        """
        values = self._trained().expand(X, columns_of(self.a_))
        return np.asarray(values.reshape(-1, *self.a_.shape[1:]) + self.intercept_)

    def score(
        self, X: Any, t: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """R² = 1 − Σ s_i (t_i − f(x_i))² / Σ s_i (t_i − mean t)², mean over outputs.

        As in scikit-learn, constant targets score 1 if they are met exactly, else 0.
        """
        f = self.predict(X)
        T = read_targets(t, len(f))
        if T.shape != f.shape:
            raise InputError(f"t must have shape {f.shape}, got {T.shape}")
        s, T = read_weights(sample_weight, len(f)), columns_of(T)
        return r_squared(T, columns_of(f), s)

    def path(
        self,
        X: Any,
        t: ArrayLike,
        lams: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> RidgePath:
        """The leave-one-out error for every λ of a grid, from one eigendecomposition.

        About 9n³ operations once, then 4n² for each λ and output; n refits for each
        of L values of λ would cost Ln·n³/3. The estimator's own `lam` is not used.

        Parameters
        ----------
        X, t, sample_weight : as in `fit`.
        lams : (L,) array of numbers λ > 0, in any order.

        Returns
        -------
        RidgePath

        Examples
        --------
        >>> from kernellab import kernels as kl
        >>> X = np.linspace(0, 3, 20)[:, None]
        >>> path = KernelRidge(kl.Gaussian()).path(X, np.sin(2 * X[:, 0]), [1e-3, 1.0])
        >>> path
        RidgePath: lam from 0.001 to 1 (2); smallest leave-one-out error 9.97e-05 \
at lam = 0.001, the edge of the grid: widen it
        >>> path.refit().lam
        0.001
        """
        data = Data.read(self.kernel, X, t, sample_weight)
        grid = reals(lams, "lams must be an array of numbers")
        if grid.ndim != 1 or not grid.size:
            raise InputError(
                f"lams must be a list of one or more numbers, got shape {grid.shape}"
            )
        grid = np.array([positive_penalty(lam, "every value of lams") for lam in grid])
        system = Eigensystem.of(data, self.intercept)
        return RidgePath(replace(self), data, system, grid, *system.measure(grid))

    @property
    def loo_residuals_(self) -> Array:
        """t_i − f₋ᵢ(x_i) = a_i / P_ii: the errors of the n fits without one point.

        No refit: n³/3 operations the first time, then none. In the shape of t.
        Source: Rasmussen and Williams (2006), eq. 5.12; P as above for b and s.
        """
        return self._fitted().loo_residuals.reshape(self.a_.shape)

    @property
    def dof_(self) -> float:
        """Degrees of freedom tr H = n − Σ D_ii P_ii; tr K(K + λI)⁻¹ without b and s."""
        return self._fitted().dof

    def _forget(self) -> None:
        """Drop an earlier fit, so that two Gram matrices are never held at once."""
        for name in ("_fit", "_inputs", "a_", "intercept_", "certificate_"):
            self.__dict__.pop(name, None)

    def _fitted(self) -> Fit:
        self._trained()
        return self._fit


def _read_features(
    Phi: ArrayLike, t: ArrayLike, lam: float
) -> tuple[Array, Array, float]:
    F = vectors(Phi, "Phi").X
    if not len(F):
        raise InputError("Phi must have one row or more, got none")
    return F, read_targets(t, len(F)), positive_penalty(lam, "lam")
