r"""
---
kind: code
title: Distances that nobody can see
points: 4
proofs: own
signature: def squared_distances(K):
---

A kernel knows how far two points are from each other in its feature space, even where
nobody can write that space down. Write `squared_distances(K)`. It is given the Gram
matrix $K_{ij} = k(x_i, x_j)$ of $n$ points and returns the $n \times n$ matrix of the
squared distances $\|\varphi(x_i) - \varphi(x_j)\|^2$.

```hints
Multiply out $\langle \varphi(x_i) - \varphi(x_j),\ \varphi(x_i) - \varphi(x_j)\rangle$.
Three inner products remain.

The squared lengths $k(x_i, x_i)$ stand on the diagonal, `np.diag(K)`. With
`[:, None]` a vector becomes a column.
```

```reference by broadcasting
import numpy as np


def squared_distances(K):
    lengths = np.diag(K)
    return lengths[:, None] + lengths - 2 * K
```

```reference with loops
import numpy as np


def squared_distances(K):
    n = len(K)
    D = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            D[i, j] = K[i, i] - 2 * K[i, j] + K[j, j]
    return D
```

```reference by the features of an eigendecomposition
import numpy as np


def squared_distances(K):
    mu, U = np.linalg.eigh(K)
    Phi = U * np.sqrt(np.maximum(mu, 0))
    return np.sum((Phi[:, None] - Phi[None]) ** 2, axis=2)
```

```mistake at_most=0.5
# right only where all lengths are 1, as for a Gaussian
def squared_distances(K):
    return 2 - 2 * K
```

```mistake at_most=0.5
# distances of the rows of K, not of the features
import numpy as np


def squared_distances(K):
    return np.sum((K[:, None] - K[None]) ** 2, axis=2)
```

```mistake at_most=0.5
# the root is taken
import numpy as np


def squared_distances(K):
    lengths = np.diag(K)
    return np.sqrt(np.maximum(lengths[:, None] + lengths - 2 * K, 0))
```

```mistake at_most=0.5
# the mixed term counts twice
import numpy as np


def squared_distances(K):
    lengths = np.diag(K)
    return lengths[:, None] + lengths - K
```
"""

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases
from kernellab.kernels import Gaussian


def squared_distances(K: np.ndarray) -> np.ndarray:
    """The reference of `distances-from-a-gram`: k(x, x) − 2k(x, z) + k(z, z)."""
    lengths = np.diag(K)
    return np.add.outer(lengths, lengths) - 2 * K


def gram(rng: np.random.Generator, size: int) -> tuple[np.ndarray]:
    """A Gram matrix of small integer features."""
    Phi = rng.integers(-3, 4, (size, 3)).astype(float)
    return (Phi @ Phi.T,)


def gaussian(rng: np.random.Generator, size: int) -> tuple[np.ndarray]:
    """A Gaussian kernel: no finite list of features behind it."""
    return (Gaussian(sigma=1.0)(rng.normal(size=(size, 2))),)


QUESTION = question(
    __file__,
    __doc__,
    reference=squared_distances,
    inputs=gram,
    edge_cases=(
        Cases("a Gaussian kernel", gaussian, count=2),
        Cases("one point", gram, count=1, smallest=1),
    ),
)
