"""The landing page: its figure computes as kernellab does, and can be moved by all."""

import re

import numpy as np
import pytest

from kernellab import GaussianProcess, KernelRidge
from kernellab import kernels as kl
from kernellab.grading import check_derivation
from tests.browser.conftest import Reader, violations


@pytest.fixture
def visit(browser, address):
    """Opens the landing page; in the end, nothing has gone wrong."""
    readers = []

    def open_page(**options):
        size = {"width": 1280, "height": 1000}
        context = browser.new_context(**{"viewport": size, **options})
        reader = Reader(context.new_page(), address)
        readers.append((context, reader))
        reader.page.goto(reader.address + "index.html")
        return reader.page

    yield open_page
    for context, reader in readers:
        context.close()
        assert not reader.complaints


def numbers(page):
    """What the figure says, by name."""
    found = page.locator(".kl-touch [data-number]").all()
    return {e.get_attribute("data-number"): e.text_content() for e in found}


def settled(page):
    """Let the browser draw twice."""
    page.evaluate(
        "new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))"
    )


def curve(page):
    return page.locator(".kl-curve").get_attribute("d")


def centre(dot):
    box = dot.locator(".kl-dot").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# --- the mathematics ------------------------------------------------------------------


IN_THE_PAGE = """([x, t, sigma, lam, u]) => {
  const fit = kernellabRidge.fit(x, t, sigma, lam);
  return { ...fit, predictions: u.map(fit.predict) };
}"""


def test_the_script_computes_what_kernellab_computes(visit):
    page = visit()
    rng = np.random.default_rng(0)
    for n in (2, 5, 14, 40):
        x, u = rng.uniform(0, 10, n), np.linspace(-1, 11, 25)
        t = np.sin(x) + rng.normal(size=n)
        sigma, lam = 10 ** rng.uniform(-0.7, 0.7), 10 ** rng.uniform(-3, 1)
        values = [x.tolist(), t.tolist(), sigma, lam, u.tolist()]
        compare(page.evaluate(IN_THE_PAGE, values), x, t, sigma, lam, u)


def compare(found, x, t, sigma, lam, u):
    """To 1e-10 of the largest coefficient."""
    kernel = kl.Gaussian(sigma=sigma)
    ridge = KernelRidge(kernel, lam=lam).fit(x[:, None], t)
    process = GaussianProcess(kernel, noise=lam).fit(x[:, None], t, optimize=False)
    mean, variance = process.predict_f(u[:, None])
    atol = 1e-10 * max(1, np.abs(ridge.a_).max())
    residuals = t - ridge.predict(x[:, None])
    predictions = found["predictions"]
    for values, expected in (
        (found["a"], ridge.a_),
        (found["leftOut"], ridge.loo_residuals_),
        (found["training"], np.sqrt(np.mean(residuals**2))),
        ([p["mean"] for p in predictions], ridge.predict(u[:, None])),
        ([p["mean"] for p in predictions], mean),
        ([p["variance"] for p in predictions], variance),
    ):
        np.testing.assert_allclose(values, expected, rtol=0, atol=atol)


def test_the_picture_without_a_script_is_that_of_the_script(visit):
    """Up to the steps of the sliders, and rounding to a tenth of a pixel."""

    def places(page):
        return np.array(re.findall(r"[-\d.]+", curve(page)), dtype=float)

    moved, still = visit(), visit(java_script_enabled=False)
    settled(moved)
    assert np.abs(places(moved) - places(still)).max() < 0.5
    assert still.locator(".kl-dot").count() == moved.locator(".kl-dot").count()
    assert not still.locator("input[name=lam]").is_visible()
    for name in ("error", "training"):
        assert numbers(still)[name] == numbers(moved)[name]


# --- moving ---------------------------------------------------------------------------


def test_a_point_follows_the_mouse_and_everything_follows_the_point(visit):
    page = visit()
    settled(page)
    before, told = curve(page), numbers(page)
    dot = page.locator(".kl-dots > g").nth(5)
    x, y = centre(dot)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y - 90, steps=3)
    page.mouse.up()
    settled(page)
    assert centre(dot) == pytest.approx((x + 20, y - 90), abs=2)
    assert curve(page) != before
    assert numbers(page)["error"] != told["error"]
    assert page.locator(".kl-dots > g").count() == 14  # a drag is no click


def test_a_point_follows_a_finger(visit):
    page = visit(has_touch=True, viewport={"width": 390, "height": 844})
    dot = page.locator(".kl-dots > g").nth(3)
    dot.scroll_into_view_if_needed()
    x, y = centre(dot)
    session = page.context.new_cdp_session(page)
    for kind, places in (
        ("touchStart", [(x, y)]),
        ("touchMove", [(x, y + 30)]),
        ("touchMove", [(x, y + 60)]),
        ("touchEnd", []),
    ):
        touches = [{"x": a, "y": b} for a, b in places]
        event = {"type": kind, "touchPoints": touches}
        session.send("Input.dispatchTouchEvent", event)
        settled(page)
    assert centre(dot) == pytest.approx((x, y + 60), abs=3)
    hit = dot.locator(".kl-hit").bounding_box()
    assert min(hit["width"], hit["height"]) >= 40


def test_keys_move_and_remove_a_point(visit):
    page = visit()
    dot = page.locator(".kl-dots > g").nth(2)
    x, y = centre(dot)
    dot.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowRight")
    settled(page)
    moved = centre(dot)
    assert moved[0] > x + 10
    assert moved[1] < y
    assert dot.get_attribute("aria-valuetext").startswith("x = ")
    page.keyboard.press("Delete")
    assert page.locator(".kl-dots > g").count() == 13
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert name == "point 3 of 13"


def test_a_click_adds_a_point_and_all_can_be_put_back(visit):
    page = visit()
    settled(page)
    before = curve(page)
    box = page.locator(".kl-plot").bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 12)
    settled(page)
    assert page.locator(".kl-dots > g").count() == 15
    assert curve(page) != before
    page.get_by_role("button", name="Start again").click()
    settled(page)
    assert page.locator(".kl-dots > g").count() == 14
    assert curve(page) == before


def test_lambda_can_be_found(visit):
    page = visit()
    slider = page.get_by_label("penalty λ")
    slider.focus()
    settled(page)
    assert page.locator(".kl-touch").get_attribute("data-verdict") == "small"
    page.keyboard.press("End")
    settled(page)
    assert page.locator(".kl-touch").get_attribute("data-verdict") == "large"
    slider.evaluate("e => { e.value = -0.88; e.dispatchEvent(new Event('input')); }")
    settled(page)
    assert numbers(page)["verdict"].startswith("Found")
    assert slider.get_attribute("aria-valuetext") == numbers(page)["lam"] == "0.13"


# --- the grader -----------------------------------------------------------------------


def test_the_grader_says_on_the_page_what_it_says(visit, root):
    page = visit(java_script_enabled=False)  # the pages turn without a script
    lines = page.locator(".kl-page ol code").all_text_contents()
    report = check_derivation("ridge-dual", "\n".join(lines))
    wrong = next(line for line in report.lines if not line.ok)
    assert (wrong.number, "factor 2 was lost" in wrong.suggestion) == (2, True)
    page.get_by_text("Graded", exact=True).click()
    graded = page.locator(".kl-page:visible")
    assert graded.locator(".kl-mark").all_text_contents()[1].startswith("✗")
    assert "a factor 2 was lost" in graded.inner_text()
    page.get_by_text("Repaired", exact=True).click()
    repaired = page.locator(".kl-page:visible")
    assert "100 %" in repaired.inner_text()
    assert "✗" not in repaired.inner_text()


def test_the_pages_of_the_grader_turn_by_keyboard(visit):
    page = visit()
    page.get_by_label("Written").focus()
    page.keyboard.press("ArrowRight")
    assert "Counterexample" in page.locator(".kl-page:visible").inner_text()


# --- for everyone ---------------------------------------------------------------------


def test_everyone_can_use_it(visit):
    page = visit()
    for theme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        page.evaluate("Promise.all(document.getAnimations().map(a => a.finished))")
        assert violations(page, {"include": [[".kl-touch"], [".kl-grader"]]}) == []


def test_it_fits_a_telephone_and_nothing_jumps(visit):
    page = visit(viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shift = page.evaluate(
        """() => new Promise((tell) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += entry.value;
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => tell(sum), 200);
        })"""
    )
    assert shift < 0.02
