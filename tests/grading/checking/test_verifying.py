"""The checker passes right certificates, and refuses each single corruption."""

from dataclasses import replace
from fractions import Fraction

import pytest

from kernellab.grading.checking import verify
from kernellab.grading.language.tree import Expr
from kernellab.grading.problem import Milestone, Problem, Route
from tests.grading.checking.certificates import (
    RIDGE,
    SAID,
    certificate,
    factor,
    link,
    piece,
    ridge_lines,
    tree,
    use,
)


def verified(*proven, problem=RIDGE, **more):
    return verify(certificate(problem, *proven, **more))


def test_a_right_certificate_passes():
    found = verified(*ridge_lines(), said=SAID)
    assert found, str(found)


def changed(lines, at, **more):
    """Return the lines, one of them changed."""
    return [*lines[:at], replace(lines[at], **more), *lines[at + 1 :]]


def changed_use(lines, at, k=0, **more):
    """Return the lines, one use of one of them changed."""
    uses = list(lines[at].uses)
    uses[k] = replace(uses[k], **more)
    return changed(lines, at, uses=tuple(uses))


def without_use(lines, at, k):
    uses = lines[at].uses
    return changed(lines, at, uses=uses[:k] + uses[k + 1 :])


K_WRONG = (factor(RIDGE, "Phi@Phi.T + I", "row", "i"),)
CORRUPTIONS = {
    "a wrong sign": (
        lambda lines: changed(lines, 0, right=tree(
            RIDGE, "(t - K@a).T@(t - K@a) - lam*a.T@K@a")),
        "line 1, link 0: the parts add up to 0"),
    "a definition is not opened": (
        lambda lines: changed(lines, 0, opened=("J", "K")), "line 1, link 0"),
    "a coefficient": (
        lambda lines: changed_use(lines, 2, coefficient=Fraction(1)), "line 3, link 0"),
    "a context": (
        lambda lines: changed_use(lines, 4, context=K_WRONG), "line 5, link 0"),
    "an index that nothing binds": (
        lambda lines: changed_use(lines, 4, names=("j",)), "do not run as"),
    "an index of another size": (
        lambda lines: changed_use(lines, 4, sums=(("i", "M"),)), "do not run as"),
    "an index that is free and summed": (
        lambda lines: changed_use(lines, 4, sums=(("row", "N"),)), "called row"),
    "too few names": (
        lambda lines: changed_use(lines, 2, names=()), "do not fit"),
    "a use is dropped": (lambda lines: without_use(lines, 4, 1), "line 5, link 0"),
    "a forward citation": (
        lambda lines: changed_use(lines, 2, 1, fact=("line", 5, 0)),
        "not proven before"),
    "a line cites itself": (
        lambda lines: changed_use(lines, 2, 1, fact=("line", 3, 0)),
        "not proven before"),
    "the gradient by a variable whose definition is behind the line": (
        lambda lines: changed_use(lines, 1, fact=(
            "gradient of", ("line", 1, 0), "w", False)),
        "definition w"),
    "an inverse on the wrong side is another fact, unless X is symmetric": (
        lambda lines: changed_use(lines, 4, 1, fact=(
            "inverse", tree(RIDGE, "inv(K + 2*lam*I)"), "left")), "line 5, link 0"),
    "a fact without its parts": (
        lambda lines: changed_use(lines, 2, 1, fact=("line",)), "no line, given"),
    "a fact that cannot be read": (
        lambda lines: changed_use(lines, 2, 1, fact=("gradient", 3)), "line 3, link 0"),
    "a fact that is none": (
        lambda lines: changed_use(lines, 4, 1, fact=("wish",)), "is no fact"),
    "a sufficient condition without its part": (
        lambda lines: changed(lines, 3, parts=()), "no part proves"),
    "another kind of proof": (lambda lines: changed(lines, 4, by="faith"), "no kind"),
}  # fmt: skip


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corruption_is_refused(name):
    corrupt, words = CORRUPTIONS[name]
    found = verified(*corrupt(ridge_lines()), said=SAID)
    assert not found
    assert words in str(found)


def test_lines_stand_in_their_order():
    one, two = ridge_lines()[:2]
    assert "out of order" in str(verified(one, two, one, said=SAID))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ((("sufficient", 4),), "nobody said that J is stationary"),
        ((("stationary", "a", 4), ("sufficient", 4)), "line 3, link 0: nobody said"),
        ((("stationary", "a", 3),), "nobody said that this is sufficient"),
    ],
)
def test_what_changes_the_point_must_be_said(said, words):
    assert words in str(verified(*ridge_lines(), said=said))


def test_what_is_said_is_said_in_a_line():
    found = verified(*ridge_lines(), said=(*SAID, ("assume", tree(RIDGE, "K"))))
    assert not found


def test_a_conditional_line_has_no_gradient():
    lines = [
        *ridge_lines()[:3],
        link(RIDGE, 4, "a.T@K@((K + lam*I)@a - t) = 0", uses=(
            use("line", 3, 0, names=("i",), sums=(("i", "N"),),
                context=(factor(RIDGE, "a", "i"),)),)),
        link(RIDGE, 5, "grad(a.T@K@((K + lam*I)@a - t), a) = 0", uses=(
            use("gradient of", ("line", 4, 0), "a", False, names=("row",)),)),
    ]  # fmt: skip
    found = verified(*lines, said=SAID)
    assert "line 4 is no identity: “stationary a” is behind it" in str(found)


def test_a_sufficient_condition_must_have_a_solution():
    # K a = t has no solution if K is singular and t is not in its range.
    gradient = link(RIDGE, 2, "grad(J, a) = 0")
    line = link(RIDGE, 2, "K@a = t", by="sufficient", parts=(gradient,))
    found = verified(line, said=(("sufficient", 2),))
    assert "may be singular" in str(found)


def test_a_sufficient_condition_may_determine_a_variable_that_has_a_definition():
    # Then w is free: the condition need not be in the range of Φᵀ, and w = Φᵀa is gone.
    gradient = "grad(J, w) = -2*Phi.T@(t - Phi@w) + 2*lam*w"
    computed = use("gradient", tree(RIDGE, "grad(J, w)"), names=("row",))
    imposed = "(Phi.T@Phi + lam*I)@w = Phi.T@t"
    vanishing = link(RIDGE, 2, "grad(J, w) = 0", uses=(
        computed, use("line", 2, 0, c=2, names=("row",))))  # fmt: skip
    lines = [
        link(RIDGE, 1, gradient, uses=(computed,)),
        link(RIDGE, 2, imposed, by="sufficient", parts=(vanishing,)),
    ]
    said = (("sufficient", 2),)
    found = verified(*lines, said=said)
    assert found, str(found)
    opened = link(RIDGE, 3, "w = Phi.T@a", opened=("w",))
    assert verified(opened)
    assert "line 3" in str(verified(*lines, opened, said=said))


def test_stationarity_does_not_show_that_a_condition_is_sufficient():
    lines = ridge_lines()[:3]
    part = link(RIDGE, 4, "grad(J, a) = 0",
                uses=(use("stationary", "a", names=("row",)),))  # fmt: skip
    wrong = link(RIDGE, 4, "(K + 2*lam*I)@a = 5*t", by="sufficient", parts=(part,))
    assert "nobody said" in str(verified(*lines, wrong, said=SAID))


def test_the_right_side_of_a_sufficient_condition_is_free_of_the_variable():
    part = ridge_lines()[3].parts[0]
    for text in ("(K + lam*I)@a = (w.T@w)*t", "(K + lam*I)@a = t + K@a*(a.T@t)"):
        line = link(RIDGE, 4, text, by="sufficient", parts=(part,))
        found = verified(*ridge_lines()[:3], line, said=SAID)
        assert "is not linear in" in str(found)


def test_a_second_sufficient_condition_is_refused():
    lines = ridge_lines()[:4]
    again = replace(lines[3], line=5)
    found = verified(*lines, again, said=(*SAID, ("sufficient", 5)))
    assert "imposed already" in str(found)


def test_a_number_is_no_column_of_ones():
    line = link(RIDGE, 1, "lam*ones(N) = lam*ones(N)")
    assert verified(line)
    assert "differ in shape" in str(verified(replace(line, right=tree(RIDGE, "lam"))))


# Licences

LICENSED = [
    "inv(K + lam*I)", "inv(lam*I + Phi@Phi.T)", "inv(Phi.T@Phi + lam*I)",
    "inv(-K - lam*I)", "inv(inv(K + lam*I) + K)", "inv((K + lam*I)@(K + 2*lam*I))",
    "inv(I + diag(t)@K@diag(t))",
    "inv(had(K, K) + I)", "1/lam", "1/(lam**2 + t.T@t)", "sqrt(t.T@K@t)", "lam**-2",
    "exp(b)**-1", "1/(lam*N)", "sqrt(b**2 + lam)",
]  # fmt: skip
UNLICENSED = [
    "inv(K)", "inv(K - lam*I)", "inv(Phi@Phi.T)", "inv(b*(K + lam*I))", "inv(K + b*I)",
    "1/b", "1/(t.T@t)", "1/(lam - 1)", "sqrt(b)", "1/(b**2)", "b**-1", "sqrt(t.T@a)",
    "inv(t@a.T + I)",
]  # fmt: skip


@pytest.mark.parametrize("text", LICENSED)
def test_what_may_be_inverted(text):
    found = verified(link(RIDGE, 1, f"{text} = {text}"))
    assert found, str(found)


@pytest.mark.parametrize("text", UNLICENSED)
def test_what_may_not_be_inverted(text):
    assert " may have no " in str(verified(link(RIDGE, 1, f"{text} = {text}")))


def test_an_assumption_licenses_what_follows_it():
    line = link(RIDGE, 2, "inv(K)@t = inv(Phi@Phi.T)@t", opened=("K",))
    K = tree(RIDGE, "K")
    assert verified(line, said=(("assume", K, 2),))
    assert not verified(line, said=(("assume", K, 3),))
    assert not verified(line, said=(("assume", tree(RIDGE, "Phi.T@Phi"), 2),))


def test_cancelling_needs_a_licence():
    def lines(X, text):
        return (
            *ridge_lines()[:3],
            link(RIDGE, 4, text, cancelled=(tree(RIDGE, X), "left"),
                 uses=(use("line", 3, 0, names=("row",)),)),
        )  # fmt: skip

    cancelled = lines("K", "(K + lam*I)@a = t")
    assert "cancelled, but may be singular" in str(verified(*cancelled, said=SAID))
    assumed = (*SAID, ("assume", tree(RIDGE, "K"), 4))
    assert verified(*cancelled, said=assumed)
    other = lines("K + lam*I", "(K + lam*I)@a = t")
    assert "add up" in str(verified(*other, said=assumed))


def claimed(text, by="claim", **more):
    node = tree(RIDGE, text.removeprefix("not "))
    node = Expr("not", (node,)) if text.startswith("not ") else node
    return replace(link(RIDGE, 1, "a = a", by=by), left=node, sign="", **more)


def test_claims_are_decided_again():
    assert verified(claimed("invertible(K + lam*I)"))
    assert not verified(claimed("invertible(K)"))
    assert not verified(claimed("unique(w)"))


@pytest.mark.parametrize(
    ("text", "names", "right"),
    [
        ("not unique(a)", ("Phi",), True),
        ("not unique(a)", ("t",), False),
        ("not unique(a)", ("lam", "t"), False),
        ("not unique(a)", ("a",), False),
        ("not unique(w)", ("Phi",), False),
        ("unique(a)", ("Phi",), False),
    ],
)
def test_what_is_not_unique_has_a_witness(text, names, right):
    assert bool(verified(claimed(text, "not unique", witness=names))) is right


def test_a_witness_may_not_be_what_was_assumed_to_be_invertible():
    claim = claimed("not unique(a)", "not unique", witness=("Phi",))
    assert not verified(claim, said=(("assume", tree(RIDGE, "K"), 1),))


def test_what_is_unique_has_a_value_free_of_the_unknowns():
    assert verified(claimed("unique(t)", "unique"))
    assert not verified(claimed("unique(w)", "unique"))
    circular = (link(RIDGE, 1, "w = w"),)
    assert not verified(claimed("unique(w)", "unique", parts=circular))


# Names


def own(name, text, *earlier):
    return (*earlier, (name, tree(RIDGE, text, earlier)))


def test_a_student_s_symbol_is_an_abbreviation():
    names = own("r", "t - Phi@w")
    line = link(RIDGE, 2, "J = r.T@r + lam*norm2(w)", own=names, opened=("J",))
    assert verified(line, own=names)


def test_a_student_s_symbol_inverts_only_what_has_an_inverse():
    for text, good in (("inv(K + lam*I)@t", True), ("inv(K)@t", False)):
        names = own("r", text)
        found = verified(link(RIDGE, 1, "r = r", own=names), own=names)
        assert bool(found) == good, str(found)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (own("K", "Phi@Phi.T"), "cannot be defined"),
        (own("N", "lam"), "cannot be defined"),
        (own("pi", "lam"), "cannot be defined"),
        ((*own("r", "t"), *own("r", "a")), "twice"),
        (own("a", "2*a"), "by itself"),
        (own("a", "lam"), "another shape"),
        (own("r", "t[n]"), "free index"),
    ],
)
def test_what_may_not_be_defined(names, words):
    assert words in str(verified(own=names))


def test_a_symbol_defined_anew_carries_no_definition_of_the_problem():
    # With a = (t − Φw)/λ the equation w = Φᵀa is the optimality condition.
    names = own("a", "(t - Phi@w)/lam")
    line = link(RIDGE, 1, "w = Phi.T@a", opened=("w",))
    assert verified(line)
    assert not verified(line, own=names)


# Bounds


def test_a_bound_is_a_sum_of_squares():
    line = link(RIDGE, 1, "J >= lam*norm2(w)", opened=("J",), by="bound",
                pieces=(piece("square", tree(RIDGE, "norm2(t - Phi@w)")),))  # fmt: skip
    assert verified(line)
    back = link(RIDGE, 1, "lam*norm2(w) <= J", opened=("J",), by="bound",
                pieces=line.pieces)  # fmt: skip
    assert verified(back)
    wrong = replace(line, sign="<=")
    assert "add up" in str(verified(wrong))
    negative = replace(
        line, pieces=(replace(line.pieces[0], coefficient=Fraction(-1)),)
    )
    assert "may be negative" in str(verified(negative))


SQUARES = ["b**2", "t.T@K@t", "norm2(K@a)", "a.T@(K + lam*I)@a", "lam*exp(b)",
           "sum(t[n]**2 for n in N)", "t.T@diag(a)@K@diag(a)@t", "(t.T@a)**2",
           "trace(K)", "t.T@had(K, K)@t", "sum(K[n,n] for n in N)",
           "a.T@Phi@Phi.T@a", "1/2*(a - t).T@K@(a - t)", "b**2*(a - t).T@(a - t)/lam",
           "t.T@inv(K + lam*I)@t", "trace(Phi.T@K@Phi)"]  # fmt: skip
NO_SQUARES = ["b", "t.T@a", "-b**2", "a.T@K@t", "b**3", "a.T@(K - lam*I)@a",
              "sum(t[n] for n in N)", "t.T@diag(a)@t", "trace(K@t@a.T)", "b*lam",
              "-1*(a - t).T@K@(a - t)", "(t.T*(t.T@a))@t",
              "b*(a - t).T@(a - t)",
              "sum(K[n,m] for n in N for m in N)*b", "t.T@K@a*lam"]  # fmt: skip


@pytest.mark.parametrize("text", SQUARES)
def test_squares(text):
    pieces = (piece("square", tree(RIDGE, text)),)
    found = verified(link(RIDGE, 1, f"{text} >= 0", by="bound", pieces=pieces))
    assert found, str(found)


@pytest.mark.parametrize("text", NO_SQUARES)
def test_no_squares(text):
    pieces = (piece("square", tree(RIDGE, text)),)
    found = verified(link(RIDGE, 1, f"{text} >= 0", by="bound", pieces=pieces))
    assert "not seen to be a square" in str(found)


SUMS = (("i", "N"), ("j", "N"))


@pytest.mark.parametrize(
    ("text", "names", "good"),
    [
        ("a.T@K@a", "aa", True),
        ("a.T@K@t", "at", False),
        ("t.T@K@t", "tt", True),
        ("a.T@K@a", "tt", False),
    ],
)
def test_a_product_of_entries_is_a_square(text, names, good):
    one, two = (factor(RIDGE, name, i) for name, i in zip(names, "ij", strict=True))
    context = (one, factor(RIDGE, "K", "i", "j"), two)
    pieces = (piece("product", context=context, sums=SUMS),)
    found = verified(link(RIDGE, 1, f"{text} >= 0", by="bound", pieces=pieces))
    assert bool(found) == good, str(found)


def test_no_half_may_be_mapped_to_itself():
    # Σ D[i,j] D[j,i] is mapped to itself by i ↔ j, and is −2 for D = (0 1; −1 0).
    problem = replace_symbols("D : N x N", "trace(D@D) = 0")
    context = (factor(problem, "D", "i", "j"), factor(problem, "D", "j", "i"))
    pieces = (piece("product", context=context, sums=SUMS),)
    line = link(problem, 1, "trace(D@D) >= 0", by="bound", pieces=pieces)
    assert "may be negative" in str(verified(line, problem=problem))


def replace_symbols(symbols, goal, **more):
    route = Route((Milestone("goal", goal),))
    return Problem("small", symbols, (route,), **more)


def test_cauchy():
    a, t = tree(RIDGE, "a"), tree(RIDGE, "t")
    text = "(a.T@a)*(t.T@t) >= (a.T@t)**2"
    line = link(RIDGE, 1, text, by="bound", pieces=(piece("cauchy", a, t),))
    assert verified(line)
    other = (piece("cauchy", a, tree(RIDGE, "Phi.T@t")),)
    assert "two columns" in str(verified(replace(line, pieces=other)))


def test_two_bounds_make_an_equation():
    problem = replace_symbols("x : number\ny : number", "x = y", sizes=(),
                              givens=("x >= y", "x <= y"))  # fmt: skip
    parts = tuple(
        link(problem, 1, f"x {sign} y", by="bound", pieces=(piece("given", k),))
        for k, sign in ((1, ">="), (2, "<="))
    )
    line = link(problem, 1, "x = y", by="two bounds", parts=parts)
    assert verified(line, problem=problem)
    assert not verified(replace(line, parts=parts[:1] * 2), problem=problem)


def test_a_vanishing_norm_and_a_vanishing_form():
    problem = replace_symbols(
        "u : N\nz : N\nM : N x N, psd", "u = 0", sizes=("N",),
        givens=("norm2(u) = 0", "z.T@M@z = 0"),
    )  # fmt: skip

    def line(text, by, k, part):
        inner = link(problem, 1, part, uses=(use("given", k),))
        return verified(link(problem, 1, text, by=by, parts=(inner,)), problem=problem)

    assert line("u = 0", "zero square", 1, "norm2(u) = 0")
    assert line("M@z = 0", "zero form", 2, "z.T@M@z = 0")
    assert not line("z = 0", "zero square", 1, "norm2(u) = 0")
    assert not line("z = 0", "zero form", 2, "z.T@M@z = 0")
    assert not line("u = 0", "zero square", 2, "norm2(u) = 0")


# Other facts

THETA = replace_symbols(
    """
    C  : N x N, pd
    dC : N x N, symmetric
    y  : N
    L  : number = -1/2*y.T@inv(C)@y - 1/2*log(det(C))
    """,
    "d(L) = 0", sizes=("N",), tangents={"C": "dC"}, object="L",
)  # fmt: skip


def slope_lines():
    parts = [tree(THETA, text) for text in ("d(L)", "d(inv(C))", "d(log(det(C)))")]
    sums = (("i", "N"), ("j", "N"))
    both = (factor(THETA, "y", "i"), factor(THETA, "y", "j"))
    return [
        link(THETA, 1, "d(L) = -1/2*y.T@d(inv(C))@y - 1/2*d(log(det(C)))",
             uses=(use("slope", parts[0]),)),
        link(THETA, 2, "d(L) = 1/2*y.T@inv(C)@dC@inv(C)@y - 1/2*trace(inv(C)@dC)",
             uses=(use("line", 1, 0), use("slope", parts[2], c="-1/2"),
                   use("slope", parts[1], c="-1/2", context=both, names=("i", "j"),
                       sums=sums))),
    ]  # fmt: skip


def test_derivatives_along_theta():
    found = verified(*slope_lines(), problem=THETA)
    assert found, str(found)
    wrong = changed_use(slope_lines(), 1, 0, coefficient=Fraction(1, 2))
    assert "line 2, link 0" in str(verified(*wrong, problem=THETA))


GAUSS = replace_symbols(
    """
    y   : N, random
    f   : random
    C   : N x N, pd
    k   : N
    kss : number
    m   : random
    s2  : number
    """,
    "m = k.T@inv(C)@y", sizes=("N",),
    covariances={"y y": "C", "y f": "k", "f f": "kss"},
    conditional={"mean": "m", "variance": "s2", "of": "f", "given": "y"},
)  # fmt: skip


def conditioned(text, c=-1):
    own = (("z", tree(GAUSS, text)),)
    inverse = use("inverse", tree(GAUSS, "inv(C)"), "left", c=c, names=("i", "column"),
                  sums=(("i", "N"),), context=(factor(GAUSS, "k", "i"),))  # fmt: skip
    z = tree(GAUSS, "z", own)
    lines = [
        link(GAUSS, 1, "cov(z, y) = 0", own=own, opened=("cov",), uses=(inverse,)),
        link(GAUSS, 2, "m = f - z", own=own,
             uses=(use("independence", ("line", 1, 0), z, "mean"),)),
        link(GAUSS, 3, "s2 = cov(z, z)", own=own,
             uses=(use("independence", ("line", 1, 0), z, "variance"),)),
    ]  # fmt: skip
    return verified(*lines, problem=GAUSS, own=own)


def test_independence():
    found = conditioned("f - k.T@inv(C)@y")
    assert found, str(found)
    assert "add up" in str(conditioned("f - 2*k.T@inv(C)@y"))
    assert "is not f minus" in str(conditioned("2*f - 2*k.T@inv(C)@y", c=-2))


def covaried(fact, name="y", opened=()):
    """Return the verdict on cov(m, y) = cov(E, y), from the line m = E."""
    given = replace(GAUSS, givens=("m = k.T@inv(C)@y",))
    uses = (use("covariance of", fact, name, names=("column",)),)
    lines = [
        link(given, 1, "m = f", by="supposed"),
        link(given, 2, "cov(m, y) = k.T@inv(C)@cov(y, y)", uses=uses, opened=opened),
    ]
    said = (("hypothesis", 1),)
    return verify(certificate(given, *lines[fact[0] == "given" :], said=said))


def test_the_covariance_of_a_line_needs_one_that_holds_whatever_is_drawn():
    assert "whatever is drawn" in str(covaried(("given", 1)))
    assert "whatever is drawn" in str(covaried(("line", 1, 0)))


def test_the_covariance_of_a_line_is_with_a_random_variable():
    assert "covariance" in str(covaried(("given", 1), "k"))
    assert "is not proven before" in str(covaried(("line", 3, 0)))


def test_chains_can_be_differentiated_if_they_continue_each_other():
    one = link(RIDGE, 1, "J = norm2(t - K@a) + lam*w.T@w", opened=("J", "w", "K"))
    two = link(RIDGE, 2, "norm2(t - K@a) + lam*w.T@w = norm2(t - K@a) + lam*a.T@K@a",
               opened=("w", "K"))  # fmt: skip
    gradient = use("gradient of", ("chain", 1, 2, 0), "a", False, names=("row",))
    text = "grad(J, a) = 2*K@(K@a - t) + 2*lam*K@a"
    end = link(RIDGE, 3, text, uses=(gradient,))
    found = verified(one, two, end)
    assert found, str(found)
    other = replace(two, left=tree(RIDGE, "norm2(t - K@a) + lam*a.T@K@a"))
    assert "do not continue" in str(verified(one, other, end))


def test_equal_arguments_have_equal_values():
    problem = replace_symbols("A : N x M\nu : M\nw : M", "A@u = 0", givens=("A@u = 0",))
    pair = [
        tree(problem, text) for text in ("exp(norm2(A@(w + u)))", "exp(norm2(A@w))")
    ]
    inner = (
        use("given", 1, c=2, names=("i",), sums=(("i", "N"),),
            context=(factor(problem, "A@w", "i"),)),
        use("given", 1, names=("i",), sums=(("i", "N"),),
            context=(factor(problem, "A@u", "i"),)),
    )  # fmt: skip
    text = "exp(norm2(A@(w + u))) = exp(norm2(A@w))"
    line = link(problem, 1, text, uses=(use("equal", *pair, inner),))
    assert verified(line, problem=problem)
    line = link(problem, 1, text, uses=(use("equal", *pair, inner[:1]),))
    assert "not shown to be equal" in str(verified(line, problem=problem))


def test_the_derivative_of_a_loss_is_not_known():
    problem = replace_symbols(
        "A : N x M\nw : M\nJ : number = loss(A@w)", "w = 0", object="J",
        variables=("w",),
    )  # fmt: skip
    fact = use("gradient", tree(problem, "grad(J, w)"), names=("row",))
    line = link(problem, 1, "grad(J, w) = 0", uses=(fact,))
    assert "add up" in str(verified(line, problem=problem))
