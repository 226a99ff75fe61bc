"""One run of the perceptron: who was mistaken and when, and whether it ended.

The loop knows nothing of kernels or weights. A machine tells it which point is
mistaken next, and learns that point; everything else is book-keeping. States after
an epoch are compared with one earlier state, which is renewed after 1, 2, 4, 8, …
epochs (Brent): a cycle is found within a small multiple of its length, for the
price of one stored vector.

Legend: n points; M mistakes; T presentations (points shown, mistaken or not).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kernellab.arrays import Array, RandomState, describe, generator, whole
from kernellab.errors import InputError
from kernellab.linalg import EPS
from kernellab.threads import limited

Integers = NDArray[np.int64]


class Learner(Protocol):
    """What the loop asks of a perceptron."""

    n: int
    unit: float
    """The size of one step of the state."""

    @property
    def state(self) -> Array:
        """A vector that determines all that follows: w, or g at the points."""

    def one_pass(self, order: Integers | None) -> Integers:
        """Show every point once, and learn those with y g ≤ 0; their places."""

    def confirms(self) -> bool:
        """Compute g afresh; whether all points are still right."""


@dataclass(frozen=True, eq=False)
class MistakeLog:
    """The mistakes of one run, in order.

    Attributes
    ----------
    n : number of points.
    mistakes : (M,) indices of the points, in the order in which they were mistaken.
    times : (M,) presentations at which it happened, counted from 1.
    presentations : T, how many points were shown.
    epochs : how often all points were shown.
    converged : whether the last epoch had no mistake.
    repeat : (m, m') if w was the same after m and after m' mistakes; else None.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> from kernellab.perceptron import KernelPerceptron
    >>> model = KernelPerceptron(kl.Linear() + 1).fit([[1.0], [4.0]], [1, -1])
    >>> model.run_
    4 mistakes in 4 epochs of 2 points, the last without any
    >>> model.run_.mistakes, model.run_.alpha
    (array([0, 1, 0, 0]), array([3, 1]))
    >>> model.run_.times, model.run_.survival
    (array([1, 2, 3, 5]), array([1, 1, 2, 4]))
    """

    n: int
    mistakes: Integers
    times: Integers
    presentations: int
    epochs: int
    converged: bool
    repeat: tuple[int, int] | None = None

    def __repr__(self) -> str:
        end = "the last without any" if self.converged else "mistakes to the last"
        if self.repeat:
            end = f"w after {mistakes(self.repeat[1])} as after {self.repeat[0]}"
        made, epochs = mistakes(len(self.mistakes)), self.epochs
        when = "1 epoch" if epochs == 1 else f"{epochs} epochs"
        return f"{made} in {when} of {self.n} points, {end}"

    @property
    def alpha(self) -> Integers:
        """(n,) how often each point was mistaken."""
        return np.bincount(self.mistakes, minlength=self.n)

    @property
    def per_epoch(self) -> Integers:
        """How many mistakes each epoch had."""
        epoch = (self.times - 1) // self.n
        return np.bincount(epoch, minlength=self.epochs)

    @property
    def survival(self) -> Integers:
        """(M,) for how many presentations w stayed as each mistake had left it."""
        return np.diff(self.times, append=self.presentations + 1)

    @property
    def averaged(self) -> Array:
        """(n,) coefficients of the mean of w over all presentations.

        A mistake at time t is part of w from then on, for T − t + 1 presentations.
        """
        share = (self.presentations + 1 - self.times) / self.presentations
        mean: Array = np.bincount(self.mistakes, share, self.n).astype(float)
        return mean

    @property
    def witness(self) -> Integers | None:
        """(n,) counts c ≥ 0 with Σ c_i y_i φ(x_i) = 0, if w came back; else None."""
        if self.repeat is None:
            return None
        return np.bincount(self.mistakes[slice(*self.repeat)], minlength=self.n)


@dataclass
class MistakeRecorder:
    """The mistakes so far, epoch by epoch."""

    mistakes: list[Integers] = field(default_factory=list)
    times: list[Integers] = field(default_factory=list)
    count: int = 0

    def __len__(self) -> int:
        return self.count

    def add(self, mistakes: Integers, times: Integers) -> None:
        """Record those of one epoch."""
        self.mistakes.append(mistakes)
        self.times.append(times)
        self.count += len(mistakes)


@dataclass
class CycleDetector:
    """Compare the state after each epoch with an earlier one."""

    saved: Array
    mistakes: int = 0
    since: int = 0
    patience: int = 1

    def repeats(self, machine: Learner, mistakes: int) -> bool:
        """Return True if the state is the saved one, up to rounding in all steps."""
        rounding = EPS * mistakes * machine.unit
        if np.abs(machine.state - self.saved).max() <= rounding:
            return True
        self.since += 1
        if self.since == self.patience:
            self.saved, self.mistakes = machine.state.copy(), mistakes
            self.since, self.patience = 0, 2 * self.patience
        return False


@limited(1)
def train(
    machine: Learner, max_epochs: int, orders: np.random.Generator | None = None
) -> MistakeLog:
    """Show the points, epoch after epoch, until none is mistaken, or w comes back.

    O(n) operations and one Gram row per mistake; O(n) per epoch.
    """
    n, log, cycle = machine.n, MistakeRecorder(), CycleDetector(machine.state.copy())
    converged, repeat = False, None
    for epoch in range(max_epochs):
        order = None if orders is None else orders.permutation(n)
        places = machine.one_pass(order)
        log.add(places if order is None else order[places], epoch * n + places + 1)
        if not len(places):
            converged = machine.confirms()
        elif cycle.repeats(machine, len(log)):
            repeat = (cycle.mistakes, len(log))
        if converged or repeat:
            break
    _require_finite(machine)
    made, times = np.concatenate(log.mistakes), np.concatenate(log.times)
    return MistakeLog(n, made, times, (epoch + 1) * n, epoch + 1, converged, repeat)


def _require_finite(machine: Learner) -> None:
    if not (np.isfinite(machine.unit) and np.isfinite(machine.state).all()):
        raise InputError(
            "the decision function became too large for a float; rescale X, or use "
            "kernel.normalize()"
        )


def mistakes(count: int) -> str:
    """So many mistakes, in words."""
    return "1 mistake" if count == 1 else f"{count} mistakes"


def read_epochs(max_epochs: object) -> int:
    """Return a whole number of epochs, one or more."""
    return whole(max_epochs, "max_epochs", 1)


def read_orders(
    shuffle: object, random_state: RandomState
) -> np.random.Generator | None:
    """Return a generator of orders, or None for the order of the points."""
    if not isinstance(shuffle, bool | np.bool_):
        raise TypeError(
            "shuffle must be True, for a new order in every epoch, or False; "
            f"got {describe(shuffle)}"
        )
    return generator(random_state) if shuffle else None
