"""The child's program: read the request, accept limits, run the student's code."""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import sys
from importlib.machinery import PathFinder
from typing import Any

from .messages import Message, pack
from .worker import work


def main() -> None:
    """Serve the one request; standard output is for messages, prints go elsewhere."""
    with os.fdopen(0, "rb", closefd=False) as stdin:
        request = json.load(stdin)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    channel = os.dup(1)
    os.dup2(2, 1)
    _set_limits(request["limits"])
    sys.path[:] = request["path"]
    sys.meta_path.append(_Packages(request["packages"]))

    def send(message: Message) -> None:
        _flush()
        data = memoryview(pack(message))
        while data:
            data = data[os.write(channel, data) :]

    import numpy  # noqa: F401  that it loads at all is our part, not the student's

    send({"frame": "ready"})
    if sys.platform != "win32":  # the grader's clock, in case the grader is gone
        signal.alarm(math.ceil(request["limits"]["seconds"]) + 1)
    with contextlib.suppress(BaseException):  # the student broke our tools
        work(request, send)
    _flush()
    os._exit(0)


def _set_limits(limits: Message) -> None:
    """Accept the limits, for good."""
    if sys.platform == "win32":
        return
    import resource

    bounds = {
        resource.RLIMIT_CPU: limits["cpu"],
        resource.RLIMIT_AS: limits["memory"],
        resource.RLIMIT_FSIZE: limits["disk"],
        resource.RLIMIT_NOFILE: limits["files"],
        resource.RLIMIT_NPROC: limits["processes"],
        resource.RLIMIT_CORE: 0,
    }
    for kind, bound in bounds.items():
        with contextlib.suppress(OSError, ValueError):  # macOS has no limit on memory
            # With one more second of CPU, SIGXCPU comes first, which names the cause.
            resource.setrlimit(kind, (bound, bound + (kind == resource.RLIMIT_CPU)))


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):  # closed, or the student's own
            stream.flush()


class _Packages:
    """Finds NumPy and SciPy where they are; nothing else that is installed there."""

    def __init__(self, places: dict[str, str]) -> None:
        self.places = places

    def find_spec(self, name: str, path: object, target: object = None) -> Any:
        """Return the specification of a package, as the import system asks for it."""
        place = self.places.get(name)
        return PathFinder.find_spec(name, [os.path.dirname(place)]) if place else None


if __name__ == "__main__":
    main()
