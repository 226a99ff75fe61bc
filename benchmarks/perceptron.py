"""Perceptrons: the kernel's beside the textbook's loops, the linear one beside a peer.

scikit-learn has no kernel perceptron, so its peers are the loops that one would write,
five epochs with the same mistakes in the same order:

- "function view": S2 l. 176–200, the kernel evaluated in every test, from the points;
- "Python loop": S2 l. 202–226 given K, with the sum over j written out;
- "NumPy loop": `dual_perceptron`, the same with one NumPy sum a test.

scikit-learn's linear `Perceptron` is compiled, and takes a point in less time than
NumPy takes to be called; ours is compiled if Numba is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.harness import Case, Check, Contest, without_numba
from kernellab import kernels as kl
from kernellab.perceptron import (
    KernelPerceptron,
    Perceptron,
    dual_perceptron,
    function_perceptron,
)

GROUP = "perceptron"
D, EPOCHS = 10, 5
KERNEL = kl.Gaussian(sigma=np.sqrt(D))
Loop = Callable[[np.ndarray, np.ndarray], list[int]]


def cases(quick: bool) -> Iterator[Case]:
    """A Gaussian kernel on noisy labels, and weights alone."""
    kernel = "kernel, 5 epochs"
    n = 300 if quick else 1_000
    yield Case(GROUP, kernel, f"n = {n:,}", "function view", partial(viewed, n), 0.03)
    yield Case(
        GROUP,
        kernel,
        f"n = {n:,}, given K",
        "Python loop",
        partial(given, n, written_out),
        0.03,
    )
    for n in (300,) if quick else (1_000, 4_000):
        yield Case(
            GROUP, kernel, f"n = {n:,}, given K", "NumPy loop", partial(given, n, dual)
        )
    n = 2_000 if quick else 10_000
    for name, plain in (("linear, 20 epochs", False), ("linear, no Numba", True)):
        for d in (20, 200):
            yield Case(
                GROUP,
                name,
                f"n = {n:,}, d = {d}",
                "scikit-learn Perceptron",
                partial(linear, n, d, plain),
                target=None if plain else 1.0,
                needs=None if plain else "numba",
            )


def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and noisy labels: more than a fifth of the tests are mistakes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, D))
    g = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=n)
    return X, np.where(g >= 0, 1, -1)


def written_out(K: np.ndarray, y: np.ndarray) -> list[int]:
    """The loop of S2 l. 202–226, with g(x_i) summed in Python at every test."""
    rows, signs, alpha, mistakes = K.tolist(), y.tolist(), [0] * len(y), []
    for _ in range(EPOCHS):
        for i, row in enumerate(rows):
            g = 0.0
            for a, s, k in zip(alpha, signs, row, strict=True):
                g += a * s * k
            if signs[i] * g <= 0:
                alpha[i] += 1
                mistakes.append(i)
    return mistakes


def dual(K: np.ndarray, y: np.ndarray) -> list[int]:
    """The same with one NumPy sum a test."""
    return dual_perceptron(K, y, max_epochs=EPOCHS).mistakes


def same(mine: Iterable[int], other: Iterable[int]) -> list[Check]:
    """Whether the mistakes are the same, in the same order."""
    a, b = list(mine), list(other)
    differ = abs(len(a) - len(b)) + sum(i != j for i, j in zip(a, b, strict=False))
    return [Check("mistakes that differ", differ, 0)]


def given(n: int, loop: Loop) -> Contest:
    """Both start from K."""
    X, y = problem(n)
    K = KERNEL(X)
    model = KernelPerceptron("precomputed", max_epochs=EPOCHS)
    return Contest(lambda: model.fit(K, y).mistakes_, lambda: loop(K, y), same)


def viewed(n: int) -> Contest:
    """Both start from the points."""
    X, y = problem(n)
    model = KernelPerceptron(KERNEL, max_epochs=EPOCHS)
    return Contest(
        lambda: model.fit(X, y).mistakes_,
        lambda: function_perceptron(KERNEL, X, y, max_epochs=EPOCHS).mistakes,
        same,
    )


def linear(n: int, d: int, plain: bool) -> Contest:
    """Twenty epochs with weights alone."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, d))
    y = np.where(X @ rng.normal(size=d) + rng.normal(size=n) > 0, 1, -1)
    ours = Perceptron(max_epochs=20)
    theirs = Peer(max_iter=20, tol=None, shuffle=False)

    def differ(w: np.ndarray, v: np.ndarray) -> list[Check]:
        gap = float(np.abs(w - v).max() / np.abs(v).max())
        return [Check("relative difference of a weight", gap, 1e-8)]

    task = (
        without_numba(lambda: ours.fit(X, y).w_) if plain else lambda: ours.fit(X, y).w_
    )
    return Contest(task, lambda: theirs.fit(X, y).coef_[0], differ)
