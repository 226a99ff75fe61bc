"""From a text to its steps: one line, one relation, and the reasons behind the bar."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_STEPS = 200

_OPENING = re.compile(
    r"^\s*(?:so|thus|hence|therefore|then|now|i\.e\.|that is|and|finally|also|we have"
    r"|we get|this gives|\d+\s*[.):]|\(\d+\)"
    r"|\\(?:implies|Rightarrow|therefore|Leftrightarrow|iff)"
    r"|⇒|⟹|⇔|∴|=>|<=>)[\s,:]*",
    re.IGNORECASE,
)
_LET = re.compile(r"^\s*(?:let|define|set|put)\s+(?=[^\W\d_])(.*=.*)$", re.IGNORECASE)
_ASSUME = re.compile(r"^\s*(?:assume|suppose)\b", re.IGNORECASE)
_WORDS = re.compile(r"^\s*(?:remark|note|comment)\b", re.IGNORECASE)
_CLAIM = re.compile(
    r"^(?:claim\s*:?\s*)?(?P<what>.+?)\s+(?:is|are)\s+(?P<no>not\s+)?"
    r"(?P<word>unique|invertible|nonsingular|non-singular)\s*\.?$",
    re.IGNORECASE,
)
_SIGN = re.compile(r"^\s*(?:&?\s*)(=|>=|<=|≥|≤|\\geq?\b|\\leq?\b)(?!>)")


@dataclass(frozen=True)
class Step:
    """One line of a derivation.

    Parameters
    ----------
    text : what stands before the bar, as written.
    reasons : what stands behind it.
    relation : the text to be read as mathematics.
    continues : whether it starts with a sign and goes on from the line before.
    wordy : whether it is a remark, in words.
    """

    text: str
    reasons: str
    relation: str
    continues: bool = False
    wordy: bool = False


def steps(text: str) -> list[Step]:
    """The steps of a text; blank lines and comments are left out.

    Examples
    --------
    >>> steps("a = b | given\\n\\n= c | use 1")[1].continues
    True
    """
    lines = (line.strip() for line in text.splitlines())
    kept = [line for line in lines if line and not line.startswith("#")]
    read, unread = kept[:MAX_STEPS], kept[MAX_STEPS:]
    return [*map(_step, read), *(Step(line, "", "") for line in unread)]


def _step(line: str) -> Step:
    text, reasons = split_bar(line)
    core = _trim(text)
    let = _LET.match(core)
    if let:
        name = re.match(r"\s*(\w+)", let.group(1))
        reasons = f"let {name.group(1) if name else ''}; {reasons}"
        core = let.group(1)
    if _ASSUME.match(core) and "=" not in core:
        return Step(text, f"{core}; {reasons}", "", wordy=False)
    wordy = bool(_WORDS.match(core)) or bool(_WORDS.match(reasons))
    continues = bool(_SIGN.match(core))
    return Step(text, reasons, _as_claim(core), continues, wordy)


def _trim(text: str) -> str:
    core = re.sub(r"\\\\\s*$", "", text.strip()).strip().rstrip(".,;").strip("$ ")
    core = re.sub(r"^\\[\[(]|\\[\])]$", "", core).strip()
    before = None
    while before != core:
        before, core = core, _OPENING.sub("", core)
    return core


def _as_claim(core: str) -> str:
    """“K is invertible” in words is invertible(K)."""
    match = _CLAIM.match(core)
    if match is None:
        return core
    word = "unique" if match["word"].lower() == "unique" else "invertible"
    return f"{'not ' if match['no'] else ''}{word}({match['what']})"


def split_bar(line: str) -> tuple[str, str]:
    """Split at the last bar that has no backslash before it and is not doubled."""
    for at in range(len(line) - 1, -1, -1):
        if line[at] != "|":
            continue
        before = line[at - 1] if at else ""
        after = line[at + 1 : at + 2]
        if before not in ("\\", "|") and after != "|":
            return line[:at].strip(), line[at + 1 :].strip()
    return line.strip(), ""
