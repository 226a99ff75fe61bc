"""kernellab: the algorithms of a course on kernel methods, in NumPy and SciPy.

>>> from kernellab import kernels as kl
>>> k = 2 * kl.Gaussian(sigma=0.5) + (kl.Linear() + 1) ** 3
>>> k.verdict()
PROVEN
"""

from kernellab import kernels

__version__ = "0.1.0"
__all__ = ["kernels"]
