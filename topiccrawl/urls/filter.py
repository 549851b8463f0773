"""What a link must pass before it is offered: noise cut from its URL, and no trap.

One gate for each run.  It learns from the pages that are fetched; what it has learned is this worker's
own and starts afresh with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from topiccrawl.dedup.titles import content_hash
from topiccrawl.urls.families import FamilyBudget
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.parameters import ParameterLearner
from topiccrawl.urls.traps import TrapRules, trap

if TYPE_CHECKING:
    from topiccrawl.page.page import Page

#: Reason of links to a family of pages that repeat a few texts and were never relevant.
PATTERN = "pattern"


class UrlFilter:
    """Cleans URLs and refuses traps; counts what it does by name."""

    def __init__(
        self,
        rules: TrapRules,
        clock: Callable[[], float],
        *,
        learn_parameters: bool = True,
        pattern_pages: int = 100,
        count: Callable[[str], None] = lambda what: None,
    ) -> None:
        """*pattern_pages* 0 turns the budgets of families off; *count* is called with names such as
        ``links/trapped/calendar``.
        """
        self._rules = rules
        self._clock = clock
        self._learner = ParameterLearner() if learn_parameters else None
        self._patterns = FamilyBudget(pages=pattern_pages) if pattern_pages else None
        self._count = count

    def clean(self, url: str) -> str:
        """Return *url* without the parameters that change nothing on its host, as far as learned."""
        if self._learner is None or "?" not in url:
            return url
        cleaned = self._learner.clean(url)
        if cleaned != url:
            self._count("links/cleaned")
        return cleaned

    def admits(self, canonical: str) -> bool:
        """Whether the link with this canonical URL may be scored and queued."""
        reason = trap(canonical, self._clock(), self._rules)
        if reason is None and self._patterns is not None and self._patterns.exhausted(canonical):
            reason = PATTERN
        if reason is not None:
            self._count(f"links/trapped/{reason}")
        return reason is None

    def observe(self, canonical: str, page: Page, relevant: bool) -> None:
        """Learn from a fetched page."""
        self.observe_content(canonical, content_of(page), relevant)

    def observe_content(self, canonical: str, content: str | None, relevant: bool) -> None:
        """Do the same for a page of which :func:`content_of` is known."""
        if self._learner is not None and content is not None:
            before = self._learner.ignored(host_of(canonical))
            if self._learner.observe(canonical, content):
                more = self._learner.ignored(host_of(canonical)) - before
                self._count(f"parameters/{'learned' if more else 'unlearned'}")
        if self._patterns is not None:
            self._patterns.observe(canonical, relevant, content)


def content_of(page: Page) -> str | None:
    """Return the hash of all that a reader sees of *page*, ``None`` if that is nothing."""
    # Not the body: two pages of one list may share it and differ in their links.
    text = page.visible_text
    return content_hash(text) if text.strip() else None
