r"""
---
kind: values
title: What two points see, and what they do not
points: 6
proofs: P-35
---

A kernel has $k(x,x) = 4$ and $k(x',x') = 9$. Give

- `largest`, the largest value that $k(x,x')$ can have;
- `near` and `far`, the smallest and the largest distance that $\varphi(x)$ and
  $\varphi(x')$ can have, $\|\varphi(x) - \varphi(x')\|^2 = k(x,x) - 2k(x,x') +
  k(x',x')$;
- `zero`, the value of $k(x,x')$ if it turns out that $k(x,x) = 0$ after all.

The inequality looks at two points at a time. At three points it is not enough. In

$$
K = \begin{pmatrix} 1 & s & 0 \\ s & 1 & s \\ 0 & s & 1 \end{pmatrix}
$$

every pair satisfies it as long as $|s| \le 1$. Give

- `s`, the largest $s$ for which $K$ is positive semi-definite;
- `c`, three numbers with $c^\top K c < 0$ for $s = 1$.

```values
largest = 6
  trap 36: this is the bound for the square
  trap 13/2: this is the bound from c = (1, -1), which is weaker
near = 1
  trap 0: vectors of different length cannot coincide
far = 5
  trap 25: this is the square of the distance
  trap sqrt(13): this is for k(x,x') = 0; it can be negative
zero = 0
s = sqrt(2)/2
  exact: yes
  weight: 1.5
  trap 1: at s = 1 the determinant is negative
  trap 1/2: too careful
c
```

```hints
$\varphi(x)$ and $\varphi(x')$ are vectors of lengths 2 and 3.

The determinant of the $3 \times 3$ matrix is $1 - 2s^2$.

For `c`, the first and the last point pull together against the one between.
```

```reference integers
largest = 6
near = 1
far = 5
zero = 0
s = sqrt(2)/2
c = [1, -1, 1]
```

```reference the eigenvector
largest = sqrt(4*9); near = 3 - 2; far = 3 + 2; zero = 0
s = 1/sqrt(2)
c = [1, -sqrt(2), 1]
```

```reference by the formula for the distance
largest = 6
near = sqrt(4 - 12 + 9)
far = sqrt(4 + 12 + 9)
zero = 0
s = sqrt(1/2)
c = [2, -3, 2]
```

```mistake on=integers at_most=0.7 says="the bound for the square"
# the square, and two points for three
1: largest = 36
5: s = 1
```

```mistake on=integers at_most=0.8 says="is not negative"
# a vector that sees nothing
6: c = [1, 1, 1]
```

```mistake at_most=0.4 says=weaker
# the weaker inequality, a rounded root, and cᵀKc = -2 only by luck
largest = 13/2
near = 0
far = sqrt(13)
zero = 3
s = 0.7071
c = [1, -2, 1]
```

```mistake on=integers at_most=0.7 says="three numbers"
# a square for a distance, and two numbers for three
3: far = 25
6: c = [1, -1]
```
"""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real, quadratic_form
from kernellab.grading.questions.feedback import Finding


def check_witness(data: Mapping[str, Any]) -> list[Finding]:
    """c⊤Kc < 0 for the chain of three points with s = 1."""
    c = data["c"]
    if not isinstance(c, tuple) or len(c) != 3:
        return [Finding(False, "`c`: three numbers are asked for")]
    chain = [[Real(int(abs(i - j) <= 1)) for j in range(3)] for i in range(3)]
    form = quadratic_form(c, chain)
    negative = form.sign() == -1
    verb = "is" if negative else "is not"
    return [Finding(negative, f"cᵀKc {verb} negative for s = 1", 1.0)]


QUESTION = question(
    __file__,
    __doc__,
    check=check_witness,
    check_weight=1.5,
)
