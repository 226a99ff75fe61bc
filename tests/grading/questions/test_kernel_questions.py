"""Kernel proofs, refutations and claims: right, wrong, forbidden, hostile."""

from fractions import Fraction

import pytest

from kernellab.grading.questions import exact
from kernellab.grading.questions.base import Reference
from kernellab.grading.questions.constructions import Construction
from kernellab.grading.questions.feedback import Finding
from kernellab.grading.questions.kernel_questions import (
    KernelClaim,
    KernelProof,
    KernelRefutation,
)
from kernellab.kernels import FiniteSet, Interval, Map, Orthant, Reals

COMMON = {
    "id": "q",
    "title": "Q",
    "statement": "?",
    "points": 4,
    "references": (Reference("…"),),
}


def proof(**options):
    return KernelProof(**COMMON, **options)


def refutation(**options):
    return KernelRefutation(**COMMON, **options)


def flat(outcome):
    return " ".join(outcome.text.split())


GAUSSIAN = proof(target="Gaussian(sigma=2)", forbid=("Gaussian", "Matern"))
CUBE = proof(target="k1**3 + 2*k1 + 3", given=("k1",), forbid=("Power", "PolynomialOf"))
ROOT = refutation(
    formula=lambda x, z: exact.sqrt(1 + x[0] * z[0]), domain=Orthant(1), most_points=4
)


@pytest.mark.parametrize(
    "text",
    [
        "f(x) = exp(-norm2(x)/8)\nk = exp(Linear()/4).weighted(f)",
        "f(x) = exp(-x.T@x/8)\nk1 = Linear()/4\nk2 = exp(k1)\nk2.weighted(f)",
        "k = normalize(exp(Linear() * 0.25))",
        "k(x, x') = exp(Linear(A=[[1]])/4).normalize()",
    ],
)
def test_ways_to_build_the_gaussian(text):
    question = GAUSSIAN if "A=" not in text else proof(
        target="Gaussian(sigma=2)", domain=Reals(1), forbid=("Gaussian",)
    )  # fmt: skip
    outcome = question.grade(text)
    assert outcome.status == "right", outcome
    assert "PROVEN" in outcome.text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("k = Gaussian(sigma=2)", "`Gaussian` may not be used"),
        ("k = Gaussian(sigma=4)**4", "`Gaussian` may not be used"),
        ("k = exp(Linear()/4)", "values differ: at x = 0, x' = 1"),
        ("k = exp(-Linear())", "REFUTED"),
        ("k = Linear() - exp(Linear())", "REFUTED"),
        ("k = k1 + 1", "`k1` is not known"),
        ("k = Linеar()", "CYRILLIC SMALL LETTER IE"),
        ("k = Linear", "needs brackets"),
        ("k = exp(Linear()/4).weighted(exp)", "needs brackets"),
        ("k = Linear().weighted(2)", "takes a function"),
        ("f(x) = x[1]\nk = Linear().weighted(f)", "counted from 0"),
        ("f(x) = log(x[0])\nk = Linear().weighted(f)", "no finite value"),
        ("f(x) = open(x)\nk = Linear()", "not known here"),
        ("f(x) = x.__class__\nk = Linear()", "not a number"),
        ("k = Linear().__class__()", "the methods of a kernel are"),
        ("k = (lambda: 1)()", "not known here"),
        ("k = [Linear() for i in range(9)]", "not part of the language"),
        ("k = Linear()[0]", "not part of the language"),
        ("k = Linear()**(9**9**9)", "too large"),
        ("k = Linear()**1000", "at most 64"),
        ("k = 2**Linear()", "an exponent is a number"),
        ("k = Linear()*1e50", "too large"),
        ("k = FromFunction(max)", "not known here"),
        ("k = Polynomial(degree=0.5)", "integer"),
        ("k = Gaussian(sigma=-1)", "positive"),
        ("k = Gaussian(**2)", "not allowed"),
        ("k = Gaussian(**Linear())", "not allowed"),
        ("k = 3", "not a kernel"),
        ("k = Linear()" + " + Linear()" * 80, "too long"),
        ("k = " + "(" * 300 + "Linear()", "301 brackets are opened, 1 is closed"),
        ("k = " + "exp(" * 55 + "Linear()" + ")" * 55, "not a finite number"),
        ("k = Linear()\n" * 100_000, "too long"),
        ("Linear = exp(Linear())", "given already"),
        ("<script>alert(1)</script>", "not an expression"),
    ],
)
def test_wrong_proofs(text, says):
    outcome = GAUSSIAN.grade(text)
    assert outcome.points == 0
    assert says in flat(outcome)
    assert "<script>" not in outcome.html


def test_an_unknown_verdict_names_the_missing_premise():
    outcome = CUBE.grade("k = k1*k1*k1 + 5*k1 - 3*k1 + 3")
    assert outcome.points == 0
    assert "missing: c = -3 ≥ 0" in flat(outcome)
    assert "its values are those of the target" in flat(outcome)


def test_given_kernels_are_any_kernels():
    assert CUBE.grade("k1*k1*k1 + 2*k1 + 3").status == "right"
    assert "for example with" in flat(CUBE.grade("k1*k1 + 2*k1 + 3"))
    # Right only if k1 is the Gaussian or the linear kernel.
    for special in ("Gaussian()", "Linear()"):
        assert CUBE.grade(f"{special}*k1*k1 + 2*k1 + 3").points == 0


@pytest.mark.parametrize(
    "text",
    [
        "k = k1 k1 k1 + 2k1 + 3",
        "k(x,x') = k1(x,x')*k1(x,x')*k1(x,x') + 2 k1(x,x') + 3",
        "k(x, x′) = k1(x, x′) ⋅ k1(x, x′) × k1(x, x′) + 2·k1(x, x′) + 3",
        "k(s, t) = k1(s, t)k1(s, t)k1(s, t) + 2k1(s, t) + 3",
        "k = k1(k1 k1 + 2) + 3",
        "k = k_1 k₁ k1 + 2 k_1 + 3",
        "a = k1 k1\nk = a k1 + 2(k1 + 1) + 1",
        "s(x, y) = k1(x, y) k1(y, x)\nk = s(x, x') k1 + 2k1 + 3",
    ],
)
def test_products_as_mathematicians_write_them(text):
    outcome = CUBE.grade(text)
    assert outcome.status == "right", outcome


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("k1**3 + 2", "`k1**3`: powers may not be used here; write the product"),
        ("k1^3 + 2", "`k1^3`: powers may not be used here; write the product `k1*k1"),
        ("(k1-1)^2 (k1+2) + 3k1", "write the product `(k1 - 1)*(k1 - 1)`"),
        ("sqrt(k1)", "`sqrt(k1)`: powers may not be used here"),
        ("k1^64", "powers may not be used here: build it from other rules"),
        ("k1.polynomial([1, 2])", "`polynomial` may not be used"),
    ],
)
def test_a_power_that_may_not_be_used_is_named_as_it_was_typed(text, says):
    assert says in flat(CUBE.grade(text))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("k = k1 +", "Write kernels by their names, with * between factors"),
        ("k = k1(x, x) + 2", "`x` is not known here. It is a point"),
        ("k(x) = k1 + 2", "a kernel has two points: write `k = …`"),
        ("a = k1 +\nk = a", "`a`: `k1 +` is not an expression"),
        (
            "k = g(x)*k1*g(x')",
            "`g` is not known here. A function of a point has a line",
        ),
        ("k = x*k1", "It is a point"),
    ],
)
def test_what_is_no_kernel_expression_says_what_to_write(text, says):
    outcome = CUBE.grade(text)
    assert outcome.points == 0
    assert says in flat(outcome)
    assert "line 1" not in outcome.text


@pytest.mark.parametrize(
    "text",
    [
        "k(x,x') = exp(x x'/2)",
        "k(x, y) = exp(xy/2)",
        "k(x, x') = e^{xx'/2}",
        "exp(xᵀx'/2)",
        "exp(x^T x'/2)",
        "exp(⟨x, x'⟩/2)",
        "exp(Linear(x, x')/2)",
        "f(x) = exp(x x/4)\nk = f(x)*exp(-(x - x')²/4)*f(x')",
        "f(x) = exp(x^2/4)\nk(x, y) = f(x) Gaussian(sigma=√2) f(y)",
    ],
)
def test_functions_of_two_points(text):
    question = proof(target="exp(Linear()/2)", domain=Reals(1))
    outcome = question.grade(text)
    assert outcome.status == "right", outcome


def test_a_given_kernel_is_not_divisible_nor_positive():
    root = proof(target="sqrt(k1)", given=("k1+",))
    assert "PROVEN" not in root.grade("sqrt(k1)").text
    cosine = {"target": "normalize(k1)", "domain": Reals()}
    assert proof(given=("k1+",), **cosine).grade("normalize(k1)").status == "right"
    outcome = proof(given=("k1",), **cosine).grade("normalize(k1)")
    assert outcome.points == 0


def test_required_rules_earn_the_other_half():
    question = proof(target="(Linear() + 1)**2", require=("feature map",))
    assert question.grade("(Linear() + 1)**2").points == 2
    one = proof(target="(Linear() + 1)**2", domain=Reals(1), require=("feature map",))
    right = "phi(x) = [1, sqrt(2)*x[0], x[0]**2]\nk = FromFeatures(phi)"
    assert one.grade(right).points == 4
    assert one.grade(right.replace("sqrt(2)", "2")).points == 0


def test_a_leaf_that_is_the_target_proves_nothing():
    question = proof(target="exp(Linear())", domain=Reals(1))
    assert question.grade("exp(Linear())").status == "right"
    named = proof(target="Cosine(omega=2)", domain=Reals(1))
    assert "by its name" in flat(named.grade("Cosine(omega=2)"))
    built = "phi(x) = [cos(2*x[0]), sin(2*x[0])]\nk = FromFeatures(phi)"
    assert named.grade(built).status == "right"
    easy = proof(target="Cosine(omega=2)", domain=Reals(1), may_name=True)
    assert easy.grade("Cosine(omega=2)").status == "right"


def test_leaves_may_be_restricted():
    question = proof(target="exp(Linear())", leaves=("Linear",))
    assert "`Constant` is not known" in flat(question.grade("Constant(1)"))
    assert question.grade("exp(Linear())").status == "right"


def test_functions_of_the_question():
    squares = Map(lambda X: X**2, "squares", into=Orthant())
    question = proof(
        target="HistogramIntersection().pullback(g)", functions={"g": squares}
    )
    assert question.grade("HistogramIntersection().pullback(g)").status == "right"
    assert question.grade("g(x) = x\nk = Linear()").points == 0


def test_small_differences_are_seen():
    for text in (
        "normalize(exp(Linear()/4)) + Constant(1e-8)*Linear()",
        "normalize(exp(Linear()/4.0000001))",
        "normalize((1 + Linear()/256)**64)",
    ):
        assert GAUSSIAN.grade(f"k = {text}").points == 0


def test_a_parameter_dimension_is_respected():
    parts = proof(target="Gaussian().on([0]) * Linear().on([1, 2])", domain=Reals(3))
    assert parts.grade("Linear().on([1, 2]) * Gaussian().on(0)").status == "right"
    assert parts.grade("Linear().on([1, 3]) * Gaussian().on(0)").points == 0


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("points = [[0], [1], [2]]\nc = [1, -2, 1]", True),
        ("points = [0, 1, 2]\nc = [1, -2, 1]", True),
        ("c = [[1], [-2], [1]]; points = ((0,), (1,), (2,))", True),
        ("points = [0, 1/2 + 0.5, sqrt(4)]\nc = [1/2, -1, 1/2]", True),
        ("points = [0, 1, 6]\nc = [1, -2, 1]", False),
    ],
)
def test_refutations_in_exact_arithmetic(text, right):
    assert (ROOT.grade(text).status == "right") == right


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("points = [0, 1]\nc = [1, -1]", "not negative: your c gives cᵀKc = -1 + √2"),
        ("points = [0, 1]\nc = [0, 0]", "c = 0 shows nothing"),
        ("points = [0, -1]\nc = [1, 1]", "outside the domain: [0, ∞)"),
        (
            "points = [0, 1, 2]\nc = [1, 1]",
            "for 3 points there must be as many coefficients",
        ),
        ("points = [[0, 1]]\nc = [1]", "has 2 coordinates, 1 is asked for"),
        ("points = [0, 1j]\nc = [1, 1]", "complex"),
        ("points = [0, 1, 2, 3, 4]\nc = [1, 1, 1, 1, 1]", "at most 4 points"),
        ("points = []\nc = []", "points is a list"),
        ("points = [0]\nc = 1", "c is a list of numbers"),
        ("points = [0, 1]", "missing: c"),
        ("x = [0, 1]", "is not asked for"),
        ("points = [{0}, {1}]\nc = [1, 1]", "is not a point"),
        ("points = [0, 9**9**9]\nc = [1, 1]", "too large"),
        ("points = [0, exp(9999)]\nc = [1, -1]", "not negative"),
        ("points = [0, <b>1</b>]\nc = [1, 1]", "not an expression"),
        ("points = " + "[" * 1500, "1500 brackets are opened"),
    ],
)
def test_wrong_refutations(text, says):
    outcome = ROOT.grade(text)
    assert outcome.points == 0
    assert says in flat(outcome)


def test_a_sign_that_is_not_certain_is_not_accepted():
    # exp(1)·exp(−1) − 1 is 0, and intervals can only say: between −ε and ε.
    null = refutation(formula=lambda x, z: exact.exp(1) * exact.exp(-1) - 1)
    outcome = null.grade("points = [0]\nc = [1]")
    assert outcome.points == 0
    assert "not decided" in flat(outcome)


def test_a_tiny_negative_value_is_certain():
    def formula(x, z):
        return exact.exp(Fraction(-1, 10**30)) - 1

    assert refutation(formula=formula).grade("points=[0]; c=[1]").status == "right"


def test_a_formula_without_a_value_is_said():
    inverse = refutation(formula=lambda x, z: 1 / (x[0] - z[0]))
    outcome = inverse.grade("points = [0, 1]\nc = [1, 1]")
    assert "division by zero" in flat(outcome)


def test_named_points():
    S = {("tea", "cola"): Fraction(1, 10), ("cola", "tea"): Fraction(1, 10)}

    def panel(x, z):
        return exact.Real(1 if x == z else S.get((x, z), Fraction(9, 10)))

    question = refutation(formula=panel, words=("tea", "coffee", "cola"))
    right = "points = [tea, coffee, cola]\nc = [1, -1, 1]"
    assert question.grade(right).status == "right"
    assert question.grade("points = [tea, water]\nc = [1, 1]").points == 0


def test_domains_are_exact():
    inner = refutation(
        formula=lambda x, z: -exact.Real(1), domain=Interval(-1, 1, closed=False)
    )
    assert "outside" in inner.grade("points = [1]; c = [1]").text
    near = "points = [1 - 1/10**40]; c = [1]"
    assert inner.grade(near).status == "right"
    two = refutation(formula=lambda x, z: -exact.Real(1), domain=FiniteSet([[0], [2]]))
    assert two.grade("points = [2]; c = [1]").status == "right"
    assert "outside" in two.grade("points = [1]; c = [1]").text


def also(data):
    good = data["good"]
    return [Finding(len(good) == 2, "two points")]


def test_further_conditions():
    question = refutation(
        formula=lambda x, z: -exact.Real(1), extra=("good",), also=also
    )
    base = "points = [0]\nc = [1]\n"
    assert question.grade(base + "good = [0, 1]").points == 4
    assert question.grade(base + "good = [0]").points == 2
    assert "form asked for" in question.grade(base + "good = 1").text
    assert "missing: good" in question.grade(base).text


FALSE_CLAIM = KernelClaim(
    **COMMON, formula=lambda x, z: 1 - (x[0] - z[0]) ** 2, valid=False
)
TRUE_CLAIM = KernelClaim(
    **COMMON,
    formula=lambda x, z: exact.exp(x[0] * z[0]) * x[0] * z[0],
    valid=True,
    rules=Construction(forbid=("FromFeatures",)),
)


def test_claims():
    assert FALSE_CLAIM.grade("invalid\npoints = [0, 2]\nc = [1, 1]").points == 4
    assert TRUE_CLAIM.grade("valid\nk = exp(Linear())*Linear()").points == 4
    assert TRUE_CLAIM.grade("invalid\npoints = [0, 2]\nc = [1, 1]").points == 0
    outcome = FALSE_CLAIM.grade("valid\nk = 1 + Linear()")
    assert outcome.points == 0
    assert "values differ" in flat(outcome)


def test_a_claim_quotes_what_it_cannot_read_without_a_number():
    outcome = TRUE_CLAIM.grade("valid\nk = exp(x x'/2")
    assert "✗ `exp(x x'/2` is not an expression: 1 bracket is opened" in flat(outcome)
    assert repr(TRUE_CLAIM.read("valid; k = exp(x x')")) == "exp(Linear())"


@pytest.mark.parametrize("claim", [FALSE_CLAIM, TRUE_CLAIM])
@pytest.mark.parametrize("text", ["valid", "invalid", "perhaps", "k = Linear()"])
def test_a_claim_needs_a_side_and_a_reason(claim, text):
    assert claim.grade(text).points == 0


def test_agreement_at_the_points_tried_does_not_make_a_claim_true():
    lie = KernelClaim(**COMMON, formula=lambda x, z: x[0] * z[0], valid=False)
    outcome = lie.grade("valid\nk = 2*Linear()/2")
    assert outcome.points == 0


def test_reports_are_deterministic_and_depend_on_nothing_hidden():
    text = "k = k1*k1"
    first, second = CUBE.grade(text, seed=3), CUBE.grade(text, seed=3)
    assert first == second
    assert "0x" not in first.text


def test_an_exam_shows_no_explanations():
    assert "values differ" not in GAUSSIAN.grade("k = Linear()", exam=True).text
    assert "cᵀKc" not in ROOT.grade("points=[0]; c=[1]", exam=True).text


def test_a_function_that_is_not_symmetric_is_compared_entry_by_entry():
    question = proof(target="Linear(A=[[1, 0], [0, 1]])", domain=Reals(2))
    outcome = question.grade("k = Linear(A=[[1, 1], [-1, 1]])")
    assert "at x = (0, 1), x' = (1, -1) your kernel is -2, the target -1" in (
        flat(outcome)
    )


REWRITES = [
    ("k1*k1 + 2*k1*k2 + k2*k2", "(k1 + k2)*(k1 + k2)"),
    ("k1*(k1*(k1*3 + 1/3) + 0.1) + 7", "3*k1**3 + k1**2/3 + k1/10 + 7"),
    ("exp(k1 + k2)", "exp(k2)*exp(k1)"),
    ("exp(k1)**3", "exp(3*k1)"),
    ("Gaussian(sigma=1)*Gaussian(sigma=1)", "Gaussian(sigma=1/sqrt(2))"),
    ("Gaussian(sigma=3)", "normalize(exp(Linear()/9))"),
    ("Laplacian(sigma=2)**2", "Laplacian(sigma=1)"),
    ("Polynomial(degree=3, c=2)", "(2 + Linear())*(Linear() + 2)**2"),
    ("k1.polynomial([1, 0, 2])", "1 + 2*k1*k1"),
    ("exp(k1).normalize()*exp(k2).normalize()", "normalize(exp(k1 + k2))"),
]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("target", "text"), REWRITES)
def test_rewrites_are_not_rejected(target, text, seed):
    question = proof(target=target, given=("k1", "k2"), may_name=True)
    outcome = question.grade(f"k = {text}", seed=seed)
    assert outcome.status == "right", outcome
    spoiled = question.grade(f"k = {text} + Constant(1e-6)", seed=seed)
    assert spoiled.points == 0


def test_the_witness_against_a_false_claim_is_not_given_away():
    claim = KernelClaim(
        **COMMON,
        formula=lambda x, z: x[0] * z[0] - x[1] * z[1],
        domain=Reals(2),
        valid=False,
    )
    outcome = claim.grade("valid; k = Linear(A=[[1, 0], [0, -1]])")
    assert "REFUTED" in outcome.text
    assert "cᵀKc" not in outcome.text
    other = claim.grade("valid; k = Linear(A=[[1, 0], [0, -2]])")
    assert "cᵀKc" in other.text
