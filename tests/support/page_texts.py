"""Pages with a given text in one of the fields that hold words from outside, by which persons are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from topiccrawl.page.comments import Comment
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.records import PAGES

#: Texts that are addresses, codes, or words of topiccrawl.
_NO_WORDS: Final = frozenset({
    "topic", "url", "story", "copy_of", "relation", "final_url", "site", "charset", "language", "content_hash",
    "run_id", "media_type", "attached_to", "kind", "source_url", "main_image", "relation_detail",
})  # fmt: skip
#: Fields with words from outside; a new one with texts is among them.
WORDS: Final = [
    field.name
    for field in PAGES.fields
    if field.codec.type_name in ("text", "texts", "pairs", "record", "records")
    and field.name not in _NO_WORDS
]


def saying(field: str, text: str) -> Mapping[str, Any]:
    """Return the value of *field* with *text* in it, by its name."""
    values = {
        "keywords": (text,),
        "main_terms": ((text, 1.0),),
        "link": LinkEvidence(anchor=text),
        "comment_records": (Comment(text, "", text),),
    }
    return {field: values.get(field, text)}
