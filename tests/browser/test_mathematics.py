"""Formulas in the browser: drawn without scripts, copied as TeX, scrolled by keys."""

import pytest

CHAPTER = "chapters/01_duality.html"
TELEPHONE = {"width": 390, "height": 844}
SELECT = """(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""
COPY = """() => {
  let text;
  const read = (event) => (text = event.clipboardData.getData('text/plain'));
  document.addEventListener('copy', read, { once: true });
  document.execCommand('copy');
  return text;
}"""


def copied(page, element):
    """Select an element, copy it, and return the text on the clipboard."""
    element.evaluate(SELECT)
    return page.evaluate(COPY)


def test_a_formula_is_copied_as_tex(reader):
    page = reader.open(CHAPTER)
    display = page.locator("div.math:visible", has=page.locator(".eqno")).first
    tex = display.locator("math").get_attribute("alttext")
    number = display.locator(".eqno").inner_text().rstrip("#")
    text = copied(page, display)
    assert text.startswith(f"$${' '.join(tex.split())}$$")
    assert text.endswith(number)


def test_half_a_formula_is_copied_whole_with_its_sentence(reader):
    page = reader.open(CHAPTER)
    sentence = page.locator("p:visible", has=page.locator("math")).first
    formulas = sentence.locator("math").all()
    text = copied(page, sentence)
    for formula in formulas:
        tex = " ".join(formula.get_attribute("alttext").split())
        assert f"${tex}$" in text
    letter = formulas[0].locator("mi, mn").first
    tex = " ".join(formulas[0].get_attribute("alttext").split())
    assert copied(page, letter) == f"${tex}$"


def test_text_without_formulas_is_copied_by_the_browser(reader):
    page = reader.open(CHAPTER)
    assert copied(page, page.locator("h1:visible").first) == ""  # nothing of ours


def test_a_wide_formula_scrolls_by_keyboard_beside_its_number(reader):
    reader.page.set_viewport_size(TELEPHONE)
    page = reader.open("chapters/03_constructing_kernels.html")
    # Not a locator, which would go on to another formula as soon as this one moves.
    box = page.wait_for_selector(".kl-formula[data-scrolls='after']:visible")
    assert box.get_attribute("tabindex") == "0"
    box.focus()
    for _ in range(60):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("(box) => box.dataset.scrolls === 'before'", arg=box)


def test_no_formula_lies_under_its_number(reader):
    reader.page.set_viewport_size(TELEPHONE)
    page = reader.open("chapters/07_gaussian_processes.html")
    overlaps = page.evaluate("""() => [...document.querySelectorAll('.eqno')].filter(
      (number) => number.offsetParent && number.getBoundingClientRect().left <
        number.previousElementSibling.getBoundingClientRect().right)
      .map((number) => number.innerText)""")
    assert page.locator(".eqno").count() > 10
    assert overlaps == []


def test_a_formula_that_fits_is_no_stop_for_the_keyboard(reader):
    page = reader.open(CHAPTER)
    page.wait_for_function("document.querySelectorAll('.kl-formula').length > 5")
    narrow = page.locator(".kl-formula:not([data-scrolls])").first
    assert narrow.get_attribute("tabindex") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_formulas_are_there_without_scripts(browser, address, scheme):
    context = browser.new_context(java_script_enabled=False, color_scheme=scheme)
    page = context.new_page()
    page.goto(address + CHAPTER)
    box = page.locator(".kl-formula math:visible").first.bounding_box()
    context.close()
    assert box["width"] > 50
    assert box["height"] > 10
