"""A kernel on strings that knows where: common substrings at nearby places.

Legend: s, t strings; u a word of length p, …, q; i, j places; w(δ) = exp(−δ²/2σ²);
C (strings × parts) with a 1 where the word u stands at place i of a string, its parts
being the pairs (u, i); W (parts × parts) with w(i − j) for parts of the same word.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from kernellab.arrays import Array, positive_number
from kernellab.errors import InfiniteDimensional, InputError
from kernellab.kernels import parameters as par
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.points import Points
from kernellab.kernels.printing import SUM, Text, tex_number
from kernellab.kernels.sets import Discrete, pack, tally
from kernellab.kernels.strings import STRINGS, length_range, set_lengths
from kernellab.validity.domains import Domain
from kernellab.validity.rules import Rule

Integers = NDArray[np.int64]

REACH_IN_WIDTHS = 9.0
"""Places further apart, in units of σ, do not count: there w is below 10⁻¹⁷."""

MANY_NEIGHBOURS = 5 * 10**7
"""A matrix W with more entries than this (600 MB) is refused."""

SMOOTHED_COUNTS = Rule(
    "smoothed counts",
    r"$\sum_u \sum_{i : s[i] = u} \sum_{j : t[j] = u} w(i - j)$ is a kernel on "
    r"strings if $w(i - j)$ is a kernel on the line.",
    r"Write $w(i - j) = \langle g_i, g_j \rangle$ and $\varphi_u(s) = \sum_{i : s[i] "
    r"= u} g_i$, a finite sum. Then the sum is $\sum_u \langle \varphi_u(s), "
    r"\varphi_u(t) \rangle$: an inner product of features. The Gaussian kernel "
    r"$w(\delta) = e^{-\delta^2/2\sigma^2}$ on the line has such $g_i$.",
)


@dataclass(frozen=True, repr=False)
class PositionalSpectrum(Discrete):
    """Σ_u Σ_{i: s[i]=u} Σ_{j: t[j]=u} exp(−(i−j)²/2σ²): the same word, near the same
    place.

    s[i] = u says that u stands in s from place i on. A small σ (below 0.1) asks for
    the same place, σ → ∞ for none: then it is the `Spectrum`. The oligo kernel of
    Meinicke et al. (2004), BMC Bioinformatics 5:169, up to a factor. With n strings of
    length l, O(nl·min(l, 18σ)) for the matrix CW and O(l) per pair of strings.

    Parameters
    ----------
    p : length of the words, an integer ≥ 1.
    longest : words of all lengths p, …, longest count; p if not given.
    sigma : σ > 0, in places: how far apart two equal words may stand. Learnable.

    Examples
    --------
    >>> k = PositionalSpectrum(p=2, sigma=1.0)
    >>> k(["TACG", "ATAC"]).round(3)  # TA and AC, one place later
    array([[3.   , 1.213],
           [1.213, 3.   ]])
    >>> PositionalSpectrum(p=2, sigma=0.1)(["TACG", "ATAC"]).round(3)
    array([[3., 0.],
           [0., 3.]])
    """

    p: int = 3
    longest: int | None = None
    sigma: float = par.positive(1.0)
    point_space = STRINGS

    def __post_init__(self) -> None:
        set_lengths(self)
        object.__setattr__(self, "sigma", positive_number(self.sigma, "sigma"))

    def evaluate(self, pair: PointPairs) -> Array:
        return pair.dot(*pair.joint(self, self._smoothed))

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        """Return ⟨G, σ ∂k/∂σ⟩, where σ ∂w/∂σ = w(δ) δ²/σ²."""
        slope = pair.dot(*pair.joint((self, "slope"), self._sloped))
        return [float(np.sum(G * slope))]

    def _smoothed(self, left: Points, right: Points) -> tuple[Any, Any]:
        return self._products(left, right, lambda r: math.exp(-r * r / 2))

    def _sloped(self, left: Points, right: Points) -> tuple[Any, Any]:
        return self._products(left, right, lambda r: r * r * math.exp(-r * r / 2))

    def _products(self, left: Points, right: Points, w: Any) -> tuple[Any, Any]:
        """Return CW of the left strings and C of the right ones."""
        mine = self._items(left)
        other = () if left is right else self._items(right)
        C, parts = tally(map(self._parts, mine + other))
        W = self._weights(parts, w)
        CW = pack(csr_array(C[: len(mine)] @ W))
        rows = C if left is right else C[len(mine) :]
        return CW, rows.toarray() if isinstance(CW, np.ndarray) else rows

    def _parts(self, s: str) -> Iterator[tuple[str, int]]:
        """Yield every substring with its place."""
        for n in range(self.p, (self.longest or self.p) + 1):
            for i in range(len(s) - n + 1):
                yield s[i : i + n], i

    def _weights(self, parts: list[tuple[str, int]], w: Any) -> csr_array[np.float64]:
        """Return W, a shift of −9σ to 9σ places at a time."""
        words: dict[str, int] = {}
        word = np.array([words.setdefault(u, len(words)) for u, _ in parts], np.int64)
        place = np.array([i for _, i in parts], dtype=np.int64)
        length = int(place.max(initial=0))
        reach = min(length, int(REACH_IN_WIDTHS * self.sigma))
        code = word * (2 * length + 1) + place  # so that shifted words do not meet
        shifts = range(-reach, reach + 1)
        count = np.bincount(word)
        self._require_room(int(count @ np.minimum(count, len(shifts))))
        order = np.argsort(code)
        found = [_shifted(code, order, shift) for shift in shifts]
        values = [
            np.full(len(i), w(shift / self.sigma))
            for shift, (i, _) in zip(shifts, found, strict=True)
        ]
        entries = (
            np.concatenate(values),
            tuple(map(np.concatenate, zip(*found, strict=True))),
        )
        return csr_array(coo_array(entries, (len(parts), len(parts))))

    def _require_room(self, entries: int) -> None:
        if entries > MANY_NEIGHBOURS:
            raise InputError(
                f"{self!r} is too large here: up to {entries} pairs of equal words "
                f"stand within {REACH_IN_WIDTHS:g}σ of each other; at most "
                f"{MANY_NEIGHBOURS} are allowed. Use longer words, a smaller sigma, or "
                "Spectrum."
            )

    def format_latex(self, x: str, z: str) -> Text:
        sums = rf"\sum_{{{length_range(self.p, self.longest)}}} "
        sums += rf"\sum_{{{x}[i] = u}} \sum_{{{z}[j] = u}}"
        return rf"{sums} e^{{-(i - j)^2 / (2 \cdot {tex_number(self.sigma)}^2)}}", SUM

    def justify(self, domain: Domain) -> Justification:
        return Justification(SMOOTHED_COUNTS, conditions=(self._lives_on(domain),))

    def build_features(self) -> FeatureMap:
        raise InfiniteDimensional(
            f"{self!r} has a feature for every word and every place, and strings can "
            "be of any length. Use the kernel itself, k(X, Z)."
        )


def _shifted(code: Integers, order: Integers, shift: int) -> tuple[Integers, Integers]:
    """Return all i, j with code_j = code_i + shift; the codes are all different."""
    ordered = code[order]
    place = np.searchsorted(ordered, code + shift)
    hit = np.flatnonzero(place < len(code))
    hit = hit[ordered[place[hit]] == code[hit] + shift]
    return hit, order[place[hit]]
