"""Shapes: every expression is rows × columns, and a slip is said in words.

Sizes are names ("N", "M", "1"). The size of I, the shape of 0 and the range of a
LaTeX sum are unknown at first; they are solved for by unification.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from kernellab.grading.language.printing import plain
from kernellab.grading.language.tree import Expr, Relation, is_zero

Shape = tuple[str, str]
NUMBER: Shape = ("1", "1")
MAX_EXPONENT = 8
NO_SUM = "they cannot be added"
NO_ORDER = "only numbers can be compared; write it for one entry, such as a[n]"
_ANY_NUMBER = Expr("num", data=Fraction(0), shape=NUMBER)


class ShapeError(ValueError):
    """Shapes that do not fit; the message is for the student."""


class _Sizes:
    """Unknown sizes ("?0", "?1", …) and what they turned out to be."""

    def __init__(self) -> None:
        self.bound: dict[str, str] = {}
        self.count = 0

    def fresh(self) -> str:
        self.count += 1
        return f"?{self.count}"

    def find(self, size: str) -> str:
        while size in self.bound:
            size = self.bound[size]
        return size

    def unknown(self, size: str) -> bool:
        return self.find(size).startswith("?")

    def same(self, left: str, right: str) -> bool:
        left, right = self.find(left), self.find(right)
        if left == right:
            return True
        if left.startswith("?"):
            self.bound[left] = right
        elif right.startswith("?"):
            self.bound[right] = left
        else:
            return False
        return True

    def shape(self, shape: Shape) -> Shape:
        return self.find(shape[0]), self.find(shape[1])


def elaborate(
    relation: Relation, symbols: Mapping[str, Shape], sizes: frozenset[str]
) -> tuple[Relation, dict[str, str]]:
    """Give every node its shape; also the sizes of the free indices.

    Raises
    ------
    ShapeError
        In words: "K@a is N×1, lam is a number".
    """
    work = _Elaborator(symbols, sizes)
    sides = [work.visit(side) for side in relation.sides]
    if ">=" in relation.signs or "<=" in relation.signs:
        for side in sides:
            work.unify(side, _ANY_NUMBER, NO_ORDER)
    for left, right in pairwise(sides):
        work.unify(left, right, "the two sides differ in shape")
    work.guess_sizes([node for side in sides for node in side.walk()])
    done = tuple(side.map(work.settle) for side in sides)
    free = {name: work.sizes.find(size) for name, size in work.free.items()}
    return Relation(done, relation.signs), free


def describe(shape: Shape) -> str:
    """ "N×1", or "a number"."""
    if shape == NUMBER:
        return "a number"
    return "×".join("?" if size.startswith("?") else size for size in shape)


class _Elaborator:
    def __init__(self, symbols: Mapping[str, Shape], sizes: frozenset[str]) -> None:
        self.symbols = symbols
        self.names = sizes
        self.sizes = _Sizes()
        self.scope: dict[str, str] = {}
        self.free: dict[str, str] = {}

    # The pieces

    def visit(self, node: Expr) -> Expr:
        if node.op in ("add", "sub", "mul", "div", "pow", "sum", "index", "call"):
            return getattr(self, f"visit_{node.op}")(node)  # type: ignore[no-any-return]
        if node.op in ("grad", "diff"):
            return self.visit_grad(node)
        args = tuple(self.visit(arg) for arg in node.args)
        data = None if node.op == "transpose" else node.data
        return Expr(node.op, args, data, self.simple_shape(node, args))

    def simple_shape(self, node: Expr, args: tuple[Expr, ...]) -> Shape:
        match node.op:
            case "num":
                return self.zero_shape() if is_zero(node) else NUMBER
            case "sym":
                return self.lookup(node.data)
            case "eye":
                size = node.data or self.sizes.fresh()
                return size, size
            case "ones":
                return node.data or self.sizes.fresh(), "1"
            case "neg":
                return self.of(args[0])
            case "transpose":
                rows, columns = self.of(args[0])
                if node.data and (rows, columns) == NUMBER:  # x' of a number x
                    raise ShapeError(
                        f"{_name(args[0])} is a number, and {_name(args[0])}' another "
                        "symbol; give it a meaning with let"
                    )
                return columns, rows
            case "inv":
                return self.square(args[0], "only a square matrix has an inverse")
            case _:  # claims
                return NUMBER

    def lookup(self, name: str) -> Shape:
        if name in self.symbols:
            return self.symbols[name]
        return NUMBER  # pi, or a size

    def zero_shape(self) -> Shape:
        return self.sizes.fresh(), self.sizes.fresh()

    def of(self, node: Expr) -> Shape:
        assert node.shape is not None
        return self.sizes.shape(node.shape)

    def square(self, node: Expr, why: str) -> Shape:
        rows, columns = self.of(node)
        if not self.sizes.same(rows, columns):
            raise ShapeError(f"{plain(node)} is {describe((rows, columns))}: {why}")
        return self.of(node)

    def is_number(self, node: Expr) -> bool:
        return self.of(node) == NUMBER

    def unify(self, left: Expr, right: Expr, why: str) -> None:
        one, two = self.of(left), self.of(right)
        if self.sizes.same(one[0], two[0]) and self.sizes.same(one[1], two[1]):
            return
        message = f"{_name(left)} is {describe(one)}, {_name(right)} is {describe(two)}"
        advice = _advice(left, right, one, two) or why
        if why == NO_SUM:
            advice = _ones_advice(left, right, one, two) or advice
        raise ShapeError(f"{message}: {advice}")

    def visit_add(self, node: Expr) -> Expr:
        left, right = (self.visit(arg) for arg in node.args)
        self.unify(left, right, NO_SUM)
        return Expr(node.op, (left, right), node.data, self.of(left))

    visit_sub = visit_add

    def visit_mul(self, node: Expr) -> Expr:
        return self.product([self.visit(arg) for arg in node.args], node.data)

    def product(self, factors: Sequence[Expr], sign: str) -> Expr:
        left, right = factors
        if self.is_number(left) or self.is_number(right):
            shape = self.of(right) if self.is_number(left) else self.of(left)
            return Expr("mul", (left, right), "*", shape)
        one, two = self.of(left), self.of(right)
        columns = one == two and one[1] == "1"
        if sign == "·" and columns:  # w·x, an inner product
            return Expr("call", (left, right), "dot", NUMBER)
        if sign == "*" and not _flexible(left) and not _flexible(right):
            entries = (
                f", {plain(Expr('call', (left, right), 'had'))} for entry by entry"
            )
            raise ShapeError(
                f"{_name(left)} is {describe(one)}, {_name(right)} is {describe(two)}: "
                "* multiplies by a number; write @ for the matrix product"
                + entries
                * columns
            )
        if sign == "@" and one[1] == "1" != two[0] == one[0]:
            left = self.transposed(left)  # a@K@a, as for NumPy's one-dimensional a
            one = self.of(left)
        if not self.sizes.same(one[1], two[0]):
            raise ShapeError(self.product_slip(left, right, one, two))
        return Expr("mul", (left, right), "@", self.sizes.shape((one[0], two[1])))

    def transposed(self, node: Expr) -> Expr:
        return Expr("transpose", (node,), None, self.of(node)[::-1])

    def product_slip(self, left: Expr, right: Expr, one: Shape, two: Shape) -> str:
        text = f"{_name(left)} is {describe(one)}, {_name(right)} is {describe(two)}: "
        text += "their product has no meaning"
        meant = None
        if one[0] == two[0]:
            meant = Expr("mul", (_transposed(left), right), "@")
        elif one[1] == two[1]:
            meant = Expr("mul", (left, _transposed(right)), "@")
        return text if meant is None else f"{text}; {_name(meant)} was meant?"

    def visit_div(self, node: Expr) -> Expr:
        top, bottom = (self.visit(arg) for arg in node.args)
        if is_zero(bottom):
            raise ShapeError("one cannot divide by 0")
        if not self.is_number(bottom):
            raise ShapeError(
                f"{_name(bottom)} is {describe(self.of(bottom))}: one divides by "
                "numbers only; multiply by an inverse, inv(…)@…, instead"
            )
        return Expr("div", (top, bottom), None, self.of(top))

    def visit_pow(self, node: Expr) -> Expr:
        base, exponent = node.args
        if base.op != "call" or base.data != "abs":
            return self.power(self.visit(base), exponent)
        base = self.between_bars(self.visit(base.args[0]), literal(exponent) == 2)
        return base if base.data == "norm2" else self.power(base, exponent)

    def power(self, base: Expr, exponent: Expr) -> Expr:
        value = literal(exponent)
        if value is None or abs(value) > MAX_EXPONENT:
            raise ShapeError(
                f"the exponent {plain(exponent)} is not a whole number up to "
                f"{MAX_EXPONENT}"
            )
        if self.is_number(base):
            if value.denominator not in (1, 2):
                raise ShapeError(f"the exponent {plain(exponent)} is not used here")
        elif value.denominator != 1:
            raise ShapeError(f"{plain(base)} is a matrix: only whole powers")
        shape = self.square(base, "only a square matrix or a number has powers")
        return Expr("pow", (base, Expr("num", data=value, shape=NUMBER)), None, shape)

    def visit_sum(self, node: Expr) -> Expr:
        name, size = node.data
        if name in self.scope:
            raise ShapeError(f"the index {name} is used for two sums at once")
        self.scope[name] = size or self.sizes.fresh()
        body = self.visit(node.args[0])
        size = self.scope.pop(name)
        return Expr("sum", (body,), (name, size), self.of(body))

    def visit_index(self, node: Expr) -> Expr:
        base = self.visit(node.args[0])
        rows, columns = self.of(base)
        places = node.data
        if columns == "1" and len(places) == 1:
            axes: tuple[str, ...] = (rows,)
            shape = NUMBER
        elif columns != "1" and len(places) == 2:
            axes, shape = (rows, columns), NUMBER
        elif columns != "1" and len(places) == 1:
            axes, shape = (rows,), (columns, "1")
        else:
            raise ShapeError(
                f"{plain(base)} is {describe((rows, columns))}: {len(places)} indices "
                "do not fit"
            )
        for place, size in zip(places, axes, strict=True):
            self.place(place, size, base)
        return Expr("index", (base,), places, shape)

    def place(self, place: str | int, size: str, base: Expr) -> None:
        if isinstance(place, int):
            if size.isdigit() and place >= int(size):
                raise ShapeError(
                    f"{plain(base)} has {size} components, counted from 0: "
                    f"{plain(base)}[{place}] does not exist"
                )
            if not size.isdigit():
                raise ShapeError(
                    f"{plain(base)}[{place}]: use an index such as n, or give it a "
                    "meaning with let if it is another symbol"
                )
            return
        known = self.scope.get(place) or self.free.setdefault(place, size)
        if not self.sizes.same(known, size):
            raise ShapeError(
                f"the index {place} runs in {self.sizes.find(known)}, but "
                f"{plain(base)} is indexed by {size} there"
            )

    def visit_grad(self, node: Expr) -> Expr:
        function, variable = (self.visit(arg) for arg in node.args)
        if not self.is_number(function):
            raise ShapeError(
                f"{plain(function)} is {describe(self.of(function))}: only a number "
                "has a gradient"
            )
        return Expr(node.op, (function, variable), None, self.of(variable))

    def visit_call(self, node: Expr) -> Expr:
        if node.data == "total":
            return Expr("call", (self.summand(node.args[0]),), "total", NUMBER)
        args = tuple(map(self.visit, node.args))
        if node.data == "dot" and "1" != self.of(args[0])[1] != self.of(args[1])[1]:
            return self.product(args, "@")  # np.dot(K, a)
        if node.data == "abs":
            return self.between_bars(args[0])
        return Expr("call", args, node.data, self.call_shape(node.data, args))

    def summand(self, node: Expr) -> Expr:
        """What a sum of all entries is of; x**2 and x*y are meant entry by entry."""
        squared = node.op == "pow" and literal(node.args[1]) == 2
        if not squared and (node.op != "mul" or node.data != "*"):
            return self.visit(node)
        pair = [self.visit(arg) for arg in node.args[: 1 if squared else 2]]
        if not any(map(self.is_number, pair)):
            self.unify(pair[0], pair[-1], "they cannot be multiplied entry by entry")
            return Expr("call", (pair[0], pair[-1]), "had", self.of(pair[0]))
        return self.power(pair[0], node.args[1]) if squared else self.product(pair, "*")

    def between_bars(self, inner: Expr, squared: bool = False) -> Expr:
        """|C| is a determinant, and |x|² the squared norm of a column."""
        rows, columns = self.of(inner)
        if rows == columns != "1":
            return Expr("call", (inner,), "det", NUMBER)
        if not squared:
            raise ShapeError(
                f"|{_name(inner)}| is not used here, only its square: norm2(x) or ‖x‖²"
            )
        return Expr("call", (inner,), "norm2", NUMBER)

    def call_shape(self, name: str, args: tuple[Expr, ...]) -> Shape:
        shape = self.of(args[0])
        match name:
            case "sqrt" | "exp" | "log":
                self.unify(args[0], _ANY_NUMBER, f"{name} takes a number")
                return NUMBER
            case "det" | "trace":
                self.square(args[0], f"{name} takes a square matrix")
                return NUMBER
            case "had" | "dot":
                self.unify(args[0], args[1], f"{name} takes two of the same shape")
                return shape if name == "had" else NUMBER
            case "diag":
                return (shape[0], shape[0]) if shape[1] == "1" else (shape[0], "1")
            case "vec":
                for arg in args:
                    self.unify(arg, _ANY_NUMBER, "vec takes numbers")
                return str(len(args)), "1"
            case "cov":
                return shape[0], self.of(args[1])[0]
            case "d":
                return shape
            case "norm":
                raise ShapeError("only the squared norm is used here: norm2(x) or ‖x‖²")
            case _:  # norm2, loss, total
                return NUMBER

    # The end

    def guess_sizes(self, nodes: list[Expr]) -> None:
        """Bind the sizes that no neighbour fixes, where only one is possible.

        That of other columns of ones in the line; else the only size that occurs in
        it; else the only size of the problem.
        """
        ones = {self.of(node)[0] for node in nodes if node.op == "ones"}
        seen = {size for node in nodes for size in self.of(node)}
        seen |= {node.data for node in nodes if node.op == "sym"}
        for group in (ones & self.names, seen & self.names, self.names):
            if len(group) == 1:
                for size in filter(self.sizes.unknown, ones):
                    self.sizes.same(size, *group)
                return

    def settle(self, node: Expr) -> Expr:
        """Replace unknown sizes by what they turned out to be."""
        shape = self.of(node)
        if node.op in ("eye", "ones"):
            if shape[0].startswith("?"):
                name = "I" if node.op == "eye" else "ones"
                raise ShapeError(
                    f"the size of {name} is not clear here: write {name}(N)"
                )
            return Expr(node.op, (), shape[0], shape)
        data = node.data
        if node.op == "sum":
            data = (data[0], self.sizes.find(data[1]))
            if data[1].startswith("?"):
                raise ShapeError(f"where does the index {data[0]} run? write it: in N")
        shape = tuple("1" if size.startswith("?") else size for size in shape)  # type: ignore[assignment]
        return Expr(node.op, node.args, data, shape)


def literal(node: Expr) -> Fraction | None:
    """The value of a number that is written out, also -1 and 1/2."""
    match node.op:
        case "num":
            return Fraction(node.data)
        case "neg":
            value = literal(node.args[0])
            return None if value is None else -value
        case "div":
            top, bottom = map(literal, node.args)
            return None if top is None or not bottom else top / bottom
    return None


def _flexible(node: Expr) -> bool:
    return node.op == "eye" or is_zero(node)


def _plain_number(node: Expr) -> bool:
    """Whether it is made of numbers alone: C, 2*C, but not w.T@w."""
    return all(n.shape == NUMBER and n.op not in ("sum", "call") for n in node.walk())


def _name(node: Expr) -> str:
    text = plain(node)
    return text if len(text) <= 40 else text[:37] + "…"


def _transposed(node: Expr) -> Expr:
    return node.args[0] if node.op == "transpose" else Expr("transpose", (node,))


def _advice(left: Expr, right: Expr, one: Shape, two: Shape) -> str | None:
    """The likely slip: a number where a multiple of I was meant, or a transpose."""
    for node, own, other in ((left, one, two), (right, two, one)):
        if own == NUMBER and other[0] == other[1]:
            return f"{_name(node)}*I was meant?"
    if one == (two[1], two[0]):
        return f"{_name(_transposed(right))} was meant?"
    return None


def _ones_advice(left: Expr, right: Expr, one: Shape, two: Shape) -> str | None:
    """A number beside a column: C - alpha for C*ones(N) - alpha."""
    for node, own, other in ((left, one, two), (right, two, one)):
        column = other[1] == "1" and not other[0].startswith("?")
        if own == NUMBER and column and _plain_number(node):
            factor = "" if literal(node) == 1 else f"{_name(node)}*"
            entries = f"{factor}ones({other[0]})"
            return f"{NO_SUM}; the same number in every entry is {entries}"
    return None
