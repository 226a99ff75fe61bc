"""The book on paper: what the printer waits for, opens, and refuses."""

import subprocess
import sys

PAGE = """<!doctype html><title>T</title>
<h1>One</h1><p>{}</p><details><summary>more</summary>{}</details>"""
FAR_DOWN = '<p style="height: 9000px"><p><img src="late.png" loading="lazy">'


def printed(root, folder, *parts):
    """Print a small page: how it ended, and the PDF."""
    source, target = folder / "index.html", folder / "book.pdf"
    source.write_text(PAGE.format(*parts))
    command = [sys.executable, "tools/book_pdf.py", str(source), str(target)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target.read_bytes()


def test_a_page_becomes_a_pdf_with_what_was_folded(chromium, root, tmp_path):
    long = "<p>line</p>" * 200
    pdf = printed(root, tmp_path, "text", long)
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") > 1


def test_pictures_that_load_late_are_printed(chromium, root, tmp_path):
    (tmp_path / "late.png").write_bytes((root / "_static/live_svm.png").read_bytes())
    pdf = printed(root, tmp_path, "text", FAR_DOWN)
    assert b"/Subtype /Image" in pdf
