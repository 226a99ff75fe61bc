"""Every link inside the built site leads somewhere; nothing is loaded from outside."""

from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself, as opposed to what a reader may click.
FETCHED = {"script", "img", "source", "iframe", "audio", "video", "embed"}


@dataclass
class Page(HTMLParser):
    """The ids, links and fetched files of one page."""

    path: Path
    ids: list[str] = field(default_factory=list)
    links: set[str] = field(default_factory=set)
    fetched: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value is not None}
        if "id" in values:
            self.ids.append(values["id"])
        if "href" in values and tag != "base":
            self.links.add(values["href"])
        if tag in FETCHED and "src" in values:
            self.fetched.add(values["src"])
        if tag == "link" and values.get("rel") in ("stylesheet", "preload", "icon"):
            self.fetched.add(values["href"])


read = cache(Page)


def is_broken(page: Page, link: str) -> bool:
    """Whether a link within the site has no file, or no anchor, at its end."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = (page.path.parent / unquote(parts.path)) if parts.path else page.path
    if target.is_dir():
        target = target / "index.html"
    if not target.is_file():
        return True
    if not parts.fragment or target.suffix != ".html":
        return False
    return unquote(parts.fragment) not in read(target.resolve()).ids


def test_links_lead_somewhere(site: Path, page_name: str) -> None:
    page = read((site / page_name).resolve())
    assert not sorted(n for n in page.links | page.fetched if is_broken(page, n))


def test_nothing_is_fetched_from_outside(site: Path, page_name: str) -> None:
    page = read((site / page_name).resolve())
    outside = [name for name in page.fetched if urlsplit(name).netloc]
    assert not outside


def test_ids_are_unique(site: Path, page_name: str) -> None:
    ids = read((site / page_name).resolve()).ids
    assert sorted(set(ids)) == sorted(ids)
