"""How signs and letters are spelt: one table for Unicode, one for LaTeX."""

from __future__ import annotations

from kernellab.grading.language.letters import ACCENTS, GREEK

# LaTeX commands that are names. A Greek letter may also be called as in the code.
NAMES = {
    **{name: name for name in GREEK},
    **{name: name for name in ("exp", "log", "det", "sum", "sqrt", "diag", "ones")},
    "lambda": "lam", "varphi": "phi", "varepsilon": "epsilon", "ln": "log",
    "ell": "loss", "tr": "trace", "Tr": "trace", "trace": "trace", "Cov": "cov",
    "cov": "cov",
}  # fmt: skip

# Commands that are signs.
SIGNS = {
    "cdot": "cdot", "times": "cdot", "odot": "odot", "circ": "odot", "nabla": "nabla",
    "partial": "partial", "frac": "frac", "tfrac": "frac", "dfrac": "frac",
    "top": "top", "intercal": "top", "transpose": "top", "|": "||", "Vert": "||",
    "lVert": "||", "rVert": "||", "vert": "|", "lvert": "|", "rvert": "|",
    "langle": "⟨", "rangle": "⟩", "geq": ">=", "ge": ">=", "geqslant": ">=",
    "leq": "<=", "le": "<=", "leqslant": "<=", "star": "star", "ast": "star",
    "coloneqq": ":=", "coloneq": ":=", "triangleq": ":=", "equiv": ":=", "doteq": ":=",
    "prime": "prime", "gt": ">", "lt": "<", "succeq": "⪰", "succ": "⪰", "preceq": "⪰",
    "prec": "⪰", "neq": "≠", "ne": "≠",
}  # fmt: skip

# Commands whose letter is another symbol: \hat{t} is t_hat, never t.
MARKS = {
    **{accent: accent for accent in ACCENTS if accent != "prime"},
    "widehat": "hat", "widetilde": "tilde", "overline": "bar", "mathring": "ring",
}  # fmt: skip
COMBINING = {
    "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "bar",
    "\u0307": "dot", "\u0308": "ddot", "\u030a": "ring", "\u030c": "check",
    "\u0306": "breve",
}  # fmt: skip

FONTS = (
    "mathbf", "boldsymbol", "bm", "mathrm", "mathsf", "mathit", "operatorname", "text",
    "textbf", "mathcal", "mathbb", "mathds", "vec", "symbf", "symbfit", "underline",
    "rm", "bf", "textrm", "textit", "mathtt", "pmb", "mathop",
)  # fmt: skip

# Commands that change only the looks.
DROPPED = {
    *FONTS, "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl",
    "Bigr", "biggl", "biggr", "displaystyle", "textstyle", "limits", "nolimits",
    "quad", "qquad", "nonumber", "notag", "boldmath", "middle",
}  # fmt: skip

CHARACTERS = {
    **{letter: f"\\{name}" for name, letter in GREEK.items()},
    "ϕ": r"\phi", "ϵ": r"\epsilon", "−": "-", "–": "-", "—": "-", "∗": "*",
    "⋅": r"\cdot", "·": r"\cdot", "×": r"\cdot", "÷": "/", "⊙": r"\odot",
    "∘": r"\odot", "≥": ">=", "⩾": ">=", "≤": "<=", "⩽": "<=", "∇": r"\nabla",
    "∂": r"\partial", "√": r"\sqrt", "∑": r"\sum", "⊤": r"\top", "‖": r"\|",
    "∥": r"\|", "⟨": r"\langle", "⟩": r"\rangle", "〈": r"\langle", "〉": r"\rangle",
    "ℓ": r"\ell", "𝟏": r"\ones", "𝟙": r"\ones", "≔": ":=", "≡": ":=", "≜": ":=",
    "′": r"^{\prime}", "’": "'", "⪰": r"\succeq", "≽": r"\succeq", "≻": r"\succ",
    "≠": r"\neq", "⋆": r"\star", "⇒": "=>", "⟹": "=>", "\u00a0": " ", "\u2009": " ",
    "\u202f": " ", "\u200b": "", "\u2061": "", "\u2062": "",
}  # fmt: skip
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵀᵗᴺᴹᴰ", "0123456789-+TTNMD", strict=True))
SUBSCRIPTS = dict(
    zip("₀₁₂₃₄₅₆₇₈₉ₙₘᵢⱼₖₗₚᵣₛₜₓₐ₌₊₋", "0123456789nmijklprstxa=+-", strict=True)
)
