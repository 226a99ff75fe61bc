"""Random rewrites that keep a derivation right."""

from __future__ import annotations

import ast
import copy
import random
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tests.grading.float_instances import worlds
from tests.grading.floats import Evaluator, Misfit, World, holds, plain, sides
from tests.grading.mutation import Replace, expressions, join, source
from tests.grading.texts import Step, insert, steps, write

Shape = Callable[[ast.expr], tuple[int, ...] | None]

# Ways to say the same; the first reason of a family is how the texts begin it.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "substitute w": ("plug in w", "substitute w", "def w", "substituting w"),
    "substitute a": ("plug in a", "def a", "substitute a"),
    "def K": ("definition of K", "by definition of K", "substitute K", "def K"),
    "def E": ("definition of E", "substitute E"),
    "def F": ("definition of F", "substitute F"),
    "def S": ("definition of S", "substitute S"),
    "def G": ("definition of G", "substitute G"),
    "def k": ("definition of k", "substitute k"),
    "def z": ("definition of z", "substitute z", "plug in z"),
    "def cov": ("definition of cov",),
    "let z": ("define z", "let z"),
    "let a": ("define a", "let a"),
    "gradient": ("differentiate", "derivative", "take the gradient", "chain rule"),
    "derivative": ("differentiate", "gradient", "chain rule"),
    "set to zero": ("stationarity", "first-order condition", "set to zero"),
    "sufficient": ("it suffices", "sufficient", "it is sufficient"),
    "nonneg": ("psd", "nonneg"),
    "psd": ("nonneg", "psd"),
    "independence": ("by independence", "independence"),
    "Jacobi": ("Jacobi's formula", "Jacobi"),
    "inverse K + lam*I": (
        "inverse",
        "inverse lam*I + K",
        "multiply by the inverse of K + lam*I",
        "cancel inverse K + lam*I",
    ),
    "inverse C": ("inverse", "cancel inverse C", "multiply by the inverse of C"),
}
ALGEBRA = ("expand", "factor", "rearrange", "collect", "algebra", "simplify")
ALGEBRA_MORE = (*ALGEBRA, "distribute", "transpose", "collect terms", "move")


def shapes(world: World) -> Shape:
    """The shape of an expression without free indices, or None."""
    evaluate = Evaluator(world, {})

    def shape(node: ast.expr) -> tuple[int, ...] | None:
        try:
            return plain(evaluate(node)).shape
        except (Misfit, KeyError, np.linalg.LinAlgError):
            return None

    return shape


def commute(node: ast.expr, shape: Shape) -> ast.expr | None:
    """A + B as B + A, A - B as -B + A, 2*X as X*2."""
    if not isinstance(node, ast.BinOp):
        return None
    if isinstance(node.op, ast.Add):
        return ast.BinOp(node.right, ast.Add(), node.left)
    if isinstance(node.op, ast.Sub):
        return ast.BinOp(ast.UnaryOp(ast.USub(), node.right), ast.Add(), node.left)
    if isinstance(node.op, ast.Mult):
        return ast.BinOp(node.right, ast.Mult(), node.left)
    return None


def flip(node: ast.expr, shape: Shape) -> ast.expr | None:
    """An inner product u.T@v as v.T@u."""
    is_product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
    if not is_product or shape(node) != (1, 1) or shape(node.left) in (None, (1, 1)):
        return None
    return ast.BinOp(turned(node.right), ast.MatMult(), turned(node.left))


def turned(node: ast.expr) -> ast.expr:
    """The transpose, without writing .T twice."""
    return node.value if isinstance(node, ast.Attribute) else ast.Attribute(node, "T")


def spread(node: ast.expr, shape: Shape) -> ast.expr | None:
    """(A@B).T as B.T@A.T."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.BinOp):
        inner = node.value
        if isinstance(inner.op, ast.MatMult):
            return ast.BinOp(turned(inner.right), ast.MatMult(), turned(inner.left))
        if isinstance(inner.op, ast.Add | ast.Sub):
            return ast.BinOp(turned(inner.left), inner.op, turned(inner.right))
    return None


def distribute(node: ast.expr, shape: Shape) -> ast.expr | None:
    """X@(A + B) as X@A + X@B, and the same for numbers and from the right."""
    if not isinstance(node, ast.BinOp):
        return None
    if not isinstance(node.op, ast.Mult | ast.MatMult):
        return None
    for inner, side in ((node.right, "right"), (node.left, "left")):
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Add | ast.Sub):
            left, right = inner.left, inner.right
            if side == "right":
                new = [ast.BinOp(node.left, node.op, part) for part in (left, right)]
            else:
                new = [ast.BinOp(part, node.op, node.right) for part in (left, right)]
            return ast.BinOp(new[0], inner.op, new[1])
    return None


def norm(node: ast.expr, shape: Shape) -> ast.expr | None:
    """norm2(u) as u.T@u or dot(u, u), for a column."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        inner = shape(node.args[0]) if node.func.id == "norm2" else None
        if inner is not None and inner[1] == 1:
            return ast.BinOp(turned(node.args[0]), ast.MatMult(), node.args[0])
    return None


REWRITES = (commute, flip, spread, distribute, norm)


def rewrite_side(
    node: ast.expr, shape: Shape, rng: random.Random, keep: bool
) -> str | None:
    """One random rewrite of a side; `keep` leaves its form as it is."""
    ways = [way for way in REWRITES if not (keep and way in (distribute, norm))]
    places = [(place, way) for place in expressions(node) for way in ways]
    rng.shuffle(places)
    for place, way in places:
        new = way(place, shape)
        if new is not None:
            return source(Replace(place, copy.deepcopy(new)).visit(node))
    return None


def rewritten(
    step: Step, problem: str, rng: random.Random, keep: bool = False
) -> Step | None:
    """A step with one right side rewritten, checked in floats."""
    try:
        nodes, signs = sides(step.whole)
    except Misfit:
        return None
    if len(nodes) < 2:
        return None
    which = rng.randrange(1, len(nodes))
    shape = shapes(next(iter(worlds(problem).values()))[0])
    new = rewrite_side(nodes[which], shape, rng, keep)
    if new is None:
        return None
    parts = [source(node) for node in nodes]
    parts[which] = new
    changed = replace(step, relation=join(parts, signs, 1 if step.start else 0))
    return changed if same(step.whole, changed.whole, problem) else None


def same(old: str, new: str, problem: str) -> bool:
    """Whether both relations hold in the same worlds."""
    for instances in worlds(problem).values():
        for world in instances:
            try:
                if holds(old, world) != holds(new, world):
                    return False
            except (Misfit, np.linalg.LinAlgError):
                return False
    return True


Move = Callable[[list[Step], str, random.Random], list[Step] | None]


def reorder(found: list[Step], problem: str, rng: random.Random) -> list[Step] | None:
    """Rewrite one side of one step."""
    at = rng.randrange(len(found))
    if found[at].states or found[at].names:
        return None
    last = at >= len(found) - 2
    shown = not last and "Cauchy-Schwarz" in found[at + 1].reasons  # of what, it says
    step = rewritten(found[at], problem, rng, keep=last or shown)
    return None if step is None else [*found[:at], step, *found[at + 1 :]]


def rename(found: list[Step], problem: str, rng: random.Random) -> list[Step] | None:
    """Say one reason in another way."""
    at = rng.randrange(len(found))
    reasons = list(found[at].reasons)
    for i, reason in enumerate(reasons):
        if reason in SYNONYMS:
            reasons[i] = rng.choice(SYNONYMS[reason])
        elif reason in ALGEBRA:
            reasons[i] = rng.choice(ALGEBRA_MORE)
    return with_reasons(found, at, reasons)


def with_reasons(found: list[Step], at: int, reasons: list[str]) -> list[Step] | None:
    """The steps with other reasons at one place."""
    if tuple(reasons) == found[at].reasons:
        return None
    return [*found[:at], replace(found[at], reasons=tuple(reasons)), *found[at + 1 :]]


def turn_reasons(
    found: list[Step], problem: str, rng: random.Random
) -> list[Step] | None:
    """The reasons of a step in another order, or with one about algebra more."""
    at = rng.randrange(len(found))
    if not found[at].reasons or found[at].states or found[at].names:
        return None
    reasons = list(found[at].reasons)
    if len(reasons) > 1:
        reasons.reverse()
    else:
        reasons.append(rng.choice(ALGEBRA))
    return with_reasons(found, at, reasons)


def add_step(found: list[Step], problem: str, rng: random.Random) -> list[Step] | None:
    """Insert a step of pure algebra."""
    at = rng.randrange(len(found))
    old = found[at]
    if old.states or old.names or any(step.start for step in found):
        return None
    step = rewritten(old, problem, rng, keep=at >= len(found) - 2)
    if step is None or ">=" in old.relation or old.relation.count(" = ") != 1:
        return None
    reasons = (rng.choice(ALGEBRA),) if rng.random() < 0.7 else ()
    return insert(found, at + 1, replace(step, reasons=reasons))


def split_zero(
    found: list[Step], problem: str, rng: random.Random
) -> list[Step] | None:
    """Write the gradient = 0 before it is rearranged."""
    for at in range(1, len(found)):
        step, before = found[at], found[at - 1]
        rest = tuple(r for r in step.reasons if r != "set to zero")
        free = all(r in ALGEBRA_MORE or r.startswith("divide") for r in rest)
        is_gradient = before.relation.startswith(("grad(", "diff("))
        if len(rest) == len(step.reasons) or not free or not is_gradient:
            continue
        if before.relation.count("=") != 1 or step.start or before.start:
            continue
        zero = Step(before.relation.split("=")[1].strip() + " = 0", ("set to zero",))
        if step.relation.startswith(("grad(", "diff(")) or tight(step) == tight(zero):
            continue
        later = replace(step, reasons=rest)
        return insert([*found[:at], later, *found[at + 1 :]], at, zero)
    return None


def tight(step: Step) -> str:
    """A relation without its spaces."""
    return step.relation.replace(" ", "")


def split_facts(
    found: list[Step], problem: str, rng: random.Random
) -> list[Step] | None:
    """Two facts opened in one step: first w, then K."""
    for at, step in enumerate(found):
        if set(step.reasons) != {"substitute w", "def K"} or step.start:
            continue
        if step.relation.count("=") != 1:
            continue
        left, right = step.relation.split("=")
        opened = re.sub(r"\bK\b(?!\[)", "(Phi@Phi.T)", right)
        if "K[" in opened or opened == right or "K" in left:
            continue
        first = Step(f"{left.strip()} = {opened.strip()}", ("substitute w",))
        later = replace(step, reasons=("def K",))
        return insert([*found[:at], later, *found[at + 1 :]], at, first)
    return None


def spell(found: list[Step], problem: str, rng: random.Random) -> list[Step] | None:
    """Greek letters, superscripts, or another spacing."""
    swaps = [
        (r"\blam\b", "λ"),
        (r"\bPhi\b", "Φ"),
        (r"\balpha\b", "α"),
        (r"\.T\b", "ᵀ"),
        (r"\*\*2\b", "²"),
        (r" (?=[-+*/@])|(?<=[-+*/@]) ", ""),
    ]
    old, new = rng.choice(swaps)
    if not new and any("for " in step.relation for step in found):
        return None
    changed = [replace(s, relation=re.sub(old, new, s.relation)) for s in found]
    return None if changed == found else changed


MOVES: tuple[Move, ...] = (
    reorder,
    reorder,
    rename,
    turn_reasons,
    add_step,
    split_zero,
    split_facts,
)


def rewrites(text: str, rng: random.Random, problem: str, moves: int = 3) -> str:
    """The derivation after some random moves that keep it right."""
    found = steps(text)
    done = 0
    for _ in range(8 * moves):
        changed = rng.choice(MOVES)(found, problem, rng)
        if changed is not None:
            found, done = changed, done + 1
        if done == moves:
            break
    if rng.random() < 0.3:
        found = spell(found, problem, rng) or found
    return write(found)
