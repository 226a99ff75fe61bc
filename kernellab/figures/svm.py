"""The support vector machine in the plane: boundary, margins, support vectors, gap.

`svm_picture` maps points and parameters to plain data, `svm_panel` makes a panel of it.
`kernellab.figures.live.svm` moves it.

Legend: n points; f decision function on a grid of h × w places; α multipliers.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array, describe, number, reals
from kernellab.errors import ConvergenceWarning, InputError
from kernellab.figures.contours import level_line, region
from kernellab.figures.families import FAMILIES
from kernellab.figures.scene import Dots, Mark, Panel
from kernellab.kernels.base import Kernel
from kernellab.svm import SVC, NotSeparable

Box = tuple[float, float, float, float]

MARGIN = 0.15
"""How much wider the picture is than the points, on each side."""


@dataclass(frozen=True, eq=False)
class SVMPicture:
    """All that is drawn, and what the certificate says.

    Attributes
    ----------
    points, labels : (n, 2) points and their labels −1, +1.
    across, up : (w,) and (h,) coordinates of the grid.
    values : (h, w) decision function f; zeros if there is no machine.
    alpha : (n,) multipliers.
    on_margin, at_bound : the points with 0 < α < C, and with α = C, by number.
    primal, dual, gap, relative_gap : the certificate; NaN if there is no machine.
    margin : 1/‖w‖; NaN if there is no machine.
    steps : how many the solver took.
    note : why there is no machine, or "".
    witness : (n,) weights of a point of both convex hulls, if there is no hard
        margin; else zeros.
    """

    points: Array
    labels: Array
    across: Array
    up: Array
    values: Array
    alpha: Array
    on_margin: NDArray[np.intp]
    at_bound: NDArray[np.intp]
    primal: float
    dual: float
    gap: float
    relative_gap: float
    margin: float
    steps: int
    note: str
    witness: Array

    @property
    def support(self) -> int:
        """The number of support vectors."""
        return int(np.count_nonzero(self.alpha))


def svm_picture(
    points: ArrayLike,
    labels: ArrayLike,
    C: float = 1.0,
    sigma: float = 1.0,
    kernel: str | Kernel = "Gaussian",
    *,
    box: Box | None = None,
    resolution: int = 61,
    tol: float = 1e-3,
) -> SVMPicture:
    """Train a machine on points of the plane and evaluate f on a grid.

    While somebody is placing the points there may be none, or one class only, or no
    hard margin: then there is a picture as well, with a `note` in place of a machine.

    Parameters
    ----------
    points : (n, 2) array.
    labels : (n,) array of −1 and +1.
    C : as for `SVC`; np.inf for the hard margin.
    sigma : width of the Gaussian kernel; other kernels have none.
    kernel : a name of `FAMILIES`, or a Kernel.
    box : (left, right, bottom, top) of the grid; around the points if not given.
    resolution : places of the grid in each direction.
    tol : as for `SVC`.

    Examples
    --------
    >>> picture = svm_picture([[-1, 0], [1, 0]], [-1, 1], C=1.0, kernel="linear")
    >>> picture.alpha.round(9), round(picture.margin, 9), picture.values.shape
    (array([0.5, 0.5]), 1.0, (61, 61))
    >>> svm_picture([[0, 0]], [1]).note
    'a machine needs points of both classes'
    """
    X, y = _read(points, labels)
    k = _kernel(kernel, sigma)
    across, up = _grid(X, box, resolution)
    blank = _blank(X, y, across, up)
    if len(np.unique(y)) < 2:
        return replace(blank, note="a machine needs points of both classes")
    try:
        return _trained(blank, SVC(k, C=C, tol=tol))
    except NotSeparable as error:
        note, weights = "no hard margin: the classes overlap", error.witness.weights
        return replace(blank, note=note, witness=weights)


def _blank(X: Array, y: Array, across: Array, up: Array) -> SVMPicture:
    """Return the picture of points without a machine."""
    none, zeros = np.zeros(0, dtype=np.intp), np.zeros(len(y))
    return SVMPicture(
        X,
        y,
        across,
        up,
        values=np.zeros((len(up), len(across))),
        alpha=zeros,
        on_margin=none,
        at_bound=none,
        primal=math.nan,
        dual=math.nan,
        gap=math.nan,
        relative_gap=math.nan,
        margin=math.nan,
        steps=0,
        note="",
        witness=zeros,
    )


def _trained(blank: SVMPicture, machine: SVC) -> SVMPicture:
    """Train the machine and fill in what it says."""
    with warnings.catch_warnings():  # the gap is shown: it says the same
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(blank.points, blank.labels)
    grid = np.meshgrid(blank.across, blank.up)
    f = machine.decision_function(np.column_stack([part.ravel() for part in grid]))
    alpha, c = machine.alpha_, machine.certificate_
    full = alpha == machine.C
    return replace(
        blank,
        values=f.reshape(blank.values.shape),
        alpha=alpha,
        on_margin=np.flatnonzero((alpha > 0) & ~full),
        at_bound=np.flatnonzero(full),
        primal=c.primal,
        dual=c.dual,
        gap=c.gap,
        relative_gap=c.relative_gap,
        margin=machine.margin_,
        steps=machine.n_iter_,
    )


# --- drawing --------------------------------------------------------------------------


def svm_panel(picture: SVMPicture, size: float = 5.5) -> Panel:
    """Show where f > 0, the boundary f = 0, the margins f = ±1, and the points.

    Class +1 is circles, −1 squares, `size` points wide. Support vectors are ringed,
    with a thick ring on the margin (0 < α < C) and a thin one at the bound (α = C). If
    there is no hard margin, diamonds stand around the points whose combinations
    coincide.

    Examples
    --------
    >>> picture = svm_picture([[-1, 0], [1, 0]], [-1, 1], kernel="linear")
    >>> [mark.label for mark in svm_panel(picture).marks if mark.label]
    ['f > 0', 'f = 0', 'f = ±1', 'y = +1', 'y = −1', '0 < α < C', 'α = C']
    """
    grid = picture.across, picture.up, picture.values
    marks: list[Mark] = [
        region(*grid, colour="sky", label="f > 0"),
        level_line(*grid, colour="ink", width=1.8, label="f = 0"),
        level_line(*grid, 1.0, colour="ink", dash="--", width=1.0, label="f = ±1"),
        level_line(*grid, -1.0, colour="ink", dash="--", width=1.0),
    ]
    for sign, colour, marker, label in (
        (1, "blue", "o", "y = +1"),
        (-1, "vermillion", "s", "y = −1"),
    ):
        x1, x2 = picture.points[picture.labels == sign].T
        marks.append(Dots(x1, x2, colour, marker, size, label))
    for numbers, ring, label in (
        (picture.on_margin, 1.8, "0 < α < C"),
        (picture.at_bound, 0.6, "α = C"),
    ):
        x1, x2 = picture.points[numbers].T
        marks.append(Dots(x1, x2, "ink", "o", 2 * size, label, ring=ring))
    if picture.witness.any():
        x1, x2 = picture.points[picture.witness > 0].T
        marks.append(Dots(x1, x2, "ink", "D", 2.4 * size, "hulls meet", ring=1.2))
    xlim, ylim = ((float(v[0]), float(v[-1])) for v in (picture.across, picture.up))
    return Panel(marks, xlim=xlim, ylim=ylim, equal=True, ticks=False)


# --- reading --------------------------------------------------------------------------


def _read(points: ArrayLike, labels: ArrayLike) -> tuple[Array, Array]:
    X = reals(points, "points must be an array of numbers of shape (n, 2)").copy()
    y = reals(labels, "labels must be an array of −1 and +1").copy()
    if not X.size:
        X = np.zeros((0, 2))
    if X.ndim != 2 or X.shape[1] != 2 or not np.isfinite(X).all():
        raise InputError(
            f"points must be finite points of the plane, shape (n, 2); got {X.shape}"
        )
    if y.shape != (len(X),) or not np.isin(y, (-1, 1)).all():
        raise InputError(
            f"labels must be {len(X)} numbers −1 or +1, one for each point; "
            f"got {describe(labels)}"
        )
    return X, y


def _kernel(kernel: str | Kernel, sigma: float) -> Kernel:
    if isinstance(kernel, Kernel):
        return kernel
    if kernel not in FAMILIES:
        raise InputError(
            f"kernel must be a Kernel or one of {', '.join(FAMILIES)}; got {kernel!r}"
        )
    return FAMILIES[kernel](sigma)


def _grid(X: Array, box: Box | None, resolution: int) -> tuple[Array, Array]:
    count = number(resolution, "resolution")
    if count != int(count) or count < 2:
        raise InputError(f"resolution must be an integer ≥ 2, got {resolution!r}")
    left, right, bottom, top = _around(X) if box is None else box
    if not (left < right and bottom < top):
        raise InputError(
            f"box must be (left, right, bottom, top) in increasing order; got {box}"
        )
    return np.linspace(left, right, int(count)), np.linspace(bottom, top, int(count))


def _around(X: Array) -> Box:
    """Return the box of the points and a margin; the unit box if there are none."""
    if not len(X):
        return -1.0, 1.0, -1.0, 1.0
    low, high = X.min(axis=0), X.max(axis=0)
    wide = MARGIN * np.where(high > low, high - low, 1.0)
    (left, bottom), (right, top) = (low - wide).tolist(), (high + wide).tolist()
    return left, right, bottom, top
