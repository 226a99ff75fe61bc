"""What every estimator promises: scikit-learn's protocol. They are in estimators.py."""

import inspect
import pickle
import subprocess
import sys
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks as checks

import kernellab as lab
from kernellab import kernels as kl
from kernellab.errors import InputError, NotFitted, NotPositiveDefinite
from kernellab.kernels.expression import Justification
from kernellab.kernels.printing import ATOM
from kernellab.protocol import SklearnProtocol, TransformerProtocol
from kernellab.validity.theorems import BOCHNER
from tests.contract.estimators import (
    CLASSIFIERS,
    ESTIMATORS,
    EXPECTED,
    REGRESSORS,
    TRANSFORMERS,
)
from tests.sampling import always_if

GAUSSIAN = kl.Gaussian()
rng = np.random.default_rng(0)
X = rng.normal(size=(30, 3))
t = X[:, 0] + 0.1 * rng.normal(size=30)
y = np.where(t > 0, "spam", "ham")
FRAME = pd.DataFrame(X, columns=["a", "b", "c"], index=range(100, 130))


def name(estimator) -> str:
    return type(estimator).__name__


def each(estimators):
    return pytest.mark.parametrize("estimator", estimators, ids=name)


def targets(estimator):
    return y if is_classifier(estimator) else t


def fitted(estimator, points=X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a perceptron may not converge
        return clone(estimator).fit(points, targets(estimator))


def answer(model, points):
    return (model.transform if hasattr(model, "transform") else model.predict)(points)


def assert_same(found, expected):
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    else:
        assert found.tolist() == expected.tolist()


# --- who is here --------------------------------------------------------------------


def exported() -> list[type]:
    found = (getattr(lab, word) for word in lab.__all__)
    return [c for c in found if inspect.isclass(c) and issubclass(c, SklearnProtocol)]


@pytest.mark.parametrize("kind", exported(), ids=lambda kind: kind.__name__)
def test_has_an_example(kind):
    assert any(type(estimator) is kind for estimator in ESTIMATORS), (
        f"kernellab exports {kind.__name__}, but the contract has no example of it: "
        "add one to tests/contract/estimators.py, and nowhere else"
    )


# --- scikit-learn's own checks ------------------------------------------------------


# It takes as long as all others together, and shares their protocol.
SLOWEST = "GaussianProcessClassifier"


@pytest.mark.parametrize(
    "estimator", [always_if(name(e) != SLOWEST, e, id=name(e)) for e in ESTIMATORS]
)
@pytest.mark.filterwarnings("ignore")
def test_passes_the_checks_of_scikit_learn(estimator):
    expected = EXPECTED.get(name(estimator), {})
    assert len(expected) <= 3
    found = checks.check_estimator(
        estimator, on_fail=None, on_skip=None, expected_failed_checks=expected
    )
    failed = {
        check["check_name"]: str(check["exception"])
        for check in found
        if check["status"] == "failed"
    }
    assert failed == {}
    assert sum(check["status"] == "passed" for check in found) > 40


@each(ESTIMATORS)
@pytest.mark.filterwarnings("ignore")
def test_checks_the_columns_of_a_data_frame(estimator):
    checks.check_dataframe_column_names_consistency(name(estimator), estimator)


@each(TRANSFORMERS)
@pytest.mark.parametrize(
    "check",
    [
        checks.check_transformer_get_feature_names_out,
        checks.check_transformer_get_feature_names_out_pandas,
        checks.check_set_output_transform,
        checks.check_set_output_transform_pandas,
        checks.check_global_output_transform_pandas,
    ],
    ids=lambda check: check.__name__,
)
def test_names_its_columns(estimator, check):
    check(name(estimator), clone(estimator))


# --- pandas -------------------------------------------------------------------------


@each(ESTIMATORS)
def test_a_data_frame_is_its_values(estimator):
    model, same = fitted(estimator), fitted(estimator, FRAME)
    assert same.feature_names_in_.tolist() == ["a", "b", "c"]
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == same.n_features_in_ == 3
    assert_same(answer(same, FRAME), answer(model, X))
    assert_same(answer(same, X), answer(model, X))
    with pytest.raises(InputError, match="must be in the same order"):
        answer(same, FRAME[["b", "a", "c"]])
    with pytest.raises(InputError, match="unseen at fit time:\n- d"):
        answer(same, FRAME.rename(columns={"c": "d"}))


@each(TRANSFORMERS)
def test_a_data_frame_comes_out(estimator):
    frame = fitted(estimator, FRAME).set_output(transform="pandas").transform(FRAME)
    assert isinstance(frame, pd.DataFrame)
    assert frame.columns[0] == f"{name(estimator).lower()}0"
    assert frame.index.equals(FRAME.index)
    assert (
        clone(clone(estimator).set_output(transform="pandas"))
        .fit_transform(FRAME)
        .index.equals(FRAME.index)
    )
    with pytest.raises(InputError, match='must be "pandas", "polars" or "default"'):
        clone(estimator).set_output(transform="excel")


# --- meta-estimators ----------------------------------------------------------------


@each([e for e in ESTIMATORS if not isinstance(e, TransformerProtocol)])
@pytest.mark.filterwarnings("ignore:the perceptron")
def test_in_a_pipeline(estimator):
    assert is_classifier(estimator) == (estimator in CLASSIFIERS)
    assert is_regressor(estimator) == (estimator in REGRESSORS)
    if is_classifier(estimator) or is_regressor(estimator):
        pipeline = make_pipeline(StandardScaler(), clone(estimator))
        scores = cross_val_score(pipeline, X, targets(estimator), cv=3)
        assert np.isfinite(scores).all()


@each(TRANSFORMERS)
def test_a_transformer_in_a_pipeline(estimator):
    model = make_pipeline(StandardScaler(), clone(estimator), lab.SVC(kl.Linear()))
    assert model.fit(X, y).score(X, y) > 0.6


def test_search_over_kernels_and_widths():
    grid = [
        {"svc__kernel": [kl.Linear(), kl.Polynomial(degree=2)]},
        {"svc__kernel": [2 * kl.Gaussian()], "svc__kernel__sigma": [0.1, 1.0]},
    ]
    pipeline = make_pipeline(StandardScaler(), lab.SVC(kl.Gaussian()))
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    kernels = [params["svc__kernel"] for params in search.cv_results_["params"]]
    assert len(kernels) == 4
    assert search.best_score_ > 0.8
    assert search.best_estimator_[-1].kernel in (*kernels, 2 * kl.Gaussian(sigma=0.1))


def test_search_over_the_rank_of_a_map():
    model = lab.LowRankRidge(lab.Nystroem(GAUSSIAN))
    grid = {"features__rank": [2, 8], "features__kernel__sigma": [1.0, 3.0]}
    search = GridSearchCV(model, grid, cv=3).fit(X, t)
    assert search.best_params_ == {"features__rank": 8, "features__kernel__sigma": 3.0}
    assert model.get_params()["features__rank"] == 100
    assert search.best_estimator_.features.rank == 8


def test_probabilities_by_calibration():
    model = CalibratedClassifierCV(lab.SVC(GAUSSIAN), cv=3).fit(X, y)
    P = model.predict_proba(X)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert (model.classes_[P.argmax(axis=1)] == y).mean() > 0.7


@pytest.mark.parametrize("model", [lab.KernelRidge, lab.SVR, lab.SVC], ids=str)
def test_a_precomputed_kernel_is_cut_in_rows_and_columns(model):
    target = y if model is lab.SVC else t
    given = cross_val_score(model("precomputed"), GAUSSIAN(X), target, cv=3)
    np.testing.assert_allclose(given, cross_val_score(model(GAUSSIAN), X, target, cv=3))


# --- parameters ---------------------------------------------------------------------


@each(ESTIMATORS)
def test_a_clone_has_equal_parameters(estimator):
    again, params = clone(estimator), estimator.get_params(deep=False)
    assert repr(again) == repr(estimator)
    assert again.get_params(deep=False).keys() == params.keys()
    with pytest.raises(InputError, match="has no parameter width"):
        again.set_params(width=3)


def test_parameters_of_a_kernel_by_name():
    model = lab.KernelRidge(2 * kl.Gaussian() + kl.Gaussian(sigma=3.0))
    assert model.get_params()["kernel__gaussian2__sigma"] == 3.0
    model.set_params(kernel__gaussian__sigma=0.5, kernel__c=4.0, lam=0.1)
    assert model.kernel == 4 * kl.Gaussian(sigma=0.5) + kl.Gaussian(sigma=3.0)
    assert model.set_params(kernel__sigma=2.0, kernel=GAUSSIAN).kernel.sigma == 2.0
    message = "sigma of .* is one of gaussian__sigma, gaussian2__sigma"
    with pytest.raises(InputError, match=message):
        lab.SVC(kl.Gaussian() + kl.Gaussian()).set_params(kernel__sigma=1.0)
    with pytest.raises(InputError, match=r"there is no parameter nu: Linear\(\) has"):
        lab.SVC(kl.Linear()).set_params(kernel__nu=1.0)
    with pytest.raises(InputError, match=r"C has no parameter x; it is 1\.0"):
        lab.SVC(kl.Linear()).set_params(C__x=1.0)


@pytest.mark.parametrize(
    "seed", [3, np.int64(3), np.random.default_rng(3), np.random.RandomState(3), None]
)
def test_a_random_state_of_any_kind(seed):
    assert lab.Nystroem(GAUSSIAN, 5, random_state=seed).fit(X).rank_ == 5


# --- inputs -------------------------------------------------------------------------


@each(CLASSIFIERS)
@pytest.mark.parametrize(
    "labels", [("ham", "spam"), (0, 1), (False, True), (2.0, 7.0)], ids=str
)
def test_labels_of_any_kind(estimator, labels):
    given = np.where(t > 0, labels[1], labels[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = clone(estimator).fit(X, given)
    assert model.classes_.tolist() == list(labels)
    assert set(model.predict(X).tolist()) == set(labels)
    assert model.predict(X).dtype == given.dtype
    assert model.score(X, given) > 0.8


@each(ESTIMATORS)
def test_masked_entries_are_refused(estimator):
    masked = np.ma.array(X, mask=np.abs(X) > 2)
    with pytest.raises(InputError, match=r"\d entries are masked: fill them"):
        answer(fitted(estimator, masked), masked)


@each([e for e in ESTIMATORS if not e.takes_sparse])
def test_sparse_points_are_refused_in_one_sentence(estimator):
    with pytest.raises(InputError, match=r"sparse.*write X?\.toarray\(\)"):
        fitted(estimator, sparse.csr_array(X))


@each(ESTIMATORS)
def test_single_precision_is_read_as_double(estimator):
    single = X.astype(np.float32)
    model, same = fitted(estimator, single), fitted(estimator, single.astype(float))
    assert_same(answer(model, single), answer(same, single.astype(float)))


def test_a_row_is_named_by_its_number_in_all_of_the_data():
    many = np.zeros((5000, 2))
    many[4567, 1] = np.nan
    with pytest.raises(InputError, match=r"X\[4567, 1\] is NaN"):
        lab.LowRankRidge(lab.Nystroem(kl.Linear(), rank=2, landmarks="uniform")).fit(
            many, np.zeros(5000)
        )


@pytest.mark.parametrize(
    ("fit", "message"),
    [
        (
            lambda: fitted(lab.BayesianLinearRegression()).predict(X[:, :2]),
            "X has 2 features, but BayesianLinearRegression is expecting 3 features",
        ),
        (
            lambda: lab.GaussianProcess(GAUSSIAN).fit(X, 1e300 * t),
            r"y is too large: \|y\| is up to .*e\+300.* Rescale y",
        ),
        (
            lambda: lab.BayesianLinearRegression().fit(np.empty((0, 2)), []),
            "X must have one point or more, got none",
        ),
        (lambda: lab.KernelRidge(GAUSSIAN).fit(X, None), "requires y to be passed"),
        (
            lambda: lab.KernelRidge(GAUSSIAN).fit(X, t, np.zeros(30)),
            "sample_weight is zero for every point",
        ),
    ],
)
def test_messages(fit, message):
    with pytest.raises(ValueError, match=message):
        fit()


# --- certificates -------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Triangle(kl.Kernel):
    """max(0, 1 − ‖x − x'‖): a kernel on the line, and not on the plane."""

    def evaluate(self, pair):
        return np.maximum(1 - pair.distance(), 0.0)

    def format_latex(self, x, z):
        return "k", ATOM

    def natural_domain(self):
        return kl.Reals(1)

    def justify(self, domain):
        return Justification(BOCHNER)


TRIANGLE = Triangle()
GRID = np.stack(np.meshgrid(*[0.7 * np.arange(5)] * 2), axis=-1).reshape(-1, 2)
DIFFERS = kl.FromFunction(lambda x, z: 0.5 * float((x != z).any()), "differs")

WITH_KERNEL = [
    e for e in ESTIMATORS if hasattr(e, "certificate_") or "kernel" in e.get_params()
]
CERTIFIED = [e for e in WITH_KERNEL if not isinstance(e, TransformerProtocol)]


def test_a_proof_is_one_where_the_points_are():
    assert TRIANGLE.verdict() == "PROVEN"
    assert TRIANGLE.verdict(kl.Reals(2)) == "REFUTED"
    assert TRIANGLE.verdict(kl.Reals()) == "REFUTED"
    assert (2 * TRIANGLE + GAUSSIAN).verdict(kl.Reals(2)) != "PROVEN"
    assert TRIANGLE.on(0).verdict(kl.Reals(2)) == "PROVEN"


@each(CERTIFIED)
@pytest.mark.parametrize("kernel", [TRIANGLE, DIFFERS], ids=["triangle", "differs"])
def test_no_certificate_where_the_gram_matrix_is_indefinite(estimator, kernel):
    """Also when K + λI happens to be positive definite."""
    target = np.arange(len(GRID)) % 2
    strong = {"lam": 10.0, "noise": 10.0}
    params = {k: v for k, v in strong.items() if k in estimator.get_params()}
    model = clone(estimator).set_params(kernel=kernel, **params)
    with pytest.raises(NotPositiveDefinite, match="is not proven to be a kernel"):
        model.fit(GRID, target)


def test_the_path_is_not_drawn_where_the_gram_matrix_is_indefinite():
    with pytest.raises(NotPositiveDefinite):
        lab.KernelRidge(DIFFERS).path(GRID, GRID[:, 0], [10.0])


@each([e for e in CERTIFIED if not name(e).endswith("GaussianProcess")])
def test_a_kernel_without_a_proof_is_tested_at_the_points(estimator):
    kernel = kl.FromFunction(lambda x, z: float(np.exp(-np.sum((x - z) ** 2) / 2)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        plain = clone(estimator).set_params(kernel=GAUSSIAN)
        plain.fit(X[:12], targets(estimator)[:12])
        tested = clone(estimator).set_params(kernel=kernel)
        tested.fit(X[:12], targets(estimator)[:12])
    assert_same(answer(tested, X), answer(plain, X))


def test_a_certificate_says_what_could_not_be_tested(monkeypatch):
    monkeypatch.setattr("kernellab.estimator.TESTED_POINTS", 10)
    kernel = kl.FromFunction(lambda x, z: float(x @ z))
    for model in (
        lab.SVC(kernel),
        lab.SVR(kernel),
        lab.KernelRidgeCG(kernel),
        lab.KernelPerceptron(kernel),
    ):
        proof = model.fit(X, np.sign(t)).certificate_
        assert str(proof).endswith("if K ⪰ 0, which 10 of 30 points were tested for")
    assert lab.SVC(kl.Linear()).fit(X, y).certificate_.assumes == ""


def test_an_error_is_a_bound_for_proven_kernels_only():
    """Of other kernels it is estimated, like that of random features."""
    kernel = kl.FromFunction(lambda x, z: float(x @ z))
    assert lab.Nystroem(kl.Linear(), 2).fit(X).error(X).bound
    error = lab.Nystroem(kernel, 2).fit(X).error(X)
    assert not error.bound
    assert 0 < error.rms <= error.entry


def test_the_exact_problem_is_certified_for_proven_kernels_only():
    kernel = kl.FromFunction(lambda x, z: float(x @ z))
    assert lab.LowRankRidge(lab.Nystroem(kernel, 3)).fit(X, t).full_problem_ is None
    assert lab.LowRankRidge(lab.Nystroem(kl.Linear(), 3)).fit(X, t).full_problem_


# --- without scikit-learn -----------------------------------------------------------


def test_not_fitted_is_the_error_of_both():
    with pytest.raises(NotFittedError, match="not fitted yet") as caught:
        lab.KernelRidge(GAUSSIAN).predict(X)
    assert isinstance(caught.value, NotFitted)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is NotFitted
    assert again.args == caught.value.args


def test_what_takes_long_to_import_waits_until_it_is_needed():
    heavy = [f"scipy.{part}" for part in ("optimize", "spatial", "special", "stats")]
    program = f"import sys, kernellab; assert not {{*{heavy}}} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_neither_scikit_learn_nor_pandas_is_imported():
    program = (
        "import sys, kernellab as lab; m = lab.KernelRidge(lab.kernels.Linear())\n"
        "try: m.predict([[1.0]])\n"
        "except lab.errors.NotFitted as e: assert type(e) is lab.errors.NotFitted\n"
        "m.fit([[1.0], [2.0]], [1.0, 2.0]).predict([[1.0]])\n"
        "lab.KernelPCA(lab.kernels.Linear()).fit_transform([[1.0], [2.0]])\n"
        "assert not {'sklearn', 'pandas', 'polars'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
