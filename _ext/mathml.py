"""Typeset mathematics as MathML while the site is built.

Temml (`_ext/temml`, MIT licence) turns TeX into MathML, in QuickJS. So a page shows its
formulas at once and without JavaScript. Each `math` element keeps its TeX in `alttext`,
from which `_page/math.js` copies it. The numbers and links of equations are Sphinx's.
A formula that Temml refuses is a warning, so that `-W` stops the build.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import quickjs
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

TEMML = Path(__file__).parent / "temml" / "temml.min.js"
# The result passes as JSON: QuickJS cannot hand over a string that was concatenated.
RENDER = """(tex, display) => JSON.stringify(
  temml.renderToString(tex, {displayMode: display, throwOnError: true}))"""
LONG_MIN_CHARACTERS = 24
"""From so many characters on, a formula in a line may be wider than a telephone."""

OPENING = re.compile(r"[(\[“‘]+$")
CLOSING = re.compile(r"[.,;:!?)\]’”…-]+")


class Refused(ValueError):
    """TeX that Temml does not understand, with its reason."""


@cache
def engine() -> Callable[[str, bool], str]:
    """Load Temml, once per process."""
    context = quickjs.Context()
    context.eval(TEMML.read_text(encoding="utf-8"))
    render: Callable[[str, bool], str] = context.eval(RENDER)
    return render


@cache
def mathml(tex: str, display: bool = False) -> str:
    """Return the formula as a `math` element, or raise `Refused` with the reason."""
    try:
        markup = json.loads(engine()(tex, display))
    except quickjs.JSException as error:
        raise Refused(str(error).partition("\n    at ")[0]) from error
    return re.sub("^<math[^>]*>", "", markup).removesuffix("</math>")


def keep_together(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Let no line end between a formula and the signs that touch it."""
    for math in list(doctree.findall(nodes.math)):
        line, place = math.parent, math.parent.index(math)
        before, after = (text_at(line, place + step) for step in (-1, 1))
        opening, closing = OPENING.search(before), CLOSING.match(after)
        if not opening and not closing:
            continue
        group = nodes.inline(classes=["kl-together"])
        line[place] = group
        group += math
        if opening:
            line[place - 1] = nodes.Text(before[: opening.start()])
            group.insert(0, nodes.Text(opening[0]))
        if closing:
            line[place + 1] = nodes.Text(after[closing.end() :])
            group += nodes.Text(closing[0])


def text_at(line: nodes.Element, place: int) -> str:
    """Return the text at a place of a line; nothing if something else is there."""
    node = line[place] if 0 <= place < len(line) else None
    return node.astext() if isinstance(node, nodes.Text) else ""


def formula(self: Any, node: nodes.Element, tex: str, display: bool) -> str:
    """Return the `math` element of a node; TeX as it is, and a warning, if refused."""
    source = escape(node.astext().strip())
    block = ' display="block"' if display else ""
    try:
        return f'<math{block} alttext="{source}">{mathml(tex, display)}</math>'
    except Refused as reason:
        say = logging.getLogger(__name__).warning
        say("formula not typeset: %s", reason, location=node, type="math")
        return f"<code>{source}</code>"


def visit_inline(self: Any, node: nodes.math) -> None:
    """Write a formula within a line."""
    markup = formula(self, node, node.astext(), display=False)
    letters = re.sub("<[^>]*>|&[^;]*;", "", markup)
    wide = " kl-long" if len(letters) >= LONG_MIN_CHARACTERS else ""
    tag = self.starttag(node, "span", "", CLASS=f"math notranslate{wide}")
    self.body.append(f"{tag}{markup}</span>")
    raise nodes.SkipNode


def visit_display(self: Any, node: nodes.math_block) -> None:
    """Write a displayed formula, which scrolls if it must, beside its number."""
    self.body.append(self.starttag(node, "div", CLASS="math notranslate"))
    markup = formula(self, node, aligned(node), display=True)
    self.body.append(f'<div class="kl-formula">{markup}</div>')
    if node["number"]:
        number = get_node_equation_number(self, node)
        self.body.append(f'<span class="eqno">({number})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def aligned(node: nodes.math_block) -> str:
    r"""Return the TeX of a display: `\\` breaks lines, an empty line equations."""
    if node["nowrap"]:
        return node.astext()
    parts = [part for part in node.astext().split("\n\n") if part.strip()]
    lines = [rf"\begin{{split}}{p}\end{{split}}" if r"\\" in p else p for p in parts]
    if len(lines) == 1:
        return lines[0]
    return r"\begin{gathered}" + r"\\".join(lines) + r"\end{gathered}"


def add_assets(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Give a page with formulas the style and the script."""
    if "<math" in context.get("body", ""):
        app.add_css_file("temml.css", priority=600)
        app.add_css_file("math.css", priority=610)
        app.add_js_file("math.js", loading_method="defer")


def add_files(app: Sphinx, config: Config) -> None:
    """Ship the folder `_page`, whose files a page gets only if it asks for them."""
    config.html_static_path.append("_page")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_html_math_renderer("temml", (visit_inline, None), (visit_display, None))
    app.connect("config-inited", add_files)
    app.connect("doctree-resolved", keep_together)
    app.connect("html-page-context", add_assets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
