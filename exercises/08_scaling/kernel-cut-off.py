r"""
---
kind: refutation
title: A kernel cut off
points: 4
proofs: P-34
---

Far points have small kernel values. It is tempting to set these to zero, so that $K$
becomes sparse, and $n$ points with a few neighbours each take a few times $n$ numbers.
For the kernel $\exp(-|x - x'|/3)$ on the line, cut off beyond the distance 1, this is

$$
k(x, x') = \begin{cases} \exp(-|x - x'|/3) & \text{if } |x - x'| \le 1, \\
0 & \text{otherwise.} \end{cases}
$$

Refute that it is a kernel, with at most three points: give `points` and `c` with
$c^\top K c < 0$. (To *multiply* by a kernel that is zero beyond some distance, such as
$\max(0, 1 - |x - x'|)$, is allowed, and makes $K$ just as sparse: Schur.)

```hints
The middle one of three points should be a neighbour of both others, which are no
neighbours of each other. Let the neighbours be as far away as they may be.

At $0, 1, 2$ the Gram matrix is
$\left(\begin{smallmatrix} 1 & s & 0 \\ s & 1 & s \\ 0 & s & 1 \end{smallmatrix}\right)$
with $s = e^{-1/3}$, which is about 0.717. Nearer neighbours give a larger $s$, and then
it is easier.

Its smallest eigenvalue is $1 - \sqrt2\,s$, with the eigenvector $(1, -\sqrt2, 1)$.
Fractions near $\sqrt2$ will do as well.
```

```reference the eigenvector
points = [0, 1, 2]
c = [1, -sqrt(2), 1]
```

```reference integers
points = [[0], [1], [2]]
c = [5, -7, 5]
```

```reference points nearer to each other
points = [0, 3/5, 6/5]
c = [1, -3/2, 1]
```

```mistake at_most=0 says="not negative"
# the right signs, not the right sizes
points = [0, 1, 2]
c = [1, -1, 1]
```

```mistake at_most=0 says="not negative"
# a second difference misses it on the other side
points = [0, 1, 2]
c = [1, -2, 1]
```

```mistake at_most=0 says="not negative"
# all points are neighbours: nothing is cut off
points = [0, 1/2, 1]
c = [1, -sqrt(2), 1]
```

```mistake at_most=0 says="at most 3 points"
# more points than allowed
points = [0, 1, 2, 3]
c = [1, -1, 1, -1]
```
"""

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real, exp
from kernellab.grading.questions.intervals import NoValue


def cut_off(x: tuple[Real, ...], z: tuple[Real, ...]) -> Real:
    """exp(−|x − x'|/3) up to a distance of 1, and 0 beyond."""
    distance = abs(x[0] - z[0])
    side = (distance - 1).sign()
    if side is None:
        raise NoValue("is their distance 1, or a little more?")
    return exp(-distance / 3) if side <= 0 else Real(0)


QUESTION = question(
    __file__,
    __doc__,
    formula=cut_off,
    most_points=3,
)
