"""Numbers, vectors, matrices, sets and words as students write them, read exactly.

`1/2 + sqrt(2)`, `[1, -2, 1]`, `{0, 1/2}`, `np.array([[1, 0], [0, 1]])`. A decimal
such as 0.1 is the fraction 1/10.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction

from kernellab.grading.questions import exact
from kernellab.grading.questions.exact import Real
from kernellab.grading.questions.intervals import NoValue, pi
from kernellab.grading.questions.numerals import as_python
from kernellab.syntax import (
    Unreadable,
    counted,
    dotted_name,
    look_alikes,
    source,
    syntax,
    with_names,
)

Data = Real | str | tuple["Data", ...] | frozenset["Data"]
"""A number, a word, a list, a set."""

LONGEST_LITERAL = 60
MOST_ENTRIES = 200

FUNCTIONS: dict[str, Callable[..., Real]] = {
    "sqrt": exact.sqrt,
    "exp": exact.exp,
    "log": exact.log,
    "ln": exact.log,
    "cos": exact.cos,
    "sin": exact.sin,
    "tan": exact.tan,
    "sinh": exact.sinh,
    "cosh": exact.cosh,
    "tanh": exact.tanh,
    "log2": lambda x: exact.log(x) / exact.log(2),
    "log10": lambda x: exact.log(x) / exact.log(10),
    "abs": lambda x: abs(Real(x)),
    "min": exact.minimum,
    "max": exact.maximum,
    "Fraction": lambda a, b=1: Real(a) / b,
}
BINARY: dict[type[ast.operator], Callable[[Real, Real], Real]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
    ast.Div: lambda x, y: x / y,
    ast.Pow: lambda x, y: x**y,
}


def read_data(
    text: str,
    words: tuple[str, ...] = (),
    earlier: Mapping[str, ast.expr] | None = None,
) -> Data:
    """Read a value.

    Parameters
    ----------
    text : as a student writes it; rows of a matrix may end with a semicolon.
    words : those that may be answered.
    earlier : what was written for other names, which may occur here.

    Examples
    --------
    >>> print(read_data("1/2 + 0.25"), read_data("YES", words=("yes", "no")))
    3/4 yes
    >>> print(show(read_data("2/9*(3, 2)")), show(read_data("1; -1; 0.5")))
    [2/3, 4/9] [1, -1, 1/2]
    """
    found = _word(text, words)
    if found is not None:
        return found
    return _data(read_tree(text, earlier or {}), words)


def read_tree(text: str, earlier: Mapping[str, ast.expr]) -> ast.expr:
    """Parse a value, with the names of earlier ones replaced by what they are."""
    tree = syntax(as_python(text.strip()))
    return with_names(tree, earlier) if earlier else tree


def as_number(data: Data) -> Real:
    """Return the data, if it is one number."""
    if not isinstance(data, Real):
        raise Unreadable(f"one number is asked for, this is {describe(data)}")
    return data


def describe(data: Data) -> str:
    """Return what kind of thing it is, in words."""
    if isinstance(data, Real):
        return "a number"
    if isinstance(data, str):
        return f"the word {data}"
    if isinstance(data, frozenset):
        return f"a set of {len(data)}"
    rows = {len(row) if isinstance(row, tuple) else 0 for row in data}
    if rows and rows != {0} and len(rows) == 1:
        return f"a matrix of {len(data)}×{rows.pop()}"
    return f"a list of {len(data)}"


def show(data: Data) -> str:
    """Return the data as a person would write it."""
    if isinstance(data, tuple):
        return f"[{', '.join(map(show, data))}]"
    if isinstance(data, frozenset):
        return "{" + ", ".join(sorted(map(show, data))) + "}"
    return str(data)


def same(left: Data, right: Data) -> bool:
    """Return whether two values are equal; a column counts as the list of its
    entries.
    """
    left, right = _flat(left), _flat(right)
    if isinstance(left, Real) and isinstance(right, Real):
        return left.same(right)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return _covers(left, right) and _covers(right, left)
    return isinstance(left, str) and left == right


def _covers(left: frozenset[Data], right: frozenset[Data]) -> bool:
    return all(any(same(x, y) for x in left) for y in right)


def _flat(data: Data) -> Data:
    if isinstance(data, tuple) and data:
        if all(isinstance(row, tuple) and len(row) == 1 for row in data):
            return tuple(row[0] for row in data if isinstance(row, tuple))
        if len(data) == 1 and isinstance(data[0], tuple):
            return data[0]
    return data


def _word(text: str, words: tuple[str, ...]) -> str | None:
    plain = " ".join(text.strip().strip("\"'`.").lower().split())
    return next((word for word in words if word.lower() == plain), None)


def _data(node: ast.expr, words: tuple[str, ...]) -> Data:
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        if len(node.elts) > MOST_ENTRIES:
            raise Unreadable(f"a list has at most {MOST_ENTRIES} entries")
        entries = [_data(entry, words) for entry in node.elts]
        return frozenset(entries) if isinstance(node, ast.Set) else tuple(entries)
    if isinstance(node, ast.Dict) and not node.keys:
        return frozenset()
    if isinstance(node, ast.Call) and _wraps_a_list(node):
        return _data(node.args[0], words)
    if isinstance(node, ast.Name | ast.Constant):
        found = _word(str(getattr(node, "id", getattr(node, "value", ""))), words)
        if found is not None:
            return found
    return _multiple(node, words) or number(node)


def _multiple(node: ast.expr, words: tuple[str, ...]) -> Data | None:
    """Return a number times a list, a list over a number, minus a list; else None."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        left: ast.expr = ast.Constant(-1)
        right, divides = node.operand, False
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        left, right = node.left, node.right
        divides = isinstance(node.op, ast.Div)
    else:
        return None
    if _is_list(right) and not divides:
        return _scaled(_data(right, words), number(left))
    if _is_list(left):
        factor = number(right)
        return _scaled(_data(left, words), 1 / factor if divides else factor)
    return None


def _is_list(node: ast.expr) -> bool:
    """Return whether this is a list, or a multiple of one."""
    if isinstance(node, ast.UnaryOp):
        return _is_list(node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        return _is_list(node.left) or _is_list(node.right)
    wrapped = isinstance(node, ast.Call) and _wraps_a_list(node)
    return wrapped or isinstance(node, ast.List | ast.Tuple)


def _scaled(data: Data, factor: Real) -> Data:
    if isinstance(data, Real):
        return data * factor
    if isinstance(data, tuple):
        return tuple(_scaled(entry, factor) for entry in data)
    raise Unreadable(f"{show(data)} cannot be multiplied by a number")


def _wraps_a_list(node: ast.Call) -> bool:
    """np.array([…])"""
    plain = len(node.args) == 1 and not node.keywords
    return plain and dotted_name(node.func) in ("array", "list")


def number(node: ast.expr) -> Real:
    """Return the number that a syntax tree denotes."""
    try:
        return _number(node)
    except NoValue as error:
        raise Unreadable(f"this has no value that can be used: {error}") from error
    except RecursionError as error:
        raise Unreadable("this expression is nested too deep") from error


def _number(node: ast.expr) -> Real:
    if isinstance(node, ast.Constant):
        return literal(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _number(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        return BINARY[type(node.op)](_number(node.left), _number(node.right))
    if isinstance(node, ast.Name | ast.Attribute) and dotted_name(node) in ("pi", "e"):
        return Real(pi()) if dotted_name(node) == "pi" else exact.exp(1)
    if isinstance(node, ast.Call) and not node.keywords:
        return _call(node)
    raise Unreadable(not_a_number(node))


def _call(node: ast.Call) -> Real:
    name = dotted_name(node.func) or ""
    if name not in FUNCTIONS:
        help_ = look_alikes(name) or f"known: {', '.join(FUNCTIONS)}"
        raise Unreadable(f"`{source(node.func)}` is no function here; {help_}")
    try:
        return FUNCTIONS[name](*map(_number, node.args))
    except TypeError as error:
        given = counted(len(node.args), "number")
        raise Unreadable(f"{name} does not take {given}") from error


def literal(node: ast.Constant) -> Real:
    """Return a number as written: 0.1 is 1/10."""
    value = node.value
    if isinstance(value, complex):
        raise Unreadable("complex numbers are not allowed here: real ones are meant")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unreadable(not_a_number(node))
    if isinstance(value, float):
        text = repr(value)
        if text in ("inf", "nan") or abs(value) > 1e100 or 0 < abs(value) < 1e-100:
            raise Unreadable("this number is too large or too small to be meant")
        return Real(Fraction(text))
    if value.bit_length() > 4 * LONGEST_LITERAL:
        raise Unreadable(f"a number has at most {LONGEST_LITERAL} digits here")
    return Real(value)


def not_a_number(node: ast.expr) -> str:
    """Return why this piece of an expression is not a number."""
    text = source(node)
    strange = look_alikes(text)
    if strange:
        return f"`{text}` is not a number: {strange}"
    if isinstance(node, ast.Name):
        return f"`{text}` is not a number, and no name that is known here"
    return f"`{text}` is not a number"
