"""The setting of a derivation: symbols, standing lines, and random worlds for them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from kernellab.grading.judging_old.facts import Library, Statement
from kernellab.grading.judging_old.signs import Signs
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reader import read
from kernellab.grading.language.reasons import Action, ReasonReader
from kernellab.grading.language.shapes import NUMBER, elaborate
from kernellab.grading.language.tree import Expr, Relation, sym, without_factor
from kernellab.grading.problem import Problem
from kernellab.grading.worlds import clock
from kernellab.grading.worlds.fields import Modular, OutOfTime, Undecided, fresh_field
from kernellab.grading.worlds.instances import holds
from kernellab.grading.worlds.world import Opened, Scene, Symbol, World

MAX_WORK = 80_000
MAX_SIDES = 12
SIGNS = 12  # how often a line with a root is tried: √(x²) is x in half of the worlds


class Setting:
    """What is known at a line, and instances of it.

    Parameters
    ----------
    problem : what is given.
    rng : where the prime and the instances come from.
    seconds : how long it may take in all.
    """

    def __init__(
        self, problem: Problem, rng: random.Random, seconds: float = 4.0
    ) -> None:
        self.problem = problem
        self.rng = rng
        self.end = clock.now() + seconds
        self.symbols: dict[str, Symbol] = dict(problem.table)
        self.hidden: frozenset[str] = frozenset()
        self.invertible: tuple[Expr, ...] = ()
        self.statements: list[Statement] = []
        self.exponential = problem.uses_exp
        self.field: Modular = fresh_field(rng, self.exponential)
        for relation in reversed(problem.first):
            self.statements.append(Statement(0, relation, kind="object"))

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
            self.is_residual,
        )

    def read(self, text: str, extra: str | None = None) -> Relation:
        """Read a relation, without its shapes; `extra` is a name that it introduces."""
        names = frozenset(self.symbols) | ({extra} if extra else frozenset())
        one_based = bool(re.search(r"_\{?[1-9]", text)) and not re.search(
            r"_\{?0", text
        )
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

    def before(self, sound: bool, skip: tuple[str, ...] = ("let",)) -> Statement | None:
        """The line before: the last one that is a step, or the object's definition."""
        for statement in reversed(self.statements):
            if statement.kind not in skip and (statement.sound or not sound):
                return statement
        return None

    def gradients(self, relation: Relation) -> set[str]:
        """The variables by which a relation differentiates the object."""
        found = set()
        for side in relation.sides:
            for node in side.walk():
                if node.op in ("grad", "diff") and without_factor(node.args[0])[
                    0
                ] == sym(self.problem.object or ""):
                    variable = node.args[1]
                    found.add(str(variable.args[0] if variable.args else variable))
        return found

    def gradient_lines(self, sound: bool) -> list[Statement]:
        """The latest line about the gradient by each variable."""
        found: dict[str, Statement] = {}
        for statement in self.statements:
            if statement.sound or not sound:
                for variable in self.gradients(statement.relation):
                    found[variable] = statement
        return list(found.values())

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
        if clock.now() > self.end:
            raise OutOfTime
        return World(self.scene, self.field, sizes, opened, self.rng, low, self.end)

    def is_residual(self, z: Expr) -> bool:
        """Whether z is f plus a combination of the others, with no constant."""
        sizes, low = self.regimes((z,))[-1]
        world = self.world(sizes, low, self.everything())
        part = world.coefficients(z)[self.problem.conditional["of"]]
        return bool((part == 1).all()) and not world.offset(z)

    def everything(self, **more: object) -> Opened:
        """All definitions and inverses opened: the problem as it is."""
        names = {
            n: s.definition
            for n, s in self.symbols.items()
            if s.definition is not None and n not in self.hidden
        }
        opened = Opened(names, None, True, True, True)
        return replace(opened, **more)  # type: ignore[arg-type]

    def equal(self, one: Expr, two: Expr) -> bool:
        """Whether two expressions are the same number or matrix, with all opened."""
        try:
            return all(
                holds(self.world(regime, low, self.everything()), (one, two, {}))
                for regime, low in self.regimes((one, two))
                for _ in range(4)
            )
        except Undecided:
            return False


def has_root(*sides: Expr) -> bool:
    """Whether a square root occurs."""
    return any(
        (node.op == "call" and node.data == "sqrt")
        or (node.op == "pow" and node.args[1].data.denominator == 2)
        for side in sides
        for node in side.walk()
    )


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
