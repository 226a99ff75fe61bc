"""Random float instances of the problems, for the oracle.

Each problem has one or more modes, from the most general to the most special: a line
of a right derivation holds in all instances of at least one mode.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from tests.grading.floats import Random, Value, World, loss, number

SIZES = ((5, 3), (3, 5))


def world(
    free: dict[str, Value],
    derive: Callable[[dict[str, Value]], dict[str, Value]] = lambda free: {},
    **more: dict[str, str] | dict[str, int],
) -> World:
    """A world with the defaults that most problems share."""
    defaults = {"sizes": {}, "rows": {}, "ranges": {}}
    return World(free, derive, **{**defaults, **more})


def normal(rng: np.random.Generator, n: int, m: int = 1) -> np.ndarray:
    """A matrix of standard normal entries."""
    return rng.standard_normal((n, m))


def definite(rng: np.random.Generator, n: int) -> np.ndarray:
    """A well-conditioned symmetric positive definite matrix."""
    root = normal(rng, n, n)
    return root @ root.T + n * np.eye(n)


def ridge(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """Ridge regression: a free, w free, J stationary in a, or a the dual solution."""
    Phi, t, lam = normal(rng, n, m), normal(rng, n), float(rng.uniform(0.5, 2))
    optimum = np.linalg.solve(Phi @ Phi.T + lam * np.eye(n), t)
    free: dict[str, Value] = {"Phi": Phi, "t": t, "lam": number(lam)}
    free["phis"] = normal(rng, m)
    if mode == "w free":
        free["w"] = normal(rng, m)
    else:
        away = normal(rng, n)
        if mode == "stationary":
            away -= Phi @ np.linalg.pinv(Phi) @ away
        free["a"] = optimum if mode == "optimum" else optimum + away

    def derive(v: dict[str, Value]) -> dict[str, Value]:
        out = {"K": v["Phi"] @ v["Phi"].T, "k": v["Phi"] @ v["phis"]}
        out["w"] = v["w"] if "w" in v else v["Phi"].T @ v["a"]
        out["a"] = v["a"] if "a" in v else (v["t"] - v["Phi"] @ out["w"]) / v["lam"]
        rest = v["t"] - v["Phi"] @ out["w"]
        out["J"] = rest.T @ rest + v["lam"] * (out["w"].T @ out["w"])
        out["y"] = out["w"].T @ v["phis"]
        return out

    return world(free, derive, sizes={"N": n, "M": m}, rows={"phi": "Phi"})


def svm(rng: np.random.Generator, mode: str, n: int, d: int) -> World:
    """The hard-margin Lagrangian: anywhere, or where it is stationary in w and b."""
    X, y, alpha = normal(rng, n, d), normal(rng, n), normal(rng, n)
    if mode == "optimum":
        alpha = alpha - y * (y.T @ alpha) / (y.T @ y)
    w = X.T @ (alpha * y) if mode == "optimum" else normal(rng, d)
    free: dict[str, Value] = {"X": X, "y": y, "alpha": alpha, "w": w}
    free["b"] = number(rng.normal())

    def derive(v: dict[str, Value]) -> dict[str, Value]:
        margins = v["y"] * (v["X"] @ v["w"] + v["b"]) - 1
        L = v["w"].T @ v["w"] / 2 - v["alpha"].T @ margins
        return {"K": v["X"] @ v["X"].T, "L": L}

    return world(free, derive, sizes={"N": n, "D": d}, rows={"x": "X"})


def push(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """A rectangular matrix."""
    return world({"A": normal(rng, n, m)}, sizes={"N": n, "M": m})


def gp(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """A Gaussian vector y and a Gaussian number f; z is the decorrelated part."""
    Y, F, e = normal(rng, n, n + 2), normal(rng, 1, n + 2), normal(rng, n + 2)
    C, k = Y @ Y.T, Y @ F.T
    weights = np.linalg.solve(C, k)
    Z = F - weights.T @ Y
    free: dict[str, Value] = {"C": C, "k": k, "kss": F @ F.T, "y": Random(Y @ e, Y)}
    free |= {"f": Random(F @ e, F), "z": Random(Z @ e, Z)}
    free |= {"m": Random((F - Z) @ e, F - Z), "s2": Z @ Z.T}
    return world(free, sizes={"N": n})


def lml(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """The log marginal likelihood along one parameter."""
    C, slope = definite(rng, n), normal(rng, n, n)
    free: dict[str, Value] = {"θ": number(0), "y": normal(rng, n)}

    def derive(v: dict[str, Value]) -> dict[str, Value]:
        now = C + v["θ"] * (slope + slope.T)
        alpha = np.linalg.solve(now, v["y"])
        L = -(v["y"].T @ alpha + np.linalg.slogdet(now)[1] + n * np.log(2 * np.pi)) / 2
        return {"C": now, "dC": slope + slope.T, "alpha": alpha, "L": L}

    return world(free, derive, sizes={"N": n})


def gaussian(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """The Gaussian kernel of two points."""
    x, z, s = normal(rng, n), normal(rng, n), float(rng.uniform(1, 2))
    k = np.exp(-np.sum((x - z) ** 2) / (2 * s**2))
    free: dict[str, Value] = {"x": x, "z": z, "s": number(s), "k": number(k)}
    return world(free, sizes={"D": n}, ranges={i: "D" for i in "ijdn"})


def polynomial(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """The quadratic kernel of two points of the plane."""
    x, z, c = normal(rng, 2), normal(rng, 2), number(rng.uniform(0.5, 2))
    return world({"x": x, "z": z, "c": c, "k": (x.T @ z + c) ** 2}, sizes={"D": 2})


def product(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """The entrywise product of two Gram matrices."""
    A, B, v = normal(rng, n, m), normal(rng, n, m + 1), normal(rng, n)
    E, F = A @ A.T, B @ B.T
    free: dict[str, Value] = {"A": A, "B": B, "E": E, "F": F, "K": E * F, "v": v}
    free["q"] = v.T @ (E * F) @ v
    sizes = {"N": n, "P": m, "Q": m + 1}
    return world(free, sizes=sizes, ranges={"i": "P", "j": "Q"})


def closure(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """Sums and rescalings of positive semidefinite matrices."""
    A, B, Phi = normal(rng, n, 2), normal(rng, n, 2), normal(rng, n, m)
    g, v, c, b = normal(rng, n), normal(rng, n), rng.uniform(0.5, 2), rng.uniform(1, 3)
    E, F, K = A @ A.T, B @ B.T, Phi @ Phi.T
    S, G = c * E + b * F, g * K * g.T
    free: dict[str, Value] = {"E": E, "F": F, "S": S, "G": G, "K": K, "Phi": Phi}
    free |= {"g": g, "v": v, "c": number(c), "b": number(b)}
    free |= {"q": v.T @ S @ v, "r": v.T @ G @ v}
    free |= {"Phi1": A, "Phi2": B}
    sizes = {"N": n, "M": m, "P": 2, "Q": 2}
    return world(free, sizes=sizes, rows={"phi": "Phi"})


def representer(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """w as a part in the span of the features and a part orthogonal to it."""
    n, m = min(n, m), max(n, m)
    Phi, a, u, lam = normal(rng, n, m), normal(rng, n), normal(rng, m), 1.3
    u = u - Phi.T @ np.linalg.solve(Phi @ Phi.T, Phi @ u)
    w = Phi.T @ a + u
    free: dict[str, Value] = {"Phi": Phi, "a": a, "u": u, "w": w, "K": Phi @ Phi.T}
    J = loss(Phi @ w) + lam * float(np.sum(w**2))
    free |= {"lam": number(lam), "J": number(J)}
    return world(free, sizes={"N": n, "M": m}, rows={"phi": "Phi"})


def soft_svm(rng: np.random.Generator, mode: str, n: int, d: int) -> World:
    """The soft-margin Lagrangian: anywhere, or stationary in w, b and ξ."""
    X, y, alpha = normal(rng, n, d), normal(rng, n), normal(rng, n)
    C, mu, w = float(rng.uniform(0.5, 2)), normal(rng, n), normal(rng, d)
    if mode == "optimum":
        alpha = alpha - y * (y.T @ alpha) / (y.T @ y)
        mu, w = C - alpha, X.T @ (alpha * y)
    free: dict[str, Value] = {"X": X, "y": y, "alpha": alpha, "mu": mu, "w": w}
    free |= {"xi": normal(rng, n), "C": number(C), "b": number(rng.normal())}

    def derive(v: dict[str, Value]) -> dict[str, Value]:
        margins = v["y"] * (v["X"] @ v["w"] + v["b"]) - 1 + v["xi"]
        L = v["w"].T @ v["w"] / 2 + v["C"] * v["xi"].sum()
        L = L - v["alpha"].T @ margins - v["mu"].T @ v["xi"]
        return {"K": v["X"] @ v["X"].T, "L": L}

    return world(free, derive, sizes={"N": n, "D": d}, rows={"x": "X"})


def svm_norm(rng: np.random.Generator, mode: str, n: int, d: int) -> World:
    """Anywhere, or where w = Σαyx, Σαy = 0 and α⊤s = 0."""
    X, y, alpha, w = normal(rng, n, d), normal(rng, n), normal(rng, n), normal(rng, d)
    if mode == "optimum":
        alpha = alpha - y * (y.T @ alpha) / (y.T @ y)
        w = X.T @ (alpha * y)
        scale = alpha.sum() / float((w.T @ w)[0, 0])
        alpha, w = scale * alpha, scale * w
    b = number(rng.normal())
    K, s = X @ X.T, y * (X @ w + b) - 1
    q, u = w.T @ w, alpha * y
    V = number(alpha.sum()) - u.T @ K @ u / 2
    free: dict[str, Value] = {"X": X, "y": y, "alpha": alpha, "w": w, "b": b, "K": K}
    return world(free | {"s": s, "q": q, "V": V}, sizes={"N": n, "D": d},
                 rows={"x": "X"})  # fmt: skip


def hyperplane(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """A point and a hyperplane: u anywhere, on the hyperplane, or nearest to x."""
    x, w, u, b = normal(rng, n), normal(rng, n), normal(rng, n), number(rng.normal())
    s, F, beta = w.T @ w, w.T @ x + b, number(rng.normal())
    if mode == "stationary":
        u = u - w * (w.T @ u + b) / s
    if mode == "optimum":
        beta = F / s
        u = x - beta * w
    free: dict[str, Value] = {"x": x, "w": w, "u": u, "b": b, "s": s, "F": F}
    free["beta"] = beta

    def derive(v: dict[str, Value]) -> dict[str, Value]:
        r = (v["x"] - v["u"]).T @ (v["x"] - v["u"])
        return {"r": r, "L": r / 2 + v["beta"] * (v["w"].T @ v["u"] + v["b"])}

    return world(free, derive, sizes={"D": n})


def lagrange(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """A quadratic objective under equations: w anywhere, or admissible."""
    m, p = max(n, m), 2
    root, B, beta = normal(rng, m, m - 1), normal(rng, p, m), normal(rng, p)
    A, ws, w = root @ root.T, normal(rng, m), normal(rng, m)
    if mode == "optimum":
        w = w - B.T @ np.linalg.solve(B @ B.T, B @ (w - ws))
    c, d = A @ ws + B.T @ beta, B @ ws
    f, fs = (v.T @ A @ v / 2 - c.T @ v for v in (w, ws))
    free: dict[str, Value] = {"A": A, "B": B, "beta": beta, "w": w, "ws": ws}
    free |= {"c": c, "d": d, "f": f, "fs": fs, "r": f - fs}
    free |= {"L": f + beta.T @ (B @ w - d), "Ls": fs}
    return world(free, sizes={"M": m, "P": p})


def nystroem(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """Landmarks Z and one more point f: b anywhere, or the projection's."""
    m, r = max(n, m), 2
    Z, Phi, f, b = normal(rng, r, m), normal(rng, n, m), normal(rng, m), normal(rng, r)
    A, c, C = Z @ Z.T, Z @ f, Phi @ Z.T
    if mode == "optimum":
        b = np.linalg.solve(A, c)
    F = C @ np.linalg.solve(A, Z)
    free: dict[str, Value] = {"Z": Z, "Phi": Phi, "f": f, "A": A, "c": c, "C": C}
    free |= {"b": b, "F": F, "G": F @ F.T}

    def derive(v: dict[str, Value]) -> dict[str, Value]:
        e = v["f"] - v["Z"].T @ v["b"]
        return {"J": e.T @ e, "e": e}

    sizes = {"N": n, "M": m, "R": r}
    return world(free, derive, sizes=sizes, rows={"phi": "Phi", "z": "Z"})


def small_system(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """A large system whose matrix is a number and a low rank."""
    L, v, lam = normal(rng, n, 2), normal(rng, n), float(rng.uniform(0.5, 2))
    B, S = lam * np.eye(n) + L @ L.T, lam * np.eye(2) + L.T @ L
    z = np.linalg.solve(B, v)
    free: dict[str, Value] = {"L": L, "lam": number(lam), "B": B, "S": S, "v": v}
    return world(free | {"z": z, "u": L.T @ z, "q": L.T @ z}, sizes={"N": n, "R": 2})


def gap(rng: np.random.Generator, mode: str, n: int, m: int) -> World:
    """Any w and any a, with the values of both criteria."""
    Phi, t, a, w = normal(rng, n, m), normal(rng, n), normal(rng, n), normal(rng, m)
    K, lam = Phi @ Phi.T, float(rng.uniform(0.5, 2))
    J, J_a = ((t - Phi @ x).T @ (t - Phi @ x) + lam * (x.T @ x) for x in (w, Phi.T @ a))
    D = 2 * lam * (a.T @ t) - lam * (a.T @ (K @ a + lam * a))
    free: dict[str, Value] = {"Phi": Phi, "K": K, "t": t, "a": a, "w": w}
    free |= {"lam": number(lam), "J": J, "D": D, "g": J - D, "h": J_a - D}
    free |= {"e": t - Phi @ w - lam * a, "s": w - Phi.T @ a, "r": t - K @ a - lam * a}
    return world(free, sizes={"N": n, "M": m}, rows={"phi": "Phi"})


Builder = Callable[[np.random.Generator, str, int, int], World]
PROBLEMS: dict[str, tuple[Builder, tuple[str, ...]]] = {
    "ridge-dual": (ridge, ("a free", "w free", "stationary", "optimum")),
    "ridge-predictor": (ridge, ("a free", "optimum")),
    "svm-dual": (svm, ("free", "optimum")),
    "svm-soft-dual": (soft_svm, ("free", "optimum")),
    "svm-norm": (svm_norm, ("free", "optimum")),
    "hyperplane-distance": (hyperplane, ("free", "stationary", "optimum")),
    "lagrange-sufficient": (lagrange, ("free", "optimum")),
    "push-through": (push, ("free",)),
    "gp-predictive": (gp, ("free",)),
    "lml-gradient": (lml, ("free",)),
    "gaussian-factors": (gaussian, ("free",)),
    "polynomial-features": (polynomial, ("free",)),
    "product-kernel": (product, ("free",)),
    "closure": (closure, ("free",)),
    "representer": (representer, ("free",)),
    "nystroem-projection": (nystroem, ("free", "optimum")),
    "small-system": (small_system, ("free",)),
    "gap-is-residual": (gap, ("free",)),
}


@cache
def worlds(problem: str) -> dict[str, list[World]]:
    """The instances of each mode of a problem."""
    build, modes = PROBLEMS[problem]
    rng = np.random.default_rng(20240)
    return {mode: [build(rng, mode, n, m) for n, m in SIZES] for mode in modes}
