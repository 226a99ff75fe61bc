"""Inequalities: the difference of the two sides is a sum of squares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kernellab.grading.judging.facts import Statement
from kernellab.grading.judging.following import Following
from kernellab.grading.judging.setting import SIGNS, has_root
from kernellab.grading.judging.signs import Signs
from kernellab.grading.judging.verdicts import Pair, Passed, Rejected
from kernellab.grading.language.reasons import Action
from kernellab.grading.language.tree import ZERO, Expr, Relation, expanded, is_zero
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
        reason = any(action.kind == "nonneg" for action in actions)
        granted = self.granted(actions)
        known = self.same_bound(pair, actions, chain)
        if known is not None:
            return known
        if not reason and not granted:
            raise Rejected("say why: a square, a sum of squares, psd, …", "reason")
        for left, one in self.larger(large, actions, chain):
            for right, two in self.larger(small, actions, chain):
                if self.dominates(left, right, reason, granted):
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
            new = self.difference(pair.left, pair.sign, pair.right)
            link = Pair(old, "=", new, pair.free)
            if self.derivation(link, actions, (), statement.sound) is not None:
                return Passed(statement.sound)
        return None

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
        self, large: Expr, small: Expr, reason: bool, granted: Sequence[Statement]
    ) -> bool:
        """Whether every term of the difference is ≥ 0, by rule or by a cited line."""
        signs = self.elementary_signs()
        minus = [(not positive, term) for positive, term in expanded(small)]
        rest = self.uncancelled(expanded(large) + minus)
        known = [side for s in granted for side in self.equals_of(s)]
        return all(
            positive
            and ((reason and signs.nonneg(term)) or self.among(term, known, signs))
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

    def among(self, term: Expr, known: Sequence[Expr], signs: Signs) -> bool:
        """Whether a term is a positive multiple of one of the known ones."""
        sizes, low = self.regimes((term, *known))[-1]
        world = self.world(sizes, low, Opened())
        numbers, _ = signs.factors(term)
        scale = world.field.number(1)
        for number in numbers:
            if not signs.nonneg(number):
                return False
            scale = world.field.reduce(scale * world.value(number))
        value = world.value(term)
        for other in map(world.value, known):
            if value in (other, world.field.reduce(scale * other)):
                return True
        return False

    def uncancelled(self, signed: list[tuple[bool, Expr]]) -> list[tuple[bool, Expr]]:
        """Drop pairs of terms of equal value and opposite sign."""
        nodes = [term for _, term in signed]
        sizes, low = self.regimes(nodes or [ZERO])[-1]
        rounds = SIGNS if has_root(*nodes) else 2
        worlds = [self.world(sizes, low, Opened()) for _ in range(rounds)]
        rest: list[tuple[bool, Expr, object]] = []
        for positive, term in signed:
            if is_zero(term):
                continue
            values = [world.value(term) for world in worlds]
            match = [r for r in rest if r[0] != positive and r[2] == values]
            if match:
                rest.remove(match[0])
            else:
                rest.append((positive, term, values))
        return [(positive, term) for positive, term, _ in rest]
