"""Write a Matplotlib figure compactly: one line, without what nobody sees.

Matplotlib breaks the line after each segment of a curve, names every group, repeats
each label in a comment and writes coordinates to 10⁻⁶ of a point. Here only the
drawing stays. A hundredth of a point is a seventieth of a pixel: figures rounded to
it look the same, and survive most changes of a computation's last digits.
"""

import re
import xml.etree.ElementTree as ET

DECIMALS = 2
"""Of a coordinate, in points."""

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
ET.register_namespace("", SVG)
ET.register_namespace("xlink", XLINK)

# Not scales and rotations: a small error there is a large one far from the origin.
COORDINATES = ("d", "x", "y", "width", "height", "viewBox")
TRANSLATION = re.compile(r"translate\([^)]*\)")
FRACTION = re.compile(r"-?\d*\.\d+(?:e[-+]?\d+)?")


def compact_svg(text: str) -> str:
    """Return the same drawing on one line. Compacting twice changes nothing."""
    figure = ET.fromstring(text)
    used = {name for node in figure.iter() for name in references(node)}
    for node in figure.iter():
        if node.get("id") not in used:
            node.attrib.pop("id", None)
        round_coordinates(node)
        strip_spaces(node)
    unwrap_groups(figure)
    # Apostrophes, since JSON would put a backslash before each quotation mark.
    plain = ET.tostring(figure, encoding="unicode")
    return re.sub(r"<[^>]*>", lambda tag: use_apostrophes(tag[0]), plain)


def references(node: ET.Element) -> list[str]:
    """Return the ids that the attributes of a node refer to."""
    link = node.get(f"{{{XLINK}}}href", "")
    named = [link[1:]] if link.startswith("#") else []
    return named + re.findall(r"url\(#([^)]+)\)", " ".join(node.attrib.values()))


def round_coordinates(node: ET.Element) -> None:
    """Round where a node is; leave how it is scaled, turned and coloured."""
    for name in COORDINATES:
        if name in node.attrib:
            node.attrib[name] = shorten(node.attrib[name])
    if "transform" in node.attrib:
        transform = node.attrib["transform"]
        node.attrib["transform"] = TRANSLATION.sub(lambda m: shorten(m[0]), transform)


def shorten(numbers: str) -> str:
    """Round the fractions in a text, and leave out spaces beside its letters."""
    rounded = FRACTION.sub(lambda m: round_decimal(m[0]), numbers)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", " ".join(rounded.split()))


def round_decimal(number: str) -> str:
    """Round one decimal fraction, without trailing zeros or a negative zero."""
    digits = f"{float(number):.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if digits == "-0" else digits


def strip_spaces(node: ET.Element) -> None:
    """Drop the line breaks between tags, and those inside an embedded image."""
    node.text = node.text if (node.text or "").strip() else None
    node.tail = node.tail if (node.tail or "").strip() else None
    image = f"{{{XLINK}}}href"
    if image in node.attrib:
        node.attrib[image] = "".join(node.attrib[image].split())


def unwrap_groups(node: ET.Element) -> None:
    """Put the content of groups that change nothing in their place; drop metadata."""
    for child in list(node):
        unwrap_groups(child)
        place = list(node).index(child)
        if child.tag == f"{{{SVG}}}metadata":
            node.remove(child)
        elif child.tag == f"{{{SVG}}}g" and not child.attrib:
            node[place : place + 1] = list(child)


def use_apostrophes(tag: str) -> str:
    """Quote the attributes of a tag with apostrophes."""
    return tag.replace("'", "&apos;").replace('"', "'")
