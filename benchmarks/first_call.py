"""What the first fit of a new process takes: imports, and what is compiled or loaded.

A new Python starts, imports what it needs, and fits once. With Numba, the compiled
loops are there already, as after the first time; to compile them takes some seconds,
once on a machine. BLAS has its default number of threads, and the time is that of all.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

from benchmarks.harness import Case, Check, Contest, Task

GROUP = "first call"
DATA = """
import numpy as np
rng = np.random.default_rng(0)
X = rng.normal(size=(200, 2))
y = np.where(np.hypot(*X.T) > 1.1, 1, -1)
"""
SVM = (
    "from kernellab import SVC, kernels as kl\nSVC(kl.Gaussian()).fit(X, y)",
    "from sklearn.svm import SVC\nSVC(gamma=0.5).fit(X, y)",
)
GP = (
    "from kernellab import GaussianProcess, kernels as kl\n"
    "GaussianProcess(1.0 * kl.Gaussian(), noise=0.1).fit(X, 1.0 * y, optimize=True)",
    "from sklearn.gaussian_process import GaussianProcessRegressor as GP\n"
    "from sklearn.gaussian_process.kernels import RBF, WhiteKernel\n"
    "GP(1.0 * RBF() + WhiteKernel(0.1)).fit(X, y)",
)
NO_NUMBA = "import sys\nsys.modules['numba'] = None\n"
"""An import of Numba then fails, as if it were not installed."""


def cases(quick: bool) -> Iterator[Case]:
    """A machine with and without Numba; a process, which compiles nothing."""
    for name, codes, start, needs in (
        ("SVC", SVM, "", "numba"),
        ("SVC, no Numba", SVM, NO_NUMBA, None),
        ("GaussianProcess", GP, "", None),
    ):
        yield Case(
            GROUP,
            name,
            "n = 200, default threads",
            "scikit-learn",
            partial(contest, *codes, start),
            needs=needs,
            repeats=3,
        )


def contest(ours: str, theirs: str, start: str) -> Contest:
    """Two programs; both must end well."""
    return Contest(
        process(start + DATA + ours),
        process(DATA + theirs),
        lambda a, b: [Check("exit codes", abs(a) + abs(b), 0)],
    )


def process(code: str) -> Task:
    """Run a program in a new Python, with BLAS's own number of threads."""
    limits = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    free = {key: value for key, value in os.environ.items() if key not in limits}
    command = [sys.executable, "-W", "ignore", "-c", code]
    return lambda: subprocess.run(command, env=free, check=False).returncode
