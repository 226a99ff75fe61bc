"""Make an index of the sections of the site, for its search (`_page/search.js`).

Headings, theorems, glossary terms and the names of the library are entries with an
anchor each, read from the built pages: their words without code, and short formulas as
characters. The index is a script, so that the search works without a server, too.
"""

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

FORMULA = re.compile(r"<math\b.*?</math>", re.DOTALL)
FORMULA_MAX_CHARACTERS = 12
"""A longer one, without its subscripts and fractions, is no help in a line of text."""

NO_TEXT = re.compile(
    r"<(pre|svg|script|style|button|nav|noscript|select|summary|textarea)\b.*?</\1>",
    re.DOTALL,
)
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
WITHOUT = {"genindex.html", "py-modindex.html", "search.html", "404.html"}


@dataclass
class Entry:
    """A place in a page: its anchor, its heading, and its words."""

    anchor: str
    title: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def to_data(self) -> list[str]:
        """Return the anchor, the heading and the text."""
        return [self.anchor, *(" ".join("".join(p).split()) for p in self.parts())]

    def parts(self) -> tuple[list[str], list[str]]:
        return self.title, self.text


@dataclass
class Sections(HTMLParser):
    """Divide the text of a page among its entries."""

    entries: list[Entry] = field(default_factory=list)
    open: list[tuple[str, Entry | None, bool]] = field(default_factory=list)
    term: Entry | None = None

    def __post_init__(self) -> None:
        super().__init__()

    @property
    def here(self) -> tuple[Entry | None, bool]:
        """The entry that text belongs to, and whether to its heading."""
        return self.open[-1][1:] if self.open else (None, False)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        entry, heading = self.here
        told = {name: value or "" for name, value in attrs}
        classes = told.get("class", "").split()
        if "id" in told and is_entry(tag, classes, told["id"]):
            entry = Entry(told["id"])
            self.entries.append(entry)
        if tag == "dt":
            self.term = entry if "id" in told else None
            heading = self.term is not None
            if self.term is not None and "sig" in classes:
                self.term.title.append(told["id"])
                entry = None  # the signature itself
        elif tag == "dd" and self.term is not None:
            entry, heading = self.term, False
        elif {"headerlink", "eqno", "sig"} & set(classes):
            entry = None
        if "admonition-title" in classes:  # a theorem's, or that of a box in a section
            heading = entry is not None and not entry.title
        heading = heading or tag in HEADINGS
        self.open.append((tag, entry, heading))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        entry, heading = self.here
        if entry is not None:
            (entry.title if heading else entry.text).append(data)


def is_entry(tag: str, classes: list[str], name: str) -> bool:
    """Return whether an element is a place to be found; a theorem's body is not."""
    if tag == "section":
        return not name.startswith("proof-content")
    return tag == "dt" or (tag == "div" and "proof" in classes)


def short(formula: re.Match[str]) -> str:
    """Return a short formula as characters, and dots for a long one."""
    text = html.unescape(re.sub("<[^>]*>", "", formula[0]))
    return html.escape(text) if len(text) <= FORMULA_MAX_CHARACTERS else "…"


def sections(page: str) -> list[list[str]]:
    """Return the entries of a page: anchor, heading, text."""
    _, _, article = page.partition("<article")
    text = NO_TEXT.sub(" ", FORMULA.sub(short, article.partition("</article>")[0]))
    parser = Sections()
    parser.feed("<article" + text)
    found = (entry.to_data() for entry in parser.entries)
    return [data for data in found if data[1]]


def index_script(pages: Mapping[str, str]) -> str:
    """Return the index of pages, which are given by their addresses in the site."""
    found = [[n, sections(text)] for n, text in pages.items() if n not in WITHOUT]
    told = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return f"window.searchIndex = {told};\n"
