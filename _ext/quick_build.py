"""Build quickly: write the pages on all cores, and look for garbage seldom.

Not every extension can read pages in parallel (sphinx_proof says so and cannot), so the
build is asked for one process, and for more once all pages have been read. A tree of
nodes refers to itself everywhere and lives until it is pickled: to look for garbage in
it as often as Python does takes a seventh of the time and finds none. And numpydoc
compiles its template for each docstring; here it keeps the first.
"""

import gc
import os

from jinja2 import BaseLoader
from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape_sphinx
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

NEW_OBJECTS = 200_000
"""So many more objects than there were, and Python looks for garbage."""


def use_all_cores(app: Sphinx, env: BuildEnvironment) -> None:
    """Let the builder, which comes next, write in parallel."""
    app.parallel = os.cpu_count() or 1


class Templates:
    """Make the environment of templates that is asked for first, and no other."""

    made: SandboxedEnvironment | None = None

    def __call__(self, loader: BaseLoader) -> SandboxedEnvironment:
        self.made = self.made or SandboxedEnvironment(loader=loader)
        return self.made


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
    docscrape_sphinx.SandboxedEnvironment = Templates()
    app.connect("env-updated", use_all_cores)
    app.connect("build-finished", lambda app, error: gc.freeze())  # for a quick exit
    return {"parallel_read_safe": True, "parallel_write_safe": True}
