"""Gaussian processes for many points, through a few landmarks.

>>> import numpy as np
>>> from kernellab import kernels as kl
>>> from kernellab.sparse_gp import SparseGaussianProcess
>>> X = np.linspace(0, 20, 3000)[:, None]
>>> gp = SparseGaussianProcess(kl.Gaussian(), noise=0.01, rank=40)
>>> gp = gp.fit(X, np.sin(X[:, 0]), optimize=False)
>>> gp.certificate_.lower <= gp.certificate_.upper  # of the exact log evidence
True
"""

from kernellab.sparse_gp.evidence import EvidenceBracket
from kernellab.sparse_gp.regression import SparseGaussianProcess

__all__ = ["EvidenceBracket", "SparseGaussianProcess"]
