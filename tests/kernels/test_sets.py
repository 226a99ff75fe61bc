"""Kernels on sets, against Python's own set operations."""

from itertools import permutations

import numpy as np
import pytest

from kernellab.errors import InfiniteDimensional, InputError, NotProven
from kernellab.kernels.minimum import Delta
from kernellab.kernels.points import Points
from kernellab.kernels.sets import Intersection, Jaccard, tally
from kernellab.validity.domains import Objects, Reals

SETS = [
    set(),
    {1},
    {1, 2},
    frozenset({2, "tea", (3, 4)}),
    {"tea", "milk", None},
    frozenset(),
    {1, 2},
    set(range(40)),
]


def slow(k, a, b):
    if isinstance(k, Jaccard):
        return len(a & b) / len(a | b) if a | b else 1.0
    return len(a & b)


def table(k, left, right):
    return np.array([[slow(k, a, b) for b in right] for a in left], dtype=float)


@pytest.fixture(params=[Intersection(), Jaccard()], ids=repr)
def k(request):
    return request.param


def test_agrees_with_the_definition(k):
    np.testing.assert_array_equal(k(SETS), table(k, SETS, SETS))
    np.testing.assert_array_equal(k(SETS[1:4], SETS), table(k, SETS[1:4], SETS))


def test_blocks_and_the_diagonal_agree(k):
    K = k(SETS)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_array_equal(k.diag(SETS), np.diag(K))
    np.testing.assert_array_equal(k(SETS, SETS), K)


def test_several_tiles(k):
    rng = np.random.default_rng(0)
    sets = [set(rng.integers(0, 500, size=n).tolist()) for n in rng.integers(0, 9, 300)]
    np.testing.assert_array_equal(k(sets), table(k, sets, sets))


def test_is_positive_semidefinite(k):
    rng = np.random.default_rng(1)
    sets = [set(rng.integers(0, 9, size=n).tolist()) for n in rng.integers(0, 9, 60)]
    eigenvalues = np.linalg.eigvalsh(k(sets))
    assert eigenvalues[0] >= -1e-10 * eigenvalues[-1]


def test_no_points(k):
    assert k([]).shape == (0, 0)
    assert k([], [{1}]).shape == (0, 1)
    assert k.diag([]).shape == (0,)


def test_empty_sets():
    empty = [set(), frozenset()]
    np.testing.assert_array_equal(Intersection()(empty), np.zeros((2, 2)))
    np.testing.assert_array_equal(Jaccard()(empty), np.ones((2, 2)))
    np.testing.assert_array_equal(Jaccard()(empty, [{1}]), np.zeros((2, 1)))
    np.testing.assert_array_equal(Jaccard().diag(empty), np.ones(2))


def test_the_proof_of_jaccard_in_numbers():
    """J(A, B) is the share of the orders that put the same element first in both."""
    sets = [set(), {0, 1}, {1, 2, 3}, {0, 3}, {4}]
    orders = list(permutations(range(5)))

    def first(order, a):
        return next((u for u in order if u in a), None)

    agree = [
        [sum(first(o, a) == first(o, b) for o in orders) for b in sets] for a in sets
    ]
    np.testing.assert_allclose(Jaccard()(sets), np.array(agree) / len(orders))


def test_in_expressions(k):
    mixed = 2 * k + Delta()
    same = np.array([[a == b for b in SETS] for a in SETS])
    np.testing.assert_array_equal(mixed(SETS), 2 * k(SETS) + same)
    np.testing.assert_array_equal((k * k).diag(SETS), k.diag(SETS) ** 2)


def test_normalized_intersection_is_the_cosine():
    sets = [{1, 2}, {2, 3, 4}, {2}]
    K = Intersection().normalize()(sets)
    np.testing.assert_allclose(K[0], [1, 1 / 6**0.5, 1 / 2**0.5])


def test_the_sets_given_are_not_kept_or_changed(k):
    mine = {1, 2}
    points = k.read_points([mine], "X")
    mine.add(3)
    assert points.items == (frozenset({1, 2}),)


def test_is_proven(k):
    verdict = k.verdict()
    assert verdict == "PROVEN"
    assert str(verdict.domain) == "all sets"
    assert k.normalize().verdict() == "PROVEN"
    assert (k + 1).exp().verdict() == "PROVEN"


def test_the_theorems_cited():
    assert "min-hash" in str(Jaccard().proof())
    assert "inner product of counts" in str(Intersection().proof())


def test_only_jaccard_has_a_positive_diagonal_everywhere():
    everything = Objects("sets")
    assert Jaccard().normalize().verdict(everything) == "PROVEN"
    with pytest.raises(NotProven, match=r"k₁\(x, x\) > 0"):
        Intersection().normalize().proof(everything)


def test_is_not_proven_where_it_is_not_defined(k):
    with pytest.raises(InputError, match="compares"):
        k.proof(Objects("strings"))
    with pytest.raises(InputError, match="compares sets"):
        k.verdict(Reals())


def test_printed_forms(k):
    assert eval(repr(k)) == k
    assert repr(k) in ("Intersection()", "Jaccard()")
    assert Intersection().latex == r"|x \cap x'|"
    assert Jaccard().latex == r"\frac{|x \cap x'|}{|x \cup x'|}"
    assert Intersection() != Jaccard()


def test_features(k):
    with pytest.raises(InfiniteDimensional):
        k.features()


def test_what_is_not_a_list_of_sets(k):
    with pytest.raises(InputError, match=r"list of sets.*X\[1\] is list \[2\]"):
        k([{1}, [2]])
    with pytest.raises(InputError, match=r"got one set; write \[X\]"):
        k({1, 2})
    with pytest.raises(InputError, match="Z must be a list of sets"):
        k([{1}], ["ab"])
    with pytest.raises(InputError, match="it was given vectors"):
        k(Points(np.ones((2, 2))))
    with pytest.raises(InputError, match="list of sets"):
        k(Points(("ab",)))


def test_tally_of_nothing():
    counts, parts = tally([[], ()])
    assert counts.shape == (2, 0)
    assert parts == []
