"""One machine for two classes: solved, measured, or shown to be impossible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernellab.arrays import Array, Indices
from kernellab.certificates import Certificate
from kernellab.estimator import Inputs
from kernellab.svm.certificate import classification
from kernellab.svm.dual_program import DualProgram, StoppingRule, warn_unless_solved
from kernellab.svm.inputs import checked_values
from kernellab.svm.overlap import Overlap, not_separable


@dataclass(frozen=True, eq=False)
class BinarySVM:
    """f(x) = Σ β_i k(x, x_i) + b, which tells two classes apart.

    Attributes
    ----------
    positive, negative : the codes of the classes with f > 0 and f < 0.
    index : (m,) the training points of the two classes.
    y : (m,) their labels, −1 and +1.
    beta : (m,) coefficients y_i α_i.
    b, interval : the intercept; the ends of all that would do as well (in the wrong
        order by at most the tolerance).
    slacks : (m,) ξ_i = max(0, 1 − y_i f(x_i)).
    square : ‖w‖².
    """

    positive: int
    negative: int
    index: Indices
    y: Array
    beta: Array
    b: float
    interval: tuple[float, float]
    slacks: Array
    square: float
    certificate: Certificate
    iterations: int

    def spread(self, values: Array, n: int) -> Array:
        """Return values at the points of the two classes, 0 at all others of n."""
        whole = np.zeros(n)
        whole[self.index] = values
        return whole


def train(
    inputs: Inputs,
    index: Indices,
    codes: Indices,
    C: Array,
    pair: tuple[int, int],
    classes: Any,
    rule: StoppingRule,
) -> BinarySVM:
    """Solve (P) and (D) for the points of two classes.

    Parameters
    ----------
    inputs : all training points.
    index : those that have a weight.
    codes, C : their classes and penalties.
    pair : the codes of the classes that f > 0 and f < 0 stand for.
    classes : the labels, for messages.
    rule : when to stop.
    """
    positive, negative = pair
    y = np.subtract(codes == positive, codes == negative, dtype=np.float64)
    if not y.all():
        mine = y.nonzero()[0]
        index, C, y = index[mine], C[mine], y[mine]
    lower, upper = np.minimum(y * C, 0.0), np.maximum(y * C, 0.0)
    programme = DualProgram(inputs, index, y, lower, upper)
    found = programme.solve(rule)
    labels = [classes[code : code + 1].tolist()[0] for code in pair]
    if found.unbounded:
        assert found.direction is not None
        raise not_separable(Overlap.of(inputs, index, y, found.direction), *labels)
    u = checked_values(inputs, index, found.beta, found.gradient + y)
    proof, slacks = classification(y, found.beta, u, found.bias, C, found.noise)
    proof = replace(proof, assumes=inputs.assumes)
    who = f"SVC, classes {labels[0]!r} and {labels[1]!r},"
    warn_unless_solved(who, found, programme.violation(found.beta, u), rule, proof)
    return BinarySVM(
        positive,
        negative,
        index,
        y,
        found.beta,
        found.bias,
        found.bias_interval,
        slacks,
        float(found.beta @ u),
        proof,
        found.iterations,
    )
