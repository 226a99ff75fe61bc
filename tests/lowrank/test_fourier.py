"""Random Fourier features: exact where they are exact, and right on average."""

import math
import pickle

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from kernellab import kernels as kl
from kernellab.errors import InputError, NoSpectralMeasure, NotFitted
from kernellab.lowrank import waves as circle
from kernellab.lowrank.fourier import FAILURE_PROBABILITY, FourierError, RandomFourier
from kernellab.lowrank.ridge import LowRankRidge
from kernellab.lowrank.waves import MAX_ANGLE_STEPS, TABLE_STEP, waves

EPS = np.finfo(float).eps

KERNELS = [
    kl.Gaussian(1.3),
    3 * kl.Matern((0.5, 2.0, 1.0), nu=2.5),
    kl.Laplacian(0.7) + 0.5,
    kl.exp(kl.Periodic().on(0)) * kl.Gaussian(),
]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def plain(X: np.ndarray, phi: RandomFourier, mass: float) -> np.ndarray:
    """√(M/m) (cos ω⊤x, sin ω⊤x), by the formula."""
    angles = X @ phi.frequencies_.T
    return math.sqrt(mass / len(phi.frequencies_)) * np.hstack(
        [np.cos(angles), np.sin(angles)]
    )


# --- cosines and sines --------------------------------------------------------------


def cos_and_sin(angles: np.ndarray) -> np.ndarray:
    return waves(np.asarray(angles, float)[:, None], np.ones((1, 1)), 1.0)


def exact(function, angles: np.ndarray) -> np.ndarray:
    """One angle at a time: the loops of NumPy may be off by some last digits."""
    return np.array([function(angle) for angle in np.asarray(angles).tolist()])


@pytest.mark.parametrize(
    "angles",
    [
        np.linspace(-10, 10, 10_001),
        np.pi * np.arange(-1001, 1002, 2),
        np.pi / 2 * np.arange(-1000, 1001),
        TABLE_STEP * (np.arange(-5000, 5000) + 0.5),
        TABLE_STEP * np.arange(-5000, 5000),
        rng().normal(size=5000) * np.geomspace(1e-300, 1e3, 5000),
        rng().normal(size=5000) * np.geomspace(1e3, 1e12, 5000),
        np.array([0.0, -0.0, 5e-324, 1e-17, -1e-8, 2.0**31, -(2.0**40)]),
    ],
    ids=["line", "odd π", "π/2", "ties", "table", "small", "huge", "special"],
)
def test_waves_are_right_to_the_last_digits(angles):
    """To a few roundings of 1, and the rounding of the angle in steps."""
    values = cos_and_sin(angles)
    allowed = 2 * EPS + 2 * EPS * np.abs(angles)
    assert (np.abs(values[:, 0] - exact(math.cos, angles)) <= allowed).all()
    assert (np.abs(values[:, 1] - exact(math.sin, angles)) <= allowed).all()
    assert (np.abs((values**2).sum(axis=1) - 1) <= 4 * EPS).all()


def test_the_table():
    """cos(a) = sin(a + π/2) and cos(−a) = cos a, to half a unit of the last place."""
    cos, sin = circle._circle()
    np.testing.assert_allclose(
        cos, np.roll(sin, -circle.TABLE_ANGLES // 4), atol=1.2e-16
    )
    np.testing.assert_allclose(cos[1:], cos[:0:-1], atol=1.2e-16)
    small = np.arange(circle.TABLE_ANGLES // 8)
    np.testing.assert_allclose(
        cos[small], exact(math.cos, TABLE_STEP * small), atol=2.3e-16
    )


def test_waves_at_zero():
    values = cos_and_sin(np.array([0.0]))
    assert values.tolist() == [[1.0, 0.0]]


def test_small_angles_keep_their_relative_precision():
    angles = np.geomspace(1e-300, 1e-3, 1000)
    sines = exact(math.sin, angles)
    np.testing.assert_allclose(cos_and_sin(angles)[:, 1], sines, rtol=1e-15)


@pytest.mark.parametrize(
    ("n", "m", "d"), [(1, 1, 1), (7, 3, 2), (50, 40, 5), (0, 3, 2)]
)
@pytest.mark.parametrize("panel", [1, 64, 2**15])
def test_waves_in_panels(monkeypatch, n, m, d, panel):
    monkeypatch.setattr(circle, "PANEL_ANGLES", panel)
    X, omega = rng(1).normal(size=(n, d)), rng(2).normal(size=(m, d))
    values = waves(X, omega, 0.5)
    assert values.shape == (n, 2 * m)
    assert values.flags.c_contiguous
    np.testing.assert_allclose(values[:, :m], 0.5 * np.cos(X @ omega.T), atol=1e-13)
    np.testing.assert_allclose(values[:, m:], 0.5 * np.sin(X @ omega.T), atol=1e-13)


def test_waves_take_any_memory_layout():
    X, omega = rng(1).normal(size=(6, 4)), rng(2).normal(size=(3, 4))
    wanted = waves(X, omega, 1.0)
    for other in (np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2]):
        np.testing.assert_allclose(waves(other, omega, 1.0), wanted, atol=1e-13)
    before = X.copy(), omega.copy()
    waves(X, omega, 1.0)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(omega, before[1])


def test_angles_without_a_meaning():
    largest = MAX_ANGLE_STEPS * TABLE_STEP
    assert np.isfinite(cos_and_sin(np.array([0.99 * largest]))).all()
    for size in (1.01 * largest, 1e300):
        with pytest.raises(InputError, match="float64 cannot tell its cosine"):
            cos_and_sin(np.array([0.0, -size]))
    with pytest.raises(InputError, match="the angle ω⊤x reaches inf"):
        waves(np.array([[1e300]]), np.array([[1e300]]), 1.0)


# --- the map ------------------------------------------------------------------------


@pytest.mark.parametrize("k", KERNELS, ids=repr)
def test_columns(k):
    X, Z = rng().normal(size=(9, 3)), rng(1).normal(size=(4, 3))
    phi = RandomFourier(k, rank=24, random_state=3).fit(X)
    mass = k.diag(X[:1])[0]
    assert phi.rank_ == 24
    assert phi.frequencies_.shape == (12, 3)
    np.testing.assert_allclose(phi.transform(X), plain(X, phi, mass), atol=1e-13)
    np.testing.assert_allclose(
        phi.approximate(X, Z), plain(X, phi, mass) @ plain(Z, phi, mass).T, atol=1e-13
    )
    waves = np.cos((X[:, None] - Z) @ phi.frequencies_.T).mean(axis=2)
    np.testing.assert_allclose(phi.approximate(X, Z), mass * waves, atol=1e-12)


@pytest.mark.parametrize("orthogonal", [False, True])
@pytest.mark.parametrize("rank", [2, 4, 10, 64])
def test_the_diagonal_is_exact(rank, orthogonal):
    k = 2 * kl.Gaussian() + kl.Matern()
    X = rng().normal(size=(20, 3))
    phi = RandomFourier(k, rank, orthogonal).fit(X)
    np.testing.assert_allclose(phi.approximate(X).diagonal(), 3.0, rtol=1e-13)
    error = phi.error(X)
    assert abs(error.trace) < 1e-12
    assert not error.bound


def draws(k, X, rank, number, orthogonal=False) -> np.ndarray:
    """k̂(X) for many seeds."""
    return np.stack(
        [
            RandomFourier(k, rank, orthogonal, seed).fit(X).approximate(X)
            for seed in range(number)
        ]
    )


@pytest.mark.parametrize(
    ("k", "orthogonal"),
    [(k, False) for k in KERNELS] + [(k, True) for k in KERNELS[:2]],
    ids=repr,
)
def test_unbiased_with_the_variance_of_the_formula(k, orthogonal):
    X, number = rng(5).normal(size=(4, 3)), 600
    values = draws(k, X, 10, number, orthogonal)
    upper = np.triu_indices(4, 1)
    error = values.std(axis=0) / math.sqrt(number)
    off = (np.abs(values.mean(axis=0) - k(X)) / (error + 1e-12))[upper]
    assert off.max() < 4.5
    if orthogonal:
        return
    variance = RandomFourier(k, 10).fit(X).variance(X)
    squares = (values - k(X)) ** 2
    spread = squares.std(axis=0) / math.sqrt(number)
    off = np.abs(squares.mean(axis=0) - variance) / (spread + 1e-12)
    assert off[upper].max() < 4.5
    np.testing.assert_allclose(variance.diagonal(), 0, atol=1e-13)


def test_variance_of_a_gaussian():
    """(1 − e^{−‖δ‖²/σ²})² / (2m)."""
    X, Z = rng().normal(size=(5, 2)), rng(1).normal(size=(6, 2))
    phi = RandomFourier(kl.Gaussian(1.7), rank=14).fit(X)
    k = kl.Gaussian(1.7)(X, Z)
    np.testing.assert_allclose(phi.variance(X, Z), (1 - k**2) ** 2 / 14, rtol=1e-10)


def test_one_wave_has_no_variance():
    """Every draw is ±ω, and the cosine does not see the sign."""
    X = rng().normal(size=(6, 2))
    k = 2 * kl.Cosine((1.0, -3.0))
    phi = RandomFourier(k, rank=2).fit(X)
    np.testing.assert_allclose(phi.approximate(X), k(X), atol=1e-13)
    assert phi.variance(X).max() < 1e-13


def within_block(z: float) -> float:
    """Covariance of two waves of a block, for the Gaussian in ℝ³ at ‖δ‖ = zσ.

    Two coordinates of a uniform unit vector, at ρ = sin t from the origin, and
    E cos(zrw) = (1 − z²w²)e^{−z²w²/2} for a radius r that is χ with 3 degrees.
    """

    def integrand(t: float) -> float:
        u = (z * math.sin(t)) ** 2
        return (1 - u + u**2 / 8) * math.exp(-u / 2) * math.sin(t)

    return quad(integrand, 0, math.pi / 2)[0] - math.exp(-(z**2))


@pytest.mark.parametrize("z", [0.7, 1.5, 3.5])
def test_variance_of_orthogonal_frequencies(z):
    """Three waves of one block, against the exact variance."""
    number = 20_000
    omega = kl.Gaussian().spectral_measure(3).sample_orthogonal(3 * number, rng(7))
    values = np.cos(z * omega[:, 0]).reshape(number, 3).mean(axis=1)
    alone = (1 - math.exp(-(z**2))) ** 2 / 2
    exact = (alone + 2 * within_block(z)) / 3
    squares = (values - math.exp(-(z**2) / 2)) ** 2
    assert abs(squares.mean() - exact) < 4.5 * squares.std() / math.sqrt(number)
    assert (exact < alone / 3) == (z < 3.4)  # beyond, it is larger by a hundredth


@pytest.mark.parametrize("d", [2, 5, 20])
def test_orthogonal_frequencies_do_better_on_average(d):
    k, X = kl.Gaussian(math.sqrt(d)), rng(d).normal(size=(40, d))
    error = [
        np.mean((draws(k, X, 4 * d, 30, orthogonal) - k(X)) ** 2)
        for orthogonal in (False, True)
    ]
    assert error[1] < 0.85 * error[0]


@pytest.mark.parametrize("d", [1, 4])
@pytest.mark.parametrize("m", [1, 3, 4, 5, 9])
def test_orthogonal_blocks_of_any_size(d, m):
    X = rng().normal(size=(5, d))
    phi = RandomFourier(kl.Exponential(), 2 * m, orthogonal=True).fit(X)
    W = phi.frequencies_ / np.linalg.norm(phi.frequencies_, axis=1)[:, None]
    for start in range(0, m, d):
        block = W[start : start + d]
        np.testing.assert_allclose(block @ block.T, np.eye(len(block)), atol=1e-12)
    assert phi.transform(X).shape == (5, 2 * m)


# --- bounds and estimates -----------------------------------------------------------


def test_hoeffdings_bound_in_numbers():
    X = np.zeros((1, 4))
    phi = RandomFourier(3 * kl.Gaussian(), rank=200).fit(X)
    assert phi.bound(1, 0.05) == pytest.approx(3 * math.sqrt(2 * math.log(40) / 100))
    assert phi.bound(10, 0.5) == pytest.approx(phi.bound(1, 0.05))
    phi = RandomFourier(3 * kl.Gaussian(), 20, orthogonal=True).fit(X)  # 4 + 4 + 2
    assert phi.bound(1, 0.05) == pytest.approx(0.3 * math.sqrt(2 * math.log(40) * 36))


@pytest.mark.parametrize("orthogonal", [False, True])
def test_the_bound_holds(orthogonal):
    """For all pairs, with every one of 60 seeds."""
    X = rng().normal(size=(40, 3))
    for k in KERNELS[:2]:
        for seed in range(60):
            phi = RandomFourier(k, 40, orthogonal, seed).fit(X)
            worst = np.abs(phi.approximate(X) - k(X)).max()
            assert worst <= phi.bound(40 * 39 // 2)


def test_the_bound_is_not_idle():
    """Waves that are 1 or −1: the worst case that Hoeffding allows for."""
    k, X = 0.5 * (kl.Constant(1.0) + kl.Cosine(math.pi)), np.array([[0.0], [1.0]])
    values = draws(k, X, 100, 1000)[:, 0, 1]
    bound = RandomFourier(k, 100).fit(X).bound(1, 0.05)
    assert (np.abs(values) > bound).mean() < 0.05
    assert (np.abs(values) > 0.5 * bound).mean() > 0.1


@pytest.mark.parametrize("k", KERNELS[:3], ids=repr)
def test_error_estimates(k):
    X = rng(3).normal(size=(300, 3))
    phi = RandomFourier(k, rank=100, random_state=2).fit(X)
    off = phi.approximate(X) - k(X)
    error = phi.error(X)
    assert isinstance(error, FourierError)
    assert error.n == 300
    assert error.pairs > 0
    assert abs(error.rms - math.sqrt(np.mean(off**2))) < 5 * error.spread
    assert error.entry <= np.abs(off).max() * (1 + 1e-9)
    assert error.expected == pytest.approx(math.sqrt(phi.variance(X).mean()), rel=0.1)
    assert error.largest == phi.bound(300 * 299 / 2)
    assert 0.5 < error.rms / error.expected < 2
    assert f"expected rms {error.expected:.3g}" in str(error)
    assert f"with probability {1 - FAILURE_PROBABILITY:g}" in repr(error)


def test_error_of_one_point():
    X = np.zeros((1, 2))
    error = RandomFourier(kl.Gaussian(), 10).fit(X).error(X)
    assert error.largest == 0
    assert error.rms < 1e-14


def test_error_falls_as_one_over_the_root():
    X, k = rng(3).normal(size=(200, 3)), kl.Gaussian()
    rms = [RandomFourier(k, r).fit(X).error(X).rms for r in (50, 5000)]
    assert 5 < rms[0] / rms[1] < 20


# --- peers --------------------------------------------------------------------------


def test_frequencies_and_values_of_scikit_learn():
    sklearn = pytest.importorskip("sklearn.kernel_approximation")
    X, sigma = rng().normal(size=(30, 3)), 1.4
    sampler = sklearn.RBFSampler(
        gamma=1 / (2 * sigma**2), n_components=4000, random_state=0
    ).fit(X)
    phi = RandomFourier(kl.Gaussian(sigma), rank=8000).fit(X)
    for c in range(3):
        theirs, ours = sampler.random_weights_[c], phi.frequencies_[:, c]
        assert stats.ks_2samp(theirs, ours).pvalue > 1e-3
    theirs = sampler.transform(X)
    K = kl.Gaussian(sigma)(X)
    assert np.abs(theirs @ theirs.T - K).max() < 0.1
    assert np.abs(phi.approximate(X) - K).max() < 0.1


def test_ridge_on_random_features_tends_to_kernel_ridge():
    from kernellab import KernelRidge

    X = rng(1).uniform(-2, 2, size=(400, 2))
    t = np.sin(2 * X[:, 0]) + X[:, 1]
    Z = rng(2).uniform(-2, 2, size=(50, 2))
    exact = KernelRidge(kl.Gaussian(), lam=0.1).fit(X, t).predict(Z)
    off = [
        np.abs(
            LowRankRidge(RandomFourier(kl.Gaussian(), rank), lam=0.1)
            .fit(X, t)
            .predict(Z)
            - exact
        ).max()
        for rank in (20, 2000)
    ]
    assert off[1] < 0.1 < off[0]


def test_ridge_by_the_formula():
    X, t = rng(1).normal(size=(60, 2)), rng(2).normal(size=60)
    phi = RandomFourier(kl.Matern(), 20).fit(X)
    model = LowRankRidge(phi, lam=0.3).fit(X, t)
    Phi = phi.transform(X)
    w = np.linalg.solve(Phi.T @ Phi + 0.3 * np.eye(20), Phi.T @ t)
    np.testing.assert_allclose(model.w_, w, rtol=1e-9)
    np.testing.assert_allclose(model.predict(X), Phi @ w, rtol=1e-9)


# --- kinds of points ----------------------------------------------------------------


@pytest.fixture
def many() -> np.ndarray:
    return rng(8).normal(size=(5000, 3))


def test_memory_maps(tmp_path, many):
    for kind in (np.float64, np.float32):
        path = tmp_path / f"{kind.__name__}.npy"
        np.save(path, many.astype(kind))
        X = np.load(path, mmap_mode="r")
        phi = RandomFourier(kl.Gaussian(), 30).fit(X)
        wanted = phi.transform(many.astype(kind).astype(np.float64))
        np.testing.assert_allclose(phi.transform(X), wanted, atol=1e-13)
        assert phi.error(X).rms == pytest.approx(phi.error(np.array(X)).rms)


def test_dask_arrays(many):
    dask = pytest.importorskip("dask.array")
    X = dask.from_array(many, chunks=(1200, 3))
    phi = RandomFourier(kl.Laplacian(), 30).fit(X)
    local = RandomFourier(kl.Laplacian(), 30).fit(many)
    np.testing.assert_array_equal(phi.frequencies_, local.frequencies_)
    lazy = phi.transform(X)
    assert lazy.shape == (5000, 30)
    np.testing.assert_allclose(
        lazy.compute(scheduler="sync"), local.transform(many), atol=1e-9
    )


def test_blocks_do_not_matter(many):
    """Row by row as all at once, to the rounding of the angles."""
    phi = RandomFourier(kl.Gaussian(), 30).fit(many)
    whole = phi.transform(many)
    for i in (0, 1999, 2000, 4999):
        np.testing.assert_allclose(phi.transform(many[[i]])[0], whole[i], atol=1e-13)


def test_lists_and_integers():
    phi = RandomFourier(kl.Gaussian(), 6).fit([[1, 2], [3, 4]])
    np.testing.assert_allclose(
        phi.transform([[1, 2]]), phi.transform(np.array([[1.0, 2.0]]))
    )


# --- the estimator ------------------------------------------------------------------


def test_seeds():
    X = rng().normal(size=(5, 2))
    maps = [RandomFourier(kl.Gaussian(), 10, random_state=s).fit(X) for s in (0, 0, 1)]
    np.testing.assert_array_equal(maps[0].frequencies_, maps[1].frequencies_)
    assert (maps[0].frequencies_ != maps[2].frequencies_).all()
    other = RandomFourier(kl.Gaussian(), 10).fit(10 + X[:1])
    np.testing.assert_array_equal(maps[0].frequencies_, other.frequencies_)


def test_parameters_and_pickle():
    X = rng().normal(size=(5, 2))
    phi = RandomFourier(kl.Gaussian(), rank=8, orthogonal=True, random_state=4)
    assert phi.get_params(deep=False) == {
        "kernel": kl.Gaussian(),
        "rank": 8,
        "orthogonal": True,
        "random_state": 4,
    }
    phi.fit(X)
    copy = pickle.loads(pickle.dumps(phi))
    np.testing.assert_array_equal(copy.transform(X), phi.transform(X))
    assert copy.bound() == phi.bound()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rank": 7}, "rank must be even.*got 7, take 8"),
        ({"rank": 1}, "rank must be even.*got 1, take 2"),
        ({"rank": 0}, "rank must be an integer ≥ 1"),
        ({"rank": 2.5}, "rank must be an integer ≥ 1"),
        ({"rank": "many"}, "rank must be"),
        ({"random_state": -1}, "random_state.* must be an integer ≥ 0"),
        ({"random_state": "a"}, "random_state.* must be"),
        ({"kernel": kl.Gaussian((1.0, 2.0, 3.0))}, "points with 3 columns"),
    ],
)
def test_wrong_settings(settings, message):
    phi = RandomFourier(**{"kernel": kl.Gaussian(), **settings})
    with pytest.raises(InputError, match=message):
        phi.fit(np.zeros((4, 2)))
    with pytest.raises(NotFitted):
        phi.transform(np.zeros((4, 2)))


def test_kernels_without_waves():
    X = np.zeros((4, 2))
    with pytest.raises(
        NoSpectralMeasure, match=r"for Linear\(\): it is not stationary"
    ):
        RandomFourier(kl.Gaussian() + kl.Linear()).fit(X)
    with pytest.raises(NoSpectralMeasure, match="orthogonal frequencies need"):
        RandomFourier(kl.Laplacian(), orthogonal=True).fit(X)
    assert RandomFourier(kl.Laplacian(), orthogonal=True).fit(X[:, :1]).rank_ == 500
    with pytest.raises(InputError, match="need vectors; X has objects"):
        RandomFourier(kl.Constant(1.0)).fit(["a", "b"])
    with pytest.raises(NoSpectralMeasure, match="compares strings"):
        RandomFourier(kl.Spectrum(2)).fit(["a", "b"])
    with pytest.raises(TypeError, match="write it with parentheses"):
        RandomFourier(kl.Gaussian).fit(X)


def test_wrong_points():
    X = np.zeros((4, 2))
    phi = RandomFourier(kl.Gaussian(), 4)
    for call in (phi.transform, phi.error, phi.variance, phi.approximate):
        with pytest.raises(NotFitted, match="call fit first"):
            call(X)
    with pytest.raises(NotFitted, match="call fit first"):
        phi.bound()
    phi.fit(X)
    for call in (phi.transform, phi.error, phi.variance):
        with pytest.raises(
            InputError, match="is expecting 2 features as input, as in fit"
        ):
            call(np.zeros((4, 3)))
    with pytest.raises(InputError, match=r"Z has . features, but .* is expecting 2"):
        phi.variance(X, np.zeros((4, 3)))
    with pytest.raises(InputError, match="must be finite"):
        phi.transform([[np.nan, 0.0]])
    with pytest.raises(InputError, match="float64 cannot tell its cosine"):
        phi.transform([[1e17, 0.0]])
    with pytest.raises(InputError, match="one point or more"):
        phi.fit(X[:0])


@pytest.mark.parametrize("failure", [0, 1, -0.1, np.nan, "rare"])
def test_wrong_probabilities(failure):
    phi = RandomFourier(kl.Gaussian(), 4).fit(np.zeros((1, 1)))
    with pytest.raises(InputError, match="failure must be"):
        phi.bound(1, failure)


def test_a_kernel_that_is_zero():
    X = rng().normal(size=(3, 2))
    phi = RandomFourier(0 * kl.Gaussian(), 4).fit(X)
    assert not phi.transform(X).any()
    assert phi.error(X).largest == 0
