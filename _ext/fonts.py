"""Ask for the fonts that a page begins with before its style sheet does.

They then arrive before the first line is shown, and nothing moves when they do.
"""

import re
from typing import Any

from sphinx.application import Sphinx

# What in a page calls for a font.
NEEDED_BY = {
    "stix-two-text": "",
    "kernellab-sans": "",
    "stix-two-text-italic": "<(?:em|cite|dfn)[ >]",
    "jetbrains-mono": "<(?:code|pre)[ >]|class=\"sig ",
    "stix-two-math": "<math[ >]",
}
LINK = '<link rel="preload" href="{}" as="font" type="font/woff2" crossorigin>'


def preload(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Add a link for each font to the head of a page."""
    body = context.get("body", "")
    names = (name for name, sign in NEEDED_BY.items() if re.search(sign, body))
    fonts = (context["pathto"](f"_static/fonts/{name}.woff2", 1) for name in names)
    links = "".join(map(LINK.format, fonts))
    context["metatags"] = context.get("metatags", "") + links


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", preload)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
