"""Random Fourier features: a stationary kernel as the average of a few waves.

By Bochner k(x, x') = ∫ cos(ω⊤(x−x')) dμ(ω), with a measure of mass M = k(x, x). With
m frequencies ω_j drawn from μ/M (Rahimi and Recht 2007),

    k̂(x, x') = M/m Σ_j cos ω_j⊤(x−x') = ⟨φ̂(x), φ̂(x')⟩,
    φ̂(x) = √(M/m) (cos ω₁⊤x, …, cos ω_m⊤x, sin ω₁⊤x, …, sin ω_m⊤x),

since cos(a−b) = cos a cos b + sin a sin b. The map knows nothing of the data: it costs
O(md) to fit and O(nmd) to apply. What is known of k̂:

- k̂(x, x) = M = k(x, x) exactly, and E k̂(x, x') = k(x, x').
- Var k̂(x, x') = [M² + M k(2δ) − 2k(δ)²] / (2m), k(δ) meaning k at x − x' = δ: each of
  the m waves has the variance E M²cos²ω⊤δ − k(δ)², and cos² a = (1 + cos 2a)/2.
- P(|k̂ − k| ≥ ε for some of N pairs) ≤ 2N exp(−mε²/(2M²)), by Hoeffding for each pair
  (m independent terms between −M/m and M/m) and the union bound. So with probability
  1 − η no pair is wrong by more than M√(2 ln(2N/η)/m); n points have N = n(n−1)/2
  pairs that are not exact.

The error falls as 1/√m, not faster, however smooth k is: a few digits are cheap, more
are not. Where K has low rank, `Nystroem` learns that from the points.

**Orthogonal frequencies** (Yu et al. 2016). If μ is rotation invariant, the directions
of c frequencies at a time can be made orthogonal, c the dimension, and each still has
the distribution μ/M: k̂ stays unbiased. For the Gaussian its variance falls for points
up to about three widths apart (to 0.5 of it at ‖δ‖ = σ in ℝ³), and hardly changes
beyond (1.009 of it at 4σ). Waves of a block are dependent; Hoeffding then speaks of the
independent sums over blocks of the sizes b, between ±bM/m: in place of M√(2 ln(2N/η)/m)
it gives M√(2 ln(2N/η) Σb²)/m. It does not know that orthogonal frequencies do better,
and is larger.

Legend: n points X (n×d); r = 2m columns; δ = x − x'; η probability of failure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from kernellab.arrays import Array, RandomState, generator, number, whole
from kernellab.errors import InputError
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.lowrank.base import ApproximationError, LowRank
from kernellab.lowrank.data_blocks import DataBlocks
from kernellab.lowrank.waves import waves

FAILURE_PROBABILITY = 0.01
"""The probability with which the bound of `error` may fail."""

SAMPLE_POINTS = 64
"""`error` averages the variance over SAMPLE² pairs."""


@dataclass(frozen=True, repr=False)
class FourierError(ApproximationError):
    """How far k̂ is from k: what was seen, and what theory foretells.

    Parameters
    ----------
    expected : the rms that independent frequencies have on average over their draw,
        by the formula for the variance; itself estimated from pairs.
    largest : with probability 0.99 over the draw of the frequencies, no pair of these
        n points has a larger |k − k̂| (Hoeffding).
    """

    expected: float = 0.0
    largest: float = 0.0

    def __str__(self) -> str:
        return (
            f"{super().__str__()}; expected rms {self.expected:.3g}; all pairs below "
            f"{self.largest:.3g} with probability {1 - FAILURE_PROBABILITY:g}"
        )

    __repr__ = __str__


@dataclass(eq=False)
class RandomFourier(LowRank):
    """φ̂(x) = √(M/m) (cos ω_j⊤x, sin ω_j⊤x), with random frequencies ω_j.

    For every kernel with a spectral measure (`Kernel.spectral_measure`): continuous,
    stationary, on ℝᵈ.

    Parameters
    ----------
    kernel : Kernel
    rank : number of columns, an even number: m = rank/2 frequencies.
    orthogonal : make the frequencies orthogonal, as many at a time as can be. For
        kernels whose measure is rotation invariant, perhaps after a linear map.
    random_state : seed of the frequencies; the same seed, the same map.

    Attributes
    ----------
    frequencies_ : (m, d) array, one per row.
    rank_ : number of columns.

    Examples
    --------
    >>> import numpy as np
    >>> from kernellab.kernels import Gaussian
    >>> X = np.linspace(0, 3, 4)[:, None]
    >>> k = Gaussian()
    >>> phi = RandomFourier(k, rank=2000).fit(X)
    >>> k(X)[0].round(2), phi.approximate(X)[0].round(2)
    (array([1.  , 0.61, 0.14, 0.01]), array([ 1.  ,  0.63,  0.15, -0.  ]))
    >>> np.sqrt(phi.variance(X)[0]).round(2)  # the standard deviation of k̂
    array([0.  , 0.01, 0.02, 0.02])
    """

    kernel: Kernel
    rank: int = 500
    orthogonal: bool = False
    random_state: RandomState = 0

    _projects: ClassVar[bool] = False

    def _learn(self, kernel: Kernel, rows: DataBlocks) -> int:
        rank = whole(self.rank, "rank", 1)
        rng = generator(self.random_state)
        if rank % 2:
            raise InputError(
                "rank must be even, as each frequency gives a cosine and a sine; got "
                f"{rank}, take {rank + 1}"
            )
        measure = kernel.spectral_measure(rows.width or 1)
        if rows.width is None or rows.take([0]).X.size == 0:  # sparse: an error
            raise InputError("random Fourier features need vectors; X has objects")
        draw = measure.sample_orthogonal if self.orthogonal else measure.sample
        self.frequencies_ = draw(rank // 2, rng)
        self._mass = measure.mass
        self._block = max(1, measure.A.shape[1]) if self.orthogonal else 1
        return rank

    def _columns(self, points: Points) -> Array:
        omega = self.frequencies_
        return waves(points.X, omega, math.sqrt(self._mass / len(omega)))

    def variance(self, X: Any, Z: Any = None) -> Array:
        """Var k̂(x, z) over the draw of independent frequencies, for every pair.

        For orthogonal ones it is no more than a scale to measure by: with a Gaussian
        kernel they do better for points up to about three widths apart.

        Parameters
        ----------
        X : (n, d) array.
        Z : (q, d) array; X if not given.

        Returns
        -------
        (n, q) array.
        """
        self.fitted_columns()
        P = self._read(X, "X")
        Q = P if Z is None else self._read(Z, "Z")
        M, m = self._mass, len(self.frequencies_)
        K, K2 = self._kernel(P, Q), self._kernel(2 * P.X, 2 * Q.X)
        result: Array = (M**2 + M * K2 - 2 * K**2) / (2 * m)
        return np.maximum(result, 0.0)

    def bound(self, pairs: float = 1, failure: float = FAILURE_PROBABILITY) -> float:
        """Return ε with P(|k̂ − k| ≥ ε for some of the pairs) ≤ failure (Hoeffding).

        Parameters
        ----------
        pairs : how many pairs of points, chosen before the frequencies were drawn.
        failure : probability, between 0 and 1.
        """
        self.fitted_columns()
        eta = number(failure, "failure")
        if not 0 < eta < 1:
            raise InputError(
                f"failure must be a probability between 0 and 1, got {failure!r}"
            )
        m, b = len(self.frequencies_), self._block
        squares = m // b * b**2 + (m % b) ** 2
        log = math.log(2 * max(number(pairs, "pairs"), 1) / eta)
        return self._mass / m * math.sqrt(2 * log * squares)

    def _estimated(self, rows: DataBlocks, found: Any) -> FourierError:
        seen = super()._estimated(rows, found)
        index = np.random.default_rng(1).integers(rows.n, size=2 * SAMPLE_POINTS)
        points = rows.take(index)
        variance = self.variance(points[:SAMPLE_POINTS].X, points[SAMPLE_POINTS:].X)
        pairs = rows.n * (rows.n - 1) / 2
        return FourierError(
            **{f.name: getattr(seen, f.name) for f in fields(seen)},
            expected=math.sqrt(variance.mean()),
            largest=self.bound(pairs) if pairs else 0.0,
        )
