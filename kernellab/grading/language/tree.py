"""The tree of an expression: what the reader makes, and all other modules walk.

One class, told apart by `op`:

==========  ======================  =============================================
op          args                    data
==========  ======================  =============================================
num                                 Fraction
sym                                 name of a symbol ("K", "lam", "phis", "pi")
eye                                 name of its size ("N"), or None: from context
neg         x
add, sub    left, right
mul         left, right             "*", "@" or "" (juxtaposition, as in LaTeX)
div         numerator, denominator
pow         base, exponent
transpose   x
inv         x
index       base                    tuple of indices: names ("n") or numbers (0)
sum         body                    (index, size): ("n", "N")
stack       body                    (index, size): the column of the body's values
call        the arguments           name: sqrt exp log det trace norm2 had diag
                                    vec dot cov d loss total; before the shapes are
                                    known also norm, length and length2 (‖x‖₂), abs
grad        function, variable      gradient, a column
diff        function, component     derivative by one component, a number
ones                                name of its size, or None: from context
unique      x                       the claim that x is determined
invertible  x                       the claim that x has an inverse
not         claim
==========  ======================  =============================================

After `shapes.elaborate` every node knows its shape: names of sizes ("N", "1").
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

Shape = tuple[str, str]  # the names of the sizes: rows, columns
NUMBER: Shape = ("1", "1")


@dataclass(frozen=True)
class Expr:
    """A node: its operation, its arguments, and what is not an expression.

    Trees that have shapes can be computed with: ``A @ B - C.T``.
    """

    op: str
    args: tuple[Expr, ...] = ()
    data: Any = None
    shape: Shape | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return self.text

    def __add__(self, other: Expr) -> Expr:
        return Expr("add", (self, other), None, self.shape)

    def __sub__(self, other: Expr) -> Expr:
        return Expr("sub", (self, other), None, self.shape)

    def __neg__(self) -> Expr:
        return Expr("neg", (self,), None, self.shape)

    def __mul__(self, other: Expr) -> Expr:
        """A number times something."""
        return Expr("mul", (self, other), "*", other.shape)

    def __matmul__(self, other: Expr) -> Expr:
        shapes = self.shape and other.shape and (self.shape[0], other.shape[1])
        return Expr("mul", (self, other), "@", shapes)

    def __pow__(self, exponent: int | Fraction) -> Expr:
        return Expr("pow", (self, num(exponent)), None, self.shape)

    @property
    def T(self) -> Expr:
        """The transpose."""
        return Expr("transpose", (self,), None, self.shape and self.shape[::-1])

    @cached_property
    def text(self) -> str:
        """The expression in the syntax that is read."""
        from kernellab.grading.language.printing import plain

        return plain(self)

    @cached_property
    def indices(self) -> frozenset[str]:
        """The indices that are free in it: n in t[n], but not in a sum over n."""
        inner = frozenset().union(*(arg.indices for arg in self.args))
        if self.op == "index":
            return inner | {place for place in self.data if isinstance(place, str)}
        return inner - {self.data[0]} if self.op in ("sum", "stack") else inner

    def walk(self) -> Iterator[Expr]:
        """This node and all below it."""
        todo = [self]
        while todo:  # a recursion of generators would take quadratic time
            node = todo.pop()
            yield node
            todo += node.args[::-1]

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the symbols that occur."""
        if self.op == "sym":
            return frozenset((self.data,))
        return frozenset().union(*(arg.names for arg in self.args))

    def symbols(self) -> set[str]:
        """The names of the symbols that occur, as a set of one's own."""
        return set(self.names)

    def map(self, f: Callable[[Expr], Expr]) -> Expr:
        """Rebuild the tree from its leaves up, each node passed through `f`.

        What does not change stays the same object, so that what is known of it stays.
        """
        args = tuple([arg.map(f) for arg in self.args])
        same = all(map(operator.is_, args, self.args))
        return f(self if same else Expr(self.op, args, self.data, self.shape))


@dataclass(frozen=True)
class Relation:
    """A chain of sides, as in A = B >= C; a claim is one side and no sign."""

    sides: tuple[Expr, ...]
    signs: tuple[str, ...]

    def __str__(self) -> str:
        parts = [str(self.sides[0])]
        for sign, side in zip(self.signs, self.sides[1:], strict=True):
            parts += [sign, str(side)]
        return " ".join(parts)

    @property
    def difference(self) -> Expr:
        """Left − right, of one relation between numbers."""
        left, right = self.sides
        return left if is_zero(right) else left - right

    @property
    def size(self) -> int:
        """The number of nodes."""
        return sum(1 for side in self.sides for _ in side.walk())

    def symbols(self) -> set[str]:
        """The names of the symbols that occur on any side."""
        return set().union(*(side.symbols() for side in self.sides))


def num(value: int | Fraction, shape: Shape | None = NUMBER) -> Expr:
    """A number; 0 has any shape."""
    return Expr("num", data=Fraction(value), shape=shape)


def sym(name: str, shape: Shape | None = None) -> Expr:
    """A symbol."""
    return Expr("sym", data=name, shape=shape)


def call(name: str, *args: Expr, shape: Shape | None = NUMBER) -> Expr:
    """The value of a function, a number unless it is said."""
    return Expr("call", args, name, shape)


def grad(function: Expr, variable: Expr) -> Expr:
    """The gradient of a number by a symbol, of the shape of the symbol."""
    return Expr("grad", (function, variable), None, variable.shape)


def cov(one: Expr, two: Expr) -> Expr:
    """The covariance of two columns."""
    shapes = one.shape and two.shape and (one.shape[0], two.shape[0])
    return call("cov", one, two, shape=shapes)


def shared(node: Expr, known: dict[Any, Expr]) -> Expr:
    """Return the tree with equal parts as one object, so that what is known is found.

    Parameters
    ----------
    known : the parts of all trees that share them.
    """
    args = tuple([shared(arg, known) for arg in node.args])
    key = (node.op, tuple(map(id, args)), node.data, node.shape)
    if key not in known:
        same = all(map(operator.is_, args, node.args))
        known[key] = node if same else Expr(node.op, args, node.data, node.shape)
    return known[key]


def put_in(node: Expr, meaning: Callable[[str], Expr | None]) -> Expr:
    """Put what symbols mean in their place, also inside of what is put in."""

    def put(part: Expr) -> Expr:
        found = meaning(part.data) if part.op == "sym" else None
        return part if found is None else found.map(put)

    return node.map(put)


def is_zero(node: Expr) -> bool:
    """Whether the node is the literal 0."""
    return node.op == "num" and node.data == 0


def terms(node: Expr, positive: bool = True) -> list[tuple[bool, Expr]]:
    """A sum taken apart: its terms, and whether each is added."""
    match node.op:
        case "add" | "sub":
            one, two = node.args
            same = positive if node.op == "add" else not positive
            return terms(one, positive) + terms(two, same)
        case "neg":
            return terms(node.args[0], not positive)
        case "mul" if node.args[0].op == "neg":
            inner = (node.args[0].args[0], node.args[1])
            return [(not positive, Expr("mul", inner, node.data, node.shape))]
    return [(positive, node)]
