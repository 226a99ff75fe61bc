"""The errors of kernellab: each says what was expected, what came, and what to do."""


class InputError(ValueError):
    """Data of the wrong shape, type or range."""


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
    """The estimator has not been fitted yet."""


class ConvergenceWarning(UserWarning):
    """A solver stopped before the gap was as small as asked for."""


class NotPositiveDefinite(ValueError):
    """A matrix that should be positive definite is not, in floating point."""
