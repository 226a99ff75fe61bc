"""Grades in the forms that other systems read, from the file ``grades.json``."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any, TextIO

from kernellab.grading.classroom.files import write_text, write_with
from kernellab.grading.classroom.gradebook import Result, cell, number
from kernellab.grading.classroom.marking import to_json
from kernellab.grading.classroom.students import file_key


def grades_json(
    found: list[Result], version: str, exam: bool, code: str
) -> dict[str, Any]:
    """Return everything about a class that JSON can hold; the secret seed is not
    in it.
    """
    questions = [mark.question for mark in found[0].marks] if found else []
    return {
        "kernellab": version,
        "exam": exam,
        "code": code,
        "questions": [
            {"id": q.id, "title": q.title, "kind": q.kind, "points": q.points}
            for q in questions
        ],
        "students": [student_json(result) for result in found],
    }


def student_json(result: Result) -> dict[str, Any]:
    """Return one student's grades."""
    record = result.record
    return {
        "student": record.student,
        "name": record.name,
        "status": result.status,
        "total": round(result.total, 6),
        "out_of": result.out_of,
        "notes": [*record.notes, *result.notes],
        "problems": list(record.problems),
        "marks": [
            {
                "points": mark.points,
                "override": vars(mark.override) if mark.override else None,
                "answer": record.answers.get(mark.question.id),
                "outcome": to_json(mark.outcome),
                "title": mark.question.title,
            }
            for mark in result.marks
        ],
    }


def export_gradescope(grades: dict[str, Any], folder: Path) -> list[Path]:
    """Return one ``<student>/results.json`` each, in the format of Gradescope's
    autograder.
    """
    paths = []
    for student in grades["students"]:
        path = folder / file_key(student["student"]) / "results.json"
        content = gradescope_results(student, grades["code"])
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        write_text(path, text, private=True)
        paths.append(path)
    return paths


def gradescope_results(student: dict[str, Any], code: str) -> dict[str, Any]:
    """Return what Gradescope shows to one student."""
    remarks = [*student["problems"], *student["notes"], code]
    return {
        "score": student["total"],
        "output": "\n".join(remarks),
        "output_format": "text",
        "test_output_format": "text",
        "visibility": "visible",
        "tests": [_gradescope_test(mark) for mark in student["marks"]],
    }


def _gradescope_test(mark: dict[str, Any]) -> dict[str, Any]:
    outcome, override = mark["outcome"], mark["override"]
    report = outcome["text"] or outcome["summary"]
    if override:
        report = f"{_decision(override)}\n\n{report}"
    full = mark["points"] >= outcome["out_of"]
    return {
        "name": f"{mark['title']} ({outcome['question']})",
        "score": mark["points"],
        "max_score": outcome["out_of"],
        "status": "passed" if full else "failed",
        "output": report,
    }


def export_moodle(grades: dict[str, Any], path: Path) -> Path:
    """Return a CSV that Moodle imports: match the students by one of the first columns.

    A student's id with an @ is an e-mail address, any other an ID number; an id that
    came from one of Moodle's own folders is also the worksheet's "Participant".
    """
    write_with(path, lambda file: _moodle_rows(file, grades), private=True)
    return path


def _moodle_rows(file: TextIO, grades: dict[str, Any]) -> None:
    table = csv.writer(file, lineterminator="\n")
    who = ["Identifier", "Full name", "Email address", "ID number"]
    ids = [question["id"] for question in grades["questions"]]
    table.writerow([*who, "Grade", "Maximum Grade", *ids, "Feedback comments"])
    for student in grades["students"]:
        points = [number(mark["points"]) for mark in student["marks"]]
        total = [number(student["total"]), number(student["out_of"])]
        table.writerow([*_moodle_person(student), *total, *points, _feedback(student)])


def _moodle_person(student: dict[str, Any]) -> list[str]:
    person, name = student["student"], student["name"]
    # Only Moodle's folders tell a name, and there the id is the participant's number.
    participant = f"Participant {person}" if name else ""
    email = person if "@" in person else ""
    other = "" if email or name else person
    return [participant, cell(name), cell(email), cell(other)]


def _feedback(student: dict[str, Any]) -> str:
    lines = [*student["problems"], *student["notes"]]
    for mark in student["marks"]:
        text = mark["outcome"]["summary"]
        lines.append(_decision(mark["override"]) if mark["override"] else text)
    return cell("; ".join(lines))


def _decision(override: dict[str, Any]) -> str:
    by = f" by {override['by']}" if override["by"] else ""
    comment = f": {override['comment']}" if override["comment"] else ""
    return f"Decided{by}, {number(override['points'])} points{comment}"
