"""Kernel logistic regression: probabilities of two classes or several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array, Indices, positive_number, whole
from kernellab.certificates import Certificate
from kernellab.erm.problem import RepresenterProblem
from kernellab.erm.softmax import SoftmaxProblem, solve_softmax
from kernellab.erm.solver import solve_problem
from kernellab.errors import InputError
from kernellab.estimator import Estimator, Inputs, read_weights
from kernellab.kernels.base import Kernel
from kernellab.labels import Labels, accuracy, class_weights, read_labels
from kernellab.losses import Logistic, WeightedLoss
from kernellab.rkhs import Function


@dataclass(eq=False)
class KernelLogisticRegression(Estimator):
    """Class probabilities from functions of least mean logistic loss + (λ/2)‖f‖².

    For two classes P(y = 1 | x) = 1/(1 + e^(−f(x))), with one function f. For c > 2,
    P(class j | x) = e^(f_j(x)) / Σ_l e^(f_l(x)), with a function for each class and
    the penalty (λ/2) Σ_j ‖f_j‖². (Two functions with 2λ would be one with λ.)

    Parameters
    ----------
    kernel : Kernel, or "precomputed": then X is the Gram matrix k(X, X) in `fit`, and
        k(Z, X) in `predict`.
    lam : number λ > 0; the loss is a mean, weighted if there are weights.
        scikit-learn's C is 1/(λ Σ_i s_i), that is 1/(nλ) without weights.
    tol : the relative gap at which to stop.
    max_iter : the number of steps after which to stop, with a `ConvergenceWarning`.
    class_weight : a mapping from labels to factors of the loss (1 for a label that it
        does not name); "balanced" for the same total weight of every class; None for 1.

    Attributes
    ----------
    classes_ : (c,) labels, in increasing order: the columns of `predict_proba`.
    a_ : (n,) coefficients of f; (n, c) for c > 2, a column for each class.
    alpha_ : the same for the dual; equal to a_ up to the tolerance.
    certificate_ : the primal and the dual value, and their gap: how far from the
        optimum the fit can be.
    n_iter_ : Newton steps that were made.
    function_ : f as a `kernellab.rkhs.Function`; a list of them for c > 2.

    Notes
    -----
    A Newton step factorises an n×n matrix for two classes, n³/3 operations; for more it
    takes some products with K, O(n²c) each (`kernellab.erm.softmax`). There is no
    intercept: add a constant to the kernel instead.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X, y = [[-2.0], [-1.0], [1.0], [3.0]], ["no", "no", "yes", "yes"]
    >>> model = KernelLogisticRegression(kl.Linear(), lam=0.1).fit(X, y)
    >>> model.predict_proba([[0.0], [2.0]]).round(3)
    array([[0.5  , 0.5  ],
           [0.058, 0.942]])
    >>> model.fit(X, ["low", "low", "mid", "top"]).predict([[-2.0], [4.0]])
    array(['low', 'top'], dtype='<U3')
    """

    kernel: Kernel | str
    lam: float = 1.0
    tol: float = 1e-8
    max_iter: int = 100
    class_weight: Mapping[Any, float] | str | None = None

    estimator_type = "classifier"

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Solve (P) and (D).

        Parameters
        ----------
        X : (n, d) array, or n objects; the (n, n) Gram matrix if it is precomputed.
        y : (n,) labels of any type that can be sorted, of two classes or more.
        sample_weight : (n,) array s ≥ 0, factors of the loss; all 1 if not given. A
            point of weight 2 counts like two points, one of weight 0 is left out.
        """
        inputs = self._read_inputs(X, self.kernel)
        s = read_weights(sample_weight, inputs.n)
        kept = np.flatnonzero(s)
        labels = Labels.read(read_labels(y, inputs.n)[kept], len(kept))
        of_class = class_weights(self.class_weight, labels, s[kept])
        weights = s[kept] * of_class[labels.codes]
        weights *= len(kept) / weights.sum()  # so that their mean is 1
        K = inputs.gram()
        if len(kept) < inputs.n:
            K = K[np.ix_(kept, kept)]
        inputs.require_positive(K)
        a, alpha, certificate, steps = self._solve(K, labels, weights, inputs)
        self._inputs, self.classes_ = inputs.stored(), labels.classes
        self.certificate_, self.n_iter_ = certificate, steps
        self.a_, self.alpha_ = (_spread(c, kept, inputs.n) for c in (a, alpha))
        return self

    def _solve(
        self, K: Array, labels: Labels, s: Array, inputs: Inputs
    ) -> tuple[Array, Array, Certificate, int]:
        """Return both coefficients, what they prove, and the number of steps."""
        loss = Logistic() if (s == 1).all() else WeightedLoss(Logistic(), s)
        two = len(labels.classes) == 2
        y = labels.signs if two else np.ones(len(K))
        problem = RepresenterProblem.read(K, y, self.lam, loss)
        problem = replace(problem, kernel=inputs.kernel)
        if two:
            found = solve_problem(problem, self.tol, self.max_iter)
            return found.a, found.alpha, found.certificate, found.iterations
        problem.require_convex()
        Y = np.eye(len(labels.classes))[labels.codes]
        several = solve_softmax(
            SoftmaxProblem(K, Y, s, problem.lam, inputs.kernel),
            positive_number(self.tol, "tol"),
            whole(self.max_iter, "max_iter", 0),
        )
        return several.A, several.R, several.certificate, several.iterations

    def decision_function(self, X: Any) -> Array:
        """Return f(x) for every point of X, (q,); (q, c) values f_j(x) for c > 2."""
        inputs = self._trained()
        A = self.a_ if self.a_.ndim == 2 else self.a_[:, None]
        F = inputs.expand(X, A)
        return F if self.a_.ndim == 2 else F[:, 0]

    def predict_proba(self, X: Any) -> Array:
        """Return the probability of each of `classes_`, a row for every point of X."""
        F = self.decision_function(X)
        if F.ndim == 1:
            return np.column_stack([scipy.special.expit(-F), scipy.special.expit(F)])
        return np.asarray(scipy.special.softmax(F, axis=1))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest label for every point of X; the larger one for f = 0."""
        F = self.decision_function(X)
        codes = (F >= 0).astype(np.intp) if F.ndim == 1 else F.argmax(axis=1)
        return np.asarray(self.classes_[codes])

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the share of right labels, each point with its weight."""
        return accuracy(self.predict(X), y, sample_weight)

    @property
    def function_(self) -> Function | list[Function]:
        """f as an element of the RKHS, with its norm and inner products."""
        inputs = self._trained()
        if inputs.kernel is None:
            raise InputError("a precomputed Gram matrix has no points: f is a_ alone")
        if self.a_.ndim == 1:
            return Function(inputs.kernel, inputs.X, self.a_)
        return [Function(inputs.kernel, inputs.X, a) for a in self.a_.T]


def _spread(a: Array, kept: Indices, n: int) -> Array:
    """Return coefficients of all n points: 0 for those that were left out."""
    result = np.zeros((n, *a.shape[1:]))
    result[kept] = a
    return result
