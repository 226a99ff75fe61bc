"""Forms that a milestone may ask of a side: "a sum of squares", "multiplied out".

A form is a phrase of `VOCABULARY`, so that a problem can be declared as text. A word in
capitals stands for a word of the author's: "the factor p - n", "inverses N x N".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache

from kernellab.grading.language.tree import Expr, terms

Form = Callable[[Expr], bool]


@cache
def find_form(phrase: str) -> Form:
    """Return the test that a phrase names.

    Raises
    ------
    ValueError
        If no phrase of the vocabulary fits.

    Examples
    --------
    >>> find_form("mentions y")(Expr("sym", data="y"))
    True
    """
    for pattern, test in VOCABULARY.items():
        match = re.fullmatch(re.sub(r"\b[A-Z]+\b", r"(\\S.*?)", pattern), phrase)
        if match:
            return lambda node: test(node, *match.groups())
    known = "; ".join(VOCABULARY)
    raise ValueError(f"“{phrase}” is not a form; the forms are: {known}")


def asked(phrase: str) -> str:
    """Return what a form asks of a side, as a verb with its object.

    >>> asked("a sum of squares"), asked("mentions y"), asked("not the factor a")
    ('be a sum of squares', 'mention y', 'not have the factor a')
    """
    word, _, rest = phrase.partition(" ")
    if word == "mentions":
        return f"mention {rest}"
    if word == "not":
        return f"not have {rest}"
    being = word in ("a", "an", "one", "multiplied", "functions")
    return f"{'be' if being else 'have'} {phrase}"


def multiplied_out(node: Expr) -> bool:
    """Return True if no sum stands inside a product, a square or a norm."""
    if node.op in ("add", "sub", "neg"):
        return all(map(multiplied_out, node.args))
    return not any(inner.op in ("add", "sub") for inner in node.walk())


def sum_of_monomials(node: Expr) -> bool:
    """Return True for a sum of products of numbers and components: no bracket left."""
    parts = [n for _, term in terms(node) for n in term.walk()]
    return node.op in ("add", "sub") and not any(
        n.op in ("add", "sub", "sum") or (n.shape != ("1", "1") and n.op != "sym")
        for n in parts
    )


def sum_of_squares(node: Expr) -> bool:
    """Return True for squares under sums, with coefficients, and nothing subtracted."""
    match node.op:
        case "sum" | "div":
            return sum_of_squares(node.args[0])
        case "add":
            return all(map(sum_of_squares, node.args))
        case "pow":
            return bool(node.args[1].data == 2)
        case "mul":
            return _square_with_coefficients(node)
        case "call":
            same = len({str(arg) for arg in node.args}) == 1
            return node.data == "norm2" or (node.data == "dot" and same)
    return False


def _square_with_coefficients(node: Expr) -> bool:
    """Return True for numbers times one square, in any notation: c·xᵀx, b·‖x‖²."""
    rest = [f for f in _multiplied(node) if not _is_coefficient(f)]
    if len(rest) == 1:
        return sum_of_squares(rest[0])
    forwards = [part for f in rest for part in _in_turn(f)]
    back = [part for f in reversed(rest) for part in _in_turn(f, transposed=True)]
    return len(forwards) % 2 == 0 and forwards == back


def _multiplied(node: Expr) -> list[Expr]:
    if node.op == "mul":
        return [factor for arg in node.args for factor in _multiplied(arg)]
    return [node]


def _is_coefficient(node: Expr) -> bool:
    if node.op == "div":
        return all(map(_is_coefficient, node.args))
    return node.op in ("sym", "num") and node.shape == ("1", "1")


def in_squares_only(node: Expr, name: str) -> bool:
    """Return True if the symbol occurs, and in squares with coefficients only."""
    with_it = [term for _, term in terms(node) if name in term.symbols()]
    return bool(with_it) and all(map(sum_of_squares, with_it))


def one_square(node: Expr) -> bool:
    """Return True for one squared norm in any notation, not a sum of several terms."""
    match node.op:
        case "call" if node.data == "dot":
            return node.args[0].text == node.args[1].text
        case "call":
            return bool(node.data == "norm2")
        case "mul":
            parts = _in_turn(node)
            return len(parts) % 2 == 0 and parts == _in_turn(node, transposed=True)
        case "sum":
            return _squares_a_number(node.args[0])
    return False


def _squares_a_number(node: Expr) -> bool:
    """Return True for x² or c·x·x: every factor but coefficients stands there twice."""
    if node.op == "pow":
        return bool(node.args[1].data == 2)
    factors = [f for f in _multiplied(node) if not _is_coefficient(f)]
    even = all(n % 2 == 0 for n in Counter(f.text for f in factors).values())
    return bool(factors) and (even or _square_with_coefficients(node))


def _in_turn(node: Expr, transposed: bool = False) -> list[str]:
    """Return the factors of a product of matrices, or of its transpose, in turn."""
    if node.op == "transpose":
        return _in_turn(node.args[0], not transposed)
    if node.op == "mul":
        order = reversed(node.args) if transposed else node.args
        return [part for arg in order for part in _in_turn(arg, transposed)]
    symmetric = node.op == "call" and node.data == "diag"
    return [f"{node.text}.T" if transposed and not symmetric else node.text]


def one_form(node: Expr) -> bool:
    """Return True for one squared norm, or for (…)ᵀK(…) with twice the same column."""
    row = node
    while row.op == "mul":
        row = row.args[0]
    before, after = _in_turn(row), _in_turn(row, transposed=True)
    matrix, *column = _in_turn(node)[len(before) :] or [""]
    named = matrix.removesuffix(".T").isidentifier()
    return (row.op == "transpose" and named and column == after) or one_square(node)


def a_sum(node: Expr) -> bool:
    """Return True for a sum or a difference of several terms."""
    return node.op in ("add", "sub")


def expanded(node: Expr, x: str, z: str) -> bool:
    """Return True for a sum with no sum in a term, or (vec(… x …)ᵀ vec(… z …))²."""
    if node.op == "pow":
        return inner_product_of_features(node.args[0], x, z)
    return a_sum(node) and multiplied_out(node)


def sum_or_vector(node: Expr) -> bool:
    """Return True for a sum of several terms, or for a vector of entries."""
    return a_sum(node) or (node.op == "call" and node.data == "vec")


def norms_multiplied_out(node: Expr) -> bool:
    """Return True if no difference of columns is left, and at most one exponential."""
    exponentials = [n for n in node.walk() if n.op == "call" and n.data == "exp"]
    columns = [n for n in node.walk() if a_sum(n) and n.shape != ("1", "1")]
    return len(exponentials) <= 1 and not columns


def one_product(node: Expr) -> bool:
    """Return True for a product or a sum over points, with no other term beside it."""
    if node.op == "transpose":
        return one_product(node.args[0])
    return node.op in ("mul", "sum") or (node.op == "call" and node.data == "dot")


def has_factor(node: Expr, factor: str) -> bool:
    """Return True for a product with this factor; a difference may be turned round."""
    return any(
        factor in (f.text, " - ".join(arg.text for arg in reversed(f.args)))
        for f in factors(node)
    )


def without_factor(node: Expr, factor: str) -> bool:
    """Return True for what is no product with this factor."""
    return not has_factor(node, factor)


def factors(node: Expr) -> list[Expr]:
    """Return the factors of a product; of a fraction, those of its numerator."""
    if node.op in ("div", "neg"):
        return factors(node.args[0])
    if node.op == "mul":
        return [factor for arg in node.args for factor in factors(arg)]
    return [node]


def separated(node: Expr, x: str, z: str) -> bool:
    """Return True for f(x) · exp(xᵀz/s²) · f(z): only one factor holds x and z."""
    parts = _factors_of_fraction(node)
    both = [f for f in parts if {x, z} <= f.symbols()]
    alone = [f for f in parts if len({x, z} & f.symbols()) == 1]
    if len(both) != 1 or len(alone) < 2 or both[0].op != "call":
        return False
    return not _has_squares(both[0].args[0])


def _factors_of_fraction(node: Expr) -> list[Expr]:
    if node.op in ("mul", "div"):
        return [f for arg in node.args for f in _factors_of_fraction(arg)]
    return [node]


def _has_squares(exponent: Expr) -> bool:
    """Return True if x meets x (or z meets z) somewhere in an exponent."""
    if exponent.op in ("add", "sub"):
        return True
    if exponent.op == "call" and exponent.data == "norm2":
        return True
    return any(map(_has_squares, exponent.args))


def inner_product_of_features(node: Expr, x: str, z: str) -> bool:
    """Return True for vec(… x …) times vec(… z …)."""
    if node.op == "call" and node.data == "dot":
        left, right = node.args
    elif node.op == "mul" and node.args[0].op == "transpose":
        left, right = node.args[0].args[0], node.args[1]
    else:
        return False
    vectors = [n.op == "call" and n.data == "vec" for n in (left, right)]
    names = sorted((x in n.symbols(), z in n.symbols()) for n in (left, right))
    return all(vectors) and names == [(False, True), (True, False)]


def inverses(node: Expr) -> list[Expr]:
    """Return the inverses of matrices; to invert a number is to divide."""
    return [n for n in node.walk() if n.op == "inv" and n.shape != ("1", "1")]


def inverses_have_shape(node: Expr, rows: str, columns: str) -> bool:
    """Return True if there are inverses, all of matrices of this shape."""
    found = inverses(node)
    return bool(found) and all(n.shape == (rows, columns) for n in found)


def inverted_once(node: Expr, matrix: str) -> bool:
    """Return True if the matrix occurs once, in the only inverse: no A@inv(A) left."""
    return len(inverses(node)) == len([n for n in node.walk() if n.data == matrix]) == 1


def mentions(node: Expr, name: str) -> bool:
    """Return True if the symbol occurs."""
    return name in node.symbols()


def sum_with_and_without(node: Expr, one: str, other: str) -> bool:
    """Return True for a sum in which the one symbol occurs, and the other does not."""
    return node.op == "add" and one in node.symbols() and other not in node.symbols()


VOCABULARY: dict[str, Callable[..., bool]] = {
    "multiplied out": multiplied_out,
    "a sum of monomials": sum_of_monomials,
    "a sum of squares": sum_of_squares,
    "X in squares only": in_squares_only,
    "one square": one_square,
    "one square or one quadratic form": one_form,
    "a sum multiplied out or a square of features of X and of Z": expanded,
    "a sum or a vector": sum_or_vector,
    "norms multiplied out in at most one exponential": norms_multiplied_out,
    "one product": one_product,
    "the factor X": has_factor,
    "not the factor X": without_factor,
    "functions of X and of Z times one exponential of both": separated,
    "an inner product of features of X and of Z": inner_product_of_features,
    "inverses N x M": inverses_have_shape,
    "A inverted once": inverted_once,
    "mentions X": mentions,
    "a sum with X without Z": sum_with_and_without,
}
