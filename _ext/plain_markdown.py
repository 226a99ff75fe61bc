"""Read notebooks as they are written for every viewer, and number what they refer to.

A notebook is also read where Sphinx is not: in JupyterLab, which knows MyST but sees
one file at a time, and in viewers that know plain Markdown only. So it links to
figures, exercises, books and other chapters as Markdown does. Before Sphinx parses it,
these links become the roles that number and check them:

    [the figure](#fig-ch1-lasso)                            {numref}`fig-ch1-lasso`
    [a theorem](04_rkhs.ipynb#thm-ch4-bochner)              {prf:ref}`a theorem <…>`
    [Expand](../exercises/01_duality.ipynb#ex-expand)       {ref}`Expand <ex-expand>`
    [[JGH18]](../reference/bibliography.md#Jacot2018)       {cite}`Jacot2018`

and a `div` of the class `live-figure-NAME`, whose text is a caption, becomes the
directive `live-figure`.
"""

import json
import re

from sphinx.application import Sphinx

LIVE = re.compile(r"^:::\{div\}\n:class: live-figure-(\w+)$", re.MULTILINE)
FIGURE = re.compile(r"\[[Tt]he figure\]\(#(fig-[\w-]+)\)")
CITED = re.compile(r"\[\[[^][]*\]\]\(\.\./reference/bibliography\.md#(\w+)\)")
ELSEWHERE = re.compile(r"\[([^][]*)\]\([\w./]+\.ipynb#([\w-]+)\)")
PROVED = re.compile(r"(alg|cor|def|ex-ch\d|lem|prop|rem|thm)-")


def with_roles(text: str) -> str:
    """Return the Markdown of a notebook in the words of Sphinx."""
    text = LIVE.sub(r":::{live-figure} \1", text)
    text = FIGURE.sub(r"{numref}`\1`", text)
    text = CITED.sub(r"{cite}`\1`", text)
    return ELSEWHERE.sub(_reference, text)


def _reference(link: re.Match[str]) -> str:
    words, label = link.groups()
    if label.startswith("eq-"):
        return f"{{eq}}`{label}`"
    role = "prf:ref" if PROVED.match(label) else "ref"
    return f"{{{role}}}`{words} <{label}>`"


def read_notebook(app: Sphinx, docname: str, source: list[str]) -> None:
    """Rewrite the Markdown cells of a notebook that Sphinx is about to parse."""
    if app.env.doc2path(docname).endswith(".ipynb"):
        notebook = json.loads(source[0])
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = with_roles("".join(cell["source"]))
        source[0] = json.dumps(notebook)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", read_notebook)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
