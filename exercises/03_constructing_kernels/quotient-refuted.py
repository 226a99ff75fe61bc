r"""
---
kind: refutation
title: A quotient as misprinted
points: 3
proofs: P-32
---

If $k_1/\sqrt{k_2}$ were a kernel for all kernels $k_1$ and $k_2$, so would be
$1/\sqrt{k_2}$ for the Gaussian $k_2 = \exp(-(x - x')^2/2)$. That is the function

$$
k(x, x') = \exp\bigl( (x - x')^2 / 4 \bigr) .
$$

Refute it on the line with two points.

```hints
What are the entries of the Gram matrix at two points, on the diagonal and off it? Which
is larger?

A matrix $\left(\begin{smallmatrix} 1 & s \\ s & 1 \end{smallmatrix}\right)$ with
$s > 1$ has a negative eigenvalue. To which vector?
```

```reference integers
points = [[0], [2]]
c = [1, -1]
```

```reference such that K = [[1, 2], [2, 1]]
points = [[0], [2*sqrt(log(2))]]
c = [1, -1]
```

```mistake at_most=0 says="not negative"
# the wrong sign: all entries are positive
points = [[0], [2]]
c = [1, 1]
```

```mistake at_most=0 says="cᵀKc = 0"
# the same point twice
points = [[0], [0]]
c = [1, -1]
```

```mistake at_most=0 says="not negative"
# far from the eigenvector
points = [[0], [2]]
c = [6, -1]
```

```mistake at_most=0 says=missing
# no vector
points = [[0], [2]]
```
"""

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real, exp

Point = tuple[Real, ...]


def quotient(x: Point, z: Point) -> Real:
    """1/√k₂ for the Gaussian k₂ of width 1."""
    return exp((x[0] - z[0]) ** 2 / 4)


QUESTION = question(
    __file__,
    __doc__,
    formula=quotient,
    most_points=2,
)
