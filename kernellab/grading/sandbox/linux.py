"""System calls of Linux that Python has no name for.

Each function raises OSError if the kernel, or the container around it, refuses.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform

NEW_MOUNTS = 0x00020000
NEW_IPC = 0x08000000
NEW_USER = 0x10000000
NEW_PIDS = 0x20000000
NEW_NET = 0x40000000

MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MS_NOSUID, MS_NODEV = 2, 4
MNT_DETACH = 2
_MS_RDONLY, _MS_REMOUNT = 1, 32
_SAME_FLAGS = 2 | 4 | 8 | 1024 | 2048  # nosuid, nodev, noexec, noatime, nodiratime
_ST_RELATIME, _MS_RELATIME = 4096, 1 << 21

_ATTR_RDONLY, _ATTR_NOSUID = 1, 2
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_SETATTR = 442
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41}

_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_CHILD_SUBREAPER = 1, 24, 36
_PR_SET_SECCOMP, _FILTER = 22, 2
_PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 38, 47, 4
_CAP_VERSION_3 = 0x20080522
_LAST_CAP = 63


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: object) -> int:
    """Any system call by its number."""
    return _checked(_libc().syscall(ctypes.c_long(number), *arguments), str(number))


def unshare(flags: int) -> None:
    """Leave the namespaces that the flags name for new ones."""
    _checked(_libc().unshare(flags), "unshare")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """mount(2)."""
    text = [part.encode() or None for part in (source, target, kind)]
    flag_word = ctypes.c_ulong(flags)
    _checked(_libc().mount(*text, flag_word, options.encode() or None), "mount")


def unmount(target: str) -> None:
    """Detach a mount, busy or not."""
    _checked(_libc().umount2(target.encode(), MNT_DETACH), "umount")


def make_read_only(path: str, recursive: bool = True) -> None:
    """No writing through this mount, nor (if recursive) those below it."""
    attributes = (ctypes.c_uint64 * 4)(_ATTR_RDONLY | _ATTR_NOSUID, 0, 0, 0)
    flags = ctypes.c_uint(_AT_RECURSIVE if recursive else 0)
    place = ctypes.c_char_p(path.encode())
    size = ctypes.c_size_t(32)
    try:
        syscall(_MOUNT_SETATTR, ctypes.c_int(_AT_FDCWD), place, flags, attributes, size)
    except OSError as error:
        if error.errno != errno.ENOSYS:
            raise
        _remount_read_only(path)


def _remount_read_only(path: str) -> None:
    """For kernels before 5.12; what else the mount forbids must be said again."""
    present = os.statvfs(path).f_flag
    kept = present & _SAME_FLAGS | (_MS_RELATIME if present & _ST_RELATIME else 0)
    flags = _MS_REMOUNT | MS_BIND | _MS_RDONLY | MS_NOSUID | kept
    mount("", path, "", flags)


def change_root(path: str) -> None:
    """Make the mount at `path` the root, and let go of the old one altogether."""
    number = _PIVOT_ROOT.get(platform.machine())
    if number is None:
        raise OSError("pivot_root: unknown machine")
    os.chdir(path)
    here = ctypes.c_char_p(b".")
    syscall(number, here, here)
    unmount(".")
    os.chdir("/")


def _prctl(option: int, argument: int, second: int = 0) -> None:
    words = [ctypes.c_ulong(word) for word in (argument, second, 0, 0)]
    _checked(_libc().prctl(option, *words), "prctl")


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(signal: int) -> None:
    """Receive a signal when the parent ends."""
    _prctl(_PR_SET_PDEATHSIG, signal)


def no_new_privileges() -> None:
    """No program that is started from here may gain rights, by setuid or otherwise."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def filter_calls(program: ctypes.Array[ctypes.c_char], lines: int) -> None:
    """Let a program in the kernel's filter language decide on every system call."""

    class Program(ctypes.Structure):
        _fields_ = (("lines", ctypes.c_ushort), ("start", ctypes.c_void_p))

    filter = Program(lines, ctypes.addressof(program))
    _prctl(_PR_SET_SECCOMP, _FILTER, ctypes.addressof(filter))


def drop_capabilities() -> None:
    """Give up every capability, also those that a namespace had brought."""
    for capability in range(_LAST_CAP + 1):
        try:
            _prctl(_PR_CAPBSET_DROP, capability)
        except OSError:
            break
    _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(_CAP_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _checked(_libc().capset(header, nothing), "capset")
