"""The names that a line may use, and those that a student may not take."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kernellab.grading.language.letters import ACCENTS, GREEK

FUNCTIONS = {
    "sqrt": ("sqrt", 1), "exp": ("exp", 1), "log": ("log", 1), "ln": ("log", 1),
    "det": ("det", 1), "trace": ("trace", 1), "tr": ("trace", 1), "Tr": ("trace", 1),
    "norm2": ("norm2", 1), "norm": ("norm", 1), "had": ("had", 2),
    "hadamard": ("had", 2), "diag": ("diag", 1), "dot": ("dot", 2), "inner": ("dot", 2),
    "cov": ("cov", 2), "Cov": ("cov", 2), "loss": ("loss", 1),
}  # fmt: skip
PREFIXES = ("np", "numpy", "linalg")
KEYWORDS = ("for", "in", "not")
_ALONE = (*PREFIXES, *KEYWORDS, "d")  # never a factor
_CONSTANTS = ("I", "Id", "eye", "ones", "pi")
MAX_GLUED = 20  # letters
_SPECIAL = {
    *PREFIXES, *KEYWORDS, "I", "Id", "eye", "sum", "grad", "gradient", "diff", "d",
    "inv", "vec", "unique", "invertible", "pi", "ones", "transpose", "solve", "nabla",
    "var", "Var", "logdet",
}  # fmt: skip
_FREE = ("d", "var", "Var", "loss", "inner", "nabla")  # functions only where declared


@dataclass(frozen=True)
class Vocabulary:
    """The names that a line may use.

    Parameters
    ----------
    symbols : names of the problem and of the student's own definitions.
    sizes : names of the sizes, such as N and M.
    rows : a name with an index → the matrix whose row it is: phi → Phi.
    applied : names that may be written with arguments, J(a) for J, each with the names
        that they may be; None if they may be any.
    points : what columns stand for: as Phi.T*a is w, J(Phi.T*a) is J(w).
    made : columns that are defined, each with the free ones behind it: w with a.
    columns : the symbols that have one index.
    aliases : other spellings: sigma → s.
    variable : what a gradient is taken by if the student does not say.
    """

    symbols: frozenset[str]
    sizes: frozenset[str] = frozenset({"N", "M"})
    rows: Mapping[str, str] = field(default_factory=dict)
    applied: Mapping[str, frozenset[str] | None] = field(default_factory=dict)
    points: Mapping[str, str] = field(default_factory=dict)
    made: Mapping[str, frozenset[str]] = field(default_factory=dict)
    columns: frozenset[str] = frozenset()
    aliases: Mapping[str, str] = field(default_factory=dict)
    variable: str | None = None

    def knows(self, name: str) -> bool:
        """Return whether the name means something."""
        return name in FUNCTIONS or name in _SPECIAL or name in self.declared

    @cached_property
    def declared(self) -> frozenset[str]:
        """The names that have a meaning by the problem or by the student."""
        return self.symbols.union(self.sizes, self.rows, self.aliases)

    def is_one_point(self, one: Sequence[str], two: Sequence[str]) -> bool:
        """Return whether a function with these arguments, or with those, is the same.

        One list may name some of the other, or all columns that those are made of.
        """
        for some, others in ((one, two), (two, one)):
            rest = iter(others)
            behind = (self.made.get(name, {name}) for name in others)
            if all(name in rest for name in some) or set(some) == set().union(*behind):
                return True
        return False

    def factors(self, name: str) -> list[str] | None:
        """Return a name as a product of known ones, Ka as K a; None if it is not."""
        if len(name) > MAX_GLUED:
            return None
        ends: list[list[str] | None] = [[]]  # of the last 0, 1, … letters
        for start in range(len(name) - 1, -1, -1):
            ends.append(None)
            for stop in range(len(name), start, -1):  # the longest first
                first, rest = name[start:stop], ends[len(name) - stop]
                known = self._is_factor(first, last=stop == len(name))
                if rest is not None and known:
                    ends[-1] = [first, *rest]
                    break
        return ends[-1]

    def _is_factor(self, name: str, last: bool) -> bool:
        """Return whether a name may be glued to others; a function must be the last."""
        if name in self.declared or name in _CONSTANTS:
            return True
        return last and name not in _ALONE and self.knows(name)

    def unknown(self, name: str, shown: str = "") -> tuple[str, str]:
        """Return words for a name without a meaning, and what has one."""
        name = name if len(name) <= MAX_GLUED else name[:MAX_GLUED] + "…"
        stem, _, mark = name.partition("_")
        if mark in ACCENTS:
            shown = f"{stem}′" if mark == "prime" else f"\\{mark}{{{stem}}}"
        if shown:
            words = f"I do not know {shown}"
            return words, f"; give it a meaning with let {shown} = …"
        known = ", ".join(sorted(self.symbols | set(self.aliases)))
        name = GREEK.get(name, name)
        own = f"a name of your own begins with let {name} = …"
        return f"I do not know “{name}”", f"; this problem has {known}; {own}"


def reserved(
    name: str,
    words: Vocabulary,
    definable: Collection[str] = (),
    constants: Collection[str] = (),
) -> str | None:
    """Return why a student may not define this name, or None if it is free.

    Parameters
    ----------
    name : the name that a `let` introduces.
    words : the names that have a meaning already.
    definable : symbols of the problem that may be defined anew.
    constants : names with a meaning in this problem only, such as e and d.

    Examples
    --------
    >>> reserved("N", Vocabulary(frozenset({"K"})))
    'N is a size of this problem; take another name'
    """
    if name in words.sizes:
        return f"{name} is a size of this problem; take another name"
    if name in words.rows:
        return f"{name} is a row of {words.rows[name]}; take another name"
    if name in words.declared and name not in definable:
        return f"{name} has a meaning already; take another name"
    fixed = name in constants or (name not in _FREE and name not in words.symbols)
    if fixed and (name in constants or words.knows(name)):
        return f"{name} has a fixed meaning here; take another name"
    return None
