"""Memory: what has been translated once, for all lines of a derivation."""

from __future__ import annotations

from dataclasses import dataclass, field

from kernellab.grading.proving.matching import Label, Premise
from kernellab.grading.proving.networks import Algebra, Poly
from kernellab.grading.proving.translation import Scope, Translator

Opened = frozenset[str]


@dataclass
class Memory:
    """Translations under each set of opened definitions, as long as names keep them."""

    algebra: Algebra
    scope: Scope
    translators: dict[Opened, Translator] = field(default_factory=dict)
    names: dict[Label, Opened] = field(default_factory=dict)
    links: dict[tuple[Label, Opened], tuple[Poly, dict[int, str]] | None] = field(
        default_factory=dict
    )
    gradients: dict[object, list[Premise]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.algebra.kept.clear()  # what may be divided by can have changed

    def translator(self, opened: Opened) -> Translator:
        """Return the translator that opens these definitions."""
        if opened not in self.translators:
            self.translators[opened] = Translator(self.algebra, self.scope, opened)
        return self.translators[opened]
