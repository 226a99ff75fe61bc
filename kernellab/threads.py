"""As many threads as a matrix can use, and never a core that another program needs.

NumPy and SciPy each bring a BLAS, and each BLAS a pool of threads, as many as the
machine has cores. A thread that has done its share waits in a loop for the next one, so
that the two pools keep each other from working; and if another program runs, a product
of two small matrices lasts until the system has given every thread its turn. Beside one
busy program a fit of a second can take a minute.

So what has at most 1,000 rows is left to one thread, and so are rows and tiles of a
Gram matrix. Larger matrices have all cores but one, which remains for others.

This holds for OpenBLAS, which the wheels of NumPy and SciPy contain, where a library
finds the functions of those it is linked with (Linux, macOS). Elsewhere nothing is
changed. Who sets OMP_NUM_THREADS=1 has one thread always.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import ClassVar

SINGLE_THREAD_MAX_ROWS = 1000
"""Rows of a matrix up to which one thread is used."""

Pool = tuple[Callable[[], int], Callable[[int], None]]
"""Two functions of a BLAS: they return and set its number of threads."""


class _Limit:
    """What is asked for, the latest last; what the pools had before, and have now."""

    lock = threading.Lock()
    asked: ClassVar[list[list[int]]] = []
    before: ClassVar[list[int]] = []
    now: ClassVar[list[int]] = []


@contextmanager
def limited(rows: int) -> Iterator[None]:
    """Let BLAS use one thread if a matrix has few rows, else all cores but one.

    What is asked for last counts: the products of a large matrix have their threads
    within a function that has one.

    Examples
    --------
    >>> @limited(1)
    ... def steps(): ...  # products of rows and columns
    >>> with limited(200):
    ...     steps()  # products and factors of 200×200 matrices, and steps
    """
    with _Limit.lock:
        if not _Limit.asked:
            _Limit.before = _Limit.now = [get() for get, _ in _pools()]
        most = 1 if rows <= SINGLE_THREAD_MAX_ROWS else _cores() - 1
        mine = [max(1, min(count, most)) for count in _Limit.before]
        _Limit.asked.append(mine)
        _set(mine)
    try:
        yield
    finally:
        with _Limit.lock:
            at = next(k for k, other in enumerate(_Limit.asked) if other is mine)
            del _Limit.asked[at]
            _set(_Limit.asked[-1] if _Limit.asked else _Limit.before)


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _set(threads: list[int]) -> None:
    if threads != _Limit.now:
        for (_, put), count in zip(_pools(), threads, strict=True):
            put(count)
        _Limit.now = threads


@cache
def _pools() -> tuple[Pool, ...]:
    """Return the thread pools of NumPy and SciPy, as far as they can be reached."""
    if sys.platform == "emscripten":  # a page has one thread
        return ()
    import ctypes

    from numpy.linalg import _umath_linalg
    from scipy.linalg import cython_blas

    names = [
        f"{front}openblas_%s_num_threads{back}"
        for front in ("scipy_", "")
        for back in ("64_", "")
    ]
    found: list[Pool] = []
    for module in (_umath_linalg, cython_blas):
        library = ctypes.CDLL(module.__file__)  # finds what the module is linked with
        for name in names:
            if hasattr(library, name % "set"):
                found.append((library[name % "get"], library[name % "set"]))
                break
    return tuple(found)
