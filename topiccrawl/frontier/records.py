"""Records of links as the backends read them back: checked, because anyone may have written them.

A damaged or foreign record concerns one link.  It raises :class:`UnreadableRecordError`, the frontier gives
up that link, and the crawl goes on.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping
from typing import Any

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.language import _
from topiccrawl.scoring.evidence import LinkEvidence

logger = logging.getLogger(__name__)


class UnreadableRecordError(Exception):
    """The record of one link is damaged, or was not written by topiccrawl; other links are sound."""


class UnreadableLinks:
    """Links that are given up because their records cannot be read; the first one is logged."""

    def __init__(self) -> None:
        self._warned = False

    def reason(self, error: UnreadableRecordError) -> str:
        """Return the reason for which a link is given up."""
        if not self._warned:
            logger.warning(
                _(
                    "A queued link cannot be read and is given up, as any further ones will be:"
                    " %(error)s"
                ),
                {"error": error},
            )
        self._warned = True
        return f"unreadable record: {error}"


def decoded(data: object) -> Any:
    """Return the JSON value in *data*, UTF-8 that may hold lone surrogates.

    Raises :class:`UnreadableRecordError` for anything else.
    """
    if not isinstance(data, bytes):
        raise UnreadableRecordError(f"bytes were expected, got a {type(data).__name__}")
    try:
        return json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise UnreadableRecordError(f"no JSON: {error}") from error


def read_evidence(score: object, depth: object, reasons: object) -> LinkEvidence:
    """Return the evidence with these *reasons* (:attr:`LinkEvidence.reasons`), decoded.

    Raises :class:`UnreadableRecordError` for values of another form, or a score that is not finite.
    """
    if not isinstance(reasons, list) or not 3 <= len(reasons) <= 5:
        raise UnreadableRecordError("the evidence has another form")
    parts, parent, *words = reasons
    sound = (
        isinstance(score, int | float)
        and math.isfinite(score)
        and isinstance(depth, int)
        and isinstance(parts, dict)
        and all(isinstance(value, int | float) for value in parts.values())
        and (parent is None or isinstance(parent, str))
        and all(isinstance(word, str) for word in words)
    )
    if not sound:
        raise UnreadableRecordError("the evidence has values of another type")
    return LinkEvidence.from_reasons(score, depth, reasons)  # type: ignore[arg-type]


def read_link(url: object, host: str, evidence: LinkEvidence, request: object) -> QueuedLink:
    """Return the link; raise :class:`UnreadableRecordError` unless *url* is text and *request* an object."""
    if not isinstance(url, str) or not isinstance(request, Mapping):
        raise UnreadableRecordError("the URL or the request has another form")
    return QueuedLink(url, host, evidence, request)
