"""Pieces with a form of their own: norms, fractions, derivatives, LaTeX sums."""

from __future__ import annotations

from itertools import pairwise

from kernellab.grading.language.cursor import (
    ATOM,
    CLOSING,
    FACTOR,
    POWER,
    PRODUCT,
    Cursor,
)
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.postfix import postfix
from kernellab.grading.language.printing import plain
from kernellab.grading.language.symbols import gradient_of
from kernellab.grading.language.tree import Expr, sym


def between_bars(c: Cursor, bar: str) -> Expr:
    """Read ‖x‖ or |x|, from behind the first bar."""
    c.bars.append(bar)
    inner = c.read()
    c.bars.pop()
    c.need(bar)
    return Expr("call", (inner,), "norm" if bar == "||" else "abs")


def inner_product(c: Cursor, closing: str) -> Expr:
    """Read ⟨u, v⟩, from behind its opening bracket."""
    c.bars.append("|")  # ⟨u | v⟩: the bar is no absolute value
    left = c.read()
    c.bars.pop()
    if not c.take(",", "|"):
        raise ReadError("an inner product needs two arguments: ⟨u, v⟩")
    return Expr("call", (left, c.read_to(closing)), "dot")


def fraction(c: Cursor) -> Expr:
    """Read \\frac{…}{…}, also a derivative written as one, from behind \\frac."""
    if _is_derivative(c):
        return _fraction_derivative(c)
    top = _group(c)
    return Expr("div", (top, _group(c)))


def _group(c: Cursor) -> Expr:
    """Read one argument of \\frac: {…}, or a single digit or letter."""
    if c.take("{"):
        return c.read_to("}")
    text = c.token.text
    glued = c.token.kind == "name" and not c.words.knows(text)  # \frac N2, \frac ab
    if len(text) > 1 and (glued or text.isdigit()):  # \frac12
        c.split(text[0], text[1:])
    return c.read(ATOM)


# Derivatives: ∂ and d are the same sign here


def differential(c: Cursor) -> bool:
    """Step over the sign d or ∂ of dL, ∂L; False if none stands here."""
    name = c.token.text
    if c.token.kind == "name" and name[0] == "d" and name not in c.words.declared:
        rest = name[1:]
        if rest == "theta" or rest in c.words.declared:
            c.split("d", rest)
        if c.token.text != "d" or c.peek().text in ("", "=", "+", "-", "*", "@"):
            return False
        c.next()
    elif not c.take("partial"):
        return False
    _check_order(c)
    return True


def _check_order(c: Cursor) -> None:
    """Refuse ∇²J, ∇_w²J and ∂²J, from behind the sign."""
    if c.token.text == "^":
        raise ReadError(
            "second derivatives are not read here; the gradient is grad(J, w), and "
            "that a matrix H is positive semi-definite is the line v.T@H@v >= 0"
        )


def derivative(c: Cursor) -> Expr:
    """Read ∂J/∂a, ∂J/∂a_k and ∂_a J from behind ∂; ∂C is the derivative along θ.

    d takes the one factor behind it, as in dyᵀ C⁻¹ y; of a number, all of the product.
    """
    if c.take("_"):
        variable = None if c.take("theta") else _group(c)
        return _by(c, _differentiated(c, variable), variable)
    bracket = c.token.text in ("(", "[")  # d(C)**2
    number = c.token.kind == "number" or c.token.text == "frac"  # d ½‖y‖²
    function = c.read(ATOM if bracket else PRODUCT if number else FACTOR)
    start = c.at
    if c.take("/") and differential(c):
        return _by(c, function, _variable(c))
    c.at = start
    if not bracket:
        check_power(plain(function.args[0]) if function.args else "", function)
    return _by(c, function, None)


def check_power(name: str, power: Expr) -> None:
    """Refuse d C^{-1} and dC^{-1}, which may be d(C^{-1}) or (dC)^{-1}."""
    if power.op in ("pow", "inv"):
        mark = "^{-1}" if power.op == "inv" else f"^{plain(power.args[1])}"
        raise ReadError(f"put brackets here: d({name}{mark}) or (d{name}){mark}")


def _is_derivative(c: Cursor) -> bool:
    """Return whether both parts of a fraction start with d or ∂."""
    start, found = c.at, False
    if c.take("{") and differential(c):
        depth = 1
        while depth and c.token.kind != "end":
            text = c.next().text
            depth += (text == "{") - (text == "}")
        found = c.take("{") and differential(c)
    c.at = start
    return found


def _fraction_derivative(c: Cursor) -> Expr:
    with c.braces():
        differential(c)
        function = None if c.token.text == "}" else c.read()
    with c.braces():
        differential(c)
        variable = _variable(c)
    if function is None:
        function = _differentiated(c, variable)
    return _by(c, function, variable)


def _differentiated(c: Cursor, variable: Expr | None) -> Expr:
    """Read what ∇, ∂/∂w or, by no variable, d/dθ stands before.

    That is one symbol or bracket in which the variable may occur, as in ∇J(w)ᵀv; else
    all factors up to the next + or −, as in ∇ ½‖w‖².
    """
    names = c.words.symbols if variable is None else {*c.words.applied, variable.data}
    text = c.token.text
    inside = c.stream[c.at : c.closed()] if text in CLOSING else [c.token]
    raised = inside == [c.token] and c.peek().text == "^"
    if raised and variable is None and not {"top", "T"} & set(_exponent(c)):
        power = c.read(POWER)
        if c.token.kind == "name" or c.token.text in CLOSING:
            raise ReadError("put brackets around what is differentiated: d(C^{-1}) C")
        return power
    alone = not raised and any(token.text in names for token in inside)
    return c.read(POWER if alone or _is_quotient(c) else PRODUCT)


def _exponent(c: Cursor) -> list[str]:
    """Return the tokens at which an exponent begins, behind ^ and a brace."""
    return [c.peek(k).text for k in (2, 3)]


def _is_quotient(c: Cursor) -> bool:
    """Return whether ∂w or dw stands behind a stroke: ∂‖w‖²/∂w."""
    ahead = pairwise(c.stream[c.at :])
    return any(a.text == "/" and b.text[:1] in ("p", "d") for a, b in ahead)


def _variable(c: Cursor) -> Expr | None:
    """Read what a derivative is taken by; None is the parameter θ."""
    return None if c.take("theta") else postfix(c, c.read(ATOM))


def _by(c: Cursor, function: Expr, variable: Expr | None) -> Expr:
    if variable is None:
        return Expr("call", (function,), "d")
    return gradient_of(c, function, variable)


def nabla(c: Cursor) -> Expr:
    """Read ∇J, ∇_w J, ∇w J, from behind ∇."""
    named = c.take("_") or c.peek().text in c.words.applied
    variable = _group(c) if named else _argument(c)
    _check_order(c)
    by = variable or sym(c.words.variable or "")
    return gradient_of(c, _differentiated(c, by), variable)


def _argument(c: Cursor) -> Expr | None:
    """Return w of the J(w) that stands here, by which its gradient is taken."""
    function, opening, name, closing = (c.peek(k).text for k in range(4))
    if function in c.words.applied and name in c.words.symbols:
        return sym(name) if (opening, closing) == ("(", ")") else None
    return None


# Sums

_INDICES = "ijklmnpqr"


def is_latex_sum(c: Cursor) -> bool:
    """Return whether \\sum_n stands here, also with the Greek capital letter."""
    name = c.token.text
    greek = name == "Sigma" and "Sigma" not in c.words.symbols
    return (name == "sum" or greek) and c.peek().text == "_"


def latex_sum(c: Cursor) -> Expr:
    """Read \\sum_{n=1}^{N} body: the body is the product that follows."""
    c.next()
    names, start = _lower_limit(c)
    size = None
    if c.take("^"):
        with c.braces() as braces:
            size = c.size("a sum runs up to")
            if start == "0":
                _check_last(c, size, braces)
    return summed(c.read(PRODUCT), [(name, size) for name in names])


def summed(body: Expr, loops: list[tuple[str, str | None]]) -> Expr:
    """Return a sum over some indices, the last one innermost."""
    for loop in reversed(loops):
        body = Expr("sum", (body,), loop)
    return body


def _check_last(c: Cursor, size: str, braces: bool) -> None:
    """Step over the -1 of N-1, up to which a sum runs that starts at 0."""
    if not (braces and c.token.text == "-" and c.peek().text == "1"):
        raise ReadError(
            f"from 0 to {size} there are {size} + 1 terms: a sum runs from 1 to "
            f"{size}, or from 0 to {size}-1"
        )
    c.at += 2


def _lower_limit(c: Cursor) -> tuple[list[str], str]:
    """Read the indices, and where they start if that is said."""
    c.need("_")
    if not c.take("{"):
        return _glued_limit(c), ""
    names: list[str] = []
    start = ""
    while not c.take("}"):
        if c.take("="):
            start = c.next().text
            if start not in ("0", "1"):
                raise ReadError("a sum starts at 1 (or 0)")
        elif not c.take(","):
            token = c.next()
            if token.kind != "name":
                raise ReadError(f"{token.quoted} is not an index")
            names += list(token.text)
    return names, start


def _glued_limit(c: Cursor) -> list[str]:
    """Read n of \\sum_n, n and m of \\sum_nm, and only n of \\sum_na_n."""
    text, indexed = c.token.text, c.peek().text == "_"
    for cut in range(1, len(text) if c.token.kind == "name" else 1):
        body = text[cut:]
        if (indexed or set(body) - set(_INDICES)) and c.words.factors(body):
            c.split(text[:cut], body)
            break
    return list(c.next().text)
