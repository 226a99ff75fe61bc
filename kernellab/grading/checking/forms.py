"""Forms of equations from which others follow: X·v = c, ‖x‖² = 0, zᵀMz = 0."""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.certificates import Proven
from kernellab.grading.checking.atoms import Atom, Refused, eye_atom
from kernellab.grading.checking.derivatives import depends
from kernellab.grading.checking.expansion import Expansion, axes, matmul, shape_of
from kernellab.grading.checking.licences import Licences
from kernellab.grading.checking.names import Names
from kernellab.grading.checking.positivity import (
    Positivity,
    matrix_product,
    split_product,
)
from kernellab.grading.checking.sums import (
    COLUMN,
    Product,
    Sum,
    add,
    multiplied_out,
    multiply,
    opened,
    scale,
    subtract,
    transpose,
)
from kernellab.grading.language.tree import Expr, is_zero


def check_zero_form(proven: Proven, positivity: Positivity) -> None:
    """Refuse a line that does not follow from the vanishing of a form.

    ‖x‖² = 0 gives x = 0, and zᵀMz = 0 with M semi-definite gives M z = 0.
    """
    e, (part, *more) = positivity.e, proven.parts
    if more or part.sign != "=" or part.free or proven.free:
        raise Refused("one part must prove that a form without indices is 0")
    difference = subtract(e(proven.left), e(proven.right))
    shape = shape_of(proven.right if is_zero(proven.left) else proven.left)
    if proven.by == "zero square":
        form = multiply(difference, difference, axes(shape))
        said = subtract(e(part.left), e(part.right))
        if not _multiple(said, form):
            raise Refused("the part does not say that the squared norm is 0")
    elif not (is_zero(part.right) and _is_image(part.left, difference, positivity)):
        raise Refused("the line does not follow from zᵀMz = 0")


def _multiple(one: Sum, two: Sum) -> bool:
    """Return True if one is a number, which is not 0, times the other."""
    if not one or not two:
        return one == two
    term = next(iter(one))
    return term in two and scale(two, one[term] / two[term]) == one


def _is_image(form: Expr, difference: Sum, positivity: Positivity) -> bool:
    """Return True if the form is zᵀMz, and the difference a multiple of M z."""
    e, (numbers, factors) = positivity.e, split_product(form)
    if numbers or len(factors) < 3 or e(factors[0]) != transpose(e(factors[-1])):
        return False
    M, z = matrix_product(factors[1:-1]), factors[-1]
    image = matmul(e(M), e(z), shape_of(M)[1])
    return positivity.semidefinite(M) and _multiple(difference, image)


def check_sufficient(proven: Proven, names: Names, licences: Licences) -> None:
    """Refuse a condition that is not X·v = c, with X invertible and c free of v.

    Such a condition has a solution, so that it may be imposed; the parts of the proof
    show that the gradient of the object vanishes there.
    """
    problem = names.problem
    if not problem.sufficient or problem.object is None or proven.free:
        raise Refused("a sufficient condition may not be imposed in this problem")
    variables = [
        v for v in problem.variables if _is_vanishing_gradient(proven, names, v)
    ]
    if len(variables) != 1:
        raise Refused("no part proves that the gradient of the object vanishes")
    (name,) = variables
    if names.definition(name) is not None or _is_bound_by_given(names, name):
        raise Refused(f"{name} cannot be chosen: a definition or given determines it")
    e = Expansion(names, (names.dependent(name) | set(proven.opened)) - {name})
    X = _matrix_of(names, subtract(e(proven.left), e(proven.right)), name)
    if not licences.invertible_sum(X, names.table[name].shape, proven.line):
        raise Refused(f"what multiplies {name} may be singular")


def _is_vanishing_gradient(proven: Proven, names: Names, name: str) -> bool:
    """Return True if the only part says grad(object, v) = 0."""
    if len(proven.parts) != 1:
        return False
    part, object_ = proven.parts[0], names.problem.object
    gradient = Expr("grad", (Expr("sym", data=object_), Expr("sym", data=name)))
    right_form = part.by == "equation" and part.sign == "="
    return right_form and part.left == gradient and is_zero(part.right)


def _is_bound_by_given(names: Names, name: str) -> bool:
    mentioned: set[str] = set()
    for relation in names.problem.equations:
        mentioned |= relation.symbols()
    below = mentioned.union(*(names.below(n) for n in mentioned))
    return name in below


def _matrix_of(names: Names, difference: Sum, name: str) -> Sum:
    """Return X of X·v − c, where neither X nor c depends on v."""
    total: Sum = {}
    for term, c in difference.items():
        raw = opened(term, c, closed_too=True)
        atoms = [atom for atom, _ in raw.factors] + list(raw.powers)
        count = sum(depends(names, atom, name) for atom in atoms)
        if count > 1:
            raise Refused(f"the condition is not linear in {name}")
        if count:
            total = add(total, _without(raw, name))
    return total


def _without(raw: Product, name: str) -> Sum:
    """Take v out of a product; its index becomes the column."""
    for place, (atom, indices) in enumerate(raw.factors):
        if _is_symbol(atom, name) and len(indices) == 1:
            raw.factors[place] = (eye_atom(atom.sizes[0]), (indices[0], COLUMN))
            return multiplied_out(raw)
    for atom, power in raw.powers.items():
        if _is_symbol(atom, name) and power == Fraction(1):
            del raw.powers[atom]
            return multiplied_out(raw)
    raise Refused(f"the condition is not linear in {name}")


def _is_symbol(atom: Atom, name: str) -> bool:
    return atom.kind == "symbol" and atom.data == name
