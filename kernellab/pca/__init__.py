"""Kernel PCA: what it means to kernelise an algorithm.

>>> from kernellab import kernels as kl
>>> from kernellab.pca import KernelPCA
>>> KernelPCA(kl.Linear(), n_components=1).fit_transform([[2.0], [0.0]]).round(6)
array([[ 1.],
       [-1.]])
"""

from kernellab.pca.estimator import KernelPCA
from kernellab.pca.preimage import PreimageReport
from kernellab.pca.spectrum import centre

__all__ = ["KernelPCA", "PreimageReport", "centre"]
