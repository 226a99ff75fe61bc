"""Exercises on reproducing kernel Hilbert spaces: build the space, then use it."""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.problems.rkhs import KERNEL_CAUCHY_SCHWARZ, LEAST_NORM
from kernellab.grading.questions.base import Mistake, Reference, Sheet
from kernellab.grading.questions.derivations import Derivation
from kernellab.grading.questions.exact import Real, quadratic_form
from kernellab.grading.questions.feedback import Finding
from kernellab.grading.questions.puzzles import Block, Puzzle
from kernellab.grading.questions.values import Value, Values

INTRODUCTION = r"""
These are the exercises of [chapter 4](../chapters/04_rkhs.ipynb). It builds a space of
functions from a kernel and leaves the proofs to you. The longer ones are **puzzles**:
the steps of a proof are given in disorder, some of them wrong, as they are found in
lecture notes and in answers. List the letters of the right ones in an order in which
each rests on what stands before it; where several orders are right, all of them are
accepted. The shorter ones are **derivations** (one step a line, with its reason after a
bar) and **values** (`norm2 = 10`, `w = [-1, 3]`, exact).
"""

INEQUALITIES = r"""
## Two inequalities

Everything that follows rests on the inequality of Cauchy and Schwarz, and on its being
true *before* one knows that a form is definite.
"""

SEMIDEFINITE = Puzzle(
    id="cauchy-schwarz",
    title="Cauchy–Schwarz for semi-definite forms",
    points=6,
    proofs=("P-36",),
    statement=r"""
Let $\langle\cdot,\cdot\rangle$ be a symmetric bilinear form on a real vector space with
$\langle f, f\rangle \ge 0$ for all $f$. Nothing says that $\langle f, f\rangle = 0$
only for $f = 0$. Put together a proof of

$$
\langle f, g\rangle^2 \le \langle f, f\rangle\, \langle g, g\rangle .
$$

Four of the blocks do not belong.
""",
    blocks=(
        Block(
            "poly",
            r"Fix $f$ and $g$. For real $t$ let "
            r"$p(t) = \langle f + tg,\, f + tg\rangle$.",
        ),
        Block("nonneg", r"$p(t) \ge 0$ for all $t$.", needs=("poly",)),
        Block(
            "expand",
            r"The form is bilinear and symmetric, so $p(t) = \langle f, f\rangle + "
            r"2t\,\langle f, g\rangle + t^2\,\langle g, g\rangle$.",
            needs=("poly",),
        ),
        Block(
            "positive",
            r"First case, $\langle g, g\rangle > 0$: insert "
            r"$t^* = -\langle f, g\rangle / \langle g, g\rangle$. This gives "
            r"$p(t^*) = \langle f, f\rangle - \langle f, g\rangle^2/"
            r"\langle g, g\rangle$.",
            needs=("expand",),
        ),
        Block(
            "first",
            r"As $p(t^*) \ge 0$, multiplying by $\langle g, g\rangle > 0$ gives the "
            r"inequality in the first case.",
            needs=("positive", "nonneg"),
        ),
        Block(
            "zero",
            r"Second case, $\langle g, g\rangle = 0$: then $p(t) = \langle f, f\rangle "
            r"+ 2t\,\langle f, g\rangle$, a straight line.",
            needs=("expand",),
        ),
        Block(
            "second",
            r"A straight line that is nowhere negative is level. So "
            r"$\langle f, g\rangle = 0$, and both sides of the inequality are zero.",
            needs=("zero", "nonneg"),
        ),
        Block(
            "end",
            r"As $\langle g, g\rangle \ge 0$, there is no third case: the inequality "
            r"holds for all $f$ and $g$.",
            needs=("first", "second"),
        ),
        Block(
            "definite",
            r"If $\langle g, g\rangle = 0$ then $g = 0$, hence "
            r"$\langle f, g\rangle = 0$.",
            why="this needs a definite form, and this one is only semi-definite",
        ),
        Block(
            "parabola",
            r"$p$ is a parabola, so whatever $g$ is, its minimum is at "
            r"$t^* = -\langle f, g\rangle/\langle g, g\rangle$.",
            why="it may divide by zero: if ⟨g, g⟩ = 0, p is no parabola",
        ),
        Block(
            "strict",
            r"$p(t) > 0$ for all $t$, so $p$ has no zero and its discriminant is "
            r"negative.",
            why="p may well have a zero: take f = g",
        ),
        Block(
            "triangle",
            r"Square the triangle inequality $\|f + g\| \le \|f\| + \|g\|$ and "
            r"subtract $\|f\|^2 + \|g\|^2$.",
            why="a circle: the triangle inequality is proved with Cauchy–Schwarz",
        ),
    ),
    hints=(
        "The one idea: a polynomial that is never negative.",
        "Two cases have to be treated, and they use the same polynomial.",
        "Where is $p \\ge 0$ used? Twice, once in each case.",
    ),
    references=(
        Reference(
            "poly, expand, nonneg, positive, first, zero, second, end",
            "one case after the other",
        ),
        Reference(
            "poly, nonneg, expand, zero, positive, second, first, end",
            "the special case first",
        ),
    ),
    mistakes=(
        Mistake(
            "poly, expand, nonneg, positive, first, definite, end",
            why="assumes definiteness",
            says="only semi-definite",
        ),
        Mistake(
            "poly, expand, nonneg, parabola, first, end",
            why="one case for both",
            says="divide by zero",
            at_most=0.5,
        ),
        Mistake(
            "poly, positive, expand, nonneg, first, zero, second, end",
            why="uses the expansion before it is made",
            says="comes too early",
        ),
        Mistake("triangle, end", why="a circle", says="a circle", at_most=0.2),
    ),
)

TWO_POINTS = Derivation(
    id="kernel-cauchy-schwarz",
    title="Cauchy–Schwarz for kernels",
    problem=KERNEL_CAUCHY_SCHWARZ,
    points=5,
    proofs=("P-35",),
    statement=r"""
Let $K = \begin{pmatrix} k(x,x) & k(x,x') \\ k(x',x) & k(x',x') \end{pmatrix}$ be the
Gram matrix of two points. Rows and columns count from 0, as in Python. Take the vector
$c = (K_{1,1},\, -K_{0,1})^\top$ and show that

1. $q = c^\top K c$ is $K_{1,1}$ times the determinant
   $K_{0,0} K_{1,1} - K_{0,1}^2$;
2. $q \ge 0$.

If $k(x',x') = K_{1,1} > 0$, division by it gives $k(x,x')^2 \le k(x,x)\,k(x',x')$. (If
it is zero, exchange the two points; if both are zero, $c = (1, \pm 1)^\top$ shows
$k(x,x') = 0$.)

Symbols: `K` (2×2, positive semi-definite), `c = vec(K[1,1], -K[0,1])`,
`q = c.T@K@c`.
""",
    hints=(
        "Of the two claims one needs no computation at all: $q$ is a quadratic form.",
        "Write $c^\\top K c$ with the four entries of $K$, and then put in $c$.",
        "$K_{1,0} = K_{0,1}$. Two of the three terms have $K_{0,1}^2$, with different "
        "signs.",
    ),
    references=(
        Reference(
            "q = c.T@K@c >= 0                                             | psd\n"
            "q = c[0]**2*K[0,0] + 2*c[0]*c[1]*K[0,1] + c[1]**2*K[1,1]     | expand\n"
            "q = K[1,1]**2*K[0,0] - 2*K[1,1]*K[0,1]**2 + K[0,1]**2*K[1,1] | def c\n"
            "q = K[1,1]*(K[0,0]*K[1,1] - K[0,1]**2)                       | factor",
            "by components",
        ),
        Reference(
            "q >= 0 | psd\nq = K[1,1]*det(K) | def c",
            "short, with the determinant",
        ),
        Reference(
            "q = c.T@K@c >= 0 | psd\n"
            "K@c = vec(K[0,0]*K[1,1] - K[0,1]**2, 0) | def c\n"
            "q = c[0]*(K[0,0]*K[1,1] - K[0,1]**2) | use 2\n"
            "q = K[1,1]*(K[0,0]*K[1,1] - K[0,1]**2) | def c",
            "Kc first",
        ),
    ),
    mistakes=(
        Mistake(
            "q >= 0 | psd\n"
            "q = c[0]**2*K[0,0] + c[0]*c[1]*K[0,1] + c[1]**2*K[1,1] | expand\n"
            "q = K[1,1]*(K[0,0]*K[1,1] - K[0,1]**2) | def c",
            why="the mixed term counts twice",
            first_bad=2,
        ),
        Mistake(
            "q >= 0 | psd\n"
            "q = K[1,1]**2*K[0,0] + 2*K[1,1]*K[0,1]**2 + K[0,1]**2*K[1,1] | def c",
            why="the minus in c is lost",
            first_bad=2,
            at_most=0.6,
        ),
        Mistake(
            "q = K[1,1]*(K[0,0]*K[1,1] - K[0,1]**2) | def c\n"
            "K[0,0]*K[1,1] >= K[0,1]**2 | nonneg\nq = c.T@K@c >= 0 | psd",
            why="what is to be shown, as a reason",
            first_bad=2,
        ),
        Mistake(
            "q = K[1,1]*(K[0,0]*K[1,1] - K[0,1]**2) | def c",
            why="no sign",
            says="q >= 0",
            at_most=0.6,
        ),
    ),
)


def check_witness(data: Mapping[str, Any]) -> list[Finding]:
    """c⊤Kc < 0 for the chain of three points with s = 1."""
    c = data["c"]
    if not isinstance(c, tuple) or len(c) != 3:
        return [Finding(False, "`c`: three numbers are asked for")]
    chain = [[Real(int(abs(i - j) <= 1)) for j in range(3)] for i in range(3)]
    form = quadratic_form(c, chain)
    negative = form.sign() == -1
    verb = "is" if negative else "is not"
    return [Finding(negative, f"cᵀKc {verb} negative for s = 1", 1.0)]


PAIRS = Values(
    id="two-points-and-three",
    title="What two points see, and what they do not",
    points=6,
    proofs=("P-35",),
    statement=r"""
A kernel has $k(x,x) = 4$ and $k(x',x') = 9$. Give

- `largest`, the largest value that $k(x,x')$ can have;
- `near` and `far`, the smallest and the largest distance that $\varphi(x)$ and
  $\varphi(x')$ can have, $\|\varphi(x) - \varphi(x')\|^2 = k(x,x) - 2k(x,x') +
  k(x',x')$;
- `zero`, the value of $k(x,x')$ if it turns out that $k(x,x) = 0$ after all.

The inequality looks at two points at a time. At three points it is not enough. In

$$
K = \begin{pmatrix} 1 & s & 0 \\ s & 1 & s \\ 0 & s & 1 \end{pmatrix}
$$

every pair satisfies it as long as $|s| \le 1$. Give

- `s`, the largest $s$ for which $K$ is positive semi-definite;
- `c`, three numbers with $c^\top K c < 0$ for $s = 1$.
""",
    values=(
        Value(
            "largest",
            "6",
            traps={
                "36": "this is the bound for the square",
                "13/2": "this is the bound from c = (1, -1), which is weaker",
            },
        ),
        Value("near", "1", traps={"0": "vectors of different length cannot coincide"}),
        Value(
            "far",
            "5",
            traps={
                "25": "this is the square of the distance",
                "sqrt(13)": "this is for k(x,x') = 0; it can be negative",
            },
        ),
        Value("zero", "0"),
        Value(
            "s",
            "sqrt(2)/2",
            exact=True,
            weight=1.5,
            traps={"1": "at s = 1 the determinant is negative", "1/2": "too careful"},
        ),
        Value("c"),
    ),
    check=check_witness,
    check_weight=1.5,
    hints=(
        "$\\varphi(x)$ and $\\varphi(x')$ are vectors of lengths 2 and 3.",
        "The determinant of the $3 \\times 3$ matrix is $1 - 2s^2$.",
        "For `c`, the first and the last point pull together against the one between.",
    ),
    references=(
        Reference(
            "largest = 6\nnear = 1\nfar = 5\nzero = 0\ns = sqrt(2)/2\nc = [1, -1, 1]",
            "integers",
        ),
        Reference(
            "largest = sqrt(4*9); near = 3 - 2; far = 3 + 2; zero = 0\n"
            "s = 1/sqrt(2)\nc = [1, -sqrt(2), 1]",
            "the eigenvector",
        ),
        Reference(
            "largest = 6\nnear = sqrt(4 - 12 + 9)\nfar = sqrt(4 + 12 + 9)\nzero = 0\n"
            "s = sqrt(1/2)\nc = [2, -3, 2]",
            "by the formula for the distance",
        ),
    ),
    mistakes=(
        Mistake(
            "largest = 36\nnear = 1\nfar = 5\nzero = 0\ns = 1\nc = [1, -1, 1]",
            why="the square, and two points for three",
            says="the bound for the square",
            at_most=0.7,
        ),
        Mistake(
            "largest = 6\nnear = 1\nfar = 5\nzero = 0\ns = sqrt(2)/2\nc = [1, 1, 1]",
            why="a vector that sees nothing",
            says="is not negative",
            at_most=0.8,
        ),
        Mistake(
            "largest = 13/2\nnear = 0\nfar = sqrt(13)\nzero = 3\ns = 0.7071\n"
            "c = [1, -2, 1]",
            why="the weaker inequality, a rounded root, and cᵀKc = -2 only by luck",
            says="weaker",
            at_most=0.4,
        ),
        Mistake(
            "largest = 6\nnear = 1\nfar = 25\nzero = 0\ns = sqrt(2)/2\nc = [1, -1]",
            why="a square for a distance, and two numbers for three",
            says="three numbers",
            at_most=0.7,
        ),
    ),
)

SPACE = r"""
## Building the space

Aronszajn's theorem says that every kernel is an inner product of
features. The features are $\varphi(x) = k(\cdot, x)$; what has to be built is the space
that they live in. It takes three steps: the finite sums, their limits, and the proof
that nothing is missing.
"""

SUMS = Puzzle(
    id="finite-sums",
    title="The inner product of the finite sums",
    points=7,
    proofs=("P-18",),
    statement=r"""
Let $k$ be a kernel on a set $\mathcal{X}$ and $\mathcal{H}_0$ the vector space of
finite sums $\sum_i a_i\, k(\cdot,x_i)$. Put together a proof that $\mathcal{H}_0$ has
an inner product with $\langle f, k(\cdot,x)\rangle = f(x)$ for all $f$ and $x$. Four of
the blocks do not belong.
""",
    blocks=(
        Block(
            "form",
            r"For $f = \sum_i a_i\, k(\cdot,x_i)$ and $g = \sum_j b_j\, k(\cdot,x'_j)$ "
            r"put $\langle f, g\rangle = \sum_{ij} a_i b_j\, k(x_i,x'_j)$.",
        ),
        Block(
            "rewrite",
            r"By the symmetry of $k$ this number is $\sum_j b_j\, f(x'_j)$, and it is "
            r"also $\sum_i a_i\, g(x_i)$.",
            needs=("form",),
        ),
        Block(
            "well",
            r"The first expression does not contain the $a_i$ and $x_i$, the second "
            r"not the $b_j$ and $x'_j$. So the number depends on the functions $f$ and "
            r"$g$ only, not on how they are written as sums.",
            needs=("rewrite",),
        ),
        Block(
            "bilinear",
            r"Therefore $\langle\cdot,\cdot\rangle$ is a function of two elements of "
            r"$\mathcal{H}_0$, and it is symmetric and linear in each of them.",
            needs=("well",),
        ),
        Block(
            "psd",
            r"$\langle f, f\rangle = a^\top K a \ge 0$, because $k$ is a kernel.",
            needs=("form",),
        ),
        Block(
            "reproducing",
            r"For $g = k(\cdot,x)$, a sum with one term, "
            r"$\langle f, k(\cdot,x)\rangle = f(x)$.",
            needs=("rewrite",),
        ),
        Block(
            "bound",
            r"By the inequality of Cauchy and Schwarz for semi-definite forms, "
            r"$f(x)^2 = \langle f, k(\cdot,x)\rangle^2 \le "
            r"\langle f, f\rangle\, k(x,x)$.",
            needs=("bilinear", "psd", "reproducing"),
        ),
        Block(
            "definite",
            r"If $\langle f, f\rangle = 0$, then $f(x) = 0$ for every $x$, that is, "
            r"$f = 0$: the form is an inner product.",
            needs=("bound",),
        ),
        Block(
            "independent",
            r"The functions $k(\cdot,x_i)$ of different points are linearly "
            r"independent, so the $a_i$ are determined by $f$, and "
            r"$\langle f, g\rangle$ is well defined.",
            why="they need not be independent: for the linear kernel, "
            "k(·,(1,0)) + k(·,(0,1)) = k(·,(1,1))",
        ),
        Block(
            "pd",
            r"Gram matrices are positive definite, so $a^\top K a > 0$ for "
            r"$a \ne 0$: the form is definite.",
            why="Gram matrices are positive semi-definite; the linear kernel has "
            "singular ones",
        ),
        Block(
            "circle",
            r"An inner product has $\|f\| = 0$ only for $f = 0$, so the form is "
            r"definite.",
            why="a circle: that it is an inner product is what is being shown",
        ),
        Block(
            "eigen",
            r"$k(x,x') = \sum_m \mu_m\, e_m(x)\, e_m(x')$ by Mercer's theorem, so "
            r"$\langle f, g\rangle = \sum_m f_m\, g_m/\mu_m$.",
            why="Mercer's theorem asks for a continuous kernel on a compact set; here "
            "𝒳 is any set",
        ),
    ),
    hints=(
        "A function can be a finite sum in several ways. Which block deals with that?",
        "Definiteness comes last, from an inequality that must not assume it.",
        "The inequality needs three things: a bilinear form, its sign, and the "
        "reproducing property.",
    ),
    references=(
        Reference(
            "form, rewrite, well, bilinear, psd, reproducing, bound, definite",
            "in the order of the chapter",
        ),
        Reference(
            "form, psd, rewrite, reproducing, well, bilinear, bound, definite",
            "positivity and reproduction first",
        ),
    ),
    mistakes=(
        Mistake(
            "form, independent, bilinear, psd, rewrite, reproducing, bound, definite",
            why="the sections are taken to be independent",
            says="need not be independent",
            at_most=0.8,
        ),
        Mistake(
            "form, rewrite, well, bilinear, psd, circle, reproducing",
            why="definiteness is assumed",
            says="a circle",
            at_most=0.8,
        ),
        Mistake(
            "form, rewrite, bilinear, psd, reproducing, bound, definite",
            why="S3's gap: nobody says that the form is well defined",
            says="rests on something",
            at_most=0.8,
        ),
        Mistake(
            "form, rewrite, well, bilinear, pd, reproducing, bound, definite",
            why="semi-definite taken for definite",
            says="singular",
            at_most=0.8,
        ),
    ),
)

LIMITS = Puzzle(
    id="completion",
    title="Filling the holes with functions",
    points=8,
    proofs=("P-04", "P-18"),
    statement=r"""
$\mathcal{H}_0$ is an inner product space of functions with
$f(x) = \langle f, k(\cdot,x)\rangle$, but it has holes. Let $\mathcal{H}$ be the set of
all functions $f$ that are the pointwise limit of a Cauchy sequence $(f_m)$ of
$\mathcal{H}_0$. Put together a proof that every Cauchy sequence of $\mathcal{H}_0$ has
such a limit, that $\langle f, g\rangle = \lim_m \langle f_m, g_m\rangle$ is an inner
product on $\mathcal{H}$, and that $f(x) = \langle f, k(\cdot,x)\rangle$ holds there
too. Three of the blocks do not belong.
""",
    blocks=(
        Block(
            "bound",
            r"By Cauchy–Schwarz $|f(x)| = |\langle f, k(\cdot,x)\rangle| \le "
            r"\sqrt{k(x,x)}\; \|f\|$ for $f \in \mathcal{H}_0$.",
        ),
        Block(
            "pointwise",
            r"Therefore a Cauchy sequence $(f_m)$ of $\mathcal{H}_0$ is, at each $x$, "
            r"a Cauchy sequence of numbers: it has a pointwise limit, an element of "
            r"$\mathcal{H}$.",
            needs=("bound",),
        ),
        Block(
            "exists",
            r"For Cauchy sequences $(f_m)$, $(g_m)$ of $\mathcal{H}_0$, "
            r"$|\langle f_m, g_m\rangle - \langle f_n, g_n\rangle| \le "
            r"\|f_m - f_n\|\,\|g_m\| + \|f_n\|\,\|g_m - g_n\|$, and Cauchy sequences "
            r"are bounded. So $\lim_m \langle f_m, g_m\rangle$ exists.",
        ),
        Block(
            "split",
            r"Let $(h_m)$ be a Cauchy sequence of $\mathcal{H}_0$ with $h_m(x) \to 0$ "
            r"for every $x$. Given $\varepsilon > 0$ fix $n$ with $\|h_m - h_n\| \le "
            r"\varepsilon$ for all $m \ge n$. Then $\|h_m\|^2 = \langle h_m, h_m - "
            r"h_n\rangle + \langle h_m, h_n\rangle \le \varepsilon\,\|h_m\| + "
            r"|\langle h_m, h_n\rangle|$.",
        ),
        Block(
            "finite",
            r"This $h_n$ is one fixed finite sum $\sum_j b_j\, k(\cdot,x_j)$, so "
            r"$\langle h_m, h_n\rangle = \sum_j b_j\, h_m(x_j) \to 0$ as "
            r"$m \to \infty$.",
            needs=("split",),
        ),
        Block(
            "null",
            r"The norms $\|h_m\|$ are bounded and $\varepsilon$ was arbitrary: "
            r"$\|h_m\| \to 0$.",
            needs=("split", "finite"),
        ),
        Block(
            "well",
            r"If two Cauchy sequences have the same pointwise limit, their difference "
            r"is such an $(h_m)$. So exchanging one for the other does not change "
            r"$\lim_m \langle f_m, g_m\rangle$, and $\langle f, g\rangle$ is well "
            r"defined on $\mathcal{H}$.",
            needs=("exists", "null"),
        ),
        Block(
            "inner",
            r"Symmetry, linearity and $\langle f, f\rangle \ge 0$ pass to the limit. "
            r"If $\langle f, f\rangle = \lim_m \|f_m\|^2 = 0$, then $f_m(x) \to 0$ for "
            r"every $x$, so $f = 0$.",
            needs=("well", "bound"),
        ),
        Block(
            "reproducing",
            r"$\langle f, k(\cdot,x)\rangle = \lim_m \langle f_m, k(\cdot,x)\rangle = "
            r"\lim_m f_m(x) = f(x)$ for $f \in \mathcal{H}$.",
            needs=("well",),
        ),
        Block(
            "easy",
            r"Since $h_m(x) \to 0$ at every $x$, clearly $\|h_m\| \to 0$.",
            why="false without the Cauchy property: Gaussian bells k(·, m) that walk "
            "away tend to 0 at every point, and all have norm 1",
        ),
        Block(
            "norms",
            r"$|\langle h_m, h_n\rangle| \le \|h_m\|\,\|h_n\| \to 0$ by "
            r"Cauchy–Schwarz.",
            why="that the norms tend to 0 is what is to be shown",
        ),
        Block(
            "no-holes",
            r"A Cauchy sequence of finite sums converges to a finite sum, so "
            r"$\mathcal{H} = \mathcal{H}_0$.",
            why="false: the sums Σ 2⁻ⁱ k(·, i) over i ≤ m, with Gaussian bells, "
            "are a Cauchy sequence whose limit is no finite sum",
        ),
    ),
    hints=(
        "What has to be shown before one may write $\\langle f, g\\rangle = "
        "\\lim_m \\langle f_m, g_m\\rangle$? That the limit exists, and what else?",
        "The heart: a Cauchy sequence that tends to zero at every point tends to zero "
        "in norm. It is used for a difference of two sequences.",
        "$h_n$ has to be fixed before $m$ goes to infinity.",
    ),
    references=(
        Reference(
            "bound, pointwise, exists, split, finite, null, well, inner, reproducing",
            "in the order of the chapter",
        ),
        Reference(
            "split, finite, null, exists, well, reproducing, bound, pointwise, inner",
            "the heart first",
        ),
    ),
    mistakes=(
        Mistake(
            "bound, pointwise, exists, easy, well, inner, reproducing",
            why="pointwise convergence taken for convergence in norm",
            says="walk away",
            at_most=0.5,
        ),
        Mistake(
            "bound, pointwise, exists, split, norms, null, well, inner, reproducing",
            why="a circle in the heart of the proof",
            says="what is to be shown",
            at_most=0.8,
        ),
        Mistake(
            "bound, pointwise, no-holes, exists, inner, reproducing",
            why="S3's belief that the finite sums are complete",
            says="no finite sum",
            at_most=0.4,
        ),
        Mistake(
            "bound, pointwise, exists, well, split, finite, null, inner, reproducing",
            why="the inner product before it is well defined",
            says="comes too early",
        ),
    ),
)

COMPLETE = Puzzle(
    id="complete-and-separable",
    title="Complete, and when separable",
    points=7,
    proofs=("P-04",),
    statement=r"""
Continue with the space $\mathcal{H}$ of the last exercise, an inner product space of
functions. Put together a proof that it is complete, and that it is separable *if*
$\mathcal{X}$ has a countable dense subset $S$ and $k$ is continuous. Four of the blocks
do not belong.
""",
    blocks=(
        Block(
            "dense",
            r"Let $f \in \mathcal{H}$ be the pointwise limit of the Cauchy sequence "
            r"$(f_m)$ of $\mathcal{H}_0$. For fixed $m$, $f - f_m$ is that of "
            r"$(f_n - f_m)_n$, so $\|f - f_m\| = \lim_n \|f_n - f_m\|$, which is small "
            r"for large $m$. Hence $f_m \to f$ in norm, and $\mathcal{H}_0$ is dense "
            r"in $\mathcal{H}$.",
        ),
        Block(
            "near",
            r"Let $(F_n)$ be a Cauchy sequence of $\mathcal{H}$. Choose "
            r"$f_n \in \mathcal{H}_0$ with $\|F_n - f_n\| \le 1/n$.",
            needs=("dense",),
        ),
        Block(
            "cauchy",
            r"$\|f_m - f_n\| \le \frac1m + \|F_m - F_n\| + \frac1n$, so $(f_n)$ is a "
            r"Cauchy sequence of $\mathcal{H}_0$. Let $f \in \mathcal{H}$ be its "
            r"pointwise limit.",
            needs=("near",),
        ),
        Block(
            "complete",
            r"$\|F_n - f\| \le \frac1n + \|f_n - f\| \to 0$. So $(F_n)$ converges in "
            r"$\mathcal{H}$: the space is complete.",
            needs=("cauchy",),
        ),
        Block(
            "continuous",
            r"If $k$ is continuous, then $\|k(\cdot,x) - k(\cdot,s)\|^2 = k(x,x) - "
            r"2\,k(x,s) + k(s,s) \to 0$ as $s \to x$.",
        ),
        Block(
            "countable",
            r"Let $D$ be the set of finite sums $\sum_i q_i\, k(\cdot,s_i)$ with "
            r"*rational* $q_i$ and $s_i \in S$. It is countable.",
        ),
        Block(
            "approximate",
            r"Every $\sum_i a_i\, k(\cdot,x_i)$ is a limit of elements of $D$: take "
            r"$s_i$ close to $x_i$ and $q_i$ close to $a_i$.",
            needs=("continuous", "countable"),
        ),
        Block(
            "separable",
            r"So the countable set $D$ is dense in $\mathcal{H}_0$, hence in "
            r"$\mathcal{H}$: the space is separable.",
            needs=("approximate", "dense"),
        ),
        Block(
            "pointwise",
            r"$(F_n(x))$ is a Cauchy sequence for every $x$. Its limit $F(x)$ is a "
            r"function of $x$, so $F \in \mathcal{H}$ and the space is complete.",
            why="not every function is in ℋ: it remains to show that F is the "
            "pointwise limit of a Cauchy sequence of ℋ₀, and that ‖Fₙ − F‖ → 0",
        ),
        Block(
            "net",
            r"For every $\varepsilon$ there is a finite set of functions such that "
            r"every $f \in \mathcal{H}$ is within $\varepsilon$ of one of them.",
            why="no space but {0} has such a set: take a large multiple of some f. "
            "Separable means a countable dense set",
        ),
        Block(
            "always",
            r"$\mathcal{H}$ is a Hilbert space, and Hilbert spaces are separable.",
            why="not all are: for k(x,x') = 1 if x = x', else 0, on the real line, the "
            "k(·,x) have distance √2 from each other, and they are uncountably many",
        ),
        Block(
            "reals",
            r"Let $D$ be the set of finite sums $\sum_i a_i\, k(\cdot,s_i)$ with "
            r"$a_i \in \mathbb{R}$ and $s_i \in S$. It is countable.",
            why="there are uncountably many real numbers: already the multiples of one "
            "k(·, s) ≠ 0 are uncountable",
        ),
    ),
    hints=(
        "There are two claims. Both use that $\\mathcal{H}_0$ is dense, and otherwise "
        "they have nothing to do with each other.",
        "For completeness, replace each term of the sequence by a neighbour in "
        "$\\mathcal{H}_0$.",
        "For separability, three approximations: $\\mathcal{H}$ by $\\mathcal{H}_0$, "
        "points by points of $S$, real numbers by rational ones.",
    ),
    references=(
        Reference(
            "dense, near, cauchy, complete, continuous, countable, approximate, "
            "separable",
            "complete, then separable",
        ),
        Reference(
            "countable, continuous, approximate, dense, separable, near, cauchy, "
            "complete",
            "separable, then complete",
        ),
    ),
    mistakes=(
        Mistake(
            "dense, pointwise, continuous, countable, approximate, separable",
            why="pointwise limits are not enough",
            says="not every function",
            at_most=0.6,
        ),
        Mistake(
            "dense, near, cauchy, complete, always",
            why="separability is no part of being a Hilbert space",
            says="not all are",
            at_most=0.6,
        ),
        Mistake(
            "dense, near, cauchy, complete, continuous, reals, approximate, separable",
            why="real coefficients are too many",
            says="uncountably many",
            at_most=0.8,
        ),
        Mistake(
            "near, cauchy, complete, dense, continuous, countable, approximate, "
            "separable",
            why="the neighbours exist because the sums are dense",
            says="comes too early",
        ),
    ),
)

ONE = r"""
## One kernel, one space

The construction is one way to a space with the reproducing property. Might another way
lead to another space?
"""

ONE_KERNEL = Puzzle(
    id="one-kernel",
    title="A space has one kernel",
    points=5,
    proofs=("P-37", "P-38"),
    statement=r"""
Let $\mathcal{H}$ be a Hilbert space of functions on $\mathcal{X}$ with a reproducing
kernel $k$: each $k(\cdot,x)$ is in $\mathcal{H}$, and
$\langle f, k(\cdot,x)\rangle = f(x)$ for all $f \in \mathcal{H}$. Nothing else is known
about $k$. Put together a proof that $k$ is a kernel (symmetric and positive
semi-definite), and that a second reproducing kernel $l$ of $\mathcal{H}$ is equal to
$k$. Three of the blocks do not belong.
""",
    blocks=(
        Block(
            "inner",
            r"With $f = k(\cdot,x')$ the reproducing property says "
            r"$\langle k(\cdot,x'), k(\cdot,x)\rangle = k(x,x')$.",
        ),
        Block(
            "symmetric",
            r"An inner product is symmetric, so $k(x,x') = k(x',x)$.",
            needs=("inner",),
        ),
        Block(
            "psd",
            r"$\sum_{ij} c_i c_j\, k(x_i,x_j) = \bigl\| \sum_i c_i\, k(\cdot,x_i) "
            r"\bigr\|^2 \ge 0$ for all points and numbers.",
            needs=("inner",),
        ),
        Block(
            "kernel",
            r"So $k$ is symmetric and all its Gram matrices are positive "
            r"semi-definite: it is a kernel.",
            needs=("symmetric", "psd"),
        ),
        Block(
            "by-l",
            r"The reproducing property of $l$, with $f = k(\cdot,x')$: "
            r"$\langle k(\cdot,x'), l(\cdot,x)\rangle = k(x,x')$.",
        ),
        Block(
            "by-k",
            r"The reproducing property of $k$, with $f = l(\cdot,x)$: "
            r"$\langle l(\cdot,x), k(\cdot,x')\rangle = l(x',x)$.",
        ),
        Block(
            "equal",
            r"The left sides are equal. Hence $k(x,x') = l(x',x)$ for all $x, x'$.",
            needs=("by-l", "by-k"),
        ),
        Block(
            "end",
            r"With $k(x,x') = k(x',x)$ this is $k(x',x) = l(x',x)$: the two kernels "
            r"are the same.",
            needs=("equal", "symmetric"),
        ),
        Block(
            "assume",
            r"$k$ is symmetric, because kernels are.",
            why="that k is a kernel is to be shown; so far it only reproduces",
        ),
        Block(
            "diagonal",
            r"$k(x,x) = \|k(\cdot,x)\|^2 \ge 0$ for every $x$, so $k$ is positive "
            r"semi-definite.",
            why="the diagonal alone is not enough: [[1, 2], [2, 1]] has a positive one",
        ),
        Block(
            "entries",
            r"$\langle k(\cdot,x), k(\cdot,x')\rangle \ge 0$, so all entries of a Gram "
            r"matrix are $\ge 0$.",
            why="inner products can be negative, and entries ≥ 0 would not make a "
            "matrix positive semi-definite",
        ),
    ),
    hints=(
        "The reproducing property may be used for any $f \\in \\mathcal{H}$, also for "
        "$f = k(\\cdot,x')$.",
        "For uniqueness, use it twice: once for each of the two kernels, on the other "
        "one's sections.",
    ),
    references=(
        Reference(
            "inner, symmetric, psd, kernel, by-l, by-k, equal, end",
            "first a kernel, then the only one",
        ),
        Reference(
            "by-k, by-l, equal, inner, symmetric, end, psd, kernel",
            "uniqueness first",
        ),
    ),
    mistakes=(
        Mistake(
            "assume, by-l, by-k, equal, end",
            why="assumes what is to be shown",
            says="it only reproduces",
            at_most=0.5,
        ),
        Mistake(
            "inner, symmetric, diagonal, kernel, by-l, by-k, equal, end",
            why="the diagonal for the matrix",
            says="the diagonal alone",
            at_most=0.8,
        ),
        Mistake(
            "by-l, by-k, equal, end, inner, symmetric, psd, kernel",
            why="uses symmetry before it is shown",
            says="comes too early",
        ),
    ),
)

ONE_SPACE = Puzzle(
    id="one-space",
    title="A kernel has one space",
    points=7,
    proofs=("P-37",),
    statement=r"""
Let $\mathcal{H}_1$ and $\mathcal{H}_2$ be Hilbert spaces of functions on $\mathcal{X}$
with the same reproducing kernel $k$, and let $\mathcal{H}_0$ be the span of all
$k(\cdot,x)$. Put together a proof that they consist of the same functions, with the
same inner product. Four of the blocks do not belong.
""",
    blocks=(
        Block(
            "contained",
            r"$\mathcal{H}_0$ is contained in both spaces, since each $k(\cdot,x)$ "
            r"is.",
        ),
        Block(
            "agree",
            r"On $\mathcal{H}_0$ the two inner products agree: for two sections both "
            r"have the value $k(x,x')$, and both are bilinear.",
            needs=("contained",),
        ),
        Block(
            "dense",
            r"If $f \in \mathcal{H}_1$ is orthogonal to all $k(\cdot,x)$, then $f(x) = "
            r"0$ for every $x$, so $f = 0$. Hence $\mathcal{H}_0$ is dense in "
            r"$\mathcal{H}_1$.",
            needs=("contained",),
        ),
        Block(
            "sequence",
            r"Let $f \in \mathcal{H}_1$. There are $f_m \in \mathcal{H}_0$ with "
            r"$\|f_m - f\|_1 \to 0$.",
            needs=("dense",),
        ),
        Block(
            "other",
            r"$(f_m)$ is a Cauchy sequence in the norm of $\mathcal{H}_1$, hence in "
            r"that of $\mathcal{H}_2$. As $\mathcal{H}_2$ is complete, "
            r"$\|f_m - g\|_2 \to 0$ for some $g \in \mathcal{H}_2$.",
            needs=("sequence", "agree"),
        ),
        Block(
            "evaluate",
            r"Convergence in either norm implies convergence at every point, because "
            r"$|h(x)| \le \sqrt{k(x,x)}\, \|h\|$. So $f_m(x) \to f(x)$ and "
            r"$f_m(x) \to g(x)$: $f = g$.",
            needs=("other",),
        ),
        Block(
            "norms",
            r"Thus $f \in \mathcal{H}_2$, and $\|f\|_1 = \lim \|f_m\|_1 = \lim "
            r"\|f_m\|_2 = \|f\|_2$.",
            needs=("evaluate",),
        ),
        Block(
            "end",
            r"Exchanging the roles gives $\mathcal{H}_2 \subseteq \mathcal{H}_1$. The "
            r"norms are the same, and they determine the inner products.",
            needs=("norms",),
        ),
        Block(
            "basis",
            r"The $k(\cdot,x)$ are a basis of $\mathcal{H}_1$, so $f$ is a finite sum "
            r"$\sum_i a_i\, k(\cdot,x_i)$.",
            why="finite sums are dense, but they need not be all of the space",
        ),
        Block(
            "closed",
            r"$\mathcal{H}_0$ is closed in $\mathcal{H}_1$, because it is a subspace.",
            why="a subspace of infinite dimension need not be closed",
        ),
        Block(
            "principle",
            r"Two Hilbert spaces with a common dense subspace are the same.",
            why="false: the polynomials are dense in L²(0,1), and in spaces with "
            "derivatives in the norm, which are much smaller",
        ),
        Block(
            "isometry",
            r"Both spaces have the same dimension, so they are isometric, that is, the "
            r"same.",
            why="isometric is less than equal: the spaces have to consist of the same "
            "functions",
        ),
    ),
    hints=(
        "What do the two spaces have in common from the start?",
        "Move a sequence from one space to the other: its terms lie in both.",
        "Two limits are found, one in each space. That they are the same function is "
        "seen at a point.",
    ),
    references=(
        Reference(
            "contained, agree, dense, sequence, other, evaluate, norms, end",
            "inner products first",
        ),
        Reference(
            "contained, dense, sequence, agree, other, evaluate, norms, end",
            "density first",
        ),
    ),
    mistakes=(
        Mistake(
            "contained, agree, basis, norms, end",
            why="every function a finite sum",
            says="need not be all",
            at_most=0.5,
        ),
        Mistake(
            "contained, agree, dense, principle, end",
            why="a principle that does not hold",
            says="polynomials are dense",
            at_most=0.5,
        ),
        Mistake(
            "contained, dense, sequence, other, agree, evaluate, norms, end",
            why="the sequence is moved before the norms are known to agree",
            says="comes too early",
        ),
    ),
)

LINEAR = Values(
    id="linear-space",
    title="The space of the linear kernel",
    points=6,
    proofs=("P-39",),
    statement=r"""
The RKHS of $k(x,x') = x^\top x'$ on $\mathbb{R}^2$ consists of the functions
$f_w(x) = w^\top x$, with $\langle f_v, f_w\rangle = v^\top w$. Check the two defining
properties on paper: which $f_w$ is the section $k(\cdot,x)$, and what does
$\langle f_w, k(\cdot,x)\rangle$ come to? Then give

- `section`, the vector $w$ with $f_w = k(\cdot, (3,1))$.

Now take

$$
f = 2\,k(\cdot, (1,2)) - k(\cdot, (3,1)) .
$$

- `w`, the vector with $f = f_w$; `norm2`, the squared norm $\|f\|^2$;
- `inner`, the inner product of $f$ with $g = k(\cdot, (1,1))$;
- `dim`, the dimension of the space.

Now forget all points but those of the line $\mathcal{X} = \{(s, 2s)\}$, and keep the
same $k$. This is a new kernel, with a new space.

- `dim_line`, its dimension;
- `norm2_line`, the squared norm of the restriction of $f$ to the line. (It is the
  squared length of the *shortest* $w$ that gives the same values on the line.)
""",
    values=(
        Value("section", "[3, 1]", weight=0.5),
        Value(
            "w",
            "[-1, 3]",
            traps={"[5, 5]": "the second coefficient is -1", "[-2, 1]": "2 was lost"},
        ),
        Value(
            "norm2",
            "10",
            traps={
                "sqrt(10)": "this is the norm, its square is asked for",
                "30": "the mixed terms 2·a₁a₂·k(x₁,x₂) are missing",
                "5": "‖f‖² is wᵀw, or aᵀKa; not aᵀa",
                "20": "the mixed term counts twice",
            },
        ),
        Value("inner", "2", traps={"0": "⟨f, k(·,x)⟩ = f(x)"}),
        Value("dim", "2", choices=("infinite",)),
        Value(
            "dim_line",
            "1",
            choices=("infinite",),
            traps={"2": "on the line, f_w depends on w₁ + 2w₂ only"},
        ),
        Value(
            "norm2_line",
            "5",
            weight=2,
            traps={
                "10": "another w gives the same values on the line, and is shorter",
                "25": "this is the square of the slope in s; divide by what?",
            },
        ),
    ),
    hints=(
        "$k(\\cdot, (1,2))$ is the function $x \\mapsto x_1 + 2x_2$, that is, $f_w$ "
        "with $w = (1,2)$. And $\\langle f_w, f_x\\rangle = w^\\top x = f_w(x)$.",
        "For `inner` nothing needs to be expanded: the reproducing property does it.",
        "On the line $f(s, 2s) = w_1 s + 2 w_2 s$. Which $w$ with the same "
        "$w_1 + 2w_2$ is the shortest? It is a multiple of $(1,2)$.",
    ),
    references=(
        Reference(
            "section = [3, 1]\n"
            "w = [-1, 3]\nnorm2 = 10\ninner = 2\ndim = 2\ndim_line = 1\nnorm2_line = 5",
            "numbers",
        ),
        Reference(
            "section = [3, 1]\n"
            "w = [2*1 - 3, 2*2 - 1]\nnorm2 = 4*5 - 4*5 + 10\ninner = -1 + 3\ndim = 2\n"
            "dim_line = 1\nnorm2_line = 5**2/5",
            "with the arithmetic: aᵀKa, and 5s with the kernel 5ss'",
        ),
    ),
    mistakes=(
        Mistake(
            "section = [3, 1]\n"
            "w = [-1, 3]\nnorm2 = sqrt(10)\ninner = 2\ndim = 2\ndim_line = 1\n"
            "norm2_line = 5",
            why="the norm for its square",
            says="its square is asked for",
        ),
        Mistake(
            "section = [3, 1]\n"
            "w = [-1, 3]\nnorm2 = 10\ninner = 2\ndim = infinite\ndim_line = 2\n"
            "norm2_line = 10",
            why="the restriction is taken to change nothing",
            says="shorter",
            at_most=0.5,
        ),
        Mistake(
            "section = [3, 1]\n"
            "w = [5, 5]\nnorm2 = 50\ninner = 10\ndim = 2\ndim_line = 1\n"
            "norm2_line = 45",
            why="a sign is lost at the start",
            says="second coefficient",
            at_most=0.4,
        ),
        Mistake(
            "section = [3, 1]\n"
            "w = [-1, 3]\nnorm2 = 30\ninner = 2\ndim = 2\ndim_line = 1\nnorm2_line = 5",
            why="Pythagoras for sections that are not orthogonal",
            says="mixed terms",
        ),
    ),
)

LARGE = r"""
## How large it is

The linear kernel has a small space. The Gaussian's is infinite-dimensional, and its
Gram matrices are invertible; the second is the stronger statement, and the one that
matters for separating data.
"""

GAUSSIAN = Puzzle(
    id="gaussian-is-strict",
    title="The Gram matrix of the Gaussian is positive definite",
    points=8,
    proofs=("P-40",),
    statement=r"""
Let $x_1, \dots, x_n \in \mathbb{R}^d$ be distinct and $K$ their Gram matrix for the
Gaussian kernel. Put together a proof that $K$ is positive definite, and that the RKHS
of the Gaussian on $\mathbb{R}^d$ has infinite dimension. Three of the blocks do not
belong.
""",
    blocks=(
        Block(
            "waves",
            r"The transform of a Gaussian is a Gaussian: $k(x,x') = \int "
            r"e^{-i\omega^\top(x - x')}\, \rho(\omega)\, d\omega$ with a continuous "
            r"density $\rho(\omega) > 0$ for all $\omega$.",
        ),
        Block(
            "form",
            r"For real $a_1, \dots, a_n$, $\;a^\top K a = \int |g(\omega)|^2\, "
            r"\rho(\omega)\, d\omega \ge 0$ with $g(\omega) = \sum_j a_j\, "
            r"e^{-i\omega^\top x_j}$.",
            needs=("waves",),
        ),
        Block(
            "vanish",
            r"Suppose $a^\top K a = 0$. The integrand is continuous and $\ge 0$, so it "
            r"is zero everywhere, and since $\rho > 0$, $g(\omega) = 0$ for all "
            r"$\omega$.",
            needs=("form",),
        ),
        Block(
            "direction",
            r"Choose a vector $e$ for which the numbers $s_j = e^\top x_j$ are "
            r"distinct. It has to avoid finitely many hyperplanes $e^\top(x_i - x_j) = "
            r"0$, which do not fill $\mathbb{R}^d$.",
        ),
        Block(
            "line",
            r"With $\omega = \tau e$: $\;\sum_j a_j\, e^{-i\tau s_j} = 0$ for all real "
            r"$\tau$.",
            needs=("vanish", "direction"),
        ),
        Block(
            "derivatives",
            r"Differentiate $m$ times at $\tau = 0$: $\;\sum_j a_j\, s_j^m = 0$ for "
            r"$m = 0, 1, \dots, n-1$.",
            needs=("line",),
        ),
        Block(
            "vandermonde",
            r"This linear system for $a$ has a Vandermonde matrix with distinct $s_j$, "
            r"which is invertible. Hence $a = 0$: $K$ is positive definite.",
            needs=("derivatives",),
        ),
        Block(
            "independent",
            r"If $\sum_j a_j\, k(\cdot,x_j) = 0$, then $0 = \bigl\|\sum_j a_j\, "
            r"k(\cdot,x_j)\bigr\|^2 = a^\top K a$, so $a = 0$: the sections of any $n$ "
            r"distinct points are linearly independent.",
            needs=("vandermonde",),
        ),
        Block(
            "infinite",
            r"As $\mathbb{R}^d$ has $n$ distinct points for every $n$, the dimension "
            r"of the RKHS is at least $n$ for every $n$.",
            needs=("independent",),
        ),
        Block(
            "dominant",
            r"The diagonal of $K$ is 1 and all other entries are smaller than 1, so "
            r"$K$ is diagonally dominant, hence positive definite.",
            why="dominance compares 1 with the sum of the other entries of a row, and "
            "with three points close together that sum is nearly 2",
        ),
        Block(
            "different",
            r"Distinct points have different sections $k(\cdot,x_j)$, so these are "
            r"linearly independent.",
            why="different is not independent: the linear kernel has different "
            "sections too",
        ),
        Block(
            "orthogonal",
            r"The waves $e^{-i\omega^\top x_j}$ are orthogonal to each other, so "
            r"$a^\top K a = \sum_j a_j^2$.",
            why="with the weight ρ their inner products are the entries of K, "
            "which are not zero; otherwise K would be the identity",
        ),
    ),
    hints=(
        "Bochner's theorem writes the quadratic form as an integral of a square.",
        "Where are the distinct points used? In the choice of a direction, and again "
        "at the end.",
        "The dimension comes last: positive definite Gram matrices make independent "
        "sections.",
    ),
    references=(
        Reference(
            "waves, form, vanish, direction, line, derivatives, vandermonde, "
            "independent, infinite",
            "in order",
        ),
        Reference(
            "direction, waves, form, vanish, line, derivatives, vandermonde, "
            "independent, infinite",
            "the direction first",
        ),
    ),
    mistakes=(
        Mistake(
            "dominant, independent, infinite",
            why="large diagonal entries are not dominance",
            says="the sum of the other entries",
            at_most=0.3,
        ),
        Mistake(
            "different, infinite",
            why="different taken for independent",
            says="different is not independent",
            at_most=0.2,
        ),
        Mistake(
            "waves, form, orthogonal, vanish, direction, line, derivatives, "
            "vandermonde, independent, infinite",
            why="the waves are not orthogonal",
            says="would be the identity",
        ),
        Mistake(
            "waves, form, vanish, line, direction, derivatives, vandermonde, "
            "independent, infinite",
            why="the numbers s_j are used before they are chosen",
            says="comes too early",
        ),
    ),
)


def check_null_vector(data: Mapping[str, Any]) -> list[Finding]:
    """Kz = 0 for the exclusive or: z is a multiple of (1, 1, -1, -1), and not zero."""
    z = data["z"]
    if not isinstance(z, tuple) or len(z) != 4:
        return [Finding(False, "`z`: four numbers are asked for")]
    if all(entry.same(Real(0)) for entry in z):
        return [Finding(False, "`z`: not all of the numbers may be zero")]
    null = z[0].same(z[1]) and z[2].same(z[3]) and z[0].same(-z[2])
    return [Finding(null, f"K z {'is' if null else 'is not'} zero", 1.0)]


XOR = Values(
    id="infinite-and-not-separable",
    title="Infinite dimension is not enough",
    points=7,
    proofs=("P-41",),
    statement=r"""
S2 (l. 284) says that in infinite dimension data are always linearly separable. Refute
it. Let

$$
k(x,x') = e^{x_1 x_1'} + e^{x_2 x_2'}
$$

on $\mathbb{R}^2$, with the four points $(1,1)$ and $(-1,-1)$, labelled $+1$, and
$(1,-1)$ and $(-1,1)$, labelled $-1$, in this order.

- `row`, the first row of the Gram matrix $K$, exactly (`e` is Euler's number);
- `z`, a vector $z \ne 0$ with $Kz = 0$; `rank`, the rank of $K$;
- `norm2`, the squared norm of $h = \sum_i z_i\, k(\cdot,x_i)$; `sum`, the value of
  $\sum_i z_i\, f(x_i) = \langle f, h\rangle$, the same for every $f$ in the RKHS;
- `separable`, whether some $f$ in the RKHS has the right sign at all four points
  (yes or no);
- `dim`, the dimension of the RKHS: a number, or infinite. (Look at points
  $(s_1, 0), \dots, (s_n, 0)$.)

And for the Gaussian kernel instead, yes or no:

- `gaussian`, is this exclusive or separable;
- `twice`, is it still if the point $(1,1)$ is added once more, labelled $-1$?
""",
    values=(
        Value(
            "row",
            "[2*e, 2/e, e + 1/e, e + 1/e]",
            exact=True,
            weight=1.5,
            traps={"[e**2, e**(-2), 1, 1]": "this is the product of the two kernels"},
        ),
        Value("z"),
        Value(
            "rank",
            "3",
            traps={
                "4": "then no z ≠ 0 had Kz = 0",
                "2": "one eigenvalue is 0; are two?",
            },
        ),
        Value("norm2", "0"),
        Value("sum", "0"),
        Value(
            "separable",
            "no",
            weight=1.5,
            choices=("yes", "no"),
            traps={"yes": "what sign would zᵢ f(xᵢ) have, at each of the four points?"},
        ),
        Value(
            "dim",
            "infinite",
            choices=("infinite",),
            traps={
                "3": "this is the rank for these four points only",
                "4": "four points cannot bound the dimension",
            },
        ),
        Value("gaussian", "yes", choices=("yes", "no")),
        Value(
            "twice",
            "no",
            choices=("yes", "no"),
            traps={"yes": "a function has one value at a point"},
        ),
    ),
    check=check_null_vector,
    check_weight=1.5,
    hints=(
        "The kernel is a sum of a kernel of $x_1$ and a kernel of $x_2$, so its "
        "functions are $f(x) = u(x_1) + v(x_2)$.",
        "For such a function compare $f(1,1) + f(-1,-1)$ with $f(1,-1) + f(-1,1)$.",
        "On the first axis $k$ is $e^{s s'} + 1$, and $e^{s s'}$ is a Gaussian kernel "
        "with weights: $e^{s^2/2}\\, e^{-(s-s')^2/2}\\, e^{s'^2/2}$.",
    ),
    references=(
        Reference(
            "row = [2*e, 2/e, e + 1/e, e + 1/e]\nz = [1, 1, -1, -1]\nrank = 3\n"
            "norm2 = 0\nsum = 0\nseparable = no\ndim = infinite\ngaussian = yes\n"
            "twice = no",
            "with e",
        ),
        Reference(
            "row = [exp(1) + exp(1), exp(-1) + exp(-1), exp(1) + exp(-1), "
            "exp(1) + exp(-1)]\nz = [-1/2, -1/2, 1/2, 1/2]\nrank = 3\nnorm2 = 0\n"
            "sum = 0\nseparable = no\ndim = infinity\ngaussian = yes\ntwice = no",
            "with exp, and another multiple",
        ),
    ),
    mistakes=(
        Mistake(
            "row = [e**2, e**(-2), 1, 1]\nz = [1, 1, -1, -1]\nrank = 4\nnorm2 = 0\n"
            "sum = 0\nseparable = yes\ndim = infinite\ngaussian = yes\ntwice = no",
            why="the product of the kernels for their sum",
            says="product of the two kernels",
            at_most=0.7,
        ),
        Mistake(
            "row = [2*e, 2/e, e + 1/e, e + 1/e]\nz = [1, -1, 1, -1]\nrank = 3\n"
            "norm2 = 0\nsum = 0\nseparable = no\ndim = infinite\ngaussian = yes\n"
            "twice = no",
            why="the signs in another order",
            says="is not zero",
        ),
        Mistake(
            "row = [5.4366, 0.7358, 3.0862, 3.0862]\nz = [0, 0, 0, 0]\nrank = 3\n"
            "norm2 = 0\nsum = 0\nseparable = no\ndim = 3\ngaussian = yes\ntwice = yes",
            why="rounded, the zero vector, and the rank for the dimension",
            says="may be zero",
            at_most=0.7,
        ),
        Mistake(
            "row = [2*e, 2/e, e + 1/e, e + 1/e]\nz = [1, 1, -1, -1]\nrank = 3\n"
            "norm2 = 0\nsum = 0\nseparable = yes\ndim = infinite\ngaussian = yes\n"
            "twice = no",
            why="S2's claim, against one's own computation",
            says="what sign",
        ),
    ),
)

STRICT = Derivation(
    id="interpolation",
    title="What does separate, and at which price",
    problem=LEAST_NORM,
    points=6,
    proofs=("P-41",),
    statement=r"""
If $k$ is *strictly* positive definite, the Gram matrix $K = \Phi\Phi^\top$ of distinct
points is invertible, and any labels can be met. Let $a = K^{-1} y$ and take any
$w = \Phi^\top a + u$ with $\Phi u = 0$. Show

1. $f = \Phi w = y$: the function interpolates, so with labels $y_i = \pm 1$ it
   separates;
2. $r = w^\top w \ge y^\top K^{-1} y$: that is the least price, paid for $u = 0$.

Symbols: `Phi`, `K = Phi@Phi.T` (positive definite), `y`, `a = inv(K)@y`, `u` with the
given `Phi@u = 0`, `w = Phi.T@a + u`, `f = Phi@w`, `r = w.T@w`.
""",
    hints=(
        "Put in $w$, and expand. What does $\\Phi u = 0$ do to the terms with $u$?",
        "In $r$ there is a mixed term $2a^\\top \\Phi u$. The reason that opens "
        "$\\Phi u = 0$ is `given`.",
        "$K a = y$, so $a^\\top K a = a^\\top y = y^\\top K^{-1} y$.",
    ),
    references=(
        Reference(
            "f = Phi@(Phi.T@a + u)                              | def w\n"
            "f = Phi@Phi.T@a + Phi@u                            | expand\n"
            "f = K@a                                            | def K; given\n"
            "f = K@inv(K)@y                                     | def a\n"
            "f = y                                              | inverse K\n"
            "r = (Phi.T@a + u).T@(Phi.T@a + u)                  | def w\n"
            "r = a.T@Phi@Phi.T@a + 2*a.T@Phi@u + u.T@u          | expand\n"
            "r = a.T@K@a + u.T@u                                | def K; given\n"
            "r = y.T@inv(K)@K@inv(K)@y + u.T@u                  | def a\n"
            "r = y.T@inv(K)@y + norm2(u)                        | inverse K\n"
            "r >= y.T@inv(K)@y                                  | nonneg",
            "step by step",
        ),
        Reference(
            "f = K@a + Phi@u | def w; def K\n"
            "f = K@a | Phi@u = 0\n"
            "f = y | def a; inverse K\n"
            "r = a.T@K@a + 2*a.T@Phi@u + norm2(u) | def w; def K\n"
            "r = a.T@K@a + norm2(u) | given\n"
            "r = y.T@inv(K)@y + norm2(u) | def a; inverse K\n"
            "r >= y.T@inv(K)@y | drop a square",
            "short",
        ),
        Reference(
            "r = norm2(Phi.T@a + u) | def w\n"
            "r = norm2(Phi.T@a) + norm2(u) | orthogonal; Phi@u = 0\n"
            "r = a.T@K@a + norm2(u) | def K\n"
            "r = y.T@inv(K)@y + norm2(u) | def a; inverse K\n"
            "r >= y.T@inv(K)@y | nonneg\n"
            "f = Phi@Phi.T@a | def w; given\n"
            "f = K@inv(K)@y | def K; def a\n"
            "f = y | inverse K",
            "the norm first",
        ),
    ),
    mistakes=(
        Mistake(
            "f = Phi@Phi.T@a + Phi@u | def w\nf = y | def a",
            why="neither the given nor the inverse is used",
            first_bad=2,
            at_most=0.5,
        ),
        Mistake(
            "f = K@a + Phi@u | def w; def K\nf = K@a | given\n"
            "f = y | def a; inverse K\n"
            "r = norm2(Phi.T@a + u) | def w\nr = norm2(Phi.T@a) + norm2(u) | expand\n"
            "r = y.T@inv(K)@y + norm2(u) | def K; def a\nr >= y.T@inv(K)@y | nonneg",
            why="Pythagoras without a right angle",
            first_bad=5,
        ),
        Mistake(
            "f = K@a + Phi@u | def w; def K\nf = K@a | given\n"
            "f = y | def a; inverse K\n"
            "r = a.T@K@a + 2*a.T@Phi@u + norm2(u) | def w; def K\n"
            "r >= a.T@K@a | nonneg",
            why="the mixed term is dropped as if it were a square",
            first_bad=5,
            at_most=0.6,
        ),
        Mistake(
            "f = K@a + Phi@u | def w; def K\nf = K@a | given\n"
            "f = y | def a; inverse K\n"
            "r = a.T@K@a + norm2(u) | def w; def K; given\n"
            "r = y.T@K@y + norm2(u) | def a; inverse K\nr >= y.T@K@y | nonneg",
            why="K for its inverse",
            first_bad=5,
            at_most=0.7,
        ),
    ),
)

REPRESENT = r"""
## The representer theorem

A space of infinite dimension is no place to look for a minimiser. The theorem says that
one need only look at $n$ coefficients. First the computation, with finitely many
features; then the argument, in any RKHS.
"""

COMPUTATION = Derivation(
    id="representer",
    title="The part that the data cannot see",
    problem="representer",
    points=5,
    proofs=("P-16",),
    statement=r"""
Any $w \in \mathbb{R}^M$ is $\Phi^\top a + u$ with some $a$ and a $u$ with
$\Phi u = 0$. Show that for an arbitrary loss

$$
J = \ell(\Phi w) + \lambda \|w\|^2 = \ell(Ka) + \lambda\, a^\top K a +
\lambda \|u\|^2 ,
$$

and conclude that leaving $u$ out never makes $J$ larger.

Symbols: `Phi`, `K = Phi@Phi.T`, `a`, `u` with the given `Phi@u = 0`,
`w = Phi.T@a + u`, `lam` (positive), `J = loss(Phi@w) + lam*norm2(w)`; nothing is known
about `loss`.
""",
    hints=(
        "Treat the two terms one after the other: what is $\\Phi w$, and what is "
        "$\\|w\\|^2$?",
        "The mixed term of the norm is $2 a^\\top \\Phi u$. The reason `given` opens "
        "$\\Phi u = 0$.",
        "The last step drops $\\lambda\\|u\\|^2 \\ge 0$: `nonneg`.",
    ),
    references=(
        Reference(
            "J = loss(Phi@(Phi.T@a + u)) + lam*norm2(Phi.T@a + u)           | def w\n"
            "J = loss(Phi@Phi.T@a) + lam*norm2(Phi.T@a + u)                 | given\n"
            "J = loss(K@a) + lam*norm2(Phi.T@a + u)                         | def K\n"
            "J = loss(K@a) + lam*(a.T@Phi@Phi.T@a + 2*a.T@Phi@u + u.T@u)    | expand\n"
            "J = loss(K@a) + lam*a.T@K@a + lam*norm2(u)"
            "                       | def K; given\n"
            "J >= loss(K@a) + lam*a.T@K@a                                   | nonneg",
            "in one chain",
        ),
        Reference(
            "Phi@w = Phi@Phi.T@a + Phi@u | def w\n"
            "Phi@w = K@a | def K; Phi@u = 0\n"
            "norm2(w) = norm2(Phi.T@a) + 2*a.T@Phi@u + norm2(u) | def w\n"
            "norm2(w) = a.T@K@a + norm2(u) | given; def K\n"
            "J = loss(K@a) + lam*a.T@K@a + lam*norm2(u) | use 2; use 4\n"
            "J >= loss(K@a) + lam*a.T@K@a | drop a square",
            "one term after the other",
        ),
    ),
    mistakes=(
        Mistake(
            "Phi@w = K@a | def w; def K\n"
            "J = loss(K@a) + lam*a.T@K@a + lam*norm2(u) | use 1; def w",
            why="Φu = 0 is used without being said",
            first_bad=1,
            at_most=0.6,
        ),
        Mistake(
            "J = loss(Phi@Phi.T@a + Phi@u) + lam*norm2(Phi.T@a + u) | def w\n"
            "J = loss(K@a) + loss(Phi@u) + lam*norm2(Phi.T@a + u) | linear; def K",
            why="the loss is taken to be linear",
            first_bad=2,
            at_most=0.6,
        ),
        Mistake(
            "Phi@w = Phi@Phi.T@a + Phi@u | def w\nPhi@w = K@a | def K; given\n"
            "norm2(w) = a.T@K@K@a + norm2(u) | def w; def K\n"
            "J = loss(K@a) + lam*a.T@K@K@a + lam*norm2(u) | use 2; use 3",
            why="K² for K in the norm",
            first_bad=3,
            at_most=0.6,
        ),
        Mistake(
            "J = loss(Phi@(Phi.T@a + u)) + lam*norm2(Phi.T@a + u) | def w\n"
            "J = loss(Phi@Phi.T@a) + lam*norm2(Phi.T@a + u) | given\n"
            "J = loss(K@a) + lam*norm2(Phi.T@a + u) | def K\n"
            "J >= loss(K@a) + lam*a.T@K@a | nonneg",
            why="no right angle, hence no bound yet",
            first_bad=4,
            at_most=0.6,
        ),
    ),
)

THEOREM = Puzzle(
    id="representer-theorem",
    title="The representer theorem in any RKHS",
    points=7,
    proofs=("P-16",),
    statement=r"""
Let $\mathcal{H}$ be the RKHS of $k$, $x_1, \dots, x_n$ points, and
$J(f) = L(f(x_1), \dots, f(x_n)) + \Omega(\|f\|)$ with any
$L : \mathbb{R}^n \to (-\infty,\infty]$ and a non-decreasing
$\Omega : [0,\infty) \to \mathbb{R}$. Put together a proof that for every $f$ some
$\bar f$ in the span of $k(\cdot,x_1), \dots, k(\cdot,x_n)$ has $J(\bar f) \le J(f)$,
and that, if $\Omega$ is strictly increasing, every minimiser of finite value lies in
the span. Four of the blocks do not belong.
""",
    blocks=(
        Block(
            "span",
            r"Let $V$ be the span of $k(\cdot,x_1), \dots, k(\cdot,x_n)$. It has "
            r"finite dimension, hence it is complete.",
        ),
        Block(
            "project",
            r"So every $f \in \mathcal{H}$ has a projection $Pf \in V$, with $f - Pf$ "
            r"orthogonal to $V$.",
            needs=("span",),
        ),
        Block(
            "values",
            r"$(f - Pf)(x_i) = \langle f - Pf,\, k(\cdot,x_i)\rangle = 0$: at the data "
            r"points $f$ and $Pf$ have the same values.",
            needs=("project",),
        ),
        Block(
            "loss",
            r"So $L$ has the same value for $f$ and for $Pf$, whatever $L$ is.",
            needs=("values",),
        ),
        Block(
            "shorter",
            r"By Pythagoras $\|f\|^2 = \|Pf\|^2 + \|f - Pf\|^2 \ge \|Pf\|^2$.",
            needs=("project",),
        ),
        Block(
            "first",
            r"As $\Omega$ does not decrease, $\Omega(\|Pf\|) \le \Omega(\|f\|)$. "
            r"Together $J(Pf) \le J(f)$: the first claim, with $\bar f = Pf$.",
            needs=("loss", "shorter"),
        ),
        Block(
            "strict",
            r"Now let $\Omega$ be strictly increasing and $f$ a minimiser of finite "
            r"value. If $f \notin V$, then $f - Pf \ne 0$, so $\|Pf\| < \|f\|$ and "
            r"$\Omega(\|Pf\|) < \Omega(\|f\|)$.",
            needs=("shorter",),
        ),
        Block(
            "end",
            r"As $L$ has the same *finite* value at $f$ and $Pf$, this makes $J(Pf) < "
            r"J(f)$, a contradiction. So $f \in V$: the second claim.",
            needs=("strict", "loss"),
        ),
        Block(
            "gradient",
            r"At a minimiser the derivative of $J$ vanishes, which gives "
            r"$f = \sum_i a_i\, k(\cdot,x_i)$ with $a_i$ from the derivatives of $L$.",
            why="L need not have derivatives, nor be convex, nor continuous",
        ),
        Block(
            "exists",
            r"$J$ has a minimiser, because a continuous function that tends to "
            r"infinity has one.",
            why="nothing is known about L; and existence is neither claimed nor needed",
        ),
        Block(
            "all",
            r"The span of *all* $k(\cdot,x)$, $x \in \mathcal{X}$, is closed, so $f$ "
            r"can be projected onto it.",
            why="it need not be closed, and its sums would have more than n terms; "
            "which points matter?",
        ),
        Block(
            "always",
            r"If $f \notin V$, then $J(Pf) < J(f)$, for every non-decreasing "
            r"$\Omega$.",
            why="only ≤ holds in general: Ω may be constant",
        ),
    ),
    hints=(
        "Onto which space does one project, and why is that possible in infinite "
        "dimension?",
        "Two things are compared for $f$ and its projection: values at the data, and "
        "norms.",
        "The second claim does not use the first. It uses what the first is made of.",
    ),
    references=(
        Reference(
            "span, project, values, loss, shorter, first, strict, end",
            "in order",
        ),
        Reference(
            "span, project, shorter, strict, values, loss, end, first",
            "the strict case first",
        ),
    ),
    mistakes=(
        Mistake(
            "gradient, strict, end",
            why="a derivative of an arbitrary function",
            says="need not have derivatives",
            at_most=0.3,
        ),
        Mistake(
            "all, project, values, loss, shorter, first, strict, end",
            why="projects onto the span of all sections",
            says="which points matter",
            at_most=0.8,
        ),
        Mistake(
            "span, project, values, loss, shorter, first, always",
            why="strict without a strictly increasing Ω",
            says="may be constant",
            at_most=0.8,
        ),
        Mistake(
            "span, project, loss, values, shorter, first, strict, end",
            why="the losses agree because the values do",
            says="comes too early",
        ),
        Mistake(
            "span, project, values, loss, shorter, first",
            why="half of the theorem",
            says="more is needed",
            at_most=0.8,
        ),
    ),
)

SHEET = Sheet(
    name="04_rkhs",
    title="Exercises: the space behind a kernel",
    introduction=INTRODUCTION,
    items=(
        INEQUALITIES,
        SEMIDEFINITE,
        TWO_POINTS,
        PAIRS,
        SPACE,
        SUMS,
        LIMITS,
        COMPLETE,
        ONE,
        ONE_KERNEL,
        ONE_SPACE,
        LINEAR,
        LARGE,
        GAUSSIAN,
        XOR,
        STRICT,
        REPRESENT,
        COMPUTATION,
        THEOREM,
    ),
)
