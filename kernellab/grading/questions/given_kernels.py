"""Kernels of which nothing is known but that they are kernels: "let k1 be a kernel".

A proof may rest on them, by the rule "given". To compare values, each name stands
for kernels drawn at random, afresh for each comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kernellab import kernels as kl
from kernellab.arrays import Array
from kernellab.kernels import Kernel
from kernellab.kernels.expression import Justification
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.printing import ATOM, Text
from kernellab.kernels.spaces import Space
from kernellab.validity.domains import Domain
from kernellab.validity.rules import Rule

GIVEN = Rule(
    "given",
    r"This is a kernel by the assumption of the exercise.",
    r"It is given.",
)


@dataclass(frozen=True, repr=False)
class GivenKernel(Kernel):
    """A kernel by assumption; `instance` is one that it may be.

    Parameters
    ----------
    name : k1.
    instance : the kernel that gives the values.
    positive : whether k(x, x) > 0 is given too.

    Examples
    --------
    >>> from kernellab.kernels import Linear
    >>> k1 = GivenKernel("k1", Linear())
    >>> k1 * k1, (k1 * k1).verdict()
    (k1 * k1, PROVEN)
    """

    name: str
    instance: Kernel
    positive: bool = False

    @property
    def space(self) -> Space:
        return self.instance.space

    @property
    def children(self) -> tuple[Kernel, ...]:
        return ()  # what it is made of is not given

    def dimension_error(self, dimension: int) -> str | None:
        return self.instance.dimension_error(dimension)

    def evaluate(self, pair: PointPairs) -> Array:
        return self.instance.evaluate(pair)

    def rounding_error(self, pair: PointPairs) -> Array:
        return self.instance.rounding_error(pair)

    def format_source(self) -> Text:
        return self.name, ATOM

    def format_latex(self, x: str, z: str) -> Text:
        return f"{self.name[0]}_{{{self.name[1:]}}}({x}, {z})", ATOM

    def natural_domain(self) -> Domain:
        return self.instance.natural_domain()

    def justify(self, domain: Domain) -> Justification:
        return Justification(GIVEN)

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return self.positive


def some_kernel(rng: np.random.Generator, *, positive: bool = False) -> Kernel:
    """Return a kernel on vectors, drawn at random."""
    width, constant = 0.5 + rng.integers(1, 7) / 4, rng.integers(1, 7) / 4
    makers: list[Callable[[], Kernel]] = [
        lambda: kl.Gaussian(float(width)),
        lambda: kl.Linear() * float(constant) + float(width),
        lambda: kl.Laplacian(float(width)) + kl.Linear() / 4,
        lambda: kl.Gaussian(float(width)) * (kl.Linear() + float(constant)),
    ]
    if not positive:
        makers += [lambda: kl.Linear() * float(constant)]
    return makers[rng.integers(len(makers))]()
