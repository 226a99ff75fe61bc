"""Print the book as one PDF, with Chromium.

    python tools/book_pdf.py _build/pdf/_build/singlehtml/index.html kernel-methods.pdf

The page is the whole book in one piece. Chromium loads all its pictures, opens what is
folded (but for the code of figures), and prints it, with an outline and page numbers.
Nothing is loaded from anywhere else.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Page, Route, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import chromium

SCALE = 0.72  # the widest lines of code and formulas fit
PATIENCE = 600_000  # milliseconds: thousands of formulas make a thousand pages
READY = """async () => {
  for (const folded of document.querySelectorAll('details:not(.hide)'))
    folded.open = true;
  for (const image of document.images) image.loading = 'eager';
  await Promise.all([...document.images].map((image) => image.decode().catch(() => 0)));
  await document.fonts.ready;
}"""
FOOT = (
    '<div style="width: 100%; font: 8pt sans-serif; text-align: center">'
    '<span class="pageNumber"></span></div>'
)


def stay_at_home(route: Route) -> None:
    """Only files of this machine."""
    if route.request.url.startswith(("file:", "data:", "blob:")):
        route.continue_()
    else:
        route.abort()


def prepare(page: Page, source: Path) -> None:
    """Open the book, and wait until it can be printed."""
    page.set_default_timeout(PATIENCE)
    page.route("**/*", stay_at_home)
    page.emulate_media(media="print", color_scheme="light")
    page.goto(source.resolve().as_uri())
    page.evaluate(READY)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path, help="the book as one HTML page")
    parser.add_argument("target", type=Path, help="the PDF to write")
    options = parser.parse_args()
    path = chromium.find()
    if path is None:
        sys.exit(f"No browser to print the book with: {chromium.ADVICE}.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
        page = browser.new_page()
        prepare(page, options.source)
        page.pdf(
            path=options.target,
            format="A4",
            scale=SCALE,
            outline=True,
            tagged=True,
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOT,
            margin={"top": "18mm", "bottom": "20mm", "left": "17mm", "right": "17mm"},
        )
        browser.close()
    print(f"{options.target}: {options.target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
