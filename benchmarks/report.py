"""The table on the screen, and the file that the page of the book reads."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.harness import Check, Mean, Record, means

FORM = 1
"""The number of the file's form; to be raised when the page must read it otherwise."""

WIDTHS = (25, 43, 26, 8, 8, 6, 12, 6, 16)
TITLES = (
    "task",
    "problem",
    "beside",
    "ours",
    "peer's",
    "ratio",
    "spread",
    "target",
    "peak MB, peer's",
)


def row(cells: Iterable[str]) -> str:
    """Cells under each other: words to the left, numbers to the right."""
    padded = [
        f"{cell:<{width}}" if k < 3 else f"{cell:>{width}}"
        for k, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    ]
    return " ".join(padded).rstrip()


def heading() -> str:
    """The first two lines of the table."""
    return row(TITLES) + "\n" + row("-" * width for width in WIDTHS)


def line(record: Record) -> str:
    """One line of the table; for a case without times, the reason."""
    words = [record.name, record.setting, record.peer]
    if record.ratio is None:
        return row([*words, *[""] * 6]) + f"  {record.status.upper()}: {record.message}"
    memory = (record.memory_ours, record.memory_theirs)
    return row(
        [
            *words,
            duration(statistics.median(record.ours)),
            duration(statistics.median(record.theirs)),
            number(record.ratio),
            f"{number(record.lowest)}–{number(record.highest)}",
            "" if record.target is None else f"≤ {record.target:g}",
            "" if None in memory else "  ".join(f"{m:6.0f}" for m in memory),
        ]
    )


def mean_line(mean: Mean) -> str:
    """One line below the table."""
    target = "" if mean.target is None else f", target ≤ {mean.target:g}"
    what = f"{mean.group}, {mean.name} beside {mean.peer}"
    return f"{what}: {number(mean.ratio)} ({mean.cases} cases{target})"


def summary(records: list[Record]) -> str:
    """Geometric means, what missed its target, and how many cases there were."""
    missed = [
        f"{r.group}, {r.name}, {r.setting}: {number(r.ratio)}, target ≤ {r.target:g}"
        for r in records
        if r.ratio is not None and r.target is not None and r.ratio > r.target
    ]
    ok, failed, skipped = (
        sum(record.status == status for record in records)
        for status in ("ok", "failed", "skipped")
    )
    parts = [
        "Geometric means",
        *(f"  {mean_line(mean)}" for mean in means(records)),
        "Above the target" if missed else "All targets of single cases were reached.",
        *(f"  {text}" for text in missed),
        f"{ok} compared, {failed} failed, {skipped} left out",
    ]
    return "\n".join(parts)


def number(ratio: float | None) -> str:
    """Two digits after the point, or two significant ones."""
    if ratio is None:
        return ""
    if ratio >= 0.095:
        return f"{ratio:.2f}"
    return f"{ratio:.{1 - math.floor(math.log10(ratio))}f}" if ratio > 0 else "0"


def duration(seconds: float) -> str:
    """Seconds or milliseconds, with three digits."""
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{1e3 * seconds:.3g} ms"


def as_data(
    records: list[Record], environment: dict[str, Any], quick: bool
) -> dict[str, Any]:
    """All of it as plain data, with four significant digits."""
    return {
        "form": FORM,
        "quick": quick,
        "environment": environment,
        "records": [_rounded(asdict(record)) for record in records],
        "means": [_rounded(asdict(mean)) for mean in means(records)],
    }


def from_data(data: dict[str, Any]) -> list[Record]:
    """The records of a file's contents."""
    if data.get("form") != FORM:
        raise ValueError(f"expected form {FORM}, got {data.get('form')!r}")
    return [
        Record(**{**record, "checks": [Check(**c) for c in record["checks"]]})
        for record in data["records"]
    ]


def merged(path: Path, records: list[Record], groups: list[str]) -> list[Record]:
    """These records, and those of other groups in a file, if it is there."""
    old = from_data(json.loads(path.read_text("utf-8"))) if path.exists() else []
    new = {record.group for record in records}
    both = [*(record for record in old if record.group not in new), *records]
    return [record for group in groups for record in both if record.group == group]


def write(path: Path, data: dict[str, Any]) -> None:
    """Write the file anew, whole or not at all."""
    draft = path.with_suffix(".tmp")
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, indent=1, ensure_ascii=False, default=float)
    draft.write_text(text + "\n", "utf-8")
    draft.replace(path)


def _rounded(value: Any) -> Any:
    """Floats with four significant digits, wherever they stand."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value
