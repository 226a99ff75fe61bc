"""Spectral measures: that their waves add up to the kernel again, and the rest."""

import math

import numpy as np
import pytest
from scipy import special, stats

from kernellab import kernels as kl
from kernellab.errors import InputError, NoSpectralMeasure
from kernellab.kernels import Kernel, spectral
from tests.contract.samples import SAMPLES, Sample, circle, slope

MANY = 100_000


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def assert_gives_back(k: Kernel, d: int, seed: int = 0, draw=None) -> None:
    """(M/m) Σ cos ω⊤δ = k(δ) at 10 places, near and far, within 5 standard errors."""
    measure = k.spectral_measure(d)
    delta = rng(seed).normal(size=(10, d)) * np.geomspace(0.05, 5, 10)[:, None]
    omega = (draw or measure.sample)(MANY, rng(seed + 1))
    assert omega.shape == (MANY, d)
    assert np.isfinite(omega).all()
    waves = measure.mass * np.cos(delta @ omega.T)
    error = waves.std(axis=1) / math.sqrt(MANY)
    wanted = k(delta, np.zeros((1, d)))[:, 0]
    off = np.abs(waves.mean(axis=1) - wanted)
    assert (off <= 5 * error + 1e-9 * measure.mass).all(), (k, off, error)


# --- the contract -------------------------------------------------------------------

VECTORS = [s for s in SAMPLES if isinstance(s.points(rng(), 2), np.ndarray)]


def is_stationary(k: Kernel, X: np.ndarray) -> bool:
    """Whether a shift leaves k(X) as it is (up, so that x ≥ 0 stays true)."""
    K, moved = k(X), k(X + 0.375)
    return bool(np.allclose(K, moved, rtol=1e-9, atol=1e-12))


def has_measure(k: Kernel, d: int) -> bool:
    try:
        k.spectral_measure(d)
    except NoSpectralMeasure:
        return False
    return True


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_every_kernel_has_a_measure_or_says_why_not(sample: Sample):
    X = sample.points(rng(), 9)
    d = X.shape[1] if isinstance(X, np.ndarray) else 2
    if has_measure(sample.kernel, d):
        measure = sample.kernel.spectral_measure(d)
        assert measure.dimension == d
        np.testing.assert_allclose(sample.kernel.diag(X), measure.mass, rtol=1e-14)
        return
    with pytest.raises(NoSpectralMeasure, match=r"^no spectral measure for ") as error:
        sample.kernel.spectral_measure(d)
    culprit = str(error.value).removeprefix("no spectral measure for ").split(": ")[0]
    assert culprit in {repr(node) for node in sample.kernel.nodes()}


@pytest.mark.parametrize("sample", VECTORS, ids=str)
def test_none_is_missed_and_none_is_invented(sample: Sample):
    """A proven kernel that is seen to be stationary and continuous has a measure."""
    k, X = sample.kernel, sample.points(rng(), 9)
    unknown = any(
        isinstance(node, kl.Delta | kl.FromFeatures | kl.Pullback)
        or (not node.children and "why_not_spectral" in vars(type(node)))
        for node in k.nodes()
    )
    if has_measure(k, X.shape[1]):
        assert is_stationary(k, X)
        assert sample.proven
    else:
        assert unknown or not sample.proven or not is_stationary(k, X)


STATIONARY = [s for s in VECTORS if has_measure(s.kernel, s.points(rng(), 2).shape[1])]


@pytest.mark.parametrize("sample", STATIONARY, ids=str)
def test_waves_give_the_kernel_back(sample: Sample):
    assert_gives_back(sample.kernel, sample.points(rng(), 2).shape[1])


# --- expressions --------------------------------------------------------------------

G, E, M3 = kl.Gaussian(0.8), kl.Exponential((1.5, 0.5)), kl.Matern(0.7, nu=1.5)
P, R, L = kl.Periodic(1.2, period=2.5), kl.RationalQuadratic(0.7, 0.6), kl.Laplacian(2)
C = kl.Cosine((1.0, -2.0))
SHEAR = kl.Affine([[1.0, 0.5], [0.0, 2.0]], b=(3.0, -1.0))
WIDE = kl.Affine([[1.0, 0.5], [0.0, 2.0], [-1.0, 0.3]])

EXPRESSIONS = {
    "mixture": 2 * G + 0.5 * E + 3,
    "mixture of radial": G + 2 * M3 + R + 1,
    "constants": kl.Constant(2.0) + kl.Constant(3.0),
    "nothing": 0 * G,
    "nothing and nothing": 0 * G + 0 * E,
    "nothing and something": 0 * G + E,
    "product": G * L,
    "product of radial": 2 * G * M3 * kl.Constant(0.5),
    "product of waves": C * kl.Cosine((0.5, 0.3)),
    "product of sums": (G + 1) * (C + 2) * (P + E),
    "square": M3**2,
    "fifth power": (M3 + 0.5) ** 5,
    "power of waves": C**3,
    "no power": M3**0,
    "root of a Gaussian": kl.sqrt(G),
    "real power": (3 * G * R * P * kl.exp(M3)) ** 1.7,
    "power of a power": (E**1.5) ** 2,
    "exponential": kl.exp(G),
    "exponential of waves": kl.exp(2 * C + 0.3 * P),
    "exponential of a constant": kl.exp(kl.Constant(2.0)),
    "polynomial": (2 * M3).polynomial((0.5, 0.0, 2.0, 0.1)),
    "polynomial without constant": G.polynomial((0.0, 1.0, 3.0)),
    "zero polynomial": G.polynomial((0.0,)),
    "one coordinate": G.on(1),
    "coordinates in another order": kl.Gaussian((0.5, 2.0)).on((1, 0)),
    "parts": M3.on(0) * P.on(1) + L.on(1),
    "normalised": (3 * G + 2 * C).normalize(),
    "linear map": E.pullback(SHEAR),
    "linear map to more dimensions": M3.pullback(WIDE),
    "linear map of a part": kl.Periodic().on(2).pullback(WIDE) + G,
    "root of parts": kl.sqrt(R.on(1).pullback(SHEAR) * G.normalize()),
    "deep": kl.exp(0.5 * (G + C.normalize() * P.on(0)) ** 2).polynomial((0, 1, 0.2)),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_rules(name):
    k = EXPRESSIONS[name]
    assert_gives_back(k, 2)
    X = rng().normal(size=(5, 2))
    np.testing.assert_allclose(k.diag(X), k.spectral_measure(2).mass, rtol=1e-13)


def random_tree(seed: int, depth: int = 3) -> Kernel:
    """A stationary expression on ℝ², of all the rules."""
    random = rng(seed)

    def grow(depth: int) -> Kernel:
        if depth == 0:
            leaves = [G, E, M3, P, R, L, C, kl.Constant(0.7), kl.Matern((1, 2), nu=2.5)]
            return leaves[random.integers(len(leaves))]
        one = grow(depth - 1)
        rules = [
            lambda: one + grow(depth - 1),
            lambda: one * grow(depth - 1),
            lambda: random.uniform(0.2, 2.0) * one,
            lambda: one**2,
            lambda: kl.exp(0.4 * one.normalize()),
            lambda: one.polynomial((0.3, 1.0, 0.2)),
            lambda: one.pullback(SHEAR),
            lambda: one.on((1, 0)),
            lambda: one.normalize(),
        ]
        return rules[random.integers(len(rules))]()

    return grow(depth)


@pytest.mark.parametrize("seed", range(16))
def test_random_trees(seed):
    k = random_tree(seed)
    assert_gives_back(k, 2, seed)
    X = rng().normal(size=(3, 2))
    np.testing.assert_allclose(k.diag(X), k.spectral_measure(2).mass, rtol=1e-12)


@pytest.mark.parametrize("p", [0.25, 1.0, 2.5])
@pytest.mark.parametrize(
    "k",
    [
        G,
        E,
        kl.Matern(0.7, nu=0.5),
        R,
        kl.RationalQuadratic((0.7, 2.0), 3.0),
        L,
        kl.Laplacian((1.0, 2.0)),
        P,
        kl.Constant(2.0),
        3 * G,
        G * (2 * L),
        kl.exp(C),
        kl.exp(C) ** 0.7,
        G.on(1),
        E.pullback(SHEAR),
        (2 * G).normalize(),
    ],
    ids=repr,
)
def test_powers_written_without_a_power(k, p):
    X = rng().normal(size=(6, 2))
    raised = k.real_power(p)
    assert k.is_infinitely_divisible()
    assert raised is not None
    np.testing.assert_allclose(raised(X), k(X) ** p, rtol=1e-12)


@pytest.mark.parametrize("k", [M3, C, 3 * M3, G * M3, -G, M3.on(1), M3.normalize()])
def test_powers_that_are_not_known(k):
    assert k.real_power(0.5) is None
    with pytest.raises(NoSpectralMeasure):
        (k**0.5).spectral_measure(2)


# --- distributions ------------------------------------------------------------------


def assert_distributed(values: np.ndarray, law) -> None:
    assert stats.kstest(values, law.cdf).pvalue > 1e-3


@pytest.mark.parametrize(
    ("k", "law"),
    [
        (kl.Gaussian(0.5), stats.norm(scale=2.0)),
        (kl.Exponential(0.5), stats.cauchy(scale=2.0)),
        (kl.Laplacian(0.5), stats.cauchy(scale=2.0)),
        (kl.Matern(0.5, nu=1.5), stats.t(3, scale=2.0)),
        (kl.Matern(0.5, nu=2.5), stats.t(5, scale=2.0)),
        # E e^{iωδ} = 1/(1 + δ²/(2σ²)) is Laplace's distribution.
        (kl.RationalQuadratic(0.5, 1.0), stats.laplace(scale=2.0 / math.sqrt(2))),
        (kl.Gaussian(0.5) * kl.Gaussian(2.0), stats.norm(scale=math.hypot(2.0, 0.5))),
        (kl.Gaussian(0.5) ** 3, stats.norm(scale=2.0 * math.sqrt(3))),
        (kl.Exponential(2.0) * kl.Exponential(1.0), stats.cauchy(scale=1.5)),
    ],
    ids=lambda value: repr(value) if isinstance(value, kl.Kernel) else "law",
)
@pytest.mark.parametrize("d", [1, 3])
def test_coordinates(k, law, d):
    omega = k.spectral_measure(d).sample(20_000, rng(1))
    for c in range(d):
        assert_distributed(omega[:, c], law)


@pytest.mark.parametrize(
    ("nu", "k"),
    [(0.5, kl.Exponential(0.5)), (1.5, kl.Matern(0.5)), (2.5, kl.Matern(0.5, 2.5))],
)
def test_radius_of_students_distribution(nu, k):
    d = 4
    omega = k.spectral_measure(d).sample(20_000, rng(2))
    assert_distributed(0.5**2 * (omega**2).sum(axis=1) / d, stats.f(d, 2 * nu))


def test_one_variable_scales_all_coordinates():
    """Student's t: the coordinates are uncorrelated but not independent."""
    omega = np.abs(kl.Matern(nu=2.5).spectral_measure(2).sample(20_000, rng(3)))
    assert stats.spearmanr(*omega.T).pvalue < 1e-6
    omega = np.abs(kl.Laplacian().spectral_measure(2).sample(20_000, rng(3)))
    assert stats.spearmanr(*omega.T).pvalue > 1e-3


@pytest.mark.parametrize("sigma", [0.3, 0.9, 3.0])
def test_periodic_lattice(sigma):
    """2πj/period with the probabilities e^{−κ}I_j(κ), κ = 1/σ²."""
    kappa, m = sigma**-2, 50_000
    omega = kl.Periodic(sigma, period=2.5).spectral_measure(1).sample(m, rng(4))
    j = omega[:, 0] * 2.5 / (2 * math.pi)
    np.testing.assert_allclose(j, np.rint(j), atol=1e-12)
    places = np.arange(-30, 31)
    expected = m * special.ive(places, kappa)
    seen = np.array([(np.rint(j) == place).sum() for place in places])
    large = expected > 10
    rest = m - expected[large].sum(), m - seen[large].sum()
    chi2 = ((seen - expected)[large] ** 2 / expected[large]).sum()
    chi2 += (rest[0] - rest[1]) ** 2 / max(rest[0], 1e-9) if rest[0] > 1 else 0
    assert stats.chi2(large.sum()).sf(chi2) > 1e-3


def test_a_very_narrow_periodic_kernel():
    """Where Poisson variables are too large to be drawn one by one."""
    for sigma in (2.0**-20.5, 2.0**-19.5, 1e-12):
        omega = kl.Periodic(sigma).spectral_measure(1).sample(20_000, rng(5))
        j = omega[:, 0] / (2 * math.pi)
        assert_distributed(j * sigma, stats.norm())
        assert (np.abs(j - np.rint(j)) <= 1e-15 * np.abs(j)).all()
        assert {0.0, 1.0} == set(np.unique(np.rint(j) % 2)) or sigma < 1e-9


def test_atoms():
    assert not kl.Constant(2.0).spectral_measure(3).sample(5, rng()).any()
    wave = kl.Cosine((1.0, -2.0)).spectral_measure(2).sample(1000, rng())
    assert {tuple(w) for w in wave} == {(1.0, -2.0), (-1.0, 2.0)}
    # exp(k): a Poisson number of frequencies, none of them with probability e^{−M}.
    omega = kl.exp(2 * kl.Gaussian()).spectral_measure(2).sample(MANY, rng())
    none = (omega == 0).all(axis=1).mean()
    assert abs(none - math.exp(-2)) < 5 * math.sqrt(math.exp(-2) / MANY)
    # q₀ + q₁k + q₂k²: each with its share of the mass.
    k = (2 * kl.Cosine(1.0)).polynomial((1.0, 1.0, 1.0))
    omega = k.spectral_measure(1).sample(MANY, rng())[:, 0]
    shares = [(omega == w).mean() for w in (-2, -1, 0, 1, 2)]
    wanted = np.array([1, 1, 3, 1, 1]) / 7  # of 1 + 2 + 4: 1+2 at 0, 1 at ±1, ±2
    np.testing.assert_allclose(shares, wanted, atol=5 * 0.5 / math.sqrt(MANY))


@pytest.mark.parametrize(
    ("k", "variance"),
    [
        (kl.Gaussian((0.5, 2.0)), np.diag([4.0, 0.25])),
        (kl.Gaussian().pullback(SHEAR), SHEAR.matrix.T @ SHEAR.matrix),
        (kl.RationalQuadratic(0.5, 4.0), 4 * np.eye(2)),
        (kl.Matern(nu=2.5), 5 / 3 * np.eye(2)),
        (kl.Gaussian() * kl.Gaussian((0.5, 2.0)), np.diag([5.0, 1.25])),
        (kl.Gaussian() + 3, np.eye(2) / 4),
        (kl.exp(3 * kl.Gaussian()), 3 * np.eye(2)),
        (kl.Gaussian().on(1), np.diag([0.0, 1.0])),
        (kl.Cosine((1.0, -2.0)), np.array([[1.0, -2.0], [-2.0, 4.0]])),
        (kl.Periodic(0.5, 2 * math.pi), 4 * np.eye(2)),
    ],
    ids=repr,
)
def test_variance_is_minus_the_hessian_at_0(k, variance):
    """∂²k/∂δ² at 0 is −M·E ωω⊤."""
    omega = k.spectral_measure(2).sample(MANY, rng(6))
    products = omega[:, :, None] * omega[:, None, :]
    error = products.std(axis=0) / math.sqrt(MANY)
    assert (np.abs(products.mean(axis=0) - variance) <= 5 * error + 1e-9).all()
    assert (np.abs(omega.mean(axis=0)) <= 5 * omega.std(axis=0) / MANY**0.5).all()


def test_draws_of_a_product_are_independent():
    """A mixture in each factor: all four combinations occur."""
    k = (kl.Cosine((1.0, 0.0)) + 1) * (kl.Cosine((0.0, 1.0)) + 1)
    omega = np.abs(k.spectral_measure(2).sample(MANY, rng(7)))
    for corner in ((0, 0), (0, 1), (1, 0), (1, 1)):
        assert abs((omega == corner).all(axis=1).mean() - 0.25) < 0.01


def test_the_seed_decides():
    measure = (G + C).spectral_measure(2)
    np.testing.assert_array_equal(
        measure.sample(50, rng(1)), measure.sample(50, rng(1))
    )
    assert (measure.sample(50, rng(1)) != measure.sample(50, rng(2))).any()
    assert measure.sample(0, rng()).shape == (0, 2)


def test_characteristic_estimates_with_its_error():
    measure = (2 * G).spectral_measure(2)
    delta = rng().normal(size=(50, 2))
    value, error = measure.characteristic(delta, m=2000, random_state=1)
    off = (value - 2 * G(delta, np.zeros((1, 2)))[:, 0]) / error
    assert np.abs(off).max() < 5
    assert 0.2 < off.std() < 2
    with pytest.raises(InputError, match=r"delta must have shape \(n, 2\)"):
        measure.characteristic([1.0, 2.0])


# --- rotation invariance ------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "radial"),
    [
        (G, True),
        (E, True),
        (kl.RationalQuadratic((1.0, 2.0)), True),
        (G + M3 + 2, True),
        (kl.Gaussian((1.0, 2.0)) * 3 + kl.Matern((1.0, 2.0)) + 1, True),
        (kl.exp(G * M3).polynomial((1, 2)).normalize() ** 2, True),
        (G.on(1), True),
        (G.pullback(WIDE), True),
        (kl.Constant(1.0), True),
        (C, True),
        (L, False),
        (P, False),
        (G + L, False),
        (G + kl.Gaussian((1.0, 2.0)), False),
        (kl.Gaussian((1.0, 2.0)) + kl.Gaussian((1.0, 3.0)), False),
        (G.on(0) * G.on(1), False),
        (C + kl.Cosine((1.0, 1.0)), False),
    ],
    ids=repr,
)
def test_who_is_radial(k, radial):
    measure = k.spectral_measure(2)
    assert measure.radial is radial
    assert ("radial" in repr(measure)) is radial
    if radial:
        assert_gives_back(k, 2, draw=measure.sample_orthogonal)
    else:
        with pytest.raises(NoSpectralMeasure, match="orthogonal frequencies need"):
            measure.sample_orthogonal(4, rng())


@pytest.mark.parametrize("k", [L, P], ids=repr)
def test_on_the_line_all_are(k):
    assert k.spectral_measure(1).radial


@pytest.mark.parametrize("m", [1, 2, 3, 4, 7, 8, 9])
def test_orthogonal_in_blocks(m):
    d = 4
    W = kl.Matern(0.7).spectral_measure(d).sample_orthogonal(m, rng(m))
    assert W.shape == (m, d)
    products = W @ W.T
    block = np.arange(m) // d
    same = (block[:, None] == block) & ~np.eye(m, dtype=bool)
    scale = np.sqrt(np.outer(products.diagonal(), products.diagonal()))
    assert (np.abs(products / scale)[same] < 1e-12).all()
    other = block[:, None] != block
    assert (np.abs(products / scale)[other] > 1e-9).all()


def test_orthogonal_before_the_map():
    sigma = np.array([0.5, 2.0, 1.0])
    W = kl.Gaussian(tuple(sigma)).spectral_measure(3).sample_orthogonal(3, rng())
    products = (W * sigma) @ (W * sigma).T
    np.testing.assert_allclose(products, np.diag(products.diagonal()), atol=1e-12)


@pytest.mark.parametrize("place", [0, 2, 4])
def test_each_orthogonal_frequency_has_the_right_distribution(place):
    """A wrong sign in the QR factors, or shared radii, would show here."""
    measure = kl.Matern(0.5, nu=2.5).spectral_measure(5)
    W = measure.sample_orthogonal(5 * 4000, rng(9)).reshape(4000, 5, 5)[:, place]
    for c in range(5):
        assert_distributed(W[:, c], stats.t(5, scale=2.0))
    assert_distributed(0.25 * (W**2).sum(axis=1) / 5, stats.f(5, 5))


def test_radii_of_a_block_are_independent():
    measure = kl.Gaussian().spectral_measure(3)
    W = measure.sample_orthogonal(3 * 4000, rng(10)).reshape(4000, 3, 3)
    radii = np.linalg.norm(W, axis=2)
    assert stats.spearmanr(radii[:, 0], radii[:, 1]).pvalue > 1e-3
    assert_distributed(radii[:, 0], stats.chi(3))


# --- errors -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "culprit", "why"),
    [
        (G + 2 * kl.Linear(), "Linear()", "not stationary, as k(x, x) changes with x"),
        (
            kl.exp(kl.Polynomial(2, 0.5)),
            "Polynomial(degree=2, c=0.5)",
            "not stationary",
        ),
        (kl.HistogramIntersection(), "HistogramIntersection()", "not stationary"),
        (G * kl.Delta(), "Delta()", "stationary but not continuous"),
        (G - 0.5 * M3, "-0.5 * Matern(sigma=0.7, nu=1.5)", "-0.5 is negative"),
        (G - 1, "Constant(c=-1.0)", "-1 is negative"),
        (G.polynomial((1, -2)), repr(G.polynomial((1, -2))), "coefficient is negative"),
        (kl.tanh(G), repr(kl.tanh(G)), "negative coefficients"),
        (G / (M3 + 1), repr(G / (M3 + 1)), "no rule makes a quotient"),
        (M3**0.5, repr(M3**0.5), "p must be 0, 1, 2, …"),
        (G**-1, repr(G**-1), "p must be 0, 1, 2, …"),
        (kl.sqrt(kl.Linear() + 1), "Linear()", "not stationary"),
        (G.weighted(slope), repr(G.weighted(slope)), "a weight f(x) that changes"),
        (G.pullback(circle), repr(G.pullback(circle)), "pullback(Affine(A, b))"),
        (kl.Spectrum(2) + 1, "Spectrum(p=2)", "compares strings, not vectors"),
        (kl.Jaccard().normalize(), "Jaccard()", "compares sets, not vectors"),
        (kl.FromDistance(np.cos), "FromDistance(cos)", "nothing is known"),
        ((0 * G).normalize(), repr((0 * G).normalize()), "k(x, x) = 0"),
    ],
    ids=repr,
)
def test_errors_name_the_part_and_the_reason(k, culprit, why):
    with pytest.raises(NoSpectralMeasure) as error:
        k.spectral_measure(2)
    text = str(error.value)
    assert text.startswith(f"no spectral measure for {culprit}: ")
    assert why in text


@pytest.mark.parametrize(
    "k",
    [
        kl.exp(1000 * G),
        (10 * M3) ** 400,
        (10 * G) ** 400,
        kl.Constant(10.0) ** 400.5,
        (1e200 * G) * (1e200 * M3),
        (1e200 * G).polynomial((0, 0, 1)),
    ],
    ids=repr,
)
def test_a_mass_that_is_no_number(k):
    with pytest.raises(NoSpectralMeasure, match="too large to be a number"):
        k.spectral_measure(2)


def test_dimensions():
    for wrong in (0, -1, 1.5, "two", None, np.nan):
        with pytest.raises(InputError, match="the dimension must be"):
            G.spectral_measure(wrong)
    with pytest.raises(InputError, match="2 columns; the dimension asked for is 3"):
        (kl.Gaussian() + kl.Gaussian((1.0, 2.0))).spectral_measure(3)
    with pytest.raises(InputError, match="at least 3 columns; the dimension"):
        kl.Gaussian().on(2).spectral_measure(2)
    with pytest.raises(InputError, match="2 columns; the dimension asked for is 3"):
        kl.Gaussian().pullback(SHEAR).spectral_measure(3)
    with pytest.raises(InputError, match="2 columns; the dimension asked for is 3"):
        C.pullback(WIDE).spectral_measure(2)


def test_repr():
    assert repr(G.spectral_measure(12)) == "SpectralMeasure on ℝ¹²: mass 1, radial"
    assert repr((2 * L).spectral_measure(2)) == "SpectralMeasure on ℝ²: mass 2"


def test_many_dimensions_need_no_square_matrix():
    d = 30_000
    k = kl.Gaussian() + kl.Gaussian(tuple(np.ones(d))).on(range(d))
    assert k.spectral_measure(d).sample(2, rng()).shape == (2, d)
    assert G.spectral_measure(d).sample_orthogonal(2, rng()).shape == (2, d)


# --- affine maps --------------------------------------------------------------------


def test_affine_maps():
    X, A = rng().normal(size=(5, 2)), SHEAR.matrix
    np.testing.assert_allclose(SHEAR(X), X @ A.T + [3.0, -1.0])
    np.testing.assert_allclose(kl.Affine(A)(X), X @ A.T)
    assert hash(kl.Affine(A)) == hash(kl.Affine(A.tolist()))
    k = G.pullback(kl.Map(SHEAR, "shear"))
    assert repr(k) == "Gaussian(sigma=0.8).pullback(shear)"
    np.testing.assert_allclose(k(X), G(X @ A.T))


def test_affine_errors():
    with pytest.raises(InputError, match="A must be a finite"):
        kl.Affine([1.0, 2.0])
    with pytest.raises(InputError, match="A must be a finite"):
        kl.Affine([[np.nan]])
    with pytest.raises(InputError, match="A must be a matrix of numbers"):
        kl.Affine("A")
    with pytest.raises(InputError, match="b must have 2 entries"):
        kl.Affine(np.eye(2), b=(1.0, 2.0, 3.0))
    with pytest.raises(InputError, match="takes points with 2 columns, got 3"):
        G.pullback(SHEAR)(np.zeros((1, 3)))


def test_the_smallest_chi_square_gives_a_finite_frequency():
    class Zero:
        def chisquare(self, df, m):
            return np.zeros(m)

    assert np.isfinite(np.sqrt(spectral.student(0.5)(3, Zero()))).all()
