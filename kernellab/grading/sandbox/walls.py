"""The layers around a student's program: what the system lets us build of them.

Namespaces are entered by the supervisor, which stays what it is; the rest is taken
from the program's own process, just before it runs.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass, field

from . import landlock, linux, namespaces, seccomp
from .frames import Header
from .isolation import limits_in_words
from .limits import Limits
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
        entered = namespaces.enter()
        if "processes" in entered:
            self.layers["processes"] = "processes of its own (namespace)"
        if "network" in entered:
            self.layers["network"] = "no network (namespace)"
        files, disk = self.request["files"], self.limits.disk
        if "files" in entered and self.wanted("root"):
            self.root_changed = namespaces.change_root(self.workdir, files, disk)
        if self.root_changed:
            self.workdir = "/tmp"
            self.layers["files"] = "files: own root"

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
        if os.geteuid() != 0:
            self.layers["user"] = "the grader's user, without privileges"
            return
        for uid in (FIRST_UID + self.request["number"], NOBODY):
            if self.wanted("user") and self._can_be(uid):
                self.layers["user"] = "a user without rights"
                return

    def _can_be(self, uid: int) -> bool:
        """Become that user, if the system knows the number and Python can be read."""
        if not self.root_changed and not self._readable_by(uid):
            return False
        try:
            os.chown(self.workdir, uid, uid)
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
        except OSError:
            return False
        return True

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
