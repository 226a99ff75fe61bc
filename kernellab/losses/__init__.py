"""Losses ℓ(y, u), convex in the prediction u, and their conjugates.

The conjugate of ℓ(y, ·) at a slope v is

    ℓ*(y, v) = sup_u  uv − ℓ(y, u),

+∞ where the supremum is. It makes the dual of the representer problem
(`kernellab.erm`), and Fenchel–Young, ℓ(y,u) + ℓ*(y,v) ≥ uv, with equality exactly
if v is a slope of ℓ(y,·) at u, is why that dual proves a fit to be optimal.

Two families: a function ρ of the residual r = u − y, for targets y ∈ ℝ, and a
function h of the margin m = yu, for labels y ∈ {−1, +1}.

    Squared        ½r²                      ℓ* = vy + ½v²
    Huber          ½r², then δ(|r| − ½δ)    ℓ* = vy + ½v²    for |v| ≤ δ
    Logistic       log(1 + e⁻ᵐ)             ℓ* = −H(−yv)     for −1 ≤ yv ≤ 0
    Hinge          max(0, 1−m)              ℓ* = yv          for −1 ≤ yv ≤ 0
    SquaredHinge   ½ max(0, 1−m)²           ℓ* = yv + ½v²    for yv ≤ 0

with the entropy H(p) = −p log p − (1−p) log(1−p). All are convex in u, closed and
bounded below by 0: what strong duality needs.
"""

from kernellab.losses.base import Loss, WeightedLoss
from kernellab.losses.margin import Hinge, Logistic, MarginLoss, SquaredHinge
from kernellab.losses.residual import Huber, Squared

__all__ = [
    "Hinge",
    "Huber",
    "Logistic",
    "Loss",
    "MarginLoss",
    "Squared",
    "SquaredHinge",
    "WeightedLoss",
]
