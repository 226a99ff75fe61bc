"""Milestones: has a derivation passed all places of a route, and what is it worth?

Whether a line says what a milestone says is decided in `readings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.gradients import shows_gradient
from kernellab.grading.judging.readings import Reading
from kernellab.grading.judging.repairing import repair_of
from kernellab.grading.judging.statements import Passed, Statement
from kernellab.grading.judging.step_size import is_within
from kernellab.grading.problem import Milestone, Route

Costs = Mapping[int, Sequence[int]]

# Why a wrong line about the objective carries nothing.
_WORTHLESS = {
    "false": "I found no single edit that mends line {}",
    "large": "line {} is too large a step",
    "unproved": "I found no proof of line {}",
    "unsaid": "line {} lacks a word that has to be said",
    "early": "line {} comes too early",
}


@dataclass(frozen=True)
class Passage:
    """A line that reached a milestone.

    Parameters
    ----------
    line : its number.
    sound : whether it rests on no wrong line.
    worth : the part of its points that wrong reasons leave.
    link : which of its links says the milestone.
    """

    line: int
    sound: bool
    worth: float = 1.0
    link: int = 0


@dataclass(frozen=True)
class MilestonesReached:
    """The milestones that a derivation reached on the best of the routes.

    Parameters
    ----------
    route : that route.
    reached : milestone → the line that reached it.
    hurried : milestone → a line that says it, but in too large a step.
    one_slip : whether it is complete and right but for one wrong line.
    alone : milestone → a line that says it, without the milestone that it needs.
    firsts : hurried milestone → what to write before the line that says it.
    unpaid : why a line that rests on a wrong one earns nothing, in words.
    spare : whether the text is complete and right without the lines that fail.
    uncompared : whether to compare the lines with the milestones is too much work.
    """

    route: Route
    reached: dict[str, Passage]
    hurried: dict[str, Passage]
    one_slip: bool = False
    alone: dict[str, Passage] = field(default_factory=dict)
    firsts: dict[str, str] = field(default_factory=dict)
    unpaid: str = ""
    spare: bool = False
    uncompared: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        """The milestones that were not reached."""
        names = [m.name for m in self.route.milestones if not m.optional]
        return tuple(name for name in names if name not in self.reached)

    @property
    def share(self) -> float:
        """The share of the milestones, half for one that rests on a wrong line.

        A slip changes all that follows, so that no later line is a milestone; a
        derivation with one slip that arrives gets half nevertheless.
        """
        credit = sum(p.worth * (1 if p.sound else 0.5) for p in self.reached.values())
        share = credit / len(self.route.milestones)
        return max(share, 0.5) if self.one_slip else share


def milestones_reached(
    context: Context, passed: Mapping[int, Passed], unread: int
) -> MilestonesReached:
    """Return the milestones reached on the best route.

    Parameters
    ----------
    passed : the lines that passed, by number.
    unread : how many lines could not be read.
    """
    steps = [s for s in context.statements if s.kind == "step" and not s.case]
    lines = [s for s in steps if s.number in passed and context.counts(s)]
    failed = [s for s in steps if s.number not in passed]
    costs = {n: [q.cost for q in p.proofs] for n, p in passed.items()}
    reader = Reading(context)
    unpaid = "" if all(s.sound for s in lines) else _nonsense(reader, failed)
    if unpaid:
        lines = [s for s in lines if s.sound]
    worth = {n: 1 - context.problem.reasons * bool(p.note) for n, p in passed.items()}
    passages = {s.number: Passage(s.number, s.sound, worth[s.number]) for s in lines}
    routes = context.problem.routes
    found = [_on_route(reader, r, lines, failed, costs, passages) for r in routes]
    if unread == 0 and any(_one_slip(reader, p.route, lines, failed) for p in found):
        best = max(found, key=lambda p: p.share)
        return replace(best, one_slip=True)
    if not any(p.sound for one in found for p in one.reached.values()):
        unpaid = unpaid or "half is paid only beside a milestone with a ✓"
        found = [replace(p, reached={}) for p in found]  # half of nothing is nothing
    found = [replace(p, unpaid=unpaid) for p in found]
    best = max(found, key=lambda p: (not p.missing, p.share))
    if not best.missing:
        return best
    return max(found, key=lambda p: (p.share, *_nearness(reader, p.route, steps)))


def _nearness(
    reader: Reading, route: Route, steps: Sequence[Statement]
) -> tuple[int, int]:
    """Return how much a text, right or wrong, has to do with a route.

    It counts the milestones that some line states, and the gradients that it takes.
    """
    said = [any(reader.may_say(m, line) for line in steps) for m in route.milestones]
    nodes = (n for line in steps for side in line.relation.sides for n in side.walk())
    by = [n.args[1] for n in nodes if n.op in ("grad", "diff")]
    names = {(v.args[0] if v.op == "index" else v).data for v in by}
    return sum(said), sum(m.unknown in names for m in route.milestones)


def _one_slip(
    reader: Reading,
    route: Route,
    lines: Sequence[Statement],
    failed: Sequence[Statement],
) -> bool:
    """Return True if one slip is followed through to the end, step by step."""
    if len(failed) != 1 or len(lines) < 3 or lines[-1].sound:
        return False
    goal = reader.problem.parse(route.milestones[-1].relation)
    steps = [m for m in route.milestones if m.gradient and m.unknown]
    taken = [any(reader.differentiates(s, m.unknown) for s in lines) for m in steps]
    arrived = lines[-1].relation.sides[0] == goal.sides[0]
    asserted = failed[0].relation.sides[0] == goal.sides[0]
    followed = bool(steps) and all(taken) and arrived and not asserted
    # One edit mends a slip; from other wrong lines anything follows.
    return followed and repair_of(reader.context, failed[0].number) is not None


def _nonsense(reader: Reading, failed: Sequence[Statement]) -> str:
    """Return why what follows from wrong lines earns nothing; empty if it earns half.

    They are several, or assert the goal, or an object that is not the problem's.
    """
    if len(failed) != 1:
        return "more than one line did not pass" if failed else "it stands in a case"
    (line,) = failed
    goals = [route.milestones[-1] for route in reader.problem.routes]
    if any(reader.may_say(goal, line) for goal in goals):
        return f"line {line.number} asserts the goal itself"
    about = line.relation.sides[0]
    objective = about.op in ("grad", "diff") or about.data == reader.problem.object
    if objective and repair_of(reader.context, line.number) is None:
        why = _WORTHLESS.get(line.about, "line {} did not pass")
        return why.format(line.number)
    return ""


def _on_route(
    reader: Reading,
    route: Route,
    lines: Sequence[Statement],
    failed: Sequence[Statement],
    costs: Costs,
    passages: Mapping[int, Passage],
) -> MilestonesReached:
    reached: dict[str, Passage] = {}
    hurried: dict[str, Passage] = {}
    undone = reader.context.undone()
    for milestone in route.milestones:
        if undone & reader.problem.parse(milestone.relation).symbols():
            continue
        asserted = any(reader.may_say(milestone, line) for line in failed)
        for line in lines:
            if asserted and not line.sound:
                continue  # it only repeats what a wrong line said
            link = _too_fast(reader, milestone, line, costs)
            if link is not None:
                on_the_way = reached.get(milestone.companion or "")
                if on_the_way is not None and on_the_way.line == line.number:
                    continue  # it says what the milestone rests on, and looks like it
                hurried[milestone.name] = replace(passages[line.number], link=link)
                break  # to say it again does not make it slower
            if not reader.reaches(milestone, line):
                continue
            reached[milestone.name] = passages[line.number]
            if line.sound:
                break
    kept = _accompanied(route, _forwards(route, lines, reached, hurried))
    alone = {name: p for name, p in reached.items() if name not in kept}
    return MilestonesReached(route, kept, hurried, alone=alone)


def _too_fast(
    reader: Reading, milestone: Milestone, line: Statement, costs: Costs
) -> int | None:
    """Return the link that says the milestone, if it uses too many facts."""
    used = costs.get(line.number, ())
    if milestone.step is None or max(used, default=0) <= milestone.step:
        return None
    asked = (reader.reached_by, reader.disguised_by, reader.multiplied_by)
    found = (link for said in asked if (link := said(milestone, line)) is not None)
    link = next(found, None)
    if link is None or used[link] <= milestone.step:
        return None
    if milestone.gradient and shows_gradient(reader, line, milestone.unknown):
        return None
    return None if is_within(reader.context, line, link, milestone.step) else link


def _forwards(
    route: Route,
    lines: Sequence[Statement],
    reached: Mapping[str, Passage],
    hurried: Mapping[str, Passage],
) -> dict[str, Passage]:
    """Return what was not reached backwards, from a later milestone said too early."""
    behind = {line.number: line.rests for line in lines}
    names = [m.name for m in route.milestones]
    later = {
        name: {("line", hurried[n].line) for n in names[k + 1 :] if n in hurried}
        for k, name in enumerate(names)
    }
    return {
        name: passage
        for name, passage in reached.items()
        if not later[name] & behind[passage.line]
    }


def _accompanied(route: Route, reached: Mapping[str, Passage]) -> dict[str, Passage]:
    """Return what counts: a conclusion alone does not."""
    sound = {name for name, passage in reached.items() if passage.sound}
    alone = {
        m.name
        for m in route.milestones
        if m.name in reached and m.companion and m.companion not in sound
    }
    kept = {name: p for name, p in reached.items() if name not in alone}
    return _accompanied(route, kept) if alone else kept
