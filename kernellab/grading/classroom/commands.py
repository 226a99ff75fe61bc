"""What each command of ``python -m kernellab.grading`` does; `cli` reads the options.

Each command takes the options that were read and returns an exit code.
"""

from __future__ import annotations

import json
import secrets
import sys
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from kernellab.grading.authoring import linting
from kernellab.grading.classroom import exports, reports
from kernellab.grading.classroom.assignments import outdated, write_assignments
from kernellab.grading.classroom.bank import Bank, normal_id, open_bank
from kernellab.grading.classroom.files import write_text
from kernellab.grading.classroom.grade import (
    ClassError,
    GradingRun,
    class_seed,
    grade_class,
    grade_entry,
)
from kernellab.grading.classroom.gradebook import Overrides, Result, number, results
from kernellab.grading.classroom.isolation import code_policy
from kernellab.grading.classroom.marking import is_attempt
from kernellab.grading.classroom.notebook_files import SubmissionError
from kernellab.grading.classroom.sheets import shown
from kernellab.grading.classroom.students import Entry, clean
from kernellab.grading.classroom.submissions import read_submission
from kernellab.grading.classroom.terminal import say
from kernellab.grading.classroom.text_reports import (
    lint_head,
    lint_row,
    result_lines,
    sheet_lines,
)
from kernellab.grading.questions.base import Question, Sheet
from kernellab.grading.questions.derivations import Derivation
from kernellab.grading.safe_text import printable
from kernellab.progress import Progress

RIGHT, NOT_ALL, USAGE, UNREADABLE, NOT_RUN = 0, 1, 2, 4, 8
STATES = {"error": NOT_ALL, "unreadable": UNREADABLE, "waiting": NOT_RUN}
"""Exit codes, which add up: none hides another."""

WHY = {
    "error": "the grader failed on an answer",
    "waiting": "code was not run",
}


def check(options: Namespace) -> int:
    """Grade one notebook: a report in the terminal and, if asked for, in HTML."""
    bank = _bank(options)
    path = Path(options.notebook)
    seed = secrets.randbits(62) if options.seed is None else options.seed
    code = code_policy(trust=options.trust)
    run = GradingRun(bank, seed, options.exam, options.timeout, code=code)
    with run.worker() as worker:
        entry = Entry(clean(path.stem) or "notebook", paths=(path,))
        record = grade_entry(entry, worker, run)
    asked = _asked_in(path, list(record.answers), bank)
    result = results([record], asked, Overrides())[0]
    for line in result_lines(result, code.words, sys.stdout):
        say(line)
    if options.html:
        page = reports.student_report(result, code.words)
        write_text(Path(options.html), page, private=True)
    return _check_code(result)


def _asked_in(path: Path, answered: list[str], bank: Bank) -> list[Question]:
    """Return all questions of the sheets that a notebook answers, or is named after."""
    asked = [
        question
        for sheet in bank.sheets
        if sheet.name == path.stem or any(q.id in answered for q in sheet.questions)
        for question in sheet.questions
    ]
    return asked + [bank.question(q) for q in answered if q not in bank.questions]


def _check_code(result: Result) -> int:
    if not result.marks and not result.record.problems:
        say("There is no answer cell: no cell begins with %%answer and a question.")
    statuses = {mark.outcome.status for mark in result.marks}
    code = RIGHT if statuses == {"right"} else NOT_ALL
    return code | _open_code([result])


def _open_code(found: Iterable[Result]) -> int:
    """Return the sum of the exit codes for what is open with these results."""
    open_ = {state for state in STATES for r in found if state in r.status}
    return sum(STATES[state] for state in open_)


def grade(options: Namespace) -> int:
    """Grade a class; what has not changed since the last run is not graded again.

    SUBMISSIONS holds a folder a student, named by the student's id, with notebooks in
    it, or a notebook a student; folders as Moodle makes them are understood. OUT gets
    gradebook.csv, grades.json, index.html, a report a student in reports/, the secret
    seed.txt, and overrides.csv, where a person's decisions go: one line each with
    student, question, points, comment, by.
    """
    return _grade(options, everyone=False, chosen=())


def regrade(options: Namespace) -> int:
    """Grade a class again, or some students of it; a person's decisions stay."""
    chosen = tuple(clean(student).casefold() for student in options.student)
    return _grade(options, everyone=not chosen, chosen=chosen)


def _grade(options: Namespace, *, everyone: bool, chosen: tuple[str, ...]) -> int:
    bank, out, folder = _bank(options), Path(options.out), Path(options.submissions)
    if out.resolve().is_relative_to(folder.resolve()):
        raise ClassError(f"{out} lies among the submissions: choose another folder")
    sheets = tuple(bank.sheet(name) for name in options.sheet)
    seed = class_seed(out, options.seed)
    code = code_policy(trust=options.trust)
    say(code.words, sys.stderr)
    run = GradingRun(bank, seed, options.exam, options.timeout, options.jobs, code)
    with Progress("grading", show=sys.stderr.isatty()) as bar:
        grades = grade_class(
            folder,
            out,
            run,
            sheets=sheets,
            force=lambda student: everyone or student.casefold() in chosen,
            total=bar.expect,
            done=lambda result: _advance(bar, result),
        )
    for remark in grades.remarks:
        say(printable(remark), sys.stderr)
    return _grade_code(grades.results, out)


def _advance(bar: Progress, result: Result) -> None:
    """Show that a student is graded: in the bar, or as a line without a terminal."""
    bar.advance(note=printable(_line(result)))
    if not sys.stderr.isatty():
        say(f"{bar.done:g}/{bar.total} {bar.note}", sys.stderr)


def _line(result: Result) -> str:
    points = f"{number(result.total)} of {number(result.out_of)}"
    state = "" if result.status == "graded" else f" ({result.status})"
    return f"{result.record.student}: {points}{state}"


def _grade_code(found: list[Result], out: Path) -> int:
    for result in found:
        if result.status != "graded":
            reasons = [WHY[state] for state in WHY if state in result.status]
            why = "; ".join([*result.record.problems, *reasons])
            line = f"{result.record.student}: {result.status}: {why}"
            say(printable(line), sys.stderr)
    say(f"{len(found)} submissions: {out / 'gradebook.csv'}, {out / 'index.html'}")
    return _open_code(found)


def new_assignment(options: Namespace) -> int:
    """Write the students' notebooks, or the solved ones; or check the written ones."""
    bank = _bank(options)
    sheets = tuple(map(bank.sheet, options.sheets)) or bank.sheets
    sources = bank.folder or Path("exercises")
    default = sources / "solutions" if options.solutions else sources
    folder = Path(options.out or default)
    if options.check:
        old = outdated(sheets, folder, solved=options.solutions)
        for path in old:
            say(f"{path}: not what its sheet gives")
        return NOT_ALL if old else RIGHT
    written = write_assignments(
        sheets, folder, solved=options.solutions, force=options.force
    )
    for path in written:
        say(str(path))
    return RIGHT


def solution(options: Namespace) -> int:
    """Show a right answer, after an attempt or if told to."""
    bank = _bank(options)
    question = bank.question(options.question)
    if not (options.reveal or _attempted(question, options.notebook, bank)):
        say(
            f"{question.title}: first an attempt of your own. Name the notebook with "
            f"your answer:\n    python -m kernellab.grading solution {question.id} "
            "NOTEBOOK\nor add --reveal. Hints: grading.hint(…) in the notebook."
        )
        return NOT_ALL
    if not question.references:
        say(f"{question.title}: there is no reference answer to this question.")
        return NOT_ALL
    for reference in question.references if options.all else question.references[:1]:
        say(f"# {question.title} ({reference.name})")
        say(f"{shown(question, reference).strip()}\n")
    return RIGHT


def _attempted(question: Question, notebook: str | None, bank: Bank) -> bool:
    if notebook is None:
        return False
    found = read_submission([Path(notebook)], bank)
    if found.problems:
        raise SubmissionError(found.problems[0])
    return is_attempt(question, found.answers.get(question.id, ""))


def list_sheets(options: Namespace) -> int:
    """List the sheets, their questions and points."""
    sheets: tuple[Sheet, ...] = _bank(options).sheets
    for line in sheet_lines(sheets, sys.stdout):
        say(line)
    if not sheets:
        say("No exercise sheets were found.")
    return RIGHT


def lint(options: Namespace) -> int:
    """Find out what derivation problems pay without work; say what to do about it.

    The columns of the table: the facts that a line may use; those that the goal needs
    by itself (a dash: it is not proved at once), and may use if its milestone says so;
    the lines of the shortest reference; the most facts that a line of a reference uses;
    and the facts that each milestone needs after those before it. The mistakes of a
    question are tried if it is named, or its sheet.
    """
    asked = _derivations(_bank(options), options.names)
    if not options.names:
        asked = [replace(question, mistakes=()) for question in asked]
    width = max((len(question.id) for question in asked), default=0)
    say(lint_head(width))
    found = []
    for question in asked:
        found.append(linting.lint(question))
        say(lint_row(found[-1], width, sys.stdout))
    for one in found:
        for fault in one.faults:
            say(printable(f"{one.id}: {fault}"))
    return NOT_ALL if any(one.faults for one in found) else RIGHT


def _derivations(bank: Bank, names: list[str]) -> list[Derivation]:
    """Return the derivations of these sheets and questions, or all there are."""
    asked: list[Question] = []
    for name in names or bank.problem_names:
        known = normal_id(name) in {*bank.files, *bank.problem_names}
        asked += [bank.question(name)] if known else bank.sheet(name).questions
    return [question for question in asked if isinstance(question, Derivation)]


def export(options: Namespace) -> int:
    """Write the grades in the form of another system."""
    source = Path(options.grades)
    path = source / "grades.json" if source.is_dir() else source
    try:
        grades = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise ClassError(
            f"{path}: expected the grades.json of a graded class"
        ) from None
    if options.format == "moodle":
        out = Path(options.out or path.parent / "moodle.csv")
        say(str(exports.export_moodle(grades, out)))
        return RIGHT
    folder = Path(options.out or path.parent / "gradescope")
    say(f"{len(exports.export_gradescope(grades, folder))} files in {folder}")
    return RIGHT


def _bank(options: Namespace) -> Bank:
    return open_bank(tests=Path(options.tests) if options.tests else None)
