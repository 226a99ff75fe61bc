"""Around the duality of ridge regression: J in a, all solutions, a conjugate, MAP."""

from __future__ import annotations

from kernellab.grading.language.tree import Expr
from kernellab.grading.problem import Milestone, Problem, Route


def _multiplied_out(node: Expr) -> bool:
    """Whether no sum stands inside a product, a square or a norm."""
    if node.op in ("add", "sub", "neg"):
        return all(map(_multiplied_out, node.args))
    return not any(inner.op in ("add", "sub") for inner in node.walk())


_IN_A = frozenset({"t", "K", "a", "lam"})

RIDGE_EXPAND = Problem(
    id="ridge-expand",
    title="The criterion in terms of a",
    statement=(
        "With $w = \\Phi^\\top a$ and $K = \\Phi\\Phi^\\top$, show that "
        "$J = a^\\top K K a - 2a^\\top K t + t^\\top t + \\lambda a^\\top K a$."
    ),
    symbols="""
Phi : N x M
K   : N x N, psd = Phi@Phi.T
t   : N
a   : N
w   : M = Phi.T@a
lam : positive
J   : number = sum((t[n] - w.T@phi[n])**2 for n in N) + lam*w.T@w
""",
    rows={"phi": "Phi"},
    object="J",
    routes=(
        Route(
            (
                Milestone(
                    "J in a and K",
                    "J = (t - K@a).T@(t - K@a) + lam*a.T@K@a",
                    only=_IN_A,
                ),
                Milestone(
                    "J multiplied out",
                    "J = a.T@K@K@a - 2*a.T@K@t + t.T@t + lam*a.T@K@a",
                    only=_IN_A,
                    form=_multiplied_out,
                ),
            )
        ),
    ),
)

RIDGE_SOLUTIONS = Problem(
    id="ridge-solutions",
    title="All solutions of (P)",
    statement=(
        "Let $a$ minimise $P = \\frac1{2N}\\|y - Ka\\|^2 + \\frac\\lambda2 a^\\top Ka$ "
        "and $b = (K + N\\lambda I)^{-1}y$. Show that $z = a - b$ satisfies $Kz = 0$ "
        "and $\\|\\Phi^\\top z\\|^2 = 0$."
    ),
    symbols="""
Phi : N x M
K   : N x N, psd = Phi@Phi.T
y   : N
a   : N
lam : positive
b   : N = inv(K + N*lam*I)@y
z   : N = a - b
P   : number = norm2(y - K@a)/(2*N) + lam/2*a.T@K@a
""",
    rows={"phi": "Phi"},
    object="P",
    variables=("a",),
    unknowns=("a", "z", "b"),
    routes=(
        Route(
            (
                Milestone(
                    "stationarity in a",
                    "K@((K + N*lam*I)@a - y) = 0",
                    unknown="a",
                    gradient=True,
                ),
                Milestone("K@z = 0", "K@z = 0"),
                Milestone("norm2(Phi.T@z) = 0", "norm2(Phi.T@z) = 0"),
            )
        ),
    ),
)

_CONJUGATE = "v.T@y + N/2*norm2(v)"
_IN_V = frozenset({"v", "y"})

LEAST_SQUARES_CONJUGATE = Problem(
    id="least-squares-conjugate",
    title="The conjugate of the squared loss",
    statement=(
        "Maximise $h = v^\\top u - \\frac1{2N}\\|y - u\\|^2$ over $u$: show that the "
        "greatest value is $v^\\top y + \\frac N2\\|v\\|^2$."
    ),
    symbols="""
v : N
y : N
u : N
h : number = v.T@u - norm2(y - u)/(2*N)
""",
    sizes=("N",),
    object="h",
    variables=("u",),
    unknowns=("u",),
    regimes=({"N": 4}, {"N": 5}),
    routes=(
        Route(
            (
                Milestone("u", "u = y + N*v", only=_IN_V),
                Milestone("h at its maximum", f"h = {_CONJUGATE}", only=_IN_V),
            ),
            "through stationarity",
        ),
        Route(
            (
                Milestone(
                    "the square completed",
                    f"h = {_CONJUGATE} - norm2(u - y - N*v)/(2*N)",
                ),
                Milestone("the bound", f"h <= {_CONJUGATE}", only=_IN_V),
            ),
            "by completing the square",
        ),
    ),
)

RIDGE_MAP = Problem(
    id="ridge-map",
    title="Ridge regression as a posterior mode",
    statement=(
        "Minimise $L = \\frac1{2\\sigma^2}\\|t - \\Phi w\\|^2 + "
        "\\frac1{2\\tau^2}\\|w\\|^2 + c$ over $w$: show that "
        "$w = (\\Phi^\\top\\Phi + \\lambda I)^{-1}\\Phi^\\top t$ with "
        "$\\lambda = \\sigma^2/\\tau^2$."
    ),
    symbols="""
Phi   : N x M
t     : N
w     : M
sigma : positive
tau   : positive
c     : number
lam   : positive = sigma**2/tau**2
L     : number = norm2(t - Phi@w)/(2*sigma**2) + norm2(w)/(2*tau**2) + c
""",
    rows={"phi": "Phi"},
    object="L",
    variables=("w",),
    unknowns=("w",),
    routes=(
        Route(
            (
                Milestone(
                    "stationarity in w",
                    "Phi.T@(t - Phi@w)/sigma**2 = w/tau**2",
                    unknown="w",
                    gradient=True,
                ),
                Milestone(
                    "w = inv(Phi.T@Phi + lam*I)@Phi.T@t",
                    "w = inv(Phi.T@Phi + lam*I)@Phi.T@t",
                    only=frozenset({"Phi", "lam", "t"}),
                ),
            )
        ),
    ),
)

PROBLEMS = (RIDGE_EXPAND, RIDGE_SOLUTIONS, LEAST_SQUARES_CONJUGATE, RIDGE_MAP)
