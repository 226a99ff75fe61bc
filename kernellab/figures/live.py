"""Figures that a reader can move: one function from parameters to a scene.

The same function serves three surfaces. `LiveFigure.widget` moves it in a notebook;
the pages show its scenes on a grid of parameters, computed when the site is built;
and with Python running in the page, `compute` answers for all other parameters.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from kernellab.errors import InputError
from kernellab.figures.controls import Choice, Clicks, Control, Expression, Slider
from kernellab.figures.scene import Scene

__all__ = [
    "FIGURES",
    "Choice",
    "Clicks",
    "Control",
    "Expression",
    "LiveFigure",
    "Slider",
    "compute",
]

NAMES = ("ridge", "gram", "builder", "perceptron", "svm", "gp", "nystroem")


def nothing_idle(values: Mapping[str, Any]) -> Collection[str]:
    """Every control matters."""
    return ()


@dataclass(frozen=True)
class LiveFigure:
    """A function from the values of its controls to a scene.

    Parameters
    ----------
    name, title : one word, and a heading.
    controls : what can be moved, in the order in which the reader sees it.
    function : called with the controls' names as keywords.
    alt : what the figure shows, in one or two sentences.
    idle : names of the controls that have no effect while the others have the given
        values, such as a width without a Gaussian.

    Examples
    --------
    >>> figure = FIGURES["ridge"]
    >>> dict(figure.scene(lam=0.1).notes)["‖f‖"]
    '2.34'
    """

    name: str
    title: str
    controls: Sequence[Control]
    function: Callable[..., Scene]
    alt: str
    idle: Callable[[Mapping[str, Any]], Collection[str]] = nothing_idle

    @property
    def default(self) -> dict[str, Any]:
        """The values with which the figure begins."""
        return {control.name: control.default for control in self.controls}

    def read(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values for all controls, the given ones checked, the others as they begin."""
        unknown = set(values) - set(self.default)
        if unknown:
            raise InputError(
                f"the figure {self.name} has no control {', '.join(sorted(unknown))}; "
                f"it has {', '.join(self.default)}"
            )
        return {
            control.name: control.read(values.get(control.name, control.default))
            for control in self.controls
        }

    def scene(self, **values: Any) -> Scene:
        """What the figure shows for these values."""
        return self.function(**self._settled(self.read(values)))

    def _settled(self, values: dict[str, Any]) -> dict[str, Any]:
        """The same, with idle controls where they begin."""
        return values | {name: self.default[name] for name in self.idle(values)}

    def grid(self) -> list[dict[str, Any]]:
        """All combinations of the values computed ahead; the last one runs first."""
        names = [control.name for control in self.controls]
        every = itertools.product(*(control.values for control in self.controls))
        return [dict(zip(names, values, strict=True)) for values in every]

    def scenes(self) -> Iterator[Scene]:
        """The scenes of the grid; those that only idle controls tell apart are one."""
        known: dict[str, Scene] = {}
        for values in self.grid():
            key = repr(self._settled(values))
            if key not in known:
                known[key] = self.scene(**values)
            yield known[key]

    def widget(self) -> Any:
        """The figure in a notebook; needs ipywidgets and Matplotlib."""
        from kernellab.figures.widget import widget

        return widget(self)


class Registry(Mapping[str, LiveFigure]):
    """The live figures by name; each is imported when it is asked for."""

    def __getitem__(self, name: str) -> LiveFigure:
        if name not in NAMES:
            raise KeyError(f"no live figure {name!r}; there are {', '.join(NAMES)}")
        figure = import_module(f"kernellab.figures.live_{name}").FIGURE
        assert isinstance(figure, LiveFigure)
        return figure

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


FIGURES = Registry()
"""The live figures of the course."""


def compute(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The scene of a figure as plain data; what goes wrong becomes its message.

    A scene without panels is such a message alone: what was drawn before may stay.

    Examples
    --------
    >>> compute("ridge", {"lam": -1})["message"]
    'λ must be a number from 0.0001 to 100.0, got -1'
    >>> compute("ridge", {"lam": 0.1})["message"]
    ''
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            figure = FIGURES[name]
            idle = sorted(figure.idle(figure.read(values)))
            return figure.scene(**values).to_data() | {"idle": idle}
    except (ValueError, ArithmeticError, LookupError, MemoryError) as error:
        text = str(error.args[0]) if error.args else type(error).__name__
        return Scene(message=text).to_data() | {"idle": []}
