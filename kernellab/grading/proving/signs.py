"""Signs: what is seen, from its form alone, to be positive or positive semi-definite.

A closed network is not negative if it is a square: if an exchange of indices turns it
into itself, so that it is a tensor contracted with its mirror image, through shared
indices or through positive semi-definite matrices. Examples are ‖x‖², xᵀKx, Σ αₙ xₙ².
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import matmul

from kernellab.grading.language.tree import NUMBER, Expr
from kernellab.grading.proving.labelling import Factor
from kernellab.grading.proving.networks import COLUMN, ROW, Poly, Term, Untranslatable
from kernellab.grading.proving.rationals import Rational
from kernellab.grading.proving.translation import Translator

DEFINITE, SEMIDEFINITE = 2, 1


class Signs:
    """Signs of polynomials and expressions.

    Parameters
    ----------
    t : translates expressions.
    regular : what is known, or assumed, to be invertible.
    """

    def __init__(self, t: Translator, regular: Sequence[Expr] = ()) -> None:
        self.t = t
        self.algebra = t.algebra
        # Apart: the normal form of N·11ᵀ, of which no entry depends on its place, is N.
        self.numbers = self._polys(X for X in regular if X.shape == NUMBER)
        self.matrices = self._polys(X for X in regular if X.shape != NUMBER)

    def _polys(self, nodes: Iterable[Expr]) -> list[Poly]:
        return [poly for node in nodes if (poly := self.poly(node))]

    def poly(self, node: Expr) -> Poly | None:
        """Return the normal form of an expression, if it has one."""
        try:
            return self.t(node)
        except Untranslatable:
            return None

    # Numbers

    def nonneg(self, poly: Poly) -> bool:
        """Return True if every term is seen to be ≥ 0."""
        return all(c > 0 and self.nonneg_term(term) for term, c in poly.items())

    def positive(self, poly: Poly) -> bool:
        """Return True if every term is ≥ 0 and one is > 0."""
        return self.nonneg(poly) and any(self._positive_term(term) for term in poly)

    def nonneg_term(self, term: Term) -> bool:
        powers, nets = term
        return all(self._nonneg_power(a, p) for a, p in powers) and (
            not nets or self.exchange([f for net in nets for f in net]) is not None
        )

    def _positive_term(self, term: Term) -> bool:
        powers, nets = term
        return not nets and all(self.positive_atom(a) for a, _ in powers)

    def positive_atom(self, atom: int) -> bool:
        known = self.algebra.atoms[atom]
        if known.positive or atom in self.algebra.nonzero:
            return True
        return known.kind == "det" and self.definite(self.algebra.inner(atom))

    def _nonneg_power(self, atom: int, power: Rational) -> bool:
        known = self.algebra.atoms[atom]
        even = power % 2 == 0 or power.denominator == 2
        if even or known.nonneg or self.positive_atom(atom):
            return True
        if known.kind == "power":
            return self.nonneg(self.algebra.inner(atom))
        return known.kind == "net" and self.exchange(known.data) is not None

    # Matrices

    def definite(self, poly: Poly) -> bool:
        """Return True if a matrix is positive definite: a sum of semi-definite ones."""
        return self._definiteness(poly) == DEFINITE

    def semidefinite(self, poly: Poly) -> bool:
        return self._definiteness(poly) >= SEMIDEFINITE

    def _definiteness(self, poly: Poly) -> int:
        found = [self._of_term(term) if c > 0 else 0 for term, c in poly.items()]
        return 0 if not found or min(found) == 0 else max(found)

    def _of_term(self, term: Term) -> int:
        powers, nets = term
        if not all(self._nonneg_power(a, p) for a, p in powers):
            return 0
        sharp = all(self.positive_atom(a) for a, _ in powers)
        if len(nets) == 1 and len(nets[0]) == 1:
            kind = self.atom_kind(nets[0][0][0])
            if nets[0][0][1] in ((ROW, COLUMN), (COLUMN, ROW)) and kind:
                return kind if sharp else SEMIDEFINITE
        square = self.exchange([f for net in nets for f in net], turned=True)
        return 0 if square is None else SEMIDEFINITE

    def atom_kind(self, atom: int) -> int:
        """Return whether a matrix atom is semi-definite or definite."""
        known = self.algebra.atoms[atom]
        match known.kind:
            case "eye":
                return DEFINITE
            case "symbol":
                kind = self._declared(known.data)
                single = self.algebra.single(atom, (ROW, COLUMN)) if kind else {}
                return DEFINITE if single in self.matrices else kind
            case "inverse":
                return DEFINITE if self.semidefinite(self.algebra.inner(atom)) else 0
            case "cov" if known.data[0] == known.data[1]:
                return SEMIDEFINITE
        return 0

    def _declared(self, name: str) -> int:
        symbol = self.t.scope.symbols.get(name)
        kinds = {"psd": SEMIDEFINITE, "pd": DEFINITE}
        return kinds.get(symbol.kind, 0) if symbol else 0

    # Licences

    def invertible(self, poly: Poly) -> bool:
        """Return True if a matrix is known to be invertible."""
        if self.definite(poly) or self.definite(self.algebra.scale(poly, -1)):
            return True
        if poly in self.matrices:
            return True
        if len(poly) != 1:
            return False
        ((powers, nets),) = poly
        return (
            all(self.positive_atom(a) for a, _ in powers)
            and bool(nets)
            and all(self._invertible_atom(a) for net in nets for a, _ in net)
            and _is_chain([f for net in nets for f in net])
        )

    def _invertible_atom(self, atom: int) -> bool:
        if len(self.algebra.atoms[atom].sizes) != 2:
            return False
        single = self.algebra.single(atom, (ROW, COLUMN))
        return (
            self.algebra.kind(atom) == "inverse"
            or self.atom_kind(atom) == DEFINITE
            or single in self.matrices
        )

    def licenses(self, X: Expr) -> bool:
        """Return True if a matrix is known to be invertible, a number not to be 0."""
        poly = self.poly(X)
        if not poly:
            return False
        return self.nonzero(poly) if X.shape == NUMBER else self.invertible(poly)

    def nonzero(self, poly: Poly) -> bool:
        """Return True if a number is known not to be 0."""
        if self.positive(poly) or self.positive(self.algebra.scale(poly, -1)):
            return True
        return poly in self.numbers

    # Squares

    def exchange(
        self, factors: Sequence[Factor], turned: bool = False
    ) -> dict[int, int] | None:
        """Return the exchange of indices that shows a network to be a square, if any.

        Parameters
        ----------
        turned : whether the exchange turns rows into columns: is AᵀKA semi-definite?
        """
        start = {ROW: COLUMN, COLUMN: ROW} if turned else {}
        for names, bridges in self._exchanges(list(factors), 0, start, {}, ()):
            if _halves(factors, names, bridges):
                return names
        return None

    def _exchanges(
        self,
        factors: list[Factor],
        at: int,
        names: dict[int, int],
        partner: dict[int, int],
        bridges: tuple[int, ...],
    ) -> Iterator[tuple[dict[int, int], tuple[int, ...]]]:
        self.algebra.work.do(5)
        while at in partner:
            at += 1
        if at == len(factors):
            yield names, bridges
            return
        atom, indices = factors[at]
        bridged = (*bridges, at)
        if self.algebra.atoms[atom].nonneg:
            new = _linked(names, indices, indices)
            if new is not None:
                yield from self._exchanges(factors, at + 1, new, partner, bridged)
        if len(indices) == 2 and self.atom_kind(atom):
            new = _linked(names, indices, indices[::-1])
            alone = all(set(factors[b][1]) != set(indices) for b in bridges)
            if new is not None and alone:  # no Schur product unseen
                yield from self._exchanges(factors, at + 1, new, partner, bridged)
        for other in range(at + 1, len(factors)):
            if factors[other][0] != atom or other in partner:
                continue
            both = {**partner, other: at, at: other}
            ways = [factors[other][1]]
            if atom in self.algebra.symmetric:
                ways.append(ways[0][::-1])
            for way in ways:
                new = _linked(names, indices, way)
                if new is not None:
                    yield from self._exchanges(factors, at + 1, new, both, bridges)

    # Expressions

    def tree_nonneg(self, node: Expr) -> bool:
        """Return True if an expression is ≥ 0 by its form: a square, a sum of them."""
        if node.shape != NUMBER:
            return False
        match node.op:
            case "add":
                return all(map(self.tree_nonneg, node.args))
            case "sum":
                return self.tree_nonneg(node.args[0])
            case "num":
                return bool(node.data >= 0)
            case "pow" if node.args[1].data % 2 == 0:
                return True
            case "call" if node.data in ("norm2", "exp", "sqrt"):
                return True
            case "mul" | "div" if node.args[1].shape == NUMBER:
                if all(map(self.tree_nonneg, node.args)):
                    return True
        same = len(node.args) == 2 and node.args[0] == node.args[1]
        if same and (node.op == "mul" or (node.op == "call" and node.data == "dot")):
            return True
        poly = self.poly(node)
        if poly is None:
            return False
        return self.nonneg(poly) or self.quadratic_form(node)

    def quadratic_form(self, node: Expr) -> bool:
        """Return True for c·xᵀAᵀMAx with M semi-definite and c ≥ 0, whatever x is."""
        numbers, factors = _matrix_factors(node)
        if not factors or not all(map(self.tree_nonneg, numbers)):
            return False
        while len(factors) > 1:
            first, last = self.poly(factors[0]), self.poly(factors[-1])
            if first is None or last is None or first != self.algebra.transposed(last):
                return False
            factors = factors[1:-1]
            if not factors or self._semidefinite_product(factors):
                return True
        return False

    def _semidefinite_product(self, factors: list[Expr]) -> bool:
        X = reduce(matmul, factors)
        if X.op == "sym" and self._declared(X.data):
            return True
        poly = self.poly(X)
        return poly is not None and self.semidefinite(poly)


def _matrix_factors(node: Expr) -> tuple[list[Expr], list[Expr]]:
    """Return the numbers and the matrices of a product."""
    if node.op == "mul":
        one, two = map(_matrix_factors, node.args)
        return one[0] + two[0], one[1] + two[1]
    if node.op == "div":
        numbers, matrices = _matrix_factors(node.args[0])
        return [*numbers, node.args[1]], matrices
    return ([node], []) if node.shape == NUMBER else ([], [node])


def _linked(
    names: dict[int, int], indices: tuple[int, ...], images: tuple[int, ...]
) -> dict[int, int] | None:
    """Extend an exchange of indices; free indices other than row and column stay."""
    new = dict(names)
    for i, j in zip(indices, images, strict=True):
        for a, b in ((i, j), (j, i)):
            if new.setdefault(a, b) != b:
                return None
            if a < COLUMN and a != b:
                return None
    return new


def _halves(
    factors: Sequence[Factor], names: dict[int, int], bridges: tuple[int, ...]
) -> bool:
    """Return True if the exchange maps each part of the network to another one."""
    moving = {i for i, j in names.items() if i != j}
    part: dict[int, int] = {}

    def find(i: int) -> int:
        while part.setdefault(i, i) != i:
            i = part[i]
        return i

    for k, (_, indices) in enumerate(factors):
        if k in bridges:
            continue
        own = [i for i in indices if i in moving]
        for i in own[1:]:
            part[find(i)] = find(own[0])
    return all(find(i) != find(names[i]) for i in moving)


def _is_chain(factors: Sequence[Factor]) -> bool:
    """Return True for a product of matrices from row to column."""
    count = Counter(i for _, at in factors for i in at)
    once = all(c == (1 if i < 0 else 2) for i, c in count.items())
    return once and {ROW, COLUMN} <= count.keys()
