"""Questions that are answered by hand: their values, computed by the library."""

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import dblquad, quad

from kernellab import SVR, GaussianProcess, OneClassSVM, SparseGaussianProcess
from kernellab import kernels as kl
from kernellab.gp.laplace import LaplacePosterior
from kernellab.grading.classroom.bank import Bank
from kernellab.grading.questions.arithmetic import read_data

QUESTIONS = Bank(Path(__file__).parents[2] / "exercises").questions


def right(question_id):
    """The right values of a question, by name: numbers, arrays and words."""
    values = QUESTIONS[question_id].values
    return {v.name: plain(read_data(v.answer, v.choices)) for v in values}


def plain(data):
    if isinstance(data, tuple):
        return np.array([plain(entry) for entry in data])
    return data if isinstance(data, str) else float(data)


def freedom(K, lam):
    return np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))


def test_words():
    answer, pairs = right("strings-by-hand"), kl.Spectrum(p=2)
    K = pairs(["tomato", "motto"])
    assert K[[0, 0, 1], [0, 1, 1]] == pytest.approx(
        [answer["k_ss"], answer["k_st"], answer["k_tt"]]
    )
    assert pairs.normalize()(["tomato"], ["motto"]) == pytest.approx(answer["cosine"])
    blind = pairs(["abaca", "acaba"])
    assert np.trace(blind) - 2 * blind[0, 1] == answer["blind"] == 0
    gaps = kl.Subsequence(p=2, decay=0.5)(["cat"], ["cat", "cart"])
    assert gaps[0] == pytest.approx([answer["cat_cat"], answer["cat_cart"]])
    free = kl.Subsequence(p=2, decay=1.0)(["cat"], ["cart"])
    assert free == pytest.approx(answer["free"])


def test_molecules():
    answer = right("graphs-by-hand")
    chain = kl.Graph(4, edges=[(0, 1), (1, 2), (2, 3)], labels="CCCC")
    star = kl.Graph(4, edges=[(0, 1), (0, 2), (0, 3)], labels="CCCC")
    grams = [kl.WeisfeilerLehman(h=h)([chain, star]) for h in range(3)]
    for h, K in enumerate(grams):
        assert np.array_equal(K, answer[f"K{h}"])
    apart = [np.trace(K) - 2 * K[0, 1] for K in grams]
    assert apart[:2] == [answer["apart0"], answer["apart1"]]
    ring = [(i, (i + 1) % 6) for i in range(6)]
    two = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    rings = [kl.Graph(6, edges=edges, labels="CCCCCC") for edges in (ring, two)]
    assert np.all(kl.WeisfeilerLehman(h=3)(rings) == answer["rings"])


def test_ranks_and_degrees_of_freedom():
    answer, rng = right("rank-and-freedom"), np.random.default_rng(0)
    cubic, scattered = kl.Polynomial(degree=3, c=1.0), rng.uniform(-1, 1, (30, 2))
    s = np.linspace(0, 6, 30)
    sets = {
        "few": (cubic, scattered[:8]),
        "many": (cubic, scattered),
        "circle": (cubic, np.c_[np.cos(s), np.sin(s)]),
        "line": (cubic, np.c_[scattered[:, 0], np.zeros(30)]),
        "pure": (kl.Polynomial(degree=3, c=0.0), scattered),
    }
    for name, (k, X) in sets.items():
        assert np.linalg.matrix_rank(k(X), tol=1e-9) == answer[name], name
    K = np.array([[1, 0.5], [0.5, 1]])
    assert freedom(K, 1.0) == pytest.approx(answer["df"])
    assert freedom(K, 1e-9) == pytest.approx(answer["free"])
    assert freedom(np.eye(2), 1.0) == pytest.approx(answer["narrow"])
    assert freedom(np.ones((2, 2)), 1.0) == pytest.approx(answer["wide"])
    for r in (1, 2):
        K = kl.Polynomial(degree=r, c=0.25)([[0.5]])
        assert freedom(K, 0.5) == pytest.approx(answer[f"df{r}"])


def transform(q, w, radius=np.inf):
    """∫ q(u) cos(ωu) du for an even q on the line."""
    return 2 * quad(lambda u: q(u) * np.cos(w * u), 0, radius)[0]


def test_transforms():
    answer = right("transforms-by-hand")

    def peak(u):
        return np.exp(-u / 2)

    def bell(u):
        return np.exp(-(u**2) / 8)

    assert transform(peak, 0) == pytest.approx(answer["e0"])
    assert transform(peak, 1) == pytest.approx(answer["e1"])
    assert transform(peak, answer["half"]) == pytest.approx(answer["e0"] / 2)
    mass = quad(lambda w: 4 / (1 + 4 * w**2) / (2 * np.pi), -np.inf, np.inf)[0]
    assert mass == pytest.approx(answer["mass"])
    assert transform(bell, 0) == pytest.approx(answer["g0"])
    assert transform(bell, 1) / transform(bell, 0) == pytest.approx(answer["fall"])
    plane = dblquad(lambda v, u: np.exp(-np.hypot(u, v)), 0, 30, 0, 30)[0]
    assert 4 * plane == pytest.approx(answer["plane"])
    shells = quad(lambda r: 4 * np.pi * r**2 * np.exp(-r), 0, np.inf)[0]
    assert shells == pytest.approx(answer["space"])
    lobe = transform(lambda u: 1 - u**2, 2 * np.pi, radius=1)
    assert lobe == pytest.approx(answer["lobe"])


def test_prices():
    answer = right("price-of-a-wave")

    def twice(f):
        return 2 * quad(f, 0, np.inf)[0]

    energy = twice(lambda x: ((1 + x) * np.exp(-x)) ** 2)
    slope = twice(lambda x: (x * np.exp(-x)) ** 2)
    assert energy == pytest.approx(answer["energy"])
    assert slope == pytest.approx(answer["slope"])
    assert (energy + slope) / 2 == pytest.approx(answer["norm2"])
    waves = twice(lambda w: (4 / (1 + w**2) ** 2) ** 2 * (1 + w**2) / 2)
    assert waves / (2 * np.pi) == pytest.approx(answer["norm2"])
    g = twice(lambda x: np.exp(-x) * (1 + 1 / 4)) / 2
    assert g == pytest.approx(answer["norm2_g"])
    b = np.array([1, -1])
    K = kl.Exponential()([[0.0], [1.0]])
    assert b @ K @ b == pytest.approx(answer["norm2_h"])


def objective(w, b, C):
    x, t = np.array([-1, 0, 1]), np.array([-1, 5 / 4, 3])
    return w**2 / 2 + C * np.maximum(0, np.abs(t - w * x - b) - 0.5).sum()


def test_a_tube():
    answer = right("tube-by-hand")
    X, t = np.array([[-1.0], [0.0], [1.0]]), np.array([-1, 5 / 4, 3])
    for C, beta in ((1.0, answer["beta"]), (0.5, answer["soft_beta"])):
        fit = SVR(kl.Linear(), C=C, epsilon=0.5, tol=1e-9).fit(X, t)
        assert fit.beta_ == pytest.approx(beta, abs=1e-6)
    w, b, beta = answer["w"], answer["b"], answer["beta"]
    assert objective(w, b, 1.0) == pytest.approx(answer["primal"])
    dual = beta @ t - np.abs(beta).sum() / 2 - w**2 / 2
    assert dual == pytest.approx(answer["dual"])
    assert fit.certificate_.primal == pytest.approx(answer["value"])
    low, high = answer["soft_b"]
    soft = [objective(answer["soft_w"], b, 0.5) for b in (low, high)]
    assert soft == pytest.approx([answer["value"]] * 2)
    beyond = [objective(answer["soft_w"], b, 0.5) for b in (low - 0.01, high + 0.01)]
    assert min(beyond) > answer["value"] + 1e-3
    for epsilon, is_flat in ((answer["flat"], True), (answer["flat"] - 0.1, False)):
        slope = SVR(kl.Linear(), C=9.0, epsilon=epsilon).fit(X, t).beta_ @ X[:, 0]
        assert (abs(slope) < 1e-6) == is_flat


def test_one_class():
    answer = right("one-class-by-hand")
    points = np.array([[2.0, 0], [0, 2], [2, 2], [3, 1]])
    found = {}
    for nu in (0.25, 0.75, 1.0):
        fit = OneClassSVM(kl.Linear(), nu=nu, tol=1e-9).fit(points)
        found[nu] = fit.alpha_ / (4 * nu), fit.offset_ / (4 * nu)
    alpha, rho = found[0.25]
    assert alpha == pytest.approx(answer["alpha"], abs=1e-6)
    assert alpha @ points == pytest.approx(answer["w"], abs=1e-6)
    assert rho == pytest.approx(answer["rho"], abs=1e-6)
    assert rho / np.linalg.norm(answer["w"]) == pytest.approx(answer["distance"])
    alpha, rho = found[0.75]
    assert alpha == pytest.approx(answer["alpha34"], abs=1e-6)
    assert rho == pytest.approx(answer["rho34"], abs=1e-6)
    assert np.sum(points @ (alpha @ points) < rho - 1e-6) == answer["outside"]
    assert np.sum(alpha > 1e-6) == answer["support"]
    assert found[1.0][0] @ points == pytest.approx(answer["w1"], abs=1e-6)


def test_a_stochastic_gradient():
    answer, reference = right("pegasos-by-hand"), QUESTIONS["code-pegasos"].reference
    X, y = np.array([[1.0, 0], [2, -1], [2, -3]]), np.array([1.0, 1, -1])
    w, alpha, gap = reference(X, y, 1 / 3, np.array([[0, 1, 2]]))
    assert w == pytest.approx(answer["w3"])
    assert gap == pytest.approx(answer["gap3"])
    w, alpha, gap = reference(X, y, 1 / 3, np.array([[0, 1, 2]] * 2))
    assert w == pytest.approx(answer["w6"])
    assert alpha == pytest.approx(answer["alpha"])
    assert 2 * alpha == pytest.approx(answer["complaints"])
    assert gap == pytest.approx(answer["gap6"], abs=1e-12)
    assert 2 ** (answer["passes"] - 1) < 100 <= 2 ** answer["passes"]


def test_the_gap_bounds_the_error():
    question = QUESTIONS["code-pegasos"]
    X, y, lam, orders = question.inputs(np.random.default_rng(1), 8)
    gaps = [question.reference(X, y, lam, orders[:k])[2] for k in range(1, 9)]
    assert min(gaps) >= 0
    many = np.array([np.arange(len(y))] * 400)
    assert question.reference(X, y, lam, many)[2] < 0.05 * gaps[0]


def test_subsequences_one_by_one():
    question = QUESTIONS["code-subsequence"]
    for size in range(2, 7):
        s, t, p, decay = question.inputs(np.random.default_rng(size), size)
        total = sum(
            decay ** (i[-1] - i[0] + j[-1] - j[0] + 2)
            for i in combinations(range(len(s)), p)
            for j in combinations(range(len(t)), p)
            if all(s[a] == t[b] for a, b in zip(i, j, strict=True))
        )
        assert question.reference(s, t, p, decay) == pytest.approx(total)


def test_drawn_functions_have_their_covariance():
    question = QUESTIONS["draw-functions"]
    for cases in question.groups:
        K, m, _ = cases.inputs(np.random.default_rng(0), 4)
        root = question.reference(K, 0 * m, np.eye(len(K)))
        assert root == pytest.approx(root.T)
        assert root @ root == pytest.approx(K, abs=1e-9)


# --- probabilities, levels, landmarks -------------------------------------------------


def test_three_classes():
    answer, F = right("several-classes-by-hand"), np.log([1.0, 2.0, 5.0])
    p = np.exp(F) / np.exp(F).sum()
    W = np.diag(p) - np.outer(p, p)
    assert answer["p"] == pytest.approx(p)
    assert answer["shifted"] == pytest.approx(p)
    assert answer["loss"] == pytest.approx(-np.log(p[1]))
    assert answer["slope"] == pytest.approx(p - [0, 1, 0])
    assert [answer["W11"], answer["W12"]] == pytest.approx(W[0, :2])
    assert answer["Wv"] == pytest.approx(W @ np.ones(3))
    assert answer["binary"] == pytest.approx(1 / (1 + np.exp(-np.log(3))))


def test_a_sigmoid_for_margins():
    """The likelihood of the seven points is largest at a and b."""
    answer = right("probabilities-from-margins")
    f = np.array([1, 1, 1, 1, -1, -1, -1])
    y = np.array([1, 1, 1, 0, 1, 0, 0])

    def slopes(a, b):
        p = 1 / (1 + np.exp(-(a * f + b)))
        return [(y - p) @ f, (y - p).sum()]

    assert slopes(answer["a"], answer["b"]) == pytest.approx([0, 0], abs=1e-12)
    a, b = answer["a"], answer["b"]
    odds = np.exp([a + b, b - a, b])
    assert odds == pytest.approx([answer["right"], answer["left"], answer["middle"]])
    assert answer["plus"] == pytest.approx((y.sum() + 1) / (y.sum() + 2))
    assert answer["minus"] == pytest.approx(1 / ((1 - y).sum() + 2))


def test_one_label():
    answer, kappa = right("labels-by-laplace"), 4 * np.log(3)
    found = LaplacePosterior.find(np.array([[kappa]]), np.array([[1.0]]))
    assert answer["mode"] == pytest.approx(kappa * found.A[0, 0], abs=1e-6)
    assert answer["a"] == pytest.approx(found.A[0, 0], abs=1e-6)
    assert answer["p"] == pytest.approx(found.P[0, 0], abs=1e-6)
    assert answer["W"] == pytest.approx(answer["p"] * (1 - answer["p"]))
    K = np.array([[kappa]])
    variance = found.curvature.covariances(K[0], K)
    assert answer["variance"] == pytest.approx(variance[0, 0, 0], abs=1e-6)
    assert answer["newton"] == pytest.approx(0.5 / (0.25 + 1 / kappa))
    assert answer["there"] == pytest.approx(kappa / 2 * found.A[0, 0], abs=1e-6)


def test_a_level():
    answer = right("learned-mean-by-hand")
    C, y = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([5.0, 2.0])
    gp = GaussianProcess(kl.Linear(), 0.0, "constant")
    gp.fit(np.linalg.cholesky(C), y, optimize=False)
    assert answer["b"] == pytest.approx(gp.mean_)
    assert answer["alpha"] == pytest.approx(gp.a_)
    assert answer["total"] == pytest.approx(gp.a_.sum(), abs=1e-12)
    c = np.linalg.solve(C, np.ones(2))
    assert answer["c"] == pytest.approx(c)
    assert answer["spread"] == pytest.approx(1 / c.sum())
    assert answer["map"] == pytest.approx(c @ y / (c.sum() + 0.6))
    assert answer["known"] == pytest.approx(1 / (c.sum() + 0.6))
    assert answer["cov"] == pytest.approx(C + 5 / 3)


def test_a_process_through_a_landmark():
    answer = right("sparse-process-by-hand")
    X, t = np.array([[1.0], [2.0], [4.0]]), np.array([1.0, 1.0, 3.0])
    model = SparseGaussianProcess(kl.Brownian(), 1.0, landmarks=[[4.0]])
    model.fit(X, t, optimize=False)
    mean, variance = model.predict_f(X)
    assert answer["w"] == pytest.approx(abs(model.w_[0]))
    assert answer["mean"] == pytest.approx(mean[2])
    assert [answer["var1"], answer["var4"]] == pytest.approx(variance[[0, 2]])
    proof = model.certificate_
    assert answer["lost"] == pytest.approx(proof.lost)
    parts = 3 * np.log(2 * np.pi) + np.log(answer["det"]) + answer["square"]
    assert proof.lower == pytest.approx(-parts / 2 - answer["penalty"])
    Q = X @ X.T / 4
    assert answer["det"] == pytest.approx(np.linalg.det(Q + np.eye(3)))
    assert answer["A"] == pytest.approx(np.trace(Q))
    assert answer["blind"] == pytest.approx(answer["var1"] - (1 - Q[0, 0]))
    model.set_params(landmarks=X).fit(X, t, optimize=False)
    assert model.certificate_.lost == pytest.approx(answer["tight"], abs=1e-12)


def test_the_way_back():
    answer, k = right("way-back-by-hand"), kl.Gaussian()
    ends, a = np.array([[-1.0], [1.0]]), np.array([0.5, 0.5])
    length = a @ k(ends) @ a
    assert answer["length"] == pytest.approx(length)

    def distance(x):
        return 1 - 2 * (k([[x]], ends) @ a)[0] + length

    assert answer["D0"] == pytest.approx(distance(0.0))
    assert answer["D1"] == pytest.approx(distance(1.0))
    assert distance(0.0) == min(map(distance, np.linspace(-2, 2, 81)))
    assert answer["step"] == pytest.approx(np.tanh(1.0))
    x = np.linspace(-2, 2, 400)
    for sigma, count in ((0.5, answer["count"]), (answer["critical"], 1)):
        signs = np.sign(np.tanh(x / sigma**2) - x)
        assert np.count_nonzero(np.diff(signs)) == count


def test_coins_and_a_ball():
    answer, K = right("coin-tosses"), np.ones((2, 2))
    best = {s: np.sqrt(s @ K @ s) / 2 for s in product((1.0, -1.0), repeat=2)}
    assert best[1, 1] == pytest.approx(answer["agree"])
    assert best[1, -1] == pytest.approx(answer["oppose"])
    assert np.mean(list(best.values())) == pytest.approx(answer["average"])
    assert np.sqrt(np.trace(K)) / 2 == pytest.approx(answer["bound"])
