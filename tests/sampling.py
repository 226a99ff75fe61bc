"""Samples of exhaustive sets: a part for every run, the rest for `make test-all`."""

from collections.abc import Iterable
from typing import Any

import pytest


def always_if(chosen: bool, *values: Any, id: str | None = None) -> Any:
    """Return a case for every run if it is `chosen`, else for `make test-all`."""
    marks = [] if chosen else [pytest.mark.exhaustive]
    return pytest.param(*values, id=id, marks=marks)


def one_in(every: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases: number 0, `every`, 2·`every` and so on for every run."""
    return [always_if(i % every == 0, case) for i, case in enumerate(cases)]
