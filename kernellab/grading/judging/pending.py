"""Why a milestone is not reached: what the line that has it lacks, or what is missing.

Such a remark is a sentence for the student; expressions stand between backticks.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from kernellab.grading.forms import asked
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.milestones import MilestonesReached, Passage
from kernellab.grading.judging.readings import Reading
from kernellab.grading.judging.right_sides import usable
from kernellab.grading.judging.statements import Passed, Statement
from kernellab.grading.judging.wording import counted, listed, named, quoted, shown
from kernellab.grading.language.tree import Relation
from kernellab.grading.problem import Milestone
from kernellab.grading.work import OutOfWork

REMARKS = 300_000  # units of work


@dataclass(frozen=True)
class Pending:
    """What is said of the milestones that a text did not reach.

    Parameters
    ----------
    context, passed : what stands at the end, and the lines that passed.
    progress : what was reached.
    """

    context: Context
    passed: Mapping[int, Passed]
    progress: MilestonesReached

    @cached_property
    def reader(self) -> Reading:
        return Reading(self.context)

    @property
    def milestones(self) -> list[Milestone]:
        """The milestones that were not reached."""
        reached = self.progress.reached
        return [m for m in self.progress.route.milestones if m.name not in reached]

    @property
    def missing(self) -> list[Milestone]:
        """Those among them that must be reached."""
        return [m for m in self.milestones if not m.optional]

    def remarks(self) -> dict[str, str]:
        """Return a remark for each milestone that some line has.

        The first that is missing also says what it asks for.
        """
        found: dict[str, str] = {}
        with suppress(OutOfWork), self.context.work.limited(REMARKS):
            for milestone in self.milestones:
                found[milestone.name] = self._stated(milestone)
            for milestone in self.missing[:1]:
                found[milestone.name] = found[milestone.name] or self._next(milestone)
        return {name: remark for name, remark in found.items() if remark}

    # A line that has it

    def _stated(self, milestone: Milestone) -> str:
        """Return what the line lacks that states a milestone, or comes near it."""
        progress, name = self.progress, milestone.name
        if name in progress.hurried:
            return self._hurried(milestone, progress.hurried[name])
        if name in progress.alone:
            line, other = progress.alone[name].line, milestone.companion
            return f"line {line} says it, and counts once “{other}” is reached, too"
        steps = [s for s in self.context.statements if s.kind == "step"]
        later = self._after(milestone)
        having = [s for s in steps if self._has(milestone, s)]
        if milestone.gradient:  # that it vanishes is not said by the solution
            having = [s for s in having if not any(self._has(m, s) for m in later)]
        having.sort(key=lambda s: (s.number not in self.passed, not s.sound))
        if having:
            return self._not_counted(milestone, having[0])
        return ""

    def _has(self, milestone: Milestone, line: Statement) -> bool:
        with suppress(OutOfWork), self.context.work.limited(REMARKS / 5):
            return self.reader.reached_by(milestone, line) is not None
        return False

    def _next(self, milestone: Milestone) -> str:
        """Return what the last line lacks that almost says it, or what it asks for."""
        for line in reversed(self.context.steps()):
            unfit = self.reader.unfit(milestone, line)
            if unfit:
                return f"line {line.number} has it, but {unfit}"
        return self._asked(milestone)

    def _hurried(self, milestone: Milestone, at: Passage) -> str:
        proof = self.passed[at.line].proofs[at.link]
        facts = listed(named(self.context, proof.facts))
        most = counted(milestone.step or 0, "fact")
        says = f"line {at.line} says it, in too large a step: it uses {facts}"
        first = self.progress.firsts.get(milestone.name) or "write a line between"
        return f"{says}; {most} may be used here beside the line before: {first}"

    def _not_counted(self, milestone: Milestone, line: Statement) -> str:
        """Say why a line that says the milestone does not reach it."""
        start = f"line {line.number} has it, but"
        if line.number not in self.passed:
            return f"{start} does not pass"
        if not line.sound:
            return f"{start} rests on a line that does not pass"
        if line.case:
            return f"{start} only in a case: say it “in all cases”, too"
        if not self.context.counts(line):
            return f"{start} it rests on the hypothesis, which is not concluded yet"
        owed = self._owed(milestone)
        if owed:
            return f"{start} {owed} has to be derived first: you named it anew"
        later = self._drawn_from(milestone, line)
        if later:
            return f"{start} draws it from line {later}, which comes after it"
        return ""

    def _owed(self, milestone: Milestone) -> str:
        """Return what is to be derived, since names of it were given anew."""
        names = self.context.undone() & self._target(milestone).symbols()
        owed = [
            Relation((link.left, link.right), ("=",))
            for link in self.context.owed
            if link.right.names & names
        ]
        return listed(map(shown, owed)) if owed else ""

    def _target(self, milestone: Milestone) -> Relation:
        return self.context.problem.parse(milestone.relation)

    def _drawn_from(self, milestone: Milestone, line: Statement) -> int:
        """Return the line that says a later milestone, and is behind this one; or 0."""
        later = {m.name for m in self._after(milestone)}
        said = (p.line for n, p in self.progress.hurried.items() if n in later)
        return next((n for n in said if ("line", n) in line.rests), 0)

    def _after(self, milestone: Milestone) -> list[Milestone]:
        """Return the milestones that come later on the route."""
        whole = self.progress.route.milestones
        place = [m.name for m in whole].index(milestone.name)
        return [*whole[place + 1 :]]

    # What is missing

    def _asked(self, milestone: Milestone) -> str:
        """Return what kind of line reaches a milestone."""
        target = self._target(milestone)
        about, form = shown(target.sides[0]), ""
        if milestone.gradient and milestone.unknown:
            gradient = shown(self.context.problem.gradient(milestone.unknown))
            what = f"what {gradient} is, or an equation that says where it vanishes"
        elif milestone.unknown:
            what = f"an equation for `{milestone.unknown}`"
        elif milestone.name == milestone.relation:
            what = "a line that says just this"
        elif target.signs != ("=",):
            what = f"a bound on {about}"
        else:
            what = "an equation" if milestone.left else f"what {about} is"
        if milestone.left:
            form = f"; one side should {asked(milestone.left)}"
        if milestone.form:
            other = "the other" if milestone.left else "its right side"
            form += f"{',' if form else ';'} {other} should {asked(milestone.form)}"
        names = ""
        if milestone.only and milestone.name != milestone.relation:
            may_use = usable(self.context.problem, milestone)
            names = f", in terms of {may_use} alone"
        names += f", with {quoted(sorted(milestone.needs))}" if milestone.needs else ""
        return f"it asks for {what}{names}{form}"
