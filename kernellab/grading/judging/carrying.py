"""Lines that rest on a wrong one: right in themselves, they say on which they rest.

From a wrong line together with the right one anything follows: with D = 3x and D = 2x
also D = 17x. So a wrong line counts only in place of what is right about its left side.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Statement, lines_in
from kernellab.grading.judging.wording import listed
from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.matching import Label
from kernellab.grading.proving.proofs import Proof
from kernellab.grading.proving.trees import atom_tree


def contradicts_itself(context: Context, proof: Proof) -> bool:
    """Return True if a proof uses a wrong line, and what its left side really is."""
    used = {abs(n) for n in lines_in(proof.labels)}
    lines = [s for s in context.statements if s.number in used and _states(s)]
    meant = set(map(str, _meant(context, proof)))
    for wrong in (s for s in lines if not s.sound):
        left = wrong.relation.sides[0]
        others = (s for s in lines if s.relation.sides[0] == left and s is not wrong)
        if str(left) in meant or any(_is_apart(wrong, other) for other in others):
            return True
    return False


def _states(line: Statement) -> bool:
    return set(line.relation.signs) == {"="} and line.chain == line.number


def _is_apart(one: Statement, two: Statement) -> bool:
    """Return True if neither of two lines rests on the other."""
    return one.number not in lines_in(two.rests) and two.number not in lines_in(
        one.rests
    )


def _meant(context: Context, proof: Proof) -> Iterator[Expr | str]:
    """Yield what a proof takes from the problem: names, gradients, derivatives."""
    for label in proof.labels:
        if label[0] == "definition":
            yield label[1]
        elif label[0] in ("gradient", "slope"):
            yield atom_tree(context.algebra, label[1])


def resting(context: Context, number: int, rests: frozenset[Label]) -> str:
    """Say on which line, that did not pass, a line rests, or whose repair."""
    wrong = {s.number for s in context.statements if not s.sound and not s.rests}
    chain = next(s.chain for s in context.statements if s.number == number)
    cited = lines_in(rests) | {s.number for s in context.members(chain, number - 1)}
    roots = sorted(wrong & {abs(n) for n in cited})
    if not roots:
        return ""
    what = f"line{'s' * (len(roots) > 1)} {listed(map(str, roots))}"
    if any(-n in cited for n in roots):
        return f"follows from what {what} should be"
    return f"rests on {what}, which did not pass"
