"""Symbols: the names of a problem and of a student, and what is known of them."""

from __future__ import annotations

from dataclasses import dataclass

from kernellab.grading.language.shapes import Shape
from kernellab.grading.language.tree import Expr


@dataclass(frozen=True)
class Symbol:
    """A name: its shape, its kind, and what it stands for.

    Parameters
    ----------
    kind : "any", "symmetric", "psd", "pd" (positive semi-definite, definite),
        "positive", "nonneg", "number" (it may be 0), or "random" (a random variable
        that cov knows).
    definition : the expression it abbreviates, or None.
    """

    name: str
    shape: Shape
    kind: str = "any"
    definition: Expr | None = None
