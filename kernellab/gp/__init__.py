"""Gaussian processes: regression with error bars, and learning the kernel.

>>> from kernellab import kernels as kl
>>> from kernellab.gp import GaussianProcess
>>> gp = GaussianProcess(kl.Gaussian(sigma=1.0), noise=0.1)
>>> gp = gp.fit([[0.0], [1.0]], [0.0, 1.0], optimize=False)
>>> mean, variance = gp.predict_f([[0.5]])

Gaussian vectors, singular ones too, are objects with the algebra of their laws:

>>> from kernellab.gp import Normal
>>> x = Normal([1.0, 2.0], [[2.0, 1.0], [1.0, 1.0]])
>>> x.conditional(1, 4.0)  # of the first coordinate, given the second
N(mean [3.], covariance [[1.]])
"""

from kernellab.gp.ascent import Ascent
from kernellab.gp.classification import GaussianProcessClassifier
from kernellab.gp.normal import Normal, independent
from kernellab.gp.prediction import Component, LeaveOneOut
from kernellab.gp.regression import GaussianProcess
from kernellab.gp.report import LearningReport
from kernellab.gp.weights import BayesianLinearRegression

__all__ = [
    "Ascent",
    "BayesianLinearRegression",
    "Component",
    "GaussianProcess",
    "GaussianProcessClassifier",
    "LearningReport",
    "LeaveOneOut",
    "Normal",
    "independent",
]
