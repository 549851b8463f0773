"""Articles on several pages: recognized by their page links, and assembled into one text."""

from topiccrawl.page.paging.assembly import (
    assemble,
    assemble_markdown,
    same_article,
    without_number,
)
from topiccrawl.page.paging.detection import Paging, find_paging

__all__ = [
    "Paging",
    "assemble",
    "assemble_markdown",
    "find_paging",
    "same_article",
    "without_number",
]
