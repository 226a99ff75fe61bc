"""Files as names and contents, archives of them, and their hashes."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping

from tools.python_runtime import sha256

Files = Mapping[str, bytes]
LEVEL = 7
"""Of compression: the highest takes three times as long, for half a per cent."""


def content_hash(files: Files) -> str:
    """Return twelve digits that change with any name or content."""
    total = hashlib.sha256()
    for name, data in files.items():
        total.update(f"{name}\0{sha256(data)}\n".encode())
    return total.hexdigest()[:12]


def tar(files: Files) -> bytes:
    """Return a tar archive of these files, the same for the same files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as target:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            target.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def pack(files: Files) -> bytes:
    """Return a compressed tar archive.

    A browser decompresses it as a whole, with code of its own.
    """
    return gzip.compress(tar(files), LEVEL, mtime=0)


def pack_zip(files: Files) -> bytes:
    """Return a zip archive of these files, compressed as a whole and not one by one."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name, data in files.items():
            target.writestr(zipfile.ZipInfo(name), data)  # with the time of the epoch
    return gzip.compress(buffer.getvalue(), LEVEL, mtime=0)


def unpack(data: bytes) -> dict[str, bytes]:
    """Return the files of a tar archive, sorted by name."""
    found = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for info in archive:
            content = archive.extractfile(info)
            if content is not None:
                found[info.name] = content.read()
    return dict(sorted(found.items()))


def unpack_zip(data: bytes) -> dict[str, bytes]:
    """Return the files of a zip archive, such as a wheel, sorted by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = sorted(name for name in archive.namelist() if not name.endswith("/"))
        return {name: archive.read(name) for name in names}
