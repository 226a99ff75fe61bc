"""Names: what the symbols of a certificate stand for, and what depends on what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kernellab.grading.certificates import Certificate
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.problem import Problem
from kernellab.grading.symbols import Symbol

SYMMETRIC = ("symmetric", "psd", "pd")


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
    covariances: Mapping[tuple[str, str], Expr] = field(default_factory=dict)

    def definition(self, name: str) -> Expr | None:
        """Return what a name stands for, or None."""
        return self.table[name].definition if name in self.table else None

    def below(self, name: str) -> set[str]:
        """Return all names behind a name, at any depth."""
        found: set[str] = set()
        todo = [name]
        while todo:
            definition = self.definition(todo.pop())
            new = definition.symbols() - found if definition is not None else set()
            found |= new
            todo += new
        return found

    def dependent(self, on: str) -> frozenset[str]:
        """Return the names that are defined through another, at any depth."""
        return frozenset(name for name in self.table if on in self.below(name))

    def varies(self, name: str) -> bool:
        """Return True if a symbol depends on θ."""
        return bool(({name} | self.below(name)) & set(self.problem.tangents))

    @property
    def varying(self) -> frozenset[str]:
        """The names that depend on θ by their definitions."""
        found = {name for name in self.table if self.varies(name)}
        return frozenset(found - set(self.problem.tangents))

    @property
    def defined(self) -> frozenset[str]:
        """The names that stand for something."""
        return frozenset(n for n in self.table if self.definition(n) is not None)

    def is_random(self, name: str) -> bool:
        """Return True for a random variable."""
        return name in self.table and self.table[name].kind == "random"


def names_of(certificate: Certificate) -> Names:
    """Return the names of a certificate.

    A declared symbol that the student defines anew is the student's: definitions of
    the problem that mention it would be claims about it, and are forgotten. So is the
    definition of a variable on which a sufficient condition is imposed.
    """
    problem: Problem = certificate.problem
    own, imposed = dict(certificate.own), _imposed(certificate)
    table: dict[str, Symbol] = {}
    for name, symbol in problem.table.items():
        declared = Symbol(name, symbol.shape, symbol.kind, symbol.definition)
        mentioned = declared.definition.symbols() if declared.definition else set()
        if mentioned & set(own) or name in imposed:
            declared = replace(declared, definition=None)
        table[name] = declared
    for name, definition in own.items():
        table[name] = Symbol(name, definition.shape or NUMBER, "any", definition)
    return Names(problem, table, frozenset(own), _covariances(problem))


def _imposed(certificate: Certificate) -> set[str]:
    """Return the variables that sufficient conditions determine."""
    parts = [p for proven in certificate.proven if proven.by == "sufficient"
             for p in proven.parts]  # fmt: skip
    gradients = [part.left for part in parts if part.left.op == "grad"]
    return {str(gradient.args[1].data) for gradient in gradients}


def _covariances(problem: Problem) -> dict[tuple[str, str], Expr]:
    """Return the declared covariances by their pair of names."""
    found = {}
    for pair, text in problem.covariances.items():
        one, two = pair.split()
        found[one, two] = problem.parse(f"{text} = 0").sides[0]
    return found
