"""Strings and graphs: points without coordinates."""

from __future__ import annotations

import numpy as np

from kernellab.data.dataset import Dataset
from kernellab.data.reading import CC_BY, FACTS, numbers, table
from kernellab.kernels.labelled_graph import Graph


def splice() -> Dataset:
    """Return 3,190 pieces of DNA, 60 letters around a point; y is the kind of site.

    EI and IE are borders of a gene's parts, N is neither. Equal sequences form a group.
    """
    columns = table("splice")
    sequences = columns["sequence"]
    return Dataset(
        "splice", sequences, np.array(columns["site"]),
        groups=np.unique(sequences, return_inverse=True)[1].reshape(-1),
        notes="A few letters are N, D, R or S: unsure. 185 sequences are repeated.",
        licence=CC_BY,
        citation="G. Towell, M. Noordewier and J. Shavlik (1991), UCI, "
        "doi:10.24432/C5M888, from GenBank 64.1.",
    )  # fmt: skip


def words() -> Dataset:
    """Return 2,727 words of six languages; y is the language.

    They are the words of the Universal Declaration of Human Rights that have four
    letters or more and occur in one of the languages only.
    """
    columns = table("words")
    return Dataset(
        "words", columns["word"], np.array(columns["language"]),
        notes="Lower case.", licence="A list of single words: no copyright.",
        citation="United Nations (1948), General Assembly resolution 217 A (III).",
    )  # fmt: skip


def mutag() -> Dataset:
    """Return 188 molecules as graphs of atoms; y is 1 if mutagenic, −1 if not.

    `columns["atoms"]` counts the atoms, which tells the classes apart nearly as well as
    a graph kernel does.
    """
    columns = table("mutag")
    graphs = [
        _molecule(atoms.split(), bonds.split())
        for atoms, bonds in zip(columns["atoms"], columns["bonds"], strict=True)
    ]
    return Dataset(
        "mutag", graphs, numbers(columns["mutagenic"]),
        columns={"atoms": np.array([graph.n for graph in graphs])},
        notes="Hydrogen and the kinds of bonds are left out.", licence=FACTS,
        citation="A. K. Debnath et al. (1991), J. Med. Chem. 34, 786–797; N. Kriege "
        "and P. Mutzel (2012), ICML.",
    )  # fmt: skip


def _molecule(atoms: list[str], bonds: list[str]) -> Graph:
    edges = tuple(tuple(map(int, bond.split("-"))) for bond in bonds)
    return Graph(len(atoms), edges, tuple(atoms))  # type: ignore[arg-type]


def karate() -> Dataset:
    """Return who met whom outside a karate club; y is the faction after its split.

    X is the symmetric 34 × 34 matrix of the kinds of contact: row i belongs to member
    i + 1.
    """
    columns = table("karate")
    one, two = (np.array(columns[f"member_{side}"], dtype=int) - 1 for side in "ab")
    X = np.zeros((34, 34))
    X[one, two] = X[two, one] = numbers(columns["weight"])
    y = np.empty(34, dtype="<U7")
    y[one], y[two] = columns["faction_a"], columns["faction_b"]
    return Dataset(
        "karate", X, y, tuple(f"member_{i + 1}" for i in range(34)),
        notes="Number of kinds of contact outside the club.", licence=FACTS,
        citation="W. W. Zachary (1977), J. Anthropological Research 33, 452–473.",
    )  # fmt: skip
