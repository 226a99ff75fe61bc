r"""
---
kind: code
title: Draw functions from a kernel
points: 6
proofs: own
signature: def draw(K, m, Z):
---

A Gaussian process is easier to believe in once you have seen some of its functions. To
draw one at $n$ points you need white noise $z \sim \mathcal{N}(0, I)$ and a root of the
covariance: if $RR^\top = K$, then $m + Rz$ has the mean $m$ and the covariance $K$.
There are many such roots. Take the symmetric one here: the positive semi-definite $R$
with $RR = K$.

Write `draw(K, m, Z)`. It is given a Gram matrix $K$ of size $n \times n$, the mean at
the $n$ points, an array `m`, and white noise `Z` with a row of $n$ numbers per function
to draw. Return an array of the shape of `Z`, whose rows are $m + Rz$ for the rows $z$
of `Z`.

The function has to work on fine grids, too. There $K$ is singular, or so nearly
singular that rounding makes some eigenvalues slightly negative.

```hints
With $K = U \operatorname{diag}(\mu)\, U^\top$ the symmetric root is
$R = U \operatorname{diag}(\sqrt{\mu})\, U^\top$. `np.linalg.eigh` gives $\mu$ and $U$.

What does `np.sqrt` return for $-10^{-17}$?

Functions are rows: $(Rz)^\top = z^\top R$, as $R$ is symmetric.
```

```reference by eigenvalues
import numpy as np


def draw(K, m, Z):
    mu, U = np.linalg.eigh(K)
    R = (U * np.sqrt(np.maximum(mu, 0))) @ U.T
    return m + Z @ R
```

```reference by singular values, function by function
import numpy as np


def draw(K, m, Z):
    U, s, _ = np.linalg.svd((K + K.T) / 2)
    R = U @ np.diag(np.sqrt(s)) @ U.T
    return np.array([m + R @ z for z in Z])
```

```mistake at_most=0 says="regular: "
# the covariance would be K², not K
def draw(K, m, Z):
    return m + Z @ K
```

```mistake at_most=0 says="regular: "
# the roots of the entries are no root of the matrix
import numpy as np


def draw(K, m, Z):
    return m + Z @ np.sqrt(np.abs(K))
```

```mistake at_most=0 says="regular: "
# a root, but another one, and it needs an invertible K
import numpy as np


def draw(K, m, Z):
    return m + Z @ np.linalg.cholesky(K).T
```

```mistake at_most=0.5 says="a fine grid: "
# negative eigenvalues by rounding
import numpy as np


def draw(K, m, Z):
    mu, U = np.linalg.eigh(K)
    with np.errstate(invalid="ignore"):
        R = (U * np.sqrt(mu)) @ U.T
    return m + Z @ R
```

```mistake at_most=0 says="regular: "
# the mean is forgotten
import numpy as np


def draw(K, m, Z):
    mu, U = np.linalg.eigh(K)
    return Z @ (U * np.sqrt(np.maximum(mu, 0))) @ U.T
```

```mistake at_most=0 says="regular: "
# the noise is not turned back: a root, but not the symmetric one
import numpy as np


def draw(K, m, Z):
    mu, U = np.linalg.eigh(K)
    return m + Z @ (U * np.sqrt(np.maximum(mu, 0))).T
```
"""

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases
from kernellab.kernels import Gaussian

Draw = tuple[np.ndarray, np.ndarray, np.ndarray]


def draw(K: np.ndarray, m: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """The reference of `draw-functions`, by eigenvalues."""
    mu, U = np.linalg.eigh(K)
    return np.asarray(m + Z @ (U * np.sqrt(np.maximum(mu, 0))) @ U.T)


def noise(rng: np.random.Generator, K: np.ndarray, draws: int) -> Draw:
    """A mean with small integers, and white noise with few digits."""
    n = len(K)
    m = rng.integers(1, 4, size=n).astype(float)
    return K, m, rng.normal(size=(draws, n)).round(2)


def integers(rng: np.random.Generator, size: int) -> Draw:
    """An invertible covariance with integer entries."""
    A = rng.integers(-2, 3, size=(size, size)).astype(float)
    return noise(rng, A @ A.T + np.eye(size), size + 1)


def few_features(rng: np.random.Generator, size: int) -> Draw:
    """Straight lines: K has rank 2."""
    x = np.arange(size + 3.0)
    return noise(rng, 1 + np.outer(x, x), 2)


def fine_grid(rng: np.random.Generator, size: int) -> Draw:
    """A Gaussian kernel on so many points that K is singular up to rounding."""
    x = np.linspace(-1, 1, 60 + size)[:, None]
    return noise(rng, np.asarray(Gaussian(sigma=0.5)(x)), 2)


QUESTION = question(
    __file__,
    __doc__,
    reference=draw,
    inputs=integers,
    edge_cases=(
        Cases("straight lines", few_features, count=2),
        Cases("a fine grid", fine_grid, count=2),
    ),
    rtol=1e-5,
)
