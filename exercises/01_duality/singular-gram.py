r"""
---
kind: values
title: Three points, one feature
points: 6
proofs: P-02
---

Three points have a single feature, $\varphi(x_1) = 1$, $\varphi(x_2) = 1$,
$\varphi(x_3) = 2$, so that

$$
\Phi = \begin{pmatrix} 1 \\ 1 \\ 2 \end{pmatrix}, \qquad
K = \begin{pmatrix} 1 & 1 & 2 \\ 1 & 1 & 2 \\ 2 & 2 & 4 \end{pmatrix}, \qquad
t = \begin{pmatrix} 3 \\ -1 \\ 3 \end{pmatrix} .
$$

For $\lambda = 2$ give, exactly,

- `a`, the vector $(K + \lambda I)^{-1} t$;
- `w`, the weight that belongs to it, a number;
- `J`, the least value of the criterion;
- `dim`, the dimension of $\ker K$;
- `b`, another minimiser of $J(\Phi^\top a)$, in which only *one* of the three
  coefficients is not 0;
- `unique_a`, `unique_w` and `unique_f`, `yes` or `no`: are the coefficients, the
  weight, the predictions the same for all minimisers?

```values
a = [1, -1, 1/2]
  exact: yes
  weight: 2
  trap [1/2, -1/2, 1/4]: this is half of it: was the factor 2 of the cross term lost?
  trap [7/18, -5/18, 5/18]: this is (K + nλI)⁻¹t, for a mean of squares; here they are
    summed
  trap [3, -1, 3]: this is t
w = 1
  trap 4/3: this is least squares without a penalty, λ = 0
J = 11
  trap 9: the penalty is missing
  trap 2: this is the penalty alone
dim = 2
  trap 1: this is the rank of K
b
unique_a = no
  choices: yes, no
  weight: 0.5
unique_w = yes
  choices: yes, no
  weight: 0.5
unique_f = yes
  choices: yes, no
  weight: 0.5
```

```hints
$K = v v^\top$ with $v = \Phi$. What does $K$ do to $v$, and to a vector orthogonal to
$v$?

Split $t$ into a multiple of $v$ and the rest: $K + \lambda I$ multiplies the first by
$v^\top v + \lambda = 8$ and the second by 2.

All minimisers have the same $w = \Phi^\top a = a_1 + a_2 + 2a_3$.
```

```reference the third point alone
a = [1, -1, 1/2]
w = 1
J = 11
dim = 2
b = [0, 0, 1/2]
unique_a = no
unique_w = yes
unique_f = yes
```

```reference the first point alone
a = [1, -1, 0.5]
w = 1
J = 9 + 2*1
dim = 2
b = [1, 0, 0]
unique_a = no; unique_w = yes; unique_f = yes
```

```mistake on="the third point alone" at_most=0.6 says="a mean of squares"
# K + nλI in the wrong scale
1: a = [7/18, -5/18, 5/18]
2: w = 2/3
5: b = [0, 0, 1/3]
```

```mistake on="the third point alone" at_most=0.7 says="the penalty is missing"
# the penalty forgotten, the rank for the dimension, w not unique
3: J = 9
4: dim = 1
5: b = [0, 1, 0]
7: unique_w = no
8: unique_f = no
```

```mistake on="the third point alone" at_most=0.8 says="3 of its entries are not 0"
# a minimiser that is not sparse; a called unique beside another
5: b = [2, -2, 1/2]
6: unique_a = yes
```

```mistake on="the third point alone" at_most=0.6 says="the factor 2"
# half of the solution
1: a = [1/2, -1/2, 1/4]
2: w = 1/2
5: b = [1/2, 0, 0]
```
"""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real, dot
from kernellab.grading.questions.feedback import Finding

SINGULAR_PHI = (1, 1, 2)


def check_other_minimiser(data: Mapping[str, Any]) -> list[Finding]:
    """b has one entry that is not 0, and Φᵀb = w = 1."""
    b = data["b"]
    if not isinstance(b, tuple) or len(b) != 3 or not all(
        isinstance(entry, Real) for entry in b
    ):  # fmt: skip
        return [Finding(False, "b: a vector of three numbers is asked for")]
    entries = sum(not entry.same(0) for entry in b)
    if not dot(SINGULAR_PHI, b).same(1):
        return [Finding(False, "b: this is not a minimiser, since Φᵀb is not w")]
    if entries != 1:
        text = f"b: a minimiser, but {entries} of its entries are not 0"
        return [Finding(False, text)]
    return [Finding(True, "b: a minimiser with one coefficient", share=1.0)]


QUESTION = question(
    __file__,
    __doc__,
    check=check_other_minimiser,
    check_weight=1.5,
)
