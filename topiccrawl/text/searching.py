"""What a user types into a search box, as phrases and conditions.

``侨务 "回国 投资" -天气 title:侨情 site:qiaowang.cn since:2024-01 | …``: words that are separated by spaces
must all occur, a phrase in quotation marks as it stands, and none with a minus sign before it.  A
vertical bar or ``OR`` between two of them asks for either; ``AND`` changes nothing, and ``NOT`` is a minus
sign.  Commas and plus signs part words as spaces do.  Nothing that is typed is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Final, Literal

from topiccrawl.text.folding import BREAK, fold, marks

#: Time zone of the dates in a query: that of the pages.  Fixed: China had summer time from 1986 to 1991,
#: but not at the turn of a year.
ZONE: Final = timezone(timedelta(hours=8))

#: Characters of a query that are read; longer than anything that is typed.  A guess.
MOST_CHARACTERS: Final = 1_000
#: Words and phrases of a query that are read.  A guess.
MOST_TERMS: Final = 32

#: Names of the fields, folded, in English and Chinese, and those of search engines.
FIELDS: Final = {
    "site": "site", "站点": "site", "网站": "site", "author": "author", "作者": "author",
    "source": "source", "来源": "source", "kind": "kind", "类型": "kind",
    "language": "language", "语言": "language", "story": "story", "报道": "story", "报导": "story",
    "topic": "topic", "主题": "topic", "title": "title", "标题": "title", "intitle": "title",
    "since": "since", "after": "since", "自": "since", "until": "until", "before": "until",
    "至": "until", "url": "url", "网址": "url", "inurl": "url",
}  # fmt: skip

#: Values of fields as they are shown and said in Chinese, folded.
VALUES: Final = {
    "kind": {
        "文章": "article", "列表": "list", "列表页": "list", "帖子": "thread", "其他": "other",
    },
    "language": {
        "简体": "zh-Hans", "简体中文": "zh-Hans", "繁体": "zh-Hant", "繁体中文": "zh-Hant",
        "英文": "en", "英语": "en",
    },
}  # fmt: skip

#: Kinds of pages that page analysis distinguishes.
KINDS: Final = tuple(dict.fromkeys(VALUES["kind"].values()))

_PIECE: Final = re.compile(
    r"""(?P<minus>[-－−])? (?:(?P<field>[^\W\d_]{1,10})[:：])?
        (?: ["“”„「『«＂](?P<phrase>[^"“”„」』»＂]*)(?:["“”„」』»＂]|$)
            | (?P<word>[^\s|｜"“”＂]+) ) | (?P<bar>[|｜])""",
    re.VERBOSE,
)
#: The name of a field, perhaps, and the spaces after its colon.
_FIELD_AND_SPACES: Final = re.compile(r"(?<!\w)([^\W\d_]{1,10})[:：]\s+(?=\S)")
#: What parts the words of a list: 侨批、会议; 华侨，华人; 华侨+华人, as in monitoring services.  No comma of 1,000.
_LIST: Final = re.compile(r"[、;；+＋]|(?<!\d)[,，]|[,，](?!\d)")
#: What an address has around its host; ``*.`` and ``.`` before it stand for the hosts under it.
_AROUND_HOST: Final = re.compile(r"^(?:https?://)?(?:\*?\.)?|(?::\d+)?(?:[/?#].*)?$", re.IGNORECASE)
_DATE: Final = re.compile(r"(\d{4})(?:年|[-/.年](\d{1,2})(?:[-/.月](\d{1,2}))?[月日]?)?")


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """Phrases of which at least one must occur, or none must."""

    phrases: Sequence[str]
    """As they were typed."""
    negated: bool = False
    within: Literal["page", "title"] = "page"


@dataclass(frozen=True, slots=True)
class FieldFilter:
    """A condition on a field of the pages."""

    field: str
    value: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """The parts of a query."""

    terms: Sequence[SearchTerm] = ()
    filters: Sequence[FieldFilter] = ()
    since: datetime | None = None
    until: datetime | None = None
    """Exclusive: the moment after the named day, month or year."""
    no_dates: Sequence[str] = ()
    """What was written after ``since:`` or ``until:`` and is not a date, with the field."""

    @property
    def no_kinds(self) -> Sequence[str]:
        """What was written after ``kind:`` and is no kind of page."""
        return [it.value for it in self.filters if it.field == "kind" and it.value not in KINDS]

    @property
    def bare_fields(self) -> Sequence[str]:
        """Names of fields with a colon that nothing follows; they are searched as words."""
        phrases = [it for term in self.terms for it in term.phrases]
        return [it for it in phrases if it[-1:] in (":", "：") and fold(it[:-1]) in FIELDS]


def parse_query(text: str) -> ParsedQuery:
    """Return the parts of the query *text*.  Never raises.

    What does not follow the syntax is searched as a word: a field that does not exist, a date that
    is none, a quotation mark that is never closed.
    """
    reader = _Reader()
    for found in _PIECE.finditer(_FIELD_AND_SPACES.sub(_closed_up, text[:MOST_CHARACTERS])):
        word = found["word"] if found["phrase"] is None else found["phrase"]
        is_bare = found["phrase"] is None and not found["field"] and not found["minus"]
        if found["bar"] or (is_bare and word == "OR"):
            reader.either = bool(reader.terms)
        elif is_bare and word in ("AND", "NOT"):
            reader.excluded = word == "NOT"
        else:
            # The words of a list are several; a piece of a text with the mark still finds its page.
            is_list = is_bare and not (reader.either or reader.excluded)
            words = list(filter(None, _LIST.split(word))) if is_list else []
            for it in words or [word]:
                reader.add(it, found["field"] or "", minus=bool(found["minus"]), bare=is_bare)
    return reader.query()


def _closed_up(found: re.Match[str]) -> str:
    """Return the name of a field without the spaces after its colon, anything else as it is."""
    return f"{found[1]}:" if fold(found[1]) in FIELDS else found[0]


class _Reader:
    """Takes the words of a query one after the other.

    Attributes
    ----------
    either, excluded
        Whether the next word stands behind an ``OR`` or a ``NOT``.
    """

    def __init__(self) -> None:
        self.either = self.excluded = False
        self.terms: list[SearchTerm] = []
        self._signs: list[SearchTerm] = []
        self._filters: list[FieldFilter] = []
        self._no_dates: list[str] = []
        self._since: datetime | None = None
        self._until: datetime | None = None
        self._read = 0

    def query(self) -> ParsedQuery:
        """Return what was read.

        Punctuation that stands alone between words (侨务 & 侨联) is not searched.
        """
        words = [it for it in self.terms if it not in self._signs]
        return ParsedQuery(
            tuple(words if any(not it.negated for it in words) else self.terms),
            tuple(self._filters),
            self._since,
            self._until,
            tuple(self._no_dates),
        )

    def add(self, word: str, field: str, *, minus: bool, bare: bool) -> None:
        """Read a word or phrase with the *field* written before it; *bare*: no field, sign or quotation mark."""
        negated, self.excluded = minus or self.excluded, False
        name = FIELDS.get(fold(field))
        whole = f"{field}:{word}" if field else word
        if name is None:
            word = whole
        if not (fold(word) or marks(word)) or not word.strip("-－−"):
            # Nothing to search, or a sign whose word is not typed yet.
            return
        either, self.either = self.either, False
        if name in ("since", "until"):
            moments = _moments(word)
            if moments is not None and not negated:
                self._set_moment(name, moments)
                return
            if moments is None:
                self._no_dates.append(whole)
            self._add_term(SearchTerm((whole,), negated), either=either)
        elif name in (None, "title"):
            within: Literal["page", "title"] = "title" if name == "title" else "page"
            term = SearchTerm((word,), negated, within)
            if bare and not negated and not fold(word).strip(BREAK):
                self._signs.append(term)
            self._add_term(term, either=either)
        elif len(self._filters) < MOST_TERMS:
            values = VALUES.get(name, {})
            written = {fold(it): it for it in values.values()}
            value = (values | written).get(fold(word), word)
            if name == "site":
                value = host_as_stored(value)
            self._filters.append(FieldFilter(name, value, negated))

    def _set_moment(self, name: str, moments: tuple[datetime, datetime]) -> None:
        if name == "since":
            self._since = moments[0]
        else:
            self._until = moments[1]

    def _add_term(self, term: SearchTerm, *, either: bool) -> None:
        if self._read == MOST_TERMS:
            return
        self._read += 1
        last = self.terms[-1] if self.terms else None
        if either and last and not term.negated and not last.negated:
            phrases = dict.fromkeys((*last.phrases, *term.phrases))
            self.terms[-1] = SearchTerm(tuple(phrases), False, last.within)
        else:
            self.terms.append(term)


def host_as_stored(text: str) -> str:
    """Return the host in an address as stores have it: in lower case, without scheme, port and path, in IDNA.

    >>> host_as_stored("https://www.example.cn:8080/news/"), host_as_stored("侨网.中国"), host_as_stored("*.gov.cn")
    ('www.example.cn', 'xn--8sqv57i.xn--fiqs8s', 'gov.cn')
    """
    host = _AROUND_HOST.sub("", text.strip().lower()).rstrip(".") or text
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def _moments(text: str) -> tuple[datetime, datetime] | None:
    """Return the first moment of a day, month or year and the one after it; ``None`` for no date."""
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day = (None if it is None else int(it) for it in found.groups())
    try:
        first = datetime(year or 0, month or 1, day or 1, tzinfo=ZONE)
        if day is not None:
            after = first + timedelta(days=1)
        elif month is not None:
            after = datetime(first.year + month // 12, month % 12 + 1, 1, tzinfo=ZONE)
        else:
            after = datetime(first.year + 1, 1, 1, tzinfo=ZONE)
        return first.astimezone(UTC), after.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
