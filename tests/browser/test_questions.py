"""Every question in the page: answered, judged, kept, taken along."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.classroom.sheets import shown
from kernellab.grading.page import judge
from kernellab.grading.questions.base import Reference
from tests.browser.conftest import Reader
from tests.browser.test_pages import require_no_barriers
from tools import python_runtime

SHEETS = open_bank().sheets
KERNELS = "exercises/03_constructing_kernels.html"
DUALITY = "exercises/01_duality.html"
FINGER = 44  # pixels
LONGEST = "code-streaming-ridge"
"""A program on many points, which takes a fifth of the time of all questions."""
TOO_MUCH = ("lists all features", "the whole of Φ at once")
"""Mistakes that cost time or memory, whose limits are not those of the notebook."""
READY = "() => !document.querySelector('.kl-question:not([data-ready])')"
WRITE = """([id, text]) => {
  const area = document.querySelector(`[data-question="${id}"] [data-answer]`);
  area.value = text;
  area.dispatchEvent(new Event('input', { bubbles: true }));
}"""
CHECK = """async (id) => {
  const root = document.querySelector(`[data-question="${id}"]`);
  const button = root.querySelector('[data-check]');
  button.click();
  while (button.disabled) await new Promise((done) => setTimeout(done, 20));
  const { status, points } = root.querySelector('[data-result]').dataset;
  return [status, Number(points)];
}"""
OPEN_ALL = """() => {
  const all = document.querySelectorAll(':is(.kl-question, .kl-sheet) details');
  for (const one of all)
    one.open = true;
}"""
TOO_SMALL = """(least) => {
  const reached = ':is(button, input[type=text], textarea, label:has(input))';
  const all = document.querySelectorAll(`:is(.kl-question, .kl-sheet) ${reached}`);
  const small = (one) => one.getBoundingClientRect().height < least - 0.5;
  const found = [...all].filter((one) => one.checkVisibility() && small(one));
  return found.map((one) => one.outerHTML.slice(0, 80));
}"""
ONE_OF_EACH_KIND = """() => {
  const seen = new Set();
  for (const root of document.querySelectorAll('.kl-question')) {
    if (seen.has(root.dataset.kind)) root.remove();
    seen.add(root.dataset.kind);
  }
}"""
AT_REST = """async (box) => {
  let [last, frames] = [NaN, 0];
  while (frames < 10) {
    await new Promise(requestAnimationFrame);
    const { top } = box.getBoundingClientRect();
    [last, frames] = [top, top === last ? frames + 1 : 0];
  }
}"""
KEPT = """(id) => new Promise((resolve) => {
  const opening = indexedDB.open('kernellab');
  opening.onsuccess = () => {
    const answers = opening.result.transaction('answers').objectStore('answers');
    const reading = answers.get(id);  // which waits for those who write
    reading.onsuccess = () => resolve(reading.result?.text);
  };
})"""
STATE = """() => [...document.querySelectorAll('.kl-question')].map((root) => [
  root.dataset.question,
  root.querySelector('[data-answer]').value,
  { ...root.querySelector('[data-result]').dataset },
])"""


def needs_python() -> None:
    """Skip without a runtime, or fail under CI."""
    try:
        python_runtime.cached()
    except python_runtime.NotAvailable as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(f"no Python for the pages: {reason}")
        pytest.skip(f"no Python for the pages: {reason}")


@pytest.fixture(scope="module")
def visit(browser, address):
    """A visitor who stays for the whole module, so that Python is started once."""
    needs_python()
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    reader = Reader(context.new_page(), address)
    yield reader
    context.close()
    assert not reader.complaints


def open_page(reader, name):
    page = reader.open(name)
    page.wait_for_function(READY)
    return page


def answered(page, question_id, text):
    """Write an answer, press Check, and return the verdict: status and points."""
    page.evaluate(WRITE, [question_id, text])
    return tuple(page.evaluate(CHECK, question_id))


def right_and_wrong(question):
    """Return two answers; the wrong one is not wrong by what it costs."""
    mistake = next(m for m in question.mistakes if m.why not in TOO_MUCH)
    wrong = Reference(mistake.answer)
    return shown(question, question.references[0]), shown(question, wrong)


def place(page, question_id):
    return page.locator(f'[data-question="{question_id}"]')


# --- without Python -------------------------------------------------------------------


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_every_question_of_a_sheet_has_its_place(reader, sheet):
    page = open_page(reader, f"exercises/{sheet.name}.html")
    found = page.evaluate(
        "() => [...document.querySelectorAll('[data-question]')].map((root) =>"
        " [root.dataset.question, root.dataset.kind, root.closest('section').id,"
        "  ...['answer', 'check', 'result'].map((name) =>"
        "    root.querySelectorAll(`[data-${name}]`).length)])"
    )
    assert [entry[:2] for entry in found] == [[q.id, q.kind] for q in sheet.questions]
    assert all(entry[3:] == [1, 1, 1] for entry in found)
    for question in sheet.questions:
        assert page.locator(f"#ex-{question.id}").count() == 1
    assert page.evaluate("kernellabPython.state") == "idle"


def test_fields_and_text_stay_in_step(reader):
    page = open_page(reader, DUALITY)
    values = place(page, "singular-gram")
    text = values.locator("[data-answer]")
    values.get_by_label("a =", exact=True).fill("[1, -1, 1/2]")
    values.get_by_role("group", name="unique_w").get_by_label("yes").check()
    assert text.input_value() == "a = [1, -1, 1/2]\nunique_w = yes"
    page.evaluate(WRITE, ["singular-gram", "J = 9 + 2; unique_a = no  # so"])
    assert values.get_by_label("J =", exact=True).input_value() == "9 + 2"
    assert values.get_by_label("a =", exact=True).input_value() == ""
    assert values.get_by_role("group", name="unique_a").get_by_label("no").is_checked()


def test_blocks_can_be_ordered_without_a_mouse(reader):
    page = open_page(reader, DUALITY)
    puzzle = place(page, "strong-duality")
    text = puzzle.locator("[data-answer]")
    puzzle.get_by_role("button", name="Add block K").focus()
    page.keyboard.press("Enter")
    puzzle.get_by_role("button", name="Block A:").focus()
    page.keyboard.press("Enter")
    assert text.input_value() == "K\nA"
    page.keyboard.press("ArrowUp")
    assert text.input_value() == "A\nK"
    assert "Block A is number 1 of 2" in puzzle.locator("p[role=status]").inner_text()
    page.keyboard.press("Enter")
    assert text.input_value() == "K"


def test_blocks_can_be_dragged(reader):
    page = open_page(reader, DUALITY)
    puzzle = place(page, "strong-duality")
    page.evaluate(WRITE, ["strong-duality", "K\nA"])
    puzzle.locator(".kl-proof").scroll_into_view_if_needed()
    puzzle.evaluate(AT_REST)  # sections on the way are laid out when they come near
    answer = puzzle.locator("[data-answer]")
    drag(page, puzzle.get_by_role("button", name="Block A:"), above=puzzle, of="K")
    expect(answer).to_have_value("A\nK")
    drag(page, puzzle.get_by_role("button", name="Block B:"), above=puzzle, of="K")
    expect(answer).to_have_value("A\nB\nK")


def drag(page, handle, above, of):
    start = handle.bounding_box()
    target = above.locator(f'li[data-letter="{of}"]').bounding_box()
    page.mouse.move(start["x"] + 8, start["y"] + 8)
    page.mouse.down()
    page.mouse.move(target["x"] + 20, target["y"] + 12, steps=8)
    page.mouse.up()


def test_a_claim_takes_a_side_first(reader):
    page = open_page(reader, KERNELS)
    claim = place(page, "positive-entries")
    claim.get_by_label("not a kernel: refute it").check()
    claim.get_by_label("points =").fill("[[1, -1]]")
    claim.get_by_label("c =").fill("[1]")
    text = claim.locator("[data-answer]")
    assert text.input_value() == "invalid\npoints = [[1, -1]]\nc = [1]"
    claim.get_by_label("a kernel: prove it", exact=True).check()
    claim.get_by_label("Your kernel").fill("k = Linear()")
    assert text.input_value() == "valid\nk = Linear()"


def test_keys_write_symbols_and_moves(reader):
    page = open_page(reader, DUALITY)
    derivation = place(page, "ridge-dual")
    area = derivation.locator("[data-answer]")
    area.fill("K@((K + ")
    for name in ("lam", "identity matrix"):
        derivation.get_by_role("button", name=name, exact=True).click()
    page.keyboard.type(")@a - t) = 0")
    derivation.get_by_role("button", name="set to zero,").click()
    assert area.input_value() == "K@((K + lamI)@a - t) = 0 | set to zero"
    area.fill("a = ")
    derivation.get_by_role("button", name="inverse").click()
    page.keyboard.type("K")
    assert area.input_value() == "a = inv(K)"
    derivation.get_by_role("button", name="step out").click()
    derivation.get_by_role("button", name="t", exact=True).click()
    assert area.input_value() == "a = inv(K)t"
    star = derivation.get_by_role("button", name="phis", exact=True)
    assert star.text_content() == "φ*"


KEYS = [
    ("J = ", ["a", "transpose", "K", "a"], "J = aᵀKa"),
    ("a = (K + lam*I)", ["inverse", "t"], "a = (K + lam*I)^-1t"),
    ("K = t", ["brackets", "new line", "K"], "K = t()\nK"),
    ("w = ", ["sum over n", "a", "step out", "w"], "w = sum(a for n in N)w"),
]


@pytest.mark.parametrize(("text", "keys", "written"), KEYS)
def test_what_the_keys_write_can_be_read_on(reader, text, keys, written):
    page = open_page(reader, DUALITY)
    derivation = place(page, "ridge-dual")
    area = derivation.locator("[data-answer]")
    area.fill(text)
    for name in keys:
        exact = name != "step out"
        derivation.get_by_role("button", name=name, exact=exact).click()
    assert area.input_value() == written


def test_hints_come_one_at_a_time_and_the_solution_after_an_attempt(reader):
    page = open_page(reader, DUALITY)
    question = place(page, "left-out-by-hand")
    assert question.get_by_role("button", name="Solution").count() == 0
    for number in (1, 2):
        question.get_by_role("button", name="Hint").click()
        question.get_by_role("region", name=f"Hint {number} of 3").wait_for()
    assert question.locator(".kl-hint").count() == 2
    question.get_by_role("button", name="Another one like it").click()
    twin = page.locator('[data-question="left-out-by-hand/1"]')
    twin.get_by_label("r =").fill("[1, 2]")
    assert twin.locator("[data-answer]").input_value() == "r = [1, 2]"


def test_what_is_written_survives_and_can_be_deleted(reader):
    page = open_page(reader, DUALITY)
    page.evaluate(WRITE, ["ridge-dual", "a = t | given"])
    assert page.evaluate(KEPT, "ridge-dual") == "a = t | given"
    page.reload()
    page.wait_for_function(READY)
    question = place(page, "ridge-dual")
    area = question.locator("[data-answer]")
    assert area.input_value() == "a = t | given"
    page.once("dialog", lambda dialog: dialog.dismiss())
    question.get_by_role("button", name="Start again").click()
    assert area.input_value() == "a = t | given"
    page.once("dialog", lambda dialog: dialog.accept())
    question.get_by_role("button", name="Start again").click()
    page.wait_for_function("() => !document.querySelectorAll('[data-answer]')[1].value")


def test_without_javascript_a_question_can_be_read(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + DUALITY)
    question = place(page, "strong-duality")
    question.scroll_into_view_if_needed()
    for words in ("Put together the proof", "Its value is finite"):
        expect(question).to_contain_text(words, use_inner_text=True)
    assert question.get_by_text("make lab").is_visible()
    context.close()


def test_on_a_telephone_everything_is_within_reach(browser, address):
    size = {"width": 390, "height": 844}
    context = browser.new_context(viewport=size, has_touch=True)
    for name in (DUALITY, KERNELS):
        page = open_page(Reader(context.new_page(), address), name)
        page.locator("[data-kind=derivation] [data-answer]").first.focus()
        page.evaluate(
            "document.querySelectorAll('details').forEach(d => d.open = true)"
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        small = page.evaluate(TOO_SMALL, FINGER)
        assert small == []
    context.close()


def test_progress_is_shown_where_a_page_asks_for_it(reader):
    page = open_page(reader, DUALITY)
    assert page.evaluate("kernellabProgress.lastPlace()") is None
    page.evaluate(WRITE, ["push-through", "A = A"])
    page.wait_for_function("async () => await kernellabProgress.lastPlace()")
    found = page.evaluate("kernellabProgress.lastPlace()")
    assert (found["id"], found["page"]) == (
        "push-through",
        f"{DUALITY}#ex-push-through",
    )
    totals = page.evaluate("kernellabProgress.totals()")
    assert [t["out_of"] for t in totals] == [sheet.points for sheet in SHEETS]
    assert {t["points"] for t in totals} == {0}


def test_only_pages_with_something_to_run_load_python(site):
    pages = {path: path.read_text() for path in site.rglob("*.html")}
    loads = [path for path, text in pages.items() if "live/python.js" in text]
    places = [p for p, text in pages.items() if "data-kernellab-python" in text]
    assert loads == places
    assert site / DUALITY in loads
    assert site / "index.html" not in loads


def test_no_solution_is_in_what_a_page_loads(site):
    text = (site / DUALITY).read_text()
    for question in open_bank().sheet("01").questions:
        told = (site / "_static" / "questions" / f"{question.id}.json").read_text()
        for reference in question.references:
            if len(reference.answer) > 60:
                assert reference.answer not in text
                assert reference.answer not in told


# --- with Python ----------------------------------------------------------------------


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_the_page_judges_like_the_notebook(visit, sheet):
    page = open_page(visit, f"exercises/{sheet.name}.html")
    questions = [q for q in sheet.questions if q.id != LONGEST]
    for question in questions:
        require_full_marks(page, question)
    for question in {question.kind: question for question in questions}.values():
        require_the_same_verdict(page, question)


@pytest.mark.exhaustive
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_every_wrong_answer_is_judged_like_in_the_notebook(visit, sheet):
    page = open_page(visit, f"exercises/{sheet.name}.html")
    for question in sheet.questions:
        require_the_same_verdict(page, question)
        if question.id == LONGEST:
            require_full_marks(page, question)


def require_full_marks(page, question):
    """Give a right answer in the page."""
    right, _ = right_and_wrong(question)
    full = ("right", question.points)
    assert answered(page, question.id, right) == full, question.id


def require_the_same_verdict(page, question):
    """Give a wrong answer in the page, and compare with what this process says."""
    _, wrong = right_and_wrong(question)
    found = judge(question.id, wrong)
    verdict = (found["status"], found["points"])
    assert answered(page, question.id, wrong) == verdict, question.id


def test_a_reload_keeps_all(visit):
    page = open_page(visit, KERNELS)
    before = page.evaluate(STATE)
    total = page.locator("[data-total]").inner_text()
    assert all(result["status"] for _, _, result in before)
    page.reload()
    page.wait_for_function(READY)
    assert page.evaluate(STATE) == before
    assert page.locator("[data-total]").inner_text() == total


def test_what_is_exported_is_graded_to_the_same_points(visit, tmp_path: Path):
    page = open_page(visit, KERNELS)
    points = {name: float(found["points"]) for name, _, found in page.evaluate(STATE)}
    page.get_by_text("Take your answers with you").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the notebook").click()
    folder = tmp_path / "class"
    folder.mkdir()
    download.value.save_as(folder / "ada.ipynb")
    command = [sys.executable, "-m", "kernellab.grading", "grade", str(folder)]
    subprocess.run([*command, "--out", str(tmp_path / "out")], check=False)
    with (tmp_path / "out" / "gradebook.csv").open() as file:
        (row,) = csv.DictReader(file)
    bank = open_bank()
    not_run = [q for q in points if bank.question(q).kind == "code" and not row[q]]
    for name in set(points) - set(not_run):
        assert float(row[name]) == points[name], name


def test_progress_is_saved_deleted_and_read_back(visit, tmp_path: Path):
    page = open_page(visit, KERNELS)
    last = open_bank().sheet("03").questions[-1].id
    answered(page, last, "def nothing():\n    return 1\n")
    before = page.evaluate(STATE)
    page.get_by_text("Take your answers with you").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save all progress").click()
    path = tmp_path / "progress.json"
    download.value.save_as(path)
    saved = {record["id"] for record in json.loads(path.read_text())["answers"]}
    assert saved >= {name for name, _, found in before if found.get("status")}
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete everything").click()
    page.get_by_text("Deleted.").wait_for()
    page.wait_for_function("!document.querySelector('[data-result][data-status]')")
    (tmp_path / "other.json").write_text("[]")
    page.locator("input[type=file]").set_input_files(tmp_path / "other.json")
    page.get_by_text("this is not a file of progress").wait_for()
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_text(re.compile(r"\d+ answers? (was|were) read")).wait_for()
    result = f"[data-question='{last}'] [data-result][data-status]"
    page.wait_for_selector(result, state="attached")
    assert page.evaluate(STATE) == before


def test_lines_are_judged_while_they_are_written(visit):
    page = open_page(visit, DUALITY)
    question = place(page, "ridge-dual")
    area = question.locator("[data-answer]")
    area.fill("")
    area.press_sequentially("J = norm2(t - Phi@w) + lam*norm2(w)\nJ = ")
    question.locator(".kl-gutter > [data-mark='✓']").wait_for()
    question.locator(".kl-margin math").first.wait_for()
    assert question.locator(".kl-gutter > [data-mark='✗']").count() == 0
    area.press_sequentially("norm2(t - K@a) + lam*a.T@a | substitute w; def K")
    question.locator(".kl-gutter > [data-mark='✗']").wait_for()
    expect(question.locator(".kl-margin")).to_contain_text("Counterexample")
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"


@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_of_a_long_line_is_hidden(visit, width):
    page = open_page(visit, DUALITY)
    before = page.viewport_size
    page.set_viewport_size({"width": width, "height": 900})
    question = place(page, "ridge-dual")
    area = question.locator("[data-answer]")
    area.fill(r"\Phi^\top (\Phi w - t) + \lambda w = 0 | " + 60 * "so " + "\nw = w")
    hidden = (
        "(it) => [it.scrollWidth > it.clientWidth, it.scrollHeight > it.clientHeight]"
    )
    assert area.evaluate(hidden) == [False, False]
    first, second = question.locator(".kl-gutter > div").all()
    row = second.bounding_box()["height"]
    assert (
        first.bounding_box()["height"] > 1.5 * row
    )  # its number keeps the room it needs
    field, margin = area.bounding_box(), question.locator(".kl-margin").bounding_box()
    assert margin["y"] >= field["y"] + field["height"] - 1
    area.fill("")
    page.set_viewport_size(before)


def test_all_sheets_are_listed_with_their_points(visit):
    page = open_page(visit, "exercises/all.html")
    found = page.locator("[data-course-sheets] a .kl-sheet-points")
    found.first.wait_for()
    totals = [f"of {sheet.points} points" for sheet in SHEETS]
    shown = found.all_inner_texts()
    assert [text.partition(" ")[2] for text in shown] == totals


def test_a_kernel_is_typeset_and_decided_while_it_is_written(visit):
    page = open_page(visit, KERNELS)
    question = place(page, "days-of-the-year")
    question.locator("[data-answer]").fill("k = Linear() + 1")
    question.locator("[data-verdict=PROVEN]").wait_for()
    expect(question.locator(".kl-preview math")).to_have_count(1)


def test_two_tabs_show_the_same(visit):
    page = open_page(visit, DUALITY)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_function(READY)
    answer = open_bank().question("push-through").references[0].answer
    verdict = answered(page, "push-through", answer)
    assert verdict[0] == "right"
    same = place(other, "push-through").locator("[data-result][data-status=right]")
    same.wait_for()
    assert place(other, "push-through").locator("[data-answer]").input_value() == answer
    other.close()


def test_a_stopped_python_loses_nothing(visit):
    page = open_page(visit, DUALITY)
    answer = open_bank().question("push-through").references[0].answer
    page.evaluate(WRITE, ["push-through", answer])
    page.evaluate("kernellabPython.start().then(() => kernellabPython.stop())")
    assert page.evaluate(CHECK, "push-through")[0] == "right"  # it starts again
    assert page.evaluate(STATE)[5][1] == answer


def test_a_program_that_does_not_end_can_be_stopped(visit):
    page = open_page(visit, DUALITY)
    question = place(page, "code-dual-ridge")
    endless = "def dual_ridge(K, t, lam):\n    while True:\n        pass\n"
    page.evaluate(WRITE, ["code-dual-ridge", endless])
    question.locator("[data-check]").click()
    question.get_by_text("Checking …").wait_for()
    question.get_by_role("button", name="Stop").click()
    question.get_by_text("it was stopped").wait_for()
    assert question.locator("[data-answer]").input_value() == endless
    right = open_bank().question("code-dual-ridge").references[0].answer
    assert answered(page, "code-dual-ridge", right)[0] == "right"


def test_it_works_offline_once_python_is_there(visit):
    page = open_page(visit, DUALITY)
    page.evaluate("Promise.all([...document.fonts].map((font) => font.load()))")
    page.evaluate("kernellabPython.start()")
    page.context.set_offline(True)
    try:
        assert answered(page, "push-through", "A = 2*A")[0] == "wrong"
    finally:
        page.context.set_offline(False)


def test_the_keyboard_alone_is_enough(visit):
    page = open_page(visit, DUALITY)
    page.evaluate(WRITE, ["left-out-by-hand", ""])
    question = place(page, "left-out-by-hand")
    question.get_by_label("r =").focus()
    page.keyboard.type("[0, 0]")
    page.keyboard.press("Control+Enter")
    question.locator("[data-check]:enabled").wait_for()  # it was not, while it judged
    question.locator("[data-result][data-status=wrong]").wait_for()
    page.keyboard.press("Tab")  # past “As text”, to Check
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Check"


def test_everyone_can_read_the_reports(visit):
    """Look at one question of each kind: others are made of the same."""
    page = open_page(visit, KERNELS)
    page.locator("[data-kind=derivation] [data-answer]").first.focus()
    page.evaluate(ONE_OF_EACH_KIND)
    require_no_barriers(page)
    page.emulate_media(color_scheme="light")
