"""The URL filter: removes noise from the URLs of links and rejects crawler traps."""

from __future__ import annotations

from collections.abc import Callable

from topiccrawl.dedup.titles import content_hash
from topiccrawl.urls.families import FamilyBudget
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.parameters import ParameterLearner
from topiccrawl.urls.scope import Scope
from topiccrawl.urls.traps import TrapRules, trap

#: Reason for rejecting links to a family of pages that repeat a few texts and were never relevant.
PATTERN = "pattern"


class UrlFilter:
    """Decides which links of a page are scored and queued, and under which URL.

    There is one filter per crawl and worker.  It learns from the pages that are fetched; what it has
    learned is neither shared between workers nor kept over a restart.

    Parameters
    ----------
    rules
        Limits of the trap rules.
    clock
        Returns the current time in Unix seconds; calendars are compared with it.
    learn_parameters
        Whether to learn which query parameters do not change the pages of a host.
    pattern_pages
        Pages after which a family of URLs may be exhausted, see
        :class:`~topiccrawl.urls.families.FamilyBudget`; 0 turns the budgets of families off.
    scope
        The URLs that the crawl keeps to; default: all.
    count
        Called with the name of a statistic, such as ``links/trapped/calendar``, for each event.
    """

    def __init__(
        self,
        rules: TrapRules,
        clock: Callable[[], float],
        *,
        learn_parameters: bool = True,
        pattern_pages: int = 100,
        scope: Scope | None = None,
        count: Callable[[str], None] = lambda name: None,
    ) -> None:
        self._rules = rules
        self._clock = clock
        self._parameters = ParameterLearner() if learn_parameters else None
        self._families = FamilyBudget(pages=pattern_pages) if pattern_pages else None
        self._scope = scope or Scope()
        self._count = count

    def clean(self, url: str) -> str:
        """Return *url* without the parameters that were learned to change nothing on its host."""
        if self._parameters is None or "?" not in url:
            return url
        cleaned = self._parameters.clean(url)
        if cleaned != url:
            self._count("links/cleaned")
        return cleaned

    def allows(self, canonical: str) -> bool:
        """Return whether the link with this canonical URL may be scored and queued."""
        if self._scope.exclusion(canonical) is not None:
            self._count("links/out_of_scope")
            return False
        reason = self.trap(canonical)
        if reason is not None:
            self._count(f"links/trapped/{reason}")
        return reason is None

    def trap(self, canonical: str) -> str | None:
        """Return why the link with this canonical URL looks like a trap, ``None`` if it does not."""
        reason = trap(canonical, self._clock(), self._rules)
        if reason is None and self._families is not None and self._families.exhausted(canonical):
            return PATTERN
        return reason

    def learn(self, canonical: str, content: str | None, relevant: bool) -> None:
        """Learn from a fetched page.

        Parameters
        ----------
        canonical
            Canonical URL of the page.
        content
            :func:`text_hash` of its visible text.
        relevant
            Whether the page is relevant to the topic.
        """
        if self._parameters is not None and content is not None:
            before = self._parameters.ignored(host_of(canonical))
            if self._parameters.observe(canonical, content):
                more = self._parameters.ignored(host_of(canonical)) - before
                self._count(f"parameters/{'learned' if more else 'unlearned'}")
        if self._families is not None:
            self._families.observe(canonical, relevant, content)


def text_hash(visible_text: str) -> str | None:
    """Return the hash of a page's *visible_text*, ``None`` if the page has no text.

    The text includes the words of the links: two pages of one list may have the same body.
    """
    return content_hash(visible_text) if visible_text.strip() else None
