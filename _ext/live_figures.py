"""The directive `live-figure`: a figure that the reader can move, on the page itself.

    :::{live-figure} ridge
    :name: fig-ch1-live
    The caption.
    :::

shows the figure of that name in `kernellab.figures.live.FIGURES`, numbered like others.
While the site is built, all scenes of its grid are computed into one script, which the
page loads when the figure comes near the screen. Until then, in print, and without
JavaScript, it is a picture drawn by Matplotlib, with its notes and its table. The
option `alt` replaces the figure's own description.
"""

import hashlib
import os
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from kernellab.figures.controls import Choice, Clicks, Control, ExpressionField, Slider
from kernellab.figures.drawing import draw, svg
from kernellab.figures.live import FIGURES
from kernellab.figures.page import script
from kernellab.figures.scene import marked

DATA = "_static/live/data"


class live_figure(nodes.General, nodes.Element):  # noqa: N801 - docutils' own style
    """What moves; its child is the picture for those who cannot move it."""


class LiveFigureDirective(SphinxDirective):
    """One figure with its caption."""

    required_arguments: ClassVar[int] = 1
    has_content: ClassVar[bool] = True
    option_spec: ClassVar[dict[str, Any]] = {
        "name": directives.unchanged,
        "alt": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in FIGURES:
            raise self.error(f"no live figure {name}; there are {', '.join(FIGURES)}")
        if not self.content:
            raise self.error("a live figure needs a caption")
        alt = self.options.get("alt", FIGURES[name].alt)
        version = prepare(folder(self.env.app), name, self.env.app.builder.format)
        # Each builder takes the kind of file that it likes best.
        picture = folder(self.env.app) / f"live-{name}.*"
        image = nodes.image(uri=uri(picture, self.env.srcdir), alt=alt)
        figure = nodes.figure("", *self.captioned(image, name, version))
        self.set_source_info(figure)
        self.add_name(figure)
        key = f"live-{name}-{self.env.new_serialno('live-figure')}"
        next(figure.findall(live_figure))["key"] = next(iter(figure["ids"]), key)
        return [figure]

    def captioned(
        self, image: nodes.image, name: str, version: str
    ) -> list[nodes.Node]:
        """The figure's parts; the first paragraph is the caption."""
        text = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, text)
        first, *rest = text.children
        if not isinstance(first, nodes.paragraph):
            raise self.error("the caption of a live figure is a paragraph")
        live = live_figure("", image, figure=name, version=version)
        caption = nodes.caption(first.rawsource, "", *first.children)
        caption.source, caption.line = first.source, first.line
        return [live, caption, *([nodes.legend("", *rest)] if rest else [])]


# --- files ----------------------------------------------------------------------------


def folder(app: Sphinx) -> Path:
    """Where the files are kept until pages ask for them."""
    return Path(app.doctreedir).parent / "live"


def uri(path: Path, source: Any) -> str:
    """A path as an image's address, from the root of the sources."""
    return "/" + Path(os.path.relpath(path, source)).as_posix()


@lru_cache
def prepare(target: Path, name: str, format: str) -> str:
    """Draw a figure and compute its scenes; returns a name for this version of them."""
    target.mkdir(parents=True, exist_ok=True)
    figure, picture = FIGURES[name], target / f"live-{name}"
    picture.with_suffix(".svg").write_text(svg(figure.scene()), encoding="utf-8")
    if format != "html":  # nothing moves there, and LaTeX takes no SVG
        draw(figure.scene()).savefig(picture.with_suffix(".pdf"))
        return ""
    data = script(figure)
    (target / f"{name}.js").write_text(data, encoding="utf-8")
    return hashlib.sha256(data.encode()).hexdigest()[:10]


def load_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Give a page with live figures the scripts and the data."""
    found = [] if doctree is None else list(doctree.findall(live_figure))
    if not found:
        return
    app.add_css_file("live/live.css")
    app.add_js_file("live/scene.js", priority=500, loading_method="defer")
    app.add_js_file("live/figure.js", priority=510, loading_method="defer")
    target = Path(app.outdir) / DATA
    target.mkdir(parents=True, exist_ok=True)
    for name in {node["figure"] for node in found}:
        text = (folder(app) / f"{name}.js").read_bytes()
        (target / f"{name}.js").write_bytes(text)


# --- HTML -----------------------------------------------------------------------------


def visit(self: Any, node: live_figure) -> None:
    """The controls, hidden until the script has the data; then the picture."""
    name, key = node["figure"], node["key"]
    up = "../" * self.builder.current_docname.count("/")
    source = f"{up}{DATA}/{name}.js?v={node['version']}"
    controls = FIGURES[name].controls
    simple = [c for c in controls if not isinstance(c, Clicks | ExpressionField)]
    rows = "".join(control_html(control, key) for control in simple)
    rows += "".join(
        expression_html(c, key) for c in controls if isinstance(c, ExpressionField)
    )
    self.body.append(
        f'<div class="kl-live" data-figure="{name}" data-source="{source}">'
        f'<div class="kl-controls" data-ready hidden>{rows}</div>'
        '<div class="kl-picture">'
    )


def depart(self: Any, node: live_figure) -> None:
    """Below the picture: message, notes, points, Python, and the table."""
    figure, key = FIGURES[node["figure"]], node["key"]
    scene = figure.scene()
    clicks = [c for c in figure.controls if isinstance(c, Clicks)]
    notes = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>"
        for name, text in scene.notes
    )
    lines = "".join(f"<li>{marked(line)}</li>" for line in scene.lines)
    self.body.append(
        f'</div><p class="kl-message" role="status">{marked(scene.message)}</p>'
        f'<dl class="kl-notes simple" aria-live="polite">{notes}</dl>'
        f'<ol class="kl-lines">{lines}</ol>'
        + "".join(points_html(control, key) for control in clicks)
        + python_html(figure.controls)
        + table_html(scene.table.to_data(), figure.title)
        + "</div>"
    )


def python_html(controls: Sequence[Control]) -> str:
    """The place for the button that starts Python, if there is more to show with it."""
    free = [c for c in controls if not isinstance(c, Choice)]
    useful = any(not isinstance(c, Slider) or c.has_gaps for c in free)
    return '<div class="kl-python" data-kernellab-python></div>' if useful else ""


def control_html(control: Control, key: str) -> str:
    """A label, and a slider or a menu."""
    data = control.to_data()
    name = f'id="{key}-{control.name}" data-control="{control.name}"'
    label = f'<label for="{key}-{control.name}">{escape(control.label)}</label>'
    if isinstance(control, Choice):
        options = "".join(
            f"<option{' selected' if option == control.default else ''}>"
            f"{escape(option)}</option>"
            for option in control.options
        )
        # A reloaded page would remember another choice than the picture shows.
        menu = f'<select {name} autocomplete="off">{options}</select>'
        return f'<div class="kl-control">{label}{menu}</div>'
    last, place = len(data["values"]) - 1, data["default"]
    text = escape(data["texts"][place])
    return (
        f'<div class="kl-control">{label}<input type="range" {name} min="0" '
        f'max="{last}" step="1" value="{place}" aria-valuetext="{text}" '
        f'autocomplete="off"><output for="{key}-{control.name}">{text}</output></div>'
    )


def expression_html(control: ExpressionField, key: str) -> str:
    """A line to type an expression in, for when Python runs."""
    name = f"{key}-{control.name}"
    return (
        f'<form class="kl-control kl-expression" data-control="{control.name}" '
        f'data-python hidden><label for="{name}">{escape(control.label)}</label>'
        f'<input type="text" id="{name}" spellcheck="false" autocapitalize="off" '
        f'autocomplete="off" placeholder="{escape(control.placeholder)}">'
        '<button class="kl-button">Decide</button></form>'
    )


def points_html(control: Clicks, key: str) -> str:
    """The way to add points without a mouse, for when Python runs."""
    name = f"{key}-{control.name}"
    options = "".join(f"<option>{escape(kind)}</option>" for kind in control.kinds)
    kind = (
        f'<label>class <select name="kind">{options}</select></label>'
        if len(control.kinds) > 1
        else ""
    )
    number = 'type="number" step="any" value="0" required'
    return (
        f'<form class="kl-points" data-control="{control.name}" data-python hidden '
        f'aria-labelledby="{name}"><p id="{name}">{escape(control.label)}: click into '
        f"the picture, or type a place.</p>{kind}"
        f'<label>{escape(control.x)} <input name="x" {number}></label>'
        f'<label>{escape(control.y)} <input name="y" {number}></label>'
        '<button class="kl-button">Add</button>'
        '<button class="kl-button kl-quiet" type="button" name="undo">Undo</button>'
        '<button class="kl-button kl-quiet" type="button" name="reset">Reset</button>'
        "</form>"
    )


def table_html(columns: list[dict[str, Any]], title: str) -> str:
    """The numbers behind the figure, folded away."""
    heads = "".join(f'<th scope="col">{escape(c["name"])}</th>' for c in columns)
    rows = zip(*(column["cells"] for column in columns), strict=True)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
        for row in rows
    )
    caption = escape(f"{title}: the numbers behind the figure")
    return (
        '<details class="kl-table"><summary>The numbers behind the figure</summary>'
        f'<div class="kl-scroll" tabindex="0" role="region" aria-label="{caption}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
        "</div></details>"
    )


def only_the_picture(self: Any, node: live_figure) -> None:
    """Where nothing moves, the child is all there is."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    plain = (only_the_picture, only_the_picture)
    others = {name: plain for name in ("latex", "text", "man", "texinfo")}
    app.add_node(live_figure, html=(visit, depart), **others)
    app.add_directive("live-figure", LiveFigureDirective)
    app.connect("html-page-context", load_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
