"""Advice for a Gram matrix that is not positive definite in floating point."""

from __future__ import annotations

from collections.abc import Callable

from kernellab.kernels.expression import Expression
from kernellab.kernels.proving.proof import Proof, prove
from kernellab.linalg import REMEDY, general_advice


def advice_on(kernel: Expression | None) -> Callable[[], str]:
    """Return the function that says what to do; it looks for a proof when called."""
    return general_advice if kernel is None else lambda: advice(kernel)


def advice(kernel: Expression | None) -> str:
    """Say whether the kernel is proven (so ill-conditioned) or not (so refute it)."""
    if kernel is None:
        return general_advice()
    found = prove(kernel)
    if isinstance(found, Proof):
        return (
            f"{kernel!r} is proven to be a kernel, so the matrix is only "
            f"ill-conditioned: {REMEDY}."
        )
    return (
        f"{kernel!r} is not proven to be a kernel: try k.refute(), which looks for "
        f"points that show that it is none. {found}"
    )
