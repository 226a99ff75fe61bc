r"""
---
kind: values
title: Infinite dimension is not enough
points: 7
proofs: P-41
---

"In a space of infinite dimension, data are always linearly separable." You will hear it
said. Refute it. Let

$$
k(x,x') = e^{x_1 x_1'} + e^{x_2 x_2'}
$$

on $\mathbb{R}^2$, with the four points $(1,1)$ and $(-1,-1)$, labelled $+1$, and
$(1,-1)$ and $(-1,1)$, labelled $-1$, in this order.

- `row`, the first row of the Gram matrix $K$, exactly (`e` is Euler's number);
- `z`, a vector $z \ne 0$ with $Kz = 0$; `rank`, the rank of $K$;
- `norm2`, the squared norm of $h = \sum_i z_i\, k(\cdot,x_i)$; `sum`, the value of
  $\sum_i z_i\, f(x_i) = \langle f, h\rangle$, the same for every $f$ in the RKHS;
- `separable`, whether some $f$ in the RKHS has the right sign at all four points
  (yes or no);
- `dim`, the dimension of the RKHS: a number, or infinite. (Look at points
  $(s_1, 0), \dots, (s_n, 0)$.)

And for the Gaussian kernel instead, yes or no:

- `gaussian`, is this exclusive or separable;
- `twice`, is it still if the point $(1,1)$ is added once more, labelled $-1$?

```values
row = [2*e, 2/e, e + 1/e, e + 1/e]
  exact: yes
  weight: 1.5
  trap [e**2, e**(-2), 1, 1]: this is the product of the two kernels
z
rank = 3
  trap 4: then no z ≠ 0 had Kz = 0
  trap 2: one eigenvalue is 0; are two?
norm2 = 0
sum = 0
separable = no
  choices: yes, no
  weight: 1.5
  trap yes: what sign would zᵢ f(xᵢ) have, at each of the four points?
dim = infinite
  choices: infinite
  trap 3: this is the rank for these four points only
  trap 4: four points cannot bound the dimension
gaussian = yes
  choices: yes, no
twice = no
  choices: yes, no
  trap yes: a function has one value at a point
```

```hints
The kernel is a sum of a kernel of $x_1$ and a kernel of $x_2$, so its functions are
$f(x) = u(x_1) + v(x_2)$.

For such a function compare $f(1,1) + f(-1,-1)$ with $f(1,-1) + f(-1,1)$.

On the first axis $k$ is $e^{s s'} + 1$, and $e^{s s'}$ is a Gaussian kernel with
weights: $e^{s^2/2}\, e^{-(s-s')^2/2}\, e^{s'^2/2}$.
```

```reference with e
row = [2*e, 2/e, e + 1/e, e + 1/e]
z = [1, 1, -1, -1]
rank = 3
norm2 = 0
sum = 0
separable = no
dim = infinite
gaussian = yes
twice = no
```

```reference with exp, and another multiple
row = [exp(1) + exp(1), exp(-1) + exp(-1), exp(1) + exp(-1), exp(1) + exp(-1)]
z = [-1/2, -1/2, 1/2, 1/2]
rank = 3
norm2 = 0
sum = 0
separable = no
dim = infinity
gaussian = yes
twice = no
```

```mistake on="with e" at_most=0.7 says="product of the two kernels"
# the product of the kernels for their sum
1: row = [e**2, e**(-2), 1, 1]
3: rank = 4
6: separable = yes
```

```mistake on="with e" says="is not zero"
# the signs in another order
2: z = [1, -1, 1, -1]
```

```mistake on="with e" at_most=0.7 says="may be zero"
# rounded, the zero vector, and the rank for the dimension
1: row = [5.4366, 0.7358, 3.0862, 3.0862]
2: z = [0, 0, 0, 0]
7: dim = 3
9: twice = yes
```

```mistake on="with e" says="what sign"
# the popular claim, against one's own computation
6: separable = yes
```
"""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real
from kernellab.grading.questions.feedback import Finding


def check_null_vector(data: Mapping[str, Any]) -> list[Finding]:
    """Kz = 0 for the exclusive or: z is a multiple of (1, 1, -1, -1), and not zero."""
    z = data["z"]
    if not isinstance(z, tuple) or len(z) != 4:
        return [Finding(False, "`z`: four numbers are asked for")]
    if all(entry.same(Real(0)) for entry in z):
        return [Finding(False, "`z`: not all of the numbers may be zero")]
    null = z[0].same(z[1]) and z[2].same(z[3]) and z[0].same(-z[2])
    return [Finding(null, f"K z {'is' if null else 'is not'} zero", 1.0)]


QUESTION = question(
    __file__,
    __doc__,
    check=check_null_vector,
    check_weight=1.5,
)
