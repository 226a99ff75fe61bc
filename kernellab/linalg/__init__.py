"""Linear algebra of one symmetric matrix; it knows no kernel."""

from kernellab.linalg.pivoted import PivotedFactor
from kernellab.linalg.symmetric import (
    ASYMMETRY,
    EPS,
    JITTERS,
    REMEDY,
    TILE,
    Cholesky,
    Spectrum,
    cholesky,
    general_advice,
    require_semidefinite,
    spectrum,
    symmetric,
)

__all__ = [
    "ASYMMETRY",
    "EPS",
    "JITTERS",
    "REMEDY",
    "TILE",
    "Cholesky",
    "PivotedFactor",
    "Spectrum",
    "cholesky",
    "general_advice",
    "require_semidefinite",
    "spectrum",
    "symmetric",
]
