"""To write definitions in place of their names is one step, however many they are."""

from kernellab.grading import answer, check_derivation

SQUARE = r"""
r = v^T diag(g) \Phi\Phi^T diag(g) v
r = \|\Phi^T diag(g) v\|^2
r \ge 0
"""
FORM = """
q = vᵀXRᵀRXᵀv
q = ‖RXᵀv‖²
q ≥ 0
"""


def test_two_names_may_be_written_out_at_once() -> None:
    assert check_derivation("weighted-kernel", SQUARE).accepted


def test_names_are_written_out_through_a_transpose() -> None:
    report = check_derivation("matrix-between", FORM)
    assert report.missing == ("k in features",)


def test_the_square_itself_is_still_too_large_a_step() -> None:
    text = "\n".join(SQUARE.strip().splitlines()[1:])
    report = check_derivation("weighted-kernel", text)
    assert not report.accepted
    assert report.score == 0


def test_other_terms_are_no_substitution() -> None:
    text = SQUARE.replace("diag(g) v\n", "diag(g) v + 0*r\n", 1)
    assert not check_derivation("weighted-kernel", text).accepted


NAMED = """
k = exp(-(x.T@x - 2*x.T@z + z.T@z)/(2*s**2))
k = exp(-norm2(x)/(2*s**2))*exp(x.T@z/s**2)*exp(-norm2(z)/(2*s**2))
k = f*e*g
"""


def test_three_names_may_be_given_at_once() -> None:
    assert answer("gaussian-in-factors", NAMED).status == "right"


def test_names_for_what_does_not_stand_there_are_a_larger_step() -> None:
    lines = NAMED.strip().splitlines()
    assert answer("gaussian-in-factors", "\n".join(lines[::2])).status != "right"


def test_a_bound_exchanges_no_names() -> None:
    text = "r >= -(r**2 + (y.T@inv(K)@y)**2) <= y.T@inv(K)@y\nr >= y.T@inv(K)@y"
    assert answer("interpolation", text).points == 0


REPEATED = """
grad(J,w) = -2*Phi.T@(t - Phi@w) + 2*lam*w
lam*w = Phi.T@(t - Phi@w)                     | set to zero
a = (t - Phi@w)/lam                           | let a
w = Phi.T@a
{}
a = inv(K + lam*I)@t
"""


def test_a_definition_that_is_repeated_counts() -> None:
    for line in ("K = Phi@Phi.T", "Phi@Phi.T - K = 0"):
        report = check_derivation("ridge-dual", REPEATED.format(line))
        assert report.lines[-1].used.startswith(
            "from line 4, by the definition of `K` and the inverse of"
        )
    twice = check_derivation("ridge-dual", REPEATED.format("K = Phi@Phi.T = Phi@Phi.T"))
    assert "needs three: the definition of `K`" in twice.lines[-1].message


def test_a_definition_is_gone_on_from_as_in_a_chain() -> None:
    lines = "F = G + c*ones(N)@ones(N).T\n{}= X@X.T + c*ones(N)@ones(N).T"
    for start in ("", "F "):
        report = check_derivation("next-degree", lines.format(start))
        assert [line.ok for line in report.lines] == [True, True]
    other = lines.format("had(E,F) = had(E,F) - F ").replace("= X@", "+ X@")
    assert not check_derivation("next-degree", other).lines[1].ok


def test_what_is_derived_repeats_no_definition() -> None:
    """Once a is the student's, w = Φᵀa has to be shown, and is a step like others."""
    text = REPEATED.format("lam*a = t - Phi@w").replace("K +", "Phi@Phi.T +")
    used = check_derivation("ridge-dual", text).lines[-1].used
    assert "definition of `w`" not in used


QUADRATIC = """
r = v.T@diag(g)@K@diag(g)@v
r = {}
r >= 0
"""


def test_a_quadratic_form_is_one_however_its_transposes_stand() -> None:
    for form in ("(diag(g)@v).T@K@(diag(g)@v)", "(diag(g)@v).T@((diag(g)@v).T@K).T"):
        assert check_derivation("closure", QUADRATIC.format(form)).accepted
    plain = check_derivation("closure", QUADRATIC.format("v.T@(diag(g)@K)@diag(g)@v"))
    assert plain.missing


def test_what_a_milestone_rests_on_is_not_taken_for_it() -> None:
    text = """
    lam*a = y - K@a
    a = (y - f)/lam
    """
    report = check_derivation("process-ridge", text)
    assert report.missing == ("the normal equations for w", "mu in w")


SOLVED = """
grad(L,w) = Phi.T@(Phi@w - t)/sigma**2 + w/tau**2
{}
w = inv(Phi.T@Phi + lam*I)@Phi.T@t
"""


def test_an_equation_that_is_still_to_be_solved_is_not_its_solution() -> None:
    between = "(Phi.T@Phi + lam*I)@w = Phi.T@t | set to zero"
    assert check_derivation("ridge-map", SOLVED.format(between)).accepted


def test_a_multiple_of_a_solution_is_the_solution() -> None:
    above = "(Phi.T@Phi + sigma**2/tau**2*I)@w = Phi.T@t | set to zero\n"
    goal = "inv(Phi.T@Phi + lam*I)"
    for between in (
        f"2*w = 2*{goal}@Phi.T@t",
        f"let Q = {goal}\n2*w = 2*Q@Phi.T@t",
        f"Phi@w = Phi@{goal}@Phi.T@t",
    ):
        report = check_derivation("ridge-map", SOLVED.format(above + between))
        assert report.missing == ("w = inv(Phi.T@Phi + lam*I)@Phi.T@t",), str(report)
