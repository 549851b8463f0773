"""Metrics of a crawl order, computed from the fetched and the relevant pages.

Throughout, ``r_k`` is 1 if the k-th fetched page is relevant and was not fetched before, else 0, and
``R_k = r_1 + … + r_k``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FloatArray
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.evaluation.experiment import Fetch

#: Recall levels whose cost in pages is reported.
RECALLS = (0.5, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Metrics:
    """Figures of one run; ``None`` where a figure is undefined or a recall level was not reached."""

    fetched: int
    """Pages fetched with status 200."""
    relevant: int
    """Distinct relevant pages among them, seeds included: R_n."""
    harvest: float
    """R_n / n at the end of the run, in [0, 1]."""
    recall: float | None
    """Share of the hidden targets found, in [0, 1]."""
    auc: float
    """See :func:`area`."""
    pages_to_50: int | None
    pages_to_80: int | None
    pages_to_90: int | None
    """See :func:`pages_to`."""
    mean_similarity: float | None
    """Mean relevance by the crawler itself, over the pages for which it computed one."""
    relevant_hosts: int
    """Distinct hosts of the relevant pages found."""
    bytes: int
    """Total size of the fetched bodies."""


def hits(urls: Sequence[str], wanted: AbstractSet[str]) -> BoolArray:
    """Return for each of *urls* whether it is in *wanted* and occurs for the first time, (n,)."""
    seen: set[str] = set()
    found = np.zeros(len(urls), dtype=bool)
    for i, url in enumerate(urls):
        if url in wanted and url not in seen:
            seen.add(url)
            found[i] = True
    return found


def harvest(found: BoolArray, pages: int | None = None) -> FloatArray:
    """Return the cumulative harvest rate ``H_k = R_k / k`` for k = 1..pages, shape (pages,).

    *pages* defaults to the number of fetched pages.  If a run ended earlier, R_k stays constant while
    k grows.
    """
    n = len(found) if pages is None else pages
    counts = np.zeros(n)
    total = np.cumsum(found[:n])
    counts[: len(total)] = total
    counts[len(total) :] = total[-1] if len(total) else 0
    return counts / np.arange(1, n + 1)


def windowed_harvest(found: BoolArray, window: int) -> FloatArray:
    """Return the harvest rate of the last *window* pages, (R_k - R_{k-w}) / min(k, w), shape (n,).

    Raises ``ValueError`` for a window below 1.
    """
    if window < 1:
        raise ValueError(f"window must be >= 1, got {window}")
    total = np.concatenate(([0.0], np.cumsum(found)))
    k = np.arange(1, len(found) + 1)
    start = np.maximum(k - window, 0)
    return (total[k] - total[start]) / (k - start)


def recall(found: BoolArray, targets: int, pages: int | None = None) -> FloatArray:
    """Return the share of *targets* found after k pages, k = 1..pages, shape (pages,).

    *found* marks hidden targets: relevant pages that are reachable from the seeds and are not seeds
    themselves.  All zeros if there are no targets.
    """
    n = len(found) if pages is None else pages
    return harvest(found, n) * np.arange(1, n + 1) / max(targets, 1)


def area(found: BoolArray, pages: int | None = None) -> float:
    """Return the area under the harvest curve: ``AUC = (1/n) Σ_{k=1..n} R_k / k``, in [0, 1].

    *pages* (n) is the smaller of the budget and the number of reachable pages (default: the number
    of fetched pages).  Stopping earlier brings no advantage, see :func:`harvest`.  0 without pages.
    """
    values = harvest(found, pages)
    return float(values.mean()) if len(values) else 0.0


def normalized(value: float, random: float, oracle: float) -> float | None:
    """Return ``(AUC - AUC_random) / (AUC_oracle - AUC_random)``: 0 for random, 1 for the oracle.

    ``None`` if oracle and random are equal.
    """
    span = oracle - random
    return (value - random) / span if abs(span) > 1e-12 else None


def pages_to(found: BoolArray, targets: int, share: float) -> int | None:
    """Return the least k with ``found_k >= share · targets``; ``None`` if it is never reached."""
    if targets < 1:
        return None
    enough = np.flatnonzero(np.cumsum(found) >= share * targets - 1e-9)
    return int(enough[0]) + 1 if len(enough) else None


def measure(
    fetches: Sequence[Fetch],
    relevant: AbstractSet[str],
    targets: AbstractSet[str],
    pages: int,
) -> Metrics:
    """Return the figures of one run.

    *relevant* are all relevant pages by the judge, *targets* the hidden ones among them (see
    :func:`recall`), *pages* is the n of :func:`area`.
    """
    urls = [fetch.url for fetch in fetches]
    found, hidden = hits(urls, relevant), hits(urls, targets)
    similarities = [fetch.relevance for fetch in fetches if not math.isnan(fetch.relevance)]
    n = len(fetches)
    marks = [pages_to(hidden, len(targets), share) for share in RECALLS]
    return Metrics(
        fetched=n,
        relevant=int(found.sum()),
        harvest=float(found.sum() / n) if n else 0.0,
        recall=float(hidden.sum() / len(targets)) if targets else None,
        auc=area(found, pages),
        pages_to_50=marks[0],
        pages_to_80=marks[1],
        pages_to_90=marks[2],
        mean_similarity=math.fsum(similarities) / len(similarities) if similarities else None,
        relevant_hosts=len({host_of(url) for url in np.array(urls)[found]} if n else ()),
        bytes=sum(fetch.size for fetch in fetches),
    )


def curve_points(pages: int, most: int = 100) -> list[int]:
    """Return the page counts at which curves are stored: about *most*, evenly spaced, and the last.

    >>> curve_points(10, 4)
    [3, 6, 9, 10]
    """
    if pages < 1:
        return []
    step = math.ceil(pages / most)
    points = list(range(step, pages + 1, step))
    return points if points[-1] == pages else [*points, pages]
