"""Pages that were fetched at another address than the link's: on a mirror, or as another version."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from topiccrawl.bounded import BoundedDict
from topiccrawl.language import _
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.mirrors import MirrorLearner
from topiccrawl.urls.versions import VersionLearner

if TYPE_CHECKING:
    from topiccrawl.urls.lessons import Lesson
    from topiccrawl.urls.scope import Scope

logger = logging.getLogger(__name__)

#: Links that were led elsewhere, or refused because their page was fetched elsewhere, and are remembered: they
#: return when mirrors turn out to differ (a choice; some 150 bytes each).
_MOVED: Final = 5_000
#: Pairs of origins or kinds of addresses of which a line of the log was written (a choice).
_LOGGED: Final = 1_000


class Elsewhere:
    """Leads links to the address at which their page is fetched.

    *count* receives the name of a statistic for each event.
    """

    def __init__(self, scope: Scope, count: Callable[[str], None]) -> None:
        self._scope = scope
        self._count = count
        self._mirrors = MirrorLearner()
        self._versions = VersionLearner()
        self._moved: BoundedDict[str, None] = BoundedDict(_MOVED)
        self._returned: list[str] = []
        self._logged: BoundedDict[tuple[str, str], bool] = BoundedDict(_LOGGED)

    def preferred(self, url: str) -> str:
        """Return *url*, or the address of the same page that is preferred; both are in the scope."""
        found = self._preferred(url)
        if found == url or any(self._scope.exclusion(it) is not None for it in (url, found)):
            return url
        self._count("links/mirrored")
        self._remember(url)
        return found

    def fetched(self, canonical: str) -> str | None:
        """Return the address at which the page at *canonical* was fetched, ``None`` if nowhere else."""
        found = self._fetched(canonical)
        if found is not None:
            self._remember(canonical)
        return found

    def returned(self) -> list[str]:
        """Return, once, the links that were led elsewhere to mirrors that turned out to be none."""
        found, self._returned = self._returned, []
        return found

    def learn(self, lesson: Lesson, *, own: bool = True) -> None:
        """Learn of mirrors and versions; verdicts from *own* pages are counted and logged."""
        if (content := lesson.content) is None:
            return
        redirects = (
            self._mirrors.observe(lesson.redirected, content, redirects=True)
            if lesson.redirected
            else []
        )
        mirrors = self._mirrors.observe(lesson.url, content, named=lesson.named)
        versions = self._versions.observe(
            lesson.url, content, canonical=lesson.canonical, versions=lesson.versions
        )
        for kind, verdicts in (("mirrors", [*redirects, *mirrors]), ("versions", versions)):
            if any(not accepted for _first, _second, accepted in verdicts):
                self._return()
            for first, second, accepted in verdicts if own else ():
                self._count(f"{kind}/{'learned' if accepted else 'unlearned'}")
                self._log(first, second, accepted=accepted)

    def _log(self, first: str, second: str, *, accepted: bool) -> None:
        """Log a verdict unless the last line of the two says the same: articles and fronts have one each."""
        # A zero byte stands for each number of a template.
        first, second = first.replace("\0", "*"), second.replace("\0", "*")
        if self._logged.get((first, second)) is accepted:
            return
        self._logged[first, second] = accepted
        message = (
            _("%(first)s and %(second)s have the same pages: each is fetched once")
            if accepted
            else _("%(first)s and %(second)s do not have the same pages any longer")
        )
        logger.info(message, {"first": first, "second": second})

    def _preferred(self, url: str) -> str:
        return self._mirrors.preferred(self._versions.preferred(url))

    def _fetched(self, canonical: str) -> str | None:
        return self._mirrors.fetched(canonical) or self._versions.fetched(canonical)

    def _remember(self, url: str) -> None:
        self._moved[url] = None

    def _return(self) -> None:
        """Collect the links that would be led nowhere any longer."""
        for url in [url for url in self._moved if self._preferred(url) == url]:
            if self._fetched(url) is None:
                del self._moved[url]
                if not self._mirrors.has(canonical_url(url)):
                    self._returned.append(url)
