"""The diffusion kernel between the nodes of a graph.

Legend: m nodes; A adjacency matrix, D the degrees on a diagonal, L = D − A the
Laplacian, with the eigenvalues μ ≥ 0 and the eigenvectors U.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from kernellab.arrays import Array, Indices, positive_number
from kernellab.errors import InputError
from kernellab.kernels import parameters as par
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.labelled_graph import Graph
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.points import Points
from kernellab.kernels.printing import ATOM, Text, tex_number
from kernellab.kernels.sets import Discrete
from kernellab.kernels.spaces import objects_of
from kernellab.validity.domains import Domain
from kernellab.validity.rules import Rule

EXPONENTIAL_OF_A_MATRIX = Rule(
    "exponential of a symmetric matrix",
    r"$k(u, v) = (e^H)_{uv}$ is a kernel on $\{1, \dots, m\}$ for every symmetric $m "
    r"\times m$ matrix $H$.",
    r"$B = e^{H/2} = \sum_j (H/2)^j / j!$ is symmetric, for every power of $H$ is, and "
    r"$e^H = BB = B^\top B$. So $k(u, v)$ is the inner product of the columns $u$ and "
    r"$v$ of $B$.",
)


def _is_node(item: Any) -> bool:
    try:
        return operator.index(item) >= 0 and not isinstance(item, bool | np.bool_)
    except TypeError:
        return False


NODES = objects_of("nodes", _is_node, "[0, 3, 5]")


@dataclass(frozen=True, repr=False)
class Diffusion(Discrete):
    """exp(−βL)_uv, the heat at node v some time after a unit of it was put on node u.

    Heat flows along the edges: dh/dβ = −Lh, with L = D − A, has the solution
    h(β) = exp(−βL)h(0). Nodes are near each other if many short paths join them. For a
    path of many nodes it approaches a Gaussian of variance 2β. From Kondor & Lafferty
    (2002), "Diffusion kernels on graphs". One spectrum of L, O(m³), serves all β.

    The points are nodes, 0, …, m−1.

    Parameters
    ----------
    graph : the graph; labels of nodes play no part.
    beta : β > 0, how long heat flows. Learnable.

    Examples
    --------
    >>> path = Graph(3, edges=[(0, 1), (1, 2)])
    >>> Diffusion(path, beta=1.0)([0, 1, 2]).round(3)
    array([[0.526, 0.317, 0.158],
           [0.317, 0.367, 0.317],
           [0.158, 0.317, 0.526]])
    """

    graph: Graph
    beta: float = par.positive(1.0)
    point_space = NODES

    def __post_init__(self) -> None:
        if not isinstance(self.graph, Graph):
            raise TypeError(
                "graph must be a Graph, such as Graph(3, edges=[(0, 1), (1, 2)]); "
                f"got {self.graph!r}"
            )
        object.__setattr__(self, "beta", positive_number(self.beta, "beta"))

    @property
    def _spectrum(self) -> tuple[Array, Array]:
        return _laplacian_spectrum(self.graph)  # the same for every β

    def evaluate(self, pair: PointPairs) -> Array:
        return pair.dot(*self._images(pair, np.ones_like(self._spectrum[0])))

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        """Return ⟨G, β ∂k/∂β⟩ = ⟨G, −βL exp(−βL)⟩."""
        slope = pair.dot(*self._images(pair, -self.beta * self._spectrum[0]))
        return [float(np.sum(G * slope))]

    def _images(self, pair: PointPairs, factor: Array) -> tuple[Array, Array]:
        """Return rows of U·(factor·e^(−βμ/2)) for the left and U·e^(−βμ/2) right."""
        half = self._features_of_all()
        return half[self._nodes(pair.left)] * factor, half[self._nodes(pair.right)]

    def _features_of_all(self) -> Array:
        mu, U = self._spectrum
        result: Array = U * np.exp(-self.beta * mu / 2)
        return result

    def _nodes(self, points: Points) -> Indices:
        nodes = np.array([int(v) for v in self._items(points)], dtype=np.intp)
        if len(nodes) and nodes.max() >= self.graph.n:
            raise InputError(
                f"the nodes of this graph are 0, …, {self.graph.n - 1}; got "
                f"{nodes.max()}"
            )
        return nodes

    def format_latex(self, x: str, z: str) -> Text:
        return rf"(e^{{-{tex_number(self.beta)} L}})_{{{x} {z}}}", ATOM

    def justify(self, domain: Domain) -> Justification:
        return Justification(
            EXPONENTIAL_OF_A_MATRIX,
            conditions=(self._lives_on(domain),),
            note="H = −βL is symmetric, because edges have no direction",
        )

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return True  # e^(−βL) is positive definite

    def build_features(self) -> FeatureMap:
        names = [(1.0, (f"mode {j + 1}",)) for j in range(self.graph.n)]
        return FeatureMap(
            lambda P: self._features_of_all()[self._nodes(P)], lambda d: list(names)
        )


@lru_cache(maxsize=16)
def _laplacian_spectrum(graph: Graph) -> tuple[Array, Array]:
    """Return the eigenvalues and eigenvectors of L; read-only."""
    L = np.zeros((graph.n, graph.n))
    for u, v in graph.edges:
        L[[u, v], [v, u]] = -1.0
    np.fill_diagonal(L, -L.sum(axis=1))
    mu, U = np.linalg.eigh(L)
    mu = np.maximum(mu, 0.0)
    mu.flags.writeable = U.flags.writeable = False
    return mu, U
