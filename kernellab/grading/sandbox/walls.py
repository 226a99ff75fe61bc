"""The layers around a student's program: what the system lets us build of them.

Namespaces are entered by the supervisor, which stays what it is; the rest is taken
from the program's own process, just before it runs.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass, field

from . import landlock, linux, seccomp
from .frames import Header
from .isolation import limits_in_words
from .limits import MIB, Limits
from .paths import expand

FIRST_UID = 1 << 30
"""Ids above it belong to nobody; adding a process id makes each run's own."""

NOBODY = 65534


@dataclass
class Walls:
    """What stands so far.

    Parameters
    ----------
    request : the grader's request; its "without" names layers to leave out.
    layers : words for each layer that stands, the fields of `Isolation`.
    workdir : the folder that the program may write to.
    """

    request: Header
    workdir: str
    layers: dict[str, str] = field(default_factory=dict)
    root_changed: bool = False

    def wanted(self, layer: str) -> bool:
        """Whether the grader asks for a layer; its tests leave some out."""
        return layer not in self.request["without"]

    @property
    def limits(self) -> Limits:
        """The limits of this run."""
        return Limits(**self.request["limits"])

    def enter_namespaces(self) -> None:
        """Processes, network, shared memory and mounts of our own, where allowed."""
        if sys.platform != "linux" or not self.wanted("namespaces"):
            return
        flags = {
            "processes": linux.NEW_PIDS,
            "network": linux.NEW_NET,
            "memory": linux.NEW_IPC,
            "files": linux.NEW_MOUNTS,
        }
        entered = _as_root(flags) if os.geteuid() == 0 else _as_user(flags)
        if "processes" in entered:
            self.layers["processes"] = "processes of its own (namespace)"
        if "network" in entered:
            self.layers["network"] = "no network (namespace)"
        if "memory" in entered:
            _no_shared_memory()
        if "files" in entered and self.wanted("root"):
            self._change_root()

    def _change_root(self) -> None:
        """A root of our own: libraries to read, a small /tmp to write, no /proc."""
        place = self.workdir
        try:
            linux.mount("", "/", "", linux.MS_REC | linux.MS_PRIVATE)
            _mount_empty(place, 4 * MIB, "755")
        except OSError:
            return
        try:
            self._furnish(place)
            linux.change_root(place)
            linux.make_read_only("/", recursive=False)
        except OSError:
            os.chdir("/")
            linux.unmount(place)
            return
        self.root_changed, self.workdir = True, "/tmp"
        self.layers["files"] = "files: own root"

    def _furnish(self, place: str) -> None:
        files = self.request["files"]
        for path in files["roots"]:
            _bind(path, place + path)
        for path in files["hidden"]:
            _mount_empty(place + path, MIB, "755")
        for path in files["below"]:
            _bind(path, place + path)
        for path in files["hidden"]:
            linux.make_read_only(place + path)
        for path, target in files["links"].items():
            os.makedirs(os.path.dirname(place + path), exist_ok=True)
            os.symlink(target, place + path)
        for path in files["devices"]:
            _bind(path, place + path)
        os.makedirs(place + "/tmp")
        _mount_empty(place + "/tmp", self.limits.disk, "1777")

    def lock(self) -> None:
        """In the program's own process: rights, limits, files; there is no way back."""
        self._change_user()
        self._set_limits()
        if sys.platform == "linux":
            linux.no_new_privileges()
            linux.drop_capabilities()
            if self.wanted("landlock"):
                self._landlock()
            linux.die_with_parent(signal.SIGKILL)  # a change of user had undone it
            if self.wanted("seccomp"):
                self._filter_calls()
        if self.layers.get("files") and self._can_read_the_grader():
            self.layers["files"] = ""

    def _change_user(self) -> None:
        if os.geteuid() != 0 or not self.wanted("user"):
            if os.geteuid() != 0:
                self.layers["user"] = "the grader's user, without privileges"
            return
        for uid in (FIRST_UID + self.request["number"], NOBODY):
            if not self.root_changed and not self._readable_by(uid):
                continue
            try:
                os.chown(self.workdir, uid, uid)
                os.setgroups([])
                os.setgid(uid)
                os.setuid(uid)
            except OSError:
                continue
            self.layers["user"] = "a user without rights"
            return

    def _readable_by(self, uid: int) -> bool:
        """Whether that user could read Python at all: it may be in a private folder."""
        try:
            os.seteuid(uid)
            for place in self.request["files"]["packages"].values():
                os.stat(os.path.join(place, "__init__.py"))
            os.listdir(os.path.dirname(os.__file__))
        except OSError:
            return False
        finally:
            os.seteuid(0)
        return True

    def _set_limits(self) -> None:
        import resource

        limits = self.limits
        bounds = {
            "cpu": (resource.RLIMIT_CPU, limits.cpu),
            "memory": (resource.RLIMIT_AS, limits.memory),
            "file_size": (resource.RLIMIT_FSIZE, limits.file_size),
            "files": (resource.RLIMIT_NOFILE, limits.files),
            "processes": (resource.RLIMIT_NPROC, limits.processes),
            "core": (resource.RLIMIT_CORE, 0),
        }
        held = set()
        for name, (kind, bound) in bounds.items():
            try:
                resource.setrlimit(kind, (bound, bound + (name == "cpu")))
            except (OSError, ValueError):
                continue
            held.add(name)
        if os.getuid() == 0:
            held.discard("processes")  # the system does not count root's
        self.layers["limits"] = limits_in_words(limits, frozenset(held))

    def _landlock(self) -> None:
        files = self.request["files"]
        hidden = files["hidden"]
        read = [part for root in files["roots"] for part in expand(root, hidden)]
        try:
            version = landlock.restrict(
                read=[*read, *files["below"]],
                listing=files["roots"],
                write=[os.curdir, *files["devices"]],
            )
        except OSError:
            return
        already = self.layers.get("files")
        words = f"{already} and Landlock" if already else "files: Landlock"
        self.layers["files"] = words
        if version >= 4:
            self.layers.setdefault("network", "no TCP (Landlock)")

    def _filter_calls(self) -> None:
        try:
            seccomp.restrict(processes=self.limits.processes > 1)
        except OSError:
            return
        self.layers["calls"] = "no signals, sockets or tracing (seccomp)"
        if not self.layers.get("network", "").startswith("no network"):
            self.layers["network"] = "no network (seccomp)"

    def _can_read_the_grader(self) -> bool:
        """The proof that the walls stand: our own source is out of reach."""
        try:
            with open(self.request["files"]["grader"], "rb"):
                return True
        except OSError:
            return False


def _as_root(flags: dict[str, int]) -> list[str]:
    entered = []
    for name, flag in flags.items():
        try:
            linux.unshare(flag)
        except OSError:
            continue
        entered.append(name)
    return entered


def _as_user(flags: dict[str, int]) -> list[str]:
    """All at once with a user namespace, in which the user is who they were."""
    uid, gid = os.geteuid(), os.getegid()
    try:
        linux.unshare(linux.NEW_USER | sum(flags.values()))
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {uid} 1"),
            ("gid_map", f"{gid} {gid} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    except OSError:
        return []
    return list(flags)


def _no_shared_memory() -> None:
    """System V segments would not count as memory of the program."""
    with suppress(OSError), open("/proc/sys/kernel/shmmax", "w") as file:
        file.write("0")


def _mount_empty(place: str, size: int, mode: str) -> None:
    flags = linux.MS_NOSUID | linux.MS_NODEV
    linux.mount("tmpfs", place, "tmpfs", flags, f"size={size},mode={mode}")


def _bind(source: str, target: str) -> None:
    """Show `source` at `target`, for reading."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    linux.mount(source, target, "", linux.MS_BIND | linux.MS_REC)
    linux.make_read_only(target)
