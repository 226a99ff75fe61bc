"""What keeps a student's program apart from everything else.

A class is strangers' code: it is isolated, or it does not run. In a notebook students
run their own: it gets a process with limits, so that an endless loop ends, and no more.
Who asks decides, not the question; so it is set for a context.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum


class Isolation(StrEnum):
    """What kept a program apart: bubblewrap, a process with limits, or nothing."""

    BUBBLEWRAP = "bubblewrap"
    PROCESS = "process"
    BROWSER = "browser"


DEMANDED = ContextVar("isolation", default=Isolation.PROCESS)
"""What the present context demands."""


@contextmanager
def demand(isolation: Isolation) -> Iterator[None]:
    """Let every program that is run in this context be kept apart like this."""
    token = DEMANDED.set(isolation)
    try:
        yield
    finally:
        DEMANDED.reset(token)
