"""Random expressions over the symbols of a problem, and the value of a normal form."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import reduce
from operator import mul

import numpy as np

from kernellab.grading.instances.evaluate import value
from kernellab.grading.instances.instance import Instance
from kernellab.grading.language.tree import NUMBER, Shape
from kernellab.grading.proving.labelling import Network
from kernellab.grading.proving.networks import Algebra, Poly
from kernellab.grading.proving.trees import (
    atom_tree,
)

Networks = tuple[Network, ...]


@dataclass
class Expressions:
    """Writes random expressions of a given shape.

    Parameters
    ----------
    shapes : the symbols that may occur.
    """

    shapes: dict[str, Shape]
    rng: random.Random

    @property
    def sizes(self) -> list[str]:
        """The sizes in use, 1 among them."""
        return sorted(
            {"1", *(size for shape in self.shapes.values() for size in shape)}
        )

    def write(self, shape: Shape, depth: int) -> str:
        """Write an expression of a shape."""
        ways = [self._sum, self._difference, self._scaled, self._product, self._turned]
        if shape == NUMBER:
            ways += [self._norm, self._trace, self._summed, self._square, self._double]
        elif "1" not in shape:
            ways += [self._entrywise]
            if shape[0] == shape[1]:
                ways += [self._inverse, self._diagonal]
        return self.rng.choice(ways)(shape, depth - 1) if depth else self._leaf(shape)

    def _leaf(self, shape: Shape) -> str:
        found = [name for name, s in self.shapes.items() if s == shape]
        found += [f"{name}.T" for name, s in self.shapes.items() if s == shape[::-1]]
        if shape == NUMBER:
            found.append(str(self.rng.randint(1, 4)))
        elif shape[0] == shape[1]:
            found.append(f"I({shape[0]})")
        ones = [f"ones({n})" + ".T" * k for k, n in enumerate(shape) if n != "1"]
        return self.rng.choice(found or ["@".join(ones)])

    def _sum(self, shape: Shape, depth: int) -> str:
        return f"({self.write(shape, depth)} + {self.write(shape, depth)})"

    def _difference(self, shape: Shape, depth: int) -> str:
        return f"({self.write(shape, depth)} - {self.write(shape, depth)})"

    def _scaled(self, shape: Shape, depth: int) -> str:
        return f"({self._leaf(NUMBER)}*{self.write(shape, depth)})"

    def _product(self, shape: Shape, depth: int) -> str:
        size = self.rng.choice(self.sizes)
        left, right = (shape[0], size), (size, shape[1])
        sign = "*" if left == NUMBER or right == NUMBER else "@"
        return f"({self.write(left, depth)}{sign}{self.write(right, depth)})"

    def _turned(self, shape: Shape, depth: int) -> str:
        return f"({self.write(shape[::-1], depth)}).T"

    def _norm(self, shape: Shape, depth: int) -> str:
        return f"norm2({self.write((self._size(), '1'), depth)})"

    def _trace(self, shape: Shape, depth: int) -> str:
        return f"trace({self.write((self._size(),) * 2, depth)})"

    def _summed(self, shape: Shape, depth: int) -> str:
        size = self._size()
        one, two = (self.write((size, "1"), depth) for _ in range(2))
        return f"sum(({one})[i]*({two})[i] for i in {size})"

    def _double(self, shape: Shape, depth: int) -> str:
        n, m = self._size(), self._size()
        matrix = self.write((n, m), depth)
        return f"sum(({matrix})[i,j]**2 for i in {n} for j in {m})"

    def _square(self, shape: Shape, depth: int) -> str:
        return f"({self.write(NUMBER, depth)})**2"

    def _entrywise(self, shape: Shape, depth: int) -> str:
        return f"had({self.write(shape, depth)}, {self.write(shape, depth)})"

    def _diagonal(self, shape: Shape, depth: int) -> str:
        return f"diag({self.write((shape[0], '1'), depth)})"

    def _inverse(self, shape: Shape, depth: int) -> str:
        factor = self._leaf((shape[0], self._size()))
        return f"inv(({factor})@({factor}).T + {self.rng.randint(1, 3)}*I({shape[0]}))"

    def _size(self) -> str:
        return self.rng.choice([size for size in self.sizes if size != "1"])


def poly_value(it: Instance, algebra: Algebra, poly: Poly) -> np.ndarray:
    """Return Σ c · (powers of numbers) · (networks, contracted), as a matrix.

    It broadcasts: a column of ones has no atom, so that its value is a number.
    """
    total = np.zeros((1, 1), dtype=object)
    for (powers, networks), c in poly.items():
        part = it.field.number(c)
        for atom, power in powers:
            base = atom_value(it, algebra, atom)[0, 0]
            step = base if power > 0 else it.field.invert(base)
            part = reduce(mul, [step] * abs(int(power)), part)
        total = total + part * contracted(it, algebra, networks)
    return np.asarray(it.field.reduce(total))


def contracted(it: Instance, algebra: Algebra, networks: Networks) -> np.ndarray:
    """Return a product of networks by Einstein's convention, as a matrix."""
    operands: list[object] = [np.ones((1, 1), dtype=object), [2, 3]]
    used, last = {-1 - i for net in networks for _, at in net for i in at if i < 0}, 3
    for network in networks:
        start = last + 1
        for atom, indices in network:
            tensor = atom_value(it, algebra, atom)
            places = [-1 - i if i < 0 else start + i for i in indices]
            operands += [tensor.reshape([n for n in tensor.shape if n > 1]), places]
            last = max(last, *places)
    out = [k if k in used else k + 2 for k in (0, 1)]
    return np.asarray(np.einsum(*operands, out))


def atom_value(it: Instance, algebra: Algebra, atom: int) -> np.ndarray:
    """Return the value of an atom, by the expression that it stands for."""
    return np.asarray(value(it, atom_tree(algebra, atom)))
