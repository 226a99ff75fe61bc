"""What learning found, and how far it can be trusted."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import ConvergenceWarning

SAME = 1e-3
"""Optima whose log likelihoods differ by less are counted as one."""

SETTLED = 1e-3
"""What the gradient may be at an optimum, in units of the log likelihood."""


@dataclass(frozen=True, eq=False)
class Run:
    """One ascent: where it began, where it ended, and the way between."""

    start: Array
    path: Array
    value: float
    gradient: Array
    evaluations: int
    failures: int
    message: str

    @property
    def theta(self) -> Array:
        last: Array = self.path[-1]
        return last


@dataclass(frozen=True, eq=False, repr=False)
class LearningReport:
    """The result of learning θ by the marginal likelihood, runs best first.

    Attributes
    ----------
    names : the names of the entries of θ.
    positive : which of them are logarithms of positive parameters.
    bounds : (p, 2) array, in the coordinates of θ.
    runs : one `Run` for each start, the best first; `start`, `path` (an array, one θ a
        row), `value`, `gradient`, `evaluations`, `failures`, `message`.

    Notes
    -----
    The likelihood has many local optima as a rule (E3-65). A report that says "1 of 8
    starts" is a reason to try more.
    """

    names: tuple[str, ...]
    positive: tuple[bool, ...]
    bounds: Array
    runs: tuple[Run, ...] = field(repr=False)

    @property
    def best(self) -> Run:
        return self.runs[0]

    @property
    def theta(self) -> Array:
        """The best θ found."""
        return self.best.theta

    @property
    def value(self) -> float:
        """The log marginal likelihood there."""
        return self.best.value

    @property
    def parameters(self) -> dict[str, float]:
        """The best parameters by name, as they are, not their logarithms."""
        pairs = zip(self.names, self.theta, self.positive, strict=True)
        return {
            name: float(np.exp(value) if log else value) for name, value, log in pairs
        }

    @property
    def at_bound(self) -> dict[str, str]:
        """Which parameters ended at a bound, "lower" or "upper"; fixed ones apart."""
        hit = {}
        for name, value, (low, high) in zip(
            self.names, self.theta, self.bounds, strict=True
        ):
            if low < high and value in (low, high):
                hit[name] = "lower" if value == low else "upper"
        return hit

    @property
    def gradient_norm(self) -> float:
        """The largest entry of the gradient, without those that a bound forbids."""
        return projected(self.theta, self.best.gradient, self.bounds)

    @property
    def converged(self) -> bool:
        """Whether the gradient is small where the best run ended."""
        return self.gradient_norm <= SETTLED * max(1.0, abs(self.value))

    @property
    def agreement(self) -> int:
        """How many of the runs reached the best value."""
        return sum(self.value - run.value < SAME for run in self.runs)

    def warn(self) -> None:
        """A warning if the best run did not end at an optimum."""
        if not self.converged:
            message = (
                f"learning stopped before an optimum ({self.best.message}): the "
                f"gradient is still {self.gradient_norm:.2g}. Fit again from where it "
                "stopped, or give bounds; report_ has the details."
            )
            warnings.warn(message, ConvergenceWarning, stacklevel=3)

    def __repr__(self) -> str:
        evaluations = sum(run.evaluations for run in self.runs)
        failures = sum(run.failures for run in self.runs)
        lines = [f"log marginal likelihood {self.value:.6g} at"]
        width = max(map(len, self.names), default=0)
        for name, value in self.parameters.items():
            lines.append(f"  {name:{width}}  {value:.4g}{self._remark(name)}")
        lines.append(
            f"reached by {self.agreement} of {len(self.runs)} "
            f"start{'s' if len(self.runs) > 1 else ''}, in {evaluations} evaluations"
        )
        lines.append(f"largest entry of the gradient there: {self.gradient_norm:.1e}")
        if failures:
            lines.append(f"{failures} evaluations failed: C was not positive definite")
        if not self.converged:
            lines.append(f"not an optimum: {self.best.message}")
        return "\n".join(lines)

    def _remark(self, name: str) -> str:
        low, high = self.bounds[self.names.index(name)]
        if low == high:
            return "   (fixed)"
        side = self.at_bound.get(name)
        return "" if side is None else f"   at its {side} bound: widen it, or drop it"


def projected(theta: Array, gradient: Array, bounds: Array) -> float:
    """The largest entry of the gradient along which θ could still move."""
    low, high = bounds.T
    blocked = ((theta <= low) & (gradient < 0)) | ((theta >= high) & (gradient > 0))
    return float(np.abs(np.where(blocked, 0.0, gradient)).max(initial=0.0))
