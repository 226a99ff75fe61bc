"""Milestones: has a derivation passed all the places of one route?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kernellab.grading.forms import find_form
from kernellab.grading.judging_old.facts import Statement
from kernellab.grading.judging_old.judge import Judge
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr, Relation, is_zero, without_factor
from kernellab.grading.problem import Milestone, Route
from kernellab.grading.worlds.fields import OutOfTime, Undecided
from kernellab.grading.worlds.instances import Equation, holds, impose, residual


@dataclass(frozen=True)
class MilestonesReached:
    """The milestones that a derivation reached on the best of the routes.

    Parameters
    ----------
    route : that route.
    reached : milestone → the line that reached it, and whether that line is sound.
    one_slip : whether it is complete and right but for one wrong line.
    """

    route: Route
    reached: dict[str, tuple[int, bool]]
    one_slip: bool = False

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
        credit = sum(1.0 if sound else 0.5 for _, sound in self.reached.values())
        share = credit / len(self.route.milestones)
        return max(share, 0.5) if self.one_slip else share


def milestones_reached(
    judge: Judge, right: Sequence[int], unread: int = 0
) -> MilestonesReached:
    """Return the milestones reached on the best route.

    Parameters
    ----------
    right : the numbers of the lines that passed.
    unread : how many lines could not be read.
    """
    lines = [s for s in judge.statements if s.number in right and s.kind != "let"]
    failed = [s for s in judge.statements if s.number > 0 and s.number not in right]
    if any(_states_goal(judge, s) for s in failed):
        lines = [s for s in lines if s.sound]  # nothing is earned by asserting the goal
    routes = judge.problem.routes
    found = [_on_route(judge, route, lines, failed) for route in routes]
    if any(_one_slip(judge, p.route, lines, failed) for p in found):
        best = max(found, key=lambda p: p.share)
        return replace(best, one_slip=unread == 0)
    if not any(sound for p in found for _, sound in p.reached.values()):
        # Half of nothing is nothing.
        found = [MilestonesReached(p.route, {}) for p in found]
    return max(found, key=lambda p: (not p.missing, p.share))


def _one_slip(
    judge: Judge, route: Route, lines: Sequence[Statement], failed: Sequence[Statement]
) -> bool:
    """Whether one wrong line is followed through to the end, no step left out."""
    if len(failed) != 1 or len(lines) < 3 or lines[-1].sound:
        return False
    goal = judge.problem.parse(route.milestones[-1].relation)
    steps = [m for m in route.milestones if m.gradient and m.unknown]
    taken = [
        any(m.unknown in judge.gradients(line.relation) for line in lines)
        for m in steps
    ]
    arrived = lines[-1].relation.sides[0] == goal.sides[0]
    asserted = failed[0].relation.sides[0] == goal.sides[0]
    return bool(steps) and all(taken) and arrived and not asserted


def _states_goal(judge: Judge, line: Statement) -> bool:
    goals = [route.milestones[-1] for route in judge.problem.routes]
    return any(reaches(judge, goal, line) for goal in goals)


def _on_route(
    judge: Judge, route: Route, lines: Sequence[Statement], failed: Sequence[Statement]
) -> MilestonesReached:
    reached = {}
    for milestone in route.milestones:
        asserted = any(reaches(judge, milestone, line) for line in failed)
        for line in lines:
            if asserted and not line.sound:
                continue  # it only repeats what a wrong line said
            if reaches(judge, milestone, line):
                reached[milestone.name] = (line.number, line.sound)
                if line.sound:
                    break
    return MilestonesReached(route, reached)


def reaches(judge: Judge, milestone: Milestone, line: Statement) -> bool:
    """Whether a line says what the milestone says, in the form that it asks for."""
    try:
        target = judge.problem.parse(milestone.relation)
        return any(
            _same(judge, milestone, target, relation, line)
            for relation in _readings(line.relation)
        )
    except (Undecided, OutOfTime, LookupError):
        return False


def _readings(relation: Relation) -> list[Relation]:
    """A chain A = B = C says A = B, A = C and B = C, also the other way round."""
    sides, signs = relation.sides, relation.signs
    found = []
    for i in range(len(sides)):
        for j in range(i + 1, len(sides)):
            between = set(signs[i:j])
            sign = "=" if between == {"="} else next(iter(between - {"="}))
            found.append(Relation((sides[i], sides[j]), (sign,)))
            if sign == "=":
                found.append(Relation((sides[j], sides[i]), (sign,)))
            else:
                turned = "<=" if sign == ">=" else ">="
                found.append(Relation((sides[j], sides[i]), (turned,)))
    return found + [r for r in map(_unscaled, found) if r is not None]


def _unscaled(relation: Relation) -> Relation | None:
    """2*J = X says J = X/2."""
    left, right = relation.sides
    symbol, factor = without_factor(left)
    if relation.signs != ("=",) or factor in (0, 1):
        return None
    number = Expr("num", data=1 / factor, shape=NUMBER)
    return Relation((symbol, Expr("mul", (number, right), "*", right.shape)), ("=",))


def _same(
    judge: Judge,
    milestone: Milestone,
    target: Relation,
    relation: Relation,
    line: Statement,
) -> bool:
    if relation.signs != target.signs:
        return False
    relation = _written_out(relation, _own(judge))
    if not _allowed(milestone, relation.sides[-1], judge.problem.tangents):
        return False
    if milestone.unknown is not None:
        known = milestone.gradient and milestone.unknown in judge.gradients(relation)
        return known or (
            _speaks_of(judge, relation, milestone.unknown)
            and _same_solutions(judge, milestone.unknown, target, relation, line)
        )
    if not _same_left(judge, milestone, target.sides[0], relation):
        return False
    if target.signs == (">=",) and is_zero(target.sides[1]):
        return is_zero(relation.sides[1])
    return judge.equal(relation.sides[1], target.sides[1])


def _same_left(
    judge: Judge, milestone: Milestone, target: Expr, relation: Relation
) -> bool:
    """Whether the left side is the one asked for, and the right side is free of it."""
    left, right = relation.sides[0], relation.sides[-1]
    if left.text in {node.text for node in right.walk()}:
        return False
    if not milestone.left:
        return left == target
    return find_form(milestone.left)(left) and judge.equal(left, target)


def _allowed(
    milestone: Milestone,
    node: Expr,
    tangents: Mapping[str, str],
) -> bool:
    """Whether the right side uses what it may, and is of the form asked for."""
    names = node.symbols()
    sizes = names & {"N", "M", "D", "P", "Q"}
    if milestone.only is not None and not names - sizes - {"pi"} <= milestone.only:
        return False
    calls = {n.data if n.op == "call" else n.op for n in _visible(node, tangents)}
    if milestone.without & calls or not milestone.needs <= calls:
        return False
    return not milestone.form or find_form(milestone.form)(node)


def _own(judge: Judge) -> dict[str, Expr]:
    """The symbols that the student has defined, with their definitions."""
    lets = [s for s in judge.statements if s.kind == "let"]
    return {s.name: s.relation.sides[-1] for s in lets if s.name}


def _written_out(relation: Relation, own: Mapping[str, Expr]) -> Relation:
    """The right side with the student's symbols replaced by what they stand for."""

    def replaced(node: Expr) -> Expr:
        if node.op == "sym" and node.data in own:
            return own[node.data].map(replaced)
        return node

    last = relation.sides[-1].map(replaced)
    return Relation((*relation.sides[:-1], last), relation.signs)


def _visible(node: Expr, tangents: Mapping[str, str]) -> list[Expr]:
    """All nodes, but for d(C), which is another name of dC."""
    if node.op == "call" and node.data == "d" and node.args[0].data in tangents:
        return []
    return [node, *(n for arg in node.args for n in _visible(arg, tangents))]


def _speaks_of(judge: Judge, relation: Relation, unknown: str) -> bool:
    """Whether the unknown occurs in it, by name or behind another name."""
    names = relation.symbols()
    return unknown in names or any(judge.scene.depends(n, unknown) for n in names)


def _same_solutions(
    judge: Judge, unknown: str, target: Relation, relation: Relation, line: Statement
) -> bool:
    """Whether two equations have the same solutions in the unknown."""
    new: Equation = (relation.sides[0], relation.sides[1], line.free)
    old: Equation = (target.sides[0], target.sides[1], {})
    sides = (*relation.sides, *target.sides)
    return all(
        _implies(judge, unknown, one, two, sizes, low)
        for one, two in ((new, old), (old, new))
        for sizes, low in judge.regimes(sides)
    )


def _implies(
    judge: Judge,
    unknown: str,
    one: Equation,
    two: Equation,
    sizes: dict[str, int],
    low: bool,
) -> bool:
    opened = judge.everything()
    kept = {n: d for n, d in opened.definitions.items() if n != unknown}
    world = judge.world(sizes, low, replace(opened, definitions=kept))
    lengths = [len(residual(world, equation)) for equation in (one, two)]
    if lengths[0] == 1 < lengths[1]:
        return False  # one number cannot say as much as a column
    impose(world, [one], [unknown], only=True)
    return holds(world, two)
