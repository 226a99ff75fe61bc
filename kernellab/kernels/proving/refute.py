"""Refutation: a search for few, simple points at which a function is not a kernel.

The search is general; it knows no particular function. It computes Gram matrices on
pools of points at many scales and looks at their smallest eigenvalues, then keeps
the fewest and simplest points of a pool that still show a negative one.

Finding nothing proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from kernellab.arrays import Array
from kernellab.kernels.expression import Expression
from kernellab.kernels.points import Points
from kernellab.kernels.proving.pools import stages
from kernellab.kernels.proving.proof import Proof, prove
from kernellab.kernels.proving.witness import (
    Witness,
    pick,
    symmetric_witness,
    unit_diagonal,
    usable,
    witness_on,
)
from kernellab.text import simple
from kernellab.validity.domains import Box, Domain, FiniteSet, PositiveDiagonal

MIN_DEPTH = 1e-10
"""Smallest eigenvalues (at unit diagonal) above −MIN_DEPTH are not looked at."""

MAX_SUBSETS = 5_000
"""How many subsets of one size are compared at once."""

CLEAR_DEPTH = 0.1
"""A smallest eigenvalue (at unit diagonal) below −CLEAR_DEPTH is as good as any."""

NO_VALUE = (ValueError, ArithmeticError, LookupError)
"""What a user's function may raise where it is not defined: such pools are skipped."""

MAX_WITNESS_POINTS = 7
MAX_POOLS = 4


def refute(
    kernel: Expression,
    domain: Domain | None = None,
    rng: np.random.Generator | None = None,
) -> Witness | None:
    """Return points of the domain on which `kernel` is not positive definite, or None.

    A kernel that is proven on the domain is not searched: there is nothing to find.
    """
    rng = np.random.default_rng(0) if rng is None else rng
    domain = kernel.natural_domain() if domain is None else domain
    if isinstance(prove(kernel, domain), Proof):
        return None
    return search(kernel, domain, rng)


def search(
    kernel: Expression, domain: Domain, rng: np.random.Generator
) -> Witness | None:
    """Return the search itself, whatever is proven of the kernel."""
    if isinstance(domain, FiniteSet):
        points = kernel.read_points(domain.items, "the finite set")
        return symmetric_witness(kernel, points) or witness_on(kernel, points)
    for stage in stages(kernel, domain, rng):
        witness = _search_pools(kernel, domain, stage)
        if witness:
            return witness
    return None


def _search_pools(
    kernel: Expression, domain: Domain, pools: Iterable[Points]
) -> Witness | None:
    found: list[Candidate] = []
    for pool in pools:
        try:
            asymmetric = symmetric_witness(kernel, pool)
            candidates = _candidate(kernel, pool)
        except NO_VALUE:
            continue
        if asymmetric:
            return asymmetric
        found += candidates
    found.sort(key=lambda candidate: candidate.rank)  # stable: plainer pools first
    witnesses = (_fewest(kernel, candidate) for candidate in found[:MAX_POOLS])
    simpler = (_simplify(kernel, domain, w) for w in witnesses if w is not None)
    return min(simpler, key=_complexity, default=None)


@dataclass(frozen=True)
class Candidate:
    """Points whose Gram matrix, brought to unit diagonal, has a negative eigenvalue."""

    points: Points
    K: Array
    depth: float

    @property
    def rank(self) -> int:
        """How clear it is, in powers of ten; what is clear enough ranks the same."""
        return max(math.floor(math.log10(CLEAR_DEPTH / -self.depth)), 0)


def _candidate(kernel: Expression, pool: Points) -> list[Candidate]:
    """Return the pool, without the points where k has no value, if it shows
    something.
    """
    K = kernel.gram_unchecked(pool)
    keep = _defined(K)
    if not keep:
        return []
    scaled, _ = unit_diagonal(K[np.ix_(keep, keep)])
    depth = float(np.linalg.eigvalsh(scaled)[0])
    points = pick(pool, keep)
    if depth > -MIN_DEPTH or not witness_on(kernel, points):
        return []
    return [Candidate(points, scaled, depth)]


def _defined(K: Array) -> list[int]:
    """Return points among which every value is usable, dropping the worst one by
    one.
    """
    keep = list(range(len(K)))
    while keep:
        holes = (~usable(K[np.ix_(keep, keep)])).sum(axis=1)
        if not holes.any():
            break
        keep.pop(int(np.argmax(holes)))
    return keep


def _fewest(kernel: Expression, candidate: Candidate) -> Witness | None:
    """Return a witness on as few of the points as possible, on simple ones if it can
    be.
    """
    for size in range(1, min(MAX_WITNESS_POINTS, len(candidate.K)) + 1):
        index = _subsets(candidate.K, size)
        blocks = candidate.K[index[:, :, None], index[:, None, :]]
        depths = np.linalg.eigvalsh(blocks)[:, 0]
        if depths.min() > -MIN_DEPTH:
            continue
        deep = np.flatnonzero(depths <= max(0.5 * depths.min(), -CLEAR_DEPTH))
        plain = sorted(deep, key=lambda i: _plainness(candidate.points, index[i]))
        for i in (*plain[:3], np.argmin(depths)):
            witness = witness_on(kernel, _sorted(pick(candidate.points, index[i])))
            if witness:
                return witness
    return _fewer(kernel, candidate)


def _fewer(kernel: Expression, candidate: Candidate) -> Witness | None:
    """Return a witness on the points that are left when the lightest are dropped in
    turn.
    """
    keep = np.arange(len(candidate.K))
    drop = len(keep) // 2
    while drop:
        weight = np.abs(np.linalg.eigh(candidate.K[np.ix_(keep, keep)])[1][:, 0])
        fewer = np.sort(keep[np.argsort(weight, kind="stable")[drop:]])
        if np.linalg.eigvalsh(candidate.K[np.ix_(fewer, fewer)])[0] < -MIN_DEPTH:
            keep = fewer
        else:
            drop //= 2
        drop = min(drop, len(keep) - 1)
    fewest = witness_on(kernel, _sorted(pick(candidate.points, keep)))
    return fewest or witness_on(kernel, candidate.points)


def _sorted(points: Points) -> Points:
    """Return the points in increasing order, if they have one."""
    X = points.items
    return Points(X[np.lexsort(X.T[::-1])]) if isinstance(X, np.ndarray) else points


def _subsets(K: Array, size: int) -> NDArray[np.intp]:
    """Subsets of one size, of those points that weigh most where K is negative."""
    weight = np.abs(np.linalg.eigh(K)[1][:, 0])
    n = len(K)
    while n > size and math.comb(n, size) > MAX_SUBSETS:
        n -= 1
    heaviest = np.sort(np.argsort(-weight, kind="stable")[:n])
    return np.array(list(combinations(heaviest, size)), dtype=np.intp)


def _plainness(points: Points, index: NDArray[np.intp]) -> tuple[float, ...]:
    """Return small for points that are easy to write down."""
    if not isinstance(points.items, np.ndarray):
        return (float(index.sum()),)
    return _digits(points.items[index])


def _digits(X: Array) -> tuple[float, ...]:
    """Return how long the coordinates are to write, then how large they are."""
    length = sum(len(simple(x)) for x in X.ravel())
    return (float(length), float(np.abs(X).sum()), float(-X.sum()))


def _complexity(witness: Witness) -> tuple[float, ...]:
    """Fewer points first, then plainer ones, then a plainer vector."""
    if not isinstance(witness.points, np.ndarray):
        return (float(len(witness.points)),)
    c = 0.0 if witness.c is None else float(sum(len(simple(x)) for x in witness.c))
    return (float(len(witness.points)), *_digits(witness.points)[:1], c)


def _simplify(kernel: Expression, domain: Domain, witness: Witness) -> Witness:
    """Return the same witness with its points moved to 0 and rounded, if it stays
    one.
    """
    X = witness.points
    if not isinstance(X, np.ndarray) or not isinstance(domain, Box | PositiveDiagonal):
        return witness
    tries = (_rounded(Y, bits) for bits in range(12) for Y in (X - X[0], X))
    for Y in tries:
        if len(np.unique(Y, axis=0)) < len(Y) or not all(map(domain.contains, Y)):
            continue
        plainer = witness_on(kernel, Points(Y))
        if plainer and _complexity(plainer) < _complexity(witness):
            return plainer
    return witness


def _rounded(X: Array, bits: int) -> Array:
    """Return X rounded to some bits after its leading one, the same for all
    coordinates.
    """
    size = float(np.abs(X).max())
    unit = 2.0 ** (math.floor(math.log2(size)) - bits) if size > 0 else 1.0
    rounded: Array = np.round(X / unit) * unit
    return rounded + 0.0
