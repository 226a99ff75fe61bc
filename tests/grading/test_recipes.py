"""The recipes for authors, followed to the letter: what they print is what works."""

import re
import shlex
import textwrap
from pathlib import Path

import pytest

from kernellab.grading.authoring import SourceError, question
from kernellab.grading.authoring.problems import _OF_MILESTONES, _SETTINGS
from kernellab.grading.classroom.bank import Bank, stored_bank
from kernellab.grading.classroom.cli import main
from kernellab.grading.classroom.isolation import bubblewrap_trouble
from kernellab.grading.classroom.loading import VARIABLE, load_question, load_sheet
from kernellab.grading.forms import VOCABULARY, find_form
from tests.conftest import ROOT
from tests.grading.verdicts import check_complete, check_mistake, check_reference

INSTRUCTORS = (ROOT / "exercises" / "instructors.md").read_text(encoding="utf-8")
DERIVATIONS = (ROOT / "exercises" / "writing_derivations.md").read_text(
    encoding="utf-8"
)
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILE = re.compile(
    r"`(?P<path>[\w/-]+\.(?:md|py))`:\n\n *(`{3,})\w+\n(.*?)\n *\2\n", re.S
)


def write_files(text: str, folder: Path) -> list[str]:
    """Write each file that a page names and prints, and return their names."""
    found = FILE.findall(text)
    for name, _, content in found:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(content) + "\n", encoding="utf-8")
    return [name for name, _, _ in found]


def check_all(bank: Bank) -> None:
    for asked in bank.questions.values():
        check_complete(asked)
        for seed, reference in enumerate(asked.references):
            check_reference(asked, reference, seed)
        for mistake in asked.mistakes:
            check_mistake(asked, mistake)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, str(ROOT / "exercises"))
    return tmp_path


def test_a_sheet_as_the_instructors_page_shows_it(here: Path) -> None:
    assert len(write_files(INSTRUCTORS, here)) == 3
    bank = Bank(here / "my_sheets")
    assert [q.kind for q in bank.questions.values()] == ["values", "code"]
    check_all(bank)


def test_the_commands_of_the_instructors_page(here: Path) -> None:
    write_files(INSTRUCTORS, here)
    commands = re.findall(
        r"^python -m kernellab.grading (.*my_sheets.*)$", INSTRUCTORS, re.M
    )
    assert len(commands) == 4
    graded = 9 if bubblewrap_trouble() else 0  # what cannot be isolated is not run
    assert [main(shlex.split(command)) for command in commands] == [0, 0, 0, graded]
    handout = (here / "handouts" / "90_weights.ipynb").read_text(encoding="utf-8")
    assert "%%answer one-weighted-point" in handout
    assert "30/21" not in handout


QUESTION = Path("my_sheets/91_derivations/weighted-ridge.md")
ROUTE = re.compile(r"```route\n.*?\n```", re.S)


def test_a_derivation_as_its_page_makes_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(write_files(DERIVATIONS, here)) == 2
    lint, again, solved, check = re.findall(
        r"^python -m kernellab.grading (.*my_sheets.*)$", DERIVATIONS, re.M
    )
    assert main(shlex.split(lint)) == 1
    (printed,) = re.findall(r"```text\n(question .*?)\n```", DERIVATIONS, re.S)
    assert capsys.readouterr().out == f"{printed}\n"
    first, better = ROUTE.findall(DERIVATIONS)
    text = QUESTION.read_text(encoding="utf-8")
    QUESTION.write_text(text.replace(first, better), encoding="utf-8")
    for read_once in (stored_bank, load_sheet, load_question):
        read_once.cache_clear()  # a new process, if typed in a shell
    assert [main(shlex.split(c)) for c in (again, solved, check)] == [0, 0, 0]
    check_all(Bank(here / "my_sheets"))


def test_the_program_of_the_derivations_page(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(DERIVATIONS, here)
    (program,) = re.findall(r"```python\n(from pathlib.*?)\n```", DERIVATIONS, re.S)
    exec(program, {})
    assert "counterexample" in capsys.readouterr().out


def test_the_slip_that_the_instructors_page_shows(here: Path) -> None:
    write_files(INSTRUCTORS, here)
    (said,) = re.findall(r"^my_sheets/.*, line \d+: .*$", INSTRUCTORS, re.M)
    path = Path(said.partition(",")[0])
    text = path.read_text(encoding="utf-8").replace("exact: yes", "exakt: yes")
    with pytest.raises(SourceError, match=re.escape(said)):
        question(path, text)


def test_a_question_as_contributing_shows_it(here: Path) -> None:
    assert write_files(CONTRIBUTING, here) == ["exercises/01_duality/gram-of-one.md"]
    (link,) = re.findall(r"`(\[gram-of-one\]\(.*?\))`", CONTRIBUTING)
    sheet = here / "exercises" / "01_duality" / "sheet.md"
    sheet.write_text(f"# Sample\n\n{link}\n", encoding="utf-8")
    check_all(Bank(here / "exercises"))


def test_the_page_lists_all_that_a_problem_can_say() -> None:
    said = set(re.findall(r"^\| `(.*?)` \|", DERIVATIONS, re.M))
    words = {word.partition(":")[0] for line in said for word in line.split("`, `")}
    assert words >= {*_SETTINGS, *_OF_MILESTONES}


def test_the_page_lists_every_form() -> None:
    listed = DERIVATIONS.partition("The forms: ")[2].partition("\n\n")[0]
    phrases = [" ".join(phrase.split()) for phrase in re.findall(r"`([^`]+)`", listed)]
    assert len([find_form(phrase) for phrase in phrases[:-1]]) == len(VOCABULARY)
