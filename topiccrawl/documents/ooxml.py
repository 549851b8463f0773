"""What the packages of Word, Excel and PowerPoint have in common (ECMA-376, part 2)."""

from __future__ import annotations

from topiccrawl.documents.packed import Archive
from topiccrawl.documents.text import DocumentText
from topiccrawl.documents.xmlstream import collected, xml_time


def targets(archive: Archive, part: str) -> dict[str, str]:
    """Return the targets of the relationships in *part* by their ids."""
    return {
        attributes.get("Id", ""): attributes.get("Target", "")
        for name, attributes, _ in collected(archive.pieces(part)).elements
        if name == "Relationship"
    }


def read_core_properties(found: DocumentText, archive: Archive) -> None:
    """Fill title, author and times from ``docProps/core.xml``."""
    texts = collected(archive.pieces("docProps/core.xml")).texts()
    found.stated_title = texts.get("title", "")
    found.author = texts.get("creator", "")
    found.created = xml_time(texts.get("created", ""))
    found.modified = xml_time(texts.get("modified", ""))
