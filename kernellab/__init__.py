"""kernellab: the algorithms of a course on kernel methods, in NumPy and SciPy.

>>> from kernellab import kernels as kl
>>> k = 2 * kl.Gaussian(sigma=0.5) + (kl.Linear() + 1) ** 3
>>> k.verdict()
PROVEN
"""

from kernellab import kernels
from kernellab.certificates import Certificate
from kernellab.erm import KernelERM, KernelLogisticRegression
from kernellab.gp import (
    BayesianLinearRegression,
    GaussianProcess,
    GaussianProcessClassifier,
)
from kernellab.linear_svm import LinearSVC
from kernellab.lowrank import KernelRidgeCG, LowRankRidge, Nystroem, RandomFourier
from kernellab.pca import KernelPCA
from kernellab.perceptron import KernelPerceptron, Perceptron
from kernellab.ridge import KernelRidge, RidgePath, dual_ridge, primal_ridge
from kernellab.svm import SVC, SVR, OneClassSVM

__version__ = "0.1.0"
__all__ = [
    "SVC",
    "SVR",
    "BayesianLinearRegression",
    "Certificate",
    "GaussianProcess",
    "GaussianProcessClassifier",
    "KernelERM",
    "KernelLogisticRegression",
    "KernelPCA",
    "KernelPerceptron",
    "KernelRidge",
    "KernelRidgeCG",
    "LinearSVC",
    "LowRankRidge",
    "Nystroem",
    "OneClassSVM",
    "Perceptron",
    "RandomFourier",
    "RidgePath",
    "dual_ridge",
    "kernels",
    "primal_ridge",
]
