"""Messages between the grader and the child: a line of JSON each, arrays in base64.

Nothing is ever unpickled. NumPy is imported when it is needed: the child reads this
file before it has limits, and NumPy after.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator
from typing import Any

Message = dict[str, Any]

DTYPES = {"b": "|b1", "i": "<i8", "u": "<u8", "f": "<f8", "c": "<c16"}
"""What travels, for each kind of dtype: five plain ones, nothing else."""

MOST_AXES = 32
MOST_PARTS = 2000
"""Lists, objects and commas of a message that a student's program may have written."""


class Malformed(Exception):
    """A message that does not keep to the form."""


def pack(message: Message) -> bytes:
    """Return one message as a line."""
    return json.dumps(message).encode("ascii") + b"\n"


def unpack(data: bytes) -> Iterator[Message]:
    """Yield the messages of `data`, whoever wrote them; leave out what is cut off.

    The first line that is not a message is `Malformed`.

    Examples
    --------
    >>> list(unpack(pack({"frame": "done"}) + b"cut"))
    [{'frame': 'done'}]
    """
    for line in data.split(b"\n")[:-1]:
        if sum(map(line.count, (b"[", b"{", b","))) > MOST_PARTS:
            raise Malformed("a message has too many parts")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise Malformed("a message is not JSON") from error
        if not isinstance(message, dict):
            raise Malformed("a message is not an object")
        yield message


def encode(value: Any) -> Any:
    """Return a number or an array, of whatever class, as JSON can hold it."""
    import numpy as np

    if not isinstance(value, np.ndarray):
        return value.item() if isinstance(value, np.generic) else value
    dtype = DTYPES[value.dtype.kind]
    data = np.ascontiguousarray(value, dtype=dtype).tobytes()
    text = base64.b64encode(data).decode("ascii")
    return {"dtype": dtype, "shape": list(value.shape), "data": text}


def decode(value: Any) -> Any:
    """Return what `encode` was given; an array is writable and owns its memory.

    Examples
    --------
    >>> import numpy as np
    >>> decode(encode(np.eye(2)))
    array([[1., 0.],
           [0., 1.]])
    """
    if not isinstance(value, dict):
        return value
    import numpy as np

    dtype, shape = value.get("dtype"), value.get("shape")
    if dtype not in DTYPES.values() or not isinstance(shape, list):
        raise Malformed("not an array of numbers")
    if len(shape) > MOST_AXES or not all(type(n) is int and n >= 0 for n in shape):
        raise Malformed("not a shape")
    try:
        data = base64.b64decode(value.get("data", ""), validate=True)
        if math.prod(shape) * np.dtype(dtype).itemsize != len(data):
            raise Malformed("other bytes than the shape says")
        return np.ndarray(tuple(shape), dtype, data).copy()
    except (TypeError, ValueError, OverflowError) as error:  # (0, 10**30)
        raise Malformed("not an array") from error
