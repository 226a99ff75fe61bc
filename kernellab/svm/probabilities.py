"""Probabilities from decision values: a sigmoid, fitted to values of points left out.

A machine's f at its own training points is too sure of itself: half of them may lie on
the margin because it put them there. So f is computed by cross-fitting: each fifth of
the points by a machine trained on the others. Then, with Platt's sigmoid,

    P(y = 1 | f) = 1 / (1 + e^(−(a f + b))),

a and b minimise −Σ s_i [t_i log p_i + (1 − t_i) log(1 − p_i)], a convex function. The
targets are t = (N₊ + 1)/(N₊ + 2) for a positive point and 1/(N₋ + 2) for a negative
one: no finite sample makes a probability 0 or 1. Platt (1999); the Newton steps of Lin,
Lin & Weng (2007), "A note on Platt's probabilistic outputs".

Several classes: from r_ij = P(i | i or j), the p with Σ p_i = 1 that minimises
Σ_i Σ_{j≠i} (r_ji p_i − r_ij p_j)², one linear system (Wu, Lin & Weng 2004).

Legend: m points, decision values f (m), weights s (m); q new points; c classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from kernellab.arrays import Array, Indices
from kernellab.errors import InputError
from kernellab.estimator import Inputs
from kernellab.svm.binary import BinarySVM
from kernellab.svm.inputs import values_of
from kernellab.svm.voting import pairs

FOLDS = 5
"""Parts into which the points are divided for cross-fitting, if every class has as
many."""

NEWTON_STEPS = 100
"""Steps after which the fit of a sigmoid is stopped; it ends long before."""

NEWTON_DECREMENT = 1e-10
"""It ends when half the squared Newton decrement, what could still be gained, is below
this share of the number of points."""

CERTAIN = 1e-7
"""Pairwise probabilities stay this far from 0 and 1, so that they can be coupled."""


@dataclass(frozen=True)
class Sigmoid:
    """P(y = 1 | f) = 1/(1 + e^(−(a f + b))), and how well it was determined.

    Attributes
    ----------
    a, b : slope and offset. a ≤ 0 says that f tells nothing about new points.
    log_loss : −(1/Σs) Σ s_i log P(y_i | f_i) of the points, each left out.
    decrement : half the squared Newton decrement at the end: about what the sum that
        is minimised could still fall.

    Examples
    --------
    >>> Sigmoid(2.0, 0.0, 0.3, 0.0)(np.array([-1.0, 0.0, 1.0])).round(3)
    array([0.119, 0.5  , 0.881])
    """

    a: float
    b: float
    log_loss: float
    decrement: float

    def __call__(self, f: Array) -> Array:
        return np.asarray(scipy.special.expit(self.a * f + self.b))


def fit_sigmoid(f: Array, positive: NDArray[np.bool_], s: Array) -> Sigmoid:
    """Fit a and b by Newton's method, in standardised f. O(m) per step."""
    many, few = float(s[positive].sum()), float(s[~positive].sum())
    t = np.where(positive, (many + 1) / (many + 2), 1 / (few + 2))
    centre = float(np.average(f, weights=s))
    scale = float(np.sqrt(np.average((f - centre) ** 2, weights=s))) or 1.0
    Z = np.column_stack([(f - centre) / scale, np.ones(len(f))])
    w = np.array([0.0, np.log((many + 1) / (few + 1))])
    for _ in range(NEWTON_STEPS):
        p = scipy.special.expit(Z @ w)
        gradient = Z.T @ (s * (p - t))
        H = Z.T @ ((s * p * (1 - p))[:, None] * Z) + 1e-12 * np.eye(2)
        step = np.linalg.solve(H, -gradient)
        decrement = float(-gradient @ step) / 2
        if decrement <= NEWTON_DECREMENT * s.sum():
            break
        w = w + _length(lambda w: _loss(Z @ w, t, s), w, step, -2 * decrement) * step
    a = w[0] / scale
    p = scipy.special.expit(Z @ w)
    right = np.where(positive, p, 1 - p)
    log_loss = -float(s @ np.log(np.maximum(right, 1e-300))) / s.sum()
    return Sigmoid(float(a), float(w[1] - a * centre), log_loss, decrement)


def _loss(z: Array, t: Array, s: Array) -> float:
    """Return −Σ s [t log p + (1 − t) log(1 − p)] for p = 1/(1 + e^(−z))."""
    return float(s @ (np.logaddexp(0.0, z) - t * z))


def _length(
    loss: Callable[[Array], float], w: Array, step: Array, slope: float
) -> float:
    """Return the first of 1, ½, ¼, … that decreases the loss enough (Armijo)."""
    start = loss(w)
    for length in 0.5 ** np.arange(30):
        if loss(w + length * step) <= start + 1e-4 * length * slope:
            return float(length)
    return 0.0


# --- cross-fitting ------------------------------------------------------------------


def cross_fitted(
    inputs: Inputs,
    index: Indices,
    codes: Indices,
    s: Array,
    pair: tuple[int, int],
    retrain: Callable[[NDArray[np.bool_]], BinarySVM],
) -> Sigmoid:
    """Return the sigmoid of one pair of classes, from values of points left out.

    Parameters
    ----------
    inputs, index, codes, s : training points, those with a weight, their classes and
        weights.
    pair : the codes of the classes that f > 0 and f < 0 stand for.
    retrain : function from a mask over `index` to a machine trained on these points.
    """
    f, mine = np.zeros(len(index)), np.isin(codes, pair)
    for held in _folds(codes, pair):
        machine = retrain(mine & ~held)
        used = machine.index, machine.beta
        f[held] = values_of(inputs, *used, index[held]) + machine.b
    return fit_sigmoid(f[mine], codes[mine] == pair[0], s[mine])


def _folds(codes: Indices, pair: tuple[int, int]) -> Iterator[NDArray[np.bool_]]:
    """Yield masks of points that are left out: parts with equal shares of the classes.

    The points of a class are dealt out in an order that is random and always the same.
    """
    places = [np.flatnonzero(codes == code) for code in pair]
    count = min(FOLDS, *map(len, places))
    if count < 2:
        raise InputError(
            "probabilities need two points of every class or more, so that one can be "
            "left out; leave out the class, or set probability=False"
        )
    rng = np.random.default_rng(0)
    fold = np.full(len(codes), -1)
    for place in places:
        fold[rng.permutation(place)] = np.arange(len(place)) % count
    for number in range(count):
        yield fold == number


# --- several classes ----------------------------------------------------------------


def couple(R: Array, c: int) -> Array:
    """Return (q, c) probabilities from those of pairs, (q, p) in the order of `pairs`.

    With Q_ii = Σ_{j≠i} r_ji² and Q_ij = −r_ji r_ij, minimising pᵀQp under Σp = 1 gives
    Qp = β1: one system of c + 1 equations per point. p > 0 if all r are.

    Examples
    --------
    >>> couple(np.array([[0.5, 0.5, 0.5], [0.9, 0.9, 0.5]]), 3).round(3)
    array([[0.333, 0.333, 0.333],
           [0.818, 0.091, 0.091]])
    """
    r = np.zeros((len(R), c, c))
    for k, (i, j) in enumerate(pairs(c)):
        r[:, i, j] = np.clip(R[:, k], CERTAIN, 1 - CERTAIN)
        r[:, j, i] = 1 - r[:, i, j]
    system = np.zeros((len(R), c + 1, c + 1))
    system[:, :c, :c] = -r * r.transpose(0, 2, 1)
    system[:, range(c), range(c)] = (r**2).sum(axis=1)
    system[:, c, :c] = system[:, :c, c] = 1.0
    right = np.zeros((len(R), c + 1, 1))
    right[:, c] = 1.0
    p = np.maximum(np.linalg.solve(system, right)[:, :c, 0], 0.0)
    result: Array = p / p.sum(axis=1, keepdims=True)
    return result
