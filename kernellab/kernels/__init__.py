"""Kernels as expressions: write the formula, get values, gradients and the proof.

>>> from kernellab import kernels as kl
>>> k = kl.Gaussian(sigma=0.5) * (kl.Linear() + 1)
>>> k.verdict()
PROVEN
"""

from kernellab.kernels.algebra import Constant, Product, Scale, Sum
from kernellab.kernels.base import Kernel
from kernellab.kernels.bespoke import (
    FromDistance,
    FromFeatures,
    FromFunction,
    PointwiseLimit,
)
from kernellab.kernels.custom import from_function, from_profile
from kernellab.kernels.diffusion import Diffusion
from kernellab.kernels.dotproduct import Linear, Polynomial
from kernellab.kernels.edit_distance import edit_distance
from kernellab.kernels.functional import (
    Exp,
    PolynomialOf,
    Tanh,
    exp,
    normalize,
    sqrt,
    tanh,
)
from kernellab.kernels.gaussian import Gaussian, RationalQuadratic
from kernellab.kernels.graphs import WeisfeilerLehman
from kernellab.kernels.labelled_graph import Graph
from kernellab.kernels.maps import Affine, Map
from kernellab.kernels.minimum import Brownian, Delta, HistogramIntersection
from kernellab.kernels.mismatch import Mismatch
from kernellab.kernels.periodic import Cosine, Periodic
from kernellab.kernels.positional import PositionalSpectrum
from kernellab.kernels.powers import Power, Quotient
from kernellab.kernels.sets import Intersection, Jaccard
from kernellab.kernels.spectral import SpectralMeasure
from kernellab.kernels.stationary import Exponential, Laplacian, Matern
from kernellab.kernels.strings import Spectrum
from kernellab.kernels.subsequence import Subsequence
from kernellab.kernels.transforms import OnColumns, Pullback
from kernellab.kernels.weighting import Normalized, Weighted
from kernellab.kernels.widths import median_heuristic
from kernellab.validity.domains import (
    Box,
    Domain,
    FiniteSet,
    Interval,
    Objects,
    Orthant,
    Reals,
)

__all__ = [
    "Affine",
    "Box",
    "Brownian",
    "Constant",
    "Cosine",
    "Delta",
    "Diffusion",
    "Domain",
    "Exp",
    "Exponential",
    "FiniteSet",
    "FromDistance",
    "FromFeatures",
    "FromFunction",
    "Gaussian",
    "Graph",
    "HistogramIntersection",
    "Intersection",
    "Interval",
    "Jaccard",
    "Kernel",
    "Laplacian",
    "Linear",
    "Map",
    "Matern",
    "Mismatch",
    "Normalized",
    "Objects",
    "OnColumns",
    "Orthant",
    "Periodic",
    "PointwiseLimit",
    "Polynomial",
    "PolynomialOf",
    "PositionalSpectrum",
    "Power",
    "Product",
    "Pullback",
    "Quotient",
    "RationalQuadratic",
    "Reals",
    "Scale",
    "SpectralMeasure",
    "Spectrum",
    "Subsequence",
    "Sum",
    "Tanh",
    "Weighted",
    "WeisfeilerLehman",
    "edit_distance",
    "exp",
    "from_function",
    "from_profile",
    "median_heuristic",
    "normalize",
    "sqrt",
    "tanh",
]
