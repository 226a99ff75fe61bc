"""The estimator: linear support vector machines for dense and sparse data."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import (
    Array,
    RandomState,
    describe,
    generator,
    number,
    positive_number,
)
from kernellab.certificates import Certificate
from kernellab.errors import ConvergenceWarning, InputError, not_fitted
from kernellab.estimator import Estimator, read_weights
from kernellab.labels import Labels, accuracy
from kernellab.linear_svm.ascent import DualAscent
from kernellab.linear_svm.gap_monitor import GapMonitor, History, LinearSolution
from kernellab.linear_svm.gradient import SGD, Pegasos
from kernellab.linear_svm.newton import Newton
from kernellab.linear_svm.problem import LinearProblem, Rows, read_matrix
from kernellab.progress import Progress
from kernellab.protocol import Columns


class Solver(Protocol):
    """What `LinearSVC` asks of a method: any object with these two will do."""

    @property
    def max_passes(self) -> int:
        """Passes over the data after which to stop, if the caller sets no limit."""
        ...

    def solve(
        self, problem: LinearProblem, watch: GapMonitor, rng: np.random.Generator
    ) -> None:
        """Show every pair (w, α) to `watch.see`, and return when it says stop."""
        ...


SOLVERS: dict[str, Callable[[], Solver]] = {
    "newton": Newton,
    "dual": DualAscent,
    "sgd": SGD,
    "asgd": lambda: SGD(average=True),
    "pegasos": Pegasos,
}
"""The methods by name, with their default settings."""


def solve(
    problem: LinearProblem,
    solver: Solver | str = "newton",
    tol: float = 1e-3,
    max_passes: float | None = None,
    random_state: RandomState = 0,
    progress: bool | None = None,
) -> LinearSolution:
    """Solve one problem by any of the methods.

    Parameters
    ----------
    problem : what to solve.
    solver : a name in `SOLVERS`, or a method with settings of your own.
    tol : relative gap at which to stop; 0 to make all passes.
    max_passes : passes over the data after which to stop; None for the method's own.
    random_state : seed of the order in which examples or blocks are visited.
    progress : whether to show a bar; None if it takes long, and on a terminal.

    Examples
    --------
    >>> X, y = np.array([[1.0], [3.0]]), np.array([-1.0, 1.0])
    >>> problem = LinearProblem(X, y, cost=np.full(2, 10.0), bias=10.0)
    >>> solve(problem, tol=1e-10).w.round(6)
    array([ 1. , -0.2])
    """
    method = _read_solver(solver)
    limit = method.max_passes if max_passes is None else max_passes
    with Progress("linear machine", int(limit), progress) as bar:
        watch = GapMonitor(problem, tol, limit, bar)
        method.solve(problem, watch, generator(random_state))
    return watch.solution()


@dataclass(eq=False)
class LinearSVC(Estimator):
    """A linear support vector machine: minimise ½‖w‖² + ½w_B² + C Σ s_i ℓ(y_i f(x_i)).

    f(x) = w·x + b. The bias is b = B·w_B, where w_B is the weight of a constant feature
    B = `intercept_scaling`; it is penalised like the other weights, as in LIBLINEAR and
    scikit-learn's LinearSVC, and unlike `kernellab.svm.SVC`, where b is free. The
    larger B, the less is b penalised, and the longer the fit takes. Several classes:
    one machine for each against all others.

    Parameters
    ----------
    C : number > 0, the price of a violated margin. In the form (λ/2)‖w‖² + mean loss,
        λ = 1/(nC).
    loss : "hinge", max(0, 1 − yf), or "squared_hinge", its square.
    solver : "newton" (default), "dual", "sgd", "asgd" or "pegasos"; or a method with
        settings of your own, such as `SGD(average=True, batch=16)`.
    tol : relative duality gap at which to stop: the objective then exceeds the optimum
        by at most this share. 0 to make all passes. (In scikit-learn tol is another
        quantity, which bounds nothing.)
    fit_intercept : whether there is a b.
    intercept_scaling : B > 0.
    max_passes : passes over the data after which to stop, with a `ConvergenceWarning`
        if the gap is still above tol; None for the method's own limit.
    random_state : seed of the order in which examples are visited, or a generator; the
        same seed, the same fit.
    progress : True for a progress bar, False for none; None for one only if the fit
        takes longer than two seconds and standard error is a terminal.

    Attributes
    ----------
    classes_ : (c,) labels.
    coef_ : (1, d) or, for c > 2 classes, (c, d) array of weights.
    intercept_ : (1,) or (c,) array of b.
    alpha_ : (n,) or (c, n) multipliers in the box, which prove the lower bound. Except
        at the optimum, coef_ need not be their combination Σ α_i y_i x_i.
    certificate_ : primal, dual and gap; the sum over all machines if there are several.
    history_ : `History` of the fit; a tuple of them if there are several machines.
    n_passes_ : passes over the data, in all machines.

    Notes
    -----
    "newton" takes O(nnz) per pass and 10 to 200 passes to a gap of 1e-3;
    see `kernellab.linear_svm` for how the methods differ.

    Examples
    --------
    >>> from kernellab.data import sparse_text
    >>> X, y = sparse_text(2000, words=5000)
    >>> model = LinearSVC(C=0.5).fit(X[:1500], y[:1500])
    >>> model.certificate_.relative_gap < 1e-3
    True
    >>> model.score(X[1500:], y[1500:])
    0.896
    """

    C: float = 1.0
    loss: Literal["hinge", "squared_hinge"] = "hinge"
    solver: Solver | str = "newton"
    tol: float = 1e-3
    fit_intercept: bool = True
    intercept_scaling: float = 1.0
    max_passes: int | None = None
    random_state: RandomState = 0
    progress: bool | None = None

    estimator_type = "classifier"
    takes_sparse = True

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the machine.

        Parameters
        ----------
        X : (n, d) array, or sparse matrix of any of SciPy's formats.
        y : (n,) labels of any type.
        sample_weight : (n,) array s ≥ 0; all 1 if it is not given. A weight of 2 is
            the same as having the point twice, a weight of 0 as not having it.
        """
        rows = read_matrix(X)
        n = rows.shape[0]
        labels = Labels.read(y, n)
        cost = positive_number(self.C, "C") * read_weights(sample_weight, n)
        kept = np.flatnonzero(cost > 0)
        problem = self._problem(rows, cost, kept)
        found = [
            self._solve(problem, signs[kept]) for signs in _one_against_rest(labels)
        ]
        self.classes_: NDArray[Any] = labels.classes
        self._columns = Columns.of(type(self).__name__, X, rows.shape[1])
        self.coef_: Array = np.array([s.w[:-1] for s in found])
        self.intercept_: Array = problem.bias * np.array([s.w[-1] for s in found])
        alpha = np.zeros((len(found), n))
        alpha[:, kept] = [s.alpha for s in found]
        self.alpha_: Array = alpha if len(found) > 1 else alpha[0]
        self._keep(found)
        return self

    def decision_function(self, X: Any) -> Array:
        """Return f(x) = w·x + b for every row: shape (q,), or (q, c) for c > 2
        classes.
        """
        columns = self.fitted_columns()
        columns.require_names(X)
        rows = read_matrix(X)
        columns.require_count(rows.shape[1])
        f = np.asarray(rows @ self.coef_.T + self.intercept_)
        return f[:, 0] if len(self.coef_) == 1 else f

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the label of every row: the sign of f, or the class of the
        largest f.
        """
        f = self.decision_function(X)
        best = (f >= 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)
        return np.asarray(self.classes_[best])

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the share of right labels."""
        return accuracy(self.predict(X), y, sample_weight)

    def _problem(self, X: Rows, cost: Array, kept: NDArray[Any]) -> LinearProblem:
        """Return the problem without its labels, and without points of weight 0."""
        if self.loss not in ("hinge", "squared_hinge"):
            raise InputError(
                f"loss must be 'hinge' or 'squared_hinge', got {self.loss!r}"
            )
        if not isinstance(self.fit_intercept, bool | np.bool_):
            raise InputError(
                f"fit_intercept must be True or False, got {self.fit_intercept!r}"
            )
        scaling = positive_number(self.intercept_scaling, "intercept_scaling")
        if len(kept) < len(cost):
            X, cost = X[kept], cost[kept]
        bias = scaling if self.fit_intercept else 0.0
        squared = self.loss == "squared_hinge"
        return LinearProblem(X, np.ones(len(cost)), cost, squared, bias)

    def _solve(self, problem: LinearProblem, signs: Array) -> LinearSolution:
        tol = number(self.tol, "tol")
        if not 0 <= tol < 1:
            raise InputError(f"tol must be at least 0 and below 1, got {self.tol!r}")
        if self.max_passes is not None:
            positive_number(self.max_passes, "max_passes")
        return solve(
            problem.with_labels(signs),
            self.solver,
            tol,
            self.max_passes,
            self.random_state,
            self.progress,
        )

    def _keep(self, found: list[LinearSolution]) -> None:
        """Keep the certificates and the histories; warn if the gap is too large."""
        proofs = [s.certificate for s in found]
        self.certificate_: Certificate = Certificate(
            sum(proof.primal for proof in proofs),
            sum(proof.dual for proof in proofs),
            rounding=sum(proof.rounding for proof in proofs),
        )
        histories = tuple(s.history for s in found)
        self.history_: History | tuple[History, ...] = (
            histories if len(found) > 1 else histories[0]
        )
        self.n_passes_: float = float(sum(h.passes[-1] for h in histories))
        worst = max(found, key=lambda s: s.certificate.relative_gap)
        if not worst.converged and self.tol > 0:
            warnings.warn(
                f"the relative gap is {worst.certificate.relative_gap:.1e} after "
                f"{worst.history.passes[-1]:.0f} passes over the data, above tol = "
                f"{self.tol:g}: allow more passes (max_passes), scale the features to "
                "a common size, take a smaller C, or use solver='newton'",
                ConvergenceWarning,
                stacklevel=3,
            )

    def fitted_columns(self) -> Columns:
        """Return the columns of X in `fit`."""
        if "coef_" not in self.__dict__:
            raise not_fitted(type(self).__name__)
        return self._columns


def _one_against_rest(labels: Labels) -> list[Array]:
    """Return ±1 for each machine: one of them for two classes."""
    if len(labels.classes) == 2:
        return [labels.signs]
    return [np.where(labels.codes == c, 1.0, -1.0) for c in range(len(labels.classes))]


def _read_solver(solver: Solver | str) -> Solver:
    if isinstance(solver, str):
        if solver not in SOLVERS:
            names = ", ".join(repr(name) for name in SOLVERS)
            raise InputError(f"solver must be one of {names}; got {solver!r}")
        return SOLVERS[solver]()
    if isinstance(solver, type) or not hasattr(solver, "solve"):
        hint = "; write it with parentheses" if isinstance(solver, type) else ""
        raise InputError(
            "solver must be a name such as 'newton', or a method such as "
            f"SGD(average=True); got {describe(solver)}{hint}"
        )
    return solver
