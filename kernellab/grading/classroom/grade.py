"""Grade a class: many submissions, several processes, and nothing is lost.

What a run leaves in its folder::

    gradebook.csv     student, name, a column per question, total, out_of, status,
                      isolation
    grades.json       everything
    index.html        the class, with links to the reports
    reports/*.html    one report a student
    records/*.json    one record a student, written as soon as the student is graded
    overrides.csv     a person's decisions: student, question, points, comment, by
    seed.txt          the secret seed

Only their owner may read them.

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
from dataclasses import dataclass, field
from pathlib import Path

from kernellab.grading.classroom import exports, reports
from kernellab.grading.classroom.bank import Bank
from kernellab.grading.classroom.files import owned, write_text
from kernellab.grading.classroom.gradebook import (
    OVERRIDE_COLUMNS,
    Record,
    Result,
    read_overrides,
    results,
    write_gradebook,
)
from kernellab.grading.classroom.isolation import CodePolicy, code_policy
from kernellab.grading.classroom.marking import (
    LONGEST_TEXT,
    cut,
    is_attempt,
    seed_of,
    waiting,
)
from kernellab.grading.classroom.notebook_files import fingerprint
from kernellab.grading.classroom.remarks import for_instructor, with_notes
from kernellab.grading.classroom.students import Entry, find_entries
from kernellab.grading.classroom.workers import Worker
from kernellab.grading.questions.base import Question, Sheet
from kernellab.grading.questions.code_questions import CodeQuestion
from kernellab.grading.questions.outcome import Outcome
from kernellab.grading.sandbox import Isolation

STRICTEST = Isolation.BUBBLEWRAP


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
    timeout : seconds of computing for one answer.
    jobs : how many processes; 0 for one a core.
    code : what is done with code answers.
    """

    bank: Bank
    seed: int
    exam: bool = False
    timeout: float = 60.0
    jobs: int = 0
    code: CodePolicy = field(default_factory=lambda: code_policy(trust=False))

    def worker(self) -> Worker:
        """Return a process that grades like this."""
        return Worker(self.bank, self.timeout, self.code.isolation or STRICTEST)


@dataclass(frozen=True)
class ClassGrades:
    """What a run gave: the results, and what an instructor should look at."""

    results: list[Result]
    remarks: list[str]


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
    path = out / "overrides.csv"
    overrides = read_overrides(path, run.bank.questions)  # or fail before the work
    total(len(entries))
    records = {}
    try:
        with owned(out):
            for record in grade_entries(entries, out / "records", run, force):
                records[record.student] = record
                asked = _asked([record], run.bank, sheets)
                done(results([record], asked, overrides)[0])
            ordered = [records[entry.student] for entry in entries]
            asked = _asked(ordered, run.bank, sheets)
            found = with_notes(results(ordered, asked, overrides), run.bank)
            publish(out, found, run)
    except BlockingIOError:
        raise ClassError(f"another run is grading into {out}: wait for it") from None
    remarks = [f"{path}: nobody and nothing fits {o}" for o in overrides.unused(found)]
    return ClassGrades(found, remarks + for_instructor(entries, found, run.bank))


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
    parts += [run.bank.digest, str(run.seed), str(run.exam), run.code.label]
    text = json.dumps(parts)
    return hashlib.sha256(text.encode()).hexdigest()


def _grade_all(todo: list[tuple[Entry, str]], run: GradingRun) -> Iterator[Record]:
    jobs = max(1, min(run.jobs or os.cpu_count() or 1, len(todo)))
    workers = [run.worker() for _ in range(jobs)]
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
        question = run.bank.question(question_id)
        if _must_wait(question, answer, run):
            outcomes[question_id] = waiting(question, run.code.words)
            continue
        outcome = worker.grade(
            question,
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


def _must_wait(question: Question, answer: str, run: GradingRun) -> bool:
    """Return whether this is code that cannot be isolated; nothing else waits."""
    code = isinstance(question, CodeQuestion) and is_attempt(question, answer)
    return code and run.code.isolation is None


def publish(out: Path, found: list[Result], run: GradingRun) -> None:
    """Write the gradebook, the JSON and all reports, readable by their owner alone."""
    from kernellab import __version__

    write_gradebook(out / "gradebook.csv", found, run.code.label)
    grades = exports.grades_json(found, __version__, run.exam, run.code.words)
    pages = {"grades.json": json.dumps(grades, indent=1, ensure_ascii=False) + "\n"}
    for result in found:
        page = reports.student_report(result, run.code.words)
        pages[f"reports/{result.record.key}.html"] = page
    pages["index.html"] = reports.class_report(found, run.code.words)
    if not (out / "overrides.csv").exists():
        pages["overrides.csv"] = ",".join(OVERRIDE_COLUMNS) + "\n"
    for name, text in pages.items():
        write_text(out / name, text, private=True)


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
