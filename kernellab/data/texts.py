"""Text: counts of words, in a sparse array."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from kernellab.data.dataset import Dataset
from kernellab.data.reading import PUBLIC, arrays


def addresses() -> Dataset:
    """Return the words of 13,532 pieces of State of the Union addresses, 1790–2021.

    X is sparse: how often each of 5,925 words occurs among 60 consecutive ones; y is
    the year. The pieces of one speech form a group; `columns` has the president and
    the party.
    """
    stored = arrays("addresses")
    speech = stored["speech"].astype(int)
    vocabulary = _texts(stored["words"])
    return Dataset(
        "addresses", _counts(stored, len(vocabulary)),
        stored["year"].astype(int)[speech], vocabulary, groups=speech,
        columns={
            name: np.array(_texts(stored[name]))[speech]
            for name in ("president", "party")
        },
        notes="60 words per piece, without 51 very common ones.", licence=PUBLIC,
        citation="State of the Union addresses, 1790–2021.",
    )  # fmt: skip


def _texts(stored: np.ndarray[Any, Any]) -> tuple[str, ...]:
    """Return texts that are stored as UTF-8, one per line."""
    return tuple(bytes(stored).decode().split("\n"))


def _counts(stored: dict[str, np.ndarray[Any, Any]], words: int) -> Any:
    """Return the counts; what is stored are gaps between the numbers of the words."""
    lengths = stored["lengths"].astype(int)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    ends = np.cumsum(stored["low"].astype(int) + 256 * stored["high"].astype(int))
    before = np.concatenate([[0], ends])[starts[:-1]]
    parts = stored["counts"].astype(float), ends - np.repeat(before, lengths), starts
    return sparse.csr_array(parts, shape=(len(lengths), words))
