"""Kernels of the inner product: linear and polynomial."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernellab.arrays import Array, number, reals
from kernellab.errors import InputError
from kernellab.kernels import parameters as par
from kernellab.kernels.base import Kernel
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.powers import Power, power
from kernellab.kernels.printing import POWER, PRODUCT, Text, tex_number
from kernellab.validity import rules
from kernellab.validity.domains import Domain, Reals
from kernellab.validity.rules import Condition
from kernellab.validity.theorems import LINEAR, QUADRATIC_FORM

Rows = tuple[tuple[float, ...], ...]

EIGENVALUE_ROUNDING = 1e-12
"""Eigenvalues above −EIGENVALUE_ROUNDING·max|λ| count as ≥ 0."""


@dataclass(frozen=True, repr=False)
class Linear(Kernel):
    """x⊤x', or x⊤A x' with a symmetric positive semi-definite A.

    Parameters
    ----------
    A : (d, d) array, optional
        The identity if not given. An A that does not qualify may be written down;
        the verdict tells.

    Examples
    --------
    >>> Linear()([[1.0, 2.0], [3.0, 4.0]])
    array([[ 5., 11.],
           [11., 25.]])
    >>> Linear(A=[[1, 0], [0, -1]]).verdict()
    REFUTED
    """

    A: Rows | None = None
    why_not_spectral = "it is not stationary, as k(x, x) changes with x"

    def __post_init__(self) -> None:
        if self.A is None:
            return
        A = reals(self.A, "A must be a matrix of numbers")
        if A.ndim != 2 or A.shape[0] != A.shape[1] or A.size == 0:
            raise InputError(f"A must be a square matrix, got shape {A.shape}")
        if not np.isfinite(A).all():
            raise InputError("A must be finite")
        object.__setattr__(self, "A", tuple(map(tuple, A.tolist())))

    @cached_property
    def _matrix(self) -> Array:
        return np.array(self.A)

    @property
    def symmetric(self) -> bool:
        return self.A is None or bool((self._matrix == self._matrix.T).all())

    def dimension_error(self, dimension: int) -> str | None:
        if self.A is None or dimension == len(self.A):
            return None
        d = len(self.A)
        return f"a linear kernel with A of {d}×{d} takes points with {d} columns"

    def evaluate(self, pair: PointPairs) -> Array:
        if self.A is None:
            return pair.inner().copy()
        image = pair.left.remember(("x⊤A", self.A), lambda P: P.matrix @ self._matrix)
        return pair.dot(image, pair.right.matrix)

    def rounding_error(self, pair: PointPairs) -> Array:
        left, right = abs(pair.left.matrix), abs(pair.right.matrix)
        return pair.dot(left if self.A is None else left @ abs(self._matrix), right)

    def format_latex(self, x: str, z: str) -> Text:
        return rf"{x}^\top {'' if self.A is None else 'A '}{z}", PRODUCT

    def natural_domain(self) -> Domain:
        return Reals() if self.A is None else Reals(len(self.A))

    def justify(self, domain: Domain) -> Justification:
        if self.A is None:
            return Justification(LINEAR)
        smallest, largest = self._eigenvalues()[[0, -1]]
        psd = smallest >= -EIGENVALUE_ROUNDING * max(abs(smallest), abs(largest))
        conditions = (
            Condition("A is symmetric", self.symmetric, "use (A + A⊤)/2"),
            Condition(
                f"the smallest eigenvalue of A, {smallest:.3g}, is ≥ 0",
                bool(psd),
                "use B⊤B for some B",
            ),
        )
        return Justification(QUADRATIC_FORM, conditions=conditions)

    def _eigenvalues(self) -> Array:
        symmetric_part = (self._matrix + self._matrix.T) / 2
        return np.asarray(np.linalg.eigvalsh(symmetric_part), np.float64)

    def build_features(self) -> FeatureMap:
        if self.A is None:
            return FeatureMap.coordinates()
        if not all(c.holds for c in self.justify(Reals()).conditions):
            return super().build_features()
        values, vectors = np.linalg.eigh(self._matrix)
        root = vectors * np.sqrt(values.clip(min=0))

        def names(d: int) -> list[tuple[float, tuple[str, ...]]]:
            return [(1.0, (f"(A^½x){j + 1}",)) for j in range(d)]

        return FeatureMap(lambda P: P.X @ root, names)


@dataclass(frozen=True, repr=False)
class Polynomial(Kernel):
    """(x⊤x' + c)^degree, with an integer degree ≥ 1 and c ≥ 0 (c = 0: homogeneous).

    Its features are the monomials of degree up to `degree` (exactly `degree` if
    c = 0), each with its multinomial weight; there are C(d + degree, degree) of them.

    Examples
    --------
    >>> k = Polynomial(degree=2, c=1.0)
    >>> k([[1.0], [2.0]])
    array([[ 4.,  9.],
           [ 9., 25.]])
    >>> k.features().labels(1)
    ['x1²', '√2·x1', '1']
    """

    degree: int = 3
    c: float = par.positive(1.0)
    why_not_spectral = "it is not stationary, as k(x, x) changes with x"

    def __post_init__(self) -> None:
        degree = number(self.degree, "the degree")
        if degree != int(degree) or degree < 1:
            raise InputError(
                f"the degree must be an integer ≥ 1, got {self.degree!r}. Other powers "
                "can be written as (Linear() + c)**p; they are not kernels in general."
            )
        c = number(self.c, "c")
        if c < 0:
            raise InputError(
                f"c must be ≥ 0, got {self.c!r}. A negative c can be written as "
                "(Linear() + c)**p; that is not a kernel in general."
            )
        object.__setattr__(self, "degree", int(degree))
        object.__setattr__(self, "c", c)

    def _base(self, pair: PointPairs) -> Array:
        result: Array = pair.inner() + self.c
        return result

    def evaluate(self, pair: PointPairs) -> Array:
        return power(self._base(pair), self.degree)

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        if self.c == 0:
            return []
        slope = power(self._base(pair), self.degree - 1)
        return [self.c * self.degree * float(np.vdot(G, slope))]

    def rounding_error(self, pair: PointPairs) -> Array:
        return self._expression().rounding_error(pair)

    def format_latex(self, x: str, z: str) -> Text:
        if self.c == 0:
            return rf"\left({x}^\top {z}\right)^{{{self.degree}}}", POWER
        return (
            rf"\left({x}^\top {z} + {tex_number(self.c)}\right)^{{{self.degree}}}",
            POWER,
        )

    def _expression(self) -> Kernel:
        """Return the same kernel, made by the rules."""
        base = Linear() + self.c if self.c else Linear()
        return Power(base, self.degree)

    def justify(self, domain: Domain) -> Justification:
        return Justification(
            rules.IDENTITY,
            ((self._expression(), domain),),
            note=f"the power {self.degree} of x⊤x' + {self.c:g}",
        )

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return self.c > 0

    def build_features(self) -> FeatureMap:
        return self._expression().build_features()
