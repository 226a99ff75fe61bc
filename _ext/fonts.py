"""Ask for the fonts of text and headings before the style sheets do.

They then arrive before the first line is shown, and nothing moves when they do.
"""

from typing import Any

from sphinx.application import Sphinx

EARLY = ("stix-two-text", "kernellab-sans")


def preload(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Add a link for each font to the head of a page."""
    path = context["pathto"]
    fonts = (path(f"_static/fonts/{name}.woff2", 1) for name in EARLY)
    links = (
        f'<link rel="preload" href="{font}" as="font" type="font/woff2" crossorigin>'
        for font in fonts
    )
    context["metatags"] = context.get("metatags", "") + "".join(links)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", preload)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
