"""What grows with n: costs, low-rank errors, accuracy against time (chapter 8).

`counts`, `times`, `costs`
    what linear algebra costs: counted, timed, and foretold for large n;
`lowrank`
    eigenvalues, and the errors of low-rank approximations;
`race`
    test error against CPU time.
"""

from kernellab.figures.scaling.costs import (
    MachineSpeed,
    Plan,
    exact_cost,
    in_words,
    measure,
    plan,
    survival,
)
from kernellab.figures.scaling.counts import Counted, count_multiplications
from kernellab.figures.scaling.lowrank import (
    LANDMARKS,
    frobenius_errors,
    landmark_errors,
    spectra,
    tails,
)
from kernellab.figures.scaling.race import Curve, draw_race, race
from kernellab.figures.scaling.times import Timings, slope, time_operations

__all__ = [
    "LANDMARKS",
    "Counted",
    "Curve",
    "MachineSpeed",
    "Plan",
    "Timings",
    "count_multiplications",
    "draw_race",
    "exact_cost",
    "frobenius_errors",
    "in_words",
    "landmark_errors",
    "measure",
    "plan",
    "race",
    "slope",
    "spectra",
    "survival",
    "tails",
    "time_operations",
]
