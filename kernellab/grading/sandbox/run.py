"""Run a student's program and call its function; in a child, where there are any."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from .arrays import encode
from .frames import Header
from .limits import Limits
from .results import ProgramRun


def run(
    source: str,
    function: str,
    cases: Sequence[Sequence[object]],
    *,
    outputs: Sequence[int | None] | None = None,
    limits: Limits | None = None,
    without: Iterable[str] = (),
) -> ProgramRun:
    """Run a program and call its function once for each case.

    Parameters
    ----------
    source : the student's text.
    function : the name of the function that it defines.
    cases : the arguments of each call: arrays of numbers, and what JSON can hold.
    outputs : for each case, how many values a tuple must have; None for one value.
    limits : what the program may use.
    without : layers to leave out ("namespaces", "root", "user", "landlock",
        "seccomp", or all of them: "supervisor"), to test what the others do.

    Examples
    --------
    >>> run("def double(x): return 2 * x", "double", [(3,), (0.5,)]).returned[1].values
    (array(1.),)
    """
    limits = limits or Limits()
    encoded = [encode(arguments) for arguments in cases]
    payload = b"".join(data for _, data in encoded)
    request: Header = {
        "source": source,
        "function": function,
        "outputs": list(outputs or [None] * len(cases)),
        "cases": [{"specs": specs, "size": len(data)} for specs, data in encoded],
        "limits": asdict(limits),
        "without": sorted(without),
    }
    if sys.platform == "emscripten":
        from .in_place import run_in_place

        return run_in_place(request, payload)
    from .launch import launch

    return launch(request, payload, limits)
