"""Write pages that load nothing that they do not use.

The theme gives every page every script, and images without a size. Here a page gets
the scripts that something in it needs, after its text; its images keep their place
while they load, which they do when they come near the screen; and code carries no
markup that nobody sees. Scripts of others lose what they tell the console.
"""

import re
import struct
from functools import cache, partial
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.html._assets import _CascadingStyleSheet, _JavaScript

# What in a page calls for a script, by a word of its name or of its inline text.
NEEDED_BY = {
    "clipboard.min.js": r'class="highlight',
    "copybutton.js": r'class="highlight',
    "toggle": r'class="[^"]*\b(?:toggle|dropdown)\b',
    "design-tabs.js": r'class="sd-tab',
}
# Only the theme's search used these; `var DOCUMENTATION_OPTIONS` is in the layout.
NOT_NEEDED = ("DOCUMENTATION_OPTIONS", "documentation_options.js", "doctools.js")
NOT_NEEDED += ("sphinx_highlight.js", "searchtools.js", "language_data.js")
NOT_NEEDED += ("sphinx-book-theme.js",)  # page.js has what is left of the theme's
# The theme's own, which its layout would add to every page with much else.
THEME_STYLE = _CascadingStyleSheet(
    "_static/styles/pydata-sphinx-theme.css", priority=110
)

# Files that no page asks for any more.
UNUSED = ("**/*.map", "scripts/*")
UNUSED += ("doctools.js", "sphinx_highlight.js", "searchtools.js", "language_data.js")

IMAGE = re.compile(r"<img\b[^>]*>")
SOURCE = re.compile(r'src="([^"]+)"')
CODE = re.compile(r'(?<=<div class="highlight">)<pre>.*?</pre>', re.DOTALL)
SIGNATURE = re.compile(r'(?<=<dt class="sig ).*?</dt>', re.DOTALL)
NO_COLOUR = re.compile(r'<span(?: class="(?:n|nn|o|p|w)")?>([^<]*)</span>')
STRING = re.compile(r'(?:<span class="s[12aei]">[^<]*</span>)+')
UNSTYLED = re.compile(r'<span class="(?:pre|n|p|w)">([^<]*)</span>')
# Code within a line: the theme's mark keeps a word in one piece, which this one is.
WHOLE_WORD = re.compile(r'(?<=[> ])<span class="pre">([\w.()=]+)</span>(?=[< ])')
TAG = re.compile("<[^>]*>")
SVG_LENGTH = r"\b{}=['\"]([\d.]+)(pt|px)?['\"]"
PIXELS = {"pt": 4 / 3, "px": 1.0, None: 1.0}
TALK = re.compile(r"console\.(?:log|debug|info)\(")


def choose_files(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Keep the scripts that the page needs, to run after its text is there."""
    body = context.get("body", "")
    scripts = [js for js in context["script_files"] if is_needed(js, body)]
    context["script_files"] = [deferred(js) if js.filename else js for js in scripts]
    context["css_files"] = [*context["css_files"], THEME_STYLE]


def is_needed(script: _JavaScript, body: str) -> bool:
    """Return whether something in the page calls for a script."""
    text = f"{script.filename} {script.attributes.get('body', '')}"
    if any(word in text for word in NOT_NEEDED):
        return False
    reasons = [pattern for word, pattern in NEEDED_BY.items() if word in text]
    return all(re.search(pattern, body) for pattern in reasons)


def deferred(script: _JavaScript) -> _JavaScript:
    """Return a copy of a script, which pages share, that runs after the text."""
    attributes = {**script.attributes, "defer": "defer"}
    return _JavaScript(script.filename, priority=script.priority, **attributes)


def clear(app: Sphinx, exception: Exception | None) -> None:
    """Silence the scripts, and remove what no page uses."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    for path in static.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        path.write_text(TALK.sub("void(", text), encoding="utf-8")
    for path in [file for pattern in UNUSED for file in static.glob(pattern)]:
        path.unlink(missing_ok=True)  # two patterns may name it


def slim(text: str, folder: Path) -> str:
    """Return a page with sized images and lighter code."""
    text = CODE.sub(lighter_code, text)
    text = SIGNATURE.sub(lighter_signature, text)
    text = WHOLE_WORD.sub(r"\1", text)
    head, found, rest = text.partition("<article")
    first = IMAGE.search(rest)
    place = partial(place_image, folder=folder, first=first[0] if first else "")
    return head + found + IMAGE.sub(place, rest)


def lighter_code(code: re.Match[str]) -> str:
    """Return code whose operators look like its names, and strings in one piece."""
    text = NO_COLOUR.sub(r"\1", code[0])
    return STRING.sub(lambda s: f'<span class="s">{TAG.sub("", s[0])}</span>', text)


def lighter_signature(signature: re.Match[str]) -> str:
    """Return a signature without what nothing styles, from the inside out."""
    text, inner = signature[0], 1
    while inner:
        text, inner = UNSTYLED.subn(r"\1", text)
    return text


def place_image(tag: re.Match[str], folder: Path, first: str) -> str:
    """Return an image with its size; all but the first of a page load when near."""
    source = SOURCE.search(tag[0])
    if source is None or " width=" in tag[0]:
        return tag[0]
    told = "" if tag[0] == first or " loading=" in tag[0] else ' loading="lazy"'
    if size := image_size((folder / source[1]).resolve()):
        told += f' width="{size[0]:.0f}" height="{size[1]:.0f}"'
    return f"<img{told}{tag[0][4:]}"


@cache
def image_size(path: Path) -> tuple[float, float] | None:
    """Return the width and height of an SVG or PNG in pixels; None if unknown."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        start = file.read(2000)
    if start.startswith(b"\x89PNG"):
        width, height = struct.unpack(">II", start[16:24])
        return width, height
    text = (
        start.decode("utf-8", errors="replace").partition("<svg")[2].partition(">")[0]
    )
    found = [re.search(SVG_LENGTH.format(name), text) for name in ("width", "height")]
    lengths = [float(match[1]) * PIXELS[match[2]] for match in found if match]
    return (lengths[0], lengths[1]) if len(lengths) == 2 else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx; what others add to a page or to the site comes before."""
    app.add_css_file("basic.css", priority=100)
    app.add_css_file("page.css", priority=590)
    app.add_js_file("page.js", priority=890)
    app.add_js_file("scroll.js", priority=890)
    app.connect("html-page-context", choose_files, priority=900)
    app.connect("build-finished", clear, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
