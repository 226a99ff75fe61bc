"""Sufficient conditions: a solution of (K + λI)a = t makes the gradient vanish."""

from __future__ import annotations

from dataclasses import replace

from kernellab.grading.judging.context import Context
from kernellab.grading.language.tree import NUMBER, Expr, num
from kernellab.grading.proving.derivatives import by_symbol, moves
from kernellab.grading.proving.elements import atoms_in
from kernellab.grading.proving.knowledge import Knowledge, Link, aim
from kernellab.grading.proving.networks import COLUMN, Untranslatable
from kernellab.grading.proving.proofs import Proof


def sufficient_proof(
    context: Context, link: Link, sound: bool = True, most: int | None = None
) -> Proof | None:
    """Return the proof that the gradient vanishes where an equation holds.

    It must be X v = c, in any arrangement, with X invertible and c free of v: an
    equation without a solution would imply anything.

    Parameters
    ----------
    sound : whether the gradient must be right, or may be what a wrong line says.
    most : how many facts the proof may use, if not as many as one step.
    """
    problem = context.problem
    if not problem.sufficient or link.sign != "=" or problem.object is None:
        return None
    if context.conditions or context.case:  # one choice of a point is enough
        return None
    before = aim(link.left, link.sign, link.right, link.free)
    for name in problem.variables:
        if not _is_solvable(context, link, name):
            continue
        known = without_optimum(context.knowledge([before]))
        gradient = problem.gradient(name)
        for said in [gradient] if sound else _wrongly_said(context, gradient):
            zero = num(0, gradient.shape)
            proof = context.proof(aim(said, "=", zero), known, most)
            if proof is not None:
                return proof
    return None


def _is_solvable(context: Context, link: Link, name: str) -> bool:
    """Return True if left − right is X v − c; its derivative by v is Xᵀ, invertible."""
    algebra, t, signs = context.algebra, context.translator(), context.signs()
    total = signs.poly(link.difference)
    if total is None or len(free := algebra.free(total)) != 1:
        return False
    if link.free and link.left.shape != NUMBER:
        return False
    # Xv = c, vᵀXᵀ = cᵀ, or each component of them
    total = algebra.renamed(total, dict.fromkeys(free, COLUMN))
    try:
        matrix = algebra.transposed(by_symbol(t, total, name))
    except Untranslatable:
        return False
    linear = not any(moves(t, atom, name) for atom in atoms_in(algebra, [matrix]))
    both = (matrix, algebra.scale(matrix, -1))
    return linear and any(map(signs.definite, both))


def _wrongly_said(context: Context, gradient: Expr) -> list[Expr]:
    """Return what wrong lines say to be the gradient.

    Nothing else of theirs is used: with the right gradient they contradict each other,
    and anything would be sufficient.
    """
    wrong = (s.relation for s in context.steps(sound=False) if not s.sound)
    equal = (r.sides for r in wrong if set(r.signs) == {"="})
    return [side for first, *more in equal if first == gradient for side in more]


def without_optimum(
    known: Knowledge, barred: tuple[str, ...] = ("stationary", "sufficient")
) -> Knowledge:
    """Leave out all that holds only at the optimum, or where it was chosen."""

    def general(link: Link) -> bool:
        return not any(label[0] in barred for label in link.rests)

    links = tuple(filter(general, known.links))
    return replace(known, stationary=frozenset(), links=links)
