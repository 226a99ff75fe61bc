"""No hard margin: what two classes have in common when no hyperplane separates them.

For finite sets of points, either a hyperplane separates the classes strictly in
feature space, or their convex hulls meet (the separation theorem): there are weights
p_i ≥ 0, of sum 1 in each class, with

    Σ_{y_i=+1} p_i φ(x_i) = Σ_{y_i=−1} p_i φ(x_i).

Such p prove that there is no hard margin, and are a direction along which its dual
grows without end: α = r·p costs nothing, and earns 2r.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernellab.arrays import Array, Indices
from kernellab.estimator import Inputs
from kernellab.svm.inputs import values_of

MAX_NAMED_POINTS = 3
"""How many points of a class a message names."""


@dataclass(frozen=True, eq=False)
class Overlap:
    """A point of both convex hulls, in feature space.

    Attributes
    ----------
    weights : (n,) array p ≥ 0, a weight for each training point.
    positive, negative : the points of each class that have a weight, by number.
    distance : how far apart, in feature space, the two combinations are; 0 up to
        rounding.
    size : the largest norm of a feature vector among them, to compare with.
    """

    weights: Array
    positive: Indices
    negative: Indices
    distance: float
    size: float

    @classmethod
    def of(cls, inputs: Inputs, index: Indices, y: Array, direction: Array) -> Overlap:
        """Return the witness in a direction β of the solver. O(m²) values of k."""
        delta = np.where(direction * y > 0, direction, 0.0)
        for sign in (1.0, -1.0):
            delta[y == sign] /= np.abs(delta[y == sign]).sum()
        square = float(delta @ values_of(inputs, index, delta))
        weights = np.zeros(inputs.n)
        weights[index] = np.abs(delta)
        own = _diagonal(inputs, index[delta != 0])
        size = math.sqrt(max(0.0, float(own.max())))
        distance = math.sqrt(max(0.0, square))
        return cls(weights, index[delta > 0], index[delta < 0], distance, size)

    def __str__(self) -> str:
        ends = [self._combination(part) for part in (self.positive, self.negative)]
        return " = ".join(ends)

    __repr__ = __str__

    def _combination(self, points: Indices) -> str:
        order = points[np.argsort(-self.weights[points], kind="stable")]
        terms = [f"{self.weights[i]:.3g}·φ(x[{i}])" for i in order[:MAX_NAMED_POINTS]]
        more = len(order) - MAX_NAMED_POINTS
        return " + ".join(terms) + (f" + … ({more} more)" if more > 0 else "")


class NotSeparable(ValueError):
    """No hyperplane separates the classes in feature space: no hard margin exists.

    Attributes
    ----------
    witness : Overlap, a point that lies in the convex hulls of both classes.
    """

    def __init__(self, message: str, witness: Overlap) -> None:
        super().__init__(message, witness)
        self.witness = witness

    def __str__(self) -> str:
        return str(self.args[0])


def not_separable(witness: Overlap, positive: Any, negative: Any) -> NotSeparable:
    """Return the error, with what can be done."""
    return NotSeparable(
        f"the classes {positive!r} and {negative!r} overlap in feature space: "
        f"{witness}, up to a distance of {witness.distance:.1g} between vectors of "
        f"norm up to {witness.size:.3g} (error.witness holds the weights). So no "
        "hyperplane separates them, and there is no hard margin. Allow errors with a "
        "finite C, such as C=1.0; or, if no point carries both labels, take a strictly "
        "positive definite kernel, such as Gaussian(sigma=1.0), which separates any "
        "different points.",
        witness,
    )


def _diagonal(inputs: Inputs, index: Indices) -> Array:
    """Return k(x, x) of some points."""
    if inputs.kernel is None:
        result: Array = inputs.X[index, index]
        return result
    return inputs.kernel.diag(inputs.X.take(index))
