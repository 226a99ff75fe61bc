"""The table of contents, and what no file of the checkout may say."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

import kernellab

# Written so that this file does not say it either.
FORBIDDEN = re.compile(
    r"\.\./shared\b|pypi\.org\b|pythonhosted\.org\b|npmjs\.(org|com)\b|deb\.debian\.org\b"
)
NOT_OURS = {".git", ".venv", "_build", "__pycache__", ".ipynb_checkpoints"}


def entries(toc: dict[str, Any]) -> Iterator[str]:
    """The files of a table of contents, wherever they stand in it."""
    for key, value in toc.items():
        if key in ("root", "file"):
            yield value
        elif isinstance(value, list):
            for item in value:
                yield from entries(item)


def read_entries(root: Path) -> list[str]:
    return list(entries(yaml.safe_load((root / "_toc.yml").read_text())))


def our_files(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in NOT_OURS and "cache" not in f]
        yield from (Path(folder) / name for name in names)


def test_every_entry_exists(root: Path) -> None:
    missing = [e for e in read_entries(root) if not list(root.glob(f"{e}.*"))]
    assert not missing


def test_every_chapter_is_listed(root: Path) -> None:
    chapters = {f"chapters/{path.stem}" for path in (root / "chapters").glob("*.ipynb")}
    assert chapters <= set(read_entries(root))


def test_the_checkout_stands_alone(root: Path) -> None:
    texts = ((f, f.read_text(errors="ignore")) for f in our_files(root))
    guilty = [str(f.relative_to(root)) for f, text in texts if FORBIDDEN.search(text)]
    assert not guilty


def test_the_citation_names_this_version(root: Path) -> None:
    citation = yaml.safe_load((root / "CITATION.cff").read_text())
    assert citation["version"] == kernellab.__version__


def test_no_page_is_heavy(site):
    pages = {path: path.stat().st_size for path in site.rglob("*.html")}
    assert pages
    assert max(pages.values()) <= 1_000_000, max(pages, key=pages.get)
