"""θ ↦ the lower bound of the evidence, in two passes over the points.

Legend: n points X, m landmarks Z; t targets, r = t − m(X); θ as in `gp.model`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import ClassVar, Self

import numpy as np

from kernellab.arrays import Array
from kernellab.estimator import Inputs
from kernellab.gp.likelihood import Likelihood
from kernellab.gp.model import Mean, Model, mean_values
from kernellab.kernels import gram
from kernellab.kernels.points import Points
from kernellab.lowrank.data_blocks import Column, DataBlocks
from kernellab.lowrank.normal_equations import NormalEquations
from kernellab.sparse_gp.evidence import Evidence
from kernellab.sparse_gp.projection import Projection

PILOT_POINTS = 500
"""Points whose exact likelihood tells where to begin."""


@dataclass(frozen=True, eq=False)
class LowerBound:
    """θ ↦ the lower bound of log p(t), for one model, its data and its landmarks.

    Memory does not grow with n: m² numbers, and m for each point of a block.
    """

    model: Model
    rows: DataBlocks
    t: Column
    landmarks: Points
    mean: Mean = None
    progress: bool | None = False
    what: ClassVar[str] = "lower bound of the log evidence"

    def __len__(self) -> int:
        return self.rows.n

    def evidence(self, theta: Array) -> tuple[Projection, Evidence]:
        """Return the projection and the bounds at θ: nm values of k, 2nm² products."""
        model = self.model.with_theta(theta)
        assert isinstance(model.noise, float)
        projection = Projection.on(model.kernel, self.landmarks)
        function = partial(_sums, projection, self.mean, model.learns_mean)
        sums = self.rows.total(
            function, self.t, what="sums over points", progress=self.progress
        )
        return projection, Evidence(sums, model.noise)

    def value(self, theta: Array) -> float:
        """Return the bound at θ alone."""
        return self.evidence(theta)[1].lower

    def __call__(self, theta: Array) -> tuple[float, Array]:
        """Return the bound at θ and its gradient, in a second pass over the points."""
        projection, evidence = self.evidence(theta)
        function = partial(_slopes, projection, evidence, self.mean)
        gradient = projection.pull_gram(evidence.of_gram())
        gradient = gradient + self.rows.total(
            function, self.t, what="gradient", progress=self.progress
        )
        return evidence.lower, np.append(gradient, evidence.of_log_noise())

    def information(self, theta: Array) -> Array:
        """Estimate how sharply the bound is curved in each entry of θ.

        It is the Fisher information, estimated from some of the points, and the
        curvature of −τ/2σ², by which the bound is lower than the likelihood.
        """
        scaled = self.pilot.information(theta) * (len(self) / len(self.pilot))
        evidence = self.evidence(theta)[1]
        result: Array = scaled + 0.5 * evidence.equations.lost / evidence.noise
        return result

    def fresh_start(self, theta: Array) -> Array:
        """Return θ with the noise at a tenth of the variance of the targets."""
        return self.pilot.fresh_start(theta)

    def sample(self, size: int) -> Self:
        """Return the bound itself: its landmarks are few already."""
        return self

    def started_at(self, theta: Array, landmarks: Points) -> Self:
        """Return the bound with these landmarks, and θ with room for what they miss.

        What the landmarks do not see looks like noise to the bound: its slope in σ² is
        positive as long as σ² is below the mean of the squared residuals and of R.
        """
        bound = replace(self, model=self.model.with_theta(theta), landmarks=landmarks)
        evidence = bound.evidence(theta)[1]
        least = (evidence.missed / evidence.equations.n) or evidence.noise
        noise = max(evidence.noise, least)
        return replace(bound, model=replace(bound.model, noise=noise))

    @cached_property
    def pilot(self) -> Likelihood:
        """The exact likelihood of some of the points, always the same."""
        n = len(self)
        index = np.sort(np.random.default_rng(0).permutation(n)[:PILOT_POINTS])
        points = self.rows.take(index)
        t = self.t.read(np.asarray(self.t.values[index]), self.t.name)[:, 0]
        r = t - mean_values(self.mean, points.items, len(index))
        inputs = Inputs(self.model.kernel, points, len(index))
        return Likelihood(self.model, inputs, r)


def _sums(
    projection: Projection, mean: Mean, centred: bool, points: Points, T: Array
) -> NormalEquations:
    """Return the normal equations of one block."""
    r = T - mean_values(mean, points.items, len(T))[:, None]
    own, ones = projection.kernel.diag(points), np.ones(len(T))
    return NormalEquations.of(projection.columns(points), r, ones, own, centred)


def _slopes(
    projection: Projection, evidence: Evidence, mean: Mean, points: Points, T: Array
) -> Array:
    """Return what one block adds to the gradient in the kernel's parameters."""
    r = T[:, 0] - mean_values(mean, points.items, len(T))
    G = evidence.of_columns(projection.columns(points), r)
    own = np.full(len(r), -0.5 / evidence.noise)
    diagonal = gram.pull_diagonal(projection.kernel, points, own)
    return projection.pull_columns(points, G) + diagonal
