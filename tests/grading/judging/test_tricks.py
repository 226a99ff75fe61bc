"""Tricks with cases and induction: what is supposed in one place holds only there."""

import pytest

from kernellab.grading import answer

TRICKS = {
    "weaker conclusion": (
        "one-more-variable",
        """
base: 0 >= 0
d = 0 | induction hypothesis
d >= 0 | by induction
d = 0
c = 0 | induction hypothesis
c >= 0 | by induction
c = 0
c = d*(d+1)/2
t = 0 | induction hypothesis
t >= 0 | by induction
t = 0
t = d*(d+1)*(d+2)/6
""",
    ),
    "divided in one case": (
        "same-values",
        """
case norm2(K@a - K@c) = 0
norm2(K@a - K@c) = 0
case norm2(K@a - K@c) > 0
1 = 0
u - w = (u - w)*norm2(K@a - K@c)/norm2(K@a - K@c) = 0 | in all cases
u = w
h = c.T@K@c
""",
    ),
    "zero over zero": (
        "lagrange-sufficient",
        """
case (dot(beta, B@w - d) + f - L) = 0
(dot(beta, B@w - d) + f - L) = 0
case (dot(beta, B@w - d) + f - L) > 0
(dot(beta, B@w - d) + f - L) = 0
case (dot(beta, B@w - d) + f - L) < 0
(dot(beta, B@w - d) + f - L) = 0
r = r*(dot(beta, B@w - d) + f - L)/(dot(beta, B@w - d) + f - L) = 0 | in all cases
r >= 0
""",
    ),
    "independence in one case": (
        "decorrelation",
        """
z = f | let z
case norm2(k) = 0
k = 0
cov(z,y) = 0
m = f - z | independence
m = 0
s2 = cov(z,z) | independence
s2 = kss
case norm2(k) > 0
kss = kss
m = 0 | in all cases
""",
    ),
    "no step": (
        "one-more-variable",
        """
base: 0 = 0
c = d*(d+1)/2 | induction hypothesis
c = d*(d+1)/2 | by induction
base: 0 = 0
t = d*(d+1)*(d+2)/6 | induction hypothesis
t = d*(d+1)*(d+2)/6 | by induction
""",
    ),
    "case is no hypothesis": (
        "one-more-variable",
        """
case d = 0
d = 0
case d > 0
1 = 0
c = 17
""",
    ),
}


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_earns_nothing(name: str) -> None:
    question, text = TRICKS[name]
    graded = answer(question, text)
    assert graded.status != "right"
    assert graded.points == 0


def test_a_case_may_be_about_a_product_in_the_syntax_of_numpy() -> None:
    report = str(answer("weighted-kernel", "case v.T@v = 0\nv.T@v = 0"))
    assert "I do not know" not in report


def test_a_bound_may_use_a_definition_and_an_inverse() -> None:
    text = """
        f = K@a + Phi@u
        f = K@a
        f = y
        r = a.T@K@a + norm2(u)
        r >= a.T@K@a
        r >= y.T@inv(K)@y
    """
    assert answer("interpolation", text).status == "right"


def test_that_something_is_zero_must_be_said() -> None:
    text = "A@u = lam/s*u@u.T@u + H@B@H@u"
    assert answer("power-method-step", text).points == 0
