"""Kernels: factorisations, features, closure, the representer theorem."""

from __future__ import annotations

from kernellab.grading.language.tree import Expr, terms
from kernellab.grading.problem import Milestone, Problem, Route


def _factors(node: Expr) -> list[Expr]:
    if node.op == "mul":
        return [f for arg in node.args for f in _factors(arg)]
    if node.op == "div":
        return _factors(node.args[0]) + _factors(node.args[1])
    return [node]


def _one_mixed_factor(node: Expr) -> bool:
    """f(x) · exp(xᵀz/s²) · f(z): only one factor holds both x and z."""
    both = [f for f in _factors(node) if {"x", "z"} <= f.symbols()]
    alone = [f for f in _factors(node) if len({"x", "z"} & f.symbols()) == 1]
    if len(both) != 1 or len(alone) < 2 or both[0].op != "call":
        return False
    return not _squares(both[0].args[0])


def _squares(node: Expr) -> bool:
    """Whether x meets x (or z meets z) somewhere in an exponent."""
    if node.op in ("add", "sub"):
        return True
    if node.op == "call" and node.data == "norm2":
        return True
    return any(map(_squares, node.args))


def _multiplied_out(node: Expr) -> bool:
    """A sum of products: no bracket is left."""
    parts = [n for _, term in terms(node) for n in term.walk()]
    return node.op in ("add", "sub") and not any(
        n.op in ("add", "sub", "sum") or (n.shape != ("1", "1") and n.op != "sym")
        for n in parts
    )


def _inner_product(node: Expr) -> bool:
    """vec(… x …) times vec(… z …)."""
    if node.op == "call" and node.data == "dot":
        left, right = node.args
    elif node.op == "mul" and node.args[0].op == "transpose":
        left, right = node.args[0].args[0], node.args[1]
    else:
        return False
    vectors = [n.op == "call" and n.data == "vec" for n in (left, right)]
    names = sorted(("x" in n.symbols(), "z" in n.symbols()) for n in (left, right))
    return all(vectors) and names == [(False, True), (True, False)]


def _sum_of_squares(node: Expr) -> bool:
    """Squares under sums, with positive numbers before them."""
    match node.op:
        case "sum":
            return _sum_of_squares(node.args[0])
        case "add":
            return all(map(_sum_of_squares, node.args))
        case "pow":
            return bool(node.args[1].data == 2)
        case "mul":
            return str(node.args[0]) == str(node.args[1])
        case "call":
            return bool(node.data == "norm2")
    return False


GAUSSIAN_FACTORS = Problem(
    id="gaussian-factors",
    title="The Gaussian kernel in factors",
    statement=(
        "Write $k = \\exp(-\\|x - z\\|^2/2s^2)$ as "
        "$f(x)\\,\\exp(x^\\top z/s^2)\\,f(z)$."
    ),
    symbols="""
x : D
z : D
s : positive
k : number = exp(-norm2(x - z)/(2*s**2))
""",
    sizes=("D",),
    object="k",
    aliases={"sigma": "s"},
    regimes=({"D": 3}, {"D": 4}),
    routes=(
        Route(
            (
                Milestone(
                    "k in factors",
                    "k = exp(-x.T@x/(2*s**2))*exp(x.T@z/s**2)*exp(-z.T@z/(2*s**2))",
                    form=_one_mixed_factor,
                ),
            )
        ),
    ),
)

POLYNOMIAL_FEATURES = Problem(
    id="polynomial-features",
    title="Features of the polynomial kernel",
    statement=(
        "Write $k = (x^\\top z + c)^2$ for $x, z \\in \\mathbb{R}^2$ as an inner "
        "product of two vectors, one of $x$ alone and one of $z$ alone."
    ),
    symbols="""
x : 2
z : 2
c : positive
k : number = (x.T@z + c)**2
""",
    sizes=(),
    object="k",
    regimes=({}, {}),
    routes=(
        Route(
            (
                Milestone(
                    "expansion",
                    "k = (x.T@z + c)**2",
                    form=_multiplied_out,
                    optional=True,
                ),
                Milestone("inner product", "k = (x.T@z + c)**2", form=_inner_product),
            )
        ),
    ),
)

PRODUCT_KERNEL = Problem(
    id="product-kernel",
    title="The product of two kernels",
    statement=(
        "$E = AA^\\top$ and $F = BB^\\top$. Show that $q = v^\\top(E\\circ F)v$ is a "
        "sum of squares, hence $q \\geq 0$."
    ),
    symbols="""
A : N x P
B : N x Q
E : N x N, psd = A@A.T
F : N x N, psd = B@B.T
K : N x N, symmetric = had(E,F)
v : N
q : number = v.T@K@v
""",
    sizes=("N", "P", "Q"),
    rows={},
    object="q",
    max_facts=3,
    regimes=({"N": 3, "P": 2, "Q": 3}, {"N": 2, "P": 3, "Q": 2}),
    routes=(
        Route(
            (
                Milestone("q as a sum of squares", "q = v.T@had(A@A.T, B@B.T)@v",
                          form=_sum_of_squares),
                Milestone("q >= 0", "q >= 0"),
            )
        ),
    ),
)  # fmt: skip

CLOSURE = Problem(
    id="closure",
    title="Sums of kernels, and kernels scaled by a function",
    statement=(
        "With $E, F \\succeq 0$ and $c, b > 0$, show that "
        "$q = v^\\top(cE + bF)v \\geq 0$; or, with $K = \\Phi\\Phi^\\top$ and "
        "$G = \\mathrm{diag}(g)K\\mathrm{diag}(g)$, that $r = v^\\top G v \\geq 0$."
    ),
    symbols="""
E   : N x N, psd
F   : N x N, psd
c   : positive
b   : positive
S   : N x N, symmetric = c*E + b*F
v   : N
q   : number = v.T@S@v
Phi : N x M
K   : N x N, psd = Phi@Phi.T
g   : N
G   : N x N, symmetric = diag(g)@K@diag(g)
r   : number = v.T@G@v
""",
    rows={"phi": "Phi"},
    object="q",
    objects=("r",),
    routes=(
        Route((Milestone("q >= 0", "q >= 0"),), "the sum"),
        Route((Milestone("r >= 0", "r >= 0"),), "the scaled kernel"),
    ),
)

REPRESENTER = Problem(
    id="representer",
    title="The representer theorem",
    statement=(
        "Write $w = \\Phi^\\top a + u$ with $\\Phi u = 0$. Show that $u$ only makes "
        "$J = \\ell(\\Phi w) + \\lambda\\|w\\|^2$ larger."
    ),
    symbols="""
Phi : N x M
K   : N x N, psd = Phi@Phi.T
a   : N
u   : M
w   : M = Phi.T@a + u
lam : positive
J   : number = loss(Phi@w) + lam*norm2(w)
""",
    rows={"phi": "Phi"},
    object="J",
    unknowns=("u",),
    givens=("Phi@u = 0",),
    regimes=({"N": 3, "M": 6}, {"N": 4, "M": 6}),
    routes=(
        Route(
            (
                Milestone(
                    "J in a and u",
                    "J = loss(K@a) + lam*a.T@K@a + lam*norm2(u)",
                    only=frozenset({"K", "a", "u", "lam", "Phi"}),
                ),
                Milestone(
                    "the bound",
                    "J >= loss(K@a) + lam*a.T@K@a",
                    only=frozenset({"K", "a", "lam", "Phi"}),
                ),
            )
        ),
    ),
)

PROBLEMS = (
    GAUSSIAN_FACTORS,
    POLYNOMIAL_FEATURES,
    PRODUCT_KERNEL,
    CLOSURE,
    REPRESENTER,
)
