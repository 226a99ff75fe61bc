"""Indirect proofs of an equation: cancel a factor, or conclude from squares.

X·(left − right) = 0 with X invertible; ‖left − right‖² = 0; zᵀMz = 0 with M
semi-definite, so that M z = 0; left ≥ right and left ≤ right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from kernellab.grading.language.tree import NUMBER, Expr, call, is_zero, num
from kernellab.grading.proving.bounds import prove_bound
from kernellab.grading.proving.knowledge import Link, Opened
from kernellab.grading.proving.proofs import Proof

if TYPE_CHECKING:
    from kernellab.grading.proving.prover import Prover

MOST_FACTORS = 12
_NONE: Opened = frozenset()


def indirect(prover: Prover, claim: Link, most: int) -> Proof | None:
    """Return an indirect proof, if there is one."""
    for way in (_cancelled, _zero_square, _zero_form, _two_bounds):
        found = way(prover, claim, most)
        if found is not None and found.cost <= most:
            return found
    return None


def _direct(prover: Prover, claim: Link, most: int) -> Proof | None:
    """Prove an equation from the line before, or from all that stands."""
    free = prover.knowledge.objects & prover.definable(claim)
    named = sorted(prover.definable(claim) - free) if most > 0 else []
    ways = [(_NONE, "before"), (free, "before"), (_NONE, "inverses")]
    ways += [(free | {name}, "before") for name in named]
    for opened, level in (*ways, (_NONE, "all")):
        found = prover.attempt(claim, opened, level)
        if found is not None and found.cost <= most:
            return found
    return None


def _cancelled(prover: Prover, claim: Link, most: int) -> Proof | None:
    """Prove X·(left − right) = 0, or (left − right)·X = 0."""
    known = [prover.signs(_NONE), prover.signs(prover.definable(claim))]
    d, zero = claim.difference, num(0, claim.left.shape)
    for X, side in _factors(prover, claim):
        if not any(signs.licenses(X) for signs in known):
            continue
        product = X * d if side == "number" else X @ d if side == "left" else d @ X
        found = _direct(prover, replace(claim, left=product, right=zero), most)
        if found is not None and len(found.facts | {prover.cancelled_fact(X)}) <= most:
            facts = found.facts | {prover.cancelled_fact(X)}
            return replace(found, claim=claim, cancelled=(X, side), facts=facts)
    return None


def _factors(prover: Prover, claim: Link) -> Iterator[tuple[Expr, str]]:
    """Yield what might be cancelled: factors of lines at hand, assumed inverses."""
    nodes = [*prover.knowledge.invertible]
    nodes += [n.args[0] for n in claim.nodes if n.op == "inv"]
    for link in prover.knowledge.links:
        nodes += link.nodes if link.before and link.sign == "=" else []
    found: dict[tuple[str, str], tuple[Expr, str]] = {}
    for node in nodes:
        for part in (node, *(node.args if node.op == "mul" else ())):
            for side in _sides(part, claim.left.shape or NUMBER):
                found.setdefault((str(part), side), (part, side))
    yield from list(found.values())[:MOST_FACTORS]


def _sides(X: Expr, shape: tuple[str, str]) -> list[str]:
    """Return where a factor may stand beside something of a shape."""
    rows, columns = X.shape or NUMBER
    if X.indices or X.op in ("num", "eye", "neg") or rows != columns:
        return []
    if rows == "1":
        return ["number"] if X.op in ("add", "sub", "sym", "pow", "call") else []
    ends = zip(("left", "right"), shape, strict=True)
    return [side for side, size in ends if size == rows]


def _zero_square(prover: Prover, claim: Link, most: int) -> Proof | None:
    if claim.free:
        return None
    d = claim.difference
    square = d**2 if claim.left.shape == NUMBER else call("norm2", d)
    return _from_zero(prover, claim, most, square, "zero square")


def _zero_form(prover: Prover, claim: Link, most: int) -> Proof | None:
    left, signs = claim.difference, prover.signs(_NONE)
    if left.op != "mul" or left.data != "@" or not is_zero(claim.right):
        return None
    M, z = left.args
    square = M.shape and M.shape[0] == M.shape[1] and z.shape and z.shape[1] == "1"
    poly = signs.poly(M)
    product = M.op == "mul" and M.data == "@"
    if product or not square or poly is None or not signs.semidefinite(poly):
        return None
    return _from_zero(prover, claim, most, z.T @ left, "zero form")


def _from_zero(
    prover: Prover, claim: Link, most: int, number: Expr, by: str
) -> Proof | None:
    """Prove that a number is 0, from which the claim follows."""
    found = _direct(prover, replace(claim, left=number, right=num(0)), most)
    return found and replace(found, claim=claim, by=by, parts=(found,))


def _two_bounds(prover: Prover, claim: Link, most: int) -> Proof | None:
    """Return a proof of x = 0 from x ≥ 0 and x ≤ 0."""
    side = claim.right if is_zero(claim.left) else claim.left
    zero = is_zero(claim.left) or is_zero(claim.right)
    if claim.left.shape != NUMBER or not zero:
        return None
    if not prover.signs(_NONE).tree_nonneg(side):
        return None
    parts: list[Proof] = []
    for sign in (">=", "<="):
        found = prove_bound(prover, replace(claim, sign=sign), most)
        if found is None:
            return None
        parts.append(found)
    one, two = parts
    return replace(
        one, claim=claim, facts=one.facts | two.facts, by="two bounds",
        parts=(one, two), opened=one.opened | two.opened,
    )  # fmt: skip
