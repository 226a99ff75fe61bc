"""What regression and one class share: one function, kept as its expansion."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.estimator import Estimator, Inputs
from kernellab.rkhs import Function
from kernellab.svm.training import Index, SupportVectors


class Expansion(Estimator):
    """f(x) = Σ β_i k(x, x_i) + b over the support vectors x_i."""

    support_: Index
    dual_coef_: Array
    intercept_: float

    def _keep(self, inputs: Inputs, index: Index, beta: Array, b: float) -> None:
        held = np.flatnonzero(beta)
        self.support_, self.dual_coef_ = index[held], beta[held]
        self.intercept_ = b
        self._support = SupportVectors.of(inputs, self.support_)
        self._inputs = self._support.inputs

    @property
    def n_support_(self) -> int:
        """How many support vectors there are."""
        self._trained()
        return len(self.support_)

    @property
    def function_(self) -> Function:
        """f − b = Σ β_i k(·, x_i) as an element of the RKHS."""
        kernel = self._trained().kernel
        if kernel is None:
            raise InputError("a precomputed Gram matrix has no points: use dual_coef_")
        return Function(kernel, self._support.inputs.X, self.dual_coef_)

    def _sum(self, X: Any) -> Array:
        """Return Σ β_i k(x, x_i) for every point: O(n_sv) values of k per point."""
        self._trained()
        return self._support.values(X, self.dual_coef_[:, None])[:, 0]
