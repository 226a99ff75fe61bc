"""What learning found, and how far it can be trusted."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import ConvergenceWarning
from kernellab.gp.ascent import Ascent

SAME = 1e-3
"""Log likelihoods that differ by less are equal: those of two optima, and what could
still be gained where an ascent ended."""


@dataclass(frozen=True, eq=False, repr=False)
class LearningReport:
    """The result of learning θ by the marginal likelihood, runs best first.

    Attributes
    ----------
    names : the names of the entries of θ.
    positive : which of them are logarithms of positive parameters.
    bounds : (p, 2) array, in the coordinates of θ.
    runs : the ascents, the best first.
    starts : how many starts were compared; the most promising ones ascended.
    given : the names whose bounds were given by the caller.
    what : what was maximised, in words.

    Notes
    -----
    The likelihood has many local optima as a rule. A report that says "1 of 8 starts"
    is a reason to try more.
    """

    names: tuple[str, ...]
    positive: tuple[bool, ...]
    bounds: Array
    runs: tuple[Ascent, ...] = field(repr=False)
    starts: int
    given: frozenset[str] = frozenset()
    what: str = "log marginal likelihood"

    @property
    def best(self) -> Ascent:
        return self.runs[0]

    @property
    def theta(self) -> Array:
        """The best θ found."""
        return self.best.theta

    @property
    def value(self) -> float:
        """What was maximised, there."""
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
    def stuck(self) -> dict[str, str]:
        """Which parameters ended at a bound that nobody chose."""
        return {n: side for n, side in self.at_bound.items() if n not in self.given}

    @property
    def held_back(self) -> bool:
        """Whether such a bound costs likelihood: its slope there leads outside.

        Where a width of a coordinate that does not matter grows without limit, the
        slope vanishes, and to look further would gain nothing.
        """
        outward = [abs(self.best.gradient[self.names.index(n)]) for n in self.stuck]
        return bool(sum(outward) > SAME)

    @property
    def gradient_norm(self) -> float:
        """The largest entry of the gradient, without those that a bound forbids."""
        slope = projected(self.theta, self.best.gradient, self.bounds)
        return float(np.abs(slope).max(initial=0.0))

    @property
    def converged(self) -> bool:
        """Whether hardly anything can be gained near the end of the best run.

        With units u_i = 1/√F_ii that is about ½ Σ (u_i ∂_i log p)².
        """
        best = self.best
        slope = best.units * projected(best.theta, best.gradient, self.bounds)
        return bool(0.5 * slope @ slope <= SAME)

    @property
    def agreement(self) -> int:
        """How many of the runs reached the best value."""
        return sum(self.value - run.value < SAME for run in self.runs)

    def warn(self) -> None:
        """Warn if the best run ended before an optimum, or at a bound nobody chose."""
        for message in (self._unfinished(), self._stopped_by_bounds()):
            if message:
                warnings.warn(message, ConvergenceWarning, stacklevel=3)

    def _unfinished(self) -> str | None:
        if self.converged:
            return None
        return (
            f"learning stopped before an optimum ({self.best.message}): the "
            f"gradient is still {self.gradient_norm:.2g}. Fit again from where it "
            "stopped, or give bounds; report_ has the details."
        )

    def _stopped_by_bounds(self) -> str | None:
        hit = self.stuck
        if not hit:
            return None
        places = [f"{n} = {self.parameters[n]:.3g} ({hit[n]})" for n in hit]
        name = next(iter(hit))
        return (
            f"learning ended at a default bound: {', '.join(places)}. The data do not "
            "determine such a parameter. Start from other values (a width of the size "
            "of the distances between points, a noise of the size of the variance of "
            "t), drop that part of the kernel, or give "
            f'bounds={{"{name}": (low, high)}}; report_ has the details.'
        )

    def __repr__(self) -> str:
        evaluations = sum(run.evaluations for run in self.runs)
        failures = sum(run.failures for run in self.runs)
        lines = [f"{self.what} {self.value:.6g} at"]
        width = max(map(len, self.names), default=0)
        for name, value in self.parameters.items():
            lines.append(f"  {name:{width}}  {value:.4g}{self._remark(name)}")
        lines.append(f"{self._origin()}, in {evaluations} evaluations")
        lines.append(f"largest entry of the gradient there: {self.gradient_norm:.1e}")
        if failures:
            lines.append(f"{failures} evaluations failed: C was not positive definite")
        if not self.converged:
            lines.append(f"not an optimum: {self.best.message}")
        return "\n".join(lines)

    def _origin(self) -> str:
        runs, starts = len(self.runs), self.starts
        if runs < starts:
            return f"the best of {starts} starts, {runs} of which ascended"
        return f"reached by {self.agreement} of {runs} start{'s' if runs > 1 else ''}"

    def _remark(self, name: str) -> str:
        low, high = self.bounds[self.names.index(name)]
        if low == high:
            return "   (fixed)"
        side = self.at_bound.get(name)
        return "" if side is None else f"   at its {side} bound: widen it, or drop it"


def projected(theta: Array, gradient: Array, bounds: Array) -> Array:
    """Return the gradient with 0 where a bound forbids θ to follow it."""
    low, high = bounds.T
    blocked = ((theta <= low) & (gradient < 0)) | ((theta >= high) & (gradient > 0))
    result: Array = np.where(blocked, 0.0, gradient)
    return result
