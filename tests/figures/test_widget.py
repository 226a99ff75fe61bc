"""Live figures in a notebook: moved by their widgets."""

import matplotlib
import pytest

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


def test_whole_numbers_have_their_own_slider():
    at = widgets(FIGURES["perceptron"].widget())
    assert at["mistakes"].options[3] == ("3", 3)
