"""The names that a line may use."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

FUNCTIONS = {
    "sqrt": ("sqrt", 1), "exp": ("exp", 1), "log": ("log", 1), "ln": ("log", 1),
    "det": ("det", 1), "trace": ("trace", 1), "tr": ("trace", 1), "Tr": ("trace", 1),
    "norm2": ("norm2", 1), "had": ("had", 2), "hadamard": ("had", 2),
    "diag": ("diag", 1), "dot": ("dot", 2), "inner": ("dot", 2), "cov": ("cov", 2),
    "Cov": ("cov", 2), "loss": ("loss", 1),
}  # fmt: skip
PREFIXES = ("np", "numpy", "linalg")
_SPECIAL = {
    "I", "Id", "eye", "sum", "grad", "gradient", "diff", "d", "inv", "vec", "norm",
    "unique", "invertible", "not", "pi", "np", "numpy", "ones", "transpose", "solve",
    "nabla", "var", "Var", "for", "in",
}  # fmt: skip


@dataclass(frozen=True)
class Vocabulary:
    """The names that a line may use.

    Parameters
    ----------
    symbols : names of the problem and of the student's own definitions.
    sizes : names of the sizes, such as N and M.
    rows : a name with an index → the matrix whose row it is: phi → Phi.
    applied : names that may be written with arguments: J(a) is J.
    aliases : other spellings: sigma → s.
    variable : what a gradient is taken by if the student does not say.
    """

    symbols: frozenset[str]
    sizes: frozenset[str] = frozenset({"N", "M"})
    rows: Mapping[str, str] = field(default_factory=dict)
    applied: frozenset[str] = frozenset()
    aliases: Mapping[str, str] = field(default_factory=dict)
    variable: str | None = None

    def knows(self, name: str) -> bool:
        """Whether the name means something."""
        known: tuple[Collection[str], ...] = (
            self.symbols, self.sizes, self.rows, self.aliases, FUNCTIONS, _SPECIAL,
        )  # fmt: skip
        return any(name in names for names in known)
