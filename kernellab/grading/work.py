"""Work: what the judge computes for a text, counted, so that no clock decides.

A unit is about a microsecond on an ordinary machine. On a slow or busy one the same
work takes longer, and leads to the same verdict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager


class OutOfWork(Exception):
    """The work that may be done for a line, or for a text, is done."""


class Work:
    """Counts the work for one text, and ends it at a limit."""

    def __init__(self) -> None:
        self.done = 0
        self.most = math.inf

    def do(self, units: int) -> None:
        """Count some work; raise `OutOfWork` when more is done than may be."""
        self.done += units
        if self.done > self.most:
            raise OutOfWork

    @contextmanager
    def limited(self, units: float) -> Iterator[None]:
        """Allow so much more work inside the block, if the limit outside does."""
        outer = self.most
        self.most = min(outer, self.done + units)
        try:
            yield
        finally:
            self.most = outer
