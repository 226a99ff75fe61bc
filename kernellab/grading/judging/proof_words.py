"""A certificate in words: “2 × line 3, times inv(K + lam*I) from the left”.

Expressions stand between backticks, so that a report can typeset them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from kernellab.grading.certificates import Fact, Factor, Proven, Use
from kernellab.grading.judging.wording import TERM, fact_words, quoted, shown
from kernellab.grading.language.tree import NUMBER, Expr

_LETTERS = "ijklpqrsuvxyz"  # of the indices that are summed over
_INDIRECT = {
    "two bounds": "it is bounded from both sides",
    "zero square": "the squared length of left − right is 0",
    "zero form": "a semi-definite form vanishes at the difference",
    "sufficient": "where this holds, the gradient vanishes",
}

_HEADS = {"cases": ("In one case:", "In another:"), "induction": ("Base:", "Step:")}


def in_words(use: Use) -> str:
    """Say what is multiplied by what: coefficient × fact, times its context.

    Examples
    --------
    >>> K = Expr("sym", data="K", shape=("N", "N"))
    >>> in_words(
    ...     Use(
    ...         Fraction(2),
    ...         ("line", 3, 0),
    ...         (Factor(K, ("row", "i0")),),
    ...         ("i0",),
    ...         (("i0", "N"),),
    ...     )
    ... )
    '2 × line 3, times `K` from the left'
    """
    fact, rest = use.fact, list(use.context)
    letters = {"row": "n", "column": "m"}
    letters |= dict(zip((name for name, _ in use.sums), _LETTERS, strict=False))
    if fact == ("product",):
        whole = _entries(rest, letters) or "`1`"
        return f"{_coefficient(use.coefficient)}{whole}, which is not negative"
    summed, names = {name for name, _ in use.sums}, use.names[:2]
    turned = len(names) == 2 and (names[0] == "column" or names[1] == "row")
    words = fact_words(_multiplied(fact), TERM) + " transposed" * turned
    parts = [_coefficient(use.coefficient) + words]
    sides = names[::-1] if turned else names
    for index, side in zip(sides, ("left", "right"), strict=False):
        chain = _chain(index, rest, summed, side)
        parts += [f"times {shown(chain)} from the {side}"] if chain else []
    parts += [f"times {_entries(rest, letters)}"] if rest else []
    return ", ".join(parts)


def _multiplied(fact: Fact) -> Fact:
    """Return X X⁻¹, or X⁻¹ X, as what the fact of an inverse is about."""
    if fact[0] != "inverse":
        return fact
    _, back, side = fact
    (X,) = back.args
    return ("inverse", X @ back if side == "right" else back @ X)


def _coefficient(value: Fraction) -> str:
    if abs(value) == 1:
        return "" if value > 0 else "minus "
    return f"{value} × ".replace("-", "−")


def _chain(index: str, rest: list[Factor], summed: set[str], side: str) -> Expr | None:
    """Take the matrices that are multiplied to one side of a fact out of the rest."""
    product: Expr | None = None
    while index in summed:
        near = [f for f in rest if index in f.indices]
        if len(near) != 1 or near[0].indices.count(index) != 1:
            break
        rest.remove(near[0])
        places = near[0].indices
        last = places[-1] == index
        matrix = near[0].tree
        # From the left the fact's row meets a column of the matrix, and conversely.
        turned = last == (side == "right") if len(places) == 2 else side == "left"
        if turned:
            matrix = matrix.T
        if product is not None:
            matrix = matrix @ product if side == "left" else product @ matrix
        product = matrix
        index = places[0] if last and len(places) == 2 else places[-1]
        if len(places) == 1:
            break
    return product


def _entries(factors: Sequence[Factor], letters: Mapping[str, str]) -> str:
    """Write numbers, and entries of tensors, as a product."""
    found = []
    for factor in factors:
        places = tuple(letters.get(index, index) for index in factor.indices)
        power = factor.tree if factor.power == 1 else factor.tree**factor.power
        entry = Expr("index", (factor.tree,), places, NUMBER)
        found.append(shown(entry if places else power))
    return " ".join(found)


def proof_in_words(proven: Proven) -> Iterator[str]:
    """Yield sentences: what is put in, then what left − right is the sum of."""
    if not proven.sign or proven.by == "supposed":  # all is said
        return
    for k, part in enumerate(proven.parts if proven.by in _HEADS else ()):
        head = _HEADS[proven.by][min(k, len(_HEADS[proven.by]) - 1)]
        yield f"{head} {' '.join(proof_in_words(part))}"
    if proven.by in _HEADS:
        return
    if proven.opened:
        names = quoted(proven.opened)
        yield f"Put in what {names} stand{'s' * (len(proven.opened) == 1)} for."
    if proven.cancelled:
        matrix, side = proven.cancelled
        yield f"Multiply by {shown(matrix)}" + (
            f" from the {side}." if side in ("left", "right") else ", which is not 0."
        )
    for part in proven.parts:
        yield from proof_in_words(part)
    if proven.by in _INDIRECT:
        yield f"So {_INDIRECT[proven.by]}."
        return
    parts = [*map(in_words, proven.uses), *map(in_words, proven.pieces)]
    what = "Left − right" if proven.sign == "=" else "Larger − smaller"
    if parts:
        yield f"{what} is {'; plus '.join(parts)}.".replace("plus minus", "minus")
    else:
        yield "Multiplied out, both sides are the same."
