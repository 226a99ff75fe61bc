"""Is this a counterexample? cᵀKc < 0, decided by exact or interval arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kernellab.grading.questions.answers import Line
from kernellab.grading.questions.arithmetic import Data, describe, read_data, show
from kernellab.grading.questions.exact import Real, quadratic_form
from kernellab.grading.questions.feedback import Finding
from kernellab.grading.questions.intervals import NoValue
from kernellab.kernels import Domain, Reals
from kernellab.syntax import Unreadable, counted
from kernellab.validity.domains import Box, FiniteSet

Formula = Callable[[Any, Any], Real]
"""k(x, z) for two points (tuples of `Real`, or words), written with `exact`."""

Also = Callable[[Mapping[str, Data]], Sequence[Finding]]


@dataclass(frozen=True, kw_only=True)
class Refutation:
    """What is asked of points and a vector.

    Parameters
    ----------
    formula : the function that is not a kernel.
    domain : where the points must lie.
    words : names of the points, for a finite set of objects (then `domain` is unused).
    most_points : how many points there may be.
    extra : other names that the student answers with.
    also : further conditions on all that was answered: "points", "c" and `extra`.
    """

    formula: Formula
    domain: Domain = field(default_factory=lambda: Reals(1))
    words: tuple[str, ...] = ()
    most_points: int = 12
    extra: tuple[str, ...] = ()
    also: Also | None = None

    def examine(self, lines: list[Line]) -> tuple[float, list[Finding]]:
        """Return the share of the points for the lines of an answer, and why."""
        try:
            data = self._read(lines)
            points, c = self._points(data["points"]), self._vector(data["c"])
            if len(points) != len(c):
                given = counted(len(c), "coefficient")
                raise Unreadable(
                    f"for {counted(len(points), 'point')} there must be as many "
                    f"coefficients in c; it has {given}"
                )
            findings = [self._main(points, c)]
        except Unreadable as error:
            return 0.0, [Finding(False, str(error))]
        except NoValue as error:
            text = f"k has no value that can be used at these points: {error}"
            return 0.0, [Finding(False, text)]
        findings += self._others({**data, "points": points, "c": c})
        right = sum(finding.ok is True for finding in findings)
        judged = sum(finding.ok is not None for finding in findings)
        return right / judged, findings

    def gram(self, points: Sequence[Any]) -> list[list[Real]]:
        """Return the Gram matrix, exactly or enclosed."""
        return [[Real(self.formula(x, z)) for z in points] for x in points]

    def _main(self, points: tuple[Data, ...], c: tuple[Real, ...]) -> Finding:
        value = quadratic_form(c, self.gram(points))
        sign = value.sign()
        shown = show_value(value)
        if sign is None:
            text = f"cᵀKc = {shown}: its sign is not decided by 80 digits"
            return Finding(False, f"{text}; choose simpler points")
        if sign < 0:
            return Finding(True, f"cᵀKc = {shown} < 0 at the points {show(points)}")
        text = f"not negative: your c gives cᵀKc = {shown}"
        if all(x.sign() == 0 for x in c):
            text += " (c = 0 shows nothing)"
        return Finding(False, text)

    def _others(self, data: Mapping[str, Data]) -> list[Finding]:
        if self.also is None:
            return []
        try:
            return list(self.also(data))
        except Exception:  # a condition may trip over data of an unexpected shape
            names = ", ".join(self.extra)
            return [Finding(False, f"{names}: not in the form asked for")]

    # --- reading --------------------------------------------------------------------

    def _read(self, lines: list[Line]) -> dict[str, Data]:
        names = ("points", "c", *self.extra)
        data: dict[str, Data] = {}
        for line in lines:
            if line.name not in names:
                what = line.name or line.body
                raise Unreadable(
                    f"`{what[:40]}` is not asked for; write "
                    f"{', '.join(f'`{name} = …`' for name in names)}"
                )
            try:
                data[line.name] = read_data(line.body, self.words)
            except Unreadable as error:
                raise Unreadable(f"{line.name}: {error}") from error
        missing = [name for name in names if name not in data]
        if missing:
            raise Unreadable(f"missing: {', '.join(missing)}")
        return data

    def _vector(self, data: Data) -> tuple[Real, ...]:
        entries = data if isinstance(data, tuple) else ()
        flat = [e[0] if isinstance(e, tuple) and len(e) == 1 else e for e in entries]
        numbers = tuple(e for e in flat if isinstance(e, Real))
        if not numbers or len(numbers) < len(entries):
            raise Unreadable(
                f"c is a list of numbers such as [1, -2, 1]; this is {describe(data)}"
            )
        return numbers

    def _points(self, data: Data) -> tuple[Data, ...]:
        """Return the points, checked to lie in the domain."""
        if not isinstance(data, tuple) or not data:
            raise Unreadable("points is a list such as [[0], [1], [2]]")
        if len(data) > self.most_points:
            raise Unreadable(
                f"at most {counted(self.most_points, 'point')} may be given"
            )
        points = data if self.words else tuple(map(self._vector_point, data))
        outside = [point for point in points if not self.contains(point)]
        if outside:
            where = ", ".join(self.words) if self.words else str(self.domain)
            raise Unreadable(
                f"the point {show(outside[0])} is outside the domain: {where}"
            )
        return points

    def _vector_point(self, data: Data) -> Data:
        """Read one point; on the line it may be written without brackets."""
        point = data if isinstance(data, tuple) else (data,)
        if not all(isinstance(x, Real) for x in point):
            raise Unreadable(f"{show(data)} is not a point: write [1, 2], with numbers")
        d = self.domain.dimension if isinstance(self.domain, Box) else len(point)
        if d not in (None, len(point)):
            raise Unreadable(
                f"the point {show(data)} has {counted(len(point), 'coordinate')}, "
                f"{counted(int(d or 0), 'is', 'are')} asked for"
            )
        return point

    def contains(self, point: Data) -> bool:
        """Return whether a point lies in the domain, exactly."""
        if self.words:
            return isinstance(point, str)
        assert isinstance(point, tuple)
        if isinstance(self.domain, Box):
            return all(_within(x, self.domain) for x in point if isinstance(x, Real))
        if isinstance(self.domain, FiniteSet):
            return any(_equal(point, other) for other in self.domain.points)
        return True


def show_value(value: Real) -> str:
    """Exactly if that is short, with a decimal beside it."""
    text = str(value)
    plain = value.rational is not None or text.endswith("…")
    return text if plain else f"{text} ≈ {float(value):.6g}"


def _within(x: Real, box: Box) -> bool:
    least = 0 if box.closed else 1
    above = math.isinf(box.low) or ((x - Fraction(box.low)).sign() or 0) >= least
    below = math.isinf(box.high) or ((Fraction(box.high) - x).sign() or 0) >= least
    return above and below


def _equal(point: tuple[Data, ...], other: Any) -> bool:
    return len(point) == len(other) and all(
        isinstance(x, Real) and x.same(Fraction(float(y)))
        for x, y in zip(point, other, strict=True)
    )
