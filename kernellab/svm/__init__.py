"""Support vector machines: two classes, several, regression, one class.

**Two classes**, y_i ∈ {−1, +1}, with the slacks ξ_i and a penalty C_i for each point:

    (P)  minimise over w, b, ξ   ½‖w‖² + Σ C_i ξ_i
         subject to              y_i f(x_i) ≥ 1 − ξ_i,  ξ_i ≥ 0,   f(x) = ⟨w, φ(x)⟩ + b.

C_i = ∞ is the hard margin. With multipliers α_i ≥ 0 of the margins and μ_i ≥ 0 of ξ_i ≥
0, the Lagrangian is stationary where

    w = Σ α_i y_i φ(x_i),    Σ α_i y_i = 0,    μ_i = C_i − α_i,

and what is left of it is the dual:

    (D)  maximise over α   Σ α_i − ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j)
         subject to        Σ α_i y_i = 0,  0 ≤ α_i ≤ C_i.

Then f(x) = Σ α_i y_i k(x, x_i) + b, and the conditions of Karush, Kuhn and Tucker
read:

    α_i = 0       ⇒  y_i f(x_i) ≥ 1        correct, outside the margin or on it
    0 < α_i < C_i ⇒  y_i f(x_i) = 1        on the margin: these points give b
    α_i = C_i     ⇒  y_i f(x_i) ≤ 1        on the margin, inside it, or wrong

**Regression** with a tube of radius ε (ε-SVR), and **one class** (ν-SVM), are stated
above their estimators. All three are one problem in signed coefficients β, of which
`kernellab.svm.smo` finds the solution; the certificate is computed here, anew, from k.

Legend: n points; y labels, t targets; s weights; α multipliers; β_i = y_i α_i;
u_i = Σ_j β_j k(x_i, x_j); f = u + b; ξ slacks.
"""

from kernellab.svm.one_class import OneClassSVM
from kernellab.svm.overlap import NotSeparable, Overlap
from kernellab.svm.regression import SVR
from kernellab.svm.svc import SVC

__all__ = ["SVC", "SVR", "NotSeparable", "OneClassSVM", "Overlap"]
