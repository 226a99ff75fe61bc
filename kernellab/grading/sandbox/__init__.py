"""Run a student's program where it can do no harm, and see what it returns.

>>> import numpy as np
>>> result = run("def square(x): return x @ x", "square", [(np.array([1.0, 2.0]),)])
>>> result.returned[0].values
(array(5.),)

`run` starts one child process for all the calls of one answer. The grader sends the
program and the arguments; the child sends back JSON and the bytes of arrays, bounded
in size, never pickles. References and comparison stay with the grader: whatever the
program does to the process it shares with our code there, all that can come out of it
is data, which is then compared with values that it has never seen.

`ProgramRun.isolation` says which layers applied, each tried out and not presumed:

**Linux.** A session of its own and a namespace of processes, whose end ends them all,
daemons included; where namespaces are not allowed, the supervisor adopts the program's
orphans and kills them. Limits on time, memory, file size, open files and processes
(by default one: it cannot fork). No network: a namespace without interfaces, or no
sockets at all (seccomp). Files: a root of its own that shows Python's library, NumPy
and SciPy for reading and a small /tmp for writing, and nothing else: no /proc, no
home, no checkout; with Landlock on top, or Landlock alone. A filter of system calls:
no signals, sockets, tracing, namespaces, memory that is not counted. Started as root,
the program becomes a user whom nobody else is (id 2³⁰ + process id), so that two of
them cannot meet; if Python is in a folder that only root may read and there is no
namespace of mounts, it stays root, without any capability. Started as a user, all this
works too, by way of a user namespace; where these are switched off (Ubuntu 24.04),
Landlock and seccomp remain, and they suffice for all the attacks of our tests. Inside a
container that forbids even those, a session, limits and time remain, and
`Isolation.missing` names the rest.

**macOS.** A session of its own, another user if started as root, limits on time, files
and processes (the system does not enforce the one on memory); the program can read what
its user can read and use the network.

**Windows.** A time limit and a clean environment, no more: grade classes elsewhere.

**In a browser** there are no processes: the program runs in place, and the report says
so. The computer is the student's own.

Everywhere: a clean environment, a temporary directory that is removed, printed text
cut off, and no path by which the program could import this package.

Layers are not a proof. A hole in the kernel remains a hole, and on a machine that many
use a virtual machine around the grader is a good idea.

The modules: `run` and `launch` (the grader's side), `start`, `supervise` and `family`
(the child), `walls` with `namespaces`, `landlock`, `seccomp` and `linux` (what keeps
the program in), `worker` (its function is called), `frames` and `arrays` (what
travels), `results`, `limits`, `isolation`, `paths` (what may be read), `in_place` (a
browser). They import each other relatively, for the child loads them under another
name, without the rest of the package.
"""

from __future__ import annotations

from .isolation import Isolation
from .limits import Limits
from .results import ProgramRun, Returned, Trouble
from .run import run

__all__ = ["Isolation", "Limits", "ProgramRun", "Returned", "Trouble", "run"]
