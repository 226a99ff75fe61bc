"""The formula of a kernel as MathML, from the LaTeX in which kernels print themselves.

Only what `Kernel.latex` writes is known here: fractions, roots, indices, powers,
brackets, names.
"""

from __future__ import annotations

import re
from html import escape

from kernellab.grading.language.letters import GREEK

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[^\s]")
_SIGNS = {
    r"\cdot": "⋅", r"\top": "⊤", r"\|": "‖", r"\langle": "⟨", r"\rangle": "⟩",
    r"\sum": "∑", r"\prod": "∏", r"\cap": "∩", r"\le": "≤", r"\ge": "≥",
    r"\circ": "∘", r"\{": "{", r"\}": "}", r"\infty": "∞", r"\times": "×",
    r"\neq": "≠", r"\ne": "≠", r"\in": "∈", r"\ldots": "…", r"\dots": "…", "-": "−",
}  # fmt: skip
_SPACES = {r"\,", r"\;", r"\:", r"\!", r"\quad", r"\qquad", r"\ "}
_SIZES = {r"\left", r"\right", r"\bigl", r"\bigr", r"\big", r"\Bigl", r"\Bigr"}
_UPRIGHT = {r"\mathrm", r"\text", r"\operatorname", r"\mathbf", r"\mathbb", r"\mathcal"}
_LETTERS = {"lambda": "λ", **GREEK}


def formula_mathml(latex: str) -> str:
    """Return LaTeX, with or without dollars, as a ``<math>`` element.

    >>> print(formula_mathml("$k_1^2$"))
    <math><msubsup><mi>k</mi><mn>1</mn><mn>2</mn></msubsup></math>
    """
    inside = _Reader(latex.strip().strip("$")).row()
    return f"<math>{inside}</math>"


class _Reader:
    """Reads the tokens of a formula from left to right."""

    def __init__(self, text: str) -> None:
        self.tokens = [t for t in _TOKEN.findall(text) if t not in _SIZES | _SPACES]
        self.at = 0

    def row(self, end: str = "") -> str:
        """Return what stands before the closing token, or all that is left."""
        parts = []
        while self.at < len(self.tokens) and self.tokens[self.at] != end:
            parts.append(self.scripted())
        self.at += 1
        return "".join(parts)

    def scripted(self) -> str:
        """Return the next piece with what stands above and below it."""
        base, above, below = self.piece(), "", ""
        while self.at < len(self.tokens) and self.tokens[self.at] in "^_'":
            sign = self.next()
            if sign == "_":
                below += self.piece()
            else:
                above += "<mo>′</mo>" if sign == "'" else self.piece()
        return _with_scripts(base, above, below)

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def piece(self) -> str:
        token = self.next()
        if token == "{":
            return f"<mrow>{self.row('}')}</mrow>"
        if token == r"\frac":
            return f"<mfrac>{self.piece()}{self.piece()}</mfrac>"
        if token == r"\sqrt":
            return f"<msqrt>{self.piece()}</msqrt>"
        if token in _UPRIGHT:
            return self.name()
        return _leaf(token)

    def name(self) -> str:
        """Return a word in braces: one identifier."""
        start = self.at
        self.row("}") if self.next() == "{" else None
        word = "".join(self.tokens[start + 1 : self.at - 1])
        return f"<mi>{escape(_LETTERS.get(word, word))}</mi>"


def _with_scripts(base: str, above: str, below: str) -> str:
    above = f"<mrow>{above}</mrow>" if above.count("<m") > 1 else above
    if above and below:
        return f"<msubsup>{base}{below}{above}</msubsup>"
    if above:
        return f"<msup>{base}{above}</msup>"
    return f"<msub>{base}{below}</msub>" if below else base


def _leaf(token: str) -> str:
    if token in _SIGNS:
        return f"<mo>{_SIGNS[token]}</mo>"
    if token[:1].isdigit():
        return f"<mn>{token}</mn>"
    word = token.removeprefix("\\")
    if word.isalpha():
        return f"<mi>{escape(_LETTERS.get(word, word))}</mi>"
    return f"<mo>{escape(token)}</mo>"
