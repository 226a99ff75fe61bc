"""The parts of the search: matching, elimination, the linear programme."""

import random
from fractions import Fraction

import pytest

from kernellab.grading.instances.fields import fresh_field
from kernellab.grading.instances.making import make
from kernellab.grading.problem import Problem
from kernellab.grading.proving.cofactors import Elimination
from kernellab.grading.proving.entailment import combination
from kernellab.grading.proving.matching import Premise, rows
from kernellab.grading.proving.networks import COLUMN, ROW, Algebra, TooLarge
from kernellab.grading.proving.simplex import nonnegative_solution
from kernellab.grading.proving.translation import Scope, Translator
from kernellab.grading.work import Work
from tests.grading.lines import Lines
from tests.grading.proving.random_expressions import Expressions, poly_value

# Where t stands for Ka, every row of the premise Ka = t is 0.
SYMBOLS = "K : N x N\na : N\nB : M x N\nt : N = K@a"
SIZES = {"N": 2, "M": 3}
SHAPE = {"1": (), "N": ("N",), "M": ("M",)}


class Algebraic:
    """Expressions of these symbols, as polynomials in which t is closed."""

    def __init__(self, symbols: str, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines = Lines(Problem("test", symbols, ()))
        self.algebra = Algebra()
        self.t = Translator(self.algebra, Scope(self.lines.setting.symbols))
        shapes = {n: s.shape for n, s in self.lines.setting.symbols.items()}
        self.texts = Expressions(shapes, self.rng)

    def poly(self, text):
        return self.t(self.lines.side(text))

    def premise(self, left, right, *sizes):
        poly = self.algebra.subtract(self.poly(left), self.poly(right))
        return Premise(
            ("line", 1, 0), poly, dict(zip((ROW, COLUMN), sizes, strict=False))
        )


def test_every_row_of_a_premise_is_zero_where_the_premise_holds():
    case = Algebraic(SYMBOLS, 3)
    it = make(case.lines.setting, fresh_field(case.rng), SIZES, case.rng)
    premise = case.premise("K@a", "t", "N")
    found = 0
    for _ in range(300):
        shape = (case.rng.choice(("1", "N", "M")), "1")
        free = {ROW: shape[0]} if shape[0] != "1" else {}
        try:
            poly = case.poly(case.texts.write(shape, 3))
        except TooLarge:
            continue
        for term in list(poly)[:6]:
            for row in rows(case.algebra, term, free, premise):
                assert not poly_value(it, case.algebra, row.poly).any()
                found += 1
    assert found > 100


def test_a_row_contains_the_term_that_it_was_made_for():
    case = Algebraic(SYMBOLS, 4)
    premise = case.premise("K@a", "t", "N")
    for text in ("B@K@a", "t.T@K@a", "(a.T@t)**2", "a.T@K.T@K@a", "B@t"):
        ((term, _),) = case.poly(text).items()
        found = rows(case.algebra, term, {ROW: "M"}, premise)
        assert found, text
        assert all(term in row.poly for row in found), text


FOLLOWS = {
    "B@K@a = B@t": True,
    "a.T@K.T@K@a = t.T@t": True,
    "t.T@K@a - a.T@K.T@t = 0": True,
    "(a.T@K@a)**2 = (a.T@t)**2": True,
    "K.T@a = t": False,
    "a = t": False,
    "a.T@K.T@K.T@a = t.T@t": False,
    "K@B.T = t@ones(M).T": False,
}


@pytest.mark.parametrize(("text", "follows"), FOLLOWS.items())
def test_what_is_a_combination_of_a_premise(text, follows):
    case = Algebraic(SYMBOLS, 5)
    relation, _ = case.lines.read(text)
    left, right = relation.sides
    shape = left.shape if left.shape != ("1", "1") else right.shape
    free = {i: s for i, s in zip((ROW, COLUMN), shape, strict=True) if s != "1"}
    target = case.algebra.subtract(case.t(left), case.t(right))
    found = combination(case.algebra, target, free, [case.premise("K@a", "t", "N")])
    assert (found is not None) == follows


def random_poly(rng, terms=12):
    """A sparse polynomial in numbers 0 … 11, with small coefficients."""
    chosen = rng.sample(range(terms), rng.randint(1, 5))
    return {
        (((k, 1),), ()): Fraction(rng.randint(1, 9), rng.randint(1, 5)) for k in chosen
    }


def mixed(polys, coefficients):
    total = {}
    for poly, c in zip(polys, coefficients, strict=True):
        for term, value in poly.items():
            total[term] = total.get(term, 0) + c * value
    return {term: value for term, value in total.items() if value}


@pytest.mark.parametrize("seed", range(20))
def test_elimination_finds_a_combination_exactly(seed):
    rng = random.Random(seed)
    polys = [random_poly(rng) for _ in range(8)]
    elimination = Elimination(Work())
    for poly in polys:
        elimination.add(poly)
    target = mixed(
        polys, [Fraction(rng.randint(-6, 6), rng.randint(1, 4)) for _ in polys]
    )
    found = elimination.combination(target)
    assert mixed(polys, [found.get(k, 0) for k in range(8)]) == target
    outside = {**target, (((99, 1),), ()): Fraction(1)}
    assert elimination.combination(outside) is None


def test_coefficients_of_any_size_are_found_exactly():
    elimination = Elimination(Work())
    x, large = (((1, 1),), ()), Fraction(2**70 + 1, 3**45)
    elimination.add({x: 1})
    assert elimination.combination({x: large}) == {0: large}


@pytest.mark.parametrize("seed", range(20))
def test_the_programme_finds_coefficients_that_are_not_negative(seed):
    rng = random.Random(seed)
    columns = [{i: Fraction(rng.randint(-4, 4)) for i in range(5)} for _ in range(7)]
    weights = [rng.choice((0, 0, 1, 2, Fraction(1, 3))) for _ in columns]
    target = {
        i: sum(w * column[i] for w, column in zip(weights, columns, strict=True))
        for i in range(5)
    }
    found = nonnegative_solution(columns, target, Work())
    assert all(x >= 0 for x in found.values())
    for i in range(5):
        assert sum(x * columns[k][i] for k, x in found.items()) == target[i]


@pytest.mark.parametrize("seed", range(20))
def test_the_programme_refuses_what_a_half_space_excludes(seed):
    """All columns satisfy h·x ≥ 0, and the target does not (Farkas)."""
    rng = random.Random(seed)
    h = [rng.randint(-3, 3) for _ in range(4)]
    h[0] = 1
    columns = []
    for _ in range(6):
        column = [Fraction(rng.randint(-4, 4)) for _ in range(4)]
        column[0] += abs(sum(a * b for a, b in zip(h, column, strict=True)))
        columns.append(dict(enumerate(column)))
    target = [Fraction(rng.randint(-4, 4)) for _ in range(4)]
    target[0] -= abs(sum(a * b for a, b in zip(h, target, strict=True))) + 1
    assert nonnegative_solution(columns, dict(enumerate(target)), Work()) is None
