"""What the words of a line say, as far as it must be said.

The judge finds the reason of a line by itself. Words are needed only for what changes
the knowledge: that a point is stationary, that a condition suffices, an assumption, an
independence, a claim. They are read generously, in English, French, Spanish and German.
What else they name, symbols and lines, tells the judge where to look first.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise

from kernellab.grading.language.lexer import ReadError, tokens
from kernellab.grading.language.vocabulary import FUNCTIONS, Vocabulary

MAX_CHARACTERS = 500
MUST_BE_SAID = {
    "set to zero": "the gradient vanishes at the optimum",
    "sufficient": "the line before holds if this one does",
    "assume K invertible": "an assumption of yours, where the problem allows it",
    "independence": "uncorrelated Gaussians are independent",
    "claim": "unique(a), not unique(a), invertible(K)",
}

# Without accents, since students leave them out. Words of English, then French, Spanish
# and German where these share no stem with it.
_FLAGS = {
    "stationary": r"(?<!non)(?<!non-)(?<!from )zero|optim|stationn?a|minim|maxim"
    r"|\bmode\b|\bpeak|first.order|condition(?!ing|al)|vanish|extrem|\bkkt\b|\bfoc\b|saddle"
    r"|critical|turning point|(?:gradient|derivative) disappear|necessary|\bargm|lowest"
    r"|(?<![<>≥≤!])=\s?0(?![.\d])"
    r"|\b(?:must|has to|should) be 0\b|\bequat\w+ [\w ]{0,30}\b0\b"
    r"|\b(?:to|is|equals?|egal a|igual a|gleich|auf) 0\b"
    r"|annul|\bnul(?:le)?s?\b|\banul|\bcero\b|estacionari|\bnull(?! ?space)|verschwind",
    "sufficient": r"(?<!in)suffic|\b(?:is|be|are) (?:already )?enough\b"
    r"|enough (?:to|that)\b|\b(?:one|a) (?:possible |particular )?solution(?! ?,)"
    r"|choos|choice|convex|\b(?:this|which|it) implies"
    r"|\bit is implied by(?! (?:the )?(?:line|step|equation|\(|\d))"
    r"|satisf\w+ (?:if|when|by|it|this|the)\b|solved by|solves"
    r"|\bil suffi|sufic|\bbasta|genugt|\breicht|hinreich",
    "independent": r"independ|uncorrelat|decorrel|gauss|normal(?:ly)? distr"
    r"|condition(?:ing|al)|joint|non correle|no correlac|unabhangig|unkorrel",
    "cases": r"\b(?:both|all|either|each|every|any|two|three) (?:\w+ )?cases?\b"
    r"|\beither way\b"
    r"|\b(?:tous les|les deux|chaque|ambos|todos los|cada) cas(?:os?)?\b"
    r"|\b(?:beiden|allen|jedem) fall(?:en)?\b",
    "hypothesis": r"hypothes|induct\w* assum|assum\w* for induct|hipotesis"
    r"|(?:assum|suppos)\w* [\w ]{0,20}(?:holds?|true) for\b"
    r"|induktions(?:annahme|voraus)",
    "induction": r"\binduct(?!\w* (?:hypothes|assum|step|start|base))"
    r"|(?<!hypothese de )\brecurrence|(?<!hipotesis de )\binduccion|\binduktion\b",
    "base": r"\bbas(?:e|is)\b|induction start|\bstarts?\b|initial|induktionsanfang",
}
_PATTERNS = {flag: re.compile(pattern) for flag, pattern in _FLAGS.items()}
# “we do not have to assume that …”: what a negation before it takes back.
_DENIED = re.compile(
    r"(?:\b(?:not|never|no|nor|cannot|nothing|none|neither|without|sans|pas|jamais|sin|nunca|nicht|ohne"
    r"|keine?)\b|\bn['’]|n['’]t\b)"
    r"(?:[ '’*-]+(?!(?:but|and|so|since|because|as|mais|car|pero|pues|aber|da)\b)\w+)"
    r"{0,4}[ '’*-]*$"
)
_ASSUMED = re.compile(
    r"\b(?:assum|suppos|supon|asum)[a-z]*|\bprovided\b|\brequir[a-z]*"
    r"|\bangenommen\b|\bannahme\b|\bseien?\b|\bsei\b"
)
_IF = re.compile(
    r"(?<!even )(?<!meme )(?<!auch )"
    r"\b(?:if|when|whenever|in (?:the )?case|si|wenn|falls)\b"
)
_INVERTIBLE = re.compile(
    r"invertib|inversib|invertierb|non?-?\s?singul|regular|regulier|full.rank"
    r"|(?:not|never|n['’]t)\s(?:be\s)?(?:a\s)?singul"
    r"|positive.definite|an inverse|exist"
)
_POWER_MINUS_ONE = re.compile(r"(?:\^\{?-1\}?|\*\*\(?-1\)?|⁻¹)$")
_STAR = re.compile(r"[_^]\{?(?:\*|\\star\b|\\ast\b)\}?")
_TRANSPOSE = re.compile(r"ᵀ|\^\{?T\b\}?")
_PIECE = re.compile(r"[A-Za-z]\w*|\d+|[^\sA-Za-z\d]")
_CITING = {
    "line", "lines", "step", "steps", "eq", "eqs", "equation", "equations", "eqn", "no",
    "use", "using", "by", "from", "in", "into", "with", "see", "insert", "apply",
    "combine", "substitute", "plug", "of", "to", "ligne", "lignes", "linea", "lineas",
    "zeile", "zeilen", "gleichung", "ecuacion",
}  # fmt: skip
_SCALING = re.compile(r"(?:divi|multipl|scal|times|factor|power|halv|reduc|set)")
_JOINING = {
    "and", "or", "et", "und", "&", ",", "(", ")", ".", "-", "–", "through", "to", ";",
}  # fmt: skip


@dataclass(frozen=True)
class Said:
    """What the words of a line say.

    Parameters
    ----------
    text : the words as written, cut to 500 characters.
    stationary : that a gradient vanishes, or a point is optimal.
    sufficient : that the line is enough for the one before.
    independent : that Gaussians are independent.
    cases : that it holds in all cases.
    hypothesis, base, induction : that it is the hypothesis of an induction, or its
        base, or what it concludes.
    assuming : that something is assumed.
    assumes : what is assumed: "invertible(K)", "invertible" if it is not said of what,
        other assumptions as written.
    lines : the numbers of the lines that are cited.
    names : the symbols that are named.
    """

    text: str
    stationary: bool = False
    sufficient: bool = False
    independent: bool = False
    cases: bool = False
    hypothesis: bool = False
    induction: bool = False
    base: bool = False
    assuming: bool = False
    assumes: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


NOTHING = Said("")


def said(reasons: str, names: frozenset[str]) -> Said:
    """Return what the words of a line say; `names` are the symbols of the problem.

    Examples
    --------
    >>> said("assume K invertible; use 2 and 3", frozenset({"K"})).assumes
    ('invertible(K)',)
    """
    text = reasons[:MAX_CHARACTERS]
    lowered = _plain(text)
    patterns = {**_PATTERNS, "assuming": _ASSUMED}
    flags = {f: _affirmed(p, lowered) is not None for f, p in patterns.items()}
    clauses = re.split(r"[;,]", text)
    taken = "would" not in lowered  # “if K were invertible, it would be easier”
    assumes = tuple(found for c in clauses for found in _assumed(c, names, taken))
    lines = tuple(dict.fromkeys(n for c in clauses for n in _cited(c)))
    return Said(text, **flags, assumes=assumes, lines=lines, names=_named(text, names))


def _plain(text: str) -> str:
    """Return a text in lower case and without accents, letter for letter.

    >>> _plain("À λ ≠ 0")
    'a λ ≠ 0'
    """
    letters = (unicodedata.normalize("NFD", c)[0] if c.isalpha() else c for c in text)
    return "".join(letters).lower()


def _affirmed(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the first match that no negation takes back, or None.

    >>> _affirmed(re.compile("assum"), "we need not assume this")
    """
    found = pattern.finditer(text)
    return next((m for m in found if not _DENIED.search(text[: m.start()])), None)


def _assumed(clause: str, names: frozenset[str], taken: bool) -> list[str]:
    lowered = _plain(clause)
    trigger = _affirmed(_ASSUMED, lowered)
    condition = taken and _affirmed(_IF, lowered)
    if _affirmed(_INVERTIBLE, lowered) and (trigger or condition):
        behind = clause[trigger.end() :] if trigger else ""
        parts = _formulas(behind, names) or _formulas(clause, names)
        return [f"invertible({part})" for part in parts] or ["invertible"]
    rest = clause[trigger.end() :].strip(" :.") if trigger else ""
    rest = re.sub(r"^(?:that|que|dass) ", "", rest).strip()
    return [rest] if rest else []


def _formulas(clause: str, names: frozenset[str]) -> list[str]:
    """Return what is joined by “and” in a clause, without its words."""
    if clause.count(")") > clause.count("("):  # of “(assuming K invertible)”
        clause = clause.rstrip(" .:").removesuffix(")")
    parts = re.split(r"\b(?:and|et|und)\b|&", clause)
    return list(filter(None, (_formula(part, names) for part in parts)))


def _formula(clause: str, names: frozenset[str]) -> str:
    """Return a clause without its words: “the matrix K + lam*I has an inverse”."""
    keep = names | FUNCTIONS.keys() | {"inv"}
    words = re.compile(r"(?<!\\)\b(?:[A-Za-zÀ-ÖØ-öø-ÿ]{2,}(?:['’]t)?|a)\b")
    text = words.sub(lambda m: m[0] if m[0] in keep - {"a"} else " ", clause)
    text = _POWER_MINUS_ONE.sub("", " ".join(text.split()).strip(" -.:$"))
    if text.startswith(("(", "inv(")) and text.endswith(")"):
        text = text[text.index("(") + 1 : -1]
    return text.strip()


def _cited(clause: str) -> list[int]:
    """Return the numbers of the lines that a clause cites: “lines 2-4”, “by (3)”."""
    pieces = _PIECE.findall(_plain(clause))
    found: list[int] = []
    citing = True  # a clause may be a number alone
    for at, piece in enumerate(pieces):
        before, after = "".join(pieces[at - 1 : at]), "".join(pieces[at + 1 : at + 2])
        if piece.isdecimal():
            bracketed = before == "(" and after == ")"
            if (citing or bracketed) and (not after or after in _JOINING):
                first = found[-1] + 1 if found and before in ("-", "–") else int(piece)
                found += range(first, int(piece[:4]) + 1)[:200]
            continue
        if piece in _CITING:
            citing = not any(map(_SCALING.match, pieces[:at]))
        elif piece not in _JOINING:
            citing = False
    return [number for number in found if 0 < number < 1000]


def _named(text: str, names: frozenset[str]) -> tuple[str, ...]:
    """Return the symbols that a text names, in order."""
    known = Vocabulary(names, frozenset())
    found: list[str] = []
    words = _STAR.sub("s ", _TRANSPOSE.sub(" ", text)).split()
    for word, after in pairwise([*words, ""]):
        if word == "a" and after.isalpha() and not after.endswith("s"):
            continue  # the article
        try:
            pieces = tokens(word)
        except ReadError:
            continue
        for piece in (p.text for p in pieces if p.kind == "name"):
            glued = piece not in names and not piece.islower()
            found += (known.factors(piece) or []) if glued else [piece]
    return tuple(dict.fromkeys(name for name in found if name in names))
