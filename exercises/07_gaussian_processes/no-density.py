r"""
---
kind: values
title: A Gaussian without a density
points: 5
proofs: P-59
---

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

```values
var_w = 1/4
  weight: 0.5
  trap 4: α is the precision, the inverse of the variance
K = [[1/4, 1/4, 1/4], [1/4, 1/2, 3/4], [1/4, 3/4, 5/4]]
  weight: 1.5
  trap [[4, 4, 4], [4, 8, 12], [4, 12, 20]]: divide by α, not multiply
  trap [[1, 1, 1], [1, 2, 3], [1, 3, 5]]: α is missing
correlation = 1/sqrt(5)
  exact: yes
  trap 1/4: this is the covariance
  trap 1/5: divide by standard deviations, not variances
rank = 2
  trap 3: two weights make three values
z
density = no
  choices: yes, no
  trap yes: all values lie in a plane, whose volume is zero
mean = 5
  trap 0: two points fix the line
  trap 4: go on along the line
var = 0
  trap 5/4: this is the variance before anything is known
noisy = 3
  trap 2: K + σ²I has no eigenvalue below σ²
```

```hints
$k(x, x') = \frac14 (1 + x x')$.

Through two points there is one line. What does that say about the third value?

On a line the value in the middle is $y(1) = \frac12(y(0) + y(2))$.
```

```reference numbers
var_w = 1/4
K = [[1/4, 1/4, 1/4], [1/4, 1/2, 3/4], [1/4, 3/4, 5/4]]
correlation = 1/sqrt(5)
rank = 2
z = [1, -2, 1]
density = no
mean = 5
var = 0
noisy = 3
```

```reference with the arithmetic
var_w = 0.25; K = [[1/4, 1/4, 1/4], [1/4, 2/4, 3/4], [1/4, 3/4, 5/4]]
correlation = (1/4)/sqrt(1/4*5/4); rank = 2; z = [-1/2, 1, -1/2]
density = no; mean = 1 + 2*2; var = 0; noisy = 3
```

```mistake on=numbers at_most=0.8 says="the inverse of the variance"
# precision and variance exchanged, as printed
1: var_w = 4
2: K = [[4, 4, 4], [4, 8, 12], [4, 12, 20]]
```

```mistake on=numbers at_most=0.5 says="whose volume is zero"
# a density is taken for granted
3: correlation = 1/5
4: rank = 3
5: z = [0, 0, 0]
6: density = yes
7: mean = 0
8: var = 5/4
```

```mistake on=numbers at_most=0.5 says="α is missing"
# α forgotten, and other slips
2: K = [[1, 1, 1], [1, 2, 3], [1, 3, 5]]
3: correlation = 0.447
5: z = [1, -1, 1]
7: mean = 4
9: noisy = 2
```
"""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real
from kernellab.grading.questions.feedback import Finding


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


QUESTION = question(
    __file__,
    __doc__,
    check=check_silent,
    check_weight=1,
)
