"""Worked problems: one for each hypothesis of the interlude, and data solved by hand.

Each function returns a problem with its exact answers. Those of the first group show
what goes wrong if a hypothesis is dropped (S3, l. 493–681).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array
from kernellab.optim.domains import Box, Region
from kernellab.optim.functions import Smooth, affine
from kernellab.optim.margin_examples import (
    MarginExample,
    degenerate_data,
    overlapping_data,
    separable_data,
)
from kernellab.optim.problem import Problem
from kernellab.optim.quadratic import QuadraticProgram

__all__ = [
    "COUNTEREXAMPLES",
    "Example",
    "MarginExample",
    "circle",
    "concave",
    "cone_point",
    "contradiction",
    "cubic",
    "degenerate_data",
    "duffin",
    "end_of_an_interval",
    "idle_constraint",
    "never_reached",
    "overlapping_data",
    "parabola",
    "plain_equality",
    "separable_data",
    "squared_equality",
]


@dataclass(frozen=True, eq=False)
class Example:
    """A problem, and what is known of it.

    Attributes
    ----------
    problem : the problem.
    story : what it shows.
    w : a point to look at; a minimum, unless the story says otherwise. None if there
        is no minimum.
    primal, dual : the exact values inf θ_P and sup θ_D.
    alpha, beta : optimal multipliers, None if there are none.
    """

    problem: Problem
    story: str
    w: Sequence[float] | None
    primal: float
    dual: float
    alpha: Sequence[float] | None = None
    beta: Sequence[float] | None = None

    @property
    def gap(self) -> float:
        """inf θ_P − sup θ_D, with ∞ − (−∞) = ∞ and 0 if both are the same infinity."""
        return 0.0 if self.primal == self.dual else self.primal - self.dual

    def __repr__(self) -> str:
        return f"{self.story} Primal {self.primal:g}, dual {self.dual:g}."


def parabola() -> Example:
    """min w² subject to 1 − w ≤ 0: θ_D(α) = α − α²/4, no gap.

    >>> e = parabola()
    >>> e.problem.theta_D([2.0]), e.primal
    (1.0, 1)
    """
    p = QuadraticProgram([[2.0]], [0.0], [[-1.0]], [-1.0], name="min w², w ≥ 1")
    return Example(p, "A convex problem with an active constraint.", [1], 1, 1, [2], [])


def circle() -> Example:
    """min w₁ + w₂ subject to w₁² + w₂² − 2 = 0: Lagrange's conditions, twice.

    At (−1, −1) with β = ½ the Lagrangian is convex and the point is the minimum; at
    (1, 1) with β = −½ it is concave and the point is the maximum.

    >>> circle().problem.multipliers([-1.0, -1.0]).beta.round(6)
    array([0.5])
    """
    f = affine([1.0, 1.0], text="w₁ + w₂")
    h = Smooth(lambda w: w @ w - 2, lambda w: 2 * w, "w₁² + w₂² − 2")
    p = Problem(f, equalities=[h], domain=2, name="min w₁ + w₂ on a circle")
    return Example(p, "A minimum where ∇f ≠ 0.", [-1, -1], -2, -2, [], [0.5])


def cubic() -> Example:
    """min w³: f′(0) = 0, and 0 is no minimum (E3-33).

    >>> cubic().problem.kkt([0.0]).holds()
    True
    >>> cubic().primal
    -inf
    """
    f = Smooth(lambda w: w[0] ** 3, lambda w: 3 * w**2, "w³")
    story = "A stationary point that is no minimum."
    return Example(
        Problem(f, domain=1, name="min w³"), story, [0], -math.inf, -math.inf
    )


def squared_equality() -> Example:
    """min w subject to w² = 0: the minimum has no multiplier (E3-34).

    θ_D(β) = −1/(4β) for β > 0, −∞ otherwise: the values agree, and no β attains the
    supremum 0.

    >>> squared_equality().problem.multipliers([0.0]).exist
    False
    """
    h = Smooth(lambda w: w[0] ** 2, lambda w: 2 * w, "w²")
    p = Problem(
        affine([1.0], text="w"),
        equalities=[h],
        domain=1,
        dual_function=lambda a, b: -1 / (4 * b[0]) if b[0] > 0 else -math.inf,
        name="min w, w² = 0",
    )
    return Example(p, "∇h = 0 at the minimum: no multiplier.", [0], 0, 0)


def plain_equality() -> Example:
    """min w subject to w = 0: the same admissible point, and β = −1.

    >>> plain_equality().problem.multipliers([0.0]).beta
    array([-1.])
    """
    p = QuadraticProgram([[0.0]], [1.0], E=[[1.0]], e=[0.0], name="min w, w = 0")
    return Example(p, "The same set, written by w = 0.", [0], 0, 0, [], [-1])


def idle_constraint() -> Example:
    """min w² subject to w ≤ 0: active at the minimum, with multiplier 0 (E3-41).

    >>> solution = idle_constraint().problem.solve()
    >>> idle_constraint().problem.active(solution.w), solution.alpha
    (array([0]), array([0.]))
    """
    p = QuadraticProgram([[2.0]], [0.0], [[1.0]], [0.0], name="min w², w ≤ 0")
    return Example(p, "An active constraint that costs nothing.", [0], 0, 0, [0], [])


def end_of_an_interval() -> Example:
    """min w over Ω = [1, 2]: at the minimum ∇L ≠ 0, it points out of Ω (E3-40).

    >>> p = end_of_an_interval().problem
    >>> p.lagrangian_gradient([1.0]), p.kkt([1.0]).holds()
    (array([1.]), True)
    """
    p = Problem(
        affine([1.0], text="w"), domain=Box([1.0], [2.0]), name="min w on [1, 2]"
    )
    return Example(p, "A minimum at the edge of Ω.", [1], 1, 1, [], [])


def never_reached() -> Example:
    """min e⁻ʷ over ℝ: convex, equal values, no minimum (E3-35, E3-39).

    >>> e = never_reached()
    >>> e.primal, e.dual, e.w is None
    (0, 0, True)
    """
    f = Smooth(lambda w: np.exp(-w[0]), lambda w: -np.exp(-w), "exp(−w)")
    p = Problem(f, domain=1, dual_function=lambda a, b: 0.0, name="min exp(−w)")
    return Example(p, "An infimum that is not attained.", None, 0, 0)


def concave() -> Example:
    """min −w² over Ω = [0, 1] subject to w ≤ ½: a gap of ¼.

    θ_D(α) = min(−α/2, α/2 − 1), largest at α = 1.

    >>> e = concave()
    >>> e.gap, round(e.problem.theta_D([1.0]), 9)
    (0.25, -0.5)
    """
    p = Problem(
        Smooth(lambda w: -(w[0] ** 2), lambda w: -2 * w, "−w²"),
        [affine([1.0], 0.5, "w − ½")],
        domain=Box([0.0], [1.0]),
        name="min −w², w ≤ ½, on [0, 1]",
    )
    return Example(p, "f is not convex.", [0.5], -0.25, -0.5)


def duffin() -> Example:
    """min e⁻ʸ over a closed convex cone Ω, subject to z ≤ 0: a gap of 1 (E3-38).

    Ω = {(x, y, z) : √(x² + y²) − x ≤ z}. With z ≤ 0, √(x² + y²) ≤ x forces y = 0, so f
    is 1 on the whole admissible region. But L = e⁻ʸ + αz has the infimum 0 over Ω for
    every α ≥ 0: take y = s, x = s³ and the least z, which is below 1/(2s). f is convex
    and smooth, z is affine, Ω is convex; no admissible point is in the interior of Ω.

    >>> duffin().gap
    1
    >>> [
    ...     round(duffin().problem.lagrangian(cone_point(s), [5.0]), 4)
    ...     for s in (1, 9, 99)
    ... ]
    [2.4389, 0.2779, 0.0253]
    """
    f = Smooth(
        lambda w: np.exp(-w[1]), lambda w: np.array([0, -np.exp(-w[1]), 0]), "e⁻ʸ"
    )
    cone = Region(
        lambda w: _depth(w[0], w[1]) <= w[2] * (1 + 1e-12) + 1e-300,
        Box.everywhere(3),
        "the cone √(x² + y²) − x ≤ z",
    )
    p = Problem(
        f,
        [affine([0.0, 0.0, 1.0], text="z")],
        domain=cone,
        dual_function=lambda a, b: 0.0,
        name="min e⁻ʸ, z ≤ 0, on a cone",
    )
    return Example(p, "Convex, smooth, affine, and yet a gap.", [1, 0, 0], 1, 0)


def cone_point(s: float) -> Array:
    """The point (s³, s, √(s⁶ + s²) − s³) of the boundary of the cone of `duffin`."""
    return np.array([float(s) ** 3, float(s), _depth(float(s) ** 3, float(s))])


def _depth(x: float, y: float) -> float:
    """√(x² + y²) − x, without cancellation for x > 0."""
    r = math.hypot(x, y)
    return y * y / (r + x) if x > 0 else r - x


def contradiction() -> Example:
    """min −w₁ − w₂ subject to w₁ − w₂ ≤ −1 and w₂ − w₁ ≤ −1: +∞ against −∞ (E3-38).

    >>> contradiction().problem.solve_dual().value
    -inf
    """
    p = QuadraticProgram(
        np.zeros((2, 2)),
        [-1.0, -1.0],
        [[1.0, -1.0], [-1.0, 1.0]],
        [-1.0, -1.0],
        name="an empty admissible region",
    )
    return Example(p, "No admissible point.", None, math.inf, -math.inf)


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
