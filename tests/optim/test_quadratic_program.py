"""Quadratic programs: random ones prove themselves, duals, no solution, messages."""

import math
import warnings

import numpy as np
import pytest

from kernellab.errors import InputError
from kernellab.optim import (
    QuadraticProgram,
    Unbounded,
    examples,
    hard_margin,
)


def random_program(rng):
    """Feasible, bounded, of any rank, with redundant and active constraints."""
    d = int(rng.integers(1, 6))
    k, m = int(rng.integers(1, 7)), int(rng.integers(0, d))
    F = rng.normal(size=(int(rng.integers(0, d + 1)), d))
    A, E = rng.normal(size=(k, d)), rng.normal(size=(m, d))
    inside = rng.normal(size=d)
    b = A @ inside + rng.exponential(size=k) * (rng.random(k) < 0.6)
    # q in the cone that bounds the objective below.
    q = F.T @ rng.normal(size=len(F)) - A.T @ rng.exponential(size=k)
    return QuadraticProgram(F.T @ F, q, A, b, E, E @ inside)


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_prove_themselves(seed):
    rng = np.random.default_rng(seed)
    p = random_program(rng)
    solution = p.solve()
    scale = 1 + abs(solution.value) + np.abs(solution.w).max()
    assert solution.kkt.holds(1e-8 * scale)
    proved = p.theta_D(solution.alpha, solution.beta)
    assert abs(solution.value - proved) <= 1e-8 * scale
    dual = p.solve_dual()
    assert dual.value == pytest.approx(solution.value, abs=1e-7 * scale)
    trial = p.check_weak_duality(rng, 10)
    assert trial.holds
    assert trial.best_primal >= solution.value - 1e-7 * scale
    assert trial.best_dual <= solution.value + 1e-7 * scale


def test_the_dual_of_the_dual_has_the_same_value():
    p = random_program(np.random.default_rng(7))
    twice = p.dual().dual().solve().value
    assert twice == pytest.approx(p.solve().value)


def test_without_constraints_there_is_a_solution_and_no_dual():
    p = QuadraticProgram([[2.0]], [-2.0])
    assert p.solve().w == pytest.approx([1.0])
    with pytest.raises(InputError, match="without constraints"):
        p.dual()


def test_the_dual_of_the_hard_margin_is_the_one_on_paper():
    data = examples.separable_data()
    dual = hard_margin(data.X, data.y).dual()
    K = data.X @ data.X.T
    assert np.allclose(dual.Q, np.outer(data.y, data.y) * K)
    assert np.allclose(dual.q, -1)
    assert np.allclose(dual.E * np.sign(dual.E[0, 0]), data.y * np.sign(data.y[0]))
    assert np.allclose(dual.e, 0)
    assert dual.name == "dual of hard margin"


def test_unbounded_programs():
    with pytest.raises(Unbounded, match="which no constraint stops"):
        QuadraticProgram([[0.0]], [1.0]).solve()
    with pytest.raises(Unbounded, match=r"direction \[-1"):
        QuadraticProgram([[0.0]], [1.0], [[1.0]], [0.0]).solve()
    assert examples.contradiction().problem.solve_dual().value == -math.inf
    empty = QuadraticProgram([[1.0]], [0.0], [[1.0], [-1.0]], [-1.0, -1.0])
    assert empty.solve_dual().value == math.inf


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0, 0.0]], [1.0]), r"Q must have shape \(1, 1\)"),
        (([[0.0, 1.0], [0.0, 0.0]], [0.0, 0.0]), "symmetric"),
        (([[math.nan]], [0.0]), "Q must be finite"),
        (([[-1.0]], [0.0]), "Q must be positive semi-definite"),
        (([[1.0]], [0.0], [[1.0]]), "give both A and b"),
        (([[1.0]], [0.0], [[1.0, 2.0]], [1.0]), r"A must have shape \(·, 1\)"),
        (([[1.0]], [0.0], [[1.0]], [1.0, 2.0]), r"b must have shape \(1,\)"),
        (([[1.0]], [0.0], [[math.inf]], [1.0]), "A must be finite"),
    ],
)
def test_programs_say_what_is_wrong(arguments, message):
    with pytest.raises(InputError, match=message):
        QuadraticProgram(*arguments)


def test_no_warnings_from_a_clean_solve():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for make in (
            examples.parabola,
            examples.idle_constraint,
            examples.plain_equality,
        ):
            make().problem.solve()
