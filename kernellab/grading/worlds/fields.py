"""Exact arithmetic: integers modulo a random prime, and fractions.

A false polynomial identity of degree d survives a random instance modulo p with
probability at most d/p (Schwartz and Zippel): below 10⁻¹⁶ for a 61-bit prime. The prime
is drawn afresh for every derivation, so that no literal can be chosen to vanish.

Three functions of the reals have exact counterparts:

- the sign of x is its Legendre symbol, and what is declared positive is drawn as a
  square; 2, 3, 5, 7, 11 and 13 are squares because p ≡ −1 (mod 8·3·5·7·11·13);
- √x = x^((p+1)/4), which is multiplicative, and squares to x where x is a square;
- exp: arguments live modulo another prime q that divides p − 1, and exp(u) = g^u with
  g of order q, so that exp(u + v) = exp(u) exp(v).
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
_SQUARES = 8 * 3 * 5 * 7 * 11 * 13
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


class Undecided(Exception):
    """The instance cannot decide: an evaluation has no value there."""


class OutOfTime(Exception):
    """The time for this text is used up."""


def is_prime(n: int) -> bool:
    """Miller and Rabin with the first twelve primes: exact below 3·10²⁴, sure above."""
    if n < 2 or any(n % p == 0 for p in _WITNESSES):
        return n in _WITNESSES
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    return all(_passes(w, d, s, n) for w in _WITNESSES)


def _passes(witness: int, d: int, s: int, n: int) -> bool:
    x = pow(witness, d, n)
    if x in (1, n - 1):
        return True
    for _ in range(s - 1):
        x = x * x % n
        if x == n - 1:
            return True
    return False


class Modular:
    """The integers modulo a prime; scalars are `int`, matrices arrays of `int`.

    Parameters
    ----------
    p : the prime.
    exponents : the field in which the arguments of exp live, or None.
    """

    def __init__(self, p: int, exponents: Modular | None = None) -> None:
        self.p = p
        self.exponents = exponents
        self.generator = 1
        if exponents is not None:
            self.generator = self._element_of_order(exponents.p)

    def _element_of_order(self, q: int) -> int:
        h = 2
        while pow(h, (self.p - 1) // q, self.p) == 1:
            h += 1
        return pow(h, (self.p - 1) // q, self.p)

    def number(self, value: Fraction | int) -> int:
        """A rational number as an element of the field."""
        value = Fraction(value)
        return value.numerator * pow(value.denominator, -1, self.p) % self.p

    def reduce(self, x: Any) -> Any:
        """Bring the result of + − × back into the field."""
        return x % self.p

    def invert(self, x: int) -> int:
        """1/x."""
        if x % self.p == 0:
            raise Undecided("division by zero")
        return pow(int(x), -1, self.p)

    def sqrt(self, x: int) -> int:
        """The root that is a square itself; no value where x is not a square."""
        root = pow(int(x), (self.p + 1) // 4, self.p)
        if root * root % self.p != x % self.p:
            raise Undecided("root of a negative number")
        return root

    def exp(self, u: int) -> int:
        """g^u for an exponent u of the field below."""
        return pow(self.generator, int(u), self.p)

    def draw(self, rng: random.Random) -> int:
        """A random element."""
        return rng.randrange(1, self.p)

    def draw_positive(self, rng: random.Random) -> int:
        """A random square."""
        return pow(self.draw(rng), 2, self.p)


def fresh_field(rng: random.Random, with_exp: bool = False) -> Modular:
    """A field modulo a random prime, with a field of exponents below if exp occurs."""
    q = _random_prime(rng)
    if not with_exp:
        return Modular(q)
    k = -2 * pow(q, -1, _SQUARES) % _SQUARES
    while True:
        k += _SQUARES * rng.randrange(1, 100)
        if is_prime(k * q + 1):
            return Modular(k * q + 1, Modular(q))


def _random_prime(rng: random.Random, bits: int = 61) -> int:
    low = 2 ** (bits - 1) // _SQUARES
    while True:
        candidate = rng.randrange(low, 2 * low) * _SQUARES - 1
        if is_prime(candidate):
            return candidate


class Rationals:
    """Fractions, for counterexamples that a person can check."""

    exponents: Rationals | None = None

    def number(self, value: Fraction | int) -> Fraction:
        """The number itself."""
        return Fraction(value)

    def reduce(self, x: Any) -> Any:
        """Nothing to do."""
        return x

    def invert(self, x: Fraction) -> Fraction:
        """1/x."""
        if x == 0:
            raise Undecided("division by zero")
        return 1 / Fraction(x)

    def sqrt(self, x: Fraction) -> Fraction:
        """The root, where it is rational."""
        x = Fraction(x)
        if x < 0:
            raise Undecided("root of a negative number")
        root = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
        if root * root != x:
            raise Undecided("an irrational root")
        return root

    def exp(self, u: Fraction) -> Fraction:
        """exp has a rational value at 0 only."""
        if u == 0:
            return Fraction(1)
        raise Undecided("exp of a number other than 0")


class Reals:
    """Floating point, to show a counterexample where exp or a root occurs."""

    exponents: Reals | None = None

    def number(self, value: Fraction | int) -> float:
        """The nearest float."""
        return float(value)

    def reduce(self, x: Any) -> Any:
        """Nothing to do."""
        return x

    def invert(self, x: float) -> float:
        """1/x."""
        if x == 0:
            raise Undecided("division by zero")
        return 1 / x

    def sqrt(self, x: float) -> float:
        """√x."""
        if x < 0:
            raise Undecided("root of a negative number")
        return math.sqrt(x)

    def exp(self, u: float) -> float:
        """exp(u)."""
        return math.exp(min(u, 700.0))


Field = Modular | Rationals | Reals


# Linear algebra in any of these fields


def eye(field: Field, n: int) -> Array:
    """The identity."""
    out = zeros(field, n, n)
    for i in range(n):
        out[i, i] = field.number(1)
    return out


def zeros(field: Field, rows: int, columns: int) -> Array:
    """A matrix of zeros."""
    out = np.empty((rows, columns), dtype=object)
    out[:] = field.number(0)
    return out


def eliminate(field: Field, A: Array) -> tuple[Array, list[int], Any]:
    """Reduced row echelon form of A, its pivot columns, and the product of pivots."""
    A = A.copy()
    pivots: list[int] = []
    product = field.number(1)
    for column in range(A.shape[1]):
        row = len(pivots)
        if row == A.shape[0]:
            break
        below = [i for i in range(row, A.shape[0]) if A[i, column] != 0]
        if not below:
            continue
        if below[0] != row:
            A[[row, below[0]]] = A[[below[0], row]]
            product = -product
        product = field.reduce(product * A[row, column])
        A[row] = field.reduce(A[row] * field.invert(A[row, column]))
        others = A[:, column].copy()
        others[row] = field.number(0)
        if any(others):
            A = field.reduce(A - np.outer(others, A[row]))
        pivots.append(column)
    return A, pivots, product


def inverse(field: Field, A: Array) -> Array:
    """A⁻¹, or `Undecided` if A is singular."""
    n = A.shape[0]
    form, pivots, _ = eliminate(field, np.hstack([A, eye(field, n)]))
    if pivots[:n] != list(range(n)):
        raise Undecided("the inverse of a singular matrix")
    return form[:, n:]


def determinant(field: Field, A: Array) -> Any:
    """det A."""
    _, pivots, product = eliminate(field, A)
    return product if len(pivots) == A.shape[0] else field.number(0)


def solutions(field: Field, A: Array, b: Array) -> tuple[Array, Array] | None:
    """All x with A x = b: one of them, and a basis of Ker A; None if there is none."""
    n = A.shape[1]
    form, pivots, _ = eliminate(field, np.hstack([A, b.reshape(-1, 1)]))
    if n in pivots:
        return None
    x = zeros(field, n, 1)[:, 0]
    for row, column in enumerate(pivots):
        x[column] = form[row, n]
    free = [j for j in range(n) if j not in pivots]
    kernel = zeros(field, n, len(free))
    for k, j in enumerate(free):
        kernel[j, k] = field.number(1)
        for row, column in enumerate(pivots):
            kernel[column, k] = field.reduce(-form[row, j])
    return x, kernel
