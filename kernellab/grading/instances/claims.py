"""Claims: is a quantity unique, is a matrix invertible?"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from decimal import localcontext

from kernellab.grading.instances import clock
from kernellab.grading.instances.evaluate import value
from kernellab.grading.instances.fields import (
    DIGITS,
    OutOfTime,
    Undecided,
)
from kernellab.grading.instances.impose import solve
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import determinant
from kernellab.grading.instances.making import modular_instances, ordered_instances
from kernellab.grading.instances.setting import Setting
from kernellab.grading.instances.truth import BOUND_DRAWS, SECONDS, features
from kernellab.grading.language.tree import Expr


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
    setting.drawn.until = clock.now() + SECONDS
    try:
        with localcontext(prec=DIGITS):
            return decide(setting, claim.args[0], rng)
    except OutOfTime:
        return None


def _is_unique(setting: Setting, x: Expr, rng: random.Random) -> bool | None:
    """Tell whether x takes one value at all stationary points.

    Without an object that is optimised: at all solutions of the equations in force.
    """
    equations = setting.stationarity() or setting.equations
    if not equations:
        return True  # nothing is unknown
    names = setting.variables or setting.unknowns
    unknowns = [name for name in names if name not in setting.definitions]
    setting = replace(setting, equations=equations)
    verdicts = [
        _takes_one_value(it, x, unknowns)
        for it in modular_instances(setting, rng, "exp" in features(setting, (x,)))
    ]
    return _summary(verdicts)


def _takes_one_value(it: Instance, x: Expr, unknowns: list[str]) -> bool | None:
    """Tell whether x has the same value at another solution."""
    try:
        one = value(it, x)
        for name in unknowns:
            it.atom(name)
        if not solve(it, it.setting.equations, unknowns):
            return None
        return bool((one == value(it, x)).all())
    except Undecided:
        return None


def _is_invertible(setting: Setting, X: Expr, rng: random.Random) -> bool | None:
    if X.shape is None or X.shape[0] != X.shape[1]:
        return False
    return _summary([_has_determinant(it, X) for it in _all(setting, X, rng)])


def _all(setting: Setting, X: Expr, rng: random.Random) -> Iterator[Instance]:
    found = features(setting, (X,))
    yield from modular_instances(setting, rng, "exp" in found)
    yield from ordered_instances(setting, BOUND_DRAWS, reals=bool(found))


def _has_determinant(it: Instance, X: Expr) -> bool | None:
    try:
        det = determinant(it.field, value(it, X))
    except Undecided:
        return None
    return not it.field.is_zero(det[0, 0])


def _summary(verdicts: list[bool | None]) -> bool | None:
    """Return False if one is, True if some are and none is False, None otherwise."""
    if False in verdicts:
        return False
    return True if True in verdicts else None
