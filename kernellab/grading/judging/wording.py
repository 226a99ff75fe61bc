"""Words for facts: what a line uses, as a person would say it.

Expressions stand between backticks, so that a report can typeset them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from kernellab.grading.certificates import Fact
from kernellab.grading.judging.context import Context
from kernellab.grading.language.tidying import tidied
from kernellab.grading.language.tree import Expr, Relation
from kernellab.grading.proving.covariances import COVARIANCES
from kernellab.grading.proving.matching import Label
from kernellab.grading.proving.proofs import Proof
from kernellab.grading.proving.trees import atom_tree

_SIZED = re.compile(r"\b(I|ones)\(\w+\)")
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")

# What a fact is called: as a reason, in the order in which reasons are listed, and as a
# term of a proof.
REASON, TERM = 0, 1
_FACTS = {
    "definition": ("the given covariances", "the definition of {}"),
    "given": ("the given {}", "given {}"),
    "gradient": ("the gradient", "what {} is"),
    "slope": ("the rule for {}", "what {} is"),
    "slope of": ("the derivative of {}", "the derivative of {}"),
    "inverse": ("the inverse of {}", "({} = `I`)"),
    "cancel": ("that {} can be cancelled", ""),
    "stationary": (
        "that the gradient by {} vanishes",
        "the gradient by {}, which is 0",
    ),
    "independence": ("independence", "independence, by {}"),
    "line": ("line {}", "line {}"),
    "chain": ("line {}", "lines {} to {}"),
    "gradient of": ("the gradient", "the gradient of {} by {}"),
    "covariance of": ("a fact", "the covariance of {} with {}"),
    "reciprocal": ("a fact", "({} times its reciprocal = `1`)"),
    "equal": ("a fact", "({} = {})"),
    "square": ("a fact", "{}, which is not negative"),
    "cauchy": ("a fact", "the inequality of Cauchy and Schwarz"),
}
_SINCE = ("stationary", "cancel")
_CLAIMS = {
    "claim": "it is seen to be definite, or declared so",
    "sufficient": "where it holds, the gradient vanishes",
    "unique": "every solution gives the same value",
    "supposed": "supposed here",
    "cases": "it follows in each case",
    "induction": "by the base and the step",
    "moved": "a solution may be moved by something that is not 0",
    "not unique": "every value is a solution, if 0 is chosen for ",
}


def listed(parts: Iterable[str]) -> str:
    """Join words: “a, b and c”."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def counted(number: int, what: str = "") -> str:
    """Return a number in words, perhaps with what it counts: “two facts”."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {what}{'s' * (number != 1)}" if what else word


def shown(what: object) -> str:
    """Return an expression as a person would write it, between backticks."""
    text = str(tidied(what) if isinstance(what, Expr) else what)
    return "`" + _SIZED.sub(r"\1", text) + "`"


def quoted(names: Iterable[str]) -> str:
    """Join names, each between backticks."""
    return listed(f"`{name}`" for name in names)


def fact_words(fact: Fact, role: int) -> str:
    """Say what a fact is, as a reason or as a term of a proof.

    >>> fact_words(("gradient of", ("line", 3, 0), "a", False), TERM)
    'the gradient of line 3 by `a`'
    """

    def said(part: object) -> str:
        if isinstance(part, tuple):
            return fact_words(part, role)
        return str(part) if isinstance(part, int) else shown(part)

    return _FACTS[fact[0]][role].format(*map(said, fact[1:3]))


def named(context: Context, facts: Iterable[Label]) -> list[str]:
    """Return the words for some facts, each once, in a natural order."""
    known = list(facts)
    names = sorted(f[1] for f in known if f[0] == "definition" and f[1] != COVARIANCES)
    plural = "s" if len(names) > 1 else ""
    found = [f"the definition{plural} of {quoted(names)}"] if names else []
    others = [f for f in known if f[0] != "definition" or f[1] == COVARIANCES]
    others.sort(key=lambda f: (list(_FACTS).index(f[0]), str(f)))
    return list(dict.fromkeys([*found, *(_reason(context, f) for f in others)]))


def _reason(context: Context, label: Label) -> str:
    """Return the words for one fact, in expressions."""
    what: Expr | Relation
    match label[0]:
        case "given":
            what = context.problem.equations[label[1] - 1]
        case "inverse":
            what = _unscaled(atom_tree(context.algebra, label[1]).args[0])
        case "slope":
            what = atom_tree(context.algebra, label[1])
        case _:
            return fact_words(label, REASON)
    return fact_words((label[0], what), REASON)


def _unscaled(node: Expr) -> Expr:
    """Return a matrix without a number in front of it or below it."""
    if node.op == "neg" or (node.op == "div" and node.args[1].op in ("num", "neg")):
        return _unscaled(node.args[0])
    return node.args[1] if node.op == "mul" and node.args[0].op == "num" else node


def used(context: Context, number: int, proofs: Sequence[Proof]) -> str:
    """Say by what a line follows: “from the line before, by the definition of K”.

    The line before is the one just above it in the text; any other has its number.
    """
    if not proofs:
        return ""
    if proofs[0].by in _CLAIMS:
        zero = proofs[0].witness if proofs[0].by == "not unique" else ()
        return _CLAIMS[proofs[0].by] + (quoted(zero) if zero else "")
    facts = frozenset[Label]().union(*(proof.facts for proof in proofs))
    opened = frozenset[str]().union(*(proof.opened for proof in proofs))
    free = {n for proof in proofs for n in _free_lines(proof, number)}
    cited = free | {f[1] for f in facts if f[0] == "line"}
    before = free & {number - 1}
    lines = ["the line before"] * len(before)
    lines += [f"line {n}" for n in sorted(cited - before)]
    if not lines:
        facts |= {("definition", name) for name in opened}
    by = named(context, (f for f in facts if f[0] not in ("line", *_SINCE)))
    since = [_reason(context, f).removeprefix("that ") for f in facts if f[0] in _SINCE]
    since += dict.fromkeys(why for proof in proofs for why in _positivity(proof))
    parts = {"from": lines, "by": by, "since": sorted(since)}
    said = (f"{how} {listed(what)}" for how, what in parts.items() if what)
    return ", ".join(said) or "algebra"


def _positivity(proof: Proof) -> list[str]:
    """Return what a bound, or an equation that comes from bounds, rests on."""
    match proof.by:
        case "two bounds" if any(part.pieces for part in proof.parts):
            return ["it is bounded from both sides"]
        case "zero square":
            return ["only 0 has length 0"]
        case "zero form":
            return ["a semi-definite form vanishes only where its matrix maps to 0"]
    kinds = {piece.label[0] for _, piece in proof.pieces} - {"line", "given"}
    if "cauchy" in kinds:
        return ["Cauchy and Schwarz bound it"]
    if kinds == {"term"}:
        return ["what is left out is not negative"]
    return ["squares are not negative"] if kinds else []


def _free_lines(proof: Proof, number: int) -> Iterator[int]:
    """Yield the lines that count for nothing, as the line before does."""
    rows = [piece.row.premise for _, piece in proof.pieces if piece.row is not None]
    for p in (*proof.combination.premises, *rows):
        if p.label[0] == "line" and p.label[1] != number and not p.cost:
            yield p.label[1]
    for part in proof.parts:
        yield from _free_lines(part, number)
