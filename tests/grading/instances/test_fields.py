"""Exact arithmetic: primes, roots, exponentials, linear algebra."""

import random
from fractions import Fraction

import numpy as np
import pytest

from kernellab.grading.instances.fields import (
    Rationals,
    Undecided,
    fresh_field,
    is_prime,
)
from kernellab.grading.instances.linear_algebra import (
    determinant,
    eye,
    inverse,
    is_definite,
    solutions,
)


def test_primes_are_those_of_a_sieve():
    sieve = [n for n in range(2, 2000) if all(n % d for d in range(2, int(n**0.5) + 1))]
    assert [n for n in range(2000) if is_prime(n)] == sieve
    assert not is_prime(3215031751)  # a strong pseudoprime to bases 2, 3, 5 and 7
    assert is_prime(2**61 - 1)


@pytest.mark.parametrize("seed", range(5))
def test_a_fresh_prime_has_61_bits_and_small_squares(seed):
    field = fresh_field(random.Random(seed))
    assert field.p.bit_length() == 61
    for n in (2, 3, 5, 7, 11, 13):
        assert field.sqrt(n) ** 2 % field.p == n


def test_primes_differ():
    assert len({fresh_field(random.Random(seed)).p for seed in range(20)}) == 20


def test_roots_multiply_and_tell_signs():
    rng = random.Random(3)
    field = fresh_field(rng)
    x, y = field.draw(rng, "positive"), field.draw(rng, "positive")
    assert field.sqrt(x * y % field.p) == field.sqrt(x) * field.sqrt(y) % field.p
    with pytest.raises(Undecided):
        field.sqrt(-x % field.p)
    draws = [field.draw(rng, "any") for _ in range(50)]
    kept = [field.sqrt(d * d % field.p) == d for d in draws]
    assert any(kept)
    assert not all(kept)  # √(d²) = |d|, not d


def test_exponentials_of_sums_are_products():
    rng = random.Random(4)
    field = fresh_field(rng, with_exp=True)
    below = field.exponents
    u, v = below.draw(rng, "any"), below.draw(rng, "any")
    product = field.exp(u) * field.exp(v) % field.p
    assert field.exp((u + v) % below.p) == product
    assert field.exp(u) != field.exp(v)


@pytest.mark.parametrize("exact", [True, False])
def test_linear_algebra(exact):
    rng = random.Random(5)
    field = Rationals() if exact else fresh_field(rng)
    draw = [[field.number(rng.randrange(-5, 6)) for _ in range(4)] for _ in range(4)]
    A = np.array(draw, dtype=object) + eye(field, 4) * field.number(20)
    A = field.reduce(A)
    R = inverse(field, A)
    assert (field.reduce(A @ R) == eye(field, 4)).all()
    plain = np.array([[int(x) if x < 100 else int(x) - field.p for x in r] for r in A])
    assert determinant(field, A)[0, 0] == field.reduce(
        field.number(round(np.linalg.det(plain)))
    )


def test_solutions_are_all_of_them():
    field = Rationals()
    A = np.array([[1, 2, 3], [2, 4, 6]], dtype=object) * Fraction(1)
    x, kernel = solutions(field, A, np.array([Fraction(1), Fraction(2)], dtype=object))
    assert kernel.shape == (3, 2)
    assert list(A @ x) == [1, 2]
    assert not (A @ kernel).any()
    assert (
        solutions(field, A, np.array([Fraction(1), Fraction(3)], dtype=object)) is None
    )
    with pytest.raises(Undecided):
        inverse(field, A[:, :2])


@pytest.mark.parametrize(
    ("entries", "semidefinite", "definite"),
    [
        ([[2, 1], [1, 2]], True, True),
        ([[1, 1], [1, 1]], True, False),
        ([[0, 1], [1, 5]], False, False),
        ([[1, 2], [2, 1]], False, False),
        ([[0, 0], [0, 3]], True, False),
    ],
)
def test_definiteness(entries, semidefinite, definite):
    A = np.array(entries, dtype=object) * Fraction(1)
    assert is_definite(Rationals(), A, strictly=False) is semidefinite
    assert is_definite(Rationals(), A, strictly=True) is definite
