"""Functions of an RKHS: a vector space, its inner product, and what it reproduces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab import kernels as kl
from kernellab.errors import InputError, UndefinedValue
from kernellab.rkhs import Function, section

rng = np.random.default_rng(7)
X, Z, T = (rng.normal(size=(n, 2)) for n in (5, 4, 6))
WORDS = ["abba", "baab", "aabb", "b", "ab"]
VECTOR_KERNELS = [
    kl.Linear(),
    kl.Polynomial(degree=3, c=1.0),
    kl.Gaussian(sigma=0.8),
    2 * kl.Gaussian(sigma=(0.5, 2.0)) + kl.Linear() * kl.Laplacian(),
]
CASES = [
    *[(k, X, Z, T) for k in VECTOR_KERNELS],
    (kl.Spectrum(p=2), WORDS, ["abab", "bb", "aaa", "ba"], [*WORDS, "baba"]),
    (kl.Jaccard(), [{1}, {1, 2}, {2, 3}], [{1, 2, 3}, {3}], [{2}, {1, 3}, {4}]),
]
each_case = pytest.mark.parametrize(
    ("k", "points", "others", "tests"), CASES, ids=lambda x: str(x)[:25]
)
coefficients = st.lists(st.floats(-10, 10), min_size=5, max_size=5)


def pair(k, points, others):
    c = np.linspace(-1, 2, len(points))
    return Function(k, points, c), Function(k, others, np.cos(range(len(others))))


@each_case
def test_values_are_the_sum(k, points, others, tests):
    f, _ = pair(k, points, others)
    expected = k(tests, points) @ f.coefficients
    np.testing.assert_allclose(f(tests), expected, rtol=1e-13, atol=1e-13)


@each_case
def test_vector_space_operations_are_pointwise(k, points, others, tests):
    f, g = pair(k, points, others)
    for h, values in (
        (f + g, f(tests) + g(tests)),
        (f - g, f(tests) - g(tests)),
        (-f, -f(tests)),
        (3 * f, 3 * f(tests)),
        (f * np.float64(0.5), f(tests) / 2),
        (np.float64(0.5) * f, f(tests) / 2),
        (f / 4, f(tests) / 4),
    ):
        assert isinstance(h, Function)
        np.testing.assert_allclose(h(tests), values, rtol=1e-12, atol=1e-12)


@each_case
def test_reproducing_property(k, points, others, tests):
    f, _ = pair(k, points, others)
    for x, value in zip(tests, f(tests), strict=True):
        assert f @ section(k, x) == pytest.approx(value, rel=1e-12, abs=1e-12)
        assert section(k, x).inner(f) == pytest.approx(value, rel=1e-12, abs=1e-12)
        assert abs(value) <= f.norm() * np.sqrt(k.diag([x])[0]) * (1 + 1e-12)


@each_case
def test_inner_product_of_sections_is_the_kernel(k, points, others, tests):
    for x in points:
        for z in others:
            value = section(k, x) @ section(k, z)
            assert value == pytest.approx(k([x], [z])[0, 0], rel=1e-12)


@each_case
def test_inner_product_is_bilinear_and_symmetric(k, points, others, tests):
    f, g = pair(k, points, others)
    h = Function(k, tests, np.ones(len(tests)))
    assert f @ g == pytest.approx(g @ f, rel=1e-12)
    assert (2 * f - 3 * g) @ h == pytest.approx(2 * (f @ h) - 3 * (g @ h), rel=1e-10)
    assert abs(f @ g) <= f.norm() * g.norm() * (1 + 1e-12)
    assert f.norm() ** 2 == pytest.approx(f @ f, rel=1e-12)


@settings(max_examples=30)
@given(c=coefficients, d=coefficients)
def test_norm(c, d):
    k = kl.Gaussian()
    f, g = Function(k, X, c), Function(k, X, d)
    assert (f + g).norm() <= f.norm() + g.norm() + 1e-6
    parallelogram = 2 * f.norm() ** 2 + 2 * g.norm() ** 2
    assert (f + g).norm() ** 2 + (f - g).norm() ** 2 == pytest.approx(
        parallelogram, abs=1e-9
    )


def test_rkhs_of_the_linear_kernel():
    """P-39: f_w(x) = wᵀx has norm ‖w‖ (E3-20)."""
    f = Function(kl.Linear(), X, np.arange(5.0))
    w = X.T @ np.arange(5.0)
    np.testing.assert_allclose(f(T), T @ w)
    assert f.norm() == pytest.approx(np.linalg.norm(w))
    assert f.equals(section(kl.Linear(), w))


def test_equal_functions_with_other_coefficients():
    """E3-15: the inner product does not see how a function is written."""
    k = kl.Linear()
    f = section(k, [1.0, 0.0]) + section(k, [0.0, 1.0])
    g = section(k, [1.0, 1.0])
    assert f.equals(g)
    assert g.equals(f)
    assert not f.equals(g + 1e-9 * section(k, [1.0, 0.0]))
    assert len(f.coefficients) != len(g.coefficients)
    h = Function(k, Z, [1.0, 2.0, 3.0, 4.0])
    assert f @ h == pytest.approx(g @ h)


def test_a_repeated_point_can_be_merged():
    k = kl.Gaussian()
    twice = Function(k, [[0.0], [0.0]], [1.0, 2.0])
    assert twice.equals(Function(k, [[0.0]], [3.0]))
    assert (twice - twice).norm() == 0
    assert (twice - twice).equals(0 * twice)


def test_gaussian_sections_are_independent():
    """P-40: no function of distinct sections vanishes, unless c = 0."""
    k = kl.Gaussian(sigma=0.5)
    f = Function(k, X, [1.0, -1.0, 1.0, -1.0, 1.0])
    assert not f.equals(0 * f)
    assert f.norm() > 0.1


@each_case
def test_projection(k, points, others, tests):
    f, _ = pair(k, points, others)
    p = f.project(others)
    scale = f.norm() + 1
    for z in others:
        assert (f - p) @ section(k, z) == pytest.approx(0, abs=1e-9 * scale)
    assert p.norm() <= f.norm() * (1 + 1e-9)
    square = p.norm() ** 2 + (f - p).norm() ** 2
    assert square == pytest.approx(f.norm() ** 2, rel=1e-9)
    nearer = f - p
    g = Function(k, others, np.sin(range(len(others))))
    assert nearer.norm() <= (f - p - 0.01 * g).norm() + 1e-9


def test_projection_with_repeated_points():
    k = kl.Gaussian()
    f = Function(k, X, np.ones(5))
    once, twice = f.project(Z), f.project(np.vstack([Z, Z]))
    assert once.equals(twice, tol=1e-9)


def test_projection_on_a_larger_span_is_the_function_itself():
    f = Function(kl.Gaussian(), X, np.ones(5))
    assert f.project(np.vstack([X, Z])).equals(f, tol=1e-9)


def test_the_span_is_not_complete():
    """E3-16: Σ 2⁻ⁱ k(·, i) is a limit of the span, at a distance from each part."""
    k = kl.Gaussian()
    centres = np.arange(1.0, 26.0)[:, None]
    f = Function(k, centres, 0.5 ** centres[:, 0])
    tails = [(f - Function(k, centres[:m], f.coefficients[:m])).norm() for m in (1, 5)]
    np.testing.assert_allclose(tails, [3.738e-1, 2.336e-2], rtol=1e-3)
    distances = [(f - f.project(centres[:m])).norm() for m in (1, 3, 5)]
    np.testing.assert_allclose(distances, [3.33e-1, 7.97e-2, 1.98e-2], rtol=5e-3)


PARABOLA = kl.FromFunction(lambda x, z: 1 - (x[0] - z[0]) ** 2, "parabola")


def test_a_negative_square_is_refused():
    f = Function(PARABOLA, [[0.0], [2.0]], [1.0, 1.0])
    assert f @ f == -4
    with pytest.raises(UndefinedValue, match=r"-4 is negative.*k\.refute\(\)"):
        f.norm()
    with pytest.raises(UndefinedValue, match="negative"):
        section(-kl.Linear(), 1.0).norm()


def test_rounding_is_not_taken_for_a_negative_square():
    """A function that is zero, through sums that cancel in the last digits."""
    c = np.array([1.0, -2.0, 1.0])
    line = 1e3 + np.array([[0.1], [0.2], [0.3]])
    assert Function(kl.Linear(), line, c).norm() < 1e-4
    difference = kl.Gaussian() * 1e8 + kl.Linear() - kl.Gaussian() * 1e8
    assert Function(difference, [[0.0], [1e-9]], [1.0, -1.0]).norm() < 1e-3


def test_an_unsymmetric_function_is_refused():
    k = kl.FromFunction(lambda x, z: x[0] + 2 * z[0], "skew")
    with pytest.raises(UndefinedValue, match="not symmetric"):
        section(k, 1.0) @ section(k, 3.0)


def test_different_kernels_do_not_mix():
    f, g = section(kl.Gaussian(sigma=1.0), 0.0), section(kl.Gaussian(sigma=2.0), 0.0)
    for combine in (
        lambda: f + g,
        lambda: f - g,
        lambda: f @ g,
        lambda: f.equals(g),
    ):
        with pytest.raises(InputError, match=r"different spaces.*sigma=1.0.*sigma=2.0"):
            combine()
    assert f.equals(section(kl.Gaussian(sigma=1), 0.0))


def test_different_dimensions_do_not_mix():
    f, g = section(kl.Gaussian(), 0.0), section(kl.Gaussian(), [0.0, 1.0])
    with pytest.raises(InputError, match="1 and 2 coordinates"):
        f + g
    with pytest.raises(InputError, match="same number of columns"):
        f @ g


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (lambda: Function("k", X, np.ones(5)), TypeError, "needs its kernel"),
        (lambda: Function(kl.Linear(), X, [1.0]), InputError, r"shape \(5,\)"),
        (lambda: Function(kl.Linear(), X, 1.0), InputError, r"got shape \(\)"),
        (
            lambda: Function(kl.Linear(), X, [1, 2, np.nan, 4, 5]),
            InputError,
            "finite",
        ),
        (lambda: Function(kl.Linear(), [[np.nan]], [1.0]), InputError, "finite"),
        (lambda: Function(kl.Linear(), [1.0], [1.0]), InputError, r"shape \(n, d\)"),
        (lambda: section(kl.Linear(), [[1.0]]), InputError, "one point"),
        (lambda: section("k", 1.0), TypeError, "a kernel and a point"),
        (lambda: section(kl.Spectrum(p=2), 3), InputError, "strings"),
        (lambda: section(kl.Linear(), 1.0) * np.nan, InputError, "factor"),
        (lambda: section(kl.Linear(), 1.0) / 0, InputError, "divided by 0"),
        (
            lambda: section(kl.Linear(), 1.0) * section(kl.Linear(), 1.0),
            TypeError,
            "f @ g",
        ),
        (lambda: section(kl.Linear(), 1.0) + 1, TypeError, "function of the same"),
        (lambda: section(kl.Linear(), 1.0) - 1, TypeError, "function of the same"),
        (lambda: section(kl.Linear(), 1.0) @ 1, TypeError, "function of the same"),
    ],
)
def test_wrong_inputs(build, error, message):
    with pytest.raises(error, match=message):
        build()


def test_no_points_is_the_zero_function():
    zero = Function(kl.Gaussian(), np.empty((0, 2)), [])
    np.testing.assert_array_equal(zero(X), np.zeros(5))
    assert zero.norm() == 0
    f = section(kl.Gaussian(), [0.0, 1.0])
    assert (f + zero).equals(f)


def test_kernels_on_anything():
    assert section(kl.Constant(2.0), 1.0)([[5.0]]) == 2
    assert section(kl.Constant(2.0), "word")(["other"]) == 2


def test_later_changes_of_an_array_change_nothing():
    c = np.ones(5)
    f = Function(kl.Linear(), X, c)
    c[:] = 0
    assert f.norm() > 0


@pytest.mark.parametrize(
    ("f", "text"),
    [
        (section(kl.Linear(), 1.5), "k(·, 3/2) with k = Linear()"),
        (-section(kl.Linear(), 0.0), "− k(·, 0) with k = Linear()"),
        (
            2.5 * section(kl.Linear(), [1.0, 2.0]) - section(kl.Linear(), [0.0, 0.1]),
            "5/2 k(·, (1, 2)) − k(·, (0, 1/10)) with k = Linear()",
        ),
        (
            Function(kl.Linear(), np.arange(6.0)[:, None], np.ones(6)),
            "k(·, 0) + k(·, 1) + k(·, 2) + k(·, 3) + … (2 more) with k = Linear()",
        ),
        (section(kl.Spectrum(p=2), "ab"), "k(·, 'ab') with k = Spectrum(p=2)"),
        (Function(kl.Linear(), np.empty((0, 1)), []), "0 with k = Linear()"),
    ],
)
def test_printing(f, text):
    assert repr(f) == text
