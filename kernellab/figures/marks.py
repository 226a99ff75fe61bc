"""The marks of a figure, as plain data: lines, dots, bands, areas, bars, words, shades.

A mark does not know how it is drawn. Colours are names of `PALETTE`.

Legend: q places of a mark; h × w entries of a raster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.figures.numbers import Rounding, listed, nice
from kernellab.figures.style import DARK, PALETTE

DASHES: dict[str, tuple[float, ...]] = {
    "-": (),
    "--": (6, 2),
    "-.": (6, 2, 1.5, 2),
    ":": (1.5, 1.5),
}
"""Line styles: lengths of dashes and gaps, in widths of the line."""

RAMPS: dict[str, tuple[str, ...]] = {
    "cividis": (
        *("#00224E", "#123570", "#3B496C", "#575D6D", "#707173", "#8A8678"),
        *("#A59C74", "#C3B369", "#E1CC55", "#FEE838"),
    ),
    "diverging": (
        *("#A04000", "#D55E00", "#F0B48C", "#FCFBF8", "#8FC1E3", "#0072B2"),
        "#00507D",
    ),
    "two-classes": (PALETTE["paper"],) * 8 + ("#D3E9F6",) * 8,
}
"""Colours of rasters from low to high, evenly spaced, straight in between."""

DARK_RAMPS = {"two-classes": (DARK["paper"],) * 8 + ("#1C3B50",) * 8}
"""Those that change on a dark page; the others stay, with what is drawn on them."""

BRIGHT_ENDS = 0.55
"""Beyond this share of its ends, dark words are not legible on the diverging ramp."""

SHADES = "".join(chr(c) for c in range(35, 127) if c != 92)
"""One letter per shade of a raster: printable, and no quotes or backslashes."""

BLANK = " "
"""The letter of an entry that is not a number."""


@dataclass(frozen=True, eq=False)
class Line:
    """A polyline; NaN breaks it.

    Examples
    --------
    >>> Line([0, 1], [0, 2], label="f").to_data(Rounding((0, 1), (0, 2)))["y"]
    [0, 2]
    """

    kind: ClassVar[str] = "line"
    x: ArrayLike
    y: ArrayLike
    colour: str = "blue"
    dash: str = "-"
    width: float = 2.0
    label: str = ""

    def __post_init__(self) -> None:
        _check_places(self, "x", "y")
        if self.dash not in DASHES:
            raise InputError(f"dash must be one of {list(DASHES)}, got {self.dash!r}")

    def to_data(self, rounding: Rounding) -> dict[str, Any]:
        """Return plain data, without what has its default."""
        data = _places(self, rounding, "x", "y")
        return data | changed(dash=(self.dash, "-"), width=(self.width, 2.0))


@dataclass(frozen=True, eq=False)
class Dots:
    """Points, each a marker. `size` is a diameter in points, or one for each point.

    `marker` is one of Matplotlib's o s ^ D v P x |. With `ring` > 0 they are
    outlines of that width.
    """

    kind: ClassVar[str] = "dots"
    x: ArrayLike
    y: ArrayLike
    colour: str = "blue"
    marker: str = "o"
    size: ArrayLike = 6.0
    label: str = ""
    ring: float = 0.0

    def __post_init__(self) -> None:
        _check_places(self, "x", "y")

    def to_data(self, rounding: Rounding) -> dict[str, Any]:
        """Return plain data, without what has its default."""
        size = np.asarray(self.size, dtype=float)
        sizes: Any = listed(size.ravel().round(2)) if size.ndim else float(size)
        return _places(self, rounding, "x", "y") | changed(
            marker=(self.marker, "o"), size=(sizes, 6.0), ring=(float(self.ring), 0.0)
        )


@dataclass(frozen=True, eq=False)
class Band:
    """What lies between two curves."""

    kind: ClassVar[str] = "band"
    x: ArrayLike
    low: ArrayLike
    high: ArrayLike
    colour: str = "sky"
    label: str = ""

    def __post_init__(self) -> None:
        _check_places(self, "x", "low", "high")

    def to_data(self, rounding: Rounding) -> dict[str, Any]:
        """Return plain data."""
        return _places(self, rounding, "x", "low", "high")


@dataclass(frozen=True, eq=False)
class Area:
    """Closed polygons, separated by NaN; one inside another is a hole."""

    kind: ClassVar[str] = "area"
    x: ArrayLike
    y: ArrayLike
    colour: str = "sky"
    label: str = ""

    def __post_init__(self) -> None:
        _check_places(self, "x", "y")

    def to_data(self, rounding: Rounding) -> dict[str, Any]:
        """Return plain data."""
        return _places(self, rounding, "x", "y")


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars from 0, each 0.8 wide, around the places x. `hatch` strikes them through."""

    kind: ClassVar[str] = "bars"
    x: ArrayLike
    height: ArrayLike
    colour: str = "blue"
    label: str = ""
    hatch: bool = False

    def __post_init__(self) -> None:
        _check_places(self, "x", "height")

    def to_data(self, rounding: Rounding) -> dict[str, Any]:
        """Return plain data."""
        data = _places(self, rounding, "x", "height")
        return data | changed(hatch=(self.hatch, False))


@dataclass(frozen=True, eq=False)
class Words:
    """A text at each place, its middle there."""

    kind: ClassVar[str] = "words"
    x: ArrayLike
    y: ArrayLike
    text: Sequence[str]
    colour: str = "ink"
    size: float = 11.0
    label: ClassVar[str] = ""

    def __post_init__(self) -> None:
        _check_places(self, "x", "y")
        if isinstance(self.text, str) or len(self.text) != np.size(self.x):
            raise InputError(
                f"text must be a list of {np.size(self.x)} texts, one for each place"
            )

    def to_data(self, rounding: Rounding) -> dict[str, Any]:
        """Return plain data."""
        data = _places(self, rounding, "x", "y") | {"text": list(self.text)}
        return data | changed(size=(self.size, 11.0))


@dataclass(frozen=True, eq=False)
class Raster:
    """An h × w matrix as shades.

    Parameters
    ----------
    extent : (left, right, first, last): the first row begins at y = first, the last
        row ends at y = last. On logarithmic axes the entries are evenly spaced in the
        logarithms. A matrix is shown as it is written if ylim[0] > ylim[1].
    low, high : the values of the first and the last colour.
    colours : a name of `RAMPS`.
    """

    kind: ClassVar[str] = "raster"
    values: ArrayLike
    extent: tuple[float, float, float, float]
    low: float
    high: float
    colours: str = "cividis"
    label: str = ""

    def __post_init__(self) -> None:
        if self.colours not in RAMPS:
            raise InputError(
                f"colours must be one of {list(RAMPS)}, got {self.colours!r}"
            )
        if np.ndim(self.values) != 2 or not self.low < self.high:
            raise InputError("a raster is an h × w array between low < high")

    def to_data(self, rounding: Rounding) -> dict[str, Any]:
        """Return plain data: the entries are a text, one letter each, see `SHADES`."""
        values = np.asarray(self.values, dtype=float)
        left, right, first, last = map(float, self.extent)
        return {
            "kind": self.kind,
            "rows": values.shape[0],
            "text": "".join(_shade(values.ravel(), self.low, self.high)),
            "extent": [left, right, first, last],
            "ends": [nice(self.low), nice(self.high)],
            "colours": self.colours,
        } | changed(label=(self.label, ""))


Mark = Line | Dots | Band | Area | Bars | Words | Raster


def _check_places(mark: Any, *names: str) -> None:
    shapes = {np.shape(getattr(mark, name)) for name in names}
    if len(shapes) > 1 or len(next(iter(shapes))) != 1:
        raise InputError(
            f"{', '.join(names)} of a {mark.kind} must be lists of the same length"
        )
    if mark.colour not in PALETTE:
        raise InputError(f"colour must be a name of PALETTE, got {mark.colour!r}")


def _places(mark: Any, rounding: Rounding, *names: str) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": mark.kind, "colour": mark.colour}
    for name in names:
        axis = rounding.x if name == "x" else rounding.y
        data[name] = listed(axis(getattr(mark, name)))
    return data | changed(label=(mark.label, ""))


def changed(**pairs: tuple[Any, Any]) -> dict[str, Any]:
    """Keep those of name=(value, default) that differ from their default."""
    return {name: value for name, (value, default) in pairs.items() if value != default}


def _shade(values: Array, low: float, high: float) -> list[str]:
    last = len(SHADES) - 1
    place = np.clip((values - low) / (high - low), 0, 1) * last
    known = np.isfinite(values)
    index = np.where(known, place, 0).round().astype(int)
    return [SHADES[i] if ok else BLANK for i, ok in zip(index, known, strict=True)]
