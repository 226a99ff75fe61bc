"""Kernels as students write them: `k1 = Linear()*Linear()`, `k = exp(k1) + 1`.

Read by a walk over the syntax tree that knows the kernels of `kernellab.kernels`,
their combinators, numbers, and the names of the question. Nothing is evaluated by
Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kernellab import kernels as kl
from kernellab.grading.questions import exact
from kernellab.grading.questions.answers import (
    Line,
    Unreadable,
    dotted_name,
    look_alikes,
    syntax,
)
from kernellab.grading.questions.arithmetic import BINARY as OF_NUMBERS
from kernellab.grading.questions.arithmetic import literal, source
from kernellab.grading.questions.exact import Real
from kernellab.grading.questions.intervals import NoValue, pi
from kernellab.grading.questions.point_functions import PointFunction
from kernellab.kernels import Kernel, Map

MOST_PARTS = 60
LARGEST = 10**9
LARGEST_POWER = 64
LONGEST_LIST = 40

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
"""The kernels on vectors that may be named. A question may name others."""

METHODS = ("weighted", "pullback", "on", "normalize", "exp", "tanh", "polynomial")
FUNCTIONS: dict[str, Callable[[Kernel], Kernel]] = {
    "exp": kl.exp,
    "sqrt": kl.sqrt,
    "tanh": kl.tanh,
    "normalize": kl.normalize,
}
Thing = Kernel | Map | Real | tuple["Thing", ...]


@dataclass
class KernelReader:
    """Reads the lines of an answer, with the names that the question gives.

    Parameters
    ----------
    leaves : the kernels that may be named.
    names : kernels (k1) and functions (f) that are given.

    Examples
    --------
    >>> from kernellab.grading.questions.answers import split_lines
    >>> KernelReader().read(split_lines("a = Linear() + 1; k = exp(a/2)"))
    exp(0.5 * (Linear() + 1.0))
    """

    leaves: Mapping[str, type[Kernel]] = field(default_factory=lambda: LEAVES)
    names: Mapping[str, Kernel | Map] = field(default_factory=dict)

    def read(self, lines: list[Line]) -> Kernel:
        """The kernel called k, or else the last one."""
        known: dict[str, Thing] = dict(self.names)
        last: Thing | None = None
        for line in lines:
            try:
                last = self._line(line, known)
            except (Unreadable, NoValue) as error:
                raise Unreadable(f"line {line.number}: {error}") from error
            except RecursionError as error:
                raise Unreadable(f"line {line.number} is nested too deep") from error
        own = known.get("k") if "k" not in self.names else None
        answer = own if isinstance(own, Kernel) else last
        if not isinstance(answer, Kernel):
            raise Unreadable("the last line is not a kernel: write `k = …`")
        return answer

    def _line(self, line: Line, known: dict[str, Thing]) -> Thing:
        if line.name in self.names or line.name in self.leaves:
            raise Unreadable(f"`{line.name}` is given already; choose another name")
        if line.argument and "," not in line.argument:
            function = PointFunction(line.argument, line.body)
            thing: Thing = Map(function, line.name)
        else:
            thing = _Walk(self.leaves, known).thing(syntax(line.body))
        if isinstance(thing, Kernel) and len(thing.nodes()) > MOST_PARTS:
            raise Unreadable(f"this kernel has more than {MOST_PARTS} parts")
        if line.name:
            known[line.name] = thing
        return thing


@dataclass(frozen=True)
class _Walk:
    leaves: Mapping[str, type[Kernel]]
    known: Mapping[str, Thing]

    def thing(self, node: ast.expr) -> Thing:
        if isinstance(node, ast.Constant):
            return literal(node)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._name(node)
        if isinstance(node, ast.List | ast.Tuple):
            if len(node.elts) > LONGEST_LIST:
                raise Unreadable(f"a list has at most {LONGEST_LIST} entries")
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
            return Real(pi())
        text = source(node)
        if name in self.leaves or name in FUNCTIONS:
            raise Unreadable(f"`{text}` needs brackets: write `{text}()`")
        raise Unreadable(f"`{text}` is not known here. {self._help(text)}")

    def _help(self, text: str) -> str:
        strange = look_alikes(text)
        if strange:
            return f"In this name {strange}."
        given = ", ".join(self.known) or "none"
        return f"Kernels: {', '.join(self.leaves)}; names given or defined: {given}."

    def _binary(self, node: ast.BinOp) -> Thing:
        if type(node.op) not in OF_NUMBERS:
            raise Unreadable(f"`{source(node)}`: only + - * / ** join kernels")
        left, right = self.thing(node.left), self.thing(node.right)
        operate: Callable[[Any, Any], Any] = OF_NUMBERS[type(node.op)]
        if isinstance(left, Real) and isinstance(right, Real):
            result: Real = operate(left, right)
            return result
        for side in (left, right):
            if not isinstance(side, Kernel | Real):
                raise Unreadable(f"`{source(node)}` joins something that is no kernel")
        if isinstance(node.op, ast.Pow) and isinstance(right, Kernel):
            raise Unreadable(f"`{source(node)}`: an exponent is a number")
        if isinstance(node.op, ast.Pow) and abs(_float(right)) > LARGEST_POWER:
            raise Unreadable(f"an exponent is at most {LARGEST_POWER}")
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
    if isinstance(arg, Real) and name in ("exp", "sqrt"):
        return exact.exp(arg) if name == "exp" else exact.sqrt(arg)
    raise Unreadable(f"`{source(node)}`: {name} takes a kernel")


def _build(
    node: ast.expr, make: Callable[..., Any], *args: Any, **options: Any
) -> Kernel:
    """Make a kernel; what kernellab says against it is said to the student."""
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
    if isinstance(thing, Kernel | Real):
        result: Thing = -thing
        return result
    raise Unreadable("a minus sign stands before something that is no kernel")


def _plain(thing: Thing) -> Any:
    """Numbers as the kernels take them."""
    if isinstance(thing, tuple):
        return tuple(map(_plain, thing))
    return _float(thing) if isinstance(thing, Real) else thing


def _float(thing: Thing) -> float:
    if not isinstance(thing, Real):
        raise Unreadable("a number is asked for here")
    value = thing.rational
    size = abs(float(thing))
    if size > LARGEST or 0 < size < 1 / LARGEST:
        raise Unreadable("this number is too large or too small to be meant")
    if value is not None and value.denominator == 1:
        return int(value)  # an index or a degree is a whole number
    return float(Fraction(value)) if value is not None else float(thing)
