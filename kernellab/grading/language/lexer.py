"""From characters to tokens: Python, Unicode and LaTeX in one stream.

Nothing is evaluated. A character that only looks like a letter of the alphabet is
refused by name, so that К (Cyrillic) and K cannot be two symbols.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from kernellab.grading.language.layout import laid_out
from kernellab.grading.language.letters import ACCENTS
from kernellab.grading.language.spellings import (
    CHARACTERS,
    COMBINING,
    DROPPED,
    MACROS,
    MARKS,
    NAMES,
    SHOWN,
    SIGNS,
    SUBSCRIPTS,
    SUPERSCRIPTS,
)

MAX_CHARACTERS = 4000
MAX_TOKENS = 1500
MAX_DIGITS = 9


class ReadError(ValueError):
    """A line that cannot be read; the message is for the student."""


class UnknownName(ReadError):
    """A name, or a command of LaTeX, that has no meaning here.

    Parameters
    ----------
    words, more : the message, and what it adds if nothing is close to the name.
    """

    def __init__(self, name: str, words: str, more: str = "") -> None:
        super().__init__(words + more)
        self.name, self.words = name, words


@dataclass(frozen=True)
class Token:
    """A piece of a line: its kind ("number", "name", "sign", "end") and its text."""

    kind: str
    text: str

    @property
    def quoted(self) -> str:
        """The piece as a person would point at it: “·”, the end of the line."""
        if self.kind == "end":
            return "the end of the line"
        return f"“{SHOWN.get(self.text, self.text)}”"


_ALIKE = {"<=>": "=>", "-->": "=>", "->": "=>", "=!": "=", "!=": "≠"}
_PIECE = re.compile(
    rf"""(?P<space>\s+|~|&|\$|\\[,;:!\s>\[\]()]|\\\\)
    |   (?P<command>\\(?:[A-Za-z]+|\|))
    |   (?P<number>\d+(?:\.\d*)?(?:e[+-]?\d+)?(?![A-Za-z0-9.])|\d+(?:\.\d+)?|\.\d+)
    |   (?P<name>[A-Za-z]+[0-9]*(?:_(?:{"|".join(ACCENTS)})(?![A-Za-z]))?)
    |   (?P<sign>\.T|\*\*|<?=>|-?->|>=|<=|=!|!=|==|:=|\|\|
        |[-+*/@^_=(){{}}\[\],.|<>'!:])
    """,
    re.VERBOSE,
)


def tokens(text: str) -> list[Token]:
    """Split one line into tokens, ended by a token of kind "end".

    Examples
    --------
    >>> [t.text for t in tokens(r"a = (K+\\lambda I)^{-1}t")][:8]
    ['a', '=', '(', 'K', '+', 'lam', 'I', ')']
    >>> [t.text for t in tokens(r"\\hat{\\mathbf t}_n")][:2]
    ['t_hat', '_']
    """
    if len(text) > MAX_CHARACTERS:
        raise ReadError(
            f"the line is longer than {MAX_CHARACTERS} characters; split it"
        )
    if not text.isascii():
        text = _RUNS.sub(_spell, unicodedata.normalize("NFD", text))
    found = list(_marked(_pieces(laid_out(text))))
    if len(found) > MAX_TOKENS:
        raise ReadError(f"the line has more than {MAX_TOKENS} symbols; split it")
    return [*found, Token("end", "")]


def is_latex(text: str) -> bool:
    """Return whether a line is written as in a book, where [ ] are brackets too."""
    return not text.isascii() or any(mark in text for mark in "\\^_{$")


def _pieces(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            raise ReadError(f"I cannot read “{text[at]}” here")
        at, kind, piece = match.end(), str(match.lastgroup), match.group()
        if kind == "command" and piece[1:] not in DROPPED:
            yield _command(piece[1:])
        if kind == "number":
            _check_number(piece)
        if kind in ("name", "number", "sign"):
            yield Token(
                kind, _ALIKE.get(piece, piece.replace("lambda", NAMES["lambda"]))
            )


def _command(name: str) -> Token:
    for kind, table in (("sign", SIGNS), ("name", NAMES), ("mark", MARKS)):
        if name in table:
            return Token(kind, table[name])
    if name in ("begin", "end"):
        raise ReadError("a matrix is not written out here; a column is vec(s, -p)")
    if name in MACROS or name == "over":
        raise ReadError(f"the braces {{…}} of \\{name} are not clear")
    raise UnknownName(f"\\{name}", f"I do not know the LaTeX command \\{name}")


def _marked(stream: Iterator[Token]) -> Iterator[Token]:
    """Join an accent and its letter: \\hat{t} and \\hat t are t_hat."""
    for token in stream:
        if token.kind != "mark":
            yield token
            continue
        end = Token("end", "")
        letter = next(stream, end)
        braces = letter.text == "{"
        letter = next(stream, end) if braces else letter
        if letter.kind != "name" or (braces and next(stream, end).text != "}"):
            raise ReadError(f"\\{token.text} stands above one letter")
        glued = not braces and letter.text not in NAMES.values()
        cut = 1 if glued else len(letter.text)  # \hat tK is \hat{t} K
        yield Token("name", f"{letter.text[:cut]}_{token.text}")
        if letter.text[cut:]:
            yield Token("name", letter.text[cut:])


def _check_number(text: str) -> None:
    mantissa, _, exponent = text.partition("e")
    digits = sum(map(str.isdigit, mantissa))
    if digits > MAX_DIGITS or (exponent and abs(int(exponent[:4])) > MAX_DIGITS):
        raise ReadError(f"the number {text[:12]}… has more than {MAX_DIGITS} digits")


_RUNS = re.compile(
    f"(?P<up>[{''.join(SUPERSCRIPTS)}]+)|(?P<down>[{''.join(SUBSCRIPTS)}]+)"
    f"|(?P<letter>\\w)(?P<mark>[{''.join(COMBINING)}])"
    r"|(?P<digits>\d{0,9})(?P<fraction>[¼-¾⅐-⅞])|(?P<other>[^\x00-\x7f])(?=(?P<next>\w?))"
)


def _spell(match: re.Match[str]) -> str:
    if match["up"]:
        up = "".join(SUPERSCRIPTS[c] for c in match["up"])
        return f"^{{{up}}}"
    if match["down"]:
        return "_{" + "".join(SUBSCRIPTS[c] for c in match["down"]) + "}"
    if match["mark"]:
        return f"\\{COMBINING[match['mark']]}{{{_character(match['letter'])}}}"
    if match["fraction"]:
        value = unicodedata.normalize("NFKC", match["fraction"]).replace("⁄", "/")
        return f"({match['digits']}+{value})" if match["digits"] else f"({value})"
    spelt = _character(match["other"])
    return spelt + " " * (spelt[-1:].isalpha() and match["next"].isalnum())


def _character(character: str) -> str:
    name = unicodedata.name(character, f"U+{ord(character):04X}")
    styled = name.startswith(("MATHEMATICAL", "FULLWIDTH", "DOUBLE-STRUCK", "SCRIPT"))
    plain = unicodedata.normalize("NFKC", character) if styled else character
    for letter in (character, plain):
        if letter.isascii() or letter in CHARACTERS:
            return CHARACTERS.get(letter, letter)
    words = f"I cannot read the character “{character}” ({name.lower()})"
    relation = unicodedata.category(character) == "Sm"
    raise ReadError(words + "; a line is an equation, or a bound" * relation)
