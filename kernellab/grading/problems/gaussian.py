"""Gaussian processes."""

from __future__ import annotations

from kernellab.grading.problem import Milestone, Problem, Route

GP_PREDICTIVE = Problem(
    id="gp-predictive",
    title="The predictive distribution by decorrelation",
    statement=(
        "$y$ and $f$ are jointly Gaussian with mean zero. Find $z = f - \\dots y$ that "
        "is uncorrelated with $y$; then the mean and the variance of $f$ given $y$."
    ),
    symbols="""
y   : N, random
f   : random
C   : N x N, pd
k   : N
kss : number
m   : random
s2  : number
""",
    sizes=("N",),
    unknowns=("m", "s2", "f", "y"),
    covariances={"y y": "C", "y f": "k", "f f": "kss"},
    conditional={"mean": "m", "variance": "s2", "of": "f", "given": "y"},
    regimes=({"N": 4}, {"N": 5}),
    routes=(
        Route(
            (
                Milestone("m", "m = k.T@inv(C)@y", only=frozenset({"k", "C", "y"})),
                Milestone(
                    "s2", "s2 = kss - k.T@inv(C)@k", only=frozenset({"kss", "k", "C"})
                ),
            )
        ),
    ),
)

LML_GRADIENT = Problem(
    id="lml-gradient",
    title="The gradient of the log marginal likelihood",
    statement=(
        "$L = -\\frac12 y^\\top C^{-1} y - \\frac12\\log\\det C "
        "- \\frac N2\\log 2\\pi$. "
        "Find its derivative along $\\theta$ in terms of $\\mathrm dC$."
    ),
    symbols="""
C  : N x N, pd
dC : N x N, symmetric
y  : N
L  : number = -1/2*y.T@inv(C)@y - 1/2*log(det(C)) - N/2*log(2*pi)
""",
    sizes=("N",),
    object="L",
    tangents={"C": "dC"},
    regimes=({"N": 4}, {"N": 5}),
    routes=(
        Route(
            (
                Milestone(
                    "d(L)",
                    "d(L) = 1/2*y.T@inv(C)@dC@inv(C)@y - 1/2*trace(inv(C)@dC)",
                    without=frozenset({"d", "det", "log"}),
                ),
            )
        ),
    ),
)

PROBLEMS = (GP_PREDICTIVE, LML_GRADIENT)
