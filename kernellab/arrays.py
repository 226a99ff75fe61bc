"""Arrays of real numbers, and the checks that every input passes on its way in.

Each check returns what it was given in one form, or raises an `InputError` that says
what was expected, what came, and what to do.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from kernellab.errors import InputError, NotNumbers, data_conversion_warning

Array = NDArray[np.float64]

Floats = NDArray[Any]
"""An array of float32 or float64."""

Indices = NDArray[np.intp]

Scalars = float | tuple[float, ...]
"""A number, or one number per coordinate."""

RandomState = np.random.Generator | np.random.RandomState | int | None
"""A seed, a generator that is drawn from, or None for other numbers every time."""


def reals(value: object, what: str) -> NDArray[np.float64]:
    """Return `value` as an array of floats; an error for all that is not real numbers.

    NumPy alone would read the string "1" as 1.0, drop imaginary parts and masks, and
    read a sparse matrix as one object.
    """
    require_plain(value, what)
    try:
        given = np.asarray(value)
        if given.dtype.kind == "c":
            raise TypeError(f"{given.dtype}: Complex data not supported")
        if given.dtype.kind not in "fiubO":
            raise TypeError(f"these are of type {given.dtype}")
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        kind = NotNumbers if isinstance(error, TypeError) else InputError
        raise kind(
            f"{what}; got {describe(value)}, which NumPy cannot read as real numbers "
            f"({error})"
        ) from error


def require_plain(value: object, what: str) -> None:
    """Refuse sparse matrices and masked entries, which NumPy would misread."""
    if hasattr(value, "toarray") and hasattr(value, "nnz"):
        raise InputError(f"{what}; got a sparse matrix: write .toarray() after it")
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        count = np.count_nonzero(np.ma.getmaskarray(value))
        raise InputError(
            f"{what}; {count} entries are masked: fill them, as by .filled(0.0), or "
            "drop their rows"
        )


def describe(value: object) -> str:
    """Return the type of a value, and the beginning of how it prints."""
    text = " ".join(repr(value).split())
    return f"{type(value).__name__} {text if len(text) < 60 else text[:57] + '...'}"


def number(value: object, what: str) -> float:
    """Return `value` as a finite float; a clear error otherwise."""
    array = reals(value, f"{what} must be one number")
    if array.size != 1:
        raise InputError(f"{what} must be one number, got {value!r}")
    result = float(array.item())
    if isinstance(value, bool | np.bool_) or not math.isfinite(result):
        raise InputError(f"{what} must be a finite number, got {value!r}")
    return result


def numbers(value: object, what: str) -> Scalars:
    """Return `value` as a float, or as a tuple of floats for one per coordinate."""
    wanted = f"{what} must be a number, or a sequence with one number per coordinate"
    array = reals(value, wanted)
    if array.ndim == 0:
        return number(value, what)
    if array.ndim != 1 or array.size == 0:
        raise InputError(f"{wanted}; got an array of shape {array.shape}")
    return tuple(number(entry, what) for entry in array)


def positive_numbers(value: object, what: str) -> Scalars:
    """Return what `numbers` does, if every entry exceeds zero."""
    result = numbers(value, what)
    entries = result if isinstance(result, tuple) else (result,)
    if min(entries) <= 0:
        raise InputError(f"{what} must be positive, got {value!r}")
    return result


def positive_number(value: object, what: str) -> float:
    """Return what `number` does, if it exceeds zero."""
    result = number(value, what)
    if result <= 0:
        raise InputError(f"{what} must be positive, got {value!r}")
    return result


def whole(value: object, what: str, least: int) -> int:
    """Return `value` as an integer ≥ least; a clear error otherwise."""
    number_ = number(value, what)
    if isinstance(value, str) or number_ != int(number_) or number_ < least:
        raise InputError(f"{what} must be an integer ≥ {least}, got {value!r}")
    return int(number_)


def generator(random_state: object) -> np.random.Generator:
    """Return the generator of random numbers that `random_state` stands for.

    >>> generator(7).integers(100) == np.random.default_rng(7).integers(100)
    np.True_
    """
    if random_state is None:
        return np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.Generator(random_state._bit_generator)
    what = "random_state, if it is neither None nor a generator,"
    return np.random.default_rng(whole(random_state, what, 0))


def finite(T: Array, name: str) -> Array:
    """Return T, if all of it is finite; else an error that names a place where it is
    not.
    """
    if not np.isfinite(T).all():
        entry = place(name, *np.argwhere(~np.isfinite(T))[0])
        raise InputError(f"{name} must be finite; {entry} is NaN or infinite")
    return T


class RowsName(str):
    """What messages call some rows of an array: `X[2000:4000]`."""

    array: str
    rows: Sequence[int]

    @classmethod
    def of(cls, array: str, rows: Sequence[int]) -> Self:
        inside = f"{rows[0]}:{rows[-1] + 1}" if isinstance(rows, range) else "index"
        name = cls(f"{array}[{inside}]")
        name.array, name.rows = array, rows
        return name


def place(name: str, row: int, *rest: int) -> str:
    """Return what messages call an entry: by its row in the whole array.

    >>> place("X", 5, 1), place(RowsName.of("X", range(2000, 4000)), 5, 1)
    ('X[5, 1]', 'X[2005, 1]')
    """
    array = name
    if isinstance(name, RowsName):
        array, row = name.array, name.rows[row]
    return f"{array}[{', '.join(map(str, (row, *rest)))}]"


def require_target(y: object) -> None:
    """Refuse None in place of what is to be learned."""
    if y is None:
        raise InputError("fit requires y to be passed, but the target y is None")


def one_column(y: NDArray[Any], n: int) -> NDArray[Any]:
    """Return y; a column of n rows as a vector, with a warning."""
    if y.shape != (n, 1):
        return y
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected; it is read as "
        f"y.ravel(), of shape ({n},)",
        data_conversion_warning(),
        stacklevel=4,
    )
    return y[:, 0]


def columns_of(T: Array) -> Array:
    return T.reshape(len(T), -1)
