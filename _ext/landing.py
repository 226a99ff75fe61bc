"""The two directives of the landing page: something to touch, and the grader at work.

    :::{landing-figure}
    The caption.
    :::

draws a kernel ridge fit with its error band, computed by kernellab while the site is
built; `landing.js` moves it. And

    :::{landing-grader}
    :::

shows a derivation with one wrong line, what the grader says about it, and what it says
once the line is repaired. The reports are the grader's own, written at the build; three
radio buttons turn the pages, without a script.
"""

import json
import re
from functools import lru_cache
from html import escape
from typing import Any, ClassVar

import numpy as np
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from kernellab import GaussianProcess, KernelRidge
from kernellab import kernels as kl
from kernellab.arrays import Array
from kernellab.figures.numbers import nice
from kernellab.grading import check_derivation
from kernellab.grading.judging.document import Document
from kernellab.grading.judging.rendering import as_html
from kernellab.grading.judging.report import Report

SIZE, STRIP = (640, 330), (400, 70)
"""Of the picture and of the strip with the error along λ, in units of their own."""

XLIM, TLIM = (0.0, 10.0), (-2.4, 2.4)
PLACES = 161
SIGMA, LAM = 1.0, 0.002
"""With which the figure begins: too free, so that there is something to find."""

SIGMAS, LAMS = (0.2, 5.0), (1e-4, 10.0)
"""The ends of the sliders."""

STRIP_LAMS = np.geomspace(*LAMS, 41)

PROBLEM = "ridge-dual"
WRITTEN = """\
J = (t - K@a).T@(t - K@a) + lam*a.T@K@a
grad(J,a) = -2*K@(t - K@a) + lam*K@a
K@((K + lam*I)@a - t) = 0  | set to zero
(K + lam*I)@a = t          | sufficient
a = inv(K + lam*I)@t
"""
QUESTION = "The dual of ridge regression, as a student derives it. Which line is wrong?"
STYLE = re.compile(r"<style>.*?</style>\s*", re.DOTALL)
REPAIRED = WRITTEN.replace("+ lam*K@a", "+ 2*lam*K@a")


def points() -> tuple[Array, Array]:
    """Return noisy values of a wave whose amplitude fades."""
    rng = np.random.default_rng(97)
    x = np.linspace(0.4, 9.6, 14) + rng.uniform(-0.25, 0.25, 14)
    t = 1.5 * np.sin(0.95 * x) * np.exp(-0.06 * x) + 0.3 * rng.standard_normal(14)
    return x.round(2), t.round(2)


# --- the figure -----------------------------------------------------------------------


def figure_html() -> str:
    """Write the picture, the strip, the sliders and the numbers."""
    x, t = points()
    model = KernelRidge(kl.Gaussian(sigma=SIGMA), lam=LAM).fit(x[:, None], t)
    seen = root_mean_square(t - model.predict(x[:, None]))
    return (
        f'<div class="kl-touch">{plot_svg(x, t, model)}{strip_html(x, t)}'
        + slider_html("lam", "penalty λ", LAM, LAMS)
        + slider_html("sigma", "width σ", SIGMA, SIGMAS)
        + '<p class="kl-seen">Error on the points that it has seen: '
        f'<b data-number="training">{nice(seen, 2)}</b></p>'
        '<p class="kl-verdict" data-number="verdict" role="status"></p>'
        '<button type="button" class="kl-again" data-reset>Start again</button></div>'
    )


def plot_svg(x: Array, t: Array, model: KernelRidge) -> str:
    """Draw band, curve, the distances to the left-out predictions, and the points."""
    curve, band = curves(x, t, model)
    px, pt = across(x), down(t)
    ends = down(t - model.loo_residuals_)
    sticks = "".join(
        f"M{a:.1f} {b:.1f}V{c:.1f}" for a, b, c in zip(px, pt, ends, strict=True)
    )
    dots = "".join(
        f'<g transform="translate({a:.1f} {b:.1f})"><circle class="kl-hit" r="24"/>'
        '<circle class="kl-dot" r="7"/></g>'
        for a, b in zip(px, pt, strict=True)
    )
    sketch = {
        "size": SIZE,
        "strip": STRIP,
        "xlim": XLIM,
        "tlim": TLIM,
        "places": PLACES,
        "lams": STRIP_LAMS.tolist(),
        "points": np.stack([x, t], axis=1).tolist(),
    }
    return (
        f'<svg class="kl-plot" viewBox="0 0 {SIZE[0]} {SIZE[1]}" role="group" '
        'aria-label="Points, the kernel ridge curve through them, and a band '
        'of two standard deviations around it. The points can be moved."'
        f' data-sketch="{escape(json.dumps(sketch, separators=(",", ":")))}">'
        f'<path class="kl-band" d="{band}"/><path class="kl-sticks" d="{sticks}"/>'
        f'<path class="kl-curve" d="{curve}"/><g class="kl-dots">{dots}</g></svg>'
    )


def curves(x: Array, t: Array, model: KernelRidge) -> tuple[str, str]:
    """Return the outlines of the curve and of the band around it."""
    u = np.linspace(*XLIM, PLACES)[:, None]
    process = GaussianProcess(model.kernel, noise=model.lam)
    _, variance = process.fit(x[:, None], t, optimize=False).predict_f(u)
    f, sd = model.predict(u), np.sqrt(np.maximum(variance, 0))
    there = across(u[:, 0])
    upper, lower = down(f + 2 * sd), down(f - 2 * sd)
    edge = path(np.append(there, there[::-1]), np.append(upper, lower[::-1]))
    return path(there, down(f)), f"{edge}Z"


def strip_html(x: Array, t: Array) -> str:
    """Draw the leave-one-out error along λ, with the chosen λ and the best one."""
    ridge = KernelRidge(kl.Gaussian(sigma=SIGMA))
    errors = np.sqrt(ridge.path(x[:, None], t, [*STRIP_LAMS, LAM]).loo_errors)
    place = np.log([*STRIP_LAMS / LAMS[0], LAM / LAMS[0]]) / np.log(LAMS[1] / LAMS[0])
    left, up = STRIP[0] * place, STRIP[1] * (0.92 - 0.84 * errors / errors.max())
    best = int(errors[:-1].argmin())
    marks = "".join(
        f'<circle class="{name}" cx="{left[i]:.1f}" cy="{up[i]:.1f}" r="5"/>'
        for name, i in (("kl-best", best), ("kl-here", -1))
    )
    return (
        '<div class="kl-slide"><span>leave-one-out error</span>'
        f'<svg class="kl-strip" viewBox="0 0 {STRIP[0]} {STRIP[1]}" '
        f'aria-hidden="true"><path class="kl-errors" d="{path(left[:-1], up[:-1])}"/>'
        f'{marks}</svg><b data-number="error">{nice(errors[-1], 2)}</b></div>'
    )


def slider_html(name: str, label: str, value: float, ends: tuple[float, float]) -> str:
    """Write a slider whose position is a power of ten."""
    low, high, here = np.log10([*ends, value])
    return (
        f'<label class="kl-slide"><span>{label}</span><input type="range" '
        f'name="{name}" min="{low:.4f}" max="{high:.4f}" step="0.02" '
        f'value="{here:.4f}" aria-valuetext="{nice(value, 2)}" autocomplete="off">'
        f'<output data-number="{name}">{nice(value, 2)}</output></label>'
    )


def across(x: Array) -> Array:
    """Map inputs to the width of the picture."""
    return np.asarray(SIZE[0] * (x - XLIM[0]) / (XLIM[1] - XLIM[0]))


def down(t: Array) -> Array:
    """Map targets to the height of the picture, which counts downwards."""
    return np.asarray(SIZE[1] * (TLIM[1] - t) / (TLIM[1] - TLIM[0]))


def path(x: Array, y: Array) -> str:
    """Write the outline through the given places."""
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True))


def root_mean_square(v: Array) -> float:
    """Return √(mean v²)."""
    return float(np.sqrt(np.mean(v**2)))


# --- the grader -----------------------------------------------------------------------


@lru_cache
def reports() -> tuple[Report, Report]:
    """Grade the derivation as it is written, and repaired."""
    first, second = (check_derivation(PROBLEM, text) for text in (WRITTEN, REPAIRED))
    if [line.number for line in first.lines if not line.ok] != [2]:
        raise ValueError(f"exactly line 2 should fail on the landing page:\n{first}")
    if not second.accepted:
        raise ValueError(f"the repaired derivation should be accepted:\n{second}")
    return first, second


def grader_html() -> str:
    """Write three pages, and a radio button for each."""
    told, repaired = (
        as_html(Document(report, milestones=False)) for report in reports()
    )
    repaired = STYLE.sub("", repaired)  # once on a page is enough
    written = "".join(f"<li><code>{escape(s)}</code></li>" for s in lines(WRITTEN))
    pages = (
        ("Written", f"<p>{QUESTION}</p><ol>{written}</ol>"),
        ("Graded", told),
        ("Repaired", repaired),
    )
    choices = "".join(
        f'<label><input type="radio" name="kl-step"{" checked" * (i == 0)}>'
        f"<span>{name}</span></label>"
        for i, (name, _) in enumerate(pages)
    )
    return (
        '<div class="kl-grader"><fieldset><legend>One derivation, three looks</legend>'
        f'<div class="kl-steps-bar">{choices}</div></fieldset>'
        + "".join(f'<div class="kl-page">{page}</div>' for _, page in pages)
        + "</div>"
    )


def lines(text: str) -> list[str]:
    """Split a derivation, and leave out the spaces that align its reasons."""
    return [" ".join(line.split()) for line in text.splitlines()]


# --- Sphinx ---------------------------------------------------------------------------


class landing_figure(nodes.General, nodes.Element):  # noqa: N801 - docutils' own style
    """Marks the page that needs the scripts."""


class LandingFigure(SphinxDirective):
    """The figure with its caption."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        text = nodes.container(classes=["kl-said-below"])
        self.state.nested_parse(self.content, self.content_offset, text)
        return [landing_figure(), nodes.raw("", figure_html(), format="html"), text]


class LandingGrader(SphinxDirective):
    """The three pages of a derivation."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", grader_html(), format="html")]


def load_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Give the landing page its scripts and its style."""
    if doctree is None or not any(doctree.findall(landing_figure)):
        return
    app.add_css_file("live/landing.css")
    app.add_js_file("live/ridge.js", priority=500, loading_method="defer")
    app.add_js_file("live/landing.js", priority=510, loading_method="defer")


def nothing(self: Any, node: nodes.Element) -> None:
    """A mark has no text."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    formats = ("html", "latex", "text", "man", "texinfo")
    app.add_node(landing_figure, **{name: (nothing, nothing) for name in formats})
    app.add_directive("landing-figure", LandingFigure)
    app.add_directive("landing-grader", LandingGrader)
    app.connect("html-page-context", load_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
