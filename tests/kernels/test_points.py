"""Points: computed once for all of them, sliced for a tile."""

import numpy as np

from kernellab.kernels.pairs import CrossPairs
from kernellab.kernels.points import Points, objects, vectors


def test_a_slice_of_a_slice_remembers_what_all_know():
    calls = []

    def norms(P: Points) -> np.ndarray:
        calls.append(len(P))
        return np.einsum("ij,ij->i", P.X, P.X)

    P = vectors(np.arange(20.0).reshape(10, 2))
    part = P[2:9][1:4]
    np.testing.assert_array_equal(part.X, P.X[3:6])
    np.testing.assert_array_equal(part.remember("norms", norms), norms(P)[3:6])
    np.testing.assert_array_equal(P[5:].remember("norms", norms), norms(P)[5:])
    assert calls == [10, 10, 10]  # once by `remember`, twice by the test itself
    assert part.root is P


def test_images_are_made_once():
    calls = []

    def double(P: Points) -> np.ndarray:
        calls.append(len(P))
        return 2 * P.X

    P = vectors(np.arange(10.0)[:, None])
    np.testing.assert_array_equal(P[3:5].mapped("double", double).X, [[6.0], [8.0]])
    np.testing.assert_array_equal(P[8:].mapped("double", double).X, [[16.0], [18.0]])
    assert calls == [10]


def test_what_needs_both_sides_is_kept_apart_for_each_partner():
    P, Q, R = objects(["a", "b"]), objects(["c"]), objects(["d", "e"])

    def build(left: Points, right: Points):
        return left.items, right.items

    assert CrossPairs(P[1:], Q).joint("items", build) == (("b",), ("c",))
    assert CrossPairs(P, R[:1]).joint("items", build) == (("a", "b"), ("d",))


def test_the_memory_of_one_call_does_not_leak_into_the_next():
    """An array that was changed between two calls gives the new values."""
    from kernellab import kernels as kl

    k = kl.Gaussian() + kl.Linear().weighted(lambda X: X[:, 0]) + kl.Delta()
    X = np.array([[1.0, 2.0], [3.0, 4.0]])
    first = k(X)
    X += 1
    assert not np.allclose(k(X), first)
    np.testing.assert_array_equal(k(X), k(X.copy()))
