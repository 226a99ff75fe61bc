"""Linear support vector machines beside scikit-learn's, on sparse text.

Made documents with the statistics of RCV1 (`kernellab.data.sparse_text`): 47,000 words,
75 of them in a document. All run in turn in one process on one thread; the table shows
medians, their ratio (below 1: kernellab is faster) and the smallest and largest ratio
of one round. Machines are noisy: read the ratios, not the seconds.

Equal tolerance: to come within 1 %, and within 0.1 %, of the optimum; `excess` is what
was reached. kernellab stops when its own duality gap proves that it is there.
`LinearSVC` (LIBLINEAR) has a tolerance that bounds nothing, so it gets, in hindsight,
the largest of a list that is good enough, and for the squared hinge the faster of its
two solvers. `SGDClassifier`, for the hinge and 1 %, gets in hindsight the number of
epochs that it needs, and averaging if that needs fewer; 16 epochs if none is enough.
All solve one problem, with a constant feature for the intercept.

    python benchmarks/linear_svm.py              50,000 documents, two to three minutes
    python benchmarks/linear_svm.py --n 200000   more of them
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterable

import numpy as np
from scipy import sparse
from sklearn.linear_model import SGDClassifier
from sklearn.svm import SVC
from sklearn.svm import LinearSVC as Peer
from threadpoolctl import threadpool_limits

from kernellab.data import sparse_text
from kernellab.stochastic import LinearProblem, LinearSVC, solve

TOLERANCES = (10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4)
EPOCHS = (1, 2, 4, 8, 16)
Fit = Callable[[], np.ndarray]


class Problem:
    """One data set, one C, one loss: the optimum, and how far from it a w is."""

    def __init__(self, X: sparse.csr_array, y: np.ndarray, C: float, loss: str) -> None:
        self.X, self.y, self.C, self.loss = X, y, C, loss
        cost = np.full(len(y), C)
        self.linear = LinearProblem(X, y, cost, loss == "squared_hinge", bias=1.0)
        self.optimum = solve(self.linear, tol=1e-5).certificate.dual

    def excess(self, w: np.ndarray) -> float:
        """P(w)/optimum − 1."""
        return self.linear.primal(w, self.linear.margins(w)) / self.optimum - 1

    def ours(self, tol: float) -> Fit:
        return self._weights(LinearSVC(self.C, self.loss, tol=tol))

    def liblinear(self, tol: float, dual: bool) -> Fit:
        settings = {"tol": tol, "dual": dual, "max_iter": 10_000, "random_state": 0}
        return self._weights(Peer(C=self.C, loss=self.loss, **settings))

    def sgd(self, epochs: int, average: bool) -> Fit:
        """On data with a column of ones: its own intercept is not penalised."""
        n = len(self.y)
        ones = sparse.hstack([self.X, np.ones((n, 1))], format="csr")
        settings = {"average": average, "fit_intercept": False, "random_state": 0}
        model = SGDClassifier(
            alpha=1 / (n * self.C), max_iter=epochs, tol=None, **settings
        )
        return lambda: model.fit(ones, self.y).coef_[0]

    def _weights(self, model: LinearSVC | Peer) -> Fit:
        def fit() -> np.ndarray:
            model.fit(self.X, self.y)
            return np.append(model.coef_[0], model.intercept_)

        return fit


def seconds(fit: Fit) -> tuple[float, np.ndarray]:
    """CPU time of one run: on one thread, the time without the neighbours' load."""
    start = time.process_time()
    w = fit()
    return time.process_time() - start, w


def cheapest(problem: Problem, fits: Iterable[Fit], target: float) -> Fit:
    """The first of a list, from coarse to fine, that comes within the target."""
    for fit in fits:
        if problem.excess(fit()) <= target:
            break
    return fit


def peers(problem: Problem, target: float) -> dict[str, Fit]:
    """scikit-learn's machines, with settings that suit the target, in hindsight."""
    duals = (True, False) if problem.loss == "squared_hinge" else (True,)
    found = [
        cheapest(problem, (problem.liblinear(tol, d) for tol in TOLERANCES), target)
        for d in duals
    ]
    chosen = {"LinearSVC": min(found, key=lambda fit: seconds(fit)[0])}
    if problem.loss == "hinge" and target == 1e-2:
        sgd = (problem.sgd(k, mean) for k in EPOCHS for mean in (False, True))
        chosen["SGDClassifier"] = cheapest(problem, sgd, target)
    return chosen


def compare(problem: Problem, target: float, repeats: int) -> float:
    """One block of the table; the ratio to LinearSVC."""
    fits = {"kernellab": problem.ours(target), **peers(problem, target)}
    runs = [{name: seconds(fit) for name, fit in fits.items()} for _ in range(repeats)]
    times = {name: np.array([run[name][0] for run in runs]) for name in fits}
    ours, what = times["kernellab"], f"{problem.loss}, C = {problem.C:g}, to {target:g}"
    for name in fits:
        share, excess = ours / times[name], problem.excess(runs[0][name][1])
        row = f"{what:33s} {name:14s} {np.median(times[name]):7.3f}  {excess:8.1e}"
        ratio = f"{np.median(ours) / np.median(times[name]):7.2f}"
        spread = f"  {share.min():.2f}–{share.max():.2f}"
        print(row + (ratio + spread if name != "kernellab" else ""), flush=True)
        what = ""
    return float(np.median(ours) / np.median(times["LinearSVC"]))


def linear(n: int, repeats: int) -> None:
    """Both losses, three values of C, two targets."""
    X, y = sparse_text(n, rng=2024)
    print(f"{n} documents, {X.nnz / n:.0f} non-zeros each, {X.shape[1]} columns")
    print(f"{'':48s} seconds    excess  ratio  spread")
    for loss in ("hinge", "squared_hinge"):
        problems = [Problem(X, y, C, loss) for C in (0.1, 1.0, 10.0)]
        ratios = [
            compare(p, target, repeats) for p in problems for target in (1e-2, 1e-3)
        ]
        mean = np.exp(np.mean(np.log(ratios)))
        print(f"{loss}: geometric mean of the ratios to LinearSVC {mean:.2f}")


def kernel_solver(sizes: tuple[int, ...] = (1_000, 2_000, 4_000)) -> None:
    """The lesson of S3's table: a solver for any kernel, on a linear problem."""
    print("\nSVC(kernel='linear') at its default tolerance; kernellab to a gap of 1e-3")
    print(f"{'':10s}      SVC  kernellab   ratio")
    X, y = sparse_text(sizes[-1], rng=2025)
    for n in sizes:
        machines = (SVC(kernel="linear"), LinearSVC())
        other, mine = (
            seconds(lambda m=m, n=n: m.fit(X[:n], y[:n]).coef_)[0] for m in machines
        )
        print(f"n = {n:6d} {other:8.2f} {mine:10.3f} {mine / other:7.4f}", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--n", type=int, default=50_000, help="number of documents")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # that scikit-learn's tolerance was not reached
    with threadpool_limits(1):
        linear(options.n, options.repeats)
        kernel_solver()


if __name__ == "__main__":
    main()
