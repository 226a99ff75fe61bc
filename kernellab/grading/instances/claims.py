"""Claims: is a quantity unique, is a matrix invertible?"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from decimal import localcontext
from itertools import chain

from kernellab.grading.instances.evaluate import value
from kernellab.grading.instances.fields import DIGITS
from kernellab.grading.instances.impose import solve
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import determinant
from kernellab.grading.instances.making import modular_instances, ordered_instances
from kernellab.grading.instances.setting import Setting, stationarity
from kernellab.grading.instances.truth import BOUND_DRAWS, LINE, features, in_all
from kernellab.grading.language.tree import Expr
from kernellab.grading.work import OutOfWork


def decide_claim(setting: Setting, claim: Expr, rng: random.Random) -> bool | None:
    """Tell whether unique(x), invertible(X), or the contrary of one of them, is true.

    False for a claim without `not` means a counterexample, and so does True for one
    with it. None: no instance decides.
    """
    if claim.op == "not":
        verdict = decide_claim(setting, claim.args[0], rng)
        return None if verdict is None else not verdict
    if claim.op not in ("unique", "invertible"):
        return None
    decide = _is_unique if claim.op == "unique" else _is_invertible
    with suppress(OutOfWork), setting.work.limited(LINE), localcontext(prec=DIGITS):
        return decide(setting, claim.args[0], rng)
    return None


def _is_unique(setting: Setting, x: Expr, rng: random.Random) -> bool | None:
    """Tell whether x takes one value at all stationary points.

    Without an object that is optimised: at all solutions of the equations in force.
    """
    problem = setting.problem
    equations = stationarity(problem, problem.variables) or setting.equations
    if not equations:
        return True  # nothing is unknown
    unknowns = [name for name in problem.sought if name not in setting.definitions]
    setting = replace(setting, equations=equations)

    def takes_one_value(it: Instance) -> bool | None:
        one = value(it, x)
        for name in unknowns:
            it.atom(name)
        solved = solve(it, it.setting.equations, unknowns)
        return bool((one == value(it, x)).all()) if solved else None

    with_exp = "exp" in features(setting, (x,))
    return in_all(modular_instances(setting, rng, with_exp), takes_one_value)


def _is_invertible(setting: Setting, X: Expr, rng: random.Random) -> bool | None:
    if X.shape is None or X.shape[0] != X.shape[1]:
        return False
    found = features(setting, (X,))
    modular = modular_instances(setting, rng, "exp" in found)
    ordered = ordered_instances(setting, BOUND_DRAWS, reals=bool(found))
    return in_all(
        chain(modular, ordered),
        lambda it: not it.field.is_zero(determinant(it.field, value(it, X))[0, 0]),
    )
