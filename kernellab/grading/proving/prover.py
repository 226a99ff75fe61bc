"""The prover: finds from which facts a line follows, the fewest first.

A claim left = right is tried with few facts first: as an identity, from the line
before, with inverses; then with definitions opened, and with all that is known. What
is found is made as small as it can be, so that its cost says how large the step is.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.bounds import prove_bound
from kernellab.grading.proving.entailment import (
    ROWS,
    Budget,
    Combination,
    combination,
)
from kernellab.grading.proving.facts import (
    atoms_in,
    axes,
    gradient_facts,
    independence_facts,
    inverse_facts,
    link_premise,
    slope_facts,
)
from kernellab.grading.proving.indirect import indirect, two_bounds
from kernellab.grading.proving.knowledge import Knowledge, Link
from kernellab.grading.proving.matching import Label, Premise
from kernellab.grading.proving.memory import Memory
from kernellab.grading.proving.networks import (
    Algebra,
    Poly,
    TooLarge,
    Untranslatable,
)
from kernellab.grading.proving.proofs import Proof, counted, fact_of
from kernellab.grading.proving.signs import Signs
from kernellab.grading.proving.translation import (
    COVARIANCES,
    Translator,
    inverse,
)

SECONDS = 3.0  # the last resort; what is decided must not depend on the clock
MOST_ROWS = 1500  # of all attempts at one claim


@dataclass
class Prover:
    """Searches proofs in what is known at one line.

    Parameters
    ----------
    memory : what has been translated before.
    knowledge : what stands.
    seconds : how long one claim may take.
    """

    memory: Memory
    knowledge: Knowledge
    seconds: float = SECONDS
    end: float = 0.0
    rows: int = MOST_ROWS
    tried: dict[object, Combination | None] = field(default_factory=dict)

    @property
    def algebra(self) -> Algebra:
        return self.memory.algebra

    # Polynomials under opened definitions

    def translator(self, opened: frozenset[str]) -> Translator:
        return self.memory.translator(opened)

    def poly(self, claim: Link, opened: frozenset[str]) -> Poly:
        t = self.translator(opened)
        return self.algebra.subtract(t(claim.left), t(claim.right))

    def signs(self, opened: frozenset[str]) -> Signs:
        t = self.translator(opened)
        found = Signs(t)
        known = [found.poly(X) for X in self.knowledge.invertible]
        found.regular = [poly for poly in known if poly]
        return found

    # The search

    def prove(self, claim: Link, most: int) -> Proof | None:
        """Return a proof of a relation; one of cost ≤ `most`, if there is one."""
        self.end = time.process_time() + self.seconds
        self.tried = {}
        self.rows = MOST_ROWS
        if claim.sign != "=":
            return prove_bound(self, claim, most)
        try:
            return self._found(claim, most)
        except (Untranslatable, TooLarge):
            return None

    def _found(self, claim: Link, most: int) -> Proof | None:
        best: Proof | None = None
        for opened, level in self._attempts(claim):
            found = self.attempt(claim, opened, level)
            if found is not None and found.cost > 1:
                found = self._smallest(claim, found, most, level)
            best = self._better(best, found)
            if best is not None and best.cost <= most:
                return best
        turned = indirect(self, claim, most) or two_bounds(self, claim, most)
        if turned is not None and turned.cost <= most:
            return turned
        whole = self.attempt(claim, self.definable(claim), "all")
        if whole is None:
            whole = self._one_definition(claim)
        if whole is not None:
            best = self._better(best, self._smallest(claim, whole, most, "all"))
        return best

    def _attempts(self, claim: Link) -> Iterator[tuple[frozenset[str], str]]:
        """Yield what to open and what to use, the cheapest first."""
        none: frozenset[str] = frozenset()
        free = self.knowledge.objects & self.definable(claim)
        few = list(dict.fromkeys((none, free)))
        derived = self._has_derivative(claim)
        levels = ["before", "inverses", *(["facts"] if derived else [])]
        yield from ((opened, level) for level in levels for opened in few)
        near = free | self._near(claim)
        yield near, "inverses"
        if any(link.label[0] == "given" for link in self.knowledge.links):
            yield from ((opened, "givens") for opened in dict.fromkeys((*few, near)))
        yield from ((opened, "lines") for opened in dict.fromkeys((*few, near)))
        yield from ((opened, "all") for opened in few)

    def _has_derivative(self, claim: Link) -> bool:
        """Return True if a gradient, or a derivative along θ, stands in the claim."""
        return any(
            n.op in ("grad", "diff") or (n.op == "call" and n.data == "d")
            for side in (claim.left, claim.right)
            for n in side.walk()
        )

    def _near(self, claim: Link) -> frozenset[str]:
        """Return the definitions in this line and in the one before."""
        names = claim.left.symbols() | claim.right.symbols()
        for link in self.knowledge.links:
            if link.before:
                names |= link.left.symbols() | link.right.symbols()
        opened = self.definable(claim)
        return frozenset(names & opened) | (opened & {COVARIANCES})

    def _better(self, one: Proof | None, two: Proof | None) -> Proof | None:
        if one is None or two is None:
            return one or two
        return two if two.cost < one.cost else one

    def _one_definition(self, claim: Link) -> Proof | None:
        """Try each definition by itself, if all together are too many."""
        free = self.knowledge.objects & self.definable(claim)
        for name in sorted(self.definable(claim) - free):
            found = self.attempt(claim, free | {name}, "all")
            if found is not None:
                return found
        return None

    def definable(self, claim: Link) -> frozenset[str]:
        """Return the names that could be opened."""
        scope = self.knowledge.scope
        names = set().union(*(s.symbols() for s in (claim.left, claim.right)))
        for link in self.knowledge.links:
            names |= link.left.symbols() | link.right.symbols()
        names |= {below for name in names for below in scope.below(name)}
        varied = _variables(claim.left) | _variables(claim.right)
        found = {n for n in names if scope.definition(n) is not None} - varied
        if scope.covariances:
            found.add(COVARIANCES)
        return frozenset(found - scope.own)

    def attempt(
        self,
        claim: Link,
        opened: frozenset[str],
        level: str,
        only: frozenset[Label] | None = None,
    ) -> Proof | None:
        """Try one set of opened definitions with the premises of a level."""
        if time.process_time() > self.end or self.rows <= 0:
            return None
        try:
            target = self.poly(claim, opened)
            premises = self.premises(target, opened, level)
        except (Untranslatable, TooLarge):
            return None
        if only is not None:
            premises = [p for p in premises if _allowed(p, only)]
        key = (frozenset(target.items()), frozenset(id_of(p, opened) for p in premises))
        if key not in self.tried:
            sides = axes(self.translator(opened), claim)
            budget = Budget(min(self.rows, ROWS), self.end)
            self.tried[key] = combination(self.algebra, target, sides, premises, budget)
            self.rows -= budget.used
        found = self.tried[key]
        return None if found is None else self.proof(claim, opened, found)

    def premises(
        self, target: Poly, opened: frozenset[str], level: str
    ) -> list[Premise]:
        """Return the premises of a level; each adds to the one before it.

        "before": the line before; "inverses"; "givens"; "lines": all lines, or "facts":
        derivatives and independence; "all".
        """
        t = self.translator(opened)
        known = (*self.knowledge.links, *self.knowledge.chains)
        equations = [k for k in known if k.sign == "="]
        if level == "givens":
            equations = [k for k in equations if k.before or k.label[0] == "given"]
        elif level not in ("lines", "all"):
            equations = [k for k in equations if k.before]
        found = [
            p for link in equations
            if not opened & (_variables(link.left) | _variables(link.right))
            and (p := self._link(t, link)) is not None
        ]  # fmt: skip
        found += self._defined(t, target, opened)
        if level == "before":
            return found + self._free(t, [target, *(p.poly for p in found)])
        atoms = atoms_in(self.algebra, [target, *(p.poly for p in found)])
        if level not in ("inverses", "givens", "lines"):
            found += independence_facts(t, self.knowledge)
            found += self._derivatives(t, target, found)
            atoms = atoms_in(self.algebra, [target, *(p.poly for p in found)])
        found += inverse_facts(self.algebra, atoms)
        return found + self._congruences(t, target, found)

    def _derivatives(
        self, t: Translator, target: Poly, found: list[Premise]
    ) -> list[Premise]:
        """Return what gradients and slopes are, also those inside of others."""
        known: dict[Label, Premise] = {}
        target = self.algebra.add(target, *self._stationary(t))
        for _ in range(2):
            polys = [target, *(p.poly for p in (*found, *known.values()))]
            atoms = atoms_in(self.algebra, polys)
            new = [
                *gradient_facts(t, self.knowledge, atoms, self.memory.gradients),
                *slope_facts(t, self.knowledge, atoms),
            ]
            known |= {p.label: p for p in new}
        return list(known.values())

    def _defined(
        self, t: Translator, target: Poly, opened: frozenset[str]
    ) -> list[Premise]:
        """Return w = Φᵀa where a gradient by w stands, so that w cannot be opened."""
        scope, found = self.knowledge.scope, []
        atoms = (self.algebra.atoms[a] for a in atoms_in(self.algebra, [target]))
        for name in sorted({a.data[1] for a in atoms if a.kind == "grad"} - opened):
            definition = scope.definition(name)
            if definition is not None and name not in scope.own:
                own = Expr("sym", data=name, shape=definition.shape)
                link = Link(("definition", name), own, "=", definition)
                found.append(link_premise(t, link))
        return found

    def _stationary(self, t: Translator) -> list[Poly]:
        """Return the gradients that vanish, so that facts about them are found."""
        name = self.knowledge.object
        if name is None:
            return []
        symbols = self.knowledge.scope.symbols
        of = Expr("sym", data=name, shape=symbols[name].shape)
        found = []
        for variable in sorted(self.knowledge.stationary - t.opened):
            by = Expr("sym", data=variable, shape=symbols[variable].shape)
            found.append(t(Expr("grad", (of, by), None, by.shape)))
        return found

    def _link(self, t: Translator, link: Link) -> Premise | None:
        """Return a link as a premise; what a definition does not touch is kept."""
        memory = self.memory
        if link.label not in memory.names:
            names = link.left.symbols() | link.right.symbols()
            below = {n for name in names for n in self.knowledge.scope.below(name)}
            memory.names[link.label] = frozenset(names | below | {COVARIANCES})
        key = (link.label, t.opened & memory.names[link.label])
        if key not in memory.links:
            try:
                premise = link_premise(t, link)
                memory.links[key] = premise.poly, premise.axes
            except (Untranslatable, TooLarge):
                memory.links[key] = None
        known = memory.links[key]
        return known and Premise(link.label, *known, int(not link.before), link.fact)

    def _free(self, t: Translator, polys: Sequence[Poly]) -> list[Premise]:
        atoms = atoms_in(self.algebra, polys)
        facts = inverse_facts(
            self.algebra, (a for a in atoms if self.algebra.kind(a) == "power")
        )
        return facts

    def _congruences(
        self, t: Translator, target: Poly, premises: list[Premise]
    ) -> list[Premise]:
        """Return f(p) = f(q) for functions of equal arguments."""
        own = atoms_in(self.algebra, [target])
        near = [p.poly for p in premises if p.cost == 0]
        atoms = sorted(own | atoms_in(self.algebra, near))
        known = [self.algebra.atoms[a] for a in atoms]
        found = []
        for one, two in combinations(known, 2):
            if one.id not in own and two.id not in own:
                continue
            if one.kind != two.kind or one.sizes != two.sizes:
                continue
            if one.kind not in ("function", "inverse", "power", "det") or (
                one.kind == "function" and one.data[0] != two.data[0]
            ):
                continue
            premise = self._equal(one.id, two.id, premises)
            if premise is not None:
                found.append(premise)
        return found

    def _equal(self, one: int, two: int, premises: list[Premise]) -> Premise | None:
        algebra = self.algebra
        a, b = algebra.atoms[one], algebra.atoms[two]
        assert a.inner is not None
        assert b.inner is not None
        difference = algebra.subtract(a.inner, b.inner)
        sides = {i: "" for i in algebra.free(difference)}
        why = combination(algebra, difference, sides, premises, Budget(60, self.end))
        if why is None:
            return None
        indices = tuple((-1, -2)[: len(a.sizes)])
        poly = algebra.subtract(
            algebra.single(one, indices), algebra.single(two, indices)
        )
        label = ("equal", one, two, why)
        return Premise(label, poly, dict(zip(indices, a.sizes, strict=True)), 0)

    def cancelled_fact(self, X: Expr) -> Label:
        """Return the fact that X can be cancelled: its inverse, if that occurs."""
        t = self.translator(frozenset())
        try:
            (((_, nets), _),) = inverse(t, X).items()
            return ("inverse", nets[0][0][0])
        except (Untranslatable, TooLarge, ValueError, IndexError, AssertionError):
            return ("cancel", str(X))

    # The size of a proof

    def proof(self, claim: Link, opened: frozenset[str], found: Combination) -> Proof:
        used = self.opened_by(claim, opened, found)
        facts: set[Label] = {("definition", n) for n in used - self.knowledge.objects}
        facts |= set(counted(found))
        return Proof(claim, used, found, frozenset(facts))

    def opened_by(
        self, claim: Link, opened: frozenset[str], found: Combination
    ) -> frozenset[str]:
        """Return the definitions that the claim and the premises in use contain."""
        sides = [claim.left, claim.right]
        labels = {p.label for p in found.premises}
        for link in self.knowledge.links:
            if link.label in labels:
                sides += [link.left, link.right]
        return self.names_opened(sides, opened)

    def names_opened(
        self, sides: Iterable[Expr], opened: frozenset[str]
    ) -> frozenset[str]:
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

    def opened_in(self, label: Label, opened: frozenset[str]) -> set[str]:
        """Return the definitions that a piece of a bound contains."""
        sides = [label[1]] if label[0] == "square" else []
        for link in self.knowledge.links:
            if link.label == label:
                sides += [link.left, link.right]
        return set(self.names_opened(sides, opened))

    def _smallest(self, claim: Link, whole: Proof, most: int, level: str) -> Proof:
        """Return a proof of at most `most` facts, or else one with few."""
        free = whole.opened & self.knowledge.objects
        names = sorted(whole.opened - free)
        for count in range(min(most, len(names) - 1) + 1):
            for chosen in combinations(names, count):
                opened = free | frozenset(chosen)
                found = self.attempt(claim, opened, level, whole.facts)
                if free and found is None:
                    found = self.attempt(claim, opened - free, level, whole.facts)
                if found is not None and found.cost > most:
                    found = self._without_facts(claim, found, level)
                if found is not None and found.cost <= most:
                    return found
        return self._without_facts(claim, whole, level)

    def _without_facts(self, claim: Link, proof: Proof, level: str) -> Proof:
        """Leave out one fact after the other, as long as a proof remains."""
        for fact in sorted(proof.facts, key=str):
            if fact in proof.facts:
                opened = proof.opened - set(fact[1:] if fact[0] == "definition" else ())
                found = self.attempt(claim, opened, level, proof.facts - {fact})
                proof = self._better(proof, found) or proof
        return proof


def _variables(node: Expr) -> set[str]:
    """Return the symbols by which a gradient is taken: they cannot be opened there."""
    grads = (n.args[1] for n in node.walk() if n.op in ("grad", "diff"))
    return {(v.args[0] if v.op == "index" else v).data for v in grads}


def visible_names(node: Expr) -> set[str]:
    """Return the names of an expression, but for those inside closed derivatives."""
    if node.op in ("grad", "diff") or (node.op == "call" and node.data == "d"):
        return set()
    if node.op == "sym":
        return {node.data}
    found = set().union(*map(visible_names, node.args))
    return found | {COVARIANCES} if node.op == "call" and node.data == "cov" else found


def id_of(premise: Premise, opened: frozenset[str]) -> tuple[Label, object]:
    """Return what tells premises apart, under different opened definitions."""
    match premise.label[0]:
        case "line" | "given" | "chain":
            return premise.label, id(premise.poly)  # which is kept in memory
        case "inverse" | "reciprocal" | "stationary":
            return premise.label, None
    return premise.label[:3], opened


def _allowed(premise: Premise, only: frozenset[Label]) -> bool:
    """Return True if a premise is free, or is named; inverses stand for each other."""
    fact = fact_of(premise)
    if fact[0] == "inverse":
        return any(label[0] == "inverse" for label in only)
    return premise.cost == 0 or fact in only
