"""Expressions as mathematics: MathML Core, which browsers show without any script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from kernellab.grading.language.letters import Glyph, Letters, glyph
from kernellab.grading.language.notation import (
    ATOM,
    CLAIM,
    HADAMARD,
    MINUS,
    PRODUCT,
    SCRIPT,
    SUM,
    Piece,
    brackets,
    factors_of,
    infix,
    inside,
    minus,
    number,
    scripted,
)
from kernellab.grading.language.printing import plain
from kernellab.grading.language.tree import NUMBER, Expr, Relation

_LONG = 36  # characters of plain text that fit on a phone
_SHORT = 10
_TIMES, _APPLY = "<mo>&#x2062;</mo>", "<mo>&#x2061;</mo>"
_DOT, _COMMA = "<mo>⋅</mo>", "<mo>,</mo>"
_TOP = '<mo lspace="0" rspace="0">⊤</mo>'
_THIN = '<mspace width="0.167em"></mspace>'
_D = '<mi mathvariant="normal">d</mi>'
_WORDS = {"trace": "tr", "total": "sum", "loss": "ℓ"}
_BARE = ("log", "det", "trace")  # log det C needs no brackets


def mathml(expr: Expr, letters: Letters | None = None) -> str:
    """The expression as a ``<math>`` element.

    Examples
    --------
    >>> from kernellab.grading.language.tree import sym
    >>> print(mathml(sym("lam")))
    <math displaystyle="true" alttext="lam"><mrow><mi>λ</mi></mrow></math>
    """
    return _math(_Writer(letters or Letters()).write(expr).xml, plain(expr))


def relation_mathml(relation: Relation, letters: Letters | None = None) -> str:
    """The relation as a ``<math>`` element; a long one as several, to break between.

    The end of a chain, ``= b >= c``, is a relation with as many signs as sides.
    """
    parts = list(_parts(_Writer(letters or Letters()), relation))
    text = " ".join(text for _, text in parts)
    if len(text) <= _LONG:
        return _math("".join(xml for xml, _ in parts), text)
    if len(parts) > 1 and len(parts[0][1]) < _SHORT:  # no line ends behind J
        (one, name), (two, rest), *parts = parts
        parts = [(one + two, f"{name} {rest}"), *parts]
    return "<wbr>".join(_math(xml, text) for xml, text in parts)


def table_mathml(
    name: str | None, rows: Sequence[Sequence[Expr]], letters: Letters, text: str
) -> str:
    """A matrix of numbers as a ``<math>`` element, after its name if it has one."""
    writer = _Writer(letters)
    cells = (
        "".join(f"<mtd>{writer.row(cell)}</mtd>" for cell in row) for row in rows
    )  # fmt: skip
    table = "".join(f"<mtr>{row}</mtr>" for row in cells)
    head = writer.row(Expr("sym", data=name)) + infix("=") if name else ""
    return _math(head + brackets(f"<mtable>{table}</mtable>", "[", "]"), text)


def _parts(writer: _Writer, relation: Relation) -> Iterator[tuple[str, str]]:
    """Pieces of MathML with their text, cut at the signs = ≥ + −."""
    missing = len(relation.sides) - len(relation.signs)
    signs = [""] * missing + list(relation.signs)
    for sign, side in zip(signs, relation.sides, strict=True):
        yield from writer.summands(side, sign)


def _terms(side: Expr) -> list[tuple[str, Expr]]:
    """The summands of a side with their signs; the first has none."""
    found = []
    while side.op in ("add", "sub"):
        found.append(("+" if side.op == "add" else "-", side.args[1]))
        side = side.args[0]
    return [("", side), *reversed(found)]


def _math(xml: str, text: str) -> str:
    alt = escape(text, quote=True)
    return f'<math displaystyle="true" alttext="{alt}"><mrow>{xml}</mrow></math>'


def _factor(piece: Piece, first: bool, last: bool, grouped: bool) -> Piece:
    """A factor, in brackets if it would run into its neighbours."""
    bare = piece.strength >= SCRIPT or (first and piece.strength == PRODUCT)
    if bare and not grouped and (last or not piece.open):
        return piece
    return Piece(brackets(piece.xml))


class _Writer:
    """Writes trees; sums and products are walked in loops, as they may be long."""

    def __init__(self, letters: Letters) -> None:
        self.letters = letters

    def write(self, node: Expr) -> Piece:
        match node.op:
            case "num":
                return number(node.data)
            case "sym" | "index":
                return scripted(self.glyph(node))
            case "eye" | "ones":
                return Piece("<mi>I</mi>" if node.op == "eye" else "<mn>𝟏</mn>")
            case "neg":
                return minus(self.write(node.args[0]))
            case "add" | "sub":
                return self.sum(node)
            case "mul":
                return self.product(node)
            case "div":
                return self.fraction(*node.args)
            case "transpose":
                return self.raised(node.args[0], _TOP)
            case "inv":
                return self.raised(node.args[0], f"<mrow>{MINUS}<mn>1</mn></mrow>")
            case "pow":
                return self.raised(node.args[0], self.exponent(node.args[1]))
            case "sum":
                return self.series(node)
            case "grad" | "diff":
                return self.gradient(node)
            case "unique" | "invertible" | "not":
                return self.claim(node)
            case _:
                return self.call(node.data, node.args)

    def row(self, node: Expr) -> str:
        return f"<mrow>{self.write(node).xml}</mrow>"

    # Letters, indices and what stands above

    def glyph(self, node: Expr) -> Glyph:
        if node.op == "sym":
            return glyph(node.data, self.letters)
        (base,), places = node.args, node.data
        if base.op == "sym" and len(places) == 1:
            base = Expr("sym", data=self.letters.rows.get(base.data, base.data))
        if base.op == "sym":
            bare = glyph(base.data, self.letters)
        else:
            bare = Glyph(inside(self.write(base), ATOM))
        below = [bare.below] if bare.below else []
        below += [self.place(place) for place in places]
        apart = bool(bare.below) or any(isinstance(place, int) for place in places)
        return Glyph(bare.letter, (_COMMA if apart else "").join(below), bare.above)

    def place(self, place: str | int) -> str:
        if isinstance(place, int):
            return f"<mn>{place + self.letters.first}</mn>"
        return f"<mi>{escape(place)}</mi>"

    def raised(self, base: Expr, above: str) -> Piece:
        """x above: beside an index, else behind the base or its brackets."""
        if base.op in ("sym", "index"):
            bare = self.glyph(base)
            if not bare.above and not bare.compound:
                return scripted(Glyph(bare.letter, bare.below, above))
        piece = self.write(base)
        raised = f"<msup>{inside(piece, ATOM)}{above}</msup>"
        return Piece(raised, SCRIPT, numeric=base.op == "num")

    def exponent(self, node: Expr) -> str:
        if node.op == "num" and node.data.denominator != 1:
            value = abs(node.data)
            sign = MINUS if node.data < 0 else ""
            top, bottom = f"<mn>{value.numerator}</mn>", f"<mn>{value.denominator}</mn>"
            return f"<mrow>{sign}{top}<mo>/</mo>{bottom}</mrow>"
        return self.row(node)

    # Sums, products, fractions

    def sum(self, node: Expr) -> Piece:
        return Piece("".join(xml for xml, _ in self.summands(node, "")), SUM)

    def summands(self, node: Expr, sign: str) -> Iterator[tuple[str, str]]:
        """The summands with their text, each after a sign, that of the first given."""
        for i, (op, term) in enumerate(_terms(node)):
            said, text = op if i else sign, plain(term)
            if i and (term.op in ("add", "sub") or text.startswith("-")):
                text = f"({text})"
            xml = inside(self.write(term), HADAMARD if i else CLAIM, i > 0)
            yield infix(said) + xml, f"{said} {text}".strip()

    def product(self, node: Expr) -> Piece:
        factors = factors_of(node)
        pieces = [self.write(factor) for factor in factors]
        grouped = [factor.op == "mul" for factor in factors]
        shown = [
            _factor(piece, i == 0, i == len(pieces) - 1, grouped[i])
            for i, piece in enumerate(pieces)
        ]
        xml = shown[0].xml
        for before, after in pairwise(shown):
            air = _THIN if before.airy or after.airy else ""
            xml += (_DOT if after.numeric else _TIMES + air) + after.xml
        return Piece(xml, PRODUCT, shown[-1].open, shown[0].numeric)

    def fraction(self, top: Expr, bottom: Expr) -> Piece:
        if top.op == "neg":
            return minus(self.fraction(top.args[0], bottom))
        plain_numbers = top.op == bottom.op == "num"
        small = ' displaystyle="false"' if plain_numbers else ""
        xml = f"<mfrac{small}>{self.row(top)}{self.row(bottom)}</mfrac>"
        return Piece(xml, SCRIPT, numeric=plain_numbers)

    def series(self, node: Expr) -> Piece:
        index, size = node.data
        below = f"<mrow><mi>{escape(index)}</mi><mo>=</mo><mn>1</mn></mrow>"
        sign = f"<mo>∑</mo>{below}"
        limits = (
            f"<munderover>{sign}<mi>{escape(size)}</mi></munderover>"
            if size else f"<munder><mo>∑</mo><mi>{escape(index)}</mi></munder>"
        )  # fmt: skip
        body = inside(self.write(node.args[0]), PRODUCT, second=True)
        return Piece(f"<mrow>{limits}{body}</mrow>", SCRIPT, open=True)

    # Functions

    def gradient(self, node: Expr) -> Piece:
        function, variable = node.args
        inner = self.write(function)
        if node.op == "grad" and node.shape != NUMBER:
            nabla = f"<msub><mo>∇</mo>{self.row(variable)}</msub>"
            return Piece(nabla + inside(inner, SCRIPT), SCRIPT, open=True)
        top, behind = inner.xml, ""
        if function.op != "sym":
            top, behind = "", brackets(inner.xml)
        top, bottom = (f"<mrow><mi>∂</mi>{x}</mrow>" for x in (top, self.row(variable)))
        return Piece(f"<mfrac>{top}{bottom}</mfrac>{behind}", SCRIPT)

    def claim(self, node: Expr) -> Piece:
        (inner,) = node.args
        denied = node.op == "not" and inner.op in ("unique", "invertible")
        if node.op == "not" and not denied:
            return Piece(f"<mtext>not&#xA0;</mtext>{self.row(inner)}", CLAIM)
        word = f"is not {inner.op}" if denied else f"is {node.op}"
        what = self.row(inner.args[0] if denied else inner)
        return Piece(f"{what}<mtext>&#xA0;{word}</mtext>", CLAIM)

    def call(self, name: str, args: tuple[Expr, ...]) -> Piece:
        pieces = [self.write(arg) for arg in args]
        listed = _COMMA.join(piece.xml for piece in pieces)
        match name:
            case "sqrt":
                return Piece(f"<msqrt>{listed}</msqrt>")
            case "norm2" | "length2":
                norm = brackets(listed, "‖", "‖")
                return Piece(f"<msup>{norm}<mn>2</mn></msup>", SCRIPT)
            case "norm" | "length":
                return Piece(brackets(listed, "‖", "‖"))
            case "dot":
                return Piece(brackets(listed, "⟨", "⟩"))
            case "vec":
                rows = (f"<mtr><mtd>{piece.xml}</mtd></mtr>" for piece in pieces)
                return Piece(brackets(f"<mtable>{''.join(rows)}</mtable>", "[", "]"))
            case "had":
                left, right = (inside(p, SCRIPT, closed=True) for p in pieces)
                return Piece(f"{left}<mo>∘</mo>{right}", HADAMARD)
            case "d" if args[0].op == "sym":
                return Piece(f"<mrow>{_D}{listed}</mrow>", SCRIPT, airy=True)
            case "d":
                return Piece(f"{_D}{_APPLY}{brackets(listed)}", SCRIPT, airy=True)
        return self.function(name, args, listed)

    def function(self, name: str, args: tuple[Expr, ...], listed: str) -> Piece:
        word = f"<mi>{escape(_WORDS.get(name, name))}</mi>{_APPLY}"
        of_function = args[0].op == "call" and args[0].data in _BARE
        if name in _BARE and (args[0].op == "sym" or of_function):
            return Piece(f"{word}{_THIN}{listed}", SCRIPT, open=True, airy=True)
        return Piece(f"{word}{brackets(listed)}", SCRIPT, airy=True)
