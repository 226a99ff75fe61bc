"""Questions on values: right, wrong, nearly right, unreadable, hostile."""

import pytest

from kernellab.grading.questions.base import Reference
from kernellab.grading.questions.feedback import Finding
from kernellab.grading.questions.values import Value, Values


def question(*values, **options):
    return Values(
        id="q",
        title="Q",
        statement="?",
        points=4,
        references=(Reference("…"),),
        values=values,
        **options,
    )


NUMBER = question(Value("a", "1/2"))
ROOT = question(Value("r", "sqrt(2)/2", exact=True))
FLOAT = question(Value("r", "sqrt(2)/2", tolerance=1e-3))


@pytest.mark.parametrize(
    "text",
    ["a = 1/2", "a = 0.5", "0.5", "a: 2/4", "A = .5", "a = \\frac{1}{2}", "a = ½",
     "a = 2**-1", "a = 1 - 2^-1", "a=sqrt(1/4) # by the formula", "a = 0.25 + 1/4",
     "a = np.sqrt(0.25)", "a = (1\n/2)", "a = 3; a = 1/2"],
)  # fmt: skip
def test_right_numbers(text):
    assert NUMBER.grade(text).status == "right"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = 1/3", "not the value"),
        ("a = 0.501", "more digits"),
        ("a = [1/2]", "a list of 1, a number is asked for"),
        ("b = 1/2", "missing"),
        ("a =", "nothing after"),
        ("a = 1/0", "division by zero"),
        ("a = 1/2 +", "not an expression"),
        ("a = (1/2", "1 bracket is opened, 0 are closed"),
        ("a = 0.5j", "complex"),
        ("a = half", "no name that is known"),
        ("a = ехр(0)/2", "CYRILLIC"),
        ("a = 9**9**9", "too large"),
        ("a = 1e999", "too large"),
        ("a = " + "9" * 1000, "digits"),
        ("a = exp(exp(exp(9)))", "too large"),
        ("a = __import__('os').getpid()", "no function here"),
        ("a = (lambda: 1/2)()", "no function here"),
        ("a = True/2", "not a number"),
        ("a = " + "(" * 500 + "1/2" + ")" * 500, "not an expression"),
        ("a = " + "-" * 1900 + "1", "nested too deep"),
        ("a = " + "+".join("1" * 900), "too long"),
        ("a = 1/2\x00", "`1/2�` is not an expression"),
        ("a = 1/2\ud800", "cannot be read"),
        ("a = 1\n" * 100_000, "too long"),
        ("a = " + "1" * 100_000, "too long"),
    ],
)
def test_wrong_numbers(text, says):
    outcome = NUMBER.grade(text)
    assert outcome.status == "wrong"
    assert outcome.points == 0
    assert says in " ".join(outcome.text.split())


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ("37980000", ["37 980 000", "37\u2009980\u202f000", "37,980,000", "3.798e7"]),
        ("2*e", ["2e", "2 e", "2·e", "2*exp(1)", "2exp(1)"]),
        ("-2*e", ["-2e", "−2e"]),
        ("2*e + 1", ["2e + 1", "1 + 2e", "(2e + 1)"]),
        ("[-2/e, -2*e]", ["[-2/e, -2e]", "-2/e, -2e"]),
        ("2*pi*sqrt(2)", ["2pi*sqrt(2)", "2π*√2", "2sqrt(2)*pi"]),
        ("20", ["2e1", "2e+1", "2(3 + 7)"]),
        ("[100, 200]", ["100,200", "[100, 200]"]),
    ],
)
def test_numbers_as_people_write_them(answer, texts):
    for text in texts:
        assert question(Value("a", answer)).grade(f"a = {text}").status == "right"


def test_numbers_side_by_side_are_no_number():
    assert question(Value("a", "100200")).grade("a = [100 200]").status == "wrong"


def test_exact_values_are_compared_exactly():
    assert ROOT.grade("r = 1/sqrt(2)").points == 4
    assert ROOT.grade("r = (sqrt(8) - sqrt(2))/2").points == 4
    close = ROOT.grade("r = 0.70711")
    assert (close.points, close.status) == (2, "partial")
    assert "exact value is asked" in close.text
    assert ROOT.grade("r = 70711/100000").points == 0


def test_decimals_within_the_tolerance():
    assert FLOAT.grade("r = 0.7071").points == 4
    assert FLOAT.grade("r = 0.72").points == 0


def test_a_value_that_is_not_algebraic():
    q = question(Value("v", "exp(-1/2)", exact=True))
    assert q.grade("v = 1/sqrt(e)").points == 4
    assert q.grade("v = e**(-1/2)").points == 4
    assert q.grade("v = exp(-1/3)").points == 0


def test_vectors_matrices_and_sets():
    q = question(
        Value("u", "[1, -1/2]"), Value("M", "[[2, 1], [1, 2]]"), Value("s", "{0, 1}")
    )
    right = "u = np.array([[1], [-0.5]])\nM = [[2, 1],\n     [1, 2]]\ns = {1, 0, 1}"
    assert q.grade(right).status == "right"
    wrong = q.grade("u = [1, -1/2, 0]\nM = [[2, 1], [1, 3]]\ns = {0, 1, 2}")
    assert wrong.points == 0
    assert "a list of 3, a list of 2 is asked for" in wrong.text
    assert q.grade("s = {0, 1}").points == round(4 / 3, 2)


LIST = question(Value("a", "[1, -1, 1/2]"), Value("w", "2"))


@pytest.mark.parametrize(
    "text",
    [
        "a = 1; -1; 0.5\nw = 2",
        "a = [1; -1; 0.5]; w = 2",
        "a = 1/2*(2, -2, 1); w = tanh(0) + cosh(0) + 1",
        "a = -[-2, 2, -1]/2; w = max(0, 2, 1)",
        "w = 2\na = [w/2, -w/2, w/4]",
        "half = 1/2\na = [1, -1, half]; w = 4*half",
        "w = 2; a = w*np.array([1/2, -1/2, 1/4])",
    ],
)
def test_lists_and_names_as_people_write_them(text):
    outcome = LIST.grade(text)
    assert outcome.status == "right", outcome
    assert "answers nothing" not in outcome.text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = 2*b; w = 2; b = 1", "`b` is not a number, and no name that is known"),
        ("a = 2; -2\nw = 2; done", "`done` answers nothing; asked for: a, w"),
        ("a = [1, -1, 1/2]; w = 1; 2", "a list of 2, a number is asked for"),
        ("a = 2*{1, 2}; w = 2", "not a number"),
        ("a = [1, 2] + [3]; w = 2", "not a number"),
        ("a = 1; w = sqrt(1, 2)", "sqrt does not take 2 numbers"),
        ("a = 1/[1, 2]; w = 2", "not a number"),
        ("a = 1; w = e = 3", "not an expression"),
    ],
)
def test_lists_and_names_that_are_not_read(text, says):
    outcome = LIST.grade(text)
    assert outcome.status != "right"
    assert says in " ".join(outcome.text.split())


def test_names_are_put_in_within_bounds():
    doubled = "".join(f"n{i} = n{i - 1} + n{i - 1}\n" for i in range(1, 60))
    assert NUMBER.grade(f"n0 = 1\n{doubled}a = n59").points == 0
    assert NUMBER.grade("e = 3\na = e/(2*e)").points == 4


def test_the_usual_functions():
    for text in ("sinh(1)/cosh(1)", "(exp(2) - 1)/(exp(2) + 1)", "0.761594"):
        assert question(Value("t", "tanh(1)")).grade(f"t = {text}").points == 4
    for text in ("log2(8)", "log10(1000)", "3 tan(pi/4)"):
        assert question(Value("t", "3")).grade(f"t = {text}").points == 4


def test_words():
    q = question(Value("ok", "yes", choices=("yes", "no")))
    assert q.grade("ok = Yes").points == 4
    assert q.grade("ok = true").points == 4
    assert q.grade("'yes'").points == 4
    assert q.grade("ok = no").points == 0
    maybe = q.grade("ok = maybe")
    assert "one of: yes, no" in " ".join(maybe.text.split())
    assert "one of yes, no" in q.grade("ok = 1").text


def test_weights_and_traps():
    q = question(
        Value("a", "2", weight=3, traps={"1": "you kept the factor 1/2"}),
        Value("b", "0"),
    )
    outcome = q.grade("a = 1\nb = 0")
    assert outcome.points == 1
    assert "factor 1/2" in outcome.text
    assert q.grade("a = 2").points == 3
    assert outcome.data == {"a": False, "b": True}


def check_sum(data):
    total = data["x"] + data["y"]
    return [
        Finding((total - 1).sign() == 0, "they add to one", share=3),
        Finding(data["x"].sign() > 0, "x > 0", share=1),
    ]


def test_answers_that_are_not_unique():
    q = question(Value("x"), Value("y"), check=check_sum, check_weight=1)
    assert q.grade("x = 1/3; y = 2/3").points == 4
    assert q.grade("x = -1; y = 2").points == 3
    assert q.grade("x = 1; y = 1").points == 1
    assert q.grade("x = 1").points == 0
    assert "form asked for" in q.grade("x = [1]; y = 0").text


def test_stray_lines_are_named_and_cost_nothing():
    q = question(Value("alpha", "1"))
    outcome = q.grade("alpha = 1\nalpah = 2\n<script>alert(1)</script>")
    assert outcome.points == 4
    assert "was `alpha` meant?" in outcome.text
    assert "<script>" not in outcome.html


def test_an_exam_shows_no_explanations():
    assert "not the value" not in NUMBER.grade("a = 1/3", exam=True).text


def test_blank_is_unanswered():
    assert NUMBER.grade("# nothing yet\n").status == "unanswered"


def test_reports_are_deterministic():
    text = "a = 1/3\nz = 4"
    assert NUMBER.grade(text) == NUMBER.grade(text)
