"""Sentences with formulas in them, as HTML, Markdown and plain text.

In messages formulas stand between backticks. In a student's reasons they are found:
what stands between dollar signs, and runs of symbols and signs that can be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kernellab.grading.language.letters import Letters
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.mathml import relation_mathml, table_mathml
from kernellab.grading.language.reader import read
from kernellab.grading.language.vocabulary import Vocabulary
from kernellab.grading.safe_text import html_text

_MARKED = re.compile(r"`([^`\n]+)`")
_TABLE = re.compile(r"(?:(\w+) = )?(\[[^]]*\]|\([^()]*,[^()]*\))")
_QUOTED = re.compile(r"\$([^$\n]+)\$|\\\((.+?)\\\)|`([^`\n]+)`")
_WORD = re.compile(r"(?<![\\\w.])[A-Za-z]{2,}(?:[-'’][a-z]+)*(?![\w(\[])|[;:“”]")
_SIGN = re.compile(r"[=+*@^_\\/ᵀ⁻²‖≥≤\[(]|\.T\b")
_ENGLISH = ("a", "I", "i")  # symbols that are words, too
_AROUND = " \t,.&"
_PUNCTUATED = re.compile(r"(<math(?:(?!<math|<wbr).)*</math>)([,.:;?)]+)")
MAX_FORMULA = 200


def unmarked(text: str) -> str:
    """Return a message without its backticks.

    >>> unmarked("the definition of `K`")
    'the definition of K'
    """
    return _MARKED.sub(r"\1", text)


@dataclass(frozen=True)
class Typesetter:
    """Writes sentences of one derivation as HTML.

    Parameters
    ----------
    words : the names that may occur.
    letters : how they are written.
    """

    words: Vocabulary
    letters: Letters

    def message(self, text: str) -> str:
        """Typeset a message; what cannot be read is shown as code."""
        html = "".join(
            (self.formula(part) or f"<code>{html_text(part)}</code>")
            if k % 2 else html_text(part)
            for k, part in enumerate(_MARKED.split(text))
        )  # fmt: skip
        return _PUNCTUATED.sub(r'<span class="kl-joined">\1\2</span>', html)

    def reason(self, text: str) -> str:
        """Typeset a student's reason, as far as it contains formulas."""
        parts, at = [], 0
        for match in _QUOTED.finditer(text):
            quoted = next(filter(None, match.groups()))
            parts.append(self._free(text[at : match.start()]))
            parts.append(self.formula(quoted) or html_text(match[0]))
            at = match.end()
        return "".join([*parts, self._free(text[at:])])

    def _free(self, text: str) -> str:
        """Typeset the runs between words that are formulas."""
        return "".join(
            self._run(part) if is_run else html_text(part)
            for is_run, part in self._runs(text)
        )

    def _runs(self, text: str) -> Iterator[tuple[bool, str]]:
        at = 0
        for match in _WORD.finditer(text):
            if not self.words.knows(match[0]):
                yield True, text[at : match.start()]
                yield False, match[0]
                at = match.end()
        yield True, text[at:]

    def _run(self, text: str) -> str:
        """Typeset one run, or else the symbols in it."""
        inner = text.strip(_AROUND)
        math = self.formula(inner) if _SIGN.search(inner) else None
        if math:
            before, after = text.split(inner, 1)
            return html_text(before) + math + html_text(after)
        return "".join(map(self._symbol, re.split(r"(\s+)", text)))

    def _symbol(self, text: str) -> str:
        """Typeset a symbol that stands alone."""
        name = text.strip(_AROUND)
        if name not in self.words.declared or name in _ENGLISH:
            return html_text(text)
        before, after = text.split(name, 1)
        return html_text(before) + (self.formula(name) or name) + html_text(after)

    def formula(self, text: str) -> str | None:
        """Typeset a formula, or a matrix of numbers; None if it cannot be read."""
        if len(text) > MAX_FORMULA:
            return None
        table = _TABLE.fullmatch(text)
        one_based = self.letters.first == 1
        try:
            xml = (
                self._table(text, *table.groups()) if table
                else relation_mathml(read(text, self.words, one_based), self.letters)
            )  # fmt: skip
        except (ReadError, RecursionError):
            return None
        return xml.replace(' displaystyle="true"', "")

    def _table(self, text: str, name: str | None, values: str) -> str:
        """Typeset x = [1 2; 3 4], or the column (1, 2)."""
        split = r"\s*;\s*" if values[0] == "[" else r",\s*"
        rows = [row.split() for row in re.split(split, values[1:-1])]
        cells = [[read(cell, self.words).sides[0] for cell in row] for row in rows]
        return table_mathml(name, cells, self.letters, text)
