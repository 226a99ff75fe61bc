"""Write a kernel in one line, learn its width, and have a false one refuted.

The first is a function of |x − x'|/σ with its derivative: σ is learned as that of any
other kernel. The second looks like one, but three points show that it is not.

It prints

    checked: symmetric, diagonal, blocks, inputs, theta, gradient, positive
    learned: a width of 4.3 ms
    REFUTED: points [0.  0.5 1. ], c = [ 2. -3.  2.]
"""

import numpy as np

from kernellab import GaussianProcess, data
from kernellab import kernels as kl
from kernellab.testing import check_kernel

crash = data.motorcycle()
smooth = kl.from_profile(
    lambda r: (1 + r) * np.exp(-r),
    lambda r: -r * np.exp(-r),
    proof="its Fourier transform is positive in every dimension",
)
print("checked:", ", ".join(check_kernel(smooth, crash.X[:5])))

gp = GaussianProcess(1000.0 * smooth, noise=500.0).fit(crash.X, crash.y)
print(f"learned: a width of {gp.report_.parameters['fromprofile.sigma']:.1f} ms")

cap = kl.from_function(lambda x, z: max(0.0, 1 - (x - z) @ (x - z)))
witness = cap.refute()
print(f"{cap.verdict()}: points {witness.points.ravel()}, c = {witness.c}")
