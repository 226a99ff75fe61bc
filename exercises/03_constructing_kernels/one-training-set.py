r"""
---
kind: refutation
title: One training set proves nothing
points: 4
proofs: P-34
---

Is a function a kernel if its Gram matrix *at the training set* is PSD? Take on the line

$$
k(x, x') = \begin{cases} 1 & \text{if } |x - x'| \le 1, \\ 0 & \text{else,} \end{cases}
$$

"two days are alike if they are at most one day apart". At any two points its Gram
matrix is PSD. Give

- `good`, three different points at which the Gram matrix is PSD, a training set that
  would pass;
- `points` and `c`, another training set at which it is not.

```hints
If three points are near each other, or far from each other, what is the Gram matrix?

To be near is not transitive: $x$ near $y$, $y$ near $z$, but $x$ not near $z$. Remember
the panel of tasters.
```

```reference the identity matrix, and a chain
good = [[0], [2], [4]]
points = [[0], [1], [2]]
c = [1, -1, 1]
```

```reference all ones, and a chain
good = [0, 1/2, 1]
points = [0, 1, 2]
c = [2, -3, 2]
```

```reference a pair and a stranger
good = [0, 1, 5]
points = [0, 1, 2, 3]
c = [1, -1, 1, 0]
```

```mistake at_most=0.5 says="is not PSD"
# the two sets are the same
good = [0, 1, 2]
points = [0, 1, 2]
c = [1, -1, 1]
```

```mistake at_most=0.5 says=different
# one point three times
good = [0, 0, 0]
points = [0, 1, 2]
c = [1, -1, 1]
```

```mistake at_most=0.5 says="not negative"
# two points are always innocent
good = [0, 2, 4]
points = [0, 3]
c = [1, -1]
```

```mistake at_most=0.5 says="not negative"
# not the wrong points, but the wrong vector
good = [0, 2, 4]
points = [0, 1, 2]
c = [2, -1, 2]
```
"""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real, is_psd
from kernellab.grading.questions.feedback import Finding

Point = tuple[Real, ...]


def near(x: Point, z: Point) -> Real:
    """1 if |x − x'| ≤ 1, else 0."""
    return Real(1 if (abs(x[0] - z[0]) - 1).sign() in (-1, 0) else 0)


def check_training_set(data: Mapping[str, Any]) -> list[Finding]:
    """Three different points at which the Gram matrix is PSD."""
    good = data["good"]
    points = [point if isinstance(point, tuple) else (point,) for point in good]
    if len(points) != 3 or any(len(point) != 1 for point in points):
        return [Finding(False, "good: three points of the line are asked for")]
    pairs = [(points[i], points[j]) for i in range(3) for j in range(i)]
    if any(x[0].same(z[0]) for x, z in pairs):
        return [Finding(False, "good: the three points must be different")]
    psd = is_psd([[near(x, z) for z in points] for x in points])
    verb = "is" if psd else "is not"
    return [Finding(bool(psd), f"good: the Gram matrix there {verb} PSD")]


QUESTION = question(
    __file__,
    __doc__,
    formula=near,
    extra=("good",),
    also=check_training_set,
)
