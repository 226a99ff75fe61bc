"""Sequential minimal optimisation: the solver behind the support vector machines.

**The problem.** All machines of the course have a dual of one form. In signed
coefficients β, for which f(x) = Σ β_i k(x, x_i) + b, it is

    minimise   W(β) = ½ βᵀKβ − sᵀβ
    subject to Σ_i β_i = total   and   lower_i ≤ β_i ≤ upper_i,

where bounds may be infinite. For classification β_i = y_i α_i, s = y, total = 0, and
the box is [0, C] where y_i = +1 and [−C, 0] where y_i = −1; W is the dual with its sign
changed. Regression has two variables for each point; a machine for one class has s = 0.

**When is β optimal?** Let g = Kβ − s, the gradient. Giving a little to β_i and taking
it from β_j keeps the sum and changes W at the rate g_i − g_j. It is allowed if

    i ∈ I_up = {β_i < upper_i}   and   j ∈ I_low = {β_j > lower_j}.

So for a β that is optimal no such pair has g_i < g_j; and if W is convex (K positive
semi-definite) that is enough:

    m(β) = max_{i ∈ I_up} −g_i   ≤   M(β) = min_{j ∈ I_low} −g_j.

Every b between the two is then a multiplier of the equation and a bias of f: these are
the conditions of Karush, Kuhn and Tucker. The violation m(β) − M(β) says how far they
are from true, and the solver stops when it is at most `tol`, as LIBSVM does.

**How it is solved.**

- `step`: SMO moves two variables at a time, the pair that promises most. A step
  needs two rows of K, and O(m) operations.
- `loop`: the same in place (`kernellab.loops.smo`, compiled if Numba is installed), on
  rows that are computed when they are needed and kept (`rows`), in float32 for large
  problems. Variables that rest at a bound are left out after a while (shrinking).
- `newton`: SMO sees quickly which variables are at a bound, and finds slowly what the
  others are. They solve a linear system, so now and then a Newton step does that.
- `solver`: at the end the gradient is computed anew, in float64, from the kernel.
  What a `BoxSolution` says of itself rests on that alone; if it is not good enough,
  the loop goes on from there, with float64 if float32 no longer helps.

Legend: n points; m variables; β, s, lower, upper (m); K (m×m) the kernel between the
points of the variables; g (m) gradient; i ∈ I_up and j ∈ I_low a pair; F the free
variables, those strictly between their bounds.

References: J. Platt, Fast training of support vector machines using sequential minimal
optimization (1998); R.-E. Fan, P.-H. Chen and C.-J. Lin, Working set selection using
second order information for training SVM, JMLR 6 (2005).
"""

from kernellab.svm.smo.problem import BoxProblem, BoxSolution
from kernellab.svm.smo.rows import VariableRows
from kernellab.svm.smo.solver import solve
from kernellab.svm.smo.step import Step, best_step, choose_pair, plain_smo

__all__ = [
    "BoxProblem",
    "BoxSolution",
    "Step",
    "VariableRows",
    "best_step",
    "choose_pair",
    "plain_smo",
    "solve",
]
