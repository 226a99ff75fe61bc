"""Pairs: what a kernel may ask about points x (left) and x' (right).

A kernel is written once, as a formula in the quantities below: ⟨x,x'⟩, ‖x−x'‖²,
Σ|x_c−x'_c|, f(x) and f(x'). Two layouts answer. A `CrossPairs` pairs every left point
with every right one and answers with matrices; a `SelfPairs` pairs each point with
itself and answers with vectors. So the Gram matrix, its diagonal in O(n), and the
gradients of both come from one formula.

Answers are remembered and shared by all parts of a kernel: treat them as read-only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np
import scipy

from kernellab.arrays import Array, Scalars
from kernellab.kernels.points import Points, is_sparse

T = TypeVar("T")
Arguments = ParamSpec("Arguments")
Pairs = TypeVar("Pairs", bound="PointPairs")

Scale = Scalars | None
"""Units of length, one for all coordinates or one each; None is 1."""

NEAR_PAIRS_SHARE = 1e-6
"""Squared distances below this share of ‖x‖²+‖x'‖² are recomputed from differences."""

PAIRS_AT_A_TIME = 4096
"""Close pairs whose differences are held at a time."""

DIFFERENCES_MAX_DIMENSION, DIFFERENCES_MAX_COUNT = 3, 50_000
"""Up to this dimension, or so many differences, they are faster than a product."""


class Formula(Protocol):
    """What evaluation needs to know of a kernel: its formula, and its derivative."""

    @property
    def symmetric(self) -> bool:
        """Return True if k(x, x') = k(x', x) is known from the form."""
        ...

    @property
    def theta(self) -> Array:
        """Return the hyperparameters."""
        ...

    def __call__(self, X: Any, Z: Any = None) -> Array:
        """Return the Gram block, checked to be finite."""
        ...

    def evaluate(self, pair: PointPairs) -> Array:
        """Return k(x, x') for the pairs."""
        ...

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        """Return ⟨G, ∂k/∂θ⟩ over the pairs."""
        ...


def remembered(
    method: Callable[Concatenate[Pairs, Arguments], T],
) -> Callable[Concatenate[Pairs, Arguments], T]:
    """Decorate a method with at most one argument: compute each answer only once."""
    name, defaults = method.__name__, method.__defaults__ or ()

    @wraps(method)
    def recall(pair: Pairs, /, *args: Arguments.args, **named: Arguments.kwargs) -> T:
        key = name, args or tuple(named.values()) or defaults
        if key not in pair._memo:
            pair._memo[key] = method(pair, *args, **named)
        found: T = pair._memo[key]
        return found

    return recall


class PointPairs(ABC):
    """Two lists of points, and how they are paired."""

    def __init__(self, left: Points, right: Points) -> None:
        self.left = left
        self.right = right
        self._memo: dict[Hashable, Any] = {}

    def remember(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return `compute()`, done once."""
        if key not in self._memo:
            self._memo[key] = compute()
        found: T = self._memo[key]
        return found

    def value(self, kernel: Formula) -> Array:
        """Return k(x,x'), kept for the reverse pass; read-only."""
        if id(kernel) not in self._memo:
            self._memo[id(kernel)] = kernel.evaluate(self)
        found: Array = self._memo[id(kernel)]
        return found

    def keep(self, kernel: Formula, values: Array) -> None:
        """Keep values of k(x,x') that were computed before; `value` returns them."""
        self._memo[id(kernel)] = values

    def weighted(self, kernel: Formula, G: Array) -> Array:
        """Return G∘k(x,x'), computed once for all who ask with this G; read-only."""
        key = "weighted", id(kernel), id(G)
        if key not in self._memo:  # which holds G, so that its id stays
            self._memo[key] = G, G * self.value(kernel)
        found: Array = self._memo[key][1]
        return found

    def knows(self, kernel: Formula) -> bool:
        """Return True if `value` has nothing to compute."""
        return id(kernel) in self._memo

    def mapped(self, key: Hashable, function: Callable[[Points], Any]) -> PointPairs:
        """Return the same pairing of the images of the points."""
        return self.remember(
            ("mapped", key),
            lambda: type(self)(
                self.left.mapped(key, function), self.right.mapped(key, function)
            ),
        )

    def perturbed(self, size: float) -> list[PointPairs]:
        """Return the same pairing of points moved by a relative `size`, in two ways."""
        if self.left.width is None:
            return []
        rng = np.random.default_rng(0)

        def moved(P: Points) -> Points:
            X = P.matrix.copy()
            values = X.data if is_sparse(X) else X
            values *= 1 + size * rng.choice([-1, 1], size=values.shape)
            return Points(X)

        return [type(self)(moved(self.left), moved(self.right)) for _ in range(2)]

    def columns(self, index: tuple[int, ...]) -> PointPairs:
        """Return the same pairing of some coordinates of the points."""
        return self.mapped(("columns", index), lambda P: P.X[:, list(index)])

    def joint(
        self, key: Hashable, build: Callable[[Points, Points], tuple[Any, Any]]
    ) -> tuple[Any, Any]:
        """Return what must be computed from all left and all right points together."""
        left, right = self.left, self.right
        found = left.root.joint((key, id(right.root)), right.root, build)
        return found[0][left.rows], found[1][right.rows]

    @remembered
    def distance(self, scale: Scale = None) -> Array:
        """Return ‖x−x'‖, in units of `scale`."""
        return np.sqrt(self.sqdistance(scale))

    @abstractmethod
    def lift(self, u: Array, v: Array) -> tuple[Array, Array]:
        """Quantities of the left and of the right points, made to broadcast."""

    @abstractmethod
    def inner(self) -> Array:
        """Return ⟨x,x'⟩."""

    @abstractmethod
    def sqdistance(self, scale: Scale = None) -> Array:
        """Return ‖x−x'‖², in units of `scale`."""

    @abstractmethod
    def cityblock(self, scale: Scale = None) -> Array:
        """Return Σ_c |x_c−x'_c|, in units of `scale`."""

    @abstractmethod
    def dot(self, U: Any, V: Any) -> Array:
        """Return ⟨u(x), v(x')⟩ of given rows, dense or sparse."""

    @abstractmethod
    def sums(self, M: Array) -> tuple[Array, Array]:
        """Return Σ over x' for each x, and Σ over x for each x'."""

    @abstractmethod
    def moments(self, S: Array, scale: Scale = None) -> Array:
        """Return Σ S·(x_c−x'_c)² over all pairs, one number for each coordinate c."""


class CrossPairs(PointPairs):
    """Every left point with every right point: matrices of n×m."""

    def lift(self, u: Array, v: Array) -> tuple[Array, Array]:
        return u[:, None], v[None, :]

    @remembered
    def inner(self) -> Array:
        return self.dot(self.left.matrix, self.right.matrix)

    @remembered
    def sqdistance(self, scale: Scale = None) -> Array:
        """Compute ‖x−x'‖² as one matrix product, with care.

        The product loses digits where x and x' are close: there the differences are
        used.
        """
        Y, Z = self.left.X, self.right.X
        few = len(Y) * Z.size <= DIFFERENCES_MAX_COUNT
        if few or Y.shape[1] <= DIFFERENCES_MAX_DIMENSION:
            return _differences(Y, Z, scale)
        A, B = self.sqdistance_factors(scale)
        D: Array = A @ B.T
        near = NEAR_PAIRS_SHARE * (A[:, -2].max(initial=0) + B[:, -1].max(initial=0))
        if D.size and D.min() <= near:
            close = np.flatnonzero(near >= D)
            for some in _few_at_a_time(len(close)):
                i, j = np.divmod(close[some], D.shape[1])
                D[i, j] = _squares(_measured(Y[i] - Z[j], scale))
        return D

    def _scaled(self, scale: Scale) -> tuple[Array, Array]:
        origin = _origin(self.right)
        Y, Z = (beside_squares(P, scale, origin) for P in (self.left, self.right))
        return Y[:, :-2], Z[:, :-2]

    def sqdistance_factors(self, scale: Scale = None) -> tuple[Array, Array]:
        """Return A, B with ABᵀ = ‖x‖² + ‖x'‖² − 2⟨x,x'⟩ = ‖x−x'‖²: one GEMM.

        The rows of A are (x, ‖x‖², 1), those of B are (−2x', 1, ‖x'‖²), measured from
        the mean of the right points.
        """
        origin = _origin(self.right)

        def right(P: Points) -> Array:
            B = beside_squares(P, scale, origin)
            wide = np.empty_like(B)
            np.multiply(B[:, :-2], -2, out=wide[:, :-2])
            wide[:, -2:] = B[:, :-3:-1]  # in the other order
            return wide

        key = "right of a product", scale, origin.tobytes()
        A = beside_squares(self.left, scale, origin)
        return A, self.right.remember(key, right)

    @remembered
    def cityblock(self, scale: Scale = None) -> Array:
        X, Z = self.left.X, self.right.X
        if scale is None:
            return np.asarray(scipy.spatial.distance.cdist(X, Z, "cityblock"))
        weights = np.broadcast_to(np.asarray(scale, dtype=np.float64) ** -1, X.shape[1])
        return np.asarray(scipy.spatial.distance.cdist(X, Z, "cityblock", w=weights))

    def dot(self, U: Any, V: Any) -> Array:
        product = U @ V.T
        return product if isinstance(product, np.ndarray) else product.toarray()

    def sums(self, M: Array) -> tuple[Array, Array]:
        return M.sum(axis=1), M.sum(axis=0)

    def moments(self, S: Array, scale: Scale = None) -> Array:
        Y, Z = self._scaled(scale)
        cross = np.einsum("ic,ic->c", Y, S @ Z)
        result: Array = S.sum(axis=1) @ Y**2 + S.sum(axis=0) @ Z**2 - 2 * cross
        return result


class SelfPairs(PointPairs):
    """Each point with itself: vectors of length n."""

    def __init__(self, left: Points, right: Points | None = None) -> None:
        super().__init__(left, left)

    def lift(self, u: Array, v: Array) -> tuple[Array, Array]:
        return u, v

    def inner(self) -> Array:
        return self.dot(self.left.matrix, self.left.matrix)

    def sqdistance(self, scale: Scale = None) -> Array:
        return np.zeros(len(self.left.X))

    def cityblock(self, scale: Scale = None) -> Array:
        return np.zeros(len(self.left.X))

    def dot(self, U: Any, V: Any) -> Array:
        if not (is_sparse(U) or is_sparse(V)):
            return np.asarray(np.einsum("ij,ij->i", U, V), dtype=np.float64)
        sparse, other = (U, V) if is_sparse(U) else (V, U)
        return np.asarray(sparse.multiply(other).sum(axis=1), np.float64).ravel()

    def sums(self, M: Array) -> tuple[Array, Array]:
        return M, M

    def moments(self, S: Array, scale: Scale = None) -> Array:
        return np.zeros(self.left.X.shape[1])


def _origin(points: Points) -> Array:
    """Return a common origin near the data, the mean; distances do not depend on it."""
    X, n = points.root.X, len(points.root) or 1
    # A product is much faster than a sum down the columns.
    return points.root.remember_whole("origin", lambda: np.full(len(X), 1 / n) @ X)


def beside_squares(points: Points, scale: Scale, origin: Array | None = None) -> Array:
    """Return the rows (x, ‖x‖², 1), measured from an origin: by default, the mean."""
    origin = _origin(points) if origin is None else origin

    def build(P: Points) -> Array:
        X = P.X
        A = np.empty((len(X), X.shape[1] + 2))
        Y = np.subtract(X, origin, out=A[:, :-2])
        if scale is not None:
            Y /= np.asarray(scale)
        A[:, -2], A[:, -1] = _squares(Y), 1.0
        return A

    return points.remember(("beside squares", scale, origin.tobytes()), build)


def _measured(X: Array, scale: Scale) -> Array:
    """Return X in units of `scale`."""
    return X if scale is None else X / np.asarray(scale)


def _few_at_a_time(count: int) -> Iterator[slice]:
    for start in range(0, count, PAIRS_AT_A_TIME):
        yield slice(start, start + PAIRS_AT_A_TIME)


def _squares(X: Array) -> Array:
    result: Array = np.einsum("ij,ij->i", X, X)
    return result


def _differences(X: Array, Z: Array, scale: Scale) -> Array:
    """Return Σ (x_c−x'_c)²/s_c², from the points as given: x−x' is exact if they are
    close.
    """
    if scale is None:
        return np.asarray(scipy.spatial.distance.cdist(X, Z, "sqeuclidean"))
    weights = np.broadcast_to(np.asarray(scale, dtype=np.float64) ** -2, X.shape[1:])
    return np.asarray(scipy.spatial.distance.cdist(X, Z, "sqeuclidean", w=weights))
