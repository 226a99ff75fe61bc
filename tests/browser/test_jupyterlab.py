"""The notebooks in a real JupyterLab: opened, run, answered, kept.

Nothing is trusted beforehand: the server that `make lab` starts has a data folder of
its own. That every notebook runs from top to bottom without an error is what nbval
checks; here one sheet is run, as a student does it, and each chapter is looked at.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbformat import v4
from playwright.sync_api import Browser, expect

from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.classroom.sheets import shown
from kernellab.grading.questions.base import Question
from tests.browser.jupyter_page import JupyterPage
from tests.conftest import ROOT
from tests.sampling import always_if
from tools.work_folder import WorkFolder

TOKEN = "of-a-test"
SVG = "image/svg+xml"
CHAPTERS = sorted(path.name for path in (ROOT / "chapters").glob("*.ipynb"))
SAMPLE = "02_kernel_trick.ipynb"  # it has figures, and theorems
RAW = re.compile(
    r"\{[a-z:]+\}`|`{3}|:{3}|^\([a-z]+-[\w-]+\)=|Unknown Directive", re.MULTILINE
)
SETUP = "from kernellab import grading\n%load_ext kernellab.grading"


@dataclass(frozen=True)
class Server:
    """A JupyterLab that runs, and the folder of the student who uses it."""

    address: str
    work: Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start JupyterLab as `make lab` does, on a machine that has never seen it."""
    home = tmp_path_factory.mktemp("home")
    folders = {f"JUPYTER_{name}_DIR": str(home / name) for name in ("DATA", "RUNTIME")}
    folders |= {"JUPYTER_CONFIG_DIR": str(home), "IPYTHONDIR": str(home / "ipython")}
    folders |= {"JUPYTERLAB_SETTINGS_DIR": str(home / "settings")}
    command = [
        *(sys.executable, "tools/lab.py", "--work", str(home / "work")),
        *("--no-browser", "--allow-root", "--port", "0"),
        f"--IdentityProvider.token={TOKEN}",
        "--LabApp.expose_app_in_browser=True",
    ]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **folders, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as job:
        assert job.stderr is not None
        found = (re.search(r"(http://127\S+?/)lab", line) for line in job.stderr)
        address = next(one[1] for one in found if one)
        yield Server(address, home / "work")
        os.killpg(job.pid, signal.SIGTERM)


@pytest.fixture(scope="module")
def lab(browser: Browser, server: Server) -> Iterator[JupyterPage]:
    """A student in front of it, who must have seen no error of the page."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    errors: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield JupyterPage(page, server.address, TOKEN)
    context.close()
    assert not errors


@pytest.fixture
def notebook_of(server: Server):
    """Write a notebook of code cells into the student's folder."""

    def write(name: str, *sources: str) -> str:
        cells = [v4.new_markdown_cell("# A try"), *map(v4.new_code_cell, sources)]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        text = v4.writes(v4.new_notebook(cells=cells, metadata=kernel))
        (server.work / "exercises" / name).write_text(text)
        return f"exercises/{name}"

    return write


# --- reading --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [always_if(name == SAMPLE, name) for name in CHAPTERS],
)
def test_a_chapter_shows_its_figures_and_no_raw_markup(
    lab: JupyterPage, name: str
) -> None:
    """Look at the beginning and at the first figure.

    JupyterLab renders what is in sight. Of all other cells `tests/book/test_markup.py`
    has checked that they use nothing which JupyterLab does not know.
    """
    lab.open(f"chapters/{name}")
    cells = json.loads((ROOT / "chapters" / name).read_text(encoding="utf-8"))["cells"]
    drawn = [i for i, cell in enumerate(cells) if SVG in json.dumps(cell)]
    for place in (0, drawn[0]):
        lab.scroll_to(place)
        expect(lab.page.locator("[title$='Not Found'], .katex-error")).to_have_count(0)
        texts = lab.page.locator(".jp-MarkdownCell .myst").all_inner_texts()
        assert not [text for text in texts if RAW.search(text)]
        if place in drawn:
            figure = lab.page.locator(".jp-Cell.jp-mod-active").locator(
                f".jp-OutputArea-output[data-mime-type='{SVG}']"
            )
            expect(figure.first).to_be_visible()


def test_a_notebook_runs_from_top_to_bottom(lab: JupyterPage) -> None:
    lab.open("exercises/01_duality.ipynb")
    lab.run_all()
    outputs = lab.outputs()
    assert len(outputs) == len(open_bank(ROOT / "exercises").sheet("01").questions) + 1
    assert "error" not in {output["output_type"] for output in outputs}


def test_a_widget_moves_its_picture(lab: JupyterPage, notebook_of) -> None:
    source = "from kernellab.figures.live import FIGURES\nFIGURES['ridge'].widget()"
    lab.open(notebook_of("widget.ipynb", source))
    lab.run_all()
    picture = lab.page.locator(".widget-image")
    before = picture.get_attribute("src")
    lab.page.locator(".widget-slider .noUi-handle").first.focus()
    for _ in range(20):
        lab.page.keyboard.press("ArrowRight")
    expect(picture).not_to_have_attribute("src", before or "")


# --- answering ------------------------------------------------------------------------


def one_of_each_kind() -> list[Question]:
    """Return the shortest question of each kind, as far as a wrong answer is known."""
    questions = open_bank(ROOT / "exercises").questions.values()
    known = [q for q in questions if any(m.at_most == 0 for m in q.mistakes)]
    by_length = sorted(known, key=lambda q: -len(q.references[0].answer))
    return list({question.kind: question for question in by_length}.values())


def test_right_and_wrong_answers_of_each_kind(lab: JupyterPage, notebook_of) -> None:
    questions = one_of_each_kind()
    assert len(questions) >= 6
    cells, signs = [], []
    for question in questions:
        wrong = next(m for m in question.mistakes if m.at_most == 0)
        right = shown(question, question.references[0])
        cells += [f"%%answer {question.id}\n{text}" for text in (wrong.answer, right)]
        signs += ["0", f"{question.points}"]
    lab.open(notebook_of("kinds.ipynb", SETUP, *cells))
    lab.run_all()
    said = [output["data"]["text/plain"].splitlines()[-1] for output in lab.outputs()]
    assert [line.split(" of ")[0] for line in said] == signs
    assert all("%solution" in line for line in said[::2])
    reports = lab.page.locator(".jp-RenderedHTMLCommon[data-mime-type='text/html']")
    expect(reports).to_have_count(len(cells))


def test_what_a_student_does_is_kept(
    lab: JupyterPage, server: Server, tmp_path: Path
) -> None:
    """Answer, ask for help, restart, save; open again; get a newer sheet."""
    name = "exercises/01_duality.ipynb"
    question = open_bank(ROOT / "exercises").question("push-through")
    answer = question.references[0].answer.strip()
    lab.open(name)
    lab.run("from kernellab")
    expect(lab.answer("push-through", "A = A.T")).to_contain_text("0 of 4 points here")
    expect(lab.answer("push-through", answer)).to_contain_text("4 of 4 points here")
    lab.restart()
    lab.run("from kernellab")
    score = lab.run("grading.score")
    expect(score).to_contain_text(re.compile(r"✓\s*Push-through\s*4 of 4"))
    score.get_by_role("link", name="Push-through").click()
    expect(lab.page.get_by_role("heading", name="Push-through")).to_be_in_viewport()
    lab.save()
    lab.open(name)  # where figures and reports show only if it is trusted still
    expect(lab.output("%%answer push-through")).to_contain_text("4 of 4 points here")
    written = (server.work / name).read_bytes()
    copy_again = [sys.executable, "tools/lab.py", "--copy", "--work", str(server.work)]
    subprocess.run(copy_again, cwd=ROOT, check=True)
    assert (server.work / name).read_bytes() == written
    course = newer_course(tmp_path)
    work = WorkFolder(course, server.work)
    assert work.outdated() == [name]
    assert work.update(name).read_bytes() == written
    lab.open(name)
    expect(lab.page.get_by_role("heading", name="A newer sheet")).to_be_visible()
    expect(lab.run("%%answer push-through")).to_contain_text("4 of 4 points here")


def newer_course(folder: Path) -> Path:
    """Return a course whose first sheet has another title."""
    name = "exercises/01_duality.ipynb"
    (folder / "exercises").mkdir()
    shutil.copyfile(ROOT / name, folder / name)
    text = (folder / name).read_text(encoding="utf-8")
    newer = text.replace("# Exercises: duality", "# A newer sheet")
    (folder / name).write_text(newer, encoding="utf-8")
    return folder
