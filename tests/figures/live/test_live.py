"""Every scene of every grid is well formed, and the registry and its answers."""

import json
import subprocess
import sys

import numpy as np
import pytest

from kernellab.errors import InputError
from kernellab.figures.controls import Choice, Clicks, ExpressionField, Slider
from kernellab.figures.live import FIGURES, LiveFigure, compute
from kernellab.figures.page import bundle, expand, script
from kernellab.figures.scene import Panel, Scene


@pytest.mark.parametrize("name", FIGURES)
def test_the_file_of_a_page(name):
    """The whole grid is computed once, which takes longer than all that is checked."""
    data = bundle(FIGURES[name])
    every_scene_is_well_formed(FIGURES[name], data)
    it_is_small_and_holds_what_compute_says(FIGURES[name], data)


def every_scene_is_well_formed(figure, data):
    counts = [len(c.values) for c in figure.controls]
    assert len(data["scenes"]) == np.prod(counts) == len(figure.grid())
    labels = {len(expand(s, data["shared"])["panels"]) for s in data["scenes"]}
    assert labels == {len(figure.scene().panels)}
    for packed in data["scenes"]:
        check(expand(packed, data["shared"]), data)


def check(scene, data):
    json.dumps(scene, allow_nan=False)  # no NaN, no infinity
    assert scene["notes"]
    assert all(name and text for name, text in scene["notes"])
    assert len({len(column["cells"]) for column in scene["table"]}) == 1
    for panel in scene["panels"]:
        for mark in panel["marks"]:
            assert mark.get("colour", "ink") in data["palette"]
            for key in ("x", "y", "low", "high", "height"):
                if key in mark and mark["kind"] not in ("line", "area"):
                    assert None not in mark[key]


def it_is_small_and_holds_what_compute_says(figure, data):
    assert len(json.dumps(data, ensure_ascii=False).encode()) < 360_000
    default = figure.grid().index(figure.default)
    stored = expand(data["scenes"][default], data["shared"])
    computed = compute(figure.name, figure.default)
    assert stored["notes"] == computed["notes"]
    assert stored["table"] == computed["table"]
    assert stored["idle"] == computed["idle"]
    for one, two in zip(stored["panels"], computed["panels"], strict=True):
        assert one["axes"] == two["axes"]
        for a, b in zip(one["marks"], two["marks"], strict=True):
            assert close(a, b)


def close(a, b):
    """The same mark, up to what packing may change."""
    numbers = ("x", "y", "low", "high", "height")
    same = {k: v for k, v in a.items() if k not in numbers}
    assert same == {k: v for k, v in b.items() if k not in numbers}
    for key in numbers:
        u, v = (np.array(m.get(key, []), dtype=float) for m in (a, b))
        np.testing.assert_array_equal(np.isnan(u), np.isnan(v))
        width = np.nanmax(np.abs(v), initial=1.0)
        np.testing.assert_allclose(u, v, atol=3e-4 * width)
    return True


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_says_what_it_is(name):
    figure = FIGURES[name]
    assert figure.name == name
    assert figure.title
    assert 80 < len(figure.alt) < 400
    assert set(figure.default) == {c.name for c in figure.controls}
    height = figure.scene().height
    assert 3 <= height <= 4.5


def test_the_script_loads_from_a_folder():
    text = script(small())
    assert text.startswith('(window.kernellabScenes ??= {})["small"] = {')
    assert text.endswith("};\n")
    assert "</" not in text


def small():
    """A figure whose scenes are quick."""

    def function(a, b, points=(), own=""):
        if own == "bad":
            raise InputError("this is bad </script>")
        note = [("sum", f"{a}{b}{len(points)}</b>")]
        return Scene([Panel([])], note)

    controls = (
        Slider("a", "a", (1, 2, 3), 2),
        Choice("b", "b", ("x", "y"), "x"),
        Clicks("points", "points", ("p", "q")),
        ExpressionField("own", "own"),
    )
    idle = lambda values: ["a"] if values["b"] == "y" else []  # noqa: E731
    return LiveFigure("small", "Small", controls, function, "alt", idle)


def test_idle_controls_stay_where_they_begin():
    figure = small()
    assert figure.scene(a=3, b="y").notes == figure.scene(a=1, b="y").notes
    assert figure.scene(a=3, b="x").notes != figure.scene(a=1, b="x").notes
    every = list(figure.scenes())
    assert len(every) == len(figure.grid()) == 6
    assert len({id(scene) for scene in every}) == 4


def test_compute_turns_errors_into_messages():
    found = compute("ridge", {"lam": "a lot"})
    assert found["panels"] == []
    assert "λ must be a number from 0.0001 to 100.0, got 'a lot'" in found["message"]
    assert "no control mu" in compute("ridge", {"mu": 1})["message"]
    assert "no live figure" in compute("pie", {})["message"]
    found = compute("builder", {"own": "__import__('os').system('ls')"})
    assert found["panels"] == []
    assert "is not a number" in found["message"]


def test_the_registry():
    assert set(FIGURES) == set(FIGURES)
    assert len(FIGURES) == len(FIGURES)
    with pytest.raises(KeyError, match="no live figure 'pie'"):
        FIGURES["pie"]


def test_neither_matplotlib_nor_widgets_nor_the_grader_are_imported():
    code = (
        "import sys; from kernellab.figures.live import compute; "
        "names = 'ridge', 'svm', 'builder'; "
        "assert all(compute(name, {})['panels'] for name in names); "
        "bad = {'matplotlib', 'ipywidgets', 'IPython', 'kernellab.grading'}; "
        "sys.exit(len(bad & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
