"""Tags that add more to an outline than their text: links, metadata, scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topiccrawl.page.outline import Outline, RawLink

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Only the first links of a page are kept: more is a site map or a trap (a guess).
MAX_LINKS = 2_000

_MAX_TIMES = 20
_MAX_JSON_LD = 5
_MAX_META = 200
_MAX_VERSIONS = 4
_MAX_FEEDS = 8
_FEED = re.compile(r"application/(?:rss|atom|rdf)\+xml|text/xml", re.IGNORECASE)
# Media of small screens: "handheld", "only screen and (max-width: 640px)".
_SMALL = re.compile("handheld|max-width", re.IGNORECASE)
# Characters of the content of a meta tag that are read, by many rules (a guess: descriptions have some 200).
_MAX_META_CHARACTERS = 5_000
_REFRESH = re.compile(
    r"\s*[0-9.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?P<quote>['\"]?)(?P<url>.+)", re.I | re.S
)

# An open element: its tag and the tag's flags, its region, the link around it, whether its text is left out,
# what to do when it closes (the link it is, or (sort, start) of a span of text), and the index of its box
# or of the one around it.
Open = tuple[str, int, str, "RawLink | None", bool, "RawLink | tuple[str, int] | None", int]

# Around the root element.
_OUTSIDE: Open = ("", 0, "", None, False, None, 0)


class SpecialTags:
    """What links and metadata add to the outline of a page, one method of :data:`HANDLERS` for each tag.

    Parameters
    ----------
    max_links : int
        Links after which no more are kept.
    """

    def __init__(self, max_links: int = MAX_LINKS) -> None:
        self.found = Outline()
        self.max_links = max_links
        self.position = 0
        self.box = 0
        self.stack = [_OUTSIDE]
        # Where the text up to the next tag goes if it is not shown.
        self.keep_text: Callable[[str], None] | None = None

    def add_link(
        self,
        kind: str,
        href: str,
        attributes: Mapping[str, str],
        region: str,
        tag: str = "a",
    ) -> RawLink | None:
        """Add a link that begins here and return it, ``None`` if the page has too many."""
        links = self.found.links
        if len(links) >= self.max_links:
            return None
        position = self.position
        link = RawLink(kind, href, attributes, region, tag, self.box, position, position)
        links.append(link)
        return link

    def _image(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        alt = attributes.get("alt") or attributes.get("title")
        link = self.stack[-1][3]
        if alt and link is not None and len(link.alts) < 4:
            link.alts = (*link.alts, alt)

    def _area(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        href = attributes.get("href")
        if href is not None:
            self.add_link("area", href, attributes, region, "area")

    def _frame(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        source = attributes.get("src")
        if source:
            self.add_link(tag, source, attributes, region, tag)

    def _link(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        relations = attributes.get("rel", "").lower().split()
        href = attributes.get("href")
        if href is None:
            return
        for relation in relations:
            if relation in {"next", "prev"}:
                self.add_link(relation, href, attributes, region, "link")
                break
            if relation == "canonical" and not self.found.canonical_href:
                self.found.canonical_href = href
            if relation == "alternate" and _FEED.search(attributes.get("type", "")):
                if len(self.found.feed_hrefs) < _MAX_FEEDS:
                    self.found.feed_hrefs.append(href)
                break
            if relation == "amphtml" or (
                relation == "alternate" and _SMALL.search(attributes.get("media", ""))
            ):
                if len(self.found.version_hrefs) < _MAX_VERSIONS:
                    self.found.version_hrefs.append(href)
                break

    def _meta(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        content = attributes.get("content")
        if content is None:
            return
        if attributes.get("http-equiv", "").strip().lower() == "refresh":
            target = refresh_target(content)
            if target:
                self.add_link("refresh", target, attributes, region, "meta")
            return
        name = attributes.get("name") or attributes.get("property") or attributes.get("itemprop")
        if name and len(self.found.meta) < _MAX_META:
            key, value = name.strip().lower(), content[:_MAX_META_CHARACTERS].strip()
            known = self.found.meta.get(key)
            if known is None:
                self.found.meta[key] = value
            elif key in {"robots", "googlebot"}:
                self.found.meta[key] = f"{known},{value}"

    def _base(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        if not self.found.base_href:
            self.found.base_href = (attributes.get("href") or "").strip()

    def _title(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        if not self.found.title and not any(frame[0] == "svg" for frame in self.stack[-3:]):
            self.keep_text = self._keep_title

    def _keep_title(self, text: str) -> None:
        self.found.title = " ".join(text.split())

    def _time(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        value = attributes.get("datetime")
        if value and len(self.found.times) < _MAX_TIMES:
            self.found.times.append(value)

    def _abbr(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        if "published" in attributes.get("class", "").split():
            self._time(tag, {"datetime": attributes.get("title", "")}, region)

    def _script(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        if (
            "ld+json" in attributes.get("type", "").lower()
            and len(self.found.json_ld) < _MAX_JSON_LD
        ):
            self.keep_text = self.found.json_ld.append

    def _nothing(self, tag: str, attributes: Mapping[str, str], region: str) -> None:
        """Handle a tag that adds nothing more."""


#: Methods by tag.
HANDLERS = {
    "img": SpecialTags._image,
    "area": SpecialTags._area,
    "frame": SpecialTags._frame,
    "iframe": SpecialTags._frame,
    "link": SpecialTags._link,
    "meta": SpecialTags._meta,
    "base": SpecialTags._base,
    "title": SpecialTags._title,
    "time": SpecialTags._time,
    "abbr": SpecialTags._abbr,
    "script": SpecialTags._script,
    "noscript": SpecialTags._nothing,
}


def refresh_target(content: str) -> str:
    """Return the URL in the content of a meta refresh, or the empty string.

    >>> refresh_target("0; URL='/new.html'")
    '/new.html'
    """
    match = _REFRESH.match(content)
    if match is None:
        return ""
    url, quote = match.group("url"), match.group("quote")
    return (url.partition(quote)[0] if quote else url).strip()
