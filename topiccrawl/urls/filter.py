"""The URL filter: removes noise from the URLs of links and rejects crawler traps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from topiccrawl.urls.content import GONE, PageContent
from topiccrawl.urls.domains import NameBudget
from topiccrawl.urls.elsewhere import Elsewhere
from topiccrawl.urls.families import NEW_SHARE, FamilyBudget
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.lessons import MOST_VERSIONS, Lesson
from topiccrawl.urls.novelty import Novelty, PageText, of_host
from topiccrawl.urls.parameters import ParameterLearner
from topiccrawl.urls.scope import Scope
from topiccrawl.urls.traps import TrapRules, trap

#: Reason for rejecting links to a family of pages that bring nothing new.
PATTERN = "pattern"
#: Reason for rejecting links to one more name of a domain that has had enough of them.
HOST_NAMES = "host-names"

#: A page of whose text less than this share was on no other page before, of any host, is a copy: it earns
#: its domain no host names.  What is new on a reprint are the frame of its site, at first, and a list of
#: links (a guess).
COPIED_SHARE = 0.3


class Stated(NamedTuple):
    """What a page is, and which addresses it states, as :class:`UrlFilter` learns from it."""

    content: PageContent | None = None
    canonical: str = ""
    """See :class:`~topiccrawl.urls.lessons.Lesson`."""
    versions: tuple[str, ...] = ()
    redirected: str = ""
    asked: str = ""
    """Canonical URL that was requested, if redirects led from it to the page."""


#: Of a page whose content is not compared.
NOTHING_STATED: Final = Stated()


class UrlFilter:
    """Decides which links of a page are scored and queued, and under which URL.

    There is one filter per crawl and worker.  It learns from the pages that are fetched, and from the
    :class:`~topiccrawl.urls.lessons.Lesson` of each page that other workers and earlier runs have
    fetched.

    Parameters
    ----------
    rules
        Limits of the trap rules.
    clock
        Returns the current time in Unix seconds; calendars are compared with it.
    learn_parameters
        Whether to learn which query parameters do not change the pages of a host.
    pattern_pages
        Pages without anything new after which a family of URLs is exhausted, see
        :class:`~topiccrawl.urls.families.FamilyBudget`; 0 turns the budgets of families off.
    learn_mirrors
        Whether to learn which hosts are mirrors and which addresses lead to versions of a page.
    domain_names
        Host names of one registered domain that are contacted before any page on the topic, see
        :class:`~topiccrawl.urls.domains.NameBudget`; 0 turns the limit off.
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
        learn_mirrors: bool = False,
        pattern_pages: int = 30,
        domain_names: int = 200,
        scope: Scope | None = None,
        count: Callable[[str], None] = lambda name: None,
    ) -> None:
        self._rules = rules
        self._clock = clock
        self._parameters = ParameterLearner() if learn_parameters else None
        self._families = FamilyBudget(pages=pattern_pages) if pattern_pages else None
        self._names = NameBudget(names=domain_names) if domain_names else None
        self._novelty = Novelty()
        self._everywhere = Novelty()
        self._scope = scope or Scope()
        self._count = count
        self._elsewhere = Elsewhere(self._scope, count) if learn_mirrors else None

    def clean(self, url: str) -> str:
        """Return *url* without the parameters that were learned to change nothing on its host."""
        if self._parameters is None or "?" not in url:
            return url
        cleaned = self._parameters.clean(url)
        if cleaned != url:
            self._count("links/cleaned")
        return cleaned

    def preferred(self, url: str) -> str:
        """Return *url*, or the address of the same page on a preferred mirror or as another version.

        It is the user who decides which hosts are crawled: neither address is outside the scope.
        """
        return url if self._elsewhere is None else self._elsewhere.preferred(url)

    def fetched_elsewhere(self, canonical: str) -> str | None:
        """Return the address at which this page was fetched, on a mirror or as another version."""
        return None if self._elsewhere is None else self._elsewhere.fetched(canonical)

    def returned(self) -> list[str]:
        """Return, once, the links that were led elsewhere to mirrors that turned out to be none."""
        return [] if self._elsewhere is None else self._elsewhere.returned()

    def gone(self, canonical: str) -> Lesson:
        """Learn that there is no page at the preferred address of a link; return what was learned."""
        lesson = Lesson(canonical, "", new=False, counted=False, content=GONE)
        if self._elsewhere is not None:
            self._elsewhere.learn(lesson)
        return lesson

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
        if reason is None and self._names is not None and self._names.exhausted(host_of(canonical)):
            return HOST_NAMES
        return reason

    def contact(self, host: str) -> bool:
        """Count the name of a host that is contacted; return whether that was not known."""
        return self._names is not None and self._names.contact(host)

    def earn(self, canonical: str) -> None:
        """Count a new page on the topic, which earns its domain more host names."""
        if self._names is not None:
            self._names.earn(host_of(canonical))

    @property
    def exhausted(self) -> int:
        """Families and domains that were found to be exhausted so far; grows only."""
        return sum(it.found for it in (self._families, self._names) if it is not None)

    def learn(
        self,
        canonical: str,
        text: PageText | None,
        *,
        named: bool = False,
        stated: Stated = NOTHING_STATED,
    ) -> Lesson | None:
        """Learn from a fetched page; return what was learned.

        Parameters
        ----------
        canonical
            Canonical URL of the page.
        text
            Its visible text (:func:`~topiccrawl.urls.novelty.page_text`); ``None`` if it has none (a
            script may draw its content): nothing is learned from such a page.  The text of a page that
            is fetched again, at the same address, is known: which is no evidence against its family.
        named
            Whether the user has named the page (a seed).  It is fetched again by later runs, so that it
            is no evidence against its family if it has not changed.
        stated
            Its content, and the addresses that it states.
        """
        if text is None:
            return None
        share, lines = self._novelty.read(host_of(canonical), text)
        new = share >= NEW_SHARE
        # A link is fetched again when its worker was killed, or took longer than its lease.
        visited = self._novelty.visit(stated.asked or canonical)
        if visited and not new:
            self._count("pages/nothing_new")
        new_share, __ = self._everywhere.read("", text)
        lesson = Lesson(
            canonical,
            text.hash,
            new,
            counted=new or bool(visited and not named),
            lines=(*visited, *lines),
            content=stated.content,
            named=named,
            canonical=stated.canonical if stated.canonical != canonical else "",
            redirected=stated.redirected,
            versions=stated.versions[:MOST_VERSIONS],
            copied=new_share < COPIED_SHARE,
        )
        learned, exhausted = self._observe(lesson)
        if learned:
            self._count(f"parameters/{learned}")
        if exhausted:
            self._count("patterns/exhausted")
        if self._elsewhere is not None:
            self._elsewhere.learn(lesson)
        return lesson

    def receive(self, lesson: Lesson) -> None:
        """Learn what another worker or an earlier run has learned from a page."""
        if self._elsewhere is not None:
            self._elsewhere.learn(lesson, own=False)
        if lesson.content == GONE:
            return
        self._novelty.remember(lesson.lines)
        self._everywhere.remember(of_host(lesson.lines, host_of(lesson.url), ""))
        self._observe(lesson)
        if lesson.earned:
            self.earn(lesson.url)

    def _observe(self, lesson: Lesson) -> tuple[Literal["", "learned", "unlearned"], bool]:
        """Return what became of the parameters, and whether a family is exhausted now."""
        learned: Literal["", "learned", "unlearned"] = ""
        if self._parameters is not None:
            host = host_of(lesson.url)
            before = self._parameters.ignored(host)
            if self._parameters.observe(lesson.url, lesson.text_hash):
                learned = "learned" if self._parameters.ignored(host) - before else "unlearned"
        if self._families is None or not lesson.counted:
            return learned, False
        found = self._families.found
        self._families.observe(lesson.url, lesson.new)
        return learned, self._families.found > found
