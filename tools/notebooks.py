"""Execute notebooks and store them so that a change can be reviewed.

    python tools/notebooks.py execute FILE …     run from top to bottom, and store
    python tools/notebooks.py store FILE …       only bring the stored form up to date
    python tools/notebooks.py text FILE          show as text, for `make diff`

Executing an unchanged notebook changes nothing in its file. A figure is one line.
What one machine measured once (times, steps: cells tagged `nbval-ignore-output`) is
kept, until `execute --renew` measures again.
"""

import argparse
import sys
from pathlib import Path

# Run as a script, Python looks beside the script only.
sys.path.insert(0, str(Path(__file__).parent.parent))

import nbformat
from nbformat import NotebookNode

from tools.compact_svg import compact_svg

SVG = "image/svg+xml"
WIDGET = "application/vnd.jupyter.widget-view+json"
MEASURED = "nbval-ignore-output"

# The same on every machine: no version, no name of an environment.
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {"name": "python", "pygments_lexer": "ipython3"}


def execute(path: Path, timeout: int, renew: bool) -> None:
    """Run a notebook from top to bottom in a fresh kernel, and store it."""
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    kept = {} if renew else measurements(notebook)
    folder = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(
        notebook, timeout=timeout, resources=folder, record_timing=False
    )
    client.execute()
    for cell in notebook.cells:
        cell.update(kept.get(cell.id, {}))
    store(path, notebook)


def measurements(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """Return the outputs to keep, by the id of their cell."""
    return {
        cell.id: NotebookNode(outputs=cell.outputs)
        for cell in notebook.cells
        if MEASURED in cell.metadata.get("tags", []) and cell.outputs
    }


def store(path: Path, notebook: NotebookNode) -> None:
    """Write a notebook in its stored form."""
    path.write_text(stored_text(notebook), encoding="utf-8", newline="\n")


def stored_text(notebook: NotebookNode) -> str:
    """Return the file's text: as Jupyter writes it, without what changes by itself."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata.update(kernelspec=KERNEL, language_info=LANGUAGE)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = stored_outputs(cell.outputs)
    return nbformat.writes(notebook) + "\n"


def stored_outputs(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join what was printed in pieces, compact the figures, leave out widgets.

    Where a stream is cut depends on the clock; a widget's id is random, and without
    a kernel it is dead.
    """
    result: list[NotebookNode] = []
    for output in outputs:
        data = output.get("data", {})
        if SVG in data:
            data[SVG] = compact_svg(data[SVG])
        if result and output.get("name", "") == result[-1].get("name"):
            result[-1].text += output.text
        elif WIDGET not in data:
            result.append(output)
    return result


def as_text(notebook: NotebookNode) -> str:
    """Return what a reviewer reads: sources, printed outputs, a word per figure."""
    parts = []
    for cell in notebook.cells:
        outputs = [output_text(cell, one) for one in cell.get("outputs", [])]
        parts += [f"[{cell.cell_type} {cell.id}]", cell.source, *outputs, ""]
    return "\n".join(parts)


def output_text(cell: NotebookNode, output: NotebookNode) -> str:
    """Return one output as text, each line marked."""
    data = output.get("data", {})
    image = cell.metadata.get("mystnb", {}).get("image", {})
    if SVG in data:
        text = f"[figure: {image.get('alt', 'no alternative text')}]"
    else:
        text = output.get("text") or data.get("text/plain") or output.output_type
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def main() -> None:
    """Do what the command line asks, file by file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["execute", "store", "text"])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--timeout", type=int, default=60, help="seconds per cell")
    parser.add_argument("--renew", action="store_true", help="measure again, too")
    chosen = parser.parse_args()
    for path in chosen.files:
        if chosen.action == "execute":
            print(path, flush=True)
            execute(path, chosen.timeout, chosen.renew)
        elif chosen.action == "store":
            store(path, nbformat.read(path, as_version=4))
        else:
            print(as_text(nbformat.read(path, as_version=4)))


if __name__ == "__main__":
    main()
