r"""
---
kind: refutation
title: A Gaussian of blocks
points: 4
proofs: own
---

In a city one walks along the streets, and the distance of two places in the plane is
$\|x - x'\|_1 = |x_1 - x_1'| + |x_2 - x_2'|$. Somebody puts it into a Gaussian,

$$
k(x, x') = \exp\bigl( -\|x - x'\|_1^2 / 2 \bigr) .
$$

All values lie between 0 and 1, and $k(x, x) = 1$. Refute it, with at most four points
of the plane.

```hints
On a line, horizontal or vertical, it is the Gaussian, and that is a kernel. Use both
directions.

Where does the city-block distance differ most from the straight one? Between opposite
corners of a block. Take all four corners.

The block must not be too large. Which signs of $c$ make the neighbours count negatively
and the opposite corners positively?
```

```reference a block of side one
points = [[0, 0], [1, 0], [1, 1], [0, 1]]
c = [1, -1, 1, -1]
```

```reference a smaller block, in another order
points = [[0, 0], [1/2, 1/2], [0, 1/2], [1/2, 0]]
c = [1, 1, -1, -1]
```

```reference an oblong block
points = [[0, 0], [1, 0], [1, 1/2], [0, 1/2]]
c = [1, -1, 1, -1]
```

```mistake at_most=0 says="not negative"
# the block is too large
points = [[0, 0], [2, 0], [2, 2], [0, 2]]
c = [1, -1, 1, -1]
```

```mistake at_most=0 says="not negative"
# the signs change on two sides only
points = [[0, 0], [1, 0], [1, 1], [0, 1]]
c = [1, 1, -1, -1]
```

```mistake at_most=0 says="not negative"
# on a line it is the Gaussian
points = [[0, 0], [1, 0], [2, 0], [3, 0]]
c = [1, -2, 2, -1]
```

```mistake at_most=0 says="not negative"
# three corners are not enough with these signs
points = [[0, 0], [1, 0], [1, 1]]
c = [1, -1, 1]
```
"""

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real, exp
from kernellab.kernels import Reals

Point = tuple[Real, ...]


def city_block_gaussian(x: Point, z: Point) -> Real:
    """exp(−‖x − x'‖₁²/2), in the plane."""
    return exp(-((abs(x[0] - z[0]) + abs(x[1] - z[1])) ** 2) / 2)


QUESTION = question(
    __file__,
    __doc__,
    formula=city_block_gaussian,
    domain=Reals(2),
    most_points=4,
)
