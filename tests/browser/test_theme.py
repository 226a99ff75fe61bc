"""What surrounds the text: the menu, light and dark, pictures, and the lost reader."""

import pytest

CHAPTER = "chapters/01_duality.html"
TELEPHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_there_before_the_first_paint(reader, scheme):
    reader.page.emulate_media(color_scheme=scheme)
    page = reader.page
    page.route("**/page.js*", lambda route: route.abort())  # which the switch is in
    page.goto(reader.address + "chapters/00_tour.html")
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    reader.complaints.clear()  # of the scripts that were not loaded


def test_the_choice_of_a_theme_is_kept(reader):
    page = reader.open("chapters/00_tour.html")
    for _ in range(3):
        page.locator(".theme-switch-button").first.click()
        if page.evaluate("localStorage.getItem('mode')") == "dark":
            break
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_paper_is_light_and_shows_what_is_folded(reader):
    reader.page.emulate_media(color_scheme="dark")
    page = reader.open(CHAPTER)
    folded = page.locator(".admonition.toggle-hidden > .admonition-title + *").first
    assert not folded.is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert page.locator(".admonition.toggle-hidden").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_pictures_without_paper_have_none_in_the_dark(reader):
    reader.page.emulate_media(color_scheme="dark")
    page = reader.open("index.html")
    ground = "i => getComputedStyle(i).backgroundColor"
    assert page.locator(".kl-map img").first.evaluate(ground) != "rgb(255, 255, 255)"


def test_the_menu_opens_and_closes(reader):
    page = reader.open(CHAPTER)
    menu = page.locator(".kl-menu")
    link = menu.locator("a").first
    assert not link.is_visible()
    menu.locator("summary").click()
    assert link.is_visible()
    assert page.request.get(link.evaluate("a => a.href")).ok
    page.keyboard.press("Escape")
    assert not link.is_visible()


def test_pictures_keep_their_place_and_load_when_near(reader):
    page = reader.open(CHAPTER)
    pictures = page.locator("article img")
    assert pictures.count() > 5
    assert page.locator("article img:not([width][height])").count() == 0
    assert page.locator("article img:not([loading=lazy])").count() == 1
    last = pictures.last
    last.scroll_into_view_if_needed()
    page.wait_for_function("image => image.naturalWidth > 0", arg=last.element_handle())
    ratio = last.evaluate("i => i.naturalWidth / i.naturalHeight * i.height / i.width")
    assert ratio == pytest.approx(1, abs=0.02)


def test_the_lists_beside_the_text_are_drawers_on_a_telephone(reader):
    reader.page.set_viewport_size(TELEPHONE)
    page = reader.open(CHAPTER)
    link = page.locator(".bd-sidebar-primary a", has_text="5. The perceptron")
    assert not link.is_visible()
    page.locator(".primary-toggle").click()
    assert link.is_visible()
    page.keyboard.press("Escape")
    link.wait_for(state="hidden")
    page.locator(".secondary-toggle").click()
    page.locator(".bd-sidebar-secondary a", has_text="Summary").click()
    page.wait_for_url("**#*")
    assert page.locator("dialog[open]").count() == 0


def test_the_list_of_pages_can_be_put_away(reader):
    page = reader.open(CHAPTER)
    title = page.locator(".bd-sidebar-primary .logo")
    page.locator(".primary-toggle").click()
    title.wait_for(state="hidden")
    page.locator(".primary-toggle").click()
    title.wait_for(state="visible")


def test_the_contents_mark_the_section_that_is_read(reader):
    page = reader.open(CHAPTER)
    marked = page.locator("#pst-page-toc-nav a[aria-current=true]")
    for place in (3, 5, 1):
        heading = page.locator("article > section > section > h2").nth(place)
        heading.evaluate("h => h.scrollIntoView({ behavior: 'instant' })")
        address = "#" + heading.evaluate("h => h.parentElement.id")
        page.locator(f"#pst-page-toc-nav a.active[href='{address}']").wait_for()
        assert marked.count() == 1


@pytest.mark.parametrize("place", [2, -3])
def test_a_link_into_a_long_page_arrives(reader, place):
    page = reader.open(CHAPTER)
    ids = page.evaluate(
        "[...document.querySelectorAll('article h2')].map(h => h.parentElement.id)"
    )
    page.goto("about:blank")
    page = reader.open(f"{CHAPTER}#{ids[place]}")
    top = "id => document.getElementById(id).getBoundingClientRect().top"
    page.wait_for_function(f"id => Math.abs(({top})(id)) < 150", arg=ids[place])


def test_paper_begins_with_the_contents(reader):
    page = reader.open(CHAPTER)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("#jb-print-toc a").count() > 10
    assert page.locator("#jb-print-toc a").first.is_visible()
    for part in (".bd-header-article", ".bd-sidebar-primary", ".bd-sidebar-secondary"):
        assert not page.locator(part).is_visible()


def test_a_wide_table_says_so_and_moves_with_the_keyboard(reader):
    reader.page.set_viewport_size(TELEPHONE)
    page = reader.open("reference/choosing.html")
    page.locator("article table").first.scroll_into_view_if_needed()
    table = page.wait_for_selector(".pst-scrollable-table-container[data-scrolls]")
    assert table.get_attribute("data-scrolls") == "after"
    table.focus()
    assert table.get_attribute("aria-label") == "Table that scrolls"
    assert table.evaluate("t => getComputedStyle(t).outlineStyle") == "solid"
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("t => t.dataset.scrolls.includes('before')", arg=table)


def test_icons_are_drawn(reader):
    page = reader.open(CHAPTER)
    assert (
        page.evaluate(
            "document.fonts.load('900 16px \"Font Awesome 6 Free\"', '\uf0c9')"
            ".then((faces) => faces.length)"
        )
        == 1
    )


def test_a_wrong_address_leads_to_a_page_that_helps(reader):
    page = reader.page
    answer = page.goto(reader.address + "chapters/deep/nothing.html")
    assert answer.status == 404
    assert page.locator("h1").first.inner_text() == "This page does not exist"
    assert page.evaluate("getComputedStyle(document.querySelector('.bd-main')).display")
    page.get_by_role("link", name="front page").click()
    page.wait_for_url(reader.address + "index.html")
    reader.complaints = [c for c in reader.complaints if "404" not in c]


def test_a_chapter_can_be_downloaded(reader):
    page = reader.open("chapters/01_duality.html")
    link = page.get_by_title("Download source file")
    answer = page.request.get(link.evaluate("a => a.href"))
    assert answer.ok
    assert link.get_attribute("href").endswith(".ipynb")
    assert answer.json()["nbformat"] == 4
