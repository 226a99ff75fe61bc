"""From proofs to certificates: the same, in expressions that others can read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from kernellab.grading.certificates import (
    Certificate,
    Fact,
    Factor,
    Piece,
    Proven,
    Use,
)
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.sufficiency import SUPPOSED
from kernellab.grading.judging.verdicts import Passed
from kernellab.grading.proving.entailment import Combination
from kernellab.grading.proving.matching import Row
from kernellab.grading.proving.networks import COLUMN, ROW, Algebra, Rational
from kernellab.grading.proving.positivity import Nonneg
from kernellab.grading.proving.premises import Premise
from kernellab.grading.proving.proofs import (
    Proof,
)
from kernellab.grading.proving.signs import Signs
from kernellab.grading.proving.trees import (
    atom_tree,
    number_tree,
)


def certificate(context: Context, passed: Mapping[int, Passed]) -> Certificate:
    """Return the proofs of all lines that passed, as a certificate."""
    proven: list[Proven] = []
    for number, verdict in sorted(passed.items()):
        if not verdict.sound:
            continue
        for k, proof in enumerate(verdict.proofs):
            proven.append(_proven(context, proof, number, k))
    own = tuple(
        (name, definition)
        for name in sorted(context.own)
        if (definition := context.symbols[name].definition) is not None
    )
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
    claim, names = proof.claim, _Names(context.algebra)
    indirect = proof.by not in ("equation", "bound")
    signs = context.signs(proof.opened)
    return Proven(
        line, link, claim.left, claim.sign, claim.right,
        tuple(sorted(claim.free.items())),
        tuple(sorted(proof.opened)),
        () if indirect else names.uses(proof.combination, line),
        () if indirect else tuple(names.piece(c, p, signs) for c, p in proof.pieces),
        proof.cancelled,
        proof.by,
        tuple(_proven(context, part, line, link) for part in proof.parts),
        proof.witness,
    )  # fmt: skip


class _Names:
    """Writes atoms and indices by their names."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self.free = {index: name for name, index in algebra.names.items()}
        self.free |= {ROW: "row", COLUMN: "column"}

    def index(self, index: int) -> str:
        return f"i{index}" if index >= 0 else self.free[index]

    def indices(self, at: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(self.index, at))

    def uses(self, found: Combination, line: int = 0) -> tuple[Use, ...]:
        return tuple(self.use(c, row, line) for c, row in found.rows)

    def use(self, c: Rational, row: Row, line: int) -> Use:
        fact = self.fact(row.premise, line)
        return Use(
            Fraction(c), fact, self.context(row), self.places(row), self.sums(row)
        )

    def context(self, row: Row) -> tuple[Factor, ...]:
        numbers = [
            Factor(atom_tree(self.algebra, a), (), Fraction(p))
            for a, p in row.powers.items()
        ]
        tensors = [
            Factor(atom_tree(self.algebra, a), self.indices(at))
            for a, at in row.factors
        ]
        return (*numbers, *tensors)

    def places(self, row: Row) -> tuple[str, ...]:
        """Return what the free indices of a fact are called: row, column, others."""
        ranks = {ROW: "", COLUMN: " "}
        order = sorted(row.premise.axes, key=lambda i: ranks.get(i, self.free[i]))
        return tuple(self.index(row.names.get(i, i)) for i in order)

    def sums(self, row: Row) -> tuple[tuple[str, str], ...]:
        used = {i for _, at in row.factors for i in at} | set(row.names.values())
        return tuple(
            (self.index(i), size) for i, size in sorted(row.bound.items()) if i in used
        )

    def fact(self, premise: Premise, line: int) -> Fact:
        label, tree = premise.label, self.algebra
        match label[0]:
            case "line" if label[1] >= SUPPOSED:
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
                return ("independence", label[1][1], label[2], label[3])
            case "equal":
                one, two = (atom_tree(tree, a) for a in label[1:3])
                return ("equal", one, two, self.uses(label[3], line))
        return label

    def piece(self, c: Rational, piece: Nonneg, signs: Signs) -> Piece:
        if piece.row is not None:
            row = piece.row
            return Piece(
                Fraction(c),
                piece.label,
                self.context(row),
                self.places(row),
                self.sums(row),
            )
        if piece.label[0] == "term":
            return self.mirror(c, piece, signs)
        return Piece(Fraction(c), piece.label)

    def mirror(self, c: Rational, piece: Nonneg, signs: Signs) -> Piece:
        """Return a term that is a square, with the exchange of indices that shows."""
        raw = self.algebra.opened(piece.label[1], 1, nets=True)
        numbers = tuple(
            Factor(atom_tree(self.algebra, a), (), Fraction(p))
            for a, p in raw.powers.items()
        )
        factors = tuple(
            Factor(atom_tree(self.algebra, a), self.indices(at))
            for a, at in raw.factors
        )
        names = signs.exchange(raw.factors) or {}
        exchange = {self.index(i): self.index(j) for i, j in names.items()}
        sums = tuple((self.index(i), size) for i, size in sorted(raw.bound.items()))
        return Piece(Fraction(c), ("mirror", factors, exchange), numbers, (), sums)
