"""The cell magic ``%%answer``, the line magics ``%hint``, ``%solution``, ``%another``.

``%load_ext kernellab.grading`` makes them known; nothing here imports IPython.
"""

from __future__ import annotations

from typing import Any

NAMES = ("answer", "Answer", "ANSWER")


def answer_cell(line: str, cell: str | None = None) -> object:
    """Grade a cell: ``%%answer question-id``, with ``--exam`` for verdicts only."""
    from kernellab.grading.classroom.session import Message, answer
    from kernellab.grading.classroom.submissions import magic_id

    options = {word.lower() for word in line.split() if word.startswith("--")}
    if options - {"--exam"}:
        return Message(f"%%answer knows the option --exam, not {min(options)}")
    # A line magic, %answer, has no cell: that is an answer not given yet.
    return answer(magic_id(line), cell or "", exam="--exam" in options)


def hint_line(line: str, cell: str | None = None) -> object:
    """Show the next hint: ``%hint question-id``, or the second: ``%hint id 2``."""
    from kernellab.grading.classroom.session import hint

    words = line.split()
    number = words[1] if len(words) > 1 else ""
    return hint(words[0] if words else "", int(number) if number.isdecimal() else None)


def solution_line(line: str, cell: str | None = None) -> object:
    """Show a solution, after an attempt: ``%solution question-id``."""
    from kernellab.grading.classroom.session import solution

    return solution(line)


def another_line(line: str, cell: str | None = None) -> object:
    """Show a question with other numbers: ``%another question-id``."""
    from kernellab.grading.classroom.session import another

    return another(line)


def load_ipython_extension(shell: Any) -> None:
    """Make the magics known to a shell: ``%load_ext kernellab.grading`` calls this."""
    for name in NAMES:
        shell.register_magic_function(answer_cell, "line_cell", name)
    shell.register_magic_function(hint_line, "line_cell", "hint")
    shell.register_magic_function(solution_line, "line_cell", "solution")
    shell.register_magic_function(another_line, "line_cell", "another")
    if fill_empty_cell not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.insert(0, fill_empty_cell)


def fill_empty_cell(lines: list[str]) -> list[str]:
    """Give a cell that is nothing but its %%answer line a blank line.

    IPython refuses a cell magic without a body, but unanswered is no error.
    """
    told = [line for line in lines if line.strip()]
    if len(told) == 1 and told[0].lstrip().lower().startswith("%%answer"):
        return [told[0].rstrip("\n") + "\n", "\n"]
    return lines
