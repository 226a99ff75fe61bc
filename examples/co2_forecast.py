"""Forecast CO₂ with a sum of kernels, and see what each term contributes.

A Gaussian process learns nine parameters and the mean from the years before 2010; a
prior holds the one that the data say little about. `decompose` splits the forecast.

It prints

    2010 to 2020: off by 1.5 ppm, 1.0 expected
    trend    moves by 21.8 ppm
    season   moves by  5.3 ppm
    weather  moves by  0.1 ppm
"""

import numpy as np

from kernellab import GaussianProcess, data
from kernellab import kernels as kl

co2 = data.mauna_loa_co2().take(slice(0, None, 3))
X, ppm = co2.X - 1984, co2.y
past = co2.X[:, 0] < 2010

trend = (kl.Linear() + 1) ** 2
season = 2**2 * kl.Gaussian(sigma=100.0) * kl.Periodic(sigma=1.0, period=1.0)
weather = 0.5**2 * kl.RationalQuadratic(sigma=1.0)

gp = GaussianProcess(trend + season + weather, noise=0.1, mean="constant")
gp.fit(X[past], ppm[past], priors={"rationalquadratic.alpha": (1.0, 2.0)}, restarts=0)

mean, variance = gp.predict_y(X[~past])
error = np.sqrt(np.mean((mean - ppm[~past]) ** 2))
expected = np.sqrt(np.mean(variance))
print(f"2010 to 2020: off by {error:.1f} ppm, {expected:.1f} expected")
parts = gp.decompose(X[~past])
for name, part in zip(("trend", "season", "weather"), parts, strict=True):
    print(f"{name:8} moves by {np.ptp(part.mean):4.1f} ppm")
