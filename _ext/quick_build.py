"""Build quickly: do not do what nobody sees the result of, and write on all cores.

Not every extension can read pages in parallel (sphinx_proof says so and cannot), so the
build is asked for one process, and for more once all pages have been read. A tree of
nodes refers to itself everywhere and lives until it is pickled: to look for garbage
takes longer than to read the tree. Nobody looks, which costs half a gigabyte. numpydoc
compiles its template for each docstring; here it keeps the first. Sphinx copies the
sections of all pages for the contents beside each page, which then drop them; here they
get titles only. And the site has an index of its own (`section_search.py`), so Sphinx
makes none.
"""

import gc
import os
from functools import cache
from typing import Any

from docutils import nodes
from jinja2 import BaseLoader
from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape_sphinx
from sphinx.addnodes import toctree
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

BEFORE_THE_THEME = 100


def use_all_cores(app: Sphinx, env: BuildEnvironment) -> None:
    """Let the builder, which comes next, write in parallel."""
    app.parallel = os.cpu_count() or 1


def make_no_index(app: Sphinx) -> None:
    """Spare Sphinx the index of its own search."""
    for step in ("load_indexer", "index_page", "dump_search_index"):
        setattr(app.builder, step, lambda *pages: None)


class Templates:
    """Make the environment of templates that is asked for first, and no other."""

    made: SandboxedEnvironment | None = None

    def __call__(self, loader: BaseLoader) -> SandboxedEnvironment:
        self.made = self.made or SandboxedEnvironment(loader=loader)
        return self.made


def shorten_contents(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Let the contents of the site be made of titles, if no more is wanted."""
    env, whole, all_tocs = app.env, context["toctree"], app.env.tocs

    def contents(*, titles_only: bool = False, **options: Any) -> str:
        env.tocs = titles(env) if titles_only else all_tocs
        try:
            return str(whole(titles_only=titles_only, **options))
        finally:
            env.tocs = all_tocs

    context["toctree"] = contents


@cache
def titles(env: BuildEnvironment) -> dict[str, nodes.bullet_list]:
    """Return the contents of each page without its sections."""
    found = {page: toc.deepcopy() for page, toc in env.tocs.items()}
    for entry in (entry for toc in found.values() for entry in toc):
        entry[1:] = [nodes.bullet_list("", *pages)] if (pages := below(entry)) else []
    return found


def below(entry: nodes.Element) -> list[toctree]:
    """Return what is listed below an entry of the contents: other pages."""
    return list(entry.findall(toctree))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    gc.disable()
    docscrape_sphinx.SandboxedEnvironment = Templates()
    app.connect("builder-inited", make_no_index)
    app.connect("env-updated", use_all_cores)
    app.connect("build-finished", lambda app, error: gc.freeze())  # for a quick exit
    app.connect("html-page-context", shorten_contents, priority=BEFORE_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
