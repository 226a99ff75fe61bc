"""Constrained problems as objects: Lagrangian, θ_P, θ_D, and the KKT conditions.

The problem, with objective f, constraints g and h, and a set Ω ⊂ ℝᵈ:

    minimise f(w) over w ∈ Ω   subject to   g_i(w) ≤ 0,  h_j(w) = 0.

Its Lagrangian prices the constraints, with multipliers α ≥ 0 and β:

    L(w, α, β) = f(w) + Σ α_i g_i(w) + Σ β_j h_j(w),
    θ_P(w) = sup over α ≥ 0 and β of L  =  f(w) if w is admissible, else +∞,
    θ_D(α, β) = inf over w ∈ Ω of L,  which may be −∞.

Always θ_D(α, β) ≤ θ_P(w). The conditions of Karush, Kuhn and Tucker for (w, α, β):

    ∇f + Σ α_i ∇g_i + Σ β_j ∇h_j = 0,   g ≤ 0 and h = 0,   α ≥ 0,   α_i g_i(w) = 0.

`Problem` takes any smooth functions and works numerically; its θ_D says whether it is
certified. `QuadraticProgram` has a convex quadratic f and affine constraints, and
everything is exact up to rounding.
"""

from kernellab.optim import examples
from kernellab.optim.conditions import (
    KKT,
    Alternative,
    Multipliers,
    Qualification,
    farkas,
)
from kernellab.optim.domains import Box, Region
from kernellab.optim.functions import CONVEX, Quadratic, Smooth, affine
from kernellab.optim.infimum import Infimum
from kernellab.optim.margins import hard_margin, soft_margin
from kernellab.optim.problem import Problem
from kernellab.optim.quadratic_program import QuadraticProgram
from kernellab.optim.solutions import (
    DualSolution,
    Infeasible,
    PrimalSolution,
    Unbounded,
    WeakDuality,
)

__all__ = [
    "CONVEX",
    "KKT",
    "Alternative",
    "Box",
    "DualSolution",
    "Infeasible",
    "Infimum",
    "Multipliers",
    "PrimalSolution",
    "Problem",
    "Quadratic",
    "QuadraticProgram",
    "Qualification",
    "Region",
    "Smooth",
    "Unbounded",
    "WeakDuality",
    "affine",
    "examples",
    "farkas",
    "hard_margin",
    "soft_margin",
]
