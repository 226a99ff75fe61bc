"""The kernel trick: what it costs, and principal components with a kernel."""

from __future__ import annotations

from kernellab.grading.language.tree import Expr
from kernellab.grading.problem import Milestone, Problem, Route


def _factors(node: Expr) -> list[Expr]:
    """The factors of a product; of a fraction, those of its numerator."""
    if node.op in ("div", "neg"):
        return _factors(node.args[0])
    if node.op == "mul":
        return [factor for arg in node.args for factor in _factors(arg)]
    return [node]


def _has_factor_p_minus_n(node: Expr) -> bool:
    """(p - n) or (n - p) times something."""
    differences = [f for f in _factors(node) if f.op == "sub"]
    return any(sorted(map(str, f.args)) == ["n", "p"] for f in differences)


BREAK_EVEN = Problem(
    id="break-even",
    title="Where primal and dual cost the same",
    statement=(
        "With $n$ points and $p$ features the primal takes $\\frac12 np^2 + "
        "\\frac16 p^3$ multiplications, the dual $\\frac12 n^2p + \\frac16 n^3$. "
        "Factor their difference $D$."
    ),
    symbols="""
n : positive
p : positive
P : number = n*p**2/2 + p**3/6
A : number = n**2*p/2 + n**3/6
D : number = P - A
""",
    sizes=(),
    object="D",
    objects=("P", "A"),
    regimes=({}, {}),
    routes=(
        Route(
            (
                Milestone(
                    "D in n and p",
                    "D = n*p**2/2 + p**3/6 - n**2*p/2 - n**3/6",
                    only=frozenset({"n", "p"}),
                ),
                Milestone(
                    "D with the factor p - n",
                    "D = (p - n)*(p**2 + 4*n*p + n**2)/6",
                    only=frozenset({"n", "p"}),
                    form=_has_factor_p_minus_n,
                ),
            )
        ),
    ),
)

CENTRED_GRAM = Problem(
    id="centred-gram",
    title="The Gram matrix of centred features",
    statement=(
        "With $H = I - \\frac1N \\mathbf{1}\\mathbf{1}^\\top$ the centred features are "
        "$C = H\\Phi$. Show that $H^2 = H$ and that their Gram matrix is $HKH$."
    ),
    symbols="""
Phi : N x M
K   : N x N, psd = Phi@Phi.T
H   : N x N, symmetric = I - ones(N)@ones(N).T/N
C   : N x M = H@Phi
G   : N x N, symmetric = C@C.T
""",
    rows={"phi": "Phi"},
    object="G",
    max_facts=3,
    routes=(
        Route(
            (
                Milestone("H@H = H", "H@H = H", only=frozenset({"H"})),
                Milestone("G = H@K@H", "G = H@K@H", only=frozenset({"H", "K"})),
            )
        ),
    ),
)

PCA_DIRECTIONS = Problem(
    id="pca-directions",
    title="From the Gram matrix to the covariance",
    statement=(
        "$C$ holds centred features, $G = CC^\\top$ is their Gram matrix and "
        "$S = C^\\top C$ is $N$ times their covariance matrix. Show that "
        "$w = C^\\top v$ has $Sw = C^\\top Gv$ and $\\|w\\|^2 = v^\\top Gv$."
    ),
    symbols="""
C : N x M
G : N x N, psd = C@C.T
S : M x M, psd = C.T@C
v : N
w : M = C.T@v
u : M = S@w
r : number = w.T@w
""",
    object="r",
    objects=("u",),
    max_facts=3,
    routes=(
        Route(
            (
                Milestone(
                    "u = C.T@G@v",
                    "u = C.T@G@v",
                    only=frozenset({"C", "G", "v"}),
                    form=lambda node: "G" in node.symbols(),
                ),
                Milestone("r = v.T@G@v", "r = v.T@G@v", only=frozenset({"G", "v"})),
            )
        ),
    ),
)

PROBLEMS = (BREAK_EVEN, CENTRED_GRAM, PCA_DIRECTIONS)
