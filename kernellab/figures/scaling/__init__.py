"""What grows with n, drawn: costs, spectra, low-rank errors, accuracy against time.

The functions map parameters to plain data, and `draw_` functions draw them (chapter 8):

`counts`, `times`, `costs`
    what linear algebra costs: counted, timed, and foretold for large n;
`lowrank`
    eigenvalues, the errors of low-rank approximations, and the picture of Nyström's;
`race`
    test error against CPU time.
"""

from kernellab.figures.scaling.costs import (
    Machine,
    Plan,
    exact_cost,
    in_words,
    measure,
    plan,
    survival,
)
from kernellab.figures.scaling.counts import Counted, count_multiplications
from kernellab.figures.scaling.lowrank import (
    KERNELS,
    LANDMARKS,
    NystroemPicture,
    draw_nystroem,
    frobenius_errors,
    landmark_errors,
    nystroem_picture,
    spectra,
    tails,
)
from kernellab.figures.scaling.race import Curve, draw_race, race
from kernellab.figures.scaling.times import Timings, slope, time_operations

__all__ = [
    "KERNELS",
    "LANDMARKS",
    "Counted",
    "Curve",
    "Machine",
    "NystroemPicture",
    "Plan",
    "Timings",
    "count_multiplications",
    "draw_nystroem",
    "draw_race",
    "exact_cost",
    "frobenius_errors",
    "in_words",
    "landmark_errors",
    "measure",
    "nystroem_picture",
    "plan",
    "race",
    "slope",
    "spectra",
    "survival",
    "tails",
    "time_operations",
]
