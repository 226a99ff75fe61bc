"""The palette can be seen by all; the library does without Matplotlib."""

import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from matplotlib import colors

from kernellab.figures import CYCLE, MARKERS, PALETTE, use_style

NOT_FOR_LINES = {"sky", "yellow", "rule", "paper"}


def luminance(colour: str) -> float:
    """Relative luminance, as the accessibility guidelines (WCAG 2) define it."""
    rgb = np.array(colors.to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("name", sorted(PALETTE.keys() - NOT_FOR_LINES))
def test_lines_stand_out_from_the_paper(name):
    paper, line = luminance(PALETTE["paper"]), luminance(PALETTE[name])
    assert (paper + 0.05) / (line + 0.05) >= 3


def test_curves_and_points_differ_without_colour():
    lines = [line for _, line in CYCLE]
    assert len(set(lines)) == len(lines)
    assert len(set(MARKERS)) == len(MARKERS) == len(CYCLE)


def test_the_style_is_applied():
    with matplotlib.rc_context():
        use_style()
        cycle = list(matplotlib.rcParams["axes.prop_cycle"])
    assert cycle[0] == {"color": PALETTE["blue"], "linestyle": "-"}
    assert len(cycle) == len(CYCLE)


def test_importing_the_library_imports_no_matplotlib():
    code = "import sys, kernellab.figures; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
