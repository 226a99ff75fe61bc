"""What the machines share: the quadratic programme, its solution measured anew.

Each machine is, in signed coefficients β (one for a point, or two in regression),

    minimise  ½βᵀKβ − sᵀβ    subject to  Σβ = total,  lower ≤ β ≤ upper,

which `kernellab.svm.smo` solves. At its end it computes Kβ anew, from the kernel and in
double precision; here that is checked at some of the points, with another program,
and done again for all of them if the two differ.

Legend: m variables; `index` (m) the training point that each one sits on.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.arrays import Array, number, positive_number
from kernellab.certificates import Certificate
from kernellab.errors import ConvergenceWarning, InputError
from kernellab.estimator import Inputs, expand
from kernellab.kernels.proving.advice import advice_on
from kernellab.kernels.proving.proof import Proof, prove
from kernellab.linalg import TILE, cholesky, symmetric
from kernellab.svm.smo import BoxProblem, BoxSolution, VariableRows, solve

Index = NDArray[np.intp]

NEGATIVE_EIGENVALUE_TOLERANCE = 1e-6
"""An eigenvalue of K down to minus this, times the mean diagonal, may be rounding: that
much of it comes with a Gram matrix that was computed in single precision."""

CONVEXITY_TEST_MAX_POINTS = 2000
"""The most points whose Gram matrix is tested to be positive semi-definite."""

RECHECKED_VALUES, RECHECK_TOLERANCE = 64, 1e-9
"""How many values of u are computed twice, and how well they have to agree."""

SUM_TOLERANCE = 1e-9
"""How much of Σ|β| may be missing in Σβ = total."""


@dataclass(frozen=True)
class StoppingRule:
    """When to stop: at a violation of `tol`, or after `max_iter` steps."""

    tol: float
    max_iter: int | None

    @classmethod
    def read(cls, tol: object, max_iter: object) -> StoppingRule:
        most = None
        if max_iter is not None:
            most = int(number(max_iter, "max_iter"))
            if most != max_iter or most < 1:
                raise InputError(
                    "max_iter must be an integer ≥ 1, or None for the solver's own "
                    f"limit; got {max_iter!r}"
                )
        return cls(positive_number(tol, "tol"), most)


@dataclass(frozen=True, eq=False)
class DualProgram:
    """The problem of one machine."""

    inputs: Inputs
    index: Index
    s: Array
    lower: Array
    upper: Array
    total: float = 0.0

    def solve(self, effort: StoppingRule) -> BoxSolution:
        n = self.inputs.n
        everything = len(self.index) == n and bool((self.index == np.arange(n)).all())
        rows = VariableRows.of(self.inputs, None if everything else self.index)
        problem = BoxProblem(rows, self.s, self.lower, self.upper, self.total)
        return solve(problem, tol=effort.tol, max_iter=effort.max_iter)

    def violation(self, beta: Array, u: Array) -> float:
        """max over {β_i < upper_i} of s_i − u_i, less the min over {β_i > lower_i}.

        Not above 0 exactly if β is optimal: then every b between the two satisfies
        the conditions of Karush, Kuhn and Tucker.
        """
        slope = self.s - u
        highest = slope[beta < self.upper].max(initial=-math.inf)
        lowest = slope[beta > self.lower].min(initial=math.inf)
        return max(0.0, float(highest - lowest))


def read_inputs(kernel: object, X: Any) -> Inputs:
    """Return points and kernel, or a Gram matrix, which is checked to be symmetric."""
    inputs = Inputs.read(kernel, X)
    return with_gram(inputs) if inputs.kernel is None else inputs


def with_gram(inputs: Inputs) -> Inputs:
    """Return the same points by their Gram matrix, checked and computed once. O(n²)."""
    return Inputs(None, inputs.gram(), inputs.n)


def require_convex(inputs: Inputs, index: Index) -> None:
    """Refuse a K with a negative eigenvalue: then (D) has no single maximum.

    Of a proven kernel K needs no test. Else K is factorised: of more than
    `CONVEXITY_TEST_MAX_POINTS` points only the block of as many, spread evenly, which
    is necessary and not
    sufficient. O(min(n, CONVEXITY_TEST_MAX_POINTS)³).
    """
    if inputs.kernel is not None and isinstance(prove(inputs.kernel), Proof):
        return
    spread = np.linspace(
        0, len(index) - 1, min(len(index), CONVEXITY_TEST_MAX_POINTS)
    ).astype(np.intp)
    some = index[spread]
    if inputs.kernel is None:
        K = inputs.X[np.ix_(some, some)]
    else:
        K = symmetric(inputs.kernel(inputs.X.take(some)), "the Gram matrix")
    size = float(np.abs(K.diagonal()).mean())
    cholesky(
        K,
        ridge=NEGATIVE_EIGENVALUE_TOLERANCE * size if size else 1.0,
        advice=advice_on(inputs.kernel),
    )


def values_of(
    inputs: Inputs, index: Index, beta: Array, places: Index | None = None
) -> Array:
    """u_i = Σ_j β_j k(x_i, x_j), j in the index, i in the index or in some `places`.

    From the kernel, tile by tile, in double precision. O(n·n_sv) values of k.
    """
    held = np.flatnonzero(beta)
    rows, columns = index if places is None else places, index[held]
    if inputs.kernel is not None:
        P, Q = inputs.X.take(rows), inputs.X.take(columns)
        return expand(inputs.kernel, P, Q, beta[held, None])[:, 0]
    parts = (rows[start : start + TILE] for start in range(0, len(rows), TILE))
    blocks = [inputs.X[np.ix_(part, columns)] @ beta[held] for part in parts]
    return np.concatenate(blocks)


def checked_values(inputs: Inputs, index: Index, beta: Array, claimed: Array) -> Array:
    """Return `claimed`, if it is Σ_j β_j k(x_i, x_j) at some of the points; else that.

    O(n_sv) values of k, or O(n·n_sv) if the claim is wrong.
    """
    spread = np.linspace(0, len(index) - 1, min(len(index), RECHECKED_VALUES)).astype(
        np.intp
    )
    u = values_of(inputs, index, beta, index[spread])
    error = np.abs(u - claimed[spread]).max()
    if error <= RECHECK_TOLERANCE * max(
        np.abs(u).max(), float(np.abs(beta).max(initial=0.0))
    ):
        return claimed
    return values_of(inputs, index, beta)


@dataclass(frozen=True, eq=False)
class SupportVectors:
    """The support vectors: all that prediction needs.

    Attributes
    ----------
    inputs : the kernel and these points; for a precomputed Gram matrix, their number.
    index : which of the training points they are, in increasing order.
    """

    inputs: Inputs
    index: Index

    @classmethod
    def of(cls, inputs: Inputs, index: Index) -> SupportVectors:
        if inputs.kernel is None:
            return cls(inputs.stored(), index)
        return cls(Inputs(inputs.kernel, inputs.X.take(index), len(index)), index)

    def values(self, Z: Any, A: Any) -> Array:
        """Return k(Z, support vectors)A, in a bounded amount of memory."""
        if self.inputs.kernel is None:
            result: Array = self.inputs._given(Z)[:, self.index] @ A
            return result
        return self.inputs.expand(Z, A)


def complain(
    who: str,
    found: BoxSolution,
    violation: float,
    effort: StoppingRule,
    proof: Certificate,
) -> None:
    """Warn if the solution, measured anew, is not as good as was asked for.

    The solver also calls it converged if all that is left is rounding: then its own
    figure is the measure. And Σβ must be right, or there is no dual value.
    """
    most = max(4 * effort.tol, 2 * found.violation)
    drift = proof.kkt["stationarity"] if proof.kkt else 0.0
    if drift > SUM_TOLERANCE * float(np.abs(found.beta).sum()):
        what = f"the sum of its coefficients off by {drift:.2g}, so nothing is proven"
    elif violation > (most if found.converged else 1.01 * effort.tol):
        what = (
            f"a violation of the optimality conditions of {violation:.2g}, not within "
            f"tol = {effort.tol:g}; {_known(proof)}"
        )
    else:
        return
    warnings.warn(
        f"{who} stopped after {found.iterations} steps with {what}. Allow more steps "
        "(max_iter), or raise tol. A smaller C, or features of about equal scale, make "
        "the problem easier.",
        ConvergenceWarning,
        stacklevel=4,
    )


def _known(proof: Certificate) -> str:
    if not 0 <= proof.gap < math.inf:
        return "nothing is proven of the objective"
    return (
        f"the objective, {proof.primal:.6g}, is proven to be within {proof.gap:.2g} of "
        "the minimum"
    )
