"""Lines that need not follow: names of the student's own, and assumptions."""

from __future__ import annotations

from dataclasses import replace

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.licences import check_licences, licensed
from kernellab.grading.judging.statements import Passed, Rejected, Statement
from kernellab.grading.judging.wording import listed, quoted, shown
from kernellab.grading.language.said import Said
from kernellab.grading.language.shapes import describe
from kernellab.grading.language.steps import Step
from kernellab.grading.language.tree import NUMBER, Expr, Relation, sym
from kernellab.grading.language.vocabulary import reserved
from kernellab.grading.proving.facts import vanishes
from kernellab.grading.proving.knowledge import Link
from kernellab.grading.symbols import Symbol

MAX_WRITTEN = 3000  # nodes of an expression in which all names are written out


def is_new(context: Context, step: Step) -> bool:
    """Return True if a line that names something introduces it.

    “where K = ΦΦᵀ” restates what is declared, and is a line like others.
    """
    known = step.let in context.symbols and step.let not in context.problem.definable
    word = step.text.lstrip("$ ").lower()
    return not known or word.startswith(("let", "define"))


def let(context: Context, number: int, step: Step) -> Passed:
    """Introduce a name for an expression."""
    name = step.let
    assert name is not None
    relation = context.read(step.relation, name)
    definition = _definition(context, name, relation)
    _check_name(context, name, definition)
    if _written_size(context, definition, {}) > MAX_WRITTEN:
        raise Rejected(
            "written out, this is too long: name parts that are smaller", "let"
        )
    # A name keeps its meaning when a case ends, so that the case licenses nothing.
    check_licences(replace(context, case=0), [definition])
    shape = definition.shape or NUMBER
    if name in context.symbols and name not in context.problem.sizes:
        _refuse_goal(context, name, definition)
        _forget(context, name)
    kind = _kind(context, definition)
    context.symbols[name] = Symbol(name, shape, kind, definition)
    context.own |= {name}
    left = sym(name, shape)
    made = Relation((left, definition), ("=",))
    context.statements.append(Statement(number, made, {}, kind="let", chain=number))
    return Passed()


def _definition(context: Context, name: str, relation: Relation) -> Expr:
    """Return the right side; a[n] = … defines a column by its entries."""
    left = relation.sides[0]
    index = left.data[0] if left.op == "index" and left.args[0] == sym(name) else ""
    whole = left.args[0] if index else left
    if whole != sym(name) or relation.signs != ("=",):
        raise Rejected(f"a definition has the form `{name}` = …", "let")
    shaped, free = context.shaped(Relation((relation.sides[1],), ()))
    side = shaped.sides[0]
    if name in side.symbols():
        raise Rejected(f"`{name}` is defined by itself", "let")
    if index and set(free) == {index} and side.shape == NUMBER:
        return Expr("stack", (side,), (index, free[index]), (free[index], "1"))
    if index or free:
        raise Rejected(_free_index(name, side, free), "let")
    return side


def _free_index(name: str, side: Expr, free: dict[str, str]) -> str:
    """Say what to do about the indices of a definition that are bound by no sum."""
    which = f"the index {listed(sorted(free))} is bound by no sum"
    if len(free) == 1 and side.shape == NUMBER:
        return f"{which}: write `{name}[{next(iter(free))}]` = … to define a column"
    return f"{which}: a definition has none, or one, as in `{name}[n]` = …"


def _check_name(context: Context, name: str, definition: Expr) -> None:
    problem = context.problem
    own = frozenset(context.symbols) - context.own
    words = problem.words(own)
    shadow = name in problem.sizes and definition.shape != NUMBER
    using = (s.number for s in context.statements if name in s.relation.symbols())
    used = next(using, 0)
    if name in context.own:
        raise Rejected(f"`{name}` is named in line {used}: take another name", "let")
    if _is_component(context, name):
        raise Rejected(f"`{name}` is in use already: take another name", "let")
    fixed = ["e"] * problem.uses_exp + ["d"] * bool(problem.tangents)
    why = None if shadow else reserved(name, words, problem.definable, fixed)
    if why is not None:
        raise Rejected(why, "let")
    if name in own and used:
        meant = f"`{name}` occurs in line {used}, as the problem means it"
        raise Rejected(f"{meant}: name it before that, or take another name", "let")
    if name in own and definition.shape != context.symbols[name].shape:
        known, new = context.symbols[name].shape, definition.shape or NUMBER
        raise Rejected(
            f"`{name}` is {describe(known)}, and this is {describe(new)}", "let"
        )


def _is_component(context: Context, name: str) -> bool:
    """Return True if a line above has this name as a component, x1 for x_1."""
    column = name.rstrip("0123456789")
    if column == name:
        return False
    place = int(name[len(column) :]) - context.one_based
    entry = Expr("index", (sym(column),), (place,))
    sides = (side for s in context.statements for side in s.relation.sides)
    return any(node == entry for side in sides for node in side.walk())


def _written_size(context: Context, node: Expr, known: dict[str, int]) -> int:
    """Return how many nodes an expression has without the student's names."""
    total = 0
    for part in node.walk():
        total += 1
        if part.op == "sym" and part.data in context.own:
            definition = context.symbols[part.data].definition
            if part.data not in known and definition is not None:
                known[part.data] = _written_size(context, definition, known)
            total += known.get(part.data, 0)
    return total


def _forget(context: Context, name: str) -> None:
    """What was defined through a name has to be derived, now that the name is new."""
    for old in list(context.symbols.values()):
        if old.definition is not None and name in old.definition.symbols():
            context.symbols[old.name] = Symbol(old.name, old.shape, old.kind)
            context.owed += (Link((), sym(old.name, old.shape), "=", old.definition),)


def owes(context: Context, name: str) -> str:
    """Return what has to be derived now that the student defined a name."""
    owed = [link for link in context.owed if name in link.right.names]
    if not owed:
        return ""
    said = listed(shown(Relation((k.left, k.right), ("=",))) for k in owed)
    return f"{said}, given before, now has to be derived"


def _refuse_goal(context: Context, name: str, definition: Expr) -> None:
    """A definition may not be the goal itself, nor an explicit formula for it."""
    poly = context.signs(context.definitions()).poly
    for route in context.problem.routes:
        left, right = context.problem.parse(route.milestones[-1].relation).sides
        difference = poly(right - definition) if left == sym(name) else None
        if difference is not None and vanishes(context.algebra, difference):
            raise Rejected("that is the goal: it has to be derived", "goal")
    unknown = {*context.problem.variables, *context.problem.unknowns} - {name}
    if not context.behind(definition.names) & unknown:
        raise Rejected(
            f"an explicit formula for `{name}` has to be derived; as a name it may "
            f"stand for something that holds {quoted(sorted(unknown))}",
            "goal",
        )


def _kind(context: Context, definition: Expr) -> str:
    """Return what is seen of the sign of a new symbol."""
    randoms = {n for n, s in context.symbols.items() if s.kind == "random"}
    covariance = any(n.op == "call" and n.data == "cov" for n in definition.walk())
    if randoms & definition.symbols() and not covariance:
        return "random"
    signs, (rows, columns) = context.signs(), definition.shape or NUMBER
    poly = signs.poly(definition)
    tests = {"pd": signs.definite, "psd": signs.semidefinite} if rows == columns else {}
    tests = {"positive": signs.positive} if rows == columns == "1" else tests
    return next((kind for kind, test in tests.items() if poly and test(poly)), "any")


def assume(context: Context, number: int, words: Said, alone: bool) -> None:
    """Take an assumption that the problem allows.

    Parameters
    ----------
    alone : whether the line says nothing else; then a forbidden one is refused.
    """
    allowed = context.problem.assumable
    for text in words.assumes:
        if text == "invertible" and len(allowed) == 1:
            text = f"invertible({allowed[0]})"
        X = _assumed(context, text)
        if X is not None and str(X) in allowed:
            if str(X) not in map(str, context.invertible):
                context.invertible += (X,)
                context.said.append(("assume", X, number))
        elif alone and not (X is not None and licensed(context, X)):
            may = (
                f"you may assume that `{' or '.join(allowed)}` is invertible"
                if allowed else "this problem needs no assumption"
            )  # fmt: skip
            what = f"“{text}”" if X is None else f"that `{X}` is invertible"
            raise Rejected(f"{what} cannot be assumed here: {may}", "reason")


def _assumed(context: Context, text: str) -> Expr | None:
    """Return the matrix of “invertible(X)”."""
    if not text.startswith("invertible("):
        return None
    try:
        relation, _ = context.shaped(context.read(text))
    except ValueError:
        return None
    node = relation.sides[0]
    return node.args[0] if node.op == "invertible" else None
