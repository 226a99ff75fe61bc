"""What becomes of a line: it passes, or it is rejected and why."""

from __future__ import annotations

from dataclasses import dataclass

from kernellab.grading.proving.proofs import Proof


class Rejected(Exception):
    """A line does not pass; the message says why, `about` what kind of slip it is.

    Expressions in a message stand between backticks, so that they can be typeset.
    """

    def __init__(self, message: str, about: str) -> None:
        super().__init__(message)
        self.about = about


@dataclass(frozen=True)
class Passed:
    """A line passes: whether on sound lines only, by which proofs, and with which note.

    The note says what is wrong in the reasons of the line.
    """

    sound: bool = True
    proofs: tuple[Proof, ...] = ()
    note: str = ""
