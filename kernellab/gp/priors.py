"""Priors on θ: log p(t | θ) + log p(θ), the posterior density, is maximised.

Each entry of θ that has a prior is normal, independently of the others; for a positive
parameter that is a log-normal law. A prior keeps a parameter of which the data say
little near a sensible value, where maximum likelihood would run off.

Legend: θ (p); m, s (p) its prior means and standard deviations; s = ∞ without a prior.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from kernellab.arrays import Array
from kernellab.gp.ascent import Objective
from kernellab.gp.bounds import ByName, read_priors
from kernellab.gp.model import Model


def with_priors(likelihood: Objective, priors: ByName | None) -> Objective:
    """Return the objective of learning: the likelihood, or the posterior density."""
    if not priors:
        read_priors(priors, likelihood.model)
        return likelihood
    return PosteriorDensity(likelihood, *read_priors(priors, likelihood.model))


@dataclass(frozen=True, eq=False)
class PosteriorDensity:
    """θ ↦ log p(t | θ) − Σ_i ((θ_i − m_i)²/2s_i² + log s_i + ½ log 2π)."""

    likelihood: Objective
    centre: Array
    spread: Array
    what: ClassVar[str] = "log posterior density"

    @property
    def model(self) -> Model:
        return self.likelihood.model

    def __len__(self) -> int:
        return len(self.likelihood)

    def __call__(self, theta: Array) -> tuple[float, Array]:
        """Return the value at θ and its gradient. n³ operations."""
        value, gradient = self.likelihood(theta)
        z = self._standardised(theta)
        return value + self._log_prior(z), gradient - z / self.spread

    def value(self, theta: Array) -> float:
        """Return the value at θ alone. n³/3 operations."""
        return self.likelihood.value(theta) + self._log_prior(self._standardised(theta))

    def information(self, theta: Array) -> Array:
        """Return the Fisher information of the data, plus that of the priors."""
        information: Array = self.likelihood.information(theta) + self.spread**-2
        return information

    def fresh_start(self, theta: Array) -> Array:
        """Return a fresh start, with what has a prior at its typical value."""
        start = self.likelihood.fresh_start(theta)
        return np.where(np.isfinite(self.spread), self.centre, start)

    def sample(self, size: int) -> Self:
        """Return the same with at most `size` of the points."""
        return replace(self, likelihood=self.likelihood.sample(size))

    def _standardised(self, theta: Array) -> Array:
        return np.where(
            np.isfinite(self.spread), (theta - self.centre) / self.spread, 0.0
        )

    def _log_prior(self, z: Array) -> float:
        s = self.spread[np.isfinite(self.spread)]
        return float(-0.5 * z @ z - np.log(s * np.sqrt(2 * np.pi)).sum())
