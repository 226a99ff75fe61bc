"""The kernel perceptron beside the textbook's loop, and the linear one beside a peer.

Both run in turn in one process on one thread; the table shows medians of CPU time,
their ratio (below 1: kernellab is faster) and the smallest and largest ratio of one
round. Machines are noisy: read the ratios, not the seconds.

Five epochs, the same mistakes in the same order (asserted). Three textbooks:
- "function view": S2 l. 176–200, the kernel evaluated in every test, from the points;
- "Python loop": S2 l. 202–226 given K, with the sum over j written out;
- "NumPy loop": `dual_perceptron`, the same with one NumPy sum a test.
Against the last two kernellab is timed twice: given K as well, and from the points,
which includes computing K.

scikit-learn has no kernel perceptron. Its linear `Perceptron` is compiled; it has the
same mistakes here (asserted by its weights), and takes a point in less time than
NumPy takes to be called.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np
from sklearn.linear_model import Perceptron as Peer
from threadpoolctl import threadpool_limits

from kernellab import kernels as kl
from kernellab.perceptron import (
    KernelPerceptron,
    Perceptron,
    dual_perceptron,
    function_perceptron,
)

D, EPOCHS = 10, 5
KERNEL = kl.Gaussian(sigma=np.sqrt(D))
Task = Callable[[], object]


def seconds(task: Task) -> float:
    """CPU time of one run: on one thread, the time without the neighbours' load."""
    start = time.process_time()
    task()
    return time.process_time() - start


def report(what: str, ours: Task, theirs: Task, repeats: int) -> None:
    """One row of the table."""
    ours()
    pairs = np.array([(seconds(ours), seconds(theirs)) for _ in range(repeats)])
    mine, other = np.median(pairs, axis=0)
    ratios = pairs[:, 0] / pairs[:, 1]
    print(
        f"{what:52s} {1e3 * mine:9.2f} {1e3 * other:9.2f} {mine / other:8.4f} "
        f"{ratios.min():7.4f}–{ratios.max():.4f}",
        flush=True,
    )


def problem(n: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Points and labels; with noise, some labels are wrong."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, D))
    g = np.sin(2 * X[:, 0]) + X[:, 1] + noise * rng.normal(size=n)
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


def with_a_kernel(n: int, noise: float, small: bool) -> None:
    """Five epochs, from the Gram matrix and from the points."""
    X, y = problem(n, noise)
    K = KERNEL(X)
    textbook = dual_perceptron(K, y, max_epochs=EPOCHS).mistakes
    what = f"n = {n}, {len(textbook) / (EPOCHS * n):4.0%} mistakes"

    def given() -> list[int]:
        model = KernelPerceptron("precomputed", max_epochs=EPOCHS).fit(K, y)
        return model.mistakes_.tolist()

    def points() -> list[int]:
        model = KernelPerceptron(KERNEL, max_epochs=EPOCHS).fit(X, y)
        return model.mistakes_.tolist()

    peers = {"NumPy loop": lambda: dual_perceptron(K, y, max_epochs=EPOCHS).mistakes}
    if small:
        peers["Python loop"] = lambda: written_out(K, y)
    for name, peer in peers.items():
        assert given() == points() == peer() == textbook
        report(f"{what}; {name}, from K", given, peer, 5)
        report(f"{what}; {name}, from points", points, peer, 5)
    if small:
        view = lambda: function_perceptron(KERNEL, X, y, max_epochs=EPOCHS)  # noqa: E731
        assert view().mistakes == textbook
        report(f"{what}; function view", points, view, 3)


def linear(n: int, d: int) -> None:
    """Twenty epochs with weights alone."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, d))
    y = np.where(X @ rng.normal(size=d) + rng.normal(size=n) > 0, 1, -1)
    ours = Perceptron(max_epochs=20)
    theirs = Peer(max_iter=20, tol=None, shuffle=False)
    assert np.allclose(ours.fit(X, y).w_, theirs.fit(X, y).coef_[0])
    report(
        f"linear, n = {n}, d = {d}; scikit-learn",
        lambda: ours.fit(X, y),
        lambda: theirs.fit(X, y),
        5,
    )


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")  # five epochs are not enough to converge
    print(f"{'milliseconds':52s}      ours      peer    ratio  spread")
    with threadpool_limits(1):
        with_a_kernel(500, 0.3, small=True)
        with_a_kernel(1000, 0.3, small=True)
        with_a_kernel(2000, 0.3, small=False)
        with_a_kernel(4000, 0.3, small=False)
        linear(10_000, 20)
        linear(10_000, 200)


if __name__ == "__main__":
    main()
