"""Run a student's program and call its function; in a child, where there are any."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence
from dataclasses import asdict

from .child.messages import Message, encode, pack
from .child.worker import work
from .isolation import DEMANDED, Isolation
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
    source, function : the student's text, and the function that it defines.
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

    return launch(request, limits, DEMANDED.get())


def _run_in_place(request: Message) -> ProgramRun:
    """Run a request in this very process, where there is no other: in a browser."""
    sent, printed = [pack({"frame": "ready"})], io.StringIO()
    main = sys.modules["__main__"]
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            work(request, lambda message: sent.append(pack(message)))
    finally:
        sys.modules["__main__"] = main
    output, cases = printed.getvalue(), len(request["cases"])
    shown = output[: request["limits"]["output"]].encode("utf-8", "replace")
    return read_run(b"".join(sent), shown, 0, False, cases, Isolation.BROWSER)
