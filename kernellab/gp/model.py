"""What a Gaussian process assumes: a kernel, a noise variance, a mean function.

    t_i = m(x_i) + f(x_i) + ε_i,    f ~ GP(0, k),    ε_i ~ N(0, σ_i²) independent.

The noise is no part of the kernel: f and t are different things, and so are their
predictions. θ is the kernel's θ followed by log σ_n²; noise that is 0, or given for
each point, is fixed and left out (as a kernel's constant that is 0 is).

Legend: n points; K (n×n) Gram matrix; D = diag(σ_i²); C = K + D, the covariance of t.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, describe, number, reals
from kernellab.errors import InputError
from kernellab.estimator import read_target
from kernellab.kernels.base import Kernel

Mean = float | str | Callable[[Any], Any] | None
"""A mean function: None is 0, a number is that constant, "constant" is learned."""

CONSTANT = "constant"

MAX_TARGET = 1e140
"""The largest |t|: t², divided by a small noise, is still a float."""

NOISE = "noise"
"""The name of log σ_n², the last entry of θ."""


@dataclass(frozen=True, eq=False)
class Model:
    """A kernel and a noise variance, which θ stands for; whether a constant is free."""

    kernel: Kernel
    noise: float | Array
    learns_mean: bool = False

    @classmethod
    def read(cls, kernel: object, noise: Any, mean: Any = None) -> Self:
        if not isinstance(kernel, Kernel):
            hint = "; write it with parentheses" if isinstance(kernel, type) else ""
            raise TypeError(
                "kernel must be a Kernel, such as Gaussian(sigma=1.0); got "
                f"{describe(kernel)}{hint}"
            )
        return cls(kernel, read_noise(noise), learns_constant(mean))

    @property
    def learns_noise(self) -> bool:
        return isinstance(self.noise, float) and self.noise > 0

    @property
    def theta(self) -> Array:
        if not self.learns_noise:
            return self.kernel.theta
        assert isinstance(self.noise, float)
        return np.append(self.kernel.theta, math.log(self.noise))

    @property
    def theta_names(self) -> tuple[str, ...]:
        return self.kernel.theta_names + ((NOISE,) if self.learns_noise else ())

    @property
    def positive(self) -> tuple[bool, ...]:
        """Which entries of θ are logarithms."""
        kernel = tuple(slot.log for _, slot in self.kernel.parameter_slots())
        return kernel + ((True,) if self.learns_noise else ())

    def with_theta(self, theta: ArrayLike) -> Self:
        values = reals(theta, "theta must be an array of numbers")
        names = self.theta_names
        if values.shape != (len(names),) or not np.isfinite(values).all():
            raise InputError(
                f"theta must be finite, of shape ({len(names)},) for "
                f"{', '.join(names) or 'no parameter'}; got {describe(theta)}"
            )
        if not self.learns_noise:
            return replace(self, kernel=self.kernel.with_theta(values))
        kernel = self.kernel.with_theta(values[:-1])
        if values[-1] == self.theta[-1]:  # exp(log(v)) may differ in the last bit
            return replace(self, kernel=kernel)
        with np.errstate(over="ignore"):
            noise = float(np.exp(values[-1]))
        if not 0 < noise < math.inf:
            raise InputError(
                f"theta = {values[-1]:g} for the noise gives a variance of {noise:g}; "
                "keep |theta| below 700"
            )
        return replace(self, kernel=kernel, noise=noise)

    def noise_of(self, given: Any, q: int) -> Array:
        """Return the noise of q observations: the model's, or as given."""
        if isinstance(self.noise, float):
            if given is not None:
                raise InputError(
                    f"every observation has the noise {self.noise:.3g}; leave noise "
                    "out here, or give it for each point when the process is made"
                )
            return np.full(q, self.noise)
        if given is None:
            raise InputError(
                "noise was given for each training point, so nothing says what it is "
                f"at {q} other points: give noise=, a variance or {q} of them"
            )
        variances = read_noise(given)
        if np.shape(variances) not in ((), (q,)):
            raise InputError(
                f"noise must be a number or have shape ({q},), got "
                f"{np.shape(variances)}"
            )
        return np.broadcast_to(variances, q).astype(float)

    def require_fit(self, n: int) -> None:
        """Raise an error if noise is given for another number of points."""
        if np.shape(self.noise) not in ((), (n,)):
            raise InputError(
                f"noise must be a number, or one variance for each of the {n} points, "
                f"shape ({n},); got shape {np.shape(self.noise)}"
            )


def read_noise(noise: Any) -> float | Array:
    """Check noise: a variance, or one for each point."""
    if np.ndim(noise) == 0:
        value = number(noise, "noise, a variance,")
        if value < 0:
            raise InputError(f"noise is a variance and must be ≥ 0, got {noise!r}")
        return value
    variances = reals(noise, "noise must be a number or an array of numbers").copy()
    if variances.ndim != 1 or not np.isfinite(variances).all() or (variances < 0).any():
        raise InputError(
            "noise must be a variance, or one for each point: finite, nowhere "
            f"negative, of shape (n,); got {describe(noise)}"
        )
    return variances


def learns_constant(mean: Mean) -> bool:
    """Return whether the mean is a constant that is to be learned."""
    if isinstance(mean, str) and mean != CONSTANT:
        raise InputError(
            f'mean must be None, a number, a function, or "{CONSTANT}" for a constant '
            f"that is learned; got {mean!r}"
        )
    return isinstance(mean, str)


def mean_values(mean: Mean, items: Any, n: int) -> Array:
    """Return m(x) for n points, without a constant that is learned."""
    if mean is None or learns_constant(mean):
        return np.zeros(n)
    if not callable(mean):
        return np.full(n, number(mean, "mean, if it is not a function,"))
    values = reals(mean(items), "mean must return an array of numbers")
    if values.shape != (n,) or not np.isfinite(values).all():
        raise InputError(
            f"mean must return one finite number for each of the {n} points, shape "
            f"({n},); it returned shape {values.shape}. It is called with all points "
            "at once: write it for arrays, such as lambda X: 2 * X[:, 0]."
        )
    return values


def read_observations(y: ArrayLike, n: int) -> Array:
    """Check targets: one for each of n points, whose squares are floats."""
    T = read_target(y, n, "For several outputs fit a process to each.")
    if np.abs(T).max() > MAX_TARGET:
        raise InputError(
            f"y is too large: |y| is up to {np.abs(T).max():.3g}, and its square has "
            f"to be a float with room to spare, so at most {MAX_TARGET:g}. Rescale y."
        )
    return T


def whole(value: Any, name: str) -> int:
    """Check a count."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise InputError(f"{name} must be a whole number ≥ 0, got {value!r}")
    return int(value)
