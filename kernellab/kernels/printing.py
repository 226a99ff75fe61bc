"""How an expression is printed: parentheses by binding strength, numbers in LaTeX."""

from __future__ import annotations

SUM, PRODUCT, MINUS, POWER, ATOM = range(5)
"""How tightly a printed expression binds, from loosest to tightest."""

Text = tuple[str, int]
"""A printed expression, and how tightly it binds."""


def enclose(text: Text, at_least: int) -> str:
    """Return the expression, in parentheses if it binds more loosely than it must."""
    body, binding = text
    return body if binding >= at_least else f"({body})"


def tex_number(value: float) -> str:
    """Return a number in LaTeX, with as many digits as it needs."""
    text = f"{value:.6g}"
    if "e" not in text:
        return text
    mantissa, exponent = text.split("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"


def tex_factor(value: float) -> str:
    """Return a number in LaTeX, to stand beside others: 10⁻⁷ comes in parentheses."""
    text = tex_number(value)
    return f"({text})" if "cdot" in text else text
