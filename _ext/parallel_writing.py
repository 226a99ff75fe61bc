"""Write the pages on all cores.

Not every extension can read pages in parallel (sphinx_proof says so and cannot), so the
build is asked for one process, and for more once all pages have been read.
"""

import os

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def use_all_cores(app: Sphinx, env: BuildEnvironment) -> None:
    """Let the builder, which comes next, write in parallel."""
    app.parallel = os.cpu_count() or 1


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("env-updated", use_all_cores)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
