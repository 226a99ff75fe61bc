"""Bubblewrap: the command that gives a program files, processes and network of its own.

Inside there are Python's library, NumPy and SciPy, for reading, and an empty /tmp of
bounded size; no /proc, no /etc, no home, no project. The program is alone in its
namespaces of processes, network, memory and host name, has no capability and cannot
gain one, and everything in there ends with the grader.

Started as a user, it is still that user, in a user namespace in which no other can be
made. Root's processes are not counted by the system; so, started as root, it becomes a
user whom nobody else is.
"""

from __future__ import annotations

import os
import shutil
import sys
from itertools import count
from pathlib import Path

from . import paths
from .limits import Limits

PROGRAM = "bwrap"
WRITABLE = "/tmp"
CODE = "/grader"
"""Where the child's own modules are shown."""

_DEVICES = ("/dev/null", "/dev/urandom")
_ALONE = ("pid", "net", "ipc", "uts", "cgroup-try")
_FIRST_USER, _NOBODY = 1 << 30, 65534
_number = count()


def users() -> list[int]:
    """Return whom the child may become: nobody else's id, or (if unknown) nobody's.

    It is empty if this process is not root's, and the child stays who it is.
    """
    if os.geteuid() != 0:
        return []
    return [_FIRST_USER + (os.getpid() << 6) + next(_number) % 64, _NOBODY]


def command(limits: Limits) -> list[str]:
    """Return the words that start Python inside; its own arguments follow."""
    # The interpreter itself, which a virtual environment only links to.
    program = os.path.realpath(sys.executable)
    files = [
        *("--perms", "1777", "--size", str(limits.disk), "--tmpfs", WRITABLE),
        *_libraries(program),
        *_read_only(str(Path(__file__).with_name("child")), f"{CODE}/child"),
        *(word for path in _DEVICES for word in ("--dev-bind", path, path)),
        *("--remount-ro", "/", "--chdir", WRITABLE),
    ]
    alone = [f"--unshare-{name}" for name in _ALONE]
    ends = ["--die-with-parent", "--new-session"]
    return [*_first_to_go(), PROGRAM, *ends, *alone, *_rights(), *files, "--", program]


def _first_to_go() -> list[str]:
    """If memory runs out, the system is to end the student's program, not another.

    System V segments are memory that no limit of a process counts.
    """
    return ["choom", "-n", "1000", "--"] if shutil.which("choom") else []


def _rights() -> list[str]:
    if os.geteuid() != 0:
        return ["--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    needed = ("CAP_SETUID", "CAP_SETGID")  # gone with the change of user
    return ["--cap-drop", "ALL", *(w for cap in needed for w in ("--cap-add", cap))]


def _libraries(program: str) -> list[str]:
    """Show Python and its libraries; empty what else is installed among them."""
    roots, packages = paths.roots(), paths.packages().values()
    hidden = [str(path) for path in paths.hidden(roots)]
    words = _read_only(program, program)
    for root in map(str, roots):
        words += _read_only(root, root)
    for path in hidden:
        words += ["--tmpfs", path]
    for path in (p for place in packages for p in paths.with_libraries(place)):
        words += _read_only(path, path)
    for path in hidden:
        words += ["--remount-ro", path]
    for link, target in paths.links().items():
        words += ["--symlink", target, link]
    return words


def _read_only(source: str, target: str) -> list[str]:
    """Bind for reading; bubblewrap itself would close the folders above to others."""
    above = reversed(Path(target).parents[:-1])
    folders = [w for p in above for w in ("--perms", "0755", "--dir", str(p))]
    return [*folders, "--ro-bind", source, target]
