"""The quadratic program of one machine, when to stop, and whether that was enough.

Each machine is, in signed coefficients β (one per point, or two in regression),

    minimise  ½βᵀKβ − sᵀβ    subject to  Σβ = total,  lower ≤ β ≤ upper,

which `kernellab.svm.smo` solves.

Legend: m variables; `index` (m) the training point that each one sits on.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array, Indices, number, positive_number
from kernellab.certificates import Certificate
from kernellab.errors import ConvergenceWarning, InputError
from kernellab.estimator import Inputs
from kernellab.svm.smo import BoxProblem, BoxSolution, VariableRows, solve

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
    index: Indices
    s: Array
    lower: Array
    upper: Array
    total: float = 0.0

    def solve(self, rule: StoppingRule) -> BoxSolution:
        n = self.inputs.n
        everything = len(self.index) == n and bool((self.index == np.arange(n)).all())
        rows = VariableRows.of(self.inputs, None if everything else self.index)
        problem = BoxProblem(rows, self.s, self.lower, self.upper, self.total)
        return solve(problem, tol=rule.tol, max_iter=rule.max_iter)

    def violation(self, beta: Array, u: Array) -> float:
        """max over {β_i < upper_i} of s_i − u_i, less the min over {β_i > lower_i}.

        Not above 0 exactly if β is optimal: then every b between the two satisfies
        the conditions of Karush, Kuhn and Tucker.
        """
        slope = self.s - u
        highest = slope[beta < self.upper].max(initial=-math.inf)
        lowest = slope[beta > self.lower].min(initial=math.inf)
        return max(0.0, float(highest - lowest))


def warn_unless_solved(
    who: str,
    found: BoxSolution,
    violation: float,
    rule: StoppingRule,
    proof: Certificate,
) -> None:
    """Warn if the solution, measured anew, is not as good as was asked for.

    The solver also calls it converged if all that is left is rounding: then its own
    figure is the measure. And Σβ must be right, or there is no dual value.
    """
    most = max(4 * rule.tol, 2 * found.violation)
    drift = proof.kkt["stationarity"] if proof.kkt else 0.0
    if drift > SUM_TOLERANCE * float(np.abs(found.beta).sum()):
        what = f"the sum of its coefficients off by {drift:.2g}, so nothing is proven"
    elif violation > (most if found.converged else 1.01 * rule.tol):
        what = (
            f"a violation of the optimality conditions of {violation:.2g}, not within "
            f"tol = {rule.tol:g}; {_known(proof)}"
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
