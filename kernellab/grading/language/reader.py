"""From tokens to trees: a recursive-descent reader for the language of derivations.

    relation  :=  sum ((= | >= | <=) sum)*
    sum       :=  product ((+ | -) product)*
    product   :=  factor ((* | @ | / | nothing) factor)*
    factor    :=  - factor  |  sum  |  gradient  |  power
    power     :=  postfix (** | ^) exponent
    postfix   :=  atom (.T | [i, j] | _i)*

The whitelist is the grammar itself: what it does not name cannot be said.
"""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.language.cursor import (
    ATOM,
    CLOSING,
    FACTOR,
    POWER,
    PRODUCT,
    SUM,
    Cursor,
)
from kernellab.grading.language.formulas import (
    between_bars,
    check_power,
    derivative,
    fraction,
    inner_product,
    is_latex_sum,
    latex_sum,
    nabla,
)
from kernellab.grading.language.layout import DOTS
from kernellab.grading.language.lexer import ReadError, is_latex, tokens
from kernellab.grading.language.names import named
from kernellab.grading.language.postfix import postfix, power_of
from kernellab.grading.language.tree import Expr, Relation, num
from kernellab.grading.language.vocabulary import KEYWORDS, Vocabulary

MAX_TREE_DEPTH = 120
SIGNS = {
    "=": "=", "==": "=", ":=": "=", ">=": ">=", "<=": "<=", ">": ">", "<": "<",
}  # fmt: skip
# The signs that bind as a sum or a product does: operation and data of their nodes.
_INFIX: dict[int, dict[str, tuple[str, str | None]]] = {
    SUM: {"+": ("add", None), "-": ("sub", None)},
    PRODUCT: {
        "*": ("mul", "*"), "@": ("mul", "@"), "/": ("div", None),
        "cdot": ("mul", "·"), "star": ("mul", "·"), "odot": ("call", "had"),
    },
}  # fmt: skip
_REFUSED = {
    "⪰": "a matrix is not compared here; write it for a vector: v.T@K@v >= 0",
    "≠": "≠ is not used here; a line is an equation or a bound",
    "=>": "one relation a line: what follows ⇒, → or ⇔ stands on the next",
    ".": "I cannot continue at “.”; behind a dot may stand T, for a transpose",
    ",": "one relation a line: what follows the comma stands on the next",
}


def read(
    text: str, vocabulary: Vocabulary, one_based: bool = False, goes_on: bool = False
) -> Relation:
    """Read one relation, or one claim; raises `ReadError` with words for the student.

    Parameters
    ----------
    one_based : whether components are counted from 1.
    goes_on : whether it starts with a sign, as the end of a chain, ``= b >= c``: a
        relation with as many signs as sides.

    Examples
    --------
    >>> words = Vocabulary(frozenset({"K", "a", "t", "lam"}))
    >>> print(read("(K + lam*I)@a = t", words))
    (K + lam*I)@a = t
    >>> print(read(r"a = (K+\\lambda I_N)^{-1} t", words))
    a = inv(K + lam@I(N))@t
    """
    if DOTS.search(text):
        raise ReadError("dots leave something out: write out what they stand for")
    stream = tokens(text.rstrip(" .,;\\"))
    while len(stream) > 1 and stream[-2].text in (".", ","):
        del stream[-2]
    c = Cursor(stream, vocabulary, _read, is_latex(text), one_based)
    relation = _relation(c, goes_on)
    _check_depth(relation)
    return relation


def _check_depth(relation: Relation) -> None:
    """Refuse what is so deep that walking it could exhaust the stack."""
    level, depth = list(relation.sides), 0
    while level:
        level, depth = [arg for node in level for arg in node.args], depth + 1
        if depth > MAX_TREE_DEPTH:
            raise ReadError("this line has too many terms or factors; split it")


def _read(c: Cursor, level: int) -> Expr:
    if level <= PRODUCT:
        return _chain(c, level)
    return {FACTOR: _factor, POWER: _power, ATOM: _atom}[level](c)


def _relation(c: Cursor, goes_on: bool) -> Relation:
    signs: list[str] = []
    denied = c.take("not")
    sides = [] if goes_on else [c.read()]
    if denied:
        sides = [Expr("not", tuple(sides))]
    while c.token.text in SIGNS and not denied:
        signs.append(SIGNS[c.next().text])
        sides.append(c.read())
    if c.token.kind != "end":
        words = f"I cannot continue at {c.token.quoted}"
        raise ReadError(_REFUSED.get(c.token.text, words))
    return Relation(tuple(sides), tuple(signs))


def _chain(c: Cursor, level: int) -> Expr:
    """Read a sum or a product, which group to the left."""
    left = _chain(c, PRODUCT) if level == SUM else _factor(c)
    while True:
        if c.token.text in _INFIX[level]:
            op, data = _INFIX[level][c.next().text]
        elif level == PRODUCT and _starts_factor(c):
            op, data = "mul", ""
        else:
            return left
        right = _chain(c, PRODUCT) if level == SUM else _factor(c)
        left = Expr(op, (left, right), data)


def _starts_factor(c: Cursor) -> bool:
    """Return whether two factors stand side by side, as in 2 K or (K + I) a."""
    kind, text = c.token.kind, c.token.text
    if kind == "name":
        return text not in KEYWORDS
    if kind == "number":
        if c.stream[c.at - 1].kind == "number":
            raise ReadError(f"two numbers side by side: write 2 \\cdot {text}, or one")
        return c.latex
    if text in ("|", "||"):
        return text not in c.bars
    return text in ("(", "{", "[", "frac", "nabla", "partial", "⟨")


def _factor(c: Cursor) -> Expr:
    if c.take("-"):
        return Expr("neg", (c.read(FACTOR),))
    if c.take("+"):
        return c.read(FACTOR)
    if is_latex_sum(c):
        return latex_sum(c)
    return nabla(c) if c.take("nabla") else _power(c)


def _power(c: Cursor) -> Expr:
    name = c.token.text
    power = postfix(c, _atom(c))
    if c.take("**"):
        power = power_of(power, c.read(FACTOR))
    if name[:1] == "d" and name[1:] in c.words.symbols:
        check_power(name[1:], power)
    return power


def _atom(c: Cursor) -> Expr:
    if c.token.kind == "name":
        return named(c)
    token = c.next()
    if token.kind == "number":
        return num(Fraction(token.text))  # 0.1 is one tenth
    match token.text:
        case "(" | "{" | "[":
            return c.read_to(CLOSING[token.text])
        case "||" | "|":
            return between_bars(c, token.text)
        case "⟨" | "<":
            return inner_product(c, "⟩" if token.text == "⟨" else ">")
        case "frac":
            return fraction(c)
        case "partial":
            return derivative(c)
        case "":
            raise ReadError("the line ends where an expression is needed")
    raise ReadError(_REFUSED.get(token.text, f"I did not expect {token.quoted} here"))
