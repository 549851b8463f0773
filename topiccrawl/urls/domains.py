"""How many host names of one registered domain are contacted: a domain may answer under any name."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import lru_cache

from tldextract import TLDExtract

from topiccrawl.bounded import BoundedDict
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

#: New pages on the topic that earn their domain one more name. A domain whose names bring one page each,
#: on the topic without end, gets twice its budget; one with two pages or more per name is never held
#: up. A guess.
PAGES_PER_NAME = 2
#: Domains that a crawl contacts before links to further ones may fall behind, and fetched pages for each
#: further one (guesses: a crawl that looks around visits two domains in three pages for some hundred pages).
FIRST_DOMAINS = 100
PAGES_PER_DOMAIN = 2
#: Domains remembered, the last ones that were contacted or gave a page (a choice: some MB).
_KNOWN_DOMAINS = 50_000
#: Host names remembered over all domains: about 15 MB if each has the 253 characters of RFC 1035.
_NAMES = 50_000
#: The Public Suffix List (https://publicsuffix.org) of the installed tldextract, without any download.
#: With its private part: name.github.io is a domain of its own.
_EXTRACT = TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)


@lru_cache(4_096)
def registered_domain(host: str) -> str:
    """Return the domain that the owner of *host* has registered; *host* itself if it has none.

    A top-level domain that the Public Suffix List does not have counts as a suffix.

    >>> registered_domain("hr.news.example.com.cn"), registered_domain("name.github.io")
    ('example.com.cn', 'name.github.io')
    >>> registered_domain("192.0.2.1"), registered_domain("a.b.example")
    ('192.0.2.1', 'b.example')
    """
    found = _EXTRACT(host.strip("."))
    if not found.domain:
        return host
    if found.suffix:
        return f"{found.domain}.{found.suffix}"
    return f"{found.subdomain.rpartition('.')[2]}.{found.domain}" if found.subdomain else host


def has_known_suffix(host: str) -> bool:
    """Return whether *host* is below a suffix of the Public Suffix List.

    >>> has_known_suffix("news.example.com.cn"), has_known_suffix("com.cn"), has_known_suffix("report.pdf")
    (True, False, False)
    """
    found = _EXTRACT(host)
    return bool(found.domain and found.suffix)


@dataclass(slots=True)
class _Domain:
    names: set[str] = field(default_factory=set)
    pages: int = 0


class NameBudget:
    """Host names of each registered domain that may be contacted.

    A domain has *names* names, and one more for every :data:`PAGES_PER_NAME` new pages on the topic.
    A name that was contacted stays allowed. Raises ``ConfigurationError`` if a number is below 1.

    Parameters
    ----------
    names
        Names of a domain, >= 1.
    most
        Names remembered over all domains, >= 1; the domains least recently contacted are forgotten.
    """

    def __init__(self, *, names: int = 200, most: int = _NAMES) -> None:
        for name, value in (("names", names), ("most", most)):
            if value < 1:
                raise ConfigurationError(
                    _("{name} must be >= 1, got {value!r}").format(name=name, value=value)
                )
        self._names = names
        self._most = most
        self._size = 0
        self._domains: OrderedDict[str, _Domain] = OrderedDict()
        self.found = 0
        """Times that a domain has used up its first *names* names."""

    def contact(self, host: str) -> bool:
        """Count *host* as contacted; return whether it was not before."""
        key = registered_domain(host)
        domain = self._domains.setdefault(key, _Domain())
        self._domains.move_to_end(key)
        if host in domain.names:
            return False
        domain.names.add(host)
        self.found += len(domain.names) == self._names
        self._size += 1
        while self._size > self._most:
            _key, forgotten = self._domains.popitem(last=False)
            self._size -= len(forgotten.names)
        return True

    def earn(self, host: str) -> None:
        """Count a new page on the topic; *host* was contacted, or its domain is not in memory."""
        domain = self._domains.get(registered_domain(host))
        if domain is not None:
            domain.pages += 1

    def exhausted(self, host: str) -> bool:
        """Return whether *host* is one name too many of its domain."""
        if not self.found:
            return False
        domain = self._domains.get(registered_domain(host))
        return (
            domain is not None
            and len(domain.names) >= self._names + domain.pages // PAGES_PER_NAME
            and host not in domain.names
        )


class NewDomains:
    """How many registered domains a crawl contacts, compared with the pages that it fetches.

    Owners of many domains link them to each other without end (站群), and each page of theirs is the first one
    of its domain. The web at large is not so: sites have pages that lead to further pages of theirs.

    Parameters
    ----------
    first
        Domains that are always contacted in the order of the scores, >= 0.
    """

    def __init__(self, first: int = FIRST_DOMAINS) -> None:
        self._first = first
        self._known: BoundedDict[str, None] = BoundedDict(_KNOWN_DOMAINS)
        self._contacted = 0

    def contact(self, host: str) -> bool:
        """Count the domain of *host*, which was found by a link, as contacted; return whether it was new."""
        new = self.is_new(host)
        self._contacted += new
        self.fetched(host)
        return new

    def fetched(self, host: str) -> None:
        """Record that the domain of *host* has given a page, such as a seed."""
        self._known[registered_domain(host)] = None

    def is_new(self, host: str) -> bool:
        """Return whether nothing of the domain of *host* was contacted."""
        return registered_domain(host) not in self._known

    def too_many(self, pages: int) -> bool:
        """Return whether more domains were contacted than *pages* fetched pages allow."""
        return self._contacted > self._first + pages // PAGES_PER_DOMAIN
