"""Spaces: the kind of thing that a kernel compares, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernellab.errors import InputError
from kernellab.kernels.points import Points, is_sparse, objects, vectors


@dataclass(frozen=True)
class Space:
    """A kind of point: its name, and the reader that checks a list of them."""

    name: str
    read: Callable[[Any, str], Points] = field(compare=False)


def _anything(X: Any, name: str) -> Points:
    """Vectors if it looks like a matrix of numbers, objects otherwise."""
    if is_sparse(X) or (isinstance(X, np.ndarray) and X.dtype.kind in "fiub"):
        return vectors(X, name)
    try:
        matrix = np.asarray(X)
    except ValueError:
        return objects(X, name)
    numeric = matrix.dtype.kind in "fiub" and matrix.ndim > 0 and len(matrix) > 0
    return vectors(X, name) if numeric else objects(X, name)


VECTORS = Space("vectors", vectors)
ANYTHING = Space("anything", _anything)


def objects_of(name: str, check: Callable[[Any], bool], example: str) -> Space:
    """Return a space of objects, each of which must pass `check`."""

    def read(X: Any, label: str) -> Points:
        points = objects(X, label)
        for position, item in enumerate(points.items):
            if not check(item):
                raise InputError(
                    f"{label} must be a list of {name}, such as {example}; "
                    f"{label}[{position}] is {type(item).__name__} {item!r}"
                )
        return points

    return Space(name, read)


def common_space(spaces: Iterable[Space]) -> Space:
    """Return the one space of all parts of an expression; a clear error if there is
    none.
    """
    named = {space.name: space for space in spaces if space != ANYTHING}
    if len(named) > 1:
        raise InputError(
            f"these kernels compare different things: {' and '.join(sorted(named))}; "
            "combine kernels on one kind of point, or map the points first (.pullback)"
        )
    return next(iter(named.values()), ANYTHING)
