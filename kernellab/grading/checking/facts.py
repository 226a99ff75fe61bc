"""Facts: what is 0, rebuilt from the trees of a certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

from kernellab.grading.certificates import Fact, Proven
from kernellab.grading.checking.atoms import Atom, Refused
from kernellab.grading.checking.covariances import linear_parts
from kernellab.grading.checking.derivatives import (
    SLOTS,
    along,
    by_symbol,
    closed_gradient,
    inverse_slope,
    jacobi,
)
from kernellab.grading.checking.expansion import Expansion, axes, eye, matmul, shape_of
from kernellab.grading.checking.functions import power
from kernellab.grading.checking.names import Names
from kernellab.grading.checking.sums import (
    COLUMN,
    ROW,
    Sum,
    add,
    multiply,
    number,
    rename,
    scale,
    single,
    subtract,
)
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr, is_zero, sym

Axes = dict[str, str]  # the free indices in their order, with their sizes
Place = tuple[int, int]  # a line and one of its links


@dataclass(frozen=True)
class Known:
    """What may be cited at one link.

    Parameters
    ----------
    links : the links that were proven before, by their places.
    conditional : the places behind which there is a condition, with the names of the
        definitions that were put in on the way.
    stationary : the variables whose gradient is known, or said, to vanish.
    """

    names: Names
    links: Mapping[Place, Proven]
    behind: Mapping[Place, frozenset[Fact]] = field(default_factory=dict)
    stationary: frozenset[str] = frozenset()


def fact_sum(known: Known, e: Expansion, fact: Fact) -> tuple[Sum, Axes]:
    """Return what a fact says to be 0, and its free indices.

    Raises
    ------
    Refused
        If it is no fact, or may not be used here.
    """
    rule = _FACTS.get(fact[0])
    if rule is None:
        raise Refused(f"“{fact[0]}” is no fact")
    return rule(known, e, *fact[1:])


def relation_axes(left: Expr, right: Expr, free: tuple[tuple[str, str], ...]) -> Axes:
    """Return the free indices of a relation: row, column, then by name."""
    shape = shape_of(right if is_zero(left) else left)
    if not (is_zero(left) or is_zero(right)) and shape_of(left) != shape_of(right):
        raise Refused(f"{left} and {right} differ in shape")
    return axes(shape) | dict(sorted(free))


def cited(known: Known, place: Place) -> Proven:
    """Return a link that was proven before."""
    if place not in known.links:
        raise Refused(f"link {place[1]} of line {place[0]} is not proven before")
    return known.links[place]


def relation_of(known: Known, fact: Fact) -> Proven:
    """Return the relation that a line, a given or a chain of lines states.

    Raises
    ------
    Refused
        If it does not stand here.
    """
    match fact:
        case ("line", line, link):
            return cited(known, (line, link))
        case ("given", k):
            return _given_relation(known.names, k)
        case ("chain", first, line, link):
            return _chain(known, first, (line, link))
    raise Refused(f"“{fact[0]}” is no line, given or chain")


def _chain(known: Known, first: int, last: Place) -> Proven:
    """Return the first side and the last of lines that continue each other."""
    links = [known.links[place] for place in _chain_places(known, first, last)]
    if any(one.right != two.left for one, two in pairwise(links)):
        raise Refused(f"the lines {first} to {last[0]} do not continue each other")
    signs = {link.sign for link in links} - {"="}
    if len(signs) > 1:
        raise Refused(f"the lines {first} to {last[0]} point in both directions")
    free = dict(pair for link in links for pair in link.free)
    start, sign = links[0], signs.pop() if signs else "="
    return replace(start, sign=sign, right=links[-1].right, free=tuple(free.items()))


def _chain_places(known: Known, first: int, last: Place) -> list[Place]:
    """Return the links from the beginning of a line up to a link, without asides."""
    steps = [p for p, link in known.links.items() if link.by not in ("let", "claim")]
    found = sorted(place for place in steps if (first, 0) <= place <= last)
    if not found or found[0] != (first, 0) or found[-1] != last:
        raise Refused(f"link {last[1]} of line {last[0]} is not proven before")
    return found


def _given_relation(names: Names, k: int) -> Proven:
    """Return the k-th given, counted from 1."""
    equations = names.problem.equations
    if not 1 <= k <= len(equations):
        raise Refused(f"there is no given {k}")
    (left, right), (sign,) = equations[k - 1].sides, equations[k - 1].signs
    return Proven(0, k, left, sign, right)


def _equation(kind: str) -> Callable[..., tuple[Sum, Axes]]:
    """Return the rule of an equation that stands: left − right is 0."""

    def rule(known: Known, e: Expansion, *where: int) -> tuple[Sum, Axes]:
        stated = relation_of(known, (kind, *where))
        if stated.sign != "=":
            raise Refused(f"{kind} {where} is no equation")
        free = relation_axes(stated.left, stated.right, stated.free)
        return subtract(e(stated.left), e(stated.right)), free

    return rule


def _definition(known: Known, e: Expansion, name: str) -> tuple[Sum, Axes]:
    definition = known.names.definition(name)
    if definition is None:
        raise Refused(f"{name} has no definition")
    symbol = sym_of(known.names, name)
    value = subtract(Expansion(known.names, e.opened - {name})(symbol), e(definition))
    return value, axes(shape_of(symbol))


def sym_of(names: Names, name: str) -> Expr:
    """Return a symbol as a tree."""
    if name not in names.table:
        raise Refused(f"{name} is not known")
    return Expr("sym", data=name, shape=names.table[name].shape)


# Inverses


def _inverse(known: Known, e: Expansion, tree: Expr, side: str) -> tuple[Sum, Axes]:
    if tree.op != "inv" or side not in ("left", "right"):
        raise Refused("an inverse is inv(X), from the left or right")
    inner, size = tree.args[0], shape_of(tree)[0]
    pair = (e(inner), e(tree)) if side == "right" else (e(tree), e(inner))
    return subtract(matmul(*pair, size), eye(size)), axes(shape_of(tree))


def _reciprocal(known: Known, e: Expansion, p: Expr) -> tuple[Sum, Axes]:
    if shape_of(p) != NUMBER or p.indices:
        raise Refused("only a number without indices has a reciprocal")
    value = e(p)
    back = power(known.names, value, Fraction(-1))
    return subtract(multiply(value, back), number(1)), {}


# Gradients


def _gradient(known: Known, e: Expansion, tree: Expr) -> tuple[Sum, Axes]:
    if tree.op != "grad" or tree.args[1].op != "sym":
        raise Refused("a gradient is grad(f, v)")
    function, variable = tree.args
    slope = open_gradient(known.names, e, function, variable.data)
    return subtract(e(tree), slope), axes(shape_of(variable))


def open_gradient(names: Names, e: Expansion, function: Expr, name: str) -> Sum:
    """Return ∂f/∂v with everything put in that depends on v, but not v itself."""
    if name in names.own:
        raise Refused(f"{name} is an abbreviation: no variable")
    return by_symbol(names, e.opening(names.dependent(name), name)(function), name)


def _gradient_of(
    known: Known, e: Expansion, fact: Fact, name: str, turned: bool
) -> tuple[Sum, Axes]:
    proven = _identity(known, fact, name)
    one, two = (proven.left, proven.right)[:: -1 if turned else 1]
    if shape_of(one) != NUMBER:
        raise Refused("only a number has a gradient")
    closed = closed_gradient(known.names, e.closed(one), name)
    slope = open_gradient(known.names, e, two, name)
    return subtract(closed, slope), axes(shape_of(sym_of(known.names, name)))


def _identity(known: Known, fact: Fact, name: str) -> Proven:
    """Return an equation that may be differentiated: it holds for all values."""
    proven, words = relation_of(known, fact), " ".join(map(str, fact))
    if proven.sign != "=" or proven.free or fact[0] == "given":
        raise Refused(f"{words} cannot be differentiated")
    for behind in sorted(_behind(known, fact), key=str):
        if behind[0] != "definition" or behind[1] == name:
            why = " ".join(map(str, behind))
            raise Refused(f"{words} is no identity: “{why}” is behind it")
    return proven


def _behind(known: Known, fact: Fact) -> frozenset[Fact]:
    """Return the definitions and conditions behind a line or a chain."""
    if fact[0] == "line":
        return known.behind[fact[1], fact[2]]
    places = _chain_places(known, fact[1], (fact[2], fact[3]))
    return frozenset().union(*(known.behind[place] for place in places))


def _stationary(known: Known, e: Expansion, name: str) -> tuple[Sum, Axes]:
    problem = known.names.problem
    if name not in problem.variables or problem.object is None:
        raise Refused(f"{name} is no variable of the problem")
    if name not in known.stationary or name in known.names.own:
        raise Refused(f"nobody said that {problem.object} is stationary in {name}")
    gradient = closed_gradient(known.names, e.closed(sym(problem.object)), name)
    return gradient, axes(shape_of(sym_of(known.names, name)))


# Derivatives along θ


def _slope(known: Known, e: Expansion, tree: Expr) -> tuple[Sum, Axes]:
    if tree.op != "call" or tree.data != "d":
        raise Refused("a slope is d(x)")
    (x,) = tree.args
    return subtract(e(tree), _slope_rule(known.names, e, x)), axes(shape_of(x))


def _slope_rule(names: Names, e: Expansion, x: Expr) -> Sum:
    if x.op == "sym":
        definition = names.definition(x.data)
        if definition is None or x.data in names.problem.tangents:
            raise Refused(f"{x.data} has no definition to differentiate")
        return along(names, e.opening(names.varying)(definition))
    atom, c, turned = _lone_atom(e.closed(x))
    names_of_slots = (COLUMN, ROW) if turned else (ROW, COLUMN)
    slope = scale(_atom_slope(names, atom), c)
    return rename(slope, dict(zip(SLOTS, names_of_slots, strict=True)))


def _lone_atom(one: Sum) -> tuple[Atom, Fraction, bool]:
    """Return the atom that an expression is, its factor, and whether transposed."""
    if len(one) == 1:
        (((powers, nets), c),) = one.items()
        factors = [factor for net in nets for factor in net]
        if not nets and len(powers) == 1 and powers[0][1] == 1:
            return powers[0][0], c, False
        if not powers and len(factors) == 1:
            return factors[0][0], c, factors[0][1] == (COLUMN, ROW)
    raise Refused("a slope is that of a symbol, an inverse or a determinant")


def _atom_slope(names: Names, atom: Atom) -> Sum:
    match atom.kind:
        case "inverse":
            inner = rename(atom.inner, {ROW: "$p", COLUMN: "$q"})
            return inverse_slope(atom, along(names, inner))
        case "det":
            return _det_slope(names, atom)
        case "log":
            back = power(names, atom.inner, Fraction(-1))
            return multiply(back, _along_with_det(names, atom.inner))
    raise Refused(f"there is no rule for the slope of {atom.key}")


def _det_slope(names: Names, atom: Atom) -> Sum:
    """Return det X · tr(X⁻¹ dX)."""
    (size,) = {s for s in _sizes(atom.inner)}
    return multiply(single(atom), jacobi(atom.inner, along(names, atom.inner), size))


def _sizes(matrix: Sum) -> Iterator[str]:
    for _, nets in matrix:
        for net in nets:
            for atom, indices in net:
                pairs = zip(indices, atom.sizes, strict=True)
                yield from (size for i, size in pairs if i in (ROW, COLUMN))


def _along_with_det(names: Names, one: Sum) -> Sum:
    """Differentiate a multiple of a determinant by Jacobi's formula."""
    total: Sum = {}
    for (powers, nets), c in one.items():
        dets = [atom for atom, p in powers if atom.kind == "det" and p == 1]
        if len(dets) != 1 or nets:
            raise Refused("a logarithm of more than a determinant")
        rest = {(tuple(pair for pair in powers if pair[0] != dets[0]), nets): c}
        if along(names, rest):
            raise Refused("a logarithm of more than a determinant")
        total = add(total, multiply(rest, _det_slope(names, dets[0])))
    return total


def _slope_of(known: Known, e: Expansion, fact: Fact) -> tuple[Sum, Axes]:
    proven = _identity(known, fact, "")
    sides = (along(known.names, e.closed(x)) for x in (proven.left, proven.right))
    return subtract(*sides), relation_axes(proven.left, proven.right, ())


# Independence


def _independence(
    known: Known, e: Expansion, line: int, z: Expr, what: str
) -> tuple[Sum, Axes]:
    names, roles = known.names, known.names.problem.conditional
    if not roles:
        raise Refused("the problem has no conditional mean and variance")
    _check_residual(known, line, z)
    if what == "mean":
        mean, of = e(sym_of(names, roles["mean"])), e(sym_of(names, roles["of"]))
        return add(mean, scale(of, -1), e(z)), axes(shape_of(z))
    size = shape_of(z)[0]
    spread = Expr("call", (z, z), "cov", (size, size))
    variance = e(sym_of(names, roles["variance"]))
    return subtract(variance, e(spread)), axes((size, size))


def _check_residual(known: Known, line: int, z: Expr) -> None:
    """Refuse a z that the line does not say to be uncorrelated with what is given."""
    names, roles = known.names, known.names.problem.conditional
    given = sym_of(names, roles["given"])
    e = Expansion(names)
    shape = (shape_of(z)[0], shape_of(given)[0])
    both = [
        Expr("call", pair, "cov", side)
        for pair, side in (((z, given), shape), ((given, z), shape[::-1]))
    ]
    zeros = [x for tree in both for x in (e(tree), scale(e(tree), -1))]
    stated = [p for p in _stated(known, line) if p.sign == "=" and not p.free]
    if not any(subtract(e(p.left), e(p.right)) in zeros for p in stated):
        raise Refused(f"line {line} does not say cov({z}, {given}) = 0")
    rest = subtract(e(z), e(sym_of(names, roles["of"])))
    parts = linear_parts(names, rest)
    if any(u != roles["given"] for u, _ in parts) or len(parts) != len(rest):
        raise Refused(f"{z} is not {roles['of']} minus something linear in {given}")


def _stated(known: Known, line: int) -> Iterator[Proven]:
    """Yield what a line states, by itself or as the end of a chain."""
    for place in [place for place in known.links if place[0] == line]:
        yield known.links[place]
        for first in range(1, line + 1):
            try:
                yield _chain(known, first, place)
            except Refused:
                continue


_FACTS: dict[str, Callable[..., tuple[Sum, Axes]]] = {
    "line": _equation("line"), "given": _equation("given"), "chain": _equation("chain"),
    "definition": _definition, "inverse": _inverse, "reciprocal": _reciprocal,
    "gradient": _gradient, "gradient of": _gradient_of, "stationary": _stationary,
    "slope": _slope, "slope of": _slope_of, "independence": _independence,
}  # fmt: skip
