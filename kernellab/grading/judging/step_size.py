"""The size of a step: how many facts a line uses beside the line before.

To exchange names and what they stand for is one step, however many they are: from
q = vᵀKv with K = XAXᵀ and A = RᵀR to q = vᵀXRᵀRXᵀv nothing has to be found, and from
k = exp(a)·exp(b)·exp(c) to k = f·e·g neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Statement
from kernellab.grading.language.tree import NUMBER, Expr, terms
from kernellab.grading.proving.elements import SYMMETRIC
from kernellab.grading.proving.knowledge import Knowledge, Link, aim


def is_within(context: Context, line: Statement, link: int, most: int) -> bool:
    """Return True if a link of a line that stands has a proof of at most so many facts.

    The proof that was found first need not be the shortest; and to write definitions
    in place of their names is one fact, however many they are. The order of a chain
    does not matter: 0 = E = ∇J may use E = ∇J.
    """
    if most and puts_in(context, line, link):
        return True
    above = [s for s in context.statements if s.number < line.number]
    past = replace(context, statements=above)
    links = line.links()
    variables = frozenset(context.problem.variables)
    after = [other for other in links[link + 1 :] if past.proof(other)]
    chain, at = [*links[:link], *after], variables & context.stationary
    known = past.knowledge(chain, stationary=at)
    proof = past.prover(known).prove(links[link], most)
    if proof is not None and proof.cost <= most:
        return True
    return cites_lines(past, known, links[link], most)


def cites_lines(context: Context, known: Knowledge, link: Link, most: int) -> bool:
    """Return True if a link is what lines that stand give, but for one name.

    From w = (ΦᵀΦ + λI)⁻¹Φᵀt and (ΦᵀΦ + λI)⁻¹Φᵀ = Φᵀ(ΦΦᵀ + λI)⁻¹ to
    w = Φᵀ(K + λI)⁻¹t only K has to be put in; nothing is inverted on the way. The
    lines have shown their own steps: those that repeat a definition count, no others.
    """
    if link.sign != "=":
        return False
    lines = frozenset(k.fact for k in known.links if k.label[0] == "line")
    names = sorted(link.names & context.definitions() - context.own)
    for opened in ((), *((name,) for name in names)):
        left, right = (context.opened(s, set(opened)) for s in (link.left, link.right))
        claim = aim(left, link.sign, right, link.free)
        proof = context.prover(known).cite(claim, lines)
        if proof is None or proof.cost > context.problem.max_facts:
            continue
        repeated = sum(fact[0] == "definition" for fact in proof.facts)
        if len(opened) + repeated <= most:
            return True
    return False


# Names exchanged


def puts_in(context: Context, line: Statement, link: int) -> bool:
    """Return True if a link is the line before, with definitions written out.

    That line must be about the same: what else it says is no reason for this one.
    """
    left, right = line.relation.sides[link : link + 2]
    steps = [
        s for s in context.statements if s.number < line.number and s.kind == "step"
    ]
    about = (s.relation.sides for s in steps[-1:] if left in s.relation.sides)
    before = [side for sides in about for side in sides]
    target = _written(context, context.opened(right, context.own))
    for base in (left, *before):
        names = context.behind(base.names) & context.definitions() - right.names
        if _written(context, context.opened(base, names)) == target:
            return True
    return False


def exchanges_names(context: Context, link: Link, chain: Sequence[Expr] = ()) -> bool:
    """Return True if an equation is the line before, but for names of what is there.

    A line that only repeats a definition is no such line, and neither is a chain that
    has only said that something is itself.

    Parameters
    ----------
    chain : the sides that it continues.
    """
    if link.sign != "=":
        return False
    last = context.steps()[-1:] if link.chain == link.label[1] else []
    equal = (s.relation.sides for s in last if set(s.relation.signs) == {"="})
    before = [side for sides in equal if link.left in sides for side in sides]
    written = _written(context, link.left)
    if any(_written(context, side) != written for side in chain):
        before.append(link.left)  # the side that this one continues
    names = context.definitions() - {link.left.data}
    target = _written(context, context.opened(link.right, names))
    repeated = (
        context.scope.definition(link.left.data) if link.left.op == "sym" else None
    )
    return any(
        _written(context, context.opened(side, names)) == target
        for side in before
        if side.op != "sym" and side != repeated
    )


def _written(context: Context, node: Expr) -> object:
    """Return how an expression is written, but for brackets and the order of terms."""
    if node.op == "div" and node.args[0].op == "neg":  # (−a)/b is −(a/b)
        top, bottom = node.args
        return _written(context, -replace(node, args=(top.args[0], bottom)))
    if node.op in ("add", "sub", "neg"):
        parts = [(sign, _written(context, term)) for sign, term in terms(node)]
        return "sum", sorted(parts, key=repr)
    if node.op in ("mul", "transpose"):
        factors = _factors(context, node)
        numbers = sorted((f for f, number in factors if number), key=repr)
        return "product", numbers, [f for f, number in factors if not number]
    return node.op, node.data, [_written(context, arg) for arg in node.args]


def _factors(
    context: Context, node: Expr, turned: bool = False
) -> list[tuple[object, bool]]:
    """Return the factors of a product, transposes at the factors themselves."""
    if node.op == "transpose":
        return _factors(context, node.args[0], not turned)
    if node.op == "mul":
        parts = [_factors(context, arg, turned) for arg in node.args]
        return [f for part in (parts[::-1] if turned else parts) for f in part]
    symbol = context.symbols.get(node.data) if node.op == "sym" else None
    symmetric = symbol is not None and symbol.kind in SYMMETRIC
    plain = node.shape == NUMBER or symmetric or node.data == "diag" or not turned
    return [((plain, _written(context, node)), node.shape == NUMBER)]
