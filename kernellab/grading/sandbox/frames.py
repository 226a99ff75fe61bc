"""Messages between the grader and the child: a JSON header and raw bytes.

    header length (4 bytes) | payload length (4 bytes) | header | payload

Nothing is ever unpickled. A header is plain JSON; the payload holds the arrays, which
the header describes (`arrays`).
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator
from typing import Any

Header = dict[str, Any]

LENGTHS = struct.Struct(">II")
LONGEST_HEADER = 1 << 20


class Malformed(Exception):
    """A message that does not keep to the form."""


def pack(header: Header, payload: bytes = b"") -> bytes:
    """One message as bytes."""
    text = json.dumps(header).encode("ascii")
    return LENGTHS.pack(len(text), len(payload)) + text + payload


def unpack(data: bytes) -> Iterator[tuple[Header, bytes]]:
    """The whole messages at the start of `data`; what is cut off is left out.

    Raises
    ------
    Malformed
        At the first message that is not of this form.

    Examples
    --------
    >>> list(unpack(pack({"frame": "done"}) + b"cut"))
    [({'frame': 'done'}, b'')]
    """
    start = 0
    while len(data) - start >= LENGTHS.size:
        head, body = LENGTHS.unpack_from(data, start)
        start += LENGTHS.size
        if head > LONGEST_HEADER:
            raise Malformed("a header is too long")
        if len(data) - start < head + body:
            return
        middle = start + head
        end = middle + body
        yield _header(data[start:middle]), data[middle:end]
        start = end


def unpack_one(data: bytes) -> tuple[Header, bytes]:
    """The one message that `data`, which we wrote ourselves, holds."""
    head, body = LENGTHS.unpack_from(data)
    middle = LENGTHS.size + head
    return json.loads(data[LENGTHS.size : middle]), data[middle : middle + body]


def write(descriptor: int, data: bytes) -> None:
    """Write all of it, however little the pipe takes at a time."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _header(text: bytes) -> Header:
    """A student's program may have written it: anything may stand there."""
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed("a header is not JSON") from error
    if not isinstance(header, dict):
        raise Malformed("a header is not an object")
    return header
