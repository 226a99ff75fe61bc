"""Tell browsers, search engines and messengers what each page is, and where.

The public address comes from pyproject.toml (`tools/public_address.py`). With one,
pages name their canonical address and their picture, and the site has a map. A page
asks for its fonts before the style sheet does, so that nothing moves when they arrive.
"""

import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import public_address as setting

DESCRIPTION_MAX_CHARACTERS = 160
SENTENCE_MIN_CHARACTERS = 40
"""A shorter paragraph is a label or a link, and describes nothing."""

CARD = "card.png"
# What in a page calls for a font.
FONTS = {
    "stix-two-text": "",
    "kernellab-sans": "",
    "stix-two-text-italic": "<(?:em|cite|dfn)[ >]",
    "jetbrains-mono": "",  # the keys of the search
    "stix-two-math": "<math[ >]",
}
PRELOAD = '<link rel="preload" href="{}" as="font" type="font/woff2" crossorigin>'
VIEWPORT = re.compile(r'<meta [^>]*name="viewport"[^>]*>')  # the layout has its own


def set_address(app: Sphinx, config: Config) -> None:
    """Make the public address the base of canonical links."""
    config.html_baseurl = setting.public_address(Path(app.srcdir)) or ""


def describe(doctree: nodes.document) -> str:
    """Return the beginning of the first paragraph that says something, in words."""
    texts = (plain(p) for p in doctree.findall(nodes.paragraph))
    text = next((t for t in texts if len(t) >= SENTENCE_MIN_CHARACTERS), "")
    if len(text) <= DESCRIPTION_MAX_CHARACTERS:
        return text
    return text[:DESCRIPTION_MAX_CHARACTERS].rpartition(" ")[0].rstrip(",;:") + " …"


def plain(paragraph: nodes.paragraph) -> str:
    """Return the text of a paragraph; of one with a long formula, nothing."""
    formulas = [node.astext() for node in paragraph.findall(nodes.math)]
    if any(len(tex) > 1 for tex in formulas):
        return ""
    return " ".join(paragraph.astext().split())


def add_metadata(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Add the description and what a messenger shows beside a link."""
    title = re.sub("<[^>]*>", "", context.get("title", "")) or app.config.project
    is_front = page == app.config.root_doc
    described = describe(doctree) if doctree is not None else ""
    base = app.config.html_baseurl
    told = {
        "description": described,
        "og:title": app.config.project if is_front else title,
        "og:description": described,
        "og:type": "website" if is_front else "article",
        "og:site_name": app.config.project,
        "og:url": context.get("pageurl") or "",
        "og:image": f"{base}_static/{CARD}" if base else "",
        "twitter:card": "summary_large_image" if base else "summary",
    }
    tags = "".join(meta(*pair) for pair in told.items() if pair[1])
    context["metatags"] = VIEWPORT.sub("", context.get("metatags", "")) + tags
    context["source_file"] = f"_sources/{name}" if (name := sourcename(context)) else ""
    context["problem_address"] = setting.problem_address(Path(app.srcdir))


def ask_for_fonts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Add a link for each font that a page begins with to its head."""
    body = context.get("body", "")
    names = (name for name, sign in FONTS.items() if re.search(sign, body))
    fonts = (context["pathto"](f"_static/fonts/{name}.woff2", 1) for name in names)
    links = "".join(map(PRELOAD.format, fonts))
    context["metatags"] = context.get("metatags", "") + links


def sourcename(context: dict[str, Any]) -> str:
    """Return the name of the page's source among the files of the site."""
    return context.get("sourcename", "") if context.get("has_source") else ""


def meta(name: str, content: str) -> str:
    """Return one tag of a page's head."""
    kind = "property" if name.startswith("og:") else "name"
    return f'\n    <meta {kind}="{name}" content="{escape(content)}" />'


def not_found(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Add the page that a server shows for an address that leads nowhere."""
    root = urlsplit(app.config.html_baseurl).path or "/"
    yield "404", {"title": "Page not found", "site_root": root}, "404.html"


def write_map(app: Sphinx, exception: Exception | None) -> None:
    """List all pages for search engines, if the site has an address."""
    base = app.config.html_baseurl
    if exception or app.builder.name != "html" or not base:
        return
    names = sorted(app.env.found_docs)
    places = (base + app.builder.get_target_uri(name) for name in names)
    urls = "".join(f"<url><loc>{escape(place)}</loc></url>\n" for place in places)
    site = Path(app.outdir)
    (site / "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n',
        encoding="utf-8",
    )
    robots = f"User-agent: *\nSitemap: {base}sitemap.xml\n"
    (site / "robots.txt").write_text(robots, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", set_address)
    app.connect("html-page-context", add_metadata)
    app.connect("html-page-context", ask_for_fonts)
    app.connect("html-collect-pages", not_found)
    app.connect("build-finished", write_map)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
