"""Level lines: against formulas, against contourpy, and what they must always obey."""

import contourpy
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kernellab.errors import InputError
from kernellab.figures.contours import level_line, level_lines, region, simplify

x, y = np.linspace(-2, 2, 81), np.linspace(-1.5, 1.5, 61)
A, B = np.meshgrid(x, y)


def polygons(area):
    """The loops of an area."""
    points = np.column_stack([area.x, area.y])
    gaps = np.flatnonzero(np.isnan(points[:, 0]))
    parts = np.split(points, gaps)
    return [part[~np.isnan(part[:, 0])] for part in parts if len(part) > 1]


def signed_area(loop):
    u, v = loop.T
    return 0.5 * np.sum(u * np.roll(v, -1) - np.roll(u, -1) * v)


def test_a_circle():
    lines = level_lines(x, y, A**2 + B**2, 1.0)
    assert len(lines) == 1
    circle = lines[0]
    assert circle[0].tolist() == circle[-1].tolist()
    assert np.abs(np.hypot(*circle.T) - 1).max() < 1e-3
    assert abs(abs(signed_area(circle)) - np.pi) < 5e-3


def test_a_straight_line_is_exact():
    f = 2 * A - B + 0.3
    (line,) = level_lines(x, y, f)
    assert np.abs(2 * line[:, 0] - line[:, 1] + 0.3).max() < 1e-12
    simple = level_line(x, y, f, colour="ink", label="f = 0")
    assert len(simple.x) == 2  # no corner is needed in between
    assert (simple.colour, simple.label) == ("ink", "f = 0")


def test_higher_values_lie_to_the_left():
    hill, hole = level_lines(x, y, 1 - A**2 - B**2), level_lines(x, y, A**2 + B**2 - 1)
    assert signed_area(hill[0]) > 3
    assert signed_area(hole[0]) < -3


def test_nothing_where_the_level_is_not_met():
    assert level_lines(x, y, A, 5.0) == []
    line = level_line(x, y, A, 5.0)
    assert len(line.x) == len(line.y) == 0
    flat = region(x, y, np.zeros_like(A))
    assert len(flat.x) == 0


def test_a_saddle_goes_both_ways():
    corners = np.array([[1.0, -1.0], [-1.0, 1.0]])
    for middle, joined in ((0.2, True), (-0.2, False)):
        lines = level_lines([0, 1], [0, 1], corners + middle)
        assert len(lines) == 2
        ends = {tuple(np.sign(line[0] - line[-1])) for line in lines}
        # Joined, the lines cut off the corners that are out, and otherwise those in.
        slopes = [np.prod(np.sign(np.diff(line, axis=0)[0])) for line in lines]
        assert set(slopes) == ({1.0} if joined else {-1.0})
        assert len(ends) == 2


def test_cells_without_a_number_are_left_out():
    f = A.copy()
    f[B > 0.5] = np.nan
    (line,) = level_lines(x, y, f)
    assert line[:, 1].max() <= 0.5
    half = region(x, y, f)
    assert np.nanmax(half.y) <= 0.55
    assert np.nanmin(half.x) >= -0.06


def test_a_region_is_closed_along_the_edge():
    (loop,) = polygons(region(x, y, A + B - 0.5, label="here"))
    assert loop[0].tolist() == loop[-1].tolist()
    # The part of the box above the line x + y = 0.5: a triangle and a rectangle.
    mask = signed_area(loop)
    assert mask == pytest.approx(4.5, abs=1e-9)
    whole = polygons(region(x, y, np.ones_like(A)))
    assert signed_area(whole[0]) == pytest.approx(12.0)


def test_a_region_with_a_hole():
    r = np.hypot(A, B)
    loops = polygons(region(x, y, 0.5 - np.abs(r - 0.8)))
    areas = sorted(signed_area(loop) for loop in loops)
    assert areas[0] == pytest.approx(-np.pi * 0.3**2, abs=0.02)
    assert areas[1] == pytest.approx(np.pi * 1.3**2, abs=0.05)


@pytest.mark.parametrize("seed", range(4))
def test_against_contourpy(seed):
    rng = np.random.default_rng(seed)
    waves = rng.normal(size=(6, 2))
    f = sum(np.cos(2 * (u * A + v * B) + i) for i, (u, v) in enumerate(waves))
    level = 0.37
    theirs = contourpy.contour_generator(x, y, f, name="serial").lines(level)
    ours = level_lines(x, y, f, level)
    assert total_length(ours) == pytest.approx(total_length(theirs), rel=1e-9)
    assert corner_set(ours) == corner_set(theirs)


def total_length(lines):
    return sum(np.hypot(*np.diff(line, axis=0).T).sum() for line in lines)


def corner_set(lines):
    return {tuple(point) for line in lines for point in (line.round(9) + 0).tolist()}


@given(arrays(float, (5, 6), elements=st.integers(-3, 3).map(float)))
def test_every_line_is_closed_or_ends_at_the_edge(f):
    for line in level_lines(range(6), range(5), f, 0.5):
        closed = np.array_equal(line[0], line[-1])
        on_edge = [p[0] in (0, 5) or p[1] in (0, 4) for p in (line[0], line[-1])]
        assert closed or all(on_edge)


@given(arrays(float, (4, 4), elements=st.floats(-1, 1)))
def test_a_region_contains_what_is_above(f):
    loops = polygons(region(range(4), range(4), f))
    area = sum(signed_area(loop) for loop in loops)
    assert -1e-9 <= area <= 9 + 1e-9
    everything = polygons(region(range(4), range(4), -f))
    rest = sum(signed_area(loop) for loop in everything)
    if not (f == 0).any():  # up to the corners that are simplified away
        assert area + rest == pytest.approx(9, abs=0.9)


def test_simplify_keeps_within_the_tolerance():
    t = np.linspace(0, 2 * np.pi, 400)
    circle = np.column_stack([np.cos(t), np.sin(t)])
    few = simplify(circle, 0.01)
    assert 15 < len(few) < 60
    assert few[0].tolist() == circle[0].tolist()
    assert few[-1].tolist() == circle[-1].tolist()
    # The middle of each chord lies within the tolerance of the circle.
    middles = (few[1:] + few[:-1]) / 2
    assert (1 - np.hypot(*middles.T)).max() <= 0.011
    assert len(simplify(circle, 0.0)) == 400
    two = np.array([[0.0, 0.0], [1.0, 1.0]])
    assert simplify(two, 1.0).tolist() == two.tolist()


def test_wrong_shapes():
    with pytest.raises(
        InputError, match=r"shape \(len\(y\), len\(x\)\), got \(61, 81\)"
    ):
        level_lines(y, x, A)
    with pytest.raises(InputError, match="shape"):
        region(x[None], y, A)
