"""What machines for pairs of classes know, in the shapes that SVC promises.

For two classes there is one machine, and numbers and vectors; for several there are
p = c(c−1)/2, and arrays with one entry, row or column for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from kernellab.arrays import Array, Indices
from kernellab.certificates import Certificate
from kernellab.errors import InputError
from kernellab.estimator import Estimator, Inputs
from kernellab.labels import Labels
from kernellab.rkhs import Function
from kernellab.svm.binary import BinarySVM
from kernellab.svm.certificate import combined
from kernellab.svm.support import SupportVectors

SPARSE_MIN_CLASSES = 30
"""With more classes, the coefficients (mostly zeros) are kept in sparse form."""


class PairwiseSVMs(Estimator):
    """One machine, or one for each pair of classes."""

    _machines: list[BinarySVM]
    _n: int

    def _keep(self, inputs: Inputs, index: Indices, labels: Labels) -> None:
        """Keep what prediction needs, and nothing of the other points."""
        held = [machine.index[machine.beta != 0] for machine in self._machines]
        several = len(held) > 1
        self.support_: Indices = np.unique(np.concatenate(held)) if several else held[0]
        self._support = SupportVectors.of(inputs, self.support_)
        self._inputs = self._support.inputs
        self.classes_: NDArray[Any] = labels.classes
        places = np.searchsorted(index, self.support_)
        self.n_support_ = np.bincount(
            labels.codes[places], minlength=len(labels.classes)
        )
        few = len(labels.classes) <= SPARSE_MIN_CLASSES
        gather = _coefficients if few else _sparse_coefficients
        self._A: Any = gather(self._machines, self.support_)

    def _values(self, X: Any) -> Array:
        """Return (q, p) values f(x), a column for each machine."""
        b = np.array([machine.b for machine in self._fitted()])
        return np.asarray(self._support.values(X, self._A) + b)

    # --- the solution ---------------------------------------------------------------

    @property
    def alpha_(self) -> Array:
        """α ≥ 0: (n,), or (n, p) for several classes."""
        return self._per_point(lambda machine: np.abs(machine.beta))

    @property
    def slacks_(self) -> Array:
        """ξ: (n,), or (n, p) for several classes; 0 for points that were left out."""
        return self._per_point(lambda machine: machine.slacks)

    @property
    def dual_coef_(self) -> Array:
        """y_i α_i of the support vectors: (n_sv,), or (p, n_sv) for several classes."""
        self._trained()
        A = self._A.toarray() if isinstance(self._A, csr_array) else self._A
        return np.array(A[:, 0] if self._binary else A.T)

    @property
    def intercept_(self) -> Any:
        """b: a number, or (p,) numbers for several classes."""
        return self._per_machine(lambda machine: machine.b)

    @property
    def intercept_interval_(self) -> Any:
        """(low, high): a pair, or (p, 2) numbers for several classes."""
        return self._per_machine(lambda machine: machine.interval)

    @property
    def margin_(self) -> Any:
        """1/‖w‖: a number, or (p,) numbers for several classes."""
        return self._per_machine(_margin)

    @property
    def n_iter_(self) -> Any:
        """Steps of the solver: a number, or (p,) numbers for several classes."""
        return self._per_machine(lambda machine: machine.iterations)

    @property
    def certificate_(self) -> Certificate:
        """What the solution proves of itself; for several classes, of all machines."""
        proofs = list(self.certificates_.values())
        return proofs[0] if self._binary else combined(proofs)

    @property
    def certificates_(self) -> dict[tuple[Any, Any], Certificate]:
        """The certificate of the machine of each pair of labels."""
        proofs = [machine.certificate for machine in self._fitted()]
        return dict(zip(self.pairs_, proofs, strict=True))

    @property
    def pairs_(self) -> list[tuple[Any, Any]]:
        """The labels that f > 0 and f < 0 stand for, of each machine."""
        machines, labels = self._fitted(), self.classes_.tolist()
        return [(labels[m.positive], labels[m.negative]) for m in machines]

    @property
    def function_(self) -> Function | list[Function]:
        """f − b = Σ y_i α_i k(·, x_i), an element of the RKHS with its norm ‖w‖.

        b is no part of it, for constants need not belong to the RKHS. A list for
        several classes, in the order of `pairs_`.
        """
        kernel = self._trained().kernel
        if kernel is None:
            raise InputError("a precomputed Gram matrix has no points: use dual_coef_")
        rows = np.atleast_2d(self.dual_coef_)
        points = self._support.inputs.X
        found = [Function(kernel, points, row) for row in rows]
        return found[0] if self._binary else found

    @property
    def w_(self) -> Array | list[Array]:
        """w = Σ y_i α_i φ(x_i), for a kernel with finitely many features φ.

        The features are those of `kernel.features()`; for the linear kernel the
        coordinates. A list for several classes, in the order of `pairs_`.
        """
        kernel = self._trained().kernel
        if kernel is None:
            raise InputError("a precomputed Gram matrix has no features")
        Phi = kernel.features()(self._support.inputs.X)
        found = [row @ Phi for row in np.atleast_2d(self.dual_coef_)]
        return found[0] if self._binary else found

    # --- shapes ---------------------------------------------------------------------

    @property
    def _binary(self) -> bool:
        return len(self._fitted()) == 1

    def _fitted(self) -> list[BinarySVM]:
        self._trained()
        return self._machines

    def _per_point(self, read: Any) -> Array:
        columns = [m.spread(read(m), self._n) for m in self._fitted()]
        return columns[0] if self._binary else np.column_stack(columns)

    def _per_machine(self, read: Any) -> Any:
        values = [read(machine) for machine in self._fitted()]
        return values[0] if self._binary else np.array(values)


def _margin(machine: BinarySVM) -> float:
    return float(1 / np.sqrt(machine.square)) if machine.square > 0 else np.inf


def _coefficients(machines: list[BinarySVM], support: Indices) -> Array:
    """Return (n_sv, p) coefficients of the support vectors, one column a machine."""
    A = np.zeros((len(support), len(machines)))
    for k, machine in enumerate(machines):
        held = machine.beta != 0
        A[np.searchsorted(support, machine.index[held]), k] = machine.beta[held]
    return A


def _sparse_coefficients(machines: list[BinarySVM], support: Indices) -> csr_array:
    """Return the same, of which all but c − 1 in a row are zero."""
    parts = [(m.beta[m.beta != 0], m.index[m.beta != 0]) for m in machines]
    values, points = (np.concatenate(part) for part in zip(*parts, strict=True))
    columns = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
    places = np.searchsorted(support, points), columns
    return csr_array((values, places), shape=(len(support), len(machines)))
