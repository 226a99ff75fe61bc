"""Plain NumPy meanings of the problems' symbols: what a line says, in floats.

Independent of the judge: expressions are read by Python's own `ast`, values are float
matrices of fixed random instances, gradients are central differences.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

STEP = 1e-4
TOLERANCE = 1e-5


class Misfit(Exception):
    """An expression that has no value: its shapes do not fit."""


class Unknown(Misfit):
    """An expression whose value floats cannot tell: it may have one."""


@dataclass(frozen=True)
class Eye:
    """A multiple of the identity whose size is not known yet."""

    factor: float = 1.0


@dataclass(frozen=True)
class Random:
    """A Gaussian vector: its value, and its coefficients over independent ones."""

    value: np.ndarray
    linear: np.ndarray


Value = np.ndarray | Eye | Random


def number(x: float) -> np.ndarray:
    """A number as a 1×1 matrix."""
    return np.array([[float(x)]])


def is_number(x: Value) -> bool:
    """Whether the value is 1×1."""
    return isinstance(x, np.ndarray) and x.shape == (1, 1)


def add(x: Value, y: Value) -> Value:
    """x + y; the identity takes the size of the other one."""
    if isinstance(x, Eye) and isinstance(y, Eye):
        return Eye(x.factor + y.factor)
    if isinstance(x, Random) or isinstance(y, Random):
        u, v = as_random(x, y), as_random(y, x)
        if u.value.shape != v.value.shape:
            raise Misfit("sum")
        return Random(u.value + v.value, u.linear + v.linear)
    x, y = sized(x, y), sized(y, x)
    if x.shape != y.shape:
        raise Misfit("sum")
    return x + y


def as_random(x: Value, like: Value) -> Random:
    """A constant as a random vector without variance."""
    if isinstance(x, Random):
        return x
    if isinstance(x, Eye) or not isinstance(like, Random):
        raise Unknown("random")
    return Random(x, np.zeros((len(x), like.linear.shape[1])))


def sized(x: Value, like: Value) -> np.ndarray:
    """The identity with the size of its neighbour."""
    if isinstance(x, Eye):
        if not isinstance(like, np.ndarray) or like.shape[0] != like.shape[1]:
            raise Misfit("identity")
        return x.factor * np.eye(len(like))
    if isinstance(x, Random):
        raise Unknown("random")
    return x


def scale(c: Value, x: Value) -> Value:
    """A number times anything."""
    if not is_number(c):
        raise Misfit("not a number")
    factor = c[0, 0]
    if isinstance(x, Eye):
        return Eye(factor * x.factor)
    if isinstance(x, Random):
        return Random(factor * x.value, factor * x.linear)
    return factor * x


def times(x: Value, y: Value) -> Value:
    """x * y: one of them is a number."""
    return scale(x, y) if is_number(x) else scale(y, x)


def matmul(x: Value, y: Value) -> Value:
    """x @ y, also where a number or the identity stands for a matrix."""
    if isinstance(x, Eye):
        return scale(number(x.factor), y)
    if isinstance(y, Eye):
        return scale(number(y.factor), x)
    if isinstance(x, Random):
        raise Unknown("random")
    if isinstance(y, Random):
        if x.shape[1] == 1 != len(y.value) == len(x):
            x = x.T
        if x.shape[1] != len(y.value):
            raise Misfit("product")
        return Random(x @ y.value, x @ y.linear)
    if x.shape[1] == 1 != y.shape[0] == x.shape[0]:
        x = x.T  # as for a one-dimensional x
    if x.shape[1] != y.shape[0]:
        raise Misfit("product")
    return x @ y


def power(x: Value, exponent: float) -> Value:
    """x ** exponent; a matrix by a whole number."""
    if isinstance(x, Eye):
        return Eye(x.factor**exponent)
    if isinstance(x, Random) or x.shape[0] != x.shape[1]:
        raise Misfit("power")
    if is_number(x):
        return x**exponent
    return np.linalg.matrix_power(x, int(exponent))


def inverse(x: Value) -> Value:
    """The inverse; that of a singular matrix is a misfit."""
    if isinstance(x, Eye):
        return Eye(1 / x.factor)
    if isinstance(x, Random) or x.shape[0] != x.shape[1]:
        raise Misfit("inverse")
    if np.linalg.cond(x) > 1e9:
        raise Unknown("singular")
    return np.linalg.inv(x)


def plain(x: Value) -> np.ndarray:
    """The float matrix of a value."""
    if isinstance(x, Eye):
        raise Unknown("identity without a size")
    return x.value if isinstance(x, Random) else x


def one(f: Callable[[np.ndarray], float]) -> Callable[[Value], Value]:
    """A function of a matrix whose value is a number."""
    return lambda x: number(f(plain(x)))


def scalar(f: Callable[[float], float]) -> Callable[[Value], Value]:
    """A function of a number."""

    def apply(x: Value) -> Value:
        if not is_number(x):
            raise Misfit("not a number")
        return number(f(x[0, 0]))

    return apply


def dot(x: Value, y: Value) -> Value:
    """The inner product of two columns."""
    u, v = plain(x), plain(y)
    if u.shape != v.shape or u.shape[1] != 1:
        raise Misfit("dot")
    return u.T @ v


def had(x: Value, y: Value) -> Value:
    """The product entry by entry."""
    u, v = plain(x), plain(y)
    if u.shape != v.shape:
        raise Misfit("had")
    return u * v


def cov(x: Value, y: Value) -> Value:
    """The covariance of two random vectors."""
    if not (isinstance(x, Random) and isinstance(y, Random)):
        raise Misfit("cov")
    return x.linear @ y.linear.T


def diagonal(x: Value) -> Value:
    """The diagonal matrix of a column."""
    u = plain(x)
    if u.shape[1] != 1:
        raise Misfit("diag")
    return np.diag(u[:, 0])


def column(*entries: Value) -> Value:
    """A column of numbers."""
    if not all(is_number(x) for x in entries):
        raise Misfit("vec")
    return np.vstack([plain(x) for x in entries])


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "inv": inverse,
    "norm2": one(lambda x: float(np.sum(x**2))),
    "trace": one(lambda x: float(np.trace(x))),
    "det": one(lambda x: float(np.linalg.det(x))),
    "sqrt": scalar(lambda x: float(np.sqrt(x))),
    "exp": scalar(lambda x: float(np.exp(x))),
    "log": scalar(lambda x: float(np.log(x))),
    "sum": one(lambda x: float(np.sum(x))),
    "diag": diagonal,
    "dot": dot,
    "had": had,
    "cov": cov,
    "vec": column,
}


@dataclass
class World:
    """One instance: free values, what is derived from them, sizes and rows.

    Parameters
    ----------
    free : values that a derivative may move.
    derive : the derived values, from the free ones.
    sizes : N, M, … as whole numbers.
    rows : names whose [n] is row n of a matrix, as a column.
    ranges : the size that a free index runs over; N where nothing is said.
    loss : an arbitrary function, where the problem has one.
    """

    free: dict[str, Value]
    derive: Callable[[dict[str, Value]], dict[str, Value]]
    sizes: dict[str, int]
    rows: dict[str, str]
    ranges: dict[str, str]

    def names(self, moved: dict[str, Value] | None = None) -> dict[str, Value]:
        """All values, with some of them replaced."""
        free = {**self.free, **(moved or {})}
        sizes = {name: number(size) for name, size in self.sizes.items()}
        return {**sizes, **free, **self.derive(free), **(moved or {})}


class Evaluator:
    """The value of an expression in a world, with indices bound."""

    def __init__(
        self,
        world: World,
        index: dict[str, int],
        moved: dict[str, Value] | None = None,
    ) -> None:
        self.world = world
        self.index = index
        self.moved = moved or {}
        self.values = world.names(moved)

    def __call__(self, node: ast.expr) -> Value:
        method = getattr(self, f"on_{type(node).__name__}", None)
        if method is None:
            raise Unknown(type(node).__name__)
        return method(node)

    def on_Constant(self, node: ast.Constant) -> Value:
        return number(node.value)

    def on_Name(self, node: ast.Name) -> Value:
        if node.id == "I":
            return Eye()
        if node.id == "pi":
            return number(np.pi)
        if node.id not in self.values:
            raise Unknown(node.id)
        return self.values[node.id]

    def on_UnaryOp(self, node: ast.UnaryOp) -> Value:
        value = self(node.operand)
        return scale(number(-1), value) if isinstance(node.op, ast.USub) else value

    def on_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self(node.left), self(node.right)
        match node.op:
            case ast.Add():
                return add(left, right)
            case ast.Sub():
                return add(left, scale(number(-1), right))
            case ast.Mult():
                return times(left, right)
            case ast.MatMult():
                return matmul(left, right)
            case ast.Div():
                return scale(power(right, -1), left)
            case ast.Pow():
                exponent = plain(right)[0, 0]
                return inverse(left) if exponent == -1 else power(left, exponent)
        raise Misfit("operator")

    def on_Attribute(self, node: ast.Attribute) -> Value:
        value = self(node.value)
        if node.attr != "T":
            raise Misfit(node.attr)
        if isinstance(value, Random) and value.value.shape == (1, 1):
            return value
        return value if isinstance(value, Eye) else plain(value).T

    def on_Subscript(self, node: ast.Subscript) -> Value:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        where = [self.position(part) for part in parts]
        if isinstance(node.value, ast.Name) and node.value.id in self.world.rows:
            matrix = plain(self.values[self.world.rows[node.value.id]])
            return entry(matrix, (where[0], slice(None))).reshape(-1, 1)
        matrix = plain(self(node.value))
        if len(where) == 1 and matrix.shape[1] == 1:
            where.append(0)
        if len(where) != 2:
            raise Misfit("index")
        return number(entry(matrix, tuple(where)))

    def position(self, node: ast.expr) -> int:
        """An index: a number or a bound name."""
        if isinstance(node, ast.Constant):
            return int(node.value)
        if isinstance(node, ast.Name) and node.id in self.index:
            return self.index[node.id]
        raise Misfit("index")

    def on_Call(self, node: ast.Call) -> Value:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("grad", "diff"):
            return self.gradient(*node.args)
        if name == "d":
            return self.along(node.args[0])
        if name == "sum" and isinstance(node.args[0], ast.GeneratorExp):
            return self.total(node.args[0].elt, node.args[0].generators)
        if name == "I":
            return np.eye(int(plain(self(node.args[0]))[0, 0]))
        if name == "loss":
            u = plain(self(node.args[0]))
            return number(loss(u))
        if name not in FUNCTIONS:
            raise Unknown(name)
        return FUNCTIONS[name](*(self(arg) for arg in node.args))

    def total(self, body: ast.expr, loops: list[ast.comprehension]) -> Value:
        """A sum over indices, the first loop outermost."""
        if not loops:
            return self(body)
        target, size = loops[0].target, loops[0].iter
        if not isinstance(target, ast.Name) or not isinstance(size, ast.Name):
            raise Misfit("sum")
        result: Value | None = None
        for i in range(self.world.sizes[size.id]):
            inner = Evaluator(self.world, {**self.index, target.id: i}, self.moved)
            term = inner.total(body, loops[1:])
            result = term if result is None else add(result, term)
        if result is None:
            raise Unknown("empty sum")
        return result

    def gradient(self, f: ast.expr, variable: ast.expr) -> Value:
        """Central differences, as a column or for one component."""
        if isinstance(variable, ast.Subscript) and isinstance(variable.value, ast.Name):
            return self.slope(f, variable.value.id, self.position(variable.slice))
        if not isinstance(variable, ast.Name):
            raise Misfit("grad")
        size = len(plain(self(variable)))
        return np.vstack([plain(self.slope(f, variable.id, i)) for i in range(size)])

    def slope(self, f: ast.expr, name: str, i: int) -> Value:
        """The derivative of f by one component of a column."""
        ends = []
        for sign in (1, -1):
            value = plain(self.values[name]).copy()
            entry(value, (i, 0))
            value[i, 0] += sign * STEP
            ends.append(plain(self.at({**self.moved, name: value}, f)))
        return (ends[0] - ends[1]) / (2 * STEP)

    def along(self, f: ast.expr) -> Value:
        """The derivative along θ."""
        theta = plain(self.values["θ"])
        up = plain(self.at({"θ": theta + STEP}, f))
        down = plain(self.at({"θ": theta - STEP}, f))
        return (up - down) / (2 * STEP)

    def at(self, moved: dict[str, Value], f: ast.expr) -> Value:
        """The value of f where some free values have moved."""
        return Evaluator(self.world, self.index, moved)(f)


def loss(u: np.ndarray) -> float:
    """An arbitrary function of a column: neither linear, nor even, nor positive."""
    weights = np.arange(1, len(u) + 1)[:, None]
    return float(np.sum(np.cos(2 * u) + np.sin(u) * weights + u**3))


def entry(matrix: np.ndarray, where: tuple[int | slice, ...]) -> np.ndarray:
    """An entry; one outside of the matrix is a misfit."""
    try:
        return matrix[where]
    except IndexError as error:
        raise Misfit("index") from error


def sides(relation: str) -> tuple[list[ast.expr], list[str]]:
    """Read A = B >= C as its sides and signs."""
    parts, signs = [relation], []
    depth, start, out = 0, 0, []
    i = 0
    while i < len(relation):
        c = relation[i]
        depth += (c in "([") - (c in ")]")
        sign = ">=" if relation.startswith(">=", i) else "="
        if depth == 0 and relation.startswith(sign, i):
            out.append(relation[start:i])
            signs.append(sign)
            i += len(sign)
            start = i
            continue
        i += 1
    parts = [*out, relation[start:]]
    try:
        return [ast.parse(part.strip(), mode="eval").body for part in parts], signs
    except SyntaxError as error:
        raise Unknown(relation) from error


def free_indices(nodes: list[ast.expr], world: World) -> Iterator[dict[str, int]]:
    """Every choice of the indices that no sum binds."""
    bound, used = set(), set()
    for node in itertools.chain.from_iterable(ast.walk(n) for n in nodes):
        if isinstance(node, ast.comprehension) and isinstance(node.target, ast.Name):
            bound.add(node.target.id)
        if isinstance(node, ast.Subscript):
            used |= {n.id for n in ast.walk(node.slice) if isinstance(n, ast.Name)}
    names = sorted(used - bound)
    sizes = [world.sizes.get(world.ranges.get(n, "N")) for n in names]
    if None in sizes:
        raise Unknown("index")
    ranges = [range(size) for size in sizes if size is not None]
    for values in itertools.product(*ranges):
        yield dict(zip(names, values, strict=True))


def gap(left: Value, right: Value) -> np.ndarray:
    """left - right, where 0 stands for a matrix of any shape; scaled to about 1."""
    if isinstance(left, Random) or isinstance(right, Random):
        return plain(add(left, scale(number(-1), right)))
    if is_number(left) and left[0, 0] == 0:
        return -plain(right)
    if is_number(right) and right[0, 0] == 0:
        return plain(left)
    difference = plain(add(left, scale(number(-1), right)))
    size = max(1.0, float(np.max(np.abs(sized(left, right)))))
    return difference / size


def holds(relation: str, world: World) -> bool:
    """Whether a relation is true in a world, for all values of its free indices."""
    nodes, signs = sides(relation)
    for index in free_indices(nodes, world):
        with np.errstate(all="ignore"):
            values = [Evaluator(world, index)(node) for node in nodes]
        for left, right, sign in zip(values, values[1:], signs, strict=False):
            with np.errstate(all="ignore"):
                rest = gap(left, right)
            if not np.all(np.isfinite(rest)):
                raise Unknown(relation)
            if sign == ">=" and (rest.shape != (1, 1) or rest[0, 0] < -TOLERANCE):
                return False
            if sign == "=" and np.max(np.abs(rest)) > TOLERANCE:
                return False
    return True
