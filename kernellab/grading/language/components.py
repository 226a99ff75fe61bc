"""Where components are counted from: x_1 is the first in a book, x_0 in a program."""

from __future__ import annotations

import re
from collections.abc import Collection

from kernellab.grading.language.spellings import SUBSCRIPTS

_SMALL = str.maketrans({s: f"_{d}" for s, d in SUBSCRIPTS.items() if d.isdigit()})
_LOWERED = re.compile(r"([^\W\d_]+)[}\s]*((?:_\s*\{?\s*\d+)+)")


def counts_from_one(text: str, others: Collection[str] = ()) -> bool:
    """Return whether the first component is x_1, as in a book, unless x_0 is there.

    It is asked of a whole text, so that x_1 means the same in all of its lines.

    Parameters
    ----------
    others : names with a number that are no components: f0 for f_0.

    Examples
    --------
    >>> counts_from_one("s = x_1*z_1"), counts_from_one("s = x_0*z_0\\nt = x_1*z_1")
    (True, False)
    """
    found = _LOWERED.findall(text.translate(_SMALL))
    marks = [(name, re.sub(r"\D", "", below)) for name, below in found]
    digits = "".join(mark for name, mark in marks if name + mark not in others)
    return bool(digits) and "0" not in digits
