"""Proofs: the right rules, in order, with their conditions; gaps where they are."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.errors import InputError, NotProven
from kernellab.kernels import FiniteSet, Interval, Orthant, Reals
from kernellab.kernels.proving.proof import Gap, prove
from kernellab.validity import rules, theorems


def rule_names(proof):
    return [step.rule.name for step in proof.steps()]


def test_first_worked_proof_of_s0():
    """c·k₁."""
    proof = (3 * kl.Linear()).proof()
    assert rule_names(proof) == ["linear kernel", "scaling"]
    assert proof.rule is rules.SCALE
    assert [c.text for c in proof.conditions] == ["c = 3 ≥ 0"]


def test_second_worked_proof_of_s0():
    """The Gaussian as f·exp(c·linear)·f, with c = +1/σ²."""
    sigma = 0.5
    proof = kl.Gaussian(sigma=sigma).proof()
    assert rule_names(proof) == [
        "linear kernel",
        "scaling",
        "exponential",
        "weighting",
        "the same function",
    ]
    scaled = proof.steps()[1]
    assert scaled.kernel == kl.Scale(1 / sigma**2, kl.Linear())
    assert scaled.conditions[0].text == "c = 4 ≥ 0"


@pytest.mark.parametrize("sigma", [0.3, 2.0, (0.5, 1.5)])
def test_each_step_of_the_gaussian_has_the_right_values(sigma):
    X = np.random.default_rng(0).normal(size=(7, 2))
    *_, before, last = kl.Gaussian(sigma=sigma).proof().steps()
    np.testing.assert_allclose(before.kernel(X), last.kernel(X), rtol=1e-12)


IDENTITIES = [
    kl.Gaussian(sigma=0.7),
    kl.Polynomial(degree=3, c=0.5),
    kl.Polynomial(degree=2, c=0.0),
    kl.Periodic(sigma=0.8, period=1.7),
    kl.Cosine(omega=(1.0, -2.0)),
]


@pytest.mark.parametrize("kernel", IDENTITIES, ids=repr)
def test_the_same_function_is_the_same_function(kernel):
    X = np.random.default_rng(1).normal(size=(9, 2))
    proof = kernel.proof()
    assert proof.rule is rules.IDENTITY
    np.testing.assert_allclose(
        proof.premises[0].kernel(X), kernel(X), rtol=1e-10, atol=1e-12
    )


def test_the_rational_quadratic_is_the_mixture_that_its_proof_names():
    """(1 + u/2α)^−α = α^α/Γ(α) ∫ e^{−su/2} s^{α−1} e^{−αs} ds."""
    from scipy.integrate import quad
    from scipy.special import gamma

    alpha, sigma = 1.7, 0.6
    x, z = np.array([[0.2]]), np.array([[1.1]])
    u = float((x - z)[0, 0] ** 2) / sigma**2
    mixture, _ = quad(
        lambda s: np.exp(-s * u / 2) * s ** (alpha - 1) * np.exp(-alpha * s), 0, np.inf
    )
    mixture *= alpha**alpha / gamma(alpha)
    kernel = kl.RationalQuadratic(sigma=sigma, alpha=alpha)
    assert kernel(x, z)[0, 0] == pytest.approx(mixture, rel=1e-8)
    assert kernel.proof().rule is theorems.MIXTURE


def test_bochner_transforms_are_what_the_proofs_say():
    """∫ q(x) cos(ωx) dx is proportional to (2ν + σ²ω²)^{−ν−1/2} on the line."""
    from scipy.integrate import quad

    sigma, omegas = 0.8, np.array([0.0, 0.7, 2.0])
    for kernel, nu in [
        (kl.Exponential(sigma), 0.5),
        (kl.Matern(sigma, nu=1.5), 1.5),
        (kl.Matern(sigma, nu=2.5), 2.5),
    ]:
        q = [
            quad(
                lambda x, k=kernel, w=w: k([[x]], [[0.0]])[0, 0] * np.cos(w * x), 0, 30
            )
            for w in omegas
        ]
        q = [integral for integral, _ in q]
        claimed = (2 * nu + sigma**2 * omegas**2) ** (-nu - 0.5)
        np.testing.assert_allclose(np.divide(q, q[0]), claimed / claimed[0], rtol=1e-6)


def test_every_rule_has_a_statement_and_a_proof():
    found = [r for m in (rules, theorems) for r in vars(m).values()]
    named = [r for r in found if isinstance(r, rules.Rule)]
    assert len(named) >= 20
    for rule in named:
        assert rule.statement
        assert rule.proof or rule is rules.UNKNOWN_FUNCTION


def test_a_step_stands_once_and_after_its_premises():
    k = kl.Gaussian() * kl.Gaussian() + 2 * kl.Gaussian()
    steps = k.proof().steps()
    assert len({(s.kernel, s.domain) for s in steps}) == len(steps)
    for place, step in enumerate(steps):
        for premise in step.premises:
            assert premise.kernel in [s.kernel for s in steps[:place]]


def test_printed_forms():
    proof = (kl.Gaussian(sigma=0.5) + 1).proof()
    text = str(proof)
    assert text.startswith("Gaussian(sigma=0.5) + 1.0 is a kernel on ℝᵈ for every d:")
    assert "sum, from 5, 6" in text
    assert r"k_{3}(x, x') &= \exp\left(k_{2}(x, x')\right)" in proof.latex
    assert proof.latex.count(r"\\") == len(proof.steps()) - 1
    rich = proof._repr_markdown_()
    assert "$k_{2}(x, x') = 4 \\, k_{1}(x, x')$" in rich
    assert "The rules, and why they hold" in rich


GAPS = [
    (kl.Gaussian() - kl.Linear(), "-Linear()", "c = -1 ≥ 0"),
    (kl.exp((kl.Linear() + 1) ** 0.5), "(Linear() + 1.0) ** 0.5", "p = 0.5"),
    (kl.Gaussian() / kl.Linear(), "Gaussian(sigma=1.0) / Linear()", "quotients"),
    (kl.tanh(kl.Linear()), "tanh(Linear())", "tanh"),
    (kl.Linear().polynomial((1, -2)), "Linear().polynomial((1.0, -2.0))", "q1 = -2"),
    (2 * kl.Linear(A=[[1, 2], [0, 1]]), "Linear(A=", "A is symmetric"),
    (2 * kl.Linear(A=[[1, 2], [2, 1]]), "Linear(A=", "smallest eigenvalue of A, -1"),
    (kl.Constant(-1.0) + kl.Linear(), "Constant(c=-1.0)", "c = -1 ≥ 0"),
    (1 + kl.FromDistance(np.cos), "FromDistance(cos)", "a theorem on"),
    (kl.PointwiseLimit(lambda m: kl.Linear() ** m), "PointwiseLimit", "every k_m"),
]


@pytest.mark.parametrize(("kernel", "node", "premise"), GAPS, ids=lambda v: str(v)[:30])
def test_a_gap_names_the_innermost_node_and_the_missing_premise(kernel, node, premise):
    gap = prove(kernel)
    assert isinstance(gap, Gap)
    assert repr(gap.kernel).startswith(node)
    assert premise in str(gap)
    assert gap.missing.remedy
    with pytest.raises(NotProven, match="missing"):
        kernel.proof()


def test_the_domain_matters():
    assert kl.Brownian().verdict() == "PROVEN"
    assert kl.Brownian().verdict(Interval(0, 3)) == "PROVEN"
    assert kl.Brownian().verdict(Reals(1)) == "UNKNOWN"
    assert kl.HistogramIntersection().verdict(Orthant(4)) == "PROVEN"
    assert isinstance(prove(kl.HistogramIntersection(), Reals(4)), Gap)
    with pytest.raises(InputError, match="one column"):
        kl.Brownian().verdict(Orthant(2))
    with pytest.raises(InputError, match="2 columns"):
        kl.Gaussian(sigma=(1, 2)).verdict(Reals(3))


def test_normalisation_needs_a_positive_diagonal():
    k = kl.Linear().normalize()
    assert k.verdict() == "PROVEN"
    assert "where k₁(x, x) > 0" in str(k.verdict().domain)
    assert isinstance(prove(k, Reals(1)), Gap)
    assert (kl.Linear() + 1).normalize().verdict(Reals(1)) == "PROVEN"
    assert (k + kl.Gaussian()).verdict() == "PROVEN"
    assert (k * kl.Polynomial(2, c=0.0).normalize()).verdict() == "PROVEN"
    assert k.on([0, 2]).verdict() == "PROVEN"
    assert k.pullback(kl.Map(np.abs, "abs")).verdict() == "PROVEN"


def test_a_map_into_the_right_set_is_enough():
    square = kl.Map(lambda X: X**2, "square", into=Orthant(1))
    assert kl.Brownian().pullback(square).verdict(Reals(1)) == "PROVEN"
    assert isinstance(prove(kl.Brownian().pullback(lambda X: X**2), Reals(1)), Gap)


def test_roots_of_infinitely_divisible_kernels():
    for kernel in [
        kl.Gaussian(),
        kl.Exponential(),
        kl.Laplacian(),
        kl.RationalQuadratic(),
        kl.Periodic(),
        kl.exp(kl.Linear()),
        3 * kl.Gaussian() * kl.Exponential(),
    ]:
        assert (kernel**0.3).verdict() == "PROVEN"
    assert (kl.Matern(nu=1.5) ** 0.5).verdict() != "PROVEN"
    assert ((kl.Gaussian() + 1) ** 0.5).verdict() != "PROVEN"
    assert (kl.Gaussian() ** -0.5).verdict() == "REFUTED"


def test_a_finite_set_is_decided_by_its_gram_matrix():
    parabola = kl.FromFunction(lambda x, z: 1 - (x[0] - z[0]) ** 2, "parabola")
    near, far = FiniteSet([[0.0], [0.5]]), FiniteSet([[0.0], [2.0]])
    assert parabola.verdict(near) == "PROVEN"
    assert parabola.verdict(near).proof.rule is rules.FINITE
    refuted = parabola.verdict(far)
    assert refuted == "REFUTED"
    assert refuted.witness.value == -4
    singular = (kl.FromFunction(lambda x, z: x[0] * z[0], "xz")).verdict(near)
    assert singular == "UNKNOWN"  # its smallest eigenvalue is 0
    lopsided = kl.FromFunction(lambda x, z: x[0] - z[0], "minus").verdict(far)
    assert lopsided == "REFUTED"
    assert lopsided.witness.c is None


def test_a_proof_on_a_finite_set_needs_no_matrix():
    assert kl.Linear().verdict(FiniteSet([[1.0], [2.0]])).proof.rule is theorems.LINEAR
    assert kl.Brownian().verdict(FiniteSet([[0.0], [2.0]])) == "PROVEN"


def test_verdicts_are_words():
    proven, unknown = kl.Linear().verdict(), kl.FromDistance(np.exp).verdict()
    assert str(proven) == repr(proven) == f"{proven}" == "PROVEN"
    assert proven
    assert not unknown
    assert unknown.gap is not None or unknown == "REFUTED"
    assert "PROVEN" in proven._repr_markdown_()
