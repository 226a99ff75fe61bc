"""Gaussian vectors: affine images, sums, marginals, conditionals, in closed form.

A random vector is Gaussian if it is an affine image of standard noise,

    x = μ + Rz,    z ~ N(0, I),    Σ = RRᵀ,                             x ~ N(μ, Σ).

Σ may be singular: then x lives on the affine subspace μ + range R, and has a density
there and nowhere else. Every rule is one line on R:

    affine image        Ax + b = (Aμ + b) + (AR)z
    (a) sum             x + y = (μ + ν) + (R, S)(z, z'), **if x and y are independent**
    (b) marginal        x_a = μ_a + R_a z
    (c) conditional     x_b = v fixes R_b z; what remains of z is (I − R_b⁺R_b)z
    (d) linear model    y = Ax + b + ε is an affine image of (z, noise of ε)

so that no rule can produce a covariance that is not positive semi-definite. With
Σ_bb invertible, (c) is μ_a + Σ_ab Σ_bb⁻¹(v − μ_b) and Σ_aa − Σ_ab Σ_bb⁻¹ Σ_ba; in
general Σ_bb⁻¹ becomes the pseudo-inverse.

Legend: n dimension; μ mean; Σ covariance; R (n×r) root; a, b two sets of
coordinates; A, b of an affine map.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, RandomState, describe, generator, number, reals
from kernellab.errors import InputError
from kernellab.gp.normal_inputs import matrix, noise_root, vector
from kernellab.gp.support import SUPPORT_TOLERANCE, CovarianceRange, root_of, settle
from kernellab.linalg import symmetric


@dataclass(frozen=True, eq=False, repr=False)
class Normal:
    """A Gaussian vector x ~ N(μ, Σ).

    Parameters
    ----------
    mean : (n,) array μ, or a number for n = 1.
    covariance : (n, n) array Σ, symmetric and positive semi-definite, or a number.

    Attributes
    ----------
    root : (n, r) array R with Σ = RRᵀ; r ≤ n, and it can exceed the rank.

    Notes
    -----
    `A @ x + b` is the affine image. The sum of two objects is refused: their laws do
    not determine it. Write `x.plus_independent(y)` if they are independent; otherwise
    make the joint vector, and add its parts with a matrix.

    Examples
    --------
    >>> x = Normal([1.0, 2.0], [[2.0, 1.0], [1.0, 1.0]])
    >>> np.array([[1.0, -1.0]]) @ x + 3.0
    N(mean [2.], covariance [[1.]])
    >>> x.conditional(1, 4.0)  # of the first coordinate, given the second
    N(mean [3.], covariance [[1.]])
    """

    mean: Array
    covariance: Array
    root: Array = field(init=False)

    __array_ufunc__ = None  # so that matrix @ Normal comes here
    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        mean = vector(self.mean, "the mean").copy()
        covariance = symmetric(
            np.atleast_2d(reals(self.covariance, "the covariance must be numbers")),
            "the covariance",
        )
        if len(covariance) != len(mean):
            raise InputError(
                f"the covariance of {len(mean)} coordinates must have shape "
                f"({len(mean)}, {len(mean)}), got {covariance.shape}"
            )
        self._set(mean, covariance, root_of(covariance))

    def _set(self, mean: Array, covariance: Array, root: Array) -> None:
        for name, value in (
            ("mean", mean),
            ("covariance", covariance),
            ("root", root),
        ):
            value.flags.writeable = False
            object.__setattr__(self, name, value)

    @classmethod
    def image(cls, mean: ArrayLike, root: ArrayLike) -> Normal:
        """Make x = μ + Rz from the root itself: Σ = RRᵀ needs no factorisation."""
        mu = vector(mean, "the mean").copy()
        R = np.array(matrix(root, len(mu), "the root"))
        if R.shape[1] > len(R):  # never more columns than rows
            R = np.linalg.qr(R.T)[1].T
        x = object.__new__(cls)
        x._set(mu, R @ R.T, R)
        return x

    def __repr__(self) -> str:
        if len(self) > 4:
            return f"N({len(self)} coordinates, rank {self.rank})"
        rows = ", ".join(str(row) for row in self.covariance)
        return f"N(mean {self.mean}, covariance [{rows}])"

    def __len__(self) -> int:
        return len(self.mean)

    @property
    def variance(self) -> Array:
        """The diagonal of Σ."""
        return self.covariance.diagonal().copy()

    @property
    def rank(self) -> int:
        """The dimension of the support, n unless Σ is singular."""
        return len(CovarianceRange(self.mean, self.root).s)

    # --- the algebra ------------------------------------------------------------------

    def affine(
        self, A: ArrayLike, b: ArrayLike = 0.0, noise: ArrayLike | None = None
    ) -> Normal:
        """Return the law of y = Ax + b + ε, with ε ~ N(0, noise) independent of x.

        N(Aμ + b, AΣAᵀ + noise): property (d). O(n²) per row of A.

        Parameters
        ----------
        A : (m, n) array.
        b : (m,) array, or a number.
        noise : covariance of ε, (m, m); a number is that variance for each
            coordinate; None for no noise.

        Examples
        --------
        >>> x = Normal(1.0, 4.0)
        >>> x.affine([[1.0], [2.0]], b=[0.0, 5.0], noise=1.0)
        N(mean [1. 7.], covariance [[5. 8.], [ 8. 17.]])
        """
        M, shift = self._map(A, b)
        R = self._mapped(M)
        if noise is not None:
            R = np.hstack([R, noise_root(noise, len(M))])
        return Normal.image(M @ self.mean + shift, R)

    def joint(
        self, A: ArrayLike, b: ArrayLike = 0.0, noise: ArrayLike | None = None
    ) -> Normal:
        """Return the law of x and y = Ax + b + ε together, y behind x.

        Examples
        --------
        >>> Normal(1.0, 4.0).joint([[1.0]], noise=1.0)
        N(mean [1. 1.], covariance [[4. 4.], [4. 5.]])
        """
        M, shift = self._map(A, b)
        n, m = len(self), len(M)
        stacked = np.vstack([np.eye(n), M])
        R = self._mapped(stacked)
        if noise is not None:
            below = noise_root(noise, m)
            R = np.hstack([R, np.vstack([np.zeros((n, below.shape[1])), below])])
        lift = np.concatenate([np.zeros(n), np.broadcast_to(shift, m)])
        return Normal.image(stacked @ self.mean + lift, R)

    def posterior(
        self,
        y: ArrayLike,
        A: ArrayLike,
        b: ArrayLike = 0.0,
        noise: ArrayLike | None = None,
    ) -> Normal:
        """Return the law of x after y = Ax + b + ε was observed: Bayes' rule.

        Examples
        --------
        >>> Normal(0.0, 1.0).posterior([2.0], [[1.0]], noise=1.0)
        N(mean [1.], covariance [[0.5]])
        """
        both = self.joint(A, b, noise)
        return both.conditional(slice(len(self), None), y)

    def plus_independent(self, other: Normal) -> Normal:
        """Return the law of x + y, N(μ + ν, Σ + T), if they are independent: (a).

        Nothing can check that they are independent. If they are not, Cov(x, y) and
        its transpose have to be added as well.

        Examples
        --------
        >>> Normal(1.0, 2.0).plus_independent(Normal(3.0, 4.0))
        N(mean [4.], covariance [[6.]])
        """
        if len(other) != len(self):
            raise InputError(
                f"vectors of {len(self)} and of {len(other)} coordinates have no sum"
            )
        R = np.hstack([self.root, other.root])
        return Normal.image(self.mean + other.mean, R)

    def marginal(self, index: Any) -> Normal:
        """Return the law of some coordinates: N(μ_a, Σ_aa). Property (b).

        Examples
        --------
        >>> Normal([1.0, 2.0], [[2.0, 1.0], [1.0, 1.0]]).marginal(0)
        N(mean [1.], covariance [[2.]])
        """
        a = self._coordinates(index)
        return Normal.image(self.mean[a], self.root[a])

    def conditional(self, index: Any, values: ArrayLike) -> Normal:
        """Return the law of the other coordinates, given that x[index] = values.

        Property (c): N(μ_a + Σ_ab Σ_bb⁺(v − μ_b), Σ_aa − Σ_ab Σ_bb⁺ Σ_ba). The
        covariance does not depend on the values. O(n·m²) for m given coordinates.

        Raises
        ------
        InputError
            If x[index] cannot have these values: Σ_bb is singular, and they lie off
            the support.

        Examples
        --------
        >>> x = Normal([0.0, 0.0, 0.0], [[2, 1, 1], [1, 1, 1], [1, 1, 1]])
        >>> x.conditional([1, 2], [3.0, 3.0])  # the two are one: no inverse
        N(mean [3.], covariance [[1.]])
        """
        b = self._coordinates(index)
        a = np.setdiff1d(np.arange(len(self)), b)
        if not len(a):
            raise InputError("all coordinates are given: none is left to be random")
        given = CovarianceRange(self.mean[b], self.root[b])
        z, distance = given.locate(self._values(values, len(b)))
        if distance[0] > SUPPORT_TOLERANCE:
            raise InputError(
                "the given values are impossible: the covariance of these coordinates "
                f"has rank {len(given.s)} of {len(b)}, and the values lie "
                f"{distance[0]:.3g} standard deviations off its support. Add noise to "
                "what is observed, or give values that are consistent."
            )
        Ra = self.root[a]
        remaining = settle(Ra - (Ra @ given.V) @ given.V.T, np.abs(Ra).max(axis=1))
        return Normal.image(self.mean[a] + Ra @ (given.V @ z[0]), remaining)

    # --- values -----------------------------------------------------------------------

    def log_density(self, x: ArrayLike) -> Any:
        """Return log p(x); if Σ is singular, the density on the support, −∞ off it.

        −½(x−μ)ᵀΣ⁺(x−μ) − ½ log det⁺Σ − (r/2) log 2π, where det⁺ is the product of the
        eigenvalues that are not 0.

        Parameters
        ----------
        x : (n,) array, or (q, n) for q points.

        Returns
        -------
        number, or (q,) array.

        Examples
        --------
        >>> round(Normal(0.0, 1.0).log_density([1.0]), 4)
        -1.4189
        >>> line = Normal([0.0, 0.0], [[1.0, 1.0], [1.0, 1.0]])
        >>> line.log_density([[1.0, 1.0], [1.0, 0.0]]).round(4)
        array([-1.7655,    -inf])
        """
        points = reals(x, "x must be an array of numbers")
        rows = np.atleast_2d(points) if len(self) > 1 else points.reshape(-1, 1)
        if rows.ndim != 2 or rows.shape[1] != len(self):
            raise InputError(
                f"x must have shape ({len(self)},) or (q, {len(self)}), got "
                f"{points.shape}"
            )
        support = CovarianceRange(self.mean, self.root)
        z, distance = support.locate(rows)
        constant = support.logdet() + len(support.s) * np.log(2 * np.pi)
        inside = distance <= SUPPORT_TOLERANCE
        values = np.where(inside, -0.5 * ((z * z).sum(axis=1) + constant), -np.inf)
        single = points.ndim < 2 and not (len(self) == 1 and points.size != 1)
        return float(values[0]) if single else values

    def sample(
        self, size: int | None = None, random_state: RandomState = None
    ) -> Array:
        """Draw independent samples μ + Rz: (n,), or (size, n). O(nr) each.

        Examples
        --------
        >>> x = Normal([0.0, 1.0], [[1.0, 1.0], [1.0, 1.0]]).sample(3, random_state=0)
        >>> (x[:, 1] - x[:, 0]).round(12)  # as Σ says
        array([1., 1., 1.])
        """
        rng = generator(random_state)
        r = self.root.shape[1]
        shape = (r,) if size is None else (size, r)
        draws: Array = self.mean + rng.standard_normal(shape) @ self.root.T
        return draws

    # --- operators --------------------------------------------------------------------

    def __rmatmul__(self, A: ArrayLike) -> Normal:
        return self.affine(A)

    def __add__(self, b: Any) -> Normal:
        if isinstance(b, Normal):
            raise TypeError(
                "the laws of x and y do not determine that of x + y: for independent "
                "vectors write x.plus_independent(y), otherwise make their joint law "
                "and add the parts with a matrix, np.hstack([I, I]) @ joint"
            )
        shift = np.broadcast_to(vector(b, "what is added", len(self)), len(self))
        return Normal.image(self.mean + shift, self.root)

    __radd__ = __add__

    def __sub__(self, b: Any) -> Normal:
        return self + (b if isinstance(b, Normal) else -np.asarray(b))

    def __mul__(self, c: Any) -> Normal:
        factor = number(c, "the factor of a Gaussian vector")
        return Normal.image(factor * self.mean, factor * self.root)

    __rmul__ = __mul__

    # --- checks -----------------------------------------------------------------------

    def _map(self, A: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
        M = reals(A, "A must be a matrix of numbers")
        if M.ndim != 2 or M.shape[1] != len(self) or not np.isfinite(M).all():
            raise InputError(
                f"A must be finite, of shape (m, {len(self)}) to act on "
                f"{len(self)} coordinates; got {M.shape}"
            )
        return M, vector(b, "b", len(M))

    def _mapped(self, M: Array) -> Array:
        """Return MR with the rows that cancel set to 0."""
        lengths = np.linalg.norm(self.root, axis=1)
        return settle(M @ self.root, np.abs(M) @ lengths)

    def _coordinates(self, index: Any) -> Any:
        try:
            chosen = np.atleast_1d(np.arange(len(self))[index])
        except (IndexError, TypeError) as error:
            raise InputError(
                f"index must name coordinates from 0 to {len(self) - 1}; got "
                f"{describe(index)}"
            ) from error
        if not len(chosen) or len(np.unique(chosen)) < len(chosen):
            raise InputError(
                f"index must name one coordinate or more, none twice; got "
                f"{describe(index)}"
            )
        return chosen

    def _values(self, values: ArrayLike, m: int) -> Array:
        v = vector(values, "the given values")
        if len(v) != m:
            raise InputError(f"{m} coordinates are given {len(v)} values")
        return v[None, :]


def independent(*parts: Normal) -> Normal:
    """Return the joint law of independent vectors: their roots on a block diagonal.

    Examples
    --------
    >>> xy = independent(Normal(0.0, 1.0), Normal(5.0, 2.0))
    >>> np.array([[1.0, 1.0]]) @ xy
    N(mean [5.], covariance [[3.]])
    """
    if not parts:
        raise InputError("independent needs one Gaussian vector or more")
    rows = [len(x) for x in parts]
    columns = [x.root.shape[1] for x in parts]
    R = np.zeros((sum(rows), sum(columns)))
    for x, i, j in zip(parts, np.cumsum(rows), np.cumsum(columns), strict=True):
        R[i - len(x) : i, j - x.root.shape[1] : j] = x.root
    return Normal.image(np.concatenate([x.mean for x in parts]), R)
