"""How far d reaches: to the one factor behind it."""

import pytest

from kernellab.grading import check_derivation
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reader import read
from kernellab.grading.problems import find

LIKELIHOOD = find("likelihood-gradient")
WORDS = LIKELIHOOD.words(frozenset(LIKELIHOOD.table))

SAME = [
    ("d(y.T)@inv(C)@y", r"dy^\top C^{-1} y"),
    ("d(y.T)@inv(C)@y", r"d y^TC^{-1} y"),
    ("d(y.T)@inv(C)@y", r"\mathrm{d}\mathbf{y}^{\mathsf{T}} C^{-1} y"),
    ("d(y.T)@inv(C)@y", "dy.T@inv(C)@y"),
    ("d(C)@inv(C)", "d C C^{-1}"),
    ("d(C)@alpha", r"\partial C \alpha"),
    ("d(inv(C))@C", "d(C^{-1}) C"),
    ("inv(d(C))@C", "d(C)^{-1} C"),
    ("d(log(det(C)))*L", r"d \log\det C L"),
    ("d(log(det(C)))*L", "d logdet(C) L"),
    ("d(norm2(y))*L", r"d \|y\|^2 L"),
    ("d(sum(y[n] for n in N))", r"d \sum_{n=1}^N y_n"),
    ("d(1/2*y.T@y)", r"d \tfrac12 y^T y"),
    ("d(y.T@inv(C)@y)", r"\frac{d}{d\theta} y^T C^{-1} y"),
    ("d(inv(C))", r"\partial C^{-1}/\partial\theta"),
]


@pytest.mark.parametrize(("plain", "written"), SAME)
def test_d_takes_one_factor(plain, written):
    one, two = (read(f"L = {side}", WORDS) for side in (plain, written))
    assert str(one).replace("@", "*") == str(two).replace("@", "*")


@pytest.mark.parametrize(
    "line",
    [
        "dC C^{-1} + C dC^{-1} = 0",
        "L = d C^{-1}",
        r"L = \mathrm{d}C^{-1}",
        "L = dC**-1",
        r"L = \partial C^{-1} C",
    ],
)
def test_d_of_a_power_takes_brackets(line):
    with pytest.raises(ReadError, match=r"d\(C\^{-1}\) or \(dC\)\^{-1}"):
        read(line, WORDS)


def test_d_of_a_column_that_does_not_move_is_nothing():
    lines = [
        "C C^{-1} = I",
        "dC C^{-1} + C d(C^{-1}) = 0",
        "d(C^{-1}) = -C^{-1} dC C^{-1}",
        "dQ = dy^T C^{-1} y",
        "dQ = dy^T C^{-1} y + y^T d(C^{-1}) y + y^T C^{-1} dy",
    ]
    report = check_derivation("derivative-of-the-inverse", "\n".join(lines), seed=0)
    assert [line.ok for line in report.lines] == [True, True, True, False, True]
