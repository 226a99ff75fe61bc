"""The kernels that figures offer by name, each a function of its width."""

from collections.abc import Callable
from typing import Final

from kernellab.kernels import Exponential, Gaussian, Linear, Matern, Polynomial
from kernellab.kernels.base import Kernel

FAMILIES: Final[dict[str, Callable[[float], Kernel]]] = {
    "Gaussian": lambda sigma: Gaussian(sigma=sigma),
    "Matérn 3/2": lambda sigma: Matern(sigma=sigma, nu=1.5),
    "exponential": lambda sigma: Exponential(sigma=sigma),
    "linear": lambda _: Linear(),
    "quadratic": lambda _: Polynomial(degree=2, c=1.0),
    "cubic": lambda _: Polynomial(degree=3, c=1.0),
}
"""Kernels by name; the polynomial ones ignore the width."""

STATIONARY: Final = ("Gaussian", "Matérn 3/2", "exponential")
"""Those with a width, from smooth to rough."""
