"""Optimisation under constraints: when Lagrange's condition is enough."""

from __future__ import annotations

from kernellab.grading.problem import Milestone, Problem, Route

LAGRANGE_SUFFICIENT = Problem(
    id="lagrange-sufficient",
    title="Lagrange's condition is sufficient",
    statement=(
        "$w_*$ and $\\beta$ satisfy $Aw_* - c + B^\\top\\beta = 0$ and $Bw_* = d$, "
        "with $A$ positive semi-definite. Show that "
        "$r = f(w) - f(w_*) \\geq 0$ for every $w$ with $Bw = d$, where "
        "$f(w) = \\frac12 w^\\top Aw - c^\\top w$."
    ),
    # c and d are defined by the conditions on w*: nothing has to be solved for them.
    symbols="""
A    : M x M, psd
B    : P x M
beta : P
w    : M
ws   : M
c    : M = A@ws + B.T@beta
d    : P = B@ws
f    : number = 1/2*w.T@A@w - c.T@w
fs   : number = 1/2*ws.T@A@ws - c.T@ws
L    : number = f + beta.T@(B@w - d)
Ls   : number = fs + beta.T@(B@ws - d)
r    : number = f - fs
""",
    sizes=("M", "P"),
    object="r",
    objects=("f", "fs", "L", "Ls"),
    unknowns=("w", "ws"),
    givens=("B@w = B@ws", "B@w = d"),
    max_facts=3,
    regimes=({"M": 5, "P": 2}, {"M": 4, "P": 3}),
    routes=(
        Route(
            (
                Milestone(
                    "r as a quadratic form",
                    "r = 1/2*(w - ws).T@A@(w - ws)",
                    only=frozenset({"A", "w", "ws"}),
                    optional=True,
                ),
                Milestone("r >= 0", "r >= 0"),
            )
        ),
    ),
)

PROBLEMS = (LAGRANGE_SUFFICIENT,)
