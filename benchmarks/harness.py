"""What is compared, and how it is measured.

A case puts one task of kernellab beside the same task of a peer. Its problem is made
only when its turn comes. Both solve it once, and their answers are checked: a time
is worth nothing if the answers differ. Then both run in turn, in one process on one
thread: a neighbour's load or a lower clock rate meets both, and neither follows itself,
so that neither finds its own caches warm and its own memory still mapped.

Time is the processor's: on one thread that is the time without waiting for others. What
a task starts as a process of its own counts, too.
Peak memory is what Python and NumPy allocate during the first run.
"""

from __future__ import annotations

import gc
import importlib.util
import math
import os
import statistics
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from benchmarks.environment import free_gigabytes
from kernellab import loops

Task = Callable[[], Any]
Clock = Callable[[], float]


def processor_time() -> float:
    """Seconds of the processor, in this process and in those that it has ended."""
    return sum(os.times()[2:4]) + time.process_time()


def without_numba(task: Task) -> Task:
    """The same task with the loops of NumPy."""

    def run() -> Any:
        with loops.without_numba():
            return task()

    return run


@dataclass(frozen=True)
class Check:
    """A number that must not exceed a limit, or the answers are not the same."""

    what: str
    value: float
    limit: float

    @property
    def holds(self) -> bool:
        """Whether it does not; a NaN does."""
        return self.value <= self.limit

    def __str__(self) -> str:
        return f"{self.what}: {self.value:.2g}, at most {self.limit:.2g}"


@dataclass(frozen=True)
class Contest:
    """Two tasks on one problem, and the checks of the two answers."""

    ours: Task
    theirs: Task
    checks: Callable[[Any, Any], Iterable[Check]]


@dataclass(frozen=True)
class Case:
    """One row of the table.

    Attributes
    ----------
    group, name, setting : the part of the library, the task, the problem's size.
    peer : the library and the class or function beside which kernellab is put.
    prepare : makes the problem and the two tasks.
    target : the ratio of the times that kernellab is to reach.
    mean_target : the same for the geometric mean of all cases of this name and peer.
    memory : whether to measure the peak memory of both.
    memory_target : how many megabytes kernellab may hold.
    repeats : number of rounds; chosen by the duration if None.
    needs : a module without which the case is left out.
    gigabytes : memory that must be free, or the case is left out.
    """

    group: str
    name: str
    setting: str
    peer: str
    prepare: Callable[[], Contest]
    target: float | None = None
    mean_target: float | None = None
    memory: bool = False
    memory_target: float | None = None
    repeats: int | None = None
    needs: str | None = None
    gigabytes: float = 0.0


@dataclass(frozen=True)
class Record:
    """What was measured, as plain data: times in seconds, memory in megabytes."""

    group: str
    name: str
    setting: str
    peer: str
    status: Literal["ok", "failed", "skipped"]
    message: str = ""
    target: float | None = None
    mean_target: float | None = None
    memory_target: float | None = None
    checks: list[Check] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    ratio: float | None = None
    lowest: float | None = None
    highest: float | None = None
    memory_ours: float | None = None
    memory_theirs: float | None = None


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    seconds: float
    """For all rounds of a case, roughly."""
    shortest: float
    """For one measurement: what takes less is called several times in a row."""
    fewest: int = 3
    most: int = 15
    patience: float = 20.0
    """If both tasks take longer, the first run counts, and there is one more."""

    def rounds(self, pair: float) -> int:
        """An odd number of rounds if both tasks together take `pair` seconds."""
        if pair > self.patience:
            return 2
        many = int(self.seconds / max(pair, self.shortest))
        return max(self.fewest, min(self.most, many - 1 + many % 2))

    def calls(self, once: float) -> int:
        """How many calls one measurement needs if a call takes `once` seconds."""
        return min(1000, max(1, math.ceil(self.shortest / max(once, 1e-6))))


WARM_UP_SECONDS = 5.0
"""First runs that take less are timed again before rounds and calls are chosen: they
may have loaded what was compiled, and a call would seem longer than it is."""

FULL = Effort(seconds=4.0, shortest=0.02, most=11)
QUICK = Effort(seconds=0.6, shortest=0.005, most=5)


def measure(case: Case, effort: Effort, clock: Clock = processor_time) -> Record:
    """Run a case. Whatever goes wrong is part of the record, and stops nothing."""
    if missing := _missing(case):
        return _record(case, "skipped", missing)
    with warnings.catch_warnings():
        # Too few epochs to converge, a width at its bound: the checks judge the answer.
        warnings.simplefilter("ignore")
        try:
            return _measure(case, effort, clock)
        except Exception as error:
            message = f"{type(error).__name__}: {error}".splitlines()[0]
            return _record(case, "failed", message)


def _missing(case: Case) -> str:
    if case.needs is not None and importlib.util.find_spec(case.needs) is None:
        return f"{case.needs} is not installed"
    if case.gigabytes > (free := free_gigabytes()):
        return f"needs {case.gigabytes:g} GB of memory, {free:.0f} GB are free"
    return ""


def _measure(case: Case, effort: Effort, clock: Clock) -> Record:
    contest = case.prepare()
    gc.collect()
    mine, first, memory_ours = _first(contest.ours, case.memory, clock)
    other, second, memory_theirs = _first(contest.theirs, case.memory, clock)
    checks = list(contest.checks(mine, other))
    del mine, other
    seen = {
        "checks": checks,
        "memory_ours": memory_ours,
        "memory_theirs": memory_theirs,
    }
    if broken := [check for check in checks if not check.holds]:
        return _record(case, "failed", f"answers differ: {broken[0]}", **seen)
    counts = first + second > effort.patience
    if first + second <= WARM_UP_SECONDS:
        tasks = contest.ours, contest.theirs
        first, second = (_first(task, False, clock)[1] for task in tasks)
    rounds = case.repeats or effort.rounds(first + second)
    calls = effort.calls(first), effort.calls(second)
    ours, theirs = interleaved(
        contest.ours, contest.theirs, rounds - counts, calls, clock
    )
    if counts:
        ours, theirs = [first, *ours], [second, *theirs]
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return _record(
        case,
        "ok",
        ours=ours,
        theirs=theirs,
        ratio=statistics.median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
        **seen,
    )


def interleaved(
    ours: Task,
    theirs: Task,
    rounds: int,
    calls: tuple[int, int] = (1, 1),
    clock: Clock = processor_time,
) -> tuple[list[float], list[float]]:
    """Seconds of one call of either task, for each round."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for task, many, spent in zip((ours, theirs), calls, times, strict=True):
            start = clock()
            for _ in range(many):
                task()
            spent.append((clock() - start) / many)
    return times


def _first(task: Task, memory: bool, clock: Clock) -> tuple[Any, float, float | None]:
    """A task's answer, its duration, and the megabytes that it held at most."""
    start = clock()
    if not memory:
        return task(), clock() - start, None
    tracemalloc.start()
    try:
        answer = task()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return answer, clock() - start, most / 1e6


def _record(case: Case, status: Any, message: str = "", **measured: Any) -> Record:
    return Record(
        group=case.group,
        name=case.name,
        setting=case.setting,
        peer=case.peer,
        status=status,
        message=message,
        target=case.target,
        mean_target=case.mean_target,
        memory_target=case.memory_target,
        **measured,
    )


@dataclass(frozen=True)
class Mean:
    """The geometric mean of the ratios of one task against one peer."""

    group: str
    name: str
    peer: str
    cases: int
    ratio: float
    target: float | None


def means(records: Iterable[Record]) -> Iterator[Mean]:
    """Geometric means of all tasks that were compared on more than one problem."""
    series: dict[tuple[str, str, str], list[Record]] = {}
    for r in records:
        if r.ratio is not None:
            series.setdefault((r.group, r.name, r.peer), []).append(r)
    for key, members in series.items():
        if len(members) > 1:
            ratios = [r.ratio for r in members if r.ratio is not None]
            ratio = statistics.geometric_mean(ratios)
            yield Mean(*key, len(members), ratio, members[0].mean_target)
