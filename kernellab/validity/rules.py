"""The rules that build kernels from kernels, each with its statement and its proof.

A rule is an object. A node of an expression names the rule that it uses, the side
conditions (checked, with their values) and the premises; `kernels.proving` composes
them into a proof. The proofs below are the ones of the course, in one or two lines.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A theorem: if the premises are kernels and the conditions hold, so is this.

    Attributes
    ----------
    name : a few words.
    statement : LaTeX, within text.
    proof : LaTeX, within text.
    """

    name: str
    statement: str
    proof: str


@dataclass(frozen=True)
class Condition:
    """A side condition, with what was found.

    Attributes
    ----------
    text : the condition and the value met, for example "c = 2 ≥ 0".
    holds : whether it is satisfied.
    remedy : what would satisfy it.
    """

    text: str
    holds: bool
    remedy: str = ""


AUTHOR = Rule(
    "the word of its author",
    r"The author of $k$ says that it is a kernel, and why.",
    r"Nothing here has checked it.",
)

SCALE = Rule(
    "scaling",
    r"If $k_1$ is a kernel and $c \ge 0$, then $c\,k_1$ is a kernel.",
    r"$c\,\varphi(x)^\top\varphi(x') = (\sqrt c\,\varphi(x))^\top(\sqrt c\,\varphi(x'))$.",
)

SUM = Rule(
    "sum",
    r"If $k_1$ and $k_2$ are kernels, so is $k_1 + k_2$.",
    r"$v^\top(K_1+K_2)v = v^\top K_1 v + v^\top K_2 v \ge 0$; the features are put side "
    r"by side.",
)

PRODUCT = Rule(
    "product",
    r"If $k_1$ and $k_2$ are kernels, so is $k_1 k_2$ (Schur).",
    r"With $K_2 = \sum_j u_j u_j^\top$, $v^\top(K_1 \circ K_2)v = \sum_j (v\circ u_j)^\top "
    r"K_1 (v \circ u_j) \ge 0$; the features are all products of two.",
)

WEIGHT = Rule(
    "weighting",
    r"If $k_1$ is a kernel and $f$ any real function, then $f(x)\,k_1(x,x')\,f(x')$ is "
    r"a kernel.",
    r"$f(x)\,\varphi(x)^\top\varphi(x')\,f(x') = (f(x)\varphi(x))^\top(f(x')\varphi(x'))$.",
)

POLYNOMIAL = Rule(
    "polynomial",
    r"If $k_1$ is a kernel and the coefficients of $q$ are $\ge 0$, then $q(k_1)$ is a "
    r"kernel.",
    r"Powers are products, and a combination with coefficients $\ge 0$ is a sum of "
    r"scaled kernels.",
)

POWER = Rule(
    "integer power",
    r"If $k_1$ is a kernel and $p \ge 0$ an integer, then $k_1^p$ is a kernel.",
    r"It is a product of $p$ kernels, the constant 1 if $p = 0$. (For a $p$ that is not an integer this is false in "
    r"general.)",
)

DIVISIBLE = Rule(
    "power of an infinitely divisible kernel",
    r"If $k_1 > 0$ and $k_1^{1/m}$ is a kernel for every $m = 1, 2, \dots$, then $k_1^p$ "
    r"is a kernel for every real $p \ge 0$.",
    r"It holds for rational $p = a/m$ by the product rule, and for real $p$ as a limit.",
)

EXP = Rule(
    "exponential",
    r"If $k_1$ is a kernel, so is $e^{k_1}$.",
    r"$e^{k_1} = \lim_m \sum_{j \le m} k_1^j / j!$ is a pointwise limit of polynomials with "
    r"coefficients $\ge 0$, and $v^\top K v \ge 0$ survives limits.",
)

PULLBACK = Rule(
    "change of variable",
    r"If $k_1$ is a kernel on $\mathcal{Z}$ and $\phi : \mathcal{X} \to \mathcal{Z}$, then "
    r"$k_1(\phi(x), \phi(x'))$ is a kernel on $\mathcal{X}$.",
    r"Its Gram matrix on $x_1, \dots, x_n$ is the one of $k_1$ on $\phi(x_1), \dots, "
    r"\phi(x_n)$.",
)

PARTS = Rule(
    "part of the coordinates",
    r"If $k_a$ is a kernel and $x = (x_a, x_b)$, then $k_a(x_a, x_a')$ is a kernel in "
    r"$x$.",
    r"It is the change of variable $x \mapsto x_a$; sums and products of such parts follow.",
)

NORMALIZE = Rule(
    "normalisation",
    r"If $k_1$ is a kernel and $k_1(x,x) > 0$ for every $x$, then $k_1(x,x') / "
    r"\sqrt{k_1(x,x)\,k_1(x',x')}$ is a kernel.",
    r"It is the weighting by $f(x) = k_1(x,x)^{-1/2}$.",
)

IDENTITY = Rule(
    "the same function",
    r"Two expressions with the same values are the same kernel.",
    r"The definition speaks of the values $k(x,x')$ only.",
)

FINITE = Rule(
    "finite set",
    r"On a finite set, $k$ is a kernel if and only if it is symmetric and its one Gram "
    r"matrix is positive semi-definite.",
    r"Every other Gram matrix repeats rows and columns of this one.",
)

LIMIT = Rule(
    "pointwise limit",
    r"If every $k_m$ is a kernel and $k_m(x,x') \to k(x,x')$, then $k$ is a kernel.",
    r"$v^\top K v = \lim_m v^\top K_m v \ge 0$.",
)

UNKNOWN_FUNCTION = Rule(
    "none",
    r"An arbitrary function is not known to be a kernel.",
    r"",
)
