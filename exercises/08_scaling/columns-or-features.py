r"""
---
kind: values
title: Projected columns are another matter
points: 6
proofs: P-23
---

One might read "orthogonal projection on the first $r$ columns" in $\mathbb{R}^n$:
let $Q$ be an orthonormal basis of the span of the first $r$ columns of $K$, and project
all columns on it, which gives $QQ^\top K$. Show that this is not what we want. Take
$r = 1$, so that $Q$ is the first column divided by its length. Give

- `smallest`, the smallest $n$ for which $QQ^\top K$ can fail to be symmetric;
- for this $n$ a Gram matrix `K` of your own (symmetric, positive semi-definite) for
  which $QQ^\top K$ is **not symmetric**, for example as `K = [[1, 0], [0, 1]]`;
- `M` $= QQ^\top K$ and `N` $= K_{nr}K_{rr}^{-1}K_{rn}$, both for your $K$, exactly.

Then for all $K$ of full rank with $n = 1000$ and $r = 50$:

- `read_columns` and `read_features`: how many entries of $K$ have to be known for
  $QQ^\top K$, and how many for Nyström's $\hat K$? (Count the entries of the matrices
  that stand in the formulas, symmetry left aside.)
- `cost_columns`: how many multiplications do the two products $Q^\top K$ and then
  $Q(Q^\top K)$ take, and `factor`, how many times as many is that as $nr^2$?
- `nearer`: which of the two is nearer to $K$, if the distance is the sum of the squared
  entries of the difference; `columns` or `features`?
- `gram`: which of the two is always the Gram matrix of some points, `columns` or
  `features`?

```values
smallest = 2
  weight: 0.5
  trap 1: a 1×1 matrix is symmetric
  trap 3: two points are enough
K
M
N
read_columns = 1000000
  trap 50000: the product QᵀK needs all columns of K
read_features = 50000
  trap 52500: K_rr is a part of K_nr
  trap 1000000: this is all of K
  trap 2500: this is K_rr alone
cost_columns = 100000000
  trap 50000000: this is one of the two products
  trap 2500000: this is nr²; but all of K is multiplied here
factor = 40
  weight: 0.5
  trap 20: there are two products
nearer = columns
  choices: columns, features
  weight: 0.5
  trap features: QQᵀK is the nearest of all matrices whose columns lie in the span of
    the first r; those of K̂ lie there, too
gram = features
  choices: columns, features
  weight: 0.5
  trap columns: a Gram matrix is symmetric
```

```hints
With $K = \begin{pmatrix} a & b \\ b & c \end{pmatrix}$ the first column is
$q = (a, b)$, and $QQ^\top K = \frac{1}{a^2 + b^2}\, q\, (q^\top K)$.

The entry below the diagonal is $b$ again. The one above is $ab(a + c)/(a^2 + b^2)$.
When are they equal?

They are equal if $b = 0$, or if $ac = b^2$. Take a $K$ without zeros that is
invertible. For `N`, divide the product of the first column and the first row by $a$.
```

```reference small integers
smallest = 2
K = [[1, 1], [1, 2]]  # any K with b not 0 and a c > b**2 will do
M = [[1, 3/2], [1, 3/2]]  # q = (1, 1), and q K = (2, 3), divided by 2
N = [[1, 1], [1, 1]]
read_columns = 1000000
read_features = 50000
cost_columns = 100000000  # 2 n**2 r
factor = 40  # 2 n / r
nearer = columns  # nearer, but no Gram matrix
gram = features
```

```reference another matrix
smallest = 2; K = [[2, 1], [1, 2]]; M = [[2, 8/5], [1, 4/5]]
N = [[2, 1], [1, 1/2]]; read_columns = 1000**2; read_features = 1000*50
cost_columns = 2*1000**2*50; factor = 2*1000/50
nearer = columns; gram = features
```

```reference fractions
smallest = 2
K = [[1, -1/2], [-1/2, 1]]
M = [[1, -4/5], [-1/2, 2/5]]
N = [[1, -1/2], [-1/2, 1/4]]
read_columns = 1e6
read_features = 5e4
cost_columns = 1e8
factor = 40
nearer = columns
gram = features
```

```mistake on="small integers" at_most=0.85 says="QQᵀK is symmetric for it"
# a diagonal matrix: both projections agree
2: K = [[2, 0], [0, 1]]
3: M = [[2, 0], [0, 0]]
4: N = [[2, 0], [0, 0]]
7: cost_columns = 100000000
8: factor = 40
9: nearer = columns
```

```mistake on="small integers" at_most=0.7 says="a negative eigenvalue"
# no Gram matrix
2: K = [[1, 2], [2, 1]]
3: M = [[1, 4/5], [2, 8/5]]
4: N = [[1, 2], [2, 4]]
7: cost_columns = 100000000
8: factor = 40
9: nearer = columns
```

```mistake on="small integers" at_most=0.6 says="M: this is Nyström's"
# the two are exchanged, and the cost is S1's
2: K = [[1, 1], [1, 2]]
3: M = [[1, 1], [1, 1]]
4: N = [[1, 3/2], [1, 3/2]]
5: read_columns = 50000
7: cost_columns = 2500000
8: factor = 1
9: nearer = features
```

```mistake on="small integers" at_most=0.4 says="two points are enough"
# three points, and one product
1: smallest = 3
2: K = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]
3: M = [[1, 1], [1, 1]]
6: read_features = 52500
7: cost_columns = 50000000
8: factor = 20
9: nearer = columns
10: gram = columns
```
"""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real, is_psd
from kernellab.grading.questions.feedback import Finding


def _matrix(data: Any) -> list[list[Real]] | None:
    """A 2×2 matrix of numbers, or None."""
    rows = [row if isinstance(row, tuple) else () for row in data]
    entries = [x for row in rows for x in row if isinstance(x, Real)]
    square = [len(row) for row in rows] == [2, 2] and len(entries) == 4
    return [entries[:2], entries[2:]] if square else None


def _equal(A: list[list[Real]], B: list[list[Real]]) -> bool:
    return all(a.same(b) for x, y in zip(A, B, strict=True)
               for a, b in zip(x, y, strict=True))  # fmt: skip


def projected_columns(K: list[list[Real]]) -> list[list[Real]]:
    """QQᵀK, where Q is the first column of K, divided by its length."""
    q = [K[0][0], K[1][0]]
    square = q[0] * q[0] + q[1] * q[1]
    row = [q[0] * K[0][j] + q[1] * K[1][j] for j in (0, 1)]
    return [[x * y / square for y in row] for x in q]


def projected_features(K: list[list[Real]]) -> list[list[Real]]:
    """Nyström's approximation with the first point as its landmark."""
    return [[K[i][0] * K[0][j] / K[0][0] for j in (0, 1)] for i in (0, 1)]


def check_columns(data: Mapping[str, Any]) -> list[Finding]:
    """A Gram matrix of two points, and both projections of it."""
    K, M, N = (_matrix(data[name]) for name in "KMN")
    if K is None:
        return [Finding(False, "K: a 2×2 matrix such as [[1, 0], [0, 1]] is asked for")]
    if not K[0][1].same(K[1][0]):
        return [Finding(False, "K: a Gram matrix is symmetric, this one is not")]
    if not is_psd(K):
        return [Finding(False, "K: it has a negative eigenvalue, so no points have it")]
    if K[0][0].sign() == 0:
        return [Finding(False, "K: its first column is zero, there is no projection")]
    right = projected_columns(K)
    differ = not right[0][1].same(right[1][0])
    return [
        Finding(differ, "K: a Gram matrix, and QQᵀK is not symmetric", 2.0)
        if differ
        else Finding(False, "K: a Gram matrix, but QQᵀK is symmetric for it", 2.0),
        _projection("M", "QQᵀK", M, right, "Nyström's", projected_features(K)),
        _projection("N", "Nyström's", N, projected_features(K), "QQᵀK", right),
    ]


def _projection(name: str, words: str, given: list[list[Real]] | None,
                right: list[list[Real]], others: str,
                other: list[list[Real]]) -> Finding:  # fmt: skip
    if given is None:
        return Finding(False, f"{name}: a 2×2 matrix is asked for", 1.0)
    if _equal(given, right):
        return Finding(True, f"{name}: {words}, for your K", 1.0)
    if _equal(given, other):
        return Finding(False, f"{name}: this is {others}", 1.0)
    return Finding(False, f"{name}: not {words}, for your K", 1.0)


QUESTION = question(
    __file__,
    __doc__,
    check=check_columns,
    check_weight=3.0,
)
