"""Which stored pages an export contains."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from topiccrawl.errors import OptionError
from topiccrawl.language import _, listed
from topiccrawl.reporting.when import parse_when
from topiccrawl.text.normalize import normalize
from topiccrawl.text.searching import host_as_stored
from topiccrawl.urls.hosts import is_below

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from topiccrawl.store.contract import PageOrder, Standing
    from topiccrawl.store.records import PageRecord

#: The address of a home page, and its host.
_HOME = re.compile(r"https?://([^/:@?#]+)/?")


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time, with both ends in it; ``None`` is open."""

    since: datetime | None = None
    until: datetime | None = None

    def __contains__(self, moment: datetime | None) -> bool:
        if self.since is None and self.until is None:
            return True
        return (
            moment is not None
            and (self.since is None or moment >= self.since)
            and (self.until is None or moment <= self.until)
        )


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions for a page, all of which must hold; without any, every page fulfills them."""

    words: tuple[str, ...] = ()
    """Each occurs in the title, the summary, the keywords or the body, in any script."""
    sites: tuple[str, ...] = ()
    """The page is of one of these hosts, or of a host below it."""
    kinds: tuple[str, ...] = ()
    run_id: str | None = None
    fetched: Span = Span()
    published: Span = Span()
    new_since: datetime | None = None
    """The page was first fetched since then; with *changed_since*, one of both is enough."""
    changed_since: datetime | None = None
    """A change of the page was found since then."""

    def matches(self, page: PageRecord) -> bool:
        """Return whether *page* fulfills all conditions."""
        return (
            self.run_id in (None, page.run_id)
            and (not self.kinds or page.kind in self.kinds)
            and (not self.sites or is_below(page.site.lower(), self.sites))
            and page.fetched_at in self.fetched
            and page.published_at in self.published
            and self._is_news(page)
            and _holds(page, self.words)
        )

    @property
    def since(self) -> datetime | None:
        """The moment since which every selected page is new or changed; ``None`` without one."""
        given = [it for it in (self.new_since, self.changed_since) if it is not None]
        return min(given, default=None)

    def _is_news(self, page: PageRecord) -> bool:
        """Return whether the page is what is asked for: new, changed, or one of both."""
        if self.new_since is None and self.changed_since is None:
            return True
        new, changed = self.new_since, self.changed_since
        return (new is not None and page.first_seen in Span(new)) or (
            changed is not None and page.changed_at in Span(changed)
        )


@dataclass(frozen=True, slots=True)
class Selection:
    """The pages of a topic that an export contains, and their order."""

    conditions: Conditions = Conditions()
    standing: Standing = "kept"
    order: PageOrder = "fetched"
    limit: int | None = None
    """Maximum number of pages."""
    copies: bool = False
    """With copies of other pages; withdrawn ones are always among them."""


def _holds(page: PageRecord, words: Iterable[str]) -> bool:
    if not words:
        return True
    text = "\n".join((page.title, page.summary, *page.keywords, page.body))
    missing = [word for word in words if word not in text]
    if not missing:
        return True
    plain = normalize(text)
    return all(normalize(word) in plain for word in missing)


def parse_names(
    option: str,
    text: str | None,
    choices: Iterable[str] = (),
    others: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """Return the names in the value of *option*, separated by commas, in lower case.

    *others* are other words for *choices*.

    Raises :class:`OptionError` for an empty list, and for a name that is not one of *choices*.
    """
    if text is None:
        return ()
    words = (it.strip().lower() for it in re.split("[,，、]", text) if it.strip())
    names = tuple((others or {}).get(word, word) for word in words)
    known = tuple(choices)
    if not names or any(known and name not in known for name in names):
        if known:
            raise OptionError(
                _("{what} must be one of {choices}, got {name!r}").format(
                    what=option, choices=listed(known), name=text
                )
            )
        raise OptionError(
            _("{option} must be names, separated by commas, got {text!r}").format(
                option=option, text=text
            )
        )
    return names


def parse_sites(text: str | None) -> tuple[str, ...]:
    """Return the hosts in the value of ``--site``, also of home pages' addresses."""
    given = ((name, _HOME.fullmatch(name)) for name in parse_names("--site", text))
    names = tuple(home[1] if home else name for name, home in given)
    for name in names:
        if not name.strip(".") or any(it in name for it in "/:@ "):
            raise OptionError(
                _("--site must be hosts such as www.example.cn or example.cn, got {name!r}").format(
                    name=name
                )
            )
    return tuple(host_as_stored(name.strip(".")) for name in names)


def parse_span(option: str, since: str | None, until: str | None, now: datetime) -> Span:
    """Return the span of ``--since`` and ``--until``, or of other options with another *option* prefix.

    The values are moments as :func:`~topiccrawl.reporting.when.parse_when` reads them.
    """
    return named_span(f"--{option}since", f"--{option}until", since, until, now)


def named_span(first: str, last: str, since: str | None, until: str | None, now: datetime) -> Span:
    """Return the span from *since* to *until*, which messages call *first* and *last*."""
    span = Span(
        None if since is None else parse_when(first, since, now),
        None if until is None else parse_when(last, until, now, end=True),
    )
    if span.since is not None and span.until is not None and span.since > span.until:
        raise OptionError(
            _("{first} must not be later than {last}, got {since} and {until}").format(
                first=first, last=last, since=since, until=until
            )
        )
    return span
