"""What a line that cannot be read was perhaps meant to be: edits of its text.

They are guesses: whoever offers one tries first whether the new text can be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from kernellab.grading.language.layout import RELATION
from kernellab.grading.language.letters import GREEK
from kernellab.grading.language.lexer import UnknownName
from kernellab.grading.language.spellings import (
    ARROWS,
    MACROS,
    MARKS,
    NAMES,
    SIGNS,
)
from kernellab.grading.language.vocabulary import FUNCTIONS, Vocabulary

MOST_PLACES = 4  # at which words are tried to begin
_CALLED = {"inverse": "inv", "transposed": "transpose", "gram": "K"}
_FUNCTIONS = (*FUNCTIONS, "inv", "transpose", "sum", "grad", "diff", "vec", "ones")
_SLIPS = [
    (re.compile(pattern), right)
    for pattern, right in (
        (r"(?:\^|\*\*)\s*\{?\s*[tT]\s*\}?(?![\w(])", r".T"),
        (r"\.t\b", ".T"),
        (r"\b([A-Za-z]\w*)\.(?!T\b|dot\b|sum\b)([A-Za-z]\w*)\b", r"\1.T@\2"),
        (r"=>", ">="),
        (r"=<", "<="),
        (r"\b([A-Za-z])T([A-Za-z])\b", r"\1.T@\2"),
        (r"\b([A-Za-z])T\b", r"\1.T"),
    )
]
_WORD = re.compile(r"(?<![\\\w.^{])[A-Za-z]{2,}(?![\w(\[])|\\(?:forall|text\w*)\b|∀")
_SEPARATING = re.compile(
    rf"\s*(?:\.\s(?:\s*(?:Then|So|Hence|Thus|Therefore)\b)?|[,;⇒⟹⇔⟺→⟶]|<?=>|-?->|\band\b|\\(?:q?quad|{'|'.join(ARROWS)})\b)\s*"
)


@dataclass(frozen=True)
class Guess:
    """What a line could be.

    Parameters
    ----------
    texts : the new lines, all of which must be readable.
    words : what is said of them.
    name : the name that is put in the place of one without a meaning, if that is all.
    """

    texts: tuple[str, ...]
    words: str
    name: str = ""


def guesses(text: str, words: Vocabulary, error: ValueError) -> Iterator[Guess]:
    """Yield what a line was perhaps meant to be that raised an error."""
    known = str(error)
    if isinstance(error, UnknownName):
        known = error.words
        for other, new in _other_names(text, words, error.name):
            yield Guess((new,), f"{known}; did you mean {other}?", other)
    for pattern, right in _SLIPS:
        new = pattern.sub(right, text)
        if new != text:
            yield Guess((new,), f"{known}; did you mean `{new}`?")
    yield from _apart(text)
    yield from _without_words(text, words)


def has_words(text: str, words: Vocabulary) -> bool:
    """Return whether a line has words that are no names: “we find that a = t”."""
    return len(list(_words(text, words))) > 1


def _words(text: str, names: Vocabulary) -> Iterator[re.Match[str]]:
    for word in _WORD.finditer(text):
        if not (names.knows(word[0]) or names.factors(word[0])):
            yield word


def _other_names(text: str, words: Vocabulary, name: str) -> Iterator[tuple[str, str]]:
    """Yield names for one without a meaning, and the text with them in its place."""
    letter = GREEK.get(name, name)
    forms = map(re.escape, dict.fromkeys((name, letter)))
    place = re.compile(rf"(?<![A-Za-z\\])\\?(?:{'|'.join(forms)})(?![A-Za-z0-9])")
    if name.startswith("\\"):
        place = re.compile(rf"{re.escape(name)}(?![A-Za-z])")
    for other in _close(name, words):
        new = place.sub(other.replace("\\", r"\\"), text)
        if new != text:
            yield other, new


def _close(name: str, words: Vocabulary) -> list[str]:
    """Return the names that are close to one, the closest first."""
    if name.startswith("\\"):
        bare = name[1:]
        commands = [*NAMES, *SIGNS, *MARKS, *MACROS]
        found = get_close_matches(bare, commands, 3, 0.7)
        return [bare] * words.knows(bare) + [f"\\{other}" for other in found]
    known = [*words.declared, *_FUNCTIONS]
    found = get_close_matches(name, known, 4, 0.6)
    alike = [other for other in known if other.lower() == name.lower()]
    called = _CALLED.get(name.lower())
    return [*alike, *([called] if called else []), *found]


def _apart(text: str) -> Iterator[Guess]:
    """Yield several relations in a line as lines of their own."""
    parts = [part.strip() for part in _SEPARATING.split(text)]
    if 1 < len(parts) <= MOST_PLACES and all(map(RELATION.search, parts)):
        lines = " and, below it, ".join(f"`{part}`" for part in parts)
        yield Guess(tuple(parts), f"one relation a line: write {lines}")


def _without_words(text: str, words: Vocabulary) -> Iterator[Guess]:
    """Yield the formula alone, with the words around it behind a bar."""
    sign = RELATION.search(text)
    if sign is None:
        return
    found = list(_words(text, words))
    before = [word for word in found if word.end() <= sign.start()]
    behind = [word for word in found if word.start() >= sign.end()][:MOST_PLACES]
    starts = [0, *(word.end() for word in before[-1:])]
    stops = [len(text), *(word.start() for word in behind)]
    for start in starts:
        for stop in stops:
            formula = text[start:stop].strip(" ,;:.(~")
            said = f"{text[:start]} {text[stop:]}".strip(" ,;:.()~")
            if said and formula and not RELATION.search(said):
                line = f"{formula} | {' '.join(said.split())}"
                yield Guess((formula,), f"words stand behind a bar: `{line}`")
