"""Open the notebooks of the course in JupyterLab, in a folder of one's own.

python tools/lab.py                          copy what is missing to work/, and open
python tools/lab.py --no-browser --port 9000 options go on to JupyterLab
python tools/lab.py --copy                   only copy what is missing
python tools/lab.py --update [01_duality …]  bring copies up to date: your answers
                                             come along, and the old ones are kept
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

# Run as a script, Python looks beside the script only.
sys.path.insert(0, str(Path(__file__).parent.parent))

from tools.work_folder import WorkFolder

ROOT = Path(__file__).resolve().parent.parent
FIRST = "chapters/00_tour.ipynb"


def main() -> int:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--copy", action="store_true", help="open nothing")
    parser.add_argument("--update", nargs="*", metavar="NOTEBOOK")
    parser.add_argument("--work", type=Path, default=ROOT / "work", metavar="FOLDER")
    chosen, options = parser.parse_known_args()
    # Chosen by hand so that Jupyter does not warn about its future default.
    os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")
    work = WorkFolder(ROOT, chosen.work.resolve())
    copied = work.copy_missing()
    if copied:
        print(f"Copied {len(copied)} files to {work.folder}: they are yours to change.")
    if chosen.update is not None:
        return update(work, chosen.update)
    tell_outdated(work)
    return 0 if chosen.copy else open_lab(work.folder, options)


def tell_outdated(work: WorkFolder) -> None:
    """Say which copies are older than the course, and what to do about it."""
    old = work.outdated()
    if old:
        print(
            f"The course has a newer version of {', '.join(old)}. Yours is untouched.\n"
            "To get the new one with your answers in it:\n"
            "    make update        (without make: python tools/lab.py --update)"
        )


def update(work: WorkFolder, names: list[str]) -> int:
    """Bring copies up to date: those that are named, or all that are not."""
    known = {Path(name).stem: name for name in work.files() if name.endswith(".ipynb")}
    unknown = [name for name in names if Path(name).stem not in known]
    if unknown:
        print(f"No notebook {', '.join(unknown)}; there are {', '.join(known)}.")
        return 2
    chosen = [known[Path(name).stem] for name in names] or work.outdated()
    for name in chosen:
        try:
            kept = work.update(name)
        except ValueError as error:
            print(f"{error}. It was left as it is.")
            return 1
        print(f"{name}: up to date, with what you wrote. As it was: {kept}")
    if not chosen:
        print("All copies are up to date.")
    return 0


def open_lab(folder: Path, options: list[str]) -> int:
    """Start JupyterLab at the tour, and wait until it ends."""
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.default_url=/lab/tree/{FIRST}",
        *options,
    ]
    try:
        return subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:  # JupyterLab has heard it, too
        return 0


if __name__ == "__main__":
    sys.exit(main())
