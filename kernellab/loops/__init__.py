"""The four loops that may be compiled, each beside its twin in NumPy.

Four algorithms of the library are loops in which every step needs the one before: the
steps of SMO (`smo`), the pass of a perceptron (`mistakes`), the recursion of the string
subsequence kernel (`subsequences`), and coordinate ascent (`ascent`). Each module has
the loop twice:

- plainly, one number after the other: the version to read, and the one that Numba
  compiles where it is installed (``pip install kernellab[fast]``);
- as operations on whole arrays: what runs without Numba, for instance in a browser.

The two are tested against each other. Nothing is imported or compiled before a loop is
first needed; what was compiled is kept on disk for the next time, if a folder for that
can be written (`compiler`).
"""

from kernellab.loops.compiler import compiled, numba_is_installed, without_numba

__all__ = ["compiled", "numba_is_installed", "without_numba"]
