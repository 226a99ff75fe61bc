"""Worked problems with their exact values, and data with their exact machines.

`COUNTEREXAMPLES` show what goes wrong if a hypothesis of duality is dropped. Machines
are in fractions, so that a chapter can check the conditions without rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from kernellab.arrays import Array
from kernellab.optim.domains import Box, Region
from kernellab.optim.functions import Quadratic, Smooth, affine
from kernellab.optim.problem import Problem
from kernellab.optim.quadratic_program import QuadraticProgram


@dataclass(frozen=True, eq=False)
class Example:
    """A problem with its exact values inf θ_P and sup θ_D.

    w is a minimum, or a stationary point to look at; None if there is no minimum.
    """

    problem: Problem
    w: Sequence[float] | None
    primal: float
    dual: float

    @property
    def gap(self) -> float:
        """inf θ_P − sup θ_D; 0 if both are the same infinity."""
        return 0.0 if self.primal == self.dual else self.primal - self.dual


def parabola() -> Example:
    """Return min w² subject to 1 − w ≤ 0: θ_D(α) = α − α²/4, no gap."""
    p = QuadraticProgram([[2.0]], [0.0], [[-1.0]], [-1.0], name="min w², w ≥ 1")
    return Example(p, [1], 1, 1)


def circle() -> Example:
    """Return min w₁ + w₂ subject to w₁² + w₂² − 2 = 0: a minimum where ∇f ≠ 0."""
    h = Quadratic(2 * np.eye(2), [0.0, 0.0], -2.0)
    p = Problem(affine([1.0, 1.0]), (), [h], 2, name="min w₁ + w₂ on a circle")
    return Example(p, [-1, -1], -2, -2)


def cubic() -> Example:
    """Return min w³: f′(0) = 0, and 0 is no minimum."""
    f = Smooth(lambda w: w[0] ** 3, lambda w: 3 * w**2)
    p = Problem(f, dual_function=lambda a, b: -math.inf, name="min w³")
    return Example(p, [0], -math.inf, -math.inf)


def squared_equality() -> Example:
    """Return min w subject to w² = 0: the minimum has no multiplier, as ∇h = 0 there.

    θ_D(β) = −1/(4β) for β > 0, −∞ otherwise: the values agree, and no β attains the
    supremum 0.
    """
    h = Quadratic([[2.0]], [0.0])
    return Example(Problem(affine([1.0]), (), [h], name="min w, w² = 0"), [0], 0, 0)


def plain_equality() -> Example:
    """Return min w subject to w = 0: the same admissible point, and β = −1."""
    p = QuadraticProgram([[0.0]], [1.0], E=[[1.0]], e=[0.0], name="min w, w = 0")
    return Example(p, [0], 0, 0)


def idle_constraint() -> Example:
    """Return min w² subject to w ≤ 0: active at the minimum, with multiplier 0."""
    p = QuadraticProgram([[2.0]], [0.0], [[1.0]], [0.0], name="min w², w ≤ 0")
    return Example(p, [0], 0, 0)


def end_of_an_interval() -> Example:
    """Return min w over Ω = [1, 2]: at the minimum ∇L ≠ 0, it points out of Ω."""
    p = Problem(affine([1.0]), domain=Box([1.0], [2.0]), name="min w on [1, 2]")
    return Example(p, [1], 1, 1)


def never_reached() -> Example:
    """Return min e⁻ʷ over ℝ: convex, equal values, and no minimum."""
    p = Problem(
        lambda w: np.exp(-w[0]), dual_function=lambda a, b: 0.0, name="min exp(−w)"
    )
    return Example(p, None, 0, 0)


def concave() -> Example:
    """Return min −w² over Ω = [0, 1] subject to w ≤ ½: a gap of ¼.

    L is concave in w, so its infimum is at an end of Ω: θ_D(α) = min(−α/2, α/2 − 1).
    """
    p = Problem(
        Quadratic([[-2.0]], [0.0]),
        [affine([1.0], 0.5)],
        domain=Box([0.0], [1.0]),
        dual_function=lambda a, b: min(-a[0] / 2, a[0] / 2 - 1),
        name="min −w², w ≤ ½, on [0, 1]",
    )
    return Example(p, [0.5], -0.25, -0.5)


def duffin() -> Example:
    """Return min e⁻ʸ over a closed convex cone Ω, subject to z ≤ 0: a gap of 1.

    Ω = {(x, y, z) : √(x² + y²) − x ≤ z}. z ≤ 0 forces y = 0, so f is 1 on the whole
    admissible region. But L = e⁻ʸ + αz has the infimum 0 over Ω for every α ≥ 0: see
    `cone_point`. No admissible point is in the interior of Ω.

    >>> p = duffin().problem
    >>> [round(p.lagrangian(cone_point(s), [5.0]), 4) for s in (1, 9, 99)]
    [2.4389, 0.2779, 0.0253]
    """

    def inside(w: Array) -> bool:
        return bool(_depth(w[0], w[1]) <= w[2] * (1 + 1e-12) + 1e-300)

    p = Problem(
        lambda w: np.exp(-w[1]),
        [affine([0.0, 0.0, 1.0])],
        domain=Region(inside, 3, "the cone √(x² + y²) − x ≤ z"),
        dual_function=lambda a, b: 0.0,
        name="min e⁻ʸ, z ≤ 0, on a cone",
    )
    return Example(p, [1, 0, 0], 1, 0)


def cone_point(s: float) -> Array:
    """Return (s³, s, z) with the least z in Duffin's cone, which is below 1/(2s)."""
    return np.array([float(s) ** 3, float(s), _depth(float(s) ** 3, float(s))])


def _depth(x: float, y: float) -> float:
    """Return √(x² + y²) − x, without cancellation for x > 0."""
    r = math.hypot(x, y)
    return y * y / (r + x) if x > 0 else r - x


def contradiction() -> Example:
    """Return min −w₁ − w₂ subject to w₁ − w₂ ≤ −1 and w₂ − w₁ ≤ −1: +∞ against −∞."""
    Q, A, ones = np.zeros((2, 2)), [[1.0, -1.0], [-1.0, 1.0]], np.ones(2)
    p = QuadraticProgram(Q, -ones, A, -ones, name="an empty admissible region")
    return Example(p, None, math.inf, -math.inf)


COUNTEREXAMPLES = (
    cubic,
    squared_equality,
    idle_constraint,
    end_of_an_interval,
    never_reached,
    concave,
    duffin,
    contradiction,
)
"""One for each hypothesis that is easily forgotten."""


@dataclass(frozen=True, eq=False)
class MarginExample:
    """Points and labels with their exact machine; C is ∞ for the hard margin."""

    X: Array
    y: Array
    C: float
    w: tuple[Fraction, ...]
    b: Fraction
    alpha: tuple[Fraction, ...]


def separable_data() -> MarginExample:
    """Return six points in the plane; three of them support the hard margin."""
    X = np.array([[2, 1], [3, -1], [-1, 2], [-1, 0], [-2, 0.5], [0, -1]])
    alpha = "0 3/16 19/32 25/32 0 0"
    return _exact(X, [1, 1, 1, -1, -1, -1], math.inf, "3/4 1", "-1/4", alpha)


def overlapping_data() -> MarginExample:
    """Return eight points that no line separates; C = 1."""
    first = [[2, 2], [1.5, 0], [0.5, 1], [-0.5, 0]]
    X = np.array([*first, [-1, -2], [-2, -1], [1, 0.5], [3, 1]])
    y, alpha = [1, 1, 1, -1, -1, -1, -1, 1], "0 3/4 1 3/4 0 0 1 0"
    return _exact(X, y, 1.0, "1 1/2", "-1/2", alpha)


def degenerate_data() -> MarginExample:
    """Return four points, all on the margin, with many multipliers.

    α = (½ − 2s, s, s, ½) is optimal for 0 ≤ s ≤ ¼: two, three or four support vectors
    for one and the same machine. Given here: s = 0.
    """
    X = np.array([[1.0, 0], [1, 1], [1, -1], [-1, 0]])
    return _exact(X, [1, 1, 1, -1], math.inf, "1 0", "0", "1/2 0 0 1/2")


def _exact(
    X: Array, y: list[int], C: float, w: str, b: str, alpha: str
) -> MarginExample:
    labels = np.array(y, dtype=np.float64)
    weights, multipliers = (tuple(map(Fraction, t.split())) for t in (w, alpha))
    return MarginExample(X, labels, C, weights, Fraction(b), multipliers)
