"""Scripts and style sheets of the package, compressed once and kept by browsers until they change."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from starlette.responses import PlainTextResponse, Response

if TYPE_CHECKING:
    from starlette.requests import Request

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "LICENSE": "text/plain; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of the folder ``static``."""

    content: bytes
    compressed: bytes
    media_type: str
    version: str
    """Changes with the content."""


@cache
def _assets() -> dict[str, Asset]:
    """Return the files of the folder ``static`` by name."""
    found = {}
    # Not a path: the package may be a zipped egg.
    for file in resources.files("topiccrawl.console").joinpath("static").iterdir():
        media_type = _TYPES.get(file.name.rpartition(".")[2])
        if media_type is not None:
            content = file.read_bytes()
            digest = hashlib.sha256(content).hexdigest()[:12]
            packed = gzip.compress(content, 9, mtime=0)
            found[file.name] = Asset(content, packed, media_type, digest)
    return found


def asset(name: str) -> Asset | None:
    """Return the file *name* of the folder ``static``, ``None`` if there is none."""
    return _assets().get(name)


def asset_path(name: str) -> str:
    """Return the path of the file *name*, with its version."""
    found = asset(name)
    if found is None:
        raise LookupError(name)
    return f"/static/{name}?v={found.version}"


async def serve_asset(request: Request) -> Response:
    """Answer with a file of the folder ``static``."""
    found = asset(request.path_params["name"])
    if found is None:
        return PlainTextResponse("404\n", 404)
    headers = {"vary": "accept-encoding", "etag": f'"{found.version}"'}
    headers["cache-control"] = "public, max-age=31536000, immutable"
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(found.compressed, headers=headers, media_type=found.media_type)
    return Response(found.content, headers=headers, media_type=found.media_type)
