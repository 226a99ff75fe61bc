"""Linear support vector machines for many points, dense or sparse.

A kernel machine looks at pairs of points, n² of them. A linear machine need not: it
keeps w itself, and looks at one point at a time, or at all of them once. Three ways to
find w, and what each is good for (chapter 6):

`SGD`, `Pegasos`
    One example, one step. Nothing is as quick to a first good answer, and nothing as
    slow to the last digits: the error falls like one over the number of examples seen.
`DualAscent`
    One multiplier (or a block of them) at a time, each moved to its optimum in closed
    form. No step size; linear convergence; what LIBLINEAR does.
`Newton`
    All examples at once. Few passes, robust, and here the fastest to any tolerance.

All of them end with a certificate: a point of the dual that proves how far from the
optimum the result can be, and all of them stop as soon as that is below `tol`.

>>> from kernellab.data import sparse_text
>>> X, y = sparse_text(1000, words=3000)
>>> for solver in ("newton", "dual", "asgd"):
...     model = LinearSVC(C=0.1, solver=solver, tol=0.02).fit(X, y)
...     print(f"{solver:8s}", model.certificate_.relative_gap < 0.02)
newton   True
dual     True
asgd     True
"""

from kernellab.linear_svm.ascent import DualAscent, coordinate_step
from kernellab.linear_svm.gap_monitor import GapMonitor, History, LinearSolution
from kernellab.linear_svm.gradient import SGD, Pegasos
from kernellab.linear_svm.machine import SOLVERS, LinearSVC, solve
from kernellab.linear_svm.newton import Newton
from kernellab.linear_svm.problem import LinearProblem, read_matrix

__all__ = [
    "SGD",
    "SOLVERS",
    "DualAscent",
    "GapMonitor",
    "History",
    "LinearProblem",
    "LinearSVC",
    "LinearSolution",
    "Newton",
    "Pegasos",
    "coordinate_step",
    "read_matrix",
    "solve",
]
