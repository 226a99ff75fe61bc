"""Live figures on a page of their own: moved by mouse, by keyboard, and by Python."""

import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from kernellab.figures.live import FIGURES, compute
from kernellab.figures.style import DARK, PALETTE
from tests.browser.conftest import Reader, violations

PAGE = """# Live figures

{numref}`fig-ridge` and {ref}`the one on kernels <fig-builder>`.

```{live-figure} ridge
:name: fig-ridge
What λ *and* σ do.
```

```{live-figure} gram
Without a name.
```

```{live-figure} builder
:name: fig-builder
:alt: Another description.
Kernels.
```

```{live-figure} svm
:name: fig-svm
Machines.
```
"""

ONE_FIGURE = (
    "# One" + PAGE[PAGE.index("\n\n```") : PAGE.index("\n\n```{live-figure} gram")]
)

# Fewer scenes for the slowest figures: it is the page that is tested here.
CONF = """
import sys
from dataclasses import replace
from kernellab.figures.live import builder, svm
sys.path.insert(0, {root!r} + "/_ext")

def thin(module, **values):
    controls = [
        replace(c, **values[c.name]) if c.name in values else c
        for c in module.FIGURE.controls
    ]
    module.FIGURE = replace(module.FIGURE, controls=controls)

few = builder.EXPRESSIONS[0], "1/sqrt(Gaussian())"
thin(builder, expression=dict(options=few))
thin(svm, C=dict(values=(0.1, 1.0, 10.0)), sigma=dict(values=(0.2, 0.5, 1.0)))
extensions = ["myst_parser", "live_figures", "slim_pages"]
html_theme = "sphinx_book_theme"
templates_path = [{root!r} + "/_templates"]
html_static_path = [{root!r} + "/_static", {root!r} + "/_page"]
html_extra_path = [{root!r} + "/_live"]
html_css_files = ["custom.css"]
html_title, language, numfig = "Test", "en", True
"""

AT_REST = """async () => {
  const drawn = () => [...document.querySelectorAll('.kl-picture')]
    .map((picture) => picture.innerHTML).join();
  for (let [last, frames] = ['', 0]; frames < 10; ) {
    await new Promise(requestAnimationFrame);
    const now = drawn();
    [last, frames] = [now, now === last ? frames + 1 : 0];
  }
}"""

# In the place of python.js: the same calls, answered by this process.
STUB = """
window.kernellabPython = {
  state: "idle",
  calls: 0,
  call(name, args) { this.calls += 1; return window.inPython(name, ...args); },
  become(state) {
    this.state = state;
    document.dispatchEvent(new CustomEvent("kernellab-python", { detail: { state } }));
  },
};
"""


def build(builder: str, page: str, folder: Path, root: Path) -> Path:
    """Build a book of one page."""
    source, target = folder / "source", folder / builder
    source.mkdir()
    (source / "index.md").write_text(page, encoding="utf-8")
    (source / "conf.py").write_text(CONF.format(root=str(root)), encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-qnW", "-b", builder]
    paths = ["-d", str(folder / "doctrees"), str(source), str(target)]
    subprocess.run([*command, *paths], check=True, capture_output=True, text=True)
    return target


@pytest.fixture(scope="session")
def book(tmp_path_factory, root: Path) -> Path:
    """A book of one page, as HTML."""
    return build("html", PAGE, tmp_path_factory.mktemp("live"), root)


@pytest.fixture
def visit(browser, book):
    """Opens the page from the folder on disk; in the end, nothing has gone wrong."""
    readers = []

    def open_page(stub=False, **options):
        size = {"width": 1280, "height": 1000}
        context = browser.new_context(**{"viewport": size, **options})
        page = context.new_page()
        if stub:
            page.expose_function(
                "inPython", lambda _, name, values: compute(name, values)
            )
            page.add_init_script(STUB)
        reader = Reader(page, book.as_uri() + "/")
        readers.append((context, reader))
        page.goto(reader.address + "index.html")
        return page

    yield open_page
    for context, reader in readers:
        context.close()
        assert not reader.complaints


def figure(page, name):
    """A figure, near enough to the screen to have its data."""
    found = page.locator(f".kl-live[data-figure={name}]")
    found.scroll_into_view_if_needed()
    found.locator(".kl-panels").wait_for()
    return found


def notes(found):
    names = found.locator(".kl-notes dt").all_text_contents()
    return list(
        zip(names, found.locator(".kl-notes dd").all_text_contents(), strict=True)
    )


def slide(found, name, value):
    """Drag a slider there, in one move."""
    move = "(e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }"
    found.locator(f"[data-control={name}]").evaluate(move, value)


def settled(page):
    """Wait until nothing moves any more: for ten frames, the same drawings."""
    page.evaluate(AT_REST)


def picture(found):
    """All paths of the picture."""
    read = (
        "e => [...e.querySelectorAll('svg path')].map(p => p.getAttribute('d')).join()"
    )
    return found.locator(".kl-picture").evaluate(read)


# --- as it is stored ------------------------------------------------------------------


def test_sliders_change_the_drawing(visit):
    page = visit()
    ridge = figure(page, "ridge")
    values = {c.name: c.values for c in FIGURES["ridge"].controls}
    before = picture(ridge)
    slide(ridge, "lam", 3)
    slide(ridge, "sigma", 11)
    settled(page)
    scene = FIGURES["ridge"].scene(lam=values["lam"][3], sigma=values["sigma"][11])
    assert notes(ridge) == scene.notes
    assert picture(ridge) != before
    assert ridge.locator("output").all_text_contents() == ["0.001", "2"]
    slide(ridge, "lam", 9)
    slide(ridge, "sigma", 6)
    settled(page)
    assert picture(ridge) == before  # the same scene, the same drawing


def test_a_press_on_the_axis_moves_the_slider(visit):
    page = visit()
    ridge = figure(page, "ridge")
    box = ridge.locator(".kl-panels svg").nth(1).bounding_box()
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    settled(page)
    lam = ridge.locator("[data-control=lam]")
    place = int(lam.input_value())
    assert place > 9  # where it began
    value = FIGURES["ridge"].controls[0].values[place]
    assert notes(ridge) == FIGURES["ridge"].scene(lam=value).notes
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.up()
    settled(page)
    assert int(lam.input_value()) < 9


def test_menus_change_the_drawing_and_idle_sliders_rest(visit):
    page = visit()
    gram = figure(page, "gram")
    width = gram.locator("[data-control=sigma]")
    assert width.is_enabled()
    gram.locator("select").select_option("linear")
    assert width.is_disabled()
    assert notes(gram) == FIGURES["gram"].scene(kernel="linear").notes
    gram.locator("select").select_option("Gaussian")
    assert width.is_enabled()


def test_a_refutation_is_shown_with_its_numbers(visit):
    page = visit()
    builder = figure(page, "builder")
    builder.locator("[data-control=expression]").select_option("1/sqrt(Gaussian())")
    settled(page)
    assert "REFUTED" in dict(notes(builder))["verdict"]
    texts = builder.locator(".kl-picture text").all_text_contents()
    assert texts.count("1.28") == 2  # K off the diagonal
    assert "points 0, 1" in texts


def test_the_table_is_that_of_the_scene(visit):
    page = visit()
    ridge = figure(page, "ridge")
    slide(ridge, "lam", 0)
    ridge.locator("summary").click()
    slide(ridge, "sigma", 3)
    sigma = FIGURES["ridge"].controls[1].values[3]
    table = FIGURES["ridge"].scene(lam=1e-4, sigma=sigma).table.to_data()
    heads = ridge.locator("thead th").all_text_contents()
    assert heads == [column["name"] for column in table]
    cells = ridge.locator("tbody td").all_text_contents()
    assert cells == [
        c for row in zip(*(k["cells"] for k in table), strict=True) for c in row
    ]


def test_keys_move_everything(visit):
    page = visit()
    ridge = figure(page, "ridge")
    slider = ridge.locator("[data-control=lam]")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "0.2"
    page.keyboard.press("Home")
    assert slider.get_attribute("aria-valuetext") == "0.0001"
    assert slider.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.control") == "sigma"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    page.keyboard.press("Enter")
    assert ridge.locator("details").get_attribute("open") is not None
    menu = figure(page, "gram").locator("select")
    menu.focus()
    page.keyboard.press("ArrowDown")
    assert menu.input_value() == "exponential"


def test_it_is_named_numbered_and_described(visit):
    page = visit()
    caption = page.locator("figure#fig-ridge figcaption")
    assert re.sub(r"\s+", " ", caption.inner_text()).startswith(
        "Fig. 1 What λ and σ do."
    )
    assert page.locator("a.internal[href='#fig-ridge']").inner_text() == "Fig. 1"
    ridge = figure(page, "ridge")
    assert ridge.get_by_label("width σ").count() == 1
    assert ridge.get_by_role("img", name=FIGURES["ridge"].alt).count() == 1
    builder = figure(page, "builder")
    assert builder.get_by_role("img", name="Another description.").count() == 1


def test_everyone_can_use_it(visit):
    page = visit()
    for name in ("ridge", "gram", "builder", "svm"):
        figure(page, name)
    figure(page, "gram").locator("summary").click()
    for theme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        page.evaluate("Promise.all(document.getAnimations().map(a => a.finished))")
        assert violations(page, {"include": [["figure"]]}) == []
        names = figure(page, "ridge").locator(".kl-picture text").first
        colour = names.evaluate("e => getComputedStyle(e).fill")
        ink = {"light": PALETTE, "dark": DARK}[theme]["ink"]
        assert colour == f"rgb{tuple(bytes.fromhex(ink[1:]))}"


def test_a_telephone_has_the_panels_below_each_other(visit):
    page = visit(viewport={"width": 390, "height": 844})
    for name in ("ridge", "gram", "builder", "svm"):
        boxes = [
            one.bounding_box()
            for one in figure(page, name).locator(".kl-panels svg").all()
        ]
        assert len(boxes) >= 2
        for upper, lower in itertools.pairwise(boxes):
            assert lower["y"] >= upper["y"] + upper["height"] - 1
        assert all(box["width"] <= 390 for box in boxes)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 900})
    settled(page)
    boxes = [
        b.bounding_box() for b in figure(page, "ridge").locator(".kl-panels svg").all()
    ]
    assert boxes[0]["y"] == boxes[1]["y"]  # it has heard of the new width


def test_moves_are_smooth_or_at_once(visit):
    def pictures(page):
        """Before a move, on the way, and in the end, by a clock that we turn."""
        ridge = figure(page, "ridge")
        settled(page)
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        before = picture(ridge)
        slide(ridge, "lam", 18)
        page.clock.run_for(70)
        between = picture(ridge)
        page.clock.run_for(400)
        return before, between, picture(ridge)

    assert len(set(pictures(visit()))) == 3
    before, between, after = pictures(visit(reduced_motion="reduce"))
    assert before != between == after


def test_without_javascript_there_is_a_picture(visit, book):
    page = visit(java_script_enabled=False)
    ridge = page.locator(".kl-live[data-figure=ridge]")
    image = ridge.locator(".kl-picture img")
    assert image.is_visible()
    assert image.get_attribute("alt") == FIGURES["ridge"].alt
    assert not ridge.locator("input").first.is_visible()
    assert notes(ridge) == FIGURES["ridge"].scene().notes
    assert (book / image.get_attribute("src")).exists()


def test_the_data_wait_until_the_figure_is_near(visit):
    page = visit(viewport={"width": 1280, "height": 500})
    figure(page, "ridge")
    loaded = "Object.keys(window.kernellabScenes).includes('svm')"
    assert not page.evaluate(loaded)
    figure(page, "svm")
    assert page.evaluate(loaded)


def test_pages_without_figures_load_nothing(book):
    assert "live/figure.js" in (book / "index.html").read_text(encoding="utf-8")
    assert "live/figure.js" not in (book / "search.html").read_text(encoding="utf-8")


def test_print_has_the_picture(tmp_path, root):
    tex = build("latex", ONE_FIGURE, tmp_path, root)
    (file,) = tex.glob("*.tex")
    text = file.read_text(encoding="utf-8")
    assert "live-ridge" in text
    assert "What λ" in text
    assert "kl-controls" not in text
    assert list(tex.glob("live-ridge.pdf"))


# --- with Python ----------------------------------------------------------------------


@pytest.fixture
def live(visit):
    """The page with Python running."""
    page = visit(stub=True)
    for name in ("ridge", "builder", "svm"):
        figure(page, name)
    page.evaluate("kernellabPython.become('ready')")
    return page


def answered(page, found, expected):
    """Wait until the notes are those of the scene."""
    wanted = [[name, text] for name, text in expected.notes]
    page.wait_for_function(
        """([root, wanted]) => {
          const texts = (tag) => [...root.querySelectorAll('.kl-notes ' + tag)]
            .map((e) => e.textContent);
          const found = texts('dt').map((name, i) => [name, texts('dd')[i]]);
          return JSON.stringify(found) === JSON.stringify(wanted);
        }""",
        arg=[found.element_handle(), wanted],
    )


def test_sliders_become_continuous(live):
    ridge = figure(live, "ridge")
    slide(ridge, "lam", 9.5)
    answered(live, ridge, FIGURES["ridge"].scene(lam=(0.1 * 0.2) ** 0.5))
    assert ridge.locator("output").first.text_content() == "0.141"
    calls = live.evaluate("kernellabPython.calls")
    slide(ridge, "lam", 4)  # stored: Python is not asked
    settled(live)
    assert live.evaluate("kernellabPython.calls") == calls
    assert notes(ridge) == FIGURES["ridge"].scene(lam=0.002).notes


def test_the_newest_values_win(live):
    ridge = figure(live, "ridge")
    live.evaluate(
        """() => {
          const slider = document.querySelector('.kl-live [data-control=lam]');
          for (let i = 0; i <= 40; i++) {
            slider.value = 2.1 + i / 10;
            slider.dispatchEvent(new Event('input'));
          }
          slider.value = 6.5;
          slider.dispatchEvent(new Event('input'));
        }"""
    )
    answered(live, ridge, FIGURES["ridge"].scene(lam=(0.01 * 0.02) ** 0.5))
    assert live.evaluate("kernellabPython.calls") <= 3


def test_clicks_add_points(live):
    ridge = figure(live, "ridge")
    svg = ridge.locator(".kl-panels svg").first
    box = svg.bounding_box()
    live.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + 0.3 * box["height"])
    ridge.locator(".kl-legend", has_text="added").wait_for()
    ridge.locator("summary").click()
    rows = ridge.locator("tbody tr")
    expect(rows).to_have_count(31)
    x, t = (float(v.replace("−", "-")) for v in rows.last.inner_text().split()[:2])
    assert -1.05 < x < 1.05
    assert 0 < t < 2.1
    live.mouse.click(box["x"] + 3, box["y"] + 3)  # beside the axes
    ridge.get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(30)
    assert notes(ridge) == FIGURES["ridge"].scene().notes


def test_points_by_keyboard_with_their_class(live):
    svm = figure(live, "svm")
    form = svm.locator(".kl-points")
    form.get_by_label("class").select_option("−1")
    form.get_by_label("x₁").fill("0.25")
    form.get_by_label("x₂").fill("-0.75")
    live.keyboard.press("Enter")
    point = [(0.25, -0.75, "−1")]
    answered(live, svm, FIGURES["svm"].scene(points=point))
    slide(svm, "C", 2)
    answered(live, svm, FIGURES["svm"].scene(points=point, C=10.0))
    form.get_by_role("button", name="Reset").click()
    answered(live, svm, FIGURES["svm"].scene())
    assert svm.locator("[data-control=C]").input_value() == "1"


def test_expressions_of_the_reader(live):
    builder = figure(live, "builder")
    own = builder.get_by_label("or your own")
    own.fill("Gaussian() - 2*Gaussian()")
    live.keyboard.press("Enter")
    expected = FIGURES["builder"].scene(own="Gaussian() - 2*Gaussian()")
    answered(live, builder, expected)
    lines = builder.locator(".kl-lines li").all_text_contents()
    assert lines == [line.replace("`", "") for line in expected.lines]
    own.fill("Gaussian( <b>")
    builder.get_by_role("button", name="Decide").click()
    message = builder.locator(".kl-message", has_text="is not an expression")
    message.wait_for()
    assert picture(builder) == ""  # nothing that was found for another function stays
    assert notes(builder) == []
    assert builder.locator(".kl-lines li").count() == 0
    assert builder.locator(".kl-message b").count() == 0
    own.fill("x*y")
    live.keyboard.press("Enter")
    answered(live, builder, FIGURES["builder"].scene(own="Linear()"))
    assert builder.locator(".kl-lines code").first.text_content() == "Linear()"
    own.fill("Brownian()")
    live.keyboard.press("Enter")
    answered(live, builder, FIGURES["builder"].scene(own="Brownian()"))
    builder.locator("[data-control=domain]").select_option("x ≥ 0")
    expected = FIGURES["builder"].scene(own="Brownian()", domain="x ≥ 0")
    answered(live, builder, expected)  # the other menu leaves the expression alone
    builder.locator("[data-control=expression]").select_option("1/sqrt(Gaussian())")
    expected = FIGURES["builder"].scene(expression="1/sqrt(Gaussian())", domain="x ≥ 0")
    answered(live, builder, expected)


def test_failures_of_python_are_said_in_place(live):
    ridge = figure(live, "ridge")
    live.evaluate(
        "() => { kernellabPython.call = () => Promise.reject(new Error('stopped')); }"
    )
    slide(ridge, "lam", 3.3)
    ridge.locator(".kl-message", has_text="stopped").wait_for()
    live.evaluate("kernellabPython.become('idle')")
    assert not ridge.locator(".kl-points").is_visible()
    assert ridge.locator("[data-control=lam]").get_attribute("step") == "1"
