"""Lists of proxies: a text file, and the answers of a proxy pool.

A pool is a service with an HTTP interface like that of ``jhao104/proxy_pool``: ``/get/`` answers with one
proxy, ``/all/`` with all, as JSON (``{"proxy": "10.0.0.5:8080", "https": true, …}``) or as plain text;
``/delete/?proxy=`` removes one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

from topiccrawl.language import _
from topiccrawl.proxies.address import ProxyAddress, parse_proxy

#: Names under which pools answer with an address, and with host and port apart (jhao104/proxy_pool;
#: the others are those of similar services).
_ADDRESS_KEYS: Final = ("proxy", "addr", "address", "url", "server")
_HOST_KEYS: Final = ("ip", "host")
#: Names of what an answer wraps its proxies in.
_LIST_KEYS: Final = ("data", "proxies", "list", "result")
#: Most proxies that are read from one answer (a choice).
MOST: Final = 10_000


def parse_list(text: str) -> list[ProxyAddress]:
    """Return the proxies of a file: one in a line; ``#`` begins a comment.

    Raises ``ValueError`` that names the line.
    """
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        entry = line.strip().partition(" #")[0].strip()
        if not entry or entry.startswith("#"):
            continue
        try:
            found.append(parse_proxy(entry))
        except ValueError as error:
            raise ValueError(_("line {n}: {error}").format(n=number, error=error)) from None
    return list(dict.fromkeys(found))


def parse_answer(text: str) -> list[ProxyAddress]:
    """Return the proxies in the answer of a pool; entries that are not proxies are left out."""
    try:
        entries = list(_entries(json.loads(text)))
    except (ValueError, RecursionError):
        entries = [(word, None) for word in text.split()]
    found = []
    for address, https in entries[:MOST]:
        try:
            proxy = parse_proxy(address)
        except ValueError:
            continue
        found.append(proxy if https is None else replace(proxy, https=https))
    return list(dict.fromkeys(found))


def _entries(value: object, depth: int = 0) -> Iterator[tuple[str, bool | None]]:
    """Yield address and support of https of each proxy in a decoded answer."""
    if isinstance(value, str):
        yield value, None
    elif isinstance(value, list):
        for each in value:
            yield from _entries(each, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        flag = value.get("https")
        https = flag if isinstance(flag, bool) else None
        for key in _ADDRESS_KEYS:
            if isinstance(value.get(key), str):
                yield value[key], https
                return
        for key in _HOST_KEYS:
            if isinstance(value.get(key), str) and isinstance(value.get("port"), int | str):
                yield f"{value[key]}:{value['port']}", https
                return
        for key in _LIST_KEYS:
            if key in value:
                yield from _entries(value[key], depth + 1)


def pool_urls(url: str) -> tuple[str, str]:
    """Return the addresses that give one proxy and all proxies of the pool at *url*.

    *url* is the pool itself (``http://127.0.0.1:5010``) or its address for one proxy, which may have
    parameters (``http://127.0.0.1:5010/get/?type=https``).
    """
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    base, last = path.rpartition("/")[::2]
    if last not in ("get", "pop", "all"):
        base, slash = path, "/"
    else:
        slash = "/" if parts.path.endswith("/") else ""
    return tuple(  # type: ignore[return-value]
        urlunsplit(parts._replace(path=f"{base}/{name}{slash}")) for name in ("get", "all")
    )


def delete_url(url: str, proxy: ProxyAddress) -> str:
    """Return the address that removes *proxy* from the pool at *url*."""
    parts = urlsplit(pool_urls(url)[0])
    path = f"{parts.path.rstrip('/').rpartition('/')[0]}/delete/"
    return urlunsplit(parts._replace(path=path, query=f"proxy={quote(proxy.name, safe=':')}"))
