"""The perceptron: all forms make the same mistakes, and a run proves what it says."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.linear_model import Perceptron as Peer

from kernellab import kernels as kl
from kernellab.errors import (
    ConvergenceWarning,
    InputError,
    NotFitted,
    NotPositiveDefinite,
)
from kernellab.perceptron import (
    KernelPerceptron,
    MarginCertificate,
    Perceptron,
    dual_perceptron,
    function_perceptron,
    primal_perceptron,
)
from kernellab.perceptron.machines import sums_exactly

INF = np.inf
XOR = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1.0]])
XOR_LABELS = np.array([1, 1, -1, -1])
ADDITIVE = kl.exp(kl.Linear()).on(0) + kl.exp(kl.Linear()).on(1)


def quiet(model, X, y):
    """Fit without the warning of a run that does not end by itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


def separates(K, y):
    """Whether f = Σ a_i k(·, x_i) can have y_i f(x_i) ≥ 1: a linear programme."""
    A, n = -y[:, None] * K, len(y)
    return linprog(np.zeros(n), A, -np.ones(n), bounds=(None, None)).status == 0


def slow_run(K, y, orders):
    """Mistakes, their times and every g that was in use, point by point."""
    alpha, mistakes, times, shown, used = np.zeros(len(y)), [], [], 0, []
    for order in orders:
        for i in order:
            shown += 1
            if y[i] * (K[i] @ (alpha * y)) <= 0:
                alpha[i] += 1
                mistakes.append(int(i))
                times.append(shown)
            used.append(alpha * y)
    return mistakes, times, np.array(used)


def clouds(n=60, d=2, shift=1.0, seed=0):
    """Two clouds that may or may not overlap."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1, -1)
    return rng.normal(size=(n, d)) + shift * y[:, None], y


integer_sets = (
    st.integers(2, 7)
    .flatmap(
        lambda n: st.tuples(
            arrays(np.float64, (n, 2), elements=st.integers(-3, 3).map(float)),
            arrays(np.int64, n, elements=st.sampled_from([-1, 1])),
        )
    )
    .filter(lambda data: len(set(data[1].tolist())) == 2)
)


# --- one algorithm, many forms ------------------------------------------------


@settings(max_examples=40)
@given(integer_sets, st.sampled_from([0.25, 1.0, 8.0]))
def test_all_forms_make_the_same_mistakes(data, rate):
    X, y = data
    k, epochs = kl.Linear() + 1, 12
    primal = primal_perceptron(X, y, rate=rate, max_epochs=epochs)
    forms = [
        primal.mistakes,
        function_perceptron(k, X, y, rate=rate, max_epochs=epochs).mistakes,
        dual_perceptron(k(X), y, max_epochs=epochs).mistakes,
    ]
    models = [
        Perceptron(rate, epochs),
        KernelPerceptron(k, epochs),
        KernelPerceptron(kl.Linear(), epochs, intercept=True),
        KernelPerceptron("precomputed", epochs),
    ]
    for model in models:
        given_ = model.get_params().get("kernel") == "precomputed"
        quiet(model, k(X) if given_ else X, y)
        # a fit also stops when w comes back; the textbook goes on
        forms.append(model.mistakes_.tolist())
        assert model.converged_ == primal.converged
    for mistakes in forms:
        assert mistakes == primal.mistakes[: len(mistakes)]
    if primal.converged:
        assert all(mistakes == primal.mistakes for mistakes in forms)


@settings(max_examples=40)
@given(integer_sets, st.sampled_from([0.5, 4.0]))
def test_weights_are_rate_times_mistakes(data, rate):
    X, y = data
    w, b, mistakes, _ = primal_perceptron(X, y, rate=rate, max_epochs=7)
    alpha = np.bincount(mistakes, minlength=len(y))
    assert np.array_equal(w, rate * (alpha * y) @ X)
    assert b == rate * (alpha @ y)
    model = quiet(Perceptron(rate), X, y)
    assert np.array_equal(model.w_, rate * (model.alpha_ * y) @ X)
    assert model.intercept_ == rate * (model.alpha_ @ y)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("k", [kl.Polynomial(degree=2), kl.Polynomial(degree=3, c=0.5)])
def test_a_kernel_is_a_perceptron_on_its_features(k, seed):
    X, y = clouds(seed=seed)
    phi = k.features()(X)
    primal = primal_perceptron(phi, y, threshold=False, max_epochs=30)
    model = quiet(KernelPerceptron(k, 30), X, y)
    assert model.mistakes_.tolist() == primal.mistakes
    assert model.decision_function(X) == pytest.approx(phi @ primal.w, rel=1e-9)
    linear = quiet(Perceptron(max_epochs=30, intercept=False), phi, y)
    assert linear.mistakes_.tolist() == primal.mistakes
    assert linear.intercept_ == 0


def test_the_rate_matters_from_another_start():
    X, y = clouds(shift=2.0, seed=3)
    far = [5.0, -5.0]
    slow, fast = (
        primal_perceptron(X, y, rate=rate, start=far).mistakes for rate in (0.01, 100.0)
    )
    assert len(slow) > 2 * len(fast)
    zero = [primal_perceptron(X, y, rate=rate).mistakes for rate in (0.01, 1.0, 100.0)]
    assert zero[0] == zero[1] == zero[2]


def test_the_threshold_outside_the_sum_is_another_algorithm():
    X, y = clouds(20, seed=1)
    K = kl.Linear()(X)
    model = quiet(KernelPerceptron("precomputed", 5, intercept=True), K, y)
    assert model.mistakes_.tolist() == dual_perceptron(K + 1, y, max_epochs=5).mistakes
    assert model.mistakes_.tolist() != dual_perceptron(K, y, max_epochs=5).mistakes


@pytest.mark.parametrize("seed", range(4))
def test_shuffled_orders_come_from_the_generator(seed):
    X, y = clouds(seed=seed)
    k = kl.Gaussian(sigma=0.7)
    model = quiet(
        KernelPerceptron(k, 6, shuffle=True, random_state=np.random.default_rng(seed)),
        X,
        y,
    )
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(len(y)) for _ in range(model.epochs_)]
    mistakes, times, _ = slow_run(k(X), y, orders)
    assert model.mistakes_.tolist() == mistakes
    assert model.run_.times.tolist() == times


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("k", [kl.Gaussian(sigma=0.5), kl.Laplacian(sigma=0.5)])
def test_rows_on_demand_give_the_same_run(rows_on_demand, intercept, k):
    X, y = clouds(90, seed=5)
    whole = quiet(KernelPerceptron("precomputed", 40, intercept), k(X), y)
    parts = quiet(KernelPerceptron(k, 40, intercept), X, y)
    assert parts.mistakes_.tolist() == whole.mistakes_.tolist()
    assert parts.certificate_.margin == pytest.approx(
        whole.certificate_.margin, rel=1e-9
    )
    assert parts.certificate_.radius == pytest.approx(math.sqrt(1 + intercept))
    assert parts.intercept_ == whole.intercept_


def test_rows_of_objects_on_demand(rows_on_demand):
    words = ["gattaca", "gatta", "tacocat", "cat", "gag", "tact", "acta", "ggtt"]
    y = [1, 1, -1, -1, 1, -1, -1, 1]
    k = kl.Spectrum(p=2)
    whole = KernelPerceptron("precomputed", variant="voted").fit(k(words), y)
    parts = KernelPerceptron(k).fit(words, y)
    assert parts.mistakes_.tolist() == whole.mistakes_.tolist()
    assert parts.predict(words).tolist() == y
    parts.set_params(variant="voted")
    assert parts.decision_function(words) == pytest.approx(
        whole.decision_function(k(words))
    )


@pytest.mark.parametrize("intercept", [False, True])
def test_a_point_with_both_labels_ends_the_run(rows_on_demand, intercept):
    """Equal points have equal rows, to the last bit."""
    X, y = clouds(5, d=5, seed=3)
    X[1] = X[0]
    model = quiet(KernelPerceptron(kl.Gaussian(3.0), 300, intercept), X, y)
    assert model.run_.repeat
    assert model.certificate_.witness[:2].min() > 0
    assert model.certificate_.margin_bound < 1e-6


# --- how it ends --------------------------------------------------------------


def test_a_tie_is_a_mistake_when_learning_and_plus_when_predicting():
    model = Perceptron().fit([[0.0], [5.0]], [-1, 1])
    assert model.mistakes_[0] == 0  # g = 0 and y = −1
    model = Perceptron().fit([[0.0], [5.0]], [1, -1])
    assert model.mistakes_[0] == 0  # g = 0 and y = +1, which predict would get right
    with pytest.warns(ConvergenceWarning):
        flat = KernelPerceptron(kl.Linear()).fit([[0.0], [1.0]], [-1, 1])
    assert flat.predict([[0.0]]) == [1]


def test_no_order_of_xor_can_be_separated_by_a_line():
    model = Perceptron()
    with pytest.warns(ConvergenceWarning, match="goes round in circles: after 4 mist"):
        model.fit(XOR, XOR_LABELS)
    assert model.separable_ is False
    assert not model.converged_
    c = model.certificate_.witness
    assert (c * XOR_LABELS) @ np.column_stack([XOR, np.ones(4)]) == pytest.approx(0)
    assert model.certificate_.margin_bound == 0
    assert "not separable: the terms" in str(model.certificate_)
    assert "w after 4 mistakes as after 0" in str(model.run_)


@settings(max_examples=40)
@given(integer_sets)
def test_verdicts_are_right(data):
    X, y = data
    K = kl.Linear()(X) + 1
    truth = separates(K, y)
    for model in (
        quiet(Perceptron(max_epochs=3000), X, y),
        quiet(KernelPerceptron("precomputed", 3000), K, y),
    ):
        assert model.separable_ is truth  # integers: exact, and short cycles
        assert model.converged_ is truth
        c = model.certificate_.witness
        assert (c is None) is truth
        if c is not None:
            assert c.min() >= 0
            assert c.max() > 0
            assert not (K @ (c * y)).any()


@settings(max_examples=40)
@given(integer_sets, st.integers(0, 100))
def test_shuffled_verdicts_are_never_wrong(data, seed):
    X, y = data
    model = Perceptron(
        max_epochs=100, shuffle=True, random_state=np.random.default_rng(seed)
    )
    found = quiet(model, X, y).separable_
    assert found in (separates(kl.Linear()(X) + 1, y), None)


def test_a_point_at_the_origin_is_its_own_witness():
    model = quiet(KernelPerceptron(kl.Linear()), [[0.0, 0.0], [1.0, 2.0]], ["a", "b"])
    assert model.separable_ is False
    assert model.certificate_.witness.tolist() == [1, 0]


def test_one_point_with_two_labels():
    X = [[0.3], [0.3], [2.0]]
    model = quiet(KernelPerceptron(kl.Gaussian()), X, [1, -1, 1])
    assert not model.converged_
    assert model.certificate_.margin_bound < 1e-7
    # the Gaussian's values are rounded: the bound says so, the verdict does not
    assert model.separable_ in (None, False)


def test_infinite_dimension_is_not_enough():
    model = quiet(KernelPerceptron(ADDITIVE), XOR, XOR_LABELS)
    assert not model.converged_
    assert model.certificate_.margin_bound < 1e-6
    assert model.certificate_.witness.tolist() == [1, 1, 1, 1]
    assert "up to rounding" in str(model.certificate_)
    assert KernelPerceptron(kl.Gaussian()).fit(XOR, XOR_LABELS).separable_ is True


def test_after_max_epochs_it_says_what_is_known():
    X, y = clouds(80, shift=0.3)
    model = Perceptron(max_epochs=7)
    with pytest.warns(ConvergenceWarning, match="in the last of 7 epochs") as caught:
        model.fit(X, y)
    assert caught[0].filename == __file__
    c = model.certificate_
    assert model.separable_ is None
    assert model.epochs_ == 7
    assert c.margin_bound == pytest.approx(c.norm / c.mistakes)
    assert c.margin_bound <= c.radius / math.sqrt(c.mistakes)
    assert c.mistake_bound == math.inf
    assert "margin of at most" in str(c)
    assert model.run_.per_epoch.sum() == c.mistakes
    assert len(model.run_.per_epoch) == 7


def test_a_cycle_longer_than_an_epoch_is_found():
    X, y = np.array([[1.0], [4.0], [9.0]]), [1, -1, 1]
    model = quiet(Perceptron(max_epochs=10_000), X, y)
    assert model.separable_ is False
    assert model.epochs_ < 200
    first, last = model.run_.repeat
    log = model.mistakes_
    longer = primal_perceptron(X, y, max_epochs=3 * model.epochs_).mistakes
    period = last - first
    assert longer[first:last] == longer[last : last + period] == log[first:].tolist()


def test_sums_exactly():
    assert sums_exactly(np.zeros((2, 3)), np.ones(2))
    assert sums_exactly(np.array([[1.0], [2.0**52]]), np.ones(2))
    assert not sums_exactly(np.array([[1.0], [2.0**53]]), np.ones(2))
    assert not sums_exactly(np.array([[2.0**-60], [1.0]]), np.ones(2))
    assert sums_exactly(np.array([[-0.75], [0.125]]), np.array([3.0, 5.0]))


# --- what it proves -----------------------------------------------------------


def largest_margin(X, y):
    """γ* of lines through 0 in the plane, by trying all angles."""
    angle = np.linspace(0, 2 * np.pi, 200_001)
    return float((y[:, None] * X @ [np.cos(angle), np.sin(angle)]).min(axis=0).max())


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("shift", [0.4, 3.0])
def test_the_certificate_brackets_the_largest_margin(seed, shift):
    X, y = clouds(30, shift=shift, seed=seed)
    best = largest_margin(X, y)
    for model in (
        quiet(Perceptron(intercept=False, max_epochs=50), X, y),
        quiet(KernelPerceptron(kl.Linear(), max_epochs=50), X, y),
    ):
        c = model.certificate_
        assert c.margin <= best + 1e-6
        assert max(best, 0) <= c.margin_bound + 1e-6
        assert c.radius == pytest.approx(np.linalg.norm(X, axis=1).max())
        assert c.margin_bound <= c.radius / math.sqrt(c.mistakes) * (1 + 1e-12)
        assert c.gap == pytest.approx(c.primal - c.dual)
        assert model.converged_ == (c.margin > 0)
        if best > 0:
            assert c.mistakes <= (c.radius / best) ** 2 <= c.mistake_bound


@pytest.mark.parametrize("seed", range(5))
def test_the_threshold_adds_one_to_the_squared_radius(seed):
    X, y = clouds(shift=3.0, seed=seed)
    with_threshold = Perceptron().fit(X, y).certificate_
    augmented = np.column_stack([X, np.ones(len(X))])
    without = Perceptron(intercept=False).fit(augmented, y).certificate_
    kernel = KernelPerceptron(kl.Linear(), intercept=True).fit(X, y).certificate_
    assert with_threshold.radius**2 == pytest.approx((X**2).sum(axis=1).max() + 1)
    for name in ("radius", "norm", "margin", "margin_bound", "mistakes"):
        expected = pytest.approx(getattr(without, name))
        assert getattr(with_threshold, name) == expected
        assert getattr(kernel, name) == expected


def test_the_function_has_the_norm_and_values_of_the_fit():
    X, y = clouds(40, seed=2)
    for intercept in (False, True):
        model = KernelPerceptron(kl.Gaussian(sigma=0.4), 500, intercept).fit(X, y)
        assert model.function_.norm() == pytest.approx(model.certificate_.norm)
        assert model.function_(X) == pytest.approx(model.decision_function(X))
        assert model.intercept_ == intercept * (model.alpha_ @ y)


def test_gaussians_separate_any_labels_of_distinct_points():
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(40, 2)), rng.choice([-1, 1], size=40)
    model = KernelPerceptron(kl.Gaussian(sigma=0.3), max_epochs=2000).fit(X, y)
    assert model.separable_ is True
    assert model.score(X, y) == 1


# --- averaging, voting, several classes ---------------------------------------


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("epochs", [1, 4])
def test_averaged_and_voted_are_means_over_all_presentations(intercept, epochs):
    X, y = clouds(40, seed=4)
    Z = clouds(25, seed=9)[0]
    k = kl.Gaussian(sigma=0.8)
    _, _, used = slow_run(k(X) + intercept, y, [range(40)] * epochs)
    every = (k(Z, X) + intercept) @ used.T
    model = quiet(KernelPerceptron(k, epochs, intercept), X, y)
    given_ = quiet(KernelPerceptron("precomputed", epochs, intercept), k(X), y)
    for m, points in ((model, Z), (given_, k(Z, X))):
        last = m.set_params(variant="last").decision_function(points)
        mean = m.set_params(variant="averaged").decision_function(points)
        vote = m.set_params(variant="voted").decision_function(points)
        assert last == pytest.approx(every[:, -1])
        assert mean == pytest.approx(every.mean(axis=1))
        assert vote == pytest.approx(np.where(every >= 0, 1, -1).mean(axis=1))
    assert model.run_.survival.sum() == model.run_.presentations == 40 * epochs


def test_averaged_and_voted_with_weights():
    X, y = clouds(50, shift=0.6, seed=6)
    Z = clouds(20, seed=7)[0]
    linear = quiet(Perceptron(rate=3.0, max_epochs=3), X, y)
    kernel = quiet(KernelPerceptron(kl.Linear() + 1, 3), X, y)
    for variant, factor in (("last", 3.0), ("averaged", 3.0), ("voted", 1.0)):
        linear.set_params(variant=variant)
        kernel.set_params(variant=variant)
        expected = factor * kernel.decision_function(Z)
        assert linear.decision_function(Z) == pytest.approx(expected)
    assert linear.set_params(variant="last").decision_function(Z) == pytest.approx(
        Z @ linear.w_ + linear.intercept_
    )


def test_a_tie_is_a_vote_for_plus_one():
    model = quiet(Perceptron(variant="voted"), XOR, XOR_LABELS)
    # w_0, w after each mistake: (1; 1, 1), (2; 0, 0), (1; −1, 1), (0; 0, 0)
    assert model.decision_function(XOR).tolist() == [1.0, 0.5, 0.5, 1.0]


def test_a_long_vote_is_counted_in_parts(monkeypatch):
    X, y = clouds(60, shift=0.3, seed=1)
    model = quiet(KernelPerceptron(kl.Gaussian(sigma=0.5), 20, variant="voted"), X, y)
    whole = model.decision_function(X)
    monkeypatch.setattr("kernellab.perceptron.shared.CHUNK_COORDINATES", 100)
    assert model.decision_function(X) == pytest.approx(whole, abs=1e-12)
    assert model.decision_function(np.empty((0, 2))).shape == (0,)


@pytest.mark.parametrize("variant", ["last", "averaged", "voted"])
def test_several_classes_are_told_apart_one_against_the_rest(variant):
    rng = np.random.default_rng(0)
    centres = np.array([[0, 0], [6, 0], [0, 6], [6, 6.0]])
    codes = rng.integers(4, size=80)
    X = centres[codes] + rng.normal(size=(80, 2))
    y = np.array(["north", "south", "east", "west"])[codes]
    k = kl.Gaussian(sigma=2.0)
    model = quiet(KernelPerceptron(k, 30, variant=variant), X, y)
    assert model.classes_.tolist() == ["east", "north", "south", "west"]
    g = model.decision_function(X)
    for j, name in enumerate(model.classes_):
        one = quiet(KernelPerceptron(k, 30, variant=variant), X, y == name)
        assert model.mistakes_[j].tolist() == one.mistakes_.tolist()
        assert model.alpha_[:, j].tolist() == one.alpha_.tolist()
        assert g[:, j] == pytest.approx(one.decision_function(X))
        assert isinstance(model.certificate_[j], MarginCertificate)
    assert model.predict(X).tolist() == model.classes_[g.argmax(axis=1)].tolist()
    assert model.score(X, y) > 0.95
    assert np.shape(model.intercept_) == (4,)


def test_digits_as_scikit_learn():
    X, y = load_digits(return_X_y=True)
    X = X / 16
    ours = quiet(Perceptron(max_epochs=5), X[:1000], y[:1000])
    theirs = Peer(max_iter=5, tol=None, shuffle=False).fit(X[:1000], y[:1000])
    assert ours.w_ == pytest.approx(theirs.coef_)
    assert ours.intercept_ == pytest.approx(theirs.intercept_)
    assert ours.score(X[1000:], y[1000:]) == theirs.score(X[1000:], y[1000:])
    kernel = quiet(KernelPerceptron(kl.Gaussian(sigma=1.5), 5), X[:1000], y[:1000])
    assert kernel.score(X[1000:], y[1000:]) > ours.score(X[1000:], y[1000:])


def test_the_warning_names_the_class_that_cannot_be_separated():
    X, y = np.array([[0.0], [1.0], [2.0]]), ["low", "middle", "high"]
    with pytest.warns(ConvergenceWarning, match="'middle' against the rest: the perc"):
        model = Perceptron(max_epochs=200).fit(X, y)
    assert model.separable_ is False
    assert [c.separable for c in model.certificate_] == [True, True, False]


# --- habits and errors --------------------------------------------------------


def test_parameters_as_scikit_learn():
    model = KernelPerceptron(kl.Gaussian(), max_epochs=7, variant="voted")
    assert clone(model).get_params()["max_epochs"] == 7
    with pytest.raises(NotFitted, match="this KernelPerceptron is not fitted yet"):
        model.predict([[0.0]])
    with pytest.raises(NotFitted):
        _ = model.alpha_
    with pytest.raises(InputError, match="has no parameter epochs"):
        model.set_params(epochs=3)


def test_the_data_may_change_after_the_fit():
    X, y = clouds(30, shift=3.0)
    model = KernelPerceptron(kl.Gaussian()).fit(X, y)
    before = model.decision_function([[0.5, 0.5]])
    X *= 100
    assert model.decision_function([[0.5, 0.5]]) == before


def test_a_given_gram_matrix_is_read_only():
    X, y = clouds(30, shift=3.0)
    K = kl.Gaussian()(X)
    copy = K.copy()
    KernelPerceptron("precomputed").fit(K, y)
    KernelPerceptron("precomputed", intercept=True).fit(K, y)
    assert np.array_equal(K, copy)
    nearly = K.copy()
    nearly[0, 1] *= 1 + 1e-14
    assert KernelPerceptron("precomputed").fit(nearly, y).converged_


@pytest.mark.parametrize(
    ("model", "X", "y", "message"),
    [
        (Perceptron(), [[1.0], [2.0]], [1, 1], "y must have two classes or more"),
        (Perceptron(), [[1.0], [2.0]], [1], "y must have shape"),
        (Perceptron(), [[1.0], [np.nan]], [1, -1], "X must be finite"),
        (Perceptron(), [1.0, 2.0], [1, -1], "one point per row"),
        (Perceptron(), np.empty((0, 2)), [], "one point or more"),
        (Perceptron(rate=-1.0), [[1.0], [2.0]], [1, -1], "rate must be positive"),
        (Perceptron(max_epochs=0), [[1.0], [2.0]], [1, -1], "an integer ≥ 1, got 0"),
        (Perceptron(max_epochs=2.5), [[1.0], [2.0]], [1, -1], "an integer ≥ 1"),
        (Perceptron(variant="best"), [[1.0], [2.0]], [1, -1], "got 'best'"),
        (KernelPerceptron("precomputed"), [[1.0], [2.0]], [1, 2], "square array"),
        (KernelPerceptron("precomputed"), [[1, 2], [3, 4]], [1, -1], "symmetric"),
        (
            KernelPerceptron("precomputed"),
            [[1, np.inf], [np.inf, 4]],
            [1, -1],
            "finite",
        ),
    ],
)
def test_errors_say_what_is_wrong(model, X, y, message):
    with pytest.raises(InputError, match=message):
        model.fit(X, y)


def test_other_errors():
    with pytest.raises(TypeError, match=r"shuffle must be True.* got int 3"):
        Perceptron(shuffle=3).fit(XOR, XOR_LABELS)
    with pytest.raises(TypeError, match="kernel must be a Kernel"):
        KernelPerceptron("gaussian").fit(XOR, XOR_LABELS)
    model = KernelPerceptron(kl.Gaussian()).fit(XOR, XOR_LABELS)
    with pytest.raises(InputError, match=r"X has 3 features, but .* is expecting 2"):
        model.predict([[1.0, 2.0, 3.0]])
    with pytest.raises(InputError, match=r"X has 3 features, but .* is expecting 2"):
        model.set_params(variant="voted").predict([[1.0, 2.0, 3.0]])
    with pytest.raises(InputError, match="a vote is no function"):
        _ = model.function_
    given_ = KernelPerceptron("precomputed").fit(kl.Gaussian()(XOR), XOR_LABELS)
    with pytest.raises(InputError, match="has no points"):
        _ = given_.function_
    with pytest.raises(InputError, match=r"start must be finite and have shape \(2,\)"):
        primal_perceptron(XOR, XOR_LABELS, start=[1.0])
    with pytest.raises(InputError, match="Only binary classification"):
        dual_perceptron(np.eye(3), [1, 2, 3])


def test_huge_values_do_not_pass_silently():
    X = np.array([[1e200, 0.0], [-1e200, 1.0]])
    with pytest.raises(ValueError, match=r"too large for a float|no finite value"):
        KernelPerceptron(kl.Linear()).fit(X, [1, -1])
    with pytest.raises(InputError, match="too large for a float; rescale X"):
        Perceptron().fit(X, [1, -1])


def test_what_is_not_a_kernel_is_found_out():
    with pytest.raises(NotPositiveDefinite, match=r"k\(x, x\) = -2 is negative"):
        KernelPerceptron(-1 * kl.Linear()).fit(XOR, XOR_LABELS)
    K = np.array([[1.0, -2.0, 3.0], [-2.0, 1.0, 3.0], [3.0, 3.0, 1.0]])
    with pytest.raises(NotPositiveDefinite, match="not positive definite"):
        KernelPerceptron("precomputed", 50).fit(K, [1, 1, -1])
