"""The judge: does each line follow, by its reasons, from what stands before it?"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernellab.grading.facts import (
    Choice,
    Fact,
    Library,
    Statement,
    choices,
    choose,
)
from kernellab.grading.fields import (
    Array,
    Modular,
    OutOfTime,
    Undecided,
    fresh_field,
    solutions,
)
from kernellab.grading.instances import Equation, holds, impose, residual
from kernellab.grading.lexer import ReadError
from kernellab.grading.problem import Problem
from kernellab.grading.reader import read
from kernellab.grading.reasons import Action, ReasonReader, is_free
from kernellab.grading.shapes import NUMBER, ShapeError, elaborate
from kernellab.grading.signs import Signs
from kernellab.grading.steps import Step
from kernellab.grading.tree import ZERO, Expr, Relation, expanded, is_zero, sym
from kernellab.grading.worlds import Opened, Scene, Symbol, World

MAX_WORK = 80_000
RETRIES = 40
MAX_SIDES = 12


class Rejected(Exception):
    """A line does not pass; the message says why, `about` what kind of slip it is."""

    def __init__(self, message: str, about: str) -> None:
        super().__init__(message)
        self.about = about


@dataclass(frozen=True)
class Passed:
    """A line passes: whether on sound lines only, and by which facts."""

    sound: bool
    used: tuple[Fact, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Pair:
    """One relation of a line: left, sign, right, and its free indices."""

    left: Expr
    sign: str
    right: Expr
    free: dict[str, str]

    @property
    def relation(self) -> Relation:
        return Relation((self.left, self.right), (self.sign,))

    @property
    def equation(self) -> Equation:
        return self.left, self.right, self.free


class Judge:
    """Judges the lines of one derivation, one after the other.

    Parameters
    ----------
    problem : what is given.
    rng : where the prime and the instances come from.
    seconds : how long it may take in all.
    """

    def __init__(self, problem: Problem, rng: random.Random, seconds: float = 4.0) -> None:
        self.problem = problem
        self.rng = rng
        self.end = time.monotonic() + seconds
        self.symbols: dict[str, Symbol] = dict(problem.table)
        self.hidden: frozenset[str] = frozenset()
        self.invertible: tuple[Expr, ...] = ()
        self.statements: list[Statement] = []
        self.exponential = problem.uses_exp
        self.field: Modular = fresh_field(rng, self.exponential)
        for relation in reversed(problem.first):
            self.statements.append(Statement(0, relation, kind="object"))

    # What the line may speak of

    @property
    def scene(self) -> Scene:
        return replace(self.problem.scene, symbols=self.symbols)

    @property
    def signs(self) -> Signs:
        return Signs(self.symbols, self.invertible)

    @property
    def library(self) -> Library:
        return Library(
            self.scene,
            self.statements,
            self.hidden,
            self.problem.conditional,
            self.problem.equations,
        )

    def read(self, text: str, extra: str | None = None) -> Relation:
        """Read a relation, without its shapes; `extra` is a name that it introduces."""
        names = frozenset(self.symbols) | ({extra} if extra else frozenset())
        one_based = bool(re.search(r"_\{?[1-9]", text)) and not re.search(r"_\{?0", text)
        relation = read(text, self.problem.words(names), one_based)
        self.check_functions(relation)
        work = sum(_work(side) for side in relation.sides)
        if work > MAX_WORK or len(relation.sides) > MAX_SIDES:
            raise ReadError("this line is too large; split it")
        return relation

    def check_functions(self, relation: Relation) -> None:
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

    def reasons(self, text: str) -> list[Action]:
        """The actions that the words behind the bar stand for."""
        names = frozenset(self.symbols)
        reader = ReasonReader(names, lambda t: self.shaped(self.read(t))[0])
        return reader.actions(text)

    # One line

    def judge(self, number: int, step: Step) -> Passed:
        """Judge a line and let it stand; raises `Rejected`, which the caller reports."""
        if step.wordy:
            return Passed(True)
        actions = self.reasons(step.reasons)
        if not step.relation:
            return self.assume(actions)
        name = self.let_name(step, actions)
        if name is not None:
            return self.let(number, step, name)
        relation, free = self.relation(step)
        if not relation.signs:
            return self.claim(relation.sides[0], actions)
        return self.step(number, step, relation, free, actions)

    def relation(self, step: Step) -> tuple[Relation, dict[str, str]]:
        """The relation of a line; one that starts with a sign continues the last."""
        if not step.continues:
            return self.shaped(self.read(step.relation))
        before = self.before(sound=False)
        if before is None:
            raise ReadError("there is no line before that this one could continue")
        sign, rest = re.match(r"\s*&?\s*(=|>=|<=|≥|≤|\\\w+)(.*)", step.relation).groups()  # type: ignore[union-attr]
        spelt = ">=" if sign in (">=", "≥", r"\ge", r"\geq") else "<="
        right = self.read(rest)
        sides = (before.relation.sides[-1], *right.sides)
        signs = ("=" if sign == "=" else spelt, *right.signs)
        if len(before.relation.sides) + len(right.sides) > 4 * MAX_SIDES:
            raise ReadError("this chain is too long; start a new one")
        relation, free = self.shaped(Relation(sides, signs))
        return relation, {**before.free, **free}

    def step(
        self,
        number: int,
        step: Step,
        relation: Relation,
        free: dict[str, str],
        actions: list[Action],
    ) -> Passed:
        """A line that must follow."""
        before = self.before(sound=False) if step.continues else None
        whole = _joined(before.relation, relation) if before else relation
        given = any(action.kind in ("given", "define") for action in actions)
        kind = "given" if given and not before else "step"
        statement = Statement(number, whole, free, kind)
        try:
            passed = self.follows(relation, free, actions, before)
        except Rejected:
            self.statements.append(replace(statement, sound=False))
            raise
        sound = passed.sound and (before is None or before.sound)
        self.statements.append(replace(statement, sound=sound, used=passed.used))
        return replace(passed, sound=sound)

    def follows(
        self,
        relation: Relation,
        free: dict[str, str],
        actions: list[Action],
        before: Statement | None = None,
    ) -> Passed:
        """Every relation of the chain must follow; earlier ones may be used."""
        for action in actions:
            if action.kind == "assume":
                self.assume([action])
        self.check_reasons(actions)
        self.check_licences(relation, actions)
        sound, used, chain = True, (), []
        sides, signs = relation.sides, relation.signs
        if before is not None:
            chain.append(before)
        for left, sign, right in zip(sides, signs, sides[1:], strict=False):
            passed = self.pair(Pair(left, sign, right, free), actions, chain)
            sound, used = sound and passed.sound, used + passed.used
            link = Relation((left, right), (sign,))
            chain.append(Statement(-1, link, free, used=used))
        return Passed(sound, used)

    # Reasons and licences

    def check_reasons(self, actions: list[Action]) -> None:
        """Reasons that point nowhere are asked back."""
        for action in actions:
            for number in action.lines:
                if self.library.by_number(number) is None:
                    raise Rejected(
                        f"“{action.text}”: there is no line {number} above that could "
                        "be used",
                        "reason",
                    )
            if action.kind == "sufficient" and not self.problem.sufficient:
                raise Rejected(
                    "in this problem a line has to follow from the one before; a "
                    "sufficient condition is not enough",
                    "reason",
                )
            if action.kind == "unknown" and not is_free(action) and not _sentence(action):
                raise Rejected(f"I do not know the reason “{action.text}”", "reason")

    def check_licences(self, relation: Relation, actions: list[Action]) -> None:
        """What is inverted must have an inverse, what divides must not be 0."""
        for side in relation.sides:
            for node in side.walk():
                self.check_licence(node)
        for action in actions:
            X = action.expression
            if action.kind in ("inverse", "cancel") and X is not None:
                self.need_regular(X, "cancelled" if action.kind == "cancel" else "inverted")

    def check_licence(self, node: Expr) -> None:
        if node.op == "inv" or (node.op == "pow" and node.args[1].data < 0):
            self.need_regular(node.args[0], "inverted")
        elif node.op == "div":
            self.need_regular(node.args[1], "divided by")

    def need_regular(self, X: Expr, how: str) -> None:
        if X.shape and X.shape[0] != X.shape[1]:
            raise Rejected(f"{X} is not square: it cannot be {how}", "licence")
        if not self.signs.regular(X):
            what = "may be 0" if X.shape == NUMBER else "may be singular"
            advice = (
                "; assume that it is invertible and say so, or find another way"
                if str(X) in self.problem.assumable else ""
            )  # fmt: skip
            raise Rejected(f"{X} {what}: it cannot be {how}{advice}", "licence")

    # Lines of other kinds

    def assume(self, actions: list[Action]) -> Passed:
        """The only assumptions are those that the problem allows."""
        for action in actions:
            if action.kind != "assume":
                continue
            X = action.expression
            allowed = self.problem.assumable
            if X is not None and X.op == "invertible":
                X = X.args[0]
            if X is not None and self.signs.regular(X):
                continue
            if X is None or str(X) not in allowed:
                names = " or ".join(allowed)
                may = f"you may assume that {names} is invertible" if names else (
                    "this problem needs no assumption"
                )
                raise Rejected(f"“{action.text}” cannot be assumed here: {may}", "reason")
            if str(X) not in map(str, self.invertible):
                definition = self.symbols[str(X)].definition
                more = (X,) if definition is None else (X, definition)
                self.invertible += more
        return Passed(True)

    def let_name(self, step: Step, actions: list[Action]) -> str | None:
        """The symbol that a line introduces, or None."""
        left = re.match(r"\s*([^\W\d_]\w*)\s*(?:\([^()]*\))?\s*=", step.relation)
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
        if relation.sides[0] != sym(name) or relation.signs != ("=",):
            raise Rejected(f"a definition has the form {name} = …", "let")
        definition = self.definition(relation.sides[1])
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

    def definition(self, side: Expr) -> Expr:
        relation, free = self.shaped(Relation((side,), ()))
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

    def equal(self, one: Expr, two: Expr) -> bool:
        """Whether two expressions are the same number or matrix, with all opened."""
        try:
            return all(
                holds(self.world(regime, low, self.everything()), (one, two, {}))
                for regime, low in self.regimes((one, two))
            )
        except Undecided:
            return False

    def everything(self, **more: object) -> Opened:
        """All definitions and inverses opened: the problem as it is."""
        names = {
            n: s.definition
            for n, s in self.symbols.items()
            if s.definition is not None and n not in self.hidden
        }
        opened = Opened(names, None, True, True, True)
        return replace(opened, **more)  # type: ignore[arg-type]

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

    # One relation

    def before(self, sound: bool, skip: tuple[str, ...] = ("let",)) -> Statement | None:
        """The line before: the last one that is a step, or the object's definition."""
        for statement in reversed(self.statements):
            if statement.kind not in skip and (statement.sound or not sound):
                return statement
        return None

    def pair(
        self, pair: Pair, actions: list[Action], chain: Sequence[Statement]
    ) -> Passed:
        """Whether one relation follows, first from sound lines, then from any."""
        if pair.sign != "=":
            return self.inequality(pair, actions, chain)
        for sound in (True, False):
            found = self.derivation(pair, actions, chain, sound)
            if found is not None:
                return Passed(all(s.sound for s in found.cited), _used(found))
        raise Rejected("this line does not follow", "follow")

    def derivation(
        self, pair: Pair, actions: list[Action], chain: Sequence[Statement], sound: bool
    ) -> Choice | None:
        """The first choice of facts and lines from which the relation follows."""
        around = self.before(sound)
        names = around.relation.symbols() if around else set()
        facts = self.library.facts(actions, pair.relation, names, sound)
        factors = [a.expression for a in actions if a.kind == "multiply"]
        labelled = any(not is_free(a) and a.kind != "unknown" for a in actions)
        bases = self.bases(pair, actions, chain, sound)
        for opened, cost in self.flags(actions, pair):
            room = self.problem.max_facts - cost
            for choice in choices(facts, room, opened, self.scene):
                spare = room - len(choice.facts)
                chosen = [f.expression for f in choice.facts if f.kind == "inverse"]
                named = [X for X in chosen + factors if X is not None]
                for base in bases:
                    full = replace(choice, cited=choice.cited + base)
                    short = self.shortened(pair, base)
                    if short and self.tries(short, choice, (), labelled, spare, named):
                        return full
                    if self.tries(pair, full, base, labelled, spare, named):
                        return full
        if any(action.kind == "sufficient" for action in actions):
            return self.suffices(pair, actions, facts, sound)
        return None

    def shortened(self, pair: Pair, base: tuple[Statement, ...]) -> Pair | None:
        """X = A stands and X = B is to be shown: then it is enough that A = B."""
        if len(base) != 1 or set(base[0].relation.signs) != {"="}:
            return None
        sides = base[0].relation.sides
        if str(pair.left) == str(sides[0]):
            return Pair(sides[-1], "=", pair.right, {**base[0].free, **pair.free})
        return None

    def flags(self, actions: list[Action], pair: Pair) -> Iterator[tuple[Opened, int]]:
        """What “gradient” and “set to zero” open, each as one more fact."""
        kinds = {action.kind for action in actions}
        yield Opened(), 0
        if "gradient" in kinds:
            yield Opened(gradient=True, derivative=True), 1
        if "zero" in kinds:
            for variable in self.stationary(actions, pair):
                zero = frozenset({variable})
                yield Opened(stationary=zero), 1
                if "gradient" in kinds:
                    yield Opened(gradient=True, derivative=True, stationary=zero), 2

    def stationary(self, actions: list[Action], pair: Pair) -> list[str]:
        """By which variable the gradient is zero: the one named, or any allowed."""
        named = [n for a in actions if a.kind == "zero" for n in a.names]
        named = [n for n in named if n in self.problem.variables]
        return named or list(self.problem.variables)

    def bases(
        self, pair: Pair, actions: list[Action], chain: Sequence[Statement], sound: bool
    ) -> list[tuple[Statement, ...]]:
        """The lines that count as cited without being named, one choice after another."""
        options: list[tuple[Statement, ...]] = [()]

        def offer(*statements: Statement | None) -> None:
            kept = tuple(s for s in statements if s is not None)
            if kept and kept not in options:
                options.append(kept)

        if chain:
            offer(*chain)
            offer(chain[-1])
        offer(self.library.latest(str(pair.left), sound))
        for statement in self.statements:
            if statement.kind == "object" and statement.left == str(pair.left):
                offer(statement)
        before = self.before(sound)
        offer(before)
        kinds = {action.kind for action in actions}
        if "gradient" in kinds and self.problem.object:
            offer(self.library.latest(self.problem.object, sound))
        if "zero" in kinds:
            for statement in self.gradient_lines(sound):
                offer(statement)
        offer(self.before(sound, ("let", "given")))
        return options

    def gradient_lines(self, sound: bool) -> list[Statement]:
        """The latest line about the gradient by each variable."""
        found: dict[str, Statement] = {}
        for statement in self.statements:
            if statement.sound or not sound:
                for variable in self.gradients(statement.relation):
                    found[variable] = statement
        return list(found.values())

    def gradients(self, relation: Relation) -> set[str]:
        """The variables by which a relation differentiates the object."""
        found = set()
        for side in relation.sides:
            for node in side.walk():
                if node.op in ("grad", "diff") and node.args[0] == sym(
                    self.problem.object or ""
                ):
                    variable = node.args[1]
                    found.add(str(variable.args[0] if variable.args else variable))
        return found

    # Worlds

    def regimes(self, sides: Sequence[Expr]) -> list[tuple[dict[str, int], bool]]:
        """The sizes to try, and whether an opaque psd matrix is singular there."""
        grow = min(max(max(map(_degree, sides)) - 5, 0), 3)
        found = []
        for number, regime in enumerate(self.problem.regimes):
            sizes = {name: size + grow for name, size in regime.items()}
            low = number == 0
            if low and self.invertible and self.problem.assumable:
                continue
            found.append((sizes, low))
        return found

    def world(self, sizes: dict[str, int], low: bool, opened: Opened) -> World:
        """A random world."""
        if time.monotonic() > self.end:
            raise OutOfTime
        return World(self.scene, self.field, sizes, opened, self.rng, low, self.end)

    def tries(
        self,
        pair: Pair,
        choice: Choice,
        base: tuple[Statement, ...],
        labelled: bool,
        spare: int,
        named: Sequence[Expr],
    ) -> bool:
        """Whether the relation holds wherever the chosen facts do.

        An equation between opaque objects may have no solutions to draw from, although
        it was rightly proved; then the facts that proved it are opened as well.
        """
        verdict: bool | None = None
        if choice.cited and self.as_stated(pair, choice, rewrite=True):
            return True
        if choice.cited and self.proportional(pair, *self.cited(choice)):
            return True
        inherited = _inherit(choice, base, self.problem.table, self.scene)
        for attempt in (choice, *inherited):
            verdict = self.as_stated(pair, attempt)
            if verdict is not None:
                break
        if not verdict:
            return False
        implicit = self.cited(replace(attempt, cited=base))[1]
        opened, equations = self.cited(attempt)
        if equations and not self.true_too(pair, attempt):
            return False
        if not implicit or self.proportional(pair, opened, equations):
            return True
        if not labelled:
            return False
        return spare > 0 or self.explained(pair, opened, equations, named)

    def true_too(self, pair: Pair, choice: Choice) -> bool:
        """Whether it also holds in the problem as it is, with everything opened.

        Equations between opaque objects may have solutions that the true objects have
        not, such as a = 0; there a false line could hold.
        """
        if not all(statement.sound for statement in choice.cited):
            return True  # it rests on a false line: then nothing is true
        whole = self.everything(stationary=choice.opened.stationary)
        free = {n: d for n, d in whole.definitions.items() if n != self.problem.object}
        mine = {**free, **choice.opened.definitions}
        return bool(
            self.as_stated(pair, replace(choice, opened=replace(whole, definitions=mine)))
        )

    def as_stated(
        self, pair: Pair, choice: Choice, rewrite: bool = False
    ) -> bool | None:
        """Whether the relation holds; None if the cited lines cannot be imposed."""
        opened, equations = self.cited(choice, rewrite)
        if rewrite and (equations or not opened.results):
            return None
        if not equations and _hopeless(pair, opened):
            return False
        try:
            return all(
                self.decided(pair, opened, equations, sizes, low)
                for sizes, low in self.regimes((pair.left, pair.right))
            )
        except Undecided:
            return None

    def decided(
        self,
        pair: Pair,
        opened: Opened,
        equations: list[Equation],
        sizes: dict[str, int],
        low: bool,
    ) -> bool:
        """Whether the relation holds in one world; a world without a value is redrawn."""
        for attempt in range(RETRIES):
            try:
                world = self.world(sizes, low, opened)
                residual(world, pair.equation)
                if equations:
                    self.prepare(world, equations)
                    impose(world, equations, self.problem.unknowns)
                    self.refuse_trivial(world, equations)
                return holds(world, pair.equation)
            except Undecided as why:
                if "negative" not in str(why) or attempt == RETRIES - 1:
                    raise
        return False

    def refuse_trivial(self, world: World, equations: list[Equation]) -> None:
        """A given such as G v = μ v must not be met by v = 0 alone."""
        given = {id(r.sides[0]) for r in self.problem.equations}
        if any(id(equation[0]) in given for equation in equations):
            for name in self.problem.unknowns:
                value = world.atoms.get(name)
                if isinstance(value, np.ndarray) and not value.any():
                    raise Undecided("a given has the solution 0 only")

    def prepare(self, world: World, equations: list[Equation]) -> None:
        """Make the world draw everything that the equations speak of."""
        for equation in equations:
            residual(world, equation)

    def cited(
        self, choice: Choice, rewrite: bool = False
    ) -> tuple[Opened, list[Equation]]:
        """Cited lines as definitions, where they have that form, or as equations.

        With `rewrite`, the left side of any other cited equation is replaced by its
        right side wherever it is written, which needs no solving.
        """
        opened = choice.opened
        definitions = dict(opened.definitions)
        equations: list[Equation] = []
        results: dict[str, Expr] = {}
        for statement in choice.cited:
            name, last = statement.name, statement.relation.sides[-1]
            if name and name not in definitions and not self.circular(
                name, last, definitions
            ):
                definitions[name] = last
                continue
            atom = self.result_of(statement, opened, rewrite)
            if atom is not None and atom not in results:
                results[atom] = statement.relation.sides[1]
                pairs = statement.equations[1:]
                equations += [(x, y, statement.free) for x, y in pairs]
                continue
            equations += [(x, y, statement.free) for x, y in statement.equations]
        opened = replace(opened, definitions=definitions, results=results)
        if opened.stationary and opened.gradient:
            equations += [self.true_zero(v) for v in sorted(opened.stationary)]
            opened = replace(opened, stationary=frozenset())
        return opened, equations

    def result_of(
        self, statement: Statement, opened: Opened, rewrite: bool
    ) -> str | None:
        """The gradient or derivative that a line gives a value to, if it is opaque."""
        left = statement.relation.sides[0]
        if set(statement.relation.signs) != {"="} or statement.free:
            return None
        if rewrite and left.op not in ("sym", "num"):
            return str(left)
        if left.op == "grad" and not opened.gradient and not opened.stationary:
            return str(left)
        if left.op == "call" and left.data == "d" and not opened.derivative:
            return str(left)
        return None

    def true_zero(self, variable: str) -> Equation:
        """grad(J, a) = 0, with the gradient computed."""
        shape = self.symbols[variable].shape
        of = Expr("sym", data=variable, shape=shape)
        thing = Expr("sym", data=self.problem.object, shape=NUMBER)
        gradient = Expr("grad", (thing, of), shape=shape)
        return gradient, replace(ZERO, shape=shape), {}

    def circular(self, name: str, node: Expr, definitions: dict[str, Expr]) -> bool:
        """Whether an expression leads back to the name."""
        seen: set[str] = set()
        waiting = set(node.symbols())
        while waiting:
            one = waiting.pop()
            if one == name:
                return True
            if one not in seen and one in definitions:
                waiting |= definitions[one].symbols()
            seen.add(one)
        return False

    def proportional(
        self, pair: Pair, opened: Opened, equations: list[Equation]
    ) -> bool:
        """Whether the equation was only moved around, scaled and added up.

        left − right of the new line is then a combination of those of the old ones, at
        points where none of them vanishes, and its coefficients are numbers, up to
        factors that are known to be positive: nothing was cancelled.
        """
        if not equations:
            return False
        sizes, low = self.regimes((pair.left, pair.right))[-1]
        try:
            first, second = (
                self.combination(pair, opened, equations, sizes, low) for _ in range(2)
            )
        except Undecided:
            return False
        if first is None or second is None:
            return False
        scales = list(zip(first[1], second[1], strict=True))
        return all(
            any(self.field.reduce(x * m - y * n) == 0 for m, n in scales)
            for x, y in zip(first[0], second[0], strict=True)
        )

    def combination(
        self,
        pair: Pair,
        opened: Opened,
        equations: list[Equation],
        sizes: dict[str, int],
        low: bool,
    ) -> tuple[list[int], list[int]] | None:
        """The coefficients in one random world, and the positive factors there."""
        world = self.world(sizes, low, opened)
        new = residual(world, pair.equation)
        old = [residual(world, equation) for equation in equations]
        old = [r for r in old if r.shape == new.shape and r.any()]
        if not new.any():
            return [], self.positive_factors(world)
        if not old:
            return None
        found = solutions(world.field, np.stack(old, axis=1), new)
        if found is None or found[1].shape[1]:
            return None
        return list(found[0]), self.positive_factors(world)

    def positive_factors(self, world: World) -> list[int]:
        """1, and small powers of the positive numbers and of the sizes."""
        names = [n for n, s in self.symbols.items() if s.kind == "positive"]
        values = [world.value(Expr("sym", data=n, shape=NUMBER)) for n in names]
        values += [world.field.number(size) for size in world.sizes.values()]
        inverse = [self.field.invert(v) for v in values]
        single = [1, *values, *inverse]
        return [self.field.reduce(x * y) for x in single for y in single]

    def explained(
        self,
        pair: Pair,
        opened: Opened,
        equations: list[Equation],
        named: Sequence[Expr],
    ) -> bool:
        """Whether one of the named matrices was cancelled: old = X · new, up to a factor.

        Then the reason that names it accounts for the step; otherwise cancelling is a
        fact of its own.
        """
        sizes, low = self.regimes((pair.left, pair.right))[-1]
        try:
            world = self.world(sizes, low, opened)
            new = residual(world, pair.equation)
            for equation in equations:
                old = residual(world, equation)
                for X in map(world.value, named):
                    if _is_multiple(world, X, new, old) or _is_multiple(world, X, old, new):
                        return True
        except Undecided:
            return False
        return False

    def suffices(
        self, pair: Pair, actions: list[Action], facts: list[Fact], sound: bool
    ) -> Choice | None:
        """Whether the new equation implies an old one, and has solutions at all."""
        for opened, cost in self.flags(actions, pair):
            room = self.problem.max_facts - cost - 1
            for choice in choices(facts, room, opened, self.scene):
                named = [(statement,) for statement in choice.cited]
                for base in [*named, *self.bases(pair, actions, (), sound)]:
                    if self.all_imply(pair, base, choice.opened):
                        return replace(choice, cited=base)
        return None

    def all_imply(
        self, pair: Pair, base: tuple[Statement, ...], opened: Opened
    ) -> bool:
        if len(base) != 1 or base[0].name:
            return False
        try:
            return all(
                self.implies(pair, base[0], opened, sizes, low)
                for sizes, low in self.regimes((pair.left, pair.right))
            )
        except Undecided:
            return False

    def implies(
        self,
        pair: Pair,
        before: Statement,
        opened: Opened,
        sizes: dict[str, int],
        low: bool,
    ) -> bool:
        world = self.world(sizes, low, opened)
        old = [(x, y, before.free) for x, y in before.equations]
        self.prepare(world, [pair.equation, *old])
        impose(world, [pair.equation], self.problem.unknowns, only=True)
        return all(holds(world, equation) for equation in old)

    # Inequalities

    def inequality(
        self, pair: Pair, actions: list[Action], chain: Sequence[Statement]
    ) -> Passed:
        """A ≥ B: what is left of A − B after equal terms are gone is a sum of squares."""
        large, small = pair.left, pair.right
        if pair.sign == "<=":
            large, small = small, large
        reason = any(action.kind == "nonneg" for action in actions)
        granted = self.granted(actions)
        known = self.same_bound(pair, actions, chain)
        if known is not None:
            return known
        if not reason and not granted:
            raise Rejected("say why: a square, a sum of squares, psd, …", "reason")
        for left, one in self.larger(large, actions, chain):
            for right, two in self.larger(small, actions, chain):
                if self.dominates(left, right, reason, granted):
                    return Passed(all(s.sound for s in (*one, *two, *granted)))
        raise Rejected("this line does not follow", "inequality")

    def same_bound(
        self, pair: Pair, actions: list[Action], chain: Sequence[Statement]
    ) -> Passed | None:
        """A ≥ B stands, and B = C by the reasons given: then A ≥ C."""
        for statement in reversed([*self.statements, *chain]):
            sides, signs = statement.relation.sides, statement.relation.signs
            if signs[-1:] != (pair.sign,) or str(sides[-2]) != str(pair.left):
                continue
            link = Pair(sides[-1], "=", pair.right, pair.free)
            if self.derivation(link, actions, (), statement.sound) is not None:
                return Passed(statement.sound)
        return None

    def granted(self, actions: list[Action]) -> list[Statement]:
        """Cited lines that say that something is ≥ 0."""
        numbers = [n for action in actions for n in action.lines]
        lines = [self.library.by_number(number) for number in numbers]
        return [
            s for s in lines
            if s and s.relation.signs[-1:] == (">=",) and is_zero(s.relation.sides[-1])
        ]  # fmt: skip

    def larger(
        self, node: Expr, actions: list[Action], chain: Sequence[Statement]
    ) -> Iterator[tuple[Expr, tuple[Statement, ...]]]:
        """The left side as it stands, and what earlier lines say that it equals."""
        yield node, ()
        for sound in (True, False):
            candidates: list[Statement | None] = [*chain, *reversed(self.statements)]
            candidates = [s for s in candidates if s and (s.sound or not sound)]
            for fact in self.library.facts(actions, Relation((node,), ()), set(), sound):
                candidates.append(fact.statement)
                if fact.kind == "define" and fact.name == str(node) and fact.expression:
                    yield fact.expression, ()
            for statement in candidates:
                if statement is None or statement.relation.signs[-1] != "=":
                    continue
                if statement.relation.sides[0] == node:
                    yield statement.relation.sides[-1], (statement,)

    def dominates(
        self, large: Expr, small: Expr, reason: bool, granted: Sequence[Statement]
    ) -> bool:
        """Whether every term of the difference is ≥ 0, by rule or by a cited line."""
        signs = Signs(self.symbols, self.invertible, elementary=True)
        minus = [(not positive, term) for positive, term in expanded(small)]
        rest = self.uncancelled(expanded(large) + minus)
        known = [side for s in granted for side in self.equals_of(s)]
        return all(
            positive
            and ((reason and signs.nonneg(term)) or self.among(term, known, signs))
            for positive, term in rest
        )

    def equals_of(self, bound: Statement) -> list[Expr]:
        """What a bound speaks of, and what standing lines say that it equals."""
        found = list(bound.relation.sides[:-1])
        texts = {side.text for side in found}
        for statement in self.statements:
            if statement.sound and statement.number > 0 and statement.left in texts:
                if set(statement.relation.signs) == {"="}:
                    found += statement.relation.sides[1:]
        return found

    def among(self, term: Expr, known: Sequence[Expr], signs: Signs) -> bool:
        """Whether a term is a positive multiple of one of the known ones."""
        sizes, low = self.regimes((term, *known))[-1]
        world = self.world(sizes, low, Opened())
        numbers, _ = signs.factors(term)
        scale = world.field.number(1)
        for number in numbers:
            if not signs.nonneg(number):
                return False
            scale = world.field.reduce(scale * world.value(number))
        value = world.value(term)
        for other in map(world.value, known):
            if value in (other, world.field.reduce(scale * other)):
                return True
        return False

    def uncancelled(self, signed: list[tuple[bool, Expr]]) -> list[tuple[bool, Expr]]:
        """Drop pairs of terms of equal value and opposite sign."""
        sizes, low = self.regimes([t for _, t in signed] or [ZERO])[-1]
        world = self.world(sizes, low, Opened())
        rest: list[tuple[bool, Expr, object]] = []
        for positive, term in signed:
            if is_zero(term):
                continue
            value = world.value(term)
            match = [r for r in rest if r[0] != positive and r[2] == value]
            if match:
                rest.remove(match[0])
            else:
                rest.append((positive, term, value))
        return [(positive, term) for positive, term, _ in rest]


def _joined(before: Relation, after: Relation) -> Relation:
    """The chain that a continuing line makes longer."""
    return Relation(before.sides + after.sides[1:], before.signs + after.signs)


def _used(choice: Choice) -> tuple[Fact, ...]:
    """The facts that a line opened, and those behind the lines that it cites."""
    own = [f for f in choice.facts if f.statement is None or f.statement.number < -1]
    for statement in choice.cited:
        own += statement.used
        if statement.kind in ("let", "object") and statement.name:
            own.append(Fact("define", statement.name, statement.relation.sides[-1]))
    return tuple({fact.key: fact for fact in own}.values())


def _inherit(
    choice: Choice,
    base: tuple[Statement, ...],
    given: Mapping[str, Symbol],
    scene: Scene,
) -> Iterator[Choice]:
    """The facts behind the cited lines opened too: the problem's own, then all.

    The line before was not cited by name; its facts count only if it is a relation
    between matrices, which cannot be solved for a column.
    """
    named = [s for s in choice.cited if s not in base or _between_matrices(s)]
    facts = {f.key: f for s in named for f in s.used}
    own = {
        key: fact
        for key, fact in facts.items()
        if not fact.name or _given(given, fact)
    }
    for more in (own, facts):
        if more:
            chosen = choose(list(more.values()), choice.opened, scene)
            yield replace(
                choice, opened=chosen.opened, cited=choice.cited + chosen.cited
            )


def _hopeless(pair: Pair, opened: Opened) -> bool:
    """A symbol alone on one side, opaque, cannot equal what does not mention it."""
    if opened.covariance or opened.results:
        return False
    for one, two in ((pair.left, pair.right), (pair.right, pair.left)):
        if one.op == "sym" and one.data not in opened.definitions:
            below = [opened.definitions[n] for n in two.symbols() & set(opened.definitions)]
            if not below and one.data not in two.symbols():
                return True
    return False


def _between_matrices(statement: Statement) -> bool:
    return "1" not in (statement.relation.sides[0].shape or NUMBER)


def _given(given: Mapping[str, Symbol], fact: Fact) -> bool:
    """Whether a definition is the problem's own, not the student's."""
    return fact.name in given and given[fact.name].definition is fact.expression


def _is_multiple(world: World, X: object, one: Array, two: Array) -> bool:
    """Whether two = c X one for some number c."""
    if not isinstance(X, np.ndarray) or X.shape[1] != len(one) or len(X) != len(two):
        return False
    turned = world.field.reduce(np.dot(X, one)).reshape(-1, 1)
    return solutions(world.field, turned, two) is not None


def _sentence(action: Action) -> bool:
    """Whether the words are a sentence rather than a label: it is read as a remark."""
    return len(action.text.split()) >= 4


def _has_call(node: Expr, name: str) -> bool:
    return any(n.op == "call" and n.data == name for n in node.walk())


def _work(node: Expr) -> int:
    """About how many operations an evaluation takes."""
    inner = sum(map(_work, node.args)) + 1
    return inner * 6 if node.op == "sum" else inner


def _degree(node: Expr) -> int:
    """The degree of an expression in its symbols, where K counts as 2."""
    match node.op:
        case "sym":
            return 1 if (node.shape or NUMBER)[1] == "1" else 2
        case "mul" | "div":
            return sum(map(_degree, node.args))
        case "pow":
            return _degree(node.args[0]) * int(abs(node.args[1].data))
        case "call" if node.data in ("norm2",):
            return 2 * _degree(node.args[0])
        case "call" if node.data in ("dot", "had"):
            return sum(map(_degree, node.args))
    return max(map(_degree, node.args), default=0)
