"""Certificates written by hand, for the tests of the checker."""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.certificates import Certificate, Factor, Proven, Use
from kernellab.grading.language.reader import read
from kernellab.grading.language.shapes import elaborate
from kernellab.grading.problem import Milestone, Problem, Route

RIDGE = Problem(
    id="ridge",
    symbols="""
        Phi : N x M
        K   : N x N, psd = Phi@Phi.T
        t   : N
        a   : N
        w   : M = Phi.T@a
        lam : positive
        b   : number
        J   : number = norm2(t - Phi@w) + lam*w.T@w
    """,
    routes=(Route((Milestone("goal", "a = inv(K + lam*I)@t"),)),),
    object="J",
    variables=("a", "w"),
    unknowns=("a",),
    definable=("a",),
    assumable=("K",),
    sufficient=True,
)


def relation(problem, text, own=()):
    """Read a relation that may use the student's symbols; also its free indices."""
    shapes = {name: symbol.shape for name, symbol in problem.table.items()}
    shapes |= {name: definition.shape for name, definition in own}
    words = problem.words(frozenset(shapes))
    return elaborate(read(text, words), shapes, frozenset(problem.sizes))


def tree(problem, text, own=()):
    """Read an expression."""
    return relation(problem, f"{text} = {text}", own)[0].sides[0]


def link(problem, line, text, *, own=(), number=0, **more):
    """Return the proof of a relation of two sides."""
    chain, free = relation(problem, text, own)
    left, right = chain.sides
    (sign,) = chain.signs
    indices = tuple(sorted(free.items()))
    return Proven(line, number, left, sign, right, indices, **more)


def use(*fact, c=1, context=(), names=(), sums=()):
    """Return the use of a fact."""
    return Use(Fraction(c), fact, tuple(context), tuple(names), tuple(sums))


def piece(*what, c=1, context=(), names=(), sums=()):
    """Return a piece of a bound."""
    return Use(Fraction(c), what, tuple(context), tuple(names), tuple(sums))


def factor(problem, text, *indices, power=1, own=()):
    """Return a factor of a context."""
    return Factor(tree(problem, text, own), indices, Fraction(power))


def certificate(problem, *proven, own=(), said=()):
    """Return the certificate of a derivation."""
    return Certificate(problem, tuple(own), proven, tuple(said))


def ridge_lines():
    """Return the proofs of a derivation of a = (K + λI)⁻¹t."""

    def line(number, text, **more):
        return link(RIDGE, number, text, **more)

    grad = tree(RIDGE, "grad(J, a)")
    inverse = tree(RIDGE, "inv(K + lam*I)")
    return [
        line(1, "J = (t - K@a).T@(t - K@a) + lam*a.T@K@a", opened=("J", "w", "K")),
        line(2, "grad(J, a) = 2*K@(K@a - t) + 2*lam*K@a",
             uses=(use("gradient of", ("line", 1, 0), "a", False, names=("row",)),)),
        line(3, "K@((K + lam*I)@a - t) = 0",
             uses=(use("stationary", "a", c="1/2", names=("row",)),
                   use("line", 2, 0, c="-1/2", names=("row",)))),
        line(4, "(K + lam*I)@a = t", by="sufficient",
             parts=(line(4, "grad(J, a) = 0", uses=(
                 use("line", 2, 0, names=("row",)),
                 use("line", 4, 0, c=2, names=("i",), sums=(("i", "N"),),
                     context=(factor(RIDGE, "K", "row", "i"),)))),)),
        line(5, "a = inv(K + lam*I)@t", uses=(
            use("line", 4, 0, names=("i",), sums=(("i", "N"),),
                context=(factor(RIDGE, "inv(K + lam*I)", "row", "i"),)),
            use("inverse", inverse, "left", c=-1, names=("row", "i"),
                sums=(("i", "N"),), context=(factor(RIDGE, "a", "i"),)))),
        line(6, "grad(J, a) = 2*K@(K@a - t) + 2*lam*K@a", opened=("K",),
             uses=(use("gradient", grad, names=("row",)),)),
    ]  # fmt: skip


SAID = (("stationary", "a", 3), ("sufficient", 4))
