"""kernellab: the algorithms of a course on kernel methods, in NumPy and SciPy.

>>> from kernellab import kernels as kl
>>> k = 2 * kl.Gaussian(sigma=0.5) + (kl.Linear() + 1) ** 3
>>> k.verdict()
PROVEN
"""

from typing import TYPE_CHECKING

from kernellab.lazy import on_request

if TYPE_CHECKING:
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
    from kernellab.sparse_gp import SparseGaussianProcess
    from kernellab.svm import SVC, SVR, OneClassSVM
else:
    __getattr__ = on_request(
        __name__,
        {
            "certificates": "Certificate",
            "erm": "KernelERM KernelLogisticRegression",
            "gp": "BayesianLinearRegression GaussianProcess GaussianProcessClassifier",
            "linear_svm": "LinearSVC",
            "kernels": "",
            "lowrank": "KernelRidgeCG LowRankRidge Nystroem RandomFourier",
            "pca": "KernelPCA",
            "perceptron": "KernelPerceptron Perceptron",
            "ridge": "KernelRidge RidgePath dual_ridge primal_ridge",
            "sparse_gp": "SparseGaussianProcess",
            "svm": "SVC SVR OneClassSVM",
        },
    )

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
    "SparseGaussianProcess",
    "dual_ridge",
    "kernels",
    "primal_ridge",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
