"""What every kernel promises, whoever wrote it. The kernels are in samples.py."""

import inspect
import pickle
import re
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from kernellab import kernels
from kernellab.errors import InfiniteDimensional, NoFeatureMap, NotProven
from kernellab.kernels import Kernel
from kernellab.kernels.gram import TILE, RowRequest
from kernellab.kernels.proving.data_domain import is_proven_at
from tests.contract.samples import FINITE, INFINITE, SAMPLES, Sample


def sampled(samples):
    """The first sample of each class for every run, the rest for `make test-all`."""
    first = {type(s.kernel): s for s in reversed(samples)}.values()
    rest = pytest.mark.exhaustive
    return [pytest.param(s, marks=[] if s in first else [rest]) for s in samples]


every_sample = pytest.mark.parametrize("sample", sampled(SAMPLES), ids=str)


def draw(sample: Sample, n: int, seed: int = 0):
    return sample.points(np.random.default_rng(seed), n)


def vectors(sample: Sample, n: int = 7) -> np.ndarray | None:
    """Points, if they are vectors."""
    X = draw(sample, n)
    return X if isinstance(X, np.ndarray) else None


def assert_same(actual, expected, tol: float) -> None:
    """Equal up to `tol` times the largest entry, and in shape."""
    assert actual.shape == expected.shape
    size = np.abs(expected).max(initial=0)
    np.testing.assert_allclose(actual, expected, rtol=tol, atol=tol * size)


on_vectors = pytest.mark.parametrize(
    "sample", sampled([s for s in SAMPLES if vectors(s) is not None]), ids=str
)


# --- who is here --------------------------------------------------------------------


def exported() -> list[type[Kernel]]:
    found = (getattr(kernels, name) for name in kernels.__all__)
    return [
        thing
        for thing in found
        if inspect.isclass(thing)
        and issubclass(thing, Kernel)
        and not inspect.isabstract(thing)
    ]


@pytest.mark.parametrize("kind", exported(), ids=lambda kind: kind.__name__)
def test_has_a_sample(kind):
    assert any(type(sample.kernel) is kind for sample in SAMPLES), (
        f"kernellab.kernels exports {kind.__name__}, but the contract has no sample "
        f"of it: add Sample({kind.__name__}(...), points) to SAMPLES in "
        "tests/contract/samples.py, and nowhere else"
    )


def test_the_search_for_exported_kernels_finds_them():
    assert {kernels.Gaussian, kernels.Sum, kernels.FromFunction} <= set(exported())


# --- values -------------------------------------------------------------------------


@every_sample
def test_symmetric_to_the_last_bit(sample):
    if not sample.kernel.symmetric:
        K = sample.kernel(draw(sample, 7))
        assert not sample.proven
        assert K.shape == (7, 7)
        return
    for n in (7, sample.many):
        K = sample.kernel(draw(sample, n))
        np.testing.assert_array_equal(K, K.T)


@every_sample
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_square_block_is_the_block_of_x_and_x(sample, n):
    X = draw(sample, max(n, 1))[:n]
    K = sample.kernel(X)
    assert K.shape == (n, n)
    assert K.dtype == np.float64
    assert_same(sample.kernel(X, X), K, sample.tol)


@every_sample
def test_large_square_block_is_the_block_of_x_and_x(sample):
    X = draw(sample, sample.many)
    assert_same(sample.kernel(X, X), sample.kernel(X), sample.tol)


@every_sample
def test_blocks_agree_with_those_of_the_whole(sample):
    n = sample.many
    X = draw(sample, n)
    K = sample.kernel(X)
    rows = [slice(0, 1), slice(n // 3, n // 3 + 5), slice(n - 50, n), slice(3, 3)]
    for a in rows:
        for b in [*rows, slice(0, n)]:
            assert_same(sample.kernel(X[a], X[b]), K[a, b], sample.tol)


def row_writer(sample: Sample, X, dtype=np.float64):
    points = sample.kernel.read_points(X, "X")
    return sample.kernel.row_writer(RowRequest(points, None, dtype, 1e-6))


@pytest.mark.parametrize(
    "sample", [s for s in SAMPLES if row_writer(s, draw(s, 7))], ids=str
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_row_writer_writes_rows_of_the_gram_matrix(sample, dtype):
    X = draw(sample, 7)
    K, write, rows = sample.kernel(X), row_writer(sample, X, dtype), np.empty((7, 7))
    for p in range(7):
        row = np.empty(7, dtype)
        write(p, row)
        rows[p] = row
    assert_same(rows, K, 4e-6 if dtype == np.float32 else 1e-12)


@every_sample
@pytest.mark.parametrize("n", [0, 1, 5, TILE, TILE + 1])
def test_diag_is_the_diagonal(sample, n):
    n = min(n, sample.many)
    X = draw(sample, max(n, 1))[:n]
    assert_same(sample.kernel.diag(X), np.diag(sample.kernel(X)), sample.tol)


@on_vectors
def test_layout_and_type_of_the_array_do_not_matter(sample):
    X = vectors(sample, 9)
    K = sample.kernel(X)
    twice = np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)
    for same in (
        X.astype(np.float32),
        X.tolist(),
        tuple(map(tuple, X)),
        np.asfortranarray(X),
        twice[::2, ::2],
        X[::-1].copy()[::-1],
    ):
        assert_same(sample.kernel(same), K, sample.tol)
        assert_same(sample.kernel(X, same), K, sample.tol)
        assert_same(sample.kernel.diag(same), np.diag(K), sample.tol)


@on_vectors
def test_integers_are_numbers(sample):
    whole = np.rint(vectors(sample, 9))
    whole[~whole.any(axis=1)] = 1  # a normalised kernel may have no value at 0
    assert_same(sample.kernel(whole.astype(int)), sample.kernel(whole), sample.tol)


@on_vectors
def test_inputs_are_not_modified(sample):
    X, Z = vectors(sample, 5), vectors(sample, 4)
    G = np.random.default_rng(1).normal(size=(5, 5))
    before = [X.copy(), Z.copy(), G.copy()]
    for array in (X, Z, G):
        array.flags.writeable = False
    sample.kernel(X)
    sample.kernel(X, Z)
    sample.kernel.diag(X)
    sample.kernel.vjp(X, G)
    for array, old in zip((X, Z, G), before, strict=True):
        np.testing.assert_array_equal(array, old)


@every_sample
def test_values_belong_to_the_caller(sample):
    X = draw(sample, 4)
    first = sample.kernel(X)
    kept = first.copy()
    first[:] = np.pi
    np.testing.assert_array_equal(sample.kernel(X), kept)


# --- hyperparameters ----------------------------------------------------------------


@every_sample
def test_theta_its_names_and_its_gradient_have_one_length(sample):
    k = sample.kernel
    G = np.ones((3, 3))
    p = len(k.theta_names)
    assert k.theta.shape == k.vjp(draw(sample, 3), G).shape == (p,)
    assert len(set(k.theta_names)) == p
    assert k.vjp(draw(sample, 1)[:0], np.empty((0, 0))).shape == (p,)


@every_sample
def test_theta_round_trip(sample):
    k = sample.kernel
    assert k.with_theta(k.theta) == k
    moved = k.with_theta(k.theta + 0.25)
    np.testing.assert_allclose(moved.theta, k.theta + 0.25, rtol=1e-14)
    assert (moved == k) == (len(k.theta) == 0)
    assert moved.theta_names == k.theta_names


@every_sample
@pytest.mark.parametrize("n", [1, 6, TILE + 4])
def test_vjp_against_differences(sample, n):
    if n > sample.many:
        n = sample.many
    k, X = sample.kernel, draw(sample, n)
    G = np.random.default_rng(1).normal(size=(n, n))
    gradient = k.vjp(X, G)
    h = 1e-5
    for j, step in enumerate(h * np.eye(len(gradient))):
        above, below = k.with_theta(k.theta + step)(X), k.with_theta(k.theta - step)(X)
        slope = np.vdot(G, above - below) / (2 * h)
        size = np.abs(above).max() * n + abs(slope)
        assert abs(gradient[j] - slope) <= 1e-7 * size, k.theta_names[j]


# --- features -----------------------------------------------------------------------


@every_sample
def test_features_reproduce_the_kernel_or_say_why_not(sample):
    k = sample.kernel
    if sample.features != FINITE:
        with pytest.raises(NoFeatureMap) as caught:
            k.features()
        infinite = isinstance(caught.value, InfiniteDimensional)
        assert infinite == (sample.features == INFINITE)
        assert len(str(caught.value)) > 40
        return
    phi = k.features()
    X, Z = draw(sample, 9), draw(sample, 6, seed=1)
    assert_same(phi(X) @ phi(Z).T, k(X, Z), 1e-11)
    if isinstance(X, np.ndarray):
        assert len(phi.labels(X.shape[1])) == phi(X).shape[1]
        assert phi(X[:0]).shape == (0, phi(X).shape[1])


# --- printing -----------------------------------------------------------------------


@every_sample
def test_repr_round_trip(sample):
    assert eval(repr(sample.kernel), vars(kernels) | sample.names) == sample.kernel


@every_sample
def test_latex_is_well_formed(sample):
    formula = sample.kernel.latex
    assert formula.strip()
    assert formula.count(r"\left") == formula.count(r"\right")
    check_scripts(formula)
    assert sample.kernel._repr_latex_() == f"$k(x, x') = {formula}$"


def check_scripts(formula: str) -> None:
    """Balanced braces; no second index or exponent on the same symbol."""
    tokens = re.findall(r"\\[A-Za-z]+|\\.|\S", formula)
    rest = group(tokens)
    assert not rest, f"a closing brace too many: {formula}"


def group(tokens: list[str]) -> list[str]:
    """Read up to the closing brace or the end; return what is left after it."""
    scripts: set[str] = set()
    while tokens:
        head, tokens = tokens[0], tokens[1:]
        if head == "}":
            return ["}", *tokens]
        if head in "_^":
            assert head not in scripts, f"a second {head} before {tokens}"
            assert tokens, "a script without an argument"
            scripts.add(head)
            head, tokens = tokens[0], tokens[1:]
            assert head not in ("_", "^", "}", "'"), "a script without an argument"
        elif head == "'":
            assert "^" not in scripts, f"a prime after an exponent, before {tokens}"
            if tokens[:1] != ["^"]:
                scripts.add("^")  # TeX joins a prime with an exponent right after it
            continue
        else:
            scripts = set()
        if head == "{":
            tokens = group(tokens)
            assert tokens[:1] == ["}"], "a brace was not closed"
            tokens = tokens[1:]
    return []


@pytest.mark.parametrize("bad", ["x_a_b", "x^2^3", "x'_1^2", "{x", "x}", "x^", "a^{b"])
def test_the_latex_check_sees_mistakes(bad):
    with pytest.raises(AssertionError):
        check_scripts(bad)


@pytest.mark.parametrize("good", ["x_a^b", "{x_a}_b", "x'^2", "{x'_1}^2", r"\|x\|_1"])
def test_the_latex_check_lets_pass_what_is_right(good):
    check_scripts(good)


# --- an expression is a value -------------------------------------------------------


@every_sample
def test_equality_and_hash(sample):
    k = sample.kernel
    twin = eval(repr(k), vars(kernels) | sample.names)
    assert twin == k
    assert hash(twin) == hash(k)
    assert k != kernels.Scale(0.123, k)
    assert k != repr(k)
    assert len({k, twin, k + 1}) == 2


@every_sample
def test_immutable(sample):
    k = sample.kernel
    before = repr(k)
    for name in [f.name for f in fields(k)] + ["something_new"]:
        with pytest.raises(FrozenInstanceError):
            setattr(k, name, 1.0)
    k.theta[:] = 0
    assert repr(k) == before


@every_sample
def test_pickles(sample):
    if not sample.pickles:
        with pytest.raises((pickle.PicklingError, AttributeError)):
            pickle.dumps(sample.kernel)
        return
    twin = pickle.loads(pickle.dumps(sample.kernel))
    assert twin == sample.kernel
    X = draw(sample, 5)
    np.testing.assert_array_equal(twin(X), sample.kernel(X))


# --- validity -----------------------------------------------------------------------


@every_sample
def test_proven_or_not(sample):
    if sample.proven:
        assert sample.kernel.verdict() == "PROVEN"
        return
    with pytest.raises(NotProven) as caught:
        sample.kernel.proof()
    assert len(str(caught.value)) > 40


@pytest.mark.parametrize("sample", sampled([s for s in SAMPLES if s.proven]), ids=str)
def test_proven_means_no_negative_eigenvalue(sample):
    for n in (1, 5, 60):
        K = sample.kernel(draw(sample, min(n, sample.many)))
        values = np.linalg.eigvalsh(K)
        assert values[0] >= -1e-10 * max(abs(values[-1]), np.abs(K).max())


@pytest.mark.parametrize("sample", sampled([s for s in SAMPLES if s.proven]), ids=str)
def test_proven_means_proven_where_the_points_are(sample):
    assert is_proven_at(sample.kernel, sample.kernel.read_points(draw(sample, 5), "X"))
