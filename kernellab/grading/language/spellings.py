"""How signs and letters are spelt: one table for Unicode, one for LaTeX.

The commands of LaTeX are grouped by what becomes of them: names, signs, marks above a
letter, fonts, those that are dropped, and macros, which take arguments.
"""

from __future__ import annotations

import re

from kernellab.grading.language.letters import ACCENTS, GREEK

# LaTeX commands that are names. A Greek letter may also be called as in the code.
NAMES = {
    **{name: name for name in GREEK},
    **{name: name for name in ("exp", "log", "det", "sum", "sqrt", "diag", "ones")},
    "lambda": "lam", "varphi": "phi", "varepsilon": "epsilon", "ln": "log",
    "ell": "loss", "tr": "trace", "Tr": "trace", "trace": "trace", "Cov": "cov",
    "cov": "cov", "inv": "inv", "uplambda": "lam",
    **{f"up{name}": name for name in GREEK},
    **{f"var{name}": name for name in GREEK if name[0].isupper()},
}  # fmt: skip

# Commands between two relations, or before one.
ARROWS = (
    "implies", "Rightarrow", "Longrightarrow", "iff", "Leftrightarrow",
    "Longleftrightarrow", "rightarrow", "longrightarrow", "to", "leadsto",
)  # fmt: skip

# Commands that are signs.
SIGNS = {
    "cdot": "cdot", "times": "cdot", "bullet": "cdot", "cdotp": "cdot", "odot": "odot",
    "circ": "odot", "nabla": "nabla", "partial": "partial", "uppartial": "partial",
    "differentialD": "partial", "frac": "frac", "tfrac": "frac", "dfrac": "frac",
    "cfrac": "frac", "nicefrac": "frac", "sfrac": "frac",
    "top": "top", "intercal": "top", "transpose": "top", "|": "||", "Vert": "||",
    "lVert": "||", "rVert": "||", "vert": "|", "lvert": "|", "rvert": "|",
    "mid": "|", "parallel": "||", "lparen": "(", "rparen": ")", "lbrace": "(",
    "rbrace": ")", "lbrack": "(", "rbrack": ")",
    "langle": "⟨", "rangle": "⟩", "geq": ">=", "ge": ">=", "geqslant": ">=",
    "leq": "<=", "le": "<=", "leqslant": "<=", "star": "star", "ast": "star",
    "coloneqq": ":=", "coloneq": ":=", "colonequals": ":=", "triangleq": ":=",
    "equiv": ":=", "doteq": ":=", "prime": "prime", "gt": ">", "lt": "<", "succeq": "⪰",
    "succ": "⪰", "preceq": "⪰", "prec": "⪰", "neq": "≠", "ne": "≠", "infty": "∞",
    **dict.fromkeys(ARROWS, "=>"),
}  # fmt: skip

# How signs are shown that have the name of a command.
SHOWN = {
    "cdot": "·", "star": "⋆", "odot": "∘", "nabla": "∇", "partial": "∂", "top": "ᵀ",
    "frac": "\\frac", "prime": "′", "||": "‖", "=>": "⇒",
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
    "rm", "bf", "sf", "textrm", "textit", "textsf", "mathtt", "pmb", "mathop",
    "mathscr", "mathfrak", "mathnormal", "mathbfit", "mathbbm", "mathopen",
    "mathclose", "mathord", "mathbin", "mathrel",
)  # fmt: skip

# Commands that change only the looks.
DROPPED = {
    *FONTS, "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl",
    "Bigr", "biggl", "biggr", "displaystyle", "textstyle", "limits", "nolimits",
    "quad", "qquad", "nonumber", "notag", "boldmath", "middle", "mleft", "mright",
    "scriptstyle", "scriptscriptstyle", "mathstrut", "enspace", "thinspace",
    "medspace", "thickspace", "hfill", "blacksquare", "square", "qed", "Box",
    "checkmark",
}  # fmt: skip

# Commands with arguments, and what they stand for. What is in a frame stays together.
MACROS = {
    "norm": r"\|#1\|", "Norm": r"\|#1\|", "pdv": r"\frac{\partial #1}{\partial #2}",
    "dv": r"\frac{\partial #1}{\partial #2}", "textsuperscript": "^{#1}",
    "overset": "{#2}", "stackrel": "{#2}", "underset": "{#2}",
    "boxed": "{#1}", "ensuremath": "{#1}", "underbrace": "{#1}", "overbrace": "{#1}",
    "textcolor": " #2 ",
    "color": " ", "tag": " ", "label": " ", "hspace": " ", "phantom": " ",
    "vphantom": " ", "placeholder": " ",
}  # fmt: skip

# What is set in a special way, and how it is read.
REWRITTEN = [
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"\\\\\[-?[\d.]+\s*[a-z]{2}\]", r"\\\\"),  # \\[2pt]
        (r"\\[,;:!]", " "),
        (r"\\(?:m?kern|[hm]skip)\s*-?[\d.]+\s*(?:mu|p[tc]|e[mx]|[cm]m)", " "),
        (r"\\(left|right)\s*\|\s*\\\1\s*\|", r"\\|"),
        (r"\\text\s*\{\s*([.,;])\s*\}", r"\1"),
        (r"\\vcentcolon\s*=", ":="),
        (r"\{\s*\}(?=\s*[_^])", ""),  # a{}^\top
        (r"\^\s*\{\s*\^(\{[^{}]*\})\s*\}", r"^\1"),  # ^{ᵀ}
    )
]

CHARACTERS = {
    **{letter: f"\\{name}" for name, letter in GREEK.items()},
    "ϕ": r"\phi", "ϵ": r"\epsilon", "−": "-", "–": "-", "—": "-", "∗": "*",
    "⋅": r"\cdot", "·": r"\cdot", "×": r"\cdot", "÷": "/", "⊙": r"\odot",
    "∘": r"\odot", "≥": ">=", "⩾": ">=", "≤": "<=", "⩽": "<=", "∇": r"\nabla",
    "∂": r"\partial", "√": r"\sqrt", "∑": r"\sum", "⊤": r"\top", "‖": r"\|",
    "∥": r"\|", "⟨": r"\langle", "⟩": r"\rangle", "〈": r"\langle", "〉": r"\rangle",
    "ℓ": r"\ell", "𝟏": r"\ones", "𝟙": r"\ones", "≔": ":=", "≡": ":=", "≜": ":=",
    "′": r"^{\prime}", "’": "'", "⪰": r"\succeq", "≽": r"\succeq", "≻": r"\succ",
    "≠": r"\neq", "∞": r"\infty", "⋆": r"\star", "⇒": "=>", "⟹": "=>", "⇔": "=>",
    "⟺": "=>", "→": "=>", "⟶": "=>", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
    "\u200b": "", "\u2061": "", "\u2062": "",
}  # fmt: skip
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵀᵗᴺᴹᴰ", "0123456789-+TTNMD", strict=True))
SUBSCRIPTS = dict(
    zip("₀₁₂₃₄₅₆₇₈₉ₙₘᵢⱼₖₗₚᵣₛₜₓₐ₌₊₋", "0123456789nmijklprstxa=+-", strict=True)
)


def spelt(*signs: str) -> str:
    """Return a pattern for all spellings of some signs: >=, ≥, \\geq, …"""
    characters = [key for key, sign in CHARACTERS.items() if sign in signs]
    commands = "|".join(name for name, sign in SIGNS.items() if sign in signs)
    plain = "|".join(map(re.escape, [*signs, *characters]))
    return rf"{plain}|\\(?:{commands})(?![A-Za-z])"
