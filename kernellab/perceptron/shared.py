"""What the two perceptrons share: all that is read off the mistake log.

Two classes or more: several are told apart one against the rest. The log is kept, and
gives the last w, the mean of all w, or a vote of all w.

Legend: n points, q new points Z; c classes; y (n) signs; α (n) mistake counts; M
mistakes; a (n) coefficients α_i y_i, or their average.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array, RandomState
from kernellab.errors import ConvergenceWarning, InputError
from kernellab.estimator import CHUNK_COORDINATES, Estimator, Inputs
from kernellab.labels import Labels, accuracy
from kernellab.perceptron.certificate import MarginCertificate
from kernellab.perceptron.machines import DualLearner, PrimalLearner
from kernellab.perceptron.runs import (
    Integers,
    MistakeLog,
    mistakes,
    read_epochs,
    read_orders,
    train,
)

Variant = Literal["last", "averaged", "voted"]
VARIANTS = ("last", "averaged", "voted")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class CertifiedRun:
    """A run, the signs it was made with, and what it proves."""

    y: Array
    run: MistakeLog
    certificate: MarginCertificate


class MistakeDriven(Estimator):
    """What the two perceptrons share: all that is read off the mistake log."""

    max_epochs: int
    intercept: bool
    variant: Variant
    shuffle: bool
    random_state: RandomState
    classes_: NDArray[Any]
    _all: tuple[CertifiedRun, ...]

    estimator_type = "classifier"

    # --- learning -----------------------------------------------------------------

    def _learn(
        self,
        inputs: Inputs,
        labels: Labels,
        machine: Callable[[Array], DualLearner | PrimalLearner],
    ) -> list[DualLearner | PrimalLearner]:
        """Run the learner of each class; keep the logs."""
        epochs = read_epochs(self.max_epochs)
        orders = read_orders(self.shuffle, self.random_state)
        check_variant(self.variant)
        machines, runs = [], []
        for y in _one_against_the_rest(labels):
            machines.append(machine(y))
            run = train(machines[-1], epochs, orders)
            if not run.converged:
                machines[-1].confirms()
            proof = MarginCertificate.of(machines[-1], run, inputs.assumes)
            runs.append(CertifiedRun(y, run, proof))
        self._inputs, self.classes_ = inputs.stored(), labels.classes
        self._all = tuple(runs)
        self._support = np.flatnonzero(sum(one.run.alpha for one in runs))
        return machines

    def _complain(self) -> None:
        """Warn of the runs that did not end by themselves."""
        names = self.classes_.tolist() if len(self._all) > 1 else [None]
        for name, one in zip(names, self._all, strict=True):
            if not one.run.converged:
                against = "" if name is None else f"{name!r} against the rest: "
                warnings.warn(
                    against + _what_happened(one), ConvergenceWarning, stacklevel=3
                )

    # --- the log --------------------------------------------------------------------

    @property
    def run_(self) -> MistakeLog | tuple[MistakeLog, ...]:
        """The run; for several classes one each."""
        return self._one_or_all(lambda one: one.run)

    @property
    def alpha_(self) -> Integers:
        """(n,) mistake counts; (n, c) for several classes."""
        alpha: Integers = _columns([one.run.alpha for one in self._fitted()])
        return alpha

    @property
    def mistakes_(self) -> Integers | tuple[Integers, ...]:
        """(M,) the mistaken points, in order; for several classes a tuple."""
        return self._one_or_all(lambda one: one.run.mistakes)

    @property
    def converged_(self) -> bool:
        """Whether every run ended with an epoch without a mistake."""
        return all(one.run.converged for one in self._fitted())

    @property
    def epochs_(self) -> int | tuple[int, ...]:
        """How often all points were shown; for several classes a tuple."""
        return self._one_or_all(lambda one: one.run.epochs)

    @property
    def certificate_(self) -> MarginCertificate | tuple[MarginCertificate, ...]:
        """What the run proves about the data; for several classes one each."""
        return self._one_or_all(lambda one: one.certificate)

    @property
    def separable_(self) -> bool | None:
        """True if separated, False if that is proved impossible, None if unknown."""
        known = [one.certificate.separable for one in self._fitted()]
        return None if None in known and False not in known else all(known)

    def _one_or_all(self, ask: Callable[[CertifiedRun], T]) -> T | tuple[T, ...]:
        answers = tuple(map(ask, self._fitted()))
        return answers[0] if len(answers) == 1 else answers

    def _fitted(self) -> tuple[CertifiedRun, ...]:
        self._trained()
        return self._all

    # --- prediction -----------------------------------------------------------------

    def decision_function(self, X: Any) -> Array:
        """Return g(x) for every point of X: its sign decides; for several classes the
        largest.

        With `variant="averaged"` the mean of g over all presentations; with "voted"
        the mean of the signs, between −1 and 1. O(s) kernel values per point, where s
        is the number of points that were ever mistaken; a vote takes O(M) besides.

        Parameters
        ----------
        X : (q, d) array, or q objects; the (q, n) matrix k(X, training points) if it
            is precomputed.

        Returns
        -------
        (q,) array; (q, c) for several classes.
        """
        runs = self._fitted()
        if check_variant(self.variant) == "voted":
            votes: Array = _columns(self._votes(X, runs))
            return votes
        A = np.column_stack([self._coefficients(one) for one in runs])
        constants = self.intercept * A.sum(axis=0)
        g: Array = _columns(list((self._expand(X, A) + constants).T))
        return g

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of every point of X; for two classes, the larger if g(x) =
        0.
        """
        g = self.decision_function(X)
        codes = (g >= 0).astype(int) if g.ndim == 1 else g.argmax(axis=1)
        result: NDArray[Any] = self.classes_[codes]
        return result

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the share of points of X with the right label."""
        return accuracy(self.predict(X), y, sample_weight)

    def _coefficients(self, one: CertifiedRun) -> Array:
        """Return (n,) a, such that g = Σ a_i k(·, x_i) of the variant that is asked
        for.
        """
        counts = one.run.averaged if self.variant == "averaged" else one.run.alpha
        result: Array = counts * one.y
        return result

    def _expand(self, Z: Any, A: Array) -> Array:
        """Return k(Z, X)A, from the points that were ever mistaken."""
        if self._inputs.kernel is None:
            return self._inputs.expand(Z, A)
        return self._centres.expand(Z, A[self._support])

    def _votes(self, Z: Any, runs: tuple[CertifiedRun, ...]) -> list[Array]:
        """Return for each run the mean over all presentations of the sign of g."""
        if self._inputs.kernel is None:
            points: Any = self._inputs._given(Z)
        else:
            points = self._centres._points(Z).items
        longest = max(len(one.run.mistakes) for one in runs)
        step = max(1, CHUNK_COORDINATES // max(longest, 1))
        parts = []
        for start in range(0, max(len(points), 1), step):
            block = self._block(points[start : start + step]) + float(self.intercept)
            parts.append([self._count(block, one) for one in runs])
        return [np.concatenate(column) for column in zip(*parts, strict=True)]

    def _block(self, Z: Any) -> Array:
        """Return k(Z, mistaken points)."""
        if self._inputs.kernel is None:
            block: Array = Z[:, self._support]
            return block
        return self._centres.block(Z)

    def _count(self, block: Array, one: CertifiedRun) -> Array:
        """Return Σ_m c_m sign(g_m)/T: g after each mistake has c_m votes, its
        survival.
        """
        order = one.run.mistakes
        columns = np.searchsorted(self._support, order)
        G = np.cumsum(block[:, columns] * one.y[order], axis=1)
        votes = np.where(G >= 0, 1.0, -1.0) @ one.run.survival
        result: Array = votes / one.run.presentations
        return result

    @property
    def _centres(self) -> Inputs:
        """The points that were ever mistaken."""
        used = self._support
        return replace(self._inputs, X=self._inputs.X.take(used), n=len(used))


def _one_against_the_rest(labels: Labels) -> list[Array]:
    """Return the signs of each run: one for two classes, else one per class."""
    if len(labels.classes) == 2:
        return [labels.signs]
    each = range(len(labels.classes))
    return [np.where(labels.codes == code, 1.0, -1.0) for code in each]


def _columns(parts: list[Any]) -> Any:
    """Return one part as it is; several as the columns of a matrix."""
    return parts[0] if len(parts) == 1 else np.column_stack(parts)


def check_variant(variant: object) -> str:
    if variant not in VARIANTS:
        raise InputError(
            f'variant must be "last", "averaged" or "voted", got {variant!r}'
        )
    return str(variant)


def _what_happened(one: CertifiedRun) -> str:
    run = one.run
    if run.repeat:
        ending = (
            f"the perceptron goes round in circles: after {mistakes(run.repeat[1])} w "
            f"is as it was after {run.repeat[0]}"
        )
    else:
        ending = (
            f"the perceptron still made {mistakes(run.per_epoch[-1])} in the last of "
            f"{run.epochs} epochs"
        )
    remedy = (
        "Use another kernel, or a machine that tolerates errors, such as SVC"
        if run.repeat
        else "Raise max_epochs, use another kernel, or a machine that tolerates "
        "errors, such as SVC"
    )
    return f"{ending}; {one.certificate}. {remedy}."
