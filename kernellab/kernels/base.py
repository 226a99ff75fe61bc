"""Kernel: an expression with its operators, its verdict and its proof.

Each operator makes a node of the tree. The nodes are subclasses of `Kernel`, so they
are imported when they are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, SupportsFloat

import numpy as np

from kernellab.arrays import Array
from kernellab.kernels.expression import Expression, Justification
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.printing import ATOM, Text
from kernellab.kernels.proving import refute
from kernellab.kernels.proving.proof import Proof, prove_or_raise
from kernellab.kernels.proving.verdict import Verdict, decide
from kernellab.kernels.proving.witness import Witness
from kernellab.validity.domains import Domain


@dataclass(frozen=True, repr=False)
class Kernel(Expression):
    """A function k(x, x'), written down; whether it is a kernel is for the proof.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> k = 2 * kl.Gaussian(sigma=0.5) + (kl.Linear() + 1) ** 3
    >>> k
    2.0 * Gaussian(sigma=0.5) + (Linear() + 1.0) ** 3
    >>> k([[0.0], [1.0]]).round(3)
    array([[ 3.   ,  1.271],
           [ 1.271, 10.   ]])
    >>> k.verdict()
    PROVEN
    """

    __array_ufunc__ = None  # so that array * kernel asks the kernel, not NumPy

    # --- validity -------------------------------------------------------------

    def verdict(self, domain: Domain | None = None) -> Verdict:
        """Return PROVEN, REFUTED or UNKNOWN; on the natural domain by default."""
        return decide(self, domain)

    def proof(self, domain: Domain | None = None) -> Proof:
        """Return the tree of rules that proves this to be a kernel.

        Raises
        ------
        NotProven
            If the rules do not prove it; the message names the premise that is missing.
        """
        return prove_or_raise(self, domain)

    def refute(
        self, domain: Domain | None = None, rng: np.random.Generator | None = None
    ) -> Witness | None:
        """Look for few and simple points and a vector c with cᵀKc < 0.

        Without a domain it tries ℝ and ℝ². None means that nothing was found,
        which proves nothing.
        """
        return refute.refute(self, domain, rng)

    def latex_with(self, names: Sequence[str]) -> str:
        """Return the formula in which each child is a function of that name."""
        return self.replaced({}, map(Symbol, names)).latex

    def real_power(self, p: float) -> Kernel | None:
        """kᵖ for a real p > 0 written without the power, where that is a kernel."""
        return None

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

        return Scale(-1.0, self)

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

        return Power(self, exponent)  # type: ignore[arg-type]

    # --- functions of a kernel --------------------------------------------------

    def exp(self) -> Kernel:
        """Return exp(k)."""
        from kernellab.kernels.functional import Exp

        return Exp(self)

    def tanh(self) -> Kernel:
        """Return tanh(k); in general not a kernel."""
        from kernellab.kernels.functional import Tanh

        return Tanh(self)

    def polynomial(self, coefficients: Sequence[float]) -> Kernel:
        """Return q(k) = q₀ + q₁k + q₂k² + … ."""
        from kernellab.kernels.functional import PolynomialOf

        return PolynomialOf(self, coefficients)  # type: ignore[arg-type]

    def weighted(self, f: Any) -> Kernel:
        """Return f(x) k(x,x') f(x'), for a function f of all points, array to array."""
        from kernellab.kernels.weighting import Weighted

        return Weighted(self, f)

    def pullback(self, phi: Any) -> Kernel:
        """Return k(φ(x), φ(x')), for a function φ of all points, array to array."""
        from kernellab.kernels.transforms import Pullback

        return Pullback(self, phi)

    def on(self, index: int | Sequence[int]) -> Kernel:
        """k on some coordinates of x, counted from 0."""
        from kernellab.kernels.transforms import OnColumns

        return OnColumns(self, index)  # type: ignore[arg-type]

    def normalize(self) -> Kernel:
        """Return k(x,x') / √(k(x,x) k(x',x'))."""
        from kernellab.kernels.weighting import Normalized

        return Normalized(self)


@dataclass(frozen=True, repr=False)
class Symbol(Kernel):
    """A name that stands for a kernel in a printed formula."""

    name: str

    def evaluate(self, pair: PointPairs) -> Array:
        raise NotImplementedError("a symbol has no values")

    def format_latex(self, x: str, z: str) -> Text:
        return f"{self.name}({x}, {z})", ATOM

    def justify(self, domain: Domain) -> Justification:
        raise NotImplementedError("a symbol has no proof")
