"""Shapes: every expression is rows × columns, and a slip is said in words.

Sizes are names ("N", "M", "1"). The size of I, the shape of 0 and the range of a
LaTeX sum are unknown at first; they are solved for by unification.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from kernellab.grading.language.printing import plain
from kernellab.grading.language.slips import (
    NO_NORM,
    NO_ORDER,
    NO_PRODUCT,
    NO_SPECTRUM,
    NO_SUM,
    ShapeError,
    clash,
    describe,
    literal,
    misfit,
    name,
)
from kernellab.grading.language.tree import (
    NUMBER,
    Expr,
    Relation,
    Shape,
    is_zero,
    num,
    sym,
)

__all__ = ["ShapeError", "describe", "elaborate", "literal"]

MAX_EXPONENT = 8


def elaborate(
    relation: Relation,
    symbols: Mapping[str, Shape],
    sizes: frozenset[str],
    ranges: Callable[[], Mapping[str, str]] = dict,
) -> tuple[Relation, dict[str, str]]:
    """Give every node its shape; also return the sizes of the free indices.

    Parameters
    ----------
    ranges : says where indices run of which nothing in the line says so: ∑_i 1.

    Raises
    ------
    ShapeError
        In words: "K@a is N×1, lam is a number".
    """
    work = _Elaborator(symbols, sizes, ranges)
    sides = [work.visit(side) for side in relation.sides]
    if set(relation.signs) - {"="}:
        for side in sides:
            work.check_number(side, NO_ORDER)
    for k, (left, right) in enumerate(pairwise(sides)):
        try:
            work.unify(left, right, "the two sides differ in shape")
        except ShapeError as error:
            error.place(None, relation.sides[k : k + 2])
            raise
    work.guess_sizes([node for side in sides for node in side.walk()])
    done = tuple(side.map(work.settle) for side in sides)
    free = {index: work.settled(index, size) for index, size in work.free.items()}
    return Relation(done, relation.signs), free


class _Elaborator:
    """Gives shapes to trees; unknown sizes are "?1", "?2", … until they are bound."""

    def __init__(
        self,
        symbols: Mapping[str, Shape],
        sizes: frozenset[str],
        ranges: Callable[[], Mapping[str, str]],
    ) -> None:
        self.symbols = symbols
        self.names = sizes
        self.ranges = ranges
        self.bound: dict[str, str] = {}
        self.unknowns = 0
        self.scope: dict[str, str] = {}
        self.free: dict[str, str] = {}

    # Sizes

    def fresh(self) -> str:
        self.unknowns += 1
        return f"?{self.unknowns}"

    def find(self, size: str) -> str:
        while size in self.bound:
            size = self.bound[size]
        return size

    def same(self, left: str, right: str) -> bool:
        left, right = self.find(left), self.find(right)
        if left != right and left.startswith("?"):
            self.bound[left] = right
        elif left != right and right.startswith("?"):
            self.bound[right] = left
        return self.find(left) == self.find(right)

    def of(self, node: Expr) -> Shape:
        assert node.shape is not None
        return self.find(node.shape[0]), self.find(node.shape[1])

    def is_number(self, node: Expr) -> bool:
        return self.of(node) == NUMBER

    def square(self, node: Expr, why: str) -> Shape:
        if not self.same(*self.of(node)):
            raise misfit(node, self.of(node), why)
        return self.of(node)

    def unify(self, left: Expr, right: Expr, why: str) -> None:
        one, two = self.of(left), self.of(right)
        if not (self.same(one[0], two[0]) and self.same(one[1], two[1])):
            raise clash(left, right, one, two, why)

    def check_number(self, node: Expr, why: str) -> None:
        if not all(self.same(size, "1") for size in self.of(node)):
            raise misfit(node, self.of(node), why)

    # Expressions

    def visit(self, node: Expr) -> Expr:
        try:
            return self.visited(node)
        except ShapeError as error:
            error.place(node, node.args)
            raise

    def visited(self, node: Expr) -> Expr:
        kind = node.data if node.op == "call" else node.op
        match kind:
            case "pow":
                return self.visit_power(*node.args)
            case "sum" | "stack":
                return self.visit_sum(node)
            case "total":
                return Expr("call", (self.summand(node.args[0]),), "total", NUMBER)
        args = tuple(map(self.visit, node.args))
        match kind:
            case "mul":
                return self.product(args, node.data)
            case "dot" if "1" != self.of(args[0])[1] != self.of(args[1])[1]:
                return self.product(args, "@")  # np.dot(K, a)
            case "abs":
                return self.between_bars(args[0])
            case "length2" if "1" not in self.of(args[0]):
                raise misfit(args[0], self.of(args[0]), NO_SPECTRUM)
            case "length2":
                return Expr("call", args, "norm2", NUMBER)
            case "transpose":  # whose data tells x' from x.T
                return Expr("transpose", args, None, self.turned(args[0], node.data))
        return Expr(node.op, args, node.data, self.shape(node, kind, args))

    def shape(self, node: Expr, kind: str, args: tuple[Expr, ...]) -> Shape:
        match kind:
            case "num":
                return self.zero(node) if is_zero(node) else NUMBER
            case "sym":
                return self.symbols.get(node.data, NUMBER)  # or pi, or a size
            case "eye":
                size = node.data or self.fresh()
                return size, size
            case "ones":
                return node.data or self.fresh(), "1"
            case "neg" | "d":
                return self.of(args[0])
            case "add" | "sub":
                self.unify(args[0], args[1], NO_SUM)
                return self.of(args[0])
            case "div":
                return self.quotient(*args)
            case "inv":
                return self.square(args[0], "only a square matrix has an inverse")
            case "index":
                return self.entry(args[0], node.data)
            case "grad" | "diff":
                if not self.is_number(args[0]):
                    why = "only a number has a gradient"
                    raise misfit(args[0], self.of(args[0]), why)
                return self.of(args[1])
            case "sqrt" | "exp" | "log" | "vec":
                for arg in args:
                    takes = "numbers" if kind == "vec" else "a number"
                    self.check_number(arg, f"{kind} takes {takes}")
                return str(len(args)), "1"
            case "det" | "trace":
                self.square(args[0], f"{kind} takes a square matrix")
            case "had" | "dot":
                self.unify(args[0], args[1], f"{kind} takes two of the same shape")
                return self.of(args[0]) if kind == "had" else NUMBER
            case "diag":
                rows, columns = self.of(args[0])
                if columns == "1":
                    return rows, rows
                self.square(args[0], "diag takes a column or a square matrix")
                return rows, "1"
            case "cov":
                for arg in args:
                    if not self.same(self.of(arg)[1], "1"):
                        why = "cov takes numbers and columns"
                        raise misfit(arg, self.of(arg), why)
                return self.of(args[0])[0], self.of(args[1])[0]
            case "norm" | "length":
                raise ShapeError(NO_NORM)
        return NUMBER  # also claims

    def zero(self, node: Expr) -> Shape:
        """Return the shape of 0, which is open, or that of 0_N."""
        if node.shape is None or node.shape == NUMBER:
            return self.fresh(), self.fresh()
        return node.shape

    def turned(self, node: Expr, prime: str | None) -> Shape:
        rows, columns = self.of(node)
        if prime and (rows, columns) == NUMBER:
            why = f"{name(node)}' is another symbol; give it a meaning with let"
            raise misfit(node, NUMBER, why)
        return columns, rows

    def product(self, factors: Sequence[Expr], sign: str) -> Expr:
        left, right = factors
        one, two = self.of(left), self.of(right)
        if NUMBER in (one, two):
            return Expr("mul", (left, right), "*", two if one == NUMBER else one)
        columns = one == two and one[1] == "1"
        if sign == "·" and columns:  # w·x, an inner product
            return Expr("call", (left, right), "dot", NUMBER)
        if sign == "*" and not any(n.op == "eye" or is_zero(n) for n in factors):
            entries = plain(Expr("call", (left, right), "had"))
            why = "* multiplies by a number"
            why += "; write @ for the matrix product" * (columns or one[1] == two[0])
            why += f", {entries} for entry by entry" * columns
            raise clash(left, right, one, two, why)
        if sign == "@" and one[1] == "1" != two[0] and self.same(one[0], two[0]):
            one = ("1", one[0])  # a@K@a, as for NumPy's one-dimensional a
            left = Expr("transpose", (left,), None, one)
        if not self.same(one[1], two[0]):
            raise clash(left, right, one, two, NO_PRODUCT)
        return Expr("mul", (left, right), "@", (self.find(one[0]), self.find(two[1])))

    def quotient(self, top: Expr, bottom: Expr) -> Shape:
        if is_zero(bottom):
            raise ShapeError("one cannot divide by 0")
        if not self.is_number(bottom):
            why = "one divides by numbers only; if there is an inverse, use inv(…)"
            raise misfit(bottom, self.of(bottom), why)
        return self.of(top)

    def visit_power(self, base: Expr, exponent: Expr) -> Expr:
        if base.op == "call" and base.data == "abs":
            squared = literal(exponent) == 2
            found = self.between_bars(self.visit(base.args[0]), squared)
            return found if found.data == "norm2" else self.power(found, exponent)
        return self.power(self.visit(base), exponent)

    def power(self, base: Expr, exponent: Expr) -> Expr:
        value, text = literal(exponent), f"the exponent {plain(exponent)} is not"
        if value is None and base == sym("e"):
            raise ShapeError("e is a symbol of this problem: write exp(…)")
        if value is None or abs(value) > MAX_EXPONENT:
            raise ShapeError(f"{text} a whole number up to {MAX_EXPONENT}")
        if value.denominator > 2 and self.is_number(base):
            raise ShapeError(f"{text} used here")
        if value.denominator > 1 and not self.is_number(base):
            raise ShapeError(f"{plain(base)} is a matrix: only whole powers")
        why = "only a square matrix or a number has powers"
        if value == 2 and self.of(base)[1] == "1":
            why += "; the squared length is norm2(…)"
        shape = self.square(base, why)
        return Expr("pow", (base, num(value)), None, shape)

    def visit_sum(self, node: Expr) -> Expr:
        index, size = node.data
        if index in self.scope:
            raise ShapeError(f"the index {index} is used for two sums at once")
        self.scope[index] = size or self.fresh()
        body = self.visit(node.args[0])
        data = (index, self.scope.pop(index))
        shape = self.of(body) if node.op == "sum" else (data[1], "1")
        return Expr(node.op, (body,), data, shape)

    def entry(self, base: Expr, places: Sequence[str | int]) -> Shape:
        rows, columns = self.of(base)
        if (rows, columns) == NUMBER:
            raise misfit(base, NUMBER, "it has no index; let it be a symbol of yours")
        if len(places) > 2 or (columns == "1" and len(places) == 2):
            raise misfit(base, (rows, columns), f"{len(places)} indices do not fit")
        for place, size in zip(places, (rows, columns), strict=False):
            if isinstance(place, int):
                _check_component(plain(base), place, size)
            else:
                self.place(place, size, base)
        return NUMBER if len(places) == 2 or columns == "1" else (columns, "1")

    def place(self, index: str, size: str, base: Expr) -> None:
        known = self.scope.get(index) or self.free.setdefault(index, size)
        if not self.same(known, size):
            runs = f"the index {index} runs in {self.find(known)}"
            raise ShapeError(f"{runs}, but {plain(base)} is indexed by {size} there")

    # Functions

    def summand(self, node: Expr) -> Expr:
        """Visit what all entries are summed of; x**2 and x*y are entry by entry."""
        squared = node.op == "pow" and literal(node.args[1]) == 2
        if not squared and (node.op != "mul" or node.data != "*"):
            return self.visit(node)
        pair = [self.visit(arg) for arg in node.args[: 1 if squared else 2]]
        if not any(map(self.is_number, pair)):
            self.unify(pair[0], pair[-1], "they cannot be multiplied entry by entry")
            return Expr("call", (pair[0], pair[-1]), "had", self.of(pair[0]))
        return self.power(pair[0], node.args[1]) if squared else self.product(pair, "*")

    def between_bars(self, inner: Expr, squared: bool = False) -> Expr:
        """Return |C|, a determinant, or |x|², the squared norm of a column."""
        rows, columns = self.of(inner)
        if rows == columns != "1":
            return Expr("call", (inner,), "det", NUMBER)
        if not squared:
            raise ShapeError(f"|{name(inner)}|: {NO_NORM}")
        return Expr("call", (inner,), "norm2", NUMBER)

    # The end

    def guess_sizes(self, nodes: list[Expr]) -> None:
        """Bind the sizes of ones that no neighbour fixes, if only one is possible.

        That of the other ones in the line; else the only size that occurs in it; else
        the only size of the problem.
        """
        ones = {self.of(node)[0] for node in nodes if node.op == "ones"}
        seen = {size for node in nodes for size in self.of(node)}
        seen |= {node.data for node in nodes if node.op == "sym"}
        for group in (ones & self.names, seen & self.names, self.names):
            if len(group) == 1:
                for size in ones:
                    self.same(size, *group)
                return

    def settle(self, node: Expr) -> Expr:
        """Replace unknown sizes by what they turned out to be."""
        rows, columns = self.of(node)
        data = node.data
        if node.op in ("eye", "ones"):
            data = rows
            column = node.op == "ones" and not node.data and rows == "1"  # a 𝟏
            if rows.startswith("?") or column:
                word = "I" if node.op == "eye" else "ones"
                raise ShapeError(
                    f"the size of {word} is not clear here: write {word}(N)"
                )
        if node.op in ("sum", "stack"):
            data = (data[0], self.settled(*data))
        rows, columns = ("1" if s.startswith("?") else s for s in (rows, columns))
        return Expr(node.op, node.args, data, (rows, columns))

    def settled(self, index: str, size: str) -> str:
        """Return the size that an index runs in, which must be known in the end."""
        size = self.find(size)
        if size.startswith("?"):
            size = self.ranges().get(index, "")
        if not size:
            raise ShapeError(f"where does the index {index} run? write it: in N")
        return size


def _check_component(base: str, place: int, size: str) -> None:
    entry = f"{base}[{place}]"
    if not size.isdigit():
        why = "use an index such as n, or let it be a symbol of yours"
        raise ShapeError(f"{entry}: {why}")
    if place >= int(size):
        counted = f"{base} has {size} components, counted from 0"
        raise ShapeError(f"{counted}: {entry} does not exist")
