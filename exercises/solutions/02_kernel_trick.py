"""Exercises on the kernel trick: hidden features, their number, costs, kernel PCA."""

import numpy as np

from kernellab.grading.problems.trick import (
    BREAK_EVEN,
    CENTRED_GRAM,
    PCA_DIRECTIONS,
)
from kernellab.grading.questions.base import Mistake, Reference, Sheet
from kernellab.grading.questions.code_questions import Cases, CodeQuestion
from kernellab.grading.questions.derivations import Derivation
from kernellab.grading.questions.puzzles import Block, Puzzle
from kernellab.grading.questions.values import Value, Values

INTRODUCTION = r"""
These are the exercises of [chapter 2](../chapters/02_kernel_trick.ipynb): which
features hide in a kernel, how many they are, what it costs to use them or not to, and
how an algorithm is written with inner products only. There are four kinds of question.

- **A derivation**, one step a line, each with its reason after a bar, as in
  `k = (x.T@z)**2 + 2*c*x.T@z + c**2 | expand`.
- **Values**, one a line: `p = 35`, `c = 1/2`. Fractions and roots are exact:
  `sqrt(2)/2`.
- **A puzzle**: blocks of a proof, of which some do not belong. List the letters of the
  others in an order in which each rests on what stands before it.
- **A function** in Python, which is run on inputs that you have not seen.
"""

FEATURES = r"""
## The features behind a polynomial

A kernel is an inner product in disguise. For a polynomial kernel the disguise can be
taken off with nothing but algebra.
"""

QUADRATIC = Derivation(
    id="quadratic-features",
    title="The features of the quadratic kernel",
    problem="polynomial-features",
    points=5,
    proofs=("P-03",),
    statement=r"""
For $x, z \in \mathbb{R}^2$ and $c > 0$ let $k = (x^\top z + c)^2$. Write it as an inner
product of two vectors, one of $x$ alone and one of $z$ alone. There are several such
pairs; any right one will do.

Symbols: `x`, `z` (components `x[0]`, `x[1]`), `c` (positive), `k = (x.T@z + c)**2`. A
vector with given entries is `vec(x[0], 2*x[1], …)`, an inner product `u.T@v` or
`dot(u, v)`.
""",
    hints=(
        "Write $x^\\top z$ in components and multiply out. How many terms are there, "
        "once equal ones are collected?",
        "Each term is a number times a monomial in $x$ times the same monomial in $z$. "
        "Which part of the number goes to which side?",
        "The term $2c\\, x_0 z_0$ is $\\sqrt{2c}\\, x_0$ times $\\sqrt{2c}\\, z_0$.",
    ),
    references=(
        Reference(
            "k = (x[0]*z[0] + x[1]*z[1] + c)**2   | components\n"
            "k = x[0]**2*z[0]**2 + x[1]**2*z[1]**2 + 2*x[0]*x[1]*z[0]*z[1]"
            " + 2*c*x[0]*z[0] + 2*c*x[1]*z[1] + c**2   | expand\n"
            "k = vec(x[0]**2, x[1]**2, sqrt(2)*x[0]*x[1], sqrt(2*c)*x[0],"
            " sqrt(2*c)*x[1], c).T@vec(z[0]**2, z[1]**2, sqrt(2)*z[0]*z[1],"
            " sqrt(2*c)*z[0], sqrt(2*c)*z[1], c)   | inner product",
            "six features",
        ),
        Reference(
            "k = (x.T@z)**2 + 2*c*x.T@z + c**2 | expand\n"
            "k = dot(vec(x[0]**2, x[0]*x[1], x[1]*x[0], x[1]**2, sqrt(2*c)*x[0],"
            " sqrt(2*c)*x[1], c), vec(z[0]**2, z[0]*z[1], z[1]*z[0], z[1]**2,"
            " sqrt(2*c)*z[0], sqrt(2*c)*z[1], c)) | components",
            "seven features: another map of the same kernel",
        ),
        Reference(
            "u = vec(sqrt(c), x[0], x[1])   | let u\n"
            "v = vec(sqrt(c), z[0], z[1])   | let v\n"
            "k = (u.T@v)**2                 | def u; def v\n"
            "k = dot(vec(u[0]**2, u[1]**2, u[2]**2, sqrt(2)*u[0]*u[1],"
            " sqrt(2)*u[0]*u[2], sqrt(2)*u[1]*u[2]), vec(v[0]**2, v[1]**2, v[2]**2,"
            " sqrt(2)*v[0]*v[1], sqrt(2)*v[0]*v[2], sqrt(2)*v[1]*v[2]))   | expand\n"
            "k = dot(vec(c, x[0]**2, x[1]**2, sqrt(2*c)*x[0], sqrt(2*c)*x[1],"
            " sqrt(2)*x[0]*x[1]), vec(c, z[0]**2, z[1]**2, sqrt(2*c)*z[0],"
            " sqrt(2*c)*z[1], sqrt(2)*z[0]*z[1]))   | def u; def v",
            "the constant as one more coordinate",
        ),
    ),
    mistakes=(
        Mistake(
            "k = (x[0]*z[0] + x[1]*z[1] + c)**2 | components\n"
            "k = vec(x[0]**2, x[1]**2, sqrt(2)*x[0]*x[1], sqrt(2)*x[0], sqrt(2)*x[1],"
            " c).T@vec(z[0]**2, z[1]**2, sqrt(2)*z[0]*z[1], sqrt(2)*z[0],"
            " sqrt(2)*z[1], c) | inner product",
            why="S2's map: the c under the root is missing, right for c = 1 only",
            first_bad=2,
            at_most=0.5,
        ),
        Mistake(
            "k = x[0]**2*z[0]**2 + x[1]**2*z[1]**2 + 2*x[0]*x[1]*z[0]*z[1] + c**2"
            " | expand",
            why="the mixed terms with c are lost",
            first_bad=1,
            at_most=0.5,
        ),
        Mistake(
            "k = dot(vec(x[0]**2, x[1]**2, x[0]*x[1], sqrt(2*c)*x[0], sqrt(2*c)*x[1],"
            " c), vec(z[0]**2, z[1]**2, z[0]*z[1], sqrt(2*c)*z[0], sqrt(2*c)*z[1], c))"
            " | expand",
            why="no weight on the mixed monomial",
            first_bad=1,
            at_most=0.5,
        ),
        Mistake(
            "k = (x[0]*z[0] + x[1]*z[1] + c)**2 | components\n"
            "k = x[0]**2*z[0]**2 + x[1]**2*z[1]**2 + 2*x[0]*x[1]*z[0]*z[1]"
            " + 2*c*x[0]*z[0] + 2*c*x[1]*z[1] + c**2 | expand",
            why="stops before the inner product",
            says="inner product",
        ),
    ),
)

WEIGHTS = Values(
    id="multinomial-weights",
    title="Weights and number of the features",
    points=6,
    proofs=("P-03", "P-21"),
    statement=r"""
The features of $k(x, x') = (x^\top x' + 2)^4$ on $\mathbb{R}^3$ are monomials with
weights: $\varphi_m(x) = \sqrt{s_m}\; x_1^{m_1} x_2^{m_2} x_3^{m_3}$. Give the *squared*
weights $s_m$ of five of them,

- `s_1` of the constant $1$, `s_x` of $x_1$, `s_xy` of $x_1 x_2$, `s_xxy` of
  $x_1^2 x_2$, `s_xyz` of $x_1 x_2 x_3$;

then

- `p`, the number of features, and `p0`, their number if the constant 2 is replaced
  by 0;
- `total`, the sum of all squared weights;
- `same`, the one positive constant that could stand in the place of the 2 such that
  $1$ and $x_1$ get the same weight, as in S0 (l. 413–469).
""",
    values=(
        Value("s_1", "16", traps={"1": "the constant 2 counts too: to which power?"}),
        Value(
            "s_x",
            "32",
            traps={
                "4": "the power of the constant 2 is missing",
                "8": "the multinomial coefficient is missing",
            },
        ),
        Value(
            "s_xy",
            "48",
            traps={
                "12": "the power of the constant 2 is missing",
                "24": "the 4!/(2! 1! 1!) is not 6: count m₀ among the factorials",
            },
        ),
        Value("s_xxy", "24", traps={"12": "the constant 2 is missing"}),
        Value("s_xyz", "48", traps={"24": "the constant 2 is missing"}),
        Value(
            "p",
            "35",
            traps={
                "15": "these are the monomials of degree 4 alone",
                "81": "this counts products of factors in order: x₁x₂ and x₂x₁ "
                "are one monomial",
                "256": "this counts products of factors in order: x₁x₂ and x₂x₁ "
                "are one monomial",
            },
        ),
        Value("p0", "15", traps={"35": "without the constant, lower degrees vanish"}),
        Value(
            "total",
            "625",
            weight=1.5,
            traps={
                "81": "this is the sum of the multinomial coefficients of degree 4 "
                "without a constant"
            },
        ),
        Value("same", "4", weight=1.5, traps={"2": "that is right for degree 2"}),
    ),
    hints=(
        "Which factors of $(x_1x_1' + x_2x_2' + x_3x_3' + 2)^4$ give the monomial, and "
        "in how many orders?",
        "$s_m = \\frac{4!}{m_0!\\, m_1!\\, m_2!\\, m_3!}\\, 2^{m_0}$ with "
        "$m_0 = 4 - m_1 - m_2 - m_3$.",
        "For `total`, do not add 35 numbers: at which $x = x'$ are all monomials 1?",
    ),
    references=(
        Reference(
            "s_1 = 16\ns_x = 32\ns_xy = 48\ns_xxy = 24\ns_xyz = 48\n"
            "p = 35\np0 = 15\ntotal = 625\nsame = 4",
            "numbers",
        ),
        Reference(
            "s_1 = 2**4; s_x = 4*2**3; s_xy = 12*2**2; s_xxy = 12*2; s_xyz = 24*2\n"
            "p = (7*6*5)/(3*2*1)\np0 = (6*5)/2\ntotal = (3 + 2)**4\nsame = 4",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "s_1 = 1\ns_x = 4\ns_xy = 12\ns_xxy = 12\ns_xyz = 24\n"
            "p = 35\np0 = 15\ntotal = 625\nsame = 4",
            why="the multinomial coefficients without the powers of c",
            says="the power of the constant 2 is missing",
            at_most=0.6,
        ),
        Mistake(
            "s_1 = 16\ns_x = 32\ns_xy = 48\ns_xxy = 24\ns_xyz = 48\n"
            "p = 15\np0 = 15\ntotal = 625\nsame = 4",
            why="degree exactly 4 for degree at most 4",
            says="degree 4 alone",
        ),
        Mistake(
            "s_1 = 4\ns_x = 4*sqrt(2)\ns_xy = 4*sqrt(3)\ns_xxy = 2*sqrt(6)\n"
            "s_xyz = 4*sqrt(3)\np = 35\np0 = 15\ntotal = 625\nsame = 4",
            why="the weights, not their squares",
            says="this is not the value",
            at_most=0.6,
        ),
        Mistake(
            "s_1 = 16\ns_x = 32\ns_xy = 48\ns_xxy = 24\ns_xyz = 48\n"
            "p = 81\np0 = 35\ntotal = 81\nsame = 2",
            why="the counts are wrong",
            says="one monomial",
            at_most=0.6,
        ),
    ),
)

STARS = Puzzle(
    id="stars-and-bars",
    title="Counting monomials",
    points=5,
    proofs=("P-21", "P-03"),
    statement=r"""
Put together a proof that there are $\binom{d+r-1}{r}$ monomials of degree $r$ in $d$
variables, and $\binom{d+r}{r}$ of degree at most $r$. Four of the blocks do not belong.
""",
    blocks=(
        Block(
            "exponents",
            r"A monomial of degree $r$ is given by its exponents: integers "
            r"$m_1, \dots, m_d \ge 0$ with $m_1 + \dots + m_d = r$. Different "
            r"exponents give different monomials.",
        ),
        Block(
            "row",
            r"Draw the exponents as a row: $m_1$ stars, a bar, $m_2$ stars, a bar, "
            r"and so on, up to $m_d$ stars. It has $r$ stars and $d - 1$ bars.",
            needs=("exponents",),
        ),
        Block(
            "back",
            r"From any row of $r$ stars and $d - 1$ bars the exponents can be read "
            r"off: $m_i$ is the number of stars between bar $i - 1$ and bar $i$.",
            needs=("row",),
        ),
        Block(
            "choose",
            r"A row has $d + r - 1$ places and is fixed by the $r$ places of its "
            r"stars. So there are $\binom{d+r-1}{r}$ rows.",
            needs=("row",),
        ),
        Block(
            "exactly",
            r"Monomials of degree $r$ and rows correspond one to one, so there are as "
            r"many monomials as rows: the first claim.",
            needs=("back", "choose"),
        ),
        Block(
            "slack",
            r"A monomial of degree at most $r$ misses $m_0 = r - (m_1 + \dots + m_d)$ "
            r"$\ge 0$ factors. Fill them with a further variable $x_0$.",
        ),
        Block(
            "degree",
            r"This makes it a monomial of degree exactly $r$ in $d + 1$ variables, and "
            r"setting $x_0 = 1$ undoes it.",
            needs=("slack",),
        ),
        Block(
            "end",
            r"The first claim with $d + 1$ in the place of $d$ gives $\binom{d+r}{r}$: "
            r"the second claim.",
            needs=("exactly", "degree"),
        ),
        Block(
            "ordered",
            r"Each of the $r$ factors is one of $d$ variables, so there are $d^r$ "
            r"monomials of degree $r$.",
            why="this counts x₁x₂ and x₂x₁ as two monomials",
        ),
        Block(
            "divide",
            r"Each monomial has been counted $r!$ times, once for each order of its "
            r"factors. Divide by $r!$.",
            why="not every monomial has r! orders: x₁ʳ has only one",
        ),
        Block(
            "subsets",
            r"To choose $r$ factors out of $d$ variables there are $\binom{d}{r}$ "
            r"ways.",
            why="a factor may be chosen more than once: x₁² would be left out",
        ),
        Block(
            "bars",
            r"With a bar after each variable the row has $d$ bars, hence $d + r$ "
            r"places, and there are $\binom{d+r}{r}$ rows.",
            why="the bar after the last variable always stands at the end, so the "
            "bars cannot be placed freely: most of these rows belong to no monomial "
            "of degree r",
        ),
    ),
    hints=(
        "What determines a monomial, the order of its factors or how often each "
        "variable occurs?",
        "To show that two sets have equally many elements, one needs a map there and "
        "a map back.",
        "The second claim follows from the first with one variable more.",
    ),
    references=(
        Reference(
            "exponents, row, back, choose, exactly, slack, degree, end",
            "first one claim, then the other",
        ),
        Reference(
            "slack, degree, exponents, row, choose, back, exactly, end",
            "the reduction first",
        ),
    ),
    mistakes=(
        Mistake(
            "exponents, ordered, divide, exactly, slack, degree, end",
            why="counts with order, and divides",
            says="x₁x₂ and x₂x₁",
            at_most=0.5,
        ),
        Mistake(
            "exponents, row, back, bars, choose, exactly, slack, degree, end",
            why="one bar too many",
            says="after the last variable",
        ),
        Mistake(
            "exponents, row, back, exactly, choose, slack, degree, end",
            why="uses the number of rows before it is known",
            says="comes too early",
        ),
        Mistake(
            "exponents, row, choose, exactly, slack, degree, end",
            why="the way back is missing: different monomials might share a row",
            says="rests on something",
        ),
    ),
)

GAUSSIAN = Derivation(
    id="gaussian-in-factors",
    title="The Gaussian as an exponential with weights",
    problem="gaussian-factors",
    points=4,
    proofs=("P-26", "P-28"),
    statement=r"""
The features of the Gaussian kernel come from the series of the exponential function,
after one step of algebra. Take it: write $k = \exp(-\|x - z\|^2/(2s^2))$ as a product
of a function of $x$, the factor $\exp(x^\top z/s^2)$, and a function of $z$.

Symbols: `x`, `z`, `s` (positive), `k = exp(-norm2(x - z)/(2*s**2))`; `norm2` is the
squared norm.
""",
    hints=(
        "Expand $\\|x - z\\|^2 = (x - z)^\\top (x - z)$.",
        "$\\exp(u + v) = \\exp(u)\\exp(v)$. Watch the sign of the middle term.",
    ),
    references=(
        Reference(
            "k = exp(-(x.T@x - 2*x.T@z + z.T@z)/(2*s**2))              | expand\n"
            "k = exp(-x.T@x/(2*s**2) + x.T@z/s**2 - z.T@z/(2*s**2))    | distribute\n"
            "k = exp(-x.T@x/(2*s**2))*exp(x.T@z/s**2)*exp(-z.T@z/(2*s**2))"
            " | exponent law",
            "in three steps",
        ),
        Reference(
            "norm2(x - z) = norm2(x) - 2*x.T@z + norm2(z) | expand\n"
            "k = exp(-norm2(x)/(2*s**2) + x.T@z/s**2 - norm2(z)/(2*s**2)) | use 1\n"
            "k = exp(-norm2(x)/(2*s**2))*exp(-norm2(z)/(2*s**2))*exp(x.T@z/s**2)"
            " | exponent law",
            "the norm first",
        ),
        Reference(
            r"k = \exp\left(-\frac{\|x\|^2 - 2x^\top z + \|z\|^2}{2s^2}\right) | expand"
            + "\n"
            + r"k = \exp(-\|x\|^2/(2s^2)) \exp(x^\top z/s^2) \exp(-\|z\|^2/(2s^2))"
            r" | law of exponents",
            "LaTeX",
        ),
    ),
    mistakes=(
        Mistake(
            "k = exp(-(x.T@x - 2*x.T@z + z.T@z)/(2*s**2)) | expand\n"
            "k = exp(-x.T@x/(2*s**2))*exp(-x.T@z/s**2)*exp(-z.T@z/(2*s**2))"
            " | exponent law",
            why="the sign of the mixed term",
            first_bad=2,
            at_most=0.5,
        ),
        Mistake(
            "k = exp(-(x.T@x - x.T@z + z.T@z)/(2*s**2)) | expand",
            why="the 2 is lost",
            first_bad=1,
            at_most=0.5,
        ),
        Mistake(
            "k = exp(-(norm2(x) - norm2(z))/(2*s**2)) | expand",
            why="the norm of a difference is not the difference of the norms",
            first_bad=1,
            at_most=0.5,
        ),
        Mistake(
            "k = exp(-(x.T@x - 2*x.T@z + z.T@z)/(2*s**2)) | expand\n"
            "k = exp(-x.T@x/(2*s**2)) + exp(x.T@z/s**2) + exp(-z.T@z/(2*s**2))"
            " | exponent law",
            why="the exponential of a sum is taken for a sum",
            first_bad=2,
            at_most=0.5,
        ),
    ),
)

COST = r"""
## What the trick costs

Skipping the features saves work, but compared with what? The counts below are those of
the chapter's table: multiplications, leading terms only. With $n$ points in
$\mathbb{R}^d$, the kernel $(x^\top x' + c)^r$ and its $p$ features,

| way | features | matrix | solving | one prediction |
|---|---|---|---|---|
| primal | $2np$ | $\tfrac12 n p^2$ | $\tfrac16 p^3$ | $3p$ |
| version alpha | $2np$ | $\tfrac12 n^2 p$ | $\tfrac16 n^3$ | $2p + np + n$ |
| kernel | – | $\tfrac12 n^2 (d + r - 1)$ | $\tfrac16 n^3$ | $n(d + r)$ |
"""

COUNTS = Values(
    id="three-ways-to-pay",
    title="Three ways to pay",
    points=6,
    proofs=("P-12",),
    statement=r"""
First one value of $(x^\top x')^2$ in the plane. How many multiplications does it take

- `through`, through the features $\varphi(x) = (x_1^2, \sqrt2\, x_1 x_2, x_2^2)$ of
  both points and their inner product, with $\sqrt2$ at hand;
- `direct`, by the formula?

Then a fit of $n = 600$ points in $\mathbb{R}^{10}$ with the kernel
$(x^\top x' + 1)^2$. By the table above, how many multiplications are needed in all,
without predictions, for the `primal`, for version `alpha`, and for the `kernel`?
Finally,

- `degree`, the smallest degree $r$ at which the kernel way is cheaper than the primal,
  for the same points.
""",
    values=(
        Value(
            "through",
            "11",
            traps={
                "10": "ten is the count of the expanded sum, not of the features "
                "and their inner product",
                "9": "√2 x₁x₂ takes two multiplications",
            },
        ),
        Value("direct", "3", traps={"2": "the square is a multiplication too"}),
        Value(
            "primal",
            "1433916",
            traps={
                "1354716": "the features are missing",
                "47959200": "this is version alpha",
            },
        ),
        Value("alpha", "47959200", traps={"47880000": "the features are missing"}),
        Value(
            "kernel",
            "37980000",
            traps={"38160000": "the r-th power takes r - 1 multiplications, not r"},
        ),
        Value(
            "degree",
            "4",
            traps={
                "3": "with 286 features the primal takes about 29 million "
                "multiplications; and the kernel?",
                "2": "compare your own two numbers",
            },
        ),
    ),
    hints=(
        "How many monomials up to degree 2 are there in 10 variables?",
        "$p = \\binom{12}{2} = 66$. The table does the rest.",
        "For `degree`, the kernel's cost hardly changes with $r$: about 38 million. "
        "Compute the primal's for $r = 3$ and $r = 4$.",
    ),
    references=(
        Reference(
            "through = 11\ndirect = 3\nprimal = 1433916\nalpha = 47959200\n"
            "kernel = 37980000\ndegree = 4",
            "numbers",
        ),
        Reference(
            "through = 4 + 4 + 3\ndirect = 2 + 1\n"
            "primal = 2*600*66 + 600*66**2/2 + 66**3/6\n"
            "alpha = 2*600*66 + 600**2*66/2 + 600**3/6\n"
            "kernel = 600**2*(10 + 2 - 1)/2 + 600**3/6\ndegree = 4",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "through = 10\ndirect = 3\nprimal = 1433916\nalpha = 47959200\n"
            "kernel = 37980000\ndegree = 4",
            why="S0's count",
            says="expanded sum",
        ),
        Mistake(
            "through = 11\ndirect = 3\nprimal = 1354716\nalpha = 47880000\n"
            "kernel = 37980000\ndegree = 4",
            why="the features are for free",
            says="the features are missing",
            at_most=0.7,
        ),
        Mistake(
            "through = 11\ndirect = 3\nprimal = 1433916\nalpha = 47959200\n"
            "kernel = 38160000\ndegree = 2",
            why="the kernel taken to be cheaper always",
            says="compare your own",
            at_most=0.7,
        ),
        Mistake(
            "through = 11\ndirect = 3\nprimal = 1075225\nalpha = 46200000\n"
            "kernel = 37980000\ndegree = 3",
            why="55 features, those of degree 2 alone",
            says="this is not the value",
            at_most=0.5,
        ),
    ),
)

CROSSOVER = Derivation(
    id="break-even-point",
    title="Where primal and dual cost the same",
    problem=BREAK_EVEN,
    points=4,
    proofs=("P-12",),
    statement=r"""
Both the primal and version alpha start from the features. After that the primal takes
$P = \frac12 np^2 + \frac16 p^3$ multiplications and version alpha
$A = \frac12 n^2p + \frac16 n^3$. Show that they break even at $p = n$ *and nowhere
else*: write $D = P - A$ in $n$ and $p$, then as $p - n$ times something that is
positive.

Symbols: `n`, `p` (positive numbers), `P`, `A`, `D = P - A`.
""",
    hints=(
        "Two of the four terms have the factor $np$. The others are a difference of "
        "cubes.",
        "$p^3 - n^3 = (p - n)(p^2 + pn + n^2)$.",
    ),
    references=(
        Reference(
            "D = n*p**2/2 + p**3/6 - n**2*p/2 - n**3/6            | def P; def A\n"
            "D = n*p*(p - n)/2 + (p**3 - n**3)/6                  | collect\n"
            "D = (p - n)*(n*p/2 + (p**2 + p*n + n**2)/6)          | factor\n"
            "D = (p - n)*(p**2 + 4*n*p + n**2)/6                  | collect",
            "step by step",
        ),
        Reference(
            "D = n*p**2/2 + p**3/6 - (n**2*p/2 + n**3/6) | def P; def A\n"
            "D = (p - n)*(p**2 + 4*n*p + n**2)/6 | factor",
            "at once",
        ),
        Reference(
            "P = n*p**2/2 + p**3/6 | given\n"
            "A = n**2*p/2 + n**3/6 | given\n"
            "6*D = 3*n*p**2 + p**3 - 3*n**2*p - n**3 | use 1; use 2\n"
            "D = (3*n*p**2 + p**3 - 3*n**2*p - n**3)/6 | divide by 6\n"
            "D = -(n - p)*(p**2 + 4*n*p + n**2)/6 | factor",
            "with the other sign",
        ),
    ),
    mistakes=(
        Mistake(
            "D = n*p**2/2 + p**3/6 - n**2*p/2 - n**3/6 | def P; def A\n"
            "D = n*p*(p - n)/2 + (p - n)**3/6 | factor",
            why="a difference of cubes is not the cube of the difference",
            first_bad=2,
        ),
        Mistake(
            "D = n*p**2/2 + p**3/6 - n**2*p/2 + n**3/6 | def P; def A\n"
            "D = (p - n)*(p**2 + 4*n*p + n**2)/6 | factor",
            why="the minus holds for both terms of A",
            first_bad=1,
        ),
        Mistake(
            "D = n*p**2/2 + p**3/6 - n**2*p/2 - n**3/6 | def P; def A\n"
            "D = (p - n)*(p**2 + n*p + n**2)/6 | factor",
            why="the term with np is forgotten",
            first_bad=2,
        ),
        Mistake(
            "D = n*p**2/2 + p**3/6 - n**2*p/2 - n**3/6 | def P; def A\n"
            "D = n*p*(p - n)/2 + (p**3 - n**3)/6 | collect",
            why="no common factor yet",
            says="p - n",
        ),
    ),
)

PCA = r"""
## Kernelise an algorithm

Principal components need centred data. In feature space that seems to need the mean of
the features, which nobody can compute if they are infinitely many. It does not: the
Gram matrix of the centred features is made from $K$ alone. Here $N$ is the number of
points, $M$ that of the features, and $\mathbf{1}$, written `ones(N)`, the column of $N$
ones.
"""

CENTRED = Derivation(
    id="centred-gram",
    title="Centring without features",
    problem=CENTRED_GRAM,
    points=5,
    proofs=("P-64",),
    statement=r"""
Let $H = I - \frac1N \mathbf{1}\mathbf{1}^\top$. The rows of $C = H\Phi$ are the
features less their mean. Show

1. $H^2 = H$: centring twice is centring once;
2. that the Gram matrix $G = CC^\top$ of the centred features is $HKH$.

Symbols: `Phi`, `K = Phi@Phi.T`, `H = I - ones(N)@ones(N).T/N` (symmetric, which you may
use freely), `C = H@Phi`, `G = C@C.T`.
""",
    hints=(
        "For the first part put in what $H$ stands for and multiply out. What is "
        "$\\mathbf{1}^\\top\\mathbf{1}$?",
        "$(H\\Phi)^\\top = \\Phi^\\top H^\\top$. Which product stands in the middle?",
    ),
    references=(
        Reference(
            "H@H = (I - ones(N)@ones(N).T/N)@(I - ones(N)@ones(N).T/N)   | def H\n"
            "H@H = I - 2*ones(N)@ones(N).T/N"
            " + ones(N)@(ones(N).T@ones(N))@ones(N).T/N**2   | expand\n"
            "H@H = I - ones(N)@ones(N).T/N                  | ones(N).T@ones(N) = N\n"
            "H@H = H                                        | def H\n"
            "G = H@Phi@(H@Phi).T                            | def C\n"
            "G = H@Phi@Phi.T@H.T                            | transpose\n"
            "G = H@K@H                                      | def K; symmetry of H",
            "step by step",
        ),
        Reference(
            "G = H@Phi@Phi.T@H | def C\nG = H@K@H | def K\nH@H = H | def H",
            "short, the Gram matrix first",
        ),
        Reference(
            "G = (Phi - ones(N)@ones(N).T@Phi/N)@(Phi - ones(N)@ones(N).T@Phi/N).T"
            " | def C; def H\n"
            "G = K - ones(N)@ones(N).T@K/N - K@ones(N)@ones(N).T/N"
            " + ones(N)@ones(N).T@K@ones(N)@ones(N).T/N**2 | expand; def K\n"
            "G = H@K@H | def H\n"
            "H@H = I - ones(N)@ones(N).T/N | def H\n"
            "H@H = H | def H",
            "written out",
        ),
        Reference(
            r"G = H\Phi\Phi^\top H^\top | def C"
            + "\n"
            + r"G = H K H | def K; symmetry of H"
            + "\n"
            + r"H H = H | def H",
            "LaTeX",
        ),
    ),
    mistakes=(
        Mistake(
            "G = H@Phi@Phi.T@H | def C\nG = H@H@K | commute; def K\n"
            "H@H = H | def H\nG = H@K | use 2; use 3",
            why="matrices are made to commute",
            first_bad=2,
            at_most=0.5,
        ),
        Mistake(
            "G = H@Phi@H@Phi | def C\nG = H@K@H | def K\nH@H = H | def H",
            why="the transpose is forgotten, and the shapes do not fit",
            first_bad=1,
            at_most=0.8,
        ),
        Mistake(
            "H@H = I - 2*ones(N)@ones(N).T/N + ones(N)@ones(N).T/N**2 | def H\n"
            "G = H@Phi@Phi.T@H | def C\nG = H@K@H | def K",
            why="the inner product of the ones is N, not 1",
            first_bad=1,
            at_most=0.6,
        ),
        Mistake(
            "G = H@K@H | def C; def K",
            why="only one of the two parts",
            says="H@H = H",
            at_most=0.6,
        ),
        Mistake(
            "H@H = H | algebra\nG = H@K@H | def C; def K",
            why="that H is a projection is asserted, with H closed",
            first_bad=1,
            at_most=0.6,
        ),
    ),
)

DIRECTIONS = Derivation(
    id="principal-directions",
    title="From one eigenvector to the other",
    problem=PCA_DIRECTIONS,
    points=5,
    proofs=("P-64",),
    statement=r"""
Principal directions are eigenvectors of $S = C^\top C$ ($M \times M$, and $N$ times the
covariance matrix), but we can only compute with $G = CC^\top$ ($N \times N$). Let $v$
be any vector of $\mathbb{R}^N$ and $w = C^\top v$. Show that

$$
u = Sw = C^\top G\, v \qquad\text{and}\qquad r = w^\top w = v^\top G\, v .
$$

So if $v$ is a unit eigenvector of $G$, $Gv = \mu v$ with $\mu > 0$, then $Sw = \mu w$
and $\|w\|^2 = \mu$: the vector $w/\sqrt\mu = C^\top v/\sqrt\mu$ is the principal
direction.

Symbols: `C`, `G = C@C.T`, `S = C.T@C`, `v`, `w = C.T@v`, `u = S@w`, `r = w.T@w`.
""",
    hints=(
        "Put in what $S$ and $w$ stand for. Three factors $C$ stand in a row.",
        "A product of three matrices can be bracketed in two ways.",
    ),
    references=(
        Reference(
            "u = C.T@C@C.T@v          | def S; def w\n"
            "u = C.T@G@v              | def G\n"
            "r = (C.T@v).T@(C.T@v)    | def w\n"
            "r = v.T@C@C.T@v          | transpose\n"
            "r = v.T@G@v              | def G",
            "step by step",
        ),
        Reference(
            "u = C.T@G@v | def S; def w; def G\nr = v.T@G@v | def w; def G",
            "two lines",
        ),
        Reference(
            "r = norm2(C.T@v) | def w\nr = v.T@G@v | def G\n"
            "S@w = C.T@C@w | def S\nS@w = C.T@(C@C.T)@v | def w\n"
            "u = C.T@G@v | use 4; def G",
            "the norm first",
        ),
        Reference(
            r"u = C^\top C w | def S" + "\n"
            r"u = C^\top C C^\top v | def w" + "\n"
            r"u = C^\top G v | def G" + "\n"
            r"r = v^\top C C^\top v | def w" + "\n"
            r"r = v^\top G v | def G",
            "LaTeX",
        ),
    ),
    mistakes=(
        Mistake(
            "u = C.T@C@C.T@v | def S; def w\nu = G@C.T@v | def G\n"
            "r = v.T@G@v | def w; def G",
            why="G is put where CᵀC stands: the shapes do not fit",
            first_bad=2,
            at_most=0.6,
        ),
        Mistake(
            "u = C.T@C@C.T@v | def S; def w\nu = C.T@G@v | def G\nr = v.T@v | def w",
            why="w is taken to have the length of v",
            first_bad=3,
            at_most=0.6,
        ),
        Mistake(
            "u = S@C.T@v | def w\nu = C.T@S@v | commute\nr = v.T@G@v | def w; def G",
            why="S and Cᵀ do not commute",
            first_bad=2,
            at_most=0.6,
        ),
        Mistake(
            "u = C.T@G@v | def S; def w",
            why="G is used without being opened, and the norm is missing",
            first_bad=1,
            at_most=0.5,
        ),
    ),
)


def centre(K: np.ndarray, L: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The reference of `centre-gram`, with the matrix H."""
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H, (L - K.mean(axis=0)) @ H


def gram_matrices(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
    """K and L of small integer features, with one new point more than half."""
    X = rng.integers(-2, 4, size=(size, 2)).astype(float)
    Z = rng.integers(-2, 4, size=(size // 2 + 1, 2)).astype(float)
    return X @ X.T, Z @ X.T


def training_again(
    rng: np.random.Generator, size: int
) -> tuple[np.ndarray, np.ndarray]:
    """The training points as new points."""
    K, _ = gram_matrices(rng, size)
    return K, K.copy()


def one_new_point(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
    """A single new point: its own mean says nothing."""
    K, L = gram_matrices(rng, size)
    return K, L[:1]


CODE = CodeQuestion(
    id="centre-gram",
    title="Centre a Gram matrix, and new points with it",
    points=6,
    proofs=("P-64",),
    statement=r"""
Write `centre(K, L)`. It is given the Gram matrix $K_{ij} = k(x_i, x_j)$ of $n$ training
points and the $m \times n$ matrix $L_{ij} = k(z_i, x_j)$ of new points against training
points. It returns two matrices:

- the inner products $\langle \varphi(x_i) - \bar\varphi,\ \varphi(x_j) -
  \bar\varphi\rangle$ of the centred training points;
- the inner products $\langle \varphi(z_i) - \bar\varphi,\ \varphi(x_j) -
  \bar\varphi\rangle$ of the new points with them,

with the mean $\bar\varphi = \frac1n \sum_i \varphi(x_i)$ of the *training* points in
both.
""",
    function="centre",
    signature="def centre(K, L):",
    reference=centre,
    inputs=gram_matrices,
    edge_cases=(
        Cases("the training points again", training_again, count=2),
        Cases("one new point", one_new_point, count=2),
    ),
    hints=(
        "Expand $\\langle \\varphi(z) - \\bar\\varphi,\\ \\varphi(x_j) - "
        "\\bar\\varphi\\rangle$: four terms. Which of them are means of rows or "
        "columns of $K$ or $L$?",
        "$\\langle \\bar\\varphi, \\varphi(x_j)\\rangle$ is the mean of column $j$ of "
        "$K$, $\\langle \\varphi(z_i), \\bar\\varphi\\rangle$ the mean of row $i$ of "
        "$L$, and $\\langle \\bar\\varphi, \\bar\\varphi\\rangle$ the mean of $K$.",
        "A test: if the new points are the training points, both results agree.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def centre(K, L):\n"
            "    columns = K.mean(axis=0)\n"
            "    mean = K.mean()\n"
            "    G = K - columns - columns[:, None] + mean\n"
            "    F = L - columns - L.mean(axis=1, keepdims=True) + mean\n"
            "    return G, F\n",
            "means",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def centre(K, L):\n"
            "    n = len(K)\n"
            "    H = np.eye(n) - np.ones((n, n)) / n\n"
            "    J = np.ones((len(L), n)) / n\n"
            "    return H @ K @ H, (L - J @ K) @ H\n",
            "the matrix H",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def centre(K, L):\n"
            "    n, m = len(K), len(L)\n"
            "    G, F = np.zeros((n, n)), np.zeros((m, n))\n"
            "    for j in range(n):\n"
            "        for i in range(n):\n"
            "            G[i, j] = K[i, j] - K[i].mean() - K[j].mean() + K.mean()\n"
            "        for i in range(m):\n"
            "            F[i, j] = L[i, j] - L[i].mean() - K[j].mean() + K.mean()\n"
            "    return G, F\n",
            "loops",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n"
            "def centre(K, L):\n"
            "    return K - K.mean(axis=0), L - L.mean(axis=0)\n",
            why="centres one side only",
            says="0 of 8",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def centre(K, L):\n"
            "    return K - K.mean(), L - K.mean()\n",
            why="subtracts one number",
            says="for `K =",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def centre(K, L):\n"
            "    def both(A):\n"
            "        return (A - A.mean(axis=0) - A.mean(axis=1, keepdims=True)\n"
            "                + A.mean())\n"
            "    return both(K), both(L)\n",
            why="centres the new points with their own mean",
            says="the training points again: 2 of 2",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def centre(K, L):\n"
            "    n = len(K)\n"
            "    H = np.eye(n) - np.ones((n, n)) / n\n"
            "    return H @ K @ H, L @ H\n",
            why="the new points are not centred themselves",
            says="cases right",
            at_most=0.5,
        ),
    ),
)

SHEET = Sheet(
    name="02_kernel_trick",
    title="Exercises: the kernel trick",
    introduction=INTRODUCTION,
    items=(
        FEATURES,
        QUADRATIC,
        WEIGHTS,
        STARS,
        GAUSSIAN,
        COST,
        COUNTS,
        CROSSOVER,
        PCA,
        CENTRED,
        DIRECTIONS,
        CODE,
    ),
)
