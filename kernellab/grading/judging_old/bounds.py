"""Inequalities: the difference of the two sides is a sum of squares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from kernellab.grading.judging_old.facts import Statement
from kernellab.grading.judging_old.following import Following
from kernellab.grading.judging_old.setting import SIGNS, has_root
from kernellab.grading.judging_old.signs import Signs
from kernellab.grading.judging_old.terms_alike import (
    aligned,
    factor_of,
    schwarz_bound,
    values_without,
)
from kernellab.grading.judging_old.verdicts import Pair, Passed, Rejected
from kernellab.grading.language.reasons import Action
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import ZERO, Expr, Relation, expanded, is_zero
from kernellab.grading.worlds.instances import everywhere
from kernellab.grading.worlds.world import Opened


class Bounds(Following):
    """Proves A ≥ B from squares, quadratic forms, and bounds that stand."""

    def inequality(
        self, pair: Pair, actions: list[Action], chain: Sequence[Statement]
    ) -> Passed:
        """A ≥ B: what is left of A − B without equal terms is a sum of squares."""
        large, small = pair.left, pair.right
        if pair.sign == "<=":
            large, small = small, large
        kinds = {action.kind for action in actions}
        given = "given" in kinds and is_zero(small) and self.declared(large)
        reason = "nonneg" in kinds or given
        granted = self.granted(actions)
        known = self.same_bound(pair, actions, chain)
        if known is not None:
            return known
        if not reason and not granted:
            raise Rejected("say why: given, a square, a sum of squares, psd", "reason")
        solved = self.by_equation(pair, actions) if reason else None
        if solved is not None:
            return solved
        if self.by_schwarz(large, small, pair, actions):
            return Passed(True)
        for left, one in self.larger(large, actions, chain):
            for right, two in self.larger(small, actions, chain):
                free = _frees(pair, (*one, *two))
                if self.dominates(left, right, reason, granted, free):
                    return Passed(all(s.sound for s in (*one, *two, *granted)))
        raise Rejected("this line does not follow", "inequality")

    def same_bound(
        self, pair: Pair, actions: list[Action], chain: Sequence[Statement]
    ) -> Passed | None:
        """A ≥ B stands, and B = C by the reasons given: then A ≥ C."""
        moved = self.moved(pair, actions)
        if moved is not None:
            return moved
        for statement in reversed([*self.statements, *chain]):
            sides, signs = statement.relation.sides, statement.relation.signs
            if signs[-1:] != (pair.sign,) or str(sides[-2]) != str(pair.left):
                continue
            link = Pair(sides[-1], "=", pair.right, pair.free)
            if self.derivation(link, actions, (), statement.sound) is not None:
                return Passed(statement.sound)
        return None

    def moved(self, pair: Pair, actions: list[Action]) -> Passed | None:
        """The bound in the line before, with terms on the other side."""
        cited = [self.library.by_number(n) for a in actions for n in a.lines]
        for statement in [self.before(sound=False), *cited]:
            if statement is None or statement.relation.signs[-1] == "=":
                continue
            sides, sign = statement.relation.sides, statement.relation.signs[-1]
            old = self.difference(sides[-2], sign, sides[-1])
            old = aligned(old, statement.free, pair.free)
            if not old.indices <= set(pair.free):
                continue
            new = self.difference(pair.left, pair.sign, pair.right)
            for one, two in self.multiples(old, new, actions):
                link = Pair(one, "=", two, pair.free)
                if self.derivation(link, actions, (), statement.sound) is not None:
                    return Passed(statement.sound)
        return None

    def multiples(
        self, old: Expr, new: Expr, actions: list[Action]
    ) -> Iterator[tuple[Expr, Expr]]:
        """The two, as they are, and multiplied by a positive number that is named."""
        yield old, new
        for factor in map(_named_factor, actions):
            if factor is not None and self.signs.positive(factor):
                yield Expr("mul", (factor, old), "*", NUMBER), new
                yield old, Expr("mul", (factor, new), "*", NUMBER)

    def by_schwarz(
        self, large: Expr, small: Expr, pair: Pair, actions: list[Action]
    ) -> bool:
        """(u⊤v)² ≤ ‖u‖²‖v‖², if the reason says so."""
        if not any(re.search("cauchy|schwar", a.text.lower()) for a in actions):
            return False
        for square in (small, self.written_out(small)):
            bound = schwarz_bound(square)
            if bound is not None:
                link = Pair(large, "=", bound, pair.free)
                return self.derivation(link, actions, (), True) is not None
        return False

    def written_out(self, small: Expr) -> Expr:
        """F**2 with what a standing line says that F is, on either side."""
        if small.op != "pow":
            return small
        base = small.args[0]
        for statement in reversed(self.statements):
            sides = statement.relation.sides
            texts = [str(side) for side in sides]
            equation = set(statement.relation.signs) == {"="} and statement.sound
            if equation and str(base) in (texts[0], texts[-1]):
                other = sides[-1] if str(base) == texts[0] else sides[0]
                return replace(small, args=(other, small.args[1]))
        return small

    def by_equation(self, pair: Pair, actions: list[Action]) -> Passed | None:
        """mu = C - alpha stands and mu ≥ 0 is known: then C ≥ alpha."""
        cited = [self.library.by_number(n) for a in actions for n in a.lines]
        whole = self.difference(pair.left, pair.sign, pair.right)
        for statement in [self.before(sound=False), *cited]:
            if statement is None or set(statement.relation.signs) != {"="}:
                continue
            for part in self.known_signs(statement, pair):
                link = Pair(whole, "=", part, pair.free)
                if self.derivation(link, actions, (), statement.sound) is not None:
                    return Passed(statement.sound)
        return None

    def known_signs(self, statement: Statement, pair: Pair) -> list[Expr]:
        """What is ≥ 0 among the sides of an equation and their declared symbols."""
        signs = self.elementary_signs()
        found: dict[str, Expr] = {}
        for side in statement.relation.sides:
            parts = [side, *filter(self.declared, side.walk())]
            for part in filter(signs.nonneg, parts):
                entry = aligned(part, statement.free, pair.free)
                if entry.shape == NUMBER and entry.indices <= set(pair.free):
                    found.setdefault(str(entry), entry)
        return [part for part in found.values() if not is_zero(part)]

    def declared(self, node: Expr) -> bool:
        """Whether the problem says that the number, or all entries, are ≥ 0."""
        base = node.args[0] if node.op == "index" else node
        return base.op == "sym" and self.signs.kind(base) in ("nonneg", "positive")

    def difference(self, left: Expr, sign: str, right: Expr) -> Expr:
        """The larger side minus the smaller one."""
        pair = (left, right) if sign == ">=" else (right, left)
        return Expr("sub", pair, None, left.shape)

    def granted(self, actions: list[Action]) -> list[Statement]:
        """Cited lines that say that something is ≥ 0."""
        numbers = [n for action in actions for n in action.lines]
        lines = [self.library.by_number(number) for number in numbers]
        return [
            s for s in lines
            if s and s.relation.signs[-1:] == (">=",) and is_zero(s.relation.sides[-1])
        ]  # fmt: skip

    def larger(
        self, node: Expr, actions: list[Action], chain: Sequence[Statement]
    ) -> Iterator[tuple[Expr, tuple[Statement, ...]]]:
        """The left side as it stands, and what earlier lines say that it equals."""
        yield node, ()
        for sound in (True, False):
            candidates: list[Statement | None] = [*chain, *reversed(self.statements)]
            candidates = [s for s in candidates if s and (s.sound or not sound)]
            for fact in self.library.facts(
                actions, Relation((node,), ()), set(), sound
            ):
                candidates.append(fact.statement)
                if fact.kind == "define" and fact.name == str(node) and fact.expression:
                    yield fact.expression, ()
            for statement in candidates:
                if statement is None or statement.relation.signs[-1] != "=":
                    continue
                if statement.relation.sides[0] == node:
                    yield statement.relation.sides[-1], (statement,)

    def dominates(
        self,
        large: Expr,
        small: Expr,
        reason: bool,
        granted: Sequence[Statement],
        free: Mapping[str, str],
    ) -> bool:
        """Whether every term of the difference is ≥ 0, by rule or by a cited line."""
        signs = self.elementary_signs()
        minus = [(not positive, term) for positive, term in expanded(small)]
        rest = self.uncancelled(expanded(large) + minus, free)
        known = [side for s in granted for side in self.equals_of(s)]
        return all(
            positive
            and (
                (reason and signs.nonneg(term)) or self.among(term, known, signs, free)
            )
            for positive, term in rest
        )

    def elementary_signs(self) -> Signs:
        """The rules without sums of matrices, also inside the student's own symbols."""
        signs = Signs(self.symbols, self.invertible, elementary=True)
        plain = dict(self.symbols)
        for name, symbol in self.symbols.items():
            own = symbol is not self.problem.table.get(name)
            definition = symbol.definition
            if own and definition is not None and not signs.semidefinite(definition):
                kind = "symmetric" if symbol.kind in ("psd", "pd") else symbol.kind
                plain[name] = replace(symbol, kind=kind)
        return Signs(plain, self.invertible, elementary=True)

    def equals_of(self, bound: Statement) -> list[Expr]:
        """What a bound speaks of, and what standing lines say that it equals."""
        found = list(bound.relation.sides[:-1])
        texts = {side.text for side in found}
        for statement in self.statements:
            equation = set(statement.relation.signs) == {"="}
            standing = statement.sound and statement.number > 0
            if equation and standing and statement.left in texts:
                found += statement.relation.sides[1:]
        return found

    def among(
        self,
        term: Expr,
        known: Sequence[Expr],
        signs: Signs,
        free: Mapping[str, str],
    ) -> bool:
        """Whether a term is a positive multiple of one of the known ones."""
        sizes, low = self.regimes((term, *known))[-1]
        world = self.world(sizes, low, Opened())
        numbers, _ = signs.factors(term)
        scale = world.field.number(1)
        for number in numbers:
            if not signs.nonneg(number):
                return False
            scale = world.field.reduce(scale * world.value(number))
        rows = everywhere(world, (term, *known), free)
        for one in range(1, len(known) + 1):
            pairs = [(row[0], row[one]) for row in rows]
            same = all(x == y for x, y in pairs)
            if same or all(x == world.field.reduce(scale * y) for x, y in pairs):
                return True
        return False

    def uncancelled(
        self, signed: list[tuple[bool, Expr]], free: Mapping[str, str]
    ) -> list[tuple[bool, Expr]]:
        """Like terms added up; those that cancel are dropped."""
        nodes = [term for _, term in signed]
        sizes, low = self.regimes(nodes or [ZERO])[-1]
        rounds = SIGNS if has_root(*nodes) else 2
        worlds = [self.world(sizes, low, Opened()) for _ in range(rounds)]
        groups: list[tuple[object, Expr, Fraction]] = []
        for positive, term in signed:
            factor = factor_of(term)
            if is_zero(term) or factor <= 0:
                factor = Fraction(1)
            values = [values_without(world, term, factor, free) for world in worlds]
            own = factor if positive else -factor
            same = [i for i, group in enumerate(groups) if group[0] == values]
            if same:
                _, first, total = groups[same[0]]
                groups[same[0]] = (values, first, total + own)
            elif not is_zero(term):
                groups.append((values, term, own))
        return [(total > 0, term) for _, term, total in groups if total]


def _named_factor(action: Action) -> Expr | None:
    """s of “divide by s”, 2 of “multiply by 2”."""
    if action.kind in ("multiply", "cancel"):
        return action.expression
    number = re.search(r"(?:multipl|divid)\D*(\d{1,4})\s*$", action.text.lower())
    if number is None:
        return None
    return Expr("num", data=Fraction(number.group(1)), shape=NUMBER)


def _frees(pair: Pair, cited: Sequence[Statement]) -> dict[str, str]:
    """The free indices of a relation and of the lines that it is taken from."""
    found = dict(pair.free)
    for statement in cited:
        found.update(statement.free)
    return found
