"""The estimators that enter the contract: add yours to ESTIMATORS, and nowhere else.

Every estimator that `kernellab` exports needs one example at least; a test fails for
one that has none. `EXPECTED` lists the checks of scikit-learn that do not hold, each
with the reason; three per estimator at most.
"""

from __future__ import annotations

import numpy as np

import kernellab as lab
from kernellab import kernels as kl
from kernellab.losses import Hinge
from kernellab.lowrank import TruncatedEigen

GAUSSIAN = kl.Gaussian()


def bell(r: np.ndarray) -> np.ndarray:
    """A Gaussian of width 1 and height 4, without parameters."""
    return 4 * np.exp(-(r**2) / 2)


def wide_bell(r: np.ndarray) -> np.ndarray:
    """A Gaussian of width 4 and height 4, without parameters."""
    return bell(r / 4)


REGRESSORS = [
    lab.KernelRidge(GAUSSIAN),
    lab.KernelRidgeCG(GAUSSIAN),
    lab.LowRankRidge(lab.Nystroem(GAUSSIAN, rank=300)),
    lab.KernelERM(GAUSSIAN, lam=1e-4),
    lab.SVR(GAUSSIAN),
    lab.GaussianProcess(GAUSSIAN),
    lab.SparseGaussianProcess(kl.FromDistance(wide_bell), rank=60),
    lab.BayesianLinearRegression(),
]

CLASSIFIERS = [
    lab.SVC(GAUSSIAN),
    lab.LinearSVC(tol=1e-10),
    lab.Perceptron(max_epochs=50),
    lab.KernelPerceptron(GAUSSIAN, max_epochs=50),
    lab.KernelERM(GAUSSIAN, Hinge()),
    lab.KernelLogisticRegression(GAUSSIAN + 1, lam=1e-4),
    lab.GaussianProcessClassifier(kl.FromDistance(bell)),  # nothing to learn: quick
]

TRANSFORMERS = [
    lab.KernelPCA(GAUSSIAN),
    lab.Nystroem(GAUSSIAN, rank=5),
    lab.RandomFourier(GAUSSIAN, rank=6),
    TruncatedEigen(GAUSSIAN, rank=3),
]

ESTIMATORS = [*REGRESSORS, *CLASSIFIERS, *TRANSFORMERS, lab.OneClassSVM(GAUSSIAN)]

OBJECT_BY_DEFAULT = {
    "check_parameters_default_constructible": "a loss is an object, also by default"
}

EXPECTED: dict[str, dict[str, str]] = {
    "KernelERM": OBJECT_BY_DEFAULT
    | {
        "check_regressors_no_decision_function": (
            "f is the decision function of a loss on labels, and there for every loss"
        )
    }
}
