"""Whose notebooks are whose: the layout of a folder of submissions.

Two layouts, which may be mixed::

    submissions/<student>/01_duality.ipynb      a folder a student, any depth
    submissions/<student>.ipynb                 a file a student

What an LMS makes is understood: in Moodle's ``Jane Doe_12345_assignsubmission_file_``
the student is ``12345`` and the name ``Jane Doe``. Names of notebooks do not matter,
since answers are found by their ids. Hidden files, ``__MACOSX`` and everything that is
no notebook are passed over.

A student's id is the name of the folder or file in Unicode's NFKC form, without control
characters, with single spaces. If two entries have the same id but for upper and lower
case, neither takes the other's place: each gets a mark, "alice [3f2a901c]", and a note.
So do ids that merely look the same (a Cyrillic "а" in "аlice"), without a mark, and
people of the same name.
File names in reports are made from ids by `file_key` and hold a-z, 0-9, "-" and "_".
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

MOST_NOTEBOOKS = 20
MOST_FILES = 2000
_ASSIGNED = "_assignsubmission_"
MOODLE = re.compile(rf"(.*)_(\d+){_ASSIGNED}(?:file|onlinetext)(?:_.*)?", re.DOTALL)
_LOOKS = str.maketrans(
    "аеёорсухіїјѕԁһӏԛԝвнктмгαορντυχικβεηɑıɡℓ01|",
    "aeeopcyxiijsdhlqwbhktmraopvtyxikbehaigloll",
)
"""Letters of other alphabets, and digits, that look like small Latin letters."""

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d|index)", re.IGNORECASE)


@dataclass(frozen=True)
class Entry:
    """One student's submission in the file system.

    Parameters
    ----------
    student : the id.
    name : the person's name, where the layout says it.
    paths : the notebooks.
    notes : remarks on the submission as a whole.
    problems : why something in it could not be used.
    """

    student: str
    name: str = ""
    paths: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The student's id as a file name."""
        return file_key(self.student)


def find_entries(folder: Path) -> list[Entry]:
    """Return all submissions in a folder, sorted by student."""
    entries: dict[tuple[str, str, str], Entry] = {}
    for path in sorted(folder.iterdir()):
        entry = _entry(path)
        if entry is None:
            continue
        # Moodle gives a student several folders or files; elsewhere each stands alone.
        group = (entry.student, entry.name, "" if moodle(path.name) else path.name)
        known = entries.get(group)
        entries[group] = _join(known, entry) if known else entry
    marked = _tell_apart([(raw, entry) for (_, _, raw), entry in entries.items()])
    return sorted(_flag_doubles(marked), key=lambda entry: entry.student)


def _entry(path: Path) -> Entry | None:
    if path.name.startswith(".") or path.name == "__MACOSX":
        return None
    student, name = identify(path.name)
    if path.is_symlink():
        problem = f"{clean(path.name)}: a symbolic link, which is not followed"
        return Entry(student, name, problems=(problem,))
    if path.is_dir():
        return _folder_entry(Entry(student, name), path)
    if path.suffix.lower() == ".ipynb":
        return Entry(student, name, (path,))
    return None


def _folder_entry(entry: Entry, folder: Path) -> Entry:
    paths = sorted(_notebooks(folder))
    if not paths:
        return replace(entry, problems=("there is no notebook in the folder",))
    notes: tuple[str, ...] = ()
    if len(paths) > MOST_NOTEBOOKS:
        notes = (f"{len(paths)} notebooks: only the first {MOST_NOTEBOOKS} were read",)
    return replace(entry, paths=tuple(paths[:MOST_NOTEBOOKS]), notes=notes)


def _notebooks(folder: Path) -> Iterator[Path]:
    seen = 0
    for here, folders, files in os.walk(folder, followlinks=False):
        folders[:] = [f for f in folders if f[0] != "." and f != "__MACOSX"]
        seen += len(files) + len(folders)
        # A folder named like a notebook is reported, not overlooked.
        for name in (*files, *folders):
            if name.lower().endswith(".ipynb") and not name.startswith("."):
                yield Path(here, name)
        if seen > MOST_FILES:
            return


def identify(file_name: str) -> tuple[str, str]:
    """Student id and name that the name of a folder or file tells.

    >>> identify("Jane Doe_12345_assignsubmission_file_")
    ('12345', 'Jane Doe')
    >>> identify("s0123456.ipynb")
    ('s0123456', '')
    """
    parts = moodle(file_name)
    if parts:
        return parts[2], clean(parts[1])
    stem = re.sub(r"\.ipynb$", "", file_name, flags=re.IGNORECASE)
    return clean(stem) or "unnamed", ""


def moodle(file_name: str) -> re.Match[str] | None:
    """Return the parts of a name that Moodle made."""
    # A name that holds the pattern twice might be made up to hit somebody else's id.
    return MOODLE.fullmatch(file_name) if file_name.count(_ASSIGNED) == 1 else None


def clean(text: str) -> str:
    """Return a name in one normal form, on one line, without control characters."""
    text = unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode())
    kept = (" " if c.isspace() else c for c in text if c.isspace() or _visible(c))
    return " ".join("".join(kept).split())[:200]


def _visible(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def file_key(student: str) -> str:
    """Return a file name for a student's id: safe, and different for different ids.

    >>> file_key("s0123456")
    's0123456'
    >>> file_key("../../Etc")
    'etc-b086b750'
    """
    slug = re.sub(r"[^a-z0-9_-]+", "-", student.lower()).strip("-")[:40]
    if slug and slug == student and not _RESERVED.fullmatch(slug):
        return slug
    return f"{slug or 'student'}-{_mark(student, 8)}"


def _mark(text: str, digits: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:digits]


def _join(one: Entry, other: Entry) -> Entry:
    paths = one.paths + other.paths
    # An empty folder beside the one with the notebook is nothing to report.
    problems = () if paths else one.problems
    return replace(one, paths=paths, notes=one.notes + other.notes, problems=problems)


def _tell_apart(entries: list[tuple[str, Entry]]) -> list[Entry]:
    ids = Counter(entry.student.casefold() for _, entry in entries)
    keys = Counter(entry.key for _, entry in entries)
    result = []
    for raw, entry in entries:
        if ids[entry.student.casefold()] > 1 or keys[entry.key] > 1:
            note = f"more than one submission has the student id {entry.student!r}"
            student = f"{entry.student} [{_mark(f'{raw}/{entry.name}', 8)}]"
            entry = replace(entry, student=student, notes=(*entry.notes, note))
        result.append(entry)
    return result


def skeleton(text: str) -> str:
    """Return what a name looks like: two that look the same have the same.

    >>> skeleton("аlice") == skeleton("Alice"), skeleton("alise") == skeleton("alice")
    (True, False)
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(c for c in plain if not unicodedata.combining(c))
    return re.sub(r"\W", "", kept.translate(_LOOKS))


def _flag_doubles(entries: list[Entry]) -> list[Entry]:
    """Note on each entry whose id looks like another's, or has another's name."""
    looks: dict[str, list[str]] = {}
    for entry in entries:
        looks.setdefault(skeleton(entry.student), []).append(entry.student)
    names = Counter(skeleton(entry.name) for entry in entries if entry.name)
    return [
        replace(entry, notes=(*entry.notes, *_doubles(entry, looks, names)))
        for entry in entries
    ]


def _doubles(
    entry: Entry, looks: dict[str, list[str]], names: Counter[str]
) -> Iterator[str]:
    others = [s for s in looks[skeleton(entry.student)] if s != entry.student]
    if others:
        yield f"the id looks like another one: {', '.join(map(ascii, others))}"
    if entry.name and names[skeleton(entry.name)] > 1:
        yield f"more than one submission has the name {entry.name!r}"
