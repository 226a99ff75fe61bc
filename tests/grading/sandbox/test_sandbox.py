"""The sandbox: values go in and come out, and nobody can forge what is read.

`test_bubblewrap.py` tests what a stranger's program cannot do.
"""

import os
import subprocess
import sys
import tempfile
import threading

import numpy as np
import pytest

from kernellab.grading.sandbox import Isolation, Limits, Returned, demand, launch, run
from kernellab.grading.sandbox.child.messages import (
    MOST_PARTS,
    Malformed,
    decode,
    encode,
    pack,
    unpack,
)
from kernellab.grading.sandbox.isolation import DEMANDED
from kernellab.grading.sandbox.results import OUT_OF_TIME, read_run


def call(source, *arguments, **options):
    """The run of a program with a function f, and the value of one call of it."""
    result = run(source, "f", [arguments], **options)
    assert result.returned, result
    returned = result.returned[0]
    assert returned.values is not None, returned
    return result, returned.values[0]


def test_values_come_back_as_they_were():
    arrays = [np.eye(2, 3), np.array([True, False]), np.array(2 + 1j), np.ones((0, 4))]
    cases = [(3,), (-0.5,), *((array,) for array in arrays)]
    result = run("def f(x): return x", "f", cases)
    for (sent,), returned in zip(cases, result.returned, strict=True):
        np.testing.assert_array_equal(returned.values[0], sent)
        assert returned.values[0].shape == np.shape(sent)
    assert result.end == ""
    assert result.isolation is Isolation.PROCESS


def test_who_asks_decides_what_is_demanded():
    assert DEMANDED.get() is Isolation.PROCESS
    with demand(Isolation.BUBBLEWRAP):
        assert DEMANDED.get() is Isolation.BUBBLEWRAP
    assert DEMANDED.get() is Isolation.PROCESS


def test_without_bubblewrap_nothing_that_demands_it_runs(monkeypatch, tmp_path):
    """Whatever is called bwrap, or if nothing is: no program runs outside of it."""
    source = f"open({str(tmp_path / 'ran')!r}, 'w').close()"
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho no permission >&2; exit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with demand(Isolation.BUBBLEWRAP):
        result = run(source, "f", [()])
        assert (result.end, result.output.strip()) == ("start", "no permission")
        broken.unlink()
        with pytest.raises(FileNotFoundError):
            run(source, "f", [()])
    assert not (tmp_path / "ran").exists()


def test_no_other_package_can_be_imported():
    source = """
def f(names):
    found = 0
    for name in names.split():
        try: __import__(name)
        except ImportError: continue
        found += 1
    return found
"""
    assert call(source, "kernellab pytest IPython run launch")[1] == 0


def test_the_environment_is_clean(monkeypatch):
    monkeypatch.setenv("KERNELLAB_SECRET_SEED", "42")
    source = "import os\ndef f(): return len([k for k in os.environ if 'KERNEL' in k])"
    assert call(source)[1] == 0
    assert call("import os\ndef f(): return len(os.environ)")[1] <= 12


def test_runs_in_threads_do_not_disturb_each_other():
    results: dict[int, object] = {}

    def one(n: int) -> None:
        results[n] = call(f"def f(x): return x + {n}", 0)[1]

    threads = [threading.Thread(target=one, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {n: int(value) for n, value in results.items()} == {n: n for n in range(4)}


def test_printed_text_is_kept_up_to_the_limit():
    source = "def f():\n    print('a' * 1000)\n    return 1"
    assert run(source, "f", [()], limits=Limits(output=10)).output == "a" * 10


@pytest.mark.parametrize(
    ("source", "end"),
    [
        ("while True: pass", "time"),
        ("import os\nos.close(3)\nimport time\ntime.sleep(1e6)", "time"),
        ("import os\nos._exit(0)", "exit"),
        ("import os\nos.abort()", "crash"),
        ("def f():\n    while True: print('x' * 10**6)", ""),
    ],
)
def test_ones_own_program_ends_too(source, end):
    limits = Limits(seconds=1.5, cpu=1)
    assert run(source, "f", [()], limits=limits).end == end


def test_what_a_killed_grader_left_is_removed(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", ""]) as grader:
        ended = grader.pid
    (tmp_path / f"{launch.FOLDER}{ended}-x" / "inside").mkdir(parents=True)
    (tmp_path / f"{launch.FOLDER}{os.getpid()}-x").mkdir()
    (tmp_path / "answer-to-keep").mkdir()
    launch._sweep.cache_clear()
    assert call("def f(): return 1")[1] == 1
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {f"{launch.FOLDER}{os.getpid()}-x", "answer-to-keep"}


# --- messages -------------------------------------------------------------------------


def test_messages_that_are_cut_off_are_left_out():
    whole = pack({"frame": "loaded"}) + pack({"frame": "case"})
    for cut in range(1, 18):
        assert len(list(unpack(whole[:-cut]))) == 1
    assert list(unpack(whole))[1] == {"frame": "case"}


@pytest.mark.parametrize(
    "line",
    [
        b"\xff" * 20,
        b"{]",
        b"1",
        b"[" * 1900,
        b"[" * 100_000,
        b"[" + b"{}," * MOST_PARTS + b"{}]",
        b"1" * 10_000,
    ],
)
def test_noise_is_malformed(line):
    with pytest.raises(Malformed):
        list(unpack(line + b"\n"))


EIGHT_BYTES = "AAAAAAAAAAA="


@pytest.mark.parametrize(
    "spec",
    [
        {"dtype": "|O", "shape": [1]},
        {"dtype": "<f4", "shape": [2]},
        {"dtype": ["<f8"], "shape": [1]},
        {"dtype": "<f8", "shape": [2]},
        {"dtype": "<f8", "shape": []} | {"data": ""},
        {"dtype": "<f8", "shape": [-1]},
        {"dtype": "<f8", "shape": [1.0]},
        {"dtype": "<f8", "shape": [True]},
        {"dtype": "<f8", "shape": [0, 10**30], "data": ""},
        {"dtype": "<f8", "shape": [1] * 100},
        {"dtype": "<f8", "shape": "12"},
        {"dtype": "<f8"},
        {"dtype": "<f8", "shape": [1], "data": "!!!"},
        {"dtype": "<f8", "shape": [1], "data": 3},
    ],
)
def test_forged_arrays_are_malformed(spec):
    with pytest.raises(Malformed):
        decode({"data": EIGHT_BYTES} | spec)


def test_arrays_become_plain_and_own_their_memory():
    class Special(np.ndarray):
        pass

    special = np.array([[1, 2]], dtype=np.int32).view(Special)
    array = decode(encode(special.T))
    assert type(array) is np.ndarray
    assert array.dtype == np.int64
    assert array.shape == (2, 1)
    array[0, 0] = 7


def read(*messages, code=0, full=False):
    answer = b"".join(map(pack, messages))
    return read_run(answer, b"", code, full, 2, Isolation.PROCESS)


READY, LOADED, DONE = ({"frame": name} for name in ("ready", "loaded", "done"))
NOTHING = {"frame": "case", "index": 0, "problem": "None"}


@pytest.mark.parametrize(
    "messages",
    [
        (NOTHING,),  # before the program is loaded
        (READY,),  # twice
        (LOADED, NOTHING | {"index": 1}),  # out of turn
        (LOADED, NOTHING, NOTHING),  # twice
        (LOADED, LOADED),
        (LOADED, DONE, NOTHING),
        (LOADED, DONE, DONE),
        (DONE,),
        (LOADED, *(NOTHING | {"index": n} for n in range(3))),  # more than asked for
        (LOADED, {"frame": "failed", "error": {}}),
        (LOADED, {"frame": "verdict", "right": True}),
        (LOADED, {"frame": "case", "index": 0}),
        (LOADED, NOTHING | {"problem": 3}),
        (LOADED, {"frame": "case", "index": 0, "values": [1]}),
        (LOADED, {"frame": "case", "index": 0, "error": "E"}),
        ({"frame": "failed", "error": {"type": "E", "message": "", "lines": ["1"]}},),
        ({"frame": "failed", "error": {"type": "E", "message": 1, "lines": []}},),
        ({},),
    ],
)
def test_messages_out_of_form_end_the_reading(messages):
    assert read(READY, *messages).end == "forged"


def test_messages_in_form_are_read():
    result = read(READY, LOADED, NOTHING, DONE)
    assert (result.loaded, result.failed, result.end) == (True, None, "")
    assert result.returned == (Returned(problem="None"),)


def test_how_a_run_ended():
    assert read(code=1).end == "start"
    assert read(READY, code=OUT_OF_TIME).end == "time"
    assert read(READY, LOADED, code=128 + 11).end == "crash"
    assert read(READY, LOADED).end == "exit"
    assert read(READY, LOADED, DONE, full=True).end == "answer"
    assert read(READY, LOADED, DONE, code=128 + 9).end == ""
