"""What the tests share: where the checkout is, and a site that is up to date."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SITE = ROOT / "_build" / "html"

# So that tests can import what they share: tests.reference, tests.contract.samples.
sys.path.insert(0, str(ROOT))

# Thousands of tests are kept to the end, and are no garbage: to look for it as often as
# Python does takes an eighth of the time.
gc.set_threshold(100_000)

# A busy machine is not a bug, and a test that failed fails again.
settings.register_profile(
    "kernellab", deadline=None, derandomize=True, database=None, print_blob=False
)
settings.load_profile("kernellab")


def notebooks() -> list[Path]:
    """All notebooks that a reader may open."""
    return sorted(
        path
        for folder in ("chapters", "exercises", "reference")
        for path in (ROOT / folder).rglob("*.ipynb")
        if ".ipynb_checkpoints" not in path.parts
    )


def pages() -> list[str]:
    """All pages of the built site; the front page, if nothing has been built."""
    found = (path.relative_to(SITE) for path in SITE.rglob("*.html"))
    return sorted(str(p) for p in found if p.parts[0] != "_static") or ["index.html"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for a notebook, a page or a chapter with each of them."""
    if "notebook" in metafunc.fixturenames:
        names = [str(path.relative_to(ROOT)) for path in notebooks()]
        metafunc.parametrize("notebook", notebooks(), ids=names)
    if "page_name" in metafunc.fixturenames:
        metafunc.parametrize("page_name", pages())
    if "chapter_name" in metafunc.fixturenames:
        chapters = [page for page in pages() if page.startswith("chapters/")]
        metafunc.parametrize("chapter_name", chapters)


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def site() -> Path:
    """The built site, if it is newer than all that it is made of."""
    built = SITE.relative_to(ROOT) / ".built"
    question = subprocess.run(["make", "--question", str(built)], cwd=ROOT, check=False)
    if question.returncode:
        pytest.fail("the site is missing or out of date: run `make site`")
    return SITE


@pytest.fixture
def rows_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute single rows of K even for three points."""
    for name in ("WHOLE_MAX_POINTS", "FAST_ROWS_MIN_POINTS"):
        monkeypatch.setattr(f"kernellab.kernels.row_cache.{name}", 2)
