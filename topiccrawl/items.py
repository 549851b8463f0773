"""The item that travels through the pipelines and out of feeds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from itemadapter.adapter import AdapterInterface

from topiccrawl.store.columns import COLUMNS
from topiccrawl.store.records import PAGES, PageRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.crawl.judgments.deciding import Decision
    from topiccrawl.crawl.refreshing.visit import Revisit


@dataclass(kw_only=True, repr=False, eq=False)
class PageItem(PageRecord):
    """One fetched page: the record to be stored, with what the pipelines need to fill it.

    The spider sets where the page came from, the pipelines the rest.  Analysis, lease and decision are
    neither stored nor exported.
    """

    analysis: PageAnalysis
    """The page's one analysis, with the raw body."""
    lease: int | None = None
    """The frontier lease under which the page was fetched."""
    site_file: str = ""
    """What was found in it, if it is a file that lists pages of a whole site and no page."""
    imported: str = ""
    """Key of the imported entry that the page is; empty for a page that was fetched."""
    validators: tuple[str, str] = ("", "")
    """ETag and Last-Modified of the response, for conditional requests."""
    revisit: Revisit | None = None
    """The visit of an address that was visited before; ``None`` for any other page."""
    parts_digest: str = ""
    """Digest of the further parts of an article on several pages, as far as they were fetched."""
    parts_missing: int = 0
    """Parts that the article links to and that could not be fetched."""
    decision: Decision | None = None
    """Set by the relevance pipeline.  A near miss passes the next pipelines too, so that it is complete
    when the store pipeline stores it beside the collection and drops it."""

    @property
    def near_miss(self) -> bool:
        """Whether the page is stored beside the collection only."""
        return self.decision is not None and self.decision.near_miss

    def __repr__(self) -> str:
        # Scrapy logs items; a whole body in the log is of no use.
        return f"<PageItem {self.url} {self.title[:60]!r}>"


class PageItemAdapter(AdapterInterface):
    """Shows a :class:`PageItem` to feeds and other pipelines with the columns of ``scrapy export``.

    Fields of the record can be set; columns that are computed from them cannot.
    """

    _settable = frozenset(COLUMNS) & {field.name for field in PAGES.fields}

    @classmethod
    def is_item_class(cls, item_class: type) -> bool:
        """Return whether *item_class* is :class:`PageItem` or a subclass."""
        return issubclass(item_class, PageItem)

    @classmethod
    def get_field_names_from_class(cls, item_class: type) -> list[str]:
        """Return the names of the columns."""
        return list(COLUMNS)

    def __getitem__(self, name: str) -> Any:
        return COLUMNS[name].read(self.item)

    def __setitem__(self, name: str, value: Any) -> None:
        if name not in self._settable:
            raise KeyError(f"PageItem does not support setting {name!r}")
        setattr(self.item, name, value)

    def __delitem__(self, name: str) -> None:
        raise KeyError(f"PageItem does not support deleting {name!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(COLUMNS)

    def __len__(self) -> int:
        return len(COLUMNS)


# Before the adapter of all dataclasses; still a deque, to which other projects may add theirs.
ItemAdapter.ADAPTER_CLASSES = deque([PageItemAdapter, *ItemAdapter.ADAPTER_CLASSES])
