"""Answers are found by id in whatever a student hands in, or it is said why not."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kernellab.grading.classroom.bank import Bank
from kernellab.grading.classroom.notebook_files import (
    LARGEST,
    SubmissionError,
    read_cells,
)
from kernellab.grading.classroom.students import clean, file_key, find_entries, identify
from kernellab.grading.classroom.submissions import (
    MOST_NOTES,
    Submission,
    answer_calls,
    read_submission,
)
from tests.grading.fake_course import cell, hand_in, make_course, notebook

Read = Callable[..., Submission]


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(make_course(tmp_path / "course"))


@pytest.fixture
def read(tmp_path: Path, bank: Bank) -> Read:
    path = tmp_path / "work.ipynb"
    return lambda *cells: read_submission([hand_in(path, *cells)], bank)


def test_answers_are_found_by_id_in_any_order(read: Read) -> None:
    found = read("%%answer two\nB", "x = 1", "# a remark", "\n\n  %%answer one \nA\nA2")
    assert found.answers == {"two": "B", "one": "A\nA2"}


@pytest.mark.parametrize(
    "line",
    [
        "%%answer one   ",
        '%%answer "one"',
        "%%answer ONE",
        "%%Answer one --exam",
        "%%answer\tone",
    ],
)
def test_spellings_of_the_first_line(read: Read, line: str) -> None:
    assert read(f"{line}\nA").answers == {"one": "A"}


def test_a_deleted_cell_is_no_answer_and_a_blank_one_is_blank(read: Read) -> None:
    assert read("%%answer one\n# your answer").answers == {"one": "# your answer"}
    assert read().answers == {}


def test_of_two_answers_the_last_counts_alone(read: Read) -> None:
    found = read("%%answer one\nright", "%%answer one\nwrong")
    assert found.answers == {"one": "wrong"}
    assert found.notes == ("one is answered in cells 1, 2: the last counts",)


@pytest.mark.parametrize("rest", ["", "# nothing", "def f():\n    pass  # here"])
def test_a_copy_of_the_empty_cell_takes_nothing_away(read: Read, rest: str) -> None:
    found = read("%%answer two\nright", f"%%answer two\n{rest}")
    assert found.answers == {"two": "right"}
    assert found.notes == ()


def test_a_split_cell_is_noted(read: Read) -> None:
    found = read("%%answer one\nA = B | given", "B = C | algebra")
    assert found.answers == {"one": "A = B | given"}
    assert "cell 2 stands right after the answer to one" in found.notes[0]


def test_hints_and_scores_after_an_answer_are_nothing_to_note(read: Read) -> None:
    cells = ("%%answer one\nA", 'grading.hint("one")', "%%answer two\nB", "score()")
    assert read(*cells).notes == ()


def test_merged_cells_are_noted(read: Read) -> None:
    found = read("%%answer one\nA\n%%answer two\nB")
    assert found.answers == {"one": "A\n%%answer two\nB"}
    assert "second %%answer" in found.notes[0]


def test_the_line_must_come_first(read: Read) -> None:
    found = read("# mine\n%%answer one\nA")
    assert found.answers == {}
    assert "not its first line" in found.notes[0]


def test_a_cell_turned_into_markdown_counts(read: Read) -> None:
    found = read(cell("%%answer one\nA", "markdown"))
    assert found.answers == {"one": "A"}
    assert "not a code cell" in found.notes[0]


def test_unknown_and_missing_ids_are_noted(read: Read) -> None:
    found = read("%%answer thre\nA", "%%answer\nB")
    assert found.answers == {}
    assert any(
        note.startswith("cell 1 was not graded") and "did you mean three?" in note
        for note in found.notes
    )
    assert any("names no question" in note for note in found.notes)


def test_calls_with_plain_strings_are_answers(read: Read) -> None:
    found = read(
        '%matplotlib inline\ngrading.answer("one", """\nA\n% B""")',
        'answer(question_id="two", text="C")',
    )
    assert found.answers == {"one": "\nA\n% B", "two": "C"}


@pytest.mark.parametrize(
    "source",
    [
        "answer('one', f'{x}')",
        "answer('one', x)",
        "answer('one')",
        "answer('one', 1)",
        "answer('one', 'A'",
        "other('one', 'answer')",
        "answer(" * 5000,
        "answer" + "-" * 100_000 + "1",
        "answer = '\0'",
    ],
)
def test_other_calls_are_not(source: str) -> None:
    assert list(answer_calls(source)) == []


def test_sources_may_be_lists_and_may_be_nonsense(read: Read) -> None:
    found = read(
        {"cell_type": "code", "source": ["%%answer one\n", "A\n", 7, "B"]},
        {"cell_type": "code", "source": 5},
        {"cell_type": "code"},
        {},
    )
    assert found.answers == {"one": "A\nB"}


def test_half_characters_are_replaced(read: Read) -> None:
    answer = read("%%answer one\nA\ud800").answers["one"]
    assert answer.encode() == b"A?"


def test_a_hundred_thousand_cells(read: Read) -> None:
    junk = [f"%%answer junk{i}\nA" for i in range(50_000)]
    found = read(*junk, *["x = 1"] * 50_000, "%%answer one\nright")
    assert found.answers == {"one": "right"}
    assert len(found.notes) == MOST_NOTES


def test_a_cell_of_blank_lines_is_read_in_no_time(read: Read) -> None:
    found = read("\n" * 3_000_000 + "x", "%%answer one\n" + " \n" * 1_000_000)
    assert list(found.answers) == ["one"]


# --- files that are no notebooks ---------------------------------------------------


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not JSON"),
        (b"hello", "not JSON"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 200_000, "nested too deeply"),
        (b"[]", "no nbformat"),
        (b'"nbformat"', "no nbformat"),
        (b'{"nbformat": "4"}', "no nbformat"),
        (b'{"nbformat": 3, "worksheets": []}', "nbformat 3, expected 4"),
        (b'{"nbformat": 4}', "no list of cells"),
        (b'{"nbformat": 4, "cells": {"a": 1}}', "no list of cells"),
        (b'{"nbformat": ' + b"9" * 10_000 + b"}", "not JSON"),
    ],
)
def test_what_is_no_notebook_is_said(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "x.ipynb"
    path.write_bytes(content)
    with pytest.raises(SubmissionError, match=why):
        read_cells(path)


def test_a_byte_order_mark_is_forgiven(tmp_path: Path) -> None:
    path = tmp_path / "x.ipynb"
    path.write_text(json.dumps(notebook("x")), encoding="utf-8-sig")
    assert len(read_cells(path)) == 1


def test_what_is_no_plain_file_is_said(tmp_path: Path) -> None:
    good = hand_in(tmp_path / "good.ipynb", "x")
    (tmp_path / "link.ipynb").symlink_to(good)
    (tmp_path / "folder.ipynb").mkdir()
    os.mkfifo(tmp_path / "pipe.ipynb")
    with (tmp_path / "large.ipynb").open("wb") as file:
        file.truncate(LARGEST + 1)
    reasons = {}
    for name in ("link", "folder", "pipe", "large", "missing"):
        with pytest.raises(SubmissionError) as caught:
            read_cells(tmp_path / f"{name}.ipynb")
        reasons[name] = str(caught.value)
    assert "symbolic link" in reasons["link"]
    assert reasons["folder"] == reasons["pipe"] == "not a file"
    assert "more than 20 MB" in reasons["large"]
    assert "No such file" in reasons["missing"]


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path, bank: Bank) -> None:
    good = hand_in(tmp_path / "01_first.ipynb", "%%answer one\nright")
    bad = tmp_path / "02_second.ipynb"
    bad.write_text("oops")
    found = read_submission([good, bad], bank)
    assert found.answers == {"one": "right"}
    assert found.problems == ("02_second.ipynb: not a notebook: the file is not JSON",)


def test_the_file_named_like_a_sheet_wins(tmp_path: Path, bank: Bank) -> None:
    mine = hand_in(tmp_path / "01_first.ipynb", "%%answer one\nright")
    copy = hand_in(tmp_path / "Untitled-Copy1.ipynb", "%%answer one\nwrong")
    assert read_submission([copy, mine], bank).answers == {"one": "right"}


# --- whose is what -------------------------------------------------------------------


def test_folders_and_files_are_students(tmp_path: Path) -> None:
    hand_in(tmp_path / "alice" / "01_first.ipynb")
    hand_in(tmp_path / "alice" / "deep" / "02_second.ipynb")
    hand_in(tmp_path / "alice" / ".ipynb_checkpoints" / "01_first-checkpoint.ipynb")
    hand_in(tmp_path / "alice" / "__MACOSX" / "._01_first.ipynb")
    hand_in(tmp_path / "bob.ipynb")
    (tmp_path / "README.md").touch()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "carol").mkdir()
    entries = {entry.student: entry for entry in find_entries(tmp_path)}
    names = {s: [path.name for path in e.paths] for s, e in entries.items()}
    assert names == {
        "alice": ["01_first.ipynb", "02_second.ipynb"],
        "bob": ["bob.ipynb"],
        "carol": [],
    }
    assert entries["carol"].problems == ("there is no notebook in the folder",)


def test_links_among_the_submissions_are_not_followed(tmp_path: Path) -> None:
    secret = hand_in(tmp_path / "elsewhere" / "secret.ipynb", "%%answer one\nright")
    room = tmp_path / "submissions"
    room.mkdir()
    (room / "mallory").symlink_to(secret.parent)
    hand_in(room / "oscar" / "mine.ipynb")
    (room / "oscar" / "more").symlink_to(secret.parent)
    mallory, oscar = find_entries(room)
    assert mallory.paths == ()
    assert "symbolic link" in mallory.problems[0]
    assert [path.name for path in oscar.paths] == ["mine.ipynb"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Jane Doe_12345_assignsubmission_file_", ("12345", "Jane Doe")),
        ("Jane Doe_12345_assignsubmission_file", ("12345", "Jane Doe")),
        ("Jane_Doe_7_assignsubmission_file_01_first.ipynb", ("7", "Jane_Doe")),
        ("jane@example.org", ("jane@example.org", "")),
        ("A  B\n\x1b[2J\u202e", ("A B [2J", "")),
        ("\u0065\u0301", ("\u00e9", "")),
        ("\x01", ("unnamed", "")),
    ],
)
def test_names_of_folders(name: str, expected: tuple[str, str]) -> None:
    assert identify(name) == expected


def test_nobody_takes_the_id_of_another_by_a_file_name() -> None:
    name = "Eve_1_assignsubmission_file_x_999_assignsubmission_file_y.ipynb"
    student, person = identify(name)
    assert student not in ("1", "999")
    assert person == ""


def test_moodle_gives_a_student_several_folders(tmp_path: Path) -> None:
    hand_in(tmp_path / "Jane Doe_7_assignsubmission_file_" / "01_first.ipynb")
    (tmp_path / "Jane Doe_7_assignsubmission_onlinetext_").mkdir()
    hand_in(tmp_path / "Joe_8_assignsubmission_file_a.ipynb")
    hand_in(tmp_path / "Joe_8_assignsubmission_file_b.ipynb")
    jane, joe = find_entries(tmp_path)
    assert (jane.student, jane.name, len(jane.paths)) == ("7", "Jane Doe", 1)
    assert (joe.student, len(joe.paths)) == ("8", 2)
    assert jane.problems == joe.problems == ()


def test_the_same_id_twice_stays_two_students(tmp_path: Path) -> None:
    hand_in(tmp_path / "\u00e9va" / "a.ipynb")
    hand_in(tmp_path / "e\u0301va" / "a.ipynb")
    hand_in(tmp_path / "ALICE" / "a.ipynb")
    hand_in(tmp_path / "alice.ipynb")
    hand_in(tmp_path / "bob.ipynb")
    entries = find_entries(tmp_path)
    assert len(entries) == len({e.student for e in entries}) == 5
    assert len({e.key for e in entries}) == 5
    noted = [entry for entry in entries if "more than one" in "".join(entry.notes)]
    assert len(noted) == 4
    assert all("[" in entry.student for entry in noted)


@pytest.mark.parametrize(
    "student",
    [
        "../../etc/passwd",
        "a/b",
        "<b>x</b>",
        "a b",
        "Ünï",
        "CON",
        "",
        ".",
        "..",
        "x" * 300,
    ],
)
def test_file_names_are_safe(student: str) -> None:
    key = file_key(student)
    assert key.replace("-", "").replace("_", "").isalnum()
    assert key.isascii()
    assert len(key) < 60
    assert key == key.lower() != "con"


def test_different_ids_have_different_files() -> None:
    ids = ["a b", "a-b", "a/b", "A b", "A-B", "a  b"]
    assert len({file_key(student) for student in ids}) == len(ids)


def test_a_forged_file_name_is_told_apart(tmp_path: Path) -> None:
    hand_in(tmp_path / "a b" / "x.ipynb")
    hand_in(tmp_path / file_key("a b") / "x.ipynb")
    assert len({entry.key for entry in find_entries(tmp_path)}) == 2


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/b\xff"
    os.mkdir(folder)
    hand_in(Path(os.fsdecode(folder)) / "x.ipynb")
    (entry,) = find_entries(tmp_path)
    assert entry.student == clean("b?")
    assert read_cells(entry.paths[0]) == []
