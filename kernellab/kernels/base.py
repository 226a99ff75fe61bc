"""Kernel: an expression for k(x, x'), kept as an immutable tree.

From the one tree come the Gram matrix, the diagonal, the gradient, the feature
map, the spectral measure, the printed formula and the proof. The author of a new
kernel writes small methods: `_value` (the formula), `_pull` (its derivative, if it has
parameters), `_latex`, `_justify` (why it is a kernel), and `_spectral` (its
frequencies, if it is stationary).

Legend: X, Z (n×d) points a row; K (n×m) Gram block; G (n×m) cotangent of K;
θ hyperparameters; d dimension of the inputs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.errors import InputError, NoFeatureMap, NoSpectralMeasure
from kernellab.kernels import gram, parameters
from kernellab.kernels.operators import Operators
from kernellab.kernels.pairs import Diagonal, Pair
from kernellab.kernels.points import Array, Points
from kernellab.kernels.printing import ATOM, Text
from kernellab.kernels.spaces import VECTORS, Space, common_space
from kernellab.validity.domains import Domain, common_domain
from kernellab.validity.rules import Justification

if TYPE_CHECKING:
    from kernellab.features import FeatureMap
    from kernellab.kernels.spectral import SpectralMeasure
    from kernellab.validity.proof import Proof
    from kernellab.validity.verdict import Verdict
    from kernellab.validity.witness import Witness

NUDGE = 1e-8
"""The relative change of the points that shows how steep a kernel is."""


@dataclass(frozen=True, repr=False)
class Kernel(Operators, ABC):
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

    _space: ClassVar[Space] = VECTORS

    def __post_init__(self) -> None:
        """Check that the parts are kernels; a node with other checks calls this too."""
        for f in fields(self):
            part = getattr(self, f.name)
            if f.type in ("Kernel", Kernel) and not isinstance(part, Kernel):
                raise TypeError(
                    f"{type(self).__name__} is made of kernels, got {part!r}; "
                    "for a constant function write Constant(c)"
                )

    @property
    def space(self) -> Space:
        """What the kernel compares: vectors, strings, …"""
        children = self.children
        return common_space(c.space for c in children) if children else self._space

    # --- values ---------------------------------------------------------------

    def __call__(self, X: ArrayLike | Sequence[Any] | Points, Z: Any = None) -> Array:
        """The Gram block k(x_i, z_j), or k(x_i, x_j) if Z is not given.

        Parameters
        ----------
        X : (n, d) array, or n objects for a kernel on objects.
        Z : (m, d) array or m objects, optional.

        Returns
        -------
        (n, m) array, or (n, n), then exactly symmetric. Cost O(n·m·d).
        """
        P = self._read(X, "X")
        Q = None if Z is None else self._read(Z, "Z")
        if Q is not None and P.width != Q.width:
            raise InputError(
                "X and Z must have the same number of columns, got "
                f"{P.width or 'objects'} and {Q.width or 'objects'}"
            )
        with np.errstate(all="ignore"):
            K, total = gram.gram(self, P, Q)
        if np.isfinite(total):
            return K
        return gram.require_finite(self, K, "the points number")

    def diag(self, X: ArrayLike | Sequence[Any] | Points) -> Array:
        """k(x_i, x_i) for every point, in O(n)."""
        with np.errstate(all="ignore"):
            values = self._value(Diagonal(self._read(X, "X")))
        return gram.require_finite(self, values, "the point number")

    def vjp(self, X: ArrayLike | Sequence[Any] | Points, G: ArrayLike) -> Array:
        """⟨G, ∂K/∂θ⟩ = Σ_ij G_ij ∂k(x_i, x_j)/∂θ, for every coordinate of θ.

        Reverse mode: one pass over the tree, no n×n×p array. With
        G = ½(aaᵀ − C⁻¹) it is the gradient of a Gaussian process's log likelihood.

        Parameters
        ----------
        X : (n, d) array.
        G : (n, n) array.

        Returns
        -------
        array as long as `theta`, in its order and coordinates.
        """
        P = self._read(X, "X")
        cotangent = parameters.reals(G, "G must be an array of numbers")
        if cotangent.shape != (len(P), len(P)):
            raise InputError(
                f"G must have the shape of k(X), {(len(P), len(P))}; "
                f"got {cotangent.shape}"
            )
        if not np.isfinite(cotangent).all():
            raise InputError("G must be finite; some entry is NaN or infinite")
        with np.errstate(all="ignore"):
            gradient = gram.vjp(self, P, cotangent)
        return gram.require_finite(self, gradient, "the derivative in theta number")

    def _gram(self, P: Points, Q: Points | None = None) -> Array:
        """The Gram block as it comes, not checked to be finite."""
        with np.errstate(all="ignore"):
            return gram.gram(self, P, Q)[0]

    @abstractmethod
    def _value(self, pair: Pair) -> Array:
        """k(x, x') for the pairs: a new array, which the caller may overwrite."""

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        """⟨G, ∂k/∂θ⟩ over the pairs, own parameters first, then the children's."""
        return []

    def _noise(self, pair: Pair) -> Array:
        """How large the rounding error of k(x, x') can be, in units of one rounding.

        To first order: the size of whatever is rounded on the way. For a leaf, of
        the value and of the points: it exceeds |k| where k is steep, and for a
        compound where large terms cancel.
        """
        value = pair.value(self)
        moved = [self._value(other) for other in pair.perturbed(NUDGE)]
        return np.abs(value) + sum(np.abs(m - value) for m in moved) / NUDGE

    def _read(self, X: Any, name: str) -> Points:
        """Check the points."""
        points = X if isinstance(X, Points) else self.space.read(X, name)
        complaint = None if points.width is None else self._misfit(points.width)
        if complaint:
            raise InputError(f"{complaint}; {name} has {points.width} columns")
        return points

    def _misfit(self, dimension: int) -> str | None:
        """Why points in ℝᵈ do not fit this kernel; None if they do."""
        complaints = (child._misfit(dimension) for child in self.children)
        return next(filter(None, complaints), None)

    # --- the tree -------------------------------------------------------------

    @property
    def children(self) -> tuple[Kernel, ...]:
        """The kernels that this one is made of, in the order of its fields."""
        found: list[Kernel] = []
        for f in fields(self):
            value = getattr(self, f.name)
            parts = value if isinstance(value, tuple) else (value,)
            found += [part for part in parts if isinstance(part, Kernel)]
        return tuple(found)

    @property
    def symmetric(self) -> bool:
        """Whether k(x, x') = k(x', x) is known from the form of the expression."""
        return all(child.symmetric for child in self.children)

    def _replace(self, changes: dict[str, Any], children: Iterator[Kernel]) -> Self:
        """The same node with other parameters and other children."""
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, Kernel):
                changes[f.name] = next(children)
            elif isinstance(value, tuple) and value and isinstance(value[0], Kernel):
                changes[f.name] = tuple(next(children) for _ in value)
        return replace(self, **changes)

    # --- hyperparameters ------------------------------------------------------

    @property
    def theta(self) -> Array:
        """The hyperparameters as one vector, logarithms for positive ones."""
        return np.array(
            [slot.coordinate for _, slot in self._slots()], dtype=np.float64
        )

    @property
    def theta_names(self) -> tuple[str, ...]:
        """A readable name for each entry of `theta`.

        >>> from kernellab import kernels as kl
        >>> (2 * kl.Gaussian() + kl.Gaussian(sigma=(1, 3))).theta_names
        ('scale.c', 'gaussian.sigma', 'gaussian2.sigma[0]', 'gaussian2.sigma[1]')
        """
        owners: dict[int, str] = {}
        seen: Counter[str] = Counter()
        names = []
        for position, slot in self._slots():
            if position not in owners:
                word = type(self._nodes()[position]).__name__.lower()
                seen[word] += 1
                owners[position] = word if seen[word] == 1 else f"{word}{seen[word]}"
            names.append(f"{owners[position]}.{slot.label}")
        return tuple(names)

    def with_theta(self, theta: ArrayLike) -> Self:
        """The same expression with other hyperparameters."""
        values = parameters.reals(theta, "theta must be an array of numbers")
        expected = len(self.theta)
        if values.shape != (expected,):
            raise InputError(
                f"theta must have shape ({expected},) for {', '.join(self.theta_names)}"
                f"; got shape {values.shape}"
            )
        if not np.isfinite(values).all():
            raise InputError(f"theta must be finite, got {values}")
        return self._with(iter(values.tolist()))

    def _with(self, theta: Iterator[float]) -> Self:
        changes: dict[str, Any] = dict(parameters.decode(self, theta))
        children = [child._with(theta) for child in self.children]
        return self._replace(changes, iter(children))

    def _nodes(self) -> list[Kernel]:
        """This node and all below it, parents before children."""
        return [self, *(node for child in self.children for node in child._nodes())]

    def _slots(self) -> list[tuple[int, parameters.Slot]]:
        return [
            (position, slot)
            for position, node in enumerate(self._nodes())
            for slot in parameters.slots(node)
        ]

    # --- validity -------------------------------------------------------------

    def verdict(self, domain: Domain | None = None) -> Verdict:
        """PROVEN, REFUTED or UNKNOWN on a domain (the natural one by default)."""
        from kernellab.validity.verdict import decide

        return decide(self, domain)

    def proof(self, domain: Domain | None = None) -> Proof:
        """The tree of rules that proves this to be a kernel; else `NotProven`."""
        from kernellab.validity.proof import prove_or_raise

        return prove_or_raise(self, domain)

    def refute(
        self, domain: Domain | None = None, rng: np.random.Generator | None = None
    ) -> Witness | None:
        """Points and a vector c with cᵀKc < 0, as few and as simple as can be found.

        Without a domain it tries ℝ and ℝ². None means that nothing was found,
        which proves nothing.
        """
        from kernellab.validity.refute import refute

        return refute(self, domain, rng)

    def natural_domain(self) -> Domain:
        """The set that the verdict speaks of when none is named."""
        return common_domain(self, [child.natural_domain() for child in self.children])

    @abstractmethod
    def _justify(self, domain: Domain) -> Justification:
        """The rule by which this node is a kernel, its conditions and premises."""

    def _positive_diagonal(self, domain: Domain) -> bool:
        """Whether k(x, x) > 0 throughout the domain is known from the form."""
        return False

    def _divisible(self) -> bool:
        """Whether every root k^{1/m} is known to be a kernel, and k > 0."""
        return False

    # --- features -------------------------------------------------------------

    def features(self) -> FeatureMap:
        """φ with φ(X) φ(Z)ᵀ = k(X, Z), when it has finitely many columns.

        Raises
        ------
        InfiniteDimensional
            If no finite map exists.
        NoFeatureMap
            If none is known.
        """
        return self._features().reading(self._read)

    def _features(self) -> FeatureMap:
        raise NoFeatureMap(
            f"no explicit feature map is known for {self!r}; "
            "use the kernel itself, k(X, Z)"
        )

    # --- waves ----------------------------------------------------------------

    _no_waves: ClassVar[str] = "nothing is known of it that would give one"

    def spectral_measure(self, dimension: int) -> SpectralMeasure:
        """μ with k(x, x') = ∫ cos(ω⊤(x−x')) dμ(ω) for points in ℝᵈ (Bochner).

        Every continuous stationary kernel has one. It is found along the expression:
        a sum of kernels is a mixture, a product a convolution.

        Raises
        ------
        NoSpectralMeasure
            If there is none, or none is known; the message names the part.

        Examples
        --------
        >>> from kernellab import kernels as kl
        >>> (2 * kl.Gaussian() + kl.Periodic().on(0)).spectral_measure(3)
        SpectralMeasure on ℝ³: mass 3
        """
        d = parameters.number(dimension, "the dimension")
        if d != int(d) or d < 1:
            raise InputError(f"the dimension must be an integer ≥ 1, got {dimension!r}")
        complaint = self._misfit(int(d))
        if complaint:
            raise InputError(f"{complaint}; the dimension asked for is {int(d)}")
        return self._spectral(int(d))

    def _spectral(self, d: int) -> SpectralMeasure:
        others = self.space.name not in ("vectors", "anything")
        why = f"it compares {self.space.name}, not vectors" if others else None
        raise NoSpectralMeasure(
            f"no spectral measure for {self!r}: {why or self._no_waves}. "
            "Kernels that are continuous functions of x − x' have one, such as the "
            "Gaussian"
        )

    def _raised(self, p: float) -> Kernel | None:
        """kᵖ for a real p > 0 written without the power, where that is a kernel."""
        return None

    # --- printing -------------------------------------------------------------

    def __repr__(self) -> str:
        return self._print()[0]

    def _print(self) -> Text:
        """Python source of this expression."""
        given = [(f.name, getattr(self, f.name)) for f in fields(self)]
        inside = ", ".join(f"{name}={v!r}" for name, v in given if v is not None)
        return f"{type(self).__name__}({inside})", ATOM

    @property
    def latex(self) -> str:
        """The formula of k(x, x')."""
        return self._latex("x", "x'")[0]

    def _repr_latex_(self) -> str:
        return f"$k(x, x') = {self.latex}$"

    @abstractmethod
    def _latex(self, x: str, z: str) -> Text:
        """The formula of k(x, z)."""
