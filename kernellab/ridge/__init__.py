"""Ridge regression: in the features, in the points, with a kernel, for every λ."""

from kernellab.ridge.estimator import KernelRidge, RidgePath
from kernellab.ridge.features import RidgeWeights, dual_ridge, primal_ridge, ridge

__all__ = [
    "KernelRidge",
    "RidgePath",
    "RidgeWeights",
    "dual_ridge",
    "primal_ridge",
    "ridge",
]
