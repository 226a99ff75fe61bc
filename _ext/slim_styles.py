"""Remove from the theme's style sheets what no page uses, and icons from their font.

A rule stays if a page, or a script that changes pages, knows every class and id of one
of its selectors. The style sheets of the course itself are left alone: the grader and
Python write markup that no page holds yet. What is left names a few icons (characters
of the private use area), and their font is cut down to those.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

import tinycss2
from fontTools import subset
from sphinx.application import Sphinx

THEME = ("basic.css", "styles/*.css", "sphinx-design*.css", "mystnb.*.css")
THEME += ("proof.css", "togglebutton.css", "copybutton.css")
ICONS = "vendor/fontawesome/webfonts/fa-solid-900.ttf"
ICON_FONT = "fonts/icons.woff"
FONT_FACE = re.compile(r"@font-face ?\{[^}]*fontawesome[^}]*\}")
ICON = re.compile(r"[\ue000-\uf8ff]|\\([ef][0-9a-f]{3})\b")
WORD = re.compile(r"[\w-]+")
NAMED = re.compile(r'\b(?:class|id)="([^"]*)"')
SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script>", re.DOTALL)
HOLDS_RULES = ("media", "supports", "container", "layer")


def words_used(site: Path) -> set[str]:
    """Return all that may be a class or an id: in the pages, and in the scripts."""
    used: set[str] = set()
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for part in [*NAMED.findall(text), *SCRIPT.findall(text)]:
            used.update(WORD.findall(part))
    static = site / "_static"
    for script in [*static.glob("*.js"), *static.glob("[!p]*/*.js")]:  # not Python's
        used.update(WORD.findall(script.read_text(encoding="utf-8")))
    return used


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
    """Return the classes and ids that a selector asks for, outside of functions."""
    for before, token in zip(["", *selector], selector, strict=False):
        if token.type == "hash" or (token.type == "ident" and before == "."):
            yield token.value


def kept(rules: Iterable[Any], used: set[str]) -> Iterator[str]:
    """Return the rules that something on the site can match."""
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
    """Return a style sheet without what nothing on the site can match."""
    return "\n".join(kept(tinycss2.parse_stylesheet(text, skip_whitespace=True), used))


def icons(text: str) -> set[int]:
    """Return the code points of the icons that a style sheet names."""
    return {int(m[1], 16) if m[1] else ord(m[0]) for m in ICON.finditer(text)}


def cut_font(source: Path, target: Path, points: set[int]) -> None:
    """Write the icons that are used as a font of their own."""
    options = subset.Options(flavor="woff", layout_features=[])
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=points)
    cutter.subset(font)
    target.parent.mkdir(exist_ok=True)
    subset.save_font(font, target, options)


def face(style: Path, static: Path) -> str:
    """Return the rule that loads the icons, for a style sheet of the theme."""
    up = "../" * len(style.relative_to(static).parts[1:])
    return (
        '@font-face{font-family:"Font Awesome 6 Free";font-weight:900;'
        f"font-display:block;src:url({up}{ICON_FONT})}}"
    )


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Make the styles of the built site as small as its pages allow."""
    if exception or app.builder.format != "html":
        return
    static, used = Path(app.outdir) / "_static", words_used(Path(app.outdir))
    points: set[int] = set()
    for path in [file for pattern in THEME for file in static.glob(pattern)]:
        text = purge(path.read_text(encoding="utf-8"), used)
        if FONT_FACE.search(text):
            text = FONT_FACE.sub("", text) + face(path, static)
        path.write_text(text, encoding="utf-8")
        points |= icons(text)
    if (static / ICONS).exists():
        cut_font(static / ICONS, static / ICON_FONT, points)
        rmtree(static / "vendor")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx; scripts that no page uses are gone by then."""
    app.connect("build-finished", finish, priority=910)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
