"""The estimator that solves the representer problem, for any loss."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array
from kernellab.erm.problem import RepresenterProblem
from kernellab.erm.solver import solve_problem
from kernellab.errors import InputError
from kernellab.estimator import Estimator
from kernellab.kernels.base import Kernel
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
    array([-1.,  1.])
    """

    kernel: Kernel | str
    loss: Loss = field(default_factory=Squared)
    lam: float = 1.0
    tol: float = 1e-8
    max_iter: int = 100

    @property
    def estimator_type(self) -> str:
        """ "classifier" for a loss on labels, else "regressor"."""
        return "classifier" if self.loss.labels else "regressor"

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Solve (P) and (D).

        Parameters
        ----------
        X : (n, d) array, or n objects; the (n, n) Gram matrix if it is precomputed.
        y : (n,) targets; −1 and +1 for a loss on labels.
        """
        inputs = self._read_inputs(X, self.kernel)
        problem = RepresenterProblem.read(inputs.gram(), y, self.lam, self.loss)
        problem = replace(problem, kernel=inputs.kernel)
        found = solve_problem(problem, self.tol, self.max_iter)
        self._inputs = inputs.stored()
        self._loss = self.loss
        self.a_, self.alpha_ = found.a, found.alpha
        self.certificate_, self.n_iter_ = found.certificate, found.iterations
        return self

    def decision_function(self, X: Any) -> Array:
        """Return f(x) = Σ a_i k(x, x_i) for every point of X. O(n) kernel values a
        point.
        """
        return self._trained().expand(X, self.a_[:, None])[:, 0]

    def predict(self, X: Any) -> Array:
        """Return f(x); for a loss on labels its sign, +1 if f(x) = 0."""
        f = self.decision_function(X)
        return np.where(f >= 0, 1.0, -1.0) if self._loss.labels else f

    def score(self, X: Any, y: ArrayLike) -> float:
        """Return the share of right labels; for regression R² = 1 − Σ(y−f)²/Σ(y−mean
        y)².

        As in scikit-learn, R² of constant targets is 1 if they are met, else 0.
        """
        f = self.predict(X)
        t = self._loss.check(y, len(f))
        if self._loss.labels:
            return float(np.mean(f == t))
        missed, total = float(((t - f) ** 2).sum()), float(((t - t.mean()) ** 2).sum())
        return 1 - missed / total if total > 0 else float(missed == 0)

    @property
    def function_(self) -> Function:
        """f as an element of the RKHS, with its norm and inner products."""
        inputs = self._trained()
        if inputs.kernel is None:
            raise InputError("a precomputed Gram matrix has no points: f is a_ alone")
        return Function(inputs.kernel, inputs.X, self.a_)
