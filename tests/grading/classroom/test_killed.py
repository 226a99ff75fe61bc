"""A class with hostile answers, killed in the middle: nothing is lost or left."""

import csv
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.grading.fake_course import hand_in
from tests.grading.sandbox.strangers import eventually, processes_of

pytestmark = pytest.mark.usefixtures("bubblewrap")

SHEET = "01_duality"
HOSTILE = {
    "chmod": "import os\ndef dual_ridge(K, t, lam): os.chmod(SUBMISSIONS, 0)",
    "fork": "import os\nwhile True: os.fork()",
    "kill": "import os\nos.kill(-1, 9)\nos._exit(0)",
    "loop": "while True: pass",
    "memory": "a = [0]\nwhile True: a += a",
    "read": "print(open(SUBMISSIONS + '/../grades/seed.txt').read())",
    "sleep": "import time\ntime.sleep(1e6)",
    "write": "while True: open('/tmp/x', 'ab').write(bytes(10**6))",
}


RIGHT = """%%answer code-dual-ridge
def dual_ridge(K, t, lam):
    return np.linalg.solve(K + lam * np.eye(len(t)), t)
"""


def make_class(room: Path, honest: int, hostile: list[str]) -> None:
    """Hand in the solved sheet, or one answer of it, and hostile programs."""
    solved = ROOT / "exercises" / "solutions" / f"{SHEET}.ipynb"
    for number in range(honest):
        path = hand_in(room / f"student{number:02}" / f"{SHEET}.ipynb", RIGHT)
        if honest > 9:
            shutil.copy(solved, path)
    for name in hostile:
        program = HOSTILE[name].replace("SUBMISSIONS", repr(str(room)))
        folder = room / f"x-{name}"
        hand_in(folder / "a.ipynb", "%%answer scale-by-hand\nw = 1",
                f"%%answer code-dual-ridge\n{program}")  # fmt: skip


def start(room: Path, scratch: Path, jobs: int) -> subprocess.Popen[str]:
    """Grade as an instructor does; every process bears a mark."""
    out = room.parent / "grades"
    command = [sys.executable, "-m", "kernellab.grading", "grade", str(room)]
    path = f"{os.environ['PATH']}{os.pathsep}{scratch}"
    return subprocess.Popen(
        [*command, "--out", str(out), "--sheet", "01", "--jobs", str(jobs)],
        env=os.environ
        | {"PYTHONPATH": str(ROOT), "PATH": path, "TMPDIR": str(scratch)},
        cwd=ROOT,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def rows(room: Path) -> dict[str, dict[str, str]]:
    with (room.parent / "grades" / "gradebook.csv").open(newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize(
    ("honest", "hostile", "kill_after"),
    [
        (3, ["chmod", "sleep"], 2),
        pytest.param(64, list(HOSTILE), 30, marks=pytest.mark.exhaustive),
    ],
)
def test_a_class_is_killed_and_resumed(
    tmp_path: Path, honest: int, hostile: list[str], kill_after: int
) -> None:
    room, scratch = tmp_path / "room", tmp_path / "scratch"
    scratch.mkdir()
    make_class(room, honest, hostile)
    records = tmp_path / "grades" / "records"
    grader = start(room, scratch, 2 if honest > 9 else 1)
    while len(list(records.glob("*.json"))) < kill_after:
        assert grader.poll() is None, grader.communicate()
        eventually(lambda: len(list(records.glob("*.json"))) >= kill_after)
    grader.send_signal(signal.SIGKILL)
    grader.communicate()
    assert eventually(lambda: processes_of(scratch) == [])
    assert list(scratch.iterdir()) == []
    kept = {path: path.stat().st_mtime_ns for path in records.glob("*.json")}

    grader = start(room, scratch, 2 if honest > 9 else 1)
    _, said = grader.communicate()
    assert grader.returncode == 0, said
    assert said.startswith("Code answers run isolated from everything else, by bubble")
    assert "Traceback" not in said
    assert {path: path.stat().st_mtime_ns for path in kept} == kept  # not graded again
    found = rows(room)
    assert len(found) == honest + len(hostile)
    check_grades(found)
    assert processes_of(scratch) == []
    assert list(scratch.iterdir()) == []
    assert list((tmp_path / "grades").rglob("*.new")) == []


def check_grades(found: dict[str, dict[str, str]]) -> None:
    """Totals are sums, and each attack cost its author one question."""
    for student, row in found.items():
        last = ("total", "out_of", "status", "isolation")
        points = [
            float(p) for k, p in row.items() if k not in ("student", "name", *last)
        ]
        assert sum(points) == pytest.approx(float(row["total"])), student
        assert row["status"] == "graded", student
        full = 0 if student.startswith("x-") else 6
        assert float(row["code-dual-ridge"]) == full, student
    solved = [r for s, r in found.items() if s.startswith("s") and len(found) > 9]
    assert {row["total"] == row["out_of"] for row in solved} <= {True}
