"""Functions: gradients, weighted sums, messages."""

import math

import numpy as np
import pytest

from kernellab.errors import InputError
from kernellab.optim import Quadratic, Smooth, affine
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
