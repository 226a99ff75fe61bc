"""The public address of the course, which pyproject.toml alone names.

    python tools/public_address.py               print it
    python tools/public_address.py --tag v0.1.0  refuse a release that is not ready

An address that ends in `.example` belongs to nobody, and counts as none. A release
needs an address, a tag that is its version, and a date in CHANGELOG.md.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent


def public_address(root: Path = ROOT) -> str | None:
    """Return the address of the site, with a slash at its end; None if it has none."""
    address = address_of("Homepage", root)
    return address and address.rstrip("/") + "/"


def problem_address(root: Path = ROOT) -> str | None:
    """Return where problems are reported; None if pyproject.toml names no place."""
    return address_of("Issues", root)


def address_of(name: str, root: Path) -> str | None:
    """Return an entry of `[project.urls]`, unless it is missing or nobody's."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    address: str | None = settings["project"]["urls"].get(name)
    host = urlsplit(address or "").hostname or ""
    return None if host.endswith(".example") else address


def not_ready(tag: str, root: Path = ROOT) -> list[str]:
    """Return why this tag must not be released."""
    code = (root / "kernellab" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.*)"$', code, re.MULTILINE)
    version = found[1] if found else ""
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    dated = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$"
    reasons = {
        "pyproject.toml names no public address": public_address(root) is None,
        f"the tag {tag} is not v{version}": tag != f"v{version}",
        f"CHANGELOG.md has no date for {version}": not re.search(dated, changes, re.M),
    }
    return [reason for reason, holds in reasons.items() if holds]


def main() -> int:
    parser = argparse.ArgumentParser(description="The public address of the course.")
    parser.add_argument("--tag", help="a release: check that it is ready")
    tag = parser.parse_args().tag
    if tag is None:
        print(public_address() or "none yet: set Homepage in pyproject.toml")
        return 0
    for reason in not_ready(tag):
        print(reason, file=sys.stderr)
    return bool(not_ready(tag))


if __name__ == "__main__":
    sys.exit(main())
