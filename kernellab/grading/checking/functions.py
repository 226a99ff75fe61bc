"""Functions of sums: powers, inverses, exponentials, logarithms.

What cannot be multiplied out becomes an atom, scaled so that equal ones look equal.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import isqrt, prod

from kernellab.grading.checking import sums
from kernellab.grading.checking.labelling import Atom, Refused
from kernellab.grading.checking.names import Names
from kernellab.grading.checking.sums import COLUMN, ROW, Sum, number

MOST_POWER = 16
MOST_INDICES = 4


def function(name: str, inner: Sum, data: object = None) -> Sum:
    """Return a function of something as an atom, with its named indices if any."""
    free = [index for index in inner.free if index not in (ROW, COLUMN)]
    if len(free) > MOST_INDICES:
        raise Refused(f"{name} of something with {len(free)} indices")
    ways = []
    for order in permutations(free):
        renamed = inner.renamed({index: f"${k}" for k, index in enumerate(order)})
        ways.append((renamed.text, order, renamed))
    text, order, renamed = min(ways, key=lambda way: way[:2])
    sizes = tuple(inner.free[index] for index in order)
    key = f"{name} {data or ''}({text})"
    return sums.single(Atom(key, name, data, sizes, inner=renamed), *order)


def is_positive_atom(names: Names, atom: Atom) -> bool:
    """Return True for numbers that are positive by declaration: sizes, π, s > 0."""
    if atom.kind == "symbol":
        return atom.data == "pi" or names.kind(atom.data) == "positive"
    return atom.kind in ("size", "exp")


def power(names: Names, base: Sum, exponent: Fraction) -> Sum:
    """Return a power of a number.

    (c·x)ᵖ is cᵖ·xᵖ for whole p; for p = 1/2 only positive factors are taken out.
    """
    if abs(exponent) > MOST_POWER or exponent.denominator > 2:
        raise Refused(f"the exponent {exponent} is not used here")
    if exponent.denominator == 1 and exponent >= 0:
        return prod([base] * int(exponent), start=number(1))
    if not base:
        raise Refused("a negative or broken power of 0")
    if base.free:
        return function("power", base, exponent)
    factor, core = common_factor(base)
    if exponent.denominator != 1:
        factor, core = _only_positive(names, factor, core)
    taken = _scalar_power(factor, exponent)
    if core == number(1):
        return taken
    return taken * sums.power_of(Atom(f"({core.text})", "base", inner=core), exponent)


def _scalar_power(factor: Sum, exponent: Fraction) -> Sum:
    ((powers, factors), c) = next(iter(factor.terms.items()))
    if exponent.denominator == 1:
        c = c ** int(exponent)
    else:
        c = Fraction(isqrt(c.numerator), isqrt(c.denominator)) ** exponent.numerator
    return Sum({(tuple((a, p * exponent) for a, p in powers), factors): c})


def common_factor(one: Sum) -> tuple[Sum, Sum]:
    """Split off the coefficient of the first term, and the least power of each number.

    K/λ + I is 1/λ times K + λI.
    """
    terms = [dict(powers) for powers, _ in one.terms]
    atoms = {a for powers in terms for a in powers if a.kind != "base"}
    least = {a: min(powers.get(a, Fraction(0)) for powers in terms) for a in atoms}
    taken = Sum(
        {(tuple(sorted((a, p) for a, p in least.items() if p)), ()): Fraction(1)}
    )
    core = _scalar_power(taken, Fraction(-1)) * one
    lead = core.terms[min(core.terms)]
    return taken.scaled(lead), core.scaled(1 / lead)


def _only_positive(names: Names, factor: Sum, core: Sum) -> tuple[Sum, Sum]:
    """Put back into the core what has no root of its own: √(x²) is not x."""
    ((powers, _), c) = next(iter(factor.terms.items()))
    good = tuple((a, p) for a, p in powers if is_positive_atom(names, a))
    rest = tuple((a, p) for a, p in powers if not is_positive_atom(names, a))
    whole = c > 0 and all(isqrt(n) ** 2 == n for n in (c.numerator, c.denominator))
    inside = Sum({(rest, ()): Fraction(1) if whole else c}) * core
    return Sum({(good, ()): c if whole else Fraction(1)}), inside


def inverse(matrix: Sum, size: str) -> Sum:
    """Return the inverse of a matrix: inv(cX) = inv(X)/c, inv(Xᵀ) = inv(X)ᵀ."""
    if not matrix or set(matrix.free) - {ROW, COLUMN} or size.isdigit():
        raise Refused("an inverse of 0, with an index, or of literal size")
    ways = [(*common_factor(x), x is matrix) for x in (matrix, matrix.T)]
    factor, core, upright = min(ways, key=lambda way: way[1].text)
    back = _scalar_power(factor, Fraction(-1)) * _inverse_of_core(core, size)
    return back if upright else back.T


def _inverse_of_core(core: Sum, size: str) -> Sum:
    if core == sums.single(sums.eye(size), ROW, COLUMN):
        return core
    ((powers, factors), _) = next(iter(core.terms.items()))
    if len(core.terms) == len(factors) == 1 and not powers:
        atom, at = factors[0]
        if atom.kind == "inverse":
            inner: Sum = atom.inner
            return inner if at == (ROW, COLUMN) else inner.T
    symmetric = core == core.T
    atom = Atom(
        f"inv({size}) {core.text}", "inverse", size, (size, size), symmetric, core
    )
    return sums.single(atom, ROW, COLUMN)


def exponential(exponent: Sum) -> Sum:
    """Return exp of a number, term by term: exp(p + q) = exp(p)·exp(q)."""
    moving = Sum({t: c for t, c in exponent.terms.items() if Sum({t: c}).free})
    result = function("exp", moving) if moving else number(1)
    for term, c in (exponent - moving).terms.items():
        inner = Sum({term: Fraction(1)})
        result *= sums.power_of(Atom(f"exp {inner.text}", "exp", inner=inner), c)
    return result


def logarithm(one: Sum) -> Sum:
    """Return log of a number; of a product of exponentials, the sum of exponents."""
    if len(one.terms) == 1:
        (((powers, factors), c),) = one.terms.items()
        if c == 1 and not factors and all(a.kind == "exp" for a, _ in powers):
            return sums.total(atom.inner.scaled(p) for atom, p in powers)
    return function("log", one)
