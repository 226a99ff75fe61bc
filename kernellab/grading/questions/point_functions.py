"""Functions of a point that students define: f(x) = exp(-norm2(x)/2).

A few functions, + − · /, whole and real powers, coordinates x[0], x[1], …, and
lists of numbers for features. They are computed for all points at once: x is the
(n, d) array, a number for each point an (n, 1) column.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.errors import InputError
from kernellab.grading.questions.arithmetic import number
from kernellab.kernels.products import with_signs
from kernellab.syntax import Unreadable, counted, dotted_name, source, spell, syntax

Array = NDArray[np.float64]

MOST_FEATURES = 40

BINARY: dict[type[ast.operator], Callable[[Array, Array], Array]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
ENTRYWISE: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp,
    "log": np.log,
    "ln": np.log,
    "sqrt": np.sqrt,
    "cos": np.cos,
    "sin": np.sin,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "abs": np.abs,
}


def _norm2(x: Array) -> Array:
    return np.asarray(np.square(x).sum(axis=1, keepdims=True))


def _norm(x: Array) -> Array:
    return np.sqrt(_norm2(x))


OF_VECTORS: dict[str, Callable[[Array], Array]] = {"norm2": _norm2, "norm": _norm}


@dataclass(frozen=True)
class PointFunction:
    """A function of a point, read from text.

    Examples
    --------
    >>> f = PointFunction("x", "x[0]**2 + 1")
    >>> f(np.array([[1.0], [2.0]])).ravel()
    array([2., 5.])
    """

    argument: str
    text: str
    tree: ast.expr = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        text = with_signs(spell(self.text), {self.argument})
        object.__setattr__(self, "tree", syntax(text))
        with np.errstate(all="ignore"), contextlib.suppress(InputError):
            self._value(self.tree, np.ones((1, 1)))  # unknown names are said now

    def __call__(self, X: Array) -> Array:
        """Return the values, (n, 1), or (n, p) for a list of p features."""
        with np.errstate(all="ignore"):
            value = self._value(self.tree, X)
        if not np.isfinite(value).all():
            raise InputError(f"`{self.text}` has no finite value at some points")
        return np.array(np.broadcast_to(value, (len(X), value.shape[1])))

    def _value(self, node: ast.expr, X: Array) -> Array:
        if isinstance(node, ast.Name) and node.id == self.argument:
            return X
        if isinstance(node, ast.List | ast.Tuple):
            return self._list(node, X)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._value(node.operand, X)
        if isinstance(node, ast.BinOp):
            return self._binary(node, X)
        if isinstance(node, ast.Attribute) and node.attr == "T":
            return self._value(node.value, X)  # for x.T@x: rows are points anyway
        if isinstance(node, ast.Subscript):
            return self._coordinate(node, X)
        if isinstance(node, ast.Call):
            return self._call(node, X)
        return np.full((1, 1), float(number(node)))

    def _list(self, node: ast.List | ast.Tuple, X: Array) -> Array:
        if not 0 < len(node.elts) <= MOST_FEATURES:
            raise Unreadable(f"a list of features has 1 to {MOST_FEATURES} entries")
        columns = [self._value(entry, X) for entry in node.elts]
        return np.hstack([np.broadcast_to(c, (len(X), c.shape[1])) for c in columns])

    def _binary(self, node: ast.BinOp, X: Array) -> Array:
        if isinstance(node.op, ast.MatMult):
            return self._inner(node.left, node.right, X)
        if type(node.op) not in BINARY:
            raise Unreadable(f"`{source(node)}` has an operation that is not known")
        left, right = self._value(node.left, X), self._value(node.right, X)
        if 1 not in (left.shape[1], right.shape[1]) and left.shape != right.shape:
            raise InputError(f"`{source(node)}` joins vectors of different lengths")
        return BINARY[type(node.op)](left, right)

    def _inner(self, left: ast.expr, right: ast.expr, X: Array) -> Array:
        u, v = self._value(left, X), self._value(right, X)
        return np.asarray((u * v).sum(axis=1, keepdims=True))

    def _coordinate(self, node: ast.Subscript, X: Array) -> Array:
        index: Any = getattr(node.slice, "value", None)
        known = isinstance(node.value, ast.Name) and node.value.id == self.argument
        if not known or not isinstance(index, int) or isinstance(index, bool):
            raise Unreadable(
                f"`{source(node)}`: coordinates are written {self.argument}[0], "
                f"{self.argument}[1], …"
            )
        if not 0 <= index < X.shape[1]:
            raise InputError(
                f"{self.argument}[{index}]: counted from 0, points here "
                f"have {counted(X.shape[1], 'coordinate')}"
            )
        return X[:, [index]]

    def _call(self, node: ast.Call, X: Array) -> Array:
        name = dotted_name(node.func) or ""
        args = node.args
        if name == "dot" and len(args) == 2:
            return self._inner(args[0], args[1], X)
        function = ENTRYWISE.get(name) or OF_VECTORS.get(name)
        if function is None or len(args) != 1 or node.keywords:
            known = ", ".join([*ENTRYWISE, *OF_VECTORS])
            raise Unreadable(f"`{source(node)}` is not known here; known: {known}")
        return function(self._value(args[0], X))
