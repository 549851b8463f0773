"""The strategy ``adaptive``: a hand-set prior over link evidence, corrected by what the crawl finds.

``value`` rates fetched pages, ``observations`` sums up what they show of each link, with its ``features`` and
``channels``, and ``model`` learns from both.  ``meanings`` compares anchors with the titles of pages, ``exploration``
chooses probes among the ``places`` of links, and ``strategy`` combines all.  docs/adaptive.md has the formulas and
what each part is worth.
"""

from __future__ import annotations

from topiccrawl.scoring.strategies.adaptive.strategy import AdaptiveStrategy

__all__ = ["AdaptiveStrategy"]
