"""Data to learn from: fifteen sets of real measurements, and a few made on the spot.

Each real set is one function, such as `digits()`; it returns a `Dataset` whose files
are part of the package, so that nothing is ever downloaded. `files/LICENSES.md` says
whose they are. Nothing is scaled, filled in or shuffled silently.

>>> from kernellab import data
>>> train, test = data.digits().binary(4, 9).split()
>>> train.X.shape, test.X.shape
((769, 64), (361, 64))
"""

from kernellab.data.dataset import Dataset
from kernellab.data.made import moons, rings, sparse_text, xor
from kernellab.data.objects import karate, mutag, splice, words
from kernellab.data.tables import (
    abalone,
    breast_cancer,
    concrete,
    digits,
    elevation,
    global_temperature,
    letters,
    mauna_loa_co2,
    motorcycle,
    penguins,
)
from kernellab.data.texts import addresses

__all__ = [
    "Dataset",
    "abalone",
    "addresses",
    "breast_cancer",
    "concrete",
    "digits",
    "elevation",
    "global_temperature",
    "karate",
    "letters",
    "mauna_loa_co2",
    "moons",
    "motorcycle",
    "mutag",
    "penguins",
    "rings",
    "sparse_text",
    "splice",
    "words",
    "xor",
]
