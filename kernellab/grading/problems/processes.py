"""Gaussian processes: images of Gaussians, conditioning by blocks, ridge regression."""

from __future__ import annotations

from kernellab.grading.problem import Milestone, Problem, Route

LINEAR_GAUSSIAN = Problem(
    id="linear-gaussian",
    title="Covariances of noisy linear images",
    statement=(
        "$y = Ax + e$ and $z = g^\\top x + d$ with independent $x$, $e$, $d$ of "
        "covariances $S$, $T$, $t$. Find $\\mathrm{cov}(y, y)$, "
        "$\\mathrm{cov}(y, z)$ and $\\mathrm{cov}(z, z)$."
    ),
    symbols="""
A : N x M
g : M
S : M x M, psd
T : N x N, psd
t : positive
x : M, random
e : N, random
d : random
y : N, random = A@x + e
z : random = g.T@x + d
""",
    covariances={
        "x x": "S",
        "e e": "T",
        "d d": "t",
        "x e": "ones(M)@ones(N).T - ones(M)@ones(N).T",  # zero, with its shape
        "x d": "ones(M) - ones(M)",
        "e d": "ones(N) - ones(N)",
    },
    max_facts=3,
    regimes=({"N": 3, "M": 2}, {"N": 2, "M": 3}),
    routes=(
        Route(
            (
                Milestone(
                    "cov(y,y)",
                    "cov(y,y) = A@S@A.T + T",
                    only=frozenset({"A", "S", "T"}),
                ),
                Milestone(
                    "cov(y,z)", "cov(y,z) = A@S@g", only=frozenset({"A", "S", "g"})
                ),
                Milestone(
                    "cov(z,z)",
                    "cov(z,z) = g.T@S@g + t",
                    only=frozenset({"g", "S", "t"}),
                ),
            )
        ),
    ),
)

WEIGHT_SPACE = Problem(
    id="weight-space",
    title="From weights to functions",
    statement=(
        "$y = \\Phi w$ with $\\mathrm{cov}(w, w) = \\frac1\\alpha I$. Show that "
        "$\\mathrm{cov}(y, y) = K$, the Gram matrix of "
        "$k(x, x') = \\frac1\\alpha\\varphi(x)^\\top\\varphi(x')$."
    ),
    symbols="""
Phi   : N x M
alpha : positive
w     : M, random
y     : N, random = Phi@w
K     : N x N, psd = Phi@Phi.T/alpha
""",
    rows={"phi": "Phi"},
    covariances={"w w": "I(M)/alpha"},
    routes=(
        Route(
            (
                Milestone(
                    "cov(y,y) in Phi",
                    "cov(y,y) = Phi@Phi.T/alpha",
                    only=frozenset({"Phi", "alpha"}),
                    optional=True,
                ),
                Milestone("cov(y,y) = K", "cov(y,y) = K", only=frozenset({"K"})),
            )
        ),
    ),
)

BLOCK_ELIMINATION = Problem(
    id="block-elimination",
    title="The quadratic form of a Gaussian in blocks",
    statement=(
        "$Ap + Bq = a$ and $B^\\top p + Cq = b$. With $m = BC^{-1}b$ and "
        "$S = A - BC^{-1}B^\\top$ show that $Q = a^\\top p + b^\\top q$ is "
        "$(a - m)^\\top S^{-1}(a - m) + b^\\top C^{-1}b$."
    ),
    symbols="""
A : M x M, pd
B : M x N
C : N x N, pd
a : M
b : N
p : M
q : N
m : M = B@inv(C)@b
S : M x M, pd = A - B@inv(C)@B.T
Q : number = a.T@p + b.T@q
""",
    object="Q",
    givens=("A@p + B@q = a", "B.T@p + C@q = b"),
    unknowns=("p", "q", "a", "b"),
    max_facts=3,
    regimes=({"N": 3, "M": 2}, {"N": 2, "M": 3}),
    routes=(
        Route(
            (
                Milestone("an equation for p alone", "S@p = a - m", unknown="p"),
                Milestone(
                    "Q as two quadratic forms",
                    "Q = (a - m).T@inv(S)@(a - m) + b.T@inv(C)@b",
                    only=frozenset({"a", "m", "S", "b", "C"}),
                ),
            )
        ),
    ),
)

PROCESS_RIDGE = Problem(
    id="process-ridge",
    title="The posterior mean is kernel ridge regression",
    statement=(
        "With $a = (K + \\lambda I)^{-1}y$, $f = Ka$ and $w = \\Phi^\\top a$ show "
        "that $a = (y - f)/\\lambda$, that $w$ solves the normal equations of ridge "
        "regression, and that $\\mu = k^\\top a = w^\\top\\varphi_*$."
    ),
    symbols="""
Phi  : N x M
K    : N x N, psd = Phi@Phi.T
y    : N
lam  : positive
a    : N = inv(K + lam*I)@y
f    : N = K@a
w    : M = Phi.T@a
phis : M
k    : N = Phi@phis
mu   : number = k.T@a
""",
    rows={"phi": "Phi"},
    object="mu",
    objects=("f",),
    unknowns=("w",),
    max_facts=3,
    routes=(
        Route(
            (
                Milestone(
                    "a from the residuals",
                    "a = (y - f)/lam",
                    only=frozenset({"y", "f", "lam"}),
                ),
                Milestone(
                    "the normal equations for w",
                    "Phi.T@(y - Phi@w) = lam*w",
                    unknown="w",
                    only=frozenset({"Phi", "y", "w", "lam"}),
                    form=lambda node: "y" in node.symbols(),
                ),
                Milestone("mu in w", "mu = w.T@phis", only=frozenset({"w", "phis"})),
            )
        ),
    ),
)

PROBLEMS = (LINEAR_GAUSSIAN, WEIGHT_SPACE, BLOCK_ELIMINATION, PROCESS_RIDGE)
