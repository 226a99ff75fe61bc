"""How the judge does on the collected derivations, in figures.

python -m tests.grading.figures
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from statistics import mean, median, quantiles

from kernellab.grading import check_derivation
from kernellab.grading.classroom.bank import open_bank
from tests.grading.texts import Entry, collected, read, written_by

ROW = "{:<22} {:>5} {:>9} {:>8} {:>10} {:>10} {:>10}"


def judged(entry: Entry) -> tuple[bool, float, float]:
    """Return whether a text is accepted, its score, and the seconds of CPU."""
    question = open_bank().questions.get(entry.problem)
    problem = entry.problem if question is None else question.problem
    start = time.process_time()
    report = check_derivation(problem, entry.text, explanations=False, seed=0)
    return report.accepted, report.score, time.process_time() - start


def row(title: str, entries: Iterable[Entry]) -> str:
    """Return one line of the table."""
    accepted, scores, seconds = zip(*map(judged, entries), strict=True)
    milliseconds = [1000 * s for s in seconds]
    times = (median(milliseconds), quantiles(milliseconds, n=20)[-1], max(milliseconds))
    return ROW.format(
        title,
        len(scores),
        sum(accepted),
        f"{mean(scores):.3f}",
        *(f"{t:.0f}" for t in times),
    )


def main() -> None:
    """Print acceptance, pay and CPU time of each collection."""
    cheats = list(written_by("cheats"))
    collections = {
        "right, collected": [e for p in collected() for e in read("right", p)],
        "right, students": list(written_by("students")),
        "wrong, collected": [e for p in collected() for e in read("wrong", p)],
        "cheats, partly right": [e for e in cheats if e.about.endswith("partial")],
        "cheats, worthless": [e for e in cheats if e.about.endswith("worthless")],
    }
    heads = ("texts", "accepted", "score", "median ms", "p95 ms", "max ms")
    print(ROW.format("", *heads))
    for title, entries in collections.items():
        print(row(title, entries), flush=True)


if __name__ == "__main__":
    main()
