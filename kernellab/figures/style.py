"""The palette, and the Matplotlib settings that go with it.

The colours are those of Okabe and Ito, which readers with any of the common forms
of colour blindness can tell apart. Those that are too pale for a thin line on a
light ground are darkened until their contrast with it is at least 3:1. Curves also
differ in line style, so that no reader depends on colour at all.

A figure is drawn on its own light ground. On a dark page each named colour is
replaced by its partner in `DARK`: by style sheet in the pictures of the site, by
`light-dark()` in what is drawn there. Other colours, such as those of a raster, stay.
"""

from typing import Final

PALETTE: Final[dict[str, str]] = {
    "ink": "#1A1A1A",
    "blue": "#0072B2",
    "vermillion": "#D55E00",
    "green": "#008F68",
    "purple": "#B5578B",
    "ochre": "#A87200",
    "grey": "#6B6B6B",
    # For areas only: too pale for lines and letters.
    "sky": "#56B4E9",
    "yellow": "#F0E442",
    "rule": "#D9D7D0",
    "paper": "#FCFBF8",
}
"""The named colours. Every line colour stands out from `paper` at least threefold."""

DARK: Final[dict[str, str]] = {
    "ink": "#E6E3DA",
    "blue": "#56B4E9",
    "vermillion": "#FF9A5C",
    "green": "#4CD3A5",
    "purple": "#E5A4C8",
    "ochre": "#F0C24B",
    "grey": "#9AA0A8",
    "sky": "#3F8FC4",
    "yellow": "#8F8724",
    "rule": "#343A44",
    "paper": "#14181E",
}
"""What the named colours become on a dark page, with the same contrasts."""

CYCLE: Final[tuple[tuple[str, object], ...]] = (
    ("blue", "-"),
    ("vermillion", (0, (6, 2))),
    ("green", (0, (6, 2, 1.5, 2))),
    ("purple", (0, (1.5, 1.5))),
    ("ochre", (0, (10, 3))),
    ("ink", (0, (6, 2, 1.5, 2, 1.5, 2))),
)
"""What successive curves look like, each a name of `PALETTE` and a line style."""

MARKERS: Final[tuple[str, ...]] = ("o", "s", "^", "D", "v", "P")
"""What successive point sets look like. The two classes are circles and squares."""


def use_style() -> None:
    """Make Matplotlib draw in the style of the course, from here on.

    In a notebook the figures also become SVG: sharp at every size, and the same
    bytes at every run.

    Examples
    --------
    >>> import matplotlib
    >>> use_style()
    >>> matplotlib.rcParams["figure.facecolor"]
    '#FCFBF8'
    """
    import matplotlib.style
    from cycler import cycler

    colours = [PALETTE[name] for name, _ in CYCLE]
    lines = [line for _, line in CYCLE]
    ink, rule, paper = PALETTE["ink"], PALETTE["rule"], PALETTE["paper"]
    settings = {
        "axes.prop_cycle": cycler(color=colours, linestyle=lines),
        "axes.axisbelow": True,
        "axes.edgecolor": PALETTE["grey"],
        "axes.facecolor": paper,
        "axes.grid": True,
        "axes.labelcolor": ink,
        "axes.labelsize": 11,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlelocation": "left",
        "axes.titlesize": 12,
        "axes.titleweight": "bold",
        "figure.constrained_layout.use": True,
        "figure.dpi": 100,
        "figure.facecolor": paper,
        "figure.figsize": (6.4, 3.6),
        "font.family": "sans-serif",
        "font.size": 11,
        "grid.color": rule,
        "grid.linewidth": 0.6,
        "image.cmap": "cividis",
        "legend.frameon": False,
        "legend.fontsize": 10,
        # Long enough for a dash pattern to be recognised.
        "legend.handlelength": 2.8,
        "lines.linewidth": 2.0,
        "lines.markersize": 6,
        "mathtext.fontset": "cm",
        "savefig.facecolor": paper,
        "svg.hashsalt": "kernellab",
        "text.color": ink,
        "xtick.color": PALETTE["grey"],
        "xtick.labelcolor": ink,
        "xtick.labelsize": 10,
        "ytick.color": PALETTE["grey"],
        "ytick.labelcolor": ink,
        "ytick.labelsize": 10,
    }
    matplotlib.style.use(settings)
    _draw_svg_in_notebooks()


def _draw_svg_in_notebooks() -> None:
    """Ask the inline backend for SVG without a date, if this is a notebook."""
    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:
        return
    if get_ipython() is not None:
        set_matplotlib_formats("svg", metadata={"Date": None})
