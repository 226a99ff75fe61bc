"""Knowledge: all that a line may be proved from, and what was translated of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count

from kernellab.grading.language.tree import Expr, Relation
from kernellab.grading.proving.matching import Label
from kernellab.grading.proving.networks import Algebra, Poly
from kernellab.grading.proving.translation import Scope, Translator


@dataclass(frozen=True)
class Link:
    """One relation that stands: a link of a line, or a given.

    Parameters
    ----------
    label : ("line", number, link), ("given", number), or ("chain", first line, last
        line, link) for the ends of a chain.
    sign : "=", ">=", "<=", ">" or "<".
    free : its free indices by name, with their sizes.
    before : whether it belongs to the line before, which may be used for nothing.
    chain : the line at which its chain begins.
    rests : all that is behind it: definitions, givens, stationarity.
    repeats : the name of which it is the definition, if it is one.
    """

    label: Label
    left: Expr
    sign: str
    right: Expr
    free: Mapping[str, str] = field(default_factory=dict)
    before: bool = False
    chain: int = 0
    rests: frozenset[Label] = frozenset()
    repeats: str = ""

    @property
    def relation(self) -> Relation:
        """What it says."""
        return Relation((self.left, self.right), (self.sign,))

    @property
    def difference(self) -> Expr:
        """Left − right."""
        return self.relation.difference

    @property
    def oriented(self) -> Link:
        """The same with the larger side first."""
        if self.sign[0] != "<":
            return self
        sign = self.sign.replace("<", ">")
        return replace(self, left=self.right, right=self.left, sign=sign)

    def is_of_level(self, level: str) -> bool:
        """Return True if it may be used at a level of the search."""
        given = level == "givens" and self.label[0] == "given"
        return self.before or given or level in ("lines", "all")

    @property
    def fact(self) -> Label:
        """What a person would cite."""
        if self.repeats:
            return ("definition", self.repeats)
        return self.label if self.label[0] == "given" else ("line", self.chain)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of its symbols."""
        return self.left.names | self.right.names

    @cached_property
    def nodes(self) -> list[Expr]:
        """All nodes of its two sides."""
        return [*self.left.walk(), *self.right.walk()]

    @cached_property
    def variables(self) -> frozenset[str]:
        """The symbols by which a gradient is taken: they cannot be opened there."""
        grads = (node.args[1] for node in self.nodes if node.op in ("grad", "diff"))
        return frozenset((v.args[0] if v.op == "index" else v).data for v in grads)


UNWRITTEN = 10**6  # from here on number lines that nobody wrote
_NUMBERS = count(UNWRITTEN)


def aim(
    left: Expr, sign: str, right: Expr, free: Mapping[str, str] | None = None
) -> Link:
    """Return a relation that nobody wrote; translations are kept by its number."""
    number = next(_NUMBERS)
    return Link(("line", number, 0), left, sign, right, free or {}, True, number)


@dataclass(frozen=True)
class Knowledge:
    """What stands at a line.

    Parameters
    ----------
    scope : what the names mean.
    links : the lines that stand, the givens, and the ends of chains of equations.
    objects : the names whose definitions may be opened for nothing.
    object : the number that is optimised.
    stationary : the variables by which its gradient is known, or said, to vanish.
    invertible : the matrices that are assumed to be invertible.
    residuals : random variables known to be independent of what is observed.
    conditional : the names of the conditional mean and variance, and of what.
    """

    scope: Scope
    links: tuple[Link, ...] = ()
    objects: frozenset[str] = frozenset()
    object: str | None = None
    stationary: frozenset[str] = frozenset()
    invertible: tuple[Expr, ...] = ()
    residuals: tuple[tuple[Label, Expr], ...] = ()
    conditional: Mapping[str, str] = field(default_factory=dict)


Opened = frozenset[str]


@dataclass
class Memory:
    """Translations under each set of opened definitions, as long as names keep them."""

    algebra: Algebra
    scope: Scope
    translators: dict[Opened, Translator] = field(default_factory=dict)
    below: dict[Opened, Opened] = field(default_factory=dict)
    links: dict[tuple[Label, Opened], tuple[Poly, dict[int, str]] | None] = field(
        default_factory=dict
    )
    repeated: dict[tuple[int, int], tuple[Link, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.algebra.kept.clear()  # what may be divided by can have changed

    def translator(self, opened: Opened) -> Translator:
        """Return the translator that opens these definitions."""
        if opened not in self.translators:
            self.translators[opened] = Translator(self.algebra, self.scope, opened)
        return self.translators[opened]
