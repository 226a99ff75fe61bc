"""The estimator that solves the representer problem, for any loss."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array
from kernellab.erm.problem import RepresenterProblem
from kernellab.erm.solver import solve_problem
from kernellab.errors import InputError
from kernellab.estimator import Estimator, r_squared
from kernellab.kernels.base import Kernel
from kernellab.labels import Labels, accuracy, read_labels
from kernellab.losses import Loss, Squared
from kernellab.rkhs import Function


@dataclass(eq=False)
class KernelERM(Estimator):
    """f of least (1/n) Σ ℓ(y_i, f(x_i)) + (λ/2)‖f‖² in the RKHS of a kernel.

    Parameters
    ----------
    kernel : Kernel, or "precomputed": then X is the Gram matrix k(X, X) in `fit`, and
        k(Z, X) in `predict`.
    loss : one of `kernellab.losses`.
    lam : number λ > 0. In terms of a support vector machine's C: λ = 1/(nC).
    tol : the relative gap at which to stop.
    max_iter : the number of steps after which to stop, with a `ConvergenceWarning`.

    Attributes
    ----------
    a_ : (n,) coefficients, f = Σ a_i k(·, x_i).
    alpha_ : (n,) solution of the dual; equal to a_ up to the tolerance.
    certificate_ : P(a_), D(alpha_) and their gap.
    n_iter_ : steps that were made.
    function_ : f as a `kernellab.rkhs.Function`.
    classes_ : the two labels, for a loss on labels; the second is +1.

    Notes
    -----
    O(n³) per step, three n×n arrays. K must be positive semi-definite:
    otherwise (P) has no minimum, and fit says so.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> from kernellab.losses import Hinge
    >>> X, y = [[-2.0], [-1.0], [1.0], [3.0]], [-1, -1, 1, 1]
    >>> model = KernelERM(kl.Linear(), Hinge(), lam=0.1).fit(X, y)
    >>> model.a_.round(3)  # two support vectors: x = ±1
    array([ 0. , -0.5,  0.5,  0. ])
    >>> model.certificate_
    primal 0.05, dual 0.05, gap 0 (relative 0)
    >>> model.predict([[-0.5], [0.5]])
    array([-1,  1])
    """

    kernel: Kernel | str
    loss: Loss = field(default_factory=Squared)
    lam: float = 1.0
    tol: float = 1e-8
    max_iter: int = 100

    takes_several_classes = False

    @property
    def estimator_type(self) -> str:
        """ "classifier" for a loss on labels, else "regressor"."""
        return "classifier" if self.loss.labels else "regressor"

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Solve (P) and (D).

        Parameters
        ----------
        X : (n, d) array, or n objects; the (n, n) Gram matrix if it is precomputed.
        y : (n,) targets; for a loss on labels, labels of two classes, the larger of
            which is +1.
        """
        inputs = self._read_inputs(X, self.kernel)
        labels: NDArray[Any] | None = None
        if self.loss.labels:
            y, labels = _read_signs(y, inputs.n)
        K = inputs.gram()
        inputs.require_positive(K)
        problem = RepresenterProblem.read(K, y, self.lam, self.loss)
        problem = replace(problem, kernel=inputs.kernel)
        found = solve_problem(problem, self.tol, self.max_iter)
        self._inputs, self._labels = inputs.stored(), labels
        self.a_, self.alpha_ = found.a, found.alpha
        self.certificate_, self.n_iter_ = found.certificate, found.iterations
        return self

    def decision_function(self, X: Any) -> Array:
        """Return f(x) = Σ a_i k(x, x_i) for every point of X. O(n) kernel values a
        point.
        """
        return self._trained().expand(X, self.a_[:, None])[:, 0]

    def predict(self, X: Any) -> NDArray[Any]:
        """Return f(x); for a loss on labels the larger label where f(x) ≥ 0."""
        f = self.decision_function(X)
        return f if self._labels is None else self._labels[(f >= 0).astype(np.intp)]

    def score(self, X: Any, y: ArrayLike) -> float:
        """Return the share of right labels; for regression R² = 1 − Σ(y−f)²/Σ(y−mean
        y)².

        As in scikit-learn, R² of constant targets is 1 if they are met, else 0.
        """
        f = self.predict(X)
        if self._labels is not None:
            return accuracy(f, y)
        return r_squared(self.loss.check(y, len(f)), f, np.ones(len(f)))

    @property
    def classes_(self) -> NDArray[Any]:
        """The two labels, for a loss on labels; the second is +1."""
        self._trained()
        if self._labels is None:
            raise AttributeError(f"{self.loss!r} is no loss on labels")
        return self._labels

    @property
    def function_(self) -> Function:
        """f as an element of the RKHS, with its norm and inner products."""
        inputs = self._trained()
        if inputs.kernel is None:
            raise InputError("a precomputed Gram matrix has no points: f is a_ alone")
        return Function(inputs.kernel, inputs.X, self.a_)


def _read_signs(y: ArrayLike, n: int) -> tuple[Array, NDArray[Any]]:
    """Return −1 or +1 for each point, and the labels that they stand for.

    Points may all be −1 or all +1, which stand for themselves: (P) has a solution.
    """
    given = read_labels(y, n)
    if given.dtype.kind in "if" and np.isin(given, (-1, 1)).all():
        return given.astype(np.float64), np.array([-1, 1], dtype=given.dtype)
    labels = Labels.read(given, n)
    return labels.signs, labels.classes
