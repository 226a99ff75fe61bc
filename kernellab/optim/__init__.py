"""Constrained problems as objects: Lagrangian, θ_P, θ_D, and the KKT conditions.

The problem (S3, l. 493–517), with objective f, constraints g and h, and a set Ω ⊂ ℝᵈ:

    minimise f(w) over w ∈ Ω   subject to   g_i(w) ≤ 0,  h_j(w) = 0.

Its Lagrangian prices the constraints, with multipliers α ≥ 0 and β:

    L(w, α, β) = f(w) + Σ α_i g_i(w) + Σ β_j h_j(w).

Two players. The first chooses w and pays L, the second chooses the multipliers:

    θ_P(w) = sup over α ≥ 0 and β of L  =  f(w) if w is admissible, else +∞,
    θ_D(α, β) = inf over w ∈ Ω of L,  which may be −∞.

Then θ_D(α, β) ≤ θ_P(w), always (weak duality). The values inf θ_P and sup θ_D agree
(strong duality) if Ω = ℝᵈ, f is convex, g and h are affine, and some point is
admissible (S3, l. 644–658; E3-38 on what is missing there). Then w with α, β is
optimal exactly if the conditions of Karush, Kuhn and Tucker hold:

    ∇f + Σ α_i ∇g_i + Σ β_j ∇h_j = 0,   g ≤ 0 and h = 0,   α ≥ 0,   α_i g_i(w) = 0.

`Problem` takes any smooth functions and works numerically. `QuadraticProgram` is the
case of a quadratic f with affine constraints, where everything is exact up to
rounding: θ_D has a formula, the dual is a quadratic programme again, and whether a
problem is infeasible or unbounded is decided by a linear programme.

Legend: w (d) variables; α (k) and β (m) multipliers; Ω `domain`.
"""

from kernellab.optim import examples
from kernellab.optim.conditions import KKT, Multipliers, Qualification
from kernellab.optim.domains import Box, Region
from kernellab.optim.farkas import Alternative, farkas
from kernellab.optim.functions import Smooth, affine
from kernellab.optim.inner import Minimum
from kernellab.optim.margins import hard_margin, soft_margin
from kernellab.optim.outcomes import DualSolution, Infeasible, Solution, Unbounded
from kernellab.optim.problem import Problem
from kernellab.optim.quadratic import QuadraticProgram
from kernellab.optim.weak import WeakDuality

__all__ = [
    "KKT",
    "Alternative",
    "Box",
    "DualSolution",
    "Infeasible",
    "Minimum",
    "Multipliers",
    "Problem",
    "QuadraticProgram",
    "Qualification",
    "Region",
    "Smooth",
    "Solution",
    "Unbounded",
    "WeakDuality",
    "affine",
    "examples",
    "farkas",
    "hard_margin",
    "soft_margin",
]
