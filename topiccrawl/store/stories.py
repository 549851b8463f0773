"""Stories in a store: what a comparison sets of a page, and what a write changes for other members.

A *story* is the set of kept pages that are copies of one text.  Its *representative* has an empty
``copy_of``; every other member is a *copy*, with the URL of the representative in ``copy_of``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, get_args

from topiccrawl.dedup.tokens import salt
from topiccrawl.store.values import storable

if TYPE_CHECKING:
    from topiccrawl.store.fields import Document
    from topiccrawl.store.page_record import PageRecord

#: Orders in which stories can be read: most members first, or the last grown first.
StoryOrder = Literal["size", "newest"]
STORY_ORDERS: Final[tuple[StoryOrder, ...]] = get_args(StoryOrder)

#: Longest right to change the stories of a topic.  One that ends later than so long from now was taken before
#: the machine's clock was set back, and has ended (a choice: 15 s are asked for; clocks differ by a minute).
LONGEST_RIGHT_SECONDS: Final = 300.0

#: Keys of the fields that a comparison sets, besides the tokens.
COMPARISON: Final = ("story", "relation", "copy_of", "relation_detail", "compared")


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """What a comparison found of one page; fields as in ``PageRecord``."""

    story: str
    relation: str = ""
    """A ``RelationKind`` for a copy; empty for a representative."""
    copy_of: str = ""
    """URL of the representative; empty for a representative."""
    detail: Sequence[str] = ()
    compared: int
    """Method of the comparison; 0 if the page must be compared again."""
    tokens: Sequence[int] | None = None
    """Tokens of the page; ``None`` leaves those that the store has."""
    content_hash: str | None = None
    """Hash of the body that was compared.  A page that has another one by now is left as it is."""


@dataclass(frozen=True, slots=True)
class StoredStory:
    """One story, without the texts of its members."""

    story: str
    """Id."""
    members: int
    """Kept pages, the representative included."""
    url: str
    """The representative; empty while the story has none, until it is compared again."""
    title: str
    """Title of the representative."""
    first_fetched: datetime
    last_fetched: datetime


def in_story_order(stories: Iterable[StoredStory], order: StoryOrder) -> list[StoredStory]:
    """Return *stories* in *order*; raise ValueError if there is no such order."""
    if order not in STORY_ORDERS:
        raise ValueError(f"order must be one of {', '.join(STORY_ORDERS)}; got {order!r}")
    found = sorted(stories, key=lambda it: (it.first_fetched, it.story))
    if order == "size":
        return sorted(found, key=lambda it: it.members, reverse=True)
    return sorted(found, key=lambda it: it.last_fetched, reverse=True)


@dataclass(frozen=True, slots=True)
class Merged:
    """A page to be written, and what writing it means for tokens and for other pages."""

    document: Document
    same: bool
    """Whether the store has the page with this title and text."""
    new_tokens: bool
    """Whether the tokens of the document replace those that the store has."""
    left: str
    """Story whose other members must be compared again; or empty."""


def merged(document: Document, known: Mapping[str, Any] | None) -> Merged:
    """Return what is to be written when *document* meets the *known* version of the page, if any.

    A document without tokens was not compared by its writer: if the store has the same title and text,
    it keeps the store's fields of the comparison, otherwise it must be compared.  It keeps the time at
    which the page was first seen, and that of its last change unless it states one.  A page that returns to
    the collection must be compared again.  Where the page leaves a story, or changes in it, its other
    members must be, too.
    """
    if known is None:
        return Merged(document, False, bool(document["tokens"]), "")
    document = {**document, **_times(document, known)}
    same = (known["title"], known["body"]) == (document["title"], document["body"])
    if same and not document["tokens"]:
        document = {**document, **{key: known[key] for key in COMPARISON}}
    kept_before = known["withdrawn_at"] is None
    kept_now = document["withdrawn_at"] is None
    if (kept_now and not kept_before) or not (same or document["tokens"]):
        document = {**document, "compared": 0}
    stays = kept_now and same and document["story"] == known["story"]
    led = not known["copy_of"]
    leads = not document["copy_of"]
    left = kept_before and not (stays and led == leads)
    return Merged(
        document, same, not same or bool(document["tokens"]), known["story"] if left else ""
    )


def _times(document: Document, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the times of *document* that those of the *known* page decide."""
    seen = [document["first_seen"], known.get("first_seen") or known.get("fetched_at")]
    return {
        "first_seen": min(it for it in seen if it is not None),
        "changed_at": document["changed_at"] or known.get("changed_at"),
    }


def membership_fields(membership: Membership) -> dict[str, Any]:
    """Return the fields of a page's document that *membership* sets, without the tokens."""
    return {
        "story": storable(membership.story),
        "relation": storable(membership.relation),
        "copy_of": storable(membership.copy_of),
        "relation_detail": [storable(it) for it in membership.detail],
        "compared": int(membership.compared),
    }


def topic_tokens(topic: str, tokens: Iterable[int]) -> list[int]:
    """Return *tokens* as a store keeps them: each with the topic mixed in, without repetitions.

    Applied twice, it returns the tokens themselves.
    """
    mixed_in = salt(storable(topic))
    return list(dict.fromkeys(token ^ mixed_in for token in tokens))


class StoryStore(Protocol):
    """What a store does for comparing pages, and for the stories that follow."""

    async def sharing(
        self, topic: str, tokens: Sequence[int], *, most: int
    ) -> Mapping[int, Sequence[str]]:
        """Return the URLs of kept pages, copies included, that have each of the *tokens*.

        At most ``most + 1`` for each token, in no particular order: a longer list means that the token
        says little.  Tokens that no page has are left out.
        """

    async def members(self, topic: str, story: str) -> Sequence[PageRecord]:
        """Return the kept pages of *story*, oldest first, without HTML; empty for an empty *story*."""

    def uncompared(
        self, topic: str, method: int, *, limit: int | None = None
    ) -> AsyncIterator[PageRecord]:
        """Yield the kept pages whose ``compared`` is not *method*, at most *limit*, without HTML.

        Those of smaller methods come first, 0 before all; of one method, the oldest page.
        """

    async def count_uncompared(self, topic: str, method: int) -> int:
        """Return how many kept pages have a ``compared`` that is not *method*."""

    async def set_relations(self, topic: str, relations: Mapping[str, Membership]) -> None:
        """Set what a comparison found of pages, by canonical URL; unknown URLs are skipped.

        Idempotent.  SQLite sets all or none; MongoDB page by page, with representatives first.
        """

    async def lease_settling(self, topic: str, owner: str, seconds: float) -> bool:
        """Take or keep the right to change the stories of *topic*; return whether *owner* has it now.

        It ends after *seconds*, by the clock of the caller; 0 gives it up.  At most one owner has it.
        *seconds* are at most :data:`LONGEST_RIGHT_SECONDS`.
        """

    async def copies(self, topic: str) -> Mapping[str, int]:
        """Return the number of copies of each story of *topic* that has some, by the story's id."""

    def stories(
        self,
        topic: str,
        *,
        order: StoryOrder = "size",
        least: int = 2,
        limit: int | None = None,
    ) -> AsyncIterator[StoredStory]:
        """Yield the stories of *topic* that have at least *least* members, at most *limit*.

        ``size`` is most members first, ``newest`` the one with the last fetched member first; then by
        the first fetched member, then by id.
        """
