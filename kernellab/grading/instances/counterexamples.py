"""Counterexamples in small numbers that a person can check by hand."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from kernellab.grading.instances.evaluate import difference, value
from kernellab.grading.instances.fields import DIGITS, Array, Undecided
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import determinant
from kernellab.grading.instances.making import (
    keeps_sign,
    ordered_instance,
    ordered_instances,
    small_sizes,
)
from kernellab.grading.instances.setting import Setting
from kernellab.grading.instances.truth import (
    BOUND_DRAWS,
    LINE,
    Link,
    features,
    links,
)
from kernellab.grading.language.tree import Expr, Relation
from kernellab.grading.work import OutOfWork

DRAWS = 25
MOST_MADE = 4  # entries of a matrix whose value is shown beside what it is made of
PLACES = (4, 8, 15)  # digits of a decimal, as many as show that two sides differ


@dataclass(frozen=True)
class Counterexample:
    """Values of the symbols, and what the two sides come to.

    As text, expressions stand between backticks.

    Parameters
    ----------
    values : of what is drawn.
    made : the values of the names in the line that stand for something.
    link : the part of a chain that fails.
    """

    values: dict[str, Any]
    left: Any
    right: Any
    made: dict[str, Any] = field(default_factory=dict)
    link: Relation | None = None

    @property
    def cost(self) -> float:
        """How hard it is to check by hand: many and large numbers cost."""
        numbers = [x for v in self.values.values() for x in np.ravel(v)]
        odd = sum(1 for x in numbers if Fraction(x).denominator > 1)
        none = sum(1 for x in numbers if x == 0)
        size = sum(float(abs(x)) for x in numbers)
        return len(numbers) * 3 + size + 5 * odd + 4 * none

    def __str__(self) -> str:
        given, made = map(_listed, (self.values, self.made))
        with_these = f"for {given} " if given else ""
        with_these += f"(so {made}) " if made else ""
        with_these += f"in `{self.link}` " if self.link else ""
        if np.all(self.left == self.right):
            return f"{with_these}both sides are `{written(self.left)}`"
        both = [(written(self.left, n), written(self.right, n)) for n in PLACES]
        left, right = next((pair for pair in both if pair[0] != pair[1]), both[-1])
        return f"{with_these}the left side is `{left}`, the right side is `{right}`"


def _listed(values: Mapping[str, Any]) -> str:
    return ", ".join(f"`{name} = {written(value)}`" for name, value in values.items())


def written(value: Any, places: int = PLACES[0]) -> str:
    """Return a number, a column as (1, 2), a matrix as [1 2; 3 4].

    Parameters
    ----------
    places : digits of a number that is rounded.
    """

    def number(x: Any) -> str:
        whole = not isinstance(x, Decimal) or x == int(x)
        return str(Fraction(x)) if whole else f"{float(x):.{places}g}"

    if not isinstance(value, np.ndarray):
        return number(value)
    if value.shape[1] == 1:
        return "(" + ", ".join(map(number, value[:, 0])) + ")"
    rows = (" ".join(map(number, row)) for row in value)
    return "[" + "; ".join(rows) + "]"


def smallest(
    setting: Setting, relation: Relation, free: Mapping[str, str], part: bool = False
) -> Counterexample | None:
    """Return the simplest instance found in which a link of the relation fails.

    Parameters
    ----------
    part : whether the relation is a part of a chain, so that it has to be named.
    """
    with suppress(OutOfWork), setting.work.limited(LINE), localcontext(prec=DIGITS):
        for link in links(relation):
            found = _smallest(setting, link, free)
            if found is not None and (part or len(relation.signs) > 1):
                return replace(found, link=Relation(link[::2], (link[1],)))
            if found is not None:
                return found
    return None


def _smallest(
    setting: Setting, link: Link, free: Mapping[str, str]
) -> Counterexample | None:
    reals = bool(features(setting, link[::2]))
    for sizes in small_sizes(setting):
        found = []
        for seed in range(DRAWS):
            it = ordered_instance(setting, sizes, seed, reals)
            found += [_failure(it, link, free)] if it else []
        best = min(filter(None, found), key=lambda c: c.cost, default=None)
        if best is not None:
            return best
    others = ordered_instances(setting, BOUND_DRAWS, reals)  # in fractions, too
    found = [_failure(it, link, free) for it in others]
    return min(filter(None, found), key=lambda c: c.cost, default=None)


def _failure(
    it: Instance, link: Link, free: Mapping[str, str]
) -> Counterexample | None:
    left, sign, right = link
    try:
        entries = difference(it, left, right, free)
    except Undecided:
        return None
    for place in np.ndindex(entries.shape[:-2]):
        if not keeps_sign(it, sign, entries[place]):
            return _shown(it, link, free, entries.shape[:-2], place)
    return None


def _shown(
    it: Instance,
    link: Link,
    free: Mapping[str, str],
    shape: tuple[int, ...],
    place: tuple[int, ...],
) -> Counterexample:
    """Return the values of what the link depends on, at one place of its indices."""
    with it.running(free):
        sides = [value(it, side) for side in (link[0], link[2])]
    values: dict[str, Any] = dict(zip(free, place[::-1], strict=True))
    used = _needed(it.setting, link)
    values |= {n: size for n, size in it.sizes.items() if n in used}
    for name in it.setting.symbols:
        if name in used and name in it.atoms:
            values[name] = _plain(it.atoms[name])
    everywhere = (np.broadcast_to(x, (*shape, *x.shape[-2:])) for x in sides)
    one, two = (_plain(x[place]) for x in everywhere)
    return Counterexample(values, one, two, _made(it, link))


def _needed(setting: Setting, link: Link) -> set[str]:
    """Return the names behind a link; d(C) needs dC, though it does not name it."""
    sides, tangents = setting.expressions(link[::2]), setting.problem.tangents
    nodes = (node for side in sides for node in side.walk())
    moving = (n.names for n in nodes if (n.op, n.data) == ("call", "d"))
    moved = setting.reach(set[str]().union(*moving))
    slopes = {tangents[name] for name in moved & tangents.keys()}
    return slopes.union(*(side.symbols() for side in sides))


def _made(it: Instance, link: Link) -> dict[str, Any]:
    """Return the values of the names in a link that stand for something: K = 4."""
    sides, symbols, found = link[::2], it.setting.symbols, {}
    plain = (side for side in sides if side.op not in ("sym", "grad", "diff"))
    names = sorted(set().union(*(side.names for side in plain)))
    for name in (n for n in names if n in it.setting.definitions and n in symbols):
        with suppress(Undecided):
            x = value(it, it.setting.symbol(name))
            if x.size <= MOST_MADE and symbols[name].kind != "random":
                found[name] = _plain(x)
    return found


def _plain(x: Array) -> Any:
    return x[0, 0] if x.shape == (1, 1) else x


def singular(setting: Setting, X: Expr) -> str:
    """Return small numbers for which a matrix has no inverse, or nothing."""
    reals = bool(features(setting, (X,)))
    with suppress(OutOfWork), setting.work.limited(LINE), localcontext(prec=DIGITS):
        for sizes, seed in product(small_sizes(setting), range(DRAWS)):
            it = ordered_instance(setting, sizes, seed, reals)
            with suppress(Undecided):
                if it and it.field.is_zero(determinant(it.field, value(it, X))[0, 0]):
                    names = sorted(setting.reach(X.names) & it.atoms.keys())
                    return _listed({name: _plain(it.atoms[name]) for name in names})
    return ""
