"""What a figure shows, as plain data: marks in panels, words beside them, a table.

A `Scene` does not know how it is drawn. `kernellab.figures.drawing` draws it with
Matplotlib, a page of the course as SVG, and a reader who sees neither has its table.
Nothing here needs more than NumPy, so that a scene can also be made in a browser.

Legend: limits (low, high) of an axis.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernellab.errors import InputError
from kernellab.figures.marks import (
    Area,
    Band,
    Bars,
    Dots,
    Line,
    Mark,
    Raster,
    Words,
    changed,
)
from kernellab.figures.numbers import Rounding, nice

__all__ = [
    "Area",
    "Band",
    "Bars",
    "Dots",
    "Line",
    "Mark",
    "Panel",
    "Raster",
    "Scene",
    "Table",
    "Words",
]

Limits = tuple[float, float]


def marked(text: str) -> str:
    """Escape a message for HTML; what stands between backticks becomes code.

    >>> marked("`x < y` is not known")
    '<code>x &lt; y</code> is not known'
    """
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text, quote=False))


@dataclass(frozen=True, eq=False)
class Panel:
    """One pair of axes and the marks in it, the first at the back.

    Parameters
    ----------
    title, x, y : what stands above it and at its axes.
    xlim, ylim : limits; the second may be the smaller one, for a matrix.
    log : the axes that are logarithmic, of "x" and "y".
    equal : whether a unit is as long upwards as across.
    ticks : whether the axes have numbers.
    width : how wide it is, compared with the others.
    """

    marks: Sequence[Mark]
    title: str = ""
    x: str = ""
    y: str = ""
    xlim: Limits = (0.0, 1.0)
    ylim: Limits = (0.0, 1.0)
    log: Sequence[str] = ()
    equal: bool = False
    ticks: bool = True
    width: float = 1.0

    def __post_init__(self) -> None:
        for name, limits in (("xlim", self.xlim), ("ylim", self.ylim)):
            low, high = limits
            if not np.isfinite([low, high]).all() or low == high:
                raise InputError(f"{name} must be two different numbers, got {limits}")
        for axis, limits in (("x", self.xlim), ("y", self.ylim)):
            if axis in self.log and min(limits) <= 0:
                raise InputError(f"{axis}lim of a logarithmic axis is positive")

    @property
    def rounding(self) -> Rounding:
        """To four digits of the limits, which no eye can tell from all of them."""
        return Rounding(self.xlim, self.ylim, tuple(self.log))

    def to_data(self) -> dict[str, Any]:
        """Return plain data: the marks, and the axes without what has its default."""
        axes = {
            "xlim": [float(v) for v in self.xlim],
            "ylim": [float(v) for v in self.ylim],
        } | changed(
            title=(self.title, ""),
            x=(self.x, ""),
            y=(self.y, ""),
            log=(list(self.log), []),
            equal=(self.equal, False),
            ticks=(self.ticks, True),
            width=(float(self.width), 1.0),
        )
        marks = [mark.to_data(self.rounding) for mark in self.marks]
        return {"axes": axes, "marks": marks}


@dataclass(frozen=True)
class Table:
    """The data behind a figure: named columns, and rows of numbers and words."""

    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise InputError(f"every row must have {len(self.columns)} entries")
        if any("|" in str(cell) for row in self.rows for cell in row):
            raise InputError("no entry of a table may contain the sign |")

    def to_data(self) -> list[dict[str, Any]]:
        """Return a list of columns, all entries as texts."""
        cells = [[row[i] for row in self.rows] for i in range(len(self.columns))]
        return [
            {"name": name, "cells": [nice(cell) for cell in column]}
            for name, column in zip(self.columns, cells, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class Scene:
    """A whole figure at one moment.

    Parameters
    ----------
    panels : side by side; none if there is only a message.
    notes : pairs (name, text): what is said beside the picture.
    table : the data behind it, for readers who cannot see it.
    message : an error or a remark, shown in place.
    lines : a longer text, such as a proof, line by line.
    height : of the whole, if it is 8.2 wide.

    Examples
    --------
    >>> scene = Scene([Panel([Line([0, 1], [0, 1])])], notes=[("norm", "1")])
    >>> scene.to_data()["panels"][0]["marks"]
    [{'kind': 'line', 'colour': 'blue', 'x': [0, 1], 'y': [0, 1]}]
    """

    panels: Sequence[Panel] = ()
    notes: Sequence[tuple[str, str]] = ()
    table: Table = field(default_factory=Table)
    message: str = ""
    lines: Sequence[str] = ()
    height: float = 3.4

    def to_data(self) -> dict[str, Any]:
        """Return plain data for JSON, with numbers rounded as far as nobody sees it."""
        return {
            "panels": [panel.to_data() for panel in self.panels],
            "notes": [list(note) for note in self.notes],
            "table": self.table.to_data(),
            "message": self.message,
        } | changed(lines=(list(self.lines), []), height=(float(self.height), 3.4))
