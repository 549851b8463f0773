"""Mirrors: origins (scheme, host and port) whose pages of the same path are equal."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final, Literal

from topiccrawl.bounded import BoundedDict
from topiccrawl.urls.content import GONE, PageContent
from topiccrawl.urls.domains import registered_domain
from topiccrawl.urls.evidence import EVEN, LIKELY, UNLIKELY, SequentialTest
from topiccrawl.urls.identity import link_id

#: Every so many-th link to a mirror, by its path, is left as it is: its page shows whether the mirror still is one.
#: Costs 3 % of what is saved (a choice).
AUDIT: Final = 32
#: Paths with their pages' contents that are remembered, the last ones seen: about 300 bytes each (a choice).
_PATHS: Final = 20_000
#: Origins of one path that are compared, the last ones seen (a choice: bounds the work for one page).
_ORIGINS_OF_PATH: Final = 8
#: Pairs of origins that are tested, the last ones compared (a choice).
_PAIRS: Final = 5_000
#: Mirrors of mirrors that are followed (a choice).
_STEPS: Final = 4

_ORIGIN: Final = re.compile(r"https?://[^/?#]+")
#: First labels of hosts for phones and for other small devices.
_DEVICE: Final = re.compile(r"(?:m|wap|mobile|mob|3g|4g|5g|touch|h5|phone|amp|i|pda)\d?")
#: Addresses of single pages: a date, or the number of a record, in the last part or in the query.  Fronts,
#: channels and their lists have none, and are compared among themselves: channels of a portal have the same
#: articles and different fronts.
_NUMBERED: Final = re.compile(r"[0-9]{4}[^/]*$|(?=[A-Za-z]*[0-9])[A-Za-z0-9]{16,}[^/]*$")

Kind = Literal["single", "other"]


def split_origin(url: str) -> tuple[str, str]:
    """Return the origin of *url*, and the rest; ``("", url)`` for what is not http(s).

    >>> split_origin("http://m.example.cn:8080/a?b=c")
    ('http://m.example.cn:8080', '/a?b=c')
    """
    found = _ORIGIN.match(url)
    return ("", url) if found is None else (found[0], url[found.end() :])


@dataclass(slots=True)
class _Pair:
    tests: dict[Kind, SequentialTest] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        return any(test.accepted for test in self.tests.values())


class MirrorLearner:
    """Learns which origins have the same pages; bounded, and deterministic in the order of pages.

    Two origins are compared by the paths at which both have answered with a text
    (:class:`~topiccrawl.urls.content.PageContent`), by a sequential test for each kind of path: single
    pages (a number in the address) and others (fronts, channels).  The prior is high for two schemes or
    ports of a host, and with and without ``www.``; even for two hosts of a domain; low for others.

    Of two mirrors, one is preferred: the one that does not redirect to the other; of two domains, the one
    that the user has named first.  Links lead to another domain only if the user has named
    it: a stranger can copy a site, be seen first, and change the pages that are not compared.  Of one domain,
    the preferred one is the one that is not for phones, then https, then the default port, then ``www.``,
    then the shorter and the first name.
    """

    def __init__(self) -> None:
        self._paths: BoundedDict[int, dict[str, PageContent]] = BoundedDict(_PATHS)
        self._pairs: OrderedDict[tuple[str, str], _Pair] = OrderedDict()
        #: Origins whose pages of a kind are equal, by origin and kind.
        self._mirrors: dict[tuple[str, Kind], dict[str, None]] = {}
        #: Domains that the user has named, in the order in which they were seen.
        self._named: dict[str, int] = {}
        self._redirects: BoundedDict[str, None] = BoundedDict(_PAIRS)
        self.learned = 0
        """Verdicts that two origins have the same pages of a kind, revoked ones included; grows only."""

    def observe(
        self, url: str, content: PageContent, *, named: bool = False, redirects: bool = False
    ) -> list[tuple[str, str, bool]]:
        """Learn from a page; return the verdicts that changed: two origins, and whether they are mirrors.

        *url* is canonical; *content* is :data:`~topiccrawl.urls.content.GONE` if the server does not have the
        page.  *named*: the user has named it; *redirects*: this address redirected to the page, so that its
        origin is preferred to no other.
        """
        origin, path = split_origin(url)
        if not origin:
            return []
        if redirects:
            self._redirects[origin] = None
        if named:
            self._named.setdefault(domain_of(origin), len(self._named))
        key = link_id(path)
        contents = self._paths.use(key, dict)
        changed: list[tuple[str, str, bool]] = []
        if contents.get(origin) != content:
            for other, its in contents.items():
                if other != origin:
                    changed += self._compare(origin, other, path, content, its)
            if origin not in contents and len(contents) == _ORIGINS_OF_PATH:
                del contents[next(iter(contents))]
            contents[origin] = content
        return changed

    def preferred(self, url: str) -> str:
        """Return *url*, or the address of the same page on the preferred mirror."""
        if not self.learned:
            return url
        origin, path = split_origin(url)
        if (origin, "single") not in self._mirrors and (origin, "other") not in self._mirrors:
            return url
        kind = _kind(path)
        best = origin
        for _ in range(_STEPS):
            mirrors = self._mirrors.get((best, kind))
            trusted = (it for it in mirrors or () if self._trusts(best, it))
            better = min((best, *trusted), key=self._rank)
            if better == best:
                break
            best = better
        return url if best == origin or _audited(path) else f"{best}{path}"

    def has(self, url: str) -> bool:
        """Return whether the page at canonical *url* itself was fetched, as far as is remembered."""
        origin, path = split_origin(url)
        return origin in self._paths.get(link_id(path), {})

    def fetched(self, url: str) -> str | None:
        """Return the address of the page on a mirror that answered with it, ``None`` if none has.

        ``None`` also for a page that was fetched itself, and for those that are fetched to compare them.
        """
        if not self.learned:
            return None
        origin, path = split_origin(url)
        mirrors = self._mirrors.get((origin, _kind(path)))
        if mirrors is None or _audited(path):
            return None
        contents = self._paths.get(link_id(path), {})
        if origin in contents:
            return None
        for other, content in contents.items():
            if content != GONE and other in mirrors and self._trusts(origin, other):
                return f"{other}{path}"
        return None

    def _trusts(self, origin: str, other: str) -> bool:
        """Whether pages of *other* may stand for those of its mirror *origin*."""
        domain = domain_of(other)
        return domain in self._named or domain == domain_of(origin)

    def _compare(
        self, origin: str, other: str, path: str, content: PageContent, its: PageContent
    ) -> list[tuple[str, str, bool]]:
        kind = _kind(path)
        equal = content.hash == its.hash
        if content == its == GONE:
            return []
        lists = not (content.has_body or its.has_body) and GONE not in (content, its)
        if not equal and lists and kind == "single":
            return []  # A list that was read twice: it grows, and versions for phones show less.
        first, second = sorted((origin, other))
        pair = self._pairs.get((first, second))
        if pair is None:
            pair = self._pairs[first, second] = _Pair()
        self._pairs.move_to_end((first, second))
        test = pair.tests.setdefault(kind, SequentialTest(prior(first, second)))
        changed = test.equal(content.gist) if equal else test.different()
        if changed:
            self._settle(first, second, kind, mirrors=test.accepted)
        if len(self._pairs) > _PAIRS:
            self._drop_oldest()
        return [(first, second, test.accepted)] if changed else []

    def _settle(self, first: str, second: str, kind: Kind, *, mirrors: bool) -> None:
        self.learned += mirrors
        for one, other in ((first, second), (second, first)):
            known = self._mirrors.setdefault((one, kind), {})
            if mirrors:
                known[other] = None
            else:
                known.pop(other, None)
            if not known:
                del self._mirrors[one, kind]

    def _drop_oldest(self) -> None:
        """Drop the pair that was compared longest ago, mirrors last."""
        oldest = next((key for key, it in self._pairs.items() if not it.accepted), None)
        first, second = oldest or next(iter(self._pairs))
        for kind, test in self._pairs.pop((first, second)).tests.items():
            if test.accepted:
                self._settle(first, second, kind, mirrors=False)

    def _rank(self, origin: str) -> tuple[object, ...]:
        """Return the rank of an origin among its mirrors; the lowest is preferred."""
        scheme, _, host = origin.partition("://")
        name, _, port = host.partition(":")
        return (
            origin in self._redirects,
            self._named.get(domain_of(origin), len(self._named)),
            is_device(origin),
            scheme != "https",
            bool(port),
            not name.startswith("www."),
            len(name),
            host,
        )


def prior(first: str, second: str) -> float:
    """Return the log odds, before any page, that two origins are mirrors."""
    if bare_name(first) == bare_name(second):
        return LIKELY
    return EVEN if domain_of(first) == domain_of(second) else UNLIKELY


def bare_name(origin: str) -> str:
    """Return the host of *origin* without scheme, port and ``www.``."""
    return origin.partition("://")[2].partition(":")[0].removeprefix("www.")


def domain_of(origin: str) -> str:
    """Return the registered domain of *origin*."""
    return registered_domain(origin.partition("://")[2].partition(":")[0])


def is_device(origin: str) -> bool:
    """Whether the name of *origin* is one for phones: ``m.``, ``wap.``."""
    return _DEVICE.fullmatch(origin.partition("://")[2].partition(".")[0]) is not None


def _audited(path: str) -> bool:
    return not link_id(path) % AUDIT


def _kind(path: str) -> Kind:
    return "single" if _NUMBERED.search(path) else "other"
