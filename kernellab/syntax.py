"""Expressions as Python syntax trees: parsed within bounds, never evaluated.

Callers walk the tree and know a few node types each.
"""

from __future__ import annotations

import ast
import copy
import re
import unicodedata
import warnings
from collections.abc import Mapping

MAX_LETTERS = 2_000
MAX_DEPTH = 60
MAX_NODES = 800

_SPELLINGS = {
    "−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "^": "**", "²": "**2",
    "³": "**3", "⁴": "**4", "⁵": "**5", "⁶": "**6", "π": "pi", "½": "(1/2)",
    "¼": "(1/4)", "¾": "(3/4)", "∘": "*",
    "\u00a0": " ", "\u200b": "", "\ufeff": "",
}  # fmt: skip


class Unreadable(ValueError):
    """A text that is not in the language; the message says why and what is."""


def spell(text: str) -> str:
    """Write signs as Python does: − as -, ^ as **, √2 as sqrt(2)."""
    text = re.sub(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"((\1)/(\2))", text)
    text = re.sub(r"\\sqrt\s*\{([^{}]*)\}", r"sqrt(\1)", text)
    text = re.sub(r"√\s*(\d+(?:\.\d+)?)", r"sqrt(\1)", text).replace("√", "sqrt")
    return "".join(_SPELLINGS.get(c, c) for c in text)


def syntax(text: str) -> ast.expr:
    """Parse one expression into its syntax tree, if it is small enough to look at.

    >>> type(syntax("2·x^2 − 1")).__name__
    'BinOp'
    """
    text = spell(text).strip()
    if not text:
        raise Unreadable("there is nothing after the sign =")
    if len(text) > MAX_LETTERS:
        raise Unreadable(f"an expression has at most {MAX_LETTERS} characters")
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


def with_names(tree: ast.expr, known: Mapping[str, ast.expr]) -> ast.expr:
    """Put what names stand for in their places, if that is not too long.

    >>> ast.unparse(with_names(syntax("2*p"), {"p": syntax("1 + x")}))
    '2 * (1 + x)'
    """
    found: ast.expr = _Names(known).visit(copy.deepcopy(tree))
    _require_small(found)
    return found


class _Names(ast.NodeTransformer):
    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.known.get(node.id, node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(arg) for arg in node.args]
        return node


def _require_small(tree: ast.expr) -> None:
    nodes, level, depth = 0, [tree], 0
    while level:
        nodes, depth = nodes + len(level), depth + 1
        if depth > MAX_DEPTH or nodes > MAX_NODES:
            raise Unreadable("this expression is too long, or nested too deep")
        children = (child for node in level for child in ast.iter_child_nodes(node))
        level = [child for child in children if isinstance(child, ast.expr)]


def _hint(text: str) -> str:
    opened, closed = sum(map(text.count, "([{")), sum(map(text.count, ")]}"))
    if opened != closed:
        brackets = counted(opened, "bracket is", "brackets are")
        return f": {brackets} opened, {counted(closed, 'is', 'are')} closed"
    strange = look_alikes(text)
    return f" ({strange})" if strange else ""


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: "1 point", "2 points", "1 bracket is".

    >>> counted(1, "point"), counted(3, "point"), counted(0, "child", "children")
    ('1 point', '3 points', '0 children')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def look_alikes(text: str) -> str:
    """Name the first letter that is not plain Latin or Greek."""
    for c in text:
        if c.isalpha() and not c.isascii():
            name = unicodedata.name(c, "an unknown letter")
            if not name.startswith(("GREEK", "LATIN")):
                return f"it has the letter {name}, which only looks familiar"
    return ""


def shorten(text: str, length: int = 60) -> str:
    """Return the beginning of a text, on one line."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1] + "…"


def dotted_name(node: ast.expr) -> str | None:
    """Return the name in `sqrt`, `np.sqrt` or `math.sqrt`; None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("np", "numpy", "math", "kl", "kernels")
    ):
        return node.attr
    return None


def source(node: ast.expr) -> str:
    """Return the text of a piece of an expression."""
    try:
        return shorten(ast.unparse(node), 40)
    except (RecursionError, ValueError):
        return "…"
