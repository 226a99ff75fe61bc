"""Advice after the verdicts: which line to write before one that goes too far.

What is offered has been tried: the text is judged again with the new lines in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from kernellab.grading.judging.milestones import (
    MilestonesReached,
    Passage,
    milestones_reached,
)
from kernellab.grading.judging.report import Line
from kernellab.grading.judging.splitting import ways
from kernellab.grading.judging.statements import Statement
from kernellab.grading.judging.verdicts import (
    EXPLAINED,
    FAILURES,
    SEARCHED,
    Verdicts,
    judged,
)
from kernellab.grading.judging.wording import shown
from kernellab.grading.language.steps import Step, steps
from kernellab.grading.language.tree import Relation
from kernellab.grading.work import OutOfWork

ADVICE = 1_000_000  # units of work for the advice on a text, and for one line of it
ONE_LINE = 350_000
LINKS = 3  # so many links of a chain are looked at
ZERO = "set to zero"

Helps = Callable[[Verdicts], bool]
Way = tuple[Relation, ...]


def advised(
    text: Sequence[Step], verdicts: Verdicts, reached: MilestonesReached, seed: int
) -> tuple[list[Line], MilestonesReached]:
    """Return lines and milestones with what to write before those that go too far.

    Parameters
    ----------
    text : the steps as they were judged.
    seed : of the instances.
    """
    advisor = _Advisor(text, verdicts, seed)
    with verdicts.context.work.limited(ADVICE):
        lines = advisor.on_lines()
        firsts = {
            name: advisor.on_milestone(reached, name)
            for name in reached.hurried
            if name not in reached.reached
        }
        spare = not reached.missing and advisor.arrives_without()
    return lines, replace(reached, firsts=firsts, spare=spare)


@dataclass(frozen=True)
class _Advisor:
    """Finds lines to write first."""

    text: Sequence[Step]
    verdicts: Verdicts
    seed: int

    def on_lines(self) -> list[Line]:
        """Return the lines; those that go too far say what to write first."""
        lines = self.verdicts.lines
        searched = [line for line in lines if line.about in SEARCHED][:EXPLAINED]
        large = {line.number for line in searched if line.about != "false"}
        return [self._on_line(line) if line.number in large else line for line in lines]

    def _on_line(self, line: Line) -> Line:
        def passes(tried: Verdicts) -> bool:
            return all(new.ok for new in tried.lines[line.number - 1 :])

        most = self.verdicts.context.problem.max_facts
        text, links = self.text[: line.number], self._statement(line.number).links()
        for k in range(len(links[:LINKS])):
            first = self._first(line.number, k, most, text, passes)
            if first:
                return replace(line, message=f"{line.message}: {first}")
        return line

    def on_milestone(self, reached: MilestonesReached, name: str) -> str:
        """Return what to write before the line that says a milestone too early."""
        at, lines = reached.hurried[name], self.verdicts.lines
        place = [m.name for m in reached.route.milestones].index(name)
        milestone = reached.route.milestones[place]
        assert milestone.step is not None

        def arrives(tried: Verdicts) -> bool:
            if sum(not new.ok for new in tried.lines) > sum(not x.ok for x in lines):
                return False
            new = self._reached(tried)
            return new.route == reached.route and name in {**new.reached, **new.alone}

        for before in reached.route.milestones[:place]:
            if before.name not in reached.reached and not before.optional:
                with suppress(OutOfWork, *FAILURES):
                    if arrives(self._tried(self.text, at.line, [before.relation])):
                        return f"first show “{before.name}”"
        first = self._first(at.line, at.link, milestone.step, self.text, arrives)
        return first or self._gradient(at, milestone.step)

    def _gradient(self, at: Passage, most: int) -> str:
        """Return that a gradient is to be computed first, if that is too many."""
        facts = self.verdicts.passed[at.line].proofs[at.link].facts
        by = [fact[1] for fact in facts if fact[0] == "stationary"]
        if (
            len(by) != 1
            or len(facts) - 1 > most
            or not any(fact[0] == "gradient" for fact in facts)
        ):
            return ""
        gradient = shown(self.verdicts.context.problem.gradient(by[0]))
        return f"first write what {gradient} is"

    def arrives_without(self) -> bool:
        """Return True if lines fail, and all is well once they are left out."""
        ok = [line.ok for line in self.verdicts.lines]
        kept = [step for step, right in zip(self.text, ok, strict=True) if right]
        if len(kept) == len(ok):
            return False
        with suppress(OutOfWork, *FAILURES):
            tried = self._judged(kept)
            ok = [line.ok for line in tried.lines]
            return all(ok) and not self._reached(tried).missing
        return False

    def _first(
        self, number: int, link: int, most: int, text: Sequence[Step], helps: Helps
    ) -> str:
        """Return “first write …” for a link, if a text with such lines in it helps."""
        work = self.verdicts.context.work
        with suppress(OutOfWork, *FAILURES), work.limited(ONE_LINE):
            line = self._statement(number)
            words = ("", ZERO) if line.said.stationary else ("",)
            for way in self._ways(line, link, most):
                for said in words:
                    typed = _typed(way, self.text[number - 1], said)
                    if typed and helps(self._tried(text, number, typed)):
                        return _in_words(typed, said)
        return ""

    def _statement(self, number: int) -> Statement:
        lines = self.verdicts.context.statements
        return next(line for line in lines if line.number == number)

    def _ways(self, line: Statement, link: int, most: int) -> Iterator[Way]:
        """Return lines that might stand before a link of a line."""
        context = self.verdicts.context
        above = [s for s in context.statements if s.number < line.number]
        if link:
            (sides, signs), k = (line.relation.sides, line.relation.signs), link
            begun = Relation(sides[: k + 1], signs[:k])
            above.append(replace(line, relation=begun, sound=True))
        past = replace(context, statements=above, case=line.case)
        return ways(past, line.links()[link], most, past.optimum(line.said))

    def _tried(self, text: Sequence[Step], number: int, typed: list[str]) -> Verdicts:
        """Judge the text with lines typed before one of it."""
        new = [step for line in typed for step in steps(line)]
        return self._judged([*text[: number - 1], *new, *text[number - 1 :]])

    def _judged(self, text: Sequence[Step]) -> Verdicts:
        """Judge another text within the work that is left."""
        context = self.verdicts.context
        left = context.work.most - context.work.done
        tried = judged(context.problem, text, self.seed, most=left)
        context.work.do(tried.context.work.done)
        return tried

    def _reached(self, tried: Verdicts) -> MilestonesReached:
        """Return the milestones of another text, within the work that is left."""
        mine, work = self.verdicts.context.work, tried.context.work
        start = work.done
        with work.limited(mine.most - mine.done):
            found = milestones_reached(tried.context, tried.passed, tried.unread)
        mine.do(work.done - start)
        return found


def _typed(way: Way, before: Step, said: str) -> list[str]:
    """Return lines as a student types them before a step; nothing if that cannot be.

    Before a line that continues another, lines must continue it, too.
    """
    texts = [shown(relation).strip("`") for relation in way]
    begun = before.text.lstrip("$& ").startswith(("=", "<", ">"))
    if begun and not before.continues:
        return []
    if begun:
        texts = [shown(relation.sides[1]).strip("`") for relation in way]
        texts = [f"= {text}" for text in texts]
    return [f"{text} | {said}" if said else text for text in texts]


def _in_words(typed: list[str], said: str) -> str:
    lines = [f"`{text.partition(' | ')[0]}`" for text in typed]
    words = f", with “{said}”" if said else ""
    return f"first write {', then '.join(lines)}{words}"
