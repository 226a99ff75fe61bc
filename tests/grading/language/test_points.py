"""The argument of a function is not read: in one line there may be only one."""

import pytest

from kernellab.grading import check_derivation
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reader import read
from kernellab.grading.problems import find

TWO_POINTS = [
    ("representer", "J(w) = J(u)"),
    ("representer", "J(u) = J(a)"),
    ("representer", "J(w) <= J(u)"),
    ("hyperplane-distance", "r(u) = r(x)"),
    ("hyperplane-distance", "L(u) = L(x)"),
    ("lagrange-sufficient", "f(w) = f(c)"),
    ("lagrange-sufficient", "L(w) = L(beta)"),
    ("gap-is-residual", "D(a) = D(t)"),
    ("process-is-ridge", "f(x) = f(x_*)"),
    ("process-is-ridge", "k(x_i) = k(x_j)"),
    ("power-method-step", "p(z) = p(y)"),
    ("local-is-global", "f1(w) <= f1(v)"),
    ("ridge-dual", "J(w_*) <= J(w)"),
    ("ridge-dual", r"J(w_*) \le J(\Phi^\top a)"),
    ("ridge-dual", "J(t) = J(a)"),
]


@pytest.mark.parametrize(("problem", "line"), TWO_POINTS)
def test_a_function_at_two_points_is_refused(problem, line):
    asked = find(problem)
    with pytest.raises(ReadError, match="in one line"):
        read(line, asked.words(frozenset(asked.table)))


ONE_POINT = [
    ("ridge-dual", "J(w) = J(a)"),
    ("ridge-dual", r"J(w) = J(\Phi^\top a)"),
    ("ridge-dual", r"J(\Phi^\top a) = J(a)"),
    ("ridge-dual", "J(w) = J"),
    ("svm-dual", "L(w,b,alpha) = L(alpha)"),
    ("lagrange-sufficient", "L(w,beta) = L(w)"),
    ("lagrange-sufficient", "f(w_*) = f(w)"),
]


@pytest.mark.parametrize(("problem", "line"), ONE_POINT)
def test_one_point_may_be_written_in_several_ways(problem, line):
    asked = find(problem)
    assert read(line, asked.words(frozenset(asked.table)))


ANOTHER_POINT = [
    ("representer", r"J(w) \ge J(\Phi^\top a)", "J"),
    ("gap-is-residual", r"h = J(\Phi^\top a) - D(a)", "J"),
    ("nystroem-projection", r"J(A^{-1} c) = f^T f - c^T A^{-1} c", "J"),
    ("nystroem-projection", "J(0) = f^T f", "J"),
]


@pytest.mark.parametrize(("problem", "line", "name"), ANOTHER_POINT)
def test_a_function_at_another_point_is_to_be_written_out(problem, line, name):
    (judged,) = check_derivation(problem, line, seed=0).lines
    assert f"write out what {name} is there" in judged.message
    assert f"{name}*(" not in judged.message
