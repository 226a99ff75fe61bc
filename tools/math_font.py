"""Cut STIX Two Math down to what a course on mathematics writes.

    python -m pip install brotli
    npm pack @fontsource/stix-two-math    # SIL Open Font Licence
    python tools/math_font.py stix-two-math-latin-400-normal.woff2

writes `_page/fonts/stix-two-math.woff2`, what most formulas are made of, and
`stix-two-math-rare.woff2`, which a page loads if it has another character. Together
they have more than the book has today; a test says if a formula needs another. The
ranges of the first are printed, for `unicode-range` in `_page/math.css`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from fontTools import subset

FOLDER = Path(__file__).resolve().parent.parent / "_page/fonts"
Ranges = list[tuple[int, int]]
COMMON: Ranges = [
    (0x20, 0x7E),
    *((0xA0, 0xA0), (0xB0, 0xB1), (0xD7, 0xD7), (0x2C6, 0x2C6)),
    *((0x391, 0x3C9), (0x3D1, 0x3D6), (0x3F0, 0x3F5)),  # Greek
    *((0x2013, 0x2016), (0x2026, 0x2026), (0x2032, 0x2032), (0x203E, 0x203E)),
    *((0x2061, 0x2062), (0x210B, 0x210E), (0x2112, 0x2115), (0x211D, 0x211D)),
    *((0x2190, 0x2193), (0x21A6, 0x21A6), (0x21D2, 0x21D4), (0x27F6, 0x27FA)),
    *((0x2200, 0x2212), (0x2217, 0x221E), (0x2225, 0x222C), (0x223C, 0x223C)),
    *((0x2248, 0x2248), (0x2260, 0x2265), (0x226A, 0x226B), (0x2282, 0x2287)),
    *((0x22A4, 0x22A5), (0x22C5, 0x22C5), (0x22EE, 0x22F1), (0x2308, 0x230B)),
    *((0x23DF, 0x23DF), (0x25A1, 0x25A1), (0x27C2, 0x27C2), (0x27E8, 0x27E9)),
    *((0x2AAF, 0x2AB0), (0x1D434, 0x1D467), (0x1D6E2, 0x1D71B)),  # italic
    *((0x1D49C, 0x1D4B5), (0x1D53C, 0x1D53C)),  # capital script, expectation
    *((0x1D7CF, 0x1D7CF), (0x1D7D9, 0x1D7D9)),  # vectors of ones
]
ALL: Ranges = [
    *((0x20, 0x7E), (0xA0, 0xFF), (0x131, 0x131), (0x237, 0x237)),
    *((0x2C6, 0x2C7), (0x2D8, 0x2DC), (0x300, 0x30C), (0x20D7, 0x20D7)),  # accents
    *((0x391, 0x3C9), (0x3D1, 0x3D6), (0x3F0, 0x3F5)),
    *((0x2010, 0x203E), (0x2044, 0x2064)),  # punctuation
    *((0x2102, 0x2102), (0x210B, 0x2115), (0x211A, 0x211D), (0x2124, 0x2135)),
    *((0x2190, 0x2195), (0x21A6, 0x21A6), (0x21D0, 0x21D5), (0x27F5, 0x27FC)),
    *((0x2200, 0x228B), (0x2291, 0x22A9), (0x22B2, 0x22C6), (0x22EE, 0x22F1)),
    *((0x2A7D, 0x2A7E), (0x2AAF, 0x2AB0), (0x25A0, 0x25A1)),
    *((0x2308, 0x230B), (0x23B4, 0x23B5), (0x23DC, 0x23E1), (0x27C2, 0x27EB)),
    *((0x1D400, 0x1D467), (0x1D49C, 0x1D4B5), (0x1D538, 0x1D550)),
    *((0x1D670, 0x1D6A5), (0x1D6E2, 0x1D71B), (0x1D7CE, 0x1D7E1)),
]


def code_points(ranges: Ranges = ALL) -> set[int]:
    """Return the characters of some ranges; by default, all that are kept."""
    return {point for first, last in ranges for point in range(first, last + 1)}


def unicode_range() -> str:
    """Return the ranges of the common characters as a style sheet writes them.

    >>> unicode_range()[:17]
    'U+20-7E, U+A0-A0,'
    """
    return ", ".join(f"U+{first:X}-{last:X}" for first, last in COMMON)


def cut(source: Path, target: Path, points: set[int]) -> None:
    """Write a part of a font, with the larger variants that its table MATH names."""
    options = subset.Options(flavor="woff2", hinting=False, layout_features=["*"])
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=points)
    cutter.subset(font)
    subset.save_font(font, target, options)
    print(f"{target}: {target.stat().st_size / 1e3:.0f} kB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path, help="the whole font")
    source = parser.parse_args().source
    common = code_points(COMMON)
    cut(source, FOLDER / "stix-two-math-rare.woff2", code_points() - common)
    cut(source, FOLDER / "stix-two-math.woff2", common)
    print(unicode_range())


if __name__ == "__main__":
    main()
