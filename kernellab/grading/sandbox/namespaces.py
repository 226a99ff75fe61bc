"""Namespaces of Linux, and a root of our own inside one."""

from __future__ import annotations

import os
from contextlib import suppress

from . import linux
from .frames import Header
from .limits import MIB

FLAGS = {
    "processes": linux.NEW_PIDS,
    "network": linux.NEW_NET,
    "memory": linux.NEW_IPC,
    "files": linux.NEW_MOUNTS,
}


def enter() -> list[str]:
    """Leave for namespaces of our own; which of them the system allowed."""
    entered = _as_root() if os.geteuid() == 0 else _as_user()
    if "memory" in entered:
        _no_shared_memory()
    return entered


def change_root(place: str, files: Header, disk: int) -> bool:
    """Libraries to read, a small /tmp to write, no /proc; whether it worked."""
    try:
        linux.mount("", "/", "", linux.MS_REC | linux.MS_PRIVATE)
        _mount_empty(place, 4 * MIB, "755")
    except OSError:
        return False
    try:
        _furnish(place, files, disk)
        linux.change_root(place)
        linux.make_read_only("/", recursive=False)
    except OSError:
        os.chdir("/")
        linux.unmount(place)
        return False
    return True


def _furnish(place: str, files: Header, disk: int) -> None:
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
    _mount_empty(place + "/tmp", disk, "1777")


def _as_root() -> list[str]:
    entered = []
    for name, flag in FLAGS.items():
        try:
            linux.unshare(flag)
        except OSError:
            continue
        entered.append(name)
    return entered


def _as_user() -> list[str]:
    """All at once with a user namespace, in which the user is who they were."""
    uid, gid = os.geteuid(), os.getegid()
    try:
        linux.unshare(linux.NEW_USER | sum(FLAGS.values()))
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {uid} 1"),
            ("gid_map", f"{gid} {gid} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    except OSError:
        return []
    return list(FLAGS)


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
