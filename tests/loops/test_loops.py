"""Every loop against its twin: as plain Python, and compiled where Numba is there."""

import subprocess
import sys

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.estimator import Inputs
from kernellab.linear_svm import LinearSVC
from kernellab.loops import ascent, compiler, mistakes, smo, subsequences
from kernellab.perceptron import KernelPerceptron, Perceptron
from kernellab.svm import SVC, SVR
from kernellab.svm.smo import BoxProblem, VariableRows, solve
from kernellab.svm.smo.loop import Loop
from kernellab.svm.smo.problem import measured

WITH_NUMBA = compiler.numba_is_installed()
needs_numba = pytest.mark.skipif(not WITH_NUMBA, reason="Numba is not installed")

PLAIN_OR_COMPILED = [
    pytest.param(False, id="plain"),
    pytest.param(True, id="compiled", marks=needs_numba),
]


def loop_of(plain, compiled_version, compile_it):
    return compiled_version() if compile_it else plain


def rings(n, seed=0):
    r = np.random.default_rng(seed)
    X = r.normal(size=(n, 2))
    y = np.where(np.hypot(*X.T) + 0.2 * r.normal(size=n) > 1.1, 1.0, -1.0)
    return X, y


# --- compiling ------------------------------------------------------------------------


def run(code):
    subprocess.run([sys.executable, "-c", code], check=True)


def test_numba_is_not_imported_before_a_loop_is_needed():
    run(
        "import sys, kernellab, kernellab.svm, kernellab.perceptron, kernellab.gp\n"
        "import kernellab.linear_svm, kernellab.kernels.subsequence\n"
        "assert 'numba' not in sys.modules"
    )


def test_without_numba_nothing_is_compiled():
    with compiler.without_numba():
        assert smo.compiled_steps() is None
        assert compiler.compiled(ascent.ascend, ascent.coordinate_step) is None
    assert (smo.compiled_steps() is not None) == WITH_NUMBA


def test_a_loop_is_not_compiled_where_numba_is_missing(monkeypatch):
    monkeypatch.setattr(compiler, "numba_is_installed", lambda: False)
    assert subsequences.compiled_pairs() is None


@needs_numba
def test_a_loop_is_compiled_once():
    assert smo.compiled_steps() is smo.compiled_steps()


@needs_numba
def test_a_loop_is_compiled_where_nothing_can_be_kept(monkeypatch):
    from numba.core import caching

    for kind in (caching.CompileResultCacheImpl, caching.CodeLibraryCacheImpl):
        monkeypatch.setattr(kind, "_locator_classes", [])
    loop = compiler._jit(ascent.coordinate_step, {})
    assert loop(0.5, 1.0, 4.0, 1.0) == 0.75


# --- SMO ------------------------------------------------------------------------------


def stepper(problem, dtype, compile_it):
    """The state of SMO at β = 0, and the steps of one of the versions."""
    loop = Loop(problem, measured(problem, problem.start(), 0, 1e-3), None, dtype, 1.0)
    rows = loop.cache.store, loop.cache.place, loop.cache.stamp
    box = loop.beta, loop.lower, loop.upper, loop._half
    numbers = dtype(loop._noise()), dtype(loop._blur)
    steps = loop_of(smo.steps, smo.compiled_steps, compile_it)

    def make(tol, most):
        return smo.Run(*steps(*rows, *loop._both, *box, *numbers, tol, 1e6, most))

    def twin(tol, most):
        return smo.vector_steps(
            loop.cache.row, loop._both, *box, *numbers, tol, 1e6, most
        )

    return loop, make, twin


def soft_margin(n, C=10.0, kernel=None, seed=0):
    X, y = rings(n, seed)
    rows = VariableRows.of(Inputs.read(kernel or kl.Gaussian(), X))
    return BoxProblem(rows, y, np.where(y > 0, 0, -C), np.where(y > 0, C, 0))


@pytest.mark.parametrize("compile_it", PLAIN_OR_COMPILED)
@pytest.mark.parametrize("kernel", [kl.Gaussian(), (kl.Linear() + 1) ** 2], ids=repr)
def test_the_steps_of_smo_are_those_of_the_twin(kernel, compile_it):
    problem = soft_margin(40, kernel=kernel)
    one, make, _ = stepper(problem, np.float64, compile_it)
    other, _, twin = stepper(problem, np.float64, compile_it)
    for _ in range(25):
        a, b = make(1e-3, 1), twin(1e-3, 1)
        assert (a.end, a.made, a.i, a.j) == (b.end, b.made, b.i, b.j)
        assert a.t == pytest.approx(b.t, rel=1e-9)
        assert a.decrease == pytest.approx(b.decrease, rel=1e-9)
        assert one.beta == pytest.approx(other.beta, abs=1e-11)
        assert one._both == pytest.approx(other._both, abs=1e-10)
        # A step leaves ties, which the last digits decide: go on from one state.
        other.beta[...], other._both[...] = one.beta, one._both


@pytest.mark.parametrize("compile_it", PLAIN_OR_COMPILED)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_run_of_smo_keeps_its_gradient_and_its_sum(dtype, compile_it):
    problem = soft_margin(30)
    loop, make, _ = stepper(problem, np.float64, compile_it)
    if dtype == np.float32:  # rows of another precision
        loop.cache.store = loop.cache.store.astype(dtype)
        loop._both, loop._half = loop._both.astype(dtype), loop._half.astype(dtype)
        rows = loop.cache.store, loop.cache.place, loop.cache.stamp
        box = loop.beta, loop.lower, loop.upper, loop._half
        steps = loop_of(smo.steps, smo.compiled_steps, compile_it)
        numbers = dtype(1e-6), dtype(1e-6), 1e-3, 1e6, 10_000
        done = smo.Run(*steps(*rows, *loop._both, *box, *numbers))
    else:
        done = make(1e-3, 10_000)
    found = measured(problem, loop.beta, done.made, 2e-3)
    assert done.end == smo.CONVERGED
    assert found.converged
    assert loop.beta.sum() == pytest.approx(0, abs=1e-12)
    assert -found.objective == pytest.approx(done.decrease, rel=1e-4)
    assert loop.minus_gradient() == pytest.approx(-found.gradient, abs=1e-3)


@pytest.mark.parametrize("compile_it", PLAIN_OR_COMPILED)
def test_a_missing_row_ends_the_run_and_nothing_else(compile_it):
    problem = soft_margin(20)
    loop, make, _ = stepper(problem, np.float64, compile_it)
    loop.cache.place[...] = -1
    before = loop._both.copy()
    done = make(1e-3, 5)
    assert (done.end, done.made) == (smo.MISSING, 0)
    assert done.i == before[0].argmax()
    np.testing.assert_array_equal(loop._both, before)


@pytest.mark.parametrize("compile_it", PLAIN_OR_COMPILED)
def test_a_step_without_end_is_told(compile_it):
    K, y = np.ones((2, 2)), np.array([1.0, -1.0])
    rows = VariableRows.of(Inputs.read("precomputed", K))
    low, high = np.where(y > 0, 0, -np.inf), np.where(y > 0, np.inf, 0)
    _, make, twin = stepper(BoxProblem(rows, y, low, high), np.float64, compile_it)
    assert make(1e-3, 5).end == twin(1e-3, 5).end == smo.ENDLESS


@pytest.mark.parametrize("compile_it", PLAIN_OR_COMPILED)
def test_rounding_may_put_variables_on_their_bounds(compile_it):
    land = compiler.compiled(smo.land) if compile_it else smo.land
    beta, lower, upper = np.array([90.0, 10.0]), np.zeros(2), np.full(2, 100.0)
    up, low = np.array([2.0, 1.0]), np.array([2.0, 1.0])
    assert land(0, 1, np.nextafter(10.0, 0.0), up, low, beta, lower, upper)
    assert beta[0] == 100.0
    assert up[0] == -np.inf  # else SMO would choose it again, and be stuck
    assert low[1] == 1.0
    assert 0 < beta[1] < 1e-14


@pytest.mark.parametrize("values", [[3.0], [1, 5, 2, 5], [-np.inf] * 3, range(600)])
@pytest.mark.parametrize("compile_it", PLAIN_OR_COMPILED)
def test_the_first_of_the_largest(values, compile_it):
    values = np.array(values, float)
    largest, smallest = smo.first_largest, smo.first_smallest
    if compile_it:
        largest, smallest = map(compiler.compiled, (largest, smallest))
    assert largest(values) == values.argmax()
    assert smallest(values) == values.argmin()


@needs_numba
@pytest.mark.parametrize("C", [1.0, 1000.0])
@pytest.mark.parametrize("n", [60, 700])
def test_machines_are_the_same_with_and_without_numba(n, C, rows_on_demand):
    X, y = rings(n)
    tight = SVC(kl.Gaussian(), C=C, tol=1e-9).fit(X, y)
    with compiler.without_numba():
        plain = SVC(kl.Gaussian(), C=C, tol=1e-9).fit(X, y)
    assert tight.certificate_.dual == pytest.approx(plain.certificate_.dual, rel=1e-9)
    assert tight.decision_function(X) == pytest.approx(
        plain.decision_function(X), abs=1e-5
    )


@needs_numba
def test_regression_is_the_same_with_and_without_numba():
    X, _ = rings(300)
    t = np.sin(X[:, 0])
    fast = SVR(kl.Gaussian(), tol=1e-8).fit(X, t)
    with compiler.without_numba():
        plain = SVR(kl.Gaussian(), tol=1e-8).fit(X, t)
    assert fast.predict(X) == pytest.approx(plain.predict(X), abs=1e-6)


@needs_numba
@pytest.mark.parametrize("megabytes", [0.0, 0.02])
def test_rows_that_are_thrown_away_are_computed_again(megabytes, rows_on_demand):
    problem = soft_margin(60)
    found = solve(problem, tol=1e-6, megabytes=megabytes)
    whole = solve(soft_margin(60), tol=1e-6)
    assert found.converged
    assert found.objective == pytest.approx(whole.objective, rel=1e-9)


# --- the perceptron -------------------------------------------------------------------


@pytest.mark.parametrize("compile_it", PLAIN_OR_COMPILED)
def test_one_pass_with_weights(compile_it):
    X, y = rings(50)
    order, w, found = np.arange(50)[::-1].copy(), np.zeros(2), np.empty(50, np.int64)
    loop = loop_of(mistakes.primal_pass, mistakes.compiled_primal_pass, compile_it)
    count = loop(X, y, order, w, found)
    expected, v = [], np.zeros(2)
    for place, i in enumerate(order):
        if y[i] * (X[i] @ v) <= 0:
            v += y[i] * X[i]
            expected.append(place)
    assert found[:count].tolist() == expected
    assert w == pytest.approx(v)


@pytest.mark.parametrize("compile_it", PLAIN_OR_COMPILED)
def test_one_pass_with_a_kernel_and_missing_rows(compile_it):
    X, y = rings(40)
    K, loop = kl.Gaussian()(X), mistakes.dual_pass
    if compile_it:
        loop = mistakes.compiled_dual_pass()
    g, found, order = np.zeros(40), np.empty(40, np.int64), np.arange(40)
    place, stamp = np.full(40, -1), np.zeros(41, np.int64)
    shown = count = 0
    while shown < 40:
        shown, count = loop(K, place, stamp, y, order, g, found, shown, count)
        if shown < 40:
            assert place[shown] == -1
            place[shown] = shown
    model = KernelPerceptron(kl.Gaussian(), max_epochs=1)
    with compiler.without_numba(), pytest.warns(match="the last of 1 epochs"):
        model.fit(X, y)
    assert found[:count].tolist() == model.mistakes_.tolist()
    assert g == pytest.approx((model.alpha_ * y) @ K)


@needs_numba
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize(
    "make",
    [
        lambda **options: Perceptron(max_epochs=30, **options),
        lambda **options: KernelPerceptron(kl.Gaussian(), max_epochs=30, **options),
    ],
    ids=["weights", "kernel"],
)
@pytest.mark.filterwarnings("ignore:the perceptron still made")
def test_the_mistakes_are_the_same_with_and_without_numba(make, shuffle):
    X, y = rings(250)
    fast = make(shuffle=shuffle).fit(X, y).run_
    with compiler.without_numba():
        plain = make(shuffle=shuffle).fit(X, y).run_
    np.testing.assert_array_equal(fast.mistakes, plain.mistakes)
    np.testing.assert_array_equal(fast.times, plain.times)
    assert fast.epochs == plain.epochs


# --- strings --------------------------------------------------------------------------


@pytest.mark.parametrize("compile_it", PLAIN_OR_COMPILED)
@pytest.mark.parametrize("p", [1, 2, 4])
def test_common_words_are_those_of_the_twin(p, compile_it):
    r = np.random.default_rng(p)
    s, t = r.integers(0, 3, 9), r.integers(0, 3, 12)
    text = np.full((2, 12), -1)
    text[0, :9], text[1] = s, t
    loop = loop_of(subsequences.pairs, subsequences.compiled_pairs, compile_it)
    i, j, length = np.array([0, 1, 0]), np.array([1, 1, 0]), np.array([9, 12])
    values = loop(text, length, i, j, p, 0.7)
    with compiler.without_numba():
        words = ["".join(map(str, u)) for u in (s, t)]
        K = kl.Subsequence(p=p, decay=0.7)(words)
    assert values == pytest.approx([K[0, 1], K[1, 1], K[0, 0]], rel=1e-12)


@needs_numba
def test_strings_shorter_than_a_word_and_empty_ones():
    words, k = ["", "ab", "abcab", "b"], kl.Subsequence(p=3)
    fast = k(words)
    with compiler.without_numba():
        assert fast == pytest.approx(k(words), rel=1e-14)
    assert k(words, ["cab", ""]).shape == (4, 2)


# --- coordinate ascent ----------------------------------------------------------------


@pytest.mark.parametrize("compile_it", PLAIN_OR_COMPILED)
def test_coordinate_ascent_is_that_of_the_twin(compile_it):
    r = np.random.default_rng(0)
    Z = r.normal(size=(20, 5))
    G, top = Z @ Z.T, np.full(20, 0.3)
    loop = loop_of(ascent.ascend, ascent.compiled_ascend, compile_it)
    ends = []
    for ascend in (loop, ascent.vector_ascend):
        alpha, slopes = np.zeros(20), np.ones(20)
        ascend(G, slopes, alpha, top, 500)
        assert slopes == pytest.approx(1 - G @ alpha, abs=1e-9)
        assert ((alpha >= 0) & (alpha <= top)).all()
        ends.append(alpha.sum() - alpha @ G @ alpha / 2)
    assert ends[0] == pytest.approx(ends[1], rel=1e-6)


@needs_numba
def test_a_linear_machine_is_the_same_with_and_without_numba():
    X, y = rings(200)
    fast = LinearSVC(solver="dual", tol=1e-6).fit(X, y)
    with compiler.without_numba():
        plain = LinearSVC(solver="dual", tol=1e-6).fit(X, y)
    assert fast.coef_ == pytest.approx(plain.coef_, abs=1e-3)
    assert fast.certificate_.primal == pytest.approx(
        plain.certificate_.primal, rel=2e-6
    )
