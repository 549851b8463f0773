"""Ranking rounds: when one is due, and how it changes the scores of the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.scoring.evidence import SEED_SCORE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from topiccrawl.crawl.queue.fallen import FallenLinks
    from topiccrawl.crawl.queue.queue import CrawlQueue
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.scoring.classifier import PageClassifier
    from topiccrawl.scoring.strategy import Strategy
    from topiccrawl.urls.filter import UrlFilter

#: Queued links per page between two rounds.  A round looks at every queued link, some 2 µs each
#: (2026-11, SQLite): rounds then cost at most 2 ms of a page's time.
_QUEUED_PER_PAGE: Final = 1_000
#: Fewest pages between two rounds, for strategies that ask for early rounds.
_LEAST_BETWEEN_ROUNDS: Final = 10
#: Links re-scored between two turns of the event loop: 10 ms in the slowest backend.
_RESCORE_PIECE: Final = 1_000
#: Up to this many queued links are re-scored exactly, TOPICCRAWL_FRONTIER_SCORE_TOLERANCE or not.
_EXACT_QUEUE: Final = 20_000
#: Best queued links that are looked through after a family of URLs was exhausted, or when links fall behind:
#: those of the next rounds.  The others are refused, or fall, when their turn comes.  With SQLite, 300 on as
#: many hosts take 23 ms (34 at most), 2,000 took 136 (245); all sweeps of a crawl .88 s, and 1.36 (2026-11).
_SWEPT_LINKS: Final = 300


class RankingRounds:
    """Re-scores the queue, as a whole in a round, and between rounds those of the best links that fall behind."""

    def __init__(
        self,
        strategy: Strategy,
        queue: CrawlQueue,
        url_filter: UrlFilter,
        classifier: PageClassifier,
        settings: CrawlSettings,
        fallen: FallenLinks,
        count: Callable[[str, int], object],
    ) -> None:
        self._strategy = strategy
        self._queue = queue
        self._frontier = queue.frontier
        self._journal = queue.journal
        self._url_filter = url_filter
        self._classifier = classifier
        self._settings = settings
        self._fallen = fallen
        self._count = count
        self._next_at = next_round(strategy, 0, 0, settings.rank_every_pages)
        self._exhausted = 0

    @property
    def due(self) -> bool:
        """Whether enough pages were fetched since the last round, or the strategy wants one."""
        return self._journal.pages >= self._next_at or self._strategy.wants_round

    def run(self) -> Iterator[int]:
        """Learn, recompute the ranking and re-score what is queued, a few milliseconds at a time.

        Yields the number of queued links whose score changed in each step.
        """
        if self._classifier.due:
            for _ in self._classifier.learn():
                yield 0
            self._strategy.judged_again(self._classifier.probability_of)
        for _ in self._strategy.rank():
            yield 0
        size = self._frontier.size()
        queued = size.queued + size.delayed
        every = self._settings.rank_every_pages
        self._next_at = next_round(self._strategy, self._journal.pages, queued, every)
        self._count("ranking/rounds", 1)
        self._fallen.begin_round(self._journal.pages)
        if self._queue.leads():
            for changed in self._rescore(queued):
                self._count("ranking/rescored", changed)
                yield changed
            if self._fallen:
                self.let_fall()
        self._forget_exhausted()

    def let_fall(self) -> None:
        """Lower the scores of the best queued links that are like dead ones."""
        best = [it for it in self._frontier.best(_SWEPT_LINKS) if it.evidence.score < SEED_SCORE]
        falling = self._fallen.to_lower(best)
        if falling:
            ids = np.array([it.id for it in falling], dtype=np.int64)
            scores = np.array([it.evidence.score for it in falling])
            self._frontier.rescore(ids, self._fallen.held_down(ids, scores))
            self._count("links/behind", len(ids))

    def _rescore(self, queued: int) -> Iterator[int]:
        """Set the current score of every queued link.

        Relative changes below the tolerance are left out when many links are *queued*.
        """
        tolerance = self._settings.score_tolerance if queued > _EXACT_QUEUE else 0.0
        for ids, old in self._frontier.queued():
            scores, _ = self._strategy.rescore(ids)
            scores = self._fallen.held_down(ids, scores)
            # Seeds keep their score, also those that a page has linked to since.
            found = np.isfinite(scores) & (old < SEED_SCORE)
            better = found & (np.abs(scores - old) > tolerance * np.abs(old))
            for piece in np.array_split(np.flatnonzero(better), len(ids) // _RESCORE_PIECE + 1):
                if len(piece):
                    yield self._frontier.rescore(ids[piece], scores[piece])
            yield 0

    def _forget_exhausted(self) -> None:
        """Drop the best queued links to families and domains that have turned out to be exhausted."""
        found = self._url_filter.exhausted
        if found == self._exhausted:
            return
        self._exhausted = found
        best = self._frontier.best(_SWEPT_LINKS)
        # Not seeds: a user who names a page wants that page.
        ids = [it.id for it in best if not it.evidence.named and self._url_filter.trap(it.url)]
        if dropped := self._frontier.forget(ids):
            self._count("frontier/exhausted", dropped)


def next_round(strategy: Strategy, pages: int, queued: int, every: int) -> int:
    """Return the number of pages at which the next ranking round is due.

    That is after *every* pages, or sooner if the crawl has grown by ``strategy.round_growth``, but not
    before it has grown by ``strategy.round_least_growth``.
    """
    if strategy.round_growth is not None:
        every = min(every, max(_LEAST_BETWEEN_ROUNDS, int(strategy.round_growth * pages)))
    least = int(strategy.round_least_growth * pages)
    return pages + max(every, queued // _QUEUED_PER_PAGE, least)
