"""Numbers in figures: rounded as data, and written as a person writes them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array

_SMALL = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Rounding:
    """Coordinates rounded to at least four significant digits of the axes' ranges.

    Examples
    --------
    >>> Rounding((-1, 1), (0, 99)).y([12.3456789, 7.5])
    array([12.346,  7.5  ])
    >>> Rounding((1e-3, 1e3), (0, 1), log=("x",)).x([0.00123456])
    array([0.0012346])
    """

    xlim: tuple[float, float]
    ylim: tuple[float, float]
    log: Sequence[str] = ()

    def x(self, values: ArrayLike) -> Array:
        """Round for the horizontal axis."""
        return _rounded(values, self.xlim, "x" in self.log)

    def y(self, values: ArrayLike) -> Array:
        """Round for the vertical axis."""
        return _rounded(values, self.ylim, "y" in self.log)


def _rounded(values: ArrayLike, limits: tuple[float, float], log: bool) -> Array:
    v = np.array(values, dtype=float)
    if log:  # relative: a decade counts as much as any other
        return np.array([float(f"{u:.5g}") for u in v.ravel()]).reshape(v.shape)
    digits = 4 - math.floor(math.log10(abs(limits[1] - limits[0])))
    result: Array = v.round(digits)
    return result


def listed(values: Array) -> list[float | int | None]:
    """Make a list for JSON, which has no NaN and needs no `.0`.

    >>> listed(np.array([1.0, 0.5, np.nan, -0.0]))
    [1, 0.5, None, 0]
    """
    return [_short(v) for v in np.asarray(values, dtype=float).tolist()]


def _short(value: float) -> float | int | None:
    if not math.isfinite(value):
        return None
    return int(value) if value == int(value) and abs(value) < 1e15 else value


def nice(value: Any, digits: int = 3) -> str:
    """Write a number as a person does: three digits, a true minus, powers of ten.

    Anything but a number is returned as its text.

    >>> nice(-0.123456), nice(12), nice(3.2e-12), nice(1e-3), nice("a")
    ('−0.123', '12', '3.2·10⁻¹²', '0.001', 'a')
    >>> nice(0.0), nice(float("inf")), nice(float("nan")), nice(1e6)
    ('0', '∞', '–', '10⁶')
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        return str(value)
    number = float(value)
    if math.isnan(number):
        return "–"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    if number == int(number) and abs(number) < 1e5:
        return str(int(number)).replace("-", "−")
    text = f"{number:.{digits}g}"
    if "e" not in text:
        return text.replace("-", "−")
    mantissa, power = text.split("e")
    ten = "10" + str(int(power)).translate(_SMALL)
    sign = "−" if number < 0 else ""
    mantissa = mantissa.lstrip("-")
    return sign + (ten if mantissa == "1" else f"{mantissa}·{ten}")
