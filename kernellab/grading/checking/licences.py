"""Licences: everything that a proof inverts has an inverse, and so on for roots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction

from kernellab.grading.certificates import Factor, Proven, Use
from kernellab.grading.checking.labelling import Refused
from kernellab.grading.checking.signs import STRICT, Signs
from kernellab.grading.language.tree import NUMBER, Expr


def check_licences(signs: Signs, link: Proven) -> None:
    """Refuse a link that inverts what may be singular, or roots what is negative."""
    names, trees = signs.names, list(_trees(link))
    mentioned = set[str]().union(*(tree.symbols() for tree in trees))
    own = mentioned.union(*map(names.below, mentioned)) & names.own
    trees += [tree for name in own if (tree := names.definition(name))]
    for node, kind in dict.fromkeys(pair for tree in trees for pair in _needed(tree)):
        if kind == "inverse":
            good = signs.invertible(node)
        elif kind == "sqrt":
            good = signs.nonneg(node)
        else:
            good = STRICT in map(signs.sign, signs.readings(node))
        if not good:
            raise Refused(f"{node} may have no {kind}")


def _trees(part: object) -> Iterator[Expr]:
    """Yield all trees of a proof, and what its contexts and reciprocals invert."""
    match part:
        case Expr():
            yield part
        case Factor(tree, _, power):
            yield tree**power
        case ("reciprocal", Expr() as p):
            yield Expr("inv", (p,), None, NUMBER)
        case tuple():
            for inner in part:
                yield from _trees(inner)
        case Proven() | Use():
            for each in fields(part):
                yield from _trees(getattr(part, each.name))


def _needed(tree: Expr) -> Iterator[tuple[Expr, str]]:
    """Yield what a tree inverts, and what it takes the root or logarithm of."""
    for node in tree.walk():
        match node.op:
            case "inv":
                yield node.args[0], "inverse"
            case "div":
                yield node.args[1], "inverse"
            case "call" if node.data in ("sqrt", "log"):
                yield node.args[0], node.data
            case "pow":
                exponent = Fraction(node.args[1].data)
                if exponent < 0:
                    yield node.args[0], "inverse"
                if exponent.denominator != 1:
                    yield node.args[0], "sqrt"
