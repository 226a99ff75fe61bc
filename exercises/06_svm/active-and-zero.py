r"""
---
kind: values
title: Active, and yet zero
points: 4
proofs: P-52
---

"On the frontier, where a constraint is active, its multiplier is positive."
**Disprove it.** Minimise $f(w) = (w - c)^2$ over $w \in \mathbb{R}$, subject
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

```values
c
d
w
alpha
two
four
number = no
  choices: yes, no
  trap yes: compare two and four: the data are the same
```

```hints
Where would the minimum be without the constraint?

Kuhn and Tucker: $2(w - c) + \alpha = 0$, $\alpha\,(w - d) = 0$, $\alpha \ge 0$,
$w \le d$.

As all margins are 1, the conditions on the four multipliers are $\alpha \ge 0$,
$\sum_i \alpha_i y_i = 0$ and $\sum_i \alpha_i y_i x_i = (1, 0)$. That is three
equations.
```

```reference w² and w ≤ 0
c = 0
d = 0
w = 0
alpha = 0
two = [1/2, 0, 0, 1/2]
four = [1/4, 1/8, 1/8, 1/2]
number = no
```

```reference shifted
c = 3; d = 3; w = 3; alpha = 0; two = [0.5, 0, 0, 0.5]
four = [1/6, 1/6, 1/6, 1/2]; number = no
```

```mistake on="w² and w ≤ 0" at_most=0.8 says="does not show it"
# active, with a positive multiplier
1: c = 1
4: alpha = 2
```

```mistake on="w² and w ≤ 0" at_most=0.6 says="3 support vectors"
# not active; and three support vectors where four are asked for
1: c = -1
3: w = -1
6: four = [0, 1/4, 1/4, 1/2]
```

```mistake on="w² and w ≤ 0" at_most=0.6 says="not a solution of the dual"
# a multiple of a solution; the number of support vectors taken for a property of the
# data
6: four = [1/2, 1/4, 1/4, 1]
7: number = yes
```

```mistake on="w² and w ≤ 0" at_most=0.6 says="two: not a solution"
# multipliers for w·w without the half; and Σαy ≠ 0
5: two = [1, 0, 0, 1]
6: four = [1/4, 1/8, 1/8, 1/4]
```

```mistake on="w² and w ≤ 0" at_most=0.3 says="do not solve your problem"
# w is not the solution; negative multipliers
2: d = 1
3: w = 1
5: two = [0, 1/2, 0, 1/2]
6: four = [1, 1, -3/2, 1/2]
```
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real, dot
from kernellab.grading.questions.feedback import Finding


def _said(ok: bool, yes: str, no: str, share: float = 1.0) -> Finding:
    return Finding(ok, yes if ok else no, share)


def _numbers(value: Any, count: int) -> bool:
    """Whether it is a vector of that many numbers."""
    return (
        isinstance(value, tuple)
        and len(value) == count
        and all(isinstance(entry, Real) for entry in value)
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


QUESTION = question(
    __file__,
    __doc__,
    check=check_active,
    check_weight=4,
)
