"""SVC: the support vector machine, for two classes and for several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.estimator import Inputs, read_weights
from kernellab.kernels.base import Kernel
from kernellab.labels import Labels, accuracy, read_labels
from kernellab.svm.binary import BinarySVM, train
from kernellab.svm.dual_program import StoppingRule
from kernellab.svm.inputs import read_inputs, with_gram
from kernellab.svm.machines import PairwiseSVMs
from kernellab.svm.penalties import penalties, read_penalty
from kernellab.svm.probabilities import Sigmoid, couple, cross_fitted
from kernellab.svm.voting import one_against_rest, pairs, winners

SHARED_GRAM_MAX_POINTS = 1000, 4000
"""Up to this many points, the machines of several classes share one Gram matrix:
vectors, and objects, whose kernels cost more."""


@dataclass(eq=False)
class SVC(PairwiseSVMs):
    """Support vector classification: minimise ½‖w‖² + Σ C_i max(0, 1 − y_i f(x_i)).

    Parameters
    ----------
    kernel : Kernel, or "precomputed": then X is the Gram matrix k(X, X) in `fit`, and
        k(Z, X) in `predict`.
    C : the price of a unit of slack, positive; `np.inf` for the hard margin, which
        allows none. In terms of λ, for the mean loss: C = 1/(nλ).
    tol : the solver stops when no pair of points violates the optimality conditions
        by more, in units of f (LIBSVM's meaning). `certificate_` says what was reached.
    class_weight : a mapping from labels to factors of C (1 for a label that it does
        not name); "balanced" for Σs/(c Σ_k s), which gives every class the same total
        weight; None for 1.
    max_iter : the number of steps after which to stop, with a `ConvergenceWarning`;
        None for the solver's own limit.
    decision_function_shape : "ovr" or "ovo", what `decision_function` answers for
        three classes and more.
    probability : whether to learn probabilities as well, for `predict_proba`: five
        further machines for each, trained on four fifths of the points.

    Attributes
    ----------
    classes_ : (c,) labels, in increasing order. Of two classes the larger is y = +1.
    alpha_ : (n,) multipliers α ≥ 0, one for each training point.
    support_ : (n_sv,) the points with α > 0, by number, in increasing order.
    n_support_ : (c,) how many of them each class has.
    dual_coef_ : (n_sv,) coefficients y_i α_i of the support vectors.
    intercept_ : b, the mean over the support vectors with 0 < α_i < C_i of what makes
        y_i f(x_i) = 1; if there are none, the midpoint of `intercept_interval_`.
    intercept_interval_ : (low, high), the b that satisfy the optimality conditions;
        one number, up to `tol`, if some 0 < α_i < C_i.
    margin_ : 1/‖w‖, the distance between f = 0 and f = ±1 in feature space.
    slacks_ : (n,) ξ_i = max(0, 1 − y_i f(x_i)).
    n_iter_ : steps of the solver.
    certificate_ : primal, dual, gap, and the residuals of the four conditions of
        Karush, Kuhn and Tucker (see `kernellab.svm.certificate`).
    w_, function_ : the weights of finite features; f − b as an element of the RKHS.
    pairs_, certificates_ : the pairs of labels, and the certificate of each.
    sigmoids_ : with `probability`, the `Sigmoid` of each pair: its slope, its offset,
        and its log loss at points that were left out.

    With c ≥ 3 classes every pair has a machine of its own, p = c(c−1)/2 in the order
    of `pairs_`, in which f > 0 stands for the first label of the pair, as in LIBSVM.
    `alpha_` and `slacks_` then have shape (n, p), zero for points that a machine has
    not seen; `dual_coef_` (p, n_sv); `intercept_`, `margin_`, `n_iter_` (p,);
    `intercept_interval_` (p, 2); `w_` and `function_` are lists; `certificate_` adds
    up the values of all machines and keeps the worst residuals.

    Notes
    -----
    Chapter 6. The solver is `kernellab.svm.smo`: two rows of K and O(n) operations per
    step, in O(n) memory and a
    cache of rows. Its end and the certificate cost n·n_sv values of k; `predict`
    n_sv values per point, in a bounded amount of memory.

    K must be positive semi-definite; else (D) is not concave, a local solution need
    not be a global one, and no certificate would prove anything. Where the kernel is
    not PROVEN, K is tested, and `NotPositiveDefinite` raised (of more than 2000
    points, a block of 2000 is tested).

    α need not be unique, nor the number of support vectors; w is.

    Raises
    ------
    NotSeparable
        By `fit`, if C is infinite and the classes overlap in feature space; its
        `witness` proves it.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X = [[2, 1], [3, -1], [-1, 2], [-1, 0], [-2, 0.5], [0, -1]]
    >>> y = [1, 1, 1, -1, -1, -1]
    >>> machine = SVC(kl.Linear(), C=np.inf).fit(X, y)  # the hard margin
    >>> (32 * machine.alpha_).round(9)
    array([ 0.,  6., 19., 25.,  0.,  0.])
    >>> machine.w_.round(9), round(machine.intercept_, 9)
    (array([0.75, 1.  ]), -0.25)
    >>> machine.support_, machine.predict([[2.0, 1.0], [0.0, 0.0]])
    (array([1, 2, 3]), array([ 1, -1]))
    >>> round(machine.certificate_.primal, 9) == 25 / 32
    True
    """

    kernel: Kernel | str
    C: float = 1.0
    tol: float = 1e-3
    class_weight: Mapping[Any, float] | str | None = None
    max_iter: int | None = None
    decision_function_shape: str = "ovr"
    probability: bool = False

    estimator_type = "classifier"

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Solve (P) and (D).

        Parameters
        ----------
        X : (n, d) array, or n objects; the (n, n) Gram matrix if it is precomputed.
        y : (n,) labels of any type that can be sorted, of two classes or more.
        sample_weight : (n,) array s ≥ 0, factors of C; all 1 if it is not given. A
            point of weight 0 is left out.

        Returns
        -------
        The estimator itself.
        """
        inputs = read_inputs(self.kernel, X, type(self).__name__)
        C, rule = read_penalty(self.C), StoppingRule.read(self.tol, self.max_iter)
        self._read_shape()
        s = read_weights(sample_weight, inputs.n)
        index = np.flatnonzero(s)
        given = read_labels(y, inputs.n)
        labels = Labels.read(given[index], len(index))
        bounds = penalties(C, self.class_weight, labels, s[index])
        inputs = inputs.sampled_positive(index)
        c = len(labels.classes)
        order = pairs(c) if c > 2 else [(1, 0)]
        shared = with_gram(inputs) if c > 2 and _worth_sharing(inputs) else inputs

        def machine(pair: tuple[int, int], some: Any = slice(None)) -> BinarySVM:
            codes, C_i = labels.codes[some], bounds[some]
            return train(shared, index[some], codes, C_i, pair, labels.classes, rule)

        machines = [machine(pair) for pair in order]
        self._sigmoids = [
            cross_fitted(
                shared, index, labels.codes, s[index], pair, partial(machine, pair)
            )
            for pair in (order if self.probability else ())
        ]
        self._n, self._machines = inputs.n, machines
        self._keep(inputs, index, labels)
        return self

    # --- prediction -----------------------------------------------------------------

    def decision_function(self, X: Any) -> Array:
        """Return f(x) for every point of X. O(n_sv) values of k per point.

        Parameters
        ----------
        X : (q, d) array, or q objects; the (q, n) matrix k(X, training points) if it
            is precomputed.

        Returns
        -------
        (q,) array for two classes: f > 0 stands for the larger label. For c ≥ 3, as
        in scikit-learn: "ovo" gives (q, p) values, one for each pair, where f > 0
        stands for the first of the two; "ovr" gives (q, c) numbers, the votes for
        each class plus a confidence of at most 1/3, so that the largest wins.
        """
        shape = self._read_shape()
        D = self._values(X)
        c = len(self.classes_)
        if c == 2:
            return D[:, 0]
        return D if shape == "ovo" else one_against_rest(D, c)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return a label for every point of X: the sign of f, or the class with most
        votes.

        f = 0 is predicted as the larger of two labels; of several classes with as
        many votes the first is taken, as in LIBSVM.
        """
        D = self._values(X)
        c = len(self.classes_)
        codes = (D[:, 0] >= 0).astype(np.intp) if c == 2 else winners(D, c)
        return np.asarray(self.classes_[codes])

    @property
    def predict_proba(self) -> Callable[[Any], Array]:
        """Return the probability of each of `classes_`, (q, c), for the points of X.

        By Platt's sigmoids of cross-fitted values; pairs of several classes are coupled
        (`kernellab.svm.probabilities`). The likeliest label need not be that of
        `predict`, which goes by f = 0 and by votes: it minimises another loss.
        """
        if not self.probability:
            raise AttributeError(
                "predict_proba needs SVC(…, probability=True), which trains five "
                "further machines for it"
            )
        return self._probabilities

    def _probabilities(self, X: Any) -> Array:
        D = self._values(X)
        if len(self._sigmoids) != D.shape[1]:
            raise InputError("fit again: probability was set after the fit")
        R = np.column_stack(
            [sigmoid(f) for sigmoid, f in zip(self._sigmoids, D.T, strict=True)]
        )
        c = len(self.classes_)
        return np.column_stack([1 - R, R]) if c == 2 else couple(R, c)

    @property
    def sigmoids_(self) -> dict[tuple[Any, Any], Sigmoid]:
        """The sigmoid of the machine of each pair of labels, with `probability`."""
        return dict(zip(self.pairs_, self._sigmoids, strict=False))

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the share of right labels, each point with its weight."""
        return accuracy(self.predict(X), y, sample_weight)

    def _read_shape(self) -> str:
        if self.decision_function_shape not in ("ovr", "ovo"):
            raise InputError(
                "decision_function_shape must be 'ovr' or 'ovo', got "
                f"{self.decision_function_shape!r}"
            )
        return self.decision_function_shape


def _worth_sharing(inputs: Inputs) -> bool:
    if inputs.kernel is None:
        return False
    vectors, objects = SHARED_GRAM_MAX_POINTS
    return inputs.n <= (objects if inputs.X.width is None else vectors)
