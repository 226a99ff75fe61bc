"""Names: what the symbols of a certificate stand for, and which may be defined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from kernellab.grading.certificates import Certificate, Proven
from kernellab.grading.checking.labelling import Atom, Refused
from kernellab.grading.checking.sums import COLUMN, ROW
from kernellab.grading.language.shapes import elaborate
from kernellab.grading.language.tree import NUMBER, Expr, Relation, Shape, sym
from kernellab.grading.language.vocabulary import reserved
from kernellab.grading.problem import Problem
from kernellab.grading.symbols import Symbol, below

MOST_NODES = 5000
SYMMETRIC = ("symmetric", "psd", "pd")


def axes(shape: Shape) -> dict[str, str]:
    """Return the free indices of a shape, with their sizes."""
    pairs = zip((ROW, COLUMN), shape, strict=True)
    return {index: size for index, size in pairs if size != "1"}


@dataclass(frozen=True)
class Names:
    """The symbols of a problem and of a student.

    Parameters
    ----------
    table : all symbols by name.
    own : the names that the student defined: abbreviations, always put in.
    """

    problem: Problem
    table: Mapping[str, Symbol]
    own: frozenset[str] = frozenset()

    def symbol(self, name: str) -> Expr:
        """Return a symbol as a tree."""
        if name not in self.table:
            raise Refused(f"{name} is not known")
        return sym(name, self.table[name].shape)

    def atom(self, name: str) -> Atom:
        """Return a symbol as an atom; its key tells its sizes, and its symmetry."""
        sizes = tuple(axes(self.table[name].shape).values()) if name != "pi" else ()
        symmetric = len(sizes) == 2 and self.kind(name) in SYMMETRIC
        shown = f"{name}:{'×'.join(sizes)}{'~' * symmetric}"
        return Atom(shown, "symbol", name, sizes, symmetric)

    def definition(self, name: str) -> Expr | None:
        """Return what a name stands for, or None."""
        return self.table[name].definition if name in self.table else None

    def kind(self, name: str) -> str:
        """Return what is declared of a name."""
        return self.table[name].kind if name in self.table else "any"

    def below(self, name: str) -> set[str]:
        """Return all names behind a name, at any depth."""
        return below(name, self.definition)

    def dependent(self, *on: str) -> frozenset[str]:
        """Return the names that are defined through others, at any depth."""
        return frozenset(n for n in self.table if self.below(n) & set(on))

    @property
    def random(self) -> frozenset[str]:
        """The random variables, which cov knows."""
        return frozenset(n for n, s in self.table.items() if s.kind == "random")

    @property
    def defined(self) -> frozenset[str]:
        """The names that stand for something; "cov" for the covariances."""
        found = {n for n in self.table if self.definition(n) is not None}
        return frozenset(found | {"cov"})

    def shaped(self, part: Any) -> Any:
        """Return a part of a certificate, every tree in it given its shapes anew."""
        if isinstance(part, Expr):
            if _unfolded(part, {}) > MOST_NODES:
                raise Refused("an expression is too large")
            shapes = {name: symbol.shape for name, symbol in self.table.items()}
            sizes = frozenset(self.problem.sizes)
            return elaborate(Relation((part,), ()), shapes, sizes)[0].sides[0]
        if isinstance(part, tuple):
            return tuple(map(self.shaped, part))
        if is_dataclass(part) and not isinstance(part, type):
            new = {f.name: self.shaped(getattr(part, f.name)) for f in fields(part)}
            return replace(part, **new)
        return part


def names_of(certificate: Certificate) -> Names:
    """Return the names of a certificate; the student's are such as may be defined.

    A declared symbol that the student defines anew is the student's: definitions of
    the problem that mention it would be claims about it, and are forgotten. So is the
    definition of a variable that a sufficient condition determines.
    """
    problem: Problem = certificate.problem
    own = frozenset(name for name, _ in certificate.own)
    imposed = {name for proven in certificate.proven if (name := determined(proven))}
    table = dict(problem.table)
    for name, symbol in problem.table.items():
        known = symbol.definition
        if known is not None and (known.symbols() & own or name in imposed):
            table[name] = replace(symbol, definition=None)
    names = Names(problem, table, own)
    for name, tree in certificate.own:
        definition = names.shaped(tree)
        if why := _why_not(names, name, definition):
            raise Refused(f"{name} cannot be defined: {why}")
        table[name] = Symbol(name, definition.shape, "any", definition)
    return names


def _unfolded(tree: Expr, known: dict[int, int]) -> int:
    """Return how many nodes a tree has, also if its parts are shared."""
    if id(tree) not in known:
        known[id(tree)] = 1 + sum(_unfolded(arg, known) for arg in tree.args)
    return known[id(tree)]


def determined(proven: Proven) -> str | None:
    """Return the variable that a sufficient condition determines."""
    if proven.by != "sufficient" or len(proven.parts) != 1:
        return None
    gradient = proven.parts[0].left
    return str(gradient.args[1].data) if gradient.op == "grad" else None


def _why_not(names: Names, name: str, definition: Expr) -> str | None:
    """Return why a name cannot stand for an expression, or None."""
    problem, mentioned = names.problem, definition.symbols()
    behind = mentioned.union(*map(names.below, mentioned))
    if name in behind:
        return "by itself"
    if unknown := mentioned - {*names.table, *problem.sizes, "pi"}:
        return f"{', '.join(sorted(unknown))} is not known"
    if definition.indices or not name.isidentifier():
        return "it has a free index, or is no name"
    if name not in problem.table and name in names.table:
        return "it is defined twice"
    if name in problem.table and problem.table[name].shape != definition.shape:
        return "it has another shape"
    if name in problem.sizes and definition.shape != NUMBER:  # a matrix called D
        stated = [s for given in problem.equations for s in given.sides]
        stated += [s.definition for s in problem.table.values() if s.definition]
        return "it is a size" if any(name in t.symbols() for t in stated) else None
    fixed = ["e"] * problem.uses_exp + ["d"] * bool(problem.tangents)
    words = problem.words(frozenset(problem.table))
    return reserved(name, words, problem.definable, fixed)
