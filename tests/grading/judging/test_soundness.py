"""Attacks on the judge, one test for each class: nothing false or empty passes."""

import pytest

from kernellab.grading import check_derivation, verify
from kernellab.grading.problem import Milestone, Problem, Route
from kernellab.grading.problems import PROBLEMS


def check(problem, text):
    return check_derivation(problem, text, explanations=False, seed=3)


def verdicts(problem, text):
    return [line.ok for line in check(problem, text).lines]


def small(symbols, **more):
    """A problem of these symbols whose goal does not matter."""
    return Problem("test", symbols, (Route((Milestone("end", "1 = 1"),)),), **more)


# Deliberate cheats, by class


def template(problem):
    """Multiply each milestone by a number that is 0, and use the product."""
    lines = ["let o = 0"]
    for milestone in problem.routes[0].milestones:
        left, sign, right = milestone.relation.partition(" = ")
        if sign:
            lines += [f"o*({left} - ({right})) = 0 | def o", f"{left} = {right}"]
    return "\n".join(lines)


def test_nothing_follows_from_a_product_with_a_name_for_zero():
    text = """let o = 0
        o*(a - (t - Phi@w)/lam) = 0 | def o
        a = (t - Phi@w)/lam | use 2"""
    assert verdicts("ridge-dual", text) == [True, False, False]
    assert not check("ridge-dual", template(PROBLEMS["ridge-dual"])).accepted


@pytest.mark.parametrize(
    "problem",
    [
        pytest.param(p, marks=[pytest.mark.exhaustive] if i % 5 else [])
        for i, p in enumerate(PROBLEMS)
    ],
)
def test_the_mechanical_template_of_zeros_is_refused(problem):
    report = check(problem, template(PROBLEMS[problem]))
    zeros = [line for line in report.lines if line.text.startswith("o*")]
    assert not any(line.ok for line in zeros)
    assert not report.accepted


@pytest.mark.parametrize(
    "text",
    [
        "-q <= -q + (-q - 1)**2/2 = (-q)**2/2 + 1/2 | nonneg\n-q >= 0",
        "q**2 >= 0 = 0 | nonneg\nq**2 <= 0",
        "-q**2 <= 0 <= q**2 | nonneg\n-q**2 >= q**2",
        "0 <= q**2 >= 0\nq**2 = 0",
        "q**2 >= 0\n= 0\nq**2 = 0",
    ],
)
def test_a_chain_of_bounds_gives_no_equation(text):
    assert not verdicts("closure", text)[-1]


def test_a_factor_that_vanishes_at_the_optimum_is_not_cancelled():
    text = """grad(L,b) = -sum(alpha[i]*y[i] for i in N) | gradient
        sum(alpha[i]*y[i] for i in N) = 0 | set to zero
        sum(alpha[i]*y[i] for i in N)*(w - sum(alpha[i]*y[i]*x[i] for i in N)) = 0
        w = sum(alpha[i]*y[i]*x[i] for i in N) | use 3"""
    assert verdicts("svm-dual", text) == [True, True, True, False]
    assert not verdicts("svm-dual", text.replace("w - sum", "X.T@y + 0*sum"))[-1]


@pytest.mark.parametrize("name", ["pi", "N", "M", "I", "lam", "K", "sum", "inv"])
def test_what_has_a_meaning_cannot_be_named_anew(name):
    assert verdicts("ridge-dual", f"let {name} = 1") == [False]


def test_pi_is_no_name_for_something_of_unknown_sign():
    assert not check("closure", "let pi = q\npi >= 0\nq >= 0 | def pi").accepted
    assert verdicts("closure", "let pi = -1\npi >= 0\n-1 >= 0 | def pi")[-1] is False


@pytest.mark.parametrize("seed", range(3))
def test_a_polynomial_in_the_size_is_not_zero_because_it_vanishes_at_some(seed):
    factor = "(N-3)*(N-4)*(N-5)*(N-6)*(N-7)*(N-8)"
    text = f"J = norm2(t - Phi@w) + lam*w.T@w + {factor}*norm2(t)"
    report = check_derivation("ridge-dual", text, explanations=False, seed=seed)
    assert not report.lines[0].ok


DODGES = {
    "gaussian-factors": "k = exp(0*x.T@x)*exp(-dot(vec(x.T@x, x.T@z, z.T@z), "
    "vec(1,-2,1))/(2*s**2))*exp(0*z.T@z) | expand",
    "bias-kernel": "g = 1*(k.T@diag(y)@alpha + sum(alpha[i]*y[i] for i in N))\n"
    "f = 1*(K@diag(y)@alpha + sum(alpha[i]*y[i] for i in N)*ones(N))",
    "gap-is-residual": "h = dot(ones(N), (norm2(t - K@a) + lam*a.T@K@a - 2*lam*a.T@t "
    "+ lam*a.T@(K + lam*I)@a)*ones(N)/N)",
}


@pytest.mark.parametrize("problem", DODGES)
def test_a_form_is_not_reached_by_trivial_factors(problem):
    assert not check(problem, DODGES[problem]).accepted


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        ("ridge-dual", "grad(J,w) = grad(J,w) | algebra"),
        ("ridge-dual", "J = J"),
        ("ridge-dual", "J = sum((t[n] - w.T@phi[n])**2 for n in N) + lam*w.T@w"),
        ("ridge-dual", "K = Phi@Phi.T | def K"),
        ("ridge-dual", "0 = 0"),
        ("ridge-dual", "1 = 0 | remark"),
        ("closure", "S = c*E + b*F"),
    ],
)
def test_what_says_nothing_earns_nothing(problem, text):
    assert check(problem, text).score == 0


# Traps of the proof search, each by its name


def test_trap_an_identity_that_rests_on_a_definition_is_not_differentiated_by_it():
    """J in a alone was found with w = Φᵀa: its gradient by w is not 0."""
    text = """J = norm2(t - K@a) + lam*a.T@K@a
        grad(J + w.T@w, w) = 2*w | gradient"""
    assert verdicts("ridge-dual", text) == [True, False]
    right = "grad(J + w.T@w, w) = 2*Phi.T@(Phi@w - t) + 2*lam*w + 2*w"
    assert verdicts("ridge-dual", right) == [True]


@pytest.mark.parametrize(
    "line",
    ["a = 0*t", "K@a = t", "(K - lam*I)@a = t", "0*a = t", "Phi = 0*Phi", "w = 0"],
)
def test_trap_a_sufficient_condition_has_a_solution_and_is_one(line):
    start = """J = norm2(t - K@a) + lam*a.T@K@a
        grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a
        K@((K + lam*I)@a - t) = 0 | set to zero\n"""
    assert not verdicts("ridge-dual", start + f"{line} | sufficient")[-1]


def test_trap_stationarity_is_not_used_before_it_is_said():
    """A wrong sign before a term that vanishes at the optimum is a slip before it."""
    text = "grad(J,a) = 2*K@(t - K@a) - 2*lam*K@a | gradient"
    assert verdicts("ridge-dual", text) == [False]
    assert verdicts("ridge-dual", "J = J + norm2(grad(J,a))") == [False]


def test_trap_an_index_of_an_enclosing_sum_is_no_free_name_inside_a_gradient():
    false = "sum(diff(a[n]*t[n], a[n]) for n in N) = N*sum(t[n] for n in N)"
    right = "sum(diff(a.T@t, a[n]) for n in N) = sum(t[n] for n in N)"
    assert verdicts("ridge-dual", right) == [True]
    assert verdicts("ridge-dual", false) == [False]


def test_trap_rows_are_transposed_columns():
    text = """phi[n].T@w = w.T@phi[n]
        t[n] - w.T@phi[n] = t[n] - (Phi@w)[n]
        sum(phi[n]@phi[n].T for n in N) = Phi.T@Phi"""
    assert verdicts("ridge-dual", text) == [True, True, True]
    assert verdicts("ridge-dual", "sum(phi[n].T@phi[n] for n in N) = norm2(w)") == [
        False
    ]


def test_trap_a_name_may_shadow_a_size_and_never_changes_it():
    assert verdicts("ridge-dual", "let N = 1\ntrace(K) = K[0,0]")[-1] is False
    text = "let M = K + lam*I\ntrace(I(N)) = N\nM@a = K@a + lam*a"
    assert verdicts("ridge-dual", text)[1:] == [True, True]
    assert not verdicts("gp-predictive", "cov(2, y) = 0")[0]


def test_trap_an_opened_definition_is_counted_in_a_bound():
    problem = small(
        "x : number\nu : number = x**2\nv : number = u + 1\nw : number = v + 2",
        object="w", sizes=(), regimes=({}, {}), max_facts=1,
    )  # fmt: skip
    assert verdicts(problem, "w >= 0") == [False]
    assert verdicts(problem, "w = u + 3\nw >= 0") == [True, True]


def test_trap_an_inverse_costs_a_fact():
    text = "inv(A@A.T + I)@A = A@inv(A.T@A + I)"
    assert verdicts("push-through", text) == [False]
    right = "A@(A.T@A + I) = (A@A.T + I)@A"
    halfway = "inv(A@A.T + I)@A@(A.T@A + I) = A"
    assert verdicts("push-through", f"{right}\n{text}") == [True, False]
    assert verdicts("push-through", f"{right}\n{halfway}\n{text}") == [True, True, True]


def test_trap_a_closed_matrix_keeps_its_sign_and_not_its_rank():
    text = "v.T@E@v >= 0 | psd\ninvertible(E)\nE@v = 0*v\ntrace(E) >= 0"
    assert verdicts("closure", text) == [True, False, False, True]


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("c*x = c*y\nx = y | divide by c", False),
        ("c*x = c*y\nx = y | c is positive", False),
        ("s*x = s*y\nx = y | divide by s", True),
        ("x = x*c/c", False),
        ("x = x*s/s", True),
    ],
)
def test_trap_only_what_is_known_not_to_be_zero_divides(text, passes):
    problem = small(
        "x : number\ny : number\nc : number\ns : positive", sizes=(), regimes=({}, {}),
        givens=("c*x = c*y", "s*x = s*y") if passes else ("c*x = c*y",),
    )  # fmt: skip
    assert verdicts(problem, text)[-1] is passes


# Right derivations that were once refused


def test_push_through_by_either_side():
    text = """(A.T@A + I)@A.T = A.T@A@A.T + A.T
        = A.T@(A@A.T + I)
        A.T = inv(A.T@A + I)@A.T@(A@A.T + I)
        A.T@inv(A@A.T + I) = inv(A.T@A + I)@A.T
        inv(A@A.T + I)@A = A@inv(A.T@A + I) | transpose"""
    report = check("push-through", text)
    assert report.accepted, f"\n{report}"


def test_an_inverse_inside_of_an_inverse_is_read():
    problem = small(
        "K : N x N, psd\nS : N x N, pd\na : N\nt : N\nlam : positive",
        givens=("(K + lam*inv(S))@a = t",), unknowns=("t",), sizes=("N",),
        regimes=({"N": 3}, {"N": 4}),
    )  # fmt: skip
    assert verdicts(problem, "a = inv(K + lam*inv(S))@t | inverse K + lam*inv(S)") == [
        True
    ]


# Covariances of lines

DECORRELATED = """
z = f - k.T@inv(C)@y | let z
cov(z,y) = k.T - k.T@inv(C)@C
cov(z,y) = 0
m = k.T@inv(C)@y | independence
"""


def test_a_line_about_a_random_variable_is_used_inside_a_covariance():
    text = DECORRELATED + "cov(m,m) = k.T@inv(C)@cov(y,y)@inv(C)@k"
    report = check("gp-predictive", text)
    assert report.lines[-1].ok, str(report)
    assert verify(report.certificate())


@pytest.mark.parametrize("line", ["cov(m,f) = kss", "cov(m,m) = 0", "cov(m,z) = s2"])
def test_no_false_covariance_follows_from_a_line(line):
    assert not verdicts("gp-predictive", DECORRELATED + line)[-1]


# Shapes that a normal form does not show


@pytest.mark.parametrize(
    ("symbols", "line", "words"),
    [
        ("A : N x M", "diag(A) = diag(A)", "diag takes"),
        ("y : N", "diag(y.T) = diag(y.T)", "diag takes"),
        ("y : N, random\nC : N x N, psd", "cov(y.T, y.T) = cov(y, y)", "cov takes"),
        ("y : N, random\nC : N x N, psd", "cov(y, y.T) = 0", "cov takes"),
    ],
)
def test_rows_are_no_columns(symbols, line, words):
    problem = small(symbols, covariances={"y y": "C"} if "random" in symbols else {})
    (judged,) = check(problem, line).lines
    assert not judged.ok
    assert words in judged.message


def test_the_size_of_a_determinant_counts():
    problem = small("t : N")
    line = "det(2*ones(N)@ones(N).T) = det(2*ones(M)@ones(M).T)"
    assert not check(problem, line).lines[0].ok


def test_a_determinant_that_may_be_0_has_no_derivative_by_an_inverse():
    symbols = "C : N x N, pd\ndC : N x N, symmetric\ny : N"
    problem = small(symbols, tangents={"C": "dC"})
    singular = "d(det(C@y@y.T))*C@y = det(C@y@y.T)*dC@y"
    assert not check(problem, singular).lines[0].ok
    regular = check(problem, "d(det(C)) = det(C)*trace(inv(C)@dC)")
    assert regular.lines[0].ok
    assert verify(regular.certificate())


@pytest.mark.parametrize(
    "line", ["v = invertible(A)*v", "v = v*unique(v)", "invertible(invertible(A))"]
)
def test_a_claim_is_no_number(line):
    (judged,) = check(small("A : N x N\nv : N"), line).lines
    assert "a line by itself" in judged.message


def test_a_star_is_no_index():
    assert not check(small("v : N"), "v.T_*@v = v.T@v").lines[0].ok


def test_powers_of_powers_end():
    names = [f"let q{k} = norm2(q{k - 1})" for k in range(1, 60)]
    text = "\n".join(["let q0 = v.T@v*v", *names, "norm2(q59) = norm2(q58)"])
    assert not check(small("v : N"), text).lines[-1].ok
    for power in ("((((y**8)**8)**8)**8)**8", "(((y**-8)**-8)**-8)**-8", "y**8**8**8"):
        assert not check(small("y : positive"), f"y = {power}").lines[0].ok


def test_a_chain_that_begins_with_the_same_twice_takes_no_larger_steps():
    problem = small("n : number\np : number\nf : number = n**2\nD : number = p - f*n")
    assert verdicts(problem, "p - n**3 = D") == [True]
    sides = "p - n*n**2 = p - n*n**2 = D"
    one = small(problem.symbols, max_facts=1)
    assert verdicts(one, sides) == [False]


@pytest.mark.parametrize("term", ["2*((x[n] + y[n])/2)", "x[n]*y[n]", "3"])
def test_a_sum_of_anything_is_not_one_square(term):
    goal = Milestone("square", f"s = sum({term} for n in N)", form="one square")
    problem = Problem(
        "test", f"x : N\ny : N\ns : number = sum({term} for n in N)", (Route((goal,)),)
    )
    assert not check(problem, f"s = sum({term} + 0 for n in N)").accepted


def test_a_chain_goes_on_from_the_name_that_was_just_introduced():
    text = "J = J + lam - lam\nlet b = a.T@a\n= J"
    assert verdicts("ridge-dual", text) == [True, True, False]
    assert verdicts("ridge-dual", "let b = a.T@a\n= norm2(a)") == [True, True]


def test_what_is_said_to_need_no_assumption_is_not_assumed():
    text = "invertible(K) | without any assumption\nK@inv(K) = I"
    assert verdicts("ridge-dual", text) == [False, False]


CANCELLED = """grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a
K@((K + lam*I)@a - t) = 0 | set to zero
(K + lam*I)@a = t | {}
a = inv(K + lam*I)@t"""


@pytest.mark.parametrize(
    "words",
    [
        "implied by line 2",
        "line 2 implies this",
        "cancel K: we have done enough",
        "multiply by the inverse of K in any case",
        "if K is singular its inverse is only formal",
        "we assume that K is never invertible",
        "if K is invertible, this would be easier",
    ],
)
def test_a_cancelled_matrix_is_not_licensed_by_other_words(words):
    assert not verdicts("ridge-dual", CANCELLED.format(words))[2]


def test_a_name_for_the_goal_and_something_that_vanishes_is_no_derivation():
    text = """let a = inv(K + lam*I)@t + Phi@grad(J,w)
    a = inv(K + lam*I)@t | set to zero
    grad(J,w) = 2*lam*w - 2*Phi.T@(t - Phi@w)
    a = inv(K + lam*I)@t"""
    report = check("ridge-dual", text)
    assert not report.accepted
    assert "a = inv(K + lam*I)@t" in report.missing


def test_what_a_new_name_owes_may_follow_from_lines():
    text = """grad(J,w) = 2*lam*w - 2*Phi.T@(t - Phi@w)
    lam*w = Phi.T@(t - Phi@w) | set to zero
    let a = (t - Phi@w)/lam
    lam*a = t - Phi@w
    lam*a = t - Phi@Phi.T@a
    (K + lam*I)@a = t
    a = inv(K + lam*I)@t"""
    assert check("ridge-dual", text).accepted


UNDECIDED = "exp(exp(100))*"  # no instance can tell


@pytest.mark.parametrize(
    ("problem", "left", "right"),
    [
        ("svm-dual", "sum(sqrt(alpha[n]) for n in N)", "N*sqrt(alpha[n])"),
        ("svm-dual", "sum(det(y[n]*K) for n in N)", "N*det(y[n]*K)"),
        ("svm-dual", "(1 + b**2 + y[n]**2)**(-2)", "(1 + b**2 + y[n]**2)**(-1)"),
        ("representer", "loss(lam*ones(N))", "loss(lam*ones(M))"),
    ],
)
def test_what_has_indices_or_a_shape_is_no_mere_number(problem, left, right):
    assert verdicts(problem, f"{UNDECIDED}{left} = {UNDECIDED}{right}") == [False]


def test_an_equation_that_no_instance_can_decide_does_not_pass():
    assert verdicts("svm-dual", f"{UNDECIDED}b = {UNDECIDED}b + 0") == [False]


def test_an_argument_that_is_no_point_of_a_function_is_refused():
    text = "k(x,x) = exp(-norm2(x - z)/(2*s**2))\nf(z) = f(x)"
    assert verdicts("gaussian-in-factors", text) == [False, False]
