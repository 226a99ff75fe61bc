"""Lines that need not follow: definitions of the student's own, and claims."""

from __future__ import annotations

import re
from dataclasses import replace

from kernellab.grading.judging_old.facts import Statement
from kernellab.grading.judging_old.licences import Licences
from kernellab.grading.judging_old.verdicts import Passed, Rejected
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reasons import Action
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.steps import Step
from kernellab.grading.language.tree import ZERO, Expr, Relation, sym
from kernellab.grading.worlds.fields import Undecided
from kernellab.grading.worlds.instances import impose
from kernellab.grading.worlds.world import Symbol


class Introductions(Licences):
    """Handles `let` and the claims unique(a), not unique(a), invertible(K)."""

    def let_name(self, step: Step, actions: list[Action]) -> str | None:
        """The symbol that a line introduces, or None."""
        left = re.match(
            r"\s*([^\W\d_]+\d*)\s*(?:\([^()]*\)|\[\w+\]|_\{?\w\}?)?\s*=", step.relation
        )
        for action in actions:
            if action.kind == "let":
                name = action.names[0] if action.names else ""
                return name or (left.group(1) if left else "")
            words = self.problem.words(frozenset(self.symbols))
            new = left is not None and not words.knows(left.group(1))
            if action.kind == "define" and new and left is not None:
                return left.group(1)
        return None

    def let(self, number: int, step: Step, name: str) -> Passed:
        """A symbol of the student's own, or one that the problem lets be defined."""
        known = name in self.symbols
        if known and name not in self.problem.definable:
            raise Rejected(f"{name} has a meaning already; choose another name", "let")
        if known and any(
            name in s.relation.symbols() for s in self.statements if s.number
        ):
            raise Rejected(f"{name} is in use already: it cannot be defined now", "let")
        relation = self.read(step.relation, name)
        left = relation.sides[0]
        index = left.data[0] if left.op == "index" and left.args[0] == sym(name) else ""
        whole = left.args[0] if index else left
        if whole != sym(name) or relation.signs != ("=",):
            raise Rejected(f"a definition has the form {name} = …", "let")
        definition = self.definition(relation.sides[1], index)
        self.check_licences(Relation((definition,), ()), [])
        if name in definition.symbols():
            raise Rejected(f"{name} is defined by itself", "let")
        shape = definition.shape or NUMBER
        if known and shape != self.symbols[name].shape:
            raise Rejected(f"{name} has another shape", "let")
        if known:
            self.refuse_goal(name, definition)
            self.hidden |= {n for n in self.symbols if self.scene.depends(n, name)}
        self.symbols[name] = Symbol(name, shape, self.kind_of(definition), definition)
        left = Expr("sym", data=name, shape=shape)
        statement = Statement(number, Relation((left, definition), ("=",)), kind="let")
        self.statements.append(statement)
        return Passed(True)

    def definition(self, side: Expr, index: str = "") -> Expr:
        """The right side of a definition; a[n] = … defines a column by its entries."""
        relation, free = self.shaped(Relation((side,), ()))
        if index and set(free) == {index} and relation.sides[0].shape == NUMBER:
            size = free[index]
            return Expr("stack", relation.sides, (index, size), (size, "1"))
        if index:
            raise Rejected(f"an entry is a number that changes with {index}", "let")
        if free:
            raise Rejected(f"the index {next(iter(free))} is not bound", "let")
        return relation.sides[0]

    def kind_of(self, definition: Expr) -> str:
        """The kind of a symbol that the student defines."""
        randoms = {n for n, s in self.symbols.items() if s.kind == "random"}
        if randoms & definition.symbols() and not _has_call(definition, "cov"):
            return "random"
        if definition.shape == NUMBER:
            return "positive" if self.signs.positive(definition) else "any"
        if self.signs.definite(definition):
            return "pd"
        if self.signs.semidefinite(definition):
            return "psd"
        return "symmetric" if self.signs.symmetric(definition) else "any"

    def refuse_goal(self, name: str, definition: Expr) -> None:
        """A definition may not be the goal itself."""
        left = Expr("sym", data=name, shape=definition.shape)
        for route in self.problem.routes:
            goal = self.problem.parse(route.milestones[-1].relation)
            if goal.sides[0] == left and self.equal(definition, goal.sides[1]):
                raise Rejected("that is the goal: it has to be derived", "goal")

    def claim(self, node: Expr, actions: list[Action]) -> Passed:
        """unique(a), not unique(a), invertible(K)."""
        if any(action.kind == "assume" for action in actions):
            if node.op != "invertible":
                raise Rejected("only invertibility can be assumed", "reason")
            given = Action("assume", expression=node.args[0], text=str(node))
            return self.assume([given])
        negated = node.op == "not"
        inner = node.args[0] if negated else node
        if inner.op not in ("unique", "invertible"):
            raise ReadError("a line is a relation (with = or >=) or a claim")
        decide = self.is_unique if inner.op == "unique" else self.is_invertible
        truth = decide(inner.args[0])
        if truth is None:
            raise Rejected(f"I cannot decide {inner} here", "claim")
        if truth == negated:
            raise Rejected(f"{inner} is {'true' if negated else 'false'}", "claim")
        return Passed(True)

    def is_invertible(self, X: Expr) -> bool | None:
        if self.signs.regular(X):
            return True
        node = Expr("inv", (X,), shape=X.shape)
        for regime, low in self.regimes((X,)):
            try:
                self.world(regime, low, self.everything()).value(node)
            except Undecided:
                return False
        return None

    def is_unique(self, X: Expr) -> bool | None:
        """Whether X takes one value on all stationary points."""
        if not self.problem.variables:
            return True  # nothing is unknown
        if self.problem.object is None or self.hidden:
            return None
        variable = self.problem.variables[0]
        shape = self.symbols[variable].shape
        of = Expr("sym", data=variable, shape=shape)
        gradient = Expr("grad", (sym(self.problem.object), of), shape=shape)
        zero = replace(ZERO, shape=shape)
        for regime, low in self.regimes((X,)):
            world = self.world(regime, low, self.everything())
            values = []
            for _ in range(2):
                world.value(X)
                impose(world, [(gradient, zero, {})], [variable], only=True)
                values.append(world.value(X))
                world.set_atom(variable, world.draw(shape))
            same = values[0] == values[1]
            if not (same if isinstance(same, bool) else same.all()):
                return False
        return True


def _has_call(node: Expr, name: str) -> bool:
    return any(n.op == "call" and n.data == name for n in node.walk())
