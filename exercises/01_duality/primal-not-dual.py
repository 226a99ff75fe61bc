r"""
---
kind: values
title: The converse is false
points: 5
proofs: P-13
---

Squared loss, $g(u) = \frac1{2n}\|y - u\|^2$, two points with a single feature:

$$
\Phi = \begin{pmatrix} 1 \\ 2 \end{pmatrix}, \qquad
K = \begin{pmatrix} 1 & 2 \\ 2 & 4 \end{pmatrix}, \qquad
y = \begin{pmatrix} 4 \\ 3 \end{pmatrix}, \qquad \lambda = \frac52, \qquad n = 2 .
$$

Here $D(\alpha) = \lambda\,\alpha^\top y - \frac{n\lambda^2}2\|\alpha\|^2 -
\frac\lambda2\,\alpha^\top K\alpha$. Give, exactly,

- `alpha`, the solution of (D), and `value`, the common value of (P) and (D);
- `z`, a vector with $Kz = 0$ whose first entry is 2;
- `b`, a point of your choice that is optimal for (P) but not for (D), with its values
  `P_b` $= P(b)$ and `D_b` $= D(b)$.

```values
alpha = [3/5, 1/5]
  exact: yes
  weight: 1.5
  trap [16/15, 2/15]: this is for K + λI; the squares are averaged here, so n enters
value = 15/4
  exact: yes
z = [2, -1]
  weight: 0.5
b
P_b
D_b
```

```hints
$\alpha = (K + n\lambda I)^{-1}y$, and $K = vv^\top$ with $v = \Phi$. Split $y$ into a
multiple of $v$ and the rest.

The common value is $\frac\lambda2\,y^\top\alpha$.

$\alpha + cz$ has the same $w$ and the same predictions. What does (D) charge for its
length?
```

```reference one coefficient is zero
alpha = [3/5, 1/5]
value = 15/4
z = [2, -1]
b = [1, 0]
P_b = 15/4
D_b = 5/2
```

```reference α + z
alpha = [3/5, 1/5]
value = 5/4*3
z = [2, -1]
b = [3/5 + 2, 1/5 - 1]
P_b = 15/4
D_b = 15/4 - 5*25/4
```

```mistake on="one coefficient is zero" at_most=0.7 says="n enters"
# K + λI; and D taken to be constant along the kernel
1: alpha = [16/15, 2/15]
6: D_b = 15/4
```

```mistake on="one coefficient is zero" at_most=0.8 says="does not show the converse"
# b is α itself
4: b = [3/5, 1/5]
6: D_b = 15/4
```

```mistake on="one coefficient is zero" at_most=0.5 says="not optimal for (P)"
# z along Φ instead of orthogonal to it
3: z = [2, 4]
4: b = [13/5, 21/5]
6: D_b = 15/4
```
"""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real, dot, norm2
from kernellab.grading.questions.feedback import Finding

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


QUESTION = question(
    __file__,
    __doc__,
    check=check_converse,
    check_weight=2,
)
