"""A progress bar in one file, for fits that take long.

It writes to standard error, and by default only where it helps: when the work has
already taken a few seconds and a person looks on (standard error is a terminal). In a
notebook, a test or a pipe nothing is printed unless `show=True` asks for it.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, Self, TextIO

from kernellab.errors import InputError

PATIENCE = 2.0
"""Seconds of silence, if nobody asked for a bar."""

PAUSE = 0.1
"""Seconds between two drawings."""

WIDTH = 24
"""Characters between the brackets."""


class Progress:
    """A bar for work of `total` steps, used in a `with` statement.

    Parameters
    ----------
    what : what is going on, in a few words.
    total : number of steps; None if it is not known.
    show : True: always; False: never; None: after two seconds, on a terminal.
    stream : where to write; standard error if None.
    clock : function that returns the time in seconds.

    Examples
    --------
    >>> import io
    >>> screen = io.StringIO()
    >>> with Progress("fit", 4, show=True, stream=screen, clock=lambda: 0.0) as bar:
    ...     bar.advance()
    ...     bar.advance(2, note="gap 1e-3")
    >>> screen.getvalue().split(chr(13))[-1].strip()
    'fit [##################......]  75%  3/4  0 s  gap 1e-3'
    """

    def __init__(
        self,
        what: str,
        total: int | None = None,
        show: bool | None = None,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if show not in (True, False, None):
            raise InputError(f"show must be True, False or None, got {show!r}")
        if total is not None and total < 0:
            raise InputError(f"total must not be negative, got {total!r}")
        self.what, self.total, self.done, self.note = what, total, 0.0, ""
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._start = self._last = clock()
        self._drawn = 0  # characters on the line, to be wiped by the next drawing
        self._patience = self._wait(show)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Draw the end, and leave the line; nothing if nothing was drawn."""
        if self._drawn or self._patience == 0:
            self._draw()
            self._write("\n")

    def expect(self, total: int) -> None:
        """Set the number of steps, where it is known only after the start."""
        self.total = total

    def advance(self, steps: float = 1, note: str | None = None) -> None:
        """`steps` more steps are done. Costs a look at the clock."""
        self.reach(self.done + steps, note)

    def reach(self, done: float, note: str | None = None) -> None:
        """`done` steps are done in all."""
        self.done = done
        if note is not None:
            self.note = note
        now = self._clock()
        if now - self._start >= self._patience and (
            not self._drawn or now - self._last >= PAUSE
        ):
            self._last = now
            self._draw()

    def __str__(self) -> str:
        elapsed = self._clock() - self._start
        parts = [f"{self.done:g}", _seconds(elapsed), self.note]
        if self.total:
            share = min(self.done / self.total, 1.0)
            full = int(share * WIDTH)
            bar = f"[{'#' * full}{'.' * (WIDTH - full)}] {share:4.0%}"
            left = elapsed / share - elapsed if 0 < share < 1 else 0.0
            rest = f", {_seconds(left)} left" if left >= 1 else ""
            parts = [bar, f"{self.done:g}/{self.total}", parts[1] + rest, self.note]
            return f"{self.what} " + "  ".join(part for part in parts if part)
        return f"{self.what}  " + "  ".join(part for part in parts if part)

    def _wait(self, show: bool | None) -> float:
        """Return how long to be silent."""
        if show is None:
            return PATIENCE if _is_terminal(self._stream) else float("inf")
        return 0.0 if show else float("inf")

    def _draw(self) -> None:
        line = str(self)
        if _is_terminal(self._stream):  # a line that wraps cannot be drawn over
            line = line[: shutil.get_terminal_size().columns - 1]
        self._write("\r" + line.ljust(self._drawn))
        self._drawn = len(line)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def track(
    items: Iterable[Any],
    what: str,
    total: int | None = None,
    show: bool | None = None,
    stream: TextIO | None = None,
) -> Iterator[Any]:
    """Yield the items one by one, with a bar that counts them.

    Parameters
    ----------
    items : what to go through.
    what, show, stream : as for `Progress`.
    total : how many items; len(items) if it is not given and can be known.

    Examples
    --------
    >>> sum(track([1, 2, 3], "adding"))
    6
    """
    if total is None and isinstance(items, Sized):
        total = len(items)
    with Progress(what, total, show, stream) as bar:
        for item in items:
            yield item
            bar.advance()


def _is_terminal(stream: TextIO) -> bool:
    isatty = getattr(stream, "isatty", None)
    return bool(isatty is not None and isatty())


def _seconds(value: float) -> str:
    """Return 12 s, 3 min 5 s, 2 h 10 min.

    >>> _seconds(0.4), _seconds(185), _seconds(7800)
    ('0 s', '3 min 5 s', '2 h 10 min')
    """
    whole = round(value)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
