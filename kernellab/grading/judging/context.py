"""The context of a derivation: what stands at a line, and how its text is read."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kernellab.grading.instances import clock
from kernellab.grading.instances.fields import OutOfTime
from kernellab.grading.instances.repairs import Repair
from kernellab.grading.instances.setting import Setting
from kernellab.grading.judging.statements import Statement, links_of
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reader import counts_from_one, read
from kernellab.grading.language.shapes import elaborate
from kernellab.grading.language.tree import Expr, Relation, is_zero
from kernellab.grading.problem import Problem
from kernellab.grading.proving.knowledge import Knowledge, Link, Memory
from kernellab.grading.proving.matching import Label
from kernellab.grading.proving.networks import (
    Algebra,
    Poly,
    TooLarge,
    Untranslatable,
)
from kernellab.grading.proving.proofs import Proof
from kernellab.grading.proving.prover import SECONDS, Prover
from kernellab.grading.proving.signs import Signs
from kernellab.grading.proving.translation import Scope, Translator
from kernellab.grading.symbols import Symbol

MAX_WORK = 80_000
MAX_SIDES = 12


@dataclass
class Context:
    """What stands at a line.

    Parameters
    ----------
    problem : what is given.
    symbols : the problem's and the student's.
    own : the names that the student defined.
    stationary : the variables at whose optimum the lines are.
    conditions : sufficient conditions that are imposed since they were said.
    invertible : what is assumed to be invertible.
    independent : whether independence was said.
    end : the time at which the judge stops, by its own clock.
    explains : whether a refusal may take time to say how to go on.
    said : what was said on the way, with the number of the line.
    tested : whether the line at hand was true in instances.
    case : the line that opens the case at hand, or 0.
    cases : the lines that open a case, each with the last line in it.
    split : the cases that were opened and are not brought together yet.
    concluded : the lines of the hypotheses that an induction has concluded.
    """

    problem: Problem
    rng: random.Random
    symbols: dict[str, Symbol]
    algebra: Algebra = field(default_factory=Algebra)
    own: frozenset[str] = frozenset()
    statements: list[Statement] = field(default_factory=list)
    stationary: frozenset[str] = frozenset()
    conditions: tuple[Statement, ...] = ()
    invertible: tuple[Expr, ...] = ()
    independent: bool = False
    end: float = math.inf
    explains: bool = False
    said: list[Label] = field(default_factory=list)
    tested: bool = False
    case: int = 0
    cases: dict[int, int] = field(default_factory=dict)
    split: tuple[Statement, ...] = ()
    concluded: frozenset[int] = frozenset()
    settings: dict[object, Setting] = field(default_factory=dict)
    repairs: dict[int, Repair | None] = field(default_factory=dict)
    _memory: Memory | None = None

    @classmethod
    def of(cls, problem: Problem, rng: random.Random) -> Context:
        return cls(problem, rng, dict(problem.table))

    # Reading

    def read(self, text: str, extra: str | None = None) -> Relation:
        """Read a relation, without its shapes; `extra` is a name that it introduces."""
        names = frozenset(self.symbols) | ({extra} if extra else frozenset())
        relation = read(text, self.problem.words(names), counts_from_one(text))
        self._check_functions(relation)
        work = sum(map(_work, relation.sides))
        if work > MAX_WORK or len(relation.sides) > MAX_SIDES:
            raise ReadError("this line is too large; split it")
        return relation

    def _check_functions(self, relation: Relation) -> None:
        """d, cov and loss mean something only where the problem declares it."""
        known = {
            "d": bool(self.problem.tangents),
            "cov": bool(self.problem.covariances),
            "loss": "loss(" in self.problem.symbols,
        }
        for node in (n for side in relation.sides for n in side.walk()):
            if node.op == "call" and not known.get(node.data, True):
                raise ReadError(f"{node.data}(…) has no meaning in this problem")

    def shaped(self, relation: Relation) -> tuple[Relation, dict[str, str]]:
        """Give a relation its shapes."""
        shapes = {name: symbol.shape for name, symbol in self.symbols.items()}
        return elaborate(relation, shapes, frozenset(self.problem.sizes))

    # Time

    def left(self) -> float:
        """Return the seconds that are left.

        Raises
        ------
        OutOfTime
            If there are none.
        """
        seconds = self.end - clock.now()
        if seconds <= 0:
            raise OutOfTime
        return seconds

    def prover(self, knowledge: Knowledge) -> Prover:
        """Return a prover that knows this, and stops in time."""
        return Prover(self.memory, knowledge, min(SECONDS, self.left()))

    def proof(
        self, link: Link, known: Knowledge | None = None, most: int | None = None
    ) -> Proof | None:
        """Return a proof of a relation in one step, if there is one.

        Parameters
        ----------
        known : what it may use; by default all that stands.
        most : how many facts it may use; by default as many as the problem allows.
        """
        most = self.problem.max_facts if most is None else most
        found = self.prover(known or self.knowledge()).prove(link, most)
        return found if found is not None and found.cost <= most else None

    # What is known

    @property
    def scope(self) -> Scope:
        problem = self.problem
        return Scope(self.symbols, self.own, problem.tangents, problem.covariance_of)

    def steps(self, sound: bool = True) -> list[Statement]:
        """Return the lines that may be cited here: those of other cases may not."""
        return [
            s for s in self.statements
            if s.kind == "step" and (s.sound or not sound) and s.case in (0, self.case)
        ]  # fmt: skip

    def counts(self, line: Statement) -> bool:
        """Return True if a line holds without anything that is still supposed."""
        behind = {label[1] for label in line.rests if label[0] == "supposed"}
        free = not (line.case or line.supposed) and behind <= self.concluded
        return free and line.kind == "step"

    @property
    def supposed(self) -> list[Statement]:
        """The suppositions in force."""
        return [s for s in self.steps() if s.supposed]

    def last(self, sound: bool = True) -> Statement | None:
        """Return the line before: the last step that stands."""
        steps = self.steps(sound)
        return steps[-1] if steps else None

    def knowledge(
        self,
        chain: Sequence[Link] = (),
        sound: bool = True,
        stationary: frozenset[str] = frozenset(),
        independent: bool = False,
        mended: bool = False,
    ) -> Knowledge:
        """Return what a line may be proved from.

        Parameters
        ----------
        chain : the links of the same line that were proved before.
        sound : whether only lines that were proved count.
        stationary : variables that this line says to be at their optimum.
        mended : whether false lines stand as their repairs.
        """
        at_hand = {s.chain for s in self.at_hand(sound)}
        links = list(chain)
        for statement in self.steps(sound):
            said = statement.mended() if mended else statement
            links += links_of(said, said.chain in at_hand)
        links += self.givens
        names = (self.problem.object, *self.problem.objects)
        return Knowledge(
            self.scope,
            tuple(links),
            tuple(self._chains(sound)),
            frozenset(n for n in names if n),
            self.problem.object,
            self.stationary | stationary,
            self.regular,
            self.residuals(sound) if independent or self.independent else (),
            self.problem.conditional,
        )

    def at_hand(self, sound: bool = True) -> list[Statement]:
        """Return the line before; if it repeats a definition, also that before it."""
        found: list[Statement] = []
        for statement in reversed(self.steps(sound)):
            found.append(statement)
            if not self.restates(statement):
                break
        return [*found[:1], *found[-1:]]

    def restates(self, statement: Statement) -> bool:
        """Return True for the definition of a symbol of the problem, as declared."""
        if statement.relation.signs != ("=",):
            return False
        t = self.translator()
        try:
            said = self._monic(t, *statement.relation.sides)
            names = statement.relation.symbols() - self.own
            return any(self._monic(t, *p) == said for p in self._definitions(names))
        except (Untranslatable, TooLarge):
            return False

    def _definitions(self, names: set[str]) -> Iterator[tuple[Expr, Expr]]:
        for name in names & self.problem.table.keys():
            symbol = self.problem.table[name]
            if symbol.definition is not None:
                yield Expr("sym", data=name, shape=symbol.shape), symbol.definition

    def _monic(self, t: Translator, left: Expr, right: Expr) -> Poly:
        difference = self.algebra.subtract(t(left), t(right))
        return self.algebra.monic(difference)[1] if difference else {}

    def _chains(self, sound: bool) -> Iterator[Link]:
        """Yield the ends of chains of equations that are longer than one link."""
        for last in self.steps(sound):
            members = self._members(last)
            signs = [sign for s in members for sign in s.relation.signs]
            whole = set(signs) == {"="} and all(s.sound or not sound for s in members)
            if whole and len(signs) > 1:
                rests = frozenset[Label]().union(*(s.rests for s in members))
                yield Link(
                    ("chain", last.chain, last.number, len(last.relation.signs) - 1),
                    members[0].relation.sides[0], "=", last.relation.sides[-1],
                    last.free, False, last.chain, rests,
                )  # fmt: skip

    def _members(self, last: Statement) -> list[Statement]:
        """Return the lines of a chain up to one of them."""
        return [
            s for s in self.statements
            if s.chain == last.chain and s.number <= last.number and s.kind == "step"
        ]  # fmt: skip

    @property
    def givens(self) -> list[Link]:
        found = []
        for k, relation in enumerate(self.problem.equations, 1):
            (left, right), (sign,) = relation.sides, relation.signs
            rests: frozenset[Label] = frozenset({("given", k)})
            found.append(Link(("given", k), left, sign, right, rests=rests))
        return found

    def residuals(self, sound: bool) -> tuple[tuple[Label, Expr], ...]:
        """Return each z = f − (linear in y) of which a line says cov(z, y) = 0."""
        names = self.problem.conditional
        found: list[tuple[Label, Expr]] = []
        if not names:
            return ()
        for s in self.steps(sound):
            sides = self.chain_of(s, sound)
            zero = any(is_zero(side) for side in sides)
            for side in sides if zero else ():
                z = _uncorrelated(side, names["given"])
                if z is not None and self.is_residual(z):
                    found.append((("line", s.number), z))
        return tuple(found)

    def chain_of(self, last: Statement, sound: bool) -> list[Expr]:
        """Return the sides that a line says to be equal, with those it continues."""
        found: list[Expr] = []
        for s in self._members(last):
            if (sound and not s.sound) or set(s.relation.signs) != {"="}:
                return []
            found += s.relation.sides
        return found

    def is_residual(self, z: Expr) -> bool:
        """Return True if z is f minus something linear in what is observed."""
        names = self.problem.conditional
        t = self.translator()
        try:
            f = t(Expr("sym", data=names["of"], shape=self.symbols[names["of"]].shape))
            rest = self.algebra.subtract(t(z), f)
        except Untranslatable:
            return False
        return all(self._linear_in(term, names["given"]) for term in rest)

    def _linear_in(self, term: object, name: str) -> bool:
        raw = self.algebra.opened(term, 1, nets=True)  # type: ignore[arg-type]
        atoms = [a for a, _ in raw.factors] + list(raw.powers)
        randoms = [
            self.algebra.atoms[a].data
            for a in atoms
            if self.algebra.kind(a) == "symbol"
            and self.symbols.get(self.algebra.atoms[a].data, None) is not None
            and self.symbols[self.algebra.atoms[a].data].kind == "random"
        ]
        return randoms == [name]

    # Normal forms and signs

    def translator(self, opened: frozenset[str] = frozenset()) -> Translator:
        return self.memory.translator(opened)

    @property
    def memory(self) -> Memory:
        """Return what has been translated since the last name was introduced."""
        if self._memory is None or self._memory.scope.own != self.own:
            self._memory = Memory(self.algebra, self.scope)
            self._mark_nonzero()
        return self._memory

    def _mark_nonzero(self) -> None:
        """A positive symbol that stands for wᵀw says that wᵀw is not 0."""
        for symbol in self.symbols.values():
            if symbol.kind != "positive" or symbol.definition is None:
                continue
            for opened in self.openings():
                poly = Signs(self.translator(opened)).poly(symbol.definition)
                if poly and len(poly) == 1:
                    ((powers, nets),) = poly
                    if not nets and len(powers) == 1:
                        self.algebra.nonzero.add(powers[0][0])

    def signs(self, opened: frozenset[str] = frozenset()) -> Signs:
        """Return what is known of signs, with some definitions opened."""
        found = Signs(self.translator(opened))
        known = [found.poly(X) for X in self.regular]
        found.regular = [poly for poly in known if poly]
        return found

    @property
    def regular(self) -> tuple[Expr, ...]:
        """Return what is assumed to be invertible, and what the problem inverts."""
        supposed = [s.relation for s in self.supposed if s.case]
        numbers = [r.difference for r in supposed if r.signs[0] in ("<", ">")]
        return (*self.invertible, *self.problem.inverted, *numbers)

    def openings(self) -> list[frozenset[str]]:
        """Return what to open to see a sign: nothing, then everything."""
        return [frozenset(), self.definitions()]

    def definitions(self) -> frozenset[str]:
        """Return the names that stand for something."""
        return frozenset(n for n, s in self.symbols.items() if s.definition is not None)


def _uncorrelated(side: Expr, given: str) -> Expr | None:
    """Return z of cov(z, y) or cov(y, z)."""
    if side.op != "call" or side.data != "cov":
        return None
    one, two = side.args
    if two.op == "sym" and two.data == given:
        return one
    return two if one.op == "sym" and one.data == given else None


def _work(node: Expr) -> int:
    """Return about how many operations an evaluation takes."""
    inner = sum(map(_work, node.args)) + 1
    return inner * 6 if node.op == "sum" else inner
