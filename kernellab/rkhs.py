"""Functions of a reproducing kernel Hilbert space, as objects.

A function f = Σ c_i k(·, x_i) is kept as its kernel, points and coefficients. With

    ⟨Σ c_i k(·, x_i), Σ d_j k(·, z_j)⟩ = Σ_ij c_i d_j k(x_i, z_j)

such functions are added, multiplied by numbers, measured and projected, on vectors
as on strings. They are the pre-Hilbert space of Aronszajn's construction; the RKHS
is its completion, which adds limits that no finite sum reaches.

Chapter 4.

Legend: f, g functions; c, d coefficients; x, z points; K (n×n) Gram matrix.
"""

from __future__ import annotations

import math
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, number, reals
from kernellab.errors import InputError, UndefinedValue
from kernellab.kernels.base import Kernel
from kernellab.kernels.pairs import CrossPairs
from kernellab.kernels.points import Points
from kernellab.kernels.spaces import ANYTHING, VECTORS
from kernellab.text import simple

RELATIVE_ROUNDING = 1e-12
"""One rounding, with a margin: some thousand times the float's own precision."""

MAX_PRINTED_TERMS = 4
"""How many terms of a sum are printed."""


class Function:
    """f = Σ c_i k(·, x_i), an element of the RKHS of k.

    Parameters
    ----------
    kernel : the kernel k.
    points : (n, d) array, or n objects for a kernel on objects.
    coefficients : (n,) array c.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> k = kl.Gaussian(sigma=1.0)
    >>> f = Function(k, [[0.0], [2.0]], [1.0, -3.0])
    >>> f
    k(·, 0) − 3 k(·, 2) with k = Gaussian(sigma=1.0)
    >>> f([[0.0], [1.0]]).round(4)
    array([ 0.594 , -1.2131])
    >>> x = section(k, 1.0)
    >>> round(f @ x, 4)  # the reproducing property: ⟨f, k(·, x)⟩ = f(x)
    -1.2131
    >>> bool(abs(f @ x) <= f.norm() * x.norm())  # Cauchy–Schwarz
    True
    """

    __array_ufunc__ = None  # so that number * f asks f, not NumPy

    def __init__(
        self, kernel: Kernel, points: Any, coefficients: ArrayLike | float
    ) -> None:
        if not isinstance(kernel, Kernel):
            raise TypeError(f"a function of an RKHS needs its kernel, got {kernel!r}")
        self.kernel = kernel
        self.points: Points = kernel.read_points(points, "points")
        self.coefficients: Array = _coefficients(coefficients, len(self.points))

    def __call__(self, X: Any) -> Array:
        """Return f(x) = Σ c_i k(x, x_i) for every point of X. O(n) kernel values a
        point.
        """
        result: Array = self.kernel(X, self.points) @ self.coefficients
        return result

    # --- a vector space -------------------------------------------------------------

    def __add__(self, other: Function) -> Function:
        points = _joined(self.points, self._same_kernel(other).points)
        c = np.concatenate([self.coefficients, other.coefficients])
        return Function(self.kernel, points, c)

    def __sub__(self, other: Function) -> Function:
        return self + -self._same_kernel(other)

    def __mul__(self, factor: SupportsFloat) -> Function:
        if isinstance(factor, Function):
            raise TypeError(
                "a product of two functions of an RKHS need not belong to it; "
                "the inner product is f @ g"
            )
        c = number(factor, "the factor of a function") * self.coefficients
        return Function(self.kernel, self.points, c)

    __rmul__ = __mul__

    def __truediv__(self, divisor: SupportsFloat) -> Function:
        value = number(divisor, "the divisor of a function")
        if value == 0:
            raise InputError("a function cannot be divided by 0")
        return self * (1 / value)

    def __neg__(self) -> Function:
        return self * -1.0

    # --- its geometry ---------------------------------------------------------------

    def inner(self, other: Function) -> float:
        """Return ⟨f, g⟩ = Σ_ij c_i d_j k(x_i, z_j); also written f @ g. O(n·m) kernel
        values.

        It depends on the functions only, not on how they are written as sums: it is
        Σ d_j f(z_j), in which the c_i are gone.

        >>> from kernellab import kernels as kl
        >>> k = kl.Linear()
        >>> g = section(k, [1.0, 0.0]) + section(k, [0.0, 1.0])
        >>> h = section(k, [2.0, 5.0])
        >>> g @ h, section(k, [1.0, 1.0]) @ h
        (7.0, 7.0)
        """
        value = float(self._same_kernel(other)(self.points) @ self.coefficients)
        if not self.kernel.symmetric:
            mirrored = float(self(other.points) @ other.coefficients)
            if not math.isclose(value, mirrored, rel_tol=RELATIVE_ROUNDING):
                raise UndefinedValue(
                    f"⟨f, g⟩ = {value:.6g} but ⟨g, f⟩ = {mirrored:.6g}: "
                    f"{self.kernel!r} is not symmetric, so it is not a kernel"
                )
        return value

    __matmul__ = inner

    def norm(self) -> float:
        """Return ‖f‖ = √(cᵀKc). O(n²) kernel values.

        Raises
        ------
        UndefinedValue
            If cᵀKc < 0 beyond rounding: then k is not a kernel.
        """
        square = self.inner(self)
        if square < 0 and square < -self._error():
            raise UndefinedValue(
                f"⟨f, f⟩ = {square:.6g} is negative, so there is no norm: "
                f"{self.kernel!r} is not a kernel. k.refute() looks for the simplest "
                "points that show it."
            )
        return math.sqrt(max(square, 0.0))

    def equals(self, other: Function, tol: float = RELATIVE_ROUNDING) -> bool:
        """Return whether f = g as functions; their coefficients may differ.

        h = f − g is zero exactly if it vanishes at its own points, for
        ‖h‖² = Σ c_i h(x_i) and |h(x)| ≤ ‖h‖ √k(x,x). So |h(x_i)| is compared with
        `tol` times Σ_j |c_j k(x_i, x_j)|, the size of what cancels in it.

        >>> from kernellab import kernels as kl
        >>> k = kl.Linear()
        >>> f = section(k, [1.0, 0.0]) + section(k, [0.0, 1.0])
        >>> f.equals(section(k, [1.0, 1.0]))
        True
        """
        h = self - other
        K, c = self.kernel(h.points), h.coefficients
        return bool(np.all(np.abs(K @ c) <= tol * (np.abs(K) @ np.abs(c))))

    def project(self, points: Any, rcond: float = RELATIVE_ROUNDING) -> Function:
        """Return the element of span{k(·, z_j)} that is nearest to f.

        Its coefficients d solve Kd = (f(z_j)), where K is the Gram matrix of the
        z_j: the difference is orthogonal to every k(·, z_j), that is, zero at every
        z_j. So the projection is the function of least norm with f's values there.
        If K is singular d is not unique, the projection is: the d of least norm is
        taken. Cost O(m³) for m points.

        Parameters
        ----------
        points : the points z_j.
        rcond : eigenvalues of K up to `rcond` times the largest count as zero.

        >>> from kernellab import kernels as kl
        >>> f = section(kl.Linear(), [3.0, 4.0])
        >>> p = f.project([[1.0, 0.0], [2.0, 0.0]])
        >>> p([[1.0, 0.0], [0.0, 1.0]]).round(12), round((f - p).norm(), 12)
        (array([3., 0.]), 4.0)
        """
        Z = self.kernel.read_points(points, "points")
        d = np.linalg.lstsq(self.kernel(Z), self(Z), rcond=rcond)[0]
        return Function(self.kernel, Z, d)

    # --- printing -------------------------------------------------------------------

    def __repr__(self) -> str:
        """Return the first terms of the sum, and the kernel."""
        shown = zip(
            self.coefficients[:MAX_PRINTED_TERMS], _places(self.points), strict=True
        )
        terms = [_term(c, place) for c, place in shown]
        more = len(self.points) - MAX_PRINTED_TERMS
        rest = f" + … ({more} more)" if more > 0 else ""
        text = "".join(terms).removeprefix(" + ").removeprefix(" ")
        return f"{text or '0'}{rest} with k = {self.kernel!r}"

    def _error(self) -> float:
        """Return how large the rounding error of cᵀKc can be."""
        size = np.abs(self.coefficients)
        with np.errstate(all="ignore"):
            noise = self.kernel.rounding_error(CrossPairs(self.points, self.points))
        return RELATIVE_ROUNDING * float(size @ noise @ size)

    def _same_kernel(self, other: Function) -> Function:
        if not isinstance(other, Function):
            raise TypeError(f"expected a function of the same RKHS, got {other!r}")
        if other.kernel != self.kernel:
            raise InputError(
                f"these functions live in different spaces, that of {self.kernel!r} "
                f"and that of {other.kernel!r}; write both with one kernel"
            )
        return other


def section(kernel: Kernel, x: Any) -> Function:
    """Return k(·, x), the function that evaluates: ⟨f, k(·, x)⟩ = f(x) for every f.

    Parameters
    ----------
    kernel : the kernel k.
    x : one point: a number, a vector, or one object for a kernel on objects.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> section(kl.Linear(), [1.0, 2.0])
    k(·, (1, 2)) with k = Linear()
    >>> k = kl.Spectrum(p=2)
    >>> section(k, "abab")(["ab", "ba"])
    array([2., 1.])
    """
    if not isinstance(kernel, Kernel):
        raise TypeError(f"section takes a kernel and a point, got {kernel!r}")
    takes_vectors = kernel.space == ANYTHING and np.asarray(x).dtype.kind in "fiub"
    if kernel.space != VECTORS and not takes_vectors:
        return Function(kernel, [x], [1.0])
    vector = np.atleast_1d(reals(x, "x must be a number or a vector of numbers"))
    if vector.ndim != 1:
        raise InputError(
            f"x must be one point, a number or a vector; got shape {vector.shape}"
        )
    return Function(kernel, vector[None, :], [1.0])


def _coefficients(values: ArrayLike | float, n: int) -> Array:
    c = np.array(reals(values, "coefficients must be an array of numbers"))
    if c.shape != (n,):
        raise InputError(
            f"coefficients must have shape ({n},), one for each point; "
            f"got shape {c.shape}"
        )
    if not np.isfinite(c).all():
        raise InputError(f"coefficients must be finite, got {c}")
    return c


def _joined(left: Points, right: Points) -> Points:
    """Return all points of both."""
    if left.width != right.width:
        raise InputError(
            "these functions live on different spaces: their points have "
            f"{left.width or 'no'} and {right.width or 'no'} coordinates"
        )
    if left.width is None:
        return Points((*left.items, *right.items))
    return Points(np.vstack([left.X, right.X]))


def _places(points: Points) -> list[str]:
    """Return the first points as a person would write them."""
    if points.width is None:
        return [repr(item) for item in points.items[:MAX_PRINTED_TERMS]]
    rows = [[simple(x) for x in row] for row in points.X[:MAX_PRINTED_TERMS]]
    return [row[0] if len(row) == 1 else f"({', '.join(row)})" for row in rows]


def _term(c: float, place: str) -> str:
    """Return one term of a printed sum, with its sign."""
    size = "" if abs(c) == 1 else f"{simple(abs(c))} "
    return f" {'−' if c < 0 else '+'} {size}k(·, {place})"
