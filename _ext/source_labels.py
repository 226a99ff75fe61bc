"""Label and sort the four source documents as S0 to S3, all else by author and year."""

from pybtex.database import Entry
from pybtex.plugin import register_plugin
from pybtex.style.formatting.alpha import Style as AlphaStyle
from pybtex.style.labels.alpha import LabelStyle as AlphaLabels
from pybtex.style.sorting.author_year_title import SortingStyle as ByAuthor
from sphinx.application import Sphinx

SOURCES = ("S0", "S1", "S2", "S3")


class SourceLabels(AlphaLabels):
    """The alpha labels, except that a source document's label is its key."""

    def format_label(self, entry: Entry) -> str:
        return entry.key if entry.key in SOURCES else super().format_label(entry)


class SourceOrder(ByAuthor):
    """By author, except that the source documents come first."""

    def sorting_key(self, entry: Entry) -> tuple[str, ...]:
        return ("", entry.key) if entry.key in SOURCES else super().sorting_key(entry)


class SourceStyle(AlphaStyle):
    """The alpha style with those labels in that order."""

    default_label_style = SourceLabels
    default_sorting_style = SourceOrder


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    register_plugin("pybtex.style.formatting", "sources", SourceStyle)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
