"""What pages say of themselves: title, description, address; the map of the site."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes

from _ext import page_head
from tools.public_address import problem_address, public_address

TITLE = re.compile(r"<title>\s*(.*?)\s*</title>", re.DOTALL)
DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')


def test_titles_and_descriptions(site: Path, page_name: str) -> None:
    page = (site / page_name).read_text(encoding="utf-8")
    (title,) = TITLE.findall(page)
    parts = re.split(" — | &#8212; |: ", title)
    assert len(parts) == len(set(parts)) >= 2
    found = DESCRIPTION.findall(page)
    assert len(found) <= 1
    assert all(40 <= len(text) <= 200 and "\\" not in text for text in found)
    assert page.count('name="viewport"') == 1


def test_chapters_are_described(site: Path, chapter_name: str) -> None:
    page = (site / chapter_name).read_text(encoding="utf-8")
    assert DESCRIPTION.search(page)
    assert '<meta property="og:title"' in page
    assert ">Source of this page</a>" in page


def document(*paragraphs: nodes.Node) -> nodes.Element:
    return nodes.Element("", *paragraphs)


def test_a_description_is_the_first_paragraph_that_says_something() -> None:
    short = nodes.paragraph("", "Two hours.")
    formula = nodes.paragraph("", "With the Gram matrix ", nodes.math("", r"K = \Phi"))
    long = nodes.paragraph("", "A kernel compares two points. " * 20)
    text = page_head.describe(document(short, formula, long))
    assert text.startswith("A kernel compares two points. A kernel")
    assert text.endswith(" …")
    assert len(text) <= page_head.DESCRIPTION_MAX_CHARACTERS + 2
    assert page_head.describe(document(short)) == ""


def built(folder: Path, address: str) -> SimpleNamespace:
    """An application of Sphinx, as far as the map needs it."""
    builder = SimpleNamespace(name="html", get_target_uri=lambda name: f"{name}.html")
    env = SimpleNamespace(found_docs={"index", "chapters/01_duality"})
    config = SimpleNamespace(html_baseurl=address)
    return SimpleNamespace(outdir=folder, builder=builder, env=env, config=config)


def test_a_site_with_an_address_has_a_map(tmp_path: Path) -> None:
    page_head.write_map(built(tmp_path, "https://a.example.org/k/"), None)
    text = (tmp_path / "sitemap.xml").read_text()
    assert "<loc>https://a.example.org/k/chapters/01_duality.html</loc>" in text
    assert (
        "https://a.example.org/k/sitemap.xml" in (tmp_path / "robots.txt").read_text()
    )


def test_a_site_without_an_address_has_none(tmp_path: Path) -> None:
    page_head.write_map(built(tmp_path, ""), None)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("urls", "home", "issues"),
    [
        ('Homepage = "https://k.example/"', None, None),
        ('Homepage = "https://k.org"', "https://k.org/", None),
        (
            'Homepage = "https://k.org/"\nIssues = "https://k.org/issues"',
            "https://k.org/",
            "https://k.org/issues",
        ),
    ],
)
def test_addresses_come_from_one_setting(
    tmp_path: Path, urls: str, home: str | None, issues: str | None
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[project.urls]\n{urls}\n")
    assert public_address(tmp_path) == home
    assert problem_address(tmp_path) == issues
