"""What can be afforded: memory, time and traffic for n points, from a few constants.

    exact ridge      8n² bytes, n³/3 operations (Cholesky)
    rank r           8r² bytes and a block of rows, nr values of k, nr² operations
    on W machines    the same work shared out; ⌈log₂ W⌉ rounds of 8r² bytes to add up

Legend: n points in ℝᵈ; r rank; W workers. One operation is a multiplication or an
addition of doubles; one value is one k(x, z).
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.linalg import blas

from kernellab.arrays import positive_number
from kernellab.errors import InputError
from kernellab.kernels import Gaussian

BYTES_PER_DOUBLE = 8


@dataclass(frozen=True)
class MachineSpeed:
    """What one core does per second, and what a network carries.

    Parameters
    ----------
    operations : of matrix products and factorisations, per second.
    values : of k(x, z) for a Gaussian kernel, per second.
    disk : bytes read, per second.
    network : bytes sent from one machine to another, per second.
    """

    operations: float = 2e10
    values: float = 5e7
    disk: float = 5e8
    network: float = 1e9


def exact_cost(n: float, machine: MachineSpeed | None = None) -> tuple[float, float]:
    """Return bytes and seconds of kernel ridge regression by Cholesky, on one core.

    Examples
    --------
    >>> exact_cost(1e5)[0], round(exact_cost(1e5)[1] / 3600, 1)  # 80 GB, hours
    (80000000000.0, 4.7)
    """
    machine = machine or MachineSpeed()
    seconds = n**2 / 2 / machine.values + n**3 / 3 / machine.operations
    return BYTES_PER_DOUBLE * n**2, seconds


@dataclass(frozen=True)
class Plan:
    """Ridge regression of rank r on n points, shared out among W machines.

    Attributes
    ----------
    read, kernel, arithmetic, reduce, solve : seconds of the five steps.
    memory : bytes that a machine needs, besides a block of rows.
    data : bytes of the points and targets, all together.
    traffic : bytes sent over the network, all together.
    """

    read: float
    kernel: float
    arithmetic: float
    reduce: float
    solve: float
    memory: float
    data: float
    traffic: float

    @property
    def seconds(self) -> float:
        """All steps, one after the other."""
        return self.read + self.kernel + self.arithmetic + self.reduce + self.solve


def plan(
    n: float,
    d: float,
    rank: float,
    workers: int = 1,
    machine: MachineSpeed | None = None,
) -> Plan:
    """Foretell what ridge regression of rank r costs on W machines of one core each.

    Each reads its share of the rows, forms its own ΦᵀΦ (half of it, since it is
    symmetric: nr² operations in all) and Φᵀt; then sums are added two by two, in
    ⌈log₂ W⌉ rounds; one machine solves the r×r system.

    Examples
    --------
    >>> alone, together = plan(1e9, 10, 1000), plan(1e9, 10, 1000, workers=1000)
    >>> round(alone.seconds / 3600), round(together.seconds / 60)  # hours, minutes
    (19, 1)
    """
    if workers < 1:
        raise InputError(f"workers must be 1 or more, got {workers!r}")
    machine, rounds = machine or MachineSpeed(), math.ceil(math.log2(workers))
    data, sums = BYTES_PER_DOUBLE * n * (d + 1), BYTES_PER_DOUBLE * rank**2
    return Plan(
        read=data / machine.disk / workers,
        kernel=n * rank / machine.values / workers,
        arithmetic=n * rank**2 / machine.operations / workers,
        reduce=rounds * sums / machine.network,
        solve=rank**3 / 3 / machine.operations,
        memory=2 * sums,
        data=data,
        traffic=(workers - 1) * sums,
    )


def survival(workers: int, hours: float, failure_hours: float) -> float:
    """Return the probability that none of W machines fails within some hours.

    Each fails independently at a constant rate, once in `failure_hours` on average.

    Examples
    --------
    >>> round(survival(1000, 3, 10_000), 3)
    0.741
    """
    mean = positive_number(failure_hours, "failure_hours")
    return math.exp(-workers * hours / mean)


def measure(seconds: float = 0.2, rank: int = 500, dimension: int = 10) -> MachineSpeed:
    """Measure the constants of this machine by short runs, all but the network.

    CPU time, except for the disk, where it is the clock on the wall; a file that was
    written just before is read from memory, so that what is measured is an upper
    limit.

    Parameters
    ----------
    seconds : how long to measure each.
    rank, dimension : of the matrices that are used.
    """
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(2000, dimension)), rng.normal(size=(rank, dimension))
    Phi = np.asfortranarray(rng.normal(size=(rank, 2000)))
    k = Gaussian(sigma=3.0)
    products = runs_per_second(
        lambda: blas.dsyrk(1.0, Phi, lower=1), seconds, time.process_time
    )
    blocks = runs_per_second(lambda: k(X, Z), seconds, time.process_time)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows"
        rng.normal(size=(200_000, dimension)).tofile(path)
        size = path.stat().st_size
        reads = runs_per_second(
            lambda: np.fromfile(path).sum(), seconds, time.perf_counter
        )
    return MachineSpeed(
        operations=products * 2000 * rank**2,
        values=blocks * 2000 * rank,
        disk=reads * size,
    )


def runs_per_second(
    run: Callable[[], object], seconds: float, clock: Callable[[], float]
) -> float:
    """Return the number of runs per second."""
    run()  # the first one also loads what it needs
    runs, start = 0, clock()
    while runs == 0 or clock() - start < seconds:
        run()
        runs += 1
    return runs / (clock() - start)


def in_words(amount: float, what: str) -> str:
    """Write a number of bytes or seconds for people.

    Parameters
    ----------
    amount : the number.
    what : "bytes" or "seconds".

    Examples
    --------
    >>> in_words(8e12, "bytes"), in_words(33, "seconds"), in_words(1.1e7, "seconds")
    ('8 TB', '33 s', '130 days')
    """
    scales = _SCALES.get(what)
    if scales is None:
        raise InputError(f"what must be 'bytes' or 'seconds', got {what!r}")
    size, unit = max(((s, u) for s, u in scales if s <= amount), default=scales[0])
    value = amount / size
    small = f"{value:.2g}" if value < 100 else f"{float(f'{value:.2g}'):,.0f}"
    digits = small if value < 1e6 else f"{value:.1e}"
    return f"{digits} {unit}"


_SCALES = {
    "bytes": (
        (1.0, "B"),
        (1e3, "kB"),
        (1e6, "MB"),
        (1e9, "GB"),
        (1e12, "TB"),
        (1e15, "PB"),
        (1e18, "EB"),
    ),
    "seconds": (
        (1e-3, "ms"),
        (1.0, "s"),
        (60.0, "min"),
        (3600.0, "h"),
        (86400.0, "days"),
        (365.25 * 86400, "years"),
    ),
}
