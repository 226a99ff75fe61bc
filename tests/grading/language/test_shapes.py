"""Shapes: slips are said first, in words, with what was probably meant."""

import pytest

from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.problems import find

RIDGE = find("ridge-dual")

SLIPS = {
    "(K + lam)@a = t": "lam is a number: lam*I was meant?",
    "K*a = t": "write @ for the matrix product",
    "w = inv(Phi)@t": "only a square matrix has an inverse",
    "K@a + lam = t": "they cannot be added",
    "t.T = a": "a.T was meant?",
    "a = t/K": "one divides by numbers only",
    "a = t/0": "divide by 0",
    "J = a**2": "only a square matrix or a number has powers",
    "K = K**9": "not a whole number up to 8",
    "a >= 0": "only numbers can be compared",
    "I = I": "the size of I is not clear",
    "J = sum(t[n]*w[n] for n in N)": "the index n runs in N",
    "J = sum(sum(t[n] for n in N) for n in N)": "two sums at once",
    "J = K[n]": "differ in shape",
    "J = a[0]": "use an index",
    "grad(a,a) = 0": "only a number has a gradient",
    "J = norm(a)": "squared norm",
    "J = |a|": "only the squared norm",
    "J = K@w": "their product has no meaning",
    "J = Phi@t": "Phi.T@t was meant?",
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
