"""The size of a step: how many facts a line uses beside the line before."""

from __future__ import annotations

from dataclasses import replace

from kernellab.grading.instances.fields import OutOfTime
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Statement, links_of
from kernellab.grading.judging.substitution import puts_in
from kernellab.grading.proving.proofs import Proof


def cost(context: Context, proof: Proof) -> int:
    """Return how many facts a proof uses; to repeat a definition saves none."""
    lines = {label[1] for label in proof.labels if label[0] == "line"}
    counted = {label[1] for label in proof.facts if label[0] == "line"}
    free = (s for s in context.statements if s.number in lines - counted)
    return proof.cost + sum(map(context.restates, free))


def is_within(context: Context, line: Statement, link: int, most: int) -> bool:
    """Return True if a link of a line that stands has a proof of at most so many facts.

    The proof that was found first need not be the shortest; and to write definitions
    in place of their names is one fact, however many they are.
    """
    if most and puts_in(context, line, link):
        return True
    above = [s for s in context.statements if s.number < line.number]
    past = replace(context, statements=above)
    links = links_of(line, before=True)
    variables = frozenset(context.problem.variables)
    known = past.knowledge(links[:link], stationary=variables & context.stationary)
    try:
        proof = past.prover(known).prove(links[link], most)
    except OutOfTime:
        return False
    return proof is not None and cost(past, proof) <= most
