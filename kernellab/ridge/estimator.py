"""Ridge regression three ways: primal, dual ("version alpha"), and with a kernel.

The problem, in the notation of the course:

    minimise  J(w) = ‖t − Φw‖² + λ‖w‖²,                                    λ > 0.

Its minimiser is w = (ΦᵀΦ + λI)⁻¹Φᵀt = Φᵀ(ΦΦᵀ + λI)⁻¹t = Φᵀa (push-through), so only
K = ΦΦᵀ is needed, that is, only a kernel:

    a = (K + λI)⁻¹t,    f(x) = Σ_i a_i k(x, x_i),    J(a) = ‖t − Ka‖² + λaᵀKa.

With weights s_i and an intercept b that is not penalised,

    minimise  Σ_i s_i (t_i − f(x_i))² + λaᵀKa,       f(x) = Σ_i a_i k(x, x_i) + b,

the conditions are (K + D)a + b1 = t and 1ᵀa = 0, with D = λ diag(1/s_i): one
Cholesky factor of K + D solves them. The Lagrange dual is

    maximise  λ(2aᵀt − aᵀKa − aᵀDa)    subject to 1ᵀa = 0 (if there is a b),

and both values agree at the solution. The solution is a = Pt, where
P = M − M11ᵀM/(1ᵀM1) with M = (K + D)⁻¹, or P = M without intercept. The residual is
Da, so the hat matrix is H = I − DP, and leaving out a point needs no refit:

    t_i − f₋ᵢ(x_i) = (t_i − f(x_i)) / (1 − H_ii) = a_i / P_ii.

Legend: n points; t (n×m) targets, one column per output; Φ (n×p) features; K (n×n)
Gram matrix; s weights; a (n×m) coefficients; b (m) intercepts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, columns_of, reals
from kernellab.certificates import Certificate
from kernellab.errors import InputError
from kernellab.estimator import (
    Data,
    Estimator,
    intercept_of,
    positive_penalty,
    r_squared,
    read_targets,
    read_weights,
)
from kernellab.kernels.base import Kernel
from kernellab.ridge.eigensystem import Eigensystem
from kernellab.ridge.solution import CholeskySolution


@dataclass(eq=False)
class KernelRidge(Estimator):
    """Kernel ridge regression: minimise Σ s_i (t_i − f(x_i))² + λ‖f‖².

    Parameters
    ----------
    kernel : Kernel, or "precomputed": then X is the Gram matrix k(X, X) in `fit`, and
        k(Z, X) in `predict`.
    lam : number λ > 0. The loss is a sum here; where it is a mean, the same fit has
        another λ, smaller by a factor n or n/2 (N1–N3 of the notation).
    intercept : whether to add a constant b that is not penalised.

    Attributes
    ----------
    a_ : (n,) or (n, m) array of coefficients.
    intercept_ : b, a number or an (m,) array; 0 without intercept.
    certificate_ : J, its Lagrange dual, their gap, ‖∇J‖ and the jitter.
    loo_residuals_, dof_ : computed when first asked for.

    Notes
    -----
    `fit` costs n²/2 values of k and n³/3 operations, in one
    n×n array. It is kept, as the factor, until `loo_residuals_` or `dof_` has used it
    up. `predict` costs n values of k per point, in a bounded amount of memory.

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

    estimator_type = "regressor"
    takes_several_outputs = True

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Solve (K + D)a + b1 = t, 1ᵀa = 0, with D = λ diag(1/s_i).

        Parameters
        ----------
        X : (n, d) array, or n objects; the (n, n) Gram matrix if it is precomputed.
        y : (n,) array of targets t, or (n, m) for m outputs.
        sample_weight : (n,) array s ≥ 0; all 1 if it is not given. A point of
            weight 0 has no influence, and a_i = 0.

        Returns
        -------
        The estimator itself.
        """
        inputs = self._read_inputs(X, self.kernel)
        data = Data.read(inputs, y, sample_weight)
        lam = positive_penalty(self.lam, "lam")
        self._forget()
        fit = CholeskySolution.of(data, lam, self.intercept)
        self._inputs, self._fit = data.inputs.stored(), fit
        self.a_: Array = np.where(data.s > 0, fit.a.T, 0.0).T.reshape(data.shape)
        self.intercept_: float | Array = intercept_of(fit.b, data.shape)
        self.certificate_: Certificate = fit.certificate
        return self

    def predict(self, X: Any) -> Array:
        """Return f(x) = Σ_i a_i k(x, x_i) + b for every row of X.

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
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return R² = 1 − Σ s_i (t_i − f(x_i))² / Σ s_i (t_i − mean t)², mean over
        outputs.

        As in scikit-learn, constant targets score 1 if they are met exactly, else 0.
        """
        f = self.predict(X)
        T = read_targets(y, len(f))
        if T.shape != f.shape:
            raise InputError(f"y must have shape {f.shape}, got {T.shape}")
        s, T = read_weights(sample_weight, len(f)), columns_of(T)
        return r_squared(T, columns_of(f), s)

    def path(
        self,
        X: Any,
        y: ArrayLike,
        lams: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> RidgePath:
        """Return the leave-one-out error for every λ of a grid, from one
        eigendecomposition.

        About 9n³ operations once, then 4n² for each λ and output; n refits for each
        of L values of λ would cost Ln·n³/3. The estimator's own `lam` is not used.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`.
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
        inputs = self._read_inputs(X, self.kernel)
        data = Data.read(inputs, y, sample_weight)
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

    def _fitted(self) -> CholeskySolution:
        self._trained()
        return self._fit


@dataclass(frozen=True, eq=False, repr=False)
class RidgePath:
    """Kernel ridge regression for a grid of λ. Made by `KernelRidge.path`.

    Attributes
    ----------
    lams : (L,) array, the grid.
    loo_errors : (L,) array, Σ s_i (t_i − f₋ᵢ(x_i))² / Σ s_i, the mean over outputs.
    residual_norms : (L,) array, √Σ s_i (t_i − f(x_i))².
    norms : (L,) array, ‖f‖ = √aᵀKa (of f − b, if there is an intercept).
    dof : (L,) array, the degrees of freedom tr H.
    """

    _model: KernelRidge
    _data: Data
    _system: Eigensystem
    lams: Array
    loo_errors: Array
    residual_norms: Array
    norms: Array
    dof: Array

    @property
    def best(self) -> float:
        """The λ of the grid with the smallest leave-one-out error."""
        return float(self.lams[self.loo_errors.argmin()])

    def coefficients(self, lam: float | None = None) -> Array:
        """a for any λ > 0, on the grid or not; for the best λ by default. O(n²)."""
        C, _ = self._system.solve(np.array([self._choose(lam)]))
        return self._system.points(C[:, 0]).reshape(self._data.shape)

    def intercept(self, lam: float | None = None) -> float | Array:
        """b for any λ > 0, on the grid or not; for the best λ by default. O(n)."""
        _, b = self._system.solve(np.array([self._choose(lam)]))
        return intercept_of(b[0], self._data.shape)

    def refit(self, lam: float | None = None) -> KernelRidge:
        """Return a `KernelRidge` fitted anew to the same data; with the best λ by
        default.

        The data are copies, except a precomputed Gram matrix, which must not change.
        """
        data, model = self._data, replace(self._model, lam=self._choose(lam))
        return model.fit(data.inputs.X, data.T.reshape(data.shape), data.s)

    def _choose(self, lam: float | None) -> float:
        return self.best if lam is None else positive_penalty(lam, "lam")

    def __repr__(self) -> str:
        ends = self.lams.min(), self.lams.max()
        edge = ", the edge of the grid: widen it" if self.best in ends else ""
        return (
            f"RidgePath: lam from {ends[0]:.3g} to {ends[1]:.3g} ({len(self.lams)}); "
            f"smallest leave-one-out error {self.loo_errors.min():.3g} at lam = "
            f"{self.best:.3g}{edge}"
        )
