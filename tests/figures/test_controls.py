"""What a reader can move: values are read, wrong ones refused."""

import numpy as np
import pytest

from kernellab.errors import InputError
from kernellab.figures.controls import Choice, Clicks, ExpressionField, Slider, steps


def test_sliders_read_numbers_between_their_ends():
    slider = Slider("s", "width σ", (0.1, 1.0, 10.0), 1.0, log=True)
    assert slider.read("0.5") == 0.5
    assert slider.read(10.0 + 1e-9) == 10.0
    for wrong in (11, np.nan, "much", None):
        with pytest.raises(InputError, match="width σ must be a number from"):
            slider.read(wrong)
    whole = Slider("m", "mistakes", (0, 1, 2), 0)
    assert whole.whole
    assert whole.read(1.2) == 1
    with pytest.raises(InputError, match="must be an integer"):
        whole.read(3.5)
    with pytest.raises(InputError, match="must increase"):
        Slider("s", "s", (1.0, 0.5), 1.0)
    with pytest.raises(InputError, match="default"):
        Slider("s", "s", (1.0, 2.0), 3.0)
    assert steps(-1, 1) == (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def test_choices_points_and_expressions():
    with pytest.raises(InputError, match="kernel must be one of a, b; got 'c'"):
        Choice("k", "kernel", ("a", "b"), "a").read("c")
    with pytest.raises(InputError, match="default"):
        Choice("k", "kernel", ("a",), "c")
    clicks = Clicks("p", "points", ("+1", "−1"))
    assert clicks.read([[1, "2", "+1"]]) == ((1.0, 2.0, "+1"),)
    for wrong in ([[1, 2]], [[1, 2, "0"]], [[np.nan, 0, "+1"]], [["a", 0, "+1"]], [3]):
        with pytest.raises(InputError, match="a point is"):
            clicks.read(wrong)
    with pytest.raises(InputError, match="at most 200 points"):
        clicks.read([[0, 0, "+1"]] * 201)
    assert ExpressionField("e", "k").read("  Linear() ") == "Linear()"
    with pytest.raises(InputError, match="must be a text"):
        ExpressionField("e", "k").read(3)
