"""Draw the picture of the landing page, _static/landing.svg.

    .venv/bin/python tools/landing_picture.py

Three panels, one for each thing that the course does with a kernel: compute its
Gram matrix, learn with it, and find out that something else is not one.
"""

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from kernellab import kernels as kl
from kernellab.figures import PALETTE, use_style

OUT = Path(__file__).parent.parent / "_static" / "landing.svg"


def draw_gram(ax: Axes, rng: np.random.Generator) -> None:
    """Show which of 24 sorted points are alike."""
    x = np.sort(rng.uniform(-1, 1, (24, 1)), axis=0)
    ax.imshow(kl.Gaussian(sigma=0.3)(x), cmap="cividis")
    ax.set(title="Compute", xlabel=r"$K_{ij} = k(x_i, x_j)$", xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.set_anchor("N")


def draw_ridge(ax: Axes, rng: np.random.Generator) -> None:
    """Fit the same points three times, from too freely to too stiffly."""
    n = 15
    x = np.linspace(0, 1, n)[:, None] + rng.uniform(-0.02, 0.02, (n, 1))
    t = np.sin(2 * np.pi * x[:, 0]) + 0.3 * rng.standard_normal(n)
    grid = np.linspace(x[0], x[-1], 160)
    k = kl.Gaussian(sigma=0.1)
    for lam in (0.001, 0.3, 10):
        a = np.linalg.solve(k(x) + lam * np.eye(n), t)
        ax.plot(grid, k(grid, x) @ a, label=rf"$\lambda = {lam}$")
    ax.plot(x, t, "o", color=PALETTE["ink"], markersize=4.5)
    ax.set(title="Learn", xlabel=r"$f(x) = \sum a_i\, k(x, x_i)$")
    ax.set(ylim=(-1.6, 1.9), xticks=[], yticks=[])
    ax.legend(loc="upper right")


def draw_witness(ax: Axes) -> None:
    """Show the eigenvalues of a matrix that no kernel can have."""
    x = np.array([[-1.0], [0.0], [1.0], [2.0]])
    eigenvalues = np.linalg.eigvalsh(kl.tanh(kl.Linear() - 1)(x))[::-1]
    for place, value in enumerate(eigenvalues):
        good = {"color": PALETTE["sky"]}
        bad = {"color": PALETTE["vermillion"], "hatch": "//", "edgecolor": "white"}
        ax.bar(place, value, **(good if value > 0 else bad))
    ax.axhline(0, color=PALETTE["ink"], linewidth=1)
    ax.set(title="Refute", xlabel=r"eigenvalues of $\tanh(x_i x_j - 1)$")
    ax.set(xticks=[], yticks=[0])
    last = len(eigenvalues) - 1
    ax.annotate(
        "below zero:\nnot a kernel",
        xy=(last, 0.05),
        xytext=(last, 0.9),
        color="#A04000",
        ha="center",
        arrowprops={"arrowstyle": "->", "color": "#A04000"},
    )


def main() -> None:
    """Draw the three panels and write the file."""
    use_style()
    matplotlib.use("svg")
    plt.rcParams.update({"font.size": 13, "axes.labelsize": 13, "axes.titlesize": 15})
    rng = np.random.default_rng(2)
    figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.3), width_ratios=(1, 1.35, 1.25))
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12)
    draw_gram(axes[0], rng)
    draw_ridge(axes[1], rng)
    draw_witness(axes[2])
    figure.savefig(OUT, metadata={"Date": None})


if __name__ == "__main__":
    main()
