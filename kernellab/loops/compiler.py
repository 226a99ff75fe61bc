"""Compile a plain loop with Numba: on its first use, and only where Numba is installed.

A loop and the helpers that it calls are ordinary functions of one module, which run
without Numba, too, only slowly: so they can be tested and stepped through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial
from importlib.util import find_spec
from types import FunctionType
from typing import Any

Loop = Callable[..., Any]

RELAXED = frozenset({"nnan", "nsz", "reassoc", "contract", "arcp"})
"""What the compiler may take for granted: no NaN, no difference between 0 and −0, and
sums in any order. Infinities are meant, and stay."""

_wanted: ContextVar[bool] = ContextVar("numba is wanted", default=True)


@cache
def numba_is_installed() -> bool:
    """Return True if loops can be compiled. Numba is not imported to find out."""
    return find_spec("numba") is not None


@contextmanager
def without_numba() -> Iterator[None]:
    """Run the twins in NumPy, even where Numba is installed: to compare, to debug."""
    token = _wanted.set(False)
    try:
        yield
    finally:
        _wanted.reset(token)


def compiled(loop: Loop, *helpers: Loop) -> Loop | None:
    """Return a plain loop, compiled; None if the twin in NumPy has to do.

    Parameters
    ----------
    loop : a function of numbers and arrays.
    helpers : the functions of the same module that it calls, each after those that it
        calls itself.
    """
    if not (_wanted.get() and numba_is_installed()):
        return None
    return _compiled(loop, helpers)


@cache
def _compiled(loop: Loop, helpers: tuple[Loop, ...]) -> Loop:
    """Return what compiles itself when it is called for the first time."""
    scope: dict[str, Any] = {}
    for helper in helpers:
        scope[helper.__name__] = _jit(helper, scope)
    return _jit(loop, scope)


def _jit(function: Loop, scope: dict[str, Any]) -> Loop:
    """Let Numba have a function, in whose globals some names are compiled already."""
    import numba  # here: to import it takes longer than to import all of kernellab

    assert isinstance(function, FunctionType)
    names = {**function.__globals__, **scope}
    twin = FunctionType(function.__code__, names, function.__name__)
    twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
    twin.__doc__ = function.__doc__
    jit = partial(numba.njit, fastmath=set(RELAXED), error_model="numpy", nogil=True)
    try:
        jitted: Loop = jit(twin, cache=True)
    except RuntimeError:  # no folder in which it could be kept
        jitted = jit(twin)
    return jitted
