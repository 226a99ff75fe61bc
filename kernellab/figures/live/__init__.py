"""Figures that a reader can move: one function from parameters to a scene.

The same function serves three surfaces. `LiveFigure.widget` moves it in a notebook;
the pages show its scenes on a grid of parameters, computed when the site is built;
and with Python running in the page, `compute` answers for all other parameters.

Each module `live/NAME.py` has one figure, its `FIGURE`. To add one, write such a module
and add its name to `NAMES`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from kernellab.figures.live.figure import LiveFigure
from kernellab.figures.scene import Scene

__all__ = ["FIGURES", "LiveFigure", "compute"]

NAMES = ("ridge", "gram", "builder", "perceptron", "svm", "gp", "nystroem")


class Registry(Mapping[str, LiveFigure]):
    """The live figures by name; each is imported when it is asked for."""

    def __getitem__(self, name: str) -> LiveFigure:
        if name not in NAMES:
            raise KeyError(f"no live figure {name!r}; there are {', '.join(NAMES)}")
        figure = import_module(f"kernellab.figures.live.{name}").FIGURE
        assert isinstance(figure, LiveFigure)
        return figure

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


FIGURES = Registry()
"""The live figures of the course."""


def compute(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scene of a figure as plain data; an error becomes its message.

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
