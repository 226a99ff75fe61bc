"""The files that hold the data sets, read with the standard library and NumPy."""

from __future__ import annotations

import csv
import gzip
import io
from importlib.resources import files
from typing import Any

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import InputError

FACTS = "Published measurements; nobody states a licence."
PUBLIC = "Public domain, a work of the US government."
CC_BY = "CC BY 4.0."


def table(name: str) -> dict[str, list[str]]:
    """Return the columns of a compressed CSV file, as text."""
    text = gzip.decompress(_content(f"{name}.csv.gz")).decode()
    header, *rows = csv.reader(io.StringIO(text))
    columns = zip(*rows, strict=True)
    return {key: list(values) for key, values in zip(header, columns, strict=True)}


def arrays(name: str) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays of a compressed NumPy file."""
    with np.load(io.BytesIO(_content(f"{name}.npz")), allow_pickle=False) as stored:
        return dict(stored)


def numbers(texts: list[str]) -> Array:
    """Return a column of numbers; an empty cell is missing, NaN."""
    return np.array([float(text or "nan") for text in texts])


def matrix(columns: dict[str, list[str]], names: tuple[str, ...]) -> Array:
    """Return some columns side by side, (n, d)."""
    return np.column_stack([numbers(columns[name]) for name in names])


def _content(name: str) -> bytes:
    source = files("kernellab.data") / "files" / name
    try:
        return source.read_bytes()
    except FileNotFoundError as error:
        raise InputError(
            f"the file {name} is not part of this copy of kernellab; install the whole "
            "package to use the data sets"
        ) from error
