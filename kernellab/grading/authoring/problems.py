"""The problem of a derivation, from the blocks ``symbols``, ``problem``, ``route``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from kernellab.grading.authoring.source import Entry, Fenced, Source
from kernellab.grading.problem import Milestone, Problem, Route, declaration

_PAIR = re.compile(r"(\w+)\s*(?:=|\bof\b)\s*(\w+)")
_COVARIANCE = re.compile(r"cov\((\w+),\s*(\w+)\)\s*=\s*(.+)")
_TANGENT = re.compile(r"d\((\w+)\)\s*=\s*(\w+)")
_SIZE = re.compile(r"(\w+)\s*=\s*(\d+)")

Lines = list[tuple[str, int]]


def read_problem(source: Source) -> Problem:
    """Read the problem that a text declares, and parse all its relations."""
    symbols = source.one("symbols")
    for line, text in enumerate(symbols.lines, symbols.line + 1):
        if text.strip():
            _check(source, line, declaration, text)
    said: dict[str, Any] = {}
    for block in source.of("problem"):
        for entry in block.outline():
            said |= _setting(source, entry)
    routes = tuple(_route(source, block) for block in source.of("route"))
    if not routes:
        raise source.error(1, "a derivation needs a block ```route with milestones")
    name = source.fields.get("problem", source.path.stem)
    problem = Problem(id=name, symbols=symbols.text, routes=routes, **said)
    _check(source, symbols.line, getattr, problem, "table")
    for block in source.of("route"):
        for entry in block.outline():
            (relation, line), more = _relation(entry)
            others = [(t[3:].strip(), n) for t, n in more if t.startswith("or:")]
            for text, at in ((relation, line), *others):
                what = f"“{text}” is not a relation: "
                _check(source, at, problem.parse, text, what=what)
    return problem


def _check(
    source: Source, line: int, read: Callable[..., object], *text: Any, what: str = ""
) -> None:
    """Raise an error with the line if something cannot be read."""
    try:
        read(*text)
    except ValueError as error:
        raise source.error(line, f"{what}{error}") from error


# --- settings -------------------------------------------------------------------------


def _setting(source: Source, entry: Entry) -> dict[str, Any]:
    key, value = source.pair(entry.text, entry.line, _SETTINGS)
    first: Lines = [(value, entry.line)] if value else []
    found = _SETTINGS[key](source, [*first, *entry.under])
    return found if key == "sizes" else {key: found}


def _names(source: Source, lines: Lines) -> tuple[str, ...]:
    return tuple(w.strip() for text, _ in lines for w in text.split(",") if w.strip())


def _relations(source: Source, lines: Lines) -> tuple[str, ...]:
    return tuple(text for text, _ in lines)


def _word(source: Source, lines: Lines) -> str:
    return " ".join(text for text, _ in lines)


def _flag(source: Source, lines: Lines) -> bool:
    text, line = lines[0] if lines else ("", 1)
    return source.known(text, line, ("yes", "no"), "yes or no") == "yes"


def _count(source: Source, lines: Lines) -> int:
    text, line = lines[0] if lines else ("", 1)
    return int(source.number(text, line, "this"))


def _share(source: Source, lines: Lines) -> float:
    text, line = lines[0] if lines else ("", 1)
    share = source.number(text, line, "this")
    if not 0 <= share <= 1:
        raise source.error(line, f"expected a part between 0 and 1, found “{text}”")
    return float(share)


def _pairs(source: Source, lines: Lines) -> dict[str, str]:
    """Read “phi of Phi, z of Z” or “mean = m, of = f”."""
    found = {}
    for text, line in lines:
        for part in text.split(","):
            match = _PAIR.fullmatch(part.strip())
            if match is None:
                words = f"expected “name of name” or “name = name”, found “{part}”"
                raise source.error(line, words)
            found[match[1]] = match[2]
    return found


def _covariances(source: Source, lines: Lines) -> dict[str, str]:
    found = {}
    for text, line in lines:
        match = _COVARIANCE.fullmatch(text)
        if match is None:
            raise source.error(line, f"expected “cov(x, y) = …”, found “{text}”")
        found[f"{match[1]} {match[2]}"] = match[3]
    return found


def _tangents(source: Source, lines: Lines) -> dict[str, str]:
    found = {}
    for text, line in lines:
        match = _TANGENT.fullmatch(text)
        if match is None:
            raise source.error(line, f"expected “d(C) = dC”, found “{text}”")
        found[match[1]] = match[2]
    return found


def _sizes(source: Source, lines: Lines) -> dict[str, Any]:
    """Read “N = 5, M = 3; N = 4, M = 6”, the sizes to try; or “none”."""
    text, line = lines[0] if lines else ("", 1)
    if text == "none":
        return {"sizes": (), "regimes": ({}, {})}
    regimes = []
    for part in text.split(";"):
        pairs = [_SIZE.fullmatch(word.strip()) for word in part.split(",")]
        if not all(pairs):
            words = f"expected “N = 5, M = 3; N = 4, M = 6”, found “{text}”"
            raise source.error(line, words)
        regimes.append({pair[1]: int(pair[2]) for pair in pairs if pair})
    if any(list(regime) != list(regimes[0]) for regime in regimes):
        raise source.error(line, "each set of sizes names the same sizes")
    return {"sizes": tuple(regimes[0]), "regimes": tuple(regimes)}


_SETTINGS: Mapping[str, Callable[[Source, Lines], Any]] = {
    "rows": _pairs,
    "object": _word,
    "objects": _names,
    "givens": _relations,
    "variables": _names,
    "unknowns": _names,
    "definable": _names,
    "assumable": _names,
    "sufficient": _flag,
    "recursions": _relations,
    "max_facts": _count,
    "reasons": _share,
    "sizes": _sizes,
    "aliases": _pairs,
    "tangents": _tangents,
    "covariances": _covariances,
    "conditional": _pairs,
}


# --- routes ---------------------------------------------------------------------------


def _route(source: Source, block: Fenced) -> Route:
    milestones = tuple(_milestone(source, entry) for entry in block.outline())
    if not milestones:
        raise source.error(block.line, "a route needs a milestone")
    names = [m.name for m in milestones]
    for milestone in milestones:
        if milestone.companion and milestone.companion not in names:
            words = f"“{milestone.companion}” is no milestone of this route"
            raise source.error(block.line, words)
    return Route(milestones, block.rest)


def _milestone(source: Source, entry: Entry) -> Milestone:
    (relation, line), more = _relation(entry)
    said: dict[str, Any] = {}
    for text, number in more:
        key, value = source.pair(text, number, _OF_MILESTONES)
        if key == "or":
            said["others"] = (*said.get("others", ()), value)
        elif key == "with":
            said["companion"] = value
        else:
            said[key] = _OF_MILESTONES[key](source, [(value, number)])
    try:
        return Milestone(entry.text, relation, **said)
    except ValueError as error:
        raise source.error(line, str(error)) from error


def _relation(entry: Entry) -> tuple[tuple[str, int], Lines]:
    """Return the relation of a milestone, and the lines after it.

    It stands under the name, unless it is the name.
    """
    first = entry.under[0][0] if entry.under else ""
    if not first or first.partition(":")[0] in _OF_MILESTONES:
        return (entry.text, entry.line), list(entry.under)
    return entry.under[0], list(entry.under[1:])


def _set(source: Source, lines: Lines) -> frozenset[str]:
    return frozenset(_names(source, lines))


_OF_MILESTONES: Mapping[str, Callable[[Source, Lines], Any]] = {
    "only": _set,
    "without": _set,
    "needs": _set,
    "unknown": _word,
    "gradient": _flag,
    "form": _word,
    "left": _word,
    "or": _word,
    "step": _count,
    "optional": _flag,
    "with": _word,
}
