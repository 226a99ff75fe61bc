"""Products as mathematicians write them: 3k1, k1 k1, (k1 + 1)(k1 + 2), k1(x, x').

The text is rewritten into what Python reads, with a sign * between the factors.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection

_TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*)|(?P<blank>\s+)|(?P<sign>.)",
    re.DOTALL,
)
_AT_TWO_POINTS = re.compile(
    r"([^\W\d]\w*|\))\s*\(\s*(?:x\s*,\s*[yz]|[yz]\s*,\s*x)\s*\)"
)


def with_signs(text: str, values: Collection[str] = ()) -> str:
    """Put a sign * between factors that stand side by side.

    Parameters
    ----------
    text : an expression of kernels.
    values : names that are not called, so that a bracket after them is a factor.

    Examples
    --------
    >>> with_signs("(k1-1)**2 (k1+2) + 3k1(2 + k1)", {"k1"})
    '(k1-1)**2 *(k1+2) + 3*k1*(2 + k1)'
    >>> with_signs("2exp(x y) Linear()")
    '2*exp(x *y) *Linear()'
    """
    if "'" in text or '"' in text:
        return text  # no kernel has a text in it
    pieces: list[str] = []
    before, owner = "", ""  # the last piece that is not blank, and the one before it
    for match in _TOKEN.finditer(text):
        kind, piece = str(match.lastgroup), match[0]
        if kind == "blank":
            pieces.append(piece)
            continue
        called = piece == "(" and text[match.end() :].lstrip().startswith(")")
        is_value = before in values and owner != "."
        if not called and _begins(kind, piece) and _ends(before, piece, is_value):
            pieces.append("*")
        pieces.append(piece)
        before, owner = piece, before
    return "".join(pieces)


def at_no_points(text: str, kernels: Collection[str]) -> str:
    """Write a kernel for its value at the two points: k1 for k1(x, y).

    >>> at_no_points("k1(x, y)*(k1 + Linear(x, y))(y, x) + min(x, y)", {"k1"})
    'k1 *(k1 + Linear() ) + min(x, y)'
    """

    def kernel(found: re.Match[str]) -> str:
        name = found[1]
        if name[0].isupper():
            return f"{name}() "
        return f"{name} " if name in {*kernels, ")"} else found[0]

    return _AT_TWO_POINTS.sub(kernel, text)


def _begins(kind: str, piece: str) -> bool:
    """Return whether a factor may begin here."""
    return piece == "(" or (kind == "name" and not keyword.iskeyword(piece))


def _ends(before: str, piece: str, is_value: bool) -> bool:
    """Return whether what stands before is a factor that has come to its end."""
    if before == ")" or before[:1].isdigit() or (before[:1] == "." and before != "."):
        return True
    if not before.isidentifier() or keyword.iskeyword(before):
        return False
    return is_value or piece != "("
