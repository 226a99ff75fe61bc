"""Support vector machines."""

from __future__ import annotations

from kernellab.grading.problem import Milestone, Problem, Route

SVM_DUAL = Problem(
    id="svm-dual",
    title="The dual of the hard-margin machine",
    statement=(
        "Eliminate $w$ and $b$ from the Lagrangian "
        "$L = \\frac12 w^\\top w - \\sum_i \\alpha_i (y_i(w^\\top x_i + b) - 1)$."
    ),
    symbols="""
X     : N x D
y     : N
alpha : N
w     : D
b     : number
K     : N x N, psd = X@X.T
L     : number = 1/2*w.T@w - sum(alpha[i]*(y[i]*(w.T@x[i] + b) - 1) for i in N)
""",
    sizes=("N", "D"),
    rows={"x": "X"},
    object="L",
    variables=("w", "b"),
    unknowns=("w", "alpha", "b"),
    regimes=({"N": 5, "D": 3}, {"N": 4, "D": 6}),
    routes=(
        Route(
            (
                Milestone("w", "w = sum(alpha[i]*y[i]*x[i] for i in N)", only=frozenset(
                    {"alpha", "y", "X"})),
                Milestone(
                    "the constraint",
                    "sum(alpha[i]*y[i] for i in N) = 0",
                    unknown="alpha",
                ),
                Milestone(
                    "L in alpha alone",
                    "L = sum(alpha[i] for i in N) - 1/2*sum(sum(alpha[i]*alpha[j]*y[i]"
                    "*y[j]*x[i].T@x[j] for j in N) for i in N)",
                    only=frozenset({"alpha", "y", "X", "K"}),
                ),
            )
        ),
    ),
)  # fmt: skip

PROBLEMS = (SVM_DUAL,)
