"""Forged certificates of false lines: whatever a forger writes down, they are refused.

Some forgeries are made by hand, one or more for each rule of the checker. Others are
certificates of right derivations in which the claim of a line was changed and its proof
kept; those that still add up must be true, which instances decide.
"""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from kernellab.grading.certificates import Certificate
from kernellab.grading.checking import verify
from kernellab.grading.judging.check import check_derivation
from kernellab.grading.language.tree import Expr, num, sym
from kernellab.grading.problem import Milestone, Problem, Route
from kernellab.grading.problems import PROBLEMS
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
from tests.grading.texts import collected, read


def ridge(text, *uses, line=9, **more):
    return link(RIDGE, line, text, uses=uses, **more)


def bound(text, *pieces, **more):
    return link(RIDGE, 9, text, by="bound", pieces=pieces, **more)


def one_i(name="i"):
    return {"names": (name,), "sums": ((name, "N"),)}


def lied(node, **shapes):
    """Return a tree in which some symbols pretend to have other shapes."""
    return node.map(
        lambda part: (
            replace(part, shape=shapes[part.data])
            if part.op == "sym" and part.data in shapes
            else part
        )
    )


K, a, t, inv = (tree(RIDGE, x) for x in ("K", "a", "t", "inv(K + lam*I)"))
ZERO = tree(RIDGE, "a - a")
FALSE = {
    # Equations
    "no proof": ridge("a = t"),
    "a coefficient 0": ridge("a = t", use("line", 5, 0, c=0, names=("row",))),
    "a float for a coefficient": ridge("a = t", use("line", 5, 0, c=1e-300, **one_i())),
    "a line ahead": ridge("a = t", use("line", 10, 0, names=("row",))),
    "the line itself": ridge("a = t", use("line", 9, 0, names=("row",))),
    "a chain to itself": ridge("a = t", use("chain", 9, 9, 0, names=("row",))),
    "a chain that is none": ridge("J = t.T@t", use("chain", 1, 5, 0)),
    "a given of another problem": ridge("a = t", use("given", 1, names=("row",))),
    "given 0": ridge("a = t", use("given", 0, names=("row",))),
    "a definition of another problem": ridge("a = t", use("definition", "alpha")),
    "a variable without a definition": ridge("t = a", use("definition", "t")),
    "an inverse that is none": ridge(
        "K@t = t",
        use(
            "inverse",
            K,
            "left",
            context=(factor(RIDGE, "t", "i"),),
            names=("row", "i"),
            sums=(("i", "N"),),
        ),
    ),
    "a singular inverse": ridge(
        "K@inv(K)@t = t",
        use(
            "inverse",
            tree(RIDGE, "inv(K)"),
            "right",
            context=(factor(RIDGE, "t", "i"),),
            names=("row", "i"),
            sums=(("i", "N"),),
        ),
    ),
    "the inverse of a wide matrix": ridge(
        "Phi@inv(Phi.T@Phi)@Phi.T = I",
        use("inverse", tree(RIDGE, "inv(Phi.T@Phi)"), "left", names=("row", "column")),
    ),
    "the reciprocal of what may be 0": ridge(
        "b/b = 1", use("reciprocal", tree(RIDGE, "b"))
    ),
    "a negative power in a context": ridge(
        "a = t", use("line", 5, 0, context=(factor(RIDGE, "b", power=-1),), **one_i())
    ),
    "a third root": ridge(
        "a = t",
        use("line", 5, 0, context=(factor(RIDGE, "lam", power="1/3"),), **one_i()),
    ),
    "a cancelled matrix that is singular": ridge(
        "a = t", cancelled=(tree(RIDGE, "K - K"), "left")
    ),
    "a cancelled 0": ridge("b = 1", cancelled=(tree(RIDGE, "b - b"), "number")),
    "cancelled on the other side": ridge("a = t", cancelled=(inv, "right")),
    "a root of a square": ridge("sqrt(b**2) = b"),
    "a logarithm of what is negative": ridge("log(-lam) = log(-lam) + b - b"),
    "an opened name that means nothing here": ridge(
        "t = a", opened=("t", "alpha", "cov")
    ),
    # Trees that lie
    "a matrix that says it is a number": replace(
        ridge("K@a = K@a"), right=lied(tree(RIDGE, "a.T@K"), K=("1", "1"))
    ),
    "an unknown operation": replace(
        ridge("a = t"), right=Expr("wish", (a,), None, a.shape)
    ),
    "an index called row": replace(
        ridge("b = b"), right=Expr("index", (t,), ("row",), ("1", "1"))
    ),
    "an index that is summed over outside": replace(
        ridge("b = b"), right=Expr("index", (t,), ("#0",), ("1", "1"))
    ),
    "a sum over another size": replace(
        ridge("t.T@t = t.T@t"),
        right=tree(RIDGE, "sum(t[n]**2 for n in N)").map(
            lambda x: replace(x, data=("n", "M")) if x.op == "sum" else x
        ),
    ),
    # Gradients
    "stationarity of what is no variable": ridge(
        "grad(J, t) = 0", use("stationary", "t")
    ),
    "stationarity that nobody said": ridge(
        "grad(J, w) = 0", use("stationary", "w", names=("row",))
    ),
    "the derivative of an optimality condition": ridge(
        "grad(t.T@K@((K + lam*I)@a - t), a) = 0",
        use("gradient of", ("line", 3, 0), "a", False, names=("row",)),
    ),
    "the derivative of J(a) by w": ridge(
        "grad(J, w) = 0", use("gradient of", ("line", 1, 0), "w", False, names=("row",))
    ),
    "a gradient by a number": ridge(
        "grad(J, b) = 1", use("gradient", tree(RIDGE, "grad(J, b)"))
    ),
    "a gradient by a symmetric matrix": ridge(
        "grad(trace(K@K), K) = 0",
        use("gradient", tree(RIDGE, "grad(trace(K@K), K)"), names=("row", "column")),
    ),
    # Equal arguments
    "equal values of different arguments": ridge(
        "exp(b) = exp(lam)",
        use("equal", tree(RIDGE, "exp(b)"), tree(RIDGE, "exp(lam)"), ()),
    ),
    "another function": ridge(
        "norm2(a) = norm2(t)",
        use("equal", tree(RIDGE, "norm2(a)"), tree(RIDGE, "norm2(t)"), ()),
    ),
    "different functions": ridge(
        "exp(b) = sqrt(b**2)",
        use("equal", tree(RIDGE, "exp(b)"), tree(RIDGE, "sqrt(b**2)"), ()),
    ),
    "different powers": ridge(
        "b**2 = b**3", use("equal", tree(RIDGE, "b**2"), tree(RIDGE, "b**3"), ())
    ),
    # Bounds
    "a negative coefficient": bound(
        "-b**2 >= 0", piece("square", tree(RIDGE, "b**2"), c=-1)
    ),
    "a coefficient 0 in a strict bound": bound("b > b", piece("product", c=0)),
    "no positive piece": bound("b**2 > 0", piece("square", tree(RIDGE, "b**2"))),
    "the wrong direction": bound("b**2 <= 0", piece("square", tree(RIDGE, "b**2"))),
    "a number that is no square": bound("b >= 0", piece("square", tree(RIDGE, "b"))),
    "a form of an indefinite matrix": bound(
        "a.T@(K - lam*I)@a >= 0", piece("square", tree(RIDGE, "a.T@(K - lam*I)@a"))
    ),
    "a mixed form": bound("a.T@K@t >= 0", piece("square", tree(RIDGE, "a.T@K@t"))),
    "a negative context": bound(
        "b**3 >= 0", piece("square", tree(RIDGE, "b**2"), context=(factor(RIDGE, "b"),))
    ),
    "a flipped factor of a product": bound(
        "a.T@K@t >= 0",
        piece(
            "product",
            context=(
                factor(RIDGE, "a", "i"),
                factor(RIDGE, "K", "i", "j"),
                factor(RIDGE, "t", "j"),
            ),
            sums=(("i", "N"), ("j", "N")),
        ),
    ),
    "an equation as a bound": bound("a.T@a >= 0", piece("line", 1, 0)),
    "Cauchy and Schwarz with two sizes": bound(
        "(t.T@t)*(w.T@w) >= 0", piece("cauchy", t, tree(RIDGE, "w"))
    ),
    "a bound between matrices": replace(
        bound(
            "b >= 0", piece("product", context=(factor(RIDGE, "K", "row", "column"),))
        ),
        left=K,
    ),
    "a bound that is an equation": replace(ridge("b = 0"), by="bound"),
    "an equation that is a bound": replace(bound("b >= lam"), by="equation"),
    "two bounds of another line": link(
        RIDGE,
        9,
        "b = 0",
        by="two bounds",
        parts=(
            bound("b**2 >= 0", piece("square", tree(RIDGE, "b**2"))),
            bound("b <= b"),
        ),
    ),
    "one bound twice": link(
        RIDGE,
        9,
        "b**2 = 0",
        by="two bounds",
        parts=(bound("b**2 >= 0", piece("square", tree(RIDGE, "b**2"))),) * 2,
    ),
    "the norm of something else": link(
        RIDGE, 9, "a = t", by="zero square", parts=(ridge("norm2(a - a) = 0"),)
    ),
    "a norm that is not 0": link(
        RIDGE, 9, "a = t", by="zero square", parts=(ridge("norm2(a - t) = 0"),)
    ),
    "a norm that was a bound": link(
        RIDGE,
        9,
        "a = t",
        by="zero square",
        parts=(
            bound("norm2(a - t) >= 0", piece("square", tree(RIDGE, "norm2(a - t)"))),
        ),
    ),
    "the form of an indefinite matrix": link(
        RIDGE,
        9,
        "(K - lam*I)@a = 0",
        by="zero form",
        parts=(ridge("a.T@(K - lam*I)@a = 0"),),
    ),
    # Sufficient conditions
    "a second condition": link(
        RIDGE, 9, "a = t", by="sufficient", parts=(ridge("grad(J, a) = 0"),)
    ),
    "a condition without a word": link(
        RIDGE, 8, "a = t", by="sufficient", parts=(ridge("grad(J, a) = 0"),)
    ),
    "a kind of proof that is none": link(RIDGE, 9, "a = t", by="faith"),
    "nothing that could be read": replace(ridge("a = t"), uses=3),
    "trees that are none": replace(ridge("a = t"), right="t"),
}
TOLD = (*SAID, ("sufficient", 9), ("assume", tree(RIDGE, "K - lam*I"), 1))


@pytest.mark.parametrize("name", FALSE)
def test_a_false_line_is_refused(name):
    found = verify(certificate(RIDGE, *ridge_lines(), FALSE[name], said=TOLD))
    assert len(found.faults) == 1, str(found)  # the lines before it are right


# What is imposed, defined or said

IMPOSED = {
    "an unsatisfiable one": "a - a = t",
    "one of another shape": "t.T@a = 1",
    "one that is not linear": "(a.T@a)*a = t",
    "one with a singular matrix": "K@a = t",
    "one about nothing": "t = t",
}


@pytest.mark.parametrize("name", IMPOSED)
def test_a_condition_without_a_solution_is_refused(name):
    part = ridge("grad(J, a) = 0", use("line", 4, 0, names=("row",)), line=4)
    line = link(RIDGE, 4, IMPOSED[name], by="sufficient", parts=(part,))
    assert not verify(certificate(RIDGE, *ridge_lines()[:3], line, said=SAID))


@pytest.mark.parametrize(
    ("name", "text"),
    [("lam", "b"), ("K", "t@t.T"), ("J", "b"), ("N", "b"), ("I", "K"), ("pi", "b"),
     ("w", "Phi.T@t"), ("exp", "b"), ("a", "a + t"), ("a", "b"), ("r", "r"),
     ("row", "t[n]"), ("#0", "b"), ("r", "zzz")],
)  # fmt: skip
def test_a_reserved_name_is_not_defined(name, text):
    own = ((name, tree(RIDGE, "b") if text in ("r", "zzz") else tree(RIDGE, text)),)
    if text in ("r", "zzz"):
        own = ((name, sym(text)),)
    assert not verify(Certificate(RIDGE, own, ()))


def test_a_symbol_defined_anew_keeps_no_given():
    problem = Problem(
        "given", "a : N\nt : N", (Route((Milestone("end", "a = t"),)),), sizes=("N",),
        givens=("a = t",), definable=("a",),
    )  # fmt: skip
    own = (("a", tree(problem, "2*t")),)
    line = link(problem, 1, "2*t = t", uses=(use("given", 1, names=("row",)),))
    assert verify(certificate(problem, replace(line, left=tree(problem, "a"))))
    assert not verify(certificate(problem, line, own=own))


def test_a_huge_certificate_is_refused_in_time():
    node = tree(RIDGE, "b + lam")
    for _ in range(60):
        node = Expr("add", (node, node), None, node.shape)
    powers = tree(RIDGE, "2")
    for _ in range(12):
        powers = Expr("pow", (powers, num(8)), None, powers.shape)
    ring = tree(RIDGE, "trace(K@K@K@K@K@K@K@K@K@K)")
    many = Expr("pow", (tree(RIDGE, "norm2(a + t + K@a + K@t + K@K@t)"), num(8)))
    chain = [("r0", tree(RIDGE, "1"))]
    for k in range(60):
        chain.append((f"r{k + 1}", Expr("add", (sym(f"r{k}"), sym(f"r{k}")))))
    for left in (node, powers, ring, many, Expr("ones", (), "9999999")):
        line = replace(link(RIDGE, 1, "b = b"), left=left)
        assert not verify(Certificate(RIDGE, (), (line,)))
    line = replace(link(RIDGE, 1, "b = b"), left=sym("r60"))
    assert not verify(Certificate(RIDGE, tuple(chain), (line,)))
    assert not verify(Certificate(RIDGE, 3, ()))
    assert not verify(Certificate(None))


# Changed claims


def changed_tree(node, rng, symbols):
    """Return a tree in which one node is another."""
    at = rng.randrange(sum(1 for _ in node.walk()))
    count = iter(range(10**6))

    def change(part):
        if next(count) != at:
            return part
        match part.op:
            case "num":
                return replace(
                    part, data=part.data + rng.choice((-1, 1, Fraction(1, 2)))
                )
            case "add" | "sub":
                return replace(part, op="sub" if part.op == "add" else "add")
            case "transpose" | "neg":
                return part.args[0]
            case "sym":
                same = [n for n, s in symbols.items() if s.shape == part.shape]
                return replace(part, data=rng.choice(same)) if same else part
            case "mul" if part.args[0].shape == ("1", "1"):
                return part.args[1]
        return Expr("neg", (part,), None, part.shape)

    return node.map(change)


def forgeries(problem, text, rng, each):
    """Yield certificates of a right derivation, each with one claim changed."""
    report = check_derivation(PROBLEMS[problem], text, explanations=False, seed=1)
    made = report.certificate()
    for k, proven in enumerate(made.proven):
        for _ in range(each):
            side = rng.choice(("left", "right"))
            old = getattr(proven, side)
            new = changed_tree(old, rng, report.problem.table)
            if new != old:
                forged = replace(proven, **{side: new})
                links = (*made.proven[:k], forged, *made.proven[k + 1 :])
                yield forged, replace(made, proven=links[: k + 1])


def is_false(problem, text, forged):
    """Return True if the judge finds an instance in which the changed line fails."""
    lines = [line for line in text.splitlines() if line.strip()]
    changed = f"{forged.left} {forged.sign} {forged.right}"
    lines[forged.line - 1] = f"{changed}   | {lines[forged.line - 1].partition('|')[2]}"
    text = "\n".join(lines)
    report = check_derivation(PROBLEMS[problem], text, explanations=False, seed=2)
    return report.lines[forged.line - 1].about == "false"


def verified_but_false(problem, each, derivations):
    """Return how many were tried, how many add up, and which of these are false."""
    rng, tried, added, false = random.Random(problem), 0, 0, []
    for entry in derivations:
        for forged, made in forgeries(problem, entry.text, rng, each):
            tried += 1
            if verify(made):
                added += 1
                if is_false(problem, entry.text, forged):
                    false.append(f"{entry.name}: {forged.left} = {forged.right}")
    return tried, added, false


@pytest.mark.parametrize(
    "problem",
    [pytest.param(name, marks=[] if name in ("ridge-dual", "svm-dual", "lml-gradient")
                  else [pytest.mark.exhaustive]) for name in collected()],
)  # fmt: skip
def test_a_changed_claim_that_adds_up_is_true(problem):
    tried, _, false = verified_but_false(problem, 2, list(read("right", problem))[:2])
    assert tried
    assert not false
