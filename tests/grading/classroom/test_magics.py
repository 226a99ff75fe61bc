"""In a notebook: %%answer grades, hints come one by one, nothing shows a solution."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from kernellab.grading.classroom import session
from kernellab.grading.classroom.loading import VARIABLE
from kernellab.grading.classroom.session import Message, answer, hint, score
from kernellab.grading.questions.outcome import Outcome
from tests.conftest import ROOT
from tests.grading.fake_course import make_course


@pytest.fixture(autouse=True)
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(make_course(tmp_path / "course")))
    monkeypatch.setattr(session, "SESSION", session.Session())


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
    assert str(run(shell, "%%answer one\nbad")) == "Title of one: you wrote bad"
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
    assert "No answer has been graded" in str(score())
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


def test_titles_are_escaped_in_the_score() -> None:
    session.SESSION.outcomes["x"] = Outcome("<b>x</b>", 0, 1, "wrong", "")
    session.SESSION.outcomes["one"] = Outcome("one", 0, 1, "wrong", "")
    html = session._score_message([("<b>", session.SESSION.outcomes["x"])]).html
    assert "<b>&" not in html
    assert "&lt;b&gt;" in html


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
    assert done.stdout == "Title of two: you wrote right\n"


def test_loading_twice_changes_nothing(shell: InteractiveShell) -> None:
    before = list(shell.input_transformers_cleanup)
    shell.run_line_magic("reload_ext", "kernellab.grading")
    assert shell.input_transformers_cleanup == before
    assert run(shell, "%%answer one\nright").points == 2.0
