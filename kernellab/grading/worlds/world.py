"""A world: one random instance of a problem, in which expressions have exact values.

Everything is opaque unless it has been opened. An opaque K is a random matrix of its
kind (symmetric, and of low rank if it may be singular); an opaque inverse is a random
matrix that depends on what is inverted and on nothing else; an opaque gradient is a
random vector. Opening a definition, an inverse or a gradient replaces the random
object by the true one. So a relation that holds in random worlds follows from what was
opened, and from free algebra alone.

The work is layered: `drawing`, `algebra`, `inverses`, `functions`, `differentiation`,
`covariances`.
"""

from __future__ import annotations

from kernellab.grading.symbols import Symbol
from kernellab.grading.worlds.covariances import Covariances
from kernellab.grading.worlds.scenes import Opened, Scene

__all__ = ["Opened", "Scene", "Symbol", "World"]


class World(Covariances):
    """One instance: sizes, random values, and exact evaluation."""
