"""How the names of derivations look on paper: lam is λ, phis is φ with a star."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from html import escape

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "kappa": "κ", "lam": "λ", "mu": "μ",
    "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip
ACCENTS = {
    "hat": "^", "tilde": "~", "bar": "¯", "dot": "˙", "ddot": "¨", "check": "ˇ",
    "breve": "˘", "ring": "˚", "prime": "′",
}  # fmt: skip
_SQUARES = {"s2": "s", "sigma2": "σ"}
_STARRED = re.compile(r"(?P<letter>[A-Za-z]|phi)(?P<stars>s{1,2})")
_NUMBERED = re.compile(r"(?P<name>[A-Za-z]+)(?P<number>\d+)")


@dataclass(frozen=True)
class Letters:
    """What the writer must know of a problem to write its names.

    Parameters
    ----------
    rows : matrix → the name of its rows: Phi → phi, so that Phi[n] is φ with index n.
    tangents : names that are written with an upright d: dC.
    first : what the first component is called, 0 or 1.
    """

    rows: Mapping[str, str] = field(default_factory=dict)
    tangents: Collection[str] = ("dC",)
    first: int = 0


@dataclass(frozen=True)
class Glyph:
    """A letter, and what stands below and above it, all as MathML.

    A compound, such as dC, takes brackets before anything can stand above it.
    """

    letter: str
    below: str = ""
    above: str = ""
    compound: bool = False


def glyph(name: str, letters: Letters) -> Glyph:
    """A name as it is written.

    Examples
    --------
    >>> glyph("lam", Letters())
    Glyph(letter='<mi>λ</mi>', below='', above='', compound=False)
    >>> glyph("kss", Letters()).below
    '<mo>*</mo><mo>*</mo>'
    """
    if name in _SQUARES:
        return Glyph(identifier(_SQUARES[name]), above="<mn>2</mn>")
    if name in letters.tangents and len(name) > 1:
        upright = '<mi mathvariant="normal">d</mi>'
        return Glyph(f"<mrow>{upright}{identifier(name[1:])}</mrow>", compound=True)
    starred = _STARRED.fullmatch(name)
    if starred:
        stars = "<mo>*</mo>" * len(starred["stars"])
        return Glyph(identifier(starred["letter"]), below=stars)
    stem, _, mark = name.partition("_")
    if mark == "prime":
        return Glyph(identifier(stem), above="<mo>′</mo>")
    if mark in ACCENTS:
        return Glyph(f"<mover>{identifier(stem)}<mo>{ACCENTS[mark]}</mo></mover>")
    if mark:
        return Glyph(identifier(stem), below=f"<mi>{escape(mark)}</mi>")
    numbered = _NUMBERED.fullmatch(name)
    if numbered:
        return Glyph(
            identifier(numbered["name"]), below=f"<mn>{numbered['number']}</mn>"
        )
    return Glyph(identifier(name))


def identifier(name: str) -> str:
    """A letter, slanted as in the book; words and Greek capitals stand upright."""
    letter = GREEK.get(name, name)
    upright = ' mathvariant="normal"' if letter in "ΓΔΘΛΞΣΦΨΩ" else ""
    return f"<mi{upright}>{escape(letter)}</mi>"
