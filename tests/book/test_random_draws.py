"""Each section draws from a generator of its own.

So a draw that is added to one section changes no number of another.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

NEW = "np.random.default_rng"


def sections(notebook: Path) -> Iterator[list[ast.stmt]]:
    """Yield the statements of each section; `##` opens a section."""
    code: list[ast.stmt] = []
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type == "code":
            source = TransformerManager().transform_cell(cell.source)
            code += ast.parse(source).body
        elif any(line.startswith("## ") for line in cell.source.splitlines()):
            yield code
            code = []
    yield code


def created(statement: ast.stmt) -> set[str]:
    """Return the names that a statement sets to a new generator."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    if isinstance(value, ast.Call) and ast.unparse(value.func) == NEW:
        return {ast.unparse(target) for target in statement.targets}
    return set()


def used(code: ast.AST) -> set[str]:
    """Return the names that are read, but for the parameters of functions."""
    if isinstance(code, ast.Name) and isinstance(code.ctx, ast.Load):
        return {code.id}
    names = {name for child in ast.iter_child_nodes(code) for name in used(child)}
    if isinstance(code, ast.FunctionDef | ast.Lambda):
        names -= {parameter.arg for parameter in code.args.args}
    return names


def borrowed(sections: list[list[ast.stmt]]) -> set[str]:
    """Return the generators that some section uses and did not create before."""
    generators = {name for code in sections for line in code for name in created(line)}
    found = set()
    for code in sections:
        own: set[str] = set()
        for line in code:
            found |= used(line) & generators - own
            own |= created(line)
    return found


def test_a_section_uses_its_own_generator(notebook: Path) -> None:
    assert not borrowed(list(sections(notebook)))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (["rng = np.random.default_rng(1)\nrng.normal()"], set()),
        (["rng = np.random.default_rng(1)", "rng.normal()"], {"rng"}),
        (["rng.normal()\nrng = np.random.default_rng(1)"], {"rng"}),
        (["rng = np.random.default_rng(1)", "def f(rng):\n    rng.normal()"], set()),
    ],
)
def test_what_counts_as_borrowed(code: list[str], expected: set[str]) -> None:
    assert borrowed([ast.parse(section).body for section in code]) == expected
