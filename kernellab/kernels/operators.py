"""How kernels are written: k + 1, 2 * k, k ** 3, k.exp(), k.on([0, 1]), ….

Each operator makes a node of the expression tree. The nodes are subclasses of the
class that these methods belong to, so they are imported when they are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsFloat, cast

if TYPE_CHECKING:
    from kernellab.kernels.base import Kernel


class Operators:
    """The operators and methods that make new kernels from this one."""

    __array_ufunc__ = None  # so that array * kernel asks the kernel, not NumPy

    @property
    def _kernel(self) -> Kernel:
        return cast("Kernel", self)

    # --- operators ------------------------------------------------------------

    def __add__(self, other: object) -> Kernel:
        from kernellab.kernels import arithmetic

        return arithmetic.add(self, other)

    def __radd__(self, other: object) -> Kernel:
        from kernellab.kernels import arithmetic

        return arithmetic.add(other, self)

    def __sub__(self, other: object) -> Kernel:
        from kernellab.kernels import arithmetic

        return arithmetic.add(self, arithmetic.negative(other))

    def __rsub__(self, other: object) -> Kernel:
        from kernellab.kernels import arithmetic

        return arithmetic.add(other, arithmetic.negative(self))

    def __neg__(self) -> Kernel:
        from kernellab.kernels.algebra import Scale

        return Scale(-1.0, self._kernel)

    def __mul__(self, other: object) -> Kernel:
        from kernellab.kernels import arithmetic

        return arithmetic.multiply(self, other)

    def __rmul__(self, other: object) -> Kernel:
        from kernellab.kernels import arithmetic

        return arithmetic.multiply(other, self)

    def __truediv__(self, other: object) -> Kernel:
        from kernellab.kernels import arithmetic

        return arithmetic.divide(self, other)

    def __rtruediv__(self, other: object) -> Kernel:
        from kernellab.kernels import arithmetic

        return arithmetic.divide(other, self)

    def __pow__(self, exponent: SupportsFloat) -> Kernel:
        from kernellab.kernels.powers import Power

        return Power(self._kernel, exponent)  # type: ignore[arg-type]

    # --- functions of a kernel --------------------------------------------------

    def exp(self) -> Kernel:
        """exp(k)."""
        from kernellab.kernels.functional import Exp

        return Exp(self._kernel)

    def tanh(self) -> Kernel:
        """tanh(k); in general not a kernel."""
        from kernellab.kernels.functional import Tanh

        return Tanh(self._kernel)

    def polynomial(self, coefficients: Sequence[float]) -> Kernel:
        """q(k) = q₀ + q₁k + q₂k² + … ."""
        from kernellab.kernels.functional import PolynomialOf

        return PolynomialOf(self._kernel, coefficients)  # type: ignore[arg-type]

    def weighted(self, f: Any) -> Kernel:
        """f(x) k(x,x') f(x'), for a function f of all points, array to array."""
        from kernellab.kernels.weighting import Weighted

        return Weighted(self._kernel, f)

    def pullback(self, phi: Any) -> Kernel:
        """k(φ(x), φ(x')), for a function φ of all points, array to array."""
        from kernellab.kernels.transforms import Pullback

        return Pullback(self._kernel, phi)

    def on(self, index: int | Sequence[int]) -> Kernel:
        """k on some coordinates of x, counted from 0."""
        from kernellab.kernels.transforms import Parts

        return Parts(self._kernel, index)  # type: ignore[arg-type]

    def normalize(self) -> Kernel:
        """k(x,x') / √(k(x,x) k(x',x'))."""
        from kernellab.kernels.weighting import Normalized

        return Normalized(self._kernel)
