"""Exercises on Gaussian processes: Gaussian vectors, prediction, likelihood."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernellab.grading.problem import Milestone, Route
from kernellab.grading.problems.gaussian import LML_GRADIENT
from kernellab.grading.problems.processes import (
    BLOCK_ELIMINATION,
    LINEAR_GAUSSIAN,
    PROCESS_RIDGE,
    WEIGHT_SPACE,
)
from kernellab.grading.questions.base import Mistake, Reference, Sheet
from kernellab.grading.questions.code_questions import Cases, CodeQuestion
from kernellab.grading.questions.derivations import Derivation
from kernellab.grading.questions.exact import Real
from kernellab.grading.questions.feedback import Finding
from kernellab.grading.questions.puzzles import Block, Puzzle
from kernellab.grading.questions.values import Value, Values

INTRODUCTION = r"""
These are the exercises of [chapter 7](../chapters/07_gaussian_processes.ipynb). A
Gaussian process is a kernel read as a covariance, and everything that is done with it
is done with Gaussian vectors: add them, map them, condition them. There are four kinds
of question.

- **Values**, one a line: `mean = 3/4`, `density = no`. Fractions and roots are exact.
- **A derivation**, one step a line, each with its reason after a bar. Covariances are
  written `cov(y, z)`: if $y$ and $z$ are columns, it is the matrix of the covariances
  of their entries, so that `cov(A@x, z) = A@cov(x,z)` and
  `cov(x, A@z) = cov(x,z)@A.T`. That `cov` is linear in both places is free algebra;
  the reason that opens the given covariances is `def cov`.
- **A puzzle**: blocks of a proof, of which some do not belong. List the letters of the
  others in an order in which each rests on what stands before it.
- **A function** in Python, which is run on inputs that you have not seen.
"""

VECTORS = r"""
## Gaussian vectors

S3 (l. 825–838) recalls four properties of the Gaussian distribution, without proofs,
and the first of them without the word that makes it true.
"""

SUMS = Values(
    id="sums-of-gaussians",
    title="When a sum of Gaussians is Gaussian",
    points=6,
    proofs=("P-56",),
    statement=r"""
S3 (l. 826–827) says that the sum of two Gaussian variables is Gaussian with the sum of
the variances. Three pairs:

1. $x \sim \mathcal{N}(0, 1)$ and $y = -x$, which has the same distribution. Give
   `var_opposite`, the variance of $x + y$.
2. $(x, y)$ jointly Gaussian with variances 4 and 9 and correlation $\frac12$. Give
   `cov`, their covariance; `var_sum` and `var_difference`, the variances of $x + y$ and
   $x - y$.
3. $x \sim \mathcal{N}(0, 1)$ and $y = s\,x$, where $s$ is $+1$ or $-1$ with probability
   $\frac12$ each, independently of $x$. By symmetry $y \sim \mathcal{N}(0, 1)$, too.
   Give

   - `cov_sign`, the covariance of $x$ and $y$;
   - `zero`, the probability that $x + y = 0$;
   - `fourth`, the expectation of $(x + y)^4$, and `fourth_gaussian`, what it would be
     if $x + y$ were Gaussian with its variance ($\mathbb{E}\,g^4 = 3v^2$ for
     $g \sim \mathcal{N}(0, v)$);
   - `cov_squares`, the covariance of $x^2$ and $y^2$;
   - `gaussian`, whether $x + y$ is Gaussian, and `independent`, whether $x$ and $y$ are
     independent (yes or no).
""",
    values=(
        Value("var_opposite", "0", traps={"2": "x + y is 0, always"}),
        Value(
            "cov",
            "3",
            traps={
                "18": "the correlation is multiplied by standard deviations, 2 and 3",
                "1/2": "this is the correlation",
            },
        ),
        Value(
            "var_sum",
            "19",
            traps={
                "13": "this is right for independent variables only",
                "16": "the covariance counts twice",
            },
        ),
        Value(
            "var_difference",
            "7",
            traps={
                "13": "this is right for independent variables only",
                "-5": "a variance is not negative: var(-y) = var(y)",
                "10": "the covariance counts twice",
            },
        ),
        Value("cov_sign", "0", traps={"1": "average over the sign"}),
        Value("zero", "1/2", traps={"0": "x + y = 0 whenever s = -1"}),
        Value(
            "fourth",
            "24",
            weight=1.5,
            traps={
                "12": "this is for a Gaussian with variance 2",
                "48": "s = 1 has probability 1/2 only",
                "3": "this is E x⁴; and (x + y)⁴ is 16 x⁴ or 0",
            },
        ),
        Value(
            "fourth_gaussian",
            "12",
            traps={"3": "the variance of x + y is 2", "6": "the variance is squared"},
        ),
        Value(
            "cov_squares",
            "2",
            traps={"3": "subtract E x² · E y²", "0": "y² = x²"},
        ),
        Value("gaussian", "no", choices=("yes", "no"), weight=0.5),
        Value(
            "independent",
            "no",
            choices=("yes", "no"),
            traps={"yes": "x and y have the same absolute value"},
        ),
    ),
    hints=(
        "$\\mathrm{var}(x + y) = \\mathrm{var}(x) + 2\\,\\mathrm{cov}(x, y) + "
        "\\mathrm{var}(y)$.",
        "In the third pair $x + y$ is $2x$ or $0$, with probability $\\frac12$ each.",
        "$\\mathbb{E}\\,x^4 = 3$ for $x \\sim \\mathcal{N}(0, 1)$.",
    ),
    references=(
        Reference(
            "var_opposite = 0\ncov = 3\nvar_sum = 19\nvar_difference = 7\n"
            "cov_sign = 0\nzero = 1/2\nfourth = 24\nfourth_gaussian = 12\n"
            "cov_squares = 2\ngaussian = no\nindependent = no",
            "numbers",
        ),
        Reference(
            "var_opposite = 1 - 2 + 1; cov = 2*3/2; var_sum = 4 + 9 + 2*3\n"
            "var_difference = 4 + 9 - 2*3; cov_sign = 1/2 - 1/2; zero = 0.5\n"
            "fourth = 16*3/2; fourth_gaussian = 3*2**2; cov_squares = 3 - 1\n"
            "gaussian = no; independent = no",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "var_opposite = 2\ncov = 3\nvar_sum = 13\nvar_difference = 13\n"
            "cov_sign = 0\nzero = 0\nfourth = 12\nfourth_gaussian = 12\n"
            "cov_squares = 0\ngaussian = yes\nindependent = yes",
            why="property (a) as it is printed, without independence",
            says="right for independent variables only",
            at_most=0.4,
        ),
        Mistake(
            "var_opposite = 0\ncov = 18\nvar_sum = 49\nvar_difference = -23\n"
            "cov_sign = 0\nzero = 1/2\nfourth = 24\nfourth_gaussian = 12\n"
            "cov_squares = 2\ngaussian = no\nindependent = no",
            why="the correlation times the variances",
            says="standard deviations",
            at_most=0.8,
        ),
        Mistake(
            "var_opposite = 0\ncov = 3\nvar_sum = 16\nvar_difference = 10\n"
            "cov_sign = 0\nzero = 1/2\nfourth = 48\nfourth_gaussian = 3\n"
            "cov_squares = 3\ngaussian = no\nindependent = no",
            why="the covariance once, no averaging over the sign",
            says="counts twice",
            at_most=0.6,
        ),
        Mistake(
            "var_opposite = 0\ncov = 3\nvar_sum = 19\nvar_difference = 7\n"
            "cov_sign = 0\nzero = 1/2\nfourth = 24\nfourth_gaussian = 12\n"
            "cov_squares = 2\ngaussian = no\nindependent = yes",
            why="uncorrelated taken for independent",
            says="the same absolute value",
            at_most=0.95,
        ),
    ),
)

TRANSFORM = Puzzle(
    id="sum-and-marginal",
    title="Sums, marginals and independence",
    points=7,
    proofs=("P-56", "P-57"),
    statement=r"""
A vector $x$ is Gaussian, $x \sim \mathcal{N}(\mu, \Sigma)$ with $\Sigma$ positive
semi-definite, if $\mathbb{E}\, e^{i s^\top x} = \exp(i s^\top\mu - \frac12
s^\top\Sigma s)$ for all $s$. (This is the *characteristic function*. If $\Sigma$ is
singular there is no density, but there is this.) Put together a proof of three
properties:

1. the sum of *independent* $x \sim \mathcal{N}(\mu_x, \Sigma_x)$ and
   $y \sim \mathcal{N}(\mu_y, \Sigma_y)$ is $\mathcal{N}(\mu_x + \mu_y, \Sigma_x +
   \Sigma_y)$;
2. the part $x_a$ of a Gaussian vector $(x_a, x_b)$ is $\mathcal{N}(\mu_a,
   \Sigma_{aa})$;
3. if $(x_a, x_b)$ is Gaussian and $\Sigma_{ab} = 0$, then $x_a$ and $x_b$ are
   independent.

Four of the blocks do not belong.
""",
    blocks=(
        Block(
            "unique",
            r"Two random vectors with the same characteristic function have the same "
            r"distribution (a theorem that we use).",
        ),
        Block(
            "product",
            r"$x$ and $y$ are independent, so $\mathbb{E}\, e^{i s^\top(x + y)} = "
            r"\mathbb{E}\, e^{i s^\top x} \cdot \mathbb{E}\, e^{i s^\top y}$.",
        ),
        Block(
            "exponents",
            r"The exponents add up: the product is $\exp\bigl(i s^\top(\mu_x + \mu_y) "
            r"- \frac12 s^\top(\Sigma_x + \Sigma_y) s\bigr)$. So $x + y$ is Gaussian "
            r"as claimed: property 1.",
            needs=("product",),
        ),
        Block(
            "joint",
            r"For $(x_a, x_b)$ take $(s, t)$ as the argument: $\mathbb{E}\, "
            r"e^{i s^\top x_a + i t^\top x_b} = \exp\bigl(i s^\top\mu_a + i "
            r"t^\top\mu_b - \frac12 s^\top\Sigma_{aa}s - s^\top\Sigma_{ab}t - \frac12 "
            r"t^\top\Sigma_{bb}t\bigr)$.",
        ),
        Block(
            "marginal",
            r"With $t = 0$ this is $\exp(i s^\top\mu_a - \frac12 "
            r"s^\top\Sigma_{aa}s)$: property 2, and in the same way for $x_b$.",
            needs=("joint",),
        ),
        Block(
            "splits",
            r"If $\Sigma_{ab} = 0$, it is the product of a function of $s$ and a "
            r"function of $t$, which are the characteristic functions of $x_a$ and "
            r"$x_b$.",
            needs=("joint", "marginal"),
        ),
        Block(
            "twins",
            r"Let $x_b'$ be distributed like $x_b$ and independent of $x_a$. Then "
            r"$(x_a, x_b')$ has that product as its characteristic function, too.",
            needs=("splits",),
        ),
        Block(
            "independent",
            r"So $(x_a, x_b)$ and $(x_a, x_b')$ have the same distribution, and "
            r"$x_a$, $x_b$ are independent: property 3.",
            needs=("twins", "unique"),
        ),
        Block(
            "density",
            r"The density of $x + y$ is the sum of the densities of $x$ and $y$.",
            why="the density of a sum of independent variables is a convolution; a sum "
            "of two densities has the integral 2",
        ),
        Block(
            "uncorrelated",
            r"$x$ and $y$ are uncorrelated, so $\mathbb{E}\, e^{i s^\top(x + y)} = "
            r"\mathbb{E}\, e^{i s^\top x} \cdot \mathbb{E}\, e^{i s^\top y}$.",
            why="uncorrelated is not enough: with y = sx and a random sign s the sum "
            "is not Gaussian",
        ),
        Block(
            "inverse",
            r"Write down the density with $\Sigma^{-1}$. If $\Sigma_{ab} = 0$, the "
            r"exponent has no mixed terms.",
            why="Σ may be singular: then there is neither an inverse nor a density",
        ),
        Block(
            "both",
            r"$x_a$ and $x_b$ are Gaussian, so $(x_a, x_b)$ is Gaussian.",
            why="the converse of property 2 is false: x and sx with a random sign s",
        ),
    ),
    hints=(
        "Properties 1 and 2 need one line of computation each.",
        "The characteristic function of the pair, with its mixed term "
        "$s^\\top\\Sigma_{ab}t$, serves properties 2 and 3.",
        "Independence of two vectors means that the pair has the same distribution as "
        "a pair of independent ones.",
    ),
    references=(
        Reference(
            "product, exponents, joint, marginal, splits, twins, unique, independent",
            "in the order of the properties",
        ),
        Reference(
            "unique, joint, marginal, splits, twins, independent, product, exponents",
            "the sum last",
        ),
    ),
    mistakes=(
        Mistake(
            "uncorrelated, exponents, joint, marginal, splits, twins, unique, "
            "independent",
            why="uncorrelated for independent",
            says="uncorrelated is not enough",
            at_most=0.8,
        ),
        Mistake(
            "product, exponents, joint, marginal, inverse, unique, independent",
            why="a density that may not exist",
            says="may be singular",
            at_most=0.7,
        ),
        Mistake(
            "product, exponents, joint, splits, marginal, twins, unique, independent",
            why="the factors are named before the marginals are known",
            says="comes too early",
        ),
        Mistake(
            "density, both",
            why="two errors",
            says="a convolution",
            at_most=0.0,
        ),
        Mistake(
            "product, exponents, joint, marginal, splits, twins, independent",
            why="that characteristic functions determine distributions is not said",
            says="rests on something",
        ),
    ),
)

IMAGE = Derivation(
    id="noisy-images",
    title="Noisy linear images",
    problem=LINEAR_GAUSSIAN,
    points=7,
    proofs=("P-10", "P-58"),
    statement=r"""
Let $x$ be Gaussian with covariance $S$. We observe $N$ noisy images of it, $y = Ax + e$
with noise of covariance $T$, and once more $z = g^\top x + d$ with noise of variance
$t$. (Constants such as the $b$ of S3, l. 837, change the mean and not the covariances.)
The noises $e$, $d$ are Gaussian, independent of $x$ and of each other. Then $(y, z)$ is
Gaussian, and its distribution is known once its covariances are. Find them:
$\mathrm{cov}(y, y)$, $\mathrm{cov}(y, z)$ and $\mathrm{cov}(z, z)$, in $A$, $g$, $S$,
$T$, $t$.

The first is property (d) of S3 (l. 836–838). With the values $F$ of a process as $x$,
rows of the unit matrix as $A$ and $g$, $T = \sigma^2 I$ and $t = \sigma^2$, all three
together are the matrix $C_{N+1}$ of S3 (l. 996–1003):

$$
C_{N+1} = \begin{pmatrix} K + \sigma^2 I & k \\ k^\top & k(x_*, x_*) + \sigma^2
\end{pmatrix} .
$$

Symbols: `A` ($N \times M$), `g` ($M$), `x`, `e`, `d` (random), `y = A@x + e`,
`z = g.T@x + d`. Known, and opened by `def cov`: `cov(x,x) = S`, `cov(e,e) = T`,
`cov(d,d) = t`; `cov(x,e)`, `cov(x,d)` and `cov(e,d)` are zero.
""",
    hints=(
        "Put in what $y$ stands for, in both places, and multiply out: four terms.",
        "$\\mathrm{cov}(Ax, Ax) = A\\,\\mathrm{cov}(x, x)\\,A^\\top$. The mixed terms "
        "are zero by independence.",
        "In $\\mathrm{cov}(y, z)$ only one of the four terms is not zero. Is there a "
        "$\\sigma^2$ in it?",
    ),
    references=(
        Reference(
            "cov(y,y) = cov(A@x + e, A@x + e)              | def y\n"
            "cov(y,y) = A@cov(x,x)@A.T + A@cov(x,e) + cov(e,x)@A.T + cov(e,e)"
            " | bilinear\n"
            "cov(y,y) = A@S@A.T + T                        | def cov\n"
            "cov(y,z) = cov(A@x + e, g.T@x + d)            | def y; def z\n"
            "cov(y,z) = A@cov(x,x)@g + A@cov(x,d) + cov(e,x)@g + cov(e,d)"
            "  | bilinear\n"
            "cov(y,z) = A@S@g                              | def cov\n"
            "cov(z,z) = g.T@cov(x,x)@g + 2*g.T@cov(x,d) + cov(d,d)  | def z\n"
            "cov(z,z) = g.T@S@g + t                        | def cov",
            "step by step",
        ),
        Reference(
            "cov(y,y) = A@S@A.T + T | def y; def cov\n"
            "cov(y,z) = A@S@g | def y; def z; def cov\n"
            "cov(z,z) = g.T@S@g + t | def z; def cov",
            "three lines",
        ),
        Reference(
            "cov(x,e) = 0 | given\ncov(x,d) = 0 | given\ncov(e,d) = 0 | given\n"
            "cov(z,z) = g.T@cov(x,x)@g + cov(d,d) | def z; use 2\n"
            "cov(z,z) = g.T@S@g + t | def cov\n"
            "cov(y,y) = A@cov(x,x)@A.T + cov(e,e) | def y; use 1\n"
            "cov(y,y) = A@S@A.T + T | def cov\n"
            "cov(y,z) = A@cov(x,x)@g | def y; def z; given\n"
            "cov(y,z) = A@S@g | def cov",
            "independence first",
        ),
        Reference(
            "cov(x,y) = S@A.T | def y; def cov\n"
            "cov(e,y) = T | def y; def cov\n"
            "cov(y,y) = A@cov(x,y) + cov(e,y) | def y\n"
            "cov(y,y) = A@S@A.T + T | use 1; use 2\n"
            "cov(y,z) = cov(y,x)@g + cov(y,d) | def z\n"
            "cov(y,z) = A@S@g | def y; def cov\n"
            "cov(z,z) = g.T@S@g + t | def z; def cov",
            "one side at a time",
        ),
    ),
    mistakes=(
        Mistake(
            "cov(y,y) = A@S@A.T | def y; def cov\n"
            "cov(y,z) = A@S@g | def y; def z; def cov\n"
            "cov(z,z) = g.T@S@g | def z; def cov",
            why="the noise is forgotten",
            first_bad=1,
            at_most=0.4,
        ),
        Mistake(
            "cov(y,y) = A@S@A.T + T | def y; def cov\n"
            "cov(y,z) = A@S@g + t*ones(N) | def y; def z; def cov\n"
            "cov(z,z) = g.T@S@g + t | def z; def cov",
            why="noise between different observations",
            first_bad=2,
            at_most=0.7,
        ),
        Mistake(
            "cov(y,y) = A@S@A.T + inv(T) | def y; def cov\n"
            "cov(y,z) = A@S@g | def y; def z; def cov\n"
            "cov(z,z) = g.T@S@g + 1/t | def z; def cov",
            why="S3's 1/σ²: a precision for a variance (and T may be singular)",
            first_bad=1,
            says="may be singular",
            at_most=0.4,
        ),
        Mistake(
            "cov(y,y) = A.T@S@A + T | def y; def cov\n"
            "cov(y,z) = A@S@g | def y; def z; def cov\n"
            "cov(z,z) = g.T@S@g + t | def z; def cov",
            why="A on the wrong side",
            first_bad=1,
            says="their product has no meaning",
            at_most=0.7,
        ),
        Mistake(
            "cov(y,y) = A@S@A.T + T | def y\n"
            "cov(y,z) = A@S@g | def y; def z; def cov\n"
            "cov(z,z) = g.T@S@g + t | def z; def cov",
            why="independence is used and not said",
            first_bad=1,
            at_most=0.7,
        ),
        Mistake(
            "cov(y,y) = A@S@A.T + T | def y; def cov\n"
            "cov(z,z) = g.T@S@g + t | def z; def cov",
            why="the mixed block is missing",
            says="cov(y,z)",
            at_most=0.7,
        ),
    ),
)

BLOCKS = Derivation(
    id="conditional-by-blocks",
    title="The conditional, by completing the square",
    problem=BLOCK_ELIMINATION,
    points=7,
    proofs=("P-57",),
    statement=r"""
Let $(x_a, x_b)$ be Gaussian with mean zero and the invertible covariance matrix
$\Sigma = \begin{pmatrix} A & B \\ B^\top & C \end{pmatrix}$. Its density is
$e^{-Q/2}$ times a constant, with $Q = (a, b)^\top\, \Sigma^{-1} (a, b)$ at the point
$(a, b)$. To compute $Q$, solve $\Sigma\,(p, q) = (a, b)$:

$$
Ap + Bq = a, \qquad B^\top p + Cq = b, \qquad Q = a^\top p + b^\top q .
$$

Eliminate $q$, then $p$, and show that with $m = BC^{-1}b$ and $S = A - BC^{-1}B^\top$

$$
Q = (a - m)^\top S^{-1} (a - m) + b^\top C^{-1} b .
$$

The second term is the exponent of the density of $x_b$. So the first belongs to $x_a$
given $x_b = b$: it is $\mathcal{N}(m, S)$, property (c) of S3 (l. 833–835).

Symbols: `A`, `C`, `S = A - B@inv(C)@B.T` (positive definite), `B` ($M \times N$), `a`,
`b`, `p`, `q` (columns), `m = B@inv(C)@b`, `Q = a.T@p + b.T@q`. The reason for the two
equations is `given`.
""",
    hints=(
        "Solve the second equation for $q$: $q = C^{-1}(b - B^\\top p)$.",
        "Put it into the first equation. What stands before $p$ has a name.",
        "$b^\\top C^{-1}B^\\top p = m^\\top p$, because a number equals its transpose.",
        "At the end $Q = (a - m)^\\top p + b^\\top C^{-1}b$ with $p = S^{-1}(a - m)$.",
    ),
    references=(
        Reference(
            "C@q = b - B.T@p                                  | given\n"
            "q = inv(C)@(b - B.T@p)                           | inverse C\n"
            "A@p + B@inv(C)@(b - B.T@p) = a                   | given; use 2\n"
            "(A - B@inv(C)@B.T)@p = a - B@inv(C)@b            | rearrange\n"
            "S@p = a - m                                      | def S; def m\n"
            "p = inv(S)@(a - m)                               | inverse S\n"
            "Q = a.T@p + b.T@inv(C)@b - b.T@inv(C)@B.T@p      | use 2\n"
            "Q = a.T@p + b.T@inv(C)@b - m.T@p                 | def m\n"
            "Q = (a - m).T@p + b.T@inv(C)@b                   | collect\n"
            "Q = (a - m).T@inv(S)@(a - m) + b.T@inv(C)@b      | use 6",
            "step by step",
        ),
        Reference(
            "q = inv(C)@(b - B.T@p) | given; inverse C\n"
            "S@p = A@p - B@inv(C)@B.T@p | def S\n"
            "S@p = a - B@q - B@inv(C)@B.T@p | given\n"
            "S@p = a - B@inv(C)@b | use 1\n"
            "S@p = a - m | def m\n"
            "p = inv(S)@(a - m) | inverse S\n"
            "Q = a.T@p + b.T@inv(C)@(b - B.T@p) | use 1\n"
            "Q = (a - m).T@p + b.T@inv(C)@b | def m\n"
            "Q = (a - m).T@inv(S)@(a - m) + b.T@inv(C)@b | substitute p",
            "from S p",
        ),
        Reference(
            r"""
C q = b - B^\top p | given
q = C^{-1} b - C^{-1} B^\top p | inverse C
A p + B C^{-1} b - B C^{-1} B^\top p = a | given; use 2
S p + m = a | def S; def m
p = S^{-1} (a - m) | inverse S
Q = a^\top p + b^\top C^{-1} b - b^\top C^{-1} B^\top p | use 2
Q = (a - m)^\top p + b^\top C^{-1} b | def m
Q = (a - m)^\top S^{-1} (a - m) + b^\top C^{-1} b | use 5
""",
            "LaTeX",
        ),
    ),
    mistakes=(
        Mistake(
            "q = inv(C)@(b - B@p) | given; inverse C\n"
            "S@p = a - m | given; def S; def m",
            why="a transpose is lost",
            first_bad=1,
            says="B.T",
            at_most=0.5,
        ),
        Mistake(
            "q = inv(C)@(b - B.T@p) | given; inverse C\n"
            "A@p + B@inv(C)@(b - B.T@p) = a | given; use 1\n"
            "(A + B@inv(C)@B.T)@p = a - B@inv(C)@b | rearrange",
            why="a sign in the Schur complement",
            first_bad=3,
            at_most=0.6,
        ),
        Mistake(
            "Q = (a - m).T@inv(S)@(a - m) + b.T@inv(C)@b | given",
            why="the goal is asserted",
            first_bad=1,
            at_most=0.0,
        ),
        Mistake(
            "q = inv(C)@(b - B.T@p) | given; inverse C\n"
            "A@p + B@inv(C)@(b - B.T@p) = a | given; use 1\n"
            "(A - B@inv(C)@B.T)@p = a - B@inv(C)@b | rearrange\n"
            "p = inv(A)@(a - m) | inverse A",
            why="A for S: the marginal covariance for the conditional one",
            first_bad=4,
            at_most=0.6,
        ),
        Mistake(
            "q = inv(C)@(b - B.T@p) | given; inverse C\n"
            "A@p + B@inv(C)@(b - B.T@p) = a | given; use 1\n"
            "S@p = a - m | def S; def m\n"
            "p = inv(S)@(a - m) | inverse S\n"
            "Q = a.T@inv(S)@(a - m) + b.T@q | use 4",
            why="stops with q",
            says="Q as two quadratic forms",
            at_most=0.6,
        ),
    ),
)

DECORRELATE = Derivation(
    id="decorrelation",
    title="The conditional, without a density",
    problem="gp-predictive",
    points=7,
    proofs=("P-11", "P-57"),
    statement=r"""
$y$ ($N$ values) and $f$ (one value) are jointly Gaussian with mean zero, with
$C = \mathrm{cov}(y, y)$ positive definite, $k = \mathrm{cov}(y, f)$ and
$k_{**} = \mathrm{cov}(f, f)$. Find the distribution of $f$ given $y$ in a way that
needs no density and no integral: subtract from $f$ a combination of $y$ such that the
rest, $z$, is uncorrelated with $y$. Jointly Gaussian and uncorrelated is independent,
so that knowing $y$ says nothing about $z$; hence the conditional mean is $m = f - z$
and the conditional variance $s_2 = \mathrm{cov}(z, z)$.

Begin with a line `z = f - … | let z`, show `cov(z,y) = 0`, and end with `m = …` and
`s2 = …` in `k`, `C`, `y`, `kss`.

Symbols: `y`, `f` (random), `C`, `k`, `kss`; `def cov` opens `cov(y,y) = C`,
`cov(y,f) = k`, `cov(f,f) = kss`. Once `cov(z,y) = 0` stands, the reason `independence`
gives `m = f - z` and `s2 = cov(z,z)`.
""",
    hints=(
        "Try $z = f - c^\\top y$. For which $c$ is $\\mathrm{cov}(z, y) = 0$?",
        "$\\mathrm{cov}(z, y) = k^\\top - c^\\top C$.",
        "For the variance: $\\mathrm{cov}(z, z)$ has three different terms; or only "
        "two, if you use $\\mathrm{cov}(z, y) = 0$ first.",
    ),
    references=(
        Reference(
            "z = f - k.T@inv(C)@y                                   | let z\n"
            "cov(z,y) = cov(f,y) - k.T@inv(C)@cov(y,y)              | def z; bilinear\n"
            "cov(z,y) = k.T - k.T@inv(C)@C                          | def cov\n"
            "cov(z,y) = 0                                           | inverse C\n"
            "m = f - z                                              | independence\n"
            "m = k.T@inv(C)@y                                       | def z\n"
            "s2 = cov(z,z)                                          | independence\n"
            "s2 = kss - 2*k.T@inv(C)@k + k.T@inv(C)@C@inv(C)@k      | def z; def cov\n"
            "s2 = kss - k.T@inv(C)@k                                | inverse C",
            "step by step",
        ),
        Reference(
            "c = inv(C)@k | let c\n"
            "z = f - c.T@y | let z\n"
            "cov(z,y) = cov(f,y) - c.T@cov(y,y) | def z\n"
            "cov(z,y) = k.T - c.T@C | def cov\n"
            "cov(z,y) = k.T - k.T@inv(C)@C | def c\n"
            "cov(z,y) = 0 | inverse C\n"
            "m = f - z | independence\n"
            "m = c.T@y | def z\n"
            "m = k.T@inv(C)@y | def c\n"
            "s2 = cov(z,z) | independence\n"
            "s2 = cov(f,z) - c.T@cov(y,z) | def z\n"
            "s2 = cov(f,z) | use 6\n"
            "s2 = kss - k.T@c | def z; def cov\n"
            "s2 = kss - k.T@inv(C)@k | def c",
            "with a name for the coefficients",
        ),
        Reference(
            "z = f - k.T@inv(C)@y | let z\n"
            "cov(z,y) = k.T - k.T@inv(C)@C | def z; def cov\n"
            "  = 0 | inverse C\n"
            "s2 = cov(z,z) | independence\n"
            "  = kss - 2*k.T@inv(C)@k + k.T@inv(C)@C@inv(C)@k | def z; def cov\n"
            "  = kss - k.T@inv(C)@k | inverse C\n"
            "m = f - z = k.T@inv(C)@y | independence; def z",
            "short, in chains",
        ),
    ),
    mistakes=(
        Mistake(
            "z = f - k.T@inv(C)@y | let z\n"
            "m = f - z | independence\nm = k.T@inv(C)@y | def z\n"
            "s2 = cov(z,z) | independence\n"
            "s2 = kss - 2*k.T@inv(C)@k + k.T@inv(C)@C@inv(C)@k | def z; def cov\n"
            "s2 = kss - k.T@inv(C)@k | inverse C",
            why="that z is uncorrelated with y is not shown",
            first_bad=2,
            at_most=0.2,
        ),
        Mistake(
            "z = f - k.T@y | let z\ncov(z,y) = k.T - k.T@C | def z; def cov\n"
            "cov(z,y) = 0 | algebra\nm = f - z | independence\nm = k.T@y | def z",
            why="a z that does not decorrelate",
            first_bad=3,
            at_most=0.2,
        ),
        Mistake(
            "z = f - k.T@inv(C)@y | let z\n"
            "cov(z,y) = k.T - k.T@inv(C)@C | def z; def cov\n"
            "cov(z,y) = 0 | inverse C\nm = f - z | independence\n"
            "m = k.T@inv(C)@y | def z\ns2 = cov(z,z) | independence\n"
            "s2 = kss - k.T@inv(C)@k + k.T@inv(C)@C@inv(C)@k | def z; def cov\n"
            "s2 = kss - k.T@inv(C)@k | inverse C",
            why="the mixed term once; the end is right by a second error",
            first_bad=7,
            at_most=0.6,
        ),
        Mistake(
            "m = k.T@inv(C)@y | known\ns2 = kss - k.T@inv(C)@k | known",
            why="the goal is asserted",
            first_bad=1,
            at_most=0.0,
        ),
        Mistake(
            "z = f - k.T@inv(C)@y | let z\n"
            "cov(z,y) = k.T - k.T@inv(C)@C | def z; def cov\n"
            "cov(z,y) = 0 | inverse C\nm = f - z | independence\n"
            "m = k.T@inv(C)@y | def z",
            why="no variance",
            says="s2",
            at_most=0.6,
        ),
    ),
)

FUNCTIONS = r"""
## From weights to functions

A linear model with random weights is a random function. Its values at $N$ points are a
Gaussian vector, and its covariances are a kernel.
"""

WEIGHTS = Derivation(
    id="weights-to-functions",
    title="Random weights make a kernel",
    problem=WEIGHT_SPACE,
    points=4,
    proofs=("P-59",),
    statement=r"""
Let $y = \Phi w$ with $w \sim \mathcal{N}(0, \frac1\alpha I)$, so that $\alpha$ is the
*precision* and $\frac1\alpha$ the variance of a weight (S3, l. 851, exchanges the two).
Show that $\mathrm{cov}(y, y)$ is the Gram matrix $K$ of $k(x, x') = \frac1\alpha
\varphi(x)^\top\varphi(x')$.

Symbols: `Phi` ($N \times M$, rows `phi[n]`), `alpha` (positive), `w` (random),
`y = Phi@w`, `K = Phi@Phi.T/alpha`; `def cov` opens `cov(w,w) = I/alpha`.
""",
    hints=(
        "$\\mathrm{cov}(\\Phi w, \\Phi w) = "
        "\\Phi\\,\\mathrm{cov}(w, w)\\,\\Phi^\\top$.",
        "`def cov`, then `def K`.",
    ),
    references=(
        Reference(
            "cov(y,y) = cov(Phi@w, Phi@w)          | def y\n"
            "cov(y,y) = Phi@cov(w,w)@Phi.T         | bilinear\n"
            "cov(y,y) = Phi@Phi.T/alpha            | def cov\n"
            "cov(y,y) = K                          | def K",
            "step by step",
        ),
        Reference(
            "cov(y,y) = Phi@Phi.T/alpha | def y; def cov\ncov(y,y) = K | def K",
            "two lines",
        ),
        Reference(
            "cov(y[n],y[m]) = phi[n].T@cov(w,w)@phi[m] | def y\n"
            "cov(y[n],y[m]) = phi[n].T@phi[m]/alpha | def cov\n"
            "cov(y[n],y[m]) = K[n,m] | def K\n"
            "cov(y,y) = K | matrix form",
            "entry by entry",
        ),
        Reference(
            "K = Phi@Phi.T/alpha | given\n"
            "cov(w,w) = I/alpha | given\n"
            "cov(y,y) = Phi@cov(w,w)@Phi.T | def y\n"
            "cov(y,y) = Phi@(I/alpha)@Phi.T | use 2\n"
            "cov(y,y) = K | use 1",
            "the givens first",
        ),
    ),
    mistakes=(
        Mistake(
            "cov(y,y) = alpha*Phi@Phi.T | def y; def cov",
            why="α taken for the variance, as printed",
            first_bad=1,
            says="counterexample",
            at_most=0.0,
        ),
        Mistake(
            "cov(y,y) = Phi@cov(w,w)@Phi.T | def y\n"
            "cov(y,y) = Phi.T@Phi/alpha | def cov",
            why="the product in the other order",
            first_bad=2,
            at_most=0.5,
        ),
        Mistake(
            "cov(y,y) = K | def K",
            why="y is not opened, and neither is cov",
            first_bad=1,
            at_most=0.0,
        ),
        Mistake(
            "cov(y,y) = Phi@Phi.T/alpha | def y; def cov",
            why="K is not named",
            says="cov(y,y) = K",
            at_most=0.5,
        ),
    ),
)


def check_silent(data: Mapping[str, Any]) -> list[Finding]:
    """z⊤y = 0 for all lines at 0, 1, 2: z is a multiple of (1, -2, 1), not zero."""
    z = data["z"]
    if not isinstance(z, tuple) or len(z) != 3:
        return [Finding(False, "`z`: three numbers are asked for")]
    if all(entry.same(Real(0)) for entry in z):
        return [Finding(False, "`z`: not all of the numbers may be zero")]
    silent = z[0].same(z[2]) and z[1].same(-(z[0] + z[2]))
    verb = "is" if silent else "is not"
    return [Finding(silent, f"zᵀy {verb} zero for every line", 1.0)]


SINGULAR = Values(
    id="no-density",
    title="A Gaussian without a density",
    points=5,
    proofs=("P-59",),
    statement=r"""
Take $\varphi(x) = (1, x)^\top$ and $\alpha = 4$: the random functions are straight
lines $y(x) = w_1 + w_2 x$. Look at them at the points $0, 1, 2$.

- `var_w`, the variance of a weight;
- `K`, the covariance matrix of $(y(0), y(1), y(2))$, row by row, as in
  `[[1, 0, 0], [0, 1, 0], [0, 0, 1]]`;
- `correlation`, the correlation of $y(0)$ and $y(2)$, exactly;
- `rank`, the rank of $K$; `z`, numbers $z \ne 0$ with $z_1 y(0) + z_2 y(1) + z_3 y(2) =
  0$ for every line;
- `density`, whether $(y(0), y(1), y(2))$ has a density on $\mathbb{R}^3$ (yes or no);
- `mean` and `var`, mean and variance of $y(2)$ given $y(0) = 1$ and $y(1) = 3$;
- `noisy`, the rank of the covariance matrix of the observations $y(x) + \varepsilon$,
  with independent noise of variance $1/100$.
""",
    values=(
        Value(
            "var_w",
            "1/4",
            weight=0.5,
            traps={"4": "α is the precision, the inverse of the variance"},
        ),
        Value(
            "K",
            "[[1/4, 1/4, 1/4], [1/4, 1/2, 3/4], [1/4, 3/4, 5/4]]",
            weight=1.5,
            traps={
                "[[4, 4, 4], [4, 8, 12], [4, 12, 20]]": "divide by α, not multiply",
                "[[1, 1, 1], [1, 2, 3], [1, 3, 5]]": "α is missing",
            },
        ),
        Value(
            "correlation",
            "1/sqrt(5)",
            exact=True,
            traps={
                "1/4": "this is the covariance",
                "1/5": "divide by standard deviations, not variances",
            },
        ),
        Value("rank", "2", traps={"3": "two weights make three values"}),
        Value("z"),
        Value(
            "density",
            "no",
            choices=("yes", "no"),
            traps={"yes": "all values lie in a plane, whose volume is zero"},
        ),
        Value(
            "mean",
            "5",
            traps={"0": "two points fix the line", "4": "go on along the line"},
        ),
        Value(
            "var",
            "0",
            traps={"5/4": "this is the variance before anything is known"},
        ),
        Value("noisy", "3", traps={"2": "K + σ²I has no eigenvalue below σ²"}),
    ),
    check=check_silent,
    check_weight=1,
    hints=(
        "$k(x, x') = \\frac14 (1 + x x')$.",
        "Through two points there is one line. What does that say about the third "
        "value?",
        "On a line the value in the middle is $y(1) = \\frac12(y(0) + y(2))$.",
    ),
    references=(
        Reference(
            "var_w = 1/4\nK = [[1/4, 1/4, 1/4], [1/4, 1/2, 3/4], [1/4, 3/4, 5/4]]\n"
            "correlation = 1/sqrt(5)\nrank = 2\nz = [1, -2, 1]\ndensity = no\n"
            "mean = 5\nvar = 0\nnoisy = 3",
            "numbers",
        ),
        Reference(
            "var_w = 0.25; K = [[1/4, 1/4, 1/4], [1/4, 2/4, 3/4], [1/4, 3/4, 5/4]]\n"
            "correlation = (1/4)/sqrt(1/4*5/4); rank = 2; z = [-1/2, 1, -1/2]\n"
            "density = no; mean = 1 + 2*2; var = 0; noisy = 3",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "var_w = 4\nK = [[4, 4, 4], [4, 8, 12], [4, 12, 20]]\n"
            "correlation = 1/sqrt(5)\nrank = 2\nz = [1, -2, 1]\ndensity = no\n"
            "mean = 5\nvar = 0\nnoisy = 3",
            why="precision and variance exchanged, as printed",
            says="the inverse of the variance",
            at_most=0.8,
        ),
        Mistake(
            "var_w = 1/4\nK = [[1/4, 1/4, 1/4], [1/4, 1/2, 3/4], [1/4, 3/4, 5/4]]\n"
            "correlation = 1/5\nrank = 3\nz = [0, 0, 0]\ndensity = yes\n"
            "mean = 0\nvar = 5/4\nnoisy = 3",
            why="a density is taken for granted",
            says="whose volume is zero",
            at_most=0.5,
        ),
        Mistake(
            "var_w = 1/4\nK = [[1, 1, 1], [1, 2, 3], [1, 3, 5]]\n"
            "correlation = 0.447\nrank = 2\nz = [1, -1, 1]\ndensity = no\n"
            "mean = 4\nvar = 0\nnoisy = 2",
            why="α forgotten, and other slips",
            says="α is missing",
            at_most=0.5,
        ),
    ),
)

EXISTENCE = Puzzle(
    id="kernels-are-covariances",
    title="Every kernel is the covariance of a process",
    points=7,
    proofs=("P-60",),
    statement=r"""
Let $k$ be a function of two points of a set $\mathcal{X}$, and $m$ any function on
$\mathcal{X}$. Put together a proof of S3 (l. 914–918), in both directions: there is a
Gaussian process with mean $m$ and covariance function $k$ if and only if $k$ is a
kernel (symmetric, with positive semi-definite Gram matrices). Four of the blocks do not
belong.
""",
    blocks=(
        Block(
            "variance",
            r"Let $f$ be a process with covariance function $k$. Then $k$ is "
            r"symmetric, and $\sum_{ij} c_i c_j\, k(x_i, x_j) = "
            r"\mathrm{var}\bigl(\sum_i c_i f(x_i)\bigr)$ for all points and numbers.",
        ),
        Block(
            "necessary",
            r"A variance is not negative. So $k$ is a kernel: one direction.",
            needs=("variance",),
        ),
        Block(
            "root",
            r"Now let $k$ be a kernel. The Gram matrix $K_T$ of finitely many points "
            r"$T = (x_1, \dots, x_n)$ is positive semi-definite, so $K_T = LL^\top$ "
            r"for some matrix $L$.",
        ),
        Block(
            "law",
            r"With independent $\xi_1, \dots, \xi_n \sim \mathcal{N}(0, 1)$ the vector "
            r"$m_T + L\xi$ is Gaussian with mean $m_T$ and covariance $K_T$. Call its "
            r"distribution $P_T$.",
            needs=("root",),
        ),
        Block(
            "consistent",
            r"The part of a vector with distribution $P_T$ that belongs to $S \subset "
            r"T$ is Gaussian with mean $m_S$ and covariance $K_S$: it has the "
            r"distribution $P_S$. Reordering the points reorders the vector.",
            needs=("law",),
        ),
        Block(
            "kolmogorov",
            r"So the $P_T$ are consistent, and by Kolmogorov's theorem there are "
            r"random variables $f(x)$, $x \in \mathcal{X}$, on one probability space "
            r"such that $(f(x_1), \dots, f(x_n))$ has the distribution $P_T$, for all "
            r"$T$.",
            needs=("consistent",),
        ),
        Block(
            "process",
            r"All finite parts of $f$ are Gaussian, so $f$ is a Gaussian process; "
            r"those with one and two points show that its mean is $m$ and its "
            r"covariance function $k$: the other direction.",
            needs=("kolmogorov",),
        ),
        Block(
            "density",
            r"Let $P_T$ be the distribution with the density "
            r"$(2\pi)^{-n/2}\, |K_T|^{-1/2} \exp(-\frac12 (v - m_T)^\top K_T^{-1} "
            r"(v - m_T))$.",
            why="K_T may be singular, with the linear kernel as soon as n > d; the "
            "distribution exists nevertheless",
        ),
        Block(
            "pointwise",
            r"Choose the $f(x) \sim \mathcal{N}(m(x), k(x,x))$ one after the other, "
            r"independently for different $x$.",
            why="then all covariances of different points would be zero",
        ),
        Block(
            "diagonal",
            r"$k$ is symmetric and $k(x,x) \ge 0$, hence a covariance function.",
            why="[[1, 2], [2, 1]] has a positive diagonal and is no covariance matrix",
        ),
        Block(
            "grid",
            r"It is enough to have $P_T$ for one large grid $T$; between its points "
            r"$f$ is interpolated.",
            why="an interpolated value has another covariance than k, and 𝒳 need not "
            "be something that has grids",
        ),
    ),
    hints=(
        "One direction is a single computation with a variance.",
        "For the other: distributions for finitely many points first, and never with "
        "an inverse.",
        "What must be checked before one may apply Kolmogorov's theorem?",
    ),
    references=(
        Reference(
            "variance, necessary, root, law, consistent, kolmogorov, process",
            "necessary, then sufficient",
        ),
        Reference(
            "root, law, consistent, kolmogorov, process, variance, necessary",
            "sufficient first",
        ),
    ),
    mistakes=(
        Mistake(
            "variance, necessary, density, consistent, kolmogorov, process",
            why="a density that may not exist",
            says="may be singular",
            at_most=0.6,
        ),
        Mistake(
            "diagonal, root, law, consistent, kolmogorov, process",
            why="the diagonal for the matrix",
            says="is no covariance matrix",
            at_most=0.7,
        ),
        Mistake(
            "variance, necessary, root, law, kolmogorov, process",
            why="consistency is not checked",
            says="rests on something",
            at_most=0.8,
        ),
        Mistake(
            "variance, necessary, pointwise, process",
            why="independent values are another process",
            says="would be zero",
            at_most=0.4,
        ),
        Mistake(
            "variance, necessary, law, root, consistent, kolmogorov, process",
            why="L is used before it is found",
            says="comes too early",
        ),
    ),
)

REGRESSION = r"""
## Regression

The values of the process are seen through noise: $y_i = f(x_i) + \varepsilon_i$ with
independent $\varepsilon_i \sim \mathcal{N}(0, \sigma^2)$. Then
$\mathrm{cov}(y, y) = K + \sigma^2 I$. (S3 prints $\frac1{\sigma^2}$ in six places,
l. 955–989.)
"""

BY_HAND = Values(
    id="prediction-by-hand",
    title="A prediction by hand",
    points=7,
    proofs=("P-11",),
    statement=r"""
On the line, $k(x, x') = \max(0,\ 1 - \frac12|x - x'|)$ is a kernel. Take mean zero,
noise of variance $\sigma^2 = \frac12$, and two observations: $y = 2$ at $x = 0$ and
$y = 0$ at $x = 1$.

- `C`, the covariance matrix of the two observations, row by row;
- `a` $= C^{-1}y$;
- `mean` and `var_f`, mean and variance of the *value* $f(\frac12)$ given the
  observations; `var_y`, the variance of a new noisy *observation* there;
- `mean_far` and `var_far`, mean and variance of $f(10)$;
- `fit`, the mean of $f(0)$; and `residual`, which is $(2 - \texttt{fit})/\sigma^2$.
  Compare it with `a`;
- `mean_double` and `var_double`, mean and variance of $f(\frac12)$ if the observations
  were 4 and 0 instead of 2 and 0;
- `mean_printed`, what the mean of $f(\frac12)$ would be with the printed
  $K + \frac1{\sigma^2}I$.
""",
    values=(
        Value(
            "C",
            "[[3/2, 1/2], [1/2, 3/2]]",
            traps={
                "[[3, 1/2], [1/2, 3]]": "this is with the printed 1/σ²",
                "[[1, 1/2], [1/2, 1]]": "this is K; the noise is missing",
                "[[3/2, 1], [1, 3/2]]": "the noises of different observations are "
                "independent",
                "[[5/4, 1/2], [1/2, 5/4]]": "σ² is 1/2 already: do not square it",
            },
        ),
        Value(
            "a",
            "[3/2, -1/2]",
            traps={
                "[24/35, -4/35]": "this is with the printed 1/σ²",
                "[8/3, -4/3]": "this is without noise",
            },
        ),
        Value(
            "mean",
            "3/4",
            traps={
                "3/7": "this is with the printed 1/σ²",
                "1": "this is the average of the observations, and what one gets "
                "without noise",
            },
        ),
        Value(
            "var_f",
            "7/16",
            traps={
                "15/16": "this is for a new observation",
                "19/28": "this is with the printed 1/σ²",
                "1/4": "this is without noise",
                "9/16": "this is what is subtracted from k(x, x)",
            },
        ),
        Value(
            "var_y",
            "15/16",
            traps={
                "7/16": "this is for the value without noise",
                "39/16": "the noise adds σ², not 1/σ²",
                "11/16": "σ² is 1/2 already: do not square it",
            },
        ),
        Value("mean_far", "0", weight=0.5),
        Value(
            "var_far",
            "1",
            weight=0.5,
            traps={"0": "far away nothing is known", "3/2": "this is with the noise"},
        ),
        Value(
            "fit",
            "5/4",
            traps={"2": "with noise the mean does not interpolate"},
        ),
        Value("residual", "3/2"),
        Value("mean_double", "3/2", weight=0.5),
        Value(
            "var_double",
            "7/16",
            traps={
                "7/8": "the variance does not depend on the observed values",
                "7/4": "the variance does not depend on the observed values",
            },
        ),
        Value(
            "mean_printed", "3/7", weight=0.5, traps={"3/4": "this is the right one"}
        ),
    ),
    hints=(
        "$C = \\begin{pmatrix} 3/2 & 1/2 \\\\ 1/2 & 3/2 \\end{pmatrix}$ has the "
        "determinant 2.",
        "At $x_* = \\frac12$ both covariances $k(x_i, x_*)$ are $\\frac34$.",
        "The variance of the value is $k(x_*, x_*) - k^\\top C^{-1} k$; an observation "
        "has its own noise in addition.",
    ),
    references=(
        Reference(
            "C = [[3/2, 1/2], [1/2, 3/2]]\na = [3/2, -1/2]\nmean = 3/4\n"
            "var_f = 7/16\nvar_y = 15/16\nmean_far = 0\nvar_far = 1\nfit = 5/4\n"
            "residual = 3/2\nmean_double = 3/2\nvar_double = 7/16\n"
            "mean_printed = 3/7",
            "fractions",
        ),
        Reference(
            "C = [[1.5, 0.5], [0.5, 1.5]]; a = [1.5, -0.5]; mean = 0.75\n"
            "var_f = 1 - 9/16; var_y = 1 - 9/16 + 1/2; mean_far = 0; var_far = 1\n"
            "fit = 1.25; residual = (2 - 5/4)*2; mean_double = 2*3/4\n"
            "var_double = 0.4375; mean_printed = 3/4*20/35",
            "decimals and arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "C = [[3, 1/2], [1/2, 3]]\na = [24/35, -4/35]\nmean = 3/7\n"
            "var_f = 19/28\nvar_y = 75/28\nmean_far = 0\nvar_far = 1\nfit = 22/35\n"
            "residual = 24/35\nmean_double = 6/7\nvar_double = 19/28\n"
            "mean_printed = 3/7",
            why="1/σ² for σ², as printed",
            says="with the printed 1/σ²",
            at_most=0.3,
        ),
        Mistake(
            "C = [[1, 1/2], [1/2, 1]]\na = [8/3, -4/3]\nmean = 1\n"
            "var_f = 1/4\nvar_y = 3/4\nmean_far = 0\nvar_far = 1\nfit = 2\n"
            "residual = 0\nmean_double = 2\nvar_double = 1/4\nmean_printed = 3/7",
            why="the noise is forgotten",
            says="the noise is missing",
            at_most=0.3,
        ),
        Mistake(
            "C = [[3/2, 1/2], [1/2, 3/2]]\na = [3/2, -1/2]\nmean = 3/4\n"
            "var_f = 15/16\nvar_y = 7/16\nmean_far = 0\nvar_far = 0\nfit = 5/4\n"
            "residual = 3/2\nmean_double = 3/2\nvar_double = 7/4\n"
            "mean_printed = 3/4",
            why="value and observation exchanged; a variance that follows the data",
            says="does not depend on the observed values",
            at_most=0.7,
        ),
        Mistake(
            "C = [[3/2, 1], [1, 3/2]]\na = [12/5, -8/5]\nmean = 3/5\n"
            "var_f = 11/20\nvar_y = 21/20\nmean_far = 0\nvar_far = 1\nfit = 8/5\n"
            "residual = 4/5\nmean_double = 6/5\nvar_double = 11/20\n"
            "mean_printed = 3/7",
            why="noise also off the diagonal",
            says="noises of different observations are independent",
            at_most=0.3,
        ),
    ),
)

RIDGE = Derivation(
    id="process-is-ridge",
    title="The mean is kernel ridge regression",
    problem=PROCESS_RIDGE,
    points=6,
    proofs=("P-61",),
    statement=r"""
The mean of the process at a new point is $\mu = k^\top a$ with
$a = (K + \lambda I)^{-1} y$, where $\lambda = \sigma^2$. That is the prediction of
kernel ridge regression with regularisation $\lambda = \sigma^2$. Let $f = Ka$ be the
means at the training points, and let the kernel have features, $K = \Phi\Phi^\top$ and
$k = \Phi\varphi_*$. Show

1. $a = (y - f)/\lambda$: the coefficients are the residuals, in units of the noise;
2. $w = \Phi^\top a$ satisfies $\Phi^\top(y - \Phi w) = \lambda w$, the normal equations
   of $\min_w \|y - \Phi w\|^2 + \lambda\|w\|^2$;
3. $\mu = w^\top\varphi_*$.

Symbols: `Phi`, `K = Phi@Phi.T`, `y`, `lam` (positive), `a = inv(K + lam*I)@y`,
`f = K@a`, `w = Phi.T@a`, `phis`, `k = Phi@phis`, `mu = k.T@a`.
""",
    hints=(
        "Multiply $a = (K + \\lambda I)^{-1}y$ by $K + \\lambda I$.",
        "$Ka + \\lambda a = y$, and $Ka$ has a name.",
        "Multiply the first result by $\\Phi^\\top$, and use $f = \\Phi\\Phi^\\top a = "
        "\\Phi w$.",
    ),
    references=(
        Reference(
            "(K + lam*I)@a = y                   | def a; inverse K + lam*I\n"
            "lam*a = y - K@a                     | rearrange\n"
            "a = (y - f)/lam                     | def f\n"
            "lam*w = lam*Phi.T@a                 | def w\n"
            "lam*w = Phi.T@(y - K@a)             | use 2\n"
            "lam*w = Phi.T@(y - Phi@Phi.T@a)     | def K\n"
            "lam*w = Phi.T@(y - Phi@w)           | def w\n"
            "mu = phis.T@Phi.T@a                 | def k\n"
            "mu = phis.T@w                       | def w",
            "step by step",
        ),
        Reference(
            "(K + lam*I)@a = y | def a; inverse\n"
            "K@a + lam*a = y | expand\n"
            "f + lam*a = y | def f\n"
            "a = (y - f)/lam | divide by lam\n"
            "f = Phi@w | def f; def K; def w\n"
            "w = Phi.T@(y - f)/lam | def w; use 4\n"
            "lam*w = Phi.T@(y - Phi@w) | use 5\n"
            "mu = k.T@a = phis.T@Phi.T@a = w.T@phis | def k; def w",
            "f as the values of w",
        ),
        Reference(
            r"""
a = (K + \lambda I)^{-1} y | given
(K + \lambda I) a = y | inverse
\lambda a = y - f | def f
a = (y - f)/\lambda | divide by \lambda
\Phi w = \Phi\Phi^\top a | def w
\Phi w = f | def K; def f
\Phi^\top (y - \Phi w) = \lambda \Phi^\top a | use 3; use 6
\Phi^\top (y - \Phi w) = \lambda w | def w
\mu = \phi_*^\top \Phi^\top a | def k
\mu = \phi_*^\top w | def w
""",
            "LaTeX",
        ),
        Reference(
            "mu = phis.T@w | def k; def w\n"
            "(K + lam*I)@a = y | def a; inverse K + lam*I\n"
            "a = (y - f)/lam | def f\n"
            "Phi.T@(K + lam*I)@a = Phi.T@y | use 2\n"
            "Phi.T@Phi@Phi.T@a + lam*Phi.T@a = Phi.T@y | def K\n"
            "(Phi.T@Phi + lam*I)@w = Phi.T@y | def w",
            "the normal equations in their usual form",
        ),
    ),
    mistakes=(
        Mistake(
            "(K + lam*I)@a = y | def a; inverse K + lam*I\n"
            "a = (f - y)/lam | def f\nmu = w.T@phis | def k; def w",
            why="the sign of the residual",
            first_bad=2,
            says="a sign is wrong",
            at_most=0.5,
        ),
        Mistake(
            "(K + lam*I)@a = y | def a; inverse K + lam*I\n"
            "a = lam*(y - f) | def f\nmu = w.T@phis | def k; def w",
            why="multiplied by the noise instead of divided: 1/σ² again",
            first_bad=2,
            at_most=0.5,
        ),
        Mistake(
            "a = (y - f)/lam | def f\nlam*w = Phi.T@(y - Phi@w) | def w\n"
            "mu = w.T@phis | def k; def w",
            why="that a solves the system is not used",
            first_bad=1,
            at_most=0.5,
        ),
        Mistake(
            "(K + lam*I)@a = y | def a; inverse K + lam*I\n"
            "a = (y - f)/lam | def f\n"
            "w = inv(Phi@Phi.T + lam*I)@Phi.T@y | def w; def a\n"
            "mu = w.T@phis | def k; def w",
            why="Φᵀ is moved through the inverse, and the shapes do not fit",
            first_bad=3,
            at_most=0.7,
        ),
        Mistake(
            "(K + lam*I)@a = y | def a; inverse K + lam*I\n"
            "a = (y - f)/lam | def f\nmu = w.T@phis | def k; def w",
            why="no normal equations",
            says="the normal equations for w",
            at_most=0.7,
        ),
    ),
)


def predict(
    K: np.ndarray, L: np.ndarray, v: np.ndarray, y: np.ndarray, m: float, s2: float
) -> tuple[np.ndarray, np.ndarray]:
    """The reference of `predict-a-process`, by Cholesky factors."""
    factor = cho_factor(K + s2 * np.eye(len(y)), lower=True)
    mean = m + L @ cho_solve(factor, y - m)
    return mean, v + s2 - np.sum(L * cho_solve(factor, L.T).T, axis=1)


def _gram(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """(1 + x⊤z/4)², a kernel with short decimals."""
    return (1 + X @ Z.T / 4) ** 2


def observations(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Points with small integers, new points, level and noise."""
    X = rng.integers(-2, 3, size=(size, 2)).astype(float)
    Z = rng.integers(-2, 3, size=(size // 2 + 1, 2)).astype(float)
    y = rng.integers(-4, 5, size=size).astype(float)
    level = float(rng.integers(1, 4))
    noise = float(rng.choice([0.25, 0.5, 2.0]))
    return _gram(X, X), _gram(Z, X), np.diag(_gram(Z, Z)).copy(), y, level, noise


def many_points(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """More points than features, and little noise: K is singular."""
    K, L, v, y, level, _ = observations(rng, 20 + size)
    return K, L, v, y, level, 0.01


def far_away(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """New points that are uncorrelated with all others: the prior comes back."""
    K, L, v, y, level, noise = observations(rng, size)
    return K, np.zeros_like(L), v, y, level, noise


def one_observation(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A single observation, a single new point."""
    K, L, v, y, level, noise = observations(rng, size)
    return K[:1, :1], L[:1, :1], v[:1], y[:1], level, noise


PREDICT = CodeQuestion(
    id="predict-a-process",
    title="Predict with a Gaussian process",
    points=6,
    proofs=("P-10", "P-11"),
    statement=r"""
Write `predict(K, L, v, y, m, s2)` for a process with constant mean $m$ (a number) and
noise of variance $\sigma^2$ (`s2`). It is given the Gram matrix $K$ of $n$ training
points, the $n'\times n$ matrix $L_{ij} = k(z_i, x_j)$ of new points against training
points, the numbers $v_i = k(z_i, z_i)$, and the observations $y$. Return two arrays of
length $n'$:

- the means of the new observations, given $y$;
- their variances. (Of the *observations*, noise included.)

Solve with a Cholesky factor of $K + \sigma^2 I$ rather than with an inverse: it is
faster, and more exact.
""",
    function="predict",
    signature="def predict(K, L, v, y, m, s2):",
    reference=predict,
    inputs=observations,
    edge_cases=(
        Cases("singular K, little noise", many_points, count=2),
        Cases("far away", far_away, count=2),
        Cases("one observation", one_observation, count=2),
    ),
    rtol=1e-6,
    hints=(
        "Subtract the mean from $y$, predict with mean zero, and add the mean again.",
        "With $C = K + \\sigma^2 I = GG^\\top$: the mean is $m + L C^{-1}(y - m)$, and "
        "the variance $v_i + \\sigma^2 - \\|G^{-1} L_i^\\top\\|^2$.",
        "`scipy.linalg.cho_factor` and `cho_solve`, or `np.linalg.cholesky` and "
        "`scipy.linalg.solve_triangular`.",
    ),
    references=(
        Reference(
            "import numpy as np\n"
            "from scipy.linalg import cho_factor, cho_solve\n\n\n"
            "def predict(K, L, v, y, m, s2):\n"
            "    C = cho_factor(K + s2 * np.eye(len(y)))\n"
            "    mean = m + L @ cho_solve(C, y - m)\n"
            "    explained = np.sum(L * cho_solve(C, L.T).T, axis=1)\n"
            "    return mean, v + s2 - explained\n",
            "cho_factor",
        ),
        Reference(
            "import numpy as np\n"
            "from scipy.linalg import solve_triangular\n\n\n"
            "def predict(K, L, v, y, m, s2):\n"
            "    G = np.linalg.cholesky(K + s2 * np.eye(len(y)))\n"
            "    A = solve_triangular(G, L.T, lower=True)\n"
            "    b = solve_triangular(G, y - m, lower=True)\n"
            "    return m + A.T @ b, v + s2 - (A**2).sum(axis=0)\n",
            "triangular systems",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def predict(K, L, v, y, m, s2):\n"
            "    n = len(y)\n"
            "    C = np.array(K, dtype=float)\n"
            "    C[np.diag_indices(n)] += s2\n"
            "    W = np.linalg.solve(C, L.T)\n"
            "    means, variances = [], []\n"
            "    for i in range(len(L)):\n"
            "        means.append(m + W[:, i] @ (y - m))\n"
            "        variances.append(v[i] + s2 - L[i] @ W[:, i])\n"
            "    return np.array(means), np.array(variances)\n",
            "solve, and a loop",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n"
            "def predict(K, L, v, y, m, s2):\n"
            "    C = K + np.eye(len(y)) / s2\n"
            "    W = np.linalg.solve(C, L.T)\n"
            "    return m + W.T @ (y - m), v + s2 - (L * W.T).sum(axis=1)\n",
            why="1/σ², as printed",
            says="regular: 0 of 8",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def predict(K, L, v, y, m, s2):\n"
            "    C = K + s2 * np.eye(len(y))\n"
            "    W = np.linalg.solve(C, L.T)\n"
            "    return W.T @ y, v + s2 - (L * W.T).sum(axis=1)\n",
            why="the mean of the process is forgotten",
            says="value 1 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def predict(K, L, v, y, m, s2):\n"
            "    C = K + s2 * np.eye(len(y))\n"
            "    W = np.linalg.solve(C, L.T)\n"
            "    return m + W.T @ (y - m), v - (L * W.T).sum(axis=1)\n",
            why="the variance of the value, not of an observation",
            says="value 2 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def predict(K, L, v, y, m, s2):\n"
            "    C = K + s2 * np.eye(len(y))\n"
            "    W = np.linalg.solve(C, L.T)\n"
            "    return m + W.T @ (y - m), np.diag(v) + s2 - L @ W\n",
            why="a matrix for the variances, with noise everywhere",
            says="an array of shape",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def predict(K, L, v, y, m, s2):\n"
            "    C = K + s2\n"
            "    W = np.linalg.lstsq(C, L.T, rcond=None)[0]\n"
            "    return m + W.T @ (y - m), v + s2 - (L * W.T).sum(axis=1)\n",
            why="σ² added to every entry: the same noise for all observations",
            says="cases right",
            at_most=0,
        ),
    ),
)

LEARNING = r"""
## Learning the covariance

Parameters $\theta$ of the covariance $C$ are chosen so that the observations have the
largest density,

$$
L = -\tfrac12 y^\top C^{-1} y - \tfrac12 \log\det C - \tfrac N2 \log 2\pi .
$$

S3 (l. 1038) proposes gradient *descent* on $L$; it is gradient *ascent* that makes it
larger.
"""

_DERIVATIVES = (
    Milestone(
        "the derivative of the inverse",
        "d(inv(C)) = -inv(C)@dC@inv(C)",
        without=frozenset({"d"}),
        optional=True,
    ),
    Milestone(
        "the derivative of the log determinant",
        "d(log(det(C))) = trace(inv(C)@dC)",
        without=frozenset({"d", "det", "log"}),
        optional=True,
    ),
)

GRADIENT = Derivation(
    id="likelihood-gradient",
    title="The gradient of the log marginal likelihood",
    problem=replace(
        LML_GRADIENT,
        id="likelihood-gradient",
        routes=(Route((*_DERIVATIVES, *LML_GRADIENT.routes[0].milestones)),),
    ),
    points=7,
    proofs=("P-62",),
    statement=r"""
Let $\mathrm{d}$ be the derivative along a parameter $\theta$. Write $\mathrm{d}L$ in
$C$, $y$ and $\mathrm{d}C$, without derivatives of anything else, without $\det$ and
$\log$. With $\alpha = C^{-1}y$ it is $\frac12 \mathrm{tr}\bigl((\alpha\alpha^\top -
C^{-1})\,\mathrm{d}C\bigr)$; any form will do.

Two rules are known, and their reason is `derivative` (or `Jacobi` for the second):
$\mathrm{d}(C^{-1}) = -C^{-1}\,\mathrm{d}C\,C^{-1}$ and $\mathrm{d}\log\det C =
\mathrm{tr}(C^{-1}\,\mathrm{d}C)$.

Symbols: `C` (positive definite), `dC = d(C)` (symmetric), `y`,
`L = -1/2*y.T@inv(C)@y - 1/2*log(det(C)) - N/2*log(2*pi)`; `d(…)` is the derivative.
""",
    hints=(
        "Three terms. The last one does not depend on $\\theta$.",
        "$\\mathrm{d}(y^\\top C^{-1} y) = y^\\top\\,\\mathrm{d}(C^{-1})\\,y$, and the "
        "derivative of an inverse has a minus.",
        "A number is its own trace: $\\alpha^\\top\\,\\mathrm{d}C\\,\\alpha = "
        "\\mathrm{tr}(\\alpha\\alpha^\\top\\,\\mathrm{d}C)$.",
    ),
    references=(
        Reference(
            "d(L) = -1/2*y.T@d(inv(C))@y - 1/2*d(log(det(C)))            | derivative\n"
            "d(inv(C)) = -inv(C)@d(C)@inv(C)                 | derivative; inverse C\n"
            "d(log(det(C))) = trace(inv(C)@d(C))                         | Jacobi\n"
            "d(L) = 1/2*y.T@inv(C)@d(C)@inv(C)@y - 1/2*trace(inv(C)@d(C))"
            "   | use 2; use 3\n"
            "d(L) = 1/2*y.T@inv(C)@dC@inv(C)@y - 1/2*trace(inv(C)@dC)    | def dC",
            "term by term",
        ),
        Reference(
            "C@inv(C) = I | inverse C\n"
            "d(C)@inv(C) + C@d(inv(C)) = 0 | derivative\n"
            "C@d(inv(C)) = -d(C)@inv(C) | rearrange\n"
            "d(inv(C)) = -inv(C)@d(C)@inv(C) | inverse C\n"
            "d(L) = -1/2*y.T@d(inv(C))@y - 1/2*d(log(det(C))) | derivative\n"
            "d(L) = 1/2*y.T@inv(C)@d(C)@inv(C)@y - 1/2*d(log(det(C))) | use 4\n"
            "d(L) = 1/2*y.T@inv(C)@d(C)@inv(C)@y - 1/2*trace(inv(C)@d(C)) | Jacobi",
            "the rule for the inverse proved",
        ),
        Reference(
            "alpha = inv(C)@y | let alpha\n"
            "d(L) = 1/2*y.T@inv(C)@d(C)@inv(C)@y - 1/2*trace(inv(C)@d(C))"
            " | derivative; Jacobi\n"
            "d(L) = 1/2*alpha.T@d(C)@alpha - 1/2*trace(inv(C)@d(C)) | def alpha\n"
            "d(L) = 1/2*trace(alpha@alpha.T@d(C)) - 1/2*trace(inv(C)@d(C))"
            " | trace cyclic\n"
            "d(L) = 1/2*trace((alpha@alpha.T - inv(C))@dC) | linearity; def dC",
            "in one trace",
        ),
    ),
    mistakes=(
        Mistake(
            "d(L) = -1/2*y.T@d(inv(C))@y - 1/2*d(log(det(C))) | derivative\n"
            "d(inv(C)) = inv(C)@d(C)@inv(C) | derivative; inverse C\n"
            "d(log(det(C))) = trace(inv(C)@d(C)) | Jacobi\n"
            "d(L) = -1/2*y.T@inv(C)@d(C)@inv(C)@y - 1/2*trace(inv(C)@d(C))"
            " | use 2; use 3",
            why="the minus of the inverse is lost",
            first_bad=2,
            at_most=0.5,
        ),
        Mistake(
            "d(L) = -1/2*y.T@d(inv(C))@y - 1/2*d(log(det(C))) | derivative\n"
            "d(inv(C)) = -inv(C)@inv(C)@d(C) | derivative; inverse C",
            why="matrices are made to commute",
            first_bad=2,
            at_most=0.5,
        ),
        Mistake(
            "d(L) = -1/2*y.T@d(inv(C))@y - 1/2*d(log(det(C))) | derivative\n"
            "d(inv(C)) = -inv(C)@d(C)@inv(C) | derivative; inverse C\n"
            "d(log(det(C))) = 1/det(C) | derivative",
            why="the logarithm of a determinant is differentiated like that of x",
            first_bad=3,
            at_most=0.5,
        ),
        Mistake(
            "d(L) = 1/2*y.T@inv(C)@dC@inv(C)@y - 1/2*trace(inv(C)@dC) | known",
            why="the result is asserted",
            first_bad=1,
            at_most=0.0,
        ),
        Mistake(
            "d(L) = -1/2*y.T@d(inv(C))@y - 1/2*d(log(det(C))) | derivative\n"
            "d(L) = 1/2*y.T@inv(C)@dC@inv(C)@y - 1/2*d(log(det(C)))"
            " | derivative; def dC",
            why="the determinant is left over",
            says="d(L)",
            at_most=0.5,
        ),
    ),
)

SCALE = Values(
    id="scale-by-hand",
    title="The best scale, by hand",
    points=5,
    proofs=("P-62",),
    statement=r"""
Two observations $y = (3, 0)$ and $C = \theta M$ with $M = \begin{pmatrix} 2 & 1 \\ 1 &
2 \end{pmatrix}$; the only parameter is the scale $\theta > 0$, so $\mathrm{d}C = M$. At
$\theta = 1$ give

- `alpha` $= C^{-1}y$; `fit` $= \alpha^\top M \alpha$; `trace` $=
  \mathrm{tr}(C^{-1}M)$; and `slope` $= \frac12(\texttt{fit} - \texttt{trace})$, the
  derivative of $L$.

Then, for all $\theta$:

- `up`: should $\theta$ be made larger than 1 (yes or no)? With S3's "gradient descent"
  on $L$ one would go the other way;
- `best`, the $\theta$ with the largest likelihood;
- `slope10` and `curve10`, the first and the second derivative of $L$ at $\theta = 10$;
- `concave`, whether $L$ is a concave function of $\theta$ (yes or no).
""",
    values=(
        Value(
            "alpha",
            "[2, -1]",
            traps={"[6, 3]": "this is My: solve Mα = y"},
        ),
        Value("fit", "6", traps={"18": "this is yᵀMy", "5": "this is αᵀα"}),
        Value("trace", "2", traps={"4": "this is the trace of M"}),
        Value(
            "slope",
            "2",
            traps={"-2": "the fit pulls θ up", "4": "half of it"},
        ),
        Value("up", "yes", choices=("yes", "no"), weight=0.5),
        Value(
            "best",
            "3",
            weight=1.5,
            traps={
                "6": "divide by the number of observations",
                "1/3": "this is its inverse",
            },
        ),
        Value("slope10", "-7/100", traps={"7/100": "a sign"}),
        Value(
            "curve10",
            "1/250",
            traps={"-1/250": "a sign", "-2/125": "the second term is + 1/θ²"},
        ),
        Value(
            "concave",
            "no",
            choices=("yes", "no"),
            traps={"yes": "look at curve10"},
        ),
    ),
    hints=(
        "$M^{-1} = \\frac13 \\begin{pmatrix} 2 & -1 \\\\ -1 & 2 \\end{pmatrix}$.",
        "$L(\\theta) = -\\frac{1}{2\\theta}\\, y^\\top M^{-1} y - \\log\\theta + "
        "\\text{const}$, because $\\det(\\theta M) = \\theta^2 \\det M$.",
        "$L'(\\theta) = \\frac{3}{\\theta^2} - \\frac1\\theta$.",
    ),
    references=(
        Reference(
            "alpha = [2, -1]\nfit = 6\ntrace = 2\nslope = 2\nup = yes\nbest = 3\n"
            "slope10 = -7/100\ncurve10 = 1/250\nconcave = no",
            "numbers",
        ),
        Reference(
            "alpha = [3*2/3, -3/3]; fit = 3*2; trace = 2; slope = (6 - 2)/2; up = yes\n"
            "best = 6/2; slope10 = 3/100 - 1/10; curve10 = -6/1000 + 1/100\n"
            "concave = no",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "alpha = [2, -1]\nfit = 6\ntrace = 2\nslope = -2\nup = no\nbest = 6\n"
            "slope10 = 7/100\ncurve10 = -1/250\nconcave = yes",
            why="descent for ascent, and signs",
            says="the fit pulls θ up",
            at_most=0.5,
        ),
        Mistake(
            "alpha = [6, 3]\nfit = 18\ntrace = 4\nslope = 7\nup = yes\nbest = 9\n"
            "slope10 = -7/100\ncurve10 = 1/250\nconcave = no",
            why="M for its inverse",
            says="solve Mα = y",
            at_most=0.5,
        ),
        Mistake(
            "alpha = [2, -1]\nfit = 6\ntrace = 2\nslope = 4\nup = yes\nbest = 3\n"
            "slope10 = -7/100\ncurve10 = -2/125\nconcave = yes",
            why="the half, and the second derivative of -log",
            says="half of it",
            at_most=0.7,
        ),
    ),
)


def likelihood(C: np.ndarray, D: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    """The reference of `likelihood-and-gradient`, by a Cholesky factor."""
    factor = cho_factor(C, lower=True)
    alpha = cho_solve(factor, y)
    logdet = 2 * np.log(np.diag(factor[0])).sum()
    value = -(y @ alpha + logdet + len(y) * np.log(2 * np.pi)) / 2
    inner = np.outer(alpha, alpha) - cho_solve(factor, np.eye(len(y)))
    return value, np.einsum("ij,pij->p", inner, D) / 2


def covariances(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """C of small integers, three directions, observations."""
    X = rng.integers(-2, 3, size=(size, size)).astype(float)
    C = X @ X.T + np.eye(size)
    D = rng.integers(-2, 3, size=(3, size, size)).astype(float)
    return C, D + D.transpose(0, 2, 1), rng.integers(-3, 4, size=size).astype(float)


def small_scale(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """So many small numbers that det C is 0 in floating point."""
    n = 120 + size
    C = 1e-3 * (np.eye(n) + 0.25)
    y = 0.03 * rng.normal(size=n)
    return C, np.stack([np.eye(n), np.ones((n, n))]), y


def large_scale(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """And so many large ones that det C is infinite."""
    C, D, y = small_scale(rng, size)
    return 1e6 * C, D, 1e3 * y


def one_direction(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """One observation, one parameter."""
    C, D, y = covariances(rng, size)
    return C[:1, :1], D[:1, :1, :1], y[:1]


LIKELIHOOD = CodeQuestion(
    id="likelihood-and-gradient",
    title="The likelihood and its gradient",
    points=7,
    proofs=("P-62",),
    statement=r"""
Write `likelihood(C, D, y)`. It is given the covariance matrix $C$ of $n$ observations
$y$ and an array `D` of shape $p \times n \times n$ with the derivatives
$\partial C/\partial\theta_1, \dots, \partial C/\partial\theta_p$. Return

- the number $L = -\frac12 y^\top C^{-1} y - \frac12\log\det C - \frac n2 \log 2\pi$;
- the array of its $p$ derivatives.

With a hundred observations $\det C$ may be smaller, or larger, than any floating point
number. Its logarithm is not.
""",
    function="likelihood",
    signature="def likelihood(C, D, y):",
    reference=likelihood,
    inputs=covariances,
    edge_cases=(
        Cases("det C underflows", small_scale, count=2),
        Cases("det C overflows", large_scale, count=2),
        Cases("one observation", one_direction, count=2),
    ),
    rtol=1e-6,
    hints=(
        "If $C = GG^\\top$ with a triangular $G$, then $\\log\\det C = 2\\sum_i \\log "
        "G_{ii}$. Or use `np.linalg.slogdet`.",
        "The derivative by $\\theta_j$ is $\\frac12 \\mathrm{tr}((\\alpha\\alpha^\\top "
        "- C^{-1})\\, D_j)$ with $\\alpha = C^{-1}y$.",
        "The trace of a product of two symmetric matrices is the sum of the products "
        "of their entries: `np.sum(A * B)`.",
    ),
    references=(
        Reference(
            "import numpy as np\n"
            "from scipy.linalg import cho_factor, cho_solve\n\n\n"
            "def likelihood(C, D, y):\n"
            "    n = len(y)\n"
            "    factor = cho_factor(C, lower=True)\n"
            "    alpha = cho_solve(factor, y)\n"
            "    logdet = 2 * np.sum(np.log(np.diag(factor[0])))\n"
            "    value = -0.5 * (y @ alpha + logdet + n * np.log(2 * np.pi))\n"
            "    A = np.outer(alpha, alpha) - cho_solve(factor, np.eye(n))\n"
            "    return value, np.array([0.5 * np.sum(A * d) for d in D])\n",
            "a Cholesky factor",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def likelihood(C, D, y):\n"
            "    alpha = np.linalg.solve(C, y)\n"
            "    logdet = np.linalg.slogdet(C)[1]\n"
            "    constant = len(y) * np.log(2 * np.pi)\n"
            "    value = -(y @ alpha + logdet + constant) / 2\n"
            "    gradient = [\n"
            "        (alpha @ d @ alpha - np.trace(np.linalg.solve(C, d))) / 2\n"
            "        for d in D\n"
            "    ]\n"
            "    return value, np.array(gradient)\n",
            "slogdet and solve",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def likelihood(C, D, y):\n"
            "    values, U = np.linalg.eigh(C)\n"
            "    inverse = (U / values) @ U.T\n"
            "    alpha = inverse @ y\n"
            "    value = -0.5 * (y @ alpha + np.log(values).sum()\n"
            "                    + len(y) * np.log(2 * np.pi))\n"
            "    A = np.outer(alpha, alpha) - inverse\n"
            "    return value, np.einsum('ij,pji->p', A, D) / 2\n",
            "eigenvalues",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n"
            "def likelihood(C, D, y):\n"
            "    inverse = np.linalg.inv(C)\n"
            "    alpha = inverse @ y\n"
            "    with np.errstate(all='ignore'):\n"
            "        logdet = np.log(np.linalg.det(C))\n"
            "    value = -0.5 * (y @ alpha + logdet + len(y) * np.log(2 * np.pi))\n"
            "    A = np.outer(alpha, alpha) - inverse\n"
            "    return value, np.array([0.5 * np.sum(A * d) for d in D])\n",
            why="the determinant itself: 0 or infinite",
            says="det C underflows: 0 of 2",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def likelihood(C, D, y):\n"
            "    inverse = np.linalg.inv(C)\n"
            "    alpha = inverse @ y\n"
            "    logdet = np.linalg.slogdet(C)[1]\n"
            "    value = -0.5 * (y @ alpha + logdet + len(y) * np.log(2 * np.pi))\n"
            "    A = np.outer(alpha, alpha) - inverse\n"
            "    return value, np.array([-0.5 * np.sum(A * d) for d in D])\n",
            why="the gradient of -L",
            says="value 2 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def likelihood(C, D, y):\n"
            "    inverse = np.linalg.inv(C)\n"
            "    alpha = inverse @ y\n"
            "    logdet = np.linalg.slogdet(C)[1]\n"
            "    value = -0.5 * (y @ alpha + logdet + len(y) * np.log(2 * np.pi))\n"
            "    return value, np.array([0.5 * alpha @ d @ alpha for d in D])\n",
            why="the derivative of the log determinant is forgotten",
            says="value 2 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def likelihood(C, D, y):\n"
            "    inverse = np.linalg.inv(C)\n"
            "    alpha = inverse @ y\n"
            "    logdet = np.linalg.slogdet(C)[1]\n"
            "    value = -0.5 * (y @ alpha + logdet)\n"
            "    A = np.outer(alpha, alpha) - inverse\n"
            "    return value, np.array([0.5 * np.sum(A * d) for d in D])\n",
            why="the constant is left out",
            says="value 1 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def likelihood(C, D, y):\n"
            "    inverse = np.linalg.inv(C)\n"
            "    alpha = inverse @ y\n"
            "    logdet = np.sum(np.log(np.diag(np.linalg.cholesky(C))))\n"
            "    value = -0.5 * (y @ alpha + logdet + len(y) * np.log(2 * np.pi))\n"
            "    A = np.outer(alpha, alpha) - inverse\n"
            "    return value, np.array([0.5 * np.sum(A * d) for d in D])\n",
            why="det C is the square of the factor's determinant",
            says="value 1 of 2",
            at_most=0,
        ),
    ),
)

SHEET = Sheet(
    name="07_gaussian_processes",
    title="Exercises: Gaussian processes",
    introduction=INTRODUCTION,
    items=(
        VECTORS,
        SUMS,
        TRANSFORM,
        IMAGE,
        BLOCKS,
        DECORRELATE,
        FUNCTIONS,
        WEIGHTS,
        SINGULAR,
        EXISTENCE,
        REGRESSION,
        BY_HAND,
        RIDGE,
        PREDICT,
        LEARNING,
        GRADIENT,
        SCALE,
        LIKELIHOOD,
    ),
)
