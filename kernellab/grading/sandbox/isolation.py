"""What kept a student's program apart from everything else, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from .limits import Limits, size_in_words


@dataclass(frozen=True)
class Isolation:
    """The layers that applied to one run; each is words, or "" if it is absent.

    Parameters
    ----------
    session : whose session the program ran in.
    user : whose rights it had.
    processes : why no process of it can outlive the run.
    limits : its bounds on time, memory, files and processes.
    network : what kept it from the network.
    files : what kept it from the files of others.
    calls : what it could not ask of the system.
    """

    session: str = ""
    user: str = ""
    processes: str = ""
    limits: str = ""
    network: str = ""
    files: str = ""
    calls: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """The layers that this machine does not offer."""
        return tuple(name for name, words in asdict(self).items() if not words)

    @property
    def complete(self) -> bool:
        """Whether all the layers applied."""
        return not self.missing

    @classmethod
    def of(cls, layers: Mapping[str, Any]) -> Self:
        """From the child's own account, given before any of the student's code ran."""
        names = cls.__dataclass_fields__
        return cls(**{name: str(layers.get(name, "")) for name in names})

    def as_dict(self) -> dict[str, str]:
        """For JSON."""
        return asdict(self)

    def __str__(self) -> str:
        text = "; ".join(words for words in asdict(self).values() if words) or "none"
        return f"{text}; not here: {', '.join(self.missing)}" if self.missing else text


def limits_in_words(limits: Limits, held: frozenset[str]) -> str:
    """The limits that the system took, for instance "10 s, 1 GiB, 64 files".

    Examples
    --------
    >>> limits_in_words(Limits(), frozenset({"cpu", "memory"}))
    '10 s, 5 s CPU, 1 GiB'
    """
    words = {
        "cpu": f"{limits.cpu} s CPU",
        "memory": size_in_words(limits.memory),
        "file_size": f"files of {size_in_words(limits.file_size)}",
        "files": f"{limits.files} open files",
        "processes": f"{limits.processes} process" + "es" * (limits.processes > 1),
    }
    kept = [text for name, text in words.items() if name in held]
    return ", ".join([f"{limits.seconds:g} s", *kept])
