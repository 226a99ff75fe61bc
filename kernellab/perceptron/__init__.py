"""The perceptron: learn from mistakes alone. Primal, dual, and with a kernel.

The problem: find w with y_i wᵀφ(x_i) > 0 for all i, if there is one. The
algorithm: start at w = 0, show the points one after the other, and

    if y_i wᵀφ(x_i) ≤ 0:   w ← w + y_i φ(x_i),

until a whole epoch (once through the points) passes without a mistake. Let α_i count
the mistakes made on x_i. Then w = Σ α_i y_i φ(x_i), so that

    g(x) = wᵀφ(x) = Σ_i α_i y_i k(x_i, x),    and a mistake on x_i is α_i ← α_i + 1:

the same algorithm with a kernel. A learning rate only multiplies w, and a threshold
w_0 = Σ α_i y_i is the kernel k + 1. All forms make the same mistakes in the same order.

When it stops. Let R = max ‖φ(x_i)‖, and γ* the largest margin, that is, the largest
value of min_i y_i uᵀφ(x_i) over unit vectors u. After M mistakes

    min_i y_i g(x_i)/‖w‖  ≤  γ*  ≤  ‖w‖/M  ≤  R/√M.

The first is a special case of the definition. The second holds because
Mγ* ≤ Σ α_i y_i u*ᵀφ(x_i) = u*ᵀw ≤ ‖w‖; the third because each mistake adds
2y_i g(x_i) + ‖φ(x_i)‖² ≤ R² to ‖w‖². Together they are Novikoff's theorem: if
γ* > 0, there are at most (R/γ*)² mistakes. And they are a certificate that every fit
carries, separable data or not. With the threshold, R² becomes R² + 1.

When it does not. If γ* ≤ 0 there are mistakes in every epoch, while w stays
bounded (the cycling theorem of Efron, Minsky and Papert, Block and Levin). If w comes
back to an earlier value, the counts c of the mistakes in between satisfy

    Σ c_i y_i φ(x_i) = 0,    c ≥ 0,  c ≠ 0,

and this alone proves that nothing separates the data: a separating u would make
Σ c_i y_i uᵀφ(x_i) positive (Gordan).

Cost: n operations a mistake (g is kept at all points, and a Gram row added), and
O(n) per epoch to look for mistakes, vectorised.

Legend: n points; y ∈ {−1, +1}; w weights; g decision function; α (n) mistake counts;
M = Σ α_i mistakes; R radius; γ margin; K (n×n) Gram matrix.
"""

from kernellab.perceptron.certificate import MarginCertificate
from kernellab.perceptron.estimators import KernelPerceptron, Perceptron
from kernellab.perceptron.runs import MistakeLog
from kernellab.perceptron.textbook import (
    DualRun,
    FunctionRun,
    PrimalRun,
    dual_perceptron,
    function_perceptron,
    primal_perceptron,
)

__all__ = [
    "DualRun",
    "FunctionRun",
    "KernelPerceptron",
    "MarginCertificate",
    "MistakeLog",
    "Perceptron",
    "PrimalRun",
    "dual_perceptron",
    "function_perceptron",
    "primal_perceptron",
]
