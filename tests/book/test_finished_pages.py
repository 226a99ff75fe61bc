"""A build after a change ends with the same files as one from scratch."""

import json
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CONF = f"""\
import sys
sys.path.insert(0, {str(ROOT / "_ext")!r})
project = "A book"
html_theme = "sphinx_book_theme"
templates_path = [{str(ROOT / "_templates")!r}]
html_static_path = [{str(ROOT / "_page")!r}]
numfig = True
bibtex_bibfiles = ["books.bib"]
extensions = ["myst_parser", "sphinxcontrib.bibtex", "sphinx_book_theme"]
extensions += ["finished_pages", "quick_build", "sheet_numbers", "slim_pages"]
"""
FILES = {
    "index.md": "# A book\n\n```{toctree}\n:numbered:\none\ntwo\nthree\nbooks\n```\n",
    "one.md": "# One\n\nText {cite}`A`, `code`.\n\n```{toctree}\nexercises/one\n```\n",
    "two.md": "# Two\n\nText {cite}`B`.\n\n```{figure} a.svg\nA figure.\n```\n",
    "three.md": "# Three\n\nSee {doc}`two`.\n\n## Below\n\nMore.\n",
    "exercises/one.md": "# A sheet\n\n## Its question\n\nWhy?\n",
    "books.md": "# Books\n\n```{bibliography}\n```\n",
    "books.bib": "@misc{A,title={A},year=1950}\n@misc{B,title={B},year=1909}\n",
    "a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>',
    "b.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>',
    "conf.py": CONF,
}
BUILD = """\
import os, sys
from sphinx.cmd.build import build_main
for book in sys.argv[1:]:
    os.chdir(book)
    if build_main(["-q", "-W", "-d", "_build/.doctrees", ".", "_build/html"]):
        sys.exit(1)
"""
EDITS = {
    "text": {"one.md": ("Text", "Other text"), "three.md": ("More.", "> Quoted.")},
    "a title": {"two.md": ("# Two", "# Second")},
    "a figure": {"two.md": ("a.svg", "b.svg")},
    "a page less": {"index.md": ("three\n", "")},
}


def site(book: Path) -> dict[str, bytes]:
    """Return the files of a built site."""
    home = book / "_build" / "html"
    paths = (path for path in home.rglob("*") if path.is_file())
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in paths}


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """Return the names of files that are not the same."""
    return sorted(n for n in one.keys() | other.keys() if one.get(n) != other.get(n))


def build(*books: Path) -> None:
    """Build small books, one after the other."""
    subprocess.run([sys.executable, "-c", BUILD, *books], check=True)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small book, built."""
    book = tmp_path_factory.mktemp("small")
    for name, text in FILES.items():
        (book / name).parent.mkdir(exist_ok=True)
        (book / name).write_text(text, encoding="utf-8")
    build(book)
    return book


@pytest.mark.parametrize("edit", EDITS)
def test_after_an_edit_the_site_is_as_from_scratch(
    small: Path, tmp_path: Path, edit: str
) -> None:
    for name, change in EDITS[edit].items():
        text = (small / name).read_text(encoding="utf-8")
        (small / name).write_text(text.replace(*change), encoding="utf-8")
    if edit == "a page less":
        (small / "three.md").unlink()
    scratch = copytree(small, tmp_path / "book", ignore=ignore_patterns("_build"))
    other_page = small / "_build" / "pages" / "html" / "books.html"
    before = other_page.stat().st_mtime_ns
    build(small, scratch)
    wrong = differing(site(small), site(scratch))
    assert not wrong
    assert (other_page.stat().st_mtime_ns == before) == (edit == "text")


@pytest.mark.exhaustive
def test_so_it_is_with_the_book(tmp_path: Path) -> None:
    away = ("_build", ".*", "work", "__pycache__")
    book = copytree(ROOT, tmp_path / "book", ignore=ignore_patterns(*away))
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    command = [jupyter_book, "build", "-W", "-n", "--keep-going", book]
    subprocess.run(command, check=True)
    for page in ("chapters/01_duality.ipynb", "exercises/how_grading_works.ipynb"):
        notebook = json.loads((book / page).read_text(encoding="utf-8"))
        cell = next(c for c in notebook["cells"][1:] if c["cell_type"] == "markdown")
        cell["source"] += ["\n\n", "A *sentence* more."]
        (book / page).write_text(json.dumps(notebook), encoding="utf-8")
    subprocess.run(command, check=True)
    after = site(book)
    rmtree(book / "_build")
    subprocess.run(command, check=True)
    wrong = differing(after, site(book))
    assert not wrong
