"""tools/notebooks.py stores what a reader sees, and nothing that changes by itself."""

import io
import re

import pytest
from matplotlib.figure import Figure
from nbformat import v4

from tools.compact_svg import compact_svg
from tools.notebooks import WIDGET, as_text, measurements, stored_text


@pytest.fixture(scope="module")
def drawing() -> str:
    """A figure as Matplotlib writes it, with a curve, markers, text and an image."""
    figure = Figure()
    axes = figure.subplots()
    axes.plot([0, 1 / 3, 1], [0, 2 / 3, 1], marker="o", label="a 'curve' & \"more\"")
    axes.imshow([[0.0, 1.0], [1.0, 0.0]])
    axes.legend()
    target = io.StringIO()
    figure.savefig(target, format="svg")
    return target.getvalue()


def test_a_figure_becomes_one_line(drawing: str) -> None:
    compact = compact_svg(drawing)
    assert compact == compact_svg(compact)
    assert len(compact) < len(drawing)
    assert not set('\n\\"') & set(compact)
    assert "Matplotlib" not in compact
    paths = "".join(re.findall(r" d='([^']*)'", compact))
    assert not re.search(r"\.\d{3}", paths)


def test_no_part_of_a_figure_is_lost(drawing: str) -> None:
    compact = compact_svg(drawing)
    for tag in ("<path", "<use", "<image", "<clipPath"):
        assert compact.count(tag) == drawing.count(tag)
    used = set(re.findall(r"(?:href='|url\()#([^')]+)", compact))
    assert used == set(re.findall(r" id='([^']+)'", compact))


def printed(text: str, name: str = "stdout"):
    return v4.new_output("stream", text=text, name=name)


def test_what_was_printed_in_pieces_is_joined() -> None:
    pieces = [printed("a"), printed("b\n"), printed("c", "stderr"), printed("d")]
    cell = v4.new_code_cell("f()", outputs=pieces)
    stored_text(v4.new_notebook(cells=[cell]))
    assert [output.text for output in cell.outputs] == ["ab\n", "c", "d"]


def test_widgets_and_their_state_are_left_out() -> None:
    shown = v4.new_output("display_data", {WIDGET: {}, "text/plain": "interactive"})
    notebook = v4.new_notebook(cells=[v4.new_code_cell("f()", outputs=[shown])])
    notebook.metadata["widgets"] = {"state": {}}
    assert "widget" not in stored_text(notebook)


def test_only_measurements_are_kept() -> None:
    tagged = {"tags": ["nbval-ignore-output"]}
    measured = v4.new_code_cell("t()", outputs=[printed("1 s")], metadata=tagged)
    computed = v4.new_code_cell("f()", outputs=[printed("1")])
    cleared = v4.new_code_cell("t()", metadata=tagged)
    notebook = v4.new_notebook(cells=[measured, computed, cleared])
    assert measurements(notebook) == {measured.id: {"outputs": measured.outputs}}


def test_the_text_view_names_figures_by_their_alternative_text(drawing: str) -> None:
    image = {"mystnb": {"image": {"alt": "A curve."}}}
    shown = v4.new_output("display_data", {"image/svg+xml": drawing})
    figure = v4.new_code_cell("plot()", outputs=[shown], metadata=image)
    number = v4.new_code_cell("f()", outputs=[printed("1\n2\n")])
    text = as_text(v4.new_notebook(cells=[figure, number]))
    assert "plot()\n> [figure: A curve.]\n" in text
    assert "f()\n> 1\n> 2\n" in text
