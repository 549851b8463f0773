"""Selection of stored pages for an export."""

from __future__ import annotations

from contextlib import aclosing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.store.columns import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from topiccrawl.export.writers import PageWriter
    from topiccrawl.store.contract import PageOrder, Store


def parse_since(text: str | None) -> datetime | None:
    """Return the time of ``--since``: an ISO date or time, in UTC unless it has an offset."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigurationError(
            _(
                "--since must be a date such as 2024-05-01 (or 2024-05-01T08:00), got {text!r}"
            ).format(text=text)
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


async def export_pages(
    store: Store,
    topic: str,
    writer: PageWriter,
    names: Sequence[str],
    *,
    order: PageOrder = "fetched",
    limit: int | None = None,
    since: datetime | None = None,
    withdrawn: bool = False,
    tick: Callable[[], None] = lambda: None,
) -> int:
    """Write the columns *names* of the pages fetched at or after *since*; return their number.

    *limit* counts written pages.  With *withdrawn*, the pages that left the collection are written instead.
    """
    columns = [COLUMNS[name] for name in names]
    written = 0
    first = limit if since is None else None
    chosen = store.pages(topic, order=order, limit=first, withdrawn=withdrawn)
    async with aclosing(chosen) as pages:  # type: ignore[type-var]
        async for page in pages:
            if limit is not None and written >= limit:
                break
            if since is not None and page.fetched_at < since:
                continue
            writer.row([column.exported(page) for column in columns])
            written += 1
            tick()
    writer.finish()
    return written
