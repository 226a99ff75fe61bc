"""Single edits of a derivation, most of which make it wrong."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tests.grading.floats import Misfit, sides
from tests.grading.texts import Step, steps, write

Edit = Callable[[ast.expr, random.Random], ast.expr | None]

# Symbols that a slip of the pen may exchange: the same shape in at least one problem.
ALIKE = (
    ("K", "E", "F", "C", "dC", "S", "G"),
    ("t", "a", "y", "k", "alpha"),
    ("w", "phis", "u"),
    ("lam", "c", "b", "s"),
    ("A", "B"),
    ("x", "z"),
    ("v", "g"),
    ("J", "L", "q", "r", "m", "s2"),
)


@dataclass(frozen=True)
class Mutant:
    """A derivation with one edit, and the step where it was made."""

    text: str
    number: int
    original: Step
    edited: Step
    edit: str


def sign(node: ast.expr, rng: random.Random) -> ast.expr | None:
    """Plus for minus, or minus for plus."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        return ast.BinOp(node.left, other, node.right)
    return node.operand if isinstance(node, ast.UnaryOp) else None


def factor(node: ast.expr, rng: random.Random) -> ast.expr | None:
    """Another number, or a factor 2 too much."""
    if isinstance(node, ast.Constant):
        return ast.Constant(rng.choice([n for n in (0, 1, 2, 3) if n != node.value]))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return ast.BinOp(ast.Constant(2), ast.Mult(), node)
    return None


def symbol(node: ast.expr, rng: random.Random) -> ast.expr | None:
    """Another symbol of a like shape."""
    for group in ALIKE:
        if isinstance(node, ast.Name) and node.id in group:
            return ast.Name(rng.choice([name for name in group if name != node.id]))
    return None


def transpose(node: ast.expr, rng: random.Random) -> ast.expr | None:
    """A transpose lost, or one too much."""
    if isinstance(node, ast.Attribute):
        return node.value
    if isinstance(node, ast.Name) and node.id not in ("N", "M", "D", "P", "Q"):
        return ast.Attribute(node, "T")
    return None


def order(node: ast.expr, rng: random.Random) -> ast.expr | None:
    """Two factors, the two sides of a difference, or of a fraction, exchanged."""
    exchanged = ast.MatMult | ast.Sub | ast.Div
    if isinstance(node, ast.BinOp) and isinstance(node.op, exchanged):
        return ast.BinOp(node.right, node.op, node.left)
    return None


def drop(node: ast.expr, rng: random.Random) -> ast.expr | None:
    """A term or a factor is forgotten."""
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Pow):
        return rng.choice([node.left, node.right])
    return None


def unwrap(node: ast.expr, rng: random.Random) -> ast.expr | None:
    """A function or a power is forgotten: inv(X) becomes X."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        plain = node.func.id in ("inv", "norm2", "trace", "log", "exp", "sqrt", "diag")
        return node.args[0] if plain else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return node.left
    return None


def index(node: ast.expr, rng: random.Random) -> ast.expr | None:
    """Another index."""
    if not isinstance(node, ast.Subscript):
        return None
    changed = copy.deepcopy(node)
    names = [n for n in ast.walk(changed.slice) if isinstance(n, ast.Name)]
    if names:
        chosen = rng.choice(names)
        chosen.id = rng.choice([name for name in "nmij" if name != chosen.id])
    elif isinstance(changed.slice, ast.Constant):
        changed.slice = ast.Constant(1 - int(changed.slice.value))
    return changed


EDITS: tuple[Edit, ...] = (
    sign,
    factor,
    symbol,
    transpose,
    order,
    drop,
    unwrap,
    index,
)


class Replace(ast.NodeTransformer):
    """Replace one node, told by its identity."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def expressions(node: ast.expr) -> list[ast.expr]:
    """The nodes that can be edited: not the names of functions, sizes and indices."""
    fixed: set[int] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            fixed.add(id(part.func))
        if isinstance(part, ast.comprehension):
            fixed |= {id(part.target), id(part.iter)}
        if isinstance(part, ast.Subscript):
            fixed |= {id(inner) for inner in ast.walk(part.slice)}
    found = [part for part in ast.walk(node) if isinstance(part, ast.expr)]
    return [part for part in found if id(part) not in fixed]


def source(node: ast.expr) -> str:
    """The text of an expression; a sum has one pair of brackets, as people write it."""
    text = ast.unparse(node)
    start = text.find("((")
    while start >= 0:
        end = closing(text, start + 1)
        if text[end + 1 : end + 2] == ")" and text[start - 3 : start] == "sum":
            text = text[:start] + text[start + 1 : end] + text[end + 1 :]
        start = text.find("((", start + 1)
    return text


def closing(text: str, at: int) -> int:
    """Where the bracket that opens at `at` closes."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return len(text)


def edit_side(node: ast.expr, edit: Edit, rng: random.Random) -> str | None:
    """One random edit of one side, as text."""
    places = expressions(node)
    rng.shuffle(places)
    for place in places:
        new = edit(place, rng)
        if new is not None:
            return source(Replace(place, copy.deepcopy(new)).visit(node))
    return None


def edit_relation(step: Step, edit: Edit, rng: random.Random) -> Step | None:
    """One random edit of one side that the step itself writes."""
    try:
        nodes, signs = sides(step.whole)
    except Misfit:
        return None
    first = 1 if step.start else 0
    which = rng.randrange(first, len(nodes))
    new = edit_side(nodes[which], edit, rng)
    if new is None:
        return None
    parts = [source(node) for node in nodes]
    parts[which] = new
    return replace(step, relation=join(parts, signs, first))


def join(parts: list[str], signs: list[str], first: int) -> str:
    """The sides from `first` on, with the signs before them."""
    text = "" if first else parts[0]
    for mark, part in zip(signs, parts[1:], strict=True):
        text += f" {mark} {part}"
    return text.strip()


def mutants(text: str, rng: random.Random) -> Iterator[Mutant]:
    """Random derivations that differ from the given one in a single edit."""
    found = steps(text)
    places = [i for i, step in enumerate(found) if not step.states]
    while places:
        at, edit = rng.choice(places), rng.choice(EDITS)
        edited = edit_relation(found[at], edit, rng)
        if edited is None or edited.whole == found[at].whole:
            continue
        changed = write([*found[:at], edited, *found[at + 1 :]])
        yield Mutant(changed, at + 1, found[at], edited, edit.__name__)
