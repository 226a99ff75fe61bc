"""Kernels written as functions of two points: x*y, exp(-(x - y)**2), (1 + x@z)**3.

The formula is rewritten into an expression of kernels, as a syntax tree, which the
reader then reads as if it had been typed. Known are

    x*y, x@y, x**p * y**p   Linear(), and its power        min(x, y)    Brownian()
    exp(-c*(x - y)**2)      Gaussian(sigma=sqrt(1/(2c)))   cos(w*(x-y)) Cosine(omega=w)
    exp(-c*abs(x - y))      Exponential(sigma=1/c)

with sums, products, powers and functions of these, and f(x)*k*f(y) for a function f
that is given. The second point is y, z or x'.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Callable, Collection

from kernellab.kernels.products import at_no_points, with_signs
from kernellab.syntax import Unreadable, dotted_name, shorten, source, spell, syntax

FIRST, SECOND = "x", "y"
KNOWN = (
    "x*y, min(x, y), exp(-(x - y)**2), exp(-abs(x - y)), cos(x - y), and sums, "
    "products, powers and functions of these; and f(x)*k*f(y), with a line f(x) = …"
)
ADVICE = (
    "Write kernels by their names, with * between factors, as in "
    "2*exp(Linear()) + 1; or a function of two points, as in exp(x*y)"
)

ELEMENTARY = ("exp", "sqrt", "tanh", "cos", "sin", "log", "ln", "abs", "norm", "norm2")
"""Functions that are no names of a student's own."""

_NAME = re.compile(r"(?<!['\w.])[^\W\d]\w*'?")
_SIGNS = (
    (r"[′’]|\^?\\prime\b", "'"),
    (r"\\cdot\b", "*"),
    (r"\^\s*\{([^{}]*)\}", r"^(\1)"),
    (r"ᵀ|⊤|(?<=[\w'])\^\(?(?:T|\\top)\b\)?", ".T "),
    (r"(?<![\w.'])x(?=(?:x'|[yz])(?!\w))", "x "),  # xy is a product
    (r"(?<![\w.'])e\s*(?:\^|\*\*)\s*\(", "exp("),
    (r"⟨([^⟨⟩,]+),([^⟨⟩,]+)⟩", r"((\1)*(\2))"),
    (r"[|‖]([^|‖]+)[|‖]", r"abs(\1)"),
)
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def kernel_syntax(
    text: str, known: Collection[str] = (), points: tuple[str, ...] = ()
) -> ast.expr:
    """Parse a kernel; one that is written with points becomes one without.

    Parameters
    ----------
    text : the kernel, as a person writes it: products need no sign.
    known : names that stand for a kernel or a number.
    points : what the two points are called, if not x and y.

    Examples
    --------
    >>> ast.unparse(kernel_syntax("(1 + 2*x*y)**3"))
    '(1 + 2 * Linear()) ** 3'
    >>> ast.unparse(kernel_syntax("exp(-(x - z)**2/8)"))
    'Gaussian(sigma=sqrt(-1 / (-1 / 8) / 2))'
    >>> ast.unparse(kernel_syntax("3k1(s, t) + f(s) k1 f(t)", {"k1"}, ("s", "t")))
    '3 * k1 + k1.weighted(f)'
    """
    plain = at_no_points(_plain(text, known, points), known)
    plain = with_signs(spell(plain), {*known, FIRST, SECOND})
    try:
        tree = syntax(plain)
    except Unreadable as error:
        raise Unreadable(f"{_quoting(error, plain, text)}. {ADVICE}") from error
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    second = names & ({SECOND, "z"} - set(known))
    if FIRST not in names - set(known) or not second:
        return tree
    found = rewrite(_second_point_named(tree, second))
    if any(map(_is_point, ast.walk(found))):
        raise Unreadable(
            f"`{shorten(text)}` cannot be read as a kernel. "
            f"What is known of two points: {KNOWN}"
        )
    return found


def _plain(text: str, known: Collection[str], points: tuple[str, ...]) -> str:
    """Write the points as x and y, k₁ as k1, |u| as abs(u), e^(u) as exp(u)."""
    renamed = dict(zip(points or (FIRST, "x'"), (FIRST, SECOND), strict=False))
    for pattern, plain in _SIGNS:
        text = re.sub(pattern, plain, text)
    text = _NAME.sub(lambda name: renamed.get(name[0], name[0]), text)
    return re.sub(
        r"\b(\w+)_(\d)\b",
        lambda name: name[1] + name[2] if name[1] + name[2] in known else name[0],
        text.translate(_SUBSCRIPTS),
    )


def _quoting(error: Unreadable, plain: str, text: str) -> str:
    """Return what is wrong, said of the text as it was typed."""
    return str(error).replace(f"`{shorten(plain)}`", f"`{shorten(text)}`")


def _second_point_named(tree: ast.expr, second: Collection[str]) -> ast.expr:
    """Call the second point y."""
    tree = copy.deepcopy(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in second:
            node.id = SECOND
    return tree


def rewrite(node: ast.expr) -> ast.expr:
    """Replace what is known of two points by kernels, from the outside inwards."""
    if isinstance(node, ast.Call):
        return _function(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.MatMult):
        return _product(node)
    if isinstance(node, ast.BinOp):
        return ast.BinOp(rewrite(node.left), node.op, rewrite(node.right))
    if isinstance(node, ast.UnaryOp):
        return ast.UnaryOp(node.op, rewrite(node.operand))
    return node


# --- products -------------------------------------------------------------------------


def _product(node: ast.expr) -> ast.expr:
    """Pair each power of x with that of y, and f(x) with f(y); leave other factors."""
    powers = {FIRST: 0, SECOND: 0}
    weights: dict[str, Counter[str]] = {FIRST: Counter(), SECOND: Counter()}
    others = []
    for factor in _factors(node):
        name, power = _power_of_point(factor)
        function, point = _weight(factor)
        if name:
            powers[name] += power
        elif function:
            weights[point][function] += 1
        else:
            others.append(rewrite(factor))
    if powers[FIRST] != powers[SECOND] or weights[FIRST] != weights[SECOND]:
        raise Unreadable(
            f"`{source(node)}` treats x and the other point differently, so it is "
            "not symmetric"
        )
    if powers[FIRST]:
        others.append(_linear_power(powers[FIRST]))
    result = others[0] if others else _call("Constant", ast.Constant(1))
    for factor in others[1:]:
        result = ast.BinOp(result, ast.Mult(), factor)
    for function in weights[FIRST].elements():
        weighted = ast.Attribute(result, "weighted")
        result = ast.Call(weighted, [ast.Name(function)], [])
    return result


def _weight(node: ast.expr) -> tuple[str, str]:
    """Return f and x of a factor f(x); no names for anything else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        args, name = node.args, node.func.id
        if len(args) == 1 and not node.keywords and name not in ELEMENTARY:
            (argument,) = args
            if isinstance(argument, ast.Name) and _is_point(argument):
                return name, argument.id
    return "", ""


def _factors(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.MatMult):
        return _factors(node.left) + _factors(node.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return [_minus_one(), *_factors(node.operand)]
    return [node]


def _power_of_point(node: ast.expr) -> tuple[str, int]:
    """Return the point and its power in x, x.T or x**3; no name for anything else."""
    if isinstance(node, ast.Attribute) and node.attr == "T":
        node = node.value
    if _is_point(node):
        assert isinstance(node, ast.Name)
        return node.id, 1
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        exponent = node.right
        if _is_point(node.left) and isinstance(exponent, ast.Constant):
            name, power = _power_of_point(node.left)
            if isinstance(exponent.value, int) and exponent.value > 0:
                return name, power * exponent.value
    return "", 0


def _linear_power(power: int) -> ast.expr:
    linear = _call("Linear")
    return linear if power == 1 else ast.BinOp(linear, ast.Pow(), ast.Constant(power))


# --- functions ------------------------------------------------------------------------


def _function(node: ast.Call) -> ast.expr:
    name, args = dotted_name(node.func), node.args
    if name in ("min", "minimum") and len(args) == 2 and all(map(_is_point, args)):
        return _call("Brownian")
    if name == "exp" and len(args) == 1:
        found = _of_the_distance(args[0])
        if found is not None:
            return found
    if name == "cos" and len(args) == 1:
        omega = _coefficient(args[0], _is_difference)
        if omega is not None:
            return _call("Cosine", omega=omega)
    return ast.Call(node.func, [rewrite(arg) for arg in args], node.keywords)


def _of_the_distance(exponent: ast.expr) -> ast.expr | None:
    """Return the kernel exp(c (x − y)²) or exp(c |x − y|); one over it, if c > 0."""
    for is_core, name in (
        (_is_squared_distance, "Gaussian"),
        (_is_distance, "Exponential"),
    ):
        c = _coefficient(exponent, is_core)
        if c is None:
            continue
        grows = sum(isinstance(part, ast.USub) for part in ast.walk(c)) % 2 == 0
        sign = ast.Constant(1) if grows else _minus_one()
        width: ast.expr = ast.BinOp(sign, ast.Div(), c)
        if name == "Gaussian":
            half = ast.BinOp(width, ast.Div(), ast.Constant(2))
            width = _call("sqrt", half)
        kernel = _call(name, sigma=width)
        return ast.BinOp(ast.Constant(1), ast.Div(), kernel) if grows else kernel
    return None


def _coefficient(
    node: ast.expr, is_core: Callable[[ast.expr], bool]
) -> ast.expr | None:
    """Return c if the expression is c times the core, with a c free of points."""
    if is_core(node):
        return ast.Constant(1)
    if isinstance(node, ast.UnaryOp):
        inner = _coefficient(node.operand, is_core)
        return inner and ast.UnaryOp(node.op, inner)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        left = _coefficient(node.left, is_core)
        if left is not None and not _has_points(node.right):
            return ast.BinOp(left, node.op, node.right)
        right = _coefficient(node.right, is_core)
        multiplied = isinstance(node.op, ast.Mult) and not _has_points(node.left)
        if right is not None and multiplied:
            return ast.BinOp(node.left, node.op, right)
    return None


def _is_point(node: object) -> bool:
    return isinstance(node, ast.Name) and node.id in (FIRST, SECOND)


def _has_points(node: ast.expr) -> bool:
    return any(map(_is_point, ast.walk(node)))


def _is_difference(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Sub)
        and _is_point(node.left)
        and _is_point(node.right)
        and ast.dump(node.left) != ast.dump(node.right)
    )


def _is_distance(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and dotted_name(node.func) in ("abs", "norm")
        and len(node.args) == 1
        and _is_difference(node.args[0])
    )


def _is_squared_distance(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Pow)
        and isinstance(node.right, ast.Constant)
        and node.right.value == 2
        and (_is_difference(node.left) or _is_distance(node.left))
    )


def _minus_one() -> ast.expr:
    return ast.UnaryOp(ast.USub(), ast.Constant(1))


def _call(name: str, *args: ast.expr, **options: ast.expr) -> ast.Call:
    keywords = [ast.keyword(key, value) for key, value in options.items()]
    return ast.Call(ast.Name(name), list(args), keywords)
