"""Bubblewrap: the command that gives a program files, processes and network of its own.

Inside there are Python's library, NumPy and SciPy, for reading, and an empty /tmp of
bounded size; no /proc, no home, no project. The program is alone in its namespaces of
processes, network, memory and host name, has no capability and cannot gain one, and
everything in there ends with the grader.

Started as a user, it is still that user, in a user namespace in which no other can be
made. Root's processes are not counted by the system: started as root, it becomes a user
whom nobody else is.
"""

from __future__ import annotations

import os
import shutil
import sys
from itertools import count
from pathlib import Path

from . import paths
from .limits import Limits

PROGRAM, CHANGE_USER, FIRST_TO_GO = "bwrap", "/usr/bin/setpriv", "choom"
WRITABLE, CODE = "/tmp", "/grader"
"""Where the program may write, and where the child's own modules are shown."""

_DEVICES = ("/dev/null", "/dev/urandom")
_ALONE = ("pid", "net", "ipc", "uts", "cgroup-try")
_FIRST_USER = 1 << 30
_number = count()


def command(limits: Limits) -> list[str]:
    """Return the words that start Python inside; its own arguments follow."""
    # The interpreter itself, which a virtual environment only links to.
    python = os.path.realpath(sys.executable)
    rights, become = _rights()
    words = [
        PROGRAM,
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        *rights,
    ]
    words += [f"--unshare-{name}" for name in _ALONE]
    words += ["--perms", "1777", "--size", str(limits.disk), "--tmpfs", WRITABLE]
    words += _libraries([python, *become[:1]])
    words += _show(str(Path(__file__).with_name("child")), f"{CODE}/child")
    words += [word for path in _DEVICES for word in _show(path, path, "--dev-bind")]
    words += ["--remount-ro", "/", "--chdir", WRITABLE, "--", *become, python]
    # If memory runs out, the system is to end this and nothing else: System V segments
    # are memory that no limit of a process counts.
    return [FIRST_TO_GO, "-n", "1000", "--", *words] if shutil.which("choom") else words


def _rights() -> tuple[list[str], list[str]]:
    """Return what bubblewrap needs to know, and what makes another user of root."""
    if os.geteuid() != 0:
        return ["--unshare-user", "--disable-userns"], []
    user = _FIRST_USER + (os.getpid() << 6) + next(_number) % 64
    become = [CHANGE_USER, f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]
    return ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"], become


def _libraries(programs: list[str]) -> list[str]:
    """Show programs and libraries; empty what else is installed among these."""
    roots, packages = paths.roots(), paths.packages().values()
    hidden = [str(path) for path in paths.hidden(roots)]
    words: list[str] = []
    for path in (*programs, *map(str, roots)):
        words += _show(path, path)
    for path in hidden:
        words += ["--tmpfs", path]
    for path in (p + beside for p in packages for beside in ("", ".libs")):
        words += _show(path, path) if os.path.exists(path) else []
    for path in hidden:
        words += ["--remount-ro", path]
    for link, target in paths.links().items():
        words += ["--symlink", target, link]
    return words


def _show(source: str, target: str, how: str = "--ro-bind") -> list[str]:
    """Bind, in folders that are open: by itself bubblewrap would close them."""
    above = reversed(Path(target).parents[:-1])
    folders = [w for p in above for w in ("--perms", "0755", "--dir", str(p))]
    return [*folders, how, source, target]
