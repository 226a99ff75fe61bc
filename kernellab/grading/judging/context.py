"""The context of a derivation: what stands at a line, and how its text is read."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from typing import Any

from kernellab.grading.instances.repairs import Repair
from kernellab.grading.instances.setting import Setting
from kernellab.grading.judging.limits import check_line, degree
from kernellab.grading.judging.statements import Statement
from kernellab.grading.language.reader import read
from kernellab.grading.language.said import Said
from kernellab.grading.language.shapes import elaborate
from kernellab.grading.language.tree import Expr, Relation, is_zero, put_in, shared, sym
from kernellab.grading.problem import Problem
from kernellab.grading.proving.covariances import linear_parts
from kernellab.grading.proving.knowledge import Knowledge, Link, Memory
from kernellab.grading.proving.matching import Label
from kernellab.grading.proving.networks import Algebra, Poly, Untranslatable
from kernellab.grading.proving.proofs import Proof
from kernellab.grading.proving.prover import Prover
from kernellab.grading.proving.signs import Signs
from kernellab.grading.proving.translation import Scope, Translator
from kernellab.grading.symbols import Symbol
from kernellab.grading.work import Work

READING, SHAPING = 40, 10  # units of work for each node


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
    guesses : of how many more lines it may be guessed what was meant.
    one_based : whether the first component is x_1 in this text.
    said : what was said on the way, with the number of the line.
    owed : what was defined through a name that the student defined anew: it has to be
        derived.
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
    guesses: int = 0
    one_based: bool = False
    said: list[Label] = field(default_factory=list)
    owed: tuple[Link, ...] = ()
    tested: bool = False
    case: int = 0
    cases: dict[int, int] = field(default_factory=dict)
    split: tuple[Statement, ...] = ()
    concluded: frozenset[int] = frozenset()
    settings: dict[object, Setting] = field(default_factory=dict)
    repairs: dict[int, Repair | None] = field(default_factory=dict)
    parts: dict[Any, Expr] = field(default_factory=dict)  # of all that was read
    degrees: dict[str, int] = field(default_factory=dict)  # of the student's symbols
    _memory: Memory | None = None

    @classmethod
    def of(cls, problem: Problem, rng: random.Random) -> Context:
        return cls(problem, rng, dict(problem.table))

    # Reading

    def read(
        self, text: str, extra: str | None = None, goes_on: bool = False
    ) -> Relation:
        """Read a relation, without its shapes; `extra` is a name that it introduces."""
        names = frozenset(self.symbols) | ({extra} if extra else frozenset())
        words = self.problem.words(names)
        relation = read(text, words, self.one_based, goes_on)
        check_line(relation, self.problem, self._degree)
        self.work.do(READING * relation.size)
        return relation

    def _degree(self, name: str) -> int:
        """Return the degree of a symbol: that of its definition, if it is one's own."""
        if name not in self.own:
            return 1
        if name not in self.degrees:
            definition = self.symbols[name].definition
            assert definition is not None
            self.degrees[name] = degree(definition, self._degree)
        return self.degrees[name]

    def shaped(self, relation: Relation) -> tuple[Relation, dict[str, str]]:
        """Give a relation its shapes."""
        self.work.do(SHAPING * relation.size)
        shapes = {name: symbol.shape for name, symbol in self.symbols.items()}
        sizes = frozenset(self.problem.sizes)
        found, free = elaborate(relation, shapes, sizes, self.ranges)
        sides = tuple(shared(side, self.parts) for side in found.sides)
        return Relation(sides, found.signs), free

    def ranges(self) -> dict[str, str]:
        """Return where the indices of the lines above run, if always in the same."""
        sides = (side for s in self.statements for side in s.relation.sides)
        bound = {n.data for side in sides for n in side.walk() if n.op == "sum"}
        names = [index for index, _ in bound]
        return {i: size for i, size in bound if names.count(i) == 1}

    # Proofs

    @property
    def work(self) -> Work:
        """What is computed for the text, counted."""
        return self.algebra.work

    def prover(self, knowledge: Knowledge) -> Prover:
        """Return a prover that knows this."""
        return Prover(self.memory, knowledge)

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

    def stand(self, line: Statement) -> None:
        """Let a line stand, in the case at hand."""
        self.statements.append(replace(line, case=self.case))

    def optimum(self, said: Said) -> frozenset[str]:
        """Return the variables that words say to be at their optimum."""
        return self.variables if said.stationary else frozenset()

    @property
    def variables(self) -> frozenset[str]:
        """The variables, without what the student has defined anew."""
        return frozenset(self.problem.variables) - self.own

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

    def undone(self) -> frozenset[str]:
        """Return the names that the student defined anew, and not as the problem does.

        What the problem defines through them does not follow from the lines that stand.
        """
        known = self.knowledge()
        prover = self.prover(known)
        lines = frozenset(k.fact for k in known.links if k.label[0] == "line")
        owed = (link for link in self.owed if prover.cite(link, lines) is None)
        return frozenset[str]().union(*(link.right.names & self.own for link in owed))

    def just_named(self) -> Expr | None:
        """Return the name that the last line of mathematics introduced, if it did."""
        last = self.statements[-1] if self.statements else None
        return last.relation.sides[0] if last and last.kind == "let" else None

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
            links += said.links(said.chain in at_hand)
        links = [*map(self._counted, links), *self.givens]
        return Knowledge(
            self.scope,
            (*links, *self._chains(sound)),
            self.objects,
            self.problem.object,
            self.stationary | stationary,
            self.regular,
            self.residuals(sound) if independent or self.independent else (),
            self.problem.conditional,
        )

    def at_hand(self, sound: bool = True) -> list[Statement]:
        """Return the lines that a step may use for nothing.

        They are the line before, and gradients that were computed: where one vanishes,
        that it does is the fact.
        """
        said = self.steps(sound)
        gradients = [s for s in said if s.relation.sides[0].op in ("grad", "diff")]
        return [*self.just_said(sound), *gradients]

    def just_said(self, sound: bool = True) -> list[Statement]:
        """Return the line before; if it only repeats definitions, also the last step.

        What repeats a definition counts all the same, wherever it stands.
        """
        said = self.steps(sound)
        steps = (s for s in reversed(said) if not all(map(self._repeated, s.links())))
        return [*said[-1:], *islice(steps, 1)]

    @property
    def objects(self) -> frozenset[str]:
        """The names whose definitions may be opened for nothing."""
        return frozenset(filter(None, (self.problem.object, *self.problem.objects)))

    def _counted(self, link: Link) -> Link:
        """Return a link for use: to repeat a definition is to open it, and counts."""
        name = self._repeated(link)
        if not name or name in self.objects:
            return link
        return replace(link, before=False, repeats=name)

    def going_on(self, known: Knowledge, link: Link) -> Knowledge:
        """Return what is known to a link with the left side of the line before.

        F = G and then F = H say what F = G = H says, so that F = G may be used for
        nothing, though it repeats a definition.
        """
        last = self.last()
        links = (
            replace(k, before=True, repeats="")
            if k.repeats and last and k.label[1] == last.number and k.left == link.left
            else k
            for k in known.links
        )
        return replace(known, links=tuple(links))

    def _repeated(self, link: Link) -> str:
        """Return the name whose definition, in the problem, a link repeats, if any."""
        known, key = self.memory.repeated, (id(link.left), id(link.right))
        if key not in known:
            names = sorted(link.names - self.own) if link.sign == "=" else []
            defined = (n for n in names if self._is_definition(link, n))
            known[key] = link, next(defined, "")
        return known[key][1]

    def _is_definition(self, link: Link, name: str) -> bool:
        definition = self.scope.definition(name)
        if definition is None:
            return False
        try:
            declared = self._monic(sym(name, definition.shape), definition)
            return declared == self._monic(link.left, link.right)
        except Untranslatable:
            return False

    def _monic(self, left: Expr, right: Expr) -> Poly:
        t = self.translator()
        difference = self.algebra.subtract(t(left), t(right))
        return self.algebra.monic(difference)[1] if difference else {}

    def _chains(self, sound: bool) -> Iterator[Link]:
        """Yield the ends of chains of equations that are longer than one link."""
        for last in self.steps(sound):
            sides = self.chain_of(last, sound)
            if len(sides) > 2:
                behind = (s.rests for s in self.members(last.chain, last.number))
                yield Link(
                    ("chain", last.chain, last.number, len(last.relation.signs) - 1),
                    sides[0], "=", sides[-1], last.free, False, last.chain,
                    frozenset[Label]().union(*behind),
                )  # fmt: skip

    def members(self, chain: int, last: float = math.inf) -> list[Statement]:
        """Return the lines of a chain, perhaps up to one of them."""
        lines = (s for s in self.statements if s.chain == chain and s.number <= last)
        return [s for s in lines if s.kind == "step"]

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
        y = sym(names["given"]) if names else None
        found: list[tuple[Label, Expr]] = []
        for s in self.steps(sound) if y else ():
            sides = self.chain_of(s, sound)
            for side in sides if any(map(is_zero, sides)) else ():
                if side.data == "cov" and y in side.args:
                    z = side.args[0 if side.args[1] == y else 1]
                    found += [(("line", s.number), z)] if self.is_residual(z) else []
        return tuple(found)

    def chain_of(self, last: Statement, sound: bool) -> list[Expr]:
        """Return the sides that a line says to be equal, with those it continues."""
        found: list[Expr] = []
        for s in self.members(last.chain, last.number):
            if (sound and not s.sound) or set(s.relation.signs) != {"="}:
                return []
            found += s.relation.sides
        return found

    def is_residual(self, z: Expr) -> bool:
        """Return True if z is f minus something linear in what is observed."""
        names = self.problem.conditional
        t = self.translator()
        try:
            f = t(sym(names["of"], self.symbols[names["of"]].shape))
            rest = self.algebra.subtract(t(z), f)
            parts = linear_parts(t, rest)
        except Untranslatable:
            return False
        linear = all(name == names["given"] for name, _, _ in parts)
        return linear and len(parts) == len(rest)

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
        return Signs(self.translator(opened), self.regular)

    @property
    def regular(self) -> tuple[Expr, ...]:
        """Return what is assumed to be invertible, and what the problem inverts."""
        supposed = [s.relation for s in self.supposed if s.case]
        numbers = [r.difference for r in supposed if r.signs[0] in ("<", ">")]
        return (*self.invertible, *self.problem.inverted, *numbers)

    def openings(self) -> list[frozenset[str]]:
        """Return what to open to see a sign: nothing, then everything."""
        return [frozenset(), self.definitions()]

    def opened(self, node: Expr, names: Container[str]) -> Expr:
        """Return an expression with some names replaced by what they stand for."""
        definition = self.scope.definition
        return put_in(node, lambda name: definition(name) if name in names else None)

    def behind(self, names: Collection[str]) -> set[str]:
        """Return some names, and all that they are defined through, at any depth."""
        return set(names).union(*map(self.memory.scope.below, names))

    def ratio(self, one: Poly, two: Poly) -> Fraction | None:
        """Return c with one = c · two, if there is such a number."""
        if not one or one.keys() != two.keys():
            return None
        (a, first), (b, second) = map(self.algebra.monic, (one, two))
        return Fraction(a) / b if first == second else None

    def definitions(self) -> frozenset[str]:
        """Return the names that stand for something."""
        return frozenset(n for n, s in self.symbols.items() if s.definition is not None)
