"""Grade a class: many submissions, several processes, and nothing is lost.

What a run leaves in its folder::

    gradebook.csv     student, name, a column per question, total, out_of, status
    grades.json       everything
    index.html        the class, with links to the reports
    reports/*.html    one report a student
    records/*.json    one record a student, written as soon as the student is graded
    overrides.csv     a person's decisions: student, question, points, comment, by
    seed.txt          the secret seed, readable by its owner alone

A second run grades what has changed: a record is used again if the submission, the
sheets, kernellab, the seed and the mode are the same. So an interrupted run goes on
where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import secrets
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from kernellab.grading.classroom import exports, reports
from kernellab.grading.classroom.bank import Bank
from kernellab.grading.classroom.files import write_text
from kernellab.grading.classroom.gradebook import (
    OVERRIDE_COLUMNS,
    Record,
    Result,
    read_overrides,
    results,
    unused_overrides,
    write_gradebook,
)
from kernellab.grading.classroom.marking import LONGEST_TEXT, cut, seed_of
from kernellab.grading.classroom.notebook_files import fingerprint
from kernellab.grading.classroom.students import Entry, find_entries
from kernellab.grading.classroom.workers import Worker
from kernellab.grading.questions.base import Question, Sheet
from kernellab.grading.questions.outcome import Outcome


class ClassError(ValueError):
    """A class that cannot be graded as it was asked for, and why."""


@dataclass(frozen=True)
class GradingRun:
    """How to grade.

    Parameters
    ----------
    bank : where the questions come from.
    seed : the secret from which inputs are drawn.
    exam : verdicts only, no explanations.
    timeout : seconds for one answer.
    jobs : how many processes; 0 for one a core.
    """

    bank: Bank
    seed: int
    exam: bool = False
    timeout: float = 60.0
    jobs: int = 0


@dataclass(frozen=True)
class ClassGrades:
    """What a run gave: the results, and decisions that fitted nobody."""

    results: list[Result]
    unused: list[str]


def grade_class(
    submissions: Path,
    out: Path,
    run: GradingRun,
    *,
    sheets: tuple[Sheet, ...] = (),
    force: Callable[[str], bool] = lambda student: False,
    total: Callable[[int], None] = lambda number: None,
    done: Callable[[Result], None] = lambda result: None,
) -> ClassGrades:
    """Grade all submissions in a folder and write gradebook and reports.

    Parameters
    ----------
    submissions, out : where they are, and where the grades go.
    sheets : what to grade; by default the sheets that some submission answers.
    force : for which students to grade again what has not changed.
    total : called once, with the number of students.
    done : called for each student as soon as the grades are there.
    """
    entries = _entries(submissions, run.bank)
    overrides = read_overrides(out / "overrides.csv")  # or fail before the work
    total(len(entries))
    records = {}
    for record in grade_entries(entries, out / "records", run, force):
        records[record.student] = record
        done(results([record], _asked([record], run.bank, sheets), overrides)[0])
    ordered = [records[entry.student] for entry in entries]
    found = results(ordered, _asked(ordered, run.bank, sheets), overrides)
    publish(out, found, exam=run.exam)
    return ClassGrades(found, unused_overrides(overrides, found))


def _entries(submissions: Path, bank: Bank) -> list[Entry]:
    if not submissions.is_dir():
        raise ClassError(f"{submissions}: expected a folder of submissions")
    for folder in (bank.folder, bank.tests):
        # Sheets are executed. What a student handed in must never be taken for one.
        if folder and folder.is_relative_to(submissions.resolve()):
            raise ClassError(f"the sheets in {folder} lie among the submissions")
    return find_entries(submissions)


def _asked(
    records: Iterable[Record], bank: Bank, sheets: tuple[Sheet, ...]
) -> list[Question]:
    """Return the questions of the chosen sheets, or of those that somebody has
    answered.
    """
    answered = dict.fromkeys(key for record in records for key in record.answers)
    if sheets:
        return [question for sheet in sheets for question in sheet.questions]
    used = [s for s in bank.sheets if any(q.id in answered for q in s.questions)]
    asked = [question for sheet in used for question in sheet.questions]
    loose = [bank.question(key) for key in answered if key not in bank.questions]
    if asked or loose:
        return asked + sorted(loose, key=lambda question: question.id)
    return list(bank.questions.values())


def grade_entries(
    entries: list[Entry], folder: Path, run: GradingRun, force: Callable[[str], bool]
) -> Iterator[Record]:
    """Yield the records of all entries, stored ones first, the others as they
    finish.
    """
    todo: list[tuple[Entry, str]] = []
    for entry in entries:
        mark = _fingerprint(entry, run)
        stored = Record.read(folder / f"{entry.key}.json")
        if stored and stored.fingerprint == mark and not force(entry.student):
            yield stored
        else:
            todo.append((entry, mark))
    for record in _grade_all(todo, run):
        record.write(folder / f"{record.key}.json")
        yield record


def _fingerprint(entry: Entry, run: GradingRun) -> str:
    parts = [entry.student, entry.name, *entry.notes, *entry.problems]
    parts += [f"{path.name} {fingerprint(path)}" for path in entry.paths]
    parts += [run.bank.digest, str(run.seed), str(run.exam)]
    text = json.dumps(parts)
    return hashlib.sha256(text.encode()).hexdigest()


def _grade_all(todo: list[tuple[Entry, str]], run: GradingRun) -> Iterator[Record]:
    jobs = max(1, min(run.jobs or os.cpu_count() or 1, len(todo)))
    workers = [Worker(run.bank, run.timeout) for _ in range(jobs)]
    idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def work(entry: Entry, mark: str) -> Record:
        worker = idle.get()
        try:
            return grade_entry(entry, worker, run, mark)
        finally:
            idle.put(worker)

    pool = ThreadPoolExecutor(jobs)
    try:
        tasks = [pool.submit(work, entry, mark) for entry, mark in todo]
        for task in as_completed(tasks):
            yield task.result()
    finally:
        # At the end, and when stopped by Ctrl-C: what still runs is not recorded.
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.close()


def grade_entry(
    entry: Entry, worker: Worker, run: GradingRun, mark: str = ""
) -> Record:
    """Read and grade one submission; whatever happens, a record comes back."""
    found = worker.read(entry.paths)
    outcomes: dict[str, Outcome] = {}
    failures = 0
    for question_id, answer in found.answers.items():
        outcome = worker.grade(
            run.bank.question(question_id),
            answer,
            exam=run.exam,
            seed=seed_of(run.seed, question_id, answer),
            # A submission that fails again and again must not hold up the class.
            again=failures == 0,
        )
        failures += outcome.status == "error"
        outcomes[question_id] = outcome
    return Record(
        entry.student,
        entry.name,
        mark,
        {key: cut(answer, LONGEST_TEXT) for key, answer in found.answers.items()},
        outcomes,
        (*entry.notes, *found.notes),
        (*entry.problems, *found.problems),
    )


def publish(out: Path, found: list[Result], *, exam: bool) -> None:
    """Write the gradebook, the JSON and all reports."""
    from kernellab import __version__

    write_gradebook(out / "gradebook.csv", found)
    grades = exports.grades_json(found, __version__, exam)
    text = json.dumps(grades, indent=1, ensure_ascii=False)
    write_text(out / "grades.json", text + "\n")
    for result in found:
        path = out / "reports" / f"{result.record.key}.html"
        write_text(path, reports.student_report(result))
    write_text(out / "index.html", reports.class_report(found))
    if not (out / "overrides.csv").exists():
        write_text(out / "overrides.csv", ",".join(OVERRIDE_COLUMNS) + "\n")


def class_seed(out: Path, given: int | None = None) -> int:
    """Return the secret seed of a folder of grades: as given, as stored, or a new
    one.
    """
    path = out / "seed.txt"
    stored = path.read_text(encoding="utf-8").strip() if path.exists() else ""
    if given is None and stored.isdecimal():
        return int(stored)
    seed = secrets.randbits(62) if given is None else given
    write_text(path, f"{seed}\n", private=True)
    return seed
