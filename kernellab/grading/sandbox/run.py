"""Run a student's program and call its function; in a child, where there are any."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence
from dataclasses import asdict

from .child.messages import Message, encode, pack
from .child.worker import work
from .isolation import Isolation, demanded
from .limits import Limits
from .results import ProgramRun, read_run


def run(
    source: str,
    function: str,
    cases: Sequence[Sequence[object]],
    *,
    outputs: Sequence[int | None] | None = None,
    limits: Limits | None = None,
) -> ProgramRun:
    """Run a program and call its function once for each case.

    Parameters
    ----------
    source : the student's text.
    function : the name of the function that it defines.
    cases : the arguments of each call: arrays of numbers, and what JSON can hold.
    outputs : for each case, how many values a tuple must have; None for one value.
    limits : what the program may use.

    Examples
    --------
    >>> run("def double(x): return 2 * x", "double", [(3,), (0.5,)]).returned[1].values
    (array(1.),)
    """
    limits = limits or Limits()
    request: Message = {
        "source": source,
        "function": function,
        "outputs": list(outputs or [None] * len(cases)),
        "cases": [[encode(value) for value in arguments] for arguments in cases],
        "limits": asdict(limits),
        "most": limits.answer // 8,
    }
    if sys.platform == "emscripten":
        return _run_in_place(request)
    from .launch import launch

    return launch(request, limits, demanded())


def _run_in_place(request: Message) -> ProgramRun:
    """Run a request in this very process, where there is no other: in a browser."""
    sent: list[bytes] = [pack({"frame": "ready"})]
    printed = io.StringIO()
    main = sys.modules["__main__"]
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            work(request, lambda message: sent.append(pack(message)))
    finally:
        sys.modules["__main__"] = main
    output = printed.getvalue().encode("utf-8", "replace")
    shown = output[: request["limits"]["output"]]
    cases = len(request["cases"])
    return read_run(b"".join(sent), shown, cases, 0, False, Isolation.BROWSER)
