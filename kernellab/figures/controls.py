"""What a reader can move in a live figure: sliders, menus, points, an expression.

Each control knows its name (that of the figure function's parameter), its label, the
values that are computed ahead for the pages, and how to read any other value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kernellab.errors import InputError
from kernellab.figures.numbers import nice

Point = tuple[float, float, str]
"""A point that a reader has put into the picture: x, y, and its kind."""

MAX_POINTS = 200


@dataclass(frozen=True)
class Slider:
    """A number between two ends.

    Parameters
    ----------
    name, label : of the parameter, and what the reader sees.
    values : in increasing order, computed ahead; any number between the first and the
        last is allowed when Python is running. If all are integers, only integers.
    default : one of them.
    log : whether the numbers in between are evenly spaced in their logarithms.
    along : a panel and its axis, such as (1, "x"), along which the value is shown: a
        click there moves the slider, too.

    Examples
    --------
    >>> Slider("lam", "λ", (0.1, 1.0, 10.0), 1.0, log=True).read(3)
    3.0
    """

    kind: ClassVar[str] = "slider"
    name: str
    label: str
    values: Sequence[float]
    default: float
    log: bool = False
    along: tuple[int, str] | None = None

    def __post_init__(self) -> None:
        rising = bool(np.all(np.diff(self.values) > 0))
        if not rising or self.default not in self.values:
            raise InputError(
                f"values of {self.name} must increase, and its default be one of them"
            )

    @property
    def whole(self) -> bool:
        """Whether only integers are meant."""
        return all(isinstance(value, int) for value in self.values)

    @property
    def has_gaps(self) -> bool:
        """Whether there are values between those that are computed ahead."""
        width = self.values[-1] - self.values[0]
        return not self.whole or width > len(self.values) - 1

    def read(self, value: Any) -> float:
        """Return the value as a number within the ends."""
        ends = self.values[0], self.values[-1]
        wanted = "an integer" if self.whole else "a number"
        problem = f"{self.label} must be {wanted} from {ends[0]} to {ends[1]}"
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise InputError(f"{problem}, got {value!r}") from None
        # A slider in a browser may miss its end by rounding.
        slack = 1e-9 * abs(ends[1])
        inside = ends[0] - slack <= number <= ends[1] + slack
        if not (math.isfinite(number) and inside):
            raise InputError(f"{problem}, got {value!r}")
        number = min(max(number, ends[0]), ends[1])
        return round(number) if self.whole else number

    def to_data(self) -> dict[str, Any]:
        """Return plain data for the page."""
        return {
            "kind": self.kind,
            "name": self.name,
            "label": self.label,
            "values": list(self.values),
            "texts": [nice(value) for value in self.values],
            "default": list(self.values).index(self.default),
            "log": self.log,
            "whole": self.whole,
            "gaps": self.has_gaps,
            "along": self.along,
        }


@dataclass(frozen=True)
class Choice:
    """One of several options, each a text."""

    kind: ClassVar[str] = "choice"
    name: str
    label: str
    options: Sequence[str]
    default: str

    def __post_init__(self) -> None:
        if self.default not in self.options:
            raise InputError(f"the default of {self.name} must be one of its options")

    @property
    def values(self) -> Sequence[str]:
        """What is computed ahead: all of them."""
        return self.options

    def read(self, value: Any) -> str:
        """Return the value, if it is an option."""
        if value not in self.options:
            raise InputError(
                f"{self.label} must be one of {', '.join(self.options)}; got {value!r}"
            )
        return str(value)

    def to_data(self) -> dict[str, Any]:
        """Return plain data for the page."""
        return {
            "kind": self.kind,
            "name": self.name,
            "label": self.label,
            "values": list(self.options),
            "default": list(self.options).index(self.default),
        }


@dataclass(frozen=True)
class Clicks:
    """Points that the reader puts into one of the panels, when Python is running.

    `kinds` are the kinds of points; `x` and `y` are the names of their coordinates.
    """

    kind: ClassVar[str] = "clicks"
    name: str
    label: str
    kinds: Sequence[str]
    panel: int = 0
    x: str = "x"
    y: str = "y"
    default: tuple[Point, ...] = ()

    @property
    def values(self) -> tuple[tuple[Point, ...]]:
        """What is computed ahead: no points."""
        return (self.default,)

    def read(self, value: Any) -> tuple[Point, ...]:
        """Check a list of points [x, y, kind]."""
        points = tuple(self._point(point) for point in value)
        if len(points) > MAX_POINTS:
            raise InputError(f"at most {MAX_POINTS} points can be added")
        return points

    def _point(self, point: Any) -> Point:
        try:
            x, y, kind = point
            place = float(x), float(y)
        except (TypeError, ValueError):
            raise InputError(f"a point is (x, y, kind), got {point!r}") from None
        if kind not in self.kinds or not all(map(math.isfinite, place)):
            raise InputError(
                f"a point is two finite numbers and one of {', '.join(self.kinds)}; "
                f"got {point!r}"
            )
        return (*place, str(kind))

    def to_data(self) -> dict[str, Any]:
        """Return plain data for the page."""
        return {
            "kind": self.kind,
            "name": self.name,
            "label": self.label,
            "kinds": list(self.kinds),
            "panel": self.panel,
        }


@dataclass(frozen=True)
class ExpressionField:
    """A text of the reader's own, when Python is running; the function reads it.

    `instead` names the choice that it takes the place of: whoever chooses there again
    has done with the text.
    """

    kind: ClassVar[str] = "expression"
    name: str
    label: str
    default: str = ""
    placeholder: str = ""
    instead: str = ""

    @property
    def values(self) -> tuple[str]:
        """What is computed ahead: the default."""
        return (self.default,)

    def read(self, value: Any) -> str:
        """Check that it is a text."""
        if not isinstance(value, str):
            raise InputError(f"{self.label} must be a text, got {value!r}")
        return value.strip()

    def to_data(self) -> dict[str, Any]:
        """Return plain data for the page."""
        names = ("kind", "name", "label", "default", "instead")
        return {name: getattr(self, name) for name in names}


def steps(first: int, last: int) -> tuple[float, ...]:
    """List 1, 2, 5 in every power of ten from 10^first, and 10^last.

    >>> steps(-1, 1)
    (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
    """
    powers = range(first, last)
    numbers = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    return (*numbers, float(f"1e{last}"))


Control = Slider | Choice | Clicks | ExpressionField
