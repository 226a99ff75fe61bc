"""Losses: values, slopes, and conjugates against a numerical supremum."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab.losses import Hinge, Huber, Logistic, Squared, SquaredHinge

LOSSES = [Squared(), Huber(0.7), Huber(3.0), Logistic(), Hinge(), SquaredHinge()]
each_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)
numbers = st.floats(-50, 50)


def targets(loss):
    return (-1.0, 1.0) if loss.labels else (-2.3, 0.0, 1.1)


def plain(loss, y, u):
    """The definitions, one number at a time."""
    r, m = u - y, y * u
    if isinstance(loss, Squared):
        return r**2 / 2
    if isinstance(loss, Huber):
        d = loss.delta
        return r**2 / 2 if abs(r) <= d else d * (abs(r) - d / 2)
    if isinstance(loss, Logistic):
        return np.log(1 + np.exp(-m))
    return max(0, 1 - m) if isinstance(loss, Hinge) else max(0, 1 - m) ** 2 / 2


@each_loss
def test_values_are_the_definitions(loss):
    u = np.linspace(-4, 4, 41)
    for y in targets(loss):
        expected = [plain(loss, y, x) for x in u]
        np.testing.assert_allclose(loss.value(y, u), expected, rtol=1e-13, atol=1e-15)


@each_loss
def test_derivatives_are_difference_quotients(loss):
    u, h = np.linspace(-4.03, 4.05, 37), 1e-5
    for y in targets(loss):
        slope = (loss.value(y, u + h) - loss.value(y, u - h)) / (2 * h)
        np.testing.assert_allclose(loss.derivative(y, u), slope, atol=1e-8)
        bend = (loss.derivative(y, u + h) - loss.derivative(y, u - h)) / (2 * h)
        np.testing.assert_allclose(loss.curvature(y, u), bend, atol=1e-8)


@each_loss
def test_conjugates_are_suprema(loss):
    """On a fine grid of u; outside the domain the supremum grows with the grid."""
    u = np.linspace(-40, 40, 80_001)
    for y in targets(loss):
        low, high = (float(end) for end in loss.slopes(y))
        inside = np.linspace(max(low, -5), min(high, 5), 13)
        value = loss.value(y, u)
        for v in inside:
            best = np.max(u * v - value)
            assert loss.conjugate(y, v) == pytest.approx(best, abs=1e-5)
        for v in (low - 0.1, high + 0.1):
            if np.isfinite(v):
                assert loss.conjugate(y, v) == np.inf
                gain = u * v - value
                assert max(gain[0], gain[-1]) > max(gain[20_000], gain[60_000]) + 1


@each_loss
@settings(max_examples=30)
@given(u=numbers, v=numbers, choice=st.integers(0, 10))
def test_fenchel_young(loss, u, v, choice):
    y = targets(loss)[choice % len(targets(loss))]
    assert loss.fenchel_young(y, u, v) >= -1e-10
    slope = float(loss.derivative(y, u))
    assert loss.fenchel_young(y, u, slope) == pytest.approx(0, abs=1e-10)


@each_loss
@settings(max_examples=30)
@given(u=numbers, w=numbers, t=st.floats(0, 1), choice=st.integers(0, 10))
def test_convex_in_u_with_subgradients(loss, u, w, t, choice):
    y = targets(loss)[choice % len(targets(loss))]
    chord = t * loss.value(y, u) + (1 - t) * loss.value(y, w)
    assert loss.value(y, t * u + (1 - t) * w) <= chord + 1e-9
    tangent = loss.value(y, u) + loss.derivative(y, u) * (w - u)
    assert loss.value(y, w) >= tangent - 1e-9


@each_loss
def test_slopes_of_the_loss_are_in_the_domain(loss):
    u = np.concatenate([-np.logspace(-3, 6, 40), [0.0], np.logspace(-3, 6, 40)])
    for y in targets(loss):
        assert np.isfinite(loss.conjugate(y, loss.derivative(y, u))).all()


@each_loss
def test_the_declared_quadratic_conjugate(loss):
    if loss.rho is None:
        assert isinstance(loss, Logistic)
        return
    for y in targets(loss):
        low, high = loss.slopes(y)
        v = np.linspace(max(low, -3), min(high, 3), 9)
        expected = v * y + loss.rho * v**2 / 2
        np.testing.assert_allclose(loss.conjugate(y, v), expected, atol=1e-15)


def test_logistic_at_the_extremes():
    loss = Logistic()
    u = np.array([-1e308, -800.0, 800.0, 1e308])
    np.testing.assert_array_equal(loss.value(1, u), [1e308, 800, 0, 0])
    np.testing.assert_array_equal(loss.derivative(1, u), [-1, -1, 0, 0])
    np.testing.assert_array_equal(loss.curvature(1, u), 0)
    small = loss.derivative(1, 700.0)
    assert small == pytest.approx(-np.exp(-700.0), rel=1e-12)
    p = np.array([0.0, 1e-300, 1e-20, 0.5, 1.0])
    expected = [
        0,
        1e-300 * (np.log(1e-300) - 1),
        1e-20 * (np.log(1e-20) - 1),
        -np.log(2),
        0,
    ]
    np.testing.assert_allclose(loss.conjugate(1, -p), expected, rtol=1e-12)


def test_the_kink_has_the_slope_nearest_to_zero():
    assert Hinge().derivative(1, 1.0) == 0
    assert SquaredHinge().derivative(-1, -1.0) == 0


def test_broadcasting_and_scalars():
    y, u = np.array([1.0, -1.0]), np.linspace(-1, 1, 3)[:, None]
    for loss in LOSSES:
        for method in (loss.value, loss.derivative, loss.curvature, loss.conjugate):
            assert method(y, u).shape == (3, 2)
            assert np.shape(method(1.0, 0.5)) == ()


def test_losses_are_values():
    assert Huber(1) == Huber(1.0)
    assert Huber(1) != Huber(2)
    assert {Hinge(), Hinge(), Logistic()} == {Hinge(), Logistic()}
    assert repr(Huber(2)) == "Huber(delta=2.0)"


@pytest.mark.parametrize("delta", [0, -1, np.nan, np.inf, "1", None])
def test_huber_needs_a_positive_delta(delta):
    with pytest.raises(ValueError, match="delta of the Huber loss"):
        Huber(delta)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, 1, 1], r"labels -1 and \+1; y has 0 and 1. Write np.where\(y == 1, 1, -1"),
        ([1, 2, 2], r"y has 1 and 2. Write np.where\(y == 2"),
        ([0.1, 0.2, 0.3], "3 different values, 0.1 and 0.2 among them. For numbers"),
        ([0, 0, 0], "y has only 0"),
        ([1, -1], r"shape \(3,\), one number for each point; got shape \(2,\)"),
        ([[1, -1, 1]], r"got shape \(1, 3\)"),
        ([1, np.nan, 1], r"y\[1\] is nan"),
        (["a", "b", "c"], "array of numbers"),
    ],
)
def test_wrong_labels(y, message):
    with pytest.raises(ValueError, match=message):
        Logistic().check(y, 3)


def test_right_targets():
    np.testing.assert_array_equal(Hinge().check([True, True], 2), [1.0, 1.0])
    np.testing.assert_array_equal(Squared().check([0, 5], 2), [0.0, 5.0])
