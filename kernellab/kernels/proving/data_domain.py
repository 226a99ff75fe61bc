"""The domain of some data: a proof has to hold where the points are.

A kernel of the line proves nothing about points in the plane; one that is a kernel for
numbers ≥ 0 proves something, as long as no number is negative.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kernellab.kernels.expression import Expression
from kernellab.kernels.points import Points
from kernellab.kernels.proving.proof import Proof, prove
from kernellab.validity.domains import (
    Box,
    Domain,
    FiniteSet,
    Orthant,
    PositiveDiagonal,
    Reals,
)


def is_proven_at(kernel: Expression, points: Points) -> bool:
    """Return whether `kernel` is proven on a domain in which the points lie.

    What is proven for all vectors needs no look at them.
    """
    everywhere = points.width is not None and _proven(kernel, Reals(points.width))
    return everywhere or _proven(kernel, domain_of(kernel, points))


def _proven(kernel: Expression, domain: Domain) -> bool:
    """Return whether `kernel` is proven on a domain."""
    try:
        return _is_proven(kernel, domain)
    except TypeError:  # it holds something that cannot be remembered
        return isinstance(prove(kernel, domain), Proof)


@lru_cache(maxsize=64)
def _is_proven(kernel: Expression, domain: Domain) -> bool:
    """Return the same, remembered for the next fit."""
    return isinstance(prove(kernel, domain), Proof)


def domain_of(kernel: Expression, points: Points) -> Domain:
    """Return a domain in which the points lie: the kernel's own, if they do.

    >>> from kernellab import kernels as kl
    >>> print(domain_of(kl.Brownian(), Points(np.array([[1.0], [2.0]]))))
    [0, ∞)
    >>> print(domain_of(kl.Gaussian(), Points(np.array([[1.0, -2.0]]))))
    ℝ²
    """
    natural = kernel.natural_domain()
    if points.width is None:
        return natural
    if isinstance(natural, PositiveDiagonal):
        base = _around(natural.base, points)
        positive = all((k.diag(points) > 0).all() for k in natural.kernels)
        return PositiveDiagonal(base, natural.kernels) if positive else base
    return _around(natural, points)


def _around(natural: Domain, points: Points) -> Domain:
    X, d = points.matrix, points.width or 0
    if isinstance(natural, FiniteSet) and all(map(natural.contains, points.listed)):
        return natural
    corners = [np.full(d, float(end)) for end in (X.min(), X.max())]
    if isinstance(natural, Box) and all(map(natural.contains, corners)):
        return natural.of_dimension(d)
    return Orthant(d) if X.min() >= 0 else Reals(d)
