"""What +, −, · and / do when one side is a kernel and the other may be a number."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.errors import InputError
from kernellab.kernels.algebra import Product, Scale, Sum, as_kernel, as_number
from kernellab.kernels.base import Kernel
from kernellab.kernels.powers import Quotient


def add(left: object, right: object) -> Kernel:
    """left + right, where one of them may be a number; 0 + k is k."""
    if _is_zero(left) or _is_zero(right):
        return as_kernel(right if _is_zero(left) else left, "added to")
    return Sum((as_kernel(left, "added to"), as_kernel(right, "added to")))


def negative(thing: object) -> Any:
    """Return −thing, for a kernel or a number."""
    return -thing if isinstance(thing, Kernel) else -as_number(thing, "subtracted from")


def multiply(left: object, right: object) -> Kernel:
    """left · right, where one of them may be a number."""
    if isinstance(left, Kernel) and isinstance(right, Kernel):
        return Product((left, right))
    if isinstance(left, Kernel):
        left, right = right, left
    return Scale(
        as_number(left, "multiplied with"), as_kernel(right, "multiplied with")
    )


def divide(left: object, right: object) -> Kernel:
    """left / right, where one of them may be a number."""
    if isinstance(right, Kernel):
        return Quotient(as_kernel(left, "divided by"), right)
    divisor = as_number(right, "divided by")
    if divisor == 0:
        raise InputError("a kernel cannot be divided by 0")
    return Scale(1 / divisor, as_kernel(left, "divided by"))


def _is_zero(thing: object) -> bool:
    if isinstance(thing, Kernel) or np.ndim(thing) > 0:  # type: ignore[arg-type]
        return False
    return bool(thing == 0)
