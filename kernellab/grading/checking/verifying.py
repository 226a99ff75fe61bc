"""Verify a certificate: every link is multiplied out anew, and must come to 0."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from kernellab.grading.certificates import Certificate, Fact, Proven
from kernellab.grading.checking.bounds import is_strict, piece_sum
from kernellab.grading.checking.claims import (
    check_moved,
    check_not_unique,
    check_unique,
    of_two_solutions,
    with_others,
)
from kernellab.grading.checking.expansion import Expansion, linear_parts, shape_of
from kernellab.grading.checking.facts import Known, Place, Rest, added, relation_axes
from kernellab.grading.checking.labelling import Refused, limited_work
from kernellab.grading.checking.licences import check_licences
from kernellab.grading.checking.names import Names, axes, determined, names_of
from kernellab.grading.checking.signs import STRICT, Signs, split_product
from kernellab.grading.checking.sums import COLUMN, ROW, Sum, total
from kernellab.grading.checking.suppositions import (
    Suppositions,
    check_cases,
    check_induction,
)
from kernellab.grading.language.tree import NUMBER, Expr, is_zero

MOST_SHOWN = 200
_BOUNDS = (">=", "<=", ">", "<")
_CLAIMS = dict.fromkeys(("claim", "unique", "moved", "not unique"), ("",))
_SUPPOSED = dict.fromkeys(("supposed", "cases", "induction"), ("=", *_BOUNDS))
_SIGNS = {"bound": _BOUNDS, **_CLAIMS, **_SUPPOSED}
MALFORMED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError,
    StopIteration, TypeError, ValueError,
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
    with limited_work():
        try:
            names = names_of(certificate)
            course = _Course(names, names.shaped(certificate.said))
            faults = tuple(filter(None, map(course.fault, certificate.proven)))
            return Verification(faults, course.conditional())
        except (Refused, *MALFORMED) as why:
            return Verification((f"the certificate cannot be read: {why}",))


@dataclass
class _Course:
    """The links that hold so far, and on what each of them rests."""

    names: Names
    said: tuple[Fact, ...]
    links: dict[Place, Proven] = field(default_factory=dict)
    behind: dict[Place, frozenset[Rest]] = field(default_factory=dict)
    _signs: Signs | None = None  # of the last line: mostly also of the next

    def fault(self, rough: Proven) -> str | None:
        """Return what is wrong with a link, or keep it for those after it."""
        place = (int(rough.line), int(rough.link))
        names = with_others(self.names) if rough.by == "unique" else self.names
        try:
            if place <= max(self.links, default=(0, 0)):
                raise Refused("it is out of order")
            link: Proven = names.shaped(rough)
            known = self.known(link.line)
            _Check(self, known, self.signs(link.line)).prove(link)
        except (Refused, *MALFORMED) as why:
            return f"line {place[0]}, link {place[1]}: {why}"
        ended = link.witness if link.by in ("cases", "induction") else ()
        self.links[place] = link
        self.behind[place] = frozenset(
            known.rests - {("supposed", str(n)) for n in ended}
        )
        return None

    @property
    def supposed(self) -> Suppositions:
        return Suppositions.of(self.said)

    def known(self, line: int, also: tuple[int, ...] = ()) -> Known:
        """Return what may be cited in a line, and in cases that it concludes."""
        may = {p: q for p, q in self.links.items()
               if self.supposed.may_cite(line, p[0], also)}  # fmt: skip
        said = [f for f in self.said if f[0] == "stationary" and f[2] <= line]
        return Known(self.names, may, self.behind, frozenset(f[1] for f in said))

    def signs(self, line: int) -> Signs:
        """Return what is known of signs in a line: assumptions, strict cases."""
        cases = self.supposed.of_line(line)
        inside = [q for q in self.links.values() if q.by == "supposed"
                  and q.line in cases and q.sign in ("<", ">")]  # fmt: skip
        regular = [q.left - q.right for q in inside]
        allowed = self.names.problem.assumable
        for fact in self.said:
            if fact[0] == "assume" and fact[2] <= line and str(fact[1]) in allowed:
                regular.append(fact[1])
        if self._signs is None or self._signs.assumed != tuple(regular):
            self._signs = Signs(self.names, tuple(regular))
        return self._signs

    def conditional(self) -> tuple[int, ...]:
        """Return the lines behind which something is still supposed."""
        ended = [q.witness for q in self.links.values() if q.by == "induction"]
        done = {("supposed", str(n)) for witness in ended for n in witness}
        found = {line for (line, _), rests in self.behind.items()
                 if any(r[0] == "supposed" for r in rests - done)}  # fmt: skip
        return tuple(sorted(found))


# Proofs


@dataclass(frozen=True)
class _Check:
    """Checks the proof of a link, from what may be cited there."""

    course: _Course
    known: Known
    signs: Signs

    def prove(self, link: Proven) -> None:
        """Refuse a link that its proof does not show."""
        rules = {
            "equation": self._equation, "bound": self._bound,
            "two bounds": self._two_bounds, "zero square": self._zero_square,
            "zero form": self._zero_form, "sufficient": self._sufficient,
            "claim": self._claim, "unique": self._unique, "moved": self._moved,
            "not unique": self._not_unique, "supposed": self._supposed,
            "cases": self._cases, "induction": self._induction,
        }  # fmt: skip
        signs = _SIGNS.get(link.by, ("=",))
        if link.by not in rules or link.sign not in signs:
            raise Refused(f"“{link.by}” is no kind of proof for {link.sign}")
        if link.by != "cases":  # where each part has its own licences
            check_licences(self.signs, link)
        self.known.rest_on("definition", link.opened)
        rules[link.by](link, Expansion(self.known.names, frozenset(link.opened)))

    def _equation(self, link: Proven, e: Expansion) -> None:
        """Compare left − right, times what is cancelled, with the sum of the uses."""
        difference, free = e(link.left) - e(link.right), relation_axes(link)
        if link.cancelled is not None:
            difference = self._multiplied(difference, e, *link.cancelled, _shape(link))
        _compare(added(self.known, e, link.uses, free), difference)

    def _multiplied(
        self, one: Sum, e: Expansion, X: Expr, side: str, shape: tuple[str, str]
    ) -> Sum:
        if not self.signs.invertible(X):
            raise Refused(f"{X} is cancelled, but may be singular, or 0")
        rows, columns = shape_of(X)
        if side == "number" and shape_of(X) == NUMBER:
            return one * e(X)
        if side == "left" and rows == columns == shape[0]:
            return e(X).matmul(one, rows)
        if side == "right" and rows == columns == shape[1]:
            return one.matmul(e(X), rows)
        raise Refused(f"{X} cannot stand on the {side} of this line")

    def _bound(self, link: Proven, e: Expansion) -> None:
        """Compare larger − smaller with the sum of the pieces and the uses."""
        if _shape(link) != NUMBER:
            raise Refused("a bound is between numbers")
        free, larger = relation_axes(link), 1 if link.sign[0] == ">" else -1
        pieces = [
            piece_sum(self.known, self.signs, e, piece, free) for piece in link.pieces
        ]
        difference = (e(link.left) - e(link.right)).scaled(larger)
        _compare(total([added(self.known, e, link.uses, free), *pieces]), difference)
        strict = any(is_strict(self.known, self.signs, e, p) for p in link.pieces)
        strict = strict or STRICT in map(self.signs.sign, pieces)
        if "=" not in link.sign and not strict:
            raise Refused("no piece is positive, as a strict bound needs")

    def _two_bounds(self, link: Proven, e: Expansion) -> None:
        """x = y, since x ≥ y and x ≤ y."""
        shown = [(p.left, p.sign, p.right, p.free) for p in link.parts]
        for sign in (">=", "<="):
            if (link.left, sign, link.right, link.free) not in shown:
                raise Refused("the two bounds are not those of this line")
        for part in link.parts:
            self.prove(part)

    def _part(self, link: Proven, indexed: bool = False) -> Proven:
        """Return the only part of a proof, an equation without indices, proven.

        What it proves has none either, unless it may be `indexed`.
        """
        (part,) = link.parts
        if part.by != "equation" or part.free or (link.free and not indexed):
            raise Refused("the part of this proof is no equation without indices")
        self.prove(part)
        return part

    def _zero_square(self, link: Proven, e: Expansion) -> None:
        """x = 0, since ‖x‖² = 0."""
        part, x = self._part(link), e(link.left) - e(link.right)
        norm = x.times(x, axes(_shape(link)))
        if not _is_multiple(e(part.left) - e(part.right), norm):
            raise Refused("the part does not say that the squared norm is 0")

    def _zero_form(self, link: Proven, e: Expansion) -> None:
        """M z = 0, since zᵀMz = 0 and M is semi-definite."""
        part = self._part(link)
        numbers, (first, *M, z) = split_product(part.left)
        if numbers or not M or not is_zero(part.right) or e(first) != e(z).T:
            raise Refused("the part does not say zᵀMz = 0")
        if not self.signs.semidefinite(M):
            raise Refused("the matrix of the form is not seen to be semi-definite")
        image = e(z)
        for matrix in reversed(M):
            image = e(matrix).matmul(image, shape_of(matrix)[1])
        if not _is_multiple(e(link.left) - e(link.right), image):
            raise Refused("the line does not follow from zᵀMz = 0")

    # Sufficient conditions

    def _sufficient(self, link: Proven, e: Expansion) -> None:
        """X·v = c may be imposed if it has a solution, where the gradient vanishes."""
        known, names, problem = self.known, self.known.names, self.known.names.problem
        if ("sufficient", link.line) not in self.course.said or not problem.sufficient:
            raise Refused("nobody said that this is sufficient, or may say so here")
        name, optimal = determined(link), {"stationary", "sufficient"}
        if name not in problem.variables:
            raise Refused("no part proves that the gradient of the object vanishes")
        kinds = {p: {kind for kind, _ in rests} for p, rests in known.behind.items()}
        if any("sufficient" in behind for behind in kinds.values()):
            raise Refused("a sufficient condition was imposed already")
        given = set[str]().union(*(given.symbols() for given in problem.equations))
        if names.definition(name) or name in given.union(*map(names.below, given)):
            raise Refused(f"a definition or given determines {name}")
        self._check_solvable(link, e.opening(names.dependent(name), but=name), name)
        general = [place for place, behind in kinds.items() if not behind & optimal]
        here, mark = (link.line, link.link), frozenset({("sufficient", name)})
        links = {place: known.links[place] for place in general} | {here: link}
        behind = {place: known.behind[place] for place in general} | {here: mark}
        part = replace(self, known=Known(names, links, behind))._part(link, True)
        if part.left != problem.gradient(name) or not is_zero(part.right):
            raise Refused("the part does not say that the gradient vanishes")
        known.rests |= mark

    def _check_solvable(self, link: Proven, e: Expansion, name: str) -> None:
        """Refuse a condition that is not X·v = c with X invertible and c free of v."""
        difference = e(link.left) - e(link.right)
        shape, said = self.known.names.table[name].shape, _shape(link)
        if len(link.free) == 1 and said == NUMBER:  # each component of Xv = c
            ((index, size),) = link.free
            difference, said = difference.renamed({index: ROW}), (size, "1")
        elif ROW not in difference.free:  # vᵀX = cᵀ
            difference = difference.T
        moving = {name, *self.known.names.dependent(name)}
        parts = linear_parts(difference, moving)
        X = total(x.renamed({"$": COLUMN}) for _, x in parts)
        if said not in (shape, shape[::-1]):
            raise Refused(f"the condition has another shape than {name}")
        if not self.signs.invertible_sum(X, shape != NUMBER):
            raise Refused(f"what multiplies {name} may be singular")

    # Claims, cases, inductions

    def _claim(self, link: Proven, e: Expansion) -> None:
        if link.left.op != "invertible" or not self.signs.invertible(link.left.args[0]):
            raise Refused(f"{link.left} is not seen")

    def _at_solutions(self) -> Known:
        """Return what holds at every point at which all gradients vanish."""
        known = self.known
        imposed = {
            p for p, rests in known.behind.items() if "sufficient" in dict(rests)
        }
        links = {p: q for p, q in known.links.items() if p not in imposed}
        variables = frozenset(known.names.problem.variables)
        return replace(known, links=links, stationary=variables)

    def _unique(self, link: Proven, e: Expansion) -> None:
        check_unique(link, self.known.names)
        known = of_two_solutions(self._at_solutions())
        signs = replace(self.signs, names=known.names)
        for part in link.parts:
            replace(self, known=known, signs=signs).prove(part)

    def _moved(self, link: Proven, e: Expansion) -> None:
        check_moved(link, self.known.names)
        for part in link.parts:
            replace(self, known=self._at_solutions()).prove(part)

    def _not_unique(self, link: Proven, e: Expansion) -> None:
        said = [fact for fact in self.course.said if fact[0] == "assume"]
        assumed = any(fact[2] <= link.line for fact in said)
        check_not_unique(link, self.known.names, assumed)

    def _supposed(self, link: Proven, e: Expansion) -> None:
        self.course.supposed.check_supposed(link, self.course.links.values())
        self.known.rest_on("supposed", [str(link.line)])

    def _cases(self, link: Proven, e: Expansion) -> None:
        """A line follows in each of some cases that leave nothing out."""
        firsts = link.witness
        check_cases(link, [self.course.links[n, 0] for n in firsts], self.known.names)
        for k, part in enumerate(link.parts):
            case = firsts[k : k + 1]
            known = self.course.known(link.line, case)
            signs = self.course.signs(case[0]) if case else self.signs
            replace(self, known=known, signs=signs).prove(part)
            self.known.rests.update(known.rests)

    def _induction(self, link: Proven, e: Expansion) -> None:
        """A base, from nothing, and a step, from what holds of every member."""
        (line,), known = link.witness, self.known
        supposed, optimal = self.course.supposed, {"stationary", "sufficient"}
        if line not in supposed.hypotheses or supposed.of_line(link.line):
            raise Refused("there is no hypothesis that this could conclude")
        check_induction(link, known.links[line, 0], known.names)
        start = Known(known.names)
        replace(self, known=start).prove(link.parts[0])
        if any(kind != "definition" for kind, _ in start.rests):
            raise Refused("the base rests on what is about later members")
        links = {p: q for p, q in known.links.items()
                 if not {kind for kind, _ in known.behind[p]} & optimal}  # fmt: skip
        told = replace(known, links=links, stationary=frozenset())
        replace(self, known=told).prove(link.parts[1])


def _shape(link: Proven) -> tuple[str, str]:
    return shape_of(link.right if is_zero(link.left) else link.left)


def _is_multiple(one: Sum, two: Sum) -> bool:
    """Return True if one is a number, which is not 0, times the other."""
    return bool(one.ratio(two)) or one == two


def _compare(found: Sum, target: Sum) -> None:
    if found != target:
        one, two = (x.text[:MOST_SHOWN] or "0" for x in (found, target))
        raise Refused(f"the parts add up to {one}, not to {two}")
