"""Is a line true? In random exact instances in which all that is in force holds.

Equations are tested modulo a prime. What is false there at a random point is false at
almost all real points as well, because all that is drawn (AAᵀ for a semi-definite
matrix, squares for positive numbers, solutions of affine equations) is a polynomial in
free numbers. Three things have no exact counterpart modulo a prime: an order, logs, and
the sign of a root. A line with one of them is false only if a real instance says so.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from decimal import localcontext

from kernellab.grading.instances.evaluate import difference
from kernellab.grading.instances.fields import DIGITS, Undecided
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.making import (
    keeps_sign,
    modular_instances,
    ordered_instances,
)
from kernellab.grading.instances.setting import Setting
from kernellab.grading.language.tree import Expr, Relation
from kernellab.grading.work import OutOfWork

LINE = 1_000_000  # units of work for one line
BOUND_DRAWS = 40  # instances in which an inequality is tested
ROOT_ROUNDS = 10  # of instances for a line with a root, which may have no value
SIGNS = 12  # of which so many must agree: √(x²) is x in half of them
SAFE_DEGREE = 3  # in N: with two regimes, four sizes are tried
MAX_EXTRA = 8  # more sizes for lines of a higher degree
Link = tuple[Expr, str, Expr]


def is_true(
    setting: Setting,
    relation: Relation,
    free: Mapping[str, str],
    rng: random.Random,
    most: int | None = None,
) -> bool | None:
    """Tell whether a relation holds in random instances of a setting.

    Parameters
    ----------
    most : how many instances of an equation to try, if not all; for a first look.

    Returns
    -------
    False if some link of the chain has a counterexample, None if a link could not be
    tested (no instance could be made, or it has no value in any), True otherwise.
    """
    try:
        with setting.work.limited(LINE), localcontext(prec=DIGITS):
            verdicts = [
                _decide(setting, link, free, rng, most) for link in links(relation)
            ]
    except OutOfWork:
        return None
    if False in verdicts:
        return False
    return None if None in verdicts else True


def links(relation: Relation) -> Iterator[Link]:
    """Yield the links of a chain."""
    return zip(relation.sides, relation.signs, relation.sides[1:], strict=False)


def _decide(
    setting: Setting,
    link: Link,
    free: Mapping[str, str],
    rng: random.Random,
    most: int | None,
) -> bool | None:
    left, sign, right = link
    found = features(setting, (left, right))
    real = sign != "=" or bool(found or setting.bounds)  # decided by an order alone

    def holds(it: Instance) -> bool:
        return keeps_sign(it, sign, difference(it, left, right, free))

    if sign == "=":
        verdict = _is_identity(setting, link, holds, rng, found, most)
        if verdict or (verdict is False and not real):
            return verdict
    # What holds only where vᵀv = 0 is found there: modulo a prime that has other roots.
    instances = ordered_instances(setting, BOUND_DRAWS, reals=bool(found))
    return in_all(instances, holds)


def _is_identity(
    setting: Setting,
    link: Link,
    holds: Callable[[Instance], bool],
    rng: random.Random,
    found: set[str],
    most: int | None,
) -> bool | None:
    extra = max(_degree_in_sizes(setting, link) - SAFE_DEGREE, 0)
    rounds, enough = (ROOT_ROUNDS, SIGNS) if "sqrt" in found else (1, most)
    instances = modular_instances(
        setting, rng, "exp" in found, min(extra, MAX_EXTRA), rounds
    )
    return in_all(instances, holds, enough)


def _degree_in_sizes(setting: Setting, link: Link) -> int:
    """Bound the degree of a line in N: a false one may vanish at so many sizes."""
    names = set().union(*setting.problem.regimes) - set(setting.symbols)
    nodes = (node for side in link[::2] for node in side.walk())
    return sum(
        int(abs(node.args[1].data)) * len(node.args[0].symbols() & names)
        if node.op == "pow"
        else node.op == "sym" and node.data in names
        for node in nodes
    )


def in_all(
    instances: Iterable[Instance],
    holds: Callable[[Instance], bool | None],
    enough: int | None = None,
) -> bool | None:
    """Tell whether something holds wherever it can be decided; None if nowhere."""
    decided = 0
    for it in instances:
        with suppress(Undecided):
            verdict = holds(it)
            if verdict is False:
                return False
            decided += verdict is True
        if decided == enough:
            break
    return True if decided else None


def features(setting: Setting, sides: tuple[Expr, ...]) -> set[str]:
    """Return what has no exact value modulo a prime: "sqrt", "exp", "log", "pi"."""
    found = set()
    for side in setting.expressions(sides):
        for node in side.walk():
            if node.op == "pow" and node.args[1].data.denominator == 2:
                found.add("sqrt")
            elif node.op in ("call", "sym"):
                found.add(node.data)
    return found & {"sqrt", "exp", "log", "pi"}
