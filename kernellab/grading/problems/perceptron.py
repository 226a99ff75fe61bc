"""The perceptron: one update, the bias as a kernel, what a mistake does."""

from __future__ import annotations

from kernellab.grading.language.tree import Expr
from kernellab.grading.problem import Milestone, Problem, Route


def _one_product(node: Expr) -> bool:
    """A product or a sum over the points: no further term stands beside it."""
    if node.op == "transpose":
        return _one_product(node.args[0])
    return node.op in ("mul", "sum") or (node.op == "call" and node.data == "dot")


_SIZES = ("N", "D")
_REGIMES = ({"N": 4, "D": 3}, {"N": 4, "D": 5})

ONE_UPDATE = Problem(
    id="one-update",
    title="One update of the perceptron",
    statement=(
        "Before a mistake $w = X^\\top\\mathrm{diag}(y)\\,\\alpha$, after it "
        "$v = w + r\\,X^\\top\\mathrm{diag}(y)\\,e$ with the rate $r$, where $e$ is 1 "
        "at the point of the mistake. Show that $v$ belongs to "
        "$\\beta = \\alpha + re$, and what is added to the scores."
    ),
    symbols="""
X     : N x D
K     : N x N, psd = X@X.T
y     : N
alpha : N
e     : N
r     : positive
beta  : N = alpha + r*e
w     : D = X.T@diag(y)@alpha
v     : D = w + r*X.T@diag(y)@e
g     : N = X@w
h     : N = X@v
""",
    sizes=_SIZES,
    rows={"x": "X"},
    object="h",
    objects=("v", "g"),
    max_facts=3,
    regimes=_REGIMES,
    routes=(
        Route(
            (
                Milestone(
                    "v in beta",
                    "v = X.T@diag(y)@beta",
                    only=frozenset({"X", "y", "beta"}),
                ),
                Milestone(
                    "h = g + a column of K",
                    "h = g + r*K@diag(y)@e",
                    only=frozenset({"g", "r", "K", "y", "e"}),
                ),
            )
        ),
    ),
)

BIAS_KERNEL = Problem(
    id="bias-kernel",
    title="The bias is a kernel",
    statement=(
        "$g = w^\\top z + b$ with $w = \\sum_i \\alpha_i y_i x_i$ and "
        "$b = \\sum_i \\alpha_i y_i$. Show that $g$ has the kernel $k + 1$ and no "
        "bias; and the same for the scores $f$ of the training points."
    ),
    symbols="""
X     : N x D
K     : N x N, psd = X@X.T
y     : N
alpha : N
z     : D
k     : N = X@z
w     : D = sum(alpha[i]*y[i]*x[i] for i in N)
b     : number = sum(alpha[i]*y[i] for i in N)
g     : number = w.T@z + b
f     : N = X@w + b*ones(N)
""",
    sizes=_SIZES,
    rows={"x": "X"},
    object="g",
    objects=("f",),
    max_facts=3,
    regimes=_REGIMES,
    routes=(
        Route(
            (
                Milestone(
                    "g as one sum, with k",
                    "g = sum(alpha[i]*y[i]*(k[i] + 1) for i in N)",
                    only=frozenset({"alpha", "y", "k"}),
                    form=_one_product,
                ),
                Milestone(
                    "f as one matrix times diag(y)@alpha",
                    "f = (K + ones(N)@ones(N).T)@diag(y)@alpha",
                    only=frozenset({"K", "y", "alpha"}),
                    form=_one_product,
                ),
            )
        ),
    ),
)

# The slacks s, t, e make equations of the three inequalities that are known. The one
# given is solved for w, so that they are never negative in an example.
ONE_MISTAKE = Problem(
    id="one-mistake",
    title="What one mistake does",
    statement=(
        "A mistake turns $w$ into $v = w + z$, where $z = y_i\\varphi(x_i)$ and "
        "$w^\\top z = -s$, $R_2 = z^\\top z + t$, $\\gamma = u^\\top z - e$ with "
        "$s, t, e \\geq 0$. Show that $p = u^\\top v \\geq u^\\top w + \\gamma$ and "
        "$q = \\|v\\|^2 \\leq \\|w\\|^2 + R_2$."
    ),
    symbols="""
u     : D
w     : D
z     : D
s     : positive
t     : positive
e     : positive
R2    : number = z.T@z + t
gamma : number = u.T@z - e
v     : D = w + z
p     : number = u.T@v
q     : number = v.T@v
""",
    sizes=("D",),
    object="q",
    objects=("p",),
    givens=("w.T@z = -s",),
    unknowns=("w",),
    regimes=({"D": 3}, {"D": 4}),
    routes=(
        Route(
            (
                Milestone(
                    "p >= u.T@w + gamma",
                    "p >= u.T@w + gamma",
                    only=frozenset({"u", "w", "gamma"}),
                ),
                Milestone(
                    "q <= w.T@w + R2",
                    "q <= w.T@w + R2",
                    only=frozenset({"w", "R2"}),
                ),
            )
        ),
    ),
)

PROBLEMS = (ONE_UPDATE, BIAS_KERNEL, ONE_MISTAKE)
