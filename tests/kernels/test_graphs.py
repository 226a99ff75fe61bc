"""Graphs and the Weisfeiler–Lehman kernel, against nested tuples and eyesight."""

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from kernellab.errors import InfiniteDimensional, InputError
from kernellab.kernels.graphs import WeisfeilerLehman
from kernellab.kernels.labelled_graph import Graph
from kernellab.kernels.minimum import Delta
from kernellab.kernels.points import Points
from kernellab.validity.domains import Objects, Reals

HEXAGON = Graph(6, [(i, (i + 1) % 6) for i in range(6)])
TRIANGLES = Graph(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)])
PATH = Graph(3, [(0, 1), (1, 2)])
WATER = Graph(3, [(0, 1), (1, 2)], labels="HOH")


def random_graph(rng, labels="CNO"):
    n = int(rng.integers(1, 8))
    edges = [(u, v) for u in range(n) for v in range(u) if rng.random() < 0.4]
    return Graph(n, edges, rng.choice(list(labels), size=n))


def relabelled(graph, order):
    """The same graph with its nodes in another order."""
    place = {int(old): new for new, old in enumerate(order)}
    edges = [(place[u], place[v]) for u, v in graph.edges]
    return Graph(graph.n, edges, [graph.labels[old] for old in order])


def slow_labels(graph, rounds):
    """Labels as nested tuples: nothing is compressed."""
    labels = [repr(label) for label in graph.labels]
    for _ in range(rounds):
        labels = [
            repr((labels[v], sorted(labels[w] for w in graph.neighbours[v])))
            for v in range(graph.n)
        ]
    return Counter(labels)


def slow(g, f, h):
    total = 0
    for rounds in range(h + 1):
        a, b = slow_labels(g, rounds), slow_labels(f, rounds)
        total += sum(a[label] * b[label] for label in a)
    return total


@pytest.fixture(scope="module")
def graphs():
    rng = np.random.default_rng(0)
    return [HEXAGON, TRIANGLES, PATH, WATER, *(random_graph(rng) for _ in range(20))]


@pytest.fixture(params=[0, 1, 2, 4])
def k(request):
    return WeisfeilerLehman(h=request.param)


# --- the kernel -----------------------------------------------------------------------


def test_agrees_with_the_definition(k, graphs):
    expected = [[slow(g, f, k.h) for f in graphs] for g in graphs]
    np.testing.assert_array_equal(k(graphs), expected)


def test_blocks_and_the_diagonal_agree(k, graphs):
    K = k(graphs)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_array_equal(k.diag(graphs), np.diag(K))
    np.testing.assert_array_equal(k(graphs, graphs), K)
    np.testing.assert_array_equal(k(graphs[5:], graphs[:7]), K[5:, :7])
    np.testing.assert_array_equal(k(graphs[::-1])[::-1, ::-1], K)


def test_is_positive_semidefinite(k, graphs):
    eigenvalues = np.linalg.eigvalsh(k(graphs))
    assert eigenvalues[0] >= -1e-10 * eigenvalues[-1]


def test_several_tiles(k):
    rng = np.random.default_rng(1)
    graphs = [random_graph(rng) for _ in range(270)]
    K = k(graphs)
    for i, j in rng.integers(0, 270, size=(20, 2)):
        assert K[i, j] == slow(graphs[i], graphs[j], k.h)


def test_no_points(k):
    assert k([]).shape == (0, 0)
    assert k([PATH], []).shape == (1, 0)
    assert k.diag([]).shape == (0,)


def test_by_hand():
    # Round 0: 3 equal labels each. Round 1: the path has two ends and a middle, the
    # triangle three nodes like the middle.
    triangle = Graph(3, [(0, 1), (1, 2), (0, 2)])
    K = WeisfeilerLehman(h=1)([PATH, triangle])
    np.testing.assert_array_equal(K, [[9 + 5, 9 + 3], [9 + 3, 9 + 9]])


def test_one_node():
    K = WeisfeilerLehman(h=3)([Graph(1), Graph(1, labels=["C"]), Graph(2)])
    np.testing.assert_array_equal(K, [[4, 0, 8], [0, 4, 0], [8, 0, 16]])


def test_the_order_of_the_nodes_does_not_matter(k, graphs):
    rng = np.random.default_rng(2)
    shuffled = [relabelled(g, rng.permutation(g.n)) for g in graphs]
    np.testing.assert_array_equal(k(shuffled), k(graphs))
    np.testing.assert_array_equal(k(shuffled, graphs), k(graphs))


def test_the_hash_seed_does_not_matter():
    program = (
        "from kernellab.kernels.graphs import Graph, WeisfeilerLehman;"
        "g = Graph(4, [(0, 1), (1, 2), (2, 3)], ['tea', 'milk', 'tea', 'rice']);"
        "f = Graph(3, [(0, 1), (1, 2)], ['milk', 'tea', 'rice']);"
        "K = WeisfeilerLehman(h=2)([g, f], [f, g]).tolist()"
    )
    here: dict[str, object] = {}
    exec(program, here)
    there = subprocess.run(
        [sys.executable, "-c", f"{program}; print(K)"],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.strip() == str(here["K"])


def test_graphs_that_it_separates():
    path = Graph(4, [(0, 1), (1, 2), (2, 3)])
    star = Graph(4, [(0, 1), (0, 2), (0, 3)])
    assert np.ptp(WeisfeilerLehman(h=0)([path, star])) == 0
    K = WeisfeilerLehman(h=1)([path, star])
    assert K[0, 0] + K[1, 1] - 2 * K[0, 1] > 0  # ‖φ(path) − φ(star)‖² > 0


def test_graphs_that_it_cannot_separate():
    """In a hexagon and in two triangles every node has two neighbours alike."""
    K = WeisfeilerLehman(h=10)([HEXAGON, TRIANGLES])
    np.testing.assert_array_equal(K, np.full((2, 2), 11 * 36.0))
    assert HEXAGON != TRIANGLES


def test_labels_can_look_like_refined_labels():
    """A label that is itself a tuple is not taken for a pair made by refinement."""
    g = Graph(2, [(0, 1)], labels=[0, (0, (1,))])
    f = Graph(2, [(0, 1)], labels=[1, (1, (0,))])
    for graph in (g, f):
        assert WeisfeilerLehman(h=2)([graph])[0, 0] == slow(graph, graph, 2)
    assert WeisfeilerLehman(h=2)([g], [f]) == [[0.0]]


def test_in_expressions(graphs):
    k = 2 * WeisfeilerLehman(h=1).normalize() + Delta()
    K = WeisfeilerLehman(h=1)(graphs)
    cosine = K / np.sqrt(np.outer(np.diag(K), np.diag(K)))
    same = np.array([[g == f for f in graphs] for g in graphs])
    np.testing.assert_allclose(k(graphs), 2 * cosine + same, rtol=1e-14)


def test_is_proven(k):
    assert k.verdict() == "PROVEN"
    assert str(k.verdict().domain) == "all graphs"
    assert k.normalize().verdict(Objects("graphs")) == "PROVEN"
    assert (2 * k.normalize() + Delta()).verdict() == "PROVEN"
    assert "inner product of counts" in str(k.proof())


def test_is_not_proven_where_it_is_not_defined(k):
    with pytest.raises(InputError, match="compares"):
        k.proof(Objects("sets"))
    with pytest.raises(InputError, match="compares graphs"):
        k.verdict(Reals())


def test_printed_forms(k):
    assert eval(repr(k)) == k
    assert repr(WeisfeilerLehman()) == "WeisfeilerLehman(h=2)"
    assert r"\sum_{i=0}^{2}" in WeisfeilerLehman().latex


def test_features(k):
    with pytest.raises(InfiniteDimensional, match="infinitely many"):
        k.features()


@pytest.mark.parametrize("h", [-1, 1.5, "2", True, None])
def test_rounds_must_be_a_natural_number(h):
    with pytest.raises(InputError, match="the number of rounds h"):
        WeisfeilerLehman(h=h)


def test_what_is_not_a_list_of_graphs(k):
    with pytest.raises(InputError, match=r"list of graphs.*X\[0\] is str 'a'"):
        k(["a"])
    with pytest.raises(InputError, match="list of length one"):
        k(PATH)
    with pytest.raises(InputError, match="it was given vectors"):
        k(Points(np.ones((2, 2))))
    with pytest.raises(InputError, match="list of graphs"):
        k(Points((frozenset(),)))


# --- graphs ---------------------------------------------------------------------------


def test_an_edge_counts_once():
    assert Graph(3, [(1, 0), (0, 1), (1, 2)]) == Graph(3, [(2, 1), (0, 1)])
    assert hash(Graph(2, [(1, 0)])) == hash(Graph(2, ((0, 1),)))
    assert PATH.edges == ((0, 1), (1, 2))
    assert PATH.neighbours == ((1,), (0, 2), (1,))


def test_equality_is_node_by_node():
    assert Graph(3, [(0, 1)]) != Graph(3, [(1, 2)])
    assert PATH != WATER
    assert Graph(3, [(0, 1), (1, 2)], labels=(0, 0, 0)) == PATH


def test_repr_of_a_graph():
    for graph in (Graph(1), PATH, WATER, Graph(2, labels=np.array([3, 4]))):
        assert eval(repr(graph)) == graph
    assert repr(Graph(2, labels=np.array([3, 4]))) == (
        "Graph(n=2, edges=(), labels=(3, 4))"
    )


def test_is_immutable():
    with pytest.raises(AttributeError):
        PATH.n = 4


def test_from_adjacency():
    A = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    for matrix in (A, A.astype(bool), A.astype(float), A.tolist()):
        assert Graph.from_adjacency(matrix) == PATH
    assert Graph.from_adjacency(A, labels="HOH") == WATER
    assert Graph.from_adjacency([[0]]) == Graph(1)


@pytest.mark.parametrize(
    ("A", "message"),
    [
        ([[0, 1]], "square"),
        ([0, 1], "square"),
        ([[0, 2], [2, 0]], "0 and 1 only"),
        ([[0, 1], [0, 0]], "symmetric"),
        ([[1, 0], [0, 0]], "no loops"),
        (np.zeros((0, 0)), "integer ≥ 1"),
    ],
)
def test_not_an_adjacency_matrix(A, message):
    with pytest.raises(InputError, match=message):
        Graph.from_adjacency(A)


def test_from_edges():
    edges = [("h1", "o"), ("o", "h2")]
    labels = {"h1": "H", "h2": "H", "o": "O"}
    assert Graph.from_edges(edges) == PATH
    assert Graph.from_edges(edges, labels) == WATER
    assert Graph.from_edges([], nodes="ab") == Graph(2)
    assert Graph.from_edges([("b", "a")], nodes="abc") == Graph(3, [(0, 1)])


def test_from_edges_errors():
    with pytest.raises(InputError, match="'o' has none"):
        Graph.from_edges([("h", "o")], {"h": "H"})
    with pytest.raises(InputError, match="integer ≥ 1"):
        Graph.from_edges([])
    with pytest.raises(InputError, match="pairs of names"):
        Graph.from_edges([1, 2])
    with pytest.raises(InputError, match="hashable"):
        Graph.from_edges([([1], [2])])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "the number of nodes n must be an integer ≥ 1"),
        ({"n": 2.5}, "the number of nodes n"),
        ({"n": 2, "edges": [(0, 2)]}, "the nodes are 0, …, 1"),
        ({"n": 2, "edges": [(0, -1)]}, "pair of nodes"),
        ({"n": 2, "edges": [(0, 1, 1)]}, "pair of nodes"),
        ({"n": 2, "edges": [0, 1]}, "pair of nodes"),
        ({"n": 2, "edges": 7}, "edges must be a list"),
        ({"n": 2, "edges": [(1, 1)]}, "no loops"),
        ({"n": 2, "labels": ["C"]}, "each of the 2 nodes, got 1"),
        ({"n": 1, "labels": [["C"]]}, "hashable"),
        ({"n": 1, "labels": 5}, "labels must be a list"),
    ],
)
def test_not_a_graph(arguments, message):
    with pytest.raises(InputError, match=message):
        Graph(**arguments)
