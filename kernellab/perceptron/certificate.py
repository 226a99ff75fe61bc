"""What a run of the perceptron proves about its data.

Legend: M mistakes; R radius; w weights; γ* the largest margin of any unit vector.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kernellab.perceptron.machines import DualLearner, PrimalLearner
from kernellab.perceptron.runs import Integers, MistakeLog, mistakes


@dataclass(frozen=True, eq=False)
class MarginCertificate:
    """margin ≤ γ* ≤ margin_bound, from quantities anyone can recompute.

    The largest margin of a hyperplane through 0 in feature space is

        γ* = max_u min_i y_i uᵀφ(x_i) over ‖u‖ ≤ 1
           = min_λ ‖Σ λ_i y_i φ(x_i)‖ over λ ≥ 0, Σ λ_i = 1.

    Any u bounds it from below, any λ from above; a run of the perceptron gives both,
    u = w/‖w‖ and λ = α/M.

    Attributes
    ----------
    mistakes : M.
    radius : R = max ‖φ(x_i)‖, the constant of a threshold included.
    norm : ‖w‖, for steps of length 1.
    margin : min_i y_i g(x_i)/‖w‖; positive if and only if w separates the data.
    margin_bound : ‖w‖/M ≤ R/√M; or, after w came back, 0 up to rounding.
    witness : (n,) counts c ≥ 0 with Σ c_i y_i φ(x_i) = 0 if w came back, else None.
    assumes : what it takes for granted of K, in words; empty if nothing.

    Examples
    --------
    >>> from kernellab.perceptron import Perceptron
    >>> Perceptron().fit([[1.0], [4.0]], [1, -1]).certificate_
    separable: the largest margin is between 0.447 and 0.559; 4 mistakes, and \
(R/margin)² = 85 was the most that there could be
    """

    mistakes: int
    radius: float
    norm: float
    margin: float
    margin_bound: float
    witness: Integers | None = None
    assumes: str = ""

    @classmethod
    def of(
        cls, machine: DualLearner | PrimalLearner, run: MistakeLog, assumes: str = ""
    ) -> MarginCertificate:
        """Return what a finished run proves. O(n) operations, besides g at the
        points.
        """
        norm, least = machine.norm, float(machine.margins().min())
        margin = least / norm if norm else 0.0
        bound = norm / len(run.mistakes)
        if run.witness is not None:
            c = run.witness.astype(float)
            bound = min(bound, machine.length(c) / c.sum())
        return cls(
            len(run.mistakes),
            float(machine.radius),
            norm,
            margin,
            bound,
            run.witness,
            assumes,
        )

    @property
    def mistake_bound(self) -> float:
        """(R/margin)²: Novikoff's bound, with the margin that was found."""
        return (self.radius / self.margin) ** 2 if self.margin > 0 else math.inf

    @property
    def separable(self) -> bool | None:
        """True or False if it is proved; None if it is not known."""
        if self.margin > 0:
            return True
        return False if self.margin_bound == 0 else None

    @property
    def primal(self) -> float:
        """‖Σ λ_i y_i φ(x_i)‖ at λ = α/M: the margin bound."""
        return self.margin_bound

    @property
    def dual(self) -> float:
        """min_i y_i uᵀφ(x_i) at u = w/‖w‖: the margin."""
        return self.margin

    @property
    def gap(self) -> float:
        """primal − dual ≥ 0: how closely the largest margin is known."""
        return self.primal - self.dual

    def __str__(self) -> str:
        return self._proved() + (f", if {self.assumes}" if self.assumes else "")

    def _proved(self) -> str:
        if self.separable:
            return (
                f"separable: the largest margin is between {self.margin:.3g} and "
                f"{self.margin_bound:.3g}; {mistakes(self.mistakes)}, and (R/margin)² "
                f"= {self.mistake_bound:.3g} was the most that there could be"
            )
        if self.witness is None:
            return (
                f"not separated after {mistakes(self.mistakes)}: whatever separates "
                f"these data has a margin of at most {self.margin_bound:.3g}"
            )
        count = mistakes(int(self.witness.sum()))
        if self.separable is False:
            return (
                f"not separable: the terms y_i φ(x_i) of {count} sum to 0, "
                "so no w can have all y_i wᵀφ(x_i) > 0"
            )
        return (
            f"not separable up to rounding: the terms y_i φ(x_i) of {count} "
            f"sum to 0, up to rounding, so no margin exceeds {self.margin_bound:.1g}"
        )

    __repr__ = __str__
