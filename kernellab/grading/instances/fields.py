"""Exact arithmetic: integers modulo a random prime, fractions, and long decimals.

A false polynomial identity of degree d survives a random instance modulo p with
probability at most d/p (Schwartz and Zippel): below 10⁻¹⁶ for a 61-bit prime. The prime
is drawn afresh for every setting, so that no literal can be chosen to vanish.

Two functions of the reals have exact counterparts:

- √x = x^((p+1)/4), which is multiplicative, and squares to x where x is a square; what
  is declared positive is drawn as a square, and 2, 3, 5, 7, 11 and 13 are squares
  because p ≡ −1 (mod 8·3·5·7·11·13);
- exp: arguments live modulo another prime q that divides p − 1, and exp(u) = g^u with
  g of order q, so that exp(u + v) = exp(u) exp(v).
"""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]  # of numbers of a field, dtype object
DIGITS = 120  # of the decimals
CLOSE = Decimal("1e-40")  # what counts as 0 in decimals
MAX_EXPONENT = 60  # of exp in decimals: e⁶⁰ < 10²⁷, so that CLOSE is far from rounding
_SQUARES = 8 * 3 * 5 * 7 * 11 * 13
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_SMALL = (1, -1, 2, 1, -2, 3, 0)
_SMALL_NONNEGATIVE = (1, 2, 0, 1, 3)


class Undecided(Exception):
    """The instance cannot decide: an expression has no value there."""


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
    """The integers modulo a prime.

    Parameters
    ----------
    p : the prime.
    exponents : the field in which the arguments of exp live, or None.
    """

    ordered = False

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
        """Return a rational number as an element of the field."""
        if value.denominator == 1:
            return value.numerator % self.p
        return value.numerator * self.invert(value.denominator) % self.p

    def reduce(self, x: Any) -> Any:
        """Bring the result of + − × back into the field."""
        return x % self.p

    def is_zero(self, x: int) -> bool:
        """Tell whether a reduced number is 0."""
        return x == 0

    def invert(self, x: int) -> int:
        """Return 1/x."""
        if x % self.p == 0:
            raise Undecided("division by zero")
        return pow(int(x), -1, self.p)

    def sqrt(self, x: int) -> int:
        """Return the root that is a square itself; a non-square has no value."""
        root = pow(int(x), (self.p + 1) // 4, self.p)
        if root * root % self.p != x % self.p:
            raise Undecided("root of a negative number")
        return root

    def exp(self, u: int) -> int:
        """Return g^u for an exponent u of the field below."""
        return pow(self.generator, int(u), self.p)

    def draw(self, rng: random.Random, kind: str) -> int:
        """Return a random element other than 0; a square for what is not negative."""
        x = rng.randrange(1, self.p)
        return x * x % self.p if kind in ("positive", "nonneg") else x


def fresh_field(rng: random.Random, with_exp: bool = False) -> Modular:
    """Return a field modulo a random prime, with exponents below if exp occurs."""
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
    """Fractions, for bounds, and for counterexamples that a person can check.

    Parameters
    ----------
    small : whether small whole numbers are drawn, rather than fractions.
    """

    ordered = True
    exponents = None

    def __init__(self, small: bool = True) -> None:
        self.small = small

    def number(self, value: Fraction | int) -> Fraction:
        """Return the number itself."""
        return Fraction(value)

    def reduce(self, x: Any) -> Any:
        """Return x: there is nothing to reduce."""
        return x

    def is_zero(self, x: Fraction) -> bool:
        """Tell whether x is 0."""
        return x == 0

    def invert(self, x: Fraction) -> Fraction:
        """Return 1/x."""
        if x == 0:
            raise Undecided("division by zero")
        return 1 / Fraction(x)

    def sqrt(self, x: Any) -> Any:
        """Raise `Undecided`: roots, exp and log are for decimals."""
        raise Undecided("an irrational number")

    exp = log = sqrt

    def draw(self, rng: random.Random, kind: str) -> Any:
        """Return a small whole number, or a fraction."""
        if not self.small:
            least = {"positive": 1, "nonneg": 0}.get(kind, -30)
            large, small = rng.choice(((30, 9), (9, 30)))
            top = rng.randint(max(least, -large), large)
            return self.number(Fraction(top, rng.randint(1, small)))
        if kind == "positive":
            return self.number(rng.choice((1, 2, 3)))
        return self.number(
            rng.choice(_SMALL_NONNEGATIVE if kind == "nonneg" else _SMALL)
        )


class Reals(Rationals):
    """Long decimals, where exp, log, π or a root occurs.

    Arithmetic must run inside ``decimal.localcontext(prec=DIGITS)``.
    """

    def number(self, value: Fraction | int) -> Any:
        """Return the nearest decimal."""
        value = Fraction(value)
        return Decimal(value.numerator) / Decimal(value.denominator)

    def is_zero(self, x: Any) -> bool:
        """Tell whether x is 0 but for rounding."""
        return bool(abs(x) < CLOSE)

    def invert(self, x: Any) -> Any:
        """Return 1/x."""
        if self.is_zero(x):
            raise Undecided("division by zero")
        return 1 / x

    def sqrt(self, x: Any) -> Any:
        """Return √x."""
        if x < 0:
            raise Undecided("root of a negative number")
        return x.sqrt()

    def exp(self, u: Any) -> Any:
        """Return exp(u); no value where it would leave the range of precision."""
        if abs(u) > MAX_EXPONENT:
            raise Undecided("exp of a large number")
        return u.exp()

    def log(self, x: Any) -> Any:
        """Return log x."""
        if x <= 0:
            raise Undecided("log of a negative number")
        return x.ln()


Field = Modular | Rationals
PI = Decimal(
    "3.141592653589793238462643383279502884197169399375105820974944"
    "59230781640628620899862803482534211706798214808651328230664709"
)
