"""Class labels of any type, as the numbers that a machine works with.

A label is a string, an integer, a boolean, …; what an algorithm needs are codes
0, …, c − 1 and, for two classes, the signs −1 and +1 of the course: the larger label
is +1, so that the labels −1 and +1 stand for themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import (
    Array,
    describe,
    one_column,
    positive_number,
    require_plain,
    require_target,
)
from kernellab.errors import InputError
from kernellab.estimator import read_weights

BALANCED = "balanced"
"""In place of class weights: Σs/(c Σ_k s), the same total weight for every class."""

MAX_NAMED_CLASSES = 6
"""How many classes an error message names."""


@dataclass(frozen=True, eq=False)
class Labels:
    """The classes of n points.

    Attributes
    ----------
    classes : (c,) array, the different labels in increasing order.
    codes : (n,) integers, `classes[codes]` are the labels.

    Examples
    --------
    >>> labels = Labels.read(["spam", "ham", "spam"], 3)
    >>> labels.classes, labels.codes, labels.signs
    (array(['ham', 'spam'], dtype='<U4'), array([1, 0, 1]), array([ 1., -1.,  1.]))
    >>> Labels.read([0.5, 1.7, 0.5], 3)
    Traceback (most recent call last):
    ...
    kernellab.errors.InputError: y must be class labels; y[0] is 0.5, which looks \
like a continuous target. Round it, cut it into classes, or fit a regression.
    """

    classes: NDArray[Any]
    codes: NDArray[np.intp]

    @classmethod
    def read(cls, y: ArrayLike, n: int) -> Self:
        """Check the labels of n points; at least two classes. O(n log n)."""
        given = read_labels(y, n)
        try:
            classes = np.unique(given)
        except TypeError as error:
            raise InputError(
                "y must be labels of one type, which can be sorted; "
                f"got {describe(y)} ({error})"
            ) from error
        if len(classes) < 2:
            raise InputError(
                f"y must have two classes or more; all {n} labels are "
                f"{classes.tolist()[0]!r}. To learn what one class looks like, "
                "use OneClassSVM."
            )
        return cls(classes, np.searchsorted(classes, given))

    @property
    def signs(self) -> Array:
        """(n,) array of −1 and +1: +1 for the larger of two labels.

        >>> Labels.read([1, 0, 1], 3).signs
        array([ 1., -1.,  1.])
        """
        if len(self.classes) != 2:
            shown = ", ".join(
                repr(c) for c in self.classes[:MAX_NAMED_CLASSES].tolist()
            )
            more = ", …" if len(self.classes) > MAX_NAMED_CLASSES else ""
            raise InputError(
                "Only binary classification is supported by this machine, y has "
                f"{len(self.classes)} classes: {shown}{more}. Keep two of them, or use "
                "SVC, which takes several."
            )
        return np.where(self.codes == 1, 1.0, -1.0)

    @property
    def counts(self) -> NDArray[np.intp]:
        """(c,) number of points of each class."""
        return np.bincount(self.codes, minlength=len(self.classes))


def read_labels(y: ArrayLike, n: int) -> NDArray[Any]:
    """Return the n labels as an array, checked; they may be all the same."""
    require_target(y)
    require_plain(y, "y must be class labels, one for each point")
    try:
        given = one_column(np.asarray(y), n)
    except ValueError as error:
        raise InputError(
            f"y must have shape ({n},), one label for each point; got {describe(y)}"
        ) from error
    if given.shape != (n,):
        hint = "; write y.ravel()" if given.shape == (1, n) else ""
        raise InputError(
            f"y must have shape ({n},), one label for each point; "
            f"got shape {given.shape}{hint}"
        )
    if given.dtype.kind not in "biufUSO":
        raise InputError(
            "y must be class labels (strings, integers, booleans); "
            f"these are of type {given.dtype}"
        )
    mixed = given.dtype.kind == "U" and isinstance(y, Sequence)
    if mixed and not all(isinstance(label, str) for label in y):  # type: ignore[union-attr]
        raise InputError(
            f"y must be labels of one type; got {describe(y)}, a mixture that NumPy "
            "would read as strings"
        )
    _require_known(given)
    if given.dtype.kind == "f":
        _require_whole(given)
    return given


def _require_known(given: NDArray[Any]) -> None:
    """Raise an error if a label is missing (None or NaN) or infinite."""
    if given.dtype.kind == "f":
        missing = ~np.isfinite(given)
    elif given.dtype.kind == "O":
        missing = np.array([x is None or x != x for x in given], dtype=bool)
    else:
        return
    if missing.any():
        i = int(missing.argmax())
        raise InputError(
            f"every point needs a label; y[{i}] is {given[i]}. Drop such points first."
        )


def _require_whole(given: NDArray[Any]) -> None:
    """Labels that are floats are whole numbers."""
    broken = given != np.round(given)
    if broken.any():
        i = int(broken.argmax())
        raise InputError(
            f"y must be class labels; y[{i}] is {given[i]:g}, which looks like a "
            "continuous target. Round it, cut it into classes, or fit a regression."
        )


def accuracy(
    predicted: NDArray[Any], y: ArrayLike, weights: ArrayLike | None = None
) -> float:
    """Return the share of labels that were predicted, each point with its weight.

    >>> accuracy(np.array(["a", "b", "b"]), ["a", "b", "a"], [1.0, 1.0, 2.0])
    0.5
    """
    truth = read_labels(y, len(predicted))
    words = [labels.dtype.kind in "US" for labels in (truth, predicted)]
    if words[0] != words[1] and "O" not in (truth.dtype.kind, predicted.dtype.kind):
        raise InputError(
            f"y must be labels as in fit, such as {predicted.tolist()[0]!r}; "
            f"got {truth.tolist()[0]!r}"
        )
    s = read_weights(weights, len(predicted))
    return float(np.average(predicted == truth, weights=s))


# --- weights of classes -------------------------------------------------------------


def class_weights(given: object, labels: Labels, s: Array) -> Array:
    """Return (c,) weights, one for each class in the order of `labels.classes`."""
    classes = labels.classes.tolist()
    if given is None:
        return np.ones(len(classes))
    if isinstance(given, str) and given == BALANCED:
        mass = np.bincount(labels.codes, weights=s)
        return np.asarray(mass.sum() / (len(classes) * mass))
    if not isinstance(given, Mapping):
        raise InputError(
            f"class_weight must be a mapping from labels to numbers, {BALANCED!r} or "
            f"None; got {describe(given)}"
        )
    return _by_label(given, classes)


def _by_label(given: Mapping[Any, Any], classes: list[Any]) -> Array:
    unknown = [label for label in given if label not in classes]
    if unknown:
        raise InputError(
            f"class_weight names {unknown[0]!r}, which is no label of y; "
            f"these are {', '.join(map(repr, classes[:MAX_NAMED_CLASSES]))}"
        )
    return np.array(
        [
            positive_number(given.get(label, 1.0), f"class_weight[{label!r}]")
            for label in classes
        ]
    )
