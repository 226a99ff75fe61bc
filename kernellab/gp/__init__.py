"""Gaussian processes: regression with error bars, and learning the kernel.

>>> from kernellab import kernels as kl
>>> from kernellab.gp import GaussianProcess
>>> gp = GaussianProcess(kl.Gaussian(sigma=1.0), noise=0.1)
>>> gp = gp.fit([[0.0], [1.0]], [0.0, 1.0], optimize=False)
>>> mean, variance = gp.predict_f([[0.5]])
"""

from kernellab.gp.diagnosis import LeaveOneOut
from kernellab.gp.regression import Component, GaussianProcess
from kernellab.gp.report import LearningReport, Run
from kernellab.gp.weights import BayesianLinearRegression

__all__ = [
    "BayesianLinearRegression",
    "Component",
    "GaussianProcess",
    "LearningReport",
    "LeaveOneOut",
    "Run",
]
