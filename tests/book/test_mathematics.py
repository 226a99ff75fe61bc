"""The mathematics of the pages: all typeset, in the font of the site, and numbered."""

import html
import re
from functools import cache
from pathlib import Path

import pytest
from docutils import nodes

from _ext.mathml import Refused, aligned, keep_together, mathml
from tools.math_font import code_points, unicode_range

FORMULA = re.compile(r"<math[ >].*?</math>", re.DOTALL)
NOT_PROSE = re.compile(
    r"<(script|style|pre|code|textarea|title|head)[ >].*?</\1>", re.DOTALL
)
TAG = re.compile(r"<[^>]*>")
RAW_TEX = re.compile(r"\\[a-zA-Z]{2,}|\\[()\[\]]|\$[^$\s][^$]*\$")
# Set above letters, or not drawn at all.
INVISIBLE = {"\u2009", "\u0338", "\u200b", "\n"}


@cache
def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_no_tex_is_left_in_the_text(site: Path, page_name: str) -> None:
    prose = NOT_PROSE.sub(" ", FORMULA.sub(" ", source(site / page_name)))
    assert RAW_TEX.findall(html.unescape(TAG.sub("\n", prose))) == []


def test_every_formula_keeps_its_tex(site: Path, page_name: str) -> None:
    page = source(site / page_name)
    places = re.findall(r'<(?:span|div) class="math [^>]*>(?:<div[^>]*>)?(.{6})', page)
    assert set(places) <= {"<math "}
    typeset = [m for m in FORMULA.findall(page) if "alttext" in m.partition(">")[0]]
    assert len(typeset) >= len(places)
    assert all(re.match(r'<math[^>]* alttext="[^"]', formula) for formula in typeset)


def test_the_font_has_every_character(site: Path, page_name: str) -> None:
    formulas = FORMULA.findall(source(site / page_name))
    used = set(html.unescape("".join(TAG.sub("", formula) for formula in formulas)))
    missing = {c for c in used - INVISIBLE if ord(c) not in code_points()}
    assert not missing, "add them to tools/math_font.py, and make the font anew"


def test_the_style_sheet_knows_what_the_common_font_has(root: Path) -> None:
    style = (root / "_page" / "math.css").read_text(encoding="utf-8")
    told = re.search(r"unicode-range:([^;]*);", style)
    assert told is not None
    assert " ".join(told[1].split()) == unicode_range()


def test_links_to_equations_have_their_numbers(site: Path, page_name: str) -> None:
    page = source(site / page_name)
    shown = re.findall(
        r'<a class="reference[^>]* href="([^"#]*)#(equation-[^"]*)"[^>]*>'
        r"(?:<span[^>]*>)?(\([\d.]+\))",
        page,
    )
    for path, anchor, number in shown:
        target = source((site / page_name).parent / path if path else site / page_name)
        place = target.index(f'id="{anchor}"')
        own = re.search(r'class="eqno">(\([^)]*\))', target[place:])
        assert own is not None
        assert number == own[1]


def test_tex_becomes_mathml() -> None:
    assert mathml("x_i") == "<msub><mi>x</mi><mi>i</mi></msub>"
    assert "<mtable" in mathml(r"\begin{aligned} a &= b \\ c &= d \end{aligned}", True)


@pytest.mark.parametrize("tex", [r"\nosuchthing{x}", r"\frac{1}{", "x^2^3"])
def test_wrong_tex_is_refused_with_a_reason(tex: str) -> None:
    with pytest.raises(Refused) as error:
        mathml(tex)
    assert str(error.value)
    assert "    at " not in str(error.value)  # no stack of JavaScript


def test_signs_stay_with_the_formula_that_they_touch() -> None:
    pieces = [nodes.Text("so ("), nodes.math("", "a"), nodes.Text("), ")]
    pieces += [nodes.math("", "b"), nodes.Text(" and "), nodes.math("", "c")]
    page = nodes.document(None, None)
    page += nodes.paragraph("", "", *pieces)
    keep_together(None, page, "")
    assert [node.astext() for node in page.findall(nodes.inline)] == ["(a),"]
    assert page.astext() == "so (a), b and c"


@pytest.mark.parametrize(
    ("tex", "wrapped"),
    [
        ("a = b", "a = b"),
        (r"a \\ b", r"\begin{split}a \\ b\end{split}"),
        ("a\n\nb", r"\begin{gathered}a\\b\end{gathered}"),
    ],
)
def test_lines_of_a_display_are_aligned(tex: str, wrapped: str) -> None:
    node = nodes.math_block(tex, tex, nowrap=False)
    assert aligned(node) == wrapped
    assert mathml(wrapped, True)
