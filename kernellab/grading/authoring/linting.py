"""Does a derivation problem pay for what proves nothing? And do its answers hold?

The judge finds reasons by itself, so a problem whose goal is one step away is solved by
writing down its goal. `lint` tries what a student without an idea would try: the goal
alone, the bare list of the milestones, definitions restated, and tricks. None of them
may be accepted, or pay more than a tenth of the points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kernellab.grading.authoring.cheats import (
    cheats,
    goals,
    lists_with_multiples,
    milestone_lists,
    restatements,
    said_words,
)
from kernellab.grading.judging.check import check_derivation
from kernellab.grading.judging.report import Report
from kernellab.grading.language.steps import steps
from kernellab.grading.problem import Milestone, Problem, Route
from kernellab.grading.questions.base import Mistake, Reference
from kernellab.grading.questions.derivations import Derivation

TENTH = 0.1  # the largest share of the points for what proves nothing
FEWEST_STEPS = 3  # of an honest derivation
UNBOUNDED = 99  # facts per line, enough for any proof
SEED = 1

Costs = tuple[int | None, ...]


@dataclass(frozen=True)
class Lint:
    """What was found out about a derivation problem.

    Parameters
    ----------
    id : of the question.
    max_facts : how many facts a line may use.
    goal_cost : how many the goal needs by itself; None if it is not proved at once.
    goal_step : how many its milestone allows, if fewer.
    list_costs : what each milestone of the first route needs after those before it.
    steps : the number of proved lines in the shortest reference.
    reference_cost : the largest number of facts that a line of a reference uses.
    faults : what is wrong and what to do, in words.
    """

    id: str
    max_facts: int
    goal_cost: int | None
    goal_step: int | None
    list_costs: Costs
    steps: int
    reference_cost: int
    faults: tuple[str, ...]


def lint(question: Derivation) -> Lint:
    """Try the goal, the milestones, the cheats, and the question's own answers."""
    problem = question.problem
    goal, first = goals(problem)[0], next(milestone_lists(problem.routes[0]))
    references = [_check(problem, r.answer) for r in question.references]
    proved = [[c for c in _costs(r) if c is not None] for r in references if r.accepted]
    tried = _Tried(problem)
    faults = [
        *_goal_faults(tried),
        *_list_faults(tried),
        *_restatement_faults(problem),
        *_reference_faults(question.references, references),
        *_length_faults([len(costs) for costs in proved]),
        *(fault for m in question.mistakes for fault in _mistake_faults(problem, m)),
    ]
    return Lint(
        question.id,
        problem.max_facts,
        tried.costs((goal.relation,))[0],
        goal.step,
        tried.costs(first),
        min(map(len, proved), default=0),
        max((c for costs in proved for c in costs), default=0),
        tuple(faults),
    )


# --- judging --------------------------------------------------------------------------


def _check(problem: Problem, text: str) -> Report:
    return check_derivation(problem, text, explanations=False, seed=SEED)


def _costs(report: Report) -> Costs:
    """Return how many facts each line uses; None for one without a proof."""
    passed = report.passed
    found: list[int | None] = []
    for line in report.lines:
        proofs = passed[line.number].proofs if line.number in passed else ()
        whole = [p for proof in proofs for p in (proof, *proof.parts)]
        found.append(max((p.cost for p in whole), default=None))
    return tuple(found)


class _Tried:
    """Bare relations, judged once each with the reasons that do most for them."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._reports: dict[tuple[str, ...], Report] = {}

    def report(self, relations: tuple[str, ...]) -> Report:
        """Return the verdict on a list of relations without the steps between them."""
        if relations not in self._reports:
            self._reports[relations] = _with_best_words(self.problem, relations)
        return self._reports[relations]

    def costs(self, relations: tuple[str, ...]) -> Costs:
        """Return how many facts each relation needs, also if they are too many."""
        within = _costs(self.report(relations))
        if None not in within:
            return within
        free = replace(self.problem, max_facts=UNBOUNDED)
        beyond = _costs(_with_best_words(free, relations))
        return tuple(b if a is None else a for a, b in zip(within, beyond, strict=True))


def _with_best_words(problem: Problem, relations: tuple[str, ...]) -> Report:
    text, report = "", _check(problem, "")
    for relation in relations:
        text, report = _extended(problem, text, relation, report.score)
    return report


def _extended(
    problem: Problem, text: str, relation: str, score: float
) -> tuple[str, Report]:
    """Add a relation with the reason that lets it pass, and pay, if there is one."""
    tried: list[tuple[str, Report]] = []
    for words in said_words(problem):
        longer = f"{text}{relation} | {words}\n"
        tried.append((longer, _check(problem, longer)))
        if _passes(tried[-1][1]) and tried[-1][1].score > score:
            break
    return max(tried, key=lambda found: (_passes(found[1]), found[1].score))


def _passes(report: Report) -> bool:
    """Return True if the last line follows, be it from lines that do not."""
    return report.lines[-1].status in ("ok", "carried")


# --- what pays without work -----------------------------------------------------------


def _goal_faults(tried: _Tried) -> Iterator[str]:
    for goal in goals(tried.problem):
        paid = TENTH
        for relation in (goal.relation, *goal.others):
            report = tried.report((relation,))
            if report.score > TENTH:
                yield f"{_paid('the goal alone', report)}. {_goal_advice(goal, report)}"
                paid = max(paid, report.score)
        for cheat in cheats(tried.problem, goal.relation):
            report = _check(tried.problem, cheat.text)
            if report.score > paid:
                reached = _reached(report)
                yield f"{_paid(cheat.name, report)}{reached}\n{_indented(cheat.text)}"


def _goal_advice(goal: Milestone, report: Report) -> str:
    cost = _costs(report)[0]
    if cost:
        return (
            f"It needs {_facts(cost)} only. Give “{goal.name}” `step: {cost - 1}`, and "
            "a milestone before it"
        )
    return (
        "It is algebra from the start. Ask for a milestone on the way that is not, or "
        "for another `form`"
    )


def _list_faults(tried: _Tried) -> Iterator[str]:
    for route in tried.problem.routes:
        lists = (tried.report(r) for r in milestone_lists(route) if len(r) > 1)
        report = next((report for report in lists if report.accepted), None)
        if report is not None:
            advice = _list_advice(route, _costs(report))
            yield f"the bare list of milestones{_of(route)}: accepted. {advice}"
        elif _gets_round_steps(tried, route):
            yield (
                f"the list of milestones{_of(route)}, each times something before: "
                "accepted. Let a step need more than `max_facts`"
            )


def _gets_round_steps(tried: _Tried, route: Route) -> bool:
    """Return True if a multiple before each milestone gets round its `step`."""
    lists = lists_with_multiples(tried.problem, route)
    return any(tried.report(found).accepted for found in lists)


def _of(route: Route) -> str:
    return f" ({route.name})" if route.name else ""


def _list_advice(route: Route, costs: Costs) -> str:
    known = [c or 0 for c in costs]
    largest = max(range(len(known)), key=lambda n: known[n])
    name, cost = route.milestones[largest].name, known[largest]
    if not cost:
        return "Every step is algebra. Add a milestone that needs a definition"
    before = (
        f"between “{route.milestones[largest - 1].name}” and" if largest else "before"
    )
    return (
        f"The largest step, to “{name}”, needs {_facts(cost)}. Give it "
        f"`step: {cost - 1}`, or add a milestone {before} it that is a step of its own"
    )


def _restatement_faults(problem: Problem) -> Iterator[str]:
    for cheat in restatements(problem):
        report = _check(problem, cheat.text)
        if report.score > 0:
            yield (
                f"{_paid(cheat.name, report)}{_reached(report)} "
                "Say with `only`, `form` or another relation what a line must add"
            )


def _paid(name: str, report: Report) -> str:
    return f"{name}: {'accepted' if report.accepted else f'paid {report.score:.0%}'}"


def _reached(report: Report) -> str:
    names = ", ".join(f"“{name}”" for name in report.progress.reached)
    return f", for {names}."


def _facts(cost: int) -> str:
    return "1 fact" if cost == 1 else f"{cost} facts"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


# --- the question's own answers -------------------------------------------------------


def _reference_faults(
    references: Sequence[Reference], reports: Sequence[Report]
) -> Iterator[str]:
    for reference, report in zip(references, reports, strict=True):
        if not report.accepted:
            bad = [line for line in report.lines if line.number == report.first_bad]
            why = [f"line {line.number}: {line.message}" for line in bad]
            why = why or [f"it misses {', '.join(report.missing)}"]
            yield f"the reference “{reference.name}” is not accepted; {why[0]}"


def _length_faults(lengths: Sequence[int]) -> Iterator[str]:
    if lengths and min(lengths) < FEWEST_STEPS:
        yield (
            f"the shortest reference has fewer than {FEWEST_STEPS} proved lines "
            f"({min(lengths)}). Write it out, or ask for more"
        )


def _mistake_faults(problem: Problem, mistake: Mistake) -> Iterator[str]:
    """Yield what is wrong with a mistake: it must fail where it says, or earn less.

    What comes after the first bad line cannot make it accepted, and is not judged.
    """
    report = _check(problem, _first_steps(mistake.answer, mistake.first_bad))
    if report.accepted:
        yield f"the mistake “{mistake.why}”: accepted"
    elif mistake.first_bad is not None and report.first_bad != mistake.first_bad:
        wanted, found = mistake.first_bad, report.first_bad or "none"
        yield f"the mistake “{mistake.why}”: line {wanted} should fail, {found} does"
    elif mistake.first_bad is None and report.score > mistake.at_most:
        yield _paid(f"the mistake “{mistake.why}”", report)


def _first_steps(text: str, number: int | None) -> str:
    """Return the text up to a step, or all of it."""
    kept: list[str] = []
    count = 0
    for line in text.splitlines():
        if count == number:
            break
        kept.append(line)
        count += len(steps(line))
    return "\n".join(kept)
