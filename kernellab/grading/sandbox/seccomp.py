"""A filter of system calls: no signals, no sockets, no tracing, no new processes.

It needs no privilege and holds for good. What it forbids fails with "operation not
permitted", as if the system did not offer it. The list is of what would reach beyond
the program, or take memory that its limit does not count; files are Landlock's part.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from collections.abc import Sequence

from .linux import filter_calls, no_new_privileges

_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _MACHINE = 0, 4
_X32 = 0x40000000

_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_SAME_EVERYWHERE = {
    "pidfd_send_signal": 424,
    "io_uring_setup": 425,
    "pidfd_open": 434,
    "pidfd_getfd": 438,
    "memfd_secret": 447,
}
_DIFFERENT = {  # x86_64, aarch64
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "prctl": (157, 167),
    "socket": (41, 198),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "shmget": (29, 194),
    "memfd_create": (319, 279),
}
_PROCESSES = {"x86_64": (56, 57, 58, 435), "aarch64": (220, 435)}
"""clone, fork, vfork, clone3."""


def restrict(processes: bool) -> None:
    """Forbid the calls above; `processes` says whether new processes are allowed.

    Raises
    ------
    OSError
        If the kernel has no filters, or the machine is not one of the two known.
    """
    machine = platform.machine()
    if machine not in _MACHINES:
        raise OSError(f"seccomp: no list of system calls for {machine}")
    place = list(_MACHINES).index(machine)
    forbidden = [numbers[place] for numbers in _DIFFERENT.values()]
    forbidden += _SAME_EVERYWHERE.values()
    if not processes:
        forbidden += _PROCESSES[machine]
    program = _program(_MACHINES[machine], forbidden)
    no_new_privileges()
    filter_calls(ctypes.create_string_buffer(program), len(program) // 8)


def _program(machine: int, forbidden: Sequence[int]) -> bytes:
    """Look at the machine, then at the number; jumps go to the last two lines."""
    count = len(forbidden)
    lines = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, count + 1, 0, _X32),
        *((_EQUAL, count - i, 0, number) for i, number in enumerate(forbidden)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _FAIL),
    ]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
