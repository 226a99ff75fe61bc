"""Licences: what may be inverted, and by what one may divide.

A matrix may be inverted if it is definite by its form, declared so, assumed and said to
be invertible, or inverted by the problem itself; a number, if it is positive or
negative by its form or by a declaration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from kernellab.grading.checking.expansion import Expansion, shape_of
from kernellab.grading.checking.functions import common_factor
from kernellab.grading.checking.names import Names
from kernellab.grading.checking.signs import DEFINITE, Signs
from kernellab.grading.checking.sums import COLUMN, ROW, Sum, scale, single, transpose
from kernellab.grading.language.shapes import NUMBER, Shape
from kernellab.grading.language.tree import Expr

Assumption = tuple[Expr, int]  # a matrix, and the line where it was said


@dataclass(frozen=True)
class Licences:
    """Tells what may be inverted.

    Parameters
    ----------
    assumed : what was said to be invertible.
    cases : numbers that are not 0 in a case, with its first and last lines.
    """

    names: Names
    assumed: tuple[Assumption, ...] = ()
    cases: tuple[tuple[Expr, int, int], ...] = ()

    def invertible(
        self, node: Expr, opened: frozenset[str], line: int, kind: str = "inverse"
    ) -> bool:
        """Return True if a matrix or number may be inverted, or have a root."""
        if kind == "inverse" and node.op == "pow":
            return self.invertible(node.args[0], opened, line)
        forms = list(self.forms(node, opened))
        if shape_of(node) == NUMBER and kind == "root":
            return any(
                self.signs.is_nonneg(x) or self.signs.is_positive(x) for x in forms
            )
        return any(self.invertible_sum(x, shape_of(node), line) for x in forms)

    def invertible_sum(self, one: Sum, shape: Shape, line: int) -> bool:
        """Return True if what was multiplied out may be inverted.

        Parameters
        ----------
        shape : of the matrix, or of a column that it multiplies.
        """
        if shape == NUMBER and self.signs.is_nonzero(one):
            return True
        if shape == NUMBER:
            inside = [x for x, first, last in self.cases if first <= line <= last]
            forms = (form for x in inside for form in self.forms(x, frozenset()))
            return any(
                _is_positive_multiple(scale(one, sign), form)
                for form in forms
                for sign in (1, -1)
            )
        if self._definite(one) or self._is_product(one, line):
            return True
        return any(self._is_multiple(one, two) for two in self._allowed(line))

    def forms(self, node: Expr, opened: frozenset[str]) -> Iterator[Sum]:
        """Yield a tree multiplied out: closed, as the line opens it, and all open."""
        seen: list[Sum] = []
        for names in (frozenset(), opened, self.names.defined | {"cov"}):
            one = Expansion(self.names, frozenset(names))(node)
            if one not in seen:
                seen.append(one)
                yield one

    def _definite(self, one: Sum) -> bool:
        both = (one, scale(one, -1))
        return any(self.signs.definiteness(x) == DEFINITE for x in both)

    def _is_multiple(self, one: Sum, two: Sum) -> bool:
        """Return True if a matrix is another or its transpose, times no zero."""
        if not one or not two:
            return False
        factor, core = common_factor(one)
        cores = (common_factor(two)[1], common_factor(transpose(two))[1])
        return core in cores and self.signs.is_nonzero(factor)

    def _is_product(self, one: Sum, line: int) -> bool:
        """Return True for a product of invertible matrices, from row to column."""
        if len(one) != 1:
            return False
        ((powers, nets),) = one
        if len(nets) != 1 or not all(self.signs.positive_atom(a) for a, _ in powers):
            return False
        places = [i for _, at in nets[0] for i in at]
        once = all(places.count(i) == (1 if i in (ROW, COLUMN) else 2) for i in places)
        chain = once and all(len(at) == 2 and at[0] != at[1] for _, at in nets[0])
        if not chain or len(nets[0]) < 2:
            return False
        singles = [single(atom, ROW, COLUMN) for atom, _ in nets[0]]
        allowed = list(self._allowed(line))
        return all(
            self._definite(x) or any(self._is_multiple(x, y) for y in allowed)
            for x in singles
        )

    def _allowed(self, line: int) -> Iterator[Sum]:
        """Yield what is invertible by assumption, or because the problem inverts it."""
        yield from self._written
        for matrix, said in self.assumed:
            if said <= line and self._assumable(matrix):
                yield from self.forms(matrix, frozenset())

    def _assumable(self, matrix: Expr) -> bool:
        problem = self.names.problem
        trees = [problem.parse(f"{text} = 0").sides[0] for text in problem.assumable]
        forms = list(self.forms(matrix, frozenset()))
        return any(
            two in forms for tree in trees for two in self.forms(tree, frozenset())
        )

    @cached_property
    def _written(self) -> list[Sum]:
        """What the problem itself inverts, and the definitions of definite symbols."""
        problem = self.names.problem
        trees = [s.definition for s in problem.table.values() if s.definition]
        trees += [side for given in problem.equations for side in given.sides]
        found = [n for tree in trees for n, kind in inverted(tree) if kind == "inverse"]
        matrices = [node for node in found if shape_of(node) != NUMBER]
        return [form for node in matrices for form in self.forms(node, frozenset())]

    @cached_property
    def signs(self) -> Signs:
        """The signs, with what declarations of defined symbols add."""
        positive = self._defined("positive")
        definite = self._defined("pd")
        return Signs(
            self.names,
            lambda one: any(_is_positive_multiple(one, two) for two in positive),
            lambda one: any(_is_positive_multiple(one, two) for two in definite),
        )

    def _defined(self, kind: str) -> list[Sum]:
        """Return what the definitions of symbols of a kind are, multiplied out."""
        found = []
        for name, symbol in self.names.problem.table.items():
            if symbol.kind == kind and self.names.definition(name) is not None:
                if name in self.names.own:
                    continue
                assert symbol.definition is not None
                found += list(self.forms(symbol.definition, frozenset()))
        return found


def _is_positive_multiple(one: Sum, two: Sum) -> bool:
    """Return True if one is a positive number times the other."""
    if not one or not two:
        return False
    term = next(iter(two))
    c = one.get(term, Fraction(0)) / two[term]
    return c > 0 and scale(two, c) == one


def inverted(tree: Expr) -> Iterator[tuple[Expr, str]]:
    """Yield what a tree inverts or divides by, and what it takes the root of."""
    for node in tree.walk():
        match node.op:
            case "inv":
                yield node.args[0], "inverse"
            case "div" if node.args[1].op != "num":
                yield node.args[1], "inverse"
            case "call" if node.data == "sqrt":
                yield node.args[0], "root"
            case "pow":
                exponent = Fraction(node.args[1].data)
                if exponent < 0:
                    yield node.args[0], "inverse"
                if exponent.denominator != 1:
                    yield node.args[0], "root"
