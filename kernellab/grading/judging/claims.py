"""Claims: unique(a), not unique(a), invertible(K), and how they are proved.

A quantity is unique if it has a value free of the unknowns wherever the gradients
vanish, or if all that it is made of has. It is not, if for some data every value of it
makes the gradients vanish.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kernellab.grading.certificates import OTHER
from kernellab.grading.instances.claims import decide_claim
from kernellab.grading.instances.counterexamples import singular
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.licences import licensed
from kernellab.grading.judging.statements import Passed, Rejected
from kernellab.grading.judging.sufficiency import without_optimum
from kernellab.grading.judging.truth import setting
from kernellab.grading.judging.wording import listed, shown, used
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.said import Said
from kernellab.grading.language.tree import Expr, Relation, call, num, sym
from kernellab.grading.problem import moved_gradient, others, replaced
from kernellab.grading.proving.facts import written_gradient
from kernellab.grading.proving.knowledge import Link, aim
from kernellab.grading.proving.networks import Poly, Term, Untranslatable
from kernellab.grading.proving.proofs import Proof

MOST_FACTS = 5  # of the proof of a claim, which is no step of the derivation


def claim(context: Context, number: int, node: Expr, words: Said) -> Passed:
    """Prove a claim, or take it as an assumption that the problem allows."""
    inner = node.args[0] if node.op == "not" else node
    if inner.op not in ("unique", "invertible"):
        raise ReadError(
            "a line is a relation (with =, >= or <=) or a claim; what is only an "
            "expression begins a chain, if the next line begins with ="
        )
    may = node.op == "invertible" and str(node.args[0]) in context.problem.assumable
    if words.assuming and may:
        context.invertible += (node.args[0],)
        context.said.append(("assume", node.args[0], number))
        return Passed()
    if node.op == "invertible" and licensed(context, node.args[0]):
        link = Link(("line", number, 0), node, "", node)
        return Passed(proofs=(Proof(link, by="claim"),))
    about = inner.args[0]
    free = context.behind(about.names) & set(context.problem.unknowns)
    if inner.op == "unique" and free and not _is_unknown(context, about):
        sought = listed(f"`{name}`" for name in context.problem.sought)
        why = f"`{about}` is free here: the gradient is taken by {sought}"
        raise Rejected(f"`{node}` is not true: {why}", "claim")
    true = decide_claim(setting(context), node, context.rng)
    if true is None:
        raise Rejected(f"I can find no values that decide `{node}`", "claim")
    if not true:
        why = _contrary(context, node)
        if may:
            why = f" in general; to assume it, write “assume {node.args[0]} invertible”"
        raise Rejected(f"`{node}` is not true{why}", "claim")
    proof = _uniqueness(context, number, node) if inner.op == "unique" else None
    if proof is None:
        found = f"`{node}` holds in all instances that I tried, but I found no proof"
        first = f"; first write the equation that determines `{about}`"
        raise Rejected(found + first * (node.op == "unique"), "claim")
    return Passed(proofs=(proof,))


def _contrary(context: Context, node: Expr) -> str:
    """Say why the contrary of a claim holds, if it can be proved."""
    contrary = node.args[0] if node.op == "not" else Expr("not", (node,))
    about = contrary.args[0] if contrary.op == "not" else contrary
    proof = _uniqueness(context, 0, contrary) if about.op == "unique" else None
    if proof:
        return f": {used(context, 0, [proof])}"
    if node.op == "unique":
        return f": there are data for which {shown(about.args[0])} has several values"
    example = singular(setting(context), about.args[0])
    return f": it is singular for {example}" if example else ""


def _uniqueness(context: Context, number: int, node: Expr) -> Proof | None:
    """Prove a claim, which is a link without a right side."""
    proof = Proof(Link(("line", number, 0), node, "", node))
    if node.op != "not":
        parts = _values(context, node.args[0])
        found = replace(proof, by="unique", parts=tuple(parts or ()))
        return None if parts is None else found
    x = node.args[0].args[0]
    if x.op != "sym" or x.data not in context.problem.variables:
        return None
    if context.symbols[x.data].definition is not None:
        return None
    if names := _without_which_all_vanishes(context, x):
        return replace(proof, by="not unique", witness=tuple(names))
    moved = _moved(context, x)
    return replace(proof, by="moved", parts=moved) if moved else None


# One value


def _values(context: Context, x: Expr) -> list[Proof] | None:
    """Return proofs that x, or else all that it is made of, has one value."""
    if not _is_unknown(context, x):
        return []
    for value in _candidates(context, x):
        proof = None if _is_unknown(context, value) else _holds(context, x, "=", value)
        if proof is not None:
            return [proof]
    same = _same_elsewhere(context, x)
    if same is not None:
        return [same]
    parts = x.args
    if x.op == "sym":
        definition = context.symbols[x.data].definition
        parts = () if definition is None else (definition,)
    found = [_values(context, part) for part in parts]
    if not found or None in found:
        return None
    return [proof for one in found for proof in one or ()]


def _is_unknown(context: Context, x: Expr) -> bool:
    """Return True if an expression depends on what is to be found."""
    return bool(context.behind(x.names) & set(context.problem.sought))


def _candidates(context: Context, x: Expr) -> Iterator[Expr]:
    """Yield what x might be: as a line or a goal says, or with unknowns replaced."""
    goals = [
        context.problem.parse(milestone.relation)
        for route in context.problem.routes
        for milestone in route.milestones
    ]
    relations = [*(s.relation for s in context.statements), *goals]
    known = dict(_solved(context, [*relations, *context.problem.equations]))
    if str(x) in known:
        yield known[str(x)]
    if x.op != "sym":
        yield x.map(lambda node: known.get(str(node), node))


def _solved(context: Context, relations: list[Relation]) -> Iterator[tuple[str, Expr]]:
    """Yield each x = E with E free of the unknowns."""
    for relation in relations:
        for one in relation.sides:
            for two in relation.sides if set(relation.signs) == {"="} else ():
                if one.op == "sym" and two is not one and not _is_unknown(context, two):
                    yield one.data, two


def _holds(context: Context, left: Expr, sign: str, right: Expr) -> Proof | None:
    """Prove a relation at every point at which the gradients vanish."""
    known = without_optimum(context.knowledge(), ("sufficient",))
    known = replace(known, stationary=frozenset(context.problem.variables))
    return context.proof(aim(left, sign, right), known, MOST_FACTS)


def _same_elsewhere(context: Context, x: Expr) -> Proof | None:
    """Prove that x has the same value at another solution of the lines that stand."""
    new, twins = others(context.problem, context.symbols)
    both = replace(context, symbols={**context.symbols, **twins}, _memory=None)
    known = without_optimum(both.knowledge(), ("sufficient", "supposed"))

    def there(node: Expr) -> Expr:
        return replaced(context.symbols, node, new)

    again = [
        replace(link, label=("line", OTHER - link.label[1], link.label[2]),
                left=there(link.left), right=there(link.right))
        for link in known.links
        if link.label[0] == "line" and _is_unknown(context, link.left)
    ]  # fmt: skip
    if not again:
        return None
    known = replace(known, links=(*known.links, *again))
    return both.proof(aim(x, "=", there(x)), known, MOST_FACTS)


# More than one value


def _moved(context: Context, x: Expr) -> tuple[Proof, ...]:
    """Prove that a solution x may be moved by some u that is not 0."""
    variables, symbols = context.problem.variables, context.symbols
    if any(symbols[v].definition is not None for v in variables):
        return ()
    for name, symbol in symbols.items():
        u = sym(name, symbol.shape)
        if u.shape != x.shape or _is_unknown(context, u):
            continue
        long = _holds(context, call("norm2", u), ">", num(0))
        if long is None:
            continue
        aims = [moved_gradient(context.problem, symbols, x, u, v) for v in variables]
        found = [_holds(context, g, "=", num(0, g.shape)) for g in aims]
        if None not in found:
            return (long, *(proof for proof in found if proof))
    return ()


def _without_which_all_vanishes(context: Context, x: Expr) -> list[str] | None:
    """Return names that make all gradients vanish if they are 0, whatever x is."""
    problem = context.problem
    if context.invertible:
        return None
    try:
        gradients = [_gradient(context, v) for v in problem.variables]
    except Untranslatable:
        return None
    free = {v for v in problem.variables if context.symbols[v].definition is None}
    for data in (set[str](), *({name} for name in problem.free_data)):
        zero = (free - {x.data}) | data
        if all(_vanishes(context, g, zero) for g in gradients):
            return sorted(zero)
    return None


def _gradient(context: Context, name: str) -> Poly:
    """Return the gradient of the object by a variable, written out."""
    J, _ = context.problem.gradient(name).args
    t = context.translator(context.definitions() - {name})
    return written_gradient(t, J, name)


def _vanishes(context: Context, poly: Poly, zero: set[str]) -> bool:
    """Return True if every term has a factor that is 0 with these names."""
    algebra = context.algebra

    def has_zero(term: Term) -> bool:
        raw = algebra.opened(term, 1, nets=True)
        atoms = [a for a, p in raw.powers.items() if p > 0]
        known = (algebra.atoms[a] for a in (*atoms, *dict(raw.factors)))
        names = (atom.data for atom in known if atom.kind == "symbol")
        return any(_is_zero(context, name, zero) for name in names)

    return all(map(has_zero, poly))


def _is_zero(context: Context, name: str, zero: set[str]) -> bool:
    definition = context.scope.definition(name)
    if definition is None:
        return name in zero
    return _vanishes(context, context.translator()(definition), zero)
