"""Landlock: a process takes away its own access to files; needs no privilege.

The kernel keeps the rules for good, for the process and all that it starts. Since
version 4 of the interface they also cover TCP, since version 6 signals and abstract
sockets of processes outside.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from .linux import no_new_privileges, syscall

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE, _READ, _LIST = 1, 2, 4, 8
_ALL_OF_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
_DEVICE_CONTROL = 1 << 15
_TRUNCATE = 1 << 14
_TCP_BIND_AND_CONNECT = 3
_SIGNALS_AND_ABSTRACT_SOCKETS = 3


def version() -> int:
    """The version of the kernel's interface.

    Raises
    ------
    OSError
        If it has none, or the container forbids it.
    """
    return syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(_ASK_VERSION))


def restrict(read: Iterable[str], listing: Iterable[str], write: Iterable[str]) -> int:
    """Leave access to these paths alone; tells the version of the interface.

    Parameters
    ----------
    read : files, and folders with all below them, to read and to load code from.
    listing : folders whose names, and those below, may be listed.
    write : files and folders to do anything with.
    """
    number = version()
    handled = _ALL_OF_VERSION[min(number, 3)] | (_DEVICE_CONTROL * (number >= 5))
    rules = _ruleset(number, handled)
    try:
        for path in read:
            _allow(rules, path, _EXECUTE | _READ | _LIST)
        for path in listing:
            _allow(rules, path, _LIST)
        for path in write:
            _allow(rules, path, handled & ~_EXECUTE)
        no_new_privileges()
        syscall(_RESTRICT, ctypes.c_int(rules), ctypes.c_uint(0))
    finally:
        os.close(rules)
    return number


def _ruleset(number: int, handled: int) -> int:
    words = [handled]
    if number >= 4:
        words.append(_TCP_BIND_AND_CONNECT)
    if number >= 6:
        words.append(_SIGNALS_AND_ABSTRACT_SOCKETS)
    attributes = struct.pack(f"={len(words)}Q", *words)
    size = ctypes.c_size_t(len(attributes))
    return syscall(_CREATE, ctypes.c_char_p(attributes), size, ctypes.c_uint(0))


def _allow(rules: int, path: str, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what is not there needs no permission
    try:
        if not os.path.isdir(path):
            access &= _EXECUTE | _READ | _WRITE | _TRUNCATE | _DEVICE_CONTROL
        if not access:
            return  # a file has no names to list
        beneath = ctypes.c_char_p(struct.pack("=Qi", access, descriptor))
        kind, none = ctypes.c_uint(_PATH_BENEATH), ctypes.c_uint(0)
        syscall(_ADD_RULE, ctypes.c_int(rules), kind, beneath, none)
    finally:
        os.close(descriptor)
