"""Data sets made on the spot: two classes in the plane, and sparse text.

The points in the plane cannot be separated by a straight line, which is why one needs
a kernel. The text is what linear machines are made for: many documents, more words,
few words a document. Every function takes the generator of its random numbers, so
that a figure is the same at every run.

Legend: n points, rows of X; labels y ∈ {−1, +1}.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from kernellab.arrays import Array, RandomState, generator, number, positive_number
from kernellab.errors import InputError

SHIFT = 10.0
"""q in Mandelbrot's law 1/(r + q): how common the most common words are."""


def moons(
    n: int, noise: float = 0.1, random_state: RandomState = 0
) -> tuple[Array, Array]:
    """Return two half circles that reach into each other.

    The upper one is (cos s, sin s), label −1; the lower one (1 − cos s, ½ − sin s),
    label +1, with s from 0 to π. Normal noise is added to both coordinates.

    Parameters
    ----------
    n : how many points; half of each class, the odd one has label −1.
    noise : standard deviation of the noise.
    random_state : seed, or generator of random numbers.

    Returns
    -------
    (n, 2) array of points in random order, (n,) array of labels.

    Examples
    --------
    >>> X, y = moons(4, noise=0.0)
    >>> X[y == -1].round(3) + 0.0
    array([[ 1.,  0.],
           [-1.,  0.]])
    """
    n, noise, rng = _read(n, noise, random_state)
    upper, lower = (np.linspace(0, np.pi, part) for part in ((n + 1) // 2, n // 2))
    X = np.concatenate(
        [
            np.column_stack([np.cos(upper), np.sin(upper)]),
            np.column_stack([1 - np.cos(lower), 0.5 - np.sin(lower)]),
        ]
    )
    return _finish(X, len(upper), noise, rng)


def rings(
    n: int,
    noise: float = 0.1,
    random_state: RandomState = 0,
    radii: tuple[float, float] = (1.0, 2.0),
) -> tuple[Array, Array]:
    """Return two circles around the origin: label −1 on the first, +1 on the second.

    Parameters
    ----------
    n : how many points; half of each class, the odd one has label −1.
    noise : standard deviation of the noise in both coordinates.
    random_state : seed, or generator of random numbers.
    radii : radius of each circle.

    Returns
    -------
    (n, 2) array of points in random order, (n,) array of labels.

    Examples
    --------
    >>> X, y = rings(6, noise=0.0)
    >>> np.hypot(*X.T).round(3), y
    (array([2., 1., 1., 2., 2., 1.]), array([ 1., -1., -1.,  1.,  1., -1.]))
    """
    n, noise, rng = _read(n, noise, random_state)
    inner, outer = (positive_number(radius, "a radius") for radius in radii)
    first = (n + 1) // 2
    angle = rng.uniform(0, 2 * np.pi, size=n)
    radius = np.where(np.arange(n) < first, inner, outer)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return _finish(X, first, noise, rng)


def xor(
    n: int, noise: float = 0.0, random_state: RandomState = 0, gap: float = 0.1
) -> tuple[Array, Array]:
    """Return the square [−1, 1]², with the sign of x₁x₂ as label: the exclusive or.

    Parameters
    ----------
    n : how many points; the labels are random.
    noise : standard deviation of the noise, added after the label is fixed.
    random_state : seed, or generator of random numbers.
    gap : both |x₁| and |x₂| are at least this, before noise: a band without points
        between the classes.

    Returns
    -------
    (n, 2) array of points, (n,) array of labels.

    Examples
    --------
    >>> X, y = xor(100)
    >>> bool((np.sign(X.prod(axis=1)) == y).all()), float(np.abs(X).min()) >= 0.1
    (True, True)
    """
    n, noise, rng = _read(n, noise, random_state)
    gap = number(gap, "gap")
    if not 0 <= gap < 1:
        raise InputError(f"gap must be at least 0 and below 1, got {gap:g}")
    signs = rng.choice([-1.0, 1.0], size=(n, 2))
    X = signs * rng.uniform(gap, 1, size=(n, 2))
    return X + noise * rng.normal(size=(n, 2)), signs.prod(axis=1)


def sparse_text(
    n: int,
    words: int = 47_000,
    random_state: RandomState = 0,
    length: float = 75.0,
    strength: float = 1.45,
    topical: float = 0.1,
    flipped: float = 0.03,
) -> tuple[Any, Array]:
    """Documents about two topics, as TF-IDF rows: a stand-in for the RCV1 collection.

    Words follow Mandelbrot's version of Zipf's law: the r-th most common has the
    probability ∝ 1/(r + 10). A share `topical` of them leans to one topic: its
    probability is multiplied by e^(±strength/2), with + in its own topic and − in the
    other. A document has a random number of words (log-normal), drawn independently.
    With N_ij occurrences of word j in document i, and d_j documents that contain it,

        X_ij ∝ (1 + log N_ij) · (1 + log (1 + n)/(1 + d_j))  where N_ij > 0,  ‖X_i‖ = 1.

    With the default numbers a document has about 75 different words, the best
    possible classifier errs in about 6 % of the documents, about half of that because
    of flipped labels, and a linear machine comes near it: as in Bottou's experiment,
    in which the documents are real.

    Parameters
    ----------
    n : how many documents. For training and test data make all of them in one call:
        another call has other topics.
    words : how many different words there are, the number of columns.
    random_state : seed, or generator of random numbers.
    length : how many different words a document has, roughly, if `words` is much
        larger.
    strength : how strongly a topical word leans: the logarithm of the ratio of its
        probabilities in the two topics.
    topical : share of the words that lean.
    flipped : probability that a label is wrong.

    Returns
    -------
    SciPy CSR array of shape (n, words), sorted, rows of norm 1; (n,) array of labels.

    Notes
    -----
    O(n·length·log words) operations.

    Examples
    --------
    >>> X, y = sparse_text(1000, words=5000)
    >>> X.shape, X.format, 50 < X.nnz / 1000 < 100
    ((1000, 5000), 'csr', True)
    """
    n, strength, rng = _read(n, strength, random_state, "strength")
    words = _whole(words, "words")
    length = positive_number(length, "length")
    topical, flipped = _share(topical, "topical"), _share(flipped, "flipped")
    y = rng.choice([-1.0, 1.0], size=n)
    X = _weigh(_counts(y, _topics(words, strength, topical, rng), length, rng))
    return X, np.where(rng.random(n) < flipped, -y, y)


def _topics(
    words: int, strength: float, topical: float, rng: np.random.Generator
) -> Array:
    """Return (2, words) probabilities, in the topics −1 and +1."""
    lean = rng.choice([-0.5, 0.5], size=words) * (rng.random(words) < topical)
    common = 1 / (np.arange(1, words + 1) + SHIFT)
    P = common * np.exp(np.outer([-strength, strength], lean))
    return np.asarray(P / P.sum(axis=1, keepdims=True))


def _counts(y: Array, P: Array, length: float, rng: np.random.Generator) -> Any:
    """Return N: how often each word occurs in each document."""
    n, words = len(y), P.shape[1]
    # A few of the draws repeat a word of the same document.
    tokens = rng.lognormal(np.log(1.07 * length) - 0.125, 0.5, size=n)
    sizes = np.maximum(1, tokens.round()).astype(np.int64)
    document = np.repeat(np.arange(n, dtype=np.int32), sizes)
    draws = rng.random(len(document))
    word = np.empty(len(document), dtype=np.int32)
    for label, p in zip((-1, 1), P, strict=True):
        mine = y[document] == label
        word[mine] = np.searchsorted(np.cumsum(p)[:-1], draws[mine], side="right")
    ones = np.ones(len(document))
    return sparse.coo_array((ones, (document, word)), shape=(n, words)).tocsr()


def _weigh(N: Any) -> Any:
    """TF-IDF rows of norm 1, in place of the counts."""
    n, words = N.shape
    seen = np.bincount(N.indices, minlength=words)
    rarity = 1 + np.log((1 + n) / (1 + seen))
    N.data = (1 + np.log(N.data)) * rarity[N.indices]
    norms = np.sqrt(np.add.reduceat(N.data**2, N.indptr[:-1]))
    N.data /= np.repeat(norms, np.diff(N.indptr))
    N.sort_indices()
    return N


def _finish(
    X: Array, first: int, noise: float, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Noise, labels (−1 for the first ones), random order."""
    n = len(X)
    y = np.where(np.arange(n) < first, -1.0, 1.0)
    order = rng.permutation(n)
    return (X + noise * rng.normal(size=X.shape))[order], y[order]


def _read(
    n: int, noise: float, random_state: RandomState, name: str = "noise"
) -> tuple[int, float, np.random.Generator]:
    size = number(noise, name)
    if size < 0:
        raise InputError(f"{name} must not be negative, got {noise!r}")
    return _whole(n, "n"), size, generator(random_state)


def _whole(value: object, what: str, least: int = 1) -> int:
    result = number(value, what)
    if result != int(result) or result < least:
        raise InputError(f"{what} must be an integer ≥ {least}, got {value!r}")
    return int(result)


def _share(value: object, what: str) -> float:
    result = number(value, what)
    if not 0 <= result <= 1:
        raise InputError(f"{what} must be a share between 0 and 1, got {value!r}")
    return result
