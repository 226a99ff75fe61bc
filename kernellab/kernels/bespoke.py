"""Kernels from what the user has: a feature map, a function of two points, a function
of a distance, a sequence of kernels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from kernellab.arrays import Array, reals
from kernellab.errors import InputError, UndefinedValue
from kernellab.kernels.base import Kernel
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.maps import Map, as_map, name_of
from kernellab.kernels.pairs import CrossPairs, PointPairs
from kernellab.kernels.points import Points
from kernellab.kernels.printing import ATOM, PRODUCT, Text
from kernellab.kernels.spaces import ANYTHING, Space
from kernellab.validity import rules
from kernellab.validity.domains import Domain, Objects, Reals
from kernellab.validity.rules import Condition
from kernellab.validity.theorems import FEATURES


@dataclass(frozen=True, repr=False)
class FromFeatures(Kernel):
    """φ(x)⊤φ(x') for a feature map φ. A kernel for every φ.

    Parameters
    ----------
    phi : function of all points at once, (n, d) array to (n, p) array; for points
        that are not vectors, of one object, to p numbers.

    Examples
    --------
    >>> import numpy as np
    >>> k = FromFeatures(lambda X: np.hstack([X, X**2]))
    >>> k([[1.0], [2.0]])
    array([[ 2.,  6.],
           [ 6., 20.]])
    """

    phi: Map
    point_space = ANYTHING

    def __post_init__(self) -> None:
        object.__setattr__(self, "phi", as_map(self.phi))

    def evaluate(self, pair: PointPairs) -> Array:
        key = ("features", self.phi)
        return pair.dot(
            pair.left.remember(key, self.phi.rows),
            pair.right.remember(key, self.phi.rows),
        )

    def format_source(self) -> Text:
        return f"FromFeatures({self.phi!r})", ATOM

    def format_latex(self, x: str, z: str) -> Text:
        return rf"{self.phi.latex}({x})^\top {self.phi.latex}({z})", PRODUCT

    def natural_domain(self) -> Domain:
        return Objects("anything")

    def justify(self, domain: Domain) -> Justification:
        return Justification(FEATURES)

    def build_features(self) -> FeatureMap:
        def terms(d: int) -> list[tuple[float, tuple[str, ...]]]:
            width = self.phi.rows(Points(np.ones((1, d)))).shape[1]
            return [(1.0, (self.phi.label(j + 1),)) for j in range(width)]

        return FeatureMap(self.phi.rows, terms)


@dataclass(frozen=True, repr=False)
class FromFunction(Kernel):
    """Any function of two points. Nothing is known of it: UNKNOWN until refuted.

    Parameters
    ----------
    function : f(x, z) of two points (1-D arrays, or objects), to a number.
    name : how it prints.
    domain : where it is defined; every vector space by default.

    Examples
    --------
    >>> k = FromFunction(lambda x, z: 1 - (x[0] - z[0]) ** 2, "parabola")
    >>> k.verdict()
    REFUTED
    """

    function: Callable[[Any, Any], float]
    name: str = field(default="", compare=False)
    domain: Domain = field(default_factory=Reals)
    point_space = ANYTHING

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InputError(f"expected a function f(x, z), got {self.function!r}")
        object.__setattr__(self, "name", self.name or name_of(self.function, "k"))

    @property
    def symmetric(self) -> bool:
        return False  # not known; both triangles are computed

    def evaluate(self, pair: PointPairs) -> Array:
        return value_of_pairs(self.function, pair, self.name)

    def format_source(self) -> Text:
        if self.domain == Reals():
            return f"FromFunction({self.name})", ATOM
        domain = f"{type(self.domain).__name__}({', '.join(_chosen(self.domain))})"
        return f"FromFunction({self.name}, domain={domain})", ATOM

    def format_latex(self, x: str, z: str) -> Text:
        return rf"\mathrm{{{self.name.replace('_', ' ')}}}({x}, {z})", ATOM

    def natural_domain(self) -> Domain:
        return self.domain

    def justify(self, domain: Domain) -> Justification:
        return no_theorem("an arbitrary function", "its Gram matrices are all PSD")


@dataclass(frozen=True, repr=False)
class FromDistance(Kernel):
    """q(‖x−x'‖) for any function q of a distance. UNKNOWN until refuted.

    Parameters
    ----------
    profile : q, a function of an array of distances.
    metric : "euclidean", "cityblock" (Σ|x_c−x'_c|), or "circle": the arc between
        two angles (points on the line, modulo 2π).
    name : how it prints.

    Examples
    --------
    >>> import numpy as np
    >>> from kernellab.kernels import Reals
    >>> k = FromDistance(np.cos)
    >>> k.verdict(Reals(2))
    REFUTED
    """

    profile: Callable[[Array], Array]
    metric: str = "euclidean"
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not callable(self.profile):
            raise InputError(
                f"expected a function of an array of distances, got {self.profile!r}"
            )
        if self.metric not in ("euclidean", "cityblock", "circle"):
            raise InputError(
                "metric must be 'euclidean', 'cityblock' or 'circle', "
                f"got {self.metric!r}"
            )
        object.__setattr__(self, "name", self.name or name_of(self.profile, "q"))

    def dimension_error(self, dimension: int) -> str | None:
        if self.metric == "circle" and dimension != 1:
            return "the metric 'circle' takes one angle a point, so one column"
        return None

    def _distance(self, pair: PointPairs) -> Array:
        if self.metric == "euclidean":
            return pair.distance()
        if self.metric == "cityblock":
            return pair.cityblock()
        u, v = pair.lift(pair.left.X[:, 0], pair.right.X[:, 0])
        turn = np.mod(u - v, 2 * np.pi)
        return np.minimum(turn, 2 * np.pi - turn)

    def evaluate(self, pair: PointPairs) -> Array:
        r = self._distance(pair).copy()
        values = reals(self.profile(r), f"{self.name} must return numbers")
        if values.shape != r.shape:
            raise InputError(
                f"{self.name} must map an array of distances to an array of the same "
                f"shape {r.shape}; it returned shape {values.shape}"
            )
        return values

    def format_source(self) -> Text:
        metric = "" if self.metric == "euclidean" else f", metric={self.metric!r}"
        return f"FromDistance({self.name}{metric})", ATOM

    def format_latex(self, x: str, z: str) -> Text:
        norm = {"cityblock": "_1", "circle": r"_{\mathrm{arc}}"}.get(self.metric, "")
        name = self.name.replace("_", " ")
        return rf"\mathrm{{{name}}}(\|{x} - {z}\|{norm})", ATOM

    def natural_domain(self) -> Domain:
        return Reals(1) if self.metric == "circle" else Reals()

    def justify(self, domain: Domain) -> Justification:
        return no_theorem(
            "a function of a distance",
            "its Fourier transform is ≥ 0 (Bochner) or that it is a mixture of kernels",
        )


@dataclass(frozen=True, repr=False)
class PointwiseLimit(Kernel):
    """lim k_m, for a sequence of kernels that the user supplies.

    The limit of kernels is a kernel, but no finite check can tell that every k_m is
    one and that they converge: the verdict stays UNKNOWN.

    Parameters
    ----------
    member : function m ↦ k_m, for m = 1, 2, 4, 8, …
    tol : the values are taken once doubling m changes them by less than this.
    largest : the largest m to try.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> k = PointwiseLimit(lambda m: (1 + kl.Linear() / m) ** m, tol=1e-6)
    >>> k([[1.0]]).round(4)
    array([[2.7183]])
    """

    member: Callable[[int], Kernel]
    tol: float = 1e-9
    largest: int = 2**40
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        member: Any = self.member
        if not callable(member) or not isinstance(member(1), Kernel):
            raise InputError(
                "expected a function that gives the kernel number m, for example "
                f"lambda m: (1 + Linear() / m)**m; got {self.member!r}"
            )
        object.__setattr__(self, "name", self.name or name_of(self.member, "limit"))

    @property
    def space(self) -> Space:
        return self.member(1).space

    def dimension_error(self, dimension: int) -> str | None:
        return self.member(1).dimension_error(dimension)

    def natural_domain(self) -> Domain:
        return self.member(1).natural_domain()

    @property
    def symmetric(self) -> bool:
        return self.member(1).symmetric

    def evaluate(self, pair: PointPairs) -> Array:
        m, previous = 1, self.member(1).evaluate(pair)
        while m < self.largest:
            m *= 2
            current = self.member(m).evaluate(pair)
            size = max(1.0, float(np.abs(current).max(initial=0)))
            if np.abs(current - previous).max(initial=0) <= self.tol * size:
                return current
            previous = current
        raise UndefinedValue(
            f"the sequence did not settle: doubling m to {m} still changed the values "
            f"by more than tol = {self.tol:g}. Raise tol, or check that it converges."
        )

    def format_source(self) -> Text:
        settings = [text for text in _chosen(self) if text.startswith(("tol", "larg"))]
        return f"PointwiseLimit({', '.join([self.name, *settings])})", ATOM

    def format_latex(self, x: str, z: str) -> Text:
        return rf"\lim_{{m \to \infty}} k_m({x}, {z})", PRODUCT

    def justify(self, domain: Domain) -> Justification:
        missing = Condition(
            "every k_m is a kernel, and k_m(x, x') converges",
            False,
            "prove it for a general m: it cannot be checked one by one",
        )
        return Justification(rules.LIMIT, conditions=(missing,))


def _chosen(thing: Any) -> list[str]:
    """Return the fields of a dataclass that differ from their defaults, as Python
    source.
    """
    given = [(f.name, getattr(thing, f.name), f.default) for f in fields(thing)]
    return [f"{name}={value!r}" for name, value, usual in given if value != usual]


def value_of_pairs(
    f: Callable[[Any, Any], Any], pair: PointPairs, name: str, outputs: int = 1
) -> Array:
    """Return f(x, z) of all pairs, one by one; the last axis has several outputs."""
    left, right = pair.left.listed, pair.right.listed
    if isinstance(pair, CrossPairs):
        values: list[Any] = [[f(x, z) for z in right] for x in left]
        shape: tuple[int, ...] = (len(left), len(right))
    else:
        values, shape = [f(x, x) for x in left], (len(left),)
    count = "one number" if outputs == 1 else f"{outputs} numbers"
    wanted = f"{name}(x, z) must return {count} for two points"
    array = reals(values, wanted)
    if array.size != math.prod(shape) * outputs:
        raise InputError(f"{wanted}; it returned shape {array.shape[len(shape) :]}")
    return array.reshape(shape if outputs == 1 else (*shape, outputs))


def no_theorem(what: str, wanted: str) -> Justification:
    missing = Condition(
        f"a theorem on {what}",
        False,
        f"show that {wanted}, or build it from the rules",
    )
    return Justification(rules.UNKNOWN_FUNCTION, conditions=(missing,))
