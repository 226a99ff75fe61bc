"""A live figure: controls, and a function from their values to a scene."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernellab.errors import InputError
from kernellab.figures.controls import Control
from kernellab.figures.scene import Scene


def nothing_idle(values: Mapping[str, Any]) -> Collection[str]:
    """Return no name: every control matters."""
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
    >>> from kernellab.figures.live import FIGURES
    >>> dict(FIGURES["ridge"].scene(lam=0.1).notes)["‖f‖"]
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
        """Check the given values, and add the defaults of the other controls."""
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
        """Compute what the figure shows for these values."""
        return self.function(**self._settled(self.read(values)))

    def _settled(self, values: dict[str, Any]) -> dict[str, Any]:
        """Put idle controls back to where they begin."""
        return values | {name: self.default[name] for name in self.idle(values)}

    def grid(self) -> list[dict[str, Any]]:
        """List all combinations of the values computed ahead; the last runs first."""
        names = [control.name for control in self.controls]
        every = itertools.product(*(control.values for control in self.controls))
        return [dict(zip(names, values, strict=True)) for values in every]

    def scenes(self) -> Iterator[Scene]:
        """Yield the scenes of the grid; idle controls alone make no other scene."""
        known: dict[str, Scene] = {}
        for values in self.grid():
            key = repr(self._settled(values))
            if key not in known:
                known[key] = self.scene(**values)
            yield known[key]

    def widget(self) -> Any:
        """Show the figure in a notebook; needs ipywidgets and Matplotlib."""
        from kernellab.figures.widget import widget

        return widget(self.controls, self.scene)
