"""Certificates: why each line of a derivation holds, so that others can check it.

A certificate of an equation says: with these definitions put in, left − right is, as an
identity of expressions, the sum of coefficient × context × fact, where every fact is an
equation whose two sides differ by 0. It holds for all sizes and all values.

========================================  ==============================================
fact                                      what is 0
========================================  ==============================================
("line", n, k)                            left − right of link k of line n
("given", k)                              left − right of the k-th given
("chain", m, n, k)                        the first side of line m minus the right side
                                          of link k of line n, which continue each other
("definition", name)                      name − what it stands for
("inverse", inv(X), "right" or "left")    X X⁻¹ − I, or X⁻¹ X − I
("reciprocal", p)                         p · p⁻¹ − 1
("gradient", grad(f, v))                  grad(f, v) − ∂f/∂v, with all of v opened
("slope", d(x))                           d(x) − its value, with all definitions opened
("gradient of", fact, v, turned)          the gradient by v of the left minus that of
                                          the right side of a line or chain (right
                                          minus left if turned); the first is closed
("slope of", fact)                        d(left) − d(right) of a line or chain
("covariance of", fact, u)                cov(left, u) − cov(right, u) of a line
("stationary", v)                         grad(object, v)
("independence", fact, z, "mean")         mean − (of − z): the fact says cov(z, y) = 0
("independence", fact, z, "variance")     variance − cov(z, z)
("equal", f(p), f(q), uses)               f(p) − f(q): p − q is the sum of the uses
========================================  ==============================================

Conventions. The free indices of a line are called "row" and "column", as far as it has
them, and by the names that the student gave; indices that are summed over have other
names. Givens are counted from 1, lines from 1, links from 0. Inside grad(…) and d(…)
only the student's own symbols are put in. A line may be cited by later lines, and by
later links of its own; in the part of a sufficient condition also by itself, but there
nothing that rests on stationarity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kernellab.grading.language.tree import Expr

Fact = tuple[Any, ...]
OTHER = -(10**6)  # line OTHER − n is what line n says of another solution


@dataclass(frozen=True)
class Factor:
    """A factor of a context: a number with a power, or an entry of a tensor.

    Parameters
    ----------
    tree : a number, column or matrix, with the opened definitions put in.
    indices : the names of its indices.
    power : of a number.
    """

    tree: Expr
    indices: tuple[str, ...] = ()
    power: Fraction = Fraction(1)


@dataclass(frozen=True)
class Use:
    """One use of a fact: coefficient × context × fact, summed over some indices.

    A piece of a bound is the use of something that is not negative, with a positive
    coefficient and a context that is not negative either.

    Parameters
    ----------
    fact : an equation that stands, as above; for a piece ("line", n, k), ("given", k)
        or ("chain", m, n, k), a bound that stands; ("square", x), x being an expression
        that is not negative by its form; ("product",), if the context is all there is;
        ("cauchy", u, v), which is ‖u‖²‖v‖² − (uᵀv)².
    names : what the free indices of the fact are called here: its row, its column (as
        far as it has them), then its named ones in alphabetical order.
    sums : the indices over which is summed, with their sizes.
    """

    coefficient: Fraction
    fact: Fact
    context: tuple[Factor, ...] = ()
    names: tuple[str, ...] = ()
    sums: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Proven:
    """Why one link of a line holds.

    Parameters
    ----------
    line, link : where it stands.
    opened : the names whose definitions are put in.
    uses : the facts whose sum is left − right; for a bound, together with the pieces.
    pieces : what is not negative in the larger side minus the smaller one.
    cancelled : (X, side): the sum is not left − right but its product with X, which has
        an inverse, from the "left" or "right", or as a "number".
    by : "equation", "bound", "two bounds" (then `parts` prove ≥ and ≤), "zero square"
        (the part proves that the squared norm of left − right is 0), "zero form" (the
        part proves zᵀMz = 0, and left − right is M z), "sufficient" (the part proves
        grad(object, v) = 0), "claim" (left is invertible(X)), "unique" (left is the
        claim; the parts give all that is unknown in it a value, or show that another
        solution gives the same), "not unique" (with the
        witnesses 0 the gradients vanish whatever the variable is), "moved" (the first
        part says that u is not 0, the others that the gradients vanish at x + u),
        "supposed" (the first line of a case, or the hypothesis of an induction),
        "cases" (the parts prove it in each of the cases; one more part may prove that
        the signs that they leave out do not occur), "induction" (the parts prove what
        it says at the start of the recursion, and what it says of the next member).
    witness : the names that "not unique" sets to 0; the first lines of the cases; the
        line of the hypothesis.
    words : the proof in sentences, for a person; nobody relies on them.
    """

    line: int
    link: int
    left: Expr
    sign: str
    right: Expr
    free: tuple[tuple[str, str], ...] = ()
    opened: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    pieces: tuple[Use, ...] = ()
    cancelled: tuple[Expr, str] | None = None
    by: str = "equation"
    parts: tuple[Proven, ...] = ()
    witness: tuple[Any, ...] = ()
    words: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Certificate:
    """The proofs of all lines that were accepted.

    Parameters
    ----------
    problem : the problem, whose symbols and givens the proofs speak of.
    own : the student's symbols, each with its definition; these use earlier ones only.
    proven : one entry for each link, in the order of the text.
    said : what was said on the way: ("stationary", v, line), ("assume", X, line),
        ("independent", line), ("sufficient", line), ("case", first line, last line),
        ("hypothesis", line).
    """

    problem: Any
    own: tuple[tuple[str, Expr], ...] = ()
    proven: tuple[Proven, ...] = ()
    said: tuple[Fact, ...] = field(default=())

    def __str__(self) -> str:
        """Return the lines, each with its proof in words."""
        shown = []
        for link in self.proven:
            relation = (
                f"{link.left} {link.sign} {link.right}" if link.sign else link.left
            )
            words = " ".join(link.words).replace("`", "")
            shown.append(f"line {link.line}: {relation}\n    {words}".rstrip())
        return "\n".join(shown)
