"""The values of the leaves, against slow references and against scikit-learn."""

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as sk
from sklearn.metrics import pairwise

from kernellab import kernels as kl
from tests.reference import kernels as slow

rng = np.random.default_rng(7)
A = [[2.0, 0.5, 0.0], [0.5, 1.0, -0.25], [0.0, -0.25, 3.0]]
S3 = (0.5, 2.0, 1.25)
S6 = (0.5, 2.0, 1.25, 3.0, 0.75, 1.0)


def points(d: int, low: float = -2.0) -> tuple[np.ndarray, np.ndarray]:
    """X and Z, with one point in common, and one twice."""
    X, Z = rng.uniform(low, 2, (9, d)), rng.uniform(low, 2, (5, d))
    Z[2] = X[4]
    X[8] = X[7]
    return X, Z


CASES = [
    (kl.Constant(2.5), lambda x, z: 2.5, points(3)),
    (kl.Linear(), slow.inner, points(3)),
    (kl.Linear(A=A), lambda x, z: slow.bilinear(x, z, A), points(3)),
    (kl.Polynomial(3, 0.5), lambda x, z: slow.polynomial(x, z, 3, 0.5), points(3)),
    (kl.Polynomial(4, 0.0), lambda x, z: slow.polynomial(x, z, 4, 0.0), points(3)),
    (kl.Gaussian(0.7), lambda x, z: slow.gaussian(x, z, 0.7), points(3)),
    (kl.Gaussian(0.7), lambda x, z: slow.gaussian(x, z, 0.7), points(6)),
    (kl.Gaussian(S3), lambda x, z: slow.gaussian(x, z, S3), points(3)),
    (kl.Gaussian(S6), lambda x, z: slow.gaussian(x, z, S6), points(6)),
    (kl.Exponential(0.7), lambda x, z: slow.exponential(x, z, 0.7), points(3)),
    (kl.Exponential(S6), lambda x, z: slow.exponential(x, z, S6), points(6)),
    (kl.Laplacian(0.7), lambda x, z: slow.laplacian(x, z, 0.7), points(3)),
    (kl.Laplacian(S6), lambda x, z: slow.laplacian(x, z, S6), points(6)),
    (kl.Matern(nu=0.5), lambda x, z: slow.matern(x, z, 0.5), points(3)),
    (kl.Matern(2.0, nu=1.5), lambda x, z: slow.matern(x, z, 1.5, 2.0), points(3)),
    (kl.Matern(S6, nu=1.5), lambda x, z: slow.matern(x, z, 1.5, S6), points(6)),
    (kl.Matern(0.7, nu=2.5), lambda x, z: slow.matern(x, z, 2.5, 0.7), points(6)),
    (
        kl.RationalQuadratic(0.7, alpha=0.3),
        lambda x, z: slow.rational_quadratic(x, z, 0.3, 0.7),
        points(3),
    ),
    (
        kl.RationalQuadratic(S6, alpha=40.0),
        lambda x, z: slow.rational_quadratic(x, z, 40.0, S6),
        points(6),
    ),
    (
        kl.Periodic(0.7, period=1.3),
        lambda x, z: slow.periodic(x, z, 1.3, 0.7),
        points(1),
    ),
    (
        kl.Periodic(1.7, period=2.0),
        lambda x, z: slow.periodic(x, z, 2.0, 1.7),
        points(3),
    ),
    (kl.Cosine(-1.5), lambda x, z: slow.cosine(x, z, -1.5), points(1)),
    (kl.Cosine(S3), lambda x, z: slow.cosine(x, z, S3), points(3)),
    (kl.Brownian(), slow.histogram_intersection, points(1, low=0)),
    (kl.HistogramIntersection(), slow.histogram_intersection, points(4, low=0)),
    (kl.Delta(), slow.delta, points(3)),
    (kl.FromDistance(np.cos), lambda x, z: np.cos(slow.distance(x, z)), points(4)),
    (
        kl.FromDistance(np.cos, "cityblock"),
        lambda x, z: np.cos(slow.cityblock(x, z)),
        points(4),
    ),
    (
        kl.FromDistance(np.sqrt, "circle"),
        lambda x, z: np.sqrt(abs(np.angle(np.exp(1j * (x[0] - z[0]))))),
        (5 * points(1)[0], points(1)[1]),
    ),
    (
        kl.FromFeatures(lambda X: np.hstack([X, np.sin(X)])),
        lambda x, z: slow.inner([*x, *np.sin(x)], [*z, *np.sin(z)]),
        points(3),
    ),
    (
        kl.FromFunction(lambda x, z: x[0] ** 2 - z[1]),
        lambda x, z: x[0] ** 2 - z[1],
        points(2),
    ),
]


@pytest.mark.parametrize(
    ("kernel", "reference", "data"), CASES, ids=[str(case[0]) for case in CASES]
)
def test_leaf_against_its_definition(kernel, reference, data):
    X, Z = data
    close = {"rtol": 1e-12, "atol": 1e-13}
    np.testing.assert_allclose(kernel(X, Z), slow.gram(reference, X, Z), **close)
    np.testing.assert_allclose(kernel(X), slow.gram(reference, X, X), **close)
    diagonal = [reference(list(x), list(x)) for x in X]
    np.testing.assert_allclose(kernel.diag(X), diagonal, **close)


X, Z = points(4)

PEERS = [
    (kl.Gaussian(0.7), pairwise.rbf_kernel(X, Z, gamma=1 / (2 * 0.7**2))),
    (kl.Laplacian(0.7), pairwise.laplacian_kernel(X, Z, gamma=1 / 0.7)),
    (kl.Polynomial(3, 0.5), pairwise.polynomial_kernel(X, Z, 3, gamma=1, coef0=0.5)),
    (kl.tanh(kl.Linear() + 1), pairwise.sigmoid_kernel(X, Z, gamma=1, coef0=1)),
    (kl.Linear().normalize(), pairwise.cosine_similarity(X, Z)),
    (kl.Gaussian((1.0, 2.0, 3.0, 4.0)), sk.RBF((1, 2, 3, 4))(X, Z)),
    (kl.Matern(0.7, nu=0.5), sk.Matern(0.7, nu=0.5)(X, Z)),
    (kl.Exponential(0.7), sk.Matern(0.7, nu=0.5)(X, Z)),
    (kl.Matern(0.7, nu=1.5), sk.Matern(0.7, nu=1.5)(X, Z)),
    (kl.Matern(0.7, nu=2.5), sk.Matern(0.7, nu=2.5)(X, Z)),
    (kl.RationalQuadratic(0.7, alpha=2.0), sk.RationalQuadratic(0.7, 2.0)(X, Z)),
    (kl.Linear() + 1.5**2, sk.DotProduct(1.5)(X, Z)),
    (kl.Constant(3.0), sk.ConstantKernel(3.0)(X, Z)),
    (
        (kl.Gaussian(2.0) + 0.3) ** 2 * kl.Matern(nu=1.5),
        ((sk.RBF(2.0) + 0.3) ** 2 * sk.Matern(1.0, nu=1.5))(X, Z),
    ),
]


@pytest.mark.parametrize(("kernel", "theirs"), PEERS, ids=lambda k: str(k)[:40])
def test_against_scikit_learn(kernel, theirs):
    np.testing.assert_allclose(kernel(X, Z), theirs, rtol=1e-10)


def test_periodic_against_scikit_learn():
    """Theirs takes the Euclidean norm inside the sine: the same on the line only."""
    x, z = points(1)
    theirs = sk.ExpSineSquared(length_scale=0.7, periodicity=1.3)(x, z)
    np.testing.assert_allclose(kl.Periodic(0.7, period=1.3)(x, z), theirs, rtol=1e-10)


def test_rational_quadratic_tends_to_the_gaussian():
    for alpha in (1e8, 1e12, 1e15):
        K = kl.RationalQuadratic(0.7, alpha=alpha)(X)
        np.testing.assert_allclose(
            K, kl.Gaussian(0.7)(X), rtol=0, atol=1 / alpha + 1e-14
        )


def test_matern_tends_to_the_gaussian():
    r = np.linalg.norm(X[0] - X[1])
    far = [slow.matern(X[0], X[1], nu) for nu in (0.5, 1.5, 2.5, 100.0)]
    assert abs(far[-1] - np.exp(-(r**2) / 2)) < 0.01
    ours = [kl.Matern(nu=nu)(X[:1], X[1:2]).item() for nu in (0.5, 1.5, 2.5)]
    np.testing.assert_allclose(ours, far[:3], rtol=1e-12)


def test_limit_is_the_exponential():
    k = kl.PointwiseLimit(lambda m: (1 + kl.Linear() / m) ** m, tol=1e-7)
    np.testing.assert_allclose(k(X / 2), np.exp(X @ X.T / 4), rtol=1e-5)


def test_a_sequence_that_does_not_settle():
    k = kl.PointwiseLimit(lambda m: m * kl.Linear())
    with pytest.raises(ValueError, match=r"did not settle.*Raise tol"):
        k(X)


def test_nothing_is_defined_at_a_pole():
    with pytest.raises(ValueError, match=r"no finite value.*0, 1.*restrict or rescale"):
        (1 / kl.Linear())([[1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="no finite value for the point number 1"):
        (1 / kl.Linear()).diag([[1.0], [0.0]])
    with pytest.raises(ValueError, match="no finite value"):
        kl.sqrt(kl.Linear())([[1.0], [-1.0]])
    with pytest.raises(ValueError, match="too large for a float"):
        kl.exp(kl.Linear())([[100.0]])
    with pytest.raises(ValueError, match=r"k\(x,x\) > 0; at the point number 1"):
        kl.Linear().normalize()([[1.0], [0.0]])
    with pytest.raises(ValueError, match="derivative in theta number 0"):
        kl.sqrt(2 * kl.Linear() - 1).vjp([[0.0], [1.0]], np.ones((2, 2)))
