"""The largest eigenvectors of K by products with K: how many products that takes.

**One eigenvector, one product at a time.** One product Kv costs n². The power method,
v ← Kv/‖Kv‖, multiplies the component of v along u_j by μ_j, so that

    tan∠(v, u_1) shrinks by a factor of μ_2/μ_1 or less in each step:

about ln(1/ε)/ln(μ_1/μ_2) steps for an angle of ε, at n² each. If μ_2 is close to μ_1
that is many. The same holds for r eigenvectors: a step of subspace iteration, V ←
orthonormalised KV, costs n²r, and the tangent of the angle to span{u_1, …, u_r} shrinks
by μ_{r+1}/μ_r.

**A certificate.** If ‖v‖ = 1 and ρ = ‖Kv − μv‖, then K has an eigenvalue in
[μ − ρ, μ + ρ]: with v = Σ c_j u_j, ρ² = Σ c_j²(μ_j − μ)² ≥ min_j (μ_j − μ)². For the
Rayleigh quotient μ = vᵀKv the error is of second order in the angle.

Legend: K (n×n) symmetric, positive semi-definite; μ eigenvalues, the largest first;
u, v (n) unit vectors; V (n×r) orthonormal columns; ρ residual norms.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, RandomState, generator, positive_number, whole
from kernellab.errors import ConvergenceWarning, InputError
from kernellab.linalg import symmetric


@dataclass(frozen=True, eq=False, repr=False)
class Iteration:
    """What `power_method` and `subspace_iteration` did, step by step.

    Attributes
    ----------
    vectors : (n, r) orthonormal array, the last V.
    history : (m, r) array, the Rayleigh quotients of V after each of m steps.
    residuals : (m, r) array, ‖Kv − μv‖ for each of them: an eigenvalue of K is as
        near to μ as that.
    converged : whether the last residuals are as small as was asked for.
    """

    vectors: Array
    history: Array
    residuals: Array
    converged: bool

    @property
    def iterations(self) -> int:
        """The number m of steps, each a product with K: n²r multiplications."""
        return len(self.history)

    @property
    def values(self) -> Array:
        """(r,) array, the last Rayleigh quotients, the largest first."""
        last: Array = self.history[-1]
        return last

    @property
    def value(self) -> float:
        """The largest of them."""
        return float(self.values[0])

    @property
    def vector(self) -> Array:
        """(n,) array, the vector that belongs to it."""
        first: Array = self.vectors[:, 0]
        return first

    def __repr__(self) -> str:
        values = ", ".join(f"{v:.6g}" for v in self.values[:5])
        more = ", …" if len(self.values) > 5 else ""
        worst = self.residuals[-1].max()
        return (
            f"{values}{more} after {self.iterations} iterations, "
            f"residual {worst:.2g}{'' if self.converged else ', not converged'}"
        )


def power_method(
    K: ArrayLike,
    tol: float = 1e-8,
    max_iter: int = 10_000,
    random_state: RandomState = 0,
) -> Iteration:
    """Return the largest eigenvalue of K and its eigenvector: v ← Kv/‖Kv‖.

    Parameters
    ----------
    K : (n, n) symmetric array, positive semi-definite. (Of another symmetric matrix it
        is the eigenvalue of largest size that is found; if two of opposite sign are
        equally large, none.)
    tol : stop when ‖Kv − μv‖ ≤ tol·μ.
    max_iter : stop after so many products, with a `ConvergenceWarning`.
    random_state : seed of the first v, a random direction: almost surely not
        orthogonal to u_1.

    Returns
    -------
    Iteration

    Notes
    -----
    n² multiplications per step, about ln(1/ε)/ln(μ_1/μ_2) steps for an angle of ε. The
    residual, by which it stops, is smaller than the angle: by a factor of 1 − μ_2/μ_1
    in the end.

    Examples
    --------
    >>> power_method(np.diag([4.0, 2.0, 1.0]))
    4 after 27 iterations, residual 3.1e-08
    >>> power_method(np.diag([4.0, 3.9, 1.0])).iterations
    585
    """
    return subspace_iteration(K, 1, tol, max_iter, random_state)


def subspace_iteration(
    K: ArrayLike,
    rank: int,
    tol: float = 1e-8,
    max_iter: int = 10_000,
    random_state: RandomState = 0,
) -> Iteration:
    """Return the r largest eigenvalues of K and their eigenvectors: V ← orthonormalised
    KV.

    In each step the best approximations within span V are taken, the eigenvectors of
    VᵀKV (Rayleigh and Ritz), so that the columns converge one by one and not only
    their span.

    Parameters
    ----------
    K : (n, n) symmetric array, positive semi-definite.
    rank : number r of columns, at most n.
    tol : stop when ‖Kv − μv‖ ≤ tol·μ_1 for every column.
    max_iter, random_state : as in `power_method`.

    Returns
    -------
    Iteration

    Notes
    -----
    n²r multiplications for KV and about 2nr² for orthonormalisation, each step. The
    angle of V to span{u_1, …, u_r} shrinks by μ_{r+1}/μ_r a step, that of column j to
    u_j by μ_{r+1}/μ_j: a few columns more than needed help much.

    Examples
    --------
    >>> subspace_iteration(np.diag([4.0, 3.9, 1.0]), rank=2)
    4, 3.9 after 15 iterations, residual 3.3e-08
    """
    K = symmetric(K)
    r = _read_rank(rank, len(K))
    tol, most = positive_number(tol, "tol"), whole(max_iter, "max_iter", 1)
    rng = generator(random_state)
    V = np.linalg.qr(rng.normal(size=(len(K), r)))[0]
    history: list[Array] = []
    residuals: list[Array] = []
    converged = False
    while not converged and len(history) < most:
        KV = K @ V
        mu, W = np.linalg.eigh(V.T @ KV)
        V, KV, mu = V @ W[:, ::-1], KV @ W[:, ::-1], mu[::-1]
        rho = np.linalg.norm(KV - V * mu, axis=0)
        history.append(mu)
        residuals.append(rho)
        converged = bool(rho.max() <= tol * np.abs(mu).max())
        if not converged:
            V = np.linalg.qr(KV)[0]
    return _report(Iteration(V, np.array(history), np.array(residuals), converged), tol)


def _read_rank(rank: object, n: int) -> int:
    r = whole(rank, "rank", 1)
    if r > n:
        raise InputError(f"K has {n} eigenvalues only; got rank={r}")
    return r


def _report(run: Iteration, tol: float) -> Iteration:
    if not run.converged:
        warnings.warn(
            f"after {run.iterations} iterations the residual is "
            f"{run.residuals[-1].max():.2g}, still above tol = {tol:g} times the "
            "eigenvalue: raise max_iter, or ask for more columns than needed, since "
            "eigenvalues that are close together slow it down",
            ConvergenceWarning,
            stacklevel=3,
        )
    return run
