"""Kernels on strings, against slow references that follow the definitions."""

from itertools import combinations, product

import numpy as np
import pytest

from kernellab.errors import InputError, NoFeatureMap, NotProven, UndefinedValue
from kernellab.kernels.algebra import Constant
from kernellab.kernels.minimum import Delta
from kernellab.kernels.mismatch import Mismatch
from kernellab.kernels.points import Points
from kernellab.kernels.strings import Spectrum
from kernellab.kernels.subsequence import Subsequence
from kernellab.validity.domains import Objects, Reals

WORDS = ["", "a", "ab", "abba", "banana", "aaaaa", "bandana", "ban", "caba", "ban"]
UNICODE = ["naïve", "naive", "été", "𝔸𝔹𝔸𝔹", "été", "日本日本"]
KERNELS = [
    Spectrum(p=1),
    Spectrum(p=3),
    Spectrum(p=2, alphabet="abcdn"),
    Mismatch(p=1, m=0, alphabet="abcdn"),
    Mismatch(p=3, m=1, alphabet="abcdn"),
    Mismatch(p=4, m=2, alphabet="nabcd"),
    Subsequence(p=1, decay=0.7),
    Subsequence(p=2, decay=1.0),
    Subsequence(p=3, decay=0.5),
]


def slow_spectrum(s, t, p):
    """Count the pairs of equal substrings."""
    pairs = product(range(len(s) - p + 1), range(len(t) - p + 1))
    return sum(s[i : i + p] == t[j : j + p] for i, j in pairs)


def slow_mismatch(s, t, p, m, alphabet):
    """Sum over all words u of the substrings near u in s, times those in t."""

    def near(s, u):
        grams = [s[i : i + p] for i in range(len(s) - p + 1)]
        return sum(sum(a != b for a, b in zip(g, u, strict=True)) <= m for g in grams)

    return sum(near(s, u) * near(t, u) for u in product(alphabet, repeat=p))


def slow_subsequence(s, t, p, decay):
    """Sum over all choices of p places in s and in t."""

    def occurrences(s):
        for places in combinations(range(len(s)), p):
            yield [s[i] for i in places], places[-1] - places[0] + 1

    return sum(
        decay ** (span + other_span)
        for word, span in occurrences(s)
        for other, other_span in occurrences(t)
        if word == other
    )


def slow(k, s, t):
    if isinstance(k, Spectrum):
        return slow_spectrum(s, t, k.p)
    if isinstance(k, Mismatch):
        return slow_mismatch(s, t, k.p, k.m, k.alphabet)
    return slow_subsequence(s, t, k.p, k.decay)


def table(k, left, right):
    return np.array([[slow(k, s, t) for t in right] for s in left], dtype=float)


@pytest.fixture(params=KERNELS, ids=repr)
def k(request):
    return request.param


# --- values -------------------------------------------------------------------------


def test_agrees_with_the_definition(k):
    exact = not isinstance(k, Subsequence)
    words = WORDS if exact or k.p < 3 else WORDS[:8]
    np.testing.assert_allclose(
        k(words), table(k, words, words), rtol=0 if exact else 1e-13, atol=0
    )


def test_blocks_and_the_diagonal_agree(k):
    K = k(WORDS)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(k.diag(WORDS), np.diag(K), rtol=1e-14)
    np.testing.assert_allclose(k(WORDS, WORDS), K, rtol=1e-14)
    np.testing.assert_allclose(k(WORDS[2:5], WORDS[3:]), K[2:5, 3:], rtol=1e-14)
    np.testing.assert_allclose(k(WORDS[::-1])[::-1, ::-1], K, rtol=1e-14)


def test_is_positive_semidefinite(k):
    eigenvalues = np.linalg.eigvalsh(k(WORDS))
    assert eigenvalues[0] >= -1e-10 * eigenvalues[-1]


def test_no_points(k):
    assert k([]).shape == (0, 0)
    assert k([], ["ab"]).shape == (0, 1)
    assert k(["ab"], []).shape == (1, 0)
    assert k.diag([]).shape == (0,)


def test_strings_shorter_than_p(k):
    short = ["ab"[: k.p - 1], ""]
    assert not k(short).any()
    assert not k(short, ["banana", "ab"]).any()
    assert not k.diag(short).any()


@pytest.mark.parametrize("k", [Spectrum(p=2), Subsequence(p=2, decay=0.5)], ids=repr)
def test_characters_are_code_points(k):
    np.testing.assert_allclose(k(UNICODE), table(k, UNICODE, UNICODE), rtol=1e-14)
    lone_surrogate = "\ud800a\ud800a"
    assert k([lone_surrogate])[0, 0] == k(["baba"])[0, 0]


def test_several_tiles(k):
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("abn"), size=n)) for n in rng.integers(0, 6, 300)]
    K = k(words)
    some = rng.integers(0, 300, size=(40, 2))
    expected = [slow(k, words[i], words[j]) for i, j in some]
    np.testing.assert_allclose(K[some[:, 0], some[:, 1]], expected, rtol=1e-13)
    np.testing.assert_allclose(k(words[:5], words), K[:5], rtol=1e-14)


def test_spectrum_by_hand():
    # banana: ba 1, an 2, na 2; bandana: ba 1, an 2, nd 1, da 1, na 1
    expected = [[9, 7], [7, 8]]
    np.testing.assert_array_equal(Spectrum(p=2)(["banana", "bandana"]), expected)


def test_an_alphabet_does_not_change_the_values():
    plain, over = Spectrum(p=2), Spectrum(p=2, alphabet="ndcba")
    np.testing.assert_array_equal(plain(WORDS), over(WORDS))


def test_no_mismatch_is_the_spectrum():
    K = Mismatch(p=3, m=0, alphabet="abcdn")(WORDS)
    np.testing.assert_array_equal(K, Spectrum(p=3)(WORDS))


def test_mismatch_by_hand():
    # Near AA: A* and *A, 7 words; near AC: A* and *C; common to both: A*, 4 words.
    # Near CG: C* and *G; common with AA: CA and AG, with AC: CC and AG.
    K = Mismatch(p=2, m=1)(["AA", "AC", "CG"])
    np.testing.assert_array_equal(K, [[7, 4, 2], [4, 7, 2], [2, 2, 7]])


def test_mismatch_over_one_letter():
    assert Mismatch(p=2, m=1, alphabet="a")(["aaa"]) == [[4.0]]


def test_long_words_over_a_small_alphabet():
    # Within one mismatch of both of two words: 1 + 3·30 if they are equal, 4 if they
    # differ in one place, 2 if in two, none if in three.
    words = ["A" * 30, "A" * 29 + "C", "GA" + "A" * 27 + "C", "GT" + "A" * 26 + "CC"]
    K = Mismatch(p=30, m=1)(words)
    np.testing.assert_array_equal(K[0], [91, 4, 2, 0])
    np.testing.assert_array_equal(K[:, 2], [2, 4, 91, 2])


def test_subsequence_by_hand():
    # Lodhi et al. (2002), section 3: cat and car share "ca"; k(cat, car) = λ⁴ and
    # k(cat, cat) = k(car, car) = 2λ⁴ + λ⁶.
    decay = 0.3
    K = Subsequence(p=2, decay=decay)(["cat", "car", "bat", "bar"])
    own = 2 * decay**4 + decay**6
    expected = own * np.eye(4)
    for i, j in [(0, 1), (0, 2), (1, 3), (2, 3)]:
        expected[i, j] = expected[j, i] = decay**4
    np.testing.assert_allclose(K, expected, rtol=1e-13)


def test_subsequence_without_decay_counts():
    # "a"*6 has C(6, 3) subsequences of length 3, all equal
    assert Subsequence(p=3, decay=1.0)(["a" * 6]) == [[400.0]]


def test_subsequence_of_long_and_short_strings():
    rng = np.random.default_rng(1)
    long = "".join(rng.choice(list("ab"), size=700))
    words = ["ab", long, "ba" * 20, long[:300], "", "aab"]
    k = Subsequence(p=2, decay=0.9)
    K = k(words)
    np.testing.assert_allclose(K, K.T)
    np.testing.assert_allclose(k(words, words), K, rtol=1e-13)
    np.testing.assert_allclose(K[0, 2], slow_subsequence("ab", "ba" * 20, 2, 0.9))
    # p = 2 in closed form: E = λ²M, k = Σ_{ab} E_{ab} (F E Fᵀ)_{ab}
    M = 0.81 * (np.array(list(long))[:, None] == np.array(list(long[:300])))
    F, G = (np.tril(0.9 ** (i[:, None] - i - 1.0), -1) for i in map(np.arange, M.shape))
    np.testing.assert_allclose(K[1, 3], np.sum(M * (F @ M @ G.T)), rtol=1e-11)


def test_a_value_too_large_is_an_error():
    with pytest.raises(UndefinedValue, match="too large for a float"):
        Subsequence(p=200, decay=1.0)(["a" * 560])


# --- algebra, features, printing ------------------------------------------------------


def test_in_expressions():
    words = ["banana", "bandana", "ananas", "banana"]
    k = 2 * Spectrum(p=3).normalize() + Delta()
    K = Spectrum(p=3)(words)
    cosine = K / np.sqrt(np.outer(np.diag(K), np.diag(K)))
    same = np.equal.outer(np.array(words), np.array(words))
    np.testing.assert_allclose(k(words), 2 * cosine + same, rtol=1e-14)
    np.testing.assert_allclose(k.diag(words), 3.0)
    np.testing.assert_allclose(k(words[:2], words), k(words)[:2], rtol=1e-14)
    assert repr(k) == "2.0 * Spectrum(p=3).normalize() + Delta()"


def test_a_product_with_itself(k):
    np.testing.assert_allclose((k * k)(WORDS), k(WORDS) ** 2, rtol=1e-14)
    np.testing.assert_allclose((k**2 + 1).diag(WORDS), k.diag(WORDS) ** 2 + 1)


def test_theta_holds_the_factors_only(k):
    assert (3 * k).theta_names == ("scale.c",)
    G = np.arange(9.0).reshape(3, 3)
    words = ["abba", "banana", "bandana"]
    np.testing.assert_allclose((3 * k).vjp(words, G), [np.sum(G * 3 * k(words))])


@pytest.mark.parametrize(
    "k", [k for k in KERNELS if getattr(k, "alphabet", None)], ids=repr
)
def test_features_reproduce_the_kernel(k):
    phi = k.features()
    np.testing.assert_array_equal(phi(WORDS) @ phi(WORDS[:3]).T, k(WORDS, WORDS[:3]))
    words = ["".join(u) for u in product(k.alphabet, repeat=k.p)]
    assert phi.labels(0) == words
    assert phi([]).shape == (0, len(words))


def test_features_of_an_expression():
    k = 2 * Spectrum(p=2, alphabet="ab") + 1
    words = ["abab", "", "bba"]
    phi = k.features()(words)
    np.testing.assert_allclose(phi @ phi.T, k(words))


def test_features_that_cannot_be_listed():
    with pytest.raises(NoFeatureMap, match="alphabet"):
        Spectrum(p=3).features()
    with pytest.raises(NoFeatureMap, match="16777216 words"):
        Mismatch(p=12, m=1).features()
    with pytest.raises(NoFeatureMap, match=r"a\^3 features"):
        Subsequence(p=3).features()


def test_repr_round_trip(k):
    assert eval(repr(k)) == k
    assert hash(eval(repr(k))) == hash(k)


def test_printed_forms():
    assert repr(Spectrum()) == "Spectrum(p=3)"
    assert repr(Mismatch()) == "Mismatch(p=3, m=1, alphabet='ACGT')"
    assert repr(Subsequence()) == "Subsequence(p=3, decay=0.5)"
    assert Spectrum(p=2).latex == r"\sum_{|u| = 2} \#_u(x) \, \#_u(x')"
    assert "0.5^{l(i) + l(j)}" in Subsequence().latex
    assert r"\le 1" in Mismatch().latex
    product_of_sums = (Spectrum(p=2) * Spectrum(p=1)).latex
    assert product_of_sums.startswith(r"(\sum")
    assert product_of_sums.endswith(")")


# --- validity -------------------------------------------------------------------------


def test_is_proven(k):
    verdict = k.verdict()
    assert verdict == "PROVEN"
    assert str(verdict.domain) == "all strings"
    assert "inner product of counts" in str(k.proof())
    assert (2 * k + Delta()).verdict() == "PROVEN"
    assert k.normalize().verdict() == "PROVEN"  # where k(x, x) > 0
    assert (k + 1).normalize().verdict(Objects("strings")) == "PROVEN"


def test_is_not_proven_where_it_is_not_defined(k):
    with pytest.raises(InputError, match="compares"):
        k.proof(Objects("anything"))
    with pytest.raises(InputError, match="compares strings"):
        k.verdict(Reals(2))


def test_normalizing_is_not_proven_for_strings_that_may_be_short(k):
    with pytest.raises(NotProven, match=r"k₁\(x, x\) > 0"):
        k.normalize().proof(Objects("strings"))
    with pytest.raises(UndefinedValue, match="point number 1"):
        k.normalize()(["banana", ""])


# --- errors ---------------------------------------------------------------------------


def test_what_is_not_a_list_of_strings(k):
    with pytest.raises(InputError, match=r"list of strings.*X\[1\] is int 3"):
        k(["ab", 3])
    with pytest.raises(InputError, match="list of length one"):
        k("abba")
    with pytest.raises(InputError, match=r"Z must be a list of strings"):
        k(["ab"], [b"ab"])
    with pytest.raises(InputError, match="it was given vectors"):
        k(Points(np.ones((2, 2))))
    with pytest.raises(InputError, match="list of strings"):
        k(Points((3, 4)))


def test_kernels_on_other_things_do_not_mix():
    from kernellab.kernels.dotproduct import Linear

    with pytest.raises(InputError, match="strings and vectors"):
        Spectrum() + Linear()
    assert (Spectrum() + Constant(1.0)).space.name == "strings"


@pytest.mark.parametrize("p", [0, -1, 2.5, True, "3", None, np.inf, [1, 2]])
def test_length_must_be_a_positive_integer(p):
    for kind in (Spectrum, Mismatch, Subsequence):
        with pytest.raises(InputError, match="the length p"):
            kind(p=p)


def test_whole_numbers_of_other_types_are_taken():
    assert Spectrum(p=np.int64(2)) == Spectrum(p=2.0) == Spectrum(p=2)


@pytest.mark.parametrize("decay", [0, -0.5, 1.01, np.nan, True, None])
def test_decay_must_lie_in_its_range(decay):
    with pytest.raises(InputError, match="decay"):
        Subsequence(p=2, decay=decay)


@pytest.mark.parametrize("alphabet", ["", "abca", 3, ["a", "b"]])
def test_alphabet_must_list_characters_once(alphabet):
    for kind in (Spectrum, Mismatch):
        with pytest.raises(InputError, match="alphabet"):
            kind(alphabet=alphabet)


def test_mismatches_must_be_fewer_than_letters():
    with pytest.raises(InputError, match="m must be below p"):
        Mismatch(p=2, m=2)
    with pytest.raises(InputError, match="mismatches must be an integer ≥ 0"):
        Mismatch(p=2, m=-1)


def test_foreign_characters():
    for k in (Mismatch(p=2, m=1), Spectrum(p=2, alphabet="ACGT")):
        with pytest.raises(InputError, match=r"'ACGN' contains 'N'\. Add it"):
            k(["ACGT"], ["ACGN"])
        with pytest.raises(InputError, match=rf"{type(k).__name__}.* contains 'g'"):
            k.features()(["g"])


def test_neighbourhoods_that_explode():
    with pytest.raises(InputError, match="too large"):
        Mismatch(p=20, m=10)
    with pytest.raises(InputError, match="more than can be numbered"):
        Mismatch(p=40, m=0)
    rng = np.random.default_rng(0)
    text = "".join(rng.choice(list("ACGT"), size=2000))
    with pytest.raises(InputError, match="fewer strings at a time"):
        Mismatch(p=12, m=4)([text])  # many neighbours
    with pytest.raises(InputError, match="fewer strings at a time"):
        Mismatch(p=9, m=3)([text[:60]] * 1000)  # few, but in many strings
    with pytest.raises(InputError, match="fewer strings at a time"):
        Mismatch(p=9, m=8).features()([text])
