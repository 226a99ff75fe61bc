"""What the page must know of a question to offer the right fields and keys.

Names and kinds of values, the symbols of a derivation: nothing that answers it.
"""

from html import escape
from typing import Any

from kernellab.grading import (
    CodeQuestion,
    Derivation,
    KernelClaim,
    KernelProof,
    KernelRefutation,
    Problem,
    Question,
    Values,
)
from kernellab.grading.classroom.sheets import starter
from kernellab.grading.language.mathml import relation_mathml
from kernellab.grading.language.said import MUST_BE_SAID
from kernellab.grading.language.tree import Expr, Relation
from kernellab.grading.questions.arithmetic import read_data
from kernellab.grading.questions.exact import Real
from kernellab.grading.questions.values import Value
from kernellab.grading.symbols import Symbol

KINDS = {
    "symmetric": "symmetric",
    "psd": "positive semidefinite",
    "pd": "positive definite",
    "positive": "positive",
    "nonneg": "not negative",
    "random": "random",
}

OPERATIONS = ("Exp", "Power", "Normalized")
"""Classes of kernels for which there is a key, unless a question forbids them."""


def setup_of(question: Question) -> dict[str, Any]:
    """Return what the script has to know of a question, as JSON holds it."""
    if isinstance(question, Derivation):
        return {"symbols": keys(question.problem), "moves": moves(question.problem)}
    if isinstance(question, Values):
        return {"fields": [field(value) for value in question.values]}
    if isinstance(question, KernelProof):
        return kernel_keys(question)
    if isinstance(question, KernelRefutation | KernelClaim):
        return {"extra": list(question.extra), "words": list(question.words)}
    if isinstance(question, CodeQuestion):
        return {"starter": starter(question), "seconds": question.limits.seconds}
    return {}


def kernel_keys(question: KernelProof) -> dict[str, Any]:
    """Return the names and the operations that may be used, with a key for each."""
    given = [name.rstrip("+") for name in question.given]
    leaves = [leaf for leaf in question.leaves if leaf not in question.forbid]
    operations = [name for name in OPERATIONS if name not in question.forbid]
    names = [*given, *question.functions, *leaves]
    return {"names": names, "operations": operations}


def field(value: Value) -> dict[str, Any]:
    """Return the name of a value, its kind, and the words that may be answered."""
    return {"name": value.name, "type": kind(value), "choices": list(value.choices)}


def kind(value: Value) -> str:
    """Say in a word what is asked for, as the statement does."""
    if not value.answer:
        return "any"
    data = read_data(value.answer, value.choices)
    if isinstance(data, Real) or (isinstance(data, str) and len(value.choices) < 2):
        return "number"
    if isinstance(data, str):
        return "choice"
    if isinstance(data, frozenset):
        return "set"
    return "matrix" if any(isinstance(row, tuple) for row in data) else "vector"


# --- derivations ----------------------------------------------------------------------


def keys(problem: Problem) -> list[list[str]]:
    """Return the symbols of a problem: how each looks, and what is typed for it."""
    rows = {matrix: row for row, matrix in problem.rows.items()}
    found = []
    for name in problem.table:
        symbol = Expr("sym", data=name)
        found.append([look(symbol, problem), name])
        if name in rows:
            row = Expr("index", (symbol,), ("n",))
            found.append([look(row, problem), f"{rows[name]}[n]"])
    return found


def look(symbol: Expr, problem: Problem) -> str:
    """Return a symbol as it looks on the page: lam is λ, phis is φ with a star."""
    return relation_mathml(Relation((symbol,), ()), problem.letters())


def moves(problem: Problem) -> list[str]:
    """Return the moves of this problem that must be said, in the words to say them."""
    said = []
    if problem.variables:
        said.append("set to zero")
    if problem.sufficient:
        said.append("sufficient")
    said += [f"assume {name} invertible" for name in problem.assumable]
    said += [f"let {name}" for name in problem.definable]
    if problem.covariances:
        said.append("independence")
    return said


def given(problem: Problem) -> str:
    """Return the symbols of a problem as a table: how to write them, what they are."""
    rows = [*symbols(problem), *equations(problem)]
    body = "".join(f"<tr><td>{one}</td><td>{two}</td></tr>" for one, two in rows)
    head = '<tr><th scope="col">write</th><th scope="col">for</th></tr>'
    said = "".join(
        f"<li><code>{escape(name)}</code> {escape(words)}</li>"
        for name, words in MUST_BE_SAID.items()
    )
    return (
        f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"
        f"<p>Behind a bar <code>|</code>, what must be said:</p><ul>{said}</ul>"
    )


def symbols(problem: Problem) -> list[tuple[str, str]]:
    """Return the declared symbols, with their definitions."""
    letters, found = problem.letters(), []
    rows = {matrix: row for row, matrix in problem.rows.items()}
    for line in filter(str.strip, problem.symbols.splitlines()):
        declared, _, text = line.partition("=")
        name = declared.partition(":")[0].strip()
        symbol = problem.table[name]
        left = Expr("sym", data=name, shape=symbol.shape)
        sides = (left,) if symbol.definition is None else (left, symbol.definition)
        shown = relation_mathml(Relation(sides, ("=",) * (len(sides) - 1)), letters)
        written = f"{name} = {text.strip()}" if text else name
        found.append((code(written), f"{shown}, {described(symbol)}"))
        if name in rows:
            matrix = relation_mathml(Relation((left,), ()), letters)
            row = f"row n of {matrix}, as a column"
            found.append((code(f"{rows[name]}[n]"), row))
    return found


def described(symbol: Symbol) -> str:
    """Say in words what a symbol is: a positive number; N × N, symmetric."""
    kind = KINDS.get(symbol.kind, "")
    if symbol.shape == ("1", "1"):
        return f"a {kind} number" if kind else "a number"
    size = f"{symbol.shape[0]} × {symbol.shape[1]}"
    return f"{size}, {kind}" if kind else size


def equations(problem: Problem) -> list[tuple[str, str]]:
    """Return what the reasons `given` and `def cov` open, and the derivatives."""
    texts = list(problem.givens)
    for pair, value in problem.covariances.items():
        one, _, two = value.partition(" - ")
        zero = one == two  # a difference, so that it has a shape
        texts.append(f"cov({pair.replace(' ', ',')}) = {0 if zero else value}")
    texts += [f"{tangent} = d({name})" for name, tangent in problem.tangents.items()]
    letters = problem.letters()
    return [
        (code(text), relation_mathml(problem.parse(text), letters)) for text in texts
    ]


def code(text: str) -> str:
    return f"<code>{escape(text)}</code>"
