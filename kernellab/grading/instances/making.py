"""Random instances of a setting, modulo a prime and in small numbers."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from itertools import islice, product
from typing import Any

from kernellab.grading.instances import functions  # noqa: F401, it adds rules
from kernellab.grading.instances.derivatives import is_possible
from kernellab.grading.instances.evaluate import difference, inverted, value
from kernellab.grading.instances.fields import (
    Array,
    Field,
    Rationals,
    Reals,
    Undecided,
    fresh_field,
)
from kernellab.grading.instances.impose import impose
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import is_definite
from kernellab.grading.instances.setting import SIGNED, Setting
from kernellab.grading.language.tree import Expr

LARGEST = 7  # size that is drawn besides the declared ones, unless all are taken
MAX_ATTEMPTS = 100
SMALL_SIZES = (1, 2, 3)  # of ordered instances
MAX_SMALL_SIZES = 9  # combinations of them
Sizes = Mapping[str, int]


def make(
    setting: Setting,
    field: Field,
    sizes: Sizes,
    rng: random.Random,
    degenerate: bool = False,
) -> Instance:
    """Return an instance in which all holds that the setting says.

    Raises
    ------
    Undecided
        If the equations cannot be solved, or what must hold does not.
    """
    it = Instance(setting, field, sizes, rng, degenerate)
    if field.exponents is not None:
        it.below = make(setting, field.exponents, sizes, rng, degenerate)
    impose(it, setting.equations)
    for X in setting.invertible:
        inverted(it, value(it, X))
    if field.ordered and not _is_admissible(it):
        raise Undecided("what is given does not hold here")
    return it


def _drawn(setting: Setting, key: Hashable, *how: Any) -> Instance | None:
    """Return the instance of this key, made once; None if it cannot be."""
    known = setting.drawn
    if key not in known:
        made = None
        with suppress(Undecided):
            made = make(setting, *how)
        known[key] = made
    found: Instance | None = known[key]
    return found


# Modulo a prime


def modular_instances(
    setting: Setting,
    rng: random.Random,
    with_exp: bool,
    extra: int = 0,
    rounds: int = 1,
) -> Iterator[Instance]:
    """Yield instances of all regimes, drawn once; those that cannot be are left out.

    Each regime is tried at its own sizes, the first with singular matrices, and at
    random other sizes in the same order; `extra` adds more of these. The same sizes are
    tried in each round.
    """
    known = setting.drawn
    if with_exp not in known:
        known[with_exp] = fresh_field(rng, with_exp)
    field = known[with_exp]
    plan = _plan(setting, rng, extra)
    for turn, (number, sizes) in product(range(rounds), enumerate(plan)):
        key = "modular", with_exp, turn, number
        it = _drawn(setting, key, field, sizes, rng, number == 0)
        if it is not None:
            yield it


def _plan(setting: Setting, rng: random.Random, extra: int) -> list[Sizes]:
    """Return the sizes of the regimes, and as many others."""
    regimes = setting.problem.regimes
    plan: list[Sizes] = setting.drawn.setdefault("plan", list(regimes))
    count = 2 * len(regimes) + extra
    while len(plan) < count:
        plan.append(_other_sizes(regimes[len(plan) % len(regimes)], plan, rng))
    return plan[:count]


def _other_sizes(regime: Sizes, taken: list[Sizes], rng: random.Random) -> Sizes:
    """Draw sizes that are ordered as in the regime, none of them taken if possible."""
    for attempt in range(MAX_ATTEMPTS):
        largest = LARGEST + attempt // 10
        sizes = {name: rng.randint(2, largest) for name in regime}
        new = all(sizes[name] != old[name] for old in taken for name in sizes)
        if new and _ordered_alike(sizes, regime, strictly=True):
            return sizes
    return regime


def _ordered_alike(sizes: Sizes, regime: Sizes, strictly: bool = False) -> bool:
    return all(
        sizes[a] < sizes[b] or (not strictly and sizes[a] == sizes[b])
        for a, b in product(regime, repeat=2)
        if regime[a] < regime[b]
    )


# In fractions or decimals


def ordered_instance(
    setting: Setting, sizes: Sizes, seed: int, reals: bool, small: bool = True
) -> Instance | None:
    """Return the instance of that seed, drawn once; None if it cannot be.

    Parameters
    ----------
    reals : whether what is evaluated in it has exp, log, π or a root.
    """
    reals = reals or setting.transcendental
    field = Reals(small) if reals else Rationals(small)
    key = "ordered", *sizes.values(), seed, reals, small
    return _drawn(setting, key, field, sizes, random.Random(seed))


def small_sizes(setting: Setting) -> list[Sizes]:
    """Return small sizes, ordered as in one of the regimes, the smallest first."""
    regimes = setting.problem.regimes
    choices = sorted(product(SMALL_SIZES, repeat=len(regimes[0])), key=sum)
    found = [dict(zip(regimes[0], choice, strict=True)) for choice in choices]
    alike = (s for s in found if any(_ordered_alike(s, regime) for regime in regimes))
    return list(islice(alike, MAX_SMALL_SIZES))


def ordered_instances(setting: Setting, draws: int, reals: bool) -> Iterator[Instance]:
    """Yield instances of all small sizes, in whole numbers and fractions by turns."""
    chosen = small_sizes(setting)
    for i in range(draws):
        sizes = chosen[i // 2 % len(chosen)]
        it = ordered_instance(setting, sizes, i, reals, small=i % 2 == 0)
        if it is not None:
            yield it


def _is_admissible(it: Instance) -> bool:
    """Tell whether all is as it was declared: definite, positive, within bounds."""
    setting = it.setting
    for name, symbol in setting.symbols.items():
        known = name in setting.definitions or name in it.atoms
        if known and not _is_of_kind(it, setting.symbol(name), symbol.kind):
            return False
    return is_possible(it) and all(
        keeps_sign(it, sign, difference(it, left, right, free))
        for left, sign, right, free in setting.bounds
    )


def _is_of_kind(it: Instance, symbol: Expr, kind: str) -> bool:
    if kind not in SIGNED:
        return True
    x = value(it, symbol)
    if kind in ("psd", "pd"):
        return is_definite(it.field, x, strictly=kind == "pd")
    return keeps_sign(it, ">=", x) and (
        kind == "nonneg" or not any(map(it.field.is_zero, x.flat))
    )


def keeps_sign(it: Instance, sign: str, difference: Array) -> bool:
    """Tell whether all entries are = 0, ≥ 0, ≤ 0, > 0 or < 0, as the sign says."""
    return all(
        (it.field.is_zero(x) and "=" in sign)
        or (sign[0] == ">" and x > 0)
        or (sign[0] == "<" and x < 0)
        for x in difference.flat
    )
