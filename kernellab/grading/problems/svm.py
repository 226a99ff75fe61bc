"""Support vector machines: the margin, and the duals of both machines."""

from __future__ import annotations

from kernellab.grading.language.tree import Expr
from kernellab.grading.problem import Milestone, Problem, Route

_W = Milestone(
    "w",
    "w = sum(alpha[i]*y[i]*x[i] for i in N)",
    only=frozenset({"alpha", "y", "X"}),
)
_CONSTRAINT = Milestone(
    "the constraint",
    "sum(alpha[i]*y[i] for i in N) = 0",
    unknown="alpha",
)
_DUAL = Milestone(
    "L in alpha alone",
    "L = sum(alpha[i] for i in N) - 1/2*sum(sum(alpha[i]*alpha[j]*y[i]"
    "*y[j]*x[i].T@x[j] for j in N) for i in N)",
    only=frozenset({"alpha", "y", "X", "K"}),
)

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
alpha : N, nonneg
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
    routes=(Route((_W, _CONSTRAINT, _DUAL)),),
)

_SOFT_LAGRANGIAN = (
    "1/2*w.T@w + C*sum(xi[i] for i in N)"
    " - sum(alpha[i]*(y[i]*(w.T@x[i] + b) - 1 + xi[i]) for i in N)"
    " - sum(mu[i]*xi[i] for i in N)"
)

SVM_SOFT_DUAL = Problem(
    id="svm-soft-dual",
    title="The dual of the soft-margin machine",
    statement=(
        "Eliminate $w$, $b$ and $\\xi$ from the Lagrangian $L = \\frac12 w^\\top w + "
        "C\\sum_i \\xi_i - \\sum_i \\alpha_i (y_i(w^\\top x_i + b) - 1 + \\xi_i) - "
        "\\sum_i \\mu_i \\xi_i$."
    ),
    symbols=f"""
X     : N x D
y     : N
C     : positive
alpha : N, nonneg
mu    : N, nonneg
w     : D
b     : number
xi    : N
K     : N x N, psd = X@X.T
L     : number = {_SOFT_LAGRANGIAN}
""",
    sizes=("N", "D"),
    rows={"x": "X"},
    object="L",
    variables=("w", "b", "xi"),
    unknowns=("w", "mu", "alpha", "b", "xi"),
    max_facts=3,  # the three conditions may be put in together
    regimes=({"N": 5, "D": 3}, {"N": 4, "D": 6}),
    routes=(
        Route(
            (
                _W,
                _CONSTRAINT,
                Milestone("mu", "C*ones(N) - alpha - mu = 0", unknown="mu"),
                _DUAL,
            )
        ),
    ),
)

SVM_NORM = Problem(
    id="svm-norm",
    title="The norm of the weights",
    statement=(
        "At the solution of the hard-margin machine $w = X^\\top\\mathrm{diag}(y)"
        "\\alpha$, $y^\\top\\alpha = 0$ and $\\alpha^\\top s = 0$, where "
        "$s_i = y_i(w^\\top x_i + b) - 1$. Show that $q = \\|w\\|^2$ is the sum of the "
        "multipliers, and that the dual value is $\\frac12 q$."
    ),
    symbols="""
X     : N x D
y     : N
alpha : N, nonneg
w     : D
b     : number
K     : N x N, psd = X@X.T
s     : N = diag(y)@(X@w + b*ones(N)) - ones(N)
q     : number = w.T@w
V     : number = sum(alpha) - 1/2*alpha.T@diag(y)@K@diag(y)@alpha
""",
    sizes=("N", "D"),
    rows={"x": "X"},
    object="q",
    objects=("V",),
    unknowns=("w", "alpha", "b"),
    givens=("w = X.T@diag(y)@alpha", "y.T@alpha = 0", "alpha.T@s = 0"),
    regimes=({"N": 5, "D": 3}, {"N": 4, "D": 6}),
    routes=(
        Route(
            (
                Milestone("q", "q = sum(alpha)", only=frozenset({"alpha"})),
                Milestone("V", "V = 1/2*q", only=frozenset({"q", "w"})),
            )
        ),
    ),
)


def _is_foot(node: Expr) -> bool:
    """wᵀz + b for a point z that is computed, not for the u that is given."""
    return node.op == "add" and "w" in node.symbols() and "u" not in node.symbols()


_IN_X = frozenset({"F", "s", "w", "x", "b"})

HYPERPLANE_DISTANCE = Problem(
    id="hyperplane-distance",
    title="The distance to a hyperplane",
    statement=(
        "Find the point $u$ with $w^\\top u + b = 0$ that is nearest to $x$, and its "
        "squared distance $r = \\|x - u\\|^2$."
    ),
    symbols="""
x    : D
w    : D
b    : number
s    : positive = w.T@w
F    : number = w.T@x + b
u    : D
beta : number
r    : number = norm2(x - u)
L    : number = 1/2*norm2(x - u) + beta*(w.T@u + b)
""",
    sizes=("D",),
    object="L",
    objects=("r",),
    variables=("u", "beta"),
    unknowns=("u", "beta", "b"),
    givens=("w.T@u + b = 0",),
    max_facts=3,
    regimes=({"D": 3}, {"D": 4}),
    routes=(
        Route(
            (
                Milestone("u", "u = x - beta*w", only=frozenset({"x", "beta", "w"})),
                Milestone("beta", "beta = F/s", only=_IN_X),
                Milestone("r at the nearest point", "r = F**2/s", only=_IN_X),
            ),
            "by Lagrange",
        ),
        Route(
            (
                Milestone(
                    "the foot lies on the hyperplane",
                    "w.T@(x - F/s*w) + b = 0",
                    left=_is_foot,
                ),
                Milestone("the bound", "r >= F**2/s", only=_IN_X),
            ),
            "by Pythagoras",
        ),
    ),
)

PROBLEMS = (SVM_DUAL, SVM_SOFT_DUAL, SVM_NORM, HYPERPLANE_DISTANCE)
