"""The perceptron as the documents write it: one test for each point, in order.

Three views of one algorithm, for reading and for comparison. Each recomputes g(x_i) at
every test, as printed; the estimators do the same work many times faster. Each has a
cap on the epochs, which the documents do not have.

Legend: w, b weights and threshold; g decision function; α (n) mistake counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array, positive_number, reals
from kernellab.errors import InputError
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import vectors
from kernellab.labels import Labels
from kernellab.linalg import symmetric
from kernellab.perceptron.runs import read_epochs
from kernellab.rkhs import Function, section


class PrimalRun(NamedTuple):
    """Weights, threshold, the points that were mistaken, whether it ended by itself."""

    w: Array
    b: float
    mistakes: list[int]
    converged: bool


class FunctionRun(NamedTuple):
    """g as a function, the points that were mistaken, whether it ended by itself."""

    g: Function
    mistakes: list[int]
    converged: bool


class DualRun(NamedTuple):
    """Mistake counts, the points that were mistaken, whether it ended by itself."""

    alpha: NDArray[np.int64]
    mistakes: list[int]
    converged: bool


def primal_perceptron(
    X: ArrayLike,
    y: ArrayLike,
    *,
    rate: float = 1.0,
    threshold: bool = True,
    start: ArrayLike | None = None,
    max_epochs: int = 1000,
) -> PrimalRun:
    """Run the two-class perceptron in w and w_0.

    w ← w + rate·y_i x_i and w_0 ← w_0 + rate·y_i whenever y_i (wᵀx_i + w_0) ≤ 0.
    O(nd) per epoch.

    Parameters
    ----------
    X : (n, d) array.
    y : (n,) labels of two classes; the larger is +1.
    rate : number > 0. From w = 0 it multiplies w, and changes no mistake.
    threshold : whether there is a w_0; without it the hyperplane goes through 0.
    start : (d,) first value of w, 0 by default. From elsewhere the rate matters.
    max_epochs : how many epochs to make at most.

    Examples
    --------
    >>> X, y = [[1.0], [4.0]], [1, -1]
    >>> primal_perceptron(X, y, rate=0.5)
    PrimalRun(w=array([-0.5]), b=1.0, mistakes=[0, 1, 0, 0], converged=True)
    >>> primal_perceptron(X, y, threshold=False, max_epochs=5).converged
    False
    """
    P, step = vectors(X).X, positive_number(rate, "rate")
    signs = _signs(y, len(P))
    w = _start(start, P.shape[1])
    b = 0.0

    def learn(i: int) -> None:
        nonlocal w, b
        w = w + step * signs[i] * P[i]
        b += step * signs[i] * threshold

    found = _epochs(signs, lambda i: float(w @ P[i]) + b, learn, max_epochs)
    return PrimalRun(w, float(b), *found)


def function_perceptron(
    kernel: Kernel, X: Any, y: ArrayLike, *, rate: float = 1.0, max_epochs: int = 1000
) -> FunctionRun:
    """Run the perceptron on the function itself.

    g ← g + rate·y_i k(x_i, ·) whenever y_i g(x_i) ≤ 0. With a threshold, pass the
    kernel k + 1. M kernel values per test, after M mistakes.

    Parameters
    ----------
    kernel : Kernel.
    X : (n, d) array, or n objects.
    y : (n,) labels of two classes; the larger is +1.
    rate : number > 0; it multiplies g, and changes no mistake.
    max_epochs : how many epochs to make at most.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X, y = [[1.0], [4.0]], [1, -1]
    >>> g, mistakes, converged = function_perceptron(kl.Linear() + 1, X, y)
    >>> mistakes, g(X)
    ([0, 1, 0, 0], array([ 1., -2.]))
    """
    points, step = kernel.read_points(X, "X"), positive_number(rate, "rate")
    signs = _signs(y, len(points))
    g = Function(kernel, points.items[:1], [0.0])

    def learn(i: int) -> None:
        nonlocal g
        g = g + step * signs[i] * section(kernel, points.items[i])

    def value(i: int) -> float:
        return float(g(points.items[i : i + 1])[0])

    found = _epochs(signs, value, learn, max_epochs)
    return FunctionRun(g, *found)


def dual_perceptron(K: ArrayLike, y: ArrayLike, *, max_epochs: int = 1000) -> DualRun:
    """Run the perceptron in the mistake counts α.

    α_i ← α_i + 1 whenever y_i Σ_j α_j y_j K_ij ≤ 0. The sum has to be computed at
    every test: n operations per test, n² per epoch.

    Parameters
    ----------
    K : (n, n) Gram matrix; with a threshold, K + 1.
    y : (n,) labels of two classes; the larger is +1.
    max_epochs : how many epochs to make at most.

    Examples
    --------
    >>> K = np.array([[1.0, 4.0], [4.0, 16.0]])  # of the points 1 and 4
    >>> dual_perceptron(K + 1, [1, -1])
    DualRun(alpha=array([3, 1]), mistakes=[0, 1, 0, 0], converged=True)
    """
    G = symmetric(K)
    signs = _signs(y, len(G))
    alpha = np.zeros(len(G), dtype=np.int64)

    def learn(i: int) -> None:
        alpha[i] += 1

    def value(i: int) -> float:
        return float(np.sum(alpha * signs * G[i]))

    return DualRun(alpha, *_epochs(signs, value, learn, max_epochs))


def _epochs(
    y: Array, g: Callable[[int], float], learn: Callable[[int], None], most: int
) -> tuple[list[int], bool]:
    """Return the loop that all the views share: until an epoch without a mistake."""
    mistakes: list[int] = []
    for _ in range(read_epochs(most)):
        before = len(mistakes)
        for i in range(len(y)):
            if y[i] * g(i) <= 0:
                learn(i)
                mistakes.append(i)
        if len(mistakes) == before:
            return mistakes, True
    return mistakes, False


def _signs(y: ArrayLike, n: int) -> Array:
    return Labels.read(y, n).signs


def _start(start: ArrayLike | None, d: int) -> Array:
    if start is None:
        return np.zeros(d)
    w = reals(start, "start must be an array of numbers")
    if w.shape != (d,) or not np.isfinite(w).all():
        raise InputError(f"start must be finite and have shape ({d},), got {w.shape}")
    return w
