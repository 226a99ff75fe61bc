"""A problem: a small declaration of what is given and what is to be reached.

An author writes it as text (`kernellab.grading.authoring`); read, it is::

    Problem(
        id="push-through",
        symbols="A : N x M",
        routes=(
            Route((Milestone("identity", "inv(A@A.T + I)@A = A@inv(A.T@A + I)"),)),
        ),
    )

The lines of `symbols` are ``name : rows x columns, kind = definition``; the columns,
the kind and the definition may be left out, and a number has no shape:
``lam : positive``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from kernellab.grading.forms import find_form
from kernellab.grading.language.letters import Letters
from kernellab.grading.language.reader import read
from kernellab.grading.language.shapes import elaborate
from kernellab.grading.language.symbols import shown
from kernellab.grading.language.tree import NUMBER, Expr, Relation, Shape, grad, sym
from kernellab.grading.language.vocabulary import Vocabulary
from kernellab.grading.symbols import Symbol, below

KINDS = ("any", "symmetric", "psd", "pd", "positive", "nonneg", "random", "number")


@dataclass(frozen=True)
class Milestone:
    """A place that a route must pass.

    Parameters
    ----------
    name : what it is called in the report.
    relation : the statement; a line reaches it by saying the same.
    only : the symbols that its right side may use (None: any). Sizes and I are free.
    without : functions that its right side may not use: "d", "det", "sum".
    unknown : for an equation, what it is solved for: a line reaches it by having the
        same solutions. Without it, the left side must stand as it is, and the right
        side must have the same value.
    gradient : whether a line about the object's gradient by `unknown` will do too.
    needs : functions that the right side must use.
    form : what else the right side must be, a phrase of `forms.VOCABULARY`.
    left : such a phrase for the left side, if it need not stand as it is.
    others : other statements that will do as well.
    step : how many facts the line that reaches it may use, if fewer than others.
    optional : whether it only earns points on the way, and need not be passed.
    companion : the milestone without which this one counts for nothing: a conclusion
        that nothing was shown for.
    """

    name: str
    relation: str
    only: frozenset[str] | None = None
    without: frozenset[str] = frozenset()
    unknown: str | None = None
    gradient: bool = False
    needs: frozenset[str] = frozenset()
    form: str = ""
    left: str = ""
    others: tuple[str, ...] = ()
    step: int | None = None
    optional: bool = False
    companion: str = ""

    def __post_init__(self) -> None:
        for phrase in filter(None, (self.form, self.left)):
            find_form(phrase)  # an unknown one is an error here, not when it is needed


@dataclass(frozen=True)
class Route:
    """One way to the goal: the milestones that it passes."""

    milestones: tuple[Milestone, ...]
    name: str = ""


@dataclass(frozen=True)
class Problem:
    """What is given, what may be done, and where a derivation must arrive.

    Parameters
    ----------
    id : its name.
    symbols : the declaration of the symbols, one per line.
    routes : each a way to the goal; one of them must be passed.
    sizes : the names of the sizes.
    rows : a name with an index → the matrix whose row it is, as a column.
    object : the function that is transformed or optimised; its definition is the line
        before line 1.
    objects : more numbers that start open in the same way.
    givens : equations that the reason `given` opens.
    variables : by which the object may be made stationary.
    unknowns : for which equations are solved, in this order.
    definable : declared symbols that a student may define anew with `let`.
    assumable : matrices whose invertibility may be assumed.
    sufficient : whether a sufficient condition may replace an equation.
    recursions : "w = 0, then w + y*x": where a sequence starts, and how it goes on.
    max_facts : how many facts one relation may open.
    reasons : the part of its points that a line loses if its reasons are wrong.
    regimes : the sizes to try; the larger of them has a singular K.
    aliases : other spellings of a name.
    tangents : symbol → the symbol of its derivative along θ.
    covariances : "u v" → the symbol of cov(u, v).
    conditional : symbols of the conditional mean and variance, and of what they are of.
    """

    id: str
    symbols: str
    routes: tuple[Route, ...]
    sizes: tuple[str, ...] = ("N", "M")
    rows: Mapping[str, str] = field(default_factory=dict)
    object: str | None = None
    objects: tuple[str, ...] = ()
    givens: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    unknowns: tuple[str, ...] = ()
    definable: tuple[str, ...] = ()
    assumable: tuple[str, ...] = ()
    sufficient: bool = False
    recursions: tuple[str, ...] = ()
    max_facts: int = 2
    reasons: float = 0.0
    regimes: tuple[Mapping[str, int], ...] = (
        {"N": 5, "M": 3},
        {"N": 4, "M": 6},
    )
    aliases: Mapping[str, str] = field(default_factory=dict)
    tangents: Mapping[str, str] = field(default_factory=dict)
    covariances: Mapping[str, str] = field(default_factory=dict)
    conditional: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def table(self) -> dict[str, Symbol]:
        """The symbols by name, their definitions read."""
        rough = dict(map(declaration, filter(str.strip, self.symbols.splitlines())))
        shapes = {name: shape for name, (shape, _, _) in rough.items()}
        words = self._words(frozenset(rough))
        table = {}
        for name, (shape, kind, text) in rough.items():
            definition = None
            if text:
                definition = self._definition(name, text, words, shapes)
            table[name] = Symbol(name, shape, kind, definition)
        return table

    def _definition(
        self, name: str, text: str, words: Vocabulary, shapes: Mapping[str, Shape]
    ) -> Expr:
        try:
            relation = read(f"{name} = {text}", words)
            return elaborate(relation, shapes, frozenset(self.sizes))[0].sides[1]
        except ValueError as error:
            raise ValueError(f"the definition of {name}: {error}") from error

    def words(self, names: frozenset[str]) -> Vocabulary:
        """The vocabulary of a line that may use these symbols."""
        words = self._words(names)
        applied = {name: self._arguments[name] for name in words.applied}
        columns = frozenset(n for n, s in self.table.items() if s.shape[1] == "1")
        return replace(
            words,
            applied=applied,
            points=self._points,
            made=self._made,
            columns=columns,
        )

    def _words(self, names: frozenset[str]) -> Vocabulary:
        return Vocabulary(
            names,
            frozenset(self.sizes),
            self.rows,
            dict.fromkeys(self._applied & names),
            aliases=self.aliases,
            variable=self.variables[0] if self.variables else None,
        )

    @cached_property
    def _arguments(self) -> dict[str, frozenset[str] | None]:
        """What functions may be written with: what they are defined through."""
        definitions = {name: symbol.definition for name, symbol in self.table.items()}
        found = {
            name: frozenset(below(name, definitions.get)) for name in self._applied
        }
        return {name: arguments or None for name, arguments in found.items()}

    @cached_property
    def _points(self) -> dict[str, str]:
        """What columns stand for, and their names."""
        columns = (s for s in self.table.values() if s.shape[0] != "1")
        return {shown(s.definition): s.name for s in columns if s.definition}

    @cached_property
    def _made(self) -> dict[str, frozenset[str]]:
        """Columns that are defined, and the free columns behind them."""
        columns = [s for s in self.table.values() if s.shape[0] != "1" == s.shape[1]]
        definitions = {name: symbol.definition for name, symbol in self.table.items()}
        free = {s.name for s in columns if s.definition is None}
        return {
            s.name: frozenset(free & below(s.name, definitions.get))
            for s in columns
            if s.definition is not None
        }

    def letters(self, first: int = 0) -> Letters:
        """How the names are written; `first` is what the first component is called."""
        rows = {matrix: row for row, matrix in self.rows.items()}
        return Letters(rows, frozenset(self.tangents.values()), first)

    @cached_property
    def _applied(self) -> frozenset[str]:
        """What can be written with arguments, J(a): the object and defined numbers.

        A number with a starred twin, too: f(w) and f(w_*), which is fs.
        """
        declared = dict(map(declaration, filter(str.strip, self.symbols.splitlines())))
        found = {
            name
            for name, (shape, _, text) in declared.items()
            if shape == NUMBER and (text or f"{name}s" in declared)
        }
        return frozenset(found | {self.object} if self.object else found)

    @cached_property
    def _parsed(self) -> dict[str, Relation]:
        return {}

    def parse(self, text: str) -> Relation:
        """A relation in the problem's own symbols."""
        if text not in self._parsed:
            self._parsed[text] = self._parse(text)
        return self._parsed[text]

    def _parse(self, text: str) -> Relation:
        shapes = {name: symbol.shape for name, symbol in self.table.items()}
        relation = read(text, self.words(frozenset(self.table)))
        return elaborate(relation, shapes, frozenset(self.sizes))[0]

    @cached_property
    def covariance_of(self) -> dict[tuple[str, str], Expr]:
        """Pairs of random variables, each with its covariance."""
        found = {}
        for key, text in self.covariances.items():
            one, two = key.split()
            found[one, two] = self.parse(f"{text} = 0").sides[0]
        return found

    @cached_property
    def uses_exp(self) -> bool:
        """Whether exp occurs in the declaration."""
        return "exp(" in self.symbols

    @cached_property
    def inverted(self) -> tuple[Expr, ...]:
        """What the declaration itself inverts or divides by."""
        sides = [s.definition for s in self.table.values() if s.definition is not None]
        sides += [side for relation in self.equations for side in relation.sides]
        found = []
        for node in (n for side in sides for n in side.walk()):
            if node.op == "inv":
                found.append(node.args[0])
            elif node.op == "div":
                found.append(node.args[1])
        return tuple(found)

    @cached_property
    def free_data(self) -> tuple[str, ...]:
        """The symbols that may be 0: nothing that is given or declared forbids it."""
        kinds = ("any", "number", "symmetric", "psd", "nonneg")
        bound = set().union(*(r.symbols() for r in self.equations))
        bound |= set().union(*(x.symbols() for x in self.inverted))
        bound |= {n for n, s in self.table.items() if s.kind not in kinds}
        for symbol in reversed(self.table.values()):
            if symbol.name in bound and symbol.definition is not None:
                bound |= symbol.definition.symbols()
        bound |= {*self.variables, *self.unknowns}
        return tuple(
            n for n, s in self.table.items() if s.definition is None and n not in bound
        )

    @cached_property
    def recursion(self) -> dict[str, tuple[Expr, Expr]]:
        """Each member of a sequence with its start, and what comes after it."""
        found = {}
        for text in self.recursions:
            match = _RECURSION.fullmatch(text.strip())
            if match is None or match[1] not in self.table:
                raise ValueError(f"“{text}” is not “w = start, then next”")
            name, *both = match.groups()
            sides = (self.parse(f"{name} = {side}").sides[1] for side in both)
            start, after = sides
            found[name] = start, after
        return found

    @cached_property
    def changing(self) -> frozenset[str]:
        """What is new in every step of a recursion, beside its members."""
        members = set(self.recursion)
        found = set().union(*(after.symbols() for _, after in self.recursion.values()))
        for relation in self.equations:
            if relation.symbols() & members:
                found |= relation.symbols()
        return frozenset(found - members)

    def advanced(self, node: Expr, place: int) -> Expr:
        """An expression with the start, 0, or the next member, 1, put in."""
        members = {name: both[place] for name, both in self.recursion.items()}
        return node.map(lambda n: members.get(n.data, n) if n.op == "sym" else n)

    def gradient(self, name: str) -> Expr:
        """The gradient of the object by a variable."""
        assert self.object is not None
        return grad(sym(self.object, NUMBER), sym(name, self.table[name].shape))

    @property
    def sought(self) -> tuple[str, ...]:
        """What a claim of uniqueness is about: the variables, or else the unknowns."""
        return self.variables or self.unknowns

    @cached_property
    def equations(self) -> tuple[Relation, ...]:
        """The givens, read."""
        return tuple(self.parse(text) for text in self.givens)


def replaced(
    symbols: Mapping[str, Symbol], node: Expr, new: Mapping[str, Expr]
) -> Expr:
    """An expression with something else in the place of some symbols.

    What is defined through them is written out.
    """

    def put(node: Expr) -> Expr:
        if node.op != "sym" or node.data in new:
            return new.get(node.data, node) if node.op == "sym" else node
        definition = symbols[node.data].definition if node.data in symbols else None
        made = node if definition is None else definition.map(put)
        return node if made == definition else made

    return node.map(put)


def others(
    problem: Problem, symbols: Mapping[str, Symbol]
) -> tuple[dict[str, Expr], dict[str, Symbol]]:
    """The names of another solution: what stands for each unknown, and its symbol."""
    free = [symbols[v] for v in problem.sought if symbols[v].definition is None]
    twins = [replace(symbol, name=f"{symbol.name}_other") for symbol in free]
    new = {
        one.name: sym(two.name, two.shape) for one, two in zip(free, twins, strict=True)
    }
    return new, {twin.name: twin for twin in twins}


def moved_gradient(
    problem: Problem, symbols: Mapping[str, Symbol], x: Expr, u: Expr, v: str
) -> Expr:
    """The gradient of the object by v, with x + u in the place of x."""
    J, variable = problem.gradient(v).args
    return grad(replaced(symbols, J, {x.data: x + u}), variable)


_RECURSION = re.compile(r"(\w+)\s*=\s*(.+?),\s*then\s+(.+)")
COVERED = {">=": "0+", ">": "+", "=": "0", "<=": "-0", "<": "-"}  # signs by relation
FLIPPED = {">=": "<=", ">": "<", "=": "=", "<=": ">=", "<": ">"}
_LINE = re.compile(
    r"\s*(?P<name>\w+)\s*:\s*(?P<rows>\w+)?\s*(?:[x×]\s*(?P<columns>\w+))?\s*"
    r"(?:,\s*(?P<kind>\w+))?\s*(?:=\s*(?P<definition>.*))?$"
)


def declaration(line: str) -> tuple[str, tuple[Shape, str, str | None]]:
    """Read the declaration of a symbol: its name; its shape, kind and definition.

    >>> declaration("K : N x N, psd = Phi@Phi.T")
    ('K', (('N', 'N'), 'psd', 'Phi@Phi.T'))
    """
    match = _LINE.match(line)
    if match is None:
        raise ValueError(f"“{line}” is not “name : rows x columns, kind = definition”")
    rows, kind = match["rows"] or "number", match["kind"] or "any"
    if rows in KINDS:
        rows, kind = "1", rows
    if kind not in KINDS:
        raise ValueError(f"“{kind}” is not a kind; the kinds are {', '.join(KINDS)}")
    shape = (rows, match["columns"] or "1")
    return match["name"], (shape, kind, match["definition"])
