"""Counterexamples: small, real, and checked by hand."""

import random
from contextlib import suppress

import pytest

from kernellab.grading.instances.counterexamples import smallest
from kernellab.grading.instances.repairs import repairs
from kernellab.grading.instances.truth import is_true
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.language.tree import sym
from kernellab.grading.symbols import Symbol
from tests.grading.lines import Lines


def found(lines, text):
    """The smallest counterexample to a line."""
    return smallest(lines.setting, *lines.read(text))


def test_a_lost_factor_is_shown_in_numbers():
    example = found(Lines("ridge-expand"), "J = norm2(t - K@a) + lam*a.T@a")
    Phi, t, a, lam = (example.values[name] for name in ("Phi", "t", "a", "lam"))
    K = Phi * Phi
    assert example.left == (t - K * a) ** 2 + lam * a * K * a
    assert example.right == (t - K * a) ** 2 + lam * a * a
    assert example.left != example.right
    assert f"the left side is `{example.left}`" in str(example)


def test_equations_in_force_hold_in_it():
    lines = Lines("ridge-dual", optimal=True)
    example = found(lines, "(K + lam*I)@a = t")
    Phi, t, a, lam = (example.values[name] for name in ("Phi", "t", "a", "lam"))
    assert Phi * Phi * ((Phi * Phi + lam) * a - t) == 0
    assert found(lines, "K@((K + lam*I)@a - t) = 0") is None


def test_the_failing_entry_is_named():
    example = found(Lines("ridge-dual"), "K[n,m] = phi[n].T@phi[n]")
    assert set(example.values) == {"n", "m", "Phi"}
    n, m = example.values["n"], example.values["m"]
    Phi = example.values["Phi"]
    assert example.left == sum(Phi[n] * Phi[m])
    assert example.right == sum(Phi[n] * Phi[n])


@pytest.mark.parametrize(
    ("problem", "line", "names"),
    [
        ("trace-term", "d(T) = tr(dK) - tr(d(C)@inv(A)@C.T)", "K A C dK dA dC"),
        ("derivative-of-the-inverse", "d(inv(C)) = inv(C)@d(C)@inv(C)", "C dC"),
        ("likelihood-gradient", "d(L) = 0", "N C dC y"),
        ("likelihood-gradient", "d(y) = y", "y"),
        ("centred-gram", "H = I - ones(N)@ones(N).T", "N"),
    ],
)
def test_all_that_a_line_depends_on_is_shown(problem, line, names):
    assert set(found(Lines(problem), line).values) == set(names.split())


def test_roots_and_exponentials_are_shown_in_decimals():
    lines = Lines("gaussian-factors")
    example = found(lines, "k = exp(-norm2(x - z)/s**2)")
    assert 0 < example.left <= 1
    assert example.left != example.right


def test_the_first_link_that_fails_is_shown():
    example = found(Lines("gap-is-residual"), "lam = lam >= lam + 1")
    assert example.right - example.left == 1


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ("t.T@t - a.T@K@t + a.T@K@K@a + lam*a.T@K@a", "a factor 2 was lost"),
        ("t.T@t + 2*a.T@K@t + a.T@K@K@a + lam*a.T@K@a", "a sign is wrong"),
        ("norm2(t - K@a) + lam*a.T@K@K@a", "the factor `K` is too many"),
    ],
)
def test_one_edit_repairs_a_slip(wrong, what):
    lines = Lines("ridge-expand")
    relation, _ = lines.read(f"J = {wrong}")
    rng = random.Random(0)
    for repair in repairs(relation.sides[1], lines.setting.symbols):
        with suppress(ShapeError):
            mended, free = lines.read(f"J = {repair.side}")
            if is_true(lines.setting, mended, free, rng):
                break
    assert repair.what == what


def test_a_repair_edits_one_place_of_what_occurs_twice():
    a = sym("a", ("N", "1"))
    square = a.T @ a  # one and the same object, on both sides
    symbols = {"K": Symbol("K", ("N", "N"), "psd")}
    assert "a.T@(K@a)" in {str(repair.side) for repair in repairs(square, symbols)}


EDITS = {
    "k.T@(K + lam*I)@t": "k.T@inv(K + lam*I)@t",
    "k.T@inv(K + I)@t": "k.T@inv(K + lam*I)@t",
    "lam*a.T@a": "lam*a.T@K@a",
    "2*lam*a": "2*lam*K@a",
    "-2*(t - K@a)": "-2*K@(t - K@a)",
    "t.T@t/(2*lam)": "t.T@t/(2*lam**2)",
    "lam*norm2(a)": "lam*norm2(w)",
    "sum(a[n]*phi[n] for n in N)": "sum(t[n]*a[n]*Phi[n] for n in N)",
}


@pytest.mark.parametrize(("wrong", "right"), EDITS.items())
def test_an_edit_is_written_as_a_person_writes_it(wrong, right):
    lines = Lines("ridge-predictor")
    sides = (str(edit.side) for edit in repairs(lines.side(wrong), lines.problem.table))
    assert str(lines.side(right)) in sides


def test_what_an_edit_changes_is_shown_where_it_occurs_once():
    lines = Lines("gaussian-factors")
    side = lines.side("exp(-(norm2(x) + 2*x.T@z + norm2(z))/(2*s**2))")
    found = {edit.difference() for edit in repairs(side, lines.problem.table)}
    assert ("2*x.T@z", "-2*x.T@z") in found
    assert all(str(side).count(old) == 1 for old, _ in found)
