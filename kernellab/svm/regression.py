"""Support vector regression: errors below ε cost nothing.

    (P)  minimise over w, b   ½‖w‖² + Σ C_i max(0, |t_i − f(x_i)| − ε)

    (D)  maximise over β      tᵀβ − ε‖β‖₁ − ½βᵀKβ
         subject to           Σβ = 0,  |β_i| ≤ C_i

with f(x) = Σ β_i k(x, x_i) + b. Points strictly inside the tube |t − f(x)| < ε have
β_i = 0, those outside |β_i| = C_i; the rest is on its edge. Write β = α − α* with
α, α* ≥ 0, of which at most one is positive: then (D) is the programme of `training`
with two variables a point, α with s = t − ε in [0, C], −α* with s = t + ε in [−C, 0].
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, Indices, number
from kernellab.certificates import Certificate
from kernellab.errors import InputError
from kernellab.estimator import Inputs, r_squared, read_target, read_weights
from kernellab.kernels.base import Kernel
from kernellab.svm.certificate import regression
from kernellab.svm.dual_program import DualProgram, StoppingRule, warn_unless_solved
from kernellab.svm.inputs import checked_values, read_inputs
from kernellab.svm.penalties import read_penalty
from kernellab.svm.support import Expansion

ONE_OUTPUT = "Fit one machine for each output."


@dataclass(eq=False)
class SVR(Expansion):
    """Regression in a tube: minimise ½‖w‖² + Σ C_i max(0, |t_i − f(x_i)| − ε).

    Parameters
    ----------
    kernel : Kernel, or "precomputed": then X is the Gram matrix k(X, X) in `fit`, and
        k(Z, X) in `predict`.
    C : the price of a unit beyond the tube, positive and finite.
    epsilon : ε ≥ 0, the radius of the tube, in units of t.
    tol : the solver stops when no pair of points violates the optimality conditions
        by more, in units of t.
    max_iter : the number of steps after which to stop, with a `ConvergenceWarning`;
        None for the solver's own limit.

    Attributes
    ----------
    beta_ : (n,) coefficients β = α − α*, one for each training point.
    support_ : (n_sv,) the points with β ≠ 0, by number, in increasing order.
    dual_coef_ : (n_sv,) their coefficients.
    intercept_ : b.
    slacks_ : (n,) ξ_i = max(0, |t_i − f(x_i)| − ε).
    n_support_, n_iter_ : how many support vectors; steps of the solver.
    certificate_ : primal, dual, gap, and the residuals of the four conditions of
        Karush, Kuhn and Tucker (see `kernellab.svm.certificate`).
    function_ : f − b as an element of the RKHS.

    Notes
    -----
    Costs as for `SVC`, with 2n variables; K must be positive
    semi-definite, as there. With ε = 0 and squares instead of absolute values it
    would be kernel ridge regression; the tube is what makes β sparse.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X, t = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]
    >>> machine = SVR(kl.Linear(), C=10.0, epsilon=0.3).fit(X, t)
    >>> machine.support_  # the flattest line in the tube touches it at the ends
    array([0, 3])
    >>> machine.predict([[0.0], [3.0]]).round(9)
    array([0.3, 2.7])
    """

    kernel: Kernel | str
    C: float = 1.0
    epsilon: float = 0.1
    tol: float = 1e-3
    max_iter: int | None = None

    estimator_type = "regressor"

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Solve (P) and (D).

        Parameters
        ----------
        X : (n, d) array, or n objects; the (n, n) Gram matrix if it is precomputed.
        y : (n,) targets t.
        sample_weight : (n,) array s ≥ 0, factors of C; all 1 if it is not given. A
            point of weight 0 is left out.

        Returns
        -------
        The estimator itself.
        """
        inputs = read_inputs(self.kernel, X, type(self).__name__)
        C, epsilon = read_penalty(self.C, hard=False), _read_radius(self.epsilon)
        rule = StoppingRule.read(self.tol, self.max_iter)
        targets = read_target(y, inputs.n, ONE_OUTPUT)
        s = read_weights(sample_weight, inputs.n)
        index = np.flatnonzero(s)
        inputs = inputs.sampled_positive(index)
        found = _solve(inputs, index, targets[index], C * s[index], epsilon, rule)
        beta, b, u, self.certificate_, self.n_iter_ = found
        self.beta_ = np.zeros(inputs.n)
        self.beta_[index] = beta
        self.slacks_ = np.zeros(inputs.n)
        self.slacks_[index] = np.maximum(0, np.abs(targets[index] - u - b) - epsilon)
        self._keep(inputs, index, beta, b)
        return self

    def predict(self, X: Any) -> Array:
        """Return f(x) = Σ β_i k(x, x_i) + b for every point of X. O(n_sv) values of k
        each.

        Parameters
        ----------
        X : (q, d) array, or q objects; the (q, n) matrix k(X, training points) if it
            is precomputed.
        """
        result: Array = self._sum(X) + self.intercept_
        return result

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return R² = 1 − Σ s_i (t_i − f(x_i))² / Σ s_i (t_i − mean t)².

        As in scikit-learn, constant targets score 1 if they are met exactly, else 0.
        """
        f = self.predict(X)
        targets = read_target(y, len(f), ONE_OUTPUT)
        s = read_weights(sample_weight, len(f))
        return r_squared(targets, f, s)


def _solve(
    inputs: Inputs,
    index: Indices,
    t: Array,
    C: Array,
    epsilon: float,
    rule: StoppingRule,
) -> tuple[Array, float, Array, Certificate, int]:
    """Return β, b, u = Kβ, the certificate and the number of steps."""
    zero = np.zeros(len(t))
    programme = DualProgram(
        inputs,
        np.tile(index, 2),
        np.concatenate([t - epsilon, t + epsilon]),
        np.concatenate([zero, -C]),
        np.concatenate([C, zero]),
    )
    found = programme.solve(rule)
    beta = found.beta[: len(t)] + found.beta[len(t) :]
    claimed = found.gradient[: len(t)] + t - epsilon
    u, b = checked_values(inputs, index, beta, claimed), found.bias
    parts = np.concatenate([np.maximum(beta, 0), np.minimum(beta, 0)])
    proof = regression(t, beta, u, b, C, epsilon, found.noise)
    proof = replace(proof, assumes=inputs.assumes)
    violation = programme.violation(parts, np.tile(u, 2))
    warn_unless_solved("SVR", found, violation, rule, proof)
    return beta, b, u, proof, found.iterations


def _read_radius(value: object) -> float:
    epsilon = number(value, "epsilon")
    if epsilon < 0:
        raise InputError(
            f"epsilon must be 0 or more, the radius of the tube; got {value!r}"
        )
    return epsilon
