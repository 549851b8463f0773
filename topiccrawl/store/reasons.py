"""Reasons of outcomes on which the code decides; the others are only counted and shown."""

from __future__ import annotations

from typing import Final

#: The page was deleted.
DELETED: Final = "deleted"
#: The user judged the page itself.
JUDGED: Final = "judged"
#: The page has the text of another one, which the user judged off topic.  In stores that are older
#: than this reason, such a page has :data:`JUDGED`.
REJECTED_TEXT: Final = "rejected-text"
#: Reasons of the user, which count whatever the numbers of a page are.
BY_USER: Final = frozenset({JUDGED, REJECTED_TEXT})
#: Reasons of pages that were dropped because a judgment, the crawler's or the user's, found them off topic.
OFF_TOPIC: Final = frozenset({"off-topic", "withdrawn"}) | BY_USER
