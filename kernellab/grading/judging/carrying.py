"""Lines that rest on a wrong one: right in themselves, they say on which they rest.

From a wrong line together with the right one anything follows: with D = 3x and D = 2x
also D = 17x. So a wrong line counts only in place of what is right about its left side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Statement, lines_in
from kernellab.grading.judging.wording import listed
from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.knowledge import Knowledge, Link
from kernellab.grading.proving.matching import Label
from kernellab.grading.proving.proofs import Proof
from kernellab.grading.proving.trees import atom_tree


def consistent(
    context: Context, link: Link, known: Knowledge, proof: Proof
) -> Proof | None:
    """Return a proof that takes wrong lines at their word, if there is one.

    What their left sides are by definition may have been opened without need.
    """
    if not _contradicts_itself(context, proof):
        return proof
    cited, symbols = lines_in(proof.labels), dict(context.symbols)
    for s in context.statements:
        name = s.relation.sides[0].data
        if s.number in cited and not s.sound and name in symbols:
            symbols[name] = replace(symbols[name], definition=None)
    closed = replace(context, symbols=symbols, _memory=None)
    again = closed.proof(link, replace(known, scope=closed.scope))
    return None if again is None or _contradicts_itself(closed, again) else again


def _contradicts_itself(context: Context, proof: Proof) -> bool:
    """Return True if a proof uses a wrong line, and what its left side really is."""
    used = lines_in(proof.labels)
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
