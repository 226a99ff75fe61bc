r"""From LaTeX as it is set to LaTeX as it is read: fonts, macros, brackets, \over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate

from kernellab.grading.language.spellings import FONTS, MACROS, REWRITTEN, spelt

MAX_BRACES = 40  # inside each other
RELATION = re.compile(spelt("=", "<", ">", "<=", ">=", ":="))
DOTS = re.compile(r"\.\s?\.\s?\.|…|\\[clvd]?dots[a-z]?(?![A-Za-z])")
_ONES = re.compile(
    r"\\(?:mathbf|boldsymbol|bm|mathbb|mathbbm|mathds|symbf|textbf|vec|bf|pmb)\s*"
    r"(?:\{\s*1\s*\}|1(?![\d.]))"
)
_SQUARE = re.compile(r"\\(?:m?left|m?right|[bB]ig+[lr]?)\s*([\[\]<>])")
_CLOSED = {"[": "(", "]": ")", "<": r"\langle ", ">": r"\rangle "}
_COMMAND = re.compile(
    rf"\\(?:(?P<font>{'|'.join(FONTS)})(?=\s*\*?\{{)|(?P<macro>{'|'.join(MACROS)}))"
    r"(?![A-Za-z])\s*\*?"
)
_ARRAY = re.compile(
    r"\\begin\{([pb]?matrix)\}((?:(?!\\(?:begin|end)(?![A-Za-z])).)*)\\end\{\1\}"
)
_OVER = re.compile(r"\\over(?![A-Za-z])")
_ONE = re.compile(r"\\(?:[A-Za-z]+|.)|[^\s{}]")
_SCRIPT = re.compile(r"\s*[_^](?=\s*\{)")
_BRACES = {"{": 1, "}": -1}


@lru_cache(maxsize=1000)
def laid_out(text: str) -> str:
    r"""Drop what changes only the looks, and replace macros by what they stand for.

    A bold 1 is the column of ones. What lacks its arguments stays as it is.

    Examples
    --------
    >>> print(laid_out(r"\boxed{J = \norm{\mathbf{t}}^2}"))
    J = \| t\|^2
    >>> print(laid_out(r"{1 \over 2}\underbrace{(K + L)}_{M} \overset{!}{=} 0"))
    \frac{1 }{ 2}{(K + L)} = 0
    """
    if not {"\\", "{"} & set(text):
        return text
    text = _ONES.sub(r"\\ones ", text.replace(r"\{", "(").replace(r"\}", ")"))
    text = _ARRAY.sub(_array, text)
    text = _SQUARE.sub(lambda m: _CLOSED[m[1]], text)
    for pattern, plain in REWRITTEN:
        text = pattern.sub(plain, text)
    depths = list(_depths(text))
    if min(depths) < 0 or depths[-1] or max(depths) > MAX_BRACES:
        return text
    for match in reversed(list(_COMMAND.finditer(text))):  # what is inside comes first
        text = _in_font(text, match) if match["font"] else _expanded(text, match)
    for match in reversed(list(_OVER.finditer(text))):
        text = _fraction(text, *match.span())
    return text


def _array(match: re.Match[str]) -> str:
    """Write a column, or a row, as vec(…); what has both stays, and is refused."""
    rows = match[2].strip().removesuffix("\\\\").split("\\\\")
    if "&" not in match[2]:
        return f" vec({','.join(rows)}) "
    row = rows[0].replace("&", ",")
    return match[0] if len(rows) > 1 else f" vec({row})^\\top "


def _in_font(text: str, match: re.Match[str]) -> str:
    """Drop a font; what has braces of its own stays together."""
    found = _argument(text, match.end())
    if found is None:
        return text
    inner, rest = text[slice(*found)], text[found[1] + 1 :]
    if "{" in inner and not _states(inner):
        inner = f"{{{inner}}}"
    return f"{text[: match.start()]} {inner}{' ' * rest[:1].isalnum()}{rest}"


def _expanded(text: str, match: re.Match[str]) -> str:
    plain, at = MACROS[match["macro"]], match.end()
    for mark in ("#1", "#2") if "#2" in plain else ("#1",):
        found = _argument(text, at)
        if found is None:
            return text
        inner, at = text[slice(*found)], found[1] + (text[found[1]] == "}")
        plain = mark if plain == f"{{{mark}}}" and _states(inner) else plain
        plain = plain.replace(mark, inner)
    script = _SCRIPT.match(text, at) if match["macro"].endswith("brace") else None
    below = _argument(text, script.end()) if script else None
    return text[: match.start()] + plain + text[below[1] + 1 if below else at :]


def _argument(text: str, at: int) -> tuple[int, int] | None:
    """Return where the argument that follows begins and ends, or None."""
    while text[at : at + 1].isspace():
        at += 1
    if text[at : at + 1] != "{":
        one = _ONE.match(text, at)
        return one.span() if one else None
    end = _closing(text, at + 1)
    return (at + 1, end) if end else None


def _depths(text: Iterable[str]) -> Iterator[int]:
    """Yield in how many braces more than at the start each sign is, or closes."""
    return accumulate(_BRACES.get(sign, 0) for sign in text)


def _closing(text: str, at: int) -> int:
    """Return where the braces close inside of which this place is; 0 if nowhere."""
    depths = enumerate(_depths(text[at:]), at)
    return next((end for end, depth in depths if depth < 0), 0)


def _states(inner: str) -> bool:
    """Return whether a relation stands in a text, outside of all braces in it."""
    signs = zip(inner, _depths(inner), strict=True)
    outside = "".join(" " if depth else sign for sign, depth in signs)
    return RELATION.search(outside) is not None


def _fraction(text: str, start: int, end: int) -> str:
    r"""Write {a \over b} as a fraction."""
    back = enumerate(_depths(reversed(text[:start])), 1)
    opening = next((start - count for count, depth in back if depth > 0), None)
    closing = _closing(text, end)
    if opening is None or not closing:
        return text
    top, bottom = text[opening + 1 : start], text[end:closing]
    return f"{text[:opening]}\\frac{{{top}}}{{{bottom}}}{text[closing + 1 :]}"
