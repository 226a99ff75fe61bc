"""Is a line true? Lines of the course's derivations, and what is easily got wrong."""

import random

import pytest

from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.instances.claims import decide_claim
from kernellab.grading.instances.truth import is_true
from kernellab.grading.problem import Problem
from tests.grading.lines import Lines

QUESTIONS = {n: q for n, q in open_bank().questions.items() if hasattr(q, "problem")}
ASSUMED = "K invertible, assumed and said"  # a line of it changes the setting


def truth(lines: Lines, text: str, seed: int = 0) -> bool | None:
    """Decide a relation or a claim."""
    relation, free = lines.read(text)
    rng = random.Random(seed)
    if not relation.signs:
        return decide_claim(lines.setting, relation.sides[0], rng)
    return is_true(lines.setting, relation, free, rng)


def declared(symbols: str, **more: object) -> Lines:
    """A problem of symbols alone."""
    return Lines(Problem("test", symbols, (), **more))


# Along a recursion lines hold under hypotheses, which are tested with the judge.
UNCONDITIONAL = [name for name, q in QUESTIONS.items() if not q.problem.recursion]


@pytest.mark.parametrize("name", UNCONDITIONAL)
def test_lines_of_references_are_true_at_the_optimum(name):
    question = QUESTIONS[name]
    for reference in question.references:
        if reference.name == ASSUMED:
            continue
        lines = Lines(question.problem, optimal=True)
        for step, _, _ in lines.follow(reference.answer):
            whole = step.relation
            if not step.continues:
                assert truth(lines, whole) is True, (reference.name, whole)


RIDGE = {
    "false anywhere": """
        J = t.T@t - a.T@K@t + a.T@K@K@a + lam*a.T@K@a
        J = norm2(t - K@a) + lam*a.T@a
        grad(J,a) = 2*K@(t - K@a) + 2*lam*K@a
        K@((K + 2*lam*I)@a - t) = 0
        a = inv(K + lam*I)@K@t
        diff(J,a[k]) = -2*(t[k] - sum(K[k,m]*a[m] for m in N)) + 2*lam*w.T@phi[k]
        J = norm2(t - K@a) + lam*sum(a[n]*K[n,n]*a[n] for n in N)
        (K + lam*I)@a = t
        """,
    "true at the optimum": """
        K@((K + lam*I)@a - t) = 0
        w = Phi.T@inv(K + lam*I)@t
        y = k.T@inv(K + lam*I)@t
        grad(J,a) = 0
        diff(J,w[i]) = 0
        """,
    "true anywhere": """
        J = norm2(t - K@a) + lam*a.T@K@a
        grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a
        grad(2*J,w) = 4*Phi.T@(Phi@w - t) + 4*lam*w
        K[n,m] = phi[n].T@phi[m]
        Phi.T@inv(K + lam*I) = inv(Phi.T@Phi + lam*I)@Phi.T
        """,
}
RIDGE_LINES = [(k, t.strip()) for k, v in RIDGE.items() for t in v.strip().splitlines()]


@pytest.mark.parametrize(("where", "text"), RIDGE_LINES)
def test_ridge_lines_anywhere_and_at_the_optimum(where, text):
    anywhere = truth(Lines("ridge-dual"), text)
    at_optimum = truth(Lines("ridge-dual", optimal=True), text)
    assert anywhere is (where == "true anywhere")
    assert at_optimum is (where != "false anywhere")


def test_a_singular_matrix_cannot_be_cancelled_unless_assumed_invertible():
    lines = Lines("ridge-dual", optimal=True)
    assert truth(lines, "(K + lam*I)@a = t") is False
    lines.change(invertible=(lines.side("K"),))
    assert truth(lines, "(K + lam*I)@a = t") is True


def test_opaque_semidefinite_matrices_are_singular_somewhere():
    lines = declared("K : N x N, psd\nx : N", sizes=("N",), regimes=({"N": 3},) * 2)
    assert truth(lines, "invertible(K)") is False
    assert truth(lines, "invertible(K + I)") is True
    assert truth(lines, "inv(K)@K@x = x") is True  # wherever it has a value


@pytest.mark.parametrize("seed", range(12))
def test_a_polynomial_in_N_does_not_vanish_at_all_sizes(seed):
    lines = Lines("least-squares-conjugate", optimal=True)
    zero = "(N-4)*(N-5)*(N-6)*(N-7)*(N-8)"
    assert truth(lines, "u = y + N*v", seed) is True
    assert truth(lines, f"u = y + (N + {zero})*v", seed) is False


def test_a_chain_asserts_each_link():
    lines = declared("x : number\ny : positive")
    assert truth(lines, "x = x + 0 = x*1") is True
    assert truth(lines, "x = y = x") is False
    assert truth(lines, "x**2 + y >= x**2 = x**2") is True


ROOTS = {
    "sqrt(s*s) = s": True,
    "sqrt(x**2) = x": False,
    "sqrt(s**2 + 2*s*r + r**2) = s + r": True,  # s + r need not be a square mod p
    "sqrt(s)*sqrt(r) = sqrt(r*s)": True,
    "sqrt(s + r) = sqrt(s) + sqrt(r)": False,
    "exp(x)*exp(s) = exp(x + s)": True,
    "exp(x)*exp(s) = exp(x*s)": False,
    "exp(x) + exp(-1000)*s = exp(x)": False,
    "log(s*r) = log(s) + log(r)": True,
    "log(exp(x)) = x": True,
    "exp(log(s)) = s": True,
    "log(s + r) = log(s) + log(r)": False,
    "diff(exp(2*v[0]), v[0]) = 2*exp(2*v[0])": True,
    "sqrt(s*pi**2) = pi*sqrt(s)": True,
}


@pytest.mark.parametrize("text", ROOTS)
def test_roots_exponentials_and_logs(text):
    lines = declared("s : positive\nr : positive\nx : number\nv : 2", sizes=())
    lines.declare(regimes=({}, {}))
    assert truth(lines, text) in ((True,) if ROOTS[text] else (False, None)), text
    if "1000" not in text:
        assert truth(lines, text) is ROOTS[text]


def test_the_conditional_moments_are_the_true_ones():
    lines = Lines("gp-predictive")
    lines.let("z = f - k.T@inv(C)@y")
    assert truth(lines, "cov(z,y) = 0") is True
    assert truth(lines, "m = f - z") is True
    assert truth(lines, "s2 = cov(z,z)") is True
    assert truth(lines, "s2 = kss - 2*k.T@inv(C)@k") is False
    assert truth(lines, "m = k.T@y") is False
    assert truth(lines, "s2 >= 0") is True  # k and kss must be covariances
    assert truth(lines, "s2 <= kss") is True
    assert truth(lines, "s2 >= kss") is False
    assert truth(lines, "cov(y.T@y, f) = 0") is None  # not linear


def test_derivatives_along_theta():
    lines = Lines("lml-gradient")
    assert truth(lines, "d(inv(C)) = -inv(C)@dC@inv(C)") is True
    assert truth(lines, "d(log(det(C))) = trace(inv(C)@dC)") is True
    assert truth(lines, "d(log(det(C))) = trace(C@dC)") is False
    assert truth(lines, "d(dC) = 0") is None  # nothing is known about it


BOUNDS = {
    "x**2 >= 0": True,
    "x**2 >= x": False,
    "s >= 0": True,
    "x >= s": False,
    "x <= x + s": True,
    "v.T@v >= x": False,
    "(u.T@v)**2 <= norm2(u)*norm2(v)": True,
    "v[n] >= u[n]": False,
}


@pytest.mark.parametrize("text", BOUNDS)
def test_bounds(text):
    lines = declared("x : number\ns : positive\nv : N\nu : N")
    assert truth(lines, text) is BOUNDS[text]


def test_only_instances_within_the_givens_count():
    lines = declared("x : number\ny : number\nz : number", sizes=())
    lines.declare(regimes=({},), unknowns=("y",))
    lines.impose("y = x + 1")
    assert truth(lines, "y**2 = x**2 + 2*x + 1") is True
    assert truth(lines, "y = x") is False
    lines.impose("x >= 2")
    assert truth(lines, "y >= 3") is True
    assert truth(lines, "y >= 4") is False
    assert truth(lines, "x**2 = 4") is False
    lines.impose("x <= 2")
    assert truth(lines, "x**2 = 4") is True  # in fractions, not modulo a prime
    lines.impose("x = z*z + 3")
    assert truth(lines, "x = 17") is None  # nothing is between 2 and 2, and 3 or more


def test_equations_that_cannot_be_imposed_decide_nothing():
    lines = declared("x : positive\nA : N x N, pd", regimes=({"N": 3, "M": 2},))
    lines.impose("A@A + I = 0")
    assert truth(lines, "x = 1") is None


CLAIMS = {
    "unique(a)": False,
    "not unique(a)": True,
    "unique(w)": True,
    "not unique(w)": False,
    "unique(y)": True,
    "unique(K@a)": True,
    "invertible(K)": False,
    "invertible(K + lam*I)": True,
    "invertible(K - lam*I)": False,
}


@pytest.mark.parametrize("text", CLAIMS)
@pytest.mark.parametrize("optimal", [False, True])
def test_claims(text, optimal):
    assert truth(Lines("ridge-dual", optimal), text) is CLAIMS[text]


def test_a_sufficient_condition_makes_nothing_unique():
    lines = Lines("ridge-dual", optimal=True)
    lines.impose("(K + lam*I)@a = t")
    assert truth(lines, "a = inv(K + lam*I)@t") is True
    assert truth(lines, "unique(a)") is False


def test_an_offset_is_not_unique_and_a_solution_is():
    assert truth(Lines("svm-dual"), "unique(w)") is True
    assert truth(Lines("svm-dual"), "unique(b)") is False
    assert truth(Lines("small-system"), "unique(z)") is True


def test_a_definition_through_itself_decides_nothing():
    lines = declared("x : number = y\ny : number = x")
    assert truth(lines, "x = 1") is None


@pytest.mark.parametrize("text", ["K@a", "cov(t, t) = K", "inv(a@a.T)@a = a"])
def test_what_has_no_meaning_or_no_value_decides_nothing(text):
    lines = Lines("ridge-dual")
    lines.declare(regimes=({"N": 3, "M": 2},))
    assert truth(lines, text) is (False if "inv" in text else None)  # 1/a·a at N = 1


def test_deep_sums_are_refused_or_decided():
    lines = Lines("ridge-dual")
    indices = "bcefghij"
    body = "*".join(f"a[{i}]" for i in indices)
    for i in indices:
        body = f"sum({body} for {i} in N)"
    assert truth(lines, f"{body} = sum(a)**8") in (True, None)
