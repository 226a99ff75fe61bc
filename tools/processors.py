"""Run commands as other processors would compute: `make test-processors`.

OpenBLAS chooses its kernels by the processor, NumPy its loops, and both add up in
another order on another machine. `OPENBLAS_CORETYPE` and `NPY_DISABLE_CPU_FEATURES`
make this machine choose as another one does, as far as it has the instructions.

    python tools/processors.py "python -m pytest tests" "python -m pytest --nbval …"

One line per configuration, then what failed there; exit code 1 if anything did.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LOGS = Path(__file__).parent.parent / ".cache" / "processors"

# What is in force, after work that needs the instructions of the kernels.
PROBE = """
import numpy as np, scipy.linalg, threadpoolctl
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
A = np.random.default_rng(0).normal(size=(300, 300))
scipy.linalg.cholesky(A @ A.T + 300 * np.eye(300)) @ A[0]
libraries = threadpoolctl.threadpool_info()
print(*sorted({i["architecture"] for i in libraries if "architecture" in i}))
print(*(name for name in __cpu_dispatch__ if __cpu_features__[name]))
"""


@dataclass(frozen=True)
class Configuration:
    """A type of processor as OpenBLAS names it, threads, and loops of NumPy.

    `limited` leaves NumPy the loops that every processor can run.
    """

    core: str
    threads: int
    limited: bool = False

    def __str__(self) -> str:
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"{self.core}, {threads}" + ", NumPy limited" * self.limited

    def environment(self, features: str = "") -> dict[str, str]:
        """The environment of a command; `features` are those that NumPy may lose."""
        own = {"OPENBLAS_CORETYPE": self.core, "OMP_NUM_THREADS": str(self.threads)}
        own["OPENBLAS_NUM_THREADS"] = own["OMP_NUM_THREADS"]
        if self.limited and features:
            own["NPY_DISABLE_CPU_FEATURES"] = features
        return os.environ | own


# Not the full product: each value of each setting, and each type once.
CONFIGURATIONS = (
    Configuration("Prescott", 2),
    Configuration("Nehalem", 1, limited=True),
    Configuration("Haswell", 2),
    Configuration("Zen", 1),
    Configuration("SkylakeX", 2),
)


def probe(wanted: Configuration) -> tuple[str, str] | None:
    """Return the architecture in force and the features of NumPy; None if it fails."""
    command, environment = [sys.executable, "-c", PROBE], wanted.environment()
    found = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    )
    if found.returncode:
        return None
    architecture, features = found.stdout.splitlines()
    return architecture, features


def failures(wanted: Configuration, commands: list[str], features: str) -> list[str]:
    """Run the commands; return what their output says has failed, and write a log."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log, failed = LOGS / f"{wanted.core}-{wanted.threads}.log", []
    environment = wanted.environment(features)
    with log.open("w") as output:
        for command in commands:
            code = subprocess.call(
                shlex.split(command), env=environment, stdout=output, stderr=output
            )
            if code:
                failed.append(f"exit code {code}: {command[:60]}")
    lines = log.read_text(errors="replace").splitlines()
    named = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return failed and [*named, *failed, f"see {log}"]


def main(commands: list[str]) -> int:
    """Run all commands in each configuration that this machine can run."""
    seen, red = set(), False
    for wanted in CONFIGURATIONS:
        found = probe(wanted)
        if found is None:
            print(f"{wanted}: cannot run here", flush=True)
            continue
        architecture, features = found
        kind = architecture, wanted.threads, wanted.limited
        if kind in seen:
            print(f"{wanted}: the same as another one ({architecture})", flush=True)
            continue
        seen.add(kind)
        failed = failures(wanted, commands, features)
        red |= bool(failed)
        print(f"{wanted} ({architecture}):", "red" if failed else "green", flush=True)
        print(*(f"    {line}\n" for line in failed), sep="", end="", flush=True)
    return int(red)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
