"""Tell browsers how high each section will be, roughly, before they lay it out.

A section far from the screen is laid out when it comes near (`content-visibility` in
`_page/page.css`). Until then it is as high as is guessed here, in pixels of a wide
screen, so that the scroll bar tells the truth and jumps arrive: rather too high than
too low, or what is in it would lie over what follows.
"""

import re
from collections.abc import Iterator

PART = re.compile(r"<section\b(?P<s>)[^>]*>|<dl\b(?P<d>)[^>]*>|</(?:section|dl)>")
FOLDED = re.compile(r"<details\b.*?</details>", re.DOTALL)
CODE = re.compile(r"<pre>.*?</pre>", re.DOTALL)
TAG = re.compile("<[^>]*>")
LINE_CHARACTERS = 85
PIXELS = {
    re.compile("<(?:p|li|dt|dd|h[2-6])[ >]"): 30,  # the last line and the margin below
    re.compile(r'<div class="math '): 60,
    re.compile("<tr[ >]"): 36,
    re.compile(r'class="kl-live"'): 420,
}
LINE_PIXELS, CODE_LINE_PIXELS, REM_PIXELS, MARGIN = 28, 20, 16, 1.1
HEIGHTS = {
    re.compile(r'<img\b[^>]* height="(\d+)"'): 1,
    re.compile(r"min-height:([\d.]+)rem"): REM_PIXELS,
}


def guess(part: str) -> int:
    """Return how high a part of a page is on a wide screen, in pixels."""
    part = FOLDED.sub("<p>", part)
    code, text = CODE.findall(part), CODE.sub("", part)
    height = sum(CODE_LINE_PIXELS * (block.count("\n") + 2) for block in code)
    height += LINE_PIXELS * len(TAG.sub("", text)) / LINE_CHARACTERS
    height += sum(size * len(kind.findall(text)) for kind, size in PIXELS.items())
    for size, unit in HEIGHTS.items():
        height += sum(unit * float(found) for found in size.findall(text))
    return round(MARGIN * height)


def parts(text: str) -> Iterator[tuple[int, int]]:
    """Return where each section, and each definition right in one, begins and ends."""
    inside: list[re.Match[str]] = []
    for tag in PART.finditer(text):
        if not tag[0].startswith("</"):
            inside.append(tag)
        elif inside:
            start = inside.pop()
            parent = inside[-1] if inside else None
            if parent is not None and parent["s"] is not None:
                yield start.start(), tag.end()


def with_heights(text: str) -> str:
    """Return a page whose sections say how high they are."""
    head, found, rest = text.partition("<article")
    for start, end in sorted(parts(rest), reverse=True):
        height = f' style="--kl-height:{guess(rest[start:end])}"'
        place = rest.index(">", start)
        rest = rest[:place] + height + rest[place:]
    return head + found + rest
