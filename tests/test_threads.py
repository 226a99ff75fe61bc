"""Small matrices are left to one thread, and the threads come back."""

import threading

import numpy as np
import pytest

from kernellab import (
    SVR,
    GaussianProcess,
    KernelPCA,
    KernelRidge,
    LowRankRidge,
    Nystroem,
    SparseGaussianProcess,
    threads,
)
from kernellab import kernels as kl


class Pool:
    """A BLAS with four threads."""

    def __init__(self):
        self.count, self.asked = 4, []

    def set(self, count):
        self.count = count
        self.asked.append(count)


@pytest.fixture
def pool(monkeypatch):
    pool = Pool()
    monkeypatch.setattr(threads, "_pools", lambda: ((lambda: pool.count, pool.set),))
    monkeypatch.setattr(threads, "_cores", lambda: 4)
    return pool


def test_small_matrices_have_one_thread(pool):
    with threads.limited(1000):
        assert pool.count == 1
        with threads.limited(5):
            assert pool.count == 1
    assert pool.count == 4
    assert pool.asked == [1, 4]


def test_large_matrices_leave_a_core_to_others(pool):
    with threads.limited(5):
        with threads.limited(1001):
            assert pool.count == 3
        assert pool.count == 1
    assert pool.count == 4


def test_nobody_gets_more_threads_than_were_asked_for(pool):
    pool.count = 2  # by OMP_NUM_THREADS
    with threads.limited(1001):
        assert pool.count == 2
    assert pool.asked == []


def test_the_threads_come_back_after_an_error(pool):
    with pytest.raises(ZeroDivisionError), threads.limited(5):
        1 / 0  # noqa: B018
    assert pool.count == 4


def test_they_come_back_when_the_last_has_left(pool):
    entered, leave = threading.Event(), threading.Event()

    def other():
        with threads.limited(5):
            entered.set()
            leave.wait(10)

    beside = threading.Thread(target=other)
    with threads.limited(5):
        beside.start()
        entered.wait(10)
    assert pool.count == 1
    leave.set()
    beside.join()
    assert pool.count == 4


MODELS = [
    GaussianProcess(kl.Gaussian(), 0.1),
    KernelRidge(kl.Gaussian(), 0.1),
    SVR(kl.Gaussian()),
    KernelPCA(kl.Gaussian(), 2),
    LowRankRidge(Nystroem(kl.Gaussian(), 4), 0.1),
    SparseGaussianProcess(kl.Gaussian(), 4),
]


@pytest.mark.filterwarnings("ignore:learning ended at a default bound")
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_few_points_have_one_thread(pool, model):
    X = np.linspace(0, 1, 9)[:, None]
    model.fit(X, X[:, 0])
    assert {1, 4} == set(pool.asked)
    assert pool.count == 4


def test_the_pools_that_are_found_can_be_set():
    before = [get() for get, _ in threads._pools()]
    with threads.limited(5):
        assert all(get() == 1 for get, _ in threads._pools())
    assert [get() for get, _ in threads._pools()] == before
