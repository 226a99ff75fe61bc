"""Live figures in a notebook: moved by their widgets."""

import json

import matplotlib
import pytest

from kernellab.figures.controls import Choice, Clicks, ExpressionField
from kernellab.figures.live import FIGURES

matplotlib.use("Agg")


def widgets(box):
    """All widgets within, by their description."""
    found = {}
    for child in box.children:
        for one in getattr(child, "children", (child,)):
            found[getattr(one, "description", "")] = one
    return found


@pytest.mark.parametrize("name", FIGURES)
def test_widgets_show_the_figure(name):
    box = FIGURES[name].widget()
    *_, picture, words = box.children
    assert bytes(picture.value).lstrip().startswith(b"<?xml")
    first = FIGURES[name].scene().notes[0]
    assert first[0] in words.value


@pytest.fixture
def undrawn(monkeypatch):
    """The picture is the scene as text: whether it is drawn is tested above."""
    as_text = lambda scene: json.dumps(scene.to_data())  # noqa: E731
    monkeypatch.setattr("kernellab.figures.widget.svg", as_text)


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.usefixtures("undrawn")
def test_every_control_moves_the_figure(name):
    box = FIGURES[name].widget()
    at, (*_, picture, words) = widgets(box), box.children
    for control in FIGURES[name].controls:
        before = bytes(picture.value), words.value
        if isinstance(control, Clicks):
            at[control.x].value = at[control.y].value = 0.3
            at["add the point"].click()
        elif isinstance(control, ExpressionField):
            at[control.label].value = "1 - Gaussian()"
        else:
            (other, *_) = (v for v in control.values if v != control.default)
            at[control.label].value = other
        assert bytes(picture.value) != before[0], control.name
        assert words.value != before[1], control.name
        if isinstance(control, Choice):  # one that leaves others without effect
            at[control.label].value = control.default


@pytest.mark.usefixtures("undrawn")
def test_a_choice_clears_the_expression_that_replaced_it():
    box = FIGURES["builder"].widget()
    at, words = widgets(box), box.children[-1]
    at["or your own"].value = "-Linear()"
    at["k ="].value = "(Linear() + 1)**3"
    assert at["or your own"].value == ""
    assert "PROVEN" in words.value


@pytest.mark.usefixtures("undrawn")
def test_a_widget_moves():
    box = FIGURES["ridge"].widget()
    at, (*_, picture, words) = widgets(box), box.children
    before = picture.value, words.value
    at["λ"].value = 3.0
    assert words.value != before[1]
    assert picture.value != before[0]
    at["x"].value, at["t"].value = 0.5, -1.5
    at["add the point"].click()
    with_point = words.value
    at["undo"].click()
    assert words.value != with_point
    at["add the point"].click()
    at["reset"].click()
    assert words.value != with_point


@pytest.mark.usefixtures("undrawn")
def test_a_widget_shows_errors_in_place():
    box = FIGURES["builder"].widget()
    at, (*_, picture, words) = widgets(box), box.children
    before = picture.value
    at["or your own"].value = "open('<b>')"
    assert "is not a number" in words.value
    assert "<b>" not in words.value
    assert picture.value == before
    at["or your own"].value = "-Linear()"
    assert "REFUTED" in words.value
    assert picture.value != before


@pytest.mark.usefixtures("undrawn")
def test_whole_numbers_have_their_own_slider():
    at = widgets(FIGURES["perceptron"].widget())
    assert at["mistakes"].options[3] == ("3", 3)
