"""Scenes drawn with Matplotlib: every mark is there, where and how it should be."""

import xml.etree.ElementTree as ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib import colors
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import FillBetweenPolyCollection, PathCollection, QuadMesh

from kernellab.figures.drawing import WIDTH_INCHES, draw, svg
from kernellab.figures.scene import (
    Area,
    Band,
    Bars,
    Dots,
    Line,
    Panel,
    Raster,
    Scene,
    Words,
)
from kernellab.figures.style import PALETTE


def drawn(mark, **axes):
    """The axes of a figure with one mark."""
    figure = draw(Scene([Panel([mark], xlim=(-1, 5), ylim=(-1, 5), **axes)]))
    return figure.axes[0]


def colour_at(ax, place):
    """The colour of a place, as painted."""
    canvas = FigureCanvasAgg(ax.figure)
    ax.grid(False)
    canvas.draw()
    column, row = ax.transData.transform(place).astype(int)
    return tuple(np.asarray(canvas.buffer_rgba())[::-1][row, column].tolist())


def test_a_line():
    ax = drawn(Line([0, 1, 2], [0, np.nan, 1], "green", "--", 1.5, "f"))
    (line,) = ax.lines
    assert line.get_color() == PALETTE["green"]
    assert line.get_linewidth() == 1.5
    assert line.get_linestyle() == "--"
    assert line.get_label() == "f"
    np.testing.assert_array_equal(line.get_ydata(), [0, np.nan, 1])


def test_dots_within_the_axes_are_whole():
    ax = drawn(Dots([-1, 2, 9], [5, 2, 2], "blue", "s", [3, 4, 5]))
    (dots,) = ax.collections
    assert isinstance(dots, PathCollection)
    assert dots.get_offsets().tolist() == [[-1, 5], [2, 2]]
    assert dots.get_sizes().tolist() == [9, 16]
    assert not dots.get_clip_on()


def test_rings_are_hollow():
    (ring,) = drawn(Dots([1], [1], "ink", ring=1.7)).collections
    assert len(ring.get_facecolors()) == 0
    assert ring.get_linewidths().tolist() == [1.7]
    assert colors.to_hex(ring.get_edgecolors()[0]).upper() == PALETTE["ink"]
    (cross,) = drawn(Dots([1], [1], marker="x")).collections
    assert cross.get_linewidths()[0] > 1


def test_bands_and_areas_are_pale():
    (band,) = drawn(Band([0, 1], [0, 0], [1, 2])).collections
    assert isinstance(band, FillBetweenPolyCollection)
    assert band.get_alpha() == 0.35
    # A square with a square hole: two loops of one path.
    u = [0, 4, 4, 0, 0, np.nan, 1, 1, 3, 3, 1]
    v = [0, 0, 4, 4, 0, np.nan, 1, 3, 3, 1, 1]
    (area,) = drawn(Area(u, v, label="here")).patches
    assert np.sum(area.get_path().codes == area.get_path().MOVETO) == 2
    shown = [colour_at(area.axes, place) for place in ((0.5, 0.5), (2, 2), (-0.5, 2))]
    assert shown[0] != shown[1] == shown[2]  # the hole is like outside
    assert len(drawn(Area([], [])).patches[0].get_path().vertices) == 0


def test_bars():
    ax = drawn(Bars([1, 2], [3, -0.5], "vermillion", hatch=True))
    assert [bar.get_height() for bar in ax.patches] == [3, -0.5]
    assert all(bar.get_hatch() for bar in ax.patches)
    assert ax.patches[0].get_x() == pytest.approx(0.6)


def test_words():
    ax = drawn(Words([1, 2], [3, 4], ["one", "two"], "paper", size=8))
    assert [t.get_text() for t in ax.texts] == ["one", "two"]
    assert ax.texts[1].get_position() == (2, 4)
    assert ax.texts[0].get_color() == PALETTE["paper"]


def test_a_matrix_as_it_is_written():
    values = np.arange(4.0).reshape(2, 2)
    image = Raster(values, (0.5, 2.5, 0.5, 2.5), 0, 3, label="k")
    panel = Panel([image], xlim=(0.5, 2.5), ylim=(2.5, 0.5), equal=True, ticks=False)
    figure = draw(Scene([panel]))
    ax, bar = figure.axes
    (shown,) = ax.images
    assert shown.get_array().tolist() == values.tolist()
    # Row 0 is where y is smallest, and y grows downwards: row 0 is on top.
    assert shown.get_extent() == [0.5, 2.5, 0.5, 2.5]
    assert shown.origin == "lower"
    assert ax.get_ylim() == (2.5, 0.5)
    assert list(ax.get_xticks()) == list(ax.get_yticks()) == []
    assert ax.get_aspect() == 1
    assert bar.get_ylabel() == "k"
    assert [t.get_text() for t in bar.get_yticklabels()] == ["0", "3"]


def test_a_raster_on_logarithmic_axes():
    image = Raster(np.ones((2, 3)), (0.01, 10, 0.1, 1), 0, 1)
    panel = Panel([image], xlim=(0.01, 10), ylim=(0.1, 1), log=("x", "y"))
    (mesh,) = draw(Scene([panel])).axes[0].collections
    assert isinstance(mesh, QuadMesh)
    corners = mesh.get_coordinates()
    np.testing.assert_allclose(corners[0, :, 0], [0.01, 0.1, 1, 10])
    np.testing.assert_allclose(corners[:, 0, 1], [0.1, np.sqrt(0.1), 1])


def test_marks_are_stacked_in_their_order():
    marks = [Band([0, 1], [0, 0], [1, 1]), Line([0, 1], [0, 1]), Dots([0], [0])]
    ax = draw(Scene([Panel(marks)])).axes[0]
    band, dots = ax.collections
    assert band.get_zorder() < ax.lines[0].get_zorder() < dots.get_zorder()


def test_panels_axes_and_legend():
    panels = [
        Panel([Line([0, 1], [0, 1], label="f")], "One", "x", "y", width=2),
        Panel(
            [Line([1, 9], [0, 1], label="f"), Dots([2], [1], label="g")],
            "Two",
            xlim=(1, 10),
            log=("x",),
        ),
    ]
    figure = draw(Scene(panels, message="no machine", height=4.0))
    one, two = figure.axes
    assert (one.get_title("left"), one.get_xlabel(), one.get_ylabel()) == (
        "One",
        "x",
        "y",
    )
    assert two.get_xscale() == "log"
    assert [t.get_text() for t in figure.legends[0].get_texts()] == ["f", "g"]
    assert figure.get_suptitle() == "no machine"
    assert figure.get_size_inches().tolist() == [WIDTH_INCHES, 4.0]
    figure.draw_without_rendering()
    widths = [ax.get_position().width for ax in (one, two)]
    assert widths[0] / widths[1] == pytest.approx(2, rel=0.05)


def test_a_message_alone_is_a_figure_too():
    figure = draw(Scene(message="what went wrong"))
    assert figure.axes == []
    assert "<svg" in svg(Scene(message="what went wrong"))


def test_the_file_is_svg_and_always_the_same():
    scene = Scene([Panel([Line([0, 1], [0, 1], label="λ")])])
    text = svg(scene)
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert text == svg(scene)


def test_drawing_leaves_the_settings_alone():
    before = dict(matplotlib.rcParams)
    svg(Scene([Panel([Line([0, 1], [0, 1])])]))
    assert dict(matplotlib.rcParams) == before
