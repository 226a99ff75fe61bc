"""What a stranger's program cannot do, whatever it tries.

The last test runs all the others again in other settings: as an ordinary user, and
with the project under /tmp.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from kernellab.grading.sandbox import Limits
from tests.conftest import ROOT
from tests.grading.sandbox.strangers import (
    call_stranger,
    eventually,
    processes_of,
    run_stranger,
)

pytestmark = [
    pytest.mark.usefixtures("bubblewrap"),
    pytest.mark.filterwarnings("ignore::pytest.PytestCacheWarning"),
]

SECRET = "a grade"


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """Where temporary files would be made, and a mark on all processes."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}{os.pathsep}{tmp_path}")
    return tmp_path


def test_the_standard_library_numpy_and_scipy_can_be_used():
    source = """
import collections, ctypes, dataclasses, functools, hashlib, math, tempfile
import scipy.linalg, scipy.optimize, scipy.spatial.distance, numpy.fft
def f(x):
    with tempfile.TemporaryFile() as file: file.write(b"x")
    return scipy.linalg.cho_factor(np.eye(2))[0].sum() + math.sqrt(x)
"""
    assert call_stranger(source, 4.0) == 4.0


# Each line is tried alone; p is a path, and none of them may succeed.
READING = """
open(p, "rb").read(1)
os.listdir(p)
os.stat(p)
os.readlink(p)
os.chdir(p)
os.getxattr(p, "user.x")
os.symlink(p, "link"); open("link", "rb").read(1) or os.listdir("link")
os.link(p, "hard")
os.execv(p, [p])
"""
CHANGING = """
open(p, "a").write("x")
open(os.path.join(p, "new"), "w").write("x")
os.mkdir(os.path.join(p, "new"))
os.truncate(p, 0)
os.chmod(p, 0o777)
os.chmod(p, 0)
os.utime(p, (0, 0))
os.chown(p, os.getuid(), os.getgid())
os.chown(p, -1, -1)
os.setxattr(p, "user.x", b"1")
os.rename(p, p + "2")
os.unlink(p)
os.rmdir(p)
shutil.rmtree(p)
os.symlink("/tmp", p + "3")
os.mknod(p + "4")
os.mkfifo(p + "5")
socket.socket(socket.AF_UNIX).bind(p + "6")
"""
ELSEWHERE = """
socket.create_connection(("127.0.0.1", tcp), timeout=1)
socket.create_connection(("192.0.2.1", 80), timeout=1)
socket.getaddrinfo("example.org", 80)
socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 9))
socket.socket(socket.AF_UNIX).connect("\\0" + name)
socket.socket(socket.AF_UNIX).connect(name)
socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
os.kill(grader, 0)
os.kill(grader, 9)
os.fork()
os.posix_spawn(sys.executable, [sys.executable], {})
subprocess.run([sys.executable, "-c", ""])
threading.Thread(target=print).start()
os.setuid(0); os.getuid() or open("/etc/shadow")
os.setgid(0); os.getuid() or open("/etc/shadow")
os.chroot("/tmp")
os.sethostname("x") if hasattr(os, "sethostname") else socket.sethostname("x")
os.setpriority(os.PRIO_PROCESS, 0, -20)
os.nice(-5)
resource.setrlimit(resource.RLIMIT_CPU, (100, 100))
resource.setrlimit(resource.RLIMIT_NPROC, (100, 100))
libc("mount", b"none", b"/tmp", b"tmpfs", 0, None)
libc("umount2", b"/tmp", 2)
libc("unshare", 0x00020000)
libc("ptrace", 16, 1, 0, 0) or libc("ptrace", 16, grader, 0, 0)
libc("setns", 0, 0)
libc("swapoff", b"/")
libc("reboot", 0)
libc("settimeofday", bytes(16), None)
open("/dev/mem", "rb").read(1)
open("/dev/tty", "w").write("x")
open("/dev/shm/x", "w").write("x")
open("/proc/self/environ").read()
open("/sys/kernel/notes").read()
"""

PROBE = """
import ctypes, os, resource, shutil, socket, subprocess, sys, threading

def libc(name, *arguments):
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)

def tried(line, names):
    try:
        exec(line, globals() | names)
    except (OSError, RuntimeError, ValueError, subprocess.SubprocessError):
        return 0
    return 1

def f(lines, paths, tcp, name, grader):
    names = dict(tcp=tcp, name=name, grader=grader)
    return [[tried(line, names | {"p": p}) for line in lines.split("\\n")]
            for p in paths.split("\\n")]
"""


def successes(lines, paths, tcp=0, name="", grader=0):
    """The lines that did something, with the path to which they did it."""
    wanted = [line for line in lines.splitlines() if line]
    texts = "\n".join(wanted), "\n".join(map(str, paths))
    found = call_stranger(PROBE, *texts, tcp, name, grader)
    rows, columns = np.nonzero(found)
    return [
        (str(paths[r]), wanted[c]) for r, c in zip(rows, columns, strict=True)
    ]  # fmt: skip


@pytest.fixture
def treasures(tmp_path):
    """A file and a folder that anybody may change."""
    secret, folder = tmp_path / "grades.csv", tmp_path / "open"
    secret.write_text(SECRET)
    secret.chmod(0o666)
    folder.mkdir()
    folder.chmod(0o777)
    return secret, folder


def test_nothing_of_others_can_be_read_or_changed(treasures):
    """The reported holes among them: chmod, utime, chown and setxattr."""
    secret, folder = treasures
    before = [os.stat(path) for path in treasures]
    here = Path(__file__)
    paths = [secret, folder, here, ROOT / "exercises", ROOT / "kernellab"]
    assert successes(READING + CHANGING, paths) == []
    after = [os.stat(path) for path in treasures]
    same = ("st_mode", "st_uid", "st_gid", "st_size", "st_mtime_ns", "st_ctime_ns")
    for name in same:
        old = [getattr(status, name) for status in before]
        assert [getattr(status, name) for status in after] == old, name
    assert os.listxattr(secret) == []
    assert secret.read_text() == SECRET
    assert list(folder.iterdir()) == []


def test_the_system_is_out_of_reach():
    places = ["/etc/passwd", "/etc/shadow", "/etc/hostname", "/proc/1/environ", "/sys"]
    places += [f"/proc/{os.getpid()}/{name}" for name in ("environ", "mem", "root")]
    places += [os.path.expanduser("~/.ssh"), "/var", "/run", "/boot", "/usr/bin/env"]
    assert successes(READING, places) == []


def test_libraries_can_be_read_and_not_changed():
    places = [os.__file__, np.__file__, os.path.dirname(np.__file__), "/usr/lib"]
    # What is beside a library in /tmp is the program's own, and so is what is nowhere.
    lines = [line for line in CHANGING.splitlines() if "p + " not in line]
    child = ["/grader/child", "/grader/child/worker.py"]
    changed = successes("\n".join(lines), [*places, *child])
    # To change nothing is allowed: the owner stays who it is.
    assert [line for _, line in changed if line != "os.chown(p, -1, -1)"] == []


def test_nobody_else_can_be_reached(scratch):
    name = f"kernellab-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as named,
    ):
        abstract.bind(f"\0{name}")
        abstract.listen()
        named.bind(str(scratch / name))
        named.listen()
        port, me = tcp.getsockname()[1], os.getpid()
        assert successes(ELSEWHERE, ["-"], port, name, me) == []
        unix = "socket.socket(socket.AF_UNIX).connect(name)"
        assert successes(unix, ["-"], port, str(scratch / name), me) == []


def test_the_disk_is_bounded_and_nothing_stays(scratch):
    source = """
import os
def f():
    written = 0
    for n in range(10**6):
        try:
            with open(f"/tmp/file{n}", "wb", buffering=0) as file:
                while True: written += file.write(bytes(1 << 20))
        except OSError as error:
            if error.errno == 28: return written  # no space left
"""
    limits = Limits(disk=8 << 20)
    assert 4 << 20 <= call_stranger(source, limits=limits) <= 8 << 20
    assert list(scratch.iterdir()) == []


def test_folders_without_end_leave_nothing(scratch):
    source = """
import os
def f():
    for _ in range(1200):
        os.mkdir("d"); os.chdir("d")
    os.mkdir("closed", 0)
    os.symlink("/etc", "link")
    return 1
"""
    assert call_stranger(source) == 1
    assert list(scratch.iterdir()) == []


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


def test_a_daemon_does_not_outlive_the_run(scratch):
    limits = Limits(processes=500)  # old kernels count all processes of a user
    assert call_stranger(DAEMON, limits=limits) == 1
    assert eventually(lambda: processes_of(scratch) == [])


def test_a_fork_bomb_is_put_out(scratch):
    source = """
import os
def f():
    while True:
        try: os.fork()
        except OSError: pass
"""
    limits = Limits(seconds=1, cpu=1, processes=20)
    assert run_stranger(source, limits=limits).end in ("time", "answer")
    assert eventually(lambda: processes_of(scratch) == [])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")
def test_started_as_root_it_is_not_root():
    users = {int(call_stranger("import os\ndef f(): return os.getuid()")) for _ in "ab"}
    assert len(users) == 2
    assert 0 not in users


@pytest.mark.skipif(os.geteuid() == 0, reason="root has no user namespace around it")
def test_started_as_a_user_no_namespace_can_be_made():
    assert successes('libc("unshare", 0x10000000)', ["-"]) == []


def test_if_the_grader_is_killed_its_programs_end(scratch):
    code = """
from kernellab.grading.sandbox import Isolation, Limits, demand, run
source = "import time" + chr(10) + "def f(): time.sleep(1000)"
with demand(Isolation.BUBBLEWRAP):
    run(source, "f", [()], limits=Limits(seconds=1000))
"""
    environment = os.environ | {"TMPDIR": str(scratch)}
    grader = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=environment)
    assert eventually(lambda: len(processes_of(scratch)) >= 3)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    assert eventually(lambda: processes_of(scratch) == [])
    assert list(scratch.iterdir()) == []


# --- other settings -------------------------------------------------------------------

USER = 54321


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become a user for a test")
@pytest.mark.parametrize(
    ("user", "place"),
    [
        pytest.param(USER, "/tmp/project"),
        pytest.param(USER, "/tmp/with/attacks", marks=pytest.mark.exhaustive),
        pytest.param(USER, str(ROOT), marks=pytest.mark.exhaustive),
        pytest.param(0, "/tmp/with/attacks", marks=pytest.mark.exhaustive),
    ],
)
def test_other_settings(request, user, place):
    """In a view of this machine in which that user can read Python and the project."""
    if not shutil.which("setpriv"):
        pytest.skip("no setpriv: nobody can become an ordinary user for a test")
    files = [Path(__file__)]
    if request.node.get_closest_marker("exhaustive"):
        files += [ROOT / "tests/grading/questions/test_code_questions.py"]
    command = setting(user, place, files)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout


def setting(user, place, files):
    """The command that runs files of tests as a user, in a project at a place."""
    base, environment = Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve()
    moved = str(environment) if place == str(ROOT) else "/tmp/environment"
    shown = {str(base): str(base), str(ROOT): place, str(environment): moved}
    view = ["--dev-bind", "/", "/", "--perms", "1777", "--tmpfs", "/tmp"]
    for top in {f"/{path.parts[1]}" for path in (base, ROOT, environment)}:
        if top not in ("/usr", "/opt", "/tmp"):
            view += ["--perms", "0755", "--tmpfs", top]
    for source, target in shown.items():
        for folder in reversed(Path(target).parents[:-1]):
            view += ["--perms", "0755", "--dir", str(folder)]
        view += ["--ro-bind", source, target]
    become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    variables = ["env", f"PYTHONPATH={place}", "HOME=/tmp", "CI=true"]
    python = [f"{moved}/bin/python", "-B", "-m", "pytest", "-q", "-W", "default"]
    options = ["-p", "no:cacheprovider", "--rootdir", place, "-k", "not settings"]
    tests = [f"{place}/{path.relative_to(ROOT)}" for path in files]
    keep = ["--cap-add", "ALL", "--die-with-parent", "--chdir", place, "--"]
    return ["bwrap", *view, *keep, *become, *variables, *python, *options, *tests]
