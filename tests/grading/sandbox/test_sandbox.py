"""The sandbox: what a program may do, what it may not, and what it leaves behind.

Each wall is tried alone and with the others: what `Isolation` claims must hold.
"""

import os
import platform
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kernellab.grading.sandbox import Isolation, Limits, run
from kernellab.grading.sandbox.arrays import decode, encode
from kernellab.grading.sandbox.frames import Malformed, pack, unpack
from kernellab.grading.sandbox.paths import expand, layout
from kernellab.grading.sandbox.results import Returned, read_frames

LINUX = sys.platform == "linux"
ROOT = Path(__file__).resolve().parents[3]

WALLS = {
    "all": (),
    "no namespaces": ("namespaces",),
    "no root of its own": ("root",),
    "no Landlock": ("landlock",),
    "namespaces alone": ("landlock", "seccomp"),
    "Landlock alone": ("namespaces", "seccomp"),
    "seccomp alone": ("namespaces", "landlock"),
}

linux = pytest.mark.skipif(not LINUX, reason="walls of Linux")


# All layers together for every run; with some taken away for `make test-all`.
@pytest.fixture(
    params=[
        pytest.param(name, marks=[pytest.mark.exhaustive] if WALLS[name] else [])
        for name in WALLS
    ]
)
def walls(request):
    return WALLS[request.param]


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """Where the sandbox makes its temporary folders."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def call(source, *arguments, **options):
    """The run of a program with a function f, and the value of one call of it."""
    result = run(source, "f", [arguments], **options)
    assert result.returned, result
    returned = result.returned[0]
    assert returned.values is not None, returned
    return result, returned.values[0]


def processes_of(folder: Path) -> list[str]:
    """The processes whose environment names a folder, as the sandbox's does."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if str(folder).encode() in entry.read_bytes():
                found.append(entry.parent.name)
        except OSError:
            continue
    return found


def test_values_come_back_as_they_were():
    arrays = [np.eye(2, 3), np.array([True, False]), np.array(2 + 1j), np.ones((0, 4))]
    cases = [(3,), (-0.5,), *((array,) for array in arrays)]
    result = run("def f(x): return x", "f", cases)
    for (sent,), returned in zip(cases, result.returned, strict=True):
        np.testing.assert_array_equal(returned.values[0], sent)
        assert returned.values[0].shape == np.shape(sent)
    assert result.end == ""


@pytest.mark.parametrize("without", [(), ("namespaces",), ("landlock",)])
def test_the_standard_library_numpy_and_scipy_can_be_used(without):
    source = """
import collections, ctypes, dataclasses, functools, hashlib, math, tempfile
import scipy.linalg, scipy.optimize, scipy.spatial.distance, numpy.fft
def f(x):
    with tempfile.TemporaryFile() as file: file.write(b"x")
    return scipy.linalg.cho_factor(np.eye(2))[0].sum() + math.sqrt(x)
"""
    assert call(source, 4.0, without=without)[1] == 4.0


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
    assert call(source, "kernellab pytest IPython sandbox.run")[1] == 0


@linux
def test_this_machine_gives_what_its_kernel_has():
    isolation = run("def f(): return 1", "f", [()]).isolation
    assert isolation.session == "own session"
    assert isolation.limits.startswith("10 s, 5 s CPU, 1 GiB")
    assert "processes" not in isolation.missing
    if platform.machine() in ("x86_64", "aarch64"):
        assert "network" not in isolation.missing
        assert "calls" not in isolation.missing
    if has_landlock():
        assert "files" not in isolation.missing


def has_landlock() -> bool:
    from kernellab.grading.sandbox.landlock import version

    try:
        return version() > 0
    except OSError:
        return False


def test_the_isolation_is_put_into_words():
    bare = Isolation(session="own session", limits="10 s")
    assert str(bare) == (
        "own session; 10 s; not here: user, processes, network, files, calls"
    )
    assert not bare.complete
    full = Isolation(**dict.fromkeys(bare.as_dict(), "x"))
    assert full.complete
    assert Isolation.of({"session": "x", "more": "y"}) == Isolation(session="x")


PROBE = """
import os, socket

def tried(action):
    try: action()
    except OSError: return 0
    return 1

def read(path):
    with open(path, "rb") as file: file.read(1)

def write(path):
    with open(path, "w") as file: file.write("x")

def send(port):
    with socket.socket(type=socket.SOCK_DGRAM) as s: s.sendto(b"x", ("127.0.0.1", port))

def f(readable, writable, tcp, udp, grader):
    write("own")
    readable, writable = readable.split("\\n"), writable.split("\\n")
    return [
        sum(tried(lambda: read(p)) + tried(lambda: os.listdir(p)) for p in readable),
        sum(tried(lambda: write(p)) for p in writable),
        tried(lambda: socket.create_connection(("127.0.0.1", tcp), timeout=2)),
        tried(lambda: send(udp)),
        tried(lambda: os.kill(grader, 0)),
        os.getppid() != 1 and tried(lambda: os.kill(os.getppid(), 0)),
    ]
"""


@linux
def test_no_harm_to_others(walls, scratch):
    result, (read, written, tcp, udp, grader, parent) = probe(walls, scratch)
    isolation = result.isolation
    if "files" in isolation.missing:
        assert read > 0  # it says so, and it is so
    else:
        assert (read, written) == (0, 0)
        assert list((scratch / "open").iterdir()) == []
    if isolation.network:
        assert tcp == 0
        assert udp == 0 or isolation.network == "no TCP (Landlock)"
    if "namespace" in isolation.processes or isolation.calls:
        assert (grader, parent) == (0, 0)


def probe(walls, scratch):
    """What a program that tries everything gets at."""
    secret, folder = scratch / "grades.csv", scratch / "open"
    secret.write_text("secret")
    secret.chmod(0o644)
    folder.mkdir()
    folder.chmod(0o777)
    package, me = ROOT / "kernellab" / "grading" / "sandbox", os.getpid()
    readable = [secret, package, package / "run.py", ROOT / "exercises", __file__]
    readable += [ROOT / "pyproject.toml", "/etc/passwd", "/home", "/proc/1/environ"]
    readable += [f"/proc/{me}/environ", f"/proc/{me}/mem", "/proc/self/environ"]
    writable = [folder / "f"]
    if not {"namespaces", "landlock"} <= set(walls):  # or it would come true
        writable += ["/f", "/usr/lib/f", "/dev/shm/f", os.__file__ + ".f"]
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(type=socket.SOCK_DGRAM) as udp,
    ):
        udp.bind(("127.0.0.1", 0))
        ports = tcp.getsockname()[1], udp.getsockname()[1]
        texts = ["\n".join(map(str, paths)) for paths in (readable, writable)]
        return call(PROBE, *texts, *ports, me, without=walls)


@linux
@pytest.mark.parametrize("without", [(), ("namespaces",)])
def test_whatever_is_left_in_the_temporary_folder_is_removed(without, scratch):
    source = """
import os
def f():
    for _ in range(1200):
        os.mkdir("d"); os.chdir("d")
    os.mkdir("closed", 0)
    os.symlink("/etc", "link")
    return 1
"""
    assert call(source, without=without)[1] == 1
    assert list(scratch.iterdir()) == []
    assert os.path.exists("/etc")


DAEMON = """
import os, time
def f():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for n in range(64):
                try: os.close(n)
                except OSError: pass
            time.sleep(1000)
        os._exit(0)
    os.wait()
    return 1
"""


@linux
def test_a_daemon_does_not_outlive_the_run(walls, scratch):
    limits = Limits(processes=500)  # a shared user may have many others
    assert call(DAEMON, without=walls, limits=limits)[1] == 1
    assert processes_of(scratch) == []


@linux
@pytest.mark.parametrize("without", [("seccomp",), ("namespaces", "seccomp")])
def test_a_fork_bomb_is_put_out(without, scratch):
    source = """
import os
def f():
    while True:
        try: os.fork()
        except OSError: pass
"""
    limits = Limits(seconds=1, cpu=1, processes=20)
    if "user" in run("def f(): pass", "f", [()], without=without).isolation.missing:
        pytest.skip("as root, the number of processes is not limited")
    assert run(source, "f", [()], limits=limits, without=without).end == "time"
    assert processes_of(scratch) == []


@linux
def test_memory_cannot_be_shared_or_hidden():
    source = """
import ctypes, os
def f():
    libc = ctypes.CDLL(None, use_errno=True)
    got = libc.shmget(0, 1 << 20, 0o1600) != -1
    try: os.memfd_create("x"); got += 1
    except OSError: pass
    return got
"""
    assert call(source)[1] == 0


def test_the_environment_is_clean(monkeypatch):
    monkeypatch.setenv("KERNELLAB_SECRET_SEED", "42")
    source = "import os\ndef f(): return len([k for k in os.environ if 'KERNEL' in k])"
    assert call(source)[1] == 0
    assert call("import os\ndef f(): return len(os.environ)")[1] <= 12


@linux
@pytest.mark.skipif(LINUX and os.geteuid() != 0, reason="only root changes users")
def test_two_programs_are_two_users():
    source = "import os, time\ndef f():\n    time.sleep(0.3)\n    return os.getuid()"
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda _: call(source), range(2)))
    if all(result.isolation.user for result, _ in runs):
        users = {int(user) for _, user in runs}
        assert len(users) == 2
        assert 0 not in users


@linux
def test_if_the_grader_is_killed_its_programs_end(tmp_path):
    code = f"""
import tempfile
tempfile.tempdir = {str(tmp_path)!r}
from kernellab.grading.sandbox import run, Limits
source = "import time" + chr(10) + "def f(): time.sleep(1000)"
run(source, "f", [()], limits=Limits(seconds=1000))
"""
    grader = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    assert eventually(lambda: len(processes_of(tmp_path)) >= 2)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    assert eventually(lambda: processes_of(tmp_path) == [])


def eventually(condition) -> bool:
    for _ in range(400):
        if condition():
            return True
        time.sleep(0.025)
    return False


def test_without_a_supervisor_as_on_windows():
    result, value = call("def f(x): return 2 * x", 3, without=["supervisor"])
    assert value == 6
    assert result.isolation.session == "a process of its own"
    assert "files" in result.isolation.missing


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


# --- messages -------------------------------------------------------------------------


def test_messages_that_are_cut_off_are_left_out():
    whole = pack({"frame": "loaded"}) + pack({"frame": "case"}, b"abc")
    for cut in range(1, 20):
        assert len(list(unpack(whole[:-cut]))) == 1
    assert list(unpack(whole))[1] == ({"frame": "case"}, b"abc")


@pytest.mark.parametrize(
    "data",
    [
        b"\xff" * 20,
        b"\0\0\0\x02\0\0\0\0{]",
        b"\0\0\0\x01\0\0\0\x001",
        b"\0\0\0\x02\0\0\0\0\xff\xff",
        (100_000).to_bytes(4, "big") + bytes(4) + b"[" * 100_000,
    ],
)
def test_noise_is_malformed(data):
    with pytest.raises(Malformed):
        list(unpack(data))


@pytest.mark.parametrize(
    ("specs", "payload"),
    [
        (None, b""),
        ([1], b""),
        ([{"dtype": "|O", "shape": [1]}], bytes(8)),
        ([{"dtype": "<f4", "shape": [1]}], bytes(4)),
        ([{"dtype": ["<f8"], "shape": [1]}], bytes(8)),
        ([{"dtype": "<f8", "shape": [2]}], bytes(8)),
        ([{"dtype": "<f8", "shape": [1]}], bytes(16)),
        ([{"dtype": "<f8", "shape": [-1]}], bytes(8)),
        ([{"dtype": "<f8", "shape": [1.0]}], bytes(8)),
        ([{"dtype": "<f8", "shape": [0, 10**30]}], b""),
        ([{"dtype": "<f8", "shape": [1] * 100}], bytes(8)),
        ([{"dtype": "<f8", "shape": "12"}], bytes(8)),
        ([{"dtype": "<f8"}], bytes(8)),
    ],
)
def test_forged_arrays_are_malformed(specs, payload):
    with pytest.raises(Malformed):
        decode(specs, payload)


def test_arrays_become_plain_and_own_their_memory():
    class Special(np.ndarray):
        pass

    special = np.array([[1, 2]], dtype=np.int32).view(Special)
    (array,) = decode(*encode([special.T]))
    assert type(array) is np.ndarray
    assert array.dtype == np.int64
    assert array.shape == (2, 1)
    array[0, 0] = 7


def frames(*headers):
    return iter([(header, b"") for header in headers])


LOADED = {"frame": "loaded"}
NOTHING = {"frame": "case", "index": 0, "problem": "None"}


@pytest.mark.parametrize(
    "headers",
    [
        (NOTHING,),  # before the program is loaded
        (LOADED, NOTHING | {"index": 1}),  # out of turn
        (LOADED, NOTHING, NOTHING),  # twice
        (LOADED, LOADED),
        (LOADED, {"frame": "done"}, NOTHING),
        (LOADED, {"frame": "done"}, {"frame": "done"}),
        (LOADED, *(NOTHING | {"index": n} for n in range(3))),  # more than asked for
        (LOADED, {"frame": "failed", "error": {}}),
        (LOADED, {"frame": "verdict", "right": True}),
        (LOADED, {"frame": "case", "index": 0}),
        (LOADED, NOTHING | {"problem": 3}),
        (LOADED, {"frame": "case", "index": 0, "values": [{"value": 1}]}),
        (LOADED, {"frame": "case", "index": 0, "error": "E"}),
        ({"frame": "failed", "error": {"type": "E", "message": "", "lines": ["1"]}},),
        ({"frame": "failed", "error": {"type": "E", "message": 1, "lines": []}},),
        ({},),
    ],
)
def test_messages_out_of_form_end_the_reading(headers):
    assert read_frames(frames(*headers), 2)[3] == "forged"


def test_messages_in_form_are_read():
    done = {"frame": "done"}
    loaded, failed, returned, end = read_frames(frames(LOADED, NOTHING, done), 1)
    assert (loaded, failed, end) == (True, None, "done")
    assert returned == [Returned(problem="None")]


# --- paths ----------------------------------------------------------------------------


def test_hidden_folders_are_left_out(tmp_path):
    for name in ("a/x", "a/hidden/y", "b"):
        (tmp_path / name).mkdir(parents=True)
    root = str(tmp_path)
    assert expand(root, []) == [root]
    assert expand(root, [f"{root}/a/hidden"]) == [f"{root}/a/x", f"{root}/b"]
    assert expand(root, [root]) == []


def test_what_may_be_read_does_not_hold_this_package():
    files = layout()
    shown = [part for root in files["roots"] for part in expand(root, files["hidden"])]
    shown += files["below"]
    package = Path(encode.__code__.co_filename).resolve()
    assert not [path for path in shown if Path(path) in package.parents]
