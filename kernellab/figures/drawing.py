"""A scene drawn with Matplotlib, in the style of the course.

Matplotlib is imported when something is drawn.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from kernellab.figures.marks import (
    DASHES,
    RAMPS,
    Area,
    Band,
    Bars,
    Dots,
    Line,
    Mark,
    Raster,
    Words,
)
from kernellab.figures.numbers import nice
from kernellab.figures.scene import Panel, Scene
from kernellab.figures.style import PALETTE, use_style

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

WIDTH_INCHES = 8.2
"""As wide as most figures of the course."""

OPACITY = {"sky": 0.35, "yellow": 0.6}
"""How opaque areas are, by their colour; others are like sky."""


def draw(scene: Scene) -> matplotlib.figure.Figure:
    """Return a Matplotlib figure: the panels side by side, one legend below them.

    Examples
    --------
    >>> figure = draw(Scene([Panel([Line([0, 1], [0, 1], label="f")])]))
    >>> [text.get_text() for text in figure.legends[0].get_texts()]
    ['f']
    """
    import matplotlib.figure

    with matplotlib.rc_context():
        use_style()
        figure = matplotlib.figure.Figure(figsize=(WIDTH_INCHES, scene.height))
        if scene.panels:
            widths = [panel.width for panel in scene.panels]
            options: Any = {"width_ratios": widths, "squeeze": False}
            axes = figure.subplots(1, len(widths), **options)[0]
            for ax, panel in zip(axes, scene.panels, strict=True):
                draw_panel(ax, panel)
            _draw_legend(figure, axes)
        if scene.message:
            figure.suptitle(scene.message, fontsize=11)
    return figure


def svg(scene: Scene) -> str:
    """Return the figure as the text of an SVG file, the same at every run.

    >>> svg(Scene([Panel([Line([0, 1], [0, 1])])])).rstrip().endswith("</svg>")
    True
    """
    import matplotlib

    with matplotlib.rc_context():
        use_style()
        file = io.StringIO()
        draw(scene).savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def draw_panel(ax: matplotlib.axes.Axes, panel: Panel) -> None:
    """Draw one panel into axes of one's own, without a legend.

    Examples
    --------
    >>> import matplotlib.figure
    >>> ax = matplotlib.figure.Figure().subplots()
    >>> draw_panel(ax, Panel([Line([0, 1], [0, 1])], x="x", xlim=(0, 2)))
    >>> len(ax.lines), ax.get_xlabel()
    (1, 'x')
    """
    if "x" in panel.log:
        ax.set_xscale("log")
    if "y" in panel.log:
        ax.set_yscale("log")
    ax.set(xlim=panel.xlim, ylim=panel.ylim, xlabel=panel.x, ylabel=panel.y)
    for place, mark in enumerate(panel.marks):
        _DRAW[type(mark)](ax, mark, 2 + 0.01 * place)
    ax.set(xlim=panel.xlim, ylim=panel.ylim)  # an image has set its own
    ax.set_title(panel.title)
    if panel.equal:
        ax.set_aspect("equal")
    if not panel.ticks:
        ax.set(xticks=[], yticks=[])
    if any(isinstance(mark, Raster) for mark in panel.marks):
        ax.grid(False)


def _draw_legend(figure: Any, axes: Any) -> None:
    """Show every label of any panel once, below all of them."""
    found: dict[str, Any] = {}
    for ax in axes:
        handles, labels = ax.get_legend_handles_labels()
        for handle, label in zip(handles, labels, strict=True):
            found.setdefault(label, handle)
    if found:
        columns = min(len(found), 4)
        options = {"loc": "outside lower center", "ncols": columns}
        figure.legend(list(found.values()), list(found), **options)


# --- marks ----------------------------------------------------------------------------


def _draw_line(ax: Any, mark: Line, order: float) -> None:
    style: Any = (0, DASHES[mark.dash]) if DASHES[mark.dash] else "-"
    look = {"color": PALETTE[mark.colour], "linewidth": mark.width, "linestyle": style}
    x, y = np.asarray(mark.x, float), np.asarray(mark.y, float)
    ax.plot(x, y, label=mark.label or None, zorder=order, **look)


def _draw_dots(ax: Any, mark: Dots, order: float) -> None:
    """Draw the dots within the axes, those on the edge not cut off."""
    x, y = np.asarray(mark.x, float), np.asarray(mark.y, float)
    inside = _within(x, ax.get_xlim()) & _within(y, ax.get_ylim())
    area: Any = np.asarray(mark.size, dtype=float) ** 2
    area = area[inside] if area.ndim else float(area)
    colour, label = PALETTE[mark.colour], mark.label or None
    options: Any = {"s": area, "marker": mark.marker, "zorder": order, "label": label}
    options["clip_on"] = False
    if mark.ring:
        options |= {"facecolors": "none", "edgecolors": colour, "linewidths": mark.ring}
    else:
        options |= {"color": colour, "linewidths": 1.8 if mark.marker in "x|" else 0}
    ax.scatter(x[inside], y[inside], **options)


def _within(values: Any, limits: Any) -> Any:
    low, high = sorted(limits)
    slack = 1e-9 * (high - low)
    return (values >= low - slack) & (values <= high + slack)


def _draw_band(ax: Any, mark: Band, order: float) -> None:
    edges = np.asarray(mark.x, float), np.asarray(mark.low), np.asarray(mark.high)
    ax.fill_between(*edges, label=mark.label or None, zorder=order, **_pale(mark))


def _draw_area(ax: Any, mark: Area, order: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    points = np.column_stack([np.asarray(v, float) for v in (mark.x, mark.y)])
    gaps = np.flatnonzero(np.isnan(points[:, 0]))
    loops = [part[~np.isnan(part[:, 0])] for part in np.split(points, gaps)]
    paths = [Path(loop, closed=True) for loop in loops if len(loop)]
    path = Path.make_compound_path(*paths) if paths else Path(np.zeros((0, 2)))
    ax.add_patch(PathPatch(path, label=mark.label or None, zorder=order, **_pale(mark)))


def _draw_bars(ax: Any, mark: Bars, order: float) -> None:
    look: dict[str, Any] = {"color": PALETTE[mark.colour], "zorder": order}
    if mark.hatch:
        look |= {"hatch": "///", "edgecolor": PALETTE["paper"], "linewidth": 0}
    ax.bar(
        np.asarray(mark.x), np.asarray(mark.height), label=mark.label or None, **look
    )


def _draw_words(ax: Any, mark: Words, order: float) -> None:
    middle = {"ha": "center", "va": "center", "clip_on": True, "fontsize": mark.size}
    for x, y, text in zip(
        np.asarray(mark.x), np.asarray(mark.y), mark.text, strict=True
    ):
        ax.text(x, y, text, color=PALETTE[mark.colour], zorder=order, **middle)


def _draw_raster(ax: Any, mark: Raster, order: float) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    values = np.ma.masked_invalid(np.asarray(mark.values, dtype=float))
    ramp = LinearSegmentedColormap.from_list(mark.colours, RAMPS[mark.colours])
    options: Any = {"vmin": mark.low, "vmax": mark.high, "cmap": ramp, "zorder": order}
    left, right, first, last = mark.extent
    if {ax.get_xscale(), ax.get_yscale()} == {"linear"}:
        options |= {"origin": "lower", "aspect": "auto", "interpolation": "none"}
        image = ax.imshow(values, extent=mark.extent, **options)
    else:  # as pixels, or the file has a path for each entry
        x = _edges(left, right, values.shape[1], ax.get_xscale())
        y = _edges(first, last, values.shape[0], ax.get_yscale())
        image = ax.pcolormesh(x, y, values, rasterized=True, **options)
    if mark.label:
        bar = ax.figure.colorbar(image, ax=ax, label=mark.label, shrink=0.9)
        bar.set_ticks([mark.low, mark.high], labels=[nice(mark.low), nice(mark.high)])


def _edges(first: float, last: float, count: int, scale: str) -> Any:
    if scale == "log":
        return np.geomspace(first, last, count + 1)
    return np.linspace(first, last, count + 1)


def _pale(mark: Band | Area) -> dict[str, Any]:
    opacity = OPACITY.get(mark.colour, OPACITY["sky"])
    return {"color": PALETTE[mark.colour], "alpha": opacity, "linewidth": 0}


_DRAW: dict[type[Mark], Callable[[Any, Any, float], None]] = {
    Line: _draw_line,
    Dots: _draw_dots,
    Band: _draw_band,
    Area: _draw_area,
    Bars: _draw_bars,
    Words: _draw_words,
    Raster: _draw_raster,
}
