"""Give each kind of page one style sheet, with what its pages can use.

Pages that ask for the same style sheets are of one kind. Of the theme's sheets a rule
stays if a page of that kind, or a script that it loads, knows every element, class, id
and attribute of one of its selectors. The style sheets of the course itself are left
alone: the grader and Python write markup that no page holds yet. What is left names a
few icons (characters of the private use area), and their font is cut down to those.
"""

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from os.path import normpath
from pathlib import Path
from shutil import rmtree
from typing import Any

import tinycss2
from fontTools import subset

OURS = ("custom.css", "page.css", "math.css", "temml.css", "live/")
ICONS = "vendor/fontawesome/webfonts/fa-solid-900.ttf"
ICON_FONT = "fonts/icons.woff"
ICON_FACE = (
    '@font-face{font-family:"Font Awesome 6 Free";font-weight:900;'
    f"font-display:block;src:url({ICON_FONT})}}"
)
FONT_FACE = re.compile(r"@font-face ?\{[^}]*fontawesome[^}]*\}")
ICON = re.compile(r"[\ue000-\uf8ff]|\\([ef][0-9a-f]{3})\b")
STYLE_LINK = re.compile(
    r'\s*<link rel="stylesheet"[^>]*? href="([^"]*_static/)([^"?]*)[^>]*>'
)
SCRIPT_FILE = re.compile(r'<script\b[^>]*? src="[^"]*_static/([^"?]*)')
SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script>", re.DOTALL)
TAG = re.compile("<[^>]*>")
NAME = re.compile(r"(?<=<)[\w-]+|(?<=\s)[\w-]+(?==)")
VALUE = re.compile(r'\b(?:class|id)="([^"]*)"')
WORD = re.compile(r"[\w-]+")
SPACE = re.compile(r"\s+")
ADDRESS = re.compile(r"""url\(["']?(?!data:|#)([^"')]*)["']?\)""")
CHARSET = re.compile('@charset "[^"]*";')
KEYFRAMES = re.compile(r"^@keyframes ([\w-]+).*\n?", re.MULTILINE)
MOTION = re.compile(r"animation[\w-]*:([^;}]*)")
USED_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)")
VARIABLE = re.compile(r"""(?<=[{;])(--[\w-]+):[^;{}"']*(?:;|(?=\}))""")
HOLDS_RULES = ("media", "supports", "container", "layer")

Kind = tuple[str, ...]


# --- what a style sheet holds ---------------------------------------------------------


def selectors(prelude: Iterable[Any]) -> Iterator[list[Any]]:
    """Split what stands before a rule's braces at its commas."""
    part: list[Any] = []
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            yield part
            part = []
        else:
            part.append(token)
    yield part


def names(selector: list[Any]) -> Iterator[str]:
    """Return what a selector asks for: elements, classes, ids, attributes."""
    for before, token in zip(["", *selector], selector, strict=False):
        if token.type == "hash" or (token.type == "ident" and before != ":"):
            yield token.value
        elif token.type == "[] block":
            yield from (plain(t.value) for t in token.content[:1] if t.type == "ident")


def plain(word: str) -> str:
    """Return the name of an attribute as scripts call it: theme for data-theme."""
    return word.removeprefix("data-")


def kept(rules: Iterable[Any], used: set[str]) -> Iterator[str]:
    """Return the rules that something in the pages can match."""
    for rule in rules:
        if rule.type == "qualified-rule":
            parts = [s for s in selectors(rule.prelude) if set(names(s)) <= used]
            if parts:
                heads = ",".join(tinycss2.serialize(part).strip() for part in parts)
                yield f"{heads}{{{tinycss2.serialize(rule.content).strip()}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword in HOLDS_RULES:
            inner = "".join(kept(tinycss2.parse_rule_list(rule.content or []), used))
            if inner:
                head = tinycss2.serialize(rule.prelude).strip()
                yield f"@{rule.at_keyword} {head}{{{inner}}}"
        elif rule.type == "at-rule" or is_licence(rule):
            yield rule.serialize()


def is_licence(rule: Any) -> bool:
    """Return whether a rule is a comment that asks to be kept."""
    return bool(rule.type == "comment" and rule.value.startswith("!"))


def purge(text: str, used: set[str]) -> str:
    """Return a style sheet without what no page can match, each rule on a line."""
    return "\n".join(SPACE.sub(" ", rule) for rule in kept(parsed(text), used))


@cache  # most kinds of page have the same sheets
def parsed(text: str) -> list[Any]:
    """Return the rules of a style sheet."""
    rules: list[Any] = tinycss2.parse_stylesheet(text, skip_whitespace=True)
    return rules


def without_definitions(text: str, used: set[str]) -> str:
    """Return a purged style sheet without variables and motions that nothing uses."""
    still = {*USED_VARIABLE.findall(text), *used}
    text = VARIABLE.sub(lambda found: found[0] if found[1] in still else "", text)
    moved = {word for part in MOTION.findall(text) for word in WORD.findall(part)}
    return KEYFRAMES.sub(lambda found: found[0] if found[1] in moved else "", text)


@cache
def shorter(text: str) -> str:
    """Return a style sheet without comments, each rule on a line."""
    rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    return "\n".join(SPACE.sub(" ", rule.serialize()) for rule in rules)


def icons(text: str) -> set[int]:
    """Return the code points of the icons that a style sheet names."""
    return {int(m[1], 16) if m[1] else ord(m[0]) for m in ICON.finditer(text)}


# --- what the pages hold --------------------------------------------------------------


def kinds(pages: Mapping[str, str]) -> dict[Kind, list[str]]:
    """Return the names of pages by the style sheets that they ask for."""
    found = defaultdict(list)
    for name, text in pages.items():
        found[tuple(link[2] for link in STYLE_LINK.finditer(text))].append(name)
    return dict(found)


def words_used(pages: Iterable[str], static: Path) -> set[str]:
    """Return all that a selector may ask for: words of tags, and of scripts."""
    parts: set[str] = set()
    scripts: set[str] = set()
    for text in pages:
        for tag in set(TAG.findall(text)):
            parts.update(NAME.findall(tag), VALUE.findall(tag))
        parts.update(SCRIPT.findall(text))
        scripts.update(SCRIPT_FILE.findall(text))
    files = (static / name for name in scripts)
    parts.update(file.read_text(encoding="utf-8") for file in files if file.is_file())
    words = {word for part in parts for word in WORD.findall(part)}
    return words | {plain(word) for word in words}


# --- one sheet per kind ---------------------------------------------------------------


def bundle(kind: Kind, used: set[str], static: Path) -> str:
    """Return the style sheets of a kind of page as one."""
    sheets = []
    for name in kind:
        text = CHARSET.sub("", (static / name).read_text(encoding="utf-8"))
        text = with_addresses_from(Path(name).parent, FONT_FACE.sub("", text))
        own = name.startswith(OURS)
        sheets.append(shorter(text) if own else purge(text, used))
    return without_definitions("\n".join(sheets), used) + ICON_FACE


def with_addresses_from(folder: Path, text: str) -> str:
    """Return a style sheet of a folder as it is read in the folder above."""
    return ADDRESS.sub(lambda found: f"url({normpath(folder / found[1])})", text)


def cut_font(source: Path, target: Path, points: set[int]) -> None:
    """Write the icons that are used as a font of their own."""
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    options = subset.Options(flavor="woff", layout_features=[])
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=points)
    cutter.subset(font)
    target.parent.mkdir(exist_ok=True)
    subset.save_font(font, target, options)


def with_one_sheet(pages: Mapping[str, str], static: Path) -> dict[str, str]:
    """Write a style sheet for each kind of page, and return the pages linked to it."""
    points, found, result = set[int](), kinds(pages), {}
    for old in static.glob("style-*.css"):
        old.unlink()
    for kind, names in found.items():
        text = bundle(kind, words_used([pages[name] for name in names], static), static)
        points |= icons(text)
        sheet = f"style-{sha256(text.encode()).hexdigest()[:8]}.css"
        (static / sheet).write_text(text, encoding="utf-8")
        result |= {name: linked(pages[name], sheet) for name in names}
    for name in {name for kind in found for name in kind}:
        (static / name).unlink()
    if (static / ICONS).exists():
        cut_font(static / ICONS, static / ICON_FONT, points)
        rmtree(static / "vendor")
    return result


def linked(page: str, name: str) -> str:
    """Return a page with one style sheet, where its first was."""
    links = list(STYLE_LINK.finditer(page))
    link = f'\n<link rel="stylesheet" href="{links[0][1]}{name}" />'
    first = links[0].start()
    return page[:first] + link + STYLE_LINK.sub("", page[first:])
