"""Scenes as data: what is checked, rounded and written; and the numbers in figures."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.errors import InputError
from kernellab.figures.marks import BLANK, DASHES, RAMPS, SHADES
from kernellab.figures.numbers import Rounding, listed, nice
from kernellab.figures.page import (
    STEPS,
    expand,
    pack,
    pack_numbers,
    share,
    unpack_numbers,
)
from kernellab.figures.scene import (
    Area,
    Band,
    Bars,
    Dots,
    Line,
    Panel,
    Raster,
    Scene,
    Table,
    Words,
)
from kernellab.figures.style import PALETTE

WIDE = Rounding((0, 1), (0, 1))
EVERY_MARK = (
    Line([0, 0.5, 1], [0, np.nan, 1], "vermillion", "--", 1.1, "a line"),
    Dots([0.2, 0.8], [0.3, 0.4], "ink", "s", [4.0, 9.0], "dots"),
    Dots([0.2], [0.3], "ink", ring=1.5),
    Band([0, 1], [0, 0.1], [0.5, 0.6], label="band"),
    Area([0, 1, 1, np.nan, 0, 1, 0], [0, 0, 1, np.nan, 0, 1, 1]),
    Bars([1, 2], [0.5, -0.2], "green", "bars", hatch=True),
    Words([0.5], [0.5], ["a word"]),
    Raster([[0.0, 1.0], [np.nan, 0.5]], (0, 1, 0, 1), 0.0, 1.0, label="shades"),
)


def scene() -> Scene:
    upper = Panel(EVERY_MARK, "Title", "x", "y", (0, 3), (-1, 1), width=1.5)
    log = Panel([Line([1e-3, 1e3], [1, 2])], log=("x",), xlim=(1e-3, 1e3), ylim=(0, 3))
    table = Table(("x", "word"), [(0.5, "a"), (-1234567.0, "b")])
    notes = [("norm", "1.5"), ("gap", "0")]
    return Scene([upper, log], notes, table, "a message", ["one", "two"], 4.0)


def test_a_scene_survives_json():
    data = scene().to_data()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["notes"] == [["norm", "1.5"], ["gap", "0"]]
    assert data["lines"] == ["one", "two"]
    assert data["height"] == 4.0
    assert data["message"] == "a message"
    assert [mark["kind"] for mark in data["panels"][0]["marks"]] == [
        *("line", "dots", "dots", "band", "area", "bars", "words", "raster")
    ]
    assert data["panels"][1]["axes"] == {
        "xlim": [1e-3, 1e3],
        "ylim": [0.0, 3.0],
        "log": ["x"],
    }


def test_what_is_as_usual_is_not_written():
    plain = Line([0, 1], [0, 1]).to_data(WIDE)
    assert plain == {"kind": "line", "colour": "blue", "x": [0, 1], "y": [0, 1]}
    changed = Line([0, 1], [0, 1], "blue", ":", 1.5, "f").to_data(WIDE)
    assert changed == plain | {"dash": ":", "width": 1.5, "label": "f"}
    assert "marker" not in Dots([0], [0]).to_data(WIDE)
    assert Dots([0], [0], size=[3.14159]).to_data(WIDE)["size"] == [3.14]
    assert set(Scene().to_data()) == {"panels", "notes", "table", "message"}


@given(st.floats(1e-6, 1e6), st.floats(-1, 1), st.floats(0, 1))
def test_rounding_is_invisible(width, start, place):
    low = start * width
    value = low + place * width
    rounded = Rounding((0, 1), (low, low + width)).y([value])[0]
    assert abs(rounded - value) <= 1e-4 * width


def test_rounding_on_a_logarithmic_axis_is_relative():
    rounding = Rounding((1e-6, 1e6), (0, 1), log=("x",))
    values = np.geomspace(1e-6, 1e6, 31)
    np.testing.assert_allclose(rounding.x(values), values, rtol=1e-4)


def test_breaks_become_null():
    data = EVERY_MARK[0].to_data(WIDE)
    assert data["y"] == [0, None, 1]
    assert listed(np.array([np.inf, 2.0])) == [None, 2]


def test_shades():
    data = Raster([[0, 1], [np.nan, 9]], (0, 2, 0, 2), 0, 1).to_data(WIDE)
    assert data["text"] == SHADES[0] + SHADES[-1] + BLANK + SHADES[-1]
    assert data["rows"] == 2
    assert data["ends"] == ["0", "1"]
    fine = np.linspace(-1, 1, 201)[None]
    text = Raster(fine, (0, 1, 0, 1), -1, 1, "diverging").to_data(WIDE)["text"]
    back = [2 * SHADES.index(letter) / (len(SHADES) - 1) - 1 for letter in text]
    assert np.abs(np.array(back) - fine[0]).max() <= 1 / (len(SHADES) - 1) + 1e-12
    assert len(set(SHADES)) == len(SHADES) == 91
    assert not set(SHADES) & set("\"'\\" + BLANK) - {"'"}


def test_the_ramps_are_colours():
    assert all(len(c) == 7 and int(c[1:], 16) >= 0 for r in RAMPS.values() for c in r)
    assert RAMPS["diverging"][3] == PALETTE["paper"]  # nothing is no colour
    assert len(set(DASHES.values())) == len(DASHES)


def test_tables_are_columns_of_texts():
    assert scene().table.to_data() == [
        {"name": "x", "cells": ["0.5", "−1.23·10⁶"]},
        {"name": "word", "cells": ["a", "b"]},
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-2, "−2"),
        (0.000123456, "0.000123"),
        (-3e-9, "−3·10⁻⁹"),
        (99999, "99999"),
        (123456.0, "1.23·10⁵"),
        (-1e-12, "−10⁻¹²"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "–"),
        (np.float64(0.5), "0.5"),
        (np.int64(-3), "−3"),
        ("x − y", "x − y"),
        (True, "True"),
    ],
)
def test_numbers_as_a_person_writes_them(value, text):
    assert nice(value) == text


# --- what is refused ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Line([0, 1], [0]), "x, y of a line must be lists of the same length"),
        (lambda: Line(1.0, 2.0), "same length"),
        (lambda: Band([0], [0], [0, 1]), "x, low, high of a band"),
        (lambda: Line([0], [0], "mauve"), "name of PALETTE, got 'mauve'"),
        (lambda: Line([0], [0], dash="~"), "dash must be one of"),
        (lambda: Words([0], [0], "word"), "list of 1 texts"),
        (lambda: Words([0], [0], ["a", "b"]), "list of 1 texts"),
        (lambda: Raster([0.0], (0, 1, 0, 1), 0, 1), "h × w array"),
        (lambda: Raster([[0.0]], (0, 1, 0, 1), 1, 1), "low < high"),
        (lambda: Raster([[0.0]], (0, 1, 0, 1), 0, 1, "jet"), "colours must be one of"),
        (lambda: Panel([], xlim=(1, 1)), "xlim must be two different numbers"),
        (lambda: Panel([], ylim=(0, np.nan)), "ylim must be two different numbers"),
        (lambda: Panel([], log=("y",), ylim=(0, 1)), "ylim of a logarithmic axis"),
        (lambda: Table(("a",), [(1, 2)]), "every row must have 1 entries"),
        (lambda: Table(("a",), [("|",)]), "the sign |"),
    ],
)
def test_wrong_input(make, message):
    with pytest.raises(InputError) as error:
        make()
    assert message in str(error.value)


# --- what the data file does to it ----------------------------------------------------


@given(st.lists(st.floats(-1e6, 1e6) | st.none(), min_size=1, max_size=40))
def test_packed_numbers_come_back(numbers):
    packed = pack_numbers(numbers)
    back = unpack_numbers(packed)
    width = packed["to"] - packed["from"]
    for before, after in zip(numbers, back, strict=True):
        assert (before is None) == (after is None)
        if before is not None:
            assert abs(before - after) <= width / STEPS / 1.9 + 1e-9 * abs(before)


def test_sharing_and_packing_are_undone():
    many = [scene().to_data() for _ in range(3)]
    many[1]["panels"][0]["marks"][0]["x"] = list(np.linspace(0, 1, 50))
    many[2]["message"] = "another message, which is rather long"
    shared, scenes = share([pack(data) for data in many])
    text = json.dumps([shared, scenes])
    assert len(text) < 0.6 * len(json.dumps(many))
    back = [expand(data, shared) for data in scenes]
    long = back[1]["panels"][0]["marks"][0]["x"]
    assert np.abs(np.array(long) - np.linspace(0, 1, 50)).max() < 1e-4
    many[1]["panels"][0]["marks"][0]["x"] = long
    assert back == many


def test_numbers_on_logarithmic_axes_are_not_packed():
    x = np.geomspace(1e-4, 1e2, 50)
    panel = Panel([Line(x, x)], log=("x",), xlim=(1e-4, 1e2), ylim=(0, 100))
    data = pack(Scene([panel]).to_data())["panels"][0]["marks"][0]
    assert isinstance(data["x"], list)
    assert set(data["y"]) == {"from", "to", "text"}


def test_an_empty_table_comes_back():
    data = Scene(table=Table(("a", "b"))).to_data()
    shared, scenes = share([pack(data)])
    assert expand(scenes[0], shared) == data
