"""From trees to polynomials of tensor networks.

Definitions stay closed unless they are opened by name; the student's own symbols are
abbreviations, and always opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations, product

from kernellab.grading.language.shapes import NUMBER, Shape
from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.networks import (
    COLUMN,
    ONE,
    ROW,
    Algebra,
    Poly,
    Powers,
    Rational,
    Term,
    Untranslatable,
    whole,
)
from kernellab.grading.proving.trees import atom_tree, scalar_tree
from kernellab.grading.symbols import Symbol

SYMMETRIC = ("symmetric", "psd", "pd")
COVARIANCES = "cov"  # opened like a definition: all declared covariances at once


@dataclass(frozen=True)
class Scope:
    """What the names of a line mean.

    Parameters
    ----------
    symbols : the problem's and the student's.
    own : the names that the student defined, which are always opened.
    tangents : name → its derivative along θ: C → dC.
    covariances : pairs of random variables → their covariance.
    sizes : the sizes of free indices, by name.
    """

    symbols: Mapping[str, Symbol]
    own: frozenset[str] = frozenset()
    tangents: Mapping[str, str] = field(default_factory=dict)
    covariances: Mapping[tuple[str, str], Expr] = field(default_factory=dict)
    sizes: Mapping[str, str] = field(default_factory=dict)

    def definition(self, name: str) -> Expr | None:
        """Return what a name stands for, if it stands for something."""
        return self.symbols[name].definition if name in self.symbols else None

    def depends(self, name: str, on: str) -> bool:
        """Return True if a symbol is defined, at any depth, through another."""
        return on in self.below(name)

    def below(self, name: str) -> set[str]:
        """Return all names in the definition of a name, at any depth."""
        found: set[str] = set()
        todo = [name]
        while todo:
            definition = self.definition(todo.pop())
            if definition is not None:
                new = definition.symbols() - found
                found |= new
                todo += new
        return found

    def varies(self, name: str) -> bool:
        """Return True if a symbol depends on θ."""
        return bool(({name} | self.below(name)) & set(self.tangents))


class Translator:
    """Translates trees, with some definitions opened."""

    def __init__(
        self, algebra: Algebra, scope: Scope, opened: frozenset[str] = frozenset()
    ) -> None:
        self.algebra = algebra
        self.scope = scope
        self.opened = opened | scope.own
        self.sizes = dict(scope.sizes)
        self.used: set[str] = set()
        self.memo: dict[int, tuple[Expr, Poly]] = {}

    def with_opened(self, opened: frozenset[str]) -> Translator:
        """Return a translator with other definitions opened."""
        return Translator(self.algebra, replace(self.scope, sizes=self.sizes), opened)

    def __call__(self, node: Expr) -> Poly:
        """Return the polynomial of an expression.

        Raises
        ------
        Untranslatable
            If it has no normal form.
        """
        if not node.indices and id(node) in self.memo:
            return self.memo[id(node)][1]
        rule = _RULES.get(node.op)
        if rule is None:
            raise Untranslatable(node.op)
        poly = rule(self, node)
        if not node.indices:
            self.memo[id(node)] = (node, poly)
        return poly

    def positive(self, poly: Poly) -> bool:
        """Return True if a number is known to be positive: s, 1 + s, 2·s·t."""
        sharp = [self._is_positive(powers) for powers, _ in poly]
        kept = [
            c > 0 and not nets and (self._is_positive(powers) or _is_even(powers))
            for (powers, nets), c in poly.items()
        ]
        return any(sharp) and all(kept)

    def _is_positive(self, powers: Powers) -> bool:
        return all(self.algebra.atoms[a].positive for a, _ in powers)


def _is_even(powers: Powers) -> bool:
    return all(power % 2 == 0 for _, power in powers)


def _axes(shape: Shape) -> list[tuple[int, str]]:
    """Return the free indices of a shape, with their sizes."""
    pairs = zip((ROW, COLUMN), shape, strict=True)
    return [(index, size) for index, size in pairs if size != "1"]


def _shape(node: Expr) -> Shape:
    assert node.shape is not None
    return node.shape


# Leaves


def _num(t: Translator, node: Expr) -> Poly:
    return t.algebra.number(node.data)


def _sym(t: Translator, node: Expr) -> Poly:
    name = node.data
    symbol = t.scope.symbols.get(name)
    if symbol is None:
        if name == "pi":
            atom = t.algebra.atom("symbol", "pi", positive=True, nonneg=True, tree=node)
            return t.algebra.single(atom)
        return t.algebra.single(t.algebra.size(name))
    if name in t.opened and symbol.definition is not None:
        t.used.add(name)
        return t(symbol.definition)
    return symbol_poly(t.algebra, symbol)


def symbol_poly(algebra: Algebra, symbol: Symbol) -> Poly:
    """Return a symbol as it stands; one of literal size by its entries."""
    key = ("symbol", symbol.name, symbol.kind, symbol.shape)
    if key not in algebra.kept:
        algebra.kept[key] = _symbol_poly(algebra, symbol)
    found: Poly = algebra.kept[key]
    return found


def _symbol_poly(algebra: Algebra, symbol: Symbol) -> Poly:
    axes = _axes(symbol.shape)
    literal = [(i, size) for i, size in axes if size.isdigit()]
    if not literal:
        return algebra.single(symbol_atom(algebra, symbol), tuple(i for i, _ in axes))
    total: Poly = {}
    for places in product(
        *(range(int(s)) if s.isdigit() else (None,) for _, s in axes)
    ):
        total = algebra.add(total, _entry(algebra, symbol, axes, places))
    return total


def _entry(
    algebra: Algebra,
    symbol: Symbol,
    axes: list[tuple[int, str]],
    places: tuple[int | None, ...],
) -> Poly:
    """Return one entry of a symbol, times the basis vectors of its place."""
    if any(place is None for place in places):
        raise Untranslatable("a matrix with one literal size")
    at = tuple(sorted(places) if symbol.kind in SYMMETRIC else places)  # type: ignore[type-var]
    tree = Expr(
        "index", (Expr("sym", data=symbol.name, shape=symbol.shape),), at, NUMBER
    )
    diagonal = len(at) == 2 and at[0] == at[1]
    nonneg = symbol.kind == "nonneg" or (diagonal and symbol.kind in ("psd", "pd"))
    atom = algebra.atom(
        "entry", (symbol.name, at), tree=tree, nonneg=nonneg,
        positive=diagonal and symbol.kind == "pd",
    )  # fmt: skip
    poly = algebra.single(atom)
    for (index, _), place in zip(axes, places, strict=True):
        assert place is not None
        poly = algebra.multiply(poly, basis(algebra, place, index))
    return poly


def basis(algebra: Algebra, k: int, index: int) -> Poly:
    """Return the basis vector e_k."""
    return algebra.single(algebra.atom("basis", k, sizes=("",)), (index,))


def symbol_atom(algebra: Algebra, symbol: Symbol) -> int:
    """Return the atom of a symbol, with what is declared of it."""
    sizes = tuple(size for _, size in _axes(symbol.shape))
    kind = symbol.kind
    return algebra.atom(
        "symbol", symbol.name, sizes=sizes,
        symmetric=len(sizes) == 2 and kind in SYMMETRIC,
        positive=kind == "positive", nonneg=kind in ("positive", "nonneg"),
        tree=Expr("sym", data=symbol.name, shape=symbol.shape),
    )  # fmt: skip


def _eye(t: Translator, node: Expr) -> Poly:
    return eye(t.algebra, node.data)


def eye(algebra: Algebra, size: str) -> Poly:
    """Return the identity of a size, with free rows and columns."""
    if size.isdigit():
        one = algebra.number(1) if size == "1" else {}
        for k in range(int(size) if size != "1" else 0):
            pair = algebra.multiply(basis(algebra, k, ROW), basis(algebra, k, COLUMN))
            one = algebra.add(one, pair)
        return one
    return algebra.single(
        algebra.atom("eye", size, sizes=(size, size), symmetric=True,
                     tree=Expr("eye", data=size, shape=(size, size))),
        (ROW, COLUMN),
    )  # fmt: skip


def _ones(t: Translator, node: Expr) -> Poly:
    if node.data.isdigit() and node.data != "1":
        parts = [basis(t.algebra, k, ROW) for k in range(int(node.data))]
        return t.algebra.add(*parts)
    return t.algebra.number(1)


# Algebra


def _neg(t: Translator, node: Expr) -> Poly:
    return t.algebra.scale(t(node.args[0]), -1)


def _add(t: Translator, node: Expr) -> Poly:
    return t.algebra.add(t(node.args[0]), t(node.args[1]))


def _sub(t: Translator, node: Expr) -> Poly:
    return t.algebra.subtract(t(node.args[0]), t(node.args[1]))


def _mul(t: Translator, node: Expr) -> Poly:
    left, right = t(node.args[0]), t(node.args[1])
    if node.data == "*":
        return t.algebra.multiply(left, right)
    return matmul(t.algebra, left, right, _shape(node.args[0])[1])


def matmul(algebra: Algebra, left: Poly, right: Poly, size: str) -> Poly:
    """Return the matrix product; `size` is what is summed over."""
    if size == "1":
        return algebra.multiply(left, right)
    return algebra.contracted(left, right, size)


def _div(t: Translator, node: Expr) -> Poly:
    return t.algebra.multiply(t(node.args[0]), _power_of(t, node.args[1], -1))


def _pow(t: Translator, node: Expr) -> Poly:
    exponent = whole(Fraction(node.args[1].data))
    if _shape(node) == NUMBER:
        return _power_of(t, node.args[0], exponent)
    base = t(node.args[0])
    if exponent < 0:
        base = inverse(t, node.args[0])
    result, size = base, _shape(node)[0]
    for _ in range(abs(int(exponent)) - 1):
        result = matmul(t.algebra, result, base, size)
    return result if exponent else eye(t.algebra, size)


def _power_of(t: Translator, node: Expr, exponent: Rational) -> Poly:
    base = t(node)
    try:
        if exponent < 0 and t.algebra.free(base):
            return _applied(t, "reciprocal", base, node)
        return t.algebra.power(base, exponent, t.positive)
    except ZeroDivisionError as error:
        raise Untranslatable("a power of 0") from error


def _transpose(t: Translator, node: Expr) -> Poly:
    poly = t(node.args[0])
    return poly if _shape(node) == NUMBER else t.algebra.transposed(poly)


def _inv(t: Translator, node: Expr) -> Poly:
    if _shape(node) == NUMBER:
        return _power_of(t, node.args[0], -1)
    return inverse(t, node.args[0])


def inverse(t: Translator, node: Expr) -> Poly:
    """Return the inverse of a matrix, scaled so that equal ones have equal atoms."""
    return inverse_of(t, t(node), written_out(t, node))


def inverse_of(t: Translator, poly: Poly, tree: Expr) -> Poly:
    """Return the inverse of a polynomial; `tree` says the same as an expression."""
    algebra, size = t.algebra, _shape(tree)[0]
    if algebra.free(poly) - {ROW, COLUMN} or size.isdigit():
        raise Untranslatable("an inverse with an index")
    if not poly:
        raise Untranslatable("the inverse of 0")
    known = _inverse_of_inverse(algebra, poly)
    if known is not None:
        return known
    factor, core = common_factor(algebra, poly)
    inner = core
    if core != eye(algebra, size):
        turned = algebra.transposed(core)
        swap = sorted(core.items()) > sorted(turned.items())
        base = turned if swap else core
        atom = algebra.atom(
            "inverse", frozenset(base.items()), sizes=(size, size),
            symmetric=core == turned, inner=base,
            tree=_inverse_tree(algebra, tree, factor, swap),
        )  # fmt: skip
        inner = algebra.single(atom, (COLUMN, ROW) if swap else (ROW, COLUMN))
    return algebra.multiply(algebra.power(factor, -1, t.positive), inner)


def _inverse_of_inverse(algebra: Algebra, poly: Poly) -> Poly | None:
    if len(poly) != 1:
        return None
    (((powers, nets), c),) = poly.items()
    if len(nets) != 1 or len(nets[0]) != 1 or powers:
        return None
    atom, indices = nets[0][0]
    if algebra.kind(atom) != "inverse":
        return None
    inner = algebra.atoms[atom].inner
    assert inner is not None
    return algebra.scale(
        inner if indices == (ROW, COLUMN) else algebra.transposed(inner),
        Fraction(1) / c,
    )


def common_factor(algebra: Algebra, poly: Poly) -> tuple[Poly, Poly]:
    """Split off the leading coefficient and the powers that all terms share."""
    shared: dict[int, Rational] = {}
    for atom in {a for powers, _ in poly for a, _ in powers}:
        least = min(dict(powers).get(atom, 0) for powers, _ in poly)
        if least and algebra.kind(atom) in ("symbol", "size", "net", "entry"):
            shared[atom] = least
    core: Poly = {}
    for (powers, nets), c in poly.items():
        left = {a: p - shared.get(a, 0) for a, p in powers}
        left |= {a: -p for a, p in shared.items() if a not in left}
        kept = tuple(sorted((a, p) for a, p in left.items() if p))
        core[kept, nets] = c
    lead, monic = algebra.monic(core)
    factor: Poly = {(tuple(sorted(shared.items())), ()): lead}
    return factor, monic


def _inverse_tree(algebra: Algebra, inner: Expr, factor: Poly, swap: bool) -> Expr:
    """Return the atom of an inverse as an expression."""
    ((powers, _), c) = next(iter(factor.items()))
    scale = scalar_tree(algebra, powers, c)
    if scale != Expr("num", data=Fraction(1)):
        inner = Expr("div", (inner, scale), None, inner.shape)
    if swap:
        inner = Expr("transpose", (inner,), None, inner.shape)
    return Expr("inv", (inner,), None, inner.shape)


def written_out(t: Translator, node: Expr) -> Expr:
    """Return the tree with the opened definitions put in."""

    def put(part: Expr) -> Expr:
        if part.op == "sym" and part.data in t.opened:
            definition = t.scope.definition(part.data)
            return part if definition is None else definition.map(put)
        return part

    return node.map(put)


# Indices


def _index(t: Translator, node: Expr) -> Poly:
    base = t(node.args[0])
    shape = _shape(node.args[0])
    if len(node.data) == 1:
        base = _at(t, base, ROW, shape[0], node.data[0])
        return base if _shape(node) == NUMBER else t.algebra.transposed(base)
    row, column = node.data
    base = _at(t, base, ROW, shape[0], row)
    return _at(t, base, COLUMN, shape[1], column)


def _at(t: Translator, poly: Poly, axis: int, size: str, place: str | int) -> Poly:
    if isinstance(place, int):
        picked = t.algebra.multiply(poly, basis(t.algebra, place, axis))
        return t.algebra.sum_over(picked, {axis: size})
    t.sizes.setdefault(place, size)
    return t.algebra.renamed(poly, {axis: t.algebra.index(place)})


def _sum(t: Translator, node: Expr) -> Poly:
    name, size = node.data
    outer, t.sizes[name] = t.sizes.get(name), size
    body = t(node.args[0])
    if outer is None:
        del t.sizes[name]
    else:
        t.sizes[name] = outer
    return t.algebra.sum_over(body, {t.algebra.index(name): size})


def _stack(t: Translator, node: Expr) -> Poly:
    name, size = node.data
    t.sizes[name] = size
    return t.algebra.renamed(t(node.args[0]), {t.algebra.index(name): ROW})


# Functions


def _call(t: Translator, node: Expr) -> Poly:
    rule = _CALLS.get(node.data)
    if rule is None:
        raise Untranslatable(f"{node.data}(…)")
    return rule(t, node)


def _norm2(t: Translator, node: Expr) -> Poly:
    x = t(node.args[0])
    return t.algebra.multiply(x, x, dict(_axes(_shape(node.args[0]))))


def _dot(t: Translator, node: Expr) -> Poly:
    x, y = map(t, node.args)
    return t.algebra.multiply(x, y, dict(_axes(_shape(node.args[0]))))


def _had(t: Translator, node: Expr) -> Poly:
    return t.algebra.multiply(t(node.args[0]), t(node.args[1]))


def _trace(t: Translator, node: Expr) -> Poly:
    x = t.algebra.renamed(t(node.args[0]), {COLUMN: ROW})
    return t.algebra.sum_over(x, {ROW: _shape(node.args[0])[0]})


def _total(t: Translator, node: Expr) -> Poly:
    return t.algebra.sum_over(t(node.args[0]), dict(_axes(_shape(node.args[0]))))


def _diag(t: Translator, node: Expr) -> Poly:
    x, shape = t(node.args[0]), _shape(node.args[0])
    if shape[1] == "1":
        return t.algebra.multiply(x, eye(t.algebra, shape[0]))
    return t.algebra.renamed(x, {COLUMN: ROW})


def _vec(t: Translator, node: Expr) -> Poly:
    if len(node.args) == 1:
        return t(node.args[0])
    parts = [
        t.algebra.multiply(t(arg), basis(t.algebra, k, ROW))
        for k, arg in enumerate(node.args)
    ]
    return t.algebra.add(*parts)


def _sqrt(t: Translator, node: Expr) -> Poly:
    return _power_of(t, node.args[0], Fraction(1, 2))


def _function(t: Translator, node: Expr) -> Poly:
    inner = t(node.args[0])
    if node.data == "exp" and not inner:
        return t.algebra.number(1)
    if node.data == "log" and inner == {ONE: 1}:
        return {}
    known = _exponent(t.algebra, inner) if node.data == "log" else None
    if known is not None:
        return known
    return _applied(t, node.data, inner, node.args[0])


def _exponent(algebra: Algebra, poly: Poly) -> Poly | None:
    """Return p for exp(p)."""
    if len(poly) != 1:
        return None
    (((powers, nets), c),) = poly.items()
    if nets or c != 1 or len(powers) != 1 or powers[0][1] != 1:
        return None
    atom = algebra.atoms[powers[0][0]]
    return atom.inner if atom.kind == "function" and atom.data[0] == "exp" else None


def _applied(t: Translator, name: str, inner: Poly, node: Expr) -> Poly:
    """Return a function of a number, which may depend on indices."""
    free = sorted(t.algebra.free(inner) - {ROW, COLUMN}, reverse=True)
    if name == "loss":
        if free:
            raise Untranslatable("loss of an indexed column")
        tree = Expr("call", (written_out(t, node),), "loss", NUMBER)
        key = ("loss", frozenset(inner.items()))
        return t.algebra.single(t.algebra.atom("function", key, inner=inner, tree=tree))
    if not free:
        return t.algebra.single(t.algebra.function(name, inner))
    sizes = {t.algebra.index(n): size for n, size in t.sizes.items()}
    places = {i: t.algebra.index(f"#{k}") for k, i in enumerate(free)}
    key = (name, frozenset(t.algebra.renamed(inner, places).items()))
    atom = t.algebra.atom(
        "function", key, sizes=tuple(sizes[i] for i in free), positive=name == "exp",
        nonneg=name == "exp", inner=t.algebra.renamed(inner, places),
    )  # fmt: skip
    return t.algebra.single(atom, tuple(free))


def _det(t: Translator, node: Expr) -> Poly:
    inner, size = t(node.args[0]), _shape(node.args[0])[0]
    if inner == eye(t.algebra, size):
        return t.algebra.number(1)
    if size.isdigit():
        return _literal_det(t, node.args[0], int(size))
    tree = Expr("call", (written_out(t, node.args[0]),), "det", NUMBER)
    return t.algebra.single(
        t.algebra.atom("det", frozenset(inner.items()), inner=inner, tree=tree)
    )


def _literal_det(t: Translator, node: Expr, size: int) -> Poly:
    """Return Leibniz' formula for a determinant of literal size."""
    if size > 3:
        raise Untranslatable("a determinant of this size")
    total: Poly = {}
    for order in permutations(range(size)):
        odd = sum(a > b for k, a in enumerate(order) for b in order[k + 1 :]) % 2
        product_ = t.algebra.number(-1 if odd else 1)
        for row, column in enumerate(order):
            entry = Expr("index", (node,), (row, column), NUMBER)
            product_ = t.algebra.multiply(product_, t(entry))
        total = t.algebra.add(total, product_)
    return total


# Covariances


def _cov(t: Translator, node: Expr) -> Poly:
    left = _linear(t, t(node.args[0]))
    right = _linear(t, t(node.args[1]))
    return covariance(t, left, right)


Part = tuple[str, int | None, Poly]  # a random symbol, its index, what multiplies it


def _linear(t: Translator, poly: Poly) -> list[Part]:
    """Split a random vector into its random symbols and what multiplies them."""
    found: list[Part] = []
    joint = t.algebra.index("#random")
    for term, c in poly.items():
        raw = t.algebra.opened(term, c, nets=True)
        places = [k for k, (a, _) in enumerate(raw.factors) if _is_random(t, a)]
        numbers = [a for a in raw.powers if _is_random(t, a)]
        hidden = [
            a for a in [*raw.powers, *(a for a, _ in raw.factors)]
            if not _is_random(t, a) and _holds_random(t, a)
        ]  # fmt: skip
        if len(places) + len(numbers) > 1 or hidden:
            raise Untranslatable("a covariance of something that is not linear")
        if places:
            atom, (index,) = raw.factors.pop(places[0])
            sizes = t.algebra.atoms[atom].sizes
            link = t.algebra.atom(
                "eye", sizes[0], sizes=(sizes[0],) * 2, symmetric=True
            )
            raw.factors.append((link, (index, joint)))
            rest = t.algebra.collected([raw])
            found.append((t.algebra.atoms[atom].data, joint, rest))
        elif numbers:
            if raw.powers.pop(numbers[0]) != 1:
                raise Untranslatable("a covariance of something that is not linear")
            rest = t.algebra.collected([raw])
            found.append((t.algebra.atoms[numbers[0]].data, None, rest))
    return found


def _is_random(t: Translator, atom: int) -> bool:
    known = t.algebra.atoms[atom]
    symbol = t.scope.symbols.get(known.data) if known.kind == "symbol" else None
    return symbol is not None and symbol.kind == "random"


def _holds_random(t: Translator, atom: int) -> bool:
    """Return True if a random symbol is inside a function, a power or an inverse."""
    names = [n for n, s in t.scope.symbols.items() if s.kind == "random"]
    return t.algebra.kind(atom) != "cov" and any(moves(t, atom, n) for n in names)


def covariance(t: Translator, left: list[Part], right: list[Part]) -> Poly:
    """Return the covariance of two vectors, bilinear in their random symbols."""
    algebra, result = t.algebra, dict[Term, Rational]()
    joint, other = algebra.index("#random"), algebra.index("#other")
    for one, i, x in left:
        for two, j, y in right:
            middle = algebra.renamed(_known(t, one, two), {ROW: joint, COLUMN: other})
            turned = algebra.renamed(y, {joint: other, ROW: COLUMN})
            summed = {}
            if i is not None:
                summed[joint] = t.scope.symbols[one].shape[0]
            if j is not None:
                summed[other] = t.scope.symbols[two].shape[0]
            product = algebra.multiply(x, middle)
            result = algebra.add(result, algebra.multiply(product, turned, summed))
    return result


def _known(t: Translator, one: str, two: str) -> Poly:
    """Return cov(one, two) with rows for one and columns for two."""
    if COVARIANCES in t.opened:
        for pair, turned in (((one, two), False), ((two, one), True)):
            if pair in t.scope.covariances:
                t.used.add(COVARIANCES)
                poly = t(t.scope.covariances[pair])
                return t.algebra.transposed(poly) if turned else poly
    if one > two:
        return t.algebra.transposed(_known(t, two, one))
    axes = [
        (index, t.scope.symbols[name].shape[0])
        for index, name in ((ROW, one), (COLUMN, two))
        if t.scope.symbols[name].shape[0] != "1"
    ]
    args = tuple(
        Expr("sym", data=n, shape=t.scope.symbols[n].shape) for n in (one, two)
    )
    shape = (t.scope.symbols[one].shape[0], t.scope.symbols[two].shape[0])
    atom = t.algebra.atom(
        "cov", (one, two), sizes=tuple(size for _, size in axes),
        symmetric=one == two and len(axes) == 2,
        tree=Expr("call", args, "cov", shape),
    )  # fmt: skip
    return t.algebra.single(atom, tuple(index for index, _ in axes))


# Derivatives, which stay closed until a fact computes them


def _grad(t: Translator, node: Expr) -> Poly:
    function, variable = node.args
    return gradient(t, function, variable.data)


def _diff(t: Translator, node: Expr) -> Poly:
    function, component = node.args
    whole = gradient(t, function, component.args[0].data)
    size = _shape(component.args[0])[0]
    return _at(t, whole, ROW, size, component.data[0])


def gradient(t: Translator, function: Expr, name: str) -> Poly:
    """Return a gradient as a combination of closed gradients of single numbers."""
    algebra, symbol = t.algebra, t.scope.symbols[name]
    axes = _axes(symbol.shape)
    if any(size.isdigit() for _, size in axes):
        raise Untranslatable("a gradient of literal size")
    total: Poly = {}
    for (powers, nets), c in t.with_opened(frozenset())(function).items():
        moving = tuple((a, p) for a, p in powers if moves(t, a, name))
        if any(moves(t, a, name) for net in nets for a, _ in net):
            raise Untranslatable("a gradient with an index")
        if not moving:
            continue
        fixed = tuple(pair for pair in powers if pair not in moving)
        part = ((moving, ()), 1)
        tree = scalar_tree(algebra, moving, 1)
        if len(moving) == 1 and moving[0][1] == 1:
            tree = atom_tree(algebra, moving[0][0])
        atom = algebra.atom(
            "grad", (part, name), sizes=tuple(size for _, size in axes),
            tree=Expr("grad", (tree, Expr("sym", data=name, shape=symbol.shape)),
                      None, symbol.shape),
            inner=dict([part]),
        )  # fmt: skip
        closed = algebra.single(atom, tuple(index for index, _ in axes))
        factor: Poly = {(fixed, nets): c}
        total = algebra.add(total, algebra.multiply(factor, closed))
    return total


def moves(t: Translator, atom: int, name: str) -> bool:
    """Return True if an atom depends on a symbol, by name or through definitions."""
    known = t.algebra.atoms[atom]
    if known.kind == "symbol":
        return bool(known.data == name or t.scope.depends(known.data, name))
    if known.kind == "entry":
        return bool(known.data[0] == name)
    if known.kind == "net":
        return any(moves(t, a, name) for a, _ in known.data)
    if known.inner is None:
        return False
    return any(
        moves(t, a, name)
        for powers, nets in known.inner
        for a in [*dict(powers), *(a for net in nets for a, _ in net)]
    )


def _d(t: Translator, node: Expr) -> Poly:
    from kernellab.grading.proving.derivatives import along

    return along(t, t.with_opened(frozenset())(node.args[0]))


Rule = Callable[[Translator, Expr], Poly]
_CALLS: dict[str, Rule] = {
    "norm2": _norm2, "dot": _dot, "had": _had, "trace": _trace, "total": _total,
    "diag": _diag, "vec": _vec, "sqrt": _sqrt, "exp": _function, "log": _function,
    "loss": _function, "det": _det, "cov": _cov,
    "d": _d,
}  # fmt: skip
_RULES: dict[str, Rule] = {
    "num": _num, "sym": _sym, "eye": _eye, "ones": _ones, "neg": _neg, "add": _add,
    "sub": _sub, "mul": _mul, "div": _div, "pow": _pow, "transpose": _transpose,
    "inv": _inv, "index": _index, "sum": _sum, "stack": _stack, "call": _call,
    "grad": _grad, "diff": _diff,
}  # fmt: skip
