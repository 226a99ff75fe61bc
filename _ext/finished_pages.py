"""Write only the pages that changed, and make those of the site of what Sphinx wrote.

Sphinx writes its pages into a folder beside the site, `_build/pages`; at the end of a
build all pages of the site are made of them, lighter and with one style sheet each.

What Sphinx writes of a page depends on its text, and on what the environment knows of
all pages: titles, numbers, labels, images. While the latter stays as it was, only pages
whose text has changed are written; if it changes, or if the last build was interrupted,
all of them are, and into empty folders, lest something stay that no page has any more.
So every build ends with the same files as one from scratch.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Any

from docutils import nodes
from section_heights import with_heights
from section_search import index_script
from slim_pages import slim
from slim_styles import with_one_sheet
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment

OF_ONE_PAGE = ("all_docs", "dependencies", "metadata")
"""What the environment knows of a page that no other page shows."""

OF_NO_PAGE = ("config", "config_status", "config_status_extra", "settings")
"""How Sphinx is set up, by which it decides for itself what to read again."""

AFTER_NUMBERING = 950
AFTER_SLIMMING = 910


def folder(app: Sphinx) -> Path:
    """Return where Sphinx writes pages; another builder writes others."""
    return Path(app.doctreedir).parent / "pages" / app.builder.name


def written(app: Sphinx) -> dict[str, str]:
    """Return the pages that Sphinx wrote by their addresses in the site."""
    home = folder(app)
    return {
        path.relative_to(home).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(home.rglob("*.html"))
    }


def write_beside(app: Sphinx) -> None:
    """Let Sphinx write pages beside the site; all other files go into it."""
    if isinstance(app.builder, StandaloneHTMLBuilder):
        home = folder(app)
        app.builder.get_outfilename = lambda page: str(home / f"{page}.html")


# --- which pages are written ----------------------------------------------------------


def choose(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages to write besides those that changed: one, or all of them."""
    env.get_domain("cite").data["citation_refs"].sort(key=lambda cited: cited.docname)
    home, now = folder(app), shared(env)
    before, unfinished = home / "finished", home / "unfinished"
    same = before.exists() and before.read_text() == now
    before.unlink(missing_ok=True)
    if not same:
        empty(home, Path(app.outdir))
    home.mkdir(parents=True, exist_ok=True)
    unfinished.write_text(now)
    # With nothing to write, Sphinx would not copy the style sheets either.
    return [app.config.root_doc] if same else list(env.all_docs)


def shared(env: BuildEnvironment) -> str:
    """Return a hash of what pages may show of others."""
    known = env.__getstate__()
    for name in (*OF_ONE_PAGE, *OF_NO_PAGE):
        del known[name]
    return sha256(repr(plain(known)).encode()).hexdigest()


def plain(value: Any) -> Any:
    """Return the content of an object as lists and texts, in an order of its own."""
    if isinstance(value, nodes.Node):
        return str(value)
    if isinstance(value, Mapping):
        return sorted((repr(key), plain(item)) for key, item in value.items())
    if isinstance(value, set | frozenset):
        return sorted(map(repr, value))
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return plain(vars(value)) if hasattr(value, "__dict__") else value


def empty(home: Path, site: Path) -> None:
    """Remove all pages and what belongs to them; Python in the pages has just come."""
    rmtree(home, ignore_errors=True)
    for path in site.rglob("*"):
        if path.is_file() and site / "_static" / "python" not in path.parents:
            path.unlink()


# --- what becomes of them -------------------------------------------------------------


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Make the pages of the site, of all that Sphinx wrote in this build and before."""
    if exception or app.builder.format != "html":
        return
    site, raw = Path(app.outdir), written(app)
    index = site / "_static" / "search_index.js"
    index.write_text(index_script(raw), encoding="utf-8")
    pages = {
        name: with_heights(slim(text, (site / name).parent))
        for name, text in raw.items()
    }
    for name, text in with_one_sheet(pages, site / "_static").items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    (folder(app) / "unfinished").rename(folder(app) / "finished")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx; what others do to the files of the site comes before."""
    app.connect("builder-inited", write_beside)
    app.connect("env-get-updated", choose, priority=AFTER_NUMBERING)
    app.connect("build-finished", finish, priority=AFTER_SLIMMING)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
