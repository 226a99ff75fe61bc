"""Linear algebra over the fields: elimination, inverses, determinants, solutions."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.grading.instances.fields import Array, Field, Undecided


def eye(field: Field, n: int) -> Array:
    """Return the identity."""
    out = zeros(field, n, n)
    for i in range(n):
        out[i, i] = field.number(1)
    return out


def zeros(field: Field, rows: int, columns: int) -> Array:
    """Return a matrix of zeros."""
    out = np.empty((rows, columns), dtype=object)
    out[:] = field.number(0)
    return out


def eliminate(field: Field, A: Array) -> tuple[Array, list[int], Any]:
    """Return the reduced row echelon form, its pivot columns, the product of pivots."""
    A = A.copy()
    pivots: list[int] = []
    product = field.number(1)
    for column in range(A.shape[1]):
        row = len(pivots)
        if row == A.shape[0]:
            break
        below = [i for i in range(row, len(A)) if not field.is_zero(A[i, column])]
        if not below:
            continue
        if below[0] != row:
            A[[row, below[0]]] = A[[below[0], row]]
            product = -product
        product = field.reduce(product * A[row, column])
        A[row] = field.reduce(A[row] * field.invert(A[row, column]))
        others = A[:, column].copy()
        others[row] = field.number(0)
        A = field.reduce(A - np.outer(others, A[row]))
        pivots.append(column)
    return A, pivots, product


def inverse(field: Field, A: Array) -> Array:
    """Return A⁻¹; raise `Undecided` if A is singular."""
    n = A.shape[0]
    form, pivots, _ = eliminate(field, np.hstack([A, eye(field, n)]))
    if pivots[:n] != list(range(n)):
        raise Undecided("the inverse of a singular matrix")
    return form[:, n:]


def determinant(field: Field, A: Array) -> Array:
    """Return det A, as a 1×1 matrix."""
    _, pivots, product = eliminate(field, A)
    value = product if len(pivots) == A.shape[0] else field.number(0)
    return np.array([[value]], dtype=object)


def is_definite(field: Field, A: Array, strictly: bool) -> bool:
    """Tell whether a symmetric A over an ordered field is positive (semi-)definite.

    By Schur complements: a pivot that is not 0 must be positive and is eliminated, a
    pivot 0 must have a row of zeros.
    """
    while len(A):
        pivot, row = A[0, 0], A[0, 1:]
        if field.is_zero(pivot):
            if strictly or not all(map(field.is_zero, row)):
                return False
            A = A[1:, 1:]
        elif pivot < 0:
            return False
        else:
            A = A[1:, 1:] - np.outer(row, row) * field.invert(pivot)
    return True


def solutions(field: Field, A: Array, b: Array) -> tuple[Array, Array] | None:
    """Return one x with A x = b and a basis of Ker A; None if there is no solution."""
    n = A.shape[1]
    form, pivots, _ = eliminate(field, np.hstack([A, b.reshape(-1, 1)]))
    if n in pivots:
        return None
    x = zeros(field, n, 1)[:, 0]
    for row, column in enumerate(pivots):
        x[column] = form[row, n]
    free = [j for j in range(n) if j not in pivots]
    kernel = zeros(field, n, len(free))
    for k, j in enumerate(free):
        kernel[j, k] = field.number(1)
        for row, column in enumerate(pivots):
            kernel[column, k] = field.reduce(-form[row, j])
    return x, kernel
