"""Let the figures of the built pages follow the theme, light or dark.

In each SVG file the named colours of the palette become variables of a style sheet
inside the file, with other values if a dark scheme is preferred. An image inherits its
scheme from the page, so that the theme's switch reaches it. What lies on a raster, or
on an area in a colour of its own, keeps its colours, as these do.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.application import Sphinx

from kernellab.figures.style import DARK, PALETTE

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
NAMES = {colour.lower(): name for name, colour in PALETTE.items()}
COLOUR = re.compile(r"#[0-9a-f]{6}\b", re.IGNORECASE)
NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")
WIDE_POINTS = 500.0
MARGIN = 1.0
"""In points: a frame around a raster is not on it."""


class Box(NamedTuple):
    """The place that something takes."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: "Box") -> bool:
        """Return whether the other lies inside, not on the edge."""
        return (
            self.left + MARGIN < other.left <= other.right < self.right - MARGIN
            and self.top + MARGIN < other.top <= other.bottom < self.bottom - MARGIN
        )


def style_sheet() -> str:
    """Define a variable for each named colour, twice."""
    day, night = (
        ";".join(f"--{name}:{colour}" for name, colour in palette.items())
        for palette in (PALETTE, DARK)
    )
    return f"svg{{{day}}}@media(prefers-color-scheme:dark){{svg{{{night}}}}}"


def themed(text: str) -> str:
    """Return the same drawing with variables for colours.

    >>> drawing = f"<svg xmlns='{SVG}'><path d='M0 0' style='fill: #1A1A1A'/></svg>"
    >>> themed(drawing)[-48:]
    '<path d="M0 0" style="fill: var(--ink)" /></svg>'
    """
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    figure = ET.fromstring(text)
    opaque = list(opaque_areas(figure))
    for node in figure.iter():
        place = box_of(node)
        if place is None or not any(area.holds(place) for area in opaque):
            use_variables(node)
    put_paper_under_rasters(figure)
    sheet = ET.Element(f"{{{SVG}}}style")
    sheet.text = style_sheet()
    figure.insert(0, sheet)
    return ET.tostring(figure, encoding="unicode")


def put_paper_under_rasters(figure: ET.Element) -> None:
    """Keep the light ground of rasters that are translucent."""
    for parent in list(figure.iter()):
        for child in list(parent):
            if child.tag == f"{{{SVG}}}image":
                left, top, right, bottom = image_box(child)
                size = {"width": f"{right - left:g}", "height": f"{bottom - top:g}"}
                place = {"x": f"{left:g}", "y": f"{top:g}", "fill": PALETTE["paper"]}
                sheet = ET.Element(f"{{{SVG}}}rect", place | size)
                parent.insert(list(parent).index(child), sheet)


def use_variables(node: ET.Element) -> None:
    """Name the colours of the palette instead of spelling them."""
    for key in ("style", "fill", "stroke"):
        if key in node.attrib:
            node.attrib[key] = COLOUR.sub(variable, node.attrib[key])


def variable(found: re.Match[str]) -> str:
    """Return the variable of a colour, or the colour if it has no name."""
    name = NAMES.get(found[0].lower())
    return f"var(--{name})" if name else found[0]


def opaque_areas(figure: ET.Element) -> Iterable[Box]:
    """Find the rasters, and the areas whose colour is not one of the palette's."""
    for node in figure.iter():
        kind, style = node.tag.removeprefix(f"{{{SVG}}}"), node.get("style", "")
        fill = re.search(r"fill: ?(#[0-9a-fA-F]{6})", style)
        foreign = fill is not None and fill[1].lower() not in NAMES
        if kind == "image" or (kind == "path" and foreign and "opacity" not in style):
            place = box_of(node)
            if place is not None:
                yield place


def box_of(node: ET.Element) -> Box | None:
    """Return where a raster, an outline, a marker or a text is; None for groups."""
    moved = re.match(r"translate\(([^)]*)\)", node.get("transform", ""))
    if node.tag == f"{{{SVG}}}image":
        return image_box(node)
    if node.tag == f"{{{SVG}}}path" and not moved:
        return around([float(v) for v in NUMBER.findall(node.get("d", ""))])
    if moved:
        return around([float(v) for v in NUMBER.findall(moved[1])][:2])
    if node.tag == f"{{{SVG}}}use" and "x" in node.attrib:
        return around([float(node.get("x", 0)), float(node.get("y", 0))])
    return None


def image_box(node: ET.Element) -> Box:
    """Return where a raster is; Matplotlib draws it upside down."""
    x, y, width, height = (
        float(node.get(key, "0").removesuffix("px"))
        for key in ("x", "y", "width", "height")
    )
    shift = re.search(r"translate\(0[ ,]+(-?[\d.]+)\)", node.get("transform", ""))
    if "scale(1 -1)" in node.get("transform", "") and shift:
        y = -float(shift[1]) - y - height
    return Box(x, y, x + width, y + height)


def around(numbers: list[float]) -> Box | None:
    """Return the box around points, given as x, y, x, y …"""
    x, y = numbers[::2], numbers[1::2]
    return Box(min(x), min(y), max(x), max(y)) if x and len(x) == len(y) else None


def theme_figures(app: Sphinx, error: Exception | None) -> None:
    """Rewrite the figures of the built site, unless that has been done."""
    if error is not None or app.builder.format != "html":
        return
    for path in sorted(Path(app.outdir, "_images").glob("*.svg")):
        text = path.read_text(encoding="utf-8")
        if PALETTE["paper"].lower() in text.lower() and "--paper" not in text:
            path.write_text(themed(text), encoding="utf-8")


def mark_wide_figures(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Give images that are small multiples a class, for telephones and wide screens."""
    for image in doctree.findall(nodes.image):
        path = Path(app.srcdir, image["uri"].lstrip("/"))
        if path.suffix == ".svg" and path.exists():
            head = path.read_text(encoding="utf-8")[:2000]
            width = re.search(r"<svg[^>]*? width=.([\d.]+)pt", head)
            if width and float(width[1]) >= WIDE_POINTS:
                image["classes"].append("kl-wide")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("doctree-resolved", mark_wide_figures)
    app.connect("build-finished", theme_figures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
