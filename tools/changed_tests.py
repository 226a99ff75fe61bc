"""Print the tests of what has changed: for `make quick`.

    python tools/changed_tests.py

What has changed is what is not committed, or else the last commit. `tests/` mirrors
`kernellab/`: a module is tested by the file of its name, or else by its folder.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent


def changed() -> list[str]:
    """Return the files that are not committed, or else those of the last commit."""
    return (
        git("diff", "--name-only", "HEAD")
        + git("ls-files", "--others", "--exclude-standard")
    ) or git("show", "--name-only", "--format=", "HEAD")


def git(*command: str) -> list[str]:
    """Return the lines that git prints."""
    done = subprocess.run(
        ["git", *command], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return done.stdout.splitlines()


def candidates(name: str) -> Iterator[str]:
    """Yield where the tests of a file may be, the nearest first."""
    path = PurePosixPath(name)
    if path.parts[0] == "tests" and path.name.startswith("test_"):
        yield name
    elif path.parts[0] in ("kernellab", "tools") and path.suffix == ".py":
        inside = PurePosixPath(*path.parts[1:])
        yield f"tests/{inside.with_name('test_' + inside.name)}"
        yield f"tests/book/test_{inside.name}"
        for folder in [p for p in inside.parents if p.name]:
            yield f"tests/{folder.with_name('test_' + folder.name)}.py"
            yield f"tests/{folder}"
    elif path.parts[0] == "exercises":
        yield "tests/exercises/test_exercises.py"


def nearest_tests(names: Iterable[str], root: Path = ROOT) -> list[str]:
    """Return the tests of these files: for each the nearest that exist, once."""
    there = lambda place: (root / place).exists()  # noqa: E731
    nearest = (next(filter(there, candidates(name)), None) for name in names)
    return sorted({found for found in nearest if found is not None})


if __name__ == "__main__":
    print(*nearest_tests(changed()))
