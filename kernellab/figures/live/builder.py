"""Is it a kernel? An expression with its proof, or what refutes it (chapter 3).

The expressions of the menu are computed ahead; with Python running, the reader types
another, which is never evaluated by Python.

Legend: K Gram matrix, on sample points or on the witness's; c with cᵀKc < 0.
"""

from __future__ import annotations

import numpy as np

from kernellab.arrays import Array
from kernellab.figures.controls import Choice, ExpressionField
from kernellab.figures.live.figure import LiveFigure
from kernellab.figures.marks import BRIGHT_ENDS
from kernellab.figures.numbers import nice
from kernellab.figures.scene import (
    Bars,
    Line,
    Mark,
    Panel,
    Raster,
    Scene,
    Table,
    Words,
)
from kernellab.kernels import Orthant, Reals
from kernellab.kernels.base import Kernel
from kernellab.kernels.proving.verdict import Verdict
from kernellab.kernels.proving.witness import RELATIVE_ROUNDING
from kernellab.kernels.reader import read_kernel
from kernellab.validity.domains import Domain

EXPRESSIONS = (
    "2*Gaussian(sigma=0.5) + Linear()**2",
    "(Linear() + 1)**3",
    "normalize(exp(Linear()))",
    "Gaussian()*Cosine(omega=3)",
    "Gaussian()**0.5",
    "HistogramIntersection()",
    "exp(-Linear()/2)",
    "tanh(Linear() - 1)",
    "1/sqrt(Gaussian())",
    "(1 + Linear())**1.5",
    "Gaussian(sigma=1) - Gaussian(sigma=2)",
    "Gaussian() - 0.5",
    "2*Linear() - Linear()",
)
"""Kernels, and functions that are none, and some of which the rules do not know."""

DOMAINS: dict[str, Domain] = {"ℝ": Reals(1), "x ≥ 0": Orthant(1)}
SAMPLES = {"ℝ": np.linspace(-2, 2, 25), "x ≥ 0": np.linspace(0, 4, 25)}
MAX_WRITTEN = 6
"""Up to so many points, the entries of K are written out."""


def builder_scene(expression: str, domain: str, own: str = "") -> Scene:
    """Show the verdict, the evidence, K and its eigenvalues."""
    kernel = read_kernel(own or expression)
    verdict = kernel.verdict(DOMAINS[domain])
    points, K = _shown(kernel, verdict, domain)
    values = _eigenvalues(K)
    return Scene(
        [_matrix(K, points, verdict), _spectrum(values)],
        _notes(verdict, values),
        _table(verdict, points, K),
        lines=_lines(verdict),
        height=3.6,
    )


def _shown(kernel: Kernel, verdict: Verdict, domain: str) -> tuple[list[str], Array]:
    """Return the witness's points and matrix, or those of evenly spaced points."""
    if verdict.witness is not None:
        return verdict.witness.places, verdict.witness.K
    x = SAMPLES[domain]
    return [nice(value) for value in x], gram(kernel, x[:, None])


def gram(kernel: Kernel, X: Array) -> Array:
    """Compute K, with NaN where the expression has no value."""
    try:
        return kernel(X)
    except ValueError:
        return np.array([[_value(kernel, x, z) for z in X] for x in X])


def _value(kernel: Kernel, x: Array, z: Array) -> float:
    try:
        return float(kernel(x[None], z[None])[0, 0])
    except ValueError:
        return np.nan


def _eigenvalues(K: Array) -> Array:
    """Compute the eigenvalues of K, the largest first; set rounding to 0."""
    if not np.isfinite(K).all():
        return np.zeros(0)
    values = np.linalg.eigvalsh((K + K.T) / 2)[::-1]
    values[np.abs(values) < RELATIVE_ROUNDING * len(K) * np.abs(values).max()] = 0.0
    return np.asarray(values)


def _matrix(K: Array, points: list[str], verdict: Verdict) -> Panel:
    n, size = len(K), float(np.nanmax(np.abs(K))) or 1.0
    edges = (0.5, n + 0.5, 0.5, n + 0.5)
    image = Raster(K, edges, -size, size, "diverging", "k(x, x')")
    marks: list[Mark] = [image]
    if n <= MAX_WRITTEN:
        marks += _entries(K, size)
    few = verdict.witness is not None
    title = f"{verdict}: K on {'the witness' if few else f'{n} points'}"
    limits = (0.5, n + 0.5), (n + 0.5, 0.5)
    across = ", ".join(points) if n <= MAX_WRITTEN else f"{points[0]} … {points[-1]}"
    return Panel(marks, title, f"points {across}", "", *limits, equal=True, ticks=False)


def _entries(K: Array, size: float) -> list[Mark]:
    """Write the numbers, light on dark entries and dark on light ones."""
    rows, columns = np.indices(K.shape) + 1.0
    dark = np.abs(K) > BRIGHT_ENDS * size
    found: list[Mark] = []
    for mask, colour in ((dark, "paper"), (~dark, "ink")):
        texts = [nice(value) for value in K[mask]]
        found.append(Words(columns[mask], rows[mask], texts, colour))
    return found


def _spectrum(values: Array) -> Panel:
    place = np.arange(1.0, len(values) + 1)
    low, high = float(values.min(initial=0.0)), float(values.max(initial=0.0))
    high = high if low < high else 1.0
    room, good = 0.06 * (high - low), values >= 0
    marks: list[Mark] = [
        Bars(place[good], values[good], "blue"),
        Line([0, len(values) + 1], [0, 0], "ink", width=1.0),
    ]
    if not good.all():
        bad = place[~good], values[~good], "vermillion"
        marks.append(Bars(*bad, "below zero", hatch=True))
        texts = [nice(value, 2) for value in bad[1]]
        marks.append(Words(bad[0], np.full(len(texts), room), texts))
    if not len(values):
        marks.append(Words([1], [0.5], ["some entries of K have no value"]))
    limits = (0.0, max(len(values), 1) + 1.0), (low - 2 * room, high + 2 * room)
    names = "Eigenvalues of K", "number", ""
    return Panel(marks, *names, *limits)


def _notes(verdict: Verdict, values: Array) -> list[tuple[str, str]]:
    notes = [("verdict", f"{verdict} on {verdict.domain}")]
    if verdict.witness is not None and verdict.witness.c is not None:
        c = ", ".join(nice(v) for v in verdict.witness.c)
        notes += [("c", f"({c})"), ("cᵀKc", nice(verdict.witness.value))]
    elif len(values):
        smallest = nice(values[-1]) if values[-1] else "0, up to rounding"
        notes.append(("smallest eigenvalue shown", smallest))
    return notes


def _lines(verdict: Verdict) -> list[str]:
    """List the proof step by step, or the evidence, or what is missing."""
    if verdict.proof is None:
        return [verdict.reason]
    steps = [line.split(". ", 1)[1] for line in str(verdict.proof).splitlines()[1:]]
    return [_as_code(step).replace("⊤", "ᵀ") for step in steps]


def _as_code(step: str) -> str:
    """Mark the expression that a step begins with as code."""
    expression, colon, reason = step.partition(": ")
    return f"`{expression}`{colon}{reason}"


def _table(verdict: Verdict, points: list[str], K: Array) -> Table:
    if verdict.witness is not None and verdict.witness.c is not None:
        rows = [
            [p, c, *row] for p, c, row in zip(points, verdict.witness.c, K, strict=True)
        ]
        return Table(("point x", "c", *(f"k(x, {p})" for p in points)), rows)
    every = slice(None) if len(points) <= MAX_WRITTEN else slice(None, None, 4)
    chosen = points[every]
    rows = [[p, *row] for p, row in zip(chosen, K[every, every], strict=True)]
    return Table(("point x", *(f"k(x, {p})" for p in chosen)), rows)


FIGURE = LiveFigure(
    "builder",
    "Is it a kernel?",
    (
        Choice("expression", "k =", EXPRESSIONS, EXPRESSIONS[0]),
        Choice("domain", "on", tuple(DOMAINS), "ℝ"),
        ExpressionField(
            "own",
            "or your own",
            placeholder="(1 + x*y)**2 + exp(-abs(x - y))",
            instead="expression",
        ),
    ),
    builder_scene,
    "Left: the Gram matrix of the chosen function, on evenly spaced points or, if it "
    "is refuted, on the points of the witness. Right: the eigenvalues of that matrix, "
    "those below zero hatched. Below: the proof or the counterexample in words.",
)
