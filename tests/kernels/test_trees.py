"""Random mixed trees: their values against arrays composed by hand, and the rest.

A `Tree` is a kernel together with the same thing in NumPy: a function of X and Z that
uses the Gram matrices of the leaves, and nothing else of kernellab.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kernellab import kernels as kl
from kernellab.errors import NotProven
from kernellab.kernels import Kernel

Array = np.ndarray
Formula = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Tree:
    """A kernel, its formula, and how many columns it needs at least."""

    kernel: Kernel
    formula: Formula
    columns: int = 1

    def __repr__(self) -> str:
        return repr(self.kernel)


def slope(X: Array) -> Array:
    return 1 + 0.5 * X[:, 0]


def bend(X: Array) -> Array:
    return 0.3 + np.sin(X)


def fan(X: Array) -> Array:
    return np.hstack([X, X**2])


squares = kl.Map(lambda X: X**2, "squares", into=kl.Orthant())
NAMES = {"slope": slope, "bend": bend, "fan": fan, "squares": squares}


# --- the grammar --------------------------------------------------------------------

LEAVES: list[Kernel] = [
    kl.Linear(),
    kl.Polynomial(2, 0.5),
    kl.Polynomial(3, 0.0),
    kl.Gaussian(0.8),
    kl.Exponential(1.5),
    kl.Laplacian(2.0),
    kl.Matern(0.9, nu=1.5),
    kl.Matern(1.4, nu=2.5),
    kl.RationalQuadratic(0.7, alpha=0.6),
    kl.Periodic(1.2, period=2.5),
    kl.Constant(0.7),
    kl.Delta(),
]


def leaf(k: Kernel) -> Tree:
    return Tree(k, k.__call__)


def histograms() -> Tree:
    k = kl.HistogramIntersection()
    return Tree(k.pullback(squares), lambda X, Z: k(X**2, Z**2))


def scaled(t: Tree, c: float) -> Tree:
    return Tree(c * t.kernel, lambda X, Z: c * t.formula(X, Z), t.columns)


def plus(s: Tree, t: Tree) -> Tree:
    return Tree(
        s.kernel + t.kernel,
        lambda X, Z: s.formula(X, Z) + t.formula(X, Z),
        max(s.columns, t.columns),
    )


def minus(s: Tree, t: Tree) -> Tree:
    return Tree(
        s.kernel - t.kernel,
        lambda X, Z: s.formula(X, Z) - t.formula(X, Z),
        max(s.columns, t.columns),
    )


def times(s: Tree, t: Tree) -> Tree:
    return Tree(
        s.kernel * t.kernel,
        lambda X, Z: s.formula(X, Z) * t.formula(X, Z),
        max(s.columns, t.columns),
    )


def positive(t: Tree) -> Tree:
    """k² + ½, to divide by and to take roots of."""
    return Tree(t.kernel**2 + 0.5, lambda X, Z: t.formula(X, Z) ** 2 + 0.5, t.columns)


def over(s: Tree, t: Tree) -> Tree:
    below = positive(t)
    return Tree(
        s.kernel / below.kernel,
        lambda X, Z: s.formula(X, Z) / below.formula(X, Z),
        max(s.columns, t.columns),
    )


def to_the(t: Tree, p: int) -> Tree:
    return Tree(t.kernel**p, lambda X, Z: t.formula(X, Z) ** p, t.columns)


def root(t: Tree, p: float) -> Tree:
    base = positive(t)
    return Tree(base.kernel**p, lambda X, Z: base.formula(X, Z) ** p, t.columns)


def exponential(t: Tree) -> Tree:
    return Tree(
        kl.exp(0.1 * t.kernel), lambda X, Z: np.exp(0.1 * t.formula(X, Z)), t.columns
    )


def hyperbolic(t: Tree) -> Tree:
    return Tree(kl.tanh(t.kernel), lambda X, Z: np.tanh(t.formula(X, Z)), t.columns)


def polynomial(t: Tree, q: tuple[float, ...]) -> Tree:
    return Tree(
        t.kernel.polynomial(q),
        lambda X, Z: sum(c * t.formula(X, Z) ** j for j, c in enumerate(q)),
        t.columns,
    )


def weighted(t: Tree) -> Tree:
    return Tree(
        t.kernel.weighted(slope),
        lambda X, Z: slope(X)[:, None] * t.formula(X, Z) * slope(Z)[None, :],
        t.columns,
    )


def normalized(t: Tree) -> Tree:
    inner = positive(t)

    def formula(X: Array, Z: Array) -> Array:
        left = np.sqrt(np.diag(inner.formula(X, X)))
        right = np.sqrt(np.diag(inner.formula(Z, Z)))
        return inner.formula(X, Z) / np.outer(left, right)

    return Tree(inner.kernel.normalize(), formula, t.columns)


def bent(t: Tree) -> Tree:
    return Tree(
        t.kernel.pullback(bend), lambda X, Z: t.formula(bend(X), bend(Z)), t.columns
    )


def fanned(t: Tree) -> Tree:
    """After `fan` there are two columns at least."""
    return Tree(t.kernel.pullback(fan), lambda X, Z: t.formula(fan(X), fan(Z)), 1)


def part(t: Tree, index: tuple[int, ...]) -> Tree:
    """t on some columns, if they are enough for it; t otherwise."""
    if t.columns > len(index):
        return t
    return Tree(
        t.kernel.on(index),
        lambda X, Z: t.formula(X[:, list(index)], Z[:, list(index)]),
        max(index) + 1,
    )


leaves = st.sampled_from([*map(leaf, LEAVES), histograms()])
indices = st.sampled_from([(0,), (1,), (1, 0)])


def grow_kernels(trees: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    """By the rules that make kernels of kernels."""
    coefficients = st.sampled_from([(1.0, 0.0, 0.5), (0.0, 2.0), (0.3,), (0.0, 0, 1)])
    return st.one_of(
        st.builds(plus, trees, trees),
        st.builds(times, trees, trees),
        st.builds(scaled, trees, st.sampled_from([0.0, 0.5, 3.0])),
        st.builds(to_the, trees, st.integers(0, 3)),
        st.builds(exponential, trees),
        st.builds(polynomial, trees, coefficients),
        st.builds(weighted, trees),
        st.builds(normalized, trees),
        st.builds(bent, trees),
        st.builds(fanned, trees),
        st.builds(part, trees, indices),
    )


def grow(trees: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    """By these rules, and by others that may not."""
    coefficients = st.sampled_from([(1.0, -2.0, 0.5), (-1.0, 2.0), (0.0, 0, 0, -1.5)])
    return st.one_of(
        grow_kernels(trees),
        st.builds(minus, trees, trees),
        st.builds(scaled, trees, st.sampled_from([-1.0, -0.5, -2.0])),
        st.builds(over, trees, trees),
        st.builds(root, trees, st.sampled_from([0.5, 1.5, -0.7, -1])),
        st.builds(hyperbolic, trees),
        st.builds(polynomial, trees, coefficients),
    )


kernels = st.recursive(leaves, grow_kernels, max_leaves=5)
trees = st.recursive(leaves, grow, max_leaves=5)

rng = np.random.default_rng(11)
X, Z = rng.uniform(-1, 1, (6, 2)), rng.uniform(-1, 1, (4, 2))
Z[1], X[5] = X[2], X[0]
MANY = np.vstack([X, rng.uniform(-1, 1, (20, 2)), np.zeros((1, 2)), np.eye(2)])


def by_hand(tree: Tree, X: Array, Z: Array) -> Array:
    """The formula, if its values are tame."""
    with np.errstate(all="ignore"):
        K = tree.formula(X, Z)
    assume(np.isfinite(K).all() and np.abs(K).max() < 1e4)
    return K


# --- what holds for all of them -----------------------------------------------------


@given(trees)
@settings(max_examples=250)
def test_values_are_those_composed_by_hand(tree):
    k = tree.kernel
    for left, right in ((X, Z), (Z, X), (X[:1], Z)):
        K = by_hand(tree, left, right)
        np.testing.assert_allclose(k(left, right), K, rtol=1e-9, atol=1e-9)
    square = by_hand(tree, X, X)
    np.testing.assert_allclose(k(X), square, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(k(X), k(X).T)
    np.testing.assert_allclose(k.diag(X), np.diag(square), rtol=1e-9, atol=1e-9)


@given(trees)
@settings(max_examples=250)
def test_repr_round_trip(tree):
    twin = eval(repr(tree.kernel), vars(kl) | NAMES)
    assert twin == tree.kernel
    assert hash(twin) == hash(tree.kernel)
    assert repr(twin) == repr(tree.kernel)


@given(trees)
@settings(max_examples=120)
def test_vjp_against_differences(tree):
    by_hand(tree, X, X)
    k = tree.kernel
    G = np.random.default_rng(5).normal(size=(6, 6))
    gradient = k.vjp(X, G)
    assert gradient.shape == k.theta.shape == (len(k.theta_names),)
    assert k.with_theta(k.theta) == k
    for j, unit in enumerate(np.eye(len(gradient))):
        value = {s: k.with_theta(k.theta + s * 1e-3 * unit)(X) for s in (-2, -1, 1, 2)}
        stencil = 8 * (value[1] - value[-1]) - (value[2] - value[-2])
        slope = np.vdot(G, stencil) / 12e-3
        size = 1 + abs(slope) + np.abs(value[1]).max()
        assert abs(gradient[j] - slope) < 1e-6 * size, k.theta_names[j]


def assert_no_negative_eigenvalue(K: Array) -> None:
    smallest = np.linalg.eigvalsh(K)[0]
    assert smallest >= -1e-9 * np.abs(K).max() * len(K)


@given(kernels)
@settings(max_examples=200)
def test_what_the_rules_build_is_proven_and_is_a_kernel(tree):
    assert tree.kernel.verdict() == "PROVEN"
    by_hand(tree, MANY, MANY)
    assert_no_negative_eigenvalue(tree.kernel(MANY))


@given(trees)
@settings(max_examples=400)
def test_never_a_false_proof(tree):
    try:
        tree.kernel.proof()
    except NotProven:
        return
    by_hand(tree, MANY, MANY)
    assert_no_negative_eigenvalue(tree.kernel(MANY))


@given(trees)
@settings(max_examples=15)
def test_a_refutation_holds_for_the_formula_too(tree):
    verdict = tree.kernel.verdict()
    if verdict == "REFUTED":
        witness = verdict.witness
        K = tree.formula(witness.points, witness.points)
        assert witness.c @ K @ witness.c < 0
