"""A notebook is stored as it ran: once, from top to bottom, without an error."""

import ast
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from kernellab.grading.classroom.sheets import INSTALL
from tools.notebooks import stored_text

FOLDED = {"hide-input", "remove-cell"}
MAX_VISIBLE_LINES = 15


@pytest.fixture
def code_cells(notebook: Path) -> list[Any]:
    cells = nbformat.read(notebook, as_version=4).cells
    return [c for c in cells if c.cell_type == "code" and c.source.strip()]


def shows_something(source: str) -> bool:
    """Whether a cell surely has an output: it prints, or ends in a plain value."""
    if source.rstrip().endswith(";"):
        return False
    body = ast.parse(TransformerManager().transform_cell(source)).body
    calls = [s.value.func for s in body if is_call(s)]
    prints = any(isinstance(f, ast.Name) and f.id == "print" for f in calls)
    # A call may well return None; any other expression is displayed.
    return prints or (isinstance(body[-1], ast.Expr) and not is_call(body[-1]))


def is_call(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)


def test_every_cell_was_executed_in_order(code_cells: list[Any]) -> None:
    counts = [cell.execution_count for cell in code_cells]
    assert counts == list(range(1, len(counts) + 1)), "run `make notebooks`"


def test_a_chapter_shows_no_long_program(notebook: Path, code_cells: list[Any]) -> None:
    shown = [c for c in code_cells if not FOLDED & set(c.metadata.get("tags", ()))]
    if notebook.parent.name == "chapters":
        lines = {c.id: len(c.source.splitlines()) for c in shown}
        assert {c: n for c, n in lines.items() if n > MAX_VISIBLE_LINES} == {}


def test_the_first_cell_installs_the_library_where_it_is_missing(
    notebook: Path, code_cells: list[Any]
) -> None:
    if notebook.parent.name in ("chapters", "exercises"):
        assert code_cells[0].source == INSTALL
    assert not [c.id for c in code_cells if "%pip" in c.source]


@pytest.mark.parametrize(
    ("place", "known", "runs"),
    [
        ("BINDER_SERVICE_HOST", False, 1),
        ("BINDER_SERVICE_HOST", True, 0),
        ("X", False, 0),
    ],
)
def test_it_is_installed_on_binder_only(
    monkeypatch: pytest.MonkeyPatch, place: str, known: bool, runs: int
) -> None:
    calls: list[list[str]] = []
    monkeypatch.delenv("BINDER_SERVICE_HOST", raising=False)
    monkeypatch.setenv(place, "binder")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: known or None)
    monkeypatch.setattr("subprocess.run", lambda c, check: calls.append(c))
    exec(INSTALL, {})
    assert [call[1:4] for call in calls] == [["-m", "pip", "install"]] * runs


def test_no_cell_stores_an_error(code_cells: list[Any]) -> None:
    errors = [o.evalue for c in code_cells for o in c.outputs if "ename" in o]
    assert not errors


def test_every_cell_that_shows_something_has_its_output(code_cells: list[Any]) -> None:
    silent = [
        c.source for c in code_cells if shows_something(c.source) > bool(c.outputs)
    ]
    assert not silent, "run `make notebooks`"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("print(1)", True),
        ("x = 1\nx", True),
        ("x = 1\nx;", False),
        ("x = 1", False),
        ("f(x)", False),
        ("%matplotlib inline\n1 + 1", True),
    ],
)
def test_what_counts_as_showing_something(source: str, expected: bool) -> None:
    assert shows_something(source) is expected


def test_the_file_is_in_its_stored_form(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    stored = stored_text(nbformat.read(notebook, as_version=4))
    assert text == stored, "run `make notebooks`"


def test_a_figure_is_one_line_without_backslashes(notebook: Path) -> None:
    for line in notebook.read_text(encoding="utf-8").splitlines():
        if "<svg xmlns" in line:
            assert line.strip().startswith("\"<svg xmlns='")
            assert line.endswith('</svg>"')
            assert "\\" not in line
