"""The Markdown of the notebooks reads well in JupyterLab and in plain viewers."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from _ext.plain_markdown import LIVE, with_roles

ROLE = re.compile(r"(?<!\w)\{([a-z][\w:+-]*)\}`([^`]*)`")
CODE = re.compile(r"^```\w*\n.*?^```$", re.MULTILINE | re.DOTALL)
LABEL = re.compile(
    r"^\((\S+)\)=$|^:(?:label|name): (\S+)$|\$\$ ?\((\S+)\)$", re.MULTILINE
)
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)")
# What JupyterLab and Sphinx understand alike.
KNOWN = {"admonition", "div", "dropdown", "hint", "note", "prf", "tip", "warning"}


@cache
def cells(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


@cache
def markdown(path: Path) -> list[str]:
    texts = ("".join(c["source"]) for c in cells(path) if c["cell_type"] == "markdown")
    return [CODE.sub("", text) for text in texts]


@cache
def labels(path: Path) -> set[str]:
    """Return what a link to a notebook may name: targets, and figures of its cells."""
    found = {name for text in markdown(path) for m in LABEL.findall(text) for name in m}
    shown = (c["metadata"].get("mystnb", {}).get("figure", {}) for c in cells(path))
    return found | {figure["name"] for figure in shown if "name" in figure}


def test_directives_are_fenced_by_colons(notebook: Path) -> None:
    text = "\n\n".join(markdown(notebook))
    assert not re.findall(r"^[ \t]*`{3,}.*", text, re.MULTILINE)
    used = re.findall(r"^:{3,}\{(\w+)", text, re.MULTILINE)
    assert set(used) <= KNOWN


def test_what_is_live_on_the_page_is_live_in_the_notebook(notebook: Path) -> None:
    sources = ["".join(cell["source"]) for cell in cells(notebook)]
    for number, source in enumerate(sources):
        for name in LIVE.findall(source):
            after = cells(notebook)[number + 1]
            assert sources[number + 1].endswith(f'FIGURES["{name}"].widget()')
            tags = set(after["metadata"]["tags"])
            assert {"nbval-ignore-output", "remove-output"} <= tags


def test_roles_name_what_is_in_the_same_notebook(notebook: Path) -> None:
    roles = [role for text in markdown(notebook) for role in ROLE.findall(text)]
    assert {role for role, _ in roles} <= {"eq", "prf:ref"}
    assert {label for _, label in roles} <= labels(notebook)


def test_links_lead_to_files_and_targets(notebook: Path) -> None:
    for text in markdown(notebook):
        for name, target in LINK.findall(text):
            path = (notebook.parent / name).resolve() if name else notebook
            assert path.exists(), name
            if target and path.suffix == ".ipynb":
                assert target in labels(path), (name, target)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("see [the figure](#fig-a)", "see {numref}`fig-a`"),
        ("[Its proof](04_b.ipynb#thm-c)", "{prf:ref}`Its proof <thm-c>`"),
        ("[One](../exercises/a.ipynb#ex-b)", "{ref}`One <ex-b>`"),
        ("[An example](04_b.ipynb#ex-ch4-b)", "{prf:ref}`An example <ex-ch4-b>`"),
        ("[of before](b.ipynb#eq-b)", "{eq}`eq-b`"),
        (
            "by [[Boc33]](../reference/bibliography.md#Bochner1933)",
            "by {cite}`Bochner1933`",
        ),
        (":::{div}\n:class: live-figure-gp\nX\n:::", ":::{live-figure} gp\nX\n:::"),
        ("[a section](#sec-a), [b](b.ipynb)", "[a section](#sec-a), [b](b.ipynb)"),
    ],
)
def test_the_site_reads_links_as_roles(written: str, read: str) -> None:
    assert with_roles(written) == read
