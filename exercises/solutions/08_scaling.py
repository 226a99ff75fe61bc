"""Exercises on large n: costs, the power method, Nyström, features, small systems."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernellab.grading.problems.lowrank import (
    GAP_IS_RESIDUAL,
    NYSTROEM_PROJECTION,
    SMALL_SYSTEM,
)
from kernellab.grading.questions.base import Mistake, Reference, Sheet
from kernellab.grading.questions.code_questions import Cases, CodeQuestion
from kernellab.grading.questions.derivations import Derivation
from kernellab.grading.questions.exact import Real, exp, is_psd
from kernellab.grading.questions.feedback import Finding
from kernellab.grading.questions.intervals import NoValue
from kernellab.grading.questions.kernel_questions import KernelRefutation
from kernellab.grading.questions.puzzles import Block, Puzzle
from kernellab.grading.questions.values import Value, Values
from kernellab.grading.sandbox import Limits

INTRODUCTION = r"""
These are the exercises of [chapter 8](../chapters/08_scaling.ipynb). S1 ends with a
list of complexities (l. 454–467): six lines on matrices, two on approximations of low
rank. Here you count what stands behind each line, find out which of them need one word
more, and write the programs that do with $r$ columns what would take all $n$.

- **Values**, one a line: `factor = 120`, `ratio = 7/3`, `equal = no`. Write large
  numbers as you like: `360000000`, `3.6e8` or `36*10**7`. Where a fraction is asked
  for, give a fraction.
- **Derivations**: one step a line, each with its reason after a bar, as in
  `A@b = c | set to zero`. The language is told in [sheet 1](01_duality.ipynb).
- **A puzzle**: blocks of a proof, of which some do not belong. List the letters of the
  others in an order in which each rests on what stands before it.
- **Functions** in Python, which are run on inputs that you have not seen. They have
  NumPy and SciPy, and 1 GiB of memory, which is less than some of the matrices would
  take that you should not build.

Throughout, $n$ is the number of points, $d$ that of their coordinates, $r$ that of the
columns or landmarks, and $K$ the Gram matrix.
"""


def derivation(route: tuple[str, ...], changes: Mapping[int, str] = {}) -> str:
    """A route with some of its lines replaced, or left out if they are empty."""
    lines = [changes.get(number, line) for number, line in enumerate(route, 1)]
    lines += [line for number, line in changes.items() if number > len(route)]
    return "\n".join(line for line in lines if line)


def slip(why: str, first_bad: int | None, changes: Mapping[int, str], says: str = "",
         at_most: float = 0.9, *, route: tuple[str, ...]) -> Mistake:  # fmt: skip
    """A mistake on a route: the lines that it changes, by their numbers."""
    return Mistake(derivation(route, changes), why, first_bad, says, at_most)


# --- what it costs ----------------------------------------------------------------

COSTS_TEXT = r"""
## What it costs

"$O(n^3)$" says how a cost grows, not how large it is. Both matter: a factor 6 decides
whether one waits for ten minutes or for an hour, and the exponent decides whether
tomorrow's data will be possible at all.
"""

CHOLESKY = Values(
    id="counting-cholesky",
    title="Counting Cholesky's multiplications",
    points=5,
    proofs=("P-23",),
    statement=r"""
To solve $Ka = t$ one factors $K = LL^\top$, column by column, for $j = 1, \dots, n$:

$$
L_{jj} = \Bigl(K_{jj} - \sum_{k<j} L_{jk}^2\Bigr)^{1/2}, \qquad
L_{ij} = \Bigl(K_{ij} - \sum_{k<j} L_{ik}L_{jk}\Bigr) \Big/ L_{jj} \quad (i > j),
$$

and then solves two triangular systems, $Lc = t$ and $L^\top a = c$. Count
**multiplications only** (a square is one), no divisions, roots or additions. Give

- `factor`, their number in the factorisation, and `solve`, their number in the two
  triangular systems together, both for $n = 10$;
- `ratio`, by which factor the first number grows if $n$ is doubled to 20, as a
  fraction; and `limit`, what this factor tends to as $n$ grows;
- `inverse`, how many multiplications the triangular systems take for $n = 10$ if the
  columns of $K^{-1}$ are wanted: the same two systems for each of the $n$ unit vectors,
  making no use of their zeros;
- `times`, how many times as much work it is for large $n$ to compute $K^{-1}$ this way
  (factorisation included) as to solve for one right side (factorisation included).

A number in double precision takes 8 bytes. Give

- `bytes`, the memory for the whole of $K$ if $n = 250\,000$;
- `fits`, the largest $n$ for which $K$ fits into 16 GB, that is $16 \cdot 10^9$ bytes;
- `triangle`, the same if only the lower triangle with its diagonal is kept.
""",
    values=(
        Value("factor", "165", traps={
            "500/3": "this is n³/6, the leading term; the exact number is less",
            "210": "divisions are not counted",
            "220": "divisions and roots are not counted",
            "330": "one triangle is enough: L is zero above the diagonal",
            "120": "for each j there are n - j + 1 entries, the diagonal one included",
        }),
        Value("solve", "90", traps={
            "45": "this is one triangular system; there are two",
            "100": "the divisions by the diagonal entries are not counted",
            "110": "the divisions by the diagonal entries are not counted",
        }),
        Value("ratio", "266/33", exact=True, traps={
            "8": "this is what it tends to; compute both numbers",
        }),
        Value("limit", "8", traps={
            "6": "the leading term is n³/6: what does doubling do to a cube?",
            "4": "the leading term is n³/6: what does doubling do to a cube?",
        }),
        Value("inverse", "900", traps={
            "90": "this is for one right side",
            "450": "two triangular systems for each column",
            "1000": "this is n³; each of the n systems takes n(n - 1)",
        }),
        Value("times", "7", traps={
            "6": "the factorisation belongs to both: (n³/6 + n³) against n³/6",
            "10": "for large n, not for n = 10",
            "2": "compare n³ with n³/6",
        }),
        Value("bytes", "500000000000", weight=0.5, traps={
            "62500000000": "this is the number of entries",
            "250000000000": "this is the triangle",
        }),
        Value("fits", "44721", traps={
            "44722": "this is a little too large: square it, times 8",
            "126491": "8 bytes for each number",
            "46340": "a GB is 10**9 bytes here",
            "46341": "a GB is 10**9 bytes here",
        }),
        Value("triangle", "63245", traps={
            "63246": "the diagonal is kept, too: n(n + 1)/2 numbers",
            "89442": "half of the entries, not half of the n",
        }),
    ),
    hints=(
        "The entry $L_{ij}$ takes $j - 1$ multiplications, whether $i = j$ or $i > j$. "
        "How many entries are there in column $j$?",
        "$\\sum_{j=1}^n (j - 1)(n - j + 1) = \\frac{n^3 - n}{6}$. A triangular system "
        "takes $0 + 1 + \\dots + (n - 1)$.",
        "For the memory: $8n^2 \\le 16 \\cdot 10^9$, and $8\\,\\frac{n(n + 1)}{2} \\le "
        "16 \\cdot 10^9$.",
    ),
    references=(
        Reference(
            "factor = 165  # sum of (j - 1)(n - j + 1), which is (n**3 - n)/6\n"
            "solve = 90  # twice 0 + 1 + ... + 9\n"
            "ratio = 266/33  # 1330/165\n"
            "limit = 8\n"
            "inverse = 900  # ten right sides\n"
            "times = 7  # (n**3/6 + n**3) / (n**3/6), for large n\n"
            "bytes = 500000000000  # 8 * 250000**2: half a terabyte\n"
            "fits = 44721  # the root of 16e9/8, rounded down\n"
            "triangle = 63245  # 4 n (n + 1) is at most 16e9",
            "numbers",
        ),
        Reference(
            "factor = (10**3 - 10)/6; solve = 2*10*9/2\n"
            "ratio = (20**3 - 20)/(10**3 - 10); limit = 2**3; inverse = 10*90\n"
            "times = (1/6 + 1)/(1/6); bytes = 5e11; fits = 44721; triangle = 63245",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "factor = 500/3\nsolve = 100\nratio = 8\nlimit = 8\ninverse = 1000\n"
            "times = 6\nbytes = 500000000000\nfits = 44721\ntriangle = 63245",
            why="leading terms where exact numbers are asked for",
            says="the leading term",
            at_most=0.5,
        ),
        Mistake(
            "factor = 330\nsolve = 45\nratio = 266/33\nlimit = 8\ninverse = 450\n"
            "times = 7\nbytes = 500000000000\nfits = 44721\ntriangle = 63246",
            why="both triangles, one triangular system",
            says="one triangle is enough",
            at_most=0.6,
        ),
        Mistake(
            "factor = 165\nsolve = 90\nratio = 266/33\nlimit = 4\ninverse = 900\n"
            "times = 10\nbytes = 62500000000\nfits = 126491\ntriangle = 89442",
            why="entries for bytes; a square for a cube",
            says="8 bytes for each number",
            at_most=0.6,
        ),
    ),
)  # fmt: skip

DIMENSIONS = Values(
    id="points-or-dimensions",
    title="Many points or many dimensions",
    points=7,
    proofs=("P-23",),
    statement=r"""
S3 says twice (l. 33, l. 428) that kernel methods are "not well adapted to high
dimensional spaces and large datasets". Are both to blame? We count multiplications,
leading terms only, for a kernel whose value costs $d$ of them (as $x^\top x'$ does):

| way | kernel values | linear algebra |
|---|---|---|
| exact, all $n$ points | $\tfrac12 n^2 d$ | $\tfrac16 n^3$ |
| Nyström, $r$ landmarks | $nrd$ | $nr^2 + \tfrac13 r^3$ |

The exact way factors $K + \lambda I$ by Cholesky. Nyström's computes $r$ features of
each point with a triangular system ($\tfrac12 nr^2$), then $\Phi^\top\Phi$ (as much
again), and factors two $r \times r$ matrices.

Take $n = 6000$ and $d = 10$ unless something else is said, and give

- `gram` and `cholesky`, the two costs of the exact way;
- `dimensions`, by which factor the whole exact cost grows if $d$ becomes a
  **thousand** times as large, and `points`, by which factor it grows if $n$ becomes
  **ten** times as large (fractions, please);
- `even`, the $d$ at which the kernel values cost as much as Cholesky's factorisation;
- `memory`, yes or no: does the memory for $K$ grow with $d$?
- `sparse`, the cost of all the kernel values for texts as points: $d = 50\,000$ words,
  but no text has more than 40 different ones, and products with zeros are left out;
- `nystroem`, the whole cost with $r = 300$ landmarks; `twice_n` and `twice_r`, by
  which factors it grows if $n$, or if $r$ is doubled (fractions, please);
- `most`, the largest $r$ for which Nyström still costs less than the exact way.
""",
    values=(
        Value("gram", "180000000", traps={
            "360000000": "K is symmetric: half of the entries are enough",
        }),
        Value("cholesky", "36000000000", traps={
            "72000000000": "this is elimination without symmetry, n³/3",
            "216000000000": "this is n³",
        }),
        Value("dimensions", "400/67", exact=True, weight=1.5, traps={
            "1000": "only the kernel values cost more: compare the sums",
            "5": "this is for the kernel values against Cholesky: compare the sums",
            "1": "the kernel values are not free at d = 10 000",
        }),
        Value("points", "66700/67", exact=True, weight=1.5, traps={
            "1000": "only Cholesky's part grows like that: compare the sums",
            "100": "this is the growth of the memory, and of the kernel values",
            "10": "the number of pairs is larger, and so is that of the triples",
        }),
        Value("even", "2000", traps={
            "6000": "set ½n²d equal to n³/6",
            "3000": "set ½n²d equal to n³/6",
            "1000": "set ½n²d equal to n³/6",
        }),
        Value("memory", "no", weight=0.5, choices=("yes", "no"), traps={
            "yes": "K has n² entries, whatever the points are",
        }),
        Value("sparse", "720000000", traps={
            "900000000000": "a product with zero is no work",
            "1440000000": "K is symmetric: half of the entries are enough",
        }),
        Value("nystroem", "567000000", traps={
            "540000000": "this is nr² alone",
            "549000000": "the kernel values are missing",
            "558000000": "the factorisations are missing",
        }),
        Value("twice_n", "125/63", exact=True, traps={
            "2": "almost: the factorisations do not grow with n",
            "8": "this is for the exact way",
        }),
        Value("twice_r", "4", traps={
            "2": "nr² is by far the largest part",
            "8": "this would be r³ alone",
        }),
        Value("most", "2307", weight=1.5, traps={
            "2308": "there it costs a little more than the exact way",
            "2306": "almost: have you left out the kernel values on both sides?",
            "2449": "this compares nr² with n³/6 alone",
        }),
    ),
    hints=(
        "`dimensions` compares $\\frac12 n^2 \\cdot 10\\,000 + \\frac16 n^3$ with "
        "$\\frac12 n^2 \\cdot 10 + \\frac16 n^3$.",
        "A kernel value of two sparse texts costs at most 40 multiplications, however "
        "many words the language has.",
        "For `most`, the equation is about $r^2(n + r/3) = n^3/6$, which gives $r "
        "\\approx 0.38\\,n$. Let a computer try the integers nearby, with all terms.",
    ),
    references=(
        Reference(
            "gram = 180000000  # 0.5 * n**2 * d\n"
            "cholesky = 36000000000  # n**3 / 6: 200 times as much\n"
            "dimensions = 400/67  # 216e9 / 36.18e9, about 6 for a thousandfold d\n"
            "points = 66700/67  # 36018e9 / 36.18e9, about 996 for a tenfold n\n"
            "even = 2000  # n/3\n"
            "memory = no\n"
            "sparse = 720000000  # 0.5 * n**2 * 40\n"
            "nystroem = 567000000  # 18e6 + 540e6 + 9e6\n"
            "twice_n = 125/63  # 1125/567\n"
            "twice_r = 4  # 2268/567\n"
            "most = 2307  # 38 percent of the points",
            "numbers",
        ),
        Reference(
            "gram = 6000**2*10/2; cholesky = 6000**3/6\n"
            "dimensions = (1.8e11 + 3.6e10)/(1.8e8 + 3.6e10)\n"
            "points = (1.8e10 + 3.6e13)/(1.8e8 + 3.6e10); even = 6000/3; memory = no\n"
            "sparse = 6000**2*40/2; nystroem = 18e6 + 540e6 + 9e6\n"
            "twice_n = (36 + 1080 + 9)/567; twice_r = (36 + 2160 + 72)/567\n"
            "most = 2307",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "gram = 180000000\ncholesky = 36000000000\ndimensions = 1000\n"
            "points = 100\neven = 6000\nmemory = yes\nsparse = 900000000000\n"
            "nystroem = 567000000\ntwice_n = 125/63\ntwice_r = 4\nmost = 2307",
            why="S3's view: the dimension is to blame",
            says="only the kernel values cost more",
            at_most=0.55,
        ),
        Mistake(
            "gram = 360000000\ncholesky = 216000000000\ndimensions = 400/67\n"
            "points = 66700/67\neven = 2000\nmemory = no\nsparse = 1440000000\n"
            "nystroem = 567000000\ntwice_n = 125/63\ntwice_r = 4\nmost = 2307",
            why="symmetry is not used",
            says="half of the entries are enough",
            at_most=0.8,
        ),
        Mistake(
            "gram = 180000000\ncholesky = 36000000000\ndimensions = 5.97\n"
            "points = 995.52\neven = 2000\nmemory = no\nsparse = 720000000\n"
            "nystroem = 540000000\ntwice_n = 2\ntwice_r = 4\nmost = 2449",
            why="decimals, and nr² alone",
            says="this is nr² alone",
            at_most=0.7,
        ),
        Mistake(
            "gram = 180000000\ncholesky = 36000000000\ndimensions = 400/67\n"
            "points = 66700/67\neven = 2000\nmemory = no\nsparse = 720000000\n"
            "nystroem = 567000000\ntwice_n = 8\ntwice_r = 8\nmost = 2308",
            why="cubes everywhere, and one landmark too many",
            says="this is for the exact way",
            at_most=0.8,
        ),
    ),
)  # fmt: skip

# --- the largest eigenvector ------------------------------------------------------

POWER_TEXT = r"""
## The largest eigenvector

"Largest eigenvector: $O(n^2)$", says S1 (l. 462). A product $Kv$ costs that much, and
the power method takes one after the other: $v_{k+1} = Kv_k / \|Kv_k\|$. How many does
it take?
"""

RATE = Puzzle(
    id="power-method-rate",
    title="The rate of the power method",
    points=7,
    proofs=("P-23",),
    statement=r"""
Let $K$ be positive semi-definite with eigenvalues $\mu_1 > \mu_2 \ge \dots \ge \mu_n
\ge 0$, of which $\mu_2 > 0$, and let $u_1$ be a unit eigenvector for $\mu_1$. The power
method starts at a unit vector $v_0$ with $u_1^\top v_0 \ne 0$. Let $\theta_k$ be the
angle between $v_k$ and the line through $u_1$, so that $0 \le \theta_k < 90°$. Put
together a proof of

$$
\tan\theta_k \le \Bigl(\frac{\mu_2}{\mu_1}\Bigr)^{k} \tan\theta_0
$$

and of what it says about the cost. Five of the blocks do not belong.
""",
    blocks=(
        Block(
            "basis",
            r"$K$ is symmetric, so there is an orthonormal basis $u_1, \dots, u_n$ of "
            r"eigenvectors, $Ku_i = \mu_i u_i$. Write $v_0 = \sum_i c_i u_i$; by "
            r"assumption $c_1 \ne 0$.",
        ),
        Block(
            "powers",
            r"Then $K^k v_0 = \sum_i \mu_i^k c_i u_i$, and this is not 0, as "
            r"$\mu_1^k c_1 \ne 0$.",
            needs=("basis",),
        ),
        Block(
            "direction",
            r"Dividing by a length changes no direction: $v_k$ is a positive multiple "
            r"of $K^k v_0$, and encloses the same angle $\theta_k$ with the line "
            r"through $u_1$.",
            needs=("powers",),
        ),
        Block(
            "tangent",
            r"For any $x = \sum_i x_i u_i$ with $x_1 \ne 0$, the part along $u_1$ has "
            r"the length $|x_1|$ and the part across it $\bigl(\sum_{i \ge 2} "
            r"x_i^2\bigr)^{1/2}$. The tangent of the angle is the second divided by "
            r"the first.",
            needs=("basis",),
        ),
        Block(
            "quotient",
            r"Hence $\tan\theta_k = \dfrac{\bigl(\sum_{i \ge 2} \mu_i^{2k} c_i^2"
            r"\bigr)^{1/2}}{\mu_1^k\, |c_1|}$.",
            needs=("direction", "tangent"),
        ),
        Block(
            "bound",
            r"Each $\mu_i$ under the root is between 0 and $\mu_2$, so that "
            r"$\tan\theta_k \le \dfrac{\mu_2^k \bigl(\sum_{i \ge 2} c_i^2\bigr)^{1/2}}"
            r"{\mu_1^k\, |c_1|}$.",
            needs=("quotient",),
        ),
        Block(
            "end",
            r"The fraction without the powers is the tangent for $k = 0$. Thus "
            r"$\tan\theta_k \le (\mu_2/\mu_1)^k \tan\theta_0$.",
            needs=("bound",),
        ),
        Block(
            "steps",
            r"So $\tan\theta_k \le \varepsilon \tan\theta_0$ after $k = \lceil "
            r"\ln(1/\varepsilon) / \ln(\mu_1/\mu_2) \rceil$ steps.",
            needs=("end",),
        ),
        Block(
            "cost",
            r"A step costs $n^2$ multiplications and some multiples of $n$; in all, "
            r"about $n^2 \ln(1/\varepsilon) / \ln(\mu_1/\mu_2)$.",
            needs=("steps",),
        ),
        Block(
            "unnormed",
            r"Then $v_k = \sum_i \mu_i^k c_i u_i$, and $\sin\theta_k = "
            r"\bigl(\sum_{i \ge 2} \mu_i^{2k} c_i^2\bigr)^{1/2}$.",
            why="v_k has length 1, and this vector has not: the sine would be larger "
            "than 1 before long",
        ),
        Block(
            "shrink",
            r"$\|Kv\| \le \mu_2 \|v\|$ for every $v$, because $\mu_2$ is the second "
            r"eigenvalue.",
            why="false for u₁; it holds across u₁, for the vectors orthogonal to it",
        ),
        Block(
            "equality",
            r"By the same computation $\tan\theta_{k+1} = \frac{\mu_2}{\mu_1} "
            r"\tan\theta_k$ for every $k$.",
            why="with three or more different eigenvalues this is an inequality: parts "
            "along u₃, … shrink faster",
        ),
        Block(
            "any",
            r"Every $v_0 \ne 0$ has $c_1 \ne 0$, for otherwise it would not be a unit "
            r"vector.",
            why="vectors orthogonal to u₁ have c₁ = 0, and there are many; it is an "
            "assumption, which a random start satisfies with probability 1",
        ),
        Block(
            "free",
            r"A step costs $n^2$ multiplications, so the largest eigenvector costs "
            r"$O(n^2)$.",
            why="this is S1's line; the number of steps is missing, and no bound on it "
            "is independent of μ₂/μ₁",
        ),
    ),
    hints=(
        "In the basis of the eigenvectors, $K$ multiplies each coordinate by a number.",
        "The normalisation is there for the computer's sake. What does it do to the "
        "angle?",
        "A tangent is a quotient of two lengths, across and along. Which powers of "
        "which eigenvalues stand above and below?",
    ),
    references=(
        Reference(
            "basis, powers, direction, tangent, quotient, bound, end, steps, cost",
            "in order",
        ),
        Reference(
            "basis, tangent, powers, direction, quotient, bound, end, steps, cost",
            "the tangent first",
        ),
    ),
    mistakes=(
        Mistake(
            "basis, powers, direction, tangent, quotient, bound, end, free",
            why="S1's line",
            says="the number of steps is missing",
            at_most=0.8,
        ),
        Mistake(
            "basis, unnormed, bound, end, steps, cost",
            why="a vector that is not normalised",
            says="length 1",
            at_most=0.3,
        ),
        Mistake(
            "basis, equality, end, steps, cost",
            why="an equation where there is an inequality",
            says="shrink faster",
            at_most=0.3,
        ),
        Mistake(
            "any, basis, powers, direction, tangent, quotient, bound, end, steps, cost",
            why="the assumption on the start is proved",
            says="orthogonal to u₁",
            at_most=0.9,
        ),
        Mistake(
            "basis, powers, tangent, quotient, direction, bound, end, steps, cost",
            why="the angle of a vector that is not yet known to be that of v_k",
            says="comes too early",
            at_most=0.9,
        ),
        Mistake(
            "basis, powers, direction, tangent, quotient, bound, end, steps",
            why="the cost is left out",
            says="the proof has a gap",
            at_most=0.9,
        ),
    ),
)

GAPS = Values(
    id="gap-and-iterations",
    title="Gaps and iterations",
    points=6,
    proofs=("P-23",),
    statement=r"""
First by hand: $K = \begin{pmatrix} 4 & 1 \\ 1 & 4 \end{pmatrix}$, started at
$v_0 = (1, 0)$. Give, exactly,

- `eigenvalues`, the larger one first, and `image` $= K^2 v_0$;
- `tan2` $= \tan\theta_2$, where $\theta_2$ is the angle between `image` and the
  eigenvector of the larger eigenvalue;
- `rayleigh` $= v_1^\top K v_1$ for the unit vector $v_1 = Kv_0/\|Kv_0\|$, and
  `residual` $= \|Kv_1 - \rho v_1\|$ with this $\rho$. (There is always an eigenvalue
  within `residual` of $\rho$: a certificate, with nothing else known.)

Then the bound $\tan\theta_k \le (\mu_2/\mu_1)^k \tan\theta_0$. Give the smallest $k$
for which its right side is at most $10^{-4}$

- `k80`, if $\mu_2/\mu_1 = \frac45$ and $\tan\theta_0 = 1$;
- `k98`, if $\mu_2/\mu_1 = \frac{49}{50}$ and $\tan\theta_0 = 1$;
- `k_bad`, if $\mu_2/\mu_1 = \frac12$ and the start is bad: $\tan\theta_0 = 10^8$.

And finally

- `k_value`: Rayleigh quotients are better than the vectors that they come from. With
  two eigenvalues, $\mu_1 - \rho_k = (\mu_1 - \mu_2)\sin^2\theta_k$. With
  $\mu_2/\mu_1 = \frac45$ and $\tan\theta_0 = 1$, which $k$ is the smallest with
  $\tan^2\theta_k \le 10^{-4}$?
- `work`, the multiplications in `k98` products $Kv$ with $n = 2000$;
- `twice`, yes or no: if $\mu_1 = \mu_2 > \mu_3$, do the vectors $v_k$ still approach
  the line of *one given* eigenvector $u_1$, whatever the start? And `value`, yes or no:
  do the $\rho_k$ still tend to $\mu_1$, if $v_0$ is not orthogonal to all its
  eigenvectors?
""",
    values=(
        Value("eigenvalues", "[5, 3]", traps={"[3, 5]": "the larger one first"}),
        Value("image", "[17, 8]", traps={"[4, 1]": "this is Kv₀; once more"}),
        Value("tan2", "9/25", exact=True, traps={
            "3/5": "this is after one step",
            "8/17": "this is the angle with the first axis",
            "25/9": "the other way round: across divided by along",
        }),
        Value("rayleigh", "76/17", exact=True, traps={
            "76": "divide by the squared length of Kv₀",
            "4": "this is for v₀",
        }),
        Value("residual", "15/17", exact=True, traps={
            "225/289": "this is its square",
            "9/17": "this is the true error, 5 - ρ; the residual is a bound on it",
        }),
        Value("k80", "42", traps={
            "41": "just not enough: (4/5)^41 is larger than 10⁻⁴",
            "41.28": "a whole number of steps", "21": "this is for the square",
        }),
        Value("k98", "456", traps={
            "455": "just not enough", "228": "this is for the square",
        }),
        Value("k_bad", "40", traps={
            "14": "tan θ₀ is not 1 here", "39": "just not enough: 2³⁹ < 10¹²",
            "27": "10⁸ must be won back, and then 10⁴ more",
        }),
        Value("k_value", "21", traps={"42": "the tangent is squared"}),
        Value("work", "1824000000", weight=0.5, traps={
            "4000000": "this is one product; S1's O(n²) is the cost of a step",
            "912000": "a product with a matrix takes n² multiplications",
        }),
        Value("twice", "no", weight=0.5, choices=("yes", "no"), traps={
            "yes": "in the plane of u₁ and u₂ every direction is an eigenvector: v_k "
            "stays where the start points",
        }),
        Value("value", "yes", weight=0.5, choices=("yes", "no"), traps={
            "no": "what lies across the plane of u₁ and u₂ dies out with μ₃/μ₁",
        }),
    ),
    hints=(
        "The eigenvectors are $(1, 1)$ and $(1, -1)$. Along and across the first one, "
        "a vector $(p, q)$ has the parts $(p + q)/\\sqrt2$ and $(p - q)/\\sqrt2$.",
        "$k \\ge \\ln(10^4\\tan\\theta_0)/\\ln(\\mu_1/\\mu_2)$, rounded up.",
        "$v_1 = (4, 1)/\\sqrt{17}$ and $Kv_1 = (17, 8)/\\sqrt{17}$.",
    ),
    references=(
        Reference(
            "eigenvalues = [5, 3]  # of (1, 1) and (1, -1)\n"
            "image = [17, 8]\n"
            "tan2 = 9/25  # (17 - 8)/(17 + 8), and it is (3/5)**2\n"
            "rayleigh = 76/17\n"
            "residual = 15/17  # the length of (-15, 60)/17, by that of (4, 1)\n"
            "k80 = 42  # ln(10**4)/ln(5/4) = 41.3\n"
            "k98 = 456  # ln(10**4)/ln(50/49) = 455.9\n"
            "k_bad = 40  # 2**40 is the first power above 10**12\n"
            "k_value = 21  # half as many\n"
            "work = 1824000000  # 456 * 2000**2\n"
            "twice = no  # in the plane of u1 and u2 nothing turns\n"
            "value = yes",
            "numbers",
        ),
        Reference(
            "eigenvalues = [4 + 1, 4 - 1]; image = [4*4 + 1, 4 + 4]\n"
            "tan2 = (17 - 8)/(17 + 8); rayleigh = (4*17 + 1*8)/17\n"
            "residual = sqrt(15**2 + 60**2)/(17*sqrt(17)); k80 = 42; k98 = 456\n"
            "k_bad = 40; k_value = 42/2; work = 456*2000**2; twice = no; value = yes",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "eigenvalues = [5, 3]\nimage = [17, 8]\ntan2 = 8/17\nrayleigh = 76\n"
            "residual = 225/289\nk80 = 41\nk98 = 455\nk_bad = 39\nk_value = 21\n"
            "work = 1824000000\ntwice = no\nvalue = yes",
            why="rounded down, and vectors that are not normalised",
            says="just not enough",
            at_most=0.5,
        ),
        Mistake(
            "eigenvalues = [5, 3]\nimage = [17, 8]\ntan2 = 9/25\nrayleigh = 76/17\n"
            "residual = 9/17\nk80 = 42\nk98 = 456\nk_bad = 14\nk_value = 42\n"
            "work = 4000000\ntwice = yes\nvalue = yes",
            why="S1's O(n²), and the start is forgotten",
            says="the cost of a step",
            at_most=0.65,
        ),
        Mistake(
            "eigenvalues = [3, 5]\nimage = [4, 1]\ntan2 = 3/5\nrayleigh = 4\n"
            "residual = 1\nk80 = 42\nk98 = 456\nk_bad = 40\nk_value = 21\n"
            "work = 1824000000\ntwice = no\nvalue = no",
            why="one step too few",
            says="once more",
            at_most=0.6,
        ),
    ),
)  # fmt: skip


def power_method(K: np.ndarray, v: np.ndarray, tol: float, most: int) -> Any:
    """The reference of `code-power-method`."""
    for count in range(1, most + 1):
        v = v / np.linalg.norm(v)
        y = K @ v
        mu = v @ y
        if np.linalg.norm(y - mu * v) <= tol * mu or count == most:
            return mu, count
        v = y
    raise ValueError("at least one step is needed")


def gram_and_start(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A Gram matrix of small integers, and any start."""
    X = rng.integers(-2, 3, size=(size, size + 1)).astype(float)
    return X @ X.T, rng.normal(size=size).round(3), 1e-6, 500


def slow_start(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A small gap, and so few steps that the tolerance is out of reach."""
    K = np.diag(np.arange(40.0, 40 + size))
    return K, rng.integers(1, 9, size=size).astype(float), 1e-8, 3 + size


def orthogonal_start(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A start that is orthogonal to the largest eigenvector, and stays so."""
    K = np.diag(rng.permutation(np.arange(1.0, size + 2)))
    v = rng.integers(1, 5, size=size + 1).astype(float)
    v[np.argmax(np.diag(K))] = 0
    return K, v, 1e-6, 500


def zero_image(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A start with Kv = 0."""
    K = np.zeros((size + 1, size + 1))
    K[0, 0] = size - 2
    v = rng.integers(1, 5, size=size + 1).astype(float)
    v[0] = 0
    return K, v, 1e-6, 20


def huge_entries(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """K⁴v would be infinite."""
    K, v, tol, most = gram_and_start(rng, size)
    return 1e80 * (K + np.eye(size)), v, tol, most


def tiny_entries(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """K⁴v would be 0, and so would a residual be beside a fixed tolerance."""
    K, v, tol, most = gram_and_start(rng, size)
    return 1e-80 * (K + np.eye(size)), v, tol, most


POWER = CodeQuestion(
    id="code-power-method",
    title="The power method, with its number of steps",
    points=6,
    proofs=("P-23",),
    statement=r"""
Write `power_method(K, v, tol, most)` for a positive semi-definite matrix $K$ and a
start $v \ne 0$, which need not have length 1. In each step

1. divide $v$ by its length;
2. compute $y = Kv$ (this is what costs $n^2$, and what is counted) and
   $\mu = v^\top y$;
3. stop if $\|y - \mu v\| \le \texttt{tol} \cdot \mu$, or if this was step number
   `most`; otherwise go on with $y$ in place of $v$.

Return two numbers: $\mu$, and how many products with $K$ were computed. Use the start
that is given, no random one. If $Kv = 0$, the first step ends it: $\mu = 0$, after one
product.
""",
    function="power_method",
    signature="def power_method(K, v, tol, most):",
    reference=power_method,
    inputs=gram_and_start,
    edge_cases=(
        Cases("the steps run out", slow_start, count=2, smallest=3),
        Cases("a start orthogonal to the largest eigenvector", orthogonal_start),
        Cases("a start with Kv = 0", zero_image, count=2),
        Cases("huge entries", huge_entries, count=2),
        Cases("tiny entries", tiny_entries, count=2),
    ),
    rtol=1e-6,
    atol=0.0,
    hints=(
        "A loop `for count in range(1, most + 1):` counts by itself. What has to be "
        "done before, and what after the test?",
        "The test compares with `tol * mu`, not with `tol`: then it does not depend on "
        "the unit in which $K$ is measured.",
        "Divide by the length at the *beginning* of a step. Then nothing is divided by "
        "0 if $Kv = 0$, since the loop has ended before.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def power_method(K, v, tol, most):\n"
            "    for count in range(1, most + 1):\n"
            "        v = v / np.linalg.norm(v)\n"
            "        y = K @ v\n"
            "        mu = v @ y\n"
            "        if np.linalg.norm(y - mu * v) <= tol * mu:\n"
            "            break\n"
            "        v = y\n"
            "    return mu, count\n",
            "a loop that counts",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def power_method(K, v, tol, most):\n"
            "    count = 0\n"
            "    while True:\n"
            "        v = np.array(v, dtype=float)\n"
            "        v /= np.sqrt(np.sum(v**2))\n"
            "        y = K.dot(v)\n"
            "        count += 1\n"
            "        mu = float(np.dot(v, y))\n"
            "        rest = np.sqrt(np.sum((y - mu * v) ** 2))\n"
            "        if rest <= tol * mu or count == most:\n"
            "            return mu, count\n"
            "        v = y\n",
            "while True",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def power_method(K, v, tol, most, done=0):\n"
            "    v = v / np.linalg.norm(v)\n"
            "    y = K @ v\n"
            "    mu = np.inner(v, y)\n"
            "    small = np.linalg.norm(y - mu * v) <= tol * mu\n"
            "    if small or done + 1 == most:\n"
            "        return mu, done + 1\n"
            "    return power_method(K, y, tol, most, done + 1)\n",
            "recursion",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n"
            "def power_method(K, v, tol, most):\n"
            "    for count in range(1, most + 1):\n"
            "        y = K @ v\n"
            "        mu = (v @ y) / (v @ v)\n"
            "        if np.linalg.norm(y - mu * v) <= tol * mu * np.linalg.norm(v):\n"
            "            break\n"
            "        v = y\n"
            "    return mu, count\n",
            why="never normalised: overflow and underflow",
            says="huge entries: 0 of 2",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def power_method(K, v, tol, most):\n"
            "    v = v / np.linalg.norm(v)\n"
            "    for count in range(1, most + 1):\n"
            "        y = K @ v\n"
            "        mu = v @ y\n"
            "        v = y / np.linalg.norm(y)\n"
            "        if np.linalg.norm(K @ v - mu * v) <= tol * mu:\n"
            "            break\n"
            "    return mu, count\n",
            why="the new vector with the old quotient, and a product that is not "
            "counted",
            says="cases right",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def power_method(K, v, tol, most):\n"
            "    values, vectors = np.linalg.eigh(K)\n"
            "    return values[-1], 1\n",
            why="all eigenvalues, and no steps to count",
            says="value 2 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def power_method(K, v, tol, most):\n"
            "    old = 0.0\n"
            "    for count in range(1, most + 1):\n"
            "        v = v / np.linalg.norm(v)\n"
            "        y = K @ v\n"
            "        mu = v @ y\n"
            "        if abs(mu - old) <= tol * mu:\n"
            "            break\n"
            "        old, v = mu, y\n"
            "    return mu, count\n",
            why="stops when the quotient stands still, long before the vector does",
            says="cases right",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def power_method(K, v, tol, most):\n"
            "    for count in range(1, most + 1):\n"
            "        v = v / np.linalg.norm(v)\n"
            "        y = K @ v\n"
            "        mu = v @ y\n"
            "        if np.linalg.norm(y - mu * v) <= tol:\n"
            "            break\n"
            "        v = y\n"
            "    return mu, count\n",
            why="an absolute tolerance",
            says="value 2 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def power_method(K, v, tol, most):\n"
            "    v = v / np.linalg.norm(v)\n"
            "    count = 0\n"
            "    while count < most:\n"
            "        y = K @ v\n"
            "        count += 1\n"
            "        v_new = y / np.linalg.norm(y)\n"
            "        mu = v @ y\n"
            "        if np.linalg.norm(y - mu * v) <= tol * mu:\n"
            "            break\n"
            "        v = v_new\n"
            "    return (v_new @ K @ v_new), count\n",
            why="the quotient of the next vector, which is 0/0 if Kv = 0",
            says="a start with Kv = 0: 0 of 2",
            at_most=0.5,
        ),
    ),
)

# --- a projection on r points -----------------------------------------------------

NYSTROEM_TEXT = r"""
## Projecting on $r$ points

"Orthogonal projection on the first $r$ columns: $O(nr^2)$", says S1's last line (l.
466). Which space is projected, and why the first columns?
"""

BY_GRADIENT = (
    "J = f.T@f - 2*b.T@Z@f + b.T@Z@Z.T@b                  | expand",
    "J = f.T@f - 2*b.T@c + b.T@A@b                        | def c; def A",
    "grad(J,b) = 2*A@b - 2*c                              | gradient",
    "A@b = c                                              | set to zero",
    "b = inv(A)@c                                         | inverse A",
    "J = f.T@f - 2*c.T@inv(A)@c + c.T@inv(A)@A@inv(A)@c   | use 2; use 5",
    "J = f.T@f - c.T@inv(A)@c                             | inverse A",
    "G = C@inv(A)@Z@Z.T@inv(A)@C.T                        | def F",
    "G = C@inv(A)@A@inv(A)@C.T                            | def A",
    "G = C@inv(A)@C.T                                     | inverse A",
)

PROJECTION = Derivation(
    id="nystroem-projection",
    title="Nyström's approximation is a projection",
    problem=NYSTROEM_PROJECTION,
    points=8,
    proofs=("P-23",),
    statement=r"""
The features of $r$ *landmarks* are the rows of $Z$; their Gram matrix $A = ZZ^\top$
(the $K_{rr}$ of the chapter) is positive definite. A point with the features $f$ has
the kernel values $c = Zf$ with the landmarks. Which combination of the landmarks'
features, $Z^\top b = \sum_j b_j z_j$, is nearest to $f$?

1. Minimise $J = \|f - Z^\top b\|^2$ over $b$. Derive $b = A^{-1}c$: kernel values are
   all it takes.
2. Derive what is left, the least value of $J$: it is $f^\top f - c^\top A^{-1}c$.
3. For $n$ points with features $\Phi$ and kernel values $C = \Phi Z^\top$ (the
   $K_{nr}$), the coefficients are the rows of $CA^{-1}$, so the projected features are
   the rows of $F = CA^{-1}Z$. Derive that their Gram matrix $G = FF^\top$ is
   $CA^{-1}C^\top$, which is Nyström's $\hat K = K_{nr}K_{rr}^{-1}K_{rn}$.

Instead of the gradient you may complete the square: end part 2 with a bound,
`J >= f.T@f - …`, and part 1 is done with it. By the gradient, set it to zero in one
line (`A@b = c`) and solve in the next.

Symbols: `Z` ($R \times M$; its rows as columns are `z[j]`), `f` ($M$), `b` ($R$),
`A = Z@Z.T`, `c = Z@f`, `J`; `Phi` ($N \times M$), `C = Phi@Z.T`, `F = C@inv(A)@Z`,
`G = F@F.T`. A line may open three facts.
""",
    hints=(
        "Multiply $J$ out. Where do $ZZ^\\top$ and $Zf$ appear?",
        "At the minimum $Z(f - Z^\\top b) = 0$: what is left is orthogonal to every "
        "landmark.",
        "In $FF^\\top$ the product $ZZ^\\top$ stands between two inverses of itself.",
    ),
    references=(
        Reference(derivation(BY_GRADIENT), "the gradient"),
        Reference(
            "J = f.T@f - 2*b.T@c + b.T@A@b                | expand; def c; def A\n"
            "J = f.T@f - c.T@inv(A)@c + (b - inv(A)@c).T@A@(b - inv(A)@c)"
            " | complete the square; inverse A\n"
            "J >= f.T@f - c.T@inv(A)@c                    | psd\n"
            "G = C@inv(A)@Z@Z.T@inv(A)@C.T                | def F\n"
            "G = C@inv(A)@C.T                             | def A; inverse A",
            "completing the square",
        ),
        Reference(
            "grad(J,b) = -2*Z@(f - Z.T@b)                 | chain rule\n"
            "Z@(f - Z.T@b) = 0                            | set to zero\n"
            "c - A@b = 0                                  | def c; def A\n"
            "b = inv(A)@c                                 | inverse A\n"
            "J = f.T@(f - Z.T@b) - b.T@Z@(f - Z.T@b)      | expand\n"
            "J = f.T@(f - Z.T@b)                          | use 2\n"
            "J = f.T@f - c.T@b                            | def c\n"
            "J = f.T@f - c.T@inv(A)@c                     | use 4\n"
            "G = C@inv(A)@Z@Z.T@inv(A)@C.T                | def F\n"
            "G = C@inv(A)@C.T                             | def A; inverse A",
            "orthogonality",
        ),
        Reference(
            r"J = \|f\|^2 - 2 c^\top b + b^\top A b           | expand; def c; def A"
            "\n"
            r"\nabla_b J = 2 A b - 2 c                        | differentiate" "\n"
            r"A b = c                                         | set to zero" "\n"
            r"b = A^{-1} c                                    | inverse A" "\n"
            r"J = \|f\|^2 - c^\top A^{-1} c          | use 1; use 4; inverse A" "\n"
            r"G = C A^{-1} Z Z^\top A^{-1} C^\top             | def F" "\n"
            r"G = C A^{-1} C^\top                             | def A; inverse A",
            "LaTeX",
        ),
        Reference(
            "J = norm2(f - sum(b[j]*z[j] for j in R))     | index form\n"
            "diff(J,b[j]) = -2*z[j].T@(f - Z.T@b)         | derivative\n"
            "z[j].T@f - z[j].T@Z.T@b = 0                  | set to zero\n"
            "Z@f - Z@Z.T@b = 0                            | vector form\n"
            "b = inv(A)@c                                 | def A; def c; inverse A\n"
            "J = f.T@f - 2*c.T@b + b.T@A@b                | def c; def A\n"
            "J = f.T@f - c.T@inv(A)@c                     | use 5; inverse A\n"
            "G = C@inv(A)@C.T                     | def F; def A; inverse A",
            "one equation for each landmark",
        ),
    ),
    mistakes=(
        slip(
            "the cross term once",
            2,
            {2: "J = f.T@f - b.T@c + b.T@A@b | def c; def A"},
            says="a factor 2 was lost",
            at_most=0.7,
            route=BY_GRADIENT,
        ),
        slip(
            "a product in the wrong order",
            1,
            {1: "J = f.T@f - 2*b.T@Z@f + b.T@Z.T@Z@b | expand"},
            says="their product has no meaning",
            at_most=0.9,
            route=BY_GRADIENT,
        ),
        slip(
            "the quadratic form without its 2",
            3,
            {3: "grad(J,b) = A@b - 2*c | gradient",
             4: "A@b = 2*c | set to zero", 5: "b = 2*inv(A)@c | inverse A"},
            at_most=0.5,
            route=BY_GRADIENT,
        ),
        slip(
            "the point taken to lie in the span",
            4,
            {4: "f = Z.T@b | set to zero", 5: "b = inv(A)@c | def A; def c; inverse A"},
            says="counterexample",
            at_most=0.75,
            route=BY_GRADIENT,
        ),
        slip(
            "what is left, with a plus",
            7,
            {7: "J = f.T@f + c.T@inv(A)@c | inverse A"},
            says="counterexample",
            at_most=0.8,
            route=BY_GRADIENT,
        ),
        slip(
            "both inverses kept",
            9,
            {9: "G = C@inv(A)@inv(A)@C.T | def A", 10: ""},
            says="the factor A was lost",
            at_most=0.8,
            route=BY_GRADIENT,
        ),
        slip(
            "the approximation taken for K",
            8,
            {8: "G = Phi@Phi.T | def F; def C"},
            says="counterexample",
            at_most=0.9,
            route=BY_GRADIENT,
        ),
        slip("stops before the Gram matrix", None, {8: "", 9: "", 10: ""},
             says="G in C and A", at_most=0.8, route=BY_GRADIENT),
        Mistake(
            "b = inv(A)@c | known\nJ = f.T@f - c.T@inv(A)@c | known\n"
            "G = C@inv(A)@C.T | known",
            why="everything asserted",
            first_bad=1,
            at_most=0.0,
        ),
        Mistake(
            "J = f.T@f - 2*b.T@c + b.T@A@b | expand; def c; def A\n"
            "J >= f.T@f - c.T@inv(A)@c | psd\n"
            "G = C@inv(A)@C.T | def F; def A; inverse A",
            why="a bound without its square",
            first_bad=2,
            at_most=0.5,
        ),
    ),
)  # fmt: skip


def _matrix(data: Any) -> list[list[Real]] | None:
    """A 2×2 matrix of numbers, or None."""
    rows = [row if isinstance(row, tuple) else () for row in data]
    entries = [x for row in rows for x in row if isinstance(x, Real)]
    square = [len(row) for row in rows] == [2, 2] and len(entries) == 4
    return [entries[:2], entries[2:]] if square else None


def _equal(A: list[list[Real]], B: list[list[Real]]) -> bool:
    return all(a.same(b) for x, y in zip(A, B, strict=True)
               for a, b in zip(x, y, strict=True))  # fmt: skip


def projected_columns(K: list[list[Real]]) -> list[list[Real]]:
    """QQᵀK, where Q is the first column of K, divided by its length."""
    q = [K[0][0], K[1][0]]
    square = q[0] * q[0] + q[1] * q[1]
    row = [q[0] * K[0][j] + q[1] * K[1][j] for j in (0, 1)]
    return [[x * y / square for y in row] for x in q]


def projected_features(K: list[list[Real]]) -> list[list[Real]]:
    """Nyström's approximation with the first point as its landmark."""
    return [[K[i][0] * K[0][j] / K[0][0] for j in (0, 1)] for i in (0, 1)]


def check_columns(data: Mapping[str, Any]) -> list[Finding]:
    """A Gram matrix of two points, and both projections of it."""
    K, M, N = (_matrix(data[name]) for name in "KMN")
    if K is None:
        return [Finding(False, "K: a 2×2 matrix such as [[1, 0], [0, 1]] is asked for")]
    if not K[0][1].same(K[1][0]):
        return [Finding(False, "K: a Gram matrix is symmetric, this one is not")]
    if not is_psd(K):
        return [Finding(False, "K: it has a negative eigenvalue, so no points have it")]
    if K[0][0].sign() == 0:
        return [Finding(False, "K: its first column is zero, there is no projection")]
    right = projected_columns(K)
    differ = not right[0][1].same(right[1][0])
    return [
        Finding(differ, "K: a Gram matrix, and QQᵀK is not symmetric", 2.0)
        if differ
        else Finding(False, "K: a Gram matrix, but QQᵀK is symmetric for it", 2.0),
        _projection("M", "QQᵀK", M, right, "Nyström's", projected_features(K)),
        _projection("N", "Nyström's", N, projected_features(K), "QQᵀK", right),
    ]


def _projection(name: str, words: str, given: list[list[Real]] | None,
                right: list[list[Real]], others: str,
                other: list[list[Real]]) -> Finding:  # fmt: skip
    if given is None:
        return Finding(False, f"{name}: a 2×2 matrix is asked for", 1.0)
    if _equal(given, right):
        return Finding(True, f"{name}: {words}, for your K", 1.0)
    if _equal(given, other):
        return Finding(False, f"{name}: this is {others}", 1.0)
    return Finding(False, f"{name}: not {words}, for your K", 1.0)


COLUMNS = Values(
    id="columns-or-features",
    title="Projected columns are another matter",
    points=6,
    proofs=("P-23",),
    statement=r"""
One might read S1's "orthogonal projection on the first $r$ columns" in $\mathbb{R}^n$:
let $Q$ be an orthonormal basis of the span of the first $r$ columns of $K$, and project
all columns on it, which gives $QQ^\top K$. Show that this is not what we want. Take
$r = 1$, so that $Q$ is the first column divided by its length. Give

- `smallest`, the smallest $n$ for which $QQ^\top K$ can fail to be symmetric;
- for this $n$ a Gram matrix `K` of your own (symmetric, positive semi-definite) for
  which $QQ^\top K$ is **not symmetric**, for example as `K = [[1, 0], [0, 1]]`;
- `M` $= QQ^\top K$ and `N` $= K_{nr}K_{rr}^{-1}K_{rn}$, both for your $K$, exactly.

Then for all $K$ of full rank with $n = 1000$ and $r = 50$:

- `read_columns` and `read_features`: how many entries of $K$ have to be known for
  $QQ^\top K$, and how many for Nyström's $\hat K$? (Count the entries of the matrices
  that stand in the formulas, symmetry left aside.)
- `cost_columns`: how many multiplications do the two products $Q^\top K$ and then
  $Q(Q^\top K)$ take, and `factor`, how many times as many is that as $nr^2$?
- `nearer`: which of the two is nearer to $K$, if the distance is the sum of the squared
  entries of the difference; `columns` or `features`?
- `gram`: which of the two is always the Gram matrix of some points, `columns` or
  `features`?
""",
    values=(
        Value("smallest", "2", weight=0.5, traps={
            "1": "a 1×1 matrix is symmetric", "3": "two points are enough",
        }),
        Value("K"),
        Value("M"),
        Value("N"),
        Value("read_columns", "1000000", traps={
            "50000": "the product QᵀK needs all columns of K",
        }),
        Value("read_features", "50000", traps={
            "52500": "K_rr is a part of K_nr",
            "1000000": "this is all of K",
            "2500": "this is K_rr alone",
        }),
        Value("cost_columns", "100000000", traps={
            "50000000": "this is one of the two products",
            "2500000": "this is nr², as S1 has it; but all of K is multiplied here",
        }),
        Value("factor", "40", weight=0.5, traps={"20": "there are two products"}),
        Value("nearer", "columns", weight=0.5, choices=("columns", "features"), traps={
            "features": "QQᵀK is the nearest of all matrices whose columns lie in the "
            "span of the first r; those of K̂ lie there, too",
        }),
        Value("gram", "features", weight=0.5, choices=("columns", "features"), traps={
            "columns": "a Gram matrix is symmetric",
        }),
    ),
    check=check_columns,
    check_weight=3.0,
    hints=(
        "With $K = \\begin{pmatrix} a & b \\\\ b & c \\end{pmatrix}$ the first column "
        "is $q = (a, b)$, and $QQ^\\top K = \\frac{1}{a^2 + b^2}\\, q\\, (q^\\top K)$.",
        "The entry below the diagonal is $b$ again. The one above is "
        "$ab(a + c)/(a^2 + b^2)$. When are they equal?",
        "They are equal if $b = 0$, or if $ac = b^2$. Take a $K$ without zeros that "
        "is invertible. For `N`, divide the product of the first column and the first "
        "row by $a$.",
    ),
    references=(
        Reference(
            "smallest = 2\n"
            "K = [[1, 1], [1, 2]]  # any K with b not 0 and a c > b**2 will do\n"
            "M = [[1, 3/2], [1, 3/2]]  # q = (1, 1), and q K = (2, 3), divided by 2\n"
            "N = [[1, 1], [1, 1]]\n"
            "read_columns = 1000000\n"
            "read_features = 50000\n"
            "cost_columns = 100000000  # 2 n**2 r\n"
            "factor = 40  # 2 n / r\n"
            "nearer = columns  # nearer, but no Gram matrix\n"
            "gram = features",
            "small integers",
        ),
        Reference(
            "smallest = 2; K = [[2, 1], [1, 2]]; M = [[2, 8/5], [1, 4/5]]\n"
            "N = [[2, 1], [1, 1/2]]; read_columns = 1000**2; read_features = 1000*50\n"
            "cost_columns = 2*1000**2*50; factor = 2*1000/50\n"
            "nearer = columns; gram = features",
            "another matrix",
        ),
        Reference(
            "smallest = 2\nK = [[1, -1/2], [-1/2, 1]]\nM = [[1, -4/5], [-1/2, 2/5]]\n"
            "N = [[1, -1/2], [-1/2, 1/4]]\nread_columns = 1e6\nread_features = 5e4\n"
            "cost_columns = 1e8\nfactor = 40\nnearer = columns\ngram = features",
            "fractions",
        ),
    ),
    mistakes=(
        Mistake(
            "smallest = 2\nK = [[2, 0], [0, 1]]\nM = [[2, 0], [0, 0]]\n"
            "N = [[2, 0], [0, 0]]\nread_columns = 1000000\nread_features = 50000\n"
            "cost_columns = 100000000\nfactor = 40\nnearer = columns\ngram = features",
            why="a diagonal matrix: both projections agree",
            says="QQᵀK is symmetric for it",
            at_most=0.85,
        ),
        Mistake(
            "smallest = 2\nK = [[1, 2], [2, 1]]\nM = [[1, 4/5], [2, 8/5]]\n"
            "N = [[1, 2], [2, 4]]\nread_columns = 1000000\nread_features = 50000\n"
            "cost_columns = 100000000\nfactor = 40\nnearer = columns\ngram = features",
            why="no Gram matrix",
            says="a negative eigenvalue",
            at_most=0.7,
        ),
        Mistake(
            "smallest = 2\nK = [[1, 1], [1, 2]]\nM = [[1, 1], [1, 1]]\n"
            "N = [[1, 3/2], [1, 3/2]]\nread_columns = 50000\nread_features = 50000\n"
            "cost_columns = 2500000\nfactor = 1\nnearer = features\ngram = features",
            why="the two are exchanged, and the cost is S1's",
            says="M: this is Nyström's",
            at_most=0.6,
        ),
        Mistake(
            "smallest = 3\nK = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]\nM = [[1, 1], [1, 1]]"
            "\nN = [[1, 1], [1, 1]]\nread_columns = 1000000\nread_features = 52500\n"
            "cost_columns = 50000000\nfactor = 20\nnearer = columns\ngram = columns",
            why="three points, and one product",
            says="two points are enough",
            at_most=0.4,
        ),
    ),
)  # fmt: skip

LANDMARKS = Values(
    id="landmarks-by-hand",
    title="First columns or pivots",
    points=6,
    proofs=("P-23",),
    statement=r"""
Why the *first* $r$ columns? Take the kernel $k(x, x') = \min(x, x')$ at the points $1,
2, 4, 8$, in this order:

$$
K = \begin{pmatrix} 1 & 1 & 1 & 1 \\ 1 & 2 & 2 & 2 \\ 1 & 2 & 4 & 4 \\ 1 & 2 & 4 & 8
\end{pmatrix} .
$$

The error of $\hat K = K_{nr}K_{rr}^{-1}K_{rn}$ is measured by
$\mathrm{tr}(K - \hat K)$, the sum of what is left of all the squared lengths. Give,
exactly,

- `first1` and `first2`, the error with the first point, and with the first two points
  as landmarks;
- `pivots`: the greedy choice takes the point of which most is left, the largest entry
  on the diagonal of $K - \hat K$, and starts again. Give the first three points that it
  takes, as `[…, …, …]`;
- `errors`, the errors with 0, 1, 2 and 3 of these landmarks, as a list of four numbers;
- `b`, the coefficients of the projection of $\varphi(2)$ on the features of the first
  two pivots, in the order in which they were taken;
- `entry`, the value $\hat k(1, 2)$ with the first two pivots, and `bound`, the bound
  $\sqrt{e_1 e_2}$ on the error of this entry, where $e_1$ and $e_2$ are what is left at
  the points 1 and 2 (Cauchy–Schwarz);
- `needed`, how many landmarks it takes until the error is 0.
""",
    values=(
        Value("first1", "11", traps={
            "15": "this is the trace of K; something has been won",
            "4": "this is what has been won, the trace of K̂",
        }),
        Value("first2", "8", traps={"7": "this is what has been won"}),
        Value("pivots", "[8, 4, 2]", weight=1.5, traps={
            "[8, 4, 1]": "of the point 2 more is left than of the point 1",
            "[8, 2, 4]": "with 8 as landmark, k - k̂ is x - x²/8 on the diagonal",
            "[4, 3, 2]": "the points themselves are asked for, not their numbers",
            "[4, 8, 2]": "the largest entry of the diagonal comes first",
            "[1, 2, 4]": "these are the first ones",
        }),
        Value("errors", "[15, 35/8, 7/4, 1/2]", weight=1.5, exact=True, traps={
            "[15, 11, 8, 4]": "these are the errors with the first points",
            "[0, 85/8, 53/4, 29/2]": "this is what has been won, not what is left",
        }),
        Value("b", "[0, 1/2]", exact=True, traps={
            "[1/2, 0]": "in the order in which they were taken: 8 first",
            "[2, 2]": "these are the kernel values; solve K_rr b = k_r",
        }),
        Value("entry", "1/2", exact=True, traps={
            "1": "this is k(1, 2)", "1/4": "with both pivots, not with 8 alone",
        }),
        Value("bound", "sqrt(3)/2", exact=True, traps={
            "3/4": "this is its square", "1/2": "this is the error itself",
        }),
        Value("needed", "4", weight=0.5, traps={
            "3": "after three, half a unit is left at the point 1",
        }),
    ),
    hints=(
        "With one landmark $z$, $\\hat k(x, x') = k(x, z)k(z, x')/k(z, z)$. With $z = "
        "1$ this is 1 everywhere, with $z = 8$ it is $xx'/8$.",
        "With the landmarks 4 and 8, $\\hat k(x, \\cdot)$ for $x < 4$ is the straight "
        "line from 0 that agrees with $k(x, \\cdot)$ at 4: the landmark 8 adds nothing "
        "there.",
        "After 8 and 4, $x - x^2/4$ is left at $x = 1$ and $x = 2$.",
    ),
    references=(
        Reference(
            "first1 = 11  # x - 1 is left: 0 + 1 + 3 + 7\n"
            "first2 = 8  # x - 2 is left at 4 and 8\n"
            "pivots = [8, 4, 2]\n"
            "errors = [15, 35/8, 7/4, 1/2]  # 7/4 with two; first2 was 8\n"
            "b = [0, 1/2]  # 8 b1 + 4 b2 = 2 and 4 b1 + 4 b2 = 2\n"
            "entry = 1/2  # 1 * 2 / 4; k(1, 2) is 1\n"
            "bound = sqrt(3)/2  # 3/4 is left at 1, and 1 at 2\n"
            "needed = 4  # K is invertible",
            "numbers",
        ),
        Reference(
            "first1 = 0 + 1 + 3 + 7; first2 = 2 + 6; pivots = [8, 4, 2]\n"
            "errors = [1 + 2 + 4 + 8, 7/8 + 3/2 + 2, 3/4 + 1, 1/2]\nb = [0, 2/4]\n"
            "entry = 1*2/4; bound = sqrt(3/4*1); needed = 4",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "first1 = 11\nfirst2 = 8\npivots = [1, 2, 4]\nerrors = [15, 11, 8, 4]\n"
            "b = [2, 2]\nentry = 1\nbound = 3/4\nneeded = 3",
            why="the first columns throughout",
            says="these are the first ones",
            at_most=0.4,
        ),
        Mistake(
            "first1 = 4\nfirst2 = 7\npivots = [8, 4, 2]\nerrors = [0, 85/8, 53/4, 29/2]"
            "\nb = [1/2, 0]\nentry = 1/2\nbound = sqrt(3)/2\nneeded = 4",
            why="what has been won for what is left; the order of the pivots",
            says="what has been won",
            at_most=0.6,
        ),
        Mistake(
            "first1 = 11\nfirst2 = 8\npivots = [4, 3, 2]\n"
            "errors = [15, 4.375, 1.75, 0.5]\nb = [0, 0.5]\nentry = 1/4\n"
            "bound = 0.866\nneeded = 4",
            why="numbers of the points for the points; one pivot for two",
            says="not their numbers",
            at_most=0.7,
        ),
    ),
)  # fmt: skip


def nystroem(A: np.ndarray, C: np.ndarray) -> np.ndarray:
    """The reference of `code-nystroem`."""
    values, U = np.linalg.eigh(A)
    kept = values > 1e-10 * values[-1]
    U, values = U[:, kept], values[kept]
    return (C @ (U / np.sqrt(values))) @ U.T


def landmarks_and_points(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """More features than landmarks, small integers."""
    Z = rng.integers(-2, 3, size=(size, size + 3)).astype(float)
    Z[:, :size] += 3 * np.eye(size)
    X = rng.integers(-2, 3, size=(size + 1, size + 3)).astype(float)
    return Z @ Z.T, X @ Z.T


def inexact(rng: np.random.Generator, A: np.ndarray, C: np.ndarray) -> tuple[Any, ...]:
    """Kernel values with errors: then C does not vanish on the kernel of A."""
    return A, C + 1e-7 * rng.normal(size=C.shape)


def repeated_landmark(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """The first landmark once more, as the last one: K_rr is singular."""
    Z = rng.integers(-2, 3, size=(size, size + 3)).astype(float)
    Z[:, :size] += 3 * np.eye(size)
    X = rng.integers(-2, 3, size=(size + 1, size + 3)).astype(float)
    Z = np.vstack([Z, Z[:1]])
    return inexact(rng, Z @ Z.T, X @ Z.T)


def few_features(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """The linear kernel in the plane: rank 2, however many landmarks."""
    Z = rng.integers(-3, 4, size=(size + 2, 2)).astype(float)
    Z[:2] = [[1, 2], [2, -1]]
    X = rng.integers(-3, 4, size=(size, 2)).astype(float)
    return inexact(rng, Z @ Z.T, X @ Z.T)


def small_units(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A singular K_rr in units in which all of it is tiny."""
    A, C = repeated_landmark(rng, size)
    return 1e-14 * A, 1e-14 * C


def zero_landmark(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """One landmark, with features that are all zero."""
    return np.zeros((1, 1)), np.zeros((size, 1))


FEATURES = CodeQuestion(
    id="code-nystroem",
    title="Nyström features, also from a singular matrix",
    points=7,
    proofs=("P-23",),
    statement=r"""
Write `nystroem(A, C)`. It is given $A = K_{rr}$, the Gram matrix of the landmarks, and
$C = K_{nr}$, the kernel values of $n$ points with them. Return the $n \times r$ matrix
of features

$$
\hat\Phi = C\,A^{-1/2},
$$

where $A^{-1/2}$ is the *symmetric* positive semi-definite square root of the inverse of
$A$. Then $\hat\Phi\hat\Phi^\top = CA^{-1}C^\top = \hat K$.

But $A$ may be singular: a landmark was taken twice, or the kernel has fewer features
than there are landmarks. Then $A^{-1/2}$ is taken on the range of $A$ and 0 on its
kernel: if $A = \sum_i \mu_i u_i u_i^\top$, it is $\sum \mu_i^{-1/2} u_i u_i^\top$ over
the eigenvalues with $\mu_i > 10^{-10}\mu_{\max}$; the others are zero but for rounding.
If all are zero, so is $\hat\Phi$. (Kernel values are never exact; those in $C$ may have
errors of about $10^{-7}$. Divided by the root of an eigenvalue of $10^{-16}$, they
would be all that one sees.)
""",
    function="nystroem",
    signature="def nystroem(A, C):",
    reference=nystroem,
    inputs=landmarks_and_points,
    edge_cases=(
        Cases("a landmark twice", repeated_landmark),
        Cases("fewer features than landmarks", few_features),
        Cases("all of it tiny, and singular", small_units, count=2),
        Cases("zero", zero_landmark, count=2, weight=0.5),
    ),
    rtol=1e-6,
    atol=0.0,
    hints=(
        "`values, U = np.linalg.eigh(A)` gives the eigenvalues in rising order, and "
        "the eigenvectors as the columns of `U`.",
        "Choose the columns that you keep: `kept = values > 1e-10 * values[-1]`. An "
        "absolute limit would depend on the unit in which $k$ is measured.",
        "With the columns and values that were kept, $A^{-1/2} = U\\,\\mathrm{diag}"
        "(\\mu^{-1/2})\\,U^\\top$. With none of them, NumPy's empty products give the "
        "zero matrix by themselves.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def nystroem(A, C):\n"
            "    values, U = np.linalg.eigh(A)\n"
            "    kept = values > 1e-10 * values[-1]\n"
            "    U, values = U[:, kept], values[kept]\n"
            "    return C @ (U / np.sqrt(values)) @ U.T\n",
            "eigenvectors that are kept",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def nystroem(A, C):\n"
            "    U, s, Vt = np.linalg.svd(A, hermitian=True)\n"
            "    inverse = np.zeros(len(s))\n"
            "    good = s > 1e-10 * s.max()\n"
            "    inverse[good] = 1 / np.sqrt(s[good])\n"
            "    return C @ (U * inverse) @ U.T\n",
            "singular values",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def nystroem(A, C):\n"
            "    mu, U = np.linalg.eigh(A)\n"
            "    root = np.zeros(A.shape)\n"
            "    for m, u in zip(mu, U.T):\n"
            "        if m > 1e-10 * max(mu):\n"
            "            root += np.outer(u, u) / m**0.5\n"
            "    return C @ root\n",
            "a sum over eigenvectors",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n"
            "def nystroem(A, C):\n"
            "    mu, U = np.linalg.eigh(A)\n"
            "    return C @ (U / np.sqrt(np.abs(mu))) @ U.T\n",
            why="the zero eigenvalues are inverted with the others",
            says="a landmark twice: 0 of 3",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n"
            "from scipy.linalg import solve_triangular\n\n"
            "def nystroem(A, C):\n"
            "    L = np.linalg.cholesky(A)\n"
            "    return solve_triangular(L, C.T, lower=True).T\n",
            why="features, but not the symmetric root, and no singular A",
            says="regular: 0 of 8",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def nystroem(A, C):\n"
            "    return C @ np.linalg.pinv(A)\n",
            why="the inverse in place of its root",
            says="regular: 0 of 8",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def nystroem(A, C):\n"
            "    mu, U = np.linalg.eigh(A)\n"
            "    kept = mu > 1e-10\n"
            "    U, mu = U[:, kept], mu[kept]\n"
            "    return C @ (U / np.sqrt(mu)) @ U.T\n",
            why="an absolute limit: everything tiny is thrown away",
            says="all of it tiny, and singular: 0 of 2",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def nystroem(A, C):\n"
            "    mu, U = np.linalg.eigh(A + 0.01 * np.eye(len(A)))\n"
            "    return C @ (U / np.sqrt(mu)) @ U.T\n",
            why="a jitter that changes the answer",
            says="regular: 0 of 8",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def nystroem(A, C):\n"
            "    mu, U = np.linalg.eigh(A)\n"
            "    kept = mu > 1e-10 * mu[-1]\n"
            "    U, mu = U[:, kept], mu[kept]\n"
            "    return C @ (U / np.sqrt(mu))\n",
            why="without the last factor: as many columns as were kept",
            says="regular: 0 of 8",
            at_most=0,
        ),
    ),
)


def pivoted(X: np.ndarray, sigma: float, tol: float) -> tuple[np.ndarray, np.ndarray]:
    """The reference of `code-pivoted-cholesky`."""
    n = len(X)
    L, left, errors = np.zeros((n, 0)), np.ones(n), [float(n)]
    while errors[-1] > tol * n and L.shape[1] < n:
        p = int(np.argmax(left))
        column = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))
        column = (column - L @ L[p]) / np.sqrt(left[p])
        L = np.column_stack([L, column])
        left = np.maximum(left - column**2, 0)
        left[p] = 0
        errors.append(left.sum())
    return L, np.array(errors)


def scattered(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A few points of the plane."""
    return rng.normal(size=(size + 2, 2)).round(2), 1.0, 0.05


def strict_tolerance(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A width so small that all points are needed."""
    return 10.0 * rng.permutation(size + 1)[:, None], 1.0, 1e-4


def repeated_points(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Every point three times."""
    X = rng.normal(size=(size + 1, 2)).round(2)
    return X[np.arange(3 * len(X)) % len(X)], 1.0, 1e-6


def one_point(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """One point in many dimensions."""
    return rng.normal(size=(1, size)).round(2), 2.0, 0.1


def many_points(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """20 000 points: K would take 3.2 GB."""
    return rng.uniform(size=(20_000, 2)), 1.0, 1e-3 / size


PIVOTED = CodeQuestion(
    id="code-pivoted-cholesky",
    title="Pivoted Cholesky that never holds K",
    points=8,
    proofs=("P-23",),
    statement=r"""
Write `pivoted(X, sigma, tol)` for the rows of `X` as points and the Gaussian kernel
$k(x, x') = \exp(-\|x - x'\|^2/(2\sigma^2))$. It builds $L$, $n \times r$, with
$K \approx LL^\top$, one column at a time:

1. Keep the diagonal of what is left, $e_i = k(x_i, x_i) - \sum_m L_{im}^2$. At first
   $L$ has no columns, and $e_i = 1$.
2. The *pivot* $p$ is the index of the largest $e_i$ (the first one, if there are
   several).
3. The new column is $\bigl(k(x_i, x_p) - \sum_m L_{im}L_{pm}\bigr)_i \big/ \sqrt{e_p}$.
4. Stop as soon as $\sum_i e_i \le \texttt{tol} \cdot n$, and at the latest with $n$
   columns.

Return two arrays: $L$, and the errors $\sum_i e_i$ with $0, 1, \dots, r$ columns, which
are $r + 1$ numbers. They are the trace of $K - LL^\top$, exactly: the method knows how
good it is.

One of the inputs has 20 000 points. Compute the kernel values with the pivot, and no
others: $O(nr)$ of them, and $O(nr^2)$ work.
""",
    function="pivoted",
    signature="def pivoted(X, sigma, tol):",
    reference=pivoted,
    inputs=scattered,
    edge_cases=(
        Cases("all points are needed", strict_tolerance),
        Cases("every point three times", repeated_points),
        Cases("one point", one_point, count=2, weight=0.5),
        Cases("20 000 points", many_points, count=1),
    ),
    rtol=1e-5,
    hints=(
        "All you need in a step is `column = np.exp(-((X - X[p])**2).sum(axis=1) / (2 "
        "* sigma**2))`: one column of $K$.",
        "With the columns so far as an $n \\times m$ array `L`, the sum in step 3 is "
        "`L @ L[p]`. `np.zeros((n, 0))` is an array without columns, and such products "
        "work with it.",
        "After a step subtract the squares of the new column from $e$. Rounding may "
        "leave tiny negative numbers; they do no harm, but no root may be taken of "
        "them.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def pivoted(X, sigma, tol):\n"
            "    n = len(X)\n"
            "    L = np.zeros((n, 0))\n"
            "    e = np.ones(n)\n"
            "    errors = [e.sum()]\n"
            "    while errors[-1] > tol * n and L.shape[1] < n:\n"
            "        p = np.argmax(e)\n"
            "        column = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))"
            "\n"
            "        column = (column - L @ L[p]) / np.sqrt(e[p])\n"
            "        L = np.column_stack([L, column])\n"
            "        e = e - column**2\n"
            "        errors.append(e.sum())\n"
            "    return L, np.array(errors)\n",
            "columns stacked",
        ),
        Reference(
            "import numpy as np\n"
            "from scipy.spatial.distance import cdist\n\n\n"
            "def pivoted(X, sigma, tol):\n"
            "    n = X.shape[0]\n"
            "    rows, e = [], np.ones(n)\n"
            "    errors = [float(n)]\n"
            "    while errors[-1] > tol * n and len(rows) < n:\n"
            "        p = int(e.argmax())\n"
            "        squares = cdist(X, X[[p]], 'sqeuclidean')[:, 0]\n"
            "        k = np.exp(-squares / (2 * sigma**2))\n"
            "        for row in rows:\n"
            "            k = k - row * row[p]\n"
            "        k = k / np.sqrt(e[p])\n"
            "        rows.append(k)\n"
            "        e = np.clip(e - k * k, 0, None)\n"
            "        errors.append(e.sum())\n"
            "    return np.array(rows).T, np.array(errors)\n",
            "a list of rows",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def pivoted(X, sigma, tol):\n"
            "    n = len(X)\n"
            "    room = 16\n"
            "    L = np.zeros((n, room))\n"
            "    e = np.ones(n)\n"
            "    errors = [e.sum()]\n"
            "    squares = np.sum(X**2, axis=1)\n"
            "    r = 0\n"
            "    while errors[-1] > tol * n and r < n:\n"
            "        if r == L.shape[1]:\n"
            "            L = np.hstack([L, np.zeros((n, r))])\n"
            "        p = int(np.argmax(e))\n"
            "        distances = np.maximum(squares + squares[p] - 2 * X @ X[p], 0)\n"
            "        k = np.exp(-distances / (2 * sigma**2))\n"
            "        L[:, r] = (k - L[:, :r] @ L[p, :r]) / np.sqrt(e[p])\n"
            "        e -= L[:, r] ** 2\n"
            "        r += 1\n"
            "        errors.append(e.sum())\n"
            "    return L[:, :r], np.array(errors)\n",
            "room that doubles",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n"
            "def pivoted(X, sigma, tol):\n"
            "    D = ((X[:, None] - X[None]) ** 2).sum(axis=2)\n"
            "    K = np.exp(-D / (2 * sigma**2))\n"
            "    n = len(X)\n"
            "    L = np.zeros((n, 0))\n"
            "    e = np.ones(n)\n"
            "    errors = [e.sum()]\n"
            "    while errors[-1] > tol * n and L.shape[1] < n:\n"
            "        p = np.argmax(e)\n"
            "        column = (K[:, p] - L @ L[p]) / np.sqrt(e[p])\n"
            "        L = np.column_stack([L, column])\n"
            "        e = e - column**2\n"
            "        errors.append(e.sum())\n"
            "    return L, np.array(errors)\n",
            why="the whole of K",
            says="more memory than the 1 GiB",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def pivoted(X, sigma, tol):\n"
            "    n = len(X)\n"
            "    L = np.zeros((n, 0))\n"
            "    e = np.ones(n)\n"
            "    errors = [e.sum()]\n"
            "    while errors[-1] > tol * n and L.shape[1] < n:\n"
            "        p = L.shape[1]\n"
            "        column = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))"
            "\n"
            "        column = (column - L @ L[p]) / np.sqrt(e[p])\n"
            "        L = np.column_stack([L, column])\n"
            "        e = e - column**2\n"
            "        errors.append(e.sum())\n"
            "    return L, np.array(errors)\n",
            why="the first columns, as S1 has it",
            says="cases right",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def pivoted(X, sigma, tol):\n"
            "    n = len(X)\n"
            "    L = np.zeros((n, 0))\n"
            "    e = np.ones(n)\n"
            "    errors = [e.sum()]\n"
            "    while errors[-1] > tol and L.shape[1] < n:\n"
            "        p = np.argmax(e)\n"
            "        column = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))"
            "\n"
            "        column = (column - L @ L[p]) / np.sqrt(e[p])\n"
            "        L = np.column_stack([L, column])\n"
            "        e = e - column**2\n"
            "        errors.append(e.sum())\n"
            "    return L, np.array(errors)\n",
            why="tol against the sum, not against tol times n",
            says="cases right",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def pivoted(X, sigma, tol):\n"
            "    n = len(X)\n"
            "    L = np.zeros((n, 0))\n"
            "    e = np.ones(n)\n"
            "    errors = [e.sum()]\n"
            "    while errors[-1] > tol * n and L.shape[1] < n:\n"
            "        p = np.argmax(e)\n"
            "        column = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))"
            "\n"
            "        column = (column - L @ L[p]) / e[p]\n"
            "        L = np.column_stack([L, column])\n"
            "        e = e - column**2\n"
            "        errors.append(e.sum())\n"
            "    return L, np.array(errors)\n",
            why="the root is forgotten",
            says="cases right",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def pivoted(X, sigma, tol):\n"
            "    n = len(X)\n"
            "    columns, e = [], np.ones(n)\n"
            "    while e.sum() > tol * n and len(columns) < n:\n"
            "        p = np.argmax(e)\n"
            "        k = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))\n"
            "        for c in columns:\n"
            "            k = k - c * c[p]\n"
            "        k = k / np.sqrt(e[p])\n"
            "        columns.append(k)\n"
            "        e = e - k**2\n"
            "    return np.array(columns).T, e.sum()\n",
            why="the last error only",
            says="value 2 of 2: a number came",
            at_most=0,
        ),
    ),
)

# --- other shortcuts --------------------------------------------------------------

SHORTCUTS_TEXT = r"""
## Two more shortcuts

A matrix is also cheap if most of its entries are zero, or if it is the Gram matrix of a
few random features. One of these ideas needs care, the other one needs luck, and gets
it.
"""


def cut_off(x: tuple[Real, ...], z: tuple[Real, ...]) -> Real:
    """exp(−|x − x'|/3) up to a distance of 1, and 0 beyond."""
    distance = abs(x[0] - z[0])
    side = (distance - 1).sign()
    if side is None:
        raise NoValue("is their distance 1, or a little more?")
    return exp(-distance / 3) if side <= 0 else Real(0)


CUT_OFF = KernelRefutation(
    id="kernel-cut-off",
    title="A kernel cut off",
    points=4,
    proofs=("P-34",),
    statement=r"""
Far points have small kernel values. It is tempting to set these to zero, so that $K$
becomes sparse, and $n$ points with a few neighbours each take a few times $n$ numbers.
For the kernel $\exp(-|x - x'|/3)$ on the line, cut off beyond the distance 1, this is

$$
k(x, x') = \begin{cases} \exp(-|x - x'|/3) & \text{if } |x - x'| \le 1, \\
0 & \text{otherwise.} \end{cases}
$$

Refute that it is a kernel, with at most three points: give `points` and `c` with
$c^\top K c < 0$. (To *multiply* by a kernel that is zero beyond some distance, such as
$\max(0, 1 - |x - x'|)$, is allowed, and makes $K$ just as sparse: Schur.)
""",
    formula=cut_off,
    most_points=3,
    hints=(
        "The middle one of three points should be a neighbour of both others, which "
        "are no neighbours of each other. Let the neighbours be as far away as they "
        "may be.",
        "At $0, 1, 2$ the Gram matrix is $\\left(\\begin{smallmatrix} 1 & s & 0 \\\\ "
        "s & 1 & s \\\\ 0 & s & 1 \\end{smallmatrix}\\right)$ with $s = e^{-1/3}$, "
        "which is about 0.717. Nearer neighbours give a larger $s$, and then it is "
        "easier.",
        "Its smallest eigenvalue is $1 - \\sqrt2\\,s$, with the eigenvector $(1, "
        "-\\sqrt2, 1)$. Fractions near $\\sqrt2$ will do as well.",
    ),
    references=(
        Reference("points = [0, 1, 2]\nc = [1, -sqrt(2), 1]", "the eigenvector"),
        Reference("points = [[0], [1], [2]]\nc = [5, -7, 5]", "integers"),
        Reference(
            "points = [0, 3/5, 6/5]\nc = [1, -3/2, 1]", "points nearer to each other"
        ),
    ),
    mistakes=(
        Mistake(
            "points = [0, 1, 2]\nc = [1, -1, 1]",
            why="the right signs, not the right sizes",
            says="not negative",
            at_most=0,
        ),
        Mistake(
            "points = [0, 1, 2]\nc = [1, -2, 1]",
            why="a second difference misses it on the other side",
            says="not negative",
            at_most=0,
        ),
        Mistake(
            "points = [0, 1/2, 1]\nc = [1, -sqrt(2), 1]",
            why="all points are neighbours: nothing is cut off",
            says="not negative",
            at_most=0,
        ),
        Mistake(
            "points = [0, 1, 2, 3]\nc = [1, -1, 1, -1]",
            why="more points than allowed",
            says="at most 3 points",
            at_most=0,
        ),
    ),
)


def random_features(
    X: np.ndarray, U: np.ndarray, sigma: float
) -> tuple[np.ndarray, float]:
    """The reference of `code-random-features`."""
    W = np.tan(np.pi * (U - 0.5)) / sigma
    angles = X @ W.T
    F = np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(len(W))
    distances = np.abs(X[:, None] - X[None]).sum(axis=2)
    return F, np.abs(F @ F.T - np.exp(-distances / sigma)).max()


def points_and_uniforms(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A few points, a few frequencies."""
    X = rng.integers(-2, 3, size=(size, 2)).astype(float)
    return X, rng.uniform(0.05, 0.95, size=(3, 2)).round(2), 2.0


def one_frequency(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """One random frequency, and the middle of the distribution."""
    X = rng.integers(-2, 3, size=(size, 1)).astype(float)
    return X, np.array([[rng.choice([0.25, 0.5, 0.75])]]), 0.5


def many_frequencies(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Enough of them for a small error."""
    X = rng.normal(size=(size + 3, 3)).round(2)
    return X, rng.uniform(0.01, 0.99, size=(2000, 3)), 3.0


RANDOM = CodeQuestion(
    id="code-random-features",
    title="Random features of the Laplacian kernel",
    points=6,
    proofs=("P-23",),
    statement=r"""
By Bochner's theorem, $k(x, x') = \mathbb{E}\cos(\omega^\top(x - x'))$ for random
frequencies $\omega$. For the Laplacian kernel $\exp(-\sum_c |x_c - x'_c|/\sigma)$ the
coordinates of $\omega$ are independent with the *Cauchy* density
$\frac1\pi \frac{\sigma}{1 + \sigma^2\omega_c^2}$.

Write `random_features(X, U, sigma)`. It is given $n$ points (rows of `X`) and an
$m \times d$ array `U` of independent uniform random numbers between 0 and 1.

1. Turn each row of `U` into a frequency: put every entry into the inverse of the
   distribution function of its coordinate, so that larger $u$ gives larger $\omega_c$,
   and $u = \frac12$ gives 0.
2. Compute the $n \times 2m$ features $\hat\varphi(x) = \frac{1}{\sqrt m}
   \bigl(\cos\omega_1^\top x, \dots, \cos\omega_m^\top x, \sin\omega_1^\top x, \dots,
   \sin\omega_m^\top x\bigr)$.

Return this array, and the largest error $\max_{ij} |\hat\varphi(x_i)^\top
\hat\varphi(x_j) - k(x_i, x_j)|$.
""",
    function="random_features",
    signature="def random_features(X, U, sigma):",
    reference=random_features,
    inputs=points_and_uniforms,
    edge_cases=(
        Cases("one frequency, on the line", one_frequency),
        Cases("2000 frequencies", many_frequencies, count=2),
    ),
    rtol=1e-6,
    hints=(
        "The distribution function is $\\frac12 + \\frac1\\pi\\arctan(\\sigma\\omega)"
        "$. Solve it for $\\omega$.",
        "`np.tan(np.pi * (U - 0.5)) / sigma` does it for all entries. All angles "
        "$\\omega_j^\\top x_i$ together are one matrix product.",
        "The kernel sums absolute values: `np.abs(X[:, None] - X[None]).sum(axis=2)`.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def random_features(X, U, sigma):\n"
            "    W = np.tan(np.pi * (U - 0.5)) / sigma\n"
            "    angles = X @ W.T\n"
            "    F = np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(len(W))\n"
            "    distances = np.abs(X[:, None] - X[None]).sum(axis=2)\n"
            "    K = np.exp(-distances / sigma)\n"
            "    return F, np.max(np.abs(F @ F.T - K))\n",
            "tan",
        ),
        Reference(
            "import numpy as np\n"
            "from scipy.spatial.distance import cdist\n\n\n"
            "def random_features(X, U, sigma):\n"
            "    W = -np.cos(np.pi * U) / np.sin(np.pi * U) / sigma\n"
            "    m = W.shape[0]\n"
            "    F = np.empty((len(X), 2 * m))\n"
            "    F[:, :m] = np.cos(X @ W.T)\n"
            "    F[:, m:] = np.sin(X @ W.T)\n"
            "    F /= m**0.5\n"
            "    K = np.exp(-cdist(X, X, 'cityblock') / sigma)\n"
            "    return F, abs(F @ F.T - K).max()\n",
            "a cotangent, and cdist",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def random_features(X, U, sigma):\n"
            "    waves = np.exp(1j * X @ (-1 / np.tan(np.pi * U) / sigma).T)\n"
            "    estimate = (waves @ waves.conj().T).real / len(U)\n"
            "    F = np.concatenate([waves.real, waves.imag], axis=1) / len(U) ** 0.5\n"
            "    worst = 0.0\n"
            "    for i in range(len(X)):\n"
            "        for j in range(len(X)):\n"
            "            k = np.exp(-np.sum(np.abs(X[i] - X[j])) / sigma)\n"
            "            worst = max(worst, abs(estimate[i, j] - k))\n"
            "    return F, worst\n",
            "complex waves",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n"
            "from scipy.special import ndtri\n\n"
            "def random_features(X, U, sigma):\n"
            "    W = ndtri(U) / sigma\n"
            "    A = X @ W.T\n"
            "    F = np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(len(W))\n"
            "    D = np.abs(X[:, None] - X[None]).sum(axis=2)\n"
            "    return F, np.abs(F @ F.T - np.exp(-D / sigma)).max()\n",
            why="Gaussian frequencies, which belong to the Gaussian kernel",
            says="value 1 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def random_features(X, U, sigma):\n"
            "    W = np.tan(np.pi * (U - 0.5)) * sigma\n"
            "    A = X @ W.T\n"
            "    F = np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(len(W))\n"
            "    D = np.abs(X[:, None] - X[None]).sum(axis=2)\n"
            "    return F, np.abs(F @ F.T - np.exp(-D / sigma)).max()\n",
            why="a wide kernel has low frequencies: divide",
            says="value 1 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def random_features(X, U, sigma):\n"
            "    W = np.tan(np.pi * (U - 0.5)) / sigma\n"
            "    A = X @ W.T\n"
            "    F = np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(2 * len(W))\n"
            "    D = np.abs(X[:, None] - X[None]).sum(axis=2)\n"
            "    return F, np.abs(F @ F.T - np.exp(-D / sigma)).max()\n",
            why="divided by the number of columns, where it is that of frequencies",
            says="value 1 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def random_features(X, U, sigma):\n"
            "    W = np.tan(np.pi * (U - 0.5)) / sigma\n"
            "    A = X @ W.T\n"
            "    F = np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(len(W))\n"
            "    D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))\n"
            "    return F, np.abs(F @ F.T - np.exp(-D / sigma)).max()\n",
            why="the exponential kernel of the Euclidean distance",
            says="value 2 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def random_features(X, U, sigma):\n"
            "    W = np.tan(np.pi * (U - 0.5)) / sigma\n"
            "    A = X @ W.T\n"
            "    F = np.cos(A) / np.sqrt(len(W))\n"
            "    D = np.abs(X[:, None] - X[None]).sum(axis=2)\n"
            "    return F, np.abs(F @ F.T - np.exp(-D / sigma)).max()\n",
            why="cosines alone: cos a cos b is not cos(a - b)",
            says="an array of shape",
            at_most=0,
        ),
    ),
)

# --- the small system -------------------------------------------------------------

SMALL_TEXT = r"""
## The small system, and how good it is

With features of which there are $r$, ridge regression is a system of $r$ equations. It
can be built a block of rows at a time, it makes a large system cheap whose matrix is
nearly of low rank, and the quality of any answer can be computed from the answer.
"""

BY_ELIMINATION = (
    "lam*z + L@L.T@z = v                        | given; def B",
    "lam*z + L@u = v                            | def u",
    "lam*L.T@z + L.T@L@u = L.T@v                | multiply by L.T",
    "lam*u + L.T@L@u = L.T@v                    | def u",
    "S@u = L.T@v                                | def S",
    "u = inv(S)@L.T@v                           | inverse S",
    "lam*z = v - L@u                            | use 2",
    "z = (v - L@inv(S)@L.T@v)/lam               | use 6; divide by lam",
)

SMALL = Derivation(
    id="small-system",
    title="A small system for a large one",
    problem=SMALL_SYSTEM,
    points=6,
    proofs=("P-14", "P-23"),
    statement=r"""
Conjugate gradients for $(K + \lambda I)a = t$ want a *preconditioner*: a matrix like
$K + \lambda I$ with which systems are easy. Pivoted Cholesky gives one,
$B = LL^\top + \lambda I$ with $L$ of $r$ columns. It is still $n \times n$; but solving

$$
Bz = v
$$

takes only $O(nr)$ operations, once the Cholesky factor of the $r \times r$ matrix
$S = L^\top L + \lambda I$ is known. Derive

$$
z = \frac1\lambda\bigl(v - L S^{-1} L^\top v\bigr) .
$$

(This is the *matrix inversion lemma* proper, also called Woodbury's formula. What S1
calls so (l. 450) is the push-through identity, from which it follows.)

Symbols: `L` ($N \times R$), `lam` (positive), `B = lam*I + L@L.T`,
`S = lam*I + L.T@L` (both positive definite), `v`, `z` ($N$), `u = L.T@z` ($R$). That
`B@z = v` is `given`. A line may open three facts.
""",
    hints=(
        "Put in what $B$ stands for, and call $L^\\top z$ by its short name $u$. If "
        "you knew $u$, you would know $z$.",
        "Multiply by $L^\\top$: then $z$ occurs only in $L^\\top z = u$. The reason is "
        "`multiply by L.T`.",
        "$Su = L^\\top v$ is the small system. Or verify: multiply $B$ by the right "
        "side, and see that $v$ comes out.",
    ),
    references=(
        Reference(derivation(BY_ELIMINATION), "elimination"),
        Reference(
            "B@(v - L@inv(S)@L.T@v)/lam = (lam*v + L@L.T@v - lam*L@inv(S)@L.T@v"
            " - L@L.T@L@inv(S)@L.T@v)/lam                   | def B\n"
            "B@(v - L@inv(S)@L.T@v)/lam = (lam*v + L@L.T@v - L@S@inv(S)@L.T@v)/lam"
            " | def S\n"
            "B@(v - L@inv(S)@L.T@v)/lam = v                 | inverse S\n"
            "z = inv(B)@v                                   | given; inverse B\n"
            "z = (v - L@inv(S)@L.T@v)/lam                   | use 3; inverse B",
            "verified",
        ),
        Reference(
            "L.T@B = S@L.T                                  | def B; def S\n"
            "L.T = S@L.T@inv(B)                             | inverse B\n"
            "inv(S)@L.T = L.T@inv(B)                        | inverse S\n"
            "z = inv(B)@v                                   | given; inverse B\n"
            "L.T@z = inv(S)@L.T@v                           | use 3; use 4\n"
            "lam*z + L@L.T@z = v                            | given; def B\n"
            "lam*z = v - L@inv(S)@L.T@v                     | use 5\n"
            "z = (v - L@inv(S)@L.T@v)/lam                   | divide by lam",
            "push-through",
        ),
        Reference(
            r"\lambda z + L L^\top z = v                     | given; def B" "\n"
            r"\lambda L^\top z + L^\top L L^\top z = L^\top v | multiply by L^\top"
            "\n"
            r"S u = L^\top v                                 | def u; def S" "\n"
            r"u = S^{-1} L^\top v                            | inverse S" "\n"
            r"\lambda z = v - L u                            | use 1; def u" "\n"
            r"z = \frac{1}{\lambda}(v - L S^{-1} L^\top v)   | use 4; divide by "
            r"\lambda",
            "LaTeX",
        ),
    ),
    mistakes=(
        slip(
            "a sign is lost on the way back",
            7,
            {7: "lam*z = v + L@u | use 2",
             8: "z = (v + L@inv(S)@L.T@v)/lam | use 6; divide by lam"},
            says="a sign is wrong",
            at_most=0.6,
            route=BY_ELIMINATION,
        ),
        slip(
            "the division is forgotten",
            8,
            {8: "z = v - L@inv(S)@L.T@v | use 6"},
            says="counterexample",
            at_most=0.6,
            route=BY_ELIMINATION,
        ),
        slip(
            "a number is added to a matrix",
            5,
            {5: "u = inv(lam + L.T@L)@L.T@v | inverse lam + L.T@L"},
            says="lam*I was meant?",
            at_most=0.5,
            route=BY_ELIMINATION[:5],
        ),
        slip(
            "the inverse of a sum, term by term",
            2,
            {1: "z = inv(B)@v | given; inverse B",
             2: "z = v/lam + inv(L@L.T)@v | def B",
             3: "", 4: "", 5: "", 6: "", 7: "", 8: ""},
            says="cannot be inverted",
            at_most=0.0,
            route=BY_ELIMINATION,
        ),
        slip(
            "the product in the wrong order",
            4,
            {4: "lam*u + L@L.T@u = L.T@v | def u"},
            says="their product has no meaning",
            at_most=0.6,
            route=BY_ELIMINATION,
        ),
        slip(
            "the system is solved with the large matrix",
            None,
            {1: "z = inv(B)@v | given; inverse B", 2: "", 3: "", 4: "", 5: "", 6: "",
             7: "", 8: ""},
            says="z by the small system",
            at_most=0.0,
            route=BY_ELIMINATION,
        ),
        slip("stops at u", None, {7: "", 8: ""}, says="z by the small system",
             at_most=0.5, route=BY_ELIMINATION),
        Mistake(
            "z = (v - L@inv(S)@L.T@v)/lam | Woodbury",
            why="the goal by its name",
            first_bad=1,
            at_most=0.0,
        ),
    ),
)  # fmt: skip


def ridge_in_blocks(X: np.ndarray, t: np.ndarray, Z: np.ndarray, sigma: float,
                    lam: float, size: int) -> tuple[np.ndarray, float]:  # fmt: skip
    """The reference of `code-streaming-ridge`."""
    A, b = lam * np.eye(len(Z)), np.zeros(len(Z))
    for start in range(0, len(X), size):
        block = X[start : start + size]
        squares = sum((block[:, [c]] - Z[:, c]) ** 2 for c in range(Z.shape[1]))
        F = np.exp(-squares / (2 * sigma**2))
        A += F.T @ F
        b += F.T @ t[start : start + size]
    w = np.linalg.solve(A, b)
    return w, t @ t - b @ w


def streamed(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A few points, in blocks that fit."""
    X = rng.integers(-2, 3, size=(3 * size, 2)).astype(float)
    Z = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    return X, rng.integers(-3, 4, size=3 * size).astype(float), Z, 1.0, 0.5, size


def ragged(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A last block that is shorter than the others."""
    X, t, Z, sigma, lam, _ = streamed(rng, size)
    return X, t, Z, sigma, lam, 2 * size - 1


def one_block(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A block that is larger than all of the data."""
    X, t, Z, sigma, lam, _ = streamed(rng, size)
    return X, t, Z, sigma, lam, 1000


def same_landmark(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A landmark twice: ΦᵀΦ is singular, ΦᵀΦ + λI is not."""
    X, t, Z, sigma, lam, block = streamed(rng, size)
    return X, t, Z[[0, 1, 0]], sigma, lam, block


def half_a_million(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Half a million points, 60 landmarks: Φ would take 240 MB, and 480 to make."""
    X = rng.uniform(0, 10, size=(500_000, 1))
    t = np.sin(X[:, 0]) + 0.1 * rng.normal(size=len(X))
    return X, t, np.linspace(0, 10, 60)[:, None], 0.3, 1000.0, 10_000


STREAMING = CodeQuestion(
    id="code-streaming-ridge",
    title="Ridge regression, a block at a time",
    points=7,
    proofs=("P-23",),
    statement=r"""
The features of a point are its kernel values with $r$ landmarks, $\varphi_j(x) =
\exp(-\|x - z_j\|^2/(2\sigma^2))$. Ridge regression with them minimises
$J(w) = \|t - \Phi w\|^2 + \lambda\|w\|^2$, and the solution is
$w = (\Phi^\top\Phi + \lambda I)^{-1}\Phi^\top t$. Both $\Phi^\top\Phi$ and
$\Phi^\top t$ are sums over the points: one can look at the rows of $\Phi$ a block at a
time, and forget them.

Write `ridge_in_blocks(X, t, Z, sigma, lam, size)`: points as the rows of `X`
($n \times d$), targets `t`, landmarks as the rows of `Z` ($r \times d$), and the number
of rows in a block; the last block may be shorter. Return

- $w$, an array of $r$ numbers;
- the least value $J(w)$, computed **without a second pass** over the points: it is
  $t^\top t - w^\top\Phi^\top t$.

One of the inputs has 500 000 points and 60 landmarks, and your program has 512 MiB of
memory here. There is no room for $\Phi$ and what is needed to compute it, but for a
block there is.
""",
    function="ridge_in_blocks",
    signature="def ridge_in_blocks(X, t, Z, sigma, lam, size):",
    reference=ridge_in_blocks,
    inputs=streamed,
    edge_cases=(
        Cases("a shorter last block", ragged),
        Cases("one block", one_block, count=2, weight=0.5),
        Cases("a landmark twice", same_landmark, count=2, weight=0.5),
        Cases("500 000 points", half_a_million, count=1),
    ),
    rtol=1e-6,
    limits=Limits(memory=512 << 20),
    hints=(
        "`for start in range(0, len(X), size):` and then `X[start:start + size]`: a "
        "slice that goes beyond the end is simply shorter.",
        "Begin with an $r \\times r$ matrix and a vector of zeros, and add "
        "`F.T @ F` and `F.T @ t_block` for each block. Where does $\\lambda$ come in, "
        "and how often?",
        "At the minimum $(\\Phi^\\top\\Phi + \\lambda I)w = \\Phi^\\top t$. Multiply "
        "$J(w)$ out and use it: three of the four terms become one.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def ridge_in_blocks(X, t, Z, sigma, lam, size):\n"
            "    A = lam * np.eye(len(Z))\n"
            "    b = np.zeros(len(Z))\n"
            "    for start in range(0, len(X), size):\n"
            "        block = X[start:start + size]\n"
            "        squares = np.zeros((len(block), len(Z)))\n"
            "        for c in range(X.shape[1]):\n"
            "            squares += (block[:, [c]] - Z[:, c]) ** 2\n"
            "        F = np.exp(-squares / (2 * sigma**2))\n"
            "        A += F.T @ F\n"
            "        b += F.T @ t[start:start + size]\n"
            "    w = np.linalg.solve(A, b)\n"
            "    return w, t @ t - w @ b\n",
            "slices",
        ),
        Reference(
            "import numpy as np\n"
            "from scipy.linalg import cho_factor, cho_solve\n"
            "from scipy.spatial.distance import cdist\n\n\n"
            "def ridge_in_blocks(X, t, Z, sigma, lam, size):\n"
            "    def sums(X, t):\n"
            "        F = np.exp(-cdist(X, Z, 'sqeuclidean') / (2 * sigma**2))\n"
            "        return F.T @ F, F.T @ t, t @ t\n\n"
            "    total = [0, 0, 0]\n"
            "    at = 0\n"
            "    while at < len(X):\n"
            "        new = sums(X[at : at + size], t[at : at + size])\n"
            "        total = [old + more for old, more in zip(total, new)]\n"
            "        at += size\n"
            "    A, b, tt = total\n"
            "    w = cho_solve(cho_factor(A + lam * np.eye(len(Z))), b)\n"
            "    return w, tt - b @ w\n",
            "sums that are added up",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n"
            "def ridge_in_blocks(X, t, Z, sigma, lam, size):\n"
            "    D = ((X[:, None] - Z[None]) ** 2).sum(axis=2)\n"
            "    F = np.exp(-D / (2 * sigma**2))\n"
            "    b = F.T @ t\n"
            "    w = np.linalg.solve(F.T @ F + lam * np.eye(len(Z)), b)\n"
            "    return w, t @ t - b @ w\n",
            why="the whole of Φ at once",
            says="more memory than the 512 MiB",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def ridge_in_blocks(X, t, Z, sigma, lam, size):\n"
            "    A = np.zeros((len(Z), len(Z)))\n"
            "    b = np.zeros(len(Z))\n"
            "    for s in range(0, len(X), size):\n"
            "        D = ((X[s:s + size, None] - Z[None]) ** 2).sum(axis=2)\n"
            "        F = np.exp(-D / (2 * sigma**2))\n"
            "        A += F.T @ F + lam * np.eye(len(Z))\n"
            "        b += F.T @ t[s:s + size]\n"
            "    w = np.linalg.solve(A, b)\n"
            "    return w, t @ t - b @ w\n",
            why="λ once for each block",
            says="regular: 0 of 8",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def ridge_in_blocks(X, t, Z, sigma, lam, size):\n"
            "    A = lam * np.eye(len(Z))\n"
            "    b = np.zeros(len(Z))\n"
            "    for i in range(len(X) // size):\n"
            "        rows = slice(i * size, (i + 1) * size)\n"
            "        D = ((X[rows, None] - Z[None]) ** 2).sum(axis=2)\n"
            "        F = np.exp(-D / (2 * sigma**2))\n"
            "        A += F.T @ F\n"
            "        b += F.T @ t[rows]\n"
            "    w = np.linalg.solve(A, b)\n"
            "    return w, t @ t - b @ w\n",
            why="the last block is left out if it is not full",
            says="one block: 0 of 2",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def ridge_in_blocks(X, t, Z, sigma, lam, size):\n"
            "    ws = []\n"
            "    for s in range(0, len(X), size):\n"
            "        D = ((X[s:s + size, None] - Z[None]) ** 2).sum(axis=2)\n"
            "        F = np.exp(-D / (2 * sigma**2))\n"
            "        A = F.T @ F + lam * np.eye(len(Z))\n"
            "        ws.append(np.linalg.solve(A, F.T @ t[s:s + size]))\n"
            "    w = np.mean(ws, axis=0)\n"
            "    return w, 0.0\n",
            why="a solution for each block, and their mean",
            says="value 1 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def ridge_in_blocks(X, t, Z, sigma, lam, size):\n"
            "    A = lam * np.eye(len(Z))\n"
            "    b = np.zeros(len(Z))\n"
            "    for s in range(0, len(X), size):\n"
            "        D = ((X[s:s + size, None] - Z[None]) ** 2).sum(axis=2)\n"
            "        F = np.exp(-D / (2 * sigma**2))\n"
            "        A += F.T @ F\n"
            "        b += F.T @ t[s:s + size]\n"
            "    w = np.linalg.solve(A, b)\n"
            "    return w, t @ t - 2 * b @ w + w @ A @ w + lam * w @ w\n",
            why="λ twice in the value: A holds it already",
            says="value 2 of 2",
            at_most=0,
        ),
    ),
)

BY_SQUARES = (
    "g = norm2(t - Phi@w) + lam*norm2(w) - 2*lam*a.T@t + lam*a.T@K@a + lam**2*norm2(a)"
    " | def J; def D",
    "g = norm2(t - Phi@w) + lam*norm2(w) - 2*lam*a.T@t + lam*norm2(Phi.T@a)"
    " + lam**2*norm2(a) | def K",
    "g = norm2(t - Phi@w - lam*a) + 2*lam*a.T@(t - Phi@w) + lam*norm2(w)"
    " - 2*lam*a.T@t + lam*norm2(Phi.T@a) | complete the square",
    "g = norm2(t - Phi@w - lam*a) - 2*lam*a.T@Phi@w + lam*norm2(w)"
    " + lam*norm2(Phi.T@a) | collect",
    "g = norm2(t - Phi@w - lam*a) + lam*norm2(w - Phi.T@a) | complete the square",
    "g >= 0 | nonneg",
    "h = norm2(t - K@a) + lam*a.T@K@a - 2*lam*a.T@t + lam*a.T@(K + lam*I)@a"
    " | def K; def D",
    "h = norm2(t - K@a) - 2*lam*a.T@(t - K@a) + lam**2*norm2(a) | collect",
    "h = norm2(t - K@a - lam*a) | complete the square",
    "h = norm2(t - (K + lam*I)@a) | factor",
)

GAP = Derivation(
    id="gap-is-residual",
    title="The duality gap is the squared residual",
    problem=GAP_IS_RESIDUAL,
    points=6,
    proofs=("P-15",),
    statement=r"""
An iterative method for $(K + \lambda I)a = t$ is stopped at some $a$. How good is it?
The criterion and its dual are

$$
J(w) = \|t - \Phi w\|^2 + \lambda\|w\|^2, \qquad
D(a) = 2\lambda\, a^\top t - \lambda\, a^\top(K + \lambda I)a .
$$

1. For **any** $w$ and **any** $a$, write $g = J(w) - D(a)$ as a sum of two squares
   (one of them with the factor $\lambda$), and conclude `g >= 0`. So every $D(a)$ is a
   lower bound on every $J(w)$: weak duality, without a theorem. It also tells when
   there is equality.
2. Let $h$ be this gap at $w = \Phi^\top a$, the function that belongs to $a$. Derive
   that it is one square, $h = \|t - (K + \lambda I)a\|^2$: the residual of the system,
   which conjugate gradients know in each step.

Symbols: `Phi` ($N \times M$), `K = Phi@Phi.T`, `t`, `a` ($N$), `w` ($M$), `lam`
(positive), `J`, `D`, `g = J - D`,
`h = norm2(t - Phi@Phi.T@a) + lam*norm2(Phi.T@a) - D`. `norm2` is the squared norm. A
line may open three facts. The reason for a bound is `nonneg`.
""",
    hints=(
        "Equality should hold at the solution, where $w = \\Phi^\\top a$ and "
        "$t - \\Phi w = \\lambda a$. Which two squares vanish there?",
        "$\\|t - \\Phi w - \\lambda a\\|^2 + \\lambda\\|w - \\Phi^\\top a\\|^2$: "
        "multiply it out, or complete the squares in $g$. In $D$, "
        "$a^\\top K a = \\|\\Phi^\\top a\\|^2$.",
        "In the second part write $\\Phi\\Phi^\\top a = Ka$ first. Then $\\lambda "
        "a^\\top K a$ occurs twice.",
    ),
    references=(
        Reference(derivation(BY_SQUARES), "completing squares"),
        Reference(
            "g = norm2(t - Phi@w - lam*a) + lam*norm2(w - Phi.T@a)"
            " | def J; def D; def K\n"
            "g >= 0 | nonneg\n"
            "h = norm2(t - (K + lam*I)@a) | def D; def K",
            "short",
        ),
        Reference(
            "g = t.T@t - 2*t.T@Phi@w + w.T@Phi.T@Phi@w + lam*w.T@w - 2*lam*a.T@t"
            " + lam*a.T@K@a + lam**2*a.T@a | def J; def D\n"
            "g = (t - Phi@w - lam*a).T@(t - Phi@w - lam*a)"
            " + lam*(w - Phi.T@a).T@(w - Phi.T@a) | def K; complete the squares\n"
            "g >= 0 | a sum of squares\n"
            "h = t.T@t - 2*a.T@K@t + a.T@K@K@a + lam*a.T@K@a - D | def K\n"
            "h = t.T@t - 2*a.T@K@t + a.T@K@K@a + 2*lam*a.T@K@a - 2*lam*a.T@t"
            " + lam**2*a.T@a | def D\n"
            "h = (t - (K + lam*I)@a).T@(t - (K + lam*I)@a) | factor",
            "multiplied out",
        ),
        Reference(
            r"g = \|t - \Phi w\|^2 + \lambda\|w\|^2 - 2\lambda a^\top t + \lambda "
            r"a^\top (K + \lambda I) a                      | def J; def D" "\n"
            r"g = \|t - \Phi w - \lambda a\|^2 + \lambda \|w - \Phi^\top a\|^2 "
            r"| def K; complete the square" "\n"
            r"g \geq 0                                      | nonneg" "\n"
            r"h = \|t - K a\|^2 + \lambda a^\top K a - 2\lambda a^\top t + \lambda "
            r"a^\top (K + \lambda I) a                      | def K; def D" "\n"
            r"h = \|t - (K + \lambda I) a\|^2               | collect",
            "LaTeX",
        ),
    ),
    mistakes=(
        slip(
            "the minus before D holds for its second term, too",
            1,
            {1: "g = norm2(t - Phi@w) + lam*norm2(w) - 2*lam*a.T@t - lam*a.T@K@a"
                " - lam**2*norm2(a) | def J; def D"},
            says="counterexample",
            at_most=0.75,
            route=BY_SQUARES,
        ),
        slip(
            "a square without its cross term",
            3,
            {3: "g = norm2(t - Phi@w - lam*a) + lam*norm2(w) - 2*lam*a.T@t"
                " + lam*norm2(Phi.T@a) | complete the square",
             4: ""},
            says="counterexample",
            at_most=0.9,
            route=BY_SQUARES,
        ),
        slip(
            "the second square without lam",
            5,
            {5: "g = norm2(t - Phi@w - lam*a) + norm2(w - Phi.T@a)"
                " | complete the square"},
            says="the factor lam was lost",
            at_most=0.75,
            route=BY_SQUARES,
        ),
        slip(
            "a bound that nothing shows",
            2,
            {2: "g >= 0 | nonneg", 3: "", 4: "", 5: "", 6: ""},
            says="sum of squares",
            at_most=0.5,
            route=BY_SQUARES,
        ),
        slip(
            "the quadratic form counted once",
            7,
            {7: "h = norm2(t - K@a) + lam*a.T@K@a - 2*lam*a.T@t + lam**2*norm2(a)"
                " | def K; def D", 8: "", 9: "",
             10: "h = norm2(t - (K + lam*I)@a) | collect"},
            says="counterexample",
            at_most=0.75,
            route=BY_SQUARES,
        ),
        slip(
            "a number is added to a matrix",
            9,
            {9: "h = norm2(t - (K + lam)@a) | complete the square"},
            says="lam*I was meant?",
            at_most=0.75,
            route=BY_SQUARES[:9],
        ),
        slip("the second part is missing", None, {7: "", 8: "", 9: "", 10: ""},
             says="h as one square", at_most=0.5, route=BY_SQUARES),
        Mistake(
            "g >= 0 | weak duality\nh = norm2(t - (K + lam*I)@a) | known",
            why="both asserted",
            first_bad=1,
            at_most=0.0,
        ),
    ),
)  # fmt: skip

SHEET = Sheet(
    name="08_scaling",
    title="Exercises: when n grows",
    introduction=INTRODUCTION,
    items=(
        COSTS_TEXT,
        CHOLESKY,
        DIMENSIONS,
        POWER_TEXT,
        RATE,
        GAPS,
        POWER,
        NYSTROEM_TEXT,
        PROJECTION,
        COLUMNS,
        LANDMARKS,
        FEATURES,
        PIVOTED,
        SHORTCUTS_TEXT,
        CUT_OFF,
        RANDOM,
        SMALL_TEXT,
        SMALL,
        STREAMING,
        GAP,
    ),
)
