"""The parameters of an expression by name, whether they can be learned or not.

A single kernel has the names of its fields, `sigma`. In an expression the name of the
part comes first, as in `theta_names`: `gaussian__sigma`, `gaussian2__sigma`. These are
the names of scikit-learn's `kernel__gaussian__sigma`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import count
from typing import Any, TypeVar

from kernellab.errors import InputError
from kernellab.kernels.expression import Expression

E = TypeVar("E", bound=Expression)

Place = tuple[int, str]
"""The number of a node, parents before children, and the name of its field."""


def named_parameters(kernel: Expression) -> dict[str, Any]:
    """Return the parameters of all parts of an expression by name.

    >>> from kernellab import kernels as kl
    >>> named_parameters(kl.Gaussian(sigma=2.0))
    {'sigma': 2.0}
    >>> named_parameters(2 * kl.Gaussian() + kl.Polynomial(degree=2))
    {'scale__c': 2.0, 'gaussian__sigma': 1.0, 'polynomial__degree': 2, \
'polynomial__c': 1.0}
    """
    nodes = kernel.nodes()
    return {
        name: getattr(nodes[position], field)
        for name, (position, field) in _places(kernel).items()
    }


def with_parameters(kernel: E, changes: Mapping[str, Any]) -> E:
    """Return the same expression with other parameters.

    The name of the part may be left out where only one has such a parameter.

    >>> from kernellab import kernels as kl
    >>> with_parameters(2 * kl.Gaussian(), {"sigma": 3.0})
    2.0 * Gaussian(sigma=3.0)
    """
    places, new = _places(kernel), defaultdict[int, dict[str, Any]](dict)
    for name, value in changes.items():
        position, field = _find(name, places, kernel)
        new[position][field] = value
    return _rebuilt(kernel, new, count())


def _places(kernel: Expression) -> dict[str, Place]:
    nodes, seen = kernel.nodes(), Counter[str]()
    places: dict[str, Place] = {}
    for position, node in enumerate(nodes):
        own = [f.name for f in fields(node) if _is_parameter(getattr(node, f.name))]
        word = type(node).__name__.lower()
        seen[word] += bool(own)
        owner = word if seen[word] == 1 else f"{word}{seen[word]}"
        prefix = "" if len(nodes) == 1 else f"{owner}__"
        places |= {prefix + name: (position, name) for name in own}
    return places


def _is_parameter(value: object) -> bool:
    parts = value if isinstance(value, tuple) else (value,)
    return not any(isinstance(part, Expression) for part in parts)


def _find(name: str, places: Mapping[str, Place], kernel: Expression) -> Place:
    ends = [known for known in places if known.endswith(f"__{name}")]
    found = [name] if name in places else ends
    if len(found) == 1:
        return places[found[0]]
    which = f"is one of {', '.join(ends)}" if ends else f"has {', '.join(places)}"
    which = which if places else "has none"
    subject = f"{name} of" if ends else f"there is no parameter {name}:"
    raise InputError(f"{subject} {kernel!r} {which}")


def _rebuilt(node: E, new: Mapping[int, dict[str, Any]], numbers: Iterator[int]) -> E:
    mine = dict(new.get(next(numbers), {}))
    children = [_rebuilt(child, new, numbers) for child in node.children]
    return node.replaced(mine, iter(children))
