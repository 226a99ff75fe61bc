"""Lighter pages: which rules, scripts and sizes are kept."""

import re
import struct
from pathlib import Path

import pytest
from sphinx.builders.html._assets import _JavaScript

from _ext.section_heights import guess, with_heights
from _ext.section_search import sections
from _ext.slim_pages import image_size, is_needed, slim
from _ext.slim_styles import bundle, icons, linked, purge, words_used

USED = {"card", "title", "main", "p", "x"}


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
        ("[data-gone] .title{a:b}", ""),
        ("p>.card:hover{a:b}", "p>.card:hover{a:b}"),
        ("table,p{a:b}", "p{a:b}"),
    ],
)
def test_rules_that_can_match_are_kept(style: str, kept: str) -> None:
    assert purge(style, USED) == kept


def test_what_a_page_and_its_scripts_name_is_used(tmp_path: Path) -> None:
    page = (
        '<main id="top"><p class="card big" data-theme="dark">some words</p></main>'
        '<script src="_static/page.js?v=1"></script><script>let inline</script>'
    )
    (tmp_path / "page.js").write_text('mark("scrolls")')
    used = words_used([page], tmp_path)
    assert {"main", "top", "p", "card", "big", "theme", "scrolls", "inline"} <= used
    assert not {"words", "some"} & used


def test_the_sheets_of_a_kind_become_one(tmp_path: Path) -> None:
    (tmp_path / "live").mkdir()
    (tmp_path / "theme.css").write_text(
        "p{--a:1;--b:2;color:var(--a)}.gone{a:b}\n"
        "@keyframes turn {\n  from {a: b}\n}\n@keyframes fade {\n  to {a: b}\n}\n"
        "p{animation:fade 1s}"
    )
    ours = '/* ours */\n.later {\n  src: url("../fonts/a.woff2");\n}\n'
    (tmp_path / "live" / "own.css").write_text(ours)
    lines = bundle(("theme.css", "live/own.css"), USED, tmp_path).splitlines()
    assert lines[0] == "p{--a:1;color:var(--a)}"
    assert lines[1:3] == ["@keyframes fade { to {a: b} }", "p{animation:fade 1s}"]
    assert lines[3].startswith(".later { src: url(fonts/a.woff2); }")


def test_a_page_is_linked_to_its_one_sheet() -> None:
    link = '<link rel="stylesheet" type="text/css" href="../_static/{}.css?v=1" />'
    page = f"<head>{link.format('a')}<meta />{link.format('live/b')}</head>"
    one = '<link rel="stylesheet" href="../_static/style-1.css" />'
    assert (
        linked(page, "style-1.css").replace("\n", "") == f"<head>{one}<meta /></head>"
    )


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


def test_code_has_no_markup_that_nobody_sees(tmp_path: Path) -> None:
    code = '<div class="highlight"><pre><span class="k">if</span> {}</pre></div>'
    word = '<span class="{}">{}</span>'.format
    marked = code.format(word("n", "x") + word("o", "=") + word("sa", "f"))
    marked = marked.replace("</pre>", word("s2", '"a') + word("si", "{") + "</pre>")
    assert slim(marked, tmp_path) == code.format("x=" + word("s", 'f"a{'))


def test_signatures_and_words_of_code_are_text(tmp_path: Path) -> None:
    page = (
        '<dt class="sig py"><em class="sig-param"><span class="n"><span class="pre">x'
        '</span></span><span class="o"><span class="pre">=</span></span></em></dt>'
        '<code><span class="pre">f(x)</span> <span class="pre">--flag</span></code>'
    )
    assert slim(page, tmp_path) == (
        '<dt class="sig py"><em class="sig-param">x<span class="o">=</span></em></dt>'
        '<code>f(x) <span class="pre">--flag</span></code>'
    )


def test_sections_and_definitions_say_how_high_they_are() -> None:
    page = (
        '<section></section><article><section id="page"><section id="a"><p>Text.</p>'
        '</section><dl class="py"><dt>f</dt><dd><dl><dt>x</dt></dl></dd></dl></section>'
    )
    marked = with_heights(page)
    assert marked.count("--kl-height:") == 2
    assert re.search(r'<section id="a" style="--kl-height:\d+">', marked)
    assert re.search(r'<dl class="py" style="--kl-height:\d+">', marked)
    assert re.sub(r' style="--kl-height:\d+"', "", marked) == page


def test_more_is_higher_unless_it_is_folded() -> None:
    line = f"<p>{'word ' * 30}</p>"
    folded = f"<details><summary>Code</summary>{line * 40}</details>"
    image = '<img width="600" height="400" src="a.svg">'
    assert guess(line) < guess(line * 2) < guess(line * 2 + folded) < guess(line * 5)
    assert 400 <= guess(line + image) - guess(line) <= 500


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
