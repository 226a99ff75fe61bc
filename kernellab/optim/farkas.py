"""Farkas' lemma, as a computation: a combination, or a direction that excludes it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

from kernellab.arrays import Array
from kernellab.optim.functions import finite_array


@dataclass(frozen=True, eq=False)
class Alternative:
    """Either `alpha` ≥ 0 with Gᵀα = b, or `direction` v with Gv ≤ 0 and bᵀv > 0.

    `alpha` gives the combination of the rows of G that is nearest to b, and
    `direction` is b minus this combination; zero if b is in the cone.
    """

    in_cone: bool
    alpha: Array
    direction: Array

    def __repr__(self) -> str:
        if self.in_cone:
            return f"in the cone: alpha = {np.round(self.alpha, 6) + 0.0}"
        return f"not in the cone: direction {np.round(self.direction, 6) + 0.0}"


def farkas(G: ArrayLike, b: ArrayLike, tol: float = 1e-9) -> Alternative:
    """Return whether b is a combination of the rows of G with coefficients ≥ 0.

    Exactly one holds: Gᵀα = b for some α ≥ 0; or Gv ≤ 0 and bᵀv > 0 for some v. The
    computation is the proof: let p = Gᵀα be the point of the cone nearest to b, and
    v = b − p. If v ≠ 0, then Gv ≤ 0 (or p could move along a row and come nearer), and
    bᵀv = ‖v‖² > 0, because pᵀv = 0.

    Non-negative least squares finds p. b counts as in the cone if its distance from
    it is at most tol times ‖b‖.

    Examples
    --------
    >>> farkas([[1.0, 0.0], [1.0, 1.0]], [3.0, 1.0])
    in the cone: alpha = [2. 1.]
    >>> farkas([[1.0, 0.0], [1.0, 1.0]], [0.0, 1.0])
    not in the cone: direction [-0.5  0.5]
    """
    target = finite_array(b, "b", None)
    rows = finite_array(G, "G", None, len(target))
    alpha = nnls(rows.T, target)[0] if len(rows) else np.zeros(0)
    direction = target - rows.T @ alpha
    inside = np.linalg.norm(direction) <= tol * (np.linalg.norm(target) or 1.0)
    return Alternative(bool(inside), alpha, 0 * direction if inside else direction)
