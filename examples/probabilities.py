"""Say how sure: probabilities of three species of penguins, from three models.

Kernel logistic regression, a support vector machine with calibrated sigmoids, and a
Gaussian process whose width is learned and whose scale has a prior: where classes can
be separated, the evidence alone would make it as large as it may become.

It prints

    KernelLogisticRegression   log loss 0.07, far away 33% sure
    SVC                        log loss 0.05, far away 51% sure
    GaussianProcessClassifier  log loss 0.09, far away 33% sure
"""

import numpy as np

from kernellab import SVC, GaussianProcessClassifier, KernelLogisticRegression, data
from kernellab import kernels as kl

train, test = data.penguins().complete().split()
X = (train.X - train.X.mean(axis=0)) / train.X.std(axis=0)
Z = (test.X - train.X.mean(axis=0)) / train.X.std(axis=0)

k = kl.Gaussian(sigma=2.0)
prior = {"scale.c": (10.0, 2.0)}
models = [
    KernelLogisticRegression(k, lam=1e-3).fit(X, train.y),
    SVC(k, C=10.0, probability=True).fit(X, train.y),
    GaussianProcessClassifier(10.0 * k).fit(X, train.y, priors=prior, restarts=0),
]
for model in models:
    P = model.predict_proba(Z)
    loss = -np.log(P[test.y[:, None] == model.classes_]).mean()
    far = model.predict_proba(np.full((1, 4), 20.0)).max()
    print(f"{type(model).__name__:26} log loss {loss:.2f}, far away {far:.0%} sure")
