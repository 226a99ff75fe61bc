r"""
---
kind: prove or refute
title: A form with positive entries
points: 2
proofs: P-30
---

On $\mathbb{R}^2$: $k(x, x') = x_1 x_1' + 3\,x_1 x_2' + 3\,x_2 x_1' + 4\,x_2 x_2'$. It
is symmetric, and all its coefficients are positive.

```hints
Write it as $x^\top A\, x'$. What are the eigenvalues of $A$?

For a kernel, $k(x, x) \ge 0$ at every single point.
```

```reference one point
invalid
points = [[1, -1]]
c = [1]
```

```reference the two unit vectors
invalid
points = [[1, 0], [0, 1]]
c = [1, -1]
```

```mistake at_most=0 says="the values differ"
# coefficients ≥ 0 are not enough
valid
phi(x) = [x[0] + x[1], x[0] + x[1]]
k = FromFeatures(phi)
```

```mistake at_most=0 says=REFUTED
# the form is not PSD
valid
k = Linear(A=[[1, 3], [3, 4]])
```

```mistake at_most=0 says="not negative"
# the wrong point
invalid
points = [[1, 1]]
c = [1]
```

```mistake at_most=0 says="say why"
# no witness
invalid
```
"""

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real
from kernellab.kernels import Reals

Point = tuple[Real, ...]


def mixed_form(x: Point, z: Point) -> Real:
    """x⊤Ax' with A = [[1, 3], [3, 4]]."""
    return x[0] * z[0] + 3 * x[0] * z[1] + 3 * x[1] * z[0] + 4 * x[1] * z[1]


QUESTION = question(
    __file__,
    __doc__,
    formula=mixed_form,
    domain=Reals(2),
    valid=False,
)
