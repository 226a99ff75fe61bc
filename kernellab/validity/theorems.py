"""Why the elementary kernels are kernels: the leaves of every proof."""

from __future__ import annotations

from kernellab.validity.rules import Rule

CONSTANT = Rule(
    "constant",
    r"A constant $c \ge 0$ is a kernel.",
    r"The feature map is the number $\sqrt c$.",
)

LINEAR = Rule(
    "linear kernel",
    r"$x^\top x'$ is a kernel.",
    r"$\sum_{ij} a_i a_j\, x_i^\top x_j = \| \sum_i a_i x_i \|^2 \ge 0$.",
)

QUADRATIC_FORM = Rule(
    "bilinear form",
    r"$x^\top A x'$ is a kernel if $A$ is symmetric and positive semi-definite.",
    r"$x^\top A x' = (A^{1/2}x)^\top(A^{1/2}x')$.",
)

FEATURES = Rule(
    "feature map",
    r"$\phi(x)^\top\phi(x')$ is a kernel for every map $\phi$ into an inner product "
    r"space.",
    r"$\sum_{ij} a_i a_j\, \phi(x_i)^\top\phi(x_j) = \| \sum_i a_i \phi(x_i) \|^2 \ge 0$.",
)

BOCHNER = Rule(
    "Bochner",
    r"$q(x-x')$ with $q$ continuous and integrable is a kernel if the Fourier transform of "
    r"$q$ is $\ge 0$.",
    r"$\sum_{ij} a_i a_j\, q(x_i-x_j) = \int \bigl| \sum_j a_j e^{-i\omega^\top x_j} "
    r"\bigr|^2 d\mu(\omega) \ge 0$, where $\mu$ has the density $\hat q/(2\pi)^d$.",
)

MIXTURE = Rule(
    "mixture",
    r"If every $k_s$ is a kernel and $\mu$ is a measure $\ge 0$, then $\int k_s(x,x')\, "
    r"d\mu(s)$ is a kernel wherever it is finite.",
    r"$\sum_{ij} a_i a_j \int k_s(x_i,x_j)\, d\mu(s) = \int \sum_{ij} a_i a_j k_s(x_i,x_j)"
    r"\, d\mu(s) \ge 0$.",
)

MINIMUM = Rule(
    "minimum",
    r"$\min(x, x')$ is a kernel on $x \ge 0$, and $\sum_c \min(x_c, x_c')$ on "
    r"$[0,\infty)^d$.",
    r"$\min(x,x') = \int_0^\infty 1_{[s \le x]}\, 1_{[s \le x']}\, ds$ is an inner product "
    r"of functions.",
)

DELTA = Rule(
    "Dirac delta",
    r"$1_{[x = x']}$ is a kernel on every set.",
    r"$\sum_{ij} a_i a_j 1_{[x_i = x_j]} = \sum_x \bigl( \sum_{i : x_i = x} a_i \bigr)^2 "
    r"\ge 0$.",
)

COUNTS = Rule(
    "inner product of counts",
    r"$\sum_u \phi_u(x)\,\phi_u(x')$, where $\phi_u(x)$ counts (or weighs) the occurrences "
    r"of the pattern $u$ in $x$, is a kernel.",
    r"It is $\phi(x)^\top\phi(x')$: each object has finitely many patterns.",
)
