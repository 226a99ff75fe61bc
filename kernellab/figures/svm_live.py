"""The picture of `kernellab.figures.svm`, moved by hand in a notebook.

Needs ipywidgets and Matplotlib, which are imported when a `LiveSVM` is shown.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernellab.figures.svm import (
    FAMILIES,
    Box,
    SVMPicture,
    _read,
    draw_svm,
    svm_picture,
    title_of,
)

INTERACTIVE = ("ipympl", "nbagg", "widget", "qt", "tk", "gtk", "macosx", "wx", "webagg")
"""Backends of Matplotlib in which a figure hears of clicks."""


class LiveSVM:
    """Points that come and go, and the machine that they have at this moment.

    Parameters
    ----------
    points, labels : where to begin; nothing, if they are not given.
    box : (left, right, bottom, top) of the picture.

    Examples
    --------
    >>> live = LiveSVM(box=(-2, 2, -2, 2))
    >>> live.add(-1, 0, -1)
    >>> live.add(1, 0, +1)
    >>> live.picture(C=1.0, kernel="linear").support
    2
    >>> live.remove()
    >>> live.picture().note
    'a machine needs points of both classes'
    """

    def __init__(
        self,
        points: ArrayLike = (),
        labels: ArrayLike = (),
        box: Box = (-2.0, 2.0, -2.0, 2.0),
    ) -> None:
        self._begin = _read(points, labels)
        self.points, self.labels = self._begin
        self.box = box

    def add(self, x: float, y: float, label: float) -> None:
        """One more point."""
        more = np.vstack([self.points, [[x, y]]]), np.append(self.labels, label)
        self.points, self.labels = _read(*more)

    def remove(self) -> None:
        """Take the last point away, if there is one."""
        self.points, self.labels = self.points[:-1], self.labels[:-1]

    def reset(self) -> None:
        """Back to where it began."""
        self.points, self.labels = self._begin

    def picture(
        self, C: float = 1.0, sigma: float = 1.0, kernel: str = "Gaussian"
    ) -> SVMPicture:
        """The machine of the points as they are."""
        return svm_picture(self.points, self.labels, C, sigma, kernel, box=self.box)

    def draw(self, ax: Any, **parameters: Any) -> None:
        """Draw it, with the gap above."""
        picture = self.picture(**parameters)
        draw_svm(ax, picture)
        ax.set_title(title_of(picture), fontsize=10)

    def listen(self, figure: Any, changed: Any) -> None:
        """Add a point at each click: +1 with the left button, −1 with the right."""

        def clicked(event: Any) -> None:
            if event.inaxes is not None and event.button in (1, 3):
                self.add(event.xdata, event.ydata, 1.0 if event.button == 1 else -1.0)
                changed()

        figure.canvas.mpl_connect("button_press_event", clicked)

    def widget(self) -> Any:
        """Sliders for C, σ and a place; buttons that add a point there."""
        import ipywidgets

        controls = _controls(ipywidgets)
        screen = ipywidgets.Output()

        def refresh(*_: Any) -> None:
            self._show(screen, controls, refresh)

        for name in ("C", "hard", "sigma", "kernel"):
            controls[name].observe(refresh, "value")
        for name, act in self._actions(controls).items():
            controls[name].on_click(_then(act, refresh))
        refresh()
        rows = [
            [controls[name] for name in row]
            for row in (
                ("kernel", "C", "hard", "sigma"),
                ("x", "y", "plus", "minus", "remove", "reset"),
            )
        ]
        return ipywidgets.VBox([*map(ipywidgets.HBox, rows), screen])

    def _actions(self, controls: dict[str, Any]) -> dict[str, Any]:
        x, y = controls["x"], controls["y"]
        return {
            "plus": lambda: self.add(x.value, y.value, 1.0),
            "minus": lambda: self.add(x.value, y.value, -1.0),
            "remove": self.remove,
            "reset": self.reset,
        }

    def _show(self, screen: Any, controls: dict[str, Any], refresh: Any) -> None:
        import matplotlib
        import matplotlib.pyplot as plt

        screen.clear_output(wait=True)
        with screen:
            figure, ax = plt.subplots(figsize=(5.2, 5.0))
            C = math.inf if controls["hard"].value else controls["C"].value
            chosen = {name: controls[name].value for name in ("sigma", "kernel")}
            self.draw(ax, C=C, **chosen)
            ax.plot(controls["x"].value, controls["y"].value, "+", color="0.4")
            if any(name in matplotlib.get_backend().lower() for name in INTERACTIVE):
                self.listen(figure, refresh)
            plt.show()


def _then(act: Any, refresh: Any) -> Any:
    def both(_: Any) -> None:
        act()
        refresh()

    return both


def _controls(w: Any) -> dict[str, Any]:
    place = {"min": -2.0, "max": 2.0, "step": 0.1, "continuous_update": False}
    log = {"continuous_update": False, "readout_format": ".2g"}
    return {
        "kernel": w.Dropdown(options=list(FAMILIES), description="kernel"),
        "C": w.FloatLogSlider(value=1.0, min=-2, max=4, description="C", **log),
        "hard": w.Checkbox(value=False, description="hard margin"),
        "sigma": w.FloatLogSlider(
            value=0.7, min=-1, max=1, description="width σ", **log
        ),
        "x": w.FloatSlider(value=0.0, description="x", **place),
        "y": w.FloatSlider(value=0.0, description="y", **place),
        "plus": w.Button(description="add +1"),
        "minus": w.Button(description="add −1"),
        "remove": w.Button(description="remove last"),
        "reset": w.Button(description="reset"),
    }
