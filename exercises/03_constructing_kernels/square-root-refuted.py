r"""
---
kind: refutation
title: A power that is no integer
points: 4
proofs: P-33
---

If $k_1$ is a kernel, so is $(1 + k_1)^p$ for $p = 1, 2, 3, \dots$ One might hope for
all real $p > 0$. Refute this for $p = \frac12$ on $x \ge 0$:

$$
k(x, x') = \sqrt{1 + x x'} .
$$

Give three points of your own, a vector `c`, and `det`, the exact determinant of the
Gram matrix at your points, with its square roots: `det = 5 - 2*sqrt(7)`, say.

```hints
Start at $x = 0$: then the first row of $K$ is $(1, 1, 1)$.

$1 + t \mapsto \sqrt{1 + t}$ bends down, so try a $c$ that measures bending, such as
$(1, -2, 1)$.

With $0, a, b$ subtract the first row from the others: the determinant is that of a 2×2
matrix.
```

```reference 0, 1, 2
points = [[0], [1], [2]]
c = [1, -2, 1]
det = -3 - sqrt(5) - sqrt(2) + sqrt(10) + 2*sqrt(3)
```

```reference 0, 1, 3, by a Schur complement
points = [[0], [1], [3]]
c = [3, -5, 2]
det = (sqrt(2) - 1)*(sqrt(10) - 1) - (2 - 1)**2
```

```mistake at_most=0.5 says=exactly
# a rounded determinant
points = [[0], [1], [2]]
c = [1, -2, 1]
det = -0.0239
```

```mistake at_most=0.5 says="not negative"
# the determinant is right, but this c misses the negative direction
points = [[0], [1], [6]]
c = [1, -2, 1]
det = (sqrt(2) - 1)*(sqrt(37) - 1) - (sqrt(7) - 1)**2
```

```mistake at_most=0 says=outside
# outside the domain
points = [[-1], [1], [2]]
c = [1, -2, 1]
det = 0
```

```mistake at_most=0 says="not negative"
# two points cannot do
points = [[0], [1]]
c = [1, -1]
det = sqrt(2) - 1
```
"""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real, sqrt
from kernellab.grading.questions.feedback import Finding
from kernellab.kernels import Orthant

Point = tuple[Real, ...]


def root(x: Point, z: Point) -> Real:
    """√(1 + xx')."""
    return sqrt(1 + x[0] * z[0])


def determinant(K: list[list[Real]]) -> Real:
    """The determinant of a 3×3 matrix."""
    (a, b, c), (d, e, f), (g, h, i) = K
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def check_determinant(data: Mapping[str, Any]) -> list[Finding]:
    """Three points, and the determinant of their Gram matrix."""
    points, given = data["points"], data["det"]
    if len(points) != 3:
        return [Finding(False, "three points are asked for")]
    if not isinstance(given, Real):
        return [Finding(False, "det is one number")]
    K = [[root(x, z) for z in points] for x in points]
    value = determinant(K)
    if given.same(value):
        return [Finding(True, f"det K = {value} at your points")]
    close = abs(float(given) - float(value)) < 1e-3
    text = "rounded: give it exactly, with sqrt(…)" if close else "not this number"
    return [Finding(False, f"the determinant of K at your points is {text}")]


QUESTION = question(
    __file__,
    __doc__,
    formula=root,
    domain=Orthant(1),
    most_points=3,
    extra=("det",),
    also=check_determinant,
)
