"""Reports as text, Markdown and HTML."""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from kernellab.grading import check_derivation
from kernellab.grading.judging import rendering
from kernellab.grading.judging.document import Document, sentence
from kernellab.grading.judging.milestones import MilestonesReached, Passage
from kernellab.grading.judging.phrases import Typesetter, unmarked
from kernellab.grading.judging.report import Line, Report
from kernellab.grading.problems import find
from tests.grading import texts
from tests.grading.language.test_mathml import linear

VOID = {"wbr", "br"}


def as_text(report: Report, *points: float, exam: bool = False) -> str:
    return rendering.as_text(Document(report, *points, exam=exam))


def as_markdown(report: Report, *points: float, exam: bool = False) -> str:
    return rendering.as_markdown(Document(report, *points, exam=exam))


def as_html(report: Report, *points: float, exam: bool = False) -> str:
    return rendering.as_html(Document(report, *points, exam=exam))


FORMATS = (as_text, as_markdown, as_html)


def made(*lines: tuple[str, str, str], reached: tuple[int, ...] = ()) -> Report:
    """A report on ridge-dual made by hand from status, text and reasons."""
    problem = find("ridge-dual")
    found, relations = [], {}
    for number, (status, text, reasons) in enumerate(lines, 1):
        said = ("it is not so", "a = 1:\nleft 2\nright 3", "2 should be 3")
        message, numbers, repair = said if status == "wrong" else ("", "", "")
        used = "by the definition of `K`" if "K" in reasons else ""
        why = tuple(filter(None, reasons.split("; ")))
        found.append(Line(number, text, why, status == "ok", status, message, used,
                          numbers, repair))  # fmt: skip
        if status in ("ok", "carried", "wrong"):
            relations[number] = problem.parse(text)
    route = problem.routes[0]
    names = [milestone.name for milestone in route.milestones]
    passages = {names[i]: Passage(i + 1, i == 0) for i in reached}
    progress = MilestonesReached(route, passages, {})
    return Report(problem, tuple(found), progress, relations)


SLIP = made(
    ("ok", "J = (t - K@a).T@(t - K@a) + lam*a.T@K@a", "substitute w; def K"),
    ("wrong", "grad(J,a) = K@(K@a - t) + 2*lam*K@a", "gradient"),
    ("carried", "K@(K@a - t) + 2*lam*K@a = 0", "set to zero"),
    ("unreadable", "<script>alert(1)</script> & a|b", "al`geb`ra; <i>"),
    reached=(0, 1),
)


def test_text() -> None:
    assert (
        as_text(SLIP, 7.5, 10)
        == """\
1 ✓  J = (t - K@a).T@(t - K@a) + lam*a.T@K@a  | substitute w; def K (by the definition
                                                of K)
2 ✗  grad(J,a) = K@(K@a - t) + 2*lam*K@a      | gradient
       It is not so
       counterexample: a = 1:
         left 2
         right 3
       nearest repair: 2 should be 3
3 ↪  K@(K@a - t) + 2*lam*K@a = 0              | set to zero
4 ✗  <script>alert(1)</script> & a|b          | al`geb`ra; <i>

Milestones (through J(a) and its gradient)
  ✓ J in terms of a (line 1)
  ↪ the gradient by a (line 2, half)
  · a = inv(K + lam*I)@t (not reached yet)

↪ is right in itself, but rests on a line that did not pass: half the credit.

Line 2 is the first that does not pass.
7.5 of 10 points"""
    )


def test_text_of_an_exam() -> None:
    shown = as_text(SLIP, 7.5, 10, exam=True)
    assert shown.splitlines()[1] == (
        "2 ✗  grad(J,a) = K@(K@a - t) + 2*lam*K@a      | gradient"
    )
    assert shown.endswith("7.5 of 10 points")


@pytest.mark.parametrize("render", FORMATS)
def test_an_exam_shows_verdicts_and_points_only(render) -> None:
    told, exam = render(SLIP, 7.5, 10), render(SLIP, 7.5, 10, exam=True)
    for word in ("not so", "should be", "ounterexample", "Milestones", "gradient by"):
        assert word in told
        assert word not in exam
    assert "7.5 of 10 points" in exam
    assert exam.count("✗") == told.count("✗")


@pytest.mark.parametrize("render", FORMATS)
def test_points_and_shares(render) -> None:
    assert "1 of 1 point" in render(SLIP, 1.0, 1.0)
    assert "1 points" not in render(SLIP, 1.0, 1.0)
    assert "50 %" in render(SLIP)


@pytest.mark.parametrize("render", FORMATS)
def test_what_the_arrow_means_is_said_where_it_occurs(render) -> None:
    assert "rests on a line that did not pass" in render(SLIP)
    assert "rests on a line that did not pass" not in render(made(("ok", "J = J", "")))


EARNS_NOTHING = {
    ("representer", """J = loss(K@a) + lam*norm2(Phi.T@a) + lam*norm2(u)
J >= loss(K@a) + lam*a.T@K@a"""): "since line 1 is too large a step.",
    ("svm-dual", """grad(L,w) = w - X.T@diag(y)@alpha
w = X.T@diag(y)@alpha | set to zero
norm2(w) = 2*alpha.T@diag(y)@K@diag(y)@alpha
2*norm2(w) = 4*alpha.T@diag(y)@K@diag(y)@alpha"""):
        "since no such line reaches a new milestone.",
    ("ridge-dual", """J = 7*norm2(t - K@a)**3 + a.T@a
J - a.T@a = 7*norm2(t - K@a)**3"""):
        "since I found no single edit that mends line 1.",
}  # fmt: skip


@pytest.mark.parametrize(("where", "why"), EARNS_NOTHING.items())
def test_why_an_arrow_earns_nothing_is_said_truly(where, why) -> None:
    note = Document(check_derivation(*where, seed=1)).note
    assert note.endswith(why)


@pytest.mark.parametrize("render", FORMATS)
def test_nothing_written(render) -> None:
    assert "There is no step to check yet." in render(made())


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (SLIP, "Line 2 is the first that does not pass."),
        (made(("ok", "J = J", "")), "has not arrived yet"),
        (made(("ok", "J = J", ""), reached=(0, 1, 2)), "Accepted"),
    ],
)
@pytest.mark.parametrize("render", FORMATS)
def test_verdicts(render, report: Report, words: str) -> None:
    assert words in render(report)


def test_a_note_on_a_right_line_is_shown() -> None:
    report = made(("ok", "J = J", ""))
    noted = replace(report, lines=(replace(report.lines[0], message="K is squared"),))
    assert all("K is squared" in render(noted) for render in FORMATS)


@pytest.mark.parametrize("problem", ["ridge-dual", "product-kernel", "lml-gradient"])
def test_text_is_narrow_and_html_is_sound(problem: str) -> None:
    for kind in ("right", "wrong"):
        for entry in list(texts.read(kind, problem))[:4]:
            report = check_derivation(problem, entry.text, seed=1)
            widest = max(len(line.text) for line in report.lines) + 8
            for line in as_text(report, 3, 10).splitlines():
                assert len(line) <= max(88, widest)
            assert well_formed(as_html(report, 3, 10))


def test_reasons_of_a_long_step_go_below_it() -> None:
    long = "J = " + " + ".join(["lam*a.T@K@a"] * 6)
    first, second, *_ = as_text(made(("ok", long, "expand; collect"))).splitlines()
    assert first == f"1 ✓  {long}"
    assert second == "     | expand; collect"


def test_terminal_commands_are_defused() -> None:
    report = made(("unreadable", "a\x1b[2J\u202e = b\tc", "x\x07"))
    for render in FORMATS:
        assert not {"\x1b", "\u202e", "\x07"} & set(render(report))


def test_the_same_answer_is_shown_the_same() -> None:
    entry = next(texts.read("wrong", "ridge-dual"))
    one, two = (
        check_derivation("ridge-dual", entry.text, explanations=False, seed=seed)
        for seed in (5, 6)
    )
    for render in FORMATS:
        assert render(one) == render(two)


# HTML


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.sound = True

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        self.sound = self.sound and bool(self.open) and self.open.pop() == tag


def parsed(html: str) -> _Tags:
    tags = _Tags()
    tags.feed(html)
    return tags


def well_formed(html: str) -> bool:
    tags = parsed(html)
    return tags.sound and not tags.open


def test_html_is_escaped_and_needs_nothing_else() -> None:
    html = as_html(SLIP)
    assert well_formed(html)
    assert not {"script", "i", "img", "link", "iframe"} & parsed(html).seen
    assert "<code>&lt;script&gt;alert(1)&lt;/script&gt; &amp; a|b</code>" in html
    assert not re.search(r"https?:|url\(|@import|\bon\w+=", html)


def test_html_tells_verdicts_in_words_too() -> None:
    html = as_html(SLIP)
    hidden = re.findall(r'<span class="kl-hidden">([^<]*)</span></td>', html)
    assert hidden == [
        "right",
        "wrong, the first that does not pass",
        "right, but rests on a wrong line",
        "could not be read",
    ]


def test_the_first_failing_line_alone_is_marked() -> None:
    html = as_html(SLIP)
    marked = re.findall(r'class="kl-(line|said) kl-first"', html)
    assert marked == ["line", "said"]


def test_mathematics_is_typeset() -> None:
    html = as_html(SLIP)
    cells = re.findall(r'<div class="kl-math[^>]*>(.*?)</div>', html)
    assert [linear(cell) for cell in cells] == [
        "J=(t−Ka)^⊤(t−Ka)+λa^⊤Ka",
        "∇_aJ=K(Ka−t)+2λKa",
        "K(Ka−t)+2λKa=0",
    ]
    item = re.findall(r"<li>.*?(<math.*</math>)", html)
    assert linear(item[0]) == "a=(K+λI)^−1t"


def test_long_lines_can_be_scrolled_by_keyboard() -> None:
    html = as_html(SLIP)
    assert 'class="kl-math" tabindex="0" role="group" aria-label="step 1"' in html
    assert "tabindex" not in as_html(made(("ok", "J = J", "")))


def _shown(text: str, problem: str = "ridge-dual") -> list[str | None]:
    from kernellab.grading.language.mathml import relation_mathml

    report = check_derivation(problem, text, explanations=False, seed=1)
    return [
        linear(relation_mathml(row.relation, row.typesetter.letters))
        if row.relation
        else None
        for row in Document(report).rows
    ]


def test_a_line_that_goes_on_shows_what_it_adds() -> None:
    text = r"""J = norm2(t - Phi@w) + lam*w.T@w | matrix form
    = norm2(t - K@a) + lam*w.T@w = norm2(t - K@a) + lam*a.T@K@a | substitute w; def K
    \geq lam*a.T@K@a | drop a square"""
    assert _shown(text) == [
        "J=‖t−Φw‖^2+λw^⊤w",
        "=‖t−Ka‖^2+λw^⊤w=‖t−Ka‖^2+λa^⊤Ka",
        "≥λa^⊤Ka",
    ]


def test_claims_definitions_and_wrong_shapes_are_typeset_too() -> None:
    text = """let r = t - K@a
    r = t - K@a | def r
    K is not invertible | claim
    y = Phi@a.T@phis | algebra
    assume K invertible
    Q = 3"""
    assert _shown(text) == [
        "r=t−Ka",
        "r=t−Ka",
        "K\u00a0is not invertible",
        "y=Φa^⊤φ_*",
        None,
        None,
    ]


def test_components_are_counted_as_the_student_counts() -> None:
    shown = _shown("k = (x_1 z_1 + x_2 z_2 + c)^2\nk = (x[0]*z[0] + x[1]*z[1] + c)**2",
                   "polynomial-features")  # fmt: skip
    assert shown == ["k=(x_1z_1+x_2z_2+c)^2"] * 2  # x_1 is the same in all lines


def test_an_assumption_is_shown_as_words_and_only_once() -> None:
    report = check_derivation("ridge-dual", "assume K invertible", seed=1)
    assert Document(report).rows[0].words
    assert as_text(report).splitlines()[0] == "1 ✓  assume K invertible"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("this is so", "This is so"),
        ("lam is a number", "lam is a number"),
        ("a.T is 1×N", "a.T is 1×N"),
        ("", ""),
    ],
)
def test_sentences_start_with_a_capital_unless_with_a_symbol(text, expected) -> None:
    assert sentence(text, frozenset({"lam", "a"})) == expected


PAGES = [
    ("#222222", "#ffffff"), ("#000000", "#fdfcf9"), ("#dddddd", "#111418"),
    ("#ffffff", "#000000"), ("#ced6dd", "#14181e"), ("#cccccc", "#1e1e1e"),
]  # fmt: skip
RED_TINT = (229, 52, 61, 0.09)


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def _mix(one: tuple[float, ...], two: tuple[float, ...], share: float):
    return tuple(share * a + (1 - share) * b for a, b in zip(one, two, strict=True))


def _luminance(colour: tuple[float, ...]) -> float:
    shares = [c / 255 for c in colour]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: tuple[float, ...], two: tuple[float, ...]) -> float:
    low, high = sorted((_luminance(one), _luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("ink", "paper"), PAGES)
def test_colours_can_be_read_on_light_and_dark_pages(ink: str, paper: str) -> None:
    mixed = re.findall(
        r" color: color-mix\(in srgb, currentColor (\d+)%, (#\w{6})", rendering.STYLE
    )
    assert len(mixed) == 3
    tinted = _mix(RED_TINT[:3], _rgb(paper), RED_TINT[3])
    for share, colour in mixed:
        text = _mix(_rgb(ink), _rgb(colour), int(share) / 100)
        assert min(_contrast(text, _rgb(paper)), _contrast(text, tinted)) >= 4.5
    for faint in map(float, re.findall(r"opacity: (\.\d+)", rendering.STYLE)):
        assert _contrast(_mix(_rgb(ink), _rgb(paper), faint), _rgb(paper)) >= 4.5


# Markdown


def test_markdown_is_the_plain_text_in_a_fence_that_nothing_ends() -> None:
    report = made(("unreadable", "a ```` b", "<img src=x>; [a](b)"))
    shown = as_markdown(report, 7.5, 10).splitlines()
    assert shown[0].endswith("** 7.5 of 10 points")
    assert shown[2] == "`````text"
    assert shown[-1] == "`````"
    assert "\n".join(shown[3:-1]) == as_text(report, 7.5, 10)


def test_the_example_of_the_readme_gets_full_marks(capsys) -> None:
    text = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```python\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    (example,) = [textwrap.dedent(b) for b in blocks if "check_derivation" in b]
    exec(example, {})
    assert capsys.readouterr().out.endswith("the derivation arrives.\n100 %\n")


# Formulas in sentences


SHOWN = {
    "def K": ["K"],
    "since $w = \\Phi^T a$ and K = Phi@Phi.T": ["w=Φ^⊤a", "K=ΦΦ^⊤"],
    "lam > 0": ["λ"],
    "a is an unknown": [],
    "x**y <b>": [],
    "see [1], (2)": [],
}


def _typesetter() -> Typesetter:
    problem = find("ridge-dual")
    names = frozenset(problem.table)
    return Typesetter(problem.words(names), problem.letters())


@pytest.mark.parametrize(("reason", "shown"), SHOWN.items())
def test_formulas_in_reasons_are_typeset(reason: str, shown: list[str]) -> None:
    html = _typesetter().reason(reason)
    assert well_formed(html)
    assert [linear(math) for math in re.findall("<math.*?</math>", html)] == shown


@pytest.mark.parametrize(
    ("formula", "count"), [("Phi = [1 2; -1/2 0]", 4), ("(1, 2, 3)", 3), ("K@a", 0)]
)
def test_matrices_of_numbers_are_tables(formula: str, count: int) -> None:
    html = _typesetter().message(f"for `{formula}`, it fails")
    assert html.count("<mtd>") == count
    assert html.count("<math") == 1
    assert well_formed(html)


def test_what_cannot_be_read_is_shown_as_code() -> None:
    assert _typesetter().message("`<b> @`") == "<code>&lt;b&gt; @</code>"
    assert unmarked("a `b` c` d") == "a b c` d"


def test_a_proof_can_be_opened_but_not_in_an_exam() -> None:
    report = check_derivation("push-through", "A@(A.T@A + I) = (A@A.T + I)@A", seed=1)
    assert "Multiplied out, both sides are the same." in as_html(report)
    assert "<details" not in as_html(report, exam=True)
    assert "algebra" not in as_text(report, exam=True)


PROSE = """Proof.
The matrix K is always singular
J
= norm2(t - K@a) + lam*a.T@K@a
grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a
K@((K + lam*I)@a - t) = 0 | set to zero
Hence every solution is equal to zero"""


def test_words_alone_bear_no_verdict() -> None:
    report = check_derivation("ridge-dual", PROSE, seed=1)
    marks = [row.mark for row in Document(report).rows]
    assert marks == ["–", "–", "–", "✓", "✓", "✓", "–"]
    assert report.lines[1].used == "words, which are not judged"
    assert report.lines[2].used == "judged with the next line"
    assert report.first_bad is None
    assert as_text(report).count("(words, which are not judged)") == 3
    assert as_html(report).count("nothing to judge") == 4


def test_nothing_but_words_is_no_answer() -> None:
    report = check_derivation("ridge-dual", "\n".join(PROSE.splitlines()[:2]), seed=1)
    assert (report.accepted, report.score) == (False, 0)
    assert "There is no step to check yet." in as_text(report)
    assert "Every line follows" not in as_text(report)


def test_words_take_nothing_from_an_accepted_text() -> None:
    text = "Proof.\nf0 <= g\nf0 <= (1-tau)*f0 + tau*f1\nf0 <= f1\nThat is what we want"
    report = check_derivation("local-is-global", text, seed=1)
    assert report.accepted
    assert report.score == 1
