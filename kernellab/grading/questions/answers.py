"""Answers as lines `name = expression`, and expressions as Python syntax trees.

Nothing is ever evaluated by Python: `syntax` only parses, within bounds, and the
callers walk the tree and know a few node types each.
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from dataclasses import dataclass

LONGEST_ANSWER = 20_000
LONGEST_EXPRESSION = 2_000
MOST_LINES = 300
DEEPEST = 60
MOST_NODES = 800

_HEAD = re.compile(
    r"\s*(?P<name>[^\W\d]\w*)\s*(?:\((?P<args>[\w\s,']*)\))?\s*[=:](?!=)(?P<body>.*)",
    re.DOTALL,
)
_SPELLINGS = {
    "−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "^": "**", "²": "**2",
    "³": "**3", "π": "pi", "½": "(1/2)", "¼": "(1/4)", "¾": "(3/4)", "∘": "*",
    "\u00a0": " ", "\u200b": "", "\ufeff": "",
}  # fmt: skip


class Unreadable(ValueError):
    """An answer that is not in the language; the message says why and what is."""


@dataclass(frozen=True)
class Line:
    """One `name = body` of an answer; `name` is empty for a bare expression.

    `argument` is x in a definition ``f(x) = …``.
    """

    number: int
    name: str
    argument: str
    body: str


def split_lines(answer: str) -> list[Line]:
    """The lines of an answer, without comments; open brackets join lines.

    >>> [(line.number, line.name, line.body) for line in split_lines("a = 1 # one")]
    [(1, 'a', '1')]
    """
    if len(answer) > LONGEST_ANSWER or answer.count("\n") > MOST_LINES:
        raise Unreadable(
            f"the answer is too long: at most {MOST_LINES} lines and "
            f"{LONGEST_ANSWER} characters are read"
        )
    lines: list[Line] = []
    start, pending = 0, ""
    for number, raw in enumerate(answer.splitlines(), 1):
        text = raw.split("#")[0]
        if not (pending or text.strip()) or text.strip().startswith("```"):
            continue
        start = start if pending else number
        pending = f"{pending} {text.strip()}".strip()
        if _open_brackets(pending) <= 0:
            lines += _statements(start, pending)
            pending = ""
    return lines + (_statements(start, pending) if pending else [])


def _open_brackets(text: str) -> int:
    return sum((c in "([{") - (c in ")]}") for c in text)


def _statements(number: int, text: str) -> list[Line]:
    return [_line(number, part) for part in text.split(";") if part.strip()]


def _line(number: int, text: str) -> Line:
    match = _HEAD.fullmatch(text)
    if match is None:
        return Line(number, "", "", text.strip())
    argument = (match["args"] or "").strip()
    return Line(number, match["name"], argument, match["body"].strip())


def spell(text: str) -> str:
    """Signs as Python writes them: − as -, ^ as **, √2 as sqrt(2)."""
    text = re.sub(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"((\1)/(\2))", text)
    text = re.sub(r"\\sqrt\s*\{([^{}]*)\}", r"sqrt(\1)", text)
    text = re.sub(r"√\s*(\d+(?:\.\d+)?)", r"sqrt(\1)", text).replace("√", "sqrt")
    return "".join(_SPELLINGS.get(c, c) for c in text)


def syntax(text: str) -> ast.expr:
    """The syntax tree of one expression, if it is small enough to look at."""
    text = spell(text).strip()
    if not text:
        raise Unreadable("there is nothing after the sign =")
    if len(text) > LONGEST_EXPRESSION:
        raise Unreadable(f"an expression has at most {LONGEST_EXPRESSION} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, mode="eval").body
        _require_small(tree)
    except SyntaxError as error:
        raise Unreadable(f"`{shorten(text)}` is not an expression{_hint(text)}") from (
            error
        )
    except (ValueError, MemoryError, RecursionError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable("this expression cannot be read: it is nested too deep") from (
            error
        )
    return tree


def _require_small(tree: ast.expr) -> None:
    nodes, level, depth = 0, [tree], 0
    while level:
        nodes, depth = nodes + len(level), depth + 1
        if depth > DEEPEST or nodes > MOST_NODES:
            raise Unreadable("this expression is too long, or nested too deep")
        children = (child for node in level for child in ast.iter_child_nodes(node))
        level = [child for child in children if isinstance(child, ast.expr)]


def _hint(text: str) -> str:
    opened, closed = sum(map(text.count, "([{")), sum(map(text.count, ")]}"))
    if opened != closed:
        return f": {opened} brackets are opened, {closed} are closed"
    strange = look_alikes(text)
    return f" ({strange})" if strange else ""


def look_alikes(text: str) -> str:
    """The first letter that is not plain Latin or Greek, by its full name."""
    for c in text:
        if c.isalpha() and not c.isascii():
            name = unicodedata.name(c, "an unknown letter")
            if not name.startswith(("GREEK", "LATIN")):
                return f"it has the letter {name}, which only looks familiar"
    return ""


def shorten(text: str, length: int = 60) -> str:
    """The beginning of a text, on one line."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1] + "…"


def dotted_name(node: ast.expr) -> str | None:
    """The name in `sqrt`, `np.sqrt` or `math.sqrt`; None if it is something else."""
    if isinstance(node, ast.Name):
        return node.id
    if (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("np", "numpy", "math", "kl", "kernels")
    ):
        return node.attr
    return None
