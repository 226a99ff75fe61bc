"""A kernel of one's own in a few lines: from a function, or from a profile.

Nothing is known of such a function, so its verdict is UNKNOWN until it is refuted. An
author who has a proof says so in words: then it is PROVEN, by the author, and
`kernellab.testing.check_kernel` looks for points that show otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, make_dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from kernellab.arrays import Array, number, reals
from kernellab.errors import InputError, NoFeatureMap
from kernellab.kernels import parameters as par
from kernellab.kernels.base import Kernel
from kernellab.kernels.bespoke import FromFunction, no_theorem, value_of_pairs
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.maps import name_of
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.printing import ATOM, Text
from kernellab.kernels.stationary import Radial
from kernellab.validity.domains import Box, Domain, Reals
from kernellab.validity.rules import AUTHOR

ROUNDING = 1e-12
"""How far q(0) may be from 1."""


def from_function(
    function: Callable[..., float],
    *,
    gradient: Callable[..., Any] | None = None,
    proof: str = "",
    domain: Domain | None = None,
    **parameters: float,
) -> Kernel:
    """Return k(x, z) = f(x, z, a, b, …), with parameters a, b, … given by name.

    Parameters
    ----------
    function : f, of two points (1-D arrays, or objects) and the parameters by name, to
        a number. It is called for every pair: slow, and good enough to begin with.
    gradient : of the same arguments, to ∂f/∂parameter, a number or one for each, in
        their order. With it the parameters can be learned, positive ones on the log
        scale; without it they are fixed, but can be searched over by name.
    proof : why it is a kernel on `domain`, in words; without one it is UNKNOWN.
    domain : where it is defined; every vector space by default.
    parameters : their values.

    Examples
    --------
    >>> k = from_function(lambda x, z, a: (1 + x @ z) ** a, a=2)
    >>> k([[1.0], [2.0]])
    array([[ 4.,  9.],
           [ 9., 25.]])
    >>> k.verdict()
    UNKNOWN
    """
    for name in parameters:
        if hasattr(ParametricFunction, name):
            raise InputError(f"every kernel has {name}: call the parameter otherwise")
    learned = gradient is not None
    values = {name: number(v, name) if learned else v for name, v in parameters.items()}
    kinds = tuple((name, learned and v > 0) for name, v in values.items())
    kind = _class_of(kinds, learned)
    own: Kernel = kind(function, "", domain or Reals(), gradient, proof, **values)
    return own


@dataclass(frozen=True, repr=False)
class ParametricFunction(FromFunction):
    """f(x, z, **parameters); the parameters are fields of a subclass."""

    gradient: Callable[..., Any] | None = None
    why: str = ""

    @property
    def own_parameters(self) -> dict[str, Any]:
        """The parameters of f by name."""
        shared = len(fields(ParametricFunction))
        return {f.name: getattr(self, f.name) for f in fields(self)[shared:]}

    @property
    def symmetric(self) -> bool:
        return bool(self.why)  # a kernel is

    def evaluate(self, pair: PointPairs) -> Array:
        return value_of_pairs(
            partial(self.function, **self.own_parameters), pair, self.name
        )

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        own = self.own_parameters
        if self.gradient is None or not own:
            return []
        slopes = value_of_pairs(
            partial(self.gradient, **own), pair, "gradient", len(own)
        )
        units = [slot.value if slot.log else 1.0 for slot in par.slots(self)]
        found = np.tensordot(G, slopes, axes=G.ndim) * np.array(units)
        return [float(value) for value in np.atleast_1d(found)]

    def justify(self, domain: Domain) -> Justification:
        if self.why:
            return Justification(AUTHOR, note=self.why)
        return super().justify(domain)

    def format_source(self) -> Text:
        given = [self.name]
        if self.gradient is not None:
            given.append(f"gradient={name_of(self.gradient, 'gradient')}")
        given += _told(self.why, self.domain)
        given += [f"{name}={value!r}" for name, value in self.own_parameters.items()]
        return f"from_function({', '.join(given)})", ATOM

    def __reduce__(self) -> tuple[Any, ...]:
        told: dict[str, Any] = {"gradient": self.gradient, "proof": self.why}
        told |= {"domain": self.domain} | self.own_parameters
        return partial(from_function, **told), (self.function,)


@cache
def _class_of(kinds: tuple[tuple[str, bool], ...], learned: bool) -> Any:
    """Return the class with these parameters as fields, positive or not."""
    metadata = {True: par.LOG, False: par.IDENTITY if learned else {}}
    extra = [
        (name, "float", field(default=1.0, metadata=metadata[log]))
        for name, log in kinds
    ]
    return make_dataclass(
        "Function", extra, bases=(ParametricFunction,), frozen=True, repr=False
    )


# --- a function of the distance -----------------------------------------------------


def from_profile(
    q: Callable[[Array], Array],
    dq: Callable[[Array], Array],
    sigma: float | tuple[float, ...] = 1.0,
    *,
    proof: str = "",
    domain: Domain | None = None,
) -> Kernel:
    """Return k(x, z) = q(‖x − z‖/σ), with its gradient and a width per coordinate.

    Parameters
    ----------
    q : function of an array of r ≥ 0, with q(0) = 1.
    dq : its derivative.
    sigma : the width, or one for each coordinate.
    proof : why it is a kernel on `domain`, in words; without one it is UNKNOWN.
    domain : where it is one: such as `Reals(at_most=3)`; ℝᵈ for every d by default.

    Examples
    --------
    >>> wendland = from_profile(
    ...     lambda r: np.maximum(1 - r, 0) ** 4 * (4 * r + 1),
    ...     lambda r: -20 * r * np.maximum(1 - r, 0) ** 3,
    ...     proof="Wendland (1995)",
    ...     domain=Reals(at_most=3),
    ... )
    >>> wendland.verdict(Reals(3)), wendland.verdict(Reals(4))
    (PROVEN, UNKNOWN)
    """
    return FromProfile(sigma, proof, domain or Reals(), q=q, dq=dq)


@dataclass(frozen=True, repr=False)
class FromProfile(Radial):
    """q(‖x − x'‖/σ) for functions q and q' that the user supplies."""

    q: Callable[[Array], Array] = field(kw_only=True)
    dq: Callable[[Array], Array] = field(kw_only=True)
    why: str = ""
    domain: Domain = field(default_factory=Reals)
    why_not_spectral = "only its profile is known, and not its frequencies"

    def __post_init__(self) -> None:
        super().__post_init__()
        first = reals(self.q(np.zeros(1)), "q must return an array, of an array of r")
        if first.shape != (1,) or abs(first[0] - 1) > ROUNDING:
            raise InputError(
                f"q(0) must be 1, and q be written for arrays; q of [0.] is {first}. "
                "For another k(x, x) multiply the kernel: 2 * from_profile(...)"
            )

    def profile(self, r: Array) -> tuple[Array, Array]:
        slope = np.divide(self.dq(r), r, out=np.zeros_like(r), where=r > 0)
        return self.q(r), slope  # at r = 0 it is multiplied by r² = 0

    @property
    def fourier_transform(self) -> str:
        return ""

    def natural_domain(self) -> Domain:
        if isinstance(self.sigma, tuple) and isinstance(self.domain, Box):
            return self.domain.of_dimension(len(self.sigma))
        return self.domain

    def justify(self, domain: Domain) -> Justification:
        if self.why:
            return Justification(AUTHOR, note=self.why)
        return no_theorem("a function of the distance", "its Fourier transform is ≥ 0")

    def build_features(self) -> FeatureMap:
        raise NoFeatureMap(
            f"no explicit feature map is known for {self!r}; use the kernel itself"
        )

    def format_latex(self, x: str, z: str) -> Text:
        return rf"q\left({self._tex_radius(x, z)}\right)", ATOM

    def format_source(self) -> Text:
        given = [name_of(self.q, "q"), name_of(self.dq, "dq"), f"sigma={self.sigma!r}"]
        given += _told(self.why, self.domain)
        return f"from_profile({', '.join(given)})", ATOM


def _told(proof: str, domain: Domain) -> list[str]:
    """Return what an author says of a kernel, as Python source."""
    said = [f"proof={proof!r}"] if proof else []
    return said if domain == Reals() else [*said, f"domain={domain!r}"]
