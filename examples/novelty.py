"""Learn what healthy looks like, and flag what does not.

A one-class machine sees 200 benign tumours and no other. At most ν = 5 % of them count
as novel; of those it has never seen, hardly more, but nearly all of the malignant ones.

It prints

    benign       6% of 157 are novel
    malignant   92% of 212 are novel
"""

import numpy as np

from kernellab import OneClassSVM, data
from kernellab import kernels as kl

cells = data.breast_cancer()
X, malignant = np.log1p(cells.X), cells.y == 1
X = (X - X[~malignant][:200].mean(axis=0)) / X[~malignant][:200].std(axis=0)
known, benign = X[~malignant][:200], X[~malignant][200:]

k = kl.Gaussian(sigma=kl.median_heuristic(known))
machine = OneClassSVM(k, nu=0.05).fit(known)

for name, points in (("benign", benign), ("malignant", X[malignant])):
    novel = machine.predict(points) == -1
    print(f"{name:10} {novel.mean():4.0%} of {len(points)} are novel")
