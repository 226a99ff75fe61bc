"""A data set with where it comes from, and an honest way to split it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kernellab.arrays import RandomState, generator, number
from kernellab.errors import InputError


@dataclass(frozen=True, repr=False)
class Dataset:
    """Points, targets or labels, and what one must know to use them fairly.

    Parameters
    ----------
    name : of the set.
    X : the points: an array (n, d), a sparse array, or a list of strings or graphs.
    y : targets or labels, as they were found.
    names : of the columns of X.
    groups : one number per point. Points of a group resemble each other (the same
        writer, mixture or speech), so that a split should not part them.
    held_out : the points that the set itself sets aside for testing, as a mask.
    columns : what else is known, one array per name.
    notes : units, and what to beware of.
    licence, citation : whose it is.
    """

    name: str
    X: Any
    y: np.ndarray[Any, Any]
    names: tuple[str, ...] = ()
    groups: np.ndarray[Any, Any] | None = None
    held_out: np.ndarray[Any, Any] | None = None
    columns: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    notes: str = ""
    licence: str = ""
    citation: str = ""

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        size = " × ".join(map(str, getattr(self.X, "shape", (len(self),))))
        return f"<{self.name}: {size}. {self.notes} {self.citation} {self.licence}>"

    def take(self, rows: Any) -> Dataset:
        """Return some of the points, by their numbers, by a mask or by a slice."""
        picked = np.arange(len(self))[
            rows if isinstance(rows, slice) else np.asarray(rows)
        ]

        def cut(values: Any) -> Any:
            if isinstance(values, list):
                return [values[i] for i in picked]
            return None if values is None else values[picked]

        return replace(
            self, X=cut(self.X), y=cut(self.y), groups=cut(self.groups),
            held_out=cut(self.held_out),
            columns={name: cut(values) for name, values in self.columns.items()},
        )  # fmt: skip

    def complete(self) -> Dataset:
        """Return the points of which no coordinate is missing."""
        return self.take(np.isfinite(self.X).all(axis=1))

    def binary(self, first: Any, second: Any = None) -> Dataset:
        """Return two classes with labels ±1.

        Parameters
        ----------
        first, second : the classes −1 and +1. With one class only, that one is +1 and
            all others are −1.

        Examples
        --------
        >>> from kernellab import data
        >>> data.penguins().binary("Gentoo").y.sum()
        np.float64(-96.0)
        """
        for label in (first, second) if second is not None else (first,):
            if label not in self.y:
                found = ", ".join(map(str, np.unique(self.y)[:12]))
                raise InputError(f"{self.name} has no class {label!r}; it has {found}")
        positive = self.y == (first if second is None else second)
        kept = positive | (second is None) | (self.y == first)
        return replace(self, y=np.where(positive, 1.0, -1.0)).take(kept)

    def split(
        self, test: float = 0.25, random_state: RandomState = 0
    ) -> tuple[Dataset, Dataset]:
        """Return a training and a test part.

        The split that comes with the set is kept. Otherwise whole groups are drawn
        until the test part is as large as asked for; without groups, single points.

        Parameters
        ----------
        test : share of the points to hold out, where the set does not say which.
        random_state : seed, or generator of random numbers.
        """
        aside = self.held_out
        if aside is None or aside.all() or not aside.any():
            aside = self._drawn(number(test, "test"), generator(random_state))
        return self.take(~aside), self.take(aside)

    def _drawn(self, test: float, rng: np.random.Generator) -> np.ndarray[Any, Any]:
        """Return a mask of whole groups that make up a share of the points."""
        if not 0 < test < 1:
            raise InputError(f"test must be a share between 0 and 1, got {test!r}")
        groups = np.arange(len(self)) if self.groups is None else self.groups
        found, sizes = np.unique(groups, return_counts=True)
        if len(found) < 2:
            raise InputError(f"{self.name}: a split needs two groups of points or more")
        order = rng.permutation(len(found))
        wanted = int(np.searchsorted(np.cumsum(sizes[order]), test * len(self))) + 1
        return np.isin(groups, found[order[: min(wanted, len(found) - 1)]])
