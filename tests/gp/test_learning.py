"""Learning a Gaussian process: optima, starts, bounds, and what the report says."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor as Peer
from sklearn.gaussian_process import kernels as peers

from kernellab import kernels as kl
from kernellab.errors import ConvergenceWarning, NotPositiveDefinite
from kernellab.estimator import Inputs
from kernellab.gp import GaussianProcess
from kernellab.gp.learning import low_discrepancy, maximise
from kernellab.gp.likelihood import Likelihood
from kernellab.gp.model import Model
from kernellab.gp.report import SAME
from tests.sampling import always_if


def close(actual, expected, tol=1e-8):
    np.testing.assert_allclose(actual, expected, rtol=tol, atol=tol)


def data(m=40, noise=0.2, seed=3):
    r = np.random.default_rng(seed)
    P = r.uniform(-4, 4, size=(m, 1))
    return P, np.sin(P[:, 0]) + noise * r.normal(size=m)


def test_learning_finds_the_optimum_of_scikit_learn():
    P, u = data()
    kernel = peers.ConstantKernel(1.0) * peers.RBF(1.0) + peers.WhiteKernel(0.1)
    peer = Peer(kernel, alpha=0.0).fit(P, u)
    gp = GaussianProcess(1.0 * kl.Gaussian(), noise=0.1).fit(P, u, restarts=0)
    close(gp.log_marginal_likelihood(), peer.log_marginal_likelihood_value_, 1e-6)
    close(gp.theta, peer.kernel_.theta, 1e-3)
    report = gp.report_
    assert report.converged
    assert report.at_bound == {}
    assert report.gradient_norm < 1e-3
    close(report.theta, gp.theta)
    close(report.value, gp.log_marginal_likelihood())
    close(report.parameters["noise"], gp.noise_)
    close(report.best.start, np.log([1.0, 1.0, 0.1]))
    close(report.best.path[0], report.best.start)
    close(report.best.path[-1], gp.theta)
    _, gradient = gp.log_marginal_likelihood(gradient=True)
    close(gradient, report.best.gradient, 1e-6)
    assert 0.1 < np.sqrt(gp.noise_) < 0.3
    assert gp.kernel == 1.0 * kl.Gaussian()  # what was given stays


def test_the_report_reads_well():
    P, u = data()
    gp = GaussianProcess(kl.Gaussian(), noise=0.1)
    gp.fit(P, u, restarts=3, bounds={"noise": (0.5, 2.0)})
    text = repr(gp.report_)
    assert "log marginal likelihood" in text
    assert "noise" in text
    assert "at its lower bound: widen it, or drop it" in text
    assert "of 4 starts" in text
    assert "largest entry of the gradient" in text
    assert gp.report_.at_bound == {"noise": "lower"}
    assert gp.report_.gradient_norm < 1e-2  # that of the noise is blocked
    assert len(gp.report_.runs) == 4
    values = np.array([run.value for run in gp.report_.runs])
    assert (np.diff(values) < SAME).all()  # the best first, up to a tie
    assert 1 <= gp.report_.agreement <= 4


def test_equal_bounds_fix_a_parameter():
    P, u = data()
    gp = GaussianProcess(1.0 * kl.Gaussian(sigma=2.0), noise=0.1)
    gp.fit(P, u, bounds={"gaussian.sigma": (2.0, 2.0)})
    close(gp.kernel_.kernel.sigma, 2.0)
    assert gp.report_.at_bound == {}
    assert "(fixed)" in repr(gp.report_)
    assert gp.noise_ != 0.1


def test_several_starts_leave_a_poor_optimum():
    """Started where all is noise, one ascent stays there."""
    P, u = data(30, 0.05)
    k = 1.0 * kl.Gaussian(sigma=1e-3)
    bounds = {"gaussian.sigma": (1e-8, 1e2)}
    one = GaussianProcess(k, noise=1e-6).fit(P, u, restarts=0, bounds=bounds)
    many = GaussianProcess(k, noise=1e-6).fit(P, u, restarts=12, bounds=bounds)
    default = GaussianProcess(k, noise=1e-6).fit(P, u, bounds=bounds)
    assert many.report_.value > one.report_.value + 10
    assert many.report_.agreement < 13
    close(default.report_.value, many.report_.value, 1e-4)
    assert "the best of 33 starts, 4 of which ascended" in repr(default.report_)


def trend_and_season(m):
    """A trend with a season and noise: its likelihood has many local optima."""
    r = np.random.default_rng(8)
    x = np.sort(r.uniform(-25, 25, size=m))
    return x[:, None], 2 * x + x**2 / 50 + 3 * np.sin(2 * np.pi * x) + r.normal(size=m)


CURVES = [
    always_if(True, 80, 0.01),
    always_if(False, 80, 4.0),
    always_if(False, 240, 4.0),
]


@pytest.mark.parametrize(("m", "noise"), CURVES)
def test_learning_does_not_depend_on_the_last_digits(m, noise):
    """They differ between processors; 80 points are all used for the search."""
    P, u = trend_and_season(m)
    season = 10.0 * kl.Periodic(sigma=1.0, period=1.0) * kl.Gaussian(sigma=30.0)
    gp = GaussianProcess(2000.0 * kl.Gaussian(sigma=30.0) + season, noise)
    value = gp.fit(P, u).report_.value
    z = np.random.default_rng(0).normal(size=m)
    moved = gp.fit(P, u * (1 + 1e-12 * z)).report_.value
    assert abs(moved - value) < 1e-4


def test_a_small_noise_does_not_lead_to_a_bound():
    """A first step that is too long would end where everything is noise."""
    P, u = trend_and_season(60)
    kernel = 2000.0 * kl.Gaussian(sigma=30.0)
    reports = [GaussianProcess(kernel, v).fit(P, u).report_ for v in (0.1, 4.0)]
    assert all(report.converged and not report.at_bound for report in reports)
    assert abs(reports[0].value - reports[1].value) < 1e-4


def test_the_given_parameters_are_a_start():
    """Learning again from an optimum stays there, however many are compared."""
    P, u = data(300)
    best = GaussianProcess(1.0 * kl.Gaussian(), noise=0.1).fit(P, u)
    again = GaussianProcess(best.kernel_, best.noise_).fit(P, u)
    assert again.report_.value > best.report_.value - 1e-6
    close(again.theta, best.theta, 1e-3)


def test_units_are_standard_errors():
    """For a scale and noise alone, F = ½ tr(C⁻¹ ∂C C⁻¹ ∂C) by the formula."""
    P, u = data(150)
    model = Model(2.0 * kl.Exponential(sigma=0.5), 0.3)
    likelihood = Likelihood(model, Inputs.read(model.kernel, P), u)
    C = model.kernel(P) + 0.3 * np.eye(150)
    inverse = np.linalg.inv(C)
    for i, dC in ((0, model.kernel(P)), (2, 0.3 * np.eye(150))):
        exact = 0.5 * np.trace(inverse @ dC @ inverse @ dC)
        estimate = likelihood.information(model.theta)[i]
        assert 0.3 < estimate / exact < 3.0  # a mean of few squares


def test_a_sample_of_the_points_is_that_of_every_array():
    P, u = data(30)
    noises = np.arange(1.0, 31.0)
    model = Model(kl.Gaussian(), noises)
    part = Likelihood(model, Inputs.read(model.kernel, P), u).sample(7)
    rows = [list(u).index(v) for v in part.r]
    assert len(part) == part.inputs.n == len(set(rows)) == 7
    close(part.inputs.X.items, P[rows])
    close(part.model.noise, noises[rows])


def test_low_discrepancy_fills_the_cube():
    for p in (1, 2, 5):
        points = low_discrepancy(64, p)
        assert points.shape == (64, p)
        assert np.abs(points).max() <= 1
        halves = (points > 0).sum(axis=0)
        assert (np.abs(halves - 32) <= 4).all()


def test_a_default_bound_warns_and_a_given_one_does_not():
    """Targets that are all 0 are explained best by no noise at all."""
    P = data(20)[0]
    gp = GaussianProcess(kl.Gaussian(sigma=1.0), noise=0.1)
    with pytest.warns(ConvergenceWarning, match=r"default bound: .*noise = 1e-06"):
        gp.fit(P, np.zeros(20))
    given = {"noise": (1e-6, 1.0), "gaussian.sigma": (1e-3, 1e3)}
    assert gp.fit(P, np.zeros(20), bounds=given).report_.at_bound["noise"] == "lower"


def test_nothing_to_learn():
    gp = GaussianProcess(kl.Linear(), noise=0.0).fit([[1.0]], [2.0])
    assert gp.report_.names == ()
    assert gp.report_.converged
    close(gp.predict([[2.0]]), [4.0])


class Surface:
    """A function of θ where learning expects a likelihood."""

    what = "log likelihood"

    def __init__(self, model, function):
        self.model, self.function = model, function

    def __len__(self):
        return 1

    def __call__(self, theta):
        return self.function(theta)

    def value(self, theta):
        return self.function(theta)[0]

    def information(self, theta):
        return np.ones_like(theta)

    def sample(self, size):
        return self

    def fresh_start(self, theta):
        return theta


@pytest.mark.parametrize("start", np.linspace(-3.0, 2.0, 7))
def test_an_end_at_a_bound_is_the_bound_itself(start):
    """start + u·((bound − start)/u) may differ from the bound by a last digit."""
    model = Model(kl.Gaussian(sigma=np.exp(start)), 0.0)
    surface = Surface(model, lambda theta: (float(theta[0]), np.ones(1)))
    surface.information = lambda theta: np.array([7.0])
    report = maximise(surface, {"gaussian.sigma": (1e-3, 11.0)}, restarts=3)
    assert report.at_bound == {"gaussian.sigma": "upper"}
    assert report.converged


class Many(Surface):
    """The same for as many points that some of them are tried first."""

    def __len__(self):
        return 300

    def sample(self, size):
        return Surface(self.model, self.function)


@pytest.mark.parametrize(("slope", "held"), [(5e-4, False), (0.1, True)])
def test_a_flat_bound_is_no_reason_to_search_anew(slope, held):
    def objective(theta):
        return slope * theta[1] - theta[0] ** 2, np.array([-2 * theta[0], slope])

    model = Model(kl.Gaussian(sigma=(3.0, 1.0)), 0.0)
    report = maximise(Many(model, objective))
    assert report.stuck == {"gaussian.sigma[1]": "upper"}
    assert report.held_back == held
    assert (report.starts > 33) == held


@pytest.mark.parametrize("restarts", [None, 0, 2])
def test_failures_are_counted_and_survived(restarts):
    def objective(theta):
        if theta[0] > 0.6:
            raise NotPositiveDefinite("no")
        return -((theta[0] - 0.5) ** 2), np.array([-2 * (theta[0] - 0.5)])

    model = Model(kl.Gaussian(sigma=np.exp(-3.0)), 0.0)
    report = maximise(Surface(model, objective), restarts=restarts)
    close(report.theta, [0.5], 1e-4)
    failures = sum(run.failures for run in report.runs)
    assert ("failed" in repr(report)) == (failures > 0)


@pytest.mark.parametrize("restarts", [None, 1])
def test_if_every_start_fails_the_error_says_why(restarts):
    def never(theta):
        raise NotPositiveDefinite("never positive definite")

    with pytest.raises(NotPositiveDefinite, match="never"):
        maximise(Surface(Model(kl.Gaussian(), 0.0), never), restarts=restarts)


def test_a_run_that_stops_early_warns():
    def crooked(theta):  # the gradient is wrong, so no step succeeds
        return -float(theta[0] ** 2), np.array([2 * theta[0]])

    model = Model(kl.Gaussian(sigma=3.0), 0.0)
    report = maximise(Surface(model, crooked), restarts=0)
    assert not report.converged
    with pytest.warns(ConvergenceWarning, match="before an optimum"):
        report.warn()
    assert "not an optimum" in repr(report)
