"""The errors of kernellab: each says what was expected, what came, and what to do."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any


class InputError(ValueError):
    """Data of the wrong shape, type or range."""


class NotNumbers(InputError, TypeError):
    """Data of a type that cannot be read as real numbers."""


class DataConversionWarning(UserWarning):
    """Data were read in another shape than they came in."""


class UndefinedValue(ValueError):
    """The expression has no real, finite value at some pair of points."""


class NoFeatureMap(ValueError):
    """No explicit feature map is known for this expression."""


class InfiniteDimensional(NoFeatureMap):
    """The feature space has infinite dimension, so no finite map reproduces k."""


class NoSpectralMeasure(ValueError):
    """The expression is not known to be a mixture of waves cos(ω⊤(x − x'))."""


class NotProven(ValueError):
    """The rules do not prove this expression to be a kernel."""


class NotFitted(ValueError, AttributeError):
    """The estimator has not been fitted yet.

    Once scikit-learn is loaded, what is raised is also its `NotFittedError`, so that
    code written for scikit-learn catches it.
    """


def not_fitted(name: str) -> NotFitted:
    """Return the error of an estimator of this name that is not fitted."""
    kind = _both(_theirs("NotFittedError"))
    return kind(f"this {name} is not fitted yet: call fit first")


def data_conversion_warning() -> type[Warning]:
    """Return the class of this warning: scikit-learn's, if that is loaded."""
    return _theirs("DataConversionWarning") or DataConversionWarning


def _theirs(name: str) -> Any:
    """Return scikit-learn's class of this name; None if that is not loaded."""
    return getattr(sys.modules.get("sklearn.exceptions"), name, None)


@cache
def _both(theirs: type[Exception] | None) -> type[NotFitted]:
    """Return a class of errors that is ours and theirs; pickled as ours."""
    if theirs is None:
        return NotFitted

    def reduce(error: Exception) -> tuple[object, ...]:
        return NotFitted, error.args

    return type("NotFittedError", (NotFitted, theirs), {"__reduce__": reduce})


class ConvergenceWarning(UserWarning):
    """A solver stopped before the gap was as small as asked for."""


class NotPositiveDefinite(ValueError):
    """A matrix that should be positive definite is not, in floating point."""
