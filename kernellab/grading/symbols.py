"""Symbols: the names of a problem and of the student, and what they stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kernellab.grading.language.tree import Expr, Shape


@dataclass(frozen=True)
class Symbol:
    """A name of a problem: its shape, its kind, and what it stands for.

    Parameters
    ----------
    kind : "any", "number", "symmetric", "psd", "pd" (positive semi-definite, definite),
        "positive", "nonneg" (all entries), or "random" (a variable that cov knows).
    definition : the expression it abbreviates, or None.
    """

    name: str
    shape: Shape
    kind: str = "any"
    definition: Expr | None = None


def below(name: str, definition: Callable[[str], Expr | None]) -> set[str]:
    """Return all names behind a name, at any depth."""
    found: set[str] = set()
    todo = [name]
    while todo:
        meaning = definition(todo.pop())
        new = meaning.names - found if meaning is not None else ()
        found.update(new)
        todo += new
    return found
