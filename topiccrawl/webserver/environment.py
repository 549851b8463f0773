"""The process environment of a crawl behind a loopback proxy."""

from __future__ import annotations

import os


def environment(proxy: str) -> dict[str, str]:
    """Return this process's environment for a crawl that can reach nothing but *proxy*."""
    kept = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    # https goes to the proxy as well, which answers or refuses it: no request leaves the machine.
    return kept | {
        "http_proxy": proxy,
        "https_proxy": proxy,
        "no_proxy": "",
        "PYTHONUTF8": "1",  # keeps Chinese topic names intact in a C locale
    }
