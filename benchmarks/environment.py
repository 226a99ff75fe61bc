"""On what it was measured: the versions, the processor, the threads."""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info

PACKAGES = (
    "numpy",
    "scipy",
    "numba",
    "scikit-learn",
    "scikit-learn-intelex",
    "gpytorch",
    "torch",
)


def environment() -> dict[str, Any]:
    """Versions of what is installed, the BLAS libraries, the processor's name."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "packages": {name: v for name in PACKAGES if (v := _version(name))},
        "blas": sorted({_blas(pool) for pool in threadpool_info() if _is_blas(pool)}),
        "threads": max([pool["num_threads"] for pool in threadpool_info()], default=1),
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "exp_nanoseconds": _exp_nanoseconds(),
        "gigaflops": _gigaflops(),
    }


def _exp_nanoseconds() -> float:
    """What one exponential takes in NumPy: most of the time of a Gaussian kernel."""
    x = np.linspace(-20, 0, 8192)
    return round(1e9 * _seconds(lambda: np.exp(x)) / len(x), 2)


def _gigaflops() -> float:
    """Floating-point operations a nanosecond, in a product of matrices."""
    A = np.ones((512, 512))
    return round(2 * 512**3 / _seconds(lambda: A @ A) / 1e9, 1)


def _seconds(task: Callable[[], object], times: int = 20) -> float:
    """The shortest of many runs."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        task()
        spent.append(time.process_time() - start)
    return min(spent)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _is_blas(pool: dict[str, Any]) -> bool:
    return bool(pool["user_api"] == "blas")


def _blas(pool: dict[str, Any]) -> str:
    parts = (pool["internal_api"], pool.get("version"), pool.get("architecture"))
    return " ".join(str(part) for part in parts if part)


def _processor() -> str:
    """The processor's name: Linux keeps it in a file, others tell it themselves."""
    name = _told_by("/proc/cpuinfo", "model name")
    return name or platform.processor() or platform.machine()


def free_gigabytes() -> float:
    """Memory that can be had without swapping; without limit where nobody tells."""
    free = _told_by("/proc/meminfo", "MemAvailable")
    return float(free.split()[0]) / 1e6 if free else math.inf


def _told_by(file: str, key: str) -> str:
    """The first value of a key in a file of lines `key : value`, or nothing."""
    path = Path(file)
    lines = path.read_text().splitlines() if path.exists() else []
    values = [line.split(":", 1)[1] for line in lines if line.startswith(key)]
    return values[0].strip() if values else ""
