"""What is called non-negative or semi-definite is so, in random instances."""

import random

import pytest

from kernellab.grading.instances.evaluate import value
from kernellab.grading.instances.linear_algebra import is_definite
from kernellab.grading.instances.making import ordered_instances
from kernellab.grading.language.tree import NUMBER
from kernellab.grading.problem import Problem
from kernellab.grading.proving.networks import (
    Algebra,
    TooLarge,
    Untranslatable,
)
from kernellab.grading.proving.signs import Signs
from kernellab.grading.proving.translation import (
    Scope,
    Translator,
)
from tests.grading.lines import Lines
from tests.grading.proving.random_expressions import Expressions

SYMBOLS = """A : N x M
K : N x N, psd
C : N x N, pd
B : N x N, symmetric
v : N
g : N, nonneg
lam : positive
c : number"""
DRAWS = 12


class Signed:
    """A setting of these symbols, and what is seen of signs in it."""

    def __init__(self) -> None:
        self.lines = Lines(Problem("test", SYMBOLS, ()))
        self.signs = Signs(Translator(Algebra(), Scope(self.lines.setting.symbols)))

    def values(self, node):
        for it in ordered_instances(self.lines.setting, DRAWS, reals=False):
            if is_definite(it.field, it.atom("C"), strictly=True):
                yield it, value(it, node)

    def seen(self, text):
        """Return "definite", "semi-definite", "nonneg", "positive" or ""."""
        node = self.lines.side(text)
        poly = self.signs.poly(node)
        if node.shape == NUMBER:
            if poly and self.signs.positive(poly):
                return "positive"
            return "nonneg" if self.signs.tree_nonneg(node) else ""
        if poly and self.signs.definite(poly):
            return "definite"
        return "semi-definite" if poly and self.signs.semidefinite(poly) else ""

    def confirm(self, text):
        """Assert in instances what is seen; return whether anything is."""
        seen = self.seen(text)
        if not seen:
            return False
        for it, x in self.values(self.lines.side(text)):
            if seen in ("definite", "semi-definite"):
                assert (x == x.T).all(), text
                assert is_definite(it.field, x, seen == "definite"), (text, x)
            else:
                assert x[0, 0] > 0 if seen == "positive" else x[0, 0] >= 0, (text, x)
        return True


SEEN = {
    "v.T@K@v": "nonneg",
    "norm2(v)": "nonneg",
    "v.T@v + lam": "positive",
    "lam**2": "positive",
    "sum(g[n]*v[n]**2 for n in N)": "nonneg",
    "A@A.T + lam*I": "definite",
    "A@A.T": "semi-definite",
    "A.T@K@A": "semi-definite",
    "inv(K + C)": "definite",
    "K + 2*C": "definite",
    "diag(v)@K@diag(v)": "semi-definite",
    "trace(A@A.T)": "nonneg",
}
UNSEEN = [
    "v.T@B@v", "c", "c**3", "v.T@g", "B", "A@A.T - lam*I", "K - C", "K@C", "-K",
    "B@K@C", "v.T@K@g", "c*K", "lam*K - K", "v.T@K@C@v", "sum(v[n]**3 for n in N)",
    "had(B, B)",
]  # fmt: skip


@pytest.mark.parametrize(("text", "seen"), SEEN.items())
def test_what_is_seen(text, seen):
    case = Signed()
    assert case.seen(text) == seen
    assert case.confirm(text)


@pytest.mark.parametrize("text", UNSEEN)
def test_what_has_no_sign(text):
    assert Signed().seen(text) == ""


@pytest.mark.parametrize(
    "seed",
    [0, 1, *(pytest.param(i, marks=pytest.mark.exhaustive) for i in range(2, 30))],
)
def test_no_wrong_sign_is_seen_in_random_expressions(seed):
    case = Signed()
    rng = random.Random(seed)
    shapes = {name: s.shape for name, s in case.lines.setting.symbols.items()}
    texts = Expressions(shapes, rng)
    seen = 0
    for _ in range(60):
        shape = rng.choice((NUMBER, ("N", "N")))
        half = texts.write(shape, rng.randint(1, 2))
        square = f"({half})@({half}).T" if shape != NUMBER else f"({half})**2"
        text = rng.choice((half, square, f"{square} + {half}"))
        try:
            seen += case.confirm(text)
        except (TooLarge, Untranslatable):
            continue
    assert seen > 5
