r"""
---
kind: prove or refute
title: The root of an exponential
points: 2
proofs: P-27, P-33
---

On $\mathbb{R}$: $k(x, x') = \sqrt{\exp(x x')}$, a root of a kernel, as in *A
power that is no integer*.

```hints
Simplify before you decide.

$\sqrt{e^t} = e^{t/2}$. No power is needed to build it.
```

```reference an exponential
valid
k = exp(Linear()/2)
```

```reference a Gaussian with weights
valid
f(x) = exp(x**2/4)
k = Gaussian(sigma=sqrt(2)).weighted(f)
```

```mistake at_most=0 says="not negative"
# the witness of another function
invalid
points = [0, 1, 2]
c = [1, -2, 1]
```

```mistake at_most=0 says="may not"
# by a power: not allowed here
valid
k = sqrt(exp(Linear()))
```

```mistake at_most=0 says="the values differ"
# the square in place of the root
valid
k = exp(2*Linear())
```
"""

from kernellab.grading.authoring import question
from kernellab.grading.questions.constructions import Construction
from kernellab.grading.questions.exact import Real, exp

Point = tuple[Real, ...]


def root_of_exp(x: Point, z: Point) -> Real:
    """√exp(xx')."""
    return exp(x[0] * z[0] / 2)


QUESTION = question(
    __file__,
    __doc__,
    formula=root_of_exp,
    valid=True,
    rules=Construction(forbid=("Power",)),
)
