"""All scenes of a live figure in one small file, for the pages.

A page must work from a folder on disk, where scripts may load scripts but not data: the
file is a script that puts the data into `window.kernellabScenes`. What occurs twice is
stored once, and long lists of coordinates are written as two letters per number.

Legend: B = 91 letters; a pair of letters is one of B² − 1 steps between a list's ends,
or the last pair, for a break in a line.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np

from kernellab.figures.controls import Choice, Slider
from kernellab.figures.live.figure import LiveFigure
from kernellab.figures.marks import BLANK, DARK_RAMPS, DASHES, RAMPS, SHADES
from kernellab.figures.style import DARK, PALETTE

MIN_PACKED_NUMBERS = 12
"""Lists of coordinates from this length on are packed."""

COORDINATES = ("x", "y", "low", "high", "height")
STEPS = len(SHADES) ** 2 - 2
BREAK = SHADES[-1] * 2
SEPARATOR = "|"
"""Between the entries of a column of a table."""

MIN_SHARED_LETTERS = 24
"""Texts from this length on are stored once."""


def bundle(figure: LiveFigure) -> dict[str, Any]:
    """Collect the controls, the colours, and the scenes of the grid in its order."""
    grid = [c for c in figure.controls if isinstance(c, Slider | Choice)]
    scenes = list(figure.scenes())
    written = {id(scene): pack(scene.to_data()) for scene in set(scenes)}
    shared, packed = share(
        [
            written[id(scene)] | {"idle": sorted(figure.idle(values))}
            for scene, values in zip(scenes, figure.grid(), strict=True)
        ]
    )
    return {
        "controls": [control.to_data() for control in figure.controls],
        "grid": [control.name for control in grid],
        "palette": PALETTE,
        "dark": DARK,
        "ramps": RAMPS,
        "darkRamps": DARK_RAMPS,
        "dashes": DASHES,
        "letters": {"shades": SHADES, "blank": BLANK},
        "shared": shared,
        "scenes": packed,
    }


def script(figure: LiveFigure) -> str:
    """Write the file: a classic script, which also loads from a folder on disk."""
    text = json.dumps(bundle(figure), ensure_ascii=False, separators=(",", ":"))
    text = text.replace("</", "<\\/")
    name = json.dumps(figure.name)
    return f"(window.kernellabScenes ??= {{}})[{name}] = {text};\n"


def pack(scene: dict[str, Any]) -> dict[str, Any]:
    """Write the same scene shorter."""
    return scene | {
        "panels": [_pack_panel(panel) for panel in scene["panels"]],
        "notes": {
            "names": [name for name, _ in scene["notes"]],
            "texts": [text for _, text in scene["notes"]],
        },
        "table": [
            column | {"cells": SEPARATOR.join(map(_plain_minus, column["cells"]))}
            for column in scene["table"]
        ],
    }


def _pack_panel(panel: dict[str, Any]) -> dict[str, Any]:
    """Coordinates of straight axes as letters; those of logarithmic ones stay."""
    log = panel["axes"].get("log", [])
    names = [name for name in COORDINATES if ("x" if name == "x" else "y") not in log]
    marks = [
        mark
        | {
            n: pack_numbers(mark[n])
            for n in names
            if len(mark.get(n, ())) >= MIN_PACKED_NUMBERS
        }
        for mark in panel["marks"]
    ]
    return panel | {"marks": marks}


def pack_numbers(numbers: list[float | None]) -> dict[str, Any]:
    """Return a list as its ends and two letters a number.

    >>> pack_numbers([0, 5, None, 10])
    {'from': 0.0, 'to': 10.0, 'text': '##PP~~~}'}
    """
    v = np.array(numbers, dtype=float)
    known = np.isfinite(v)
    low, high = (
        (float(v[known].min()), float(v[known].max())) if known.any() else (0, 0)
    )
    place = np.zeros(len(v)) if low == high else (v - low) / (high - low)
    codes = np.where(known, place * STEPS, 0).round().astype(int)
    pairs = [SHADES[c // len(SHADES)] + SHADES[c % len(SHADES)] for c in codes]
    text = "".join(p if ok else BREAK for p, ok in zip(pairs, known, strict=True))
    return {"from": low, "to": high, "text": text}


def unpack_numbers(packed: dict[str, Any]) -> list[float | None]:
    """Read the list again, as the page does."""
    text, low, high = packed["text"], packed["from"], packed["to"]
    pairs = [text[i : i + 2] for i in range(0, len(text), 2)]
    codes = [
        None if p == BREAK else SHADES.index(p[0]) * len(SHADES) + SHADES.index(p[1])
        for p in pairs
    ]
    return [None if c is None else low + (high - low) * c / STEPS for c in codes]


def share(values: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return what occurs more than once, and the values with {"=": number} instead.

    >>> share([["a" * 30, 1], ["a" * 30, 2]])
    (['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'], [[{'=': 0}, 1], [{'=': 0}, 2]])
    """
    counts: Counter[str] = Counter()
    _count(values, counts)
    numbers: dict[str, int] = {}
    shared: list[Any] = []

    def replaced(value: Any) -> Any:
        key = json.dumps(value)
        if len(key) >= MIN_SHARED_LETTERS and counts[key] > 1:
            if key not in numbers:
                inner = _inside(value, replaced)
                numbers[key] = len(shared)
                shared.append(inner)
            return {"=": numbers[key]}
        return _inside(value, replaced)

    return shared, [replaced(value) for value in values]


def expand(data: Any, shared: list[Any]) -> Any:
    """Undo what `share` and `pack` have done; the page does the same."""
    if isinstance(data, dict) and "=" in data:
        return expand(shared[data["="]], shared)
    whole = _inside(data, lambda value: expand(value, shared))
    keys = whole.keys() if isinstance(whole, dict) else set()
    if keys == {"from", "to", "text"}:
        return unpack_numbers(whole)
    if keys == {"names", "texts"}:
        pairs = zip(whole["names"], whole["texts"], strict=True)
        return [list(pair) for pair in pairs]
    if keys == {"name", "cells"}:
        cells = whole["cells"].split(SEPARATOR) if whole["cells"] else []
        return whole | {"cells": [_true_minus(cell) for cell in cells]}
    return whole


def _plain_minus(cell: str) -> str:
    """Write the sign of a number in one byte, instead of three."""
    return "-" + cell[1:] if cell.startswith("−") else cell


def _true_minus(cell: str) -> str:
    return "−" + cell[1:] if cell.startswith("-") else cell


def _inside(value: Any, change: Any) -> Any:
    """Change the parts of a list or a dictionary; leave anything else as it is."""
    if isinstance(value, dict):
        return {key: change(part) for key, part in value.items()}
    return [change(part) for part in value] if isinstance(value, list) else value


def _count(value: Any, counts: Counter[str]) -> None:
    """Count each part; the parts of a part that is repeated, only once."""
    if isinstance(value, dict | list | str):
        key = json.dumps(value)
        counts[key] += 1
        if counts[key] > 1:
            return
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list | str) and part is not value:
            _count(part, counts)
