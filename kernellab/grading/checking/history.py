"""History: what is behind a link, through all the lines that it cites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kernellab.grading.certificates import Fact, Proven, Use
from kernellab.grading.checking.facts import Place
from kernellab.grading.checking.names import Names

Behind = Mapping[Place, frozenset[Fact]]


def facts_of(uses: Iterable[Use]) -> Iterator[Fact]:
    """Yield the facts in use, also those behind equal arguments."""
    for use in uses:
        yield use.fact
        if use.fact[0] == "equal":
            yield from facts_of(use.fact[3])


def all_facts(proven: Proven) -> Iterator[Fact]:
    """Yield all that a proof cites, its parts included."""
    yield from facts_of(proven.uses)
    yield from (piece.what for piece in proven.pieces)
    for part in proven.parts:
        yield from all_facts(part)


def behind(names: Names, proven: Proven, earlier: Behind) -> frozenset[Fact]:
    """Return the definitions and conditions on which a link rests.

    Parameters
    ----------
    earlier : the same for the links before.
    """
    found: set[Fact] = {("definition", name) for name in _opened(proven)}
    if proven.by in ("sufficient", "given"):
        found.add((proven.by, f"in line {proven.line}"))
    if proven.by == "supposed":
        found.add(("supposed", proven.line))
    for fact in all_facts(proven):
        found |= set(_behind_fact(names, fact, earlier))
    if proven.by in ("cases", "induction"):
        found -= {("supposed", line) for line in proven.witness}
    return frozenset(found)


def _opened(proven: Proven) -> set[str]:
    return set(proven.opened).union(*(_opened(part) for part in proven.parts))


def _behind_fact(names: Names, fact: Fact, earlier: Behind) -> Iterable[Fact]:
    match fact[0]:
        case "definition" | "stationary" | "given":
            return [fact]
        case "line":
            return earlier.get((fact[1], fact[2]), frozenset())
        case "chain":
            places = [p for p in earlier if (fact[1], 0) <= p <= (fact[2], fact[3])]
            return frozenset().union(*(earlier[place] for place in places))
        case "slope of":
            return _behind_fact(names, fact[1], earlier)
        case "gradient of":
            opened = {("definition", name) for name in names.dependent(fact[2])}
            return opened | set(_behind_fact(names, fact[1], earlier))
        case "gradient":
            return [("definition", n) for n in names.dependent(fact[1].args[1].data)]
        case "slope":
            return [("definition", name) for name in names.varying]
        case "independence":
            return [("independence", f"in line {fact[1]}")]
    return []
