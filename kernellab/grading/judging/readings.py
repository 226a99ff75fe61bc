"""Readings: does a line say what a milestone says?

The same are statements that any teacher would take for the same: sides exchanged, terms
moved, a non-zero constant, components or the vector. An identity or a restated
definition says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import product

from kernellab.grading.forms import find_form, inverses
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.right_sides import misfit
from kernellab.grading.judging.statements import Statement
from kernellab.grading.judging.summands import added, summands
from kernellab.grading.language.tidying import tidied
from kernellab.grading.language.tree import (
    NUMBER,
    Expr,
    Relation,
    is_zero,
)
from kernellab.grading.problem import FLIPPED, Milestone, Problem
from kernellab.grading.proving.elements import atoms_in
from kernellab.grading.proving.facts import vanishes
from kernellab.grading.proving.networks import (
    COLUMN,
    ROW,
    Algebra,
    Poly,
    Untranslatable,
)
from kernellab.grading.proving.translation import Scope, Translator
from kernellab.grading.work import OutOfWork

PAIR, COMPARISON = 40, 30  # units of work to read two sides, and to compare them
LINE = 60_000  # and for a line that does not pass

Said = tuple[int, Relation]  # what a line says, and the last link that says it
Test = Callable[[Relation, Relation], bool]  # of what a milestone and a line say


class Reading:
    """Compares lines with milestones in the problem's own names."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.problem: Problem = context.problem
        self.algebra: Algebra = context.algebra
        scope = replace(context.scope, symbols=self.problem.table, own=frozenset())
        names = {n for n, s in self.problem.table.items() if s.definition is not None}
        self.closed = self._translator(scope)
        self.whole = self._translator(scope, frozenset(names))
        self.own = context.own - set(self.problem.definable)
        scope = replace(context.scope, own=self.own)
        still = frozenset(n for n in names if context.symbols[n].definition is not None)
        self.own_closed = self._translator(scope)
        self.own_whole = self._translator(scope, still - context.own)
        self.known: dict[tuple[str, int], int | None] = {}
        self.read: dict[int, list[Said]] = {}
        self.large: set[int] = set()  # lines that take too much work to be compared

    def _translator(
        self, scope: Scope, opened: frozenset[str] = frozenset()
    ) -> Translator:
        """Return a translator, that of the context where it is the same."""
        if scope == self.context.scope:
            return self.context.translator(opened)
        return Translator(self.algebra, scope, opened)

    def reaches(self, milestone: Milestone, line: Statement) -> bool:
        """Return True if a line says what the milestone says, in the form asked for."""
        return self.reached_by(milestone, line) is not None

    def says(self, milestone: Milestone, line: Statement) -> bool:
        """Return True if a line states the milestone, also with terms that cancel."""
        found = self.reached_by(milestone, line), self.disguised_by(milestone, line)
        return found != (None, None)

    def may_say(self, milestone: Milestone, line: Statement) -> bool:
        """Return True if a line states the milestone, or is too large to tell."""
        if line.number not in self.large:
            try:
                with self.context.work.limited(LINE):
                    return self.says(milestone, line)
            except OutOfWork:
                self.large.add(line.number)
        return True

    def reached_by(self, milestone: Milestone, line: Statement) -> int | None:
        """Return the first link with which a line says what the milestone says."""
        key = (str(milestone), line.number)
        if key not in self.known:
            same = partial(self._same, milestone, line)
            self.known[key] = self._first(milestone, line, same)
        return self.known[key]

    def disguised_by(self, milestone: Milestone, line: Statement) -> int | None:
        """Return the link that says a milestone with terms that cancel."""
        if milestone.left or milestone.needs or milestone.unknown is not None:
            return None
        if milestone.only is None and not milestone.form:
            return None

        def says(target: Relation, relation: Relation) -> bool:
            one, two = self.own_closed(relation.sides[0]), self.closed(target.sides[0])
            multiple = len(one) == 1 and self.context.ratio(one, two) not in (None, 1)
            fits = not milestone.form or multiple  # about 3·J, not J
            return fits and self._proportional(line, target, relation)

        return self._first(milestone, line, says)

    def multiplied_by(self, milestone: Milestone, line: Statement) -> int | None:
        """Return the link that says a milestone times something: c·q = c·x, Au = Ax.

        Such a line is as large a step as the milestone itself.
        """
        return self._first(milestone, line, partial(self._follows, line))

    def unfit(self, milestone: Milestone, line: Statement) -> str:
        """Return why a line that has a milestone in value does not say it."""
        none = frozenset[str]()
        value = replace(milestone, only=None, without=none, needs=none, form="")
        said = [relation for _, relation in self.readings(line)]
        for relation, target in product(said, self._targets(milestone)):
            self.context.work.do(COMPARISON)
            if relation.signs != target.signs:
                continue
            with suppress(Untranslatable, ZeroDivisionError):
                for way in (relation, self._solved(target, relation)):
                    if self._says(value, line, target, way):
                        return misfit(self.problem, milestone, way.sides[-1])
        return ""

    def _first(self, milestone: Milestone, line: Statement, says: Test) -> int | None:
        """Return the first link of which a test says that it states the milestone.

        What bounds a function at its optimum alone is no bound.
        """
        anywhere = all(label[0] != "stationary" for label in line.rests)
        for (link, relation), target in product(
            self.readings(line), self._targets(milestone)
        ):
            bound = target.signs != ("=",)
            if relation.signs != target.signs or (bound and not anywhere):
                continue
            self.context.work.do(COMPARISON)
            with suppress(Untranslatable, ZeroDivisionError):
                if says(target, relation):
                    return link
        return None

    def _targets(self, milestone: Milestone) -> list[Relation]:
        """Return what a milestone says: of the gap h = p − d, and so of p − d."""
        texts = (milestone.relation, *milestone.others)
        found = [self.problem.parse(text) for text in texts]
        for target in list(found):
            left, *right = target.sides
            known = self.problem.table.get(left.data) if left.op == "sym" else None
            if known is not None and known.definition is not None:
                found.append(Relation((known.definition, *right), target.signs))
        return found

    def differentiates(self, line: Statement, variable: str | None) -> bool:
        """Return True if a line says what the gradient by a variable is."""
        return any(self._is_gradient(r, variable) for _, r in self.readings(line))

    # What a line says

    def readings(self, line: Statement) -> list[Said]:
        """Return what a line says, either way round, with the last link that says it.

        The student's symbols are put in; what says nothing is left out.
        """
        if line.number not in self.read:
            said = [(k, r) for k, r in self._pairs(line) if not self._says_nothing(r)]
            written = [(k, self._written_out(r)) for k, r in said]
            own = [(k, r) for k, r in written if not self._says_nothing(r)]
            self.read[line.number] = [
                (k, way) for k, r in own for way in (r, _turned(r))
            ]
        return self.read[line.number]

    def _pairs(self, line: Statement) -> Iterator[Said]:
        """Yield all that a line says between two sides.

        Between the ends of a chain holds what its weakest link gives; links in opposite
        directions give nothing.
        """
        lines = self.context.members(line.chain, line.number)
        sides = [
            s for m in lines for s in m.relation.sides[: -1 if m != line else None]
        ]
        signs = [sign for m in lines for sign in m.relation.signs]
        before = len(sides) - len(line.relation.signs)
        for j in range(before, len(sides)):
            for i in range(j):
                between = {sign[0] for sign in signs[i:j]} - {"="}
                if len(between) > 1:
                    continue
                sign = f"{between.pop()}=" if between else "="
                relation = Relation((sides[i], sides[j]), (sign,))
                self.context.work.do(PAIR + 2 * relation.size)
                yield j - before, relation

    def _says_nothing(self, relation: Relation) -> bool:
        """Return True for an identity as it stands, or a definition repeated.

        Also with terms moved, and others that cancel.
        """
        if str(relation.sides[0]) == str(relation.sides[1]):
            return True
        parts = summands(tidied(relation.difference))
        for symbol, c in parts.items():
            name = str(symbol)
            known = self.problem.table.get(name) or self.context.symbols.get(name)
            if known is None or known.definition is None:
                continue
            said = summands(symbol - tidied(known.definition))
            if all(parts.get(x) == c * d for x, d in said.items()):
                rest = {x: d for x, d in parts.items() if x not in said}
                return not rest or self._vanishes(added(rest, symbol.shape or NUMBER))
        return False

    def _vanishes(self, node: Expr) -> bool:
        with suppress(Untranslatable):
            return not self.own_closed(node)
        return False

    def _written_out(self, relation: Relation) -> Relation:
        """Return the relation with the student's symbols replaced, and tidied."""
        opened = (self.context.opened(side, self.own) for side in relation.sides)
        return Relation(tuple(map(tidied, opened)), relation.signs)

    # What a milestone says

    def _same(self, milestone: Milestone, line: Statement, *both: Relation) -> bool:
        target, relation = both
        ways = {relation: None, self._solved(target, relation): None}
        return any(self._says(milestone, line, target, way) for way in ways)

    def _says(
        self, milestone: Milestone, line: Statement, target: Relation, said: Relation
    ) -> bool:
        if not self._allowed(milestone, said.sides[-1]):
            return False
        unknown = milestone.unknown
        if unknown is not None:
            known = milestone.gradient and self._is_gradient(said, unknown)
            return known or self._same_solutions(unknown, line, target, said)
        plain = not milestone.form and not milestone.left
        if plain and self._proportional(line, target, said):
            return True
        return self._same_value(milestone, target, said)

    def _solved(self, target: Relation, relation: Relation) -> Relation:
        """Return J = (X − Y)/2 for 2·J + Y = X, if J is what the milestone asks for.

        Also if Jᵀ stands there, and X = Y + J or 0 = X − Y − 2·J.
        """
        wanted, (sign,) = target.sides[0], relation.signs
        if relation.sides[0] == wanted:
            return relation
        parts = summands(relation.difference)
        with suppress(Untranslatable):
            goal = self.closed(wanted)
            for part, c in parts.items():
                turned = part.shape != wanted.shape
                if turned and part.T.shape != wanted.shape:
                    continue
                one = self.own_closed(part.T if turned else part)
                factor = self.context.ratio(goal, one)
                if factor is None or (sign != "=" and factor * c < 0):
                    continue
                rest = {x: -factor * d / c for x, d in parts.items() if x != part}
                other = added(rest, part.shape or NUMBER)
                found = Relation((wanted, other.T if turned else other), (sign,))
                return relation if self._says_nothing(found) else found
        return relation

    def _allowed(self, milestone: Milestone, node: Expr) -> bool:
        """Return True if the right side uses what it may, in the form asked for."""
        return not misfit(self.problem, milestone, node)

    def _is_gradient(self, relation: Relation, variable: str | None) -> bool:
        """Return True if a relation says what the object's gradient is."""
        left, right = relation.sides
        if relation.signs != ("=",) or is_zero(right):
            return False
        try:
            poly, other = self.own_closed(left), self.own_closed(right)
        except Untranslatable:
            return False
        grads, inside = (
            [a for n in atoms_in(self.algebra, [p])
             if (a := self.algebra.atoms[n]).kind == "grad"]
            for p in (poly, other)
        )  # fmt: skip
        if len(poly) != 1 or len(grads) != 1 or inside or not other:
            return False
        tree = grads[0].tree
        assert tree is not None
        return bool(
            grads[0].data[1] == variable and tree.args[0].data == self.problem.object
        )

    def _follows(self, line: Statement, target: Relation, relation: Relation) -> bool:
        """Return True if a line says no more than a milestone, by algebra alone.

        An equation A·w = b has to be solved for w = A⁻¹b yet: it is not as far.
        """
        if self._inverts(target) and not self._inverts(relation):
            return False
        both = (self.closed, target), (self.own_closed, relation)
        one, two = self._differences(line, *both)
        new = bool(two) and self.context.ratio(one, two) is None
        return new and vanishes(self.algebra, two, [one])

    def _inverts(self, relation: Relation) -> bool:
        """Return True if inverses of matrices are in it, or behind its names."""
        names = self.context.behind(relation.symbols())
        sides = (self.context.opened(side, names) for side in relation.sides)
        return any(map(inverses, sides))

    def _same_value(
        self, milestone: Milestone, target: Relation, relation: Relation
    ) -> bool:
        """Return True if left sides are the same, and right sides equal in value."""
        left, right = relation.sides
        if left in right.walk():
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

    # Polynomials

    def _differences(
        self, line: Statement, *both: tuple[Translator, Relation]
    ) -> tuple[Poly, Poly]:
        """Return left − right of both, components as the vector if that is asked."""
        one, two = (self.algebra.subtract(*map(t, r.sides)) for t, r in both)
        free = {self.algebra.index(n) for n in line.free}
        if len(free) == 1 and ROW in self.algebra.free(one):
            two = self.algebra.renamed(two, {free.pop(): ROW})
        elif COLUMN in self.algebra.free(two) and ROW not in self.algebra.free(two):
            two = self.algebra.renamed(two, {COLUMN: ROW})
        return one, two

    def _proportional(
        self, line: Statement, target: Relation, relation: Relation
    ) -> bool:
        """Return True if the two differ by terms moved, and a constant factor."""
        both = (self.closed, target), (self.own_closed, relation)
        factor = self.context.ratio(*self._differences(line, *both))
        return factor is not None and (target.signs == ("=",) or factor > 0)

    def _equal(self, one: Poly, two: Poly) -> bool:
        """Return True if two values are the same, by algebra and inverses alone."""
        return vanishes(self.algebra, self.algebra.subtract(one, two))

    def _same_solutions(
        self, unknown: str, line: Statement, target: Relation, relation: Relation
    ) -> bool:
        """Return True if two equations follow from each other."""
        names, scope = relation.symbols(), self.own_closed.scope
        if unknown not in names and not any(scope.depends(n, unknown) for n in names):
            return False
        t = self.own_whole.with_opened(self.own_whole.opened - {unknown})
        one, two = self._differences(line, (t, target), (t, relation))
        if not one or not two or self.algebra.free(one) != self.algebra.free(two):
            return False
        if self.context.ratio(one, two) is not None:
            return True
        pairs = ((one, two), (two, one))
        return all(vanishes(self.algebra, x, [y]) for x, y in pairs)


def _turned(relation: Relation) -> Relation:
    """Return a relation the other way round."""
    left, right = relation.sides
    return Relation((right, left), (FLIPPED[relation.signs[0]],))
