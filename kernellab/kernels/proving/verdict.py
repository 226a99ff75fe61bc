"""The verdict on an expression: PROVEN, REFUTED or UNKNOWN, with its evidence."""

from __future__ import annotations

from typing import Self

import numpy as np

from kernellab.kernels.expression import Expression
from kernellab.kernels.proving.proof import Gap, Proof, prove
from kernellab.kernels.proving.refute import search
from kernellab.kernels.proving.witness import Witness, symmetric_witness, witness_on
from kernellab.text import escape_markdown
from kernellab.validity.domains import Domain, FiniteSet
from kernellab.validity.rules import FINITE, Condition

EIGENVALUE_ROUNDING = 1e-11
"""An eigenvalue counts as positive beyond n·EIGENVALUE_ROUNDING·max|K|."""


class Verdict(str):
    """The word PROVEN, REFUTED or UNKNOWN, which also carries the evidence.

    Attributes
    ----------
    domain : the set that the verdict speaks of.
    proof : the proof, if PROVEN.
    witness : points and a vector, if REFUTED.
    gap : where the proof stops, if not PROVEN.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> v = kl.Gaussian().verdict()
    >>> v, v == "PROVEN", str(v.domain)
    (PROVEN, True, 'ℝᵈ for every d')
    """

    domain: Domain
    proof: Proof | None
    witness: Witness | None
    gap: Gap | None

    def __new__(
        cls,
        domain: Domain,
        proof: Proof | None = None,
        witness: Witness | None = None,
        gap: Gap | None = None,
    ) -> Self:
        word = "PROVEN" if proof else "REFUTED" if witness else "UNKNOWN"
        self = super().__new__(cls, word)
        self.domain, self.proof, self.witness, self.gap = domain, proof, witness, gap
        return self

    def __repr__(self) -> str:
        return str(self)

    def __bool__(self) -> bool:
        return self.proof is not None

    @property
    def reason(self) -> str:
        """The evidence in words."""
        if self.proof is not None:
            return str(self.proof)
        if self.witness is not None:
            return str(self.witness)
        return f"{self.gap} No counterexample was found, which proves nothing."

    def _repr_markdown_(self) -> str:
        if self.proof is not None:
            return f"`{self}` {self.proof._repr_markdown_()}"
        if self.witness is not None:
            return f"`{self}` {self.witness._repr_markdown_()}"
        return f"`{self}` {escape_markdown(self.reason)}"


def decide(kernel: Expression, domain: Domain | None = None) -> Verdict:
    """Prove, else refute, else admit that it is not known.

    On a finite set the one Gram matrix decides, unless its smallest eigenvalue is
    zero up to rounding.
    """
    domain = kernel.natural_domain() if domain is None else domain
    result = prove(kernel, domain)
    if isinstance(result, Proof):
        return Verdict(domain, proof=result)
    if isinstance(domain, FiniteSet):
        return _decide_finite(kernel, domain, result)
    witness = search(kernel, domain, np.random.default_rng(0))
    return Verdict(domain, witness=witness, gap=result)


def _decide_finite(kernel: Expression, domain: FiniteSet, gap: Gap) -> Verdict:
    points = kernel.read_points(domain.items, "the finite set")
    witness = symmetric_witness(kernel, points) or witness_on(kernel, points)
    if witness is not None:
        return Verdict(domain, witness=witness, gap=gap)
    K = kernel(points)
    smallest = float(np.linalg.eigvalsh((K + K.T) / 2)[0])
    margin = len(K) * EIGENVALUE_ROUNDING * float(np.abs(K).max())
    if smallest <= margin:
        return Verdict(domain, gap=gap)
    held = Condition(
        f"the smallest eigenvalue of the {len(K)}×{len(K)} Gram matrix is "
        f"{smallest:.3g}, above the rounding error {margin:.1g}",
        True,
    )
    return Verdict(domain, proof=Proof(kernel, domain, FINITE, (held,)))
