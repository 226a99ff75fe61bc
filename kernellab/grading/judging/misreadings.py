"""What is said of a line that cannot be read, or whose shapes do not fit.

What was probably meant is offered only if the whole line, with it, can be read, its
shapes fit, and it inverts only what it may. What makes it true comes first, and another
shape is offered only if it does.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from kernellab.grading.instances.fields import Undecided
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.introductions import is_new
from kernellab.grading.judging.judge import GATE, read_line
from kernellab.grading.judging.licences import check_licences
from kernellab.grading.judging.misfits import Edit, edits
from kernellab.grading.judging.statements import Rejected, Statement
from kernellab.grading.judging.truth import holds, holds_at
from kernellab.grading.judging.wording import listed, shown
from kernellab.grading.language.brackets import unbalanced
from kernellab.grading.language.guesses import guesses, has_words
from kernellab.grading.language.lexer import ReadError, UnknownName
from kernellab.grading.language.said import said
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.language.steps import Step
from kernellab.grading.language.tree import Relation
from kernellab.grading.language.vocabulary import Vocabulary

# What becomes of a line: it cannot be read, something else is wrong with it, it can be
# read but is false, it may be true.
UNREADABLE, OTHERWISE, READABLE, TRUE = range(4)
_APART = "; words stand behind a bar, formula | words, and a remark begins with #"


def misread(
    context: Context, number: int, step: Step, error: ReadError | ShapeError
) -> str:
    """Return words for a line that raised this error."""
    if isinstance(error, ReadError) and (brackets := unbalanced(step.relation)):
        return brackets
    own = frozenset({step.let} if step.let else ())
    words = context.problem.words(frozenset(context.symbols) | own)
    fits = partial(_fits, context, number)
    if isinstance(error, ShapeError):
        if function := _multiplied(words, error):
            return (
                f"{function}(…) is read as a product here; {function} at another point "
                f"is not read: write out what {function} is there"
            )
        meant = _reshaped(context, number, step, error)
        if meant:
            one = len(meant) == 1
            offer = f"{listed(meant)} w{'as' if one else 'ere'} meant?"
            plain = error.at is None or error.at.op in ("add", "sub")
            why = "" if plain else f"{error.why.partition(';')[0]}; "
            return f"{error.facts}: {why}{offer}"
    offered = ""
    for guess in guesses(step.relation, words, error):
        found = min(fits(replace(step, relation=text)) for text in guess.texts)
        if found == TRUE:
            return guess.words
        enough = OTHERWISE if guess.name else READABLE
        offered = offered or guess.words * (found >= enough)
    wordy = isinstance(error, ReadError) and has_words(step.relation, words)
    return offered or str(error) + _APART * wordy


def _multiplied(words: Vocabulary, error: ShapeError) -> str:
    """Return the function whose J(…), as a product, has a shape that does not fit."""
    found = (name for name in words.applied if f"`{name}*(" in error.facts)
    return next(found, "")


def _same(line: Relation) -> Relation:
    return line


def _reshaped(
    context: Context, number: int, step: Step, error: ShapeError, edit: Edit = _same
) -> list[str]:
    """Return what may stand in the place of parts that do not fit, if it is true.

    One edit comes before two.
    """
    later = []
    for new, part in edits(context, error) if error.facts else ():
        meant, both = shown(part), partial(_both, edit, new)
        try:
            line = _read(context, number, step, both)
            if line is None or _may_hold(context, line):
                return [meant]
        except ShapeError as other:
            if edit is _same and meant not in other.facts:
                later.append((meant, other, both))
        except (ReadError, Rejected, Undecided):
            continue
    for meant, rest, both in later:
        found = _reshaped(context, number, step, rest, both)
        if found:
            return list(dict.fromkeys((meant, *found)))
    return []


def _both(one: Edit, two: Edit, line: Relation) -> Relation:
    return two(one(line))


def _fits(context: Context, number: int, step: Step) -> int:
    """Return what becomes of a line."""
    try:
        line = _read(context, number, step, _same)
        return TRUE if line is None or _may_hold(context, line) else READABLE
    except (UnknownName, ShapeError):
        return OTHERWISE
    except (ReadError, Rejected, Undecided):
        return UNREADABLE


def _read(context: Context, number: int, step: Step, edit: Edit) -> Statement | None:
    """Return a line that is read, or None for a definition of the student's."""
    if step.let is not None and is_new(context, step):
        relation = edit(context.read(step.relation, step.let))
        context.shaped(Relation(relation.sides[1:], ()))
        return None
    words = said(step.reasons, frozenset(context.symbols))
    line = read_line(context, number, step, words, edit)
    check_licences(context, line.relation.sides)
    return line


def _may_hold(context: Context, line: Statement) -> bool:
    """Return whether a line holds in the first instance, or with more that is said."""
    if not line.relation.signs or holds(context, line, GATE) is not False:
        return True
    problem, invertible = context.problem, context.invertible
    for text in problem.assumable:
        invertible += context.shaped(context.read(text))[0].sides
    there = replace(context, invertible=invertible)
    return holds_at(there, line, frozenset(problem.variables), GATE) is not False
