"""Ship MathJax with the site, and only the part of it that the pages use.

The package `sphinx-mathjax-offline` brings all of MathJax 3, 24 MB in every
combination of input and output. The pages read TeX and write HTML: 4 MB.
"""

from importlib.util import find_spec
from pathlib import Path
from shutil import copytree

from sphinx.application import Sphinx

PARTS = ("tex-chtml.js", "a11y", "input/tex", "output/chtml", "sre")


def other_languages(folder: str, names: list[str]) -> list[str]:
    """Leave out the spoken mathematics of languages that no page is written in."""
    if Path(folder).name != "mathmaps":
        return []
    return [name for name in names if name not in ("base.json", "en.json")]


def copy_mathjax(app: Sphinx, exception: Exception | None) -> None:
    """Copy the parts into the built site."""
    spec = find_spec("sphinx-mathjax-offline")
    if exception or app.builder.format != "html" or spec is None:
        return
    source = Path(str(spec.origin)).parent / "static" / "mathjax"
    target = Path(app.outdir) / "_static" / "mathjax"
    for part in PARTS:
        if (source / part).is_dir():
            copytree(
                source / part, target / part, ignore=other_languages, dirs_exist_ok=True
            )
        else:
            target.mkdir(parents=True, exist_ok=True)
            (target / part).write_bytes((source / part).read_bytes())


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
