"""The operators: what they build, and how it is written down."""

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.kernels import Constant, Power, Product, Quotient, Scale, Sum

a, b, c = kl.Gaussian(sigma=0.5), kl.Linear(), kl.Laplacian(sigma=2.0)
X = np.array([[0.5, -1.0], [1.5, 0.25], [-0.75, 2.0]])
A, B, C = a(X), b(X), c(X)


# --- sums ---------------------------------------------------------------------------


def test_zero_plus_k_is_k():
    for zero in (0, 0.0, -0.0, np.float64(0), np.int64(0), np.array(0.0)):
        assert zero + a is a
        assert a + zero is a
        assert a - zero is a


def test_sum_of_a_list():
    assert sum([a, b, c]) == a + b + c
    assert sum([a]) is a


def test_sums_flatten():
    flat = Sum((a, b, c, Constant(1.0)))
    assert (a + b) + (c + 1) == flat
    assert a + (b + (c + 1)) == flat
    assert Sum((a, Sum((b, c)), 1.0)) == flat


def test_products_flatten():
    assert (a * b) * c == a * (b * c) == Product((a, b, c))


def test_sum_and_product_are_different():
    """A public library once computed (a+b)*c as a*b*c."""
    np.testing.assert_allclose(((a + b) * c)(X), (A + B) * C, rtol=1e-13)
    np.testing.assert_allclose((a + b * c)(X), A + B * C, rtol=1e-13)
    assert (a + b) * c != a + b * c


def test_differences():
    assert a - a == Sum((a, Scale(-1.0, a)))
    np.testing.assert_array_equal((a - a)(X), 0)
    np.testing.assert_allclose((a - (b - c))(X), A - (B - C), atol=1e-13)
    np.testing.assert_allclose((a - b - c)(X), A - B - C, atol=1e-13)
    np.testing.assert_allclose((2 - a)(X), 2 - A)
    np.testing.assert_allclose((a - 2)(X), A - 2)


# --- numbers ------------------------------------------------------------------------

TWO = [2, 2.0, np.float64(2), np.float32(2), np.int64(2), np.array(2.0)]
TWO += [np.array([2.0])[0], np.array(2.0)[()], np.array([[2.0]])]


@pytest.mark.parametrize("two", TWO, ids=lambda two: f"{type(two).__name__} {two}")
def test_a_number_on_either_side(two):
    for k in (two * a, a * two):
        assert k == Scale(2.0, a)
        assert type(k.c) is float
    assert two + a == Sum((Constant(2.0), a))
    assert a + two == Sum((a, Constant(2.0)))
    assert two - a == Sum((Constant(2.0), Scale(-1.0, a)))
    assert a - two == Sum((a, Constant(-2.0)))
    assert a / two == Scale(0.5, a)
    assert two / a == Quotient(Constant(2.0), a)
    assert a**two == Power(a, 2)


WRONG = [np.array([1, 2]), [1.0, 2.0], "2", None, 1j, np.complex128(1), object(), X]


@pytest.mark.parametrize("thing", WRONG, ids=lambda thing: type(thing).__name__)
def test_what_is_not_a_number_is_refused(thing):
    for operation in (
        lambda: thing * a,
        lambda: a * thing,
        lambda: thing + a,
        lambda: a + thing,
        lambda: thing - a,
        lambda: a - thing,
        lambda: thing / a,
        lambda: a / thing,
    ):
        with pytest.raises(TypeError, match="number"):
            operation()
    with pytest.raises(ValueError, match="exponent must be"):
        a**thing


def test_an_array_is_told_what_to_do():
    with pytest.raises(TypeError, match=r"k\.weighted\(f\).*sigma="):
        np.array([1, 2]) * a


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, True])
def test_factors_are_finite_numbers(bad):
    with pytest.raises(TypeError, match="finite"):
        bad * a
    with pytest.raises(ValueError, match="finite"):
        a**bad


def test_division_by_zero():
    for zero in (0, 0.0, np.array(0.0)):
        with pytest.raises(ValueError, match="divided by 0"):
            a / zero


def test_multiples_of_multiples():
    assert 2 * (3 * a) == 6 * a
    minus = -a
    assert -minus == Scale(1.0, a)
    assert -(2 * a) == -2 * a
    assert (a / 4) * 2 == 0.5 * a


def test_unary_and_powers():
    np.testing.assert_array_equal((-a)(X), -A)
    np.testing.assert_allclose((1 / a)(X), 1 / A)
    np.testing.assert_allclose((a / (b + 9))(X), A / (B + 9))
    np.testing.assert_allclose((a**2.5)(X), A**2.5)
    np.testing.assert_allclose((a**-1)(X), 1 / A)
    np.testing.assert_allclose(kl.sqrt(a)(X), np.sqrt(A))
    np.testing.assert_array_equal((b**0)(X), 1)
    assert type((a**2.0).exponent) is int
    assert type((a**2.5).exponent) is float


@pytest.mark.parametrize("p", [1, 2, 3, 5, 7, 16, 63, 64, 65, 100])
def test_integer_powers(p):
    np.testing.assert_allclose(((b + 0.5) ** p)(X), (B + 0.5) ** p, rtol=1e-13)


def test_functions():
    np.testing.assert_allclose(kl.exp(b)(X), np.exp(B))
    np.testing.assert_allclose(b.exp()(X), np.exp(B))
    np.testing.assert_allclose(kl.tanh(b)(X), np.tanh(B))
    d = np.sqrt(np.diag(B))
    np.testing.assert_allclose(kl.normalize(b)(X), B / np.outer(d, d))
    np.testing.assert_allclose(b.polynomial((1, 2, 3))(X), 1 + 2 * B + 3 * B**2)
    np.testing.assert_allclose(b.polynomial([5])(X), np.full((3, 3), 5.0))


@pytest.mark.parametrize("function", [kl.exp, kl.tanh, kl.sqrt, kl.normalize])
def test_functions_take_kernels(function):
    with pytest.raises(TypeError, match="takes a kernel"):
        function(3.0)


@pytest.mark.parametrize(
    "build",
    [
        lambda: kl.Exp(3),
        lambda: kl.Tanh("k"),
        lambda: kl.Normalized(None),
        lambda: Scale(2.0, 3),
        lambda: Power(3, 2),
        lambda: Quotient(1.0, a),
        lambda: Quotient(a, 2.0),
        lambda: kl.PolynomialOf(3, (1, 2)),
        lambda: kl.Weighted(3, np.cos),
        lambda: kl.Pullback(3, np.cos),
        lambda: kl.OnColumns(3, (0,)),
    ],
)
def test_parts_are_kernels(build):
    with pytest.raises(TypeError, match="made of kernels"):
        build()


@pytest.mark.parametrize("parts", [(), (a,), a])
@pytest.mark.parametrize("kind", [Sum, Product])
def test_two_parts_at_least(kind, parts):
    with pytest.raises(ValueError, match="at least two"):
        kind(parts)


def test_kernels_that_take_anything_combine():
    k = kl.FromFeatures(len) + kl.Delta()
    assert k(["ab", "c"]).tolist() == [[5, 2], [2, 2]]


# --- printing -----------------------------------------------------------------------

G, L, P = "Gaussian(sigma=0.5)", "Linear()", "Laplacian(sigma=2.0)"

PRINTED = [
    (a, G),
    (a + b, f"{G} + {L}"),
    (a + b + 1, f"{G} + {L} + 1.0"),
    (1 + a, f"1.0 + {G}"),
    (a + 1 + 2, f"{G} + 1.0 + 2.0"),
    (a - 1, f"{G} - 1.0"),
    (1 - a, f"1.0 - {G}"),
    (a - b, f"{G} - {L}"),
    (a - (b - c), f"{G} - ({L} - {P})"),
    (a - b - c, f"{G} - {L} - {P}"),
    (a - (b + c), f"{G} - ({L} + {P})"),
    (a - b * c, f"{G} - {L} * {P}"),
    (a - b / c, f"{G} - {L} / {P}"),
    (a - b**2, f"{G} - {L} ** 2"),
    (a - 2 * b, f"{G} - 2.0 * {L}"),
    (a - 2 * (b * c), f"{G} - 2.0 * ({L} * {P})"),
    (a - (2 * b) * c, f"{G} - 2.0 * {L} * {P}"),
    (a + (-b) * c, f"{G} + -{L} * {P}"),
    (a - 2 * (b + c), f"{G} - 2.0 * ({L} + {P})"),
    (-a, f"-{G}"),
    (-a + b, f"-{G} + {L}"),
    (-(a + b), f"-({G} + {L})"),
    (-(a - b) - c, f"-({G} - {L}) - {P}"),
    (-(a * b), f"-({G} * {L})"),
    ((-a) * b, f"-{G} * {L}"),
    (a * (-b), f"{G} * (-{L})"),
    (-(a**2), f"-{G} ** 2"),
    ((-a) ** 2, f"(-{G}) ** 2"),
    (-(a / b), f"-({G} / {L})"),
    ((-a) / b, f"-{G} / {L}"),
    (a / (-b), f"{G} / (-{L})"),
    (-2 * a, f"-2.0 * {G}"),
    (-2 * (a * b), f"-2.0 * ({G} * {L})"),
    ((-2 * a) * b, f"-2.0 * {G} * {L}"),
    (a * (-2 * b), f"{G} * (-2.0 * {L})"),
    (2 * a * b, f"2.0 * {G} * {L}"),
    (2 * (a * b), f"2.0 * ({G} * {L})"),
    (a * (2 * b), f"{G} * (2.0 * {L})"),
    ((a + b) * c, f"({G} + {L}) * {P}"),
    (a * (b + c), f"{G} * ({L} + {P})"),
    (a * b + c, f"{G} * {L} + {P}"),
    (2 * (a + b), f"2.0 * ({G} + {L})"),
    ((2 * a) ** 2, f"(2.0 * {G}) ** 2"),
    (2 * a**2, f"2.0 * {G} ** 2"),
    ((a * b) ** 2, f"({G} * {L}) ** 2"),
    (a * b**2, f"{G} * {L} ** 2"),
    ((a**2) ** 3, f"({G} ** 2) ** 3"),
    (a**2.5, f"{G} ** 2.5"),
    (a**-1, f"{G} ** -1"),
    ((a + b) ** 2, f"({G} + {L}) ** 2"),
    (a / b, f"{G} / {L}"),
    (1 / a, f"1.0 / {G}"),
    (a / 2, f"0.5 * {G}"),
    (a / (b * c), f"{G} / ({L} * {P})"),
    ((a / b) * c, f"{G} / {L} * {P}"),
    (a * (b / c), f"{G} * ({L} / {P})"),
    ((a / b) / c, f"{G} / {L} / {P}"),
    (a / (b / c), f"{G} / ({L} / {P})"),
    (2 * (a / b), f"2.0 * ({G} / {L})"),
    ((2 * a) / b, f"2.0 * {G} / {L}"),
    ((a + b) / (b + c), f"({G} + {L}) / ({L} + {P})"),
    (a / b**2, f"{G} / {L} ** 2"),
    ((a / b) ** 2, f"({G} / {L}) ** 2"),
    (Constant(2.0), "Constant(c=2.0)"),
    (Constant(2.0) + Constant(3.0), "Constant(c=2.0) + 3.0"),
    (Constant(2.0) - 3, "Constant(c=2.0) - 3.0"),
    (Constant(-2.0) + a, f"Constant(c=-2.0) + {G}"),
    (Constant(0.0) + a, f"Constant(c=0.0) + {G}"),
    (a + Constant(0.0), f"{G} + Constant(c=0.0)"),
    (Constant(2.0) * a, f"Constant(c=2.0) * {G}"),
    (2 * Constant(3.0), "2.0 * Constant(c=3.0)"),
    (a - 2 * Constant(3.0), f"{G} - 2.0 * Constant(c=3.0)"),
    (-Constant(2.0), "-Constant(c=2.0)"),
    (a - Constant(2.0), f"{G} - Constant(c=2.0)"),
    (Constant(1.0) / Constant(2.0), "Constant(c=1.0) / Constant(c=2.0)"),
    (Constant(-1.0) / a, f"Constant(c=-1.0) / {G}"),
    (a / Constant(2.0), f"{G} / Constant(c=2.0)"),
    (Constant(2.0) ** 2, "Constant(c=2.0) ** 2"),
    (kl.exp(a - b), f"exp({G} - {L})"),
    (-kl.exp(a), f"-exp({G})"),
    (kl.exp(a) ** 2, f"exp({G}) ** 2"),
    (kl.tanh(a * b), f"tanh({G} * {L})"),
    (kl.sqrt(a), f"{G} ** 0.5"),
    ((a + b).normalize(), f"({G} + {L}).normalize()"),
    ((-a).normalize(), f"(-{G}).normalize()"),
    ((a**2).normalize(), f"({G} ** 2).normalize()"),
    (a.normalize() ** 2, f"{G}.normalize() ** 2"),
    ((a * b).on(1), f"({G} * {L}).on((1,))"),
    (a.on([2, 0]) * b, f"{G}.on((2, 0)) * {L}"),
    ((2 * a).polynomial((1, 0, 2)), f"(2.0 * {G}).polynomial((1.0, 0.0, 2.0))"),
    (b.polynomial([1]), f"{L}.polynomial((1.0,))"),
    ((a + b).weighted(np.sin), f"({G} + {L}).weighted(sin)"),
    ((a / b).pullback(np.sin), f"({G} / {L}).pullback(sin)"),
    (kl.Linear(A=np.eye(2)), "Linear(A=((1.0, 0.0), (0.0, 1.0)))"),
    (kl.FromFeatures(np.sin), "FromFeatures(sin)"),
    (kl.FromDistance(np.sin, metric="circle"), "FromDistance(sin, metric='circle')"),
    (1e-7 * a, f"1e-07 * {G}"),
    (a - 1e300 * b, f"{G} - 1e+300 * {L}"),
    (0 * a, f"0.0 * {G}"),
]


@pytest.mark.parametrize(("kernel", "text"), PRINTED, ids=lambda x: str(x))
def test_printing(kernel, text):
    assert repr(kernel) == text
    assert eval(text, vars(kl) | {"sin": np.sin}) == kernel


FORMULAS = [
    (b, "x^\\top x'"),
    (a + b, "\\exp\\left(-\\|x - x'\\|^2/(2 \\cdot 0.5^2)\\right) + x^\\top x'"),
    (b - 1, "x^\\top x' - 1"),
    (b - 2 * b, "x^\\top x' - 2 \\, x^\\top x'"),
    (-(b - b), "-(x^\\top x' - x^\\top x')"),
    (b - (b - 1), "x^\\top x' - (x^\\top x' - 1)"),
    ((b + 1) * b, "(x^\\top x' + 1) \\cdot x^\\top x'"),
    (b * (-b), "x^\\top x' \\cdot (-x^\\top x')"),
    (b**2, "\\left(x^\\top x'\\right)^{2}"),
    ((b + 1) ** 0.5, "\\left(x^\\top x' + 1\\right)^{0.5}"),
    (Constant(2.0) ** 2, "2^{2}"),
    (Constant(1e-7) ** 2, "\\left(1 \\cdot 10^{-7}\\right)^{2}"),
    (2 * Constant(3.0), "2 \\cdot 3"),
    (1 / (b + 1), "\\frac{1}{x^\\top x' + 1}"),
    (kl.tanh(b - 1), "\\tanh\\left(x^\\top x' - 1\\right)"),
    (
        b.polynomial((1, -2, 1)),
        "1 \\,  - 2 \\, \\left(x^\\top x'\\right) + \\left(x^\\top x'\\right)^{2}",
    ),
    (b.on((0, 2)), "{x_{1,3}}^\\top {x'_{1,3}}"),
    (b.weighted(np.sin), "\\mathrm{sin}(x) \\, x^\\top x' \\, \\mathrm{sin}(x')"),
    (
        kl.Gaussian(1e-7),
        "\\exp\\left(-\\|x - x'\\|^2/(2 \\cdot (1 \\cdot 10^{-7})^2)\\right)",
    ),
    (kl.Exponential(1e9), "\\exp\\left(-\\|x - x'\\|/(1 \\cdot 10^{9})\\right)"),
]


@pytest.mark.parametrize(("kernel", "formula"), FORMULAS, ids=lambda x: str(x))
def test_latex(kernel, formula):
    assert kernel.latex == formula
