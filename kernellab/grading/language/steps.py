"""From a text to its steps: one line, one relation, and the reasons behind the bar."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from kernellab.grading.language.layout import DOTS, RELATION, laid_out
from kernellab.grading.language.letters import GREEK
from kernellab.grading.language.lexer import MAX_CHARACTERS, ReadError, tokens
from kernellab.grading.language.spellings import ARROWS, spelt
from kernellab.grading.language.vocabulary import FUNCTIONS, KEYWORDS, Vocabulary

MAX_STEPS = 200
MAX_OPENINGS = 8

_OPENING = re.compile(
    r"(?:(?:so that|so|thus|hence|therefore|then|now|that is|and|finally|also|but|next"
    r"|(?:we|one) (?:now |then |thus |also |therefore |finally )?(?:have|has|gets?"
    r"|obtains?|finds?|sees?|knows?|concludes?|arrives? at)(?: that)?"
    r"|(?:this|which|that) (?:gives|yields|means)(?: that)?|it follows(?: that)?"
    r"|(?:first|second)(?:ly)?(?=,)|consequently|equivalently|or equivalently|moreover"
    r"|furthermore|similarly|likewise|clearly|obviously|in (?:other words|particular)"
    r"|as a result|giving|yielding|donc|alors|ainsi|on (?:a|obtient|trouve)|somit|daher"
    r"|wir erhalten|es folgt|luego|entonces|por (?:lo )?tanto|se obtiene|obtenemos"
    r"|note that|note|observe that|recall that|remark)\b(?!\s?[=(\[_^@*])|i\.e\."
    r"|\d{1,3}\s?[.):](?=\s)|\((?:\d{1,3}|i{1,3}|iv|vi{1,3})\)(?=\s)|[a-z]{1,4}\)(?=\s)"
    r"|(?:[LR]\.?H\.?S\.?|(?:left|right)(?:.hand)? side)\s?="
    rf"|\\(?:therefore|{'|'.join(ARROWS)})\b|[⇒⟹⇔⟺→⟶∴]|=>|<=>)(?:[\s,:]|\\q?quad\b)*",
    re.IGNORECASE,
)
_INTRODUCING = re.compile(
    r"(?:let(?: us)?|define|set|put|denote(?: by)?|introduce|write|call|abbreviate"
    r"|where|with)\s+(?!=)", re.IGNORECASE,
)  # fmt: skip
_NAMING = re.compile(
    r"(?:\(\d{1,3}\)\s*)?(?:let|define|denote|introduce|call)\b", re.IGNORECASE
)
_ASSUMING = re.compile(r"(?:we )?(?:assum|suppos)", re.IGNORECASE)
_CASE = re.compile(
    r"(?:(?:the )?(?:first|second|third|other|last) )?case\b[\s:,.]*"
    r"(?:(?:\d+|\(\w{1,3}\)|[A-Za-z](?=[:)]|\.\s))[\s:.,)]*)?",
    re.IGNORECASE,
)
_SUPPOSING = re.compile(r"(?:we )?(?:assume|suppose)(?: that)?\s+", re.IGNORECASE)
_SIGN_OF = re.compile(rf"{spelt('<', '>', '>=', '<=')}|=\s?0$")
_CLAIM = re.compile(
    r" (?:is|are) (not )?(unique|invertible|regular|(?:non-?\s?)?singular)$", re.I
)
_DEFINING = re.compile(r"(:=|≔|≜|\\coloneq(?:q|uals)?\b|\\triangleq\b)|[=<>≤≥]")
_EXPRESSION = re.compile(
    rf"(?!(?:not )?(?:unique|invertible)\()(?:(?!{RELATION.pattern}).)+$"
)
_LEADING_SIGN = re.compile(rf"&?\s*(?:{spelt('=', '>=', '<=')})(?!>)")
_WORD = re.compile(r"(?<![\\A-Za-z.])[A-Za-z]{2,}(?![A-Za-z(@\[]|\.\w)")
_COMMENT = re.compile(r"\s(?:#|(?:%|(?://|--)\s)\s?(?=[A-Za-z]{2}|\())")
_DENYING = re.compile(
    r"\b(?:not (?:true|the case)|false|wrong|untrue)\b", re.IGNORECASE
)
_BAR = re.compile(r"(?<![\\|])\|(?!\|)")
_MID = re.compile(r"\\mid(?![A-Za-z])")
_IN_WORDS = re.compile(r"\(?\\text(?:rm|it)?\{([^{}]+)\}\)?[\s.]*$")
_SET_OFF = re.compile(r"(?:\\(?:q?quad|vert|hfill)|&&)(?:\\[,;:! ]|\s)*$")
_ASIDE = re.compile(
    r"(?:\\(?:q?quad|hfill)|&&)(?:\\[,;:! ]|\s)*"
    r"(?=\\text(?:rm|it)?\{\s*(?:\$|[^\s{}$]+[\s$]|[^\s{}$]{4,}\}(?!\())"
    r")|(?=\\text(?:rm|it)?\{\s*(?:for all|because|since|by|where|using|with)\b)"
)
_TEXT = re.compile(r"\\text(?:rm|it)?\{([^{}]*)\}")
_BECAUSE = re.compile(
    r"[\s,](?=\(?(?:since|because|by|using|due to|if|via|from|where|when|after|which"
    r"|for (?:all|any|every|each)|thanks to|at (?:the|a|an|(?:min|max|opt)\w+)"
    r"|as (?:it|we|the|in|above|before|all|both|each|every|\S+ (?:and|is|are|has)))\s)"
    r"|[\s,](?=(?:is (?:sufficient|enough)|suffices)\b)|(?=\\forall\b|∀)"
)
# Words that begin what is said before a relation, also without a comma behind it.
_BEGINNING = re.compile(
    r"(?:in|by|at|from|since|because|under|when|setting|set|base|induction|inductive"
    r"|with|as|for|it|we|the|this|our|dans|par|en|por|im|durch|nach|substitut(?:e|ing)"
    r"|insert(?:ing)?|us(?:e|ing)|plug(?:ging)? in|multiply|expand|rearrange|solve)\s",
    re.IGNORECASE,
)
_DOING = re.compile(r"(?:substitut|insert|us(?:e|ing)|plug)", re.IGNORECASE)
_AIM = re.compile(
    r"(?:want|wish|aim|goal|have|need|remains?|try|it is) (?:is )?to"
    r" (?:show|prove|derive)|^(?:will|to) (?:show|prove)", re.IGNORECASE,
)  # fmt: skip
_ASSUMED = re.compile(
    r"\b(?:assum|suppos|provid)[a-z]* [^.]*\b(?:invertib|non-?singular|regular)"
)
_LEADING = re.compile(
    r"(?:all|any|every|each) (?:[a-z], ?)*[a-z]\s+"
    r"|(?:lines?|steps?|eqs?\.?|equations?|and) \(?\d{1,3}\)?\s+|[A-Za-zÀ-ÿ]{2,}\s+"
)
_HEADING = re.compile(
    r"(?:proof|solution|answer|derivation|step|part|claim|lemma|theorem|conclusion"
    r"|(?:base|induction|inductive|first|second|third|last|final) (?:case|step|part))"
    r"\b[\s\d.:()]{0,9}(?:[a-z][.):]*)?$",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(?:(?:\\(?:q?quad|hfill)|&&|\s\s)(?:\\[,;:! ]|\s){0,20}"
    r"\((?:\d{1,3}|[ivx]{1,4}|\*{1,3}|\\(?:ast|star|dagger))\))[\s\\]*$"
)
_DONE = re.compile(r"\s(?:q\.? ?e\.? ?d\b\.?|[∎□■]|\(?done\)?)\s*$", re.IGNORECASE)
_OPERATORS = "=+-*/@(<>≤≥,{[^_−·"
_FRAME = re.compile(
    r"\\(?:begin|end)\{(?:align|aligned|alignat|alignedat|equation|eqnarray|flalign|gather"
    r"|gathered|multline|split|displaymath|math)\*?\}(?:\{\d+\})?"
)


@dataclass(frozen=True)
class Step:
    """One line of a derivation.

    Parameters
    ----------
    text : what stands before the bar, as written.
    reasons : the words behind it, and those before the relation: "at the optimum: …".
    relation : the text to be read as mathematics; empty if there is none.
    continues : whether it starts with a sign and goes on from the line before.
    wordy : whether it has words only, and no relation.
    begins : whether it is an expression, with which the next line begins a chain.
    let : the name that it introduces, or None.
    supposes : "case" or "suppose" if it opens a case: case q >= 0, suppose q >= 0.
    """

    text: str
    reasons: str
    relation: str
    continues: bool = False
    wordy: bool = False
    begins: bool = False
    let: str | None = None
    supposes: str = ""


def steps(text: str) -> list[Step]:
    """Return the steps of a text; blank lines and comments are left out.

    Examples
    --------
    >>> steps("a = b | given\\n\\n= c | use 1")[1].continues
    True
    >>> steps("let C = K + lam*I")[0].let
    'C'
    """
    lines = (_FRAME.sub("", line).strip() for line in text.splitlines())
    kept = [line for line in lines if line and not line.startswith("#")]
    read, unread = kept[:MAX_STEPS], kept[MAX_STEPS:]
    found = _begun([_step(line) for line in read])
    return [*found, *(Step(line, "", "") for line in unread)]


def _begun(found: list[Step]) -> list[Step]:
    """Let a line that is an expression begin the chain that the next one continues."""
    for at, (first, then) in enumerate(pairwise(found)):
        if then.continues and _EXPRESSION.match(first.relation) and not first.let:
            found[at] = replace(first, relation="", begins=True)
            start, goes_on = first.relation.rstrip("& "), then.relation.lstrip("& ")
            reasons = "; ".join(filter(None, (first.reasons, then.reasons)))
            whole = f"{start} {goes_on}"
            found[at + 1] = replace(
                then, reasons=reasons, relation=whole, continues=False
            )
    return found


def _step(line: str) -> Step:
    if len(line) > 2 * MAX_CHARACTERS:  # too long for the reader, which says so
        return Step(line, "", line)
    text, reasons = split_reason(line)
    supposes, supposed = _supposed(_trim(text))
    if supposed:
        return Step(text, reasons, supposed, supposes=supposes)
    words, whole = _split_words(_trim(text))
    name, core = _introduced(whole, reasons)
    if name is None and core != whole and core.endswith("0"):  # set K@a - t = 0
        words = [*words, "set to zero"]
    claim = _as_claim(core)
    if _ASSUMING.match(core):
        words, claim = [*words, core], ""
    elif claim == core and not RELATION.search(core) and _is_prose(core):
        if _ASSUMED.search(core):
            return Step(text, "; ".join(filter(None, (core, reasons))), "")
        return Step(text, reasons, "", wordy=True)
    elif _AIM.search(core):
        return Step(text, reasons, "", wordy=True)
    continues = bool(_LEADING_SIGN.match(core))
    reasons = "; ".join(filter(None, (*words, reasons)))
    return Step(text, reasons, claim, continues, let=name)


def _supposed(core: str) -> tuple[str, str]:
    """Return the word and the relation of “case 1: q >= 0” or “suppose q >= 0”."""
    case = _CASE.match(core)
    opening = case or _SUPPOSING.match(core)
    rest = core[opening.end() :].strip("$ :") if opening else ""
    found = (RELATION if case else _SIGN_OF).search(rest)
    return "case" if case else "suppose", rest if found else ""


def split_reason(line: str) -> tuple[str, str]:
    """Split a line at the bar before its reason, or at words or a comment behind it.

    >>> split_reason("J = |t|^2 + |w|^2 | the norms")
    ('J = |t|^2 + |w|^2', 'the norms')
    >>> split_reason(r"K a = t \\qquad (\\text{given})")
    ('K a = t', 'given')
    """
    line = _MID.sub("|", line)
    at = _separator(line)
    if at is not None:
        text, before = _before_words(line[:at])
        return text, "; ".join(filter(None, (before, line[at + 1 :].strip())))
    words = _IN_WORDS.search(line)
    space = _SET_OFF.search(line[: words.start()]) if words else None
    if words and space and any(map(str.isalpha, words[1])):
        return line[: space.start()].strip(), words[1].strip("() ")
    sign = RELATION.search(line)
    aside = _ASIDE.search(line, sign.end()) if sign else None
    if aside:
        said = _TEXT.sub(r"\1", line[aside.end() :])
        return line[: aside.start()].strip(), said.strip()
    comment = _COMMENT.search(line)
    if comment:
        return line[: comment.start()].strip(), line[comment.end() :].strip()
    text, behind = _before_words(line)
    if behind:
        return text, behind
    start = line.rfind("(")
    if line.endswith(")") and line[:start].endswith("  "):
        inside = line[start + 1 : -1]
        if re.match(r"(?:[a-z]{4,}|by|use|def|see|at|set|as|from|in|via)\b", inside):
            return line[:start].strip(), inside
    return line.strip(), ""


def _before_words(line: str) -> tuple[str, str]:
    """Split a relation from the words that follow it: “a = t for all n”."""
    sign = RELATION.search(line)
    found = _BECAUSE.search(line, sign.end()) if sign else None
    if found is None:
        return line.strip(), ""
    words = line[found.end() :].strip()
    if words.startswith("(") and words.endswith(")"):
        words = words[1:-1]
    return line[: found.start()].strip(), words


def _separator(line: str) -> int | None:
    """Return where the bar before the reason is; other bars are those of |x|."""
    bars = [match.start() for match in _BAR.finditer(line)]
    depth, done, inside = 0, 0, False
    for count, at in enumerate(bars, 1):
        part = line[done:at]
        depth += sum(map(part.count, "([⟨")) - sum(map(part.count, ")]⟩"))
        depth += part.count(r"\langle") - part.count(r"\rangle")
        done = at
        before, after = line[:at].rstrip()[-1:], line[at + 1 : at + 2]
        closed = count < len(bars) and not line[bars[count] - 1].isspace()
        if inside:
            inside = False
        elif before in _OPERATORS or (not after.isspace() and closed):
            inside = True
        elif depth <= 0:
            return at
    return bars[-1] if len(bars) % 2 else None


def _trim(text: str) -> str:
    text = _TAG.sub("", _DONE.sub("", text))
    core = laid_out(text) if len(text) <= MAX_CHARACTERS else text
    core = core.strip().rstrip("\\").strip()
    if not (DOTS.search(core) and RELATION.search(core)):  # the reader refuses those
        core = core.rstrip(".,;\\").strip("$ ")
    for mark in (r"\[", r"\(", r"\]", r"\)"):
        core = core.removeprefix(mark).removesuffix(mark).strip()
    for _ in range(MAX_OPENINGS):
        opening = _OPENING.match(core)
        if opening is None:
            break
        core = core[opening.end() :]
    return core


def _split_words(core: str) -> tuple[list[str], str]:
    """Split off words before the relation: “since K is invertible, a = …”."""
    for mark in (": ", ". ", ", "):
        words, _, rest = core.partition(mark)
        balanced = words.count("(") == words.count(")")
        enough = len(_plain_words(words)) > (mark == ", ")
        stated = RELATION.search(rest) or _CLAIM.search(rest.rstrip("."))
        if _DENYING.search(words):
            break
        if stated and enough and balanced and not RELATION.search(words):
            more, core = _without_comma(_trim(rest))
            return [words.strip(), *more], core
    return _without_comma(core)


def _without_comma(core: str) -> tuple[list[str], str]:
    """Split off words that run into the relation: “in all cases a = …”."""
    rest = core
    while _BEGINNING.match(core) and (word := _LEADING.match(rest)):
        if not _plain_words(word[0]):
            break
        rest = rest[word.end() :]
    words, sign = core[: len(core) - len(rest)].strip(), RELATION.search(rest)
    said = len(_plain_words(words)) > 1 or _DOING.match(words) is not None
    enough = said and not (_DENYING.search(words) or _AIM.search(words))
    return ([words], _trim(rest)) if enough and sign and sign.start() else ([], core)


def _introduced(core: str, reasons: str) -> tuple[str | None, str]:
    """Return the name that a line introduces, and its relation."""
    opening = _INTRODUCING.match(core)
    core = core[opening.end() :].strip("$ ") if opening else core
    sign = _DEFINING.search(core)
    if sign is None or not (opening or sign[1] or _NAMING.match(reasons)):
        return None, core
    return _left_name(core[: sign.start()]), core


def _left_name(left: str) -> str | None:
    """Return the symbol that “C”, “r[n]”, “\\hat{t}”, “a_1” or “f(x)” stands for."""
    try:
        first, *rest = tokens(left)
    except ReadError:
        return None
    marks = [token.text for token in rest if token.text not in ("{", "}", "")]
    if first.kind != "name" or not marks:
        return first.text if first.kind == "name" else None
    mark, below = marks[0], marks[1] if len(marks) > 1 else ""
    if mark == "'" or below == "prime":
        return f"{first.text}_prime"
    if mark in ("_", "^") and below in ("*", "star"):
        return f"{first.text}s"
    if mark == "_" and below.isdigit():
        return first.text + below
    if mark == "_" and not set(below) <= set("ijklmnpqr"):
        return f"{first.text}_{below}"
    function = mark == "(" and Vocabulary(frozenset()).knows(first.text)
    return first.text if mark in ("_", "[", "(") and not function else None


def _as_claim(core: str) -> str:
    """Return “K is invertible” as invertible(K)."""
    core = core.strip()
    match = _CLAIM.search(" ".join(core.split()).rstrip("."))
    if match is None:
        return core
    what = " ".join(core.split())[: match.start()]
    while _plain_words(what.partition(" ")[0]):
        what = what.partition(" ")[2]  # the matrix K
    word = "unique" if match[2].lower() == "unique" else "invertible"
    denied = bool(match[1]) != (match[2].lower() == "singular")
    return f"{'not ' if denied else ''}{word}({what})" if what else core


def _is_prose(core: str) -> bool:
    end = core.lower().rstrip("!") in ("qed", "q.e.d", "done", "∎")
    words = [word for word in _plain_words(core) if word not in (*KEYWORDS, "sum")]
    return end or len(words) >= 3 or bool(_HEADING.match(core))


def _plain_words(text: str) -> list[str]:
    """Return the English words of a text, without names of letters and functions."""
    known = FUNCTIONS.keys() | GREEK.keys() | {"lambda"}
    return [word for word in _WORD.findall(text) if word not in known]
