"""One class: where the points are. The ν-machine of Schölkopf and others (2001).

    (P)  minimise over w, ρ   ½‖w‖² + Σ s_i max(0, ρ − ⟨w, φ(x_i)⟩) − ν(Σs) ρ

    (D)  minimise over β      ½βᵀKβ    subject to  Σβ = ν Σs,  0 ≤ β_i ≤ s_i

with f(x) = Σ β_i k(x, x_i) − ρ ≥ 0 on the side of the points: the hyperplane that
separates them from the origin of feature space, by the largest margin ρ/‖w‖. Those
with f(x_i) < 0, the outliers, have β_i = s_i, and only those with β_i > 0 can; so with
all s_i = 1, Σβ = νn says that

    (number of outliers)/n ≤ ν ≤ (number of support vectors)/n.

All of it divided by νn (w, ρ, β, ξ) is the scale of the original paper; this one is
scikit-learn's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array, number
from kernellab.certificates import Certificate, rounding_error
from kernellab.errors import InputError
from kernellab.estimator import read_weights
from kernellab.kernels.base import Kernel
from kernellab.svm.certificate import one_class
from kernellab.svm.dual_program import DualProgram, StoppingRule, warn_unless_solved
from kernellab.svm.inputs import checked_values, read_inputs
from kernellab.svm.smo import BoxSolution
from kernellab.svm.support import Expansion


@dataclass(eq=False)
class OneClassSVM(Expansion):
    """The region that holds all but a share ν of the points, as f(x) ≥ 0.

    Parameters
    ----------
    kernel : Kernel, or "precomputed": then X is the Gram matrix k(X, X) in `fit`, and
        k(Z, X) in `predict`.
    nu : ν in (0, 1]: at most this share of the points has f < 0, and at least this
        share are support vectors.
    tol : the solver stops when no pair of points violates the optimality conditions
        by more, in units of f.
    max_iter : the number of steps after which to stop, with a `ConvergenceWarning`;
        None for the solver's own limit.

    Attributes
    ----------
    alpha_ : (n,) coefficients β ≥ 0, of sum νn, one for each training point.
    support_ : (n_sv,) the points with β > 0, by number, in increasing order.
    dual_coef_ : (n_sv,) their coefficients.
    offset_, intercept_ : ρ and −ρ.
    n_support_, n_iter_ : how many support vectors; steps of the solver.
    certificate_ : primal, dual, gap, and the residuals of the four conditions of
        Karush, Kuhn and Tucker (see `kernellab.svm.certificate`).
    function_ : f + ρ as an element of the RKHS.

    Notes
    -----
    Costs as for `SVC`; K must be positive semi-definite, as
    there. With ν = 1 every β_i is s_i, so f + ρ is n times a kernel density estimate
    (without its constant), and every ρ ≥ max f(x_i) + ρ is optimal: the least is taken.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X = [[0.0], [0.1], [0.2], [5.0]]
    >>> machine = OneClassSVM(kl.Gaussian(sigma=1.0), nu=0.5).fit(X)
    >>> machine.predict([[0.1], [2.0]])
    array([ 1, -1])
    """

    kernel: Kernel | str
    nu: float = 0.5
    tol: float = 1e-3
    max_iter: int | None = None

    estimator_type = "outlier_detector"

    def fit(
        self, X: Any, y: object = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Solve (P) and (D).

        Parameters
        ----------
        X : (n, d) array, or n objects; the (n, n) Gram matrix if it is precomputed.
        y : not used; it is there so that all estimators are called alike.
        sample_weight : (n,) array s ≥ 0; all 1 if it is not given. A point of
            weight 0 is left out.

        Returns
        -------
        The estimator itself.
        """
        inputs = read_inputs(self.kernel, X, type(self).__name__)
        nu, rule = _read_share(self.nu), StoppingRule.read(self.tol, self.max_iter)
        s = read_weights(sample_weight, inputs.n)
        index = np.flatnonzero(s)
        inputs = inputs.sampled_positive(index)
        s = s[index]
        total = nu * float(s.sum())
        programme = DualProgram(
            inputs, index, np.zeros(len(s)), np.zeros(len(s)), s, total
        )
        found = programme.solve(rule)
        beta, rho = found.beta, -_finite_bias(found)
        u = checked_values(inputs, index, beta, found.gradient)
        noise = found.noise
        proof = one_class(beta, u, rho, s, total, noise)
        self.certificate_: Certificate = replace(proof, assumes=inputs.assumes)
        violation = programme.violation(beta, u)
        warn_unless_solved("OneClassSVM", found, violation, rule, self.certificate_)
        self.alpha_: Array = np.zeros(inputs.n)
        self.alpha_[index] = beta
        self.n_iter_, self.offset_ = found.iterations, rho
        self._keep(inputs, index, beta, -rho)
        return self

    def decision_function(self, X: Any) -> Array:
        """Return f(x) = Σ β_i k(x, x_i) − ρ for every point of X. O(n_sv) values of k
        each.

        Parameters
        ----------
        X : (q, d) array, or q objects; the (q, n) matrix k(X, training points) if it
            is precomputed.
        """
        result: Array = self.score_samples(X) - self.offset_
        return result

    def score_samples(self, X: Any) -> Array:
        """Return f(x) + ρ = Σ β_i k(x, x_i): the larger, the more usual is x."""
        return self._sum(X)

    def predict(self, X: Any) -> NDArray[np.int_]:
        """Return +1 where f(x) ≥ 0 up to rounding, among the points; −1 for an outlier.

        Support vectors on the boundary have f(x) = 0, and a sum in another order would
        put them on either side of it.
        """
        rounding = rounding_error(self.n_support_, 4 * abs(self.offset_))
        return np.where(self.decision_function(X) >= -rounding, 1, -1)

    def fit_predict(
        self, X: Any, y: object = None, sample_weight: ArrayLike | None = None
    ) -> NDArray[np.int_]:
        """Return `fit(X)`, then the predictions for X itself."""
        return self.fit(X, y, sample_weight).predict(X)


def _finite_bias(found: BoxSolution) -> float:
    """Return b; where all b beyond some number would do, that number (ν = 1)."""
    ends = [end for end in found.bias_interval if math.isfinite(end)]
    return found.bias if len(ends) == 2 else ends[0]


def _read_share(value: object) -> float:
    nu = number(value, "nu")
    if not 0 < nu <= 1:
        raise InputError(f"nu must lie in (0, 1], a share of the points; got {value!r}")
    return nu
