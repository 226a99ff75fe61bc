"""The same numbers on Dask: all its schedulers, all kinds of blocks, lost workers."""

import logging
import multiprocessing
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cloudpickle
import dask
import dask.array as da
import numpy as np
import psutil
import pytest
from distributed import Client, LocalCluster

from kernellab import kernels as kl
from kernellab.errors import InputError
from kernellab.kernels.points import vectors
from kernellab.lowrank import dask_blocks as module
from kernellab.lowrank.data_blocks import MAX_BLOCK_ROWS, read_blocks
from kernellab.lowrank.fourier import RandomFourier
from kernellab.lowrank.nystroem import Nystroem
from kernellab.lowrank.ridge import LowRankRidge
from kernellab.lowrank.ridge_cg import KernelRidgeCG

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers cannot import it

rng = np.random.default_rng(0)
n, d = MAX_BLOCK_ROWS + 500, 3
X, Z = rng.normal(size=(n, d)), rng.normal(size=(70, d))
T = np.stack([np.sin(X[:, 0]), X[:, 1] + 30], axis=1) + 0.1 * rng.normal(size=(n, 2))
t, s = T[:, 0].copy(), rng.uniform(0, 2, size=n)
s[::9] = 0
K = kl.Gaussian(sigma=0.7)
PHI = Nystroem(K, rank=30).fit(X)
CUTS = {
    "blocks": (400, d),
    "one block": (n, d),
    "uneven": ((1, 1700, 0, n - 1701), d),
    "tiny": (7, d),
    "columns too": (600, 2),
}
cuts = pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS.keys())


@pytest.fixture(autouse=True)
def one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture
def small_tasks(monkeypatch):
    """Blocks of 100 rows are work enough for a task."""
    monkeypatch.setattr(module, "rows_per_block", lambda width: 100)


def close(actual, expected, tol=1e-12):
    scale = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(actual, expected, rtol=tol, atol=tol * scale)


def lazy(cut=(400, d)):
    return da.from_array(X, chunks=cut)


# --- the same numbers ---------------------------------------------------------------


@cuts
@pytest.mark.parametrize("intercept", [False, True], ids=["no b", "b"])
def test_a_fit_gives_the_same_numbers(small_tasks, cut, intercept):
    local = LowRankRidge(PHI, 0.5, intercept).fit(X, T, s)
    A, B, weights = lazy(cut), da.from_array(T, chunks=(333, 1)), da.from_array(s)
    model = LowRankRidge(PHI, 0.5, intercept).fit(A, B, weights)
    close(model.w_, local.w_)
    close(model.intercept_, local.intercept_)
    close(model.certificate_.primal, local.certificate_.primal)
    close(model.full_problem_.dual, local.full_problem_.dual, 1e-9)
    close(model.score(A, B, weights), local.score(X, T, s))


@cuts
def test_predictions_are_lazy_and_the_same(cut):
    model = LowRankRidge(PHI, 0.5).fit(X, t)
    found = model.predict(lazy(cut))
    assert isinstance(found, da.Array)
    assert found.shape == (n,)
    close(found.compute(), model.predict(X))
    both = LowRankRidge(PHI, 0.5, intercept=True).fit(X, T)
    found = both.predict(lazy(cut))
    assert found.shape == (n, 2)
    assert found.dtype == float
    close(found.compute(), both.predict(X))
    close(found[5:20, 1].compute(), both.predict(X)[5:20, 1])


@pytest.mark.parametrize(
    "phi",
    [Nystroem(K, rank=20), RandomFourier(K, rank=20)],
    ids=["Nystroem", "Fourier"],
)
def test_maps_are_fitted_to_dask_arrays(phi):
    model = LowRankRidge(phi, 0.5).fit(lazy(), t)
    local = LowRankRidge(phi, 0.5).fit(X, t)
    close(model.predict(Z), local.predict(Z))
    Phi = model.features_.transform(lazy())
    assert isinstance(Phi, da.Array)
    close(Phi.compute(), local.features_.transform(X))
    close(model.features_.error(lazy()).trace, local.features_.error(X).trace, 1e-9)


def test_threads():
    local = LowRankRidge(PHI, 0.5).fit(X, t)
    with dask.config.set(scheduler="threads"):
        close(LowRankRidge(PHI, 0.5).fit(lazy(), t).w_, local.w_)


def test_what_is_not_a_dask_array_goes_along():
    local = LowRankRidge(PHI, 0.5).fit(X, T, s)
    for A, B, weights in [
        (lazy(), T, s),
        (lazy(), T.tolist(), da.from_array(s, chunks=99)),
        (X, da.from_array(T, chunks=99), da.from_array(s, chunks=7)),
    ]:
        close(LowRankRidge(PHI, 0.5).fit(A, B, weights).w_, local.w_)


def test_blocks_of_unknown_size():
    """As boolean indexing leaves them; some of them are empty."""
    A, B = lazy((250, 2)), da.from_array(T, chunks=(250, 2))
    kept = (A[:, 0] > 2.0).compute()
    few, targets = A[A[:, 0] > 2.0], B[A[:, 0] > 2.0]
    assert np.isnan(few.shape[0])
    local = LowRankRidge(PHI, 0.5, intercept=True).fit(X[kept], T[kept])
    for other in (targets, T[kept], da.from_array(T[kept], chunks=(9, 2))):
        model = LowRankRidge(PHI, 0.5, intercept=True).fit(few, other)
        close(model.w_, local.w_, 1e-11)
    known = da.from_array(X[kept], chunks=11)
    close(LowRankRidge(PHI, 0.5, True).fit(known, targets).w_, local.w_, 1e-11)
    close(local.predict(few).compute(), local.predict(X[kept]))
    assert np.isnan(few.shape[0])  # the user's array is as it was
    fresh = LowRankRidge(Nystroem(K, rank=5), 0.5).fit(few, targets)
    close(fresh.w_, LowRankRidge(Nystroem(K, rank=5), 0.5).fit(X[kept], T[kept]).w_)


def test_rows_of_strings():
    words = np.array(["abab", "baba", "abba", "aaab", "bbbb"], dtype=object)
    y = np.arange(5.0)
    k = kl.Spectrum(p=2)
    model = LowRankRidge(Nystroem(k, rank=3)).fit(da.from_array(words, chunks=2), y)
    local = LowRankRidge(Nystroem(k, rank=3)).fit(list(words), y)
    close(model.w_, local.w_)
    close(model.predict(da.from_array(words, chunks=3)).compute(), local.predict(words))
    Phi = local.features_.transform(da.from_array(words, chunks=3))
    close(Phi.compute(), local.features_.transform(list(words)))


def test_conjugate_gradients_predict_there_but_are_fitted_here():
    model = KernelRidgeCG(K, 0.5).fit(X[:100], t[:100])
    close(model.predict(da.from_array(Z, chunks=30)).compute(), model.predict(Z))
    with pytest.raises(InputError, match=r"one machine: pass X.compute\(\)"):
        model.fit(lazy(), t)


# --- rows ---------------------------------------------------------------------------


def test_take_fetches_rows_in_their_order():
    rows = read_blocks(lazy(), vectors)
    index = [n - 1, 3, 3, 401, 0]
    np.testing.assert_array_equal(rows.take(index).X, X[index])
    assert len(rows.take([])) == 0
    with pytest.raises(IndexError, match=f"from 0 to {n - 1}"):
        rows.take([n])


def test_only_the_blocks_that_are_needed_are_computed():
    touched = []

    def block(i):
        touched.append(i)
        return np.full((10, 2), float(i))

    parts = [
        da.from_delayed(dask.delayed(block)(i), (10, 2), dtype=float) for i in range(9)
    ]
    found = read_blocks(da.concatenate(parts), vectors).take([35, 31, 80])
    assert found.X[:, 0].tolist() == [3.0, 3.0, 8.0]
    assert sorted(touched) == [3, 8]


def test_large_blocks_are_split_and_small_ones_joined():
    sizes = []

    def size(points):
        sizes.append(len(points))
        return len(points)

    assert read_blocks(lazy((n, d)), vectors).total(size) == n
    assert max(sizes) == MAX_BLOCK_ROWS
    sizes.clear()
    assert read_blocks(lazy((7, d)), vectors).total(size) == n
    assert len(sizes) == 2
    sizes.clear()
    assert read_blocks(lazy((n // 2, d)), vectors).total(size) == n
    assert sizes == [n // 2, n // 2]  # these are left as they are


def test_no_block_is_a_sum_of_dask_arrays(small_tasks):
    """One task a block, a tree above, and the function once."""
    rows, made = read_blocks(lazy((100, d)), vectors), []

    def compute(result, what, blocks, progress):
        made.append(dict(result.dask))
        return result.compute()

    original, module._compute = module._compute, compute
    try:
        rows.total(lambda p: 1)
    finally:
        module._compute = original
    names = [str(key).strip("('").split("-")[0] for key in made[0]]
    assert names.count("_Work") == 1
    assert names.count("_block_total") == 25
    assert names.count("_add") == 4 + 1


def test_a_bar_counts_blocks(small_tasks, capsys):
    read_blocks(lazy(), vectors).total(lambda p: 1, what="counting", progress=True)
    assert "100%  7/7" in capsys.readouterr().err


# --- errors -------------------------------------------------------------------------


def test_a_message_names_the_row(small_tasks):
    Y, y = X.copy(), t.copy()
    Y[1205, 1] = y[1206] = np.nan
    A = da.from_array(Y, chunks=(400, d))
    with pytest.raises(InputError, match=r"X\[1205, 1\] is NaN"):
        LowRankRidge(PHI).fit(A, t)  # it looks at some rows beforehand
    with pytest.raises(InputError, match=r"X\[1205, 1\] is NaN"):
        read_blocks(A, vectors).total(lambda p: 1)
    with pytest.raises(InputError, match=r"y\[1206\] is NaN"):
        LowRankRidge(PHI).fit(lazy(), y)
    unknown = A[da.from_array(np.ones(n, dtype=bool), chunks=400)]
    with pytest.raises(InputError, match=r"X.blocks\[3\]\[5, 1\] is NaN"):
        read_blocks(unknown, vectors).total(lambda p: 1)


def test_data_that_make_no_sense():
    model = LowRankRidge(PHI)
    with pytest.raises(InputError, match=rf"y must have one row .* {n} .*\(5,\)"):
        model.fit(lazy(), t[:5])
    with pytest.raises(InputError, match=rf"y must have one row .* {n} .*\(6,\)"):
        model.fit(lazy(), da.ones(6))
    with pytest.raises(InputError, match=r"shape \(n, d\).*got shape \(9,\)"):
        model.fit(da.ones(9), np.ones(9))
    with pytest.raises(InputError, match="one point or more, got none"):
        read_blocks(da.ones((0, 2)), vectors).total(lambda p: 1)
    everything = lazy()
    nothing = everything[everything[:, 0] > 99]
    with pytest.raises(InputError, match="one point or more, got none"):
        read_blocks(nothing, vectors).total(lambda p: 1)
    with pytest.raises(InputError, match=r"for a Dask dataframe write X.to_dask_arr"):
        model.fit(dask.delayed(X), t)
    with pytest.raises(InputError, match=r"has 2 features, but .* is expecting 3"):
        model.fit(lazy()[:, :2], t)


def test_blocks_of_unknown_size_that_do_not_belong_together():
    A = lazy()
    mask = A[:, 0] > 0
    with pytest.raises(InputError, match=r"y.blocks\[\d\] must have one row for each"):
        LowRankRidge(RandomFourier(K, rank=4).fit(X)).fit(
            A[mask], da.from_array(t, chunks=400)
        )


# --- a cluster ----------------------------------------------------------------------


class Watched(Nystroem):
    """Leaves a trace where it is used, and takes its time."""

    folder: Path
    pause = 0.0

    def __setstate__(self, state):
        self.__dict__.update(state)
        with (self.folder / f"arrived-{os.getpid()}").open("a") as file:
            file.write("x")

    def _raw(self, points):
        (self.folder / f"used-{os.getpid()}").touch()
        time.sleep(self.pause)
        return super()._raw(points)


@pytest.fixture(scope="module")
def cluster():
    """Two processes on this machine. None of them outlives the tests."""
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as local,
        Client(local, set_as_default=False) as client,
    ):
        yield client
        children = psutil.Process().children(recursive=True)
    _, alive = psutil.wait_procs(
        [p for p in children if "resource_tracker" not in " ".join(_command(p))],
        timeout=20,
    )
    assert not alive
    assert not multiprocessing.active_children()


def _command(process):
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


@pytest.fixture
def on_cluster(cluster):
    with dask.config.set(scheduler=None), cluster.as_current():
        yield cluster


@pytest.fixture
def watched(tmp_path):
    phi = Watched(K, rank=30)
    phi.folder = tmp_path
    return phi.fit(X)


def test_a_cluster_gives_the_same_numbers(small_tasks, on_cluster, watched):
    A, B = lazy((250, d)), da.from_array(T, chunks=(500, 2))
    watched.pause = 0.02
    model = LowRankRidge(watched, 0.5, intercept=True).fit(A, B, s)
    arrived = [trace.stat().st_size for trace in watched.folder.glob("arrived-*")]
    local = LowRankRidge(PHI, 0.5, intercept=True).fit(X, T, s)
    close(model.w_, local.w_)
    close(model.intercept_, local.intercept_)
    close(model.predict(A).compute(), local.predict(X))
    close(model.score(A, B), local.score(X, T))
    used = {int(p.name.split("-")[1]) for p in watched.folder.glob("used-*")}
    assert len(used & set(on_cluster.run(os.getpid).values())) > 1
    # The map came once to each process, not once to each of the 10 tasks.
    assert set(arrived) == {1}


def test_a_lost_worker_does_not_change_the_result(small_tasks, on_cluster, watched):
    model, A, B = LowRankRidge(watched, 0.5), lazy((100, d)), da.from_array(t)
    watched.pause = 0.1

    def fit():
        with dask.config.set(scheduler=None), on_cluster.as_current():
            return model.fit(A, B)

    with ThreadPoolExecutor(1) as pool:
        fitting = pool.submit(fit)
        victim = _first_worker_at_work(watched.folder)
        os.kill(victim, signal.SIGKILL)
        assert not fitting.done()
        fitting.result(timeout=60)
    assert victim not in on_cluster.run(os.getpid).values()
    close(model.w_, LowRankRidge(PHI, 0.5).fit(X, t).w_)


def _first_worker_at_work(folder, patience=60):
    end = time.monotonic() + patience
    while time.monotonic() < end:
        for trace in folder.glob("used-*"):
            pid = int(trace.name.split("-")[1])
            if pid != os.getpid():
                return pid
        time.sleep(0.01)
    raise AssertionError("no worker began")


def test_a_large_map_is_sent_without_a_warning(on_cluster):
    A = da.random.default_rng(0).normal(size=(400, d), chunks=(100, d))
    phi = Nystroem(kl.Exponential(), rank=200).fit(X)
    assert len(cloudpickle.dumps(phi)) > 300_000
    with dask.config.set({module.LARGE_GRAPH: "100 kB"}):
        found = LowRankRidge(phi).fit(A, A[:, 0])
    local = A.compute()
    close(found.w_, LowRankRidge(phi).fit(local, local[:, 0]).w_, 1e-11)


def test_an_error_on_a_worker_comes_back(small_tasks, on_cluster):
    y = t.copy()
    y[1206] = np.nan
    with pytest.raises(InputError, match=r"y\[1206\] is NaN"):
        LowRankRidge(PHI).fit(lazy(), da.from_array(y, chunks=400))
