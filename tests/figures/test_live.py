"""The live figures: every scene of every grid, against direct calls of the library."""

import json
import subprocess
import sys

import matplotlib
import numpy as np
import pytest

from kernellab import GaussianProcess, KernelRidge
from kernellab import kernels as kl
from kernellab.errors import InputError
from kernellab.figures import (
    live_builder,
    live_gp,
    live_gram,
    live_nystroem,
    live_perceptron,
    live_ridge,
    live_svm,
)
from kernellab.figures.bundle import bundle, expand, script
from kernellab.figures.controls import Choice, Clicks, Expression, Slider, steps
from kernellab.figures.gp import likelihood_surface
from kernellab.figures.live import FIGURES, LiveFigure, compute
from kernellab.figures.scene import Panel, Scene
from kernellab.figures.svm import FAMILIES
from kernellab.lowrank.nystroem import Nystroem
from kernellab.pca import KernelPCA
from kernellab.perceptron import KernelPerceptron
from kernellab.svm import SVC

matplotlib.use("Agg")

READY = tuple(FIGURES)


@pytest.fixture(scope="module")
def bundles():
    """Computed when first asked for: the files of the pages."""
    known = {}

    def of(name):
        if name not in known:
            known[name] = bundle(FIGURES[name])
        return known[name]

    return of


def marks(scene, label, panel=0):
    """The mark with this label."""
    (found,) = [m for m in scene.panels[panel].marks if m.label == label]
    return found


# --- all figures ----------------------------------------------------------------------


@pytest.mark.parametrize("name", READY)
def test_every_scene_of_the_grid_is_well_formed(name, bundles):
    figure, data = FIGURES[name], bundles(name)
    counts = [len(c.values) for c in figure.controls]
    assert len(data["scenes"]) == np.prod(counts) == len(figure.grid())
    labels = {len(expand(s, data["shared"])["panels"]) for s in data["scenes"]}
    assert labels == {len(figure.scene().panels)}
    for packed in data["scenes"]:
        check(expand(packed, data["shared"]), data)


def check(scene, data):
    json.dumps(scene, allow_nan=False)  # no NaN, no infinity
    assert scene["notes"]
    assert all(name and text for name, text in scene["notes"])
    assert len({len(column["cells"]) for column in scene["table"]}) == 1
    for panel in scene["panels"]:
        for mark in panel["marks"]:
            assert mark.get("colour", "ink") in data["palette"]
            for key in ("x", "y", "low", "high", "height"):
                if key in mark and mark["kind"] not in ("line", "area"):
                    assert None not in mark[key]


@pytest.mark.parametrize("name", READY)
def test_the_file_is_small_and_holds_what_compute_says(name, bundles):
    figure, data = FIGURES[name], bundles(name)
    assert len(json.dumps(data, ensure_ascii=False).encode()) < 340_000
    default = figure.grid().index(figure.default)
    stored = expand(data["scenes"][default], data["shared"])
    computed = compute(name, figure.default)
    assert stored["notes"] == computed["notes"]
    assert stored["table"] == computed["table"]
    assert stored["idle"] == computed["idle"]
    for one, two in zip(stored["panels"], computed["panels"], strict=True):
        assert one["axes"] == two["axes"]
        for a, b in zip(one["marks"], two["marks"], strict=True):
            assert close(a, b)


def close(a, b):
    """The same mark, up to what packing may change."""
    numbers = ("x", "y", "low", "high", "height")
    same = {k: v for k, v in a.items() if k not in numbers}
    assert same == {k: v for k, v in b.items() if k not in numbers}
    for key in numbers:
        u, v = (np.array(m.get(key, []), dtype=float) for m in (a, b))
        np.testing.assert_array_equal(np.isnan(u), np.isnan(v))
        width = np.nanmax(np.abs(v), initial=1.0)
        np.testing.assert_allclose(u, v, atol=3e-4 * width)
    return True


@pytest.mark.parametrize("name", READY)
def test_a_figure_says_what_it_is(name):
    figure = FIGURES[name]
    assert figure.name == name
    assert figure.title
    assert 80 < len(figure.alt) < 400
    assert set(figure.default) == {c.name for c in figure.controls}
    height = figure.scene().height
    assert 3 <= height <= 4.5


def test_the_script_loads_from_a_folder():
    text = script(small())
    assert text.startswith('(window.kernellabScenes ??= {})["small"] = {')
    assert text.endswith("};\n")
    assert "</" not in text


def small():
    """A figure whose scenes are quick."""

    def function(a, b, points=(), own=""):
        if own == "bad":
            raise InputError("this is bad </script>")
        note = [("sum", f"{a}{b}{len(points)}</b>")]
        return Scene([Panel([])], note)

    controls = (
        Slider("a", "a", (1, 2, 3), 2),
        Choice("b", "b", ("x", "y"), "x"),
        Clicks("points", "points", ("p", "q")),
        Expression("own", "own"),
    )
    idle = lambda values: ["a"] if values["b"] == "y" else []  # noqa: E731
    return LiveFigure("small", "Small", controls, function, "alt", idle)


def test_idle_controls_stay_where_they_begin():
    figure = small()
    assert figure.scene(a=3, b="y").notes == figure.scene(a=1, b="y").notes
    assert figure.scene(a=3, b="x").notes != figure.scene(a=1, b="x").notes
    every = list(figure.scenes())
    assert len(every) == len(figure.grid()) == 6
    assert len({id(scene) for scene in every}) == 4


def test_compute_turns_errors_into_messages():
    found = compute("ridge", {"lam": "a lot"})
    assert found["panels"] == []
    assert "λ must be a number from 0.0001 to 100.0, got 'a lot'" in found["message"]
    assert "no control mu" in compute("ridge", {"mu": 1})["message"]
    assert "no live figure" in compute("pie", {})["message"]
    found = compute("builder", {"own": "__import__('os').system('ls')"})
    assert found["panels"] == []
    assert "line 1" in found["message"]


def test_the_registry():
    assert set(FIGURES) == set(READY)
    assert len(FIGURES) == len(READY)
    with pytest.raises(KeyError, match="no live figure 'pie'"):
        FIGURES["pie"]


def test_neither_matplotlib_nor_widgets_nor_the_grader_are_imported():
    code = (
        "import sys; from kernellab.figures.live import compute; "
        "assert compute('ridge', {})['panels'] and compute('svm', {})['panels']; "
        "bad = {'matplotlib', 'ipywidgets', 'IPython', 'kernellab.grading'}; "
        "sys.exit(len(bad & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- controls -------------------------------------------------------------------------


def test_sliders_read_numbers_between_their_ends():
    slider = Slider("s", "width σ", (0.1, 1.0, 10.0), 1.0, log=True)
    assert slider.read("0.5") == 0.5
    assert slider.read(10.0 + 1e-9) == 10.0
    for wrong in (11, np.nan, "much", None):
        with pytest.raises(InputError, match="width σ must be a number from"):
            slider.read(wrong)
    whole = Slider("m", "mistakes", (0, 1, 2), 0)
    assert whole.whole
    assert whole.read(1.2) == 1
    with pytest.raises(InputError, match="must be an integer"):
        whole.read(3.5)
    with pytest.raises(InputError, match="must increase"):
        Slider("s", "s", (1.0, 0.5), 1.0)
    with pytest.raises(InputError, match="default"):
        Slider("s", "s", (1.0, 2.0), 3.0)
    assert steps(-1, 1) == (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def test_choices_points_and_expressions():
    with pytest.raises(InputError, match="kernel must be one of a, b; got 'c'"):
        Choice("k", "kernel", ("a", "b"), "a").read("c")
    with pytest.raises(InputError, match="default"):
        Choice("k", "kernel", ("a",), "c")
    clicks = Clicks("p", "points", ("+1", "−1"))
    assert clicks.read([[1, "2", "+1"]]) == ((1.0, 2.0, "+1"),)
    for wrong in ([[1, 2]], [[1, 2, "0"]], [[np.nan, 0, "+1"]], [["a", 0, "+1"]], [3]):
        with pytest.raises(InputError, match="a point is"):
            clicks.read(wrong)
    with pytest.raises(InputError, match="at most 200 points"):
        clicks.read([[0, 0, "+1"]] * 201)
    assert Expression("e", "k").read("  Linear() ") == "Linear()"
    with pytest.raises(InputError, match="must be a text"):
        Expression("e", "k").read(3)


# --- ridge ----------------------------------------------------------------------------


def test_ridge_agrees_with_the_library():
    x, t = live_ridge.data()
    for lam, sigma, added in ((0.1, 0.2, []), (3.7, 0.05, [(0.5, -1.0, "point")])):
        X = np.append(x, [p[0] for p in added])[:, None]
        T = np.append(t, [p[1] for p in added])
        model = KernelRidge(kl.Gaussian(sigma=sigma), lam=lam).fit(X, T)
        scene = FIGURES["ridge"].scene(lam=lam, sigma=sigma, points=added)
        fit = marks(scene, "fit f")
        np.testing.assert_allclose(fit.y, model.predict(np.asarray(fit.x)[:, None]))
        rows = np.array(scene.table.rows, dtype=float)
        np.testing.assert_allclose(rows[:, 3], model.a_)
        notes = dict(scene.notes)
        loo = np.sqrt(np.mean(model.loo_residuals_**2))
        assert float(notes["leave-one-out error"]) == pytest.approx(loo, rel=5e-3)
        norm = np.sqrt(model.a_ @ kl.Gaussian(sigma=sigma)(X) @ model.a_)
        assert float(notes["‖f‖"]) == pytest.approx(norm, rel=5e-3)
        (here,) = marks(scene, "this λ", 1).y
        assert here == pytest.approx(loo)
        assert ("added" in [m.label for m in scene.panels[0].marks]) == bool(added)


# --- Gaussian process -----------------------------------------------------------------


@pytest.mark.parametrize("kernel", live_gp.FAMILIES)
def test_gp_agrees_with_the_library(kernel):
    x, t = live_gp.data()
    k = live_gp.FAMILIES[kernel](0.3)
    gp = GaussianProcess(k, noise=0.05).fit(x[:, None], t, optimize=False)
    scene = FIGURES["gp"].scene(kernel=kernel, sigma=0.3, noise=0.05)
    mean, band = marks(scene, "mean"), marks(scene, "± 2 sd of f")
    m, v = gp.predict_f(np.asarray(mean.x)[:, None])
    np.testing.assert_allclose(mean.y, m, atol=1e-10)
    np.testing.assert_allclose(band.high - band.low, 4 * np.sqrt(v), atol=1e-8)
    shown = dict(scene.notes)["log likelihood L"].replace("−", "-")
    assert float(shown) == pytest.approx(gp.log_marginal_likelihood(), rel=5e-3)


@pytest.mark.parametrize("kernel", live_gp.FAMILIES)
def test_the_map_of_the_likelihood(kernel):
    x, t = live_gp.data()
    gp = GaussianProcess(live_gp.FAMILIES[kernel](0.3), noise=0.1)
    gp.fit(x[:, None], t, optimize=False)
    columns, rows = live_gp.SIGMAS[::6], live_gp.NOISES[::6]
    slow = likelihood_surface(gp, gp.theta_names, columns, rows)
    fast = live_gp.likelihoods(kernel, tuple(x), tuple(t))
    np.testing.assert_allclose(fast[::6, ::6], slow.values, rtol=1e-8)


def test_an_observation_pulls_the_process():
    scene = FIGURES["gp"].scene(points=[(0.9, 2.0, "observation")], noise=0.001)
    mean = marks(scene, "mean")
    assert np.interp(0.9, mean.x, mean.y) == pytest.approx(2.0, abs=0.05)
    assert dict(scene.notes)["observations"] == "8"


# --- support vector machine -----------------------------------------------------------


@pytest.mark.parametrize("kernel", FAMILIES)
def test_svm_agrees_with_the_library(kernel):
    X, y = live_svm.data()
    scene = FIGURES["svm"].scene(kernel=kernel, C=3.0, sigma=0.5)
    machine = SVC(FAMILIES[kernel](0.5), C=3.0, tol=1e-6).fit(X, y)
    notes = dict(scene.notes)
    assert notes["support vectors"] == f"{len(machine.support_)} of 60"
    assert float(notes["primal"]) == pytest.approx(
        machine.certificate_.primal, rel=1e-4
    )
    assert float(notes["margin 1/‖w‖"]) == pytest.approx(machine.margin_, rel=5e-3)
    alpha = np.array([row[3] for row in scene.table.rows], dtype=float)
    np.testing.assert_allclose(alpha, machine.alpha_, atol=1e-9)
    rings = marks(scene, "0 < α < C"), marks(scene, "α = C")
    assert sum(len(ring.x) for ring in rings) == len(machine.support_)
    boundary = marks(scene, "f = 0")
    known = ~np.isnan(boundary.x)
    f = machine.decision_function(np.column_stack([boundary.x, boundary.y])[known])
    assert np.abs(f).max() < 0.05 * max(1.0, np.abs(machine.decision_function(X)).max())


def test_svm_without_a_machine():
    scene = FIGURES["svm"].scene(kernel="linear", margin="hard")
    assert scene.message == "no hard margin: the classes overlap"
    assert len(marks(scene, "hulls meet").x) >= 3
    assert dict(scene.notes)["relative gap"] == "–"


def test_svm_with_points_of_the_reader():
    far = [(2.0, -1.9, "+1"), (-2.0, 1.9, "−1")]
    before, after = FIGURES["svm"].scene(), FIGURES["svm"].scene(points=far)
    assert len(after.table.rows) == len(before.table.rows) + 2
    assert [row[2] for row in after.table.rows[-2:]] == ["+1", "−1"]


# --- perceptron -----------------------------------------------------------------------


@pytest.mark.parametrize("kernel", live_perceptron.KERNELS)
def test_perceptron_agrees_with_the_library(kernel):
    steps_, k = live_perceptron.run(kernel), live_perceptron.KERNELS[kernel]
    for mistakes in (0, 1, 7, 40):
        scene = FIGURES["perceptron"].scene(kernel=kernel, mistakes=mistakes)
        made = min(mistakes, len(steps_.mistakes))
        alpha = np.bincount(steps_.mistakes[:made], minlength=50)
        assert [row[3] for row in scene.table.rows] == alpha.tolist()
        g = k(steps_.X) @ (alpha * steps_.y)
        notes = dict(scene.notes)
        assert notes["points wrong now"] == f"{np.sum(steps_.y * g <= 0)} of 50"
        assert notes["mistakes so far"] == str(made)
    if steps_.converged:
        model = KernelPerceptron(k, live_perceptron.EPOCHS).fit(steps_.X, steps_.y)
        assert model.alpha_.sum() == len(steps_.mistakes)
        assert notes["points wrong now"] == "0 of 50"
        assert "nothing more happens" in scene.message


# --- Gram matrix ----------------------------------------------------------------------


@pytest.mark.parametrize("kernel", live_gram.FAMILIES)
def test_gram_agrees_with_the_library(kernel):
    X, _ = live_gram.data()
    k = live_gram.FAMILIES[kernel](0.7)
    scene = FIGURES["gram"].scene(kernel=kernel, sigma=0.7)
    np.testing.assert_allclose(marks(scene, "k(xᵢ, xⱼ)").values, k(X))
    scores = np.array([row[3:] for row in scene.table.rows], dtype=float)
    model = KernelPCA(k, 2).fit(X)
    np.testing.assert_allclose(np.abs(scores), np.abs(model.scores_), atol=1e-9)
    dots = scene.panels[1].marks[1]
    assert np.all(np.diff(dots.y) <= 1e-12)
    assert np.sum(dots.y) <= 1 + 1e-9


# --- builder --------------------------------------------------------------------------


@pytest.mark.parametrize("domain", live_builder.DOMAINS)
@pytest.mark.parametrize("expression", live_builder.EXPRESSIONS)
def test_builder_agrees_with_the_library(expression, domain):
    scene = FIGURES["builder"].scene(expression=expression, domain=domain)
    kernel = live_builder.read_kernel(expression)
    verdict = kernel.verdict(live_builder.DOMAINS[domain])
    assert dict(scene.notes)["verdict"] == f"{verdict} on {verdict.domain}"
    assert scene.panels[0].title.startswith(str(verdict))
    matrix = marks(scene, "k(x, x')").values
    if verdict == "REFUTED":
        w = verdict.witness
        np.testing.assert_allclose(matrix, w.K)
        assert w.c @ w.K @ w.c < 0
        assert len(marks(scene, "below zero", 1).x) >= 1
    elif verdict == "PROVEN":
        assert len(scene.lines) == len(verdict.proof.steps())
        assert min(scene.panels[1].marks[0].height) >= 0
        assert "below zero" not in [mark.label for mark in scene.panels[1].marks]


def test_builder_reads_expressions_of_the_reader():
    scene = FIGURES["builder"].scene(own="Linear() - 2*Linear()")
    assert dict(scene.notes)["verdict"].startswith("REFUTED")
    for wrong in ("Linear(", "open('x')", "1", "Linear().__class__", "x = "):
        found = compute("builder", {"own": wrong})
        assert found["message"]
        assert not found["panels"]
    with pytest.raises(InputError, match="write an expression"):
        live_builder.read_kernel("# nothing")


# --- Nyström --------------------------------------------------------------------------


@pytest.mark.parametrize("landmarks", live_nystroem.LANDMARKS)
def test_nystroem_agrees_with_the_library(landmarks):
    X, k = live_nystroem.data(), kl.Gaussian(sigma=0.5)
    scene = FIGURES["nystroem"].scene(rank=10, sigma=0.5, landmarks=landmarks)
    fitted = Nystroem(k, rank=10, landmarks=landmarks).fit(X)
    K, Z = k(X), np.asarray(fitted.landmarks_)
    shown = marks(scene, "landmarks")
    np.testing.assert_allclose(np.column_stack([shown.x, shown.y]), Z)
    projected = k(X, Z) @ np.linalg.solve(k(Z), k(Z, X))
    left_out = np.trace(K - projected) / np.trace(K)
    assert marks(scene, "this rank", 1).y[0] == pytest.approx(left_out, rel=1e-6)
    best = marks(scene, "eigenvectors leave out", 1).y
    mu = np.linalg.eigvalsh(K)[::-1] / np.trace(K)
    np.testing.assert_allclose(
        best[:9], [mu[r:].sum() for r in live_nystroem.RANKS[:9]]
    )
    assert np.all(best <= np.asarray(marks(scene, "landmarks leave out", 1).y) + 1e-12)


# --- widgets --------------------------------------------------------------------------


def widgets(box):
    """All widgets within, by their description."""
    found = {}
    for child in box.children:
        for one in getattr(child, "children", (child,)):
            found[getattr(one, "description", "")] = one
    return found


@pytest.mark.parametrize("name", READY)
def test_widgets_show_the_figure(name):
    box = FIGURES[name].widget()
    *_, picture, words = box.children
    assert bytes(picture.value).lstrip().startswith(b"<?xml")
    first = FIGURES[name].scene().notes[0]
    assert first[0] in words.value


def test_a_widget_moves():
    box = FIGURES["ridge"].widget()
    at, (*_, picture, words) = widgets(box), box.children
    before = picture.value, words.value
    at["λ"].value = 3.0
    assert words.value != before[1]
    assert picture.value != before[0]
    at["x"].value, at["t"].value = 0.5, -1.5
    at["add the point"].click()
    with_point = words.value
    at["undo"].click()
    assert words.value != with_point
    at["add the point"].click()
    at["reset"].click()
    assert words.value != with_point


def test_a_widget_shows_errors_in_place():
    box = FIGURES["builder"].widget()
    at, (*_, picture, words) = widgets(box), box.children
    before = picture.value
    at["or your own"].value = "open('<b>')"
    assert "is not a number" in words.value
    assert "<b>" not in words.value
    assert picture.value == before
    at["or your own"].value = "-Linear()"
    assert "REFUTED" in words.value
    assert picture.value != before


def test_whole_numbers_have_their_own_slider():
    at = widgets(FIGURES["perceptron"].widget())
    assert at["mistakes"].options[3] == ("3", 3)
