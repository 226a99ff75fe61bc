"""Facts: what a certificate may cite, each rebuilt from the problem and the lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

from kernellab.grading.certificates import Fact, Factor, Proven, Use
from kernellab.grading.checking.derivatives import THETA, derivative
from kernellab.grading.checking.expansion import (
    Expansion,
    eye,
    index_name,
    linear_parts,
    shape_of,
)
from kernellab.grading.checking.functions import power
from kernellab.grading.checking.labelling import Refused
from kernellab.grading.checking.names import Names, axes
from kernellab.grading.checking.sums import Sum, number, total
from kernellab.grading.language.tree import NUMBER, Expr, cov, is_zero

Axes = dict[str, str]  # free indices in their order, with their sizes
Place = tuple[int, int]  # a line and one of its links
Rest = tuple[str, str]  # ("definition", "w"), ("stationary", "a"), ("given", "1")


@dataclass
class Known:
    """What may be cited at one link.

    Parameters
    ----------
    links : the links before, by their places.
    behind : for each of them the definitions and conditions on which it rests.
    stationary : the variables of which was said that the gradient vanishes.
    rests : on what the link in hand rests; it grows with each fact that is cited.
    """

    names: Names
    links: Mapping[Place, Proven] = field(default_factory=dict)
    behind: Mapping[Place, frozenset[Rest]] = field(default_factory=dict)
    stationary: frozenset[str] = frozenset()
    rests: set[Rest] = field(default_factory=set)

    def rest_on(self, kind: str, names: Iterable[str]) -> None:
        """Remember a definition or condition behind the link in hand."""
        self.rests |= {(kind, name) for name in names}


# Relations that stand


def relation_axes(stated: Proven) -> Axes:
    """Return the free indices of a relation: row, column, then by name."""
    left, right = stated.left, stated.right
    shape = shape_of(right if is_zero(left) else left)
    if not (is_zero(left) or is_zero(right)) and shape_of(left) != shape_of(right):
        raise Refused(f"{left} and {right} differ in shape")
    named = dict(sorted(stated.free))
    if not left.indices | right.indices <= set(map(index_name, named)):
        raise Refused("an index of the line has no size")
    return axes(shape) | named


def relation(known: Known, fact: Fact) -> Proven:
    """Return the relation that a line, a given or a chain of lines states."""
    match fact:
        case ("line", line, link):
            places = [(line, link)]
        case ("given", k):
            return _given(known, k)
        case ("chain", first, line, link):
            places = [p for p in sorted(known.links) if (first, 0) <= p <= (line, link)]
            if (first, 0) not in places or (line, link) not in places:
                raise Refused(f"the lines {first} to {line} are not proven before")
        case _:
            raise Refused(f"“{fact[0]}” is no line, given or chain")
    if places[-1] not in known.links:
        raise Refused(f"link {fact[2]} of line {fact[1]} is not proven before")
    known.rests |= {rest for place in places for rest in known.behind[place]}
    return _chained([known.links[place] for place in places])


def _chained(links: list[Proven]) -> Proven:
    """Return what lines that continue each other state: the first side, the last."""
    signs = {link.sign for link in links} - {"="}
    if len(signs) > 1 or any(one.right != two.left for one, two in pairwise(links)):
        raise Refused("these lines do not continue each other in one direction")
    free = {pair for link in links for pair in link.free}
    sign = signs.pop() if signs else "="
    return replace(links[0], sign=sign, right=links[-1].right, free=tuple(sorted(free)))


def _given(known: Known, k: int) -> Proven:
    """Return the k-th given, counted from 1."""
    equations = known.names.problem.equations
    if not 1 <= k <= len(equations) or equations[k - 1].symbols() & known.names.own:
        raise Refused(f"there is no given {k}, or the student defined its symbols")
    known.rest_on("given", [str(k)])
    (left, right), (sign,) = equations[k - 1].sides, equations[k - 1].signs
    return Proven(0, k, left, sign, right)


def _equation(kind: str) -> Callable[..., tuple[Sum, Axes]]:
    def rule(known: Known, e: Expansion, *where: int) -> tuple[Sum, Axes]:
        stated = relation(known, (kind, *where))
        if stated.sign != "=":
            raise Refused(f"{kind} {where} is no equation")
        return e(stated.left) - e(stated.right), relation_axes(stated)

    return rule


def _definition(known: Known, e: Expansion, name: str) -> tuple[Sum, Axes]:
    definition, symbol = known.names.definition(name), known.names.symbol(name)
    if definition is None:
        raise Refused(f"{name} has no definition")
    known.rest_on("definition", [name])
    value = e.opening(frozenset(), but=name)(symbol) - e(definition)
    return value, axes(shape_of(symbol))


# Inverses


def _inverse(known: Known, e: Expansion, tree: Expr, side: str) -> tuple[Sum, Axes]:
    if tree.op != "inv" or side not in ("left", "right"):
        raise Refused("an inverse is inv(X), from the left or right")
    pair = (e(tree.args[0]), e(tree))[:: 1 if side == "right" else -1]
    size = shape_of(tree)[0]
    return pair[0].matmul(pair[1], size) - eye(size), axes(shape_of(tree))


def _reciprocal(known: Known, e: Expansion, p: Expr) -> tuple[Sum, Axes]:
    if shape_of(p) != NUMBER or p.indices:
        raise Refused("only a number without indices has a reciprocal")
    return e(p) * power(known.names, e(p), Fraction(-1)) - number(1), {}


# Derivatives


def _gradient(known: Known, e: Expansion, tree: Expr) -> tuple[Sum, Axes]:
    """Return grad(f, v) − ∂f/∂v, or d(x) − its value, with definitions put in."""
    if tree.op == "grad" and tree.args[1].op == "sym":
        by = tree.args[1].data
    elif tree.op == "call" and tree.data == "d":
        by = THETA
    else:
        raise Refused("a derivative is grad(f, v) or d(x)")
    return e(tree) - _opened(known, e, tree.args[0], by), axes(shape_of(tree))


def _opened(known: Known, e: Expansion, function: Expr, by: str) -> Sum:
    """Differentiate with everything put in that depends on v, but not v itself."""
    names = known.names
    if by in names.own:
        raise Refused(f"{by} is an abbreviation: no variable")
    dependent = names.dependent(*([by] if by else names.problem.tangents))
    known.rest_on("definition", dependent)
    return derivative(names, e.opening(dependent, but=by)(function), by)


def _gradient_of(
    known: Known, e: Expansion, fact: Fact, by: str = THETA, turned: bool = False
) -> tuple[Sum, Axes]:
    """Return the derivative of one side of a line, closed, minus that of the other.

    Along θ both are closed; by a symbol, what depends on it is put into the other.
    """
    alone = Known(known.names, known.links, known.behind)
    stated = relation(alone, fact)
    known.rests |= alone.rests
    if stated.sign != "=" or stated.free:
        raise Refused("only an equation without indices can be differentiated")
    for kind, name in sorted(alone.rests):
        if kind != "definition" or name == by:
            raise Refused(
                f"line {fact[1]} is no identity: “{kind} {name}” is behind it"
            )
    if by == THETA:
        closed = e.closed(stated.left) - e.closed(stated.right)
        return derivative(known.names, closed), axes(shape_of(stated.left))
    one, two = (stated.left, stated.right)[:: -1 if turned else 1]
    closed = derivative(known.names, e.closed(one), by)
    at = axes(shape_of(known.names.symbol(by)))
    return closed - _opened(known, e, two, by), at


def _stationary(known: Known, e: Expansion, name: str) -> tuple[Sum, Axes]:
    names, problem = known.names, known.names.problem
    if name not in problem.variables or problem.object is None:
        raise Refused(f"{name} is no variable of the problem")
    if name not in known.stationary or name in names.own:
        raise Refused(f"nobody said that {problem.object} is stationary in {name}")
    known.rest_on("stationary", [name])
    gradient = derivative(names, e.closed(names.symbol(problem.object)), name)
    return gradient, axes(shape_of(names.symbol(name)))


# Independence


def _independence(
    known: Known, e: Expansion, fact: Fact, z: Expr, what: str
) -> tuple[Sum, Axes]:
    """Return mean − (f − z), or variance − cov(z, z), if cov(z, y) = 0."""
    names, roles = known.names, known.names.problem.conditional
    if not roles or set(roles.values()) & names.own:
        raise Refused("the problem has no conditional mean and variance")
    mean, variance, of, given = (
        names.symbol(roles[role]) for role in ("mean", "variance", "of", "given")
    )
    stated, closed = relation(known, fact), Expansion(names)
    between = closed(cov(z, given))
    zeros = (between, -between, between.T, -between.T)
    if stated.sign != "=" or closed(stated.left) - closed(stated.right) not in zeros:
        raise Refused(f"{fact} does not say cov({z}, {given}) = 0")
    rest = closed(z) - closed(of)
    parts = list(linear_parts(rest, names.random))
    if len(parts) != len(rest.terms) or any(u != roles["given"] for u, _ in parts):
        raise Refused(f"{z} is not {of} minus something linear in {given}")
    known.rest_on("independence", [str(z)])
    if what == "mean":
        return e(mean) - e(of) + e(z), axes(shape_of(z))
    return e(variance) - e(cov(z, z)), axes(shape_of(cov(z, z)))


def _covariance_of(
    known: Known, e: Expansion, fact: Fact, name: str
) -> tuple[Sum, Axes]:
    """Return cov(left, u) − cov(right, u) of a line that holds whatever is drawn."""
    alone = Known(known.names, known.links, known.behind)
    stated, u = relation(alone, fact), known.names.symbol(name)
    known.rests |= alone.rests
    if stated.sign != "=" or stated.free or name not in known.names.random:
        raise Refused("only an equation without indices has a covariance")
    if any(kind not in ("definition", "independence") for kind, _ in alone.rests):
        raise Refused(f"{fact} does not hold whatever is drawn")
    one, two = cov(stated.left, u), cov(stated.right, u)
    return e(one) - e(two), axes(shape_of(one))


# Equal arguments


def _equal(
    known: Known, e: Expansion, one: Expr, two: Expr, uses: tuple[Use, ...], free: Axes
) -> tuple[Sum, Axes]:
    """Return f(p) − f(q), if the uses add up to p − q."""
    functions = ("sqrt", "exp", "log", "det", "loss")
    same = (one.op, one.data, one.args[1:]) == (two.op, two.data, two.args[1:])
    if not same or (one.data not in functions and one.op not in ("inv", "pow")):
        raise Refused(f"{one} and {two} are not the same function of something")
    p, q = one.args[0], two.args[0]
    named = {name: free[name] for name in (one.indices | two.indices) & set(free)}
    inside = axes(shape_of(p)) | named
    if shape_of(p) != shape_of(q) or e(p) - e(q) != added(known, e, uses, inside):
        raise Refused(f"{p} and {q} are not shown to be equal")
    return e(one) - e(two), axes(shape_of(one)) | named


_FACTS: dict[str, Callable[..., tuple[Sum, Axes]]] = {
    "line": _equation("line"), "given": _equation("given"), "chain": _equation("chain"),
    "definition": _definition, "inverse": _inverse, "reciprocal": _reciprocal,
    "gradient": _gradient, "gradient of": _gradient_of, "stationary": _stationary,
    "slope": _gradient, "slope of": _gradient_of, "independence": _independence,
    "covariance of": _covariance_of,
}  # fmt: skip


# Uses


def added(known: Known, e: Expansion, uses: Iterable[Use], free: Axes) -> Sum:
    """Return the sum of coefficient × context × fact, with the free indices of a line.

    Raises
    ------
    Refused
        If one of them is no fact, may not be used here, or does not fit.
    """
    parts = []
    for use in uses:
        kind, *what = use.fact
        if kind == "equal":
            one, two, inner = what
            value, at = _equal(known, e, one, two, inner, free)
        elif kind in _FACTS:
            value, at = _FACTS[kind](known, e, *what)
        else:
            raise Refused(f"“{kind}” is no fact")
        parts.append(placed(e, value, at, use, free).scaled(Fraction(use.coefficient)))
    return total(parts)


def placed(e: Expansion, value: Sum, at: Axes, use: Use, free: Axes) -> Sum:
    """Name the indices of a fact as a use does, multiply by its context, and sum."""
    sizes = {**free, **{index_name(name): size for name, size in use.sums}}
    if len(sizes) != len(free) + len(use.sums):
        raise Refused("an index is summed over that is free, or twice")
    if len(use.names) != len(at) or not set(value.free) <= set(at):
        raise Refused(f"the names {use.names} do not fit the indices {tuple(at)}")
    if any(sizes.get(n) != s for n, s in zip(use.names, at.values(), strict=True)):
        raise Refused(f"the indices {use.names} do not run as those of the fact do")
    value = value.renamed(dict(zip(at, use.names, strict=True)))
    for factor in use.context:
        value *= entries(e, factor, sizes)
    return value.over(dict(use.sums))


def entries(e: Expansion, factor: Factor, sizes: Axes) -> Sum:
    """Return a factor of a context, multiplied out."""
    tree, at = factor.tree, axes(shape_of(factor.tree))
    fitting = [sizes.get(name) for name in factor.indices] == list(at.values())
    if not fitting or not tree.indices <= set(sizes):
        raise Refused(f"the indices of the factor {tree} do not fit")
    value = e(tree).renamed(dict(zip(at, factor.indices, strict=True)))
    if factor.power == 1:
        return value
    if shape_of(tree) != NUMBER:
        raise Refused(f"a power of {tree}, which is no number")
    return power(e.names, value, Fraction(factor.power))
