"""Exercises on the perceptron: mistakes as weights, bias, rate, bound, endless runs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernellab.grading.problems.perceptron import BIAS_KERNEL, ONE_MISTAKE, ONE_UPDATE
from kernellab.grading.questions.base import Mistake, Reference, Sheet
from kernellab.grading.questions.code_questions import Cases, CodeQuestion
from kernellab.grading.questions.derivations import Derivation
from kernellab.grading.questions.exact import Real
from kernellab.grading.questions.feedback import Finding
from kernellab.grading.questions.puzzles import Block, Puzzle
from kernellab.grading.questions.values import Value, Values

INTRODUCTION = r"""
These are the exercises of [chapter 5](../chapters/05_perceptron.ipynb). The perceptron
goes through the points, again and again, and corrects itself at each mistake. You will
run it by hand, show that its weights are nothing but counts of mistakes, bound their
number, and see what it does when there is nothing to find. There are four kinds of
question.

- **Values**, one a line: `alpha = [2, 0, 1]`, `gamma = 1/2`, `ends = no`. Fractions and
  roots are exact.
- **A derivation**, one step a line, each with its reason after a bar, as in
  `h = X@w + r*X@X.T@diag(y)@e | def v`.
- **A puzzle**: blocks of a proof, of which some do not belong. List the letters of the
  others in an order in which each rests on what stands before it.
- **A function** in Python, which is run on inputs that you have not seen.

Everywhere, a point is a *mistake* if $y_i\, g(x_i) \le 0$; so $g(x_i) = 0$ is a mistake
too, whatever the label. A *pass* goes once through all points, in their order. The run
ends with the first pass without a mistake.
"""

MEMORY = r"""
## What a perceptron remembers

The algorithm of S2 (l. 69–92) keeps a vector $w$ and a number $w_0$, and both start at
zero. It could as well keep a list of its mistakes.
"""

BY_HAND = Values(
    id="perceptron-by-hand",
    title="A run by hand",
    points=6,
    proofs=("P-43",),
    statement=r"""
Run the perceptron on four points, in this order, with rate 1 and $g(x) = w^\top x +
w_0$. At a mistake $w$ becomes $w + y_i x_i$ and $w_0$ becomes $w_0 + y_i$.

| point $x_i$ | coordinates | label $y_i$ |
|---|---|---|
| 1 | $(2, 1)$ | $+1$ |
| 2 | $(0, 0)$ | $-1$ |
| 3 | $(1, 3)$ | $-1$ |
| 4 | $(3, 0)$ | $+1$ |

Give

- `mistakes`, the list of the points at which it corrects itself, in order: `[1, 2, …]`;
- `passes`, the number of passes, the last one, without a mistake, included;
- `w` and `w0` at the end;
- `alpha`, how many mistakes were made on each point: four numbers;
- `wrong_w`, the vector $\sum_i y_i x_i$ that S2's formula (l. 122) gives if all
  $\alpha_i$ are equal to the rate 1, as its input says (l. 96).

And what if the algorithm were another one?

- `strict`: if only $y_i\, g(x_i) < 0$ counted as a mistake, how many mistakes would be
  made in all?
- `ends`: without $w_0$, that is, with $g(x) = w^\top x$, would the run end (yes or no)?
""",
    values=(
        Value(
            "mistakes",
            "[1, 2, 3, 1, 2]",
            weight=2,
            traps={
                "[1, 2, 3, 1]": "look at point 2 in the second pass: there g is 0",
                "[2, 3, 1, 2]": "at the start g = 0 everywhere: is point 1 right?",
                "[1, 2, 3]": "this is the first pass only",
            },
        ),
        Value(
            "passes",
            "3",
            traps={
                "2": "the pass without a mistake counts too",
                "5": "this is the number of mistakes",
            },
        ),
        Value(
            "w",
            "[3, -1]",
            traps={
                "[1, -2]": "this is w after the first pass",
                "[4, -2]": "this has each point once: compare with your mistakes",
            },
        ),
        Value(
            "w0",
            "-1",
            traps={
                "0": "one mistake is missing: point 2, in the second pass, has g = 0",
                "1": "w₀ starts at 0 and changes by the label at each mistake",
            },
        ),
        Value(
            "alpha",
            "[2, 2, 1, 0]",
            traps={
                "[1, 1, 1, 0]": "this is the first pass only",
                "[2, 1, 1, 0]": "one mistake is missing: where is g = 0?",
                "[1, 1, 1, 1]": "α counts mistakes, and point 4 was never missed",
                "[2, -2, -1, 0]": "these are the α_i y_i; counts have no sign",
            },
        ),
        Value(
            "wrong_w",
            "[4, -2]",
            weight=0.5,
            traps={"[3, -1]": "this is the right w; each point once is asked for"},
        ),
        Value(
            "strict",
            "0",
            traps={
                "4": "what is y₁·g(x₁) at the very start, and is it < 0?",
                "5": "what is y₁·g(x₁) at the very start, and is it < 0?",
            },
        ),
        Value(
            "ends",
            "no",
            choices=("yes", "no"),
            traps={"yes": "what is g at point 2 then, for any w?"},
        ),
    ),
    hints=(
        "Make a table: pass, point, $g$ before, mistake or not, $w$ and $w_0$ after.",
        "At the start $g = 0$ everywhere, so the first point is a mistake, always.",
        "In the second pass there is a tie, $g(x_i) = 0$, once more.",
        "Without $w_0$ every $g$ is zero at the origin.",
    ),
    references=(
        Reference(
            "mistakes = [1, 2, 3, 1, 2]\npasses = 3\nw = [3, -1]\nw0 = -1\n"
            "alpha = [2, 2, 1, 0]\nwrong_w = [4, -2]\nstrict = 0\nends = no",
            "numbers",
        ),
        Reference(
            "mistakes = [1, 2, 3, 1, 2]; passes = 3\n"
            "alpha = [2, 2, 1, 0]\n"
            "w = [2*2 - 1, 2*1 - 3]; w0 = 2 - 2 - 1\n"
            "wrong_w = [2 - 1 + 3, 1 - 3]\nstrict = 0\nends = false",
            "w from the mistakes",
        ),
    ),
    mistakes=(
        Mistake(
            "mistakes = [1, 2, 3, 1]\npasses = 3\nw = [3, -1]\nw0 = 0\n"
            "alpha = [2, 1, 1, 0]\nwrong_w = [4, -2]\nstrict = 0\nends = no",
            why="the tie in the second pass is taken for right",
            says="there g is 0",
            at_most=0.6,
        ),
        Mistake(
            "mistakes = [1, 2, 3, 1, 2]\npasses = 2\nw = [3, -1]\nw0 = -1\n"
            "alpha = [1, 1, 1, 1]\nwrong_w = [3, -1]\nstrict = 5\nends = no",
            why="α is taken for the rate, and the last pass is not counted",
            says="point 4 was never missed",
            at_most=0.6,
        ),
        Mistake(
            "mistakes = [1, 2, 3]\npasses = 1\nw = [1, -2]\nw0 = -1\n"
            "alpha = [1, 1, 1, 0]\nwrong_w = [4, -2]\nstrict = 0\nends = yes",
            why="one pass",
            says="this is the first pass only",
            at_most=0.4,
        ),
        Mistake(
            "mistakes = [1, 2, 3, 1, 2]\npasses = 3\nw = [3, -1]\nw0 = -1\n"
            "alpha = [2, -2, -1, 0]\nwrong_w = [4, -2]\nstrict = 4\nends = yes",
            why="signed counts, and the two variants wrong",
            says="counts have no sign",
            at_most=0.7,
        ),
        Mistake(
            "alpha = [2, 2, 1, 0]",
            why="one value of eight",
            says="`mistakes`: missing",
            at_most=0.2,
        ),
    ),
)

UPDATE = Derivation(
    id="mistakes-are-weights",
    title="Mistakes are weights",
    problem=ONE_UPDATE,
    points=6,
    proofs=("P-43",),
    statement=r"""
After the run with rate $r$, $w = \sum_i \alpha_i y_i x_i$ where $\alpha_i$ is $r$ times
the number of mistakes on $x_i$. The proof is by induction. At the start both sides are
zero; a right point changes neither; what remains is one mistake. Take that step.

Before it, let $w = X^\top \mathrm{diag}(y)\, \alpha = \sum_i \alpha_i y_i x_i$. The
mistake is on one point; let $e$ be the vector with a 1 there and 0 elsewhere. Then
$X^\top \mathrm{diag}(y)\, e$ is its $y_i x_i$, so the algorithm makes
$v = w + r\, X^\top \mathrm{diag}(y)\, e$ of $w$, while the counts become
$\beta = \alpha + r e$. Show

1. that $v$ is for $\beta$ what $w$ is for $\alpha$;
2. what the mistake adds to the scores of all points: write the new scores $h = Xv$ with
   the old scores $g = Xw$, the Gram matrix $K$, and no $X$. (It is $r y_i$ times a
   column of $K$: a kernel perceptron need not compute its scores anew.)

End with lines `v = …` and `h = g + …`.

Symbols: `X` ($N \times D$, rows `x[i]`), `K = X@X.T`, `y`, `alpha`, `e`,
`beta = alpha + r*e`, `r` (positive), `w = X.T@diag(y)@alpha`,
`v = w + r*X.T@diag(y)@e`, `g = X@w`, `h = X@v`. Sums such as
`sum(alpha[i]*y[i]*x[i] for i in N)` are fine, too.
""",
    hints=(
        "Put $w$ into $v$. Both terms begin with $X^\\top \\mathrm{diag}(y)$.",
        "$\\alpha + re$ has a name: `def beta`.",
        "$Xv = Xw + r\\,XX^\\top \\mathrm{diag}(y)\\, e$. Two of these products have "
        "names.",
    ),
    references=(
        Reference(
            "v = X.T@diag(y)@alpha + r*X.T@diag(y)@e    | def w\n"
            "v = X.T@diag(y)@(alpha + r*e)              | factor\n"
            "v = X.T@diag(y)@beta                       | def beta\n"
            "h = X@w + r*X@X.T@diag(y)@e                | def v\n"
            "h = g + r*X@X.T@diag(y)@e                  | def g\n"
            "h = g + r*K@diag(y)@e                      | def K",
            "step by step",
        ),
        Reference(
            "v = X.T@diag(y)@beta | def w; def beta\n"
            "h = g + r*K@diag(y)@e | def v; def g; def K",
            "two lines",
        ),
        Reference(
            "v = sum(alpha[i]*y[i]*x[i] for i in N) + r*sum(e[i]*y[i]*x[i] for i in N)"
            " | def w\n"
            "v = sum((alpha[i] + r*e[i])*y[i]*x[i] for i in N) | collect\n"
            "v = sum(beta[i]*y[i]*x[i] for i in N) | def beta\n"
            "h[j] = v.T@x[j] | def h\n"
            "h[j] = w.T@x[j] + r*sum(e[i]*y[i]*x[i].T@x[j] for i in N) | def v\n"
            "h[j] = g[j] + r*sum(K[j,i]*y[i]*e[i] for i in N) | def g; def K\n"
            "h = g + r*K@diag(y)@e | matrix form",
            "with indices",
        ),
        Reference(
            r"""
v = X^\top \mathrm{diag}(y) \alpha + r X^\top \mathrm{diag}(y) e | def w
v = X^\top \mathrm{diag}(y) \beta | def \beta
h = X v = X X^\top \mathrm{diag}(y) \beta | use 2
h = K \mathrm{diag}(y) \alpha + r K \mathrm{diag}(y) e | def K; def \beta
h = X X^\top \mathrm{diag}(y) \alpha + r K \mathrm{diag}(y) e | def K
h = X w + r K \mathrm{diag}(y) e | def w
h = g + r K \mathrm{diag}(y) e | def g
""",
            "LaTeX, through the new counts",
        ),
        Reference(
            "c = had(y, e)                              | let c\n"
            "h = X@(w + r*X.T@c)                        | def v; def c\n"
            "  = X@w + r*K@c                            | expand; def K\n"
            "  = g + r*K@c                              | def g\n"
            "X.T@diag(y)@beta = X.T@diag(y)@alpha + r*X.T@diag(y)@e  | def beta\n"
            "X.T@diag(y)@beta = w + r*X.T@diag(y)@e     | def w\n"
            "X.T@diag(y)@beta = v                       | def v",
            "the scores first, and from right to left",
        ),
    ),
    mistakes=(
        Mistake(
            "v = X.T@diag(y)@alpha + X.T@diag(y)@e | def w\n"
            "v = X.T@diag(y)@beta | def beta\n"
            "h = g + r*K@diag(y)@e | def v; def g; def K",
            why="the rate is lost",
            first_bad=1,
            says="the factor r was lost",
            at_most=0.6,
        ),
        Mistake(
            "v = X.T@diag(y)@beta | def w; def beta\n"
            "h = g + r*K@e | def v; def g; def K",
            why="the label is lost: the correction has no direction",
            first_bad=2,
            at_most=0.6,
        ),
        Mistake(
            "v = X.T@diag(y)@beta | def w; def beta\n"
            "h = X@w + r*X.T@X@diag(y)@e | def v\n"
            "h = g + r*K@diag(y)@e | def g; def K",
            why="XᵀX for XXᵀ: the shapes do not fit",
            first_bad=2,
            at_most=0.6,
        ),
        Mistake(
            "v = X.T@diag(y)@beta | algebra\n"
            "h = g + r*K@diag(y)@e | def v; def g; def K",
            why="the first claim is asserted, with w and beta closed",
            first_bad=1,
            at_most=0.6,
        ),
        Mistake(
            "v = X.T@diag(y)@beta | def w; def beta\n"
            "h = X@w + r*X@X.T@diag(y)@e | def v\n"
            "h = g + r*X@X.T@diag(y)@e | def g",
            why="stops with X in it",
            says="a column of K",
            at_most=0.6,
        ),
        Mistake(
            "h = K@diag(y)@beta | def v; def w; def beta; def K",
            why="four facts in one line, and no old scores",
            first_bad=1,
            says="too much at once",
            at_most=0.0,
        ),
    ),
)

BIAS = Derivation(
    id="bias-in-the-kernel",
    title="The bias is a kernel",
    problem=BIAS_KERNEL,
    points=6,
    proofs=("P-44",),
    statement=r"""
S2 (l. 163) writes the kernel perceptron as "$\sum_i \alpha_i y_i k(x_i, x) +
\alpha_i y_i$". Read literally, the last term stands outside of the sum, and its $i$
means nothing. What is meant is a bias $b = \sum_i \alpha_i y_i$, which has been
corrected by $r y_i$ at each mistake. Show that it is no separate thing: the machine is
one *without* bias, with another kernel.

1. For a new point $z$ and $k = Xz$, the column of the numbers $k_i = x_i^\top z$, write
   $g = w^\top z + b$ as one sum over the training points, with $k_i$ and no bias.
2. Write the scores $f = Xw + b\mathbf{1}$ of the training points as *one* matrix, made
   of $K$, times $\mathrm{diag}(y)\,\alpha$.

End with lines `g = …` and `f = …`.

Symbols: `X` (rows `x[i]`), `K = X@X.T`, `y`, `alpha`, `z`, `k = X@z`,
`w = sum(alpha[i]*y[i]*x[i] for i in N)`, `b = sum(alpha[i]*y[i] for i in N)`,
`g = w.T@z + b`, `f = X@w + b*ones(N)`. The column of ones is `ones(N)`, the matrix of
ones `ones(N)@ones(N).T`; `diag(y)@alpha` is the column of the $y_i \alpha_i$.
""",
    hints=(
        "Put in $w$ and $b$: two sums over the same points. Collect.",
        "$\\alpha_i y_i\\, x_i^\\top z + \\alpha_i y_i = \\alpha_i y_i (\\dots)$.",
        "With $c = \\mathrm{diag}(y)\\,\\alpha$: $w = X^\\top c$ and "
        "$b = \\mathbf{1}^\\top c$. What is $b\\mathbf{1}$ as a matrix times $c$?",
    ),
    references=(
        Reference(
            "g = sum(alpha[i]*y[i]*x[i].T@z for i in N) + sum(alpha[i]*y[i] for i in N)"
            "   | def w; def b\n"
            "g = sum(alpha[i]*y[i]*(x[i].T@z + 1) for i in N)       | collect\n"
            "g = sum(alpha[i]*y[i]*(k[i] + 1) for i in N)           | def k\n"
            "f = X@X.T@diag(y)@alpha + b*ones(N)                    | def w\n"
            "f = K@diag(y)@alpha + b*ones(N)                        | def K\n"
            "f = K@diag(y)@alpha + ones(N)@ones(N).T@diag(y)@alpha  | def b\n"
            "f = (K + ones(N)@ones(N).T)@diag(y)@alpha              | factor",
            "step by step",
        ),
        Reference(
            "c = diag(y)@alpha                      | let c\n"
            "w = X.T@c                              | def w; def c\n"
            "b = ones(N).T@c                        | def b; def c\n"
            "g = c.T@X@z + c.T@ones(N)              | use 2; use 3\n"
            "g = c.T@(k + ones(N))                  | def k\n"
            "f = X@X.T@c + ones(N)@ones(N).T@c      | use 2; use 3\n"
            "f = (K + ones(N)@ones(N).T)@c          | def K",
            "with a name for the signed counts",
        ),
        Reference(
            "g = alpha.T@diag(y)@(k + ones(N)) | def w; def b; def k\n"
            "f = (K + ones(N)@ones(N).T)@diag(y)@alpha | def w; def b; def K",
            "two lines",
        ),
        Reference(
            r"""
g = \sum_{i=1}^N \alpha_i y_i x_i^\top z + \sum_{i=1}^N \alpha_i y_i | def w; def b
g = \sum_{i=1}^N \alpha_i y_i (k_i + 1) | def k; collect
f[j] = w.T@x[j] + b | def f
f[j] = sum(alpha[i]*y[i]*(K[i,j] + 1) for i in N) | def w; def b; def K
f = (K + ones(N)@ones(N).T)@diag(y)@alpha | matrix form
""",
            "LaTeX and components",
        ),
    ),
    mistakes=(
        Mistake(
            "g = sum(alpha[i]*y[i]*k[i] for i in N) + alpha[i]*y[i] | def w; def b; "
            "def k\n"
            "f = (K + ones(N)@ones(N).T)@diag(y)@alpha | def w; def b; def K",
            why="S2's line, read literally",
            first_bad=1,
            says="The index i is bound by no sum",
            at_most=0.6,
        ),
        Mistake(
            "g = sum(alpha[i]*y[i]*(k[i] + 1) for i in N) | def w; def b; def k\n"
            "f = (K + I)@diag(y)@alpha | def w; def b; def K",
            why="K + I for K + 1: a ridge, not a bias",
            first_bad=2,
            says="counterexample",
            at_most=0.6,
        ),
        Mistake(
            "g = sum(alpha[i]*y[i]*k[i] for i in N) + 1 | def w; def b; def k",
            why="a bias of one",
            first_bad=1,
            at_most=0.0,
        ),
        Mistake(
            "g = sum(alpha[i]*y[i]*(k[i] + 1) for i in N) | def w; def b; def k\n"
            "f = K@diag(y)@alpha + ones(N)@ones(N).T@diag(y)@alpha | def w; def b; "
            "def K",
            why="two matrices, not one",
            says="one matrix",
            at_most=0.6,
        ),
        Mistake(
            "g = sum(alpha[i]*y[i]*k[i] for i in N) | def w; def k\n"
            "f = K@diag(y)@alpha | def w; def K",
            why="the bias is forgotten",
            first_bad=1,
            at_most=0.0,
        ),
        Mistake(
            "g = sum(alpha[i]*y[i]*(k[i] + 1) for i in N) | def w; def b; def k\n"
            "f = (K + 1)@diag(y)@alpha | def w; def b; def K",
            why="a number is added to a matrix",
            first_bad=2,
            says="1 is a number",
            at_most=0.6,
        ),
    ),
)


def run(K: np.ndarray, y: np.ndarray, order: Sequence[int], passes: int) -> np.ndarray:
    """Mistakes of a perceptron with kernel K and no bias; at most so many passes."""
    alpha, g = np.zeros(len(y)), np.zeros(len(y))
    for _ in range(passes):
        before = alpha.sum()
        for i in order:
            if y[i] * g[i] <= 0:
                alpha[i] += 1
                g += y[i] * K[:, i]
        if alpha.sum() == before:
            break
    return alpha


def perceptron(
    K: np.ndarray, y: np.ndarray, L: np.ndarray, passes: int
) -> tuple[np.ndarray, np.ndarray]:
    """The reference of `train-a-kernel-perceptron`."""
    alpha = run(K + 1, y, range(len(y)), passes)
    return alpha, np.where((L + 1) @ (alpha * y) >= 0, 1, -1)


def labelled_points(
    rng: np.random.Generator, size: int
) -> tuple[np.ndarray, np.ndarray]:
    """Distinct points with small integers, on both sides of a line."""
    grid = np.array([[i, j] for i in range(-3, 4) for j in range(-3, 4)])
    X = grid[rng.choice(len(grid), size, replace=False)]
    while True:
        normal = rng.choice([-2, -1, 1, 2], 2)
        y = np.where(2 * X @ normal + rng.choice([-5, -3, -1, 1, 3, 5]) > 0, 1, -1)
        if abs(y.sum()) < size:
            return X.astype(float), y


def training(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A linear kernel, new points, and passes enough."""
    X, y = labelled_points(rng, size)
    Z = rng.integers(-3, 4, size=(size // 2 + 2, 2)).astype(float)
    return X @ X.T, y, Z @ X.T, 500


def stopped_early(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Labels of an exclusive or, which no line separates: the passes run out."""
    X = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [2.0, 1.0]])
    y = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
    order = rng.permutation(len(y))
    X, y = X[order], y[order]
    Z = rng.integers(-2, 3, size=(3, 2)).astype(float)
    return X @ X.T, y, Z @ X.T, size


def no_pass(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """No pass at all: every score is a tie."""
    K, y, L, _ = training(rng, size)
    return K, y, L, 0


def one_class(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """All labels are -1."""
    K, y, L, passes = training(rng, size)
    return K, np.full_like(y, -1), L, passes


TRAIN = CodeQuestion(
    id="train-a-kernel-perceptron",
    title="Train a kernel perceptron",
    points=7,
    proofs=("P-43", "P-44"),
    statement=r"""
Write `perceptron(K, y, L, passes)`, the algorithm of S2 (l. 202–226) with what is
missing there: it says nowhere how $g$ is computed, and on data that cannot be separated
it never ends. The function is given

- the Gram matrix $K_{ij} = k(x_i, x_j)$ of the training points and their labels `y`
  ($+1$ or $-1$);
- the $m \times n$ matrix $L_{ij} = k(z_i, x_j)$ of new points against training points;
- `passes`, the largest number of passes.

Start with $\alpha = 0$. A point is a mistake if $y_i\, g(x_i) \le 0$, where
$g(x) = \sum_j \alpha_j y_j\, (k(x_j, x) + 1)$, with the bias in the kernel; then
$\alpha_i$ grows by 1. Go through the points in their order, and end after a pass
without a mistake, or when the passes are used up. Return two arrays:

- $\alpha$, the number of mistakes on each point;
- the predicted labels of the new points, $+1$ where $g \ge 0$ and $-1$ where $g < 0$.

Keep the scores of all training points, and add a column at each mistake: then a pass
costs $O(n)$ and a mistake $O(n)$ more, instead of $O(n^2)$ for every pass.
""",
    function="perceptron",
    signature="def perceptron(K, y, L, passes):",
    reference=perceptron,
    inputs=training,
    edge_cases=(
        Cases("not separable", stopped_early, count=4, smallest=1),
        Cases("one class only", one_class, count=2),
        Cases("no pass", no_pass, count=2),
    ),
    hints=(
        "Two loops: `for _ in range(passes)` and, inside, `for i in range(n)`. How "
        "does the outer one know that a pass had no mistake?",
        "At a mistake on point $i$ the score of $x_j$ changes by $y_i (K_{ji} + 1)$: "
        "*Mistakes are weights*, with the bias in the kernel.",
        "The scores of the new points are `(L + 1) @ (alpha * y)`. `np.sign` gives 0 "
        "at a tie; the rule of S2 (l. 65) does not.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def perceptron(K, y, L, passes):\n"
            "    n = len(y)\n"
            "    alpha = np.zeros(n)\n"
            "    g = np.zeros(n)\n"
            "    for _ in range(passes):\n"
            "        mistakes = 0\n"
            "        for i in range(n):\n"
            "            if y[i] * g[i] <= 0:\n"
            "                alpha[i] += 1\n"
            "                g += y[i] * (K[:, i] + 1)\n"
            "                mistakes += 1\n"
            "        if mistakes == 0:\n"
            "            break\n"
            "    scores = (L + 1) @ (alpha * y)\n"
            "    return alpha, np.where(scores >= 0, 1, -1)\n",
            "with a column at each mistake",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def perceptron(K, y, L, passes):\n"
            "    alpha = [0] * len(y)\n"
            "    changed = True\n"
            "    while changed and passes > 0:\n"
            "        changed, passes = False, passes - 1\n"
            "        for i in range(len(y)):\n"
            "            g = sum(a * c * (k + 1) for a, c, k in zip(alpha, y, K[i]))\n"
            "            if y[i] * g <= 0:\n"
            "                alpha[i] += 1\n"
            "                changed = True\n"
            "    g = [sum(a * c * (k + 1) for a, c, k in zip(alpha, y, row))\n"
            "         for row in L]\n"
            "    return np.array(alpha), np.array([1 if s >= 0 else -1 for s in g])\n",
            "scores computed anew, plain Python",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def perceptron(K, y, L, passes):\n"
            "    signed, bias, alpha = np.zeros(len(y)), 0.0, np.zeros(len(y), int)\n"
            "    for _ in range(passes):\n"
            "        before = alpha.copy()\n"
            "        for i, label in enumerate(y):\n"
            "            if label * (K[i] @ signed + bias) <= 0:\n"
            "                alpha[i] += 1\n"
            "                signed[i] += label\n"
            "                bias += label\n"
            "        if (alpha == before).all():\n"
            "            break\n"
            "    scores = L @ signed + bias\n"
            "    labels = np.sign(scores)\n"
            "    labels[scores == 0] = 1\n"
            "    return alpha, labels\n",
            "with a separate bias",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n"
            "def perceptron(K, y, L, passes):\n"
            "    n = len(y)\n"
            "    alpha, g = np.zeros(n), np.zeros(n)\n"
            "    for _ in range(passes):\n"
            "        mistakes = 0\n"
            "        for i in range(n):\n"
            "            if y[i] * g[i] < 0:\n"
            "                alpha[i] += 1\n"
            "                g += y[i] * (K[:, i] + 1)\n"
            "                mistakes += 1\n"
            "        if mistakes == 0:\n"
            "            break\n"
            "    return alpha, np.where((L + 1) @ (alpha * y) >= 0, 1, -1)\n",
            why="< for ≤: it never starts",
            says="regular: 0 of 8",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def perceptron(K, y, L, passes):\n"
            "    n = len(y)\n"
            "    alpha, g = np.zeros(n), np.zeros(n)\n"
            "    for _ in range(passes):\n"
            "        mistakes = 0\n"
            "        for i in range(n):\n"
            "            if y[i] * g[i] <= 0:\n"
            "                alpha[i] += 1\n"
            "                g += y[i] * K[:, i]\n"
            "                mistakes += 1\n"
            "        if mistakes == 0:\n"
            "            break\n"
            "    return alpha, np.where(L @ (alpha * y) >= 0, 1, -1)\n",
            why="no bias",
            says="came",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def perceptron(K, y, L, passes):\n"
            "    n = len(y)\n"
            "    alpha = np.zeros(n)\n"
            "    g = (K + 1) @ (alpha * y)\n"
            "    for _ in range(passes):\n"
            "        m = 0\n"
            "        for i in range(n):\n"
            "            if y[i] * g[i] <= 0:\n"
            "                alpha[i] += 1\n"
            "            else:\n"
            "                m += 1\n"
            "        if m == n:\n"
            "            break\n"
            "    return alpha, np.where((L + 1) @ (alpha * y) >= 0, 1, -1)\n",
            why="S2's algorithm to the letter: g is never computed again",
            says="regular: 0 of 8",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def perceptron(K, y, L, passes):\n"
            "    n = len(y)\n"
            "    alpha, g = np.zeros(n), np.zeros(n)\n"
            "    for _ in range(passes):\n"
            "        wrong = np.flatnonzero(y * g <= 0)\n"
            "        if len(wrong) == 0:\n"
            "            break\n"
            "        alpha[wrong] += 1\n"
            "        g = (K + 1) @ (alpha * y)\n"
            "    return alpha, np.where((L + 1) @ (alpha * y) >= 0, 1, -1)\n",
            why="all mistakes of a pass at once: another algorithm",
            says="came",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def perceptron(K, y, L, passes):\n"
            "    n = len(y)\n"
            "    alpha, g = np.zeros(n), np.zeros(n)\n"
            "    while True:\n"
            "        mistakes = 0\n"
            "        for i in range(n):\n"
            "            if y[i] * g[i] <= 0:\n"
            "                alpha[i] += 1\n"
            "                g += y[i] * (K[:, i] + 1)\n"
            "                mistakes += 1\n"
            "        if mistakes == 0:\n"
            "            break\n"
            "    return alpha, np.where((L + 1) @ (alpha * y) >= 0, 1, -1)\n",
            why="do … while, as printed: no end on data that cannot be separated",
            says="an endless loop?",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def perceptron(K, y, L, passes):\n"
            "    n = len(y)\n"
            "    alpha, g = np.zeros(n), np.zeros(n)\n"
            "    for _ in range(passes):\n"
            "        mistakes = 0\n"
            "        for i in range(n):\n"
            "            if y[i] * g[i] <= 0:\n"
            "                alpha[i] += 1\n"
            "                g += y[i] * (K[:, i] + 1)\n"
            "                mistakes += 1\n"
            "        if mistakes == 0:\n"
            "            break\n"
            "    return alpha, np.sign((L + 1) @ (alpha * y))\n",
            why="the label 0 at a tie",
            says="no pass: 0 of 2",
            at_most=0.5,
        ),
    ),
)

RATE = r"""
## The learning rate

S2 (l. 71) gives the algorithm a learning rate and does not say that it must be
positive, nor that it does not matter.
"""

UNIT = Puzzle(
    id="rate-is-a-unit",
    title="The rate is a unit of length",
    points=6,
    proofs=("P-46",),
    statement=r"""
Let two perceptrons run on the same points, in the same order, both from $w = 0$; one
with rate 1, the other with rate $r > 0$. Write $w$ for the vector of the first and $v$
for that of the second, at the same moment. (A bias is a coordinate of $w$ like the
others, with $x_0 = 1$.) Put together a proof that they make the same mistakes and end
with the same classifier. Four of the blocks do not belong.
""",
    blocks=(
        Block(
            "claim",
            r"Claim: before every test, $v = r\,w$.",
        ),
        Block(
            "start",
            r"At the start it is true: $v = 0 = r \cdot 0 = r\,w$.",
            needs=("claim",),
        ),
        Block(
            "test",
            r"Suppose that it is true before the test of $x_i$. Then "
            r"$y_i\, v^\top x_i = r \cdot y_i\, w^\top x_i$. As $r > 0$, both numbers "
            r"are $\le 0$ or neither is: $x_i$ is a mistake of both or of neither.",
            needs=("claim",),
        ),
        Block(
            "neither",
            r"If of neither, nothing changes, and $v = r\,w$ before the next test.",
            needs=("test",),
        ),
        Block(
            "both",
            r"If of both, $v + r\, y_i x_i = r\,(w + y_i x_i)$: it is true again "
            r"before the next test.",
            needs=("test",),
        ),
        Block(
            "always",
            r"By induction $v = r\,w$ before every test, and the two make the same "
            r"mistakes in the same order.",
            needs=("start", "neither", "both"),
        ),
        Block(
            "end",
            r"So they end after the same pass, or neither ends; and $v^\top x = r\, "
            r"w^\top x$ has the same sign as $w^\top x$ at every $x$.",
            needs=("always",),
        ),
        Block(
            "nonzero",
            r"The rate cancels on both sides of the test $y_i\, v^\top x_i \le 0$. So "
            r"it only has to be different from zero.",
            why="if r is negative, dividing by it turns ≤ into ≥, and each correction "
            "makes the mistake worse",
        ),
        Block(
            "anywhere",
            r"The same holds from any common start $w = v = s$, because the start does "
            r"not occur in the update.",
            why="from a start s ≠ 0 already v = rw is false: s is not rs",
        ),
        Block(
            "slower",
            r"A smaller rate makes smaller steps, so it needs more of them but ends "
            r"closer to the best separating line.",
            why="all lengths are smaller, also that of w itself: it is the same run, "
            "drawn on another scale",
        ),
        Block(
            "unique",
            r"Both runs converge to the separating hyperplane, so they converge to the "
            r"same one.",
            why="data that can be separated have many separating hyperplanes; which is "
            "found depends on the mistakes",
        ),
    ),
    hints=(
        "What should the second vector be, in terms of the first, at every moment? "
        "That is the claim of the induction.",
        "The step of the induction has two cases, and before them a question: do the "
        "two machines answer the test alike?",
    ),
    references=(
        Reference(
            "claim, start, test, neither, both, always, end",
            "in order",
        ),
        Reference(
            "claim, test, both, neither, start, always, end",
            "the start of the induction last",
        ),
    ),
    mistakes=(
        Mistake(
            "claim, anywhere, test, neither, both, always, end",
            why="the start is taken to be of no importance",
            says="s is not rs",
            at_most=0.8,
        ),
        Mistake(
            "claim, start, nonzero, neither, both, always, end",
            why="a negative rate is let in",
            says="makes the mistake worse",
            at_most=0.6,
        ),
        Mistake(
            "unique, end",
            why="no induction: the solution is taken to be unique",
            says="many separating hyperplanes",
            at_most=0.2,
        ),
        Mistake(
            "claim, start, both, test, neither, always, end",
            why="the same update is used before it is known that both make it",
            says="comes too early",
        ),
        Mistake(
            "claim, start, test, both, always, end",
            why="the case of no mistake is left out",
            says="rests on something",
        ),
    ),
)

ELSEWHERE = Values(
    id="rate-from-elsewhere",
    title="From another start the rate matters",
    points=5,
    proofs=("P-46",),
    statement=r"""
Two points without bias: $x_1 = (0, 3)$ with $y_1 = +1$, and $x_2 = (3, 2)$ with
$y_2 = -1$. Start from $w = (3, 2)$, and go through the points in the order 1, 2, 1, 2,
…, until a pass has no mistake. At a mistake $w$ becomes $w + r\, y_i x_i$.

- `m1` and `w1`: the number of mistakes and the last $w$, with rate $r = 1$;
- `m2` and `w2`: the same with rate $r = 2$;
- `m_tenth`: the number of mistakes with rate $r = 1/10$;
- `label1` and `label2`: what the two machines, with rates 1 and 2, say about the new
  point $(1, 2)$: 1 or -1;
- `start`: the start from which rate 1 makes the same mistakes as rate 2 does from
  $(3, 2)$;
- `zero2`: the last $w$ with rate 2 if the start is $w = 0$ after all;
- `ends`: from $w = 0$ with rate $-1$, does the run end (yes or no)?
""",
    values=(
        Value(
            "m1",
            "3",
            traps={"2": "after the first mistake w = (0, 0): is x₁ right then?"},
        ),
        Value(
            "w1",
            "[-3, 1]",
            traps={"[0, 0]": "w = 0 separates nothing: go on"},
        ),
        Value(
            "m2",
            "2",
            traps={"3": "follow it: after the first mistake w = (-3, -2)"},
        ),
        Value(
            "w2",
            "[-3, 4]",
            traps={
                "[-6, 2]": "this is twice w1, as if the start were 0",
                "[-3, -2]": "one correction is missing: is x₁ right then?",
            },
        ),
        Value(
            "m_tenth",
            "12",
            traps={
                "30": "ten times as many as with rate 1? Follow w: where is it after "
                "ten mistakes?",
                "11": "after ten mistakes w = 0, exactly: go on from there",
                "10": "after ten mistakes w = 0, exactly; and 0 is no solution",
                "3": "the first correction only takes a tenth of w away",
            },
        ),
        Value("label1", "-1", weight=0.5),
        Value("label2", "1", weight=0.5),
        Value(
            "start",
            "[3/2, 1]",
            traps={
                "[6, 4]": "the other way round: divide by the rate",
                "[3, 2]": "from there rate 1 makes three mistakes",
            },
        ),
        Value(
            "zero2",
            "[-6, 2]",
            traps={
                "[-3, 1]": "this is for rate 1",
                "[-3, 4]": "this is from (3, 2)",
            },
        ),
        Value(
            "ends",
            "no",
            choices=("yes", "no"),
            traps={"yes": "what does the first correction do to y₁ wᵀx₁?"},
        ),
    ),
    hints=(
        "With rate 1 the first mistake is on $x_2$, and it brings $w$ to zero. That "
        "is a mistake on everything.",
        "With rate $1/10$ the first corrections are all on $x_2$: $w = (3, 2)\\,(1 - "
        "m/10)$.",
        "Divide everything by the rate: $w/r$ makes steps $y_i x_i$, from the start "
        "$s/r$.",
    ),
    references=(
        Reference(
            "m1 = 3\nw1 = [-3, 1]\nm2 = 2\nw2 = [-3, 4]\nm_tenth = 12\nlabel1 = -1\n"
            "label2 = 1\nstart = [3/2, 1]\nzero2 = [-6, 2]\nends = no",
            "numbers",
        ),
        Reference(
            "m1 = 1 + 2; w1 = [0 - 3, 3 - 2]\nm2 = 2; w2 = [3 - 6, 2 - 4 + 6]\n"
            "m_tenth = 10 + 2\nlabel1 = -1; label2 = +1\nstart = [1.5, 1]\n"
            "zero2 = [2*(-3), 2*1]\nends = no",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "m1 = 3\nw1 = [-3, 1]\nm2 = 3\nw2 = [-6, 2]\nm_tenth = 3\nlabel1 = -1\n"
            "label2 = -1\nstart = [3, 2]\nzero2 = [-6, 2]\nends = no",
            why="the rate is taken to be irrelevant from any start",
            says="as if the start were 0",
            at_most=0.6,
        ),
        Mistake(
            "m1 = 2\nw1 = [-3, -2]\nm2 = 2\nw2 = [-3, 4]\nm_tenth = 10\nlabel1 = -1\n"
            "label2 = 1\nstart = [6, 4]\nzero2 = [-6, 2]\nends = no",
            why="w = 0 is taken for right",
            says="is x₁ right then?",
            at_most=0.6,
        ),
        Mistake(
            "m1 = 3\nw1 = [-3, 1]\nm2 = 2\nw2 = [-3, 4]\nm_tenth = 11\nlabel1 = -1\n"
            "label2 = 1\nstart = [3/2, 1]\nzero2 = [-6, 2]\nends = yes",
            why="the start forgotten too early, and a negative rate",
            says="go on from there",
            at_most=0.8,
        ),
        Mistake(
            "m1 = 3\nw1 = [-3, 1]\nm2 = 2\nw2 = [-3, 4]\nm_tenth = 30\nlabel1 = 1\n"
            "label2 = 1\nstart = [3/2, 1]\nzero2 = [-3, 1]\nends = no",
            why="ten times as many steps",
            says="ten times as many",
            at_most=0.8,
        ),
    ),
)

BOUND = r"""
## How many mistakes

"Until convergence", says S3 (l. 64). Does it come? Here $\varphi(x)$ are the features
of a kernel without bias, or with the bias inside. Let $u$ be a unit vector and
$\gamma > 0$ with $y_i\, u^\top\varphi(x_i) \ge \gamma$ for all $i$: the data are
separable, and $\gamma$ is a margin. Let $R$ be such that $\|\varphi(x_i)\| \le R$ for
all $i$.
"""

STEP = Derivation(
    id="one-mistake",
    title="What one mistake does",
    problem=ONE_MISTAKE,
    points=6,
    proofs=("P-45",),
    statement=r"""
A mistake on $x_i$ turns $w$ into $v = w + z$ with $z = y_i\,\varphi(x_i)$. Three things
are known about $z$, written here as equations with something that is $\ge 0$:

- it was a mistake, $w^\top z \le 0$: so $w^\top z = -s$ with $s \ge 0$;
- the points are not too long, $z^\top z \le R^2$: so $R^2 = z^\top z + t$ with
  $t \ge 0$;
- $u$ separates with margin $\gamma$, $u^\top z \ge \gamma$: so
  $\gamma = u^\top z - e$ with $e \ge 0$.

Show that the mistake takes $w$ further in the direction of $u$, and does not make it
much longer:

1. $p = u^\top v \ge u^\top w + \gamma$;
2. $q = v^\top v \le w^\top w + R^2$.

First write `p` and `q` as sums in which `s`, `t` and `e` occur, then drop them. The
reason that opens $w^\top z = -s$ is `given`, for the other two it is `def R2` and
`def gamma`; the reason for dropping what is not negative is `nonneg`.

Symbols: `w`, `z`, `u` (columns), `v = w + z`, `p = u.T@v`, `q = v.T@v`, `s`, `t`, `e`
(none negative), `R2 = z.T@z + t` (the square of $R$), `gamma = u.T@z - e`; and
`w.T@z = -s` is given.
""",
    hints=(
        "Put in $v$ and multiply out. Which of the products are known?",
        "In $v^\\top v$ there are three terms. The middle one is $2w^\\top z = -2s$: "
        "that is where the mistake is used.",
        "Last, drop what is $\\ge 0$: `q <= w.T@w + R2 | nonneg`.",
    ),
    references=(
        Reference(
            "p = u.T@(w + z)                     | def v\n"
            "p = u.T@w + u.T@z                   | expand\n"
            "p = u.T@w + gamma + e               | def gamma\n"
            "p >= u.T@w + gamma                  | nonneg\n"
            "q = (w + z).T@(w + z)               | def v\n"
            "q = w.T@w + 2*w.T@z + z.T@z         | expand\n"
            "q = w.T@w - 2*s + z.T@z             | given\n"
            "q = w.T@w - 2*s + R2 - t            | def R2\n"
            "q <= w.T@w + R2                     | nonneg",
            "step by step",
        ),
        Reference(
            "q = norm2(w) + 2*w.T@z + norm2(z) | def v\n"
            "q = norm2(w) - 2*s + R2 - t | given; def R2\n"
            "q <= norm2(w) + R2 | nonneg\n"
            "p = u.T@w + gamma + e >= u.T@w + gamma | def v; def gamma; nonneg",
            "short, the norm first",
        ),
        Reference(
            "q = norm2(w + z) | def v\n"
            "q = norm2(w) + 2*dot(w, z) + norm2(z) | expand\n"
            "q = norm2(w) - 2*s + norm2(z) | w.T@z = -s\n"
            "q = norm2(w) - 2*s + R2 - t | def R2\n"
            "q <= norm2(w) + R2 | s and t are nonnegative\n"
            "p = dot(u, w) + dot(u, z) | def v\n"
            "p = dot(u, w) + gamma + e | def gamma\n"
            "p >= dot(u, w) + gamma | e is nonnegative",
            "one given at a time",
        ),
        Reference(
            r"""
p = u^\top w + u^\top z | def v; expand
= u^\top w + \gamma + e | def \gamma
\ge u^\top w + \gamma | nonneg
q = w^\top w + 2 w^\top z + z^\top z | def v; expand
= w^\top w - 2 s + R2 - t | given; def R2
\le w^\top w + R2 | nonneg
""",
            "LaTeX, in chains",
        ),
        Reference(
            "w.T@z = -s | given\n"
            "u.T@z = gamma + e | def gamma\n"
            "z.T@z = R2 - t | def R2\n"
            "p = u.T@w + u.T@z | def v\n"
            "p = u.T@w + gamma + e | use 2\n"
            "p >= u.T@w + gamma | drop e\n"
            "q = norm2(w) + 2*w.T@z + norm2(z) | def v\n"
            "q = norm2(w) - 2*s + R2 - t | use 1; use 3\n"
            "q <= norm2(w) + R2 | drop 2*s and t",
            "the three facts first",
        ),
    ),
    mistakes=(
        Mistake(
            "p = u.T@w + gamma + e | def v; def gamma\np >= u.T@w + gamma | nonneg\n"
            "q = w.T@w + z.T@z | def v\nq = w.T@w + R2 - t | def R2\n"
            "q <= w.T@w + R2 | nonneg",
            why="Pythagoras, but w and z are not orthogonal",
            first_bad=3,
            says="counterexample",
            at_most=0.8,
        ),
        Mistake(
            "p = u.T@w + gamma + e | def v; def gamma\np >= u.T@w + gamma | nonneg\n"
            "q = w.T@w + 2*w.T@z + z.T@z | def v\n"
            "q <= w.T@w + R2 | nonneg; def R2",
            why="the mistake is not used: without it the middle term may be positive",
            first_bad=4,
            at_most=0.6,
        ),
        Mistake(
            "p = u.T@w + gamma + e | def v; def gamma\np <= u.T@w + gamma | nonneg\n"
            "q = w.T@w + 2*w.T@z + z.T@z | def v\n"
            "q = w.T@w - 2*s + R2 - t | given; def R2\nq <= w.T@w + R2 | nonneg",
            why="the wrong direction",
            first_bad=2,
            says="counterexample",
            at_most=0.6,
        ),
        Mistake(
            "p = u.T@w + gamma + e | def v; def gamma\np >= u.T@w + gamma | nonneg\n"
            "q = w.T@w + 2*w.T@z + z.T@z | def v\n"
            "q = w.T@w + 2*s + z.T@z | given\n"
            "q <= w.T@w + R2 | nonneg; def R2",
            why="a sign: a mistake has wᵀz ≤ 0",
            first_bad=4,
            at_most=0.6,
        ),
        Mistake(
            "p = u.T@w + gamma | def v; def gamma\n"
            "q = w.T@w + 2*w.T@z + z.T@z | def v\n"
            "q = w.T@w - 2*s + R2 - t | given; def R2\nq <= w.T@w + R2 | nonneg",
            why="every point is taken to lie on the margin",
            first_bad=1,
            at_most=0.6,
        ),
        Mistake(
            "p >= u.T@w + gamma | nonneg\nq <= w.T@w + R2 | nonneg",
            why="both claims are asserted",
            first_bad=1,
            at_most=0.0,
        ),
        Mistake(
            "q = w.T@w + 2*w.T@z + z.T@z | def v\n"
            "q = w.T@w - 2*s + R2 - t | given; def R2\nq <= w.T@w + R2 | nonneg",
            why="half of it",
            says="p >= u.T@w + gamma",
            at_most=0.6,
        ),
        Mistake(
            "p = u.T@w + gamma + e | def v; def gamma\np >= u.T@w + gamma | nonneg\n"
            "q = w.T@w + w.T@z + z.T@z | def v\n"
            "q = w.T@w - s + R2 - t | given; def R2\nq <= w.T@w + R2 | nonneg",
            why="the middle term counts twice; the bound survives by luck",
            first_bad=3,
            says="2*w.T@z",
            at_most=0.8,
        ),
    ),
)

NOVIKOFF = Puzzle(
    id="mistake-bound",
    title="At most (R/γ)² mistakes",
    points=8,
    proofs=("P-45",),
    statement=r"""
Put together a proof that a perceptron which starts from $w_0 = 0$ makes at most
$(R/\gamma)^2$ mistakes, in whichever order the points come, and that its run ends. Here
$w_t$ is the vector after the $t$-th mistake, $u$ is a *unit* vector with
$y_i\,u^\top\varphi(x_i) \ge \gamma > 0$ for all $i$, and $\|\varphi(x_i)\| \le R$. Five
of the blocks do not belong.
""",
    blocks=(
        Block(
            "update",
            r"Let the $t$-th mistake be on $x_i$: $w_t = w_{t-1} + y_i\,\varphi(x_i)$, "
            r"and $y_i\, w_{t-1}^\top\varphi(x_i) \le 0$.",
        ),
        Block(
            "progress",
            r"$u^\top w_t = u^\top w_{t-1} + y_i\, u^\top\varphi(x_i) \ge "
            r"u^\top w_{t-1} + \gamma$.",
            needs=("update",),
        ),
        Block(
            "linear",
            r"As $u^\top w_0 = 0$, after $t$ mistakes $u^\top w_t \ge t\gamma$.",
            needs=("progress",),
        ),
        Block(
            "square",
            r"$\|w_t\|^2 = \|w_{t-1}\|^2 + 2 y_i\, w_{t-1}^\top\varphi(x_i) + "
            r"\|\varphi(x_i)\|^2$.",
            needs=("update",),
        ),
        Block(
            "slow",
            r"It was a mistake, so the middle term is $\le 0$: "
            r"$\|w_t\|^2 \le \|w_{t-1}\|^2 + R^2$.",
            needs=("square",),
        ),
        Block(
            "root",
            r"As $\|w_0\|^2 = 0$, after $t$ mistakes $\|w_t\|^2 \le tR^2$.",
            needs=("slow",),
        ),
        Block(
            "schwarz",
            r"By Cauchy and Schwarz $u^\top w_t \le \|u\|\,\|w_t\| = \|w_t\|$.",
        ),
        Block(
            "squeeze",
            r"Together $t\gamma \le u^\top w_t \le \|w_t\| \le \sqrt{t}\, R$.",
            needs=("linear", "schwarz", "root"),
        ),
        Block(
            "bound",
            r"Dividing by $\sqrt{t}\,\gamma > 0$ gives $\sqrt{t} \le R/\gamma$, that "
            r"is, $t \le (R/\gamma)^2$.",
            needs=("squeeze",),
        ),
        Block(
            "end",
            r"So there are finitely many mistakes. A pass that comes after the last of "
            r"them has none, and the run ends.",
            needs=("bound",),
        ),
        Block(
            "once",
            r"After the correction $x_i$ is right, since $y_i\, w_t^\top\varphi(x_i)$ "
            r"has grown by $\|\varphi(x_i)\|^2$. So each point is missed at most once.",
            why="it has grown, but perhaps not enough; and later corrections can undo "
            "it. The run by hand missed points twice",
        ),
        Block(
            "triangle",
            r"By the triangle inequality $\|w_t\| \le \|w_{t-1}\| + R$, so "
            r"$\|w_t\| \le tR$.",
            why="true, but too weak: tγ ≤ tR says nothing about t. The square grows by "
            "R², because the middle term is not positive",
        ),
        Block(
            "any-length",
            r"The length of $u$ is of no importance, as only the sign of "
            r"$u^\top\varphi(x_i)$ counts.",
            why="10u would have the margin 10γ, and the bound would be a hundred times "
            "smaller: γ is measured with a unit vector",
        ),
        Block(
            "finite",
            r"There are finitely many points, so $w_t$ takes finitely many values, and "
            r"the run ends.",
            why="sums of finitely many points are infinitely many; and a run on data "
            "that cannot be separated does not end, with finitely many points too",
        ),
        Block(
            "better",
            r"Each correction makes the number of wrong points smaller.",
            why="a correction for one point may make many others wrong",
        ),
    ),
    hints=(
        "Two quantities are watched over the mistakes: one grows at least like $t$, "
        "the other at most like $\\sqrt t$.",
        "*What one mistake does* is the step of both inductions.",
        "What connects $u^\\top w_t$ with $\\|w_t\\|$?",
    ),
    references=(
        Reference(
            "update, progress, linear, square, slow, root, schwarz, squeeze, bound, "
            "end",
            "progress, then length",
        ),
        Reference(
            "schwarz, update, square, slow, root, progress, linear, squeeze, bound, "
            "end",
            "Cauchy–Schwarz and the length first",
        ),
    ),
    mistakes=(
        Mistake(
            "update, once, end",
            why="each point once",
            says="missed points twice",
            at_most=0.2,
        ),
        Mistake(
            "update, progress, linear, triangle, schwarz, squeeze, bound, end",
            why="the triangle inequality is too weak",
            says="too weak",
            at_most=0.6,
        ),
        Mistake(
            "update, progress, linear, square, slow, root, any-length, schwarz, "
            "squeeze, bound, end",
            why="a u of any length",
            says="a hundred times smaller",
        ),
        Mistake(
            "update, square, root, slow, progress, linear, schwarz, squeeze, bound, "
            "end",
            why="the sum before the step",
            says="comes too early",
        ),
        Mistake(
            "update, progress, linear, square, slow, root, squeeze, bound, end",
            why="nothing connects progress and length",
            says="rests on something",
            at_most=0.8,
        ),
        Mistake(
            "finite",
            why="finitely many points",
            says="does not end",
            at_most=0.0,
        ),
    ),
)

MARGIN = Values(
    id="margin-and-mistakes",
    title="A margin, and what it promises",
    points=6,
    proofs=("P-45",),
    statement=r"""
Three points, without bias:

| point $x_i$ | coordinates | label $y_i$ |
|---|---|---|
| 1 | $(2, -1)$ | $+1$ |
| 2 | $(1, -3)$ | $-1$ |
| 3 | $(0, 3)$ | $+1$ |

- `R2`, the smallest possible $R^2$;
- `gamma_diagonal`, the margin $\min_i\, y_i\, u^\top x_i$ of the unit vector
  $u = (1, 1)/\sqrt{2}$, and `bound_diagonal`, the bound $R^2/\gamma^2$ that it gives;
- `u`, the unit vector with the largest margin, `gamma`, that margin, and `bound`;
- `made`, the number of mistakes that the perceptron makes in the order 1, 2, 3, and
  `made_132`, in the order 1, 3, 2;
- `bound_scaled`, the best bound if all three points are multiplied by 7;
- `bound_far`, the best bound if only $x_3$ is replaced by $(0, 30)$; and `made_far`,
  the number of mistakes then, in the order 1, 2, 3.
""",
    values=(
        Value(
            "R2",
            "10",
            weight=0.5,
            traps={
                "sqrt(10)": "this is R; its square is asked for",
                "9": "x₂ is longer than x₃",
            },
        ),
        Value(
            "gamma_diagonal",
            "sqrt(2)/2",
            exact=True,
            traps={"1": "u has length 1: divide by √2"},
        ),
        Value("bound_diagonal", "20", traps={"10": "γ² is 1/2, not 1"}),
        Value(
            "u",
            "[4/5, 3/5]",
            exact=True,
            weight=1.5,
            traps={
                "[4, 3]": "the direction is right; make it a unit vector",
                "[3/5, 4/5]": "the margin of x₁ is then only 2/5",
            },
        ),
        Value("gamma", "1", traps={"5": "this is for u = (4, 3), which is too long"}),
        Value("bound", "10"),
        Value(
            "made",
            "5",
            traps={
                "2": "this is the first pass; go on",
                "3": "how many on x₁, how many on x₂?",
                "10": "this is the bound, not the run",
            },
        ),
        Value("made_132", "2", traps={"5": "now x₃ comes second: is it right then?"}),
        Value(
            "bound_scaled",
            "10",
            traps={
                "490": "γ grows as well: R/γ stays",
                "70": "γ grows as well: R/γ stays",
            },
        ),
        Value(
            "bound_far",
            "900",
            traps={
                "10": "R has changed",
                "30": "the bound has R², not R",
            },
        ),
        Value("made_far", "5", weight=0.5),
    ),
    hints=(
        "With $z_i = y_i x_i$ the margin of $u$ is the smallest $u^\\top z_i$. Draw "
        "the three $z_i$.",
        "At the best $u$ the two smallest of the $u^\\top z_i$ are equal, so $u$ is "
        "orthogonal to a difference $z_i - z_j$. Which two?",
        "The bound looks at the longest point and the smallest margin; the run looks "
        "at the points that it misses.",
    ),
    references=(
        Reference(
            "R2 = 10\ngamma_diagonal = sqrt(2)/2\nbound_diagonal = 20\n"
            "u = [4/5, 3/5]\ngamma = 1\nbound = 10\nmade = 5\nmade_132 = 2\n"
            "bound_scaled = 10\nbound_far = 900\nmade_far = 5",
            "numbers",
        ),
        Reference(
            "R2 = 1 + 9\ngamma_diagonal = 1/sqrt(2)\nbound_diagonal = 10/(1/2)\n"
            "u = [0.8, 0.6]\ngamma = (4*2 - 3)/5\nbound = 10/1**2\nmade = 3 + 2\n"
            "made_132 = 2\nbound_scaled = 49*10/7**2\nbound_far = 30**2/1\n"
            "made_far = 5",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "R2 = 10\ngamma_diagonal = 1\nbound_diagonal = 10\n"
            "u = [4, 3]\ngamma = 5\nbound = 2/5\nmade = 5\nmade_132 = 2\n"
            "bound_scaled = 10\nbound_far = 36\nmade_far = 5",
            why="u is not a unit vector, and the bound is smaller than the truth",
            says="which is too long",
            at_most=0.6,
        ),
        Mistake(
            "R2 = 10\ngamma_diagonal = sqrt(2)/2\nbound_diagonal = 20\n"
            "u = [4/5, 3/5]\ngamma = 1\nbound = 10\nmade = 10\nmade_132 = 10\n"
            "bound_scaled = 490\nbound_far = 10\nmade_far = 10",
            why="the bound taken for the number of mistakes; only R is scaled",
            says="R/γ stays",
            at_most=0.7,
        ),
        Mistake(
            "R2 = sqrt(10)\ngamma_diagonal = 0.707\nbound_diagonal = 20\n"
            "u = [3/5, 4/5]\ngamma = 2/5\nbound = 125/2\nmade = 2\nmade_132 = 2\n"
            "bound_scaled = 125/2\nbound_far = 5625\nmade_far = 2",
            why="R for R², one pass, and another u",
            says="only 2/5",
            at_most=0.4,
        ),
        Mistake(
            "R2 = 9\ngamma_diagonal = sqrt(2)/2\nbound_diagonal = 18\n"
            "u = [4/5, 3/5]\ngamma = 1\nbound = 9\nmade = 5\nmade_132 = 5\n"
            "bound_scaled = 9\nbound_far = 30\nmade_far = 5",
            why="the wrong longest point, and R for R²",
            says="x₂ is longer",
            at_most=0.7,
        ),
    ),
)


def mistakes(
    K: np.ndarray, y: np.ndarray, orders: np.ndarray
) -> tuple[np.ndarray, float]:
    """The reference of `mistakes-in-every-order`."""
    counts, margins = [], []
    for order in orders:
        alpha = run(K, y, order, 100_000)
        scores = K @ (alpha * y)
        length = np.sqrt((alpha * y) @ scores)
        counts.append(alpha.sum())
        margins.append((y * scores).min() / length)
    return np.array(counts), K.diagonal().max() / max(margins) ** 2


def separable_orders(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A line separates; one kernel, three orders."""
    X, y = labelled_points(rng, size)
    orders = np.array([rng.permutation(size) for _ in range(3)])
    return X @ X.T + 1, y, orders


def strict_orders(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Any labels, and a polynomial of degree 2 plus 1 on the diagonal."""
    X = rng.integers(-1, 2, size=(size, 2)).astype(float)
    y = rng.choice([-1, 1], size)
    orders = np.array([rng.permutation(size) for _ in range(2)])
    return (X @ X.T + 1) ** 2 + np.eye(size), y, orders


def one_order(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A single order, backwards."""
    K, y, _ = separable_orders(rng, size)
    return K, y, np.arange(size)[None, ::-1].copy()


ORDERS = CodeQuestion(
    id="mistakes-in-every-order",
    title="Mistakes in every order, and one bound for all",
    points=7,
    proofs=("P-45",),
    statement=r"""
The bound holds for every order of the points, but the number of mistakes does not stay
the same. And nobody knows the best $\gamma$ before the data have been separated;
afterwards any run gives a margin of its own.

Write `mistakes(K, y, orders)`. It is given a Gram matrix $K$ (no bias is added), labels
`y`, and an array `orders`, each of whose rows is a permutation of $0, \dots, n-1$. The
data are separable. For each row, run the kernel perceptron from $\alpha = 0$, going
through the points in that order again and again, until a pass has no mistake. Return

- an array with the number of mistakes of each run;
- the number $R^2/\gamma^2$ with $R^2 = \max_i K_{ii}$ and $\gamma$ the largest of the
  margins of the solutions found. The margin of a solution is

  $$
  \min_i \frac{y_i\, g(x_i)}{\|w\|}, \qquad
  g(x_i) = \sum_j \alpha_j y_j K_{ij}, \qquad
  \|w\|^2 = \sum_{ij} \alpha_i y_i\, \alpha_j y_j\, K_{ij} .
  $$

It bounds all of the counts, and those of all orders that have not been tried.
""",
    function="mistakes",
    signature="def mistakes(K, y, orders):",
    reference=mistakes,
    inputs=separable_orders,
    edge_cases=(
        Cases("any labels, strict kernel", strict_orders, count=3),
        Cases("one order", one_order, count=2),
    ),
    hints=(
        "The run is the one of *Train a kernel perceptron* with `for i in order`, and "
        "without the `+ 1`.",
        "With $c = \\alpha \\circ y$: scores $Kc$ and $\\|w\\|^2 = c^\\top K c$.",
        "Start each run from zero. A point can be missed more than once.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def mistakes(K, y, orders):\n"
            "    counts, margins = [], []\n"
            "    for order in orders:\n"
            "        alpha, g = np.zeros(len(y)), np.zeros(len(y))\n"
            "        missed = True\n"
            "        while missed:\n"
            "            missed = False\n"
            "            for i in order:\n"
            "                if y[i] * g[i] <= 0:\n"
            "                    alpha[i] += 1\n"
            "                    g += y[i] * K[:, i]\n"
            "                    missed = True\n"
            "        counts.append(alpha.sum())\n"
            "        margins.append(np.min(y * g) / np.sqrt((alpha * y) @ g))\n"
            "    return np.array(counts), K.diagonal().max() / max(margins) ** 2\n",
            "with a column at each mistake",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def one_run(K, y, order):\n"
            "    signed, count, right = np.zeros(len(y)), 0, 0\n"
            "    position = 0\n"
            "    while right < len(y):\n"
            "        if position == 0:\n"
            "            right = 0\n"
            "        i = order[position]\n"
            "        if y[i] * (K[i] @ signed) > 0:\n"
            "            right += 1\n"
            "        else:\n"
            "            signed[i] += y[i]\n"
            "            count += 1\n"
            "        position = (position + 1) % len(y)\n"
            "    margin2 = np.min(y * (K @ signed)) ** 2 / (signed @ K @ signed)\n"
            "    return count, margin2\n\n\n"
            "def mistakes(K, y, orders):\n"
            "    runs = [one_run(K, y, order) for order in orders]\n"
            "    counts = np.array([count for count, _ in runs])\n"
            "    best = max(margin2 for _, margin2 in runs)\n"
            "    return counts, max(np.diag(K)) / best\n",
            "signed counts, squared margins",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def mistakes(K, y, orders):\n"
            "    counts, bounds = [], []\n"
            "    for order in orders:\n"
            "        G = (y[:, None] * K * y)[np.ix_(order, order)]\n"
            "        alpha = np.zeros(len(y))\n"
            "        before = -1\n"
            "        while alpha.sum() > before:\n"
            "            before = alpha.sum()\n"
            "            for i in range(len(y)):\n"
            "                alpha[i] += G[i] @ alpha <= 0\n"
            "        counts.append(alpha.sum())\n"
            "        gamma2 = (G @ alpha).min() ** 2 / (alpha @ G @ alpha)\n"
            "        bounds.append(np.diag(K).max() / gamma2)\n"
            "    return np.array(counts), min(bounds)\n",
            "points renamed, labels in the matrix",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n"
            "def mistakes(K, y, orders):\n"
            "    counts, margins = [], []\n"
            "    for order in orders:\n"
            "        alpha, g = np.zeros(len(y)), np.zeros(len(y))\n"
            "        missed = True\n"
            "        while missed:\n"
            "            missed = False\n"
            "            for i in order:\n"
            "                if y[i] * g[i] <= 0:\n"
            "                    alpha[i] += 1\n"
            "                    g += y[i] * K[:, i]\n"
            "                    missed = True\n"
            "        counts.append(np.count_nonzero(alpha))\n"
            "        margins.append(np.min(y * g) / np.sqrt((alpha * y) @ g))\n"
            "    return np.array(counts), K.diagonal().max() / max(margins) ** 2\n",
            why="counts the points that were missed, not the mistakes",
            says="value 1 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def mistakes(K, y, orders):\n"
            "    counts, margins = [], []\n"
            "    alpha, g = np.zeros(len(y)), np.zeros(len(y))\n"
            "    for order in orders:\n"
            "        missed = True\n"
            "        while missed:\n"
            "            missed = False\n"
            "            for i in order:\n"
            "                if y[i] * g[i] <= 0:\n"
            "                    alpha[i] += 1\n"
            "                    g += y[i] * K[:, i]\n"
            "                    missed = True\n"
            "        counts.append(alpha.sum())\n"
            "        margins.append(np.min(y * g) / np.sqrt((alpha * y) @ g))\n"
            "    return np.array(counts), K.diagonal().max() / max(margins) ** 2\n",
            why="the second run starts where the first one ended",
            says="one order: 2 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def mistakes(K, y, orders):\n"
            "    counts, margins = [], []\n"
            "    for order in orders:\n"
            "        alpha, g = np.zeros(len(y)), np.zeros(len(y))\n"
            "        missed = True\n"
            "        while missed:\n"
            "            missed = False\n"
            "            for i in order:\n"
            "                if y[i] * g[i] <= 0:\n"
            "                    alpha[i] += 1\n"
            "                    g += y[i] * K[:, i]\n"
            "                    missed = True\n"
            "        counts.append(alpha.sum())\n"
            "        margins.append(np.min(y * g))\n"
            "    return np.array(counts), K.diagonal().max() / max(margins) ** 2\n",
            why="w is not made a unit vector: the “bound” is no bound",
            says="value 2 of 2",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def mistakes(K, y, orders):\n"
            "    counts, margins = [], []\n"
            "    for order in orders:\n"
            "        alpha, g = np.zeros(len(y)), np.zeros(len(y))\n"
            "        missed = True\n"
            "        while missed:\n"
            "            missed = False\n"
            "            for i in range(len(y)):\n"
            "                if y[i] * g[i] <= 0:\n"
            "                    alpha[i] += 1\n"
            "                    g += y[i] * K[:, i]\n"
            "                    missed = True\n"
            "        counts.append(alpha.sum())\n"
            "        margins.append(np.min(y * g) / np.sqrt((alpha * y) @ g))\n"
            "    return np.array(counts), K.diagonal().max() / max(margins) ** 2\n",
            why="the orders are ignored",
            says="cases right",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n"
            "def mistakes(K, y, orders):\n"
            "    counts, margins = [], []\n"
            "    for order in orders:\n"
            "        alpha, g = np.zeros(len(y)), np.zeros(len(y))\n"
            "        missed = True\n"
            "        while missed:\n"
            "            missed = False\n"
            "            for i in order:\n"
            "                if y[i] * g[i] <= 0:\n"
            "                    alpha[i] += 1\n"
            "                    g += y[i] * K[:, i]\n"
            "                    missed = True\n"
            "        counts.append(alpha.sum())\n"
            "        margins.append(np.min(y * g) / np.sqrt(alpha @ g))\n"
            "    return np.array(counts), K.diagonal().max() / max(margins) ** 2\n",
            why="the norm without the labels: αᵀKα",
            says="cases right",
            at_most=0,
        ),
    ),
)

EXCLUSIVE_OR = Values(
    id="exclusive-or-by-hand",
    title="The exclusive or, by hand",
    points=7,
    proofs=("P-43", "P-45"),
    statement=r"""
Four points in this order: $x_1 = (1,1)$ and $x_2 = (-1,-1)$ with the label $+1$,
$x_3 = (1,-1)$ and $x_4 = (-1,1)$ with the label $-1$. Run the kernel perceptron with
$k(x,x') = (x^\top x' + 1)^2$ and no further bias.

- `row`, the first row of the Gram matrix;
- `mistakes`, the list of the mistakes in order; `passes`, the number of passes;
  `alpha` at the end;
- the function that was learned is $g(s, t) = c\, s\, t$, the product of the two
  coordinates of the point $(s, t)$ times a number: `c`;
- `R2` $= \max_i K_{ii}$. The learned function has the largest possible margin $\gamma$;
  give `gamma2` $= \gamma^2$, where $\gamma = \min_i y_i g(x_i)/\|w\|$ and
  $\|w\|^2 = \sum_{ij} \alpha_i y_i \alpha_j y_j K_{ij}$;
- `most`, the largest number of mistakes that $R^2/\gamma^2$ allows.

And with two other kernels:

- `made_square` and `most_square`, the mistakes that are made, and the most that are
  allowed, with $k(x,x') = (x^\top x')^2$;
- `ends_linear`, whether the run ends with $k(x,x') = x^\top x' + 1$ (yes or no).
""",
    values=(
        Value(
            "row",
            "[9, 1, 1, 1]",
            traps={
                "[9, 9, 1, 1]": "x₁ᵀx₂ = -2, and (-2 + 1)² = 1",
                "[4, 4, 0, 0]": "this is without the + 1",
                "[3, -1, 1, 1]": "this is not squared",
            },
        ),
        Value(
            "mistakes",
            "[1, 3, 4, 2]",
            weight=1.5,
            traps={
                "[1, 3, 2]": "what is g at x₄, after the mistakes on x₁ and x₃?",
                "[1, 3, 4]": "a second pass: is x₂ still right?",
                "[1, 2, 3, 4]": "after the mistake on x₁, g(x₂) = 1: it is right",
                "[1, 3]": "this is for the kernel without the + 1",
            },
        ),
        Value("passes", "3", traps={"2": "the last pass, without a mistake, counts"}),
        Value(
            "alpha",
            "[1, 1, 1, 1]",
            weight=0.5,
            traps={
                "[1, 0, 1, 1]": "this is the first pass only",
                "[1, 1, 1, 0]": "what is g at x₄, after the mistakes on x₁ and x₃?",
                "[1, 0, 1, 0]": "this is for the kernel without the + 1",
                "[1, 1, -1, -1]": "counts have no sign",
            },
        ),
        Value(
            "c",
            "8",
            traps={
                "4": "this is for the kernel without the + 1",
                "2": "(s + t)² - (s - t)² is 4st, and it occurs twice",
            },
        ),
        Value(
            "R2",
            "9",
            weight=0.5,
            traps={
                "3": "this is R; its square is asked for",
                "4": "this is for the kernel without the + 1",
            },
        ),
        Value(
            "gamma2",
            "2",
            traps={
                "sqrt(2)": "this is γ; its square is asked for",
                "64": "divide by ‖w‖²",
                "16/9": "‖w‖² = yᵀKy: the other entries of K, all 1, count too",
                "1/2": "this is ‖w‖² if g is scaled to y_i g(x_i) = 1; and γ² is 1 "
                "over it",
            },
        ),
        Value(
            "most",
            "4",
            traps={
                "9/2": "a number of mistakes is an integer",
                "5": "5 > 9/2: round down",
            },
        ),
        Value(
            "made_square",
            "2",
            traps={
                "4": "after the mistake on x₁, what is g at x₂?",
                "1": "after the mistake on x₁, g is 0 at x₃: a mistake",
            },
        ),
        Value(
            "most_square",
            "2",
            traps={"4": "R² = 4, and γ² is not 1"},
        ),
        Value(
            "ends_linear",
            "no",
            choices=("yes", "no"),
            traps={"yes": "then a line would separate the exclusive or"},
        ),
    ),
    hints=(
        "$K = 8I + \\mathbf{1}\\mathbf{1}^\\top$: 9 on the diagonal, 1 elsewhere.",
        "Keep the four scores; a mistake on $x_i$ adds $y_i$ times row $i$ of $K$. A "
        "score 0 is a mistake.",
        "At the end $\\alpha_i y_i = y_i$, so $\\|w\\|^2 = y^\\top K y$, and all four "
        "$y_i g(x_i)$ are the same number.",
        "For $(x^\\top x')^2$ the first two points are the same to the kernel, and so "
        "are the last two.",
    ),
    references=(
        Reference(
            "row = [9, 1, 1, 1]\nmistakes = [1, 3, 4, 2]\npasses = 3\n"
            "alpha = [1, 1, 1, 1]\nc = 8\nR2 = 9\ngamma2 = 2\nmost = 4\n"
            "made_square = 2\nmost_square = 2\nends_linear = no",
            "numbers",
        ),
        Reference(
            "row = [3**2, (-1)**2, 1, 1]; mistakes = [1, 3, 4, 2]; passes = 3\n"
            "alpha = [1, 1, 1, 1]; c = 2*4; R2 = (2 + 1)**2\n"
            "gamma2 = 8**2/32; most = 4\nmade_square = 2; most_square = 4/2\n"
            "ends_linear = no",
            "with the arithmetic",
        ),
    ),
    mistakes=(
        Mistake(
            "row = [9, 1, 1, 1]\nmistakes = [1, 3, 2]\npasses = 3\n"
            "alpha = [1, 1, 1, 0]\nc = 8\nR2 = 9\ngamma2 = 2\nmost = 5\n"
            "made_square = 1\nmost_square = 4\nends_linear = no",
            why="a score of zero is taken for right",
            says="after the mistakes on x₁ and x₃",
            at_most=0.6,
        ),
        Mistake(
            "row = [4, 4, 0, 0]\nmistakes = [1, 3]\npasses = 2\n"
            "alpha = [1, 0, 1, 0]\nc = 4\nR2 = 4\ngamma2 = 2\nmost = 2\n"
            "made_square = 2\nmost_square = 2\nends_linear = no",
            why="the constant is forgotten everywhere",
            says="this is without the + 1",
            at_most=0.5,
        ),
        Mistake(
            "row = [9, 1, 1, 1]\nmistakes = [1, 3, 4, 2]\npasses = 3\n"
            "alpha = [1, 1, 1, 1]\nc = 8\nR2 = 9\ngamma2 = 16/9\nmost = 9/2\n"
            "made_square = 2\nmost_square = 2\nends_linear = yes",
            why="‖w‖² without the mixed terms, and S2's optimism",
            says="count too",
            at_most=0.8,
        ),
        Mistake(
            "row = [9, 9, 1, 1]\nmistakes = [1, 2, 3, 4]\npasses = 2\n"
            "alpha = [1, 1, 1, 1]\nc = 8\nR2 = 9\ngamma2 = 64\nmost = 0\n"
            "made_square = 2\nmost_square = 2\nends_linear = no",
            why="a sign in the kernel, all points missed, no division by ‖w‖",
            says="(-2 + 1)² = 1",
            at_most=0.6,
        ),
    ),
)

NOTHING = r"""
## When there is nothing to find

If a run ends, its last $w$ separates the data. So on data that cannot be separated no
run ends. What does it do instead? Its vectors stay bounded (the perceptron cycling
theorem); and if the data are integers, so are all $w$. Then there are finitely many of
them, one comes back at the end of some pass, and from there on everything repeats.
"""


def check_certificate(data: Mapping[str, Any]) -> list[Finding]:
    """z ≥ 0, not zero, with Σ zᵢ yᵢ (xᵢ, 1) = 0 for x = -1, 0, 1 and y = 1, -1, 1."""
    z = data["z"]
    if not isinstance(z, tuple) or len(z) != 3:
        return [Finding(False, "`z`: three numbers are asked for")]
    if all(entry.same(Real(0)) for entry in z):
        return [Finding(False, "`z`: not all of the numbers may be zero")]
    if any(entry.sign() == -1 for entry in z):
        return [Finding(False, "`z`: no number may be negative")]
    balanced = z[0].same(z[2]) and z[1].same(z[0] + z[2])
    verb = "is" if balanced else "is not"
    return [Finding(balanced, f"the sum of the zᵢ yᵢ (xᵢ, 1) {verb} zero", 1.0)]


ROUND = Values(
    id="going-round",
    title="Going round in circles",
    points=6,
    proofs=("P-45",),
    statement=r"""
Three points on the line: $x = -1$ with $y = +1$, $x = 0$ with $y = -1$, $x = 1$ with
$y = +1$, in this order; $g(x) = wx + w_0$, both zero at first, rate 1.

First, a proof that no $w$ and $w_0$ separate them. Give

- `z`, three numbers $z_i \ge 0$, not all zero, with $\sum_i z_i\, y_i\, (x_i, 1) =
  (0, 0)$. (If $g$ were right at all three points, $\sum_i z_i\, y_i\, g(x_i)$ would be
  positive; but it is zero.)

Then run the perceptron, and give

- `end1`, `end2`, `end3`: the vector $[w, w_0]$ at the end of the first, second and
  third pass;
- `period`, after how many passes the vector at the end of a pass returns;
- `per_pass`, the number of mistakes in each pass, from the second on;
- `added`, what one period adds to the counts $\alpha$ (three numbers);
- `alpha101` and `end101`, $\alpha$ and $[w, w_0]$ after 101 passes.
""",
    values=(
        Value("z"),
        Value(
            "end1",
            "[0, 1]",
            traps={
                "[1, 1]": "this is the end of the second pass",
                "[-1, 1]": "this is after the first point",
                "[1, 0]": "the order is [w, w₀]",
            },
        ),
        Value(
            "end2",
            "[1, 1]",
            traps={
                "[0, 0]": "at x = 1, g = 0 is a mistake",
                "[0, 1]": "what is g at x = 0, where the label is -1?",
            },
        ),
        Value(
            "end3",
            "[0, 1]",
            traps={
                "[1, 1]": "at x = -1, g = 0 is a mistake",
                "[1, 0]": "the order is [w, w₀]",
            },
        ),
        Value("period", "2", traps={"3": "compare end1 and end3"}),
        Value("per_pass", "2", traps={"3": "this is the first pass"}),
        Value(
            "added",
            "[1, 2, 1]",
            traps={
                "[0, 1, 1]": "this is the second pass alone",
                "[1, 1, 0]": "this is the third pass alone",
                "[1, -2, 1]": "counts have no sign",
            },
        ),
        Value(
            "alpha101",
            "[51, 101, 51]",
            traps={
                "[101, 202, 101]": "a period has two passes, and the first pass is "
                "none of them",
                "[50, 100, 50]": "the first pass counts too",
            },
        ),
        Value(
            "end101", "[0, 1]", traps={"[1, 1]": "101 is odd: like pass 1 or pass 2?"}
        ),
    ),
    check=check_certificate,
    check_weight=1,
    hints=(
        "For `z`: the two outer points together weigh as much as the one between.",
        "Nine tests suffice. A score 0 is a mistake.",
        "What one period adds to $\\alpha$ adds nothing to $w$ and $w_0$. Compare it "
        "with `z`.",
    ),
    references=(
        Reference(
            "z = [1, 2, 1]\nend1 = [0, 1]\nend2 = [1, 1]\nend3 = [0, 1]\nperiod = 2\n"
            "per_pass = 2\nadded = [1, 2, 1]\nalpha101 = [51, 101, 51]\n"
            "end101 = [0, 1]",
            "numbers",
        ),
        Reference(
            "z = [1/4, 1/2, 1/4]; end1 = [0, 1]; end2 = [1, 1]; end3 = [0, 1]\n"
            "period = 2; per_pass = 2; added = [0 + 1, 1 + 1, 1 + 0]\n"
            "alpha101 = [1 + 50, 1 + 50*2, 1 + 50]; end101 = [0, 1]",
            "weights that sum to one",
        ),
    ),
    mistakes=(
        Mistake(
            "z = [1, -2, 1]\nend1 = [0, 1]\nend2 = [1, 1]\nend3 = [0, 1]\nperiod = 2\n"
            "per_pass = 2\nadded = [1, -2, 1]\nalpha101 = [51, 101, 51]\n"
            "end101 = [0, 1]",
            why="the label is put into z",
            says="no number may be negative",
            at_most=0.8,
        ),
        Mistake(
            "z = [1, 1, 1]\nend1 = [0, 1]\nend2 = [0, 0]\nend3 = [0, 1]\nperiod = 2\n"
            "per_pass = 1\nadded = [1, 2, 1]\nalpha101 = [101, 202, 101]\n"
            "end101 = [0, 1]",
            why="a score of zero taken for right, and z that does not balance",
            says="g = 0 is a mistake",
            at_most=0.6,
        ),
        Mistake(
            "z = [0, 0, 0]\nend1 = [0, 1]\nend2 = [1, 1]\nend3 = [0, 1]\nperiod = 3\n"
            "per_pass = 3\nadded = [1, 2, 1]\nalpha101 = [50, 100, 50]\n"
            "end101 = [1, 1]",
            why="z = 0 proves nothing; the first pass taken for all",
            says="not all of the numbers may be zero",
            at_most=0.6,
        ),
        Mistake(
            "z = [1, 2]\nend1 = [1, 0]\nend2 = [1, 1]\nend3 = [1, 0]\nperiod = 2\n"
            "per_pass = 2\nadded = [1, 2, 1]\nalpha101 = [51, 101, 51]\n"
            "end101 = [1, 0]",
            why="w and w₀ exchanged",
            says="the order is",
            at_most=0.6,
        ),
    ),
)

ENDLESS = Values(
    id="infinite-and-endless",
    title="Infinite dimension, endless run",
    points=6,
    proofs=("P-41", "P-45"),
    statement=r"""
In *Infinite dimension is not enough* ([sheet 4](04_rkhs.ipynb)) the kernel

$$
k(x,x') = e^{x_1 x_1'} + e^{x_2 x_2'}
$$

had an RKHS of infinite dimension and did not separate the exclusive or: with the points
$(1,1)$, $(-1,-1)$, labelled $+1$, and $(1,-1)$, $(-1,1)$, labelled $-1$, the Gram
matrix has $Ky = 0$. Its first row is $(2e,\ 2/e,\ e + 1/e,\ e + 1/e)$. What does the
kernel perceptron do with it (no bias, points in this order)? Give

- `mistakes`, the list of the mistakes of the first pass;
- `g`, the four scores at its end, exactly (`e` is Euler's number);
- `alpha2`, the counts after the second pass;
- `g2`, the score of the second point at the end of the second pass, exactly;
- `alpha100`, the counts after 100 passes;
- `norm2`, the squared norm $\|w\|^2 = \sum_{ij} \alpha_i y_i \alpha_j y_j K_{ij}$ of
  the function after 100 passes, exactly.

One feature was missing: the product of the coordinates. Add it, $\tilde k(x,x') =
k(x,x') + x_1 x_2\, x_1' x_2'$.

- `gamma`, the margin of the function $f(x) = x_1 x_2$ of the new space, whose norm is
  one. (No function has a larger margin: what $k$ adds cannot favour the labels.)
- `bound`, the bound $R^2/\gamma^2$ for $\tilde k$, exactly;
- `made`, the number of mistakes that the run with $\tilde k$ makes.
""",
    values=(
        Value(
            "mistakes",
            "[1, 3, 4]",
            traps={
                "[1, 3]": "what is g at the fourth point, after two mistakes? "
                "K₄₃ = 2/e",
                "[1, 2, 3, 4]": "after the first mistake g = 2/e > 0 at the second "
                "point",
            },
        ),
        Value(
            "g",
            "[-2/e, -2*e, -e - 1/e, -e - 1/e]",
            exact=True,
            weight=1.5,
        ),
        Value(
            "alpha2",
            "[2, 1, 2, 2]",
            traps={
                "[1, 1, 1, 1]": "look at the first point in the second pass; and with "
                "these counts g = Ky would be 0, a mistake everywhere",
                "[2, 2, 2, 2]": "the first pass had three mistakes",
                "[2, 0, 2, 2]": "look at the second point in the second pass",
                "[1, 1, 2, 2]": "look at the first point in the second pass",
            },
        ),
        Value("g2", "-2*e", exact=True),
        Value(
            "alpha100",
            "[100, 99, 100, 100]",
            traps={
                "[100, 100, 100, 100]": "the first pass had three mistakes",
                "[2, 1, 2, 2]": "g has come back, but α has not stopped growing",
            },
        ),
        Value(
            "norm2",
            "2*e",
            exact=True,
            traps={
                "20000*e": "Ky = 0: 99 mistakes on each point add nothing",
                "0": "w = 0 would need equal counts",
            },
        ),
        Value("gamma", "1"),
        Value(
            "bound",
            "2*e + 1",
            exact=True,
            traps={"2*e": "k̃(x,x) is larger than k(x,x)"},
        ),
        Value("made", "4", traps={"6": "this is what the bound allows"}),
    ),
    hints=(
        "By symmetry $K$ has three different entries: $2e$ on the diagonal, $2/e$ "
        "between points of one class, $e + 1/e$ between the classes.",
        "After the second pass the counts are those of the first plus one mistake on "
        "each point. What does $Ky = 0$ say about the difference?",
        "For `norm2` only the signed counts modulo multiples of $y$ matter: $(1, 0, "
        "-1, -1)$ will do.",
    ),
    references=(
        Reference(
            "mistakes = [1, 3, 4]\ng = [-2/e, -2*e, -e - 1/e, -e - 1/e]\n"
            "alpha2 = [2, 1, 2, 2]\ng2 = -2*e\nalpha100 = [100, 99, 100, 100]\n"
            "norm2 = 2*e\ngamma = 1\nbound = 2*e + 1\nmade = 4",
            "with e",
        ),
        Reference(
            "mistakes = [1, 3, 4]\n"
            "g = [2*e - 2*(e + 1/e), 2/e - 2*(e + 1/e), (e + 1/e) - 2*e - 2/e, "
            "(e + 1/e) - 2/e - 2*e]\n"
            "alpha2 = [1 + 1, 0 + 1, 1 + 1, 1 + 1]\ng2 = -2*exp(1)\n"
            "alpha100 = [100, 99, 100, 100]\nnorm2 = -2/e + 2*(e + 1/e)\ngamma = 1\n"
            "bound = 1 + 2*exp(1)\nmade = 4",
            "not simplified",
        ),
    ),
    mistakes=(
        Mistake(
            "mistakes = [1, 3]\ng = [e - 1/e, 1/e - e, 1/e - e, e - 1/e]\n"
            "alpha2 = [1, 1, 1, 1]\ng2 = 0\nalpha100 = [1, 1, 1, 1]\nnorm2 = 0\n"
            "gamma = 1\nbound = 2*e + 1\nmade = 4",
            why="g = 0 is taken for the end",
            says="after two mistakes",
            at_most=0.5,
        ),
        Mistake(
            "mistakes = [1, 3, 4]\ng = [-0.7358, -5.4366, -3.0862, -3.0862]\n"
            "alpha2 = [2, 1, 2, 2]\ng2 = -5.4366\nalpha100 = [2, 1, 2, 2]\n"
            "norm2 = 5.4366\ngamma = 1\nbound = 6.4366\nmade = 6",
            why="rounded, and the counts stop",
            says="the exact value is asked for",
            at_most=0.7,
        ),
        Mistake(
            "mistakes = [1, 3, 4]\ng = [-2/e, -2*e, -e - 1/e, -e - 1/e]\n"
            "alpha2 = [2, 1, 2, 2]\ng2 = -2*e\nalpha100 = [100, 100, 100, 100]\n"
            "norm2 = 20000*e\ngamma = 1\nbound = 2*e\nmade = 4",
            why="the norm is thought to grow with the counts",
            says="add nothing",
            at_most=0.7,
        ),
        Mistake(
            "mistakes = [1, 2, 3, 4]\ng = [0, 0, 0, 0]\nalpha2 = [2, 2, 2, 2]\n"
            "g2 = 0\nalpha100 = [100, 100, 100, 100]\nnorm2 = 0\ngamma = 1\n"
            "bound = 2*e + 1\nmade = 4",
            why="every point is corrected in every pass",
            says="at the second point",
            at_most=0.4,
        ),
    ),
)

SHEET = Sheet(
    name="05_perceptron",
    title="Exercises: the perceptron",
    introduction=INTRODUCTION,
    items=(
        MEMORY,
        BY_HAND,
        UPDATE,
        BIAS,
        TRAIN,
        RATE,
        UNIT,
        ELSEWHERE,
        BOUND,
        STEP,
        NOVIKOFF,
        MARGIN,
        ORDERS,
        EXCLUSIVE_OR,
        NOTHING,
        ROUND,
        ENDLESS,
    ),
)
