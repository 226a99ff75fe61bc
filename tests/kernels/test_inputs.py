"""Wrong inputs: each is refused with what was expected, what came, and what to do."""

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.kernels.spaces import ANYTHING, VECTORS, common_space, objects_of

nan, inf = np.nan, np.inf
GOOD = np.array([[1.0, 2.0], [3.0, 4.0]])
RAGGED = [[1.0, 2.0], [3.0]]

POINTS = [
    ([1.0, 2.0], r"shape \(n, d\), one point per row; got shape \(2,\).*X\[:, None\]"),
    (np.ones((2, 2, 2)), r"shape \(n, d\).*got shape \(2, 2, 2\)"),
    (5.0, r"got shape \(\).*X\[None, :\]"),
    (None, r"shape \(n, d\)"),
    (np.ones((3, 0)), r"at least one column: it has 0 feature\(s\) \(shape=\(3, 0\)\)"),
    ([[1.0, nan]], r"must be finite; X\[0, 1\] is NaN\. Drop or impute"),
    ([[1.0, 2.0], [-inf, 0.0]], r"must be finite; X\[1, 0\] is -inf"),
    ([["a", "b"]], "array of numbers.*one point per row; got list"),
    ([["1", "2"]], "cannot read as real numbers"),
    ("abc", "array of numbers.*got str 'abc'"),
    (np.array([[1 + 2j, 0]]), "array of numbers.*complex"),
    ([[1j, 2.0]], "array of numbers.*complex"),
    (RAGGED, "array of numbers.*got list.*inhomogeneous"),
    ({1.0, 2.0}, "array of numbers.*got set"),
    (np.array([["2020-01-01"]], dtype="datetime64[D]"), "real numbers.*datetime64"),
    ([[kl.Linear(), 1.0]], "array of numbers"),
]


@pytest.mark.parametrize(("X", "message"), POINTS, ids=lambda x: str(x)[:30])
def test_points(X, message):
    k = kl.Gaussian() + kl.Linear()
    for call in (
        lambda: k(X),
        lambda: k.diag(X),
        lambda: k.vjp(X, np.ones((2, 2))),
        lambda: kl.Linear().features()(X),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    if X is not None:  # k(X, None) is k(X)
        with pytest.raises(ValueError, match=message.replace("X", "Z")):
            k(GOOD, X)


COLUMNS = [
    (kl.Gaussian(sigma=(1, 2, 3)), "3 coordinates.*3 columns; X has 2 columns"),
    (kl.Laplacian(sigma=(1,)), "1 coordinates.*1 columns; X has 2 columns"),
    (kl.Matern(sigma=(1, 2, 3)), "3 columns; X has 2 columns"),
    (kl.Linear(A=np.eye(3)), "A of 3×3 takes points with 3 columns; X has 2"),
    (kl.Cosine(), "1 frequencies.*1 columns; X has 2 columns"),
    (kl.Cosine(omega=(1, 2, 3)), "3 frequencies.*3 columns; X has 2 columns"),
    (kl.Brownian(), "on the line, one column; X has 2 columns"),
    (kl.FromDistance(np.cos, "circle"), "one angle a point.*X has 2 columns"),
    (kl.Linear().on(2), "at least 3 columns; X has 2 columns"),
    (kl.Linear().on([0, 5]), "at least 6 columns; X has 2 columns"),
    (kl.Brownian().on([0, 1]), "on the line, one column"),
    (1 + 2 * kl.exp(kl.Linear(A=np.eye(3))).normalize(), "3 columns; X has 2 columns"),
    (kl.Gaussian((1, 2)).pullback(lambda X: X[:, 0]), r"2 columns; f\(X\) has 1 col"),
    (kl.PointwiseLimit(lambda m: kl.Gaussian((1, 2, 3)) / m), "3 columns; X has 2"),
]


@pytest.mark.parametrize(("kernel", "message"), COLUMNS, ids=str)
def test_columns(kernel, message):
    for call in (
        lambda: kernel(GOOD),
        lambda: kernel.diag(GOOD),
        lambda: kernel.vjp(GOOD, np.ones((2, 2))),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_columns_of_x_and_z():
    for k in (kl.Linear(), kl.Constant(1.0), kl.Gaussian().on(0), kl.Delta()):
        with pytest.raises(ValueError, match="same number of columns, got 2 and 3"):
            k(GOOD, np.ones((2, 3)))
    with pytest.raises(ValueError, match="same number of columns, got 2 and objects"):
        kl.Delta()(GOOD, ["a", "b"])


@pytest.mark.parametrize("k", [kl.Brownian(), kl.HistogramIntersection()], ids=str)
def test_negative_coordinates(k):
    message = "coordinates ≥ 0; row 1, column 0 is -2. Shift the data, or map it first"
    for call in (
        lambda: k([[1.0], [-2.0]]),
        lambda: k([[1.0]], [[1.0], [-2.0]]),
        lambda: k.diag([[1.0], [-2.0]]),
    ):
        with pytest.raises(ValueError, match=message):
            call()


PARAMETERS = [
    (lambda: kl.Gaussian(0), "sigma must be positive, got 0"),
    (lambda: kl.Gaussian(-1.0), "sigma must be positive, got -1.0"),
    (lambda: kl.Gaussian((1.0, 0.0)), "sigma must be positive"),
    (lambda: kl.Gaussian(nan), "sigma must be a finite number, got nan"),
    (lambda: kl.Gaussian(inf), "sigma must be a finite number, got inf"),
    (lambda: kl.Gaussian((1.0, nan)), "sigma must be a finite number"),
    (lambda: kl.Gaussian("1"), "sigma must be a number.*got str '1'"),
    (lambda: kl.Gaussian(None), "sigma must be a finite number, got None"),
    (lambda: kl.Gaussian(True), "sigma must be a finite number, got True"),
    (lambda: kl.Gaussian(1j), "sigma must be a number.*complex"),
    (lambda: kl.Gaussian(()), r"one number per coordinate; got.*shape \(0,\)"),
    (lambda: kl.Gaussian(np.ones((2, 2))), r"per coordinate; got.*shape \(2, 2\)"),
    (lambda: kl.Gaussian(RAGGED), "one number per coordinate.*inhomogeneous"),
    (lambda: kl.Gaussian(kl.Linear()), "sigma must be a number"),
    (lambda: kl.Gaussian(1e-200), "between 1e-150 and 1e150.*Rescale"),
    (lambda: kl.Exponential(1e200), "between 1e-150 and 1e150.*Rescale"),
    (lambda: kl.Laplacian(-1), "sigma must be positive"),
    (lambda: kl.Matern(nu=2), "nu must be 0.5, 1.5 or 2.5.*got 2"),
    (lambda: kl.Matern(nu="a"), "nu must be 0.5, 1.5 or 2.5.*got 'a'"),
    (lambda: kl.Matern(sigma=0), "sigma must be positive"),
    (lambda: kl.RationalQuadratic(alpha=0), "alpha must be positive, got 0"),
    (lambda: kl.RationalQuadratic(alpha=nan), "alpha must be a finite number"),
    (lambda: kl.RationalQuadratic(alpha=(1, 2)), r"alpha must be one number"),
    (lambda: kl.Periodic(period=0), "period must be positive"),
    (lambda: kl.Periodic(sigma=(1, 2)), r"one sigma.*multiply Periodic\(…\)\.on"),
    (lambda: kl.Cosine(nan), "omega must be a finite number"),
    (lambda: kl.Constant("a"), "the constant c must be one number"),
    (lambda: kl.Constant(inf), "the constant c must be a finite number"),
    (lambda: kl.Linear(A=[[1, 2, 3]]), r"A must be a square matrix, got.*\(1, 3\)"),
    (lambda: kl.Linear(A=[1, 2]), r"A must be a square matrix, got shape \(2,\)"),
    (lambda: kl.Linear(A=RAGGED), "A must be a matrix of numbers.*got list"),
    (lambda: kl.Linear(A=[["a"]]), "A must be a matrix of numbers"),
    (lambda: kl.Linear(A=[[nan]]), "A must be finite"),
    (lambda: kl.Linear(A=[[1j]]), "A must be a matrix of numbers.*complex"),
    (lambda: kl.Polynomial(2.5), r"integer ≥ 1, got 2.5.*\(Linear\(\) \+ c\)\*\*p"),
    (lambda: kl.Polynomial(0), "integer ≥ 1, got 0"),
    (lambda: kl.Polynomial(-1), "integer ≥ 1, got -1"),
    (lambda: kl.Polynomial("2"), "the degree must be one number"),
    (lambda: kl.Polynomial(2, c=-1), "c must be ≥ 0, got -1.*A negative c can be"),
    (lambda: kl.Polynomial(2, c=nan), "c must be a finite number"),
    (lambda: kl.Linear() ** nan, "an exponent must be a finite number"),
    (lambda: kl.Linear() ** kl.Linear(), "an exponent must be one number"),
    (lambda: kl.Linear().polynomial([]), "the coefficients of q.*shape"),
    (lambda: kl.Linear().polynomial([1, nan]), "coefficients of q.*finite"),
    (lambda: kl.Linear().polynomial([[1, 2]]), "the coefficients of q.*shape"),
    (lambda: kl.Linear().on(-1), "distinct integers counted from 0, got -1"),
    (lambda: kl.Linear().on([1, 1]), "distinct integers counted from 0"),
    (lambda: kl.Linear().on(0.5), "integers counted from 0, got 0.5"),
    (lambda: kl.Linear().on([]), "integers counted from 0"),
    (lambda: kl.Linear().on("x"), "integers counted from 0, got 'x'"),
    (lambda: kl.Linear().weighted(3), "expected a function of the points, got 3"),
    (lambda: kl.Linear().pullback("f"), "expected a function of the points, got 'f'"),
    (lambda: kl.FromFeatures(3), "expected a function of the points, got 3"),
    (lambda: kl.FromFunction(3), r"expected a function f\(x, z\), got 3"),
    (lambda: kl.FromDistance(3), "expected a function of an array of distances, got 3"),
    (lambda: kl.FromDistance(np.cos, "L3"), "'euclidean', 'cityblock'.*got 'L3'"),
    (lambda: kl.PointwiseLimit(3), r"gives the kernel number m.*got 3"),
    (lambda: kl.PointwiseLimit(lambda m: m), r"gives the kernel number m, for example"),
    (lambda: kl.Gaussian().truncated_features(1.5), "integer ≥ 0, got 1.5"),
    (lambda: kl.Gaussian().truncated_features(-1), "integer ≥ 0, got -1"),
    (lambda: kl.Gaussian().truncated_features("a"), "the degree must be one number"),
    (lambda: kl.Gaussian().truncated_features(nan), "the degree must be a finite"),
]


@pytest.mark.parametrize(("build", "message"), PARAMETERS)
def test_parameters(build, message):
    with pytest.raises(ValueError, match=message):
        build()


COTANGENTS = [
    (np.ones(2), r"shape of k\(X\), \(2, 2\); got \(2,\)"),
    (np.ones((2, 3)), r"shape of k\(X\), \(2, 2\); got \(2, 3\)"),
    (1.0, r"shape of k\(X\), \(2, 2\); got \(\)"),
    ("abc", "G must be an array of numbers"),
    (1j * np.ones((2, 2)), "G must be an array of numbers.*complex"),
    (nan * np.ones((2, 2)), "G must be finite"),
    (RAGGED, "G must be an array of numbers"),
]


@pytest.mark.parametrize(("G", "message"), COTANGENTS, ids=lambda x: str(x)[:30])
def test_cotangent(G, message):
    with pytest.raises(ValueError, match=message):
        kl.Gaussian().vjp(GOOD, G)


THETAS = [
    ([0.0], r"shape \(2,\) for scale.c, gaussian.sigma; got shape \(1,\)"),
    ([0.0, 0.0, 0.0], r"shape \(2,\).*got shape \(3,\)"),
    ([[0.0, 0.0]], r"got shape \(1, 2\)"),
    (0.0, r"got shape \(\)"),
    ([0.0, nan], "theta must be finite"),
    ([inf, 0.0], "theta must be finite"),
    ([0.0, 800.0], r"theta = 800 for sigma gives exp.*keep \|theta\| below 700"),
    ([-800.0, 0.0], r"theta = -800 for c gives exp\(theta\) = 0"),
    ([0.0, 400.0], "sigma must lie between"),
    (["a", "b"], "theta must be an array of numbers"),
    ([1j, 0.0], "theta must be an array of numbers.*complex"),
]


@pytest.mark.parametrize(("theta", "message"), THETAS, ids=lambda x: str(x)[:30])
def test_theta(theta, message):
    with pytest.raises(ValueError, match=message):
        (2 * kl.Gaussian()).with_theta(theta)


FUNCTIONS = [
    (kl.Linear().weighted(lambda X: X), r"one number for each of the 2 points.*\(2, 2"),
    (kl.Linear().weighted(lambda X: X[:1, 0]), r"one row for each.*returned.*\(1,\)"),
    (kl.Linear().pullback(lambda X: X.sum()), "called with all points at once"),
    (kl.Linear().pullback(lambda X: X[:, :, None]), "one row for each of the 2 points"),
    (kl.Linear().pullback(lambda X: X / 0), "returned a value that is not finite"),
    (kl.Linear().pullback(lambda X: 1j * X), "f must return numbers"),
    (kl.Linear().pullback(lambda X: ["a", "b"]), "f must return numbers"),
    (kl.FromFeatures(lambda X: None), "one row for each of the 2 points"),
    (kl.FromFunction(lambda x, z: "a"), r"k\(x, z\) must return one number"),
    (kl.FromFunction(lambda x, z: x), r"must return one number.*returned shape \(2,\)"),
    (kl.FromFunction(lambda x, z: nan), "no finite value"),
    (kl.FromDistance(lambda r: r[:1]), r"same shape \(2, 2\); it returned shape \(1,"),
    (kl.FromDistance(lambda r: 1j * r), "q must return numbers"),
]


@pytest.mark.parametrize(("kernel", "message"), FUNCTIONS, ids=lambda x: str(x)[:40])
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_functions_of_the_user(kernel, message):
    with pytest.raises(ValueError, match=message):
        kernel(GOOD)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ("abc", "must be a list of objects.*write a list of length one"),
        (5, "must be a list of objects, got int 5"),
        ([{1}, {2}], "can be hashed.*make sets frozenset"),
        (np.array([[1j]]), "can be hashed"),
    ],
)
def test_objects(X, message):
    with pytest.raises(ValueError, match=message):
        kl.Delta()(X)


def test_spaces():
    strings = objects_of("strings", lambda s: isinstance(s, str), '"abc"')
    assert common_space([VECTORS, ANYTHING]) is VECTORS
    assert common_space([ANYTHING, strings]) is strings
    with pytest.raises(ValueError, match=r"strings and vectors.*\.pullback"):
        common_space([VECTORS, strings, ANYTHING])
    with pytest.raises(ValueError, match=r'strings, such as "abc"; X\[1\] is int 3'):
        strings.read(["a", 3], "X")


def test_vectors_are_needed_for_coordinates():
    with pytest.raises(ValueError, match=r"takes vectors.*given 2 objects"):
        kl.Delta().on(0)(["a", "b"])
