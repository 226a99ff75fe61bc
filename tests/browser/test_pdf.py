"""The book on paper: what the printer waits for, opens, and refuses."""

import subprocess
import sys

PAGE = """<!doctype html><title>T</title>
<script>window.MathJax = {{ startup: {{ promise: Promise.resolve() }} }}</script>
<h1>One</h1><p>{}</p><details><summary>more</summary>{}</details>"""


def printed(root, folder, *parts):
    """Print a small page: how it ended, and the PDF."""
    source, target = folder / "index.html", folder / "book.pdf"
    source.write_text(PAGE.format(*parts))
    command = [sys.executable, "tools/book_pdf.py", str(source), str(target)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    return done, target.read_bytes() if target.exists() else b""


def test_a_page_becomes_a_pdf_with_what_was_folded(chromium, root, tmp_path):
    long = "<p>line</p>" * 200
    done, pdf = printed(root, tmp_path, "text", long)
    assert done.returncode == 0, done.stderr
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") > 1


def test_a_formula_that_cannot_be_typeset_stops_the_press(chromium, root, tmp_path):
    done, pdf = printed(root, tmp_path, "<mjx-merror></mjx-merror>", "")
    assert done.returncode == 1
    assert "1 formulas could not be typeset" in done.stderr
    assert not pdf
