"""Exercises on constructing kernels: prove by rules, refute by points."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kernellab.grading.problems import find
from kernellab.grading.questions.base import Mistake, Reference, Sheet
from kernellab.grading.questions.constructions import Construction
from kernellab.grading.questions.derivations import Derivation
from kernellab.grading.questions.exact import Real, exp, is_psd, sqrt
from kernellab.grading.questions.feedback import Finding
from kernellab.grading.questions.kernel_questions import (
    KernelClaim,
    KernelProof,
    KernelRefutation,
)
from kernellab.grading.questions.puzzles import Block, Puzzle
from kernellab.kernels import Orthant, Reals

Point = tuple[Real, ...]

INTRODUCTION = r"""
These are the exercises of [chapter 3](../chapters/03_constructing_kernels.ipynb): the
proofs of its rules, and refutations with points of your own. Three things are asked for
again and again.

- **A derivation**, one step a line, each with its reason after a bar, as in
  `J = t.T@t - 2*t.T@y + y.T@y | expand`.
- **A construction**: an expression such as `k = exp(Linear()) + 1` whose verdict is
  `PROVEN` and whose values are those of the function in question. You may use
  intermediate names (`k3 = k1*k2`), define functions of a point
  (`f(x) = exp(-norm2(x)/2)`, `phi(x) = [x[0], x[0]*x[1]]`; coordinates count from 0),
  and write `FromFeatures(phi)`.
- **A witness**: points and a vector $c$ with $c^\top K c < 0$, in exact numbers:
  `points = [[0], [1/2], [sqrt(2)]]`, `c = [1, -2, 1]`. The sign is decided in exact
  arithmetic, so a witness that only rounding makes negative fails.
"""

RULES = r"""
## The rules

In the derivations of this part the points are fixed, and all that is left of a kernel
is its Gram matrix.
"""

CLOSURE = find("closure")  # two goals in one declaration: each question asks for one

SUM = Derivation(
    id="sum-of-kernels",
    title="The sum of two kernels",
    problem=replace(CLOSURE, id="closure-sum", routes=CLOSURE.routes[:1]),
    points=3,
    proofs=("P-24",),
    statement=r"""
Let $E$ and $F$ be the Gram matrices of two kernels at the same points, and $c, b > 0$.
Show that $S = cE + bF$ is positive semi-definite: derive $q = v^\top S v \ge 0$ for an
arbitrary vector $v$.

Symbols: `E`, `F` (positive semi-definite), `c`, `b` (positive), `S = c*E + b*F`, `v`,
`q = v.T@S@v`.
""",
    hints=(
        "Put in what $S$ stands for. What does $v^\\top$ do with a sum of matrices?",
        "You know the sign of $v^\\top E v$ and of $v^\\top F v$. The reason that says "
        "so is `nonneg`.",
    ),
    references=(
        Reference(
            "q = v.T@(c*E + b*F)@v           | def S\n"
            "q = c*v.T@E@v + b*v.T@F@v       | distribute\n"
            "q >= 0                          | nonneg",
            "matrix form",
        ),
        Reference(
            "q = c*v.T@E@v + b*v.T@F@v >= 0  | def S; nonneg",
            "one line",
        ),
        Reference(
            r"q = v^\top (cE + bF) v            | def S" + "\n"
            r"q = c v^\top E v + b v^\top F v   | expand" + "\n"
            r"q \ge 0                           | psd",
            "LaTeX",
        ),
    ),
    mistakes=(
        Mistake(
            "q = v.T@(c*E + b*F)@v | def S\n"
            "q = c*v.T@E@v - b*v.T@F@v | distribute\n"
            "q >= 0 | nonneg",
            why="a sign is lost",
            first_bad=2,
        ),
        Mistake(
            "q = v.T@(E + F)@v | def S\nq = v.T@E@v + v.T@F@v | distribute\n"
            "q >= 0 | nonneg",
            why="the factors c and b are dropped",
            first_bad=1,
        ),
        Mistake("q >= 0 | claim", why="the goal is asserted", first_bad=1, at_most=0.5),
        Mistake(
            "q = v.T@S@v | given\nq = c*v.T@E@v + b*v.T@F@v | distribute",
            why="S is not opened, and the sign is not concluded",
            first_bad=2,
            at_most=0.9,
        ),
    ),
)

WEIGHT = Derivation(
    id="weighted-kernel",
    title="Weighting a kernel by a function",
    problem=replace(
        CLOSURE, id="closure-weight", object="r", routes=CLOSURE.routes[1:]
    ),
    points=3,
    proofs=("P-26",),
    statement=r"""
Let $K = \Phi \Phi^\top$ be the Gram matrix of a kernel with features, and $g$ the
vector of the values $g_n = f(x_n)$ of an arbitrary function, of any sign. The Gram
matrix of $f(x)\,k_1(x, x')\,f(x')$ is
$G = \operatorname{diag}(g)\, K \operatorname{diag}(g)$. Derive $r = v^\top G v \ge 0$.

Symbols: `Phi`, `K = Phi@Phi.T`, `g`, `G = diag(g)@K@diag(g)`, `v`, `r = v.T@G@v`.
""",
    hints=(
        "Put in what $G$ and $K$ stand for. A diagonal matrix is its own transpose.",
        "Read the product from both ends: it is $u^\\top u$ for a certain vector $u$.",
        "With $w = \\operatorname{diag}(g)\\, v$ the form is "
        "$\\| \\Phi^\\top w \\|^2$.",
    ),
    references=(
        Reference(
            "r = v.T@diag(g)@K@diag(g)@v               | def G\n"
            "r = v.T@diag(g)@Phi@Phi.T@diag(g)@v       | def K\n"
            "r = norm2(Phi.T@diag(g)@v)                | norm\n"
            "r >= 0                                    | nonneg",
            "features",
        ),
        Reference(
            "u = diag(g)@v                  | let u\n"
            "r = u.T@K@u                    | def G; def u\n"
            "r = u.T@Phi@Phi.T@u            | def K\n"
            "r = norm2(Phi.T@u) >= 0        | nonneg",
            "a new vector",
        ),
        Reference(
            "r = v.T@diag(g)@Phi@Phi.T@diag(g)@v | def G; def K\n"
            "r = (Phi.T@diag(g)@v).T@(Phi.T@diag(g)@v) | transpose\n"
            "r >= 0 | nonneg",
            "without a norm",
        ),
    ),
    mistakes=(
        Mistake(
            "r = v.T@diag(g)@K@diag(g)@v | def G\n"
            "r = v.T@K@diag(g)@diag(g)@v | commute\n"
            "r >= 0 | nonneg",
            why="matrices are made to commute",
            first_bad=2,
        ),
        Mistake(
            "r = v.T@diag(g)@K@v | def G\nr >= 0 | nonneg",
            why="the function stands on one side only",
            first_bad=1,
        ),
        Mistake(
            "r = v.T@diag(g)@Phi@Phi.T@diag(g)@v | def G; def K\n"
            "r = norm2(diag(g)@Phi.T@v) | norm\n"
            "r >= 0 | nonneg",
            why="the order of the factors is wrong",
            first_bad=2,
        ),
    ),
)

SCHUR = Derivation(
    id="schur-product",
    title="The product of two kernels",
    problem="product-kernel",
    points=5,
    proofs=("P-25",),
    statement=r"""
Let $E = A A^\top$ and $F = B B^\top$ be the Gram matrices of two kernels, with the
features of the points in the rows of $A$ ($N \times P$) and $B$ ($N \times Q$). The
Gram matrix of the product of the kernels is the *entrywise* product $K = E \circ F$,
`K = had(E, F)`. Show that it is positive semi-definite: write $q = v^\top K v$ as a sum
of squares, and conclude $q \ge 0$.

Symbols: `A`, `B`, `E = A@A.T`, `F = B@B.T`, `K = had(E,F)`, `v`, `q = v.T@K@v`; indices
`n`, `m` in `N`, `i` in `P`, `j` in `Q`. Three facts may be used in a line.
""",
    hints=(
        "In indices, $q = \\sum_n \\sum_m v_n v_m E_{nm} F_{nm}$. Put in "
        "$E_{nm} = \\sum_i A_{ni} A_{mi}$, and $F_{nm}$ likewise.",
        "Bring the sums over $i$ and $j$ to the outside. What is left inside is a "
        "product of a sum over $n$ and a sum over $m$.",
        "The two inner sums are the same number. (By matrices: "
        "$q = \\operatorname{tr}(D E D F)$ with $D = \\operatorname{diag}(v)$.)",
    ),
    references=(
        Reference(
            "q = sum(sum(v[n]*v[m]*K[n,m] for m in N) for n in N)      | index form\n"
            "q = sum(sum(v[n]*v[m]*E[n,m]*F[n,m] for m in N) for n in N)   | def K\n"
            "q = sum(sum(v[n]*v[m]*sum(A[n,i]*A[m,i] for i in P)"
            "*sum(B[n,j]*B[m,j] for j in Q) for m in N) for n in N) | def E; def F\n"
            "q = sum(sum(sum(v[n]*A[n,i]*B[n,j] for n in N)"
            "*sum(v[m]*A[m,i]*B[m,j] for m in N) for j in Q) for i in P) | rearrange\n"
            "q = sum(sum(sum(v[n]*A[n,i]*B[n,j] for n in N)**2 for j in Q) for i in P)"
            " | same sum\n"
            "q >= 0                                                    | nonneg",
            "indices",
        ),
        Reference(
            "q = sum(sum(sum(v[n]*A[n,i]*B[n,j] for n in N)**2 for j in Q) for i in P)"
            " | def K; def E; def F\n"
            "q >= 0 | nonneg",
            "at once",
        ),
        Reference(
            "q = trace(diag(v)@E@diag(v)@F)                    | def K; index form\n"
            "q = trace(diag(v)@A@A.T@diag(v)@B@B.T)            | def E; def F\n"
            "q = norm2(B.T@diag(v)@A)                          | trace cyclic\n"
            "q >= 0                                            | nonneg",
            "a trace",
        ),
    ),
    mistakes=(
        Mistake(
            "q = v.T@E@F@v | def K\nq >= 0 | nonneg",
            why="the matrix product for the entrywise one",
            first_bad=1,
        ),
        Mistake(
            "q = v.T@K@v | given\nq = (v.T@E@v)*(v.T@F@v) | def K\nq >= 0 | nonneg",
            why="the form of a product is not the product of the forms",
            first_bad=2,
        ),
        Mistake(
            "q = sum(sum(v[n]*v[m]*E[n,m]*F[n,m] for m in N) for n in N) | def K\n"
            "q = sum(sum(sum(v[n]*A[n,i]*B[n,i] for n in N)**2 for i in P) for j in Q)"
            " | def E; def F\n"
            "q >= 0 | nonneg",
            why="one index for two sums",
            first_bad=2,
        ),
        Mistake(
            "q = sum(sum(v[n]*v[m]*E[n,m]*F[n,m] for m in N) for n in N) | def K\n"
            "q >= 0 | nonneg",
            why="E and F have entries of any sign: there is no square yet",
            first_bad=2,
        ),
    ),
)

POLYNOMIAL = KernelProof(
    id="polynomial-of-a-kernel",
    title="A polynomial in disguise",
    points=3,
    proofs=("P-27",),
    statement=r"""
Let $k_1$ be any kernel. Show that

$$
k = (k_1 - 1)^2\,(k_1 + 2) + 3\,k_1
$$

is a kernel. As it is written no rule covers it, since $k_1 - 1$ need not be a kernel.
Build it from `k1` with sums, products and numbers $\ge 0$ only: `**` and `.polynomial`
may not be used, since they are what is to be shown.
""",
    target="(k1 - 1)*(k1 - 1)*(k1 + 2) + 3*k1",
    given=("k1",),
    forbid=("Power", "PolynomialOf"),
    hints=(
        "It is $q(k_1)$ for a polynomial $q$. Multiply out.",
        "Most terms cancel, and the coefficients that are left are $\\ge 0$. A power "
        "is a product.",
    ),
    references=(
        Reference("k = k1*k1*k1 + 2", "in one line"),
        Reference("a = k1*k1\nb = a*k1\nk = Constant(2) + b", "step by step"),
    ),
    mistakes=(
        Mistake(
            "k = (k1 - 1)*(k1 - 1)*(k1 + 2) + 3*k1",
            why="copied: the values are right, but no rule proves it",
            says="missing",
            at_most=0,
        ),
        Mistake(
            "k = k1**3 + 2", why="uses what is to be shown", says="may not", at_most=0
        ),
        Mistake(
            "k = k1*k1*k1 + 6*k1 + 2",
            why="the linear terms do not cancel",
            says="the values differ",
            at_most=0,
        ),
        Mistake(
            "k = Linear()*Linear()*Linear() + 2",
            why="one kernel in place of any",
            says="the values differ",
            at_most=0,
        ),
    ),
)

EXPONENTIAL = Puzzle(
    id="exponential-of-a-kernel",
    title="The exponential of a kernel",
    points=5,
    proofs=("P-28",),
    statement=r"""
Let $k_1$ be a kernel on a set $\mathcal{X}$. Put together a proof that $\exp(k_1)$ is a
kernel. Four of the blocks do not belong. List the letters of the others in an order in
which each rests on what stands before it.
""",
    blocks=(
        Block(
            "fix",
            r"Fix points $x_1, \dots, x_n \in \mathcal{X}$ and a vector "
            r"$c \in \mathbb{R}^n$.",
        ),
        Block(
            "sums",
            r"For $m = 0, 1, 2, \dots$ let $s_m = \sum_{j=0}^m k_1^j / j!$.",
        ),
        Block(
            "kernels",
            r"Each $s_m$ is a kernel, because it is a polynomial in $k_1$ with "
            r"coefficients $\ge 0$.",
            needs=("sums",),
        ),
        Block(
            "nonneg",
            r"Let $S_m$ be the Gram matrix of $s_m$ at the $n$ points. Then "
            r"$c^\top S_m c \ge 0$ for every $m$.",
            needs=("fix", "kernels"),
        ),
        Block(
            "entries",
            r"For each pair $i, j$, $s_m(x_i, x_j) \to \exp(k_1(x_i, x_j)) =: E_{ij}$ "
            r"as $m \to \infty$.",
            needs=("fix", "sums"),
        ),
        Block(
            "form",
            r"Hence $\sum_{ij} c_i c_j\, s_m(x_i, x_j) \to c^\top E\, c$: it is a sum "
            r"of $n^2$ convergent sequences.",
            needs=("entries",),
        ),
        Block(
            "limit",
            r"A limit of numbers $\ge 0$ is $\ge 0$. Therefore $c^\top E\, c \ge 0$.",
            needs=("nonneg", "form"),
        ),
        Block(
            "symmetric",
            r"$\exp(k_1(x, x')) = \exp(k_1(x', x))$, since $k_1$ is symmetric.",
        ),
        Block(
            "end",
            r"The points and $c$ were arbitrary, and the function is symmetric: "
            r"$\exp(k_1)$ is a kernel.",
            needs=("limit", "symmetric"),
        ),
        Block(
            "matrix",
            r"$E = \sum_j K^j/j!$ with the Gram matrix $K$ of $k_1$; its eigenvalues "
            r"$e^{\lambda_i}$ are positive.",
            why="this is the exponential of the matrix, with matrix products; the "
            "Gram matrix of exp(k₁) is the exponential of each entry",
        ),
        Block(
            "uniform",
            r"The series of the exponential converges uniformly on "
            r"$\mathcal{X} \times \mathcal{X}$.",
            why="k₁ may be unbounded, so this is false in general, and nothing needs "
            "it: how many pairs of points are there?",
        ),
        Block(
            "strict",
            r"Since $c^\top S_m c > 0$ for every $m$, also $c^\top E\, c > 0$.",
            why="neither holds: a PSD form can vanish, and “>” does not survive limits",
        ),
        Block(
            "moving",
            r"For every $m$ choose $c_m$ such that $c_m^\top S_m c_m \ge 0$, and let "
            r"$m \to \infty$.",
            why="c has to be one and the same for all m, and arbitrary",
        ),
    ),
    hints=(
        "What is fixed first, the points and $c$, or $m$?",
        "There are two threads: an inequality for every $m$, and a convergence. They "
        "meet once.",
        "Symmetry can stand anywhere before the end.",
    ),
    references=(
        Reference(
            "fix, sums, kernels, nonneg, entries, form, limit, symmetric, end",
            "inequality first",
        ),
        Reference(
            "symmetric, sums, kernels, fix, entries, form, nonneg, limit, end",
            "convergence first",
        ),
    ),
    mistakes=(
        Mistake(
            "fix, sums, kernels, nonneg, uniform, entries, form, limit, symmetric, end",
            why="asks for uniform convergence",
            says="unbounded",
        ),
        Mistake(
            "sums, kernels, nonneg, fix, entries, form, limit, symmetric, end",
            why="a Gram matrix before there are points",
            says="comes too early",
        ),
        Mistake(
            "fix, sums, kernels, nonneg, entries, limit, symmetric, end",
            why="the form does not converge by itself",
            says="rests on something",
        ),
        Mistake("matrix, end", why="the exponential of a matrix", at_most=0),
        Mistake(
            "fix, sums, kernels, nonneg, entries, form, limit, end",
            why="symmetry is forgotten",
            says="rests on something",
        ),
    ),
)

PULLBACK = Puzzle(
    id="change-of-variable",
    title="A change of variable",
    points=3,
    proofs=("P-29",),
    statement=r"""
Let $k_3$ be a kernel on a set $\mathcal{Z}$ and $\phi : \mathcal{X} \to \mathcal{Z}$
any map. Put together a proof that $k(x, x') = k_3(\phi(x), \phi(x'))$ is a kernel on
$\mathcal{X}$. Three of the blocks do not belong.
""",
    blocks=(
        Block(
            "points",
            r"Let $x_1, \dots, x_n \in \mathcal{X}$ be any points and "
            r"$c_1, \dots, c_n$ any numbers.",
        ),
        Block(
            "images",
            r"Put $z_i = \phi(x_i) \in \mathcal{Z}$. Some of them may coincide.",
            needs=("points",),
        ),
        Block(
            "gram",
            r"$K_{ij} = k(x_i, x_j) = k_3(z_i, z_j)$: the Gram matrix $K$ of $k$ is a "
            r"Gram matrix of $k_3$.",
            needs=("images",),
        ),
        Block(
            "old",
            r"The Gram matrices of $k_3$ are symmetric and PSD at every finite family "
            r"of points of $\mathcal{Z}$, repeated ones included.",
        ),
        Block(
            "psd",
            r"So $K$ is symmetric, and $\sum_{ij} c_i c_j K_{ij} \ge 0$.",
            needs=("gram", "old"),
        ),
        Block(
            "end",
            r"The points and the numbers were arbitrary: $k$ is a kernel on "
            r"$\mathcal{X}$.",
            needs=("psd",),
        ),
        Block(
            "injective",
            r"Since $\phi$ is one-to-one, $z_1, \dots, z_n$ are different.",
            why="nothing says that φ is one-to-one, and it is not needed",
        ),
        Block(
            "linear",
            r"$\sum_i c_i \phi(x_i) = \phi\bigl( \sum_i c_i x_i \bigr)$.",
            why="points of 𝒳 cannot be added in general, and φ is not linear",
        ),
        Block(
            "onto",
            r"Every point of $\mathcal{Z}$ is some $\phi(x)$.",
            why="φ need not reach all of 𝒵; the points that it reaches are enough",
        ),
    ),
    hints=(
        "Which points of $\\mathcal{Z}$ does the matrix $K$ speak of?",
        "No property of $\\phi$ is used at all.",
    ),
    references=(
        Reference("points, images, gram, old, psd, end", "from the points"),
        Reference("old, points, images, gram, psd, end", "from the old kernel"),
    ),
    mistakes=(
        Mistake(
            "points, images, injective, gram, old, psd, end",
            why="asks for an injective map",
            says="one-to-one",
        ),
        Mistake(
            "points, gram, images, old, psd, end",
            why="uses the images before they are there",
            says="comes too early",
        ),
        Mistake(
            "points, images, gram, psd, end",
            why="does not say why K is PSD",
            says="rests on something",
        ),
        Mistake("points, linear, end", why="takes φ for linear", at_most=0.2),
    ),
)

BUILD = r"""
## Constructions

`k.proof()` can tell you why a rule holds. It cannot tell you which rules to use.
"""

CIRCLE = KernelProof(
    id="days-of-the-year",
    title="Days of the year",
    points=3,
    proofs=("P-29",),
    statement=r"""
Let $x$ be the day of the year as an angle, a number on the line that counts modulo
$2\pi$. Show by a change of variable (`.pullback`) that

$$
k(x, x') = \exp\bigl( \cos(x - x') - 1 \bigr)
$$

is a kernel on $\mathbb{R}$. Of the kernels of the library, `Linear`, `Gaussian` and
`Constant` may be used.
""",
    target="exp(Cosine(omega=1)) * exp(-1)",
    domain=Reals(1),
    leaves=("Linear", "Gaussian", "Constant"),
    require=("change of variable",),
    hints=(
        "An angle is a point of the unit circle, $\\gamma(x) = (\\cos x, \\sin x)$. "
        "What is $\\gamma(x)^\\top \\gamma(x')$?",
        "And $\\|\\gamma(x) - \\gamma(x')\\|^2$? Define "
        "`gamma(x) = [cos(x[0]), sin(x[0])]`.",
    ),
    references=(
        Reference(
            "gamma(x) = [cos(x[0]), sin(x[0])]\nk = Gaussian().pullback(gamma)",
            "the Gaussian of the chord",
        ),
        Reference(
            "gamma(x) = [cos(x[0]), sin(x[0])]\n"
            "a = Linear().pullback(gamma)\n"
            "k = exp(a) * exp(-1)",
            "the exponential of the cosine",
        ),
        Reference(
            "γ(x) = [cos(x), sin(x)]\nk = normalize(exp(Linear())).pullback(γ)",
            "Greek, and a normalised exponential",
        ),
    ),
    mistakes=(
        Mistake(
            "gamma(x) = [cos(x[0]), sin(x[0])]\nk = exp(Linear().pullback(gamma))",
            why="the factor 1/e is missing",
            says="the values differ",
            at_most=0,
        ),
        Mistake(
            "gamma(x) = [cos(x[0])]\nk = Gaussian().pullback(gamma)",
            why="half a circle: the sine is missing",
            says="the values differ",
            at_most=0,
        ),
        Mistake("k = Gaussian()", why="not periodic", says="differ", at_most=0),
        Mistake(
            "gamma(x) = [cos(x[0]), sin(x[0])]\nk = exp(FromFeatures(gamma)) * exp(-1)",
            why="right, but not by a change of variable",
            says="should use the rule",
            at_most=0.5,
        ),
    ),
)

FORM = KernelProof(
    id="bilinear-form",
    title="The features of a bilinear form",
    points=3,
    proofs=("P-30",),
    statement=r"""
Let $A = \left(\begin{smallmatrix} 2 & 1 \\ 1 & 2 \end{smallmatrix}\right)$. Show that
$k(x, x') = x^\top A\, x'$ is a kernel on $\mathbb{R}^2$ by giving features: a map
`phi(x) = […]` with $\varphi(x)^\top \varphi(x') = x^\top A\, x'$, and
`k = FromFeatures(phi)`. There are many such maps.
""",
    target="Linear(A=[[2, 1], [1, 2]])",
    domain=Reals(2),
    leaves=(),
    hints=(
        "If $A = B^\\top B$, then $x^\\top A\\, x' = (Bx)^\\top (Bx')$. Such a $B$ "
        "need not be square.",
        "$x^\\top A\\, x = x_1^2 + x_2^2 + (x_1 + x_2)^2$. In the answer the "
        "coordinates are `x[0]` and `x[1]`.",
    ),
    references=(
        Reference(
            "phi(x) = [x[0], x[1], x[0] + x[1]]\nk = FromFeatures(phi)",
            "three features",
        ),
        Reference(
            "phi(x) = [sqrt(2)*x[0] + x[1]/sqrt(2), sqrt(3/2)*x[1]]\nFromFeatures(phi)",
            "Cholesky",
        ),
        Reference(
            "phi(x) = [sqrt(3/2)*(x[0] + x[1]), (x[0] - x[1])/sqrt(2)]\n"
            "k = FromFeatures(phi)",
            "eigenvectors",
        ),
    ),
    mistakes=(
        Mistake(
            "phi(x) = [2*x[0] + x[1], x[0] + 2*x[1]]\nk = FromFeatures(phi)",
            why="this is A² and not A",
            says="the values differ",
            at_most=0,
        ),
        Mistake(
            "phi(x) = [sqrt(2)*x[0], sqrt(2)*x[1]]\nk = FromFeatures(phi)",
            why="the mixed terms are missing",
            says="the values differ",
            at_most=0,
        ),
        Mistake(
            "phi(x) = [x[1], x[2], x[1] + x[2]]\nk = FromFeatures(phi)",
            why="coordinates counted from 1",
            says="counted from 0",
            at_most=0,
        ),
        Mistake(
            "k = Linear(A=[[2, 1], [1, 2]])",
            why="the name of what is to be shown",
            says="not known here",
            at_most=0,
        ),
    ),
)

PARTS = KernelProof(
    id="parts-and-interactions",
    title="Two parts and their interaction",
    points=3,
    proofs=("P-31",),
    statement=r"""
On $\mathbb{R}^2$ let

$$
k(x, x') = (1 + x_1 x_1')\,(1 + x_2 x_2') - 1 .
$$

It is a difference of two kernels, and differences have no rule. Show that it is a
kernel all the same: build it from kernels on the parts $x_1$ and $x_2$,
`Linear().on(0)` and `Linear().on(1)`, without feature maps or changes of variable.
""",
    target="(1 + Linear().on(0))*(1 + Linear().on(1)) - 1",
    domain=Reals(2),
    forbid=("FromFeatures", "Pullback", "Weighted"),
    hints=(
        "Multiply out. Which term cancels?",
        "What is left says: alike in the first part, or in the second, or in both.",
    ),
    references=(
        Reference(
            "a = Linear().on(0)\nb = Linear().on(1)\nk = a + b + a*b",
            "parts by name",
        ),
        Reference(
            "k = Linear().on([0]) * (1 + Linear().on([1])) + Linear().on([1])",
            "half factored",
        ),
        Reference("k = Linear() + Linear().on(0)*Linear().on(1)", "the sum as one"),
    ),
    mistakes=(
        Mistake(
            "k = (1 + Linear().on(0))*(1 + Linear().on(1)) - 1",
            why="copied: the values are right, but a difference has no rule",
            says="missing",
            at_most=0,
        ),
        Mistake(
            "k = Linear().on(0) + Linear().on(1)",
            why="the interaction is missing",
            says="the values differ",
            at_most=0,
        ),
        Mistake(
            "k = Linear().on(1) + Linear().on(2) + Linear().on(1)*Linear().on(2)",
            why="coordinates counted from 1",
            says="columns",
            at_most=0,
        ),
        Mistake(
            "k = Linear() + Linear()*Linear()",
            why="the square of the whole in place of the product of the parts",
            says="the values differ",
            at_most=0,
        ),
    ),
)

NORMALISE = KernelProof(
    id="quotient-put-right",
    title="S2's quotient, put right",
    points=3,
    proofs=("P-32",),
    statement=r"""
S2 lists $K_1/\sqrt{K_2}$ as a kernel (l. 316). What is true is that

$$
k(x, x') = \frac{k_1(x, x')}{\sqrt{k_2(x, x)\; k_2(x', x')}}
$$

is a kernel if $k_1$ and $k_2$ are, and $k_2(x, x) > 0$. Build it for
$k_1 = \exp(x^\top x')$ and $k_2 = 1 + x^\top x'$, on $\mathbb{R}^d$ for every $d$.
""",
    target="f(x) = 1/sqrt(1 + norm2(x))\nk = exp(Linear()).weighted(f)",
    hints=(
        "The denominator is a product of a function of $x$ and the same function of "
        "$x'$. Which rule is made for that?",
        "`f(x) = …` with `norm2(x)` for $x^\\top x$, then `.weighted(f)`.",
    ),
    references=(
        Reference(
            "f(x) = 1/sqrt(1 + norm2(x))\nk = exp(Linear()).weighted(f)", "weighting"
        ),
        Reference(
            "f(x) = (1 + x.T@x)**(-1/2)\nk1 = exp(Linear())\nk = k1.weighted(f)",
            "as a power",
        ),
        Reference(
            "g(x) = sqrt(exp(dot(x, x))/(1 + dot(x, x)))\n"
            "k = normalize(exp(Linear())).weighted(g)",
            "normalise first",
        ),
    ),
    mistakes=(
        Mistake(
            "k = exp(Linear()) / sqrt(1 + Linear())",
            why="the quotient as S2 prints it",
            says="the values differ",
            at_most=0,
        ),
        Mistake(
            "k = normalize(exp(Linear()))",
            why="normalised by its own diagonal",
            says="the values differ",
            at_most=0,
        ),
        Mistake(
            "f(x) = 1/(1 + norm2(x))\nk = exp(Linear()).weighted(f)",
            why="the root is missing",
            says="the values differ",
            at_most=0,
        ),
    ),
)


def quotient(x: Point, z: Point) -> Real:
    """1/√k₂ for the Gaussian k₂ of width 1."""
    return exp((x[0] - z[0]) ** 2 / 4)


def root(x: Point, z: Point) -> Real:
    """√(1 + xx')."""
    return sqrt(1 + x[0] * z[0])


def determinant(K: list[list[Real]]) -> Real:
    """The determinant of a 3×3 matrix."""
    (a, b, c), (d, e, f), (g, h, i) = K
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def check_determinant(data: Mapping[str, Any]) -> list[Finding]:
    """Three points, and the determinant of their Gram matrix."""
    points, given = data["points"], data["det"]
    if len(points) != 3:
        return [Finding(False, "three points are asked for")]
    if not isinstance(given, Real):
        return [Finding(False, "det is one number")]
    K = [[root(x, z) for z in points] for x in points]
    value = determinant(K)
    if given.same(value):
        return [Finding(True, f"det K = {value} at your points")]
    close = abs(float(given) - float(value)) < 1e-3
    text = "rounded: give it exactly, with sqrt(…)" if close else "not this number"
    return [Finding(False, f"the determinant of K at your points is {text}")]


def near(x: Point, z: Point) -> Real:
    """1 if |x − x'| ≤ 1, else 0."""
    return Real(1 if (abs(x[0] - z[0]) - 1).sign() in (-1, 0) else 0)


def check_training_set(data: Mapping[str, Any]) -> list[Finding]:
    """Three different points at which the Gram matrix is PSD."""
    good = data["good"]
    points = [point if isinstance(point, tuple) else (point,) for point in good]
    if len(points) != 3 or any(len(point) != 1 for point in points):
        return [Finding(False, "good: three points of the line are asked for")]
    pairs = [(points[i], points[j]) for i in range(3) for j in range(i)]
    if any(x[0].same(z[0]) for x, z in pairs):
        return [Finding(False, "good: the three points must be different")]
    psd = is_psd([[near(x, z) for z in points] for x in points])
    verb = "is" if psd else "is not"
    return [Finding(bool(psd), f"good: the Gram matrix there {verb} PSD")]


REFUTE = r"""
## Refutations

A single vector $c$ with $c^\top K c < 0$ settles the matter, and anyone can check it
with a pencil.
"""

QUOTIENT = KernelRefutation(
    id="quotient-refuted",
    title="S2's quotient, as printed",
    points=3,
    proofs=("P-32",),
    statement=r"""
S2's eighth rule would make $1/\sqrt{k_2}$ a kernel for the Gaussian
$k_2 = \exp(-(x - x')^2/2)$, with the constant 1 as $k_1$. That is the function

$$
k(x, x') = \exp\bigl( (x - x')^2 / 4 \bigr) .
$$

Refute it on the line with two points.
""",
    formula=quotient,
    most_points=2,
    hints=(
        "What are the entries of the Gram matrix at two points, on the diagonal and "
        "off it? Which is larger?",
        "A matrix $\\left(\\begin{smallmatrix} 1 & s \\\\ s & 1 \\end{smallmatrix}"
        "\\right)$ with $s > 1$ has a negative eigenvalue. To which vector?",
    ),
    references=(
        Reference("points = [[0], [2]]\nc = [1, -1]", "integers"),
        Reference(
            "points = [[0], [2*sqrt(log(2))]]\nc = [1, -1]",
            "such that K = [[1, 2], [2, 1]]",
        ),
    ),
    mistakes=(
        Mistake(
            "points = [[0], [2]]\nc = [1, 1]",
            why="the wrong sign: all entries are positive",
            says="not negative",
            at_most=0,
        ),
        Mistake(
            "points = [[0], [0]]\nc = [1, -1]",
            why="the same point twice",
            says="cᵀKc = 0",
            at_most=0,
        ),
        Mistake(
            "points = [[0], [2]]\nc = [6, -1]",
            why="far from the eigenvector",
            says="not negative",
            at_most=0,
        ),
        Mistake("points = [[0], [2]]", why="no vector", says="missing", at_most=0),
    ),
)

ROOT = KernelRefutation(
    id="square-root-refuted",
    title="A power that is no integer",
    points=4,
    proofs=("P-33",),
    statement=r"""
S2's fourth rule allows $(c + K_1)^d$ for every real $d > 0$ (l. 316). Refute it for
$d = \frac12$ on $x \ge 0$:

$$
k(x, x') = \sqrt{1 + x x'} .
$$

Give three points of your own, a vector `c`, and `det`, the exact determinant of the
Gram matrix at your points, with its square roots: `det = 1 + 2*sqrt(3) - …`.
""",
    formula=root,
    domain=Orthant(1),
    most_points=3,
    extra=("det",),
    also=check_determinant,
    hints=(
        "Start at $x = 0$: then the first row of $K$ is $(1, 1, 1)$.",
        "$1 + t \\mapsto \\sqrt{1 + t}$ bends down, so try a $c$ that measures "
        "bending, such as $(1, -2, 1)$.",
        "With $0, a, b$ subtract the first row from the others: the determinant is "
        "that of a 2×2 matrix.",
    ),
    references=(
        Reference(
            "points = [[0], [1], [2]]\nc = [1, -2, 1]\n"
            "det = -3 - sqrt(5) - sqrt(2) + sqrt(10) + 2*sqrt(3)",
            "0, 1, 2",
        ),
        Reference(
            "points = [[0], [1], [3]]\nc = [3, -5, 2]\n"
            "det = (sqrt(2) - 1)*(sqrt(10) - 1) - (2 - 1)**2",
            "0, 1, 3, by a Schur complement",
        ),
    ),
    mistakes=(
        Mistake(
            "points = [[0], [1], [2]]\nc = [1, -2, 1]\ndet = -0.0239",
            why="a rounded determinant",
            says="exactly",
            at_most=0.5,
        ),
        Mistake(
            "points = [[0], [1], [6]]\nc = [1, -2, 1]\n"
            "det = (sqrt(2) - 1)*(sqrt(37) - 1) - (sqrt(7) - 1)**2",
            why="the determinant is right, but this c misses the negative direction",
            says="not negative",
            at_most=0.5,
        ),
        Mistake(
            "points = [[-1], [1], [2]]\nc = [1, -2, 1]\ndet = 0",
            why="outside the domain",
            says="outside",
            at_most=0,
        ),
        Mistake(
            "points = [[0], [1]]\nc = [1, -1]\ndet = sqrt(2) - 1",
            why="two points cannot do",
            says="not negative",
            at_most=0,
        ),
    ),
)

TRAINING = KernelRefutation(
    id="one-training-set",
    title="One training set proves nothing",
    points=4,
    proofs=("P-34",),
    statement=r"""
S2 calls a kernel valid if the Gram matrix *of the training set* is PSD (l. 302–304).
Take on the line

$$
k(x, x') = \begin{cases} 1 & \text{if } |x - x'| \le 1, \\ 0 & \text{else,} \end{cases}
$$

"two days are alike if they are at most one day apart". At any two points its Gram
matrix is PSD. Give

- `good`, three different points at which the Gram matrix is PSD, a training set that
  would pass;
- `points` and `c`, another training set at which it is not.
""",
    formula=near,
    extra=("good",),
    also=check_training_set,
    hints=(
        "If three points are near each other, or far from each other, what is the "
        "Gram matrix?",
        "To be near is not transitive: $x$ near $y$, $y$ near $z$, but $x$ not near "
        "$z$. Remember the panel of tasters.",
    ),
    references=(
        Reference(
            "good = [[0], [2], [4]]\npoints = [[0], [1], [2]]\nc = [1, -1, 1]",
            "the identity matrix, and a chain",
        ),
        Reference(
            "good = [0, 1/2, 1]\npoints = [0, 1, 2]\nc = [2, -3, 2]",
            "all ones, and a chain",
        ),
        Reference(
            "good = [0, 1, 5]\npoints = [0, 1, 2, 3]\nc = [1, -1, 1, 0]",
            "a pair and a stranger",
        ),
    ),
    mistakes=(
        Mistake(
            "good = [0, 1, 2]\npoints = [0, 1, 2]\nc = [1, -1, 1]",
            why="the two sets are the same",
            says="is not PSD",
            at_most=0.5,
        ),
        Mistake(
            "good = [0, 0, 0]\npoints = [0, 1, 2]\nc = [1, -1, 1]",
            why="one point three times",
            says="different",
            at_most=0.5,
        ),
        Mistake(
            "good = [0, 2, 4]\npoints = [0, 3]\nc = [1, -1]",
            why="two points are always innocent",
            says="not negative",
            at_most=0.5,
        ),
        Mistake(
            "good = [0, 2, 4]\npoints = [0, 1, 2]\nc = [2, -1, 2]",
            why="not the wrong points, but the wrong vector",
            says="not negative",
            at_most=0.5,
        ),
    ),
)

DECIDE = r"""
## Prove or refute

Say `valid` or `invalid` in the first line. Then show it: an expression `k = …`, or
`points` and `c`.
"""


def mixed_form(x: Point, z: Point) -> Real:
    """x⊤Ax' with A = [[1, 2], [2, 1]]."""
    return x[0] * z[0] + 2 * x[0] * z[1] + 2 * x[1] * z[0] + x[1] * z[1]


def root_of_exp(x: Point, z: Point) -> Real:
    """√exp(xx')."""
    return exp(x[0] * z[0] / 2)


CLAIM_FORM = KernelClaim(
    id="positive-entries",
    title="A form with positive entries",
    points=2,
    proofs=("P-30",),
    statement=r"""
On $\mathbb{R}^2$: $k(x, x') = x_1 x_1' + 2\,x_1 x_2' + 2\,x_2 x_1' + x_2 x_2'$. It is
symmetric, and all its coefficients are positive.
""",
    formula=mixed_form,
    domain=Reals(2),
    valid=False,
    hints=(
        "Write it as $x^\\top A\\, x'$. What are the eigenvalues of $A$?",
        "For a kernel, $k(x, x) \\ge 0$ at every single point.",
    ),
    references=(
        Reference("invalid\npoints = [[1, -1]]\nc = [1]", "one point"),
        Reference(
            "invalid\npoints = [[1, 0], [0, 1]]\nc = [1, -1]", "the two unit vectors"
        ),
    ),
    mistakes=(
        Mistake(
            "valid\nphi(x) = [x[0] + x[1], x[0] + x[1]]\nk = FromFeatures(phi)",
            why="coefficients ≥ 0 are not enough",
            says="the values differ",
            at_most=0,
        ),
        Mistake(
            "valid\nk = Linear(A=[[1, 2], [2, 1]])",
            why="the form is not PSD",
            says="REFUTED",
            at_most=0,
        ),
        Mistake(
            "invalid\npoints = [[1, 1]]\nc = [1]",
            why="the wrong point",
            says="not negative",
            at_most=0,
        ),
        Mistake("invalid", why="no witness", says="say why", at_most=0),
    ),
)

CLAIM_ROOT = KernelClaim(
    id="root-of-an-exponential",
    title="The root of an exponential",
    points=2,
    proofs=("P-27", "P-33"),
    statement=r"""
On $\mathbb{R}$: $k(x, x') = \sqrt{\exp(x x')}$, a root of a kernel, as in the exercise
above.
""",
    formula=root_of_exp,
    valid=True,
    rules=Construction(forbid=("Power",)),
    hints=(
        "Simplify before you decide.",
        "$\\sqrt{e^t} = e^{t/2}$. No power is needed to build it.",
    ),
    references=(
        Reference("valid\nk = exp(Linear()/2)", "an exponential"),
        Reference(
            "valid\nf(x) = exp(x**2/4)\nk = Gaussian(sigma=sqrt(2)).weighted(f)",
            "a Gaussian with weights",
        ),
    ),
    mistakes=(
        Mistake(
            "invalid\npoints = [0, 1, 2]\nc = [1, -2, 1]",
            why="the witness of another function",
            says="not negative",
            at_most=0,
        ),
        Mistake(
            "valid\nk = sqrt(exp(Linear()))",
            why="by a power: not allowed here",
            says="may not",
            at_most=0,
        ),
        Mistake(
            "valid\nk = exp(2*Linear())",
            why="the square in place of the root",
            says="the values differ",
            at_most=0,
        ),
    ),
)

SHEET = Sheet(
    name="03_constructing_kernels",
    title="Exercises: constructing kernels",
    introduction=INTRODUCTION,
    items=(
        RULES,
        SUM,
        WEIGHT,
        SCHUR,
        EXPONENTIAL,
        PULLBACK,
        BUILD,
        POLYNOMIAL,
        CIRCLE,
        FORM,
        PARTS,
        NORMALISE,
        REFUTE,
        QUOTIENT,
        ROOT,
        TRAINING,
        DECIDE,
        CLAIM_FORM,
        CLAIM_ROOT,
    ),
)
