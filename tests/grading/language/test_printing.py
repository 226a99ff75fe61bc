"""What is printed reads back to the same tree."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab.grading.language.printing import plain
from kernellab.grading.language.reader import read
from kernellab.grading.language.tree import Expr, num, sym
from kernellab.grading.language.vocabulary import Vocabulary
from kernellab.grading.problems import find

WORDS = Vocabulary(
    frozenset({"K", "Phi", "a", "t", "w", "lam", "J", "dC"}), rows={"phi": "Phi"}
)
ONE = ("sqrt", "exp", "log", "det", "trace", "norm2", "diag", "d", "total", "loss")
NUMBERS = st.builds(
    Fraction,
    st.integers(0, 9999),
    st.sampled_from([1, 1, 1, 2, 5, 8, 10**6, Fraction(1, 10**6)]),
)
LEAVES = (
    st.builds(sym, st.sampled_from(sorted(WORDS.symbols)))
    | st.builds(num, NUMBERS)
    | st.builds(
        Expr, st.sampled_from(["eye", "ones"]), data=st.sampled_from([None, "N"])
    )
    | st.builds(
        lambda name, places: Expr("index", (sym(name),), tuple(places)),
        st.sampled_from(["K", "Phi", "a"]),
        st.lists(st.sampled_from(["n", "m", 0, 1]), min_size=1, max_size=2),
    )
)


def _larger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    pairs = st.tuples(inner, inner)
    return (
        st.builds(lambda x, op: Expr(op, (x,)), inner, st.sampled_from(UNARY))
        | st.builds(lambda x, op: Expr(op, x), pairs, st.sampled_from(["add", "sub"]))
        | st.builds(lambda x, s: Expr("mul", x, s), pairs, st.sampled_from(["*", "@"]))
        | st.builds(lambda x: Expr("div", x), pairs)
        | st.builds(lambda x: Expr("pow", (x, num(2))), inner)
        | st.builds(lambda x, f: Expr("call", (x,), f), inner, st.sampled_from(ONE))
        | st.builds(lambda x, f: Expr("call", x, f), pairs, st.sampled_from(TWO))
        | st.builds(lambda x: Expr("sum", (x,), ("n", "N")), inner)
        | st.builds(lambda x: Expr("grad", (x, sym("a"))), inner)
        | st.builds(
            lambda x: Expr("diff", (x, Expr("index", (sym("a"),), ("n",)))), inner
        )
    )


COMPONENT = Expr("index", (sym("a"),), ("n",))
UNARY = ("neg", "transpose", "inv")
TWO = ("had", "dot", "cov", "vec")
TREES = st.recursive(LEAVES, _larger, max_leaves=12)


@settings(max_examples=500, deadline=None)
@given(TREES)
def test_reads_back(tree: Expr) -> None:
    assert read(plain(tree), WORDS).sides == (tree,)


@pytest.mark.parametrize(
    "text",
    [
        "-2*x",
        "-(2*x)",
        "(-x)**2",
        "-x**2",
        "x - (-x)",
        "x - (x - x)",
        "x + (x + x)",
        "x*(-2*x)",
        "x/(2*x)",
        "x/2*x",
        "x**(-2)",
        "0.5*x",
        "1e-9",
        "sum(x)",
        "ones",
        "ones(N)",
    ],
)
def test_is_written_as_by_hand(text: str) -> None:
    words = Vocabulary(frozenset({"x"}))
    assert plain(read(text, words).sides[0]) == text


@pytest.mark.parametrize(
    "text", ["123456789e9", "0.00000001e-9", "1.23456789e-9", "999999999", "0", "1e9"]
)
def test_numerals_keep_their_value(text: str) -> None:
    tree = read(text, WORDS).sides[0]
    assert read(plain(tree), WORDS).sides == (tree,)


def test_a_long_sum_does_not_exhaust_the_stack() -> None:
    tree = reduce(lambda x, y: Expr("add", (x, y)), [sym("lam")] * 700)
    assert plain(tree).count(" + ") == 699


def test_what_has_a_shape_reads_back_too() -> None:
    problem = find("ridge-dual")
    for text in ("J = lam**-2*t.T@inv(K + 0.5*I)**2@t", "-t.T@K@a/2 = lam**(1/2)"):
        relation = problem.parse(text)
        assert problem.parse(str(relation)) == relation
