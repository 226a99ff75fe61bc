"""Exercises on optimisation under constraints and support vector machines."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernellab.grading.problems.optimisation import LAGRANGE_SUFFICIENT
from kernellab.grading.problems.svm import HYPERPLANE_DISTANCE, SVM_NORM
from kernellab.grading.questions.base import Mistake, Reference, Sheet
from kernellab.grading.questions.code_questions import Cases, CodeQuestion
from kernellab.grading.questions.derivations import Derivation
from kernellab.grading.questions.exact import Real, dot, exp
from kernellab.grading.questions.feedback import Finding
from kernellab.grading.questions.puzzles import Block, Puzzle
from kernellab.grading.questions.values import Value, Values

INTRODUCTION = r"""
These are the exercises of [chapter 6](../chapters/06_svm.ipynb). First geometry: how
far a point is from a hyperplane. Then the optimisation that S3 uses without proof (l.
493–681), with the hypotheses it needs and what happens without them. Then the machines:
both duals, line by line, and two data sets by hand. At the end, the two pieces of code
that a solver is made of.

- **Derivations**: one step a line, each with its reason after a bar, as in
  `sum(alpha[i]*y[i] for i in N) = 0 | set to zero for b`. The language is told in
  [sheet 1](01_duality.ipynb). A column of ones is `ones(N)`, in LaTeX `\mathbf{1}`; a
  diagonal matrix is `diag(y)`.
- **Values**, one a line: `b = -1`, `w = [2/3, 4/9]`, `equal = no`. Fractions and roots
  are exact.
- **Puzzles**: blocks of a proof, of which some do not belong. List the letters of the
  others in an order in which each rests on what stands before it.
- **Functions** in Python, which are run on inputs that you have not seen.

Throughout, $F(x) = w^\top x + b$, the labels $y_i$ are $\pm 1$, and $m_i = y_i F(x_i)$
is the functional margin of point $i$.
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


def _said(ok: bool, yes: str, no: str, share: float = 1.0) -> Finding:
    return Finding(ok, yes if ok else no, share)


def _numbers(value: Any, count: int) -> bool:
    """Whether it is a vector of that many numbers."""
    return (
        isinstance(value, tuple)
        and len(value) == count
        and all(isinstance(entry, Real) for entry in value)
    )


# --- the margin -------------------------------------------------------------------

MARGIN_TEXT = r"""
## The margin

S3 writes down the geometric margin (l. 447) and S1 only names its picture (l. 72). Both
rest on one formula: the distance of $x$ to the hyperplane $F = 0$ is $|F(x)|/\|w\|$.
"""

BY_LAGRANGE = (
    "grad(L,u) = u - x + beta*w             | gradient",
    "u = x - beta*w                         | set to zero",
    "w.T@u + b = 0                          | given",
    "w.T@x - beta*w.T@w + b = 0             | use 2",
    "F - beta*s = 0                         | def F; def s",
    "beta = F/s                             | divide by s",
    "r = beta**2*w.T@w                      | use 2",
    "r = beta**2*s                          | def s",
    "r = F**2/s                             | use 6",
)

DISTANCE = Derivation(
    id="hyperplane-distance",
    title="The distance to a hyperplane",
    problem=HYPERPLANE_DISTANCE,
    points=5,
    proofs=("P-09", "P-53"),
    statement=r"""
Let $w \ne 0$. Among all points $u$ of the hyperplane, $w^\top u + b = 0$, find the one
that is nearest to $x$. Derive that its squared distance is

$$
r = \|x - u\|^2 = \frac{F^2}{s}, \qquad F = w^\top x + b, \quad s = w^\top w .
$$

Minimise $\frac12\|x - u\|^2$ under the constraint by Lagrange: make
$L = \frac12\|x - u\|^2 + \beta\,(w^\top u + b)$ stationary in $u$, and use the
constraint to find $\beta$. Or go by Pythagoras: show that the foot $x - \frac Fs w$
lies on the hyperplane, and that $r \ge F^2/s$ for every $u$ on it.

Symbols: `x`, `w`, `u` ($D \times 1$), `b`, `beta`, `s = w.T@w` (positive), `F`, `r`,
`L`. That $u$ lies on the hyperplane, `w.T@u + b = 0`, is `given`.
""",
    hints=(
        "The gradient of $L$ by $u$ has two terms. What does its zero say about "
        "$u - x$?",
        "Put $u = x - \\beta w$ into $w^\\top u + b = 0$: then $F$ and $s$ appear.",
        "For the other way, complete the square: $\\|x - u\\|^2 = \\|x - u - \\frac Fs "
        "w\\|^2 + \\dots$",
    ),
    references=(
        Reference(derivation(BY_LAGRANGE), "by Lagrange"),
        Reference(
            "r = norm2(x - u - F/s*w) + 2*F/s*w.T@(x - u) - F**2/s**2*w.T@w"
            " | complete the square\n"
            "w.T@(x - u) = F                            | given; def F\n"
            "r = norm2(x - u - F/s*w) + 2*F**2/s - F**2/s | use 2; def s\n"
            "r = norm2(x - u - F/s*w) + F**2/s          | collect\n"
            "r >= F**2/s                                | nonneg\n"
            "w.T@(x - F/s*w) + b = 0                    | def F; def s",
            "completing the square",
        ),
        Reference(
            "let z = x - F/s*w\n"
            "w.T@z + b = 0                              | def z; def F; def s\n"
            "w.T@(z - u) = 0                            | use 2; given\n"
            "(x - z).T@(z - u) = F/s*w.T@(z - u)        | def z\n"
            "(x - z).T@(z - u) = 0                      | use 3\n"
            "r = norm2(x - z) + 2*(x - z).T@(z - u) + norm2(z - u) | expand\n"
            "r = norm2(x - z) + norm2(z - u)            | use 5\n"
            "r >= norm2(x - z)                          | nonneg\n"
            "norm2(x - z) = F**2/s                      | def z; def s\n"
            "r >= F**2/s                                | use 8; use 9",
            "Pythagoras",
        ),
        Reference(
            r"\nabla_u L = u - x + \beta w                  | gradient" + "\n"
            r"u = x - \beta w                               | set to zero" + "\n"
            r"\frac{\partial L}{\partial \beta} = w^\top u + b  | derivative" + "\n"
            r"w^\top u + b = 0                              | set to zero" + "\n"
            r"w^\top x + b = \beta w^\top w                 | use 2" + "\n"
            r"\beta = \frac{w^\top x + b}{\|w\|^2}      | divide by \|w\|^2" + "\n"
            r"r = \beta^2 \|w\|^2                           | use 2" + "\n"
            r"r = \frac{(w^\top x + b)^2}{\|w\|^2}          | use 6",
            "LaTeX, without the short names",
        ),
        Reference(
            "diff(L,u[d]) = u[d] - x[d] + beta*w[d]     | derivative\n"
            "u[d] = x[d] - beta*w[d]                    | set to zero\n"
            "u = x - beta*w                             | vector form\n"
            "w.T@(x - beta*w) + b = 0                   | given; use 3\n"
            "beta*s = F                                 | def s; def F\n"
            "beta = F/s                                 | divide by s\n"
            "r = sum((beta*w[d])**2 for d in D)         | use 3\n"
            "r = beta**2*s                              | def s\n"
            "r = F**2/s                                 | use 6",
            "components",
        ),
    ),
    mistakes=(
        slip(
            "the sign of the multiplier",
            2,
            {2: "u = x + beta*w | set to zero"},
            says="sign is wrong",
            at_most=0.5,
            route=BY_LAGRANGE,
        ),
        slip(
            "the chain rule without its sign",
            1,
            {1: "grad(L,u) = x - u + beta*w | gradient"},
            at_most=0.5,
            route=BY_LAGRANGE,
        ),
        slip(
            "the offset is forgotten",
            4,
            {4: "w.T@x - beta*w.T@w = 0 | use 2", 5: "", 6: "beta = w.T@x/s | def s"},
            at_most=0.4,
            route=BY_LAGRANGE,
        ),
        slip(
            "w taken for a unit vector",
            5,
            {5: "F - beta = 0 | def F", 6: "beta = F | rearrange"},
            at_most=0.5,
            route=BY_LAGRANGE,
        ),
        slip(
            "F/s is a multiple of w, not a length",
            8,
            {8: "r = beta**2 | def s", 9: "r = F**2/s**2 | use 6"},
            says="counterexample",
            at_most=0.7,
            route=BY_LAGRANGE,
        ),
        slip(
            "the distance, where its square is asked for",
            9,
            {9: "r = F/sqrt(s) | use 6"},
            at_most=0.7,
            route=BY_LAGRANGE,
        ),
        slip("stops at the multiplier", None, {7: "", 8: "", 9: ""},
             says="r at the nearest point", at_most=0.7, route=BY_LAGRANGE),
        Mistake(
            "r >= F**2/s | nonneg\nw.T@(x - F/s*w) + b = 0 | def F; def s",
            why="the bound is asserted",
            first_bad=1,
            at_most=0.5,
        ),
        Mistake(
            "r = F**2/s | given; def F; def s",
            why="the goal is asserted; and it is false for most u",
            first_bad=1,
            at_most=0,
        ),
    ),
)  # fmt: skip

SCALING = Values(
    id="scaling-the-hyperplane",
    title="Functional and geometric margin",
    points=5,
    proofs=("P-09", "P-53"),
    statement=r"""
Let $w = (3, 4)$ and $b = -5$. There are three points: $x_1 = (3, 4)$ and
$x_3 = (1, 2)$ with label $+1$, $x_2 = (0, 0)$ with label $-1$. Give, exactly,

- `functional` and `geometric`, the vectors of the $y_i F(x_i)$ and of the
  $y_i F(x_i)/\|w\|$, and `margin`, the margin of $(w, b)$ with respect to the data;
- `only_w`, the margin after $w$ is replaced by $2w$ and $b$ is left as it is;
- `minus`, the margin after $(w, b)$ is replaced by $(-w, -b)$;
- `k`, the factor for which $(kw, kb)$ is *canonical*: the smallest functional margin
  is 1;
- `equal`, `yes` or `no`: all $y_i F(x_i) \ge 1$ hold for the $(w, b)$ that was given.
  Is its margin $1/\|w\|$, as S3 says (l. 477)?

Now a fourth point, $x_4 = (1, 0)$ with label $+1$, lies on the wrong side. In the
canonical scale, give

- `slack`, the smallest $\xi \ge 0$ with $y_4 F(x_4) \ge 1 - \xi$;
- `distance`, how far $x_4$ is from the hyperplane $F = 1$, on which a point with its
  label and the least admissible margin would lie.
""",
    values=(
        Value("functional", "[20, 5, 6]", traps={
            "[20, -5, 6]": "the label of the second point is -1",
        }),
        Value("geometric", "[4, 1, 6/5]", exact=True, traps={
            "[4/5, 1/5, 6/25]": "divide by the norm of w, not by its square",
            "[4, -1, 6/5]": "the label of the second point is -1",
        }),
        Value("margin", "1", traps={
            "5": "this is the smallest functional margin",
            "1/5": "this is 1/‖w‖, which is the margin in the canonical scale only",
            "2": "this would be the width of the strip on both sides",
        }),
        Value("only_w", "1/2", exact=True, traps={
            "1": "S3 says so (l. 467), but b has to be scaled too: compute it",
            "-1/2": "the label of the second point is -1",
        }),
        Value("minus", "-4", traps={
            "1": "the decision is turned round: all points are on the wrong side",
            "-1": "this is the largest of the three; the margin is the smallest",
            "4": "all points are on the wrong side: what is the sign?",
        }),
        Value("k", "1/5", exact=True, traps={
            "5": "this makes the margins larger; divide",
            "1/20": "the smallest functional margin counts, not the largest",
        }),
        Value("equal", "no", weight=0.5, choices=("yes", "no"), traps={
            "yes": "compute 1/‖w‖, and compare it with margin",
        }),
        Value("slack", "7/5", exact=True, traps={
            "2/5": "this reaches F = 0; the point must reach the margin, F = 1",
            "3": "this is for the scale that was given, not the canonical one",
            "3/5": "the point is on the wrong side: F is negative there",
            "0": "this point is on the wrong side",
        }),
        Value("distance", "7/5", exact=True, traps={
            "2/5": "this is the distance to F = 0",
        }),
    ),
    hints=(
        "$\\|w\\| = 5$. The margin of $(w, b)$ is the smallest of the geometric "
        "margins.",
        "If all is multiplied by $k > 0$, the functional margins are multiplied by "
        "$k$, the geometric ones stay. For $k < 0$ they change their sign.",
        "In the canonical scale $w$ has norm 1 here, so that $F$ itself measures "
        "distances. What is $F(x_4)$?",
    ),
    references=(
        Reference(
            "functional = [20, 5, 6]\ngeometric = [4, 1, 6/5]\nmargin = 1\n"
            "only_w = 1/2\nminus = -4\nk = 1/5\nequal = no\nslack = 7/5\n"
            "distance = 7/5",
            "fractions",
        ),
        Reference(
            "functional = [20, 5, 6]; geometric = [20/5, 5/5, 6/5]; margin = 5/5\n"
            "only_w = 5/10; minus = -20/5; k = 0.2; equal = no\n"
            "slack = 1 + 2/5; distance = (1 - -2/5)/1",
            "with the arithmetic left in",
        ),
    ),
    mistakes=(
        Mistake(
            "functional = [20, 5, 6]\ngeometric = [4, 1, 6/5]\nmargin = 1\n"
            "only_w = 1\nminus = 1\nk = 1/5\nequal = yes\nslack = 7/5\n"
            "distance = 7/5",
            why="what S3 says: k ∈ ℝ, b forgotten, 1/‖w‖ for every w",
            says="b has to be scaled too",
            at_most=0.75,
        ),
        Mistake(
            "functional = [20, -5, 6]\ngeometric = [4, -1, 6/5]\nmargin = -1\n"
            "only_w = -1/2\nminus = -4\nk = 1/5\nequal = no\nslack = 7/5\n"
            "distance = 7/5",
            why="the label of the second point is forgotten",
            says="label of the second point",
            at_most=0.6,
        ),
        Mistake(
            "functional = [20, 5, 6]\ngeometric = [4, 1, 6/5]\nmargin = 5\n"
            "only_w = 1/2\nminus = -1\nk = 5\nequal = no\nslack = 2/5\n"
            "distance = 2/5",
            why="the slack measured to the hyperplane; k upside down",
            says="must reach the margin",
            at_most=0.5,
        ),
        Mistake(
            "functional = [20, 5, 6]\ngeometric = [4/5, 1/5, 6/25]\nmargin = 1/5\n"
            "only_w = 1/2\nminus = -4\nk = 1/5\nequal = no\nslack = 3\n"
            "distance = 3/5",
            why="divided by ‖w‖²; the slack in the wrong scale",
            says="not by its square",
            at_most=0.6,
        ),
    ),
)  # fmt: skip

# --- minima without constraints ---------------------------------------------------

OPTIMISATION_TEXT = r"""
## Minima, and what a theorem needs

S3 states the theorems of Fermat, Lagrange, and Kuhn and Tucker without proof, and with
some of their hypotheses missing. Here are the proofs, and examples that show what each
hypothesis is for.
"""

CONVEX_MINIMA = Puzzle(
    id="convex-minima",
    title="Minima of convex functions",
    points=6,
    proofs=("P-47", "P-48"),
    statement=r"""
Let $f : \mathbb{R}^n \to \mathbb{R}$ be convex. Put together the proof that

1. every local minimum of $f$ is a global one;
2. if $f$ is differentiable, $w^*$ is a minimum *if and only if* $\nabla f(w^*) = 0$.

Use no derivative for the first part. Five of the blocks do not belong.
""",
    blocks=(
        Block(
            "segment",
            r"Part 1. Let $w^*$ be a local minimum, and suppose that $f(w) < f(w^*)$ "
            r"for some $w$. For $0 < t \le 1$ let $w_t = (1 - t)\,w^* + t\,w$. Then "
            r"$f(w_t) \le (1 - t)\,f(w^*) + t\,f(w) < f(w^*)$.",
        ),
        Block(
            "close",
            r"As $t \to 0$ the $w_t$ come as near to $w^*$ as one likes. So $w^*$ is "
            r"no local minimum, a contradiction: part 1 is proved.",
            needs=("segment",),
        ),
        Block(
            "line",
            r"Part 2, necessary. Let $w^*$ be a minimum and $v$ any vector. The "
            r"function $\varphi(t) = f(w^* + tv)$ of one variable has a minimum at "
            r"$t = 0$.",
        ),
        Block(
            "quotient",
            r"$(\varphi(t) - \varphi(0))/t$ is $\ge 0$ for $t > 0$ and $\le 0$ for "
            r"$t < 0$. Both tend to $\varphi'(0)$ as $t \to 0$, so $\varphi'(0) = 0$.",
            needs=("line",),
        ),
        Block(
            "gradient",
            r"$\varphi'(0) = \nabla f(w^*)^\top v$, and this is 0 for every $v$. With "
            r"$v = \nabla f(w^*)$: $\nabla f(w^*) = 0$.",
            needs=("quotient",),
        ),
        Block(
            "chord",
            r"Part 2, sufficient. Let $\nabla f(w^*) = 0$ and let $w$ be any point. As "
            r"$f$ is convex, $f(w^* + t(w - w^*)) \le f(w^*) + t\,(f(w) - f(w^*))$ for "
            r"$0 < t \le 1$.",
        ),
        Block(
            "slope",
            r"Hence $f(w) - f(w^*) \ge \bigl(f(w^* + t(w - w^*)) - f(w^*)\bigr)/t$.",
            needs=("chord",),
        ),
        Block(
            "limit",
            r"As $t \to 0$ the right side tends to $\nabla f(w^*)^\top(w - w^*) = 0$. "
            r"So $f(w) \ge f(w^*)$ for every $w$.",
            needs=("slope",),
        ),
        Block(
            "both",
            r"With the two directions, part 2 is proved.",
            needs=("gradient", "limit"),
        ),
        Block(
            "critical",
            r"Where the gradient vanishes there is a minimum, for every function with "
            r"continuous derivatives.",
            why="f(w) = w³ has the derivative 0 at 0, and no minimum there; "
            "sufficiency is what convexity is for",
        ),
        Block(
            "neighbour",
            r"$w$ is near $w^*$, so $f(w) \ge f(w^*)$ by the definition of a local "
            r"minimum.",
            why="w may be anywhere: that it is near is what the definition needs, and "
            "the segment is there to get near",
        ),
        Block(
            "strict",
            r"As $f$ is convex, $f(w_t) < (1 - t)\,f(w^*) + t\,f(w)$ for $0 < t < 1$.",
            why="this is strict convexity; a straight line is convex, and has =",
        ),
        Block(
            "hessian",
            r"As $f$ is convex, its second derivatives form a positive definite "
            r"matrix, so $w^*$ is a minimum.",
            why="a convex function need not have second derivatives, and w⁴ is convex "
            "with second derivative 0 at its minimum",
        ),
        Block(
            "exists",
            r"A convex function has a minimum, so there is a $w^*$ with "
            r"$\nabla f(w^*) = 0$.",
            why="the exponential function is convex and has no minimum; existence is "
            "another matter, and not asked for",
        ),
    ),
    hints=(
        "Three short proofs, and they do not need each other. Where is convexity used, "
        "and where is it not?",
        "For the first part, walk from $w^*$ towards a point that is supposedly "
        "lower. What happens right at the beginning?",
        "For the last part, walk the same way, and divide by the length of the walk.",
    ),
    references=(
        Reference(
            "segment, close, line, quotient, gradient, chord, slope, limit, both",
            "in the order of the claims",
        ),
        Reference(
            "chord, slope, limit, line, quotient, gradient, both, segment, close",
            "sufficiency first",
        ),
    ),
    mistakes=(
        Mistake(
            "segment, close, line, quotient, gradient, critical, both",
            why="S3's “necessary and sufficient” for every function",
            says="w³",
            at_most=0.6,
        ),
        Mistake(
            "neighbour, line, quotient, gradient, chord, slope, limit, both",
            why="a local minimum taken for a global one by its definition",
            says="w may be anywhere",
            at_most=0.7,
        ),
        Mistake(
            "segment, close, line, gradient, quotient, chord, slope, limit, both",
            why="the gradient before the derivative is known to vanish",
            says="comes too early",
        ),
        Mistake(
            "strict, close, hessian, both",
            why="strict convexity and second derivatives",
            says="strict convexity",
            at_most=0.2,
        ),
        Mistake(
            "segment, close, line, quotient, gradient, hessian, both",
            why="positive definite second derivatives",
            says="w⁴",
            at_most=0.7,
        ),
    ),
)


def check_hypotheses(data: Mapping[str, Any]) -> list[Finding]:
    """A point below w³ = 0 near 0, and multipliers for two circles."""
    low, betas = data["low"], data["betas"]
    near = isinstance(low, Real) and bool(
        low.sign() == -1 and (low + Real(1) / 100).sign() == 1
    )
    right = _numbers(betas, 2) and (betas[0] - betas[1]).same(Real(1) / 2)
    return [
        _said(near, "low: so near, and below", "low: not near 0, or w³ is not below"),
        _said(
            right,
            "betas: the gradient of the Lagrangian vanishes at 0",
            "betas: the gradient of the Lagrangian does not vanish at 0",
        ),
    ]


HYPOTHESES = Values(
    id="hypotheses-needed",
    title="What the theorems need",
    points=5,
    proofs=("P-48", "P-49"),
    statement=r"""
Five small problems, each without one of the hypotheses that S3 leaves out.

- **Convexity.** For $f(w) = w^3$, $f'(0) = 0$. Give `low`, a point with
  $|w| < \frac1{100}$ and $f(w) < f(0)$: so 0 is not even a local minimum.
- **Interior.** Let $f(w) = w$ on $\Omega = [1, 2]$. Give `slope`, the derivative of
  $f$ at its minimum over $\Omega$.
- **Independent gradients.** Minimise $w$ subject to $w^2 = 0$. Give `count`, the
  number of $\beta$ for which the derivative of $L(w, \beta) = w + \beta w^2$ by $w$
  vanishes at the solution.
- **It is the description that counts.** The same problem with the constraint $w = 0$:
  give `beta`, the multiplier.
- **Two circles** touch at the origin of the plane, $(w_1 - 1)^2 + w_2^2 = 1$ and
  $(w_1 + 1)^2 + w_2^2 = 1$, and only the origin is on both. Give `rank`, the rank of
  the two gradients $\nabla h_1, \nabla h_2$ there; `exists`, `yes` or `no`: are there
  multipliers if $w_2$ is minimised? And `betas`, a vector of two multipliers of your
  choice if $w_1$ is minimised instead.
""",
    values=(
        Value("low"),
        Value("slope", "1", traps={
            "0": "the minimum is at the end of the interval, where the derivative "
            "need not vanish",
        }),
        Value("count", "0", traps={
            "1": "the derivative at w = 0 is 1 + 2β·0: does any β make it 0?",
        }),
        Value("beta", "-1", traps={"1": "1 + β = 0"}),
        Value("rank", "1", traps={"2": "both gradients lie on the first axis"}),
        Value("exists", "no", choices=("yes", "no"), traps={
            "yes": "both gradients lie on the first axis; that of w₂ does not",
        }),
        Value("betas"),
    ),
    check=check_hypotheses,
    check_weight=2,
    hints=(
        "Where does $w \\mapsto w$ have its minimum on $[1, 2]$?",
        "The derivative of $w + \\beta w^2$ is $1 + 2\\beta w$, and the solution is "
        "$w = 0$, the only admissible point.",
        "The gradients of the circles at the origin are $(-2, 0)$ and $(2, 0)$. Can "
        "they add up to $-(0, 1)$, or to $-(1, 0)$?",
    ),
    references=(
        Reference(
            "low = -1/1000\nslope = 1\ncount = 0\nbeta = -1\nrank = 1\nexists = no\n"
            "betas = [1/2, 0]",
            "one circle alone",
        ),
        Reference(
            "low = -0.009; slope = 1; count = 0; beta = -1; rank = 1; exists = no\n"
            "betas = [1/4, -1/4]",
            "both circles",
        ),
        Reference(
            "low = -1/101\nslope = 1\ncount = 0\nbeta = -1\nrank = 1\nexists = no\n"
            "betas = [sqrt(2) + 1/2, sqrt(2)]",
            "there are infinitely many",
        ),
    ),
    mistakes=(
        Mistake(
            "low = -1/2\nslope = 0\ncount = 1\nbeta = -1\nrank = 2\nexists = yes\n"
            "betas = [1/2, 0]",
            why="the theorems of S3 believed",
            says="at the end of the interval",
            at_most=0.4,
        ),
        Mistake(
            "low = 1/1000\nslope = 1\ncount = 0\nbeta = 1\nrank = 1\nexists = no\n"
            "betas = [-1/2, 0]",
            why="signs",
            says="w³ is not below",
            at_most=0.6,
        ),
        Mistake(
            "low = -1/1000\nslope = 1\ncount = 1\nbeta = -1\nrank = 2\n"
            "exists = yes\nbetas = [1/2, 1/2]",
            why="a multiplier that is not there; dependent gradients taken for "
            "independent",
            says="does any β make it 0",
            at_most=0.6,
        ),
        Mistake(
            "low = [-1/1000]\nslope = 1\ncount = 0\nbeta = -1\nrank = 1\nexists = no\n"
            "betas = 1/2",
            why="a vector for a number, and a number for a vector",
            says="does not vanish",
            at_most=0.8,
        ),
    ),
)  # fmt: skip

# --- Lagrange ---------------------------------------------------------------------

LAGRANGE_TEXT = r"""
## Lagrange

Under equations, the gradient of the Lagrangian takes the place of the gradient of $f$.
That it vanishes is sufficient if the Lagrangian is convex, and necessary if the
gradients of the constraints are independent. The two proofs have nothing in common.
"""

QUADRATIC = (
    "r = 1/2*w.T@A@w - 1/2*ws.T@A@ws - c.T@(w - ws)         | def f; def fs",
    "c = A@ws + B.T@beta                                    | given",
    "r = 1/2*w.T@A@w - 1/2*ws.T@A@ws - (A@ws + B.T@beta).T@(w - ws) | use 2",
    "r = 1/2*(w - ws).T@A@(w - ws) - beta.T@B@(w - ws)      | collect",
    "B@(w - ws) = 0                                         | given",
    "r = 1/2*(w - ws).T@A@(w - ws)                          | use 5",
    "r >= 0                                                 | psd",
)

SUFFICIENT = Derivation(
    id="lagrange-sufficient",
    title="Lagrange's condition is sufficient",
    problem=LAGRANGE_SUFFICIENT,
    points=5,
    proofs=("P-49",),
    statement=r"""
Minimise $f(w) = \frac12 w^\top A w - c^\top w$ under the equations $Bw = d$, where $A$
is positive semi-definite. Let $w_*$ and $\beta$ satisfy Lagrange's conditions,

$$
A w_* - c + B^\top\beta = 0, \qquad B w_* = d ,
$$

and let $w$ be any admissible point, $Bw = d$. Derive that
$r = f(w) - f(w_*) \ge 0$: so $w_*$ is a minimum. (For a general convex $f$ the square
at the end is replaced by the inequality of the puzzle above.)

Symbols: `A` ($M \times M$, positive semi-definite), `B` ($P \times M$), `c`, `d`,
`beta`, `w`, `ws` for $w_*$, `f`, `fs` for $f(w_*)$, `r = f - fs`; if you like, also
`L = f + beta.T@(B@w - d)` and `Ls`, the same at $w_*$. The conditions on $w_*$ and $w$
are `given`.
""",
    hints=(
        "Write $r$ with $A$, $c$, $w$ and $w_*$, and put in $c$ from the first "
        "condition.",
        "$w$ and $w_*$ satisfy the same equations. What is $B(w - w_*)$?",
        "$\\frac12 w^\\top Aw - \\frac12 w_*^\\top Aw_* - w_*^\\top A(w - w_*)$ is "
        "half a quadratic form in $w - w_*$.",
    ),
    references=(
        Reference(derivation(QUADRATIC), "straight on"),
        Reference(
            "B@w - d = 0                                        | given\n"
            "L = f                                              | use 1\n"
            "B@ws - d = 0                                       | given\n"
            "Ls = fs                                            | use 3\n"
            "r = L - Ls                                         | use 2; use 4\n"
            "L - Ls = f - fs + beta.T@B@(w - ws)                | def L; def Ls\n"
            "L - Ls = 1/2*w.T@A@w - 1/2*ws.T@A@ws - c.T@(w - ws)"
            " + beta.T@B@(w - ws) | def f; def fs\n"
            "A@ws = c - B.T@beta                                | given\n"
            "L - Ls = 1/2*w.T@A@w - 1/2*ws.T@A@ws - ws.T@A@(w - ws) | use 8\n"
            "L - Ls = 1/2*(w - ws).T@A@(w - ws)                 | factor\n"
            "L - Ls >= 0                                        | psd\n"
            "r >= 0                                             | use 5; use 11",
            "through the Lagrangian",
        ),
        Reference(
            "let v = w - ws\n"
            "B@v = 0                                            | def v; given\n"
            "r = 1/2*(ws + v).T@A@(ws + v) - c.T@(ws + v) - fs  | def f; def v\n"
            "r = 1/2*(ws + v).T@A@(ws + v) - c.T@(ws + v) - 1/2*ws.T@A@ws + c.T@ws"
            " | def fs\n"
            "r = 1/2*v.T@A@v + v.T@(A@ws - c)                   | expand\n"
            "A@ws - c = -B.T@beta                               | given\n"
            "r = 1/2*v.T@A@v - v.T@B.T@beta                     | use 6\n"
            "r = 1/2*v.T@A@v                                    | use 2\n"
            "r >= 0                                             | A is psd",
            "a step away from the solution",
        ),
        Reference(
            r"r = \frac12 w^\top A w - c^\top w - \frac12 w_*^\top A w_* + c^\top w_*"
            r" | def f; def f_*" + "\n"
            r"c = A w_* + B^\top \beta                           | given" + "\n"
            r"r = \frac12 (w - w_*)^\top A (w - w_*) - \beta^\top B (w - w_*)"
            r" | use 1; use 2" + "\n"
            r"B (w - w_*) = 0                                    | given" + "\n"
            r"r = \frac12 (w - w_*)^\top A (w - w_*)             | use 3; use 4" + "\n"
            r"r \ge 0                                            | psd",
            "LaTeX",
        ),
    ),
    mistakes=(
        slip(
            "the gradient of f taken to vanish: that is Fermat, not Lagrange",
            2,
            {2: "c = A@ws | given",
             3: "r = 1/2*w.T@A@w - 1/2*ws.T@A@ws - ws.T@A@(w - ws) | use 2",
             4: "r = 1/2*(w - ws).T@A@(w - ws) | collect", 5: "", 6: ""},
            at_most=0.5,
            route=QUADRATIC,
        ),
        slip(
            "the sign of the multiplier",
            2,
            {2: "c = A@ws - B.T@beta | given",
             3: "r = 1/2*w.T@A@w - 1/2*ws.T@A@ws - (A@ws - B.T@beta).T@(w - ws) "
             "| use 2",
             4: "r = 1/2*(w - ws).T@A@(w - ws) + beta.T@B@(w - ws) | collect"},
            at_most=0.5,
            route=QUADRATIC,
        ),
        slip(
            "the constraint is never used",
            4,
            {4: "r = 1/2*(w - ws).T@A@(w - ws) | collect", 5: "", 6: ""},
            at_most=0.5,
            route=QUADRATIC,
        ),
        slip(
            "the cross term, as if w and w* were orthogonal",
            4,
            {4: "r = 1/2*w.T@A@w - 1/2*ws.T@A@ws - beta.T@B@(w - ws) | collect"},
            at_most=0.9,
            route=QUADRATIC,
        ),
        slip(
            "the sides of B are exchanged",
            5,
            {5: "B.T@(w - ws) = 0 | given"},
            says="their product has no meaning",
            at_most=0.5,
            route=QUADRATIC,
        ),
        slip(
            "β taken to vanish",
            5,
            {5: "beta = 0 | given"},
            at_most=0.5,
            route=QUADRATIC,
        ),
        slip("the sign is not said", None, {7: ""}, says="r >= 0", at_most=0.5,
             route=QUADRATIC),
        slip("the wrong way round", 7, {7: "r <= 0 | psd"}, at_most=0.5,
             route=QUADRATIC),
        Mistake(
            "r >= 0 | psd",
            why="asserted: a convex f alone does not make w* a minimum",
            first_bad=1,
            at_most=0,
        ),
    ),
)  # fmt: skip

NECESSARY = Puzzle(
    id="lagrange-necessary",
    title="Lagrange's condition is necessary",
    points=6,
    proofs=("P-49",),
    statement=r"""
Let $f$ and $h = (h_1, \dots, h_m)$ have continuous derivatives on $\mathbb{R}^n$, let
$w^*$ be a local minimum of $f$ among the points with $h(w) = 0$, and let the gradients
$\nabla h_1(w^*), \dots, \nabla h_m(w^*)$ be **linearly independent**. Put together the
proof that there are $\beta_1, \dots, \beta_m$ with
$\nabla f(w^*) + \sum_j \beta_j \nabla h_j(w^*) = 0$. Four of the blocks do not belong.
""",
    blocks=(
        Block(
            "rank",
            r"Let $J$ be the $m \times n$ matrix with rows $\nabla h_j(w^*)^\top$. Its "
            r"rows are independent, so the $m \times m$ matrix $JJ^\top$ is "
            r"invertible.",
        ),
        Block(
            "map",
            r"Let $Jv = 0$, and for $t \in \mathbb{R}$, $u \in \mathbb{R}^m$ put "
            r"$\Psi(t, u) = h(w^* + tv + J^\top u)$. Then $\Psi(0, 0) = 0$, and the "
            r"derivative of $\Psi$ by $u$ at $(0, 0)$ is $JJ^\top$.",
        ),
        Block(
            "implicit",
            r"By the implicit function theorem there is a differentiable $u(t)$ with "
            r"$u(0) = 0$ and $\Psi(t, u(t)) = 0$ for all small $|t|$.",
            needs=("rank", "map"),
        ),
        Block(
            "flat",
            r"The derivative of $\Psi(t, u(t)) = 0$ at $t = 0$ is "
            r"$Jv + JJ^\top u'(0) = 0$. As $Jv = 0$, $u'(0) = 0$.",
            needs=("implicit", "rank"),
        ),
        Block(
            "curve",
            r"So $\gamma(t) = w^* + tv + J^\top u(t)$ is a curve of admissible points "
            r"with $\gamma(0) = w^*$ and $\gamma'(0) = v$.",
            needs=("flat",),
        ),
        Block(
            "stationary",
            r"$t \mapsto f(\gamma(t))$ has a local minimum at $t = 0$. By Fermat its "
            r"derivative there vanishes: $\nabla f(w^*)^\top v = 0$.",
            needs=("curve",),
        ),
        Block(
            "orthogonal",
            r"This holds for every $v$ with $Jv = 0$: $\nabla f(w^*)$ is orthogonal to "
            r"the kernel of $J$.",
            needs=("stationary",),
        ),
        Block(
            "range",
            r"The orthogonal complement of $\ker J$ is the range of $J^\top$, so "
            r"$\nabla f(w^*) = -J^\top\beta$ for some $\beta$. This is the claim.",
            needs=("orthogonal",),
        ),
        Block(
            "straight",
            r"As $Jv = 0$, the points $w^* + tv$ are admissible for small $|t|$.",
            why="true for affine constraints only: a tangent leaves the circle at once",
        ),
        Block(
            "fermat",
            r"$w^*$ is a minimum of $f$, so $\nabla f(w^*) = 0$.",
            why="a minimum among the admissible points only; S3 itself notes that the "
            "gradient of f need not vanish (l. 555)",
        ),
        Block(
            "smooth",
            r"$h$ has continuous derivatives, so $JJ^\top$ is invertible.",
            why="that takes independent gradients: for h(w) = w² at 0, J = 0, and "
            "there is no multiplier",
        ),
        Block(
            "sign",
            r"As $w^*$ is a minimum, all $\beta_j$ are $\ge 0$.",
            why="multipliers of equations have any sign, for −h = 0 says the same as "
            "h = 0; those of inequalities are ≥ 0",
        ),
    ),
    hints=(
        "What is to be shown is that $\\nabla f(w^*)$ is orthogonal to all directions "
        "in which one can move and stay admissible.",
        "One cannot move along a straight line. How is it bent back onto $h = 0$?",
        "The correction $J^\\top u(t)$ must not change the direction in which the "
        "curve starts. Which block says so?",
    ),
    references=(
        Reference(
            "rank, map, implicit, flat, curve, stationary, orthogonal, range",
            "in order",
        ),
        Reference(
            "map, rank, implicit, flat, curve, stationary, orthogonal, range",
            "the map first",
        ),
    ),
    mistakes=(
        Mistake(
            "straight, stationary, orthogonal, range",
            why="walks along the tangent, which leaves the constraint",
            says="a tangent leaves the circle",
            at_most=0.5,
        ),
        Mistake(
            "map, smooth, implicit, flat, curve, stationary, orthogonal, range",
            why="S3's hypotheses: continuous derivatives are enough",
            says="h(w) = w²",
            at_most=0.8,
        ),
        Mistake(
            "fermat, range",
            why="Fermat for the constrained minimum",
            says="need not vanish",
            at_most=0.2,
        ),
        Mistake(
            "rank, map, implicit, flat, curve, stationary, orthogonal, range, sign",
            why="a sign that multipliers of equations do not have",
            says="any sign",
            at_most=0.9,
        ),
        Mistake(
            "rank, map, implicit, curve, flat, stationary, orthogonal, range",
            why="the direction of the curve before it is known",
            says="comes too early",
            at_most=0.9,
        ),
    ),
)

# --- duality ----------------------------------------------------------------------

DUALITY_TEXT = r"""
## Duality

With inequalities $g \le 0$ and equations $h = 0$, the Lagrangian is
$L(w, \alpha, \beta) = f(w) + \alpha^\top g(w) + \beta^\top h(w)$, the dual function is
$\theta(\alpha, \beta) = \inf_w L(w, \alpha, \beta)$, and the multipliers of the
inequalities satisfy $\alpha \ge 0$. Weak duality, $\theta(\alpha, \beta) \le f(w)$ for
every admissible $w$, is proved in the chapter. Equality needs more than S3 asks for (l.
644–658).
"""

STRONG = Puzzle(
    id="strong-duality-affine",
    title="Strong duality with affine constraints",
    points=6,
    proofs=("P-50",),
    statement=r"""
Let $f : \mathbb{R}^n \to \mathbb{R}$ be convex, $g$ and $h$ affine, and let
$p^* = \inf\{f(w) : g(w) \le 0,\ h(w) = 0\}$ be **finite**. (So there are admissible
points. Nothing says that $p^*$ is attained.) Put together the proof that there are
$\alpha \ge 0$ and $\beta$ with $\inf_w L(w, \alpha, \beta) = p^*$. Four of the blocks
do not belong.
""",
    blocks=(
        Block(
            "sets",
            r"In $\mathbb{R}^{n+1}$ let $U = \{(w, t) : t > f(w)\}$ and "
            r"$V = \{(w, t) : w \text{ admissible},\ t \le p^*\}$. Both are convex and "
            r"not empty, and they have no point in common, since $f(w) \ge p^*$ at "
            r"admissible points.",
        ),
        Block(
            "separate",
            r"So they can be separated: there are $(c, \gamma) \ne 0$ and $\delta$ "
            r"with $c^\top w + \gamma t \ge \delta$ on $U$ and "
            r"$c^\top w + \gamma t \le \delta$ on $V$.",
            needs=("sets",),
        ),
        Block(
            "sign",
            r"In $U$, $t$ can be as large as one likes; hence $\gamma \ge 0$.",
            needs=("separate",),
        ),
        Block(
            "upright",
            r"If $\gamma$ were 0, then $c^\top w \ge \delta$ for **all** "
            r"$w \in \mathbb{R}^n$, as $f$ is finite everywhere; so $c = 0$ as well, a "
            r"contradiction. Thus $\gamma > 0$; divide by it, so that $\gamma = 1$.",
            needs=("sign",),
        ),
        Block(
            "below",
            r"On $U$ let $t$ fall to $f(w)$: $f(w) \ge \delta - c^\top w$ for all "
            r"$w \in \mathbb{R}^n$.",
            needs=("upright",),
        ),
        Block(
            "above",
            r"On $V$ take $t = p^*$: $c^\top w \le \delta - p^*$ for every admissible "
            r"$w$.",
            needs=("upright",),
        ),
        Block(
            "farkas",
            r"The admissible points are the solutions of affine inequalities and "
            r"equations, and there are some. By Farkas's lemma an affine inequality "
            r"that holds at all of them is a combination of these: there are "
            r"$\alpha \ge 0$ and $\beta$ with $c^\top w - \delta + p^* \le "
            r"\alpha^\top g(w) + \beta^\top h(w)$ for all $w \in \mathbb{R}^n$.",
            needs=("above",),
        ),
        Block(
            "add",
            r"Add the two inequalities: $L(w, \alpha, \beta) \ge p^*$ for all $w$.",
            needs=("below", "farkas"),
        ),
        Block(
            "weak",
            r"By weak duality $\inf_w L(w, \alpha, \beta) \le p^*$ for all "
            r"$\alpha \ge 0$ and all $\beta$.",
        ),
        Block(
            "end",
            r"So $\inf_w L(w, \alpha, \beta) = p^*$: there is no gap, and the dual "
            r"value is attained.",
            needs=("add", "weak"),
        ),
        Block(
            "attained",
            r"Let $w^*$ be an admissible point with $f(w^*) = p^*$.",
            why="there may be none: think of an exponential function. A finite value "
            "is enough",
        ),
        Block(
            "subset",
            r"If $f$ is defined on a convex set $\Omega$ only, $\gamma = 0$ still "
            r"gives $c = 0$, for $c^\top w \ge \delta$ holds on $\Omega$.",
            why="on a part of the space cᵀw ≥ δ is possible with c ≠ 0; this is where "
            "S3's theorem fails, as the next exercise shows",
        ),
        Block(
            "slater",
            r"As the problem is convex, there is a point with $g_i(w) < 0$ for all "
            r"$i$.",
            why="not for w ≤ 0 and −w ≤ 0; affine constraints do not need such a point",
        ),
        Block(
            "exchange",
            r"$L$ is convex in $w$ and affine in $(\alpha, \beta)$, so "
            r"$\inf_w \sup_{\alpha, \beta} L = \sup_{\alpha, \beta} \inf_w L$.",
            why="this is what is to be shown; without more it is false, for there are "
            "convex problems with a gap",
        ),
    ),
    hints=(
        "Two convex sets without a common point: what is above the graph of $f$, and "
        "what would be better than $p^*$.",
        "A separating hyperplane might be vertical. Why is this one not?",
        "$f$ is bounded from below by an affine function, and this function is bounded "
        "from below on the admissible points. The second bound comes from the "
        "constraints: Farkas.",
    ),
    references=(
        Reference(
            "sets, separate, sign, upright, below, above, farkas, add, weak, end",
            "in order",
        ),
        Reference(
            "weak, sets, separate, sign, upright, above, farkas, below, add, end",
            "weak duality first",
        ),
    ),
    mistakes=(
        Mistake(
            "sets, separate, sign, subset, below, above, farkas, add, weak, end",
            why="S3's theorem: any convex Ω",
            says="next exercise",
            at_most=0.8,
        ),
        Mistake(
            "attained, sets, separate, sign, upright, below, above, farkas, add, "
            "weak, end",
            why="a minimiser that need not exist",
            says="there may be none",
            at_most=0.9,
        ),
        Mistake(
            "exchange, end",
            why="the claim as its own proof",
            says="what is to be shown",
            at_most=0.2,
        ),
        Mistake(
            "sets, separate, sign, below, upright, above, farkas, add, weak, end",
            why="divides by γ before it is known to be positive",
            says="comes too early",
            at_most=0.9,
        ),
        Mistake(
            "sets, separate, sign, upright, below, slater, above, farkas, add, end",
            why="an interior point that is neither there nor needed",
            says="do not need such a point",
            at_most=0.8,
        ),
    ),
)


def check_gap(data: Mapping[str, Any]) -> list[Finding]:
    """A point of Ω at which L(w, 1) = exp(−w₂) + w₃ is below 1/10."""
    point = data["point"]
    if not _numbers(point, 3):
        return [Finding(False, "point: a vector of three numbers is asked for")]
    one, two, three = point
    top = one + three  # √(w₁² + w₂²) ≤ w₁ + w₃
    square = top * top - one * one - two * two
    inside = top.sign() in (0, 1) and square.sign() in (0, 1)
    if not inside:
        return [Finding(False, "point: it is not in Ω", 1.0)]
    low = (exp(-two) + three - Real(1) / 10).sign() == -1
    yes = "point: in Ω, and L is below 1/10 there"
    return [_said(low, yes, "point: in Ω, but L is not below 1/10 there")]


GAP = Values(
    id="duality-gap",
    title="A convex problem with a gap",
    points=5,
    proofs=("P-50",),
    statement=r"""
S3 asks for a convex set $\Omega$, a convex $f$ with continuous derivatives, and affine
constraints (l. 648–656). All this holds for

$$
\Omega = \Bigl\{w \in \mathbb{R}^3 : \sqrt{w_1^2 + w_2^2} - w_1 \le w_3\Bigr\}, \qquad
f(w) = e^{-w_2}, \qquad g(w) = w_3 \le 0 ,
$$

with $\theta(\alpha) = \inf_{w \in \Omega} e^{-w_2} + \alpha w_3$. Give, exactly,

- `w2`, the value of $w_2$ at *every* admissible point, and `primal`, the value of the
  primal problem;
- `point`, a point of $\Omega$ of your choice with $e^{-w_2} + w_3 < \frac1{10}$;
- `dual`, the value of the dual problem, and `gap`, the difference of the two;
- `attained`, `yes` or `no`: is there a point of $\Omega$ with
  $e^{-w_2} + w_3 = \theta(1)$?
- `inner`, `yes` or `no`: is there an admissible point in the *interior* of $\Omega$?
- `relaxed`, the value of the primal problem if the constraint is
  $w_3 \le \frac1{100}$ instead.
""",
    values=(
        Value("w2", "0"),
        Value("primal", "1", traps={
            "0": "with w₃ ≤ 0 the root is at most w₁: what is left for w₂?",
        }),
        Value("point"),
        Value("dual", "0", traps={
            "1": "this is the value of the primal problem; for a fixed α, w₂ can grow "
            "while w₃ tends to 0",
        }),
        Value("gap", "1", traps={"0": "S3 says so; but look at point"}),
        Value("attained", "no", weight=0.5, choices=("yes", "no"), traps={
            "yes": "both terms are ≥ 0 on Ω, and the first is never 0",
        }),
        Value("inner", "no", weight=0.5, choices=("yes", "no"), traps={
            "yes": "in the interior the root is smaller than w₁ + w₃, not equal: can "
            "w₃ be 0 or less?",
        }),
        Value("relaxed", "0", traps={
            "1": "now w₂ can be as large as one likes, if w₁ is still larger",
        }),
    ),
    check=check_gap,
    check_weight=1.5,
    hints=(
        "On $\\Omega$, $w_3 \\ge \\sqrt{w_1^2 + w_2^2} - w_1 \\ge 0$. When is it 0?",
        "$\\sqrt{w_1^2 + w_2^2} - w_1$ is about $w_2^2/(2w_1)$ if $w_1$ is large. For "
        "`point`, choose $w_2$ first, then a large $w_1$, then $w_3$; it may be larger "
        "than it need be.",
        "On $\\Omega$, $e^{-w_2} + \\alpha w_3$ is positive. How small can it be?",
    ),
    references=(
        Reference(
            "w2 = 0\nprimal = 1\npoint = [1000, 3, 1/100]\ndual = 0\ngap = 1\n"
            "attained = no\ninner = no\nrelaxed = 0",
            "a rational point",
        ),
        Reference(
            "w2 = 0; primal = 1; point = [800, 4, sqrt(640016) - 800]\n"
            "dual = 0; gap = 1 - 0; attained = no; inner = no; relaxed = 0",
            "a point on the boundary",
        ),
        Reference(
            "w2 = 0\nprimal = exp(0)\npoint = [10**6, 10, 1/1000]\ndual = 0\ngap = 1\n"
            "attained = no\ninner = no\nrelaxed = 0",
            "far away",
        ),
    ),
    mistakes=(
        Mistake(
            "w2 = 0\nprimal = 1\npoint = [1, 0, 0]\ndual = 1\ngap = 0\n"
            "attained = yes\ninner = no\nrelaxed = 1",
            why="strong duality believed",
            says="L is not below 1/10",
            at_most=0.5,
        ),
        Mistake(
            "w2 = 0\nprimal = 0\npoint = [1000, 3, 0]\ndual = 0\ngap = 0\n"
            "attained = no\ninner = yes\nrelaxed = 0",
            why="a point that is not in Ω, and a primal value that is not attained",
            says="it is not in Ω",
            at_most=0.6,
        ),
        Mistake(
            "w2 = 0\nprimal = 1\npoint = [1000, 3]\ndual = 0\ngap = 1\n"
            "attained = yes\ninner = no\nrelaxed = 0",
            why="a point of the plane; an infimum taken for a minimum",
            says="three numbers",
            at_most=0.8,
        ),
        Mistake(
            "w2 = 0\nprimal = 1\npoint = [-1000, 3, 1/100]\ndual = 0\ngap = 1\n"
            "attained = no\ninner = no\nrelaxed = 1",
            why="the wrong end of the axis",
            says="it is not in Ω",
            at_most=0.7,
        ),
    ),
)  # fmt: skip

KUHN_TUCKER = Puzzle(
    id="kuhn-tucker",
    title="The theorem of Kuhn and Tucker",
    points=6,
    proofs=("P-51",),
    statement=r"""
Let $f : \mathbb{R}^n \to \mathbb{R}$ be convex with continuous derivatives, and $g$,
$h$ affine. Put together the proof that $w^*$ is a solution *if and only if* there are
$\alpha$ and $\beta$ with

$$
\nabla_w L(w^*, \alpha, \beta) = 0, \quad h(w^*) = 0, \quad g(w^*) \le 0, \quad
\alpha \ge 0, \quad \alpha_i\, g_i(w^*) = 0
$$

for all $i$. Four of the blocks do not belong.
""",
    blocks=(
        Block(
            "convex",
            r"Sufficient. As $\alpha \ge 0$ and $g$, $h$ are affine, "
            r"$L(\cdot, \alpha, \beta)$ is convex. Its gradient vanishes at $w^*$, so "
            r"$L(w, \alpha, \beta) \ge L(w^*, \alpha, \beta)$ for all $w$.",
        ),
        Block(
            "there",
            r"By the other conditions, $L(w^*, \alpha, \beta) = f(w^*) + "
            r"\sum_i \alpha_i\, g_i(w^*) + \beta^\top h(w^*) = f(w^*)$.",
        ),
        Block(
            "admissible",
            r"If $w$ is admissible, $L(w, \alpha, \beta) \le f(w)$, since "
            r"$\alpha \ge 0$, $g(w) \le 0$ and $h(w) = 0$.",
        ),
        Block(
            "solution",
            r"Together: $f(w) \ge L(w, \alpha, \beta) \ge L(w^*, \alpha, \beta) = "
            r"f(w^*)$ for every admissible $w$. So $w^*$ is a solution.",
            needs=("convex", "there", "admissible"),
        ),
        Block(
            "dual",
            r"Necessary. Let $w^*$ be a solution. By strong duality there are "
            r"$\alpha \ge 0$ and $\beta$ with $\inf_w L(w, \alpha, \beta) = f(w^*)$.",
        ),
        Block(
            "squeeze",
            r"For these, $f(w^*) = \inf_w L(w, \alpha, \beta) \le "
            r"L(w^*, \alpha, \beta) = f(w^*) + \alpha^\top g(w^*) \le f(w^*)$. So "
            r"there is equality everywhere.",
            needs=("dual",),
        ),
        Block(
            "slackness",
            r"Hence $\alpha^\top g(w^*) = 0$. No term of this sum is positive, so each "
            r"is zero: $\alpha_i\, g_i(w^*) = 0$.",
            needs=("squeeze",),
        ),
        Block(
            "stationary",
            r"And $w^*$ minimises $L(\cdot, \alpha, \beta)$ over the whole of "
            r"$\mathbb{R}^n$: by Fermat $\nabla_w L(w^*, \alpha, \beta) = 0$.",
            needs=("squeeze",),
        ),
        Block(
            "all",
            r"That $h(w^*) = 0$ and $g(w^*) \le 0$ is clear, for $w^*$ is admissible. "
            r"So all conditions hold.",
            needs=("slackness", "stationary"),
        ),
        Block(
            "active",
            r"If $g_i(w^*) = 0$, then $\alpha_i > 0$.",
            why="S3 says so (l. 679), but α = 0 is possible for an active constraint, "
            "as the next exercise shows",
        ),
        Block(
            "anywhere",
            r"$L(w, \alpha, \beta) \le f(w)$ for all $w \in \mathbb{R}^n$.",
            why="only where g(w) ≤ 0 and h(w) = 0: at other points α⊤g(w) can be "
            "positive",
        ),
        Block(
            "omega",
            r"If $w$ is restricted to a convex set $\Omega$, then too "
            r"$\nabla_w L(w^*, \alpha, \beta) = 0$ at the minimum over $\Omega$.",
            why="at the boundary of Ω the gradient need not vanish: f(w) = w on [1, 2]",
        ),
        Block(
            "zero",
            r"Hence $\alpha^\top g(w^*) = 0$, so that $g(w^*) = 0$ or $\alpha = 0$.",
            why="a vanishing sum of products does not make a whole factor vanish: some "
            "constraints can be active and others not",
        ),
    ),
    hints=(
        "Two halves. In the first the multipliers are given, in the second they have "
        "to come from somewhere: from strong duality.",
        "First half: compare $f(w)$, $L(w, \\alpha, \\beta)$, "
        "$L(w^*, \\alpha, \\beta)$ and $f(w^*)$.",
        "Second half: a chain of inequalities that begins and ends with $f(w^*)$.",
    ),
    references=(
        Reference(
            "convex, there, admissible, solution, dual, squeeze, slackness, "
            "stationary, all",
            "sufficient, then necessary",
        ),
        Reference(
            "dual, squeeze, stationary, slackness, all, admissible, there, convex, "
            "solution",
            "necessary, then sufficient",
        ),
    ),
    mistakes=(
        Mistake(
            "convex, there, admissible, solution, dual, squeeze, slackness, active, "
            "stationary, all",
            why="S3's “α > 0 on the frontier”",
            says="α = 0 is possible",
            at_most=0.9,
        ),
        Mistake(
            "convex, there, anywhere, solution, dual, squeeze, slackness, "
            "stationary, all",
            why="the bound at points that are not admissible",
            says="only where",
            at_most=0.8,
        ),
        Mistake(
            "convex, there, admissible, solution, dual, squeeze, zero, omega, all",
            why="a product of vectors; and Fermat at a boundary",
            says="a whole factor",
            at_most=0.6,
        ),
        Mistake(
            "convex, solution, there, admissible, dual, squeeze, slackness, "
            "stationary, all",
            why="the conclusion before its reasons",
            says="comes too early",
            at_most=0.9,
        ),
    ),
)

CROSS = ((1, 0), (1, 1), (1, -1), (-1, 0))
CROSS_Y = (1, 1, 1, -1)


def optimal_on_the_cross(alpha: Sequence[Real]) -> bool:
    """α ≥ 0, Σαy = 0 and Σαyx = (1, 0): the KKT conditions, as all margins are 1."""
    weights = [
        dot([a * y for a, y in zip(alpha, CROSS_Y, strict=True)], column)
        for column in zip(*CROSS, strict=True)
    ]
    return (
        all(a.sign() in (0, 1) for a in alpha)
        and dot(alpha, CROSS_Y).same(0)
        and weights[0].same(1)
        and weights[1].same(0)
    )


def _multipliers(alpha: Any, name: str, count: int) -> Finding:
    """Whether α solves the dual on the cross, with so many support vectors."""
    if not _numbers(alpha, 4):
        return Finding(False, f"{name}: a vector of four numbers is asked for", 1.0)
    if not optimal_on_the_cross(alpha):
        text = f"{name}: not a solution of the dual (α ≥ 0, Σαy = 0, Σαyx = w)"
        return Finding(False, text, 1.0)
    found = sum(a.sign() == 1 for a in alpha)
    text = f"{name}: a solution of the dual with {found} support vectors"
    return Finding(found == count, text, 1.0)


def check_active(data: Mapping[str, Any]) -> list[Finding]:
    """c = d, w = d and α = 0; and two solutions of one dual."""
    c, d, w, alpha = (data[name] for name in ("c", "d", "w", "alpha"))
    if not all(isinstance(value, Real) for value in (c, d, w, alpha)):
        return [Finding(False, "c, d, w and alpha: four numbers are asked for", 4.0)]
    solution = c if (c - d).sign() == -1 else d
    solved = w.same(solution) and alpha.same((d - c) * -2 if solution is d else 0)
    shown = solved and solution.same(d) and alpha.same(0)
    return [
        _said(solved, "w and alpha solve your problem",
              "w and alpha do not solve your problem", 1.0),
        _said(shown, "active, and its multiplier is 0",
              "this does not show it: active, with alpha = 0, is asked for", 1.0),
        _multipliers(data["two"], "two", 2),
        _multipliers(data["four"], "four", 4),
    ]  # fmt: skip


ACTIVE = Values(
    id="active-and-zero",
    title="Active, and yet zero",
    points=4,
    proofs=("P-52",),
    statement=r"""
S3 says that on the frontier, where a constraint is active, its multiplier is positive
(l. 679). **Disprove it.** Minimise $f(w) = (w - c)^2$ over $w \in \mathbb{R}$, subject
to $g(w) = w - d \le 0$. Choose

- `c` and `d` such that the constraint is active at the solution and its multiplier is
  0; and give `w` and `alpha`, the solution and the multiplier.

The same happens in a support vector machine. Let $(1, 0)$, $(1, 1)$, $(1, -1)$ have the
label $+1$, and $(-1, 0)$ the label $-1$. The machine with the largest margin is
$w = (1, 0)$, $b = 0$, and *all four* points have $y_i F(x_i) = 1$. Give, in this order
of the points,

- `two`, a vector of optimal multipliers of which two are not zero;
- `four`, a vector of optimal multipliers of which none is zero;
- `number`, `yes` or `no`: does the number of support vectors, the points with
  $\alpha_i > 0$, depend on the data alone?
""",
    values=(
        Value("c"),
        Value("d"),
        Value("w"),
        Value("alpha"),
        Value("two"),
        Value("four"),
        Value(
            "number",
            "no",
            choices=("yes", "no"),
            traps={
                "yes": "compare two and four: the data are the same",
            },
        ),
    ),
    check=check_active,
    check_weight=4,
    hints=(
        "Where would the minimum be without the constraint?",
        "Kuhn and Tucker: $2(w - c) + \\alpha = 0$, $\\alpha\\,(w - d) = 0$, "
        "$\\alpha \\ge 0$, $w \\le d$.",
        "As all margins are 1, the conditions on the four multipliers are "
        "$\\alpha \\ge 0$, $\\sum_i \\alpha_i y_i = 0$ and $\\sum_i \\alpha_i y_i x_i "
        "= (1, 0)$. That is three equations.",
    ),
    references=(
        Reference(
            "c = 0\nd = 0\nw = 0\nalpha = 0\ntwo = [1/2, 0, 0, 1/2]\n"
            "four = [1/4, 1/8, 1/8, 1/2]\nnumber = no",
            "w² and w ≤ 0",
        ),
        Reference(
            "c = 3; d = 3; w = 3; alpha = 0; two = [0.5, 0, 0, 0.5]\n"
            "four = [1/6, 1/6, 1/6, 1/2]; number = no",
            "shifted",
        ),
    ),
    mistakes=(
        Mistake(
            "c = 1\nd = 0\nw = 0\nalpha = 2\ntwo = [1/2, 0, 0, 1/2]\n"
            "four = [1/4, 1/8, 1/8, 1/2]\nnumber = no",
            why="active, with a positive multiplier",
            says="does not show it",
            at_most=0.8,
        ),
        Mistake(
            "c = -1\nd = 0\nw = -1\nalpha = 0\ntwo = [1/2, 0, 0, 1/2]\n"
            "four = [0, 1/4, 1/4, 1/2]\nnumber = no",
            why="not active; and three support vectors where four are asked for",
            says="3 support vectors",
            at_most=0.6,
        ),
        Mistake(
            "c = 0\nd = 0\nw = 0\nalpha = 0\ntwo = [1/2, 0, 0, 1/2]\n"
            "four = [1/2, 1/4, 1/4, 1]\nnumber = yes",
            why="a multiple of a solution; the number of support vectors taken for a "
            "property of the data",
            says="not a solution of the dual",
            at_most=0.6,
        ),
        Mistake(
            "c = 0\nd = 0\nw = 0\nalpha = 0\ntwo = [1, 0, 0, 1]\n"
            "four = [1/4, 1/8, 1/8, 1/4]\nnumber = no",
            why="multipliers for w·w without the half; and Σαy ≠ 0",
            says="two: not a solution",
            at_most=0.6,
        ),
        Mistake(
            "c = 0\nd = 1\nw = 1\nalpha = 0\ntwo = [0, 1/2, 0, 1/2]\n"
            "four = [1, 1, -3/2, 1/2]\nnumber = no",
            why="w is not the solution; negative multipliers",
            says="do not solve your problem",
            at_most=0.3,
        ),
    ),
)

# --- the machines -----------------------------------------------------------------

MACHINE_TEXT = r"""
## The machines and their duals

S3 derives the dual of the hard margin with misprints (l. 706–732: a sign, a sum, a
$\beta$); S1 announces that of the soft margin, and prints it with two more (l. 81:
$\alpha^\top y = 1$, and an $\alpha$ is missing). Here both are to be derived, line by
line.
"""

HARD = (
    "grad(L,w) = w - sum(alpha[i]*y[i]*x[i] for i in N)         | gradient",
    "w = sum(alpha[i]*y[i]*x[i] for i in N)                     | set to zero",
    "diff(L,b) = -sum(alpha[i]*y[i] for i in N)                 | derivative",
    "sum(alpha[i]*y[i] for i in N) = 0                          | set to zero for b",
    "L = 1/2*w.T@w - w.T@sum(alpha[i]*y[i]*x[i] for i in N)"
    " - b*sum(alpha[i]*y[i] for i in N) + sum(alpha)            | expand",
    "L = 1/2*w.T@w - w.T@sum(alpha[i]*y[i]*x[i] for i in N) + sum(alpha) | use 4",
    "L = sum(alpha) - 1/2*w.T@w                                 | use 2",
    "L = sum(alpha) - 1/2*sum(sum(alpha[i]*alpha[j]*y[i]*y[j]*x[i].T@x[j]"
    " for j in N) for i in N)                                   | use 2",
)
"""The hard margin with sums, from which the slips below deviate."""

HARD_MARGIN = Derivation(
    id="svm-dual",
    title="The dual of the hard-margin machine",
    problem="svm-dual",
    points=8,
    proofs=("P-54",),
    statement=r"""
The machine with the largest margin minimises $\frac12\|w\|^2$ subject to
$y_i(w^\top x_i + b) \ge 1$ for all $i$. Its Lagrangian is

$$
L = \frac12 w^\top w - \sum_i \alpha_i\,\bigl(y_i(w^\top x_i + b) - 1\bigr), \qquad
\alpha_i \ge 0 .
$$

Make it stationary in $w$ and in $b$, and eliminate both: end with $L$ in $\alpha$
alone,

$$
L = \sum_i \alpha_i - \frac12\sum_i\sum_j \alpha_i\alpha_j\, y_i y_j\, x_i^\top x_j ,
$$

or the same with $K$ or with matrices.

Symbols: `X` ($N \times D$, rows $x_i^\top$, also `x[i]`), `y`, `alpha`, `w`, `b`,
`K = X@X.T`, `L`.
""",
    hints=(
        "The gradient by $w$ tells you what $w$ is. The derivative by $b$ tells you "
        "nothing about $b$: what does it say?",
        "Multiply $L$ out: there are four terms. One has the factor "
        "$\\sum_i \\alpha_i y_i$.",
        "$w^\\top\\sum_i \\alpha_i y_i x_i$ is $w^\\top w$. The square of a sum needs "
        "two indices.",
    ),
    references=(
        Reference(derivation(HARD), "sums"),
        Reference(
            "L = 1/2*w.T@w - alpha.T@diag(y)@X@w - b*alpha.T@y + sum(alpha)"
            " | matrix form\n"
            "grad(L,w) = w - X.T@diag(y)@alpha                  | gradient\n"
            "w = X.T@diag(y)@alpha                              | set to zero\n"
            "diff(L,b) = -alpha.T@y                             | derivative\n"
            "alpha.T@y = 0                                      | set to zero\n"
            "L = 1/2*w.T@w - w.T@w + sum(alpha)                 | use 1; use 3; use 5\n"
            "L = sum(alpha) - 1/2*w.T@w                         | collect\n"
            "L = sum(alpha) - 1/2*alpha.T@diag(y)@X@X.T@diag(y)@alpha | use 3\n"
            "L = sum(alpha) - 1/2*alpha.T@diag(y)@K@diag(y)@alpha | def K",
            "matrices",
        ),
        Reference(
            r"\frac{\partial L}{\partial w} = w - \sum_i \alpha_i y_i x_i = 0"
            r" | gradient; set to zero" + "\n"
            r"w = \sum_i \alpha_i y_i x_i                        | rearrange" + "\n"
            r"\frac{\partial L}{\partial b} = -\sum_i \alpha_i y_i = 0"
            r" | derivative; set to zero" + "\n"
            r"\sum_i \alpha_i y_i = 0                            | rearrange" + "\n"
            r"L = \frac12 w^\top w - \sum_i \alpha_i y_i w^\top x_i - b \sum_i \alpha_i"
            r" y_i + \sum_i \alpha_i                             | expand" + "\n"
            r"L = \frac12 w^\top w - w^\top w + \sum_i \alpha_i  | use 2; use 4" + "\n"
            r"L = \sum_i \alpha_i - \frac12 \sum_i \sum_j \alpha_i \alpha_j y_i y_j"
            r" x_i^\top x_j                                      | use 2",
            "LaTeX",
        ),
        Reference(
            "let u = had(alpha, y)\n"
            "diff(L,b) = -sum(u)                                | derivative; def u\n"
            "sum(u) = 0                                         | set to zero\n"
            "grad(L,w) = w - X.T@u                              | gradient; def u\n"
            "w = X.T@u                                          | set to zero\n"
            "L = 1/2*w.T@w - u.T@X@w - b*sum(u) + sum(alpha)    | def u\n"
            "L = 1/2*w.T@w - u.T@X@w + sum(alpha)               | use 3\n"
            "L = 1/2*u.T@X@X.T@u - u.T@X@X.T@u + sum(alpha)     | use 5\n"
            "L = sum(alpha) - 1/2*u.T@K@u                       | def K",
            "signed multipliers",
        ),
    ),
    mistakes=(
        slip("w without the labels", 2,
             {2: "w = sum(alpha[i]*x[i] for i in N) | set to zero"},
             at_most=0.7, route=HARD),
        slip("the gradient's sign", 1,
             {1: "grad(L,w) = w + sum(alpha[i]*y[i]*x[i] for i in N) | gradient",
              2: "w = -sum(alpha[i]*y[i]*x[i] for i in N) | set to zero",
              5: "", 6: "", 7: "", 8: ""},
             says="sign is wrong", at_most=0.4, route=HARD),
        slip("the half is forgotten, as where S3 minimises w·w", 1,
             {1: "grad(L,w) = 2*w - sum(alpha[i]*y[i]*x[i] for i in N) | gradient",
              2: "w = 1/2*sum(alpha[i]*y[i]*x[i] for i in N) | set to zero",
              5: "", 6: "", 7: "", 8: ""},
             says="factor 2 is too many", at_most=0.4, route=HARD),
        slip("the derivative by b without its sign, as S3 prints it", 3,
             {3: "diff(L,b) = sum(alpha[i]*y[i] for i in N) | derivative"},
             says="sign is wrong", at_most=0.9, route=HARD),
        slip("b is set to zero, not the derivative by b", 4,
             {4: "b = 0 | set to zero for b"}, at_most=0.7, route=HARD),
        slip("the term with b is dropped without a reason", 6,
             {6: "L = 1/2*w.T@w - w.T@sum(alpha[i]*y[i]*x[i] for i in N) + sum(alpha)"
              " | collect"}, says="line 4", route=HARD),
        slip("plus one half", 7,
             {7: "L = sum(alpha) + 1/2*w.T@w | use 2",
              8: "L = sum(alpha) + 1/2*sum(sum(alpha[i]*alpha[j]*y[i]*y[j]*x[i].T@x[j]"
              " for j in N) for i in N) | use 2"},
             says="sign is wrong", at_most=0.7, route=HARD),
        slip("a single sum, as S3 prints it (l. 728): j is bound by nothing", 8,
             {8: "L = sum(alpha) - 1/2*sum(alpha[i]*alpha[j]*y[i]*y[j]*x[i].T@x[j]"
              " for i in N) | use 2"},
             says="index j is bound by no sum", at_most=0.7, route=HARD),
        slip("the square of a sum as a sum of squares", 8,
             {8: "L = sum(alpha) - 1/2*sum(alpha[i]**2*y[i]**2*x[i].T@x[i] for i in N)"
              " | use 2"}, at_most=0.7, route=HARD),
        slip("K appears without its definition", 8,
             {8: "L = sum(alpha) - 1/2*sum(sum(alpha[i]*alpha[j]*y[i]*y[j]*K[i,j]"
              " for j in N) for i in N) | use 2"}, says="def K", route=HARD),
        slip("stops before w is eliminated", None, {8: ""},
             says="L in alpha alone", at_most=0.7, route=HARD),
        Mistake("L = sum(alpha) - 1/2*alpha.T@diag(y)@K@diag(y)@alpha | expand",
                why="the goal is asserted", first_bad=1, at_most=0),
    ),
)  # fmt: skip

NORM_LINES = (
    "q = w.T@X.T@diag(y)@alpha                              | given",
    "q = alpha.T@diag(y)@X@w                                | transpose",
    "diag(y)@X@w = s + ones(N) - b*y                        | def s",
    "q = alpha.T@s + sum(alpha) - b*y.T@alpha               | use 3",
    "q = sum(alpha) - b*y.T@alpha                           | alpha.T@s = 0",
    "q = sum(alpha)                                         | y.T@alpha = 0",
    "V = sum(alpha) - 1/2*alpha.T@diag(y)@X@X.T@diag(y)@alpha | def K",
    "V = sum(alpha) - 1/2*q                                 | given; def q",
    "V = 1/2*q                                              | use 6",
)

NORM = Derivation(
    id="svm-norm",
    title="The norm of the weights",
    problem=SVM_NORM,
    points=4,
    proofs=("P-54",),
    statement=r"""
At the solution of the hard-margin machine, with $s_i = y_i(w^\top x_i + b) - 1$,

$$
w = X^\top\mathrm{diag}(y)\,\alpha, \qquad y^\top\alpha = 0, \qquad
\alpha_i s_i = 0 \text{ for all } i, \text{ hence } \alpha^\top s = 0 .
$$

Derive that the squared norm is the sum of the multipliers, $q = w^\top w =
\sum_i \alpha_i$, so that the margin is $1/\sqrt{\sum_i \alpha_i}$. Then derive that
there is no gap: the dual value
$V = \sum_i \alpha_i - \frac12\alpha^\top\mathrm{diag}(y) K\,\mathrm{diag}(y)\,\alpha$
is $\frac12 q$, the primal one.

Symbols: `X`, `y`, `alpha`, `w`, `b`, `K = X@X.T`,
`s = diag(y)@(X@w + b*ones(N)) - ones(N)`, `q`, `V`. The three equations in the middle
are `given`; to say which of them you use, write it as the reason:
`| y.T@alpha = 0`.
""",
    hints=(
        "Replace *one* of the two $w$ in $w^\\top w$ by what it is.",
        "$\\mathrm{diag}(y) X w$ is $s$ plus something. What remains of "
        "$\\alpha^\\top s$ and of $b\\, y^\\top\\alpha$?",
        "The quadratic form in $V$ is $w^\\top w$.",
    ),
    references=(
        Reference(derivation(NORM_LINES), "matrices"),
        Reference(
            "w = sum(alpha[i]*y[i]*x[i] for i in N)             | given\n"
            "q = sum(alpha[i]*y[i]*w.T@x[i] for i in N)         | use 1\n"
            "s[i] = y[i]*(w.T@x[i] + b) - 1                     | def s\n"
            "sum(alpha[i]*(y[i]*(w.T@x[i] + b) - 1) for i in N) = 0 | given; use 3\n"
            "sum(alpha[i]*y[i]*w.T@x[i] for i in N)"
            " + b*sum(alpha[i]*y[i] for i in N) - sum(alpha) = 0 | expand\n"
            "sum(alpha[i]*y[i] for i in N) = 0                  | given\n"
            "sum(alpha[i]*y[i]*w.T@x[i] for i in N) = sum(alpha) | use 5; use 6\n"
            "q = sum(alpha)                                     | use 2; use 7\n"
            "q = sum(sum(alpha[i]*alpha[j]*y[i]*y[j]*K[i,j] for j in N) for i in N)"
            " | use 1; def K\n"
            "V = sum(alpha) - 1/2*q                             | use 9\n"
            "V = 1/2*q                                          | use 8",
            "sums",
        ),
        Reference(
            r"w = \sum_i \alpha_i y_i x_i                        | given" + "\n"
            r"q = \sum_i \alpha_i y_i w^\top x_i                 | use 1" + "\n"
            r"s_i = y_i (w^\top x_i + b) - 1                     | def s" + "\n"
            r"\sum_i \alpha_i s_i = 0                            | given" + "\n"
            r"\sum_i \alpha_i y_i w^\top x_i + b \sum_i \alpha_i y_i"
            r" - \sum_i \alpha_i = 0                             | use 3" + "\n"
            r"\sum_i \alpha_i y_i = 0                            | given" + "\n"
            r"\sum_i \alpha_i y_i w^\top x_i = \sum_i \alpha_i  | use 5; use 6" + "\n"
            r"q = \sum_i \alpha_i                                | use 2; use 7" + "\n"
            r"V = \sum_i \alpha_i - \frac12 \alpha^\top \operatorname{diag}(y) X X^\top"
            r" \operatorname{diag}(y) \alpha                     | def K" + "\n"
            r"V = \sum_i \alpha_i - \frac12 w^\top w             | use 1" + "\n"
            r"V = \sum_i \alpha_i - \frac12 q                    | def q" + "\n"
            r"V = \frac12 q                                      | use 8",
            "LaTeX",
        ),
        Reference(
            "w = X.T@diag(y)@alpha                              | given\n"
            "V = sum(alpha) - 1/2*alpha.T@diag(y)@X@X.T@diag(y)@alpha | def K\n"
            "V = sum(alpha) - 1/2*norm2(w)                      | use 1\n"
            "V = sum(alpha) - 1/2*q                             | def q\n"
            "alpha.T@s = 0                                      | given\n"
            "alpha.T@diag(y)@X@w + b*alpha.T@y - sum(alpha) = 0 | def s\n"
            "alpha.T@diag(y)@X@w - sum(alpha) = 0               | given\n"
            "w.T@w - sum(alpha) = 0                             | use 1\n"
            "q = sum(alpha)                                     | def q\n"
            "V = 1/2*q                                          | use 4; use 9",
            "the dual value first",
        ),
    ),
    mistakes=(
        slip("complementary slackness is not used", 5,
             {5: "q = sum(alpha) - b*y.T@alpha | collect"},
             at_most=0.9, route=NORM_LINES),
        slip("the term with b is dropped", 5,
             {5: "q = sum(alpha) | alpha.T@s = 0", 6: "",
              9: "V = 1/2*q | use 5"}, at_most=0.9, route=NORM_LINES),
        slip("every point taken to lie on the margin", 3,
             {3: "diag(y)@X@w = ones(N) - b*y | given",
              4: "q = sum(alpha) - b*y.T@alpha | use 3", 5: ""},
             at_most=0.6, route=NORM_LINES),
        slip("a sign before b", 3,
             {3: "diag(y)@X@w = s + ones(N) + b*y | def s",
              4: "q = alpha.T@s + sum(alpha) + b*y.T@alpha | use 3",
              5: "q = sum(alpha) + b*y.T@alpha | alpha.T@s = 0"},
             says="sign is wrong", at_most=0.9, route=NORM_LINES),
        slip("the half is lost: the value would be 0", 8,
             {8: "V = sum(alpha) - q | w = X.T@diag(y)@alpha; def q",
              9: "V = 0 | use 6"},
             says="counterexample", at_most=0.6, route=NORM_LINES),
        slip("stops at the norm", None, {7: "", 8: "", 9: ""}, says="V",
             at_most=0.5, route=NORM_LINES),
        Mistake("q = sum(alpha) | given\nV = 1/2*q | given",
                why="both goals are asserted", first_bad=1, at_most=0),
    ),
)  # fmt: skip

SOFT_SUMS = (
    "grad(L,w) = w - sum(alpha[i]*y[i]*x[i] for i in N)         | gradient",
    "w = sum(alpha[i]*y[i]*x[i] for i in N)                     | set to zero",
    "diff(L,b) = -sum(alpha[i]*y[i] for i in N)                 | derivative",
    "sum(alpha[i]*y[i] for i in N) = 0                          | set to zero for b",
    "diff(L,xi[i]) = C - alpha[i] - mu[i]                       | derivative",
    "mu[i] = C - alpha[i]                                       | set to zero for xi",
    "L = 1/2*w.T@w - sum(alpha[i]*y[i]*w.T@x[i] for i in N)"
    " - b*sum(alpha[i]*y[i] for i in N) + sum(alpha)"
    " + sum((C - alpha[i] - mu[i])*xi[i] for i in N)            | expand",
    "L = 1/2*w.T@w - sum(alpha[i]*y[i]*w.T@x[i] for i in N)"
    " - b*sum(alpha[i]*y[i] for i in N) + sum(alpha)            | use 6",
    "L = 1/2*w.T@w - sum(alpha[i]*y[i]*w.T@x[i] for i in N) + sum(alpha) | use 4",
    "L = sum(alpha) - 1/2*w.T@w                                 | use 2",
    "L = sum(alpha) - 1/2*sum(sum(alpha[i]*alpha[j]*y[i]*y[j]*x[i].T@x[j]"
    " for j in N) for i in N)                                   | use 2",
)
"""The soft margin with sums."""

SOFT_MATRICES = (
    "L = 1/2*w.T@w + C*sum(xi) - alpha.T@diag(y)@X@w - b*alpha.T@y + sum(alpha)"
    " - alpha.T@xi - mu.T@xi                                    | matrix form",
    "grad(L,w) = w - X.T@diag(y)@alpha                          | gradient",
    "w = X.T@diag(y)@alpha                                      | set to zero",
    "diff(L,b) = -alpha.T@y                                     | derivative",
    "alpha.T@y = 0                                              | set to zero",
    "grad(L,xi) = C*ones(N) - alpha - mu                        | gradient",
    "mu = C*ones(N) - alpha                                     | set to zero",
    "L = 1/2*w.T@w - alpha.T@diag(y)@X@w - b*alpha.T@y + sum(alpha) | use 1; use 7",
    "L = 1/2*w.T@w - w.T@w + sum(alpha)                         | use 3; use 5",
    "L = sum(alpha) - 1/2*w.T@w                                 | collect",
    "L = sum(alpha) - 1/2*alpha.T@diag(y)@K@diag(y)@alpha       | use 3; def K",
)
"""The soft margin with matrices."""

STATIONARITY_SLIPS = (
    slip("w without the labels", 2,
         {2: "w = sum(alpha[i]*x[i] for i in N) | set to zero"},
         at_most=0.75, route=SOFT_SUMS),
    slip("the gradient's sign", 1,
         {1: "grad(L,w) = w + sum(alpha[i]*y[i]*x[i] for i in N) | gradient",
          2: "w = -sum(alpha[i]*y[i]*x[i] for i in N) | set to zero"},
         says="sign is wrong", at_most=0.75, route=SOFT_SUMS),
    slip("the half is forgotten", 1,
         {1: "grad(L,w) = 2*w - sum(alpha[i]*y[i]*x[i] for i in N) | gradient",
          2: "w = 1/2*sum(alpha[i]*y[i]*x[i] for i in N) | set to zero"},
         says="factor 2 is too many", at_most=0.75, route=SOFT_SUMS),
    slip("the constraint that S1 prints, α⊤y = 1", 5,
         {5: "alpha.T@y = 1 | set to zero"}, at_most=0.75, route=SOFT_MATRICES),
    slip("the labels are forgotten in the constraint", 4,
         {4: "sum(alpha[i] for i in N) = 0 | set to zero for b"},
         at_most=0.75, route=SOFT_SUMS),
    slip("b is set to zero, not the derivative by b", 4,
         {4: "b = 0 | set to zero for b"}, at_most=0.75, route=SOFT_SUMS),
    slip("the multiplier of ξ ≥ 0 is forgotten: then α = C for all points", 5,
         {5: "diff(L,xi[i]) = C - alpha[i] | derivative",
          6: "alpha[i] = C | set to zero for xi", 7: "", 8: "", 9: "", 10: "", 11: ""},
         at_most=0.5, route=SOFT_SUMS),
    slip("ξ occurs in the first constraint too", 5,
         {5: "diff(L,xi[i]) = C - mu[i] | derivative",
          6: "mu[i] = C | set to zero for xi", 7: "", 8: "", 9: "", 10: "", 11: ""},
         at_most=0.5, route=SOFT_SUMS),
    slip("the price is forgotten", 5,
         {5: "diff(L,xi[i]) = -alpha[i] - mu[i] | derivative",
          6: "mu[i] = -alpha[i] | set to zero for xi",
          7: "", 8: "", 9: "", 10: "", 11: ""},
         at_most=0.5, route=SOFT_SUMS),
    slip("C + α", 6, {6: "mu[i] = C + alpha[i] | set to zero for xi"},
         says="sign is wrong", at_most=0.75, route=SOFT_SUMS),
    slip("a number where a column is meant", 6,
         {6: "grad(L,xi) = C - alpha - mu | gradient"},
         says="C*ones(N)", at_most=0.75, route=SOFT_MATRICES),
    slip("the slack is set to zero, not the derivative by it", 6,
         {6: "xi[i] = 0 | set to zero for xi"}, at_most=0.75, route=SOFT_SUMS),
    slip("the third condition is assumed", 5,
         {5: "", 6: "mu[i] = C - alpha[i] | assume", 7: "", 8: "", 9: "", 10: "",
          11: ""}, says="cannot be assumed", at_most=0.5, route=SOFT_SUMS),
    slip("complementary slackness, where stationarity is needed", 5,
         {5: "", 6: "mu[i]*xi[i] = 0 | complementary slackness", 8: "", 9: "", 10: "",
          11: ""}, at_most=0.5, route=SOFT_SUMS),
)  # fmt: skip

ELIMINATION_SLIPS = (
    slip("the quadratic term that S1 prints: an α is missing", 11,
         {11: "L = alpha.T@ones(N) - 1/2*alpha.T@diag(y)@K@diag(y) | use 3; def K"},
         says="1×N", at_most=0.75, route=SOFT_MATRICES),
    slip("plus one half", 10,
         {10: "L = sum(alpha) + 1/2*w.T@w | use 2",
          11: "L = sum(alpha) + 1/2*sum(sum(alpha[i]*alpha[j]*y[i]*y[j]*x[i].T@x[j]"
          " for j in N) for i in N) | use 2"},
         says="sign is wrong", at_most=0.75, route=SOFT_SUMS),
    slip("one instead of a half", 10,
         {10: "L = sum(alpha) - w.T@w | use 2",
          11: "L = sum(alpha) - sum(sum(alpha[i]*alpha[j]*y[i]*y[j]*x[i].T@x[j]"
          " for j in N) for i in N) | use 2"},
         says="factor", at_most=0.75, route=SOFT_SUMS),
    slip("the price of the slack is lost when L is multiplied out", 7,
         {7: "L = 1/2*w.T@w - sum(alpha[i]*y[i]*w.T@x[i] for i in N)"
          " - b*sum(alpha[i]*y[i] for i in N) + sum(alpha)"
          " + sum((-alpha[i] - mu[i])*xi[i] for i in N) | expand"},
         at_most=0.9, route=SOFT_SUMS),
    slip("the sum of the multipliers with a minus", 7,
         {7: "L = 1/2*w.T@w - sum(alpha[i]*y[i]*w.T@x[i] for i in N)"
          " - b*sum(alpha[i]*y[i] for i in N) - sum(alpha)"
          " + sum((C - alpha[i] - mu[i])*xi[i] for i in N) | expand"},
         says="sign is wrong", at_most=0.9, route=SOFT_SUMS),
    slip("the slack vanishes, and no reason is given", 8,
         {8: "L = 1/2*w.T@w - sum(alpha[i]*y[i]*w.T@x[i] for i in N)"
          " - b*sum(alpha[i]*y[i] for i in N) + sum(alpha) | simplify"},
         says="line 6", at_most=0.9, route=SOFT_SUMS),
    slip("b vanishes, and no reason is given", 9,
         {9: "L = 1/2*w.T@w - sum(alpha[i]*y[i]*w.T@x[i] for i in N) + sum(alpha)"
          " | simplify"}, says="line 4", at_most=0.9, route=SOFT_SUMS),
    slip("a single sum: j is bound by nothing", 11,
         {11: "L = sum(alpha) - 1/2*sum(alpha[i]*alpha[j]*y[i]*y[j]*x[i].T@x[j]"
          " for i in N) | use 2"},
         says="index j is bound by no sum", at_most=0.75, route=SOFT_SUMS),
    slip("the labels are lost in the quadratic form", 11,
         {11: "L = sum(alpha) - 1/2*alpha.T@K@alpha | use 3; def K"},
         at_most=0.75, route=SOFT_MATRICES),
    slip("K appears without its definition", 11,
         {11: "L = sum(alpha) - 1/2*alpha.T@diag(y)@K@diag(y)@alpha | use 3"},
         says="def K", at_most=0.9, route=SOFT_MATRICES),
    slip("stops at the three conditions", None,
         {7: "", 8: "", 9: "", 10: "", 11: ""},
         says="L in alpha alone", at_most=0.75, route=SOFT_SUMS),
    slip("the box without its reason", 7,
         {7: "alpha[i] <= C | rearrange", 8: "", 9: "", 10: "", 11: ""},
         says="Say why", at_most=0.75, route=SOFT_SUMS),
    slip("the box the wrong way round", 7,
         {7: "alpha[i] >= C | mu[i] >= 0", 8: "", 9: "", 10: "", 11: ""},
         at_most=0.75, route=SOFT_SUMS),
    Mistake("L = sum(alpha) - 1/2*alpha.T@diag(y)@K@diag(y)@alpha | expand",
            why="the goal is asserted", first_bad=1, at_most=0),
)  # fmt: skip

SOFT_MARGIN = Derivation(
    id="svm-soft-dual",
    title="The dual of the soft-margin machine",
    problem="svm-soft-dual",
    points=12,
    proofs=("P-07",),
    statement=r"""
The soft-margin machine pays $C > 0$ for each unit of slack:

$$
\min_{w, b, \xi}\; \frac12\|w\|^2 + C\sum_i \xi_i \quad\text{subject to}\quad
y_i(w^\top x_i + b) \ge 1 - \xi_i, \quad \xi_i \ge 0 .
$$

With multipliers $\alpha_i \ge 0$ for the first constraints and $\mu_i \ge 0$ for the
second, the Lagrangian is

$$
\begin{aligned}
L = {} & \frac12 w^\top w + C\sum_i \xi_i \\
& - \sum_i \alpha_i\bigl(y_i(w^\top x_i + b) - 1 + \xi_i\bigr) - \sum_i \mu_i \xi_i .
\end{aligned}
$$

Derive the dual: the three conditions, for $w$, $b$ and $\xi$, and $L$ in $\alpha$
alone. Which of the conditions turns $\mu_i \ge 0$ into an upper bound for $\alpha_i$?
You may add it, with its reason: `alpha[i] <= C | mu[i] >= 0`.

Symbols: `X` ($N \times D$, rows $x_i^\top$, also `x[i]`), `y`, `C` (positive), `alpha`,
`mu` (nonnegative), `w`, `b`, `xi`, `K = X@X.T`, `L`. Up to three facts may go into a
line here.
""",
    hints=(
        "Three derivatives: `grad(L,w)`, `diff(L,b)`, and `diff(L,xi[i])` or "
        "`grad(L,xi)`. In the last one, $\\xi_i$ occurs in three places.",
        "Multiply $L$ out and collect the terms with $\\xi_i$: their factor is "
        "$C - \\alpha_i - \\mu_i$.",
        "Once the slacks are gone, the rest is the hard margin. `use 6` cites line 6.",
    ),
    references=(
        Reference(derivation(SOFT_SUMS), "sums"),
        Reference(derivation(SOFT_MATRICES), "matrices"),
        Reference(
            r"\frac{\partial L}{\partial w} = w - \sum_i \alpha_i y_i x_i = 0"
            r" | gradient; set to zero" + "\n"
            r"w = \sum_i \alpha_i y_i x_i                        | rearrange" + "\n"
            r"\frac{\partial L}{\partial b} = -\sum_i \alpha_i y_i = 0"
            r" | derivative; set to zero" + "\n"
            r"\sum_i \alpha_i y_i = 0                            | rearrange" + "\n"
            r"\frac{\partial L}{\partial \xi_i} = C - \alpha_i - \mu_i = 0"
            r" | derivative; set to zero" + "\n"
            r"\mu_i = C - \alpha_i                               | rearrange" + "\n"
            r"0 \le \alpha_i \le C                               | \mu_i \ge 0" + "\n"
            r"L = \frac12 w^\top w - \sum_i \alpha_i y_i w^\top x_i - b \sum_i \alpha_i"
            r" y_i + \sum_i \alpha_i + \sum_i (C - \alpha_i - \mu_i) \xi_i | expand"
            "\n"
            r"L = \frac12 w^\top w - \sum_i \alpha_i y_i w^\top x_i + \sum_i \alpha_i"
            r" | use 4; use 6" + "\n"
            r"L = \frac12 w^\top w - w^\top w + \sum_i \alpha_i  | use 2" + "\n"
            r"L = \sum_i \alpha_i - \frac12 \sum_{i,j} \alpha_i \alpha_j y_i y_j"
            r" x_i^\top x_j                                      | use 2",
            "LaTeX, with the box",
        ),
        Reference(
            "let H = 1/2*w.T@w - sum(alpha[i]*(y[i]*(w.T@x[i] + b) - 1) for i in N)\n"
            "L = H + sum((C - alpha[i] - mu[i])*xi[i] for i in N) | def H\n"
            "diff(L,xi[i]) = C - alpha[i] - mu[i]               | derivative\n"
            "C - alpha[i] - mu[i] = 0                           | set to zero\n"
            "C - alpha[i] = mu[i] >= 0                          | nonneg\n"
            "L = H                                              | use 2; use 4\n"
            "L = 1/2*w.T@w - sum(alpha[i]*(y[i]*(w.T@x[i] + b) - 1) for i in N)"
            " | def H\n"
            "grad(L,w) = w - sum(alpha[i]*y[i]*x[i] for i in N) | gradient\n"
            "w = sum(alpha[i]*y[i]*x[i] for i in N)             | set to zero\n"
            "diff(L,b) = -sum(alpha[i]*y[i] for i in N)         | derivative\n"
            "sum(alpha[i]*y[i] for i in N) = 0                  | set to zero\n"
            "L = 1/2*w.T@w - sum(alpha[i]*y[i]*w.T@x[i] for i in N) + sum(alpha)"
            " | use 7; use 11\n"
            "L = sum(alpha) - 1/2*w.T@w                         | use 9\n"
            "L = sum(alpha) - 1/2*sum(alpha[i]*alpha[j]*y[i]*y[j]*K[i,j]"
            " for i in N for j in N)                            | use 9; def K",
            "the hard margin, and the slacks",
        ),
        Reference(
            "∂L/∂w = w - Xᵀ diag(y) α                           | differentiate\n"
            "w = Xᵀ diag(y) α                                   | stationary\n"
            "∂L/∂b = -yᵀα                                       | differentiate\n"
            "yᵀα = 0                                            | stationary\n"
            "∂L/∂ξ_i = C - α_i - μ_i                            | differentiate\n"
            "α_i + μ_i = C                                      | stationary\n"
            "L = ½ wᵀw - αᵀ diag(y) X w - b yᵀα + ∑_i α_i + ∑_i (C - α_i - μ_i) ξ_i"
            " | collect\n"
            "L = ½ wᵀw - wᵀw + ∑_i α_i                          | use 2, 4 and 6\n"
            "L = ∑_i α_i - ½ αᵀ diag(y) K diag(y) α             | use 2; def K",
            "Unicode, three conditions at once",
        ),
        Reference(
            "diff(L,b) = -sum(alpha[i]*y[i] for i in N)         | derivative\n"
            "sum(alpha[i]*y[i] for i in N) = 0                  | set to zero\n"
            "diff(L,w[d]) = w[d] - sum(alpha[i]*y[i]*X[i,d] for i in N) | derivative\n"
            "w[d] = sum(alpha[i]*y[i]*X[i,d] for i in N)        | set to zero\n"
            "w = sum(alpha[i]*y[i]*x[i] for i in N)             | vector form\n"
            "diff(L,xi[n]) = C - alpha[n] - mu[n]               | derivative\n"
            "C = alpha[n] + mu[n]                               | set to zero\n"
            "L = 1/2*w.T@w - sum(alpha[i]*(y[i]*(w.T@x[i] + b) - 1) for i in N)"
            " | use 7\n"
            "L = 1/2*w.T@w - sum(alpha[i]*y[i]*w.T@x[i] for i in N) + sum(alpha)"
            " | use 2\n"
            "  = 1/2*w.T@w - w.T@w + sum(alpha)                 | use 5\n"
            "  = sum(alpha) - 1/2*sum(sum(alpha[i]*alpha[j]*y[i]*y[j]*x[i].T@x[j]"
            " for j in N) for i in N)                           | use 5",
            "components, and a chain",
        ),
        Reference(
            "let u = had(alpha, y)\n"
            "L = 1/2*norm2(w) + C*sum(xi) - dot(u, X@w) - b*sum(u) + sum(alpha)"
            " - dot(alpha, xi) - dot(mu, xi)                    | def u\n"
            "grad(L,xi) = C*ones(N) - alpha - mu                | gradient\n"
            "alpha + mu = C*ones(N)                             | set to zero\n"
            "L = 1/2*norm2(w) - dot(u, X@w) - b*sum(u) + sum(alpha) | use 2; use 4\n"
            "grad(L,w) = w - X.T@u                              | gradient\n"
            "w = X.T@u                                          | set to zero\n"
            "diff(L,b) = -sum(u)                                | derivative\n"
            "sum(u) = 0                                         | set to zero\n"
            "L = 1/2*norm2(X.T@u) - dot(u, X@X.T@u) + sum(alpha) | use 7; use 9\n"
            "L = sum(alpha) - 1/2*u.T@X@X.T@u                   | collect\n"
            "L = sum(alpha) - 1/2*u.T@K@u                       | def K",
            "signed multipliers, the slacks first",
        ),
    ),
    mistakes=STATIONARITY_SLIPS + ELIMINATION_SLIPS,
)

KKT_CASES = Puzzle(
    id="svm-kkt-cases",
    title="What a multiplier says about its point",
    points=4,
    proofs=("P-08",),
    statement=r"""
Let $w$, $b$, $\xi$ solve the soft-margin problem, with multipliers $\alpha$. The
conditions of Kuhn and Tucker say, with $m_i = y_i(w^\top x_i + b)$ and after
$\mu_i = C - \alpha_i$ was put in,

$$
0 \le \alpha_i \le C, \quad \xi_i \ge 0, \quad m_i \ge 1 - \xi_i, \quad
(C - \alpha_i)\,\xi_i = 0, \quad \alpha_i\,(m_i - 1 + \xi_i) = 0 .
$$

Put together the proof that $m_i > 1$ implies $\alpha_i = 0$, that $m_i < 1$ implies
$\alpha_i = C$, that $0 < \alpha_i < C$ implies $m_i = 1$, and that at $m_i = 1$ the
conditions allow every $\alpha_i$ in $[0, C]$. Five of the blocks do not belong.
""",
    blocks=(
        Block(
            "outside",
            r"Let $m_i > 1$. As $\xi_i \ge 0$, $m_i - 1 + \xi_i > 0$.",
        ),
        Block(
            "none",
            r"So the last condition leaves only $\alpha_i = 0$.",
            needs=("outside",),
        ),
        Block(
            "inside",
            r"Let $m_i < 1$. As $\xi_i \ge 0$ and $\xi_i \ge 1 - m_i$, "
            r"$\xi_i \ge 1 - m_i > 0$.",
        ),
        Block(
            "full",
            r"So the last but one condition leaves only $\alpha_i = C$.",
            needs=("inside",),
        ),
        Block(
            "free",
            r"Let $0 < \alpha_i < C$. Neither $C - \alpha_i$ nor $\alpha_i$ is zero, "
            r"so $\xi_i = 0$ and $m_i - 1 + \xi_i = 0$.",
        ),
        Block("margin", r"Together, $m_i = 1$.", needs=("free",)),
        Block(
            "on",
            r"Let $m_i = 1$. The sum of the last two conditions is $C\,\xi_i = 0$, so "
            r"$\xi_i = 0$.",
        ),
        Block(
            "any",
            r"Then both of these conditions hold for every $\alpha_i \in [0, C]$.",
            needs=("on",),
        ),
        Block(
            "weak",
            r"Let $m_i \ge 1$. Then $m_i - 1 + \xi_i \ge 0$, so $\alpha_i = 0$.",
            why="at m = 1 and ξ = 0 the factor is 0, and α is free: the points on the "
            "margin would all be lost",
        ),
        Block(
            "back-zero",
            r"Conversely, if $\alpha_i = 0$, then $m_i > 1$.",
            why="m = 1 is possible too, as in “Active, and yet zero”",
        ),
        Block(
            "back-full",
            r"Conversely, if $\alpha_i = C$, then $m_i < 1$.",
            why="m = 1 is possible too: α = C leaves ξ = 1 − m, which may be 0",
        ),
        Block(
            "wrong-side",
            r"Let $m_i < 1$. Then the point is on the wrong side, so $\alpha_i = C$.",
            why="it is on the wrong side if m < 0; between 0 and 1 it is classified "
            "rightly, and only too near",
        ),
        Block(
            "strict",
            r"Since $\alpha_i \ge 0$ and $m_i \ge 1$, the last condition gives "
            r"$\alpha_i > 0$ or $m_i > 1$, and never both.",
            why="never both is right, but both can fail: α = 0 and m = 1; and m ≥ 1 is "
            "the hard margin",
        ),
    ),
    hints=(
        "Four claims, two blocks each. A product is zero if one of its factors is.",
        "For $m_i < 1$, the slack cannot be zero.",
        "For the last claim, add the two products: $\\alpha_i\\xi_i$ cancels.",
    ),
    references=(
        Reference(
            "outside, none, inside, full, free, margin, on, any", "claim by claim"
        ),
        Reference(
            "on, any, free, margin, inside, outside, full, none", "in another order"
        ),
    ),
    mistakes=(
        Mistake(
            "weak, inside, full, free, margin, on, any",
            why="S1 read with ≥: the support vectors on the margin are lost",
            says="α is free",
            at_most=0.7,
        ),
        Mistake(
            "outside, none, wrong-side, free, margin, on, any",
            why="between 0 and 1 the point is on the right side",
            says="only too near",
            at_most=0.7,
        ),
        Mistake(
            "outside, none, back-zero, inside, full, back-full, free, margin, on, any",
            why="the converses, both false",
            says="m = 1 is possible too",
            at_most=0.8,
        ),
        Mistake(
            "none, outside, full, inside, margin, free, any, on",
            why="conclusions before their reasons",
            says="comes too early",
            at_most=0.5,
        ),
    ),
)

HAND_TEXT = r"""
## By hand

Two data sets with exact solutions. No computer is needed, only the conditions of Kuhn
and Tucker; and a guess, which they confirm.
"""

BY_HAND = Values(
    id="hard-margin-by-hand",
    title="A hard margin by hand",
    points=6,
    proofs=("P-54", "P-55"),
    statement=r"""
Six points in the plane:

| point | 1 | 2 | 3 | 4 | 5 | 6 |
|---|---|---|---|---|---|---|
| $x_i$ | $(2, 2)$ | $(3, 0)$ | $(1, 3)$ | $(0, 0)$ | $(-1, 1/2)$ | $(1/2, -1)$ |
| $y_i$ | $+1$ | $+1$ | $+1$ | $-1$ | $-1$ | $-1$ |

Find the machine that minimises $\frac12\|w\|^2$ subject to $y_i F(x_i) \ge 1$. Give,
exactly,

- `w` and `b`;
- `alpha`, the six multipliers;
- `margin`, the distance of the nearest points to the hyperplane;
- `value`, the common value of the primal and the dual problem;
- `F`, the value of the decision function at the new point $(1, 1)$;
- `C`, the smallest $C$ for which the *soft*-margin machine has the same $w$ and $b$.
""",
    values=(
        Value("w", "[2/3, 4/9]", weight=1.5, exact=True, traps={
            "[1/3, 2/9]": "this is half of it: is it Σαyx with the right α?",
            "[2/3, 2/3]": "the third point is then outside of the margin: is another "
            "machine wider?",
        }),
        Value("b", "-1", weight=0.5, traps={
            "1": "the fourth point is the origin: what is F there, with its label?",
        }),
        Value("alpha", "[0, 14/81, 12/81, 26/81, 0, 0]", weight=2, exact=True, traps={
            "[0, 28/81, 24/81, 52/81, 0, 0]": "this is for the objective w·w without "
            "the half: the multipliers double",
            "[0, 14/81, 12/81, -26/81, 0, 0]": "this is α times y; multipliers are ≥ 0",
            "[14/81, 12/81, 26/81]": "six multipliers are asked for, zeros included",
        }),
        Value("margin", "9/sqrt(52)", exact=True, traps={
            "18/sqrt(52)": "this is the width of the strip, on both sides",
            "81/52": "this is its square",
            "sqrt(52)/9": "this is the norm of w",
        }),
        Value("value", "26/81", exact=True, traps={
            "52/81": "this is ‖w‖², without the half",
            "13/81": "this is half of it",
        }),
        Value("F", "1/9", exact=True, traps={
            "10/9": "b is missing",
            "1": "this is its class; the value is asked for",
        }),
        Value("C", "26/81", exact=True, traps={
            "52/81": "this is the sum of the multipliers; which one is the largest?",
            "1": "this is large enough, but not the smallest",
        }),
    ),
    hints=(
        "Draw it. Three points touch the strip: $(3, 0)$, $(1, 3)$ and the origin. "
        "Three equations $F(x_i) = y_i$ give $w$ and $b$; check the other points.",
        "$w = \\sum_i \\alpha_i y_i x_i$ and $\\sum_i \\alpha_i y_i = 0$ are three "
        "equations for the three multipliers. All have to come out $\\ge 0$.",
        "As long as the $\\alpha_i$ satisfy $\\alpha_i \\le C$, they satisfy all "
        "conditions of the soft machine, with $\\xi = 0$. Could there be other "
        "multipliers for the same $w$ and $b$?",
    ),
    references=(
        Reference(
            "w = [2/3, 4/9]\nb = -1\nalpha = [0, 14/81, 12/81, 26/81, 0, 0]\n"
            "margin = 9/sqrt(52)\nvalue = 26/81\nF = 1/9\nC = 26/81",
            "fractions",
        ),
        Reference(
            "w = [6/9, 4/9]; b = -1; alpha = [0, 14/81, 4/27, 26/81, 0, 0]\n"
            "margin = 9*sqrt(13)/26; value = (4/9 + 16/81)/2; F = 2/3 + 4/9 - 1\n"
            "C = 14/81 + 12/81",
            "with the arithmetic left in",
        ),
    ),
    mistakes=(
        Mistake(
            "w = [2/3, 4/9]\nb = -1\nalpha = [0, 28/81, 24/81, 52/81, 0, 0]\n"
            "margin = 18/sqrt(52)\nvalue = 52/81\nF = 1/9\nC = 52/81",
            why="the objective of S3, w·w without the half; the width for the margin",
            says="without the half",
            at_most=0.6,
        ),
        Mistake(
            "w = [2/3, 4/9]\nb = -1\nalpha = [0, 14/81, 12/81, -26/81, 0, 0]\n"
            "margin = 81/52\nvalue = 26/81\nF = 10/9\nC = 1",
            why="labels inside the multipliers, a square, no b",
            says="multipliers are ≥ 0",
            at_most=0.5,
        ),
        Mistake(
            "w = [2/3, 2/3]\nb = -1\nalpha = [0, 2/9, 0, 2/9, 0, 0]\n"
            "margin = 3/sqrt(8)\nvalue = 4/9\nF = 1/3\nC = 2/9",
            why="two points guessed as support vectors: a machine, but not the widest",
            says="is another machine wider",
            at_most=0.3,
        ),
        Mistake(
            "w = [0.667, 0.444]\nb = -1\nalpha = [0, 0.173, 0.148, 0.321, 0, 0]\n"
            "margin = 1.248\nvalue = 0.321\nF = 0.111\nC = 0.321",
            why="three digits, where exact values are asked for",
            says="give more digits",
            at_most=0.5,
        ),
    ),
)  # fmt: skip

SOFT_BY_HAND = Values(
    id="soft-margin-by-hand",
    title="A soft margin by hand",
    points=7,
    proofs=("P-08", "P-55"),
    statement=r"""
Eight points in the plane, and $C = 1$:

| point | 1 | 2 | 3 | 4 |
|---|---|---|---|---|
| $x_i$ | $(2, 2)$ | $(\frac32, \frac12)$ | $(\frac15, 1)$ | $(-\frac12, -\frac3{10})$ |
| $y_i$ | $+1$ | $+1$ | $+1$ | $-1$ |

| point | 5 | 6 | 7 | 8 |
|---|---|---|---|---|
| $x_i$ | $(-1, -2)$ | $(-2, -1)$ | $(\frac35, \frac25)$ | $(3, 1)$ |
| $y_i$ | $-1$ | $-1$ | $-1$ | $+1$ |

A friend claims that $w = (\frac35, 1)$, $b = -\frac25$ solves the soft-margin problem.
Check it by the conditions of Kuhn and Tucker: give, exactly,

- `m`, the eight functional margins $y_i F(x_i)$, and `xi`, the slacks;
- `alpha`, multipliers with which all conditions hold;
- `primal` and `dual`, the two values: if they agree, the friend is right;
- `errors`, how many points are on the wrong side of $F = 0$;
- `lam`, the $\lambda$ for which the same $w$ and $b$ minimise
  $\frac\lambda2\|w\|^2 + \frac1n\sum_i \max(0, 1 - m_i)$, and `value`, the value of
  this minimum.
""",
    values=(
        Value("m", "[14/5, 1, 18/25, 1, 3, 13/5, -9/25, 12/5]", weight=1.5, exact=True,
              traps={
                  "[14/5, 1, 18/25, -1, -3, -13/5, 9/25, 12/5]":
                  "this is F; multiply by the labels",
              }),
        Value("xi", "[0, 0, 7/25, 0, 0, 0, 34/25, 0]", weight=1.5, exact=True, traps={
            "[0, 0, 7/25, 0, 0, 0, 9/25, 0]": "the slack reaches to the margin, 1, not "
            "to 0",
            "[-9/5, 0, 7/25, 0, -2, -8/5, 34/25, -7/5]": "a slack is never negative",
        }),
        Value("alpha", "[0, 1/2, 1, 1/2, 0, 0, 1, 0]", weight=2, exact=True, traps={
            "[0, 0, 1, 0, 0, 0, 1, 0]": "with m = 1 the multiplier may be anything in "
            "[0, C]: what does w = Σαyx say?",
            "[0, 1, 1, 1, 0, 0, 1, 0]": "with m = 1 the multiplier may be anything in "
            "[0, C]: what does w = Σαyx say?",
            "[0, 1/2, 1, -1/2, 0, 0, -1, 0]": "this is α times y; multipliers are ≥ 0",
        }),
        Value("primal", "58/25", exact=True, traps={
            "17/25": "this is ½‖w‖² alone",
            "3": "‖w‖² has the factor ½ here",
        }),
        Value("dual", "58/25", exact=True, traps={
            "92/25": "the objective is Σα minus half the quadratic form",
            "41/25": "the quadratic form has the factor ½",
            "3": "this is Σα alone",
        }),
        Value("errors", "1", weight=0.5, traps={
            "2": "two points have a slack; one of them is still on the right side",
        }),
        Value("lam", "1/8", exact=True, traps={
            "8": "C = 1/(nλ): solve for λ",
            "1": "the average has a factor 1/n, and C = 1/(nλ)",
        }),
        Value("value", "29/100", exact=True, traps={
            "58/25": "this is the value for C; the two differ by the factor nC",
            "41/200": "this is the loss alone",
        }),
    ),
    hints=(
        "Where $m_i > 1$, $\\alpha_i = 0$; where $m_i < 1$, $\\alpha_i = C$. Only two "
        "multipliers are then unknown.",
        "$\\sum_i \\alpha_i y_i = 0$ makes the two unknown ones equal, and "
        "$w = \\sum_i \\alpha_i y_i x_i$ says how large they are.",
        "Multiply $\\frac\\lambda2\\|w\\|^2 + \\frac1n\\sum_i \\xi_i$ by $nC$, and "
        "choose $\\lambda$ such that the first term becomes $\\frac12\\|w\\|^2$.",
    ),
    references=(
        Reference(
            "m = [14/5, 1, 18/25, 1, 3, 13/5, -9/25, 12/5]\n"
            "xi = [0, 0, 7/25, 0, 0, 0, 34/25, 0]\n"
            "alpha = [0, 1/2, 1, 1/2, 0, 0, 1, 0]\nprimal = 58/25\ndual = 58/25\n"
            "errors = 1\nlam = 1/8\nvalue = 29/100",
            "fractions",
        ),
        Reference(
            "m = [2.8, 1, 0.72, 1, 3, 2.6, -0.36, 2.4]\n"
            "xi = [0, 0, 0.28, 0, 0, 0, 1.36, 0]\n"
            "alpha = [0, 0.5, 1, 0.5, 0, 0, 1, 0]; primal = 0.68 + 1.64\n"
            "dual = 3 - 0.68; errors = 1; lam = 0.125; value = 2.32/8",
            "decimals, which are exact here",
        ),
    ),
    mistakes=(
        Mistake(
            "m = [14/5, 1, 18/25, 1, 3, 13/5, -9/25, 12/5]\n"
            "xi = [0, 0, 7/25, 0, 0, 0, 9/25, 0]\n"
            "alpha = [0, 0, 1, 0, 0, 0, 1, 0]\nprimal = 33/25\ndual = 2\n"
            "errors = 2\nlam = 8\nvalue = 58/25",
            why="slack to F = 0; α = 0 on the margin; λ upside down",
            says="the slack reaches to the margin",
            at_most=0.3,
        ),
        Mistake(
            "m = [14/5, 1, 18/25, -1, -3, -13/5, 9/25, 12/5]\n"
            "xi = [0, 0, 7/25, 2, 4, 18/5, 16/25, 0]\n"
            "alpha = [0, 1/2, 1, 1/2, 0, 0, 1, 0]\nprimal = 58/25\ndual = 92/25\n"
            "errors = 1\nlam = 1\nvalue = 29/100",
            why="the labels are forgotten; a sign in the dual",
            says="multiply by the labels",
            at_most=0.6,
        ),
        Mistake(
            "m = [14/5, 1, 18/25, 1, 3, 13/5, -9/25, 12/5]\n"
            "xi = [-9/5, 0, 7/25, 0, -2, -8/5, 34/25, -7/5]\n"
            "alpha = [0, 1, 1, 1, 0, 0, 1, 0]\nprimal = 58/25\ndual = 41/25\n"
            "errors = 1\nlam = 1/8\nvalue = 41/200",
            why="negative slacks; α = C on the margin; halves lost",
            says="never negative",
            at_most=0.6,
        ),
        Mistake(
            "m = [14/5, 1, 18/25, 1, 3, 13/5, -9/25]\n"
            "xi = [0, 0, 7/25, 0, 0, 0, 34/25]\nalpha = [0, 1/2, 1, 1/2, 0, 0, 1]\n"
            "primal = 17/25\ndual = 3\nerrors = 1\nlam = 1/8\nvalue = 29/100",
            why="seven entries for eight; parts of the values",
            says="a list of 8",
            at_most=0.5,
        ),
    ),
)  # fmt: skip

HARD_IS_SOFT = Puzzle(
    id="hard-is-soft",
    title="The hard margin is a soft one",
    points=4,
    proofs=("P-55",),
    statement=r"""
Let the data be separable, let $(w, b)$ solve the hard-margin problem with multipliers
$\alpha$, and let $C \ge \max_i \alpha_i$. Put together the proof that every solution of
the *soft*-margin problem has the weights $w$ and no slack. Four of the blocks do not
belong.
""",
    blocks=(
        Block(
            "hard",
            r"By Kuhn and Tucker, $w = \sum_i \alpha_i y_i x_i$, "
            r"$\sum_i \alpha_i y_i = 0$, $\alpha_i \ge 0$, $m_i \ge 1$ and "
            r"$\alpha_i(m_i - 1) = 0$.",
        ),
        Block(
            "choose",
            r"Put $\xi_i = 0$ and $\mu_i = C - \alpha_i$. As $C \ge \max_i \alpha_i$, "
            r"$\mu_i \ge 0$.",
        ),
        Block(
            "admissible",
            r"$(w, b, \xi)$ is admissible for the soft problem: "
            r"$m_i \ge 1 = 1 - \xi_i$.",
            needs=("hard", "choose"),
        ),
        Block(
            "stationary",
            r"The gradients of the soft Lagrangian by $w$ and $b$ are those of the "
            r"hard one, and vanish. That by $\xi_i$ is $C - \alpha_i - \mu_i = 0$.",
            needs=("hard", "choose"),
        ),
        Block(
            "slackness",
            r"$\alpha_i(m_i - 1 + \xi_i) = \alpha_i(m_i - 1) = 0$ and "
            r"$\mu_i\xi_i = 0$.",
            needs=("hard", "choose"),
        ),
        Block(
            "solution",
            r"So all conditions of Kuhn and Tucker hold. The soft problem is convex, "
            r"with affine constraints: $(w, b, 0)$ is a solution.",
            needs=("admissible", "stationary", "slackness"),
        ),
        Block(
            "weights",
            r"Every solution has the same $w$: halfway between two solutions with "
            r"different $w$ the objective would be smaller, for $\|w\|^2$ is strictly "
            r"convex.",
        ),
        Block(
            "slack",
            r"All solutions have the same value and the same $\frac12\|w\|^2$, hence "
            r"the same $C\sum_i \xi_i$, which is 0 for one of them. So $\xi = 0$ for "
            r"all.",
            needs=("solution", "weights"),
        ),
        Block(
            "always",
            r"$(w, b, 0)$ is admissible for the soft problem, whatever $C > 0$ is, and "
            r"it has no slack to pay for. So it is a solution.",
            why="admissible is not optimal: a little slack can buy a much wider margin "
            "if C is small",
        ),
        Block(
            "limit",
            r"As $C \to \infty$ slack becomes infinitely expensive, so that $\xi \to "
            r"0$.",
            why="this is about a limit, and the claim is about one finite C",
        ),
        Block(
            "no-mu",
            r"As there is no slack, $\mu_i = 0$.",
            why="then C − αᵢ − μᵢ = 0 would say αᵢ = C for every point; it is ξ that "
            "is 0",
        ),
        Block(
            "unique",
            r"The multipliers $\alpha$ of a machine are unique.",
            why="they need not be, see “Active, and yet zero”; and the proof does not "
            "need it",
        ),
    ),
    hints=(
        "Which conditions must $(w, b, 0)$ satisfy, with which multipliers?",
        "$C \\ge \\max_i \\alpha_i$ is used exactly once.",
        "That it is *a* solution is not all: the claim is about every solution.",
    ),
    references=(
        Reference(
            "hard, choose, admissible, stationary, slackness, solution, weights, slack",
            "in order",
        ),
        Reference(
            "weights, choose, hard, slackness, stationary, admissible, solution, slack",
            "uniqueness first",
        ),
    ),
    mistakes=(
        Mistake(
            "always, weights, slack",
            why="admissible taken for optimal",
            says="admissible is not optimal",
            at_most=0.4,
        ),
        Mistake(
            "hard, choose, no-mu, admissible, stationary, slackness, solution, "
            "weights, slack",
            why="the multiplier of a constraint that is active set to zero",
            says="it is ξ that is 0",
            at_most=0.9,
        ),
        Mistake(
            "limit, weights, slack",
            why="a limit for a finite C",
            says="one finite C",
            at_most=0.4,
        ),
        Mistake(
            "hard, choose, admissible, stationary, slackness, solution, unique, slack",
            why="uniqueness of the wrong thing",
            says="they need not be",
            at_most=0.8,
        ),
        Mistake(
            "hard, admissible, choose, stationary, slackness, solution, weights, slack",
            why="the slack is used before it is chosen",
            says="comes too early",
            at_most=0.9,
        ),
    ),
)

# --- code -------------------------------------------------------------------------

CODE_TEXT = r"""
## In code

SMO, the standard algorithm that S3 names (l. 797–803), changes two multipliers at a
time: with one alone the equation $\sum_i \alpha_i y_i = 0$ would be lost. After that
only $b$ is missing. Both functions see the data through $K$.
"""

Step = tuple[np.ndarray, np.ndarray, np.ndarray, float, int, int]


def dual_value(alpha: np.ndarray, y: np.ndarray, K: np.ndarray) -> float:
    """Σα − ½ αᵀ diag(y) K diag(y) α."""
    signed = alpha * y
    return float(alpha.sum() - signed @ K @ signed / 2)


def best_on_the_line(
    alpha: np.ndarray, y: np.ndarray, K: np.ndarray, C: float, i: int, j: int
) -> np.ndarray:
    """The best of all α + t(yᵢeᵢ − yⱼeⱼ) in the box: try the vertex and both ends."""
    direction = np.zeros(len(alpha))
    direction[i], direction[j] = y[i], -y[j]
    ends = [sorted((-alpha[k] / direction[k], (C - alpha[k]) / direction[k]))
            for k in (i, j)]  # fmt: skip
    low, high = max(e[0] for e in ends), min(e[1] for e in ends)
    bend = K[i, i] + K[j, j] - 2 * K[i, j]
    slope = (direction * (1 - y * (K @ (alpha * y)))).sum()
    vertex = [slope / bend] if bend > 0 else []
    inside = [t for t in (0.0, *vertex) if low <= t <= high]
    tried = [alpha + t * direction for t in (*inside, low, high)]
    values = np.array([dual_value(a, y, K) for a in tried])
    return tried[int(np.argmax(values > values.max() - 1e-12))]


def feasible(
    rng: np.random.Generator, y: np.ndarray, C: float, steps: int
) -> np.ndarray:
    """Multipliers in the box with Σαy = 0: random moves of two of them."""
    alpha = np.zeros(len(y))
    for _ in range(steps):
        i, j = rng.choice(len(y), 2, replace=False)
        move = np.zeros(len(y))
        move[i], move[j] = y[i], -y[j]
        new = alpha + rng.integers(-2, 3) * C / 4 * move
        if new.min() >= 0 and new.max() <= C:
            alpha = new
    return alpha


def pair_of_points(rng: np.random.Generator, size: int) -> Step:
    """Distinct integer points, feasible multipliers, and two indices."""
    n = size + 1
    X = np.c_[rng.permutation(n) - n // 2, rng.integers(-2, 3, n)].astype(float)
    y = rng.choice([-1.0, 1.0], n)
    C = float(rng.choice([2.0, 8.0]))
    i, j = map(int, rng.choice(n, 2, replace=False))
    if size % 2 == 0:
        y[j] = -y[i]
    return feasible(rng, y, C, 3 * n), y, X @ X.T, C, i, j


def same_label(rng: np.random.Generator, size: int) -> Step:
    """Two points of one class, with something to exchange."""
    X = rng.integers(-2, 3, (size + 2, 2)).astype(float)
    y = np.r_[1.0, 1.0, -np.ones(size)] * rng.choice([-1.0, 1.0])
    alpha = np.r_[1.5, 0.5, np.full(size, 2.0 / size)]
    i, j = rng.permutation(2)
    return alpha, y, X @ X.T + np.eye(size + 2), 2.0, int(i), int(j)


def against_the_box(rng: np.random.Generator, size: int) -> Step:
    """Points so near to each other that the step is cut off."""
    X = rng.integers(-2, 3, (size + 1, 2)) / 8
    y = np.r_[1.0, -1.0, rng.choice([-1.0, 1.0], size - 1)]
    alpha = feasible(rng, y, 1.0, 3)
    return alpha, y, X @ X.T + np.eye(size + 1) / 64, 1.0, 0, 1


def equal_points(rng: np.random.Generator, size: int) -> Step:
    """The same point twice, with both labels or with one: no bend at all."""
    X = rng.integers(-2, 3, (size + 1, 2)).astype(float)
    X[1] = X[0]
    first = rng.choice([-1.0, 1.0])
    second = first if size % 2 else -first
    y = np.r_[first, second, rng.choice([-1.0, 1.0], size - 1)]
    alpha = feasible(rng, y, 1.0, 12)
    if first != second:
        alpha[:2] = 0.25  # both can grow together
        alpha[2:] = feasible(rng, y[2:], 1.0, 6) if size > 2 else 0.0
    return alpha, y, X @ X.T, 1.0, 0, 1


CODE_STEP = CodeQuestion(
    id="code-smo-step",
    title="One step of SMO",
    points=7,
    proofs=("P-07",),
    statement=r"""
Write `smo_step(alpha, y, K, C, i, j)`. It gets multipliers with $0 \le \alpha \le C$
and $\sum_k \alpha_k y_k = 0$, labels $\pm 1$, the Gram matrix and two different
indices. It changes $\alpha_i$ and $\alpha_j$ only, such that the sum stays 0 and the
box is kept, and returns the multipliers that then make

$$
D(\alpha) = \sum_k \alpha_k - \frac12\sum_{k,l} \alpha_k\alpha_l\, y_k y_l\, K_{kl}
$$

as large as possible, as a new array of shape `(n,)`. If the two points have the same
features, $K_{ii} + K_{jj} - 2K_{ij} = 0$, and $D$ is a straight line along the step: go
to the end where it is larger, and if it is level, return the multipliers as they are.
""",
    function="smo_step",
    signature="def smo_step(alpha, y, K, C, i, j):",
    reference=best_on_the_line,
    inputs=pair_of_points,
    edge_cases=(
        Cases("two points of one class", same_label),
        Cases("against the box", against_the_box),
        Cases("the same point twice", equal_points, count=6),
    ),
    hints=(
        "The step is $\\alpha_i + t\\,y_i$, $\\alpha_j - t\\,y_j$ for a number $t$. "
        "Why does that keep the sum?",
        "Along it $D$ changes by $t\\,(e_i - e_j) - \\frac12 t^2\\,(K_{ii} + K_{jj} - "
        "2K_{ij})$ with $e_k = y_k - \\sum_l \\alpha_l y_l K_{kl}$.",
        "Each of the two conditions $0 \\le \\alpha \\le C$ is an interval for $t$; "
        "which end is which depends on the label. `np.clip` cuts $t$ off.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def smo_step(alpha, y, K, C, i, j):\n"
            "    e = y - K @ (alpha * y)\n"
            "    slope, bend = e[i] - e[j], K[i, i] + K[j, j] - 2 * K[i, j]\n"
            "    up = C - alpha[i] if y[i] > 0 else alpha[i]\n"
            "    down = alpha[i] if y[i] > 0 else C - alpha[i]\n"
            "    up = min(up, alpha[j] if y[j] > 0 else C - alpha[j])\n"
            "    down = min(down, C - alpha[j] if y[j] > 0 else alpha[j])\n"
            "    if bend > 1e-12:\n"
            "        t = np.clip(slope / bend, -down, up)\n"
            "    else:\n"
            "        t = 0.0 if abs(slope) < 1e-12 else up if slope > 0 else -down\n"
            "    new = alpha.copy()\n"
            "    new[i] += t * y[i]\n"
            "    new[j] -= t * y[j]\n"
            "    return new\n",
            "a signed step",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def smo_step(alpha, y, K, C, i, j):\n"
            "    f = (alpha * y) @ K\n"
            "    Ei, Ej = f[i] - y[i], f[j] - y[j]\n"
            "    s = y[i] * y[j]\n"
            "    if s < 0:\n"
            "        L = max(0.0, alpha[j] - alpha[i])\n"
            "        H = min(C, C + alpha[j] - alpha[i])\n"
            "    else:\n"
            "        L = max(0.0, alpha[i] + alpha[j] - C)\n"
            "        H = min(C, alpha[i] + alpha[j])\n"
            "    eta = K[i, i] + K[j, j] - 2 * K[i, j]\n"
            "    gain = y[j] * (Ei - Ej)\n"
            "    if eta > 1e-12:\n"
            "        aj = min(max(alpha[j] + gain / eta, L), H)\n"
            "    elif abs(gain) < 1e-12:\n"
            "        aj = alpha[j]\n"
            "    else:\n"
            "        aj = H if gain > 0 else L\n"
            "    new = np.array(alpha, dtype=float)\n"
            "    new[i] = alpha[i] + s * (alpha[j] - aj)\n"
            "    new[j] = aj\n"
            "    return new\n",
            "Platt's formulas",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n\n"
            "def smo_step(alpha, y, K, C, i, j):\n"
            "    e = y - K @ (alpha * y)\n"
            "    t = (e[i] - e[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])\n"
            "    new = alpha.copy()\n"
            "    new[i] += t * y[i]\n"
            "    new[j] -= t * y[j]\n"
            "    return new\n",
            why="the box is forgotten",
            says="regular: ",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\n"
            "def smo_step(alpha, y, K, C, i, j):\n"
            "    e = y - K @ (alpha * y)\n"
            "    t = (e[i] - e[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])\n"
            "    new = alpha.copy()\n"
            "    new[i] = np.clip(alpha[i] + t * y[i], 0, C)\n"
            "    new[j] = np.clip(alpha[j] - t * y[j], 0, C)\n"
            "    return new\n",
            why="each is cut off by itself: the sum is no longer 0",
            says="regular: ",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\n"
            "def smo_step(alpha, y, K, C, i, j):\n"
            "    f = K @ (alpha * y)\n"
            "    eta = K[i, i] + K[j, j] - 2 * K[i, j]\n"
            "    s = y[i] * y[j]\n"
            "    if s < 0:\n"
            "        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - "
            "alpha[i])\n"
            "    else:\n"
            "        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + "
            "alpha[j])\n"
            "    aj = np.clip(alpha[j] + y[j] * (f[i] - f[j]) / eta, L, H)\n"
            "    new = alpha.copy()\n"
            "    new[i] += s * (alpha[j] - aj)\n"
            "    new[j] = aj\n"
            "    return new\n",
            why="the outputs, where the errors f − y belong",
            says="regular: ",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\n"
            "def smo_step(alpha, y, K, C, i, j):\n"
            "    e = y - K @ (alpha * y)\n"
            "    slope, bend = e[i] - e[j], K[i, i] + K[j, j] - 2 * K[i, j]\n"
            "    up = C - alpha[i] if y[i] > 0 else alpha[i]\n"
            "    down = alpha[i] if y[i] > 0 else C - alpha[i]\n"
            "    up = min(up, alpha[j] if y[j] > 0 else C - alpha[j])\n"
            "    down = min(down, C - alpha[j] if y[j] > 0 else alpha[j])\n"
            "    t = np.clip(slope / bend, -down, up) if bend > 0 else 0.0\n"
            "    new = alpha.copy()\n"
            "    new[i] += t * y[i]\n"
            "    new[j] -= t * y[j]\n"
            "    return new\n",
            why="no step at all if the points are the same",
            says="the same point twice: ",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n\n"
            "def smo_step(alpha, y, K, C, i, j):\n"
            "    e = y - K @ (alpha * y)\n"
            "    slope, bend = e[i] - e[j], K[i, i] + K[j, j] - 2 * K[i, j]\n"
            "    t = slope / bend if bend > 0 else np.sign(slope) * 2 * C\n"
            "    low = max(-alpha[i], alpha[j] - C)\n"
            "    high = min(C - alpha[i], alpha[j])\n"
            "    t = np.clip(t, low, high)\n"
            "    new = alpha.copy()\n"
            "    new[i] += t * y[i]\n"
            "    new[j] -= t * y[j]\n"
            "    return new\n",
            why="the box as if both labels were +1",
            says="regular: ",
            at_most=0,
        ),
    ),
)

Machine = tuple[np.ndarray, np.ndarray, np.ndarray, float]


def solved_machine(
    rng: np.random.Generator, size: int, free: bool = True, zeros: bool = True
) -> Machine:
    """A soft-margin machine made backwards: the multipliers first, then the points.

    Points with α > 0 have small random features, which give F₀ = Σ αyz⊤z. A free point
    gets a coordinate of its own, long enough for yF = 1; points with α = 0 lie far
    out along ± w.
    """
    C, b = float(rng.choice([1.0, 2.0])), float(rng.choice([-0.5, -0.25, 0.25, 0.5]))
    pairs = max(size // 2, 1)
    bounded = np.tile([1.0, -1.0], pairs)
    shares, signs = (
        ([0.5, 0.5], [1, -1]) if size < 4 else ([0.5, 0.25, 0.75], [1, 1, -1])
    )
    inner, labels = (C * np.array(shares), signs) if free else (np.zeros(0), [])
    y = np.r_[bounded, labels]
    alpha = np.r_[np.full(len(bounded), C), inner]
    Z = rng.integers(1, 6, (len(y), 3)) * y[:, None]
    Z = Z / np.sqrt(4 * np.abs(Z @ Z.T @ (alpha * y)).max())  # so that |F₀| ≤ ¼
    F = Z @ Z.T @ (alpha * y)
    own = np.where((alpha > 0) & (alpha < C), (1 - y * b - y * F) / alpha, 0.0)
    w = Z.T @ (alpha * y)
    far = np.array([1.0, -1.0, 1.0])[: size - 1] if zeros else np.zeros(0)
    reach = (1 - far * b + rng.integers(1, 4, len(far)) / 2) / (w @ w)
    Z = np.r_[Z, (far * reach)[:, None] * w]
    K = Z @ Z.T + np.diag(np.r_[own, np.zeros(len(far))])
    order = rng.permutation(len(Z))
    alpha, y = np.r_[alpha, np.zeros(len(far))][order], np.r_[y, far][order]
    return alpha, y, K[np.ix_(order, order)], C


def without_free(rng: np.random.Generator, size: int) -> Machine:
    """All multipliers are 0 or C."""
    return solved_machine(rng, size, free=False)


def only_bounded(rng: np.random.Generator, size: int) -> Machine:
    """All multipliers are C."""
    return solved_machine(rng, size, free=False, zeros=False)


def rounded(rng: np.random.Generator, size: int) -> Machine:
    """Multipliers as a solver leaves them: 0 and C with a little noise."""
    alpha, y, K, C = solved_machine(rng, size)
    noise = rng.uniform(1e-13, 1e-11, len(alpha)) * C
    noisy = np.where(alpha == 0, noise, np.where(alpha == C, C - noise, alpha))
    return noisy, y, K, C


def offset_of(alpha: np.ndarray, y: np.ndarray, K: np.ndarray, C: float) -> float:
    """b by its conditions, point by point."""
    lower, upper, exact = [-np.inf], [np.inf], []
    for k in range(len(y)):
        bound = float(y[k] - sum(alpha[j] * y[j] * K[k, j] for j in range(len(y))))
        if 1e-8 * C < alpha[k] < (1 - 1e-8) * C:
            exact.append(bound)
        elif (alpha[k] <= 1e-8 * C) == (y[k] > 0):
            lower.append(bound)
        else:
            upper.append(bound)
    return float(np.mean(exact)) if exact else (max(lower) + min(upper)) / 2


CODE_OFFSET = CodeQuestion(
    id="code-svm-offset",
    title="The offset from the multipliers",
    points=5,
    proofs=("P-08", "P-54"),
    statement=r"""
S3 calls $b$ a solution of the dual (l. 769); but the dual does not contain it. Write
`offset(alpha, y, K, C)`, which finds it from optimal multipliers of the soft-margin
machine by the conditions of Kuhn and Tucker, and returns a number.

- If there are *free* support vectors, $0 < \alpha_i < C$, each of them gives
  $y_i F(x_i) = 1$, that is, $b$. Return the mean of these values.
- If there are none, every point gives an inequality for $b$. Return the midpoint of the
  interval that is left.

A solver works with rounding errors: count a multiplier as 0 if it is at most
$10^{-8}C$, and as $C$ if it is at least $(1 - 10^{-8})C$. There are points of both
classes.
""",
    function="offset",
    signature="def offset(alpha, y, K, C):",
    reference=offset_of,
    inputs=solved_machine,
    edge_cases=(
        Cases("no free support vector", without_free),
        Cases("all multipliers are C", only_bounded),
        Cases("rounded multipliers", rounded),
    ),
    hints=(
        "With $e_i = y_i - \\sum_j \\alpha_j y_j K_{ij}$, what does $y_i F(x_i) = 1$ "
        "say about $b$? Remember that $y_i^2 = 1$.",
        "At $\\alpha_i = 0$, $y_i F(x_i) \\ge 1$; at $\\alpha_i = C$, $y_i F(x_i) \\le "
        "1$. Solved for $b$, the direction depends on the label.",
        "Four kinds of points, two of which give lower bounds $b \\ge e_i$: $\\alpha = "
        "0$ with label $+1$, and $\\alpha = C$ with label $-1$.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def offset(alpha, y, K, C):\n"
            "    e = y - K @ (alpha * y)\n"
            "    zero, full = alpha <= 1e-8 * C, alpha >= (1 - 1e-8) * C\n"
            "    free = ~zero & ~full\n"
            "    if free.any():\n"
            "        return e[free].mean()\n"
            "    lower = (zero & (y > 0)) | (full & (y < 0))\n"
            "    return (e[lower].max() + e[~lower].min()) / 2\n",
            "masks",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def offset(alpha, y, K, C):\n"
            "    low, high, exact = -np.inf, np.inf, []\n"
            "    for i in range(len(y)):\n"
            "        e = y[i] - np.sum(alpha * y * K[i])\n"
            "        if 1e-8 * C < alpha[i] < (1 - 1e-8) * C:\n"
            "            exact.append(e)\n"
            "        elif (alpha[i] < C / 2) == (y[i] == 1):\n"
            "            low = max(low, e)\n"
            "        else:\n"
            "            high = min(high, e)\n"
            "    return np.mean(exact) if exact else (low + high) / 2\n",
            "a loop",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def offset(alpha, y, K, C):\n"
            "    e = y - K @ (alpha * y)\n"
            "    up = np.where(y > 0, alpha < (1 - 1e-8) * C, alpha > 1e-8 * C)\n"
            "    down = np.where(y > 0, alpha > 1e-8 * C, alpha < (1 - 1e-8) * C)\n"
            "    return (e[up].max() + e[down].min()) / 2\n",
            "the interval alone: at free points it is one number",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n\n"
            "def offset(alpha, y, K, C):\n"
            "    e = y - K @ (alpha * y)\n"
            "    return e[alpha > 1e-8 * C].mean()\n",
            why="all support vectors, also those inside the margin",
            says="regular: ",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\n"
            "def offset(alpha, y, K, C):\n"
            "    e = 1 - K @ (alpha * y)\n"
            "    free = (alpha > 1e-8 * C) & (alpha < (1 - 1e-8) * C)\n"
            "    return e[free].mean()\n",
            why="1 − f, where yᵢ − f belongs",
            says="regular: ",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\n"
            "def offset(alpha, y, K, C):\n"
            "    e = y - K @ alpha\n"
            "    free = (alpha > 1e-8 * C) & (alpha < (1 - 1e-8) * C)\n"
            "    return e[free].mean()\n",
            why="the labels are missing in F",
            says="regular: ",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\n"
            "def offset(alpha, y, K, C):\n"
            "    e = y - K @ (alpha * y)\n"
            "    free = (alpha > 1e-8 * C) & (alpha < (1 - 1e-8) * C)\n"
            "    return e[free].mean() if free.any() else e.mean()\n",
            why="the mean of all where there is an interval",
            says="no free support vector: ",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n\n"
            "def offset(alpha, y, K, C):\n"
            "    e = y - K @ (alpha * y)\n"
            "    free = (alpha > 0) & (alpha < C)\n"
            "    if free.any():\n"
            "        return e[free].mean()\n"
            "    lower = (alpha == 0) == (y > 0)\n"
            "    return (e[lower].max() + e[~lower].min()) / 2\n",
            why="rounding errors taken for free support vectors",
            says="rounded multipliers: ",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n\n"
            "def offset(alpha, y, K, C):\n"
            "    e = y - K @ (alpha * y)\n"
            "    zero, full = alpha <= 1e-8 * C, alpha >= (1 - 1e-8) * C\n"
            "    free = ~zero & ~full\n"
            "    if free.any():\n"
            "        return e[free].mean()\n"
            "    return (e[y > 0].max() + e[y < 0].min()) / 2\n",
            why="the textbook formula of the hard margin, at bounded points too",
            says="no free support vector: ",
            at_most=0.5,
        ),
    ),
)

SHEET = Sheet(
    name="06_svm",
    title="Exercises: optimisation and support vector machines",
    introduction=INTRODUCTION,
    items=(
        MARGIN_TEXT,
        DISTANCE,
        SCALING,
        OPTIMISATION_TEXT,
        CONVEX_MINIMA,
        HYPOTHESES,
        LAGRANGE_TEXT,
        SUFFICIENT,
        NECESSARY,
        DUALITY_TEXT,
        STRONG,
        GAP,
        KUHN_TUCKER,
        ACTIVE,
        MACHINE_TEXT,
        HARD_MARGIN,
        NORM,
        SOFT_MARGIN,
        KKT_CASES,
        HAND_TEXT,
        BY_HAND,
        SOFT_BY_HAND,
        HARD_IS_SOFT,
        CODE_TEXT,
        CODE_STEP,
        CODE_OFFSET,
    ),
)
