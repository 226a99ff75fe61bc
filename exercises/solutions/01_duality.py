"""Exercises on duality: ridge regression in two forms, and convex duality."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernellab.grading.language.reasons import PICK_LIST
from kernellab.grading.problems.duality import (
    LEAST_SQUARES_CONJUGATE,
    RIDGE_EXPAND,
    RIDGE_MAP,
    RIDGE_SOLUTIONS,
)
from kernellab.grading.questions.base import Mistake, Reference, Sheet
from kernellab.grading.questions.code_questions import Cases, CodeQuestion
from kernellab.grading.questions.derivations import Derivation
from kernellab.grading.questions.exact import Real, dot, norm2
from kernellab.grading.questions.feedback import Finding
from kernellab.grading.questions.puzzles import Block, Puzzle
from kernellab.grading.questions.values import Value, Values

_REASONS = "\n".join(f"| `{name}` | {words} |" for name, words in PICK_LIST.items())

INTRODUCTION = (
    r"""
These are the exercises of [chapter 1](../chapters/01_duality.ipynb). Most ask for a
**derivation**: one step a line, a relation and, after a bar, the reason for it. Nobody
has to guess what a grader might like. A line is right if it is true *and* follows, by
its reason, from what stands before it, and you are told line by line. Here is a
derivation that is not asked for anywhere: the $x$ that minimises
$E = \|x - u\|^2 + \lambda\|x\|^2$.

```text
E = norm2(x - u) + lam*norm2(x)        | given
grad(E,x) = 2*(x - u) + 2*lam*x        | gradient
x - u + lam*x = 0                      | set to zero; divide by 2
(1 + lam)*x = u                        | collect
x = u/(1 + lam)                        | divide by 1 + lam
```

**The language** is that of NumPy: `K@a` is a product of matrices, `lam*K` a multiple,
`Phi.T` a transpose, `inv(K + lam*I)` an inverse, `norm2(u)` the *squared* norm,
`grad(J,a)` a gradient, `diff(J,a[k])` a partial derivative. Sums are written
`sum(a[n]*t[n] for n in N)`; `phi[n]` is the feature vector of point $n$, a column. `I`
takes its size from its place, and `K + lam` is not `K + lam*I`. You may also write
`λ`, `Φ` and `ᵀ`, or LaTeX: `a = (K + \lambda I)^{-1} t`. A line that begins with `=`
continues the one before; a line that begins with `#` is a comment. A `let` line gives a
name of your own, a claim says `unique(w)` or `not unique(a)`.

**Reasons.** Algebra is free under any of its names. All else has to be said: a
definition that is used, a gradient, an inverse, an earlier line. At most two such facts
go into one line. Separate reasons with `;`.

| reason | what it says |
|---|---|
"""
    + _REASONS
    + r"""

Other exercises ask for exact values (`a = [1, -1/2]`), for the order of the blocks of
a proof, or for a function in Python. An empty answer is fine: it is counted as
unanswered, and costs nothing but its points. Points are given for what is right, also
where a later line fails.
"""
)

# --- the flagship -----------------------------------------------------------------

START = r"""
## From $J(w)$ to $a = (K + \lambda I)^{-1} t$

S0 announces both results and leaves them to the reader (l. 228–232 and 289–301). They
are the heart of the chapter: after them the features occur only in inner products.
"""

SYMBOLS = """
Symbols: `Phi` ($N \\times M$, rows $\\varphi(x_n)^\\top$, also `phi[n]`), `t`, `a`,
`w = Phi.T@a`, `K = Phi@Phi.T`, `lam` (positive), and
`J = sum((t[n] - w.T@phi[n])**2 for n in N) + lam*w.T@w`.
"""

EXPAND = Derivation(
    id="ridge-expand",
    title="The criterion in terms of a",
    problem=RIDGE_EXPAND,
    points=4,
    proofs=("P-01",),
    statement=r"""
Put $w = \Phi^\top a$ into $J(w) = \sum_n (t_n - w^\top\varphi(x_n))^2 + \lambda\,
w^\top w$ and derive

$$
J = a^\top K K a - 2\, a^\top K t + t^\top t + \lambda\, a^\top K a .
$$

End with a line in which everything is multiplied out.
"""
    + SYMBOLS,
    hints=(
        "Begin with the matrix form: the sum of squares is a squared norm.",
        "Put in $w = \\Phi^\\top a$ and look for the product $\\Phi\\Phi^\\top$. The "
        "reasons are `substitute w` and `def K`.",
        "$\\|u - v\\|^2 = u^\\top u - 2u^\\top v + v^\\top v$, and $K$ is symmetric.",
    ),
    references=(
        Reference(
            "J = norm2(t - Phi@w) + lam*norm2(w)                    | matrix form\n"
            "J = norm2(t - Phi@Phi.T@a) + lam*norm2(Phi.T@a)        | substitute w\n"
            "J = norm2(t - K@a) + lam*a.T@K@a                       | def K\n"
            "J = t.T@t - 2*a.T@K@t + a.T@K@K@a + lam*a.T@K@a        | expand",
            "squared norms",
        ),
        Reference(
            "J = (t - Phi@w).T@(t - Phi@w) + lam*w.T@w | matrix form\n"
            "= t.T@t - 2*w.T@Phi.T@t + w.T@Phi.T@Phi@w + lam*w.T@w | expand\n"
            "= t.T@t - 2*a.T@Phi@Phi.T@t + a.T@Phi@Phi.T@Phi@Phi.T@a"
            " + lam*a.T@Phi@Phi.T@a | substitute w\n"
            "= t.T@t - 2*a.T@K@t + a.T@K@K@a + lam*a.T@K@a | def K",
            "expand first, one chain",
        ),
        Reference(
            "J = sum((t[n] - sum(a[m]*K[n,m] for m in N))**2 for n in N)"
            " + lam*sum(sum(a[n]*a[m]*K[n,m] for m in N) for n in N)"
            " | substitute w; def K\n"
            "J = sum(t[n]**2 for n in N)"
            " - 2*sum(t[n]*sum(K[n,m]*a[m] for m in N) for n in N)"
            " + sum(sum(K[n,m]*a[m] for m in N)**2 for n in N)"
            " + lam*sum(sum(a[n]*a[m]*K[n,m] for m in N) for n in N) | expand\n"
            "J = t.T@t - 2*t.T@K@a + a.T@K@K@a + lam*a.T@K@a | matrix form",
            "indices",
        ),
        Reference(
            r"J = \|t - \Phi w\|^2 + \lambda \|w\|^2               | matrix form" + "\n"
            r"J = \|t - \Phi\Phi^\top a\|^2"
            r" + \lambda a^\top\Phi\Phi^\top a                     | substitute w"
            "\n"
            r"J = \|t - K a\|^2 + \lambda a^\top K a               | def K" + "\n"
            r"J = t^\top t - 2 a^\top K t + a^\top K^2 a + \lambda a^\top K a | expand",
            "LaTeX",
        ),
    ),
    mistakes=(
        Mistake(
            "J = norm2(t - K@a) + lam*a.T@K@a | substitute w; def K\n"
            "J = a.T@K@K@a - a.T@K@t + t.T@t + lam*a.T@K@a | expand",
            why="the formula that S0 prints: the cross term occurs twice",
            says="a factor 2 was lost",
            first_bad=2,
            at_most=0.5,
        ),
        Mistake(
            "J = norm2(t - Phi@w) + lam*norm2(w) | matrix form\n"
            "J = norm2(t - K@a) + lam*a.T@a | substitute w; def K\n"
            "J = t.T@t - 2*a.T@K@t + a.T@K@K@a + lam*a.T@a | expand",
            why="the norm of w taken for that of a",
            first_bad=2,
            at_most=0,
        ),
        Mistake(
            "J = norm2(t - Phi@w) + lam*norm2(w) | matrix form\n"
            "J = norm2(t - K@a) + lam*a.T@K@a | substitute w; def K",
            why="not multiplied out",
            says="J multiplied out",
            at_most=0.5,
        ),
        Mistake(
            "J = norm2(t - Phi@w) + lam*norm2(w) | matrix form\n"
            "J = norm2(t - K@a) + lam*a.T@K@a | substitute w\n"
            "J = t.T@t - 2*a.T@K@t + a.T@K@K@a + lam*a.T@K@a | expand",
            why="K appears without its definition",
            first_bad=2,
            says="def K",
        ),
        Mistake(
            "J = norm2(t - Phi.T@a) + lam*norm2(w) | substitute w\n",
            why="Φw replaced by w",
            first_bad=1,
            says="M×1",
            at_most=0,
        ),
        Mistake(
            "J = a.T@K@K@a - 2*a.T@K@t + t.T@t + lam*a.T@K@a | expand",
            why="the goal is asserted: algebra alone knows neither w nor K",
            first_bad=1,
            at_most=0.5,
        ),
    ),
)

MATRIX = (
    "J = (t - Phi@w).T@(t - Phi@w) + lam*w.T@w              | matrix form",
    "J = (t - K@a).T@(t - K@a) + lam*a.T@K@a                | substitute w; def K",
    "J = t.T@t - 2*a.T@K@t + a.T@K@K@a + lam*a.T@K@a        | expand",
    "grad(J,a) = -2*K@t + 2*K@K@a + 2*lam*K@a               | gradient",
    "K@((K + lam*I)@a - t) = 0                              | set to zero; factor",
    "(K + lam*I)@a = t                                      | sufficient",
    "a = inv(K + lam*I)@t                                   | inverse K + lam*I",
)
"""The matrix route, from which the slips below deviate."""

WEIGHTS = (
    "grad(J,w) = -2*Phi.T@(t - Phi@w) + 2*lam*w             | gradient",
    "w = Phi.T@(t - Phi@w)/lam                              | set to zero",
    "a = (t - Phi@w)/lam                                    | let a",
    "w = Phi.T@a                                            | def a",
    "lam*a = t - Phi@Phi.T@a                                | use 3; use 4",
    "(K + lam*I)@a = t                                      | def K; collect",
    "a = inv(K + lam*I)@t                                   | inverse K + lam*I",
)
"""Through stationarity in w, where a is a name for the residual over λ."""


def derivation(route: tuple[str, ...], changes: Mapping[int, str] = {}) -> str:
    """A route with some of its lines replaced, or left out if they are empty."""
    lines = [changes.get(number, line) for number, line in enumerate(route, 1)]
    lines += [line for number, line in changes.items() if number > len(route)]
    return "\n".join(line for line in lines if line)


def slip(why: str, first_bad: int | None, changes: Mapping[int, str], says: str = "",
         at_most: float = 0.9, route: tuple[str, ...] = MATRIX) -> Mistake:  # fmt: skip
    """A mistake on a route: the lines that it changes, by their numbers."""
    return Mistake(derivation(route, changes), why, first_bad, says, at_most)


EXPANSION_SLIPS = (
    slip(
        "the cross term once, as S0 prints it; and so to half of the solution",
        3,
        {
            3: "J = t.T@t - a.T@K@t + a.T@K@K@a + lam*a.T@K@a | expand",
            4: "grad(J,a) = -K@t + 2*K@K@a + 2*lam*K@a | gradient",
            5: "K@(2*(K + lam*I)@a - t) = 0 | set to zero; factor",
            6: "2*(K + lam*I)@a = t | sufficient",
            7: "a = 1/2*inv(K + lam*I)@t | inverse K + lam*I",
        },
        at_most=0.5,
        says="a factor 2 was lost",
    ),
    slip(
        "the cross term with the wrong sign",
        3,
        {
            3: "J = t.T@t + 2*a.T@K@t + a.T@K@K@a + lam*a.T@K@a | expand",
            4: "grad(J,a) = 2*K@t + 2*K@K@a + 2*lam*K@a | gradient",
            5: "K@((K + lam*I)@a + t) = 0 | set to zero; factor",
            6: "(K + lam*I)@a = -t | sufficient",
            7: "a = -inv(K + lam*I)@t | inverse K + lam*I",
        },
        at_most=0.5,
        says="sign is wrong",
    ),
    slip(
        "(u - v)² = u² - v²",
        3,
        {3: "J = t.T@t - a.T@K@K@a + lam*a.T@K@a | expand"},
    ),
    slip(
        "the cross term is dropped, as if t and Ka were orthogonal",
        3,
        {
            3: "J = t.T@t + a.T@K@K@a + lam*a.T@K@a | expand",
            4: "grad(J,a) = 2*K@K@a + 2*lam*K@a | gradient",
            5: "K@(K + lam*I)@a = 0 | set to zero; factor",
            6: "(K + lam*I)@a = 0 | sufficient",
            7: "a = 0 | inverse K + lam*I",
        },
        at_most=0.5,
    ),
    slip(
        "K instead of K² in the quadratic term",
        3,
        {
            3: "J = t.T@t - 2*a.T@K@t + a.T@K@a + lam*a.T@K@a | expand",
            4: "grad(J,a) = -2*K@t + 2*K@a + 2*lam*K@a | gradient",
            5: "K@((1 + lam)*a - t) = 0 | set to zero; factor",
            6: "(1 + lam)*a = t | sufficient",
            7: "a = t/(1 + lam) | divide by 1 + lam",
        },
        at_most=0.5,
        says="factor K was lost",
    ),
    slip(
        "the norm of w taken for that of a",
        2,
        {
            2: "J = (t - K@a).T@(t - K@a) + lam*a.T@a | substitute w; def K",
            3: "",
            4: "grad(J,a) = 2*K@(K@a - t) + 2*lam*a | gradient",
            5: "(K@K + lam*I)@a = K@t | set to zero; collect",
            6: "",
            7: "a = inv(K@K + lam*I)@K@t | inverse K@K + lam*I",
        },
        at_most=0.5,
    ),
    slip(
        "one K too many in the penalty",
        2,
        {2: "J = norm2(t - K@a) + lam*a.T@K@K@a | substitute w; def K", 3: ""},
        at_most=0.5,
        says="factor K is too many",
    ),
    slip(
        "(Φᵀa)ᵀ = aᵀΦᵀ: the order is not turned round",
        2,
        {2: "J = norm2(t - K@a) + lam*a.T@Phi.T@Phi@a | substitute w; def K"},
        says="their product has no meaning",
    ),
    slip(
        "the penalty is forgotten",
        1,
        {1: "J = (t - Phi@w).T@(t - Phi@w) | matrix form"},
    ),
    slip(
        "the penalty is a vector",
        1,
        {1: "J = (t - Phi@w).T@(t - Phi@w) + lam*w | matrix form"},
        says="cannot be added",
    ),
    slip(
        "Φᵀ for Φ",
        1,
        {1: "J = (t - Phi.T@w).T@(t - Phi.T@w) + lam*w.T@w | matrix form"},
        says="Phi@w was meant?",
    ),
    slip(
        "the square of a vector",
        1,
        {1: "J = (t - Phi@w)**2 + lam*w**2 | matrix form"},
        says="N×1",
    ),
    slip(
        "K = ΦᵀΦ, the other Gram matrix",
        2,
        {2: "J = norm2(t - Phi.T@Phi@a) + lam*a.T@K@a | substitute w"},
        says="M×M",
    ),
    slip(
        "K appears without its definition",
        2,
        {2: "J = (t - K@a).T@(t - K@a) + lam*a.T@K@a | substitute w"},
        says="def K",
    ),
    slip(
        "it is not said that w was replaced",
        2,
        {2: "J = (t - K@a).T@(t - K@a) + lam*a.T@K@a | def K"},
    ),
)

GRADIENT_SLIPS = (
    slip(
        "the 2 of the penalty's gradient is lost; and so to λ/2",
        4,
        {
            4: "grad(J,a) = -2*K@t + 2*K@K@a + lam*K@a | gradient",
            5: "K@((K + 1/2*lam*I)@a - t) = 0 | set to zero; factor",
            6: "(K + 1/2*lam*I)@a = t | sufficient",
            7: "a = inv(K + 1/2*lam*I)@t | inverse K + 1/2*lam*I",
        },
        at_most=0.4,
        says="a factor 2 was lost",
    ),
    slip(
        "the 2 of the quadratic term is lost",
        4,
        {4: "grad(J,a) = -2*K@t + K@K@a + 2*lam*K@a | gradient"},
        says="a factor 2 was lost",
    ),
    slip(
        "the gradient as a row",
        4,
        {4: "grad(J,a) = -2*t.T@K + 2*a.T@K@K + 2*lam*a.T@K | gradient"},
        says="1×N",
    ),
    slip(
        "K is lost in the linear term",
        4,
        {4: "grad(J,a) = -2*t + 2*K@K@a + 2*lam*K@a | gradient"},
        says="factor K was lost",
    ),
    slip(
        "K is lost in the penalty's gradient",
        4,
        {
            4: "grad(J,a) = -2*K@t + 2*K@K@a + 2*lam*a | gradient",
            5: "(K@K + lam*I)@a = K@t | set to zero; collect",
            6: "",
            7: "a = inv(K@K + lam*I)@K@t | inverse K@K + lam*I",
        },
        at_most=0.4,
    ),
    slip(
        "the chain rule without the inner derivative",
        3,
        {3: "", 4: "grad(J,a) = -2*(t - K@a) + 2*lam*K@a | gradient"},
    ),
    slip(
        "the chain rule without its sign",
        3,
        {3: "", 4: "grad(J,a) = 2*K@(t - K@a) + 2*lam*K@a | gradient"},
        says="sign is wrong",
    ),
    slip(
        "a gradient that is called algebra",
        4,
        {4: "grad(J,a) = -2*K@t + 2*K@K@a + 2*lam*K@a | algebra"},
        says="gradient",
    ),
    slip(
        "it is not said that the gradient is set to zero",
        5,
        {5: "K@((K + lam*I)@a - t) = 0 | factor"},
        says="set to zero",
    ),
    slip(
        "one term is divided by 2, the other is not",
        5,
        {5: "K@((K + 2*lam*I)@a - t) = 0 | set to zero; divide by 2; factor"},
    ),
    slip(
        "t moves without changing its sign",
        5,
        {5: "K@((K + lam*I)@a + t) = 0 | set to zero; factor"},
        says="sign is wrong",
    ),
    slip(
        "λ instead of λI",
        5,
        {5: "K@((K + lam)@a - t) = 0 | set to zero; factor"},
        says="lam*I was meant?",
    ),
    slip(
        "λ is taken out of a sum of which it is not a factor",
        5,
        {5: "K@(lam*(K + I)@a - t) = 0 | set to zero; factor"},
    ),
)

INVERSE_SLIPS = (
    slip(
        "K disappears on the way",
        5,
        {5: "(K + lam*I)@a - t = 0 | set to zero; factor"},
        says="sufficient",
    ),
    slip(
        "division by K, which may be singular",
        6,
        {6: "(K + lam*I)@a = t | divide by K"},
        says="may be singular",
    ),
    slip(
        "K is cancelled",
        6,
        {6: "(K + lam*I)@a = t | cancel K"},
        says="may be singular",
    ),
    slip(
        "multiplication by the inverse of K",
        6,
        {6: "inv(K)@K@((K + lam*I)@a - t) = 0 | multiply by inv(K)"},
        says="may be singular",
    ),
    slip(
        "K is cancelled, and it is called rearranging",
        6,
        {6: "(K + lam*I)@a = t | rearrange"},
        says="sufficient",
    ),
    slip(
        "called sufficient, but it is not",
        6,
        {6: "K@a = t | sufficient", 7: "(K + lam*I)@a = t | add lam*a"},
    ),
    slip(
        "K invertible, claimed where it should be assumed",
        6,
        {6: "invertible(K) | claim", 7: "(K + lam*I)@a = t | cancel K"},
        says="invertible(K) is false",
    ),
    slip(
        "an assumption that changes the problem",
        6,
        {6: "K@a = t | assume lam = 0; sufficient"},
        says="cannot be assumed",
    ),
    slip(
        "the inverse on the wrong side",
        7,
        {7: "a = t@inv(K + lam*I) | inverse K + lam*I"},
        says="their product has no meaning",
    ),
    slip(
        "a row instead of a column",
        7,
        {7: "a = t.T@inv(K + lam*I) | inverse K + lam*I"},
        says="1×N",
    ),
    slip(
        "K stays on the right",
        7,
        {7: "a = inv(K + lam*I)@K@t | inverse K + lam*I"},
        says="factor K is too many",
    ),
    slip(
        "the inverse of a sum taken term by term",
        8,
        {
            6: "(K + lam*I)@a = t | assume K invertible; cancel K",
            7: "invertible(K + lam*I) | claim",
            8: "a = (inv(K) + 1/lam*I)@t | inverse K + lam*I; inverse K",
        },
    ),
    slip(
        "the wrong sign before λ: nothing says that this is invertible",
        7,
        {7: "a = inv(K - lam*I)@t | inverse K - lam*I"},
        says="may be singular",
    ),
    slip("λ is lost", 7, {7: "a = inv(K + I)@t | inverse K + I"}),
    slip(
        "λ instead of λI in the inverse",
        7,
        {7: "a = inv(K + lam)@t | inverse K + lam"},
        says="lam*I was meant?",
    ),
    slip(
        "division by a matrix",
        7,
        {7: "a = t/(K + lam*I) | divide by K + lam*I"},
        says="divides by numbers only",
    ),
    slip(
        "an inverse that is called algebra",
        7,
        {7: "a = inv(K + lam*I)@t | algebra"},
        says="inverse K + lam*I",
    ),
    slip(
        "the matrix instead of its inverse",
        7,
        {7: "a = (K + lam*I)@t | inverse K + lam*I"},
    ),
    slip(
        "the primal inverse, of size M, on a vector of N entries",
        7,
        {7: "a = inv(Phi.T@Phi + lam*I)@t | inverse Phi.T@Phi + lam*I"},
        says="M×M",
    ),
    slip(
        "a line is cited that is not there",
        7,
        {7: "a = inv(K + lam*I)@t | use 9"},
        says="there is no line 9",
    ),
    slip(
        "the solution is called unique, though K may be singular",
        8,
        {8: "unique(a) | claim"},
        says="unique(a) is false",
    ),
    slip(
        "the weights are unique, whatever a does",
        8,
        {8: "not unique(w) | claim"},
        says="unique(w) is true",
    ),
    slip("stops at the linear system", None, {7: ""}, says="a = inv(K + lam*I)@t"),
)

OTHER_SLIPS = (
    slip(
        "through w: the gradient with the wrong sign",
        1,
        {
            1: "grad(J,w) = 2*Phi.T@(t - Phi@w) + 2*lam*w | gradient",
            2: "w = -Phi.T@(t - Phi@w)/lam | set to zero",
        },
        route=WEIGHTS,
    ),
    slip(
        "through w: λ is lost",
        2,
        {
            2: "w = Phi.T@(t - Phi@w) | set to zero",
            3: "a = t - Phi@w | let a",
            5: "a = t - Phi@Phi.T@a | use 3; use 4",
            6: "(K + I)@a = t | def K; collect",
            7: "a = inv(K + I)@t | inverse K + I",
        },
        route=WEIGHTS,
        at_most=0.5,
    ),
    slip(
        "through w: a is the residual, not the residual over λ",
        4,
        {
            3: "a = t - Phi@w | let a",
            5: "a = t - Phi@Phi.T@a | use 3; use 4",
            6: "(K + I)@a = t | def K; collect",
            7: "a = inv(K + I)@t | inverse K + I",
        },
        route=WEIGHTS,
        at_most=0.5,
    ),
    slip(
        "through w: with a defined anew, w = Φᵀa has to be derived",
        3,
        {2: "", 4: "w = Phi.T@a | given", 5: "lam*a = t - Phi@Phi.T@a | use 2; use 3"},
        route=WEIGHTS,
    ),
    slip(
        "the goal as a definition",
        3,
        {3: "a = inv(K + lam*I)@t | let a", 4: "", 5: "", 6: "", 7: ""},
        route=WEIGHTS,
        says="the goal",
        at_most=0.5,
    ),
    Mistake(
        "grad(J,w) = 2*Phi.T@(Phi@w - t) + 2*lam*w | gradient\n"
        "(Phi.T@Phi + lam*I)@w = Phi.T@t | set to zero; divide by 2\n"
        "w = inv(Phi.T@Phi + lam*I)@Phi.T@t | inverse Phi.T@Phi + lam*I\n"
        "w = Phi.T@inv(K + lam*I)@t | def K",
        why="push-through is used, and never shown",
        first_bad=4,
        at_most=0.5,
    ),
    Mistake(
        "grad(J,w) = 2*Phi.T@(Phi@w - t) + 2*lam*w | gradient\n"
        "(Phi.T@Phi + lam*I)@w = Phi.T@t | set to zero; divide by 2\n"
        "w = inv(Phi.T@Phi + lam*I)@Phi.T@t | inverse Phi.T@Phi + lam*I",
        why="the primal solution is not the dual one",
        at_most=0.5,
    ),
    Mistake(
        "J = sum((t[n] - sum(K[n,m]*a[m] for m in N))**2 for n in N)"
        " + lam*sum(sum(a[n]*K[n,m]*a[m] for m in N) for n in N)"
        " | substitute w; def K\n"
        "diff(J,a[k]) = -2*sum(K[n,k]*(t[n] - sum(K[n,m]*a[m] for m in N)) for n in N)"
        " + lam*sum(K[k,m]*a[m] for m in N) | derivative",
        why="in a double sum, a[k] occurs in both places",
        first_bad=2,
        at_most=0.4,
    ),
    Mistake(
        "J = sum((t[n] - sum(K[n,m]*a[m] for m in N))**2 for n in N)"
        " + lam*sum(a[n]*K[n,n]*a[n] for n in N) | substitute w; def K",
        why="one index for two sums",
        first_bad=1,
        at_most=0,
    ),
    Mistake(
        "J = norm2(t - K@a) + lam*a.T@K@a | substitute w; def K\n"
        "diff(J,a[k]) = -2*(t[k] - sum(K[k,m]*a[m] for m in N))"
        " + 2*lam*sum(K[k,m]*a[m] for m in N) | derivative",
        why="a[k] is in every residual, not only in the k-th",
        first_bad=2,
        at_most=0.4,
    ),
    Mistake(
        r"J = \|t - \Phi w\| + \lambda \|w\| | matrix form",
        why="LaTeX: norms without their squares",
        first_bad=1,
        says="squared norm",
        at_most=0,
    ),
    Mistake(
        r"J = \|t - K a\|^2 + \lambda a^\top K a      | substitute w; def K" + "\n"
        r"\nabla_a J = -2K(t - Ka) + 2\lambda K a     | gradient" + "\n"
        r"(K + \lambda I)a = t                        | set to zero; sufficient" + "\n"
        r"a = (K + \lambda)^{-1} t                    | inverse K + \lambda I",
        why="LaTeX: λ instead of λI",
        first_bad=4,
        says="lam*I was meant?",
        at_most=0.7,
    ),
    Mistake(
        "a = inv(K + lam*I)@t | given",
        why="the goal is asserted",
        first_bad=1,
        at_most=0,
    ),
    Mistake(
        "a = inv(K + lam*I)@t | substitute w; def K; gradient; set to zero; sufficient;"
        " inverse K + lam*I",
        why="all at once",
        first_bad=1,
        at_most=0,
    ),
)

DUAL = Derivation(
    id="ridge-dual",
    title="The dual of ridge regression",
    problem="ridge-dual",
    points=12,
    proofs=("P-01", "P-02"),
    statement=r"""
Derive that

$$
a = (K + \lambda I)^{-1} t
$$

minimises $J(\Phi^\top a)$. Go the way you like: through $J$ as a function of $a$ and
its gradient; or through the zero of the gradient in $w$, where $a$ becomes a name for
the residual over $\lambda$ (`let a`); or through the primal solution, ending at
$w = \Phi^\top (K + \lambda I)^{-1} t$.

$K$ may be singular. From $K\bigl((K + \lambda I)\,a - t\bigr) = 0$ you cannot simply
cancel it. Either assume that $K$ is invertible and say so, or argue that it is
`sufficient` to solve $(K + \lambda I)\,a = t$: $J$ is convex, so one stationary point
is a minimiser. You may add what you know about uniqueness as claims:
`not unique(a) | claim`, and the same for `w` and for the prediction `y`.
"""
    + SYMBOLS,
    hints=(
        "What do you get if you put $w = \\Phi^\\top a$ into $J$? (See above.)",
        "The gradient by $a$ has $K$ as a common factor. Or, by $w$: the zero of the "
        "gradient says that $\\lambda w = \\Phi^\\top(t - \\Phi w)$, which has the "
        "form $\\Phi^\\top$ times something.",
        "$K + \\lambda I$ is positive definite even if $K$ is singular, so "
        "`inverse K + lam*I` is always allowed. `cancel K` is not.",
    ),
    references=(
        Reference(derivation(MATRIX), "matrices"),
        Reference(
            "w = sum(a[m]*phi[m] for m in N)"
            "                               | substitute w; index form\n"
            "K[n,m] = phi[n].T@phi[m]                                       | def K\n"
            "w.T@phi[n] = sum(K[n,m]*a[m] for m in N)"
            "                               | use 1; use 2\n"
            "w.T@w = sum(sum(a[n]*K[n,m]*a[m] for m in N) for n in N)"
            "               | use 1; use 2\n"
            "J = sum((t[n] - sum(K[n,m]*a[m] for m in N))**2 for n in N)"
            " + lam*sum(sum(a[n]*K[n,m]*a[m] for m in N) for n in N) | use 3; use 4\n"
            "diff(J,a[k]) = -2*sum(K[n,k]*(t[n] - sum(K[n,m]*a[m] for m in N))"
            " for n in N) + 2*lam*sum(K[k,m]*a[m] for m in N) | derivative\n"
            "sum(K[k,n]*(t[n] - sum(K[n,m]*a[m] for m in N)) for n in N)"
            " = lam*sum(K[k,m]*a[m] for m in N) | set to zero; symmetry of K\n"
            "K@(t - K@a) = lam*K@a                                    | matrix form\n"
            "t - K@a = lam*a                                          | sufficient\n"
            "(K + lam*I)@a = t                                        | collect\n"
            "a = inv(K + lam*I)@t                               | inverse K + lam*I",
            "indices",
        ),
        Reference(derivation(WEIGHTS), "stationarity in w"),
        Reference(
            "J = norm2(t - Phi@w) + lam*norm2(w)          | matrix form\n"
            "J = norm2(t - K@a) + lam*a.T@K@a             | substitute w; def K\n"
            "1/2*grad(J,a) = K@(K@a - t) + lam*K@a        | gradient; divide by 2\n"
            "K@(K@a - t) + lam*K@a = 0                    | set to zero\n"
            "K@(K@a + lam*a) = K@t                        | rearrange\n"
            "K@a + lam*a = t                              | it suffices\n"
            "(K + lam*I)@a = t                            | factor\n"
            "a = inv(K + lam*I)@t               | multiply by the inverse of K + lam*I",
            "half the gradient",
        ),
        Reference(
            "J = (t - K@a).T@(t - K@a) + lam*a.T@K@a      | substitute w; def K\n"
            "grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a        | gradient\n"
            "K@(K + lam*I)@a = K@t                        | set to zero; rearrange\n"
            "invertible(K)                                | assume\n"
            "(K + lam*I)@a = t                            | cancel K\n"
            "a = inv(K + lam*I)@t                         | inverse K + lam*I",
            "K invertible, assumed and said",
        ),
        Reference(
            r"J = \|t - \Phi w\|^2 + \lambda \|w\|^2            | matrix form" + "\n"
            r"J(a) = \|t - K a\|^2 + \lambda a^\top K a         | substitute w; def K"
            "\n"
            r"\nabla_a J = -2 K (t - K a) + 2 \lambda K a       | gradient" + "\n"
            r"K \left( (K + \lambda I) a - t \right) = 0        | set to zero; factor"
            "\n"
            r"(K + \lambda I_N) a = t                           | sufficient" + "\n"
            r"a = (K + \lambda I_N)^{-1} t                  | inverse K + \lambda I",
            "LaTeX",
        ),
        Reference(
            "grad(J,w) = 2*(Phi.T@Phi + lam*I)@w - 2*Phi.T@t            | gradient\n"
            "(Phi.T@Phi + lam*I)@w = Phi.T@t                            | set to zero\n"
            "w = inv(Phi.T@Phi + lam*I)@Phi.T@t    | inverse Phi.T@Phi + lam*I\n"
            "(Phi.T@Phi + lam*I)@Phi.T = Phi.T@(Phi@Phi.T + lam*I)      | algebra\n"
            "(Phi.T@Phi + lam*I)@Phi.T = Phi.T@(K + lam*I)              | def K\n"
            "Phi.T = inv(Phi.T@Phi + lam*I)@Phi.T@(K + lam*I)"
            "                                      | inverse Phi.T@Phi + lam*I\n"
            "Phi.T@inv(K + lam*I) = inv(Phi.T@Phi + lam*I)@Phi.T"
            "                                      | inverse K + lam*I\n"
            "w = Phi.T@inv(K + lam*I)@t                                 | use 3; use 7",
            "the primal solution, and push-through",
        ),
        Reference(
            "# Unicode, and what is unique\n"
            "J = norm2(t − Φ@w) + λ*norm2(w)              | matrix form\n"
            "J = norm2(t − K@a) + λ*aᵀ@K@a                | substitute w; def K\n"
            "grad(J,a) = 2*K@(K@a − t) + 2*λ*K@a          | gradient\n"
            "K@((K + λ*I)@a − t) = 0                      | stationary; divide by 2\n"
            "not unique(a)                                | claim\n"
            "unique(w)                                    | claim\n"
            "unique(y)                                    | claim\n"
            "(K + λ*I)@a = t                              | sufficient\n"
            "a = inv(K + λ*I)@t                           | inverse K + λ*I",
            "Unicode, with claims",
        ),
    ),
    mistakes=EXPANSION_SLIPS + GRADIENT_SLIPS + INVERSE_SLIPS + OTHER_SLIPS,
)

# --- singular K -------------------------------------------------------------------

SINGULAR_TEXT = r"""
## What a singular $K$ changes

With more points than features $K$ is singular, and the zeros of the gradient are a
whole affine space: $(K + \lambda I)^{-1} t + \ker K$. First numbers, then the proof,
in the scale of S1.
"""

SINGULAR_PHI = (1, 1, 2)
SINGULAR_T = (3, -1, 3)


def check_other_minimiser(data: Mapping[str, Any]) -> list[Finding]:
    """b has one entry that is not 0, and Φᵀb = w = 1."""
    b = data["b"]
    if not isinstance(b, tuple) or len(b) != 3 or not all(
        isinstance(entry, Real) for entry in b
    ):  # fmt: skip
        return [Finding(False, "b: a vector of three numbers is asked for")]
    entries = sum(not entry.same(0) for entry in b)
    if not dot(SINGULAR_PHI, b).same(1):
        return [Finding(False, "b: this is not a minimiser, since Φᵀb is not w")]
    if entries != 1:
        text = f"b: a minimiser, but {entries} of its entries are not 0"
        return [Finding(False, text)]
    return [Finding(True, "b: a minimiser with one coefficient", share=1.0)]


SINGULAR = Values(
    id="singular-gram",
    title="Three points, one feature",
    points=6,
    proofs=("P-02",),
    statement=r"""
Three points have a single feature, $\varphi(x_1) = 1$, $\varphi(x_2) = 1$,
$\varphi(x_3) = 2$, so that

$$
\Phi = \begin{pmatrix} 1 \\ 1 \\ 2 \end{pmatrix}, \qquad
K = \begin{pmatrix} 1 & 1 & 2 \\ 1 & 1 & 2 \\ 2 & 2 & 4 \end{pmatrix}, \qquad
t = \begin{pmatrix} 3 \\ -1 \\ 3 \end{pmatrix}, \qquad \lambda = 2 .
$$

Give, exactly,

- `a`, the vector $(K + \lambda I)^{-1} t$;
- `w`, the weight that belongs to it, a number;
- `J`, the least value of the criterion;
- `dim`, the dimension of $\ker K$;
- `b`, another minimiser of $J(\Phi^\top a)$, in which only *one* of the three
  coefficients is not 0;
- `unique_a`, `unique_w` and `unique_f`, `yes` or `no`: are the coefficients, the
  weight, the predictions the same for all minimisers?
""",
    values=(
        Value(
            "a",
            "[1, -1, 1/2]",
            weight=2,
            exact=True,
            traps={
                "[1/2, -1/2, 1/4]": "this is half of it: was the factor 2 of the "
                "cross term lost, as in S0?",
                "[7/18, -5/18, 5/18]": "this is (K + nλI)⁻¹t, the scale of S1; here "
                "the squares are summed, not averaged",
                "[3, -1, 3]": "this is t",
            },
        ),
        Value(
            "w",
            "1",
            traps={"4/3": "this is least squares without a penalty, λ = 0"},
        ),
        Value(
            "J",
            "11",
            traps={
                "9": "the penalty is missing",
                "2": "this is the penalty alone",
            },
        ),
        Value("dim", "2", traps={"1": "this is the rank of K"}),
        Value("b"),
        Value("unique_a", "no", weight=0.5, choices=("yes", "no")),
        Value("unique_w", "yes", weight=0.5, choices=("yes", "no")),
        Value("unique_f", "yes", weight=0.5, choices=("yes", "no")),
    ),
    check=check_other_minimiser,
    check_weight=1.5,
    hints=(
        "$K = v v^\\top$ with $v = \\Phi$. What does $K$ do to $v$, and to a vector "
        "orthogonal to $v$?",
        "Split $t$ into a multiple of $v$ and the rest: $K + \\lambda I$ multiplies "
        "the first by $v^\\top v + \\lambda = 8$ and the second by 2.",
        "All minimisers have the same $w = \\Phi^\\top a = a_1 + a_2 + 2a_3$.",
    ),
    references=(
        Reference(
            "a = [1, -1, 1/2]\nw = 1\nJ = 11\ndim = 2\nb = [0, 0, 1/2]\n"
            "unique_a = no\nunique_w = yes\nunique_f = yes",
            "the third point alone",
        ),
        Reference(
            "a = [1, -1, 0.5]\nw = 1\nJ = 9 + 2*1\ndim = 2\nb = [1, 0, 0]\n"
            "unique_a = no; unique_w = yes; unique_f = yes",
            "the first point alone",
        ),
    ),
    mistakes=(
        Mistake(
            "a = [7/18, -5/18, 5/18]\nw = 2/3\nJ = 11\ndim = 2\nb = [0, 0, 1/3]\n"
            "unique_a = no\nunique_w = yes\nunique_f = yes",
            why="K + nλI in the wrong scale",
            says="the scale of S1",
            at_most=0.6,
        ),
        Mistake(
            "a = [1, -1, 1/2]\nw = 1\nJ = 9\ndim = 1\nb = [0, 1, 0]\n"
            "unique_a = no\nunique_w = no\nunique_f = no",
            why="the penalty forgotten, the rank for the dimension, w not unique",
            says="the penalty is missing",
            at_most=0.7,
        ),
        Mistake(
            "a = [1, -1, 1/2]\nw = 1\nJ = 11\ndim = 2\nb = [2, -2, 1/2]\n"
            "unique_a = yes\nunique_w = yes\nunique_f = yes",
            why="a minimiser that is not sparse; a called unique beside another",
            says="3 of its entries are not 0",
            at_most=0.8,
        ),
        Mistake(
            "a = [1/2, -1/2, 1/4]\nw = 1/2\nJ = 11\ndim = 2\nb = [1/2, 0, 0]\n"
            "unique_a = no\nunique_w = yes\nunique_f = yes",
            why="half of the solution",
            says="the factor 2",
            at_most=0.6,
        ),
    ),
)

SOLUTIONS = Derivation(
    id="ridge-solutions",
    title="All solutions of (P)",
    problem=RIDGE_SOLUTIONS,
    points=8,
    proofs=("P-02", "P-22"),
    statement=r"""
S1 averages the squares: (P) is to minimise

$$
P(a) = \frac1{2N}\|y - Ka\|^2 + \frac\lambda2\, a^\top K a .
$$

Let $a$ be *any* minimiser, $b = (K + N\lambda I)^{-1}y$, and $z = a - b$ their
difference. Derive $Kz = 0$, and from it $\|\Phi^\top z\|^2 = 0$. So the minimisers are
$b + \ker K$, and all of them have the weights $\Phi^\top b$.

Nothing may be assumed about $K$: that is the point.

Symbols: `Phi`, `K = Phi@Phi.T`, `y`, `a`, `lam` (positive),
`b = inv(K + N*lam*I)@y`, `z = a - b`, `P`; the number of points is `N`.
""",
    hints=(
        "First the gradient of $P$ at $a$. Where is $N$, and which factor do the "
        "terms have in common?",
        "What is $(K + N\\lambda I)\\,b$? Subtract, so that $a - b$ appears.",
        "$K$ and $K + N\\lambda I$ commute. The second may be cancelled, and the "
        "first may not.",
        "$\\|\\Phi^\\top z\\|^2 = z^\\top\\Phi\\Phi^\\top z$.",
    ),
    references=(
        Reference(
            "grad(P,a) = 1/N*K@(K@a - y) + lam*K@a        | gradient\n"
            "K@((K + N*lam*I)@a - y) = 0                | set to zero; multiply by N\n"
            "(K + N*lam*I)@b = y                     | def b; inverse K + N*lam*I\n"
            "K@(K + N*lam*I)@(a - b) = 0                  | use 2; use 3\n"
            "K@(K + N*lam*I)@z = 0                        | def z\n"
            "(K + N*lam*I)@K@z = 0                        | commute\n"
            "K@z = 0                                      | cancel K + N*lam*I\n"
            "norm2(Phi.T@z) = z.T@Phi@Phi.T@z             | expand\n"
            "norm2(Phi.T@z) = z.T@K@z                     | def K\n"
            "norm2(Phi.T@z) = 0                           | use 7",
            "step by step",
        ),
        Reference(
            "P = norm2(y - K@a)/(2*N) + lam/2*a.T@K@a     | given\n"
            "N*grad(P,a) = -K@(y - K@a) + N*lam*K@a       | gradient\n"
            "K@(K + N*lam*I)@a = K@y                      | set to zero; collect\n"
            "(K + N*lam*I)@K@a = K@y                      | commute\n"
            "K@a = inv(K + N*lam*I)@K@y                   | inverse K + N*lam*I\n"
            "(K + N*lam*I)@b = y                     | def b; inverse K + N*lam*I\n"
            "K@(K + N*lam*I)@b = K@y                      | multiply by K\n"
            "(K + N*lam*I)@K@b = K@y                      | commute\n"
            "(K + N*lam*I)@K@(a - b) = 0                  | use 4\n"
            "K@(a - b) = 0                                | cancel K + N*lam*I\n"
            "K@z = 0                                      | def z\n"
            "norm2(Phi.T@z) = 0                           | def K",
            "both predictions",
        ),
        Reference(
            "grad(P,a) = 1/N*K@((K + N*lam*I)@a - y)      | gradient\n"
            "K@((K + N*lam*I)@a - y) = 0                  | set to zero\n"
            "y = (K + N*lam*I)@b                     | def b; inverse K + N*lam*I\n"
            "K@(K + N*lam*I)@(a - b) = 0                  | use 2; use 3\n"
            "K@(K + N*lam*I)@z = 0                        | def z\n"
            "(K + N*lam*I)@K@z = 0                        | commute\n"
            "K@z = 0                                      | inverse K + N*lam*I\n"
            "z.T@K@z = 0                                  | multiply by z.T\n"
            "z.T@Phi@Phi.T@z = 0                          | def K\n"
            "norm2(Phi.T@z) = 0                           | norm",
            "a quadratic form",
        ),
        Reference(
            r"\nabla_a P = \frac{1}{N} K (K a - y) + \lambda K a      | gradient" + "\n"
            r"K (K + N \lambda I) a = K y                            | set to zero"
            + "\n"
            r"(K + N \lambda I) b = y            | def b; inverse K + N \lambda I"
            + "\n"
            r"K (K + N \lambda I) (a - b) = 0                        | use 2; use 3"
            "\n"
            r"(K + N \lambda I) K z = 0                              | def z; rearrange"
            "\n"
            r"K z = 0                                     | cancel K + N \lambda I"
            + "\n"
            r"\|\Phi^\top z\|^2 = z^\top K z                         | def K" + "\n"
            r"\|\Phi^\top z\|^2 = 0                                  | use 6",
            "LaTeX",
        ),
    ),
    mistakes=(
        Mistake(
            "grad(P,a) = 1/N*K@(K@a - y) + lam*K@a | gradient\n"
            "K@((K + lam*I)@a - y) = 0 | set to zero; multiply by N",
            why="multiplied by N, but not the penalty",
            first_bad=2,
            at_most=0.4,
        ),
        Mistake(
            "grad(P,a) = 1/N*K@(K@a - y) + lam*K@a | gradient\n"
            "K@((K + N*lam*I)@a - y) = 0 | set to zero; multiply by N\n"
            "(K + N*lam*I)@a = y | cancel K\n"
            "a = inv(K + N*lam*I)@y | inverse K + N*lam*I\n"
            "a = b | def b\n"
            "z = 0 | def z\n"
            "K@z = 0 | multiply by K",
            why="K is cancelled: so a would be unique, and it is not",
            first_bad=3,
            says="K may be singular",
            at_most=0.6,
        ),
        Mistake(
            "grad(P,a) = 1/N*K@(K@a - y) + lam*K@a | gradient\n"
            "K@((K + N*lam*I)@a - y) = 0 | set to zero; multiply by N\n"
            "(K + N*lam*I)@a = y | sufficient",
            why="sufficient for one solution; here all are asked for",
            first_bad=3,
            says="sufficient",
            at_most=0.4,
        ),
        Mistake(
            "grad(P,a) = 1/N*K@(K@a - y) + lam*K@a | gradient\n"
            "K@((K + N*lam*I)@a - y) = 0 | set to zero; multiply by N\n"
            "(K + N*lam*I)@b = y | def b; inverse K + N*lam*I\n"
            "K@(K + N*lam*I)@z = 0 | use 2; use 3\n"
            "K@z = 0 | cancel K + N*lam*I\n"
            "norm2(Phi.T@z) = 0 | def K",
            why="z is used before its definition is",
            first_bad=4,
        ),
        Mistake(
            "grad(P,a) = 1/N*K@(K@a - y) + lam*K@a | gradient\n"
            "K@((K + N*lam*I)@a - y) = 0 | set to zero; multiply by N\n"
            "(K + N*lam*I)@b = y | def b; inverse K + N*lam*I\n"
            "K@(K + N*lam*I)@(a - b) = 0 | use 2; use 3\n"
            "(K + N*lam*I)@K@z = 0 | def z; commute\n"
            "K@z = 0 | cancel K + N*lam*I\n"
            "z = 0 | cancel K",
            why="from Kz = 0 to z = 0: false for a singular K",
            first_bad=7,
            says="K may be singular",
            at_most=0.7,
        ),
        Mistake(
            "K@z = 0 | claim\nnorm2(Phi.T@z) = z.T@K@z | def K\n"
            "norm2(Phi.T@z) = 0 | use 1",
            why="half of it is asserted",
            first_bad=1,
            at_most=0.4,
        ),
    ),
)

# --- predictions, push-through ----------------------------------------------------

USE_TEXT = r"""
## Prediction, and the way back

Training needs $K$ alone. So does prediction, with one more vector of kernel values.
And where the primal and the dual formula meet, an identity between matrices is behind
it.
"""

PREDICTOR = Derivation(
    id="ridge-predictor",
    title="The prediction in terms of the kernel",
    problem="ridge-predictor",
    points=4,
    proofs=("P-02",),
    statement=r"""
Let $a = (K + \lambda I)^{-1} t$ and $w = \Phi^\top a$. Let $\varphi_*$ be the feature
vector of a new point, and $k = \Phi\varphi_*$ the vector of its inner products with the
training points. Derive for the prediction $y = w^\top\varphi_*$

$$
y = k^\top a = k^\top (K + \lambda I)^{-1} t ,
$$

in two lines or more: first `y = k.T@a`, then the formula without `a`.

Symbols: `Phi`, `K = Phi@Phi.T`, `t`, `lam`, `a = inv(K + lam*I)@t`, `w = Phi.T@a`,
`phis`, `k = Phi@phis`, `y = w.T@phis`.
""",
    hints=(
        "Put in $w = \\Phi^\\top a$. What is the transpose of a product?",
        "$a^\\top\\Phi\\varphi_*$ is a number, and a number is its own transpose.",
    ),
    references=(
        Reference(
            "y = (Phi.T@a).T@phis                 | substitute w\n"
            "y = a.T@Phi@phis                     | transpose\n"
            "y = a.T@k                            | def k\n"
            "y = k.T@a                            | transpose\n"
            "y = k.T@inv(K + lam*I)@t             | substitute a",
            "step by step",
        ),
        Reference(
            "y = sum(a[n]*phi[n].T@phis for n in N)      | substitute w; index form\n"
            "k[n] = phi[n].T@phis                        | def k\n"
            "y = sum(a[n]*k[n] for n in N)               | use 1; use 2\n"
            "y = k.T@a                                   | vector form\n"
            "y = k.T@inv(K + lam*I)@t                    | def a",
            "indices",
        ),
        Reference(
            r"y = a^\top \Phi \phi_*              | substitute w" + "\n"
            r"y = k^\top a                        | def k; transpose" + "\n"
            r"y = k^\top (K + \lambda I)^{-1} t   | def a",
            "LaTeX",
        ),
    ),
    mistakes=(
        Mistake(
            "y = (Phi.T@a).T@phis | substitute w\ny = a.T@Phi.T@phis | transpose\n"
            "y = a.T@k | def k",
            why="Φᵀ transposed is Φ",
            first_bad=2,
            says="their product has no meaning",
            at_most=0.5,
        ),
        Mistake(
            "y = a.T@Phi@phis | substitute w\ny = k@a | def k\n",
            why="a product of two columns",
            first_bad=2,
            says="k.T@a was meant?",
            at_most=0,
        ),
        Mistake(
            "y = k.T@a | def k; substitute w\ny = k.T@inv(K)@t | substitute a",
            why="λ is forgotten, and K may be singular",
            first_bad=2,
            says="K may be singular",
            at_most=0.5,
        ),
        Mistake(
            "y = k.T@a | def k; substitute w\n"
            "y = k.T@Phi.T@inv(K + lam*I)@t | substitute a",
            why="the formula of w where that of a belongs",
            first_bad=2,
            at_most=0.5,
        ),
        Mistake(
            "y = a.T@k | def k; substitute w\ny = k.T@inv(K + lam*I)@t | rearrange",
            why="a is replaced, and it is not said",
            first_bad=2,
            says="def a",
        ),
    ),
)

PUSH = Derivation(
    id="push-through",
    title="Push-through",
    problem="push-through",
    points=4,
    proofs=("P-14",),
    statement=r"""
Derive, for every matrix $A$ of any shape,

$$
(AA^\top + I)^{-1} A = A\,(A^\top A + I)^{-1} .
$$

Only one fact goes into a line here: each of the two inverses needs its own. Both
matrices are positive definite, so both inverses exist.

Symbols: `A` ($N \times M$). The two `I` have different sizes.
""",
    hints=(
        "Do not start with the inverses. What is $A(A^\\top A + I)$, multiplied out?",
        "The same terms are $(AA^\\top + I)A$. Now multiply by one inverse from the "
        "left, then by the other from the right.",
    ),
    references=(
        Reference(
            "A@(A.T@A + I) = (A@A.T + I)@A                      | expand\n"
            "inv(A@A.T + I)@A@(A.T@A + I) = A                   | inverse A@A.T + I\n"
            "inv(A@A.T + I)@A = A@inv(A.T@A + I)                | inverse A.T@A + I",
            "left, then right",
        ),
        Reference(
            "A@A.T@A + A = A@A.T@A + A                          | algebra\n"
            "(A@A.T + I)@A = A@(A.T@A + I)                      | factor\n"
            "(A@A.T + I)@A@inv(A.T@A + I) = A"
            "                       | multiply by the inverse of A.T@A + I\n"
            "A@inv(A.T@A + I) = inv(A@A.T + I)@A                | inverse A@A.T + I",
            "right, then left",
        ),
        Reference(
            r"(A A^\top + I_N) A = A (A^\top A + I_M)          | distribute" + "\n"
            r"A = (A A^\top + I_N)^{-1} A (A^\top A + I_M)     | inverse A A^\top + I_N"
            "\n"
            r"A (A^\top A + I_M)^{-1} = (A A^\top + I_N)^{-1} A"
            r" | inverse A^\top A + I_M",
            "LaTeX, with sizes",
        ),
    ),
    mistakes=(
        Mistake(
            "inv(A@A.T + I)@A = A@inv(A.T@A + I) | algebra",
            why="the identity is asserted",
            first_bad=1,
            at_most=0,
        ),
        Mistake(
            "A@(A.T@A + I) = (A@A.T + I)@A | expand\n"
            "inv(A@A.T + I)@A = A@inv(A.T@A + I)"
            " | inverse A@A.T + I; inverse A.T@A + I",
            why="two inverses in one line",
            first_bad=2,
            at_most=0,
        ),
        Mistake(
            "A@(A.T@A + I) = (A.T@A + I)@A | commute",
            why="matrices made to commute, of different sizes",
            first_bad=1,
            says="their product has no meaning",
            at_most=0,
        ),
        Mistake(
            "inv(A@A.T + I) = inv(A.T)@inv(A) + I | inverse A@A.T + I\n"
            "inv(A@A.T + I)@A = inv(A.T) + A | multiply by A",
            why="A has no inverse, and the inverse of a sum is not a sum",
            first_bad=1,
            says="only a square matrix has an inverse",
            at_most=0,
        ),
        Mistake(
            "A@(A.T@A + I) = (A@A.T + I)@A | expand\n"
            "A@(A.T@A + I)@inv(A@A.T + I) = A | inverse A@A.T + I",
            why="multiplied from the wrong side: the sizes do not fit",
            first_bad=2,
            says="their product has no meaning",
            at_most=0,
        ),
    ),
)

# --- where lambda comes from, and where the theorem ends --------------------------

MAP_TEXT = r"""
## Why this penalty

A penalty can be a belief: a Gaussian prior on the weights gives ridge regression. And
it can be a choice that destroys the dual form: with the penalty of the lasso the
weights leave the span of the data.
"""

MAP = Derivation(
    id="ridge-map",
    title="Ridge as a posterior mode",
    problem=RIDGE_MAP,
    points=5,
    proofs=("P-63",),
    statement=r"""
Let $t_n = w^\top\varphi(x_n) + \varepsilon_n$ with independent
$\varepsilon_n \sim \mathcal{N}(0, \sigma^2)$, and let
$w \sim \mathcal{N}(0, \tau^2 I)$. The posterior density of $w$ is proportional to
likelihood times prior. Minus its logarithm is

$$
L = \frac1{2\sigma^2}\|t - \Phi w\|^2 + \frac1{2\tau^2}\|w\|^2 + c
$$

with a number $c$ that does not depend on $w$. Derive that the most probable $w$ is the
ridge solution, $w = (\Phi^\top\Phi + \lambda I)^{-1}\Phi^\top t$, with
$\lambda = \sigma^2/\tau^2$.

Symbols: `Phi`, `t`, `w`, `sigma`, `tau` (positive), `c`, `lam = sigma**2/tau**2`, `L`.
""",
    hints=(
        "$L$ is to be minimised over $w$; nothing else is unknown. What is its "
        "gradient?",
        "Multiply by $\\sigma^2$: then $\\lambda$ shows itself. Its definition is a "
        "fact: `def lam`.",
        "$\\Phi^\\top\\Phi + \\lambda I$ is positive definite, so it has an inverse.",
    ),
    references=(
        Reference(
            "grad(L,w) = -Phi.T@(t - Phi@w)/sigma**2 + w/tau**2     | gradient\n"
            "Phi.T@(t - Phi@w)/sigma**2 = w/tau**2                  | set to zero\n"
            "Phi.T@(t - Phi@w) = sigma**2/tau**2*w"
            "                                      | multiply by sigma**2\n"
            "Phi.T@(t - Phi@w) = lam*w                              | def lam\n"
            "(Phi.T@Phi + lam*I)@w = Phi.T@t                        | collect\n"
            "w = inv(Phi.T@Phi + lam*I)@Phi.T@t    | inverse Phi.T@Phi + lam*I",
            "the gradient",
        ),
        Reference(
            "L = (norm2(t - Phi@w) + sigma**2/tau**2*norm2(w))/(2*sigma**2) + c"
            " | factor\n"
            "L = (norm2(t - Phi@w) + lam*norm2(w))/(2*sigma**2) + c | def lam\n"
            "grad(L,w) = (-2*Phi.T@(t - Phi@w) + 2*lam*w)/(2*sigma**2) | gradient\n"
            "-Phi.T@(t - Phi@w) + lam*w = 0 | set to zero\n"
            "w = inv(Phi.T@Phi + lam*I)@Phi.T@t | inverse Phi.T@Phi + lam*I",
            "the criterion of ridge, scaled",
        ),
        Reference(
            r"\nabla_w L = -\frac{1}{\sigma^2}\Phi^\top (t - \Phi w)"
            r" + \frac{1}{\tau^2} w | gradient" + "\n"
            r"\Phi^\top (t - \Phi w) = \frac{\sigma^2}{\tau^2} w"
            r" | set to zero; multiply by \sigma^2" + "\n"
            r"\Phi^\top (t - \Phi w) = \lambda w | def \lambda" + "\n"
            r"(\Phi^\top\Phi + \lambda I) w = \Phi^\top t | collect" + "\n"
            r"w = (\Phi^\top\Phi + \lambda I)^{-1}\Phi^\top t"
            r" | inverse \Phi^\top\Phi + \lambda I",
            "LaTeX",
        ),
    ),
    mistakes=(
        Mistake(
            "grad(L,w) = -Phi.T@(t - Phi@w)/sigma**2 + w/tau**2 | gradient\n"
            "Phi.T@(t - Phi@w)/sigma**2 = w/tau**2 | set to zero\n"
            "Phi.T@(t - Phi@w) = tau**2/sigma**2*w | multiply by sigma**2\n"
            "(Phi.T@Phi + lam*I)@w = Phi.T@t | def lam; collect\n"
            "w = inv(Phi.T@Phi + lam*I)@Phi.T@t | inverse Phi.T@Phi + lam*I",
            why="the ratio upside down",
            first_bad=3,
        ),
        Mistake(
            "grad(L,w) = Phi.T@(t - Phi@w)/sigma**2 + w/tau**2 | gradient\n"
            "(Phi.T@Phi - lam*I)@w = Phi.T@t | set to zero; def lam",
            why="the chain rule without its sign",
            says="sign is wrong",
            first_bad=1,
            at_most=0.5,
        ),
        Mistake(
            "grad(L,w) = -Phi.T@(t - Phi@w)/sigma**2 + w/tau**2 | gradient\n"
            "Phi.T@(t - Phi@w) = lam*w | set to zero\n"
            "(Phi.T@Phi + lam*I)@w = Phi.T@t | collect\n"
            "w = inv(Phi.T@Phi + lam*I)@Phi.T@t | inverse Phi.T@Phi + lam*I",
            why="λ appears without its definition",
            first_bad=2,
            says="def lam",
        ),
        Mistake(
            "grad(L,w) = -Phi.T@(t - Phi@w)/sigma**2 + w/tau**2 | gradient\n"
            "Phi.T@(t - Phi@w)/sigma**2 = w/tau**2 | set to zero\n"
            "w = inv(Phi.T@Phi)@Phi.T@t | inverse Phi.T@Phi",
            why="the prior is forgotten, and ΦᵀΦ may be singular",
            first_bad=3,
            says="may be singular",
            at_most=0.5,
        ),
    ),
)

LASSO = Values(
    id="lasso-no-dual",
    title="The lasso has no dual form",
    points=6,
    proofs=("P-65",),
    statement=r"""
S3 says that linear methods have a dual representation (l. 113). One data point
disproves it for the lasso. With $x = (2, 1)$, $y = 2$ and $\lambda = \frac12$, let

$$
F(w) = \tfrac12\,(y - w^\top x)^2 + \lambda\,(|w_1| + |w_2|) .
$$

Give, exactly,

- `w`, the minimiser of $F$ over all of $\mathbb{R}^2$, and `F`, its value;
- `c`, such that $w = c\,x$ minimises $F$ over the *span of the data*, and `F_span`,
  that value.

Since `F` is smaller than `F_span`, no minimiser is of the form $\sum_i a_i x_i$.
""",
    values=(
        Value(
            "w",
            "[7/8, 0]",
            weight=2,
            exact=True,
            traps={
                "[1, 0]": "this fits the point exactly; the penalty pulls it back",
                "[17/25, 17/50]": "this is the best one in the span of x",
                "[3/4, 0]": "check the derivative: the loss has a factor 1/2 and the "
                "penalty has none",
            },
        ),
        Value(
            "F",
            "15/32",
            exact=True,
            traps={"1/32": "the penalty is missing", "111/200": "this is F_span"},
        ),
        Value(
            "c",
            "17/50",
            exact=True,
            traps={
                "2/5": "this fits the point exactly",
                "1/3": "this is for the squared norm, not for |w₁| + |w₂|",
                "4/11": "this is for the squared norm, not for |w₁| + |w₂|",
            },
        ),
        Value(
            "F_span", "111/200", exact=True, traps={"9/200": "the penalty is missing"}
        ),
    ),
    hints=(
        "Which coordinate gives more fit for the same price?",
        "Suppose $w_2 = 0$ and $w_1 > 0$: then $F$ is a parabola in $w_1$. At its "
        "minimum, check that $w_2 = 0$ is right: the slope of the loss in $w_2$ must "
        "not exceed $\\lambda$ in size.",
        "In the span, $|w_1| + |w_2| = 3c$ for $c > 0$: again a parabola.",
    ),
    references=(
        Reference("w = [7/8, 0]\nF = 15/32\nc = 17/50\nF_span = 111/200", "fractions"),
        Reference(
            "w = [1 - 1/8, 0]\nF = 1/2*(2 - 7/4)**2 + 7/16\nc = 17/50\n"
            "F_span = 1/2*(2 - 17/10)**2 + 51/100",
            "with the arithmetic left in",
        ),
        Reference("w = [0.875, 0]; F = 0.46875; c = 0.34; F_span = 0.555", "decimals"),
    ),
    mistakes=(
        Mistake(
            "w = [1, 0]\nF = 1/2\nc = 2/5\nF_span = 3/5",
            why="interpolates",
            says="the penalty pulls it back",
            at_most=0,
        ),
        Mistake(
            "w = [17/25, 17/50]\nF = 111/200\nc = 17/50\nF_span = 111/200",
            why="takes the dual form for granted",
            says="the best one in the span",
            at_most=0.4,
        ),
        Mistake(
            "w = [3/4, 0]\nF = 1/2\nc = 17/50\nF_span = 111/200",
            why="a factor 2 in the derivative",
            says="check the derivative",
            at_most=0.4,
        ),
        Mistake(
            "w = [7/8, 0]\nF = 1/32\nc = 4/11\nF_span = 9/200",
            why="the penalty left out of the values, and squared in the span",
            says="the penalty is missing",
            at_most=0.4,
        ),
    ),
)

# --- duality ----------------------------------------------------------------------

DUALITY_TEXT = r"""
## The other dual

Now the loss is any convex function $g$ of the predictions, and the problem is to
minimise $g(\Phi w) + \frac\lambda2\|w\|^2$ over $w$. There are

$$
\begin{aligned}
\text{(P)}\quad & \min_a\; P(a) = g(Ka) + \frac\lambda2\, a^\top K a, \\
\text{(D)}\quad & \max_\alpha\; D(\alpha) = -g^*(-\lambda\alpha)
  - \frac\lambda2\,\alpha^\top K\alpha .
\end{aligned}
$$
"""

CONJUGATE = Derivation(
    id="least-squares-conjugate",
    title="The conjugate of the squared loss",
    problem=LEAST_SQUARES_CONJUGATE,
    points=5,
    proofs=("P-15",),
    statement=r"""
The conjugate of $g(u) = \frac1{2N}\|y - u\|^2$ is the greatest value of

$$
h = v^\top u - \frac1{2N}\|y - u\|^2
$$

over all $u \in \mathbb{R}^N$, for a fixed $v$. Derive that it is
$g^*(v) = v^\top y + \frac N2\|v\|^2$: find the stationary $u$, then $h$ at it. ($h$ is
concave in $u$, so the stationary point is the maximum.) Or complete the square, and
bound $h$.

Symbols: `v`, `y`, `u`, `h = v.T@u - norm2(y - u)/(2*N)`; the number of points is `N`.
""",
    hints=(
        "The gradient of $\\|y - u\\|^2$ by $u$ is $-2(y - u)$.",
        "Solve for $u$, then `substitute u` into $h$. What is $y - u$ at the maximum?",
    ),
    references=(
        Reference(
            "grad(h,u) = v + (y - u)/N                    | gradient\n"
            "v + (y - u)/N = 0                            | set to zero\n"
            "u = y + N*v                                  | solve for u\n"
            "h = v.T@(y + N*v) - norm2(-N*v)/(2*N)        | substitute u\n"
            "h = v.T@y + N*v.T@v - N/2*v.T@v              | expand\n"
            "h = v.T@y + N/2*norm2(v)                     | collect",
            "vectors",
        ),
        Reference(
            "diff(h,u[i]) = v[i] + (y[i] - u[i])/N        | derivative\n"
            "v[i] + (y[i] - u[i])/N = 0                   | set to zero\n"
            "u[i] = y[i] + N*v[i]                         | rearrange\n"
            "u = y + N*v                                  | vector form\n"
            "h = v.T@y + N/2*v.T@v                        | substitute u",
            "components",
        ),
        Reference(
            r"\nabla_u h = v + \frac{1}{N}(y - u)                  | gradient" + "\n"
            r"u = y + N v                                          | set to zero" + "\n"
            r"h = v^\top (y + N v) - \frac{1}{2N}\|N v\|^2         | substitute u"
            + "\n"
            r"h = v^\top y + \frac{N}{2}\|v\|^2                    | expand",
            "LaTeX",
        ),
        Reference(
            "h = v.T@y + N/2*norm2(v) - norm2(u - y - N*v)/(2*N)  | complete the square"
            "\n"
            "h <= v.T@y + N/2*norm2(v)                            | nonneg",
            "completing the square",
        ),
    ),
    mistakes=(
        Mistake(
            "grad(h,u) = v - (y - u)/N | gradient\n"
            "u = y - N*v | set to zero\n"
            "h = v.T@(y - N*v) - norm2(N*v)/(2*N) | substitute u\n"
            "h = v.T@y - 3*N/2*norm2(v) | collect",
            why="the inner derivative of y - u is lost",
            says="sign is wrong",
            first_bad=1,
            at_most=0.5,
        ),
        Mistake(
            "grad(h,u) = v + (y - u)/N | gradient\n"
            "u = y + v/N | set to zero\n"
            "h = v.T@y + 1/(2*N)*norm2(v) | substitute u",
            why="divided by N instead of multiplied",
            first_bad=2,
            at_most=0.5,
        ),
        Mistake(
            "grad(h,u) = v + (y - u)/N | gradient\n"
            "u = y + N*v | set to zero\n"
            "h = v.T@y + N*norm2(v) | substitute u",
            why="the subtracted half is forgotten",
            first_bad=3,
            at_most=0.5,
        ),
        Mistake(
            "h = v.T@y + N/2*norm2(v) | substitute u",
            why="the goal is asserted",
            first_bad=1,
            at_most=0,
        ),
        Mistake(
            "grad(h,u) = v + (y - u)/N | gradient\nu = y + N*v | set to zero",
            why="stops at u",
            says="h at its maximum",
            at_most=0.5,
        ),
    ),
)

STRONG = Puzzle(
    id="strong-duality",
    title="Minimum and maximum exchanged",
    points=6,
    proofs=("P-15",),
    statement=r"""
Let $g : \mathbb{R}^n \to \mathbb{R}$ be convex and $\lambda > 0$. Put together the
proof of strong duality,

$$
\min_w\; g(\Phi w) + \frac\lambda2\|w\|^2
 = \max_\alpha\; -g^*(-\lambda\alpha) - \frac\lambda2\,\alpha^\top K\alpha .
$$

Four of the blocks do not belong. List the letters of the others in an order in which
each rests on what stands before it.
""",
    blocks=(
        Block(
            "split",
            r"Make the predictions a variable of their own: the left side is the "
            r"minimum of $g(u) + \frac\lambda2\|w\|^2$ over all pairs $(w, u)$ with "
            r"$u = \Phi w$, a convex problem with an affine constraint.",
        ),
        Block(
            "finite",
            r"Its value is finite, and attained: $g$ is continuous and has an affine "
            r"minorant $g(u) \ge g(0) + s^\top u$, and $g(0) + s^\top\Phi w + "
            r"\frac\lambda2\|w\|^2$ tends to infinity with $\|w\|$.",
            needs=("split",),
        ),
        Block(
            "lagrangian",
            r"Give the constraint the multiplier $\lambda\alpha$: $\mathcal{L}(w, u, "
            r"\alpha) = g(u) + \frac\lambda2\|w\|^2 + \lambda\alpha^\top(u - \Phi w)$.",
            needs=("split",),
        ),
        Block(
            "exchange",
            r"For a convex problem with affine constraints and a finite value, strong "
            r"duality holds: the value is "
            r"$\max_\alpha \inf_{w, u} \mathcal{L}(w, u, \alpha)$, and the maximum is "
            r"attained.",
            needs=("finite", "lagrangian"),
        ),
        Block(
            "apart",
            r"For a fixed $\alpha$ no term of $\mathcal{L}$ contains both $w$ and $u$, "
            r"so the infimum is a sum of one over $w$ and one over $u$.",
            needs=("lagrangian",),
        ),
        Block(
            "in-w",
            r"$\frac\lambda2\|w\|^2 - \lambda\alpha^\top\Phi w$ is least at "
            r"$w = \Phi^\top\alpha$, where it is "
            r"$-\frac\lambda2\,\alpha^\top K\alpha$.",
            needs=("apart",),
        ),
        Block(
            "in-u",
            r"$\inf_u\, g(u) + \lambda\alpha^\top u = -\sup_u\, \bigl((-\lambda\alpha)"
            r"^\top u - g(u)\bigr) = -g^*(-\lambda\alpha)$.",
            needs=("apart",),
        ),
        Block(
            "end",
            r"Put both infima into the maximum over $\alpha$: this is the right side.",
            needs=("exchange", "in-w", "in-u"),
        ),
        Block(
            "always",
            r"The order of two optimisations does not matter, so "
            r"$\inf_{w, u}\sup_\alpha \mathcal{L} = \sup_\alpha\inf_{w, u} "
            r"\mathcal{L}$.",
            why="in general only ≥ holds (weak duality); equality is what convexity "
            "buys, and without it there can be a gap",
        ),
        Block(
            "smooth",
            r"$g$ is differentiable, so at the minimum $\nabla g(u) = -\lambda\alpha$.",
            why="a convex function need not be differentiable (think of the hinge), "
            "and the conjugate does without",
        ),
        Block(
            "wrong-sign",
            r"$\inf_u\, g(u) + \lambda\alpha^\top u = -g^*(\lambda\alpha)$.",
            why="look at the sign in the argument: the conjugate has +vᵀu under its "
            "supremum, with −g(u)",
        ),
        Block(
            "plus",
            r"$\frac\lambda2\|w\|^2 - \lambda\alpha^\top\Phi w$ is least at "
            r"$w = \Phi^\top\alpha$, where it is $\frac\lambda2\,\alpha^\top K\alpha$.",
            why="half minus one is minus a half",
        ),
    ),
    hints=(
        "A dual needs a constraint, and at first there is none.",
        "Convexity is used in one block only. What has to be known before it?",
        "The two infima can stand before or after the exchange.",
    ),
    references=(
        Reference(
            "split, finite, lagrangian, exchange, apart, in-w, in-u, end",
            "the exchange first",
        ),
        Reference(
            "split, lagrangian, apart, in-u, in-w, finite, exchange, end",
            "the infima first",
        ),
    ),
    mistakes=(
        Mistake(
            "split, lagrangian, always, apart, in-w, in-u, end",
            why="minimum and maximum exchanged without a reason",
            says="weak duality",
            at_most=0.7,
        ),
        Mistake(
            "split, lagrangian, exchange, finite, apart, in-w, in-u, end",
            why="a hypothesis of the theorem checked after its use",
            at_most=0.9,
        ),
        Mistake(
            "split, finite, lagrangian, exchange, apart, in-w, wrong-sign, end",
            why="the conjugate at the wrong point",
            says="sign",
            at_most=0.8,
        ),
        Mistake(
            "split, finite, lagrangian, exchange, apart, plus, in-u, end",
            why="the sign of the quadratic term",
            says="minus a half",
            at_most=0.8,
        ),
        Mistake(
            "split, smooth, lagrangian, end",
            why="differentiability assumed, and the proof left out",
            says="hinge",
            at_most=0.5,
        ),
    ),
)

FROM_DUAL = Puzzle(
    id="dual-solves-primal",
    title="A solution of (D) solves (P)",
    points=5,
    proofs=("P-13",),
    statement=r"""
Let $g$ be convex, and $\alpha$ optimal for (D). Put together the proof that $\alpha$ is
optimal for (P). Write $p(w) = g(\Phi w) + \frac\lambda2\|w\|^2$. Four of the blocks do
not belong.
""",
    blocks=(
        Block(
            "equal",
            r"By strong duality $p$ has a minimiser $w^*$, and $p(w^*) = D(\alpha)$.",
        ),
        Block(
            "gap",
            r"For every $w$, with $u = \Phi w$: $p(w) - D(\alpha) = \bigl[g(u) + "
            r"g^*(-\lambda\alpha) + \lambda\alpha^\top u\bigr] + \frac\lambda2 \|w - "
            r"\Phi^\top\alpha\|^2$, and the bracket is $\ge 0$ by Fenchel and Young.",
        ),
        Block(
            "vanish",
            r"At $w = w^*$ the left side is 0, so both terms on the right are 0.",
            needs=("equal", "gap"),
        ),
        Block("weights", r"Hence $w^* = \Phi^\top\alpha$.", needs=("vanish",)),
        Block(
            "same",
            r"For every $a \in \mathbb{R}^n$, $P(a) = g(\Phi\Phi^\top a) + "
            r"\frac\lambda2\|\Phi^\top a\|^2 = p(\Phi^\top a)$.",
        ),
        Block(
            "below",
            r"Therefore $P(a) \ge \min_w p(w)$ for every $a$.",
            needs=("same",),
        ),
        Block(
            "attained",
            r"And $P(\alpha) = p(\Phi^\top\alpha) = p(w^*) = \min_w p(w)$.",
            needs=("same", "weights"),
        ),
        Block(
            "end",
            r"So $P(\alpha) \le P(a)$ for every $a$: $\alpha$ is optimal for (P).",
            needs=("below", "attained"),
        ),
        Block(
            "everywhere",
            r"By strong duality $P(a) = D(a)$ for every $a$.",
            why="the optimal values agree; at other points P is larger than D",
        ),
        Block(
            "invertible",
            r"Since $K$ is invertible, $w^* = \Phi^\top a$ has only one solution $a$.",
            why="K may be singular, and nothing here needs an inverse",
        ),
        Block(
            "stationary",
            r"$\nabla D(\alpha) = 0$ and $\nabla P = -K\,\nabla D$, so "
            r"$\nabla P(\alpha) = 0$.",
            why="g need not be differentiable, and the two gradients are not related "
            "in this way for every g",
        ),
        Block(
            "back",
            r"Every minimiser $a$ of (P) satisfies $\Phi^\top a = w^*$, so it is also "
            r"optimal for (D).",
            why="this is the converse, and for a singular K it is false",
        ),
    ),
    hints=(
        "What does strong duality say about $p(w^*)$ and $D(\\alpha)$?",
        "A sum of two terms $\\ge 0$ that is 0 has two terms that are 0. One of them "
        "tells you what $w^*$ is.",
    ),
    references=(
        Reference(
            "equal, gap, vanish, weights, same, below, attained, end", "the gap first"
        ),
        Reference("same, below, gap, equal, vanish, weights, attained, end", "P first"),
    ),
    mistakes=(
        Mistake(
            "equal, everywhere, end",
            why="equal values taken for equal functions",
            says="at other points",
            at_most=0.3,
        ),
        Mistake(
            "equal, gap, weights, vanish, same, below, attained, end",
            why="the conclusion before its reason",
            at_most=0.9,
        ),
        Mistake(
            "equal, gap, vanish, weights, invertible, same, below, attained, end",
            why="an inverse that is not needed, and not there",
            says="K may be singular",
            at_most=0.9,
        ),
        Mistake(
            "stationary, end",
            why="differentiates what has no gradient",
            says="differentiable",
            at_most=0.2,
        ),
    ),
)

CONVERSE_V = (1, 2)
CONVERSE_Y = (4, 3)
CONVERSE_LAM = Real(5) / 2


def primal_at(b: tuple[Real, ...]) -> Real:
    """P(b) = ‖y − Kb‖²/4 + 5/4·bᵀKb, with K = vvᵀ."""
    w = dot(CONVERSE_V, b)
    rest = [y - v * w for v, y in zip(CONVERSE_V, CONVERSE_Y, strict=True)]
    return norm2(rest) / 4 + CONVERSE_LAM / 2 * w * w


def dual_at(b: tuple[Real, ...]) -> Real:
    """D(b) = λ bᵀy − λ²‖b‖² − λ/2·bᵀKb (n = 2)."""
    w, lam = dot(CONVERSE_V, b), CONVERSE_LAM
    return lam * dot(b, CONVERSE_Y) - lam * lam * norm2(b) - lam / 2 * w * w


def check_converse(data: Mapping[str, Any]) -> list[Finding]:
    """b is optimal for (P) and not for (D), and the two values belong to it."""
    b = data["b"]
    if not isinstance(b, tuple) or len(b) != 2 or not all(
        isinstance(entry, Real) for entry in b
    ):  # fmt: skip
        return [Finding(False, "b: a vector of two numbers is asked for")]
    optimal = dot(CONVERSE_V, b).same(1)
    other = not dual_at(b).same(Real(15) / 4)
    asked = optimal and other
    P, D = (
        asked and _is(data["P_b"], primal_at(b)),
        asked and _is(data["D_b"], dual_at(b)),
    )
    return [
        _said(optimal, "b is optimal for (P)", "b is not optimal for (P)", 2),
        _said(asked, "b is not optimal for (D)", "b does not show the converse", 1),
        _said(P, "P_b is its value", "P_b is not the value of (P) at such a b", 1),
        _said(D, "D_b is its value", "D_b is not the value of (D) at such a b", 1),
    ]


def _is(given: Any, right: Real) -> bool:
    return isinstance(given, Real) and given.same(right)


def _said(ok: bool, yes: str, no: str, share: float) -> Finding:
    return Finding(ok, yes if ok else no, share)


CONVERSE = Values(
    id="primal-not-dual",
    title="The converse is false",
    points=5,
    proofs=("P-13",),
    statement=r"""
Squared loss, $g(u) = \frac1{2n}\|y - u\|^2$, two points with a single feature:

$$
\Phi = \begin{pmatrix} 1 \\ 2 \end{pmatrix}, \qquad
K = \begin{pmatrix} 1 & 2 \\ 2 & 4 \end{pmatrix}, \qquad
y = \begin{pmatrix} 4 \\ 3 \end{pmatrix}, \qquad \lambda = \frac52, \qquad n = 2 .
$$

Here $D(\alpha) = \lambda\,\alpha^\top y - \frac{n\lambda^2}2\|\alpha\|^2
- \frac\lambda2\,\alpha^\top K\alpha$. Give, exactly,

- `alpha`, the solution of (D), and `value`, the common value of (P) and (D);
- `z`, a vector with $Kz = 0$ whose first entry is 2;
- `b`, a point of your choice that is optimal for (P) but not for (D), with its values
  `P_b` $= P(b)$ and `D_b` $= D(b)$.
""",
    values=(
        Value(
            "alpha",
            "[3/5, 1/5]",
            weight=1.5,
            exact=True,
            traps={
                "[16/15, 2/15]": "this is for K + λI; the squares are averaged here, "
                "so n enters"
            },
        ),
        Value("value", "15/4", exact=True),
        Value("z", "[2, -1]", weight=0.5),
        Value("b"),
        Value("P_b"),
        Value("D_b"),
    ),
    check=check_converse,
    check_weight=2,
    hints=(
        "$\\alpha = (K + n\\lambda I)^{-1}y$, and $K = vv^\\top$ with $v = \\Phi$. "
        "Split $y$ into a multiple of $v$ and the rest.",
        "The common value is $\\frac\\lambda2\\,y^\\top\\alpha$.",
        "$\\alpha + cz$ has the same $w$ and the same predictions. What does (D) "
        "charge for its length?",
    ),
    references=(
        Reference(
            "alpha = [3/5, 1/5]\nvalue = 15/4\nz = [2, -1]\n"
            "b = [1, 0]\nP_b = 15/4\nD_b = 5/2",
            "one coefficient is zero",
        ),
        Reference(
            "alpha = [3/5, 1/5]\nvalue = 5/4*3\nz = [2, -1]\n"
            "b = [3/5 + 2, 1/5 - 1]\nP_b = 15/4\nD_b = 15/4 - 5*25/4",
            "α + z",
        ),
    ),
    mistakes=(
        Mistake(
            "alpha = [16/15, 2/15]\nvalue = 15/4\nz = [2, -1]\n"
            "b = [1, 0]\nP_b = 15/4\nD_b = 15/4",
            why="K + λI; and D taken to be constant along the kernel",
            says="n enters",
            at_most=0.7,
        ),
        Mistake(
            "alpha = [3/5, 1/5]\nvalue = 15/4\nz = [2, -1]\n"
            "b = [3/5, 1/5]\nP_b = 15/4\nD_b = 15/4",
            why="b is α itself",
            says="does not show the converse",
            at_most=0.8,
        ),
        Mistake(
            "alpha = [3/5, 1/5]\nvalue = 15/4\nz = [2, 4]\n"
            "b = [13/5, 21/5]\nP_b = 15/4\nD_b = 15/4",
            why="z along Φ instead of orthogonal to it",
            says="not optimal for (P)",
            at_most=0.5,
        ),
    ),
)

# --- code -------------------------------------------------------------------------

CODE_TEXT = r"""
## In code

Both functions see the data through $K$ only. They are run on fresh Gram matrices,
singular ones among them, and compared with what a slower way gives.
"""


def gram(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray, float]:
    """A small Gram matrix of integers, targets, and λ."""
    Phi = rng.integers(-2, 3, (size, size + 1)).astype(float)
    return _task(rng, Phi @ Phi.T)


def singular(
    rng: np.random.Generator, size: int
) -> tuple[np.ndarray, np.ndarray, float]:
    """More points than features."""
    Phi = rng.integers(1, 4, (size, max(size // 2, 1))).astype(float)
    return _task(rng, Phi @ Phi.T)


def scaled(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Large and small units: K, t and λ far from 1."""
    K, t, lam = singular(rng, size)
    unit = 1e4 if size % 2 else 1e-4
    return unit**2 * K, unit * t, unit**2 * lam


def _task(
    rng: np.random.Generator, K: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    t = rng.integers(1, 10, len(K)) * rng.choice([-1.0, 1.0], len(K))
    return K, t, float(rng.choice([0.25, 0.5, 2.0]))


def solve_ridge(K: np.ndarray, t: np.ndarray, lam: float) -> np.ndarray:
    """The coefficients, by the eigenvectors of K."""
    mu, U = np.linalg.eigh(K)
    return U @ ((U.T @ t) / (np.maximum(mu, 0) + lam))


def refit_residuals(K: np.ndarray, t: np.ndarray, lam: float) -> np.ndarray:
    """Leave-one-out residuals by n fits, each without one point."""
    residuals = []
    for i in range(len(t)):
        keep = np.arange(len(t)) != i
        a = solve_ridge(K[np.ix_(keep, keep)], t[keep], lam)
        residuals.append(t[i] - K[i, keep] @ a)
    return np.array(residuals)


EDGES = (
    Cases("singular K", singular),
    Cases("one point", gram, count=1, smallest=1),
    Cases("other units", scaled, count=2, smallest=4),
)

CODE_DUAL = CodeQuestion(
    id="code-dual-ridge",
    title="Dual ridge in code",
    points=6,
    proofs=("P-02",),
    statement=r"""
Write `dual_ridge(K, t, lam)`. It gets a Gram matrix `K` of shape `(n, n)`, which may be
singular, targets `t` of shape `(n,)` and a number `lam > 0`, and returns the vector
$a = (K + \lambda I)^{-1} t$ of shape `(n,)`. Leave the arrays that you are given as
they are.
""",
    function="dual_ridge",
    signature="def dual_ridge(K, t, lam):",
    reference=solve_ridge,
    inputs=gram,
    edge_cases=EDGES,
    hints=(
        "`lam * np.eye(n)` is $\\lambda I$; `K + lam` adds it to *every* entry.",
        "`np.linalg.solve(A, t)` solves $Aa = t$ without an inverse.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def dual_ridge(K, t, lam):\n"
            "    return np.linalg.solve(K + lam * np.eye(len(t)), t)\n",
            "solve",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def dual_ridge(K, t, lam):\n"
            "    A = K.copy()\n"
            "    A[np.diag_indices_from(A)] += lam\n"
            "    L = np.linalg.cholesky(A)\n"
            "    return np.linalg.solve(L.T, np.linalg.solve(L, t))\n",
            "Cholesky",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n\ndef dual_ridge(K, t, lam):\n"
            "    return np.linalg.solve(K + lam, t)\n",
            why="λ on every entry",
            says="regular: ",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\ndef dual_ridge(K, t, lam):\n"
            "    n = len(t)\n"
            "    return np.linalg.solve(K + n * lam * np.eye(n), t)\n",
            why="the scale of S1",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\ndef dual_ridge(K, t, lam):\n"
            "    return np.linalg.solve(K @ K + lam * K, K @ t)\n",
            why="the zero of the gradient, solved with its factor K",
            says="singular K",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n\ndef dual_ridge(K, t, lam):\n"
            "    a = np.linalg.solve(K + lam * np.eye(len(t)), t)\n"
            "    return a.reshape(-1, 1)\n",
            why="a column of shape (n, 1)",
            says="shape",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\ndef dual_ridge(K, t, lam):\n"
            "    return 0.5 * np.linalg.solve(K + lam * np.eye(len(t)), t)\n",
            why="half of it, from the J that S0 prints",
            at_most=0,
        ),
    ),
)

CODE_LOO = CodeQuestion(
    id="code-leave-one-out",
    title="Leave-one-out without refitting",
    points=8,
    proofs=("P-02",),
    statement=r"""
Write `loo_residuals(K, t, lam)`, which returns the vector of the leave-one-out
residuals $t_i - f_{-i}(x_i)$ of kernel ridge regression, where $f_{-i}$ is fitted
without point $i$ (and with the same $\lambda$). Use the closed form of the chapter,
with one factorisation or inverse, instead of $n$ fits. `K` may be singular, and there
may be a single point: without it, the prediction is 0.
""",
    function="loo_residuals",
    signature="def loo_residuals(K, t, lam):",
    reference=refit_residuals,
    inputs=gram,
    edge_cases=EDGES,
    hints=(
        "$t_i - f_{-i}(x_i) = (t_i - f(x_i)) / (1 - H_{ii})$ with "
        "$H = K(K + \\lambda I)^{-1}$.",
        "Both $t - Ht$ and $1 - H_{ii}$ are $\\lambda$ times something that "
        "$(K + \\lambda I)^{-1}$ knows: the quotient is "
        "$a_i / [(K + \\lambda I)^{-1}]_{ii}$.",
    ),
    references=(
        Reference(
            "import numpy as np\n\n\n"
            "def loo_residuals(K, t, lam):\n"
            "    inverse = np.linalg.inv(K + lam * np.eye(len(t)))\n"
            "    return inverse @ t / np.diag(inverse)\n",
            "from the inverse",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def loo_residuals(K, t, lam):\n"
            "    H = np.linalg.solve(K + lam * np.eye(len(t)), K).T\n"
            "    return (t - H @ t) / (1 - np.diag(H))\n",
            "from the hat matrix",
        ),
        Reference(
            "import numpy as np\n\n\n"
            "def loo_residuals(K, t, lam):\n"
            "    mu, U = np.linalg.eigh(K)\n"
            "    a = U @ ((U.T @ t) / (mu + lam))\n"
            "    return a / (U**2 @ (1 / (mu + lam)))\n",
            "from the eigenvectors",
        ),
    ),
    mistakes=(
        Mistake(
            "import numpy as np\n\n\ndef loo_residuals(K, t, lam):\n"
            "    a = np.linalg.solve(K + lam * np.eye(len(t)), t)\n"
            "    return t - K @ a\n",
            why="the residuals of the fit on all points",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\ndef loo_residuals(K, t, lam):\n"
            "    inverse = np.linalg.inv(K + lam * np.eye(len(t)))\n"
            "    return (t - K @ inverse @ t) / np.diag(inverse)\n",
            why="two forms mixed: off by the factor λ",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\ndef loo_residuals(K, t, lam):\n"
            "    H = K @ np.linalg.inv(K + lam * np.eye(len(t)))\n"
            "    return (t - H @ t) / (1 - np.trace(H) / len(t))\n",
            why="the mean of the diagonal: generalised cross-validation",
            at_most=0,
        ),
        Mistake(
            "import numpy as np\n\n\ndef loo_residuals(K, t, lam):\n"
            "    inverse = np.linalg.inv(K)\n"
            "    A = np.linalg.inv(np.eye(len(t)) + lam * inverse)\n"
            "    return (t - A @ t) / (1 - np.diag(A))\n",
            why="inverts K",
            says="singular K",
            at_most=0.5,
        ),
        Mistake(
            "import numpy as np\n\n\ndef loo_residuals(K, t, lam):\n"
            "    out = []\n"
            "    for i in range(len(t)):\n"
            "        k = np.delete(np.delete(K, i, 0), i, 1)\n"
            "        a = np.linalg.solve(k + lam, np.delete(t, i))\n"
            "        out.append(t[i] - np.delete(K[i], i) @ a)\n"
            "    return np.array(out)\n",
            why="n fits, and λ on every entry",
            at_most=0,
        ),
    ),
)

SHEET = Sheet(
    name="01_duality",
    title="Exercises: duality",
    introduction=INTRODUCTION,
    items=(
        START,
        EXPAND,
        DUAL,
        SINGULAR_TEXT,
        SINGULAR,
        SOLUTIONS,
        USE_TEXT,
        PREDICTOR,
        PUSH,
        MAP_TEXT,
        MAP,
        LASSO,
        DUALITY_TEXT,
        CONJUGATE,
        STRONG,
        FROM_DUAL,
        CONVERSE,
        CODE_TEXT,
        CODE_DUAL,
        CODE_LOO,
    ),
)
