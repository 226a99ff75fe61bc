"""Indirect proofs of an equation: cancel a factor, or conclude from squares.

X·(left − right) = 0 with X invertible; ‖left − right‖² = 0; zᵀMz = 0 with M
semi-definite, so that M z = 0; left ≥ right and left ≤ right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr, is_zero
from kernellab.grading.proving.bounds import prove_bound
from kernellab.grading.proving.knowledge import Link
from kernellab.grading.proving.networks import (
    TooLarge,
    Untranslatable,
)
from kernellab.grading.proving.proofs import Proof

if TYPE_CHECKING:
    from kernellab.grading.proving.prover import Prover

MOST_FACTORS = 6


def indirect(prover: Prover, claim: Link, most: int) -> Proof | None:
    """Return an indirect proof, if there is one."""
    for way in (_cancelled, _zero_square, _zero_form):
        found = way(prover, claim, most)
        if found is not None and found.cost <= most:
            return found
    return None


def _difference(claim: Link) -> Expr:
    if is_zero(claim.right):
        return claim.left
    return Expr("sub", (claim.left, claim.right), None, claim.left.shape)


def _zero(shape: tuple[str, str] | None) -> Expr:
    return Expr("num", data=Fraction(0), shape=shape)


def _direct(prover: Prover, claim: Link, most: int) -> Proof | None:
    """Prove an equation from the line before, or from all that stands."""
    free = prover.knowledge.objects & prover.definable(claim)
    named = sorted(prover.definable(claim) - free)
    single = [free | {name} for name in named] if most > 0 else []
    for opened, level in (
        (frozenset[str](), "before"), (free, "before"), (frozenset[str](), "inverses"),
        *((o, "before") for o in single), (frozenset[str](), "all"),
    ):  # fmt: skip
        found = prover.attempt(claim, opened, level)
        if found is not None and found.cost <= most:
            return found
    return None


def _cancelled(prover: Prover, claim: Link, most: int) -> Proof | None:
    signs = prover.signs(frozenset())
    whole = prover.signs(prover.definable(claim))
    difference = _difference(claim)
    for X, side in _factors(prover, claim):
        licensed = any(_licensed(s, X) for s in (signs, whole))
        if not licensed:
            continue
        args = (X, difference) if side != "right" else (difference, X)
        kind = "*" if side == "number" else "@"
        product = Expr("mul", args, kind, claim.left.shape)
        aim = replace(claim, left=product, right=_zero(claim.left.shape))
        found = _direct(prover, aim, most)
        if found is not None and len(found.facts | {prover.cancelled_fact(X)}) <= most:
            facts = found.facts | {prover.cancelled_fact(X)}
            return replace(found, claim=claim, cancelled=(X, side), facts=facts)
    return None


def _licensed(signs: object, X: Expr) -> bool:
    poly = signs.poly(X)  # type: ignore[attr-defined]
    if not poly:
        return False
    test = signs.nonzero if X.shape == NUMBER else signs.invertible  # type: ignore[attr-defined]
    return bool(test(poly))


def _factors(prover: Prover, claim: Link) -> Iterator[tuple[Expr, str]]:
    """Yield what might be cancelled: factors of lines at hand, assumed inverses."""
    shape = claim.left.shape or NUMBER
    found: dict[tuple[str, str], tuple[Expr, str]] = {}
    nodes = [*prover.knowledge.invertible]
    for side in (claim.left, claim.right):
        nodes += [n.args[0] for n in side.walk() if n.op == "inv"]
    for link in prover.knowledge.links:
        if link.before and link.sign == "=":
            nodes += [p for s in (link.left, link.right) for p in s.walk()]
    for node in nodes:
        for part in (node, *(node.args if node.op == "mul" else ())):
            if part.indices or part.op in ("num", "eye", "neg"):
                continue
            size = part.shape or NUMBER
            if size == NUMBER:
                if part.op in ("add", "sub", "sym", "pow", "call"):
                    found.setdefault((str(part), "number"), (part, "number"))
            elif size[0] == size[1]:
                if size[0] == shape[0]:
                    found.setdefault((str(part), "left"), (part, "left"))
                if size[1] == shape[1]:
                    found.setdefault((str(part), "right"), (part, "right"))
    yield from list(found.values())[: 2 * MOST_FACTORS]


def _zero_square(prover: Prover, claim: Link, most: int) -> Proof | None:
    difference = _difference(claim)
    if claim.free:
        return None
    if claim.left.shape == NUMBER:
        square = Expr("pow", (difference, Expr("num", data=Fraction(2), shape=NUMBER)),
                      None, NUMBER)  # fmt: skip
    else:
        square = Expr("call", (difference,), "norm2", NUMBER)
    aim = replace(claim, left=square, right=_zero(NUMBER))
    found = _direct(prover, aim, most)
    if found is None:
        return None
    return replace(found, claim=claim, by="zero square", parts=(found,))


def _zero_form(prover: Prover, claim: Link, most: int) -> Proof | None:
    left = _difference(claim)
    if left.op != "mul" or left.data != "@" or not is_zero(claim.right):
        return None
    M, z = left.args
    if left.args[0].op == "mul" and left.args[0].data == "@":
        return None
    poly = prover.signs(frozenset()).poly(M)
    if poly is None or (M.shape or NUMBER)[0] != (M.shape or NUMBER)[1]:
        return None
    if (
        not prover.signs(frozenset()).semidefinite(poly)
        or (z.shape or NUMBER)[1] != "1"
    ):
        return None
    turned = Expr("transpose", (z,), None, (z.shape or NUMBER)[::-1])
    form = Expr("mul", (turned, left), "@", NUMBER)
    found = _direct(prover, replace(claim, left=form, right=_zero(NUMBER)), most)
    if found is None:
        return None
    return replace(found, claim=claim, by="zero form", parts=(found,))


def two_bounds(prover: Prover, claim: Link, most: int) -> Proof | None:
    """Return a proof of x = 0 from x ≥ 0 and x ≤ 0."""
    side = claim.right if is_zero(claim.left) else claim.left
    zero = is_zero(claim.left) or is_zero(claim.right)
    if claim.left.shape != NUMBER or not zero:
        return None
    if not prover.signs(frozenset()).tree_nonneg(side):
        return None
    parts = []
    for sign in (">=", "<="):
        try:
            found = prove_bound(prover, replace(claim, sign=sign), most)
        except (Untranslatable, TooLarge):
            return None
        if found is None:
            return None
        parts.append(found)
    facts = parts[0].facts | parts[1].facts
    return replace(
        parts[0], claim=claim, facts=facts, by="two bounds", parts=tuple(parts),
        opened=parts[0].opened | parts[1].opened,
    )  # fmt: skip
