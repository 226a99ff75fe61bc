"""Kernels from text: `2*Gaussian(sigma=0.5) + Linear()**2`.

A walk over the syntax tree knows the kernels, their combinators, and numbers. Nothing
is evaluated by Python, so that the text may come from anybody.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kernellab import kernels as kl
from kernellab.kernels import Kernel, Map
from kernellab.kernels.formulas import kernel_syntax
from kernellab.syntax import Unreadable, dotted_name, look_alikes, source

MAX_PARTS = 60
MAX_NUMBER = 10**9
MAX_POWER = 64
MAX_LIST = 40
MAX_BITS = 4096

LEAVES: dict[str, type[Kernel]] = {
    cls.__name__: cls
    for cls in (
        kl.Brownian,
        kl.Constant,
        kl.Cosine,
        kl.Delta,
        kl.Exponential,
        kl.Gaussian,
        kl.HistogramIntersection,
        kl.Laplacian,
        kl.Linear,
        kl.Matern,
        kl.Periodic,
        kl.Polynomial,
        kl.RationalQuadratic,
    )
}
"""The kernels on vectors, which may be named unless others are given."""

METHODS = ("weighted", "pullback", "on", "normalize", "exp", "tanh", "polynomial")
FUNCTIONS: dict[str, Callable[[Kernel], Kernel]] = {
    "exp": kl.exp,
    "sqrt": kl.sqrt,
    "tanh": kl.tanh,
    "normalize": kl.normalize,
}
POINTS = ("x", "y", "z")
Number = Fraction | float
Thing = Kernel | Map | Fraction | float | tuple["Thing", ...]
"""What an expression may denote."""


def read_kernel(text: str) -> Kernel:
    """Read one kernel, written with kernels or with two points.

    Examples
    --------
    >>> read_kernel("exp(Linear()/2) + 1")
    exp(0.5 * Linear()) + 1.0
    >>> read_kernel("(1 + x*y)**2 + exp(-abs(x - y)/3)")
    (1.0 + Linear()) ** 2 + Exponential(sigma=3.0)
    """
    if not text.strip():
        raise Unreadable("write an expression, such as 2*Gaussian(sigma=0.5) + 1")
    thing = _read(kernel_syntax(text), {}, LEAVES)
    if not isinstance(thing, Kernel):
        raise Unreadable(f"`{text.strip()}` is not a kernel")
    return thing


def read_expression(
    text: str,
    known: Mapping[str, Thing] | None = None,
    leaves: Mapping[str, type[Kernel]] = LEAVES,
    points: tuple[str, ...] = (),
) -> Thing:
    """Read a kernel, or a part of one: a number, or a list of them.

    Parameters
    ----------
    text : the expression.
    known : what names stand for, such as k1 or f.
    leaves : the kernels that may be named.
    points : what the two points are called, in an expression that has them.

    Examples
    --------
    >>> read_expression("k1**2 + 1", {"k1": kl.Linear()})
    Linear() ** 2 + 1.0
    >>> read_expression("2k1 k1(x, x') + exp(x x')", {"k1": kl.Linear()})
    2.0 * Linear() * Linear() + exp(Linear())
    """
    known = known or {}
    values = [name for name, thing in known.items() if not isinstance(thing, Map)]
    return _read(kernel_syntax(text, values, points), known, leaves)


def _read(
    tree: ast.expr, known: Mapping[str, Thing], leaves: Mapping[str, type[Kernel]]
) -> Thing:
    try:
        thing = _Walk(leaves, known).thing(tree)
    except RecursionError as error:
        raise Unreadable("this expression is nested too deep") from error
    if isinstance(thing, Kernel) and len(thing.nodes()) > MAX_PARTS:
        raise Unreadable(f"this kernel has more than {MAX_PARTS} parts")
    return thing


@dataclass(frozen=True)
class _Walk:
    leaves: Mapping[str, type[Kernel]]
    known: Mapping[str, Thing]

    def thing(self, node: ast.expr) -> Thing:
        if isinstance(node, ast.Constant):
            return _literal(node)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._name(node)
        if isinstance(node, ast.List | ast.Tuple):
            if len(node.elts) > MAX_LIST:
                raise Unreadable(f"a list has at most {MAX_LIST} entries")
            return tuple(map(self.thing, node.elts))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return _negative(self.thing(node.operand))
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        raise Unreadable(f"`{source(node)}` is not part of the language of kernels")

    def _name(self, node: ast.Name | ast.Attribute) -> Thing:
        name = dotted_name(node)
        if name is not None and name in self.known:
            return self.known[name]
        if name == "pi":
            return math.pi
        text = source(node)
        if name in self.leaves or name in FUNCTIONS:
            raise Unreadable(f"`{text}` needs brackets: write `{text}()`")
        raise Unreadable(f"`{text}` is not known here. {self._help(text)}")

    def _help(self, text: str) -> str:
        strange = look_alikes(text)
        if strange:
            return f"In this name {strange}."
        if text in POINTS:
            return (
                "It is a point: write kernels by their names, not their values, or a "
                "function of two points, such as exp(x*y)."
            )
        if len(text) == 1:
            return "A function of a point has a line of its own: f(x) = exp(-norm2(x))."
        given = ", ".join(self.known) or "none"
        return f"Kernels: {', '.join(self.leaves)}; names given or defined: {given}."

    def _binary(self, node: ast.BinOp) -> Thing:
        if type(node.op) not in OPERATIONS:
            raise Unreadable(f"`{source(node)}`: only + - * / ** join kernels")
        left, right = self.thing(node.left), self.thing(node.right)
        operate = OPERATIONS[type(node.op)]
        if isinstance(left, Number) and isinstance(right, Number):
            return _calculate(node, operate, left, right)
        for side in (left, right):
            if not isinstance(side, Kernel | Number):
                raise Unreadable(f"`{source(node)}` joins something that is no kernel")
        if isinstance(node.op, ast.Pow) and isinstance(right, Kernel):
            raise Unreadable(f"`{source(node)}`: an exponent is a number")
        if isinstance(node.op, ast.Pow) and abs(_float(right)) > MAX_POWER:
            raise Unreadable(f"an exponent is at most {MAX_POWER}")
        return _build(node, operate, _plain(left), _plain(right))

    def _call(self, node: ast.Call) -> Thing:
        args = [self.thing(arg) for arg in node.args]
        if any(keyword.arg is None for keyword in node.keywords):
            raise Unreadable(f"`{source(node)}`: ** is not allowed in a call")
        options = {str(k.arg): _plain(self.thing(k.value)) for k in node.keywords}
        name = dotted_name(node.func)
        if name is not None and (name in self.leaves or name == "FromFeatures"):
            cls: Any = kl.FromFeatures if name == "FromFeatures" else self.leaves[name]
            return _build(node, cls, *map(_plain, args), **options)
        if name in FUNCTIONS and len(args) == 1 and not options:
            return _apply(node, str(name), args[0])
        if name is None and isinstance(node.func, ast.Attribute):
            return self._method(node, node.func, args, options)
        if name is None or name not in self.known:
            text = source(node.func)
            raise Unreadable(f"`{text}` is not known here. {self._help(text)}")
        raise Unreadable(f"`{source(node)}`: `{name}` is not called like this")

    def _method(
        self,
        node: ast.Call,
        func: ast.Attribute,
        args: list[Thing],
        options: dict[str, Any],
    ) -> Thing:
        owner = self.thing(func.value)
        if not isinstance(owner, Kernel) or func.attr not in METHODS:
            raise Unreadable(
                f"`{source(node)}`: the methods of a kernel are {', '.join(METHODS)}"
            )
        wants_map = func.attr in ("weighted", "pullback")
        if wants_map and not all(isinstance(arg, Map) for arg in args):
            raise Unreadable(
                f"`{func.attr}` takes a function: define one in a line of its own, "
                "such as `f(x) = exp(-norm2(x))`"
            )
        return _build(node, getattr(owner, func.attr), *map(_plain, args), **options)


def _apply(node: ast.Call, name: str, arg: Thing) -> Thing:
    if isinstance(arg, Kernel):
        return FUNCTIONS[name](arg)
    if isinstance(arg, Number) and name in ("exp", "sqrt"):
        return _calculate(node, getattr(math, name), arg)
    raise Unreadable(f"`{source(node)}`: {name} takes a kernel")


def _build(
    node: ast.expr, make: Callable[..., Any], *args: Any, **options: Any
) -> Kernel:
    """Make a kernel; pass on what kernellab says against it."""
    try:
        kernel = make(*args, **options)
    except (TypeError, ValueError, ArithmeticError, LookupError) as error:
        raise Unreadable(f"`{source(node)}`: {_first_line(error)}") from error
    if not isinstance(kernel, Kernel):
        raise Unreadable(f"`{source(node)}` is not a kernel")
    return kernel


def _first_line(error: Exception) -> str:
    text = str(error).splitlines() or [type(error).__name__]
    return text[0][:300]


def _negative(thing: Thing) -> Thing:
    if isinstance(thing, Kernel | Number):
        result: Thing = -thing
        return result
    raise Unreadable("a minus sign stands before something that is no kernel")


def _plain(thing: Thing) -> Any:
    """Turn numbers into what kernels take."""
    if isinstance(thing, tuple):
        return tuple(map(_plain, thing))
    return _float(thing) if isinstance(thing, Number) else thing


def _float(thing: Thing) -> float:
    if not isinstance(thing, Number):
        raise Unreadable("a number is asked for here")
    size: Any = abs(thing)
    if not size <= MAX_NUMBER or 0 < size < 1 / MAX_NUMBER:
        raise Unreadable("this number is too large or too small to be meant")
    # An index or a degree is a whole number.
    return int(thing) if thing == int(thing) else float(thing)


# --- numbers --------------------------------------------------------------------------


def _literal(node: ast.Constant) -> Fraction:
    """Read a number as it is written: 0.1 is 1/10."""
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unreadable(f"`{source(node)}` is not a number")
    if not math.isfinite(value):
        raise Unreadable("this number is too large or too small to be meant")
    return Fraction(repr(value))


def _power(x: Any, n: Any) -> Any:
    """Compute xⁿ; of fractions exactly, unless that is long."""
    if isinstance(x, Kernel):
        return x**n
    if isinstance(x, Fraction) and isinstance(n, Fraction) and n.denominator == 1:
        bits = x.numerator.bit_length() + x.denominator.bit_length()
        if bits * abs(n) <= MAX_BITS:
            return x ** int(n)
    value = math.pow(x, n)
    if x and not value:
        raise OverflowError("too small for a float")
    return value


def _calculate(
    node: ast.expr, operate: Callable[..., Fraction | float], *args: Fraction | float
) -> Fraction | float:
    try:
        return operate(*args)
    except (ArithmeticError, ValueError) as error:
        raise Unreadable(
            f"`{source(node)}` is too large, too small, or has no value"
        ) from error


OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: _power,
}
