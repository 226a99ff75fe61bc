"""Cut STIX Two Math down to what a course on mathematics writes.

    python -m pip install brotli
    npm pack @fontsource/stix-two-math    # SIL Open Font Licence
    python tools/math_font.py stix-two-math-latin-400-normal.woff2

writes `_page/fonts/stix-two-math.woff2`, which every page with a formula loads. The
characters are more than the book has today; a test says if a formula needs another.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from fontTools import subset

TARGET = Path(__file__).resolve().parent.parent / "_page/fonts/stix-two-math.woff2"
CHARACTERS = {
    "Latin": [(0x20, 0x7E), (0xA0, 0xFF), (0x131, 0x131), (0x237, 0x237)],
    "accents": [(0x2C6, 0x2C7), (0x2D8, 0x2DC), (0x300, 0x30C), (0x20D7, 0x20D7)],
    "Greek": [(0x391, 0x3C9), (0x3D1, 0x3D6), (0x3F0, 0x3F5)],
    "punctuation": [(0x2010, 0x203E), (0x2044, 0x2064)],
    "letters": [(0x2102, 0x2102), (0x210B, 0x2115), (0x211A, 0x211D), (0x2124, 0x2135)],
    "arrows": [(0x2190, 0x2195), (0x21A6, 0x21A6), (0x21D0, 0x21D5), (0x27F5, 0x27FC)],
    "operators": [
        (0x2200, 0x228B),
        (0x2291, 0x22A9),
        (0x22B2, 0x22C6),
        (0x22EE, 0x22F1),
    ],
    "more operators": [(0x2A7D, 0x2A7E), (0x2AAF, 0x2AB0), (0x25A0, 0x25A1)],
    "brackets": [
        (0x2308, 0x230B),
        (0x23B4, 0x23B5),
        (0x23DC, 0x23E1),
        (0x27C2, 0x27EB),
    ],
    "bold, italic": [(0x1D400, 0x1D467)],
    "script, double-struck": [(0x1D49C, 0x1D4B5), (0x1D538, 0x1D550)],
    "monospaced": [(0x1D670, 0x1D6A5)],
    "Greek italic": [(0x1D6E2, 0x1D71B)],
    "bold digits": [(0x1D7CE, 0x1D7E1)],
}


def code_points() -> set[int]:
    """Return the characters that are kept."""
    ranges = [pair for pairs in CHARACTERS.values() for pair in pairs]
    return {point for first, last in ranges for point in range(first, last + 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path, help="the whole font")
    options = subset.Options(flavor="woff2", hinting=False, layout_features=["*"])
    font = subset.load_font(parser.parse_args().source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=code_points())
    cutter.subset(font)  # with the larger variants that the table MATH names
    subset.save_font(font, TARGET, options)
    print(f"{TARGET}: {TARGET.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
