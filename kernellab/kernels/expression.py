"""Expression: a formula for k(x, x'), kept as an immutable tree.

From the one tree come the Gram matrix, the diagonal, the gradient, the feature map,
the spectral measure, the printed formula, and the rules that prove it to be a kernel.
`kernels.base.Kernel` adds the operators and the verdict, and is the class to derive
from; this module lists the hooks that an author of a kernel may override.

Legend: X, Z (n×d) one point per row; K (n×m) Gram block; G (n×m) cotangent of K;
θ hyperparameters; d dimension of the inputs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, number, reals
from kernellab.errors import InputError, NoFeatureMap, NoSpectralMeasure
from kernellab.kernels import gram, parameters
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.pairs import PointPairs, SelfPairs
from kernellab.kernels.points import Points
from kernellab.kernels.printing import ATOM, Text
from kernellab.kernels.spaces import VECTORS, Space, common_space
from kernellab.kernels.spectral import SpectralMeasure
from kernellab.validity.domains import Domain, common_domain
from kernellab.validity.rules import Condition, Rule

NUDGE = 1e-8
"""The relative change of the points that shows how steep a kernel is."""


@dataclass(frozen=True)
class Justification:
    """How one node is a kernel: by a rule, from premises, under conditions."""

    rule: Rule
    premises: tuple[tuple[Expression, Domain], ...] = ()
    conditions: tuple[Condition, ...] = ()
    note: str = ""


@dataclass(frozen=True, repr=False)
class Expression(ABC):
    """A function k(x, x') that can be evaluated, differentiated, printed, justified."""

    point_space: ClassVar[Space] = VECTORS

    def __post_init__(self) -> None:
        """Check that the parts are kernels; a node with other checks calls this too."""
        for f in fields(self):
            part = getattr(self, f.name)
            if f.type == "Kernel" and not isinstance(part, Expression):
                raise TypeError(
                    f"{type(self).__name__} is made of kernels, got {part!r}; "
                    "for a constant function write Constant(c)"
                )

    @property
    def space(self) -> Space:
        """What the kernel compares: vectors, strings, …"""
        children = self.children
        return common_space(c.space for c in children) if children else self.point_space

    # --- values ---------------------------------------------------------------

    def __call__(self, X: ArrayLike | Sequence[Any] | Points, Z: Any = None) -> Array:
        """Return the Gram block k(x_i, z_j), or k(x_i, x_j) if Z is not given.

        Parameters
        ----------
        X : (n, d) array, or n objects for a kernel on objects.
        Z : (m, d) array or m objects, optional.

        Returns
        -------
        (n, m) array, or (n, n), then exactly symmetric. Cost O(n·m·d).
        """
        P = self.read_points(X, "X")
        Q = None if Z is None else self.read_points(Z, "Z")
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
        """Return k(x_i, x_i) for every point, in O(n)."""
        with np.errstate(all="ignore"):
            values = self.evaluate(SelfPairs(self.read_points(X, "X")))
        return gram.require_finite(self, values, "the point number")

    def vjp(self, X: ArrayLike | Sequence[Any] | Points, G: ArrayLike) -> Array:
        """Return ⟨G, ∂K/∂θ⟩ = Σ_ij G_ij ∂k(x_i, x_j)/∂θ, for every coordinate of θ.

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
        P = self.read_points(X, "X")
        cotangent = reals(G, "G must be an array of numbers")
        if cotangent.shape != (len(P), len(P)):
            raise InputError(
                f"G must have the shape of k(X), {(len(P), len(P))}; "
                f"got {cotangent.shape}"
            )
        if not np.isfinite(cotangent).all():
            raise InputError("G must be finite; some entry is NaN or infinite")

        def tile(rows: slice, columns: slice, mirrored: bool) -> Array:
            part: Array = cotangent[rows, columns]
            return part + cotangent[columns, rows].T if mirrored else part

        return gram.pull(self, P, tile)

    def gram_unchecked(self, P: Points, Q: Points | None = None) -> Array:
        """Return the Gram block as it comes, not checked to be finite."""
        with np.errstate(all="ignore"):
            return gram.gram(self, P, Q)[0]

    @abstractmethod
    def evaluate(self, pair: PointPairs) -> Array:
        """Return k(x, x') for the pairs: a new array, which the caller may
        overwrite.
        """

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        """Return ⟨G, ∂k/∂θ⟩ over the pairs, own parameters first, then the
        children's.
        """
        return []

    def rounding_error(self, pair: PointPairs) -> Array:
        """Return how large the rounding error of k(x, x') can be, in units of one
        rounding.

        To first order: the size of whatever is rounded on the way. For a leaf, of
        the value and of the points: it exceeds |k| where k is steep, and for a
        compound where large terms cancel.
        """
        value = pair.value(self)
        moved = [self.evaluate(other) for other in pair.perturbed(NUDGE)]
        return np.abs(value) + sum(np.abs(m - value) for m in moved) / NUDGE

    def row_writer(self, wanted: gram.RowRequest) -> gram.RowWriter | None:
        """Return a way to write single rows of K faster than `evaluate`; None if none.

        It is called as `write(p, out)` and sets out to k(x_p, x), where p is the index
        of a point, or an array of several; then out has one row for each. Solvers that
        need few rows of a large K use it (`kernels.row_cache`). Return None also if
        the tolerance that is asked for cannot be kept.
        """
        return None

    def read_points(self, X: Any, name: str) -> Points:
        """Check the points."""
        points = X if isinstance(X, Points) else self.space.read(X, name)
        complaint = None if points.width is None else self.dimension_error(points.width)
        if complaint:
            raise InputError(f"{complaint}; {name} has {points.width} columns")
        return points

    def dimension_error(self, dimension: int) -> str | None:
        """Return why points in ℝᵈ do not fit this kernel; None if they do."""
        complaints = (child.dimension_error(dimension) for child in self.children)
        return next(filter(None, complaints), None)

    # --- the tree -------------------------------------------------------------

    @property
    def children(self) -> tuple[Expression, ...]:
        """The kernels that this one is made of, in the order of its fields."""
        found: list[Expression] = []
        for f in fields(self):
            value = getattr(self, f.name)
            parts = value if isinstance(value, tuple) else (value,)
            found += [part for part in parts if isinstance(part, Expression)]
        return tuple(found)

    @property
    def symmetric(self) -> bool:
        """Whether k(x, x') = k(x', x) is known from the form of the expression."""
        return all(child.symmetric for child in self.children)

    def replaced(self, changes: dict[str, Any], children: Iterator[Expression]) -> Self:
        """Return the same node with other parameters and other children."""
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, Expression):
                changes[f.name] = next(children)
            elif (
                isinstance(value, tuple) and value and isinstance(value[0], Expression)
            ):
                changes[f.name] = tuple(next(children) for _ in value)
        return replace(self, **changes)

    # --- hyperparameters ------------------------------------------------------

    @property
    def theta(self) -> Array:
        """The hyperparameters as one vector, logarithms for positive ones."""
        return np.array(
            [slot.coordinate for _, slot in self.parameter_slots()], dtype=np.float64
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
        for position, slot in self.parameter_slots():
            if position not in owners:
                word = type(self.nodes()[position]).__name__.lower()
                seen[word] += 1
                owners[position] = word if seen[word] == 1 else f"{word}{seen[word]}"
            names.append(f"{owners[position]}.{slot.label}")
        return tuple(names)

    def with_theta(self, theta: ArrayLike) -> Self:
        """Return the same expression with other hyperparameters."""
        values = reals(theta, "theta must be an array of numbers")
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
        return self.replaced(changes, iter(children))

    def nodes(self) -> list[Expression]:
        """Return this node and all below it, parents before children."""
        return [self, *(node for child in self.children for node in child.nodes())]

    def parameter_slots(self) -> list[tuple[int, parameters.Slot]]:
        return [
            (position, slot)
            for position, node in enumerate(self.nodes())
            for slot in parameters.slots(node)
        ]

    def natural_domain(self) -> Domain:
        """Return the set that the verdict speaks of when none is named."""
        return common_domain(
            self.space.name, [child.natural_domain() for child in self.children]
        )

    @abstractmethod
    def justify(self, domain: Domain) -> Justification:
        """Return the rule by which this node is a kernel, its conditions and
        premises.
        """

    def has_positive_diagonal(self, domain: Domain) -> bool:
        """Return whether k(x, x) > 0 throughout the domain is known from the form."""
        return False

    def is_infinitely_divisible(self) -> bool:
        """Return whether every root k^{1/m} is known to be a kernel, and k > 0."""
        return False

    # --- features -------------------------------------------------------------

    def features(self) -> FeatureMap:
        """Return φ with φ(X) φ(Z)ᵀ = k(X, Z), when it has finitely many columns.

        Raises
        ------
        InfiniteDimensional
            If no finite map exists.
        NoFeatureMap
            If none is known.
        """
        return self.build_features().reading(self.read_points)

    def build_features(self) -> FeatureMap:
        raise NoFeatureMap(
            f"no explicit feature map is known for {self!r}; "
            "use the kernel itself, k(X, Z)"
        )

    # --- waves ----------------------------------------------------------------

    why_not_spectral: ClassVar[str] = "nothing is known of it that would give one"

    def spectral_measure(self, dimension: int) -> SpectralMeasure:
        """Return μ with k(x, x') = ∫ cos(ω⊤(x−x')) dμ(ω) for points in ℝᵈ (Bochner).

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
        d = number(dimension, "the dimension")
        if d != int(d) or d < 1:
            raise InputError(f"the dimension must be an integer ≥ 1, got {dimension!r}")
        complaint = self.dimension_error(int(d))
        if complaint:
            raise InputError(f"{complaint}; the dimension asked for is {int(d)}")
        return self.build_spectral_measure(int(d))

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        others = self.space.name not in ("vectors", "anything")
        why = f"it compares {self.space.name}, not vectors" if others else None
        raise NoSpectralMeasure(
            f"no spectral measure for {self!r}: {why or self.why_not_spectral}. "
            "Kernels that are continuous functions of x − x' have one, such as the "
            "Gaussian"
        )

    # --- printing -------------------------------------------------------------

    def __repr__(self) -> str:
        return self.format_source()[0]

    def format_source(self) -> Text:
        """Python source of this expression."""
        given = [(f.name, getattr(self, f.name)) for f in fields(self)]
        inside = ", ".join(f"{name}={v!r}" for name, v in given if v is not None)
        return f"{type(self).__name__}({inside})", ATOM

    @property
    def latex(self) -> str:
        """The formula of k(x, x')."""
        return self.format_latex("x", "x'")[0]

    def _repr_latex_(self) -> str:
        return f"$k(x, x') = {self.latex}$"

    @abstractmethod
    def latex_with(self, names: Sequence[str]) -> str:
        """Return the formula in which each child is a function of that name."""

    @abstractmethod
    def format_latex(self, x: str, z: str) -> Text:
        """Return the formula of k(x, z)."""
