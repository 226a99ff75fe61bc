"""Words at places, ends of words, and the edit distance, against their definitions."""

import math

import numpy as np
import pytest

from kernellab import GaussianProcess, KernelRidge
from kernellab import kernels as kl
from kernellab.errors import InfiniteDimensional, InputError

WORDS = ["", "a", "ab", "abba", "banana", "aaaaa", "bandana", "ban", "caba", "ban"]


def grams(s, p, q):
    return [(s[i : i + n], i) for n in range(p, q + 1) for i in range(len(s) - n + 1)]


def slow_positional(s, t, p, q, sigma):
    """Sum over all pairs of substrings."""
    return sum(
        math.exp(-((i - j) ** 2) / (2 * sigma**2))
        for u, i in grams(s, p, q)
        for v, j in grams(t, p, q)
        if u == v
    )


def slow_edit_distance(s, t):
    """Fill the table of prefixes."""
    D = np.zeros((len(s) + 1, len(t) + 1), int)
    D[:, 0], D[0] = range(len(s) + 1), range(len(t) + 1)
    for i, a in enumerate(s, 1):
        for j, b in enumerate(t, 1):
            D[i, j] = min(D[i - 1, j] + 1, D[i, j - 1] + 1, D[i - 1, j - 1] + (a != b))
    return D[-1, -1]


# --- ends and ranges of the spectrum --------------------------------------------------


@pytest.mark.parametrize(("p", "q"), [(1, 3), (2, 2), (3, 5)])
@pytest.mark.parametrize("ends", [False, True])
def test_a_range_is_a_sum_and_ends_are_characters(p, q, ends):
    marked = [f"<{word}>" for word in WORDS] if ends else WORDS
    expected = sum(kl.Spectrum(n)(marked) for n in range(p, q + 1))
    k = kl.Spectrum(p, q, ends=ends)
    np.testing.assert_array_equal(k(WORDS), expected)
    np.testing.assert_array_equal(k(WORDS[:4], WORDS[2:]), expected[:4, 2:])
    assert k.verdict() == "PROVEN"


@pytest.mark.parametrize("k", [kl.Spectrum(1, 3, "ab"), kl.Spectrum(1, 2, "ab", True)])
def test_features_list_the_words_that_can_occur(k):
    words = ["", "a", "ba", "abba", "bbb"]
    phi = k.features()
    np.testing.assert_array_equal(phi(words) @ phi(words[1:]).T, k(words, words[1:]))
    labels = phi.labels(0)
    assert len(set(labels)) == len(labels) == phi(words).shape[1]
    if k.ends:
        assert labels[-5:] == ["⟨a", "⟨b", "a⟩", "b⟩", "⟨⟩"]
        assert labels[:4] == ["a", "b", "⟨", "⟩"]


def test_one_length_is_one_kernel():
    assert kl.Spectrum(2, 2) == kl.Spectrum(2)
    assert repr(kl.Spectrum(1, 3, ends=True)) == "Spectrum(p=1, longest=3, ends=True)"
    assert repr(kl.Spectrum(1, 3)) == "Spectrum(p=1, longest=3)"
    assert r"1 \le |u| \le 3" in kl.Spectrum(1, 3).latex
    assert r"\langle x \rangle" in kl.Spectrum(1, ends=True).latex


def test_wrong_ranges_and_ends():
    with pytest.raises(InputError, match=r"longest.*≥ 3, got 2"):
        kl.Spectrum(3, 2)
    with pytest.raises(InputError, match="ends must be True or False"):
        kl.Spectrum(3, ends="yes")
    with pytest.raises(InputError, match="which 'a⟩' contains"):
        kl.Spectrum(2, ends=True)(["a⟩"])


# --- words at places ------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "q", "sigma"), [(1, 1, 0.05), (2, 2, 0.8), (1, 3, 2.0), (2, 3, 100.0)]
)
def test_positional_spectrum_against_the_definition(p, q, sigma):
    k = kl.PositionalSpectrum(p, q, sigma)
    expected = [[slow_positional(s, t, p, q, sigma) for t in WORDS] for s in WORDS]
    np.testing.assert_allclose(k(WORDS), expected, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(
        k(WORDS[:3], WORDS[4:]), np.array(expected)[:3, 4:], rtol=1e-13, atol=1e-15
    )


def test_a_wide_window_forgets_places_and_a_narrow_one_insists():
    wide, narrow = (kl.PositionalSpectrum(2, sigma=s) for s in (1e6, 1e-3))
    np.testing.assert_allclose(wide(WORDS), kl.Spectrum(2)(WORDS), rtol=1e-10)
    pairs = [{(i, w[i : i + 2]) for i in range(len(w) - 1)} for w in WORDS]
    np.testing.assert_array_equal(narrow(WORDS), kl.Intersection()(pairs))


def test_positional_spectrum_is_proven_and_learns_its_width():
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("ACGT"), 12)) for _ in range(30)]
    y = np.array([w[4:6] == "AC" or w[5:7] == "AC" for w in words], float)
    k = kl.PositionalSpectrum(2, sigma=1.0)
    assert "smoothed counts" in str(k.proof())
    assert k.normalize().verdict() == "PROVEN"
    gp = GaussianProcess(0.1 * k, noise=0.1).fit(words, y, restarts=0)
    assert gp.log_marginal_likelihood() > gp.log_marginal_likelihood(
        np.concatenate([(0.1 * k).theta, [np.log(0.1)]])
    )
    with pytest.raises(InfiniteDimensional, match="every word and every place"):
        k.features()


def test_positional_spectrum_refuses_what_does_not_fit():
    with pytest.raises(InputError, match="sigma"):
        kl.PositionalSpectrum(2, sigma=0.0)
    with pytest.raises(InputError, match="pairs of equal words"):
        kl.PositionalSpectrum(1, sigma=1e4)(["a" * 8000])


# --- edit distance ------------------------------------------------------------


def test_edit_distance_against_the_table():
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("abé𝔸"), size=n)) for n in rng.integers(0, 9, 60)]
    words += ["", "ab" * 60, "ba" * 70]
    for s, t in zip(words, words[7:] + words[:7], strict=True):
        assert kl.edit_distance(s, t) == slow_edit_distance(s, t)
    with pytest.raises(TypeError, match="two strings, got 3"):
        kl.edit_distance("a", 3)


def similarity(s, t):
    return math.exp(-kl.edit_distance(s, t) / 5)


def test_five_words_refute_a_similarity_of_edit_distances():
    words = ["ab", "ba", "a", "aba", "bab"]  # one step between the first two and others
    k = kl.FromFunction(similarity, domain=kl.Objects("strings"))
    c = np.array([3.0, 3, -2, -2, -2])
    q = math.exp(-1 / 5)
    assert math.isclose(c @ k(words) @ c, 30 + 42 * q**2 - 72 * q)
    assert k.verdict(kl.FiniteSet(words)) == "REFUTED"
    assert k.verdict() == "REFUTED"
    witness = k.refute(kl.Objects("strings"))
    K = k(witness.points)
    assert witness.c @ K @ witness.c < 0
    assert k.verdict(kl.FiniteSet(words[:4])) == "PROVEN"


# --- diffusion ------------------------------------------------------------------------


def test_diffusion_is_the_exponential_of_the_laplacian():
    from scipy.linalg import expm

    rng = np.random.default_rng(1)
    A = np.triu(rng.random((8, 8)) < 0.4, 1)
    A = (A | A.T).astype(int)
    k = kl.Diffusion(kl.Graph.from_adjacency(A), beta=0.7)
    expected = expm(-0.7 * (np.diag(A.sum(axis=1)) - A))
    np.testing.assert_allclose(k(range(8)), expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(k(range(8)).sum(axis=1), 1.0)  # no heat is lost
    np.testing.assert_allclose(k(np.array([3, 3]), [5]), expected[[3, 3]][:, [5]])
    phi = k.features()(range(8))
    np.testing.assert_allclose(phi @ phi.T, expected, rtol=1e-12, atol=1e-14)


def test_diffusion_is_proven_by_its_own_rule_and_differences_are_refuted():
    k = kl.Diffusion(kl.Graph(3, [(0, 1), (1, 2)]), beta=0.5)
    assert "exponential of a symmetric matrix" in str(k.proof())
    assert k.normalize().verdict(kl.Objects("nodes")) == "PROVEN"
    assert (k - 0.9 * kl.Delta()).verdict() == "REFUTED"


def test_neighbours_inherit_what_is_known_of_a_node():
    ring = kl.Graph(8, [(i, (i + 1) % 8) for i in range(8)])
    model = KernelRidge(kl.Diffusion(ring), lam=0.01).fit([0, 4], [1.0, -1.0])
    f = model.predict(range(8))
    assert (f[[7, 0, 1]] > 0.1).all()
    assert (f[[3, 4, 5]] < -0.1).all()
    np.testing.assert_allclose(f[[2, 6]], 0.0, atol=1e-12)


@pytest.mark.parametrize("nodes", [[0, 3], [-1], [0.5], [True], ["a"]])
def test_what_is_not_a_node(nodes):
    with pytest.raises(InputError, match="nodes"):
        kl.Diffusion(kl.Graph(3, [(0, 1)]))(nodes)
    with pytest.raises(TypeError, match="graph must be a Graph"):
        kl.Diffusion([(0, 1)])
