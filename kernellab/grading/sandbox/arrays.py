"""Arrays and numbers as JSON descriptions and raw bytes, and back.

NumPy is imported when it is needed, for the child reads this file before its walls
stand and NumPy after.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from .frames import Malformed

if TYPE_CHECKING:
    import numpy as np

    PlainArray: TypeAlias = np.ndarray[Any, np.dtype[Any]]

Spec = dict[str, Any]

DTYPES = {"b": "|b1", "i": "<i8", "u": "<u8", "f": "<f8", "c": "<c16"}
"""What travels, for each kind of dtype: five plain ones, nothing else."""

MOST_AXES = 32


def plain(value: PlainArray) -> PlainArray:
    """The same numbers as a base-class array of one of the five dtypes."""
    import numpy as np

    dtype = DTYPES[value.dtype.kind]
    return np.ascontiguousarray(value, dtype=dtype).reshape(value.shape)


def encode(values: Sequence[object]) -> tuple[list[Spec], bytes]:
    """Descriptions and bytes of arrays; other values must be such as JSON can hold."""
    import numpy as np

    specs: list[Spec] = []
    payload = []
    for value in values:
        if isinstance(value, np.ndarray):
            array = plain(value)
            specs.append({"dtype": array.dtype.str, "shape": list(array.shape)})
            payload.append(array.tobytes())
        else:
            number = value.item() if isinstance(value, np.generic) else value
            specs.append({"value": number})
    return specs, b"".join(payload)


def decode(specs: object, payload: bytes) -> tuple[Any, ...]:
    """What `encode` was given; every array is writable and owns its memory.

    Raises
    ------
    Malformed
        If descriptions and bytes do not fit together.

    Examples
    --------
    >>> import numpy as np
    >>> decode(*encode([np.eye(2), 0.5]))
    (array([[1., 0.],
           [0., 1.]]), 0.5)
    """
    if not isinstance(specs, list):
        raise Malformed("no list of values")
    values, start = [], 0
    for spec in specs:
        if not isinstance(spec, dict):
            raise Malformed("a value without description")
        if "value" in spec:
            values.append(spec["value"])
            continue
        array = _array(spec, payload, start)
        values.append(array)
        start += array.nbytes
    if start != len(payload):
        raise Malformed("bytes that belong to no value")
    return tuple(values)


def _array(spec: Spec, payload: bytes, start: int) -> PlainArray:
    import numpy as np

    dtype, shape = spec.get("dtype"), spec.get("shape")
    if dtype not in DTYPES.values() or not isinstance(shape, list):
        raise Malformed("not an array of numbers")
    if len(shape) > MOST_AXES or not all(type(n) is int and n >= 0 for n in shape):
        raise Malformed("not a shape")
    if start + math.prod(shape) * np.dtype(dtype).itemsize > len(payload):
        raise Malformed("fewer bytes than the shape says")
    try:
        return np.ndarray(tuple(shape), dtype, payload, start).copy()
    except (TypeError, ValueError, OverflowError) as error:  # (0, 10**30)
        raise Malformed("not a shape") from error
