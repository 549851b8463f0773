"""Details of outcomes, such as "probability 0.108 < threshold 0.422".

They are stored in English, so that a store does not depend on who crawls, and shown in the user's
language: :func:`translated` recognizes what a :class:`Detail` has written.  The texts are part of
stores that exist; a changed one is no longer recognized in them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from topiccrawl.language import N_, Language, in_language


@dataclass(frozen=True, slots=True)
class Detail:
    """The text of one kind of detail, with the names of its values in braces."""

    message: str

    def __call__(self, **values: object) -> str:
        """Return the detail to store."""
        return self.message.format(**values)


RELEVANCE: Final = Detail(N_("relevance {score} {sign} threshold {threshold}"))
RELEVANT_TITLE: Final = Detail(
    N_("relevance {score} {sign} threshold {threshold}, but a keyword is in the title")
)
PROBABILITY: Final = Detail(N_("probability {probability} {sign} threshold {threshold}"))
SURE_WORDS: Final = Detail(N_("probability {probability}, but the words are sure"))
NEAR_MISS: Final = Detail(N_("{detail}; stored as a near miss"))
JUDGED_RELEVANT: Final = Detail(N_("judged relevant by the user"))
JUDGED_OFF_TOPIC: Final = Detail(N_("judged off topic by the user"))
COPY_OF_REJECTED: Final = Detail(N_("same text as {url}, which the user judged off topic"))
NO_LONGER_REJECTED: Final = Detail(
    N_("{url}, which has the same text, is not judged off topic now")
)
SIMILAR_TITLE: Final = Detail(N_("title {similarity} similar to {url}"))
COPY_OF: Final = Detail(N_("{relation} of {url}"))
THROUGH_OTHERS: Final = Detail(N_("connected through other copies"))
SAME_TEXT: Final = Detail(N_("same text as {url}"))
SHARED_TEXT: Final = Detail(N_("{first} and {second} of the texts are shared"))
EQUAL_TEXTS: Final = Detail(N_("the texts are equal"))
NO_TEXT: Final = Detail(N_("a page without text"))
EQUAL_TITLES: Final = Detail(N_("the titles are equal"))
SIMILAR_TITLES: Final = Detail(N_("the titles are {similarity} similar"))
OTHER_NUMBERS_IN_TITLES: Final = Detail(N_("numbers in the titles differ: {first}; {second}"))
OTHER_NUMBERS: Final = Detail(N_("{first} of the numbers are shared"))
OTHER_THINGS: Final = Detail(N_("each title is the name of another thing"))
OTHER_NAMES: Final = Detail(N_("each text has the name in its own title, not the other one's"))
UNCHANGED: Final = Detail(N_("the page was visited again and is as it was"))
NOT_HTML: Final = Detail(N_("the response is binary data or plain text, not HTML"))
ENCRYPTED: Final = Detail(N_("the document is encrypted"))
UNKNOWN_CHARACTERS: Final = Detail(N_("the fonts of the document do not state their characters"))
DAMAGED: Final = Detail(N_("the document is damaged: {error}"))
UNKNOWN_FORMAT: Final = Detail(N_("the file is neither a page nor a document that can be read"))
TOO_LARGE_DOCUMENT: Final = Detail(N_("the document unpacks to too much: {error}"))
SLOW_DOCUMENT: Final = Detail(N_("reading the document takes more than {seconds} of CPU time"))
CRASHED_DOCUMENT: Final = Detail(N_("reading the document ended its process: {error}"))
EMPTY_DOCUMENT: Final = Detail(N_("the document has no text"))
NO_TEXT_LAYER: Final = Detail(N_("no text layer: the pages of the document are pictures"))
NO_TEXT_LAYER_KEPT: Final = Detail(
    N_("no text layer; kept for its name, because {url}, which links it, is kept")
)
NO_READER: Final = Detail(N_("a library is missing ({error}): pip install 'topiccrawl[documents]'"))
CHECKSUM: Final = Detail(N_("the checksum of the compressed body is wrong"))
NOT_CONTENT: Final = Detail(N_("the page is not content: {detail}"))
NO_TEXT_WITHOUT_SCRIPTS: Final = Detail(N_("scripts, and no text without them"))
FRAMES_WITHOUT_TEXT: Final = Detail(N_("frames or a redirect, and no text"))
REPEATED_TEXT: Final = Detail(N_("the same text as under other addresses of the host"))
SOUP: Final = Detail(N_("no sentences, and {share} of the words are there again and again"))
WORDS_IN_NO_ORDER: Final = Detail(
    N_("words in no order: {n} of {all} function words where sentences do not have them")
)
NOINDEX: Final = Detail(N_("robots meta contains noindex"))
SHORT_BODY: Final = Detail(N_("{n} characters of body, at least {least} needed"))
COSTLY: Final = Detail(N_("the analysis of the page takes more than {seconds} of CPU time"))
CRASHED: Final = Detail(N_("the analysis of the page ended its process with status {status}"))
IMPORTED: Final = Detail(N_("imported from {file}"))
LISTED: Final = Detail(N_("line {n} of the list {file}"))
NOTHING_FETCHED: Final = Detail(N_("an import fetches nothing"))
DELETED: Final = Detail(N_("the page was deleted and is not fetched again"))
MIRROR: Final = Detail(N_("{url} is a mirror or version of {other}, which was fetched"))
PART: Final = Detail(N_("its text is part of {url}"))
REDIRECTED: Final = Detail(N_("redirected to {url}"))
REDIRECT_LOOP: Final = Detail(N_("it leads back to {url}"))
STATUS: Final = Detail(N_("the server answered with status {status}"))
QUEUED: Final = Detail(N_("number {n} in the queue when the run ended"))
ROBOTS: Final = Detail(N_("Forbidden by robots.txt"))
ROBOTS_FAILED: Final = Detail(N_("robots.txt of {host}: {error}"))
ROBOTS_ERRORS: Final = Detail(N_("{host} answers with errors for its robots.txt"))
LOGIN_NEEDED: Final = Detail(N_("behind the login {login}"))
LOGIN_RESTS: Final = Detail(N_("the login {login} rests before the next try"))
LOGIN_ADDRESS: Final = Detail(N_("begins or ends a session of the login {login}"))
PACKED_LAYERS: Final = Detail(N_("{n} layers of compression, at most {least} are unpacked"))
PACKED_PARTS: Final = Detail(N_("about {n} compressed parts, at most {least} are unpacked"))
HOST_GONE: Final = Detail(N_("{host} does not answer"))
HOST_PAUSED: Final = Detail(N_("{host} is left alone for {n} s"))
ENGINE_RESTS: Final = Detail(N_("it rests for another {n} s: {reason}"))
NO_RESULTS_FOUND: Final = Detail(
    N_(
        "the page shows neither results where the description looks for them nor that there are"
        " none"
    )
)
PRIVATE: Final = Detail(
    N_(
        "{address}, which is not of the public internet;"
        " TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED lists exceptions"
    )
)
PRIVATE_NAME: Final = Detail(
    N_(
        "{host} has the address {address}, which is not of the public internet;"
        " TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED lists exceptions"
    )
)
UNKNOWN_NAME: Final = Detail(N_("no address is known for the name '{host}'"))
CERTIFICATE: Final = Detail(N_("certificate of {host}: {error}"))
IN_SITEMAP: Final = Detail(N_("in the sitemap {url}"))
IN_FEED: Final = Detail(N_("in the feed {url}"))
BY_PAGER: Final = Detail(N_("a further page of the list {url}"))
BY_ARCHIVE: Final = Detail(N_("another day of the archive of {url}"))
SITE_FILE: Final = Detail(
    N_("{sort}: {n} pages of the site, {new} of them new, and {files} further files")
)
PARTLY: Final = Detail(N_("{detail}; read in part only: {why}"))
DENIED: Final = Detail(N_("is excluded by deny={pattern}"))
NOT_ALLOWED: Final = Detail(N_("matches no pattern of allow"))
URL_DENIED: Final = Detail(N_("{url} is excluded by deny={pattern}"))
URL_NOT_ALLOWED: Final = Detail(N_("{url} matches no pattern of allow"))
TRAP: Final = Detail(N_("{url}: {trap}"))
TOO_LONG_URL: Final = Detail(N_("url must have at most {n} characters"))
BLANKS: Final = Detail(N_("url must hold no blanks and no control characters"))
INVALID_URL: Final = Detail(N_("url must be a valid URL: {error}"))
SCHEME: Final = Detail(N_("url must begin with http:// or https://"))
NO_HOST: Final = Detail(N_("url must have a host"))
INVALID_HOST: Final = Detail(N_("url must have a valid host name"))
FOUND_BY_QUERY: Final = Detail(N_("found by query {query}, engine {engine}, rank {rank}"))
CAPTCHA: Final = Detail(N_("{url} is a captcha page of a search engine"))

#: Why a file of a whole site was read in part only, by the words of ``topiccrawl.sites``.
STOPPED: Final = {
    "bytes": N_("it unpacks to more than may be read"),
    "addresses": N_("it lists more addresses than are read of one file"),
    "entities": N_("it declares entities of its own"),
    "damaged": N_("it is damaged, or neither a sitemap nor a feed"),
    "levels": N_("the indexes of its site are nested too deeply"),
    "files": N_("its site has more files than are read"),
    "pages": N_("the files of its site list more new pages than are queued"),
}
#: What the words of ``topiccrawl.sites`` for files mean.
_SORTS: Final = {
    "sitemap": N_("sitemap"),
    "index": N_("index of sitemaps"),
    "feed": N_("feed"),
    "text": N_("text sitemap"),
    "robots": N_("robots.txt"),
    "other": N_("neither a sitemap nor a feed"),
}
#: What the words of ``topiccrawl.urls`` for traps mean.
_TRAPS: Final = {
    "too-long": N_("the URL is too long"),
    "host-name": N_("the host name grows"),
    "host-names": N_("the domain has too many host names"),
    "path-depth": N_("the path is too deep"),
    "repeated-segment": N_("parts of the path repeat"),
    "repeated-parameter": N_("parameters repeat"),
    "too-many-parameters": N_("too many parameters"),
    "calendar": N_("an endless calendar"),
    "pattern": N_("pages like it bring nothing new"),
}
#: What the words of ``topiccrawl.dedup.compared`` for copies mean.
_RELATIONS: Final = {
    "same-page": N_("the same page"),
    "copy": N_("copy"),
    "edited": N_("edited copy"),
    "excerpt": N_("excerpt"),
}
#: What values look like; others are any text.
_VALUES: Final = {
    **dict.fromkeys(("n", "all", "least", "rank", "new", "files"), r"\d+"),
    **dict.fromkeys(("score", "threshold", "probability", "similarity"), r"-?[\d.]+|nan|inf"),
    **dict.fromkeys(("url", "host", "address", "status"), r"\S+"),
    "sign": "<|>=",
    "trap": "|".join(_TRAPS),
    "relation": "|".join(_RELATIONS),
    "sort": "|".join(_SORTS),
    "why": "|".join(map(re.escape, STOPPED.values())),
}
#: The class of an error, with which some details begin.
_CLASS: Final = re.compile(r"[A-Z]\w+: ")


def message_of(detail: str) -> str:
    """Return the message with which a stored *detail* was written, or the detail itself.

    >>> message_of("imported from file:///a.html")
    'imported from {file}'
    """
    return next((message for pattern, message in _patterns() if pattern.fullmatch(detail)), detail)


def translated(detail: str, language: Language) -> str:
    """Return a stored *detail* for people; texts of servers and libraries stay as they are.

    >>> translated("OutOfScope: http://w3.org/ is excluded by deny=w3.org", "zh")
    'http://w3.org/ 被 deny=w3.org 排除'
    """
    plain = _CLASS.sub("", detail, count=1) if _CLASS.match(detail) else detail
    if detail in STOPPED.values():
        return in_language(detail, language)
    for text in (detail, plain):
        for pattern, message in _patterns():
            if found := pattern.fullmatch(text):
                values = {
                    name: _value(name, value, language) for name, value in found.groupdict().items()
                }
                return in_language(message, language).format(**values)
    return detail


def _value(name: str, value: str, language: Language) -> str:
    if name in ("detail", "error"):
        return translated(value, language)
    if name == "why":
        return in_language(value, language)
    words = {"trap": _TRAPS, "relation": _RELATIONS, "sort": _SORTS}.get(name)
    return in_language(words[value], language) if words else value


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Return a pattern for each kind of detail, those with the most fixed text first."""
    messages = [value.message for value in globals().values() if isinstance(value, Detail)]
    messages.sort(key=lambda message: -len(re.sub(r"\{\w+\}", "", message)))
    return [(re.compile(_expression(message), re.DOTALL), message) for message in messages]


def _expression(message: str) -> str:
    parts = re.split(r"\{(\w+)\}", message)
    names = (f"(?P<{name}>{_VALUES.get(name, '.+')})" for name in parts[1::2])
    texts = map(re.escape, parts[::2])
    return next(texts) + "".join(name + text for name, text in zip(names, texts, strict=True))
