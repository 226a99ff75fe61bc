"""Pieces of MathML: how they bind, and when they take brackets."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from kernellab.grading.language.letters import Glyph
from kernellab.grading.language.printing import plain
from kernellab.grading.language.tree import NUMBER, Expr, num

CLAIM, SUM, HADAMARD, PRODUCT, SCRIPT, ATOM = range(6)
MINUS = '<mo form="prefix">−</mo>'
_TALL = ("<mfrac", "<munder", "<mtable")
_SIGNS = {"=": "=", ">=": "≥", "<=": "≤", ">": "&gt;", "<": "&lt;", "+": "+", "-": "−"}


@dataclass(frozen=True)
class Piece:
    """MathML, how tightly it binds, and how it meets its neighbours.

    Parameters
    ----------
    open : whether it would swallow a factor that follows, as ∑ and log do.
    numeric : whether it starts with a digit, so that x 2 needs a dot.
    airy : whether it is a word, which stands a little apart from other factors.
    """

    xml: str
    strength: int = ATOM
    open: bool = False
    numeric: bool = False
    airy: bool = False

    @property
    def signed(self) -> bool:
        """Whether it starts with a minus."""
        return self.xml.startswith(MINUS)


def infix(sign: str) -> str:
    """A sign between two things; nothing if there is none."""
    # The form is said, because a row may start with the sign.
    return f'<mo form="infix">{_SIGNS[sign]}</mo>' if sign else ""


def brackets(xml: str, opening: str = "(", closing: str = ")") -> str:
    """Something in brackets, which grow only with what is really tall, as in print."""
    # The form is said, because ‖ both opens and closes.
    grows = "true" if any(tag in xml for tag in _TALL) else "false"
    start = f'<mo form="prefix" fence="true" stretchy="{grows}">{opening}</mo>'
    end = f'<mo form="postfix" fence="true" stretchy="{grows}">{closing}</mo>'
    return f"<mrow>{start}{xml}{end}</mrow>"


def inside(
    piece: Piece, strength: int, second: bool = False, closed: bool = False
) -> str:
    """The piece as a part of a larger one; a second part shows no bare minus."""
    loose = piece.strength < strength or (closed and piece.open)
    return brackets(piece.xml) if loose or (second and piece.signed) else piece.xml


def minus(piece: Piece) -> Piece:
    """A piece with a minus before it."""
    inner = inside(piece, PRODUCT, second=True)
    return Piece(MINUS + inner, PRODUCT, piece.open, airy=piece.airy)


def number(value: Fraction) -> Piece:
    """A number as it was written: 2, 0.5."""
    text = plain(num(abs(value)))
    piece = Piece(f"<mn>{text}</mn>", numeric=True)
    return piece if value >= 0 else minus(piece)


def scripted(bare: Glyph) -> Piece:
    """A letter with what stands below and above it."""
    below, above = f"<mrow>{bare.below}</mrow>", f"<mrow>{bare.above}</mrow>"
    if bare.below and bare.above:
        return Piece(f"<msubsup>{bare.letter}{below}{above}</msubsup>", SCRIPT)
    if bare.above:
        return Piece(f"<msup>{bare.letter}{above}</msup>", SCRIPT)
    if bare.below:
        return Piece(f"<msub>{bare.letter}{below}</msub>")
    if bare.compound:
        return Piece(bare.letter, SCRIPT, airy=True)
    return Piece(bare.letter)


def factors_of(node: Expr) -> list[Expr]:
    """The factors of a product, without the brackets that change nothing.

    In (aᵀb) C they matter, as b C need not fit: a number that is made of vectors stays
    whole beside something that is no number.
    """
    found: list[Expr] = []
    todo = [(node, False)]
    while todo:
        part, scalar = todo.pop()
        if part.op != "mul" or (scalar and part.data == "@"):
            found.append(part)
            continue
        for child, other in (part.args[::-1], part.args):
            beside = scalar or other.shape not in (NUMBER, None)
            todo.append((child, beside and child.shape == NUMBER))
    return found
