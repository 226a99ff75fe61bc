"""Readings: does a line say what a milestone says?

The same are statements that any teacher would take for the same: sides exchanged, terms
moved, a non-zero constant, components or the vector. An identity or a restated
definition says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from kernellab.grading.forms import find_form
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Statement
from kernellab.grading.judging.tidying import tidied
from kernellab.grading.language.tree import Expr, Relation, is_zero
from kernellab.grading.problem import Milestone, Problem
from kernellab.grading.proving.entailment import combination
from kernellab.grading.proving.facts import atoms_in, inverse_facts
from kernellab.grading.proving.matching import Premise
from kernellab.grading.proving.networks import (
    COLUMN,
    ROW,
    Algebra,
    Poly,
    TooLarge,
    Untranslatable,
)
from kernellab.grading.proving.translation import (
    Translator,
)


class Reading:
    """Compares lines with milestones in the problem's own names."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.problem: Problem = context.problem
        self.algebra: Algebra = context.algebra
        scope = replace(context.scope, symbols=self.problem.table, own=frozenset())
        names = {n for n, s in self.problem.table.items() if s.definition is not None}
        self.closed = Translator(self.algebra, scope)
        self.whole = Translator(self.algebra, scope, frozenset(names))
        self.own = context.own - set(self.problem.definable)
        scope = replace(context.scope, own=self.own)
        still = frozenset(n for n in names if context.symbols[n].definition is not None)
        self.own_closed = Translator(self.algebra, scope)
        self.own_whole = Translator(self.algebra, scope, still - context.own)
        self.known: dict[tuple[str, int], int | None] = {}
        self.read: dict[int, list[tuple[int, Relation]]] = {}

    def reaches(self, milestone: Milestone, line: Statement) -> bool:
        """Return True if a line says what the milestone says, in the form asked for."""
        return self.reached_by(milestone, line) is not None

    def reached_by(self, milestone: Milestone, line: Statement) -> int | None:
        """Return the first link with which a line says what the milestone says."""
        key = (str(milestone), line.number)
        if key not in self.known:
            self.known[key] = self._reached_by(milestone, line)
        return self.known[key]

    def _reached_by(self, milestone: Milestone, line: Statement) -> int | None:
        texts = (milestone.relation, *milestone.others)
        targets = [self.problem.parse(text) for text in texts]
        for link, relation in self.readings(line):
            for target in targets:
                if relation.signs != target.signs:
                    continue
                try:
                    if self._same(milestone, target, relation, line):
                        return link
                except (Untranslatable, TooLarge, ZeroDivisionError):
                    continue
        return None

    def disguised_by(self, milestone: Milestone, line: Statement) -> int | None:
        """Return the link that says a milestone with terms that cancel."""
        if milestone.left or milestone.needs or milestone.unknown is not None:
            return None
        if milestone.only is None and not milestone.form:
            return None
        target = self.problem.parse(milestone.relation)
        for link, relation in self.readings(line):
            try:
                same = relation.signs == target.signs
                if milestone.form and not self._is_multiple(relation, target):
                    continue
                if same and self._proportional(target, relation, line):
                    return link
            except (Untranslatable, TooLarge, ZeroDivisionError):
                continue
        return None

    def multiplied_by(self, milestone: Milestone, line: Statement) -> int | None:
        """Return the link that says a milestone times symbols for numbers: c·q = c·x.

        Such a line is as large a step as the milestone itself.
        """
        targets = map(self.problem.parse, (milestone.relation, *milestone.others))
        pairs = product(self.readings(line), list(targets))
        for (link, relation), target in pairs:
            try:
                if relation.signs == target.signs and self._has_factor(
                    target, relation
                ):
                    return link
            except (Untranslatable, TooLarge, ZeroDivisionError):
                continue
        return None

    def _has_factor(self, target: Relation, relation: Relation) -> bool:
        one, two = self.closed(target.sides[0]), self.own_closed(relation.sides[0])
        factor = _quotient(one, two)
        if factor is None or self.algebra.multiply(one, factor) != two:
            return False
        own, goal = relation.sides[1], target.sides[1]
        times = self.algebra.multiply
        return self.own_closed(own) == times(self.closed(goal), factor) or self._equal(
            self.own_whole(own), times(self.whole(goal), factor)
        )

    def _is_multiple(self, relation: Relation, target: Relation) -> bool:
        """Return True if a line is about 3·J where the milestone is about J."""
        one, two = self.own_closed(relation.sides[0]), self.closed(target.sides[0])
        return one != two and len(one) == 1 and one.keys() == two.keys()

    def says(self, milestone: Milestone, line: Statement) -> bool:
        """Return True if a line states the milestone, also with terms that cancel."""
        found = self.reached_by(milestone, line), self.disguised_by(milestone, line)
        return found != (None, None)

    def readings(self, line: Statement) -> list[tuple[int, Relation]]:
        """Return what a line says, each with the last of the links that say it.

        The student's symbols are put in; what says nothing is left out.
        """
        if line.number not in self.read:
            said = [(k, r) for k, r in self._pairs(line) if not self._says_nothing(r)]
            self.read[line.number] = [(k, self._written_out(r)) for k, r in said]
        return self.read[line.number]

    def _pairs(self, line: Statement) -> Iterator[tuple[int, Relation]]:
        """Yield all that a line says between two sides, either way round.

        Between the ends of a chain holds what its weakest link gives; links in opposite
        directions give nothing.
        """
        sides, signs = self._chain(line)
        before = len(sides) - len(line.relation.signs)
        for j in range(before, len(sides)):
            for i in range(j):
                between = set(signs[i:j]) - {"="}
                if len({sign[0] for sign in between}) > 1:
                    continue
                sign = next(iter(between), "=")[0].replace("<", "<=").replace(">", ">=")
                turned = {"=": "=", ">=": "<=", "<=": ">="}[sign]
                yield j - before, Relation((sides[i], sides[j]), (sign,))
                yield j - before, Relation((sides[j], sides[i]), (turned,))

    def _chain(self, line: Statement) -> tuple[list[Expr], list[str]]:
        sides, signs = list(line.relation.sides), list(line.relation.signs)
        for s in reversed(self.context.statements):
            if s.chain == line.chain and s.number < line.number and s.kind == "step":
                sides = [*s.relation.sides[:-1], *sides]
                signs = [*s.relation.signs, *signs]
        return sides, signs

    def differentiates(self, line: Statement, variable: str | None) -> bool:
        """Return True if a line says what the gradient by a variable is."""
        return any(
            self._is_gradient(relation, variable) for _, relation in self.readings(line)
        )

    def _is_gradient(self, relation: Relation, variable: str | None) -> bool:
        left, right = relation.sides
        if relation.signs != ("=",) or is_zero(right):
            return False
        try:
            poly = self.own_closed(left)
            other = self.own_closed(right)
        except (Untranslatable, TooLarge):
            return False
        atoms = [self.algebra.atoms[a] for a in atoms_in(self.algebra, [poly])]
        grads = [a for a in atoms if a.kind == "grad"]
        inside = {self.algebra.kind(a) for a in atoms_in(self.algebra, [other])}
        if len(poly) != 1 or len(grads) != 1 or "grad" in inside or not other:
            return False
        tree = grads[0].tree
        assert tree is not None
        return bool(
            grads[0].data[1] == variable and tree.args[0].data == self.problem.object
        )

    def _same(
        self,
        milestone: Milestone,
        target: Relation,
        relation: Relation,
        line: Statement,
    ) -> bool:
        relation = self._unscaled(relation, target)
        if not self._allowed(milestone, relation.sides[-1]):
            return False
        if milestone.unknown is not None:
            known = milestone.gradient and self._is_gradient(
                relation, milestone.unknown
            )
            return known or self._same_solutions(
                milestone.unknown, target, relation, line
            )
        plain = not milestone.form and not milestone.left
        if plain and self._proportional(target, relation, line):
            return True
        return self._same_value(milestone, target, relation)

    def _says_nothing(self, relation: Relation) -> bool:
        """Return True for an identity as it stands, or a definition repeated."""
        left, right = relation.sides
        if str(left) == str(right):
            return True
        restated = [(str(left), right), (str(right), left)]
        for one, two in (relation.sides, relation.sides[::-1]):
            if is_zero(two) and one.op == "sub":  # J - (…) = 0
                x, y = one.args
                restated += [(str(x), y), (str(y), x)]
        for name, other in restated:
            symbol = self.problem.table.get(name) or self.context.symbols.get(name)
            definition = symbol.definition if symbol is not None else None
            if definition is not None and str(tidied(other)) == str(tidied(definition)):
                return True
        return False

    def _written_out(self, relation: Relation) -> Relation:
        """Return the relation with the student's symbols replaced, and tidied."""
        own = {n: self.context.symbols[n].definition for n in self.own}

        def put(node: Expr) -> Expr:
            definition = own.get(node.data) if node.op == "sym" else None
            return definition.map(put) if definition is not None else node

        sides = tuple(tidied(side.map(put)) for side in relation.sides)
        return Relation(sides, relation.signs)

    def _unscaled(self, relation: Relation, target: Relation) -> Relation:
        """Return J = X/2 for 2·J = X, if J is what the milestone asks for."""
        left, right = relation.sides
        wanted = target.sides[0]
        if left == wanted or relation.signs != ("=",):
            return relation
        try:
            one, two = self.own_closed(left), self.closed(wanted)
        except (Untranslatable, TooLarge):
            return relation
        if len(one) != 1 or one.keys() != two.keys():
            return relation
        factor = self.algebra.monic(two)[0] / self.algebra.monic(one)[0]
        if factor <= 0:
            return relation
        number = Expr("num", data=Fraction(factor), shape=("1", "1"))
        scaled = Expr("mul", (number, right), "*", right.shape)
        return Relation((wanted, tidied(scaled)), relation.signs)

    def _allowed(self, milestone: Milestone, node: Expr) -> bool:
        """Return True if the right side uses what it may, in the form asked for."""
        names = node.symbols() - set(self.problem.sizes) - {"pi"}
        if milestone.only is not None and not names <= milestone.only:
            return False
        calls = {n.data if n.op == "call" else n.op for n in self._visible(node)}
        if milestone.without & calls or not milestone.needs <= calls:
            return False
        return not milestone.form or find_form(milestone.form)(node)

    def _visible(self, node: Expr) -> list[Expr]:
        """Return all nodes, but for d(C), which is another name of dC."""
        if (
            node.op == "call"
            and node.data == "d"
            and node.args[0].data in self.problem.tangents
        ):
            return []
        return [node, *(n for arg in node.args for n in self._visible(arg))]

    def _difference(self, t: Translator, relation: Relation) -> Poly:
        return self.algebra.subtract(t(relation.sides[0]), t(relation.sides[1]))

    def _as_vector(self, poly: Poly, target: Poly, line: Statement) -> Poly:
        """Return the components a[n] as the vector, if the milestone is about that."""
        free = {self.algebra.index(n) for n in line.free}
        if len(free) == 1 and ROW in self.algebra.free(target):
            return self.algebra.renamed(poly, {next(iter(free)): ROW})
        if COLUMN in self.algebra.free(poly) and ROW not in self.algebra.free(poly):
            return self.algebra.renamed(poly, {COLUMN: ROW})
        return poly

    def _proportional(
        self, target: Relation, relation: Relation, line: Statement
    ) -> bool:
        """Return True if the two differ by terms moved, and a constant factor."""
        one = self._difference(self.closed, target)
        two = self._as_vector(self._difference(self.own_closed, relation), one, line)
        if not one or one.keys() != two.keys():
            return False
        a, first = self.algebra.monic(one)
        b, second = self.algebra.monic(two)
        return first == second and (target.signs == ("=",) or a * b > 0)

    def _same_value(
        self, milestone: Milestone, target: Relation, relation: Relation
    ) -> bool:
        """Return True if left sides are the same, and right sides equal in value."""
        left, right = relation.sides
        if str(left) in {str(node) for node in right.walk()}:
            return False
        if is_zero(target.sides[1]) and not is_zero(right):
            return False  # that something is 0 must be said, not only be so
        if milestone.left:
            if not find_form(milestone.left)(left):
                return False
            if self.own_whole(left) != self.whole(target.sides[0]):
                return False
        elif self.own_closed(left) != self.closed(target.sides[0]):
            return False
        return self._equal(self.own_whole(right), self.whole(target.sides[1]))

    def _equal(self, one: Poly, two: Poly) -> bool:
        """Return True if two values are the same, by algebra and inverses alone."""
        if one == two:
            return True
        difference = self.algebra.subtract(one, two)
        atoms = atoms_in(self.algebra, [one, two])
        facts = inverse_facts(self.algebra, atoms)
        free = {i: "" for i in self.algebra.free(difference)}
        return (
            bool(facts)
            and combination(self.algebra, difference, free, facts) is not None
        )

    def _same_solutions(
        self, unknown: str, target: Relation, relation: Relation, line: Statement
    ) -> bool:
        """Return True if two equations follow from each other."""
        names = relation.sides[0].symbols() | relation.sides[1].symbols()
        scope = self.own_closed.scope
        if unknown not in names and not any(scope.depends(n, unknown) for n in names):
            return False
        opened = self.own_whole.opened - {unknown}
        t = self.own_whole.with_opened(opened)
        one = self._difference(t, target)
        two = self._as_vector(self._difference(t, relation), one, line)
        if not one or not two or self.algebra.free(one) != self.algebra.free(two):
            return False
        if (
            one.keys() == two.keys()
            and self.algebra.monic(one)[1] == self.algebra.monic(two)[1]
        ):
            return True
        return self._implies(t, one, two) and self._implies(t, two, one)

    def _implies(self, t: Translator, one: Poly, two: Poly) -> bool:
        """Return True if one equation gives the other, by algebra and inverses."""
        free = {i: "" for i in self.algebra.free(one) | self.algebra.free(two)}
        premises = [Premise(("line",), one, free)]
        premises += inverse_facts(self.algebra, atoms_in(self.algebra, [one, two]))
        return combination(self.algebra, two, free, premises) is not None


def _quotient(one: Poly, two: Poly) -> Poly | None:
    """Return the monomial in symbols for numbers that could take one to two."""
    if not one or len(one) != len(two):
        return None
    (powers, nets), c = min(one.items())
    same = [(term, d) for term, d in two.items() if term[1] == nets]
    if len(same) != 1 or same[0][0][0] == powers:
        return None
    ratio = dict(same[0][0][0])
    for atom, power in powers:
        ratio[atom] = ratio.get(atom, 0) - power
    kept = tuple(sorted((atom, p) for atom, p in ratio.items() if p))
    return {(kept, ()): same[0][1] / Fraction(c)}
