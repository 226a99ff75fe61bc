"""When n grows: Nyström's projection, a small system for a large one, the gap."""

from __future__ import annotations

from kernellab.grading.language.tree import Expr
from kernellab.grading.problem import Milestone, Problem, Route


def _one_inverse(node: Expr) -> bool:
    """Whether A stands there once, inverted: no A@inv(A) is left."""
    inverses = [n for n in node.walk() if n.op == "inv"]
    return len(inverses) == len([n for n in node.walk() if n.data == "A"]) == 1


def _inverts(node: Expr) -> bool:
    """Whether there is an inverse at all."""
    return any(n.op == "inv" for n in node.walk())


_LEAST = "f.T@f - c.T@inv(A)@c"
_IN_VALUES = frozenset({"f", "c", "A"})
_GRAM = Milestone(
    "G in C and A", "G = C@inv(A)@C.T", only=frozenset({"C", "A"}), form=_one_inverse
)

NYSTROEM_PROJECTION = Problem(
    id="nystroem-projection",
    title="Nyström's approximation is a projection",
    statement=(
        "Minimise $J = \\|f - Z^\\top b\\|^2$ over $b$. With $A = ZZ^\\top$, $c = Zf$ "
        "and $C = \\Phi Z^\\top$ show that $b = A^{-1}c$, that the least $J$ is "
        "$f^\\top f - c^\\top A^{-1}c$, and that the rows of $F = CA^{-1}Z$ have the "
        "Gram matrix $G = CA^{-1}C^\\top$."
    ),
    symbols="""
Z   : R x M
Phi : N x M
f   : M
A   : R x R, pd = Z@Z.T
c   : R = Z@f
C   : N x R = Phi@Z.T
b   : R
J   : number = norm2(f - Z.T@b)
F   : N x M = C@inv(A)@Z
G   : N x N, symmetric = F@F.T
""",
    sizes=("N", "M", "R"),
    rows={"phi": "Phi", "z": "Z"},
    object="J",
    objects=("G",),
    variables=("b",),
    unknowns=("b",),
    max_facts=3,
    regimes=({"N": 5, "M": 4, "R": 2}, {"N": 3, "M": 5, "R": 3}),
    routes=(
        Route(
            (
                Milestone("stationarity in b", "A@b = c", unknown="b", gradient=True),
                Milestone("b", "b = inv(A)@c", only=frozenset({"A", "Z", "c", "f"})),
                Milestone(
                    "the least J",
                    f"J = {_LEAST}",
                    only=_IN_VALUES,
                    form=_one_inverse,
                ),
                _GRAM,
            ),
            "through stationarity",
        ),
        Route(
            (
                Milestone(
                    "the square completed",
                    f"J = {_LEAST} + (b - inv(A)@c).T@A@(b - inv(A)@c)",
                    form=_inverts,
                ),
                Milestone(
                    "the bound",
                    f"J >= {_LEAST}",
                    only=_IN_VALUES,
                    form=_one_inverse,
                ),
                _GRAM,
            ),
            "by completing the square",
        ),
    ),
)


def _inverts_the_small_one(node: Expr) -> bool:
    """Whether every inverse is of an R×R matrix."""
    found = [n for n in node.walk() if n.op == "inv"]
    return bool(found) and all(n.shape == ("R", "R") for n in found)


SMALL_SYSTEM = Problem(
    id="small-system",
    title="A small system for a large one",
    statement=(
        "$(\\lambda I + LL^\\top)z = v$. With $S = \\lambda I + L^\\top L$ show that "
        "$z = \\frac1\\lambda(v - LS^{-1}L^\\top v)$."
    ),
    symbols="""
L   : N x R
lam : positive
B   : N x N, pd = lam*I + L@L.T
S   : R x R, pd = lam*I + L.T@L
v   : N
z   : N
u   : R = L.T@z
""",
    sizes=("N", "R"),
    givens=("B@z = v",),
    unknowns=("z",),
    definable=("u",),
    max_facts=3,
    regimes=({"N": 5, "R": 2}, {"N": 4, "R": 3}),
    routes=(
        Route(
            (
                Milestone(
                    "u by the small system",
                    "u = inv(S)@L.T@v",
                    only=frozenset({"L", "S", "v"}),
                    optional=True,
                ),
                Milestone(
                    "z by the small system",
                    "z = (v - L@inv(S)@L.T@v)/lam",
                    only=frozenset({"L", "S", "v", "lam"}),
                    form=_inverts_the_small_one,
                ),
            )
        ),
    ),
)


def _one_square(node: Expr) -> bool:
    """One squared norm in any of its forms, not a sum of several terms."""
    match node.op:
        case "call":
            return node.data in ("norm2", "dot")
        case "mul":
            return [n.shape for n in node.args] == [("1", "N"), ("N", "1")]
        case "sum":
            return node.args[0].op in ("pow", "mul")
    return False


GAP_IS_RESIDUAL = Problem(
    id="gap-is-residual",
    title="The duality gap of ridge regression",
    statement=(
        "For any $w$ and $a$, write $g = J(w) - D(a)$ as a sum of two squares, where "
        "$J = \\|t - \\Phi w\\|^2 + \\lambda\\|w\\|^2$ and "
        "$D = 2\\lambda a^\\top t - \\lambda a^\\top(K + \\lambda I)a$; conclude that "
        "$g \\geq 0$, and that the gap $h$ at $w = \\Phi^\\top a$ is "
        "$\\|t - (K + \\lambda I)a\\|^2$."
    ),
    symbols="""
Phi : N x M
K   : N x N, psd = Phi@Phi.T
t   : N
a   : N
w   : M
lam : positive
J   : number = norm2(t - Phi@w) + lam*norm2(w)
D   : number = 2*lam*a.T@t - lam*a.T@(K + lam*I)@a
g   : number = J - D
h   : number = norm2(t - Phi@Phi.T@a) + lam*norm2(Phi.T@a) - D
""",
    rows={"phi": "Phi"},
    object="g",
    objects=("h", "J", "D"),
    max_facts=3,
    routes=(
        Route(
            (
                Milestone("g >= 0", "g >= 0"),
                Milestone(
                    "h as one square",
                    "h = norm2(t - (K + lam*I)@a)",
                    only=frozenset({"t", "K", "lam", "a"}),
                    form=_one_square,
                ),
            )
        ),
    ),
)

PROBLEMS = (NYSTROEM_PROJECTION, SMALL_SYSTEM, GAP_IS_RESIDUAL)
