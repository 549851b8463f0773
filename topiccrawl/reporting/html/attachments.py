"""The section of a report with the documents, by the page that links them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.reporting.html.parts import section
from topiccrawl.reporting.markup import Html, anchor, el, join
from topiccrawl.reporting.scale import number

if TYPE_CHECKING:
    from topiccrawl.reporting.aggregates.attachments import Attachments
    from topiccrawl.reporting.words.labels import Words


def attachments_section(found: Attachments, words: Words) -> Html | None:
    """Return the list of documents below the pages that link them; nothing without documents."""
    if not found.count:
        return None
    heading = join(words("attachments"), el("small", number(found.count), class_="badge"))
    items = [
        el(
            "li",
            anchor(page.url, page.title or page.url, "title"),
            el("ul", [el("li", anchor(url, title or url)) for url, title in page.documents]),
        )
        for page in found.pages
    ]
    return section("attachments", heading, el("ol", items, class_="pages"), level=2)
