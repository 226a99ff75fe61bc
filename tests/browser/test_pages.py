"""Every page, as a reader sees it: by day, by night and on a telephone."""

import pytest

from tests.browser.conftest import violations

# axe-core's time grows with the page: `make test` looks at a short page of each kind,
# `make test-all` at all.
ONE_OF_EACH_KIND = [
    "index.html",
    "chapters/00_tour.html",
    "chapters/01_further.html",
    "exercises/02_kernel_trick.html",
    "reference/api/ridge.html",
    "reference/choosing.html",
    "reference/errata_s2.html",
]
TELEPHONE = {"width": 390, "height": 844}

CONTRAST = ["color-contrast", "link-in-text-block"]

# Words of code look alike within a class, and formulas within a page: axe-core sees
# some of each kind, in a quarter of the time.
THIN_OUT = """() => {
  const seen = {};
  for (const word of document.querySelectorAll('.highlight span, .sig span')) {
    seen[word.className] = (seen[word.className] ?? 0) + 1;
    if (seen[word.className] > 5 && !word.id && !word.firstElementChild)
      word.replaceWith(word.textContent);
  }
  document.body.normalize();
  for (const formula of [...document.querySelectorAll('.math')].slice(30))
    formula.dataset.alike = '';
}"""
ALIKE = {"exclude": [["[data-alike]"]]}

# Sections far from the screen are not laid out, and axe-core would overlook them.
WHOLE_PAGE = "* { content-visibility: visible !important }"
TWO_FRAMES = "new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))"


def barriers(page, **options):
    """What keeps some readers out, each with its place."""
    page.evaluate(THIN_OUT)
    page.add_style_tag(content=WHOLE_PAGE)
    page.evaluate(TWO_FRAMES)
    return violations(page, ALIKE, **options)


def test_a_page_is_quiet_and_fits_a_telephone(reader, page_name):
    reader.page.set_viewport_size(TELEPHONE)
    width = reader.open(page_name).evaluate("document.documentElement.scrollWidth")
    assert width <= TELEPHONE["width"]


@pytest.mark.parametrize("sample", ONE_OF_EACH_KIND)
def test_everyone_can_read_a_page_of_each_kind(reader, sample):
    require_no_barriers(reader.open(sample))


@pytest.mark.exhaustive
def test_everyone_can_read_the_page(reader, page_name, site):
    page = reader.open(page_name)
    picture = f"{page_name.replace('/', '-').removesuffix('.html')}.png"
    page.screenshot(path=site.parent / "screenshots" / picture)  # for a person to see
    require_no_barriers(page)


def require_no_barriers(page):
    """Look with axe-core by day, and at the contrasts once more by night."""
    assert barriers(page) == []
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.evaluate("Promise.all(document.getAnimations().map(a => a.finished))")
    assert barriers(page, runOnly=CONTRAST) == []
