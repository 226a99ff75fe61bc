"""The prover: finds from which facts a line follows, the fewest first.

A claim left = right is tried with few facts first: as an identity, from the line
before, with inverses; then with definitions opened, and with all that is known. What
is found is made as small as it can be, so that its cost says how large the step is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, combinations
from typing import Any

from kernellab.grading.language.tree import Expr, call, grad, sym
from kernellab.grading.proving.bounds import prove_bound
from kernellab.grading.proving.covariances import COVARIANCES
from kernellab.grading.proving.elements import atoms_in
from kernellab.grading.proving.entailment import Combination, combination
from kernellab.grading.proving.facts import (
    axes,
    derived_facts,
    independence_facts,
    inverse_facts,
    link_premise,
)
from kernellab.grading.proving.indirect import indirect
from kernellab.grading.proving.knowledge import Knowledge, Link, Memory, Opened
from kernellab.grading.proving.matching import Label, Premise
from kernellab.grading.proving.networks import Algebra, Poly, Untranslatable
from kernellab.grading.proving.proofs import Proof, allowed, better, fact_of
from kernellab.grading.proving.signs import Signs
from kernellab.grading.proving.translation import Translator, inverse
from kernellab.grading.work import OutOfWork

CLAIM = 1_000_000  # units of work for one claim
ATTEMPT = 250_000  # and for one set of definitions and premises
FEW_ROWS = 60  # to show that two arguments are equal
NONE: Opened = frozenset()


@dataclass
class Prover:
    """Searches proofs in what is known at one line.

    Parameters
    ----------
    memory : what has been translated before.
    knowledge : what stands.
    """

    memory: Memory
    knowledge: Knowledge
    tried: dict[object, Any] = field(default_factory=dict)  # what came of attempts

    @property
    def algebra(self) -> Algebra:
        return self.memory.algebra

    # Polynomials under opened definitions

    def translator(self, opened: Opened) -> Translator:
        return self.memory.translator(opened)

    def poly(self, claim: Link, opened: Opened) -> Poly:
        """Return left − right; what does not touch it need not be opened."""
        t = self.translator(opened & self.names_below(claim))
        return self.algebra.subtract(t(claim.left), t(claim.right))

    def names_below(self, link: Link) -> Opened:
        """Return the names that may be opened in a relation, at any depth."""
        known, names = self.memory.below, link.names
        if names not in known:
            below = (self.knowledge.scope.below(name) for name in names)
            known[names] = names.union({COVARIANCES}, *below)
        return known[names]

    def signs(self, opened: Opened) -> Signs:
        return Signs(self.translator(opened), self.knowledge.invertible)

    # The search

    def prove(self, claim: Link, most: int) -> Proof | None:
        """Return a proof of a relation; one of cost ≤ `most`, if there is one."""
        self.tried = {}
        search = self._found if claim.sign == "=" else partial(prove_bound, self)
        try:
            with self.algebra.work.limited(CLAIM):
                return search(claim, most)
        except (Untranslatable, OutOfWork):
            return None

    def cite(self, claim: Link, lines: frozenset[Label]) -> Proof | None:
        """Return a proof from lines that stand, with nothing opened or inverted."""
        found = self.attempt(claim, NONE, "lines", lines)
        return found and self._without_facts(claim, found, "lines")

    def _found(self, claim: Link, most: int) -> Proof | None:
        best: Proof | None = None
        for opened, level in dict.fromkeys(self._attempts(claim)):
            found = self.attempt(claim, opened, level)
            if found is not None and found.cost > 1:
                found = self._without_facts(claim, found, level)
            best = better(best, found)
            if best is not None and best.cost <= most:
                return best
        turned = indirect(self, claim, most)
        if turned is not None:
            return turned
        whole = self._with_all(claim)
        if whole is not None:
            best = better(best, self._without_facts(claim, whole, "all"))
        return best and (self._with_few(claim, most) or best)

    def _with_few(self, claim: Link, most: int) -> Proof | None:
        """Return a proof with few definitions, which more of them would hide."""
        free = self.knowledge.objects & self.definable(claim)
        names = sorted(self._near(claim) - free)
        ways = chain(*(combinations(names, k + 1) for k in range(most)))
        with suppress(OutOfWork):
            for some in ways:
                found = self.attempt(claim, free.union(some), "lines")
                found = found and self._without_facts(claim, found, "lines")
                if found is not None and found.cost <= most:
                    return found
        return None

    def _attempts(self, claim: Link) -> Iterator[tuple[Opened, str]]:
        """Yield what to open and what to use, the cheapest first."""
        for opened, level in self._ways(claim):
            computes = level in ("facts", "all")  # derivatives open what they need
            yield opened if computes else opened & self._touched(claim, level), level

    def _touched(self, claim: Link, level: str) -> Opened:
        """Return the names that may be opened in a line and in what it may use."""
        key = ("touched", level)
        if key not in self.tried:
            links = (k for k in self.knowledge.links if k.is_of_level(level))
            near = map(self.names_below, links)
            self.tried[key] = NONE.union(*near)
        touched: Opened = self.tried[key] | self.names_below(claim)
        return touched

    def _ways(self, claim: Link) -> Iterator[tuple[Opened, str]]:
        free = self.knowledge.objects & self.definable(claim)
        few = list(dict.fromkeys((NONE, free)))
        levels = ["before", "inverses"]
        if any(map(_is_derivative, claim.nodes)):
            levels.append("facts")
        yield from ((opened, level) for level in levels for opened in few)
        near = free | self._near(claim)
        yield near, "inverses"
        given = any(link.label[0] == "given" for link in self.knowledge.links)
        for level in ("givens", "lines") if given else ("lines",):
            yield from ((opened, level) for opened in dict.fromkeys((*few, near)))
        yield from ((opened, "all") for opened in few)

    def _near(self, claim: Link) -> Opened:
        """Return the definitions in this line and in the one before."""
        links = [claim, *(link for link in self.knowledge.links if link.before)]
        names = frozenset({COVARIANCES}).union(*(link.names for link in links))
        scope = self.knowledge.scope
        names = names.union(*map(scope.below, names & self.knowledge.objects))
        return names & self.definable(claim)

    def _with_all(self, claim: Link) -> Proof | None:
        """Try all definitions, or else each by itself, if they are too many."""
        names = self.definable(claim)
        free = self.knowledge.objects & names
        ways = (names, *(free | {name} for name in sorted(names - free)))
        found = (self.attempt(claim, opened, "all") for opened in ways)
        return next((proof for proof in found if proof is not None), None)

    def definable(self, claim: Link) -> Opened:
        """Return the names that could be opened."""
        key = ("definable", claim.names, claim.variables)
        if key not in self.tried:
            scope = self.knowledge.scope
            names = claim.names.union(*(link.names for link in self.knowledge.links))
            names = names.union(*map(scope.below, names))
            found = {n for n in names if scope.definition(n) is not None}
            if scope.covariances:
                found.add(COVARIANCES)
            self.tried[key] = frozenset(found - claim.variables - scope.own)
        opened: Opened = self.tried[key]
        return opened

    def attempt(
        self,
        claim: Link,
        opened: Opened,
        level: str,
        only: frozenset[Label] | None = None,
    ) -> Proof | None:
        """Try one set of opened definitions with the premises of a level."""
        try:
            target = self.poly(claim, opened)
            premises = self.premises(target, opened, level)
        except Untranslatable:
            return None
        if only is not None:
            premises = [p for p in premises if allowed(p, only)]
        key = (frozenset(target.items()), frozenset(id(p.poly) for p in premises))
        if key not in self.tried:
            sides = axes(self.translator(opened), claim)
            self.tried[key] = None  # if it is too much work, others may be less
            with suppress(OutOfWork), self.algebra.work.limited(ATTEMPT):
                self.tried[key] = combination(self.algebra, target, sides, premises)
        found: Combination | None = self.tried[key]
        return None if found is None else self.proof(claim, opened, found)

    # Premises

    def premises(self, target: Poly, opened: Opened, level: str) -> list[Premise]:
        """Return the premises of a level; each adds to the one before it.

        "before": the line before; "inverses"; "givens"; "lines": all lines, or "facts":
        derivatives and independence; "all".
        """
        t = self.translator(opened)
        self.algebra.work.do(5 * len(self.knowledge.links))
        found = [
            premise
            for link in self.knowledge.links
            if link.sign == "=" and link.is_of_level(level)
            if not opened & link.variables
            and (premise := self.premise(t, link)) is not None
        ]
        found += self._defined(t, target, opened)
        if level in ("facts", "all"):
            found += independence_facts(t, self.knowledge)
            found += self._within(t, target, found)
        atoms = atoms_in(self.algebra, [target, *(p.poly for p in found)])
        if level == "before":
            powers = (a for a in atoms if self.algebra.kind(a) == "power")
            return found + inverse_facts(self.algebra, powers)
        found += inverse_facts(self.algebra, atoms)
        return found + self._congruences(target, found)

    def _within(
        self, t: Translator, target: Poly, found: list[Premise]
    ) -> list[Premise]:
        """Return what derivatives and covariances are, also those inside of others."""
        known: dict[Label, Premise] = {}
        wanted = [target, *self._stationary(t)]
        for _ in range(2):
            polys = [*wanted, *(p.poly for p in (*found, *known.values()))]
            atoms = atoms_in(self.algebra, polys)
            known |= {p.label: p for p in derived_facts(t, self.knowledge, atoms)}
        return list(known.values())

    def _defined(self, t: Translator, target: Poly, opened: Opened) -> list[Premise]:
        """Return w = Φᵀa where a gradient by w stands, so that w cannot be opened."""
        scope, found = self.knowledge.scope, []
        atoms = (self.algebra.atoms[a] for a in atoms_in(self.algebra, [target]))
        for name in sorted({a.data[1] for a in atoms if a.kind == "grad"} - opened):
            definition = scope.definition(name)
            if definition is not None and definition.shape and name not in scope.own:
                own = sym(name, definition.shape)
                link = Link(("definition", name), own, "=", definition)
                premise = self.premise(t, link)
                found += [premise] if premise else []
        return found

    def _stationary(self, t: Translator) -> list[Poly]:
        """Return the gradients that vanish, so that facts about them are found."""
        name = self.knowledge.object
        if name is None:
            return []
        symbols = self.knowledge.scope.symbols
        of = sym(name, symbols[name].shape)
        by = (sym(v, symbols[v].shape)
              for v in sorted(self.knowledge.stationary - t.opened))  # fmt: skip
        return [t(grad(of, v)) for v in by]

    def premise(self, t: Translator, link: Link) -> Premise | None:
        """Return a link as a premise; what a definition does not touch is kept."""
        memory, key = self.memory, (link.label, t.opened & self.names_below(link))
        if key not in memory.links:
            try:
                premise = link_premise(t, link)
                memory.links[key] = premise.poly, premise.axes
            except Untranslatable:
                memory.links[key] = None
        known = memory.links[key]
        return known and Premise(link.label, *known, int(not link.before), link.fact)

    def _congruences(self, target: Poly, premises: list[Premise]) -> list[Premise]:
        """Return f(p) = f(q) for functions of equal arguments."""
        own = atoms_in(self.algebra, [target])
        near = [p.poly for p in premises if p.cost == 0]
        compound = [
            self.algebra.atoms[a]
            for a in sorted(own | atoms_in(self.algebra, near))
            if self.algebra.kind(a) in ("function", "inverse", "power", "det")
        ]
        found = []
        known = frozenset(id(premise.poly) for premise in premises)
        for one, two in combinations(compound, 2):
            same = (one.kind, one.sizes) == (two.kind, two.sizes)
            if one.kind in ("function", "det"):  # name and shape, or size
                same = same and (one.data[0], one.data[2:]) == (
                    two.data[0],
                    two.data[2:],
                )
            if same and (one.id in own or two.id in own):
                key = (one.id, two.id, known)
                if key not in self.tried:
                    self.tried[key] = self._equal(one.id, two.id, premises)
                found += [self.tried[key]] if self.tried[key] else []
        return found

    def _equal(self, one: int, two: int, premises: list[Premise]) -> Premise | None:
        algebra, sizes = self.algebra, self.algebra.atoms[one].sizes
        difference = algebra.subtract(algebra.inner(one), algebra.inner(two))
        sides = {i: "" for i in algebra.free(difference)}
        why = combination(algebra, difference, sides, premises, FEW_ROWS)
        if why is None:
            return None
        indices = (-1, -2)[: len(sizes)]
        poly = algebra.subtract(*(algebra.single(a, indices) for a in (one, two)))
        label = ("equal", one, two, why)
        return Premise(label, poly, dict(zip(indices, sizes, strict=True)), 0)

    def cancelled_fact(self, X: Expr) -> Label:
        """Return the fact that X can be cancelled: its inverse, if that occurs."""
        try:
            (((_, nets), _),) = inverse(self.translator(NONE), X).items()
            return ("inverse", nets[0][0][0])
        except (Untranslatable, ValueError, IndexError):
            return ("cancel", str(X))

    # The size of a proof

    def proof(self, claim: Link, opened: Opened, found: Combination) -> Proof:
        """Return a proof with the facts that count, each once."""
        labels = {premise.label for premise in found.premises}
        links = [link for link in self.knowledge.links if link.label in labels]
        used = self.names_opened(_sides((claim, *links)), opened)
        facts: set[Label] = {("definition", n) for n in used - self.knowledge.objects}
        facts |= {fact_of(premise) for premise in found.premises if premise.cost}
        independent = [label[2] for label in labels if label[0] == "independence"]
        covariances = (call("cov", z, z) for z in independent)  # a part of that fact
        used |= self.names_opened(covariances, opened)
        return Proof(claim, used, found, frozenset(facts))

    def names_opened(self, sides: Iterable[Expr], opened: Opened) -> Opened:
        """Return the names that are opened in some expressions, at any depth."""
        scope = self.knowledge.scope
        found: set[str] = set()
        todo = list(sides)
        while todo:
            for name in visible_names(todo.pop()) & (opened | scope.own) - found:
                found.add(name)
                if name == COVARIANCES:
                    todo += scope.covariances.values()
                elif (definition := scope.definition(name)) is not None:
                    todo.append(definition)
        return frozenset(found - scope.own)

    def opened_in(self, label: Label, opened: Opened) -> Opened:
        """Return the definitions that a piece of a bound contains."""
        links = (link for link in self.knowledge.links if link.label == label)
        sides = [label[1]] if label[0] == "square" else _sides(links)
        return self.names_opened(sides, opened)

    def _without_facts(self, claim: Link, proof: Proof, level: str) -> Proof:
        """Leave out one fact after the other, as long as a proof remains."""
        for fact in sorted(proof.facts, key=str):
            if fact in proof.facts:
                opened = proof.opened - set(fact[1:] if fact[0] == "definition" else ())
                found = self.attempt(claim, opened, level, proof.facts - {fact})
                proof = better(proof, found) or proof
        return proof


def _sides(links: Iterable[Link]) -> list[Expr]:
    return [side for link in links for side in (link.left, link.right)]


def _is_derivative(node: Expr) -> bool:
    """Return True for a gradient, or a derivative along θ."""
    return node.op in ("grad", "diff") or (node.op == "call" and node.data == "d")


def visible_names(node: Expr) -> set[str]:
    """Return the names of an expression, but for those inside closed derivatives."""
    if _is_derivative(node):
        return set()
    if node.op == "sym":
        return {node.data}
    found = set().union(*map(visible_names, node.args))
    return found | {COVARIANCES} if node.op == "call" and node.data == "cov" else found
