"""Certificates of the machines: primal, dual, gap, and the residuals of KKT.

Any w, b and any feasible α bound the optimum from both sides (weak duality), whatever
solver produced them. `kkt` holds the size of the residual of each condition:

- "stationarity": |Σβ − total|, the derivative of the Lagrangian in b (of one class: in
  ρ). That in w is zero because w is written as Σ β_i φ(x_i), that in ξ because μ_i
  stands for C_i − α_i.
- "primal feasibility": the largest violation of y_i f(x_i) ≥ 1 − ξ_i and ξ_i ≥ 0, in
  units of f. Zero with slacks, for ξ is what is missing; with a hard margin there are
  none, and it is max(0, 1 − y_i f(x_i)).
- "dual feasibility": the largest violation of 0 ≤ α_i ≤ C_i.
- "complementarity": the largest α_i (y_i f(x_i) − 1 + ξ_i) or (C_i − α_i) ξ_i, in units
  of the objective. The sum of them all is the gap, if Σβ = total.

If the largest violation of optimality (the solver's `tol`) is v, each term of that sum
is at most v·C_i; so gap ≤ v Σ C_i. This is what a tolerance promises. With a hard
margin every y_i f(x_i) ≥ 1 − v, those with α_i > 0 are at most 1 + v, and
primal/dual ≤ (1 + v)/(1 − v)³: the relative gap is at most 4v.

`noise` is how far rounding can move an entry of u = Kβ. It moves ½‖w‖² by at most
noise·Σ|β_i|/2, and each slack that is not zero by at most noise.
"""

from __future__ import annotations

import math

import numpy as np

from kernellab.arrays import Array
from kernellab.certificates import Certificate, rounding_error


def classification(
    y: Array, beta: Array, u: Array, b: float, C: Array, noise: float = 0.0
) -> tuple[Certificate, Array]:
    """Return the certificate of two classes, and the slacks ξ. O(n).

    For a hard margin (every C_i = ∞) the primal value is that of (w, b)/ρ with
    ρ = min y_i f(x_i), which satisfies the constraints exactly; ∞ if ρ ≤ 0.

    Parameters
    ----------
    y : (n,) labels −1 and +1.
    beta : (n,) coefficients y_i α_i.
    u : (n,) values Σ_j β_j k(x_i, x_j).
    b : the intercept.
    C : (n,) penalties, all finite or all infinite.
    noise : how far rounding can move an entry of u.
    """
    alpha, margin = y * beta, y * (u + b)
    xi = np.maximum(0.0, 1 - margin)
    square = float(beta @ u)
    dual = float(alpha.sum()) - square / 2
    if np.isinf(C).all():
        rho = float(margin.min())
        primal = square / 2 / rho**2 if rho > 0 else math.inf
        steepness = 2 * primal  # −ρ ∂primal/∂ρ
        missing, products = float(xi.max()), alpha * np.abs(margin - 1)
    else:
        primal = square / 2 + float(C @ xi)
        steepness = float(C[xi > 0].sum())
        missing = 0.0
        products = np.maximum(alpha * (margin - 1 + xi), (C - alpha) * xi)
    outside = np.maximum(-alpha, alpha - C).max()
    kkt = residuals(beta.sum(), missing, outside, products.max())
    rounding = _rounding(beta, noise, steepness, primal, float(alpha.sum()))
    return Certificate(primal, dual, kkt=kkt, rounding=rounding), xi


def regression(
    t: Array,
    beta: Array,
    u: Array,
    b: float,
    C: Array,
    epsilon: float,
    noise: float = 0.0,
) -> Certificate:
    """Return the certificate of regression in a tube. O(n).

    β_i = α_i − α*_i, where one of the two is zero: both at once would only cost.
    """
    r = t - u - b
    xi = np.maximum(0.0, np.abs(r) - epsilon)
    square, size = float(beta @ u), np.abs(beta)
    primal = square / 2 + float(C @ xi)
    dual = float(t @ beta) - epsilon * float(size.sum()) - square / 2
    inside = size * (epsilon + xi - np.sign(beta) * r)
    products = np.maximum(inside, (C - size) * xi)
    outside = np.maximum(0.0, size - C).max()
    kkt = residuals(beta.sum(), 0.0, outside, products.max())
    terms = float((np.abs(t) + epsilon) @ size)
    rounding = _rounding(beta, noise, float(C[xi > 0].sum()), primal, terms)
    return Certificate(primal, dual, kkt=kkt, rounding=rounding)


def one_class(
    beta: Array, u: Array, rho: float, s: Array, total: float, noise: float = 0.0
) -> Certificate:
    """Return the certificate of one class. O(n)."""
    xi = np.maximum(0.0, rho - u)
    square = float(beta @ u)
    primal = square / 2 + float(s @ xi) - total * rho
    products = np.maximum(beta * (u - rho + xi), (s - beta) * xi)
    outside = np.maximum(-beta, beta - s).max()
    kkt = residuals(beta.sum() - total, 0.0, outside, products.max())
    steepness, terms = float(s[xi > 0].sum()), square + total * abs(rho)
    rounding = _rounding(beta, noise, steepness, primal, terms)
    return Certificate(primal, -square / 2, kkt=kkt, rounding=rounding)


def _rounding(
    beta: Array, noise: float, steepness: float, primal: float, terms: float
) -> float:
    """Return how far rounding may move primal − dual.

    `steepness` bounds what a change of all u_i by 1 does to the slacks' price, `terms`
    sums the other terms of the dual in absolute value.
    """
    moved = math.sqrt(len(beta)) * noise * (float(np.abs(beta).sum()) + steepness)
    return moved + rounding_error(len(beta), abs(primal), terms)


def residuals(
    sum_: float, missing: float, outside: float, product: float
) -> dict[str, float]:
    return {
        "stationarity": abs(float(sum_)),
        "primal feasibility": float(missing),
        "dual feasibility": max(0.0, float(outside)),
        "complementarity": max(0.0, float(product)),
    }


def combined(certificates: list[Certificate]) -> Certificate:
    """Of several machines: sums of the values, the worst of each residual."""
    kkts = [c.kkt for c in certificates if c.kkt]
    return Certificate(
        primal=sum(c.primal for c in certificates),
        dual=sum(c.dual for c in certificates),
        kkt={name: max(kkt[name] for kkt in kkts) for name in kkts[0]},
        rounding=sum(c.rounding for c in certificates),
        assumes=certificates[0].assumes,
    )
