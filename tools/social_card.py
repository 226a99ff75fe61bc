"""Draw the picture that messengers show beside a link to the course.

    python tools/social_card.py

writes `_page/card.png`, 1200 × 630 pixels, from the title and the landing picture.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import chromium

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "_page" / "card.png"
SIZE = {"width": 1200, "height": 630}
CARD = """<!doctype html><style>
  body {{ margin: 0; padding: 60px 70px; background: #fcfbf8; color: #1f2328;
         font-family: Georgia, serif; }}
  h1 {{ margin: 0; font-size: 84px; font-weight: 600; }}
  p {{ margin: 12px 0 40px; font-size: 38px; }}
  img {{ width: 1060px; max-height: 300px; object-fit: contain; }}
</style><h1>Kernel methods</h1><p>A course to read, run, and be graded by</p>
<img src="data:image/svg+xml;base64,{picture}">"""


def main() -> None:
    path = chromium.find()
    if path is None:
        sys.exit(f"No browser to draw with: {chromium.ADVICE}.")
    picture = b64encode((ROOT / "_static" / "landing.svg").read_bytes()).decode()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
        page = browser.new_page(viewport=SIZE)
        page.set_content(CARD.format(picture=picture), wait_until="load")
        page.screenshot(path=TARGET)
        browser.close()
    print(f"{TARGET}: {TARGET.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
