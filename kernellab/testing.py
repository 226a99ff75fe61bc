"""Tests for a kernel of one's own: what every kernel of this library promises.

>>> import numpy as np
>>> from kernellab import kernels as kl
>>> check_kernel(kl.Gaussian(sigma=2.0), np.linspace(0, 3, 7)[:, None])
['symmetric', 'diagonal', 'blocks', 'inputs', 'theta', 'gradient', 'positive']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kernellab.arrays import Array
from kernellab.kernels.base import Kernel
from kernellab.kernels.proving.data_domain import domain_of, is_proven_at

VALUE_TOLERANCE = 1e-10
"""How far two ways to the same value may differ, relative to the largest value."""

STEP, SLOPE_TOLERANCE = 1e-5, 1e-6
"""The step of central differences in θ, and how well a gradient must agree."""

EIGENVALUE_TOLERANCE = 1e-10
"""How far below 0 rounding may push an eigenvalue, relative to the largest."""


def check_kernel(kernel: Kernel, X: Any) -> list[str]:
    """Check what a kernel promises, at some points; the names of the checks.

    k(X) is symmetric, and agrees with `diag` and with k(X[:i], X[i:]); the points are
    left as they are; θ goes there and back; `vjp` is the derivative in θ; and where the
    kernel is proven, no eigenvalue of K is negative.

    Parameters
    ----------
    kernel : the kernel.
    X : five points or so that it takes: (n, d) array, or n objects.

    Raises
    ------
    AssertionError
        With what was expected and what came.
    """
    for check in CHECKS.values():
        check(kernel, X)
    return list(CHECKS)


def _symmetric(kernel: Kernel, X: Any) -> None:
    K = kernel(X)
    worst = float(np.abs(K - K.T).max(initial=0.0))
    _expect(
        worst <= VALUE_TOLERANCE * _size(K),
        f"k(x, z) and k(z, x) differ by {worst:.3g}",
    )


def _diagonal(kernel: Kernel, X: Any) -> None:
    _same(kernel.diag(X), np.diag(kernel(X)), "k.diag(X)", "the diagonal of k(X)")


def _blocks(kernel: Kernel, X: Any) -> None:
    K, n = kernel(X), len(X)
    for cut in (1, n // 2):
        name = f"k(X[:{cut}], X[{cut}:])"
        _same(kernel(X[:cut], X[cut:]), K[:cut, cut:], name, "that part of k(X)")


def _inputs(kernel: Kernel, X: Any) -> None:
    if not isinstance(X, np.ndarray):
        return
    before = X.copy()
    kernel(X)
    kernel.vjp(X, np.ones((len(X), len(X))))
    _expect(np.array_equal(X, before), "the points were changed")


def _theta(kernel: Kernel, X: Any) -> None:
    theta = kernel.theta
    _expect(kernel.with_theta(theta) == kernel, "with_theta(theta) is another kernel")
    moved = kernel.with_theta(theta + 0.25).theta
    _same(moved, theta + 0.25, "with_theta(theta + 0.25).theta", "theta + 0.25")


def _gradient(kernel: Kernel, X: Any) -> None:
    G = np.random.default_rng(0).normal(size=(len(X), len(X)))
    found, theta = kernel.vjp(X, G), kernel.theta
    _expect(
        found.shape == theta.shape, f"vjp has shape {found.shape}, theta {theta.shape}"
    )
    for j, step in enumerate(STEP * np.eye(len(theta))):
        above, below = (kernel.with_theta(theta + s)(X) for s in (step, -step))
        slope = float(np.vdot(G, above - below)) / (2 * STEP)
        size = float(np.abs(above).max()) * len(X) + abs(slope)
        _expect(
            abs(found[j] - slope) <= SLOPE_TOLERANCE * size,
            f"vjp says {found[j]:.6g} for {kernel.theta_names[j]}, differences say "
            f"{slope:.6g}",
        )


def _positive(kernel: Kernel, X: Any) -> None:
    points = kernel.read_points(X, "X")
    if not is_proven_at(kernel, points):
        return
    values = np.linalg.eigvalsh(kernel(X))
    _expect(
        values[0] >= -EIGENVALUE_TOLERANCE * max(abs(values[-1]), 0.0),
        f"it is proven on {domain_of(kernel, points)}, but k(X) has the eigenvalue "
        f"{values[0]:.3g}",
    )


CHECKS: dict[str, Callable[[Kernel, Any], None]] = {
    "symmetric": _symmetric,
    "diagonal": _diagonal,
    "blocks": _blocks,
    "inputs": _inputs,
    "theta": _theta,
    "gradient": _gradient,
    "positive": _positive,
}
"""The checks by name, in the order in which they are made."""


def _size(K: Array) -> float:
    return max(1.0, float(np.abs(K).max(initial=0.0)))


def _same(found: Array, expected: Array, name: str, other: str) -> None:
    close = found.shape == expected.shape and np.allclose(
        found, expected, rtol=VALUE_TOLERANCE, atol=VALUE_TOLERANCE * _size(expected)
    )
    _expect(close, f"{name} is not {other}: {found} and {expected}")


def _expect(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)
