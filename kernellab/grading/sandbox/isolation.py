"""What keeps a student's program apart from everything else.

A class is strangers' code: it is isolated, or it does not run. In a notebook students
run their own code on their own computer: it gets a process with limits, so that an
endless loop ends, and no more. Which of them applies depends on who asks, not on the
question: it is set for a context, and no question has to pass it on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum


class Isolation(StrEnum):
    """What kept a program apart; `words` completes "it ran …" for a reader."""

    BUBBLEWRAP = "bubblewrap"
    PROCESS = "process"
    BROWSER = "browser"

    @property
    def words(self) -> str:
        """Say in a report how a program ran."""
        return _WORDS[self]


_WORDS = {
    Isolation.BUBBLEWRAP: "isolated by bubblewrap",
    Isolation.PROCESS: "as your own code, in a process with limits and your rights",
    Isolation.BROWSER: "in the browser, without limits: there are no processes here",
}

_demanded = ContextVar("isolation", default=Isolation.PROCESS)


@contextmanager
def demand(isolation: Isolation) -> Iterator[None]:
    """Let every program that is run in this context be kept apart like this."""
    token = _demanded.set(isolation)
    try:
        yield
    finally:
        _demanded.reset(token)


def demanded() -> Isolation:
    """Return what the present context demands."""
    return _demanded.get()
