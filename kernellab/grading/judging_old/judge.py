"""The judge: does each line follow, by its reasons, from what stands before it?

The work is layered, one idea a module: `setting` (symbols and worlds), `scaling` and
`trials` (does a relation hold wherever facts do), `following` (which facts and lines),
`bounds` (inequalities), `licences` (what may be inverted), `introductions` (let and
claims).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kernellab.grading.judging_old.facts import Choice, Fact, Statement
from kernellab.grading.judging_old.introductions import Introductions
from kernellab.grading.judging_old.setting import MAX_SIDES
from kernellab.grading.judging_old.verdicts import Pair, Passed, Rejected
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reasons import Action, is_free
from kernellab.grading.language.steps import Step
from kernellab.grading.language.tree import Relation, is_zero


class Judge(Introductions):
    """Judges the lines of one derivation, one after the other."""

    def judge(self, number: int, step: Step) -> Passed:
        """Judge a line and let it stand, or raise `Rejected`."""
        if step.wordy:
            return Passed(True)
        actions = self.reasons(step.reasons)
        if not step.relation:
            return self.assume(actions)
        name = self.let_name(step, actions)
        if name is not None:
            return self.let(number, step, name)
        relation, free = self.relation(step)
        if not relation.signs:
            return self.claim(relation.sides[0], actions)
        return self.step(number, step, relation, free, actions)

    def relation(self, step: Step) -> tuple[Relation, dict[str, str]]:
        """The relation of a line; one that starts with a sign continues the last."""
        if not step.continues:
            return self.bound(*self.shaped(self.read(step.relation)))
        before = self.before(sound=False)
        if before is None:
            raise ReadError("there is no line before that this one could continue")
        sign, rest = re.match(
            r"\s*&?\s*(=|>=|<=|≥|≤|\\\w+)(.*)", step.relation
        ).groups()  # type: ignore[union-attr]
        spelt = ">=" if sign in (">=", "≥", r"\ge", r"\geq") else "<="
        right = self.read(rest)
        sides = (before.relation.sides[-1], *right.sides)
        signs = ("=" if sign == "=" else spelt, *right.signs)
        if len(before.relation.sides) + len(right.sides) > 4 * MAX_SIDES:
            raise ReadError("this chain is too long; start a new one")
        relation, free = self.shaped(Relation(sides, signs))
        return relation, {**before.free, **free}

    def bound(
        self, relation: Relation, free: dict[str, str]
    ) -> tuple[Relation, dict[str, str]]:
        """A symbol cannot equal what changes with an index, unless it is a constant.

        C = alpha[i] + mu[i] is an equation for every i.
        """
        left = relation.sides[0]
        loose = [i for side in relation.sides[1:] for i in sorted(side.indices)]
        symbol = self.symbols.get(left.data) if left.op == "sym" else None
        constant = symbol is not None and symbol.kind == "positive"
        if left.op in ("sym", "grad") and loose and relation.signs and not constant:
            raise ReadError(f"the index {loose[0]} is bound by no sum")
        return relation, free

    def step(
        self,
        number: int,
        step: Step,
        relation: Relation,
        free: dict[str, str],
        actions: list[Action],
    ) -> Passed:
        """A line that must follow."""
        before = self.before(sound=False) if step.continues else None
        whole = _joined(before.relation, relation) if before else relation
        given = any(action.kind in ("given", "define") for action in actions)
        kind = "given" if given and not before else "step"
        statement = Statement(number, whole, free, kind)
        unknown = [a.text for a in actions if a.kind == "unknown" and not is_free(a)]
        note = f"I do not know the reason “{unknown[0]}”" if unknown else ""
        try:
            passed = self.follows(relation, free, actions, before)
        except Rejected as why:
            self.statements.append(replace(statement, sound=False))
            if note and why.about in ("follow", "inequality"):
                raise Rejected(note, "reason") from None
            raise
        sound = passed.sound and (before is None or before.sound)
        self.statements.append(replace(statement, sound=sound, used=passed.used))
        return replace(passed, sound=sound, note=note)

    def follows(
        self,
        relation: Relation,
        free: dict[str, str],
        actions: list[Action],
        before: Statement | None = None,
    ) -> Passed:
        """Every relation of the chain must follow; earlier ones may be used."""
        for action in actions:
            if action.kind == "assume":
                self.assume([action])
        self.check_reasons(actions)
        self.check_licences(relation, actions)
        sound, chain = True, list[Statement]()
        used: tuple[Fact, ...] = ()
        sides, signs = relation.sides, relation.signs
        self.vanishing = signs[-1] == "=" and is_zero(sides[-1])
        if before is not None:
            chain.append(before)
        for left, sign, right in zip(sides, signs, sides[1:], strict=False):
            passed = self.pair(Pair(left, sign, right, free), actions, chain)
            sound, used = sound and passed.sound, used + passed.used
            link = Relation((left, right), (sign,))
            chain.append(Statement(-1, link, free, used=used))
        return Passed(sound, used)

    def pair(
        self, pair: Pair, actions: list[Action], chain: Sequence[Statement]
    ) -> Passed:
        """Whether one relation follows, first from sound lines, then from any."""
        if pair.sign != "=":
            return self.inequality(pair, actions, chain)
        for sound in (True, False):
            found = self.derivation(pair, actions, chain, sound)
            if found is not None:
                return Passed(all(s.sound for s in found.cited), _used(found))
        raise Rejected("this line does not follow", "follow")


def _joined(before: Relation, after: Relation) -> Relation:
    """The chain that a continuing line makes longer."""
    return Relation(before.sides + after.sides[1:], before.signs + after.signs)


def _used(choice: Choice) -> tuple[Fact, ...]:
    """The facts that a line opened, and those behind the lines that it cites."""
    own = [f for f in choice.facts if f.statement is None or f.statement.number < -1]
    for statement in choice.cited:
        own += statement.used
        if statement.kind in ("let", "object") and statement.name:
            own.append(Fact("define", statement.name, statement.relation.sides[-1]))
    return tuple({fact.key: fact for fact in own}.values())
