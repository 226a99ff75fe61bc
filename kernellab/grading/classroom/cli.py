"""The command line: ``python -m kernellab.grading COMMAND``.

Exit codes, for scripts: 0, all is right; 1, not everything is; 2, the command itself
was wrong; 4, a submission could not be read; 8, code was not run. They add up, so that
none hides another. `EXIT_CODES` has the details, and ``--help`` shows it.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Sequence

from kernellab.grading.classroom import commands
from kernellab.grading.classroom.assignments import HasAnswers
from kernellab.grading.classroom.bank import UnknownQuestion
from kernellab.grading.classroom.grade import ClassError
from kernellab.grading.classroom.gradebook import OverrideError
from kernellab.grading.classroom.loading import SheetError
from kernellab.grading.classroom.notebook_files import SubmissionError
from kernellab.grading.classroom.terminal import say
from kernellab.grading.safe_text import printable

EXIT_CODES = """\
exit codes:
  0  all right (check: full marks)
  1  check: not full marks; grade: an answer on which the grader failed;
     new-assignment --check: notebooks differ from their sheets;
     solution: no attempt yet; lint: a problem has a fault
  2  the command was wrong: its message says how
  4  a submission could not be read (all others are graded)
  8  code was not run, because it cannot be isolated (all else is graded)
  4, 8 and 1 are added: 5 is both 4 and 1
"""
WRONG_USE = (ClassError, HasAnswers, OverrideError, SheetError, UnknownQuestion)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        options = parser().parse_args(arguments)
        code: int = options.run(options)
        return code
    except SystemExit as stop:  # argparse: --help is 0, wrong use 2
        return int(stop.code or 0)
    except SubmissionError as error:
        return _complain(error, commands.UNREADABLE)
    except (*WRONG_USE, OSError) as error:
        return _complain(error, commands.USAGE)
    except KeyboardInterrupt:
        say("\nstopped; what was graded is kept, and the next run goes on", sys.stderr)
        return 130


def _complain(error: Exception, code: int) -> int:
    say(printable(f"error: {error}"), sys.stderr)
    return code


def parser() -> argparse.ArgumentParser:
    """Return all commands and their options."""
    top = argparse.ArgumentParser(
        prog="python -m kernellab.grading",
        description="Grade notebooks of exercises: one, or those of a class.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = top.add_subparsers(required=True, metavar="COMMAND").add_parser
    _check(_command(add, "check", commands.check))
    _grade(_command(add, "grade", commands.grade))
    again = _command(add, "regrade", commands.regrade)
    _grade(again)
    again.add_argument(
        "--student", action="append", default=[], help="only this one; may be repeated"
    )
    _new_assignment(_command(add, "new-assignment", commands.new_assignment))
    _solution(_command(add, "solution", commands.solution))
    _command(add, "list", commands.list_sheets)
    _lint(_command(add, "lint", commands.lint))
    _export(_command(add, "export", commands.export))
    return top


def _command(
    add: Callable[..., argparse.ArgumentParser],
    name: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    says = inspect.getdoc(run) or name
    command = add(
        name,
        help=says.split(".")[0].split(";")[0],
        description=says,
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=run)
    command.add_argument(
        "--tests",
        metavar="DIR",
        help="more sheets, whose questions replace those of the same id or are added",
    )
    return command


def _grading(command: argparse.ArgumentParser) -> None:
    command.add_argument("--exam", action="store_true", help="verdicts only")
    command.add_argument(
        "--seed",
        type=_natural,
        help="the secret from which inputs are drawn (a class keeps its own in OUT)",
    )
    command.add_argument(
        "--timeout",
        type=_seconds,
        default=60.0,
        metavar="S",
        help="seconds of computing for one answer (60)",
    )
    command.add_argument(
        "--trust",
        action="store_true",
        help="run code answers even where they cannot be isolated",
    )


def _check(command: argparse.ArgumentParser) -> None:
    command.add_argument("notebook", metavar="NOTEBOOK")
    command.add_argument("--html", metavar="FILE", help="write the report there too")
    _grading(command)


def _grade(command: argparse.ArgumentParser) -> None:
    command.add_argument("submissions", metavar="SUBMISSIONS")
    command.add_argument("--out", default="grades", help="where grades go (grades)")
    command.add_argument(
        "--sheet",
        action="append",
        default=[],
        metavar="NAME",
        help="grade this sheet; may be repeated (those that somebody answered)",
    )
    command.add_argument(
        "--jobs", type=_natural, default=0, metavar="N", help="processes (one a core)"
    )
    _grading(command)


def _new_assignment(command: argparse.ArgumentParser) -> None:
    command.add_argument("sheets", nargs="*", metavar="SHEET", help="(all)")
    command.add_argument(
        "--out", help="the folder (that of the sheets, or solutions in it)"
    )
    command.add_argument("--solutions", action="store_true", help="with the answers")
    command.add_argument(
        "--check", action="store_true", help="write nothing; are they up to date?"
    )
    command.add_argument(
        "--force", action="store_true", help="overwrite notebooks with answers in them"
    )


def _solution(command: argparse.ArgumentParser) -> None:
    command.add_argument("question", metavar="QUESTION")
    command.add_argument(
        "notebook", nargs="?", metavar="NOTEBOOK", help="with your own attempt"
    )
    command.add_argument("--reveal", action="store_true", help="without an attempt")
    command.add_argument("--all", action="store_true", help="all references")


def _lint(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "names", nargs="*", metavar="SHEET or QUESTION", help="(all derivations)"
    )


def _export(command: argparse.ArgumentParser) -> None:
    command.add_argument("grades", metavar="GRADES", help="the folder of a class")
    command.add_argument("--format", choices=("gradescope", "moodle"), required=True)
    command.add_argument("--out", help="a folder (gradescope) or a file (moodle)")


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(
            f"expected a whole number from 0, got {text!r}"
        )
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise argparse.ArgumentTypeError(f"expected seconds, got {text!r}")
    return seconds
