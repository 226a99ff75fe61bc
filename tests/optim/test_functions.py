"""Functions: gradients, curvature, weighted sums, messages."""

import math

import numpy as np
import pytest

from kernellab.errors import InputError
from kernellab.optim import CONVEX, Box, Problem, Quadratic, Smooth, affine


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
        (lambda: Smooth(3.0), "must be functions of an array"),
        (lambda: Smooth(sum, "forward"), "must be functions of an array"),
        (lambda: Smooth(sum, curvature=(1.0, 0.0)), "m ≤ M"),
        (lambda: Smooth(lambda w: w)([1.0, 2.0]), "must return one number"),
        (lambda: Smooth(lambda w: math.nan)([1.0]), "must return one number"),
        (lambda: Smooth(lambda w: "1")([1.0]), "must return one number"),
        (lambda: Smooth(sum, lambda w: [1.0]).gradient([1.0, 2.0]), r"shape \(2,\)"),
        (lambda: affine([1.0, math.inf]), "entry 1 is inf"),
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
    assert f.curvature == pytest.approx(np.linalg.eigvalsh(f.Q))
    assert affine([1.0, 2.0]).is_affine
    assert not f.is_affine


def test_curvature_of_a_weighted_sum_is_never_too_narrow():
    """A convex constraint at a negative price is concave: no infimum is certified."""
    f = Smooth(lambda w: np.exp(w[0]), np.exp, curvature=CONVEX)
    box = Box([0.0], [1.0])
    assert Problem(f, equalities=[f], domain=box).theta_D([], [1.0]).certified
    negative = Problem(f, equalities=[f], domain=box).theta_D([], [-2.0])
    assert not negative.certified
    assert negative == pytest.approx(-math.e)
