"""Support vectors: all that prediction needs of the training points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernellab.arrays import Array, Indices
from kernellab.errors import InputError
from kernellab.estimator import Estimator, Inputs
from kernellab.rkhs import Function


@dataclass(frozen=True, eq=False)
class SupportVectors:
    """The support vectors: all that prediction needs.

    Attributes
    ----------
    inputs : the kernel and these points; for a precomputed Gram matrix, their number.
    index : which of the training points they are, in increasing order.
    """

    inputs: Inputs
    index: Indices

    @classmethod
    def of(cls, inputs: Inputs, index: Indices) -> SupportVectors:
        if inputs.kernel is None:
            return cls(inputs.stored(), index)
        points = inputs.X.take(index)
        return cls(replace(inputs, X=points, n=len(index)), index)

    def values(self, Z: Any, A: Any) -> Array:
        """Return k(Z, support vectors)A, in a bounded amount of memory."""
        if self.inputs.kernel is None:
            result: Array = self.inputs._given(Z)[:, self.index] @ A
            return result
        return self.inputs.expand(Z, A)


class Expansion(Estimator):
    """f(x) = Σ β_i k(x, x_i) + b, over the support vectors: for SVR and one class."""

    support_: Indices
    dual_coef_: Array
    intercept_: float

    def _keep(self, inputs: Inputs, index: Indices, beta: Array, b: float) -> None:
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
