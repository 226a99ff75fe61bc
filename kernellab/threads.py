"""One thread for small matrices.

NumPy and SciPy each bring a BLAS, and each BLAS a pool of threads, as many as the
machine has cores. A thread that has done its share waits in a loop for the next one, so
that the two pools keep each other from working; and if another program runs, a product
of two small matrices lasts until the system has given every thread its turn. Then the
likelihood of 100 points has taken 300 ms instead of 0.3. So what has at most 1,000 rows
is left to one thread, tiles of a Gram matrix among it; larger factors use all.

This holds for OpenBLAS, which the wheels of NumPy and SciPy contain, where a library
finds the functions of those it is linked with (Linux, macOS). Elsewhere nothing is
changed. Who sets OMP_NUM_THREADS=1 has one thread always.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

SINGLE_THREAD_MAX_ROWS = 1000
"""Rows of a matrix up to which one thread is used."""

Pool = tuple[Callable[[], int], Callable[[int], None]]
"""Two functions of a BLAS: they return and set its number of threads."""


class _Limit:
    """How many have asked for one thread, and what the pools had before the first."""

    lock = threading.Lock()
    users = 0
    before: tuple[int, ...] = ()


@contextmanager
def limited(rows: int) -> Iterator[None]:
    """Let BLAS use one thread if a matrix has few rows.

    Examples
    --------
    >>> with limited(200):
    ...     pass  # products and factors of 200×200 matrices
    """
    if rows > SINGLE_THREAD_MAX_ROWS:
        yield
        return
    with _Limit.lock:
        if not _Limit.users:
            _Limit.before = tuple(get() for get, _ in _pools())
            _set([1] * len(_Limit.before))
        _Limit.users += 1
    try:
        yield
    finally:
        with _Limit.lock:
            _Limit.users -= 1
            if not _Limit.users:
                _set(_Limit.before)


def _set(threads: Any) -> None:
    for (_, put), count in zip(_pools(), threads, strict=True):
        put(count)


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
