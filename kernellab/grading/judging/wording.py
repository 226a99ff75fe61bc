"""Words for facts: what a line uses, as a person would say it."""

from __future__ import annotations

from collections.abc import Iterable

from kernellab.grading.judging.context import Context
from kernellab.grading.proving.premises import Label
from kernellab.grading.proving.translation import COVARIANCES, atom_tree


def listed(parts: Iterable[str]) -> str:
    """Join words: “a, b and c”."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def named(context: Context, facts: Iterable[Label]) -> list[str]:
    """Return the words for some facts, each once, in a natural order."""
    ranked = sorted(facts, key=lambda fact: (_ORDER.get(fact[0], 9), str(fact)))
    return list(dict.fromkeys(_words(context, fact) for fact in ranked))


_ORDER = {"definition": 0, "given": 1, "gradient": 2, "slope": 2, "stationary": 3, "line": 4}


def _words(context: Context, fact: Label) -> str:
    match fact[0]:
        case "definition" if fact[1] == COVARIANCES:
            return "the given covariances"
        case "definition":
            return f"the definition of `{fact[1]}`"
        case "given":
            return f"what is given: `{context.problem.equations[fact[1] - 1]}`"
        case "line":
            return f"line {fact[1]}"
        case "gradient":
            return "the gradient"
        case "stationary":
            return f"that the gradient by `{fact[1]}` vanishes"
        case "inverse":
            return f"the inverse of `{atom_tree(context.algebra, fact[1]).args[0]}`"
        case "cancel":
            return f"that `{fact[1]}` can be cancelled"
        case "slope":
            return f"the rule for `{atom_tree(context.algebra, fact[1])}`"
        case "slope of":
            return f"the derivative of line {fact[1][1]}"
        case "independence":
            return "independence"
    return "a fact"
