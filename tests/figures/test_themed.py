"""Figures on a dark page: named colours change, what lies on a raster does not."""

import importlib.util
import re
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest

matplotlib.use("svg")
from matplotlib import pyplot as plt

from kernellab.figures import PALETTE, use_style
from kernellab.figures.drawing import svg
from kernellab.figures.live import FIGURES
from kernellab.figures.style import DARK


@pytest.fixture(scope="module")
def extension():
    path = Path(__file__).parents[2] / "_ext" / "themed_figures.py"
    spec = importlib.util.spec_from_file_location("themed_figures", path)
    module = sys.modules["themed_figures"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn(tmp_path, draw):
    """A figure of Matplotlib, as text, in the style of the course."""
    with plt.rc_context():
        use_style()
        plt.rcParams["svg.fonttype"] = "path"
        figure, axes = plt.subplots()
        draw(axes)
        figure.savefig(tmp_path / "figure.svg")
        plt.close(figure)
    return (tmp_path / "figure.svg").read_text(encoding="utf-8")


def luminance(colour):
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(colour, ground):
    light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_lines_and_letters_stand_out_in_the_dark():
    assert DARK.keys() == PALETTE.keys()
    for name in ("blue", "vermillion", "green", "purple", "ochre", "grey"):
        assert contrast(DARK[name], DARK["paper"]) >= 4.5
    assert contrast(DARK["ink"], DARK["paper"]) >= 10


def test_every_named_colour_becomes_a_variable(extension, tmp_path):
    text = extension.themed(drawn(tmp_path, lambda axes: axes.plot([0, 1], [1, 0])))
    sheet, rest = text.split("</style>", 1)
    assert f"--ink:{DARK['ink']}" in sheet
    assert "prefers-color-scheme:dark" in sheet
    assert "stroke: var(--blue)" in rest
    assert "fill: var(--paper)" in rest
    named = {colour.lower() for colour in PALETTE.values()}
    left = {colour.lower() for colour in re.findall(r"#[0-9a-fA-F]{6}\b", rest)}
    assert not left & named


def test_words_on_a_raster_keep_their_colour(extension, tmp_path):
    def draw(axes):
        axes.imshow(np.eye(4), alpha=0.5)
        axes.text(1, 1, "on it", color=PALETTE["ink"])
        axes.set_title("beside it")

    text = extension.themed(drawn(tmp_path, draw))
    kept = re.findall(r"fill: ?#1a1a1a", text)
    assert len(kept) == 1
    assert text.index("<rect") < text.index("<image")  # it keeps its ground, too
    assert "fill: var(--ink)" in text


def test_words_on_a_coloured_area_keep_their_colour(extension, tmp_path):
    def draw(axes):
        axes.bar([0], [1], color="#fee838")
        axes.text(0, 0.5, "on it", color=PALETTE["ink"])

    assert (
        len(re.findall(r"fill: ?#1a1a1a", extension.themed(drawn(tmp_path, draw)))) == 1
    )


def test_a_picture_of_a_live_figure_is_themed(extension):
    text = extension.themed(svg(FIGURES["ridge"].scene()))
    assert "var(--vermillion)" in text
