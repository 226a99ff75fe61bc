"""Exact kernel ridge regression when K does not fit in memory: conjugate gradients.

    (K + D)a + b1 = t,   1ᵀa = 0 (if there is a b),        D = λ diag(1/s_i),

is solved by products with K alone, and these need no K: a tile of it is computed, used
and forgotten. One product costs n²/2 values of k (a tile serves for itself and for its
mirror image), whatever the number of columns that K is multiplied with.

**How many products** depends on the eigenvalues. In j steps conjugate gradients for
Mz = c reduce the error, in the norm √(zᵀMz), by 2((√κ − 1)/(√κ + 1))ʲ at least, where κ
is the condition number of M; for K + λI that can be 1 + n·max k/λ, and hopeless. A
preconditioner P ≈ K + D whose inverse is cheap helps: then κ is that of P⁻¹(K + D).
Take r steps of pivoted Cholesky, K ≈ LLᵀ, and

    P = LLᵀ + D,    P⁻¹ = D^−½ (I − V(I + VᵀV)⁻¹Vᵀ) D^−½,    V = D^−½L   (Woodbury):

O(nr) for each product with P⁻¹. Since 0 ⪯ K − LLᵀ, P ⪯ K + D; and K − LLᵀ ⪯ D·(largest
s_i)·tr(K − LLᵀ)/λ. So

    κ ≤ 1 + max s·tr(K − LLᵀ)/λ,

which pivoted Cholesky knows after each of its steps: it stops when this is 2.

**When to stop.** With the residual ϱ = t − b1 − (K + D)a and any a with 1ᵀa = 0, the
objective J of `KernelRidge` and its dual differ by exactly

    J(a, b) − dual(a) = Σ s_i ϱ_i²,

the squared residual: the duality gap is free. The residual that the recursion updates
drifts away from the true one by rounding; so it is recomputed at the end, and the
iteration goes on if it was too optimistic. The certificate holds the true one.

The free constant costs one more column: (K + D)z = 1 is solved along with
(K + D)y = t, and a = y − bz with b = 1ᵀy/1ᵀz.

The preconditioner keeps the exact problem. Chapter 8. Gardner, Pleiss, Bindel,
Weinberger and Wilson (2018) solve Gaussian processes in this way.

Legend: n points; K (n×n), never stored; L (n×r); t (n×m) targets, one column per
output; s weights; ϱ residual; κ condition number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array, columns_of, positive_number, reals, whole
from kernellab.certificates import Certificate
from kernellab.errors import InputError
from kernellab.estimator import (
    Data,
    Estimator,
    expand,
    intercept_of,
    points_as_in_fit,
    positive_penalty,
)
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.lowrank.base import read_kernel
from kernellab.lowrank.conjugate_gradients import ConjugateGradients, RidgeSystem
from kernellab.lowrank.data_blocks import DataBlocks, is_dask, read_blocks
from kernellab.lowrank.products import Preconditioner, TiledGram
from kernellab.lowrank.targets import r_squared_of_rows, regression_columns
from kernellab.progress import Progress


@dataclass(eq=False)
class KernelRidgeCG(Estimator):
    """Kernel ridge regression by preconditioned conjugate gradients, without K.

    The problem is that of `KernelRidge`: minimise Σ s_i (t_i − f(x_i))² + λ‖f‖².

    Parameters
    ----------
    kernel : Kernel.
    lam : number λ > 0. The loss is a sum, as in `KernelRidge`.
    rank : the most columns r of the preconditioner; 0 for none. It uses fewer if they
        suffice. More columns: fewer products with K, but O(nr²) to begin with and nr
        numbers of memory.
    tol : stop when the relative duality gap is at most this. It is the square of a
        relative residual: 1e-6 makes J right to six digits, and f to about three;
        1e-12 f to about six.
    max_iter : the most products with K, two or more; then a `ConvergenceWarning`.
    intercept : whether to add a constant b that is not penalised.
    progress : True for a progress bar, False for none; None: for a fit that takes more
        than two seconds, on a terminal.

    Attributes
    ----------
    a_ : (n,) or (n, m) array of coefficients.
    intercept_ : b, a number or an (m,) array; 0 without intercept.
    certificate_ : J, its Lagrange dual and their gap, from the true residual.
    n_iter_ : the number of products with K; the last one finds the true residual.
    history_ : array, the relative gap after each step, by the recursion.
    rank_ : the number of columns of the preconditioner.
    condition_bound_ : the bound on κ that its error gives.

    Notes
    -----
    A product with K costs n²/2 values of k; all outputs share it. The preconditioner
    costs nr values of k and O(nr²). Memory: n(r + d) numbers and a few vectors, never
    n². On one machine: the tiles are independent of each other, but all of X is needed
    by all of them.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X = np.linspace(0, 3, 400)[:, None]
    >>> t = np.sin(2 * X[:, 0])
    >>> model = KernelRidgeCG(kl.Gaussian(), lam=1e-3, tol=1e-12).fit(X, t)
    >>> model.predict([[1.0], [1.5]]).round(3)
    array([0.909, 0.141])
    >>> plain = KernelRidgeCG(kl.Gaussian(), lam=1e-3, tol=1e-12, rank=0).fit(X, t)
    >>> model.rank_, model.n_iter_ < plain.n_iter_
    (8, True)
    """

    kernel: Kernel
    lam: float = 1.0
    rank: int = 300
    tol: float = 1e-6
    max_iter: int = 1000
    intercept: bool = False
    progress: bool | None = None

    estimator_type = "regressor"
    takes_several_outputs = True

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        start: ArrayLike | None = None,
    ) -> Self:
        """Solve (K + D)a + b1 = t, 1ᵀa = 0, with D = λ diag(1/s_i).

        Parameters
        ----------
        X : (n, d) array, or n objects.
        y : (n,) array of targets t, or (n, m) for m outputs.
        sample_weight : (n,) array s ≥ 0; all 1 if it is not given. A point of
            weight 0 has no influence, and a_i = 0.
        start : coefficients to start from, in the shape of y, such as `a_` of a fit
            with a λ nearby; 0 if it is not given.

        Returns
        -------
        The estimator itself.
        """
        if is_dask(X):
            raise InputError(
                "KernelRidgeCG runs on one machine: pass X.compute() if the points fit "
                "in its memory; LowRankRidge takes Dask arrays as they are"
            )
        inputs = self._read_inputs(X, read_kernel(self.kernel))
        data = Data.read(inputs, y, sample_weight)
        kept = np.flatnonzero(data.s > 0)
        data = replace(data, inputs=inputs.sampled_positive(kept))
        problem = self._problem(data, kept)
        with Progress("conjugate gradients", show=self.progress) as bar:
            problem.K.bar = bar
            first = np.zeros_like(data.T) if start is None else _read_start(start, data)
            run = ConjugateGradients(
                problem, first[kept], whole(self.max_iter, "max_iter", 2), bar
            )
            run.run(positive_number(self.tol, "tol"))
        self._keep(data, kept, run)
        return self

    def predict(self, X: Any) -> Any:
        """Return f(x) = Σ_i a_i k(x, x_i) + b for every point, in bounded memory.

        Parameters
        ----------
        X : (q, d) array or memory map, or q objects: then the result is an array. Or a
            Dask array: then it is one too, computed block by block when it is needed.

        Returns
        -------
        (q,) or (q, m) array.
        """
        rows = self._rows(X)
        columns = None if self.a_.ndim == 1 else self.a_.shape[1]
        return rows.stack(self._values, columns)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R² = 1 − Σ s_i (t_i − f(x_i))² / Σ s_i (t_i − mean t)², mean over
        outputs.

        As in scikit-learn, constant targets score 1 if they are met exactly, else 0.
        """
        rows = self._rows(X)
        columns = regression_columns(y, sample_weight, self.a_.shape[1:])
        return r_squared_of_rows(self._values, rows, columns, self.progress)

    def _values(self, points: Points) -> Array:
        inputs = self._trained()
        assert inputs.kernel is not None
        values = expand(inputs.kernel, points, inputs.X, columns_of(self.a_))
        return np.asarray(values.reshape(-1, *self.a_.shape[1:]) + self.intercept_)

    def _rows(self, X: Any) -> DataBlocks:
        """Return new points, checked a block at a time."""
        self.fitted_columns().require_names(X)
        return read_blocks(X, self._read)

    def _read(self, block: Any, name: str) -> Points:
        inputs = self._trained()
        assert inputs.kernel is not None
        return points_as_in_fit(inputs.kernel, inputs.columns, block, name)

    def _problem(self, data: Data, kept: NDArray[np.intp]) -> RidgeSystem:
        """Return the linear system of the points that have weight, and its
        preconditioner.
        """
        lam, rank = positive_penalty(self.lam, "lam"), whole(self.rank, "rank", 0)
        kernel, s = data.inputs.kernel, data.s[kept]
        assert kernel is not None
        points = data.inputs.X.take(kept)
        centre = data.centre(self.intercept)
        P = Preconditioner.of(kernel, points, lam / s, rank)
        K = TiledGram(kernel, points)
        return RidgeSystem(K, P, data.T[kept] - centre, s, lam, centre, self.intercept)

    def _keep(
        self, data: Data, kept: NDArray[np.intp], run: ConjugateGradients
    ) -> None:
        found = run.best
        a = np.zeros_like(data.T)
        a[kept] = found.a
        self._inputs = data.inputs.stored()
        self.a_: Array = a.reshape(data.shape)
        self.intercept_: float | Array = intercept_of(found.b, data.shape)
        self.certificate_: Certificate = replace(
            found.certificate, assumes=data.inputs.assumes
        )
        self.n_iter_, self.history_ = run.products, np.array(run.history)
        self.rank_ = run.problem.P.rank
        self.condition_bound_ = run.problem.P.condition_bound


def _read_start(start: ArrayLike, data: Data) -> Array:
    A = reals(start, "start must be an array of numbers")
    if A.shape != data.shape or not np.isfinite(A).all():
        raise InputError(
            f"start must be finite and of the shape of y, {data.shape}; got {A.shape}"
        )
    return columns_of(A).copy()
