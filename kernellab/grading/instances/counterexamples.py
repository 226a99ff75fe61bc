"""Counterexamples in small numbers that a person can check by hand."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

from kernellab.grading.instances.evaluate import difference, value
from kernellab.grading.instances.fields import DIGITS, Array, Undecided
from kernellab.grading.instances.instance import Instance
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
from kernellab.grading.language.tree import Relation
from kernellab.grading.work import OutOfWork

DRAWS = 25
PLACES = (4, 8, 15)  # digits of a decimal, as many as show that two sides differ


@dataclass(frozen=True)
class Counterexample:
    """Values of the symbols, and what the two sides come to.

    As text, expressions stand between backticks.
    """

    values: dict[str, Any]
    left: Any
    right: Any

    @property
    def cost(self) -> float:
        """How hard it is to check by hand: many and large numbers cost."""
        numbers = [x for v in self.values.values() for x in np.ravel(v)]
        odd = sum(1 for x in numbers if Fraction(x).denominator > 1)
        none = sum(1 for x in numbers if x == 0)
        size = sum(float(abs(x)) for x in numbers)
        return len(numbers) * 3 + size + 5 * odd + 4 * none

    def __str__(self) -> str:
        given = ", ".join(f"`{name} = {written(v)}`" for name, v in self.values.items())
        with_these = f"for {given} " if given else ""
        if np.all(self.left == self.right):
            return f"{with_these}both sides are `{written(self.left)}`"
        both = [(written(self.left, n), written(self.right, n)) for n in PLACES]
        left, right = next((pair for pair in both if pair[0] != pair[1]), both[-1])
        return f"{with_these}the left side is `{left}`, the right side is `{right}`"


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
    setting: Setting, relation: Relation, free: Mapping[str, str]
) -> Counterexample | None:
    """Return the simplest instance found in which a link of the relation fails."""
    with suppress(OutOfWork), setting.work.limited(LINE), localcontext(prec=DIGITS):
        found = (_smallest(setting, link, free) for link in links(relation))
        return next(filter(None, found), None)
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
    used = {s for x in it.setting.expressions(link[::2]) for s in x.symbols()}
    for name in it.setting.symbols:
        if name in used and name in it.atoms:
            values[name] = _plain(it.atoms[name])
    everywhere = (np.broadcast_to(x, (*shape, *x.shape[-2:])) for x in sides)
    one, two = (_plain(x[place]) for x in everywhere)
    return Counterexample(values, one, two)


def _plain(x: Array) -> Any:
    return x[0, 0] if x.shape == (1, 1) else x
