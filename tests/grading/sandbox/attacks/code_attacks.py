"""Answers that try to earn points, or to do harm, instead of doubling a number.

Each defines (or should define) `twice(x)`, which is 2x. None may gain a point, hang,
leave a process behind, or spoil the next answer.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]

ATTACKS = {}


def attack(name: str, text: str) -> None:
    """Add one; two of the same name would hide each other."""
    assert name not in ATTACKS, name
    ATTACKS[name] = text


def body(name: str, *lines: str) -> None:
    """Add one whose harm is done in the call."""
    attack(name, "\n    ".join(["def twice(x):", *lines]))


# --- time -----------------------------------------------------------------------------
body("endless loop", "while True: pass")
attack("endless loop at import", "while True: pass")
body("sleeps", "import time", "time.sleep(1e6)")
body("one long call in C", "return sum(range(10**12))")
body(
    "no exception ends it",
    "while True:",
    "    try:",
    "        while True: pass",
    "    except BaseException: pass",
)
body("stops itself", "import os, signal", "os.kill(os.getpid(), signal.SIGSTOP)")
body(
    "ignores signals",
    "import signal",
    "for n in range(1, 65):",
    "    try: signal.signal(n, signal.SIG_IGN)",
    "    except (OSError, ValueError): pass",
    "while True: pass",
)
attack(
    "message that never ends",
    """
class E(Exception):
    def __str__(self):
        while True: pass
def twice(x):
    raise E
""",
)

# --- processes ------------------------------------------------------------------------
body("fork bomb", "import os", "while True: os.fork()")
body(
    "fork bomb that insists",
    "import os",
    "while True:",
    "    try: os.fork()",
    "    except OSError: pass",
)
body(
    "subprocesses",
    "import subprocess, sys",
    "loop = [sys.executable, '-c', 'while True: pass']",
    "for _ in range(1000): subprocess.Popen(loop)",
)
body(
    "threads",
    "import threading, time",
    "for _ in range(10000):",
    "    threading.Thread(target=time.sleep, args=(1e6,)).start()",
)
body(
    "daemon",
    "import os, time",
    "if os.fork() == 0:",
    "    os.setsid()",
    "    if os.fork() == 0:",
    "        time.sleep(1e6)",
    "    os._exit(0)",
    "return x",
)
body("kills its parent", "import os", "os.kill(os.getppid(), 9)", "return x")
body("kills its group", "import os", "os.killpg(0, 9)", "return x")
body("kills everybody", "import os", "os.kill(-1, 9)", "return x")

# --- memory and output ----------------------------------------------------------------
body("memory bomb", "a = [x]", "while True: a = a + a")
body("one huge array", "return np.ones(10**11)")
body("memory in NumPy", "a = []", "while True: a.append(np.ones(10**6))")
body("huge output", "while True: print('x' * 100000)")
body("huge error output", "import os", "while True: os.write(2, b'x' * 65536)")
body("huge value", "return np.ones(20_000_000)")
body("huge list", "return [0] * 10_000_000")
body("huge message", "raise ValueError('x' * 10**8)")
body("huge integer", "return 10 ** 5000")
body("deep recursion", "return twice(x)")
body(
    "deep recursion without limit",
    "import sys",
    "sys.setrecursionlimit(10**9)",
    "def f(n): return f([n])",
    "return f(x)",
)
body("deep list", "a = [1]", "for _ in range(10**5): a = [a]", "return a")

# --- the end of the program -----------------------------------------------------------
body("os._exit", "import os", "os._exit(0)")
attack("os._exit at import", "import os\nos._exit(0)")
body("sys.exit", "import sys", "sys.exit(0)")
attack("sys.exit at import", "import sys\nsys.exit(0)\ndef twice(x): return 2 * x")
body("keyboard interrupt", "raise KeyboardInterrupt")
body("crash", "import ctypes", "ctypes.string_at(0)")
body("abort", "import os", "os.abort()")

# --- values that claim to be right ----------------------------------------------------
attack(
    "__eq__ always true",
    """
class Right:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __le__(self, other): return True
    def __sub__(self, other): return 0.0
    def __array__(self, dtype=None, copy=None): return np.zeros(1)
    __hash__ = None
def twice(x):
    return Right()
""",
)
attack(
    "array with its own __eq__",
    """
class Right(np.ndarray):
    def __eq__(self, other): return True
    def __array_function__(self, *a, **k): return True
    def __array_ufunc__(self, *a, **k): return np.zeros(1)
def twice(x):
    return np.zeros_like(x).view(Right)
""",
)
attack(
    "number with its own comparison",
    """
class Right(float):
    def __eq__(self, other): return True
    def __float__(self): return 1.0
    __hash__ = float.__hash__
def twice(x):
    return Right(0.0)
""",
)
attack(
    "class that lies about itself",
    """
class Right:
    @property
    def __class__(self): return np.ndarray
    dtype = np.dtype(float); shape = (2,); nbytes = 16
def twice(x):
    return Right()
""",
)
body("NaN", "return np.full_like(x, np.nan, dtype=float)")
body("infinite", "return np.full_like(x, np.inf, dtype=float)")
body("all NaN objects", "return np.array([float('nan')] * len(x), dtype=object)")
body("None", "return None")
body("text", "return 'right'")
body("text with the numbers", "return [str(2 * v) for v in x]")
body("generator", "return (2 * v for v in x)")
body("function", "return twice")
body("complex", "return 2 * x + 0j")
body("object array", "return np.array([object()] * len(x))")
body("structured array", "return np.zeros(len(x), dtype='i4,i4')")
body("dates", "return np.zeros(len(x), dtype='M8[s]')")
body("column", "return 2 * x[:, None]")
body("broadcasts", "return np.array(2.0)")
body("empty", "return np.array([])")
body("too many values", "return 2 * x, 2 * x")
body("the input itself, doubled halfway", "x *= 2", "return x / 2")
body("masked", "return np.ma.masked_all(len(x))")

# --- the tools of the grader ----------------------------------------------------------
attack(
    "patched NumPy",
    """
for name in ("allclose", "array_equal", "isclose", "all", "isfinite"):
    setattr(np, name, lambda *a, **k: True)
np.asarray = np.array = np.ascontiguousarray = lambda *a, **k: np.zeros(2)
np.testing.assert_allclose = lambda *a, **k: None
def twice(x):
    return x
""",
)
attack(
    "patched json",
    """
import json, sys
json.dumps = lambda *a, **k: '{"frame": "case", "index": 0, "right": true}'
for module in list(sys.modules.values()):
    if hasattr(module, "pack"): module.pack = lambda *a: b"x" * 100
def twice(x):
    return x
""",
)
attack(
    "patched builtins",
    """
import builtins
builtins.abs = builtins.len = builtins.max = lambda *a, **k: 0
builtins.isinstance = lambda *a: True
def twice(x):
    return x
""",
)
attack(
    "patched worker",
    """
import sys
worker = sys.modules.get("child.worker")
if worker is not None:
    worker.answer = lambda *a: {"values": [], "right": True, "points": 100}
def twice(x):
    return x
""",
)
attack(
    "own hooks",
    """
import sys
sys.excepthook = sys.unraisablehook = lambda *a: None
sys.stdout = sys.stderr = None
sys.settrace(lambda *a: None)
def twice(x):
    raise ValueError
""",
)
attack("imports the grader", "import kernellab\ndef twice(x): return x")
attack(
    "imports the grader from its folder",
    f"""
import sys
sys.path[:0] = [{str(ROOT)!r}, ".", "..", "/"]
from kernellab.grading.questions.base import Question
Question.grade = lambda *a, **k: None
def twice(x): return x
""",
)
body(
    "reads the sheet",
    f"with open({str(ROOT / 'tests' / 'conftest.py')!r}) as file: file.read()",
    "return 2 * x",
)
body(
    "reads the parent's memory",
    "import os",
    "with open(f'/proc/{os.getppid()}/mem', 'rb') as file: file.read(1)",
    "return 2 * x",
)
body(
    "reads the parent's environment",
    "import os",
    "with open(f'/proc/{os.getppid()}/environ', 'rb') as file: file.read()",
    "return 2 * x",
)
body("writes beside", "with open('/grades.csv', 'w') as file: pass", "return 2 * x")
body(
    "fills the disk",
    "for n in range(10**6):",
    "    with open(f'file{n}', 'wb') as file: file.write(bytes(10**7))",
    "return 2 * x",
)
body(
    "one endless file",
    "with open('file', 'wb') as file:",
    "    while True: file.write(bytes(10**6))",
)
body(
    "folder in folder",
    "import os",
    "for _ in range(3000):",
    "    os.mkdir('d', 0o700); os.chdir('d')",
    "os.mkdir('closed', 0)",
    "return x",
)
attack(
    "looks for what is expected",
    """
import gc, inspect
def twice(x):
    for found in gc.get_objects():
        if isinstance(found, dict) and ("expected" in found or "reference" in found):
            for key in ("expected", "reference"):
                if key in found and not callable(found[key]):
                    return found[key]
    for frame in inspect.stack():
        for name, value in frame.frame.f_locals.items():
            if name in ("expected", "reference", "right"):
                return value
    return x
""",
)

# --- files of others ------------------------------------------------------------------
OTHERS = str(ROOT / "pyproject.toml")
for name, line in {
    "chmod": f"os.chmod({OTHERS!r}, 0o777)",
    "chmod to nothing": f"os.chmod({str(ROOT)!r}, 0)",
    "utime": f"os.utime({OTHERS!r}, (0, 0))",
    "chown": f"os.chown({OTHERS!r}, os.getuid(), os.getgid())",
    "setxattr": f"os.setxattr({OTHERS!r}, 'user.x', b'1')",
    "truncate": f"os.truncate({OTHERS!r}, 0)",
    "rename": f"os.rename({OTHERS!r}, {OTHERS!r} + '2')",
    "stat": f"os.stat({OTHERS!r})",
    "symlink": f"os.symlink({OTHERS!r}, 'link'); open('link').read()",
    "hard link": f"os.link({OTHERS!r}, 'link')",
    "reads /etc": "open('/etc/passwd').read()",
    "lists the home": "os.listdir(os.path.dirname(os.path.expanduser('~root')))",
    "lists processes": "os.listdir('/proc')",
    "shared memory": "open('/dev/shm/x', 'w').write('x')",
}.items():
    body(name, "import os", line, "return 2 * x")

# --- the network ----------------------------------------------------------------------
body(
    "connects",
    "import socket",
    "socket.create_connection(('127.0.0.1', 1), timeout=1)",
    "return 2 * x",
)
body(
    "asks for a name",
    "import socket",
    "socket.getaddrinfo('example.org', 80)",
    "return 2 * x",
)
body(
    "sends a datagram",
    "import socket",
    "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))",
    "return 2 * x",
)

# --- messages -------------------------------------------------------------------------
FORGER = """
import json, os
def line(**message):
    return json.dumps(message).encode() + b"\\n"
def everywhere(data):
    for n in range(64):
        try: os.write(n, data)
        except OSError: pass
"""
attack(
    "forged verdict",
    FORGER
    + """
everywhere(line(frame="loaded"))
for i in range(20):
    everywhere(line(frame="case", index=i, right=True, points=10))
everywhere(line(frame="done", status="right", points=10))
os._exit(0)
""",
)
attack(
    "forged values",
    FORGER
    + """
import base64
everywhere(line(frame="loaded"))
for i in range(20):
    data = base64.b64encode(bytes(8 * i + 16)).decode()
    value = dict(dtype="<f8", shape=[i + 2], data=data)
    everywhere(line(frame="case", index=i, values=[value]))
everywhere(line(frame="done"))
os._exit(0)
""",
)
attack(
    "forged start",
    FORGER + 'everywhere(line(frame="ready"))\ndef twice(x): x',
)
attack(
    "takes the start back",
    FORGER
    + """
for n in range(64):
    try: os.ftruncate(n, 0); os.lseek(n, 0, 0)
    except OSError: pass
os._exit(1)
""",
)
attack("forged noise", FORGER + "everywhere(b'\\xff' * 1000)\ndef twice(x): return x")
for label, value in {
    "object dtype": '{"dtype": "|O", "shape": [1]}',
    "huge shape": '{"dtype": "<f8", "shape": [10**9, 10**9, 10**9]}',
    "empty huge shape": '{"dtype": "<f8", "shape": [0, 10**30]}',
    "negative shape": '{"dtype": "<f8", "shape": [-1, -8]}',
    "true shape": '{"dtype": "<f8", "shape": [True]}',
    "plain value": '{"value": {"a": 1}}',
}.items():
    text = (
        FORGER
        + f"""
everywhere(line(frame="loaded"))
everywhere(line(frame="case", index=0, values=[{value}]))
os._exit(0)
"""
    )
    attack(f"forged {label}", text)
attack(
    "forged nesting",
    FORGER + "everywhere(b'[' * 100000 + b'\\n')\nos._exit(0)",
)
attack(
    "forged crowd",
    FORGER + "everywhere(b'[' + b'{},' * 10**6 + b'{}]\\n')\nos._exit(0)",
)
attack(
    "endless messages",
    FORGER + "while True: everywhere(line(frame='loaded', more='x' * 10**6))",
)
attack(
    "many small messages",
    FORGER + "while True: everywhere(line(frame='loaded') * 3000)",
)
attack(
    "many cases",
    FORGER
    + """
everywhere(line(frame="loaded"))
for i in range(10**6):
    os.write(3, line(frame="case", index=i, problem="None"))
""",
)
body("closes all files", "import os", "os.closerange(0, 64)", "return x")
body(
    "closes and prints", "import sys", "sys.stdout.close()", "print(1)", "return 2 * x"
)

# --- exceptions -----------------------------------------------------------------------
attack(
    "exception that hides",
    """
class E(Exception):
    def __str__(self): raise SystemExit(0)
    def __repr__(self): raise SystemExit(0)
def twice(x):
    raise E
""",
)
attack(
    "exception with a false text",
    """
class S(str):
    def __str__(self): return self
    def encode(self, *a): return b"x" * 10**9
class E(Exception):
    def __str__(self): return S("<script>alert(1)</script>\\x1b[31m\\u202e")
def twice(x):
    raise E
""",
)
attack(
    "type with a false name",
    """
class M(type):
    __name__ = property(lambda cls: 1 / 0)
class V(metaclass=M):
    def __repr__(self): return 1
def twice(x):
    return V()
""",
)

# --- text that is no program ----------------------------------------------------------
attack("not Python", "twice x = 2 x")
attack("null bytes", "def twice(x):\n    return x\0")
attack("surrogates", "def twice(x):\n    return '\ud800'")
attack("other digits", "def twice(x):\n    return ２ * x")
attack("many lines", "x = 1\n" * 1_000_000)
attack("deeply nested", "x = " + "(" * 50_000 + ")" * 50_000)
attack("long sum", "x = " + "1+" * 60_000 + "1")
attack("magic", "%%bash\nrm -rf /")
attack("shell", "!rm -rf /\ndef twice(x): return x")
attack("another name", "def Twice(x):\n    return 2 * x")
attack("not a function", "twice = 2")
attack("wrong number of arguments", "def twice():\n    return 2")
