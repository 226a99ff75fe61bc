"""Blocks of all kinds give the same sums, a block at a time."""

import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab import kernels as kl
from kernellab.errors import InputError
from kernellab.kernels.points import Points, vectors
from kernellab.lowrank import data_blocks as module
from kernellab.lowrank.data_blocks import (
    MAX_BLOCK_ROWS,
    Column,
    LocalBlocks,
    read_blocks,
    rows_per_block,
)

rng = np.random.default_rng(0)
n = 2 * MAX_BLOCK_ROWS + 7
X, t = rng.normal(size=(n, 3)), rng.normal(size=n)
WORDS = ["ab", "b", "abba", "a"]


class OnDisk:
    """What can be sliced but is no array, like a dataset of HDF5."""

    def __init__(self, values):
        self.values, self.most = values, 0
        self.shape, self.dtype = values.shape, values.dtype

    def __getitem__(self, key):
        if not isinstance(key, slice) and (np.diff(key) <= 0).any():
            raise TypeError("indices must be in increasing order")
        found = self.values[key]
        self.most = max(self.most, len(found))
        return found


@pytest.fixture(params=["array", "float32", "map", "on disk", "list", "points"])
def same(request, tmp_path):
    """X, in one of the forms that it may have."""
    if request.param == "float32":
        return X.astype(np.float32).astype(np.float64).astype(np.float32)
    if request.param == "map":
        np.save(tmp_path / "X.npy", X)
        return np.load(tmp_path / "X.npy", mmap_mode="r")
    forms = {"array": X, "on disk": OnDisk(X), "list": X.tolist(), "points": Points(X)}
    return forms[request.param]


def moment(points, t):
    return points.X.T @ t


def test_all_kinds_give_the_same_sums(same):
    rows = read_blocks(same, vectors)
    assert (rows.n, rows.width) == (n, 3)
    found = rows.total(moment, Column(t, "t"))
    np.testing.assert_allclose(found, X.T @ t, rtol=1e-5, atol=1e-5)


def test_all_kinds_stack_and_take(same):
    rows, index = read_blocks(same, vectors), [5, n - 1, 5, 0]
    close = {"rtol": 1e-6, "atol": 1e-6}
    np.testing.assert_allclose(rows.stack(lambda p: 2 * p.X, 3), 2 * X, **close)
    sums = rows.stack(lambda p: p.X.sum(axis=1), None)
    np.testing.assert_allclose(sums, X.sum(axis=1), **close)
    np.testing.assert_allclose(rows.take(index).X, X[index], **close)


@given(st.integers(1, 200), st.integers(1, 50))
def test_the_sum_does_not_depend_on_the_cuts(size, step):
    small, other = X[:size], t[:size]
    rows = LocalBlocks(small, vectors)
    rows.parts = lambda: (slice(i, min(i + step, size)) for i in range(0, size, step))
    np.testing.assert_allclose(
        rows.total(moment, Column(other, "t")), small.T @ other, atol=1e-12
    )


def test_objects():
    rows = read_blocks(WORDS, kl.Spectrum(p=1).read_points)
    assert (rows.n, rows.width) == (4, None)
    assert rows.take([2, 0]).items == ("abba", "ab")
    assert rows.total(lambda p: sum(map(len, p.items))) == 8
    np.testing.assert_array_equal(
        rows.stack(lambda p: np.array([len(s) for s in p.items]), None), [2, 1, 4, 1]
    )


def test_what_a_function_changes_is_not_x():
    before = X.copy()
    read_blocks(X, vectors).take([0, 1]).X[:] = 7.0
    np.testing.assert_array_equal(X, before)


def test_a_file_is_never_read_as_a_whole():
    source = OnDisk(X)
    rows = read_blocks(source, vectors)
    rows.total(lambda p: p.X.sum())
    rows.stack(lambda p: p.X, 3)
    assert source.most == MAX_BLOCK_ROWS


def test_memory_does_not_grow_with_n(tmp_path):
    np.save(tmp_path / "X.npy", np.ones((50 * MAX_BLOCK_ROWS, 20)))
    Y = np.load(tmp_path / "X.npy", mmap_mode="r")
    tracemalloc.start()
    try:
        assert read_blocks(Y, vectors).total(lambda p: p.X.sum()) == Y.size
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 * MAX_BLOCK_ROWS * 20 * 8 < Y.nbytes / 10


def test_long_rows_come_in_small_blocks():
    assert rows_per_block(3) == MAX_BLOCK_ROWS == rows_per_block(None)
    assert rows_per_block(10**6) == module.TILE


def test_no_rows():
    empty = read_blocks(X[:0], vectors)
    assert empty.stack(lambda p: p.X, 3).shape == (0, 3)
    assert len(empty.take([])) == 0
    with pytest.raises(InputError, match="one point or more, got none"):
        empty.total(lambda p: p.X.sum())


def test_a_message_names_the_row():
    Y = X.copy()
    Y[MAX_BLOCK_ROWS + 3, 1] = np.nan
    wanted = rf"X\[{MAX_BLOCK_ROWS + 3}, 1\] is NaN"
    with pytest.raises(InputError, match=wanted):
        read_blocks(Y, vectors).total(lambda p: p.X.sum())
    with pytest.raises(InputError, match=wanted):
        read_blocks(Y, vectors).take([MAX_BLOCK_ROWS + 3, 0])
    with pytest.raises(
        InputError,
        match=wanted,
    ):
        read_blocks(Y, vectors).take(np.arange(2, MAX_BLOCK_ROWS + 5))
    with pytest.raises(InputError, match=r"X\[3, 1\] is NaN"):
        read_blocks(Y[MAX_BLOCK_ROWS : MAX_BLOCK_ROWS + 9], vectors).total(
            lambda p: p.X.sum()
        )


@pytest.mark.parametrize("wrong", [np.ones(3), np.ones((2, 2, 2)), np.ones((3, 0))])
def test_shapes_that_are_no_points(wrong):
    with pytest.raises(InputError, match="X must have"):
        read_blocks(wrong, vectors)


def test_a_column_of_another_length():
    with pytest.raises(InputError, match=rf"t must have one row.* {n} .*\(3,\)"):
        read_blocks(X, vectors).total(moment, Column(np.ones(3), "t"))


def test_a_column_is_checked_block_by_block():
    def positive(block, name):
        if np.min(block) < 0:
            raise InputError(f"{name} is negative")
        return block

    values = np.ones(n)
    values[-1] = -1
    with pytest.raises(
        InputError, match=rf"^s\[{2 * MAX_BLOCK_ROWS}:{n}\] is negative"
    ):
        read_blocks(X, vectors).total(moment, Column(values, "s", positive))


def test_a_bar_counts_the_rows(capsys):
    read_blocks(X, vectors).total(lambda p: 1, what="counting", progress=True)
    assert f"counting [{'#' * 24}] 100%  {n}/{n}" in capsys.readouterr().err
    read_blocks(X, vectors).total(lambda p: 1)
    assert capsys.readouterr().err == ""


def test_dask_is_not_imported_unless_it_is_used():
    code = (
        "import sys, numpy as np; from kernellab import kernels as kl; "
        "from kernellab.lowrank import LowRankRidge, Nystroem; "
        "X = np.eye(9); LowRankRidge(Nystroem(kl.Gaussian())).fit(X, X[0]).predict(X); "
        "assert not {'dask', 'distributed'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ))
