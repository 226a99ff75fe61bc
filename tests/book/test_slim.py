"""Lighter pages: which rules, scripts and sizes are kept."""

import struct
from pathlib import Path

import pytest
from sphinx.builders.html._assets import _JavaScript

from _ext.section_search import sections
from _ext.slim_pages import image_size, is_needed, slim
from _ext.slim_styles import icons, purge

USED = {"card", "title", "main"}


@pytest.mark.parametrize(
    ("style", "kept"),
    [
        (".card{a:b}", ".card{a:b}"),
        (".gone{a:b}", ""),
        (".card .gone,.card .title{a:b}", ".card .title{a:b}"),
        ("#main>p{a:b}", "#main>p{a:b}"),
        ("#other{a:b}", ""),
        ("p::before{a:b}", "p::before{a:b}"),
        (".card:not(.gone){a:b}", ".card:not(.gone){a:b}"),
        ("@media print{.gone{a:b}}", ""),
        ("@media print{.gone{a:b}.card{a:b}}", "@media print{.card{a:b}}"),
        ("/* note */.card{a:b}", ".card{a:b}"),
        ("/*! licence */", "/*! licence */"),
        ('[data-x="1.5"] .title{a:b}', '[data-x="1.5"] .title{a:b}'),
    ],
)
def test_rules_that_can_match_are_kept(style: str, kept: str) -> None:
    assert purge(style, USED) == kept


def test_icons_are_found_by_character_and_by_code() -> None:
    assert icons('a{content:"\uf058"}b{content:"\\f0c9"}c{color:#f0c}') == {
        0xF058,
        0xF0C9,
    }


@pytest.mark.parametrize(
    ("script", "body", "needed"),
    [
        ("_static/copybutton.js", '<div class="highlight">', True),
        ("_static/copybutton.js", "<p>text</p>", False),
        ("_static/togglebutton.js", '<div class="dropdown admonition">', True),
        ("_static/togglebutton.js", '<div class="admonition">', False),
        ("_static/doctools.js", '<div class="highlight">', False),
        ("_static/live/scene.js", "<p>text</p>", True),
    ],
)
def test_a_script_is_loaded_where_it_is_needed(
    script: str, body: str, needed: bool
) -> None:
    assert is_needed(_JavaScript(script), body) is needed


def test_sizes_of_pictures(tmp_path: Path) -> None:
    vector, pixels = tmp_path / "a.svg", tmp_path / "b.png"
    vector.write_text(
        "<?xml version='1.0'?><svg width='300pt' height=\"120px\"><g/></svg>"
    )
    pixels.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(8) + struct.pack(">II", 640, 480))
    assert image_size(vector) == (400, 120)
    assert image_size(pixels) == (640, 480)
    assert image_size(tmp_path / "none.svg") is None


def test_all_pictures_but_the_first_wait(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("<svg width='30' height='20'></svg>")
    page = '<img src="logo.svg"><article><img src="a.svg"><img src="a.svg?2">'
    assert slim(page, tmp_path) == (
        '<img src="logo.svg"><article><img width="30" height="20" src="a.svg">'
        '<img loading="lazy" src="a.svg?2">'
    )


def test_plain_words_of_code_lose_their_markup(tmp_path: Path) -> None:
    code = '<div class="highlight"><pre><span class="k">if</span> {}</pre></div>'
    marked = code.format('<span class="n">x</span><span class="p">:</span>')
    assert slim(marked, tmp_path) == code.format("x:")


def test_the_search_knows_sections_theorems_and_names() -> None:
    page = """<article><section id="one"><h1>One<a class="headerlink">#</a></h1>
      <p>Before <math alttext="x"><mi>x</mi></math>.</p><pre>code</pre>
      <div class="proof theorem" id="thm"><p class="admonition-title">Theorem 1</p>
      <section id="proof-content-3"><p>Proved.</p></section></div>
      <dl><dt class="sig sig-object" id="lab.f"><span>f(x)</span></dt>
      <dd><p>Return it.</p></dd></dl></section></article>"""
    assert sections(page) == [
        ["one", "One", "Before x."],
        ["thm", "Theorem 1", "Proved."],
        ["lab.f", "lab.f", "Return it."],
    ]
