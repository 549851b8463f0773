"""Recorded warnings as an Atom feed (RFC 4287)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from topiccrawl.alerts.records import Alert
from topiccrawl.alerts.texts import describe, message_title
from topiccrawl.language import N_, Language, in_language
from topiccrawl.reporting.markup import clean

MEDIA_TYPE: Final = "application/atom+xml"
#: Entries of a feed (a choice: readers ask at least once a day).
MOST_ENTRIES: Final = 200
_NAMESPACE: Final = "http://www.w3.org/2005/Atom"


def atom_feed(topic: str, alerts: Sequence[Alert], language: Language, link: str = "") -> bytes:
    """Return the feed of *alerts*, which are ordered from the newest on.

    Each warning is one entry, whose id never changes: readers show it once.  All text is escaped and has no
    markup; links are those of stored pages, if they are safe, and that of the console.
    """
    feed = Element("feed", {"xmlns": _NAMESPACE, "xml:lang": language})
    title = in_language(N_("Warnings: {topic}"), language).format(topic=clean(topic, 100))
    _text(feed, "title", title)
    _text(feed, "id", f"urn:topiccrawl:alerts:{_urn(topic)}")
    newest = max((it.at for it in alerts), default=datetime(1970, 1, 1, tzinfo=UTC))
    _text(feed, "updated", _time(newest))
    author = SubElement(feed, "author")
    _text(author, "name", "topiccrawl")
    if link:
        SubElement(feed, "link", {"rel": "alternate", "href": link})
    for alert in alerts[:MOST_ENTRIES]:
        described = describe(alert, language)
        entry = SubElement(feed, "entry")
        _text(entry, "title", message_title(topic, [described], language))
        _text(entry, "id", f"urn:topiccrawl:alert:{alert.key}")
        _text(entry, "updated", _time(alert.at))
        _text(entry, "published", _time(alert.at))
        SubElement(entry, "category", {"term": alert.kind})
        links = [page.url for page in described.pages if page.url]
        if links or link:
            SubElement(entry, "link", {"rel": "alternate", "href": (links or [link])[0]})
        lines = [*described.details]
        for page in described.pages:
            lines += [f"{page.title} — {page.origin}", *([page.url] if page.url else [])]
        _text(entry, "content", "\n".join(lines), type="text")
    head = b'<?xml version="1.0" encoding="utf-8"?>\n'
    return head + bytes(tostring(feed, encoding="utf-8", xml_declaration=False))


def _text(parent: Element, tag: str, text: str, **attributes: str) -> None:
    SubElement(parent, tag, attributes).text = _allowed(text)


def _allowed(text: str) -> str:
    """Return *text* without characters that XML 1.0 does not allow."""
    return "".join(
        c
        for c in text
        if c in "\t\n" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff"
    )


def _urn(text: str) -> str:
    return text.encode().hex()


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
