"""Regularised empirical risk: the representer problem, its dual, and their gap.

By the representer theorem the f of least (1/n)Σℓ(y_i, f(x_i)) + (λ/2)‖f‖²
is f = Σ a_i k(·, x_i), where a solves, with K the Gram matrix,

    (P)  minimise over a   P(a) = (1/n) Σ ℓ(y_i, (Ka)_i) + (λ/2) aᵀKa.

Write g(u) = (1/n) Σ ℓ(y_i, u_i), so that g*(v) = (1/n) Σ ℓ*(y_i, n v_i). For a convex
loss, convex duality gives a problem with the same value,

    (D)  maximise over α   D(α) = −g*(−λα) − (λ/2) αᵀKα.

For any a and α, P(a) ≥ D(α): the gap P(a) − D(α) proves how good both are. It is a
sum of terms that cannot be negative,

    P(a) − D(α) = (1/n) Σ [ℓ(y_i,u_i) + ℓ*(y_i,v_i) − u_i v_i] + (λ/2)(a−α)ᵀK(a−α)

with u = Ka and v = −nλα. So it vanishes exactly if each v_i is a slope of ℓ(y_i,·)
at u_i, and Ka = Kα. Hence a solution of (D) solves (P); and if K is singular, adding
z with Kz = 0 to it gives other solutions of (P), not of (D).

How they are solved. Logistic and squared loss: Newton's method on (P), written so
that K is never inverted. Hinge, squared hinge and Huber loss: with x = nλα, (D) is

    minimise  ½ xᵀ(K/(nλ) + ρI)x − yᵀx   over a box,   ρ = 0 or 1,

for which a primal-dual interior point method takes 10 to 30 steps; then the
bounds that hold with equality are read off, and the rest is a linear system. Either
way a step costs O(n³). There is no intercept: add a constant to the kernel instead.

Legend: n points; y targets; u = Ka predictions; v slopes of the loss at u;
a, α (n) coefficients; λ `lam`.
"""

from kernellab.erm.estimators import KernelERM
from kernellab.erm.logistic import KernelLogisticRegression
from kernellab.erm.problem import (
    RepresenterSolution,
    dual_value,
    least_squares,
    least_squares_dual,
    primal_value,
)
from kernellab.erm.solver import solve
from kernellab.errors import ConvergenceWarning

__all__ = [
    "ConvergenceWarning",
    "KernelERM",
    "KernelLogisticRegression",
    "RepresenterSolution",
    "dual_value",
    "least_squares",
    "least_squares_dual",
    "primal_value",
    "solve",
]
