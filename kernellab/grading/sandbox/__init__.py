"""Run a student's program, and see what its function returns.

>>> import numpy as np
>>> result = run("def square(x): return x @ x", "square", [(np.array([1.0, 2.0]),)])
>>> result.returned[0].values
(array(5.),)

`run` starts one child process for all the calls of one answer. The grader sends the
program and the arguments; the child sends back JSON, bounded in size, never pickles.
References and comparison stay with the grader: whatever the program does to the process
that it shares with our code there, all that can come out of it is data, which is then
compared with values that it has never seen. Limits hold everywhere.

A stranger's program is run ``with demand(Isolation.BUBBLEWRAP)``; where bubblewrap does
not work, nothing runs (`ProgramRun.end` is "start"). SECURITY.md says what it promises.
"""

from __future__ import annotations

from .isolation import Isolation, demand
from .limits import Limits
from .results import ProgramRun, Returned, Trouble
from .run import run

__all__ = ["Isolation", "Limits", "ProgramRun", "Returned", "Trouble", "demand", "run"]
