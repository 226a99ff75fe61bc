"""Gaussian processes drawn: mean, band and sample functions; the likelihood's surface.

`process_picture` and `likelihood_surface` map parameters to plain data; the `draw_`
functions draw them.

Legend: n observations (X, t); a grid of q places on the line; s sample functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.figures.style import PALETTE
from kernellab.gp import GaussianProcess
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import vectors

if TYPE_CHECKING:
    import matplotlib.axes

SAMPLE_DASHES = ((0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
"""Line styles of successive sample functions."""


@dataclass(frozen=True, eq=False)
class ProcessPicture:
    """A Gaussian process on a part of the line, given its observations.

    Attributes
    ----------
    x : (q,) places.
    mean, sd : (q,) of f, given the data.
    sd_y : (q,) standard deviation of a new observation.
    draws : (s, q) sample functions.
    X, t : (n,) observations.
    log_likelihood : log p(t); None without data.
    """

    x: Array
    mean: Array
    sd: Array
    sd_y: Array
    draws: Array
    X: Array
    t: Array
    log_likelihood: float | None


def process_picture(
    kernel: Kernel,
    noise: float,
    X: ArrayLike = (),
    t: ArrayLike = (),
    *,
    left: float = 0.0,
    right: float = 1.0,
    places: int = 201,
    draws: int = 0,
    random_state: int = 0,
) -> ProcessPicture:
    """Compute the prior or, if there are observations, the posterior on a grid.

    The sample functions use the same random numbers for every kernel and noise, so that
    they move smoothly with the parameters.

    Parameters
    ----------
    kernel, noise : of the process; nothing is learned.
    X, t : (n,) arrays of places and targets; none by default.
    left, right, places : the grid.
    draws : number of sample functions.
    random_state : seed of the sample functions.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> picture = process_picture(kl.Gaussian(), 0.1, [0.5], [1.0], places=3)
    >>> picture.mean.round(3), picture.sd.round(3)
    (array([0.802, 0.909, 0.802]), array([0.54 , 0.302, 0.54 ]))
    """
    x = np.linspace(left, right, places)
    P, u = np.asarray(X, dtype=float).ravel(), np.asarray(t, dtype=float).ravel()
    if len(P) != len(u):
        raise InputError(f"{len(P)} places have {len(u)} targets")
    gp = GaussianProcess(kernel, noise)
    if len(P):
        law = gp.fit(P[:, None], u, optimize=False).posterior(x[:, None])
        value = float(gp.log_marginal_likelihood())
    else:
        law, value = gp.prior(x[:, None]), None
    lines = law.sample(draws, random_state=random_state)
    sd, sd_y = np.sqrt(law.variance), np.sqrt(law.variance + noise)
    return ProcessPicture(x, law.mean.copy(), sd, sd_y, lines, P, u, value)


def draw_process(
    ax: matplotlib.axes.Axes,
    picture: ProcessPicture,
    truth: ArrayLike | None = None,
    observations: bool = False,
) -> None:
    """Draw the mean, ± 2 standard deviations, sample functions and observations.

    Parameters
    ----------
    truth : (q,) values of the function that the data came from, if it is known.
    observations : whether the band is for new observations, instead of f.
    """
    x, mean = picture.x, picture.mean
    sd = picture.sd_y if observations else picture.sd
    label = "± 2 standard deviations"
    low, high = mean - 2 * sd, mean + 2 * sd
    ax.fill_between(x, low, high, color=PALETTE["sky"], alpha=0.35, lw=0, label=label)
    for i, line in enumerate(picture.draws):
        style: Any = {"color": PALETTE["purple"], "linewidth": 1.1}
        style["linestyle"] = SAMPLE_DASHES[i % len(SAMPLE_DASHES)]
        ax.plot(x, line, label="samples" if i == 0 else "_samples", **style)
    if truth is not None:
        dashes: Any = (0, (6, 2))
        green = PALETTE["green"]
        ax.plot(x, np.asarray(truth), color=green, linestyle=dashes, label="truth")
    ax.plot(x, mean, color=PALETTE["vermillion"], linestyle="-", label="mean")
    if len(picture.X):
        ax.plot(picture.X, picture.t, "o", color=PALETTE["blue"], label="data", ms=6)
    ax.set_xlim(float(x[0]), float(x[-1]))


@dataclass(frozen=True, eq=False)
class Surface:
    """The log marginal likelihood over two entries of θ, the others held.

    Attributes
    ----------
    across, up : (w,) and (h,) values of the two parameters themselves.
    values : (h, w) log likelihoods; NaN where there is none.
    names : the names of the two.
    """

    across: Array
    up: Array
    values: Array
    names: tuple[str, str]


def likelihood_surface(
    gp: GaussianProcess, names: tuple[str, str], across: ArrayLike, up: ArrayLike
) -> Surface:
    """Compute log p(t) on a grid of two positive parameters: n³/3 operations per place.

    Parameters
    ----------
    gp : a fitted process; its other parameters stay as they are.
    names : two of its `theta_names`.
    across, up : grids of the parameters themselves (not of their logarithms).

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> gp = GaussianProcess(kl.Gaussian(), noise=0.1)
    >>> gp = gp.fit([[0.0], [1.0]], [0.0, 1.0], optimize=False)
    >>> names = ("gaussian.sigma", "noise")
    >>> likelihood_surface(gp, names, [0.5, 1.0], [0.1]).values.round(3)
    array([[-2.387, -2.405]])
    """
    known = gp.theta_names
    missing = [name for name in names if name not in known]
    if missing:
        raise InputError(f"no parameter {missing[0]}; there are {', '.join(known)}")
    i, j = (known.index(name) for name in names)
    horizontal, vertical = (vectors(np.c_[v], "grid").X[:, 0] for v in (across, up))
    values = np.full((len(vertical), len(horizontal)), np.nan)
    for row, v in enumerate(vertical):
        for column, u in enumerate(horizontal):
            theta = gp.theta
            theta[i], theta[j] = np.log(u), np.log(v)
            try:
                values[row, column] = gp.log_marginal_likelihood(theta)
            except NotPositiveDefinite:
                continue
    return Surface(horizontal, vertical, values, names)


def draw_surface(
    ax: matplotlib.axes.Axes, surface: Surface, depth: float = 30.0, lines: int = 16
) -> None:
    """Draw contours from the highest value down to `depth` below it, on log axes."""
    top = float(np.nanmax(surface.values))
    shown = np.maximum(surface.values, top - depth)
    levels = np.linspace(top - depth, top, lines)
    grid = surface.across, surface.up, shown
    ax.contourf(*grid, levels, cmap="cividis", extend="max")
    ax.contour(*grid, levels, colors=PALETTE["paper"], linewidths=0.5)
    ax.set(xscale="log", yscale="log")
    ax.set(xlabel=surface.names[0], ylabel=surface.names[1])
    ax.grid(False)
