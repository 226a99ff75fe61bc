"""Symbols: the names of a problem and of the student, and what they stand for."""

from __future__ import annotations

from dataclasses import dataclass

from kernellab.grading.language.shapes import Shape
from kernellab.grading.language.tree import Expr


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
