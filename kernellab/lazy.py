"""Names of a package that are imported when someone first asks for them.

A package that offers much and is imported for little need not load the rest: the
grader of one derivation needs no SciPy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_request(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package whose names live elsewhere.

    Parameters
    ----------
    package : its ``__name__``.
    homes : for each module below the package, the names that it has, with spaces; the
        module can be had by its own name, too.

    Examples
    --------
    >>> on_request("kernellab", {"svm": "SVC SVR"})("SVC").__module__
    'kernellab.svm.svc'
    """
    home = {name: part for part, names in homes.items() for name in names.split()}

    def get(name: str) -> Any:
        if name in homes:
            return import_module(f"{package}.{name}")
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, value)  # the next time it is there
        return value

    return get
