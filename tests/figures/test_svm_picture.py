"""The picture of a machine: its data, the drawing, and the live version."""

import math

import matplotlib
import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.errors import InputError
from kernellab.figures.svm import FAMILIES, draw_svm, svm_picture, title_of
from kernellab.figures.svm_live import LiveSVM
from kernellab.svm import SVC

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.backend_bases import MouseEvent

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 2))
Y = np.where(X[:, 0] ** 2 + X[:, 1] > 0.5, 1.0, -1.0)


@pytest.fixture
def ax():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_data_are_those_of_the_machine(name):
    picture = svm_picture(X, Y, C=3.0, sigma=0.5, kernel=name, resolution=21)
    machine = SVC(FAMILIES[name](0.5), C=3.0).fit(X, Y)
    assert picture.alpha.tolist() == machine.alpha_.tolist()
    assert picture.gap == machine.certificate_.gap
    c = machine.certificate_
    assert (picture.primal, picture.dual) == (c.primal, c.dual)
    assert picture.margin == machine.margin_
    assert picture.support == len(machine.support_)
    both = np.concatenate([picture.on_margin, picture.at_bound])
    assert sorted(both) == machine.support_.tolist()
    assert (picture.alpha[picture.at_bound] == 3.0).all()
    corner = [[picture.across[-1], picture.up[0]]]
    assert picture.values[0, -1] == pytest.approx(machine.decision_function(corner)[0])
    assert picture.values.shape == (21, 21)


def test_a_kernel_of_ones_own():
    picture = svm_picture(X, Y, kernel=kl.Exponential(), box=(-1, 1, -2, 2))
    assert (picture.across[0], picture.across[-1]) == (-1, 1)
    assert (picture.up[0], picture.up[-1]) == (-2, 2)


def test_no_machine():
    for points, labels in (((), ()), ([[0.0, 1.0]], [1]), ([[0, 0], [1, 1]], [-1, -1])):
        picture = svm_picture(points, labels)
        assert picture.note == title_of(picture)
        assert "both classes" in picture.note
        assert math.isnan(picture.gap)
        assert not picture.values.any()
    xor = [[0, 0], [1, 1], [0, 1], [1, 0]]
    picture = svm_picture(xor, [1, 1, -1, -1], C=np.inf, kernel="linear")
    assert "no hard margin" in picture.note
    assert picture.witness.tolist() == pytest.approx([0.5] * 4)


def test_it_is_drawn(ax):
    draw_svm(ax, svm_picture(X, Y, C=1.0, sigma=0.5))
    assert len(ax.collections) >= 6  # region, boundary, two margins, points, rings
    draw_svm(ax, svm_picture([], []))
    assert ax.texts[-1].get_text() == "a machine needs points of both classes"


def test_wrong_input():
    for change, message in (
        ({"kernel": "rbf"}, "one of Gaussian, linear, quadratic, cubic; got 'rbf'"),
        ({"resolution": 1}, "resolution must be an integer ≥ 2"),
        ({"box": (1, 0, 0, 1)}, "in increasing order"),
    ):
        with pytest.raises(InputError, match=message):
            svm_picture(X, Y, **change)
    with pytest.raises(InputError, match="points of the plane"):
        svm_picture(X[:, :1], Y)
    with pytest.raises(InputError, match="40 numbers −1 or \\+1"):
        svm_picture(X, np.zeros(40))


def test_points_come_and_go():
    live = LiveSVM(X[:3], Y[:3])
    live.add(0.5, -0.5, -1)
    assert live.points[-1].tolist() == [0.5, -0.5]
    assert live.labels.tolist() == [*Y[:3], -1]
    live.remove()
    live.remove()
    assert live.labels.tolist() == Y[:2].tolist()
    live.reset()
    assert live.points.tolist() == X[:3].tolist()
    with pytest.raises(InputError, match="−1 or"):
        live.add(0, 0, 2)
    empty = LiveSVM()
    empty.remove()
    assert len(empty.points) == 0


def test_clicks(ax):
    live, told = LiveSVM(), []
    live.draw(ax, C=1.0)
    live.listen(ax.figure, lambda: told.append(len(live.points)))
    for button, place in ((1, (0.5, 1.0)), (3, (-1.0, 0.0)), (2, (0.0, 0.0))):
        x, y = ax.transData.transform(place)
        event = MouseEvent("button_press_event", ax.figure.canvas, x, y, button)
        ax.figure.canvas.callbacks.process("button_press_event", event)
    outside = MouseEvent("button_press_event", ax.figure.canvas, 0, 0, 1)
    ax.figure.canvas.callbacks.process("button_press_event", outside)
    assert told == [1, 2]
    assert live.labels.tolist() == [1, -1]
    assert live.points == pytest.approx(np.array([[0.5, 1.0], [-1.0, 0.0]]))


def test_the_widget(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: plt.close("all"))
    live = LiveSVM(X, Y)
    box = live.widget()
    names = [child.description for row in box.children[:2] for child in row.children]
    assert {"C", "width σ", "kernel", "hard margin", "add +1", "add −1"} < set(names)
    at = dict(
        zip(names, [c for r in box.children[:2] for c in r.children], strict=True)
    )
    at["x"].value, at["y"].value = 1.5, -0.5
    at["add −1"].click()
    assert live.points[-1].tolist() == [1.5, -0.5]
    at["C"].value = 100.0
    at["hard margin"].value = True
    at["kernel"].value = "linear"  # no machine: a note, not an error
    at["remove last"].click()
    assert len(live.points) == 40
    at["add +1"].click()
    at["reset"].click()
    assert live.labels.tolist() == Y.tolist()
