"""Follow the archives of whole sites: from one issue to the one before and after, over gaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from topiccrawl import details
from topiccrawl.crawl.sites.marks import SITE_ISSUE
from topiccrawl.crawl.sites.offers import Address, SiteOffers
from topiccrawl.frontier.contract import PushResult
from topiccrawl.sites.archives import Issue, is_first_page, issue_of, links_of_day, other_dates
from topiccrawl.urls.canonical import canonical_url

#: Links with the date of an address from which its page is an issue, whatever the address (a guess).
_LINKS_OF_DAY: Final = 3
#: Addresses of one form without an issue, one after the other, after which no more are tried (a guess: four
#: gaps in each direction).
MOST_MISSES: Final = 80
#: China's time is ahead of UTC: the newest issue may be tomorrow's there (a choice).
_AHEAD: Final = timedelta(hours=8)


class Archives:
    """Offers the neighbors by date of the issues that a crawl fetches.

    From an issue that no neighbor led to, both directions are followed, otherwise that of the neighbor.  Dates
    are tried one after the other; once the steps are a rule, that step first: a weekly costs one request for an
    issue.  The state of a search is in the meta of its request, so that it survives with the queue.
    """

    def __init__(
        self,
        offers: SiteOffers,
        clock: Callable[[], float],
        count: Callable[[str, int], object],
    ) -> None:
        self._offers = offers
        self._clock = clock
        self._count = count
        self._misses: Counter[tuple[str, ...]] = Counter()

    def fetched(
        self,
        site: str,
        url: str,
        links: Sequence[str],
        meta: Mapping[str, Any],
        depth: int,
        *,
        article: bool,
    ) -> None:
        """Go on from a page.

        *url* and *links*, of the page, are canonical; *meta* is that of its request, *depth* its distance from a seed.
        """
        search = _search(meta)
        issue = issue_of(url)
        if issue is None or not self._is_issue(issue, links, article=article):
            if search is not None:
                self._next(site, *search)
            return
        self._misses.pop(issue.stem, None)
        if search is None:
            if is_first_page(issue, links):
                for way in (-1, 1):
                    self._next(site, issue, way, 1, 0, -1, depth)
            return
        base, way, stride, times, tried, _ = search
        if url != base.url and base.stem == issue.stem:
            step = other_dates(base, stride, times)[tried]
            times = times + 1 if step == stride else 1
            self._next(site, issue, way, step, times, -1, depth)

    def missing(self, site: str, meta: Mapping[str, Any]) -> None:
        """Try the next date after one without a page."""
        if (search := _search(meta)) is not None:
            self._next(site, *search)

    def redirected(self, site: str, url: str, target: str, meta: Mapping[str, Any]) -> None:
        """Try the next date if *target* is not the issue that *url* asked for."""
        asked, found = issue_of(canonical_url(url)), issue_of(target)
        if asked is not None and (found is None or found.day != asked.day):
            self.missing(site, meta)

    def _is_issue(self, issue: Issue, links: Sequence[str], *, article: bool) -> bool:
        count = links_of_day(issue, links)
        return count >= _LINKS_OF_DAY or (issue.front and not article and bool(links))

    def _next(
        self, site: str, base: Issue, way: int, stride: int, times: int, tried: int, depth: int
    ) -> None:
        """Offer the next date in one direction; those that were tried by others are skipped."""
        self._misses[base.stem] += tried >= 0
        if self._misses[base.stem] > MOST_MISSES:
            return
        steps = other_dates(base, stride, times)
        now = datetime.fromtimestamp(self._clock(), UTC)
        today = (now + _AHEAD).date()
        for index in range(tried + 1, len(steps)):
            day = base.step(way * steps[index])
            if day is None or day > today:
                continue
            url = base.at(day)
            state = [base.url, way, stride, times, index, depth]
            [result] = self._offers.pages(
                site,
                [Address(url)],
                parent=base.url,
                found_by=details.BY_ARCHIVE(url=base.url),
                part="archive",
                depth=depth + 1,
                meta={SITE_ISSUE: state},
            )
            if result is PushResult.NEW:
                self._count("sites/issues", 1)
                return
            if result is None or not self._offers.failed(url):
                return  # It is known: its page goes on, or has done so.


def _search(meta: Mapping[str, Any]) -> tuple[Issue, int, int, int, int, int] | None:
    """Return the issue from which an address was derived, way, stride, times, index and depth."""
    state = meta.get(SITE_ISSUE)
    if not isinstance(state, list) or len(state) != 6 or not isinstance(state[0], str):
        return None
    base = issue_of(canonical_url(state[0]))
    numbers = [it for it in state[1:] if isinstance(it, int)]
    if base is None or len(numbers) != 5:
        return None
    way, stride, times, tried, depth = numbers
    if way not in (-1, 1) or not 1 <= stride <= base.most or not 0 <= tried < base.most:
        return None
    return base, way, stride, times, tried, depth
