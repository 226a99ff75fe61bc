"""Normal forms against direct evaluation, and labels against all relabelings."""

import random
from itertools import permutations

import pytest

from kernellab.grading.instances.evaluate import value
from kernellab.grading.instances.fields import Undecided, fresh_field
from kernellab.grading.instances.making import make
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.problem import Problem
from kernellab.grading.proving.labelling import canonical
from kernellab.grading.proving.networks import Algebra, TooLarge
from kernellab.grading.proving.translation import Scope, Translator
from tests.grading.lines import Lines
from tests.grading.proving.random_expressions import Expressions, poly_value

SYMBOLS = """Phi : N x M
K : N x N, psd = Phi@Phi.T
S : M x M, pd
a : N
t : N
w : M = Phi.T@a
lam : positive
c : number = lam + t.T@a"""
SIZES = {"N": 2, "M": 3}
DEFINED = ("K", "w", "c")
CHUNK = 30


def sampled(count):
    rest = pytest.mark.exhaustive
    return [pytest.param(i, marks=[rest] if i >= 10 else []) for i in range(count)]


@pytest.mark.parametrize("seed", sampled(60))
def test_a_normal_form_has_the_value_of_its_expression(seed):
    """With any definitions opened, and where symmetric matrices are symmetric."""
    rng = random.Random(seed)
    lines = Lines(Problem("test", SYMBOLS, ()))
    shapes = {name: s.shape for name, s in lines.setting.symbols.items()}
    it = make(lines.setting, fresh_field(rng), SIZES, rng)
    compared = 0
    for _ in range(CHUNK):
        shape = (rng.choice(("1", "N", "M")), rng.choice(("1", "N", "M")))
        text = Expressions(shapes, rng).write(shape, rng.randint(1, 4))
        opened = frozenset(n for n in DEFINED if rng.random() < 0.5)
        algebra = Algebra()
        try:
            node = lines.side(text)
            poly = Translator(algebra, Scope(lines.setting.symbols), opened)(node)
            found = poly_value(it, algebra, poly) if poly else 0
            expected = value(it, node)
        except (TooLarge, Undecided, ShapeError):  # sums inside each other
            continue
        assert ((found - expected) % it.field.p == 0).all(), (text, opened)
        compared += 1
    assert compared > CHUNK // 2


def random_network(rng):
    """A connected network of at most five bound indices, its atoms 5 … 8."""
    bound = rng.randint(1, 5)
    factors = [(5, (i, i + 1)) for i in range(bound - 1)]
    for _ in range(rng.randint(1, 4)):
        atom = rng.randint(5, 8)
        ends = [*range(bound), -1, -2]
        count = 2 if atom < 7 else 1
        factors.append((atom, tuple(rng.choice(ends) for _ in range(count))))
    return factors, bound


def relabeled(factors, bound, rng, symmetric):
    """The same network with other names and in another order."""
    names = rng.sample(range(20), bound)
    found = []
    for atom, indices in factors:
        new = tuple(names[i] if i >= 0 else i for i in indices)
        found.append(
            (atom, new[::-1] if atom in symmetric and rng.random() < 0.5 else new)
        )
    rng.shuffle(found)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_a_label_does_not_depend_on_names_and_order(seed):
    rng = random.Random(seed)
    for _ in range(150):
        factors, bound = random_network(rng)
        symmetric = frozenset({6}) if rng.random() < 0.5 else frozenset()
        label = canonical(factors, symmetric)
        for _ in range(4):
            other = relabeled(factors, bound, rng, symmetric)
            assert canonical(other, symmetric) == label


def slow_label(factors, bound, symmetric):
    """The least of all relabelings."""

    def written(order):
        new = [(a, tuple(order[i] if i >= 0 else i for i in at)) for a, at in factors]
        return tuple(
            sorted((a, tuple(sorted(at)) if a in symmetric else at) for a, at in new)
        )

    return min(map(written, permutations(range(bound))))


def test_different_networks_have_different_labels():
    rng = random.Random(7)
    symmetric = frozenset({6})
    fast, slow = {}, {}
    for _ in range(300):
        factors, bound = random_network(rng)
        label, exact = (
            canonical(factors, symmetric),
            slow_label(factors, bound, symmetric),
        )
        assert fast.setdefault(label, exact) == exact
        assert slow.setdefault(exact, label) == label
    assert len(fast) > 100
