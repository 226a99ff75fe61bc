"""Draw the small pictures of the chapters on the landing page, _static/map/*.svg.

    .venv/bin/python tools/chapter_pictures.py

Each shows one idea, computed by kernellab, in about a kilobyte. The colours are those
of the course, by day and by night: a picture follows the page in which it stands.
"""

from pathlib import Path

import numpy as np

from kernellab import SVC, GaussianProcess, KernelRidge, Nystroem, Perceptron
from kernellab import kernels as kl
from kernellab.arrays import Array

FOLDER = Path(__file__).parent.parent / "_static" / "map"
WIDTH, HEIGHT = 160.0, 90.0
MIN_OPACITY = 0.03
"""Cells fainter than this are left out."""

STYLE = (
    "svg{--i:#1a1a1a;--b:#0072b2;--v:#d55e00;--s:#56b4e9;--r:#d9d7d0}"
    "@media(prefers-color-scheme:dark)"
    "{svg{--i:#e6e3da;--b:#56b4e9;--v:#ff9a5c;--s:#2f7fb0;--r:#3b4350}}"
    "path{fill:none;stroke:var(--b);stroke-width:2;stroke-linejoin:round}"
    ".thin{stroke:var(--r);stroke-width:1.2}.sign{stroke:var(--i)}"
    ".dash{stroke:var(--v);stroke-dasharray:4 3}"
    ".area{fill:var(--s);fill-opacity:.35;stroke:none}"
    "circle{fill:var(--i)}.one{fill:var(--b)}.two{fill:var(--v)}"
    "rect{fill:var(--b)}.below{fill:var(--v)}.pale{fill:var(--s);fill-opacity:.35}"
)


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        size = f"width='{WIDTH:g}' height='{HEIGHT:g}'"
        box = f"viewBox='0 0 {WIDTH:g} {HEIGHT:g}' {size}"
        text = f"<svg xmlns='http://www.w3.org/2000/svg' {box}>"
        text += f"<style>{STYLE}</style>{draw()}</svg>\n"
        (FOLDER / f"{name}.svg").write_text(text, encoding="utf-8")


# --- pictures -------------------------------------------------------------------------


def gram() -> str:
    """A tour: the Gram matrix of nine points in two groups."""
    x = np.array([0, 0.3, 0.8, 1, 1.5, 3.2, 3.5, 4, 4.2])[:, None]
    return cells(kl.Gaussian(sigma=0.7)(x), (WIDTH - 81) / 2, 4.5, 9)


def ridge() -> str:
    """Duality: a fit, and the residuals, which are λ times the coefficients."""
    x, t = wave()
    model = KernelRidge(kl.Gaussian(sigma=0.15), lam=1.0).fit(x[:, None], t)
    u = np.linspace(0, 1, 60)
    f, there = model.predict(u[:, None]), model.predict(x[:, None])
    sticks = "".join(
        curve([a, a], [b, c], "dash") for a, b, c in zip(x, t, there, strict=True)
    )
    return sticks + curve(u, f) + dots(x, t)


def lifted() -> str:
    """The kernel trick: no threshold on x separates, one on x² does."""
    x = np.linspace(-1, 1, 11)
    y = 1.7 * x**2 - 0.85
    u = np.linspace(-1.05, 1.05, 40)
    far = np.abs(x) > 0.55
    left, right = place(x), upright(y)
    return (
        curve((u + 1.1) / 2.2, 1.7 * u**2 - 0.85, "thin")
        + curve([0, 1], [-0.35, -0.35], "dash")
        + spots(left[far], right[far], "one")
        + spots(left[~far], right[~far], "two")
    )


def spectrum() -> str:
    """Construction: the eigenvalues of tanh(xz − 1), two of them negative."""
    x = np.array([[-1.0], [0.0], [1.0], [2.0]])
    values = np.linalg.eigvalsh(kl.tanh(kl.Linear() - 1)(x))[::-1]
    unit, zero = 40 / np.abs(values).max(), 46.0
    bars = "".join(
        rect(22 + 31 * i, zero - max(v, 0) * unit, 22, abs(v) * unit, v < 0 and "below")
        for i, v in enumerate(values)
    )
    return bars + f"<path class='thin' d='M10 {zero:g}H150'/>"


def bells() -> str:
    """The space: functions centred at three points, and a sum of these."""
    u, centres, a = np.linspace(0, 1, 60), (0.2, 0.5, 0.75), (0.8, -0.7, 0.9)
    k = kl.Gaussian(sigma=0.09)
    parts = [a * k(u[:, None], [[c]])[:, 0] for a, c in zip(a, centres, strict=True)]
    thin = "".join(curve(u, part, "thin") for part in parts)
    return thin + curve(u, np.sum(parts, axis=0)) + dots(centres, np.zeros(3))


def perceptron() -> str:
    """Perceptron: two classes, and the line that it stops at."""
    X, y = classes(0.12)
    model = Perceptron().fit(X, y)
    return separated(X, y, line(model.w_, float(model.intercept_)))


def street() -> str:
    """Support vector machines: the widest street between two classes."""
    X, y = classes(0.3)
    model = SVC(kl.Linear(), C=1e4).fit(X, y)
    w, b = np.ravel(model.w_), float(np.ravel(model.intercept_)[0])
    edges = [line(w, b + shift) for shift in (1.0, -1.0, 0.0)]
    (x0, y0), (x1, y1) = edges[0], edges[1]
    area = outline(place([*x0, *x1[::-1]]), upright([*y0, *y1[::-1]]), "area", True)
    return area + separated(X, y, edges[2])


def process() -> str:
    """Gaussian processes: a belief about functions, given five points."""
    x, t = wave()
    x, t = x[1::2], t[1::2]
    model = GaussianProcess(kl.Gaussian(sigma=0.15), noise=0.01)
    u = np.linspace(0, 1, 50)
    mean, variance = model.fit(x[:, None], t, optimize=False).predict_f(u[:, None])
    sd = np.sqrt(variance)
    there = place(2.2 * u - 1.1)
    edges = upright([*(mean + sd), *(mean - sd)[::-1]])
    band = outline([*there, *there[::-1]], edges, "area", True)
    return band + curve(u, mean) + dots(x, t)


def low_rank() -> str:
    """When n grows: a large matrix is nearly a tall one times a wide one."""
    x, side = np.linspace(0, 1, 8)[:, None], 6.5
    k = kl.Gaussian(sigma=0.35)
    F = Nystroem(k, rank=2).fit(x).transform(x)
    F = np.abs(F) / np.abs(F).max()
    top, middle = (HEIGHT - 8 * side) / 2, HEIGHT / 2
    sign = f"<path class='sign' d='M72 {middle - 3:g}h8M72 {middle + 3:g}h8'/>"
    wide = cells(F.T, 107, middle - side, side)
    return cells(k(x), 11, top, side) + sign + cells(F, 88, top, side) + wide


# --- the data -------------------------------------------------------------------------


def wave() -> tuple[Array, Array]:
    """Return nine noisy values of a sine."""
    rng = np.random.default_rng(2)
    x = np.linspace(0.04, 0.96, 9)
    return x, 0.75 * np.sin(2 * np.pi * x) + 0.2 * rng.standard_normal(9)


def classes(gap: float) -> tuple[Array, Array]:
    """Return points on both sides of a line, at least `gap` away from it."""
    rng = np.random.default_rng(4)
    X = rng.uniform(-0.9, 0.9, (34, 2))
    score = X @ [1.0, 0.8] / np.hypot(1.0, 0.8)
    far = np.abs(score) > gap
    return X[far], np.sign(score[far])


# --- drawing --------------------------------------------------------------------------


def place(x: object) -> Array:
    """Map [−1.1, 1.1] to the width."""
    return np.asarray(WIDTH * (np.asarray(x, dtype=float) + 1.1) / 2.2)


def upright(y: object) -> Array:
    """Map [−1.1, 1.1] to the height, upwards."""
    return np.asarray(HEIGHT * (1.1 - np.asarray(y, dtype=float)) / 2.2)


def curve(x: object, y: object, kind: str = "") -> str:
    """Draw a line; x runs from 0 to 1."""
    return outline(place(2.2 * np.asarray(x, dtype=float) - 1.1), upright(y), kind)


def outline(x: object, y: object, kind: str = "", closed: bool = False) -> str:
    pairs = zip(np.asarray(x), np.asarray(y), strict=True)
    d = "L".join(f"{a:.1f} {b:.1f}" for a, b in pairs)
    named = f" class='{kind}'" if kind else ""
    return f"<path{named} d='M{d}{'Z' if closed else ''}'/>"


def dots(x: object, y: object) -> str:
    """Draw points; x runs from 0 to 1."""
    return spots(place(2.2 * np.asarray(x, dtype=float) - 1.1), upright(y))


def spots(x: Array, y: Array, kind: str = "") -> str:
    named = f"class='{kind}' " if kind else ""
    pairs = zip(x, y, strict=True)
    return "".join(
        f"<circle {named}cx='{a:.1f}' cy='{b:.1f}' r='3'/>" for a, b in pairs
    )


def rect(
    x: float, y: float, w: float, h: float, kind: str | bool = "", opacity: float = 1
) -> str:
    named = f"class='{kind}' " if kind else ""
    faint = f" opacity='{opacity:.2f}'" if opacity < 1 else ""
    size = f"width='{w:.1f}' height='{h:.1f}'"
    return f"<rect {named}x='{x:.1f}' y='{y:.1f}' {size}{faint}/>"


def cells(M: Array, left: float, top: float, side: float) -> str:
    """Draw a matrix, as blue as its entries are large."""
    return "".join(
        rect(left + side * j, top + side * i, side - 1, side - 1, opacity=value)
        for (i, j), value in np.ndenumerate(M)
        if value > MIN_OPACITY
    )


def line(w: Array, b: float) -> tuple[list[float], list[float]]:
    """Return two points of the line wᵀx + b = 0, at the upper and the lower edge."""
    heights = [-1.1, 1.1]
    return [float(-(b + w[1] * h) / w[0]) for h in heights], heights


def separated(X: Array, y: Array, edge: tuple[list[float], list[float]]) -> str:
    """Draw two classes and a line between them."""
    x1, x2 = place(X[:, 0]), upright(X[:, 1])
    between = outline(place(edge[0]), upright(edge[1]), "dash")
    first = y > 0
    return between + spots(x1[first], x2[first], "one") + spots(x1[~first], x2[~first])


PICTURES = {
    "tour": gram,
    "duality": ridge,
    "kernel_trick": lifted,
    "constructing_kernels": spectrum,
    "rkhs": bells,
    "perceptron": perceptron,
    "svm": street,
    "gaussian_processes": process,
    "scaling": low_rank,
}

if __name__ == "__main__":
    main()
