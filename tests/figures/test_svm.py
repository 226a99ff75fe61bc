"""The picture of a machine: its data, and the panel made of it."""

import math

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.errors import InputError
from kernellab.figures.families import FAMILIES
from kernellab.figures.svm import svm_panel, svm_picture
from kernellab.svm import SVC

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 2))
Y = np.where(X[:, 0] ** 2 + X[:, 1] > 0.5, 1.0, -1.0)


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
        assert "both classes" in picture.note
        assert math.isnan(picture.gap)
        assert not picture.values.any()
    xor = [[0, 0], [1, 1], [0, 1], [1, 0]]
    picture = svm_picture(xor, [1, 1, -1, -1], C=np.inf, kernel="linear")
    assert "no hard margin" in picture.note
    assert picture.witness.tolist() == pytest.approx([0.5] * 4)


def test_the_panel_rings_the_support_vectors():
    picture = svm_picture(X, Y, C=1.0, sigma=0.5)
    panel = svm_panel(picture, size=4.0)
    found = {mark.label: mark for mark in panel.marks if mark.label}
    for label, numbers in (
        ("0 < α < C", picture.on_margin),
        ("α = C", picture.at_bound),
        ("y = +1", np.flatnonzero(Y == 1)),
        ("y = −1", np.flatnonzero(Y == -1)),
    ):
        assert np.column_stack([found[label].x, found[label].y]).tolist() == (
            X[numbers].tolist()
        )
    assert "hulls meet" not in found
    assert panel.xlim == (picture.across[0], picture.across[-1])
    machine = SVC(FAMILIES["Gaussian"](0.5), C=1.0).fit(X, Y)
    for label, level in (("f = 0", 0.0), ("f = ±1", 1.0)):
        line = np.column_stack([found[label].x, found[label].y])
        f = machine.decision_function(line[~np.isnan(line[:, 0])])
        assert f == pytest.approx(level, abs=0.1)


def test_the_panel_of_points_without_a_machine():
    marks = svm_panel(svm_picture([], [])).marks
    assert all(np.size(mark.x) == 0 for mark in marks)
    xor = [[0, 0], [1, 1], [0, 1], [1, 0]]
    marks = svm_panel(svm_picture(xor, [1, 1, -1, -1], np.inf, kernel="linear")).marks
    assert marks[-1].label == "hulls meet"
    assert len(marks[-1].x) == 4


def test_wrong_input():
    for change, message in (
        ({"kernel": "rbf"}, "one of Gaussian, Matérn 3/2, .*cubic; got 'rbf'"),
        ({"resolution": 1}, "resolution must be an integer ≥ 2"),
        ({"box": (1, 0, 0, 1)}, "in increasing order"),
    ):
        with pytest.raises(InputError, match=message):
            svm_picture(X, Y, **change)
    with pytest.raises(InputError, match="points of the plane"):
        svm_picture(X[:, :1], Y)
    with pytest.raises(InputError, match="40 numbers −1 or \\+1"):
        svm_picture(X, np.zeros(40))
