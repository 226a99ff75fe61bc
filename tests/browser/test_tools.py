"""The tools around the text: search, the night switch, the download."""


def test_search_finds_the_gaussian(reader):
    page = reader.open("index.html")
    page.locator(".search-button__button:visible").first.click()
    page.keyboard.type("Gaussian")
    page.keyboard.press("Enter")
    page.locator("#search-results li").first.wait_for()


def test_dark_mode_is_switched_and_remembered(reader):
    page = reader.open("index.html")
    theme = "document.documentElement.dataset.theme"
    for _ in range(3):  # automatic, light, dark
        page.locator(".theme-switch-button:visible").first.click()
        if page.evaluate(theme) == "dark":
            break
    assert page.evaluate(theme) == "dark"
    page.reload()
    assert page.evaluate(theme) == "dark"


def test_a_chapter_can_be_downloaded(reader, chapter_name):
    page = reader.open(chapter_name)
    link = page.locator("a.btn-download-source-button")
    answer = page.request.get(link.evaluate("a => a.href"))
    assert answer.ok
    assert link.get_attribute("href").endswith(".ipynb")
    assert answer.json()["nbformat"] == 4
