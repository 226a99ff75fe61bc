"""Probabilities of an SVC: sigmoids and coupled pairs, scikit-learn as a peer."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn import svm as peers
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss

from kernellab import SVC
from kernellab import kernels as kl
from kernellab.errors import InputError
from kernellab.svm.probabilities import _folds, couple, fit_sigmoid

rng = np.random.default_rng(0)
X = rng.normal(size=(120, 2))
Y = np.where(X[:, 0] + 0.8 * rng.normal(size=120) > 0.3, "yes", "no")
IRIS = load_iris()
K = kl.Gaussian(sigma=1.0)


def test_against_scikit_learns_calibration_with_the_same_folds():
    model = SVC(K, C=2.0, tol=1e-9, probability=True).fit(X, Y)
    codes = (Y == "yes").astype(int)
    folds = [(np.flatnonzero(~h), np.flatnonzero(h)) for h in _folds(codes, (1, 0))]
    peer = CalibratedClassifierCV(
        peers.SVC(C=2.0, gamma=0.5, tol=1e-9), cv=folds, ensemble=False
    ).fit(X, Y)
    Z = rng.normal(size=(50, 2))
    np.testing.assert_allclose(model.predict_proba(Z), peer.predict_proba(Z), atol=1e-4)
    assert list(model.classes_) == ["no", "yes"]


def test_the_sigmoid_minimises_its_loss():
    f, positive = rng.normal(size=80), rng.random(80) < 0.3
    f = f + positive
    s = rng.integers(1, 4, size=80).astype(float)
    found = fit_sigmoid(f, positive, s)
    many, few = s[positive].sum(), s[~positive].sum()
    t = np.where(positive, (many + 1) / (many + 2), 1 / (few + 2))

    def loss(w):
        z = w[0] * f + w[1]
        return s @ (np.logaddexp(0, z) - t * z)

    best = minimize(loss, [0.0, 0.0], tol=1e-12)
    np.testing.assert_allclose([found.a, found.b], best.x, atol=1e-4)
    assert loss([found.a, found.b]) <= best.fun + 1e-7
    assert found.decrement <= 1e-7
    labels = np.where(positive, 1, 0)
    assert found.log_loss == pytest.approx(log_loss(labels, found(f), sample_weight=s))


def test_weights_are_copies_in_the_sigmoid():
    f, positive = rng.normal(size=30), rng.random(30) < 0.5
    s = rng.integers(1, 4, size=30)
    one = fit_sigmoid(f, positive, s.astype(float))
    two = fit_sigmoid(np.repeat(f, s), np.repeat(positive, s), np.ones(s.sum()))
    np.testing.assert_allclose([one.a, one.b], [two.a, two.b], atol=1e-6)


def test_separated_and_useless_values():
    sure = fit_sigmoid(np.array([-2.0, -1.0, 1.0, 2.0]), np.arange(4) > 1, np.ones(4))
    assert sure.a > 0
    assert 0.5 < sure(np.array([1.0]))[0] < 0.95  # four points prove little
    same = fit_sigmoid(np.zeros(6), np.arange(6) > 3, np.ones(6))
    assert same(np.zeros(1))[0] == pytest.approx((2 * 3 / 4 + 4 / 6) / 6)
    values = 1e8 * np.array([-1.0, 0.5, -0.3, 1.0])
    huge = fit_sigmoid(values, np.arange(4) > 1, np.ones(4))
    assert np.isfinite([huge.a, huge.b, huge.log_loss]).all()


def test_several_classes():
    model = SVC(K, C=5.0, probability=True).fit(IRIS.data, IRIS.target)
    P = model.predict_proba(IRIS.data)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert P.min() > 0
    assert (P.argmax(axis=1) == IRIS.target).mean() > 0.95
    assert set(model.sigmoids_) == {(0, 1), (0, 2), (1, 2)}
    assert all(s.a > 0 for s in model.sigmoids_.values())
    assert log_loss(IRIS.target, P) < 0.2


def test_coupling_recovers_consistent_pairs_and_minimises():
    p = rng.dirichlet(np.ones(4), size=5)
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    R = np.column_stack([p[:, i] / (p[:, i] + p[:, j]) for i, j in pairs])
    np.testing.assert_allclose(couple(R, 4), p, atol=1e-6)
    R = rng.uniform(0.05, 0.95, size=(1, 6))
    r = np.zeros((4, 4))
    for k, (i, j) in enumerate(pairs):
        r[i, j], r[j, i] = R[0, k], 1 - R[0, k]

    def loss(q):
        return sum(
            (r[j, i] * q[i] - r[i, j] * q[j]) ** 2
            for i in range(4)
            for j in range(4)
            if i != j
        )

    best = minimize(
        loss,
        np.full(4, 0.25),
        constraints={"type": "eq", "fun": lambda q: q.sum() - 1},
        bounds=[(0, 1)] * 4,
        tol=1e-14,
    )
    np.testing.assert_allclose(couple(R, 4)[0], best.x, atol=1e-4)


def test_cross_fitting_is_less_sure_than_the_machine_itself():
    """A narrow kernel fits noise without error; left-out points tell the truth."""
    noise = np.where(rng.random(120) < 0.5, "a", "b")
    model = SVC(kl.Gaussian(sigma=0.05), C=100.0, probability=True).fit(X, noise)
    assert model.score(X, noise) == 1.0
    assert np.abs(model.predict_proba(X) - 0.5).max() < 0.35
    (sigmoid,) = model.sigmoids_.values()
    assert sigmoid.log_loss > 0.65


def test_calibrated_on_new_points():
    """Among points given 70–90 %, about 80 % are positive."""
    fresh = np.random.default_rng(5)
    Z = fresh.normal(size=(4000, 2))
    truth = Z[:, 0] + 0.8 * fresh.normal(size=4000) > 0.3
    model = SVC(kl.Gaussian(sigma=2.0), C=1.0, probability=True).fit(X, Y)
    p = model.predict_proba(Z)[:, 1]
    some = (p > 0.7) & (p < 0.9)
    assert truth[some].mean() == pytest.approx(p[some].mean(), abs=0.12)


def test_precomputed_strings_and_weights():
    given = SVC("precomputed", C=2.0, tol=1e-6, probability=True).fit(K(X), Y)
    plain = SVC(K, C=2.0, tol=1e-6, probability=True).fit(X, Y)
    np.testing.assert_allclose(
        given.predict_proba(K(X[:9], X)), plain.predict_proba(X[:9]), atol=1e-4
    )
    s = np.ones(120)
    s[:20] = 0
    weighted = SVC(K, C=2.0, tol=1e-8, probability=True).fit(X, Y, s)
    without = SVC(K, C=2.0, tol=1e-8, probability=True).fit(X[20:], Y[20:])
    np.testing.assert_allclose(
        weighted.predict_proba(X[:9]), without.predict_proba(X[:9]), atol=1e-5
    )


def test_what_has_no_probabilities():
    model = SVC(K).fit(X, Y)
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError, match="probability=True"):
        _ = model.predict_proba
    model.set_params(probability=True)
    with pytest.raises(InputError, match="fit again"):
        model.predict_proba(X)
    with pytest.raises(InputError, match="two points of every class"):
        SVC(K, probability=True).fit(X[:10], ["b"] + 9 * ["a"])
