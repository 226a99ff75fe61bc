"""Verify a certificate: every link is multiplied out anew, and must come to 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from kernellab.grading.certificates import Certificate, Fact, Factor, Proven, Use
from kernellab.grading.checking.atoms import Refused
from kernellab.grading.checking.claims import (
    at_others,
    check_moved,
    check_not_unique,
    check_unique,
    with_others,
)
from kernellab.grading.checking.expansion import Expansion, matmul, shape_of
from kernellab.grading.checking.facts import Known, Place, relation_axes
from kernellab.grading.checking.forms import check_sufficient, check_zero_form
from kernellab.grading.checking.history import Behind, behind
from kernellab.grading.checking.introductions import check_let, faults_of_names
from kernellab.grading.checking.licences import Licences, inverted
from kernellab.grading.checking.names import Names, names_of
from kernellab.grading.checking.positivity import Positivity
from kernellab.grading.checking.sums import (
    Sum,
    add,
    multiply,
    subtract,
    text,
)
from kernellab.grading.checking.suppositions import (
    Suppositions,
    check_cases,
    check_induction,
)
from kernellab.grading.checking.uses import uses_sum
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr

MOST_SHOWN = 200
MALFORMED = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip


@dataclass(frozen=True)
class Verification:
    """What a check found; false if anything is wrong.

    Parameters
    ----------
    faults : what is wrong, in words.
    conditional : the lines that hold only under something that is still supposed.
    """

    faults: tuple[str, ...] = ()
    conditional: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return not self.faults

    def __str__(self) -> str:
        return "\n".join(self.faults) or "every link adds up"


def verify(certificate: Certificate) -> Verification:
    """Multiply out the proof of every link.

    Examples
    --------
    >>> from kernellab.grading.problem import Milestone, Problem, Route
    >>> goal = Route((Milestone("end", "x = y"),))
    >>> problem = Problem("p", "x : number\\ny : number", (goal,), sizes=())
    >>> left, right = problem.parse("(x + y)**2 = x**2 + 2*x*y + y**2").sides
    >>> bool(verify(Certificate(problem, proven=(Proven(1, 0, left, "=", right),))))
    True
    """
    try:
        names = names_of(certificate)
        faults = [*_faults_of_said(certificate), *faults_of_names(certificate, names)]
    except (Refused, *MALFORMED) as why:
        return Verification((f"the certificate cannot be read: {why!r}",))
    if faults:
        return Verification(tuple(faults))
    supposed = Suppositions.of(certificate)
    check = _Check(certificate, names, _licences(certificate, names), supposed)
    return Verification(tuple(check.faults()), check.conditional())


def _faults_of_said(certificate: Certificate) -> Iterator[str]:
    """Yield what does not say in which line it was said."""
    lengths = {"stationary": 3, "assume": 3, "independent": 2, "sufficient": 2,
               "case": 3, "hypothesis": 2}  # fmt: skip
    for fact in certificate.said:
        if lengths.get(fact[0]) != len(fact) or not isinstance(fact[-1], int):
            words = " ".join(map(str, fact))
            yield f"“{words}” does not tell in which line it was said"


def _licences(certificate: Certificate, names: Names) -> Licences:
    said = [fact for fact in certificate.said if fact[0] == "assume"]
    cases = Suppositions.of(certificate).cases
    strict = [
        (Expr("sub", (p.left, p.right), None, NUMBER), p.line, cases[p.line])
        for p in certificate.proven
        if p.by == "supposed" and p.line in cases and p.sign in ("<", ">")
    ]
    assumed = tuple((fact[1], fact[2]) for fact in said)
    return Licences(names, assumed, tuple(strict))


@dataclass(frozen=True)
class _Check:
    """Goes through the links in their order."""

    certificate: Certificate
    names: Names
    licences: Licences
    supposed: Suppositions
    rests: dict[Place, frozenset[Fact]] = field(default_factory=dict)

    def conditional(self) -> tuple[int, ...]:
        """Return the lines behind which something is still supposed."""
        proven = self.certificate.proven
        done = {n for p in proven if p.by == "induction" for n in p.witness}
        found = {
            line
            for (line, _), facts in self.rests.items()
            if any(f[0] == "supposed" and f[1] not in done for f in facts)
        }
        return tuple(sorted(found))

    def faults(self) -> Iterator[str]:
        links: dict[Place, Proven] = {}
        rests = self.rests
        for proven in self.certificate.proven:
            place = (proven.line, proven.link)
            if links and place <= max(links):
                yield f"line {place[0]}, link {place[1]} is out of order"
                continue
            said = self._stationary(proven.line)
            here = {p: q for p, q in links.items()
                    if self.supposed.may_cite(proven.line, p[0])}  # fmt: skip
            known = Known(self.names, here, dict(rests), said)
            for fault in self._faults_of(proven, known, links):
                yield f"line {proven.line}, link {proven.link}: {fault}"
            links[place] = proven
            rests[place] = self._behind(proven, rests)

    def _behind(self, proven: Proven, earlier: Behind) -> frozenset[Fact]:
        try:
            return behind(self.names, proven, earlier)
        except MALFORMED:
            return frozenset({("malformed", proven.line)})

    def _stationary(self, line: int) -> frozenset[str]:
        """Return the variables that were said to be stationary up to a line."""
        facts = [f for f in self.certificate.said if f[0] == "stationary"]
        return frozenset(f[1] for f in facts if f[2] <= line)

    def _faults_of(
        self, proven: Proven, known: Known, links: Mapping[Place, Proven]
    ) -> Iterator[str]:
        try:
            if proven.by == "cases":
                yield from self._cases(proven, known, links)
                return
            yield from self._without_licence(proven)
            yield from self._wrong(proven, known)
        except Refused as why:
            yield str(why)
        except MALFORMED as why:
            yield f"the certificate cannot be read: {why!r}"

    # Licences

    def _without_licence(self, proven: Proven) -> Iterator[str]:
        opened = frozenset(proven.opened)
        seen: set[tuple[Expr, str]] = set()
        for tree in _trees(proven):
            for node, kind in inverted(tree):
                if (node, kind) in seen:
                    continue
                seen.add((node, kind))
                if not self.licences.invertible(node, opened, proven.line, kind):
                    may = "be negative" if kind == "root" else "be singular, or 0"
                    yield f"{node} may {may}"
        for part in proven.parts:
            yield from self._without_licence(replace(part, line=proven.line))

    # The proof

    def _wrong(self, proven: Proven, known: Known) -> Iterator[str]:
        match proven.by:
            case "equation":
                yield from self._equation(proven, known)
            case "given":
                yield from self._given(proven, known)
            case "bound":
                yield from self._bound(proven, known)
            case "two bounds":
                yield from self._two_bounds(proven, known)
            case "zero square" | "zero form":
                yield from self._parts(proven, known)
                check_zero_form(proven, self._positivity(proven, known))
            case "sufficient":
                yield from self._sufficient(proven, known)
            case "let":
                check_let(proven, self.names)
            case "claim":
                yield from self._claim(proven)
            case "supposed":
                self.supposed.check_supposed(proven, known.links.values())
            case "induction":
                yield from self._induction(proven, known)
            case "unique":
                check_unique(proven, self.names)
                yield from self._unique(proven, self._general(known))
            case "moved":
                check_moved(proven, self.names)
                yield from self._parts(replace(proven, sign="="), self._general(known))
            case "not unique":
                check_not_unique(proven, self.names, bool(self.licences.assumed))
            case _:
                yield f"“{proven.by}” is no kind of proof"

    def _expansion(self, proven: Proven) -> Expansion:
        return Expansion(self.names, frozenset(proven.opened))

    def _positivity(self, proven: Proven, known: Known) -> Positivity:
        return Positivity(known, self._expansion(proven), self.licences)

    def _equation(self, proven: Proven, known: Known) -> Iterator[str]:
        if proven.sign != "=" or proven.pieces:
            yield "an equation has the sign =, and no pieces"
        e = self._expansion(proven)
        where = relation_axes(proven.left, proven.right, proven.free)
        target = self._cancelled(proven, subtract(e(proven.left), e(proven.right)))
        total = uses_sum(known, e, proven.uses, where)
        if target != total:
            yield f"the uses add up to {_short(total)}, not to {_short(target)}"

    def _cancelled(self, proven: Proven, difference: Sum) -> Sum:
        """Multiply the difference by what was cancelled, if it has an inverse."""
        if proven.cancelled is None:
            return difference
        X, side = proven.cancelled
        if not self.licences.invertible(X, frozenset(proven.opened), proven.line):
            raise Refused(f"{X} is cancelled, but may be singular, or 0")
        value, (rows, columns) = self._expansion(proven)(X), shape_of(X)
        if side == "number" and shape_of(X) == NUMBER:
            return multiply(difference, value)
        shape = shape_of(proven.left if proven.left.op != "num" else proven.right)
        if side == "left" and rows == columns == shape[0]:
            return matmul(value, difference, rows)
        if side == "right" and rows == columns == shape[1]:
            return matmul(difference, value, rows)
        raise Refused(f"{X} cannot stand on the {side} of this line")

    def _given(self, proven: Proven, known: Known) -> Iterator[str]:
        """Check a line that restates a given, perhaps with its sides exchanged."""
        if proven.uses or proven.sign != "=":
            yield from self._equation(proven, known)
            return
        e = self._expansion(proven)
        where = relation_axes(proven.left, proven.right, proven.free)
        target = subtract(e(proven.left), e(proven.right))
        for k in range(1, len(self.names.problem.equations) + 1):
            for sign in (1, -1):
                use = Use(Fraction(sign), ("given", k), names=tuple(where))
                if _adds_up(known, e, use, where, target):
                    return
        yield "this is none of the givens"

    def _bound(self, proven: Proven, known: Known) -> Iterator[str]:
        if proven.sign[0] not in "<>" or proven.cancelled is not None:
            yield "a bound has the sign >=, <=, > or <"
        e, positivity = self._expansion(proven), self._positivity(proven, known)
        where = relation_axes(proven.left, proven.right, proven.free)
        sides = (proven.left, proven.right)
        large, small = sides if proven.sign[0] == ">" else sides[::-1]
        target = subtract(e(large), e(small))
        pieces = [positivity.piece_sum(piece, where) for piece in proven.pieces]
        total = add(uses_sum(known, e, proven.uses, where), *pieces)
        if target != total:
            yield f"the pieces add up to {_short(total)}, not to {_short(target)}"
        positive = any(map(positivity.signs.is_positive, pieces))
        if "=" not in proven.sign and not (
            positive or any(map(positivity.is_strict, proven.pieces))
        ):
            yield "no piece is positive, as a strict bound needs"

    def _two_bounds(self, proven: Proven, known: Known) -> Iterator[str]:
        same = all(
            (part.left, part.right, part.free, part.by)
            == (proven.left, proven.right, proven.free, "bound")
            for part in proven.parts
        )
        signs = sorted(part.sign for part in proven.parts)
        if proven.sign != "=" or not same or signs != ["<=", ">="]:
            yield "the two bounds are not those of this line"
        yield from self._parts(proven, known)

    def _parts(self, proven: Proven, known: Known) -> Iterator[str]:
        if proven.sign != "=" or not (proven.parts or proven.by == "unique"):
            yield "the parts of the proof are missing"
        for part in proven.parts:
            for fault in self._wrong(replace(part, line=proven.line), known):
                yield f"in a part, {fault}"

    def _sufficient(self, proven: Proven, known: Known) -> Iterator[str]:
        """Check a condition that may be imposed since the gradient then vanishes."""
        if ("sufficient", proven.line) not in self.certificate.said:
            yield "nobody said that this is sufficient"
        earlier = [
            p.line
            for p in self.certificate.proven
            if p.by == "sufficient" and (p.line, p.link) < (proven.line, proven.link)
        ]
        if earlier:
            yield f"line {earlier[0]} has imposed a sufficient condition already"
        check_sufficient(proven, self.names, self.licences)
        here = {(proven.line, proven.link): proven}
        allowed = {p for p in known.links if not known.behind[p] & _conditions(known)}
        links = {p: known.links[p] for p in allowed} | here
        told = Known(self.names, links, {**known.behind, **_nothing(here)})
        yield from self._parts(proven, told)

    def _cases(
        self, proven: Proven, known: Known, links: Mapping[Place, Proven]
    ) -> Iterator[str]:
        """Check a line that follows in each of some cases that leave nothing out."""
        firsts = list(proven.witness)
        check_cases(proven, [links[first, 0] for first in firsts], self.names)
        for k, part in enumerate(proven.parts):
            case = firsts[k : k + 1]
            here = {p: q for p, q in links.items()
                    if self.supposed.may_cite(proven.line, p[0], case)}  # fmt: skip
            inside = replace(part, line=(case or [proven.line])[0])
            told = replace(known, links=here)
            yield from self._without_licence(inside)
            yield from self._wrong(inside, told)

    def _induction(self, proven: Proven, known: Known) -> Iterator[str]:
        """Check a base and a step, which may use what holds of every member."""
        (line,) = proven.witness
        if line not in self.supposed.hypotheses or self.supposed.of_line(proven.line):
            yield "there is no hypothesis that this could conclude"
        check_induction(proven, known.links[line, 0], self.names)
        chosen = _conditions(known)
        links = {p: q for p, q in known.links.items() if not known.behind[p] & chosen}
        told = replace(known, links=links, stationary=frozenset())
        yield from self._parts(replace(proven, sign="="), told)

    def _unique(self, proven: Proven, known: Known) -> Iterator[str]:
        """Check the parts, which may speak of another solution as well."""
        names = with_others(self.names)
        free = {p: q for p, q in known.links.items()
                if not any(f[0] == "supposed" for f in known.behind[p])}  # fmt: skip
        links = {**known.links, **at_others(self.names, free)}
        behind = {p: known.behind.get(p, frozenset()) for p in links}
        licences = replace(self.licences, names=names)
        yield from replace(self, names=names, licences=licences)._parts(
            replace(proven, sign="="), Known(names, links, behind, known.stationary)
        )

    def _general(self, known: Known) -> Known:
        """Return what holds at every point at which all gradients vanish."""
        chosen = {f for f in _conditions(known) if f[0] == "sufficient"}
        links = {p: q for p, q in known.links.items() if not known.behind[p] & chosen}
        variables = frozenset(self.names.problem.variables)
        return Known(self.names, links, known.behind, variables)

    def _claim(self, proven: Proven) -> Iterator[str]:
        claim = proven.left
        if claim.op == "invertible":
            if not self.licences.invertible(claim.args[0], frozenset(), proven.line):
                yield f"{claim.args[0]} may be singular"
        else:
            yield f"{claim} needs a proof"


def _conditions(known: Known) -> frozenset[Fact]:
    """Return all conditions behind the lines: stationarity, and what it led to."""
    facts = frozenset().union(*known.behind.values()) if known.behind else frozenset()
    return frozenset(f for f in facts if f[0] in ("stationary", "sufficient"))


def _nothing(places: dict[Place, Proven]) -> dict[Place, frozenset[Fact]]:
    return {place: frozenset({("sufficient", "here")}) for place in places}


def _adds_up(
    known: Known, e: Expansion, use: Use, where: dict[str, str], target: Sum
) -> bool:
    try:
        return uses_sum(known, e, [use], where) == target
    except Refused:
        return False


def _trees(proven: Proven) -> Iterator[Expr]:
    """Yield all trees of a proof in which something may be inverted."""
    yield from (proven.left, proven.right)
    for use in proven.uses:
        yield from _use_trees(use)
    for piece in proven.pieces:
        yield from _factor_trees(piece.context)
        for part in piece.what[1:]:
            if isinstance(part, Expr):
                yield part
            elif piece.what[0] == "mirror" and part is piece.what[1]:
                yield from _factor_trees(part)


def _use_trees(use: Use) -> Iterator[Expr]:
    yield from _factor_trees(use.context)
    yield from (part for part in use.fact[1:] if isinstance(part, Expr))
    if use.fact[0] == "reciprocal":
        yield Expr("inv", (use.fact[1],), None, NUMBER)
    if use.fact[0] == "equal":
        for inner in use.fact[3]:
            yield from _use_trees(inner)


def _factor_trees(factors: tuple[Factor, ...]) -> Iterator[Expr]:
    for factor in factors:
        power = Expr("num", data=factor.power, shape=NUMBER)
        yield Expr("pow", (factor.tree, power), None, factor.tree.shape)


def _short(one: Sum) -> str:
    words = text(one) or "0"
    return words if len(words) <= MOST_SHOWN else words[:MOST_SHOWN] + "…"
