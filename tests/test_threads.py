"""Small matrices are left to one thread, and the threads come back."""

import threading

import numpy as np
import pytest

from kernellab import GaussianProcess, threads
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
    return pool


def test_small_matrices_have_one_thread(pool):
    with threads.limited(1000):
        assert pool.count == 1
        with threads.limited(5), threads.limited(5000):
            assert pool.count == 1
        assert pool.count == 1
    assert pool.count == 4
    with threads.limited(1001):
        assert pool.count == 4
    assert pool.asked == [1, 4]


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


def test_a_small_process_uses_one(pool):
    X = np.linspace(0, 1, 5)[:, None]
    gp = GaussianProcess(kl.Gaussian(), 0.1).fit(X, X[:, 0], optimize=False)
    gp.log_marginal_likelihood(gradient=True)
    assert 1 in pool.asked
    assert pool.count == 4


def test_the_pools_that_are_found_can_be_set():
    before = [get() for get, _ in threads._pools()]
    with threads.limited(5):
        assert all(get() == 1 for get, _ in threads._pools())
    assert [get() for get, _ in threads._pools()] == before
