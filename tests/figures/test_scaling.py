"""Costs, spectra, errors and races behind the figures of chapter 8."""

import math

import matplotlib
import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.errors import InputError
from kernellab.figures import scaling
from kernellab.figures.scaling import costs, counts, times
from kernellab.lowrank.eigen import TruncatedEigen
from kernellab.lowrank.nystroem import Nystroem

matplotlib.use("Agg")
import matplotlib.pyplot as plt

rng = np.random.default_rng(0)


@pytest.fixture
def axes():
    figure, pair = plt.subplots(1, 2)
    yield pair
    plt.close(figure)


# --- counts -------------------------------------------------------------------------


def run(name, K, L, y):
    tally = [0]
    args = (counts.counted(M, tally) for M in (K, L, y))
    result = counts.OPERATIONS[name](*args)
    if isinstance(result[0], list):
        return np.array([[v.value for v in row] for row in result])
    return np.array([v.value for v in result])


@pytest.mark.parametrize("n", [1, 2, 7])
def test_numbers_that_count_compute_the_right_thing(n):
    A, L, y = rng.normal(size=(n, n)), rng.normal(size=(n, n)), rng.normal(size=n)
    K = A @ A.T + np.eye(n)
    expected = {
        "Ky": K @ y,
        "KL": K @ L,
        "solve, Cholesky": np.linalg.solve(K, y),
        "solve, elimination": np.linalg.solve(K, y),
        "inverse": np.linalg.inv(K),
    }
    assert expected.keys() == counts.OPERATIONS.keys()
    for name, value in expected.items():
        np.testing.assert_allclose(run(name, K, L, y), value, rtol=1e-9)


@pytest.mark.parametrize("n", [1, 2, 5, 13])
def test_the_counts_are_those_of_the_formulas(n):
    assert scaling.count_multiplications(n, random_state=n) == {
        "Ky": n**2,
        "KL": n**3,
        "solve, Cholesky": (n**3 - n) // 6 + n * (n - 1),
        "solve, elimination": n * (n - 1) * (2 * n - 1) // 6 + n * (n - 1),
        "inverse": n**2 * (n + 1) // 2,
    }


def test_a_counted_number_has_all_operations():
    tally = [0]
    x, y = scaling.Counted(4.0, tally), scaling.Counted(2.0, tally)
    assert [(x + y).value, (x - y).value, (x / y).value, x.sqrt().value] == [6, 2, 2, 2]
    assert tally == [0]
    assert (x * y * y).value == 16
    assert tally == [2]


# --- times --------------------------------------------------------------------------


def test_every_operation_can_be_timed():
    timings = scaling.time_operations((10, 20), repeat=1)
    assert timings.sizes.tolist() == [10, 20]
    assert timings.seconds.keys() == timings.slopes.keys() == times.OPERATIONS.keys()
    for seconds in timings.seconds.values():
        assert seconds.shape == (2,)
        assert (seconds > 0).all()


def test_an_unknown_operation():
    with pytest.raises(InputError, match="no operation 'sort'; there are Ky"):
        scaling.time_operations((10, 20), operations=["sort"])


def test_the_slope_is_the_exponent():
    n = np.array([10.0, 20, 40])
    assert scaling.slope(n, 7 * n**2.5) == pytest.approx(2.5)


# --- costs --------------------------------------------------------------------------


def test_the_cost_of_exact_ridge():
    machine = scaling.MachineSpeed(operations=1e9, values=1e6)
    memory, seconds = scaling.exact_cost(3000, machine)
    assert memory == 8 * 3000**2
    assert seconds == pytest.approx(9 + 4.5)


def test_a_plan_adds_up():
    machine = scaling.MachineSpeed(operations=1e10, values=1e8, disk=1e9, network=1e9)
    p = scaling.plan(1e6, 9, 100, workers=10, machine=machine)
    assert p.data == 8e7
    assert p.read == pytest.approx(8e7 / 1e9 / 10)
    assert p.kernel == pytest.approx(1e8 / 1e8 / 10)
    assert p.arithmetic == pytest.approx(1e10 / 1e10 / 10)
    assert p.reduce == pytest.approx(4 * 8e4 / 1e9)  # ⌈log₂ 10⌉ rounds
    assert p.solve == pytest.approx(1e6 / 3 / 1e10)
    assert p.seconds == pytest.approx(p.read + p.kernel + 0.1 + p.reduce + p.solve)
    assert (p.memory, p.traffic) == (1.6e5, 9 * 8e4)


def test_one_worker_adds_nothing_up():
    p = scaling.plan(1e6, 9, 100)
    assert (p.reduce, p.traffic) == (0, 0)
    with pytest.raises(InputError, match="workers must be 1 or more, got 0"):
        scaling.plan(1e6, 9, 100, workers=0)


def test_survival():
    assert scaling.survival(10, 5, 50) == pytest.approx(math.exp(-1))
    with pytest.raises(InputError, match="failure_hours"):
        scaling.survival(10, 5, 0)


def test_the_constants_of_this_machine():
    here = scaling.measure(seconds=0.001, rank=20, dimension=2)
    assert min(here.operations, here.values, here.disk) > 0


@pytest.mark.parametrize(
    ("amount", "what", "words"),
    [
        (12, "bytes", "12 B"),
        (8e6, "bytes", "8 MB"),
        (8e18, "bytes", "8 EB"),
        (0.0123, "seconds", "12 ms"),
        (1e-7, "seconds", "0.0001 ms"),
        (90, "seconds", "1.5 min"),
        (3.6e5, "seconds", "4.2 days"),
        (1.5e12, "seconds", "48,000 years"),
        (1e16, "seconds", "3.2e+08 years"),
    ],
)
def test_amounts_in_words(amount, what, words):
    assert scaling.in_words(amount, what) == words


def test_amounts_of_something_else():
    with pytest.raises(InputError, match="'bytes' or 'seconds', got 'metres'"):
        scaling.in_words(1, "metres")


# --- spectra and errors -------------------------------------------------------------


def test_spectra_are_shares_of_the_trace():
    X = rng.normal(size=(30, 2))
    k = 3 * kl.Exponential()
    mu = scaling.spectra({"k": k}, X)["k"]
    expected = np.sort(np.linalg.eigvalsh(k(X)))[::-1] / np.trace(k(X))
    np.testing.assert_allclose(mu, expected)
    assert mu.sum() == pytest.approx(1)
    assert scaling.tails(mu)[[0, 30]].round(12).tolist() == [1, 0]
    assert scaling.tails(mu)[10] == pytest.approx(mu[10:].sum())


@pytest.mark.parametrize("rule", scaling.LANDMARKS)
def test_no_landmarks_beat_the_tail(rule):
    X = rng.normal(size=(60, 2))
    k = kl.Gaussian()
    ranks = (3, 6, 12)
    errors = scaling.landmark_errors(k, X, ranks, rule, seeds=(0, 1))
    assert errors.shape == (2, 3)
    assert (
        errors >= scaling.tails(scaling.spectra({"k": k}, X)["k"])[[3, 6, 12]]
    ).all()
    phi = Nystroem(k, rank=6, landmarks=rule, random_state=1).fit(X)
    K = k(X)
    left = np.trace(K - phi.approximate(X)) / np.trace(K)
    assert errors[1, 1] == pytest.approx(left)


def test_frobenius_errors():
    X = rng.normal(size=(40, 2))
    k = kl.Gaussian()
    K = k(X)
    mu = np.linalg.eigvalsh(K)[::-1]
    found = scaling.frobenius_errors(K, X, [TruncatedEigen(k, rank=5)])
    assert found[0] == pytest.approx(np.sqrt(np.sum(mu[5:] ** 2) / np.sum(mu**2)))


# --- the race -----------------------------------------------------------------------


def test_a_race_measures_each_size(axes):
    found = scaling.race(
        {
            "two errors": (lambda n: [1 / n, 2 / n], (1, 2, 4)),
            "one": (lambda n: float(n), (3,)),
        }
    )
    assert found["two errors"].errors.tolist() == [[1, 2], [0.5, 1], [0.25, 0.5]]
    assert found["one"].errors.tolist() == [[3]]
    assert found["two errors"].sizes.tolist() == [1, 2, 4]
    assert (found["two errors"].seconds >= 0).all()
    curve = scaling.Curve(np.array([1.0]), np.array([0.1]), np.array([[5.0, 6.0]]))
    scaling.draw_race(axes[0], {"a": curve, "b": curve}, column=1)
    assert [line.get_label() for line in axes[0].lines] == ["a", "b"]
    assert axes[0].lines[0].get_ydata().tolist() == [6.0]
    assert axes[0].lines[0].get_marker() != axes[0].lines[1].get_marker()


def test_a_short_run_is_repeated_until_it_can_be_measured():
    assert costs.runs_per_second(lambda: None, 0.001, iter(range(10**6)).__next__) > 0
