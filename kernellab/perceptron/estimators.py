"""The perceptron as an estimator: with weights, or with a kernel.

Legend: n points in ℝᵈ; c classes; w weights; g decision function; α (n) mistake counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, RandomState, positive_number
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.estimator import Inputs
from kernellab.kernels.base import Kernel
from kernellab.kernels.dotproduct import Linear
from kernellab.kernels.proving.advice import advice
from kernellab.kernels.row_cache import GramRows, RowCache
from kernellab.labels import Labels
from kernellab.perceptron.machines import DualLearner, PrimalLearner
from kernellab.perceptron.shared import (
    CertifiedRun,
    MistakeDriven,
    Variant,
    check_variant,
)
from kernellab.rkhs import Function


@dataclass(eq=False)
class Perceptron(MistakeDriven):
    """The perceptron in w: w ← w + rate·y_i x_i whenever y_i (wᵀx_i + w_0) ≤ 0.

    Parameters
    ----------
    rate : number > 0. It multiplies w and w_0 and changes nothing else: the run
        is made with rate 1, so not even rounding depends on it.
    max_epochs : how often to show all points at most; then a `ConvergenceWarning`.
    intercept : whether there is a threshold w_0, updated by rate·y_i; without
        it the hyperplane goes through 0.
    variant : which w predicts: the "last", the "averaged" one (over all points that
        were shown), or all of them, "voted" (Freund and Schapire). It may be changed
        after `fit`.
    shuffle : whether to draw a new order of the points for every epoch, rather than
        to show them in the order they are in.
    random_state : seed of these orders, or a generator.

    Attributes
    ----------
    w_ : (d,) weights; (c, d) for c > 2 classes, one against the rest.
    intercept_ : w_0; (c,) for several classes.
    alpha_, mistakes_, run_ : mistake counts, the mistaken points in order, the log.
    converged_, separable_, epochs_ : how it ended.
    certificate_ : bounds for the largest margin, and for the number of mistakes.
    classes_ : the labels; of two, the second is +1.

    Notes
    -----
    O(d) for each point that is looked at; memory for w, X and the log. It stops at an
    epoch without a mistake; if w comes back to an earlier value, which proves that
    nothing separates the data (up to rounding, if there is any); and after
    `max_epochs`.

    Examples
    --------
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [-1, -1, -1, 1]
    >>> model = Perceptron().fit(X, y)  # AND
    >>> model.w_, model.intercept_, model.predict(X)
    (array([3., 2.]), -4.0, array([-1, -1, -1,  1]))
    >>> model.alpha_, model.epochs_, model.separable_
    (array([2, 5, 4, 7]), 9, True)
    """

    rate: float = 1.0
    max_epochs: int = 1000
    intercept: bool = True
    variant: Variant = "last"
    shuffle: bool = False
    random_state: RandomState = 0

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Show the points until none is mistaken.

        Parameters
        ----------
        X : (n, d) array.
        y : (n,) labels of two classes or more.
        """
        rate = positive_number(self.rate, "rate")
        inputs = self._read_inputs(X, Linear())
        labels, P = Labels.read(y, inputs.n), inputs.X.X
        if self.intercept:
            P = np.column_stack([P, np.ones(inputs.n)])
        with np.errstate(over="ignore", invalid="ignore"):
            machines = self._learn(inputs, labels, lambda s: PrimalLearner(P, s))
        W, self._rate = rate * np.array([m.state for m in machines]), rate
        d = inputs.X.width
        w0 = W[:, d] if self.intercept else np.zeros(len(W))
        several = len(W) > 1
        self.w_: Array = W[:, :d] if several else W[0, :d]
        self.intercept_: float | Array = w0 if several else float(w0[0])
        self._complain()
        return self

    def _coefficients(self, one: CertifiedRun) -> Array:
        return self._rate * super()._coefficients(one)


@dataclass(eq=False)
class KernelPerceptron(MistakeDriven):
    """The perceptron with a kernel: α_i ← α_i + 1 whenever y_i g(x_i) ≤ 0.

    The decision function is g(x) = Σ_i α_i y_i k(x_i, x), linear in feature space.

    Parameters
    ----------
    kernel : Kernel, or "precomputed": then X is the Gram matrix k(X, X) in `fit`, and
        k(Z, X) in `predict`.
    max_epochs : how often to show all points at most; then a `ConvergenceWarning`.
    intercept : whether to add a threshold w_0 = Σ α_i y_i. It is the same as the
        kernel k + 1.
    variant : which g predicts: the "last", the "averaged" one (over all points that
        were shown), or all of them, "voted" (Freund and Schapire). It may be changed
        after `fit`.
    shuffle : whether to draw a new order of the points for every epoch, rather than
        to show them in the order they are in.
    random_state : seed of these orders, or a generator.

    Attributes
    ----------
    alpha_ : (n,) mistake counts; (n, c) for c > 2 classes, one against the rest.
    mistakes_ : (M,) indices of the mistaken points, in order; a tuple for several.
    run_ : the log in full, with the times of the mistakes.
    converged_, separable_, epochs_ : how it ended.
    certificate_ : bounds for the largest margin, and for the number of mistakes.
    intercept_ : w_0, or 0; (c,) for several classes.
    function_ : g as a `kernellab.rkhs.Function`.
    classes_ : the labels; of two, the second is +1.

    Notes
    -----
    g is kept at all n points, and a mistake adds a Gram row:
    O(n) operations, against O(n) for every *test* in the textbook. For many points a
    row is computed when it is needed. When g seems to separate the data it is summed
    afresh, to make sure.

    The same mistakes as by `Perceptron` on features, or as by the textbook's loop, are
    made in exact arithmetic; with rounding, unless some g(x_i) is 0 up to rounding.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]  # XOR
    >>> model = KernelPerceptron(kl.Gaussian(sigma=0.5)).fit(X, y)
    >>> model.alpha_, model.mistakes_, model.converged_
    (array([1, 1, 1, 1]), array([0, 1, 2, 3]), True)
    >>> model.predict([[0.1, 0.2], [0.2, 0.9]])
    array([-1,  1])
    >>> model.certificate_.separable
    True
    """

    kernel: Kernel | str
    max_epochs: int = 1000
    intercept: bool = False
    variant: Variant = "last"
    shuffle: bool = False
    random_state: RandomState = 0

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Show the points until none is mistaken.

        Parameters
        ----------
        X : (n, d) array, or n objects; the (n, n) Gram matrix if it is precomputed.
        y : (n,) labels of two classes or more.
        """
        inputs = self._read_inputs(X, self.kernel)
        labels = Labels.read(y, inputs.n)
        rows = RowCache(_gram_rows(inputs, self.intercept))
        inputs = inputs.sampled_positive(np.arange(inputs.n))
        with np.errstate(over="ignore", invalid="ignore"):
            self._learn(inputs, labels, lambda signs: DualLearner(rows, signs))
        w0 = self.intercept * np.array([one.run.alpha @ one.y for one in self._all])
        self.intercept_: float | Array = w0 if len(w0) > 1 else float(w0[0])
        self._complain()
        return self

    @property
    def function_(self) -> Function | tuple[Function, ...]:
        """g, of the variant "last" or "averaged", with its norm and inner products.

        With a threshold it is a function of the RKHS of k + 1.
        """
        kernel = self._trained().kernel
        if kernel is None:
            raise InputError(
                "a precomputed Gram matrix has no points: g is alpha_ alone"
            )
        if check_variant(self.variant) == "voted":
            raise InputError("a vote is no function of the RKHS; use another variant")
        k, X, used = (
            kernel + 1 if self.intercept else kernel,
            self._centres.X,
            self._support,
        )
        g = [Function(k, X, self._coefficients(one)[used]) for one in self._all]
        return g[0] if len(g) == 1 else tuple(g)


def _gram_rows(inputs: Inputs, intercept: bool) -> GramRows:
    """Return the rows of k, or of k + 1 for a threshold; refuse a k(x, x) < 0."""
    kernel, X = inputs.kernel, inputs.X
    if intercept:
        kernel, X = (None, inputs.gram() + 1) if kernel is None else (kernel + 1, X)
    rows = GramRows(kernel, X)
    i = int(rows.diagonal.argmin())
    if rows.diagonal[i] < 0:
        raise NotPositiveDefinite(
            f"k(x, x) = {rows.diagonal[i]:.3g} is negative at the point number {i}, so "
            "it is not the square of a length. " + advice(kernel)
        )
    return rows
