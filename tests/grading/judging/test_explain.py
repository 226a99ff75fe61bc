"""Explanations: the counterexample is one, the repair mends the line."""

import re

import pytest

from kernellab.grading import Milestone, Problem, Route, check_derivation

FIRST = "J = (t - K@a).T@(t - K@a) + lam*a.T@K@a | substitute w; def K\n"
SLIPS = {
    "grad(J,a) = 2*K@(K@a - t) + lam*K@a | gradient": (
        "`lam*K@a` were `2*lam*K@a`",
        "a factor 2 was lost",
    ),
    "grad(J,a) = 2*K@(t - K@a) + 2*lam*K@a | gradient": (
        "`2*K@(t - K@a)` were `-2*K@(t - K@a)`",
        "a sign is wrong",
    ),
    "J = t.T@t - a.T@K@t + a.T@K@K@a + lam*a.T@K@a | expand": (
        "`-a.T@K@t` were `-2*a.T@K@t`",
        "a factor 2 was lost",
    ),
    "J = t.T@t - 2*a.T@K@t + a.T@K@a + lam*a.T@K@a | expand": (
        "",
        "the factor `K` was lost",
    ),
}


@pytest.mark.parametrize(("line", "repair"), SLIPS.items())
def test_the_nearest_repair_is_named(line, repair):
    judged = check_derivation("ridge-dual", FIRST + line, seed=1).lines[1]
    assert judged.status == "wrong"
    for words in repair:
        assert words in judged.suggestion


@pytest.mark.parametrize("line", SLIPS)
def test_the_counterexample_can_be_checked_by_hand(line):
    """For N = M = 1 the two sides are evaluated again, by ordinary arithmetic."""
    judged = check_derivation("ridge-dual", FIRST + line, seed=1).lines[1]
    given = dict(re.findall(r"(\w+) = (-?\d+)", judged.counterexample))
    sides = re.search(r"left side is `(-?\d+)`, the right side is `(-?\d+)`",
                      judged.counterexample)  # fmt: skip
    assert sides is not None
    Phi, t, a, lam = (float(given[name]) for name in ("Phi", "t", "a", "lam"))
    K = Phi * Phi
    J = (t - K * a) ** 2 + lam * a * K * a
    left = J if line.startswith("J") else 2 * K * (K * a - t) + 2 * lam * K * a
    right = line.split("=")[1].split("|")[0].replace(".T", "").replace("@", "*")
    value = eval(right, {"K": K, "t": t, "a": a, "lam": lam})
    assert float(sides[1]) == left
    assert float(sides[2]) == value
    assert left != value


SAID = {
    ("push-through", "inv(A@A.T + I)@A = A@inv(A.T@A + I)"): (
        "I found no proof in one step",
        "first write `A = (A@A.T + I)@A@inv(A.T@A + I)`",
    ),
    ("ridge-dual", "w = inv(Phi.T@Phi + lam*I)@Phi.T@t | set to zero"): (
        "a line may use two facts beside the line before, this one needs three: the "
        "gradient, the inverse of `Phi.T@Phi + lam*I` and that the",
        "first write `(Phi.T@Phi + lam*I)@w = Phi.T@t`, with “set to zero”",
    ),
    ("ridge-dual", "lam*w = Phi.T@(t - Phi@w)"): (
        "where the gradient of `J` by `w` vanishes: say so",
    ),
    ("ridge-dual", "(K + lam*I)@a = t"): ("if you mean that it is sufficient, say so",),
    ("ridge-dual", "a = t"): ("this is not true",),
}


THROUGH_W = """
grad(J,w) = -2*Phi.T@(t - Phi@w) + 2*lam*w                  | gradient
(Phi.T@Phi + lam*I)@w = Phi.T@t                             | set to zero
w = inv(Phi.T@Phi + lam*I)@Phi.T@t                          | inverse
Phi.T@inv(Phi@Phi.T + lam*I) = inv(Phi.T@Phi + lam*I)@Phi.T | push-through
w = Phi.T@inv(K + lam*I)@t                                  | substitute
a = inv(K + lam*I)@t                                        | sufficient
"""


def test_what_is_sufficient_in_more_than_one_step_is_not_called_untrue():
    line = check_derivation("ridge-dual", THROUGH_W, seed=1).lines[-1]
    assert "this is enough" in line.message
    assert "compute it first" in line.message
    assert not line.counterexample
    first = "grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a | gradient\na = inv"
    computed = check_derivation(
        "ridge-dual", THROUGH_W.replace("a = inv", first), seed=1
    )
    assert computed.lines[-1].ok


@pytest.mark.parametrize(("where", "words"), SAID.items())
def test_what_is_missing_is_named(where, words):
    problem, line = where
    message = check_derivation(problem, line, seed=1).lines[0].message
    assert all(part in message for part in words)


def test_a_bound_that_always_holds_needs_a_proof_not_an_optimum():
    text = "h = v.T@u - norm2(y-u)/(2*N)\nh <= v.T@y + N/2*norm2(v)"
    message = check_derivation("least-squares-conjugate", text, seed=1).lines[1].message
    assert "where the gradient" not in message
    assert "write the difference of the two sides as a sum of squares" in message


OFFERED = {
    ("ridge-dual", "lam*w = Phi.T@(t - Phi@w)"): " | set to zero",
    ("ridge-dual", "(K + lam*I)@a = t"): " | sufficient",
}


@pytest.mark.parametrize(("where", "word"), OFFERED.items())
def test_the_word_that_is_offered_lets_the_line_pass(where, word):
    problem, line = where
    assert not check_derivation(problem, line, seed=1).lines[0].ok
    assert check_derivation(problem, line + word, seed=1).lines[0].ok


@pytest.mark.parametrize("where", [w for w in SAID if "first write" in SAID[w][-1]])
def test_the_line_that_is_offered_splits_the_step(where):
    problem, line = where
    message = check_derivation(problem, line, seed=1).lines[0].message
    between, words = re.search(
        r"first write `(.*?)`(?:, with “(.*?)”)?", message
    ).groups()
    judged = check_derivation(problem, f"{between} | {words}\n{line}", seed=1)
    assert [step.ok for step in judged.lines] == [True, True]


def test_lines_after_a_slip_may_rest_on_its_repair():
    text = "(Phi.T@Phi + 2*lam*I)@w = Phi.T@t | set to zero\n"
    text += "w = inv(Phi.T@Phi + lam*I)@Phi.T@t | set to zero"
    lines = check_derivation("ridge-dual", text, seed=1).lines
    assert [line.status for line in lines] == ["wrong", "carried"]
    assert "were `(Phi.T@Phi + lam*I)@w`" in lines[0].suggestion


def test_explanations_repeat():
    text = FIRST + next(iter(SLIPS))
    reports = {str(check_derivation("ridge-dual", text, seed=7)) for _ in range(3)}
    assert len(reports) == 1


def test_an_exam_explains_nothing():
    text = FIRST + next(iter(SLIPS))
    line = check_derivation("ridge-dual", text, explanations=False).lines[1]
    assert line.counterexample == line.suggestion == ""


GRADIENT = "grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a\n"
USED = {
    "J = norm2(t - Phi@w) + lam*w.T@w": "by the definition of `J`",
    "J = norm2(t - K@a) + lam*a.T@K@a": "by the definitions of `J`, `K` and `w`",
    "K@a + K@a = 2*K@a": "algebra",
    GRADIENT + "K@(K@a - t) + lam*K@a = 0 | set to zero": (
        "from the line before, since the gradient by `a` vanishes"
    ),
    "(K + lam*I)@a = t | sufficient": "where it holds, the gradient vanishes",
    "(K + lam*I)@a = t | sufficient\na = inv(K + lam*I)@t": (
        "from the line before, by the inverse of `K + lam*I`"
    ),
    "t.T@K@t >= 0": "since squares are not negative",
    # The line that is used is not the one just above.
    GRADIENT + "this I set to zero\nK@(K@a - t) + lam*K@a = 0 | set to zero": (
        "from line 1, since the gradient by `a` vanishes"
    ),
    GRADIENT + "J = 0\nK@(K@a - t) + lam*K@a = 0 | set to zero": (
        "from line 1, since the gradient by `a` vanishes"
    ),
    GRADIENT + "norm2(t) >= 0\nK@(K@a - t) + lam*K@a = 0 | set to zero": (
        "from line 1, since the gradient by `a` vanishes"
    ),
}


@pytest.mark.parametrize(("text", "words"), USED.items())
def test_a_line_says_what_it_uses(text, words):
    line = check_derivation("ridge-dual", text, seed=1).lines[-1]
    assert (line.status, line.used) == ("ok", words)


GRAM = Problem(
    id="gram",
    symbols="""
        Phi : N x M
        K   : N x N, psd = Phi@Phi.T
        t   : N
        a   : N
        J   : number = norm2(t - K@a)
    """,
    object="J",
    variables=("a",),
    unknowns=("a",),
    assumable=("K",),
    routes=(Route((Milestone("normal equations", "K@K@a = K@t", unknown="a"),)),),
)


def test_what_would_have_to_be_assumed_is_named():
    text = "K@(K@a - t) = 0 | set the gradient to zero\nK@a = t"
    line = check_derivation(GRAM, text, seed=1).lines[1]
    assert "`K` may be singular; assume that it is invertible" in line.message
    assert line.counterexample
    assert not line.suggestion
    assert check_derivation(GRAM, f"{text} | assume K invertible", seed=1).lines[1].ok


def test_what_comes_after_the_end_is_skipped(monkeypatch):
    monkeypatch.setattr("kernellab.grading.judging.verdicts.TEXT", -1)
    lines = check_derivation("ridge-dual", FIRST * 3, seed=1).lines
    assert {line.status for line in lines} == {"skipped"}
    assert "too much work" in lines[0].message


# What is offered is no restatement, and passes

RESTATED = {
    ("centred-gram", "H = I"): "factor `H`",
    ("centred-gram", "H@H = I - ones(N)@ones(N).T"): "factor `H`",
    ("principal-directions", "G@v = v"): "factor `G`",
    ("decorrelation", "z = f - k.T@y | let z\ncov(z,y) = 0"): "kss",
}


@pytest.mark.parametrize(("where", "words"), RESTATED.items())
def test_a_repair_says_something(where, words):
    line = check_derivation(*where, seed=1).lines[-1]
    assert line.status == "wrong"
    assert line.counterexample
    assert words not in line.suggestion


REPAIRED = {
    ("ridge-predictor", "y = k.T@a\ny = k.T@(K + lam*I)@t"): "it should be inverted",
    ("ridge-predictor", "y = k.T@a\ny = k.T@inv(K + I)@t"): "factor `lam` was lost",
    ("ridge-expand", "J = norm2(t - K@a) + lam*a.T@a"): "the factor `K` was lost",
    ("ridge-dual", "J = norm2(t - Phi@w) + lam*norm2(a)"): "`w` was meant",
    ("likelihood-gradient", "d(inv(C)) = -inv(C)@dC"): "factor `inv(C)` was lost",
    ("gaussian-in-factors", "k = exp(-norm2(x - z)/(2*s))"): "factor `s` was lost",
    (
        "svm-dual",
        "grad(L,w) = w - sum(alpha[i]*X[i] for i in N)",
    ): "the factor `y[i]` was lost",
}


@pytest.mark.parametrize(("where", "what"), REPAIRED.items())
def test_a_repair_passes_if_it_is_typed(where, what):
    problem, text = where
    line = check_derivation(problem, text, seed=1).lines[-1]
    assert what in line.suggestion
    old, new = re.search(r"if `(.*?)` were `(.*?)`", line.suggestion).groups()
    assert text.count(old.removeprefix("-")) == 1
    typed = text.replace(old, new)
    typed = typed.replace("- -sum", "- sum") if old in text else text.replace(
        f"- {old[1:]}", f"- {new[1:]}"
    )  # fmt: skip
    assert all(line.ok for line in check_derivation(problem, typed, seed=1).lines)


# What was cancelled

CANCELLED = {
    ("same-values", "K@a = K@c\na = c"): "`K` was cancelled, which may be singular",
    ("lagrange-convex", "w = ws | cancel B"): "`B` was cancelled, which may map",
    ("svm-norm", "alpha.T@s = 0\ns = 0"): "`alpha` was cancelled: a product",
    ("same-values", "Phi@u = Phi@w\nu = w"): "`Phi` was cancelled",
    (
        "ridge-dual",
        "grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a\nK@((K + lam*I)@a - t) = 0 | set to "
        "zero\n(K + lam*I)@a - t = 0",
    ): "`K` was cancelled, which may be singular), but it is enough",
}


@pytest.mark.parametrize(("where", "words"), CANCELLED.items())
def test_what_was_cancelled_is_named(where, words):
    line = check_derivation(*where, seed=1).lines[-1]
    assert line.status == "wrong"
    assert words in line.message
    assert not line.suggestion


def test_a_number_that_was_cancelled_may_be_0():
    problem = Problem(
        "cancel",
        "x : number\ny : number\nz : number",
        (Route((Milestone("goal", "x = y"),)),),
        givens=("x*z = y*z",),
        sizes=(),
        regimes=({}, {}),
    )
    line = check_derivation(problem, "x*z = y*z\nx = y", seed=1).lines[-1]
    assert "`z` was cancelled, which may be 0: distinguish cases" in line.message
    assert "z = 0" in line.counterexample


# Bounds

BOUNDS = {
    ("schur-product", "q > 0"): "may be equal, and only `q >= 0` follows",
    ("schur-product", "q < 0"): "only `q >= 0` follows",
    ("local-is-global", "f0 < f1"): "may be equal, and only `f0 <= f1` follows",
    ("one-mistake", "p > u.T@w + gamma"): "only `p >= u.T@w + gamma` follows",
}


@pytest.mark.parametrize(("where", "words"), BOUNDS.items())
def test_the_bound_that_follows_is_offered(where, words):
    problem, text = where
    line = check_derivation(problem, text, seed=1).lines[0]
    assert words in line.message
    offered = re.search(r"only `(.*?)` follows", line.message)[1]
    assert check_derivation(problem, offered, seed=1).lines[0].ok


def test_two_sides_that_are_equal_are_said_to_be():
    line = check_derivation("gaussian-in-factors", "f < 1", seed=1).lines[0]
    assert line.counterexample == "for `x = 0`, `s = 1` both sides are `1`"


def test_an_equation_beside_an_exponential_has_a_counterexample():
    text = "norm2(x - z) = norm2(x) - x.T@z + norm2(z)"
    line = check_derivation("gaussian-in-factors", text, seed=1).lines[0]
    assert "the left side is `4`, the right side is `3`" in line.counterexample


def test_the_failing_part_of_a_chain_and_the_names_in_it_have_values():
    text = "y = a.T@k = k.T@a + lam"
    line = check_derivation("ridge-predictor", text, seed=1).lines[0]
    assert "in `a.T@k = k.T@a + lam` the left side is" in line.counterexample
    assert "(so `a = " in line.counterexample


# Lines that rest on others

SLIP = "J = norm2(t - K@a) + lam*a.T@a\ngrad(J,a) = -2*K@(t - K@a) + 2*lam*a\n"


def test_a_line_says_on_which_wrong_line_it_rests():
    lines = check_derivation("ridge-dual", SLIP, seed=1).lines
    assert [line.status for line in lines] == ["wrong", "carried"]
    assert lines[1].used == "rests on line 1, which did not pass"


def test_a_line_rests_on_a_wrong_one_though_it_puts_a_name_in():
    text = "J = norm2(t - Phi@w) - lam*w.T@w\nJ = norm2(t - K@a) - lam*a.T@K@a"
    lines = check_derivation("ridge-dual", text, seed=1).lines
    assert [line.status for line in lines] == ["wrong", "carried"]


def test_a_line_that_follows_from_a_repair_says_so():
    text = "D = n*p**2/2 - p**3/6 - f - g\n"
    text += "D = n*p**2/2 + p**3/6 - n**2*p/2 - n**3/6"
    last = check_derivation("break-even-point", text, seed=1).lines[-1]
    assert last.status == "carried"
    assert last.used == "follows from what line 1 should be"


NONSENSE = {
    "break-even-point": "D = (p - n)*(p**2 + n**2)/6\n"
    "D = n*p**2/2 + p**3/6 - f - g\n"
    "D = n*p**2/2 + p**3/6 - n**2*p/2 - n**3/6\n"
    "D = (p - n)*(p + n)**2/6",
    "hyperplane-distance": "grad(L,u) = x - u + beta*w\ngrad(L,u) = u - x + beta*w\n"
    "u = x - beta*w | set to zero\nu = x - F*w",
}


@pytest.mark.parametrize(("problem", "text"), NONSENSE.items())
def test_from_a_wrong_line_and_the_right_one_not_everything_follows(problem, text):
    lines = check_derivation(problem, text, seed=1).lines
    assert lines[0].status == lines[-1].status == "wrong"
    assert {line.status for line in lines[1:-1]} == {"ok"}


def test_a_line_that_is_cited_and_did_not_pass_is_named():
    text = "y = phis.T@Phi@a\ny = k.T@inv(K + I)@t | from line 9"
    line = check_derivation("ridge-predictor", text, seed=1).lines[-1]
    assert "there is no line 9 above this one" in line.message
