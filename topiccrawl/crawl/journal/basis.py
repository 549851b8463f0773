"""What a crawl is based on: the topic's words and the settings that decide what is fetched and kept.

Workers of one queue should agree on it, and a crawl that continues should report that it has changed.  The
journal holds it; nothing is decided by it.
"""

from __future__ import annotations

import hashlib
import json
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.settings.network import PRIVATE_ADDRESSES
from topiccrawl.language import _, clauses, listed, ngettext
from topiccrawl.store.uri import masked

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.topics.definition import TopicDefinition
    from topiccrawl.urls.scope import Scope

logger = logging.getLogger(__name__)

#: Words that are named in a message; further ones are counted (a guess: one line of a terminal).
_NAMED: Final = 5
#: Settings about which the workers of a queue must agree, and that may change from run to run.
_AT_THE_SAME_TIME: Final = frozenset(
    {
        "CONCURRENT_REQUESTS_PER_DOMAIN",
        "DOWNLOAD_DELAY",
        "TOPICCRAWL_CRAWL_DELAY_MAX_SECONDS",
        "TOPICCRAWL_FRONTIER_MAX_LINKS",
        "TOPICCRAWL_FRONTIER_WORKER_SECONDS",
    }
)
#: Settings that decide nothing where nothing is fetched.
_OF_FETCHING: Final = _AT_THE_SAME_TIME | {
    "TOPICCRAWL_STRATEGY",
    "TOPICCRAWL_ALLOW",
    "TOPICCRAWL_DENY",
    "TOPICCRAWL_HOST_BUDGET_PAGES",
    PRIVATE_ADDRESSES,
}


@dataclass(frozen=True, slots=True)
class CrawlBasis:
    """Words and settings that decide what a crawl fetches and keeps."""

    words: Mapping[str, float]
    """Value by word; negative for the misleading ones."""
    settings: Mapping[str, str]
    """Value by name, as a user writes them; also of what topic.toml sets, and of the samples."""

    @classmethod
    def of(cls, definition: TopicDefinition, settings: CrawlSettings, scope: Scope) -> CrawlBasis:
        """Return the basis of a crawl."""
        words = {word.term: word.value for word in definition.keywords}
        words |= {word.term: -word.value for word in definition.negatives}
        return cls(
            words,
            {
                "language": definition.language,
                "samples": _samples(definition),
                "[thresholds]": _thresholds(definition),
                "TOPICCRAWL_STRATEGY": settings.strategy,
                "TOPICCRAWL_BALANCE": settings.balance,
                "TOPICCRAWL_RELEVANCE_THRESHOLD": f"{settings.relevance_threshold:g}",
                "TOPICCRAWL_MEANING": str(settings.meaning),
                "TOPICCRAWL_DUPLICATES": settings.duplicates,
                "TOPICCRAWL_BODY_EXTRACTOR": settings.body_extractor,
                "TOPICCRAWL_ALLOW": " ".join(scope.allow),
                "TOPICCRAWL_DENY": " ".join(scope.deny),
                PRIVATE_ADDRESSES: " ".join(settings.network.private_allowed),
                "TOPICCRAWL_HOST_BUDGET_PAGES": str(settings.host_budget),
                "TOPICCRAWL_FRONTIER_MAX_LINKS": str(settings.frontier_max_links),
                "TOPICCRAWL_FRONTIER_WORKER_SECONDS": f"{settings.worker_seconds:g}",
                "DOWNLOAD_DELAY": f"{settings.host_delay:g}",
                "CONCURRENT_REQUESTS_PER_DOMAIN": str(settings.host_concurrency),
                "TOPICCRAWL_CRAWL_DELAY_MAX_SECONDS": f"{settings.politeness.crawl_delay_max:g}",
                "TOPICCRAWL_STORE_URI": _store_name(settings.store_uri),
            },
        )

    def without_fetching(self) -> CrawlBasis:
        """Return the basis of an import."""
        settings = {it: value for it, value in self.settings.items() if it not in _OF_FETCHING}
        return CrawlBasis(self.words, settings)

    def packed(self) -> bytes:
        """Return an entry for the journal."""
        parts = [dict(self.words), dict(self.settings)]
        return json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def unpacked(cls, data: bytes) -> CrawlBasis:
        """Return the basis in an entry of the journal; raises an exception if it holds none."""
        words, settings = json.loads(data)
        return cls(
            {str(word): float(value) for word, value in words.items()},
            {str(name): str(value) for name, value in settings.items()},
        )

    def differences(self, other: CrawlBasis, leave_out: Collection[str] = ()) -> str:
        """Return in words what is different here from *other*; ``""`` if nothing is.

        Settings to *leave_out* are not compared, and none that one of the two does not have: it is of
        another version.
        """
        added = [word for word in self.words if word not in other.words]
        gone = [word for word in other.words if word not in self.words]
        kept = self.words.keys() & other.words.keys()
        valued = [it for it in self.words if it in kept and self.words[it] != other.words[it]]
        parts = [
            _("new words: {words}").format(words=_some(added)) if added else "",
            _("missing words: {words}").format(words=_some(gone)) if gone else "",
            _("words with another value: {words}").format(words=_some(valued)) if valued else "",
        ]
        parts += [
            _("{name} is {here!r} instead of {there!r}").format(
                name=name, here=value, there=other.settings[name]
            )
            for name, value in self.settings.items()
            if other.settings.get(name, value) != value and name not in leave_out
        ]
        return clauses(filter(None, parts))


def _samples(definition: TopicDefinition) -> str:
    """Return the number of samples, with a digest of their texts."""
    texts = sorted(sample.text for sample in definition.samples)
    digest = hashlib.sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()
    return f"{len(texts)} ({digest[:6]})" if texts else "0"


def _thresholds(definition: TopicDefinition) -> str:
    thresholds = definition.thresholds
    page = "" if thresholds.relevance is None else f"relevance {thresholds.relevance:g}, "
    return f"{page}link {thresholds.link:g}"


class BasisCheck:
    """Compares the basis of this worker with that of others and of the last run, for the log."""

    def __init__(self, own: CrawlBasis, others: Callable[[], int]) -> None:
        """*others* returns the number of other workers that are alive."""
        self._own = own
        self._others = others
        self._last: CrawlBasis | None = None
        self._announced = False

    def receive(self, basis: CrawlBasis) -> None:
        """Take note of the basis of another worker, or of an earlier run."""
        # What an import does not have is as it was.
        before = {} if self._last is None else self._last.settings
        self._last = CrawlBasis(basis.words, {**before, **basis.settings})
        if self._announced and (differences := self._own.differences(basis)):
            self._warn(differences)

    def announce(self, publish: Callable[[CrawlBasis], object]) -> None:
        """Log what differs from the last basis that was received, and *publish* the own one then.

        To be called when the journal was read.
        """
        self._announced = True
        if self._last == self._own:
            return
        if self._last is not None:
            if self._others():
                if differences := self._own.differences(self._last):
                    self._warn(differences)
            elif differences := self._own.differences(self._last, _AT_THE_SAME_TIME):
                logger.info(
                    _(
                        "Changed since the last run on this queue: %(what)s. It holds from now on; pages "
                        "that were fetched are not fetched again for it (-a fresh=1 starts over)"
                    ),
                    {"what": differences},
                )
        publish(self._own)

    def _warn(self, differences: str) -> None:
        logger.warning(
            _(
                "This worker and another one of the topic differ: %(what)s. What is kept, and how often a "
                "host is contacted, then depends on which of them meets a page; start all with the same "
                "topic files and settings"
            ),
            {"what": differences},
        )


def _store_name(uri: str) -> str:
    """Return what is equal for all workers: of a file its name, of a server neither user nor options."""
    if uri.startswith("sqlite:"):
        return uri.rpartition("/")[2]
    return masked(uri).rpartition("@")[2].partition("?")[0]


def _some(words: list[str]) -> str:
    named = listed(words[:_NAMED])
    more = len(words) - _NAMED
    if more <= 0:
        return named
    return ngettext("{words} and {n} other", "{words} and {n} others", more).format(
        words=named, n=more
    )
