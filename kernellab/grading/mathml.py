"""Expressions as mathematics: MathML Core, which browsers show without any script."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from kernellab.grading.letters import Glyph, Letters, glyph
from kernellab.grading.printing import plain
from kernellab.grading.shapes import NUMBER
from kernellab.grading.tree import Expr, Relation, num

_CLAIM, _SUM, _HADAMARD, _PRODUCT, _SCRIPT, _ATOM = range(6)
_SIGNS = {"=": "=", ">=": "≥", "<=": "≤", "+": "+", "-": "−"}
_LONG = 44  # characters of plain text that fit beside the reasons
_TIMES, _APPLY = "<mo>&#x2062;</mo>", "<mo>&#x2061;</mo>"
_DOT, _MINUS, _COMMA = "<mo>⋅</mo>", '<mo form="prefix">−</mo>', "<mo>,</mo>"
_TOP = '<mo lspace="0" rspace="0">⊤</mo>'
_THIN = '<mspace width="0.167em"></mspace>'
_D = '<mi mathvariant="normal">d</mi>'
_WORDS = {"trace": "tr", "total": "sum", "loss": "ℓ"}
_BARE = ("log", "det", "trace")  # log det C needs no brackets


def mathml(expr: Expr, letters: Letters | None = None) -> str:
    """The expression as a ``<math>`` element.

    Examples
    --------
    >>> from kernellab.grading.tree import sym
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
    return "<wbr>".join(_math(xml, text) for xml, text in parts)


def _parts(writer: _Writer, relation: Relation) -> Iterator[tuple[str, str]]:
    """Pieces of MathML with their text, cut at the signs = ≥ + −."""
    missing = len(relation.sides) - len(relation.signs)
    signs = [""] * missing + list(relation.signs)
    for sign, side in zip(signs, relation.sides, strict=True):
        for i, (op, term) in enumerate(_terms(side)):
            said = op if i else sign
            xml = _inside(writer.write(term), _HADAMARD if i else _CLAIM, i > 0)
            yield _infix(said) + xml, f"{said} {_as_term(term, i > 0)}".strip()


def _terms(side: Expr) -> list[tuple[str, Expr]]:
    """The summands of a side with their signs; the first has none."""
    found = []
    while side.op in ("add", "sub"):
        found.append(("+" if side.op == "add" else "-", side.args[1]))
        side = side.args[0]
    return [("", side), *reversed(found)]


def _as_term(node: Expr, second: bool) -> str:
    """The text of a summand, in brackets where a second one needs them."""
    text = plain(node)
    return (
        f"({text})"
        if second and (node.op in ("add", "sub") or text[0] == "-")
        else text
    )


def _math(xml: str, text: str) -> str:
    alt = escape(text, quote=True)
    return f'<math displaystyle="true" alttext="{alt}"><mrow>{xml}</mrow></math>'


@dataclass(frozen=True)
class _Piece:
    """MathML, how tightly it binds, and how it meets its neighbours.

    Parameters
    ----------
    signed : whether it starts with a minus.
    open : whether it would swallow a factor that follows, as ∑ and log do.
    numeric : whether it starts with a digit, so that x 2 needs a dot.
    """

    xml: str
    strength: int = _ATOM
    signed: bool = False
    open: bool = False
    numeric: bool = False


class _Writer:
    """Writes trees; sums and products are walked in loops, as they may be long."""

    def __init__(self, letters: Letters) -> None:
        self.letters = letters

    def write(self, node: Expr) -> _Piece:
        match node.op:
            case "num":
                return _number(node.data)
            case "sym" | "index":
                return _scripted(self.glyph(node))
            case "eye" | "ones":
                return _Piece("<mi>I</mi>" if node.op == "eye" else "<mn>𝟏</mn>")
            case "neg":
                return _minus(self.write(node.args[0]))
            case "add" | "sub":
                return self.sum(node)
            case "mul":
                return self.product(node)
            case "div":
                return self.fraction(*node.args)
            case "transpose":
                return self.raised(node.args[0], _TOP)
            case "inv":
                return self.raised(node.args[0], f"<mrow>{_MINUS}<mn>1</mn></mrow>")
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
            bare = Glyph(_inside(self.write(base), _ATOM))
        below = [bare.below] if bare.below else []
        below += [self.place(place) for place in places]
        apart = bool(bare.below) or any(isinstance(place, int) for place in places)
        return Glyph(bare.letter, (_COMMA if apart else "").join(below), bare.above)

    def place(self, place: str | int) -> str:
        if isinstance(place, int):
            return f"<mn>{place + self.letters.first}</mn>"
        return f"<mi>{escape(place)}</mi>"

    def raised(self, base: Expr, above: str) -> _Piece:
        """x above: beside an index, else behind the base or its brackets."""
        if base.op in ("sym", "index"):
            bare = self.glyph(base)
            if not bare.above and not bare.compound:
                return _scripted(Glyph(bare.letter, bare.below, above))
        piece = self.write(base)
        raised = f"<msup>{_inside(piece, _ATOM)}{above}</msup>"
        return _Piece(raised, _SCRIPT, numeric=base.op == "num")

    def exponent(self, node: Expr) -> str:
        if node.op == "num" and node.data.denominator != 1:
            value = abs(node.data)
            sign = _MINUS if node.data < 0 else ""
            top, bottom = f"<mn>{value.numerator}</mn>", f"<mn>{value.denominator}</mn>"
            return f"<mrow>{sign}{top}<mo>/</mo>{bottom}</mrow>"
        return self.row(node)

    # Sums, products, fractions

    def sum(self, node: Expr) -> _Piece:
        terms = [(op, self.write(term)) for op, term in _terms(node)]
        first = terms[0][1]
        xml = first.xml
        for op, piece in terms[1:]:
            xml += _infix(op) + _inside(piece, _HADAMARD, second=True)
        return _Piece(xml, _SUM, first.signed)

    def product(self, node: Expr) -> _Piece:
        factors = _factors(node)
        pieces = [self.write(factor) for factor in factors]
        xml = ""
        for i, (factor, piece) in enumerate(zip(factors, pieces, strict=True)):
            last = i == len(pieces) - 1
            bare = piece.strength >= _SCRIPT and (last or not piece.open)
            leads = i == 0 and factor.op != "mul" and piece.strength == _PRODUCT
            bracketed = not (bare or (leads and not piece.open))
            if i:
                xml += _DOT if piece.numeric and not bracketed else _TIMES
            xml += _brackets(piece.xml) if bracketed else piece.xml
        first = pieces[0]
        return _Piece(xml, _PRODUCT, first.signed, pieces[-1].open, first.numeric)

    def fraction(self, top: Expr, bottom: Expr) -> _Piece:
        if top.op == "neg":
            return _minus(self.fraction(top.args[0], bottom))
        plain_numbers = top.op == bottom.op == "num"
        small = ' displaystyle="false"' if plain_numbers else ""
        xml = f"<mfrac{small}>{self.row(top)}{self.row(bottom)}</mfrac>"
        return _Piece(xml, _SCRIPT, numeric=plain_numbers)

    def series(self, node: Expr) -> _Piece:
        index, size = node.data
        below = f"<mrow><mi>{escape(index)}</mi><mo>=</mo><mn>1</mn></mrow>"
        sign = f"<mo>∑</mo>{below}"
        limits = (
            f"<munderover>{sign}<mi>{escape(size)}</mi></munderover>"
            if size else f"<munder><mo>∑</mo><mi>{escape(index)}</mi></munder>"
        )  # fmt: skip
        body = _inside(self.write(node.args[0]), _PRODUCT, second=True)
        return _Piece(f"<mrow>{limits}{body}</mrow>", _SCRIPT, open=True)

    # Functions

    def gradient(self, node: Expr) -> _Piece:
        function, variable = node.args
        inner = self.write(function)
        if node.op == "grad" and node.shape != NUMBER:
            nabla = f"<msub><mo>∇</mo>{self.row(variable)}</msub>"
            return _Piece(nabla + _inside(inner, _SCRIPT), _SCRIPT, open=True)
        top, behind = inner.xml, ""
        if function.op != "sym":
            top, behind = "", _brackets(inner.xml)
        top, bottom = (f"<mrow><mi>∂</mi>{x}</mrow>" for x in (top, self.row(variable)))
        return _Piece(f"<mfrac>{top}{bottom}</mfrac>{behind}", _SCRIPT)

    def claim(self, node: Expr) -> _Piece:
        (inner,) = node.args
        denied = node.op == "not" and inner.op in ("unique", "invertible")
        if node.op == "not" and not denied:
            return _Piece(f"<mtext>not&#xA0;</mtext>{self.row(inner)}", _CLAIM)
        word = f"is not {inner.op}" if denied else f"is {node.op}"
        what = self.row(inner.args[0] if denied else inner)
        return _Piece(f"{what}<mtext>&#xA0;{word}</mtext>", _CLAIM)

    def call(self, name: str, args: tuple[Expr, ...]) -> _Piece:
        pieces = [self.write(arg) for arg in args]
        listed = _COMMA.join(piece.xml for piece in pieces)
        match name:
            case "sqrt":
                return _Piece(f"<msqrt>{listed}</msqrt>")
            case "norm2":
                norm = _brackets(listed, "‖", "‖")
                return _Piece(f"<msup>{norm}<mn>2</mn></msup>", _SCRIPT)
            case "norm":
                return _Piece(_brackets(listed, "‖", "‖"))
            case "dot":
                return _Piece(_brackets(listed, "⟨", "⟩"))
            case "vec":
                rows = (f"<mtr><mtd>{piece.xml}</mtd></mtr>" for piece in pieces)
                return _Piece(_brackets(f"<mtable>{''.join(rows)}</mtable>", "[", "]"))
            case "had":
                left, right = (_inside(p, _SCRIPT, closed=True) for p in pieces)
                return _Piece(f"{left}<mo>∘</mo>{right}", _HADAMARD)
            case "d" if args[0].op == "sym":
                return _Piece(f"{_THIN}<mrow>{_D}{listed}</mrow>", _SCRIPT)
            case "d":
                return _Piece(f"{_THIN}{_D}{_APPLY}{_brackets(listed)}", _SCRIPT)
        return self.function(name, args, listed)

    def function(self, name: str, args: tuple[Expr, ...], listed: str) -> _Piece:
        word = f"<mi>{escape(_WORDS.get(name, name))}</mi>{_APPLY}"
        of_function = args[0].op == "call" and args[0].data in _BARE
        if name in _BARE and (args[0].op == "sym" or of_function):
            return _Piece(f"{_THIN}{word}{_THIN}{listed}", _SCRIPT, open=True)
        return _Piece(f"{_THIN}{word}{_brackets(listed)}", _SCRIPT)


# Pieces of notation


def _infix(sign: str) -> str:
    # The form is said, because a row may start with the sign.
    return f'<mo form="infix">{_SIGNS[sign]}</mo>' if sign else ""


def _brackets(xml: str, opening: str = "(", closing: str = ")") -> str:
    # The form is said, because ‖ both opens and closes.
    start = f'<mo form="prefix" fence="true" stretchy="true">{opening}</mo>'
    end = f'<mo form="postfix" fence="true" stretchy="true">{closing}</mo>'
    return f"<mrow>{start}{xml}{end}</mrow>"


def _inside(
    piece: _Piece, strength: int, second: bool = False, closed: bool = False
) -> str:
    """The piece as a part of a larger one; a second part shows no bare minus."""
    loose = piece.strength < strength or (closed and piece.open)
    return _brackets(piece.xml) if loose or (second and piece.signed) else piece.xml


def _minus(piece: _Piece) -> _Piece:
    inner = _inside(piece, _PRODUCT, second=True)
    return _Piece(_MINUS + inner, _PRODUCT, signed=True, open=piece.open)


def _number(value: Fraction) -> _Piece:
    text = plain(num(abs(value)))
    piece = _Piece(f"<mn>{text}</mn>", numeric=True)
    return piece if value >= 0 else _minus(piece)


def _scripted(bare: Glyph) -> _Piece:
    below, above = f"<mrow>{bare.below}</mrow>", f"<mrow>{bare.above}</mrow>"
    if bare.below and bare.above:
        return _Piece(f"<msubsup>{bare.letter}{below}{above}</msubsup>", _SCRIPT)
    if bare.above:
        return _Piece(f"<msup>{bare.letter}{above}</msup>", _SCRIPT)
    if bare.below:
        return _Piece(f"<msub>{bare.letter}{below}</msub>")
    return _Piece(bare.letter, _SCRIPT if bare.compound else _ATOM)


def _factors(node: Expr) -> list[Expr]:
    """The factors of a product, without the brackets that change nothing.

    In (aᵀb) C they matter, as b C need not fit: a number that is made of vectors stays
    whole beside something that is no number.
    """
    found: list[Expr] = []
    todo = [(node, False)]
    while todo:
        part, number = todo.pop()
        if part.op != "mul" or (number and part.data == "@"):
            found.append(part)
            continue
        for child, other in (part.args[::-1], part.args):
            beside = number or other.shape not in (NUMBER, None)
            todo.append((child, beside and child.shape == NUMBER))
    return found
