"""Gaussian vectors as objects, singular ones too: the algebra of S3 l. 821–838.

>>> from kernellab.gaussians import Normal
>>> x = Normal([1.0, 2.0], [[2.0, 1.0], [1.0, 1.0]])
>>> x.conditional(1, 4.0)  # of the first coordinate, given the second
N(mean [3.], covariance [[1.]])
"""

from kernellab.gaussians.normal import Normal, independent

__all__ = ["Normal", "independent"]
