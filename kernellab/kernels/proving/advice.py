"""Advice for a Gram matrix that is not positive definite in floating point."""

from __future__ import annotations

from collections.abc import Callable

from kernellab.kernels.expression import Expression
from kernellab.kernels.points import Points
from kernellab.kernels.proving.data_domain import domain_of
from kernellab.kernels.proving.proof import Proof, prove
from kernellab.linalg import REMEDY, general_advice


def advice_on(
    kernel: Expression | None, points: Points | None = None
) -> Callable[[], str]:
    """Return the function that says what to do; it looks for a proof when called."""
    return general_advice if kernel is None else lambda: advice(kernel, points)


def advice(kernel: Expression | None, points: Points | None = None) -> str:
    """Say whether the kernel is proven (so ill-conditioned) or not (so refute it).

    Where the points are, if they are given; else on the natural domain.
    """
    if kernel is None:
        return general_advice()
    found = prove(kernel, None if points is None else domain_of(kernel, points))
    if isinstance(found, Proof):
        return (
            f"{kernel!r} is proven to be a kernel, so the matrix is only "
            f"ill-conditioned: {REMEDY}."
        )
    return (
        f"{kernel!r} is not proven to be a kernel: try k.refute(), which looks for "
        f"points that show that it is none. {found}"
    )
