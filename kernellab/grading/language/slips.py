"""Words for shapes that do not fit."""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.language.printing import plain
from kernellab.grading.language.tidying import tidied
from kernellab.grading.language.tree import NUMBER, Expr, Shape

NO_SUM = "they cannot be added"
NO_PRODUCT = "their product has no meaning"
NO_ORDER = "only numbers can be compared; write it for one entry, such as a[n]"
NO_NORM = "only the squared norm is used here: norm2(x) or ‖x‖²"
NO_SPECTRUM = "only a column has a length ‖x‖₂; the squares of all entries are ‖X‖_F²"
_LONGEST_NAME = 40
_NUMERIC = {"num", "neg", "add", "sub", "mul", "div"}


class ShapeError(ValueError):
    """Shapes that do not fit; the message is for the student.

    Parameters
    ----------
    facts : what the parts are, if two of them clash: "`K` is N×N, `lam` is a number".
    """

    def __init__(self, why: str, facts: str = "") -> None:
        super().__init__(f"{facts}: {why}" if facts else why)
        self.why, self.facts = why, facts
        # As read: the operation that has no shape, and the parts that do not fit.
        self.at: Expr | None = None
        self.parts: tuple[Expr, ...] = ()

    def place(self, at: Expr | None, parts: tuple[Expr, ...]) -> None:
        """Keep where it was found, which is innermost."""
        if not self.parts:
            self.at, self.parts = at, parts


def describe(shape: Shape) -> str:
    """Return "N×1", or "a number"."""
    if shape == NUMBER:
        return "a number"
    return "×".join("?" if size.startswith("?") else size for size in shape)


def name(node: Expr) -> str:
    """Return the text of an expression, cut if it is long."""
    text = plain(node)
    return text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 3] + "…"


def literal(node: Expr) -> Fraction | None:
    """Return the value of a number that is written out, also -1 and 1/2."""
    value = tidied(node) if {n.op for n in node.walk()} <= _NUMERIC else node
    return value.data if value.op == "num" else None


def misfit(node: Expr, shape: Shape, why: str) -> ShapeError:
    """Return the error of one expression that has the wrong shape."""
    return ShapeError(why, f"`{name(node)}` is {describe(shape)}")


def clash(left: Expr, right: Expr, one: Shape, two: Shape, why: str) -> ShapeError:
    """Return the error of two expressions whose shapes do not go together."""
    first = f"`{name(left)}` is {describe(one)}"
    return ShapeError(why, f"{first}, `{name(right)}` is {describe(two)}")
