"""Reasons that can be read and are wrong: they cite what is not there, or no use.

They get a note; an instructor may let them count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import lines_in
from kernellab.grading.judging.wording import listed
from kernellab.grading.language.said import Said
from kernellab.grading.proving.knowledge import Link
from kernellab.grading.proving.proofs import Proof

_DEFINED = re.compile(r"\bdef(?:inition)?\.?\s+(?:of\s+)?$")


def wrong_reasons(context: Context, words: Said, proofs: Sequence[Proof]) -> str:
    """Return a sentence about what a line cites without need, or nothing."""
    links = [proof.claim for proof in proofs]
    ahead = [line for line in words.lines if line >= links[0].label[1]]
    if ahead and not words.text.startswith(f"({ahead[0]})"):  # the line's own number
        return f"there is no line {ahead[0]} above this one"
    free = {s.number for s in context.just_said()}
    behind = lines_in(label for proof in proofs for label in proof.labels)
    stand = {s.number for s in context.steps()} - free - behind
    if idle := sorted(_useless(context, stand & set(words.lines), words.lines, links)):
        what, verb = ("line", "is") if len(idle) == 1 else ("lines", "are")
        return f"{what} {listed(map(str, idle))} {verb} not needed here"
    for name in _absent(context, words, links):
        return f"`{name}` does not occur here"
    return ""


def _useless(
    context: Context, idle: set[int], lines: Sequence[int], links: Sequence[Link]
) -> set[int]:
    """Return the idle lines that no proof uses even where only cited ones may be."""
    for before in (False, True):
        if not idle:
            break
        known = context.knowledge()
        given = [k for k in known.links if k.label[0] == "given"]
        own = [k for k in known.links if k.label[0] == "line"]
        cited = [k for k in own if k.label[1] in lines]
        near = [k for k in own if before and k.before]
        kept = (*given, *(replace(k, before=True) for k in cited), *near)
        prover = context.prover(replace(known, links=kept))
        proofs = (prover.prove(link, context.problem.max_facts) for link in links)
        idle = idle - lines_in(label for p in proofs if p for label in p.labels)
    return idle


def _absent(context: Context, words: Said, links: Sequence[Link]) -> list[str]:
    """Return the names whose definition is cited where nothing depends on them."""
    scope = context.scope
    cited = [
        name for name in words.names
        for match in re.finditer(name, words.text)
        if _DEFINED.search(words.text[: match.start()])
    ]  # “def K”, “definition of K”  # fmt: skip
    if not cited:
        return []
    near = [*links, *(link for link in context.knowledge().links if link.before)]
    names = context.behind(set().union(*(link.names for link in near)))
    definitions = ((name, scope.definition(name)) for name in cited)
    return [n for n, d in definitions if n not in names and (d and d.names - names)]
