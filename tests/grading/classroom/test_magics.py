"""In a notebook: %%answer grades and says what is left; hints come one by one."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from kernellab.grading.classroom import record
from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.classroom.loading import VARIABLE
from kernellab.grading.classroom.session import (
    Message,
    ScoreRow,
    another,
    answer,
    hint,
    score,
    solution,
)
from kernellab.grading.questions.outcome import Outcome
from tests.conftest import ROOT
from tests.grading.authoring.test_drawing import ROOTS
from tests.grading.fake_course import make_course


@pytest.fixture(autouse=True)
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make_course(tmp_path / "course")
    monkeypatch.setenv(VARIABLE, str(folder))
    monkeypatch.setattr(record, "IN_MEMORY", record.WorkRecord())
    return folder


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for work, in which we are."""
    folder = tmp_path / "work"
    (folder / "exercises").mkdir(parents=True)
    (folder / record.FILE).write_text("{}")
    monkeypatch.chdir(folder / "exercises")
    return folder


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "kernellab.grading")
    yield shell
    shell.history_manager.end_session()
    shell.history_manager.save_thread = None


def run(shell: InteractiveShell, source: str) -> Any:
    done = shell.run_cell(source)
    assert done.success
    return done.result


@pytest.mark.parametrize(
    "line",
    [
        "%%answer one",
        "%%answer one   ",
        "%%answer 'one'",
        '%%answer "One"',
        "%%ANSWER ONE",
        "\n\n%%answer one",
    ],
)
def test_the_magic_grades_a_cell(shell: InteractiveShell, line: str) -> None:
    outcome = run(shell, f"{line}\nright")
    assert (outcome.question, outcome.points, outcome.status) == ("one", 2.0, "right")


def test_exam_mode(shell: InteractiveShell) -> None:
    said = str(run(shell, "%%answer one\nbad"))
    assert said.startswith("Title of one: you wrote bad\n")
    assert str(run(shell, "%%answer one --exam\nbad")) == "verdict only"
    assert "not --solution" in str(run(shell, "%%answer one --solution\nbad"))


@pytest.mark.parametrize(
    "source", ["%%answer one", "%%answer one\n\n", "%%answer one\n# ?", "%answer one"]
)
def test_an_unanswered_cell_is_no_error(shell: InteractiveShell, source: str) -> None:
    outcome = run(shell, source)
    assert outcome.status == "unanswered"
    assert str(outcome) == "Title of one: not answered yet (2 points)"
    assert outcome._repr_html_() is None


def test_an_unknown_id_is_a_message(shell: InteractiveShell) -> None:
    said = str(run(shell, "%%answer thre\nright"))
    assert said == "There is no question 'thre'; did you mean three?"
    assert "Which question?" in str(run(shell, "%%answer\nright"))


def test_a_grader_that_raises_is_no_traceback(shell: InteractiveShell) -> None:
    outcome = run(shell, "%%answer one\nraise")
    assert outcome.status == "error"
    assert "a person has to look at it" in str(outcome)


def test_the_function_needs_no_ipython() -> None:
    outcome = answer("one", "half")
    assert isinstance(outcome, Outcome)
    assert outcome.points == 1.0
    assert isinstance(answer("zzz", ""), Message)


def test_hints_come_in_steps() -> None:
    said = [str(hint("one")) for _ in range(3)]
    assert said == [
        "Hint 1 of 2: Think.",
        "Hint 2 of 2: Think more.",
        "Title of one: these were all 2 hints.",
    ]
    assert str(hint("one", 1)) == "Hint 1 of 2: Think."
    assert "there are 2 hints, from 1" in str(hint("one", 3))
    assert "there are no hints" in str(hint("two"))
    assert "did you mean" in str(hint("thre"))


def test_a_hint_asked_by_number_is_counted() -> None:
    hint("one", 1)
    assert str(hint("one")) == "Hint 2 of 2: Think more."


def test_the_hint_magic(shell: InteractiveShell) -> None:
    assert str(run(shell, "%hint one")) == "Hint 1 of 2: Think."
    assert str(run(shell, '%hint "one" 2')) == "Hint 2 of 2: Think more."
    assert "Which question?" in str(run(shell, "%hint"))


def test_the_score_of_a_sheet() -> None:
    assert str(score()) == "No answer has been graded yet."
    answer("one", "right")
    answer("one", "half")
    assert str(score("01_first")).splitlines() == [
        "◐ Title of one      1 of 2",
        "· Title of two      0 of 4",
        "1 of 6 points",
    ]
    assert str(score()) == str(score("01"))
    answer("three", "right")
    assert str(score()).endswith("3 of 8 points")
    assert "there are: 01_first, 02_second" in str(score("99"))


def test_the_score_leads_to_the_questions() -> None:
    answer("one", "right")
    assert '<a href="#ex-two">Title of two</a>' in score("01").html
    assert '<a href="01_first.ipynb#ex-two">Title of two</a>' in score().html


def test_titles_are_escaped_in_the_score() -> None:
    html = ScoreRow("<b>", Outcome("x", 0, 1, "wrong", ""), '#"').html()
    assert '<a href="#&quot;">&lt;b&gt;</a>' in html


def last_line(outcome: Outcome | Message) -> str:
    return str(outcome).splitlines()[-1]


def test_a_line_says_what_is_left() -> None:
    assert last_line(answer("one", "half")) == (
        "1 of 2 points here, 1 of 6 on this sheet; 2 questions left. "
        "Hint 1 of 2: run %hint one. A solution: run %solution one."
    )
    hint("one"), hint("one")
    assert "Hint" not in last_line(answer("one", "bad"))
    assert last_line(answer("one", "right")) == (
        "2 of 2 points here, 2 of 6 on this sheet; 1 question left. Next: Title of two."
    )
    done = answer("two", "right")
    assert last_line(done).endswith("6 of 6 on this sheet; all is right.")


def test_the_line_in_html() -> None:
    shown = answer("one", "right")._repr_html_()
    assert shown.endswith('Next: <a href="#ex-two">Title of two</a>.</p>')
    assert "run <code>%hint one</code>" in answer("one", "half")._repr_html_()


def test_no_line_where_it_does_not_belong(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "left" not in str(answer("one", ""))
    assert "left" not in str(answer("one", "bad", exam=True))
    monkeypatch.chdir(course)
    assert str(answer("one", "bad")) == "Title of one: you wrote bad"


def test_a_solution_comes_after_an_attempt(shell: InteractiveShell) -> None:
    assert "first an attempt" in str(run(shell, "%solution one"))
    answer("one", "# your answer")
    assert "first an attempt" in str(solution("one"))
    answer("one", "bad")
    assert str(run(shell, '%solution "one"')) == "right"
    assert "did you mean" in str(solution("thre"))


def test_another_one_like_it(shell: InteractiveShell, course: Path) -> None:
    (course / "03_roots").mkdir()
    (course / "03_roots" / "sheet.md").write_text("# Roots\n\n[root](root.md)\n")
    (course / "03_roots" / "root.md").write_text(ROOTS)
    done = run(shell, "%%answer root\nx = 3")
    assert "Another one like it: run %another root." in last_line(done)
    first = run(shell, "%another root")
    assert "%%answer root/1`" in str(first)
    assert str(another("root")) == str(first)  # until it is right
    right = open_bank().question("root/1").references[0].answer
    assert run(shell, f"%%answer root/1\n{right}").status == "right"
    assert "%%answer root/2`" in str(another("root"))
    assert "root/1" not in str(score())
    assert str(score()).endswith("2 of 2 points")


def test_not_every_question_can_be_drawn() -> None:
    assert "there is none" in str(another("one"))
    assert "did you mean" in str(another("thre"))


def test_a_restart_forgets_nothing_in_a_folder_for_work(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer("one", "half")
    hint("one")
    before = str(score())
    monkeypatch.setattr(record, "IN_MEMORY", record.WorkRecord())
    assert str(score()) == before
    assert str(hint("one")) == "Hint 2 of 2: Think more."
    assert str(solution("one")) == "right"
    assert (work / record.FILE).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("text", ["", "[]", "{", '{"outcomes": {"one": {}}}'])
def test_a_record_that_cannot_be_read_is_empty(work: Path, text: str) -> None:
    (work / record.FILE).write_text(text)
    assert str(score()) == "No answer has been graded yet."
    answer("one", "right")
    assert str(score("01")).endswith("2 of 6 points")


SHELL = "from IPython.core.interactiveshell import InteractiveShell as Shell; "


@pytest.mark.parametrize(
    "code",
    [
        "import sys; from kernellab import grading; "
        "assert 'IPython' not in sys.modules",
        SHELL + "shell = Shell.instance(); from kernellab import grading; "
        "assert not shell.find_cell_magic('answer'); "
        "assert not shell.find_line_magic('hint')",
    ],
    ids=["without a shell", "in a shell"],
)
def test_an_import_registers_nothing(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; print(grading.answer('two', 'right'))"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("Title of two: you wrote right\n")


def test_loading_twice_changes_nothing(shell: InteractiveShell) -> None:
    before = list(shell.input_transformers_cleanup)
    shell.run_line_magic("reload_ext", "kernellab.grading")
    assert shell.input_transformers_cleanup == before
    assert run(shell, "%%answer one\nright").points == 2.0
