"""Hyperparameters: which fields of a kernel can be learned, and in which coordinates.

A field made by `positive` enters θ as its logarithm; one made by `unbounded`
enters as it is. A positive-type value that is zero or negative (say, the scale in
−1·k) has no logarithm: it is fixed and left out of θ.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from kernellab.arrays import Scalars
from kernellab.errors import InputError

LOG = {"theta": "log"}
"""Metadata of a field that is learned on the log scale."""

IDENTITY = {"theta": "identity"}
"""Metadata of a field that is learned as it is."""


def positive(default: float) -> Any:
    """Return a field with a default, learned on the log scale."""
    return field(default=default, metadata=LOG)


def unbounded(default: float) -> Any:
    """Return a field with a default, learned as it is."""
    return field(default=default, metadata=IDENTITY)


@dataclass(frozen=True)
class Slot:
    """One coordinate of θ: entry `index` of the field `name`."""

    name: str
    index: int | None
    value: float
    log: bool

    @property
    def label(self) -> str:
        return self.name if self.index is None else f"{self.name}[{self.index}]"

    @property
    def coordinate(self) -> float:
        return math.log(self.value) if self.log else self.value

    def decode(self, coordinate: float) -> float:
        """Return the value that stands at this coordinate of θ."""
        if coordinate == self.coordinate:
            return self.value  # exp(log(v)) may differ from v in the last bit
        if not self.log:
            return float(coordinate)
        with np.errstate(over="ignore", under="ignore"):
            value = float(np.exp(coordinate))
        if not 0 < value < math.inf:
            raise InputError(
                f"theta = {coordinate:g} for {self.label} gives exp(theta) = {value:g}"
                ", which is not a positive finite number; keep |theta| below 700"
            )
        return value


def slots(node: Any) -> Iterator[Slot]:
    """Yield the learnable coordinates of one node, in the order of its fields."""
    for f in fields(node):
        kind = f.metadata.get("theta")
        value = getattr(node, f.name)
        if kind is None or value is None:
            continue
        log = kind == "log"
        entries = enumerate(value) if isinstance(value, tuple) else [(None, value)]
        for index, entry in entries:
            if not log or entry > 0:
                yield Slot(f.name, index, entry, log)


def decode(node: Any, theta: Iterator[float]) -> dict[str, Scalars]:
    """Return new values for the learnable fields of one node, read off θ."""
    changes: dict[str, Scalars] = {}
    for slot in slots(node):
        value = slot.decode(next(theta))
        if slot.index is None:
            changes[slot.name] = value
        else:
            old = changes.get(slot.name, getattr(node, slot.name))
            assert isinstance(old, tuple)
            changes[slot.name] = (*old[: slot.index], value, *old[slot.index + 1 :])
    return changes
