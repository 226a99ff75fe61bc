"""Kernel ridge regression, moved: what λ and σ do to a fit (chapter 1).

Legend: n points (x_i, t_i); f the fit; a its coefficients; λ penalty, σ width.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kernellab.arrays import Array
from kernellab.figures.controls import Clicks, Point, Slider, steps
from kernellab.figures.live.figure import LiveFigure
from kernellab.figures.numbers import nice
from kernellab.figures.scene import Dots, Line, Mark, Panel, Scene, Table
from kernellab.kernels import Gaussian
from kernellab.ridge import KernelRidge

POINTS = 30
NOISE = 0.2
LAMS = np.geomspace(1e-4, 1e2, 49)
"""Where the leave-one-out error is drawn."""

GRID = np.linspace(-1.05, 1.05, 121)
HIGHEST_ERROR = 1.0


def truth(x: Array) -> Array:
    """Return the values of the function that the data come from."""
    return np.asarray(np.sin(3 * x) + 0.5 * np.cos(9 * x))


@lru_cache(maxsize=1)
def data() -> tuple[Array, Array]:
    """Return n points on the line and their noisy targets, always the same."""
    rng = np.random.default_rng(3)
    x = np.sort(rng.uniform(-1, 1, POINTS))
    return x, truth(x) + NOISE * rng.normal(size=POINTS)


def ridge_scene(lam: float, sigma: float, points: tuple[Point, ...] = ()) -> Scene:
    """Show the fit and its errors: n³ operations, and as many for the curve over λ."""
    x, t = data()
    more = np.array([[p[0], p[1]] for p in points]).reshape(-1, 2)
    X, T = np.append(x, more[:, 0])[:, None], np.append(t, more[:, 1])
    model = KernelRidge(Gaussian(sigma=sigma), lam=lam).fit(X, T)
    fitted = model.predict(X)
    path = KernelRidge(Gaussian(sigma=sigma)).path(X, T, LAMS)
    loo = _mean_square_root(model.loo_residuals_)
    errors = np.sqrt(path.loo_errors), path.residual_norms / np.sqrt(len(T))
    best = int(np.argmin(errors[0]))
    norm = max(float(model.a_ @ fitted), 0.0) ** 0.5  # aᵀKa = ‖f‖²
    notes = [
        ("leave-one-out error", nice(loo)),
        ("training error", nice(_mean_square_root(T - fitted))),
        ("‖f‖", nice(norm)),
        ("degrees of freedom", nice(model.dof_)),
        ("best λ for this σ", nice(LAMS[best], 2)),
    ]
    rows = list(zip(X[:, 0], T, fitted, model.a_, strict=True))
    return Scene(
        [_fit(model, x, t, more), _errors(lam, loo, *errors)],
        notes,
        Table(("x", "t", "f(x)", "a"), rows),
    )


def _fit(model: KernelRidge, x: Array, t: Array, more: Array) -> Panel:
    f = model.predict(GRID[:, None])
    marks: list[Mark] = [
        Line(GRID, truth(GRID), "green", "--", 1.2, "truth"),
        Line(GRID, f, "blue", label="fit f"),
        Dots(x, t, "ink", size=4.5, label="data"),
    ]
    if len(more):
        marks.append(Dots(more[:, 0], more[:, 1], "vermillion", "D", 6.5, "added"))
    wide, tall = (-1.05, 1.05), (-2.1, 2.1)
    return Panel(marks, "The fit", "x", "f(x)", wide, tall, width=1.5)


def _errors(lam: float, loo: float, left_out: Array, training: Array) -> Panel:
    marks: list[Mark] = [
        Line(LAMS, left_out, "vermillion", label="leave-one-out error"),
        Line(LAMS, training, "purple", ":", label="training error"),
        Dots([lam], [min(loo, HIGHEST_ERROR)], "ink", "D", 7.5, "this λ"),
    ]
    wide, tall = (LAMS[0], LAMS[-1]), (0.0, HIGHEST_ERROR)
    names = "Its errors along λ", "λ", "root mean square"
    return Panel(marks, *names, wide, tall, log=("x",))


def _mean_square_root(v: Array) -> float:
    return float(np.sqrt(np.mean(v**2)))


FIGURE = LiveFigure(
    "ridge",
    "What λ and σ do",
    (
        Slider("lam", "λ", steps(-4, 2), 0.1, log=True, along=(1, "x")),
        Slider(
            "sigma",
            "width σ",
            (0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0, 3.0),
            0.2,
            log=True,
        ),
        Clicks("points", "Add a point to the data", ("point",), y="t"),
    ),
    ridge_scene,
    "Left: thirty noisy points, the function they come from, and the kernel ridge fit "
    "for the chosen λ and σ. Right: the leave-one-out error and the training error of "
    "the fits with this σ, against λ, with a mark at the chosen λ.",
)
