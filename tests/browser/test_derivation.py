"""The exercise in the page: written, kept, judged, taken along."""

import json
import os
from pathlib import Path

import pytest

from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.classroom.notebook_files import read_cells
from kernellab.grading.classroom.submissions import scan
from kernellab.grading.page import judge
from tests.browser.conftest import Reader
from tests.browser.test_pages import CONTRAST, EVERY_RULE, barriers
from tools import python_runtime

PAGE = "exercises/in_the_page.html"
PATIENCE = 180_000  # milliseconds; a busy machine is not a bug
RIGHT = open_bank().question("ridge-dual").references[0].answer
WRONG = RIGHT.replace("- 2*a.T@K@t +", "- a.T@K@t +")
SPARE = "\n\n\n# the way through J(a)\n"


@pytest.fixture(scope="module")
def running(browser, address):
    """A page in which Python runs; without a runtime, skip, or fail under CI."""
    try:
        python_runtime.cached()
    except python_runtime.NotAvailable as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(f"no Python for the pages: {reason}")
        pytest.skip(f"no Python for the pages: {reason}")
    context = browser.new_context(
        viewport={"width": 1280, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
    )
    reader = Reader(context.new_page(), address)
    page = reader.open(PAGE)
    page.set_default_timeout(PATIENCE)
    page.get_by_role("button", name="Run Python here").click()
    page.get_by_role("button", name="Stop Python").wait_for()
    yield page
    context.close()
    assert not reader.complaints


def write(page, text):
    """Write a derivation, ask for a verdict, and wait until it is there."""
    page.get_by_label("Your derivation").fill(text)
    page.get_by_label("Your derivation").press("Control+Enter")
    wait_for_words(page, "points")


def wait_for_words(page, words):
    page.wait_for_function(
        "words => document.querySelector('.kl-said').textContent.includes(words)",
        arg=words,
    )


def marks(page):
    rows = page.locator(".kl-gutter > div")
    return [row.get_attribute("data-mark") or "" for row in rows.all()]


# --- without Python -------------------------------------------------------------------


def test_the_task_is_there_before_python(reader):
    page = reader.open(PAGE)
    task = page.locator(".kl-task:visible")
    assert task.count() == 1
    assert "Go the way you like" in task.inner_text()
    assert "K = Phi@Phi.T" in page.locator(".kl-side .kl-givens").inner_text()
    assert "set to zero" in page.locator(".kl-side .kl-reasons").inner_text()
    page.get_by_label("Your derivation").fill("a = t | given")
    page.get_by_role("button", name="Check").click()
    assert "press “Run Python here”" in page.locator(".kl-said").inner_text()
    assert page.evaluate("kernellabPython.state") == "idle"


def test_what_is_written_survives(reader):
    page = reader.open(PAGE)
    page.get_by_label("Your derivation").fill(RIGHT)
    menu = page.get_by_label("Exercise")
    menu.select_option("push-through")
    assert page.get_by_label("Your derivation").input_value() == ""
    assert "A" in page.locator(".kl-side .kl-givens").inner_text()
    page.get_by_label("Your derivation").fill("A = A | algebra")
    page.reload()
    assert page.url.endswith("#try-push-through")
    assert menu.input_value() == "push-through"
    assert page.get_by_label("Your derivation").input_value() == "A = A | algebra"
    menu.select_option("ridge-dual")
    assert page.get_by_label("Your derivation").input_value() == RIGHT


def test_starting_again_asks_first(reader):
    page = reader.open(PAGE)
    area = page.get_by_label("Your derivation")
    area.fill("a = t | given")
    again = page.get_by_role("button", name="Start again")
    page.once("dialog", lambda dialog: dialog.dismiss())
    again.click()
    assert area.input_value() == "a = t | given"
    page.once("dialog", lambda dialog: dialog.accept())
    again.click()
    assert area.input_value() == ""
    page.reload()
    assert area.input_value() == ""


def test_hints_come_one_at_a_time(reader):
    page = reader.open(PAGE)
    hints = page.locator(".kl-task:visible .kl-hint")
    visible = [hint.is_visible() for hint in hints.all()]
    assert visible == [True] + [False] * (len(visible) - 1)
    hints.nth(0).locator("summary").click()
    hints.nth(1).locator("summary").click()
    assert hints.nth(2).is_visible()
    assert hints.nth(0).locator("mjx-container").first.is_visible()


def test_all_derivations_of_the_sheets_are_offered(reader):
    page = reader.open(PAGE)
    offered = page.locator(".kl-menu option").evaluate_all(
        "all => all.map(o => o.value)"
    )
    questions = open_bank().questions.values()
    assert offered[0] == "ridge-dual"
    assert sorted(offered) == sorted(q.id for q in questions if q.kind == "derivation")


def test_a_reason_is_put_behind_the_bar(reader):
    page = reader.open(PAGE)
    area = page.get_by_label("Your derivation")
    area.fill("J = 0\nK@a = t")
    area.press("Control+Home")
    for name in ("set to zero", "sufficient"):
        page.get_by_role("button", name=name, exact=True).click()
    assert area.input_value() == "J = 0 | set to zero; sufficient\nK@a = t"
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    page.keyboard.type("!")
    assert "sufficient!\n" in area.input_value()


def test_without_javascript_the_task_can_be_read(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + PAGE)
    assert page.locator(".kl-task:visible").count() == 1
    assert "needs JavaScript" in page.locator(".kl-exercise").inner_text()
    assert page.get_by_role("button", name="Check").count() == 0
    context.close()


def test_only_pages_with_something_to_run_load_the_scripts(site):
    loads = [
        path for path in site.rglob("*.html") if "live/python.js" in path.read_text()
    ]
    places = [
        p for p in site.rglob("*.html") if "data-kernellab-python" in p.read_text()
    ]
    assert loads == places
    assert site / PAGE in loads
    assert site / "index.html" not in loads


# --- with Python ----------------------------------------------------------------------


def test_a_right_derivation_gets_all_points(running):
    page = running
    write(page, SPARE + RIGHT)
    wait_for_words(page, "Accepted: 12 of 12 points")
    assert marks(page) == [""] * 4 + ["✓"] * len(RIGHT.splitlines())
    assert page.locator(".kl-score").inner_text().strip() == "12 of 12 points"
    assert (
        page.get_by_role("meter", name="Points").evaluate("meter => meter.value") == 12
    )
    report = page.locator(".kl-report")
    assert report.locator("math").count() > 7
    assert "Accepted" in report.inner_text()


def test_a_slip_is_named_with_its_counterexample(running):
    page = running
    write(page, WRONG)
    wait_for_words(page, "Line 3 fails")
    here = judge("ridge-dual", WRONG)
    assert marks(page)[:3] == ["✓", "✓", "✗"]
    assert "kl-first" in page.locator(".kl-gutter > div").nth(2).get_attribute("class")
    text = page.locator(".kl-report .kl-first").all_inner_texts()
    assert "Counterexample:" in "".join(text)
    assert here["lines"][2]["suggestion"].rpartition(": ")[2] in "".join(text)
    score = f"{here['points']:g} of 12 points"
    assert page.locator(".kl-score").inner_text().strip() == score


def test_lines_are_judged_while_they_are_written(running):
    page = running
    area = page.get_by_label("Your derivation")
    area.fill("")
    page.wait_for_function("!document.querySelector('.kl-report')")
    area.press_sequentially("J = norm2(t - Phi@w) + lam*norm2(w) | matrix form\nJ = ")
    page.locator(".kl-gutter > [data-mark='✓']").wait_for()
    top = area.bounding_box()["y"]
    assert marks(page) == ["✓", ""]  # the line that has no reason yet is left alone
    assert page.locator(".kl-said").inner_text() == ""
    area.press_sequentially("norm2(t - K@a) + lam*a.T@a | substitute w; def K")
    page.locator(".kl-gutter > [data-mark='✗']").wait_for()
    assert area.bounding_box()["y"] == top  # nothing above the cursor has moved
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"


def test_any_text_gets_an_answer(running):
    page = running
    write(
        page,
        "<img src=x onerror=alert(1)> | <b>\n" + "(" * 3000 + "\n😀 | 😀",
    )
    assert marks(page)[:3] == ["✗", "✗", "✗"]
    assert page.locator(".kl-report img").count() == 0
    assert page.evaluate("kernellabPython.state") == "ready"


def test_the_answer_can_be_taken_to_a_notebook(running, tmp_path: Path):
    page = running
    write(page, RIGHT)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download", exact=True).click()
    assert download.value.suggested_filename == "ridge-dual.ipynb"
    path = tmp_path / "ridge-dual.ipynb"
    download.value.save_as(path)
    cells = read_cells(path)
    assert [cell["id"] for cell in cells] == ["setup", "a-ridge-dual"]
    assert scan(cells).answers == {"ridge-dual": [RIGHT]}
    assert json.loads(path.read_text())["nbformat"] == 4
    page.get_by_role("button", name="Copy", exact=True).click()
    wait_for_words(page, "Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"%%answer ridge-dual\n{RIGHT}"


def test_everyone_can_read_the_report(running):
    page = running
    write(page, WRONG)
    assert barriers(page, EVERY_RULE) == []
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.evaluate("Promise.all(document.getAnimations().map(a => a.finished))")
    assert barriers(page, CONTRAST) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
