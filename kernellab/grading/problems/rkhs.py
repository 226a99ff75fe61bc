"""Reproducing kernel Hilbert spaces: Cauchy–Schwarz, interpolation of least norm."""

from __future__ import annotations

from kernellab.grading.language.tree import Expr
from kernellab.grading.problem import Milestone, Problem, Route


def _has_factor(node: Expr) -> bool:
    """K[1,1] times something."""
    if node.op == "mul":
        return any(map(_has_factor, node.args))
    return node.op == "index" and node.data == (1, 1)


KERNEL_CAUCHY_SCHWARZ = Problem(
    id="kernel-cauchy-schwarz",
    title="Cauchy–Schwarz for kernels",
    statement=(
        "$K$ is the Gram matrix of two points, and "
        "$c = (K_{11}, -K_{01})^\\top$, counted from 0. Show that "
        "$q = c^\\top K c$ is $K_{11}$ times the determinant, and $\\geq 0$."
    ),
    symbols="""
K : 2 x 2, psd
c : 2 = vec(K[1,1], -K[0,1])
q : number = c.T@K@c
""",
    sizes=(),
    object="q",
    regimes=({}, {}),
    routes=(
        Route(
            (
                Milestone(
                    "q = K[1,1]*det(K)",
                    "q = K[1,1]*(K[0,0]*K[1,1] - K[0,1]**2)",
                    only=frozenset({"K"}),
                    form=_has_factor,
                ),
                Milestone("q >= 0", "q >= 0"),
            )
        ),
    ),
)

LEAST_NORM = Problem(
    id="least-norm",
    title="Interpolation of least norm",
    statement=(
        "$K = \\Phi\\Phi^\\top$ is positive definite and $w = \\Phi^\\top a + u$ with "
        "$Ka = y$ and $\\Phi u = 0$. Show that $w$ interpolates, $f = \\Phi w = y$, "
        "and that $r = \\|w\\|^2 \\geq y^\\top K^{-1} y$."
    ),
    symbols="""
Phi : N x M
K   : N x N, pd = Phi@Phi.T
y   : N
a   : N = inv(K)@y
u   : M
w   : M = Phi.T@a + u
f   : N = Phi@w
r   : number = w.T@w
""",
    rows={"phi": "Phi"},
    object="r",
    objects=("f",),
    unknowns=("u",),
    givens=("Phi@u = 0",),
    max_facts=3,
    regimes=({"N": 3, "M": 5}, {"N": 2, "M": 6}),
    routes=(
        Route(
            (
                Milestone("f = y", "f = y", only=frozenset({"y"})),
                Milestone(
                    "r >= y.T@inv(K)@y",
                    "r >= y.T@inv(K)@y",
                    only=frozenset({"y", "K"}),
                ),
            )
        ),
    ),
)

PROBLEMS = (KERNEL_CAUCHY_SCHWARZ, LEAST_NORM)
