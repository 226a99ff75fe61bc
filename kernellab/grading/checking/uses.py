"""Uses: coefficient × context × fact, multiplied out and added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kernellab.grading.certificates import Factor, Use
from kernellab.grading.checking.atoms import Refused
from kernellab.grading.checking.expansion import Expansion, axes, shape_of
from kernellab.grading.checking.facts import Axes, Known, fact_sum
from kernellab.grading.checking.functions import power
from kernellab.grading.checking.sums import (
    Sum,
    add,
    free_indices,
    multiply,
    rename,
    scale,
    subtract,
    sum_over,
)
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr


def uses_sum(known: Known, e: Expansion, uses: Iterable[Use], where: Axes) -> Sum:
    """Return what some uses add up to.

    Parameters
    ----------
    where : the free indices of the claim, with their sizes.

    Raises
    ------
    Refused
        If one of them is no fact, or its indices do not fit.
    """
    return add(*(_use_sum(known, e, use, where) for use in uses))


def _use_sum(known: Known, e: Expansion, use: Use, where: Axes) -> Sum:
    if use.fact[0] == "equal":
        fact, at = _equal(known, e, where, *use.fact[1:])
    else:
        fact, at = fact_sum(known, e, use.fact)
    value = placed(e, fact, at, use.context, use.names, use.sums, where)
    return scale(value, use.coefficient)


def placed(
    e: Expansion,
    value: Sum,
    at: Axes,
    context: tuple[Factor, ...],
    names: tuple[str, ...],
    sums: tuple[tuple[str, str], ...],
    where: Axes,
) -> Sum:
    """Rename the free indices, multiply by the context, and sum.

    Parameters
    ----------
    at : the free indices of the value, in the order of `names`.
    """
    sizes = _sizes(where, sums)
    if len(names) != len(at) or not free_indices(value) <= set(at):
        raise Refused(f"the names {names} do not fit the indices {tuple(at)}")
    for name, size in zip(names, at.values(), strict=True):
        _check_index(sizes, name, size)
    value = rename(value, dict(zip(at, names, strict=True)))
    for factor in context:
        value = multiply(value, factor_sum(e, factor, sizes))
    return sum_over(value, dict(sums))


def _sizes(where: Axes, sums: tuple[tuple[str, str], ...]) -> Axes:
    """Return the sizes of all indices, those that are summed over among them."""
    names = [name for name, _ in sums]
    if set(names) & set(where) or len(set(names)) != len(names):
        raise Refused("an index is summed over that is free, or twice")
    return {**where, **dict(sums)}


def _check_index(sizes: Axes, name: str, size: str) -> None:
    if name not in sizes:
        raise Refused(f"the index {name} is neither free nor summed over")
    if sizes[name] != size:
        raise Refused(f"the index {name} runs in {sizes[name]}, not in {size}")


def factor_sum(e: Expansion, factor: Factor, sizes: Axes) -> Sum:
    """Return a factor of a context, multiplied out."""
    tree = factor.tree
    at = axes(shape_of(tree))
    if len(at) != len(factor.indices) or not tree.indices <= set(sizes):
        raise Refused(f"the indices of the factor {tree} do not fit")
    for name, size in zip(factor.indices, at.values(), strict=True):
        _check_index(sizes, name, size)
    value = rename(e(tree), dict(zip(at, factor.indices, strict=True)))
    if factor.power == 1:
        return value
    if shape_of(tree) != NUMBER:
        raise Refused(f"a power of {tree}, which is no number")
    return power(e.names, value, factor.power)


def _equal(
    known: Known, e: Expansion, where: Axes, one: Expr, two: Expr, uses: tuple[Use, ...]
) -> tuple[Sum, Axes]:
    """Return f(p) − f(q), if the uses add up to p − q."""
    named = {name: where[name] for name in (one.indices | two.indices) & set(where)}
    for p, q in _arguments(one, two):
        inside = axes(shape_of(p)) | named
        difference = subtract(e(p), e(q))
        if shape_of(p) != shape_of(q) or difference != uses_sum(known, e, uses, inside):
            raise Refused(f"{p} and {q} are not shown to be equal")
    return subtract(e(one), e(two)), axes(shape_of(one)) | named


def _arguments(one: Expr, two: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield the arguments of a function that stand for each other."""
    functions = ("sqrt", "exp", "log", "det", "loss")
    function = one.op == "call" and one.data in functions
    if (one.op, one.data) != (two.op, two.data) or not (
        function or one.op in ("inv", "pow")
    ):
        raise Refused(f"{one} and {two} are not the same function of something")
    if one.op == "pow" and one.args[1] != two.args[1]:
        raise Refused(f"{one} and {two} are different powers")
    yield one.args[0], two.args[0]
