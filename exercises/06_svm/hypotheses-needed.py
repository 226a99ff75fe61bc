r"""
---
kind: values
title: What the theorems need
points: 5
proofs: P-48, P-49
---

Five small problems, each without one of the hypotheses that are often left out.

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

```values
low
slope = 1
  trap 0: the minimum is at the end of the interval, where the derivative need not
    vanish
count = 0
  trap 1: the derivative at w = 0 is 1 + 2β·0: does any β make it 0?
beta = -1
  trap 1: 1 + β = 0
rank = 1
  trap 2: both gradients lie on the first axis
exists = no
  choices: yes, no
  trap yes: both gradients lie on the first axis; that of w₂ does not
betas
```

```hints
Where does $w \mapsto w$ have its minimum on $[1, 2]$?

The derivative of $w + \beta w^2$ is $1 + 2\beta w$, and the solution is $w = 0$, the
only admissible point.

The gradients of the circles at the origin are $(-2, 0)$ and $(2, 0)$. Can they add up
to $-(0, 1)$, or to $-(1, 0)$?
```

```reference one circle alone
low = -1/1000
slope = 1
count = 0
beta = -1
rank = 1
exists = no
betas = [1/2, 0]
```

```reference both circles
low = -0.009; slope = 1; count = 0; beta = -1; rank = 1; exists = no
betas = [1/4, -1/4]
```

```reference there are infinitely many
low = -1/101
slope = 1
count = 0
beta = -1
rank = 1
exists = no
betas = [sqrt(2) + 1/2, sqrt(2)]
```

```mistake on="one circle alone" at_most=0.4 says="at the end of the interval"
# the theorems of S3 believed
1: low = -1/2
2: slope = 0
3: count = 1
5: rank = 2
6: exists = yes
```

```mistake on="one circle alone" at_most=0.6 says="w³ is not below"
# signs
1: low = 1/1000
4: beta = 1
7: betas = [-1/2, 0]
```

```mistake on="one circle alone" at_most=0.6 says="does any β make it 0"
# a multiplier that is not there; dependent gradients taken for independent
3: count = 1
5: rank = 2
6: exists = yes
7: betas = [1/2, 1/2]
```

```mistake on="one circle alone" at_most=0.8 says="does not vanish"
# a vector for a number, and a number for a vector
1: low = [-1/1000]
7: betas = 1/2
```
"""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real
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


QUESTION = question(
    __file__,
    __doc__,
    check=check_hypotheses,
    check_weight=2,
)
