"""Witnesses: finitely many points on which a function fails to be a kernel.

Either two points with k(x,z) ≠ k(z,x), or points and a vector c with cᵀKc < 0. A
number computed in floating point is believed only beyond its possible error, which
is followed through the expression (`Kernel.rounding_error`), so that cancellation in
the formula is not taken for a counterexample.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.arrays import Array
from kernellab.kernels.expression import Expression
from kernellab.kernels.pairs import CrossPairs
from kernellab.kernels.points import Points
from kernellab.text import escape_markdown, simple

RELATIVE_ROUNDING = 1e-12
"""One rounding, with a margin: some thousand times the float's own precision."""

MAX_VALUE = 1e150

COEFFICIENT_SIZES = (*range(1, 25), 32, 48, 64, 96, 128, 256, 512, 1024)
"""How large the integers in c may be; tried in this order."""


@dataclass(frozen=True)
class Witness:
    """A counterexample. It is true in a condition: `if k.refute(): …`.

    Attributes
    ----------
    kernel : the function that is not a kernel.
    points : the points, (m, d) array or list of objects.
    c : coefficients with cᵀKc < 0; None if k is not symmetric.
    K : the Gram matrix k(points).
    value : cᵀKc, or k(x₀,x₁) − k(x₁,x₀) if k is not symmetric.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> k = kl.FromFunction(lambda x, z: 1 - (x[0] - z[0]) ** 2, "parabola")
    >>> w = k.refute()
    >>> w.points.ravel(), w.c, float(w.value)
    (array([0., 2.]), array([1., 1.]), -4.0)
    """

    kernel: Expression
    points: Any
    c: Array | None
    K: Array
    value: float

    def __bool__(self) -> bool:
        return True

    @property
    def eigenvalues(self) -> Array:
        """The eigenvalues of the symmetric part of the Gram matrix."""
        return np.asarray(np.linalg.eigvalsh((self.K + self.K.T) / 2), np.float64)

    @property
    def places(self) -> list[str]:
        """The points as a person would write them."""
        if not isinstance(self.points, np.ndarray):
            return [repr(point) for point in self.points]
        rows = [[simple(x) for x in row] for row in self.points]
        return [row[0] if len(row) == 1 else f"({', '.join(row)})" for row in rows]

    def __str__(self) -> str:
        points = ", ".join(self.places)
        if self.c is None:
            return (
                f"{self.kernel!r} is not symmetric: at the points {points}, "
                f"k(x,z) − k(z,x) = {self.value:.6g}"
            )
        return (
            f"{self.kernel!r} is not a kernel: at the points {points}, "
            f"c = ({', '.join(map(simple, self.c))}) gives cᵀKc = {self.value:.6g} < 0"
            f"; the eigenvalues of K are {_row(self.eigenvalues)}"
        )

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        name = escape_markdown(repr(self.kernel))
        points = ", ".join(map(escape_markdown, self.places))
        rows = r" \\ ".join(" & ".join(f"{x:.4g}" for x in row) for row in self.K)
        gram = rf"$$K = \begin{{pmatrix}} {rows} \end{{pmatrix}}$$"
        if self.c is None:
            head = f"**{name}** is not symmetric. At the points {points}:"
            return f"{head}\n\n{gram}\n\n$k(x,z) - k(z,x) = {self.value:.4g}$."
        c = ", ".join(map(simple, self.c))
        values = ", ".join(f"{x:.4g}" for x in self.eigenvalues)
        return (
            f"**{name}** is not a kernel. At the points {points}:\n\n{gram}\n\n"
            f"With $c = ({c})$, $c^\\top K c = {self.value:.4g} < 0$. "
            f"The eigenvalues of $K$ are {values}."
        )


def symmetric_witness(kernel: Expression, points: Points) -> Witness | None:
    """Return two of the points with k(x,z) ≠ k(z,x) beyond rounding, the first such
    pair.
    """
    if kernel.symmetric or _nearly_symmetric(kernel.gram_unchecked(points)):
        return None
    K, error = _with_error(kernel, points)
    with np.errstate(invalid="ignore"):
        pairs = np.argwhere(np.abs(K - K.T) > error + error.T)
    if not len(pairs):
        return None
    two = pick(points, pairs[0])
    K = kernel.gram_unchecked(two)
    return Witness(kernel, as_given(two), None, K, float(K[0, 1] - K[1, 0]))


def witness_on(kernel: Expression, points: Points) -> Witness | None:
    """Return a vector c with cᵀKc < 0 on exactly these points, in small integers if it
    can.
    """
    K, error = _with_error(kernel, points)
    if not len(K) or not (usable(K) & usable(error)).all():
        return None
    direction = _most_negative(K)
    for c in (*_integers(direction), direction):
        value = float(c @ K @ c)
        if value < -float(np.abs(c) @ error @ np.abs(c)):
            return Witness(kernel, as_given(points), c, K, value)
    return None


def usable(values: Array) -> NDArray[np.bool_]:
    """Return where a value is a number, and not so large that cᵀKc would overflow."""
    return np.abs(values) < MAX_VALUE


def pick(points: Points, index: Any) -> Points:
    """Return some of the points, as points of their own."""
    if isinstance(points.items, np.ndarray):
        return Points(points.items[list(index)])
    return Points(tuple(points.items[i] for i in index))


def as_given(points: Points) -> Any:
    """Return the points as a user would write them."""
    return points.items if isinstance(points.items, np.ndarray) else list(points.items)


def unit_diagonal(K: Array) -> tuple[Array, Array]:
    """SKS with ±1 on the diagonal, and S: same signs, entries of the same size."""
    diagonal = np.abs(np.diag(K))
    size = np.abs(K).max(initial=0)
    s = 1 / np.sqrt(np.where(diagonal > 0, diagonal, size if size > 0 else 1.0))
    return s[:, None] * K * s[None, :], s


def _most_negative(K: Array) -> Array:
    """Return the direction of the smallest eigenvalue, once the diagonal is made
    equal.
    """
    scaled, s = unit_diagonal((K + K.T) / 2)
    vectors = np.linalg.eigh(scaled)[1]
    c: Array = s * vectors[:, 0]
    first = c[np.argmax(np.abs(c) > 1e-9 * np.abs(c).max())]
    return np.asarray(c / (np.abs(c).max() * np.sign(first)))


def _integers(direction: Array) -> list[Array]:
    """Return the direction rounded to integers, the smallest first."""
    tries = [np.round(direction * q) for q in COEFFICIENT_SIZES]
    return [c for c in tries if c.any()]


def _nearly_symmetric(K: Array) -> bool:
    finite = np.where(np.isfinite(K), K, 0)
    return bool(np.allclose(finite, finite.T, rtol=RELATIVE_ROUNDING, atol=0))


def _with_error(kernel: Expression, points: Points) -> tuple[Array, Array]:
    """Return K, and how wrong each entry may be."""
    with np.errstate(all="ignore"):
        pair = CrossPairs(points, points)
        return pair.value(kernel), RELATIVE_ROUNDING * kernel.rounding_error(pair)


def _row(values: Array) -> str:
    return ", ".join(f"{x:.4g}" for x in values)
