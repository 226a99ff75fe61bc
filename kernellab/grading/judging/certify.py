"""From proofs to certificates: the same, in expressions that others can read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement

from kernellab.grading.certificates import Certificate, Fact, Factor, Proven, Use
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.proof_words import proof_in_words
from kernellab.grading.judging.statements import Passed
from kernellab.grading.language.tree import Expr, is_zero
from kernellab.grading.proving.entailment import Combination
from kernellab.grading.proving.knowledge import UNWRITTEN
from kernellab.grading.proving.labelling import Factor as Tensor
from kernellab.grading.proving.matching import Premise, Row
from kernellab.grading.proving.networks import COLUMN, ROW
from kernellab.grading.proving.proofs import Nonneg, Proof
from kernellab.grading.proving.rationals import Rational
from kernellab.grading.proving.trees import atom_tree, number_tree


def certificate(context: Context, passed: Mapping[int, Passed]) -> Certificate:
    """Return the proofs of all lines that passed, as a certificate."""
    proven: list[Proven] = []
    for number, verdict in sorted(passed.items()):
        if not verdict.sound:
            continue
        for k, proof in enumerate(verdict.proofs):
            link = _proven(context, proof, number, k)
            proven.append(replace(link, words=tuple(proof_in_words(link))))
    defined = [s.relation.sides for s in context.statements if s.kind == "let"]
    own = tuple((str(name.data), definition) for name, definition in defined)
    said = (*context.said, *_supposed(context))
    return Certificate(context.problem, own, tuple(proven), said)


def _supposed(context: Context) -> Iterator[Fact]:
    """Yield the cases, with their first and last lines, and the hypotheses."""
    for s in context.statements:
        if s.supposed and s.case:
            last = max(line.number for line in context.statements)
            yield ("case", s.number, context.cases.get(s.number, last))
        elif s.supposed:
            yield ("hypothesis", s.number)


def _proven(context: Context, proof: Proof, line: int, link: int) -> Proven:
    claim, names = proof.claim, _Names(context)
    indirect = proof.by not in ("equation", "bound")
    return Proven(
        line, link, claim.left, claim.sign, claim.right,
        tuple(sorted(claim.free.items())),
        tuple(sorted(proof.opened)),
        () if indirect else names.uses(proof.combination, line),
        () if indirect else tuple(names.piece(c, p, line) for c, p in proof.pieces),
        proof.cancelled,
        proof.by,
        tuple(_proven(context, part, line, link) for part in proof.parts),
        proof.witness,
    )  # fmt: skip


class _Names:
    """Writes atoms and indices by their names."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.algebra = algebra = context.algebra
        self.free = {index: name for name, index in algebra.names.items()}
        self.free |= {ROW: "row", COLUMN: "column"}

    def index(self, index: int) -> str:
        return f"i{index}" if index >= 0 else self.free[index]

    def indices(self, at: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(self.index, at))

    def uses(self, found: Combination, line: int) -> tuple[Use, ...]:
        return tuple(self.use(c, row, line) for c, row in found.rows)

    def use(self, c: Rational, row: Row, line: int) -> Use:
        context = self.factors(row.powers, row.factors)
        used = {i for _, at in row.factors for i in at} | set(row.names.values())
        bound = {i: size for i, size in row.bound.items() if i in used}
        fact, places = self.fact(row.premise, line), self.places(row)
        return Use(Fraction(c), fact, context, places, self.sums(bound))

    def factors(
        self, powers: Mapping[int, Rational], tensors: Iterable[Tensor]
    ) -> tuple[Factor, ...]:
        """Return numbers with their powers, then entries of tensors."""
        tree, parts = self.algebra, list[Factor]()
        for a, p in powers.items():
            parts.append(Factor(atom_tree(tree, a), (), Fraction(p)))
        for a, at in tensors:
            parts.append(Factor(atom_tree(tree, a), self.indices(at)))
        return tuple(parts)

    def places(self, row: Row) -> tuple[str, ...]:
        """Return what the free indices of a fact are called: row, column, others."""
        ranks = {ROW: "", COLUMN: " "}
        order = sorted(row.premise.axes, key=lambda i: ranks.get(i, self.free[i]))
        return tuple(self.index(row.names.get(i, i)) for i in order)

    def sums(self, bound: Mapping[int, str]) -> tuple[tuple[str, str], ...]:
        return tuple((self.index(i), size) for i, size in sorted(bound.items()))

    def fact(self, premise: Premise, line: int) -> Fact:
        label, tree = premise.label, self.algebra
        match label[0]:
            case "line" if label[1] >= UNWRITTEN:
                return ("line", line, 0)
            case "inverse":
                return ("inverse", atom_tree(tree, label[1]), label[2])
            case "reciprocal":
                inner = tree.atoms[label[1]].inner
                assert inner is not None
                return ("reciprocal", number_tree(tree, inner))
            case "gradient" | "slope":
                return (label[0], atom_tree(tree, label[1]))
            case "independence":
                return ("independence", self.stated(label[1][1], label[2]), *label[2:])
            case "equal":
                one, two = (atom_tree(tree, a) for a in label[1:3])
                return ("equal", one, two, self.uses(label[3], line))
        return label

    def stated(self, line: int, z: Expr) -> Fact:
        """Return the chain of lines, up to this one, that says cov(z, y) = 0."""
        last = next(s for s in self.context.statements if s.number == line)
        members = self.context.members(last.chain, line)
        for one, two in combinations_with_replacement(members, 2):
            for k, end in enumerate(two.relation.sides[1:]):
                sides = (one.relation.sides[0], end)
                if any(map(is_zero, sides)) and any(z in side.args for side in sides):
                    return ("chain", one.number, two.number, k)
        return ("line", line, 0)

    def piece(self, c: Rational, piece: Nonneg, line: int) -> Use:
        if piece.row is not None:
            return self.use(c, piece.row, line)
        if piece.label[0] != "term":
            return Use(Fraction(c), piece.label)
        raw = self.algebra.opened(piece.label[1], 1, nets=True)
        context = self.factors(raw.powers, raw.factors)
        return Use(Fraction(c), ("product",), context, (), self.sums(raw.bound))
