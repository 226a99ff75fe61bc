"""Kernels from text: what is read, what is refused, and that nothing is evaluated."""

import math

import pytest

from kernellab import kernels as kl
from kernellab.kernels.reader import LEAVES, read_expression, read_kernel
from kernellab.syntax import Unreadable

COMPOSED = (
    2 * kl.Gaussian(sigma=0.5) + kl.Linear() ** 2,
    (kl.Linear() + 1) ** 3 - 0.5 * kl.Constant(2.0),
    kl.exp(kl.Linear() / 2) * kl.Matern(sigma=0.1, nu=1.5),
    kl.Gaussian(sigma=(0.5, 2.0)) ** 0.5,
    -kl.tanh(kl.Linear() - 1),
    kl.normalize(kl.Polynomial(degree=2, c=1.0)),
)


@pytest.mark.parametrize("name", LEAVES)
def test_leaves_are_read_as_they_are_printed(name):
    kernel = LEAVES[name]() if name != "Polynomial" else kl.Polynomial(3)
    assert read_kernel(repr(kernel)) == kernel


@pytest.mark.parametrize("kernel", COMPOSED, ids=repr)
def test_composed_kernels_are_read_as_they_are_printed(kernel):
    assert repr(read_kernel(repr(kernel))) == repr(kernel)


def test_numbers_are_exact_as_long_as_they_are_fractions():
    assert read_kernel("Gaussian(sigma=0.1 + 0.2)") == kl.Gaussian(sigma=0.3)
    assert read_kernel("Polynomial(degree=6/2)").degree == 3
    assert read_kernel("Gaussian(sigma=√2·π)").sigma == math.sqrt(2) * math.pi
    assert read_kernel("Gaussian(sigma=exp(1)^2)").sigma == math.exp(1) ** 2


def test_names_stand_for_what_is_given():
    known = {"k1": kl.Linear()}
    assert read_expression("k1 * k1", known) == kl.Linear() * kl.Linear()
    assert read_expression("1/4") == 0.25
    with pytest.raises(Unreadable, match="`Linear` is not known here"):
        read_expression("Linear()", known, leaves={"Gaussian": kl.Gaussian})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "write an expression"),
        ("1 + 1", "is not a kernel"),
        ("Linear", "needs brackets"),
        ("Linear(", "1 bracket is opened, 0 are closed"),
        ("Linear() @ Linear()", "only + - * / ** join kernels"),
        ("Linear() ** Linear()", "an exponent is a number"),
        ("Linear() ** 65", "an exponent is at most 64"),
        ("Linear() + 1/0", "or has no value"),
        ("Linear() * sqrt(-1)", "or has no value"),
        ("Linear() * 1e999", "too large or too small"),
        ("Linear() * (1e200*exp(1)*1e200 - 1e200*exp(1)*1e200)", "too large"),
        ("Linear() * True", "`True` is not a number"),
        ("Gaussian(width=1)", "width"),
        ("Gaussian(**1)", "is not allowed in a call"),
        ("Linear().__class__", "is not known here"),
        ("Linear().__reduce__()", "the methods of a kernel are"),
        ("open('x')", "is not a number"),
        ("__import__('os')", "is not a number"),
        ("(lambda: 1)()", "is not known here"),
        ("Linear() if 1 else 2", "not part of the language"),
    ],
)
def test_what_is_refused(text, says):
    with pytest.raises(Unreadable) as error:
        read_kernel(text)
    assert says in str(error.value)


def test_large_kernels_are_refused():
    text = "Linear()"
    for _ in range(6):
        text = f"({text} + {text})"
    with pytest.raises(Unreadable, match="more than 60 parts"):
        read_kernel(text)
    with pytest.raises(Unreadable, match="too long, or nested too deep"):
        read_kernel("-" * 100 + "Linear()")


def test_towers_of_powers_are_not_computed():
    for text in ("9**9**9", "(" * 9 + "9" + "**64)" * 9, "2**(-9**9)"):
        with pytest.raises(Unreadable, match="too large"):
            read_kernel(f"Linear() * {text}")


@pytest.mark.parametrize(
    ("formula", "kernel"),
    [
        ("x*y", kl.Linear()),
        ("x@z", kl.Linear()),
        ("x.T@x'", kl.Linear()),
        ("-x*y", -1 * kl.Linear()),
        ("2*x*y/4 + 1", 0.5 * kl.Linear() + 1),
        ("x**2*y**2", kl.Linear() ** 2),
        ("exp(x*y)", kl.exp(kl.Linear())),
        ("exp(-(x - y)**2)", kl.Gaussian(sigma=0.5**0.5)),
        ("exp(-(y - x)^2/(2*0.5^2))", kl.Gaussian(sigma=0.5)),
        ("exp(-‖x−x'‖²/2)", kl.Gaussian(sigma=1)),
        ("exp((x - y)**2/2)", 1 / kl.Gaussian(sigma=1)),
        ("exp(-|x - z|/3)", kl.Exponential(sigma=3)),
        ("cos(3*(x - y))", kl.Cosine(omega=3)),
        ("min(x, y)", kl.Brownian()),
    ],
)
def test_formulas_of_two_points(formula, kernel):
    assert read_kernel(formula) == kernel


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("x + y", "cannot be read as a kernel"),
        ("x**2*y", "not symmetric"),
        ("exp(-(x - x)**2)*y", "cannot be read|not symmetric"),
        ("x*y*z", "not symmetric"),
        ("open(x, y)", "cannot be read as a kernel"),
    ],
)
def test_formulas_that_are_refused(formula, message):
    with pytest.raises(Unreadable, match=message):
        read_kernel(formula)
