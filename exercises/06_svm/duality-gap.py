r"""
---
kind: values
title: A convex problem with a gap
points: 5
proofs: P-50
---

Is it enough to have a convex set $\Omega$, a convex $f$ with continuous derivatives,
and affine constraints? All this holds for

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

```values
w2 = 0
primal = 1
  trap 0: with w₃ ≤ 0 the root is at most w₁: what is left for w₂?
point
dual = 0
  trap 1: this is the value of the primal problem; for a fixed α, w₂ can grow while w₃
    tends to 0
gap = 1
  trap 0: so it would be if this were enough; compare the two values above
attained = no
  choices: yes, no
  weight: 0.5
  trap yes: both terms are ≥ 0 on Ω, and the first is never 0
inner = no
  choices: yes, no
  weight: 0.5
  trap yes: in the interior the root is smaller than w₁ + w₃, not equal: can w₃ be 0 or
    less?
relaxed = 0
  trap 1: now w₂ can be as large as one likes, if w₁ is still larger
```

```hints
On $\Omega$, $w_3 \ge \sqrt{w_1^2 + w_2^2} - w_1 \ge 0$. When is it 0?

$\sqrt{w_1^2 + w_2^2} - w_1$ is about $w_2^2/(2w_1)$ if $w_1$ is large. For `point`,
choose $w_2$ first, then a large $w_1$, then $w_3$; it may be larger than it need be.

On $\Omega$, $e^{-w_2} + \alpha w_3$ is positive. How small can it be?
```

```reference a rational point
w2 = 0
primal = 1
point = [1000, 3, 1/100]
dual = 0
gap = 1
attained = no
inner = no
relaxed = 0
```

```reference a point on the boundary
w2 = 0; primal = 1; point = [800, 4, sqrt(640016) - 800]
dual = 0; gap = 1 - 0; attained = no; inner = no; relaxed = 0
```

```reference far away
w2 = 0
primal = exp(0)
point = [10**6, 10, 1/1000]
dual = 0
gap = 1
attained = no
inner = no
relaxed = 0
```

```mistake on="a rational point" at_most=0.5 says="L is not below 1/10"
# strong duality believed
3: point = [1, 0, 0]
4: dual = 1
5: gap = 0
6: attained = yes
8: relaxed = 1
```

```mistake on="a rational point" at_most=0.6 says="it is not in Ω"
# a point that is not in Ω, and a primal value that is not attained
2: primal = 0
3: point = [1000, 3, 0]
5: gap = 0
7: inner = yes
```

```mistake on="a rational point" at_most=0.8 says="three numbers"
# a point of the plane; an infimum taken for a minimum
3: point = [1000, 3]
6: attained = yes
```

```mistake on="a rational point" at_most=0.7 says="it is not in Ω"
# the wrong end of the axis
3: point = [-1000, 3, 1/100]
8: relaxed = 1
```
"""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real, exp
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


QUESTION = question(
    __file__,
    __doc__,
    check=check_gap,
    check_weight=1.5,
)
