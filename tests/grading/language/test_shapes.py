"""Shapes: slips are said first, in words."""

import pytest

from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.problems import find

RIDGE = find("ridge-dual")

SLIPS = {
    "(K + lam)@a = t": "K is N×N, lam is a number: they cannot be added",
    "K*a = t": "write @ for the matrix product",
    "w = inv(Phi)@t": "only a square matrix has an inverse",
    "K@a + lam = t": "they cannot be added",
    "t.T = a": "differ in shape",
    "a = t/K": "one divides by numbers only",
    "a = t/0": "divide by 0",
    "J = a**2": "only a square matrix or a number has powers",
    "K = K**9": "not a whole number up to 8",
    "a >= t": "a is N×1: only numbers can be compared",
    "exp(K) = 1": "K is N×N: exp takes a number",
    "I = I": "the size of I is not clear",
    "J = sum(t[n]*w[n] for n in N)": "the index n runs in N",
    "J = sum(sum(t[n] for n in N) for n in N)": "two sums at once",
    "J = K[n]": "differ in shape",
    "J = a[0]": "use an index",
    "grad(a,a) = 0": "only a number has a gradient",
    "J = norm(a)": "squared norm",
    "J = |a|": "only the squared norm",
    "J = K@w": "their product has no meaning",
    "J = Phi@t": "Phi is N×M, t is N×1: their product has no meaning",
    "J = sum(t*w)": "entry by entry",
    "J = ones.T@ones": "the size of ones is not clear",
    "lam' = 0": "another symbol",
    "a = t ones": "the size of ones is not clear",
    "J_a = 0": "J is a number: it has no index",
}


@pytest.mark.parametrize(("text", "words"), SLIPS.items())
def test_slips(text, words):
    with pytest.raises(ShapeError) as caught:
        RIDGE.parse(text)
    assert words in str(caught.value).replace("`", "")


def test_sizes_of_the_identity_come_from_the_context():
    relation = RIDGE.parse(
        "inv(Phi.T@Phi + lam*I)@Phi.T = Phi.T@inv(Phi@Phi.T + lam*I)"
    )
    sizes = [n.data for side in relation.sides for n in side.walk() if n.op == "eye"]
    assert sizes == ["M", "N"]


def test_zero_takes_any_shape():
    assert RIDGE.parse("K@a - t = 0").sides[1].shape == ("N", "1")
