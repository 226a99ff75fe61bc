"""Small helpers to print mathematics and numbers as text, Markdown and LaTeX."""

from __future__ import annotations

import re
from fractions import Fraction

_TEX = {
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "₁": r"$_1$",
    "σ": r"$\sigma$",
    "ℝᵈ": r"$\mathbb{R}^d$",
    "ℝ²": r"$\mathbb{R}^2$",
    "ℝ": r"$\mathbb{R}$",
    "∞": r"$\infty$",
    "²": r"$^2$",
    "⊤": r"$^\top$",
    "·": r"$\cdot$",
    "−": "-",
    "‖": r"$\|$",
}


def tex_text(text: str) -> str:
    r"""Plain text, to stand within \text{…}."""
    text = re.sub(r"([_%&#{}])", r"\\\1", text)
    for symbol, tex in _TEX.items():
        text = text.replace(symbol, tex)
    return text


def escape_markdown(text: str) -> str:
    """Plain text that Markdown must not read as emphasis or mathematics."""
    return re.sub(r"([*_$|<>\[\]`])", r"\\\1", text)


def simple(value: float, largest: int = 64) -> str:
    """Return 3, −1/2 or 0.3125: a number as a person would write it."""
    fraction = Fraction(value).limit_denominator(largest)
    if float(fraction) == value:
        return str(fraction)
    return f"{value:.6g}"


def size_in_words(size: int) -> str:
    """Return a number of bytes in words, rounded down: "1 GiB", "64 MiB".

    Examples
    --------
    >>> size_in_words(3 << 29)
    '1.5 GiB'
    """
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{int(10 * size / unit) / 10:g} {name}"
    return f"{size} bytes"
