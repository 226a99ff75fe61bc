"""Sheet 8: its numbers counted and computed in exact arithmetic, and its code."""

import re
from fractions import Fraction
from math import isqrt, tan
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import cholesky, sqrtm

from kernellab.grading.classroom.bank import Bank
from kernellab.grading.questions.exact import Real
from kernellab.kernels import Gaussian, Laplacian

BANK = Bank(Path(__file__).parents[2] / "exercises")
SHEET = BANK.sheet("08_scaling")
QUESTIONS = {question.id: question for question in SHEET.questions}


def answers(question_id):
    """The right values of a question, read from its first reference."""
    text = QUESTIONS[question_id].references[0].answer
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    pairs = (line.split(" = ") for line in lines)
    return {name: _numbers(value) for name, value in pairs}


def _numbers(text):
    if text.startswith("[["):
        return [_numbers(f"[{row}]") for row in re.findall(r"\[([^\[\]]+)\]", text)]
    if "sqrt" in text:
        return text
    found = [Fraction(n) for n in re.findall(r"-?\d+(?:/\d+)?", text)]
    return found if text.startswith("[") else (found or [text])[0]


def drawn(question_id, group):
    """The inputs of one kind of case, with what the reference returns."""
    question = QUESTIONS[question_id]
    cases = question.groups[group]
    for size in range(cases.smallest, cases.smallest + cases.count):
        arguments = cases.inputs(np.random.default_rng(size), size)
        yield arguments, question.reference(*arguments)


def groups(question_id):
    return range(len(QUESTIONS[question_id].groups))


def solve(A, b):
    """The solution of a linear system, by elimination in fractions."""
    rows = [[Fraction(x) for x in (*row, y)] for row, y in zip(A, b, strict=True)]
    n = len(rows)
    for i in range(n):
        pivot = next(j for j in range(i, n) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(n):
            if j != i:
                rows[j] = [
                    x - rows[j][i] * y for x, y in zip(rows[j], rows[i], strict=True)
                ]
    return [row[-1] for row in rows]


def dot(u, v):
    return sum(x * y for x, y in zip(u, v, strict=True))


def nystroem(K, chosen):
    """K_nr K_rr⁻¹ K_rn, in fractions."""
    Krr = [[K[i][j] for j in chosen] for i in chosen]
    weights = [solve(Krr, [row[j] for j in chosen]) for row in K]
    return [[dot(w, [row[j] for j in chosen]) for row in K] for w in weights]


# --- values ---------------------------------------------------------------------------


def test_the_size_of_the_sheet():
    assert 12 <= len(SHEET.questions) <= 19
    assert 70 <= SHEET.points <= 125
    assert {question.kind for question in SHEET.questions} == {
        "values", "puzzle", "code", "derivation", "refutation",
    }  # fmt: skip


class Counter:
    """A number that counts its multiplications."""

    made = 0

    def __init__(self, value):
        self.value = value

    def __mul__(self, other):
        Counter.made += 1
        return Counter(self.value * other.value)

    def __sub__(self, other):
        return Counter(self.value - other.value)

    def __truediv__(self, other):
        return Counter(self.value / other.value)


def count_cholesky(n):
    """The multiplications of the algorithm of the question, one by one."""
    X = np.random.default_rng(n).normal(size=(n, n))
    K = X @ X.T + n * np.eye(n)
    L = [[Counter(0.0)] * n for _ in range(n)]
    Counter.made = 0
    for j in range(n):
        for i in range(j, n):
            rest = Counter(K[i, j])
            for k in range(j):
                rest = rest - L[i][k] * L[j][k]
            L[i][j] = Counter(rest.value**0.5) if i == j else rest / L[j][j]
    made = Counter.made
    found = np.array([[entry.value for entry in row] for row in L])
    assert found == pytest.approx(cholesky(K, lower=True))
    Counter.made = 0
    for backwards in (False, True):
        solution = [Counter(1.0)] * n
        for i in reversed(range(n)) if backwards else range(n):
            for k in range(i + 1, n) if backwards else range(i):
                entry = L[k][i] if backwards else L[i][k]
                solution[i] = solution[i] - entry * solution[k]
            solution[i] = solution[i] / L[i][i]
    return made, Counter.made


def test_cholesky_is_counted():
    right = answers("counting-cholesky")
    factor, triangles = count_cholesky(10)
    assert (right["factor"], right["solve"]) == (factor, triangles)
    assert right["ratio"] == Fraction(count_cholesky(20)[0], factor)
    assert right["inverse"] == 10 * triangles
    n = 10**6
    large, one = Fraction(n**3 - n, 6), n * (n - 1)
    assert Fraction((2 * n) ** 3 - 2 * n, 6) / large == pytest.approx(
        float(right["limit"]), rel=1e-5
    )
    assert (large + n * one) / (large + one) == pytest.approx(
        float(right["times"]), rel=1e-4
    )
    assert right["bytes"] == 8 * 250_000**2
    assert right["fits"] == isqrt(16 * 10**9 // 8)
    m = int(right["triangle"])
    assert 8 * m * (m + 1) // 2 <= 16 * 10**9 < 8 * (m + 1) * (m + 2) // 2


def test_points_and_dimensions():
    right = answers("points-or-dimensions")

    def exact(n, d):
        return Fraction(n * n * d, 2) + Fraction(n**3, 6)

    def landmarks(n, d, r):
        return n * r * d + n * r * r + Fraction(r**3, 3)

    n, d = 6000, 10
    assert right["gram"] + right["cholesky"] == exact(n, d)
    assert right["cholesky"] == exact(n, 0)
    assert right["dimensions"] == exact(n, 1000 * d) / exact(n, d)
    assert right["points"] == exact(10 * n, d) / exact(n, d)
    assert exact(n, int(right["even"])) == 2 * exact(n, 0)
    assert right["sparse"] == exact(n, 40) - exact(n, 0)
    assert right["nystroem"] == landmarks(n, d, 300)
    assert right["twice_n"] == landmarks(2 * n, d, 300) / landmarks(n, d, 300)
    assert right["twice_r"] == landmarks(n, d, 600) / landmarks(n, d, 300)
    most = int(right["most"])
    assert landmarks(n, d, most) < exact(n, d) < landmarks(n, d, most + 1)


def test_gaps():
    right = answers("gap-and-iterations")
    K = np.array([[4, 1], [1, 4]])
    assert np.linalg.eigvalsh(K)[::-1] == pytest.approx(
        [float(x) for x in right["eigenvalues"]]
    )
    assert (K @ K @ [1, 0]).tolist() == right["image"]
    angle = np.pi / 4 - np.arctan2(8, 17)
    assert tan(angle) == pytest.approx(float(right["tan2"]))
    v = np.array([4, 1]) / 17**0.5
    rho = v @ K @ v
    assert rho == pytest.approx(float(right["rayleigh"]))
    residual = np.linalg.norm(K @ v - rho * v)
    assert residual == pytest.approx(float(right["residual"]))
    assert min(abs(np.linalg.eigvalsh(K) - rho)) <= residual

    def steps(ratio, start=1, power=1):
        return next(k for k in range(10**4)
                    if (start * ratio**k) ** power <= Fraction(1, 10**4))  # fmt: skip

    assert right["k80"] == steps(Fraction(4, 5))
    assert right["k98"] == steps(Fraction(49, 50))
    assert right["k_bad"] == steps(Fraction(1, 2), start=10**8)
    assert right["k_value"] == steps(Fraction(4, 5), power=2)
    assert right["work"] == right["k98"] * 2000**2
    # an eigenvalue twice: the vectors keep their direction, the quotients converge
    D, start = np.diag([3.0, 3.0, 1.0]), np.array([1.0, 2.0, 5.0])
    for _ in range(60):
        start = D @ start / np.linalg.norm(D @ start)
    assert start == pytest.approx(np.array([1, 2, 0]) / 5**0.5, abs=1e-9)
    assert start @ D @ start == pytest.approx(3)
    assert (right["twice"], right["value"]) == ("no", "yes")


def test_the_rate_holds_and_its_wrong_blocks_are_wrong():
    rng = np.random.default_rng(1)
    mu = np.array([5.0, 4.0, 2.0, 0.5])
    U = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    K, v = (U * mu) @ U.T, rng.normal(size=4)

    def tangent(x):
        c = U.T @ x
        return np.linalg.norm(c[1:]) / abs(c[0])

    bound, tangents = tangent(v), [tangent(v)]
    for _ in range(20):
        v = K @ v / np.linalg.norm(K @ v)
        bound *= 4 / 5
        tangents.append(tangent(v))
        assert tangents[-1] <= bound * (1 + 1e-9)
    assert tangents[1] < 0.8 * tangents[0] * (1 - 1e-3)  # "equality"
    assert np.linalg.norm(K @ U[:, 0]) > 4  # "shrink"
    assert np.linalg.norm(np.linalg.matrix_power(K, 3) @ v) > 1  # "unnormed"


def test_columns_and_features():
    question = QUESTIONS["columns-or-features"]
    for reference in question.references:
        matrices = dict(
            re.findall(r"\b([KMN]) = (\[\[.*?\]\])", reference.answer),
        )
        K, M, N = (np.array(_numbers(matrices[name]), float) for name in "KMN")
        q = K[:, :1] / np.linalg.norm(K[:, 0])
        assert np.linalg.eigvalsh(K).min() > 0
        assert pytest.approx(q @ q.T @ K) == M
        assert pytest.approx(K[:, :1] @ K[:1] / K[0, 0]) == N
        assert abs(M - M.T).max() > 0.1
        assert ((K - M) ** 2).sum() < ((K - N) ** 2).sum()
    right = answers("columns-or-features")
    assert right["read_columns"] == 1000**2
    assert right["read_features"] == 1000 * 50
    assert right["cost_columns"] == 50 * 1000 * 1000 + 1000 * 50 * 1000
    assert right["factor"] == right["cost_columns"] / (1000 * 50**2)


@pytest.mark.parametrize(
    ("K", "words"),
    [
        ("[[2, 0], [0, 3]]", "QQᵀK is symmetric for it"),
        ("[[1, 2], [2, 4]]", "QQᵀK is symmetric for it"),
        ("[[0, 0], [0, 1]]", "its first column is zero"),
        ("[[1, 2], [2, 1]]", "a negative eigenvalue"),
        ("[[2, 1], [0, 2]]", "a Gram matrix is symmetric"),
        ("[[1]]", "a 2×2 matrix"),
        ("7", "do not have the form"),
    ],
)
def test_a_matrix_that_refutes_nothing(K, words):
    question = QUESTIONS["columns-or-features"]
    lines = question.references[0].answer.splitlines()
    lines[1] = f"K = {K}"
    outcome = question.grade("\n".join(lines))
    assert outcome.status == "partial"
    assert words in " ".join(str(outcome).split())


def test_landmarks():
    right = answers("landmarks-by-hand")
    points = [1, 2, 4, 8]
    K = [[Fraction(min(x, z)) for z in points] for x in points]

    def left(chosen):
        hat = nystroem(K, chosen) if chosen else [[0] * 4 for _ in K]
        return [K[i][i] - hat[i][i] for i in range(4)]

    assert right["first1"] == sum(left([0]))
    assert right["first2"] == sum(left([0, 1]))
    chosen, errors = [], [sum(left([]))]
    for _ in range(3):
        rest = left(chosen)
        assert sorted(rest)[-1] > sorted(rest)[-2]  # no tie
        chosen.append(rest.index(max(rest)))
        errors.append(sum(left(chosen)))
    assert right["pivots"] == [points[i] for i in chosen]
    assert right["errors"] == errors
    assert sum(left([0, 1, 2, 3])) == 0
    two = chosen[:2]
    Krr = [[K[i][j] for j in two] for i in two]
    assert right["b"] == solve(Krr, [K[1][j] for j in two])
    assert right["entry"] == nystroem(K, two)[0][1]
    rest = left(two)
    assert right["bound"] == "sqrt(3)/2"
    assert rest[0] * rest[1] == Fraction(3, 4)
    assert (K[0][1] - right["entry"]) ** 2 <= rest[0] * rest[1]


def test_a_kernel_cut_off():
    question = QUESTIONS["kernel-cut-off"]
    s = np.exp(-1 / 3)
    K = np.array([[1, s, 0], [s, 1, s], [0, s, 1]])
    assert np.linalg.eigvalsh(K)[0] == pytest.approx(1 - 2**0.5 * s)
    exact = question.gram([(Real(x),) for x in (0, 1, 2)])
    assert np.array([[float(x) for x in row] for row in exact]) == pytest.approx(K)
    unsure = "points = [0, exp(log(2)/2)**2 - 1, 2]; c = [5, -7, 5]"
    assert "is their distance 1" in str(question.grade(unsure))
    # what the statement allows instead: the product with the hat kernel
    grid = np.linspace(0, 4, 60)
    apart = abs(grid[:, None] - grid)
    allowed = np.exp(-apart / 3) * np.maximum(0, 1 - apart)
    assert np.linalg.eigvalsh(allowed).min() > -1e-12


# --- code -----------------------------------------------------------------------------


@pytest.mark.parametrize("group", groups("code-power-method"))
def test_the_power_method_finds_an_eigenvalue(group):
    for (K, v, _, most), (mu, count) in drawn("code-power-method", group):
        values, U = np.linalg.eigh(K)
        assert 1 <= count <= most
        seen = np.abs(U.T @ v) > 1e-9  # what the start has a part of
        if count < most and mu > 0:
            assert mu == pytest.approx(values[seen][-1], rel=1e-6)
        # the k-th quotient, from the expansion in eigenvectors
        weights = (U.T @ v) ** 2 * (values / values[-1] if values[-1] else 1) ** (
            2 * count - 2.0
        )
        if mu > 0:
            quotient = weights @ values / weights.sum()
            assert mu == pytest.approx(quotient, rel=1e-9)


def test_the_power_method_stops_as_late_as_it_must():
    """One step earlier, the residual is still too large."""
    for group in (0, 2, 4):
        for (K, v, tol, most), (_, count) in drawn("code-power-method", group):
            x = v / np.linalg.norm(v)
            for step in range(1, count + 1):
                y = K @ x
                small = np.linalg.norm(y - (x @ y) * x) <= tol * (x @ y)
                assert small == (step == count) or step == most
                x = y / np.linalg.norm(y)


@pytest.mark.parametrize("group", groups("code-nystroem"))
def test_nystroem_features_have_the_gram_matrix_of_the_projection(group):
    for (A, C), F in drawn("code-nystroem", group):
        assert F.shape == C.shape
        expected = C @ np.linalg.pinv(A, rcond=1e-10, hermitian=True) @ C.T
        scale = abs(expected).max()
        assert pytest.approx(expected, rel=1e-6, abs=1e-6 * scale) == F @ F.T
        if group == 0:
            root = sqrtm(np.linalg.inv(A)).real
            assert pytest.approx(C @ root, abs=1e-9) == F
            assert np.linalg.matrix_rank(A) == len(A)
        else:
            assert np.linalg.matrix_rank(A) < len(A)


@pytest.mark.parametrize("group", range(4))
def test_pivoted_cholesky_is_nystroem_with_an_exact_error(group):
    for (X, sigma, tol), (L, errors) in drawn("code-pivoted-cholesky", group):
        K = Gaussian(sigma)(X)
        n = len(X)
        assert L.shape == (n, len(errors) - 1)
        assert errors[-1] <= tol * n < min(errors[:-1])
        assert errors[-1] == pytest.approx(np.trace(K - L @ L.T), abs=1e-9)
        rest, chosen = K.copy(), []
        for j in range(L.shape[1]):
            p = int(np.argmax(np.diag(rest).round(12)))
            chosen.append(p)
            rest = rest - np.outer(rest[:, p], rest[p]) / rest[p, p]
            assert errors[j + 1] == pytest.approx(np.trace(rest), abs=1e-9)
        part = K[:, chosen]
        hat = part @ np.linalg.pinv(K[np.ix_(chosen, chosen)]) @ part.T
        assert pytest.approx(hat, abs=1e-7) == L @ L.T


def test_pivoted_cholesky_of_many_points_needs_a_few_columns():
    ((X, sigma, _), (L, errors)) = next(drawn("code-pivoted-cholesky", 4))
    assert len(X) == 20_000
    assert 8 * len(X) ** 2 > QUESTIONS["code-pivoted-cholesky"].limits.memory
    assert L.shape[1] < 20
    some = np.arange(0, 20_000, 400)
    error = Gaussian(sigma)(X[some]) - L[some] @ L[some].T
    assert abs(error).max() <= errors[-1]
    assert np.linalg.eigvalsh(error).min() > -1e-10


@pytest.mark.parametrize("group", groups("code-random-features"))
def test_random_features_estimate_the_laplacian_kernel(group):
    for (X, U, sigma), (F, error) in drawn("code-random-features", group):
        assert F.shape == (len(X), 2 * len(U))
        assert (F**2).sum(axis=1) == pytest.approx(np.ones(len(X)))  # k(x, x), exactly
        K = Laplacian(sigma)(X)
        assert abs(F @ F.T - K).max() == pytest.approx(error)
        if group == 2:
            assert error < 0.1


def test_cauchy_frequencies_belong_to_the_laplacian_kernel():
    uniform = (np.arange(40_000) + 0.5) / 40_000
    points = np.array([[0.0], [0.3], [1.0], [2.0]])
    reference = QUESTIONS["code-random-features"].reference
    assert reference(points, uniform[:, None], 0.7)[1] < 1e-3


@pytest.mark.parametrize("group", range(4))
def test_streamed_ridge_is_ridge(group):
    for arguments, (w, value) in drawn("code-streaming-ridge", group):
        X, t, Z, sigma, lam, _ = arguments
        F = Gaussian(sigma)(X, Z)
        stacked = np.vstack([F, lam**0.5 * np.eye(len(Z))])
        targets = np.append(t, np.zeros(len(Z)))
        expected, *_ = np.linalg.lstsq(stacked, targets, rcond=None)
        assert w == pytest.approx(expected, abs=1e-9)
        J = ((t - F @ w) ** 2).sum() + lam * (w @ w)
        assert value == pytest.approx(J)


def test_half_a_million_points_do_not_fit():
    question = QUESTIONS["code-streaming-ridge"]
    ((X, t, Z, sigma, _, size), (w, value)) = next(drawn(question.id, 4))
    assert 2 * 8 * len(X) * len(Z) > 0.85 * question.limits.memory
    assert 10 * 8 * size * len(Z) < 0.1 * question.limits.memory
    some = slice(0, 20_000)
    rest = t[some] - Gaussian(sigma)(X[some], Z) @ w
    assert np.mean(rest**2) == pytest.approx(0.01, rel=0.3)  # the noise
    assert value > (rest**2).sum()
