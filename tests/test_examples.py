"""Every example runs, prints what it says, and agrees with its peer in scikit-learn."""

import contextlib
import io
import runpy
import textwrap
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.decomposition import KernelPCA
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import log_loss
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.preprocessing import normalize
from sklearn.svm import SVC, OneClassSVM

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))


@cache
def run(name: str) -> dict:
    """The names of an example after it has run; "printed" is what it has printed."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        names = runpy.run_path(str(FOLDER / f"{name}.py"))
    return names | {"printed": printed.getvalue()}


def rbf(kernel):
    """exp(−γ‖x − x'‖²), as scikit-learn writes a Gaussian kernel."""
    return {"kernel": "rbf", "gamma": 0.5 / kernel.sigma**2}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_prints_what_its_docstring_says(path):
    its = run(path.stem)
    told = its["__doc__"].split("It prints\n\n")[1]
    assert its["printed"] == textwrap.dedent(told)


def test_each_is_short_and_listed():
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    shown = (FOLDER.parent / "reference" / "examples.md").read_text(encoding="utf-8")
    for path in EXAMPLES:
        assert len(path.read_text(encoding="utf-8").splitlines()) < 40
        assert f"]({path.name})" in listed
        assert f"../examples/{path.name}\n" in shown


# --- the same answers ----------------------------------------------------------------


def assert_same_evidence(gp, X, t, kernel):
    """scikit-learn finds the same evidence for the kernel that was learned."""
    peer = GaussianProcessRegressor(kernel, alpha=gp.noise_, optimizer=None)
    found = peer.fit(X, t - (gp.mean_ or 0.0)).log_marginal_likelihood_value_
    assert gp.log_marginal_likelihood() == pytest.approx(found, rel=1e-6)
    return peer


def test_co2_forecast():
    its = run("co2_forecast")
    gp, X, past = its["gp"], its["X"], its["past"]
    p = gp.report_.parameters
    season = sk.RBF(p["gaussian.sigma"]) * sk.ExpSineSquared(
        p["periodic.sigma"], p["periodic.period"]
    )
    weather = sk.RationalQuadratic(
        p["rationalquadratic.sigma"], p["rationalquadratic.alpha"]
    )
    kernel = sk.DotProduct(np.sqrt(p["constant.c"])) ** 2
    kernel += p["scale.c"] * season + p["scale2.c"] * weather
    peer = assert_same_evidence(gp, X[past], its["ppm"][past], kernel)
    mean, spread = peer.predict(X[~past], return_std=True)
    np.testing.assert_allclose(mean + gp.mean_, its["mean"], atol=1e-3)
    np.testing.assert_allclose(spread**2 + gp.noise_, its["variance"], rtol=1e-3)


def test_relevance():
    its = run("relevance")
    gp = its["gp"]
    kernel = gp.report_.parameters["scale.c"] * sk.RBF(its["widths"])
    assert_same_evidence(gp, its["X"], its["concrete"].y, kernel)
    peer = GaussianProcessRegressor(kernel, alpha=gp.noise_, optimizer=None)
    rest = np.arange(len(its["X"])) > 0
    peer.fit(its["X"][rest], (its["concrete"].y - gp.mean_)[rest])
    left_out = peer.predict(its["X"][:1])[0] + gp.mean_
    assert its["left_out"].mean[0] == pytest.approx(left_out, abs=0.1)  # m̂ is learned


def test_own_kernel():
    its = run("own_kernel")
    gp, crash = its["gp"], its["crash"]
    p = gp.report_.parameters
    width = np.sqrt(3) * p["fromprofile.sigma"]
    kernel = p["scale.c"] * sk.Matern(width, nu=1.5)
    assert_same_evidence(gp, crash.X, crash.y, kernel)
    K = np.maximum(0, 1 - np.subtract.outer(*2 * [its["witness"].points.ravel()]) ** 2)
    assert its["witness"].c @ K @ its["witness"].c < 0


def test_choose_lambda():
    its = run("choose_lambda")
    path, crash = its["path"], its["crash"]
    for i in (0, path.loo_errors.argmin(), 30):
        peer = KernelRidge(alpha=path.lams[i], **rbf(its["ridge"].kernel))
        scores = cross_val_score(
            peer, crash.X, crash.y, cv=LeaveOneOut(), scoring="neg_mean_squared_error"
        )
        assert path.loo_errors[i] == pytest.approx(-scores.mean(), rel=1e-8)


def test_complete_digits():
    its = run("complete_digits")
    peer = KernelRidge(alpha=its["path"].best, **rbf(its["k"]))
    guess = peer.fit(its["top"], its["bottom"]).predict(its["new_top"])
    np.testing.assert_allclose(its["guess"], guess, atol=1e-6)


def test_novelty():
    its = run("novelty")
    peer = OneClassSVM(nu=0.05, tol=1e-6, **rbf(its["k"])).fit(its["known"])
    theirs = peer.decision_function(its["X"])
    clear = np.abs(theirs) > 1e-2
    ours = its["machine"].predict(its["X"])
    assert clear.mean() > 0.9
    assert np.array_equal(ours[clear], np.sign(theirs)[clear])


def test_denoise_digits():
    its = run("denoise_digits")
    pca, noisy = its["pca"], its["noisy"]
    peer = KernelPCA(20, fit_inverse_transform=True, **rbf(pca.kernel)).fit(its["X"])
    ours, theirs = pca.transform(noisy), peer.transform(noisy)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-6)
    back = peer.inverse_transform(theirs)
    error = np.mean((its["restored"] - its["clean"]) ** 2)
    assert error < np.mean((back - its["clean"]) ** 2)


def test_large_file():
    its = run("large_file")
    land, test, features = its["land"], its["test"], its["model"].features_
    peer = Ridge(0.01, solver="cholesky", copy_X=False)
    peer.fit(features.transform(land.X[~test]), land.y[~test])
    theirs = peer.predict(features.transform(land.X[test]))
    np.testing.assert_allclose(its["model"].predict(land.X[test]), theirs, atol=0.1)


def test_splice_sites():
    its = run("splice_sites")
    train, test, machines = its["train"], its["test"], its["machines"]
    words = CountVectorizer(analyzer="char", ngram_range=(3, 3), lowercase=False)
    Phi = normalize(words.fit_transform(train.X).astype(float))
    peer = SVC(kernel="linear", C=10.0).fit(Phi, train.y)
    theirs = peer.predict(normalize(words.transform(test.X).astype(float)))
    assert np.mean(theirs == machines["words"].predict(test.X)) > 0.99
    machine = machines["words in their places"]
    peer = SVC(kernel="precomputed", C=10.0).fit(machine.kernel(train.X), train.y)
    theirs = peer.predict(machine.kernel(test.X, train.X))
    assert np.mean(theirs == machine.predict(test.X)) > 0.99


def test_probabilities():
    its = run("probabilities")
    logistic, machine, process = its["models"]
    X, Z, labels, k = its["X"], its["Z"], its["train"].y, its["k"]
    root = np.linalg.cholesky(k(X) + 1e-10 * np.eye(len(X)))  # features of the points
    peer = LogisticRegression(
        C=1 / (len(X) * logistic.lam), fit_intercept=False, tol=1e-8, max_iter=2000
    ).fit(root, labels)
    theirs = peer.predict_proba(np.linalg.solve(root, k(X, Z)).T)
    np.testing.assert_allclose(logistic.predict_proba(Z), theirs, atol=1e-4)

    peer = SVC(C=10.0, **rbf(k)).fit(X, labels)
    assert machine.predict(Z).tolist() == peer.predict(Z).tolist()
    peer = CalibratedClassifierCV(peer, ensemble=False).fit(X, labels)  # another way
    theirs = log_loss(its["test"].y, peer.predict_proba(Z))
    assert abs(log_loss(its["test"].y, machine.predict_proba(Z)) - theirs) < 0.05

    F = process.kernel_(X) @ process.a_  # at the mode, a = y − P(class)
    P = np.exp(F) / np.exp(F).sum(axis=1, keepdims=True)
    Y = labels[:, None] == process.classes_
    np.testing.assert_allclose(process.a_, Y - P, atol=1e-6)
