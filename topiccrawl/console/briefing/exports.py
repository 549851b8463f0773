"""Notes of the files that a console sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.commandline.export_log import log_exports
from topiccrawl.console.desk import desk_of
from topiccrawl.export.log import Export, user_name

if TYPE_CHECKING:
    from starlette.requests import Request

    from topiccrawl.briefing.model import Briefing

__all__ = ["note_export"]


async def note_export(
    request: Request, topic: str, what: str, name: str, briefing: Briefing, *, unmasked: bool
) -> None:
    """Note in the store that a file was sent, also from a console that may change nothing else."""
    desk = desk_of(request)
    visitor = request.client.host if request.client else "?"
    export = Export(
        topic=topic,
        at=desk.now(),
        who=f"{user_name()} ({visitor})",
        what=what,
        out=name,
        format=name.rpartition(".")[2],
        count=sum(1 for _entry in briefing.entries()),
        unmasked=unmasked,
        selection=request.url.query[:300],
    )
    await log_exports(desk.config.store_uri, export)
