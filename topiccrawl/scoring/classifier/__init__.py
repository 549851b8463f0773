"""The page classifier: the probability that a page is on topic, learned during the crawl.

``start`` selects the pages that the keywords are sure of, by their ``meaning``, too; the user's ``samples`` are
others.  ``rows`` turns pages into feature rows, ``places`` says how much theirs say, and ``model`` learns from all
this (``learning``).  ``nearest`` shares what was learned among texts that are alike, ``channels`` and
``channel_names`` add what sites call the topic's pages, ``threshold`` estimates how large the topic is and decides what
is kept (``judging``), and ``classifier`` combines them.  docs/classifier.md has the formulas,
docs/laboratory/judge.md the measurements.
"""

from __future__ import annotations

from topiccrawl.scoring.classifier.classifier import PageClassifier
from topiccrawl.scoring.classifier.judging import Judgment
from topiccrawl.scoring.classifier.threshold import BALANCES, Balance

__all__ = ["BALANCES", "Balance", "Judgment", "PageClassifier"]
