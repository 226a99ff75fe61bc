"""A live figure in a notebook: its controls as widgets, its scenes as SVG.

Needs ipywidgets and Matplotlib, which are imported when a figure is shown.
"""

from __future__ import annotations

import html
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from kernellab.figures.controls import Choice, Clicks, Control, ExpressionField, Slider
from kernellab.figures.drawing import svg
from kernellab.figures.numbers import nice
from kernellab.figures.scene import Scene, marked


def widget(controls: Sequence[Control], scene_of: Callable[..., Scene]) -> Any:
    """Show controls, the picture below them, then the notes or what went wrong.

    Parameters
    ----------
    controls : of a live figure.
    scene_of : its function, called with the controls' names as keywords.

    Returns
    -------
    An ipywidgets box; its children are the controls, then the picture and the words.
    """
    import ipywidgets as w

    picture, words = w.Image(format="svg+xml", layout={"max_width": "100%"}), w.HTML()
    parts = [_part(w, control) for control in controls]

    def refresh(*_: Any) -> None:
        values = {part.control.name: part.value() for part in parts}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                scene = scene_of(**values)
        except ValueError as error:
            words.value = f"<p>{marked(str(error))}</p>"
            return
        if scene.panels:
            picture.value = svg(scene).encode()
        words.value = _words(scene)

    for part in parts:
        part.observe(refresh)
    _clear_replaced(parts)
    refresh()
    return w.VBox([*(part.box for part in parts), picture, words])


def _words(scene: Scene) -> str:
    """Write message, notes and lines as HTML."""
    pairs = [f"{html.escape(n)}: <b>{html.escape(t)}</b>" for n, t in scene.notes]
    lines = [f"<li>{marked(line)}</li>" for line in scene.lines]
    message = f"<p>{marked(scene.message)}</p>" if scene.message else ""
    listed = f"<ol>{''.join(lines)}</ol>" if lines else ""
    return f"{message}<p>{' &emsp; '.join(pairs)}</p>{listed}"


def _clear_replaced(parts: Sequence[_Simple | _Points]) -> None:
    """Make a new choice clear the expression that stands in its place."""
    boxes = {part.control.name: part.box for part in parts}
    for part in parts:
        if isinstance(part.control, ExpressionField) and part.control.instead:
            text = part.box
            boxes[part.control.instead].observe(
                lambda _, text=text: setattr(text, "value", ""), "value"
            )


class _Simple:
    """A control that is one widget."""

    def __init__(self, control: Control, box: Any) -> None:
        self.control, self.box = control, box

    def value(self) -> Any:
        return self.box.value

    def observe(self, refresh: Any) -> None:
        self.box.observe(refresh, "value")


class _Points:
    """Points by their coordinates, with buttons to add one, to undo, to reset."""

    def __init__(self, w: Any, control: Clicks) -> None:
        self.control = control
        self.points: list[Any] = []
        self.x, self.y = (w.FloatText(description=n) for n in (control.x, control.y))
        self.kind = w.Dropdown(options=list(control.kinds), description="kind")
        self.add, self.undo, self.reset = (
            w.Button(description=text) for text in ("add the point", "undo", "reset")
        )
        kinds = [self.kind] if len(control.kinds) > 1 else []
        row = (self.x, self.y, *kinds, self.add, self.undo, self.reset)
        self.box = w.HBox(row, layout={"flex_flow": "row wrap"})

    def value(self) -> list[Any]:
        return self.points

    def observe(self, refresh: Any) -> None:
        def change(points: list[Any]) -> None:
            self.points = points
            refresh()

        def added() -> list[Any]:
            return [*self.points, [self.x.value, self.y.value, self.kind.value]]

        self.add.on_click(lambda _: change(added()))
        self.undo.on_click(lambda _: change(self.points[:-1]))
        self.reset.on_click(lambda _: change([]))


def _part(w: Any, control: Control) -> _Simple | _Points:
    if isinstance(control, Clicks):
        return _Points(w, control)
    name = {"description": control.label, "style": {"description_width": "initial"}}
    if isinstance(control, Choice):
        box = w.Dropdown(options=list(control.options), value=control.default, **name)
    elif isinstance(control, ExpressionField):
        name["layout"] = {"width": "36em"}
        box = w.Text(value=control.default, continuous_update=False, **name)
    else:
        box = _slider(w, control, name)
    return _Simple(control, box)


def _slider(w: Any, control: Slider, name: dict[str, Any]) -> Any:
    """Over the whole range, or over the values alone if these are integers."""
    ends = control.values[0], control.values[-1]
    options: dict[str, Any] = {"continuous_update": False, **name}
    if control.whole:
        pairs = [(nice(value), value) for value in control.values]
        return w.SelectionSlider(options=pairs, value=control.default, **options)
    if control.log:
        low, high = (math.log10(end) for end in ends)
        options |= {"min": low, "max": high, "step": (high - low) / 200}
        return w.FloatLogSlider(
            value=control.default, base=10, readout_format=".2g", **options
        )
    options |= {"min": ends[0], "max": ends[1], "step": (ends[1] - ends[0]) / 200}
    return w.FloatSlider(value=control.default, readout_format=".2g", **options)
