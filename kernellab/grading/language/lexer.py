"""From characters to tokens: Python, Unicode and LaTeX in one stream.

Nothing is evaluated. A character that only looks like a letter of the alphabet is
refused by name, so that К (Cyrillic) and K cannot be two symbols.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

MAX_CHARACTERS = 4000
MAX_TOKENS = 1500
MAX_DIGITS = 9


class ReadError(ValueError):
    """A line that cannot be read; the message is for the student."""


@dataclass(frozen=True)
class Token:
    """A piece of a line: its kind ("number", "name", "sign", "end") and its text."""

    kind: str
    text: str
    spaced: bool = False  # whether white space stood before it


# One character each: what it is read as. A blank keeps names apart: λI is lam I.
_CHARACTERS = {
    "−": "-", "–": "-", "—": "-", "∗": "*", "⋅": r"\cdot ", "·": r"\cdot ",
    "×": r"\cdot ", "÷": "/", "⊙": r"\odot ", "∘": r"\odot ", "≥": ">=", "⩾": ">=",
    "≤": "<=", "⩽": "<=", "∇": r"\nabla ", "∂": r"\partial ", "√": r"\sqrt ",
    "∑": r"\sum ", "Σ": r"\Sigma ", "λ": r"\lambda ", "Φ": r"\Phi ", "φ": r"\phi ",
    "ϕ": r"\phi ", "α": r"\alpha ", "β": r"\beta ", "σ": r"\sigma ", "θ": r"\theta ",
    "π": r"\pi ", "ξ": r"\xi ", "μ": r"\mu ", "γ": r"\gamma ", "τ": r"\tau ",
    "ᵀ": r"^{\top}", "⊤": r"\top ", "⁻¹": "^{-1}", "²": "^{2}", "³": "^{3}",
    "⁴": "^{4}", "½": "(1/2)", "¼": "(1/4)", "‖": r"\|", "∥": r"\|", "⟨": r"\langle ",
    "⟩": r"\rangle ", "₀": "_{0}", "₁": "_{1}", "₂": "_{2}", "ₙ": "_{n}", "ₘ": "_{m}",
    "ᵢ": "_{i}", "ₐ": "_{a}", "ⱼ": "_{j}", "ₖ": "_{k}", "∞": r"\infty ", "\u00a0": " ",
    "\u2009": " ", "\u200b": "", "ℓ": r"\ell ", "⟹": "=>", "⇒": "=>", "𝟏": " ones ",
    "𝟙": " ones ",
}  # fmt: skip

# LaTeX commands that are another spelling of a name.
_NAMES = {
    "lambda": "lam", "Phi": "Phi", "phi": "phi", "varphi": "phi", "alpha": "alpha",
    "beta": "beta", "sigma": "sigma", "Sigma": "Sigma", "theta": "theta", "pi": "pi",
    "xi": "xi", "mu": "mu", "gamma": "gamma", "tau": "tau", "exp": "exp", "log": "log",
    "ln": "log", "det": "det", "sum": "sum", "sqrt": "sqrt", "ell": "loss",
    "tr": "trace", "trace": "trace", "Tr": "trace", "Lambda": "Lambda", "eta": "eta",
    "epsilon": "epsilon", "varepsilon": "epsilon", "delta": "delta", "nu": "nu",
    "Cov": "cov", "cov": "cov", "diag": "diag", "zeta": "zeta", "rho": "rho",
    "psi": "psi", "Psi": "Psi", "omega": "omega", "kappa": "kappa", "Omega": "Omega",
}  # fmt: skip

# Commands kept as signs for the parser.
_SIGNS = {
    "cdot": "cdot", "times": "cdot", "odot": "odot", "circ": "odot", "nabla": "nabla",
    "partial": "partial", "frac": "frac", "tfrac": "frac", "dfrac": "frac",
    "top": "top", "intercal": "top", "transpose": "top", "|": "||", "Vert": "||",
    "lVert": "||", "rVert": "||", "langle": "<", "rangle": ">", "geq": ">=",
    "ge": ">=", "geqslant": ">=", "leq": "<=", "le": "<=", "leqslant": "<=",
    "star": "star", "ast": "star",
}  # fmt: skip

# Commands that change only the looks.
_DROPPED = {
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr",
    "biggl", "biggr", "mathbf", "boldsymbol", "bm", "mathrm", "mathsf", "mathit",
    "operatorname", "text", "textbf", "mathcal", "mathbb", "vec", "bf", "rm",
    "displaystyle", "limits", "nolimits", "quad", "qquad", "hspace", "nonumber",
    "underline", "boldmath", "textstyle", "mathop", "notag", "symbf", "symbfit",
}  # fmt: skip

_PIECE = re.compile(
    r"""(?P<space>\s+|~|&|\$|\\[,;:!\s>\[\]()]|\\\\)
    |   (?P<command>\\(?:[A-Za-z]+|\|))
    |   (?P<number>\d+(?:\.\d*)?(?:e[+-]?\d+)?(?![A-Za-z0-9.])|\d+(?:\.\d+)?|\.\d+)
    |   (?P<name>[A-Za-z]+[0-9]*)
    |   (?P<sign>\.T\b|\*\*|>=|<=|=>|==|\|\||[-+*/@^_=(){}\[\],.|<>'!:])
    """,
    re.VERBOSE,
)


_FONT = re.compile(
    r"\\(?:mathbf|boldsymbol|bm|mathrm|mathsf|mathit|operatorname|text|textbf|mathcal"
    r"|mathbb|vec|symbf|symbfit|underline|hat|bar|tilde|rm|bf)\s*\{([^{}]*)\}(?=(.?))"
)
_SQUARE = re.compile(r"\\(?:left|right|[bB]ig+[lr]?)\s*([\[\]])")
_ONES = re.compile(
    r"\\(?:mathbf|boldsymbol|bm|mathbb|mathds|symbf|textbf|vec|bf)\s*"
    r"(?:\{\s*1\s*\}|1(?![\d.]))"
)


def _without_fonts(text: str) -> str:
    """Drop what changes only the looks: \\mathbf{a} is a, \\left[ is a bracket.

    A bold 1 is the column of ones.
    """
    text = _ONES.sub(" ones ", text)
    text = text.replace(r"\{", "(").replace(r"\}", ")")
    text = _SQUARE.sub(lambda m: "(" if m[1] == "[" else ")", text)
    for _ in range(3):
        text = _FONT.sub(lambda m: f" {m[1]}" + " " * m[2].isalnum(), text)
    return text


def tokens(text: str) -> list[Token]:
    """Split one line into tokens, ended by a token of kind "end".

    Examples
    --------
    >>> [t.text for t in tokens(r"a = (K+\\lambda I)^{-1}t")][:8]
    ['a', '=', '(', 'K', '+', 'lam', 'I', ')']
    """
    if len(text) > MAX_CHARACTERS:
        raise ReadError(
            f"the line is longer than {MAX_CHARACTERS} characters; split it"
        )
    text = _without_fonts(_to_ascii(text))
    found: list[Token] = []
    at, spaced = 0, False
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            raise ReadError(f"I cannot read “{text[at]}” here")
        at = match.end()
        token = _token(match, spaced)
        spaced = token is None
        if token is not None:
            found.append(token)
    if len(found) > MAX_TOKENS:
        raise ReadError(f"the line has more than {MAX_TOKENS} symbols; split it")
    return [*found, Token("end", "")]


def is_latex(text: str) -> bool:
    """Whether a line is written as in a book, where Ka is the product of K and a."""
    return not text.isascii() or any(mark in text for mark in "\\^_{$")


def _token(match: re.Match[str], spaced: bool) -> Token | None:
    kind, text = str(match.lastgroup), match.group()
    if kind == "command":
        return _command(text[1:], spaced)
    if kind == "number":
        _check_number(text)
    return None if kind == "space" else Token(kind, text, spaced)


def _command(name: str, spaced: bool) -> Token | None:
    if name in _DROPPED:
        return None
    if name in _SIGNS:
        return Token("sign", _SIGNS[name], spaced)
    if name in _NAMES:
        return Token("name", _NAMES[name], True)
    raise ReadError(f"I do not know the LaTeX command \\{name}")


def _check_number(text: str) -> None:
    mantissa, _, exponent = text.partition("e")
    digits = sum(map(str.isdigit, mantissa))
    if digits > MAX_DIGITS or (exponent and abs(int(exponent[:4])) > MAX_DIGITS):
        raise ReadError(f"the number {text[:12]}… has more than {MAX_DIGITS} digits")


def number(text: str) -> Fraction:
    """The exact value of a numeral: 0.1 is one tenth."""
    return Fraction(text if not text.endswith(".") else text[:-1])


def _to_ascii(text: str) -> str:
    text = text.replace("⁻¹", "^{-1}").replace("⁻ᵀ", r"^{-\top}")
    return "".join(map(_spell, text)) if not text.isascii() else text


def _spell(character: str) -> str:
    if character.isascii():
        return character
    if character in _CHARACTERS:
        return _CHARACTERS[character]
    plain = unicodedata.normalize("NFKC", character)
    styled = unicodedata.name(character, "").startswith(("MATHEMATICAL", "FULLWIDTH"))
    if styled and plain.isascii():
        return plain
    if styled and plain in _CHARACTERS:
        return _CHARACTERS[plain]
    name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
    raise ReadError(f"I cannot read the character “{character}” ({name})")
