"""Functions: gradients, weighted sums, messages."""

import math

import numpy as np
import pytest

from kernellab.errors import InputError
from kernellab.optim import CONVEX, Quadratic, Smooth, affine
from kernellab.optim.functions import weighted_sum


def test_differences_agree_with_the_gradient_on_paper():
    def value(w):
        return w[0] ** 3 + np.exp(w[1]) * w[0]

    w = np.array([1.3, -0.4])
    paper = np.array([3 * w[0] ** 2 + np.exp(w[1]), np.exp(w[1]) * w[0]])
    assert np.allclose(Smooth(value).gradient(w), paper, rtol=1e-9)
    assert np.array_equal(Smooth(value, lambda w: paper).gradient(w), paper)


def test_central_differences_keep_their_digits_far_from_zero():
    assert Smooth(lambda w: w[0] ** 2).gradient([1e6])[0] == pytest.approx(
        2e6, rel=1e-9
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Smooth(lambda w: w)([1.0, 2.0]), "must return one number"),
        (lambda: Smooth(lambda w: math.nan)([1.0]), "must return one number"),
        (lambda: Smooth(lambda w: "1")([1.0]), "must return one number"),
        (
            lambda: Smooth(sum, lambda w: [1.0]).gradient([1.0, 2.0]),
            r"shape \(2,\)",
        ),
        (lambda: Smooth(sum, sum, math.inf), "curvature must be"),
        (lambda: affine([1.0, math.inf]), r"a\[1\] is NaN or infinite"),
        (lambda: affine([[1.0]]), r"a must have shape \(·,\)"),
    ],
)
def test_functions_say_what_is_wrong(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_overflow_is_an_infinity():
    assert Smooth(lambda w: math.exp(w[0]))([1e4]) == math.inf
    assert Smooth(lambda w: np.exp(w[0]))([1e4]) == math.inf


def test_a_quadratic_function_is_what_its_matrix_says():
    f = Quadratic([[2.0, 1.0], [1.0, -1.0]], [1.0, -2.0], 3.0)
    w = np.array([0.7, -1.2])
    assert f(w) == pytest.approx(0.49 - 0.84 - 0.72 + 0.7 + 2.4 + 3)
    assert np.allclose(f.gradient(w), Smooth(f).gradient(w))
    assert affine([1.0, 2.0]).is_affine
    assert not f.is_affine


def test_a_weighted_sum_of_quadratic_functions_is_one():
    f, g = Quadratic([[2.0]], [1.0], 3.0), affine([4.0], 5.0)
    total = weighted_sum((1.0, -2.0), (f, g))
    assert isinstance(total, Quadratic)
    assert total([0.7]) == pytest.approx(f([0.7]) - 2 * g([0.7]))
    mixed = weighted_sum((1.0, 2.0, 0.0), (f, Smooth(lambda w: w[0] ** 3), g))
    assert mixed([0.7]) == pytest.approx(f([0.7]) + 2 * 0.343)
    assert mixed.gradient([0.7]) == pytest.approx(f.gradient([0.7]) + 6 * 0.49)


def test_curvatures_add_up_where_they_are_known():
    f = Smooth(lambda w: np.exp(w[0]), lambda w: np.exp(w), CONVEX)
    g = Smooth(lambda w: np.cosh(w[0]), lambda w: np.sinh(w), 1.0)
    unknown = Smooth(lambda w: w[0] ** 3, lambda w: 3 * w**2)
    line, bowl = affine([1.0]), Quadratic([[4.0]], [0.0])

    def curvature(weights, *functions):
        return weighted_sum(weights, functions).curvature

    assert curvature((1.0, 3.0, -5.0), f, g, line) == 3
    assert curvature((1.0, 3.0, -0.5), f, g, bowl) == 1
    assert curvature((1.0, -3.0), f, g) is None  # not known from above
    assert curvature((1.0, 1.0), f, unknown) is None
    assert curvature((1.0, 0.0), f, unknown) == 0
    assert curvature((1.0, 1.0), f, Smooth(np.sum, curvature=CONVEX)) is None


def test_rounding_does_not_raise_the_curvature_of_a_quadratic_function():
    """Integer matrices FᵀF of rank 2: their least eigenvalue is 0."""
    rng = np.random.default_rng(0)
    for F in rng.integers(-1000, 1000, size=(100, 2, 3)):
        assert -1e-7 < Quadratic(F.T @ F, np.zeros(3)).curvature <= 0
    assert Quadratic(np.diag([3.0, 0.0]), np.zeros(2)).curvature == 0
