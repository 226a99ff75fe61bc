"""Ridge regression and its dual."""

from __future__ import annotations

from kernellab.grading.language.tree import Expr
from kernellab.grading.problem import Milestone, Problem, Route

_SYMBOLS = """
Phi  : N x M
K    : N x N, psd = Phi@Phi.T
t    : N
a    : N
w    : M = Phi.T@a
lam  : positive
phis : M
k    : N = Phi@phis
y    : number = w.T@phis
J    : number = sum((t[n] - w.T@phi[n])**2 for n in N) + lam*w.T@w
"""
_GOAL = Milestone("a = inv(K + lam*I)@t", "a = inv(K + lam*I)@t", only=frozenset(
    {"K", "Phi", "lam", "t"}))  # fmt: skip


def _inverts_on_the_right(node: Expr) -> bool:
    """Whether the inverse is of an N×N matrix: the dual form, not the primal one."""
    found = [n for n in node.walk() if n.op == "inv"]
    return bool(found) and all(n.shape == ("N", "N") for n in found)


def _inverts_on_the_left(node: Expr) -> bool:
    """Whether every inverse is of an M×M matrix: the primal form."""
    found = [n for n in node.walk() if n.op == "inv"]
    return bool(found) and all(n.shape == ("M", "M") for n in found)


RIDGE_DUAL = Problem(
    id="ridge-dual",
    title="The dual of ridge regression",
    statement=(
        "With $w = \\Phi^\\top a$, show that $a = (K + \\lambda I)^{-1}t$ minimises "
        "$J(w) = \\sum_n (t_n - w^\\top\\phi(x_n))^2 + \\lambda w^\\top w$."
    ),
    symbols=_SYMBOLS,
    rows={"phi": "Phi"},
    object="J",
    variables=("a", "w"),
    unknowns=("a", "w"),
    definable=("a",),
    assumable=("K",),
    sufficient=True,
    routes=(
        Route(
            (
                Milestone(
                    "J in terms of a",
                    "J = (t - K@a).T@(t - K@a) + lam*a.T@K@a",
                    only=frozenset({"t", "K", "a", "lam", "Phi"}),
                ),
                Milestone(
                    "stationarity in a",
                    "K@((K + lam*I)@a - t) = 0",
                    unknown="a",
                    gradient=True,
                ),
                _GOAL,
            ),
            "through J(a) and its gradient",
        ),
        Route(
            (
                Milestone(
                    "stationarity in w",
                    "lam*w = Phi.T@(t - Phi@w)",
                    unknown="w",
                    gradient=True,
                ),
                _GOAL,
            ),
            "through stationarity in w",
        ),
        Route(
            (
                Milestone(
                    "stationarity in w",
                    "lam*w = Phi.T@(t - Phi@w)",
                    unknown="w",
                    gradient=True,
                ),
                Milestone(
                    "w = Phi.T@inv(K + lam*I)@t",
                    "w = Phi.T@inv(K + lam*I)@t",
                    only=frozenset({"Phi", "K", "lam", "t"}),
                    form=_inverts_on_the_right,
                ),
            ),
            "through w and push-through",
        ),
    ),
)

RIDGE_PREDICTOR = Problem(
    id="ridge-predictor",
    title="The prediction in terms of the kernel",
    statement=(
        "Given $w = \\Phi^\\top a$ and $a = (K + \\lambda I)^{-1}t$, write the "
        "prediction $y = w^\\top\\phi_*$ through kernel values alone."
    ),
    symbols=_SYMBOLS.replace("a    : N\n", "a    : N = inv(K + lam*I)@t\n"),
    rows={"phi": "Phi"},
    object="y",
    unknowns=("a", "w"),
    routes=(
        Route(
            (
                Milestone("y = k.T@a", "y = k.T@a", only=frozenset({"k", "a"})),
                Milestone(
                    "y = k.T@inv(K + lam*I)@t",
                    "y = k.T@inv(K + lam*I)@t",
                    only=frozenset({"k", "K", "lam", "t"}),
                ),
            )
        ),
    ),
)

PUSH_THROUGH = Problem(
    id="push-through",
    title="The push-through identity",
    statement="Show that $(AA^\\top + I)^{-1}A = A(A^\\top A + I)^{-1}$.",
    symbols="A : N x M",
    max_facts=1,
    routes=(
        Route(
            (
                Milestone(
                    "the identity",
                    "inv(A@A.T + I)@A = A@inv(A.T@A + I)",
                    left=_inverts_on_the_right,
                    form=_inverts_on_the_left,
                ),
            )
        ),
    ),
)

PROBLEMS = (RIDGE_DUAL, RIDGE_PREDICTOR, PUSH_THROUGH)
