"""Facts: what the reasons of a line offer, and the choices of a few of them.

A relation may open at most two facts (a problem can say otherwise). If the student
lists more, any two that suffice will do; so a superfluous reason costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

from kernellab.grading.language.reasons import Action
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr, Relation, without_factor
from kernellab.grading.worlds.world import Opened, Scene


@dataclass(frozen=True)
class Statement:
    """A relation that stands in the derivation.

    Parameters
    ----------
    number : of its line; 0 is the definition of the problem's object.
    free : its free indices and their sizes.
    kind : "object", "step", "given" or "let".
    sound : whether it stands on right lines only.
    used : the facts that were opened on the way to it, by any line.
    """

    number: int
    relation: Relation
    free: Mapping[str, str] = field(default_factory=dict)
    kind: str = "step"
    sound: bool = True
    used: tuple[Fact, ...] = ()

    @property
    def name(self) -> str | None:
        """The symbol that the line gives a value to, if it has that form."""
        left, signs = self.relation.sides[0], set(self.relation.signs)
        if self.free:
            return None  # C = alpha[i] + mu[i] gives no value to C
        return left.data if left.op == "sym" and signs == {"="} else None

    @cached_property
    def solved(self) -> tuple[str, Expr] | None:
        """The symbol that the line gives a value to, and the value; 2*J = … too."""
        if set(self.relation.signs) != {"="} or self.free:
            return None
        (symbol, factor), last = (
            without_factor(self.relation.sides[0]),
            self.relation.sides[-1],
        )
        if symbol.op != "sym" or not factor:
            return None
        if factor == 1:
            return symbol.data, last
        number = Expr("num", data=1 / factor, shape=NUMBER)
        return symbol.data, Expr("mul", (number, last), "*", last.shape)

    @cached_property
    def left(self) -> str:
        """The left side as text."""
        return str(self.relation.sides[0])

    @property
    def equations(self) -> list[tuple[Expr, Expr]]:
        """The pairs of sides that it equates."""
        sides, signs = self.relation.sides, self.relation.signs
        pairs = zip(sides, signs, sides[1:], strict=False)
        return [(one, two) for one, sign, two in pairs if sign == "="]


@dataclass(frozen=True)
class Fact:
    """One thing that a reason opens: a definition, an inverse, a line, a rule."""

    kind: str
    name: str = ""
    expression: Expr | None = None
    statement: Statement | None = None
    group: str = ""

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes it the same fact, wherever it comes from."""
        number = self.statement.number if self.statement else None
        return self.kind, self.name, self.expression, number

    @property
    def key(self) -> str:
        """Facts with the same key exclude or repeat each other."""
        if self.group:
            return self.group
        number = self.statement.number if self.statement else ""
        return f"{self.kind} {self.name or self.expression or number}"


@dataclass(frozen=True)
class Choice:
    """A selection of facts: what they open, and the lines that they cite."""

    opened: Opened
    cited: tuple[Statement, ...]
    facts: tuple[Fact, ...]


def choices(
    facts: Sequence[Fact], most: int, opened: Opened, scene: Scene
) -> Iterator[Choice]:
    """Selections of at most `most` facts, the largest first."""
    for count in range(min(most, len(facts)), -1, -1):
        for selection in combinations(facts, count):
            names = [f.key for f in selection]
            if len(set(names)) == len(names):
                yield choose(selection, opened, scene)


def choose(selection: Sequence[Fact], opened: Opened, scene: Scene) -> Choice:
    """Open these facts."""
    definitions = dict(opened.definitions)
    inverses = list(opened.inverses or ())
    cited: list[Statement] = []
    covariance = opened.covariance
    for fact in selection:
        if fact.kind == "define" and fact.expression is not None:
            definitions[fact.name] = fact.expression
        elif fact.kind == "inverse" and fact.expression is not None:
            inverses.append(fact.expression)
        elif fact.kind == "covariance":
            covariance = True
        elif fact.statement is not None:
            cited.append(fact.statement)
    result = Opened(
        definitions,
        None if opened.inverses is None else tuple(inverses),
        opened.gradient,
        opened.derivative,
        covariance,
        opened.stationary,
        opened.results,
    )
    return Choice(result, tuple(cited), tuple(selection))


def inverses_in(sides: Sequence[Expr]) -> list[Expr]:
    """The matrices whose inverse occurs, each once."""
    found: dict[str, Expr] = {}
    for side in sides:
        for node in side.walk():
            negative = node.op == "pow" and node.args[1].data < 0
            if (node.op == "inv" or negative) and node.args[0].shape != NUMBER:
                found.setdefault(str(node.args[0]), node.args[0])
    return list(found.values())


class Library:
    """Looks up what a name or a number in a reason refers to.

    Parameters
    ----------
    scene : the symbols, with their definitions.
    statements : the lines that stand so far, line 0 first.
    hidden : names whose own definition may not be used (they were defined anew).
    conditional : symbols of a conditional mean and variance, see `Problem`.
    givens : equations of the problem.
    is_residual : whether f − z is a function of what is given, for a number z.
    """

    def __init__(
        self,
        scene: Scene,
        statements: Sequence[Statement],
        hidden: frozenset[str],
        conditional: Mapping[str, str],
        givens: Sequence[Relation] = (),
        is_residual: Callable[[Expr], bool] = bool,
    ) -> None:
        self.scene = scene
        self.statements = statements
        self.hidden = hidden
        self.conditional = conditional
        self.is_residual = is_residual
        self.givens = [Statement(-2 - i, g) for i, g in enumerate(givens)]

    def definition(self, name: str) -> Fact | None:
        """The definition of a symbol, by the problem or by the student."""
        symbol = self.scene.symbols.get(name)
        if symbol is None or symbol.definition is None or name in self.hidden:
            return None
        return Fact("define", name, symbol.definition)

    def latest(self, left: str, sound: bool) -> Statement | None:
        """The latest equation whose left side reads so."""
        for statement in reversed(self.statements):
            equation = set(statement.relation.signs) == {"="}
            name = statement.solved[0] if statement.solved else ""
            same = left in (statement.left, name)
            if equation and (statement.sound or not sound) and same:
                return statement
        return None

    def containing(self, side: str, sound: bool) -> Statement | None:
        """The latest chain of equations one of whose sides reads so."""
        for statement in reversed(self.statements):
            equation = set(statement.relation.signs) == {"="}
            sides = map(str, statement.relation.sides[:-1])
            if equation and (statement.sound or not sound) and side in sides:
                return statement
        return None

    def by_name(self, name: str, sound: bool) -> list[Fact]:
        """What `substitute w` offers: a given or a line w = …, and the definition."""
        given = [g for g in self.givens if g.left == name]
        found = [Fact("line", statement=statement) for statement in given]
        line = self.latest(name, sound)
        if line is not None and line.number > 0:
            found.append(Fact("line", statement=line))
        own = self.definition(name)
        return [*found, own] if own else found

    def by_number(self, number: int) -> Statement | None:
        """The line of that number, if it stands."""
        for statement in self.statements:
            if statement.number == number and number > 0:
                return statement
        return None

    def facts(
        self,
        actions: Sequence[Action],
        relation: Relation,
        around: set[str],
        sound: bool,
    ) -> list[Fact]:
        """All that the reasons offer; `around` are the names in the line before."""
        found: list[Fact] = []
        for action in actions:
            found += self._facts(action, relation, around, sound)
        # What is offered by name counts more than the same offered in a group.
        last = sorted(reversed(found), key=lambda fact: not fact.group)
        return list({fact.identity: fact for fact in last}.values())

    def _facts(
        self, action: Action, relation: Relation, around: set[str], sound: bool
    ) -> list[Fact]:
        match action.kind:
            case "define" | "substitute" | "given":
                return self._named(action, relation, around, sound)
            case "inverse" | "cancel":
                return self._inverse(action, relation)
            case "use":
                return self._lines(action, sound)
            case "independence":
                return self._independence()
            case "covariance":
                return [Fact("covariance")] if self.scene.covariances else []
        return []

    def _named(
        self, action: Action, relation: Relation, around: set[str], sound: bool
    ) -> list[Fact]:
        names = action.names or tuple(sorted(relation.symbols() | around))
        found: list[Fact] = []
        if action.expression is not None:  # “y.T@alpha = 0”, a line
            line = self.latest(str(action.expression), sound) or self._about(
                action.expression.symbols(), sound
            )
            found += [Fact("line", statement=line)] if line else []
        for name in names:
            if action.kind == "substitute":
                found += self.by_name(name, sound)
            else:
                own = self.definition(name)
                found += [own] if own else self.by_name(name, sound)
        if action.kind == "given" and not action.names:
            found = [fact for fact in found if not self._is_own(fact)]
            found = [replace(fact, group="given") for fact in found]  # one of them
        covariances = {str(c) for c in self.scene.covariances.values()}
        if action.kind == "given" or covariances & set(names):
            found += [Fact("covariance")] if self.scene.covariances else []
        if action.kind == "given" or not action.names:
            given = self._meant(action)
            found += [Fact("line", statement=statement) for statement in given]
        return found

    def _about(self, names: set[str], sound: bool) -> Statement | None:
        """The latest equation whose left side is a formula in these symbols."""
        for statement in reversed(self.statements):
            left = statement.relation.sides[0]
            standing = statement.number > 0 and (statement.sound or not sound)
            if standing and left.op != "sym" and left.symbols() == names:
                return statement
        return None

    def _meant(self, action: Action) -> list[Statement]:
        """The givens that a reason names: all of them, or those about the same."""
        if action.expression is None:
            return self.givens
        cited = str(action.expression)
        exact = [given for given in self.givens if given.left == cited]
        names = action.expression.symbols()
        alike = [g for g in self.givens if g.relation.sides[0].symbols() == names]
        return exact or alike

    def _is_own(self, fact: Fact) -> bool:
        """Whether a definition is the student's; nobody gave it."""
        lets = {s.name for s in self.statements if s.kind == "let"}
        return fact.name in lets

    def _inverse(self, action: Action, relation: Relation) -> list[Fact]:
        if action.expression is not None:
            return [Fact("inverse", expression=action.expression)]
        if action.kind == "cancel":
            return []
        names = relation.symbols() & set(self.scene.symbols)
        within = [self.scene.symbols[name].definition for name in sorted(names)]
        sides = relation.sides + tuple(side for side in within if side is not None)
        return [Fact("inverse", expression=X) for X in inverses_in(sides)]

    def _lines(self, action: Action, sound: bool) -> list[Fact]:
        found: list[Fact] = []
        for number in action.lines:
            line = self.by_number(number)
            if line is not None and (line.sound or not sound):
                found.append(Fact("line", statement=line))
        return found

    def _independence(self) -> list[Fact]:
        """Once cov(z, y) = 0 stands: the mean is f − z, the variance cov(z, z)."""
        if not self.conditional:
            return []
        of, given = self.conditional["of"], self.conditional["given"]
        found: list[Fact] = []
        for statement in self.statements:
            z = _uncorrelated(statement, given)
            if z is not None and self.is_residual(z):
                found += self._conditional(z, of)
        return found

    def _conditional(self, z: Expr, of: str) -> list[Fact]:
        f = Expr("sym", data=of, shape=NUMBER)
        mean = Expr("sub", (f, z), shape=NUMBER)
        variance = Expr("call", (z, z), "cov", NUMBER)
        return [
            Fact("define", self.conditional["mean"], mean),
            Fact("define", self.conditional["variance"], variance),
        ]


def _uncorrelated(statement: Statement, given: str) -> Expr | None:
    """z, if the line says cov(z, y) = 0 or cov(y, z) = 0."""
    sides, signs = statement.relation.sides, statement.relation.signs
    last = sides[-1]
    if set(signs) != {"="} or last.op != "num" or last.data != 0 or not statement.sound:
        return None
    first = sides[0]
    if first.op != "call" or first.data != "cov":
        return None
    one, two = first.args
    if one.op == "sym" and one.data == given and two.shape == NUMBER:
        return two
    if two.op == "sym" and two.data == given and one.shape == NUMBER:
        return one
    return None
