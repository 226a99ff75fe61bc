"""Ask which inputs matter: one width for each, learned together.

The strength of concrete depends on seven ingredients and its age. A short width means
that the strength changes quickly with this input. The gradient of the evidence in all
ten parameters costs about as much as the evidence.

It prints

    cement              2.1
    blast_furnace_slag  2.2
    water               2.3
    age                 3.1
    superplasticizer    4.0
    fine_aggregate      4.3
    fly_ash             6.3
    coarse_aggregate    24.0
    left-out measurements are off by 5.8 MPa
"""

import numpy as np

from kernellab import GaussianProcess, data
from kernellab import kernels as kl

concrete = data.concrete().take(slice(2, None, 4))
X = np.column_stack([concrete.X[:, :-1], np.log(concrete.X[:, -1])])
X = (X - X.mean(axis=0)) / X.std(axis=0)

k = 400.0 * kl.Gaussian(sigma=8 * (2.0,))
gp = GaussianProcess(k, noise=30.0, mean="constant").fit(X, concrete.y, restarts=0)

widths = [gp.report_.parameters[f"gaussian.sigma[{j}]"] for j in range(8)]
for j in np.argsort(widths):
    print(f"{concrete.names[j]:19} {widths[j]:.1f}")
left_out = gp.leave_one_out()
error = np.sqrt(np.mean((left_out.mean - concrete.y) ** 2))
print(f"left-out measurements are off by {error:.1f} MPa")
